"""The Raspberry Pi's own pins: how they are opened, and a matrix of switches on them.

    column ──┬─── pulled up, read            one row at a time is an output and low;
             ▽ diode                         every other row is a pulled-up input
            ╱  switch                        column low = the switch at the crossing is closed
    row ─────┘─── low in its turn

An idle row is never driven, so two rows that touch do not fight. It is pulled *up*: most pins wake up pulled
down, and seven rows that are would drain a column through its closed switches until it reads as closed where
it is not. A column rises slowly, by its pull-up alone, so after a change the scan lets the lines settle.

Pins come from gpiozero, and always from its lgpio factory: left to itself gpiozero tries one library after
the other and warns, and the last one fails in a way that tells nobody anything. Of a pin only its level is
used. Edges, bounce times and hold threads differ from library to library or lose presses; what has to be
steady is found here by scans that agree.

Closing a port gives its pins back as inputs. gpiozero closes what is left when the program ends, and when
the program is killed the kernel takes the lines back; then the last row may stay low until the next start,
which harms nothing, because no other line is driven.

Nothing here knows a cell or what a switch means.
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, cast

from gpiozero import (  # pyright: ignore[reportMissingTypeStubs]  # gpiozero says no types; ours are below
    Device,
    InputDevice,
)
from gpiozero.exc import (  # pyright: ignore[reportMissingTypeStubs]  # the same
    GPIOPinInUse,
    GPIOZeroError,
    NativePinFactoryFallback,
    PinFactoryFallback,
    PinFixedPull,
    PinUnknownPi,
)

from reedlight.board.profile import Matrix
from reedlight.ports import Closed, LinkLost
from reedlight.wire.message import LineTest, ScanTest

STILL = 0.040
"""Seconds from look to look while nothing changes: a press of 50 ms, a quick one, is then still seen twice,
for the next look follows after RESTLESS.

Each look wakes the processor, and a scan of the matrix costs a small Pi 3 to 7 ms.
"""
RESTLESS = 0.008
"""The same while looks differ: longer than a reed bounces (1 ms) and than most buttons do (6 ms)."""
EQUAL = 2
"""Looks that must agree."""
LATE = 0.001
"""Seconds by which a look may come late, or a little early, and still be the one of its moment."""
SETTLE = 50e-6
"""Seconds for a column to rise: five times its pull-up of 50 kilohms with 200 picofarads of wire.

The one moment that a port sleeps; with what the system adds, a scan of eight rows takes a millisecond for it.
"""
AT_ONCE = float("-inf")
"""The deadline before the first poll, on every clock."""

LOW, HIGH = 0, 1
"""The levels of a pin."""

# ------------------------------------------------------------------------------------------- the pins


class Pin(Protocol):
    """One of gpiozero's pins, as far as it is used."""

    function: str
    """``input`` or ``output``."""
    pull: str
    """``up``, ``down`` or ``floating``; only for an input."""
    state: int
    """LOW or HIGH."""

    def output_with_state(self, state: int, /) -> None:
        """Drive the pin low or high."""
        ...

    def input_with_pull(self, pull: str, /) -> None:
        """Drive it no longer, and pull it."""
        ...


class Pins(Protocol):
    """One of gpiozero's pin factories: the real one, or a simulator's."""

    def pin(self, name: int, /) -> Pin:
        """The pin of this number; the same one every time."""
        ...

    def close(self) -> None:
        """Let all pins go."""
        ...


def pi_pins(devices: Path = Path("/dev")) -> Pins:
    """The Raspberry Pi's pins, opened once and closed by gpiozero when the program ends. Raises LinkLost.

    There is one factory for the whole program, because closing any closes the pins of all.
    """
    default = cast("_Default", Device)
    if default.pin_factory is None:
        default.pin_factory = _open_lgpio(devices)
    return default.pin_factory


class _Default(Protocol):
    """Where gpiozero keeps the factory of the whole program."""

    pin_factory: Pins | None


def _open_lgpio(devices: Path) -> Pins:
    """The factory on lgpio, or the reason why not."""
    if not any(devices.glob("gpiochip*")):
        raise LinkLost("This computer has no GPIO pins; this board's need a Raspberry Pi.")
    for fallback in (PinFactoryFallback, NativePinFactoryFallback):
        warnings.simplefilter("error", fallback)
    try:
        _import_lgpio()
        return import_module("gpiozero.pins.lgpio").LGPIOFactory()
    except ImportError as wrong:
        raise LinkLost(
            "The GPIO pins need lgpio, which is not installed: sudo apt install python3-lgpio, and make the "
            "virtual environment with --system-site-packages."
        ) from wrong
    except PinUnknownPi as wrong:
        raise LinkLost("This computer has GPIO pins, but it does not say that it is a Raspberry Pi.") from wrong
    except _troubles() as wrong:
        raise LinkLost(f"The GPIO pins cannot be opened ({_words(wrong)}); is this user in the group gpio?") from wrong


def _import_lgpio() -> None:
    """Import lgpio, which makes a pipe in a folder that must be writable, and moves the whole program there."""
    here = Path.cwd()
    chosen = os.environ.get("LG_WD")
    with TemporaryDirectory(prefix="reedlight-") as folder:
        os.environ["LG_WD"] = folder
        try:
            import_module("lgpio")
        finally:
            os.chdir(here)
            del os.environ["LG_WD"]
            if chosen is not None:
                os.environ["LG_WD"] = chosen


def _troubles() -> tuple[type[Exception], ...]:
    """What a pin may raise. lgpio's error is like no other, and lgpio is there only where it was imported."""
    lgpio = sys.modules.get("lgpio")
    return (GPIOZeroError, OSError) if lgpio is None else (GPIOZeroError, OSError, lgpio.error)


def _words(wrong: BaseException) -> str:
    """What an error says, without a number or quotes around it."""
    return (wrong.strerror if isinstance(wrong, OSError) else None) or str(wrong).strip("'")


# ------------------------------------------------------------------------------------- taking of them


class Held(Protocol):
    """Whatever of gpiozero holds a pin so that no other device of this program takes it."""

    def close(self) -> None:
        """Give the pin back, as an input."""
        ...


@dataclass(frozen=True, slots=True)
class Line:
    """A pin that was taken, and gpiozero's device that holds it."""

    pin: Pin
    device: Held


def pulled_up(number: int, pins: Pins) -> Held:
    """An input that is pulled up."""
    return InputDevice(number, pull_up=True, pin_factory=pins)


def take(pins: Pins, wanted: Iterable[tuple[str, int]], device: Callable[[int, Pins], Held]) -> tuple[Line, ...]:
    """Take pins, each with a word for what it is for; all of them or, raising LinkLost, none."""
    taken: list[Line] = []
    try:
        for role, number in wanted:
            taken.append(_take(pins, role, number, device))
    except LinkLost:
        release(taken)
        raise
    return tuple(taken)


def release(lines: Iterable[Line]) -> None:
    """Give pins back; again does nothing."""
    for line in lines:
        with suppress(*_troubles()):
            line.device.close()


@dataclass(frozen=True, slots=True)
class SaidAs:
    """Turns whatever a pin raises into a LinkLost: the sentence, and in brackets why."""

    sentence: str

    def __enter__(self) -> None:
        """Nothing: it is there for the way out."""

    def __exit__(self, _kind: object, wrong: BaseException | None, _where: object) -> None:
        """Raise LinkLost instead of what a pin has raised."""
        if wrong is not None and isinstance(wrong, _troubles()):
            raise LinkLost(f"{self.sentence} ({_words(wrong)}).") from wrong


def _take(pins: Pins, role: str, number: int, device: Callable[[int, Pins], Held]) -> Line:
    try:
        pin = pins.pin(number)  # before the device, whose reservation would outlive a pin that is busy
        return Line(pin, device(number, pins))
    except _troubles() as wrong:
        raise LinkLost(_refusal(f"GPIO{number} ({role})", wrong)) from wrong


def _refusal(pin: str, wrong: Exception) -> str:
    if isinstance(wrong, GPIOPinInUse):
        return f"{pin} is already in use by this program for something else."
    if "busy" in _words(wrong).lower():
        return f"{pin} is in use by another program, or by a bus that config.txt switches on."
    return f"{pin} cannot be used ({_words(wrong)})."


# -------------------------------------------------------------------------------------------- believing


class EqualScans:
    """Believes a line once it was the same in some scans running, however late they come. Pure.

    Not ``Debounce``, which hears of every change and may trust in silence: a scan sees nothing between
    two looks, so what one of them saw alone must not become true by waiting.
    """

    def __init__(self, equal: int = EQUAL) -> None:
        self._equal = equal
        self._seen: deque[int] = deque(maxlen=equal)
        self.believed: int = 0
        self.still = False
        """Whether all the last scans are what is believed."""

    def next_look(self, now: float) -> float:
        """When to scan again. Scans of all ports fall on the same moments, so that they wake the processor once."""
        every = STILL if self.still else RESTLESS
        return ((now + LATE) // every + 1) * every

    def scan(self, mask: int) -> int | None:
        """What is believed after this scan, if that is new; the first scan is believed as it is."""
        if self.still and mask == self.believed:
            return None
        if not self._seen:
            self._seen.extend([mask] * self._equal)
            self.believed, self.still = mask, True
            return mask
        self._seen.append(mask)
        every, some = -1, 0
        for seen in self._seen:
            every &= seen
            some |= seen
        believed = self.believed & some | every
        self.still = every == some == believed
        if believed == self.believed:
            return None
        self.believed = believed
        return believed


# ------------------------------------------------------------------------------------------- the matrix


_READING = SaidAs("The switches on the Raspberry Pi's pins cannot be read")


class GpioSwitches:
    """The switches of a matrix on the Raspberry Pi's pins: an Input. Raises LinkLost.

    They are read 25 times a second, and 125 times while they change.
    """

    def __init__(self, matrix: Matrix, pins: Pins, settle: Callable[[float], object] = time.sleep) -> None:
        self._settle = settle
        self._width = len(matrix.columns)
        wanted = [(f"row {number}", pin) for number, pin in enumerate(matrix.rows)]
        wanted += [(f"column {number}", pin) for number, pin in enumerate(matrix.columns)]
        self._lines = take(pins, wanted, pulled_up)
        everything = [line.pin for line in self._lines]
        self._rows, self._columns = everything[: len(matrix.rows)], everything[len(matrix.rows) :]
        self._scans = EqualScans()
        self._due = AT_ONCE

    @property
    def deadline(self) -> float | None:
        """When the next scan is due."""
        return self._due

    def fileno(self) -> int | None:
        """None: no file tells of a switch."""
        return None

    def poll(self, now: float) -> Sequence[Closed]:
        """Scan if a scan is due, and tell what two equal scans believe."""
        if now < self._due:
            return ()
        with _READING:
            believed = self._scans.scan(self._scan())
        self._due = self._scans.next_look(now)
        return () if believed is None else (Closed(believed, now),)

    def close(self) -> None:
        """Give the pins back as inputs."""
        release(self._lines)

    def line_test(self) -> tuple[LineTest, ...]:
        """Drive each line low alone, rows first, and look which others are low; look which rows 3.3 V holds high.

        What a Pico tells by the same name, and read in the same way. A column may have a pull-up of its own,
        so nothing is said of what holds it high.
        """
        lines = [*self._rows, *self._columns]
        with _READING, self._put_back():
            high = self._rows_held_high()
            self._pull_all_up()
            return tuple(
                LineTest(number, self._follow(line, lines) & ~(1 << number), bool(high >> number & 1))
                for number, line in enumerate(lines)
            )

    def scan_test(self) -> tuple[ScanTest, ...]:
        """Scan once as always and once the other way round, with columns driven and rows read; as it is, row by row."""
        with _READING, self._put_back():
            forward = [self._follow(row, self._columns) for row in self._rows]
            backward = [self._follow(column, self._rows) for column in self._columns]
        return tuple(
            ScanTest(row, columns, sum((rows >> row & 1) << number for number, rows in enumerate(backward)))
            for row, columns in enumerate(forward)
        )

    def _scan(self) -> int:
        """Every switch as it is, once."""
        mask = 0
        for number, row in enumerate(self._rows):
            mask |= self._low_while(row, self._columns) << number * self._width
        return mask

    def _low_while(self, driven: Pin, read: Sequence[Pin]) -> int:
        """Which lines are low while one is driven low, bit n for the n-th of them."""
        driven.output_with_state(LOW)
        self._settle(SETTLE)
        low = 0
        for number, line in enumerate(read):
            if not line.state:
                low |= 1 << number
        driven.function = "input"
        return low

    def _follow(self, driven: Pin, read: Sequence[Pin]) -> int:
        """The same for a line that is read itself afterwards: driving it may have cost it its pull-up."""
        low = self._low_while(driven, read)
        driven.input_with_pull("up")
        return low

    def _rows_held_high(self) -> int:
        """Which rows are high although every line is pulled down; one with a resistor of its own is not asked."""
        asked = 0
        for number, line in enumerate((*self._rows, *self._columns)):
            with suppress(PinFixedPull):
                line.pull = "down"
                asked |= 1 << number
        self._settle(SETTLE)
        return asked & sum(bool(row.state) << number for number, row in enumerate(self._rows))

    @contextmanager
    def _put_back(self) -> Generator[None]:
        """Leave every line a pulled-up input, as the next scan wants it."""
        try:
            yield
        finally:
            self._pull_all_up()

    def _pull_all_up(self) -> None:
        for line in (*self._rows, *self._columns):
            line.input_with_pull("up")
