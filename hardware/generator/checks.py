"""Checks: what is wrong with a board's tables and drawings, found before anything is bought, cut or soldered.

    counts, marks        as many of everything as cells, each in its place on the plate
    pins, diodes,        the circuit by its nodes: what is really joined, whatever the tables say
    crossings, string,
    field, blocking,
    levels, supplies
    heights, console     what is screwed together and what lies in the console has room
    lengths, power,      numbers: lengths, currents, voltages, times, from the list of parts
    logic, bit_code,
    currents, segments
    shopping, overlay,   what is bought, what is printed, what a reed feels
    magnets

Each check is a function that gives sentences: what, where and why. None means that it found nothing wrong; it never
changes anything. What a single value of a profile may be is judged by the program when it reads the file.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import pairwise
from math import dist, log10

from hardware.generator.boards import Board
from hardware.generator.circuit import CABLE, JOINT, Circuit, Terminal, Wire
from hardware.generator.cutting import CUT, templates
from hardware.generator.drawing import Circle, Point, Sheet
from hardware.generator.headers import OFF_HEADER, PINS
from hardware.generator.overlay import SIDE, has_overlay, outlines, shared_edges
from hardware.generator.parts import Part
from hardware.generator.power import SPARE, loads, lost, segment_current, sums
from hardware.generator.shopping import Line, shopping_list, used_parts
from hardware.magnetics.margins import Margin, margins
from reedlight.board.checks import wires as uses_of
from reedlight.board.kinds import SEGMENTS
from reedlight.board.profile import DiceDigits, Expander, Matrix, Max7219, Ws2812
from reedlight.core.grid import Cell, hexhex

# Millimetres and volts that two equal ones may differ by.
_ROUNDING = 0.02
_SAME_VOLTS = 1e-9
# Volts that a signal must have in hand.
_IN_HAND = 0.1
# A column must have risen this many times over before it is read.
_TIMES = 3.0
# How far a MAX7219's current may differ from what the budget says, as a share.
_BUDGET = 0.1
# How wide a bar of five ways is, in mm.
_BARS = 31.0
_LOGIC = 3.3
_WARM = 25.0


def mistakes(board: Board) -> tuple[str, ...]:
    """Everything that is wrong with a board."""
    sheets = templates(board.plan, board.parts)
    found: list[str] = []
    for check in (
        pins,
        diodes,
        crossings,
        string,
        field,
        blocking,
        levels,
        supplies,
        heights,
        console,
        lengths,
        power,
        logic,
        bit_code,
        currents,
        segments,
    ):
        found += check(board)
    found += counts(board, sheets["carrier"])
    for name, sheet in sheets.items():
        found += on_a_bed(board, name, sheet)
    found += marks(board, sheets["carrier"])
    found += shopping(board, shopping_list(board.plan, board.circuit, board.parts))
    if has_overlay(board.profile):
        found += overlay(outlines(board.profile, board.plan))
    found += magnets(board, margins(board.plan, board.parts))
    return tuple(f"{board.profile.name}: {sentence}" for sentence in found)


# ----------------------------------------------------------------------------------- counts and marks


def counts(board: Board, carrier: Sheet) -> Iterator[str]:
    """As many reeds, diodes, lamps and holes as cells, and the wires of each."""
    cells = len(board.profile.grid.cells)
    circuit = board.circuit
    numbers = {
        "switches of the profile": len(set(board.profile.layout.switches.values())),
        "lamps of the profile": len(set(board.profile.layout.lamps.values())),
        "reeds": len(circuit.of_part("reed")),
        "diodes": len(circuit.of_part("diode")),
        "lamps": len(circuit.of_part("rgb_lamp", "led")),
        "holes for reeds in the carrier": len(_holes(carrier, board.parts.rule("plan", "reed_hole"))),
        "joints of reed and diode": sum(wire.section == "cells" and wire.end.pin == "stripe" for wire in circuit.wires),
        "row wires": sum(wire.section == "rows" for wire in circuit.wires),
        "column wires": sum(wire.section == "columns" for wire in circuit.wires),
    }
    for what, number in numbers.items():
        if number != cells:
            yield f"{number} {what} for {cells} cells; every cell has one"


def _holes(sheet: Sheet, diameter: float) -> tuple[Point, ...]:
    circles = (shape for shape in sheet.shapes if isinstance(shape, Circle) and shape.layer == CUT)
    # Screw holes are as large as a reed's; they lie in the border.
    screws = 2.0 * 6.0
    return tuple(
        circle.centre
        for circle in circles
        if abs(2 * circle.radius - diameter) < 1e-6
        and screws < circle.centre[0] < sheet.width - screws
        and screws < circle.centre[1] < sheet.height - screws
    )


def marks(board: Board, carrier: Sheet) -> Iterator[str]:
    """Every cell's hole in its place, one pitch from its neighbours', inside the plate."""
    holes = _holes(carrier, board.parts.rule("plan", "reed_hole"))
    plan, grid = board.plan, board.profile.grid
    found: dict[Cell, Point] = {}
    for cell, place in plan.cells.items():
        nearest = min(holes, key=lambda hole: dist(hole, place), default=None)
        if nearest is None or dist(nearest, place) > _ROUNDING:
            yield f"carrier: no hole for a reed at {place[0]:.2f}, {place[1]:.2f}, the centre of cell {cell}"
            continue
        found[cell] = nearest
    for cell, there in found.items():
        for other in grid.neighbours[cell]:
            if other in found and cell < other and abs(dist(there, found[other]) - plan.pitch) > _ROUNDING:
                yield (
                    f"carrier: the holes of {cell} and {other} are {dist(there, found[other]):.2f} mm apart; the "
                    f"pitch is {plan.pitch:g}"
                )
        if not all(0 <= x <= plan.width and 0 <= y <= plan.height for x, y in plan.polygon(cell)):
            yield f"cell {cell} reaches over the plate of {plan.width:g} x {plan.height:g} mm"


def on_a_bed(board: Board, name: str, sheet: Sheet) -> Iterator[str]:
    """A sheet that some common laser can cut."""
    beds = board.parts.beds()
    if not any(sheet.width <= width and sheet.height <= height for width, height in beds):
        said = ", ".join(f"{width:g} x {height:g}" for width, height in beds)
        yield f"{name}: {sheet.width:g} x {sheet.height:g} mm fits no bed of {said}"


# ----------------------------------------------------------------------------------------------- pins


def pins(board: Board) -> Iterator[str]:
    """Every pin exists, is nobody else's and has one wire."""
    claimed = {f"{use.chip}{use.pin}": use.use for use in uses_of(board.profile) if use.key.startswith("buses.")}
    for chip in board.circuit.of_part("pi", "pico", "shifter", "max7219"):
        ends = Counter(
            terminal for wire in board.circuit.wires for terminal in (wire.start, wire.end) if terminal.ref == chip.ref
        )
        for terminal, number in ends.items():
            if terminal.pin not in (*PINS[chip.part], *OFF_HEADER.get(chip.part, ())):
                yield f"{terminal}: the {chip.part} has no such pin"
            if chip.part in {"pi", "pico"} and terminal.pin.startswith(("BCM", "GP")):
                yield from _signal_pin(board, terminal, number, claimed if chip.part == "pi" else {})


def _signal_pin(board: Board, terminal: Terminal, number: int, claimed: Mapping[str, str]) -> Iterator[str]:
    others = [wire.end if wire.start == terminal else wire.start for wire in board.circuit.wires_at(terminal)]
    if terminal.pin in {"BCM0", "BCM1"}:
        yield f"{terminal}: belongs to the EEPROM of a HAT and stays open"
    if number > 1:
        yield f"{terminal}: {number} wires, to {', '.join(map(str, others))}; every pin has one use"
    use = claimed.get(terminal.pin)
    if use is not None and not all(other.ref == "U2" for other in others):
        yield f"{terminal}: is {use}, and a wire goes to {', '.join(map(str, others))}; a bus keeps its pins for itself"


# --------------------------------------------------------------------------------------------- matrix


def diodes(board: Board) -> Iterator[str]:
    """Each reed has exactly one diode, whose stripe is at the reed and so on the row's side."""
    nodes = board.circuit.nodes()
    at: dict[int, list[Terminal]] = defaultdict(list)
    for diode in board.circuit.of_part("diode"):
        for pin in ("stripe", "plain"):
            if (node := nodes.get(Terminal(diode.ref, pin))) is not None:
                at[node].append(Terminal(diode.ref, pin))
    for reed in board.circuit.of_part("reed"):
        ends = at.get(nodes.get(Terminal(reed.ref, "lower"), -1), [])
        if len(ends) != 1:
            yield f"{reed.ref}: {len(ends)} diodes at its lower lead; every reed has one of its own"
        elif ends[0].pin != "stripe":
            yield (
                f"{ends[0].ref}: its plain end is at the reed {reed.ref}; the stripe belongs there, or the cell "
                "is never read"
            )


def crossings(board: Board) -> Iterator[str]:
    """Every cell's reed joins the row and the column that the profile says, and no other cell's does."""
    lines, circuit = _lines(board), board.circuit
    nodes = _through_resistors(circuit)
    computer = "U1" if circuit.of_part("pico") else "P1"
    prefix = "GP" if computer == "U1" else "BCM"
    owners: dict[tuple[int, int], Cell] = {}
    for cell, switch in board.profile.layout.switches.items():
        row, column = divmod(switch, len(lines.columns))
        found = (nodes.get(Terminal(f"S:{cell}", "upper"), -1), nodes.get(Terminal(f"D:{cell}", "plain"), -1))
        for node, name, number, pin in (
            (found[0], "row", row, lines.rows[row]),
            (found[1], "column", column, lines.columns[column]),
        ):
            if node != nodes.get(Terminal(computer, f"{prefix}{pin}"), -2):
                yield f"cell {cell}: its {name} wire does not lead to {prefix} {pin}, {name} {number}"
        owner = owners.setdefault(found, cell)
        if owner != cell:
            yield f"cells {owner} and {cell} join the same row and column; they could not be told apart"


def _lines(board: Board) -> Matrix:
    reader = board.profile.reader
    return Matrix((), ()) if isinstance(reader, Expander) else reader.matrix


def _through_resistors(circuit: Circuit) -> Mapping[Terminal, int]:
    """The nodes, where a resistor in series counts as a wire."""
    across = [
        Wire(0, "", Terminal(part.ref, "1"), Terminal(part.ref, "2"), "", JOINT, 0.0)
        for part in circuit.of_part("resistor_220", "resistor_330")
    ]
    return circuit.nodes([*circuit.wires, *across])


# ---------------------------------------------------------------------------------------------- lamps


def string(board: Board) -> Iterator[str]:
    """The data visit every lamp of a string once, in the order of the profile."""
    lamps = board.profile.layout.lamps
    if not isinstance(board.profile.lamps, Ws2812):
        return
    nodes = board.circuit.nodes()
    inputs = {
        node: lamp.cell
        for lamp in board.circuit.of_part("rgb_lamp")
        if (node := nodes.get(Terminal(lamp.ref, "DIN"))) is not None
    }
    node, visited = nodes.get(Terminal("J2", "2"), -1), list[Cell]()
    while (cell := inputs.get(node)) is not None and cell not in visited:
        visited.append(cell)
        node = nodes.get(Terminal(f"L:{cell}", "DOUT"), -1)
    expected = sorted(lamps, key=lambda cell: lamps[cell])
    for number, cell in enumerate(expected):
        if number >= len(visited):
            yield f"the string ends after {len(visited)} lamps; lamp {number} of cell {cell} gets no data"
            return
        if visited[number] != cell:
            yield f"lamp {number} of the string lies under {visited[number]}, and the profile says {cell}"
            return


def field(board: Board) -> Iterator[str]:
    """Every lamp of a MAX7219 has its own segment and digit, the right way round."""
    if not isinstance(board.profile.lamps, Max7219):
        return
    nodes = board.circuit.nodes()
    names = {node: terminal.pin for terminal, node in nodes.items() if terminal.ref == "U4"}
    owners: dict[tuple[str, str], Cell] = {}
    for cell, lamp in board.profile.layout.lamps.items():
        plus = names.get(nodes.get(Terminal(f"L:{cell}", "anode"), -1), "nothing")
        minus = names.get(nodes.get(Terminal(f"L:{cell}", "cathode"), -1), "nothing")
        wanted = (f"SEG-{SEGMENTS[lamp % 8]}", f"DIG-{lamp // 8}")
        if (plus, minus) != wanted:
            yield f"L:{cell}: plus is at {plus} and minus at {minus}; lamp {lamp} is {wanted[0]} and {wanted[1]}"
        owner = owners.setdefault((plus, minus), cell)
        if owner != cell:
            yield f"the lamps of {owner} and {cell} have the same wires; each is driven alone"
    dice = board.profile.dice
    for number, digit in enumerate(dice.digits if isinstance(dice, DiceDigits) else (), 1):
        if nodes.get(Terminal(f"M{number}", "COM-3")) != nodes.get(Terminal("U5", f"DIG-{digit}"), -1):
            yield f"M{number}: its common cathode is not at digit {digit} of U5, where the profile has the die"


# ----------------------------------------------------------------------------------- chips and supplies

_SUPPLIED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "rgb_lamp": ("5V", ("GND",)),
    "max7219": ("V+", ("GND-4", "GND-9")),
    "dice_module": ("VCC", ("GND",)),
    "shifter": ("VCC", ("GND",)),
}
_5_V_INPUTS: Mapping[str, tuple[str, ...]] = {
    "rgb_lamp": ("DIN",),
    "max7219": ("DIN", "CLK", "LOAD"),
    "dice_module": ("DIN", "CLK", "LOAD"),
}
_5_V_OUTPUTS: Mapping[str, tuple[str, ...]] = {
    "shifter": ("1Y", "2Y", "3Y", "4Y"),
    "rgb_lamp": ("DOUT",),
    "max7219": ("DOUT",),
    "dice_module": ("DOUT", "CLK", "LOAD"),
}


def blocking(board: Board) -> Iterator[str]:
    """Each chip has 100 nF soldered to its own supply and ground pins; a module brings its own."""
    for chip in board.circuit.of_part("rgb_lamp", "max7219", "shifter"):
        plus, minuses = _SUPPLIED[chip.part]
        at_plus = _capacitors(board.circuit, Terminal(chip.ref, plus))
        at_minus = {ref for minus in minuses for ref in _capacitors(board.circuit, Terminal(chip.ref, minus))}
        if not at_plus & at_minus:
            yield f"{chip.ref}: no capacitor of 100 nF from {plus} to ground right at the chip"


def _capacitors(circuit: Circuit, terminal: Terminal) -> set[str]:
    joints = (wire for wire in circuit.wires_at(terminal) if wire.kind == JOINT)
    others = (wire.start if wire.end == terminal else wire.end for wire in joints)
    return {other.ref for other in others if circuit.components[other.ref].part == "ceramic"}


def levels(board: Board) -> Iterator[str]:
    """No output of 3.3 V drives an input of 5 V, no output of 5 V a pin of 3.3 V, and every input of 5 V is driven."""
    nodes = _through_resistors(board.circuit)
    low: dict[int, Terminal] = {}
    for terminal, node in nodes.items():
        part = _part(board.circuit, terminal)
        if part in {"pi", "pico"} and terminal.pin.startswith(("BCM", "GP")):
            low[node] = terminal
    driven = {nodes[terminal] for terminal in _terminals(board.circuit, _5_V_OUTPUTS) if terminal in nodes}
    for terminal in _terminals(board.circuit, _5_V_INPUTS):
        node = nodes.get(terminal, -1)
        if node in low:
            yield f"{terminal}: needs 5 V signals, and {low[node]} gives 3.3 V; the shifter belongs between them"
        elif node not in driven:
            yield f"{terminal}: nothing drives it"
    for terminal in _terminals(board.circuit, _5_V_OUTPUTS):
        node = nodes.get(terminal, -1)
        if node in low:
            yield f"{low[node]}: takes 3.3 V at most, and {terminal} gives 5 V"


def _part(circuit: Circuit, terminal: Terminal) -> str:
    return circuit.components[terminal.ref].part if terminal.ref in circuit.components else ""


def _terminals(circuit: Circuit, of: Mapping[str, tuple[str, ...]]) -> Iterator[Terminal]:
    for part, names in of.items():
        yield from (Terminal(component.ref, name) for component in circuit.of_part(part) for name in names)


def supplies(board: Board) -> Iterator[str]:
    """5 V and ground are apart and reach every part the right way round."""
    nodes = board.circuit.nodes()
    entry, bar, lamps = (nodes.get(Terminal(*place), -1) for place in (("J1", "plus"), ("X+", "bar"), ("C1", "plus")))
    ground, three = nodes.get(Terminal("X-", "bar"), -2), nodes.get(Terminal("U1", "3V3"), -3)
    if len({entry, bar, lamps, ground, three}) != 5:
        yield "J1 plus, the bar X+, the lamps' 5 V, ground and 3.3 V are not five separate nodes; something is bridged"
    yield from _chips_supplied(board, nodes, {"the bar X+": bar, "the lamps' 5 V behind F2": lamps}, ground)
    yield from _polarity(board, nodes, {bar, lamps}, ground)


def _chips_supplied(board: Board, nodes: Mapping[Terminal, int], plus: Mapping[str, int], ground: int) -> Iterator[str]:
    for part, (supply, grounds) in _SUPPLIED.items():
        where = "the lamps' 5 V behind F2" if part in {"rgb_lamp", "max7219"} else "the bar X+"
        for chip in board.circuit.of_part(part):
            if nodes.get(Terminal(chip.ref, supply), -9) != plus[where]:
                yield f"{chip.ref}.{supply}: is not at {where}"
            for pin in grounds:
                if nodes.get(Terminal(chip.ref, pin), -9) != ground:
                    yield f"{chip.ref}.{pin}: is not at ground"


def _polarity(board: Board, nodes: Mapping[Terminal, int], plus: AbstractSet[int], ground: int) -> Iterator[str]:
    circuit = board.circuit
    for part in circuit.of_part("bulk", "tantalum"):
        if nodes.get(Terminal(part.ref, "plus")) not in plus or nodes.get(Terminal(part.ref, "minus")) != ground:
            yield f"{part.ref}: must have plus at 5 V and minus at ground, or it bursts"
    for part in circuit.of_part("tvs"):
        if nodes.get(Terminal(part.ref, "stripe")) not in plus or nodes.get(Terminal(part.ref, "plain")) != ground:
            yield f"{part.ref}: its stripe belongs to 5 V and its plain end to ground"
    for button in circuit.of_part("button"):
        if nodes.get(Terminal(button.ref, "contact-2")) != ground:
            yield f"{button.ref}.contact-2: is not at ground"


# ------------------------------------------------------------------------------- heights and the console


def heights(board: Board) -> Iterator[str]:
    """Screws hold what lies between head and nut and end above the table; the lamps' chip has room."""
    parts = board.parts
    plan = {name: parts.rule("plan", name) for name in ("sheet", "wall_height", "wire_channel", "console_wall")}
    foot, nut = parts.of("foot").number("height"), parts.rule("plan", "nut")
    plate = 3 * plan["sheet"] + plan["wall_height"] + plan["wire_channel"] + parts.rule("plan", "veneer")
    for name, part, thick in (
        ("plate", "screw", plate),
        ("console", "console_screw", 2 * plan["sheet"] + plan["console_wall"]),
    ):
        long = parts.of(part).number("length")
        if long < thick + nut - _ROUNDING:
            yield f"{name}: a screw of {long:g} mm does not reach through {thick:g} mm and a nut of {nut:g}"
        if long > thick + foot:
            yield f"{name}: a screw of {long:g} mm in {thick:g} mm is longer than the feet of {foot:g} are high"
    driver, room = parts.rule("plan", "driver_high"), plan["wire_channel"] + plan["sheet"] + foot
    if board.plan.driver is not None and driver > room:
        yield f"U4 on its board is {driver:g} mm high, and from carrier to table, through the base, are {room:g} mm"


def console(board: Board) -> Iterator[str]:
    """What lies in the console lies beside each other: control board, buttons, dice, bars."""
    plan, parts = board.plan, board.parts
    rim, thick = parts.rule("plan", "button_rim"), parts.rule("plan", "sheet")
    wide, deep = parts.rules("plan", "control_board")
    die = parts.rule("plan", "module_window") if plan.modules else parts.rules("plan", "digit_window")[0]
    near, hole = parts.rule("plan", "console_screw_in"), parts.rule("plan", "screw_hole")
    spans = [("the left wall", thick / 2, thick), ("the right wall", plan.console_width - thick / 2, thick)]
    spans += [("a screw at the left", near, hole), ("a screw at the right", plan.console_width - near, hole)]
    spans += [("the control board", plan.control[0], wide), ("the bars", plan.bars[0], _BARS)]
    spans += [(f"the button {name.upper()}", x, rim) for name, (x, _) in plan.buttons.items()]
    spans += [(f"die {number}", x, die) for number, (x, _) in enumerate(plan.dice, 1)]
    spans.sort(key=lambda span: span[1])
    for (name, x, width), (other, beyond, next_width) in pairwise(spans):
        if x + width / 2 > beyond - next_width / 2:
            yield f"console: {name} reaches to {x + width / 2:g} mm, and {other} begins at {beyond - next_width / 2:g}"
    if deep > plan.console_depth - 2 * thick:
        yield f"console: the control board of {deep:g} mm is deeper than the room between near and far wall"


# -------------------------------------------------------------------------------------------- lengths


def lengths(board: Board) -> Iterator[str]:
    """Every wire reaches, can carry what its fuse lets through, and wears its colour; joints need none."""
    circuit, parts = board.circuit, board.parts
    nodes = circuit.nodes()
    for wire in circuit.wires:
        if wire.kind in {JOINT, CABLE}:
            continue
        start, end = circuit.components[wire.start.ref], circuit.components[wire.end.ref]
        straight = dist(start.place, end.place) if "Pi" not in {start.at, end.at} else 0.0
        if wire.length <= straight or wire.length <= 0:
            yield (f"{_named(wire)}: {wire.length:g} mm do not reach over {straight:.0f} mm")
        if wire.kind not in parts.wires:
            yield f"{_named(wire)}: there is no wire {wire.kind} in the list of parts"
    ground = nodes.get(Terminal("X-", "bar"), -2)
    five = {nodes.get(Terminal(*place), -1) for place in (("J1", "plus"), ("X+", "bar"), ("C1", "plus"), ("F2", "2"))}
    for wire in circuit.wires:
        node = nodes[wire.start]
        if wire.kind in {"thick", "middle"} and (node == ground) != (wire.colour == "black"):
            yield (f"{_named(wire)}: is {wire.colour}; black is for ground and for nothing else")
        if wire.kind in {"thick", "middle"} and (node in five) != (wire.colour == "red"):
            yield (f"{_named(wire)}: is {wire.colour}; red is for 5 V and for nothing else")
    yield from _carrying(board)
    yield from _first_data(board)


def _named(wire: Wire) -> str:
    return f"W{wire.number}, {wire.start} to {wire.end}"


def _carrying(board: Board) -> Iterator[str]:
    """A wire is thicker than what its fuse lets through for ever."""
    for wire in board.circuit.wires:
        kind = board.parts.wires.get(wire.kind)
        if kind is None:
            continue
        ends = {wire.start.ref, wire.end.ref}
        fuse = (
            board.parts.of("fuse").number("blows")
            if "F1" in ends
            else board.parts.of("pptc").number("hold")
            if "F2" in ends
            else 0.0
        )
        if kind.most < fuse:
            yield (f"{_named(wire)}: {kind.name} carries {kind.most:g} A, and its fuse lets {fuse:g} A through")


def _first_data(board: Board) -> Iterator[str]:
    if not isinstance(board.profile.lamps, Ws2812):
        return
    most = board.parts.rule("wire_rules", "data_most")
    for wire in board.circuit.wires:
        if wire.section == "string" and wire.start == Terminal("J2", "2") and wire.length > most:
            yield f"{_named(wire)}: {wire.length:g} mm of data line, more than {most:g}"


# ---------------------------------------------------------------------------------------------- power


def power(board: Board) -> Iterator[str]:
    """Fuses and supply carry what the program allows, with a fifth to spare."""
    said, pptc = board.profile.power, board.parts.of("pptc").number("hold")
    total = sums(loads(board.profile, board.circuit, board.parts))
    if abs(said.led_fuse_hold - pptc) > _SAME_VOLTS:
        yield (
            f"the profile's fuse of the lamps holds {said.led_fuse_hold:g} A, and the list of parts has one of "
            f"{pptc:g} A"
        )
    hold = min(pptc, said.led_fuse_hold or pptc)
    if total.lamps > SPARE * hold + _SAME_VOLTS:
        yield f"the lamps may draw {total.lamps:.2f} A, more than {SPARE:.0%} of the {hold:g} A that F2 holds"
    if total.worst > SPARE * said.supply + _SAME_VOLTS:
        yield f"the board may draw {total.worst:.2f} A, more than {SPARE:.0%} of the supply's {said.supply:g} A"
    blows = board.parts.of("fuse").number("blows")
    if total.worst > SPARE * blows:
        yield f"the board may draw {total.worst:.2f} A, more than {SPARE:.0%} of the {blows:g} A that F1 carries"
    if said.supply > blows:
        yield f"the supply gives {said.supply:g} A and F1 blows above {blows:g} A; a short would be fed for ever"

    gone, most = lost(board.profile, board.circuit, board.parts), board.parts.rule("wire_rules", "lost_most")
    if gone > most:
        yield f"{gone:.2f} V of the lamps' 5 V are lost on the way, more than {most:g} V; thicker wire"


# ---------------------------------------------------------------------------------------------- logic


def column_low(board: Board, celsius: float) -> float:
    """Volts at a column's input with every reed of its row closed."""
    pull = _pull_up(board)
    columns = len(_lines(board).columns)
    current = _LOGIC / pull
    diode, computer = board.parts.of("diode"), _computer(board)
    series = board.parts.of("resistor_220").number("ohm") if board.circuit.of_part("resistor_220") else 0.0
    drop = (
        diode.number("drop")
        + diode.number("drop_per_decade") * log10(current / 1e-4)
        + diode.number("drop_per_degree") * (celsius - _WARM)
    )
    return drop + series * current + computer.number("out_ohm") * columns * current


def _pull_up(board: Board) -> float:
    if board.circuit.of_part("resistor_47k"):
        return board.parts.of("resistor_47k").number("ohm")
    return board.parts.of("pi").number("pull_up")


def _computer(board: Board) -> Part:
    return board.parts.of("pico" if board.circuit.of_part("pico") else "pi")


def logic(board: Board) -> Iterator[str]:
    """Every signal is understood where it arrives, and in time."""
    parts = board.parts
    most, cold = _computer(board).number("low") - _IN_HAND, parts.rule("signal", "cold")
    if (low := column_low(board, cold)) > most:
        yield (
            f"a column with every reed closed lies at {low:.2f} V at {cold:g} degrees; the input reads low up to "
            f"{most:.2f} V with {_IN_HAND} V in hand"
        )
    rise, settle = _pull_up(board) * parts.rule("signal", "line") * 1e6, parts.rule("signal", "settle")
    if _TIMES * rise > settle:
        yield (
            f"a column rises in {rise:.1f} us, and the scan waits {settle:g} us; it must wait {_TIMES:g} times as long"
        )
    shifter = parts.of("shifter")
    if parts.of("pi").number("high_out") < shifter.number("high") + _IN_HAND:
        yield (
            f"the Pi's 1 of {parts.of('pi').number('high_out'):g} V does not reach the shifter's "
            f"{shifter.number('high'):g} V"
        )
    for supply in parts.rules("signal", "supply_range"):
        high = supply - shifter.number("below_supply")
        for part, needed in _needed_high(board, supply):
            if high < needed + _IN_HAND:
                yield f"at {supply:g} V the shifter gives {high:.2f} V, and the {part} takes a 1 from {needed:.2f} V on"


def _needed_high(board: Board, supply: float) -> Iterator[tuple[str, float]]:
    if board.circuit.of_part("rgb_lamp"):
        yield "RGB lamp", board.parts.of("rgb_lamp").number("high") * supply
    for part in ("max7219", "dice_module"):
        if board.circuit.of_part(part):
            yield part, board.parts.of(part).number("high")


def bit_code(board: Board) -> Iterator[str]:
    """A bit of four at the clock that each Pi really has is a 0 or a 1 for every kind of RGB lamp."""
    if not board.circuit.of_part("rgb_lamp"):
        return
    lamp = board.parts.of("rgb_lamp")
    for model, clock in board.parts.of("pi").by_model("spi_clock").items():
        bit = 1000 / clock
        for what, time, windows in (("0", bit, lamp.windows("zero")), ("1", 2 * bit, lamp.windows("one"))):
            for least, most in windows:
                if not least <= time <= most:
                    yield (
                        f"on a {model} a {what} is high for {time:.0f} ns, outside {least:g} to {most:g} ns of "
                        "one kind of lamp"
                    )


# ------------------------------------------------------------------------------------------- currents


def currents(board: Board) -> Iterator[str]:
    """No pin and no chip carries more than it may."""
    computer, parts = _computer(board), board.parts
    sunk = len(_lines(board).columns) * _LOGIC / _pull_up(board)
    if sunk > computer.number("pin_most"):
        yield (
            f"a row sinks {1000 * sunk:.1f} mA, more than the {1000 * computer.number('pin_most'):g} mA of a pin "
            f"of the {computer.key}"
        )
    lamps = [part for part in board.circuit.of_part("resistor_330") if part.ref.startswith("RL:")]
    pi = parts.of("pi")
    each = (_LOGIC - parts.of("button").number("lamp_drop")) / parts.of("resistor_330").number("ohm")
    if lamps and each > pi.number("pin_most"):
        yield (
            f"the lamp of a button draws {1000 * each:.1f} mA, more than the {1000 * pi.number('pin_most'):g} mA "
            "of a pin of the Pi"
        )
    if each * len(lamps) > pi.number("all_most"):
        yield (
            f"{len(lamps)} lamps of buttons draw {1000 * each * len(lamps):.0f} mA, more than the "
            f"{1000 * pi.number('all_most'):g} mA of all pins of the Pi"
        )


def segments(board: Board) -> Iterator[str]:
    """The resistor of a MAX7219 gives its lamps a current that they, the chip and the budget bear."""
    if not board.circuit.of_part("max7219"):
        return
    chip, led, current = board.parts.of("max7219"), board.parts.of("led"), segment_current(board.parts)
    said = (
        f"RSET of {board.parts.of('resistor_27k').number('ohm') / 1000:g} kohm gives {1000 * current:.1f} mA a segment"
    )
    if current > chip.number("segment_most"):
        yield f"{said}, more than the {1000 * chip.number('segment_most'):g} mA of the chip"
    if current > led.number("most"):
        yield f"{said}, more than the {1000 * led.number('most'):g} mA of a lamp"
    if 8 * current > chip.number("digit_most"):
        yield f"{said}, and eight of them more than the {1000 * chip.number('digit_most'):g} mA that a digit sinks"
    if 8 * current > chip.number("all_lit") * (1 + _BUDGET):
        yield f"{said}, so a chip draws {8 * current:.3f} A; the budget counts on {chip.number('all_lit'):g} A"


# -------------------------------------------------------------------------- shopping, overlay, magnets


def shopping(board: Board, lines: Iterable[Line]) -> Iterator[str]:
    """What is bought is at least what is used."""
    bought = {line.key: line.buy for line in lines}
    for part, used in used_parts(board.plan, board.circuit).items():
        if bought.get(part, 0) < used:
            yield f"the shopping list has {bought.get(part, 0):g} of {part}, and the board uses {used}"
    metres: dict[str, float] = defaultdict(float)
    for wire in board.circuit.wires:
        if wire.kind not in {JOINT, CABLE}:
            metres[f"{wire.kind} {wire.colour}"] += wire.length / 1000
    for spool, used in metres.items():
        if bought.get(spool, 0) < used:
            yield f"the shopping list has {bought.get(spool, 0):g} m of {spool} wire, and the board uses {used:.2f}"


def overlay(cells: Mapping[Cell, tuple[Point, ...]]) -> Iterator[str]:
    """The printed cells are those of the game, and touch where the game's do."""
    game = hexhex(SIDE)
    if set(cells) != set(game.cells):
        yield f"the overlay has {len(cells)} cells, and Herd of side {SIDE} has {len(game.cells)}"
    printed = shared_edges(cells)
    wanted = frozenset(frozenset((cell, other)) for cell in game.cells for other in game.neighbours[cell])
    for pair in sorted(sorted(pair) for pair in printed ^ wanted):
        said = (
            "touch on the overlay and not in the game"
            if frozenset(pair) in printed
            else "touch in the game and not on the overlay"
        )
        yield f"cells {pair[0]} and {pair[1]} {said}"


def magnets(board: Board, found: Iterable[Margin]) -> Iterator[str]:
    """Reeds close and open with a margin."""
    least = board.parts.rule("magnetics", "least")
    for margin in found:
        if margin.asked and margin.value < least:
            yield (
                f"{margin.name}: {margin.field:.2f} mT against {margin.limit:.2f}, a margin of {margin.value:.3f} "
                f"where {least:g} is asked for"
            )
