"""From what is understood to what is lit: states, traces in progress and differences become lights.

Every function here answers one question of somebody at the board and knows no game: which pieces can
act, where may the held one go, what must leave, what is out of place. The kind of a target follows from
what stands there (nothing, an own stack, an enemy), so a new game is lit without a line of code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import reduce
from typing import Any

from reedlight.core.game import A, Game, Piece, Side, State
from reedlight.core.grid import Cell, Cells
from reedlight.core.trace import Trace, cells, due, first_edges, landings
from reedlight.scene.scene import Light, Mark

Lights = dict[Cell, Light]


def beginnings(game: Game[A], state: State[A], actions: Iterable[A]) -> Lights:
    """Where actions can be begun: pieces to move or give up, cells to set something on."""
    pieces = state.pieces()
    found: dict[Cell, set[tuple[Mark, str]]] = {}
    for action in actions:
        trace = state.trace(action)
        for cell, mark in origins(state, trace, pieces).items():
            note = "" if mark is Mark.MOVABLE else game.label(state, action)
            found.setdefault(cell, set()).add((mark, note))
    return {cell: _one_light(ways) for cell, ways in found.items()}


def origins(state: State[Any], trace: Trace, pieces: Mapping[Cell, Piece]) -> dict[Cell, Mark]:
    """The cells where a hand begins a trace, and what it does there."""
    begins = first_edges(trace)
    if places := [edge.cell for edge in begins if edge.occupied]:
        return dict.fromkeys(places, Mark.TARGET)
    lifts = [edge.cell for edge in begins]
    if not landings(trace) or len(cells(trace)) == 1:
        return dict.fromkeys(lifts, Mark.REMOVE)
    own = [cell for cell in lifts if pieces[cell].side is state.to_act]
    moving = [cell for cell in own if cell not in landings(trace)]
    return dict.fromkeys(moving or own, Mark.MOVABLE)


def targets(game: Game[A], state: State[A], live: Iterable[tuple[A, Trace]], lifted: Cells) -> Lights:
    """Where the held piece may go; a cell that was lifted from counts as what it was, unless it is its own."""
    pieces = state.pieces()
    found: dict[Cell, set[tuple[Mark, str]]] = {}
    for action, left in live:
        for cell in landings(left):
            mark = _target(state.to_act, pieces.get(cell), own_home=cell in lifted)
            found.setdefault(cell, set()).add((mark, game.label(state, action)))
    return {cell: _one_light(ways) for cell, ways in found.items()}


def _target(mover: Side | None, there: Piece | None, *, own_home: bool) -> Mark:
    if there is None or (own_home and there.side is mover):
        return Mark.TARGET
    return Mark.MERGE if there.side is mover else Mark.CAPTURE


def advised(state: State[Any], trace: Trace) -> Lights:
    """The way of a good action: where it begins, then where it goes."""
    homes = {cell: Light(Mark.HINT, "from here") for cell in sorted(origins(state, trace, state.pieces()))}
    ends = {cell: Light(Mark.HINT, "to here") for cell in sorted(landings(trace)) if cell not in homes}
    return homes | ends if ends else {cell: Light(Mark.HINT, "here") for cell in homes}


def taken(live: Iterable[Trace]) -> Cells:
    """The pieces that must leave by now, whichever of the traces is being performed."""
    each = [due(left) for left in live]
    return reduce(lambda some, more: some & more, each, each[0]) if each else frozenset()


def out_of_place(missing: Mapping[Cell, str], extra: Collection[Cell]) -> Lights:
    """Where a piece belongs, in words which (``a white man``); and where one does not."""
    lights = {cell: Light(Mark.MISSING, f"{piece} belongs here") for cell, piece in missing.items()}
    lights.update({cell: Light(Mark.EXTRA, "take it away") for cell in extra})
    return lights


def winner(state: State[Any], side: Side | None) -> Lights:
    """The winner's pieces; nobody's after a draw."""
    return {cell: Light(Mark.WINNER, "has won") for cell, piece in state.pieces().items() if piece.side is side}


def _one_light(ways: set[tuple[Mark, str]]) -> Light:
    """One light for all that can be done at a cell; its note only where it is the same for all."""
    marks = sorted({mark for mark, _ in ways}, key=_WEIGHT.index)
    notes = {note for _, note in ways}
    return Light(marks[0], notes.pop() if len(notes) == 1 else "")


_WEIGHT = (Mark.CAPTURE, Mark.MERGE, Mark.TARGET, Mark.REMOVE, Mark.MOVABLE)
"""Which kind is shown where several things can be done at one cell: the one that changes most."""
