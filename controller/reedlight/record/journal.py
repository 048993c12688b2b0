"""The journal of a game: everything that happened in it, a line each, so that it can be gone on with.

    roll     3-1               the dice, in the order they fell
    act      merge 1 c1-b1     an action in the game's notation
    say      light offer       a declaration
    back                       the last of what stood was taken back
    note     why not e5?       a comment on what came before it; nothing happened
    recount  c3=4 d5=2         the players corrected stacks: cells and their heights

Lines are only ever added. *Replaying* them gives what stands in the end: the history with the state before
each of its parts, and the rolls that were taken back and will come again. A line that cannot have happened
ends the replay; what stood before it is kept. Where lines are kept, and since when, is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from reedlight.core.game import BadNotation, Correction, Declaration, Game, IllegalAction, Roll, Side, Speech, State
from reedlight.core.grid import Cell
from reedlight.core.quoting import quoted

A = TypeVar("A", bound=Hashable)

ROLL, ACT, SAY, RECOUNT, BACK, NOTE = "roll", "act", "say", "recount", "back", "note"


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened, in seconds since the epoch."""

    kind: str
    text: str = ""
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Entry(Generic[A]):
    """One thing that became part of the game, the state before it, and when; 0 where nobody knows."""

    action: A | Roll | Declaration | Correction
    before: State[A]
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Past(Generic[A]):
    """What stands after all lines: the history, the state, and the rolls that will come again, the next one last."""

    entries: tuple[Entry[A], ...]
    state: State[A]
    dice_to_come: tuple[Roll, ...] = ()
    broken: str = ""
    """What was wrong with the line that ended the replay; empty if none was."""


def line_of(game: Game[Any], before: State[Any], action: Any, at: float) -> Line:
    """The line for something that became part of the game."""
    match action:
        case Roll(dice):
            return Line(ROLL, "-".join(map(str, dice)), at)
        case Declaration(side, speech):
            return Line(SAY, f"{side.value} {speech.value}", at)
        case Correction(heights):
            return Line(RECOUNT, " ".join(f"{cell}={height}" for cell, height in heights), at)
        case _:
            return Line(ACT, game.notate(before, action), at)


def replay(game: Game[A], start: State[A], lines: Iterable[Line]) -> Past[A]:
    """What stands after these lines of a game that began from a state."""
    entries: list[Entry[A]] = []
    dice_to_come: list[Roll] = []
    state = start
    for number, line in enumerate(lines, 1):
        try:
            if line.kind == NOTE:
                continue
            if line.kind == BACK:
                state = _take_back(entries, dice_to_come)
                continue
            action = action_of(game, state, line)
            after = state.apply(action)
        except (BadNotation, IllegalAction, ValueError) as error:
            broken = f"line {number} ({line.kind} {quoted(line.text)}): {error}"
            return Past(tuple(entries), state, tuple(dice_to_come), broken)
        if dice_to_come and isinstance(action, Roll):
            dice_to_come.pop()
        entries.append(Entry(action, state, line.at))
        state = after
    return Past(tuple(entries), state, tuple(dice_to_come))


def _take_back(entries: list[Entry[A]], dice_to_come: list[Roll]) -> State[A]:
    if not entries:
        raise BadNotation("there is nothing to take back")
    entry = entries.pop()
    if isinstance(entry.action, Roll):
        dice_to_come.append(entry.action)
    return entry.before


def action_of(game: Game[A], state: State[A], line: Line) -> A | Roll | Declaration | Correction:
    """What a line says became part of the game; raises ValueError where it says nothing."""
    if line.kind not in _READ:
        raise BadNotation(f"there is no kind of line called {quoted(line.kind)}")
    return _READ[line.kind](game, state, line.text)


def _read_roll(_game: Game[Any], _state: State[Any], text: str) -> Roll:
    parts = text.split("-")
    if not all(part.isascii() and part.isdecimal() and len(part) < 4 for part in parts):
        raise BadNotation(f"{quoted(text)} is no roll")
    return Roll(tuple(map(int, parts)))


def _read_action(game: Game[A], state: State[A], text: str) -> A:
    return game.parse(state, text)


def _read_declaration(_game: Game[Any], _state: State[Any], text: str) -> Declaration:
    side, _, speech = text.partition(" ")
    return Declaration(Side(side), Speech(speech))


def _read_correction(_game: Game[Any], _state: State[Any], text: str) -> Correction:
    pairs = [part.partition("=") for part in text.split()]
    if not pairs or not all(height.isascii() and height.isdecimal() and len(height) < 4 for _, _, height in pairs):
        raise BadNotation(f"{quoted(text)} is no recount")
    return Correction(tuple((Cell(cell), int(height)) for cell, _, height in pairs))


_READ: Mapping[str, Callable[..., Any]] = {
    ROLL: _read_roll,
    ACT: _read_action,
    SAY: _read_declaration,
    RECOUNT: _read_correction,
}
