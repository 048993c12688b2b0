"""Every computer player there is: a table from a game's name to what makes its mind.

A game without a row is played by ``plain``, which counts pieces; see ``player`` for what a mind is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from reedlight.core.game import Game
from reedlight.players import diablo, draughts, herd, plain
from reedlight.players.player import Mind

MINDS: Mapping[str, Callable[[Game[Any]], Mind]] = MappingProxyType(
    {
        "diablo": diablo.mind,
        "draughts": draughts.mind,
        "herd": herd.mind,
    }
)


def of(game: Game[Any]) -> Mind:
    """The mind that plays the game on its board."""
    return MINDS.get(game.name, plain.mind)(game)
