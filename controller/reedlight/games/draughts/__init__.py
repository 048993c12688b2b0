"""Russian draughts on eight by eight, with the draws people play by or with the federation's own."""

from __future__ import annotations

from reedlight.games.draughts.rules import Draughts, Draws, Move
from reedlight.games.draughts.text import RussianDraughts, make

__all__ = ["Draughts", "Draws", "Move", "RussianDraughts", "make"]
