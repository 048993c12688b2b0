"""What is printed: pieces, parts of the board, jigs; their files and their pictures."""
