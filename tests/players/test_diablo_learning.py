"""How Diablo's weights are learned: by the rules and the numbers of the player, the same from the same seed."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from bench.diablo_learning import (
    ADDED,
    TAKEN,
    Lessons,
    answered,
    by_hand,
    fitted,
    game,
    learn,
    looks,
    nearest,
    numbers_of,
    ranked,
    rolled,
    strayed,
    summed,
    table,
    turns_of,
    written,
)
from wandering import every_turn, positions, some

from reedlight.games.diablo.rules import SIGN, start, starting_board
from reedlight.players.diablo.search import Answers, Choice, Look
from reedlight.players.diablo.value import NAMES, Weights, features, learned, read, worth
from reedlight.players.diablo.value import looks as looks_like
from reedlight.players.player import never


@pytest.mark.parametrize(("size", "seed"), [(4, 3), (6, 7), (8, 2)])
@np.errstate(over="ignore")
def test_a_board_has_the_same_numbers_as_in_the_player(size: int, seed: int) -> None:
    at = table(size)
    for state in positions(size, seed):
        if min(state.board) < 0 < max(state.board):
            for sign in (1, -1):
                assert numbers_of(np.array(state.board), sign, at)
                assert at.numbers == pytest.approx(features(state.board, sign, size))


def test_the_turns_are_all_turns_by_the_rules_and_the_best_is_among_them() -> None:
    at = table(4)
    weights = np.array([Random(5).gauss(0, 1) for _ in NAMES])
    found, boards = np.zeros(4000), np.zeros((4000, 16), np.int64)
    best, best_board = np.zeros(1), np.zeros((1, 16), np.int64)
    for state in positions(4, 8):
        if state.to_act is not state.mover or state.began is not None:
            continue
        sign, low, high = SIGN[state.mover], *sorted(state.left)
        order = ranked(turns_of(np.array(state.board), sign, low, high, weights, at, found, boards), found, boards)
        met = [tuple(boards[which].tolist()) for which in order]
        assert len(set(met)) == len(met)
        assert set(met) == set(every_turn(state))
        assert list(found[order]) == sorted(found[order], reverse=True)
        assert turns_of(np.array(state.board), sign, low, high, weights, at, best, best_board) == 1
        assert best[0] == found[order[0]] == pytest.approx(looks(best_board[0], sign, weights, at))


def test_a_chance_by_answers_is_the_one_the_player_finds() -> None:
    at, weights = table(4), np.array(learned().turns.always)
    look = Look(1, Choice(turns=1 << 30, pairs=1 << 30, breadth=1 << 30))
    for state in some(4, 9, 4):
        if state.began is None:
            told = answered(np.array(state.board), 1, weights, at)
            answers = Answers(state.board, 4, 1 << 30, learned().turns, never)
            assert told == pytest.approx(answers.value(state.board, 1, look))


def test_what_the_numbers_can_tell_of_the_turns_of_a_roll_is_learned() -> None:
    """A chance that falls with the second number alone, and rolls that are better or worse for another reason."""
    chance = np.random.default_rng(4)
    rolls = np.repeat(np.arange(8000), 5)
    rows = np.column_stack([np.ones(40000), chance.standard_normal((40000, 2))])
    luck = chance.standard_normal(8000)[rolls] / 2
    weights = nearest([Lessons(rows, rolls, 1 / (1 + np.exp(rows[:, 1] - luck)))])
    assert weights == pytest.approx([0, -1, 0], abs=0.05)


def test_the_same_seed_gives_the_same_weights() -> None:
    first, second = (learn(1, 1, table(2), np.random.default_rng(1)) for _ in range(2))
    assert first.tolist() == second.tolist()
    assert first.tolist() != by_hand().tolist()


def test_weights_are_scaled_until_they_say_how_often_a_board_wins() -> None:
    """One number, and a side that is one ahead wins two games of three: the odds are two, whatever the scale was."""
    rows = np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [1.0, -1.0], [1.0, -1.0]])
    won = np.array([1.0, 1.0, 0.0, 0.0, 0.0, 1.0])
    assert fitted(np.array([0.0, 5.0]), rows, won) == pytest.approx([0.0, np.log(2)], abs=1e-6)


def test_a_turn_that_lapses_passes_better_ones_by() -> None:
    at, begin = table(4), np.array(starting_board(4))
    weights = np.array(learned().turns.always)
    dice = rolled(1, 4, np.random.default_rng(3))[0]
    passed = np.zeros(len(dice), np.int64)
    best, lapsed = np.zeros((2, len(dice), 16), np.int64)
    game(weights, dice, passed, at, begin, best)
    passed[1] = 2
    game(weights, dice, passed, at, begin, lapsed)
    found, boards = np.zeros(4000), np.zeros((4000, 16), np.int64)
    low, high = dice[1]
    order = ranked(turns_of(best[0], -1, low, high, weights, at, found, boards), found, boards)
    assert (lapsed[0] == best[0]).all()
    assert looks(best[1], -1, weights, at) == pytest.approx(found[order[0]])
    assert (lapsed[1] == boards[order[2]]).all()


def test_so_many_turns_lapse_and_none_without_need() -> None:
    passed = strayed(4000, 0.25, np.random.default_rng(2))
    assert (passed > 0).mean() == pytest.approx(0.25, abs=0.03)
    assert not strayed(4000, 0.0, np.random.default_rng(2)).any()


def test_the_sums_say_what_a_single_one_could_not() -> None:
    """Far from nothing, on either side, is good."""
    chance = np.random.default_rng(6)
    number = chance.uniform(-3, 3, 20000)
    rows = np.column_stack([np.ones(20000), number])
    odds = 1 / (1 + np.exp(2 - 2 * abs(number)))
    sums = rows @ summed(rows, (chance.random(20000) < odds).astype(float), 16, chance)
    positive = np.maximum(sums, 0)
    said = sums[:, 0] + positive[:, 1 : 1 + ADDED].sum(axis=1) - positive[:, 1 + ADDED :].sum(axis=1)
    assert abs(1 / (1 + np.exp(-said)) - odds).mean() < 0.06
    assert abs(odds.mean() - odds).mean() > 0.2


def test_what_is_written_is_what_is_read() -> None:
    turns, boards = learned()
    columns = np.array([boards.always, *boards.added, *boards.taken]).T
    assert read(written(np.array(turns.always), columns)) == learned()
    assert (len(boards.added), len(boards.taken)) == (ADDED, TAKEN)


def test_sums_count_where_they_are_positive() -> None:
    board = next(state.board for state in positions(6, 9) if state.board.count(0) > 12)
    number = features(board, 1, 6)[NAMES.index("own tallest, by own checkers")]
    nothing = (0.0,) * len(NAMES)
    tall = tuple(float(name == "own tallest, by own checkers") for name in NAMES)
    short = tuple(-weight for weight in tall)
    assert looks_like(board, 1, 6, Weights(nothing, (tall, short))) == pytest.approx(number)
    assert looks_like(board, 1, 6, Weights(tall, (), (tall, tall, short))) == pytest.approx(-number)


def test_every_number_of_a_board_has_a_name_and_stays_within_bounds() -> None:
    for size in (2, 6):
        for state in positions(size, 7):
            if state.board != start(size).board and min(state.board) < 0 < max(state.board):
                numbers = features(state.board, 1, size)
                assert len(numbers) == len(NAMES)
                assert all(abs(number) <= 5 for number in numbers)


def test_one_board_seen_from_either_side_has_its_numbers_swapped() -> None:
    board = next(state.board for state in positions(6, 9) if state.board.count(0) > 12)
    own = dict(zip(NAMES, features(board, 1, 6), strict=True))
    foe = dict(zip(NAMES, features(board, -1, 6), strict=True))
    assert own["tallest, difference by sum"] == pytest.approx(-foe["tallest, difference by sum"])
    assert own["own best loss to a die, by 4"] == foe["foe's best loss to a die, by 4"]
    assert own["one by own stacks"] == foe["one by the foe's stacks"]


def _of_a_roll(stacks: dict[int, int]) -> tuple[float, float]:
    """What a roll takes of Black in the mean, on a board of 6 x 6 with these stacks, and the chance that none does."""
    board = tuple(stacks.get(cell, 0) for cell in range(36))
    numbers = dict(zip(NAMES, features(board, 1, 6), strict=True))
    return 4 * numbers["own best loss to a roll, by 4"], numbers["chance that no roll takes an own stack"]


def test_a_roll_takes_what_is_behind_an_empty_cell_and_not_what_is_behind_a_taller_stack() -> None:
    """Green on a1, Black on b2: only a double one leads there, over b1 or a2."""
    assert _of_a_roll({0: -3, 7: 2}) == pytest.approx((2 / 9, 8 / 9))
    assert _of_a_roll({0: -3, 7: 2, 1: 5, 6: 5}) == pytest.approx((0, 1))


def test_a_roll_takes_two_stacks_in_a_row() -> None:
    """Green on c1, Black on d1 and d3: one and two take both, and three of the other rolls take d1."""
    assert _of_a_roll({2: -3, 3: 1, 15: 2}) == pytest.approx((2 / 9 * 3 + 5 / 9 * 1, 2 / 9))


def test_a_side_without_a_checker_has_lost() -> None:
    board = (2, *[0] * 14, 1)
    for weights in learned():
        assert (worth(board, 1, 4, weights), worth(board, -1, 4, weights)) == (1.0, 0.0)
    assert looks(np.array(board), 1, by_hand(), table(4)) > 0 > looks(np.array(board), -1, by_hand(), table(4))
