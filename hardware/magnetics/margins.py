"""Margins: how surely a reed closes under its own piece and stays open without one, on one board.

    sorted reeds    closed with a magnet 14.2 mm from the glass, open again at 19.5 mm: two fields without any gauge
    own piece       8 mm off its cell's centre, single pieces of its colour on all other cells    field / closes
    empty cell      the worst that one colour of Diablo can do around it, in any stacks           opens / field
    pushed          the same with the eight nearest stacks 8 mm closer: told, not asked for

A lone magnet is negative beside it and a tall stack positive, so the worst arrangement is not the highest but many low
stacks. It is found exactly, by the best way to share all pieces of a colour among all distances. Diablo has half as
many of each colour as cells, on the largest square with an even side that the board has cells for: 32 on 64 cells, 18
on 61.

A margin is compared as it is, not as it is printed. The model of the reed is less exact than a hundredth of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from math import dist, fsum, isqrt

from hardware.generator.parts import Parts
from hardware.generator.plan import Plan, Point
from hardware.magnetics.field import Disc, axial
from reedlight.core.grid import Cell

PIECE = 6.0
"""Height of a piece in mm."""
# A neighbour is no further than this, in pitches; with a square's corners.
_NEAR = 1.5


@dataclass(frozen=True, slots=True)
class Margin:
    """How much stronger one field is than another."""

    name: str
    field: float
    """mT at the reed."""
    limit: float
    """mT that it is compared with."""
    value: float
    """How many times the field has what it needs; below 1 the reed reads wrong."""
    asked: bool
    """Whether a board must have this margin."""


def disc_of(parts: Parts) -> Disc:
    """The magnet in every piece."""
    magnet = parts.of("magnet")
    return Disc(magnet.number("diameter"), magnet.number("thickness"), magnet.number("remanence"))


def sorted_at(parts: Parts) -> tuple[float, float]:
    """The fields, in mT, at which a reed that is kept is surely closed, and surely open again."""
    disc, half = disc_of(parts), parts.rule("magnetics", "half_glass")
    closes, opens = parts.rules("magnetics", "closes")[0], parts.rules("magnetics", "opens")[0]
    return axial(disc, 0.0, closes + half), axial(disc, 0.0, opens + half)


def one_colour(plan: Plan) -> int:
    """The most pieces of one colour that may stand in stacks on a board."""
    side = isqrt(len(plan.cells)) // 2 * 2
    return side * side // 2


def margins(plan: Plan, parts: Parts) -> tuple[Margin, ...]:
    """The margins of the cell in the middle, which has the most around it."""
    disc, gap, off = disc_of(parts), parts.rule("magnetics", "gap"), parts.rule("magnetics", "off")
    closes, opens = sorted_at(parts)
    pieces = one_colour(plan)
    away = _distances(plan.cells)
    singles = fsum(axial(disc, distance, gap) for distance in away)
    own = axial(disc, off, gap) + singles
    empty = worst(disc, gap, away, pieces)
    near = _NEAR * plan.pitch
    pushed = worst(disc, gap, [distance - off if distance < near else distance for distance in away], pieces)
    return (
        Margin(
            f"own piece {off:g} mm off, single pieces of its colour all around",
            own,
            closes,
            own / closes,
            asked=True,
        ),
        Margin(
            "empty cell, single pieces of one colour on all others",
            abs(singles),
            opens,
            opens / abs(singles),
            asked=True,
        ),
        Margin(
            f"empty cell, the worst stacks of {pieces} of one colour",
            empty,
            opens,
            opens / empty,
            asked=True,
        ),
        Margin(
            f"the same, the nearest stacks {off:g} mm closer",
            pushed,
            opens,
            opens / pushed,
            asked=False,
        ),
    )


def _distances(cells: Mapping[Cell, Point]) -> list[float]:
    """How far the others lie from the cell that has the most around it, nearest first."""
    middle = min(
        cells.values(), key=lambda place: (round(fsum(dist(place, other) for other in cells.values()), 3), place)
    )
    return sorted(dist(middle, place) for place in cells.values() if place != middle)


def worst(disc: Disc, gap: float, away: Iterable[float], pieces: int) -> float:
    """The strongest field of either sign, in mT, that so many pieces can make together at the reed of an empty cell."""
    distances = list(away)
    return max(_most(disc, gap, distances, pieces, sign) for sign in (-1, 1))


def _most(disc: Disc, gap: float, away: Iterable[float], pieces: int, sign: int) -> float:
    best = [0.0] * (pieces + 1)
    for distance in away:
        layers = (sign * axial(disc, distance, gap + PIECE * layer) for layer in range(pieces))
        heights = tuple(accumulate(layers))
        # From the top down, so that a cell is used once.
        for total in range(pieces, 0, -1):
            best[total] = max(best[total], *(best[total - high] + heights[high - 1] for high in range(1, total + 1)))
    return best[pieces]
