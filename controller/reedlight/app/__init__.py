"""The programs that put everything together."""
