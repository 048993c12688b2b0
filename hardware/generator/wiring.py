"""Wiring: from a profile and the plan to the circuit, wire by wire, in the order in which it is soldered.

    supply    5 V from the plug over the fuse to the bars, and from there to the Pi, the chips and the lamps
    cells     in every cell: reed, diode and, on boards with a string, the lamp's capacitor
    rows      one wire along the reeds of a row of the matrix, from J4
    columns   one wire along the diodes of a column, from J5
    string    the lamps' data from lamp to lamp, their 5 V and ground from both sides      (RGB)
    field     segments along rows and digits along columns from a MAX7219 at the edge      (one colour)
    console   buttons, their lamps and the dice, from J6 and J3

A reed stands upright. Its lower lead meets the diode's striped end; the diode's plain end is soldered to the
column's wire. Its upper lead goes down by a copper wire in a white sleeve and on to the row's wire.

The matrix has a ground of its own: on a board with a Pico it meets the others in the USB cable alone, so that
no lamp's current flows through it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil, dist
from types import MappingProxyType

from hardware.generator.circuit import CABLE, JOINT, Circuit, Component, Terminal, Wire
from hardware.generator.headers import clock_pin, data_pin, select_pin
from hardware.generator.parts import Parts
from hardware.generator.plan import Plan, Point
from reedlight.board.geometry import rows_of
from reedlight.board.kinds import SEGMENTS
from reedlight.board.profile import (
    BUTTONS,
    ConfigError,
    DiceDigits,
    DiceModules,
    Expander,
    Max7219,
    Pico,
    PicoPins,
    PiPins,
    Profile,
    Segments,
    Ws2812,
)
from reedlight.board.profile import Matrix as Lines
from reedlight.core.grid import Cell

RIBBON = ("brown", "red", "orange", "yellow", "green", "blue", "violet", "grey", "white", "black")
"""The colours of a ten-wire ribbon: the wire's colour tells the connector's pin, brown is 1."""
DATA, CLOCK, LOAD = "green", "yellow", "white"
SECTIONS: Mapping[str, str] = MappingProxyType(
    {
        "supply": "Supply and protection",
        "control": "On the control board",
        "pi": "From the Pi's header",
        "cells": "In the cells: reed, diode, capacitor",
        "rows": "Row wires of the matrix, from J4",
        "columns": "Column wires of the matrix, from J5",
        "string": "The lamps' data, from J2",
        "lamp 5 V": "The lamps' 5 V, from both sides",
        "lamp ground": "The lamps' ground, from both sides",
        "segments": "The lamps' segment wires (plus), from chip U4",
        "digits": "The lamps' digit wires (minus), from chip U4",
        "console": "Console: buttons, their lamps, dice",
    }
)
"""Every part of the work by its short name, in the order of the work."""

# Millimetres of a wire on the control board, and from the Pi's header to it.
_BOARD = "control board"
_ON_BOARD = 40.0
_TO_PI = 300.0
# How far the lamps' feeding wires lie inside the plate's left and right edge.
_TRUNK_IN = 15.0
_STEP = 5.0
# Ways of J4 and J5 for lines of the matrix.
_LINES = 8
_SCREEN = "ground that runs along in the ribbon and ends there"


def circuit_of(profile: Profile, plan: Plan, parts: Parts) -> Circuit:
    """Everything to solder for a board. Raises ConfigError for one that is built in a way not known here."""
    if isinstance(profile.reader, Expander):
        raise ConfigError(f"{profile.name}: scan.by: there are no tables for boards whose switches hang on expanders")
    _refuse(profile, profile.reader.matrix)
    bench = _Bench(profile, plan, parts.rule("wire_rules", "at_ends"))
    _supply(bench)
    _brains(bench, profile.reader.matrix)
    _matrix(bench, profile.reader.matrix)
    if isinstance(profile.lamps, Ws2812):
        _string(bench)
    if plan.driver is not None:
        _field(bench, plan.driver)
    _console(bench)
    return bench.circuit()


def _refuse(profile: Profile, lines: Lines) -> None:
    """What no table is made for, by the key that says it."""
    reasons = (
        ("scan.rows", max(len(lines.rows), len(lines.columns)) > _LINES, f"matrices of more than {_LINES} lines"),
        ("lamps", profile.lamps is None, "boards without lamps"),
        (
            "lamps.chips",
            isinstance(profile.lamps, Max7219) and profile.lamps.chips > 1,
            "several chips under the cells",
        ),
        ("buttons.on", isinstance(profile.buttons, PicoPins), "buttons on a Pico"),
        ("button_lamps.on", isinstance(profile.button_lamps, PicoPins), "lamps of buttons on a Pico"),
        (
            "dice.on",
            isinstance(profile.dice, DiceDigits if isinstance(profile.lamps, Ws2812) else DiceModules),
            "digits beside an RGB string, or for modules beside lamps of one colour",
        ),
    )
    for key, refused, what in reasons:
        if refused:
            raise ConfigError(f"{profile.name}: {key}: there are no tables for {what}")


# ---------------------------------------------------------------------------------------------- bench


@dataclass(slots=True)
class _Bench:
    """Where a circuit is put together."""

    profile: Profile
    plan: Plan
    at_ends: float
    components: dict[str, Component] = field(default_factory=dict[str, Component])
    wires: list[Wire] = field(default_factory=list[Wire])

    def part(self, ref: str, part: str, at: str, place: Point, cell: Cell | None = None) -> None:
        """A component in its place."""
        self.components[ref] = Component(ref, part, at, place, cell)

    def on_board(self, ref: str, part: str) -> None:
        """A component on the soldering board."""
        self.part(ref, part, _BOARD, self.plan.control)

    def wire(
        self, section: str, start: str, end: str, colour: str, kind: str = "thin", note: str = "", length: float = 0
    ) -> None:
        """A wire between two terminals, each written ``part.pin``; its length by the plan if none is given."""
        one, other = _terminal(start), _terminal(end)
        cut = 0.0 if kind == JOINT else length or self._way(one, other)
        number = len(self.wires) + 1
        self.wires.append(Wire(number, section, one, other, colour if kind != JOINT else "", kind, cut, note))

    def joint(self, section: str, start: str, end: str, note: str = "") -> None:
        """Two ends soldered to each other."""
        self.wire(section, start, end, "", JOINT, note)

    def _way(self, one: Terminal, other: Terminal) -> float:
        start, end = self.components[one.ref], self.components[other.ref]
        if {start.at, end.at} == {_BOARD}:
            return _ON_BOARD
        if "Pi" in {start.at, end.at}:
            return _TO_PI
        # Wires follow walls: along one edge, then along the other; between neighbours they go straight.
        across = abs(start.place[0] - end.place[0]) + abs(start.place[1] - end.place[1])
        both_cells = start.cell is not None and end.cell is not None
        way = dist(start.place, end.place) if both_cells else across
        return _STEP * ceil((way + self.at_ends) / _STEP - 1e-9)

    def circuit(self) -> Circuit:
        """What has been put together, numbered in the order of the work."""
        order = list(SECTIONS)
        wires = sorted(self.wires, key=lambda wire: (order.index(wire.section), wire.number))
        return Circuit(
            self.profile.name,
            MappingProxyType(self.components),
            tuple(
                Wire(number, w.section, w.start, w.end, w.colour, w.kind, w.length, w.note)
                for number, w in enumerate(wires, 1)
            ),
        )


def _terminal(text: str) -> Terminal:
    ref, _, pin = text.rpartition(".")
    return Terminal(ref, pin)


def _nearest_first(cells: Iterable[Cell], plan: Plan, start: Point) -> tuple[Cell, ...]:
    """The cells as a wire visits them that always goes on to the nearest."""
    left, here, found = set(cells), start, list[Cell]()
    while left:
        # Ties go to the lower, then the left cell, so that the same board always gives the same wire.
        cell = min(left, key=lambda to: (round(dist(plan.cells[to], here), 3), plan.cells[to][::-1]))
        left.remove(cell)
        found.append(cell)
        here = plan.cells[cell]
    return tuple(found)


# --------------------------------------------------------------------------------------------- supply


def _supply(bench: _Bench) -> None:
    """The plug, the fuse, the bars, and what hangs on them."""
    plan = bench.plan
    big = bench.profile.power.supply >= 4
    bench.part("PS", "supply_4a" if big else "supply_3a", "on the floor", plan.entry)
    bench.part("J1", "terminal", "console, right end", plan.entry)
    bench.part("F1", "fuse", "console, right end", plan.entry)
    bench.part("X+", "bus_bar", "console, right", plan.bars)
    bench.part("X-", "bus_bar", "console, right", plan.bars)
    bench.part("P1", "pi", "Pi", plan.pi)
    bench.part("KP", "usb_power", "Pi", plan.pi)
    bench.on_board("U2", "shifter")
    bench.on_board("C2", "ceramic")
    for ref, part in (("F2", "pptc"), ("D1", "tvs"), ("C1", "bulk")):
        bench.on_board(ref, part)
    wire = bench.wire
    wire("supply", "PS.plus", "J1.plus", "red", CABLE, "the supply's own lead; measure which end is plus", 1000)
    wire("supply", "PS.minus", "J1.minus", "black", CABLE, "the supply's own lead", 1000)
    wire("supply", "J1.plus", "F1.1", "red", "thick", "fuse first: nothing else at J1 plus")
    wire("supply", "F1.2", "X+.bar-1", "red", "thick")
    wire("supply", "J1.minus", "X-.bar-1", "black", "thick")
    across = dist(plan.bars, plan.pi)
    to_pi = _STEP * ceil((across + _TO_PI) / _STEP)
    wire("supply", "X+.bar-2", "KP.plus", "red", CABLE, "the free end of the Pi's power cable", to_pi)
    wire("supply", "X-.bar-2", "KP.minus", "black", CABLE, "the free end of the Pi's power cable", to_pi)
    wire("supply", "KP.plug-plus", "P1.POWER-plus", "", CABLE, "the plug: into the Pi's power socket, not its header")
    wire("supply", "KP.plug-minus", "P1.POWER-minus", "", CABLE, "the same plug")
    bench.joint("supply", "KP.plus", "KP.plug-plus", "one wire of the cable, as bought")
    bench.joint("supply", "KP.minus", "KP.plug-minus", "one wire of the cable, as bought")
    wire("supply", "X+.bar-3", "U2.VCC", "red", "middle", "5 V of the shifter")
    wire("supply", "X-.bar-3", "U2.GND", "black", "middle")
    wire("supply", "X+.bar-4", "F2.1", "red", "thick", "the lamps' branch begins here")
    wire("supply", "X-.bar-4", "C1.minus", "black", "thick", "the side with the minus stripe")
    wire("supply", "F2.2", "C1.plus", "red", "thick", "the long lead; behind the lamps' fuse")
    bench.joint("supply", "D1.stripe", "C1.plus", "the stripe goes to plus")
    bench.joint("supply", "D1.plain", "C1.minus")
    bench.joint("supply", "C2.1", "U2.VCC", "right beside the chip")
    bench.joint("supply", "C2.2", "U2.GND", "right beside the chip")


# ----------------------------------------------------------------------------------- Pi, Pico, shifter


def _brains(bench: _Bench, lines: Lines) -> None:
    """The computers and the shifter, up to the connectors."""
    bench.on_board("J4", "plug_9")
    bench.on_board("J5", "plug_10")
    if isinstance(bench.profile.reader, Pico):
        _pico(bench, lines)
    else:
        _matrix_on_pi(bench, lines)
    _shifter(bench)


def _pico(bench: _Bench, lines: Lines) -> None:
    bench.on_board("U1", "pico")
    bench.wire("pi", "P1.USB", "U1.USB", "", CABLE, "the USB cable; its ground is the only one the matrix has", 300)
    for number, pin in enumerate(lines.rows):
        bench.wire("control", f"U1.GP{pin}", f"J4.{number + 1}", RIBBON[number], note=f"row {number}")
    bench.wire("control", "U1.GND-8", "J4.9", "black", note=_SCREEN)
    for number, pin in enumerate(lines.columns):
        bench.on_board(f"RC{number}", "resistor_220")
        bench.on_board(f"RU{number}", "resistor_47k")
        bench.wire("control", f"U1.GP{pin}", f"RC{number}.1", RIBBON[number], note=f"column {number}")
        bench.wire("control", f"RC{number}.2", f"J5.{number + 1}", RIBBON[number], note=f"column {number}")
        bench.joint("control", f"RU{number}.1", f"RC{number}.1", f"pull-up of column {number}, at the Pico's side")
        bench.wire("control", f"RU{number}.2", "U1.3V3", "orange", note="3.3 V from the Pico's pin 36")
    bench.wire("control", "U1.GND-18", "J5.9", "white", note=_SCREEN)
    bench.wire("control", "U1.GND-23", "J5.10", "black", note=_SCREEN)


def _matrix_on_pi(bench: _Bench, lines: Lines) -> None:
    for number, pin in enumerate(lines.rows):
        bench.wire("pi", f"P1.BCM{pin}", f"J4.{number + 1}", RIBBON[number], note=f"row {number}")
    bench.wire("pi", "P1.GND-14", "J4.9", "black", note=_SCREEN)
    for number, pin in enumerate(lines.columns):
        bench.wire("pi", f"P1.BCM{pin}", f"J5.{number + 1}", RIBBON[number], note=f"column {number}")
    bench.wire("pi", "P1.GND-20", "J5.9", "white", note=_SCREEN)
    bench.wire("pi", "P1.GND-34", "J5.10", "black", note=_SCREEN)


def _signals(profile: Profile) -> tuple[tuple[str, str, str], ...]:
    """What goes to 5 V through the shifter: the Pi's pin, what it carries, the colour of its wire."""
    found: list[tuple[str, str, str]] = []
    if isinstance(profile.lamps, Ws2812):
        found.append((data_pin(profile.lamps.spi), "string", DATA))
    chain = profile.lamps if isinstance(profile.lamps, Max7219) else profile.dice
    if isinstance(chain, Max7219 | DiceModules | DiceDigits):
        spi = chain.spi
        found += [(data_pin(spi), "DIN", DATA), (clock_pin(spi), "CLK", CLOCK), (select_pin(spi), "LOAD", LOAD)]
    return tuple(found)


def _shifter(bench: _Bench) -> None:
    bench.wire("pi", "P1.GND-39", "U2.GND", "black", "middle", "ground strap: the shortest way", 150)
    for number in range(1, 5):
        bench.wire("control", f"U2.{number}OE", "U2.GND", "black", note="output always on", length=20)
    for number, (pin, what, colour) in enumerate(_signals(bench.profile), 1):
        bench.on_board(f"RD{number}", "resistor_10k")
        bench.wire("pi", f"P1.{pin}", f"U2.{number}A", colour, note=what)
        bench.joint("control", f"RD{number}.1", f"U2.{number}A", "keeps the input low while the Pi starts")
        bench.wire("control", f"RD{number}.2", "U2.GND", "black")
    for number in range(len(_signals(bench.profile)) + 1, 5):
        bench.wire("control", f"U2.{number}A", "U2.GND", "black", note="not used: an input must not float", length=20)


def _shifted(bench: _Bench, what: str) -> str:
    """The shifter's output that carries a signal."""
    numbers = {signal: number for number, (_, signal, _) in enumerate(_signals(bench.profile), 1)}
    return f"U2.{numbers[what]}Y"


# --------------------------------------------------------------------------------------------- matrix


def _matrix(bench: _Bench, lines: Lines) -> None:
    plan, width = bench.plan, len(lines.columns)
    switches = bench.profile.layout.switches
    for cell in sorted(switches, key=lambda cell: switches[cell]):
        at, place = f"cell {cell}", plan.cells[cell]
        bench.part(f"S:{cell}", "reed", at, place, cell)
        bench.part(f"D:{cell}", "diode", at, place, cell)
        bench.joint("cells", f"S:{cell}.lower", f"D:{cell}.stripe", "the stripe goes to the reed, the row's side")
    for row in range(len(lines.rows)):
        cells = [cell for cell, switch in switches.items() if switch // width == row]
        stops = [f"S:{cell}.upper" for cell in _nearest_first(cells, plan, plan.control)]
        _chain(bench, "rows", f"J4.{row + 1}", stops, RIBBON[row], f"row {row}")
    for column in range(width):
        cells = [cell for cell, switch in switches.items() if switch % width == column]
        stops = [f"D:{cell}.plain" for cell in _nearest_first(cells, plan, plan.control)]
        _chain(bench, "columns", f"J5.{column + 1}", stops, RIBBON[column], f"column {column}")


def _chain(
    bench: _Bench, section: str, start: str, stops: Sequence[str], colour: str, note: str, kind: str = "thin"
) -> None:
    """A wire from terminal to terminal."""
    for one, other in pairwise((start, *stops)):
        bench.wire(section, one, other, colour, kind, note)


# ------------------------------------------------------------------------------------------ RGB string


def _string(bench: _Bench) -> None:
    plan, lamps = bench.plan, bench.profile.layout.lamps
    along = sorted(lamps, key=lambda cell: lamps[cell])
    bench.on_board("J2", "plug_3")
    bench.on_board("RS", "resistor_330")
    for cell in along:
        bench.part(f"L:{cell}", "rgb_lamp", f"cell {cell}", plan.lamps[cell], cell)
        bench.part(f"C:{cell}", "ceramic", f"cell {cell}", plan.lamps[cell], cell)
        bench.joint("cells", f"C:{cell}.1", f"L:{cell}.5V", "across the lamp, unless its board has one")
        bench.joint("cells", f"C:{cell}.2", f"L:{cell}.GND", "across the lamp, unless its board has one")
    bench.wire("control", _shifted(bench, "string"), "RS.1", DATA, note="string")
    bench.wire("control", "RS.2", "J2.2", DATA, note="string")
    bench.wire("control", "C1.plus", "J2.1", "red", "thick", "5 V of the lamps, behind their fuse")
    bench.wire("control", "C1.minus", "J2.3", "black", "thick")
    bench.wire("string", "J2.2", f"L:{along[0]}.DIN", DATA, note="twisted with the ground of J2")
    for one, other in pairwise(along):
        bench.wire("string", f"L:{one}.DOUT", f"L:{other}.DIN", DATA, note=f"lamp {lamps[one]} to {lamps[other]}")
    _feed(bench, "lamp 5 V", "J2.1", "5V", "red", "+")
    _feed(bench, "lamp ground", "J2.3", "GND", "black", "-")


def _feed(bench: _Bench, section: str, start: str, pin: str, colour: str, sign: str) -> None:
    """A thick wire up each side of the board; from both of them, thinner ones along every row of lamps."""
    plan, rows = bench.plan, rows_of(bench.profile.grid)
    for side, x in (("left", _TRUNK_IN), ("right", plan.width - _TRUNK_IN)):
        before = start
        for number, row in enumerate(rows, 1):
            tap = f"T{side[0].upper()}{number}{sign}"
            bench.part(tap, "", f"{side} edge, row {number}", (x, plan.lamps[row[0]][1]))
            bench.wire(section, before, f"{tap}.tap", colour, "thick", f"up the {side} side")
            before = f"{tap}.tap"
    for number, row in enumerate(rows, 1):
        stops = [f"L:{cell}.{pin}" for cell in row]
        _chain(
            bench,
            section,
            f"TL{number}{sign}.tap",
            [*stops, f"TR{number}{sign}.tap"],
            colour,
            f"row {number} of lamps",
            "middle",
        )


# ------------------------------------------------------------------------------------ one-colour field


def _field(bench: _Bench, edge: Point) -> None:
    plan, lamps = bench.plan, bench.profile.layout.lamps
    bench.on_board("J2", "plug_6")
    _driver(bench, "U4", "field edge", edge, "4")
    for number, (what, to, colour) in enumerate(
        (("DIN", "DIN", DATA), ("CLK", "CLK", CLOCK), ("LOAD", "LOAD", LOAD)), 3
    ):
        bench.wire("control", _shifted(bench, what), f"J2.{number}", colour, note=what)
        bench.wire("segments", f"J2.{number}", f"U4.{to}", colour, note=f"{what}: the chain's first chip")
    bench.wire("control", "C1.plus", "J2.1", "red", "middle", "5 V of the lamps, behind their fuse")
    bench.wire("control", "C1.minus", "J2.2", "black", "middle")
    bench.wire("segments", "J2.1", "U4.V+", "red", "middle")
    bench.wire("segments", "J2.2", "U4.GND-4", "black", "middle")
    bench.wire("segments", "U4.GND-4", "U4.GND-9", "black", "middle", "both grounds of the chip", 30)
    for cell in sorted(lamps, key=lambda cell: lamps[cell]):
        bench.part(f"L:{cell}", "led", f"cell {cell}", plan.lamps[cell], cell)
    colours: dict[str, str] = dict(zip(SEGMENTS, RIBBON, strict=False))
    for bit, segment in enumerate(SEGMENTS):
        cells = [cell for cell, lamp in lamps.items() if lamp % 8 == bit]
        stops = [f"L:{cell}.anode" for cell in _nearest_first(cells, plan, edge)]
        _chain(bench, "segments", f"U4.SEG-{segment}", stops, colours[segment], f"segment {segment}: the long leads")
    for digit in range(8):
        cells = [cell for cell, lamp in lamps.items() if lamp // 8 == digit]
        stops = [f"L:{cell}.cathode" for cell in _nearest_first(cells, plan, edge)]
        _chain(bench, "digits", f"U4.DIG-{digit}", stops, RIBBON[digit], f"digit {digit}: the short leads, flat side")


def _driver(bench: _Bench, ref: str, at: str, place: Point, tail: str) -> None:
    """A bare MAX7219 with what it needs around it."""
    section = "segments" if ref == "U4" else "console"
    bench.part(ref, "max7219", at, place)
    for name, part in ((f"CA{tail}", "ceramic"), (f"CB{tail}", "tantalum"), (f"RI{tail}", "resistor_27k")):
        bench.part(name, part, at, place)
    bench.joint(section, f"CA{tail}.1", f"{ref}.V+", "right beside the chip")
    bench.joint(section, f"CA{tail}.2", f"{ref}.GND-9", "right beside the chip")
    bench.joint(section, f"CB{tail}.plus", f"{ref}.V+", "the long lead")
    bench.joint(section, f"CB{tail}.minus", f"{ref}.GND-9", "the side with the minus stripe")
    bench.joint(section, f"RI{tail}.1", f"{ref}.ISET", "sets the lamps' current")
    bench.joint(section, f"RI{tail}.2", f"{ref}.V+", "sets the lamps' current")


# -------------------------------------------------------------------------------------------- console


def _console(bench: _Bench) -> None:
    profile = bench.profile
    if profile.buttons is not None:
        _buttons(bench, profile.buttons.pins)
    if isinstance(profile.dice, DiceModules):
        _modules(bench)
    if isinstance(profile.dice, DiceDigits):
        _digits(bench, profile.dice)


def _buttons(bench: _Bench, pins: Mapping[str, int]) -> None:
    lamps = bench.profile.button_lamps
    on_pins = isinstance(lamps, PiPins)
    bench.on_board("J6", "plug_12" if on_pins else "plug_8")
    names = [name for name in BUTTONS if name in pins]
    ground = 4 + (4 if on_pins else 0)
    for number, name in enumerate(names, 1):
        ref = f"B:{name}"
        bench.part(ref, "button", f"console, {name.upper()}", bench.plan.buttons[name])
        bench.wire("pi", f"P1.BCM{pins[name]}", f"J6.{number}", RIBBON[number - 1], note=f"button {name.upper()}")
        bench.wire("console", f"J6.{number}", f"{ref}.contact-1", RIBBON[number - 1], note=f"button {name.upper()}")
        bench.wire("console", f"J6.{ground + number}", f"{ref}.contact-2", "black", note=f"ground of {name.upper()}")
        bench.wire("control", f"J6.{ground + number}", "U2.GND", "black", note=f"ground of {name.upper()}")
        if isinstance(lamps, PiPins) and name in lamps.pins:
            _lamp_on_pin(bench, name, 4 + number, lamps.pins[name])


def _lamp_on_pin(bench: _Bench, name: str, way: int, pin: int) -> None:
    ref, resistor, colour = f"B:{name}", f"RL:{name}", RIBBON[way - 1]
    bench.on_board(resistor, "resistor_330")
    bench.wire("pi", f"P1.BCM{pin}", f"{resistor}.1", colour, note=f"lamp of {name.upper()}")
    bench.wire("control", f"{resistor}.2", f"J6.{way}", colour, note=f"lamp of {name.upper()}")
    bench.wire("console", f"J6.{way}", f"{ref}.lamp-plus", colour, note=f"lamp of {name.upper()}")
    bench.wire(
        "console", f"{ref}.lamp-minus", f"{ref}.contact-2", "black", note="ground, from contact to lamp", length=40
    )


def _modules(bench: _Bench) -> None:
    bench.on_board("J3", "plug_5")
    ways = (
        ("VCC", 1, "red", ""),
        ("GND", 2, "black", ""),
        ("DIN", 3, DATA, "DIN"),
        ("LOAD", 4, LOAD, "LOAD"),
        ("CLK", 5, CLOCK, "CLK"),
    )
    for number, place in enumerate(bench.plan.dice):
        bench.part(f"M{number + 1}", "dice_module", f"console, die {number + 1}", place)
    bench.wire("control", "X+.bar-5", "J3.1", "red", "middle", "5 V of the dice, not behind the lamps' fuse")
    bench.wire("control", "X-.bar-5", "J3.2", "black", "middle")
    for pin, way, colour, signal in ways:
        if signal:
            bench.wire("control", _shifted(bench, signal), f"J3.{way}", colour, note=f"{signal} of the dice")
        kind = "middle" if not signal else "thin"
        bench.wire("console", f"J3.{way}", f"M1.{pin}", colour, kind, f"{pin} of the left die")
        onward = "DOUT" if pin == "DIN" else pin
        bench.wire("console", f"M1.{onward}", f"M2.{pin}", colour, kind, "from the left die to the right one", 60)


def _digits(bench: _Bench, dice: DiceDigits) -> None:
    """The panel's chip with two digits and the lamps of the buttons, behind the field's chip on one chain."""
    lamps, middle = bench.profile.button_lamps, bench.plan.console_width / 2
    bench.on_board("J3", "plug_5")
    _driver(bench, "U5", "console, under the dice", (middle, bench.plan.control[1]), "5")
    bench.wire("segments", "U4.DOUT", "J2.6", DATA, note="on to the panel's chip")
    bench.wire("control", "J2.6", "J3.3", DATA, note="DIN of the panel, from the field's chip")
    bench.wire("control", "J2.4", "J3.5", CLOCK, note="CLK of the panel")
    bench.wire("control", "J2.5", "J3.4", LOAD, note="LOAD of the panel")
    bench.wire("control", "C1.plus", "J3.1", "red", "middle", "5 V of the panel, behind the lamps' fuse")
    bench.wire("control", "C1.minus", "J3.2", "black", "middle")
    for way, pin, colour, kind in (
        (1, "V+", "red", "middle"),
        (2, "GND-4", "black", "middle"),
        (3, "DIN", DATA, "thin"),
        (4, "LOAD", LOAD, "thin"),
        (5, "CLK", CLOCK, "thin"),
    ):
        bench.wire("console", f"J3.{way}", f"U5.{pin}", colour, kind, f"{pin} of the panel's chip")
    bench.wire("console", "U5.GND-4", "U5.GND-9", "black", "middle", "both grounds of the chip", 30)
    colours: dict[str, str] = dict(zip(SEGMENTS, RIBBON, strict=False))
    for number, (digit, place) in enumerate(zip(dice.digits, bench.plan.dice, strict=True), 1):
        ref = f"M{number}"
        bench.part(ref, "digit", f"console, die {number}", place)
        bench.wire(
            "console", f"U5.DIG-{digit}", f"{ref}.COM-3", RIBBON[digit], note=f"die {number}: its common cathode"
        )
        for segment in SEGMENTS:
            start = f"U5.SEG-{segment}" if number == 1 else f"M1.{segment}"
            bench.wire(
                "console", start, f"{ref}.{segment}", colours[segment], note=f"segment {segment} of die {number}"
            )
    if isinstance(lamps, Segments):
        _lamps_on_segments(bench, lamps, colours)


def _lamps_on_segments(bench: _Bench, lamps: Segments, colours: Mapping[str, str]) -> None:
    before = f"U5.DIG-{lamps.digit}"
    for name in (name for name in BUTTONS if name in lamps.bits):
        segment, ref = SEGMENTS[lamps.bits[name]], f"B:{name}"
        bench.wire("console", f"U5.SEG-{segment}", f"{ref}.lamp-plus", colours[segment], note=f"lamp of {name.upper()}")
        bench.wire(
            "console", before, f"{ref}.lamp-minus", RIBBON[lamps.digit], note=f"digit {lamps.digit}: the lamps' minus"
        )
        before = f"{ref}.lamp-minus"
