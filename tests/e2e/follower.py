"""A player who follows the lights, whichever game it is: by mouse, by finger, or by keys.

    page ──lights, sentence──► Follower ──lift, set down, take off, press──► Manner ──► page

It lifts what is lit as movable, sets it down on a lit cell, takes off what blinks, presses GO where GO
blinks, and chooses blindly. It knows no rules, so whatever it plays was allowed by what the page shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from e2e.guest import Guest, Seen

LANDINGS = ("target", "merge", "capture")
BEGINNINGS = ("movable", "remove", "target")
MOST_ACTIONS = 500
"""Rolls counted; lights followed blindly end a game of any kind long before."""


class Manner(Protocol):
    """How somebody moves pieces."""

    def lift(self, cell: str) -> None:
        """Takes a piece into the hand."""

    def set_down(self, cell: str) -> None:
        """Sets down what is in the hand."""

    def touch(self, cell: str) -> None:
        """Does at a cell what its light asks for: gives up a piece there, or places one."""

    def clear(self, cell: str) -> None:
        """Takes a captive off the board."""

    def press(self, button: str) -> None:
        """Presses one of the four buttons."""


@dataclass
class Mouse:
    """Drags or clicks, as it happens."""

    guest: Guest
    rng: Random
    _dragging: bool = False

    def lift(self, cell: str) -> None:
        self._dragging = self.rng.random() < 0.5
        (self.guest.grasp if self._dragging else self.guest.click)(cell)

    def set_down(self, cell: str) -> None:
        (self.guest.let_go if self._dragging else self.guest.click)(cell)

    def touch(self, cell: str) -> None:
        self.guest.click(cell)

    def clear(self, cell: str) -> None:
        (self.guest.click if self.rng.random() < 0.5 else self.guest.drag_to_tray)(cell)

    def press(self, button: str) -> None:
        self.guest.press(button)


@dataclass
class Finger:
    """Taps."""

    guest: Guest

    def lift(self, cell: str) -> None:
        self.guest.tap(cell)

    def set_down(self, cell: str) -> None:
        self.guest.tap(cell)

    def touch(self, cell: str) -> None:
        self.guest.tap(cell)

    def clear(self, cell: str) -> None:
        self.guest.tap(cell)

    def press(self, button: str) -> None:
        self.guest.tap_on(f'[data-button="{button}"]')


@dataclass
class Keys:
    """Walks with the arrows and presses Enter; the buttons' own letters."""

    guest: Guest

    def lift(self, cell: str) -> None:
        self.touch(cell)

    def set_down(self, cell: str) -> None:
        self.touch(cell)

    def touch(self, cell: str) -> None:
        self.guest.walk(cell)
        self.guest.type("Enter")

    def clear(self, cell: str) -> None:
        self.guest.walk(cell)
        self.guest.type("Delete")

    def press(self, button: str) -> None:
        self.guest.type(button[0])


def by_resting(_: Seen) -> bool:
    """The board accepts by itself once it has rested, so GO is not needed."""
    return False


def by_go(seen: Seen) -> bool:
    """GO is to accept what was done: it blinks."""
    return seen.empty_handed and seen.lamps["go"] == "blink"


def is_inviting(seen: Seen) -> bool:
    """Whether the page says what comes next, with nothing in the hand."""
    return seen.over or (
        seen.empty_handed and bool(seen.lit(*BEGINNINGS) or seen.answers or seen.lamps["go"] == "blink")
    )


def captives(seen: Seen) -> list[str]:
    """The pieces that must leave now and still stand."""
    return [cell for cell in seen.lit("taken") if cell in seen.pieces]


def is_unfinished(seen: Seen) -> bool:
    """Whether the action that was begun asks for a captive to leave or for a next jump."""
    return seen.empty_handed and bool(captives(seen) or seen.say.startswith("Go on with"))


def has_gone_on(seen: Seen, before: Seen) -> bool:
    """Whether the game has gone on since: there is a new action, a roll, a beginning or an end."""
    return seen.over or seen.turns != before.turns or seen.where != before.where


@dataclass
class Follower:
    """Plays where the lights lead."""

    guest: Guest
    manner: Manner
    rng: Random
    calls_for_go: Callable[[Seen], bool] = by_resting
    met: set[str] = field(default_factory=set[str])
    """The kinds of lights that were followed so far."""

    def play_on(self) -> Seen:
        """Plays until the result is announced."""
        for _ in range(MOST_ACTIONS):
            seen = self.play_one()
            if seen.over:
                return seen
        raise AssertionError(f"no end after {MOST_ACTIONS} actions: {self.guest.look()}")

    def play_one(self) -> Seen:
        """Does the next thing that the page invites to, whole."""
        seen = self.guest.until(is_inviting, "invitation")
        assert not seen.answers, f"a question that careful play does not call for: {seen}"
        assert not seen.notice, f"a refusal of what the lights invite to: {seen}"
        if seen.over:
            return seen
        if seen.lamps["go"] == "blink":
            return self._press_go(seen)
        if stones := seen.lit("remove"):
            self._touch(seen, self.rng.choice(stones))
        elif movable := seen.lit("movable"):
            self._carry(self.rng.choice(movable))
        else:
            self._touch(seen, self.rng.choice(seen.lit("target")))
        return self._finish(seen)

    def _press_go(self, before: Seen) -> Seen:
        self.manner.press("go")
        return self.guest.until(lambda seen: has_gone_on(seen, before), "effect of GO")

    def _finish(self, begun: Seen) -> Seen:
        """Does what the action still asks for, until it counts."""

        def asks_or_counts(seen: Seen) -> bool:
            return has_gone_on(seen, begun) or is_unfinished(seen) or self.calls_for_go(seen)

        while not has_gone_on(seen := self.guest.until(asks_or_counts, "sequel"), begun):
            if waiting := captives(seen):
                self._clear(self.rng.choice(waiting))
            elif stop := re.search(r"the piece on (\S+): ", seen.say):
                self._carry(stop.group(1))
            else:
                return self._press_go(begun)
        return seen

    def _touch(self, seen: Seen, cell: str) -> None:
        self.met.add(seen.marks[cell])
        self.manner.touch(cell)

    def _carry(self, origin: str) -> None:
        """Lifts a piece and takes it to a light."""
        self.manner.lift(origin)
        seen = self.guest.until(
            lambda seen: seen.say.startswith("Set the") and bool(seen.lit(*LANDINGS)),
            f"place for what stood on {origin}",
        )
        target = self.rng.choice(seen.lit(*LANDINGS))
        self.met.add(seen.marks[target])
        self.manner.set_down(target)

    def _clear(self, captive: str) -> None:
        """Takes a captive to the tray."""
        self.met.add("taken")
        self.manner.clear(captive)
        self.guest.until(
            lambda seen: captive not in seen.pieces and seen.empty_handed, f"captive of {captive} on the tray"
        )
