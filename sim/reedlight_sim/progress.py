"""Progress: one line on a terminal that tells how far a long run has come, and nothing elsewhere."""

from __future__ import annotations

import contextlib
from typing import TextIO

from reedlight_sim.perform import Tally

WIDTH = 32
"""Characters of the bar."""
_CLEAR = "\r\x1b[K"


class Progress:
    """A bar on a stream, drawn only where the stream is a terminal; ``report`` writes past it."""

    def __init__(self, total: int, stream: TextIO) -> None:
        self._total = total
        self._stream = stream
        self._drawn = False
        self._terminal = stream.isatty()

    def show(self, tally: Tally) -> None:
        """Draw the bar for so many games."""
        if not self._terminal:
            return
        full = WIDTH * tally.games // max(self._total, 1)
        bar = "#" * full + "." * (WIDTH - full)
        self._write(f"{_CLEAR}[{bar}] {tally.games}/{self._total} games, {tally.moves} moves")
        self._drawn = True

    def report(self, text: str) -> None:
        """Write a report on lines of its own."""
        self.clear()
        self._write(f"{text}\n")

    def clear(self) -> None:
        """Wipe the bar."""
        if self._drawn:
            self._write(_CLEAR)
            self._drawn = False

    def _write(self, text: str) -> None:
        # A full disk or a reader who has left must not end the run: its result is told elsewhere.
        with contextlib.suppress(OSError):
            self._stream.write(text)
            self._stream.flush()
