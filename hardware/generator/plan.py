"""The plan: where everything lies on the table, in millimetres.

The zero is the lower left corner of the plate as the player at the lower edge sees it; x grows to the right, y
away from the player. The console lies in front of the plate, from y = -depth to 0.

        ┌────────────────────┐ (width, height)
        │  o o o o o o o o   │   o   a cell's centre: the reed stands here
        │  o o o o o o o o   │   .   its lamp, 10 mm to the left
        │  ...               │
        ├────────────────────┤ (0, 0)
        │ ctrl ()()[][]()() J1 X │   console: control board, HINT BACK, two dice, NEXT GO, power entry
        └────────────────────┘

A square cell is as wide as the pitch; a hexagon has two edges to its left and right, so that its rows interlock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from types import MappingProxyType

from hardware.generator.parts import Parts
from reedlight.board.geometry import rows_of
from reedlight.board.profile import BUTTONS, DiceDigits, DiceModules, Max7219, Profile, Ws2812
from reedlight.core.grid import Cell, Shape

Point = tuple[float, float]

# Of a cell with pitch 1: the corners around its centre, counter-clockwise from the lower right one.
_SQUARE = ((0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5))
_CORNER = 1 / sqrt(3)
_HEXAGON = (
    (0.5, -_CORNER / 2),
    (0.5, _CORNER / 2),
    (0.0, _CORNER),
    (-0.5, _CORNER / 2),
    (-0.5, -_CORNER / 2),
    (0.0, -_CORNER),
)

# Millimetres to the right of the console's middle.
_BUTTONS_AT: Mapping[str, float] = MappingProxyType({"hint": -78.0, "back": -50.0, "next": 50.0, "go": 78.0})
_DICE_AT = (-19.0, 19.0)
# Millimetres from the console's left end to the middle of the control board: it begins behind the wall and its screws.
_CONTROL_AT = 57.0
# The terminal of the supply and the two bars: from the console's right end, where nothing else is.
_ENTRY_AT = 12.0
_BARS_AT = 40.0
# Where the small board with the lamps' MAX7219 lies: in the corner that all wires of the lamps begin at, clear of the
# screw in the corner and of the cables to the console at its right.
_DRIVER_AT = (42.0, 14.0)
# Where the Pi stands: at the left end of the console, in its own case.
_PI_AT = (-70.0, -30.0)
# A console that is shorter has no room for all this, whatever the plate's width.
_LEAST_CONSOLE = 390.0
# How far screw holes lie from the edges of a plate, and how far apart they may be.
_SCREW_IN = 6.0


@dataclass(frozen=True, slots=True)
class Plan:
    """Every place on the table that something is cut, soldered or drawn at."""

    name: str
    hexagons: bool
    rectangular: bool
    """Whether squares fill a rectangle."""
    pitch: float
    width: float
    height: float
    console_width: float
    """As wide as the plate, or wider where that is too narrow for what is in it."""
    console_depth: float
    cells: Mapping[Cell, Point]
    """Each cell's centre, where the reed stands."""
    lamps: Mapping[Cell, Point]
    """Each lamp's centre."""
    outline: tuple[Point, ...]
    """The corners of a cell around its centre."""
    buttons: Mapping[str, Point]
    dice: tuple[Point, ...]
    """The middle of each die's display; none where the board itself shows the dice."""
    modules: bool
    """Whether a die is a module of 8x8 lamps; if not, a digit."""
    control: Point
    """Where the control board lies, which everything else is soldered on."""
    entry: Point
    """Where the supply comes in."""
    bars: Point
    """Where the bars lie that share out its 5 V and its ground."""
    driver: Point | None
    """Where the board of the lamps' chip lies below the carrier; None where no chip drives the lamps."""
    pi: Point
    screws: tuple[Point, ...]
    """The holes through plate and base."""
    lamp_hole: float
    """Diameter of the hole that a lamp shines through."""

    def polygon(self, cell: Cell) -> tuple[Point, ...]:
        """The corners of one cell."""
        x, y = self.cells[cell]
        return tuple((x + right, y + up) for right, up in self.outline)


def plan_of(profile: Profile, parts: Parts) -> Plan:
    """Where everything of a board lies."""
    corners = _HEXAGON if profile.grid.shape is Shape.HEXAGON else _SQUARE
    outline = tuple((x * profile.pitch, y * profile.pitch) for x, y in corners)
    xs = [x * profile.pitch for x, _ in profile.grid.places.values()]
    ys = [y * profile.pitch for _, y in profile.grid.places.values()]
    border = parts.rule("plan", "border")
    left = min(xs) + min(x for x, _ in outline) - border
    near = min(ys) + min(y for _, y in outline) - border
    width = _whole(max(xs) + max(x for x, _ in outline) + border - left)
    height = _whole(max(ys) + max(y for _, y in outline) + border - near)
    cells = {
        cell: (round(x * profile.pitch - left, 3), round(y * profile.pitch - near, 3))
        for cell, (x, y) in profile.grid.places.items()
    }
    offset, depth = parts.rule("plan", "lamp_offset"), parts.rule("plan", "console_depth")
    long = max(width, _LEAST_CONSOLE)
    middle, row = long / 2, -depth / 2
    shown = isinstance(profile.dice, DiceModules | DiceDigits)
    return Plan(
        name=profile.name,
        hexagons=profile.grid.shape is Shape.HEXAGON,
        rectangular=len({len(row) for row in rows_of(profile.grid)}) == 1 and profile.grid.shape is Shape.SQUARE,
        pitch=profile.pitch,
        width=width,
        height=height,
        console_width=long,
        console_depth=depth,
        cells=MappingProxyType(cells),
        lamps=MappingProxyType({cell: (round(x + offset, 3), y) for cell, (x, y) in cells.items()}),
        outline=outline,
        buttons=MappingProxyType({name: (middle + _BUTTONS_AT[name], row) for name in _buttons(profile)}),
        dice=tuple((middle + right, row) for right in _DICE_AT) if shown else (),
        modules=isinstance(profile.dice, DiceModules),
        control=(_CONTROL_AT, row),
        entry=(long - _ENTRY_AT, row),
        bars=(long - _BARS_AT, row),
        driver=_DRIVER_AT if isinstance(profile.lamps, Max7219) else None,
        pi=_PI_AT,
        screws=_screws(width, height),
        lamp_hole=parts.rule("plan", "rgb_hole" if isinstance(profile.lamps, Ws2812) else "led_hole"),
    )


def _whole(length: float) -> float:
    """Plates are cut to whole millimetres."""
    return float(round(length))


def _buttons(profile: Profile) -> tuple[str, ...]:
    return tuple(name for name in BUTTONS if profile.buttons and name in profile.buttons.pins)


def _screws(width: float, height: float) -> tuple[Point, ...]:
    """The corners, and the middle of each edge."""
    xs = (_SCREW_IN, width / 2, width - _SCREW_IN)
    ys = (_SCREW_IN, height / 2, height - _SCREW_IN)
    return tuple((x, y) for y in ys for x in xs if (x, y) != (width / 2, height / 2))
