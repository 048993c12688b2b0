"""How a Diablo turn is chosen: every turn by its learned worth, the best ones by what the foe may answer.

    own turns ──worth──► the best few ──every roll──► the foe's most promising turns ──worth──► his best

The value of a board with answers is the mean over all rolls of one less the foe's best chance. It is
exact but for two things: the foe chooses among his most promising turns only, and worth is learned.
A board whose value can no longer reach the best one found is given up. How many boards are looked at is
in ``Sight``, and nothing else limits the search but the question whether to stop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import NamedTuple

from reedlight.games.diablo.rules import SIGN, Board, Diablo
from reedlight.players.diablo.turns import Fan, Step, Turn, distinct, endings
from reedlight.players.diablo.value import Weights, unordered, worth
from reedlight.players.player import Stop

_BATCH = 20
"""Turns or boards between two questions whether to stop: a few milliseconds."""

NEAR = 0.005
"""A value this near to the best is wanted exactly, for a player may choose among such."""


class Halted(Exception):
    """The search was told to stop before it had an answer."""


@dataclass(frozen=True, slots=True)
class Sight:
    """How many boards are looked at."""

    turns: int = 4000
    """Pairs of moves that are tried in a turn; with more the most promising."""
    boards: int = 1200
    """Boards, by promise, whose worth is asked."""
    width: int = 0
    """Boards, by worth, whose replies are looked at."""
    replies: int = 12
    """Turns of the foe, by promise, to each roll."""
    breadth: int = 8
    """Moves of either die that the foe's turns are made of."""
    most: int = 1 << 30
    """Boards at which the search ends, with what it has found."""


class Valued(NamedTuple):
    """A turn and the chance to win after it."""

    value: float
    turn: Turn
    depth: int = 0
    """How many turns of answers it has seen; only values of one depth can be compared."""


def turns_of(state: Diablo, sight: Sight) -> Iterator[Turn]:
    """The turns open in a state where a side is to act, or what may end the turn."""
    if state.began is not None or state.opening:
        return endings(state)
    fan = Fan(state.board, SIGN[state.mover], state.size)
    moves = max(1, *(len(fan.steps(die)) for die in state.left))
    enough = moves if moves * moves <= sight.turns else isqrt(sight.turns)
    return fan.turns(state.left, enough)


def until(stop: Stop, found: Iterable[Turn]) -> Iterator[Turn]:
    """The turns until told to stop, and one at least."""
    for number, turn in enumerate(found):
        if number and number % _BATCH == 1 and stop():
            return
        yield turn


def by_worth(state: Diablo, found: Iterable[Turn], weights: Weights, stop: Stop) -> list[Valued]:
    """The turns, each with the worth of its board, best first; one at least, the others until told to stop."""
    sign, size = SIGN[state.mover], state.size
    valued = [Valued(worth(turn.board, sign, size, weights), turn) for turn in until(stop, found)]
    valued.sort(key=_value, reverse=True)
    return valued


def _promise(turn: Turn) -> float:
    return turn.promise


def _value(one: Valued) -> float:
    return one.value


def best_turns(state: Diablo, sight: Sight, weights: Weights, stop: Stop) -> list[Valued]:
    """The turns of a state, best first: those with replies, then the others."""
    boards = distinct(until(stop, turns_of(state, sight)))[: sight.boards]
    valued = by_worth(state, boards, weights, stop)
    return deepened(state, valued, sight, weights, stop)


def deepened(state: Diablo, valued: Sequence[Valued], sight: Sight, weights: Weights, stop: Stop) -> list[Valued]:
    """The turns in the order of their values with answers, as far as there was time; then the others."""
    answers, sign = Answers(state.size, sight, weights, stop), SIGN[state.mover]
    looked: list[Valued] = []
    best = 0.0
    try:
        for one in valued[: sight.width]:
            value = answers.value(one.turn.board, sign, best - NEAR)
            best = max(best, value)
            looked.append(Valued(value, one.turn, 1))
    except Halted:
        pass
    looked.sort(key=_value, reverse=True)
    return [*looked, *valued[len(looked) :]]


class Answers:
    """What the foe may do after a turn, on a board of one size; counts the boards it has looked at."""

    def __init__(self, size: int, sight: Sight, weights: Weights, stop: Stop) -> None:
        self._size, self._sight, self._weights, self._stop = size, sight, weights, stop
        self._looked = 0

    def value(self, board: Board, sign: int, wanted: float = 0.0) -> float:
        """The chance of the side of the sign, which has just moved; or a bound on it, once it can't be ``wanted``.

        Raises Halted when told to stop or when enough boards have been looked at.
        """
        if not min(board) < 0 < max(board):
            return worth(board, sign, self._size, self._weights)
        fan = Fan(board, -sign, self._size)
        value, still_open = 0.0, 1.0
        for dice, odds in unordered(self._size // 2):
            if self._looked >= self._sight.most:
                raise Halted
            value += odds * (1 - self._best(fan, dice))
            still_open -= odds
            if value + still_open < wanted:
                return value + still_open
        return value

    def _best(self, fan: Fan, dice: tuple[int, int]) -> float:
        """The chance of the side that rolled, after the best of its most promising turns."""
        for die in dice:
            self._ask()
            fan.steps(die)
        found = distinct(self._asked(fan.turns(dice, self._sight.breadth, 0)))
        if len(found) < self._sight.replies:
            # Two empty moves make no turn, so where those promise most the others are wanted.
            found = distinct(self._asked(fan.turns(dice, self._sight.breadth)))
        boards = [turn.board for turn in found[: self._sight.replies]]
        self._looked += len(boards)
        return max(worth(board, fan.sign, self._size, self._weights) for board in boards)

    def _asked(self, found: Iterable[Turn]) -> Iterator[Turn]:
        for number, turn in enumerate(found):
            if number % _BATCH == 0:
                self._ask()
            yield turn

    def _ask(self) -> None:
        if self._stop():
            raise Halted


# ------------------------------------------------------------------------------------------ every action


def by_action(state: Diablo, sight: Sight, weights: Weights, stop: Stop) -> list[Valued]:
    """For each first action the best turn that begins with it, by the worth of its board, best first.

    Of the turns beyond ``boards`` only those are valued whose first action has none yet. When told to stop,
    the actions not yet valued are left out.
    """
    sign, size = SIGN[state.mover], state.size
    known: dict[Board, float] = {}
    best: dict[Step, Valued] = {}
    found = sorted(until(stop, turns_of(state, sight)), key=_promise, reverse=True)
    for number, turn in enumerate(found):
        if number % _BATCH == 1 and stop():
            break
        orders = [turn, turn.reversed()] if turn.either else [turn]
        if len(known) >= sight.boards and all(order.first in best for order in orders):
            continue
        value = known.get(turn.board)
        if value is None:
            value = known[turn.board] = worth(turn.board, sign, size, weights)
        for order in orders:
            if order.first not in best or value > best[order.first].value:
                best[order.first] = Valued(value, order)
    return sorted(best.values(), key=_value, reverse=True)


def answered(state: Diablo, firsts: Sequence[Valued], sight: Sight, weights: Weights, stop: Stop) -> list[Valued]:
    """The best turns of the first actions, the foremost by the foe's answers and the others made comparable.

    A board alone is valued more hopefully than with answers; so the others are lowered by as much as the
    answers lowered the foremost on average, and to the least of them at least.
    """
    answers = Answers(state.size, sight, weights, stop)
    known: dict[Board, float] = {}
    searched: list[Valued] = []
    try:
        for one in firsts[: sight.width]:
            board = one.turn.board
            if board not in known:
                known[board] = answers.value(board, SIGN[state.mover])
            searched.append(Valued(known[board], one.turn, 1))
    except Halted:
        pass
    if not searched:
        return list(firsts)
    count = len(searched)
    lowered = sum(one.value - after.value for one, after in zip(firsts[:count], searched, strict=True)) / count
    least = min(one.value for one in searched)
    others = [Valued(min(least, max(0.0, one.value - lowered)), one.turn) for one in firsts[count:]]
    return sorted([*searched, *others], key=_value, reverse=True)
