"""Every game there is: a table from its name to what makes it.

A game is one package here and one row of this table; see ``controller/ARCHITECTURE.md``, "Add a game".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from reedlight.core.game import BadOption, Game
from reedlight.core.quoting import quoted
from reedlight.games import diablo, draughts, herd


@dataclass(frozen=True, slots=True)
class Entry:
    """One game as a person chooses it: its title, the sizes offered, and what makes a game of a size."""

    title: str
    sizes: tuple[str, ...]
    """The sizes to offer, in order; ``make`` takes more than these."""
    usual: str
    """The size that is taken when none is asked for."""
    make: Callable[[str], Game[Any]]
    """The game of a size; raises BadOption in one sentence where there is none."""
    author: str = ""
    """Who invented it; empty where nobody knows."""


REGISTRY: Mapping[str, Entry] = MappingProxyType(
    {
        "diablo": Entry("Diablo", ("6", "8", "10"), "8", diablo.make, "Mark Steere"),
        "draughts": Entry("Russian draughts", ("8",), "8", draughts.make),
        "herd": Entry("Herd", ("4", "5", "6"), "5", herd.make, "Mark Steere"),
    }
)


def make(name: str, size: str | None = None) -> Game[Any]:
    """The game of that name and size (its usual one without); raises BadOption where there is none."""
    entry = REGISTRY.get(name)
    if entry is None:
        raise BadOption(f"there is no game {quoted(name)}; there are {', '.join(REGISTRY)}")
    return entry.make(entry.usual if size is None else size)
