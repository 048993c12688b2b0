"""What the people at the table may choose, and the times a session works with.

Durations are seconds. The settling time is the one that is felt: long enough for a slid piece to come
to rest, short enough not to be noticed. The others follow from what hands do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from reedlight.core.game import BadOption, Side
from reedlight.core.quoting import quoted


class Commit(Enum):
    """When an action that the switches explain is accepted."""

    SETTLE = "settle"
    """Once the board has been still for a moment."""
    BUTTON = "button"
    """When GO is pressed."""
    OPPONENT = "opponent"
    """When the other side lifts a piece, or rolls."""


class DiceFrom(Enum):
    """Whose dice fall."""

    BOARD = "board"
    """The board's own."""
    TABLE = "table"
    """The players'; they say what was rolled."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays a side: a person, a computer of a level from 1, or an outside engine by its name.

    As text, in one word: ``person``, ``computer-3``, ``engine-NAME``.
    """

    level: int = 0
    engine: str = ""

    @property
    def is_person(self) -> bool:
        """Whether a person plays here."""
        return self == PERSON

    def __str__(self) -> str:
        if self.engine:
            return f"engine-{self.engine}"
        return f"computer-{self.level}" if self.level else "person"


PERSON = Seat()


LEVELS = 6
"""How many levels a computer has."""


def seat(text: str) -> Seat:
    """The seat that a word names; raises BadOption for anything else."""
    kind, _, which = text.partition("-")
    if kind == "engine" and which:
        return Seat(engine=which)
    found = next((each for each in (PERSON, *map(Seat, range(1, LEVELS + 1))) if str(each) == text), None)
    if found is None:
        raise BadOption(f"{quoted(text)} is no player; there are person, computer-1 to computer-{LEVELS}, engine-NAME")
    return found


class Guidance(Enum):
    """How much the lights say."""

    FULL = "full"
    """Which pieces can act, where they may go, and everything else."""
    TARGETS = "targets"
    """Where a lifted piece may go; nothing before."""
    ERRORS = "errors"
    """Only what is wrong or asked."""


def next_player(sitting: Seat) -> Seat:
    """Who comes after this one as a button goes through them: a person, and every level."""
    return Seat(level=(sitting.level + 1) % (LEVELS + 1))


_ALL_PERSONS: Mapping[Side, Seat] = MappingProxyType({Side.LIGHT: PERSON, Side.DARK: PERSON})
_ALL_FULL: Mapping[Side, Guidance] = MappingProxyType({Side.LIGHT: Guidance.FULL, Side.DARK: Guidance.FULL})


@dataclass(frozen=True, slots=True)
class Timing:
    """The session's patience."""

    follow: float = 0.15
    """A next piece lifted this long is meant, so what came before it is done: longer than a nudge."""
    settle: float = 0.4
    """Stillness after which an explained action is accepted."""
    grace: float = 0.8
    """Stillness after which an unexplained board is shown as astray."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices for one sitting."""

    commit: Commit = Commit.SETTLE
    guidance: Mapping[Side, Guidance] = field(default_factory=lambda: _ALL_FULL)
    timing: Timing = Timing()
    dice: DiceFrom = DiceFrom.BOARD
    seats: Mapping[Side, Seat] = field(default_factory=lambda: _ALL_PERSONS)

    @property
    def computers(self) -> frozenset[Side]:
        """The sides that no person plays."""
        return frozenset(side for side, seat in self.seats.items() if not seat.is_person)
