"""Every cell of every board at every depth: its own reed is felt, and its own lamp is lit, and no other.

A game is made up for it in which Black's pieces stand on all cells and White may tap any of them, that is,
lift it and put it back. While one is lifted the cell's own lamp blinks, and nothing else is lit; it is lit in
the first half of each second.

The program is kept busy elsewhere, and looks at its ports only now and then: each cell takes a second of the
table's time, and that is over in some milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from math import floor
from random import Random
from typing import Any, cast

import pytest
from depths.boards import BOARDS, cases
from depths.sitting import AT, shining
from made_up import MadeUpGame, at, made_up

from reedlight.board.profile import Profile
from reedlight.core.game import Game, Side
from reedlight.core.grid import Cell, Grid, square
from reedlight.core.trace import lift, place
from reedlight.scene.scene import Button
from reedlight.session.settings import Guidance, Settings
from reedlight_sim.hand import HANDS
from reedlight_sim.table import Table

HAND = HANDS[Side.LIGHT]
GLANCE = 0.025
"""Seconds between two looks of the busy program: a scan is due at each."""

LANDMARKS: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "oak-8x8": {"a1": (0, 0), "h1": (7, 7), "h2": (15, 8), "a2": (8, 15), "h8": (63, 56), "a8": (56, 63)},
    "budget-8x8": {"a8": (56, 0), "a1": (0, 7), "b8": (57, 8), "h8": (63, 56), "h1": (7, 63)},
    "budget-8x8-expander": {"a8": (56, 0), "a1": (0, 7), "b8": (57, 8), "h8": (63, 56), "h1": (7, 63)},
    "hex-61": {"-4,4": (0, 0), "0,4": (4, 4), "1,3": (10, 5), "-4,3": (5, 10), "0,0": (30, 30), "4,-4": (60, 60)},
    "gpio-10x10": {"j10": (0, 9), "a10": (9, 99), "a9": (10, 98), "j9": (19, 8), "j1": (99, 0), "i1": (98, 10)},
    "pico-10x10": {"j1": (0, 90), "a1": (9, 9), "j2": (10, 91), "a10": (99, 0), "b1": (8, 10), "b10": (98, 19)},
    "pico-hex-91": {"0,-5": (0, 85), "5,-5": (5, 90), "-5,5": (85, 0), "0,5": (90, 5), "1,4": (84, 6)},
    "expander-hex-91": {"0,5": (0, 90), "-5,5": (5, 85), "1,4": (6, 84), "0,-5": (90, 0), "-1,-4": (84, 6)},
    "pico-mono": {"a1": (0, 0), "h1": (7, 7), "a2": (8, 8), "h8": (63, 63)},
}
"""For some cells of each board switch and lamp, counted along its wires by hand."""


@dataclass(frozen=True)
class Taps(MadeUpGame):
    """White taps Black's pieces, for ever."""

    where: Grid = field(default_factory=lambda: square(8))

    @property
    def grid(self) -> Grid:
        return self.where


def taps(grid: Grid) -> Game[Any]:
    """Tapping on this grid."""
    each = tuple((str(cell), lift(cell) >> place(cell), "start") for cell in grid.cells)
    position = replace(at("light", dark=" ".join(grid.cells)), traces=each)
    return cast("Game[Any]", Taps(made_up(start=position).table, where=grid))


def glance(table: Table, until: float) -> None:
    """Let time pass in which the program looks three times, and then is busy."""
    for _ in range(3):
        table.now += GLANCE
        table.tabletop.advance(table.now)
    assert table.now < until
    table.now = until
    table.tabletop.advance(table.now)


def begun(board: Profile, depth: str) -> Table:
    """Taps on this board's own cells, set up and begun."""
    game = taps(board.grid)
    settings = Settings(guidance=dict.fromkeys(HANDS, Guidance.TARGETS))
    table = Table(game, settings, Random(1), depth=AT[depth](board, board.grid))
    glance(table, 1.0)
    table.world.set_up(game.start().pieces(), table.now)
    glance(table, 2.0)
    table.tabletop.press(Button.GO, table.now)
    glance(table, 3.0)
    return table


@pytest.mark.parametrize(("name", "depth"), cases(*BOARDS), indirect=["depth"])
def test_each_cell_lights_its_own_lamp_and_no_other(name: str, depth: str) -> None:
    board = BOARDS[name]
    lamps: dict[Cell, int] = {}
    with closing(begun(board, depth)) as table:
        for cell in board.grid.cells:
            began = floor(table.now)
            assert not shining(table)
            table.world.lift(HAND, cell, table.now)
            glance(table, began + 0.2)
            (lamps[cell],) = shining(table)
            table.world.put_back(HAND, table.now)
            glance(table, began + 0.9)
            assert not shining(table)
            glance(table, began + 1.0)
    assert list(table.session.history) == list(map(str, board.grid.cells))
    assert lamps == board.layout.lamps
    assert len(set(lamps.values())) == len(board.grid.cells)


@pytest.mark.parametrize("name", BOARDS)
def test_some_cells_are_where_the_wires_lead_to(name: str) -> None:
    layout = BOARDS[name].layout
    found = {cell: (layout.switches[Cell(cell)], layout.lamps[Cell(cell)]) for cell in LANDMARKS[name]}
    assert found == LANDMARKS[name]
