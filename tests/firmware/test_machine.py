"""The simulated ``machine``: its electrics where the firmware's tests don't reach, and what it refuses."""

from __future__ import annotations

from types import ModuleType

import pytest
from pico_bench import SERIAL, Bench, MakeBench


def lines_of(machine: ModuleType, board: Bench) -> list[object]:
    """All lines of a board, pulled up."""
    pins = (*board.row_pins, *board.column_pins)
    return [machine.Pin(pin, machine.Pin.OPEN_DRAIN, machine.Pin.PULL_UP, value=1) for pin in pins]


def levels(lines: list[object]) -> str:
    return "".join(str(line.value()) for line in lines)  # type: ignore[attr-defined]  # a module loaded by its path


def drive(line: object, level: int) -> None:
    line.value(level)  # type: ignore[attr-defined]  # a module loaded by its path


def test_a_level_is_low_over_two_diodes_and_no_longer_over_three(bench: MakeBench) -> None:
    board = bench(3, 2)
    # Row 0 reaches column 0 by one diode, from there row 1 by a turned one, and column 1 by a third.
    board.rewire(0b001101, turned=0b000100)
    lines = lines_of(board.machine(), board)
    drive(lines[0], 0)
    assert levels(lines) == "00101"


def test_lines_are_let_go_one_by_one(bench: MakeBench) -> None:
    board = bench(2, 2)
    lines = lines_of(board.machine(), board)
    drive(lines[0], 0)
    drive(lines[3], 0)
    assert levels(lines) == "0110"
    drive(lines[0], 1)
    assert levels(lines) == "1110"
    drive(lines[3], 1)
    assert levels(lines) == "1111"


def test_nets_that_touch_by_bridges_are_one(bench: MakeBench) -> None:
    board = bench(3, 3)
    chain = 0b110_011_001  # row 0, column 0, row 1, column 1, row 2, column 2
    board.rewire(chain, bridged=chain)
    lines = lines_of(board.machine(), board)
    drive(lines[0], 0)
    assert levels(lines) == "000000"


def test_joined_lines_are_low_together(bench: MakeBench) -> None:
    board = bench(2, 2)
    board.rewire(nets={0: 7, 3: 7})
    lines = lines_of(board.machine(), board)
    drive(lines[3], 0)
    assert levels(lines) == "0110"


def test_a_line_on_the_supply_stays_high_whatever_drives_it(bench: MakeBench) -> None:
    board = bench(2, 2)
    board.rewire(nets={1: 255})
    lines = lines_of(board.machine(), board)
    drive(lines[1], 0)
    assert levels(lines) == "1111"


def test_a_row_that_is_pulled_down_reads_low_unless_a_column_feeds_it(bench: MakeBench) -> None:
    board = bench(2, 2)
    board.rewire(0b0001)
    machine = board.machine()
    rows = [machine.Pin(pin, machine.Pin.OPEN_DRAIN, machine.Pin.PULL_DOWN, value=1) for pin in board.row_pins]
    assert levels(rows) == "10", "the pull-up of column 0 lifts row 0 through the closed reed"
    column = machine.Pin(board.column_pins[0], machine.Pin.OPEN_DRAIN, machine.Pin.PULL_UP, value=0)
    assert levels(rows) == "00"
    column.value(1)
    assert levels(rows) == "10"


def test_a_row_that_is_pulled_down_is_lifted_by_one_that_is_joined_to_it_and_pulled_up(bench: MakeBench) -> None:
    board = bench(2, 2)
    board.rewire(nets={0: 1, 1: 1})
    lines = lines_of(machine := board.machine(), board)
    machine.Pin(board.row_pins[0], machine.Pin.IN, machine.Pin.PULL_DOWN)
    assert levels(lines) == "1111"


def test_no_pull_down_wins_against_a_columns_resistor(bench: MakeBench) -> None:
    board = bench(2, 2)
    machine = board.machine()
    assert machine.Pin(board.column_pins[1], machine.Pin.IN, machine.Pin.PULL_DOWN).value() == 1


def test_a_line_of_the_matrix_is_never_driven_high(bench: MakeBench) -> None:
    board = bench(2, 2)
    machine = board.machine()
    with pytest.raises(ValueError, match="GP3 is a line of the matrix"):
        machine.Pin(3, machine.Pin.OUT, value=1)


def test_a_button_reads_low_while_it_is_held_and_only_with_a_pull_up_high_else(bench: MakeBench) -> None:
    board = bench(2, 2)
    board.rewire(down=0b0010)
    machine = board.machine()
    go, following = (machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP) for pin in (26, 27))
    assert (go.value(), following.value()) == (1, 0)
    go.init(machine.Pin.IN)
    assert go.value() == 0


def test_lamps_and_the_watchdog_are_told_to_the_world(bench: MakeBench) -> None:
    board = bench(2, 2)
    machine = board.machine()
    lamps = [machine.Pin(pin, machine.Pin.OUT, value=0) for pin in (21, 22)]
    assert board.lamps.read_bytes() == b"\0\0"
    lamps[1].value(1)
    assert board.lamps.read_bytes() == b"\2\0"
    lamps[0].value(1)
    lamps[1].value(0)
    watchdog = machine.WDT(timeout=8388)
    watchdog.feed()
    assert board.lamps.read_bytes() == b"\1\1"
    machine.mem32[0x400DB000] = 1 << 30
    assert board.lamps.read_bytes() == b"\1\2"


def test_a_pin_on_which_nothing_hangs_reads_its_pull(bench: MakeBench) -> None:
    machine = bench(2, 2).machine()
    assert machine.Pin(15, machine.Pin.IN, machine.Pin.PULL_UP).value() == 1
    assert machine.Pin(15, machine.Pin.OUT, value=1).value() == 0


def test_what_a_pico_cannot_do_is_refused(bench: MakeBench) -> None:
    machine = bench(2, 2).machine()
    with pytest.raises(ValueError, match="8388 ms"):
        machine.WDT(timeout=8389)
    with pytest.raises(ValueError, match="0x40058000 is no register"):
        machine.mem32[0x40058000] = 1 << 30
    with pytest.raises(ValueError, match="no register"):
        machine.mem32[0x4005B000] = 1


def test_it_knows_its_number(bench: MakeBench) -> None:
    assert bench(2, 2).machine().unique_id().hex() == SERIAL


@pytest.mark.parametrize("variable", ["REEDLIGHT_WIRES", "REEDLIGHT_LAMPS"])
def test_a_file_that_is_not_named_is_asked_for(
    bench: MakeBench, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    board = bench(2, 2)
    monkeypatch.setattr(Bench, "environment", {**board.environment, variable: ""})
    with pytest.raises(RuntimeError, match=f"{variable} must name a file"):
        board.machine()
