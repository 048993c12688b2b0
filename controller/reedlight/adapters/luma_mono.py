"""Lamps on a chain of MAX7219 chips, through luma: cells, buttons and dice on one string of wires.

A chain is one output, whatever hangs on it: a chip may light cells, the next two dice, and a digit of a
fourth the buttons. Every lamp of a chain has one number, and luma's upright image one pixel for it:

    lamp = 64 chip + 8 digit + bit        chip 0 is the one that the Raspberry Pi feeds
    x = 8 chip + digit = lamp // 8        digits 0 to 7 are DIG0 to DIG7
    y = bit            = lamp % 8         bits 0 to 7 are SEG G F E D C B A DP

This is the whole geometry. luma can turn and reverse modules as well, but does so with faults, and is not
asked to.

A lamp is lit or dark; how bright is one of sixteen steps for the chain. Chips forget their registers when
something sparks nearby, and none can be asked: all registers and the image are written again every REFRESH
seconds. Otherwise only what has changed is written.
"""

# luma comes without types:
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from luma.led_matrix.const import max7219 as register
from luma.led_matrix.device import max7219

from reedlight.adapters.spi import Line, OpenBus, open_spidev
from reedlight.board.profile import DiceDigits, DiceModules, Max7219, Profile, Segments, Spi
from reedlight.ports import Display, LinkLost
from reedlight.scene.dice import MODULE, SEGMENTS
from reedlight.scene.render import intensity

CLOCK = 1_000_000
"""Hertz; the chip takes ten times as much, wires across a board rather less. An image of four chips is 0.5 ms."""
REFRESH = 2.0
"""Seconds until registers and image are written again."""

Part = Max7219 | DiceModules | DiceDigits | Segments
"""What may hang on a chain."""

_DIGITS = 8
_BITS = 8
_SEGMENTS = "GFEDCBA"
"""The segment of every bit; the last, the decimal point, is in no number."""
_SETTINGS = ((register.SCANLIMIT, 7), (register.DECODEMODE, 0), (register.DISPLAYTEST, 0))
"""All digits, their bits as they come, no test."""


def chains(profile: Profile) -> tuple[tuple[Part, ...], ...]:
    """The parts of a board that hang on MAX7219 chips, those on one SPI device together."""
    found: dict[Spi, list[Part]] = {}
    for part in (profile.lamps, profile.dice, profile.button_lamps):
        if isinstance(part, Part):
            found.setdefault(part.spi, []).append(part)
    return tuple(tuple(parts) for parts in found.values())


class Picture:
    """An image in the words that luma reads of one, without Pillow's warning that it will drop ``getdata``."""

    def __init__(self, mode: str, size: tuple[int, int], pixels: Sequence[object]) -> None:
        self.mode = mode
        self.size = size
        self._pixels = pixels

    def getdata(self) -> Sequence[object]:
        """The pixels row by row."""
        return self._pixels

    get_flattened_data = getdata


class MonoChain:
    """The output of one chain; its parts are all on one SPI device. Raises LinkLost."""

    def __init__(self, parts: Sequence[Part], open_bus: OpenBus = open_spidev) -> None:
        self._parts = tuple(parts)
        self._chain = _Chain(Line(parts[0].spi, CLOCK, open_bus), max(map(_length, parts)))
        self._lit: frozenset[int] = frozenset()
        self._level = 0
        self._due: float | None = None

    @property
    def deadline(self) -> float | None:
        """When registers and image are written again; None before anything was shown."""
        return self._due

    def show(self, display: Display, now: float) -> None:
        """Light the lamps of all parts. Raises LinkLost."""
        lit = frozenset(lamp for part in self._parts for lamp in _lit(part, display))
        level = intensity(display.brightness)
        if self._due is None or now >= self._due:
            self._chain.restore(lit, level)
            self._due = now + REFRESH
        else:
            if level != self._level:
                self._chain.contrast(level << 4)
            if lit != self._lit:
                self._chain.draw(lit)
        self._lit, self._level = lit, level

    def close(self) -> None:
        """Go dark and let the bus go, even a bus that does not take it; again: nothing."""
        self._chain.cleanup()


class _Chain(max7219):
    """luma's chain of chips, drawn on by lamp numbers."""

    def __init__(self, line: Line, chips: int) -> None:
        self._line = line
        self._chips = chips
        self._ended = False
        try:
            super().__init__(line.serial(), cascaded=chips, contrast=0)
        except LinkLost:
            self.cleanup()
            raise

    def draw(self, lit: Iterable[int]) -> None:
        """Light these lamps and no others."""
        width = _DIGITS * self._chips
        pixels = [0] * (width * _BITS)
        for lamp in lit:
            x, y = divmod(lamp, _BITS)
            pixels[y * width + x] = 1
        self.display(Picture("1", (width, _BITS), pixels))

    def restore(self, lit: Iterable[int], level: int) -> None:
        """Write every register as if nothing were known of the chips; they wake when the image is there."""
        for name, value in _SETTINGS:
            self.command(*(name, value) * self._chips)
        self.contrast(level << 4)
        self.draw(lit)
        self.show()

    def clear(self) -> None:
        """Put all lamps out; luma does it before anything else is drawn."""
        self.draw(())

    def cleanup(self) -> None:
        """Go dark and close the line, once: luma calls this again when Python ends."""
        if self._ended:
            return
        self._ended = True
        for put_out in (self.hide, self.clear):
            with suppress(LinkLost):
                put_out()
        self._line.close()


def _length(part: Part) -> int:
    """How many chips a chain needs for a part to be on it."""
    match part:
        case Max7219(chips=chips):
            return chips
        case DiceModules(first=first):
            return first + 2
        case DiceDigits(chip=chip) | Segments(chip=chip):
            return chip + 1


def _lit(part: Part, display: Display) -> Iterator[int]:
    """The lamps of a part that a display lights."""
    match part:
        case Max7219(count=count):
            yield from (lamp for lamp, colour in enumerate(display.frame[:count]) if any(colour))
        case DiceModules(first=first):
            for chip, die in enumerate(_unspent(display), first):
                yield from (_lamp(chip, x, y) for x, y in MODULE.get(die, ()))
        case DiceDigits(chip=chip, digits=digits):
            for digit, die in zip(digits, _unspent(display), strict=False):
                yield from (_lamp(chip, digit, _SEGMENTS.index(segment)) for segment in SEGMENTS.get(die, ()))
        case Segments(chip=chip, digit=digit, bits=bits):
            yield from (_lamp(chip, digit, bits[button.value]) for button in display.buttons if button.value in bits)


def _unspent(display: Display) -> Iterator[int]:
    """What the two dice show, 0 for one that is dark."""
    yield from (0 if die.spent else die.pips for die in display.dice[:2])


def _lamp(chip: int, digit: int, bit: int) -> int:
    return (_DIGITS * chip + digit) * _BITS + bit
