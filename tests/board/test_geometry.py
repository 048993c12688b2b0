"""Cells of a physical board: in rows and columns, turned, on a lattice."""

from __future__ import annotations

import pytest

from reedlight.board.geometry import (
    CORNERS,
    ORDERS,
    Misplaced,
    lattice,
    ordered,
    reading,
    rectangle,
    rows_of,
    scattered,
    turned,
    turns_of,
)
from reedlight.core.grid import ROW_HEIGHT, Cell, Grid, Shape, brick, field, hexhex, square


def in_words(cells: tuple[Cell, ...]) -> str:
    return " ".join(cells)


# ------------------------------------------------------------------------------------------- boards


def test_equal_sides_make_the_square_that_games_know() -> None:
    assert rectangle(6, 6) == square(6)


def test_a_rectangle_is_named_like_a_chessboard() -> None:
    grid = rectangle(3, 2)
    assert in_words(grid.cells) == "a1 b1 c1 a2 b2 c2"
    assert grid.name == "square-2x3"
    assert grid.places[Cell("c2")] == (2, 1)
    assert grid.neighbours[Cell("b1")] == ("a1", "c1", "b2")


def test_scattered_cells_touch_where_they_lie_about_a_pitch_apart() -> None:
    grid = scattered({Cell("a"): (0, 0), Cell("b"): (1.05, 0), Cell("c"): (0, 0.95), Cell("far"): (2.1, 0)})
    assert grid.neighbours == {"a": ("b", "c"), "b": ("a", "far"), "c": ("a",), "far": ("b",)}
    assert grid.shape is Shape.SQUARE


@pytest.mark.parametrize("grid", [hexhex(3), brick(4, 3), square(4), field(2, 5)], ids=lambda grid: grid.name)
def test_the_places_of_a_known_grid_give_its_neighbours_and_its_shape(grid: Grid) -> None:
    found = scattered(grid.places)
    assert found.neighbours == grid.neighbours
    assert found.shape is grid.shape


def test_cells_on_no_lattice_are_drawn_as_squares() -> None:
    grid = scattered({Cell("a"): (0, 0), Cell("b"): (1, 0), Cell("c"): (1.7, 0.7)})
    assert grid.shape is Shape.SQUARE
    assert lattice(grid) is None


def test_a_single_cell_has_no_neighbour_to_miss() -> None:
    assert scattered({Cell("a"): (7, 7)}).neighbours == {"a": ()}


@pytest.mark.parametrize(
    ("places", "sentence"),
    [
        ({"a": (0, 0), "b": (0.8, 0)}, "cells a and b lie 0.80 pitches apart; cells that touch lie 0.9 to 1.1 apart"),
        ({"a": (0, 0), "b": (0, 1.2)}, "cells a and b lie 1.20 pitches apart"),
        ({"a": (0, 0), "b": (1, 0), "c": (0, 3)}, "cell c touches no other; neighbours lie one pitch apart"),
    ],
)
def test_cells_that_neither_touch_nor_lie_apart_are_refused(
    places: dict[Cell, tuple[float, float]], sentence: str
) -> None:
    with pytest.raises(Misplaced, match=sentence):
        scattered(places)


# ------------------------------------------------------------------------------------------- orders


def test_rows_begin_at_the_near_edge_and_reading_at_the_far_one() -> None:
    grid = hexhex(2)
    assert [in_words(row) for row in rows_of(grid)] == ["0,-1 1,-1", "-1,0 0,0 1,0", "-1,1 0,1"]
    assert in_words(reading(grid)) == "-1,1 0,1 -1,0 0,0 1,0 0,-1 1,-1"


@pytest.mark.parametrize(
    ("order", "corner", "expected"),
    [
        ("rows", "lower left", "a1 b1 c1 a2 b2 c2"),
        ("rows", "lower right", "c1 b1 a1 c2 b2 a2"),
        ("rows", "upper left", "a2 b2 c2 a1 b1 c1"),
        ("rows", "upper right", "c2 b2 a2 c1 b1 a1"),
        ("serpentine", "lower left", "a1 b1 c1 c2 b2 a2"),
        ("serpentine", "upper right", "c2 b2 a2 a1 b1 c1"),
        ("columns", "lower left", "a1 a2 b1 b2 c1 c2"),
        ("columns", "upper left", "a2 a1 b2 b1 c2 c1"),
        ("columns", "lower right", "c1 c2 b1 b2 a1 a2"),
        ("column serpentine", "upper right", "c2 c1 b1 b2 a2 a1"),
    ],
)
def test_a_wire_visits_the_cells_in_its_order_from_its_corner(order: str, corner: str, expected: str) -> None:
    assert in_words(ordered(rectangle(3, 2), order, corner)) == expected


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("corner", CORNERS)
def test_every_order_visits_every_cell_once(order: str, corner: str) -> None:
    grid = brick(3, 4)
    assert sorted(ordered(grid, order, corner)) == sorted(grid.cells)


def test_the_columns_of_bricks_zigzag() -> None:
    assert in_words(ordered(brick(3, 2), "columns", "lower left")) == "0,0 0,1 0,2 1,0 1,1 1,2"


def test_squares_have_columns_whatever_their_outline() -> None:
    grid = scattered({Cell("a1"): (0, 0), Cell("b1"): (1, 0.05), Cell("b2"): (1.05, 1)})
    assert in_words(ordered(grid, "columns", "lower left")) == "a1 b1 b2"


def test_a_hexagon_has_no_columns() -> None:
    with pytest.raises(Misplaced, match="there are no columns; go by rows"):
        ordered(hexhex(3), "columns", "lower left")


# ------------------------------------------------------------------------------------------ turning


def test_a_quarter_turn_brings_the_lower_left_corner_to_the_lower_right() -> None:
    turn = turned(square(8), 90)
    assert turn is not None
    assert [turn[Cell(cell)] for cell in ("a1", "h1", "h8", "a8", "b1")] == ["h1", "h8", "a8", "a1", "h2"]


def test_a_sixth_of_a_turn_brings_the_right_corner_to_the_upper_right() -> None:
    turn = turned(hexhex(5), 60)
    assert turn is not None
    assert [turn[Cell(cell)] for cell in ("4,0", "0,4", "0,0", "1,2")] == ["0,4", "-4,4", "0,0", "-2,3"]


@pytest.mark.parametrize(
    ("grid", "turns"),
    [
        (square(4), (0, 90, 180, 270)),
        (rectangle(4, 3), (0, 180)),
        (hexhex(3), (0, 60, 120, 180, 240, 300)),
        (brick(4, 3), (0, 180)),
        (brick(3, 3), (0,)),
    ],
    ids=lambda value: value.name if isinstance(value, Grid) else "",
)
def test_a_board_can_be_turned_as_its_outline_allows(grid: Grid, turns: tuple[int, ...]) -> None:
    assert turns_of(grid) == turns


@pytest.mark.parametrize("grid", [square(5), hexhex(4), brick(4, 5)], ids=lambda grid: grid.name)
def test_a_turn_moves_no_two_cells_onto_one_and_keeps_neighbours(grid: Grid) -> None:
    for degrees in turns_of(grid):
        turn = turned(grid, degrees)
        assert turn is not None
        assert set(turn.values()) == set(grid.cells)
        assert all({turn[near] for near in grid.neighbours[cell]} == set(grid.neighbours[turn[cell]]) for cell in turn)


# ------------------------------------------------------------------------------------------ lattices


@pytest.mark.parametrize("grid", [square(5), field(3, 7), hexhex(4), brick(5, 4)], ids=lambda grid: grid.name)
def test_on_a_lattice_neighbours_differ_by_a_step(grid: Grid) -> None:
    steps = {(1, 0), (-1, 0), (0, 1), (0, -1)}
    if grid.shape is Shape.HEXAGON:
        steps |= {(1, -1), (-1, 1)}
    found = lattice(grid)
    assert found is not None
    assert len(found.cells) == len(grid.cells)
    for (x, y), cell in found.cells.items():
        near = {found.cells[x + dx, y + dy] for dx, dy in steps if (x + dx, y + dy) in found.cells}
        assert near == set(grid.neighbours[cell])


def test_marks_set_by_hand_lie_on_a_lattice_all_the_same() -> None:
    shaky = scattered({Cell("a"): (0, 0), Cell("b"): (1.05, 0.03), Cell("c"): (0.46, ROW_HEIGHT + 0.04)})
    found = lattice(shaky)
    assert found is not None
    assert found.shape is Shape.HEXAGON
    assert found.cells == {(0, 0): "a", (1, 0): "b", (0, 1): "c"}
