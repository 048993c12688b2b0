"""Cables pulled in the middle of a game, and put in again: the game is intact and goes on at the board."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from depths.boards import BOARDS
from depths.sitting import SETTLED, do, played, rhythms, shining, sitting, until

from reedlight.board.profile import Expander
from reedlight.core.game import Roll
from reedlight.games import make
from reedlight.scene import words
from reedlight.scene.scene import Button, Mark
from reedlight.tabletop import RETRY
from reedlight_sim.hardware import Firmware, Pins
from reedlight_sim.pico import SimulatedPico
from reedlight_sim.table import Table

CORNERS = {"a1", "a8", "h1", "h8"}
TO_PLAY = frozenset({Button.NEXT, Button.HINT})
BOTH = ("oak-8x8", "pico-mono")


def pico(table: Table) -> SimulatedPico:
    """The Pico of this table."""
    assert isinstance(table.depth, Firmware)
    assert table.depth.pico is not None
    return table.depth.pico


def is_well(table: Table) -> Callable[[], bool]:
    """Whether nothing is wrong with the board any more."""
    return lambda: not table.tabletop.troubles


def replugged(table: Table) -> None:
    """Put the cable in, and wait until the board is heard again."""
    pico(table).plug()
    until(table, is_well(table), "the Pico never came back")


@pytest.mark.usefixtures("interpreter")
@pytest.mark.parametrize("name", BOTH)
def test_an_unplugged_pico_is_said_and_found_again(name: str) -> None:
    board = BOARDS[name]
    with sitting("firmware", board, make("draughts")) as table:
        do(table, "-c3 +d4")
        pico(table).unplug()
        table.wait(RETRY)
        assert table.scene.caption.why == words.PLAY_ON_THE_PAGE
        assert table.tabletop.troubles[0].startswith(table.scene.caption.say.removesuffix("…"))
        assert {cell for cell, mark in rhythms(table, board).items() if mark is Mark.FORBIDDEN} >= CORNERS - {
            "h8",
            "a1",
        }
        assert played(table) == ["c3-d4"]
        replugged(table)
        do(table, "-b6 +a5")
        assert played(table) == ["c3-d4", "b6-a5"]
        assert rhythms(table, board)["b6"] is Mark.LAST


@pytest.mark.usefixtures("interpreter")
def test_what_was_moved_while_the_pico_was_away_is_seen_afterwards() -> None:
    with sitting("firmware", BOARDS["pico-mono"], make("draughts")) as table:
        do(table, "-c3")
        pico(table).unplug()
        do(table, "+d4")
        assert played(table) == []
        replugged(table)
        table.wait(SETTLED)
        assert played(table) == ["c3-d4"]


@pytest.mark.usefixtures("interpreter")
@pytest.mark.parametrize("name", BOTH)
def test_a_pico_that_starts_anew_in_mid_move_is_not_noticed(name: str) -> None:
    with sitting("firmware", BOARDS[name], make("draughts")) as table:
        do(table, "-c3")
        pico(table).reboot()
        do(table, "+d4")
        until(table, is_well(table), "the Pico never came back")
        table.wait(SETTLED)
        assert played(table) == ["c3-d4"]
        assert {str(cell) for cell in table.session.state.pieces()} >= {"d4"}


@pytest.mark.usefixtures("interpreter")
def test_a_roll_survives_the_pico() -> None:
    with sitting("firmware", BOARDS["pico-mono"], make("diablo", "4")) as table:
        table.next_roll(Roll((2, 1)))
        table.press(Button.GO)
        pico(table).unplug()
        table.wait(RETRY)
        replugged(table)
        assert table.session.history == (Roll((2, 1)),)
        do(table, "-a1 -b1 +b1")
        assert played(table) == ["capture 1 a1-b1"]


@pytest.mark.usefixtures("interpreter")
def test_a_button_held_while_the_cable_comes_out_presses_nothing() -> None:
    with sitting("firmware", BOARDS["pico-mono"], make("draughts")) as table:
        table.depth.hold(frozenset({Button.HINT}))
        table.wait(SETTLED)
        pico(table).unplug()
        table.wait(RETRY)
        table.depth.hold(frozenset())
        replugged(table)
        table.wait(SETTLED)
        assert [seen.what for seen in table.seen].count(("HINT",)) == 0
        table.press(Button.HINT)
        assert [seen.what for seen in table.seen].count(("HINT",)) == 1


@pytest.mark.usefixtures("interpreter")
def test_the_lamps_of_buttons_on_the_pico_come_back_with_it() -> None:
    with sitting("firmware", BOARDS["pico-mono"], make("draughts")) as table:
        until(table, lambda: pico(table).lamps == TO_PLAY, "the buttons are never lit")
        pico(table).unplug()
        table.wait(RETRY)
        assert not pico(table).lamps
        replugged(table)
        until(table, lambda: pico(table).lamps == TO_PLAY, "the buttons are never lit again")


@pytest.mark.parametrize("depth", ["pins", "firmware"], indirect=True)
@pytest.mark.parametrize("name", BOTH)
def test_lamps_that_come_off_are_told_and_lit_again(name: str, depth: str) -> None:
    board = BOARDS[name]
    with sitting(depth, board, make("draughts")) as table:
        assert board.lamps is not None
        assert isinstance(table.depth, Pins)
        node = table.depth.devices.nodes[board.lamps.spi]
        node.present = False
        do(table, "-c3")
        assert "/dev/spidev0.0" in table.scene.caption.why
        do(table, "+d4")
        assert played(table) == ["c3-d4"]
        node.present = True
        table.wait(2 * RETRY)
        assert table.tabletop.troubles == ()
        assert {cell for cell, mark in rhythms(table, board).items() if mark is Mark.LAST} == {"c3", "d4"}


def test_a_chip_that_does_not_answer_is_named_and_found_again() -> None:
    board = BOARDS["budget-8x8-expander"]
    with sitting("pins", board, make("draughts")) as table:
        assert isinstance(board.reader, Expander)
        assert isinstance(table.depth, Pins)
        gone = table.depth.devices.i2c.gone
        gone.add(0x21)
        table.wait(2 * RETRY)
        assert table.scene.caption.say.startswith("The chip at 0x21 on I2C bus 1 does not answer")
        do(table, "-c3 +d4")
        gone.clear()
        table.wait(2 * RETRY)
        assert table.tabletop.troubles == ()
        assert played(table) == ["c3-d4"]


def test_a_closed_table_is_dark() -> None:
    with sitting("pins", BOARDS["oak-8x8"], make("draughts")) as table:
        assert shining(table)
    assert not shining(table)
