"""Exact endings of kings alone: one, two or three against one.

The table holds one more than the plies to the end of the game with best play, one byte a position, and 0
for a draw. The side to move wins in an odd number of plies and loses in an even one: the number says which.

    place = (class of the single king's square, whose move it is, set of the other kings)

The board looks the same when it is mirrored in either long diagonal, so the single king is moved to one
of ten squares, and the others with it; with 5,488 sets of one to three kings and either side to move
that makes 109,760 bytes, shipped compressed. ``make_endings`` works the table out from the rules.

The table knows no history: neither repetition nor a move count. No win in it takes more than 13 moves.
"""

from __future__ import annotations

import zlib
from functools import cache
from importlib import resources

from reedlight.games.draughts.compact import BIT, CELL, Squares, bits

FILE = "endings.zlib"
DRAWN = -1
"""Instead of a number of plies."""
MOST = 3
"""Kings of the stronger side at most."""


def _mirrored(bit: Squares, across: str) -> Squares:
    """A square mirrored in the diagonal a1-h8, or in the one from h1."""
    x, y = "abcdefgh".index(CELL[bit][0]), int(CELL[bit][1]) - 1
    x, y = (y, x) if across == "a1-h8" else (7 - y, 7 - x)
    return next(other for cell, other in BIT.items() if cell == f"{'abcdefgh'[x]}{y + 1}")


def _looks() -> tuple[dict[Squares, Squares], ...]:
    """The four ways to look at the board: where each square goes."""
    same = {bit: bit for bit in CELL}
    rising = {bit: _mirrored(bit, "a1-h8") for bit in CELL}
    falling = {bit: _mirrored(bit, "h1-a8") for bit in CELL}
    return same, rising, falling, {bit: rising[falling[bit]] for bit in CELL}


LOOKS = _looks()
"""The four ways to look at the board that change nothing."""
_TO_CLASS = {bit: min((look[bit], way) for way, look in enumerate(LOOKS)) for bit in CELL}
_LOOK_OF = {bit: LOOKS[way] for bit, (_, way) in _TO_CLASS.items()}
CLASSES = sorted({least for least, _ in _TO_CLASS.values()})
"""The squares to which a single king is moved."""
_CLASS = {bit: CLASSES.index(least) for bit, (least, _) in _TO_CLASS.items()}


@cache
def sets() -> dict[Squares, int]:
    """Every set of one to three squares, numbered."""
    one = list(CELL)
    two = [a | b for a in one for b in one if a < b]
    three = [a | pair for pair in two for a in one if a < pair & -pair]
    return {squares: number for number, squares in enumerate((*one, *two, *three))}


def place(many: Squares, one: Squares, single_moves: int) -> int:
    """Where the table has a position: one to three kings against a single one; whether that one moves, 0 or 1."""
    look = _LOOK_OF[one]
    seen = sum([look[bit] for bit in bits(many)])
    numbers = sets()
    return (_CLASS[one] * 2 + single_moves) * len(numbers) + numbers[seen]


@cache
def table() -> bytes:
    """One more than the plies to the end, or 0, by place."""
    return zlib.decompress(resources.files("reedlight.players.draughts").joinpath(FILE).read_bytes())


def covers(own: Squares, foe: Squares, kings: Squares) -> bool:
    """Whether the table has the position."""
    if own | foe != kings:
        return False
    own_count, foe_count = int.bit_count(own), int.bit_count(foe)
    few, many = min(own_count, foe_count), max(own_count, foe_count)
    return few == 1 and many <= MOST


def plies_to_end(own: Squares, foe: Squares) -> int:
    """For a position the table covers: DRAWN, or odd where the side with ``own`` wins, even where it loses."""
    if foe & (foe - 1):
        return table()[place(foe, own, 1)] - 1
    return table()[place(own, foe, 0)] - 1
