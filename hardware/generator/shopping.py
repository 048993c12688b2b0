"""Shopping: what to buy for one board, with spares, substitutes and estimated prices.

Components of the circuit are counted; what the circuit doesn't know is counted here by the plan: sheets, screws,
magnets, wire by the metre. Prices are estimates; whoever buys sees the real ones.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from types import MappingProxyType

from hardware.generator.circuit import CABLE, JOINT, Circuit
from hardware.generator.headers import pin_number
from hardware.generator.parts import Parts
from hardware.generator.plan import Plan
from hardware.generator.tables import comma_separated

PIECES = 64
"""Pieces of a square board: Diablo begins with one on each of 64 cells, half of them of each colour."""
LARGER = 0.82
"""The share of all cells that one colour of Herd held at most, in nine of ten random games on 61 cells."""

RETURN = 0.03
"""Metres of copper wire that come down from the upper lead of a reed."""
SLEEVED = 0.02
"""Metres of it that stand beside the glass and in the carrier, in a sleeve."""
FEET = 8
"""Rubber feet: four below the plate, four below the console."""
CONSOLE_SCREWS = 4
_ROLLS = frozenset({"sleeve", "copper_wire"})
"""What is counted in metres."""
# What every board needs once, whatever its cells.
_ONE_EACH = (
    "veneer",
    "strip_board",
    "top",
    "carrier_sheet",
    "base_sheet",
    "console_sheet",
    "foil",
    "heat_shrink",
    "glue",
    "filament",
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of what to buy."""

    key: str
    name: str
    numbers: str
    used: float
    buy: float
    unit: str
    price: float
    """Of all of them, US dollars, estimated."""
    instead: str


def used_parts(plan: Plan, circuit: Circuit) -> Mapping[str, int]:
    """How many of each part a board is made of."""
    counted = Counter(component.part for component in circuit.components.values() if component.part)
    pieces = pieces_of(plan)
    counted.update({"magnet": pieces, "piece": pieces, "felt": pieces})
    counted["reed_holder"] = len(plan.cells)
    counted.update(_ONE_EACH)
    counted["walls" if plan.rectangular else "printed_walls"] = 1
    counted.update({"screw": len(plan.screws), "spacer": len(plan.screws), "spacer_15": len(plan.screws)})
    counted.update({"console_screw": CONSOLE_SCREWS, "foot": FEET})
    counted.update({"copper_wire": ceil(len(plan.cells) * RETURN), "sleeve": ceil(len(plan.cells) * SLEEVED)})
    chips = len(circuit.of_part("max7219"))
    counted.update({"socket_24": chips, "driver_board": chips, "socket_14": len(circuit.of_part("shifter"))})
    # A Pico stands in two strips.
    counted["socket_20"] = 2 * len(circuit.of_part("pico"))
    counted["header_contact"] = sum(
        end.ref == "P1" and pin_number("pi", end.pin) is not None
        for wire in circuit.wires
        for end in (wire.start, wire.end)
    )
    counted["usb_data"] = len(circuit.of_part("pico"))
    return MappingProxyType({part: number for part, number in counted.items() if number})


def pieces_of(plan: Plan) -> int:
    """How many pieces the board's games want, both colours together."""
    return 2 * round(LARGER * len(plan.cells)) if plan.hexagons else PIECES


def shopping_list(plan: Plan, circuit: Circuit, parts: Parts) -> tuple[Line, ...]:
    """Everything to buy for a board."""
    used = used_parts(plan, circuit)
    return (*_pieces(used, parts), *_wire(circuit, parts))


def _pieces(used: Mapping[str, int], parts: Parts) -> Iterator[Line]:
    for key, part in parts.parts.items():
        if number := used.get(key, 0):
            buy = part.to_buy(number)
            unit = "m" if key in _ROLLS else ""
            yield Line(key, part.name, " / ".join(part.numbers), number, buy, unit, buy * part.price, part.instead)


def _wire(circuit: Circuit, parts: Parts) -> Iterator[Line]:
    lengths: dict[tuple[str, str], float] = defaultdict(float)
    for wire in circuit.wires:
        if wire.kind not in {JOINT, CABLE}:
            lengths[wire.kind, wire.colour] += wire.length / 1000
    for (kind, colour), metres in sorted(lengths.items()):
        wire = parts.wires[kind]
        buy = ceil(metres * (1 + parts.rule("wire_rules", "spare")))
        yield Line(
            f"{kind} {colour}", f"{wire.name}, {colour}", "", round(metres, 2), buy, "m", buy * wire.price, "thicker"
        )


def shopping_csv(lines: tuple[Line, ...]) -> str:
    """The list as a table."""
    head = ("part", "name", "part numbers", "used", "buy", "spare", "unit", "price estimate USD", "instead")
    rows = [
        (
            line.key,
            line.name,
            line.numbers,
            f"{line.used:g}",
            f"{line.buy:g}",
            f"{round(line.buy - line.used, 2):g}",
            line.unit or "pieces",
            f"{line.price:.2f}",
            line.instead,
        )
        for line in lines
    ]
    total = sum(line.price for line in lines)
    return comma_separated(head, [*rows, ("total", "all of it, estimated", "", "", "", "", "", f"{total:.2f}", "")])
