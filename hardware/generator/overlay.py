"""Overlay: the sheet that makes a Herd board of side 4 of a square board, to be printed and laid on the plate.

A cell at column c and row r of the squares is the hexagon's cell (q, r) where its centre lies; its outline is a
hexagon that is sheared until six neighbours fit around it on a square lattice:

    neighbours  E W N S SE NW       outline  p/3 x (1,1) (2,-1) (1,-2) (-1,-1) (-2,1) (-1,2)

Where the cells lie is not decided here: the program's own fit says it, so lights and print agree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations, pairwise

from hardware.generator.drawing import Point, Sheet
from hardware.generator.parts import Parts
from hardware.generator.plan import Plan
from reedlight.board.fit import Kind, placement
from reedlight.board.profile import Profile
from reedlight.core.grid import Cell, Shape, hexhex

SIDE = 4
"""Cells along each edge of the printed board."""

_OUTLINE = ((1, 1), (2, -1), (1, -2), (-1, -1), (-2, 1), (-1, 2))
_TINTS = ("#f3e9d2", "#e9d8b4", "#fbf5e6")
_LINE = "#5a4630"


def has_overlay(profile: Profile) -> bool:
    """Whether Herd can be printed for a board: on squares, enough of them for the sheared cells."""
    game = hexhex(SIDE)
    if profile.grid.shape is not Shape.SQUARE or len(profile.grid.cells) < len(game.cells):
        return False
    return placement(game, profile).kind is Kind.SHEARED


def outlines(profile: Profile, plan: Plan) -> Mapping[Cell, tuple[Point, ...]]:
    """Each printed cell's corners on the plate, y upwards."""
    third = plan.pitch / 3
    where = placement(hexhex(SIDE), profile).cells
    return {
        cell: tuple((round(x + third * dx, 3), round(y + third * dy, 3)) for dx, dy in _OUTLINE)
        for cell, (x, y) in ((cell, plan.cells[there]) for cell, there in where.items())
    }


def shared_edges(cells: Mapping[Cell, tuple[Point, ...]]) -> frozenset[frozenset[Cell]]:
    """The pairs of cells whose outlines have an edge in common."""
    owners: dict[frozenset[Point], list[Cell]] = defaultdict(list)
    for cell, corners in cells.items():
        for one, other in pairwise((*corners, corners[0])):
            owners[frozenset((one, other))].append(cell)
    return frozenset(frozenset(pair) for cells in owners.values() for pair in combinations(cells, 2))


def overlay_sheet(profile: Profile, plan: Plan, parts: Parts) -> Sheet:
    """The sheet, as large as the plate."""
    sheet = Sheet(plan.width, plan.height, f"Herd, side {SIDE}, for {plan.name}")
    cells = outlines(profile, plan)
    high = plan.height
    for cell, corners in cells.items():
        q, r = (int(number) for number in cell.split(","))
        flat = tuple((x, high - y) for x, y in corners)
        sheet.area(*flat, colour=_LINE, width=0.7, fill=_TINTS[(q - r) % 3])
        x = sum(x for x, _ in flat) / 6
        y = sum(y for _, y in flat) / 6
        sheet.circle((x, y), parts.rule("plan", "piece") / 2, colour="#b99b6b", width=0.25)
        sheet.words((x, y + 1.2), cell, size=3.4, anchor="middle", colour="#8a714b")
    _frame(sheet, plan, parts)
    return sheet


def _frame(sheet: Sheet, plan: Plan, parts: Parts) -> None:
    """What the sheet is, which edge is near, and corners to lay it by."""
    sheet.box(0, 0, plan.width, plan.height, colour=_LINE, line=0.4)
    border = parts.rule("plan", "border")
    for x in (border, plan.width - border):
        for y in (border, plan.height - border):
            sheet.line((x - 4, y), (x + 4, y), colour=_LINE, width=0.25)
            sheet.line((x, y - 4), (x, y + 4), colour=_LINE, width=0.25)
    x, y = plan.width - 28, 40
    sheet.words((x, y), "HERD", size=17, anchor="end", colour=_LINE, bold=True)
    sheet.words((x, y + 8), "a game by Mark Steere", size=4.6, anchor="end", colour=_LINE)
    sheet.words((x, y + 14.5), f"side {SIDE}, 37 cells", size=4.6, anchor="end", colour=_LINE)
    x, y = 28.0, plan.height - 30
    sheet.words((x, y), "Print at 100 %:", size=3.6, colour=_LINE)
    sheet.line((x, y + 5), (x + plan.pitch, y + 5), colour=_LINE, width=0.5)
    for end in (x, x + plan.pitch):
        sheet.line((end, y + 3.5), (end, y + 6.5), colour=_LINE, width=0.5)
    sheet.words((x, y + 11), f"this line is {plan.pitch:g} mm long", size=3.6, colour=_LINE)
    sheet.words(
        (plan.width / 2, plan.height - 4.5),
        "this edge towards GO and the dice",
        size=3.6,
        anchor="middle",
        colour=_LINE,
    )
