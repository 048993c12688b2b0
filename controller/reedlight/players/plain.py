"""A plain player of any game: it counts pieces, one turn ahead, over nothing but the game's public face.

It serves a game that has no mind of its own, and as a measure of those that have one. An action is worth
the difference in pieces after it; the most promising ones are followed by the side's next action, where
the turn goes on. Levels differ by how far off its counting is, and by how much it may give away by that.

It knows nothing of replies, of dice that have not fallen and of what a piece is good for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from reedlight.core.game import Game, Side, State, tally
from reedlight.players.player import Stop, Worth

WON = 1000.0
"""What a game won is worth; more than any number of pieces."""
_FOLLOWED = 12
"""Actions after which the side's next one is tried."""
_BATCH = 20
"""Actions between two questions whether to stop."""


@dataclass(frozen=True, slots=True)
class Level:
    """How a level errs, in pieces."""

    noise: float
    """Standard deviation of what is added to every count."""
    limit: float
    """The most it may give away by that."""


LEVELS: Sequence[Level] = (
    Level(3.0, 6.0),
    Level(2.0, 4.0),
    Level(1.2, 3.0),
    Level(0.7, 2.0),
    Level(0.3, 1.0),
    Level(0.0, 0.0),
)
"""From the weakest to the strongest."""


class PlainMind:
    """A player of one game by counting."""

    unit = "men"

    def __init__(self, game: Game[Any]) -> None:
        self._game = game

    def choose(self, state: State[Any], level: int, rng: Random, stop: Stop) -> Worth:
        """The action that seems to leave the most pieces; of equal ones any."""
        how = LEVELS[level - 1]
        found = self.appraise(state, stop)
        bearable = [worth for worth in found if worth.value >= found[0].value - how.limit]
        return max(bearable, key=lambda worth: (worth.value + rng.gauss(0, how.noise), rng.random()))

    def appraise(self, state: State[Any], stop: Stop) -> Sequence[Worth]:
        """Every action with the difference in pieces after it, or after the next one of the same turn."""
        side = _side(state)
        found: list[Worth] = []
        actions = state.legal_actions()
        for number, action in enumerate(actions):
            if number and number % _BATCH == 0 and stop():
                break
            found.append(Worth(action, self.rate(state.apply(action), side)))
        found.sort(key=_value, reverse=True)
        ahead = [self._followed(state, side, worth, stop) for worth in found[:_FOLLOWED]]
        unseen = [Worth(action, -WON) for action in actions[len(found) :]]
        return [*sorted([*ahead, *found[_FOLLOWED:]], key=_value, reverse=True), *unseen]

    def _followed(self, state: State[Any], side: Side, worth: Worth, stop: Stop) -> Worth:
        """The action with the best next one of the same turn, of those tried before told to stop."""
        after = state.apply(worth.action)
        best = worth
        for number, action in enumerate(after.legal_actions() if after.to_act is side else ()):
            if number % _BATCH == 0 and stop():
                break
            value = self.rate(after.apply(action), side)
            if number == 0 or value > best.value:
                best = Worth(worth.action, value, (action,))
        return best

    def rate(self, state: State[Any], side: Side) -> float:
        """How many more pieces the side has; a game that is over counts as won, lost or drawn."""
        if state.outcome is not None:
            winner = state.outcome.winner
            return 0.0 if winner is None else WON if winner is side else -WON
        counts = tally(state)
        return float(counts[side] - counts[side.other])

    def explain(self, state: State[Any], worth: Worth) -> str:
        """What the action does to the count."""
        side = _side(state)
        if len(state.legal_actions()) == 1:
            return "the only action"
        after = state.apply(worth.action)
        if after.outcome is not None and after.outcome.winner is side:
            return "wins the game"
        before, then = tally(state), tally(after)
        taken, given = before[side.other] - then[side.other], before[side] - then[side]
        if taken > 0:
            return f"takes {taken} from {self._game.sides[side.other]}"
        if given > 0:
            return f"gives up {given}"
        return f"leaves {then[side]} {self._game.unit} against {then[side.other]}"


def _side(state: State[Any]) -> Side:
    side = state.to_act
    if side is None or side is Side.CHANCE:
        raise ValueError("no player is to act here")
    return side


def _value(worth: Worth) -> float:
    return worth.value


def mind(game: Game[Any]) -> PlainMind:
    """The plain player of a game."""
    return PlainMind(game)
