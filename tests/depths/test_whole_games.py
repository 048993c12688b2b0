"""A whole game of each kind at each depth, performed by a sloppy hand: the record is what the hand meant."""

from __future__ import annotations

import pytest
from depths.boards import BOARDS
from depths.sitting import AT

from reedlight.core.grid import Grid
from reedlight.games import make
from reedlight_sim.depths import Depth
from reedlight_sim.hand import SLOPPY
from reedlight_sim.perform import Manner, perform
from reedlight_sim.soak import random_scripts

GAMES = (
    ("draughts", "8", 109, "ports", "oak-8x8"),
    ("draughts", "8", 109, "pins", "budget-8x8"),
    ("draughts", "8", 109, "firmware", "pico-mono"),
    ("diablo", "4", 8, "ports", "pico-mono"),
    ("diablo", "4", 8, "pins", "budget-8x8-expander"),
    ("diablo", "4", 8, "firmware", "oak-8x8"),
    ("herd", "3", 39, "ports", "hex-61"),
    ("herd", "3", 39, "pins", "expander-hex-91"),
    ("herd", "3", 39, "firmware", "hex-61"),
)
"""Game, size, the seed of a short one, depth, board."""
HIDDEN = 0.1
"""The share of what can be hidden from the switches that is."""


@pytest.mark.parametrize(("name", "size", "seed", "depth", "board"), GAMES, indirect=["depth"])
def test_a_sloppy_hand_is_understood_to_the_end(name: str, size: str, seed: int, depth: str, board: str) -> None:
    script = next(random_scripts(make(name, size), 1, seed))

    def at(grid: Grid) -> Depth:
        return AT[depth](BOARDS[board], grid)

    result = perform(script, Manner(SLOPPY, unseen=HIDDEN, seed=seed, depth=at))
    assert result.difference is None, result.difference.told(script.title)
    assert result.moves == script.moves
    assert result.slips
