"""Paper: what is printed and laid on a sheet, true to scale, and cut up for a printer of A4.

carrier-below    the carrier as one sees it while soldering, mirrored: every cell's name, its row, its column,
                 its lamp, and where reed, copper wire, diode and lamp lie

Sheet ──tiles──► pages of A4 that overlap nowhere, each with its number and a frame to cut along
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil

from hardware.generator.drawing import Circle, Path, Point, Shape, Sheet, width_of
from hardware.generator.parts import Parts
from hardware.generator.plan import Plan
from hardware.generator.wiring import RIBBON
from reedlight.board.profile import Expander, Profile

_PAGE = (297.0, 210.0)
# What any printer of A4 can print on, lying.
_PRINTED = (270.0, 180.0)

_REED, _LAMP, _COPPER, _DIODE = "#5b666e", "#b8860b", "#b5651d", "#c2512a"
_WALL, _WORDS = "#c3ccd2", "#1d2a33"
_WIRES: Mapping[str, str] = {
    "brown": "#7a4a21",
    "red": "#c92a2a",
    "orange": "#e8590c",
    "yellow": "#b08900",
    "green": "#2b8a3e",
    "blue": "#1c63c4",
    "violet": "#7b3fb0",
    "grey": "#868e96",
}
_RETURN_HOLE = 2.0
_SCREW = 3.2


def carrier_below(profile: Profile, plan: Plan, parts: Parts) -> Sheet:
    """The carrier seen from below, as large as it is; left and right are exchanged."""
    sheet = Sheet(plan.width, plan.height, f"{plan.name}, carrier, seen from below")
    sheet.box(0, 0, plan.width, plan.height, line=0.4)
    for x, y in plan.screws:
        sheet.circle((plan.width - x, plan.height - y), _SCREW / 2, width=0.25)
    middle = plan.width / 2
    said = f"{plan.name}: SEEN FROM BELOW, left and right exchanged; print at 100 %, lay it on the carrier's lower side"
    sheet.words((middle, 12.5), said, size=3.8, anchor="middle", bold=True)
    sheet.words((middle, plan.height - 10), "near edge, where the console is", size=3.8, anchor="middle")
    if plan.driver is not None:
        x, y = below(plan, plan.driver)
        wide, deep = parts.rules("plan", "driver_board")
        sheet.box(x - wide / 2, y - deep / 2, wide, deep, colour=_REED, line=0.4)
        sheet.words((x, y + 6), "U4 on its board, window in the base", size=2.6, anchor="middle", colour=_REED)
    for corner in _outlines(plan):
        sheet.area(*corner, colour=_WALL, width=0.25)
    lines = _lines(profile)
    for cell, place in plan.cells.items():
        at = below(plan, place)
        lamp = below(plan, plan.lamps[cell])
        sleeve = below(plan, (place[0] + parts.rule("plan", "sleeve_at"), place[1]))
        _places(sheet, at, sleeve, lamp, plan.lamp_hole, parts.rule("plan", "reed_hole"))
        row, column = lines[cell]
        x, y = at
        sheet.words((x - 1, y - 8), cell, size=5.5, anchor="end", colour=_WORDS, bold=True)
        sheet.words((lamp[0], y - 6.5), f"lamp {profile.layout.lamps[cell]}", size=2.6, anchor="middle", colour=_LAMP)
        sheet.words((x - 1, y + 8.5), f"row {row}", size=2.6, anchor="end", colour=_WIRES[RIBBON[row]])
        sheet.words((x - 1, y + 11.5), RIBBON[row], size=2.6, anchor="end", colour=_WIRES[RIBBON[row]])
        colour = _WIRES[RIBBON[column]]
        sheet.words((x + 10, y + 13), f"col. {column} {RIBBON[column]}", size=2.6, anchor="middle", colour=colour)
    return sheet


def below(plan: Plan, place: Point) -> Point:
    """Where a place is on the paper, whose y grows down and whose left is the board's right."""
    return round(plan.width - place[0], 3), round(plan.height - place[1], 3)


def _outlines(plan: Plan) -> Iterator[tuple[Point, ...]]:
    for cell in plan.cells:
        yield tuple(below(plan, corner) for corner in plan.polygon(cell))


def _lines(profile: Profile) -> Mapping[str, tuple[int, int]]:
    """The row and the column of the matrix that each cell joins."""
    reader = profile.reader
    wide = 16 if isinstance(reader, Expander) else len(reader.matrix.columns)
    return {cell: divmod(switch, wide) for cell, switch in profile.layout.switches.items()}


def _places(sheet: Sheet, at: Point, sleeve: Point, lamp: Point, lamp_hole: float, reed_hole: float) -> None:
    """Holes, and the diode from the reed's lower lead to where the column's wire passes, its stripe at the reed."""
    x, y = at
    sheet.circle(at, reed_hole / 2, colour=_REED, width=0.4)
    sheet.circle(at, 0.5, colour=_REED, fill=_REED)
    sheet.circle(sleeve, _RETURN_HOLE / 2, colour=_COPPER, width=0.4)
    sheet.line(sleeve, (sleeve[0], y + 6), colour=_COPPER, width=0.4)
    sheet.circle(lamp, lamp_hole / 2, colour=_LAMP, width=0.4)
    sheet.line((x, y), (x + 10, y + 10), colour=_DIODE, width=0.3)
    # The body of a diode is a box along this line; the stripe is its end nearer the reed.
    body = ((3.6, 2.2), (7.6, 6.2), (6.2, 7.6), (2.2, 3.6))
    sheet.area(*((x + right, y + down) for right, down in body), colour=_DIODE, width=0.3, fill="#ffffff")
    stripe = ((3.6, 2.2), (4.5, 3.1), (3.1, 4.5), (2.2, 3.6))
    sheet.area(*((x + right, y + down) for right, down in stripe), colour=_DIODE, width=0.3, fill=_WORDS)
    sheet.circle((x + 10, y + 10), 0.6, colour=_DIODE, fill=_DIODE)


def tiles(sheet: Sheet, centres: Iterable[Point]) -> Sequence[Sheet]:
    """A sheet on pages of A4, row by row from its upper left corner, cut between the cells with these centres."""
    places = tuple(centres)
    across = _cuts(sheet.width, _PRINTED[0], {x for x, _ in places})
    down = _cuts(sheet.height, _PRINTED[1], {y for _, y in places})
    parts = [(left, right, top, low) for top, low in pairwise(down) for left, right in pairwise(across)]
    return [_tile(sheet, part, f"{number} of {len(parts)}") for number, part in enumerate(parts, 1)]


def _cuts(length: float, most: float, centres: Iterable[float]) -> list[float]:
    """Where a length is cut, its ends included: half way between centres, as near as can be to parts of one size."""
    between = [(one + other) / 2 for one, other in pairwise(sorted(centres))]
    number = ceil(length / most)
    ideal = [length * part / number for part in range(1, number)]
    return [0.0, *(min(between, key=lambda cut: (abs(cut - wish), cut), default=wish) for wish in ideal), length]


def _tile(sheet: Sheet, part: tuple[float, float, float, float], number: str) -> Sheet:
    first, last, upper, lower = part
    size = (last - first, lower - upper)
    left, top = (_PAGE[0] - size[0]) / 2, (_PAGE[1] - size[1]) / 2
    page = Sheet(*_PAGE, sheet.title)
    right, down = left - first, top - upper
    moved = (_moved(shape, right, down) for shape in sheet.shapes)
    page.shapes.extend(shape for shape in moved if _touches(shape, (left, top), size))
    # What belongs to the other pages is covered.
    for box in (
        (0.0, 0.0, _PAGE[0], top),
        (0.0, top + size[1], _PAGE[0], top),
        (0.0, top, left, size[1]),
        (left + size[0], top, left, size[1]),
    ):
        page.box(*box, colour="none", fill="#ffffff")
    page.box(left, top, *size, line=0.2, colour="#9aa5ad")
    said = f"{sheet.title}: page {number}; print at 100 %, cut along the frame; the frame is {size[0]:g} mm wide"
    page.words((left, top - 3), said, size=3)
    return page


def _touches(shape: Shape, corner: Point, size: Point) -> bool:
    """Whether something of a shape may lie in a part of the paper."""
    if isinstance(shape, Path):
        xs, ys, room = [x for x, _ in shape.points], [y for _, y in shape.points], 0.0
    elif isinstance(shape, Circle):
        xs, ys, room = [shape.centre[0]], [shape.centre[1]], shape.radius
    else:
        xs, ys, room = [shape.at[0]], [shape.at[1]], width_of(shape)
    across = min(xs) - room < corner[0] + size[0] and max(xs) + room > corner[0]
    return across and min(ys) - room < corner[1] + size[1] and max(ys) + room > corner[1]


def _moved(shape: Shape, right: float, down: float) -> Shape:
    if isinstance(shape, Path):
        return replace(shape, points=tuple((x + right, y + down) for x, y in shape.points))
    if isinstance(shape, Circle):
        return replace(shape, centre=(shape.centre[0] + right, shape.centre[1] + down))
    return replace(shape, at=(shape.at[0] + right, shape.at[1] + down))
