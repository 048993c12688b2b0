"""What an action of Diablo is for, in one sentence that is true.

A sentence has two parts: what the action does, and how safe its stack is once the turn as planned has
ended. Safety is counted, not judged: of all rolls of the foe, those with a turn that takes the stack. By
D8 and D13-D17 only these turns do, so that no turn need be tried out:

    a stack lands on it with one die
    a stack goes with one die, or merges, to where it can land on it with the other

Any other first action leaves the stacks that reach it as they were. Where the turn goes on and no second
action is planned, nothing is said about safety.
"""

from __future__ import annotations

from dataclasses import dataclass

from reedlight.games.diablo.rules import (
    COLOURS,
    Action,
    ActionKind,
    Board,
    Diablo,
    Move,
    Remove,
    kind_of,
    landings,
    moved,
    places,
    removed,
    winner,
)
from reedlight.players.player import Worth


def explain(state: Diablo, worth: Worth) -> str:
    """What the action does, and how safe its stack is when the planned turn has ended: a caption of 58 characters."""
    action: Action = worth.action
    if winner(_after(state.board, action, state.size)) is state.mover:
        return f"takes the last stack of {COLOURS[state.mover.other]} and wins"
    if len(state.legal_actions()) == 1:
        return "the only checker to give up" if isinstance(action, Remove) else "the only move"
    return _giving_up(state, action) if isinstance(action, Remove) else _moving(state, action, worth.line)


def _after(board: Board, action: Action, size: int) -> Board:
    at = places(size)
    if isinstance(action, Remove):
        return removed(board, at[action.cell])
    return moved(board, at[action.origin], at[action.target])


def _giving_up(state: Diablo, action: Remove) -> str:
    left = abs(state.height(action.cell)) - 1
    return f"must give up a checker; {'a single one goes' if left == 0 else f'the stack keeps {left}'}"


def _moving(state: Diablo, move: Move, line: tuple[Action, ...]) -> str:
    deed = _deed(state, move)
    end = _end(state, move, line)
    if end is None:
        return deed or "goes to an empty cell"
    foe = COLOURS[state.mover.other]
    if winner(end.board) is state.mover:
        return f"makes way: the next action takes the last stack of {foe}"
    risk = share_taken(end.board, end.at, state.size)
    if deed:
        return f"{deed}; {_rolls(risk)} {foe} take it"
    before = share_taken(state.board, places(state.size)[move.origin], state.size)
    if risk == 0:
        return f"{'gets' if before else 'stays'} out of reach: {_rolls(risk)} {foe} take this stack"
    if _percent(risk) < _percent(before):
        return f"lowers the rolls that let {foe} take it from {_percent(before)} to {_percent(risk)} %"
    return _sequel(state, line) or f"{_rolls(risk)} {foe} take this stack"


def _deed(state: Diablo, move: Move) -> str:
    """What a move does to the stack it lands on; empty on an empty cell."""
    there, here = abs(state.height(move.target)), abs(state.height(move.origin))
    match move.kind:
        case ActionKind.CAPTURE:
            return "takes a single checker" if there == 1 else f"takes a stack of {there}"
        case ActionKind.MERGE:
            return f"merges to {here + there}"
        case _:
            return ""


def _sequel(state: Diablo, line: tuple[Action, ...]) -> str:
    """What the second action takes that was planned after a move to an empty cell."""
    for action in line:
        if isinstance(action, Move) and action.kind is ActionKind.CAPTURE:
            return f"the next action takes {_stack(abs(state.height(action.target)))}"
    return ""


def _stack(height: int) -> str:
    return "a single checker" if height == 1 else f"a stack of {height}"


@dataclass(frozen=True, slots=True)
class _End:
    """The board after a turn and where the stack of its first action is."""

    board: Board
    at: int


def _end(state: Diablo, move: Move, line: tuple[Action, ...]) -> _End | None:
    """The end of the planned turn; None where nothing is planned, or the stack is given up."""
    board, at = _after(state.board, move, state.size), places(state.size)[move.target]
    if state.apply(move).to_act is not state.mover:
        return _End(board, at)
    if not line:
        return None
    after = _after(board, line[0], state.size)
    if isinstance(line[0], Move) and places(state.size)[line[0].origin] == at:
        at = places(state.size)[line[0].target]
    return _End(after, at) if after[at] else None


# ---------------------------------------------------------------------------------------------- safety


def share_taken(board: Board, at: int, size: int) -> float:
    """The share of all ordered rolls with which the foe of the stack on a cell has a turn that takes it."""
    faces = range(1, size // 2 + 1)
    direct = {die for die in faces if _lands(board, at, die, size)}
    taken = sum(
        first in direct or second in direct or _by_way(board, at, first, second, size)
        for first in faces
        for second in faces
    )
    return taken / len(faces) ** 2


def _lands(board: Board, at: int, die: int, size: int) -> bool:
    """Whether some stack of the foe can land on the cell with a die."""
    sign = _foe(board, at)
    return any(board[start] * sign >= abs(board[at]) for start in landings(size)[die][at])


def _by_way(board: Board, at: int, one: int, other: int, size: int) -> bool:
    """Whether some stack of the foe gets with one of two dice to where the other takes the stack."""
    return _stands_ready(board, at, one, other, size) or _stands_ready(board, at, other, one, size)


def _stands_ready(board: Board, at: int, first: int, second: int, size: int) -> bool:
    sign = _foe(board, at)
    for stop in landings(size)[second][at]:
        for start in landings(size)[first][stop]:
            if board[start] * sign > 0 and kind_of(board, sign, start, stop) is not None:
                after = moved(board, start, stop)
                if after[stop] * sign >= abs(board[at]):
                    return True
    return False


def _foe(board: Board, at: int) -> int:
    return -1 if board[at] > 0 else 1


def _percent(share: float) -> int:
    """In whole hundredths; 0 and 100 are kept for none and all."""
    if share in (0, 1):
        return round(share) * 100
    return min(99, max(1, round(100 * share)))


def _rolls(share: float) -> str:
    if share == 0:
        return "no roll lets"
    return "every roll lets" if share == 1 else f"{_percent(share)} % of rolls let"
