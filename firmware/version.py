"""What this firmware calls itself; the program says so when it is older than the one it was released with."""

VERSION = "0.1.0"
PROTOCOL = 1
