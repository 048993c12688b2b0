"""Herd, a game by Mark Steere (2022): dice take stones off and put stones on until the board is full."""

from __future__ import annotations

from reedlight.games.herd.game import HerdGame, make
from reedlight.games.herd.rules import Action, Board, Herd, Phase, Place, Remove

__all__ = ["Action", "Board", "Herd", "HerdGame", "Phase", "Place", "Remove", "make"]
