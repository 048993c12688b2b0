"""What goes into a session, what comes out of it, and what it waits for in between.

Events say what happened: the switches changed, a button was pressed, the dice fell, somebody spoke.
Effects say what the world must do or may want to know. What is *shown* is no effect: ``session.scene``
is always what it should be now.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from reedlight.core.game import Correction, Declaration, Outcome, Roll, Side
from reedlight.core.grid import Cell
from reedlight.scene.scene import Button
from reedlight.session.settings import Seat

# ------------------------------------------------------------------------------------------ events


@dataclass(frozen=True, slots=True)
class Board:
    """The cells on which something stands, debounced; sent whenever it changes, and whole every time."""

    occupied: frozenset[Cell]


@dataclass(frozen=True, slots=True)
class Press:
    """A button went down and up again."""

    button: Button


@dataclass(frozen=True, slots=True)
class Hold:
    """A button was held for two seconds."""

    button: Button


@dataclass(frozen=True, slots=True)
class Rolled:
    """The dice that were asked for by NeedRoll."""

    roll: Roll


@dataclass(frozen=True, slots=True)
class Spoken:
    """A side resigned, or offered, accepted or declined a draw."""

    declaration: Declaration


@dataclass(frozen=True, slots=True)
class Chosen:
    """A legal action picked on a screen; it is played, and the board is led to it."""

    action: Any


@dataclass(frozen=True, slots=True)
class Copy:
    """A computer's or remote player's legal action, for the hand to perform."""

    action: Any


@dataclass(frozen=True, slots=True)
class Advised:
    """A good action for the person to act, and in a sentence what it is for."""

    action: Any
    why: str


@dataclass(frozen=True, slots=True)
class Recount:
    """The players want to count the stacks, because the board may have one of them wrong."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """The players say on a screen how high stacks are."""

    correction: Correction


@dataclass(frozen=True, slots=True)
class Deaf:
    """The switches of these cells are not believed, in this game and those that follow in this sitting."""

    cells: frozenset[Cell]


@dataclass(frozen=True, slots=True)
class Heard:
    """The switches of these cells are believed again."""

    cells: frozenset[Cell]


Event = Board | Press | Hold | Rolled | Spoken | Chosen | Copy | Advised | Recount | Corrected | Deaf | Heard

# ----------------------------------------------------------------------------------------- effects


@dataclass(frozen=True, slots=True)
class Began:
    """The set-up stands and the game has begun."""


@dataclass(frozen=True, slots=True)
class Anew:
    """A new game is to be set up."""


@dataclass(frozen=True, slots=True)
class Seated:
    """Before a game, somebody else was seated by the board's buttons."""

    seats: Mapping[Side, Seat]


@dataclass(frozen=True, slots=True)
class Resumed:
    """A game that had been begun before goes on."""


@dataclass(frozen=True, slots=True)
class NeedRoll:
    """Roll by the odds of ``state.chance()`` and answer with Rolled."""


@dataclass(frozen=True, slots=True)
class NeedChoice:
    """A side that no person plays has to act, or to answer an offer; answer with Copy or Spoken."""

    side: Side


@dataclass(frozen=True, slots=True)
class NeedHint:
    """A person would like to know what is good to do; answer with Advised."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """An action, roll or declaration has become part of the game."""

    action: Any


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The last action (or roll) is no longer part of the game."""

    action: Any


@dataclass(frozen=True, slots=True)
class Asked:
    """The switches fit several actions, so the player is asked which one it was."""

    actions: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """A piece was lifted that may not act, or set down where it may not stand."""

    cell: Cell
    why: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""

    outcome: Outcome


Need = NeedRoll | NeedChoice | NeedHint
Effect = Anew | Began | Seated | Resumed | Need | Accepted | TakenBack | Asked | Refused | Ended

# -------------------------------------------------------------------------------------------- mode


class Mode(Enum):
    """What the sitting is waiting for."""

    SETUP = "setup"
    REPLAY = "replay"
    RESUME = "resume"
    ROLL = "roll"
    PLAY = "play"
    THINK = "think"
    COPY = "copy"
    ASK = "ask"
    RESYNC = "resync"
    OVER = "over"
