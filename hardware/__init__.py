"""The board that somebody else can build: its parts, and the programs that write its tables and drawings."""
