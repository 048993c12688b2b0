"""The assistant: what a hand does that plays for those who have none, in messages to the page's hand.

    the dice are to be rolled for a computer       press GO
    an action is to be performed                   lift, set down, lay aside, as the trace of the action says
    it stands there, and no switch could see it    press GO

It does nothing in a person's turn, and nothing while a hand holds something.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from reedlight.core.game import Piece, Side, State, whose_turn
from reedlight.core.grid import Cell
from reedlight.session.session import Mode, Session
from reedlight_sim.words import draw_seen

Message = dict[str, Any]
GO: Message = {"do": "press", "button": "go"}
_ANY_WAY = 1
"""The seed by which one way of performing an action is chosen; any will do."""


def asked_for(session: Session, standing: Mapping[Cell, Piece], *, holds: bool) -> Sequence[Message]:
    """What the hand is to do now, with these pieces on the board; nothing where a person plays."""
    state = session.state
    if holds:
        return ()
    if session.mode is Mode.ROLL:
        return (GO,) if whose_turn(state) in session.settings.computers else ()
    if session.mode is not Mode.COPY:
        return ()
    after = state.apply(session.copying)
    if _alike(standing, state.pieces()):
        return tuple(_performed(state, session.copying, after))
    return (GO,) if _alike(standing, after.pieces()) else ()


def _alike(standing: Mapping[Cell, Piece], wanted: Mapping[Cell, Piece]) -> bool:
    """Whether the same stacks stand there; a king is a man turned over, which is done by and by."""
    return {cell: (each.side, each.height) for cell, each in standing.items()} == {
        cell: (each.side, each.height) for cell, each in wanted.items()
    }


def _performed(state: State[Any], action: Any, after: State[Any]) -> Iterator[Message]:
    """The movements of an action."""
    before, wanted, mover = state.pieces(), after.pieces(), state.to_act or Side.CHANCE
    lower = [cell for cell, each in wanted.items() if cell in before and each.height < before[cell].height]
    if lower and before.keys() == wanted.keys():
        yield {"do": "give", "cell": lower[0]}
        return
    held = 0
    for edge in draw_seen(state.trace(action), Random(_ANY_WAY)):  # noqa: S311  # no secret
        if edge.occupied:
            if not held:
                yield {"do": "stone", "side": mover.value}
            yield {"do": "place", "cell": edge.cell}
            held = 0
            continue
        yield {"do": "lift", "cell": edge.cell}
        if edge.cell in before and before[edge.cell].side is not mover:
            yield {"do": "tray"}
        else:
            held += 1
    if held:
        yield {"do": "tray"}
