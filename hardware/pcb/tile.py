"""A circuit board for two by two cells; sixteen of them, joined edge to edge, carry a board of 8 x 8.

Every cell is the same: an upright reed in its middle, a diode beside it, a WS2812B ten millimetres to the left with
its capacitor, a screw. Millimetres from the tile's upper left corner, x to the right, y down, as KiCad counts:

         U4 <--- U3 <--- upper row, right to left          cell 4 | cell 3
          |       ^                                        -------+-------
          UP     TURN                                      cell 1 | cell 2
          v       |
         U1 ---> U2 ---> lower row, left to right

The string runs along the rows as the square boards' profiles number their lamps: right along a row, back along the
next. All tiles are alike; two drops of solder make the ends: TURN on the four tiles of the right edge leads a lower
row into the upper one, UP on the tiles of the left edge leads an upper row into the tile above.

Rows and data run on the front, columns on the back; the front is poured with 5 V, the back with ground. In the middle
of the tile a row dives to the back and a column comes to the front, so that neither pour is cut in two.

A joint is a line of holes 3.81 mm from the edge: the facing holes of two tiles lie 7.62 mm apart and are bridged from
below by short wires. Nothing hangs over the edge, and nothing stands where the light walls stand.

Runs under the Python that has KiCad's module ``pcbnew`` (Debian: ``/usr/bin/python3``); writes the same bytes always.
What the design rules say of the result is asked by ``fabricate.py``, not here.
"""

# pyright: basic, reportMissingImports=false
# KiCad's module has no types, and only the system's Python has it.
# ruff: noqa: FBT003
# Its setters take bare booleans.

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pcbnew

HERE = Path(__file__).resolve().parent
BOARD = HERE / "tile.kicad_pcb"
RULES = HERE / "tile.kicad_dru"

CELL = 45.0
"""Millimetres from a cell's centre to its neighbour's."""
SIDE = 2 * CELL
WALL = 3.0
"""Thickness of the light walls, which stand on the cells' borders."""
EDGE = 3.81
"""From the tile's edge to the holes of a joint: half of a resistor's 7.62 mm."""
PIN = 2.54

SIGNAL, POWER = 0.4, 0.6
"""Widths: of signals, of a part's way to its pour."""
VIA, DRILL = 0.8, 0.4
POUR_GAP, POUR_LEAST, SPOKE = 0.3, 0.3, 0.8

FRONT, BACK = pcbnew.F_Cu, pcbnew.B_Cu

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Pad:
    """A pad of a part: where it lies, how large it is, how wide its hole; SMD without one."""

    number: str
    at: Point
    size: Point
    hole: float = 0.0
    shape: int = pcbnew.PAD_SHAPE_RECT


@dataclass(frozen=True, slots=True)
class Part:
    """A kind of part, lying at the origin: pads, lines drawn on the board, the room it needs."""

    pads: Sequence[Pad]
    lines: Sequence[tuple[Point, Point]]
    room: tuple[float, float, float, float]
    circle: tuple[Point, float] | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """A part on the tile, the net of each of its pads, and where its name is written."""

    name: str
    part: Part
    at: Point
    nets: Sequence[str]
    value: str
    turned: float = 0.0
    label: Point | None = None


@dataclass(frozen=True, slots=True)
class Track:
    """A line of copper from corner to corner."""

    net: str
    layer: int
    corners: Sequence[Point]
    width: float = SIGNAL


def outline(left: float, top: float, right: float, bottom: float) -> list[tuple[Point, Point]]:
    """The four sides of a rectangle."""
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return list(zip(corners, corners[1:] + corners[:1], strict=True))


def round_pad(number: str, at: Point, size: float, hole: float) -> Pad:
    """A pad for a lead; the first one of a part is square."""
    shape = pcbnew.PAD_SHAPE_RECT if number == "1" else pcbnew.PAD_SHAPE_CIRCLE
    return Pad(number, at, (size, size), hole, shape)


def joint_part(pins: int, step: Point) -> Part:
    """A line of holes, the first one square."""
    pads = [round_pad(str(i + 1), (step[0] * i, step[1] * i), 1.7, 1.0) for i in range(pins)]
    length = (pins - 1) * PIN
    across, along = 1.2, length + 1.2
    room = (-across, -across, along, across) if step[1] == 0 else (-across, -across, across, along)
    return Part(pads, (), room if min(step) >= 0 else (-along, -across, across, across))


# The glass stands on pad 1; its upper end returns by a copper wire into pad 2.
REED = Part(
    (round_pad("1", (0, 0), 1.8, 0.9), round_pad("2", (5.08, 0), 1.8, 0.9)),
    (((1.4, 0), (3.8, 0)),),
    (-1.7, -1.7, 6.3, 1.7),
    ((0, 0), 1.4),
)
# 1N4148, DO-35. Pad 1 is the cathode, on the side of the stripe.
DIODE = Part(
    (round_pad("1", (0, 0), 1.6, 0.8), round_pad("2", (7.62, 0), 1.6, 0.8)),
    (
        *outline(1.75, -1.05, 5.87, 1.05),
        ((2.3, -1.05), (2.3, 1.05)),
        ((2.5, -1.05), (2.5, 1.05)),
        ((1.05, 0), (1.75, 0)),
        ((5.87, 0), (6.57, 0)),
    ),
    (-1.05, -1.3, 8.67, 1.3),
)
# WS2812B in 5050: 1 VDD, 2 DOUT, 3 VSS, 4 DIN. The cut corner is drawn at VSS, as the housing has it.
LAMP = Part(
    tuple(
        Pad(number, at, (1.5, 1.0))
        for number, at in (("1", (-2.45, -1.6)), ("2", (-2.45, 1.6)), ("3", (2.45, 1.6)), ("4", (2.45, -1.6)))
    ),
    (((-2.5, -2.75), (2.5, -2.75)), ((-2.5, 2.75), (3.5, 2.75)), ((3.5, 2.75), (3.5, 1.0))),
    (-3.45, -2.95, 3.7, 2.95),
)
# 100 nF in 0805.
CAPACITOR = Part(
    (Pad("1", (-0.95, 0), (1.0, 1.45)), Pad("2", (0.95, 0), (1.0, 1.45))),
    (((-0.22, -0.73), (0.22, -0.73)), ((-0.22, 0.73), (0.22, 0.73))),
    (-1.68, -0.95, 1.68, 0.95),
)
# Two pads that a drop of solder joins.
BRIDGE = Part(
    (Pad("1", (0, -0.7), (1.4, 1.0)), Pad("2", (0, 0.7), (1.4, 1.0))),
    (),
    (-0.95, -1.45, 0.95, 1.45),
)
SCREW = Part((Pad("", (0, 0), (3.2, 3.2), 3.2, pcbnew.PAD_SHAPE_CIRCLE),), (), (-3.0, -3.0, 3.0, 3.0))

# The cells in the order of the string: number, centre, row, way of the data.
CELLS = (
    (1, (22.5, 67.5), "A"),
    (2, (67.5, 67.5), "A"),
    (3, (67.5, 22.5), "B"),
    (4, (22.5, 22.5), "B"),
)
COLUMN_OF = {1: "1", 2: "2", 3: "2", 4: "1"}
DATA_IN = {1: "IN_A", 2: "A_1_2", 3: "IN_B", 4: "B_3_4"}
DATA_OUT = {1: "A_1_2", 2: "OUT_A", 3: "B_3_4", 4: "OUT_B"}

LAMP_AT = (-10.0, 0.0)
SCREW_AT = (-11.0, -13.0)
DIODE_AT = (8.0, 0.0)
CAPACITOR_AT = (0.0, -4.3)  # from the lamp
ROW_AT, DATA_AT = -6.5, 3.5  # the heights of both lines, from the cell's centre
COLUMN_AT = DIODE_AT[0] + 7.62


def plus(a: Point, b: Point, sign: float = 1.0) -> Point:
    """One point as seen from another; turned by half a circle with sign -1."""
    return (round(a[0] + sign * b[0], 4), round(a[1] + sign * b[1], 4))


def cell_parts(number: int, centre: Point, row: str) -> list[Placed]:
    """Reed, diode, lamp, capacitor and screw of a cell."""
    turn = -1.0 if row == "A" else 1.0  # the lower row's data come from the left
    turned = 180.0 if row == "A" else 0.0
    lamp = plus(centre, LAMP_AT)
    reed = f"REED_{number}"
    return [
        Placed(f"S{number}", REED, centre, (f"ROW_{row}", reed), "reed 10 mm", label=plus(centre, (2.6, -2.6))),
        Placed(
            f"D{number}",
            DIODE,
            plus(centre, DIODE_AT),
            (reed, f"COL_{COLUMN_OF[number]}"),
            "1N4148",
            label=plus(centre, (11.8, -2.3)),
        ),
        Placed(
            f"U{number}",
            LAMP,
            lamp,
            ("5V", DATA_OUT[number], "GND", DATA_IN[number]),
            "WS2812B",
            turned,
            label=lamp,
        ),
        Placed(
            f"C{number}",
            CAPACITOR,
            plus(lamp, CAPACITOR_AT, turn),
            ("5V", "GND"),
            "100nF",
            turned,
            label=plus(lamp, (0, -6.0), turn),
        ),
        Placed(f"H{number}", SCREW, plus(centre, SCREW_AT), ("",), "M3"),
    ]


def joint(name: str, first: Point, step: Point, nets: tuple[str, ...]) -> Placed:
    """A joint from its first hole on."""
    return Placed(name, joint_part(len(nets), step), first, nets, "joint")


FIRST_PIN = -1.5 * PIN
FAR = SIDE - EDGE
DOWN, LEFTWARDS = (0.0, PIN), (-PIN, 0.0)
JOINTS = (
    joint("J1", (EDGE, 67.5 + FIRST_PIN), DOWN, ("ROW_A", "IN_A", "5V", "GND")),
    joint("J2", (FAR, 67.5 + FIRST_PIN), DOWN, ("ROW_A", "OUT_A", "5V", "GND")),
    joint("J3", (FAR, 22.5 + FIRST_PIN), DOWN, ("ROW_B", "IN_B", "5V", "GND")),
    joint("J4", (EDGE, 22.5 + FIRST_PIN), DOWN, ("ROW_B", "OUT_B", "5V", "GND")),
    joint("J5", (22.5 + COLUMN_AT, EDGE), LEFTWARDS, ("COL_1", "5V", "GND")),
    joint("J6", (67.5 + COLUMN_AT, EDGE), LEFTWARDS, ("COL_2", "5V", "GND")),
    joint("J7", (22.5 + COLUMN_AT, FAR), LEFTWARDS, ("COL_1", "5V", "GND")),
    joint("J8", (67.5 + COLUMN_AT, FAR), LEFTWARDS, ("COL_2", "5V", "GND")),
    joint("J9", (7.0, EDGE), DOWN, ("UP",)),
    joint("J10", (7.0, FAR), DOWN, ("IN_A",)),
)
TURN_AT, UP_AT = (84.6, 50.5), (7.0, 11.0)
BRIDGES = (
    Placed("JP1", BRIDGE, TURN_AT, ("IN_B", "OUT_A"), "TURN"),
    Placed("JP2", BRIDGE, UP_AT, ("UP", "OUT_B"), "UP"),
)
PARTS = (*(part for cell in CELLS for part in cell_parts(*cell)), *JOINTS, *BRIDGES)

NECK = (39.0, 51.0)
"""Where rows are on the back and columns on the front, so that both pours pass."""


def cell_tracks(number: int, centre: Point, row: str) -> Iterable[Track]:
    """What every cell has alike."""
    turn = -1.0 if row == "A" else 1.0
    lamp = plus(centre, LAMP_AT)

    def cell(*corners: Point) -> list[Point]:
        return [plus(centre, corner) for corner in corners]

    def beside_lamp(*corners: Point) -> list[Point]:
        return [plus(lamp, corner, turn) for corner in corners]

    yield Track(f"ROW_{row}", FRONT, cell((0, ROW_AT), (0, 0)))
    yield Track(f"REED_{number}", FRONT, cell((5.08, 0), DIODE_AT))
    yield Track("GND", FRONT, beside_lamp((2.45, 1.6), (2.45, 3.3)), POWER)
    yield Track("GND", FRONT, beside_lamp((0.95, -4.3), (3.2, -4.3)), POWER)
    # The lamp's data: towards the right joint by a bow below reed and diode, towards the left one directly.
    right = DATA_OUT[number] if row == "A" else DATA_IN[number]
    left = DATA_IN[number] if row == "A" else DATA_OUT[number]
    corners = [(-7.55, -1.6), (-4, -1.6), (-4, DATA_AT)]
    if number in {1, 4}:
        yield Track(right, FRONT, cell(*corners, (CELL - 16, DATA_AT), (CELL - 16, 1.6), (CELL - 12.45, 1.6)))
        yield Track(left, FRONT, cell((-18.69, -1.27), (-15.5, -1.27), (-15.5, 1.6), (-12.45, 1.6)))
    else:
        yield Track(right, FRONT, cell(*corners, (17.1, DATA_AT), (17.1, -1.27), (18.69, -1.27)))


def line_tracks() -> Iterable[Track]:
    """Rows, columns and both ends of the string."""
    before, after = NECK
    for row, middle in (("A", 67.5), ("B", 22.5)):
        y, pin = middle + ROW_AT, middle + FIRST_PIN
        yield Track(f"ROW_{row}", FRONT, [(EDGE, pin), (EDGE, y), (before, y)])
        yield Track(f"ROW_{row}", BACK, [(before, y), (after, y)])
        yield Track(f"ROW_{row}", FRONT, [(after, y), (FAR, y), (FAR, pin)])
    for column, middle in (("1", 22.5), ("2", 67.5)):
        x = middle + COLUMN_AT
        yield Track(f"COL_{column}", BACK, [(x, EDGE), (x, before)])
        yield Track(f"COL_{column}", FRONT, [(x, before), (x, after)])
        yield Track(f"COL_{column}", BACK, [(x, after), (x, FAR)])
    x, y = TURN_AT
    yield Track("IN_B", FRONT, [(x, 26.0), (x, y - 0.7)])
    yield Track("OUT_A", FRONT, [(x, y + 0.7), (x, 57.5)])
    yield Track("OUT_A", BACK, [(x, 57.5), (x, 64.0)])
    yield Track("OUT_A", FRONT, [(x, 64.0), (x, 66.23)])
    x, y = UP_AT
    yield Track("UP", FRONT, [(x, EDGE), (x, y - 0.7)])
    yield Track("OUT_B", FRONT, [(x, y + 0.7), (x, 13.5)])
    yield Track("OUT_B", BACK, [(x, 13.5), (x, 18.5)])
    yield Track("OUT_B", FRONT, [(x, 18.5), (x, 21.23)])
    yield Track("IN_A", FRONT, [(x, FAR), (x, 69.1)])


def vias() -> Iterable[tuple[str, Point]]:
    """Where a net changes sides."""
    for _, centre, row in CELLS:
        turn = -1.0 if row == "A" else 1.0
        lamp = plus(centre, LAMP_AT)
        yield "GND", plus(lamp, (2.45, 3.3), turn)
        yield "GND", plus(lamp, (3.2, -4.3), turn)
    for x in NECK:
        yield "ROW_A", (x, 67.5 + ROW_AT)
        yield "ROW_B", (x, 22.5 + ROW_AT)
        yield "COL_1", (22.5 + COLUMN_AT, x)
        yield "COL_2", (67.5 + COLUMN_AT, x)
    yield from (("OUT_A", (TURN_AT[0], 57.5)), ("OUT_A", (TURN_AT[0], 64.0)))
    yield from (("OUT_B", (UP_AT[0], 13.5)), ("OUT_B", (UP_AT[0], 18.5)))


TRACKS = (*(track for cell in CELLS for track in cell_tracks(*cell)), *line_tracks())
VIAS = tuple(vias())

MIDDLE, HALF = SIDE / 2, WALL / 2
WALLS = (
    (MIDDLE - HALF, 0.0, MIDDLE + HALF, SIDE),
    (0.0, MIDDLE - HALF, SIDE, MIDDLE + HALF),
    (0.0, 0.0, HALF, SIDE),
    (SIDE - HALF, 0.0, SIDE, SIDE),
    (0.0, 0.0, SIDE, HALF),
    (0.0, SIDE - HALF, SIDE, SIDE),
)
"""Where the light walls stand: no part may be there; the inner ones are drawn, to glue them by."""


@dataclass(frozen=True, slots=True)
class Text:
    """Words on the silk screen, around a point; joints are written on both sides, since they are soldered below."""

    words: str
    middle: Point
    height: float = 1.0
    angle: float = 0.0
    both: bool = False


BESIDE = {"5V": 2.0, "GND": 3.9, "IN": -2.0, "OUT": -2.0}
"""How far from a joint's middle its words stand: not quite beside their pins, to leave room for the diode."""


def texts() -> Iterable[Text]:
    """All that is written on the tile beside the parts' names."""
    for placed, row, data in zip(JOINTS[:4], "AABB", ("IN", "OUT", "IN", "OUT"), strict=True):
        x = placed.at[0] + (3.3 if placed.at[0] < MIDDLE else -3.3)
        for word in (f"ROW {row}", data, "5V", "GND"):
            inwards = 0.7 if word.startswith("ROW") else 0.0
            y = placed.at[1] - FIRST_PIN + BESIDE.get(word, -3.9)
            yield Text(word, (x + (inwards if x < MIDDLE else -inwards), y), 0.9, both=True)
    for placed in JOINTS[4:8]:
        inwards = 3.4 if placed.at[1] < MIDDLE else -3.4
        for i, net in enumerate(placed.nets):
            word = net.replace("_", " ")
            yield Text(word, plus(placed.at, (-PIN * i, inwards)), 0.9, 90.0, both=True)
    yield Text("UP", (9.2, EDGE), 0.9, both=True)
    yield Text("UP", (9.2, FAR), 0.9, both=True)
    yield Text("UP", (5.2, UP_AT[1]), 0.9, 90.0)
    yield Text("TURN", (82.6, TURN_AT[1] + 3.2), 0.9, 90.0)
    for (_, centre, row), words in zip(CELLS, ("data >", "data >", "< data", "< data"), strict=True):
        yield Text(words, plus(centre, (4.0, 5.2)))
        yield Text(f"cell {CELLS.index((_, centre, row)) + 1}", plus(centre, (-14.0, 8.0)), 1.2)
    yield Text("Reedlight tile, 2 x 2 cells of 45 mm", (66.0, 35.0), 1.1)
    yield Text("left edge of the board: bridge UP", (66.0, 37.6))
    yield Text("right edge of the board: bridge TURN", (66.0, 39.8))


TEXTS = tuple(texts())


def at(point: Point) -> pcbnew.wxPoint:
    """KiCad's nanometres."""
    return pcbnew.wxPointMM(float(point[0]), float(point[1]))


def nanometres(length: float) -> int:
    """KiCad's unit."""
    return pcbnew.FromMM(float(length))


def draw_part(placed: Placed, board: pcbnew.BOARD) -> None:
    """Puts a part on the tile."""
    footprint = pcbnew.FOOTPRINT(board)
    footprint.SetFPID(pcbnew.LIB_ID("reedlight", placed.value.replace(" ", "_")))
    footprint.SetReference(placed.name)
    footprint.SetValue(placed.value)
    leaded = any(pad.hole for pad in placed.part.pads)
    bare = placed.part in (SCREW, BRIDGE) or placed.name.startswith("J")
    footprint.SetAttributes(
        (pcbnew.FP_THROUGH_HOLE if leaded else pcbnew.FP_SMD)
        | (pcbnew.FP_EXCLUDE_FROM_POS_FILES | pcbnew.FP_EXCLUDE_FROM_BOM if bare else 0)
    )
    board.Add(footprint)
    for pad, net in zip(placed.part.pads, placed.nets, strict=True):
        footprint.Add(pad_of(pad, net, footprint, board))
    for start, end in placed.part.lines:
        footprint.Add(line_of(footprint, pcbnew.F_SilkS, start, end, 0.12))
    if placed.part.circle:
        footprint.Add(circle_of(footprint, *placed.part.circle))
    for start, end in outline(*placed.part.room):
        footprint.Add(line_of(footprint, pcbnew.F_CrtYd, start, end, 0.05))
    footprint.SetPosition(at(placed.at))
    footprint.SetOrientation(placed.turned * 10)
    footprint.Value().SetLayer(pcbnew.F_Fab)
    footprint.Value().SetVisible(False)
    name = footprint.Reference()
    name.SetTextSize(pcbnew.wxSizeMM(1.0, 1.0))
    name.SetTextThickness(nanometres(0.15))
    name.SetVisible(placed.label is not None)
    if placed.label:
        name.SetPosition(at(placed.label))
        name.SetTextAngle(-placed.turned * 10)
        name.SetKeepUpright(True)


def pad_of(pad: Pad, net: str, footprint: pcbnew.FOOTPRINT, board: pcbnew.BOARD) -> pcbnew.PAD:
    """A pad as KiCad has it."""
    made = pcbnew.PAD(footprint)
    made.SetName(pad.number)
    made.SetShape(pad.shape)
    made.SetSize(pcbnew.wxSizeMM(*pad.size))
    if not pad.hole:
        made.SetAttribute(pcbnew.PAD_ATTRIB_SMD)
        made.SetLayerSet(made.SMDMask())
    else:
        made.SetDrillSize(pcbnew.wxSizeMM(pad.hole, pad.hole))
        made.SetAttribute(pcbnew.PAD_ATTRIB_PTH if net else pcbnew.PAD_ATTRIB_NPTH)
        made.SetLayerSet(made.PTHMask() if net else made.UnplatedHoleMask())
    made.SetPos0(at(pad.at))
    made.SetPosition(at(pad.at))
    if net:
        made.SetNet(net_of(net, board))
    return made


def line_of(footprint: pcbnew.FOOTPRINT, layer: int, start: Point, end: Point, width: float) -> pcbnew.FP_SHAPE:
    """A line that belongs to a part."""
    line = pcbnew.FP_SHAPE(footprint, pcbnew.SHAPE_T_SEGMENT)
    line.SetLayer(layer)
    line.SetWidth(nanometres(width))
    line.SetStart0(at(start))
    line.SetEnd0(at(end))
    line.SetDrawCoord()
    return line


def circle_of(footprint: pcbnew.FOOTPRINT, middle: Point, radius: float) -> pcbnew.FP_SHAPE:
    """A circle on the silk screen that belongs to a part."""
    circle = pcbnew.FP_SHAPE(footprint, pcbnew.SHAPE_T_CIRCLE)
    circle.SetLayer(pcbnew.F_SilkS)
    circle.SetWidth(nanometres(0.12))
    circle.SetStart0(at(middle))
    circle.SetEnd0(at(plus(middle, (radius, 0))))
    circle.SetDrawCoord()
    return circle


def net_of(name: str, board: pcbnew.BOARD) -> pcbnew.NETINFO_ITEM:
    """A net, made when it is first spoken of."""
    found = board.FindNet(name)
    if found is None:
        found = pcbnew.NETINFO_ITEM(board, name)
        board.Add(found)
    return found


def draw_line(board: pcbnew.BOARD, layer: int, start: Point, end: Point, width: float) -> None:
    """A line of the tile itself."""
    line = pcbnew.PCB_SHAPE(board, pcbnew.SHAPE_T_SEGMENT)
    line.SetLayer(layer)
    line.SetWidth(nanometres(width))
    line.SetStart(at(start))
    line.SetEnd(at(end))
    board.Add(line)


def draw_text(board: pcbnew.BOARD, text: Text, layer: int) -> None:
    """Words on one side."""
    written = pcbnew.PCB_TEXT(board)
    written.SetText(text.words)
    written.SetLayer(layer)
    written.SetMirrored(layer == pcbnew.B_SilkS)
    written.SetPosition(at(text.middle))
    written.SetTextAngle(text.angle * 10)
    written.SetTextSize(pcbnew.wxSizeMM(text.height, text.height))
    written.SetTextThickness(nanometres(0.15 * text.height))
    board.Add(written)


def draw_track(board: pcbnew.BOARD, track: Track) -> None:
    """The pieces of a track."""
    for start, end in zip(track.corners, track.corners[1:], strict=False):
        piece = pcbnew.PCB_TRACK(board)
        piece.SetStart(at(start))
        piece.SetEnd(at(end))
        piece.SetWidth(nanometres(track.width))
        piece.SetLayer(track.layer)
        piece.SetNet(net_of(track.net, board))
        board.Add(piece)


def draw_via(board: pcbnew.BOARD, net: str, where: Point) -> None:
    """A hole from side to side."""
    via = pcbnew.PCB_VIA(board)
    via.SetPosition(at(where))
    via.SetWidth(nanometres(VIA))
    via.SetDrill(nanometres(DRILL))
    via.SetNet(net_of(net, board))
    board.Add(via)


def area(board: pcbnew.BOARD, left: float, top: float, right: float, bottom: float) -> pcbnew.ZONE:
    """A rectangle that is to be a pour or is kept free."""
    zone = pcbnew.ZONE(board)
    corners = pcbnew.wxPoint_Vector()
    for start, _ in outline(left, top, right, bottom):
        corners.append(at(start))
    zone.AddPolygon(corners)
    board.Add(zone)
    return zone


def draw_pour(board: pcbnew.BOARD, net: str, layer: int) -> None:
    """A side filled with one net; parts hang in it by spokes, so that they can be soldered."""
    pour = area(board, 0.5, 0.5, SIDE - 0.5, SIDE - 0.5)
    pour.SetLayer(layer)
    pour.SetNet(net_of(net, board))
    pour.SetLocalClearance(nanometres(POUR_GAP))
    pour.SetMinThickness(nanometres(POUR_LEAST))
    pour.SetPadConnection(pcbnew.ZONE_CONNECTION_THERMAL)
    pour.SetThermalReliefGap(nanometres(POUR_GAP))
    pour.SetThermalReliefSpokeWidth(nanometres(SPOKE))


def keep_free(board: pcbnew.BOARD, left: float, top: float, right: float, bottom: float) -> None:
    """Where a light wall stands no part may be."""
    strip = area(board, left, top, right, bottom)
    strip.SetIsRuleArea(True)
    strip.SetDoNotAllowFootprints(True)
    strip.SetDoNotAllowCopperPour(False)
    strip.SetDoNotAllowPads(False)
    strip.SetDoNotAllowTracks(False)
    strip.SetDoNotAllowVias(False)
    strip.SetLayer(FRONT)


def make() -> pcbnew.BOARD:
    """The whole tile, its pours still empty."""
    pcbnew.KIID.SeedGenerator(0)  # names of its items in the file, the same each time
    board = pcbnew.CreateEmptyBoard()
    title = board.GetTitleBlock()
    title.SetTitle("Tile of 2 x 2 cells")
    for start, end in outline(0, 0, SIDE, SIDE):
        draw_line(board, pcbnew.Edge_Cuts, start, end, 0.1)
    for placed in PARTS:
        draw_part(placed, board)
    for track in TRACKS:
        draw_track(board, track)
    for net, where in VIAS:
        draw_via(board, net, where)
    for text in TEXTS:
        draw_text(board, text, pcbnew.F_SilkS)
        if text.both:
            draw_text(board, text, pcbnew.B_SilkS)
    for wall in WALLS:
        keep_free(board, *wall)
    for border in (MIDDLE - HALF, MIDDLE + HALF):
        draw_line(board, pcbnew.F_SilkS, (1, border), (SIDE - 1, border), 0.12)
        draw_line(board, pcbnew.F_SilkS, (border, 1), (border, SIDE - 1), 0.12)
    draw_pour(board, "5V", FRONT)
    draw_pour(board, "GND", BACK)
    return board


def write(path: Path) -> None:
    """Makes, pours and saves the tile; nothing but the one file is left at the place."""
    with tempfile.TemporaryDirectory() as folder:
        # KiCad pours only what was loaded, and leaves its own settings beside what it saves.
        scratch = Path(folder) / BOARD.name
        shutil.copy(RULES, scratch.with_suffix(RULES.suffix))
        pcbnew.SaveBoard(str(scratch), make())
        board = pcbnew.LoadBoard(str(scratch))
        board.GetDesignSettings().m_MaxError = nanometres(0.02)  # rounds the pours' corners less finely: half the file
        pcbnew.ZONE_FILLER(board).Fill(board.Zones())
        pcbnew.SaveBoard(str(scratch), board)
        shutil.copy(scratch, path)


def main(arguments: Sequence[str]) -> None:
    """Writes the tile beside this file, or where it is told."""
    write(Path(arguments[0]) if arguments else BOARD)


if __name__ == "__main__":
    main(sys.argv[1:])
