"""Diablo (Mark Steere, 2022): stacks of checkers, two dice, and nothing left for one side in the end.

``make`` is all the rest of Reedlight needs. ``rules`` holds the compact form and the state, ``text`` what is
written, ``words`` what is said; the rules themselves are told in README.md.
"""

from reedlight.games.diablo.game import SIZES, DiabloGame, make
from reedlight.games.diablo.rules import Action, ActionKind, Diablo, Move, Remove

__all__ = ["SIZES", "Action", "ActionKind", "Diablo", "DiabloGame", "Move", "Remove", "make"]
