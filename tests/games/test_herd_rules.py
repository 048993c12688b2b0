"""Herd, rule by rule: the numbers are those of the game's README.

Boards are drawn as a person at the near edge sees them, R for Red, B for Blue; under them stand the side,
the phase, the dice, what is left to remove and to place, and whether it is the opening.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from reedlight.core.game import Declaration, IllegalAction, Outcome, Roll, Side, Speech, tally
from reedlight.core.grid import Cell
from reedlight.core.trace import Edge, Finish, due, finish, first_edges, landings, residuals
from reedlight.games.herd import Herd, Phase, Place, Remove, make


def board(size: str, drawing: str, turn: str) -> Herd:
    rows = "/".join("".join(line.split()) for line in drawing.strip().splitlines())
    state = make(size).load(f"{size} {rows} {turn}")
    assert isinstance(state, Herd)
    return state


def play(state: Herd, *steps: str) -> Herd:
    """Rolls such as ``5-3`` and actions such as ``place 0,0``, one after another."""
    for step in steps:
        if step[0].isdigit():
            first, second = map(int, step.split("-"))
            state = state.apply(Roll((first, second)))
        else:
            word, cell = step.split()
            state = state.apply({"remove": Remove, "place": Place}[word](Cell(cell)))
    return state


def start(size: str) -> Herd:
    state = make(size).start()
    assert isinstance(state, Herd)
    return state


def debts(state: Herd) -> tuple[Side, Phase, int, int]:
    return state.mover, state.phase, state.to_remove, state.to_place


def cells(state: Herd) -> set[str]:
    return {action.cell for action in state.legal_actions()}


@pytest.mark.parametrize(
    ("size", "count"),
    [("2", 7), ("3", 19), ("4", 37), ("5", 61), ("6", 91), ("7", 127), ("square-3x5", 15), ("brick-8x8", 64)],
)
def test_h1_a_hexagon_has_so_many_cells_and_other_grids_do_as_well(size: str, count: int) -> None:
    assert len(make(size).grid.cells) == count
    assert len(play(start(size), "6-6").legal_actions()) == count


def test_h2_the_board_is_empty_and_the_first_player_begins() -> None:
    game = make("5")
    state = game.start()
    assert not state.pieces()
    assert state.to_act is Side.CHANCE
    assert play(start("5"), "1-2").to_act is Side.LIGHT
    assert play(start("5"), "1-2", "place 0,0").mover is Side.DARK
    assert dict(game.sides) == {Side.LIGHT: "Red", Side.DARK: "Blue"}


def test_h3_a_turn_is_a_roll_of_two_dice_then_removals_then_placements() -> None:
    blue_to_roll = play(start("3"), "1-2", "place 0,0")
    assert blue_to_roll.chance() == {
        Roll((first, second)): Fraction(1, 36) for first in range(1, 7) for second in range(1, 7)
    }
    assert not blue_to_roll.legal_actions()
    removing = play(blue_to_roll, "1-2")
    assert not removing.chance()
    assert debts(removing) == (Side.DARK, Phase.REMOVE, 1, 2)
    placing = play(removing, "remove 0,0")
    assert debts(placing) == (Side.DARK, Phase.PLACE, 0, 2)
    assert debts(play(placing, "place 0,0", "place 1,0")) == (Side.LIGHT, Phase.ROLL, 0, 0)


SCATTERED = """
      B . R
     . R . B
    . . R . .
     B . . R
      . B .
"""


def test_h4_any_enemy_stones_are_removed_as_the_lower_die_says_before_one_is_placed() -> None:
    state = play(board("3", SCATTERED, "red roll - 0 0 -"), "5-2")
    assert debts(state) == (Side.LIGHT, Phase.REMOVE, 2, 5)
    assert cells(state) == {"-2,2", "1,1", "-1,-1", "1,-2"}
    with pytest.raises(IllegalAction, match="Place"):
        state.apply(Place(Cell("0,1")))
    once = play(state, "remove 1,1")
    assert debts(once) == (Side.LIGHT, Phase.REMOVE, 1, 5)
    assert debts(play(once, "remove 1,-2")) == (Side.LIGHT, Phase.PLACE, 0, 5)


def test_h5_all_are_removed_where_there_are_fewer_and_none_where_there_is_none() -> None:
    one = board("2", ". .\n. R .\n. .", "blue roll - 0 0 -")
    assert debts(play(one, "3-5")) == (Side.DARK, Phase.REMOVE, 1, 5)
    none = board("2", ". .\n. B .\n. .", "blue roll - 0 0 -")
    assert debts(play(none, "3-5")) == (Side.DARK, Phase.PLACE, 0, 5)


def test_h6_stones_are_placed_on_empty_cells_as_the_higher_die_says() -> None:
    state = board("2", ". .\n. B .\n. .", "blue roll - 0 0 -")
    placing = play(state, "2-1")
    assert cells(placing) == set(placing.board.grid.cells) - {"0,0"}
    assert debts(play(placing, "place 1,0")) == (Side.DARK, Phase.PLACE, 0, 1)
    with pytest.raises(IllegalAction):
        placing.apply(Place(Cell("0,0")))


ONE_CELL_OPEN = """
      . . .
     . R R .
    . R B . .
     . R R .
      . . .
"""


def test_h7_a_lone_enemy_stone_is_captured_when_its_last_cell_is_filled() -> None:
    state = board("3", ONE_CELL_OPEN, "red place 4-1 0 2 -")
    assert state.captured(Place(Cell("1,0"))) == ("0,0",)
    assert state.captured(Place(Cell("2,0"))) == ()
    assert "0,0" not in play(state, "place 1,0").pieces()
    assert "0,0" in play(state, "place 2,0").pieces()


def test_h8_a_captured_stone_adds_a_placement() -> None:
    state = board("3", ONE_CELL_OPEN, "red place 4-1 0 2 -")
    assert play(state, "place 1,0").to_place == 2
    assert play(state, "place 2,0").to_place == 1


def test_h5_a_removal_captures_nothing() -> None:
    state = board("3", ONE_CELL_OPEN, "red remove 4-1 1 4 -")
    assert state.captured(state.legal_actions()[0]) == ()


def test_h9_a_cell_among_enemy_stones_only_is_closed() -> None:
    state = board("3", ". . .\n. B B .\n. B . B .\n. B B .\n. . .", "red place 4-1 0 2 -")
    assert state.closed() == {"0,0"}
    assert "0,0" not in cells(state)
    before = board("3", ". . .\n. B B .\n. B . B .\n. B B .\n. . .", "red remove 4-1 1 4 -")
    assert not before.closed()
    assert "0,0" in cells(play(before, "remove 1,0"))
    with pytest.raises(IllegalAction):
        state.apply(Place(Cell("0,0")))
    for_blue = board("3", ". . .\n. B B .\n. B . B .\n. B B .\n. . .", "blue place 4-1 0 2 -")
    assert not for_blue.closed()
    assert "0,0" in cells(for_blue)


def test_h9_a_closed_cell_stays_closed_though_the_stone_would_capture() -> None:
    """Only square cells know it: each of the four around 2,2 has no other neighbour than red stones."""
    state = board(
        "square-5x5",
        """
        . . R . .
        . R B R .
        R B . B R
        . R B R .
        . . R . .
        """,
        "red place 4-1 0 2 -",
    )
    assert state.closed() == {"2,2"}
    with pytest.raises(IllegalAction):
        state.apply(Place(Cell("2,2")))


def test_h10_the_turn_ends_with_the_last_placement_that_is_due() -> None:
    state = board("3", SCATTERED, "red place 4-1 0 1 -")
    assert debts(play(state, "place 0,1")) == (Side.DARK, Phase.ROLL, 0, 0)


ALMOST_FULL = """
      B B B
     B B B B
    B B . B B
     B B B R
      B R .
"""


def test_h11_the_turn_ends_when_only_closed_cells_are_empty_and_the_rest_is_lost() -> None:
    state = board("3", ALMOST_FULL, "red place 6-1 0 5 -")
    assert state.closed() == {"0,0"}
    assert cells(state) == {"2,-2"}
    after = play(state, "place 2,-2")
    assert debts(after) == (Side.DARK, Phase.ROLL, 0, 0)
    assert after.closed() == frozenset()


def test_h11_the_turn_passes_without_a_placement_where_a_removal_opens_no_cell() -> None:
    state = board(
        "3",
        """
          B B B
         B B B R
        B . B B R
         B B B B
          B B B
        """,
        "red remove 4-1 1 4 -",
    )
    assert debts(play(state, "remove 0,2")) == (Side.LIGHT, Phase.PLACE, 0, 4)
    after = play(state, "remove 0,-2")
    assert debts(after) == (Side.DARK, Phase.ROLL, 0, 0)
    assert debts(play(after, "1-1")) == (Side.DARK, Phase.REMOVE, 1, 1)


def test_h12_the_first_turn_places_the_lower_die() -> None:
    opening = play(start("3"), "5-3")
    assert debts(opening) == (Side.LIGHT, Phase.PLACE, 0, 3)
    later = play(opening, "place 0,0", "place 0,1", "place 0,2", "1-4", "remove 0,0")
    assert debts(later) == (Side.DARK, Phase.PLACE, 0, 4)


LAST_CELL = """
      R R R
     R R R B
    B B B B B
     B B R .
      B R R
"""


def test_h13_the_game_ends_in_mid_turn_when_the_board_is_full() -> None:
    state = board("3", LAST_CELL, "red place 6-1 0 5 -")
    over = play(state, "place 2,-1")
    assert over.to_act is None
    assert over.outcome == Outcome(Side.LIGHT, "board full, 10 to 9")
    assert not over.legal_actions()
    assert not over.chance()
    assert over.to_place == 4


def test_h13_a_board_is_not_full_when_the_last_cell_is_filled_with_a_capture() -> None:
    state = board("2", "R R\nR R .\nR B", "red place 2-1 0 1 -")
    after = state.apply(state.legal_actions()[0])
    assert debts(after) == (Side.LIGHT, Phase.PLACE, 0, 1)
    over = after.apply(after.legal_actions()[0])
    assert over.outcome == Outcome(Side.LIGHT, "board full, 7 to 0")


def test_h14_more_stones_win_and_as_many_each_is_a_draw() -> None:
    blue = board("3", LAST_CELL, "blue place 6-1 0 1 -")
    assert play(blue, "place 2,-1").outcome == Outcome(Side.DARK, "board full, 10 to 9")
    draw = board("square-2x3", "R R B\nR . B", "blue place 2-1 0 1 -")
    assert play(draw, "place 1,0").outcome == Outcome(None, "board full, 3 stones each")


def test_h15_nothing_but_what_is_due_may_be_done() -> None:
    removing = board("3", SCATTERED, "red remove 2-1 1 2 -")
    assert {type(action) for action in removing.legal_actions()} == {Remove}
    placing = board("3", SCATTERED, "red place 2-1 0 2 -")
    assert {type(action) for action in placing.legal_actions()} == {Place}
    assert not placing.declarations()
    for nothing_due in (Roll((1, 2)), Declaration(Side.LIGHT, Speech.RESIGN), Remove(Cell("9,9"))):
        with pytest.raises(IllegalAction):
            placing.apply(nothing_due)
    with pytest.raises(IllegalAction):
        start("3").apply(Roll((7, 1)))


def test_h16_doubles_take_as_many_off_as_they_put_on() -> None:
    assert debts(play(board("3", SCATTERED, "red roll - 0 0 -"), "2-2")) == (Side.LIGHT, Phase.REMOVE, 2, 2)
    assert debts(play(start("3"), "4-4")) == (Side.LIGHT, Phase.PLACE, 0, 4)


def test_h17_a_cell_emptied_in_this_turn_may_be_filled_in_it() -> None:
    state = board("3", ONE_CELL_OPEN, "red place 4-1 0 2 -")
    assert "0,0" in cells(play(state, "place 1,0"))
    removed = play(board("3", ONE_CELL_OPEN, "red remove 4-1 1 4 -"), "remove 0,0")
    assert "0,0" in cells(removed)


def test_h18_at_the_rim_only_the_cells_that_exist_count() -> None:
    corner = board("3", ". . .\n. . . .\n. . . R B\n. . . .\n. . .", "red place 4-1 0 2 -")
    assert not corner.captured(Place(Cell("1,1")))
    assert play(corner, "place 1,1").captured(Place(Cell("2,-1"))) == ("2,0",)
    edge = board("3", ". . .\n. . R B\n. . . R .\n. . . .\n. . .", "red place 4-1 0 2 -")
    assert not edge.captured(Place(Cell("0,2")))
    assert play(edge, "place 2,0").captured(Place(Cell("0,2"))) == ("1,1",)


def test_h19_stones_that_touch_are_never_captured() -> None:
    state = board(
        "3",
        """
          . . .
         . R R R
        . R B B .
         . R R R
          . . .
        """,
        "red place 4-1 0 2 -",
    )
    assert state.captured(Place(Cell("2,0"))) == ()
    assert tally(play(state, "place 2,0"))[Side.DARK] == 2


def test_h20_one_stone_may_capture_several_and_they_are_gone_before_the_next() -> None:
    state = board(
        "4",
        """
            . . . .
           . . R R .
          . R R B R .
         . R B . R . .
          . R R B R .
           . . R R .
            . . . .
        """,
        "red place 4-1 0 1 -",
    )
    middle = Place(Cell("0,0"))
    assert len(state.captured(middle)) == 3
    after = state.apply(middle)
    assert debts(after) == (Side.LIGHT, Phase.PLACE, 0, 3)
    assert tally(after) == {Side.LIGHT: 13, Side.DARK: 0}


def test_the_worked_turn_of_the_rule_sheet() -> None:
    game = make("4")
    before = board(
        "4",
        """
            . . . .
           . . . . .
          . R B B . .
         . . B B . . .
          . . B B . .
           . . . . .
            . . . .
        """,
        "red roll - 0 0 -",
    )
    assert set(before.pieces()) == {"-2,1", "0,-1", "1,-1", "-1,0", "0,0", "-1,1", "0,1"}
    removed = play(before, "5-3", "remove 0,-1", "remove 0,0", "remove -1,1")
    assert debts(removed) == (Side.LIGHT, Phase.PLACE, 0, 5)
    four = play(removed, "place -1,-1", "place -2,0", "place 0,-1", "place 0,0")
    last = game.parse(four, "place -1,1")
    assert four.captured(last) == ("-1,0",)
    captured = four.apply(last)
    assert debts(captured) == (Side.LIGHT, Phase.PLACE, 0, 1)
    after = play(captured, "place -1,0")
    assert debts(after) == (Side.DARK, Phase.ROLL, 0, 0)
    assert tally(after) == {Side.LIGHT: 7, Side.DARK: 2}


def test_a_removal_is_one_lift() -> None:
    state = board("3", SCATTERED, "red remove 2-1 1 2 -")
    action = state.legal_actions()[0]
    (left,) = residuals(state.trace(action), Edge(action.cell, occupied=False))
    assert finish(left) is Finish.YES
    assert first_edges(left) == frozenset()


def test_a_captured_stone_may_leave_before_or_after_and_is_due_once_the_capturing_one_stands() -> None:
    state = board("3", ONE_CELL_OPEN, "red place 4-1 0 2 -")
    trace = state.trace(Place(Cell("1,0")))
    put, taken = Edge(Cell("1,0"), occupied=True), Edge(Cell("0,0"), occupied=False)
    assert first_edges(trace) == {put, taken}
    assert landings(trace) == {"1,0"}
    assert due(trace) == frozenset()
    (placed,) = residuals(trace, put)
    assert finish(placed) is Finish.NO
    assert due(placed) == {"0,0"}
    (lifted,) = residuals(trace, taken)
    assert finish(lifted) is Finish.NO
    for left, edge in ((placed, taken), (lifted, put)):
        assert [finish(end) for end in residuals(left, edge)] == [Finish.YES]


@pytest.mark.parametrize(
    ("steps", "notes"),
    [
        ((), []),
        (("5-3",), [(5, True, "not used"), (3, False, "3 to place")]),
        (("4-4",), [(4, False, "4 to place"), (4, True, "not used")]),
        (("1-3", "place 0,0", "1-3"), [(1, False, "1 to remove"), (3, False, "3 to place")]),
        (("1-3", "place 0,0", "6-3"), [(6, False, "6 to place"), (3, False, "1 to remove")]),
        (("1-3", "place 0,0", "6-3", "remove 0,0"), [(6, False, "6 to place"), (3, True, "none left")]),
        (
            ("2-3", "place 0,0", "place 1,0", "1-1", "remove 0,0"),
            [(1, True, "1 removed"), (1, False, "1 to place")],
        ),
    ],
)
def test_the_dice_tell_what_they_still_give(steps: tuple[str, ...], notes: list[tuple[int, bool, str]]) -> None:
    dice = play(start("3"), *steps).dice()
    assert [(die.pips, die.spent, die.note) for die in dice] == notes


@pytest.mark.parametrize(("owed", "note"), [(1, "all placed"), (5, "4 not placed")])
def test_the_dice_of_a_finished_game_are_spent(owed: int, note: str) -> None:
    state = board("3", LAST_CELL, f"red place 1-6 0 {owed} -")
    dice = state.apply(state.legal_actions()[0]).dice()
    assert [(die.spent, die.note) for die in dice] == [(True, "1 removed"), (True, note)]


def random_game(size: str, seed: int) -> list[Herd]:
    chance = Random(seed)
    states = [start(size)]
    while states[-1].to_act is not None:
        state = states[-1]
        states.append(state.apply(chance.choice([*state.chance(), *state.legal_actions()])))
    return states


@pytest.mark.parametrize("size", ["2", "4", "square-2x2", "square-5x5", "brick-2x2", "brick-5x4"])
def test_no_surrounded_stone_ever_stands_and_closed_cells_stay_closed_for_the_turn(size: str) -> None:
    for seed in range(12):
        states = random_game(size, seed)
        for before, after in pairwise(states):
            assert not after.board.surrounded(after.light, after.dark)
            assert not after.board.surrounded(after.dark, after.light)
            if after.phase is before.phase is Phase.PLACE:
                assert after.closed() == before.closed()


def test_colours_may_be_exchanged_after_the_opening() -> None:
    for state in random_game("3", 7):
        if state.opening or state.phase is Phase.OVER:
            continue
        turned = Herd(
            state.board,
            state.dark,
            state.light,
            state.mover.other,
            state.phase,
            state.rolled,
            state.to_remove,
            state.to_place,
            opening=False,
        )
        assert turned.legal_actions() == state.legal_actions()
        assert turned.closed() == state.closed()
        assert turned.occupancy() == state.occupancy()
