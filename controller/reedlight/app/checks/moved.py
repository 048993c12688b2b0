"""Wires that lead elsewhere than the profile says: from a few cells to the name of what is exchanged.

A few cells are enough, if each row and each column of the matrix is among them and they lie askew, so that a
mirror or an exchange of rows and columns shows:

    . . . x        asked          x . . .
    . . x .   ◄──  in the    ──►  . x . .   seen: mirrored left to right
    . x . .        profile        . . x .
    x . . .                       . . . x

    by place   every cell is where a mirror or a turn of the board would put it
    by lines   every row and every column was seen as one other, and none as two

Pure; what switches and lamps are is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import dist
from types import MappingProxyType

from reedlight.app.checks.finding import Finding
from reedlight.board.geometry import Place, centre
from reedlight.core.grid import Cell, Grid, Shape

ENOUGH = 3
"""Cells from which on a mirror or a turn is believed: two may be exchanged by chance."""
# A mirrored cell lies on another one when it is no further from it than this, in pitches.
_SAME_PLACE = 0.2

Move = Callable[[float, float], Place]
_MIRRORS: Mapping[str, Move] = MappingProxyType(
    {
        "mirrored left to right": lambda x, y: (-x, y),
        "mirrored near to far": lambda x, y: (x, -y),
        "turned by half a turn": lambda x, y: (-x, -y),
    }
)
_ON_SQUARES: Mapping[str, Move] = MappingProxyType(
    {
        **_MIRRORS,
        "in columns where the profile has rows": lambda x, y: (y, x),
        "in columns where the profile has rows, from the opposite corner": lambda x, y: (-y, -x),
        "turned by a quarter to the left": lambda x, y: (-y, x),
        "turned by a quarter to the right": lambda x, y: (y, -x),
    }
)


def probes(switches: Mapping[Cell, int], columns: int) -> tuple[Cell, ...]:
    """A few of these cells: one at least in every row and every column of switches, and askew."""
    at = {divmod(switch, columns): cell for cell, switch in switches.items()}
    rows = {row for row, _ in at}
    last_row, chosen = max(rows, default=0) + 1, dict[tuple[int, int], Cell]()
    for step in range(max(last_row, columns)):
        place = step % last_row, (step + 1) % columns
        if place in at:
            chosen[place] = at[place]
    for place, cell in at.items():
        row, column = place
        if row not in {chosen_row for chosen_row, _ in chosen} or column not in {other for _, other in chosen}:
            chosen[place] = cell
    return tuple(chosen.values())


def by_place(grid: Grid, seen: Mapping[Cell, Cell | None], what: str, table: str) -> Finding | None:
    """Whether every cell was seen where a mirror or a turn puts it; None if not."""
    if len(seen) < ENOUGH:
        return None
    for name, moved in (_ON_SQUARES if grid.shape is Shape.SQUARE else _MIRRORS).items():
        if all(_moved(grid, cell, moved) == there for cell, there in seen.items()):
            cell, there = next((cell, there) for cell, there in seen.items() if there != cell)
            return Finding(
                f"The {what} are {name}: {cell} is at {there}.",
                "Their wires begin at another corner, or run another way, than the profile says.",
                f"Change first or order under {table} in the profile, or have it learnt: reedlight wire.",
            )
    return None


def _moved(grid: Grid, cell: Cell, move: Move) -> Cell | None:
    middle_x, middle_y = centre(grid.places.values())
    x, y = grid.places[cell]
    across, up = move(x - middle_x, y - middle_y)
    there = (middle_x + across, middle_y + up)
    return next((other for other, place in grid.places.items() if dist(place, there) < _SAME_PLACE), None)


def by_lines(
    asked: Mapping[Cell, int], seen: Mapping[Cell, int], columns: int
) -> tuple[Mapping[int, int], Mapping[int, int]] | None:
    """For every row, and for every column, the one it was seen as; None if one was seen as two, or two as one."""
    pairs = [(divmod(asked[cell], columns), divmod(switch, columns)) for cell, switch in seen.items()]
    rows = _one_to_one([(one[0], other[0]) for one, other in pairs])
    of_columns = _one_to_one([(one[1], other[1]) for one, other in pairs])
    return None if rows is None or of_columns is None else (rows, of_columns)


def _one_to_one(pairs: list[tuple[int, int]]) -> Mapping[int, int] | None:
    seen_as = dict(pairs)
    if any(seen_as[line] != there for line, there in pairs) or set(seen_as) != set(seen_as.values()):
        return None
    return seen_as
