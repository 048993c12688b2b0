"""Whole games by pointer alone, from set-up to the announced result.

The player is a person who follows the lights: it lifts what is lit as movable, sets it down on a lit
cell, takes off what blinks, and presses GO where GO blinks. It knows no rules and chooses blindly.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import pytest

from e2e.conftest import Serve, Visit
from e2e.guest import Guest, Seen

pytestmark = pytest.mark.browser

LANDINGS = ("target", "merge", "capture")
MOST_ACTIONS = 400
"""A random game of any kind here is over long before."""


@dataclass
class Follower:
    """Plays where the lights lead."""

    guest: Guest
    rng: Random
    hasty: bool = False
    """Accepts with GO instead of waiting until the board has rested."""
    met: set[str] = field(default_factory=set)
    """The kinds of lights that were followed."""

    def play_on(self) -> Seen:
        """Plays until the result is announced."""
        for _ in range(MOST_ACTIONS):
            seen = self.guest.until(_inviting, "invitation")
            assert not seen.notice, seen
            if seen.over:
                return seen
            self._follow(seen)
        raise AssertionError(f"no end after {MOST_ACTIONS} actions: {self.guest.look()}")

    def _follow(self, seen: Seen) -> None:
        before = seen
        if seen.lamps["go"] == "blink":
            self.guest.press("go")
        elif due := seen.lit("taken", "remove"):
            self._take_off(seen, self.rng.choice(due))
        elif movable := seen.lit("movable"):
            self._carry(self.rng.choice(movable))
        else:
            self._set(self.rng.choice(seen.lit("target")))
        self._until_accepted(before)

    def _until_accepted(self, before: Seen) -> None:
        """An action that is not over yet goes on where it stands."""
        while True:
            seen = self.guest.until(lambda seen: _done(seen, before) or _unfinished(seen), "acceptance")
            if _done(seen, before):
                return
            if due := seen.lit("taken"):
                self._take_off(seen, due[0])
