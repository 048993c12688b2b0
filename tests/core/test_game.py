"""The shared vocabulary: sides, occupancy, counts."""

from __future__ import annotations

import pytest

from reedlight.core.game import Correction, Roll, Side, tally, whose_turn
from reedlight.core.grid import Cell
from reedlight.games import make


@pytest.mark.parametrize(
    ("side", "other"), [(Side.LIGHT, Side.DARK), (Side.DARK, Side.LIGHT), (Side.CHANCE, Side.CHANCE)]
)
def test_the_players_are_each_others_opponents_and_chance_has_none(side: Side, other: Side) -> None:
    assert side.other is other


def test_occupancy_is_the_cells_with_a_piece() -> None:
    game = make("herd", "2")
    state = game.load("2 .R/B../.B red roll - 0 0 -")
    assert state.occupancy() == {"0,1", "-1,0", "1,-1"}
    assert game.start().occupancy() == frozenset()


def test_stacks_are_counted_by_height() -> None:
    game = make("diablo", "4")
    rolled = game.start().apply(Roll((2, 2)))
    merged = rolled.apply(game.parse(rolled, "merge 2 a1-c1"))
    assert len(merged.occupancy()) == 15
    assert tally(merged) == {Side.LIGHT: 8, Side.DARK: 8}


def test_nobody_has_a_piece_on_an_empty_board() -> None:
    assert tally(make("herd", "2").start()) == {Side.LIGHT: 0, Side.DARK: 0}


def test_a_correction_reads_as_what_is_counted() -> None:
    assert str(Correction(((Cell("a4"), 1), (Cell("c2"), 3)))) == "recount a4=1, c2=3"


def test_before_the_roll_it_is_the_turn_of_whoever_acts_after_it() -> None:
    diablo, draughts = make("diablo", "4").start(), make("draughts").start()
    assert (diablo.to_act, whose_turn(diablo)) == (Side.CHANCE, Side.DARK)
    assert whose_turn(diablo.apply(Roll((1, 2)))) is Side.DARK
    assert whose_turn(draughts) is Side.LIGHT
