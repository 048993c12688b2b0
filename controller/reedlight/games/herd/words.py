"""What Herd says to people: what to do now, why a cell is refused, what an action does.

Sentences are plain and short enough for a caption; a cell is called by its name, a side by its colour.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from reedlight.core.game import Caption, Side
from reedlight.core.grid import Cell
from reedlight.games.herd.rules import Action, Herd, Phase, Remove
from reedlight.games.herd.text import COLOURS


def advise(state: Herd) -> Caption:
    """What the side to act should do now, or how the game ended."""
    return _ADVICE[state.phase](state)


def refuse(state: Herd, cell: Cell) -> str:
    """Why nothing can be begun at the cell now, or what can be where something can."""
    return _REFUSALS[state.phase](state, cell)


def label(state: Herd, action: Action) -> str:
    """``take off``, ``place``, or ``place, takes 1`` where it captures."""
    if isinstance(action, Remove):
        return "take off"
    captured = len(state.captured(action))
    return f"place, takes {captured}" if captured else "place"


def _mover(state: Herd) -> str:
    return COLOURS[state.mover]


def _other(state: Herd) -> str:
    return COLOURS[state.mover.other]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


# -------------------------------------------------------------------------------------------- advice


def _advise_roll(state: Herd) -> Caption:
    why = (
        "The lower die says how many stones come first."
        if state.opening
        else "Lower die: stones off. Higher die: stones on."
    )
    return Caption(f"{_mover(state)}: press GO to roll.", why)


def _advise_remove(state: Herd) -> Caption:
    stones = _count(state.to_remove, f"{_other(state).lower()} stone")
    return Caption(
        f"{_mover(state)}: take off {stones}.", f"Any of them. Then place {_count(state.to_place, 'stone')}."
    )


def _advise_place(state: Herd) -> Caption:
    begun = state.to_place != (min(state.rolled) if state.opening else max(state.rolled))
    stones = _count(state.to_place, "more stone" if begun else "stone")
    return Caption(f"{_mover(state)}: place {stones}.", _why_fewer_cells(state))


def _why_fewer_cells(state: Herd) -> str:
    closed = len(state.closed())
    if not closed:
        return "On any empty cell. A lone stone you surround is taken."
    return f"{_count(closed, 'cell')} {'is' if closed == 1 else 'are'} closed to {_mover(state)}."


def _advise_over(state: Herd) -> Caption:
    light, dark = state.light.bit_count(), state.dark.bit_count()
    if light == dark:
        return Caption(f"A draw, {light} stones each.", "The board is full.")
    winner = COLOURS[Side.LIGHT if light > dark else Side.DARK]
    return Caption(f"{winner} wins, {max(light, dark)} to {min(light, dark)}.", "The board is full.")


_ADVICE: Mapping[Phase, Callable[[Herd], Caption]] = MappingProxyType(
    {
        Phase.ROLL: _advise_roll,
        Phase.REMOVE: _advise_remove,
        Phase.PLACE: _advise_place,
        Phase.OVER: _advise_over,
    }
)


# ------------------------------------------------------------------------------------------ refusals


def _refuse_before_roll(state: Herd, _cell: Cell) -> str:
    return f"{_mover(state)} must roll first: press GO."


def _refuse_while_removing(state: Herd, cell: Cell) -> str:
    bit = state.board.bits[cell]
    if state.own & bit:
        return f"That is your own stone. Take off a {_other(state).lower()} one."
    if state.enemy & bit:
        return "That stone may be taken off."
    return f"Take off {_count(state.to_remove, 'more stone')} first."


def _refuse_while_placing(state: Herd, cell: Cell) -> str:
    bit = state.board.bits[cell]
    if state.own & bit:
        return "That is your own stone. It stays where it is."
    if state.enemy & bit:
        return f"Nothing more to take off. Place {_count(state.to_place, 'stone')}."
    if cell in state.closed():
        return f"{cell} is closed: {_other(state)} surrounds it."
    return f"{cell} is free: a stone may be placed there."


def _refuse_at_the_end(_state: Herd, _cell: Cell) -> str:
    return "The game is over: the board is full."


_REFUSALS: Mapping[Phase, Callable[[Herd, Cell], str]] = MappingProxyType(
    {
        Phase.ROLL: _refuse_before_roll,
        Phase.REMOVE: _refuse_while_removing,
        Phase.PLACE: _refuse_while_placing,
        Phase.OVER: _refuse_at_the_end,
    }
)
