"""Which board a game gets at each depth, if its owner does not say, or does."""

from __future__ import annotations

import pytest

from reedlight.board.layout import direct
from reedlight.board.profile import ConfigError
from reedlight.board.toml import load_packaged
from reedlight.core.grid import Grid, brick, hexhex, square
from reedlight_sim.depths import Ports
from reedlight_sim.hardware import Firmware, OnBoard, Pins, chosen


@pytest.mark.parametrize(
    ("depth", "grid", "board"),
    [
        ("pins", square(8), "budget-8x8"),
        ("pins", square(6), "budget-8x8"),
        ("pins", hexhex(5), "hex-61"),
        ("pins", hexhex(4), "hex-61"),
        ("pins", brick(6, 6), "hex-61"),
        ("firmware", square(8), "oak-8x8"),
        ("firmware", hexhex(4), "hex-61"),
    ],
    ids=str,
)
def test_a_game_gets_the_board_on_which_it_lies_most_naturally(depth: str, grid: Grid, board: str) -> None:
    found = chosen(depth, None, grid)
    assert isinstance(found, Firmware if depth == "firmware" else Pins)
    assert found.profile.name == board


def test_at_the_depth_of_ports_a_game_has_a_board_of_its_own_cells() -> None:
    found = chosen("ports", None, hexhex(6))
    assert type(found) is Ports
    assert found.layout == direct(hexhex(6))


def test_a_named_board_is_taken_at_every_depth() -> None:
    board = load_packaged("budget-8x8-expander")
    for depth, kind in (("ports", OnBoard), ("pins", Pins), ("firmware", Firmware)):
        found = chosen(depth, "budget-8x8-expander", square(8))
        assert type(found) is kind
        assert found.layout == board.layout


def test_a_game_that_is_too_large_for_all_boards_is_refused() -> None:
    with pytest.raises(
        ConfigError, match=r"^no packaged board has the 100 cells of square-10x10; name one with --board"
    ):
        chosen("firmware", None, square(10))


def test_a_game_that_is_too_large_for_the_named_board_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"^hex-61: the board has 61 cells and square-8x8 needs 64$"):
        chosen("pins", "hex-61", square(8))


def test_a_board_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"^there is no board 'pine-8x8'"):
        chosen("ports", "pine-8x8", square(8))
