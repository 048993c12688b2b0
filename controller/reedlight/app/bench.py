"""Bench: one board with nobody playing on it, for a program that lights lamps by number and looks what happens.

    with on_bench(profile) as bench:
        bench.show({3: Mark.CHOICE})          lamp 3 blinks; whoever waits keeps the rhythm
        happened = bench.wait(10.0)           what was reported, or nothing in ten seconds
        bench.closed, bench.down              the switches and buttons as they are now

Numbers are all it speaks: a switch is a bit of a mask, a lamp a place in a frame, and which cell they are
under is not asked. What shines is a mark with its rhythm, or a colour as it stands.

Nothing happens unless somebody waits. ``wait`` polls the ports when they are due, shows what is to be shown
when its rhythm says so, and comes back with the first thing that happens. A port that fails is told as a
``Trouble``, once for each new sentence, and tried again every RETRY seconds, so that a cable may be put back.

Time is a seam: a ``Clock`` says what it is and lets it pass. The real one sleeps in the system's ``select``,
where Ctrl-C wakes it; leaving the ``with`` then leaves the board dark.
"""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType, TracebackType
from typing import Generic, Protocol, Self, TypeVar

from reedlight.adapters.boards import THIS_MACHINE, Machine, panel, rig
from reedlight.board.profile import Expander, Profile
from reedlight.core.game import Caption, Die
from reedlight.core.grid import Cell
from reedlight.ports import Closed, Display, Down, Input, LinkLost, Output
from reedlight.scene.palette import Colour
from reedlight.scene.render import Panel, lit_buttons, next_change, render
from reedlight.scene.scene import Button, Lamp, Light, Mark, Scene
from reedlight.session.events import Hold, Press
from reedlight.session.presses import Presses
from reedlight.tabletop import RETRY, Rig

BRIGHTNESS = 1.0
"""How bright a bench is: somebody stands over it and looks for lamps."""


class Clock(Protocol):
    """What time it is, in seconds that only move forward, and how it passes."""

    def now(self) -> float:
        """The time."""
        ...

    def wait(self, seconds: float, files: Collection[int]) -> Collection[int]:
        """Let so much time pass, or less if one of these files can be read before; those that can."""
        ...


class RealClock:
    """The system's clock, which never goes back."""

    def now(self) -> float:
        """Seconds since the machine was started, or some such moment."""
        return time.monotonic()

    def wait(self, seconds: float, files: Collection[int]) -> Collection[int]:
        """Sleep, but not longer than until a file can be read."""
        return select.select(list(files), [], [], seconds)[0]


@dataclass(frozen=True, slots=True)
class Trouble:
    """A part of the board cannot be reached, or no longer; the sentence says which and why."""

    sentence: str


Happening = Closed | Press | Hold | Trouble
"""What ``wait`` comes back with."""

Shining = Mark | Colour
"""What a lamp shows: a mark in its hue and rhythm, or the drive of its channels, steadily."""

_Port = TypeVar("_Port", bound=Input | Output)
_NOTHING: Mapping[int, Shining] = MappingProxyType({})
_NO_LAMPS: Mapping[Button, Lamp] = MappingProxyType({})
_NO_CAPTION = Caption("", "")


class Bench:
    """One board's ports, opened by the first ``wait`` or ``open``. Not thread-safe; never sleeps but in ``wait``."""

    def __init__(self, profile: Profile, rig: Rig, clock: Clock | None = None) -> None:
        self.profile = profile
        self.closed: int | None = None
        """The switches that are closed; None until they were read, and while they cannot be."""
        self.down: frozenset[Button] = frozenset()
        """The buttons that are down."""
        self._clock = RealClock() if clock is None else clock
        self._panel = _by_numbers(panel(profile, profile.grid, BRIGHTNESS))
        self._inputs = [_Socket(opening) for opening in rig.inputs]
        self._outputs = [_Socket(opening) for opening in rig.outputs]
        self._held: dict[_Socket[Input], frozenset[Button]] = {}
        self._presses = Presses()
        self._scene = Scene(_NO_CAPTION)
        self._colours: Mapping[int, Colour] = MappingProxyType({})
        self._display: Display | None = None
        self._changes: float | None = None
        self._told: frozenset[str] = frozenset()

    def __enter__(self) -> Self:
        """Itself; nothing is opened yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the board dark."""
        self.close()

    # ------------------------------------------------------------------------------------ looking

    @property
    def now(self) -> float:
        """The time by the bench's clock."""
        return self._clock.now()

    @property
    def lamp_count(self) -> int:
        """How many lamps the board's driver has, under cells or not; their numbers begin at 0."""
        return self._panel.count

    @property
    def switch_count(self) -> int:
        """How many switches the board's reader could have; their numbers begin at 0."""
        reader = self.profile.reader
        return reader.count if isinstance(reader, Expander) else reader.matrix.count

    @property
    def reader(self) -> Input | None:
        """The open port of the switches, for questions that only its kind can answer; None while it is lost."""
        return self._inputs[0].port if self._inputs else None

    @property
    def troubles(self) -> tuple[str, ...]:
        """Everything that is wrong with the board now, a sentence each."""
        return tuple(socket.trouble for socket in (*self._inputs, *self._outputs) if socket.trouble)

    # ------------------------------------------------------------------------------------- acting

    def show(
        self,
        lights: Mapping[int, Shining] = _NOTHING,
        buttons: Mapping[Button, Lamp] = _NO_LAMPS,
        dice: tuple[Die, ...] = (),
    ) -> None:
        """From the next ``wait`` on light these lamps and no others, these buttons' lamps, these dice."""
        self._display = None
        marks = {_cell(lamp): Light(mark) for lamp, mark in lights.items() if isinstance(mark, Mark)}
        self._colours = {lamp: drive for lamp, drive in lights.items() if not isinstance(drive, Mark)}
        lamps = {**dict.fromkeys(Button, Lamp.OFF), **buttons}
        self._scene = Scene(_NO_CAPTION, marks, dice, lamps)

    def open(self) -> tuple[str, ...]:
        """Open every port and show what is to be shown; what is wrong with those that could not be."""
        self._advance(self.now)
        return self.troubles

    def wait(self, seconds: float, files: Collection[int] = ()) -> tuple[Happening, ...]:
        """The next things that happen; none if so many seconds pass, or one of these files can be read, before."""
        return self.wait_until(self.now + seconds, files)

    def wait_until(self, moment: float, files: Collection[int] = ()) -> tuple[Happening, ...]:
        """The same until a moment of the bench's clock; ports that are due are looked at even if it is over."""
        while True:
            now = self.now
            happened = self._advance(now)
            if happened or now >= moment:
                return happened
            until = min((due for due in (moment, *self._dues()) if due is not None), default=moment)
            ready = self._clock.wait(max(until - now, 0.0), {*files, *self._filenos()})
            if not set(ready).isdisjoint(files):
                return self._advance(self.now)

    def close(self) -> None:
        """Close every port, the lamps dark; again: nothing."""
        for socket in (*self._outputs, *self._inputs):
            socket.close()

    # ------------------------------------------------------------------------------------- inside

    def _advance(self, now: float) -> tuple[Happening, ...]:
        happened: list[Happening] = []
        for socket in self._inputs:
            socket.use(partial(self._take_in, socket, happened, now), now)
            if socket.port is None:
                self._lose(socket)
        happened += self._presses.tick(now)
        display = self._displayed(now)
        for socket in self._outputs:
            socket.use(partial(_show, display, now), now)
        return (*happened, *self._fresh_troubles())

    def _take_in(self, socket: _Socket[Input], happened: list[Happening], now: float, port: Input) -> bool:
        """Hear what a port reports; whether it reported anything."""
        reports = port.poll(now)
        for report in reports:
            if isinstance(report, Down):
                happened += self._hear(socket, report, now)
            else:
                self.closed = report.mask
                happened.append(report)
        return bool(reports)

    def _hear(self, socket: _Socket[Input], report: Down, now: float) -> Collection[Press | Hold]:
        if socket not in self._held:
            self._presses.forget()  # what is down at the first report was not seen going down
        self._held[socket] = report.buttons
        self.down = frozenset[Button]().union(*self._held.values())
        return self._presses.hear(self.down, now)

    def _lose(self, socket: _Socket[Input]) -> None:
        if socket is self._inputs[0]:
            self.closed = None
        if self._held.pop(socket, None) is not None:
            self.down = frozenset[Button]().union(*self._held.values())
            self._presses.forget()

    def _fresh_troubles(self) -> Iterator[Trouble]:
        before, self._told = self._told, frozenset(self.troubles)
        yield from (Trouble(sentence) for sentence in dict.fromkeys(self.troubles) if sentence not in before)

    def _displayed(self, now: float) -> Display:
        """What is to be seen now; made anew only when a rhythm says so."""
        if self._display is None or (self._changes is not None and now >= self._changes):
            frame = list(render(self._scene, now, self._panel))
            for lamp, drive in self._colours.items():
                frame[lamp] = drive
            lit = lit_buttons(self._scene, now)
            self._display = Display(tuple(frame), lit, self._scene.dice, BRIGHTNESS)
            self._changes = next_change(self._scene, now, self._panel)
        return self._display

    def _dues(self) -> Iterator[float | None]:
        yield self._presses.deadline
        yield self._changes
        for socket in (*self._inputs, *self._outputs):
            yield socket.retry if socket.port is None else socket.port.deadline

    def _filenos(self) -> Iterator[int]:
        for socket in self._inputs:
            number = None if socket.port is None else socket.port.fileno()
            if number is not None:
                yield number


def on_bench(profile: Profile, machine: Machine = THIS_MACHINE, clock: Clock | None = None) -> Bench:
    """A board of this machine on the bench."""
    return Bench(profile, rig(profile, profile.grid, BRIGHTNESS, machine), clock)


class _Socket(Generic[_Port]):
    """The place of one port: the port, or what is wrong and when it is tried again."""

    def __init__(self, opening: Callable[[float], _Port]) -> None:
        self._open = opening
        self.port: _Port | None = None
        self.trouble = ""
        self.retry = float("-inf")

    def use(self, act: Callable[[_Port], bool], now: float) -> None:
        """Do something with the port, opening it first where that is due.

        A failure is kept as trouble until an act says that the port works: a link that can be opened may be silent.
        """
        try:
            if self.port is None:
                if now < self.retry:
                    return
                self.port = self._open(now)
            if act(self.port):
                self.trouble = ""
        except LinkLost as error:
            self.close()
            self.trouble, self.retry = str(error), now + RETRY

    def close(self) -> None:
        """Let the port go."""
        port, self.port = self.port, None
        if port is not None:
            port.close()


def _show(display: Display, now: float, port: Output) -> bool:
    port.show(display, now)
    return True


def _by_numbers(board: Panel) -> Panel:
    """The panel with every lamp under a cell that is called by its number."""
    return replace(board, lamps={_cell(number): number for number in range(board.count)})


def _cell(lamp: int) -> Cell:
    return Cell(str(lamp))
