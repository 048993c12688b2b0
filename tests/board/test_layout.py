"""The table between switches, cells and lamps."""

from __future__ import annotations

import pytest

from reedlight.board.layout import Layout, direct
from reedlight.core.grid import Cell, hexhex, square

A1, B1, C1 = Cell("a1"), Cell("b1"), Cell("c1")


def test_a_direct_layout_numbers_the_cells_in_the_grids_order() -> None:
    layout = direct(square(8))
    assert layout.switches[Cell("a1")] == 0
    assert layout.switches[Cell("b1")] == 1
    assert layout.switches[Cell("h8")] == 63
    assert layout.lamps == layout.switches


@pytest.mark.parametrize("grid", [square(2), square(26), hexhex(5)], ids=lambda grid: grid.name)
def test_every_cell_has_one_bit(grid: object) -> None:
    assert isinstance(grid, type(square(2)))
    layout = direct(grid)
    assert layout.cells_of(0) == frozenset()
    assert layout.mask_of(grid.cells) == (1 << len(grid.cells)) - 1
    assert all(layout.cells_of(layout.mask_of({cell})) == {cell} for cell in grid.cells)


def test_a_mask_and_its_cells_say_the_same() -> None:
    layout = Layout({A1: 5, B1: 70, C1: 0}, {A1: 0, B1: 1, C1: 2})
    assert layout.mask_of((A1, B1)) == 1 << 5 | 1 << 70
    assert layout.cells_of(1 << 70 | 1) == {B1, C1}


def test_a_switch_without_a_cell_is_not_seen() -> None:
    assert Layout({A1: 1}, {A1: 0}).cells_of(0b111) == {A1}


def test_layouts_are_equal_when_their_tables_are() -> None:
    assert direct(square(4)) == direct(square(4))
    assert direct(square(4)) != direct(square(6))


@pytest.mark.parametrize(
    ("switches", "lamps", "sentence"),
    [
        ({A1: 3, B1: 3}, {A1: 0, B1: 1}, "cells a1 and b1 share switch 3; every cell needs its own"),
        ({A1: 3, B1: 4}, {A1: 9, B1: 9}, "cells a1 and b1 share lamp 9; every cell needs its own"),
        ({A1: -1}, {A1: 0}, "switch -1 of cell a1: numbers begin at 0"),
        ({A1: 1, C1: 2}, {A1: 1, B1: 2}, "every cell needs one switch and one lamp; not so: b1, c1"),
    ],
)
def test_a_wrong_table_is_refused_by_name(switches: dict[Cell, int], lamps: dict[Cell, int], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Layout(switches, lamps)
