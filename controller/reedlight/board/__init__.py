"""One physical board: which switch and lamp belongs to which cell."""
