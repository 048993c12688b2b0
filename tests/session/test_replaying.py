"""A game that was played is shown step by step; the board is led, and whoever presses GO plays on from there."""

from __future__ import annotations

import pytest
from stories import Sitting

from reedlight.core.game import Correction, Declaration, Roll, Side, Speech
from reedlight.core.grid import Cell
from reedlight.games import make
from reedlight.record.journal import Line, replay
from reedlight.scene.scene import Button
from reedlight.session.events import Accepted, Began, Chosen, Deaf, Heard, Mode, NeedRoll, Spoken
from reedlight.session.replaying import Replay, Replaying
from reedlight.session.settings import Commit, Settings

MOVES = ("act c3-d4", "act d6-c5", "act b2-c3")


def shown(name: str = "draughts", size: str = "8", *lines: str, start: str = "") -> Sitting:
    """A game with these lines in its journal, at its start; nothing stands on the board yet."""
    game = make(name, size)
    beginning = game.load(start) if start else game.start()
    parts = [line.partition(" ") for line in lines or MOVES]
    past = replay(game, beginning, [Line(kind, text) for kind, _, text in parts])
    assert past.broken == ""
    return Sitting(Replaying(game, past, Settings()), beginning)


def set_up(sitting: Sitting) -> Sitting:
    """Every piece where the game begins."""
    return sitting.do("&".join(f"+{cell}" for cell in sorted(sitting.start.occupancy())))


def replaying(sitting: Sitting) -> Replaying:
    assert isinstance(sitting.session, Replaying)
    return sitting.session


def lamps(sitting: Sitting) -> set[str]:
    return {button.value for button, lamp in sitting.session.scene.lamps.items() if lamp.value != "off"}


# ------------------------------------------------------------------------------------------- steps


def test_a_replay_is_a_past_and_a_place_in_it() -> None:
    game = make("draughts")
    past = replay(game, game.start(), [Line("act", "c3-d4"), Line("act", "d6-c5")])
    first = Replay(past)
    assert (first.steps, first.at, first.entries, first.state) == (2, 0, (), game.start())
    assert first.moved(-1) == first
    assert first.moved(1).entries == past.entries[:1]
    assert first.moved(1).state == past.entries[1].before
    assert first.moved(9) == Replay(past, 2)
    assert first.moved(9).state == past.state


def test_at_the_start_the_game_is_set_up_and_next_goes_on() -> None:
    sitting = shown()
    assert sitting.session.mode is Mode.RESYNC
    assert set(sitting.lit.values()) == {"missing"}
    assert set_up(sitting).session.mode is Mode.REPLAY
    assert sitting.say == "Step 0 of 3: the start."
    assert sitting.why == "NEXT goes on, BACK goes back, GO plays on from here."
    assert (sitting.lit, lamps(sitting)) == ({}, {"go", "next"})


def test_every_step_leads_the_board_and_then_shows_what_was_played() -> None:
    sitting = set_up(shown()).press("next")
    assert (sitting.say, sitting.why) == ("Step 1 of 3: White plays c3-d4.", "Move c3 to d4.")
    assert sitting.lit == {"c3": "extra", "d4": "missing"}
    assert sitting.do("-c3 +d4").session.mode is Mode.REPLAY
    assert sitting.lit == {"c3": "last", "d4": "last"}
    assert lamps(sitting) == {"go", "next", "back"}


def test_back_leads_the_board_back() -> None:
    sitting = set_up(shown()).press("next").do("-c3 +d4").press("back")
    assert (sitting.say, sitting.why) == ("Step 0 of 3: the start.", "Move d4 to c3.")
    assert sitting.do("-d4 +c3").session.mode is Mode.REPLAY
    assert (sitting.lit, sitting.session.history) == ({}, ())


def test_whoever_only_watches_need_not_follow() -> None:
    sitting = set_up(shown()).press("next").press("next")
    assert sitting.say == "Step 2 of 3: Black plays d6-c5."
    assert sitting.lit == {"c3": "extra", "d4": "missing", "d6": "extra", "c5": "missing"}
    assert len(sitting.session.history) == 2
    assert sitting.do("-c3 -d6 +d4 +c5").session.mode is Mode.REPLAY


def test_there_is_nothing_before_the_start_and_after_the_end() -> None:
    sitting = set_up(shown()).press("back")
    assert sitting.say == "Step 0 of 3: the start."
    for _ in range(5):
        sitting.press("next")
    assert sitting.say == "Step 3 of 3: White plays b2-c3."
    assert lamps(sitting) == {"go", "back"}


def test_a_hand_that_plays_what_comes_next_is_led_back() -> None:
    sitting = set_up(shown()).do("-c3 +d4").wait()
    assert sitting.session.mode is Mode.RESYNC
    assert sitting.session.history == ()
    assert sitting.do("-d4 +c3").session.mode is Mode.REPLAY


def test_time_means_nothing_while_a_game_is_shown() -> None:
    session = set_up(shown()).do("-c3").session
    assert session.deadline is None
    assert session.tick(100.0) == ()


def test_what_else_is_done_means_nothing_while_a_game_is_shown() -> None:
    sitting = set_up(shown())
    sitting.press("hint")
    sitting.session.handle(Spoken(Declaration(Side.LIGHT, Speech.RESIGN)), 1.0)
    sitting.handle(Chosen("no move"))
    sitting.hold("hint").hold("go")
    assert sitting.session.mode is Mode.REPLAY
    assert sitting.effects == []


def test_switches_that_are_wrong_are_overruled() -> None:
    sitting = set_up(shown()).press("next")
    assert sitting.hold("go").session.mode is Mode.REPLAY
    assert sitting.press("next").why == "Move d6 to c5."


def test_switches_may_be_disbelieved_and_believed_again() -> None:
    cells = frozenset((Cell("c3"), Cell("d4")))
    sitting = set_up(shown()).handle(Deaf(cells)).press("next")
    assert sitting.session.mode is Mode.REPLAY
    assert sitting.handle(Heard(cells)).lit == {"c3": "extra", "d4": "missing"}
    assert sitting.handle(Deaf(frozenset((Cell("c3"),)))).lit == {"d4": "missing"}


# -------------------------------------------------------------------------------------- dice and words


DICE = ("roll 2-1", "act merge 2 a1-c1", "roll 1-2", "act capture 1 d1-d2")


def test_dice_are_shown_as_they_fell() -> None:
    sitting = set_up(shown("diablo", "4", *DICE)).press("next")
    assert sitting.say == "Step 1 of 4: the dice show 2-1."
    assert [die.pips for die in sitting.session.scene.dice] == [2, 1]
    assert sitting.press("next").say == "Step 2 of 4: Black plays merge 2 a1-c1."
    assert sitting.why == "Set a1 on c1."


def test_stacks_that_no_switch_can_see_are_to_be_touched() -> None:
    sitting = set_up(shown("diablo", "4", *DICE)).press("next").press("next").do("-a1")
    assert sitting.why.startswith("Put c1 right: a black stack of 2.")
    assert sitting.do("-c1 +c1").session.mode is Mode.REPLAY


def test_words_and_recounts_are_steps_too() -> None:
    sitting = set_up(shown("draughts", "8", "say light offer draw", "say dark decline draw", "act c3-d4"))
    assert sitting.press("next").say == "Step 1 of 3: White says: offer draw."
    assert sitting.press("next").say == "Step 2 of 3: Black says: decline draw."
    sitting = set_up(shown("diablo", "4", *DICE[:2], "recount c1=1"))
    for _ in range(3):
        sitting.press("next")
    assert sitting.session.history[-1] == Correction(((Cell("c1"), 1),))
    assert sitting.say == "Step 3 of 3: the recount."


def test_the_end_is_told_and_nothing_is_played_on_from_there() -> None:
    sitting = set_up(shown("draughts", "8", "act c3:e5", start="W:Wc3:Bd4")).press("next").do("-d4 -c3 +e5")
    assert sitting.why == "White wins: Black has no pieces. BACK goes back."
    assert lamps(sitting) == {"back"}
    assert sitting.press("go").session.mode is Mode.REPLAY
    sitting = set_up(shown("draughts", "8", "say light offer draw", "say dark accept draw")).press("next").press("next")
    assert sitting.why == "A draw: agreed. BACK goes back."


# ------------------------------------------------------------------------------------------ playing on


def test_go_plays_on_from_what_is_shown() -> None:
    sitting = set_up(shown()).press("next").do("-c3 +d4").press("go")
    session = replaying(sitting)
    assert sitting.effects == [Began()]
    assert (session.mode, session.replay, session.history) == (Mode.PLAY, None, ())
    assert session.game.dump(session.state).startswith("B:Wa1,a3,b2,c1,d2,d4,")
    assert session.beginning == session.state
    sitting.do("-d6 +c5").wait()
    assert isinstance(sitting.effects[-1], Accepted)
    assert len(session.history) == 1


def test_a_board_that_is_not_right_yet_is_led_on() -> None:
    sitting = set_up(shown()).press("next").press("go")
    assert sitting.effects == [Began()]
    assert sitting.session.mode is Mode.RESYNC
    assert sitting.say == "Move c3 to d4."
    assert sitting.do("-c3 +d4").session.mode is Mode.PLAY


def test_what_came_before_does_not_count_any_more() -> None:
    walk = ("a1-b2", "h2-g1", "b2-a1", "g1-h2", "a1-b2", "h2-g1")
    sitting = set_up(shown("draughts", "8", *(f"act {move}" for move in walk), start="W:WKa1:BKh2"))
    for _ in walk:
        sitting.press("next")
    sitting.do("-a1 +b2 -h2 +g1").press("go").do("-b2 +a1").wait().do("-g1 +h2").wait()
    assert sitting.session.state.outcome is None
    assert len(sitting.session.history) == 2


def test_dice_are_rolled_anew_where_they_were_not_rolled_yet() -> None:
    sitting = set_up(shown("diablo", "4", *DICE)).press("next").press("next").do("-a1 -c1 +c1").press("go")
    assert sitting.session.mode is Mode.ROLL
    assert NeedRoll() in sitting.press("go").effects


def test_a_turn_is_played_on_with_the_dice_that_lie_there() -> None:
    sitting = set_up(shown("diablo", "4", *DICE)).press("next").press("go")
    assert sitting.session.mode is Mode.PLAY
    assert [die.pips for die in sitting.session.scene.dice] == [2, 1]


def test_an_action_chosen_on_a_screen_plays_on_with_it() -> None:
    sitting = set_up(shown()).press("next").do("-c3 +d4")
    action = sitting.session.game.parse(sitting.session.state, "b6-a5")
    effects = sitting.session.handle(Chosen(action), sitting.now)
    assert effects == (Began(), Accepted(action))
    assert sitting.session.mode is Mode.RESYNC
    assert replaying(sitting).beginning == sitting.session.entries[0].before


def test_overruled_switches_stay_overruled() -> None:
    sitting = set_up(shown()).press("next").hold("go").press("go")
    assert sitting.session.mode is Mode.PLAY


def test_the_next_game_at_the_board_is_an_ordinary_one() -> None:
    start = "W:Wc3:Bd4,h8"
    sitting = set_up(shown("draughts", "8", "act c3:e5", start=start)).press("go").do("-c3 -d4 +e5").wait()
    sitting.session.handle(Spoken(Declaration(Side.DARK, Speech.RESIGN)), sitting.now)
    assert sitting.session.mode is Mode.OVER
    assert sitting.press("go").session.mode is Mode.SETUP
    assert replaying(sitting).beginning is None
    assert sitting.session.scene.lamps[Button.GO].value == "off"


def test_settings_hold_for_what_is_played_on() -> None:
    sitting = set_up(shown())
    sitting.session.adjust(Settings(commit=Commit.BUTTON))
    sitting.press("go").do("-c3 +d4").wait()
    assert sitting.session.history == ()
    assert len(sitting.press("go").session.history) == 1
    sitting.session.adjust(Settings(commit=Commit.SETTLE))
    assert len(sitting.do("-d6 +c5").wait().session.history) == 2


@pytest.mark.parametrize("at", range(5))
def test_every_position_can_be_played_on_from(at: int) -> None:
    sitting = shown("diablo", "4", *DICE)
    for _ in range(at):
        sitting.press("next")
    sitting.press("go")
    assert replaying(sitting).replay is None
    game = sitting.session.game
    assert game.dump(sitting.session.state) == game.dump(replaying(shown("diablo", "4", *DICE))._replay.moved(at).state)
    assert not [roll for roll in sitting.session.history if isinstance(roll, Roll)]
