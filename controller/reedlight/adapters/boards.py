"""Boards: from a profile to the ports of that board, each opened by whoever holds them.

    profile.reader        Pico ─► PicoLink    Gpio ─► GpioSwitches    Expander ─► ExpanderSwitches
    profile.buttons       PiPins ─► GpioButtons        PicoPins: the link's
    profile.lamps, dice   Ws2812 ─► RgbString          parts on MAX7219 chips ─► one MonoChain a chain
    profile.button_lamps  PiPins ─► GpioButtonLamps    PicoPins: the link's    Segments: the chain's

What a port is opened on is the *machine*: the Raspberry Pi that the program runs on, or a simulated one. A
part that a board does not have opens nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from reedlight.adapters.buttons import GpioButtonLamps, GpioButtons
from reedlight.adapters.expander import Bus, ExpanderSwitches, open_i2c
from reedlight.adapters.gpio import GpioSwitches, Pins, pi_pins
from reedlight.adapters.luma_mono import MonoChain, Part, chains
from reedlight.adapters.luma_rgb import RgbString
from reedlight.adapters.pico import PicoLink, Wiring, find
from reedlight.adapters.spi import OpenBus, open_spidev
from reedlight.board.fit import fit
from reedlight.board.profile import DiceOnBoard, Expander, Gpio, Max7219, Pico, PicoPins, PiPins, Profile, Ws2812
from reedlight.core.game import Die
from reedlight.core.grid import Grid
from reedlight.ports import Display, Input, LinkLost, Output
from reedlight.scene.dice import on_board
from reedlight.scene.palette import LEVELS, ON_OFF, Colour
from reedlight.scene.render import DARK, GAMMA, UNLIMITED, Budget, Frame, Panel
from reedlight.tabletop import Rig

PIP = Colour(90, 84, 70)
"""The drive of a lamp that is a pip at full brightness: warm white, so dim that two sixes stay far below any cap."""
DARK_LAMP, FULL_CHANNEL = 1.0, 20.0
"""Milliamperes of one WS2812: its own chip, and one channel at full."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Where the devices are: how pins, buses and the Pico's port are opened. Each raises LinkLost."""

    pins: Callable[[], Pins] = pi_pins
    bus: OpenBus = open_spidev
    i2c: Callable[[int], Bus] = open_i2c
    pico: Callable[[str], str] = find
    """From a USB serial number, or none, to the path of the port."""
    settle: Callable[[float], object] = time.sleep
    """Lets the lines of a matrix settle for so many seconds."""


THIS_MACHINE = Machine()


def rig(profile: Profile, grid: Grid, brightness: float, machine: Machine = THIS_MACHINE) -> Rig:
    """The ports of a board, with a game's cells laid on it. Raises ConfigError where the board is too small."""
    layout = fit(grid, profile)
    link = _Link(profile, machine)
    return Rig(
        grid=grid,
        layout=layout,
        panel=panel(profile, grid, brightness),
        inputs=tuple(_inputs(profile, machine, link)),
        outputs=tuple(_outputs(profile, machine, link)),
        dice_on_board=partial(dice_frame, profile, brightness) if isinstance(profile.dice, DiceOnBoard) else None,
    )


def panel(profile: Profile, grid: Grid, brightness: float) -> Panel:
    """The lamps under a game's cells on this board."""
    lamps = fit(grid, profile).lamps
    match profile.lamps:
        case Ws2812(_, count):
            return Panel(lamps, count, LEVELS, budget(profile), brightness)
        case Max7219() as chain:
            return Panel(lamps, chain.count, ON_OFF, UNLIMITED, brightness)
        case None:
            return Panel({}, 0, ON_OFF, UNLIMITED, brightness)


def budget(profile: Profile) -> Budget:
    """What the string of this board draws and may draw."""
    return Budget(DARK_LAMP, FULL_CHANNEL, 1000 * profile.power.led_cap)


def dice_frame(profile: Profile, brightness: float, dice: Sequence[Die]) -> Frame:
    """The frame that shows dice as pips on the board itself."""
    frame = [DARK] * (profile.lamps.count if profile.lamps else 0)
    if profile.lamps:
        pip = Colour(*(int(channel * brightness**GAMMA) for channel in PIP))
        for cell in on_board(profile.grid, dice):
            frame[profile.layout.lamps[cell]] = pip
    return tuple(frame)


# -------------------------------------------------------------------------------------------- inputs


def _inputs(profile: Profile, machine: Machine, link: _Link) -> Iterator[Callable[[float], Input]]:
    match profile.reader:
        case Pico():
            yield link.open
        case Gpio(matrix):
            yield lambda _: GpioSwitches(matrix, machine.pins(), machine.settle)
        case Expander() as expander:
            yield partial(_expander, expander, machine)
    if isinstance(buttons := profile.buttons, PiPins):
        yield lambda _: GpioButtons(buttons, machine.pins())


def _expander(expander: Expander, machine: Machine, _now: float) -> Input:
    # The pins first: a bus that is open when they cannot be had would never be closed.
    pins = None if expander.interrupt is None else machine.pins()
    return ExpanderSwitches(expander, machine.i2c(expander.bus), pins)


# ------------------------------------------------------------------------------------------- outputs


def _outputs(profile: Profile, machine: Machine, link: _Link) -> Iterator[Callable[[float], Output]]:
    if isinstance(string := profile.lamps, Ws2812):
        yield lambda _: RgbString(string, budget(profile), machine.bus)
    for parts in chains(profile):
        yield partial(_chain, parts, machine)
    match profile.button_lamps:
        case PiPins() as lamps:
            yield lambda _: GpioButtonLamps(lamps, machine.pins())
        case PicoPins():
            yield link.lamps
        case _:
            pass


def _chain(parts: Sequence[Part], machine: Machine, _now: float) -> Output:
    return MonoChain(parts, machine.bus)


class _Link:
    """The one link to a Pico, which an input opens and closes and an output borrows."""

    def __init__(self, profile: Profile, machine: Machine) -> None:
        self._profile = profile
        self._machine = machine
        self._link: PicoLink | None = None

    def open(self, now: float) -> PicoLink:
        """The link, opened anew."""
        reader, buttons, lamps = self._profile.reader, self._profile.buttons, self._profile.button_lamps
        assert isinstance(reader, Pico)  # noqa: S101  # the profile was checked; this says so to the type checker
        self._link = None
        path = self._machine.pico(reader.serial)
        self._link = PicoLink(
            path,
            Wiring(
                reader,
                buttons if isinstance(buttons, PicoPins) else None,
                lamps if isinstance(lamps, PicoPins) else None,
            ),
            now,
        )
        return self._link

    def lamps(self, _now: float) -> Output:
        """The lamps on the Pico, as long as the link holds."""
        if self._link is None or self._link.fileno() is None:
            raise LinkLost("The lamps of the buttons are on the Pico, and it is not there.")
        return _Borrowed(self._link)


class _Borrowed:
    """A link as an output that somebody else closes."""

    def __init__(self, link: PicoLink) -> None:
        self._link = link

    @property
    def deadline(self) -> float | None:
        """The input's deadline is the earlier one."""
        return None

    def show(self, display: Display, now: float) -> None:
        """Light the buttons' lamps."""
        if self._link.fileno() is None:
            raise LinkLost("The lamps of the buttons are on the Pico, and it is not there.")
        self._link.show(display, now)

    def close(self) -> None:
        """The input closes it."""
