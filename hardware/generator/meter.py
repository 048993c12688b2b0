"""Meter: what an instrument must read on a board that is built, pin by pin, before it is trusted.

Expected values come from the circuit and the list of parts; what another reading means stands in ``bring-up.md``.
Power is off and the Pi and the Pico are unplugged unless a line says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator

from hardware.generator.boards import Board
from hardware.generator.circuit import Component, Terminal
from hardware.generator.headers import pin_number
from hardware.generator.tables import markdown
from hardware.generator.wiring import RIBBON
from reedlight.board.profile import Expander, Matrix, Ws2812

_Row = tuple[str, str, str]


def meter_page(board: Board) -> str:
    """Every reading of a board as a page."""
    reader = board.profile.reader
    lines = Matrix((), ()) if isinstance(reader, Expander) else reader.matrix
    parts = [
        f"# Meter readings of {board.profile.name}: {board.profile.title}\n",
        (
            "Made from the board's profile and `hardware/parts.toml` by `make hardware`; do not edit. Power off, "
            "Pi and Pico "
            "unplugged, no piece on the board, unless a line says otherwise. Tests of the running board: "
            "[`bring-up.md`](../bring-up.md).\n"
        ),
    ]
    for title, rows in (
        ("Supply", _supply()),
        ("Rows and columns", _matrix(board, lines)),
        ("Each cell, on the diode range, a magnet on the cell", _cells(board, lines)),
        ("Shifter and signals", _signals(board)),
        ("Buttons and their lamps", _buttons(board)),
        ("Lamps", _lamps(board)),
    ):
        parts += [f"## {title}\n", markdown(("between", "and", "must read"), rows)]
    return "\n".join(parts)


def _supply() -> Iterator[_Row]:
    yield "J1.plus", "X+ bar", "below 1 ohm: the fuse F1 is whole"
    yield "X+ bar", "X- bar", "above 1 kohm, once the capacitor has charged"
    yield "X+ bar", "C1.plus", "below 1 ohm: F2, cold"
    yield (
        "D1.plain (black lead at D1.stripe)",
        "D1.stripe",
        "0.4 to 0.8 V on the diode range with red at the plain end; nothing the other way",
    )
    yield "J1.plus", "J1.minus", "4.9 to 5.2 V, power on, nothing else connected"
    yield "C1.plus", "C1.minus", "power on: within 0.1 V of J1"
    yield "U2.VCC (pin 14)", "U2.GND (pin 7)", "power on: 4.75 to 5.25 V"


def _matrix(board: Board, lines: Matrix) -> Iterator[_Row]:
    for number in range(len(lines.rows)):
        others = f"J4.1 to J4.{len(lines.rows)}, each other one"
        yield f"J4.{number + 1} ({RIBBON[number]}, row {number})", others, "above 1 Mohm"
    pull = board.circuit.of_part("resistor_47k")
    for number in range(len(lines.columns)):
        others = f"J5.1 to J5.{len(lines.columns)}, each other one"
        said = "94 kohm, two pull-ups in series (89 to 99)" if pull else "above 1 Mohm"
        yield f"J5.{number + 1} ({RIBBON[number]}, column {number})", others, said
    yield "J4.9", "J5.9 and J5.10", "below 1 ohm with the computer plugged in: the ground in the ribbons"
    yield "any pin of J4 or J5", "X+ bar, X- bar", "above 1 Mohm"
    if pull:
        for number, pin in enumerate(lines.columns):
            place = pin_number("pico", f"GP{pin}")
            yield f"U1.GP{pin} (pin {place})", f"J5.{number + 1}", "220 ohm"
            yield f"U1.GP{pin} (pin {place})", "U1.3V3 (pin 36)", "47 kohm, Pico out of its socket"


def _cells(board: Board, lines: Matrix) -> Iterator[_Row]:
    diode = board.parts.of("diode")
    low, high = diode.number("drop") - 0.07, diode.number("drop") + 0.18
    wide = len(lines.columns)
    for cell, switch in sorted(board.profile.layout.switches.items(), key=lambda pair: pair[1]):
        row, column = divmod(switch, wide)
        yield (
            f"red lead J5.{column + 1} ({RIBBON[column]})",
            f"black lead J4.{row + 1} ({RIBBON[row]})",
            f"{cell}: {low:.2f} to {high:.2f} V with a piece on {cell}; open without it, open with the leads exchanged",
        )


def _signals(board: Board) -> Iterator[_Row]:
    for resistor in board.circuit.of_part("resistor_10k"):
        number = int(resistor.ref.removeprefix("RD"))
        place = pin_number("shifter", f"{number}A")
        yield f"U2.{number}A (pin {place})", "X- bar", f"10 kohm ({resistor.ref})"
    for number in range(1, 5):
        yield f"U2.{number}OE (pin {pin_number('shifter', f'{number}OE')})", "X- bar", "below 1 ohm: output on"
    yield "each used output of U2", "X- bar", "power on, Pi holds the line high: above 4.4 V"
    if any(component.ref == "RS" for component in board.circuit.of_part("resistor_330")):
        yield "U2.1Y (pin 3)", "J2.2", "330 ohm (RS)"
    for resistor in board.circuit.of_part("resistor_27k"):
        chip = f"U{resistor.ref[-1]}"
        yield f"{chip}.ISET (pin 18)", f"{chip}.V+ (pin 19)", f"27 kohm ({resistor.ref}), chip out of its socket"
        yield f"{chip}.GND (pin 4)", f"{chip}.GND (pin 9)", "below 1 ohm"


def _buttons(board: Board) -> Iterator[_Row]:
    for button in board.circuit.of_part("button"):
        contact = _way(board, Terminal(button.ref, "contact-1"))
        name = button.ref.removeprefix("B:").upper()
        yield contact, "X- bar", f"{name}: open; below 1 ohm while it is pressed"
        yield from _button_lamp(board, button, name)


def _button_lamp(board: Board, button: Component, name: str) -> Iterator[_Row]:
    plus = board.circuit.wires_at(Terminal(button.ref, "lamp-plus"))
    if plus:
        yield (
            f"red lead {button.ref}.lamp-plus",
            f"black lead {button.ref}.lamp-minus",
            f"{name}: its lamp glows on the diode range, 1.6 to 2.1 V",
        )


def _way(board: Board, terminal: Terminal) -> str:
    wire = board.circuit.wires_at(terminal)[0]
    return f"{wire.start} ({wire.colour})"


def _lamps(board: Board) -> Iterator[_Row]:
    lamps = board.profile.lamps
    if isinstance(lamps, Ws2812):
        dark = 1000 * lamps.count * board.parts.of("rgb_lamp").number("dark")
        yield "J2.1", "J2.3", f"ammeter in the plus lead, no data: {dark * 0.6:.0f} to {dark * 1.4:.0f} mA"
        yield "J2.1", "J2.3", f"at the program's cap: below {board.profile.power.led_cap + 0.1:.1f} A"
        yield "5 V of the last lamp", "ground of the last lamp", "every lamp at the cap: above 4.7 V"
        first = min(board.profile.layout.lamps, key=lambda cell: board.profile.layout.lamps[cell])
        yield "J2.2", f"L:{first}.DIN", "below 1 ohm"
        return
    yield (
        "red lead at U4.SEG-x",
        "black lead at U4.DIG-n",
        "chip out of its socket, diode range: that one lamp glows, 1.6 to 2.1 V; nothing with the leads exchanged",
    )
    yield (
        "J2.1",
        "J2.2",
        (
            "ammeter in the plus lead, every lamp lit: below "
            f"{1000 * board.parts.of('max7219').number('all_lit'):.0f} mA a chip"
        ),
    )
