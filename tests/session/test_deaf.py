"""Cells whose switches are not believed: what is half seen, how it is played all the same, and for how long."""

from __future__ import annotations

import pytest
from stories import Sitting, sit

from reedlight.core.grid import Cell
from reedlight.games import make
from reedlight.record.journal import Line, replay
from reedlight.scene.scene import Button, Lamp
from reedlight.session.events import Deaf, Heard
from reedlight.session.replaying import Replaying
from reedlight.session.session import Mode
from reedlight.session.settings import Commit

TWO_STACKS = "G1,3/4/4/B1,B1,B1,1 B roll"
"""Black has single checkers on a1, b1 and c1; Green has one on a4."""


def deaf(*cells: str) -> Deaf:
    return Deaf(frozenset(map(Cell, cells)))


def heard(*cells: str) -> Heard:
    return Heard(frozenset(map(Cell, cells)))


def sit_deaf(*cells: str, game: str = "draughts", size: str | None = None, position: str | None = None) -> Sitting:
    """A sitting that has begun, in which these cells are deaf."""
    return sit(game, size, position).handle(deaf(*cells))


# ------------------------------------------------------------------------------- what is half seen


def test_a_piece_that_comes_from_a_deaf_cell_is_asked_about_and_go_accepts_it() -> None:
    sitting = sit_deaf("c3").do("+d4").wait()
    assert (sitting.session.mode, sitting.say) == (Mode.ASK, "Did you play c3-d4?")
    assert sitting.played == []
    assert sitting.press("go").played == ["c3-d4"]
    assert sitting.do("-f6 +g5").wait().played == ["c3-d4", "f6-g5"]


def test_a_piece_that_goes_to_a_deaf_cell_is_accepted_by_go_which_is_lit() -> None:
    sitting = sit_deaf("d4").do("-c3").wait()
    assert sitting.played == []
    assert sitting.session.scene.lamps[Button.GO] is Lamp.ON
    assert sitting.press("go").played == ["c3-d4"]
    assert sitting.session.mode is Mode.PLAY


def test_a_capture_of_what_stands_on_a_deaf_cell_is_asked_about() -> None:
    sitting = sit_deaf("d4", position="W:Wc3,h2:Bd4,h8").do("-c3 +e5").wait()
    assert sitting.press("go").played == ["c3:e5"]


def test_a_capture_by_a_piece_on_a_deaf_cell_is_asked_about_though_it_looks_like_taking_back() -> None:
    sitting = sit("draughts", position="B:Wc3,e1:Bc5,h8").do("-c5 +d4").wait()
    assert sitting.played == ["c5-d4"]
    sitting.handle(deaf("c3")).do("-d4 +e5").wait()
    assert sitting.say == "Did you play c3:e5?"
    assert sitting.press("go").played == ["c5-d4", "c3:e5"]


def test_what_looks_like_taking_back_can_be_that_too() -> None:
    sitting = sit_deaf("c3", position="B:Wc3,a1:Bc5,h8").do("-c5 +d4").wait()
    assert sitting.played == ["c5-d4"]
    assert sitting.do("-d4 +c5").wait().played == []


def test_of_several_that_fit_one_is_chosen() -> None:
    sitting = sit_deaf("b4", "d4", position="W:Wc3:Bh8").do("-c3").press("go")
    assert sitting.session.mode is Mode.ASK
    assert [option.label for option in sitting.session.scene.options] == ["c3-b4", "c3-d4"]
    assert sitting.press("next", "go").played == ["c3-d4"]
    assert sitting.session.mode is Mode.PLAY


def test_a_stack_set_on_a_deaf_cell_is_as_likely_as_one_set_on_an_own_stack() -> None:
    sitting = sit("diablo", "4", TWO_STACKS).roll(1, 2).handle(deaf("d1")).do("-c1").press("go")
    assert sitting.session.mode is Mode.ASK
    assert {option.label for option in sitting.session.scene.options} >= {"empty 1 c1-d1", "merge 1 c1-b1"}


def test_nothing_is_asked_about_cells_that_are_not_touched_by_a_deaf_one() -> None:
    sitting = sit_deaf("h8").do("-c3 +d4").wait()
    assert sitting.played == ["c3-d4"]
    assert sitting.asked == []


def test_a_move_from_one_deaf_cell_to_another_is_chosen_by_buttons() -> None:
    sitting = sit_deaf("c3", "d4").wait().press("next")
    while "c3" not in [str(cell) for option in sitting.session.scene.options if option.chosen for cell in option.cells]:
        sitting.press("next")
    sitting.press("go")
    while [option.label for option in sitting.session.scene.options if option.chosen] != ["c3-d4"]:
        sitting.press("next")
    assert sitting.press("go").played == ["c3-d4"]
    assert sitting.session.mode is Mode.PLAY


def test_what_is_not_legal_is_shown_as_ever() -> None:
    sitting = sit_deaf("c3").do("+e5").wait()
    assert sitting.lit_as("forbidden") == ["e5"]
    assert sitting.press("go").played == []


def test_with_the_button_policy_it_is_asked_only_after_a_while() -> None:
    sitting = sit("draughts", commit=Commit.BUTTON).handle(deaf("c3")).do("+d4 0.3")
    assert sitting.session.mode is Mode.PLAY
    assert sitting.wait().session.mode is Mode.ASK
    assert sitting.press("go").played == ["c3-d4"]


def test_a_question_that_was_dropped_is_not_asked_again_until_something_changes() -> None:
    sitting = sit_deaf("c3").do("+d4").wait().press("back").wait()
    assert sitting.session.mode is Mode.PLAY
    assert sitting.do("-d4 +d4").wait().session.mode is Mode.ASK


def test_of_an_action_to_be_copied_only_that_one_is_half_seen() -> None:
    sitting = sit_deaf("c3").copy("c3-b4").do("+d4").wait()
    assert sitting.session.mode is Mode.COPY
    assert sitting.do("-d4 +b4").wait().press("go").played == ["c3-b4"]
    assert sitting.session.mode is Mode.PLAY


# --------------------------------------------------------------------------- deaf, and heard again


@pytest.mark.parametrize("cell", ["c3", "d4"])
def test_a_cell_that_is_heard_again_is_believed(cell: str) -> None:
    sitting = sit_deaf(cell).handle(heard(cell))
    assert sitting.session.deaf == frozenset()
    assert sitting.do("-c3 +d4").wait().played == ["c3-d4"]


def test_a_cell_that_becomes_deaf_puts_a_wrong_board_right() -> None:
    sitting = sit("draughts").do("+e5").wait()
    assert sitting.lit_as("forbidden") == ["e5"]
    assert sitting.handle(deaf("e5")).lit_as("movable") == ["a3", "c3", "e3", "g3"]
    sitting.handle(heard("e5")).wait()
    assert sitting.lit_as("forbidden") == ["e5"]


def test_a_board_that_is_led_somewhere_gets_there_without_the_deaf_cell() -> None:
    sitting = sit("draughts").choose("c3-d4").do("-c3")
    assert sitting.session.mode is Mode.RESYNC
    assert sitting.handle(deaf("d4")).session.mode is Mode.PLAY


def test_a_stack_that_is_to_be_put_right_on_a_deaf_cell_is_not_waited_for() -> None:
    sitting = sit("diablo", "4", TWO_STACKS).roll(1, 2).choose("merge 1 c1-b1").do("-c1")
    assert sitting.lit_as("missing") == ["b1"]
    assert sitting.handle(deaf("b1")).session.mode is Mode.PLAY


def test_an_action_that_is_copied_goes_on_being_copied() -> None:
    sitting = sit("draughts").copy("c3-d4").handle(deaf("h8"))
    assert sitting.session.mode is Mode.COPY
    assert sitting.do("-e3 +f4").wait().played == []
    assert sitting.do("-f4 +e3").wait().do("-c3 +d4").wait().played == ["c3-d4"]


def test_a_question_stays_open_where_nothing_changes_by_what_is_said_of_switches() -> None:
    sitting = sit_deaf("c3").do("+d4").wait()
    assert sitting.handle(deaf("c3")).session.mode is Mode.ASK
    assert sitting.handle(heard("h8")).session.mode is Mode.ASK
    assert sitting.handle(deaf("h8")).session.mode is Mode.PLAY


def test_cells_that_are_not_on_the_board_are_not_deaf() -> None:
    assert sit_deaf("z9", "c3").session.deaf == {"c3"}


def test_a_deaf_cell_stays_deaf_in_the_next_game_and_one_left_out_by_go_does_not() -> None:
    sitting = sit("draughts", position="W:Wc3:Bd4").handle(deaf("h8")).do("+a5 +b6").wait().hold("go")
    assert sitting.session.deaf == {"h8", "a5", "b6"}
    assert sitting.session.dead == {"h8"}
    sitting.do("-c3 +e5 -d4").wait().press("go")
    assert sitting.session.mode is Mode.SETUP
    assert sitting.session.deaf == {"h8"}
    assert "h8" not in sitting.lit


def test_what_was_left_out_by_go_is_heard_again_too() -> None:
    sitting = sit("draughts").do("+e5 +c5").wait().hold("go").handle(heard("e5"))
    assert sitting.session.deaf == {"c5"}


def test_before_the_game_a_deaf_cell_needs_no_piece() -> None:
    sitting = sit("draughts", begun=False).handle(deaf("c3"))
    for cell in sorted(set(sitting.start.pieces()) - {"c3"}):
        sitting.do(f"+{cell}")
    assert sitting.press("go").session.mode is Mode.PLAY


def test_once_a_game_is_over_switches_may_still_be_judged() -> None:
    sitting = sit("draughts", position="W:Wc3:Bd4").do("-c3 +e5 -d4").wait()
    assert sitting.session.mode is Mode.OVER
    assert sitting.handle(deaf("a5")).session.mode is Mode.OVER
    assert sitting.session.deaf == {"a5"}


def test_while_a_game_is_shown_switches_may_be_judged() -> None:
    game = make("draughts")
    session = Replaying(game, replay(game, game.start(), [Line("act", "c3-d4")]))
    sitting = Sitting(session, session.state, set(session.state.pieces()) - {Cell("h8")})
    sitting.do("-a1 +a1")
    assert sitting.handle(deaf("g7")).session.mode is Mode.RESYNC
    assert sitting.handle(deaf("h8")).session.mode is Mode.REPLAY
    assert sitting.handle(heard("h8")).do("-a1 +a1").lit == {"h8": "missing"}
