"""From switches to actions: debouncing, and reading what a hand did."""
