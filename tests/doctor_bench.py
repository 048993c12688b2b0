"""A board for the doctor, and somebody who stands before it: does what is asked, and sees what shines.

    built                 how the board really is wired; the doctor is told another profile where it is wrong
    Simulated, pins       its lamps, chips and lines, decoded from the bus, with their faults
    SimulatedPico         the real firmware, for boards with a Pico
    Somebody              reads the questions, moves pieces and presses buttons, types what is to be seen

Everything that a person does takes its time: an act is a generator of seconds, and whoever lets time pass lets
it go on. Time is the bench's own, but with the firmware, which lives in the system's.
"""

from __future__ import annotations

import re
import time
from argparse import Namespace
from collections.abc import Callable, Collection, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from select import select

import pytest

from reedlight.adapters.boards import Machine
from reedlight.adapters.pi import Access, Device, Pi, Usb, User
from reedlight.adapters.pico import USB_ID, find
from reedlight.app.bench import on_bench
from reedlight.app.checks.visit import Patience, Visit
from reedlight.app.doctor import CHECKS, examine
from reedlight.board.profile import DiceDigits, DiceModules, Pico, PicoPins, Profile
from reedlight.board.toml import load_packaged
from reedlight.core.grid import FILES, Cell
from reedlight.scene.dice import MODULE, SEGMENTS
from reedlight.scene.palette import Colour
from reedlight.scene.scene import Button
from reedlight_sim.hardware import Simulated
from reedlight_sim.i2c import SimulatedBus
from reedlight_sim.pico import NoMicroPython, SimulatedPico

PERSON = 1_000_000
"""The number of a file that the system does not have: the person's keyboard."""
ON_A_CELL = 0.09
"""Seconds, at most, that a piece which is passed over the board spends on a cell."""
SHORT = Patience(answer=20.0, watch=0.5, step=0.2, rest=0.1)
"""Watches that are short, and waits that a slow machine does not reach."""

Act = Generator[float]


# ------------------------------------------------------------------------------ boards of 8x8, moved

Move = Callable[[int, int], tuple[int, int]]
MOVES: Mapping[str, Move] = {
    "left to right": lambda file, rank: (7 - file, rank),
    "near to far": lambda file, rank: (file, 7 - rank),
    "half a turn": lambda file, rank: (7 - file, 7 - rank),
    "columns for rows": lambda file, rank: (rank, file),
    "columns for rows, from the opposite corner": lambda file, rank: (7 - rank, 7 - file),
    "quarter to the left": lambda file, rank: (7 - rank, file),
    "quarter to the right": lambda file, rank: (rank, 7 - file),
    "every second row": lambda file, rank: (file if rank % 2 else 7 - file, rank),
    "two cells": lambda file, rank: (5 - file, 5 - rank) if (file, rank) in ((0, 0), (5, 5)) else (file, rank),
}
"""From a file and a rank, counted from 0, to where that cell has come to."""


def moved(profile: Profile, name: str) -> Mapping[Cell, Cell]:
    """For each cell of a board of 8x8 the one it has come to."""
    move = MOVES[name]
    there = {cell: move(FILES.index(cell[0]), int(cell[1]) - 1) for cell in profile.grid.cells}
    return {cell: Cell(f"{FILES[file]}{rank + 1}") for cell, (file, rank) in there.items()}


# ---------------------------------------------------------------------------------------- the computer


def sound(profile: Profile) -> Pi:
    """What a Raspberry Pi says of itself on which everything is as this board needs it."""
    paths = ["/dev/gpiochip0", *(f"/dev/spidev0.{device}" for device in range(profile.buses.spi0))]
    paths += [f"/dev/spidev1.{device}" for device in range(profile.buses.spi1)]
    paths += ["/dev/i2c-1"] * profile.buses.i2c1
    pico = Usb(*USB_ID, "e6614c311b867b2f", "Board in FS mode")
    return Pi(
        model="Raspberry Pi 4 Model B Rev 1.4",
        user=User("ada", frozenset({"gpio", "spi", "i2c", "dialout"}), frozenset({"gpio", "spi", "i2c", "dialout"})),
        chips={"/dev/gpiochip0": "pinctrl-bcm2711"},
        devices={path: Device(Access.USABLE, "gpio") for path in paths},
        usb=(pico,) if isinstance(profile.reader, Pico) else (),
        flags=0,
    )


@dataclass
class Board:
    """One board as it was built, and what a hand may do to it."""

    built: Profile
    pieces: set[Cell] = field(default_factory=set[Cell])
    """The cells on which a piece stands."""
    deaf: frozenset[Cell] = frozenset()
    """Cells whose reed never closes."""
    restless: frozenset[Cell] = frozenset()
    """Cells whose reed opens and closes by itself while a piece is there."""
    dark: frozenset[Cell] = frozenset()
    """Cells whose lamp never shines."""
    broken_buttons: frozenset[Button] = frozenset()
    pico: SimulatedPico | None = None
    now: float = 100.0

    def __post_init__(self) -> None:
        self.devices = Simulated(self.built, self.closed)

    def closed(self) -> int:
        """The switches that magnets close now."""
        noticed = {cell for cell in self.pieces if cell not in self.deaf}
        if int(self.now / 0.05) % 2:
            noticed -= self.restless
        return self.built.layout.mask_of(noticed)

    def hold(self, *buttons: Button) -> None:
        """Hold these buttons down, and let all others go."""
        self.devices.down = frozenset(buttons) - self.broken_buttons
        if self.pico:
            self.pico.press(self.devices.down)

    # --------------------------------------------------------------------------------- to be seen

    def shining(self) -> Mapping[Cell, Colour]:
        """The cells that shine."""
        lit = self.devices.lamps()
        lamps = self.built.layout.lamps
        return {cell: lit[lamp] for cell, lamp in lamps.items() if lamp in lit and cell not in self.dark}

    def shining_buttons(self) -> frozenset[Button]:
        """The buttons that shine."""
        return self.devices.button_lamps() | (self.pico.lamps if self.pico else frozenset[Button]())

    def dice(self) -> tuple[int, ...]:
        """What the two dice show, 0 for one that is dark."""
        match self.built.dice:
            case DiceModules(spi, first):
                lit = self.devices.chains[spi].lit()
                shapes = [frozenset((x, y) for chip, x, y in lit if chip == first + die) for die in range(2)]
                return tuple({face: number for number, face in MODULE.items()}.get(shape, 0) for shape in shapes)
            case DiceDigits(spi, chip, digits):
                lit = self.devices.chains[spi].lit()
                shown = ["".join(sorted("GFEDCBA"[bit] for at, x, bit in lit if (at, x) == (chip, d))) for d in digits]
                return tuple({text: number for number, text in SEGMENTS.items()}.get(text, 0) for text in shown)
            case _:
                return ()


class Somebody:
    """Who stands before a board: a person for the doctor, and the clock by which that person lives."""

    def __init__(self, board: Board, *, real: bool = False) -> None:
        self.board = board
        self.asked: list[str] = []
        self.set_of_pieces: tuple[Cell, ...] = board.built.grid.cells[::3]
        """Where pieces are set when many are asked for."""
        self.overrides: dict[str, Callable[[], Act]] = {}
        """Acts in place of the usual ones, by a part of the question."""
        self._act: Iterator[float] = iter(())
        self._due = float("inf")
        self._typed: list[str] = []
        self._pressed = frozenset[Button]()
        self._real = real
        self.pump: Callable[[float], object] = self._nothing
        """What else has to be kept going."""
        self.files: Callable[[], Collection[int]] = tuple
        """Files on which that waits."""

    # ---------------------------------------------------------------------------------- as a person

    def fileno(self) -> int:
        return PERSON

    def say(self, text: str) -> None:
        self.asked.append(text)
        for part, act in (*self.overrides.items(), *self._usual(text).items()):
            if part in text:
                self._act, self._due = act(), self.now()
                return

    def heard(self) -> str | None:
        return self._typed.pop(0) if self._typed else None

    def _usual(self, text: str) -> dict[str, Callable[[], Act]]:
        return {
            "Take everything off": self.clear,
            "Press the button that shines": self.press_what_shines,
            "Press GO on": lambda: self.press(Button.GO),
            "Press NEXT on": lambda: self.press(Button.NEXT),
            "Press BACK on": lambda: self.press(Button.BACK),
            "Press HINT on": lambda: self.press(Button.HINT),
            "Which colour": self.name_the_colour,
            "Every lamp should shine": self.name_the_dark,
            "one lamp shines": self.name_the_lit,
            "two dice": self.name_the_dice,
            "Pass one piece": self.pass_over,
            "Not noticed yet": self.pass_over_again,
            "put one piece on": lambda: self.put(Cell(re.findall(r"put one piece on (\S+),", text)[0])),
            "are noticed on": lambda: self.name_the_wrong(re.findall(r"noticed on (.*?)\. Type", text)[0]),
            "where a piece is noticed": self.set_up,
            "Set up as many": self.set_up_and_nod,
        }

    # ------------------------------------------------------------------------------------ as a clock

    def now(self) -> float:
        return time.monotonic() if self._real else self.board.now

    def wait(self, seconds: float, files: Collection[int]) -> Collection[int]:
        """Let time pass until the person is due, if that is sooner."""
        until = self.now() + seconds
        self.pump(self.now())
        if self._typed and PERSON in files:
            return (PERSON,)
        pause = max(min(until, self._due) - self.now(), 0.0)
        ready: Collection[int] = ()
        if self._real:
            ready = select([file for file in (*files, *self.files()) if file != PERSON], [], [], min(pause, 0.01))[0]
            self.pump(self.now())
        else:
            self.board.now += pause
        if self.now() >= self._due:
            self._due = self.now() + next(self._act, float("inf"))
        return ready

    @staticmethod
    def _nothing(_now: float) -> None:
        """Nothing has to be kept going."""

    # ------------------------------------------------------------------------------------------ acts

    def type(self, text: str = "") -> None:
        self._typed.append(text)

    def patient(self) -> Act:
        """Wait for what should happen; type Enter if it does not."""
        yield 30.0 if self._real else 3.0
        self.type()

    def nod(self) -> Act:
        yield 0.1
        self.type()

    def until(self, seen: Callable[[], bool], seconds: float) -> Act:
        """Look until this is to be seen, or for so long; longer where the system's time counts."""
        until = self.now() + seconds * (10 if self._real else 1)
        while not seen() and self.now() < until:
            yield 0.01 if self._real else 0.03

    def clear(self) -> Act:
        self.put_down()
        yield 0.3
        self.type()

    def press(self, *buttons: Button) -> Act:
        for _ in range(3):
            self.board.hold(*buttons)
            yield 0.1
            self.board.hold()
            yield 1.0
        yield from self.patient()

    def press_go(self) -> Act:
        yield from self.press(Button.GO)

    def press_what_shines(self) -> Act:
        before = self._pressed
        yield from self.until(lambda: self.board.shining_buttons() not in (before, frozenset[Button]()), 1.0)
        self._pressed = self.board.shining_buttons()
        yield from self.press(*self._pressed)

    def name_the_colour(self) -> Act:
        yield 0.1
        shining = set(self.board.shining().values())
        names = {
            ("red", "green", "blue")[channels.index(max(channels))]
            for channels in shining
            if sum(map(bool, channels)) == 1
        }
        self.type(names.pop() if len(names) == 1 else "several" if shining else "none")

    def name_the_dark(self) -> Act:
        yield 0.1
        self.type(" ".join(cell for cell in self.board.built.grid.cells if cell not in self.board.shining()))

    def name_the_lit(self) -> Act:
        yield 0.1
        self.type(" ".join(self.board.shining()))

    def name_the_dice(self) -> Act:
        yield 0.1
        self.type(" ".join(map(str, self.board.dice())))

    def pass_over(self) -> Act:
        """Put a piece on every cell, for a moment, or until the lamps say that it was noticed."""
        yield from self.pass_over_these(self.board.built.grid.cells)

    def pass_over_again(self) -> Act:
        """The same over the cells that still shine."""
        yield from self.pass_over_these(tuple(self.board.shining()) or self.board.built.grid.cells)

    def pass_over_these(self, cells: tuple[Cell, ...]) -> Act:
        for cell in cells:
            before = set(self.board.shining())
            self.put_down(cell)
            yield from self.until(partial(self.changed, before), ON_A_CELL)
        self.put_down()
        yield 0.1
        self.type()

    def changed(self, before: set[Cell]) -> bool:
        return set(self.board.shining()) != before

    def put(self, cell: Cell) -> Act:
        self.put_down()
        yield 0.1
        self.put_down(cell)
        yield from self.patient()

    def set_up(self) -> Act:
        self.put_down(*self.set_of_pieces)
        yield from self.until(lambda: set(self.board.shining()) == self.board.pieces, 0.5)
        shining, standing = self.board.shining(), self.board.pieces
        self.type(" ".join(cell for cell in self.board.built.grid.cells if (cell in shining) != (cell in standing)))

    def set_up_and_nod(self) -> Act:
        self.put_down(*self.set_of_pieces)
        yield 0.5
        self.type()

    def name_the_wrong(self, named: str) -> Act:
        yield 0.1
        told = set(re.split(r", | and ", named))
        cells = self.board.built.grid.cells
        self.type(" ".join(cell for cell in cells if (cell in told) != (cell in self.board.pieces)))

    def put_down(self, *cells: Cell) -> None:
        """Have pieces on these cells and on no others."""
        self.board.pieces = set(cells)
        if self.board.pico:
            self.board.pico.close_switches(self.board.closed())


@dataclass
class Case:
    """One board before the doctor, with whatever is wrong about it."""

    profile: Profile
    board: Board
    facts: Pi
    machine: Machine
    somebody: Somebody
    quick: bool = False
    page: list[str] = field(default_factory=list[str])

    def visit(self) -> Visit:
        """The visit, not yet begun."""
        bench = on_bench(self.profile, self.machine, self.somebody)
        return Visit(
            self.profile, self.machine, lambda: self.facts, bench, None if self.quick else self.somebody, SHORT
        )

    def examined(self, *names: str, visit: Visit | None = None) -> int:
        """Have these checks made, or all; the exit status."""
        checks = [check for check in CHECKS if not names or check.name in names]
        assert len(checks) == len(names or CHECKS), "there is no check of this name"
        return examine(visit or self.visit(), self.page.append, checks)

    @property
    def wrong(self) -> dict[str, str]:
        """What was told to be wrong, by check: the faults, why, and what to do."""
        found: dict[str, str] = {}
        name = ""
        for line in "\n".join(self.page).splitlines():
            if line.startswith("  WRONG  "):
                name = line[9:].strip()
                found[name] = ""
            elif found and line.startswith("         "):
                found[name] = f"{found[name]} {' '.join(line.split())}".strip()
        return found

    @property
    def text(self) -> str:
        """Everything that was told, in one line."""
        return " ".join(" ".join(self.page).split())


def case(name_or_profile: str | Profile, *, built: Profile | None = None, **faults: object) -> Case:
    """A board at the depth of pins; ``built`` is how it is, if not as its profile says."""
    profile = load_packaged(name_or_profile) if isinstance(name_or_profile, str) else name_or_profile
    board = Board(built or profile, **faults)  # pyright: ignore[reportArgumentType]  # they are named where they are given
    machine = replace(board.devices.machine(partial(find, ports=_nothing)), i2c=partial(_anew, board.devices.i2c))
    return Case(profile, board, sound(profile), machine, Somebody(board))


def _nothing() -> tuple[()]:
    """What is plugged in on the USB."""
    return ()


def _anew(bus: SimulatedBus, _number: int) -> SimulatedBus:
    """The bus, opened again."""
    bus.closed = False
    return bus


@contextmanager
def with_firmware(name: str | Profile, *, built: Profile | None = None) -> Generator[Case]:
    """A board with a Pico on which the real firmware runs."""
    made = case(name, built=built)
    reader = made.board.built.reader
    assert isinstance(reader, Pico)
    buttons, lamps = _on_pico(made.board.built.buttons), _on_pico(made.board.built.button_lamps)
    try:
        pico = SimulatedPico(reader.matrix.rows, reader.matrix.columns, buttons=buttons, lamps=lamps)
    except NoMicroPython as missing:
        pytest.skip(str(missing))
    with pico:
        made.board.pico = pico
        made.machine = replace(made.machine, pico=partial(at, pico.path))
        made.somebody = Somebody(made.board, real=True)
        yield made


def at(path: str, _serial: str) -> str:
    """The path at which a Pico is found, whatever its number."""
    return path


def _on_pico(pins: object) -> Mapping[str, int]:
    return pins.pins if isinstance(pins, PicoPins) else dict[str, int]()


def options(**given: object) -> Namespace:
    """The command's options."""
    return Namespace(**({"board": None, "quick": True} | given))
