"""Magnets and reeds: what a reed under a cell feels of the pieces on the board."""
