"""What a quiet position is worth at a glance, in hundredths of a man, to the side that moves.

    men       what each stands for by its square, early and late in the game; remembered by the set of men
    kings     three men each, more where only one side has any or a king holds the main road
    freedom   the steps men can make
    drawn     few pieces against a king: a lead that can hardly be won counts little

Nothing here looks ahead; a position with a capture to make has no worth at a glance.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from reedlight.games.draughts.compact import BOARD, CELL, MAIN_ROAD, TOP, Squares, bits, quiet

Points: TypeAlias = int
"""Hundredths of a man; a compiled build makes it a machine integer."""

MAN: Final = 100
KING: Final = 300
FIRST_KING: Final = 60
"""For kings where the other side has none."""
HOLDS_ROAD: Final = 30
"""For a king on the main road, where the other side has none there."""
STEP: Final = 2
"""For each step a man can make."""
TURN: Final = 3
"""For having the move."""
HARDLY_WON: Final = 4
"""A lead is divided by this where three pieces at most are to beat a king."""
NO_MOVE: Final = -1_000_000
"""The side to move has no move, and has lost."""

EARLY = """
      0   0   0   0
    20  22  22  20
     10  12  12   8
     6   8   8   4
      3   8   8   0
     2   4   6   2
      0   2   2   2
     4   8   8   2
"""
LATE = """
      0   0   0   0
    48  50  50  48
     34  36  36  34
    24  26  26  24
     16  18  18  16
    10  12  12  10
      4   5   5   4
     4   4   4   0
"""
"""What a white man is worth besides by its square, as White sees the board; a black one looks from the other side."""


def _by_square(drawing: str) -> dict[Squares, int]:
    rows = [[int(number) for number in line.split()] for line in drawing.strip().splitlines()]
    return dict(zip(CELL, [number for row in reversed(rows) for number in row], strict=True))


_EARLY = _by_square(EARLY)
_LATE = _by_square(LATE)
_TURNED = dict(zip(CELL, reversed(CELL), strict=True))
STAGES: Final = 25
"""One for each number of pieces on the board."""
KNOWN: Final[tuple[dict[Squares, Points], ...]] = tuple({} for _ in range(2 * STAGES))
"""By stage and side: the worth of sets of men met before."""
REMEMBERED: Final = 4_000
"""Sets of men in each of these before it is emptied; 0.4 MB at most, in some twenty of them."""


def _men(men: Squares, stage: int, light: int) -> Points:
    """The worth of a side's men, remembered."""
    known = KNOWN[stage * 2 + light]
    if len(known) >= REMEMBERED:
        known.clear()
    early = late = 0
    for bit in bits(men):
        square = bit if light else _TURNED[bit]
        early += _EARLY[square]
        late += _LATE[square]
    opening = max(0, stage - 4)
    worth = MAN * int.bit_count(men) + (early * opening + late * (20 - opening)) // 20
    known[men] = worth
    return worth


def glance(own: Squares, foe: Squares, kings: Squares, far: Squares) -> Points:
    """The worth of a position without a capture, or NO_MOVE."""
    occupied = own | foe
    free = BOARD & ~occupied
    own_men = own & ~kings
    foe_men = foe & ~kings
    stage = int.bit_count(occupied)
    if far == TOP:
        own_steps = int.bit_count(own_men << 4 & free) + int.bit_count(own_men << 5 & free)
        foe_steps = int.bit_count(foe_men >> 4 & free) + int.bit_count(foe_men >> 5 & free)
        own_known, foe_known = KNOWN[stage * 2 + 1], KNOWN[stage * 2]
    else:
        own_steps = int.bit_count(own_men >> 4 & free) + int.bit_count(own_men >> 5 & free)
        foe_steps = int.bit_count(foe_men << 4 & free) + int.bit_count(foe_men << 5 & free)
        own_known, foe_known = KNOWN[stage * 2], KNOWN[stage * 2 + 1]
    if not own_steps and not quiet(own, foe, kings, far):
        return NO_MOVE
    own_worth = own_known.get(own_men)
    if own_worth is None:
        own_worth = _men(own_men, stage, 1 if far == TOP else 0)
    foe_worth = foe_known.get(foe_men)
    if foe_worth is None:
        foe_worth = _men(foe_men, stage, 0 if far == TOP else 1)
    worth = own_worth - foe_worth + STEP * (own_steps - foe_steps) + TURN
    return worth + _of_kings(own, foe, kings, worth) if kings else worth


def _of_kings(own: Squares, foe: Squares, kings: Squares, rest: Points) -> Points:
    """What kings add to the worth of the rest."""
    own_kings, foe_kings = own & kings, foe & kings
    worth = KING * (int.bit_count(own_kings) - int.bit_count(foe_kings))
    if not foe_kings:
        return worth + FIRST_KING
    if not own_kings:
        return worth - FIRST_KING
    if own_kings & MAIN_ROAD:
        if not foe_kings & MAIN_ROAD:
            worth += HOLDS_ROAD
    elif foe_kings & MAIN_ROAD:
        worth -= HOLDS_ROAD
    whole = rest + worth
    stronger = own if whole > 0 else foe
    return (whole if int.bit_count(stronger) > 3 else whole // HARDLY_WON) - rest
