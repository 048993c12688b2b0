"""Simulated pins: gpiozero's own mock pins, joined by the wires, switches and diodes of a board.

The real adapters run above them unchanged. What a pin reads follows from what every pin does at that
moment and from which switches are closed, and that is asked of the simulator's world each time:

    closed()  ──►  switches, diodes, faults  ──►  level of a line
    pins that drive, pulls  ───────┘

A low spreads along whatever conducts: through a closed switch from its row to its column (current flows
from the column through the diode into the row), through a bridged diode both ways, through a diode the
wrong way round from column to row only, between joined lines both ways. A high spreads the other way. What
is driven wins over what is pulled; where pulls alone disagree, low wins, the worst a column can meet.

A line that nothing drives any longer may rise slowly (``rise``); until ``settle`` has let that long pass it
reads as it did. gpiozero's mock pins remember every change they ever made; these remember none, so that a
board may be simulated for days. What is remembered is what a state of everything comes to: a scan goes through the
same few again and again, and asks 64 times in each.

Sets of lines are masks here, bit n for pin n.

Nothing here knows a cell, a piece or a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from errno import EBUSY
from typing import Any, cast

from gpiozero.pins.mock import (  # pyright: ignore[reportMissingTypeStubs]  # gpiozero says no types
    MockFactory,
    MockPin,
)

from reedlight.adapters.gpio import Pin
from reedlight.board.profile import Matrix, PiPins
from reedlight.scene.scene import Button

PULLED_UP_AT_START = range(9)
"""Pins that a Raspberry Pi pulls up when it starts; it pulls the others down."""

# --------------------------------------------------------------------------------------------- faults


@dataclass(frozen=True, slots=True)
class Joined:
    """Two pins whose lines touch."""

    one: int
    other: int


@dataclass(frozen=True, slots=True)
class Grounded:
    """A pin whose line touches ground."""

    pin: int


@dataclass(frozen=True, slots=True)
class Live:
    """A pin whose line touches 3.3 V."""

    pin: int


@dataclass(frozen=True, slots=True)
class Bridged:
    """A switch whose diode conducts both ways, or that has none."""

    switch: int


@dataclass(frozen=True, slots=True)
class Reversed:
    """A switch whose diode is the wrong way round."""

    switch: int


@dataclass(frozen=True, slots=True)
class Stuck:
    """A switch that stays closed."""

    switch: int


Fault = Joined | Grounded | Live | Bridged | Reversed | Stuck


def without_diodes(matrix: Matrix) -> tuple[Bridged, ...]:
    """The faults of a matrix that was built without a single diode."""
    return tuple(Bridged(switch) for switch in range(matrix.count))


# -------------------------------------------------------------------------------------------- the pins

NO_MATRIX = Matrix((), ())
MOST_KNOWN = 10_000
"""States of everything that are remembered; a board without faults has some twenty for each position of its pieces."""


@dataclass(slots=True)
class Line:
    """What a pin does to its line: the level that it drives, None while it is an input, and how it pulls then."""

    drives: bool | None
    pull: str


@dataclass(frozen=True, slots=True)
class Doing:
    """Which lines are driven, and which are pulled, either way; and which have not risen yet."""

    low: int
    high: int
    down: int
    up: int
    rising: int


@dataclass(frozen=True, slots=True)
class Levels:
    """What comes of it: which lines are high, which a driven low gets to, and whether outputs fight."""

    high: int
    low: int
    short: bool


class SimulatedPins(MockFactory):
    """Pins of a Raspberry Pi that is wired to a board; hand it to an adapter as its ``pins``.

    ``closed`` tells which switches of the matrix are closed. ``wires`` are pins that something outside pulls
    to ground, such as a button or a chip's interrupt, each with what tells whether it does now. ``rise`` is
    how many seconds a line needs to rise; 0 is no time at all. ``faults`` and ``busy``, the pins that another
    program has, may be changed at any time. ``shorts`` counts the looks at a board on which outputs fight.
    """

    def __init__(
        self,
        matrix: Matrix = NO_MATRIX,
        closed: Callable[[], int] = int,
        wires: Mapping[int, Callable[[], bool]] | None = None,
        faults: Iterable[Fault] = (),
        rise: float = 0.0,
    ) -> None:
        super().__init__(pin_class=SimulatedPin)  # pyright: ignore[reportUnknownMemberType]  # gpiozero says no types
        self._lines: dict[int, Line] = {}
        self._matrix = matrix
        self._row_of = {pin: row for row, pin in enumerate(matrix.rows)}
        self._column_of = {pin: column for column, pin in enumerate(matrix.columns)}
        self._closed = closed
        self._wires = [(1 << pin, pulls) for pin, pulls in (wires or {}).items()]
        self._rise = rise
        self._rising = 0
        self._doing: Doing | None = None
        self._seen: tuple[object, int, int] = (None, 0, 0)
        self._now = Levels(0, 0, short=False)
        self._known: dict[tuple[Doing, int, int], Levels] = {}
        self.busy: set[int] = set()
        self.shorts = 0
        self.faults = tuple(faults)

    def pin(self, name: int | str, pin_class: type[MockPin] | None = None, **others: object) -> Pin:
        """The pin of this number; the same one every time. Raises OSError if another program has it."""
        return cast("Pin", super().pin(name, pin_class, **others))  # pyright: ignore[reportUnknownMemberType]  # the same

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What is wrong with the wiring."""
        return self._faults

    @faults.setter
    def faults(self, faults: tuple[Fault, ...]) -> None:
        self._faults = faults
        self._grounded = _mask(fault.pin for fault in faults if isinstance(fault, Grounded))
        self._live = _mask(fault.pin for fault in faults if isinstance(fault, Live))
        self._joined: dict[int, int] = {}
        for fault in faults:
            if isinstance(fault, Joined):
                self._joined[fault.one] = self._joined.get(fault.one, 0) | 1 << fault.other
                self._joined[fault.other] = self._joined.get(fault.other, 0) | 1 << fault.one
        bridged = _mask(fault.switch for fault in faults if isinstance(fault, Bridged))
        reversed_ = _mask(fault.switch for fault in faults if isinstance(fault, Reversed))
        self._stuck = _mask(fault.switch for fault in faults if isinstance(fault, Stuck))
        self._forward = _mask(range(self._matrix.count)) & ~reversed_ | bridged
        self._backward = reversed_ | bridged
        self._known.clear()
        self.changed()

    def lit(self, lamps: PiPins) -> frozenset[Button]:
        """The buttons whose lamp is driven high."""
        return frozenset(
            Button(name)
            for name, number in lamps.pins.items()
            if number in self._lines and self._lines[number].drives and self.level(number)
        )

    def settle(self, seconds: float) -> None:
        """Let this much time pass on the lines; hand it to an adapter as its ``settle``."""
        if seconds >= self._rise:
            self._rising = 0
            self.changed()

    # ------------------------------------------------------------------------------ for the pins alone

    def added(self, number: int, line: Line) -> None:
        """A pin is used for the first time. Raises OSError if another program has it."""
        if number in self.busy:
            raise OSError(EBUSY, "GPIO busy")
        self._lines[number] = line
        self.changed()

    def changed(self) -> None:
        """Some pin is not what it was."""
        self._doing = None

    def level(self, number: int) -> bool:
        """What a pin reads."""
        grounded = self._grounded
        for bit, pulls in self._wires:
            if pulls():
                grounded |= bit
        seen = (self._doing, self._closed() | self._stuck, grounded)
        if seen[0] is None or seen != self._seen:
            self._look(seen[1], grounded)
        return bool(self._now.high >> number & 1)

    def _look(self, closed: int, grounded: int) -> None:
        """Find out what everything comes to now."""
        doing = self._doing = self._done()
        self._seen = state = (doing, closed, grounded)
        levels = self._known.get(state)
        if levels is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            levels = self._known[state] = self._levels(doing, closed, grounded)
        self._now = levels
        self.shorts += levels.short
        if self._rise:
            self._rising |= levels.low

    def _done(self) -> Doing:
        """What every pin that is used does now."""
        low = high = down = up = 0
        for number, line in self._lines.items():
            bit = 1 << number
            if line.drives:
                high |= bit
            elif line.drives is False:
                low |= bit
            elif line.pull == "up":
                up |= bit
            elif line.pull == "down":
                down |= bit
        return Doing(low, high, down, up, self._rising)

    def _levels(self, doing: Doing, closed: int, grounded: int) -> Levels:
        """What all of that comes to."""
        forward, backward = closed & self._forward, closed & self._backward
        driven_high = self._live | doing.high
        low = self._reached(grounded | doing.low, forward, backward)
        high = self._reached(driven_high, backward, forward)
        pulled_down = self._reached(doing.down, forward, backward)
        pulled_up = self._reached(doing.up, backward, forward)
        is_high = (high | pulled_up & ~pulled_down & ~doing.rising) & ~low
        return Levels(is_high, low, short=bool(low & driven_high))

    def _reached(self, sources: int, from_rows: int, from_columns: int) -> int:
        """Where a level gets to from its sources; the masks are the switches it passes, by the line it comes from."""
        reached = ahead = sources
        while ahead:
            line = ahead.bit_length() - 1
            found = self._beside(line, from_rows, from_columns) & ~reached
            reached |= found
            ahead = ahead & ~(1 << line) | found
        return reached

    def _beside(self, line: int, from_rows: int, from_columns: int) -> int:
        """The lines that conduct directly from this one."""
        width = len(self._matrix.columns)
        found = self._joined.get(line, 0)
        row, column = self._row_of.get(line), self._column_of.get(line)
        if row is not None and from_rows:
            switches = from_rows >> row * width
            found |= _mask(pin for at, pin in enumerate(self._matrix.columns) if switches >> at & 1)
        if column is not None and from_columns:
            switches = from_columns >> column
            found |= _mask(pin for at, pin in enumerate(self._matrix.rows) if switches >> at * width & 1)
        return found


class SimulatedPin(MockPin):
    """One of them; its level is what the wiring makes of it."""

    def __init__(self, factory: SimulatedPins, info: Any) -> None:  # gpiozero's PinInfo, which has no types
        self._line = Line(None, info.pull or "floating")
        self._wiring = factory
        super().__init__(factory, info)
        if not info.pull:
            self._pull = "up" if self._number in PULLED_UP_AT_START else "down"
        self._line.pull = self._pull
        factory.added(self._number, self._line)

    def _get_state(self) -> bool:
        return self._wiring.level(self._number)

    def _set_function(self, value: str) -> None:
        super()._set_function(value)  # pyright: ignore[reportUnknownMemberType]  # gpiozero says no types
        self._line.drives = bool(self._state) if value == "output" else None
        self._wiring.changed()

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)  # pyright: ignore[reportUnknownMemberType]  # the same
        self._line.pull = value
        self._wiring.changed()

    def _change_state(self, value: bool) -> bool:  # noqa: FBT001  # gpiozero's signature
        """Keep the level and no memory of it, and let nobody hear an edge."""
        self._state = value
        if self._line.drives is not None:
            self._line.drives = value
            self._wiring.changed()
        return False


def _mask(bits: Iterable[int]) -> int:
    mask = 0
    for bit in bits:
        mask |= 1 << bit
    return mask
