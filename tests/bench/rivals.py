"""A player that Diablo's computer player is measured against: a short rule of thumb, told in full.

It plays one whole turn ahead: its checkers, less the foe's, less the expected loss. That is the sum over the two
dice of the tallest stack that a die takes by itself, in the mean over the die's faces. It finds its turns as the
computer player does, all of them, and judges them by itself. A beginner has no chance against it.

    threats(state, rng) -> action
"""

from __future__ import annotations

from random import Random
from typing import Any

from reedlight.core.game import State
from reedlight.games.diablo.rules import SIGN, Action, Board, Diablo, landings
from reedlight.players.diablo.search import Sight, turns_of
from reedlight.players.diablo.turns import distinct

EVERY = Sight(turns=1 << 30)
"""No turn is left out."""


def expected_loss(board: Board, sign: int, size: int) -> float:
    """The checkers that two dice take from the side of the sign: each alone, on average, the most it can."""
    total = 0
    foes = [(at, -height * sign) for at, height in enumerate(board) if height * sign < 0]
    for reach in landings(size).values():
        worst = 0
        for at, height in foes:
            for target in reach[at]:
                there = board[target] * sign
                if worst < there <= height:
                    worst = there
        total += worst
    return 2 * total / len(landings(size))


def threats(state: State[Any], rng: Random) -> Action:
    """The first action of the best turn; of equal ones any."""
    assert isinstance(state, Diablo)
    boards = distinct(state.board, turns_of(state, EVERY))
    worth = [_worth(turn.board, SIGN[state.mover], state.size) for turn in boards]
    most = max(worth)
    return rng.choice([turn for turn, its in zip(boards, worth, strict=True) if its == most]).first.action(state.size)


def _worth(board: Board, sign: int, size: int) -> float:
    """Checkers, less the foe's, less the expected loss; a game won or lost is beyond all checkers."""
    material = sum(board) * sign
    if not min(board) < 0 < max(board):
        return 1e6 if material > 0 else -1e6
    return material - expected_loss(board, sign, size)
