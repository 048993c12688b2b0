"""Schematic: a board's circuit on four sheets of A3, drawn from the very wires that the wiring table lists.

    1 power       plug, fuse, bars, the lamps' branch with its fuse, what the bars feed
    2 matrix      every reed with its diode between its row and its column, up to the computer's pins
    3 lamps       every lamp where it lies on the board, from the player's side
    4 console     the Pi's header, the shifter, buttons, their lamps, dice

Pins, colours and references are looked up in the circuit, so a sheet cannot say what is not soldered.
"""

from __future__ import annotations

from hardware.generator import symbols
from hardware.generator.circuit import Circuit, Terminal
from hardware.generator.drawing import INK, Point, Sheet
from hardware.generator.headers import PINS
from hardware.generator.parts import Parts
from hardware.generator.plan import Plan
from hardware.generator.tables import said
from hardware.generator.wiring import RIBBON
from reedlight.board.checks import wires as uses_of
from reedlight.board.geometry import rows_of
from reedlight.board.kinds import SEGMENTS
from reedlight.board.profile import BUTTONS, Expander, Profile, Ws2812
from reedlight.core.grid import Cell

WIDTH, HEIGHT = 420.0, 297.0
RED, GREEN, GREY = "#c0272d", "#1d7a3e", "#7b8790"

COLOURS = {
    "brown": "#7b4a21",
    "red": "#c0272d",
    "orange": "#e07b1a",
    "yellow": "#c9a400",
    "green": "#1d7a3e",
    "blue": "#1f5fae",
    "violet": "#7a3fa0",
    "grey": "#7b8790",
    "white": "#9aa5ad",
    "black": "#1d2a33",
}
"""How the colour of a wire is drawn; white and yellow are darker than they are."""


def sheets(profile: Profile, plan: Plan, circuit: Circuit, parts: Parts) -> tuple[Sheet, ...]:
    """The four sheets of a board."""
    string = isinstance(profile.lamps, Ws2812)
    return (
        _power_sheet(profile, circuit, parts),
        _matrix_sheet(profile, circuit),
        _string_sheet(profile, plan) if string else _field_sheet(profile, plan, circuit),
        _console_sheet(profile, circuit),
    )


def _sheet(profile: Profile, number: int, name: str, remarks: tuple[str, ...]) -> Sheet:
    sheet = Sheet(WIDTH, HEIGHT, f"{profile.name}, schematic sheet {number}: {name}")
    sheet.box(8, 8, WIDTH - 16, HEIGHT - 16, line=0.5)
    sheet.line((8, HEIGHT - 26), (WIDTH - 8, HEIGHT - 26), width=0.5)
    sheet.words((13, HEIGHT - 18.5), f"{profile.title}", size=5, bold=True)
    sheet.words((13, HEIGHT - 12), f"{profile.name}, sheet {number} of 4: {name}", size=4)
    for line, remark in enumerate(remarks):
        sheet.words((190, HEIGHT - 20.5 + 4.4 * line), remark, size=3)
    return sheet


def _joined(circuit: Circuit, ref: str, pin: str, *refs: str) -> Terminal:
    """What a terminal is wired to, on a component whose name begins with one of ``refs``."""
    terminal = Terminal(ref, pin)
    for wire in circuit.wires_at(terminal):
        other = wire.end if wire.start == terminal else wire.start
        if other.ref.startswith(refs):
            return other
    raise LookupError(f"{circuit.name}: {terminal} is wired to none of {', '.join(refs)}")


# ---------------------------------------------------------------------------------------------- power


def _power_sheet(profile: Profile, circuit: Circuit, parts: Parts) -> Sheet:
    hold = parts.of("pptc").number("hold")
    sheet = _sheet(
        profile,
        1,
        "power",
        (
            "The fuse comes first; the Pi is fed through its power socket, never through the header.",
            f"The supply gives {profile.power.supply:g} A at 5 V; the lamps hang behind F2, which holds {hold:g} A.",
            "X- is the ground of everything but the matrix, whose ground meets it at the computer only.",
        ),
    )
    rail, floor = 66.0, 220.0
    plug, _ = symbols.chip(
        sheet, 20, rail - 9.6, 34, ("PS", f"supply 5 V {profile.power.supply:g} A"), (), ("plus", "minus"), 12
    )
    entry, _ = symbols.chip(sheet, 66, rail - 9.6, 20, ("J1", "screw terminal"), ("plus", "minus"), ("+", "-"), 12)
    sheet.line(plug["plus"], entry["plus"], colour=RED, width=0.7)
    sheet.line(plug["minus"], entry["minus"], width=0.7)
    symbols.fuse(sheet, entry["+"], (116, rail))
    sheet.words((102, rail - 4), "F1  5 A fast", size=3, anchor="middle", bold=True)
    sheet.line((116, rail), (400, rail), colour=RED, width=1.2)
    sheet.words((120, rail - 3), "X+   5 V bar", size=3.4, bold=True, colour=RED)
    sheet.line(entry["-"], (104, entry["-"][1]), (104, floor), (400, floor), width=1.2)
    sheet.words((112, floor + 6), "X-   ground bar", size=3.4, bold=True)
    symbols.ground(sheet, (104, floor))
    _pi_branch(sheet, circuit, 146, rail, floor)
    _shifter_branch(sheet, 196, rail, floor)
    _lamp_branch(sheet, circuit, 246, rail, floor)
    _dice_branch(sheet, circuit, 370, rail, floor)
    return sheet


def _from_bar(sheet: Sheet, x: float, rail: float, end: float, way: int) -> None:
    symbols.dot(sheet, (x, rail), RED)
    sheet.line((x, rail), (x, end), colour=RED, width=0.7)
    sheet.words((x + 1.2, rail + 5), f"X+.bar-{way}", size=2.4, colour=RED)


def _to_floor(sheet: Sheet, x: float, start: float, floor: float, way: int) -> None:
    symbols.dot(sheet, (x, floor))
    sheet.line((x, start), (x, floor), width=0.7)
    sheet.words((x + 1.2, floor - 3), f"X-.bar-{way}", size=2.4)


def _pi_branch(sheet: Sheet, circuit: Circuit, x: float, rail: float, floor: float) -> None:
    _from_bar(sheet, x, rail, 110, 2)
    sheet.box(x - 17, 110, 34, 46, fill="#fbf7ec", line=0.5)
    for line, (text, bold) in enumerate(
        (("P1", True), ("Raspberry Pi", False), ("power socket", False), ("by cable KP", False))
    ):
        sheet.words((x, 121 + 7 * line), text, size=3.2, anchor="middle", bold=bold)
    _to_floor(sheet, x, 156, floor, 2)
    if circuit.of_part("pico"):
        sheet.words((x - 3, 162), "U1 Pico: by USB", size=2.6, anchor="end", colour=GREY)
        sheet.words((x - 3, 166), "from P1", size=2.6, anchor="end", colour=GREY)


def _shifter_branch(sheet: Sheet, x: float, rail: float, floor: float) -> None:
    _from_bar(sheet, x, rail, 110, 3)
    sheet.box(x - 13, 110, 26, 46, fill="#fbf7ec", line=0.5)
    for line, (text, bold) in enumerate(
        (("U2", True), ("74AHCT125", False), ("VCC pin 14", False), ("GND pin 7", False))
    ):
        sheet.words((x, 121 + 7 * line), text, size=3.2, anchor="middle", bold=bold)
    _to_floor(sheet, x, 156, floor, 3)
    symbols.dot(sheet, (x, 96), RED)
    sheet.line((x, 96), (x + 21, 96), (x + 21, 126))
    symbols.capacitor(sheet, (x + 21, 126), (x + 21, 140))
    sheet.line((x + 21, 140), (x + 21, 176), (x, 176))
    symbols.dot(sheet, (x, 176))
    sheet.words((x + 25, 131), "C2", size=3, bold=True)
    sheet.words((x + 25, 135.5), "100 nF", size=2.6)


def _lamp_branch(sheet: Sheet, circuit: Circuit, x: float, rail: float, floor: float) -> None:
    _from_bar(sheet, x, rail, 82, 4)
    symbols.resettable(sheet, (x, 82), (x, 106))
    sheet.words((x + 4.5, 93), "F2", size=3, bold=True)
    sheet.words((x + 4.5, 97.5), "1.6 A hold", size=2.6)
    sheet.line((x, 106), (x, 114), (x + 88, 114), colour=RED, width=0.9)
    for place, what, ref, words in (
        (x + 4, symbols.suppressor, "D1", "SMBJ5.0A"),
        (x + 34, symbols.capacitor, "C1", "1000 uF 10 V"),
    ):
        symbols.dot(sheet, (place, 114), RED)
        if what is symbols.capacitor:
            symbols.capacitor(sheet, (place, 114), (place, 176), polar=True)
        else:
            # Its stripe is at plus: it does nothing unless the supply is reversed or too high.
            symbols.suppressor(sheet, (place, 176), (place, 114))
        sheet.words((place + 4.5, 146), ref, size=3, bold=True)
        sheet.words((place + 4.5, 150.5), words, size=2.6)
        symbols.dot(sheet, (place, 176))
    sheet.line((x, 176), (x + 88, 176), width=0.9)
    _to_floor(sheet, x, 176, floor, 4)
    symbols.dot(sheet, (x, 176))
    loads = [plug for plug in ("J2", "J3") if _fed(circuit, plug)]
    for number, plug in enumerate(loads):
        left = x + 60 + 14 * number - (0 if len(loads) > 1 else -7)
        sheet.box(left, 128, 12, 34, fill="#fbf7ec", line=0.5)
        ground = "3" if circuit.components[plug].part == "plug_3" else "2"
        sheet.line((left + 6, 114), (left + 6, 128), colour=RED, width=0.7)
        sheet.line((left + 6, 162), (left + 6, 176), width=0.7)
        sheet.words((left + 6, 147), plug, size=3.2, anchor="middle", bold=True)
        sheet.words((left + 6, 133), "1", size=2.6, anchor="middle")
        sheet.words((left + 6, 159.5), ground, size=2.6, anchor="middle")
        symbols.dot(sheet, (left + 6, 114), RED)
        symbols.dot(sheet, (left + 6, 176))
    sheet.words(
        (x + 74, 182),
        "to the lamps" if len(loads) == 1 else "to lamps and panel",
        size=2.8,
        anchor="middle",
        colour=GREY,
    )


def _fed(circuit: Circuit, plug: str) -> bool:
    """Whether a connector is fed behind the lamps' fuse."""
    return any(wire.start == Terminal("C1", "plus") for wire in circuit.wires_at(Terminal(plug, "1")))


def _dice_branch(sheet: Sheet, circuit: Circuit, x: float, rail: float, floor: float) -> None:
    if not circuit.of_part("dice_module"):
        sheet.words((x, rail + 8), "bar-5: free", size=2.6, anchor="middle", colour=GREY)
        return
    _from_bar(sheet, x, rail, 128, 5)
    sheet.box(x - 13, 128, 26, 34, fill="#fbf7ec", line=0.5)
    sheet.words((x, 141), "J3", size=3.2, anchor="middle", bold=True)
    sheet.words((x, 148), "dice M1, M2", size=2.8, anchor="middle")
    sheet.words((x, 133), "1", size=2.6, anchor="middle")
    sheet.words((x, 159.5), "2", size=2.6, anchor="middle")
    _to_floor(sheet, x, 162, floor, 5)


# --------------------------------------------------------------------------------------------- matrix

_GRID_LEFT, _GRID_TOP = 82.0, 74.0
_ACROSS, _DOWN = 40.0, 23.5


def _matrix_sheet(profile: Profile, circuit: Circuit) -> Sheet:
    reader = profile.reader
    if isinstance(reader, Expander):
        raise TypeError("an expander has no matrix to draw")
    by = "U1" if circuit.of_part("pico") else "P1"
    remarks = (
        (
            f"One row at a time is pulled low by {by}; the others are inputs. Columns are pulled up and read low "
            "where a reed is closed."
        ),
        (
            "Diode D:CELL: plain end (anode) to the column, stripe (cathode) to the reed S:CELL; the reed's "
            "other lead to the row."
        ),
        "Switch number = 8 x row + column. A wire's colour tells the connector's pin: brown is 1, grey is 8.",
    )
    sheet = _sheet(profile, 2, "matrix of reeds", remarks)
    rows, columns = len(reader.matrix.rows), len(reader.matrix.columns)
    bottom = _GRID_TOP + _DOWN * (rows - 1) + 9
    for column in range(columns):
        _column(sheet, circuit, column, by, bottom)
    for row in range(rows):
        _row(sheet, circuit, row, by, _GRID_LEFT + _ACROSS * (columns - 1) + 35)
    for cell, switch in profile.layout.switches.items():
        row, column = divmod(switch, columns)
        _crossing(sheet, cell, _GRID_LEFT + _ACROSS * column, _GRID_TOP + _DOWN * row)
    return sheet


def _column(sheet: Sheet, circuit: Circuit, column: int, by: str, bottom: float) -> None:
    x = _GRID_LEFT + _ACROSS * column
    colour = COLOURS[RIBBON[column]]
    sheet.line((x, 60), (x, bottom), colour=colour, width=0.6)
    if by == "P1":
        pin = _joined(circuit, "J5", str(column + 1), "P1")
        sheet.line((x, 30), (x, 60), colour=colour, width=0.6)
    else:
        pin = _joined(circuit, f"RC{column}", "1", "U1")
        sheet.line((x, 24), (x, 34), colour=colour, width=0.6)
        symbols.resistor(sheet, (x, 34), (x, 50))
        sheet.line((x, 50), (x, 60), colour=colour, width=0.6)
        sheet.words((x - 2.6, 41), f"RC{column}", size=2.4, anchor="end")
        sheet.words((x - 2.6, 44.4), "220", size=2.4, anchor="end")
        symbols.dot(sheet, (x, 30), colour)
        sheet.line((x, 30), (x + 14, 30), (x + 14, 34))
        symbols.resistor(sheet, (x + 14, 50), (x + 14, 34))
        sheet.line((x + 14, 50), (x + 14, 54), colour=RED)
        sheet.line((x + 11.8, 54), (x + 16.2, 54), colour=RED, width=0.6)
        sheet.words((x + 14, 57.2), "3V3, U1 pin 36", size=2.2, anchor="middle", colour=RED)
        sheet.words((x + 16.6, 41), f"RU{column}", size=2.4)
        sheet.words((x + 16.6, 44.4), "47 k", size=2.4)
    sheet.words((x, 17), said(circuit, pin), size=2.8, anchor="middle", bold=True)
    sheet.words((x, 21), f"column {column}", size=2.6, anchor="middle")
    if by == "P1":
        sheet.line((x, 24), (x, 30), colour=colour, width=0.6)
        sheet.words((x + 1.5, 40), "pull-up inside", size=2.2, colour=GREY)
        sheet.words((x + 1.5, 43), "the Pi, 50 kohm", size=2.2, colour=GREY)
    sheet.circle((x, 62), 1.1, colour=colour, fill="#ffffff")
    sheet.words((x + 2.2, 63), f"J5.{column + 1} {RIBBON[column]}", size=2.4, colour=colour)


def _row(sheet: Sheet, circuit: Circuit, row: int, by: str, right: float) -> None:
    y = _GRID_TOP + _DOWN * row + 9
    colour = COLOURS[RIBBON[row]]
    pin = _joined(circuit, "J4", str(row + 1), by)
    sheet.line((60, y), (right, y), colour=colour, width=0.6)
    sheet.circle((62, y), 1.1, colour=colour, fill="#ffffff")
    sheet.words((13, y - 1.5), said(circuit, pin), size=2.8, bold=True)
    sheet.words((13, y + 2.5), f"row {row}   J4.{row + 1} {RIBBON[row]}", size=2.4)


def _crossing(sheet: Sheet, cell: Cell, x: float, y: float) -> None:
    """A diode from the column, a reed to the row below."""
    symbols.dot(sheet, (x, y))
    symbols.diode(sheet, (x, y), (x + 11, y))
    symbols.reed(sheet, (x + 11, y), (x + 25, y))
    sheet.line((x + 25, y), (x + 27, y), (x + 27, y + 9))
    symbols.dot(sheet, (x + 27, y + 9))
    sheet.words((x + 15, y - 3.4), cell, size=3.2, anchor="middle", bold=True)


# ---------------------------------------------------------------------------------------------- lamps


def _scaled(plan: Plan, cell: Cell) -> Point:
    """A lamp's place on the sheet, the board as its player sees it."""
    across = min(40.0, 330 / (plan.width / plan.pitch)) / plan.pitch
    down = 210 / plan.height
    x, y = plan.cells[cell]
    return 210 + (x - plan.width / 2) * across, 142 - (y - plan.height / 2) * down


def _string_sheet(profile: Profile, plan: Plan) -> Sheet:
    remarks = (
        "The board as the player at the lower edge sees it. Green: data, from DOUT of a lamp to DIN of the next.",
        "Red and black: 5 V and ground along every row, from the thick wires at both sides, T(L,R)(row)(+,-).",
        "Each lamp L:CELL has 100 nF (C:CELL) across its 5 V and ground.",
    )
    sheet = _sheet(profile, 3, "lamps", remarks)
    lamps = profile.layout.lamps
    along = sorted(lamps, key=lambda cell: lamps[cell])
    _power_rows(sheet, profile, plan)
    previous: Point | None = None
    for cell in along:
        x, y = _scaled(plan, cell)
        if previous is not None:
            _arrow(sheet, previous, (x, y))
        previous = (x, y)
    x, y = _scaled(plan, along[0])
    feed = (36.0, y)
    sheet.line(feed, (x - 7, y), colour=GREEN, width=0.7)
    symbols.flag(sheet, (36, y), "J2.2 data", left=True, colour=GREEN)
    for cell in along:
        _lamp_box(sheet, cell, lamps[cell], _scaled(plan, cell))
    return sheet


def _power_rows(sheet: Sheet, profile: Profile, plan: Plan) -> None:
    xs = [_scaled(plan, cell)[0] for cell in plan.cells]
    left, right = min(xs) - 16, max(xs) + 16
    ys: list[float] = []
    for number, row in enumerate(rows_of(profile.grid), 1):
        y = _scaled(plan, row[0])[1]
        ys.append(y)
        for up, colour, out, sign in ((-5.6, RED, 0.0, "+"), (5.6, INK, 3.0, "-")):
            sheet.line((left - out, y + up), (right + out, y + up), colour=colour, width=0.5)
            symbols.dot(sheet, (left - out, y + up), colour)
            symbols.dot(sheet, (right + out, y + up), colour)
            sheet.words((left - 5, y + up + 0.9), f"TL{number}{sign}", size=2.2, anchor="end", colour=colour)
            sheet.words((right + 5, y + up + 0.9), f"TR{number}{sign}", size=2.2, colour=colour)
    low = max(ys) + 14
    for colour, out, up, plug, drop in ((RED, 0.0, -5.6, "J2.1  5 V", 0.0), (INK, 3.0, 5.6, "J2.3  ground", 4.0)):
        for x in (left - out, right + out):
            sheet.line((x, min(ys) + up), (x, low + drop), colour=colour, width=1.1)
        sheet.line((left - out, low + drop), (right + out, low + drop), colour=colour, width=1.1)
        sheet.words(((left + right) / 2, low + drop - 1.0), plug, size=2.6, anchor="middle", colour=colour, bold=True)


def _arrow(sheet: Sheet, start: Point, end: Point) -> None:
    """Data from lamp to lamp; from row to row by the outer side."""
    if abs(start[1] - end[1]) < 1:
        sheet.line(start, end, colour=GREEN, width=0.7)
        side = 1 if end[0] > start[0] else -1
        tip = (end[0] - side * 7.4, end[1])
    else:
        side = -1 if start[0] > 210 else 1
        outer = (max(start[0], end[0]) + 11.5) if side < 0 else (min(start[0], end[0]) - 11.5)
        sheet.line(start, (outer, start[1]), (outer, end[1]), end, colour=GREEN, width=0.7)
        tip = (end[0] - side * 7.4, end[1])
    sheet.area(
        tip, (tip[0] - side * 2, tip[1] - 1.1), (tip[0] - side * 2, tip[1] + 1.1), colour=GREEN, fill=GREEN, width=0.1
    )


def _lamp_box(sheet: Sheet, cell: Cell, number: int, at: Point) -> None:
    x, y = at
    sheet.line((x - 3, y - 5.6), (x - 3, y - 3.5), colour=RED)
    sheet.line((x + 3, y + 5.6), (x + 3, y + 3.5))
    sheet.box(x - 7, y - 3.8, 14, 7.6, fill=symbols.LIGHT, line=0.4)
    sheet.words((x, y - 0.3), cell, size=3.0, anchor="middle", bold=True)
    sheet.words((x, y + 2.8), f"lamp {number}", size=2.2, anchor="middle")


def _field_sheet(profile: Profile, plan: Plan, circuit: Circuit) -> Sheet:
    remarks = (
        "The board as the player at the lower edge sees it. Each LED: long lead (anode, +) to the segment's wire,",
        "short lead (cathode, -, flat side) to the digit's wire. U4 lies at the near left corner of the lamps.",
        "RI4 and RI5 (27 kohm) set 20 mA in the lamps; never under 10 kohm.",
    )
    sheet = _sheet(profile, 3, "lamps", remarks)
    lamps = profile.layout.lamps
    for digit in range(8):
        cells = [cell for cell, lamp in lamps.items() if lamp // 8 == digit]
        _digit_line(sheet, circuit, digit, [_scaled(plan, cell) for cell in cells])
    for bit, segment in enumerate(SEGMENTS):
        cells = [cell for cell, lamp in lamps.items() if lamp % 8 == bit]
        _segment_line(sheet, circuit, segment, [_scaled(plan, cell) for cell in cells], COLOURS[RIBBON[bit]])
    for cell in plan.cells:
        x, y = _scaled(plan, cell)
        symbols.dot(sheet, (x - 9, y - 6))
        sheet.line((x - 9, y - 6), (x - 9, y))
        symbols.led(sheet, (x - 9, y), (x + 9, y))
        symbols.dot(sheet, (x + 9, y))
        sheet.words((x + 1, y + 5.4), f"{cell}", size=3.0, anchor="middle", bold=True)
        sheet.words((x + 1, y + 8.2), f"lamp {lamps[cell]}", size=2.2, anchor="middle", colour=GREY)
    _driver_box(sheet)
    return sheet


def _digit_line(sheet: Sheet, circuit: Circuit, digit: int, places: list[Point]) -> None:
    x = places[0][0] + 9
    ys = [y for _, y in places]
    colour = COLOURS[RIBBON[digit]]
    sheet.line((x, min(ys) - 3), (x, max(ys) + 13), colour=colour, width=0.6, dashes=1.6)
    sheet.words((x, max(ys) + 17), f"digit {digit}", size=2.6, anchor="middle", colour=colour, bold=True)
    sheet.words(
        (x, max(ys) + 20.5), said(circuit, Terminal("U4", f"DIG-{digit}")), size=2.2, anchor="middle", colour=colour
    )


def _segment_line(sheet: Sheet, circuit: Circuit, segment: str, places: list[Point], colour: str) -> None:
    y = places[0][1] - 6
    xs = [x for x, _ in places]
    sheet.line((min(xs) - 22, y), (max(xs) - 9, y), colour=colour, width=0.6)
    sheet.words((min(xs) - 24, y - 0.8), f"segment {segment}", size=2.6, anchor="end", colour=colour, bold=True)
    sheet.words(
        (min(xs) - 24, y + 2.6), said(circuit, Terminal("U4", f"SEG-{segment}")), size=2.2, anchor="end", colour=colour
    )


def _driver_box(sheet: Sheet) -> None:
    lines = (
        "U4  MAX7219",
        "V+ pin 19: J2.1, 5 V",
        "GND pins 4 and 9: J2.2",
        "DIN pin 1: J2.3",
        "CLK pin 13: J2.4",
        "LOAD pin 12: J2.5",
        "DOUT pin 24: J2.6",
        "ISET pin 18: RI4, 27 kohm",
        "  from 5 V",
        "CA4 100 nF and",
        "CB4 10 uF from V+",
        "  to pin 9",
    )
    sheet.box(374, 40, 36, 4 + 4.6 * len(lines), fill="#fbf7ec", line=0.5)
    for number, line in enumerate(lines):
        sheet.words((376, 45 + 4.6 * number), line, size=2.5, bold=number == 0)


# -------------------------------------------------------------------------------------------- console


def _console_sheet(profile: Profile, circuit: Circuit) -> Sheet:
    remarks = (
        "The header as one sees it from above, pin 1 at the corner with the square pad. Pins without a flag stay open.",
        "U2: output enables 1, 4, 10, 13 to ground. Buttons close to ground, the Pi pulls up inside.",
        "A button's lamp has no resistor of its own: 2 V; its plus is often the longer or red tag.",
    )
    sheet = _sheet(profile, 4, "Pi, shifter, buttons and dice", remarks)
    _header(sheet, profile, circuit)
    _shifter(sheet, circuit)
    if circuit.of_part("pico"):
        _pico(sheet)
    if circuit.of_part("button"):
        _buttons(sheet, circuit)
    if circuit.of_part("dice_module"):
        _modules(sheet)
    if circuit.of_part("digit"):
        _panel(sheet)
    return sheet


def _pico(sheet: Sheet) -> None:
    """Where the matrix goes on."""
    sheet.box(330, 32, 60, 42, fill="#fbf7ec", line=0.5)
    for number, line in enumerate(
        (
            "U1  Raspberry Pi Pico",
            "USB cable to P1",
            "rows and columns: sheet 2",
            "GND pins 8, 18, 23: J4.9, J5.9, J5.10",
            "3V3 pin 36: the pull-ups",
        )
    ):
        sheet.words((360, 41 + 7 * number), line, size=2.8 if number else 3.4, anchor="middle", bold=not number)


def _header(sheet: Sheet, profile: Profile, circuit: Circuit) -> None:
    taken = {f"{use.chip}{use.pin}": use.use for use in uses_of(profile) if use.key.startswith("buses.")}
    left, top, step = 78.0, 34.0, 11.0
    sheet.box(left - 13, top - 8, 26, step * 19 + 16, fill="#eaf2ea", line=0.5)
    sheet.words((left, top - 15), "P1  Raspberry Pi, header", size=3.4, anchor="middle", bold=True)
    for index, name in enumerate(PINS["pi"]):
        row, right = divmod(index, 2)
        side = 1 if right else -1
        x, y = left + side * 4.5, top + step * row
        if index == 0:
            sheet.box(x - 2.4, y - 2.4, 4.8, 4.8, fill="#ffffff")
        sheet.circle((x, y), 2.1, fill="#ffffff")
        sheet.words((x, y + 0.8), str(index + 1), size=2.1, anchor="middle")
        wires = circuit.wires_at(Terminal("P1", name))
        label = f"{name.split('-')[0]}{f', {taken[name]}' if name in taken and not wires else ''}"
        if not wires:
            sheet.words((left + side * 14.2, y + 0.8), label, size=2.2, anchor="start" if right else "end", colour=GREY)
            continue
        wire = wires[0]
        other = wire.end if wire.start.ref == "P1" else wire.start
        colour = COLOURS.get(wire.colour, INK)
        sheet.line((x + side * 2.1, y), (left + side * 17, y), colour=colour, width=0.6)
        symbols.flag(
            sheet, (left + side * 17, y), f"{label}: {wire.note.split(':')[0]}, {other}", left=not right, colour=colour
        )


def _shifter(sheet: Sheet, circuit: Circuit) -> None:
    left, top, step = 196.0, 32.0, 21.0
    sheet.words((left + 22, top - 15), "U2  74AHCT125, 3.3 V to 5 V", size=3.4, anchor="middle", bold=True)
    for number in range(1, 5):
        y = top + step * (number - 1)
        sheet.area((left + 16, y - 5.5), (left + 27, y), (left + 16, y + 5.5), fill="#fbf7ec", width=0.5)
        sheet.words(
            (left + 15, y - 1.2), f"{number}A, pin {PINS['shifter'].index(f'{number}A') + 1}", size=2.2, anchor="end"
        )
        sheet.words((left + 28, y - 1.2), f"{number}Y, pin {PINS['shifter'].index(f'{number}Y') + 1}", size=2.2)
        sheet.line((left, y), (left + 16, y))
        inputs = [wire for wire in circuit.wires_at(Terminal("U2", f"{number}A")) if wire.start.ref == "P1"]
        if not inputs:
            symbols.ground(sheet, (left, y))
            sheet.words((left + 4, y + 5), "not used", size=2.2, colour=GREY)
            continue
        wire = inputs[0]
        colour = COLOURS[wire.colour]
        symbols.flag(sheet, (left, y), f"{wire.start.pin}", left=True, colour=colour)
        symbols.dot(sheet, (left + 2, y))
        symbols.resistor(sheet, (left + 2, y), (left + 2, y + 11))
        symbols.ground(sheet, (left + 2, y + 11))
        sheet.words((left + 4.4, y + 5.4), f"RD{number}", size=2.2)
        sheet.words((left + 4.4, y + 8.2), "10 kohm", size=2.2)
        _shifted(sheet, circuit, number, (left + 27, y), wire.note, colour)


def _shifted(sheet: Sheet, circuit: Circuit, number: int, start: Point, what: str, colour: str) -> None:
    x, y = start
    ends = [wire.end for wire in circuit.wires_at(Terminal("U2", f"{number}Y"))]
    if ends and ends[0].ref == "RS":
        symbols.resistor(sheet, (x + 14, y), (x + 36, y))
        sheet.line((x, y), (x + 14, y))
        sheet.words((x + 25, y - 2.4), "RS 330 ohm", size=2.2, anchor="middle")
        ends = [_joined(circuit, "RS", "2", "J2")]
        x += 36
    sheet.line((x, y), (x + 16, y), colour=colour, width=0.6)
    symbols.flag(sheet, (x + 16, y), f"{', '.join(map(str, ends))} {what}", colour=colour)


def _buttons(sheet: Sheet, circuit: Circuit) -> None:
    top, step = 134.0, 28.0
    sheet.words((218, top - 10), "J6  buttons and their lamps", size=3.4, anchor="middle", bold=True)
    names = [name for name in BUTTONS if f"B:{name}" in circuit.components]
    for number, name in enumerate(names):
        y, ref = top + step * number, f"B:{name}"
        contact = next(wire for wire in circuit.wires_at(Terminal(ref, "contact-1")))
        ground = next(wire for wire in circuit.wires_at(Terminal(ref, "contact-2")) if wire.start.ref == "J6")
        pin = _joined(circuit, "J6", contact.start.pin, "P1")
        symbols.flag(sheet, (204, y), said(circuit, pin), left=True, colour=COLOURS[contact.colour])
        symbols.button(sheet, (204, y), (250, y))
        sheet.words((227, y + 4.6), f"{ref}  {name.upper()}", size=2.8, anchor="middle", bold=True)
        sheet.words((206, y - 1.4), str(contact.start), size=2.2)
        sheet.words((248, y - 1.4), str(ground.start), size=2.2, anchor="end")
        sheet.line((250, y), (254, y))
        symbols.ground(sheet, (254, y))
        _button_lamp(sheet, circuit, ref, y + 11)


def _button_lamp(sheet: Sheet, circuit: Circuit, ref: str, y: float) -> None:
    plus = next(wire for wire in circuit.wires_at(Terminal(ref, "lamp-plus")))
    minus = next(wire for wire in circuit.wires_at(Terminal(ref, "lamp-minus")))
    colour = COLOURS[plus.colour]
    if plus.start.ref == "J6":
        resistor = _joined(circuit, "J6", plus.start.pin, "RL:").ref
        pin = _joined(circuit, resistor, "1", "P1")
        symbols.flag(sheet, (204, y), said(circuit, pin), left=True, colour=colour)
        symbols.resistor(sheet, (204, y), (226, y))
        sheet.words((215, y - 2.2), f"{resistor} 330 ohm", size=2.0, anchor="middle")
        sheet.words((228, y + 3.4), str(plus.start), size=2.2)
        symbols.led(sheet, (226, y), (250, y))
        sheet.line((250, y), (254, y))
        symbols.ground(sheet, (254, y))
        return
    symbols.flag(sheet, (204, y), said(circuit, plus.start), left=True, colour=colour)
    symbols.led(sheet, (204, y), (250, y))
    symbols.flag(sheet, (250, y), str(minus.start), colour=COLOURS[minus.colour])


def _modules(sheet: Sheet) -> None:
    sheet.words((352, 122), "J3  dice", size=3.4, anchor="middle", bold=True)
    pins = (
        ("1", "5 V", "VCC", RED),
        ("2", "ground", "GND", INK),
        ("3", "DIN", "DIN", COLOURS["green"]),
        ("4", "LOAD", "LOAD", COLOURS["white"]),
        ("5", "CLK", "CLK", COLOURS["yellow"]),
    )
    lefts = tuple(pin for _, _, pin, _ in pins)
    rights = tuple("DOUT" if pin == "DIN" else f"{pin} " for pin in lefts)
    one, _ = symbols.chip(sheet, 326, 140, 24, ("M1", "left die"), lefts, rights, 12)
    other, _ = symbols.chip(sheet, 376, 140, 24, ("M2", "right die"), lefts, (), 12)
    for way, what, pin, colour in pins:
        end = one[pin]
        symbols.flag(sheet, (end[0] - 3, end[1]), f"J3.{way} {what}", left=True, colour=colour)
        sheet.line((end[0] - 3, end[1]), end, colour=colour, width=0.6)
        start = one["DOUT" if pin == "DIN" else f"{pin} "]
        sheet.line(start, other[pin], colour=colour, width=0.6)


def _panel(sheet: Sheet) -> None:
    sheet.words((356, 106), "U5  MAX7219 of the panel", size=3.4, anchor="middle", bold=True)
    lefts = ("V+ 19", "GND 4", "GND 9", "DIN 1", "LOAD 12", "CLK 13", "ISET 18")
    rights = (
        *(f"{segment} {PINS['max7219'].index(f'SEG-{segment}') + 1}" for segment in SEGMENTS),
        "DIG-0 2",
        "DIG-1 11",
        "DIG-2 6",
    )
    ends, below = symbols.chip(sheet, 326, 112, 26, (), lefts, rights, 9)
    for pin, what in (
        ("V+ 19", "J3.1 5 V"),
        ("GND 4", "J3.2 ground"),
        ("GND 9", "pin 4"),
        ("DIN 1", "J3.3"),
        ("LOAD 12", "J3.4"),
        ("CLK 13", "J3.5"),
        ("ISET 18", "RI5 27k to V+"),
    ):
        symbols.flag(sheet, ends[pin], what, left=True)
    for bit, segment in enumerate(SEGMENTS):
        here = ends[f"{segment} {PINS['max7219'].index(f'SEG-{segment}') + 1}"]
        digit = PINS["digit"].index(segment) + 1
        symbols.flag(sheet, here, f"M1, M2 pin {digit}", colour=COLOURS[RIBBON[bit]])
    for place, (digit, what) in enumerate(
        ((0, "M1 pin 3, left die"), (1, "M2 pin 3, right die"), (2, "buttons' lamps"))
    ):
        end = ends[("DIG-0 2", "DIG-1 11", "DIG-2 6")[place]]
        symbols.flag(sheet, end, what, colour=COLOURS[RIBBON[digit]])
    sheet.words((326, below + 6), "CA5 100 nF and CB5 10 uF from V+ to pin 9", size=2.4)
    sheet.words((326, below + 10), "M1, M2: seven-segment digits, common cathode", size=2.4)
