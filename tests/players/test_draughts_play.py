"""The computer player of Russian draughts: what it wins, what it sees, and that it keeps to the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from random import Random

import pytest

from reedlight.core.game import Side
from reedlight.games.draughts import Draughts, make
from reedlight.games.draughts.compact import BIT, FAR, own_and_foe, quiet
from reedlight.games.draughts.rules import Clocks, begin
from reedlight.players.draughts import mind
from reedlight.players.draughts.mind import MANNERS, WON_MEN, Manner
from reedlight.players.draughts.search import BOTH_ENDS, INFINITE, WIN, Search
from reedlight.players.player import LEVELS, Stop, never

GAME = make("8")
MIND = mind(GAME)
STRONGEST = len(LEVELS)


def after_asking(times: int) -> Stop:
    """Wants the answer when it is asked the so manieth time."""
    asked = count(1)
    return lambda: next(asked) >= times


def position(text: str) -> Draughts:
    return GAME.load(text)


def choice(state: Draughts, level: int = STRONGEST, seed: int = 1, stop: Stop | None = None) -> str:
    worth = MIND.choose(state, level, Random(seed), stop or after_asking(200))
    return GAME.notate(state, worth.action)


def wandered(seed: int, plies: int) -> Draughts:
    """A state of a random game, after so many plies or before its end."""
    rng = Random(seed)
    state = GAME.start()
    for _ in range(plies):
        after = state.apply(rng.choice(state.legal_actions()))
        if after.outcome is not None:
            return state
        state = after
    return state


def some_states() -> Iterator[Draughts]:
    for seed in range(14):
        yield wandered(seed, 5 * seed)
    yield wandered(7, 200)


# ------------------------------------------------------------------------------------ it sees


SHOTS = (
    ("W:Wa1,a3,b2,e1,e3,f2,f4,g1,h4,Kd8:Ba7,b8,c5,f6,f8,g5,g7,h6", "f4-e5", "gives one man, takes two"),
    ("W:Wa1,a3,b2,c1,d4,e3,f2,g1:Ba5,b6,b8,d8,f6,h8", "d4-e5", "gives one man, takes two"),
    ("W:Wa1,a3,a7,c3,d2:Ba5,b8,d6,Ke1", "d2-e3", "gives one man, takes two"),
    ("B:Wa5,c5,d4,e5,g1:Ba7,d8,e7,f6,f8,h6", "h6-g5", "gives one man, takes one"),
    ("W:Wc5,d4,e3,Kb8:BKc1", "c5-d6", "gives two men, takes one"),
)


@pytest.mark.parametrize(("text", "shot", "reason"), SHOTS)
def test_it_finds_the_shot_that_gives_and_takes(text: str, shot: str, reason: str) -> None:
    state = position(text)
    assert choice(state) == shot
    assert MIND.explain(state, MIND.choose(state, STRONGEST, Random(1), after_asking(50))) == reason


def test_it_takes_the_capture_that_wins() -> None:
    # c3:a5 takes one man; c3:e5:g7 takes two and then there is nothing to stop the man on g7.
    assert choice(position("W:Wc3,h2:Bb4,d4,f6,a7")) == "c3:g7"


def test_the_only_move_is_played_without_a_thought() -> None:
    state = position("W:Wa3,h2:Bb4,h8")

    def ask() -> bool:
        raise AssertionError("there was nothing to think about")

    assert MIND.choose(state, STRONGEST, Random(1), ask).action == state.legal_actions()[0]


def test_it_wins_with_three_kings_against_one_before_the_count_is_out() -> None:
    state = position("W:WKa1,Kc1,Kf2:BKb8")
    stronger = Side.LIGHT
    while state.outcome is None:
        state = state.apply(MIND.choose(state, STRONGEST, Random(3), never).action)
    assert state.outcome.winner is stronger


def test_it_does_not_repeat_a_won_position_into_a_draw() -> None:
    state = position("W:WKa1,Kc1,Kf2:BKb8")
    there_and_back = ("f2-e1", "b8-h2", "e1-f2", "h2-b8")
    for text in there_and_back:
        state = state.apply(GAME.parse(state, text))
    while state.outcome is None:
        state = state.apply(MIND.choose(state, STRONGEST, Random(1), never).action)
    assert state.outcome.winner is Side.LIGHT


def test_a_count_that_has_run_too_far_makes_a_won_ending_a_draw() -> None:
    fresh = position("W:WKa1,Kc1,Kf2:BKb8")
    late = replace(fresh, clocks=run_to(fresh, 28))
    assert max(worth.value for worth in MIND.appraise(fresh, never)) > WON_MEN - 1
    assert max(worth.value for worth in MIND.appraise(late, never)) < 1


def run_to(state: Draughts, plies: int) -> Clocks:
    return state.clocks._replace(unchanged=plies, kings_only=plies)


def test_the_last_step_is_worth_what_the_best_position_after_it_is_worth() -> None:
    compared = 0
    for seed in range(60):
        state = wandered(seed, seed)
        own, foe = own_and_foe(state.position, state.side)
        if state.position[2] or state.steps[0][2]:
            continue
        compared += 1
        search, far = Search(1 << 30, never, {}, 0), FAR[state.side]
        one_by_one = max(
            -search.settled(*after, BOTH_ENDS ^ far, -INFINITE, INFINITE, 2, 0) for after in quiet(own, foe, 0, far)
        )
        assert search.worth(own, foe, 0, far, -INFINITE, INFINITE, 1, 1, 0) == one_by_one
        assert search.worth(own, foe, 0, far, -INFINITE, INFINITE, 1, 1, 0) == one_by_one
    assert compared > 20


def test_a_win_in_one_is_remembered_as_far_away_as_it_is() -> None:
    # After a5-b6 the man on a7 has no step; the position is asked about from another ply, too.
    state = position("W:Wc5,c3,a5,h2:Ba7")
    own, foe = own_and_foe(state.position, state.side)
    search = Search(1 << 30, never, {}, 0)
    found = [search.worth(own, foe, 0, FAR[state.side], -INFINITE, INFINITE, 1, ply, 0) for ply in (1, 5, 1)]
    assert found == [WIN - 2, WIN - 6, WIN - 2]


# ------------------------------------------------------------------------------------ it keeps to the rules


@pytest.mark.parametrize("level", range(1, STRONGEST + 1))
def test_every_level_plays_a_legal_move_from_anywhere(level: int) -> None:
    for seed, state in enumerate(some_states()):
        worth = MIND.choose(state, level, Random(seed), after_asking(3))
        assert worth.action in state.legal_actions()


@pytest.mark.parametrize("level", range(1, STRONGEST + 1))
def test_an_answer_wanted_from_the_beginning_is_legal_and_asked_for_once(level: int) -> None:
    state = wandered(4, 20)
    asked = count()

    def at_once() -> bool:
        next(asked)
        return True

    assert MIND.choose(state, level, Random(1), at_once).action in state.legal_actions()
    assert next(asked) <= 1


def test_it_asks_whether_to_stop_every_few_hundred_positions() -> None:
    asked = count(1)
    MIND.appraise(wandered(4, 10), lambda: next(asked) < 0)
    assert next(asked) > 30_000 // 300


@pytest.mark.parametrize("level", range(1, STRONGEST))
def test_the_same_state_level_and_chance_give_the_same_answer(level: int) -> None:
    for state in (GAME.start(), wandered(5, 24), wandered(9, 40)):
        first = MIND.choose(state, level, Random(8), never)
        assert MIND.choose(state, level, Random(8), never) == first


def test_the_line_that_follows_a_move_can_be_played() -> None:
    for state in some_states():
        for worth in MIND.appraise(state, after_asking(20)):
            after = state.apply(worth.action)
            for move in worth.line:
                if after.outcome is None:
                    after = after.apply(move)


# ------------------------------------------------------------------------------------ what it says


def test_every_move_is_appraised_once_and_the_best_comes_first() -> None:
    for state in some_states():
        appraised = MIND.appraise(state, after_asking(40))
        assert sorted(worth.action for worth in appraised) == list(state.legal_actions())
        values = [worth.value for worth in appraised]
        assert values == sorted(values, reverse=True)


def test_nothing_is_appraised_or_chosen_once_the_game_is_over() -> None:
    over = position("W:W:Bb4")
    assert over.outcome is not None
    assert MIND.appraise(over, never) == ()
    with pytest.raises(ValueError, match="over"):
        MIND.choose(over, 1, Random(1), never)


def test_a_state_is_worth_to_one_side_what_it_costs_the_other() -> None:
    for state in some_states():
        assert MIND.rate(state, Side.LIGHT) == -MIND.rate(state, Side.DARK)
    won = position("W:W:Bb4")
    assert MIND.rate(won, Side.DARK) == WON_MEN == -MIND.rate(won, Side.LIGHT)
    assert MIND.rate(position("W:WKa1:BKb8,h8"), Side.DARK) > -1


def test_a_man_more_is_worth_about_a_man() -> None:
    start = GAME.start()
    without = begin((start.position[0], start.position[1] & ~BIT[next(iter(BIT))] & ~(1 << 32), 0))
    assert 0.5 < MIND.rate(without, Side.LIGHT) < 1.6


def opening(seed: int) -> tuple[str, ...]:
    """The first six plies between two strong players."""
    state, rng, played = GAME.start(), Random(seed), list[str]()
    for _ in range(6):
        move = MIND.choose(state, STRONGEST - 1, rng, never).action
        played.append(GAME.notate(state, move))
        state = state.apply(move)
    return tuple(played)


def test_strong_players_do_not_open_every_game_alike() -> None:
    assert len({opening(seed) for seed in range(4)}) > 1


def test_a_weak_level_throws_away_no_more_than_its_limit() -> None:
    manner = MANNERS[0]
    assert isinstance(manner, Manner)
    for seed in range(40):
        state = wandered(seed, 16)
        if len(state.legal_actions()) == 1:
            continue
        chosen = MIND.choose(state, 1, Random(seed), never)
        best = max(MIND.choose(state, 1, Random(other), never).value for other in range(12))
        assert best - chosen.value <= manner.limit


def test_another_game_has_no_mind_here() -> None:
    class Other:
        name = "herd"

    with pytest.raises(ValueError, match="herd"):
        mind(Other())  # type: ignore[arg-type] - a game of another name
