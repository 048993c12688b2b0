"""From a profile to its ports: each board opens what it has and nothing else, and says what is missing."""

from __future__ import annotations

import os
import pty
import tty
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from select import select

import pytest

from reedlight.adapters.boards import PIP, THIS_MACHINE, Machine, budget, dice_frame, panel, rig
from reedlight.adapters.expander import open_i2c
from reedlight.adapters.gpio import pi_pins
from reedlight.adapters.pico import find
from reedlight.adapters.spi import open_spidev
from reedlight.board.fit import fit
from reedlight.board.profile import (
    ConfigError,
    DiceOnBoard,
    Expander,
    Matrix,
    Max7219,
    Pico,
    PicoPins,
    PiPins,
    Profile,
    Segments,
    Spi,
)
from reedlight.board.toml import load_packaged, packaged
from reedlight.core.game import Die
from reedlight.core.grid import square
from reedlight.ports import Display, Input, LinkLost, Output
from reedlight.scene.palette import LEVELS, ON_OFF
from reedlight.scene.render import DARK, UNLIMITED
from reedlight.scene.scene import Button
from reedlight.tabletop import Rig
from reedlight.wire.codec import Decoder, Speaker, encode
from reedlight.wire.message import Hello, Light, Message
from reedlight_sim.i2c import SimulatedBus
from reedlight_sim.pins import SimulatedPins
from reedlight_sim.spi import Chain, Node, Wire, opener

OAK, BUDGET, EXPANDER, HEX = (
    load_packaged(name) for name in ("oak-8x8", "budget-8x8", "budget-8x8-expander", "hex-61")
)
BARE = replace(OAK, lamps=None, dice=None, buttons=None, button_lamps=None)
ON_PICO = replace(
    OAK,
    dice=DiceOnBoard(),
    buttons=PicoPins({"go": 18, "next": 19, "back": 20, "hint": 21}),
    button_lamps=PicoPins({"go": 22, "hint": 26}),
)
GO_LIT = Display((), frozenset({Button.GO}), ())


PATIENCE = 30.0
"""Seconds in which something that was said must arrive, however busy the machine is."""


class Bench:
    """A machine on which everything can be opened, that remembers what was; some of it may be missing."""

    def __init__(self, profile: Profile, *missing: str) -> None:
        self.opened: set[str] = set()
        self._missing = missing
        self._chips = Chain(4)
        self._pins = SimulatedPins()
        self._i2c = SimulatedBus(profile.reader.addresses if isinstance(profile.reader, Expander) else (), int)
        self.board, self._program = pty.openpty()
        tty.setraw(self._program)
        os.set_blocking(self.board, False)
        self.machine = Machine(self._open_pins, self._open_spi, self._open_i2c, self._open_pico, lambda _: None)
        self.rig = rig(profile, profile.grid, 1.0, self.machine)

    def _open(self, name: str) -> None:
        if name in self._missing:
            raise LinkLost(f"There is no {name}.")
        self.opened.add(name)

    def _open_pins(self) -> SimulatedPins:
        self._open("pins")
        return self._pins

    def _open_spi(self, spi: Spi, clock: int) -> Wire:
        self._open(f"spi {spi.bus}.{spi.device}")
        return opener({spi: Node(self._chips)})(spi, clock)

    def _open_i2c(self, bus: int) -> SimulatedBus:
        self._open(f"i2c {bus}")
        return self._i2c

    def _open_pico(self, serial: str) -> str:
        self._open(f"pico {serial}".strip())
        return os.ttyname(self._program)

    def say(self, message: Message) -> None:
        """Say something as the firmware."""
        os.write(self.board, encode(message, 1))

    def hear(self) -> list[Message]:
        """What the program says to the firmware, which takes a moment to arrive."""
        wait_for(self.board)
        return [received.message for received in Decoder(Speaker.PROGRAM).feed(os.read(self.board, 4096))]

    def lose(self, name: str) -> None:
        """From now on this cannot be opened."""
        self._missing = (*self._missing, name)

    def close(self) -> None:
        """Let the terminal go."""
        os.close(self.board)
        os.close(self._program)


def wait_for(file: int | None) -> None:
    """Wait until a file can be read."""
    assert file is not None
    readable, _, _ = select([file], [], [], PATIENCE)
    assert readable


def ports(made: Rig) -> Iterator[Input | Output]:
    """Every port of a rig, opened in the order of a tabletop, and closed in the end."""
    opened: list[Input | Output] = [opening(0.0) for opening in (*made.inputs, *made.outputs)]
    yield from opened
    for port in opened:
        port.close()


def kinds(profile: Profile) -> tuple[str, set[str]]:
    """The kinds of ports of a board, and what they were opened on."""
    with closing(Bench(profile)) as bench:
        return " ".join(type(port).__name__ for port in ports(bench.rig)), bench.opened


ON_TWO_CHAINS = replace(BUDGET, button_lamps=Segments(Spi(0, 1), 0, 2, {"go": 6}))
BOARDS = {
    "oak-8x8": (OAK, "PicoLink GpioButtons RgbString MonoChain GpioButtonLamps", "pico pins spi0.0 spi1.0"),
    "hex-61": (HEX, "PicoLink GpioButtons RgbString MonoChain GpioButtonLamps", "pico pins spi0.0 spi1.0"),
    "budget-8x8": (BUDGET, "GpioSwitches GpioButtons MonoChain", "pins spi0.0"),
    "budget-8x8-expander": (EXPANDER, "ExpanderSwitches GpioButtons MonoChain", "i2c1 pins spi0.0"),
    "nothing but switches": (BARE, "PicoLink", "pico"),
    "no lamps": (replace(OAK, lamps=None), "PicoLink GpioButtons MonoChain GpioButtonLamps", "pico pins spi1.0"),
    "no dice": (replace(OAK, dice=None), "PicoLink GpioButtons RgbString GpioButtonLamps", "pico pins spi0.0"),
    "no buttons": (
        replace(OAK, buttons=None),
        "PicoLink RgbString MonoChain GpioButtonLamps",
        "pico pins spi0.0 spi1.0",
    ),
    "dark buttons": (
        replace(OAK, button_lamps=None),
        "PicoLink GpioButtons RgbString MonoChain",
        "pico pins spi0.0 spi1.0",
    ),
    "dice on the board": (replace(BARE, lamps=OAK.lamps, dice=DiceOnBoard()), "PicoLink RgbString", "pico spi0.0"),
    "buttons on the Pico": (ON_PICO, "PicoLink RgbString _Borrowed", "pico spi0.0"),
    "two chains": (ON_TWO_CHAINS, "GpioSwitches GpioButtons MonoChain MonoChain", "pins spi0.0 spi0.1"),
    "no interrupt": (
        replace(EXPANDER, reader=Expander(1, (0x20, 0x21, 0x22, 0x23), None), buttons=None),
        "ExpanderSwitches MonoChain",
        "i2c1 spi0.0",
    ),
    "a Pico by its number": (
        replace(BARE, reader=Pico(Matrix((2,), (3,)), "e6614c311b867b2f")),
        "PicoLink",
        "picoe6614c311b867b2f",
    ),
}


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_opens_what_it_has_and_nothing_else(name: str) -> None:
    profile, expected, machine = BOARDS[name]
    opened, on = kinds(profile)
    assert opened == expected
    assert {what.replace(" ", "") for what in on} == set(machine.split())


def test_every_packaged_board_is_among_them() -> None:
    assert set(packaged()) <= BOARDS.keys()


def test_nothing_is_opened_until_somebody_does() -> None:
    with closing(Bench(OAK)) as bench:
        assert bench.opened == set()


def test_unless_somebody_says_otherwise_the_ports_are_this_computers() -> None:
    assert (THIS_MACHINE.pins, THIS_MACHINE.bus) == (pi_pins, open_spidev)
    assert (THIS_MACHINE.i2c, THIS_MACHINE.pico) == (open_i2c, find)


# -------------------------------------------------------------------------------------- what is missing


@pytest.mark.parametrize(
    ("profile", "missing"),
    [(OAK, "pico"), (OAK, "pins"), (OAK, "spi 0.0"), (OAK, "spi 1.0"), (BUDGET, "spi 0.0"), (EXPANDER, "i2c 1")],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_what_is_missing_keeps_only_its_own_ports_closed(profile: Profile, missing: str) -> None:
    said: set[str] = set()
    with closing(Bench(profile, missing)) as bench:
        for opening in (*bench.rig.inputs, *bench.rig.outputs):
            try:
                opening(0.0).close()
            except LinkLost as lost:
                said.add(str(lost))
        _, all_of_it = kinds(profile)
        assert said == {f"There is no {missing}."}
        assert bench.opened == all_of_it - {missing}


def test_an_expander_whose_interrupt_cannot_be_had_opens_no_bus() -> None:
    with closing(Bench(EXPANDER, "pins")) as bench:
        with pytest.raises(LinkLost, match=r"^There is no pins\.$"):
            bench.rig.inputs[0](0.0)
        assert bench.opened == set()


def test_a_game_that_is_too_large_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"^budget-8x8: the board has 64 cells and square-10x10 needs 100$"):
        rig(BUDGET, square(10), 1.0)


# --------------------------------------------------------------------------- the lamps on the Pico

ITS_PICO_IS_GONE = r"^The lamps of the buttons are on the Pico, and it is not there\.$"
HELLO = Hello(1, "0.1.0", 8, 8, "e6614c311b867b2f", 0b1111)


def test_lamps_on_the_pico_are_lit_through_its_link() -> None:
    with closing(Bench(ON_PICO)) as bench:
        link, lamps = bench.rig.inputs[0](0.0), bench.rig.outputs[-1](0.0)
        bench.say(HELLO)
        wait_for(link.fileno())
        link.poll(0.1)
        lamps.show(GO_LIT, 0.2)
        heard: list[Message] = []
        while Light(0b0001) not in heard:
            heard += bench.hear()
        assert lamps.deadline is None
        link.close()


def test_lamps_on_the_pico_wait_for_its_link() -> None:
    with closing(Bench(ON_PICO)) as bench:
        with pytest.raises(LinkLost, match=ITS_PICO_IS_GONE):
            bench.rig.outputs[-1](0.0)
        link = bench.rig.inputs[0](0.0)
        bench.rig.outputs[-1](0.0)
        link.close()


def test_lamps_on_the_pico_are_lost_with_its_link_and_come_back_with_the_next() -> None:
    with closing(Bench(ON_PICO)) as bench:
        link, lamps = bench.rig.inputs[0](0.0), bench.rig.outputs[-1](0.0)
        link.close()
        with pytest.raises(LinkLost, match=ITS_PICO_IS_GONE):
            lamps.show(GO_LIT, 1.0)
        with pytest.raises(LinkLost, match=ITS_PICO_IS_GONE):
            bench.rig.outputs[-1](1.0)
        link = bench.rig.inputs[0](2.0)
        bench.rig.outputs[-1](2.0).show(GO_LIT, 2.0)
        link.close()


def test_lamps_on_the_pico_are_not_those_of_a_link_that_cannot_be_opened_anew() -> None:
    with closing(Bench(ON_PICO)) as bench:
        link = bench.rig.inputs[0](0.0)
        bench.lose("pico")
        with pytest.raises(LinkLost, match=r"^There is no pico\.$"):
            bench.rig.inputs[0](1.0)
        with pytest.raises(LinkLost, match=ITS_PICO_IS_GONE):
            bench.rig.outputs[-1](1.0)
        link.close()


def test_letting_the_lamps_go_leaves_the_link_alone() -> None:
    with closing(Bench(ON_PICO)) as bench:
        link, lamps = bench.rig.inputs[0](0.0), bench.rig.outputs[-1](0.0)
        lamps.close()
        assert link.fileno() is not None
        link.close()


# ---------------------------------------------------------------------------------- lamps and dice


def test_a_rig_lays_the_games_cells_on_the_board() -> None:
    grid = square(6)
    made = rig(OAK, grid, 0.5)
    assert (made.grid, made.layout) == (grid, fit(grid, OAK))
    assert (made.panel.lamps, made.panel.count) == (made.layout.lamps, 64)
    assert made.panel.brightness == 0.5


@pytest.mark.parametrize(
    ("profile", "count", "palette", "budgeted"),
    [(OAK, 64, LEVELS, budget(OAK)), (HEX, 61, LEVELS, budget(HEX)), (BUDGET, 64, ON_OFF, UNLIMITED)],
    ids=["oak-8x8", "hex-61", "budget-8x8"],
)
def test_lamps_of_each_kind_have_their_look_and_their_limit(
    profile: Profile, count: int, palette: object, budgeted: object
) -> None:
    lamps = panel(profile, profile.grid, 1.0)
    assert (lamps.count, lamps.palette, lamps.budget) == (count, palette, budgeted)


def test_a_string_may_draw_what_its_board_says() -> None:
    assert budget(OAK).cap == pytest.approx(1200.0)
    assert budget(replace(OAK, power=replace(OAK.power, led_cap=0.8))).cap == pytest.approx(800.0)


def test_a_board_without_lamps_has_an_empty_panel() -> None:
    assert (panel(BARE, BARE.grid, 1.0).lamps, panel(BARE, BARE.grid, 1.0).count) == ({}, 0)


FIVE_AND_TWO = (Die(5, spent=False, note=""), Die(2, spent=False, note=""))
PICTURE = """
    ........
    ........
    ........
    x.x....x
    .x......
    x.x..x..
    ........
    ........
"""


def drawn(profile: Profile, *, brightness: float = 1.0) -> str:
    """Two dice on the board, as a player sees them."""
    frame = dice_frame(profile, brightness, FIVE_AND_TWO)
    lit = {cell for cell, lamp in profile.layout.lamps.items() if frame[lamp] != DARK}
    rows = ["".join("x" if f"{file}{rank}" in lit else "." for file in "abcdefgh") for rank in range(8, 0, -1)]
    return "\n" + "".join(f"    {row}\n" for row in rows)


def test_dice_on_the_board_are_pips_under_the_right_cells() -> None:
    for profile in (OAK, BUDGET):
        assert drawn(profile) == PICTURE, profile.name


def test_dice_on_the_board_are_as_bright_as_the_rest() -> None:
    lamp = next(number for number, colour in enumerate(dice_frame(OAK, 1.0, FIVE_AND_TWO)) if colour != DARK)
    assert dice_frame(OAK, 1.0, FIVE_AND_TWO)[lamp] == PIP
    assert DARK < dice_frame(OAK, 0.5, FIVE_AND_TWO)[lamp] < PIP
    assert drawn(OAK, brightness=0.3) == PICTURE


def test_only_a_board_that_shows_them_itself_has_a_frame_for_dice() -> None:
    on_board = rig(replace(OAK, dice=DiceOnBoard()), OAK.grid, 1.0).dice_on_board
    assert on_board is not None
    assert on_board(FIVE_AND_TWO) == dice_frame(OAK, 1.0, FIVE_AND_TWO)
    assert rig(OAK, OAK.grid, 1.0).dice_on_board is None
    assert rig(replace(OAK, dice=None), OAK.grid, 1.0).dice_on_board is None


def test_dice_on_a_board_without_lamps_light_nothing() -> None:
    assert dice_frame(BARE, 1.0, FIVE_AND_TWO) == ()


def test_two_chips_of_lamps_make_one_chain() -> None:
    assert isinstance(BUDGET.lamps, Max7219)
    larger = replace(BUDGET, lamps=replace(BUDGET.lamps, chips=2), dice=None, button_lamps=None)
    assert panel(larger, larger.grid, 1.0).count == 128
    assert kinds(larger)[0] == "GpioSwitches GpioButtons MonoChain"


def test_the_pins_of_buttons_may_be_fewer_than_four() -> None:
    one = replace(BARE, buttons=PiPins({"go": 5}))
    assert kinds(one) == ("PicoLink GpioButtons", {"pico", "pins"})
