"""What the board's microcontroller and the program say to each other."""
