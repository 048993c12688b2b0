"""The failures that boards with reed switches are known for, one story each: how this one takes them."""

from __future__ import annotations

import pytest
from made_up import at, made_up
from stories import Sitting, sit, sit_down, taken_back

from reedlight.core.grid import Cell
from reedlight.core.trace import lift, place
from reedlight.scene.scene import Button, Lamp
from reedlight.session.events import Board, Press
from reedlight.session.session import Mode, Session
from reedlight.session.settings import Commit

A1, B1, C1, D1, E1, F1, G1, H1, H8, G8 = map(Cell, ("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "h8", "g8"))

TWO_CAPTURES = "B1,1,G2,1/4/G2,B2,G1,1/4 B roll"
"""Black's stack on b2 can take a2 and c2; the checker on a4 can do something only after the first."""

CASTLING = made_up(
    start=at(
        "light",
        light="e1 h1",
        dark="h8",
        king=(lift(E1) >> place(G1), "moved"),
        castle=(lift(E1) >> place(G1) >> lift(H1) >> place(F1), "castled"),
    ),
    moved=at("dark", light="g1 h1", dark="h8", reply=(lift(H8) >> place(G8), "answered")),
    castled=at("dark", light="f1 g1", dark="h8", reply=(lift(H8) >> place(G8), "over")),
    answered=at(None, light="g1 h1", dark="g8"),
    over=at(None, light="f1 g1", dark="g8"),
)
"""One action begins as another one is done."""

PROMOTION = made_up(
    start=at("light", light="a1", **dict.fromkeys(("king", "knight"), (lift(A1) >> place(B1), "over"))),
    over=at(None, light="b1"),
)
"""Two actions that are performed alike and even lead to the same board."""

TWO_ENDS = made_up(
    start=at("light", light="a1", crowned=(lift(A1) >> place(B1), "queen"), plain=(lift(A1) >> place(B1), "man")),
    queen=at("light", light="b1", home=(lift(B1) >> place(A1), "over")),
    man=at("light", light="b1", on=(lift(B1) >> place(C1), "over")),
    over=at(None, light="a1"),
)
"""Two actions that are performed alike and lead to different states, in which different things can be done."""


def test_f1_a_slide_that_rests_on_a_legal_cell_on_its_way_is_the_longer_move() -> None:
    for pause in (0.05, 0.3, 1.0):
        sitting = sit("draughts", position="W:WKa1:Bh2").do(f"-a1 +c3 {pause} -c3 +e5").wait()
        assert sitting.played == ["a1-e5"], pause


def test_f2_the_captured_stack_may_be_lifted_first_or_second() -> None:
    for story in ("-a1 -b1 +b1", "-b1 -a1 +b1"):
        assert sit("diablo", "4").roll(1, 2).do(story).wait().played == ["1-2", "capture 1 a1-b1"]


def test_f3_a_swap_that_no_switch_saw_is_asked_and_not_guessed() -> None:
    sitting = sit("diablo", "4").roll(1, 2).do("-a1").wait(30)
    assert sitting.played == ["1-2"]
    assert sitting.press("go").session.mode is Mode.ASK
    assert {answer[0].origin for answer in sitting.session.asking} == {"a1"}


def test_f4_a_neighbour_that_blinks_is_no_evidence_before_during_or_after() -> None:
    for story in (("", "-c3 +d4"), ("-c3", "+d4"), ("-c3 +d4", "")):
        before, after = story
        assert sit("draughts").do(before).blink("e3").do(after).wait().played == ["c3-d4"], story


def test_f4_a_neighbour_that_blinks_answers_no_question() -> None:
    asked = sit("diablo", "4", "G1,3/4/4/B1,B1,B1,1 B roll").roll(1, 2).do("-c1").press("go")
    assert asked.blink("b1").session.mode is Mode.ASK
    assert asked.do("-b1 +b1").played == ["1-2", "merge 1 c1-b1"]


def test_f5_captures_that_leave_the_same_cells_occupied_are_told_apart_by_what_was_touched() -> None:
    for target in ("a2", "b1"):
        sitting = sit("diablo", "4").roll(1, 2).do(f"-a1 -{target} +{target}").wait()
        assert sitting.played == ["1-2", f"capture 1 a1-{target}"]


def test_f5_two_captures_that_fit_equally_well_are_asked_and_no_next_lift_answers() -> None:
    sitting = sit("diablo", "4", TWO_CAPTURES).roll(1, 2).do("-b2 -a2 -c2 +c2 +a2").wait()
    assert sitting.session.mode is Mode.ASK
    assert [answer[0].target for answer in sitting.session.asking] == ["a2", "c2"]
    sitting.do("-a4").wait()
    assert sitting.played == ["1-2"]
    assert sitting.do("+a4").press("next", "go").played == ["1-2", "capture 1 b2-c2"]


def test_f5_the_next_action_says_which_of_two_captures_it_followed() -> None:
    sitting = sit("diablo", "4", TWO_CAPTURES).roll(1, 2).do("-b2 -a2 -c2 +c2 +a2").wait().do("-a4 -a2 +a2").wait()
    assert sitting.played == ["1-2", "capture 1 b2-a2", "merge 2 a4-a2"]


def test_f6_actions_performed_alike_are_asked_by_name_and_never_chosen_by_time() -> None:
    sitting = sit_down(TWO_ENDS, TWO_ENDS.start()).do("-a1 +b1").wait(60)
    assert sitting.played == []
    assert [option.label for option in sitting.session.scene.options] == ["crowned", "plain"]
    assert sitting.press("next", "go").played == ["plain"]


def test_f6_a_man_is_crowned_by_the_rules_and_nobody_is_asked() -> None:
    sitting = sit("draughts", position="W:Wc7:Bh8").do("-c7 +b8").wait()
    assert (sitting.played, sitting.asked) == (["c7-b8"], [])


def test_f6_actions_that_lead_to_the_same_state_need_no_question() -> None:
    sitting = sit_down(PROMOTION, PROMOTION.start()).do("-a1 +b1").wait()
    assert sitting.asked == []
    assert len(sitting.played) == 1


def test_f7_an_action_that_may_be_the_beginning_of_a_longer_one_waits_for_go() -> None:
    sitting = sit_down(CASTLING, CASTLING.start()).do("-e1 +g1").wait(60)
    assert sitting.played == []
    assert sitting.say == "king? GO accepts it, or go on."
    assert sitting.session.scene.lamps[Button.GO] is Lamp.BLINK
    assert sitting.press("go").played == ["king"]


def test_f7_the_longer_action_may_take_its_time() -> None:
    for pause in (0.1, 0.5, 20):
        assert sit_down(CASTLING, CASTLING.start()).do(f"-e1 +g1 {pause} -h1 {pause} +f1").wait().played == ["castle"]


def test_f7_the_other_sides_reply_says_that_the_shorter_one_was_meant() -> None:
    assert sit_down(CASTLING, CASTLING.start()).do("-e1 +g1 1 -h8 +g8").wait().played == ["king", "reply"]


def test_f8_changes_at_the_same_instant_are_all_seen() -> None:
    for story in ("-c3&+d4", "-c3&+d4&-f6&+g5", "-c3 +d4&-f6 +g5"):
        assert sit("draughts").do(story).wait().played[:1] == ["c3-d4"], story


def test_f8_edges_that_come_apart_by_less_than_the_scan_have_no_order() -> None:
    sitting = sit("draughts")
    for toggled in ("d4", "c3"):
        sitting.board ^= {Cell(toggled)}
        sitting.handle(Board(frozenset(sitting.board))).wait(0.01)
    assert sitting.wait().played == ["c3-d4"]


def test_f9_whole_turns_may_pass_between_two_reports() -> None:
    sitting = sit("draughts").do("-c3&+d4&-f6&+g5").wait()
    assert sitting.played == ["c3-d4", "f6-g5"]


def test_f10_a_switch_that_flickers_holds_play_up_for_no_longer_than_it_flickers() -> None:
    sitting = sit("draughts").do("-c3 +d4")
    for _ in range(60):
        sitting.blink("h2", 0.05).wait(0.2)
    assert sitting.wait().played == ["c3-d4"]


def test_f10_a_switch_that_comes_and_goes_for_minutes_is_outlived() -> None:
    sitting = sit("draughts").do("-c3")
    for _ in range(60):
        sitting.do("-h2 +h2")
    assert sitting.do("+d4").wait().played == ["c3-d4"]


def test_f10_a_board_that_is_tidied_for_minutes_is_understood_again() -> None:
    sitting = sit("draughts").do("-c3 +d4")
    for _ in range(60):
        sitting.do("-g7 +g7")
    assert sitting.wait().played == ["c3-d4"]


def test_f11_an_illegal_move_is_shown_after_a_short_grace() -> None:
    sitting = sit("draughts").do("-c3 +c5").wait(1.0)
    assert (sitting.lit_as("missing"), sitting.lit_as("extra")) == (["c3"], ["c5"])


def test_f12_the_wrong_piece_for_a_computers_move_is_shown_with_the_right_cells() -> None:
    sitting = sit("draughts").copy("c3-d4").do("-e3 +d4").wait()
    assert sitting.played == []
    assert (sitting.lit_as("missing"), sitting.lit_as("extra")) == (["e3"], ["d4"])
    assert sitting.do("-d4 +e3").wait().lit == {"c3": "source", "d4": "target"}


def test_f13_a_board_that_changed_while_it_was_off_is_led_back_before_the_game_goes_on() -> None:
    game = sit("draughts").session.game
    state = game.load("W:Wc3,a1:Bd6,h8")
    sitting = Sitting(Session(game, beginning=state), state)
    sitting.board |= {Cell(cell) for cell in ("c3", "a1", "d6", "e5")}
    sitting.handle(Board(frozenset(sitting.board))).press("go")
    assert sitting.session.mode is Mode.SETUP
    assert sitting.lit == {"h8": "missing", "e5": "extra"}
    assert sitting.do("-e5 +h8").press("go").session.mode is Mode.PLAY


@pytest.mark.parametrize("way", ["buttons", "screen", "back"])
def test_f14_no_board_is_so_wrong_that_the_game_cannot_go_on(way: str) -> None:
    sitting = sit("draughts").do("-a1&-b2&-c3&-d2&-e1&-h8&-g7 +e5").wait()
    if way == "buttons":
        sitting.press("next", "go", "go")
    elif way == "screen":
        sitting.choose("c3-d4")
    else:
        sitting.press("back")
    assert sitting.session.mode is Mode.RESYNC
    assert len(sitting.played) == (way != "back")
    assert {"missing", "extra"} == set(sitting.lit.values())


def test_f15_pieces_set_anywhere_are_no_command() -> None:
    sitting = sit("draughts").do("-a1 -h8 +d4 +e5").wait(60)
    assert (sitting.played, sitting.session.mode) == ([], Mode.PLAY)
    assert sitting.do("-d4 -e5 +a1 +h8").wait().lit_as("movable") == ["a3", "c3", "e3", "g3"]


def test_go_says_nothing_about_a_board_that_has_changed_since_it_was_asked_about() -> None:
    sitting = sit("diablo", "4", "G1,3/4/4/B1,B1,B1,1 B roll").roll(1, 2).do("-c1").press("go")
    assert sitting.do("+d1").handle(Press(Button.GO)).played == ["1-2", "empty 1 c1-d1"]


def test_what_was_chosen_after_a_question_came_up_is_chosen_whatever_the_board_shows() -> None:
    sitting = sit("draughts", position="W:Wa1:Bh8").press("next").do("-a1").press("go")
    assert sitting.played == ["a1-b2"]


def test_stacks_that_two_take_backs_have_changed_are_all_to_be_put_right() -> None:
    sitting = sit("diablo", "4", "G1,3/4/4/B1,B1,B1,B1 B roll").roll(1, 1).do("-a1 -b1 +b1 -c1 -d1 +d1").wait()
    assert sitting.played == ["1-1", "merge 1 a1-b1", "merge 1 c1-d1"]
    sitting.press("back", "back").do("+a1 +c1")
    assert sitting.say == "Put b1 and d1 right: as they were."
    assert sitting.do("-b1 +b1").lit == {"d1": "missing"}
    assert sitting.do("-d1 +d1").session.mode is Mode.PLAY
    assert taken_back(sitting) == 2


def test_with_the_button_policy_go_asks_which_of_two_it_was() -> None:
    sitting = sit("diablo", "4", TWO_CAPTURES, commit=Commit.BUTTON).roll(1, 2).do("-b2 -a2 -c2 +c2 +a2").wait()
    assert sitting.asked == []
    assert sitting.press("go").session.mode is Mode.ASK
    assert len(sitting.session.asking) == 2
