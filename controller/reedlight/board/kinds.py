"""Kinds: what the value of a key in a board's file may be, how it is read, and how people are told.

A kind takes what TOML gave and returns a value of one type or raises ``Unfit`` with a reason that says what is
needed and what was given. ``said`` is the same need in words for a page of documentation.

Which keys there are, and how values go together, is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Protocol, TypeGuard, TypeVar

from reedlight.board.profile import Spi
from reedlight.core.grid import Cell
from reedlight.core.quoting import quoted

T_co = TypeVar("T_co", covariant=True)

CELL_NAME = re.compile(r"[A-Za-z0-9_,-]{1,12}")
"""What a cell may be called."""
MOST_CELLS = 676
"""26 x 26, as many as squares have names for."""
SEGMENTS = ("G", "F", "E", "D", "C", "B", "A", "DP")
"""The segments of a digit by the bits of a MAX7219's register, lowest first."""

# Numbers that are longer are not repeated in a sentence.
_LONGEST_NUMBER = 10**12


class Unfit(ValueError):
    """A value that its key cannot have; the message says what is needed and what was given."""


class Kind(Protocol[T_co]):
    """What a value may be."""

    @property
    def said(self) -> str:
        """What is needed, in words: "a whole number from 2 to 26"."""
        ...

    def read(self, given: object) -> T_co:
        """The value, checked. Raises Unfit."""
        ...


# ------------------------------------------------------------------------------------------ sentences


def described(given: object, form: str = "d") -> str:
    """What a file gave, for a sentence; whole numbers in a format of their own."""
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, int):
        return format(given, form) if abs(given) < _LONGEST_NUMBER else "a number of more than twelve digits"
    if isinstance(given, float):
        return f"the number {given}"
    if isinstance(given, str):
        return f"the text {quoted(given)}"
    return "a list" if is_list(given) else "a table" if is_table(given) else "a date or a time"


def listed(words: Iterable[object]) -> str:
    """The words as people list them: "a, b and c"."""
    *others, last = (str(word) for word in words)
    return f"{', '.join(others)} and {last}" if others else last


def counted(number: int, word: str) -> str:
    """The number with its word: "1 row", "8 rows", "0 switches"."""
    return f"{number} {word if number == 1 else plural(word)}"


def plural(word: str) -> str:
    """Several of what the word names."""
    return f"{word}{'es' if word.endswith(('s', 'ch')) else 's'}"


def nearest(given: str, words: Iterable[str]) -> str:
    """A question for the word that was probably meant, or else all there are."""
    known = tuple(words)
    close = get_close_matches(given, known, 1)
    return f"did you mean {close[0]}?" if close else f"there {'is' if len(known) == 1 else 'are'} {listed(known)}"


def is_list(given: object) -> TypeGuard[list[object]]:
    """Whether TOML gave a list."""
    return isinstance(given, list)


def is_table(given: object) -> TypeGuard[dict[str, object]]:
    """Whether TOML gave a table; its keys are always text."""
    return isinstance(given, dict)


def _needed(said: str, given: object) -> Unfit:
    return Unfit(f"{said} is needed, not {described(given)}")


def _cell(given: object) -> Cell:
    if not isinstance(given, str):
        raise _needed("the name of a cell", given)
    if CELL_NAME.fullmatch(given) is None:
        raise Unfit(f"{quoted(given)} cannot be the name of a cell; letters, digits and , _ - can, at most twelve")
    return Cell(given)


# -------------------------------------------------------------------------------------- single values


@dataclass(frozen=True, slots=True)
class Text:
    """Text that a pattern fits as a whole."""

    said: str
    pattern: str

    def read(self, given: object) -> str:
        """The text as it stands."""
        if not isinstance(given, str) or re.fullmatch(self.pattern, given) is None or not given.isprintable():
            raise _needed(self.said, given)
        return given


@dataclass(frozen=True, slots=True)
class Word:
    """One of a few words."""

    words: tuple[str, ...]

    @property
    def said(self) -> str:
        """All of them."""
        *others, last = self.words
        return f"{', '.join(others)} or {last}"

    def read(self, given: object) -> str:
        """The word."""
        if not isinstance(given, str):
            raise _needed(self.said, given)
        if given not in self.words:
            raise Unfit(f"there is no {quoted(given)}; {nearest(given, self.words)}")
        return given


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    said: str = "true or false"

    def read(self, given: object) -> bool:
        """The answer."""
        if not isinstance(given, bool):
            raise _needed(self.said, given)
        return given


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number between two limits, both included."""

    low: int
    high: int
    what: str = "a whole number"
    form: str = "d"
    """How people write it: as a format, ``#x`` for hexadecimal."""

    @property
    def said(self) -> str:
        """The limits."""
        return f"{self.what} from {self.low:{self.form}} to {self.high:{self.form}}"

    def read(self, given: object) -> int:
        """The number."""
        if isinstance(given, bool) or not isinstance(given, int):
            raise _needed(self.said, given)
        if not self.low <= given <= self.high:
            raise Unfit(f"{self.said} is needed, not {described(given, self.form)}")
        return given


@dataclass(frozen=True, slots=True)
class Number:
    """A number with a unit between two limits, both included."""

    low: float
    high: float
    unit: str

    @property
    def said(self) -> str:
        """The limits and the unit."""
        return f"a number of {self.unit} from {self.low:g} to {self.high:g}"

    def read(self, given: object) -> float:
        """The number; a whole one will do."""
        if isinstance(given, bool) or not isinstance(given, int | float) or not self.low <= given <= self.high:
            raise _needed(self.said, given)
        return float(given)


@dataclass(frozen=True, slots=True)
class SpiDevice:
    """A device on an SPI bus, as the end of its path /dev/spidev0.0."""

    said: str = 'an SPI bus and device such as "0.0"'

    def read(self, given: object) -> Spi:
        """The bus and the device."""
        found = re.fullmatch(r"0\.[01]|1\.[012]", given) if isinstance(given, str) else None
        if found is None:
            raise _needed(self.said, given)
        bus, _, device = found[0].partition(".")
        return Spi(int(bus), int(device))


@dataclass(frozen=True, slots=True)
class PinOrSegment:
    """Where a button's lamp is: a pin's number, or a segment's letter."""

    said: str = f"the number of a pin, or a segment ({', '.join(SEGMENTS)})"

    def read(self, given: object) -> int | str:
        """The pin as a number, the segment as a letter."""
        if isinstance(given, str) and given in SEGMENTS:
            return given
        if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given < 100:
            raise _needed(self.said, given)
        return given


# ------------------------------------------------------------------------------------- lists and tables


@dataclass(frozen=True, slots=True)
class Wholes:
    """A list of whole numbers, each given once."""

    what: str
    """What one of them is: "pin"."""
    least: int
    most: int
    each: Whole

    @property
    def said(self) -> str:
        """How many of what."""
        how_many = f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"
        return f"a list of {how_many} {plural(self.what)}"

    def read(self, given: object) -> tuple[int, ...]:
        """The numbers in their order."""
        if not is_list(given):
            raise _needed(self.said, given)
        if not self.least <= len(given) <= self.most:
            raise Unfit(f"{self.said} is needed, not {len(given)}")
        numbers = tuple(self.each.read(number) for number in given)
        twice = [number for number in numbers if numbers.count(number) > 1]
        if twice:
            raise Unfit(f"{self.what} {twice[0]:{self.each.form}} is there twice; each has one use")
        return numbers


@dataclass(frozen=True, slots=True)
class Texts:
    """A list of texts, each of which a pattern fits as a whole."""

    what: str
    """What one of them is."""
    pattern: str

    @property
    def said(self) -> str:
        """The kind in words."""
        return f"a list of texts, each {self.what}"

    def read(self, given: object) -> tuple[str, ...]:
        """The texts in their order."""
        if not is_list(given):
            raise _needed(self.said, given)
        one = Text(self.what, self.pattern)
        return tuple(one.read(each) for each in given)


@dataclass(frozen=True, slots=True)
class Order:
    """How a wire visits the cells: one of some words, or the cells one after the other."""

    words: tuple[str, ...]

    @property
    def said(self) -> str:
        """The words, and the list."""
        return f"{', '.join(self.words)}, or a list of all cells"

    def read(self, given: object) -> str | tuple[Cell, ...]:
        """The word or the cells."""
        if is_list(given):
            return tuple(_cell(name) for name in given)
        if not isinstance(given, str):
            raise _needed(self.said, given)
        if given not in self.words:
            raise Unfit(f"there is no order {quoted(given)}; {nearest(given, self.words)}")
        return given


@dataclass(frozen=True, slots=True)
class Numbering:
    """A number for each cell: a list in reading order, or a table by the cells' names."""

    each: Whole
    said: str = "a list of numbers in reading order, far row first, or a table of a number for each cell"

    def read(self, given: object) -> tuple[int, ...] | Mapping[Cell, int]:
        """The numbers."""
        if is_list(given):
            return tuple(self.each.read(number) for number in given)
        if is_table(given):
            return MappingProxyType({_cell(name): self._of(name, number) for name, number in given.items()})
        raise _needed(self.said, given)

    def _of(self, name: str, number: object) -> int:
        try:
            return self.each.read(number)
        except Unfit as unfit:
            raise Unfit(f"cell {name}: {unfit}") from None


@dataclass(frozen=True, slots=True)
class Places:
    """Cells and their centres, in pitches."""

    farthest: float
    said: str = "a table of cells with their places, such as a1 = [0, 0]"

    def read(self, given: object) -> Mapping[Cell, tuple[float, float]]:
        """Each cell with x to the right and y away from the player."""
        if not is_table(given):
            raise _needed(self.said, given)
        if not 1 <= len(given) <= MOST_CELLS:
            raise Unfit(f"1 to {MOST_CELLS} cells are needed, not {len(given)}")
        return MappingProxyType({_cell(name): self._place(name, place) for name, place in given.items()})

    def _place(self, name: str, place: object) -> tuple[float, float]:
        if not is_list(place) or len(place) != 2:
            raise Unfit(f"cell {name}: two numbers [x, y] are needed, not {described(place)}")
        x, y = (self._along(name, number) for number in place)
        return x, y

    def _along(self, name: str, number: object) -> float:
        if isinstance(number, bool) or not isinstance(number, int | float) or not abs(number) <= self.farthest:
            raise Unfit(f"cell {name}: a number of pitches up to {self.farthest:g} is needed, not {described(number)}")
        return float(number)


@dataclass(frozen=True, slots=True)
class Overlay:
    """For each cell of a game's grid the board's cell it lies on."""

    said: str = 'a table of a board\'s cell for each of the game\'s, such as "0,0" = "d4"'

    def read(self, given: object) -> Mapping[Cell, Cell]:
        """The board's cells by the game's."""
        if not is_table(given):
            raise _needed(self.said, given)
        if not given:
            raise Unfit("an overlay of no cells says nothing")
        return MappingProxyType({_cell(name): _cell(there) for name, there in given.items()})
