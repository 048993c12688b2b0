"""Whole turns of Diablo: both actions at once, each resulting board with the actions that lead to it.

A turn is mostly two moves that have nothing to do with each other, and then their order does not matter;
so the moves of either die are found once and paired. Only actions that share a cell depend on their order:
for those the second move is looked for again after the first, among the few that touch a cell it changed.
All moves come from ``rules.moves``; what this module knows itself is how a turn is put together (D13-D19).

Moves are tried by *promise*, which says what turns may be left out when there are thousands; two moves promise
what each does by itself. Whoever can tell what a board is worth brings a guess. Else it is one that costs little:
the checkers that a move takes, and how much less of the own side single dice can take after it. On a board a turn
or two later most moves are still what they were: only those that touch a changed cell are guessed at again.

So a turn is a ``Plan`` first. Its board is made only for the few whose promise is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, islice
from types import MappingProxyType
from typing import NamedTuple

from reedlight.games.diablo.rules import (
    SIGN,
    Action,
    ActionKind,
    Board,
    Diablo,
    Move,
    Remove,
    cells,
    landings,
    moved,
    moves,
    removed,
)
from reedlight.players.diablo.value import heights, lines, tallest

_ONTO = frozenset((ActionKind.MERGE, ActionKind.CAPTURE))
_ANY = _ONTO | {ActionKind.EMPTY}
_OPEN: Mapping[ActionKind | None, frozenset[ActionKind]] = MappingProxyType(
    {
        None: _ANY,
        ActionKind.EMPTY: _ONTO,
        ActionKind.MERGE: _ANY,
        ActionKind.CAPTURE: _ANY,
        ActionKind.REMOVE: frozenset(),
    }
)
"""The moves open to an action, by what the turn began with."""
_EXPOSURE = 0.8
"""Checkers that one checker in reach of every die is thought to cost; the foe may want his dice elsewhere."""

Reach = Mapping[int, tuple[int, ...]]
Guess = Callable[[ActionKind, int, int], float]
"""The promise of a move, from its kind, origin and target."""


class Step(NamedTuple):
    """One action on the compact board; a removal has no die, and its cell as origin and target."""

    promise: float
    kind: ActionKind
    die: int
    origin: int
    target: int

    def action(self, size: int) -> Action:
        """The action as the game knows it."""
        name = cells(size)
        if self.kind is ActionKind.REMOVE:
            return Remove(name[self.origin])
        return Move(self.die, name[self.origin], name[self.target], self.kind)

    def apply(self, board: Board) -> Board:
        """The board after the action."""
        return removed(board, self.origin) if self.kind is ActionKind.REMOVE else moved(board, self.origin, self.target)


class Plan(NamedTuple):
    """One way through a turn, or through what is left of it."""

    promise: float
    first: Step
    second: Step | None = None
    """None when one action ends the turn."""
    either: bool = False
    """Whether the two actions may also be made the other way round."""

    def turn(self, board: Board) -> Turn:
        """The plan carried out."""
        after = self.first.apply(board)
        return Turn(after if self.second is None else self.second.apply(after), self.first, self.second, self.either)


class Turn(NamedTuple):
    """A turn, or what was left of it, and what has come of it."""

    board: Board
    """The board it ends with."""
    first: Step
    second: Step | None = None
    """None when one action ends the turn."""
    either: bool = False
    """Whether the two actions may also be made the other way round."""

    def reversed(self) -> Turn:
        """The same turn with its second action first; itself when it has only one."""
        return self if self.second is None else Turn(self.board, self.second, self.first, self.either)


class Brought(NamedTuple):
    """What is brought to a fan of moves."""

    guess: Guess
    """What a move promises."""
    checker: float = 1.0
    """What one checker taken is in such promises."""
    near: Fan | None = None
    """The same side's fan of a board that differs in a few cells: what its other moves promise is taken over."""


class Fan:
    """The moves of every die on one board for the side of the sign, found once for all rolls."""

    __slots__ = ("_changed", "_checker", "_foes", "_guess", "_near", "_steps", "board", "sign", "size")

    def __init__(self, board: Board, sign: int, size: int, brought: Brought | None = None) -> None:
        """Without a guess that is brought, the moves promise what costs little to tell."""
        brought = brought or Brought(_guess(board, sign, size))
        self.board, self.sign, self.size = board, sign, size
        self._guess, self._checker, self._near = brought
        self._changed = frozenset[int]() if self._near is None else _different(board, self._near.board)
        self._foes = sum(height * sign < 0 for height in board)
        self._steps: dict[int, list[Step]] = {}

    def steps(self, die: int) -> list[Step]:
        """Every move with a die, the most promising first."""
        known = self._steps.get(die)
        if known is None:
            known = self._steps[die] = self._found(die)
        return known

    def _found(self, die: int) -> list[Step]:
        board, sign, reach, changed = self.board, self.sign, landings(self.size)[die], self._changed
        if self._near is None:
            return _steps(moves(board, sign, reach, _ANY), die, self._guess)
        found = [step for step in self._near.steps(die) if step.origin not in changed and step.target not in changed]
        found += _steps(moves(board, sign, _touching(reach, changed), _ANY), die, self._guess)
        found.sort(key=_by_promise, reverse=True)
        return found

    def turns(self, dice: tuple[int, ...], breadth: int) -> Iterator[Plan]:
        """The turns made of the most promising moves of either die, the same board more than once.

        Every board that some turn leads to is among them when ``breadth`` is not less than the moves of a die.
        With less, a move left out still begins or ends a turn: with its most promising partner.
        """
        ahead, behind = self.steps(min(dice)), self.steps(max(dice))
        return self._turns(ahead, behind, _independent(ahead, behind, breadth), dice, breadth)

    def foremost(self, dice: tuple[int, ...], pairs: int, breadth: int) -> Iterator[Plan]:
        """The most promising pairs of moves, and what depends on the most promising moves; any turn, if these are none.

        A move beyond ``breadth`` is followed up only where its stack takes another with the second die: that its
        own promise doesn't tell.
        """
        ahead, behind = self.steps(min(dice)), self.steps(max(dice))
        found = chain(
            self._turns(ahead, behind, _likely(ahead, behind, pairs), dice, breadth),
            self._chasing(ahead[breadth:], max(dice)),
            self._chasing(behind[breadth:] if ahead is not behind else [], min(dice)),
        )
        one = next(found, None)
        return self.turns(dice, len(ahead) + len(behind)) if one is None else chain((one,), found)

    def _turns(
        self, ahead: list[Step], behind: list[Step], pairs: Iterator[Plan], dice: tuple[int, ...], breadth: int
    ) -> Iterator[Plan]:
        """The pairs, and the turns whose second action depends on the first; or what there is without a move."""
        if not ahead and not behind:
            yield from _removals_only(self.board, self.sign)
            return
        yield from map(_ending_in_the_capture, pairs) if self._foes == 1 else pairs
        for step in ahead[:breadth]:
            yield from self._following(step, max(dice))
        if ahead is not behind:
            for step in behind[:breadth]:
                yield from self._following(step, min(dice))

    def _following(self, one: Step, die: int) -> Iterator[Plan]:
        """The turns in which the second action depends on the first; or the first wins, or leaves only removals."""
        board, sign, size = self.board, self.sign, self.size
        promise, kind, _, origin, target = one
        if kind is ActionKind.CAPTURE and self._foes == 1:
            yield Plan(promise, one)
            return
        after = moved(board, origin, target)
        open_kinds = _OPEN[kind]
        found = False
        for other_kind, start, end in moves(after, sign, _touching_move(size, die, origin, target), open_kinds):
            found = True
            also = -after[end] * sign * self._checker if other_kind is ActionKind.CAPTURE else 0
            yield Plan(promise + also, one, Step(also, other_kind, die, start, end))
        if not found and next(iter(moves(after, sign, landings(size)[die], open_kinds)), None) is None:
            for step in _removals(after, sign):
                yield Plan(promise - self._checker, one, step)

    def _chasing(self, steps: list[Step], die: int) -> Iterator[Plan]:
        """The turns in which the stack of a move takes another with the second die."""
        board, sign, reach = self.board, self.sign, landings(self.size)[die]
        for step in steps:
            promise, kind, _, origin, target = step
            height = (board[origin] + (board[target] if kind is ActionKind.MERGE else 0)) * sign
            for end in reach[target]:
                if -height <= (there := board[end] * sign) < 0:
                    also = -there * self._checker
                    yield Plan(promise + also, step, Step(also, ActionKind.CAPTURE, die, target, end))


def endings(state: Diablo) -> Iterator[Plan]:
    """What may end a turn of which one action is left: the second, or the only one of Black's first turn."""
    board, sign, size = state.board, SIGN[state.mover], state.size
    guess = _guess(board, sign, size)
    kinds = _OPEN[state.began]
    dice = dict.fromkeys(state.left)
    found = [step for die in dice for step in _steps(moves(board, sign, landings(size)[die], kinds), die, guess)]
    for step in found or _removals(board, sign):
        yield Plan(step.promise, step)


def distinct(board: Board, found: Iterable[Plan], most: int = 1 << 30) -> list[Turn]:
    """One turn to each board that the plans lead to, the most promising first, and no more than so many."""
    turns: dict[Board, Turn] = {}
    for plan in sorted(found, key=_by_promise, reverse=True):
        turn = plan.turn(board)
        turns.setdefault(turn.board, turn)
        if len(turns) == most:
            break
    return list(turns.values())


def _by_promise(one: Plan | Step) -> float:
    return one[0]


def _different(board: Board, other: Board) -> frozenset[int]:
    """The cells in which two boards differ."""
    return frozenset([at for at, (now, then) in enumerate(zip(board, other, strict=True)) if now != then])


# ------------------------------------------------------------------------------------------- one move each


def _guess(board: Board, sign: int, size: int) -> Guess:
    """Promise as the board stands: a stack's risk is its checkers by the share of dice that take it."""
    board_lines = lines(size)
    black, green = heights(board, tallest(board), board_lines.bits)
    foe = green if sign > 0 else black
    share = _EXPOSURE / len(board_lines.steps)
    reaches: dict[int, list[int]] = {}
    known: dict[tuple[int, int], float] = {}

    def reach(height: int) -> list[int]:
        found = reaches.get(height)
        if found is None:
            able = 0
            for tall, where, _ in foe:
                if tall >= height:
                    able |= where
            found = reaches[height] = board_lines.reach(able) if able else []
        return found

    def risk(height: int, at: int) -> float:
        found = known.get((height, at))
        if found is None:
            found = known[height, at] = height * share * sum(hit >> at & 1 for hit in reach(height))
        return found

    def promise(kind: ActionKind, origin: int, target: int) -> float:
        height = board[origin] * sign
        there = board[target] * sign
        if kind is ActionKind.MERGE:
            return risk(height, origin) + risk(there, target) - risk(height + there, target)
        gain = -there if kind is ActionKind.CAPTURE else 0
        return gain + risk(height, origin) - risk(height, target)

    return promise


def _steps(found: Iterable[tuple[ActionKind, int, int]], die: int, guess: Guess) -> list[Step]:
    """The moves found for a die, the most promising first."""
    steps = [Step(guess(kind, origin, target), kind, die, origin, target) for kind, origin, target in found]
    steps.sort(key=_by_promise, reverse=True)
    return steps


def _removals(board: Board, sign: int) -> Iterator[Step]:
    return (Step(-1.0, ActionKind.REMOVE, 0, at, at) for at, height in enumerate(board) if height * sign > 0)


# ---------------------------------------------------------------------------------------------- both moves


def _independent(ahead: list[Step], behind: list[Step], breadth: int) -> Iterator[Plan]:
    """Pairs of moves that share no cell; of a double each pair once."""
    double = ahead is behind
    for at, one in enumerate(ahead[:breadth]):
        yield from _pairs(one, behind[at + 1 if double else 0 : breadth])
    for one in ahead[breadth:]:
        yield from islice(_pairs(one, behind), 1)
    if not double:
        for one in behind[breadth:]:
            yield from islice(_pairs(one, ahead), 1)


def _likely(ahead: list[Step], behind: list[Step], pairs: int) -> Iterator[Plan]:
    """Of such pairs those that fewer than so many are better than in both moves, whether these are pairs or not."""
    double = ahead is behind
    for at, one in enumerate(ahead[:pairs]):
        yield from _pairs(one, behind[at + 1 if double else 0 : pairs // (at + 1)])


def _pairs(one: Step, partners: list[Step]) -> Iterator[Plan]:
    """The move with each of the others that it may go with."""
    promise, kind, _, origin, target = one
    empty = ActionKind.EMPTY if kind is ActionKind.EMPTY else None
    changed = origin, target
    for other in partners:
        also, other_kind, _, start, end = other
        if other_kind is empty or start in changed or end in changed:
            continue
        yield Plan(promise + also, one, other, either=True)


def _ending_in_the_capture(plan: Plan) -> Plan:
    """Where the foe has one stack, taking it ends the game: it can only be the second of two actions (D19)."""
    promise, first, second, _ = plan
    if second is not None and _takes(first):
        first, second = second, first
    return Plan(promise, first, second, either=not _takes(second))


def _takes(step: Step | None) -> bool:
    return step is not None and step.kind is ActionKind.CAPTURE


def _removals_only(board: Board, sign: int) -> Iterator[Plan]:
    """Two checkers go, or the last one (D14, D19)."""
    for one in _removals(board, sign):
        rest = list(_removals(removed(board, one.origin), sign))
        if not rest:
            yield Plan(-1.0, one)
        for other in rest:
            yield Plan(-2.0, one, other)


@lru_cache(maxsize=1 << 15)
def _touching_move(size: int, die: int, origin: int, target: int) -> Reach:
    """The part of a die's landings that starts or ends in one of a move's two cells."""
    return _touching(landings(size)[die], (origin, target))


def _touching(reach: Reach, changed: Collection[int]) -> Reach:
    """The part of a reach that starts or ends in one of the cells."""
    found: dict[int, tuple[int, ...]] = {}
    for cell in changed:
        for start in reach[cell]:
            found[start] = (*found.get(start, ()), cell)
    for cell in changed:
        found[cell] = reach[cell]
    return found
