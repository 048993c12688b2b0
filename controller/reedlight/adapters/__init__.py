"""The places where the program touches the world."""
