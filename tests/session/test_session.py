"""What a session is asked and told besides the board: its record, its clock, its words in between."""

from __future__ import annotations

from stories import sit

from reedlight.core.game import Roll
from reedlight.record.journal import Entry
from reedlight.session.events import Accepted, Rolled
from reedlight.session.session import Mode
from reedlight.session.settings import Commit


def test_the_entries_are_the_history_with_the_states_before() -> None:
    sitting = sit("draughts").do("-c3 +d4").wait().do("-f6 +g5").wait()
    first, second = sitting.session.entries
    assert first == Entry(sitting.session.history[0], sitting.start)
    assert second.before == sitting.start.apply(first.action)
    assert [entry.action for entry in sitting.session.entries] == list(sitting.session.history)


def test_time_means_nothing_while_the_board_is_set_up_or_led_or_the_game_is_over() -> None:
    for sitting in (
        sit("draughts", begun=False),
        sit("draughts").do("-c3").press("back"),
        sit("draughts", position="W:Wc3:Bd4").do("-c3 +e5 -d4").wait(),
    ):
        assert sitting.session.mode in (Mode.SETUP, Mode.RESYNC, Mode.OVER)
        assert sitting.session.deadline is None
        assert sitting.session.tick(sitting.now + 60) == ()


def test_a_draw_can_be_offered_over_a_board_that_is_not_right() -> None:
    sitting = sit("draughts").do("-c3 +c5").hold("next")
    assert sitting.lit == {}
    assert sitting.why == "White offers a draw: GO accepts, BACK declines."
    assert sitting.wait().lit == {"c3": "missing", "c5": "extra"}


def test_the_nearest_board_that_was_understood_is_the_one_to_go_back_to() -> None:
    sitting = sit("draughts").do("-c3 +d4 -d4&-a1").wait()
    assert sitting.lit == {"a1": "missing", "d4": "missing"}
    assert sitting.do("+d4 +a1").wait().played == ["c3-d4"]


def test_no_other_dice_count_than_those_that_were_asked_for() -> None:
    sitting = sit("herd", "3").press("go")
    late = sitting.handle(Rolled(Roll((2, 5)))).handle(Rolled(Roll((6, 6))))
    assert late.played == ["2-5"]
    assert [effect for effect in late.effects if isinstance(effect, Accepted)] == [Accepted(Roll((2, 5)))]


def test_what_is_lit_and_said_follows_on_what_stands_though_go_has_not_accepted_it() -> None:
    position = "1,B2,1,B1/B1,G1,B1,G1/G2,1,G2,B1/B1,G1,B1,G1 B roll"
    sitting = sit("diablo", "4", position, commit=Commit.BUTTON).roll(1, 2).do("-a1 -b1 +b1 0.4 -a3")
    assert sitting.lit_as("source") == ["a3"]
    assert sitting.lit_as("merge") == ["c3"]
    assert sitting.wait(1).why == "Set it on c3? Press GO, or lift c3 and put it back."
    assert sitting.press("go").played == ["1-2", "capture 1 a1-b1", "merge 2 a3-c3"]


def test_a_declined_offer_is_taken_back_with_its_answer() -> None:
    sitting = sit("draughts").do("-c3 +d4").wait().hold("next").press("back", "back")
    assert sitting.played == ["c3-d4"]
    sitting.press("back").do("-d4 +c3").wait()
    assert sitting.played == []


def test_an_action_to_copy_that_comes_while_the_board_is_led_waits_for_it() -> None:
    sitting = sit("draughts").do("-c3 +d4").wait().press("back").copy("a3-b4").do("-d4 +c3").wait()
    assert sitting.say == "Please play a3-b4 for White."
    assert sitting.do("-e3 +f4").wait().played == []
    assert sitting.do("-f4 +e3").wait().do("-a3 +b4").wait().played == ["a3-b4"]


def test_nobody_is_asked_to_touch_a_stack_whose_switch_is_deaf() -> None:
    sitting = sit("diablo", "4").roll(1, 2).do("-b1 -d3 -c4").wait().hold("go").do("+d3 +c4 +b1").wait()
    assert sitting.choose("capture 1 a1-b1").do("-a1").session.mode is Mode.ROLL
    leading = sit("diablo", "4").roll(1, 2).choose("capture 1 a1-b1").hold("go")
    assert leading.do("-a1 -b1 +b1").session.mode is Mode.ROLL
