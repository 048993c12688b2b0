"""Computer players on the page: one is chosen, thinks, and its move is performed; a hint; a game reviewed.

The engines are real, each in a process of its own.
"""

from __future__ import annotations

import pytest
from e2e.conftest import PHONE, Serve, Visit
from e2e.guest import Guest, Seen, alter
from playwright.sync_api import WebSocketRoute, expect

pytestmark = pytest.mark.browser

THOUGHT = 60.0
"""Seconds until a computer must have answered; a weak one needs less than one, and its process a few to begin."""
BLUNDER = (("g3", "h4"), ("f6", "e5"), ("c3", "b4"), ("h6", "g5"))
"""A short game whose last move gives away men."""


def test_a_computer_is_chosen_in_the_menu_and_its_move_is_performed(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    assists = guest.page.get_by_label("The hand plays the computer's moves")
    expect(assists).to_be_hidden()
    guest.click_on("#menu-open")
    black = guest.page.get_by_label("Who plays Black")
    expect(black.locator("option").first).to_have_text("A person")
    expect(black.locator("option").nth(1)).to_have_text("Computer 1: First week")
    black.focus()
    black.select_option("computer-1")
    expect(guest.page.get_by_label("Black's name")).to_have_count(0)
    expect(guest.page.get_by_label("White's name")).to_have_value("Person")
    expect(black).to_be_focused()
    guest.click_on('[data-choice="close"]')
    expect(guest.page.locator("#sides li").nth(1)).to_contain_text("Computer, level 1")
    expect(assists).to_be_visible()
    guest.look()
    guest.drag("c3", "d4")
    asked = copied(guest)
    assert asked.why == "The lights show how."
    expect(guest.page.locator("#lights [data-line]").first).to_contain_text("lift this")
    expect(guest.page.locator('[data-button="hint"]')).to_have_attribute("aria-disabled", "true")
    assert not offered(guest, "sheet play", "say dark resign")
    perform(guest, asked)
    assert offered(guest, "sheet play", "say light resign") == ["sheet play", "say light resign"]


def test_before_a_game_the_buttons_say_who_plays(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "draughts"))
    who, hint = guest.page.locator("#sides li"), guest.page.locator('[data-button="hint"]')
    expect(hint).to_have_attribute("aria-disabled", "true")
    guest.press("next")
    expect(who.nth(1)).to_contain_text("Computer, level 1")
    expect(hint).to_have_attribute("aria-disabled", "false")
    guest.press("hint")
    expect(who.nth(0)).to_contain_text("Computer, level 1")
    expect(who.nth(1)).to_contain_text("Person")


def test_a_computers_stone_is_set_by_a_click_on_its_light(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "herd", "--light", "computer-1"))
    guest.press("go")
    guest.says("Red: press GO to roll.")
    guest.press("go")
    asked = copied(guest)
    [cell] = asked.lit("target")
    expect(guest.page.locator(".box.others")).to_have_attribute(
        "aria-label", "A blue stone from the box, though it is Red's turn"
    )
    guest.click(cell)
    guest.stands(**{cell: "red stone"})
    guest.counts(f"place {cell}")


def test_the_hand_plays_for_a_computer_where_it_is_told_to(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "draughts", "--dark", "computer-1"))
    guest.begin()
    assists = guest.page.get_by_label("The hand plays the computer's moves")
    assists.click()
    expect(assists).to_be_checked()
    guest.drag("c3", "d4")
    seen = guest.until(lambda seen: len(seen.actions) > 1, "Black's move", patience=THOUGHT)
    assert seen.actions[0] == "c3-d4"


_SIGN = """() => {
  const { animationName, width } = getComputedStyle(document.getElementById("say"), "::after");
  return [animationName, parseFloat(width) > 0];
}"""


def test_thinking_is_seen_and_moves_only_for_those_who_like_it(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    assert guest.page.evaluate(_SIGN) == ["none", False]
    guest.page.route_web_socket("**/ws", as_if_thinking)
    guest.page.reload()
    expect(guest.page.locator("#sides em")).to_have_text("thinking")
    assert guest.page.evaluate(_SIGN) == ["ponder", True]
    guest.page.emulate_media(reduced_motion="reduce")
    assert guest.page.evaluate(_SIGN) == ["none", True]


def as_if_thinking(route: WebSocketRoute) -> None:
    """Lets the page believe that a computer thinks."""
    alter(route, {"mode": "think", "say": "White is thinking."})


def test_a_hint_is_lit_said_and_can_be_followed(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    expect(guest.page.locator('[data-button="hint"]')).to_have_attribute("aria-disabled", "false")
    guest.press("hint")
    seen = guest.until(lambda seen: bool(seen.lit("hint")), "a hint", patience=THOUGHT)
    origin, target = sorted(seen.lit("hint"), key=lambda cell: cell not in seen.pieces)
    assert seen.say
    assert seen.why == f"Try {origin}-{target}: the lights show how."
    guest.drag(origin, target)
    guest.counts(f"{origin}-{target}")


def test_a_game_is_reviewed_and_its_mistake_shown_on_the_board(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    review = guest.page.locator("#review")
    for origin, target in BLUNDER:
        guest.drag(origin, target)
        guest.counts(f"{origin}-{target}")
    expect(review).to_be_hidden()
    guest.choose("say dark resign", "say dark resign")
    guest.until(lambda seen: seen.over, "the result")
    review.get_by_role("button", name="Review this game").press("Enter")
    expect(review.get_by_role("progressbar")).to_be_visible()
    expect(review).to_be_focused()
    mistake = review.get_by_role("button", name="Move 2, Black")
    expect(mistake).to_contain_text("was better", timeout=1000 * THOUGHT)
    expect(guest.page.locator("#detail")).to_have_text("The review is done: one mistake.")
    expect(review).to_contain_text("Black lost")

    mistake.click()
    seen = guest.says("Better: ")
    assert seen.why == "Played was h6-g5. Press the board to come back."
    assert seen.where == "In turn 2, looking back"
    assert (seen.pieces["h6"], seen.pieces.get("g5", "")) == ("black man", "")
    assert seen.lit("hint") == sorted(seen.say.removeprefix("Better: ").removesuffix(".").split("-"))
    expect(mistake).to_have_attribute("aria-pressed", "true")
    guest.click("a1")
    expect(mistake).to_have_attribute("aria-pressed", "false")
    assert guest.says("White wins: ").pieces["g5"] == "black man"

    guest.page.set_viewport_size(PHONE)
    guest.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    mistake.press("Enter")
    guest.says("Better: ")
    expect(guest.page.locator("#say")).to_be_in_viewport()
    expect(guest.page.locator('[data-cell="h6"]')).to_be_in_viewport()
    guest.click_on("#now")
    guest.says("White wins: ")


def begun(serve: Serve, visit: Visit) -> Guest:
    """Somebody at a game of draughts that has begun."""
    guest = visit(serve("--game", "draughts"))
    guest.begin()
    return guest


def copied(guest: Guest) -> Seen:
    """Waits until a computer's action is to be performed."""
    return guest.until(lambda seen: seen.say.startswith("Please play "), "a computer's move", patience=THOUGHT)


def perform(guest: Guest, asked: Seen) -> None:
    """Performs what a computer asks for, from light to light."""
    [origin], [target] = asked.lit("source"), asked.lit("target")
    guest.drag(origin, target)
    guest.counts("c3-d4", f"{origin}-{target}")


def offered(guest: Guest, *choices: str) -> list[str]:
    """Which of these choices the menu offers."""
    guest.click_on("#menu-open")
    found = [choice for choice in choices if guest.page.locator(f'[data-choice="{choice}"]').count()]
    guest.click_on('[data-choice="close"]')
    return found
