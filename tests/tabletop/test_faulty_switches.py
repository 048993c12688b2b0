"""Switches that are found faulty while a game is played, and the witness to all that comes in."""

from __future__ import annotations

from random import Random

from tabletop.hand_made import GO, Screen, Sitting, draughts

from reedlight.core.grid import Cell
from reedlight.core.trace import cells
from reedlight.ports import Closed, Down
from reedlight.scene.scene import Button
from reedlight.session.events import Accepted, Board, Deaf, Heard, Hold, NeedHint, Press
from reedlight.session.session import Mode
from reedlight.session.settings import Commit, Settings
from reedlight.tabletop import Coming, Unheard
from reedlight.tracking.health import CHANGES, POSITIONS
from reedlight_sim.words import draw_seen

A3, C5 = Cell("a3"), Cell("c5")
FLICKERS = f"The switch of a3 flickers: {CHANGES} changes in 10 s."


def flickering() -> Sitting:
    """A game in which the switch of a3 cannot decide."""
    sitting = draughts(Screen(), console=True).begin()
    for _ in range(CHANGES):
        sitting.toggle("a3").wait(0.3)
    return sitting.wait(1)


def play(sitting: Sitting, moves: int, beside: Cell) -> None:
    """Play so many moves that have nothing to do with a cell."""
    for _ in range(moves):
        state = sitting.tabletop.session.state
        words = (
            draw_seen(state.trace(action), Random(1))
            for action in state.legal_actions()
            if beside not in cells(state.trace(action))
        )
        sitting.do(" ".join(map(str, next(words)))).wait(1)


def test_a_switch_that_flickers_is_named() -> None:
    sitting = flickering()
    assert sitting.tabletop.faulty == {A3: FLICKERS}
    assert sitting.tabletop.troubles == (FLICKERS,)
    assert sitting.why == FLICKERS


def test_go_held_plays_on_without_it_and_nothing_more_is_said() -> None:
    sitting = flickering().push(1, GO, seconds=3)
    assert sitting.heard(Hold) == [Hold(GO)]
    assert sitting.heard(Deaf) == [Deaf(frozenset({A3}))]
    assert sitting.tabletop.session.deaf == {A3}
    assert sitting.tabletop.troubles == ()
    assert sitting.tabletop.faulty == {A3: FLICKERS}


def test_go_held_with_nothing_faulty_makes_no_switch_deaf() -> None:
    sitting = draughts(console=True).begin().push(1, GO, seconds=3)
    assert sitting.heard(Deaf) == []


def test_a_switch_that_is_believed_again_has_a_clean_slate() -> None:
    sitting = flickering()
    sitting.tabletop.handle(Heard(frozenset({A3})), sitting.now)
    assert sitting.tabletop.faulty == {}
    assert sitting.tabletop.troubles == ()


def test_a_cell_played_without_for_one_game_is_so_for_all_once_it_is_found_faulty() -> None:
    sitting = draughts(Screen()).wait()
    sitting.stand(sitting.tabletop.session.state.occupancy() | {C5})
    sitting.tabletop.handle(Hold(GO), sitting.now)
    assert sitting.wait(1).tabletop.session.mode is Mode.PLAY
    assert (sitting.tabletop.session.deaf, sitting.tabletop.session.dead) == ({C5}, frozenset())
    play(sitting, POSITIONS + 1, beside=C5)
    assert sitting.tabletop.session.dead == {C5}
    assert sitting.tabletop.troubles == ()
    assert list(sitting.tabletop.faulty) == [C5]


def test_the_end_of_a_game_ends_the_watch() -> None:
    sitting = draughts(Screen(), position="W:Wc3:Bd4").begin().do("-c3 +e5 -d4").wait(1)
    assert sitting.tabletop.session.mode is Mode.OVER
    for _ in range(CHANGES + 1):
        sitting.toggle("a3").wait(0.3)
    assert sitting.tabletop.faulty == {}


# ----------------------------------------------------------------------------------------- the witness


def witnessed(sitting: Sitting) -> list[str]:
    """What the witness hears from now on, by kind."""
    heard: list[str] = []

    def hear(coming: Coming | object) -> None:
        heard.append(type(coming).__name__)

    sitting.tabletop.witness = hear
    return heard


def test_the_witness_hears_what_comes_in_and_what_comes_of_it() -> None:
    sitting = draughts(console=True).begin()
    heard = witnessed(sitting)
    sitting.do("-c3 +d4").wait(1).push(1, Button.HINT)
    sitting.tabletop.press(Button.HINT, sitting.now)
    assert heard == ["Closed", "Closed", "Accepted", "Down", "Down", "NeedHint", "Press"]
    assert [type(happening) for happening, _ in sitting.happened][-10:] == [
        Closed, Board, Closed, Board, Accepted, Down, Down, Press, NeedHint, Press,
    ]  # fmt: skip


def test_the_witness_hears_that_buttons_are_heard_no_more() -> None:
    sitting = draughts(console=True).begin()
    heard = witnessed(sitting)
    sitting.sources[1].plugged = False
    sitting.wait()
    assert heard == [Unheard.__name__]


def test_other_settings_are_witnessed_and_count_at_once() -> None:
    sitting = draughts().begin()
    heard = witnessed(sitting)
    sitting.tabletop.adjust(Settings(commit=Commit.BUTTON), sitting.now)
    assert heard == ["Settings"]
    sitting.do("-c3 +d4").wait(5)
    assert sitting.moves == []
    sitting.tabletop.press(GO, sitting.now)
    assert sitting.moves == ["c3-d4"]


def test_what_is_overdue_is_known() -> None:
    sitting = draughts().begin()
    assert sitting.tabletop.overdue is None
    lifted_at = sitting.now
    sitting.toggle("c3").wait()
    sitting.tabletop.press(Button.HINT, lifted_at + 5)
    overdue = sitting.tabletop.overdue
    assert overdue is not None
    assert lifted_at < overdue < lifted_at + 5
    sitting.now += 5
    assert sitting.wait().tabletop.overdue is None
