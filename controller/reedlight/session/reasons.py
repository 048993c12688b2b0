"""Why the board cannot stay as it is: the reason that stands beside what is to be put right.

Lights say where something is wrong; a player who meant it wants to know why it is not allowed. The reason
is the game's own; here is only which cell it is asked about. A board on which much is wrong was knocked
over, not played on, and gets none.
"""

from __future__ import annotations

from typing import Any

from reedlight.core.game import Game
from reedlight.core.grid import Cell
from reedlight.tracking.tracker import Astray

MOST_CELLS = 3
"""A hand that plays something that is not allowed touches an origin, a target and perhaps a captive."""


def objection(game: Game[Any], astray: Astray[Any]) -> tuple[Cell, str] | None:
    """The cell that somebody wrongly acted on and the game's reason; None where it has none to give."""
    if len(astray.missing) + len(astray.extra) > MOST_CELLS:
        return None
    state, pieces = astray.state, astray.state.pieces()
    own = sorted(cell for cell in astray.missing if pieces[cell].side is state.to_act)
    if own and astray.extra:
        found = min(astray.extra), game.refuse_move(state, own[0], min(astray.extra))
    else:
        cell = min(own or astray.missing or astray.extra)
        found = cell, game.refuse(state, cell)
    return found if found[1] else None
