"""Dice: they tumble, can be hurried, and are shown on the board where there is no other place for them."""

from __future__ import annotations

from tabletop.hand_made import GO, Screen, Sitting, diablo

from reedlight.core.game import Roll
from reedlight.ports import Display
from reedlight.scene.dice import ROLL, TUMBLE, TUMBLES
from reedlight.scene.scene import Button
from reedlight.session.events import Accepted, NeedRoll, Press, Rolled
from reedlight.session.session import Mode
from reedlight.tabletop import ON_BOARD, RETRY

CONSOLE = 1
FALLEN = (3, 1)
FACES = 4
"""What a die of Diablo on 8x8 cells has at most."""


def rolled(*screens: Screen, on_board: bool = False) -> Sitting:
    """Diablo at the moment in which the dice fall as 3 and 1."""
    sitting = diablo(*screens, roll=FALLEN, on_board=on_board)
    sitting.tabletop.press(GO, sitting.now)
    return sitting.wait()


def faces(display: Display) -> tuple[int, ...]:
    """What the dice of a display show."""
    return tuple(die.pips for die in display.dice)


def on_lamps(display: Display) -> tuple[int, ...] | None:
    """What the dice on the board show; None while the board shows something else."""
    return tuple(colour.red for colour in display.frame) if len(display.frame) == 2 else None


def test_the_dice_are_asked_for_and_handed_in_before_anything_is_shown() -> None:
    sitting = rolled(Screen())
    kinds = [type(happening) for happening, at in sitting.happened if at == sitting.now]
    assert kinds == [Press, NeedRoll, Rolled, Accepted]
    assert sitting.played == [Roll(FALLEN)]
    assert sitting.tabletop.session.mode is Mode.PLAY


def test_the_dice_tumble_and_then_lie_as_they_fell() -> None:
    screen = Screen()
    sitting = rolled(screen)
    fell = sitting.now
    sitting.wait(ROLL + 0.05)
    shown = {round((at - fell) / TUMBLE): faces(display) for at, display in screen.shown if at >= fell}
    assert shown.keys() == set(range(TUMBLES + 1))
    assert shown[TUMBLES] == FALLEN
    for before, after in zip(range(TUMBLES), range(1, TUMBLES + 1), strict=True):
        assert all(one != other for one, other in zip(shown[before], shown[after], strict=True))
    assert all(1 <= pips <= FACES for face in shown.values() for pips in face)


def test_the_page_sees_the_same_dice() -> None:
    screen = Screen()
    sitting = rolled(screen)
    for _ in range(TUMBLES + 2):
        assert sitting.tabletop.dice == screen.last.dice
        sitting.wait(TUMBLE)
    assert faces(screen.last) == FALLEN


def test_go_skips_the_roll_and_does_nothing_else() -> None:
    screen = Screen()
    sitting = rolled(screen)
    assert faces(screen.last) != FALLEN
    presses = len(sitting.heard(Press))
    sitting.push(CONSOLE, GO)
    assert faces(screen.last) == FALLEN
    assert len(sitting.heard(Press)) == presses


def test_a_lifted_piece_skips_the_roll() -> None:
    screen = Screen()
    sitting = rolled(screen)
    sitting.toggle("a1").wait()
    assert faces(screen.last) == FALLEN


def test_another_button_lets_the_dice_tumble() -> None:
    sitting = rolled(Screen())
    sitting.tabletop.press(Button.HINT, sitting.now)
    assert faces(sitting.wait().screens[0].last) != FALLEN


def test_dice_with_a_display_of_their_own_leave_the_board_to_the_game() -> None:
    screen = Screen()
    rolled(screen).wait(1)
    assert all(on_lamps(display) is None for _, display in screen.shown)


def test_dice_without_one_are_shown_on_the_board_for_two_seconds() -> None:
    screen = Screen()
    sitting = rolled(screen, on_board=True)
    fell = sitting.now
    assert on_lamps(screen.last) == faces(screen.last) != FALLEN
    sitting.wait(ROLL)
    assert on_lamps(screen.last) == FALLEN
    sitting.wait(3)
    assert on_lamps(screen.last) is None
    last = max(at for at, display in screen.shown if on_lamps(display) is not None)
    ended = min(at for at, _ in screen.shown if at > last)
    assert last < fell + ON_BOARD
    assert ended == fell + ON_BOARD


def test_go_with_nothing_to_do_shows_them_on_the_board_again() -> None:
    screen = Screen()
    sitting = rolled(screen, on_board=True).wait(5)
    assert on_lamps(screen.last) is None
    sitting.push(CONSOLE, GO)
    assert on_lamps(screen.last) == FALLEN
    assert on_lamps(sitting.wait(ON_BOARD).screens[0].last) is None
    assert sitting.played == [Roll(FALLEN)]


def test_go_that_has_something_to_do_leaves_the_board_to_the_game() -> None:
    screen = Screen()
    sitting = rolled(screen, on_board=True).wait(5).do("-a1").wait(2)
    assert screen.last.buttons >= {GO}
    sitting.push(CONSOLE, GO)
    assert sitting.tabletop.session.mode is Mode.ASK
    assert on_lamps(screen.last) is None


def test_go_skips_the_roll_on_the_board_and_leaves_the_dice_there() -> None:
    screen = Screen()
    sitting = rolled(screen, on_board=True).push(CONSOLE, GO)
    assert on_lamps(screen.last) == FALLEN
    assert on_lamps(sitting.wait(ON_BOARD).screens[0].last) is None


def test_a_lifted_piece_has_the_board_for_itself_at_once() -> None:
    for moment in (0.1, ROLL + 0.1):
        screen = Screen()
        sitting = rolled(screen, on_board=True).wait(moment)
        assert on_lamps(screen.last) is not None
        sitting.do("-a1")
        assert on_lamps(screen.last) is None
        assert "a1" in sitting.lit(), moment


def test_go_without_dice_shows_none() -> None:
    screen = Screen()
    sitting = diablo(screen, roll=FALLEN, on_board=True)
    sitting.do("-a1").tabletop.press(GO, sitting.now)
    sitting.wait(1)
    assert sitting.played == []
    assert on_lamps(screen.last) is None


def test_a_roll_taken_back_is_not_shown() -> None:
    screen = Screen()
    sitting = rolled(screen, on_board=True)
    sitting.tabletop.press(Button.BACK, sitting.now)
    assert sitting.wait().played == []
    assert (screen.last.dice, on_lamps(screen.last)) == ((), None)


def test_a_roll_is_not_lost_with_the_ports() -> None:
    screen = Screen()
    sitting = rolled(screen)
    screen.plugged = sitting.sources[0].plugged = sitting.sources[CONSOLE].plugged = False
    sitting.wait(5)
    assert sitting.played == [Roll(FALLEN)]
    screen.plugged = sitting.sources[0].plugged = sitting.sources[CONSOLE].plugged = True
    sitting.wait(RETRY)
    assert faces(screen.last) == FALLEN
    assert sitting.tabletop.troubles == ()
