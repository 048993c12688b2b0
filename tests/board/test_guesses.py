"""Numberings that are likely, what follows from a few numbers, and how one numbering differs from another in words.

plan   7 8 9        names   a3 b3 c3
       4 5 6                a2 b2 c2
       1 2 3                a1 b1 c1
"""

from __future__ import annotations

import pytest

from reedlight.board.geometry import ordered, rectangle, scattered, turned
from reedlight.board.guesses import Numbers, by_lines, completed, differs, likely
from reedlight.core.grid import Cell, Grid, brick, hexhex

THREE = rectangle(3, 3)


def board(*rows: str, grid: Grid = THREE) -> Numbers:
    """Numbers as one reads; a dot is a cell without one."""
    words = " ".join(rows).split()
    cells = ordered(grid, "rows", "upper left")
    return {cell: int(word) for cell, word in zip(cells, words, strict=True) if word != "."}


PLAN = board("7 8 9", "4 5 6", "1 2 3")


# -------------------------------------------------------------------------------------------- likely


def test_the_plan_comes_first_and_nothing_twice() -> None:
    found = [tuple(numbers.items()) for numbers in likely(THREE, PLAN)]
    assert dict(found[0]) == PLAN
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    "rows",
    [
        ("9 8 7", "6 5 4", "3 2 1"),
        ("1 2 3", "4 5 6", "7 8 9"),
        ("9 6 3", "8 5 2", "7 4 1"),
        ("3 6 9", "2 5 8", "1 4 7"),
        ("0 1 2", "5 4 3", "6 7 8"),
        ("0 5 6", "1 4 7", "2 3 8"),
    ],
)
def test_a_plan_turned_or_mirrored_and_every_order_with_a_name_are_likely(rows: tuple[str, ...]) -> None:
    assert board(*rows) in list(likely(THREE, PLAN))


def test_cells_that_lie_anyhow_have_likely_numbers_too() -> None:
    anyhow = scattered({Cell("p"): (0.0, 0.0), Cell("q"): (1.0, 0.0), Cell("r"): (1.0, 1.0)})
    plan = {Cell("p"): 5, Cell("q"): 6, Cell("r"): 7}
    assert plan in list(likely(anyhow, plan))


# ---------------------------------------------------------------------------------------- completing


def test_one_row_and_the_first_cells_of_the_others_tell_all() -> None:
    known = board("3 5 4", "9 . .", "0 . .")
    assert by_lines(THREE, known) == board("3 5 4", "9 11 10", "0 2 1")


def test_lines_that_nothing_joins_tell_nothing() -> None:
    known = board("3 5 4", ". . .", ". . .")
    assert by_lines(THREE, known) == known
    apart = board("3 . .", ". 5 .", ". . 9")
    assert by_lines(THREE, apart) == apart


@pytest.mark.parametrize(
    "rows",
    [
        ("3 5 4", "9 12 .", ". . ."),  # no sum of two shares
        ("3 4 5", "4 . .", ". . ."),  # two cells would have the same
        ("3 0 1", "1 . .", ". . ."),  # one would be below 0
    ],
)
def test_what_cannot_be_lines_is_left_as_it_is(rows: tuple[str, ...]) -> None:
    known = board(*rows)
    assert by_lines(THREE, known) == known


def test_a_board_without_columns_has_no_lines() -> None:
    known = {Cell("0,0"): 3, Cell("1,0"): 4}
    assert by_lines(hexhex(2), known) == known


def test_a_guess_that_fits_completes_what_is_known() -> None:
    sure = board("1 2 3", "4 . 6", ". . .")
    assert completed(THREE, sure, {}, likely(THREE, PLAN), range(20)) == board("1 2 3", "4 5 6", "7 8 9")


def test_without_a_guess_what_is_wanted_most_is_given_first() -> None:
    sure = board("2 9 7", "4 . 6", "5 1 .")
    assert completed(THREE, sure, {}, likely(THREE, PLAN), (8, 8, 3)) == board("2 9 7", "4 3 6", "5 1 8")


def test_a_cell_that_has_one_of_some_numbers_gets_one_of_those() -> None:
    sure = board("2 9 7", "4 . 6", "5 1 .")
    among = {Cell("b2"): (8, 11)}
    assert completed(THREE, sure, among, (), (3, 8)) == board("2 9 7", "4 8 6", "5 1 3")
    elsewhere = {Cell("b2"): (20,)}
    assert completed(THREE, sure, elsewhere, (), (3, 8)) == board("2 9 7", "4 3 6", "5 1 8")


def test_a_guess_must_fit_the_numbers_that_a_cell_may_have() -> None:
    sure = board("1 2 3", "4 . 6", ". . .")
    found = completed(THREE, sure, {Cell("b2"): (9,)}, likely(THREE, PLAN), (9, 7, 8, 5))
    assert found[Cell("b2")] == 9


# ------------------------------------------------------------------------------------------ in words


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (("7 8 9", "4 5 6", "1 2 3"), ""),
        (("7 8 9", "1 2 3", "4 5 6"), "rows 1 and 2 are swapped"),
        (("1 2 3", "7 8 9", "4 5 6"), "the rows come in the order 2, 3, 1"),
        (("1 2 3", "4 5 6", "7 8 9"), "the rows run the other way"),
        (("9 8 7", "6 5 4", "3 2 1"), "the columns run the other way"),
        (("8 7 9", "5 4 6", "2 1 3"), "columns a and b are swapped"),
        (("8 9 7", "5 6 4", "2 3 1"), "the columns come in the order b, c, a"),
        (("8 7 9", "2 1 3", "5 4 6"), "rows 1 and 2 are swapped and columns a and b are swapped"),
        (("9 8 7", "4 5 6", "1 2 3"), "row 3 runs the other way"),
        (("9 8 7", "6 5 4", "1 2 3"), "rows 2 and 3 run the other way"),
        (("1 8 9", "4 5 6", "7 2 3"), "column a runs the other way"),
        (("3 2 1", "4 5 6", "7 8 9"), "the rows run the other way and row 3 runs the other way"),
        (("9 6 3", "8 5 2", "7 4 1"), "everything is turned by 90 degrees counter-clockwise"),
        (("3 2 1", "6 5 4", "9 8 7"), "everything is turned by 180 degrees counter-clockwise"),
        (("3 6 9", "2 5 8", "1 4 7"), "mirrored from left to right and then turned by"),
        (("7 8 9", "4 6 5", "1 2 3"), "b2 and c2 are swapped"),
        (("0 1 2", "5 4 3", "6 7 8"), "they go to and fro along the rows from the upper left"),
        (("7 9 8", "5 4 6", "2 3 1"), "7 cells of 9 are not where they should be, in no order that has a name"),
        (("7 8 9", "4 0 6", "1 2 3"), "1 cell of 9 are not where they should be, in no order that has a name"),
    ],
)
def test_a_difference_has_words(rows: tuple[str, ...], words: str) -> None:
    assert words in differs(THREE, PLAN, board(*rows))
    assert bool(words) == bool(differs(THREE, PLAN, board(*rows)))


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_turn_is_called_as_a_file_calls_it(degrees: int) -> None:
    move = turned(THREE, degrees)
    assert move is not None
    real = {move[cell]: number for cell, number in PLAN.items()}
    assert differs(THREE, PLAN, real) == f"everything is turned by {degrees} degrees counter-clockwise"


def test_hexagons_have_no_columns_to_run_the_other_way() -> None:
    grid = hexhex(2)
    plan = board("1 2", "3 4 5", "6 7", grid=grid)
    assert differs(grid, plan, board("2 1", "5 4 3", "7 6", grid=grid)) == "left and right are exchanged"
    assert differs(grid, plan, board("6 7", "3 4 5", "1 2", grid=grid)) == "near and far are exchanged"
    assert differs(grid, plan, board("1 2", "5 4 3", "6 7", grid=grid)) == "row 2 runs the other way"


def test_rows_of_hexagons_that_are_equally_long_may_be_swapped() -> None:
    grid = hexhex(3)
    plan = {cell: number for number, cell in enumerate(ordered(grid, "rows", "upper left"))}
    rows = ("16 17 18", "3 4 5 6", "7 8 9 10 11", "12 13 14 15", "0 1 2")
    assert differs(grid, plan, board(*rows, grid=grid)) == "rows 1 and 5 are swapped"


def test_columns_without_letters_are_counted_from_the_left() -> None:
    grid = brick(2, 3)
    plan = board("4 5 6", "1 2 3", grid=grid)
    assert differs(grid, plan, board("5 4 6", "2 1 3", grid=grid)) == "columns 1 and 2 are swapped"


def test_a_board_that_cannot_be_mirrored_has_words_all_the_same() -> None:
    corner = scattered({Cell("p"): (0.0, 0.0), Cell("q"): (1.0, 0.0), Cell("r"): (0.0, 1.0), Cell("s"): (2.0, 0.0)})
    plan = {Cell("p"): 5, Cell("q"): 6, Cell("r"): 7, Cell("s"): 8}
    real = {Cell("p"): 6, Cell("q"): 5, Cell("r"): 7, Cell("s"): 8}
    assert differs(corner, plan, real) == "p and q are swapped"
