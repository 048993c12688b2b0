"""Cells: their names, where they lie, and which of them touch.

One value serves the rules (which cells are adjacent), the layout (which switch is nearest) and the
page (what to draw where). Places are cell centres in units of the pitch, the distance between
neighbours: x grows to the right, y grows away from the player at the lower edge.

    square   a1 at the lower left; files a..z along x, ranks 1..26 along y
    hexhex   axial names "q,r", "0,0" in the middle, place (q + r/2, 0.866 r)
    brick    "column,row" from "0,0" at the lower left, odd rows half a cell further right
    field    the same names without the shift: square cells that touch by their edges
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import sqrt
from types import MappingProxyType
from typing import NewType, TypeAlias

Cell = NewType("Cell", str)
"""The name of a position in the rules, such as ``c3`` or ``-1,2``."""
Cells: TypeAlias = frozenset[Cell]
"""A set of cells, such as an occupancy."""

FILES = "abcdefghijklmnopqrstuvwxyz"
ROW_HEIGHT = sqrt(3) / 2
"""Distance of two rows of hexagons, in pitches."""


class Shape(Enum):
    """The outline of one cell."""

    SQUARE = "square"
    HEXAGON = "hexagon"


@dataclass(frozen=True)
class Grid:
    """The cells of a board in the order of its rules, with their places and neighbours."""

    name: str
    shape: Shape
    places: Mapping[Cell, tuple[float, float]]
    neighbours: Mapping[Cell, tuple[Cell, ...]]

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, in the grid's own order."""
        return tuple(self.places)

    def __repr__(self) -> str:
        return f"Grid({self.name!r})"

    def __hash__(self) -> int:
        return hash(self.name)


def square(size: int) -> Grid:
    """A board of ``size`` x ``size`` cells, a1 to at most z26, that touch by their edges."""
    names = {(x, y): Cell(f"{FILES[x]}{y + 1}") for y in range(size) for x in range(size)}
    return _grid(f"square-{size}x{size}", Shape.SQUARE, names, _upright, (_EDGES, _EDGES))


def hexhex(side: int) -> Grid:
    """A hexagon of hexagons with ``side`` cells along each edge: 3 side (side - 1) + 1 in all."""
    span = range(1 - side, side)
    names = {(q, r): Cell(f"{q},{r}") for r in span for q in span if abs(q + r) < side}
    return _grid(f"hexhex-{side}", Shape.HEXAGON, names, _slanted, (_AXIAL, _AXIAL))


def field(rows: int, columns: int) -> Grid:
    """Rows and columns of square cells, named ``column,row``, that touch by their edges."""
    names = _columns_and_rows(rows, columns)
    return _grid(f"square-{rows}x{columns}", Shape.SQUARE, names, _upright, (_EDGES, _EDGES))


def brick(rows: int, columns: int) -> Grid:
    """Rows of cells, the odd ones shifted half a cell to the right; inner cells touch six others."""
    names = _columns_and_rows(rows, columns)
    return _grid(f"brick-{rows}x{columns}", Shape.HEXAGON, names, _shifted, _BRICK)


_Index = tuple[int, int]

_EDGES = ((0, -1), (-1, 0), (1, 0), (0, 1))
_AXIAL = ((0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1))
_BRICK = (
    ((-1, -1), (0, -1), (-1, 0), (1, 0), (-1, 1), (0, 1)),
    ((0, -1), (1, -1), (-1, 0), (1, 0), (0, 1), (1, 1)),
)


def _upright(at: _Index) -> tuple[float, float]:
    return float(at[0]), float(at[1])


def _slanted(at: _Index) -> tuple[float, float]:
    return at[0] + at[1] / 2, ROW_HEIGHT * at[1]


def _shifted(at: _Index) -> tuple[float, float]:
    return at[0] + at[1] % 2 / 2, ROW_HEIGHT * at[1]


def _columns_and_rows(rows: int, columns: int) -> dict[_Index, Cell]:
    return {(x, y): Cell(f"{x},{y}") for y in range(rows) for x in range(columns)}


def _grid(
    name: str,
    shape: Shape,
    names: Mapping[_Index, Cell],
    place: Callable[[_Index], tuple[float, float]],
    steps_by_parity: tuple[tuple[_Index, ...], tuple[_Index, ...]],
) -> Grid:
    """``steps_by_parity`` holds the steps to a cell's neighbours from even rows and from odd ones."""
    neighbours = {
        cell: tuple(names[to] for dx, dy in steps_by_parity[y % 2] if (to := (x + dx, y + dy)) in names)
        for (x, y), cell in names.items()
    }
    places = {cell: place(at) for at, cell in names.items()}
    return Grid(name, shape, MappingProxyType(places), MappingProxyType(neighbours))
