"""Switches that are not right, on the page: named, played without, believed again."""

from __future__ import annotations

from typing import Any

import pytest
from e2e.conftest import PHONE, Serve, Visit
from e2e.guest import Guest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

FLICKERS = "The switch of c3 flickers: 16 changes in 10 s."


def flickering(serve: Serve, visit: Visit, **window: Any) -> Guest:
    """A game of draughts that has begun, and a switch under a piece that flickers."""
    guest = visit(serve("--game", "draughts"), **window)
    guest.press("go")
    guest.lights("movable", "a3", "c3", "e3", "g3")
    guest.click_on("#bench-open")
    guest.click_on('#bench label:has([value="flicker"])')
    guest.click_on('[data-switch="c3"]')
    guest.until(lambda seen: seen.link == FLICKERS, "the sentence that names the switch")
    guest.click_on("#bench-open")
    return guest


def test_a_switch_that_flickers_is_named_and_played_without_until_it_works_again(serve: Serve, visit: Visit) -> None:
    guest = flickering(serve, visit)
    guest.choose("sheet switches", "deaf c3")
    guest.until(lambda seen: seen.link == "Simulated board", "a board without a complaint")
    guest.drag("c3", "d4")
    guest.says("Did you play c3-d4?")
    guest.press("go")
    guest.counts("c3-d4")
    guest.choose("sheet switches", "heard c3")
    guest.click_on("#menu-open")
    expect(guest.page.locator("#menu h2")).to_have_text("Menu")
    expect(guest.page.locator('[data-choice="sheet switches"]')).to_have_count(0)


def test_the_list_of_switches_says_what_is_wrong_and_what_can_be_done_on_a_phone_too(
    serve: Serve, visit: Visit
) -> None:
    guest = flickering(serve, visit, viewport=PHONE)
    guest.click_on("#menu-open")
    expect(guest.page.locator('[data-choice="sheet switches"]')).to_have_text("1 is not right")
    guest.click_on('[data-choice="sheet switches"]')
    sheet = guest.page.locator("#menu")
    expect(sheet).to_contain_text(FLICKERS)
    guest.click_on('[data-choice="deaf c3"]')
    expect(guest.page.locator('[data-choice="heard c3"]')).to_have_text("It works again")
    assert sheet.evaluate("node => node.scrollWidth <= node.clientWidth")
    guest.click_on('[data-choice="heard c3"]')
    guest.page.mouse.move(0, 0)
    expect(sheet).to_contain_text("All of them are right")
