"""A piece that is set down where it may not stand is led back, and the game says why."""

from __future__ import annotations

from stories import Sitting, sit

from reedlight.core.grid import Cell
from reedlight.session.events import Refused

MUST_TAKE = "W:Wc3,h2:Bd4,b8"


def refused(sitting: Sitting) -> list[str]:
    return [f"{effect.cell}: {effect.why}" for effect in sitting.effects if isinstance(effect, Refused)]


def test_a_quiet_move_where_one_must_capture() -> None:
    sitting = sit("draughts", position=MUST_TAKE).do("-h2 +g3").wait()
    assert sitting.say == "Put the piece on g3 back on h2."
    assert sitting.why == "You must capture: with c3."
    assert "g3: You must capture: with c3." in refused(sitting)


def test_a_man_that_goes_too_far() -> None:
    sitting = sit("draughts").do("-c3 +e5").wait()
    assert sitting.why == "This man can go to b4 or d4."


def test_a_man_on_a_light_square() -> None:
    sitting = sit("draughts").do("-c3 +c4").wait()
    assert sitting.why == "Pieces stand on the dark squares only."


def test_a_move_that_is_right_with_something_else_in_hand_is_not_objected_to() -> None:
    sitting = sit("draughts").do("-c3 -h8 +d4").wait()
    assert sitting.why == "Play goes on once the board is right."
    assert refused(sitting) == []


def test_a_man_of_the_other_side() -> None:
    sitting = sit("draughts").do("-f6 +e5").wait()
    assert sitting.why == "It is White's turn."


def test_a_stack_that_goes_another_distance() -> None:
    sitting = sit("diablo", "6", "6/6/6/6/B2,5/G1,5 B roll").roll(1, 2).do("-a2 +d2").wait()
    assert sitting.say == "Put the piece on d2 back on a2."
    assert sitting.why == "A stack goes 1 or 2 cells, straight along a row or column."


def test_a_second_move_to_an_empty_cell() -> None:
    sitting = (
        sit("diablo", "6", "6/6/B1,5/6/B2,1,B1,3/G1,5 B roll").roll(1, 2).do("-c2 +c3").wait().do("-a2 +c2").wait()
    )
    assert sitting.why == "The first move went to an empty cell; this one may not."


def test_a_stack_that_may_not_move_at_all() -> None:
    sitting = sit("diablo", "6", "6/6/6/6/B2,5/G1,3,B1,1 B roll").roll(1, 2).do("-a2 +a3").wait().do("-e1 +f1").wait()
    assert sitting.why == "Nothing to merge with or take 2 cells away."


def test_a_stone_that_was_moved_in_herd() -> None:
    sitting = sit("herd", "3").roll(1, 2).do("+0,0").wait()
    game, state = sitting.session.game, sitting.session.state
    assert game.refuse_move(state, Cell("0,0"), Cell("1,0")) == game.refuse(state, Cell("0,0"))


def test_a_board_that_was_knocked_over_is_not_argued_with() -> None:
    sitting = sit("draughts").do("-c3&-e3&-g3&-a3").wait()
    assert sitting.why == "Play goes on once the board is right."


def test_hint_held_says_again_why_a_piece_that_was_set_down_is_refused() -> None:
    sitting = sit("draughts", position=MUST_TAKE).do("-h2 +g3").wait().do("-g3 +h2").wait().hold("hint")
    assert sitting.why == "You must capture: with c3."
