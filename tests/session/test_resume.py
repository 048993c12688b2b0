"""A game that was begun before: offered, never assumed; nothing of it is lost, and nothing comes twice."""

from __future__ import annotations

import pytest
from stories import Sitting

from reedlight.core.game import Roll
from reedlight.games import make
from reedlight.record.journal import Line, line_of, replay
from reedlight.session.events import Accepted, Began, NeedRoll, Resumed, TakenBack
from reedlight.session.session import Mode, Session


def come_back(name: str, size: str, *lines: tuple[str, str]) -> Sitting:
    """A board that wakes up with these lines in its journal; nothing stands on it yet."""
    game = make(name, size)
    past = replay(game, game.start(), [Line(*line) for line in lines])
    assert past.broken == ""
    return Sitting(Session(game, beginning=past), past.state)


def standing(sitting: Sitting, story: str = "") -> Sitting:
    """Every piece where it belongs, but for the edges of the story."""
    sitting.do(" ".join(f"+{cell}" for cell in sitting.start.occupancy())).do(story)
    return sitting.wait()


MOVED = ("act", "c3-d4")


def test_a_board_that_wakes_up_says_what_it_has() -> None:
    sitting = standing(come_back("draughts", "8", MOVED))
    assert sitting.session.mode is Mode.RESUME
    assert sitting.say == "Russian draughts 8. Black to move."
    assert sitting.why == "GO goes on with it. BACK begins a new one."
    assert sitting.lit == {}


def test_go_goes_on_where_the_game_stood() -> None:
    sitting = standing(come_back("draughts", "8", MOVED)).press("go")
    assert sitting.effects[-1] == Resumed()
    assert sitting.session.mode is Mode.PLAY
    assert len(sitting.do("-f6 +g5").wait().session.history) == 2


def test_back_begins_anew() -> None:
    sitting = standing(come_back("draughts", "8", MOVED)).press("back")
    assert sitting.session.mode is Mode.SETUP
    assert sitting.session.history == ()
    assert sitting.do("-d4 +c3").press("go").effects[-1] == Began()


def test_a_board_that_was_disturbed_is_led_back_once_somebody_says_so() -> None:
    sitting = standing(come_back("draughts", "8", MOVED), "-a1 -h8 +a5")
    assert sitting.why == "3 cells differ: GO leads them back. BACK begins anew."
    assert sitting.lit == {"a1": "missing", "h8": "missing", "a5": "extra"}
    assert sitting.press("go").session.mode is Mode.RESYNC
    assert sitting.do("-a5 +a1 +h8").session.mode is Mode.PLAY


def test_one_cell_that_differs_is_counted_in_the_singular() -> None:
    assert standing(come_back("draughts", "8"), "-a1").why == "1 cell differs: GO leads them back. BACK begins anew."


def test_what_was_played_meanwhile_is_offered_and_not_assumed() -> None:
    sitting = standing(come_back("draughts", "8", MOVED), "-f6 +g5")
    assert sitting.say == "Was f6-g5 played meanwhile?"
    assert sitting.lit == {"f6": "choice", "g5": "choice"}
    assert len(sitting.session.history) == 1
    sitting.press("go")
    assert [type(effect) for effect in sitting.effects] == [Resumed, Accepted]
    assert sitting.say == "White to move."


def test_what_was_not_played_meanwhile_is_led_back() -> None:
    sitting = standing(come_back("draughts", "8", MOVED), "-f6 +g5").press("next")
    assert sitting.session.mode is Mode.RESYNC
    assert sitting.do("-g5 +f6").say == "Black to move."
    assert len(sitting.session.history) == 1


def test_next_does_nothing_where_nothing_is_offered() -> None:
    assert standing(come_back("draughts", "8", MOVED)).press("next").session.mode is Mode.RESUME


def test_go_held_goes_on_without_the_switches_that_are_wrong() -> None:
    sitting = standing(come_back("draughts", "8", MOVED), "-a1").hold("go")
    assert sitting.session.mode is Mode.PLAY


def test_a_half_finished_turn_goes_on_at_its_half_with_its_dice() -> None:
    turn = (("roll", "1-2"), ("act", "capture 1 a1-b1"), ("roll", "1-2"), ("act", "capture 1 a2-a3"))
    sitting = standing(come_back("diablo", "4", *turn)).press("go")
    assert sitting.session.mode is Mode.PLAY
    assert [die.spent for die in sitting.session.scene.dice] == [True, False]
    assert NeedRoll() not in sitting.effects


def test_a_roll_that_was_asked_for_is_announced_as_such() -> None:
    assert standing(come_back("diablo", "4")).say == "Diablo 4. The dice are to be rolled."


def test_a_roll_that_was_taken_back_comes_again_after_the_power_was_off() -> None:
    sitting = standing(come_back("herd", "3", ("roll", "2-5"), ("back", ""))).press("go", "go")
    assert sitting.session.history == (Roll((2, 5)),)
    assert NeedRoll() not in sitting.effects


def test_what_came_before_the_power_cut_can_be_taken_back() -> None:
    sitting = standing(come_back("draughts", "8", MOVED)).press("go", "back")
    assert isinstance(sitting.effects[-1], TakenBack)
    assert sitting.say == "Move d4 to c3."


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (Line("roll", "1-x"), "line 2 (roll '1-x'): '1-x' is no roll"),
        (Line("roll", "3-3"), "line 2 (roll '3-3'): "),
        (Line("act", "a1-h8"), "line 2 (act 'a1-h8'): "),
        (Line("say", "light sings"), "line 2 (say 'light sings'): "),
        (Line("dance", "x"), "line 2 (dance 'x'): there is no kind of line called 'dance'"),
    ],
)
def test_a_line_that_cannot_have_happened_ends_the_replay_and_keeps_the_rest(line: Line, said: str) -> None:
    game = make("draughts", "8")
    past = replay(game, game.start(), [Line("act", "c3-d4"), line, Line("act", "f6-g5")])
    assert len(past.entries) == 1
    assert past.broken.startswith(said)


def test_taking_back_from_nothing_is_no_history() -> None:
    game = make("draughts", "8")
    assert "nothing to take back" in replay(game, game.start(), [Line("back")]).broken


def test_every_part_of_a_history_has_its_line() -> None:
    game = make("draughts", "8")
    state = game.start()
    offer = next(each for each in state.declarations() if each.speech.value == "offer draw")
    assert line_of(game, state, offer, 7.0) == Line("say", f"{offer.side.value} offer draw", 7.0)
    assert line_of(game, state, Roll((3, 1)), 7.0) == Line("roll", "3-1", 7.0)
    past = replay(game, state, [line_of(game, state, offer, 7.0), line_of(game, state, state.legal_actions()[0], 8.0)])
    assert [entry.at for entry in past.entries] == [7.0, 8.0]
