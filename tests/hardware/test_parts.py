"""The list of parts says what the program and its firmware say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hardware.generator.boards import BOARDS, board_of
from hardware.generator.parts import load
from hardware.generator.power import loads, sums
from hardware.generator.wiring import circuit_of

from reedlight.adapters.luma_rgb import CLOCK
from reedlight.board import checks as boards
from reedlight.board.profile import ConfigError
from reedlight.board.toml import load_packaged

FIRMWARE = Path(__file__).parent.parent.parent / "firmware"


def test_the_wait_of_the_scan_is_the_firmware_s() -> None:
    said = re.search(r"^SETTLE_US = (\d+)$", (FIRMWARE / "scan.py").read_text("utf-8"), re.MULTILINE)
    assert said is not None
    assert load().rule("signal", "settle") == float(said[1])


def test_the_clock_of_the_string_is_the_program_s() -> None:
    assert load().rule("signal", "bit_clock") * 1e6 == CLOCK


def test_the_currents_are_those_that_the_program_reckons_with() -> None:
    parts = load()
    assert parts.of("rgb_lamp").number("dark") == boards.DARK_LAMP
    assert parts.of("max7219").number("all_lit") == boards.FULL_CHIP
    assert parts.of("dice_module").number("all_lit") == boards.FULL_MODULE


@pytest.mark.parametrize("name", BOARDS)
def test_the_budget_s_worst_is_what_the_program_allows(name: str) -> None:
    board = board_of(name)
    assert sums(loads(board.profile, board.circuit, board.parts)).worst == pytest.approx(boards.drawn(board.profile))


def test_spares_are_rounded_up_to_whole_parts() -> None:
    parts = load()
    assert parts.of("reed").to_buy(64) == 75
    assert parts.of("magnet").to_buy(12) == 14
    assert parts.of("pico").to_buy(1) == 1


def test_a_board_on_expanders_has_no_tables_and_says_so() -> None:
    board = board_of("oak-8x8")
    with pytest.raises(ConfigError, match=r"budget-8x8-expander: scan\.by: there are no tables"):
        circuit_of(load_packaged("budget-8x8-expander"), board.plan, board.parts)


def test_every_part_says_what_will_do_instead() -> None:
    for part in load().parts.values():
        assert part.name, part.key
        assert part.numbers, part.key
        assert part.instead, part.key
        assert part.price > 0, part.key
