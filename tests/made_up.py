"""A game that is made up for a test: a table of positions, each with its pieces and the actions that lead on.

    GAME = made_up(
        start=at("light", "a", light="e1 h1", dark="e8", king=(lift(E1) >> place(G1), "moved")),
        …
    )

It is a whole game as far as a session can tell, so that anything may be asked of tracker and session that
the real games do not happen to need: actions that begin alike, end alike, or are performed alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType

from reedlight.core.game import (
    BadNotation,
    Caption,
    Correction,
    Declaration,
    Die,
    IllegalAction,
    Kind,
    Outcome,
    Piece,
    Roll,
    Side,
)
from reedlight.core.grid import Cell, Cells, Grid, square
from reedlight.core.trace import Trace


@dataclass(frozen=True)
class MadeUp:
    """One position of the table; equal to another when its name is."""

    name: str
    to_act: Side | None
    stacks: tuple[tuple[Cell, Piece], ...]
    traces: tuple[tuple[str, Trace, str], ...]
    """The actions by name, with how they are performed and where they lead."""
    table: Mapping[str, MadeUp]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MadeUp) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def outcome(self) -> Outcome | None:
        return None if self.to_act else Outcome(None, "nothing is left to do")

    def legal_actions(self) -> Sequence[str]:
        return sorted(name for name, _, _ in self.traces)

    def chance(self) -> Mapping[Roll, Fraction]:
        return {}

    def declarations(self) -> Sequence[Declaration]:
        return ()

    def apply(self, action: str | Roll | Declaration | Correction) -> MadeUp:
        for name, _, leads_to in self.traces:
            if name == action:
                return self.table[leads_to]
        raise IllegalAction(str(action))

    def pieces(self) -> Mapping[Cell, Piece]:
        return dict(self.stacks)

    def occupancy(self) -> Cells:
        return frozenset(self.pieces())

    def dice(self) -> Sequence[Die]:
        return ()

    def trace(self, action: str) -> Trace:
        return next(trace for name, trace, _ in self.traces if name == action)


@dataclass(frozen=True)
class MadeUpGame:
    """The rules that the table is."""

    table: Mapping[str, MadeUp]
    name: str = "made-up"
    title: str = "Made up"
    size: str = "8"
    unit: str = "pieces"
    max_plies: int = 8

    @property
    def grid(self) -> Grid:
        return square(8)

    @property
    def sides(self) -> Mapping[Side, str]:
        return {Side.LIGHT: "White", Side.DARK: "Black"}

    def start(self) -> MadeUp:
        return self.table["start"]

    def notate(self, state: MadeUp, action: str) -> str:
        del state
        return action

    def parse(self, state: MadeUp, text: str) -> str:
        if text not in state.legal_actions():
            raise IllegalAction(text)
        return text

    def dump(self, state: MadeUp) -> str:
        return state.name

    def load(self, text: str) -> MadeUp:
        if text not in self.table:
            raise BadNotation(text)
        return self.table[text]

    def picture(self, state: MadeUp) -> str:
        return state.name

    def advise(self, state: MadeUp) -> Caption:
        return Caption(f"{state.name}: {', '.join(state.legal_actions())}.")

    def refuse(self, state: MadeUp, cell: Cell) -> str:
        return f"{cell} is of no use in {state.name}."

    def refuse_move(self, state: MadeUp, origin: Cell, target: Cell) -> str:
        return f"{origin} may not go to {target} in {state.name}."

    def label(self, state: MadeUp, action: str) -> str:
        del state
        return action


def at(side: str | None, *, light: str = "", dark: str = "", **actions: tuple[Trace, str]) -> MadeUp:
    """A position: who acts, what stands where (``a1``, or ``a1*3`` for a stack), and what can be done."""
    stacks = [*_stacks(Side.LIGHT, light), *_stacks(Side.DARK, dark)]
    traces = tuple((name, trace, leads_to) for name, (trace, leads_to) in actions.items())
    return MadeUp("", Side(side) if side else None, tuple(stacks), traces, MappingProxyType({}))


def _stacks(side: Side, said: str) -> list[tuple[Cell, Piece]]:
    parts = [word.partition("*") for word in said.split()]
    return [(Cell(cell), Piece(side, Kind.CHECKER, int(height or 1))) for cell, _, height in parts]


def made_up(**positions: MadeUp) -> MadeUpGame:
    """The game of these positions; it begins at the one called ``start``."""
    table: dict[str, MadeUp] = {}
    for name, position in positions.items():
        table[name] = replace(position, name=name, table=table)
    return MadeUpGame(table)
