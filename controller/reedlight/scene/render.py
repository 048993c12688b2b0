"""A scene as lamps: what every lamp of a panel shows at one moment.

    scene ──► marks ──► palette ──► brightness ──► gamma ──► power cap ──► frame
                         rhythm      the owner's    eye to     amperes      0..255 a channel
                         and hue     choice         drive

Time is cut into FRAMES_PER_SECOND equal frames counted from moment 0, and every period is a whole number of
them: equal phases give equal frames, however far away the moments. ``next_change`` says until when a frame
holds, so that nothing need be sent meanwhile.

*Gamma.* Rhythms and brightness are what the eye sees, a lamp's drive is the share of time it is lit; they
are related by a power. Hues come as sRGB and take the same power.

*Power.* A frame never draws more than the panel's cap. A scene that could is scaled down as a whole, by the
factor that would hold if every lamp were at its peak at once: a steady lamp must not sag whenever its
neighbours blink.

*On and off.* With the palette ON_OFF every lamp is dark or lit at every brightness, and an adapter reads any
drive above 0 as lit. How bright such a matrix is belongs to its driver: see ``intensity``.

Wiring is not known here: a panel's ``lamps`` say which lamp is under which cell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import floor

from reedlight.core.grid import Cell
from reedlight.scene.palette import BUTTON_RHYTHMS, DELAYS, Colour, Palette, Rhythm
from reedlight.scene.scene import Button, Mark, Scene

FRAMES_PER_SECOND = 30
"""Every kind of lamp in use takes this many, and the shortest flash still lasts several frames."""
GAMMA = 2.2
"""Drive is perceived brightness to this power."""
DIMMEST = 0.3
"""The lowest brightness; below it the drive of a MOVABLE lamp rounds to nothing."""
FULL = 255
"""The drive of a channel that is always lit."""
INTENSITIES = 16
"""The steps of intensity that a MAX7219 has for all its lamps together."""
DARK = Colour(0, 0, 0)

# A moment computed as a whole number of frames must not fall into the frame before it.
_ROUNDING = 1e-6

Frame = tuple[Colour, ...]
"""The drive of every lamp, by its number."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What lamps draw and may draw, in milliamperes: one dark lamp, one full channel, the whole panel."""

    dark: float
    channel: float
    cap: float


WS2812 = Budget(dark=1.0, channel=20.0, cap=1200.0)
"""A string of RGB lamps under the cap that the supply and the fuse are chosen for."""
UNLIMITED = Budget(dark=0.0, channel=0.0, cap=1.0)
"""Lamps whose driver limits the current itself, as a MAX7219 does."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The lamps of a board: which one lies under which cell, how many there are, how they look and how bright.

    A cell that is not in ``lamps`` has none and stays dark. Raises ValueError for a panel that can't be lit.
    """

    lamps: Mapping[Cell, int]
    count: int
    palette: Palette
    budget: Budget
    brightness: float = 1.0

    def __post_init__(self) -> None:
        if not DIMMEST <= self.brightness <= 1.0:
            raise ValueError(f"brightness {self.brightness} is not between {DIMMEST} and 1")
        if strays := [cell for cell, lamp in self.lamps.items() if not 0 <= lamp < self.count]:
            raise ValueError(f"cell {strays[0]} has lamp {self.lamps[strays[0]]}, but lamps are 0 to {self.count - 1}")
        if _spare(self) <= 0.0:
            raise ValueError(f"{self.count} dark lamps draw {self.count * self.budget.dark} mA, cap {self.budget.cap}")


def render(scene: Scene, moment: float, panel: Panel) -> Frame:
    """What every lamp shows at a moment, in seconds from any fixed beginning."""
    now, alike = _frames(moment), _lit(scene, panel)
    scale = _scale(alike, panel)
    frame = [DARK] * panel.count
    for (mark, delay), lamps in alike.items():
        drives = _drives(panel.palette.rhythms[mark])
        colour = _colour(panel.palette.hues[mark].value, scale * drives[(now - delay) % len(drives)])
        for lamp in lamps:
            frame[lamp] = colour
    return tuple(frame)


def next_change(scene: Scene, moment: float, panel: Panel) -> float | None:
    """When the frame or a button's lamp may look different; None if the scene is steady."""
    now = _frames(moment)
    lamps = [(panel.palette.rhythms[mark], delay) for mark, delay in _lit(scene, panel)]
    buttons = [(BUTTON_RHYTHMS[lamp], 0) for lamp in frozenset(scene.lamps.values())]
    waits = [_wait(rhythm, now - delay) for rhythm, delay in (*lamps, *buttons)]
    changes = [wait for wait in waits if wait is not None]
    return (now + min(changes)) / FRAMES_PER_SECOND if changes else None


def lit_buttons(scene: Scene, moment: float) -> frozenset[Button]:
    """The buttons whose own lamps are lit at a moment."""
    now = _frames(moment)
    drives = {button: _drives(BUTTON_RHYTHMS[lamp]) for button, lamp in scene.lamps.items()}
    return frozenset(button for button, levels in drives.items() if levels[now % len(levels)])


def current(frame: Frame, budget: Budget) -> float:
    """What a frame draws, in milliamperes."""
    return len(frame) * budget.dark + sum(map(sum, frame)) / FULL * budget.channel


def intensity(brightness: float) -> int:
    """The MAX7219's step, 0 to 15, for a brightness from 0 to 1."""
    return round((INTENSITIES - 1) * brightness**GAMMA)


def _frames(moment: float) -> int:
    return floor(moment * FRAMES_PER_SECOND + _ROUNDING)


Alike = tuple[Mark, int]
"""What lamps have in common that show the same at every moment: their mark, and their delay in frames."""


def _lit(scene: Scene, panel: Panel) -> Mapping[Alike, Sequence[int]]:
    """The lamps that are not always dark, by what they show."""
    alike: dict[Alike, list[int]] = {}
    before = dict.fromkeys(DELAYS, 0)
    for cell, light in scene.lights.items():
        mark = light.mark
        delay = _frames(DELAYS[mark] * before[mark])
        before[mark] += 1
        if (lamp := panel.lamps.get(cell)) is not None:
            alike.setdefault((mark, delay), []).append(lamp)
    return alike


def _scale(alike: Mapping[Alike, Sequence[int]], panel: Panel) -> float:
    """The factor on every drive: the brightness, and less where all peaks together would break the cap."""
    bright, spare = panel.brightness**GAMMA, _spare(panel)
    channels = sum(len(lamps) * _peak(panel.palette, mark) for (mark, _), lamps in alike.items())
    return bright * spare / max(bright * panel.budget.channel * channels, spare)


def _spare(panel: Panel) -> float:
    """The milliamperes that the cap leaves for light."""
    return panel.budget.cap - panel.count * panel.budget.dark


def _peak(palette: Palette, mark: Mark) -> float:
    """The channels a mark lights at its brightest, a full one counting 1."""
    return max(_drives(palette.rhythms[mark])) * sum(_shares(palette.hues[mark].value))


def _colour(hue: Colour, drive: float) -> Colour:
    # Rounded down: rounding up, a panel full of lamps would break the cap by some milliamperes.
    return Colour(*(int(FULL * drive * share) for share in _shares(hue)))


@lru_cache
def _shares(hue: Colour) -> tuple[float, ...]:
    """The drive of each channel of a hue at full, 0 to 1."""
    return tuple((channel / FULL) ** GAMMA for channel in hue)


@lru_cache
def _drives(rhythm: Rhythm) -> tuple[float, ...]:
    """The drive in every frame of one period, 0 to 1."""
    return tuple(rhythm.level(frame / FRAMES_PER_SECOND) ** GAMMA for frame in range(_frames(rhythm.period)))


def _wait(rhythm: Rhythm, now: int) -> int | None:
    """How many frames later the drive first differs from what it is now."""
    drives = _drives(rhythm)
    drive = drives[now % len(drives)]
    return next((wait for wait in range(1, len(drives)) if drives[(now + wait) % len(drives)] != drive), None)
