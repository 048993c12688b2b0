"""Dice as lamps: pips on an eight by eight module or on the board itself, segments of a digit, and the roll.

A face is three by three places, as on a bone die; everything is drawn from it. Hexagons have seven places,
one and the six around it:

    a five     on a module     a five and a two on a board     a five and a two on hexagons

    x.x          xx....xx          . . . . . . . .                  . . . . . . .
    .x.          xx....xx          x . x . . . . x                 . x x . . . x .
    x.x          ........          . x . . . . . .                . . x . . . . . .
                 ...xx...          x . x . . x . .                 . x x . . x . .
                 ...xx...          . . . . . . . .                  . . . . . . .
                 ........
                 xx....xx      Half a turn changes no face: players on both sides read
                 xx....xx      it, and a module may be mounted either way up.

Faces go from 1 to 9, on hexagons to 7; a die that shows more, or is spent, is dark. A game whose dice went
further would need more cells than one board has lamps for.

A *roll* is shown as a few other faces before the true ones. Each stands for TUMBLE seconds: a lamp that is
lit, dark and lit again then begins its flashes 0.4 s apart, and no second holds more than three.

Nothing here knows a chip, a string or a clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from itertools import combinations
from math import dist, floor
from types import MappingProxyType

from reedlight.core.game import Die
from reedlight.core.grid import ROW_HEIGHT, Cells, Grid, Shape

Place = tuple[float, float]

_FACES: Mapping[int, str] = {
    1: "... .x. ...",
    2: "..x ... x..",
    3: "..x .x. x..",
    4: "x.x ... x.x",
    5: "x.x .x. x.x",
    6: "x.x x.x x.x",
    7: "x.x xxx x.x",
    8: "xxx x.x xxx",
    9: "xxx xxx xxx",
}
_PIPS: Mapping[int, tuple[tuple[int, int], ...]] = {
    number: tuple((x, y) for y, row in enumerate(face.split()) for x, pip in enumerate(row) if pip == "x")
    for number, face in _FACES.items()
}
"""For every face its pips, (0, 0) to (2, 2)."""

_SPANS = ((0, 1), (3, 4), (6, 7))
"""The lamps of a module, across or down, that make the first, second and third pip of a face."""

MODULE: Mapping[int, frozenset[tuple[int, int]]] = MappingProxyType(
    {
        number: frozenset((x, y) for across, down in pips for x in _SPANS[across] for y in _SPANS[down])
        for number, pips in _PIPS.items()
    }
)
"""For every face the lit lamps of an eight by eight module, (x, y) from 0 to 7."""

SEGMENTS: Mapping[int, str] = MappingProxyType(
    {1: "BC", 2: "ABDEG", 3: "ABCDG", 4: "BCFG", 5: "ACDFG", 6: "ACDEFG", 7: "ABC", 8: "ABCDEFG", 9: "ABCDFG"}
)
"""For every number the lit segments of a digit: A on top, clockwise to F, G across the middle."""

# ------------------------------------------------------------------------------------------ the board

_EAST, _NORTH_EAST, _NORTH_WEST = (1.0, 0.0), (0.5, ROW_HEIGHT), (-0.5, ROW_HEIGHT)
_WEST, _SOUTH_WEST, _SOUTH_EAST = (-1.0, 0.0), (-0.5, -ROW_HEIGHT), (0.5, -ROW_HEIGHT)
_MIDDLE = (0.0, 0.0)
_CORNERS = (_NORTH_EAST, _NORTH_WEST, _SOUTH_WEST, _SOUTH_EAST)

_STAMPS: Mapping[Shape, Mapping[int, tuple[Place, ...]]] = {
    Shape.SQUARE: {number: tuple((x - 1.0, 1.0 - y) for x, y in pips) for number, pips in _PIPS.items()},
    Shape.HEXAGON: {
        1: (_MIDDLE,),
        2: (_NORTH_EAST, _SOUTH_WEST),
        3: (_NORTH_EAST, _MIDDLE, _SOUTH_WEST),
        4: _CORNERS,
        5: (*_CORNERS, _MIDDLE),
        6: (*_CORNERS, _EAST, _WEST),
        7: (*_CORNERS, _EAST, _WEST, _MIDDLE),
    },
}
"""For every shape of cell and every face the pips, in pitches from the die's middle."""

_APART = {Shape.SQUARE: 5.0, Shape.HEXAGON: 4.0}
"""The distance of two dice that reads best, in pitches: two dark columns between them, on hexagons one."""
_NEAREST = 4.0
"""Dice nearer than this share cells or touch along a side; at it a dark line or a corner lies between them."""


def on_board(grid: Grid, dice: Sequence[Die]) -> Cells:
    """The cells that show the first two dice as pips; none on a board without room for two."""
    return frozenset(cell for die, room in zip(dice, _rooms(grid), strict=False) for cell in _shown(die, room))


def _shown(die: Die, room: Mapping[int, Cells]) -> Cells:
    return frozenset() if die.spent else room.get(die.pips, frozenset())


@lru_cache
def _rooms(grid: Grid) -> tuple[Mapping[int, Cells], ...]:
    """For each of two dice, left and right, the cells of every face; empty if the board has no room."""
    cells = {_rounded(place): cell for cell, place in grid.places.items()}
    stamps = _STAMPS[grid.shape]
    reach = {offset for stamp in stamps.values() for offset in stamp}
    middles = sorted(place for place in grid.places.values() if all(_at(place, offset) in cells for offset in reach))
    pairs = [pair for pair in combinations(middles, 2) if dist(*pair) >= _NEAREST]
    best = min(pairs, key=partial(_misfit, _middle(grid), _APART[grid.shape]), default=())
    return tuple(
        {number: frozenset(cells[_at(middle, offset)] for offset in stamp) for number, stamp in stamps.items()}
        for middle in best
    )


def _middle(grid: Grid) -> Place:
    xs, ys = zip(*grid.places.values(), strict=True)
    return (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2


def _misfit(middle: Place, apart: float, pair: tuple[Place, Place]) -> tuple[float, float, float]:
    """Dice stand best in one row, then around the board's middle and as far apart as reads well."""
    (left, low), (right, high) = pair
    off = dist(((left + right) / 2, (low + high) / 2), middle)
    return round(abs(high - low), 3), round(abs(right - left - apart) + off, 3), low


def _at(middle: Place, offset: Place) -> tuple[int, int]:
    return _rounded((middle[0] + offset[0], middle[1] + offset[1]))


def _rounded(place: Place) -> tuple[int, int]:
    """A place in hundredths of a pitch: sums of row heights differ in their last digits."""
    return round(place[0] * 100), round(place[1] * 100)


# ------------------------------------------------------------------------------------------- the roll

TUMBLE = 0.2
"""How long each face stands while the dice roll, in seconds."""
TUMBLES = 4
"""How many other faces come before the true ones."""
ROLL = TUMBLES * TUMBLE
"""After so many seconds the true faces stand; whoever skips the roll asks for this moment."""

# A moment computed as a whole number of tumbles must not fall into the tumble before it.
_ROUNDING = 1e-6


def rolling(dice: Sequence[Die], since: float, faces: int) -> tuple[Die, ...]:
    """The dice as they show so many seconds after the roll; ``faces`` is how many each of them has."""
    left = TUMBLES - _tumbles(since)
    if left <= 0:
        return tuple(dice)
    return tuple(Die(_tumbled(die.pips, left, place, faces), spent=False, note="") for place, die in enumerate(dice))


def next_tumble(since: float) -> float | None:
    """How many seconds after the roll the dice show their next faces; None once they lie still."""
    tumbles = _tumbles(since)
    return (tumbles + 1) * TUMBLE if tumbles < TUMBLES else None


def _tumbles(since: float) -> int:
    return floor((since + _ROUNDING) / TUMBLE)


def _tumbled(pips: int, left: int, place: int, faces: int) -> int:
    """The face that comes ``left`` tumbles before the true one: never that of its neighbours in time.

    Any rule would do that looks unforeseen and is not the same for both dice.
    """
    face = pips
    for step in range(left):
        others = [other for other in range(1, faces + 1) if other != face] or [face]
        face = others[(3 * face + 2 * place + step) % len(others)]
    return face
