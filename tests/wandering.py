"""Positions of Diablo as random play meets them, and every turn of one by the states themselves."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from reedlight.core.game import Side
from reedlight.games.diablo.rules import Action, Board, Diablo, start

Line = tuple[Action, ...]


def positions(size: int, seed: int, games: int = 1) -> Iterator[Diablo]:
    """Every state of random games in which a side is to act."""
    rng = Random(f"{size} {seed}")
    for _ in range(games):
        state = start(size)
        while state.to_act is not None:
            if state.to_act is Side.CHANCE:
                state = state.apply(rng.choice(list(state.chance())))
                continue
            yield state
            state = state.apply(rng.choice(state.legal_actions()))


def some(size: int, seed: int, count: int) -> list[Diablo]:
    """So many states drawn from three random games."""
    met = list(positions(size, seed, 3))
    return Random(seed).sample(met, min(count, len(met)))


def every_turn(state: Diablo) -> dict[Board, set[Line]]:
    """Every board on which the turn may end, with every line of actions that leads to it."""
    found: dict[Board, set[Line]] = {}
    for action in state.legal_actions():
        after = state.apply(action)
        if after.to_act is not state.mover:
            found.setdefault(after.board, set()).add((action,))
            continue
        for second in after.legal_actions():
            found.setdefault(after.apply(second).board, set()).add((action, second))
    return found
