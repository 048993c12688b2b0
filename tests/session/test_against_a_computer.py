"""A person at one side, a computer at the other: who is asked when, what the board shows, what a hand may do."""

from __future__ import annotations

from dataclasses import replace

import pytest
from stories import Sitting, sit_down

from reedlight.core.game import BadOption, Declaration, Side, Speech
from reedlight.core.grid import Cell
from reedlight.games import make
from reedlight.record.journal import Past
from reedlight.scene.scene import Button, Lamp
from reedlight.session.events import Advised, Anew, Board, Chosen, Deaf, NeedChoice, NeedHint, Seated, Spoken
from reedlight.session.session import Mode, Session
from reedlight.session.settings import LEVELS, PERSON, Commit, Guidance, Seat, Settings, seat

COMPUTER = Seat(level=3)
AGAINST_BLACK = {Side.LIGHT: PERSON, Side.DARK: COMPUTER}
AGAINST_WHITE = {Side.LIGHT: COMPUTER, Side.DARK: PERSON}
NOBODY = {Side.LIGHT: COMPUTER, Side.DARK: COMPUTER}


def draughts(seats: dict[Side, Seat], position: str = "", commit: Commit = Commit.SETTLE) -> Sitting:
    game = make("draughts")
    state = game.load(position) if position else game.start()
    return sit_down(game, state, Settings(commit=commit, seats=seats))


def asked(sitting: Sitting) -> list[Side]:
    """Who was asked to choose, in order."""
    return [effect.side for effect in sitting.effects if isinstance(effect, NeedChoice)]


# ------------------------------------------------------------------------------------ who is asked


def test_two_persons_are_never_asked() -> None:
    sitting = draughts({}).do("-c3 +d4").wait().do("-d6 +c5").wait()
    assert sitting.played == ["c3-d4", "d6-c5"]
    assert asked(sitting) == []


def test_the_computer_is_asked_once_when_it_is_to_act() -> None:
    sitting = draughts(AGAINST_BLACK)
    assert asked(sitting) == []
    assert sitting.do("-c3 +d4").wait().session.mode is Mode.THINK
    assert sitting.say == "Black is thinking."
    assert asked(sitting.wait(20).press("next", "hint")) == [Side.DARK]


def test_go_asks_again_whoever_may_have_failed() -> None:
    assert asked(draughts(AGAINST_BLACK).do("-c3 +d4").wait().press("go")) == [Side.DARK] * 2


def test_a_computer_that_begins_is_asked_as_soon_as_the_game_begins() -> None:
    assert asked(draughts(AGAINST_WHITE)) == [Side.LIGHT]


def test_what_it_chose_is_copied_and_it_is_asked_again_after_the_persons_next_move() -> None:
    sitting = draughts(AGAINST_BLACK).do("-c3 +d4").wait().copy("d6-c5")
    assert sitting.say == "Please play d6-c5 for Black."
    assert sitting.session.copying == sitting.action("d6-c5")
    sitting.do("-d6 +c5").wait()
    assert (sitting.session.mode, sitting.played) == (Mode.PLAY, ["c3-d4", "d6-c5"])
    assert asked(sitting.do("-b2 +c3").wait()) == [Side.DARK] * 2


def test_two_computers_are_asked_in_turn() -> None:
    sitting = draughts(NOBODY).copy("c3-d4").do("-c3 +d4").wait().copy("d6-c5").do("-d6 +c5").wait()
    assert asked(sitting) == [Side.LIGHT, Side.DARK, Side.LIGHT]


def test_dice_are_rolled_by_a_hand_for_whoever_plays() -> None:
    game = make("diablo", "6")
    sitting = sit_down(game, game.start(), Settings(seats={Side.LIGHT: PERSON, Side.DARK: COMPUTER}))
    assert (sitting.session.mode, asked(sitting)) == (Mode.ROLL, [])
    assert asked(sitting.roll(1, 2)) == [Side.DARK]


def test_both_actions_of_a_computers_turn_are_asked_for() -> None:
    game = make("diablo", "4")
    state = game.load("G1,B1,G1,B1/B1,G1,B1,G1/B1,B1,G1,B1/1,G1,B1,G1 G roll")
    sitting = sit_down(game, state, Settings(seats=AGAINST_WHITE)).roll(1, 2)
    first = sitting.session.state.legal_actions()[0]
    sitting.copy(game.notate(sitting.session.state, first)).press("go")
    assert asked(sitting) == [Side.LIGHT] * 2


def test_an_interrupted_game_goes_on_with_the_computer_thinking() -> None:
    game = make("draughts")
    after = game.start().apply(game.parse(game.start(), "c3-d4"))
    session = Session(game, Settings(seats=AGAINST_BLACK), Past((), after))
    sitting = Sitting(session, after, set(after.pieces())).handle(Board(frozenset(after.pieces())))
    assert sitting.session.mode is Mode.RESUME
    assert asked(sitting.press("go")) == [Side.DARK]


def test_it_thinks_while_the_board_is_led() -> None:
    sitting = draughts(AGAINST_BLACK).choose("c3-d4")
    assert (sitting.session.mode, asked(sitting)) == (Mode.RESYNC, [Side.DARK])
    assert sitting.copy("d6-c5").do("-c3 +d4").session.mode is Mode.COPY
    assert sitting.lit == {"d6": "source", "c5": "target", "c3": "last", "d4": "last"}


def test_another_player_on_the_side_is_asked_anew_and_a_person_just_plays() -> None:
    sitting = draughts(AGAINST_BLACK).do("-c3 +d4").wait().copy("d6-c5")
    settings = sitting.session.settings
    sitting.effects += sitting.session.adjust(replace(settings, seats={**AGAINST_BLACK, Side.DARK: Seat(level=5)}))
    assert (sitting.session.mode, asked(sitting)) == (Mode.THINK, [Side.DARK] * 2)
    sitting.effects += sitting.session.adjust(replace(settings, seats={}))
    assert sitting.do("-f6 +g5").wait().played == ["c3-d4", "f6-g5"]
    assert sitting.session.adjust(replace(settings, seats={})) == ()


# ---------------------------------------------------------------------------------- what a hand may


def test_while_it_thinks_a_hand_moves_nothing() -> None:
    sitting = draughts(AGAINST_BLACK).do("-c3 +d4").wait().do("-d6")
    assert sitting.wait(0.3).lit_as("forbidden") == ["d6"]
    assert sitting.say == "Black is thinking."
    sitting.do("+c5").wait()
    assert (sitting.lit_as("missing"), sitting.lit_as("extra"), sitting.played) == (["d6"], ["c5"], ["c3-d4"])
    assert sitting.do("-c5 +d6").copy("d6-c5").do("-d6 +c5").wait().played == ["c3-d4", "d6-c5"]


def test_what_a_quick_hand_does_for_it_is_not_played() -> None:
    sitting = draughts(AGAINST_BLACK)
    sitting.board ^= {Cell("c3"), Cell("d4")}
    sitting.handle(Board(frozenset(sitting.board))).wait(0.1)
    sitting.board ^= {Cell("d6"), Cell("c5")}
    sitting.handle(Board(frozenset(sitting.board))).wait()
    assert sitting.played == ["c3-d4"]
    assert (sitting.lit_as("missing"), sitting.lit_as("extra")) == (["d6"], ["c5"])


def test_while_copying_any_other_piece_is_refused_by_name_of_what_comes_first() -> None:
    sitting = draughts(AGAINST_BLACK).do("-c3 +d4").wait().copy("d6-c5").do("-f6").wait(0.3)
    assert sitting.say == "First comes d6-c5."


def test_copying_is_led_however_little_its_side_is_told_otherwise() -> None:
    guidance = dict.fromkeys((Side.LIGHT, Side.DARK), Guidance.ERRORS)
    game = make("draughts")
    sitting = sit_down(game, game.start(), Settings(guidance=guidance, seats=AGAINST_BLACK))
    sitting.do("-c3 +d4").wait().copy("d6-c5").do("-d6")
    assert sitting.lit == {"d6": "source", "c5": "target", "c3": "last", "d4": "last"}
    assert sitting.wait().why == "If it is done, press GO."


def test_nothing_is_chosen_or_offered_for_it_on_a_screen_or_by_buttons() -> None:
    sitting = draughts(AGAINST_BLACK).do("-c3 +d4").wait()
    assert sitting.choose("d6-c5").press("next", "go").played == ["c3-d4"]
    assert sitting.copy("f6-g5").choose("d6-c5").played == ["c3-d4"]
    assert sitting.choose("f6-g5").played == ["c3-d4", "f6-g5"]


def test_a_cell_without_a_switch_is_not_asked_about_while_it_thinks() -> None:
    sitting = draughts(AGAINST_BLACK).handle(Deaf(frozenset({Cell("c5")}))).do("-c3 +d4").wait().do("-d6").wait()
    assert sitting.asked == []
    sitting.do("+d6").wait().copy("d6-c5").do("-d6").wait().press("go")
    assert sitting.played == ["c3-d4", "d6-c5"]


def test_an_action_counts_before_a_computer_even_where_it_waits_for_the_opponents_hand() -> None:
    sitting = draughts(AGAINST_BLACK, commit=Commit.OPPONENT).do("-c3 +d4").wait()
    assert sitting.played == ["c3-d4"]


# ------------------------------------------------------------------------------------- taking back


def test_back_takes_back_to_the_persons_own_decision() -> None:
    sitting = draughts(AGAINST_BLACK).do("-c3 +d4").wait().copy("d6-c5").do("-d6 +c5").wait().press("back")
    assert sitting.played == []
    assert sitting.do("-c5 -d4 +d6 +c3").wait().session.mode is Mode.PLAY
    assert asked(sitting.do("-e3 +f4").wait()) == [Side.DARK] * 2


def test_back_while_it_thinks_or_is_copied_takes_the_persons_action_back() -> None:
    for before in (Sitting.wait, lambda sitting: sitting.copy("d6-c5")):
        sitting = draughts(AGAINST_BLACK).do("-c3 +d4").wait()
        before(sitting)
        assert sitting.press("back").played == []


def test_back_first_puts_back_what_is_in_hand_and_the_copy_goes_on() -> None:
    sitting = draughts(AGAINST_BLACK).do("-c3 +d4").wait().copy("d6-c5").do("-f6").press("back")
    assert (sitting.session.mode, sitting.played) == (Mode.RESYNC, ["c3-d4"])
    sitting.do("+f6")
    assert (sitting.session.mode, asked(sitting)) == (Mode.COPY, [Side.DARK])


def test_nothing_is_taken_back_before_the_person_has_chosen_anything() -> None:
    sitting = draughts(AGAINST_WHITE).copy("c3-d4").do("-c3 +d4").wait()
    assert sitting.session.scene.lamps[Button.BACK] is Lamp.OFF
    assert sitting.press("back").played == ["c3-d4"]


def test_what_two_computers_chose_is_taken_back_one_by_one_and_chosen_anew() -> None:
    sitting = draughts(NOBODY).copy("c3-d4").do("-c3 +d4").wait().press("back")
    assert sitting.played == []
    assert asked(sitting.do("-d4 +c3").wait()) == [Side.LIGHT, Side.DARK, Side.LIGHT]


def test_a_finished_game_against_a_computer_is_taken_back_past_its_end() -> None:
    sitting = draughts(AGAINST_BLACK, "W:Wc3,a1:Bd4,h8").choose("c3:e5")
    sitting.do("-c3 -d4 +e5").copy("h8-g7").press("go")
    assert sitting.press("back").session.state.to_act is Side.LIGHT
    assert sitting.played == []


# -------------------------------------------------------------------------------------------- draws


def test_a_draw_is_offered_to_the_computer_which_answers() -> None:
    sitting = draughts(AGAINST_BLACK).hold("next")
    assert asked(sitting) == [Side.DARK]
    assert sitting.press("go").session.state.outcome is None, "the person does not answer for it"
    sitting.handle(Spoken(Declaration(Side.DARK, Speech.DECLINE_DRAW)))
    assert sitting.do("-c3 +d4").wait().played == ["offer draw", "decline draw", "c3-d4"]


def test_the_computer_offers_nothing_when_next_is_held_in_its_turn() -> None:
    sitting = draughts(AGAINST_BLACK).do("-c3 +d4").wait().hold("next")
    assert sitting.played == ["c3-d4", "offer draw"]
    assert sitting.session.waits_for is Side.DARK


# -------------------------------------------------------------------------------------------- hints


def test_hint_lights_everything_and_asks_what_is_good() -> None:
    sitting = draughts({}).press("hint")
    assert sitting.effects[-1] == NeedHint()
    sitting.handle(Advised(sitting.action("c3-d4"), "goes to the middle"))
    assert sitting.lit == {"c3": "hint", "d4": "hint"}
    assert list(sitting.lit) == ["c3", "d4"], "one after the other, the way it goes"
    assert (sitting.say, sitting.why) == ("Goes to the middle", "Try c3-d4: the lights show how.")


def test_a_hint_goes_when_hint_is_pressed_again_or_something_is_played() -> None:
    sitting = draughts({}).press("hint")
    hint = Advised(sitting.action("c3-d4"), "goes to the middle")
    assert sitting.handle(hint).press("hint").lit_as("hint") == []
    assert sitting.press("hint").handle(hint).do("-e3 +f4").wait().lit_as("hint") == []


def test_a_hint_goes_with_the_position_it_was_for() -> None:
    for undo in (lambda sitting: sitting.press("back").do("-d4 +c3"), lambda sitting: sitting.do("-d4 +c3").wait()):
        sitting = draughts({}).do("-c3 +d4").wait().press("hint")
        sitting.handle(Advised(sitting.action("f6-g5"), "goes to the side"))
        assert sitting.lit_as("hint") == ["f6", "g5"]
        assert undo(sitting).lit_as("hint") == []


def test_hint_asks_again_in_the_second_half_of_a_turn() -> None:
    game = make("herd", "3")
    sitting = sit_down(game, game.start()).roll(3, 6).press("hint").do("+0,0").wait().press("hint")
    assert sitting.session.mode is Mode.PLAY
    assert sum(isinstance(effect, NeedHint) for effect in sitting.effects) == 2


def test_a_hint_that_comes_too_late_is_not_shown() -> None:
    sitting = draughts({})
    hint = Advised(sitting.action("c3-d4"), "goes to the middle")
    assert sitting.handle(hint).lit_as("hint") == [], "nobody asked"
    assert sitting.press("hint").do("-e3 +f4").wait().press("hint").handle(hint).lit_as("hint") == []


def test_a_hint_does_not_hide_where_a_lifted_piece_may_go() -> None:
    sitting = draughts({}).press("hint")
    sitting.handle(Advised(sitting.action("c3-d4"), "goes to the middle")).do("-e3")
    assert sitting.lit_as("target") == ["d4", "f4"]


# -------------------------------------------------------------------------------------------- seats


def test_seats_are_words() -> None:
    for each in (PERSON, Seat(level=1), Seat(level=LEVELS), Seat(engine="scan")):
        assert seat(str(each)) == each
    assert [str(PERSON), str(COMPUTER), str(Seat(engine="x"))] == ["person", "computer-3", "engine-x"]


@pytest.mark.parametrize("text", ["", "nobody", "computer", "computer-0", "computer-7", "computer-03", "engine-"])
def test_what_is_no_player_is_refused(text: str) -> None:
    with pytest.raises(BadOption, match="is no player; there are person, computer-1 to computer-6, engine-NAME"):
        seat(text)


def test_a_choice_for_a_computer_that_is_not_to_act_is_not_taken() -> None:
    sitting = draughts(AGAINST_BLACK)
    late = Chosen(sitting.action("c3-d4"))
    assert sitting.do("-e3 +f4").wait().handle(late).played == ["e3-f4"]


# ------------------------------------------------------------------------------- seated by buttons


def waiting(name: str, size: str | None = None) -> Sitting:
    """A board that is set up and not begun."""
    game = make(name, size)
    state = game.start()
    sitting = Sitting(Session(game, Settings(), state), state, set(state.pieces()))
    return sitting.handle(Board(frozenset(sitting.board)))


def test_next_seats_one_level_after_another_on_the_side_that_begins_second() -> None:
    sitting = waiting("draughts")
    assert sitting.session.scene.lamps[Button.NEXT] is Lamp.ON
    assert sitting.why.endswith("NEXT: a computer.")
    seen: list[str] = []
    for _ in range(LEVELS + 1):
        sitting.press("next")
        seen.append(str(sitting.session.settings.seats[Side.DARK]))
    assert seen == [*(f"computer-{level}" for level in range(1, LEVELS + 1)), "person"]
    assert [type(effect) for effect in sitting.effects] == [Seated] * (LEVELS + 1)


def test_a_new_game_after_the_end_is_told() -> None:
    sitting = draughts({}).handle(Spoken(Declaration(Side.LIGHT, Speech.RESIGN))).press("go")
    assert sitting.effects[-1] == Anew()


def test_as_many_cells_shine_as_the_level_is_high_and_it_is_said() -> None:
    sitting = waiting("draughts").press("next", "next", "next")
    assert len(sitting.lit_as("choice")) == 3
    assert all(sitting.session.state.pieces()[Cell(cell)].side is Side.DARK for cell in sitting.lit_as("choice"))
    assert sitting.why == "Black: computer 3. NEXT: another. HINT: other side."


def test_on_an_empty_board_any_cells_shine() -> None:
    assert len(waiting("herd", "4").press("next", "next").lit_as("choice")) == 2


def test_hint_changes_sides_before_the_game_and_the_game_begins_with_them() -> None:
    sitting = waiting("draughts").press("next", "hint")
    assert sitting.session.settings.computers == {Side.LIGHT}
    assert sitting.session.scene.lamps[Button.HINT] is Lamp.ON
    assert sitting.press("next").session.settings.seats[Side.LIGHT] == Seat(level=2)
    assert asked(sitting.press("go")) == [Side.LIGHT]


def test_what_is_missing_comes_before_who_plays() -> None:
    sitting = waiting("draughts").press("next").do("-c3")
    assert (sitting.lit_as("missing"), sitting.lit_as("choice")) == (["c3"], [])


def test_seats_are_changed_before_the_game_as_well() -> None:
    sitting = waiting("draughts")
    assert sitting.session.adjust(Settings(seats=AGAINST_WHITE)) == ()
    assert asked(sitting.press("go")) == [Side.LIGHT]


def test_hint_changes_no_sides_where_two_persons_play() -> None:
    assert waiting("draughts").press("hint").effects == []
