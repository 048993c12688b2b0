"""The plain mind, played on games that have minds of their own."""

from __future__ import annotations

from random import Random

import pytest

from reedlight.core.game import Roll, Side
from reedlight.games import REGISTRY, make
from reedlight.players.plain import WON, mind
from reedlight.players.player import LEVELS, never


def _always() -> bool:
    return True


@pytest.mark.parametrize("name", REGISTRY)
def test_it_plays_any_game_to_its_end_at_every_level(name: str) -> None:
    game = make(name, REGISTRY[name].sizes[0])
    plain = mind(game)
    rng = Random(5)
    state = game.start()
    for number in range(2 * game.max_plies):
        if state.to_act is None:
            break
        if state.to_act is Side.CHANCE:
            state = state.apply(rng.choice(list(state.chance())))
            continue
        worth = plain.choose(state, number % len(LEVELS) + 1, rng, never)
        assert worth.action in state.legal_actions()
        sentence = plain.explain(state, worth)
        assert 0 < len(sentence) <= 70
        state = state.apply(worth.action)
    assert state.outcome is not None
    winner = state.outcome.winner
    assert plain.rate(state, Side.LIGHT) == {Side.LIGHT: WON, Side.DARK: -WON, None: 0.0}[winner]


def test_it_takes_the_largest_stack() -> None:
    game = make("diablo", "4")
    state = game.load("B3,1,G2,1/4/G3,3/4 B dice 2,1")
    worth = mind(game).choose(state, len(LEVELS), Random(1), never)
    assert game.notate(state, worth.action) == "capture 2 a4-a2"
    assert mind(game).explain(state, worth) == "takes 3 from Green"


def test_it_sees_the_second_action_of_its_turn() -> None:
    game = make("diablo", "4")
    state = game.load("B3,3/3,G3/4/B1,1,G1,1 B dice 2,1")
    best = mind(game).appraise(state, never)[0]
    assert best.line != ()


def test_every_action_is_appraised_even_when_told_to_stop_at_once() -> None:
    game = make("diablo", "8")
    state = game.start().apply(Roll((1, 3)))
    found = mind(game).appraise(state, _always)
    assert {worth.action for worth in found} == set(state.legal_actions())
    assert found[0].value == max(worth.value for worth in found)


def test_the_same_chance_gives_the_same_choice() -> None:
    game = make("herd", "4")
    state = game.start()
    while state.to_act is Side.CHANCE:
        state = state.apply(next(iter(state.chance())))
    choices = [mind(game).choose(state, 2, Random(9), never) for _ in range(2)]
    assert choices[0] == choices[1]


def test_a_state_in_which_chance_acts_has_no_action() -> None:
    game = make("diablo", "4")
    with pytest.raises(ValueError, match="no player"):
        mind(game).choose(game.start(), 1, Random(1), never)
