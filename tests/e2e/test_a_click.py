"""What a click on a cell asks for, as a table: the page's own ``deeds``, asked in a browser about views made up here.

    board = {"a1": "own"}, hand = [("enemy", "b1")], lights = {"b1": "capture"}   click a1 ──► lift a1

Clicks, taps, Enter and the lights' buttons all go this way, so who only taps can do whatever stands here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from e2e.serving import Server
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

_DEEDS = """async ([view, cell]) => {
  const { deeds } = await import("/hand.js");
  return deeds(view, cell).map(({ do: deed, ...rest }) => [deed, ...Object.values(rest)].join(" "));
}"""
SIDES = {"own": "dark", "enemy": "light"}
OWN, ENEMY = "own", "enemy"
CHECKERS, STONES = "checker", "stone"


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    server = Server("--game", "diablo")
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.url)
    yield page
    context.close()
    assert not server.stop()


def piece(whose: str, kind: str) -> dict[str, Any]:
    """A single piece, or a stack as ``own 3``."""
    owner, _, height = whose.partition(" ")
    return {"side": SIDES[owner], "kind": kind, "height": int(height or 1)}


def asked(
    page: Page,
    cell: str,
    *,
    board: Mapping[str, str] | None = None,
    hand: Sequence[tuple[str, str | None]] = (),
    lights: Mapping[str, str] | None = None,
    tray: Sequence[str] = (),
    kind: str = CHECKERS,
    **more: Any,
) -> list[str]:
    """What a click on the cell asks for, the mover being ``own``."""
    view = {
        "simulated": True,
        "mode": "play",
        "pieces": {at: piece(whose, kind) for at, whose in (board or {}).items()},
        "hand": [{"from": origin, "piece": piece(whose, kind)} for whose, origin in hand],
        "lights": {at: {"mark": mark} for at, mark in (lights or {}).items()},
        "tray": [piece(whose, kind) for whose in tray],
        "sides": [{"side": side, "active": whose == OWN} for whose, side in SIDES.items()],
        "supply": dict.fromkeys(SIDES.values(), kind == STONES),
        "options": [],
        "expected": {},
    }
    return page.evaluate(_DEEDS, [view | more, cell])


def test_an_empty_hand_lifts_what_stands_there(page: Page) -> None:
    assert asked(page, "a1", board={"a1": OWN}) == ["lift a1"]
    assert asked(page, "b1", board={"b1": ENEMY}) == ["lift b1"]
    assert asked(page, "c1", board={"a1": OWN}) == []


def test_what_must_leave_goes_to_the_tray_even_while_something_is_held(page: Page) -> None:
    lights = {"b1": "taken"}
    assert asked(page, "b1", board={"b1": ENEMY}, lights=lights) == ["lift b1", "tray"]
    assert asked(page, "b1", board={"b1": ENEMY}, lights=lights, hand=[(OWN, "a1")]) == ["lift b1", "tray"]


def test_a_single_checker_is_given_up_whole_and_a_stack_by_one(page: Page) -> None:
    lights = {"a1": "remove", "a2": "remove"}
    board = {"a1": OWN, "a2": "own 3"}
    assert asked(page, "a1", board=board, lights=lights) == ["lift a1", "tray"]
    assert asked(page, "a2", board=board, lights=lights) == ["give a2"]


def test_a_held_stack_goes_onto_a_light_and_back_to_its_cell(page: Page) -> None:
    lights = {"a3": "target", "c1": "merge", "b1": "capture", "a1": "source"}
    board = {"c1": OWN, "b1": ENEMY}
    for cell in ("a1", "a3", "c1", "b1"):
        assert asked(page, cell, board=board, lights=lights, hand=[(OWN, "a1")]) == [f"place {cell}"]


def test_another_own_stack_is_taken_instead_where_the_lights_do_not_invite(page: Page) -> None:
    lights = {"a3": "target"}
    assert asked(page, "d1", board={"d1": OWN}, lights=lights, hand=[(OWN, "a1")]) == ["place a1", "lift d1"]


def test_where_lights_say_nothing_a_stack_goes_onto_a_stack(page: Page) -> None:
    assert asked(page, "d1", board={"d1": OWN}, hand=[(OWN, "a1")]) == ["place d1"]
    assert asked(page, "d1", board={"d1": ENEMY}, hand=[(OWN, "a1")]) == ["place d1"]


def test_no_piece_is_dropped_on_one_that_the_lights_do_not_invite_to_take(page: Page) -> None:
    lights = {"a3": "target"}
    assert asked(page, "d1", board={"d1": ENEMY}, lights=lights, hand=[(OWN, "a1")]) == []
    assert asked(page, "d1", board={"d1": ENEMY}, hand=[(OWN, None)], kind=STONES) == []


def test_who_holds_what_is_taken_lifts_the_taker_too(page: Page) -> None:
    lights = {"b1": "capture", "a1": "movable"}
    assert asked(page, "a1", board={"a1": OWN}, lights=lights, hand=[(ENEMY, "b1")]) == ["lift a1"]
    assert asked(page, "b1", lights=lights, hand=[(ENEMY, "b1"), (OWN, "a1")]) == ["place b1"]


def test_two_held_pieces_are_not_exchanged_for_a_third(page: Page) -> None:
    hand = [(OWN, "a1"), (OWN, "a2")]
    assert asked(page, "d1", board={"d1": OWN}, lights={"a3": "target"}, hand=hand) == []


def test_what_was_laid_aside_in_the_middle_of_a_move_comes_back_from_the_tray(page: Page) -> None:
    lights = {"a1": "source", "a3": "target"}
    tray = [OWN, ENEMY, OWN, ENEMY]
    assert asked(page, "a3", lights=lights, tray=tray) == ["untray 2", "place a3"]
    assert asked(page, "a1", lights=lights, tray=tray) == ["untray 2", "place a1"]
    assert asked(page, "d4", lights=lights, tray=tray) == []


def test_a_missing_piece_comes_from_the_tray_and_a_stone_from_the_box(page: Page) -> None:
    missing = {"b1": piece(ENEMY, CHECKERS)}
    lights = {"b1": "missing"}
    assert asked(page, "b1", lights=lights, tray=[OWN, ENEMY], expected=missing) == ["untray 1", "place b1"]
    assert asked(page, "b1", lights={"b1": "target"}, kind=STONES) == ["stone dark", "place b1"]
    assert asked(page, "b1", lights={"b1": "target", "c1": "taken"}, kind=STONES) == []


def test_a_cell_that_is_one_answer_chooses_it(page: Page) -> None:
    options = [{"cells": ["a1", "c1"]}, {"cells": ["a1", "b1"]}]
    assert asked(page, "b1", board={"b1": OWN}, options=options) == ["choose 1"]
    assert asked(page, "a1", board={"a1": OWN}, options=options) == ["lift a1"]


def test_nothing_is_moved_on_a_page_that_is_no_simulator(page: Page) -> None:
    assert asked(page, "a1", board={"a1": OWN}, simulated=False) == []
