"""The physical truth as stories: what hands do, and what the switches say of it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from random import Random

import pytest

from reedlight.board.layout import direct
from reedlight.core.game import Kind, Piece, Side
from reedlight.core.grid import Cell, square
from reedlight_sim.world import Contact, Fault, Hand, Impossible, World

GRID = square(4)
LAYOUT = direct(GRID)
A1, B1, C1, D1 = (Cell(name) for name in ("a1", "b1", "c1", "d1"))
ME = Hand("me")
MAN, FOE = Piece(Side.LIGHT, Kind.MAN), Piece(Side.DARK, Kind.MAN)
STONE = Piece(Side.LIGHT, Kind.STONE)
STILL = Contact(bounces=0)


def world_with(
    pieces: Mapping[Cell, Piece], contact: Contact = STILL, supply: Mapping[Piece, int] | None = None
) -> World:
    world = World(LAYOUT, Random(1), supply or {}, contact)
    world.set_up(pieces, 0.0)
    world.samples_until(0.5)
    return world


def heard(world: World, until: float) -> list[tuple[float, str]]:
    """What the switches say until then: the time in ms and the closed cells."""
    return [
        (round(sample.at * 1000, 3), " ".join(sorted(LAYOUT.cells_of(sample.mask))))
        for sample in world.samples_until(until)
    ]


def closed(world: World, now: float) -> str:
    world.samples_until(now)
    return " ".join(sorted(LAYOUT.cells_of(world.mask)))


def test_a_lifted_piece_opens_its_switch_and_a_placed_one_closes_it() -> None:
    world = world_with({A1: MAN})
    world.lift(ME, A1, 1.0)
    world.place(ME, B1, 2.0)
    assert heard(world, 3.0) == [(1000, ""), (2000, "b1")]
    assert world.pieces() == {B1: MAN}


def test_a_stack_set_on_a_stack_makes_no_edge() -> None:
    world = world_with({A1: Piece(Side.LIGHT, Kind.CHECKER, 2), B1: Piece(Side.LIGHT, Kind.CHECKER, 3)})
    world.lift(ME, A1, 1.0)
    world.place(ME, B1, 2.0)
    assert heard(world, 3.0) == [(1000, "b1")]
    assert world.pieces()[B1].height == 5


def test_the_top_of_a_stack_leaves_unseen_and_the_last_piece_does_not() -> None:
    world = world_with({A1: Piece(Side.LIGHT, Kind.CHECKER, 2)})
    world.take_top(ME, A1, 1.0)
    world.take_top(ME, A1, 2.0)
    assert heard(world, 3.0) == [(2000, "")]
    assert world.carries(ME, Side.LIGHT) == 2


def test_a_hand_sets_down_its_own_colour_and_keeps_the_captive() -> None:
    world = world_with({A1: MAN, B1: FOE})
    world.lift(ME, A1, 1.0)
    world.lift(ME, B1, 1.1)
    world.place(ME, C1, 1.2, Side.LIGHT)
    assert world.pieces() == {C1: MAN}
    assert [held.stack for held in world.held(ME)] == [(FOE,)]
    assert world.to_tray(ME, 1.3) == (FOE,)
    assert world.tray == (FOE,)
    assert world.held(ME) == ()


def test_a_mixed_stack_is_parted_by_colour() -> None:
    world = world_with({A1: MAN, B1: FOE})
    world.lift(ME, A1, 1.0)
    world.place(ME, B1, 1.1)
    assert world.stack(B1) == (FOE, MAN)
    world.lift(ME, B1, 1.2)
    world.place(ME, C1, 1.3, Side.LIGHT)
    assert world.stack(C1) == (MAN,)
    assert world.carries(ME, Side.DARK) == 1


def test_a_piece_is_put_back_where_it_came_from() -> None:
    world = world_with({A1: MAN, B1: FOE})
    world.lift(ME, A1, 1.0)
    world.lift(ME, B1, 1.1)
    world.put_back(ME, 1.2)
    assert world.pieces() == {B1: FOE}
    world.put_back(ME, 1.3)
    assert world.pieces() == {A1: MAN, B1: FOE}


def test_one_checker_is_laid_aside_from_what_is_held() -> None:
    world = world_with({A1: Piece(Side.LIGHT, Kind.CHECKER, 2)})
    world.lift(ME, A1, 1.0)
    assert world.one_to_tray(ME, 1.1).height == 1
    world.put_back(ME, 1.2)
    assert world.pieces()[A1].height == 1
    world.lift(ME, A1, 1.3)
    world.one_to_tray(ME, 1.4)
    assert world.held(ME) == ()


def test_the_stack_taken_last_goes_to_the_tray_and_the_others_stay_in_the_hand() -> None:
    world = world_with({A1: MAN, B1: FOE})
    world.lift(ME, A1, 1.0)
    world.lift(ME, B1, 1.1)
    assert world.last_to_tray(ME, 1.2) == (FOE,)
    assert world.carries(ME, Side.LIGHT) == 1


def test_stones_come_from_the_supply_and_then_from_the_tray() -> None:
    world = world_with({A1: STONE}, supply={STONE: 1})
    world.from_supply(ME, STONE, 1.0)
    assert world.supply[STONE] == 0
    world.place(ME, B1, 1.1)
    world.lift(ME, A1, 1.2)
    world.to_tray(ME, 1.3)
    world.from_supply(ME, STONE, 1.4)
    assert world.tray == ()
    with pytest.raises(Impossible, match="there is no light stone left beside the board"):
        world.from_supply(ME, STONE, 1.5)


def test_a_captive_is_taken_from_the_tray_again() -> None:
    world = world_with({A1: MAN, B1: FOE})
    for cell in (A1, B1):
        world.lift(ME, cell, 1.0)
        world.to_tray(ME, 1.0)
    assert world.from_tray(ME, 1, 1.1) == FOE
    world.place(ME, C1, 1.2)
    assert world.pieces() == {C1: FOE}


def test_a_man_is_turned_over_to_a_king_and_back_and_a_stone_stays_a_stone() -> None:
    world = world_with({A1: MAN, B1: STONE})
    world.turn_over(A1, 1.0)
    world.turn_over(B1, 1.0)
    assert world.pieces() == {A1: Piece(Side.LIGHT, Kind.KING), B1: STONE}
    world.turn_over(A1, 1.1)
    assert world.pieces() == {A1: MAN, B1: STONE}
    assert heard(world, 2.0) == []


def test_a_slide_closes_each_cell_for_its_moment() -> None:
    world = world_with({A1: MAN})
    world.lift(ME, A1, 1.0)
    arrived = world.slide(ME, [(B1, 0.05), (C1, 0.04)], 1.1)
    assert arrived == pytest.approx(1.19)
    world.samples_until(arrived)
    world.place(ME, D1, 1.2)
    assert closed(world, 1.3) == "d1"


def test_a_slide_is_heard_cell_by_cell() -> None:
    world = world_with({A1: MAN})
    world.lift(ME, A1, 1.0)
    world.slide(ME, [(B1, 0.05), (C1, 0.04)], 1.1)
    stages = [cells for _, cells in heard(world, 2.0)]
    assert stages[0] == ""
    assert "b1" in stages
    assert "c1" in stages
    assert stages[-1] == ""


def test_a_nudged_piece_opens_its_switch_for_a_moment() -> None:
    world = world_with({A1: MAN})
    world.nudge(A1, 0.05, 1.0)
    assert heard(world, 2.0) == [(1000, ""), (1050, "a1")]


def test_a_piece_lifted_while_it_is_nudged_does_not_come_back() -> None:
    world = world_with({A1: MAN})
    world.nudge(A1, 0.05, 1.0)
    world.lift(ME, A1, 1.02)
    assert heard(world, 2.0) == [(1000, "")]


def test_a_knock_moves_some_pieces_and_all_of_them_come_to_rest() -> None:
    world = world_with(dict.fromkeys(GRID.cells, MAN))
    world.knock(1.0)
    masks = {sample.mask for sample in world.samples_until(2.0)}
    assert len(masks) > 2
    assert world.mask == (1 << 16) - 1


@pytest.mark.parametrize("seed", range(10))
def test_a_contact_flutters_for_little_more_than_a_millisecond(seed: int) -> None:
    world = World(LAYOUT, Random(seed))
    world.set_up({A1: MAN}, 1.0)
    samples = world.samples_until(2.0)
    assert len(samples) in {1, 3, 5}
    assert samples[0].at == 1.0
    assert samples[-1].at <= 1.0012
    assert samples[-1].mask == 1
    assert all(one.mask != following.mask for one, following in pairwise(samples))


def test_a_new_change_ends_the_flutter_of_the_last_one() -> None:
    for seed in range(30):
        world = World(LAYOUT, Random(seed))
        world.set_up({A1: MAN}, 1.0)
        world.lift(ME, A1, 1.0001)
        world.samples_until(2.0)
        assert world.mask == 0


def test_what_lies_ahead_is_told_and_then_nothing() -> None:
    world = world_with({A1: MAN})
    assert world.next_change is None
    world.nudge(A1, 0.05, 1.0)
    assert world.next_change == 1.0
    world.samples_until(1.0)
    assert world.next_change == 1.05
    world.samples_until(1.1)
    assert world.next_change is None


def test_setting_up_clears_the_board_the_hands_and_the_tray() -> None:
    world = world_with({A1: MAN, B1: MAN, C1: FOE})
    world.lift(ME, B1, 1.0)
    world.lift(ME, C1, 1.0)
    world.to_tray(ME, 1.1, Side.DARK)
    world.set_up({D1: MAN}, 2.0)
    assert world.pieces() == {D1: MAN}
    assert world.held(ME) == ()
    assert world.tray == ()
    assert closed(world, 3.0) == "d1"


def test_a_stuck_switch_is_closed_and_a_dead_one_open_until_they_are_mended() -> None:
    world = world_with({A1: MAN})
    world.break_switch(A1, Fault.DEAD, 1.0)
    world.break_switch(B1, Fault.STUCK, 1.0)
    assert world.faults == {A1: Fault.DEAD, B1: Fault.STUCK}
    assert closed(world, 1.1) == "b1"
    world.mend_switch(A1, 1.2)
    world.mend_switch(B1, 1.2)
    assert closed(world, 1.3) == "a1"
    assert world.faults == {}


def test_a_flickering_switch_flickers_under_a_piece_only() -> None:
    world = world_with({A1: MAN})
    world.break_switch(A1, Fault.FLICKERING, 1.0)
    world.break_switch(A1, Fault.FLICKERING, 1.0)
    world.break_switch(B1, Fault.FLICKERING, 1.0)
    stages = [cells for _, cells in heard(world, 3.0)]
    assert len(stages) > 20
    assert set(stages) == {"", "a1"}
    world.mend_switch(A1, 3.0)
    assert closed(world, 3.2) == "a1"
    world.mend_switch(B1, 3.2)
    world.samples_until(4.0)
    assert world.next_change is None


def test_what_no_hand_can_do_is_refused_in_a_sentence() -> None:
    world = world_with({A1: MAN})
    with pytest.raises(Impossible, match="nothing stands on b1"):
        world.lift(ME, B1, 1.0)
    with pytest.raises(Impossible, match="nothing in the me hand to set down on b1"):
        world.place(ME, B1, 1.0)
    with pytest.raises(Impossible, match="nothing in the me hand that came from the board"):
        world.put_back(ME, 1.0)
    for empty_handed in (world.one_to_tray, world.last_to_tray):
        with pytest.raises(Impossible, match="the me hand is empty"):
            empty_handed(ME, 1.0)
    with pytest.raises(Impossible, match="the me hand is empty"):
        world.slide(ME, [(B1, 0.05)], 1.0)
    with pytest.raises(Impossible, match="the tray has no piece 0"):
        world.from_tray(ME, 0, 1.0)
    with pytest.raises(Impossible, match="time goes forward"):
        world.lift(ME, A1, 0.9)
    assert world.pieces() == {A1: MAN}


def test_a_new_stone_cannot_be_put_back_on_the_board() -> None:
    world = world_with({}, supply={STONE: 1})
    world.from_supply(ME, STONE, 1.0)
    with pytest.raises(Impossible, match="came from the board"):
        world.put_back(ME, 1.1)
