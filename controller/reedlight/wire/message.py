"""Messages: what the microcontroller and the program say to each other, as values.

    from the board    Hello  OtherHello  State  LineTest  ScanTest  Counters  Refusal
    from the program  AskHello  AskState  AskLines  AskScan  AskCounters  Light

A mask is a whole number, bit n for switch, line, column or button n. It has no width: that comes from the
``Shape`` of the matrix, which a board tells in its hello.

``firmware/PROTOCOL.md`` says when each is sent, and ``codec`` how it is written. Nothing here knows a line
of text, a serial port or a time.
"""

from __future__ import annotations

from dataclasses import dataclass

PROTOCOL = 1
"""The protocol that this program speaks; another one could be misread."""
FIRMWARE = "0.1.0"
"""The firmware's version that this program was released with."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How many row and column lines a matrix has."""

    rows: int
    columns: int

    @property
    def switches(self) -> int:
        """How many switches there can be."""
        return self.rows * self.columns

    @property
    def lines(self) -> int:
        """How many lines there are, rows first."""
        return self.rows + self.columns


# ------------------------------------------------------------------------------------ from the board


@dataclass(frozen=True, slots=True)
class Hello:
    """Who the board is; ``buttons`` is the mask of buttons that are wired to it."""

    protocol: int
    version: str
    rows: int
    columns: int
    serial: str
    buttons: int

    @property
    def shape(self) -> Shape:
        """The matrix that it reads."""
        return Shape(self.rows, self.columns)


@dataclass(frozen=True, slots=True)
class OtherHello:
    """A board that speaks another protocol; nothing more of its hello is understood."""

    protocol: int


@dataclass(frozen=True, slots=True)
class State:
    """Everything that is read, debounced: the switches that are closed and the buttons that are down."""

    closed: int
    down: int


@dataclass(frozen=True, slots=True)
class LineTest:
    """What one line does when it alone is driven: the lines that follow it low, and whether 3.3 V holds it high."""

    line: int
    low: int
    high: bool


@dataclass(frozen=True, slots=True)
class ScanTest:
    """One row as it is: the columns whose switch conducts the right way round, and the wrong way round."""

    row: int
    forward: int
    reverse: int


@dataclass(frozen=True, slots=True)
class Counters:
    """What the board has counted since its start; the slowest scan in microseconds."""

    scans: int
    slowest: int
    late: int
    lost: int
    bad: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """What the board cannot do, in its own words, which underscores join."""

    text: str


FromBoard = Hello | OtherHello | State | LineTest | ScanTest | Counters | Refusal

# ---------------------------------------------------------------------------------- from the program


@dataclass(frozen=True, slots=True)
class AskHello:
    """Asks who the board is."""


@dataclass(frozen=True, slots=True)
class AskState:
    """Asks for the state as it is now."""


@dataclass(frozen=True, slots=True)
class AskLines:
    """Asks for a test of every line."""


@dataclass(frozen=True, slots=True)
class AskScan:
    """Asks for a test of every row."""


@dataclass(frozen=True, slots=True)
class AskCounters:
    """Asks for what the board has counted."""


@dataclass(frozen=True, slots=True)
class Light:
    """Asks for these buttons' lamps to be lit, and no others."""

    lit: int


FromProgram = AskHello | AskState | AskLines | AskScan | AskCounters | Light

Message = FromBoard | FromProgram
