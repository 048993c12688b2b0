"""The whole firmware in a real MicroPython at the end of a terminal: what a person with a magnet would see."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pico_bench import PATIENCE_S, SERIAL, MakeTerminal, Terminal

from reedlight.scene.scene import Button
from reedlight_sim.pico import TO_GROUND, TO_SUPPLY, Defects

BUTTONS = {"go": 18, "next": 19, "back": 20, "hint": 21}
LAMPS = {"go": 22, "next": 26, "back": 27}
EMPTY = "0" * 16


def bits(*numbers: int) -> int:
    return sum(1 << number for number in numbers)


def until(true: Callable[[], bool]) -> None:
    """Wait for something that the board does without a word."""
    patience = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < patience
        time.sleep(0.01)


def process_of(terminal: Terminal) -> subprocess.Popen[bytes]:
    process = terminal.board._process  # pyright: ignore[reportPrivateUsage]  # nobody else sends it a signal
    assert process is not None
    return process


def watchdog(terminal: Terminal) -> int:
    """What the watchdog does: 0 not started, 1 running, 2 stopped."""
    return Path(terminal.board.path).with_name("lamps").read_bytes()[1]


# ------------------------------------------------------------------------------------------- talking


def test_a_board_says_what_it_is(terminal: MakeTerminal) -> None:
    board = terminal(buttons={"go": 18, "back": 20})
    assert board.answer("h 1", "H") == [f"H 1 0.1.0 8 8 {SERIAL} 5"]


def test_a_board_greets_first_and_counts_its_lines(terminal: MakeTerminal) -> None:
    board = terminal()
    numbered = [board.read() for _ in range(4)]
    numbers = [number for number, _ in numbered]
    assert numbers[0] == 0
    assert numbers == sorted(set(numbers))
    assert [text[0] for _, text in numbered] == ["H", "S", "S", "S"]


def test_even_the_first_report_is_of_what_is_on_the_board_already(terminal: MakeTerminal) -> None:
    board = terminal()
    board.board.unplug()
    board.close()
    board.board.close_switches(bits(0, 63))
    board.board.plug()
    board.sit_down()
    board.ask("s 1")
    assert board.wait_for("S") == "S 8000000000000001 0"


def test_a_change_is_reported_by_itself_and_so_is_standstill(terminal: MakeTerminal) -> None:
    board = terminal()
    board.wait_until(f"S {EMPTY} 0")
    board.board.close_switches(bits(*range(16)))
    board.wait_until("S 000000000000ffff 0")
    board.board.close_switches(bits(*range(16)) ^ bits(9))
    board.wait_until("S 000000000000fdff 0")
    assert [board.wait_for("S") for _ in range(3)] == ["S 000000000000fdff 0"] * 3


def test_the_state_is_told_when_it_is_asked_for(terminal: MakeTerminal) -> None:
    board = terminal()
    board.wait_for("H")
    for number in range(50):
        board.ask(f"s {number}")
    before = [board.wait_for("S") for _ in range(50)]
    assert set(before) == {f"S {EMPTY} 0"}


def test_buttons_are_reported_while_they_are_down(terminal: MakeTerminal) -> None:
    board = terminal(buttons=BUTTONS)
    board.board.press(frozenset({Button.GO, Button.HINT}))
    board.wait_until(f"S {EMPTY} 9")
    board.board.press(frozenset())
    board.wait_until(f"S {EMPTY} 0")


def test_lamps_of_buttons_light_as_asked(terminal: MakeTerminal) -> None:
    board = terminal(buttons=BUTTONS, lamps=LAMPS)
    board.ask("b 1 5")
    board.answer("n 2", "N")
    assert board.board.lamps == {Button.GO, Button.BACK}
    board.ask("b 3 2")
    board.answer("n 4", "N")
    assert board.board.lamps == {Button.NEXT}


def test_a_lamp_that_is_not_there_is_named_and_the_others_light(terminal: MakeTerminal) -> None:
    board = terminal(lamps=LAMPS)
    assert board.answer("b 1 9", "E") == ["E HINT_has_no_lamp"]
    assert board.board.lamps == {Button.GO}


def test_counters_tell_of_scans_and_of_nonsense(terminal: MakeTerminal) -> None:
    board = terminal()
    first = board.answer("n 1", "N")[0].split(" ")
    board.type(b"AT\r\nATI\r\n\r\n")
    second = board.answer("n 2", "N")[0].split(" ")
    assert int(second[1]) > int(first[1])
    assert int(second[2]) > 0
    assert (first[4:], second[4:]) == (["0", "0"], ["0", "2"])


def test_a_scan_that_began_late_is_counted(terminal: MakeTerminal) -> None:
    board = terminal()
    board.wait_for("S")
    process_of(board).send_signal(signal.SIGSTOP)
    time.sleep(0.05)
    process_of(board).send_signal(signal.SIGCONT)
    assert int(board.answer("n 1", "N")[0].split(" ")[3]) > 0


@pytest.mark.parametrize(("rows", "columns"), [(10, 10), (1, 1), (5, 7), (13, 13)])
def test_boards_of_other_sizes_are_read_to_their_last_switch(terminal: MakeTerminal, rows: int, columns: int) -> None:
    board = terminal(range(rows), range(rows, rows + columns))
    last = rows * columns - 1
    digits = last // 4 + 1
    board.board.close_switches(bits(last))
    board.wait_until(f"S {1 << last:0{digits}x} 0")
    board.board.close_switches(bits(*range(last + 1)))
    board.wait_until(f"S {(1 << last + 1) - 1:0{digits}x} 0")
    assert len(board.answer("l 1", "L", rows + columns)) == rows + columns


# -------------------------------------------------------------------------------------------- testing


def test_the_line_test_of_a_sound_board_finds_nothing(terminal: MakeTerminal) -> None:
    board = terminal()
    assert board.answer("l 1", "L", 16) == [f"L {line} 0000 0" for line in range(16)]


def test_the_line_test_names_lines_that_are_joined_or_on_ground_or_on_the_supply(terminal: MakeTerminal) -> None:
    board = terminal()
    board.board.damage(Defects(nets={1: 7, 2: 7, 5: TO_SUPPLY, 12: TO_GROUND}))
    board.wait_until("S 1010101010101010 0")
    low = [bits(12)] * 16
    low[1] |= bits(2)
    low[2] |= bits(1)
    low[12] = 0
    assert board.answer("l 1", "L", 16) == [f"L {line} {low[line]:04x} {int(line == 5)}" for line in range(16)]


@pytest.mark.parametrize(
    ("defects", "row"),
    [
        (Defects(), "R 2 08 00"),
        (Defects(reversed=bits(19)), "R 2 00 08"),
        (Defects(bridged=bits(19)), "R 2 08 08"),
    ],
    ids=["sound", "turned", "bridged"],
)
def test_the_scan_test_tells_a_diode_by_its_two_directions(terminal: MakeTerminal, defects: Defects, row: str) -> None:
    board = terminal()
    board.board.damage(defects)
    board.board.close_switches(bits(19, 27))
    board.wait_until(f"S {bits(27) if defects.reversed else bits(19, 27):016x} 0")
    rows = board.answer("r 1", "R", 8)
    assert rows[2] == row
    assert rows[0] == "R 0 00 00"
    assert rows[3].startswith("R 3 08 ")


def test_after_the_tests_the_board_goes_on_as_before(terminal: MakeTerminal) -> None:
    board = terminal()
    board.answer("l 1", "L", 16)
    board.answer("r 2", "R", 8)
    board.board.close_switches(bits(42))
    board.wait_until(f"S {bits(42):016x} 0")


# ------------------------------------------------------------------------------------------- mistreated


def test_a_flood_of_garbage_stops_nothing(terminal: MakeTerminal) -> None:
    board = terminal()
    board.type(random.Random(4).randbytes(6_000))
    board.type(b"\n")
    board.board.close_switches(bits(3))
    board.wait_until(f"S {bits(3):016x} 0")
    counters = board.answer("n 1", "N")[0].split(" ")
    assert int(counters[5]) > 0
    assert board.broken == 0


def test_a_host_that_does_not_read_misses_lines_and_the_scan_goes_on(terminal: MakeTerminal) -> None:
    board = terminal(lamps=LAMPS)
    for number in range(170):  # 73 kB of answers, and a terminal keeps 64 KiB and a little at most
        board.ask(f"l {number}")
    board.ask("b 170 1")
    until(lambda: board.board.lamps == frozenset({Button.GO}))
    board.board.close_switches(bits(5))
    board.wait_until(f"S {bits(5):016x} 0")
    counters = board.answer("n 171", "N")[0].split(" ")
    assert int(counters[4]) > 0


def test_ctrl_c_stops_the_watchdog_and_darkens_the_lamps(terminal: MakeTerminal) -> None:
    board = terminal(lamps=LAMPS)
    board.ask("b 1 7")
    board.answer("n 2", "N")
    assert watchdog(board) == 1
    process = process_of(board)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_S) == 0
    assert watchdog(board) == 2
    assert board.board.lamps == frozenset()
    assert board.board.errors == ""


def test_a_host_that_leaves_and_comes_back_is_answered(terminal: MakeTerminal) -> None:
    board = terminal()
    board.wait_for("S")
    board.close()
    board.sit_down()
    assert board.answer("h 1", "H") == [f"H 1 0.1.0 8 8 {SERIAL} 0"]
