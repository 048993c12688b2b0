"""Moves of each game at each depth, told by the lamps under the cells."""

from __future__ import annotations

import pytest
from depths.boards import BOARDS, cases
from depths.sitting import ALL_COLOURS, ONE_COLOUR, do, mark_of, played, rhythms, roll, sitting

from reedlight.core.game import Side
from reedlight.games import make
from reedlight.scene.palette import Colour
from reedlight.scene.scene import Button, Mark
from reedlight_sim.hand import HANDS
from reedlight_sim.hardware import LIT

CHAIN = "W:Wc3:Bd4,f6,h2"
"""A man on c3 that must take d4 and f6."""
MERGES = "G1,3/4/4/B1,B1,B1,1 B roll"
"""Black on a1, b1 and c1; Green alone on a4."""
SURROUNDED = "3 .BR/..B./...../..../... blue place 3-1 0 2 -"
"""The single red stone on 0,2 has one free neighbour left, 1,1."""


@pytest.mark.parametrize(("name", "depth"), cases("oak-8x8", "budget-8x8"), indirect=["depth"])
def test_a_chain_of_captures_shows_where_to_land_and_what_to_take_off(name: str, depth: str) -> None:
    board, game = BOARDS[name], make("draughts")
    with sitting(depth, board, game, game.load(CHAIN)) as table:
        assert rhythms(table, board) == {"c3": Mark.MOVABLE}
        do(table, "-c3")
        assert rhythms(table, board) == {"c3": Mark.SOURCE, "e5": Mark.TARGET, "g7": Mark.TARGET}
        do(table, "+e5")
        assert rhythms(table, board) == {"c3": Mark.SOURCE, "d4": Mark.TAKEN, "g7": Mark.TARGET}
        do(table, "-e5 +g7")
        assert rhythms(table, board) == {"c3": Mark.SOURCE, "d4": Mark.TAKEN, "f6": Mark.TAKEN}
        do(table, "-f6 -d4")
        assert rhythms(table, board) == {**dict.fromkeys(("c3", "d4", "f6", "g7"), Mark.LAST), "h2": Mark.MOVABLE}
        assert played(table) == ["c3:g7"]


@pytest.mark.parametrize(("name", "depth"), cases("pico-mono"), indirect=["depth"])
def test_what_is_out_of_place_is_lit_until_it_is_right(name: str, depth: str) -> None:
    board, game = BOARDS[name], make("draughts")
    with sitting(depth, board, game, game.load("W:Wc3:Bh8")) as table:
        do(table, "-c3 +c5")
        assert rhythms(table, board) == {"c3": Mark.MISSING, "c5": Mark.EXTRA}
        do(table, "-h8")
        assert rhythms(table, board) == {"c3": Mark.MISSING, "c5": Mark.EXTRA, "h8": Mark.MISSING}
        table.world.put_back(HANDS[Side.DARK], table.now)
        do(table, "-c5 +d4")
        assert rhythms(table, board) == {"c3": Mark.LAST, "d4": Mark.LAST, "h8": Mark.MOVABLE}
        assert played(table) == ["c3-d4"]


@pytest.mark.parametrize(("name", "depth"), cases("budget-8x8-expander", "pico-mono"), indirect=["depth"])
def test_a_merge_that_no_switch_sees_is_asked_for_by_lamps_and_buttons(name: str, depth: str) -> None:
    board, game = BOARDS[name], make("diablo", "4")
    with sitting(depth, board, game, game.load(MERGES)) as table:
        roll(table, 1, 2)
        assert rhythms(table, board) == dict.fromkeys(("a1", "b1", "c1"), Mark.MOVABLE)
        do(table, "-b1")
        free, own = dict.fromkeys(("d1", "b2", "b3"), Mark.TARGET), dict.fromkeys(("a1", "c1"), Mark.MERGE)
        assert rhythms(table, board) == {"b1": Mark.SOURCE, **free, **own}
        do(table, "+c1")
        table.press(Button.GO)
        assert rhythms(table, board) == {"b1": Mark.SOURCE, "a1": Mark.CHOICE}
        table.press(Button.NEXT)
        assert rhythms(table, board) == {"b1": Mark.SOURCE, "c1": Mark.CHOICE}
        table.press(Button.GO)
        assert rhythms(table, board) == {"b1": Mark.LAST, "a1": Mark.MOVABLE, "c1": Mark.MOVABLE}
        assert played(table) == ["merge 1 b1-c1"]


@pytest.mark.parametrize(("name", "depth"), cases("hex-61", "oak-8x8"), indirect=["depth"])
def test_a_surrounded_stone_blinks_until_it_leaves(name: str, depth: str) -> None:
    board, game = BOARDS[name], make("herd", "3")
    with sitting(depth, board, game, game.load(SURROUNDED)) as table:
        stones = set(map(str, table.session.state.pieces()))
        free = {str(cell) for cell in game.grid.cells} - stones
        assert rhythms(table, board) == dict.fromkeys(free, Mark.TARGET)
        do(table, "+1,1")
        assert rhythms(table, board) == {"0,2": Mark.TAKEN}
        do(table, "-0,2")
        assert rhythms(table, board) == {**dict.fromkeys(free - {"1,1"} | {"0,2"}, Mark.TARGET), "1,1": Mark.LAST}
        assert played(table) == ["place 1,1"]


def test_a_rhythm_is_recognised_wherever_it_begins_and_no_other_is() -> None:
    lit, dark = Colour(255, 255, 255), None
    taken, dim = [lit, lit, dark, dark] * 6, Colour(100, 100, 100)
    assert mark_of(taken, ONE_COLOUR) == mark_of(taken[1:] + taken[:1], ONE_COLOUR) is Mark.TAKEN
    assert mark_of([lit, lit, dim, dim] * 6, ONE_COLOUR) is Mark.TAKEN
    assert mark_of([lit, lit, lit, dark] * 6, ONE_COLOUR) == "xxx." * 6
    assert mark_of([*taken[:-1], lit], ONE_COLOUR) == "xx.." * 5 + "xx.x"


def test_steady_lamps_are_told_apart_by_their_hue() -> None:
    white, sky = Colour(25, 24, 20), Colour(3, 57, 96)
    assert mark_of([white] * 24, ALL_COLOURS) is Mark.MOVABLE
    assert mark_of([sky] * 24, ALL_COLOURS) is Mark.TARGET
    assert mark_of([LIT] * 24, ONE_COLOUR) is Mark.TARGET
