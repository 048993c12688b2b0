"""What a computer player is: something that says what each action is worth, and chooses one.

A *mind* knows one game on one board. It is handed a state, a source of chance and a question to be asked
whether to stop, and has nothing of its own besides: the same state, level and chance give the same choice
on every machine, because a level is limited by the positions it looks at and not by the clock.

    state ──appraise──► what every action is worth, best first, and what should follow
      │   ──choose────► one of them, as a player of that level would
      │   ──rate──────► what the position itself is worth, at a glance; also before a roll
      └───explain─────► one true sentence on what an action is for

Worth is told to the side that acts, in the mind's ``unit``: ``men`` in draughts, ``chance to win`` from
0 to 1 in games with dice. Nothing here knows a clock, a thread or a file that changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, TypeVar

from reedlight.core.game import Side, State

LEVELS = ("First week", "Learner", "Casual", "Club", "Strong", "As strong as it can")
"""The six levels of every game, weakest first; a level is told by its number from 1."""

Stop = Callable[[], bool]
"""Asked at least every 10 ms while thinking; once it is true, the best answer so far is wanted at once."""

A = TypeVar("A")


def never() -> bool:
    """Think to the end."""
    return False


@dataclass(frozen=True, slots=True)
class Worth:
    """One action and what it is worth to the side that acts."""

    action: Any
    value: float
    line: tuple[Any, ...] = ()
    """What is expected to follow the action, by both sides, rolls left out; may be empty."""


class Mind(Protocol):
    """A computer player of one game on one board; never changed by being asked."""

    @property
    def unit(self) -> str:
        """What worth is counted in: ``men`` or ``chance to win``."""
        ...

    def choose(self, state: State[Any], level: int, rng: Random, stop: Stop) -> Worth:
        """What a player of the level (1 to 6) does in a state where a player is to act."""
        ...

    def appraise(self, state: State[Any], stop: Stop) -> Sequence[Worth]:
        """Every legal action, best first, each searched well enough to be compared with the best."""
        ...

    def rate(self, state: State[Any], side: Side) -> float:
        """What any state is worth to a side, within some milliseconds: also once over, and before a roll."""
        ...

    def explain(self, state: State[Any], worth: Worth) -> str:
        """What the action is for: one sentence of at most 70 characters that is true, without a full stop."""
        ...
