"""The list of parts says what the program and its firmware say."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hardware.generator.boards import BOARDS, board_of, built
from hardware.generator.parts import load
from hardware.generator.power import loads, sums
from hardware.generator.shopping import pieces_of
from hardware.mechanics.prints import PRINTS

from reedlight.adapters.luma_rgb import CLOCK
from reedlight.board import checks as boards
from reedlight.board.profile import ConfigError, DiceDigits, DiceModules, Gpio, Matrix, Max7219, PicoPins, Spi
from reedlight.board.toml import load_packaged
from reedlight.core.grid import hexhex
from reedlight.games.herd.rules import Herd, board_on

ROOT = Path(__file__).parent.parent.parent
FIRMWARE = ROOT / "firmware"


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
    with pytest.raises(ConfigError, match=r"budget-8x8-expander: scan\.by: there are no tables"):
        built(load_packaged("budget-8x8-expander"), load())


@pytest.mark.parametrize(
    ("name", "change", "key"),
    [
        ("oak-8x8", {"lamps": None}, "lamps"),
        ("oak-8x8", {"buttons": PicoPins({"go": 18})}, "buttons.on"),
        ("oak-8x8", {"button_lamps": PicoPins({"go": 19})}, "button_lamps.on"),
        ("oak-8x8", {"dice": DiceDigits(Spi(1, 0), 0, (0, 1))}, "dice.on"),
        ("budget-8x8", {"dice": DiceModules(Spi(0, 0), 1)}, "dice.on"),
        ("budget-8x8", {"lamps": Max7219(Spi(0, 0), 2)}, "lamps.chips"),
        ("budget-8x8", {"reader": Gpio(Matrix(tuple(range(2, 11)), (11, 12)))}, "scan.rows"),
    ],
)
def test_a_board_that_is_built_in_another_way_has_no_tables_and_says_so(
    name: str, change: dict[str, Any], key: str
) -> None:
    with pytest.raises(ConfigError, match=f"^{name}: {key}: there are no tables for "):
        built(replace(load_packaged(name), **change), load())


def test_every_part_says_what_will_do_instead() -> None:
    for part in load().parts.values():
        assert part.name, part.key
        assert part.numbers, part.key
        assert part.instead, part.key
        assert part.price > 0, part.key


@pytest.mark.parametrize(
    ("name", "table", "rule"),
    [
        ("sheet", "plan", "sheet"),
        ("sleeve_at", "plan", "sleeve_at"),
        ("diameter", "plan", "piece"),
        ("off_centre", "magnetics", "off"),
    ],
)
def test_what_is_printed_has_the_measures_of_what_is_cut(name: str, table: str, rule: str) -> None:
    assert printed(name) == load().rule(table, rule)


def test_reeds_are_sorted_in_the_slide_as_the_margins_say() -> None:
    assert printed("closed_at") == load().rules("magnetics", "closes")[0]
    assert printed("open_at") == load().rules("magnetics", "opens")[0]


@pytest.mark.parametrize(("name", "wanted"), [("oak-8x8", 64), ("budget-8x8", 64), ("hex-61", 100)])
def test_as_many_pieces_are_printed_as_get_a_magnet(name: str, wanted: int) -> None:
    plan = board_of(name).plan
    checker = PRINTS["checker"]
    assert (checker.hexagon if plan.hexagons else checker.square) == pieces_of(plan) == wanted


@pytest.mark.parametrize(("side", "stones", "enough"), [(4, 32, 0.8), (5, 50, 0.9)])
def test_the_stones_of_a_colour_are_enough_for_most_random_games_of_herd(side: int, stones: int, enough: float) -> None:
    most = [_larger_share(side, seed) for seed in range(100)]
    assert sum(held <= stones for held in most) >= 100 * enough
    assert max(most) > stones, "not for all: the boards' pages say so"


def _larger_share(side: int, seed: int) -> int:
    """The most stones that one colour ever has on the board in a game of random moves."""
    chance, state, most = Random(seed), Herd(board_on(hexhex(side))), 0  # a game, no secret
    while state.outcome is None:
        odds = state.chance()
        if odds:
            state = state.apply(chance.choices(list(odds), [float(odd) for odd in odds.values()])[0])
        else:
            state = state.apply(chance.choice(state.legal_actions()))
        stones = Counter(piece.side for piece in state.pieces().values())
        most = max(most, *stones.values(), 0)
    return most


def printed(name: str) -> float:
    """A measure that all printed parts share."""
    text = (ROOT / "hardware" / "mechanics" / "dimensions.scad").read_text("utf-8")
    said = re.search(rf"^{name} = ([\d.]+);", text, re.MULTILINE)
    assert said is not None, name
    return float(said[1])
