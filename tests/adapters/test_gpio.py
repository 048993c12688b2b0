"""The matrix on the Raspberry Pi's pins, read through gpiozero from simulated switches and diodes."""

from __future__ import annotations

from collections.abc import Iterable
from errno import EIO
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reedlight.adapters.gpio import LATE, RESTLESS, STILL, EqualScans, GpioSwitches, Line, pulled_up, release, take
from reedlight.board.profile import Matrix
from reedlight.ports import Closed, LinkLost
from reedlight.wire.message import LineTest, ScanTest
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

BUDGET = Matrix((17, 27, 22, 5, 6, 13, 19, 26), (18, 23, 24, 25, 12, 16, 20, 21))
LARGE = Matrix((4, 5, 6, 7, 8, 9, 10, 11, 12, 13), (16, 17, 18, 19, 20, 21, 22, 23, 24, 25))
RISE = 50e-6


class Table:
    """Switches that a story closes and opens, and the adapter that reads them, from scan to scan."""

    def __init__(self, matrix: Matrix = BUDGET, faults: Iterable[Fault] = ()) -> None:
        self.closed = 0
        self.broken = False
        self.now = 0.0
        self.believed = -1
        self.pins = SimulatedPins(matrix, self._look, faults=faults, rise=RISE)
        self.switches = GpioSwitches(matrix, self.pins, self.pins.settle)

    def _look(self) -> int:
        if self.broken:
            raise OSError(EIO, "Input/output error")
        return self.closed

    def scan(self, after: float | None = None) -> list[int]:
        """What is told of the switches by the next scan, or so many seconds later."""
        self.now = max(self.now, self.switches.deadline or 0.0) if after is None else self.now + after
        told = [report.mask for report in self.switches.poll(self.now)]
        self.believed = told[-1] if told else self.believed
        return told

    def read(self, closed: int) -> int:
        """What the adapter believes once these switches have been closed for two scans."""
        self.closed = closed
        self.scan()
        self.scan()
        return self.believed


def switches(*names: str) -> int:
    """The mask of switches by column letter and row number: a1 is switch 0 of eight columns, b1 switch 1."""
    return sum(1 << 8 * (int(name[1]) - 1) + "abcdefgh".index(name[0]) for name in names)


# ------------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize("matrix", [BUDGET, LARGE], ids=["8x8", "10x10"])
def test_every_switch_has_a_bit_of_its_own(matrix: Matrix) -> None:
    table = Table(matrix)
    assert [table.read(1 << switch) for switch in range(matrix.count)] == [1 << at for at in range(matrix.count)]


@settings(max_examples=60)
@given(st.integers(0, (1 << 64) - 1))
def test_any_set_of_switches_is_read_exactly(closed: int) -> None:
    table = Table()
    assert table.read(closed) == closed
    assert table.pins.shorts == 0


def test_a_whole_game_of_sets_is_read_exactly_on_a_large_matrix() -> None:
    table, rng = Table(LARGE), Random(10)
    sets = [rng.getrandbits(LARGE.count) for _ in range(40)]
    assert [table.read(closed) for closed in sets] == sets


def test_the_first_poll_tells_everything_as_it_stands() -> None:
    table = Table()
    table.closed = switches("a1", "h8")
    assert table.switches.deadline == float("-inf")
    assert table.switches.poll(5.0) == (Closed(switches("a1", "h8"), 5.0),)


def test_the_first_poll_tells_of_an_empty_board_too() -> None:
    assert Table().scan() == [0]


def test_nothing_is_scanned_before_the_deadline() -> None:
    table = Table()
    table.scan()
    table.closed = switches("c3")
    assert table.switches.deadline == table.now + STILL
    assert table.switches.fileno() is None
    for _ in range(10):
        assert table.scan(after=STILL / 20) == []
    assert table.believed == 0
    assert table.scan(after=STILL / 2) == []
    assert table.scan() == [switches("c3")]


def test_the_looks_are_close_while_they_differ() -> None:
    table = Table()
    table.scan()
    paces: list[float] = []
    for closed in (*["c3"] * 4, "", *["c3"] * 4):
        table.closed = switches(*closed.split())
        before = table.now
        table.scan()
        paces.append(round(table.now - before, 3))
    assert [pace <= RESTLESS for pace in paces] == [False, True, False, False, False, True, True, False, False]


@given(st.floats(0, 1e6), st.booleans())
def test_the_next_look_is_soon_and_at_a_moment_that_all_ports_share(now: float, restless: bool) -> None:  # noqa: FBT001  # hypothesis gives it
    scans = EqualScans()
    scans.scan(0)
    scans.scan(1 if restless else 0)
    every = RESTLESS if restless else STILL
    following = scans.next_look(now)
    assert LATE / 2 < following - now <= every + 2 * LATE
    assert following == scans.next_look(following - every + LATE / 2)


def test_a_change_is_believed_at_its_second_scan() -> None:
    table = Table()
    table.scan()
    table.closed = switches("c3")
    assert table.scan() == []
    assert table.scan() == [switches("c3")]
    assert table.scan() == []


def test_what_one_scan_saw_alone_is_not_believed_however_late_the_next_one_comes() -> None:
    table = Table()
    table.scan()
    table.closed = switches("c3")
    assert table.scan() == []
    table.closed = 0
    assert table.scan(after=3.0) == []
    assert table.scan() == []


def test_a_switch_that_bounces_at_every_scan_does_not_delay_the_others() -> None:
    table = Table()
    table.scan()
    told: list[int] = []
    for turn in range(6):
        table.closed = switches("e5") | switches("b2") * (turn % 2)
        told += table.scan()
    assert told == [switches("e5")]


# --------------------------------------------------------------------------------- what wiring can do


def test_three_corners_make_no_fourth_where_there_are_diodes() -> None:
    table = Table()
    assert table.read(switches("b2", "b6", "f2")) == switches("b2", "b6", "f2")


def test_three_corners_make_a_ghost_where_there_are_none() -> None:
    table = Table(faults=without_diodes(BUDGET))
    assert table.read(switches("b2", "b6", "f2")) == switches("b2", "b6", "f2", "f6")


def test_one_bridged_diode_makes_a_ghost_only_across_its_own_corner() -> None:
    table = Table(faults=[Bridged(41)])  # b6
    assert table.read(switches("b2", "b6", "f6")) == switches("b2", "b6", "f6", "f2")
    assert table.read(switches("c2", "c6", "f6")) == switches("c2", "c6", "f6")


def test_joined_rows_read_alike_and_never_fight() -> None:
    table = Table(faults=[Joined(17, 27)])
    assert table.read(switches("a1", "c2")) == switches("a1", "c1", "a2", "c2")
    assert table.pins.shorts == 0


def test_a_column_that_seven_rows_share_does_not_leak_into_the_eighth() -> None:
    column = switches("d1", "d2", "d3", "d5", "d6", "d7", "d8")
    assert Table().read(column) == column


def test_lines_rise_before_the_next_row_is_read() -> None:
    hasty = SimulatedPins(BUDGET, lambda: switches("a1"), rise=RISE)
    assert GpioSwitches(BUDGET, hasty, lambda _: None).poll(0.0)[0].mask != switches("a1")
    patient = SimulatedPins(BUDGET, lambda: switches("a1"), rise=RISE)
    assert GpioSwitches(BUDGET, patient, patient.settle).poll(0.0)[0].mask == switches("a1")


# ---------------------------------------------------------------------------------------- the doctor


def lines(table: Table) -> dict[int, set[int]]:
    """The lines of the line test that others follow, or that are held high, as line -> followers (itself if high)."""
    found: dict[int, set[int]] = {}
    for test in table.switches.line_test():
        followers = {at for at in range(16) if test.low >> at & 1 or (at == test.line and test.high)}
        if followers:
            found[test.line] = followers
    return found


def test_a_sound_empty_board_has_no_line_that_follows_another() -> None:
    assert Table().switches.line_test() == tuple(LineTest(line, low=0, high=False) for line in range(16))


def test_joined_rows_follow_each_other() -> None:
    assert lines(Table(faults=[Joined(17, 22)])) == {0: {2}, 2: {0}}


def test_joined_columns_and_a_row_on_a_column_are_told_apart() -> None:
    assert lines(Table(faults=[Joined(18, 21)])) == {8: {15}, 15: {8}}
    assert lines(Table(faults=[Joined(27, 23)])) == {1: {9}, 9: {1}}


def test_a_line_on_ground_follows_every_other() -> None:
    assert lines(Table(faults=[Grounded(24)])) == {line: {10} for line in range(16) if line != 10}


def test_a_row_on_the_supply_is_held_high_and_of_a_column_nothing_is_said() -> None:
    assert lines(Table(faults=[Live(27)])) == {1: {1}}
    assert lines(Table(faults=[Live(16)])) == {}


def test_a_row_below_a_closed_switch_is_not_held_high_by_its_column() -> None:
    assert lines(Table(faults=[Stuck(10), Live(17)])) == {0: {0}, 1: {10}}


def test_a_switch_that_is_closed_makes_its_column_follow_its_row() -> None:
    assert lines(Table(faults=[Stuck(10)])) == {1: {10}}


def test_a_pin_with_a_pull_up_of_its_own_cannot_be_found_on_the_supply() -> None:
    matrix = Matrix((2, 5), (6, 3))
    assert [test.high for test in Table(matrix, [Live(2), Live(5)]).switches.line_test()] == [False, True, False, False]


@pytest.mark.parametrize(
    ("faults", "forward", "reverse"),
    [
        ([], True, False),
        ([Reversed(19)], False, True),
        ([Bridged(19)], True, True),
    ],
    ids=["sound", "reversed", "bridged"],
)
def test_the_scan_test_tells_how_a_diode_is(faults: list[Fault], *, forward: bool, reverse: bool) -> None:
    table = Table(faults=faults)
    table.closed = 1 << 19  # d3
    expected = [ScanTest(row, 0, 0) for row in range(8)]
    expected[2] = ScanTest(2, forward << 3, reverse << 3)
    assert list(table.switches.scan_test()) == expected


def test_the_scan_test_finds_nothing_where_nothing_conducts() -> None:
    assert list(Table().switches.scan_test()) == [ScanTest(row, 0, 0) for row in range(8)]


def test_a_matrix_wider_than_high_is_tested_in_its_own_shape() -> None:
    table = Table(Matrix((4, 5), (6, 7, 8)), [Reversed(5)])
    table.closed = 0b110010
    assert table.switches.scan_test() == (ScanTest(0, 0b010, 0), ScanTest(1, 0b010, 0b100))


def test_scanning_goes_on_exactly_after_the_tests() -> None:
    table = Table()
    table.scan()
    table.switches.line_test()
    table.switches.scan_test()
    assert table.read(switches("a1", "d4", "h8")) == switches("a1", "d4", "h8")


def test_a_test_that_breaks_off_leaves_no_line_driven() -> None:
    table = Table()
    table.broken = True
    with pytest.raises(LinkLost):
        table.switches.line_test()
    with pytest.raises(LinkLost):
        table.switches.scan_test()
    table.broken = False
    assert {table.pins.pin(pin).function for pin in (*BUDGET.rows, *BUDGET.columns)} == {"input"}
    assert table.read(switches("b2")) == switches("b2")


# ------------------------------------------------------------------------------------ taking and giving


def test_a_busy_pin_is_named_with_its_purpose_and_nothing_stays_taken() -> None:
    pins = SimulatedPins(BUDGET)
    pins.busy.add(24)
    with pytest.raises(LinkLost) as lost:
        GpioSwitches(BUDGET, pins)
    assert str(lost.value) == (
        "GPIO24 (column 2) is in use by another program, or by a bus that config.txt switches on."
    )
    pins.busy.clear()
    assert GpioSwitches(BUDGET, pins, pins.settle).poll(0.0) == (Closed(0, 0.0),)


def test_a_pin_that_is_used_twice_is_named() -> None:
    with pytest.raises(LinkLost, match=r"^GPIO5 \(column 0\) is already in use by this program for something else\.$"):
        GpioSwitches(Matrix((4, 5), (5, 6)), SimulatedPins())


def test_a_pin_that_no_raspberry_pi_has_is_named() -> None:
    with pytest.raises(LinkLost, match=r"^GPIO99 \(row 1\) cannot be used \(99 is not a valid pin name\)\.$"):
        GpioSwitches(Matrix((4, 99), (5, 6)), SimulatedPins())


def test_closing_gives_every_pin_back_as_an_input() -> None:
    table = Table()
    table.scan()
    table.switches.close()
    table.switches.close()
    assert {table.pins.pin(pin).function for pin in (*BUDGET.rows, *BUDGET.columns)} == {"input"}


def test_a_board_can_be_opened_anew_and_tells_everything_again() -> None:
    table = Table()
    table.read(switches("c3"))
    table.switches.close()
    table.switches = GpioSwitches(BUDGET, table.pins, table.pins.settle)
    assert table.scan() == [switches("c3")]


def test_pins_that_fail_are_one_sentence_and_closing_them_gives_back_the_row_in_its_turn() -> None:
    table = Table()
    table.broken = True
    with pytest.raises(LinkLost) as lost:
        table.switches.poll(1.0)
    assert str(lost.value) == "The switches on the Raspberry Pi's pins cannot be read (Input/output error)."
    assert table.pins.pin(17).function == "output"
    table.switches.close()
    assert table.pins.pin(17).function == "input"


class Stubborn:
    """A device of gpiozero's whose pin can no longer be reached."""

    def close(self) -> None:
        """Fail."""
        raise OSError(EIO, "Input/output error")


def test_closing_goes_on_past_a_pin_that_fails() -> None:
    pins = SimulatedPins()
    (sound,) = take(pins, [("row 0", 17)], pulled_up)
    release([Line(pins.pin(4), Stubborn()), sound])
    take(pins, [("row 0", 17)], pulled_up)


def test_without_a_simulator_the_lines_settle_in_real_time() -> None:
    assert GpioSwitches(BUDGET, SimulatedPins(BUDGET, lambda: switches("g7"))).poll(0.0)[0].mask == switches("g7")


# ------------------------------------------------------------------------------------------ believing


def test_scans_are_still_once_all_of_the_last_are_believed() -> None:
    scans = EqualScans(3)
    assert not scans.still
    assert scans.scan(0b01) == 0b01
    assert scans.still
    assert scans.scan(0b11) is None
    assert not scans.still
    assert scans.scan(0b11) is None
    assert scans.scan(0b11) == 0b11
    assert scans.still


@given(st.lists(st.integers(0, 15), min_size=1, max_size=30), st.integers(1, 4))
def test_a_switch_is_believed_exactly_when_its_last_scans_agree(masks: list[int], equal: int) -> None:
    scans = EqualScans(equal)
    for upto in range(1, len(masks) + 1):
        before, told = scans.believed, scans.scan(masks[upto - 1])
        last = ([masks[0]] * equal + masks[1:upto])[-equal:]
        for bit in range(4):
            read = {mask >> bit & 1 for mask in last}
            assert scans.believed >> bit & 1 == (read.pop() if len(read) == 1 else before >> bit & 1)
        assert told == (scans.believed if scans.believed != before or upto == 1 else None)
