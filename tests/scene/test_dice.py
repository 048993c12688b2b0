"""Dice as lamps: pips that a person knows from a die, numbers on a digit, and a roll that ends in the truth."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

from reedlight.core.game import Die
from reedlight.core.grid import Grid, brick, field, hexhex, square
from reedlight.scene.dice import MODULE, ROLL, SEGMENTS, TUMBLE, next_tumble, on_board, rolling


def die(pips: int) -> Die:
    return Die(pips, spent=False, note="")


def spent(pips: int) -> Die:
    return Die(pips, spent=True, note="")


def module(pips: int) -> list[str]:
    return ["".join("x" if (x, y) in MODULE[pips] else "." for x in range(8)) for y in range(8)]


def board(grid: Grid, dice: Sequence[Die]) -> list[str]:
    """The board from the far edge to the near one, half a pitch a character."""
    cells = on_board(grid, dice)
    left = min(x for x, _ in grid.places.values())
    rows: dict[float, dict[int, str]] = {}
    for cell, (x, y) in grid.places.items():
        rows.setdefault(round(y, 2), {})[round(2 * (x - left))] = "x" if cell in cells else "."
    return ["".join(row.get(at, " ") for at in range(max(row) + 1)) for _, row in sorted(rows.items(), reverse=True)]


# ------------------------------------------------------------------------------------- the module


def test_a_five_on_a_module_is_four_corners_and_a_middle() -> None:
    assert module(5) == [
        "xx....xx",
        "xx....xx",
        "........",
        "...xx...",
        "...xx...",
        "........",
        "xx....xx",
        "xx....xx",
    ]


def test_a_two_lies_across_and_a_six_in_two_columns() -> None:
    assert module(2) == ["......xx"] * 2 + ["........"] * 4 + ["xx......"] * 2
    assert module(6) == [
        "xx....xx",
        "xx....xx",
        "........",
        "xx....xx",
        "xx....xx",
        "........",
        "xx....xx",
        "xx....xx",
    ]


@pytest.mark.parametrize("pips", MODULE)
def test_a_face_has_as_many_pips_as_it_says_and_they_do_not_touch(pips: int) -> None:
    left = set(MODULE[pips])
    for _ in range(pips):
        x, y = min(left)
        pip = {(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)}
        around = {(x + dx, y + dy) for dx in range(-1, 3) for dy in range(-1, 3)}
        assert around & MODULE[pips] == pip
        left -= pip
    assert not left


@pytest.mark.parametrize("pips", MODULE)
def test_a_face_is_the_same_from_the_other_side_of_the_table(pips: int) -> None:
    assert {(7 - x, 7 - y) for x, y in MODULE[pips]} == MODULE[pips]


def test_every_face_is_another_and_they_go_to_nine() -> None:
    assert list(MODULE) == list(range(1, 10))
    assert len(set(MODULE.values())) == 9


# ------------------------------------------------------------------------------------- the digit


def drawn(pips: int) -> list[str]:
    """A digit as three lines of three characters."""
    lit = {segment: segment in SEGMENTS[pips] for segment in "ABCDEFG"}
    stroke = {segment: ("_" if segment in "ADG" else "|") if on else " " for segment, on in lit.items()}
    return [line.format(**stroke) for line in (" {A} ", "{F}{G}{B}", "{E}{D}{C}")]


def test_digits_are_the_numbers_that_everybody_reads() -> None:
    lines = [" ".join(line) for line in zip(*map(drawn, SEGMENTS), strict=True)]
    assert lines == [
        "     _   _       _   _   _   _   _ ",
        "  |  _|  _| |_| |_  |_    | |_| |_|",
        "  | |_   _|   |  _| |_|   | |_|  _|",
    ]
    assert list(SEGMENTS) == list(range(1, 10))


# ------------------------------------------------------------------------------------- the board


def test_two_dice_stand_side_by_side_on_a_board_of_eight() -> None:
    assert board(square(8), [die(5), die(2)]) == [
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        "x . x . . . . x",
        ". x . . . . . .",
        "x . x . . x . .",
        ". . . . . . . .",
        ". . . . . . . .",
    ]


def test_two_dice_stand_corner_to_corner_where_they_would_touch_in_a_row() -> None:
    assert board(square(6), [die(6), die(4)]) == [
        ". . . x . x",
        ". . . . . .",
        ". . . x . x",
        "x . x . . .",
        "x . x . . .",
        "x . x . . .",
    ]


def test_two_dice_on_hexagons_are_each_a_cell_and_the_six_around_it() -> None:
    assert board(hexhex(5), [die(5), die(2)]) == [
        "    . . . . .",
        "   . . . . . .",
        "  . . . . . . .",
        " . x x . . . x .",
        ". . x . . . . . .",
        " . x x . . x . .",
        "  . . . . . . .",
        "   . . . . . .",
        "    . . . . .",
    ]


def test_hexagons_show_six_as_a_ring_and_three_as_a_line() -> None:
    assert board(hexhex(4), [die(6), die(3)])[2:5] == [" x x . . . x", "x . x . . x .", " x x . . x ."]


@pytest.mark.parametrize(
    "grid", [square(6), square(8), square(12), field(8, 4), brick(8, 8), hexhex(4), hexhex(5)], ids=repr
)
def test_the_cells_of_a_die_are_as_many_as_its_pips_and_no_die_reaches_into_the_other(grid: Grid) -> None:
    for first in range(1, 7):
        for second in range(1, 7):
            left, right = on_board(grid, [die(first)]), on_board(grid, [spent(1), die(second)])
            assert (len(left), len(right)) == (first, second)
            assert not left & right
            assert on_board(grid, [die(first), die(second)]) == left | right
            assert not any(set(grid.neighbours[cell]) & right for cell in left)


def test_every_face_of_a_board_differs_from_every_other() -> None:
    for grid, most in ((square(8), 9), (hexhex(5), 7)):
        faces = [on_board(grid, [die(pips)]) for pips in range(1, most + 1)]
        assert len(set(faces)) == most


def test_a_spent_die_is_dark_and_the_other_stays_in_its_place() -> None:
    both, one = on_board(square(8), [die(6), die(2)]), on_board(square(8), [spent(6), die(2)])
    assert one < both
    assert sorted(one) == ["f3", "h5"]


def test_what_has_no_picture_is_dark() -> None:
    assert not on_board(square(8), [])
    assert not on_board(square(8), [die(10)])
    assert not on_board(hexhex(5), [die(8)])
    assert on_board(square(8), [die(1), die(1), die(6)]) == on_board(square(8), [die(1), die(1)])


@pytest.mark.parametrize("grid", [square(2), square(4), hexhex(3)], ids=repr)
def test_a_small_board_shows_no_dice(grid: Grid) -> None:
    assert not on_board(grid, [die(1), die(2)])


# ------------------------------------------------------------------------------------- the roll


def shown(pips: Sequence[int], faces: int) -> list[tuple[int, ...]]:
    """What a roll shows, one entry for every change that is announced."""
    dice, since, seen = [die(number) for number in pips], 0.0, list[tuple[int, ...]]()
    while True:
        seen.append(tuple(each.pips for each in rolling(dice, since, faces)))
        later = next_tumble(since)
        if later is None:
            return seen
        assert later > since
        since = later


@pytest.mark.parametrize("faces", [2, 3, 4, 6, 8, 9])
def test_a_roll_ends_in_the_true_faces_and_every_face_before_differs_from_the_next(faces: int) -> None:
    for first in range(1, faces + 1):
        for second in range(1, faces + 1):
            seen = shown((first, second), faces)
            assert seen[-1] == (first, second)
            assert all(now != later for one, two in pairwise(seen) for now, later in zip(one, two, strict=True))
            assert all(1 <= pips <= faces for both in seen for pips in both)


def test_two_dice_of_a_double_do_not_roll_in_step() -> None:
    assert any(first != second for first, second in shown((3, 3), 6))


def test_a_die_with_one_face_rolls_to_it() -> None:
    assert set(shown((1, 1), 1)) == {(1, 1)}


def test_a_roll_takes_less_than_a_second_and_stays_where_it_ended() -> None:
    dice = (spent(3), die(4))
    assert ROLL < 1.0
    assert rolling(dice, ROLL - TUMBLE / 2, 6) != dice
    assert rolling(dice, ROLL, 6) == dice
    assert rolling(dice, 1e9, 6) == dice
    assert next_tumble(ROLL) is None


@pytest.mark.parametrize("faces", [2, 6, 9])
def test_the_flashes_of_a_lamp_begin_at_least_four_tenths_of_a_second_apart(faces: int) -> None:
    for pips in range(1, faces + 1):
        tumbles = shown((pips, pips), faces)
        for place in (0, 1):
            faces_in_turn = [frozenset[tuple[int, int]](), *(MODULE[both[place]] for both in tumbles)]
            for lamp in {lamp for face in faces_in_turn for lamp in face}:
                lit = [lamp in face for face in faces_in_turn]
                begins = [TUMBLE * at for at, (before, now) in enumerate(pairwise(lit)) if now and not before]
                assert all(later - sooner > 0.4 - 1e-9 for sooner, later in pairwise(begins))


def test_rolling_dice_are_not_spent_and_no_dice_do_not_roll() -> None:
    assert [each.spent for each in rolling([spent(2), die(2)], 0.0, 6)] == [False, False]
    assert rolling([], 0.1, 6) == ()


def test_a_moment_that_rounding_has_made_a_little_early_counts_as_reached() -> None:
    assert rolling([die(2)], 3 * TUMBLE - 1e-9, 6) == rolling([die(2)], 3 * TUMBLE, 6)
    assert next_tumble(3 * TUMBLE - 1e-9) == pytest.approx(4 * TUMBLE)
