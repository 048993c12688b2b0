"""The simulated wiring by itself: what a line reads, told by what every line does.

The matrix is small, so that each story can be seen:

               column 0   column 1   column 2          pins: rows 5 6 7, columns 12 13 16
    row 0         0          1          2
    row 1         3          4          5
    row 2         6          7          8
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

import pytest
from gpiozero.exc import GPIOPinInUse  # pyright: ignore[reportMissingTypeStubs]  # gpiozero says no types

from reedlight.adapters.gpio import HIGH, LOW, pulled_up
from reedlight.board.profile import Matrix, PiPins
from reedlight.scene.scene import Button
from reedlight_sim.pins import (
    Bridged,
    Fault,
    Grounded,
    Joined,
    Live,
    Reversed,
    SimulatedPins,
    Stuck,
    without_diodes,
)

ROWS, COLUMNS = (5, 6, 7), (12, 13, 16)
SMALL = Matrix(ROWS, COLUMNS)


def board(
    *closed: int, faults: Iterable[Fault] = (), wires: dict[int, Callable[[], bool]] | None = None
) -> SimulatedPins:
    """A small board with some switches closed and every line a pulled-up input."""
    pins = SimulatedPins(SMALL, lambda: sum(1 << switch for switch in closed), wires, faults)
    for pin in (*ROWS, *COLUMNS):
        pins.pin(pin).input_with_pull("up")
    return pins


def low(pins: SimulatedPins) -> set[int]:
    """The lines that read low."""
    return {pin for pin in (*ROWS, *COLUMNS) if not pins.pin(pin).state}


def drive_low(pins: SimulatedPins, pin: int) -> set[int]:
    """The lines that read low while this one is driven low."""
    pins.pin(pin).output_with_state(LOW)
    found = low(pins)
    pins.pin(pin).input_with_pull("up")
    return found


def test_lines_that_nothing_pulls_low_are_high() -> None:
    assert low(board(0, 4, 8)) == set()


def test_a_low_row_pulls_the_columns_of_its_closed_switches_low() -> None:
    assert drive_low(board(3, 5, 8), 6) == {6, 12, 16}


def test_a_low_column_pulls_no_row_low_because_of_the_diodes() -> None:
    assert drive_low(board(0, 3, 6), 12) == {12}


def test_a_diode_the_wrong_way_round_conducts_from_column_to_row_alone() -> None:
    pins = board(0, 3, faults=[Reversed(3)])
    assert drive_low(pins, 12) == {12, 6}
    assert drive_low(pins, 6) == {6}


def test_a_bridged_diode_conducts_both_ways() -> None:
    pins = board(3, faults=[Bridged(3)])
    assert drive_low(pins, 12) == {12, 6}
    assert drive_low(pins, 6) == {6, 12}


def test_an_open_switch_conducts_no_way_whatever_its_diode() -> None:
    assert drive_low(board(faults=without_diodes(SMALL)), 6) == {6}


def test_three_corners_without_diodes_give_the_fourth_as_a_ghost() -> None:
    assert 13 in drive_low(board(0, 3, 4, faults=without_diodes(SMALL)), 5)
    assert 13 not in drive_low(board(0, 3, 4), 5)


def test_a_stuck_switch_is_closed_without_a_magnet() -> None:
    assert drive_low(board(faults=[Stuck(8)]), 7) == {7, 16}


def test_joined_lines_follow_each_other_along_any_number_of_joints() -> None:
    pins = board(faults=[Joined(5, 6), Joined(6, 13)])
    assert drive_low(pins, 13) == {5, 6, 13}
    assert drive_low(pins, 5) == {5, 6, 13}


def test_a_grounded_line_is_low_and_pulls_what_conducts_to_it() -> None:
    assert low(board(4, faults=[Grounded(6)])) == {6, 13}


def test_a_live_line_is_high_though_it_is_pulled_down() -> None:
    pins = board(faults=[Live(12)])
    for pin in (12, 13):
        pins.pin(pin).pull = "down"
    assert pins.pin(12).state
    assert not pins.pin(13).state


def test_a_live_column_holds_its_closed_rows_high() -> None:
    pins = board(0, faults=[Live(12)])
    pins.pin(5).pull = pins.pin(6).pull = "down"
    assert low(pins) == {6}


def test_a_row_that_is_pulled_down_drains_a_column() -> None:
    pins = board(4)
    pins.pin(6).pull = "down"
    assert low(pins) == {6, 13}


def test_pins_start_pulled_as_those_of_a_raspberry_pi() -> None:
    pins = SimulatedPins()
    assert [pins.pin(pin).pull for pin in (2, 8, 9, 27)] == ["up", "up", "down", "down"]


def test_a_line_that_floats_alone_reads_low_the_worst_for_a_column() -> None:
    pins = board()
    pins.pin(12).pull = "floating"
    assert low(pins) == {12}


def test_a_line_that_floats_follows_what_conducts_to_it() -> None:
    pins = board(0)
    pins.pin(5).pull = "floating"
    assert low(pins) == set()


def test_the_world_is_asked_at_every_look() -> None:
    closed = 0
    pins = SimulatedPins(SMALL, lambda: closed)
    pins.pin(12).input_with_pull("up")
    pins.pin(5).output_with_state(LOW)
    assert pins.pin(12).state
    closed = 1
    assert not pins.pin(12).state


def test_faults_come_and_go() -> None:
    pins = board()
    pins.faults = (Grounded(12),)
    assert low(pins) == {12}
    pins.faults = (*pins.faults, Grounded(6))
    assert low(pins) == {12, 6}
    pins.faults = ()
    assert low(pins) == set()


def test_outputs_that_fight_are_counted() -> None:
    pins = board(faults=[Joined(5, 6)])
    pins.pin(5).output_with_state(LOW)
    assert low(pins) == {5, 6}
    assert pins.shorts == 0
    pins.pin(6).output_with_state(HIGH)
    assert low(pins) == {5, 6}
    assert pins.shorts > 0


def test_two_closed_switches_in_a_column_short_driven_rows_where_there_are_no_diodes() -> None:
    for faults, fight in (((), False), (without_diodes(SMALL), True)):
        pins = board(0, 3, faults=faults)
        pins.pin(5).output_with_state(LOW)
        pins.pin(6).output_with_state(HIGH)
        low(pins)
        assert bool(pins.shorts) is fight


def test_a_rising_line_reads_low_until_it_was_left_alone_long_enough() -> None:
    pins = SimulatedPins(SMALL, lambda: 1, rise=50e-6)
    for pin in (*ROWS, *COLUMNS):
        pins.pin(pin).input_with_pull("up")
    assert 12 in drive_low(pins, 5)
    assert 12 in low(pins)
    pins.settle(49e-6)
    assert 12 in low(pins)
    pins.settle(50e-6)
    assert low(pins) == set()


def test_a_wire_from_outside_pulls_its_pin_low_while_it_wants() -> None:
    down = False
    pins = board(wires={26: lambda: down})
    pins.pin(26).pull = "up"
    assert pins.pin(26).state
    down = True
    assert not pins.pin(26).state


def test_lamps_are_lit_by_pins_that_are_driven_high() -> None:
    pins = SimulatedPins()
    lamps = PiPins({"go": 20, "next": 21, "back": 22, "hint": 23})
    pins.pin(20).output_with_state(HIGH)
    pins.pin(21).output_with_state(LOW)
    pins.pin(22).input_with_pull("up")
    assert pins.lit(lamps) == {Button.GO}


def test_a_lamp_whose_line_touches_ground_stays_dark() -> None:
    pins = SimulatedPins(faults=[Grounded(20)])
    pins.pin(20).output_with_state(HIGH)
    assert pins.lit(PiPins({"go": 20})) == frozenset()


def test_a_pin_of_another_program_is_busy_until_that_ends() -> None:
    pins = SimulatedPins()
    pins.busy.add(17)
    with pytest.raises(OSError, match="busy"):
        pins.pin(17)
    pins.busy.clear()
    assert pins.pin(17).function == "input"


def test_a_pin_has_one_holder_in_this_program() -> None:
    pins = SimulatedPins()
    holder = pulled_up(17, pins)
    with pytest.raises(GPIOPinInUse):
        pulled_up(17, pins)
    holder.close()
    pulled_up(17, pins).close()


def test_pins_remember_nothing_however_often_they_change() -> None:
    pins = board(0)
    for _ in range(100):
        drive_low(pins, 5)
    assert all(len(cast("Any", pins.pin(pin)).states) == 1 for pin in (*ROWS, *COLUMNS))
