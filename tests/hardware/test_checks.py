"""Every check finds the mistake it is for, on a board that is right but for that one thing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any

import pytest
from hardware.generator import checks
from hardware.generator.boards import BOARDS, Board, board_of, built
from hardware.generator.circuit import Component, Terminal, Wire
from hardware.generator.cutting import templates
from hardware.generator.drawing import Circle, Sheet
from hardware.generator.overlay import outlines
from hardware.generator.parts import Parts
from hardware.generator.shopping import shopping_list, used_parts
from hardware.magnetics.margins import margins

from reedlight.board.profile import Gpio, Matrix
from reedlight.core.grid import Cell, hexhex


@cache
def board(name: str) -> Board:
    return board_of(name)


OAK, BUDGET, HEX = BOARDS


def rewired(of: Board, change: Callable[[Wire], Wire | None]) -> Board:
    """The board with every wire as ``change`` leaves it, or without it."""
    wires = tuple(after for wire in of.circuit.wires if (after := change(wire)) is not None)
    return replace(of, circuit=replace(of.circuit, wires=wires))


def end(of: Board, start: str, old: str, new: str) -> Board:
    """The board with one wire ending somewhere else."""
    changed = [wire for wire in of.circuit.wires if (str(wire.start), str(wire.end)) == (start, old)]
    assert len(changed) == 1, f"{start} to {old}"
    return rewired(of, lambda wire: replace(wire, end=terminal(new)) if wire is changed[0] else wire)


def cut(of: Board, start: str, old: str) -> Board:
    """The board without one wire."""
    left = rewired(of, lambda wire: None if (str(wire.start), str(wire.end)) == (start, old) else wire)
    assert len(left.circuit.wires) == len(of.circuit.wires) - 1, f"{start} to {old}"
    return left


def added(of: Board, start: str, other: str) -> Board:
    """The board with one wire more."""
    wire = Wire(999, "control", terminal(start), terminal(other), "blue", "thin", 100.0)
    return replace(of, circuit=replace(of.circuit, wires=(*of.circuit.wires, wire)))


def without(of: Board, ref: str) -> Board:
    """The board without one component and what is soldered to it."""
    left = rewired(of, lambda wire: None if ref in {wire.start.ref, wire.end.ref} else wire)
    components = {name: part for name, part in of.circuit.components.items() if name != ref}
    return replace(left, circuit=replace(left.circuit, components=MappingProxyType(components)))


def terminal(text: str) -> Terminal:
    ref, _, pin = text.rpartition(".")
    return Terminal(ref, pin)


def parted(of: Board, parts: Parts) -> Board:
    """The same board, made of other parts."""
    return replace(of, parts=parts)


def said(sentences: Iterable[str]) -> str:
    return "\n".join(sentences)


@pytest.mark.parametrize("name", BOARDS)
def test_the_boards_of_this_folder_are_right(name: str) -> None:
    assert checks.mistakes(board(name)) == ()


# ----------------------------------------------------------------------------------- counts and marks


def carrier(of: Board) -> Sheet:
    return templates(of.plan, of.parts)["carrier"]


def without_hole(sheet: Sheet, number: int) -> Sheet:
    holes = [shape for shape in sheet.shapes if isinstance(shape, Circle) and shape.radius == 1.6][8:]
    return Sheet(
        sheet.width, sheet.height, sheet.title, [shape for shape in sheet.shapes if shape is not holes[number]]
    )


@pytest.mark.parametrize(
    ("missing", "what"),
    [("S:c3", "63 reeds for 64 cells"), ("D:c3", "63 diodes for 64 cells"), ("L:c3", "63 lamps for 64 cells")],
)
def test_a_part_that_is_missing_in_a_cell_is_counted(missing: str, what: str) -> None:
    oak = without(board(OAK), missing)
    assert what in said(checks.counts(oak, carrier(oak)))


def test_a_wire_that_is_missing_is_counted() -> None:
    assert "63 row wires for 64 cells" in said(
        checks.counts(cut(board(OAK), "S:a1.upper", "S:b1.upper"), carrier(board(OAK)))
    )


def test_a_hole_that_is_missing_is_counted_and_named() -> None:
    sheet = without_hole(carrier(board(OAK)), 0)
    assert "63 holes for reeds" in said(checks.counts(board(OAK), sheet))
    assert "no hole for a reed at 37.50, 37.50, the centre of cell a1" in said(checks.marks(board(OAK), sheet))


def test_a_hole_that_was_moved_is_found() -> None:
    sheet = carrier(board(HEX))
    x, y = board(HEX).plan.cells[Cell("0,0")]
    moved = [
        replace(shape, centre=(x + 0.5, y)) if isinstance(shape, Circle) and shape.centre == (x, y) else shape
        for shape in sheet.shapes
    ]
    assert "the centre of cell 0,0" in said(
        checks.marks(board(HEX), Sheet(sheet.width, sheet.height, sheet.title, moved))
    )


def test_holes_that_keep_another_pitch_than_the_profile_are_found() -> None:
    oak = board(OAK)
    wrong = replace(oak, plan=replace(oak.plan, pitch=44.0))
    assert "the holes of a1 and b1 are 45.00 mm apart; the pitch is 44" in said(checks.marks(wrong, carrier(oak)))


def test_a_plate_that_is_too_small_for_its_cells_is_found() -> None:
    oak = board(OAK)
    small = replace(oak, plan=replace(oak.plan, width=370.0))
    assert "cell h1 reaches over the plate of 370 x 390 mm" in said(checks.marks(small, carrier(oak)))


def test_a_sheet_that_no_laser_takes_is_found() -> None:
    oak = board(OAK)
    large = templates(oak.plan, oak.parts)["top"]
    large.width = 700.0
    assert said(checks.on_a_bed(oak, "top", large)) == "top: 700 x 390 mm fits no bed of 400 x 400, 600 x 400"


# ----------------------------------------------------------------------------------------------- pins


def test_a_pin_with_two_wires_is_found() -> None:
    assert "U1.GP7: 2 wires" in said(checks.pins(end(board(OAK), "U1.GP6", "J4.5", "U1.GP7")))


def test_a_pin_that_does_not_exist_is_found() -> None:
    wrong = rewired(
        board(OAK), lambda wire: replace(wire, start=terminal("U1.GP24")) if str(wire.start) == "U1.GP7" else wire
    )
    assert "U1.GP24: the pico has no such pin" in said(checks.pins(wrong))


@pytest.mark.parametrize("pin", ["BCM0", "BCM1"])
def test_the_pins_of_the_eeprom_stay_open(pin: str) -> None:
    assert f"P1.{pin}: belongs to the EEPROM" in said(checks.pins(added(board(OAK), f"P1.{pin}", "J6.1")))


def test_a_wire_at_a_pin_that_a_bus_has_taken_is_found() -> None:
    assert "P1.BCM9: is MISO of SPI0" in said(checks.pins(added(board(OAK), "P1.BCM9", "J6.1")))
    assert "P1.BCM8: is CE0 of SPI0" in said(checks.pins(added(board(HEX), "P1.BCM8", "J6.1")))


# --------------------------------------------------------------------------------------------- matrix


def turned(of: Board, cell: str) -> Board:
    """The board with one diode the wrong way round."""
    swap = {"stripe": "plain", "plain": "stripe"}

    def other(at: Terminal) -> Terminal:
        return Terminal(at.ref, swap[at.pin]) if at.ref == f"D:{cell}" else at

    return rewired(of, lambda wire: replace(wire, start=other(wire.start), end=other(wire.end)))


@pytest.mark.parametrize(("name", "cell"), [(OAK, "c3"), (BUDGET, "h8"), (HEX, "-4,4")])
def test_a_diode_that_was_turned_is_found(name: str, cell: str) -> None:
    found = said(checks.diodes(turned(board(name), cell)))
    assert f"D:{cell}: its plain end is at the reed S:{cell}" in found
    assert found.count("\n") == 0


def test_a_diode_that_is_missing_is_found() -> None:
    assert "S:c3: 0 diodes at its lower lead" in said(checks.diodes(without(board(OAK), "D:c3")))


def test_two_reeds_that_are_bridged_are_found() -> None:
    found = said(checks.diodes(added(board(OAK), "S:c3.lower", "S:d3.lower")))
    assert "S:c3: 2 diodes" in found
    assert "S:d3: 2 diodes" in found


def test_rows_that_are_exchanged_are_found() -> None:
    oak = board(OAK)
    swap = {"J4.1": "J4.2", "J4.2": "J4.1"}
    wrong = rewired(
        oak,
        lambda wire: (
            replace(wire, start=terminal(swap[str(wire.start)]))
            if wire.section == "rows" and str(wire.start) in swap
            else wire
        ),
    )
    assert "cell a1: its row wire does not lead to GP 2, row 0" in said(checks.crossings(wrong))


def test_a_column_that_is_not_connected_is_found() -> None:
    wrong = cut(board(OAK), "RC2.2", "J5.3")
    found = said(checks.crossings(wrong))
    assert "cell c1: its column wire does not lead to GP 12, column 2" in found
    assert "cell d1" not in found


def test_two_cells_on_the_same_crossing_are_found() -> None:
    wrong = added(board(BUDGET), "S:a1.upper", "S:a2.upper")
    assert "cells a1 and a2 join the same row and column" in said(checks.crossings(wrong))


def test_a_profile_with_other_pins_than_the_wires_is_found() -> None:
    budget = board(BUDGET)
    assert isinstance(budget.profile.reader, Gpio)
    rows = budget.profile.reader.matrix.rows[::-1]
    other = replace(budget.profile, reader=Gpio(Matrix(rows, budget.profile.reader.matrix.columns)))
    assert "cell a1: its row wire does not lead to BCM 26, row 0" in said(
        checks.crossings(replace(budget, profile=other))
    )


# ---------------------------------------------------------------------------------------------- lamps


def test_a_string_that_is_cut_is_found() -> None:
    assert "the string ends after 3 lamps; lamp 3 of cell d1 gets no data" in said(
        checks.string(cut(board(OAK), "L:c1.DOUT", "L:d1.DIN"))
    )


def test_a_string_in_another_order_is_found() -> None:
    wrong = end(board(OAK), "L:a1.DOUT", "L:b1.DIN", "L:a2.DIN")
    assert "lamp 1 of the string lies under a2, and the profile says b1" in said(checks.string(wrong))


def test_a_string_that_is_wired_backwards_at_one_lamp_is_found() -> None:
    swap = {"L:b1.DIN": "L:b1.DOUT", "L:b1.DOUT": "L:b1.DIN"}

    def other(at: Terminal) -> Terminal:
        return terminal(swap.get(str(at), str(at)))

    wrong = rewired(board(OAK), lambda wire: replace(wire, start=other(wire.start), end=other(wire.end)))
    assert "the string ends after 1 lamps" in said(checks.string(wrong))


def test_a_lamp_of_one_colour_that_was_turned_is_found() -> None:
    swap = {"anode": "cathode", "cathode": "anode"}

    def other(at: Terminal) -> Terminal:
        return Terminal(at.ref, swap[at.pin]) if at.ref == "L:c3" else at

    wrong = rewired(board(BUDGET), lambda wire: replace(wire, start=other(wire.start), end=other(wire.end)))
    assert "L:c3: plus is at DIG-2 and minus at SEG-B" in said(checks.field(wrong))


def test_digits_of_the_dice_that_are_exchanged_are_found() -> None:
    wrong = end(board(BUDGET), "U5.DIG-0", "M1.COM-3", "M2.COM-8")
    assert "M1: its common cathode is not at digit 0" in said(checks.field(wrong))


# ----------------------------------------------------------------------------------- chips and supplies


@pytest.mark.parametrize(
    ("name", "capacitor", "chip"),
    [(OAK, "C2", "U2"), (OAK, "C:c3", "L:c3"), (BUDGET, "CA4", "U4"), (BUDGET, "CA5", "U5")],
)
def test_a_chip_without_its_capacitor_is_found(name: str, capacitor: str, chip: str) -> None:
    assert said(checks.blocking(without(board(name), capacitor))).startswith(f"{chip}: no capacitor of 100 nF")


def test_an_input_of_5_v_without_the_shifter_is_found() -> None:
    wrong = end(board(OAK), "P1.BCM10", "U2.1A", "RS.1")
    assert "L:a1.DIN: needs 5 V signals, and P1.BCM10 gives 3.3 V" in said(checks.levels(wrong))


def test_an_output_of_5_v_at_a_pin_of_the_pi_is_found() -> None:
    assert "P1.BCM9: takes 3.3 V at most, and M2.DOUT gives 5 V" in said(
        checks.levels(added(board(OAK), "M2.DOUT", "P1.BCM9"))
    )


def test_an_input_that_nothing_drives_is_found() -> None:
    assert said(checks.levels(cut(board(BUDGET), "J2.5", "U4.LOAD"))) == "U4.LOAD: nothing drives it"


@pytest.mark.parametrize(
    ("start", "other"), [("C1.plus", "C1.minus"), ("J1.plus", "X+.bar-3"), ("F2.1", "C1.plus"), ("U1.3V3", "U2.VCC")]
)
def test_supplies_that_are_bridged_are_found(start: str, other: str) -> None:
    assert "something is bridged" in said(checks.supplies(added(board(OAK), start, other)))


def test_a_chip_without_ground_is_found() -> None:
    wrong = cut(board(BUDGET), "U4.GND-4", "U4.GND-9")
    assert "U4.GND-9: is not at ground" in said(checks.supplies(wrong))


def test_lamps_before_their_fuse_are_found() -> None:
    wrong = end(board(OAK), "C1.plus", "J2.1", "X+.bar-5")
    assert "L:a1.5V: is not at the lamps' 5 V behind F2" in said(checks.supplies(wrong))


def test_a_capacitor_the_wrong_way_round_is_found() -> None:
    swap = {"CB4.plus": "CB4.minus", "CB4.minus": "CB4.plus"}
    wrong = rewired(
        board(BUDGET), lambda wire: replace(wire, start=terminal(swap.get(str(wire.start), str(wire.start))))
    )
    assert "CB4: must have plus at 5 V" in said(checks.supplies(wrong))


def test_a_suppressor_the_wrong_way_round_is_found() -> None:
    swap = {"D1.stripe": "D1.plain", "D1.plain": "D1.stripe"}
    wrong = rewired(board(OAK), lambda wire: replace(wire, start=terminal(swap.get(str(wire.start), str(wire.start)))))
    assert "D1: its stripe belongs to 5 V" in said(checks.supplies(wrong))


def test_a_button_without_ground_is_found() -> None:
    wrong = cut(board(OAK), "J6.9", "B:go.contact-2")
    assert said(checks.supplies(wrong)) == "B:go.contact-2: is not at ground"


# -------------------------------------------------------------------------------------------- lengths


def changed(of: Board, start: str, other: str, **values: Any) -> Board:
    """The board with one wire of another length, colour or kind."""
    return rewired(
        of, lambda wire: replace(wire, **values) if (str(wire.start), str(wire.end)) == (start, other) else wire
    )


def test_a_wire_that_is_too_short_is_found() -> None:
    wrong = changed(board(OAK), "S:a1.upper", "S:b1.upper", length=40.0)
    assert "S:a1.upper to S:b1.upper: 40 mm do not reach over 45 mm" in said(checks.lengths(wrong))


def test_a_red_ground_and_a_black_supply_are_found() -> None:
    assert "black is for ground" in said(checks.lengths(changed(board(OAK), "X-.bar-4", "C1.minus", colour="red")))
    assert "red is for 5 V" in said(checks.lengths(changed(board(OAK), "X+.bar-4", "F2.1", colour="black")))


def test_a_wire_that_is_thinner_than_its_fuse_is_found() -> None:
    wrong = changed(board(OAK), "F1.2", "X+.bar-1", kind="middle")
    assert "carries 2 A, and its fuse lets 5 A through" in said(checks.lengths(wrong))


def test_a_wire_that_nobody_can_buy_is_found() -> None:
    wrong = changed(board(OAK), "S:a1.upper", "S:b1.upper", kind="silk")
    assert "there is no wire silk in the list of parts" in said(checks.lengths(wrong))


def test_a_data_line_that_is_too_long_is_found() -> None:
    hexagons = board(HEX)
    wrong = parted(hexagons, hexagons.parts.ruled("wire_rules", data_most=400.0))
    assert "475 mm of data line, more than 400" in said(checks.lengths(wrong))


# ------------------------------------------------------------------------------- heights and the console


@pytest.mark.parametrize(
    ("part", "long", "what"),
    [
        ("screw", 30.0, "plate: a screw of 30 mm does not reach through 32.6 mm and a nut of 2.4"),
        ("screw", 40.0, "plate: a screw of 40 mm in 32.6 mm is longer than the feet of 6 are high"),
        ("console_screw", 35.0, "console: a screw of 35 mm does not reach through 37 mm and a nut of 2.4"),
    ],
)
def test_a_screw_that_does_not_fit_is_found(part: str, long: float, what: str) -> None:
    oak = board(OAK)
    assert what in said(checks.heights(parted(oak, oak.parts.changed(part, length=long))))


def test_a_chip_that_is_higher_than_the_room_below_the_carrier_is_found_where_there_is_one() -> None:
    oak, budget = board(OAK), board(BUDGET)
    low = budget.parts.ruled("plan", wire_channel=3.0)
    assert "U4 on its board is 12.5 mm high" in said(checks.heights(parted(budget, low)))
    assert "U4" not in said(checks.heights(parted(oak, low)))


@pytest.mark.parametrize("name", BOARDS)
def test_things_in_the_console_that_lie_in_each_other_are_found(name: str) -> None:
    right = board(name)
    near = {**right.plan.buttons, "hint": (right.plan.control[0] + 55, -30.0)}
    moved = replace(right, plan=replace(right.plan, buttons=MappingProxyType(near)))
    assert "console: the control board reaches to 107 mm, and the button HINT begins at 102.5" in said(
        checks.console(moved)
    )
    larger = parted(right, right.parts.ruled("plan", control_board=[106.0, 55.0]))
    assert "console: a screw at the left reaches to" in said(checks.console(larger))
    assert "is deeper than the room between near and far wall" in said(checks.console(larger))


# ---------------------------------------------------------------------------------------------- power


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"led_cap": 1.3}, "the lamps may draw 1.30 A, more than 80% of the 1.6 A that F2 holds"),
        ({"supply": 3.0}, "the board may draw 2.73 A, more than 80% of the supply's 3 A"),
        ({"supply": 6.0}, "the supply gives 6 A and F1 blows above 5 A"),
        ({"led_fuse_hold": 2.0}, "the profile's fuse of the lamps holds 2 A, and the list of parts has one of 1.6 A"),
        ({"pi_worst": 2.6, "supply": 5.2}, "the board may draw 4.08 A, more than 80% of the 5 A that F1 carries"),
    ],
)
def test_more_current_than_fuses_and_supply_carry_is_found(change: dict[str, float], what: str) -> None:
    oak = board(OAK)
    power = replace(oak.profile.power, **change)
    assert what in said(checks.power(replace(oak, profile=replace(oak.profile, power=power))))


def test_thin_wires_to_the_lamps_are_found() -> None:
    oak = board(OAK)
    thin = {**oak.parts.wires, "thick": replace(oak.parts.wires["thick"], area=0.08)}
    wrong = parted(oak, replace(oak.parts, wires=MappingProxyType(thin)))
    assert "V of the lamps' 5 V are lost on the way, more than 0.2 V" in said(checks.power(wrong))


# ---------------------------------------------------------------------------------------------- logic


@pytest.mark.parametrize(
    ("name", "part", "values", "what"),
    [
        (OAK, "diode", {"drop": 0.7}, "a column with every reed closed lies at 0.78 V"),
        (OAK, "resistor_47k", {"ohm": 10000}, "a column with every reed closed lies at"),
        (OAK, "resistor_47k", {"ohm": 100000}, "a column rises in 20.0 us"),
        (BUDGET, "pi", {"pull_up": 90000}, "a column rises in 18.0 us"),
        (OAK, "shifter", {"below_supply": 1.4}, "the RGB lamp takes a 1 from"),
        (BUDGET, "shifter", {"below_supply": 1.4}, "the max7219 takes a 1 from 3.50 V on"),
        (OAK, "shifter", {"high": 3.5}, "the Pi's 1 of 3 V does not reach the shifter's 3.5 V"),
    ],
)
def test_a_signal_that_is_not_understood_is_found(name: str, part: str, values: dict[str, float], what: str) -> None:
    of = board(name)
    assert what in said(checks.logic(parted(of, of.parts.changed(part, **values))))


def test_the_lows_of_a_column_are_those_that_were_reckoned_by_hand() -> None:
    assert round(checks.column_low(board(OAK), 25), 2) == 0.55
    assert round(checks.column_low(board(OAK), 0), 2) == 0.60


@pytest.mark.parametrize(("clock", "kind"), [(3.2, "250 to 550"), (2.4, "220 to 380")])
def test_a_clock_outside_the_windows_of_some_lamp_is_found(clock: float, kind: str) -> None:
    oak = board(OAK)
    wrong = parted(oak, oak.parts.changed("pi", spi_clock={"4B": clock}))
    found = said(checks.bit_code(wrong))
    assert "on a 4B a " in found
    assert kind in found or "650 to 950" in found


# ------------------------------------------------------------------------------------------- currents


@pytest.mark.parametrize(
    ("name", "part", "values", "what"),
    [
        (OAK, "resistor_47k", {"ohm": 4700}, "a row sinks 5.6 mA, more than the 4 mA of a pin of the pico"),
        (OAK, "resistor_330", {"ohm": 47}, "the lamp of a button draws 27.7 mA, more than the 16 mA"),
        (OAK, "resistor_330", {"ohm": 82}, "4 lamps of buttons draw 63 mA, more than the 50 mA"),
    ],
)
def test_a_pin_with_too_much_current_is_found(name: str, part: str, values: dict[str, float], what: str) -> None:
    of = board(name)
    assert what in said(checks.currents(parted(of, of.parts.changed(part, **values))))


@pytest.mark.parametrize(
    ("kohm", "what"),
    [(9.5, "more than the 40 mA of the chip"), (16, "more than the 30 mA of a lamp"), (22, "so a chip draws")],
)
def test_a_resistor_that_sets_too_much_current_is_found(kohm: float, what: str) -> None:
    budget = board(BUDGET)
    assert what in said(checks.segments(parted(budget, budget.parts.changed("resistor_27k", ohm=1000 * kohm))))


def test_a_digit_that_sinks_too_much_is_found() -> None:
    budget = board(BUDGET)
    wrong = parted(budget, budget.parts.changed("max7219", digit_most=0.15))
    assert "more than the 150 mA that a digit sinks" in said(checks.segments(wrong))


def test_27_kohm_set_about_20_ma() -> None:
    assert round(1000 * checks.segment_current(board(BUDGET).parts), 1) == 20.6


# -------------------------------------------------------------------------- shopping, overlay, magnets


@pytest.mark.parametrize(
    ("name", "sockets"),
    [
        (OAK, {"socket_14": 1, "socket_20": 2, "socket_24": 0, "driver_board": 0, "header_contact": 13}),
        (BUDGET, {"socket_14": 1, "socket_20": 0, "socket_24": 2, "driver_board": 2, "header_contact": 27}),
        (HEX, {"socket_14": 1, "socket_20": 2, "socket_24": 0, "driver_board": 0, "header_contact": 13}),
    ],
)
def test_every_chip_that_is_taken_out_to_measure_has_its_socket_on_the_list(name: str, sockets: dict[str, int]) -> None:
    used = used_parts(board(name).plan, board(name).circuit)
    assert {key: used.get(key, 0) for key in sockets} == sockets


@pytest.mark.parametrize("key", ["reed", "resistor_330", "magnet", "thick red", "thin blue"])
def test_too_little_on_the_shopping_list_is_found(key: str) -> None:
    oak = board(OAK)
    lines = shopping_list(oak.plan, oak.circuit, oak.parts)
    short = [replace(line, buy=line.used - 0.5) if line.key == key else line for line in lines]
    missing = [line for line in lines if line.key != key]
    assert key in said(checks.shopping(oak, short))
    assert key in said(checks.shopping(oak, missing))
    assert list(checks.shopping(oak, lines)) == []


def test_every_part_is_bought_at_least_as_often_as_it_is_used() -> None:
    for name in BOARDS:
        of = board(name)
        assert all(line.buy >= line.used for line in shopping_list(of.plan, of.circuit, of.parts))


def test_an_overlay_cell_that_was_moved_is_found() -> None:
    cells = dict(outlines(board(OAK).profile, board(OAK).plan))
    cells[Cell("0,0")] = tuple((x + 45, y) for x, y in cells[Cell("0,0")])
    assert "cells -1,0 and 0,0 touch in the game and not on the overlay" in said(checks.overlay(cells))


def test_an_overlay_that_is_mirrored_is_found() -> None:
    cells = {
        cell: tuple((-x, y) for x, y in corners)
        for cell, corners in outlines(board(OAK).profile, board(OAK).plan).items()
    }
    names = {cell: Cell(f"{-int(cell.split(',')[0])},{cell.split(',')[1]}") for cell in cells}
    renamed = {names[cell]: corners for cell, corners in cells.items() if names[cell] in hexhex(4).places}
    assert "touch on the overlay and not in the game" in said(checks.overlay(renamed))


def test_an_overlay_with_a_cell_too_few_is_found() -> None:
    cells = dict(outlines(board(OAK).profile, board(OAK).plan))
    del cells[Cell("3,-3")]
    assert "the overlay has 36 cells, and Herd of side 4 has 37" in said(checks.overlay(cells))


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"diameter": 8.0, "thickness": 1.0}, "own piece 8 mm off"),
        ({"diameter": 15.0, "thickness": 3.0}, "empty cell"),
    ],
)
def test_a_magnet_that_is_too_weak_or_too_strong_is_found(change: dict[str, float], what: str) -> None:
    """Reeds are sorted with the magnet of the list, so the sorting's fields are kept."""
    oak = board(OAK)
    wrong = parted(oak, oak.parts.changed("magnet", **change))
    right = {margin.name: margin.limit for margin in margins(oak.plan, oak.parts)}
    found = [
        replace(margin, limit=right[margin.name], value=margin.value * _share(margin.name, margin.limit, right))
        for margin in margins(wrong.plan, wrong.parts)
    ]
    assert what in said(checks.magnets(wrong, found))


def _share(name: str, limit: float, right: dict[str, float]) -> float:
    """A margin under the fields of the sorting with the right magnet."""
    return limit / right[name] if name.startswith("own") else right[name] / limit


def test_a_gap_that_is_too_deep_is_found() -> None:
    oak = board(OAK)
    wrong = parted(oak, oak.parts.ruled("magnetics", gap=13.5))
    assert "own piece 8 mm off" in said(checks.magnets(wrong, margins(wrong.plan, wrong.parts)))


def test_a_pitch_of_40_mm_is_too_small() -> None:
    oak = board(OAK)
    narrow = built(replace(oak.profile, pitch=40.0), oak.parts)
    assert "empty cell, the worst stacks of 32 of one colour" in said(
        checks.magnets(narrow, margins(narrow.plan, narrow.parts))
    )


def test_the_parts_that_a_mutation_takes_away_were_there() -> None:
    """The tools of these tests fail where they would change nothing."""
    with pytest.raises(AssertionError):
        cut(board(OAK), "U1.GP7", "J4.1")
    assert isinstance(board(OAK).circuit.components["S:c3"], Component)
