"""Whole games by mouse alone, from set-up to the announced result.

The player follows the lights: it lifts what is lit as movable, sets it down on a lit cell, takes off
what blinks, and presses GO where GO blinks. It knows no rules and chooses blindly.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import pytest

from e2e.conftest import Serve, Visit
from e2e.guest import Guest, Seen

pytestmark = pytest.mark.browser

LANDINGS = ("target", "merge", "capture")
MOST_ACTIONS = 400
"""A game of lights followed blindly is over long before, whichever game it is."""


def is_inviting(seen: Seen) -> bool:
    """Whether the page says what comes next, with nothing in the hand."""
    lit = seen.lit("movable", "remove", "target")
    return seen.over or (seen.empty_handed and bool(lit or seen.answers or seen.lamps["go"] == "blink"))


def waiting_captives(seen: Seen) -> list[str]:
    """The pieces that must leave now and still stand."""
    return [cell for cell in seen.lit("taken") if cell in seen.pieces]


def is_unfinished(seen: Seen) -> bool:
    """Whether the action that was begun asks for a captive to leave or for a next jump."""
    return seen.empty_handed and bool(waiting_captives(seen) or seen.say.startswith("Go on with"))


def by_resting(_: Seen) -> bool:
    """The board accepts by itself once it has rested; GO is not needed."""
    return False


def by_go(seen: Seen) -> bool:
    """GO is to accept what was set down."""
    return seen.empty_handed and (seen.say.endswith("GO accepts it.") or seen.say.startswith("Set the"))


@dataclass
class Follower:
    """Plays where the lights lead, by dragging and by clicking."""

    guest: Guest
    rng: Random
    calls_for_go: Callable[[Seen], bool]
    met: set[str] = field(default_factory=set)
    """The kinds of lights that were followed so far."""

    def play_on(self) -> Seen:
        """Plays until the result is announced."""
        for _ in range(MOST_ACTIONS):
            seen = self.guest.until(is_inviting, "invitation")
            assert not seen.answers, f"a question that careful play does not call for: {seen}"
            assert not seen.notice, f"a refusal of what the lights invite: {seen}"
            if seen.over:
                return seen
            self._follow(seen)
        raise AssertionError(f"no end after {MOST_ACTIONS} actions: {self.guest.look()}")

    def _follow(self, seen: Seen) -> None:
        """Performs one action, whole."""
        if seen.lamps["go"] == "blink":
            self.guest.press("go")
        elif stones := seen.lit("remove"):
            self._touch(seen, self.rng.choice(stones))
        elif movable := seen.lit("movable"):
            self._carry(self.rng.choice(movable))
        else:
            self._touch(seen, self.rng.choice(seen.lit("target")))
        self._finish(seen)

    def _finish(self, begun: Seen) -> None:
        """Does what the action still asks for, until it counts."""

        def counts(seen: Seen) -> bool:
            return seen.over or seen.turns != begun.turns or seen.where != begun.where

        def wants_more(seen: Seen) -> bool:
            return counts(seen) or is_unfinished(seen) or self.calls_for_go(seen)

        while not counts(seen := self.guest.until(wants_more, "sequel")):
            if captives := waiting_captives(seen):
                self._clear(self.rng.choice(captives))
            elif seen.say.startswith("Go on with"):
                self._carry(re.findall(r"piece on (\S+?):", seen.say)[0])
            else:
                self.guest.press("go")
                self.guest.until(counts, "acceptance by GO")

    def _touch(self, seen: Seen, cell: str) -> None:
        self.met.add(seen.marks[cell])
        self.guest.click(cell)

    def _carry(self, origin: str) -> None:
        """Lifts a piece and takes it to a light."""
        if dragging := self.rng.random() < 0.5:
            self.guest.grasp(origin)
        else:
            self.guest.click(origin)
        seen = self.guest.until(lambda seen: seen.say.startswith("Set the") and bool(seen.lit(*LANDINGS)), "place to set it down")
        target = self.rng.choice(seen.lit(*LANDINGS))
        self.met.add(seen.marks[target])
        if dragging:
            self.guest.let_go(target)
        else:
            self.guest.click(target)

    def _clear(self, captive: str) -> None:
        """Takes a captive to the tray."""
        self.met.add("taken")
        if self.rng.random() < 0.5:
            self.guest.click(captive)
        else:
            self.guest.drag_to_tray(captive)
        self.guest.until(lambda seen: captive not in seen.pieces and seen.empty_handed, f"captive of {captive} on the tray")


def on_the_tray(seen: Seen) -> int:
    """How many pieces lie on the tray; equal ones lie on one heap."""
    return sum(int(found.group(1)) if (found := re.search(r", (\d+) of them", heap)) else 1 for heap in seen.tray)


def assert_result_shown(seen: Seen) -> None:
    """The sentence names the winner, and the winner's pieces shine, all of them and no others."""
    assert seen.over, seen
    shining = {cell for cell in seen.pieces if seen.marks.get(cell) == "winner"}
    winner = seen.say.partition(" wins: ")[0].lower() if " wins: " in seen.say else None
    assert shining == {cell for cell, piece in seen.pieces.items() if piece.split()[0] == winner}, seen


def test_a_result_that_does_not_shine_is_noticed() -> None:
    shown = {"marks": {"a1": "winner"}, "pieces": {"a1": "white man", "c1": "black man"}}
    assert_result_shown(told("White wins: Black cannot move.", **shown))
    with pytest.raises(AssertionError):
        assert_result_shown(told("Black wins: White cannot move.", **shown))
    with pytest.raises(AssertionError):
        assert_result_shown(told("White to move.", **shown))


def test_draughts(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "draughts"), reduced_motion="reduce")
    player = Follower(guest, Random(8), by_resting)
    seen = player.play_on()
    assert_result_shown(seen)
    assert player.met == {"target", "capture", "taken"} - {"capture"}
    assert on_the_tray(seen) == 24 - len(seen.pieces)


def test_diablo(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "diablo", "--size", "6", "--commit", "button"), reduced_motion="reduce")
    player = Follower(guest, Random(6), by_go)
    seen = player.play_on()
    assert_result_shown(seen)
    assert player.met >= {"target", "merge", "capture", "remove"}


def test_herd(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "herd", "--size", "4", "--commit", "button"), reduced_motion="reduce")
    player = Follower(guest, Random(4), by_go)
    seen = player.play_on()
    assert_result_shown(seen)
    assert player.met >= {"target", "remove"}
    assert len(seen.pieces) == 37
