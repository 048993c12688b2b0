"""A visit: one board, what there is to look at it with, and what is known of it by now.

    profile                what the board should be
    facts, machine         what the computer says of itself, and how its devices are opened
    bench                  the board's ports: lamps by number, switches and buttons as they are
    person                 who does what is asked, and types; nobody on a quick visit
    patience               how long devices are waited for and watched

A visit asks in one way: it says a sentence and lets the bench run until a line is typed. GO on the board is an
empty line, so that nobody has to go back to the keyboard. Two words may be typed at every question: ``skip``
leaves the check out, ``quit`` ends the visit. For people there are no deadlines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from reedlight.adapters.boards import Machine
from reedlight.adapters.gpio import GpioSwitches
from reedlight.adapters.pi import Pi
from reedlight.adapters.pico import PicoLink
from reedlight.app.bench import Bench, Happening
from reedlight.board.profile import Expander, Matrix, Pico, Profile, Spi
from reedlight.core.grid import Cell
from reedlight.ports import Closed, LinkLost
from reedlight.scene.palette import Colour
from reedlight.scene.scene import Button
from reedlight.session.events import Press
from reedlight.wire.message import LineTest, ScanTest, Shape

SKIP, QUIT = "skip", "quit"
"""What may be typed at every question."""


class Skipped(Exception):
    """The person leaves this check out."""


class Left(Exception):
    """The person ends the visit."""


class Person(Protocol):
    """Somebody at a terminal beside the board."""

    def fileno(self) -> int:
        """A file that becomes readable when a line may have been typed."""
        ...

    def say(self, text: str) -> None:
        """Tell or ask something."""
        ...

    def heard(self) -> str | None:
        """The next line that was typed; None if there is none yet. Raises Left when none can come any more."""
        ...


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds: how long devices are waited for at most, and how long they are watched."""

    answer: float = 5.0
    """For a Pico to say what it is, and to answer a test: it needs a second to start, and 20 ms for a test."""
    watch: float = 3.0
    """A board that nobody touches: a reed that flickers under a weak magnet does so several times a second."""
    step: float = 1.5
    """All lamps at full: a supply sags within milliseconds, but the flags are written only once a second."""
    rest: float = 0.7
    """Without a change, after which a piece counts as set down: a slide over a cell is over in 0.1."""
    round: float = 0.5
    """For a round of questions whose answers may be lost on the way, or for a button to be told: ten times the need."""
    scan: float = 0.02
    """Between two scan tests while a piece is moved: a hand is on a cell for 0.07 at least."""


GLOW = Colour(90, 84, 70)
"""What shows a cell that is asked about: warm white, a third of full, on any number of lamps."""
TRIES = 3
"""How often a test is asked for before the board counts as not answering it: a line may be lost on the way."""


@dataclass
class Visit:
    """One visit of the doctor's."""

    profile: Profile
    machine: Machine
    facts: Callable[[], Pi]
    bench: Bench
    person: Person | None = None
    patience: Patience = Patience()

    met: bool = False
    """Whether the ports have been opened."""
    covered: set[str] = field(default_factory=set[str])
    """Words by which sentences are known that say again what was found."""
    pico: str = ""
    """The path of the Pico's port, once it is known to open."""
    bare: bool = False
    """Whether the board is known to be empty."""
    broken: frozenset[int] = frozenset()
    """Lines of the matrix, rows first, that were found wrong."""
    stuck: frozenset[int] = frozenset()
    """Switches that were found closed on an empty board."""
    odd_diodes: bool = False
    """Whether diodes were found wrong."""
    mute: frozenset[Cell] = frozenset()
    """Cells that were found not to answer."""

    # ----------------------------------------------------------------------------------- the board

    @cached_property
    def computer(self) -> Pi:
        """What the computer said of itself at the beginning."""
        return self.facts()

    @property
    def matrix(self) -> Matrix | None:
        """The board's matrix; None if it has none."""
        reader = self.profile.reader
        return None if isinstance(reader, Expander) else reader.matrix

    @property
    def shape(self) -> Shape:
        """The lines that switches are numbered by: rows and columns, or chips and their inputs."""
        reader = self.profile.reader
        if isinstance(reader, Expander):
            return Shape(len(reader.addresses), reader.count // len(reader.addresses))
        return Shape(len(reader.matrix.rows), len(reader.matrix.columns))

    def line(self, number: int) -> str:
        """What a line is called, rows first: by its number and where its wire goes."""
        reader, rows = self.profile.reader, self.shape.rows
        if isinstance(reader, Expander):
            return f"chip {reader.addresses[number]:#04x}" if number < rows else f"input {number - rows}"
        chip = "GP" if isinstance(reader, Pico) else "GPIO"
        if number < rows:
            return f"row {number} ({chip}{reader.matrix.rows[number]})"
        return f"column {number - rows} ({chip}{reader.matrix.columns[number - rows]})"

    def crossing(self, switch: int) -> tuple[int, int]:
        """The row and the column line of a switch."""
        row, column = divmod(switch, self.shape.columns)
        return row, self.shape.rows + column

    def switch(self, row: int, column: int) -> int:
        """The switch where a row line and a column line cross."""
        return row * self.shape.columns + column - self.shape.rows

    def cells(self, switches: Iterable[int]) -> tuple[Cell, ...]:
        """The cells above switches, in the order of the board; a switch without one is left out."""
        wanted = set(switches)
        return tuple(cell for cell in self.profile.grid.cells if self.profile.layout.switches[cell] in wanted)

    def occupied(self) -> tuple[Cell, ...]:
        """The cells whose switches are closed now."""
        return self.cells(bits(self.bench.closed or 0))

    def glow(self, cells: Iterable[Cell] = ()) -> None:
        """From now on let these cells' lamps shine, if the board has lamps, and no others."""
        lamps = self.profile.layout.lamps
        self.bench.show({lamps[cell]: GLOW for cell in cells} if self.profile.lamps else {})

    @property
    def shines(self) -> bool:
        """Whether the board has lamps that take what is written."""
        lamps = self.profile.lamps
        return lamps is not None and not self.unwritten(lamps.spi)

    def unwritten(self, spi: Spi) -> str:
        """Why nothing on an SPI device shines; empty if it takes what is written."""
        self.meet()
        path = f"/dev/spidev{spi.bus}.{spi.device}"
        return f"{path} cannot be written" if any(path in trouble for trouble in self.bench.troubles) else ""

    # ------------------------------------------------------------------------------------- devices

    def meet(self) -> None:
        """Open the board's ports, once, and wait until its switches are told or cannot be."""
        if self.met:
            return
        self.met = True
        self.bench.open()
        until = self.bench.now + self.patience.answer
        while self.bench.closed is None and self.bench.reader is not None and self.bench.now < until:
            self.bench.wait_until(until)

    def line_test(self) -> Sequence[LineTest]:
        """What every line does to the others. Raises LinkLost."""
        match self.bench.reader:
            case GpioSwitches() as switches:
                return switches.line_test()
            case PicoLink() as link:
                lines = self.shape.lines
                self._answered(link, link.ask_lines, lambda: len(link.lines) == lines)
                return [link.lines[line] for line in range(lines)]
            case _:
                raise self._lost()

    def scan_test(self) -> Sequence[ScanTest]:
        """Which way every closed switch conducts. Raises LinkLost."""
        match self.bench.reader:
            case GpioSwitches() as switches:
                return switches.scan_test()
            case PicoLink() as link:
                rows = self.shape.rows
                self._answered(link, link.ask_scan, lambda: len(link.rows) == rows)
                return [link.rows[row] for row in range(rows)]
            case _:
                raise self._lost()

    def _answered(self, link: PicoLink, ask: Callable[[float], None], whole: Callable[[], bool]) -> None:
        for _ in range(TRIES):
            ask(self.bench.now)
            until = self.bench.now + self.patience.answer / TRIES
            while not whole() and self.bench.now < until:
                self.bench.wait(self.patience.scan)
                self.require(link)
            if whole():
                return
        raise LinkLost(link.refusal or "The Pico does not answer a test that was asked for.")

    def require(self, link: PicoLink) -> None:
        """Raise LinkLost if the switches are not read from this link any more."""
        if self.bench.reader is not link:
            raise self._lost()

    def require_switches(self) -> None:
        """Raise LinkLost if the switches are not read any more."""
        if self.bench.closed is None:
            raise self._lost()

    def _lost(self) -> LinkLost:
        return LinkLost(next(iter(self.bench.troubles), "The switches cannot be read."))

    # -------------------------------------------------------------------------------------- people

    def clear(self) -> None:
        """Have the board emptied, once, if somebody is there who can."""
        if self.person and not self.bare:
            self.ask("Take everything off the board. Then press Enter, or GO on the board.")
            self.bare = True

    def ask(self, question: str) -> str:
        """What is typed in answer, in small letters; GO on the board is an empty line."""
        self._say(question)
        while True:
            happened, typed = self.listen(None)
            if typed is not None:
                return typed
            if Press(Button.GO) in happened:
                return ""

    def ask_for_a_piece(self, question: str) -> frozenset[int]:
        """The switches that a piece closes once it was set down; none if a line was typed instead.

        Those on lines that were found wrong say nothing of a piece.
        """
        self._say(question)
        moved = False
        while True:
            happened, typed = self.listen(self.patience.rest if moved else None)
            if typed is not None:
                return frozenset()
            moved = moved or any(isinstance(each, Closed) for each in happened)
            self.require_switches()
            told = frozenset(bits(self.bench.closed or 0)) - self.stuck
            closed = frozenset(switch for switch in told if self.broken.isdisjoint(self.crossing(switch)))
            if moved and not happened and closed:
                return closed

    def ask_for_a_button(self, question: str) -> Button | str:
        """The button that is pressed, or what is typed instead."""
        self._say(question)
        while True:
            happened, typed = self.listen(None)
            pressed = [each.button for each in happened if isinstance(each, Press)]
            if pressed:
                return pressed[0]
            if typed is not None:
                return typed

    def listen(self, seconds: float | None) -> tuple[Sequence[Happening], str | None]:
        """What happens next on the board, and what was typed; neither if so many seconds pass."""
        person = self._somebody()
        while True:
            typed = person.heard()
            if typed is not None:
                return (), self._word(typed)
            happened = self.bench.wait(seconds if seconds is not None else self.patience.watch, (person.fileno(),))
            if happened:
                return happened, None
            if seconds is not None:
                typed = person.heard()
                return (), None if typed is None else self._word(typed)

    def tell(self, text: str) -> None:
        """Say something that needs no answer."""
        self._somebody().say(text)

    def _say(self, question: str) -> None:
        self._somebody().say(question)

    def _somebody(self) -> Person:
        assert self.person is not None  # noqa: S101  # checks that ask are made only where somebody is
        return self.person

    @staticmethod
    def _word(typed: str) -> str:
        word = typed.strip().lower()
        if word == SKIP:
            raise Skipped
        if word == QUIT:
            raise Left
        return word


def bits(mask: int) -> list[int]:
    """The numbers of the bits that are set in a mask."""
    return [number for number in range(mask.bit_length()) if mask >> number & 1]


def cells_in(text: str, profile: Profile) -> tuple[Cell, ...]:
    """The cells of a board that a typed text names, between blanks, in the order of the board."""
    words = {word.strip(",;.") for word in text.split()}
    return tuple(cell for cell in profile.grid.cells if cell in words)
