"""Findings: what one check comes to, in words that a builder understands.

    Well      nothing is wrong; what was seen, in a few words
    Wrong     for each thing that is wrong: what it is, why that may be, what to do
    Unasked   the check could not be made, and why

A check is a function of a ``Visit``. What it needs that may be missing (a port that opens, a board that
answers) it says as *needs*: reasons why it cannot be made now. What it is about at all (an expander, dice) it
says of the profile, and a board without it is never told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reedlight.app.checks.visit import Visit
from reedlight.board.kinds import listed
from reedlight.board.profile import Profile

NAMED = 12
"""Cells that are named one by one; of more the rest is counted."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: a sentence each, the last two empty where the first says it all."""

    fault: str
    cause: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Well:
    """Nothing is wrong."""

    says: str


@dataclass(frozen=True, slots=True)
class Wrong:
    """Something is wrong."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Unasked:
    """The check was not made."""

    because: str


Outcome = Well | Wrong | Unasked


def outcome(findings: Sequence[Finding], says: str) -> Outcome:
    """Wrong if there are findings, else well."""
    return Wrong(tuple(findings)) if findings else Well(says)


Need = Callable[[Visit], str]
"""Why a check cannot be made now; empty if it can."""


def every_board(_profile: Profile) -> bool:
    """A check that is about every board."""
    return True


@dataclass(frozen=True, slots=True)
class Check:
    """One row of the doctor's table."""

    name: str
    run: Callable[[Visit], Outcome]
    about: Callable[[Profile], bool] = every_board
    """Whether a board has what is looked at."""
    needs: tuple[Need, ...] = ()
    asks: bool = False
    """Whether a person has to do something for it."""


def named(words: Sequence[str]) -> str:
    """Cells or other things by name, a long list cut."""
    if len(words) <= NAMED:
        return listed(words)
    return f"{', '.join(words[: NAMED - 1])} and {len(words) - NAMED + 1} more"
