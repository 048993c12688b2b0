"""Russian draughts by hand: what the board accepts, lights and says, edge by edge."""

from __future__ import annotations

from stories import accepted, sit, taken_back

from reedlight.core.game import Declaration, Side, Speech
from reedlight.scene.scene import Button, Lamp
from reedlight.session.events import Chosen, Copy, Ended, Refused, Spoken
from reedlight.session.session import Mode
from reedlight.session.settings import Commit, Guidance, Settings

CHAIN = "W:Wc3:Bd4,f6"
"""A man on c3 that must take d4 and f6."""


def test_a_man_moves_and_the_action_counts_once_the_board_is_still() -> None:
    sitting = sit("draughts").do("-c3 +d4")
    assert sitting.played == []
    assert sitting.wait(0.4).played == ["c3-d4"]
    assert sitting.lit_as("last") == ["c3", "d4"]


def test_movable_men_glow_and_a_lifted_one_shows_where_it_may_go() -> None:
    sitting = sit("draughts")
    assert sitting.lit_as("movable") == ["a3", "c3", "e3", "g3"]
    sitting.do("-c3")
    assert sitting.lit == {"c3": "source", "b4": "target", "d4": "target"}
    assert sitting.say == "Set the man down on a light, or put it back on c3."


def test_a_piece_put_back_is_forgotten() -> None:
    sitting = sit("draughts").do("-c3 1.5 +c3").wait()
    assert sitting.played == []
    assert sitting.lit_as("movable") == ["a3", "c3", "e3", "g3"]
    assert sitting.do("-e3 +f4").wait().played == ["e3-f4"]


def test_the_captured_man_may_leave_before_during_or_after() -> None:
    for story in ("-d4 -c3 +e5", "-c3 -d4 +e5", "-c3 +e5 -d4", "-c3&-d4 +e5", "-c3 -d4&+e5", "-c3&+e5 -d4"):
        assert sit("draughts", position="W:Wc3:Bd4,h8").do(story).wait().played == ["c3:e5"], story


def test_a_whole_chain_may_be_one_movement_or_stop_by_stop() -> None:
    for story in (
        "-c3 -d4 -f6 +g7",
        "-c3 +g7 -d4 -f6",
        "-c3 +e5 1 -d4 -e5 +g7 1 -f6",
        "-c3 +e5 -e5 +g7 2 -f6 -d4",
        "-f6 -d4 1 -c3 +g7",
    ):
        assert sit("draughts", position=CHAIN + ",h2").do(story).wait().played == ["c3:g7"], story


def test_after_each_stop_the_next_landing_and_the_men_jumped_so_far_are_lit() -> None:
    sitting = sit("draughts", position=CHAIN)
    assert sitting.do("-c3").lit == {"c3": "source", "e5": "target", "g7": "target"}
    sitting.do("+e5 2")
    assert sitting.lit == {"c3": "source", "g7": "target", "d4": "taken"}
    assert sitting.say == "Go on with the piece on e5: it must take again."
    sitting.do("-e5 +g7")
    assert sitting.lit_as("taken") == ["d4", "f6"]
    assert sitting.say == "Take what is captured off d4 and f6."
    assert sitting.do("-d4 -f6").wait().played == ["c3:g7"]


def test_an_unfinished_chain_is_never_accepted() -> None:
    sitting = sit("draughts", position=CHAIN).do("-c3 +e5 -d4").wait(60)
    assert sitting.played == []


def test_a_king_capturing_in_a_circle_may_end_where_it_began() -> None:
    circle = "W:WKc1:Bb2,b4,d2,d4,h8"
    game = sit("draughts", position=circle).session.game
    state = game.load(circle)
    rounds = [action for action in state.legal_actions() if game.notate(state, action).startswith("c1")]
    round_trips = [game.notate(state, a) for a in rounds if a.start == a.end]
    assert round_trips
    sitting = sit("draughts", position=circle).do("-c1 +c1 -b2 -b4 -d4 -d2").wait()
    assert sitting.played == round_trips[:1]


def test_a_forced_capture_is_explained_when_another_piece_is_lifted() -> None:
    sitting = sit("draughts", position="W:Wc3,h2:Bd4,b8").do("-h2")
    assert sitting.lit == {"h2": "forbidden"}
    assert sitting.say == "You must capture: with c3."
    assert sitting.why == "Put it back on h2."
    assert any(isinstance(effect, Refused) for effect in sitting.effects)
    assert sitting.do("+h2").lit_as("movable") == ["c3"]


def test_what_no_action_explains_is_shown_after_a_grace_and_play_goes_on_once_it_is_right() -> None:
    sitting = sit("draughts").do("-c3 +c5")
    assert "extra" not in sitting.lit.values()
    sitting.wait(0.8)
    assert (sitting.lit_as("missing"), sitting.lit_as("extra")) == (["c3"], ["c5"])
    assert sitting.say == "Put the piece on c5 back on c3."
    assert sitting.do("-c5 +c3").wait().lit_as("extra") == []
    assert sitting.do("-c3 +d4").wait().played == ["c3-d4"]


def test_a_wrong_cell_may_be_put_right_by_setting_the_piece_down_rightly() -> None:
    assert sit("draughts").do("-c3 +c5 2 -c5 +d4").wait().played == ["c3-d4"]


def test_a_knocked_table_is_led_back() -> None:
    sitting = sit("draughts").do("-a1 -b2 -h8 +h4 +a5").wait()
    assert sitting.lit_as("missing") == ["a1", "b2", "h8"]
    assert sitting.lit_as("extra") == ["a5", "h4"]
    assert sitting.say == "Put back a1, b2 and h8; take off a5 and h4."
    sitting.do("-a5 -h4 +h8 +b2 +a1").wait()
    assert sitting.lit_as("movable") == ["a3", "c3", "e3", "g3"]


def test_sliding_over_cells_and_nudging_a_neighbour_change_nothing() -> None:
    sitting = sit("draughts", position="W:WKa1:Bh2").do("-a1")
    for cell in ("b2", "c3", "d4"):
        sitting.do(f"+{cell} -{cell}")
    sitting.do("+e5").wait()
    assert sitting.played == ["a1-e5"]
    assert sit("draughts").do("-c3").blink("e3").do("+d4").wait().played == ["c3-d4"]


def test_a_blink_is_no_lift() -> None:
    sitting = sit("draughts").blink("c3").wait()
    assert sitting.played == []
    assert sitting.lit_as("movable") == ["a3", "c3", "e3", "g3"]


def test_the_next_player_may_lift_before_the_board_has_settled() -> None:
    sitting = sit("draughts").do("-c3 +d4 -f6 +g5").wait()
    assert sitting.played == ["c3-d4", "f6-g5"]


def test_the_next_players_lift_accepts_the_action_before_it() -> None:
    sitting = sit("draughts").do("-c3 +d4 -f6")
    assert sitting.played == ["c3-d4"]
    assert sitting.lit_as("target") == ["e5", "g5"]


def test_two_quick_players_whose_edges_fall_into_one_report_are_both_understood() -> None:
    assert sit("draughts").do("-c3 +d4&-f6 +g5").wait().played == ["c3-d4", "f6-g5"]


def test_a_piece_slid_on_after_it_counted_is_moved_on() -> None:
    sitting = sit("draughts", position="W:WKa1:Bh2").do("-a1 +c3").wait()
    assert sitting.played == ["a1-c3"]
    assert sitting.do("-c3 +e5").wait().played == ["a1-e5"]
    assert taken_back(sitting) == 1


def test_an_action_undone_by_hand_is_taken_back() -> None:
    sitting = sit("draughts").do("-c3 +d4").wait().do("-d4 +c3").wait()
    assert sitting.played == []
    assert sitting.why == "Taken back: c3-d4."
    assert sitting.do("-e3 +f4").wait().played == ["e3-f4"]


def test_only_the_last_action_can_be_undone_by_hand() -> None:
    sitting = sit("draughts").do("-c3 +d4").wait().do("-f6 +g5").wait().do("-d4 +c3").wait()
    assert sitting.played == ["c3-d4", "f6-g5"]
    assert (sitting.lit_as("missing"), sitting.lit_as("extra")) == (["d4"], ["c3"])


def test_a_piece_set_down_before_the_old_one_is_lifted_is_asked_about() -> None:
    sitting = sit("draughts").do("+d4 -c3").wait()
    assert sitting.session.mode is Mode.ASK
    assert sitting.say == "Did you play c3-d4?"
    assert sitting.played == []
    assert sitting.press("go").played == ["c3-d4"]


def test_a_question_is_never_answered_by_time_and_can_be_dropped() -> None:
    sitting = sit("draughts").do("+d4 -c3").wait(600)
    assert sitting.session.mode is Mode.ASK
    sitting.press("back").wait()
    assert sitting.session.mode is Mode.PLAY
    assert sitting.do("-d4 +c3").wait().played == []


def test_a_question_ends_when_the_board_changes_to_something_else() -> None:
    sitting = sit("draughts").do("+d4 -c3").wait().do("-d4 +c3").wait()
    assert sitting.session.mode is Mode.PLAY
    assert sitting.played == []


def test_with_the_button_policy_nothing_counts_before_go() -> None:
    sitting = sit("draughts", commit=Commit.BUTTON).do("-c3 +d4").wait()
    assert sitting.played == []
    assert sitting.say == "c3-d4 is played. GO accepts it."
    assert sitting.session.scene.lamps[Button.GO] is Lamp.BLINK
    assert sitting.press("go").played == ["c3-d4"]


def test_with_the_button_policy_an_unaccepted_action_may_still_be_changed() -> None:
    sitting = sit("draughts", commit=Commit.BUTTON).do("-c3 +d4").wait().do("-d4 +c3 -e3 +f4").wait()
    assert sitting.press("go").played == ["e3-f4"]
    assert taken_back(sitting) == 0


def test_with_the_button_policy_go_asks_about_an_action_in_the_wrong_order() -> None:
    sitting = sit("draughts", commit=Commit.BUTTON).do("+d4 -c3").wait()
    assert sitting.session.mode is Mode.PLAY
    assert sitting.press("go").say == "Did you play c3-d4?"
    assert sitting.press("go").played == ["c3-d4"]


def test_with_the_button_policy_an_accepted_action_is_taken_back_by_hand_only_with_go() -> None:
    sitting = sit("draughts", commit=Commit.BUTTON).do("-c3 +d4").press("go").do("-d4 +c3").wait()
    assert sitting.played == ["c3-d4"]
    assert sitting.press("go").played == []


def test_with_the_opponent_policy_the_other_sides_lift_accepts() -> None:
    sitting = sit("draughts", commit=Commit.OPPONENT).do("-c3 +d4").wait(10)
    assert sitting.played == []
    assert sitting.why == "It counts once the other side lifts a piece or rolls."
    assert sitting.do("-f6").played == ["c3-d4"]
    assert sitting.do("+g5 2").played == ["c3-d4"]
    assert sitting.press("go").played == ["c3-d4", "f6-g5"]


def test_with_the_opponent_policy_quick_answers_are_told_apart() -> None:
    sitting = sit("draughts", commit=Commit.OPPONENT).do("-c3 +d4 -f6 +g5").wait()
    assert sitting.played == ["c3-d4"]
    assert sitting.do("-b2 +c3 -d6").played == ["c3-d4", "f6-g5", "b2-c3"]


def test_back_takes_the_last_action_back_and_leads_the_pieces() -> None:
    sitting = sit("draughts", position="W:Wc3:Bd4,h8").do("-c3 -d4 +e5").wait().press("back")
    assert sitting.played == []
    assert sitting.session.mode is Mode.RESYNC
    assert sitting.lit == {"c3": "missing", "d4": "missing", "e5": "extra"}
    assert sitting.why == "Taken back: c3:e5."
    sitting.do("-e5 +c3 +d4").wait()
    assert sitting.session.mode is Mode.PLAY
    assert sitting.do("-c3 -d4 +e5").wait().played == ["c3:e5"]


def test_back_with_a_piece_in_hand_leads_it_home() -> None:
    sitting = sit("draughts").do("-c3").press("back")
    assert sitting.session.mode is Mode.RESYNC
    assert sitting.do("+c3").session.mode is Mode.PLAY


def test_back_at_the_very_start_does_nothing() -> None:
    assert sit("draughts").press("back").session.mode is Mode.PLAY


def test_the_end_is_announced_with_its_reason_and_can_be_taken_back() -> None:
    sitting = sit("draughts", position="W:Wc3:Bd4").do("-c3 +e5 -d4").wait()
    assert sitting.session.mode is Mode.OVER
    assert sitting.say == "White wins: Black has no pieces."
    assert sitting.lit_as("winner") == ["e5"]
    assert any(isinstance(effect, Ended) for effect in sitting.effects)
    sitting.do("-e5").wait()
    assert sitting.session.mode is Mode.OVER
    sitting.do("+e5").press("back")
    assert sitting.session.mode is Mode.RESYNC


def test_go_at_the_end_begins_a_new_game_with_its_set_up() -> None:
    sitting = sit("draughts", position="W:Wc3:Bd4").do("-c3 +e5 -d4").wait().press("go")
    assert sitting.session.mode is Mode.SETUP
    assert sitting.session.history == ()


def test_set_up_counts_the_missing_pieces_down_and_go_begins() -> None:
    sitting = sit("draughts", begun=False)
    assert sitting.session.mode is Mode.SETUP
    assert sitting.say == "Set up the board: 24 pieces are still missing."
    for cell in sorted(sitting.session.state.pieces()):
        sitting.press("go")
        assert sitting.session.mode is Mode.SETUP
        sitting.do(f"+{cell}")
    assert sitting.say == "The board is ready. Press GO to begin."
    sitting.do("+e5")
    assert sitting.say == "Clear the board: 1 piece is too many."
    sitting.do("-a1")
    assert sitting.say == "Set up the board: 1 missing, 1 too many."
    assert sitting.do("+a1 -e5").press("go").session.mode is Mode.PLAY


def test_a_draw_is_offered_by_holding_next_and_accepted_by_go() -> None:
    sitting = sit("draughts").hold("next")
    assert sitting.why == "White offers a draw: GO accepts, BACK declines."
    sitting.press("go")
    assert sitting.say == "A draw: agreed."


def test_a_draw_is_declined_by_back_and_lapses_with_the_next_move() -> None:
    assert sit("draughts").hold("next").press("back").played == ["offer draw", "decline draw"]
    lapsed = sit("draughts").do("-c3 +d4").wait().hold("next").do("-f6 +g5").wait().do("-b2 +c3").wait()
    assert lapsed.press("go").session.mode is not Mode.OVER


def test_a_move_made_while_a_draw_is_offered_is_accepted_before_the_draw() -> None:
    sitting = sit("draughts", commit=Commit.BUTTON).hold("next").do("-c3 +d4").wait().press("go")
    assert sitting.played == ["offer draw", "c3-d4"]


def test_a_resignation_ends_the_game_and_can_be_taken_back() -> None:
    resign = Declaration(Side.DARK, Speech.RESIGN)
    sitting = sit("draughts").handle(Spoken(resign))
    assert sitting.say == "White wins: Black resigned."
    assert sitting.press("back").session.mode is Mode.PLAY
    assert sitting.handle(Spoken(Declaration(Side.LIGHT, Speech.ACCEPT_DRAW))).played == []


def test_nothing_is_declared_before_the_game_begins() -> None:
    sitting = sit("draughts", begun=False).hold("next").press("back", "hint", "next")
    assert sitting.handle(Spoken(Declaration(Side.DARK, Speech.RESIGN))).played == []
    assert sitting.session.mode is Mode.SETUP


def test_a_game_can_be_played_by_buttons_alone() -> None:
    sitting = sit("draughts", position="W:Wc3,a1:Bd6,h8").press("next")
    assert sitting.session.mode is Mode.ASK
    while sitting.session.scene.options[0].label and "from c3" not in sitting.say:
        sitting.press("next")
    sitting.press("go")
    while "c3-d4" not in sitting.say:
        sitting.press("next")
    sitting.press("go")
    assert sitting.played == ["c3-d4"]
    assert sitting.session.mode is Mode.RESYNC
    assert sitting.lit == {"c3": "extra", "d4": "missing"}
    assert sitting.do("-c3 +d4").session.mode is Mode.PLAY


def test_a_tap_answers_a_choice_made_by_buttons() -> None:
    sitting = sit("draughts", position="W:Wc3,a1:Bd6,h8").press("next").do("-a1 +a1")
    assert sitting.played == ["a1-b2"]


def test_an_action_chosen_on_a_screen_is_played_and_the_board_is_led_to_it() -> None:
    sitting = sit("draughts").choose("c3-d4")
    assert sitting.played == ["c3-d4"]
    assert sitting.session.mode is Mode.RESYNC
    assert sitting.do("-c3 +d4").session.mode is Mode.PLAY


def test_an_illegal_choice_and_one_before_the_game_are_ignored() -> None:
    sitting = sit("draughts")
    move = sitting.action("c3-d4")
    sitting.choose("c3-d4").do("-c3 +d4")
    assert sitting.handle(Chosen(move)).played == ["c3-d4"]
    assert sit("draughts", begun=False).handle(Chosen(move)).played == []
    assert sit("draughts").handle(Chosen(Declaration(Side.LIGHT, Speech.RESIGN))).played == []


def test_a_computers_action_is_copied_and_nothing_else_is_taken() -> None:
    sitting = sit("draughts").copy("c3-d4")
    assert sitting.session.mode is Mode.COPY
    assert sitting.lit == {"c3": "source", "d4": "target"}
    assert sitting.say == "Please play c3-d4 for White."
    sitting.do("-e3 +f4").wait()
    assert sitting.played == []
    assert (sitting.lit_as("missing"), sitting.lit_as("extra")) == (["e3"], ["f4"])
    sitting.do("-f4 +e3").wait().do("-c3")
    assert sitting.lit == {"c3": "source", "d4": "target"}
    assert sitting.do("+d4").wait().played == ["c3-d4"]
    assert sitting.session.mode is Mode.PLAY


def test_a_copied_action_can_be_accepted_by_go_and_not_by_back() -> None:
    sitting = sit("draughts").copy("c3-d4").press("back")
    assert sitting.session.mode is Mode.COPY
    assert sitting.press("go").played == ["c3-d4"]
    assert sitting.session.mode is Mode.RESYNC


def test_a_copied_action_counts_under_every_policy() -> None:
    for commit in Commit:
        assert sit("draughts", commit=commit).copy("c3-d4").do("-c3 +d4").wait().played == ["c3-d4"], commit


def test_an_illegal_action_is_not_copied() -> None:
    sitting = sit("draughts")
    move = sitting.action("c3-d4")
    assert sitting.do("-c3 +d4").wait().handle(Copy(move)).session.mode is Mode.PLAY


def test_less_guidance_lights_less_but_never_hides_what_is_wrong() -> None:
    targets = sit("draughts", guidance=Guidance.TARGETS)
    assert targets.lit == {}
    assert targets.do("-c3").lit_as("target") == ["b4", "d4"]
    errors = sit("draughts", guidance=Guidance.ERRORS)
    assert errors.do("-c3").lit == {}
    errors.do("+c5").wait()
    assert (errors.lit_as("missing"), errors.lit_as("extra")) == (["c3"], ["c5"])


def test_even_with_least_guidance_a_captive_left_standing_is_shown_after_a_while() -> None:
    sitting = sit("draughts", position="W:Wc3:Bd4,h8", guidance=Guidance.ERRORS).do("-c3 +e5")
    assert sitting.lit == {}
    assert sitting.wait().lit == {"d4": "taken"}


def test_hint_shows_full_guidance_for_the_turn() -> None:
    sitting = sit("draughts", guidance=Guidance.ERRORS).press("hint")
    assert sitting.lit_as("movable") == ["a3", "c3", "e3", "g3"]
    assert sitting.press("hint").lit == {}


def test_hint_held_says_again_why_a_piece_was_refused() -> None:
    sitting = sit("draughts", position="W:Wc3,h2:Bd4,b8").do("-h2 +h2").wait().hold("hint")
    assert sitting.why == "You must capture: with c3."


def test_the_captured_man_lifted_first_lights_what_can_take_it() -> None:
    sitting = sit("draughts", position="W:Wc3,e3:Bd4,h8").do("-d4")
    assert sitting.lit_as("movable") == ["c3", "e3"]
    assert sitting.say == "d4 is lifted: now take it with a lit piece."


def test_settings_can_change_during_a_game() -> None:
    sitting = sit("draughts")
    sitting.session.adjust(Settings(guidance={Side.LIGHT: Guidance.ERRORS, Side.DARK: Guidance.FULL}))
    assert sitting.lit == {}


def test_every_action_is_accepted_once() -> None:
    sitting = sit("draughts").do("-c3 +d4").wait(30)
    assert accepted(sitting) == 1


def test_a_flickering_switch_elsewhere_does_not_keep_an_action_from_counting() -> None:
    sitting = sit("draughts").do("-c3 +d4")
    for _ in range(4):
        sitting.blink("h8", 0.04).wait(0.1)
    assert sitting.played == ["c3-d4"]


def test_play_goes_on_without_a_switch_that_never_closes() -> None:
    sitting = sit("draughts", begun=False)
    for cell in sorted(set(sitting.start.pieces()) - {"c3"}):
        sitting.do(f"+{cell}")
    assert sitting.why == "Or hold GO to play without those cells."
    assert sitting.hold("go").session.mode is Mode.PLAY
    assert sitting.do("-e3 +f4").wait().played == ["e3-f4"]
    sitting.do("-f6 +e5").wait()
    assert sitting.do("+d4").wait().say == "Did you play c3-d4?"
    assert sitting.press("go").played[-1] == "c3-d4"


def test_a_board_that_cannot_be_put_right_is_believed_when_go_is_held() -> None:
    sitting = sit("draughts").do("-c3 +d4").wait().press("back").do("-d4")
    assert sitting.session.mode is Mode.RESYNC
    assert sitting.hold("go").session.mode is Mode.PLAY
    stuck = sit("draughts").do("+c5").wait()
    assert stuck.lit_as("forbidden") == ["c5"]
    stuck.do("+a5").wait()
    assert stuck.hold("go").lit_as("movable") == ["a3", "c3", "e3", "g3"]
    assert stuck.do("-c3 +d4").wait().played == ["c3-d4"]


def test_holding_go_while_nothing_is_wrong_does_nothing() -> None:
    sitting = sit("draughts").do("-c3").hold("go")
    assert sitting.do("+d4").wait().played == ["c3-d4"]


def test_a_new_game_believes_every_switch_again() -> None:
    sitting = sit("draughts", position="W:Wc3:Bd4").do("+a5 +b6").wait().hold("go")
    sitting.do("-c3 +e5 -d4").wait().press("go")
    assert "a5" in sitting.lit


def test_the_lamps_say_what_the_buttons_do() -> None:
    lamps = sit("draughts").hold("next").session.scene.lamps
    assert lamps[Button.GO] is Lamp.BLINK
    copying = sit("draughts").do("-c3 +d4").wait().copy("f6-g5").session.scene.lamps
    assert copying[Button.BACK] is Lamp.ON, "it takes back what was played before"


def test_a_copied_action_needs_no_go_and_says_so() -> None:
    sitting = sit("draughts", commit=Commit.BUTTON).copy("c3-d4").do("-c3 +d4")
    assert "GO" not in sitting.say


def test_an_old_refusal_is_not_repeated_to_the_other_side() -> None:
    sitting = sit("draughts").do("-a1 +a1").wait().do("-c3 +d4").wait().hold("hint")
    assert sitting.why != "This man is blocked."


def test_a_choice_by_buttons_lights_the_whole_action_and_names_the_way_out() -> None:
    sitting = sit("draughts", position="B:Wc5,h2:Bb6").press("next")
    assert sitting.say == "Play b6:d4?"
    assert sitting.why == "GO: yes. BACK: no. There is no other."
    assert sitting.lit == {"b6": "choice", "c5": "capture", "d4": "target"}


def test_resigning_while_pieces_are_led_home_shows_the_result() -> None:
    sitting = sit("draughts").do("-c3 +d4").wait().press("back")
    resign = next(each for each in sitting.session.state.declarations() if each.speech is Speech.RESIGN)
    assert sitting.handle(Spoken(resign)).session.mode is Mode.OVER
