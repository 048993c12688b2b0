"""One sitting at the board: events in, effects out."""
