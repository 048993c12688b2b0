"""How a Diablo turn is chosen: every turn by its learned worth, the best ones by what the foe may answer.

    own turns ──worth──► the best few ──every roll──► the foe's best answer
                                                      │ worth, or of the best of those few
                                                      └──every roll──► the own best answer to that ──worth

The value of a board with answers is the mean over all rolls of one less the foe's best chance. It is
exact but for two things: a side chooses among its most promising turns only, and worth is learned. A turn
promises what its moves change in the worth of the board, each by itself: some hundred moves a board say which few
of its thousands of turns are looked at. What they promise is looked at once, on the board of the decision; an
answer or two later only the moves that touch a changed cell are looked at again. The others may promise too much
or too little by then, which costs a few turns more in a choice and not the best one.

A board whose value can no longer be wanted is given up. How many boards are looked at is in ``Sight``, and nothing
else limits the search but the question whether to stop.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import NamedTuple, TypeVar

from reedlight.games.diablo.rules import SIGN, ActionKind, Board, Diablo, moved
from reedlight.players.diablo.turns import Brought, Fan, Plan, Step, Turn, distinct, endings
from reedlight.players.diablo.value import MOST, Learned, Weights, chance, looks, unordered, worth
from reedlight.players.player import Stop

T = TypeVar("T")

_BATCH = 20
"""Turns or boards between two questions whether to stop: a few milliseconds."""

NEAR = 0.005
"""A value this near to the best is wanted exactly, for a player may choose among such."""

_CHECKER = 1.2
"""What one checker taken changes in how a board looks, about; for a move that must wait for another."""

_FOLLOWED = 24
"""Moves of either die, by promise, that are followed up in the own turn however it goes on."""


class Halted(Exception):
    """The search was told to stop before it had an answer."""


class Choice(NamedTuple):
    """Among how many turns a side chooses its answer to a roll."""

    turns: int
    """Turns, by promise, whose worth is asked."""
    pairs: int
    """Pairs of moves, by promise, that these are chosen from, or a few times as many."""
    breadth: int
    """Moves of either die, by promise, that are followed up however the turn goes on."""


class Look(NamedTuple):
    """One look at what may follow the foremost turns."""

    width: int
    """Turns, by what was seen of them before, that are looked at."""
    foes: Choice
    """What the foe chooses his answers from."""
    own: Choice | None = None
    """What the own answers to those are chosen from; none where they are not looked at."""
    until: float = 1.0
    """The part of all work after which the look ends."""


@dataclass(frozen=True, slots=True)
class Sight:
    """How many boards are looked at."""

    turns: int = 4000
    """Pairs of moves that are tried in a turn; with more the most promising."""
    boards: int = 1200
    """Boards, by promise, whose worth is asked."""
    ahead: tuple[Look, ...] = ()
    """The looks ahead, each at fewer turns than the one before and at more of what may follow."""
    most: int = 1 << 30
    """Boards in all looks ahead; after so many they end with what they have found."""


class Valued(NamedTuple):
    """A turn and the chance to win after it."""

    value: float
    turn: Turn
    depth: int = 0
    """How many looks ahead it has seen; only values of one depth can be compared."""


def turns_of(state: Diablo, sight: Sight) -> Iterator[Plan]:
    """The turns open in a state where a side is to act, or what may end the turn."""
    if state.began is not None or state.opening:
        return endings(state)
    fan = Fan(state.board, SIGN[state.mover], state.size)
    moves = max(1, *(len(fan.steps(die)) for die in state.left))
    enough = moves if moves * moves <= sight.turns else isqrt(sight.turns)
    return fan.turns(state.left, enough)


def until(stop: Stop, found: Iterable[T]) -> Iterator[T]:
    """What is found until told to stop, and one at least."""
    for number, one in enumerate(found):
        if number and number % _BATCH == 1 and stop():
            return
        yield one


def by_worth(state: Diablo, found: Iterable[Turn], weights: Weights, stop: Stop) -> list[Valued]:
    """The turns, each with the worth of its board, best first; one at least, the others until told to stop."""
    sign, size = SIGN[state.mover], state.size
    valued = [Valued(worth(turn.board, sign, size, weights), turn) for turn in until(stop, found)]
    valued.sort(key=_value, reverse=True)
    return valued


def _promise(plan: Plan) -> float:
    return plan.promise


def _value(one: Valued) -> float:
    return one.value


def best_turns(state: Diablo, sight: Sight, weights: Learned, stop: Stop) -> list[Valued]:
    """The turns of a state, best first: those that were looked at most often, then the others."""
    answers, sign = Answers(state.board, state.size, sight.most, weights.boards, stop), SIGN[state.mover]
    turns = distinct(state.board, until(stop, promising(state, sight, answers)), sight.boards)
    valued = by_worth(state, turns, weights.turns, stop)
    needed = [look.width for look in sight.ahead[1:]]
    for look, exact in zip(sight.ahead, (*needed, 1), strict=False):
        valued = looked_at(valued, look, exact, sign, answers)
    return valued


def promising(state: Diablo, sight: Sight, answers: Answers) -> Iterator[Plan]:
    """The turns that may be the best; without a look at answers there is no time for more than a cheap guess."""
    if not sight.ahead or state.began is not None or state.opening:
        return turns_of(state, sight)
    try:
        return answers.first(SIGN[state.mover]).foremost(state.left, sight.boards, _FOLLOWED)
    except Halted:
        return turns_of(state, sight)


def looked_at(valued: Sequence[Valued], look: Look, exact: int, sign: int, answers: Answers) -> list[Valued]:
    """The foremost turns in the order of their values after one look more, as far as there was time.

    The others follow as they were. So many of the best have their exact values.
    """
    depth = valued[0].depth + 1
    looked: list[Valued] = []
    try:
        for one in valued[: look.width]:
            if one.depth < depth - 1:
                break
            wanted = looked[exact - 1].value - NEAR if len(looked) >= exact else 0.0
            insort(looked, Valued(answers.value(one.turn.board, sign, look, wanted), one.turn, depth), key=_below)
    except Halted:
        pass
    return [*looked, *valued[len(looked) :]]


def _below(one: Valued) -> float:
    return -one.value


class Answers:
    """What may follow a turn from one board; counts the boards it has looked at."""

    def __init__(self, board: Board, size: int, most: int, weights: Weights, stop: Stop) -> None:
        self._board, self._size, self._weights, self._stop = board, size, weights, stop
        self._looked, self._most, self._until = 0, most, most
        self._first: dict[int, Fan] = {}

    def value(self, board: Board, sign: int, look: Look, wanted: float = 0.0) -> float:
        """The chance of the side of the sign, which has just moved; or a bound on it, once it can't be ``wanted``.

        Looked at are the foe's best answer to every roll, and the best one to that where the look goes so far.
        Raises Halted when told to stop or when enough boards have been looked at.
        """
        if not min(board) < 0 < max(board):
            return chance(self._looks(board, sign))
        self._until = int(self._most * look.until)
        foe, own = (self._fan(board, side, self.first(side)) for side in (-sign, sign))
        value, still_open = 0.0, 1.0
        for dice, odds in unordered(self._size // 2):
            total, after = self._best(foe, dice, look.foes)
            value += odds * (1 - chance(total) if look.own is None else self._answered(after, own, look.own))
            still_open -= odds
            if value + still_open < wanted:
                return value + still_open
        return min(value, MOST)

    def first(self, sign: int) -> Fan:
        """The moves of the side of the sign on the board that all turns begin from."""
        known = self._first.get(sign)
        if known is None:
            known = self._first[sign] = self._fan(self._board, sign)
            for die in range(1, self._size // 2 + 1):
                known.steps(die)
        return known

    def _answered(self, board: Board, near: Fan, choice: Choice) -> float:
        """The chance of the side of the fan by its best answer to every roll."""
        sign = near.sign
        if not min(board) < 0 < max(board):
            return chance(self._looks(board, sign))
        fan = self._fan(board, sign, near)
        return sum(odds * chance(self._best(fan, dice, choice)[0]) for dice, odds in unordered(self._size // 2))

    def _best(self, fan: Fan, dice: tuple[int, int], choice: Choice) -> tuple[float, Board]:
        """How the board looks after the best of the most promising turns of the side that rolled, and the board."""
        self._ask()
        turns = distinct(fan.board, fan.foremost(dice, choice.pairs, choice.breadth), choice.turns)
        return max((self._looks(turn.board, fan.sign), turn.board) for turn in turns)

    def _fan(self, board: Board, sign: int, near: Fan | None = None) -> Fan:
        """The side's moves, each promising what it changes by itself."""
        before = self._looks(board, sign)

        def promise(_kind: ActionKind, origin: int, target: int) -> float:
            return self._looks(moved(board, origin, target), sign) - before

        return Fan(board, sign, self._size, Brought(promise, _CHECKER, near))

    def _looks(self, board: Board, sign: int) -> float:
        self._looked += 1
        if self._looked % _BATCH == 0:
            self._ask()
        return looks(board, sign, self._size, self._weights)

    def _ask(self) -> None:
        if self._looked >= self._until or self._stop():
            raise Halted


# ------------------------------------------------------------------------------------------ every action


def by_action(state: Diablo, sight: Sight, weights: Learned, stop: Stop) -> list[Valued]:
    """For each first action the best turn that begins with it, by the worth of its board, best first.

    Of the turns beyond ``boards`` only those are valued whose first action has none yet. When told to stop,
    the actions not yet valued are left out.
    """
    sign, size = SIGN[state.mover], state.size
    known: dict[Board, float] = {}
    best: dict[Step, Valued] = {}
    found = sorted(until(stop, turns_of(state, sight)), key=_promise, reverse=True)
    for number, plan in enumerate(found):
        if number % _BATCH == 1 and stop():
            break
        turn = plan.turn(state.board)
        orders = [turn, turn.reversed()] if turn.either else [turn]
        if len(known) >= sight.boards and all(order.first in best for order in orders):
            continue
        value = known.get(turn.board)
        if value is None:
            value = known[turn.board] = worth(turn.board, sign, size, weights.turns)
        for order in orders:
            if order.first not in best or value > best[order.first].value:
                best[order.first] = Valued(value, order)
    return sorted(best.values(), key=_value, reverse=True)


def answered(state: Diablo, firsts: Sequence[Valued], sight: Sight, weights: Learned, stop: Stop) -> list[Valued]:
    """The best turns of the first actions, the foremost by the foe's answers and the others made comparable.

    A board alone is valued more hopefully than with answers; so the others are lowered by as much as the
    answers lowered the foremost on average, and to the least of them at least.
    """
    answers, (look,) = Answers(state.board, state.size, sight.most, weights.boards, stop), sight.ahead
    known: dict[Board, float] = {}
    searched: list[Valued] = []
    try:
        for one in firsts[: look.width]:
            board = one.turn.board
            if board not in known:
                known[board] = answers.value(board, SIGN[state.mover], look)
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
