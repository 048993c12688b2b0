"""The steps by which a board is led: from what is believed to stand on it to what should."""

from __future__ import annotations

import pytest
from stories import sit

from reedlight.core.game import Kind, Piece, Side
from reedlight.core.grid import Cell
from reedlight.session.leading import open_steps, plan

SIDES = {Side.LIGHT: "White", Side.DARK: "Black"}


def pieces(said: str) -> dict[Cell, Piece]:
    """``c3`` a white checker, ``C3*2`` a black stack of two, ``c3+`` a white king."""
    found: dict[Cell, Piece] = {}
    for word in said.split():
        name, _, height = word.rstrip("+").partition("*")
        side = Side.DARK if name[0].isupper() else Side.LIGHT
        kind = Kind.KING if word.endswith("+") else Kind.CHECKER
        found[Cell(name.lower())] = Piece(side, kind, int(height or 1))
    return found


STORIES = {
    "a move": ("c3", "d4", "move c3 to d4"),
    "a man that is crowned on its way": ("g7", "h8+", "move g7 to h8"),
    "a man that is crowned where it stands": ("h8", "h8+", ""),
    "a capture": ("B6 c5", "D4", "move b6 to d4, take c5 off"),
    "a capture taken back": ("D4", "B6 c5", "move d4 to b6, set a white checker on c5"),
    "a stack that takes another": ("A1*2 c1", "C1*2", "take c1 off, move a1 to c1"),
    "a stack that took another, taken back": ("C1*2", "A1*2 c1", "move c1 to a1, set a white checker on c1"),
    "a merge": ("A1*2 C1", "C1*3", "set a1 on c1"),
    "a merge taken back": ("C1*3", "A1*2 C1", "take 2 off c1 and set them on a1"),
    "a merge with a single one taken back": ("C1*2", "A1 C1", "take 1 off c1 and set it on a1"),
    "a checker given up": ("A1", "", "take a1 off"),
    "one of a stack given up": ("A1*3", "A1*2", "set a black stack of 2 on a1"),
    "a stone placed": ("", "c3", "set a white checker on c3"),
    "nothing": ("c3 D4", "c3 D4", ""),
}


@pytest.mark.parametrize("name", STORIES)
def test_a_difference_is_told_as_a_hand_would_mend_it(name: str) -> None:
    believed, wanted, told = STORIES[name]
    assert ", ".join(step.say for step in plan(SIDES, pieces(believed), pieces(wanted))) == told


def test_only_what_is_still_to_be_done_is_told() -> None:
    believed, wanted = pieces("B6 c5"), pieces("D4")
    for board, told in {
        "b6 c5": ["move b6 to d4", "take c5 off"],
        "c5": ["move b6 to d4", "take c5 off"],
        "c5 d4": ["take c5 off"],
        "b6": ["move b6 to d4"],
        "d4": [],
    }.items():
        assert open_steps(SIDES, believed, wanted, frozenset(map(Cell, board.split())), frozenset()) == told


def test_a_board_on_which_something_else_is_wrong_is_not_explained() -> None:
    assert open_steps(SIDES, pieces("B6"), pieces("D4"), frozenset({Cell("b6"), Cell("h8")}), frozenset()) == []


def test_a_stack_stays_to_be_done_until_it_is_touched() -> None:
    c1, board = Cell("c1"), frozenset({Cell("c1")})
    believed, wanted = pieces("A1 C1"), pieces("C1*2")
    assert open_steps(SIDES, believed, wanted, board, frozenset({c1})) == ["set a1 on c1"]
    assert open_steps(SIDES, believed, wanted, board, frozenset()) == []


def test_a_capture_chosen_on_a_screen_is_led_in_its_own_words() -> None:
    sitting = sit("draughts", position="B:Wc5,h2:Bb6").choose("b6:d4")
    assert sitting.say == "Move b6 to d4, take c5 off."
    assert sitting.do("-c5").say == "Move b6 to d4."
    assert sitting.do("-b6 +d4").say == "White to move."


def test_a_capture_taken_back_names_the_colour_that_comes_home() -> None:
    sitting = sit("draughts", position="W:Wc3:Bd4,h8").do("-c3 -d4 +e5").wait().press("back")
    assert sitting.say == "Move e5 to c3, set a black man on d4."
    assert sitting.do("-e5 +c3").say == "Set a black man on d4."


def test_several_actions_taken_back_at_once_are_led_from_what_stands() -> None:
    sitting = sit("draughts").do("-c3 +d4").wait().do("-f6 +e5").wait().do("-d4 +f6 -e5").wait().press("back", "back")
    assert sitting.say == "Move f6 to d4, set a black man on f6."


def test_nothing_is_moved_to_two_places() -> None:
    steps = plan(SIDES, pieces("b6 c7"), pieces("a5 g5"))
    assert [step.say for step in steps] == ["move b6 to a5", "move c7 to g5"]
