"""How Diablo's weights are learned: by the rules and the numbers of the player, the same from the same seed."""

from __future__ import annotations

import json
from random import Random

import numpy as np
import pytest
from bench.diablo_learning import best_turn, by_hand, fitted, learn, looks, numbers_of, pairs, rolled, table, written
from wandering import every_turn, positions

from reedlight.games.diablo.rules import SIGN, start, starting_board
from reedlight.players.diablo.value import NAMES, features, learned, worth


@pytest.mark.parametrize(("size", "seed"), [(4, 3), (6, 7)])
def test_a_board_has_the_same_numbers_as_in_the_player(size: int, seed: int) -> None:
    at = table(size)
    for state in positions(size, seed):
        if min(state.board) < 0 < max(state.board):
            for sign in (1, -1):
                assert numbers_of(np.array(state.board), sign, at)
                assert at.numbers == pytest.approx(features(state.board, sign, size))


def test_the_best_turn_is_the_best_of_all_turns_by_the_rules() -> None:
    at = table(4)
    weights = np.array([Random(5).gauss(0, 1) for _ in NAMES])
    for state in positions(4, 8):
        if state.to_act is not state.mover or state.began is not None:
            continue
        sign, out = SIGN[state.mover], np.zeros(16, np.int64)
        found = best_turn(np.array(state.board), sign, *sorted(state.left), weights, at, out)
        boards = every_turn(state)
        assert tuple(out.tolist()) in boards
        assert found == pytest.approx(max(looks(np.array(board), sign, weights, at) for board in boards))


def test_two_equal_players_win_one_game_of_each_pair() -> None:
    at, chance = table(4), np.random.default_rng(2)
    same = np.tile(by_hand(), (2, 1))
    assert not pairs(same, same, rolled(2, 4, chance), at, np.array(starting_board(4))).any()


def test_a_player_who_wants_checkers_beats_one_who_shuns_them() -> None:
    at, chance = table(4), np.random.default_rng(3)
    wants = np.tile(by_hand(), (3, 1))
    assert pairs(wants, -wants, rolled(3, 4, chance), at, np.array(starting_board(4))).mean() > 0.5


def test_the_same_seed_gives_the_same_weights() -> None:
    first, second = (learn(1, 1, table(4), np.random.default_rng(1)) for _ in range(2))
    assert first.tolist() == second.tolist()
    assert first.tolist() != by_hand().tolist()


def test_weights_are_scaled_until_they_say_how_often_a_board_wins() -> None:
    """One number, and a side that is one ahead wins two games of three: the odds are two, whatever the scale was."""
    rows = np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [1.0, -1.0], [1.0, -1.0]])
    won = np.array([1.0, 1.0, 0.0, 0.0, 0.0, 1.0])
    assert fitted(np.array([0.0, 5.0]), rows, won) == pytest.approx([0.0, np.log(2)], abs=1e-6)


def test_what_is_written_is_what_is_read() -> None:
    assert json.loads(written(np.array(learned()))) == dict(zip(NAMES, learned(), strict=True))


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


def test_a_side_without_a_checker_has_lost() -> None:
    board = (2, *[0] * 14, 1)
    assert (worth(board, 1, 4, learned()), worth(board, -1, 4, learned())) == (1.0, 0.0)
    assert looks(np.array(board), 1, by_hand(), table(4)) > 0 > looks(np.array(board), -1, by_hand(), table(4))
