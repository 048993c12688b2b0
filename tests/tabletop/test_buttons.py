"""Buttons on inputs: what is pressed, held, and what a broken input must not press."""

from __future__ import annotations

from tabletop.hand_made import GO, Screen, Sitting, Source, draughts

from reedlight.games import make
from reedlight.ports import Down
from reedlight.scene.scene import Button
from reedlight.session.events import Began, Hold, NeedHint, Press
from reedlight.session.presses import HOLD
from reedlight.tabletop import RETRY

NEXT, BACK, HINT = Button.NEXT, Button.BACK, Button.HINT
LEFT, RIGHT = 1, 2


def two_consoles() -> Sitting:
    """A game at a board with buttons at both ends, begun."""
    ends = [
        Source(down=frozenset(), sentence=f"The buttons on the {side} have come off.") for side in ("left", "right")
    ]
    return Sitting(make("draughts"), [Source(closed=0), *ends], [Screen()]).begin()


def pressed(sitting: Sitting) -> list[Button]:
    """The buttons pressed since the game began."""
    return [press.button for press in sitting.heard(Press)][1:]


def test_a_button_counts_when_it_is_let_go() -> None:
    sitting = draughts(console=True).begin().hold(1, HINT)
    assert pressed(sitting) == []
    assert pressed(sitting.wait(0.5).hold(1)) == [HINT]


def test_go_at_the_board_begins_the_game() -> None:
    sitting = draughts(console=True)
    sitting.wait().stand(frozenset(sitting.game.start().pieces()))
    assert sitting.push(1, GO).heard(Began) == [Began()]


def test_a_button_held_for_two_seconds_is_a_hold_and_no_press() -> None:
    sitting = draughts(console=True).begin().hold(1, NEXT)
    began = sitting.now
    sitting.wait(HOLD + 1).hold(1)
    assert sitting.heard(Hold) == [Hold(NEXT)]
    assert [at - began for happening, at in sitting.happened if isinstance(happening, Hold)] == [HOLD]
    assert pressed(sitting) == []


def test_two_buttons_at_once_are_a_hand_that_leans_on_them() -> None:
    sitting = draughts(console=True).begin()
    sitting.hold(1, NEXT).hold(1, NEXT, BACK).hold(1)
    assert pressed(sitting) == []


def test_either_of_two_consoles_is_heard() -> None:
    sitting = two_consoles().push(LEFT, NEXT).push(RIGHT, HINT)
    assert pressed(sitting) == [NEXT, HINT]


def test_buttons_at_both_ends_at_once_count_as_leaning_too() -> None:
    sitting = two_consoles().hold(LEFT, NEXT).hold(RIGHT, HINT).hold(LEFT).hold(RIGHT)
    assert pressed(sitting) == []


def test_a_button_held_while_its_input_breaks_presses_nothing() -> None:
    sitting = draughts(console=True).begin().hold(1, HINT)
    console = sitting.sources[1]
    console.plugged = False
    sitting.wait(0.5)
    console.down, console.plugged = frozenset(), True
    sitting.wait(RETRY)
    assert console.is_open
    assert pressed(sitting) == []
    assert pressed(sitting.push(1, HINT)) == [HINT]


def test_a_button_still_held_when_its_input_comes_back_presses_and_holds_nothing() -> None:
    sitting = draughts(console=True).begin().hold(1, HINT)
    console = sitting.sources[1]
    console.plugged = False
    sitting.wait(0.5)
    console.plugged = True
    sitting.wait(RETRY + HOLD + 1).hold(1)
    assert (pressed(sitting), sitting.heard(Hold)) == ([], [])
    assert pressed(sitting.push(1, HINT)) == [HINT]


def test_a_button_down_when_the_board_is_switched_on_presses_nothing() -> None:
    sitting = draughts(console=True)
    sitting.sources[1].down = frozenset({HINT})
    sitting.begin().wait(HOLD + 1).hold(1)
    assert (pressed(sitting), sitting.heard(Hold)) == ([], [])


def test_the_console_that_is_left_is_heard_at_once() -> None:
    sitting = two_consoles()
    sitting.sources[LEFT].plugged = False
    sitting.wait()
    assert pressed(sitting.push(RIGHT, HINT)) == [HINT]


def test_the_first_press_after_a_console_came_back_is_heard_on_both() -> None:
    for end in (LEFT, RIGHT):
        sitting = two_consoles()
        sitting.sources[LEFT].plugged = False
        sitting.wait(0.5)
        sitting.sources[LEFT].plugged = True
        sitting.wait(RETRY)
        assert pressed(sitting.push(end, HINT)) == [HINT], end


def test_a_button_held_at_one_end_while_the_other_breaks_is_begun_anew() -> None:
    sitting = two_consoles().hold(RIGHT, HINT)
    sitting.sources[LEFT].plugged = False
    sitting.wait().hold(RIGHT)
    assert pressed(sitting) == []
    assert pressed(sitting.push(RIGHT, NEXT)) == [NEXT]


def test_lost_switches_leave_the_buttons_alone() -> None:
    sitting = draughts(console=True).begin().hold(1, HINT)
    sitting.sources[0].plugged = False
    sitting.wait().hold(1)
    assert pressed(sitting) == [HINT]


def test_what_is_down_is_told_before_what_it_means() -> None:
    sitting = draughts(console=True).begin()
    sitting.happened.clear()
    sitting.push(1, HINT)
    assert [type(happening) for happening, _ in sitting.happened] == [Down, Down, Press, NeedHint]
