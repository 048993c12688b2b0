"""What a finished game must look like."""

from __future__ import annotations

import re

from e2e.guest import Seen


def on_the_tray(seen: Seen) -> int:
    """How many pieces lie on the tray; equal ones lie on one heap."""
    return sum(int(heap[1]) if (heap := re.search(r", (\d+) of them", label)) else 1 for label in seen.tray)


def assert_result_shines(seen: Seen) -> None:
    """The sentence names the winner, and the winner's pieces shine: all of them and no others."""
    assert seen.over, seen
    winner = seen.say.partition(" wins: ")[0].lower() if " wins: " in seen.say else None
    own = [cell for cell, piece in seen.pieces.items() if piece.split()[0] == winner]
    assert seen.lit("winner") == sorted(own), seen
