"""What people are shown: scenes, how they are composed, and how they become light."""
