"""Soaking: random legal games of a registered game, made to be performed by a hand for a long time."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from reedlight.core.game import Game, Roll, Side, State
from reedlight_sim.perform import Script, seeded


def random_scripts(game: Game[Any], games: int, seed: int) -> Iterator[Script]:
    """Draw games by uniform random play, each to its end; the same seed draws the same games."""
    for number in range(games):
        rng = seeded("soak", game.name, game.size, seed, number)
        start = game.start()
        yield Script(f"{game.name} {game.size} seed {seed} game {number + 1}", game, start, tuple(_steps(start, rng)))


def _steps(state: State[Any], rng: Random) -> Iterator[Any]:
    while state.outcome is None:
        step = _roll(state, rng) if state.to_act is Side.CHANCE else rng.choice(state.legal_actions())
        yield step
        state = state.apply(step)


def _roll(state: State[Any], rng: Random) -> Roll:
    odds = state.chance()
    return rng.choices(list(odds), weights=[float(share) for share in odds.values()])[0]
