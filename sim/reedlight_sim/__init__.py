"""The simulated board: pieces, switches and a hand, for playing and testing without hardware."""
