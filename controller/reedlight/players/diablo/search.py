"""How a Diablo turn is chosen: every turn by its learned worth, the best ones by what the foe may answer.

    own turns ──worth──► the best few ──every roll──► the foe's best answer
                                                      │ worth, or of the best of those few
                                                      └──every roll──► the own best answer to that ──worth

The value of a board with answers is the mean over all rolls of one less the foe's best chance. It is
exact but for two things: a side chooses among its most promising turns only, and worth is learned. A turn
promises what its moves change in the worth of the board, each by itself: some sixty moves a board say which few
of its thousands of turns are looked at. Where that is too much, as on a large board, answers to answers are looked
at for a few rolls only, with the guess of ``turns``; it errs, but by about as much whatever the own turn was.

A board whose value can no longer be wanted is given up. How many boards are looked at is in ``Sight``, and nothing
else limits the search but the question whether to stop.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import isqrt
from typing import NamedTuple

from reedlight.games.diablo.rules import SIGN, ActionKind, Board, Diablo, moved
from reedlight.players.diablo.turns import Fan, Step, Turn, distinct, endings
from reedlight.players.diablo.value import Learned, Weights, chance, looks, unordered, worth
from reedlight.players.player import Stop

_BATCH = 20
"""Turns or boards between two questions whether to stop: a few milliseconds."""

NEAR = 0.005
"""A value this near to the best is wanted exactly, for a player may choose among such."""

_CHECKER = 1.2
"""What one checker taken changes in how a board looks, about; for a move that must wait for another."""

_FOLLOWED = 24
"""Moves of either die, by promise, that are followed up in the own turn however it goes on."""

_GUESSED = 30
"""Boards that could be looked at while the moves of a board are guessed at."""


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
    again: int = 0
    """Of those, by what the foe may reply, the boards where his best replies are answered too."""
    replies: int = 20
    """Turns, by promise, that answer a roll."""
    glance: int = 0
    """Turns, by a cheap guess, that answer an answer, and only to a few rolls; none for a look as at any answer."""
    pairs: int = 40
    """Pairs of moves, by promise, that these are chosen from, or a few times as many."""
    breadth: int = 8
    """Moves of either die, by promise, that are followed up however the turn goes on."""
    most: int = 1 << 30
    """Boards at which the search ends, with what it has found; a third is kept for answers to answers."""


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


def best_turns(state: Diablo, sight: Sight, weights: Learned, stop: Stop) -> list[Valued]:
    """The turns of a state, best first: those with most turns of answers, then the others."""
    boards = distinct(promising(state, sight, weights.turns, stop))[: sight.boards]
    valued = by_worth(state, boards, weights.turns, stop)
    answers, sign = Answers(state.size, sight, weights.boards, stop), SIGN[state.mover]
    answers.most = 2 * sight.most // 3 if sight.again else sight.most
    once = deepened(valued, sight.width, max(1, sight.again), sign, answers)
    answers.most = sight.most
    return deepened(once, sight.again, 1, sign, answers)


def promising(state: Diablo, sight: Sight, weights: Weights, stop: Stop) -> Iterator[Turn]:
    """The turns that may be the best; without a look at replies there is no time for more than a cheap guess."""
    if not sight.width or state.began is not None or state.opening:
        return until(stop, turns_of(state, sight))
    try:
        fan = Answers(state.size, sight, weights, stop).fan(state.board, SIGN[state.mover], state.left)
    except Halted:
        return until(stop, turns_of(state, sight))
    return until(stop, fan.foremost(state.left, sight.boards, _FOLLOWED))


def deepened(valued: Sequence[Valued], width: int, exact: int, sign: int, answers: Answers) -> list[Valued]:
    """The foremost turns in the order of their values with one turn of answers more, as far as there was time.

    The others follow as they were. So many of the best have their exact values.
    """
    depth = valued[0].depth + 1
    looked: list[Valued] = []
    try:
        for one in valued[:width]:
            if one.depth < depth - 1:
                break
            wanted = looked[exact - 1].value - NEAR if len(looked) >= exact else 0.0
            insort(looked, Valued(answers.value(one.turn.board, sign, wanted, depth), one.turn, depth), key=_below)
    except Halted:
        pass
    return [*looked, *valued[len(looked) :]]


def _below(one: Valued) -> float:
    return -one.value


class Reply(NamedTuple):
    """The board after the best answer to a roll."""

    board: Board
    total: float
    """How it looks to the side that has answered."""
    odds: float
    """The chance of the roll."""


@cache
def every_die(faces: int) -> tuple[tuple[int, int], ...]:
    """A few rolls that have every die once, or nearly so."""
    return tuple((die, die % faces + 1) for die in range(1, faces + 1, 2))


class Answers:
    """What may follow a turn, on a board of one size; counts the boards it has looked at."""

    def __init__(self, size: int, sight: Sight, weights: Weights, stop: Stop) -> None:
        self._size, self._sight, self._weights, self._stop = size, sight, weights, stop
        self._looked, self.most = 0, sight.most
        self._known: dict[tuple[Board, int], list[Reply]] = {}

    def value(self, board: Board, sign: int, wanted: float = 0.0, depth: int = 1) -> float:
        """The chance of the side of the sign, which has just moved; or a bound on it, once it can't be ``wanted``.

        So many turns of answers are looked at: the best one to every roll, and the best one to that.
        Raises Halted when told to stop or when enough boards have been looked at.
        """
        if not min(board) < 0 < max(board):
            return chance(self._looks(board, sign))
        value, still_open = 0.0, 1.0
        met: list[Reply] = []
        for reply in self._known.get((board, sign)) or self._replies(board, -sign):
            after, total, odds = reply
            value += odds * (1 - (chance(total) if depth == 1 else self._again(after, -sign)))
            still_open -= odds
            if value + still_open < wanted:
                return value + still_open
            met.append(reply)
        self._known[board, sign] = met
        return value

    def _replies(self, board: Board, sign: int) -> Iterator[Reply]:
        """The best answer of the side of the sign to every roll."""
        fan = self.fan(board, sign, range(1, self._size // 2 + 1))
        for dice, odds in unordered(self._size // 2):
            yield Reply(*self._best(fan, dice, self._sight.replies), odds)

    def _again(self, board: Board, sign: int) -> float:
        """The chance of the side of the sign, which has answered, by the best answers to that."""
        if not self._sight.glance or not min(board) < 0 < max(board):
            return self.value(board, sign)
        self._looked += _GUESSED
        fan, rolls = Fan(board, -sign, self._size), every_die(self._size // 2)
        return sum(1 - chance(self._best(fan, dice, self._sight.glance)[1]) for dice in rolls) / len(rolls)

    def _best(self, fan: Fan, dice: tuple[int, int], replies: int) -> tuple[Board, float]:
        """The board after the best of the most promising turns of the side that rolled, and how it looks."""
        sight, sign = self._sight, fan.sign
        found = distinct(self._asked(fan.foremost(dice, sight.pairs, sight.breadth)))
        looked = [(self._looks(turn.board, sign), turn.board) for turn in found[:replies]]
        total, board = max(looked)
        return board, total

    def fan(self, board: Board, sign: int, dice: Iterable[int]) -> Fan:
        """The moves with these dice, each promising what it changes by itself."""
        before = self._looks(board, sign)

        def promise(_kind: ActionKind, origin: int, target: int) -> float:
            return self._looks(moved(board, origin, target), sign) - before

        fan = Fan(board, sign, self._size, promise, _CHECKER)
        for die in dice:
            fan.steps(die)
        return fan

    def _looks(self, board: Board, sign: int) -> float:
        self._looked += 1
        if self._looked % _BATCH == 0:
            self._ask()
        return looks(board, sign, self._size, self._weights)

    def _asked(self, found: Iterable[Turn]) -> Iterator[Turn]:
        for number, turn in enumerate(found):
            if number % _BATCH == 0:
                self._ask()
            yield turn

    def _ask(self) -> None:
        if self._looked >= self.most or self._stop():
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
    for number, turn in enumerate(found):
        if number % _BATCH == 1 and stop():
            break
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
    answers = Answers(state.size, sight, weights.boards, stop)
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
