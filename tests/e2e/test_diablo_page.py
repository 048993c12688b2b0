"""Diablo on the page: a whole game by mouse, some of it by finger and by keys, and what BACK does to a roll."""

from __future__ import annotations

from random import Random

import pytest
from e2e.conftest import PHONE, QUICK, Serve, Visit
from e2e.follower import LANDINGS, Finger, Follower, Keys, Mouse, by_go
from e2e.guest import Guest
from e2e.results import assert_result_shines

pytestmark = pytest.mark.browser


def test_a_whole_game_with_every_kind_of_action(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "diablo", "--size", "6", "--commit", "button"), **QUICK)
    player = Follower(guest, Mouse(guest, Random(1)), Random(6), by_go)
    seen = player.play_on()
    assert_result_shines(seen)
    assert player.met == {"target", "merge", "capture", "remove"}


def test_the_first_turns_by_finger(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "diablo", "--size", "6"), viewport=PHONE, has_touch=True, is_mobile=True)
    player = Follower(guest, Finger(guest), Random(2))
    play_two_turns(player)
    assert player.met <= {"merge", "capture", "target"}


def test_the_first_turns_by_keys(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "diablo", "--size", "6"))
    guest.walk("a1")
    player = Follower(guest, Keys(guest), Random(3))
    play_two_turns(player)
    assert player.met <= {"merge", "capture", "target"}


def play_two_turns(player: Follower) -> None:
    """Begins, rolls, plays Black's one move, rolls again and plays Green's two."""
    seen = player.play_one()
    while len(seen.actions) < 3:
        seen = player.play_one()
    assert [turn.count(";") for turn in seen.turns] == [0, 1], seen


def test_a_held_stack_goes_back_with_escape(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    guest.walk("a1")
    guest.type("Enter")
    guest.until(lambda seen: seen.lit("source") == ["a1"] and bool(seen.lit(*LANDINGS)), "targets of a1")
    guest.type("Escape")
    seen = guest.until(lambda seen: "a1" in seen.lit("movable"), "a1 movable again")
    assert seen.pieces["a1"] == "black checker"
    assert seen.empty_handed


def test_the_dice_that_were_taken_back_come_again(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    fallen = guest.look().dice
    assert fallen.startswith("Dice: ")
    guest.press("back")
    guest.says("Black: press GO to roll.")
    guest.press("go")
    assert guest.says("Black: move a stack").dice == fallen


def test_the_other_side_is_refused(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    guest.click("b1")
    seen = guest.says("That is Green's stack.", "b1 is lifted: now take it with a lit piece.")
    guest.click("b1")
    guest.says("Black: move a stack")
    assert seen.turns == ("",)


def begun(serve: Serve, visit: Visit) -> Guest:
    """Somebody at a small board whose first dice have fallen."""
    guest = visit(serve("--game", "diablo", "--size", "4"))
    guest.press("go")
    guest.says("Black: press GO to roll.")
    guest.press("go")
    guest.says("Black: move a stack")
    return guest
