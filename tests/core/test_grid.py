"""Grids: which cells there are, where they lie, which of them touch."""

from __future__ import annotations

import json
from itertools import combinations
from math import dist, isclose
from pathlib import Path
from typing import Any

import pytest

from reedlight.core.grid import Grid, Shape, brick, field, hexhex, square

KNOWN = json.loads((Path(__file__).parents[1] / "vectors" / "herd" / "grids.json").read_text("utf-8"))

GRIDS = [
    square(2),
    square(8),
    square(10),
    hexhex(2),
    hexhex(4),
    hexhex(5),
    field(2, 7),
    field(6, 6),
    brick(2, 2),
    brick(8, 8),
]


def by_name(name: str) -> Grid:
    kind, span = name.split("-")
    if kind == "hexhex":
        return hexhex(int(span))
    rows, columns = map(int, span.split("x"))
    return {"square": field, "brick": brick}[kind](rows, columns)


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known["grid"])
def test_cells_and_neighbours_are_the_known_ones_in_the_known_order(known: dict[str, Any]) -> None:
    grid = by_name(known["grid"])
    assert grid.name == known["grid"]
    assert list(grid.cells) == known["cells"]
    assert {cell: sorted(near) for cell, near in grid.neighbours.items()} == {
        cell: sorted(near) for cell, near in known["neighbours"].items()
    }


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: grid.name)
def test_neighbours_are_exactly_the_cells_one_pitch_away_and_none_is_nearer(grid: Grid) -> None:
    for one, other in combinations(grid.cells, 2):
        pitches = dist(grid.places[one], grid.places[other])
        near = isclose(pitches, 1)
        assert near or pitches > 1
        assert near == (other in grid.neighbours[one])
        assert near == (one in grid.neighbours[other])


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: grid.name)
def test_no_cell_touches_itself_or_another_twice(grid: Grid) -> None:
    assert list(grid.neighbours) == list(grid.cells)
    for cell, near in grid.neighbours.items():
        assert cell not in near
        assert len(set(near)) == len(near)


@pytest.mark.parametrize(
    ("grid", "count", "fewest", "most"),
    [(hexhex(5), 61, 3, 6), (square(8), 64, 2, 4), (field(3, 5), 15, 2, 4), (brick(8, 8), 64, 2, 6)],
    ids=lambda value: value.name if isinstance(value, Grid) else str(value),
)
def test_the_rim_has_fewer_neighbours(grid: Grid, count: int, fewest: int, most: int) -> None:
    counts = [len(near) for near in grid.neighbours.values()]
    assert (len(counts), min(counts), max(counts)) == (count, fewest, most)


def test_a_square_board_is_named_by_file_and_rank_from_the_lower_left() -> None:
    grid = square(8)
    assert grid.cells[:3] == ("a1", "b1", "c1")
    assert grid.places[grid.cells[0]] == (0, 0)
    assert grid.places[grid.cells[-1]] == (7, 7)
    assert grid.cells[-1] == "h8"
    assert set(grid.neighbours[grid.cells[0]]) == {"a2", "b1"}
    assert square(26).cells[-1] == "z26"


def test_a_hexagon_is_named_from_its_middle_and_rows_lean_to_the_right() -> None:
    grid = hexhex(5)
    places = {str(cell): place for cell, place in grid.places.items()}
    assert places["0,0"] == (0, 0)
    assert places["1,0"] == (1, 0)
    assert places["0,1"][0] == 0.5
    assert isclose(places["0,1"][1], 3**0.5 / 2)


def test_odd_rows_of_bricks_are_shifted_to_the_right() -> None:
    places = {str(cell): place for cell, place in brick(3, 3).places.items()}
    assert (places["0,0"][0], places["0,1"][0], places["0,2"][0]) == (0, 0.5, 0)


def test_shapes_and_equality() -> None:
    assert {grid.name: grid.shape for grid in (square(4), field(4, 4), hexhex(3), brick(4, 4))} == {
        "square-4x4": Shape.SQUARE,
        "hexhex-3": Shape.HEXAGON,
        "brick-4x4": Shape.HEXAGON,
    }
    assert hexhex(3) == hexhex(3)
    assert hash(hexhex(3)) == hash(hexhex(3))
    assert hexhex(3) != hexhex(4)
    assert square(4) != field(4, 4)


def test_a_grid_is_printed_by_its_name() -> None:
    assert repr(square(8)) == "Grid('square-8x8')"
