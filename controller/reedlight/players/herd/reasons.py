"""Why an action of Herd may be good, as one true sentence.

An action has several effects; the first in the table that it has is told. Every sentence is a statement about the
rules, of what is so before and after the action, and none about what somebody means to do: so it is true of a bad
action too. The last of each table holds for every action.

    Place    fills the board · takes stones · last open cell · saves · closes · hunts · joins · has friends · alone
    Remove   saves · opens · makes room · leaves alone · how many are left

*Lone* is a stone without a friend beside it, *open* an empty cell, *closed* one where a side may not place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from reedlight.core.game import Side
from reedlight.core.grid import Cell
from reedlight.games.herd.rules import Action, Board, Herd, Place

_WORDS = ("no", "one", "two", "three", "four", "five", "six")


@dataclass(frozen=True)
class _Deed:
    """An action with the position before and after it; stones are the board's bits."""

    state: Herd
    action: Action
    line: tuple[Any, ...]
    colours: Mapping[Side, str]

    @cached_property
    def after(self) -> Herd:
        return self.state.apply(self.action)

    @cached_property
    def own(self) -> int:
        return self._stones(self.state.mover)

    @cached_property
    def enemy(self) -> int:
        return self._stones(self.state.mover.other)

    @property
    def board(self) -> Board:
        return self.state.board

    @property
    def bit(self) -> int:
        return self.board.bits[self.action.cell]

    @property
    def ring(self) -> int:
        return self.board.rings[self.bit]

    @property
    def mover(self) -> str:
        return self.colours[self.state.mover]

    @property
    def other(self) -> str:
        return self.colours[self.state.mover.other]

    def _stones(self, side: Side) -> int:
        return self.after.light if side is Side.LIGHT else self.after.dark

    def lone(self, stones: int) -> tuple[tuple[int, Cell], ...]:
        """Those of a side's stones beside the action's cell that have no friend."""
        rings, bits = self.board.rings, self.board.bits
        return tuple(
            (bits[cell], cell) for cell in self.board.cells(self.ring & stones) if not rings[bits[cell]] & stones
        )

    def in_reach(self, stone: int, own: int, enemy: int) -> bool:
        """Whether one placement of ``enemy`` takes this lone stone of ``own``: it has one open cell, not closed."""
        rings = self.board.rings
        rest = rings[stone] & ~enemy
        return not rest & (rest - 1) and not rest & own and bool(rings[rest] & ~own)


def reason(state: Herd, action: Action, line: tuple[Any, ...], colours: Mapping[Side, str]) -> str:
    """What a legal action does, in at most 70 characters; ``line`` is what should follow it."""
    deed = _Deed(state, action, line, colours)
    effects = _OF_PLACING if isinstance(action, Place) else _OF_REMOVING
    return next(said for effect in effects if (said := effect(deed)))


def _count(number: int, noun: str) -> str:
    word = _WORDS[number] if number < len(_WORDS) else str(number)
    return f"{word} {noun}" if number == 1 else f"{word} {noun}s"


# ------------------------------------------------------------------------------------------- placing


def _fills(deed: _Deed) -> str:
    outcome = deed.after.outcome
    if not outcome:
        return ""
    mine, yours = deed.own.bit_count(), deed.enemy.bit_count()
    if not outcome.winner:
        return f"fills the board: a draw, {mine} stones each"
    return f"fills the board: {deed.colours[outcome.winner]} wins, {max(mine, yours)} to {min(mine, yours)}"


def _takes(deed: _Deed) -> str:
    taken = deed.state.captured(deed.action)
    if not taken:
        return ""
    if len(taken) == 1:
        return f"surrounds {taken[0]} and gives another stone to place"
    return f"surrounds {_count(len(taken), 'stone')} and gives as many more to place"


def _last_open(deed: _Deed) -> str:
    return "the last open cell" if len(deed.state.legal_actions()) == 1 else ""


def _saves(deed: _Deed) -> str:
    state = deed.state
    saved = [cell for bit, cell in deed.lone(state.own) if deed.in_reach(bit, state.own, state.enemy)]
    if not saved:
        return ""
    return f"saves the lone stone on {saved[0]}" if len(saved) == 1 else f"saves {_count(len(saved), 'lone stone')}"


def _closes(deed: _Deed) -> str:
    before = deed.board.closed(deed.state.enemy, deed.state.own)
    gained = deed.board.cells(deed.board.closed(deed.enemy, deed.own) & ~before)
    if not gained:
        return ""
    return f"closes {gained[0] if len(gained) == 1 else _count(len(gained), 'cell')} to {deed.other}"


def _hunts(deed: _Deed) -> str:
    hunted = [cell for bit, cell in deed.lone(deed.enemy) if deed.in_reach(bit, deed.enemy, deed.own)]
    return f"leaves the lone stone on {hunted[0]} one open cell" if hunted else ""


def _joins(deed: _Deed) -> str:
    joined = deed.lone(deed.state.own)
    if not joined:
        return ""
    if len(joined) == 1:
        return f"gives the lone stone on {joined[0][1]} a friend"
    return f"gives {_count(len(joined), 'lone stone')} a friend"


def _has_friends(deed: _Deed) -> str:
    return "no placement can surround this stone" if deed.ring & deed.own else ""


def _alone(deed: _Deed) -> str:
    free = (deed.ring & ~deed.enemy).bit_count()
    return f"stands alone, with {_count(free, 'open cell')} around it"


# ------------------------------------------------------------------------------------------ removing


def _rescues(deed: _Deed) -> str:
    state = deed.state
    saved = [cell for bit, cell in deed.lone(state.own) if deed.in_reach(bit, state.own, state.enemy)]
    return f"saves the lone stone on {saved[0]}: one stone no longer takes it" if saved else ""


def _opens(deed: _Deed) -> str:
    before = deed.board.closed(deed.state.own, deed.state.enemy)
    opened = deed.board.cells(before & ~deed.board.closed(deed.own, deed.enemy))
    if not opened:
        return ""
    if len(opened) == 1:
        return f"opens {opened[0]}, which was closed to {deed.mover}"
    return f"opens {_count(len(opened), 'cell')} that were closed to {deed.mover}"


def _makes_room(deed: _Deed) -> str:
    cell = deed.action.cell
    may_follow = bool(deed.ring & ~deed.enemy)
    return f"makes room for a {deed.mover.lower()} stone on {cell}" if Place(cell) in deed.line and may_follow else ""


def _leaves_alone(deed: _Deed) -> str:
    left = deed.lone(deed.enemy)
    if not left:
        return ""
    return f"leaves the stone on {left[0][1]} alone" if len(left) == 1 else f"leaves {_count(len(left), 'stone')} alone"


def _how_many_left(deed: _Deed) -> str:
    left = deed.enemy.bit_count()
    return f"leaves {deed.other} {_count(left, 'stone')} against {deed.own.bit_count()}"


_Effect = Callable[[_Deed], str]

_OF_PLACING: tuple[_Effect, ...] = (
    _fills, _takes, _last_open, _saves, _closes, _hunts, _joins, _has_friends, _alone,
)  # fmt: skip
_OF_REMOVING: tuple[_Effect, ...] = (_rescues, _opens, _makes_room, _leaves_alone, _how_many_left)
