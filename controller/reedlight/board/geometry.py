"""Geometry: the cells of a physical board, its rows and columns, how it may be turned, what lattice it lies on.

    rows        from the near edge to the far one, each from left to right
    columns     from left to right, each from the near edge to the far one
    order       the cells one after the other, as a wire visits them

             rows            serpentine         columns, from the upper left
        6 7 8   ──►        6 7 8   ──►             0 3 6    │ │ │
        3 4 5   ──►        5 4 3   ◄──             1 4 7    │ │ │
        0 1 2   ──►        0 1 2   ──►             2 5 8    ▼ ▼ ▼

A *lattice* gives cells whole coordinates: column and row of squares, the axes q and r of hexagons. Two cells
touch where their coordinates differ by one of a few steps, so whoever wants to know whether a game's cells
lie on a board like on their own grid compares coordinates and needs no names.

Games, pins and files are not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import cos, dist, fsum, radians, sin
from types import MappingProxyType

from reedlight.core.grid import FILES, ROW_HEIGHT, Cell, Grid, Shape, field, square

TOUCHING = (0.9, 1.1)
"""Cells touch when their centres lie this far apart, in pitches: hands do not place marks more exactly."""
APART = 1.3
"""Cells that do not touch lie at least this far apart, in pitches: squares at a corner have 1.41."""

ORDERS = ("rows", "serpentine", "columns", "column serpentine")
"""How a wire may visit the cells: a serpentine goes back where the others begin anew."""
CORNERS = ("lower left", "lower right", "upper left", "upper right")
"""Where a wire may begin, as the player at the lower edge sees it."""
TURNS = (0, 60, 90, 120, 180, 240, 270, 300)
"""The angles by which some board can be turned onto itself, in degrees."""

Place = tuple[float, float]

# Cells of one row differ in height by less than this, cells of two rows by more; in pitches.
_SAME_LINE = 0.4
# A turned cell lies on another one when it is no further from it than this, in pitches.
_SAME_PLACE = 0.2
# A place may differ from its lattice point by as much along an axis, in pitches.
_OFF_LATTICE = 0.2


class Misplaced(ValueError):
    """Cells that cannot lie as they are said to; the message names them."""


# ------------------------------------------------------------------------------------------- boards


def rectangle(columns: int, rows: int) -> Grid:
    """Square cells named as on a chessboard, a1 at the lower left; at most 26 columns."""
    if columns == rows:
        return square(columns)
    numbered = field(rows, columns)
    names = {Cell(f"{x},{y}"): Cell(f"{FILES[x]}{y + 1}") for y in range(rows) for x in range(columns)}
    places = {names[cell]: place for cell, place in numbered.places.items()}
    neighbours = {names[cell]: tuple(names[to] for to in near) for cell, near in numbered.neighbours.items()}
    return Grid(numbered.name, Shape.SQUARE, MappingProxyType(places), MappingProxyType(neighbours))


def scattered(places: Mapping[Cell, Place]) -> Grid:
    """Cells at any places; those about one pitch apart touch. Raises Misplaced where that cannot be told."""
    near: dict[Cell, list[Cell]] = {cell: [] for cell in places}
    for one, other in combinations(places, 2):
        pitches = dist(places[one], places[other])
        if pitches < TOUCHING[0] or TOUCHING[1] < pitches < APART:
            raise Misplaced(
                f"cells {one} and {other} lie {pitches:.2f} pitches apart; cells that touch lie {TOUCHING[0]} to "
                f"{TOUCHING[1]} apart and others at least {APART}"
            )
        if pitches <= TOUCHING[1]:
            near[one].append(other)
            near[other].append(one)
    lonely = [cell for cell, others in near.items() if not others]
    if lonely and len(places) > 1:
        raise Misplaced(f"cell {lonely[0]} touches no other; neighbours lie one pitch apart")
    neighbours = {cell: tuple(sorted(others, key=lambda to: places[to][::-1])) for cell, others in near.items()}
    name = f"cells-{len(places)}"
    upright = Grid(name, Shape.SQUARE, MappingProxyType(dict(places)), MappingProxyType(neighbours))
    if lattice(upright) is not None:
        return upright
    slanted = Grid(name, Shape.HEXAGON, upright.places, upright.neighbours)
    return upright if lattice(slanted) is None else slanted


# ------------------------------------------------------------------------------- rows and columns


def rows_of(grid: Grid) -> tuple[tuple[Cell, ...], ...]:
    """The rows from the near edge to the far one, each from left to right."""
    return _lines(grid, lambda place: place[1], lambda place: place[0])


def reading(grid: Grid) -> tuple[Cell, ...]:
    """Every cell as one reads a page: the far row first, each row from left to right."""
    return ordered(grid, "rows", "upper left")


def ordered(grid: Grid, order: str, corner: str) -> tuple[Cell, ...]:
    """Every cell in one of the ORDERS from one of the CORNERS. Raises Misplaced where there are no columns."""
    along_rows = order in {"rows", "serpentine"}
    lines = rows_of(grid) if along_rows else _columns_of(grid)
    upper, right = corner.startswith("upper"), corner.endswith("right")
    lines_back, cells_back = (upper, right) if along_rows else (right, upper)
    if lines_back:
        lines = lines[::-1]
    serpentine = order.endswith("serpentine")
    turned_back = [cells_back != (serpentine and number % 2 == 1) for number in range(len(lines))]
    return tuple(cell for line, back in zip(lines, turned_back, strict=True) for cell in (line[::-1] if back else line))


def _columns_of(grid: Grid) -> tuple[tuple[Cell, ...], ...]:
    rows = rows_of(grid)
    if len({len(row) for row in rows}) == 1:
        return tuple(zip(*rows, strict=True))
    if grid.shape is Shape.HEXAGON:
        raise Misplaced("rows of different lengths lie half a cell apart, so that there are no columns; go by rows")
    return _lines(grid, lambda place: place[0], lambda place: place[1])


def _lines(
    grid: Grid, across: Callable[[Place], float], along: Callable[[Place], float]
) -> tuple[tuple[Cell, ...], ...]:
    """Cells of about one coordinate ``across``, sorted by the other one."""
    lines: list[list[Cell]] = []
    last = 0.0
    for cell in sorted(grid.cells, key=lambda cell: across(grid.places[cell])):
        here = across(grid.places[cell])
        if not lines or here - last > _SAME_LINE:
            lines.append([])
        lines[-1].append(cell)
        last = here
    return tuple(tuple(sorted(line, key=lambda cell: along(grid.places[cell]))) for line in lines)


# ------------------------------------------------------------------------------------------ turning


def turned(grid: Grid, degrees: int) -> Mapping[Cell, Cell] | None:
    """For each cell the one it lies on after a counter-clockwise turn; None if the board is then not as before."""
    middle = centre(grid.places[cell] for cell in grid.cells)
    cosine, sine = cos(radians(degrees)), sin(radians(degrees))
    found: dict[Cell, Cell] = {}
    for cell, (x, y) in grid.places.items():
        right, up = x - middle[0], y - middle[1]
        there = (middle[0] + cosine * right - sine * up, middle[1] + sine * right + cosine * up)
        nearest = min(grid.cells, key=lambda other: dist(grid.places[other], there))
        if dist(grid.places[nearest], there) > _SAME_PLACE:
            return None
        found[cell] = nearest
    return MappingProxyType(found)


def turns_of(grid: Grid) -> tuple[int, ...]:
    """The angles by which the board can be turned onto itself, in degrees."""
    return tuple(degrees for degrees in TURNS if turned(grid, degrees) is not None)


def centre(places: Iterable[Place]) -> Place:
    """The middle of some places: the mean of their coordinates."""
    xs, ys = zip(*places, strict=True)
    return fsum(xs) / len(xs), fsum(ys) / len(ys)


# ------------------------------------------------------------------------------------------ lattices

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Lattice:
    """The cells of a grid by whole coordinates: column and row of squares, q and r of hexagons."""

    shape: Shape
    cells: Mapping[Point, Cell]


@lru_cache(maxsize=64)
def lattice(grid: Grid) -> Lattice | None:
    """The lattice that a grid lies on; None if its cells lie anyhow."""
    first_x, first_y = grid.places[grid.cells[0]]
    found: dict[Point, Cell] = {}
    for cell, (x, y) in grid.places.items():
        column, row = _axes(grid.shape, x - first_x, y - first_y)
        point = (round(column), round(row))
        if max(abs(column - point[0]), abs(row - point[1])) > _OFF_LATTICE:
            return None
        found[point] = cell
    return Lattice(grid.shape, MappingProxyType(found))


def _axes(shape: Shape, x: float, y: float) -> Place:
    if shape is Shape.SQUARE:
        return x, y
    row = y / ROW_HEIGHT
    return x - row / 2, row
