"""Tables: the circuit as pages that one solders from and looks things up in.

    wiring.md, wiring.csv   every wire in the order of the work, with a number of its own
    pins.md                 every pin of every chip and connector: what it is for and which wires go there
    cells.csv               every cell: its place, switch, row, column, lamp, and the wires that reach it

The same wire has the same number everywhere.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO

from hardware.generator.circuit import CABLE, JOINT, Circuit, Component, Terminal, Wire
from hardware.generator.headers import OFF_HEADER, PINS, pin_number
from hardware.generator.parts import Parts
from hardware.generator.plan import Plan
from hardware.generator.wiring import SECTIONS
from reedlight.board.checks import wires as uses_of
from reedlight.board.profile import Expander, Profile
from reedlight.core.grid import Cell

_COLUMNS = ("wire", "from", "to", "colour", "wire to use", "mm", "remark")


def markdown(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of a page."""
    lines = [f"| {' | '.join(head)} |", f"| {' | '.join('---' for _ in head)} |"]
    lines += [f"| {' | '.join(str(value).replace('|', '/') for value in row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def comma_separated(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table for other programs."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()


def said(circuit: Circuit, terminal: Terminal) -> str:
    """A terminal with the place where one counts it: ``U1.GP7 (pin 10)``."""
    number = pin_number(circuit.components[terminal.ref].part, terminal.pin)
    return str(terminal) if number is None else f"{terminal} (pin {number})"


def kind_said(kind: str, parts: Parts) -> str:
    """What to use for a wire, in a few words."""
    if kind == JOINT:
        return "solder together"
    return "cable" if kind == CABLE else f"{kind}, {parts.wires[kind].area:g} mm2"


# --------------------------------------------------------------------------------------------- wiring


def wiring_page(profile: Profile, circuit: Circuit, parts: Parts) -> str:
    """Every wire of a board, section by section."""
    joints = sum(wire.kind == JOINT for wire in circuit.wires)
    text = [
        f"# Wiring of {profile.name}: {profile.title}\n",
        _GENERATED,
        (
            f"{len(circuit.wires)} lines: {len(circuit.wires) - joints} wires and cables, "
            f"{joints} joints without a wire. "
            "Solder them in this order and tick them off. What a terminal is called:\n"
        ),
        markdown(("name", "is"), _legend(circuit)),
        _HOW_TO_READ,
    ]
    for section, title in SECTIONS.items():
        wires = [wire for wire in circuit.wires if wire.section == section]
        if wires:
            text += [f"## {title}\n", markdown(_COLUMNS, (_row(wire, circuit, parts) for wire in wires))]
    text += ["## Wire to cut, by kind and colour\n", markdown(("wire", "colour", "pieces", "metres"), _metres(circuit))]
    return "\n".join(text)


_GENERATED = "Made from the board's profile and `hardware/parts.toml` by `make hardware`; do not edit.\n"

_HOW_TO_READ = """\
Lengths are what to cut: the way along the walls and 30 mm for the ends. In ribbons a wire's colour tells the
connector's pin, brown is 1 and black is 10; among thicker wires red is 5 V and black is ground. A diode's *stripe*
end is its cathode. A reed's *lower* lead goes through the carrier, the sheet with a hole for each reed; its *upper*
lead comes down beside it by a copper wire in a white sleeve.
"""


def _row(wire: Wire, circuit: Circuit, parts: Parts) -> tuple[object, ...]:
    start, end = said(circuit, wire.start), said(circuit, wire.end)
    length = f"{wire.length:.0f}" if wire.length else "–"
    return f"W{wire.number}", start, end, wire.colour or "–", kind_said(wire.kind, parts), length, wire.note


def wiring_csv(circuit: Circuit, parts: Parts) -> str:
    """The same as a table for other programs."""
    head = ("wire", "section", "from", "from pin", "to", "to pin", "colour", "kind", "length mm", "remark")
    return comma_separated(
        head,
        (
            (
                f"W{w.number}",
                w.section,
                w.start,
                _pin(circuit, w.start),
                w.end,
                _pin(circuit, w.end),
                w.colour,
                kind_said(w.kind, parts),
                f"{w.length:.0f}",
                w.note,
            )
            for w in circuit.wires
        ),
    )


def _pin(circuit: Circuit, terminal: Terminal) -> object:
    return pin_number(circuit.components[terminal.ref].part, terminal.pin) or ""


def _legend(circuit: Circuit) -> Iterable[tuple[str, str]]:
    several: dict[str, list[Component]] = defaultdict(list)
    for component in circuit.components.values():
        several[_family(component)].append(component)
    return ((name, _meaning(name, components)) for name, components in several.items())


def _family(component: Component) -> str:
    if component.cell is not None:
        return f"{component.ref[0]}:CELL"
    if not component.part:
        return f"T{component.ref[1]}n{component.ref[-1]}"
    return component.ref


def _meaning(name: str, components: Sequence[Component]) -> str:
    part, at = components[0].part, components[0].at
    if name.endswith(":CELL"):
        return f"the {_PART_WORDS[part]} of each cell, such as {components[0].ref}"
    if not part:
        side = "left" if name[1] == "L" else "right"
        return f"where row n's wire meets the thick one at the {side} edge, {'5 V' if name[-1] == '+' else 'ground'}"
    return f"{_PART_WORDS[part]}; {at}"


_PART_WORDS: Mapping[str, str] = {
    "reed": "reed",
    "diode": "diode 1N4148",
    "rgb_lamp": "RGB lamp",
    "led": "LED",
    "ceramic": "capacitor 100 nF",
    "tantalum": "capacitor 10 uF",
    "bulk": "capacitor 1000 uF",
    "max7219": "MAX7219",
    "dice_module": "8x8 module with MAX7219",
    "digit": "seven-segment digit",
    "shifter": "level shifter 74AHCT125",
    "pico": "Raspberry Pi Pico",
    "pi": "Raspberry Pi",
    "button": "lit button",
    "supply_4a": "plug-in supply 5 V 4 A",
    "supply_3a": "plug-in supply 5 V 3 A",
    "fuse": "fuse 5 A in its holder",
    "pptc": "self-resetting fuse 1.6 A of the lamps",
    "tvs": "suppressor diode SMBJ5.0A",
    "terminal": "screw terminal for the supply",
    "bus_bar": "bar with five ways, all joined",
    "usb_power": "power cable of the Pi",
    "usb_data": "USB cable",
    "resistor_220": "resistor 220 ohm",
    "resistor_330": "resistor 330 ohm",
    "resistor_10k": "resistor 10 kohm",
    "resistor_47k": "resistor 47 kohm",
    "resistor_27k": "resistor 27 kohm",
    "plug_3": "3-way connector",
    "plug_5": "5-way connector",
    "plug_6": "6-way connector",
    "plug_8": "8-way connector",
    "plug_9": "9-way connector",
    "plug_10": "10-way connector",
    "plug_12": "12-way connector",
}


def _metres(circuit: Circuit) -> Iterable[tuple[str, str, int, str]]:
    lengths: dict[tuple[str, str], list[float]] = defaultdict(list)
    for wire in circuit.wires:
        if wire.kind not in {JOINT, CABLE}:
            lengths[wire.kind, wire.colour].append(wire.length)
    return ((kind, colour, len(cut), f"{sum(cut) / 1000:.1f}") for (kind, colour), cut in sorted(lengths.items()))


# ----------------------------------------------------------------------------------------------- pins


def pins_page(profile: Profile, circuit: Circuit) -> str:
    """Every chip and connector, pin by pin."""
    text = [f"# Pins of {profile.name}: {profile.title}\n", _GENERATED, _PINS_READ]
    chips = circuit.of_part("pi", "pico", "shifter", "max7219", "digit")
    plugs = [component for component in circuit.components.values() if component.part.startswith("plug_")]
    buses = {f"{use.chip}{use.pin}": f"taken: {use.use}" for use in uses_of(profile)}
    for chip in chips:
        names = (*PINS[chip.part], *OFF_HEADER.get(chip.part, ()))
        rows = (_pin_row(circuit, Terminal(chip.ref, name), number, buses) for number, name in enumerate(names, 1))
        text += [f"## {chip.ref}: {_PART_WORDS[chip.part]} ({chip.at})\n", markdown(_PIN_HEAD, rows)]
    for plug in sorted(plugs, key=lambda plug: plug.ref):
        ways = int(plug.part.removeprefix("plug_"))
        rows = (_pin_row(circuit, Terminal(plug.ref, str(way)), way, {}) for way in range(1, ways + 1))
        text += [f"## {plug.ref}: {_PART_WORDS[plug.part]}, {_PLUG_WORDS[plug.ref]}\n", markdown(_PIN_HEAD, rows)]
    return "\n".join(text)


_PINS_READ = """\
Raspberry Pi: pin 1 is at the corner with the square pad, even pins lie at the board's edge. Pico: pin 1 is left of
the USB socket, seen from above with the socket up; counted down the left side and up the right one. Chips: pin 1 is
left of the notch, counted counter-clockwise. BCM and GP are the numbers that programs use.
"""
_PIN_HEAD = ("pin", "name", "use", "wires", "colour", "goes to")
_PLUG_WORDS: Mapping[str, str] = {
    "J2": "lamps",
    "J3": "dice or panel",
    "J4": "rows of the matrix",
    "J5": "columns of the matrix",
    "J6": "console",
}


def _pin_row(circuit: Circuit, terminal: Terminal, number: int, taken: Mapping[str, str]) -> tuple[object, ...]:
    wires = circuit.wires_at(terminal)
    place = (
        number
        if pin_number(circuit.components[terminal.ref].part, terminal.pin) or terminal.ref[0] == "J"
        else "socket"
    )
    if not wires:
        return place, terminal.pin, _unused(terminal.pin, taken), "–", "–", "–"
    others = [wire.end if wire.start == terminal else wire.start for wire in wires]
    colours = dict.fromkeys(wire.colour for wire in wires if wire.colour)
    uses = dict.fromkeys(wire.note for wire in wires if wire.note)
    use = "; ".join(uses) if len(uses) <= 2 else f"{next(iter(uses))}, and others"
    return (
        place,
        terminal.pin,
        use or terminal.pin,
        ", ".join(f"W{wire.number}" for wire in wires),
        ", ".join(colours) or "–",
        ", ".join(said(circuit, other) for other in others),
    )


def _unused(pin: str, taken: Mapping[str, str]) -> str:
    """What to say of a pin without a wire."""
    if pin in {"BCM0", "BCM1"}:
        return "belongs to the EEPROM of a HAT: leave open"
    if pin in taken:
        return f"{taken[pin]}: leave open"
    return "free: leave open" if pin.startswith(("BCM", "GP")) else "not used: leave open"


# ---------------------------------------------------------------------------------------------- cells


def cells_csv(profile: Profile, plan: Plan, circuit: Circuit) -> str:
    """Every cell with everything that is known of it."""
    head = (
        "cell",
        "x mm",
        "y mm",
        "switch",
        "row",
        "column",
        "row colour",
        "column colour",
        "lamp",
        "lamp x mm",
        "lamp y mm",
        "reed and diode",
        "row wires",
        "column wires",
        "lamp wires",
    )
    return comma_separated(head, (_cell_row(cell, profile, plan, circuit) for cell in _by_switch(profile)))


def _by_switch(profile: Profile) -> tuple[Cell, ...]:
    switches = profile.layout.switches
    return tuple(sorted(switches, key=lambda cell: switches[cell]))


def _cell_row(cell: Cell, profile: Profile, plan: Plan, circuit: Circuit) -> tuple[object, ...]:
    reader = profile.reader
    width = 16 if isinstance(reader, Expander) else len(reader.matrix.columns)
    row, column = divmod(profile.layout.switches[cell], width)
    wires = {
        what: circuit.wires_at(terminal)
        for what, terminal in (
            ("joint", Terminal(f"S:{cell}", "lower")),
            ("row", Terminal(f"S:{cell}", "upper")),
            ("column", Terminal(f"D:{cell}", "plain")),
        )
    }
    lamp = tuple(wire for wire in circuit.wires if f"L:{cell}" in {wire.start.ref, wire.end.ref} and wire.kind != JOINT)
    return (
        cell,
        *plan.cells[cell],
        profile.layout.switches[cell],
        row,
        column,
        wires["row"][0].colour,
        wires["column"][0].colour,
        profile.layout.lamps[cell],
        *plan.lamps[cell],
        *(_numbers(some) for some in (*wires.values(), lamp)),
    )


def _numbers(wires: Iterable[Wire]) -> str:
    return " ".join(f"W{wire.number}" for wire in wires)
