"""PCA9555 chips on I2C: sixteen switches to ground on each, no matrix and no diodes.

    closed switch = low input            switch = 16 x chip + 8 x port + bit

    interrupt wired      look at its level now and then; read the chips when it is low, while a change
                         awaits its second reading, and once a second whatever it says
    not wired            read the chips at every look

The chips share one interrupt line and pull it low when an input is not as it was last read. Its level is
looked at, never its edge: a level that was missed is still there at the next look. The reading once a second
is for a wire that came off, and tells that a chip has gone.

A chip is read from port 1 on, and port 0 follows by itself. With the command byte left at 0 the chip would
let the interrupt go as soon as any other chip on the bus answers, and forget a change (Texas Instruments,
PCA9555 data sheet, interrupt errata).

The chips' registers after power-up are those that are wanted, all inputs and none inverted; they are written
once all the same, since a program before may have had other wishes. Nothing here knows a cell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from smbus2 import SMBus

from reedlight.adapters.gpio import AT_ONCE, EqualScans, Line, Pins, SaidAs, pulled_up, release, take
from reedlight.board.profile import Expander
from reedlight.ports import Closed, LinkLost

READ_AT_LEAST = 1.0
"""Seconds after which the chips are read although the interrupt is silent."""
TRIES = 3
"""How often a chip is asked before it counts as gone: one transfer may be spoilt by noise, hardly three."""

_PORT_1 = 0x01
_POLARITY = 0x04
_CONFIGURATION = 0x06
_NOT_INVERTED = 0x0000
_ALL_INPUTS = 0xFFFF

_INTERRUPT = SaidAs("The interrupt of the expander cannot be read")

T = TypeVar("T")


class Bus(Protocol):
    """An open I2C bus, in the words of ``smbus2.SMBus``; everything but the last may raise OSError."""

    def read_word_data(self, address: int, register: int, /) -> int:
        """Two bytes from a register on, the first of them the low byte."""
        ...

    def write_word_data(self, address: int, register: int, value: int, /) -> None:
        """Two bytes to a register and the next, the low byte first."""
        ...

    def close(self) -> None:
        """Let the bus go."""
        ...


def open_i2c(number: int, opened: Callable[[str], Bus] = SMBus) -> Bus:
    """The Raspberry Pi's I2C bus of this number. Raises LinkLost."""
    path = f"/dev/i2c-{number}"
    try:
        return opened(path)
    except FileNotFoundError as wrong:
        raise LinkLost(
            f"There is no {path}: put dtparam=i2c_arm=on into /boot/firmware/config.txt and restart the Raspberry Pi."
        ) from wrong
    except PermissionError as wrong:
        raise LinkLost(f"This user may not use {path} (sudo usermod -aG i2c USER, then log in again).") from wrong
    except OSError as wrong:
        raise LinkLost(f"{path} cannot be opened ({wrong.strerror or wrong}).") from wrong


class ExpanderSwitches:
    """The switches on PCA9555 chips: an Input, which takes its bus with it when it is closed. Raises LinkLost.

    ``pins`` are those of the interrupt; without them, or without an interrupt in the wiring, the chips are
    read at a steady pace.
    """

    def __init__(self, expander: Expander, bus: Bus, pins: Pins | None) -> None:
        self._expander = expander
        self._bus = bus
        self._lines: tuple[Line, ...] = ()
        self._scans = EqualScans()
        self._due = AT_ONCE
        self._read_by = AT_ONCE
        try:
            self._prepare()
            if pins is not None and expander.interrupt is not None:
                self._lines = take(pins, [("interrupt of the expander", expander.interrupt)], pulled_up)
        except LinkLost:
            self.close()
            raise

    @property
    def deadline(self) -> float | None:
        """When to look at the interrupt or to read the chips next."""
        return self._due

    def fileno(self) -> int | None:
        """None: no file tells of a switch."""
        return None

    def poll(self, now: float) -> Sequence[Closed]:
        """Read the chips if there is a reason to, and tell what two equal readings believe."""
        if now < self._due:
            return ()
        believed = self._look(now)
        self._due = self._scans.next_look(now)
        return () if believed is None else (Closed(believed, now),)

    def close(self) -> None:
        """Let the bus and the pin of the interrupt go."""
        release(self._lines)
        self._bus.close()

    def _look(self, now: float) -> int | None:
        if self._scans.still and now < self._read_by and not self._asked_for():
            return None
        self._read_by = now + READ_AT_LEAST
        return self._scans.scan(self._read())

    def _prepare(self) -> None:
        for address in self._expander.addresses:
            self._tried(address, lambda at: self._bus.write_word_data(at, _POLARITY, _NOT_INVERTED))
            self._tried(address, lambda at: self._bus.write_word_data(at, _CONFIGURATION, _ALL_INPUTS))

    def _asked_for(self) -> bool:
        """Whether a chip asks to be read, or has no wire to ask with."""
        with _INTERRUPT:
            return not self._lines or any(not line.pin.state for line in self._lines)

    def _read(self) -> int:
        """Every switch as it is, once."""
        mask = 0
        for chip, address in enumerate(self._expander.addresses):
            word = self._tried(address, lambda at: self._bus.read_word_data(at, _PORT_1))
            port_1, port_0 = word & 0xFF, word >> 8
            mask |= (~(port_1 << 8 | port_0) & 0xFFFF) << 16 * chip
        return mask

    def _tried(self, address: int, transfer: Callable[[int], T], tries: int = TRIES) -> T:
        """The outcome of a transfer, tried again when it fails. Raises LinkLost."""
        try:
            return transfer(address)
        except OSError as wrong:
            if tries == 1:
                raise LinkLost(
                    f"The chip at {address:#04x} on I2C bus {self._expander.bus} does not answer "
                    f"({wrong.strerror or wrong}); look at its power, its two wires and its address pins."
                ) from wrong
        return self._tried(address, transfer, tries - 1)
