"""The rules of Diablo (Mark Steere, 2022) on a compact board, and the immutable state built on it.

A board is a tuple of signed heights, cell (file, rank) at ``rank * size + file``: +3 is a black stack
of three, -2 a green one of two, 0 an unoccupied cell. Everything the rules say about moves is in
``moves``, ``moved`` and ``removed``, which know a board, a side's sign, a die's landing cells and the
kinds of move that are open. A turn is this table, read with the kind of its first action (D12-D17):

    turn began with    kinds open to the next action    none of these is possible
    nothing yet        empty, merge, capture            remove, and remove again
    empty              merge, capture                   remove
    merge, capture     empty, merge, capture            remove
    remove             none                             remove

Three facts keep it small. Both targets of a die, one along the row and one along the column, always
lie on the board, so Black can always make the one move of his first turn. A removal never opens a
move. And stacks plus checkers fall with every turn, so the starting position never comes again and
"Black's first turn" can be read off the board.

Numbers in brackets are those of README.md. How a position or an action is written is in ``text`` and
what a person is told in ``words``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache
from itertools import compress
from operator import neg
from types import MappingProxyType

from reedlight.core.game import Correction, Declaration, Die, IllegalAction, Kind, Outcome, Piece, Roll, Side
from reedlight.core.grid import Cell, Cells, square
from reedlight.core.trace import Trace, carry, lift, onto, unseen

Board = tuple[int, ...]
"""Signed heights, rank by rank from a1."""

COLOURS: Mapping[Side, str] = MappingProxyType({Side.DARK: "Black", Side.LIGHT: "Green"})
SIGN: Mapping[Side, int] = MappingProxyType({Side.DARK: 1, Side.LIGHT: -1})


class ActionKind(StrEnum):
    """What an action does; the first three are moves."""

    EMPTY = "empty"
    MERGE = "merge"
    CAPTURE = "capture"
    REMOVE = "remove"


_MOVES = (ActionKind.EMPTY, ActionKind.MERGE, ActionKind.CAPTURE)
_ONTO_STACKS = frozenset((ActionKind.MERGE, ActionKind.CAPTURE))
_ANY_MOVE = frozenset(_MOVES)
_OPEN_KINDS: Mapping[ActionKind | None, frozenset[ActionKind]] = MappingProxyType(
    {
        None: _ANY_MOVE,
        ActionKind.EMPTY: _ONTO_STACKS,
        ActionKind.MERGE: _ANY_MOVE,
        ActionKind.CAPTURE: _ANY_MOVE,
        ActionKind.REMOVE: frozenset(),
    }
)


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """A whole stack goes by one die from ``origin`` to ``target``."""

    die: int
    origin: Cell
    target: Cell
    kind: ActionKind
    trace: Trace = field(init=False, repr=False, compare=False)
    """How a hand performs it: only a move to an empty cell is plain to see."""

    def __post_init__(self) -> None:
        performed = carry if self.kind is ActionKind.EMPTY else onto
        object.__setattr__(self, "trace", performed(self.origin, self.target))

    def __str__(self) -> str:
        return f"{self.kind} {self.die} {self.origin}-{self.target}"


@dataclass(frozen=True, slots=True, order=True)
class Remove:
    """One checker is taken off an own stack."""

    cell: Cell

    def __str__(self) -> str:
        return f"{ActionKind.REMOVE} {self.cell}"


Action = Move | Remove

Ways = Mapping[int, tuple[tuple[int, Move, Move, Move], ...]]
"""Of one die, for each origin its targets, and for each of them the move if it is empty, own or enemy."""


# --------------------------------------------------------------------------------------- the compact form


@cache
def cells(size: int) -> tuple[Cell, ...]:
    """The names of the cells in the order of the board."""
    return square(size).cells


@cache
def places(size: int) -> Mapping[Cell, int]:
    """Where each cell is in the board."""
    return MappingProxyType({cell: at for at, cell in enumerate(cells(size))})


@cache
def by_name(size: int) -> tuple[int, ...]:
    """Where the cells are in the board, in the order of their names, which is that of actions."""
    return tuple(sorted(range(size * size), key=cells(size).__getitem__))


@cache
def starting_board(size: int) -> Board:
    """One checker on every cell, colours alternating, a1 black (D3)."""
    return tuple(1 if (rank + file) % 2 == 0 else -1 for rank in range(size) for file in range(size))


@cache
def landings(size: int) -> Mapping[int, Mapping[int, tuple[int, ...]]]:
    """For each die and each cell the cells at exactly that distance in a straight line (D2, D7), all by name."""
    return MappingProxyType({die: _landings_of(die, size) for die in range(1, size // 2 + 1)})


def _landings_of(die: int, size: int) -> Mapping[int, tuple[int, ...]]:
    return MappingProxyType({origin: _at_distance(die, origin, size) for origin in by_name(size)})


def _at_distance(die: int, origin: int, size: int) -> tuple[int, ...]:
    rank, file = divmod(origin, size)
    spots = ((rank, file - die), (rank, file + die), (rank - die, file), (rank + die, file))
    found = (to_rank * size + to_file for to_rank, to_file in spots if 0 <= to_rank < size and 0 <= to_file < size)
    return tuple(sorted(found, key=cells(size).__getitem__))


@cache
def _ways(size: int, die: int) -> Ways:
    """Every move of a die, ready-made: finding the legal ones is asked at every lift, and making one costs most."""

    def made(origin: int, target: int) -> tuple[int, Move, Move, Move]:
        start, end = cells(size)[origin], cells(size)[target]
        entering, merging, capturing = (Move(die, start, end, kind) for kind in _MOVES)
        return target, entering, merging, capturing

    return MappingProxyType(
        {origin: tuple(made(origin, target) for target in targets) for origin, targets in landings(size)[die].items()}
    )


def kind_of(board: Board, sign: int, origin: int, target: int) -> ActionKind | None:
    """What landing on ``target`` would be; None on a taller enemy stack (D9, D10, D11)."""
    there = board[target] * sign
    if there == 0:
        return ActionKind.EMPTY
    if there > 0:
        return ActionKind.MERGE
    return ActionKind.CAPTURE if -there <= board[origin] * sign else None


def moves(
    board: Board, sign: int, reach: Mapping[int, tuple[int, ...]], kinds: frozenset[ActionKind]
) -> Iterator[tuple[ActionKind, int, int]]:
    """Every move of the given kinds, as kind, origin and target, in the order of ``reach``.

    ``reach`` is one die's row of ``landings``; what stands between origin and target does not matter (D8).
    """
    for origin, targets in reach.items():
        if board[origin] * sign > 0:
            for target in targets:
                kind = kind_of(board, sign, origin, target)
                if kind is not None and kind in kinds:
                    yield kind, origin, target


def moved(board: Board, origin: int, target: int) -> Board:
    """The board after the stack of ``origin`` has merged with, captured or entered ``target``."""
    stack = board[origin]
    there = board[target]
    after = list(board)
    after[origin] = 0
    after[target] = stack + there if stack * there > 0 else stack
    return tuple(after)


def removed(board: Board, at: int) -> Board:
    """The board after one checker has been taken off the stack (D15)."""
    after = list(board)
    after[at] -= 1 if after[at] > 0 else -1
    return tuple(after)


@cache
def _stack(height: int) -> Piece:
    """The stack of a signed height."""
    return Piece(Side.DARK if height > 0 else Side.LIGHT, Kind.CHECKER, abs(height))


def winner(board: Board) -> Side | None:
    """The side whose opponent has no checker, or None while both have some (D19)."""
    if min(board) >= 0:
        return Side.DARK
    return Side.LIGHT if max(board) <= 0 else None


@cache
def rolls(size: int) -> Mapping[Roll, Fraction]:
    """Every ordered roll of two dice with ``size / 2`` faces and its odds (D2)."""
    faces = range(1, size // 2 + 1)
    odds = Fraction(1, len(faces) ** 2)
    return MappingProxyType({Roll((first, second)): odds for first in faces for second in faces})


# --------------------------------------------------------------------------------------------- the state


@dataclass(frozen=True, slots=True)
class Diablo:
    """A position: the board, whose turn it is, and how far the turn has come.

    ``rolled`` is empty before the roll and ``left`` holds the dice not used yet, ascending. Once the game
    is over they and ``began`` keep what they had.
    """

    size: int
    board: Board
    mover: Side
    rolled: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    began: ActionKind | None = None

    @property
    def to_act(self) -> Side | None:
        """Chance before the roll, then the side whose turn it is; None once over."""
        if winner(self.board) is not None:
            return None
        return self.mover if self.rolled else Side.CHANCE

    @property
    def outcome(self) -> Outcome | None:
        """The winner, and that the other side has no checkers left."""
        won = winner(self.board)
        return None if won is None else Outcome(won, f"{COLOURS[won.other]} has no checkers left")

    @property
    def opening(self) -> bool:
        """Whether this is Black's first turn, which is a single move (D18)."""
        return self.mover is Side.DARK and self.board == starting_board(self.size)

    @property
    def removing(self) -> bool:
        """Whether the side to act has to give up a checker because no move is open (D14, D16, D17)."""
        return self.to_act is self.mover and next(self._moves(), None) is None

    def legal_actions(self) -> Sequence[Action]:
        """Every move that is open; where there is none, every removal (D13-D17)."""
        if self.to_act is not self.mover:
            return ()
        return tuple(self._moves()) or tuple(self._removals())

    def allows(self, action: Action) -> bool:
        """Whether the action is legal now."""
        if isinstance(action, Remove):
            return self.removing and action in self._removals()
        return self._allows_move(action)

    def chance(self) -> Mapping[Roll, Fraction]:
        """Every ordered roll with its odds, before the roll (D2)."""
        return rolls(self.size) if self.to_act is Side.CHANCE else MappingProxyType({})

    def declarations(self) -> Sequence[Declaration]:
        """None: a game of Diablo is always played out."""
        return ()

    def apply(self, action: Action | Roll | Declaration | Correction) -> Diablo:
        """The state after a legal action or a possible roll; raises IllegalAction for anything else."""
        match action:
            case Roll(dice) if action in self.chance():
                return Diablo(self.size, self.board, self.mover, dice, tuple(sorted(dice)))
            case Correction(heights) if self._can_be(heights):
                return replace(self, board=self._corrected(heights))
            case Move() if self.allows(action):
                at = places(self.size)
                used = self.left.index(action.die)
                board = moved(self.board, at[action.origin], at[action.target])
                return self._after(board, action.kind, self.left[:used] + self.left[used + 1 :])
            case Remove() if self.allows(action):
                return self._after(removed(self.board, places(self.size)[action.cell]), ActionKind.REMOVE, ())
            case _:
                raise IllegalAction(f"diablo: {action} is not open to {COLOURS[self.mover]} here")

    def _can_be(self, heights: tuple[tuple[Cell, int], ...]) -> bool:
        """Whether stacks stand on these cells, and so many checkers exist."""
        at = places(self.size)
        stand = all(cell in at and self.board[at[cell]] and height > 0 for cell, height in heights)
        return stand and sum(map(abs, self._corrected(heights))) <= self.size**2

    def _corrected(self, heights: tuple[tuple[Cell, int], ...]) -> Board:
        board = list(self.board)
        for cell, height in heights:
            at = places(self.size)[cell]
            board[at] = height if board[at] > 0 else -height
        return tuple(board)

    def pieces(self) -> Mapping[Cell, Piece]:
        """The stack on every occupied cell."""
        return {cell: _stack(height) for cell, height in zip(cells(self.size), self.board, strict=True) if height}

    def occupancy(self) -> Cells:
        """The cells with a stack."""
        return frozenset(compress(cells(self.size), self.board))

    def height(self, cell: Cell) -> int:
        """The signed height of the stack on a cell: black above zero, green below."""
        return self.board[places(self.size)[cell]]

    def dice(self) -> Sequence[Die]:
        """The dice of the turn in the order they fell; of a double, the first is used first."""
        unused = list(self.left)
        note = "{}: no move" if self.removing else "{} left"
        spent_note = "{}: no move" if self.began is ActionKind.REMOVE else "{} used"
        shown: list[Die] = []
        for pips in reversed(self.rolled):
            spent = pips not in unused
            if not spent:
                unused.remove(pips)
            shown.append(Die(pips, spent, (spent_note if spent else note).format(pips)))
        return tuple(reversed(shown))

    def trace(self, action: Action) -> Trace:
        """How a hand performs a legal action: only a move to an empty cell and a last checker are plain to see."""
        if isinstance(action, Move):
            return action.trace
        return lift(action.cell) if abs(self.height(action.cell)) == 1 else unseen(action.cell)

    def _moves(self) -> Iterator[Move]:
        kinds = _OPEN_KINDS[self.began]
        onto_empty = ActionKind.EMPTY in kinds
        board = self.board if self.mover is Side.DARK else tuple(map(neg, self.board))
        own = [at for at in by_name(self.size) if board[at] > 0]
        for die in dict.fromkeys(self.left if kinds else ()):
            ways = _ways(self.size, die)
            for origin in own:
                height = board[origin]
                for target, entering, merging, capturing in ways[origin]:
                    there = board[target]
                    if there > 0:
                        yield merging
                    elif there < 0:
                        if -there <= height:
                            yield capturing
                    elif onto_empty:
                        yield entering

    def _removals(self) -> Iterator[Remove]:
        sign = SIGN[self.mover]
        own = (cell for cell, height in zip(cells(self.size), self.board, strict=True) if height * sign > 0)
        return map(Remove, sorted(own))

    def _allows_move(self, move: Move) -> bool:
        """Asks ``moves`` about the one stack, which is much less than every legal action."""
        at = places(self.size)
        if self.to_act is not self.mover or move.die not in self.left or not {move.origin, move.target} <= at.keys():
            return False
        origin = at[move.origin]
        reach = {origin: landings(self.size)[move.die][origin]}
        found = moves(self.board, SIGN[self.mover], reach, _OPEN_KINDS[self.began])
        return (move.kind, origin, at[move.target]) in found

    def _after(self, board: Board, kind: ActionKind, left: tuple[int, ...]) -> Diablo:
        """The game is over, the turn's second action is due, or the other side rolls (D6, D18, D19)."""
        if winner(board) is not None or (self.began is None and not self.opening):
            return Diablo(self.size, board, self.mover, self.rolled, left, self.began or kind)
        return Diablo(self.size, board, self.mover.other)


def start(size: int) -> Diablo:
    """The position in which the game begins: a full board, Black to roll (D3, D4)."""
    return Diablo(size, starting_board(size), Side.DARK)


def longest(size: int) -> int:
    """A number of actions that no game from the start exceeds.

    Stacks plus checkers start at twice the number of cells and fall by at least one with every turn: a merge
    costs a stack, a capture a stack and its checkers, a removal a checker, and only one of a turn's actions
    may be an empty move. Both sides still have a checker and a stack before the last turn.
    """
    turns = 2 * size * size - 3
    return 2 * turns - 1
