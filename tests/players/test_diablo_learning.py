"""How Diablo's weights are learned: the same from the same seed, and towards what came of a board."""

from __future__ import annotations

import json
from random import Random

import pytest
from wandering import positions

from reedlight.games.diablo.rules import start
from reedlight.players.diablo.learn import Learner, beginning, learn, written
from reedlight.players.diablo.value import NAMES, features, learned, worth


def test_the_same_seed_gives_the_same_weights() -> None:
    first, second, other = (learn(4, seed, (4,)) for seed in (1, 1, 2))
    assert first == second
    assert first != other
    assert first != beginning()


AHEAD = (2, 0, -1, 0, *[0] * 11, 1)
WON = (2, 0, 0, 0, *[0] * 11, 1)


def test_the_boards_of_the_winner_gain() -> None:
    learner = Learner(beginning(), Random(1))
    before = worth(AHEAD, 1, 4, learner.weights)
    learner.correct([(AHEAD, 1), (WON, 1)], 4, 0.01)
    assert worth(AHEAD, 1, 4, learner.weights) > before


def test_the_boards_of_the_loser_lose() -> None:
    learner = Learner(beginning(), Random(1))
    before = worth(AHEAD, -1, 4, learner.weights)
    learner.correct([(AHEAD, -1), (WON, 1)], 4, 0.01)
    assert worth(AHEAD, -1, 4, learner.weights) < before


def test_what_is_written_is_what_is_read() -> None:
    assert json.loads(written(learned())) == dict(zip(NAMES, learned(), strict=True))


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
