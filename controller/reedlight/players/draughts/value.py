"""What a quiet position is worth at a glance, in hundredths of a man, to the side that moves.

    men       what each stands for by its square, and how they stand together; remembered by the set of men
    freedom   the steps men can make
    kings     more where only one side has any, or holds the main road
    drawn     few pieces against a king: a lead that can hardly be won counts little

The weights of men and steps change with the pieces on the board, from a full board (early) to four (late).
They were fitted to games the player played against itself, so they are right together, not one by one.

Nothing here looks ahead; a position with a capture to make has no worth at a glance.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from reedlight.core.grid import Cell
from reedlight.games.draughts.compact import BIT, BOARD, BOTTOM, CELL, MAIN_ROAD, TOP, Squares, quiet

Points: TypeAlias = int
"""Hundredths of a man; a compiled build makes it a machine integer."""

MAN: Final = 100
KING: Final = 147
FIRST_KING: Final = 186
"""For kings where the other side has none."""
HOLDS_ROAD: Final = 33
"""For a king on the main road, where the other side has none there."""
TURN: Final = 2
"""For having the move."""
HARDLY_WON: Final = 4
"""A lead is divided by this where three pieces at most are to beat a king."""
NO_MOVE: Final = -1_000_000
"""The side to move has no move, and has lost."""

EARLY = """
       0       0       0       0
  46      52      30      32
       8      -3      -5      50
  46     -29     -36       6
     -16       1       0      30
  36      -9      13       0
       9      11       8      18
  19      12      32      -2
"""
LATE = """
       0       0       0       0
  70      42      59      90
      54      45      33       7
   9      23     -12     -18
       5       8      23      20
   8      -3       4      -3
      -9       1     -10      26
  20      19      14      40
"""
"""What a white man is worth besides by its square, as White sees the board; a black one looks from the other side."""
PAIR: Final = (36, 6)
"""Early and late: for each man with another diagonally in front of it."""
GUARD: Final = (1, -18)
"""For men on both c1 and e1, as White sees the board."""
UNEVEN: Final = (18, -28)
"""For each man that one half of the board has more than the other."""
OPEN_ROW: Final = (-12, -13)
"""For a back row without a man."""
STEP: Final = (47, 5)
"""For each step a man can make."""

STAGES: Final = 25
"""One for each number of pieces on the board."""
SPAN: Final = 20
"""The pieces from late to early."""


def _by_square(drawing: str) -> dict[Squares, int]:
    rows = [[int(number) for number in line.split()] for line in drawing.strip().splitlines()]
    return dict(zip(CELL, [number for row in reversed(rows) for number in row], strict=True))


def _at(stage: int, early: int, late: int) -> int:
    """``SPAN`` times a weight at a stage."""
    left = min(max(stage - 4, 0), SPAN)
    return early * left + late * (SPAN - left)


ROWS: Final = 511
"""Nine bits, two rows: what a table of squares is asked with."""
_EARLY = _by_square(EARLY)
_LATE = _by_square(LATE)
_TURNED = dict(zip(CELL, reversed(CELL), strict=True))
_GUARDS: Final[list[Squares]] = [BIT[Cell("d8")] | BIT[Cell("f8")], BIT[Cell("c1")] | BIT[Cell("e1")]]
"""By side: dark, light."""
_HOME: Final[list[Squares]] = [TOP, BOTTOM]
_LEFT: Final[Squares] = sum(bit for cell, bit in BIT.items() if cell[0] in "abcd")
_PAIR: Final[list[Points]] = [_at(stage, *PAIR) for stage in range(STAGES)]
_GUARD: Final[list[Points]] = [_at(stage, *GUARD) for stage in range(STAGES)]
_UNEVEN: Final[list[Points]] = [_at(stage, *UNEVEN) for stage in range(STAGES)]
_OPEN_ROW: Final[list[Points]] = [_at(stage, *OPEN_ROW) for stage in range(STAGES)]
STEP_AT: Final[list[Points]] = [_at(stage, *STEP) // SPAN for stage in range(STAGES)]
"""By stage: what a step is worth."""
SQUARES: Final[list[list[Points]]] = [[] for _ in range(2 * STAGES)]
"""By stage and side, made when first asked for: ``SPAN`` times the worth of the men on each two rows, by their bits."""
KNOWN: Final[list[dict[Squares, Points]]] = [{} for _ in range(2 * STAGES)]
"""By stage and side: the worth of sets of men met before."""
REMEMBERED: Final = 8_000
"""Sets of men in each of these before it is emptied; 0.8 MB at most, in some twenty of them."""


def _squares(stage: int, light: int) -> list[Points]:
    """The tables of the four pairs of rows, one after the other: with each bit come the sets so far with that man."""
    found: list[Points] = []
    for rows in range(4):
        sets: list[Points] = [0]
        for nth in range(9):
            bit: Squares = 1 << (9 * rows + nth)
            square = bit if light else _TURNED.get(bit, 0)
            man = _at(stage, MAN + _EARLY.get(square, 0), MAN + _LATE.get(square, 0))
            sets += [worth + man for worth in sets]
        found += sets
    return found


def men_worth(men: Squares, stage: int, light: int) -> Points:
    """The worth of a side's men, remembered."""
    nth = stage * 2 + light
    known = KNOWN[nth]
    if len(known) >= REMEMBERED:
        known.clear()
    squares = SQUARES[nth]
    if not squares:
        squares = SQUARES[nth] = _squares(stage, light)
    worth = (
        squares[men & ROWS]
        + squares[512 + (men >> 9 & ROWS)]
        + squares[1024 + (men >> 18 & ROWS)]
        + squares[1536 + (men >> 27)]
        + _PAIR[stage] * (int.bit_count(men & men << 4) + int.bit_count(men & men << 5))
        + _UNEVEN[stage] * abs(int.bit_count(men & _LEFT) - int.bit_count(men & ~_LEFT))
    )
    if men & _GUARDS[light] == _GUARDS[light]:
        worth += _GUARD[stage]
    if not men & _HOME[light]:
        worth += _OPEN_ROW[stage]
    worth //= SPAN
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
        own_worth = men_worth(own_men, stage, 1 if far == TOP else 0)
    foe_worth = foe_known.get(foe_men)
    if foe_worth is None:
        foe_worth = men_worth(foe_men, stage, 0 if far == TOP else 1)
    worth = own_worth - foe_worth + STEP_AT[stage] * (own_steps - foe_steps) + TURN
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
