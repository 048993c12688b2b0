"""The scan, in this Python, on the simulated wires: any pieces, any fault, any size; and the debouncing."""

from __future__ import annotations

from itertools import product
from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pico_bench import Bench, MakeBench

SHAPES = [(8, 8), (10, 10), (5, 7), (1, 1), (1, 25), (13, 13)]
GROUND, SUPPLY = 254, 255


def no_wait(_: int) -> None:
    """The simulated levels settle at once."""


def matrix_on(firmware: SimpleNamespace, machine: ModuleType, bench: Bench) -> SimpleNamespace:
    pins = [
        machine.Pin(number, machine.Pin.OPEN_DRAIN, machine.Pin.PULL_UP, value=1)
        for number in (*bench.row_pins, *bench.column_pins)
    ]
    rows, columns = pins[: bench.rows], pins[bench.rows :]
    return firmware.scan.Matrix(rows, columns, firmware.scan.by_pin(columns), no_wait)


def scanned(firmware: SimpleNamespace, bench: Bench) -> int:
    """The mask of the switches that three scans find closed."""
    matrix = matrix_on(firmware, bench.machine(), bench)
    steady = firmware.scan.Steady(bench.rows)
    for _ in range(3):
        matrix.scan(steady)
    return sum(bits << row * bench.columns for row, bits in enumerate(steady.rows))


def lines_tested(firmware: SimpleNamespace, bench: Bench) -> tuple[list[int], int]:
    """What every line is followed by, and the rows that are high."""
    matrix = matrix_on(firmware, bench.machine(), bench)
    return [matrix.follow(line) for line in range(bench.rows + bench.columns)], matrix.high_rows()


def reeds_tested(firmware: SimpleNamespace, bench: Bench) -> tuple[list[int], list[int]]:
    """The columns that conduct forwards and backwards, by row."""
    matrix = matrix_on(firmware, bench.machine(), bench)
    matrix.conduct()
    return list(matrix.forward), list(matrix.reverse)


def bits(*numbers: int) -> int:
    return sum(1 << number for number in numbers)


# ----------------------------------------------------------------------------------------- scanning


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_set_of_closed_reeds_is_read_as_it_is(
    firmware: SimpleNamespace, bench: MakeBench, rows: int, columns: int, data: st.DataObject
) -> None:
    board = bench(rows, columns)
    closed = data.draw(st.integers(0, (1 << rows * columns) - 1))
    board.rewire(closed)
    assert scanned(firmware, board) == closed


def test_with_sound_diodes_three_corners_make_no_ghost_at_the_fourth(
    firmware: SimpleNamespace, bench: MakeBench
) -> None:
    board = bench(2, 2)
    board.rewire(0b0111)
    assert scanned(firmware, board) == 0b0111


def test_a_bridged_diode_makes_a_ghost(firmware: SimpleNamespace, bench: MakeBench) -> None:
    board = bench(2, 2)
    board.rewire(0b1011, bridged=0b0010)
    assert scanned(firmware, board) == 0b1111, "row 1 reaches column 1, by the bridge row 0, and so column 0"


def test_a_reed_whose_diode_is_turned_is_not_seen(firmware: SimpleNamespace, bench: MakeBench) -> None:
    board = bench(8, 8)
    board.rewire(bits(0, 9), turned=bits(9))
    assert scanned(firmware, board) == bits(0)


def test_a_pass_sees_what_changed_before_it(firmware: SimpleNamespace, bench: MakeBench) -> None:
    board = bench(8, 8)
    matrix = matrix_on(firmware, board.machine(), board)
    steady = firmware.scan.Steady(8)
    for closed in (bits(63), bits(0), 0):
        board.rewire(closed)
        for _ in range(3):
            matrix.scan(steady)
        assert sum(row << 8 * at for at, row in enumerate(steady.rows)) == closed


class Line:
    """A line that writes down what is done to it."""

    def __init__(self, name: str, story: list[str]) -> None:
        self.name = name
        self.story = story

    def value(self, level: int) -> None:
        self.story.append(f"{self.name} {'goes' if level else 'low'}")


def test_one_row_is_low_at_a_time_and_is_read_after_the_wait(firmware: SimpleNamespace) -> None:
    story: list[str] = []

    def columns_are_read() -> int:
        story.append("read")
        return 0

    def wait(microseconds: int) -> None:
        story.append(f"{microseconds} us")

    rows = [Line("a", story), Line("b", story)]
    matrix = firmware.scan.Matrix(rows, [], columns_are_read, wait)
    matrix.scan(firmware.scan.Steady(2))
    assert story == ["a low", "50 us", "read", "a goes", "b low", "50 us", "read", "b goes"]


# ---------------------------------------------------------------------------------------- debouncing


def test_a_bit_counts_after_three_equal_scans(firmware: SimpleNamespace) -> None:
    steady = firmware.scan.Steady(1)
    seen: list[tuple[int, bool]] = []
    for bit in (1, 1, 1, 0, 1, 0, 0, 0):
        steady.fresh[0] = bit
        steady.take()
        seen.append((steady.rows[0], steady.changed))
        steady.changed = False
    quiet_0, quiet_1 = (0, False), (1, False)
    assert seen == [quiet_0, quiet_0, (1, True), quiet_1, quiet_1, quiet_1, quiet_1, (0, True)]


def test_one_reed_that_flutters_for_ever_keeps_no_other_from_being_seen(firmware: SimpleNamespace) -> None:
    steady = firmware.scan.Steady(1)
    for flutter in (0, 1, 0, 1):
        steady.fresh[0] = 0b10 | flutter
        steady.take()
    assert steady.rows[0] == 0b10


@given(st.lists(st.lists(st.integers(0, 7), min_size=2, max_size=2), max_size=30))
def test_every_bit_holds_the_last_level_on_which_three_scans_agreed(
    firmware: SimpleNamespace, scans: list[list[int]]
) -> None:
    steady = firmware.scan.Steady(2)
    history = [[0, 0]] * 2
    expected = [0, 0]
    for scan in scans:
        steady.fresh[0], steady.fresh[1] = scan
        before = list(steady.rows)
        steady.changed = False
        steady.take()
        history = [*history, scan]
        for row, bit in product(range(2), range(3)):
            levels = {one[row] >> bit & 1 for one in history[-3:]}
            if len(levels) == 1:
                expected[row] = expected[row] & ~(1 << bit) | levels.pop() << bit
        assert list(steady.rows) == expected
        assert steady.changed == (before != expected)


# ------------------------------------------------------------------------------------------ line test


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
def test_sound_lines_are_followed_by_none(firmware: SimpleNamespace, bench: MakeBench, rows: int, columns: int) -> None:
    assert lines_tested(firmware, bench(rows, columns)) == ([0] * (rows + columns), 0)


@pytest.mark.parametrize(("one", "other"), [(0, 1), (6, 7), (8, 15), (3, 12)])
def test_joined_lines_follow_each_other(firmware: SimpleNamespace, bench: MakeBench, one: int, other: int) -> None:
    board = bench(8, 8)
    board.rewire(nets={one: 1, other: 1})
    expected = [0] * 16
    expected[one], expected[other] = bits(other), bits(one)
    assert lines_tested(firmware, board) == (expected, 0)


@pytest.mark.parametrize("line", [0, 7, 8, 15])
def test_a_line_on_ground_follows_every_other(firmware: SimpleNamespace, bench: MakeBench, line: int) -> None:
    board = bench(8, 8)
    board.rewire(nets={line: GROUND})
    follows, high = lines_tested(firmware, board)
    assert follows == [0 if at == line else bits(line) for at in range(16)]
    assert high == 0


@pytest.mark.parametrize("closed", [0, (1 << 64) - 1], ids=["empty", "full"])
@pytest.mark.parametrize("row", [0, 7])
def test_a_row_on_the_supply_is_high(firmware: SimpleNamespace, bench: MakeBench, row: int, closed: int) -> None:
    board = bench(8, 8)
    board.rewire(closed, nets={row: SUPPLY})
    assert lines_tested(firmware, board)[1] == bits(row)


def test_a_column_on_the_supply_never_closes(firmware: SimpleNamespace, bench: MakeBench) -> None:
    board = bench(8, 8)
    board.rewire((1 << 64) - 1, nets={8 + 3: SUPPLY})
    assert scanned(firmware, board) == sum(0b11110111 << 8 * row for row in range(8))


def test_pieces_show_as_columns_that_follow_rows_and_lift_no_row(firmware: SimpleNamespace, bench: MakeBench) -> None:
    board = bench(8, 8)
    board.rewire(bits(0, 7, 63))
    expected = [0] * 16
    expected[0], expected[7] = bits(8, 15), bits(15)
    assert lines_tested(firmware, board) == (expected, 0)


def test_a_closed_reed_with_a_turned_diode_shows_as_a_row_that_follows_a_column(
    firmware: SimpleNamespace, bench: MakeBench
) -> None:
    board = bench(8, 8)
    board.rewire(bits(9), turned=bits(9))
    expected = [0] * 16
    expected[8 + 1] = bits(1)
    assert lines_tested(firmware, board) == (expected, 0)


def test_a_closed_reed_with_a_bridged_diode_joins_its_row_and_column(
    firmware: SimpleNamespace, bench: MakeBench
) -> None:
    board = bench(8, 8)
    board.rewire(bits(9), bridged=bits(9))
    expected = [0] * 16
    expected[1], expected[8 + 1] = bits(8 + 1), bits(1)
    assert lines_tested(firmware, board) == (expected, 0)


def test_after_the_line_test_the_scan_reads_as_before(firmware: SimpleNamespace, bench: MakeBench) -> None:
    board = bench(8, 8)
    board.rewire(bits(5, 40))
    matrix = matrix_on(firmware, board.machine(), board)
    steady = firmware.scan.Steady(8)
    matrix.high_rows()
    matrix.follow(3)
    matrix.conduct()
    assert matrix.high_rows() == 0
    for _ in range(3):
        matrix.scan(steady)
    assert list(steady.rows) == [bits(5), 0, 0, 0, 0, bits(0), 0, 0]


# ------------------------------------------------------------------------------------------ scan test


@pytest.mark.parametrize(
    ("reed", "conducts"),
    [("sound", (True, False)), ("turned", (False, True)), ("bridged", (True, True)), ("dead", (False, False))],
)
@pytest.mark.parametrize("shape", [(8, 8), (10, 10), (5, 7)], ids=str)
def test_one_magnet_tells_what_is_wrong_with_its_cell(
    firmware: SimpleNamespace,
    bench: MakeBench,
    shape: tuple[int, int],
    reed: str,
    conducts: tuple[bool, bool],
) -> None:
    rows, columns = shape
    board = bench(rows, columns)
    for row, column in product((0, 2, rows - 1), (0, 3, columns - 1)):
        here = bits(row * columns + column)
        board.rewire(
            0 if reed == "dead" else here,
            turned=here if reed == "turned" else 0,
            bridged=here if reed == "bridged" else 0,
        )
        one = [bits(column) if at == row else 0 for at in range(rows)]
        expected = tuple(one if does else [0] * rows for does in conducts)
        assert reeds_tested(firmware, board) == expected


def test_the_scan_test_forgets_what_it_found_before(firmware: SimpleNamespace, bench: MakeBench) -> None:
    board = bench(2, 2)
    board.rewire(0b0001, bridged=0b0001)
    matrix = matrix_on(firmware, board.machine(), board)
    matrix.conduct()
    assert (list(matrix.forward), list(matrix.reverse)) == ([1, 0], [1, 0])
    board.rewire()
    matrix.conduct()
    assert (list(matrix.forward), list(matrix.reverse)) == ([0, 0], [0, 0])


def test_the_scan_test_reads_a_full_board(firmware: SimpleNamespace, bench: MakeBench) -> None:
    board = bench(10, 10)
    board.rewire((1 << 100) - 1)
    assert reeds_tested(firmware, board) == ([1023] * 10, [0] * 10)
