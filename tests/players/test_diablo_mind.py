"""Diablo's mind at the board: legal, never careless at its best, prompt when told to stop, and the same twice."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from wandering import every_turn, positions, some

from reedlight.core.game import Side
from reedlight.games import make
from reedlight.games.diablo.game import DiabloGame
from reedlight.games.diablo.rules import SIGN, Diablo, start
from reedlight.players.diablo.mind import ON_LARGE, ON_SMALL, DiabloMind, levels, mind
from reedlight.players.diablo.search import Answers, Choice, Look
from reedlight.players.diablo.value import learned, worth
from reedlight.players.player import never

ALL = 1 << 30
EVERY = Choice(turns=ALL, pairs=ALL, breadth=ALL)
BEST = len(ON_SMALL)
COUNTS = {2: 12, 4: 8, 6: 4, 8: 2, 10: 1}


def at_once() -> bool:
    return True


class After:
    """Says stop from a number of questions on, and counts them."""

    def __init__(self, questions: int) -> None:
        self.questions = questions
        self.asked = 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.asked > self.questions


@pytest.mark.parametrize("size", COUNTS)
@pytest.mark.parametrize("level", range(1, BEST + 1))
def test_every_level_chooses_a_legal_action(size: int, level: int) -> None:
    for state in some(size, level, COUNTS[size]):
        stop = never if level < BEST or size < 8 else After(20)
        chosen = DiabloMind(size).choose(state, level, Random(1), stop)
        assert chosen.action in state.legal_actions()
        after = state.apply(chosen.action)
        for action in chosen.line:
            assert action in after.legal_actions()
        assert 0 <= chosen.value <= 1


@pytest.mark.parametrize("size", [2, 6, 10, 26])
def test_told_to_stop_from_the_beginning_it_still_answers_legally(size: int) -> None:
    for state in islice(positions(size, 2), 0, 4):
        for level in (1, BEST):
            assert DiabloMind(size).choose(state, level, Random(1), at_once).action in state.legal_actions()
        found = DiabloMind(size).appraise(state, at_once)
        assert {one.action for one in found} == set(state.legal_actions())


def test_told_to_stop_it_asks_no_further() -> None:
    state = some(6, 5, 1)[0]
    stop = After(3)
    DiabloMind(6).choose(state, BEST, Random(1), stop)
    assert 4 <= stop.asked <= 8


@pytest.mark.parametrize("level", range(1, BEST + 1))
def test_the_same_chance_gives_the_same_choice(level: int) -> None:
    for state in some(6, 6, 3):
        first, second = (DiabloMind(6).choose(state, level, Random(7), never) for _ in range(2))
        assert first == second


def test_boards_of_all_sizes_have_as_many_levels_and_the_same_strongest() -> None:
    assert [levels(size) for size in (2, 6, 8, 26)] == [ON_SMALL, ON_SMALL, ON_LARGE, ON_LARGE]
    assert len(ON_SMALL) == len(ON_LARGE)
    assert ON_SMALL[-1] == ON_LARGE[-1]


def test_a_low_level_varies_with_chance() -> None:
    state = next(state for state in some(6, 6, 9) if state.began is None and len(state.legal_actions()) > 10)
    assert len({DiabloMind(6).choose(state, 1, Random(seed), never).action for seed in range(12)}) > 3


@pytest.mark.parametrize("level", [4, 5, 6])
def test_it_takes_the_win(level: int) -> None:
    game = DiabloGame(6)
    state = game.load("B2,5/6/G1,5/6/6/B4,4,B1 B dice 2,1")
    mind = DiabloMind(6)
    chosen = mind.choose(state, level, Random(3), never)
    after = state.apply(chosen.action)
    if after.to_act is not None:
        after = after.apply(mind.choose(after, level, Random(3), never).action)
    assert after.outcome is not None
    assert after.outcome.winner is Side.DARK


def test_the_strongest_saves_its_tallest_stack() -> None:
    """b1 stands in reach of every die of the green stack of 6; the other green checkers can't hurt it."""
    game = DiabloGame(6)
    state = game.load("B1,5/6/6/G6,3,G1,1/6/G1,B5,1,B1,2 B dice 3,1")
    mind = DiabloMind(6)
    after = state.apply(mind.choose(state, BEST, Random(3), never).action)
    after = after.apply(mind.choose(after, BEST, Random(3), never).action)
    every = Answers(state.board, 6, ALL, learned().boards, never)
    values = {board: every.value(board, 1, Look(1, EVERY, EVERY)) for board in every_turn(state)}
    assert values[after.board] >= max(values.values()) - 0.01
    assert 5 in after.board or 6 in after.board


@pytest.mark.parametrize("own", [None, Choice(turns=4, pairs=16, breadth=4)], ids=["answers", "answers to answers"])
def test_a_look_at_the_most_promising_answers_says_about_the_same_as_a_look_at_all(own: Choice | None) -> None:
    few = Look(1, Choice(turns=8, pairs=24, breadth=6), own)
    for state in some(6, 9, 4):
        answers = Answers(state.board, 6, ALL, learned().boards, never)
        every = answers.value(state.board, 1, Look(1, EVERY, own and EVERY))
        assert answers.value(state.board, 1, few) == pytest.approx(every, abs=0.05)


def test_what_moves_promised_before_the_turn_serves_for_the_answers() -> None:
    look = Look(1, Choice(turns=8, pairs=24, breadth=6))
    for state in some(6, 8, 6):
        if state.began is None and not state.opening:
            for board in islice(every_turn(state), 0, 200, 40):
                earlier, anew = (Answers(first, 6, ALL, learned().boards, never) for first in (state.board, board))
                assert earlier.value(board, 1, look) == pytest.approx(anew.value(board, 1, look), abs=0.02)


def test_a_board_that_is_not_wanted_is_given_up_with_a_bound() -> None:
    look = Look(1, Choice(turns=8, pairs=24, breadth=6))
    for state in some(6, 8, 6):
        answers = Answers(state.board, 6, ALL, learned().boards, never)
        value = answers.value(state.board, 1, look)
        assert answers.value(state.board, 1, look, wanted=value) == value
        assert value <= answers.value(state.board, 1, look, wanted=(1 + value) / 2) < (1 + value) / 2


def test_the_second_action_completes_the_planned_turn_or_a_better_one() -> None:
    for state in some(6, 31, 8):
        if state.began is not None or state.opening:
            continue
        mind = DiabloMind(6)
        planned = mind.choose(state, 5, Random(2), never)
        middle = state.apply(planned.action)
        if middle.to_act is not state.mover:
            continue
        end = middle.apply(mind.choose(middle, 5, Random(2), never).action)
        sign = SIGN[state.mover]
        assert worth(end.board, sign, 6, learned().turns) >= planned.value - 2 * levels(6)[4].limit


def test_no_level_gives_away_more_than_its_limit() -> None:
    for state in some(6, 41, 10):
        best = DiabloMind(6).choose(state, 5, Random(0), never).value
        for number, level in enumerate(levels(6)[:4], 1):
            chosen = DiabloMind(6).choose(state, number, Random(4), never)
            assert chosen.value >= best - level.limit - levels(6)[4].limit


def test_every_action_is_appraised_best_first_with_what_follows() -> None:
    for size, count in ((4, 6), (6, 3)):
        for state in some(size, 51, count):
            found = DiabloMind(size).appraise(state, never)
            assert {one.action for one in found} == set(state.legal_actions())
            assert [one.value for one in found] == sorted((one.value for one in found), reverse=True)
            for one in found:
                after = state.apply(one.action)
                assert all(action in after.legal_actions() for action in one.line)


def test_a_win_is_worth_one_and_a_lost_game_nothing() -> None:
    game = DiabloGame(4)
    mind = DiabloMind(4)
    state = game.load("B3,1,G2,1/4/4/4 B dice 2,2")
    best = mind.appraise(state, never)[0]
    assert (game.notate(state, best.action), best.value) == ("capture 2 a4-c4", 1.0)
    over = state.apply(best.action)
    assert mind.rate(over, Side.DARK) == 1
    assert mind.rate(over, Side.LIGHT) == 0


def test_a_position_is_rated_for_both_sides_before_and_after_the_roll() -> None:
    mind = DiabloMind(6)
    for state in some(6, 61, 6):
        before = Diablo(6, state.board, state.mover)
        for position in (before, state):
            assert mind.rate(position, Side.DARK) + mind.rate(position, Side.LIGHT) == pytest.approx(1)
    ahead = DiabloGame(6).load("B5,1,B4,3/6/6/6/6/5,G1 G roll")
    assert mind.rate(ahead, Side.DARK) > 0.9


def test_a_mind_is_made_for_the_board_of_a_game() -> None:
    assert mind(make("diablo", "10")).unit == "chance to win"
    assert {mind(make("diablo", "10")).rate(start(10), side) for side in (Side.DARK, Side.LIGHT)} == {0.5}


def test_a_state_of_another_game_is_refused() -> None:
    with pytest.raises(TypeError, match="another game"):
        DiabloMind(6).rate(make("herd", "4").start(), Side.DARK)
