"""The computer player of Diablo: six levels, what every action is worth, and what a position is worth.

A weak player does not misjudge a board so much as miss the turn: there are hundreds. So a level is how many
of the turns come to its mind, drawn by chance, and how much a turn may give away before it never does.

    level     thinks of          looks at
    1 to 3    one turn           the board after its turn
    4         one, or three      the same
    5         three turns        the same, or the foe's answers to the best few
    6         every turn         the foe's answers to the best, and its own to those

On a large board more turns can be missed and a look ahead is worth more; so there are two tables of levels, and
the second words are of that.

The second action of a turn is chosen anew, from the board in the middle of the turn. The highest level looks
at every end of the turn again, so it completes the turn that was planned or finds a better end. The others think
of more ends than they thought of turns, or they would often forget what the first action was for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from reedlight.core.game import Game, Side, State
from reedlight.games.diablo.rules import SIGN, Diablo
from reedlight.players.diablo.reasons import explain
from reedlight.players.diablo.search import Choice, Look, Sight, Valued, answered, best_turns, by_action
from reedlight.players.diablo.value import Learned, learned, worth
from reedlight.players.player import Stop, Worth, never


@dataclass(frozen=True, slots=True)
class Level:
    """How a level looks and errs."""

    sight: Sight
    thinks_of: int
    """Turns that come to its mind."""
    limit: float
    """The most it gives away by not thinking of others, as a chance to win."""
    noise: float = 0.0
    """Standard deviation of what is added to every chance to win: among equals it varies."""


_OWN_TURN = Sight(turns=1600, boards=400)
_ANSWERS = Sight(
    boards=250,
    ahead=(
        Look(width=30, foes=Choice(turns=4, pairs=12, breadth=3), until=0.6),
        Look(width=8, foes=Choice(turns=8, pairs=24, breadth=6), own=Choice(turns=4, pairs=16, breadth=4)),
        Look(width=4, foes=Choice(turns=24, pairs=60, breadth=10), own=Choice(turns=16, pairs=40, breadth=8)),
    ),
)
_A_FEW_ANSWERS = Sight(boards=250, ahead=(Look(width=6, foes=Choice(turns=4, pairs=12, breadth=3)),))
_ALL = 1 << 30
_STRONGEST = Level(_ANSWERS, thinks_of=_ALL, limit=0.002, noise=0.001)
_SMALL = 6
"""The largest side of a small board."""
ON_SMALL: Sequence[Level] = (
    Level(_OWN_TURN, thinks_of=1, limit=0.50),
    Level(_OWN_TURN, thinks_of=1, limit=0.35),
    Level(_OWN_TURN, thinks_of=1, limit=0.27),
    Level(_OWN_TURN, thinks_of=1, limit=0.20),
    Level(_OWN_TURN, thinks_of=3, limit=0.16),
    _STRONGEST,
)
"""From the weakest to the strongest."""
ON_LARGE: Sequence[Level] = (
    Level(_OWN_TURN, thinks_of=1, limit=0.50),
    Level(_OWN_TURN, thinks_of=1, limit=0.30),
    Level(_OWN_TURN, thinks_of=1, limit=0.20),
    Level(_OWN_TURN, thinks_of=3, limit=0.15),
    Level(_A_FEW_ANSWERS, thinks_of=3, limit=0.04),
    _STRONGEST,
)
"""From the weakest to the strongest."""
_WON = 1.0
"""Only a game that is over is worth this; no level passes a win by."""
_EVEN = 0.5
"""Before the first roll: Black's turn of one move makes up for being the first, and each wins half of the games.
The numbers of a board don't know that this turn is short."""
_ENDS = 3
"""Times as many ends of a turn come to mind as turns."""
_APPRAISING = Sight(turns=4000, boards=800, ahead=(Look(width=12, foes=Choice(turns=6, pairs=40, breadth=8)),))
_WORK = 40000
"""Boards of answers in a decision, times the side: about by that grows what each costs."""
_GLANCE = Sight(turns=100, boards=40)


def levels(size: int) -> Sequence[Level]:
    """The levels on a board of that size."""
    return ON_SMALL if size <= _SMALL else ON_LARGE


class DiabloMind:
    """The computer player of Diablo on a board of one size."""

    unit = "chance to win"

    def __init__(self, size: int, weights: Learned | None = None) -> None:
        self._size = size
        self._weights = learned() if weights is None else weights

    def choose(self, state: State[Any], level: int, rng: Random, stop: Stop) -> Worth:
        """The first action of the turn that a player of the level takes for the best."""
        position = _position(state)
        how = levels(self._size)[level - 1]
        valued = best_turns(position, self._bounded(how.sight), self._weights, stop)
        compared = [one for one in valued if one.depth == valued[0].depth]
        most = compared[0].value
        bearable = [one for one in compared if one.value >= (most if most == _WON else most - how.limit)]
        many = how.thinks_of if position.began is None else how.thinks_of * _ENDS
        thought_of = rng.sample(bearable, min(many, len(bearable)))
        return self._worth(max(thought_of, key=lambda one: one.value + rng.gauss(0, how.noise)))

    def appraise(self, state: State[Any], stop: Stop) -> Sequence[Worth]:
        """Every action with the value of the best turn that begins with it, the foremost by the foe's answers."""
        position = _position(state)
        sight = self._bounded(_APPRAISING)
        firsts = by_action(position, sight, self._weights, stop)
        valued = [self._worth(one) for one in answered(position, firsts, sight, self._weights, stop)]
        least = valued[-1].value
        known = {worth.action for worth in valued}
        return [*valued, *(Worth(action, least) for action in position.legal_actions() if action not in known)]

    def rate(self, state: State[Any], side: Side) -> float:
        """What the board is worth, or before the turn's end the best board that a glance finds."""
        position = _position(state)
        if position.to_act is not position.mover:
            if position.opening:
                return _EVEN
            mover = position.mover.other
            board = position.board
        else:
            mover = position.mover
            board = best_turns(position, _GLANCE, self._weights, never)[0].turn.board
        value = worth(board, SIGN[mover], self._size, self._weights.boards)
        return value if side is mover else 1 - value

    def explain(self, state: State[Any], worth: Worth) -> str:
        """What the action does and how safe its stack is then."""
        return explain(_position(state), worth)

    def _bounded(self, sight: Sight) -> Sight:
        """A sight with the work that a board of this size allows."""
        return replace(sight, most=_WORK // self._size)

    def _worth(self, one: Valued) -> Worth:
        line = () if one.turn.second is None else (one.turn.second.action(self._size),)
        return Worth(one.turn.first.action(self._size), one.value, line)


def _position(state: State[Any]) -> Diablo:
    """A mind is handed states of its own game only; anything else is our mistake."""
    if not isinstance(state, Diablo):
        raise TypeError(f"diablo: {type(state).__name__} is a state of another game")
    return state


def mind(game: Game[Any]) -> DiabloMind:
    """The computer player of Diablo on a game's board."""
    return DiabloMind(int(game.size))
