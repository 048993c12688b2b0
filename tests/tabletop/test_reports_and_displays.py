"""From a report to the session, and from the session's scene to what outputs are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from tabletop.hand_made import GO, Screen, Sitting, Source, draughts

from reedlight.board.layout import Layout
from reedlight.core.game import Roll
from reedlight.core.grid import Cell, square
from reedlight.ports import Closed
from reedlight.scene.palette import Colour
from reedlight.scene.scene import Button
from reedlight.session.events import Accepted, Began, Board, Chosen, NeedHint, Press
from reedlight.session.session import Mode
from reedlight.session.settings import Commit, Settings
from reedlight.tabletop import RETRY, Tabletop

BOARD = square(8)
SCATTERED = Layout(
    {cell: 63 - number for number, cell in enumerate(BOARD.cells)},
    {cell: (7 * number + 3) % 64 for number, cell in enumerate(BOARD.cells)},
)
"""Switches the other way round, lamps all over the place."""


def no_dice(_odds: Mapping[Roll, Fraction]) -> Roll:
    raise AssertionError


MOVABLE = {"a3", "c3", "e3", "g3"}


def test_a_lifted_man_lights_the_lamps_of_its_targets() -> None:
    screen = Screen()
    sitting = draughts(screen).begin()
    assert sitting.lit() == MOVABLE
    sitting.do("-c3")
    assert sitting.lit() == {"c3", "b4", "d4"}


def test_every_cell_has_the_switch_and_the_lamp_of_the_layout() -> None:
    screen = Screen()
    sitting = draughts(screen, layout=SCATTERED).begin().do("-c3")
    lamps = {SCATTERED.lamps[Cell(cell)] for cell in ("c3", "b4", "d4")}
    assert {number for number, colour in enumerate(screen.last.frame) if any(colour)} == lamps
    assert sitting.do("+d4").wait(1).moves == ["c3-d4"]


def test_what_is_reported_and_what_follows_is_told_in_order() -> None:
    sitting = draughts().begin()
    sitting.happened.clear()
    sitting.do("-c3 +d4").wait(1)
    assert [type(happening) for happening, _ in sitting.happened] == [Closed, Board, Closed, Board, Accepted]
    assert [round(at, 3) for _, at in sitting.happened] == [1.0, 1.0, 1.2, 1.2, 1.6]


def test_the_game_begins_on_the_page_as_well_as_at_the_board() -> None:
    sitting = draughts().wait().stand(draughts().tabletop.session.state.occupancy())
    assert sitting.tabletop.session.mode is Mode.SETUP
    sitting.tabletop.press(GO, sitting.now)
    assert sitting.heard(Press) == [Press(GO)]
    assert sitting.heard(Began) == [Began()]


def test_an_action_chosen_on_the_page_is_played_and_shown_at_the_board() -> None:
    sitting = draughts(Screen()).begin()
    state = sitting.tabletop.session.state
    sitting.tabletop.handle(Chosen(sitting.game.parse(state, "c3-d4")), sitting.now)
    assert sitting.moves == ["c3-d4"]
    assert sitting.wait().lit() <= {"c3", "d4"}
    assert sitting.tabletop.session.mode is Mode.RESYNC
    assert sitting.do("-c3 +d4").tabletop.session.mode is Mode.PLAY


def test_what_is_shown_is_told_once_to_each_output() -> None:
    screens = Screen(), Screen(sentence="The other lamps have come off.")
    sitting = draughts(*screens).begin()
    told = [len(screen.shown) for screen in screens]
    sitting.wait(3)
    assert [len(screen.shown) for screen in screens] == told
    assert sitting.tabletop.deadline is None
    sitting.do("-c3")
    assert sitting.lit(0) == sitting.lit(1) == {"c3", "b4", "d4"}


def test_an_output_that_wants_to_be_shown_the_same_again_is() -> None:
    slow, quick = Screen(), Screen(refresh=0.5)
    sitting = draughts(slow, quick).begin()
    began, _ = quick.shown[-1]
    slow.shown.clear()
    quick.shown.clear()
    sitting.wait(began + 1.75 - sitting.now)
    assert [round(at - began, 6) for at, _ in quick.shown] == [0.5, 1.0, 1.5]
    assert len({id(display) for _, display in quick.shown}) == 1
    assert slow.shown == []


def test_a_lamp_changes_when_its_rhythm_does_and_nothing_is_shown_between() -> None:
    screen = Screen()
    sitting = draughts(screen, position="W:Wc3:Bd4,h8").begin().do("-c3 +e5").wait(1)
    assert sitting.tabletop.scene.lights.keys() == {"c3", "d4"}, "the captured man is to be taken off"
    sitting.wait(2 - sitting.now % 2)
    screen.shown.clear()
    sitting.wait(0.9)
    lamp = sitting.layout.lamps[Cell("d4")]
    lit = [any(display.frame[lamp]) for _, display in screen.shown]
    changes = [
        round(at % 2, 6) for (at, _), now, before in zip(screen.shown, lit, [True, *lit], strict=False) if now != before
    ]
    assert changes == [0.2, 0.4, 0.6, 0.8]
    assert all(one.frame != other.frame for (_, one), (_, other) in pairwise(screen.shown))


def test_without_outputs_time_has_nothing_to_do_between_events() -> None:
    sitting = draughts().begin().do("-c3").wait(3)
    assert sitting.tabletop.scene.lights.keys() == {"c3", "b4", "d4"}
    assert sitting.tabletop.deadline is None


def test_the_brightness_goes_into_the_frame_and_along_with_it() -> None:
    dim, bright = Screen(), Screen()
    draughts(dim, brightness=0.5).begin()
    draughts(bright).begin()
    lamp = BOARD.cells.index(Cell("c3"))
    assert dim.last.brightness == 0.5
    assert (0, 0, 0) < dim.last.frame[lamp] < bright.last.frame[lamp]


def test_buttons_whose_press_does_something_are_lit() -> None:
    screen = Screen()
    sitting = draughts(screen).begin()
    assert screen.last.buttons == {Button.NEXT, Button.HINT}
    sitting.do("-c3 +d4").wait(1)
    assert screen.last.buttons == {Button.NEXT, Button.BACK, Button.HINT}


def test_a_cell_without_a_lamp_or_a_switch_without_a_cell_is_no_trouble() -> None:
    larger = Layout(SCATTERED.switches, {cell: lamp + 36 for cell, lamp in SCATTERED.lamps.items()})
    screen = Screen()
    sitting = draughts(screen, layout=larger).begin()
    source = sitting.sources[0]
    assert source.closed is not None
    source.closed |= 1 << 99
    assert sitting.wait().lit() == MOVABLE
    assert screen.last.frame[:36] == (Colour(0, 0, 0),) * 36


def test_the_clock_never_goes_back() -> None:
    sitting = draughts().begin()
    sitting.tabletop.advance(5.0)
    sitting.tabletop.press(Button.HINT, 2.0)
    assert sitting.tabletop.now == 5.0
    assert sitting.happened[-2:] == [(Press(Button.HINT), 5.0), (NeedHint(), 5.0)]


def test_a_deadline_that_was_missed_is_made_up_for_at_once() -> None:
    sitting = draughts().begin().do("-c3 +d4")
    sitting.tabletop.advance(60.0)
    assert sitting.moves == ["c3-d4"]


def test_what_must_be_done_before_anything_is_shown_is_done_between() -> None:
    screen, sitting = Screen(), draughts()
    kept: list[tuple[float, int, int]] = []

    def keep(now: float) -> None:
        kept.append((now, len(sitting.tabletop.session.history), len(screen.shown)))

    rig = replace(sitting.tabletop.rig, outputs=(screen.open,))
    sitting.tabletop = Tabletop(sitting.tabletop.session, rig, no_dice, sitting.observe, keep)
    sitting.begin().do("-c3 +d4")
    screen.shown.clear()
    accepted_at = sitting.wait(1).happened[-1][1]
    assert (accepted_at, 1, 0) in kept
    assert screen.shown[0][0] == accepted_at


def test_a_notice_of_the_board_is_a_trouble_and_a_reason() -> None:
    sitting = draughts(Screen()).begin()
    said = sitting.says
    sitting.tabletop.notices = ("The board's firmware is older than the program.",)
    assert sitting.tabletop.troubles == sitting.tabletop.notices
    assert (sitting.says, sitting.why) == (said, "The board's firmware is older than the program.")
    shown = len(sitting.screens[0].shown)
    assert len(sitting.wait().screens[0].shown) == shown + 1


# --------------------------------------------------------------------------------- files and clocks


def test_files_say_which_input_is_worth_a_look() -> None:
    sitting = draughts()
    reeds = sitting.sources[0]
    reeds.file = 5
    sitting.begin()
    assert sitting.tabletop.filenos() == {5}
    sitting.toggle("c3")
    for readable, seen in (((), False), ((4, 6), False), ((4, 5), True)):
        sitting.tabletop.advance(2.0, readable)
        assert (Cell("c3") not in sitting.heard(Board)[-1].occupied) is seen


def test_an_input_whose_time_has_come_is_looked_at_whatever_its_file_says() -> None:
    sitting = draughts()
    reeds = sitting.sources[0]
    sitting.begin()
    reeds.deadline = 2.0
    sitting.toggle("c3")
    for moment, seen in ((1.9, False), (2.0, True)):
        sitting.tabletop.advance(moment, readable=())
        assert (Cell("c3") not in sitting.heard(Board)[-1].occupied) is seen


def test_an_input_is_asked_no_later_than_it_wants() -> None:
    sitting = draughts()
    sitting.sources[0].deadline = 7.5
    assert sitting.begin().tabletop.deadline == 7.5


def test_a_source_without_a_file_is_not_watched() -> None:
    assert draughts().begin().tabletop.filenos() == frozenset()


def test_a_closed_tabletop_is_dark_before_it_is_deaf_and_opens_nothing_again() -> None:
    log: list[str] = []
    sitting = draughts(Screen(log=log))
    sitting.sources[0].log = log
    sitting.begin().tabletop.close()
    assert log == ["closed: The lamps have come off.", "closed: The switches have come off."]
    sitting.tabletop.close()
    sitting.wait(10)
    assert sitting.sources[0].opened == sitting.screens[0].opened == 1
    assert log == ["closed: The lamps have come off.", "closed: The switches have come off."]


def test_a_tabletop_that_was_closed_in_trouble_opens_nothing_again() -> None:
    sitting = draughts(Screen(plugged=False)).begin()
    sitting.sources[0].plugged = False
    sitting.wait().tabletop.close()
    sitting.sources[0].plugged = sitting.screens[0].plugged = True
    sitting.wait(10)
    assert (sitting.sources[0].opened, sitting.screens[0].opened) == (1, 0)


def test_a_source_tells_everything_when_it_is_opened_and_changes_after_that() -> None:
    source = Source(closed=5, down=frozenset())
    port = source.open(0.0)
    assert len(port.poll(0.0)) == 2
    assert port.poll(1.0) == []
    source.closed = 4
    assert port.poll(2.0) == [Closed(4, 2.0)]


# ---------------------------------------------------------------------------------- looks in vain


def still(*screens: Screen) -> Sitting:
    """A game that is begun, on a board that nobody touches."""
    sitting = draughts(*screens).begin().wait(5)
    sitting.tabletop.advance(sitting.now)
    return sitting


def test_a_look_that_sees_nothing_is_followed_by_nothing_for_a_while() -> None:
    sitting = still(Screen())
    assert sitting.tabletop.advance(sitting.now + 0.1, ()) is False
    assert sitting.tabletop.advance(sitting.now + 0.2) is False
    assert sitting.tabletop.advance(sitting.now + 1.0, ()) is True


def test_a_notice_that_is_given_again_is_nothing_new() -> None:
    sitting = still(Screen())
    sitting.tabletop.notices = ()
    assert sitting.tabletop.advance(sitting.now + 0.01) is False


def test_whatever_happens_is_followed_by_everything() -> None:
    for happens in (
        lambda sitting: setattr(sitting.sources[0], "closed", 0),
        lambda sitting: sitting.tabletop.press(Button.NEXT, sitting.now),
        lambda sitting: sitting.tabletop.adjust(Settings(commit=Commit.BUTTON), sitting.now),
        lambda sitting: sitting.tabletop.session.handle(Press(Button.NEXT), sitting.now),
        lambda sitting: setattr(sitting.tabletop, "notices", ("The disk is full.",)),
    ):
        sitting = still(Screen())
        assert sitting.tabletop.advance(sitting.now + 0.01) is False
        happens(sitting)
        assert sitting.tabletop.advance(sitting.now + 0.02) is True
        assert sitting.tabletop.deadline is None or sitting.tabletop.deadline > sitting.now


def test_a_trouble_that_has_another_sentence_is_something_new() -> None:
    sitting = still(Screen())
    reeds, lost = sitting.sources[0], sitting.now + 0.01
    reeds.plugged = False
    assert sitting.tabletop.advance(lost) is True
    assert sitting.tabletop.advance(lost + 0.9) is True
    reeds.sentence = "There is no board."
    assert sitting.tabletop.advance(lost + RETRY) is True
    assert sitting.tabletop.deadline is not None
    assert sitting.tabletop.deadline > lost + RETRY
