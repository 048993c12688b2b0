"""Diablo's rules one by one, named as in the game's README: D1-D22, the open questions A-D1-A-D19, the three facts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reedlight.core.game import (
    BadOption,
    Declaration,
    Die,
    IllegalAction,
    Kind,
    Outcome,
    Piece,
    Roll,
    Side,
    Speech,
    tally,
)
from reedlight.core.grid import Cell
from reedlight.core.trace import lift, onto, place, unseen
from reedlight.games.diablo import SIZES, ActionKind, Diablo, DiabloGame, Move, Remove, make
from reedlight.games.diablo.rules import kind_of, landings, moved, moves, removed, starting_board, winner

MOVES = frozenset((ActionKind.EMPTY, ActionKind.MERGE, ActionKind.CAPTURE))


def drawn(picture: str) -> tuple[int, ...]:
    """The board drawn from its top row down: ``B2`` a black stack of two, ``.`` an unoccupied cell."""
    rows = [line.split() for line in picture.strip().splitlines()]
    return tuple(
        0 if field == "." else {"B": 1, "G": -1}[field[0]] * int(field[1:]) for row in reversed(rows) for field in row
    )


def turn(picture: str, side: Side, *dice: int) -> Diablo:
    """The position in which the side has rolled and its first action is due."""
    board = drawn(picture)
    waiting = Diablo(int(len(board) ** 0.5), board, side)
    return waiting.apply(Roll(dice))


def texts(state: Diablo) -> set[str]:
    return {str(action) for action in state.legal_actions()}


def act(state: Diablo, *actions: str) -> Diablo:
    game = make(str(state.size))
    for action in actions:
        state = state.apply(game.parse(state, action))
    return state


# ----------------------------------------------------------------------------------------------- rules


def test_d1_the_board_is_square_with_an_even_side_from_2_to_26() -> None:
    assert list(SIZES) == [str(size) for size in range(2, 27, 2)]
    for size in SIZES:
        assert len(make(size).grid.cells) == int(size) ** 2


@pytest.mark.parametrize("size", ["7", "0", "28", "-2", "8.0", "08", " 8", "", "eight", "٨"])
def test_d1_no_other_size_is_made(size: str) -> None:
    with pytest.raises(BadOption, match=r"^diablo: size .* does not exist; take an even number from 2 to 26$"):
        make(size)


@pytest.mark.parametrize("size", SIZES)
def test_d2_two_fair_dice_with_half_as_many_faces_as_the_side_are_rolled(size: str) -> None:
    odds = make(size).start().chance()
    faces = range(1, int(size) // 2 + 1)
    assert set(odds) == {Roll(dice) for dice in product(faces, faces)}
    assert set(odds.values()) == {Fraction(4, int(size) ** 2)}
    assert sum(odds.values()) == 1


def test_d2_a_roll_is_due_before_every_turn_and_only_then() -> None:
    start = make("4").start()
    assert start.to_act is Side.CHANCE
    assert start.legal_actions() == ()
    rolled = start.apply(Roll((2, 1)))
    assert rolled.to_act is Side.DARK
    assert not rolled.chance()
    green = act(rolled, "merge 2 a1-c1")
    assert green.to_act is Side.CHANCE
    assert green.chance() == start.chance()
    assert act(green.apply(Roll((1, 2))), "capture 1 d1-d2").to_act is Side.LIGHT


def test_d3_one_checker_stands_on_every_cell_and_a1_is_black() -> None:
    assert make("4").start().board == drawn("""
        G1 B1 G1 B1
        B1 G1 B1 G1
        G1 B1 G1 B1
        B1 G1 B1 G1
    """)
    for size in map(int, SIZES):
        assert Counter(starting_board(size)) == {1: size * size // 2, -1: size * size // 2}


def test_d4_black_begins_and_the_sides_take_turns() -> None:
    assert next(iter(make("6").sides)) is Side.DARK
    state = make("6").start()
    movers: list[Side] = []
    for _ in range(5):
        state = state.apply(Roll((1, 2)))
        movers.append(state.mover)
        while state.rolled:
            state = state.apply(state.legal_actions()[0])
    assert movers == [Side.DARK, Side.LIGHT, Side.DARK, Side.LIGHT, Side.DARK]


def test_d5_a_stack_is_everything_on_a_cell_of_one_colour_and_any_height() -> None:
    state = turn(". . . .\n. . . .\n. . . .\nB12 . . G1", Side.DARK, 1, 2)
    assert state.pieces() == {"a1": Piece(Side.DARK, Kind.CHECKER, 12), "d1": Piece(Side.LIGHT, Kind.CHECKER, 1)}
    assert tally(state) == {Side.DARK: 12, Side.LIGHT: 1}


def test_d6_a_turn_is_a_roll_and_two_actions() -> None:
    state = turn("B1 . . .\n. . . .\n. . . .\nB1 . . G9", Side.DARK, 2, 1)
    once = act(state, "empty 2 a1-c1")
    assert (once.mover, once.rolled, once.left, once.began) == (Side.DARK, (2, 1), (1,), ActionKind.EMPTY)
    twice = act(once, "remove a4")
    assert twice == Diablo(4, drawn(". . . .\n. . . .\n. . . .\n. . B1 G9"), Side.LIGHT)


def test_d7_a_stack_moves_whole_straight_and_exactly_as_far_as_a_die_says() -> None:
    state = turn(
        """
        . . . . . .
        . . . . . .
        . . . . . .
        . . . . . .
        . . . . . .
        B3 . . . . G4
    """,
        Side.DARK,
        3,
        1,
    )
    assert texts(state) == {"empty 1 a1-b1", "empty 1 a1-a2", "empty 3 a1-d1", "empty 3 a1-a4"}
    assert act(state, "empty 3 a1-a4").height(Cell("a4")) == 3


def test_d8_only_the_landing_cell_counts() -> None:
    state = turn(
        """
        . . . . . .
        . . . . . .
        . . . . . .
        G5 . . . . .
        B1 . . . . .
        B1 G9 G9 . . .
    """,
        Side.DARK,
        3,
        3,
    )
    assert texts(state) == {"empty 3 a1-a4", "empty 3 a1-d1", "empty 3 a2-a5", "empty 3 a2-d2"}


def test_d9_merging_adds_the_heights() -> None:
    state = act(turn(". . . .\n. . . .\n. . . G1\nB7 . B5 .", Side.DARK, 2, 2), "merge 2 a1-c1")
    assert state.board == drawn(". . . .\n. . . .\n. . . G1\n. . B12 .")


def test_d10_an_enemy_stack_that_is_not_taller_is_captured_and_the_mover_keeps_its_height() -> None:
    state = turn(
        """
        . . . .
        G1 . . .
        G3 . . .
        B2 G2 . .
    """,
        Side.DARK,
        1,
        2,
    )
    assert texts(state) == {"capture 1 a1-b1", "capture 2 a1-a3", "empty 2 a1-c1"}
    assert act(state, "capture 1 a1-b1").board == drawn(". . . .\nG1 . . .\nG3 . . .\n. B2 . .")


def test_d10_the_heights_count_at_that_moment() -> None:
    state = turn(
        """
        . . . .
        . . . .
        G2 . . .
        B1 B1 . .
    """,
        Side.DARK,
        1,
        1,
    )
    assert "capture 1 a1-a2" not in texts(state)
    assert "capture 1 a1-a2" in texts(act(state, "merge 1 b1-a1"))


def test_d11_landing_on_an_unoccupied_cell_is_an_empty_move() -> None:
    state = turn(". . . .\n. . . .\n. . . G9\nB1 . . .", Side.DARK, 1, 1)
    assert state.legal_actions() == (
        Move(1, Cell("a1"), Cell("a2"), ActionKind.EMPTY),
        Move(1, Cell("a1"), Cell("b1"), ActionKind.EMPTY),
    )


def test_d12_at_most_one_of_the_two_actions_is_an_empty_move() -> None:
    state = turn(
        """
        . . . .
        . . . .
        B1 . . G9
        B1 . . .
    """,
        Side.DARK,
        1,
        1,
    )
    assert texts(act(state, "empty 1 a1-b1")) == {"remove a2", "remove b1"}
    assert any(text.startswith("empty") for text in texts(act(state, "merge 1 a1-a2")))


def test_d13_the_first_action_is_a_move_if_there_is_one() -> None:
    state = turn(
        """
        . . . .
        . . . .
        G2 . . .
        B1 G2 . .
    """,
        Side.DARK,
        1,
        2,
    )
    assert texts(state) == {"empty 2 a1-c1", "empty 2 a1-a3"}
    with pytest.raises(IllegalAction, match="remove a1"):
        state.apply(Remove(Cell("a1")))


WALLED = """
    . . . .
    G4 . . .
    G4 . . .
    B3 G4 G4 .
"""


def test_d14_without_a_move_both_actions_are_removals() -> None:
    state = turn(WALLED, Side.DARK, 1, 2)
    assert texts(state) == {"remove a1"}
    once = act(state, "remove a1")
    assert (once.mover, once.left, once.began) == (Side.DARK, (), ActionKind.REMOVE)
    assert texts(once) == {"remove a1"}
    assert act(once, "remove a1") == Diablo(4, drawn(WALLED.replace("B3", "B1")), Side.LIGHT)


def test_d15_a_removal_takes_one_checker_and_a_single_one_disappears() -> None:
    state = act(turn("B1 . . .\n. . . .\n. . . .\n. . B3 G9", Side.DARK, 1, 2), "empty 1 a4-b4")
    assert texts(state) == {"remove b4", "remove c1"}
    assert act(state, "remove c1").board == drawn(". B1 . .\n. . . .\n. . . .\n. . B2 G9")
    assert act(state, "remove b4").board == drawn(". . . .\n. . . .\n. . . .\n. . B3 G9")


def test_d15_green_gives_up_checkers_too() -> None:
    state = act(turn(". . . .\n. . . .\n. . . B5\nG2 . . .", Side.LIGHT, 1, 2), "empty 1 a1-b1")
    assert act(state, "remove b1").board == drawn(". . . .\n. . . .\n. . . B5\n. G1 . .")


def test_d16_after_an_empty_move_a_merge_or_capture_is_due() -> None:
    state = turn(
        """
        . . . .
        . . . .
        . . . .
        B1 . . G1
    """,
        Side.DARK,
        1,
        2,
    )
    assert texts(act(state, "empty 1 a1-b1")) == {"capture 2 b1-d1"}


def test_d16_without_one_a_checker_is_removed() -> None:
    state = turn(". . . .\n. . . .\n. . . G5\nB2 . . .", Side.DARK, 1, 2)
    assert texts(act(state, "empty 1 a1-b1")) == {"remove b1"}


@pytest.mark.parametrize("first", ["merge 1 a1-a2", "capture 1 a1-b1"])
def test_d17_after_a_merge_or_capture_any_move_with_the_other_die_is_due(first: str) -> None:
    state = turn(
        """
        . . . .
        . . . .
        B1 . . G5
        B1 G1 . .
    """,
        Side.DARK,
        1,
        2,
    )
    after = act(state, first)
    assert {text.split()[0] for text in texts(after)} == {"empty"}
    assert {text.split()[1] for text in texts(after)} == {"2"}


def test_d17_without_a_move_a_checker_is_removed() -> None:
    state = turn(
        """
        . . . .
        . G9 . .
        . . . .
        B1 G1 . G9
    """,
        Side.DARK,
        1,
        2,
    )
    assert texts(act(state, "capture 1 a1-b1")) == {"remove b1"}


def test_d18_blacks_first_turn_is_one_move_with_either_die() -> None:
    state = make("4").start().apply(Roll((2, 1)))
    assert state.opening
    assert {text.split()[1] for text in texts(state)} == {"1", "2"}
    after = act(state, "capture 1 b2-b1")
    assert (after.mover, after.to_act, after.rolled, after.opening) == (Side.LIGHT, Side.CHANCE, (), False)


def test_d19_a_side_without_checkers_has_lost_at_once() -> None:
    state = act(turn(". . . .\n. . . .\n. . . .\nB2 G1 . .", Side.DARK, 1, 2), "capture 1 a1-b1")
    assert state.to_act is None
    assert state.outcome == Outcome(Side.DARK, "Green has no checkers left")
    assert state.legal_actions() == ()
    assert not state.chance()
    assert state.left == (2,)


def test_d19_giving_up_the_last_checker_loses() -> None:
    state = turn(". . . .\n. . . .\n. . . G5\nB1 . . .", Side.DARK, 1, 2)
    over = act(state, "empty 1 a1-b1", "remove b1")
    assert over.outcome == Outcome(Side.LIGHT, "Black has no checkers left")


def test_d20_the_two_dice_serve_in_either_order() -> None:
    picture = ". . . .\n. . . .\n. . . G9\nB1 B1 B1 ."
    assert texts(turn(picture, Side.DARK, 1, 2)) == texts(turn(picture, Side.DARK, 2, 1))
    assert act(turn(picture, Side.DARK, 2, 1), "merge 1 a1-b1").left == (2,)
    assert act(turn(picture, Side.DARK, 2, 1), "merge 2 a1-c1").left == (1,)


def test_d20_a_double_is_two_equal_dice_without_a_bonus() -> None:
    state = turn(". . . .\n. . . .\n. . . G9\nB1 B1 B1 .", Side.DARK, 1, 1)
    once = act(state, "merge 1 a1-b1")
    assert once.left == (1,)
    assert act(once, "merge 1 b1-c1").to_act is Side.CHANCE


def test_d20_the_dice_show_what_is_used_and_what_is_left() -> None:
    state = turn(". . . .\n. . . .\n. . . G9\nB1 B1 B1 .", Side.DARK, 2, 1)
    assert make("4").start().dice() == ()
    assert state.dice() == (Die(2, spent=False, note="2 left"), Die(1, spent=False, note="1 left"))
    once = act(state, "merge 1 a1-b1")
    assert once.dice() == (Die(2, spent=False, note="2 left"), Die(1, spent=True, note="1 used"))
    double = act(turn(". . . .\n. . . .\n. . . G9\nB1 B1 B1 .", Side.DARK, 1, 1), "merge 1 a1-b1")
    assert double.dice() == (Die(1, spent=True, note="1 used"), Die(1, spent=False, note="1 left"))


def test_d20_a_die_that_nobody_can_use_says_so() -> None:
    state = act(turn(". . . .\n. . . .\n. . . G5\nB1 . . .", Side.DARK, 1, 2), "empty 1 a1-b1")
    assert state.dice() == (Die(1, spent=True, note="1 used"), Die(2, spent=False, note="2: no move"))
    walled = act(turn(WALLED, Side.DARK, 1, 2), "remove a1")
    assert walled.dice() == (Die(1, spent=True, note="1: no move"), Die(2, spent=True, note="2: no move"))


def test_d21_the_same_stack_may_make_both_moves_in_any_directions() -> None:
    state = turn(
        """
        . . . G9
        . G1 . .
        . . . .
        B1 G1 . .
    """,
        Side.DARK,
        1,
        2,
    )
    assert act(state, "capture 1 a1-b1", "capture 2 b1-b3").board == drawn(". . . G9\n. B1 . .\n. . . .\n. . . .")


def test_d22_a_first_move_that_leaves_no_second_one_is_legal() -> None:
    state = turn(". . . .\n. . . .\n. . . .\nB1 . . G1", Side.DARK, 1, 2)
    assert texts(act(state, "empty 1 a1-b1")) == {"capture 2 b1-d1"}
    assert texts(act(state, "empty 1 a1-a2")) == {"remove a2"}
    assert texts(state) == {"empty 1 a1-a2", "empty 1 a1-b1", "empty 2 a1-a3", "empty 2 a1-c1"}


# ---------------------------------------------------------------------------------------- open questions


def test_a_d1_nobody_has_to_look_ahead() -> None:
    state = turn(". . . .\n. . . .\n. B1 . .\nB1 . . G1", Side.DARK, 1, 2)
    assert len(state.legal_actions()) == 10


def test_a_d2_stacks_do_not_block_the_way() -> None:
    assert "merge 2 a1-c1" in texts(make("4").start().apply(Roll((2, 2))))


def test_a_d4_the_second_move_may_go_back_after_a_merge_or_capture_only() -> None:
    merged = act(turn(". . . .\n. . . .\n. . . G9\nB1 B1 . .", Side.DARK, 1, 1), "merge 1 a1-b1")
    assert "empty 1 b1-a1" in texts(merged)
    went = act(turn(". . . .\n. . . .\n. . . G9\nB1 . . .", Side.DARK, 1, 1), "empty 1 a1-b1")
    assert texts(went) == {"remove b1"}


def test_a_d5_nobody_may_remove_instead_of_moving() -> None:
    once = act(turn(". . . .\n. . . .\n. . . .\nB1 . . G1", Side.DARK, 1, 2), "empty 1 a1-b1")
    with pytest.raises(IllegalAction):
        once.apply(Remove(Cell("b1")))


def test_a_d6_both_removals_may_come_from_one_stack() -> None:
    after = act(turn(WALLED, Side.DARK, 1, 2), "remove a1", "remove a1")
    assert after.height(Cell("a1")) == 1


def test_a_d7_with_one_checker_left_the_second_removal_lapses() -> None:
    over = act(turn(WALLED.replace("B3", "B1"), Side.DARK, 2, 1), "remove a1")
    assert over.outcome == Outcome(Side.LIGHT, "Black has no checkers left")
    assert (over.left, over.began) == ((), ActionKind.REMOVE)


def test_a_d9_a_lone_captor_need_not_remove_himself() -> None:
    over = act(turn(". . . .\n. . . .\n. . . .\nB1 G1 . .", Side.DARK, 1, 2), "capture 1 a1-b1")
    assert tally(over) == {Side.DARK: 1, Side.LIGHT: 0}


def test_a_d13_the_unused_die_of_blacks_first_turn_is_lost() -> None:
    after = act(make("6").start().apply(Roll((3, 2))), "merge 2 a1-c1")
    assert (after.rolled, after.left) == ((), ())


def test_a_d14_greens_first_turn_has_two_actions() -> None:
    state = act(make("4").start().apply(Roll((2, 1))), "merge 2 a1-c1").apply(Roll((1, 2)))
    once = act(state, "capture 1 d1-d2")
    assert once.to_act is Side.LIGHT
    assert act(once, "capture 2 d2-b2").to_act is Side.CHANCE


def test_a_d15_the_dice_do_not_add_up() -> None:
    state = turn(". . . . . .\n" * 5 + "B1 . . . . G9", Side.DARK, 1, 2)
    assert {text.split()[2] for text in texts(state)} == {"a1-b1", "a1-a2", "a1-c1", "a1-a3"}


def test_a_d17_no_stack_is_too_tall() -> None:
    state = act(turn(". . . .\n. . . .\n. . . G1\nB99 . B99 .", Side.DARK, 2, 2), "merge 2 a1-c1")
    assert state.height(Cell("c1")) == 198


def test_a_d18_the_removed_checker_may_come_from_the_stack_just_moved() -> None:
    once = act(turn("B1 . . .\n. . . .\n. . . G5\nB2 . . .", Side.DARK, 1, 2), "empty 1 a1-b1")
    assert "remove b1" in texts(once)


def test_a_d19_there_is_nothing_to_declare() -> None:
    state = make("4").start()
    assert state.declarations() == ()
    with pytest.raises(IllegalAction):
        state.apply(Declaration(Side.DARK, Speech.RESIGN))


# ----------------------------------------------------------------------------------------- illegal actions

CLOSED = turn(". . . .\n. G9 . .\n. . . .\nB1 G1 . G9", Side.DARK, 1, 2)


@pytest.mark.parametrize(
    "action",
    [
        Roll((1, 2)),
        Move(1, Cell("b1"), Cell("a1"), ActionKind.CAPTURE),
        Move(2, Cell("a1"), Cell("b1"), ActionKind.CAPTURE),
        Move(1, Cell("a1"), Cell("b1"), ActionKind.MERGE),
        Move(1, Cell("a1"), Cell("z9"), ActionKind.EMPTY),
        Move(1, Cell("z9"), Cell("a1"), ActionKind.EMPTY),
        Move(1, Cell("a1"), Cell("b2"), ActionKind.EMPTY),
        Move(3, Cell("a1"), Cell("d1"), ActionKind.CAPTURE),
        Remove(Cell("a1")),
        Remove(Cell("z9")),
    ],
    ids=str,
)
def test_what_is_not_legal_is_refused_and_nothing_happens(action: Roll | Move | Remove) -> None:
    before = Diablo(4, CLOSED.board, CLOSED.mover, CLOSED.rolled, CLOSED.left)
    with pytest.raises(IllegalAction, match="is not open to Black here"):
        CLOSED.apply(action)
    assert before == CLOSED


def test_only_a_possible_roll_is_accepted() -> None:
    for dice in [(1,), (1, 3), (0, 1), (1, 1, 1), ()]:
        with pytest.raises(IllegalAction):
            make("4").start().apply(Roll(dice))


def test_before_the_roll_and_after_the_end_nothing_is_legal() -> None:
    over = act(turn(". . . .\n. . . .\n. . . .\nB2 G1 . .", Side.DARK, 1, 2), "capture 1 a1-b1")
    for state in (make("4").start(), over):
        with pytest.raises(IllegalAction):
            state.apply(Remove(Cell("a1")))
        with pytest.raises(IllegalAction):
            state.apply(Move(2, Cell("b1"), Cell("d1"), ActionKind.EMPTY))


# --------------------------------------------------------------------------------------------- the hand


def test_how_a_hand_performs_each_action() -> None:
    state = turn("B1 . . .\n. . . .\nB2 . . .\nB3 G1 . .", Side.DARK, 1, 2)
    a1, a2, b1, a4 = map(Cell, ("a1", "a2", "b1", "a4"))
    assert state.trace(Move(1, a2, Cell("a3"), ActionKind.EMPTY)) == lift(a2) >> place(Cell("a3"))
    assert state.trace(Move(1, a1, a2, ActionKind.MERGE)) == onto(a1, a2)
    assert state.trace(Move(1, a1, b1, ActionKind.CAPTURE)) == onto(a1, b1)
    assert state.trace(Remove(a4)) == lift(a4)
    assert state.trace(Remove(a1)) == unseen(a1)


# --------------------------------------------------------------------------------------- the game as a value


def test_games_are_equal_when_their_sizes_are() -> None:
    assert make("8") == make("8")
    assert hash(make("8")) == hash(make("8"))
    assert make("8") != make("6")
    assert make("8") != "8"
    assert repr(make("8")) == "DiabloGame(8)"
    assert (make("8").name, make("8").title, make("8").size, make("8").unit) == ("diablo", "Diablo", "8", "checkers")


# ------------------------------------------------------------------------------------------ the three facts

boards = st.sampled_from((4, 6)).flatmap(
    lambda size: st.lists(st.one_of(st.just(0), st.integers(-4, 4)), min_size=size * size, max_size=size * size).map(
        tuple
    )
)


def side_of(board: tuple[int, ...]) -> int:
    return int(len(board) ** 0.5)


@pytest.mark.parametrize("size", SIZES.values())
def test_fact_1_every_die_has_a_target_along_the_row_and_one_along_the_column(size: int) -> None:
    for reach in landings(size).values():
        for origin, targets in reach.items():
            assert any(target // size == origin // size for target in targets)
            assert any(target % size == origin % size for target in targets)


@pytest.mark.parametrize("size", SIZES.values())
def test_fact_1_black_always_has_his_first_move_and_it_goes_onto_a_stack(size: int) -> None:
    for die, reach in landings(size).items():
        kinds = {kind for kind, _, _ in moves(starting_board(size), 1, reach, MOVES)}
        assert kinds == {ActionKind.CAPTURE if die % 2 else ActionKind.MERGE}


@given(boards)
def test_fact_2_a_removal_opens_no_move(board: tuple[int, ...]) -> None:
    for reach in landings(side_of(board)).values():
        for kinds in (MOVES, MOVES - {ActionKind.EMPTY}):
            before = {(origin, target) for _, origin, target in moves(board, 1, reach, kinds)}
            for at, height in enumerate(board):
                if height > 0:
                    after = {(origin, target) for _, origin, target in moves(removed(board, at), 1, reach, kinds)}
                    assert after <= before


def stacks_and_checkers(board: tuple[int, ...]) -> int:
    return sum(1 + abs(height) for height in board if height)


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(("2", "4", "6", "8")), st.integers(0, 2**32))
def test_fact_3_stacks_plus_checkers_fall_with_every_turn_and_the_game_ends_in_time(size: str, seed: int) -> None:
    chance = Random(seed)
    game = make(size)
    state = game.start()
    total = stacks_and_checkers(state.board)
    plies = 0
    while state.outcome is None:
        if state.to_act is Side.CHANCE:
            assert plies == 0 or stacks_and_checkers(state.board) < total
            total = stacks_and_checkers(state.board)
            state = state.apply(chance.choice(list(state.chance())))
        else:
            actions = state.legal_actions()
            assert list(actions) == sorted(set(actions))
            state = state.apply(chance.choice(actions))
            plies += 1
    assert plies <= game.max_plies


@given(boards)
def test_a_move_costs_one_side_only_and_only_what_it_takes(board: tuple[int, ...]) -> None:
    for reach in landings(side_of(board)).values():
        for kind, origin, target in moves(board, -1, reach, MOVES):
            after = moved(board, origin, target)
            taken = board[target] if kind is ActionKind.CAPTURE else 0
            assert sum(after) == sum(board) - taken
            assert after[origin] == 0
            assert kind_of(board, -1, origin, target) is kind


def test_the_winner_is_the_side_that_is_left() -> None:
    assert winner((1, 0, 0, -1)) is None
    assert winner((1, 0, 0, 2)) is Side.DARK
    assert winner((0, 0, 0, -2)) is Side.LIGHT


def test_a_state_of_another_game_is_our_mistake() -> None:
    with pytest.raises(TypeError, match="str is a state of another game"):
        DiabloGame(4).dump("not a state")
