"""The codec: messages to lines and lines to messages, in both directions.

    S 18 000000000000ffff 0*2f4c51d6 LF
    │ │  └──── fields ────┘ └ CRC-32 of everything before the star
    │ └ the sender's count of its lines, 0 to 65535 and over to 0
    └ the type, a key of the table below

A line is believed as a whole or not at all. One that is too long, fails its check, has a type that its
sender does not use or a field that does not fit is counted and forgotten, and the next line feed begins anew:
so one broken byte costs one line, two if it was the line feed. Empty lines are passed over.

Any pieces of a stream may be fed, down to single bytes; no more than one line is ever kept. What depends on
the matrix is checked against it once a hello has told it. Nothing here knows a port, a time, or what a gap
in the count means.
"""

from __future__ import annotations

import re
from binascii import crc32
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from enum import Enum
from types import MappingProxyType
from typing import Protocol

from reedlight.wire.message import (
    PROTOCOL,
    AskCounters,
    AskHello,
    AskLines,
    AskScan,
    AskState,
    Counters,
    Hello,
    Light,
    LineTest,
    Message,
    OtherHello,
    Refusal,
    ScanTest,
    Shape,
    State,
)

LONGEST = 120
"""Characters of a line with its line feed, but without a carriage return."""
SEQUENCES = 65536
"""How many numbers a sender counts through."""
MOST_SWITCHES = 400
"""Switches whose mask fits into a line."""
COUNTERS_END = 1 << 30
"""Where the board's counters start anew: a small integer of its own."""

_LINE = re.compile(rb"([A-Za-z]) (0|[1-9][0-9]{0,4})((?: [!-)+-~]+)*)\*([0-9a-f]{8})")
_DECIMAL = re.compile("0|[1-9][0-9]*")
_HEXADECIMAL = re.compile("[0-9a-f]+")
_BITS_IN_DIGIT = 4


class Speaker(Enum):
    """Who sends a line."""

    BOARD = "board"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class Received:
    """A message with the number that its sender gave it."""

    sequence: int
    message: Message


# ------------------------------------------------------------------------------------------- fields


class _Unfit(ValueError):
    """A field that does not fit."""


class _Field(Protocol):
    """How one kind of value is written and read; the shape is None while nobody has told it."""

    def write(self, value: object, shape: Shape | None) -> str: ...

    def read(self, text: str, shape: Shape | None) -> object: ...


@dataclass(frozen=True, slots=True)
class _Word:
    form: re.Pattern[str]

    def write(self, value: object, shape: Shape | None) -> str:  # noqa: ARG002  # a word has no width
        return str(value)

    def read(self, text: str, shape: Shape | None) -> str:  # noqa: ARG002
        if not self.form.fullmatch(text):
            raise _Unfit(text)
        return text


@dataclass(frozen=True, slots=True)
class _Number:
    """A decimal number, from the first one to the last before an end, which the matrix may set."""

    first: int = 0
    end: Callable[[Shape | None], int | None] = lambda _: None

    def write(self, value: object, shape: Shape | None) -> str:  # noqa: ARG002  # a number has no width
        return str(value)

    def read(self, text: str, shape: Shape | None) -> int:
        end = self.end(shape)
        if not _DECIMAL.fullmatch(text) or int(text) < self.first or (end is not None and int(text) >= end):
            raise _Unfit(text)
        return int(text)


@dataclass(frozen=True, slots=True)
class _Mask:
    """A mask of so many bits; of any width where the matrix would set it and is not known."""

    bits: Callable[[Shape | None], int | None]

    def write(self, value: object, shape: Shape | None) -> str:
        return f"{value:0{_digits(self.bits(shape) or 0)}x}"

    def read(self, text: str, shape: Shape | None) -> int:
        bits = self.bits(shape)
        if not _HEXADECIMAL.fullmatch(text) or (bits is not None and len(text) != _digits(bits)):
            raise _Unfit(text)
        mask = int(text, 16)
        if bits is not None and mask >> bits:
            raise _Unfit(text)
        return mask


class _Flag:
    def write(self, value: object, shape: Shape | None) -> str:  # noqa: ARG002  # a flag has no width
        return "1" if value else "0"

    def read(self, text: str, shape: Shape | None) -> bool:  # noqa: ARG002
        if text not in ("0", "1"):
            raise _Unfit(text)
        return text == "1"


def _digits(bits: int) -> int:
    return -(-bits // _BITS_IN_DIGIT)


_WORD = _Word(re.compile(".+"))
_SERIAL = _Word(_HEXADECIMAL)
_NUMBER = _Number()
_LINES_OF_MATRIX = _Number(first=1)
_COUNTER = _Number(end=lambda _: COUNTERS_END)
_LINE_NUMBER = _Number(end=lambda shape: shape and shape.lines)
_ROW_NUMBER = _Number(end=lambda shape: shape and shape.rows)
_FLAG = _Flag()
_SWITCHES = _Mask(lambda shape: shape and shape.switches)
_LINES = _Mask(lambda shape: shape and shape.lines)
_COLUMNS = _Mask(lambda shape: shape and shape.columns)
_BUTTONS = _Mask(lambda _: _BITS_IN_DIGIT)

# ------------------------------------------------------------------------------------------- types


@dataclass(frozen=True, slots=True)
class _Layout:
    """The message of a type, and its fields in their order."""

    message: Callable[..., Message]
    fields: tuple[_Field, ...] = ()


_TYPES: Mapping[Speaker, Mapping[str, _Layout]] = MappingProxyType(
    {
        Speaker.BOARD: {
            "H": _Layout(Hello, (_NUMBER, _WORD, _LINES_OF_MATRIX, _LINES_OF_MATRIX, _SERIAL, _BUTTONS)),
            "S": _Layout(State, (_SWITCHES, _BUTTONS)),
            "L": _Layout(LineTest, (_LINE_NUMBER, _LINES, _FLAG)),
            "R": _Layout(ScanTest, (_ROW_NUMBER, _COLUMNS, _COLUMNS)),
            "N": _Layout(Counters, (_COUNTER,) * 5),
            "E": _Layout(Refusal, (_WORD,)),
        },
        Speaker.PROGRAM: {
            "h": _Layout(AskHello),
            "s": _Layout(AskState),
            "b": _Layout(Light, (_BUTTONS,)),
            "l": _Layout(AskLines),
            "r": _Layout(AskScan),
            "n": _Layout(AskCounters),
        },
    }
)
_HELLO = "H"
_OTHER_HELLO = _Layout(OtherHello, (_NUMBER,))
_WRITTEN: Mapping[Callable[..., Message], tuple[str, _Layout]] = MappingProxyType(
    {layout.message: (letter, layout) for types in _TYPES.values() for letter, layout in types.items()}
    | {OtherHello: (_HELLO, _OTHER_HELLO)}
)

# ------------------------------------------------------------------------------------------- lines


def encode(message: Message, sequence: int, shape: Shape | None = None) -> bytes:
    """The line of a message; what depends on the matrix needs its shape. ValueError if it would not be believed."""
    letter, layout = _WRITTEN[type(message)]
    fields = [field.write(value, shape) for field, value in zip(layout.fields, astuple(message), strict=True)]
    words = " ".join((letter, str(sequence), *fields)).encode()
    line = b"%b*%08x" % (words, crc32(words))
    if not any(_read_line(line, types, shape) == Received(sequence, message) for types in _TYPES.values()):
        raise ValueError(f"{message} with the number {sequence} makes no line that could be read back")
    return line + b"\n"


class Decoder:
    """Bytes of one sender in, its messages out; remembers the shape that a hello told."""

    def __init__(self, speaker: Speaker, shape: Shape | None = None) -> None:
        self._types = _TYPES[speaker]
        self._shape = shape
        self._begun = bytearray()
        self._bad = 0

    @property
    def bad(self) -> int:
        """How many lines were ignored."""
        return self._bad

    def feed(self, piece: bytes) -> Sequence[Received]:
        """The messages of all lines that end in this piece, in their order."""
        *ends, rest = piece.split(b"\n")
        received: list[Received] = []
        for end in ends:
            self._keep(end)
            line = bytes(self._begun).removesuffix(b"\r")
            self._begun.clear()
            if line:
                received += self._read(line)
        self._keep(rest)
        return received

    def _keep(self, piece: bytes) -> None:
        """Keep as much of a line as shows that it is too long, and no more."""
        self._begun += piece[: LONGEST + 1 - len(self._begun)]

    def _read(self, line: bytes) -> Sequence[Received]:
        if (found := _read_line(line, self._types, self._shape)) is None:
            self._bad += 1
            return ()
        if isinstance(found.message, Hello):
            self._shape = found.message.shape
        return (found,)


def _read_line(line: bytes, types: Mapping[str, _Layout], shape: Shape | None) -> Received | None:
    """What a line says, without its end; None if it is not to be believed."""
    if len(line) >= LONGEST or (parts := _LINE.fullmatch(line)) is None:
        return None
    letter, fields = parts[1].decode(), parts[3].decode().split()
    sequence, check = int(parts[2]), int(parts[4], 16)
    if sequence >= SEQUENCES or crc32(line[: parts.end(3)]) != check or letter not in types:
        return None
    try:
        return Received(sequence, _message(letter, types[letter], fields, shape))
    except _Unfit:
        return None


def _message(letter: str, layout: _Layout, fields: Sequence[str], shape: Shape | None) -> Message:
    """The message of a type and its fields, or _Unfit."""
    if letter == _HELLO and fields and _NUMBER.read(fields[0], shape) != PROTOCOL:
        return OtherHello(int(fields[0]))
    if len(fields) != len(layout.fields):
        raise _Unfit(f"{len(fields)} fields")
    message = layout.message(*(field.read(text, shape) for field, text in zip(layout.fields, fields, strict=True)))
    if isinstance(message, Hello) and message.shape.switches > MOST_SWITCHES:
        raise _Unfit(f"{message.shape.switches} switches")
    return message
