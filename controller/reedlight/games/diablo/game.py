"""Diablo as a game: the rules, the texts and the words of one board under the names every game has."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from reedlight.core.game import BadOption, Caption, Game, IllegalAction, State
from reedlight.core.grid import Cell, square
from reedlight.core.quoting import quoted
from reedlight.games.diablo.rules import COLOURS, Action, Diablo, longest, start
from reedlight.games.diablo.text import dump, load, notate, picture, read
from reedlight.games.diablo.words import advise, label, objection, refuse, refuse_move

SIZES: Mapping[str, int] = MappingProxyType({str(size): size for size in range(2, 27, 2)})
"""The boards there are, by the option that makes them."""


class DiabloGame:
    """Diablo on one board; two are equal when their sizes are."""

    name = "diablo"
    title = "Diablo"
    unit = "checkers"
    sides = COLOURS

    def __init__(self, side: int) -> None:
        self.side = side
        self.size = str(side)
        self.grid = square(side)
        self.max_plies = longest(side)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DiabloGame) and other.side == self.side

    def __hash__(self) -> int:
        return hash((self.name, self.side))

    def __repr__(self) -> str:
        return f"DiabloGame({self.side})"

    def start(self) -> Diablo:
        """A full board with Black to roll."""
        return start(self.side)

    def notate(self, state: State[Action], action: Action) -> str:  # noqa: ARG002  # one text in every position
        """The action as text, such as ``merge 2 a1-c1`` or ``remove a1``."""
        return notate(action)

    def parse(self, state: State[Action], text: str) -> Action:
        """The legal action that the text names, in any case and spacing.

        Raises BadNotation for text that names none, IllegalAction with the reason for one that is not legal.
        """
        position = _position(state)
        action = read(text, position.size)
        if not position.allows(action):
            raise IllegalAction(f"{notate(action)}: {objection(position, action)}")
        return action

    def dump(self, state: State[Action]) -> str:
        """The position as one line."""
        return dump(_position(state))

    def load(self, text: str) -> Diablo:
        """The position that ``dump`` wrote; raises BadNotation with what is wrong and where."""
        return load(text, self.side)

    def picture(self, state: State[Action]) -> str:
        """The board with coordinates and heights, and whose turn it is."""
        return picture(_position(state))

    def advise(self, state: State[Action]) -> Caption:
        """What the side to act should do now, with nothing lifted."""
        return advise(_position(state))

    def refuse(self, state: State[Action], cell: Cell) -> str:
        """Why nothing can be begun at the cell now."""
        return refuse(_position(state), cell)

    def refuse_move(self, state: State[Action], origin: Cell, target: Cell) -> str:
        """Why the mover's stack on one cell may not go to another; empty where it may."""
        return refuse_move(_position(state), origin, target)

    def label(self, state: State[Action], action: Action) -> str:
        """A word or two on what an action does: ``merge, makes 6``."""
        return label(_position(state), action)


def make(size: str) -> Game[Action]:
    """Diablo on the board of that size; raises BadOption where there is none."""
    if size not in SIZES:
        raise BadOption(f"diablo: size {quoted(size)} does not exist; take an even number from 2 to 26")
    return DiabloGame(SIZES[size])


def _position(state: State[Action]) -> Diablo:
    """A game is handed its own states only; anything else is our mistake."""
    if not isinstance(state, Diablo):
        raise TypeError(f"diablo: {type(state).__name__} is a state of another game")
    return state
