"""Fit: which cell of the board each cell of a game lies on, for any game on any board with enough cells.

The first of these that is possible is taken:

    overlay     the profile says so, by the name of the game's grid
    names       every cell of the game has a namesake, and namesakes touch as the game's cells do
    piece       the game's lattice is laid on the board's, in the middle, turned if it must be
    sheared     hexagons on squares: q is the column and r the row, so that each cell finds its six neighbours
                E, W, N, S, SE and NW of it
    slanted     squares on hexagons, the other way round: files lean to the right as they go up
    rows        each row of the game in a row of the board, one above the other; what touches may differ
    reading     one cell after the other, the far row first; nothing but the lights says where

       sheared: hexhex-2 on squares

          0 1        0 1 .
         2 3 4  ──►  2 3 4
          5 6        . 5 6

Names come before the middle: a board has coordinates printed at its edge, and Diablo's c3 on 6x6 cells must be
the c3 that people read there. So the smaller game stands in the lower left corner, not in the middle.
No fit mirrors a game: left on the screen is left at the board.

Switches, lamps and pins are not known here but for the profile's layout, which the fit is joined to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from math import dist
from types import MappingProxyType

from reedlight.board.geometry import Lattice, Point, centre, lattice, reading, rows_of
from reedlight.board.kinds import counted
from reedlight.board.layout import Layout
from reedlight.board.profile import ConfigError, Profile
from reedlight.core.grid import Cell, Grid, Shape

# Distances from the middle that differ by less are equal, and the lower left one is taken; in pitches.
_ROUNDING = 6


class Kind(Enum):
    """How a game came to lie on a board, as the end of a sentence for people."""

    OVERLAY = "by the overlay that the board's profile gives"
    NAMES = "under the same names"
    PIECE = "as a piece of the board, neighbours beside neighbours"
    SHEARED = "as a sheared overlay: neighbours lie E, W, N, S, SE and NW of a cell"
    SLANTED = "as a slanted board: files lean to the right as they go up"
    ROWS = "row by row; cells that touch in the game may lie apart"
    READING = "one cell after the other as one reads, the far row first; follow the lights"


@dataclass(frozen=True, slots=True)
class Placement:
    """The board's cell for each of the game's, and how that was found."""

    kind: Kind
    cells: Mapping[Cell, Cell]


def fit(grid: Grid, profile: Profile) -> Layout:
    """Every cell of the game with its switch and lamp on this board. Raises ConfigError if there are too few."""
    cells = placement(grid, profile).cells
    switches, lamps = profile.layout.switches, profile.layout.lamps
    return Layout(
        MappingProxyType({cell: switches[cells[cell]] for cell in grid.cells}),
        MappingProxyType({cell: lamps[cells[cell]] for cell in grid.cells}),
    )


def why(grid: Grid, profile: Profile) -> str:
    """How the game lies on this board, as a sentence for people. Raises ConfigError if there are too few cells."""
    found = placement(grid, profile)
    first = grid.cells[0]
    return f"{grid.name} lies on {profile.name} {found.kind.value} ({first} is the board's {found.cells[first]})"


def placement(grid: Grid, profile: Profile) -> Placement:
    """The best placement of a game's cells on this board's. Raises ConfigError if there are too few cells."""
    overlay = profile.overlays.get(grid.name)
    if overlay is not None:
        return Placement(Kind.OVERLAY, _whole(overlay, grid, profile))
    board = profile.grid
    if len(grid.cells) > len(board.cells):
        raise ConfigError(
            f"{profile.name}: the board has {len(board.cells)} cells and {grid.name} needs {len(grid.cells)}"
        )
    return _namesakes(grid, board) or _embedded(grid, board) or _by_rows(grid, board) or _in_reading_order(grid, board)


def _whole(overlay: Mapping[Cell, Cell], grid: Grid, profile: Profile) -> Mapping[Cell, Cell]:
    odd = sorted(overlay.keys() ^ set(grid.cells))
    if odd:
        reason = "belongs to no cell of it" if odd[0] in overlay else "is missing"
        raise ConfigError(
            f"{profile.name}: overlays.{grid.name}: the game has {counted(len(grid.cells), 'cell')}, the overlay "
            f"{len(overlay)}; {odd[0]} {reason}"
        )
    return overlay


def _namesakes(grid: Grid, board: Grid) -> Placement | None:
    cells = {cell: cell for cell in grid.cells}
    if not board.places.keys() >= cells.keys():
        return None
    if any(set(grid.neighbours[cell]) != set(board.neighbours[cell]) & cells.keys() for cell in cells):
        return None
    return Placement(Kind.NAMES, MappingProxyType(cells))


# ------------------------------------------------------------------------------- lattice on lattice

# Turns of a lattice as two steps: where one step along the first axis leads, and one along the second.
_TURNS: Mapping[Shape, tuple[tuple[Point, Point], ...]] = MappingProxyType(
    {
        Shape.SQUARE: (((1, 0), (0, 1)), ((0, 1), (-1, 0)), ((-1, 0), (0, -1)), ((0, -1), (1, 0))),
        Shape.HEXAGON: (
            ((1, 0), (0, 1)),
            ((0, 1), (-1, 1)),
            ((-1, 1), (-1, 0)),
            ((-1, 0), (0, -1)),
            ((0, -1), (1, -1)),
            ((1, -1), (1, 0)),
        ),
    }
)
_KINDS = MappingProxyType(
    {
        (Shape.SQUARE, Shape.SQUARE): Kind.PIECE,
        (Shape.HEXAGON, Shape.HEXAGON): Kind.PIECE,
        (Shape.HEXAGON, Shape.SQUARE): Kind.SHEARED,
        (Shape.SQUARE, Shape.HEXAGON): Kind.SLANTED,
    }
)


def _embedded(grid: Grid, board: Grid) -> Placement | None:
    """The game's lattice on the board's, unturned if that is possible, and then as near the middle as can be."""
    game, under = lattice(grid), lattice(board)
    if game is None or under is None:
        return None
    for turn in _TURNS[game.shape]:
        points = {cell: _after(turn, point) for point, cell in game.cells.items()}
        found = min(_shifted(points, under), key=lambda cells: _off_centre(cells, board), default=None)
        if found is not None:
            return Placement(_KINDS[game.shape, under.shape], MappingProxyType(found))
    return None


def _after(turn: tuple[Point, Point], point: Point) -> Point:
    (along_x, along_y), (up_x, up_y) = turn
    return along_x * point[0] + up_x * point[1], along_y * point[0] + up_y * point[1]


def _shifted(points: Mapping[Cell, Point], under: Lattice) -> Iterator[dict[Cell, Cell]]:
    """Every way to push the points about so that each lies on a cell."""
    anchor_x, anchor_y = next(iter(points.values()))
    for x, y in under.cells:
        right, up = x - anchor_x, y - anchor_y
        if all((px + right, py + up) in under.cells for px, py in points.values()):
            yield {cell: under.cells[px + right, py + up] for cell, (px, py) in points.items()}


def _off_centre(cells: Mapping[Cell, Cell], board: Grid) -> tuple[float, float, float]:
    """How far the middle of these cells lies from the board's; of equal ones the lowest and leftmost is first."""
    x, y = centre(board.places[cell] for cell in cells.values())
    return round(dist((x, y), centre(board.places.values())), _ROUNDING), round(y, _ROUNDING), round(x, _ROUNDING)


# --------------------------------------------------------------------------------- without a lattice


def _by_rows(grid: Grid, board: Grid) -> Placement | None:
    """Each row of the game in the middle of a row of the board, the rows side by side."""
    rows, under = rows_of(grid), rows_of(board)
    starts = [
        start
        for start in range(len(under) - len(rows) + 1)
        if all(len(row) <= len(under[start + number]) for number, row in enumerate(rows))
    ]
    if not starts:
        return None
    start = min(starts, key=lambda start: abs(2 * start - (len(under) - len(rows))))
    cells = {
        cell: there
        for number, row in enumerate(rows)
        for cell, there in zip(row, _middle(row, under[start + number], grid, board), strict=True)
    }
    return Placement(Kind.ROWS, MappingProxyType(cells))


def _middle(row: tuple[Cell, ...], under: tuple[Cell, ...], grid: Grid, board: Grid) -> tuple[Cell, ...]:
    """As many cells of a board's row as the game's has, no further left or right than its row is in the game."""
    wanted = _across(row, grid) - _across(grid.cells, grid) + _across(board.cells, board)
    choices = [under[first : first + len(row)] for first in range(len(under) - len(row) + 1)]
    return min(choices, key=lambda choice: round(abs(_across(choice, board) - wanted), _ROUNDING))


def _across(cells: tuple[Cell, ...], grid: Grid) -> float:
    return centre(grid.places[cell] for cell in cells)[0]


def _in_reading_order(grid: Grid, board: Grid) -> Placement:
    """Always possible; the board's nearest rows stay empty."""
    return Placement(Kind.READING, MappingProxyType(dict(zip(reading(grid), reading(board), strict=False))))
