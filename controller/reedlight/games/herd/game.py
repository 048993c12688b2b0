"""Herd as a game among games: its rules, text and words behind the one interface they share."""

from __future__ import annotations

from reedlight.core.game import Caption, Game, IllegalAction, State
from reedlight.core.grid import Cell
from reedlight.games.herd import text as texts
from reedlight.games.herd import words
from reedlight.games.herd.rules import Action, Herd, board_on

GUARD_TURNS = 1_000
"""A guard, for the rules set no end: stones come off as they come on. The longest of thousands of games took 87."""
ACTIONS_A_TURN = 12
"""Six removals and six placements. A capture adds a placement, but dice fall short of two sixes far more often."""


class HerdGame:
    """Herd on one board; equal to every other on the same board."""

    name = "herd"
    title = "Herd"
    unit = "stones"

    def __init__(self, size: str) -> None:
        self.size, self.grid = texts.size_and_grid(size)
        self.sides = texts.COLOURS
        self.max_plies = GUARD_TURNS * ACTIONS_A_TURN
        self._board = board_on(self.grid)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HerdGame) and other.size == self.size

    def __hash__(self) -> int:
        return hash((self.name, self.size))

    def __repr__(self) -> str:
        return f"HerdGame({self.size!r})"

    def start(self) -> Herd:
        """The empty board, before the first player's roll."""
        return Herd(self._board)

    def notate(self, state: State[Action], action: Action) -> str:  # noqa: ARG002  # the text is the same in every state
        """``remove 2,-1`` or ``place 2,-1``."""
        return texts.notate(action)

    def parse(self, state: State[Action], text: str) -> Action:
        """The legal action that the text names; raises BadNotation, or IllegalAction where it is none."""
        herd = _herd(state)
        action = texts.parse(herd, text)
        if action not in herd.legal_actions():
            raise IllegalAction(f"{texts.notate(action)}: {words.refuse(herd, action.cell)}")
        return action

    def dump(self, state: State[Action]) -> str:
        """The position as one line; see ``text`` for its fields."""
        return texts.dump(self.size, _herd(state))

    def load(self, text: str) -> Herd:
        """The position that ``dump`` wrote; raises BadNotation with what is wrong and where."""
        return texts.load(self.size, self._board, text)

    def picture(self, state: State[Action]) -> str:
        """The board as lines of text, with its coordinates."""
        return texts.picture(_herd(state))

    def advise(self, state: State[Action]) -> Caption:
        """What the side to act should do now."""
        return words.advise(_herd(state))

    def refuse(self, state: State[Action], cell: Cell) -> str:
        """Why nothing can be begun at the cell now."""
        return words.refuse(_herd(state), cell)

    def refuse_move(self, state: State[Action], origin: Cell, target: Cell) -> str:
        """Why the mover's stone may not go to another cell: no stone moves."""
        del target
        return words.refuse(_herd(state), origin)

    def label(self, state: State[Action], action: Action) -> str:
        """What the action does, in a word or two."""
        return words.label(_herd(state), action)


def make(size: str) -> Game[Action]:
    """Herd on the board of that size, such as ``5`` or ``brick-8x8``; raises BadOption where there is none."""
    return HerdGame(size)


def _herd(state: State[Action]) -> Herd:
    if not isinstance(state, Herd):
        raise TypeError(f"a state of another game: {type(state).__name__}")
    return state
