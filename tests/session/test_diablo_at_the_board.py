"""Diablo by hand: stacks that the switches cannot see, dice, and what is asked."""

from __future__ import annotations

from stories import sit, taken_back

from reedlight.core.game import Roll, Side
from reedlight.core.grid import Cell
from reedlight.session.events import NeedRoll, Rolled
from reedlight.session.session import Mode
from reedlight.session.settings import Commit, Guidance

MERGES = "G1,3/4/4/B1,B1,B1,1 B roll"
"""Black on a1, b1, c1; Green alone on a4."""
TALL = "G1,3/4/4/B3,2,B2 B dice 1,2 began empty left 2"


def test_go_rolls_and_the_dice_show() -> None:
    sitting = sit("diablo", "4")
    assert sitting.session.mode is Mode.ROLL
    assert sitting.press("go").effects[-1] == NeedRoll()
    assert sitting.press("go").effects.count(NeedRoll()) == 1
    sitting.handle(Rolled(Roll((2, 1))))
    assert [die.pips for die in sitting.session.scene.dice] == [2, 1]
    assert sitting.session.mode is Mode.PLAY


def test_dice_that_cannot_fall_or_were_not_asked_for_are_ignored() -> None:
    sitting = sit("diablo", "4").handle(Rolled(Roll((1, 1))))
    assert sitting.played == []
    assert sitting.press("go").handle(Rolled(Roll((7, 1)))).played == []


def test_no_roll_while_the_board_is_not_right() -> None:
    sitting = sit("diablo", "4").do("-a1").press("go")
    assert NeedRoll() not in sitting.effects


def test_a_capture_by_replacement_is_read_whichever_stack_is_lifted_first() -> None:
    for story in ("-a1 -b1 +b1", "-b1 -a1 +b1", "-a1&-b1 +b1", "-b1 1 -a1 1 +b1"):
        assert sit("diablo", "4").roll(1, 2).do(story).wait().played == ["1-2", "capture 1 a1-b1"], story


def test_a_move_to_an_empty_cell() -> None:
    sitting = sit("diablo", "4", MERGES).roll(1, 2).do("-c1 +d1").wait()
    assert sitting.played == ["1-2", "empty 1 c1-d1"]
    assert [die.spent for die in sitting.session.scene.dice] == [True, False]


def test_lifting_a_stack_shows_what_the_dice_allow_by_kind() -> None:
    sitting = sit("diablo", "4", MERGES).roll(1, 2).do("-b1")
    assert sitting.lit == {
        "b1": "source",
        "a1": "merge",
        "c1": "merge",
        "d1": "target",
        "b2": "target",
        "b3": "target",
    }
    assert sitting.session.scene.lights[Cell("a1")].note == "merge, makes 2"


def test_a_merge_with_the_target_lifted_needs_no_question() -> None:
    for story in ("-c1 -b1 +b1", "-b1 -c1 +b1", "-c1&-b1 +b1", "-c1 1 -b1 0.3 +b1"):
        sitting = sit("diablo", "4", MERGES).roll(1, 2).do(story).wait()
        assert sitting.played == ["1-2", "merge 1 c1-b1"], story
        assert sitting.asked == []


def test_tapping_the_target_while_the_stack_is_on_it_says_which() -> None:
    assert sit("diablo", "4", MERGES).roll(1, 2).do("-c1 3 -a1 +a1").wait().played == ["1-2", "merge 2 c1-a1"]


def test_a_merge_dropped_on_top_is_never_guessed() -> None:
    sitting = sit("diablo", "4", MERGES).roll(1, 2).do("-c1").wait(60)
    assert sitting.played == ["1-2"]
    assert sitting.why == "Set it on one of 2 stacks? Tap that stack, or press GO."


def test_go_asks_which_stack_it_was_set_on_and_next_goes_on() -> None:
    sitting = sit("diablo", "4", MERGES).roll(1, 2).do("-c1").press("go")
    assert sitting.session.mode is Mode.ASK
    assert len(sitting.asked) == 1
    first = sitting.lit_as("choice")
    assert sitting.press("next").lit_as("choice") != first
    assert sitting.lit_as("source") == ["c1"]
    sitting.press("next", "go")
    assert sitting.session.mode is Mode.PLAY
    assert len(sitting.played) == 2


def test_a_tap_answers_the_question_at_once() -> None:
    sitting = sit("diablo", "4", MERGES).roll(1, 2).do("-c1").press("go").do("-b1 +b1")
    assert sitting.played == ["1-2", "merge 1 c1-b1"]


def test_a_dropped_question_leaves_the_stack_in_the_hand() -> None:
    sitting = sit("diablo", "4", MERGES).roll(1, 2).do("-c1").press("go", "back").do("+d1").wait()
    assert sitting.played == ["1-2", "empty 1 c1-d1"]


def test_a_question_is_dropped_when_the_stack_goes_elsewhere() -> None:
    sitting = sit("diablo", "4", MERGES).roll(1, 2).do("-c1").press("go").do("+d1").wait()
    assert sitting.played == ["1-2", "empty 1 c1-d1"]


def test_go_accepts_the_only_merge_there_is() -> None:
    sitting = sit("diablo", "4", "G1,3/4/4/B1,B1,2 B roll").roll(1, 1).do("-a1")
    assert sitting.why == "Only one of the two moves may go to an empty cell."
    assert sitting.wait(1).why == "Set it on b1? Press GO, or lift b1 and put it back."
    sitting.press("go")
    assert sitting.played == ["1-1", "merge 1 a1-b1"]
    assert sitting.asked == []


def test_a_swap_too_fast_to_be_seen_is_accepted_by_go_where_no_merge_explains_it() -> None:
    sitting = sit("diablo", "4", "G1,3/4/G1,3/B1,3 B roll").roll(1, 1).do("-a1").wait()
    assert sitting.press("go").played == ["1-1", "capture 1 a1-a2"]


def test_a_nudge_of_an_enemy_is_no_capture() -> None:
    sitting = sit("diablo", "4").roll(1, 1).do("-a1").blink("b1").wait()
    assert sitting.played == ["1-1"]


def test_a_single_checker_is_given_up_by_taking_it_off() -> None:
    sitting = sit("diablo", "4", "G1,3/4/4/B3,2,B1 B dice 1,2 began empty left 2")
    assert sitting.lit == {"a1": "remove", "d1": "remove"}
    assert sitting.do("-d1").wait().played == ["remove d1"]


def test_a_checker_of_a_taller_stack_is_given_up_by_a_tap() -> None:
    sitting = sit("diablo", "4", TALL).do("-a1")
    assert sitting.say == "Take one off the stack of 3 and put the rest back on a1."
    assert sitting.do("0.4 +a1").wait().played == ["remove a1"]
    assert sitting.session.state.pieces()[Cell("a1")].height == 2


def test_a_checker_picked_off_unseen_is_asked_about_only_when_go_is_pressed() -> None:
    sitting = sit("diablo", "4", TALL).wait(30)
    assert sitting.asked == []
    sitting.press("go")
    assert [actions[0].cell for actions in sitting.session.asking] == ["a1", "d1"]
    assert sitting.press("next", "go").played == ["remove d1"]


def test_the_only_stack_there_is_needs_no_question() -> None:
    sitting = sit("diablo", "4", "G1,3/4/4/B3,3 B dice 1,2 began empty left 2").press("go")
    assert sitting.played == ["remove a1"]


def test_a_single_checker_given_up_can_be_put_back_before_the_roll() -> None:
    sitting = sit("diablo", "4", "G1,3/4/4/B3,2,B1 B dice 1,2 began empty left 2").do("-d1").wait()
    assert sitting.do("+d1").wait().played == []
    assert taken_back(sitting) == 1


def test_both_moves_of_a_turn_may_follow_without_a_pause() -> None:
    sitting = sit("diablo", "4", MERGES).roll(1, 2).do("-c1 +d1 -b1 -d1 +d1").wait()
    assert sitting.played == ["1-2", "empty 1 c1-d1", "merge 2 b1-d1"]


def test_go_accepts_and_rolls_in_one_press_when_the_board_is_about_to_settle() -> None:
    sitting = sit("diablo", "4").roll(1, 2).do("-a1 -b1 +b1").roll(1, 2)
    assert sitting.played == ["1-2", "capture 1 a1-b1", "1-2"]


def test_with_the_button_policy_go_accepts_first_and_rolls_next() -> None:
    sitting = sit("diablo", "4", commit=Commit.BUTTON).roll(1, 2).do("-a1 -b1 +b1").wait().press("go")
    assert sitting.played == ["1-2", "capture 1 a1-b1"]
    assert sitting.roll(2, 2).played[-1] == "2-2"


def test_with_the_opponent_policy_the_roll_accepts() -> None:
    sitting = sit("diablo", "4", commit=Commit.OPPONENT).roll(1, 2).do("-a1 -b1 +b1").wait()
    assert sitting.played == ["1-2"]
    assert sitting.roll(2, 2).played == ["1-2", "capture 1 a1-b1", "2-2"]


def test_the_same_dice_come_again_after_a_take_back() -> None:
    sitting = sit("diablo", "4").roll(1, 2).do("-a1 -b1 +b1").wait().roll(2, 2).press("back")
    assert sitting.played == ["1-2"]
    assert sitting.session.state.to_act is Side.DARK
    assert sitting.lit == {"a1": "missing", "b1": "missing"}
    assert sitting.say == "Move b1 to a1, set a green checker on b1."
    sitting.do("+a1")
    assert sitting.session.mode is Mode.RESYNC
    assert sitting.say == "Put b1 right: a green checker."
    sitting.do("-b1 +b1")
    assert sitting.session.mode is Mode.PLAY
    sitting.do("-a1 -b1 +b1").wait()
    before = sitting.effects.count(NeedRoll())
    assert sitting.press("go").played == ["1-2", "capture 1 a1-b1", "2-2"]
    assert sitting.effects.count(NeedRoll()) == before


def test_stacks_no_switch_can_see_may_be_put_right_by_go() -> None:
    sitting = sit("diablo", "4").roll(1, 2).do("-a1 -b1 +b1").wait().press("back").do("+a1")
    assert sitting.session.mode is Mode.RESYNC
    assert sitting.press("go").session.mode is Mode.PLAY


def test_go_does_not_end_leading_while_pieces_are_missing() -> None:
    sitting = sit("diablo", "4").roll(1, 2).do("-a1 -b1 +b1").wait().press("back", "go")
    assert sitting.session.mode is Mode.RESYNC


def test_a_roll_alone_is_taken_back_and_comes_again() -> None:
    sitting = sit("diablo", "4").roll(1, 2).press("back")
    assert sitting.played == []
    assert sitting.why == "Taken back: 1-2."
    assert sitting.press("go").played == ["1-2"]


def test_a_stack_that_may_not_move_is_refused_with_its_reason() -> None:
    sitting = sit("diablo", "4").roll(1, 2).do("-a2")
    assert sitting.lit == {"a2": "forbidden"} or sitting.lit_as("movable")
    refused = sit("diablo", "4", MERGES).roll(1, 1).do("-a4")
    assert refused.lit == {"a4": "forbidden"}
    assert refused.why == "Put it back on a4."


def test_a_merge_chosen_on_a_screen_leads_the_stack_to_its_place() -> None:
    sitting = sit("diablo", "4", MERGES).roll(1, 2).choose("merge 1 c1-b1")
    assert sitting.lit == {"c1": "extra", "b1": "missing"}
    sitting.do("-c1")
    assert sitting.say == "Put b1 right: a black stack of 2."
    assert sitting.do("-b1 +b1").session.mode is Mode.PLAY


def test_several_stacks_to_be_put_right_are_named_together() -> None:
    sitting = sit("diablo", "4", TALL).do("-a1 0.4 +a1").wait().press("back")
    assert sitting.say == "Put a1 right: a black stack of 3."


def test_a_computers_merge_is_copied_by_hand_or_by_go() -> None:
    sitting = sit("diablo", "4", MERGES).roll(1, 2).copy("merge 1 c1-b1")
    assert sitting.lit == {"c1": "source", "b1": "merge"}
    assert sitting.do("-c1 -b1 +b1").wait().played[-1] == "merge 1 c1-b1"
    unseen = sit("diablo", "4", MERGES).roll(1, 2).copy("merge 1 c1-b1").do("-c1").press("go")
    assert unseen.played[-1] == "merge 1 c1-b1"
    removal = sit("diablo", "4", TALL).copy("remove a1")
    assert removal.lit == {"a1": "remove"}


def test_the_game_ends_when_a_side_has_no_checker() -> None:
    sitting = sit("diablo", "4", "G1,3/4/4/B1,3 G dice 1,2 began empty left 2").do("-a4").wait()
    assert sitting.session.mode is Mode.OVER
    assert sitting.say == "Black wins: Green has no checkers left."


def test_buttons_alone_play_a_turn() -> None:
    sitting = sit("diablo", "4", TALL).press("next")
    assert sitting.session.mode is Mode.ASK
    assert sitting.press("go").played == ["remove a1"]
    assert sitting.session.mode is Mode.RESYNC


def test_a_hint_lasts_until_the_turn_is_over() -> None:
    sitting = sit("diablo", "4", MERGES, guidance=Guidance.ERRORS).roll(1, 2).press("hint")
    assert sitting.lit_as("movable") == ["a1", "b1", "c1"]
    sitting.do("-c1 +d1").wait()
    assert sitting.lit_as("movable")
    sitting.do("-b1 -d1 +d1").wait().roll(1, 2)
    assert sitting.lit_as("movable") == []


def test_what_was_lifted_while_the_stack_stood_on_its_cell_was_not_taken_by_it() -> None:
    sitting = sit("diablo", "4", "G1,3/4/4/B1,G1,B1,1 B roll").roll(1, 2)
    sitting.do("-a1 +a1 -b1 +b1 -a1 -c1").do("+c1").wait()
    assert sitting.played == ["1-2", "merge 2 a1-c1"]
