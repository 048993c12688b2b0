"""Russian draughts on the page: a whole game by mouse, some of it by finger and by keys, and wrong play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest
from e2e.conftest import LAPTOP, PHONE, QUICK, Serve, Visit
from e2e.follower import Follower, Keys, Mouse
from e2e.guest import Guest, Seen
from e2e.results import assert_result_shines, on_the_tray
from e2e.serving import Server
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def table(browser: Browser) -> Iterator[Guest]:
    """A page that stays open for all games that are only begun."""
    server = Server("--game", "draughts")
    guest = Guest.at(browser.new_context(viewport=LAPTOP).new_page(), server.url)
    yield guest
    guest.page.context.close()
    assert not guest.complaints
    assert not server.stop()


@pytest.fixture
def guest(table: Guest) -> Guest:
    """Somebody at a game that has just begun."""
    table.choose(*["begin"] * (2 if table.look().turns and not table.look().over else 1))
    table.says("The board is ready.")
    table.press("go")
    table.until(lambda seen: bool(seen.lit("movable")) and not seen.turns, "White's pieces lit")
    return table


def play(guest: Guest, *moves: str) -> None:
    """Drags pieces, each move once the one before counts."""
    for move in moves:
        origin, target = move.split("-")
        guest.drag(origin, target)
        guest.counts(move)


# ---------------------------------------------------------------- a whole game


def test_a_whole_game_with_the_captives_on_the_tray(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "draughts"), **QUICK)
    player = Follower(guest, Mouse(guest, Random(1)), Random(103))
    seen = player.play_on()
    assert_result_shines(seen)
    assert player.met == {"target", "taken"}
    assert on_the_tray(seen) == 24 - len(seen.pieces)


def spoiled(seen: Seen) -> list[Seen]:
    """The same page with another sentence, with a piece that does not shine, and with one that should not."""
    (first, *_), others = seen.lit("winner"), {"h8": "black man"}
    return [
        replace(seen, say="White to move."),
        replace(seen, marks={cell: mark for cell, mark in seen.marks.items() if cell != first}),
        replace(seen, marks={**seen.marks, "h8": "winner"}, pieces={**seen.pieces, **others}),
    ]


def test_a_resigned_game_ends_and_a_result_that_does_not_shine_is_noticed(guest: Guest) -> None:
    guest.click_on("#menu-open")
    row = guest.page.get_by_role("group", name="Black", exact=True)
    row.get_by_role("button", name="resign").click()
    row.get_by_role("button", name="Really? Black resigns").click()
    seen = guest.says("White wins: Black resigned.")
    assert_result_shines(seen)
    for wrong in spoiled(seen):
        with pytest.raises(AssertionError):
            assert_result_shines(wrong)


# ---------------------------------------------------------------- fingers and keys


KEEPS_THE_PAGE_BUSY_AFTER_A_PRESS = """() => addEventListener("pointerup", () => {
  for (const until = performance.now() + 700; performance.now() < until;);
})"""
"""Longer than a phone waits for a second tap."""


def test_by_finger(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "draughts"), viewport=PHONE, has_touch=True, is_mobile=True)
    guest.tap_on('[data-button="go"]')
    guest.until(lambda seen: bool(seen.lit("movable")), "White's pieces lit")
    guest.tap("c3")
    guest.lights("target", "b4", "d4")
    guest.tap("d4")
    guest.counts("c3-d4")
    draw_above_the_finger(guest, "f6", "e5")
    guest.counts("f6-e5")
    draw_above_the_finger(guest, "d4", "f6")
    guest.lights("taken", "e5")
    guest.tap("e5")
    seen = guest.counts("c3-d4", "f6-e5", "d4:f6")
    assert seen.tray == ("black man: take from the tray",)


def draw_above_the_finger(guest: Guest, origin: str, target: str) -> None:
    """Drags with a finger; the piece floats nine tenths of a cell above it and lands where it is itself."""
    places = guest.look().places
    (x, y), (to_x, to_y), pitch = places[origin], places[target], places["b1"][0] - places["a1"][0]
    guest.stroke((x, y), ((x + to_x) / 2, (y + to_y) / 2), (to_x, to_y + 0.9 * pitch))


def test_a_tap_whose_click_comes_late_is_one_tap(serve: Serve, visit: Visit) -> None:
    table = visit(serve("--game", "draughts"), viewport=PHONE, has_touch=True, is_mobile=True)
    table.begin()
    table.page.evaluate(KEEPS_THE_PAGE_BUSY_AFTER_A_PRESS)
    table.tap("c3")
    assert not table.lights("target", "b4", "d4").notice
    table.tap("d4")
    assert table.counts("c3-d4").empty_handed


def test_by_keys(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "draughts"))
    keys = Keys(guest)
    guest.walk("c3")
    keys.press("go")
    guest.sees_it_begun()
    guest.type("Enter")
    guest.holds("white man")
    guest.type("Escape")
    assert guest.stands(c3="white man").empty_handed
    guest.says("White to move.")
    for origin, target in (("c3", "d4"), ("f6", "e5"), ("d4", "f6")):
        keys.lift(origin)
        guest.until(lambda seen, target=target: target in seen.lit("target"), f"light on {target}")
        keys.set_down(target)
        guest.until(lambda seen: bool(seen.lit("movable", "taken")), "the next thing to do")
    keys.clear("e5")
    seen = guest.counts("c3-d4", "f6-e5", "d4:f6")
    assert seen.tray == ("black man: take from the tray",)
    guest.type("b")
    guest.until(lambda seen: seen.why == "Taken back: d4:f6.", "what was taken back")


def test_what_is_held_goes_to_the_tray_and_back_by_keys(guest: Guest) -> None:
    guest.walk("c3")
    guest.type("Enter")
    guest.holds("white man")
    guest.type("t")
    guest.until(lambda seen: seen.tray == ("white man: take from the tray",), "a man on the tray")
    guest.lights("source", "c3")
    guest.page.locator("[data-tray]").press("Enter")
    guest.holds("white man")
    guest.walk("c3")
    guest.type("Enter")
    assert not guest.says("White to move.").tray


def test_a_tap_on_the_tray_lays_down_what_is_held_and_a_tap_on_its_light_takes_it_up_again(
    serve: Serve, visit: Visit
) -> None:
    guest = visit(serve("--game", "draughts"), viewport=PHONE, has_touch=True, is_mobile=True)
    guest.tap_on('[data-button="go"]')
    guest.until(lambda seen: bool(seen.lit("movable")), "White's pieces lit")
    guest.tap("c3")
    guest.lights("target", "b4", "d4")
    guest.tap_on("#hold .tray")
    seen = guest.holds("")
    assert seen.tray == ("white man: take from the tray",)
    guest.tap("d4")
    assert not guest.counts("c3-d4").tray


def test_of_several_held_pieces_the_one_lifted_last_goes_to_the_tray(guest: Guest) -> None:
    guest.click("c3")
    guest.holds("white man")
    guest.page.keyboard.down("Shift")
    guest.click("b6")
    guest.page.keyboard.up("Shift")
    guest.holds("black man")
    guest.click_on("#hold .tray")
    seen = guest.holds("white man")
    assert seen.tray == ("black man: take from the tray",)
    guest.click_on("#hold .tray")
    seen = guest.holds("")
    assert seen.tray == ("black man: take from the tray", "white man: take from the tray")


@pytest.mark.parametrize(
    ("key", "tray", "c3"), [("t", ("white man: take from the tray",), ""), ("Escape", (), "white man")]
)
def test_keys_reach_the_hand_after_a_click_elsewhere(guest: Guest, key: str, tray: tuple[str, ...], c3: str) -> None:
    guest.click("c3")
    guest.holds("white man")
    guest.click_on("#say")
    guest.type(key)
    guest.holds("")
    assert guest.stands(c3=c3).tray == tray


@pytest.mark.parametrize(("way", "c3"), [("back", "white man"), ("tray", "")])
def test_the_palm_names_the_ways_out(guest: Guest, way: str, c3: str) -> None:
    guest.click("c3")
    guest.holds("white man")
    guest.click_on(f'[data-palm="{way}"]')
    guest.holds("")
    guest.stands(c3=c3)


def test_a_click_on_another_piece_takes_that_one_instead(guest: Guest) -> None:
    guest.click("c3")
    guest.lights("target", "b4", "d4")
    guest.click("g3")
    guest.lights("target", "f4", "h4")
    seen = guest.stands(c3="white man", g3="")
    assert not seen.notice
    guest.click("h4")
    guest.counts("g3-h4")


def test_a_move_chosen_by_buttons_is_lit_from_end_to_end(guest: Guest) -> None:
    play(guest, "c3-d4", "f6-e5")
    guest.says("White must capture: with d4.")
    guest.press("next")
    seen = guest.says("Play d4:f6?")
    assert (seen.lit("choice"), seen.answers) == (["d4"], ("d4\nd4:f6",))
    assert "f6" in seen.marks


def test_the_captured_man_may_be_lifted_before_the_one_that_takes_it(guest: Guest) -> None:
    play(guest, "c3-d4", "f6-e5")
    guest.says("White must capture: with d4.")
    guest.click("e5")
    guest.says("e5 is lifted: now take it with a lit piece.")
    guest.click("d4")
    guest.lights("target", "f6")
    guest.click("f6")
    seen = guest.counts("d4:f6")
    assert seen.tray == ("black man: take from the tray",)


# ---------------------------------------------------------------- wrong play


@pytest.mark.parametrize(
    ("cell", "piece", "reason"),
    [("a1", "white man", "This man is blocked."), ("b6", "black man", "It is White's turn.")],
)
def test_a_piece_that_may_not_move_is_refused_and_put_back(guest: Guest, cell: str, piece: str, reason: str) -> None:
    guest.click(cell)
    guest.says(reason)
    seen = guest.lights("forbidden", cell)
    assert seen.why == f"Put it back on {cell}."
    guest.click(cell)
    guest.says("White to move.")
    assert not guest.stands(**{cell: piece}).turns


def test_a_capture_that_is_due_is_named(guest: Guest) -> None:
    play(guest, "c3-d4", "f6-e5")
    guest.says("White must capture: with d4.")
    guest.click("g3")
    guest.says("You must capture: with d4.")


def test_a_piece_on_a_wrong_cell_is_led_back(guest: Guest) -> None:
    guest.drag("c3", "c5")
    guest.lights("missing", "c3")
    seen = guest.lights("extra", "c5")
    assert seen.say == "Put the piece on c5 back on c3."
    expect(guest.page.locator("#lights")).to_contain_text("white man belongs here")
    guest.drag("c5", "c3")
    assert not guest.says("White to move.").turns


def test_an_occupied_cell_takes_no_second_piece(guest: Guest) -> None:
    guest.drag("c3", "d2")
    seen = guest.until(lambda seen: bool(seen.notice), "a notice")
    assert seen.notice == "d2 is not free: a white man stands there."
    guest.click("c3")
    guest.says("White to move.")


def test_a_knocked_table_changes_nothing(guest: Guest) -> None:
    before = guest.look()
    for _ in range(3):
        guest.click_on('[data-tool="knock"]')
    seen = guest.says("White to move.")
    assert (seen.turns, seen.pieces) == (before.turns, before.pieces)
    play(guest, "c3-d4")


def put_right_by_hand(guest: Guest) -> None:
    guest.drag("d4", "c3")


def put_right_by_pill(guest: Guest) -> None:
    guest.click_on("#setup")


@pytest.mark.parametrize("put_right", [put_right_by_hand, put_right_by_pill])
def test_back_takes_back_and_leads_the_piece_home(guest: Guest, put_right: Callable[[Guest], None]) -> None:
    play(guest, "c3-d4")
    guest.press("back")
    seen = guest.says("Move d4 to c3.")
    assert seen.why == "Taken back: c3-d4."
    assert (seen.lit("missing"), seen.lit("extra")) == (["c3"], ["d4"])
    put_right(guest)
    assert not guest.says("White to move.").turns
