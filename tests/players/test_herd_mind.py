"""Herd's computer player: what it counts, how it plans a turn, and what it answers when asked."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from reedlight.core.game import Game, Roll, Side, State
from reedlight.core.grid import Cell
from reedlight.games import make
from reedlight.games.herd import Herd, Phase, Place
from reedlight.games.herd.rules import board_on
from reedlight.players.herd import mind
from reedlight.players.herd.judge import THINGS, Judge, learned, read, written
from reedlight.players.herd.turns import Part, after_reply, ends
from reedlight.players.player import LEVELS, never

SIZES = ("2", "3", "4", "square-3x4", "square-2x2", "brick-4x4")


def at(size: str, rows: str, turn: str) -> Herd:
    state = make("herd", size).load(f"{size} {rows} {turn}")
    assert isinstance(state, Herd)
    return state


def rolled(state: State[Any], rng: Random) -> State[Any]:
    while state.to_act is Side.CHANCE:
        state = state.apply(Roll((rng.randint(1, 6), rng.randint(1, 6))))
    return state


def random_states(size: str, count: int, seed: int = 1) -> list[Herd]:
    """Positions of random games in which a player is to act."""
    game, rng, found = make("herd", size), Random(seed), list[Herd]()
    while len(found) < count:
        state = rolled(game.start(), rng)
        while state.to_act is not None:
            assert isinstance(state, Herd)
            found.append(state)
            state = rolled(state.apply(rng.choice(state.legal_actions())), rng)
    return Random(seed).sample(found, count)


# ------------------------------------------------------------------------------------------- counting


def counted_by_cells(state: Herd, side: Side) -> list[int]:
    """What one side has of each of ``THINGS``, cell by cell."""
    pieces, found = state.pieces(), dict.fromkeys(THINGS, 0)
    for cell, beside in state.board.grid.neighbours.items():
        around = [pieces[each].side if each in pieces else None for each in beside]
        own, other, free = around.count(side), around.count(side.other), around.count(None)
        if cell in pieces and pieces[cell].side is side:
            found["stones"] += 1
            found["lone"] += not own
            found["lone touched"] += not own and other > 0
            found["lone with one open cell"] += not own and free == 1
            found["lone with two open cells"] += not own and free == 2
            found["with one friend"] += own == 1
            found["buried"] += own == len(beside)
            found["touching"] += other > 0
        elif cell not in pieces and own and not other:
            found["cells closed to the other"] += free == 0
            found["cells one stone from closed"] += free == 1
            found["cells two stones from closed"] += free == 2
            found["cells touched alone"] += 1
    return [found[name] for name in THINGS]


@pytest.mark.parametrize("size", [*SIZES, "5"])
def test_all_cells_at_once_count_what_one_by_one_they_count(size: str) -> None:
    judge = Judge(board_on(make("herd", size).grid), learned())
    for state in random_states(size, 10):
        mine, yours = (counted_by_cells(state, side) for side in (Side.LIGHT, Side.DARK))
        differences = tuple(one - other for one, other in zip(mine, yours, strict=True))
        assert judge.counts(state.light, state.dark) == (1, *differences)


def test_weights_are_the_same_after_writing_and_reading_them() -> None:
    assert read(written(learned(), ["from the test"])) == learned()


# ------------------------------------------------------------------------------------------- planning


def all_ends(state: Herd) -> set[tuple[int, int]]:
    """Every position in which the turn can end, by the rules: the mover's stones and the other's."""
    side, found, seen, left = state.mover, set[tuple[int, int]](), {state}, [state]
    while left:
        here = left.pop()
        if here.to_act is not side or here.phase is Phase.ROLL:
            found.add((here.light, here.dark) if side is Side.LIGHT else (here.dark, here.light))
            continue
        for after in map(here.apply, here.legal_actions()):
            if after not in seen:
                seen.add(after)
                left.append(after)
    return found


def part_of(state: Herd) -> Part:
    return Part(state.own, state.enemy, state.to_remove, state.to_place)


@pytest.mark.parametrize("size", ["2", "square-2x2", "square-2x4"])
def test_with_no_limit_to_its_width_a_plan_knows_every_end_of_a_turn(size: str) -> None:
    board = board_on(make("herd", size).grid)
    judge = Judge(board, learned())
    for state in random_states(size, 12):
        found = ends(judge, part_of(state), 100_000, lambda: None)
        assert {(end.own, end.enemy) for end in found} == all_ends(state)
        assert [end.score for end in found] == sorted((end.score for end in found), reverse=True)


@pytest.mark.parametrize("size", ["2", "square-3x3"])
def test_the_answer_on_average_is_the_plain_turn_after_each_roll(size: str) -> None:
    player, board = mind(make("herd", size)), board_on(make("herd", size).grid)
    judge, compared = Judge(board, learned()), 0
    for state in random_states(size, 25):
        before = Herd(state.board, state.light, state.dark, Side.DARK, Phase.ROLL, opening=False)
        if board.surrounded(state.light, state.dark) | board.surrounded(state.dark, state.light):
            continue
        mean = sum(float(odds) * player.rate(before.apply(roll), Side.LIGHT) for roll, odds in before.chance().items())
        assert after_reply(judge, state.light, state.dark, lambda: None) == pytest.approx(mean, abs=1e-9)
        compared += 1
    assert compared > 20


# ------------------------------------------------------------------------------------------- choosing


@pytest.mark.parametrize("size", [*SIZES, "5", "brick-5x5"])
def test_every_level_chooses_a_legal_action_with_a_turn_that_can_be_played(size: str) -> None:
    player = mind(make("herd", size))
    for level in range(1, len(LEVELS) + 1):
        for state in random_states(size, 1, seed=level):
            worth = player.choose(state, level, Random(1), never)
            assert worth.action in state.legal_actions()
            assert 0 <= worth.value <= 1
            after: State[Any] = state
            for action in (worth.action, *worth.line):
                assert after.to_act is state.mover
                after = after.apply(action)


@pytest.mark.parametrize("level", range(1, 7))
def test_a_level_chooses_the_same_by_the_same_chance(level: int) -> None:
    for state in random_states("3", 2):
        one, other = (mind(make("herd", "3")).choose(state, level, Random(5), never) for _ in range(2))
        assert one == other


@pytest.mark.parametrize(("level", "times"), [(1, 3), (6, 1)])
def test_a_level_plays_a_game_to_its_end(level: int, times: int) -> None:
    game, rng = make("herd", "2"), Random(level)
    player = mind(game)
    for _ in range(times):
        state = rolled(game.start(), rng)
        while state.to_act is not None:
            state = rolled(state.apply(player.choose(state, level, rng, never).action), rng)
        assert state.outcome


def test_a_turn_planned_anew_after_each_action_comes_to_as_good_an_end() -> None:
    game, player = make("herd", "3"), mind(make("herd", "3"))
    for state in random_states("3", 3, seed=3):
        planned = player.choose(state, 6, Random(1), never).value
        after: State[Any] = state
        while after.to_act is state.mover:
            worth = player.choose(after, 6, Random(1), never)
            after = after.apply(worth.action)
            reached = worth.value
        assert reached > planned - 0.03, game.dump(state)


@pytest.mark.parametrize("level", [4, 5, 6])
def test_the_better_levels_close_the_ring_around_a_lone_stone(level: int) -> None:
    state = at("3", ".../.RR./.RB../.RR./...", "red place 5-3 0 1 -")
    assert mind(make("herd", "3")).choose(state, level, Random(1), never).action == Place(Cell("1,0"))


def test_the_first_week_overlooks_what_a_learner_sees_but_not_always() -> None:
    state = at("3", ".../.RR./.RB../.RR./...", "red place 5-3 0 1 -")
    player = mind(make("herd", "3"))
    taken = [
        sum(player.choose(state, level, Random(seed), never).action == Place(Cell("1,0")) for seed in range(40))
        for level in (1, 2)
    ]
    assert 0 < taken[0] < taken[1]


def test_games_differ_where_chance_does() -> None:
    game = make("herd", "3")
    state = game.start().apply(Roll((3, 4)))
    player = mind(game)
    assert len({player.choose(state, 6, Random(seed), never).action for seed in range(4)}) > 1


# ------------------------------------------------------------------------------------------- stopping


class Asked:
    """Stops at the so-manieth question, and counts the questions."""

    def __init__(self, at: int) -> None:
        self.left, self.after = at, 0

    def __call__(self) -> bool:
        self.left -= 1
        self.after += self.left < 0
        return self.left <= 0


@pytest.mark.parametrize("questions", [1, 2, 30])
@pytest.mark.parametrize("level", [1, 4, 5, 6])
def test_a_mind_that_is_stopped_answers_at_once_and_by_the_rules(questions: int, level: int) -> None:
    player = mind(make("herd", "5"))
    for state in random_states("5", 1, seed=questions):
        stop = Asked(questions)
        assert player.choose(state, level, Random(1), stop).action in state.legal_actions()
        assert stop.after == 0
        stop = Asked(questions)
        assert {worth.action for worth in player.appraise(state, stop)} == set(state.legal_actions())
        assert stop.after == 0


def test_between_two_questions_few_positions_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked, between, original = [0], list[int](), Judge.score

    def score(self: Judge, me: int, you: int) -> float:
        looked[0] += 1
        return original(self, me, you)

    def stop() -> bool:
        between.append(looked[0])
        looked[0] = 0
        return False

    monkeypatch.setattr(Judge, "score", score)
    for state in random_states("3", 1):
        mind(make("herd", "3")).choose(state, 6, Random(1), stop)
        mind(make("herd", "3")).appraise(state, stop)
    assert max(between) <= 16


# ------------------------------------------------------------------------------------------- appraising


@pytest.mark.parametrize("size", SIZES)
def test_every_legal_action_is_appraised_best_first(size: str) -> None:
    player = mind(make("herd", size))
    for state in random_states(size, 2):
        worths = player.appraise(state, never)
        assert sorted(worth.action for worth in worths) == list(state.legal_actions())
        values = [worth.value for worth in worths]
        assert values == sorted(values, reverse=True)
        assert all(0 <= value <= 1 for value in values)


def test_an_action_that_wins_at_once_is_worth_everything_and_one_that_loses_nothing() -> None:
    state = at("square-2x2", "RB/R.", "red place 1-1 0 1 -")
    (only,) = mind(make("herd", "square-2x2")).appraise(state, never)
    assert only.value == 1.0
    state = at("square-2x2", "BB/R.", "red place 1-1 0 1 -")
    (only,) = mind(make("herd", "square-2x2")).appraise(state, never)
    assert only.value == 0.5


# ------------------------------------------------------------------------------------------- rating


def finished(size: str, seed: int) -> State[Any]:
    game, rng = make("herd", size), Random(seed)
    state = rolled(game.start(), rng)
    while state.to_act is not None:
        state = rolled(state.apply(rng.choice(state.legal_actions())), rng)
    return state


@pytest.mark.parametrize("size", SIZES)
def test_a_game_that_is_over_is_worth_its_result(size: str) -> None:
    player = mind(make("herd", size))
    for seed in range(5):
        state = finished(size, seed)
        assert state.outcome
        winner = state.outcome.winner
        for side in (Side.LIGHT, Side.DARK):
            assert player.rate(state, side) == (0.5 if winner is None else float(winner is side))


@pytest.mark.parametrize("size", SIZES)
def test_what_one_side_gains_the_other_loses_also_before_a_roll(size: str) -> None:
    game: Game[Any] = make("herd", size)
    player = mind(game)
    for state in (game.start(), *random_states(size, 5)):
        assert player.rate(state, Side.LIGHT) + player.rate(state, Side.DARK) == pytest.approx(1)


def test_more_stones_are_worth_more_before_a_roll() -> None:
    player = mind(make("herd", "3"))
    ahead = at("3", "RRR/RRR./RR..B/..BB/...", "blue roll - 0 0 -")
    behind = at("3", "BBB/BBB./BB..R/..RR/...", "blue roll - 0 0 -")
    assert player.rate(ahead, Side.LIGHT) > player.rate(behind, Side.LIGHT) + 0.2


def test_a_mind_for_herd_plays_no_other_game() -> None:
    draughts = make("draughts", "8")
    with pytest.raises(TypeError, match="asked of draughts"):
        mind(draughts)
    with pytest.raises(TypeError, match="another game"):
        mind(make("herd", "3")).rate(draughts.start(), Side.LIGHT)
