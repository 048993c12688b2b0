"""Symbols: how parts look in a schematic, each drawn from one end to the other.

A symbol stands between two points on a line that is level or upright. It leaves its leads with it: a resistor from
(10, 20) to (30, 20) has its box in the middle.
"""

from __future__ import annotations

from math import dist

from hardware.generator.drawing import INK, Point, Sheet, Words, width_of

PAPER = "#ffffff"
GLASS = "#e8f4f8"
LIGHT = "#fff3c4"


class Pen:
    """Points along the line from one end of a symbol to the other, and across it."""

    def __init__(self, start: Point, end: Point) -> None:
        length = dist(start, end)
        self.length = length
        self.middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        self._along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)

    def at(self, along: float, across: float = 0.0) -> Point:
        """So many mm from the middle towards the end, and to the right of the way."""
        x, y = self._along
        return self.middle[0] + along * x - across * y, self.middle[1] + along * y + across * x


def _leads(sheet: Sheet, start: Point, end: Point, pen: Pen, half: float) -> None:
    sheet.line(start, pen.at(-half))
    sheet.line(pen.at(half), end)


def resistor(sheet: Sheet, start: Point, end: Point) -> None:
    """A box."""
    pen = Pen(start, end)
    _leads(sheet, start, end, pen, 3.5)
    sheet.area(pen.at(-3.5, -1.3), pen.at(3.5, -1.3), pen.at(3.5, 1.3), pen.at(-3.5, 1.3), fill=PAPER)


def fuse(sheet: Sheet, start: Point, end: Point) -> None:
    """A box with its wire."""
    resistor(sheet, start, end)
    sheet.line(start, end, width=0.25)


def resettable(sheet: Sheet, start: Point, end: Point) -> None:
    """A box with a slanted stroke: its resistance rises with warmth."""
    pen = Pen(start, end)
    resistor(sheet, start, end)
    sheet.line(pen.at(-5, 3), pen.at(-3, 3), pen.at(4, -3))


def diode(sheet: Sheet, start: Point, end: Point, fill: str = INK) -> None:
    """From the plain end (anode) to the striped one."""
    pen = Pen(start, end)
    _leads(sheet, start, end, pen, 1.6)
    sheet.area(pen.at(-1.6, -1.6), pen.at(1.6), pen.at(-1.6, 1.6), fill=fill)
    sheet.line(pen.at(1.6, -1.7), pen.at(1.6, 1.7), width=0.6)


def suppressor(sheet: Sheet, start: Point, end: Point) -> None:
    """A diode whose stripe has hooks."""
    pen = Pen(start, end)
    diode(sheet, start, end, PAPER)
    sheet.line(pen.at(2.6, -2.2), pen.at(1.6, -1.7), pen.at(1.6, 1.7), pen.at(0.6, 2.2), width=0.6)


def led(sheet: Sheet, start: Point, end: Point) -> None:
    """A diode with two arrows of light."""
    pen = Pen(start, end)
    diode(sheet, start, end, LIGHT)
    for along in (-0.6, 1.2):
        tip = pen.at(along + 1.4, -4.0)
        sheet.line(pen.at(along, -2.3), tip, width=0.25)
        sheet.line(pen.at(along + 0.5, -3.6), tip, pen.at(along + 1.3, -3.0), width=0.25)


def reed(sheet: Sheet, start: Point, end: Point) -> None:
    """Two blades in a glass."""
    pen = Pen(start, end)
    glass = [
        pen.at(x, y)
        for x, y in ((-4, -1.2), (-3.2, -2), (3.2, -2), (4, -1.2), (4, 1.2), (3.2, 2), (-3.2, 2), (-4, 1.2))
    ]
    sheet.area(*glass, fill=GLASS, width=0.25)
    sheet.line(start, pen.at(-2.6, 0), pen.at(1.2, -1.1), width=0.45)
    sheet.line(end, pen.at(0.6, 0), width=0.45)


def capacitor(sheet: Sheet, start: Point, end: Point, *, polar: bool = False) -> None:
    """Two plates; the start is plus."""
    pen = Pen(start, end)
    _leads(sheet, start, end, pen, 0.8)
    sheet.line(pen.at(-0.8, -2.4), pen.at(-0.8, 2.4), width=0.6)
    sheet.line(pen.at(0.8, -2.4), pen.at(0.8, 2.4), width=0.6)
    if polar:
        x, y = pen.at(-2.4, -2.2)
        sheet.line((x - 0.8, y), (x + 0.8, y), width=0.25)
        sheet.line((x, y - 0.8), (x, y + 0.8), width=0.25)


def button(sheet: Sheet, start: Point, end: Point) -> None:
    """Two contacts and the bar over them; drawn on a level line."""
    pen = Pen(start, end)
    _leads(sheet, start, end, pen, 3.0)
    for along in (-2.4, 2.4):
        sheet.circle(pen.at(along), 0.6, fill=PAPER)
    sheet.line(pen.at(-3.2, -1.8), pen.at(3.2, -1.8), width=0.5)
    sheet.line(pen.at(0, -1.8), pen.at(0, -3.6))
    sheet.line(pen.at(-1.2, -3.6), pen.at(1.2, -3.6), width=0.5)


def ground(sheet: Sheet, at: Point, name: str = "") -> None:
    """Three strokes, each shorter than the one above."""
    x, y = at
    sheet.line((x, y), (x, y + 1.6))
    for number, half in enumerate((2.2, 1.4, 0.6)):
        sheet.line((x - half, y + 1.6 + 0.8 * number), (x + half, y + 1.6 + 0.8 * number), width=0.45)
    if name:
        sheet.words((x, y + 6.0), name, size=2.2, anchor="middle")


def supply(sheet: Sheet, at: Point, name: str, colour: str = INK) -> None:
    """A bar with the supply's name above it."""
    x, y = at
    sheet.line((x, y), (x, y - 2.0), colour=colour)
    sheet.line((x - 2.2, y - 2.0), (x + 2.2, y - 2.0), colour=colour, width=0.6)
    sheet.words((x, y - 2.9), name, size=2.4, anchor="middle", colour=colour)


def dot(sheet: Sheet, at: Point, colour: str = INK) -> None:
    """Where wires meet."""
    sheet.circle(at, 0.65, colour=colour, fill=colour, width=0.1)


def flag(sheet: Sheet, at: Point, text: str, *, left: bool = False, colour: str = INK, fill: str = "#f2f5f7") -> None:
    """The name of what a wire leads to, in a flag to the right of a point or to its left."""
    # Fonts that stand in for Helvetica are up to a sixth wider.
    wide = width_of(Words(at, text, 2.4)) * 1.17 + 4.0
    x, y = at
    side = -1 if left else 1
    sheet.area(
        (x, y),
        (x + side * 1.8, y - 2.0),
        (x + side * wide, y - 2.0),
        (x + side * wide, y + 2.0),
        (x + side * 1.8, y + 2.0),
        colour=colour,
        width=0.25,
        fill=fill,
    )
    sheet.words((x + side * (wide / 2 + 0.8), y + 0.85), text, size=2.4, anchor="middle", colour=colour)


def chip(
    sheet: Sheet,
    left: float,
    top: float,
    width: float,
    name: tuple[str, ...],
    lefts: tuple[str, ...],
    rights: tuple[str, ...],
    step: float = 6.0,
) -> tuple[dict[str, Point], float]:
    """A box with pins at both sides, 3 mm of lead each: each pin's end, and where the box ends below."""
    height = step * (max(len(lefts), len(rights)) + 0.6)
    sheet.box(left, top, width, height, fill="#fbf7ec", line=0.5)
    for number, line in enumerate(name):
        sheet.words(
            (left + width / 2, top - 1.6 - 3.4 * (len(name) - 1 - number)),
            line,
            size=3.0,
            anchor="middle",
            bold=number == 0,
        )
    ends: dict[str, Point] = {}
    for pins, edge, out, anchor, inside in (
        (lefts, left, -3.0, "start", 1.2),
        (rights, left + width, 3.0, "end", -1.2),
    ):
        for number, pin in enumerate(pins):
            if not pin:
                continue
            y = top + step * (number + 0.8)
            sheet.line((edge, y), (edge + out, y))
            sheet.words((edge + inside, y + 0.9), pin, size=2.4, anchor=anchor)
            ends[pin] = (edge + out, y)
    return ends, top + height
