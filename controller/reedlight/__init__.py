"""Reedlight: a tabletop board with a reed switch and a light under every cell."""
