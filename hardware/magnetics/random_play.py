"""Random play: the fields at every reed of a square board in games of Diablo between players who choose by chance.

Every piece is put down with an error, and lies with its magnet's north down if it is light, south down if it is dark.
What comes out is the strongest field at an empty cell and the weakest under a piece; the same seed gives the same
numbers.

    python -m hardware.magnetics [positions]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import dist
from random import Random

from hardware.generator.parts import Parts
from hardware.generator.plan import Plan, Point
from hardware.magnetics.field import Disc, axial
from hardware.magnetics.margins import PIECE, disc_of, sorted_at
from reedlight.core.game import Side
from reedlight.games.diablo.rules import Diablo, start

SPREAD = 2.5
"""Standard deviation of where a hand puts a piece, in mm along each axis."""
# No stack is higher: one colour of Diablo on 64 cells.
_HIGHEST = 32
# Fields are looked up in steps of this many mm, up to this far.
_STEP = 0.5
_REACH = 330.0


@dataclass(frozen=True, slots=True)
class Fields:
    """What was seen in so many positions, in mT."""

    positions: int
    empty_most: float
    occupied_least: float
    """Of all occupied cells but the weakest thousandth."""
    margin: float
    """The field at which a sorted reed is open again, over the strongest at an empty cell."""


def random_play(plan: Plan, parts: Parts, positions: int, seed: int = 1) -> Fields:
    """The fields in so many positions."""
    chance = Random(seed)  # noqa: S311
    table = _Table(disc_of(parts), parts.rule("magnetics", "gap"))
    most_off = parts.rule("magnetics", "off")
    empty, occupied = 0.0, list[float]()
    for _, state in zip(range(positions), _states(chance), strict=False):
        stacks = [
            (_put(plan.cells[cell], most_off, chance), piece.height, 1 if piece.side is Side.LIGHT else -1)
            for cell, piece in state.pieces().items()
        ]
        standing = state.pieces().keys()
        for cell, place in plan.cells.items():
            field = abs(sum(sign * table.field(high, dist(place, at)) for at, high, sign in stacks))
            if cell in standing:
                occupied.append(field)
            else:
                empty = max(empty, field)
    occupied.sort()
    return Fields(
        positions, empty, occupied[len(occupied) // 1000], sorted_at(parts)[1] / empty if empty else float("inf")
    )


class _Table:
    """The field of a stack by height and distance, between steps along a straight line."""

    def __init__(self, disc: Disc, gap: float) -> None:
        steps = round(_REACH / _STEP) + 2
        self._by_height: list[list[float]] = [[0.0] * steps]
        for high in range(_HIGHEST):
            layer = [axial(disc, _STEP * step, gap + PIECE * high) for step in range(steps)]
            self._by_height.append([below + more for below, more in zip(self._by_height[-1], layer, strict=True)])

    def field(self, high: int, distance: float) -> float:
        """The field, in mT, of a stack so high, so far away."""
        if distance >= _REACH:
            return 0.0
        step, part = divmod(distance / _STEP, 1)
        row = self._by_height[high]
        return row[int(step)] * (1 - part) + row[int(step) + 1] * part


def _put(place: Point, most_off: float, chance: Random) -> Point:
    """Where a hand puts a piece that belongs there."""
    right, up = chance.gauss(0, SPREAD), chance.gauss(0, SPREAD)
    off = dist((0, 0), (right, up))
    scale = min(1.0, most_off / off) if off else 1.0
    return place[0] + right * scale, place[1] + up * scale


def _states(chance: Random) -> Iterator[Diablo]:
    """Positions of game after game."""
    while True:
        state = start(8)
        while state.outcome is None:
            if state.to_act is Side.CHANCE:
                state = state.apply(chance.choice(list(state.chance())))
                continue
            yield state
            state = state.apply(chance.choice(state.legal_actions()))
