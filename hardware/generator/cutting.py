"""Cutting: what a laser or a drill makes, as DXF and as SVG, in millimetres and true to scale.

    CUT       through; holes and outlines
    ENGRAVE   lines and letters on the surface
    MARK      for people: where things go; nothing is burnt

    top        the plate one plays on                carrier    holds reeds and lamps, 15 mm of walls above it
    base       the bottom                            console    the panel with buttons and dice
    walls      slotted strips (square boards)        console-box    floor and walls of the console
    template   1 mm holes to mark every centre by hand

The zero is the plate's lower left corner and y grows away from the player. Sheets with parts that are not the plate's
size have a zero of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import dist

from hardware.generator.drawing import Circle, Path, Point, Shape, Sheet, Words
from hardware.generator.parts import Parts
from hardware.generator.plan import Plan

CUT, ENGRAVE, MARK = "CUT", "ENGRAVE", "MARK"
LAYERS = {CUT: ("#d0021b", 1), ENGRAVE: ("#1d2a33", 7), MARK: ("#1f78d1", 5)}
"""Each layer's colour in an SVG and its number in a DXF."""

# Millimetres.
_NAME_HEIGHT = 3.0
_EDGE_NAME_HEIGHT = 5.0
_RETURN_HOLE = 2.0
_MARK_HOLE = 1.0
_SLOT_PLAY = 0.1
_STRIP_GAP = 3.0
# In the console's walls, from the floor up: where the cables of the cells come in, those of the Pi, the supply's.
_CABLES = (90.0, 20.0)
_PI_CABLES = (40.0, 20.0)
_SUPPLY_HOLE = 7.0
_SVG_MARGIN = 5.0


def templates(plan: Plan, parts: Parts) -> dict[str, Sheet]:
    """Every template of a board by its name; y grows upwards on these sheets."""
    makers: dict[str, Callable[[Plan, Parts], Sheet]] = {
        "top": _top,
        "carrier": _carrier,
        "base": _base,
        "console": _console,
        "console-box": _console_box,
        "template": _template,
    }
    if plan.rectangular:
        makers["walls"] = _walls
    return {name: make(plan, parts) for name, make in makers.items()}


def _plate(plan: Plan, parts: Parts, name: str) -> Sheet:
    """A sheet of the plate's size with its outline and screw holes."""
    sheet = Sheet(plan.width, plan.height, f"{plan.name}, {name}")
    _rectangle(sheet, (0, 0), (plan.width, plan.height), CUT)
    for place in plan.screws:
        sheet.circle(place, parts.rule("plan", "screw_hole") / 2, layer=CUT)
    return sheet


def _rectangle(sheet: Sheet, low: Point, high: Point, layer: str) -> None:
    sheet.area(low, (high[0], low[1]), high, (low[0], high[1]), layer=layer)


def _named(sheet: Sheet, plan: Plan, layer: str) -> None:
    """The cells' names, each at the lower left of its centre, where no hole is."""
    for cell, (x, y) in plan.cells.items():
        sheet.words(
            (x, y - plan.pitch * 0.44),
            cell,
            size=_NAME_HEIGHT,
            anchor="middle",
            layer=layer,
        )


def edges(plan: Plan) -> Iterator[tuple[Point, Point]]:
    """The outlines of all cells, every edge that two of them share once."""
    centres = list(plan.cells.values())
    for number, (x, y) in enumerate(centres):
        corners = [(x + right, y + up) for right, up in plan.outline]
        for one, other in zip(corners, corners[1:] + corners[:1], strict=True):
            beyond = (one[0] + other[0] - x, one[1] + other[1] - y)
            # An edge belongs to the earlier one of the two cells at its sides.
            if not any(dist(beyond, centre) < 1 for centre in centres[:number]):
                yield one, other


def _top(plan: Plan, parts: Parts) -> Sheet:
    sheet = _plate(plan, parts, "top plate")
    for one, other in edges(plan):
        sheet.line(one, other, layer=ENGRAVE)
    if all(cell[1:].isdigit() for cell in plan.cells):
        _coordinates(sheet, plan)
    else:
        _named(sheet, plan, ENGRAVE)
    for place in plan.cells.values():
        sheet.circle(place, parts.rule("plan", "piece") / 2, layer=MARK)
    return sheet


def _coordinates(sheet: Sheet, plan: Plan) -> None:
    """Letters along the near and far edge, numbers along the sides, as on a chessboard."""
    down = _EDGE_NAME_HEIGHT * 0.36
    for cell, (x, y) in plan.cells.items():
        letter, number = cell[0], cell[1:]
        if number == "1":
            for edge in (8.5, plan.height - 8.5):
                sheet.words((x, edge - down), letter, size=_EDGE_NAME_HEIGHT, anchor="middle", layer=ENGRAVE)
        if letter == "a":
            for edge in (8.5, plan.width - 8.5):
                sheet.words((edge, y - down), number, size=_EDGE_NAME_HEIGHT, anchor="middle", layer=ENGRAVE)


def _carrier(plan: Plan, parts: Parts) -> Sheet:
    sheet = _plate(plan, parts, "carrier of reeds and lamps")
    sleeve = parts.rule("plan", "sleeve_at")
    for cell, (x, y) in plan.cells.items():
        sheet.circle((x, y), parts.rule("plan", "reed_hole") / 2, layer=CUT)
        sheet.circle((x + sleeve, y), _RETURN_HOLE / 2, layer=CUT)
        sheet.circle(plan.lamps[cell], plan.lamp_hole / 2, layer=CUT)
    for one, other in edges(plan):
        sheet.line(one, other, layer=ENGRAVE)
    _named(sheet, plan, MARK)
    return sheet


def _base(plan: Plan, parts: Parts) -> Sheet:
    """The bottom; below the board of the lamps' chip, which is higher than the spacers, it has a window."""
    sheet = _plate(plan, parts, "base")
    if plan.driver is not None:
        (x, y), (wide, deep) = plan.driver, parts.rules("plan", "driver_window")
        _rectangle(sheet, (x - wide / 2, y - deep / 2), (x + wide / 2, y + deep / 2), CUT)
        sheet.words((x, y - 1), "U4", size=4, anchor="middle", layer=MARK)
    _named(sheet, plan, MARK)
    return sheet


def _console(plan: Plan, parts: Parts) -> Sheet:
    depth = plan.console_depth
    sheet = Sheet(plan.console_width, depth, f"{plan.name}, console panel")
    _lid(sheet, plan, parts)
    for name, (x, y) in plan.buttons.items():
        sheet.circle((x, y + depth), parts.rule("plan", "button_hole") / 2, layer=CUT)
        sheet.words((x, 8), name.upper(), size=5, anchor="middle", layer=ENGRAVE)
    across, down = _window(plan, parts)
    for x, y in plan.dice:
        _rectangle(sheet, (x - across / 2, y + depth - down / 2), (x + across / 2, y + depth + down / 2), CUT)
    return sheet


def _lid(sheet: Sheet, plan: Plan, parts: Parts) -> None:
    """The outline of panel and floor with the four screws that hold the walls between them."""
    _rectangle(sheet, (0, 0), (plan.console_width, plan.console_depth), CUT)
    near = parts.rule("plan", "console_screw_in")
    for place in ((x, y) for x in (near, plan.console_width - near) for y in (near, plan.console_depth - near)):
        sheet.circle(place, parts.rule("plan", "screw_hole") / 2, layer=CUT)


def _console_box(plan: Plan, parts: Parts) -> Sheet:
    """The floor, seen from above, and beyond it the walls, each seen from outside with its lower edge near."""
    depth, thick, high = plan.console_depth, parts.rule("plan", "sheet"), parts.rule("plan", "console_wall")
    low = [depth + _STRIP_GAP + row * (high + _STRIP_GAP) for row in range(3)]
    sheet = Sheet(plan.console_width, low[2] + high, f"{plan.name}, box of the console")
    _lid(sheet, plan, parts)
    _board_below(sheet, plan, parts)
    long, short = plan.console_width, depth - 2 * thick
    _wall(sheet, (0.0, low[0]), (long, high), "far wall, towards the plate", (long - plan.control[0], *_CABLES))
    _wall(sheet, (0.0, low[1]), (long, high), "near wall")
    _wall(sheet, (0.0, low[2]), (short, high), "left wall", (short / 2, *_PI_CABLES))
    right = short + _STRIP_GAP
    _wall(sheet, (right, low[2]), (short, high), "right wall")
    sheet.circle((right + short / 2, low[2] + high / 2), _SUPPLY_HOLE / 2, layer=CUT)
    return sheet


def _board_below(sheet: Sheet, plan: Plan, parts: Parts) -> None:
    """Where on the console's floor things lie."""
    wide, deep = parts.rules("plan", "control_board")
    x, y = plan.control[0], plan.control[1] + plan.console_depth
    _rectangle(sheet, (x - wide / 2, y - deep / 2), (x + wide / 2, y + deep / 2), MARK)
    sheet.words((x, y), "control board", size=4, anchor="middle", layer=MARK)
    sheet.words((plan.bars[0], y), "X+  X-", size=4, anchor="middle", layer=MARK)
    sheet.words((plan.entry[0], y + 5), "J1, F1", size=4, anchor="middle", layer=MARK)


def _wall(sheet: Sheet, low: Point, size: Point, name: str, notch: tuple[float, float, float] | None = None) -> None:
    """A wall of a length and height; a notch in its lower edge has a middle, a width and a height."""
    (left, near), (long, high) = low, size
    lower: list[Point] = []
    if notch is not None:
        middle, wide, up = notch
        one, other = left + middle - wide / 2, left + middle + wide / 2
        lower = [(one, near), (one, near + up), (other, near + up), (other, near)]
    sheet.area((left, near), *lower, (left + long, near), (left + long, near + high), (left, near + high), layer=CUT)
    sheet.words((left + long / 2, near + high - 6), name, size=4, anchor="middle", layer=MARK)


def _window(plan: Plan, parts: Parts) -> tuple[float, float]:
    if plan.modules:
        side = parts.rule("plan", "module_window")
        return side, side
    across, down = parts.rules("plan", "digit_window")
    return across, down


def _template(plan: Plan, parts: Parts) -> Sheet:
    sheet = _plate(plan, parts, "marking template")
    off = parts.rule("magnetics", "off")
    for cell, (x, y) in plan.cells.items():
        sheet.circle((x, y), _MARK_HOLE / 2, layer=CUT)
        sheet.circle(plan.lamps[cell], _MARK_HOLE / 2, layer=CUT)
        sheet.circle((x, y), parts.rule("plan", "piece") / 2, layer=ENGRAVE)
        for right, up in ((off, 0), (-off, 0), (0, off), (0, -off)):
            _cross(sheet, (x + right, y + up))
    _named(sheet, plan, ENGRAVE)
    return sheet


def _cross(sheet: Sheet, at: Point) -> None:
    x, y = at
    sheet.line((x - 1, y), (x + 1, y), layer=MARK)
    sheet.line((x, y - 1), (x, y + 1), layer=MARK)


def _walls(plan: Plan, parts: Parts) -> Sheet:
    """Strips that are slotted to half their height at every crossing, and four without slots to go around them."""
    border, high, thick = parts.rule("plan", "border"), parts.rule("plan", "wall_height"), parts.rule("plan", "sheet")
    across, up = plan.width - 2 * border, plan.height - 2 * border
    columns, rows = round(across / plan.pitch), round(up / plan.pitch)
    # Those across the board lie with their slots up, those from near to far are put over them, turned over.
    strips = [(across, columns)] * (rows - 1) + [(up, rows)] * (columns - 1)
    strips += [(length, 1) for length in (across, across, up + 2 * thick, up + 2 * thick)]
    total = len(strips) * (high + _STRIP_GAP) - _STRIP_GAP
    sheet = Sheet(max(length for length, _ in strips), total, f"{plan.name}, light walls")
    for number, (length, cells) in enumerate(strips):
        slots = [plan.pitch * slot for slot in range(1, cells)]
        _strip(sheet, number * (high + _STRIP_GAP), length, slots, (high, thick + _SLOT_PLAY))
    return sheet


def _strip(sheet: Sheet, low: float, long: float, slots: list[float], size: Point) -> None:
    """One strip of a height, with slots of a width."""
    high, wide = size
    top: list[Point] = []
    for middle in slots:
        left, right = middle - wide / 2, middle + wide / 2
        top += [(left, low + high), (left, low + high / 2), (right, low + high / 2), (right, low + high)]
    upper = [(0.0, low + high), *top, (long, low + high)]
    sheet.area((0.0, low), *upper, (long, low), layer=CUT)


# ------------------------------------------------------------------------------------------- as files


def upright(sheet: Sheet) -> Sheet:
    """The template on paper, where y grows down, with a margin and its layers' colours."""
    m = _SVG_MARGIN
    turned = Sheet(sheet.width + 2 * m, sheet.height + 2 * m, sheet.title)
    for shape in sheet.shapes:
        turned.shapes.append(_turned(shape, m, sheet.height + m))
    return turned


def _turned(shape: Shape, right: float, high: float) -> Shape:
    colour = LAYERS[shape.layer][0]
    if isinstance(shape, Path):
        points = tuple((x + right, high - y) for x, y in shape.points)
        return Path(points, colour, 0.2, closed=shape.closed, layer=shape.layer)
    if isinstance(shape, Circle):
        return Circle((shape.centre[0] + right, high - shape.centre[1]), shape.radius, colour, 0.2, layer=shape.layer)
    at = (shape.at[0] + right, high - shape.at[1])
    return Words(at, shape.text, shape.size, shape.anchor, colour, layer=shape.layer)
