"""The computer player of Russian draughts."""

from __future__ import annotations

from typing import Any

from reedlight.core.game import Game
from reedlight.players.draughts.mind import DraughtsMind
from reedlight.players.player import Mind

__all__ = ["mind"]


def mind(game: Game[Any]) -> Mind:
    """The player for a board of Russian draughts; all its boards are played alike."""
    if game.name != "draughts":
        raise ValueError(f"this mind plays draughts, not {game.name}")
    return DraughtsMind()
