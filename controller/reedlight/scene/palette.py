"""How a mark looks: its rhythm and its colour, as data.

A *rhythm* is a curve of perceived brightness, 0 to 1, over one period in seconds; it repeats. All lamps run
on one clock, so equal marks keep step. There are two palettes: LEVELS for lamps with colour and brightness,
ON_OFF for a matrix whose driver (MAX7219) knows per lamp only on and off, and one intensity for all. Two
seconds of each, a character for a tenth of a second, from dark to full " .:-=+*#%@":

                LEVELS               ON_OFF
    MOVABLE   |--------------------|@@@@@@@@@@@@@@@@    |  steady and dim; rests once in 2 s
    SOURCE    |.:-=++*#%@@%#*++=-:.|@@@@@@@@@@          |  breathing, 2 s; slow even blink
    TARGET    |********************|@@@@@@@@@@@@@@@@@@@@|  steady
    MERGE     |@@@@@@@@::@@@@@@@@::|@@@@@@@@  @@@@@@@@  |  steady with a dip every second
    CAPTURE   |@@@@@     @@@@@     |@@@@@     @@@@@     |  even blink, 1 Hz
    TAKEN     |@@  @@  @@  @@  @@  |@@  @@  @@  @@  @@  |  fast even blink, 2.5 Hz
    REMOVE    |@@  @@     @@  @@   |@@  @@     @@  @@   |  double blink, 1.1 s
    CHOICE    |@@  @@  @@          |@@  @@  @@          |  triple blink, then a pause
    LAST      |#**++==--::..       |@@@@@@              |  a fade every 2 s; a long flash
    MISSING   |@@@       @@@       |@@@       @@@       |  a flash every second
    EXTRA     |@@@@  @@@@  @@@@  @@|@@@@  @@@@  @@@@  @@|  a gap every 0.6 s
    FORBIDDEN |@@                  |@@                  |  one short pulse in 2 s
    HINT      |@@@@  @@            |@@@@  @@            |  long and short, cell after cell
    WINNER    |@@@@@@@@@@@@#=:::-+%|@@@@@  @@@@@        |  a shadow, from cell to cell; two long

Three rules hold for every rhythm and are tested:

* *Any two differ by a fifth of full brightness on average, in whichever two seconds one happens to look*, at
  whatever phase. Hence no rhythm plays once and stops (after it nothing would tell it from another), none is
  longer than 2 s, and MISSING flashes every second: of a flash every 1.2 s two seconds may hold but one,
  and that is FORBIDDEN.
* *Flashes of one lamp begin at least 0.4 s apart*, so that no second holds more than three, the limit for
  people whom flashing light harms. A blink of 4 Hz would break it; TAKEN is as fast as the rule allows.
* *ON_OFF imitates no dimness by quick switching*: lit in every other of 30 frames a second is a flicker
  of 15 Hz, among the most harmful there are. MOVABLE is told from TARGET by its rest instead.

Five hues say it once more: white for what is calm, sky for a move, vermilion for what must go, amber for
what is proposed, magenta for what is wrong. They stay apart under the three common colour-vision
deficiencies. This module knows no cell, lamp number, current or frame rate.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate, cycle, pairwise
from types import MappingProxyType
from typing import NamedTuple, TypedDict

from reedlight.scene.scene import Lamp, Mark


class Colour(NamedTuple):
    """Red, green and blue from 0 to 255: of a hue as sRGB, of a lamp in a frame as its drive."""

    red: int
    green: int
    blue: int


class Hue(Enum):
    """The colours of lamps, as sRGB; LIT is the only one that a one-colour lamp has."""

    WHITE = Colour(0xFF, 0xFA, 0xEA)
    SKY = Colour(0x35, 0xC8, 0xFB)
    AMBER = Colour(0xFE, 0xBF, 0x20)
    VERMILION = Colour(0xFE, 0x46, 0x1D)
    MAGENTA = Colour(0xA7, 0x5C, 0xBD)
    LIT = Colour(0xFF, 0xFF, 0xFF)


class Point(NamedTuple):
    """One corner of a rhythm: a moment in seconds from its beginning and the brightness there, 0 to 1."""

    moment: float
    level: float


@dataclass(frozen=True, slots=True)
class Rhythm:
    """Perceived brightness over one period: straight lines from point to point, the first at 0.

    Two points at one moment are a step; the later one holds from that moment on.
    """

    points: tuple[Point, ...]

    @property
    def period(self) -> float:
        """After how many seconds it begins again."""
        return self.points[-1].moment

    @property
    def peak(self) -> float:
        """The brightest level; what is shown where motion is not wanted."""
        return max(point.level for point in self.points)

    def level(self, moment: float) -> float:
        """The brightness at a moment in seconds."""
        phase = moment % self.period
        after = min(bisect_right(self.points, phase, key=lambda point: point.moment), len(self.points) - 1)
        (start, low), (end, high) = self.points[after - 1], self.points[after]
        return low + (high - low) * (phase - start) / (end - start)


def _steady(level: float) -> Rhythm:
    return Rhythm((Point(0.0, level), Point(1.0, level)))


def _blink(*tenths: int, low: float = 0.0) -> Rhythm:
    """Lit, low, lit, low … for so many tenths of a second each."""
    ends = accumulate(tenths, initial=0)
    spans = zip(pairwise(ends), cycle((1.0, low)), strict=False)
    return Rhythm(tuple(Point(moment / 10, level) for span, level in spans for moment in span))


def _line(*points: tuple[float, float]) -> Rhythm:
    return Rhythm(tuple(Point(*point) for point in points))


_BLINKS: Mapping[Mark, Rhythm] = {
    Mark.CAPTURE: _blink(5, 5),
    Mark.TAKEN: _blink(2, 2),
    Mark.REMOVE: _blink(2, 2, 2, 5),
    Mark.CHOICE: _blink(2, 2, 2, 2, 2, 10),
    Mark.MISSING: _blink(3, 7),
    Mark.EXTRA: _blink(4, 2),
    Mark.FORBIDDEN: _blink(2, 18),
    Mark.HINT: _blink(4, 2, 2, 12),
}
_SHADED: Mapping[Mark, Rhythm] = {
    Mark.MOVABLE: _steady(0.35),
    Mark.SOURCE: _line((0.0, 0.1), (1.0, 1.0), (2.0, 0.1)),
    Mark.TARGET: _steady(0.65),
    Mark.MERGE: _blink(8, 2, low=0.2),
    Mark.LAST: _line((0.0, 0.8), (1.4, 0.0), (2.0, 0.0)),
    Mark.WINNER: _line((0.0, 1.0), (1.2, 1.0), (1.4, 0.2), (1.7, 0.2), (2.0, 1.0)),
}
_SWITCHED: Mapping[Mark, Rhythm] = {
    Mark.MOVABLE: _blink(16, 4),
    Mark.SOURCE: _blink(10, 10),
    Mark.TARGET: _steady(1.0),
    Mark.MERGE: _blink(8, 2),
    Mark.LAST: _blink(6, 14),
    Mark.WINNER: _blink(5, 2, 5, 8),
}

_HUES: Mapping[Mark, Hue] = {
    Mark.MOVABLE: Hue.WHITE,
    Mark.SOURCE: Hue.SKY,
    Mark.TARGET: Hue.SKY,
    Mark.MERGE: Hue.SKY,
    Mark.CAPTURE: Hue.SKY,
    Mark.TAKEN: Hue.VERMILION,
    Mark.REMOVE: Hue.VERMILION,
    Mark.CHOICE: Hue.AMBER,
    Mark.LAST: Hue.WHITE,
    Mark.MISSING: Hue.MAGENTA,
    Mark.EXTRA: Hue.MAGENTA,
    Mark.FORBIDDEN: Hue.MAGENTA,
    Mark.HINT: Hue.AMBER,
    Mark.WINNER: Hue.AMBER,
}

DELAYS: Mapping[Mark, float] = MappingProxyType({**dict.fromkeys(Mark, 0.0), Mark.HINT: 0.8, Mark.WINNER: 0.1})
"""By how many seconds each cell of a mark follows the one before it, in the order the scene lists them."""


@dataclass(frozen=True, slots=True)
class Palette:
    """A rhythm and a hue for every mark."""

    name: str
    rhythms: Mapping[Mark, Rhythm]
    hues: Mapping[Mark, Hue]


LEVELS = Palette("levels", MappingProxyType({**_SHADED, **_BLINKS}), MappingProxyType(_HUES))
"""For lamps of every colour and brightness."""
ON_OFF = Palette("on-off", MappingProxyType({**_SWITCHED, **_BLINKS}), MappingProxyType(dict.fromkeys(Mark, Hue.LIT)))
"""For lamps of one colour that are on or off."""

BUTTON_RHYTHMS: Mapping[Lamp, Rhythm] = MappingProxyType(
    {Lamp.OFF: _steady(0.0), Lamp.ON: _steady(1.0), Lamp.BLINK: _blink(5, 5)}
)
"""How a button's own lamp looks; it is on or off, nothing between."""


class MarkJson(TypedDict):
    """One mark for the page; ``still`` is its level where motion is not wanted."""

    hue: str
    colour: str
    period: float
    points: list[list[float]]
    still: float
    delay: float


def as_json(palette: Palette) -> dict[str, MarkJson]:
    """Everything a page needs to draw the palette, by the marks' names."""
    return {mark.value: _mark_as_json(palette, mark) for mark in Mark}


def _mark_as_json(palette: Palette, mark: Mark) -> MarkJson:
    hue, rhythm = palette.hues[mark], palette.rhythms[mark]
    return {
        "hue": hue.name.lower(),
        "colour": "#{:02x}{:02x}{:02x}".format(*hue.value),
        "period": rhythm.period,
        "points": [list(point) for point in rhythm.points],
        "still": rhythm.peak,
        "delay": DELAYS[mark],
    }
