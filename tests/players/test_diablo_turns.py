"""Whole turns of Diablo, held against the states' own actions."""

from __future__ import annotations

from itertools import islice

import pytest
from wandering import every_turn, positions, some

from reedlight.core.game import Roll
from reedlight.games.diablo.game import DiabloGame
from reedlight.games.diablo.rules import SIGN, ActionKind, Board, Diablo
from reedlight.players.diablo.search import Sight, turns_of
from reedlight.players.diablo.turns import Brought, Fan, Turn, distinct
from reedlight.players.diablo.value import unordered

EVERY = Sight(turns=1 << 30)


def _by_target(_kind: ActionKind, _origin: int, target: int) -> float:
    return float(target)


def _as_before(_kind: ActionKind, _origin: int, _target: int) -> float:
    return -1.0


def _lines(turn: Turn, size: int) -> set[tuple[object, ...]]:
    """The lines of actions that a turn stands for."""
    steps = [turn, turn.reversed()] if turn.either else [turn]
    return {tuple(step.action(size) for step in (one.first, one.second) if step is not None) for one in steps}


def _agree(state: Diablo) -> None:
    ours: dict[Board, set[tuple[object, ...]]] = {}
    for plan in turns_of(state, EVERY):
        turn = plan.turn(state.board)
        ours.setdefault(turn.board, set()).update(_lines(turn, state.size))
    assert ours == every_turn(state), DiabloGame(state.size).dump(state)


@pytest.mark.parametrize(("size", "count"), [(2, 40), (4, 80), (6, 20), (8, 3)])
def test_turns_are_the_lines_of_actions_that_the_states_allow(size: int, count: int) -> None:
    for state in some(size, 3, count):
        _agree(state)


@pytest.mark.parametrize(
    "text",
    [
        "G3,B1,G3,1/4/4/4 B dice 1,2",  # the lone checker can't land anywhere near
        "B1,G2/G2,B1 B dice 1,1",  # no move at all: two removals
        "B1,G2/G2,1 B dice 1,1",  # the last checker must move to the empty cell or go
        "B2,3/G1,3/B2,3/4 B dice 1,2",  # taking the last stack ends the turn
        "B2,3/G1,3/B2,3/4 B dice 1,1",
        "B1,2,G1/4/4/4 B dice 1,2",  # an empty move first, then nothing to land on
    ],
)
def test_turns_agree_where_the_rules_are_rare(text: str) -> None:
    state = DiabloGame(2 if text.count("/") == 1 else 4).load(text)
    _agree(state)


def test_a_narrow_look_still_begins_a_turn_with_every_move() -> None:
    game = DiabloGame(6)
    state = game.start().apply(Roll((1, 1)))
    state = state.apply(state.legal_actions()[0]).apply(Roll((1, 2)))
    fan = Fan(state.board, SIGN[state.mover], 6)
    met = {step for plan in fan.turns((1, 2), 2) for step in (plan.first, plan.second)}
    assert met >= {*fan.steps(1), *fan.steps(2)}
    assert len(list(fan.turns((1, 2), 2))) < 200 < len(list(fan.turns((1, 2), 99)))


def test_of_the_foremost_turns_none_is_left_out_where_there_is_room() -> None:
    for state in some(4, 5, 30):
        if state.began is None and not state.opening:
            fan = Fan(state.board, SIGN[state.mover], 4)
            plans = fan.foremost(state.left, 1 << 30, 1 << 30)
            assert {plan.turn(state.board).board for plan in plans} == set(every_turn(state))


def test_the_foremost_turns_are_few_and_by_the_rules_and_know_a_stack_that_takes_another_with_the_second_die() -> None:
    for state in some(6, 5, 12):
        if state.began is None and not state.opening:
            every = every_turn(state)
            few = distinct(state.board, Fan(state.board, SIGN[state.mover], 6).foremost(state.left, 10, 0))
            assert {turn.board for turn in few} <= set(every)
            assert len(few) < max(20, len(every) / 2)
    game = DiabloGame(6)
    state = game.load("6/6/G3,4,G3/6/5,B1/B4,5 B dice 2,3")
    least = min(sum(height < 0 for height in board) for board in every_turn(state))
    few = distinct(state.board, Fan(state.board, SIGN[state.mover], 6).foremost(state.left, 10, 0))
    assert min(sum(height < 0 for height in turn.board) for turn in few) == least == 1


def test_a_guess_that_is_brought_decides_what_is_foremost() -> None:
    game = DiabloGame(6)
    state = game.start().apply(Roll((1, 1)))
    state = state.apply(state.legal_actions()[0]).apply(Roll((1, 2)))
    fan = Fan(state.board, SIGN[state.mover], 6, Brought(_by_target, 0.0))
    targets = [step.target for step in fan.steps(1)]
    assert targets == sorted(targets, reverse=True)
    foremost, every = (max(plan.promise for plan in fan.foremost((1, 2), pairs, 0)) for pairs in (8, 1 << 30))
    assert foremost == every == targets[0] + fan.steps(2)[0].target


def test_distinct_turns_have_different_boards_and_are_the_most_promising() -> None:
    for state in some(6, 4, 10):
        best: dict[Board, float] = {}
        for plan in turns_of(state, EVERY):
            board = plan.turn(state.board).board
            best[board] = max(plan.promise, best.get(board, plan.promise))
        found = [turn.board for turn in distinct(state.board, turns_of(state, EVERY))]
        assert [best[board] for board in found] == sorted(best.values(), reverse=True)
        few = [turn.board for turn in distinct(state.board, turns_of(state, EVERY), 5)]
        assert few == found[:5]


def test_moves_that_touch_no_changed_cell_promise_what_they_did_and_all_are_there() -> None:
    def asked(_kind: ActionKind, origin: int, target: int) -> float:
        guessed.append((origin, target))
        return float(target)

    for state in some(6, 5, 12):
        if state.began is not None or state.opening:
            continue
        sign, guessed = SIGN[state.mover], list[tuple[int, int]]()
        before = Fan(state.board, sign, 6, Brought(_as_before))
        for board in islice(every_turn(state), 0, 200, 40):
            changed = {at for at in range(36) if board[at] != state.board[at]}
            near, anew = (Fan(board, sign, 6, Brought(asked, 1.0, fan)) for fan in (before, None))
            for die in (1, 2, 3):
                guessed.clear()
                found = near.steps(die)
                assert all(changed & {*move} for move in guessed)
                assert [step.promise for step in found] == sorted((step.promise for step in found), reverse=True)
                assert {step[1:] for step in found} == {step[1:] for step in anew.steps(die)}
                assert len(found) == len(anew.steps(die))
                kept = [step for step in found if not changed & {step.origin, step.target}]
                assert {step.promise for step in kept} <= {-1.0}


def test_where_nothing_that_promises_most_makes_a_turn_any_turn_is_found() -> None:
    game = DiabloGame(6)
    state = game.start().apply(Roll((1, 1)))
    state = state.apply(state.legal_actions()[0]).apply(Roll((1, 2)))
    fan = Fan(state.board, SIGN[state.mover], 6)
    assert {plan.turn(state.board).board for plan in fan.foremost((1, 2), 0, 0)} <= set(every_turn(state))
    assert next(iter(fan.foremost((1, 2), 0, 0)), None) is not None


def test_a_capture_that_costs_nothing_promises_most() -> None:
    game = DiabloGame(4)
    state = game.load("B3,1,G2,1/4/G1,3/4 B dice 2,2")
    first = distinct(state.board, turns_of(state, EVERY))[0].first
    assert game.notate(state, first.action(4)) == "capture 2 a4-c4"


@pytest.mark.parametrize("faces", [1, 3, 13])
def test_rolls_in_no_order_have_the_odds_of_all_rolls(faces: int) -> None:
    rolls = unordered(faces)
    assert sum(odds for _, odds in rolls) == pytest.approx(1)
    assert len({tuple(sorted(dice)) for dice, _ in rolls}) == len(rolls) == faces * (faces + 1) // 2


def test_even_the_largest_board_shows_some_turns() -> None:
    state = next(positions(26, 1))
    after = state.apply(state.legal_actions()[0])
    after = after.apply(next(iter(after.chance())))
    found = distinct(after.board, turns_of(after, Sight(turns=900)))
    assert len(found) > 900
