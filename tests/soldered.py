"""A board that somebody soldered, and the person who sits at it: for tests of programs that look at a board.

    plan   the profile that the program begins with          real   how the wires truly run
    Soldered    the real adapters, as the plan says, on simulated pins and buses that are wired as in reality
    Clock       time that is made to pass: whoever waits sees all of it at once
    ByLamps     a person who knows nothing but what shines, and has one piece and four buttons
    ByWords     a person who does what the terminal says, and types

Persons tell marks apart as people do, by rhythm and hue; a look lasts a second or two.
"""

from __future__ import annotations

import os
import re
import select
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from random import Random
from typing import Protocol

from reedlight.adapters.boards import rig
from reedlight.app.bench import BRIGHTNESS, Bench
from reedlight.app.wizard import Terminal
from reedlight.board.geometry import reading
from reedlight.board.layout import Layout
from reedlight.board.profile import Pico, Profile, Ws2812
from reedlight.board.toml import read
from reedlight.core.game import Kind, Piece, Side
from reedlight.core.grid import Cell
from reedlight.ports import Closed, Input, LinkLost, Report
from reedlight.scene.palette import LEVELS, ON_OFF, Colour, Palette
from reedlight.scene.render import DARK, GAMMA
from reedlight.scene.scene import Button, Mark
from reedlight_sim.depths import Switches
from reedlight_sim.hardware import Simulated
from reedlight_sim.world import Hand, World

HAND = Hand("person's")
PIECE = Piece(Side.LIGHT, Kind.MAN)
LONGEST = 3600.0
"""Seconds of virtual time after which a story has gone astray."""
LOOK_EVERY = 0.1
"""Seconds from look to look; every rhythm changes at whole tenths."""
PRESS = 0.1
"""Seconds for which a button is down."""
CARRY = 0.2
"""Seconds from lifting the piece to setting it down."""
WAIT = 0.8
"""Seconds that a person gives the board to answer a piece."""

SMALL = """
name = "small"
title = "Small board"
[cells]
shape = "square"
columns = 4
rows = 3
[scan]
by = "gpio"
rows = [17, 27, 22]
columns = [23, 24, 25, 12]
[lamps]
by = "ws2812"
spi = "0.0"
count = 12
[buttons]
on = "pi"
go = 5
next = 6
back = 13
hint = 26
[button_lamps]
on = "pi"
go = 16
next = 20
back = 21
hint = 19
[buses]
spi0 = 2
[power]
supply = 4.0
led_fuse_hold = 1.6
led_cap = 1.2
"""


def small(text: str = SMALL) -> Profile:
    """A board of twelve cells with everything on the Raspberry Pi."""
    return read(text, "small.toml")


def rewired(
    plan: Profile, switches: Callable[[Cell], Cell] | None = None, lamps: Callable[[Cell], Cell] | None = None
) -> Profile:
    """The board as it is if each cell has the switch, or the lamp, that the plan gives to another."""
    old = plan.layout
    return replace(
        plan,
        layout=Layout(
            {cell: old.switches[switches(cell) if switches else cell] for cell in old.switches},
            {cell: old.lamps[lamps(cell) if lamps else cell] for cell in old.lamps},
        ),
    )


class Person(Protocol):
    """Whoever does something at a moment."""

    @property
    def due(self) -> float:
        """When next."""
        ...

    def act(self, now: float) -> None:
        """Look, and do what is to be done."""
        ...


class Clock:
    """Virtual time, in which a person acts."""

    def __init__(self) -> None:
        self.time = 0.0
        self.person: Person | None = None

    def now(self) -> float:
        return self.time

    def wait(self, seconds: float, files: Collection[int]) -> Collection[int]:
        if ready := select.select(list(files), [], [], 0)[0]:
            return ready
        end = self.time + seconds
        assert end < LONGEST, "the story has no end"
        if self.person is not None and self.person.due <= end:
            self.time = max(self.time, self.person.due)
            self.person.act(self.time)
        else:
            self.time = end
        return select.select(list(files), [], [], 0)[0]


class Soldered:
    """One real board. ``together`` are cells whose switches touch, ``dark`` cells whose lamp is broken."""

    def __init__(
        self,
        plan: Profile,
        real: Profile,
        *,
        together: Iterable[Cell] = (),
        dark: Collection[Cell] = (),
    ) -> None:
        self.clock = Clock()
        self.plan, self.real = plan, real
        self.world = World(real.layout, Random(1), {PIECE: 2})
        self.devices = Simulated(real, self.closed)
        self.lost = False
        """Whether the cable of the switches is out."""
        self._dark = frozenset(dark)
        self._together = real.layout.mask_of(together)

    def closed(self) -> int:
        """The switches that are closed now."""
        self.world.samples_until(self.clock.time)
        return self.joined(self.world.mask)

    def joined(self, mask: int) -> int:
        """The mask as it is where switches touch."""
        return mask | self._together if mask & self._together else mask

    def bench(self, profile: Profile) -> Bench:
        """The board on the bench of a program that takes it for this one."""
        made = rig(profile, profile.grid, BRIGHTNESS, self.devices.machine(_no_pico))
        openings = made.inputs
        if isinstance(profile.reader, Pico):
            openings = (self._scanned, *openings[1:])

        def switches(now: float) -> Input:
            return _Cabled(openings[0](now), self)

        return Bench(profile, replace(made, inputs=(switches, *openings[1:])), self.clock)

    def _scanned(self, _now: float) -> Input:
        return _Scanned(self)

    def seen(self) -> Mapping[Cell, Colour]:
        """The cells that shine, as somebody sees them who stands before the board."""
        shining = self.devices.lamps()
        lamps = self.real.layout.lamps
        return {cell: shining[lamp] for cell, lamp in lamps.items() if lamp in shining and cell not in self._dark}

    @property
    def is_dark(self) -> bool:
        """Whether nothing shines at all, not even a button."""
        return not self.devices.lamps() and not self.devices.button_lamps()

    @property
    def palette(self) -> Palette:
        """How marks look here."""
        return LEVELS if isinstance(self.plan.lamps, Ws2812) else ON_OFF


class _Cabled:
    """An input whose cable may come out."""

    def __init__(self, port: Input, board: Soldered) -> None:
        self._port = port
        self._board = board
        self._refuse()

    @property
    def deadline(self) -> float | None:
        return self._port.deadline

    def fileno(self) -> int | None:
        return self._port.fileno()

    def poll(self, now: float) -> Sequence[Report]:
        self._refuse()
        return self._port.poll(now)

    def close(self) -> None:
        self._port.close()

    def _refuse(self) -> None:
        if self._board.lost:
            self._port.close()
            raise LinkLost("The cable is out.")


class _Scanned(Switches):
    """What a Pico would report."""

    def __init__(self, board: Soldered) -> None:
        super().__init__(board.world)
        self._board = board

    def poll(self, now: float) -> Sequence[Closed]:
        return [replace(closed, mask=self._board.joined(closed.mask)) for closed in super().poll(now)]


def _no_pico(_serial: str) -> str:
    raise LinkLost("There is no Pico here.")


# ---------------------------------------------------------------------------------------------- eyes


class Eyes:
    """What somebody has seen since they began to look."""

    def __init__(self, board: Soldered) -> None:
        self._board = board
        self._moments: list[float] = []
        self._cells: list[Mapping[Cell, Colour]] = []
        self._buttons: list[frozenset[Button]] = []

    def look(self, now: float) -> None:
        self._moments.append(now)
        self._cells.append(self._board.seen())
        self._buttons.append(self._board.devices.button_lamps())

    def forget(self) -> None:
        self._moments, self._cells, self._buttons = [], [], []

    @property
    def long(self) -> bool:
        """Whether that is long enough to know every rhythm."""
        return len(self._moments) >= (13 if self._board.palette is LEVELS else 21)

    @property
    def blind(self) -> bool:
        """Whether nothing was seen at all."""
        return not any(self._cells) and not any(self._buttons)

    def blinks(self, button: Button) -> bool:
        return len({button in lit for lit in self._buttons}) == 2

    def saw(self, cell: Cell) -> bool:
        """Whether a cell has shone at all."""
        return any(cell in lit for lit in self._cells)

    def marks(self) -> Mapping[Cell, Mark]:
        """What each cell says, by its rhythm and its hue."""
        looks = {mark: self._look_of(mark) for mark in Mark if mark not in {Mark.HINT, Mark.WINNER}}
        return {cell: self._mark(cell, looks) for cell in set(chain.from_iterable(self._cells))}

    def _look_of(self, mark: Mark) -> tuple[Sequence[float], tuple[float, float, float]]:
        """The levels at which a mark shines at these moments, and its hue."""
        palette = self._board.palette
        levels = [palette.rhythms[mark].level(moment) ** GAMMA for moment in self._moments]
        hue = _hue(Colour(*(round(255 * (channel / 255) ** GAMMA) for channel in palette.hues[mark].value)))
        return _of_most(levels), hue

    def _mark(self, cell: Cell, looks: Mapping[Mark, tuple[Sequence[float], tuple[float, float, float]]]) -> Mark:
        colours = [lit.get(cell, DARK) for lit in self._cells]
        shone, hue = _of_most([sum(colour) for colour in colours]), _hue(max(colours, key=sum))

        def unlike(mark: Mark) -> float:
            levels, wanted = looks[mark]
            return sum(map(_difference, shone, levels)) + 10 * sum(map(_difference, hue, wanted))

        return min(looks, key=unlike)

    def is_two_colours(self) -> bool:
        """Whether nothing goes on but that some lamps blink together while others do not."""
        return len({frozenset(lit) for lit in self._cells}) == 2 and all(self._cells)

    def steady_red_blinking_green(self) -> bool:
        steady = frozenset(self._cells[0]).intersection(*self._cells)
        colours = [(cell in steady, colour) for lit in self._cells for cell, colour in lit.items()]
        return all((colour.red > 0 if still else colour.green > 0) and _is_pure(colour) for still, colour in colours)

    def sweep(self) -> Sequence[Cell] | None:
        """In which order the cells came on after darkness, once all of them have; None before."""
        dark = next((at for at, lit in enumerate(self._cells) if not lit), None)
        if dark is None:
            return None
        came: dict[Cell, int] = {}
        for at, lit in enumerate(self._cells[dark:]):
            for cell in lit:
                came.setdefault(cell, at)
        quiet = len(self._cells) - dark - 1 - max(came.values(), default=0)
        return tuple(came) if came and quiet >= 12 else None


def _of_most(levels: Sequence[float]) -> Sequence[float]:
    most = max(levels) or 1.0
    return [level / most for level in levels]


def _difference(one: float, other: float) -> float:
    return abs(one - other)


def _hue(colour: Colour) -> tuple[float, float, float]:
    top = max(colour)
    return (colour.red / top, colour.green / top, colour.blue / top)


def _is_pure(colour: Colour) -> bool:
    return sum(channel > 0 for channel in colour) == 1


# ------------------------------------------------------------------------------------------- persons


class _Human:
    """One piece, two hands, eyes; what is done and when."""

    def __init__(self, board: Soldered) -> None:
        self.board = board
        self.eyes = Eyes(board)
        self.due = LOOK_EVERY / 2
        self.placed = 0
        """How often the piece was set down."""
        self.pressed: list[Button] = []
        self.instead: Callable[[float], object] = lambda _: False
        """Something else to be done at a moment; true if it was, so that nothing else is."""
        self._at: Cell | None = None
        self._later: list[tuple[float, Callable[[float], object]]] = []
        board.clock.person = self

    def act(self, now: float) -> None:
        if self._later and self._later[0][0] <= now + 1e-9:
            self._later.pop(0)[1](now)
            self.eyes.forget()
        elif not self._later:
            self.eyes.look(now)
            if not self.instead(now):
                self.decide(now)
        self.due = self._later[0][0] if self._later else now + LOOK_EVERY

    def decide(self, now: float) -> None:
        raise NotImplementedError

    def put(self, cell: Cell, now: float) -> None:
        """Carry the piece to a cell, and wait for what happens."""
        world = self.board.world
        if self._at is None:
            world.from_supply(HAND, PIECE, now)
        else:
            world.lift(HAND, self._at, now)
        self._at = cell
        self.placed += 1
        self.after(CARRY, now, lambda at: world.place(HAND, cell, at))
        self.after(CARRY + WAIT, now, lambda _: None)

    def take_off(self, now: float) -> None:
        assert self._at is not None
        self.board.world.lift(HAND, self._at, now)
        self.board.world.to_tray(HAND, now)
        self._at = None
        self.after(WAIT, now, lambda _: None)

    def press(self, button: Button, now: float) -> None:
        self.pressed.append(button)
        self.board.devices.down = frozenset((button,))
        self.after(PRESS, now, lambda _: self._let_go())
        self.after(PRESS + WAIT, now, lambda _: None)

    def _let_go(self) -> None:
        self.board.devices.down = frozenset()

    def after(self, seconds: float, now: float, act: Callable[[float], object]) -> None:
        self._later.append((_between_tenths(now + seconds), act))
        self._later.sort(key=lambda later: later[0])

    # ---------------------------------------------------------------------------- judging

    def is_read(self, cells: Sequence[Cell]) -> bool:
        """Whether cells came on as one reads, some left out."""
        order = [cell for cell in reading(self.board.plan.grid) if cell in cells]
        return list(cells) == order

    def blinking(self) -> Cell | None:
        """The one cell that asks for the piece; where many are amber, nothing is asked."""
        asking = [cell for cell, mark in self.eyes.marks().items() if mark is Mark.CHOICE]
        return asking[0] if len(asking) == 1 else None


def _between_tenths(moment: float) -> float:
    return (int(moment * 10 + 1e-6) + 0.5) / 10


class ByLamps(_Human):
    """Follows the lamps and nothing else."""

    def __init__(self, board: Soldered) -> None:
        super().__init__(board)
        self.finished = False
        self.impatient_after: int | None = None
        """After so many pieces, press BACK once."""
        self._tried: Cell | None = None
        self._done: set[Cell] = set()

    def decide(self, now: float) -> None:
        if not self.eyes.long:
            return
        if self.eyes.blind:
            self.finished = True
            return
        if self.eyes.blinks(Button.GO):
            self._judge(now)
            return
        if self.impatient_after == self.placed:
            self.impatient_after = None
            self._tried = None
            self.press(Button.BACK, now)
            return
        marks = self.eyes.marks()
        if Mark.REMOVE in marks.values():
            if self._at is None:
                self.press(Button.GO, now)
            else:
                self.take_off(now)
        elif cell := self.blinking() or self._amid(marks):
            self._done.clear()
            self._try(cell, now)
        elif list(marks.values()).count(Mark.CHOICE) > 1:
            self.finished = True
        elif Mark.MOVABLE in marks.values():
            self._go_on_reading(marks, now)
        else:
            self.press(Button.NEXT, now)

    def _judge(self, now: float) -> None:
        self._tried = None
        if self.eyes.is_two_colours():
            self.press(Button.GO if self.eyes.steady_red_blinking_green() else Button.NEXT, now)
        elif came := self.eyes.sweep():
            self.press(Button.GO if self.is_read(came) else Button.NEXT, now)

    def _try(self, cell: Cell, now: float) -> None:
        if self._tried == cell:
            self._tried = None
            self.press(Button.GO, now)
            return
        self._tried = cell
        self.put(cell, now)

    def _amid(self, marks: Mapping[Cell, Mark]) -> Cell | None:
        """The dark cell amid the lights that breathe."""
        around = {cell for cell, mark in marks.items() if mark is Mark.SOURCE}
        grid = self.board.plan.grid
        unlit = (cell for cell in reading(grid) if cell not in marks)
        return next((cell for cell in unlit if around and around <= set(grid.neighbours[cell])), None)

    def _go_on_reading(self, marks: Mapping[Cell, Mark], now: float) -> None:
        if self._tried is not None and self._tried in self._done and marks.get(self._tried) is Mark.MOVABLE:
            self._tried = None
            self.press(Button.GO, now)
            return
        ahead = [cell for cell in reading(self.board.plan.grid) if marks.get(cell) is not Mark.TARGET]
        if self._done.issuperset(self.board.plan.grid.cells):
            self._done.clear()
        cell = next(cell for cell in ahead if cell not in self._done)
        self._done.add(cell)
        self._tried = cell
        self.put(cell, now)


class ByWords(_Human):
    """Does what the terminal says, looks at lights only where it says so, and types."""

    def __init__(self, board: Soldered) -> None:
        super().__init__(board)
        self.told: list[str] = []
        self._read, self._write = os.pipe()
        self._answered = 0
        self._tried = ""
        self.leave_after: int | None = None
        """After so many pieces, end the input; whoever listens has to have somebody watching."""
        self.terminal = Terminal(self.told.append, self._read)

    def type(self, line: str) -> None:
        self.told.append(f"> {line}")
        os.write(self._write, f"{line}\n".encode())
        self.eyes.forget()

    def close(self) -> None:
        os.close(self._read)
        if self._write >= 0:
            os.close(self._write)

    def hang_up(self) -> None:
        os.close(self._write)
        self._write = -1

    def decide(self, now: float) -> None:
        if self.leave_after is not None and self.placed >= self.leave_after:
            self.leave_after = None
            self.hang_up()
            return
        question = next(filter(_asks, reversed(self.told)), "")
        if not question or any("written" in said for said in self.told[-2:]) or self._write < 0:
            return
        if found := re.match(r"Put the piece on ([^\s:,]+(?:,-?\d+)?)", question):
            self._find(Cell(found[1]), question, now)
        elif self.eyes.long:
            self._look(question, now)

    def _find(self, cell: Cell, question: str, now: float) -> None:
        """Look first whether the cell blinks, where it should."""
        if "where the light blinks" not in question or self.eyes.saw(cell):
            self._try(cell, question, now)
        elif self.eyes.long:
            self.type("next")

    def _look(self, question: str, now: float) -> None:
        if question.startswith("Put the piece where the light blinks"):
            cell = self.blinking()
            if cell is None:
                self.type("next")
            else:
                self._try(cell, question, now)
        elif question.startswith("Some lights"):
            self.type("yes" if self.eyes.steady_red_blinking_green() else "no")
        elif question.startswith("The lights come on"):
            if came := self.eyes.sweep():
                self.type("go" if self.is_read(came) else "next")
        elif question.startswith("Take everything"):
            self.type("")
        else:
            assert "GO: keep this." in question, question
            self.type("go")

    def _try(self, cell: Cell, question: str, now: float) -> None:
        key = f"{cell} {question}"
        if self._tried == key:
            self._tried = ""
            self.type("go")
            return
        self._tried = key
        self.put(cell, now)


def _asks(said: str) -> bool:
    return said.startswith(("Put the piece", "Some lights", "The lights come", "Take everything")) or "GO: keep" in said
