"""The vocabulary of every game: cells, pieces, states and traces. Imports nothing of ours."""
