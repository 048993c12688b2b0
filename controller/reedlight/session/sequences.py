"""Sequences of actions: what they are called, what they change, where they end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reedlight.core.game import Game, Piece, Side, State
from reedlight.core.grid import Cell, Cells
from reedlight.core.trace import Trace, cells


def names(game: Game[Any], state: State[Any], actions: tuple[Any, ...]) -> str:
    """Several actions in a row in the game's notation."""
    said: list[str] = []
    for action in actions:
        said.append(game.notate(state, action))
        state = state.apply(action)
    return ", ".join(said)


def changed(before: State[Any], after: State[Any]) -> Cells:
    """The cells on which something else stands afterwards; a man crowned where it stands counts as the same."""
    return differing(before.pieces(), after.pieces())


def differing(old: Mapping[Cell, Piece], new: Mapping[Cell, Piece]) -> Cells:
    """The cells on which these pieces differ as far as a hand would have to change something."""
    return frozenset(cell for cell in old.keys() | new.keys() if _seen_as(old.get(cell)) != _seen_as(new.get(cell)))


def _seen_as(piece: Piece | None) -> tuple[Side, int] | None:
    return (piece.side, piece.height) if piece else None


def onto_own(state: State[Any], sequences: tuple[tuple[Any, ...], ...]) -> list[tuple[Any, ...]]:
    """Those of the sequences that end with a stack set on another of the side that acts."""
    return [sequence for sequence in sequences if _ends_on_own(state, sequence)]


def _ends_on_own(state: State[Any], sequence: tuple[Any, ...]) -> bool:
    state, trace = last_step(state, sequence)
    pieces, touched = state.pieces(), cells(trace)
    return len(touched) > 1 and all(cell in pieces and pieces[cell].side is state.to_act for cell in touched)


def last_step(state: State[Any], sequence: tuple[Any, ...]) -> tuple[State[Any], Trace]:
    """The state before the last of the actions, and how that one is performed."""
    for action in sequence[:-1]:
        state = state.apply(action)
    return state, state.trace(sequence[-1])
