"""Herd on the page: a whole game by mouse, some of it by finger and by keys, and a stone too many."""

from __future__ import annotations

from random import Random

import pytest
from e2e.conftest import PHONE, QUICK, Serve, Visit
from e2e.follower import Finger, Follower, Keys, Mouse, by_go
from e2e.guest import Guest
from e2e.results import assert_result_shines
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

OPENING = "Red: place "


def test_a_whole_game_until_the_board_is_full(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "herd", "--size", "4", "--commit", "button"), **QUICK)
    player = Follower(guest, Mouse(guest, Random(1)), Random(4), by_go)
    seen = player.play_on()
    assert_result_shines(seen)
    assert player.met >= {"target", "remove"}
    assert len(seen.pieces) == 37


def test_placing_and_taking_off_by_finger(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "herd", "--size", "4"), viewport=PHONE, has_touch=True, is_mobile=True)
    play_until_blue_has_taken_off_a_stone(Follower(guest, Finger(guest), Random(5)))


def test_placing_and_taking_off_by_keys(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "herd", "--size", "4"))
    guest.walk("0,0")
    play_until_blue_has_taken_off_a_stone(Follower(guest, Keys(guest), Random(5)))


def play_until_blue_has_taken_off_a_stone(player: Follower) -> None:
    """Begins; Red rolls and places one stone to six; Blue rolls and takes one off."""
    seen = player.play_one()
    while "remove" not in player.met:
        seen = player.play_one()
    assert [turn.split()[0] for turn in seen.turns] == ["place", "remove"]
    assert seen.tray[0].startswith("red stone")


def rolled(serve: Serve, visit: Visit) -> Guest:
    """Somebody at an empty board whose first dice have fallen."""
    guest = visit(serve("--game", "herd", "--size", "4"))
    guest.press("go")
    guest.says("Red: press GO to roll.")
    guest.press("go")
    guest.says(OPENING)
    return guest


def test_a_stone_is_dragged_from_its_box(serve: Serve, visit: Visit) -> None:
    guest = rolled(serve, visit)
    guest.drag_from('[data-stone="light"]', "1,-1")
    seen = guest.counts("place 1,-1")
    assert seen.pieces == {"1,-1": "red stone"}


def test_a_stone_of_the_other_side_is_dimmed_and_named_but_may_be_taken(serve: Serve, visit: Visit) -> None:
    guest = rolled(serve, visit)
    boxes = guest.page.locator("[data-stone]")
    expect(boxes.nth(0)).to_have_attribute("title", "A red stone from the box")
    expect(boxes.nth(1)).to_have_attribute("title", "A blue stone from the box, though it is Red's turn")
    opacities = [
        each.locator("svg").evaluate("(node) => Number(getComputedStyle(node).opacity)") for each in boxes.all()
    ]
    assert opacities[0] == 1
    assert opacities[1] < 0.5
    boxes.nth(1).click()
    assert guest.holds("blue stone").notice == "That is a blue stone, and it is Red's turn."
    guest.click_on("#hold .tray")
    assert guest.holds("").tray == ("blue stone: take from the tray",)


def test_the_tray_shows_boxes_and_heaps_whole_on_a_phone(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "herd", "--size", "4"), viewport=PHONE, has_touch=True, is_mobile=True)
    for side in ("light", "dark"):
        guest.tap_on(f'[data-stone="{side}"]')
        guest.tap_on('[data-palm="tray"]')
        guest.holds("")
    assert len(guest.look().tray) == 2
    tray = guest.page.locator("#hold .tray").bounding_box()
    assert tray
    for button in guest.page.locator("#hold .tray button").all():
        box = button.bounding_box()
        assert box
        assert tray["x"] <= box["x"] <= box["x"] + box["width"] <= tray["x"] + tray["width"]
        assert tray["y"] <= box["y"] <= box["y"] + box["height"] <= tray["y"] + tray["height"]


def test_back_asks_for_the_stone_to_be_taken_off(serve: Serve, visit: Visit) -> None:
    guest = rolled(serve, visit)
    guest.click("0,0")
    guest.counts("place 0,0")
    guest.press("back")
    guest.says("Take 0,0 off.")
    guest.lights("extra", "0,0")
    guest.drag_to_tray("0,0")
    seen = guest.says(OPENING)
    assert not seen.pieces
