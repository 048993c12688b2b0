"""The circuit board of 2 x 2 cells: made, asked, joined to a board of 8 x 8, and drawn."""
