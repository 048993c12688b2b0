"""The vocabulary every game speaks: sides, pieces, rolls, states and games.

A *state* is an immutable value that knows the rules; an *action* is one complete choice by the side
to act (a whole capture chain, not one jump). Chance is a side like the others: when it is to act,
``chance()`` gives every possible roll with its exact odds, and ``apply`` takes the roll that fell.

    state ──legal_actions()──► actions ──apply(action)──► state
      │                           │
      ├─pieces()──► what stands   └─trace(action)──► the edges a hand makes (see ``trace``)
      └─dice()────► what shows

Nothing here knows a switch, a lamp, a clock or a source of chance.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Protocol, TypeVar

from reedlight.core.grid import Cell, Cells, Grid
from reedlight.core.trace import Trace


class BadNotation(ValueError):
    """Text that is no position, action or record; the message says what, where and why."""


class BadOption(ValueError):
    """A game, size or setting that does not exist; the message says which ones do."""


class IllegalAction(ValueError):
    """An action that the rules do not allow in this state."""


class Side(Enum):
    """Who acts: one of the two players, or chance. Games name the players' colours."""

    LIGHT = "light"
    DARK = "dark"
    CHANCE = "chance"

    @property
    def other(self) -> Side:
        """The opposing player; chance has none and answers itself."""
        return _OTHER[self]


_OTHER = {Side.LIGHT: Side.DARK, Side.DARK: Side.LIGHT, Side.CHANCE: Side.CHANCE}


class Kind(Enum):
    """What a piece is, as the rule sheets name it."""

    MAN = "man"
    KING = "king"
    CHECKER = "checker"
    STONE = "stone"


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands on one cell: a side's piece, or a stack of ``height`` of them."""

    side: Side
    kind: Kind
    height: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended; ``winner`` is None for a draw. ``reason`` completes "White wins: …"."""

    winner: Side | None
    reason: str


@dataclass(frozen=True, slots=True)
class Roll:
    """The chance action: the pips of every die, in the order they fell."""

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it shows: its pips, whether it is spent, and a word or two on what it still gives."""

    pips: int
    spent: bool
    note: str


class Speech(Enum):
    """What a side may declare besides acting on the board."""

    RESIGN = "resign"
    OFFER_DRAW = "offer draw"
    ACCEPT_DRAW = "accept draw"
    DECLINE_DRAW = "decline draw"


@dataclass(frozen=True, slots=True)
class Declaration:
    """A side's spoken action; it moves no piece, so it has no trace."""

    side: Side
    speech: Speech


@dataclass(frozen=True, slots=True)
class Correction:
    """Stacks as the players count them where the game has them otherwise: cells with their heights."""

    heights: tuple[tuple[Cell, int], ...]

    def __str__(self) -> str:
        return f"recount {', '.join(f'{cell}={height}' for cell, height in self.heights)}"


@dataclass(frozen=True, slots=True)
class Caption:
    """One sentence that leads (at most 70 characters) and its reason (at most 58, may be empty)."""

    say: str
    why: str = ""


A = TypeVar("A", bound=Hashable)
"""The actions of one game."""


class State(Protocol[A]):
    """An immutable position with whatever history the rules need."""

    @property
    def to_act(self) -> Side | None:
        """Who acts, or None once the game is over."""
        ...

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; exactly one of this and ``to_act`` is None."""
        ...

    def legal_actions(self) -> Sequence[A]:
        """Every choice of the player to act, sorted and unique; empty while chance acts and once over."""
        ...

    def chance(self) -> Mapping[Roll, Fraction]:
        """Every roll that may fall now with its exact odds; empty unless chance is to act."""
        ...

    def declarations(self) -> Sequence[Declaration]:
        """What either side may declare now."""
        ...

    def apply(self, action: A | Roll | Declaration | Correction) -> State[A]:
        """The state after a legal action, a possible roll, an open declaration, or a correction of its stacks.

        Raises IllegalAction for anything else; this state is unchanged either way.
        """
        ...

    def pieces(self) -> Mapping[Cell, Piece]:
        """What stands on every occupied cell."""
        ...

    def occupancy(self) -> Cells:
        """The cells on which something stands: those of ``pieces``, found faster."""
        ...

    def dice(self) -> Sequence[Die]:
        """The dice of the turn as they show; empty before the roll and in games without dice."""
        ...

    def trace(self, action: A) -> Trace:
        """How a hand performs a legal action from here."""
        ...


class Game(Protocol[A]):
    """The rules of one game on one board; stateless, equal when name and options are equal."""

    @property
    def name(self) -> str:
        """The game's name in commands and files, such as ``diablo``."""
        ...

    @property
    def title(self) -> str:
        """The game's name for people, such as ``Russian draughts``."""
        ...

    @property
    def size(self) -> str:
        """The board's size as the option that makes it, such as ``8``, ``5`` or ``brick-6x6``."""
        ...

    @property
    def grid(self) -> Grid:
        """The cells of the board."""
        ...

    @property
    def sides(self) -> Mapping[Side, str]:
        """The colour names of the two players, the side that begins first."""
        ...

    @property
    def unit(self) -> str:
        """What is counted for each side, in the plural: pieces, checkers, stones."""
        ...

    @property
    def max_plies(self) -> int:
        """More actions (rolls not counted) than any game has; a limit for loops, not a rule."""
        ...

    def start(self) -> State[A]:
        """The position in which the game begins."""
        ...

    def notate(self, state: State[A], action: A) -> str:
        """The action as text; unique among the state's legal actions."""
        ...

    def parse(self, state: State[A], text: str) -> A:
        """The legal action that the text names; raises BadNotation, or IllegalAction where it is none."""
        ...

    def dump(self, state: State[A]) -> str:
        """The position as one line, like a FEN; history is not in it."""
        ...

    def load(self, text: str) -> State[A]:
        """The position that ``dump`` wrote; raises BadNotation with what is wrong and where."""
        ...

    def picture(self, state: State[A]) -> str:
        """The board as lines of text that a person can read."""
        ...

    def advise(self, state: State[A]) -> Caption:
        """What the side to act should do now, with nothing lifted."""
        ...

    def refuse(self, state: State[A], cell: Cell) -> str:
        """Why nothing can be begun at the cell now: a piece that may not act, a place that is closed."""
        ...

    def refuse_move(self, state: State[A], origin: Cell, target: Cell) -> str:
        """Why the mover's piece on one cell may not go to another; empty where it may."""
        ...

    def label(self, state: State[A], action: A) -> str:
        """A word or two on what an action does, to stand beside its target: ``merge, makes 6``."""
        ...


def whose_turn(state: State[A]) -> Side | None:
    """The side to act; while chance is, the side that will act once the dice have fallen."""
    if state.to_act is Side.CHANCE:
        return state.apply(next(iter(state.chance()))).to_act
    return state.to_act


def tally(state: State[A]) -> Mapping[Side, int]:
    """How many pieces each player has on the board, stacks counted by height."""
    counts = {Side.LIGHT: 0, Side.DARK: 0}
    for piece in state.pieces().values():
        counts[piece.side] += piece.height
    return counts
