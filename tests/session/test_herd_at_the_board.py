"""Herd by hand: stones taken off in any order, put back, set down too early, captured."""

from __future__ import annotations

import pytest
from stories import sit, taken_back

from reedlight.core.game import Roll
from reedlight.session.session import Mode
from reedlight.session.settings import Commit


def board(stones: dict[str, str], rest: str) -> str:
    """A position of side 3 from stones by cell, ``R`` or ``B``."""
    rows = []
    for r in range(2, -3, -1):
        cells = [f"{q},{r}" for q in range(-2, 3) if abs(q + r) < 3]
        rows.append("".join(stones.get(cell, ".") for cell in cells))
    return f"3 {'/'.join(rows)} {rest}"


THREE_RED = {"0,0": "R", "2,0": "R", "-2,0": "R", "0,2": "R"}
REMOVING = board(THREE_RED, "blue remove 3-2 2 3 -")


def test_the_first_player_places_the_lower_die() -> None:
    sitting = sit("herd", "3").roll(2, 5)
    assert sitting.session.mode is Mode.PLAY
    assert len(sitting.lit_as("target")) == 19
    sitting.do("+0,0 +1,0").wait()
    assert sitting.played == ["2-5", "place 0,0", "place 1,0"]
    assert sitting.session.mode is Mode.ROLL


def test_enemy_stones_leave_in_any_order_and_quickly() -> None:
    sitting = sit("herd", "3", REMOVING)
    assert sitting.lit_as("remove") == ["-2,0", "0,0", "0,2", "2,0"]
    assert sitting.do("-2,0 -0,0").wait().played == ["remove 2,0", "remove 0,0"]


def test_two_stones_lifted_with_both_hands_at_once() -> None:
    assert sorted(sit("herd", "3", REMOVING).do("-2,0&-0,0").wait().played) == ["remove 0,0", "remove 2,0"]


def test_a_stone_put_back_while_more_are_due_counts_up_again() -> None:
    sitting = sit("herd", "3", REMOVING).do("-2,0").wait()
    assert sitting.played == ["remove 2,0"]
    sitting.do("+2,0").wait()
    assert sitting.played == []
    assert taken_back(sitting) == 1
    assert sitting.why == "Taken back: remove 2,0."


def test_any_of_several_stones_taken_off_can_be_put_back() -> None:
    sitting = sit("herd", "3", board(THREE_RED, "blue remove 3-3 3 3 -")).do("-2,0").wait().do("-0,0").wait()
    assert sitting.do("+2,0").wait().played == ["remove 0,0"]
    assert sitting.do("-0,2 -2,0").wait().played == ["remove 0,0", "remove 0,2", "remove 2,0"]


def test_a_stone_set_down_too_early_is_shown_and_counts_after_the_last_removal() -> None:
    sitting = sit("herd", "3", REMOVING).do("-2,0").wait().do("+1,0")
    sitting.wait()
    assert sitting.played == ["remove 2,0"]
    assert sitting.lit_as("forbidden") == ["1,0"] or sitting.lit_as("extra") == ["1,0"]
    assert sitting.do("-0,0").wait().played == ["remove 2,0", "remove 0,0", "place 1,0"]


def test_a_stone_may_be_set_where_one_was_just_taken_off() -> None:
    sitting = sit("herd", "3", REMOVING).do("-2,0 -0,0").wait().do("+0,0").wait()
    assert sitting.played == ["remove 2,0", "remove 0,0", "place 0,0"]


def test_the_last_stone_put_back_at_once_was_not_taken_off() -> None:
    sitting = sit("herd", "3", REMOVING).do("-2,0").wait().do("-0,0 +0,0").wait()
    assert sitting.played == ["remove 2,0"]


def test_the_last_stone_put_back_late_and_taken_off_again_was_never_placed() -> None:
    sitting = sit("herd", "3", REMOVING).do("-2,0").wait().do("-0,0 1 +0,0").wait().do("-0,0").wait()
    assert sitting.played == ["remove 2,0", "remove 0,0"]


def test_the_last_stone_put_back_late_is_understood_once_play_goes_on_with_another() -> None:
    sitting = sit("herd", "3", REMOVING).do("-2,0").wait().do("-0,0 1 +0,0").wait().do("-0,2").wait()
    assert sitting.lit_as("forbidden") == ["0,2"]
    assert sitting.do("+1,0").wait().played == ["remove 2,0", "remove 0,2", "place 1,0"]


def test_an_enemy_stone_lifted_by_mistake_while_placing_is_no_second_thought() -> None:
    sitting = sit("herd", "3", REMOVING).do("-2,0").wait().do("-0,0").wait().do("+2,0").wait()
    sitting.do("-0,2 1 +0,2").wait()
    assert sitting.played == ["remove 2,0", "remove 0,0", "place 2,0"]


def test_a_stone_that_was_misplaced_is_moved() -> None:
    sitting = sit("herd", "3", board(THREE_RED, "blue place 3-2 0 3 -")).do("+1,0").wait()
    assert sitting.played == ["place 1,0"]
    assert sitting.do("-1,0 +1,-1").wait().played == ["place 1,-1"]


CAPTURING = board({"0,2": "R", "-1,2": "B", "0,1": "B", "1,1": "B"}, "blue place 3-1 0 2 -")
"""Red alone in the corner 0,2; Blue closes it at the last neighbour."""


@pytest.fixture(name="capture")
def _capture() -> str:
    """A position in which Blue's stone on 1,1 takes the single red stone on 0,2."""
    return board({"0,2": "R", "-1,2": "B", "0,1": "B"}, "blue place 3-1 0 2 -")


def test_a_surrounded_stone_has_to_leave_before_the_next_is_placed(capture: str) -> None:
    sitting = sit("herd", "3", capture)
    closing = [str(c) for c, light in sitting.session.scene.lights.items() if "takes" in light.note]
    if not closing:
        pytest.fail(f"no capture in {capture}: {sitting.session.game.picture(sitting.session.state)}")
    (cell,) = closing
    sitting.do(f"+{cell}").wait()
    assert sitting.played == []
    assert sitting.lit_as("taken") == ["0,2"]
    assert sitting.do("-0,2").wait().played == [f"place {cell}"]
    eager = sit("herd", "3", capture).do(f"-0,2 +{cell}").wait()
    assert eager.played == [f"place {cell}"]


def test_the_next_stone_set_before_the_captive_left_counts_once_it_has(capture: str) -> None:
    sitting = sit("herd", "3", capture)
    (cell,) = [str(c) for c, light in sitting.session.scene.lights.items() if "takes" in light.note]
    sitting.do(f"+{cell} +-2,0").wait()
    assert sitting.played == []
    assert sitting.do("-0,2").wait().played == [f"place {cell}", "place -2,0"]


def test_a_closed_cell_is_refused_when_touched() -> None:
    closed = board({"-1,2": "R", "0,1": "R", "1,1": "R", "-1,1": "R"}, "blue place 3-1 0 2 -")
    sitting = sit("herd", "3", closed)
    shut = (
        {str(cell) for cell in sitting.session.game.grid.cells}
        - set(sitting.lit)
        - set(map(str, sitting.session.state.pieces()))
    )
    (cell,) = shut
    sitting.do(f"+{cell}").wait()
    assert sitting.lit == {cell: "forbidden"}
    assert sitting.why == f"Take it off {cell}."
    assert sitting.do(f"-{cell}").wait().lit_as("target")


def test_lifting_ones_own_stone_is_refused() -> None:
    sitting = sit("herd", "3", board({**THREE_RED, "1,0": "B"}, "blue remove 3-2 2 3 -")).do("-1,0")
    assert sitting.lit == {"1,0": "forbidden"}


def test_out_of_order_placing_waits_for_go_under_the_button_policy() -> None:
    sitting = sit("herd", "3", REMOVING, commit=Commit.BUTTON).do("-2,0").wait().do("+1,0 -0,0").wait()
    assert sitting.played == []
    assert sitting.press("go").played == ["remove 2,0", "remove 0,0", "place 1,0"]


def test_choosing_by_buttons_names_the_cells() -> None:
    sitting = sit("herd", "3", REMOVING).press("next")
    assert sitting.session.mode is Mode.ASK
    assert sitting.press("go").played == ["remove -2,0"]


def test_a_computers_stone_is_copied() -> None:
    sitting = sit("herd", "3", board(THREE_RED, "blue place 3-2 0 3 -")).copy("place 1,0")
    assert sitting.lit == {"1,0": "target"}
    assert sitting.do("+1,0").wait().played == ["place 1,0"]


def test_a_turn_without_anything_to_do_passes() -> None:
    sitting = sit("herd", "2").roll(1, 1)
    assert sitting.session.history == (Roll((1, 1)),)
