"""What Diablo says to the people at the board: every sentence of the game, in plain English.

``advise`` leads, ``refuse`` explains a stack that may not act, ``objection`` an action that is not legal,
``label`` names what an action does beside its target. A sentence that leads has at most 70 characters and
a reason at most 58; dice have at most two digits and heights four, so lengths stay within sight.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from reedlight.core.game import Caption
from reedlight.core.grid import Cell
from reedlight.games.diablo.rules import (
    COLOURS,
    SIGN,
    Action,
    ActionKind,
    Diablo,
    Move,
    Remove,
    kind_of,
    landings,
    places,
    winner,
)

_FIRST_TURN = "Black's first turn is one move with one die."
_WHY_MOVE: Mapping[ActionKind | None, str] = MappingProxyType(
    {
        None: "Only one of the two moves may go to an empty cell.",
        ActionKind.EMPTY: "The first move went to an empty cell; this one may not.",
        ActionKind.MERGE: "The first move was a merge, so any move is open.",
        ActionKind.CAPTURE: "The first move took a stack, so any move is open.",
    }
)
_HOW_TO_GIVE_UP: Mapping[tuple[bool, bool], str] = MappingProxyType(
    {
        (True, True): "tap a stack or take a single one off.",
        (True, False): "take a single one off.",
        (False, True): "tap a stack.",
    }
)
"""By whether the side has single checkers and whether it has taller stacks."""
_NOUNS: Mapping[ActionKind, str] = MappingProxyType(
    {
        ActionKind.EMPTY: "a move to an empty cell",
        ActionKind.MERGE: "a merge",
        ActionKind.CAPTURE: "a capture",
    }
)


def advise(state: Diablo) -> Caption:
    """What the side to act should do now, with nothing lifted, and why."""
    colour = COLOURS[state.mover]
    if won := winner(state.board):
        return Caption(f"{COLOURS[won]} wins.", f"{COLOURS[won.other]} has no checkers left.")
    if not state.rolled:
        return Caption(f"{colour}: press GO to roll.", _FIRST_TURN if state.opening else "")
    if state.removing:
        return Caption(f"{colour}: give up {_due(state)}; {_how_to_give_up(state)}", _why_give_up(state))
    if state.began is ActionKind.EMPTY:
        say = f"{colour}: merge or take, {_distance(state)} away."
    else:
        say = f"{colour}: move a stack {_distance(state)}."
    return Caption(say, _FIRST_TURN if state.opening else _WHY_MOVE[state.began])


def _distance(state: Diablo) -> str:
    """The dice left as a distance: ``1 or 3 cells``, ``1 cell``."""
    return f"{_dice_left(state)} {'cell' if set(state.left) == {1} else 'cells'}"


def _dice_left(state: Diablo) -> str:
    return " or ".join(map(str, dict.fromkeys(state.left)))


def _due(state: Diablo) -> str:
    """How many checkers must be given up now; a last one ends the game, so a second is not asked for."""
    heights = _own_heights(state)
    if state.began is ActionKind.REMOVE:
        return "one more"
    return "2 checkers" if state.began is None and sum(heights) > 1 else "one checker"


def _how_to_give_up(state: Diablo) -> str:
    heights = _own_heights(state)
    return _HOW_TO_GIVE_UP[1 in heights, max(heights) > 1]


def _own_heights(state: Diablo) -> list[int]:
    sign = SIGN[state.mover]
    return [height * sign for height in state.board if height * sign > 0]


def _why_give_up(state: Diablo) -> str:
    match state.began:
        case ActionKind.REMOVE:
            return "The turn began without a move."
        case ActionKind.EMPTY:
            return f"No stack can merge or take {_distance(state)} away."
        case _:
            return f"No stack can move {_distance(state)}."


def refuse(state: Diablo, cell: Cell) -> str:
    """Why nothing can be begun at the cell now; a cell where something can says so."""
    if state.to_act is None:
        return "The game is over."
    if not state.rolled:
        return "The dice are not rolled yet."
    height = state.height(cell) * SIGN[state.mover]
    if height < 0:
        return f"That is {COLOURS[state.mover.other]}'s stack."
    return _refuse_own(state, cell) if height > 0 else _refuse_empty(state)


def _refuse_empty(state: Diablo) -> str:
    return "You must give up a checker instead." if state.removing else "No stack stands here."


def _refuse_own(state: Diablo, cell: Cell) -> str:
    if state.removing:
        return "You must give up a checker, and this may be the one."
    if any(isinstance(action, Move) and action.origin == cell for action in state.legal_actions()):
        return "This stack may move."
    if state.began is ActionKind.EMPTY:
        return f"Nothing to merge with or take {_distance(state)} away."
    return f"No cell {_dice_left(state)} away is open to this stack."


def refuse_move(state: Diablo, origin: Cell, target: Cell) -> str:
    """Why the mover's stack on one cell may not go to an empty one; empty where it may."""
    targets = {
        action.target for action in state.legal_actions() if isinstance(action, Move) and action.origin == origin
    }
    if target in targets:
        return ""
    if not targets:
        return refuse(state, origin)
    if state.began is ActionKind.EMPTY:
        return _WHY_MOVE[ActionKind.EMPTY]
    return f"A stack goes {_distance(state)}, straight along a row or column."


def objection(state: Diablo, action: Action) -> str:
    """Why an action on the board is not legal now."""
    if state.to_act is not state.mover:
        return refuse(state, _begins_at(action))
    if isinstance(action, Remove):
        return refuse(state, action.cell) if state.removing else "a move is open, and it must be made"
    if state.removing:
        return "no move is open; a checker must be given up"
    if action.die not in state.left:
        return f"the {action.die} is not among the dice left ({', '.join(map(str, state.left))})"
    if state.height(action.origin) * SIGN[state.mover] <= 0:
        return refuse(state, action.origin)
    return _misses(state, action)


def _begins_at(action: Action) -> Cell:
    return action.cell if isinstance(action, Remove) else action.origin


def _misses(state: Diablo, move: Move) -> str:
    """Why an own stack does not make the move with a die that is left."""
    at = places(state.size)
    if at[move.target] not in landings(state.size)[move.die][at[move.origin]]:
        return f"{move.target} is not {move.die} along the row or column from {move.origin}"
    kind = kind_of(state.board, SIGN[state.mover], at[move.origin], at[move.target])
    if kind is None:
        return f"the stack on {move.target} is taller"
    if kind is not move.kind:
        return f"{move.origin}-{move.target} is {_NOUNS[kind]}"
    return "the first move went to an empty cell, so this one may not"


def label(state: Diablo, action: Action) -> str:
    """A word or two on what an action does, to stand beside its target."""
    if isinstance(action, Remove):
        return "give up one"
    there = state.height(action.target)
    match action.kind:
        case ActionKind.EMPTY:
            return "move"
        case ActionKind.MERGE:
            return f"merge, makes {abs(state.height(action.origin) + there)}"
        case _:
            return f"take {abs(there)}"
