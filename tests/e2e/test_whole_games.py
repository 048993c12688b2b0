"""Whole games by mouse alone, from set-up to the announced result."""

from __future__ import annotations

import re
from random import Random

import pytest

from e2e.conftest import Serve, Visit
from e2e.follower import Follower, Mouse, by_go, by_resting
from e2e.guest import Seen

pytestmark = pytest.mark.browser


def on_the_tray(seen: Seen) -> int:
    """How many pieces lie on the tray; equal ones lie on one heap."""
    return sum(int(heap[1]) if (heap := re.search(r", (\d+) of them", label)) else 1 for label in seen.tray)


def assert_result_shines(seen: Seen) -> None:
    """The sentence names the winner, and the winner's pieces shine: all of them and no others."""
    assert seen.over, seen
    winner = seen.say.partition(" wins: ")[0].lower() if " wins: " in seen.say else None
    own = [cell for cell, piece in seen.pieces.items() if piece.split()[0] == winner]
    assert seen.lit("winner") == sorted(own), seen


def test_draughts_with_the_captives_on_the_tray(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "draughts"), reduced_motion="reduce")
    player = Follower(guest, Mouse(guest, Random(1)), Random(8), by_resting)
    seen = player.play_on()
    assert_result_shines(seen)
    assert player.met == {"target", "taken"}
    assert on_the_tray(seen) == 24 - len(seen.pieces)


def test_diablo_with_every_kind_of_action(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "diablo", "--size", "6", "--commit", "button"), reduced_motion="reduce")
    player = Follower(guest, Mouse(guest, Random(1)), Random(6), by_go)
    seen = player.play_on()
    assert_result_shines(seen)
    assert player.met == {"target", "merge", "capture", "remove"}


def test_herd_until_the_board_is_full(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "herd", "--size", "4", "--commit", "button"), reduced_motion="reduce")
    player = Follower(guest, Mouse(guest, Random(1)), Random(4), by_go)
    seen = player.play_on()
    assert_result_shines(seen)
    assert player.met >= {"target", "remove"}
    assert len(seen.pieces) == 37
