"""Every game has a mind, and every mind does what a mind must."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from reedlight.core.game import Game, Side, State
from reedlight.games import REGISTRY, make
from reedlight.players import MINDS, of
from reedlight.players.plain import PlainMind
from reedlight.players.player import LEVELS, never

UNITS = {"men": 100.0, "chance to win": 1.0}
"""What a mind may count in, and the most that an ordinary position is worth in it."""


class Renamed:
    """A game under a name that no mind has."""

    name = "another"

    def __init__(self, game: Game[Any]) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


def _first_decision(game: Game[Any]) -> State[Any]:
    state = game.start()
    while state.to_act is Side.CHANCE:
        state = state.apply(next(iter(state.chance())))
    return state


def test_every_game_has_a_mind_of_its_own() -> None:
    assert set(MINDS) == set(REGISTRY)


def test_a_game_without_one_is_played_by_counting() -> None:
    game = Renamed(make("draughts", "8"))
    assert isinstance(of(game), PlainMind)  # type: ignore[arg-type]  # every other name is the game's own
    assert not isinstance(of(make("draughts", "8")), PlainMind)


@pytest.mark.parametrize("name", REGISTRY)
def test_a_mind_chooses_appraises_rates_and_explains(name: str) -> None:
    game = make(name, REGISTRY[name].sizes[0])
    mind = of(game)
    state = _first_decision(game)
    assert state.to_act is not None
    for level in range(1, len(LEVELS)):
        assert mind.choose(state, level, Random(1), never).action in state.legal_actions()
    found = mind.appraise(state, lambda: True)
    assert {worth.action for worth in found} == set(state.legal_actions())
    assert abs(mind.rate(state, state.to_act)) <= UNITS[mind.unit]
    assert 0 < len(mind.explain(state, found[0])) <= 70
