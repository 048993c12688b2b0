"""The page itself: the menu, the room, several pages at once, a server that went away, and how it all fits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from e2e.conftest import LAPTOP, PHONE, Serve, Visit
from e2e.guest import Guest, alter
from PIL import Image
from playwright.sync_api import WebSocketRoute, expect

from reedlight.scene.palette import LEVELS
from reedlight.scene.scene import Mark

pytestmark = pytest.mark.browser


# ---------------------------------------------------------------- the menu


def test_another_game_and_size_are_begun_from_the_menu(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "draughts"))
    guest.choose("game herd", "size 4", "begin")
    seen = guest.until(lambda seen: seen.title == "Herd side 4", "Herd")
    assert len(seen.places) == 37
    guest.choose("game diablo", "size 10", "begin")
    seen = guest.until(lambda seen: seen.title == "Diablo 10 × 10", "Diablo")
    assert len(seen.pieces) == 100


def test_a_game_under_way_is_left_only_after_a_second_word(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    guest.drag("c3", "d4")
    guest.counts("c3-d4")
    guest.choose("begin")
    assert guest.look().turns == ("c3-d4",)
    guest.choose("begin", "begin")
    assert not guest.says("The board is ready.").turns


def test_guidance_is_each_sides_own(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    guest.until(lambda seen: bool(seen.lit("movable")), "lights for White")
    guest.choose("guidance light errors")
    guest.until(lambda seen: not seen.marks, "darkness for White")
    guest.drag("c3", "d4")
    guest.until(lambda seen: bool(seen.lit("movable")), "lights for Black")


def test_hint_lights_what_can_be_done_until_it_is_pressed_again(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    hint = guest.page.locator('[data-button="hint"]')
    guest.choose("guidance light errors")
    expect(hint).to_have_attribute("aria-disabled", "false")
    guest.until(lambda seen: not seen.marks and seen.lamps["hint"] == "on", "darkness for White")
    guest.press("hint")
    guest.until(lambda seen: bool(seen.lit("movable", "hint")), "White's pieces lit")
    guest.press("hint")
    guest.until(lambda seen: not seen.marks, "darkness again")


def test_each_side_speaks_in_a_row_of_its_own(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    guest.click_on("#menu-open")
    white, black = (guest.page.get_by_role("group", name=name, exact=True) for name in ("White", "Black"))
    for row in (white, black):
        expect(row.get_by_role("button")).to_have_text(["offer a draw", "resign"])
    white.get_by_role("button", name="offer a draw").click()
    guest.says("White offers a draw: GO accepts, BACK declines.")
    guest.click_on("#menu-open")
    expect(white.get_by_role("button")).to_have_text(["resign"])
    expect(black.get_by_role("button")).to_have_text(["accept the draw", "decline the draw", "resign"])
    black.get_by_role("button", name="decline the draw").click()
    guest.counts("White offers a draw", "Black declines the draw")


def test_a_ready_board_needs_neither_the_pill_nor_a_second_go(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "diablo"))
    assert (guest.look().say, guest.look().why) == (
        "The board is ready. Press GO to begin.",
        "Then GO rolls the dice. NEXT: a computer.",
    )
    pill = guest.page.locator("#setup")
    expect(pill).to_be_hidden()
    guest.drag_to_tray("a1")
    guest.says("Set up the board: 1 piece is still missing.")
    pill.click()
    guest.says("The board is ready.")
    expect(pill).to_be_hidden()


def test_the_board_stays_where_it_is_whatever_is_said_above_it(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "draughts"), viewport=PHONE, has_touch=True, is_mobile=True)
    places = guest.look().places
    guest.tap("c3")
    assert guest.says("Set up the board: 1 piece is still missing.").places == places
    guest.tap("c3")
    guest.says("The board is ready.")
    guest.tap_on('[data-button="go"]')
    assert guest.sees_it_begun().places == places


def test_go_accepts_where_the_menu_says_so(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    guest.choose("commit button")
    guest.drag("c3", "d4")
    seen = guest.says("c3-d4 is played. GO accepts it.")
    assert not seen.turns
    guest.press("go")
    assert guest.counts("c3-d4").say == "Black to move."


def test_a_chosen_room_outlasts_a_reload(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "herd"), color_scheme="light")
    root = guest.page.locator("html")
    expect(root).to_have_attribute("data-theme", "light")
    guest.choose("theme dark")
    expect(root).to_have_attribute("data-theme", "dark")
    guest.page.reload()
    expect(root).to_have_attribute("data-theme", "dark")
    guest.choose("theme light")
    expect(root).to_have_attribute("data-theme", "light")


# ---------------------------------------------------------------- pages and server


def test_a_reload_keeps_the_game_and_two_pages_show_the_same(serve: Serve, visit: Visit) -> None:
    server = serve("--game", "draughts")
    one, other = visit(server), visit(server)
    one.press("go")
    other.sees_it_begun()
    one.grasp("c3")
    other.lights("target", "b4", "d4")
    one.let_go("d4")
    there = other.counts("c3-d4")
    one.page.reload()
    here = one.counts("c3-d4")
    assert (here.turns, here.pieces, here.marks) == (there.turns, there.pieces, there.marks)
    other.drag("b6", "a5")
    one.counts("c3-d4", "b6-a5")


def test_a_page_comes_back_to_a_server_that_was_started_again(serve: Serve, visit: Visit) -> None:
    server = serve("--game", "draughts")
    guest = visit(server)
    assert not server.stop()
    guest.until(lambda seen: seen.link == "Reconnecting…", "loss of the board")
    guest.press("go")
    guest.until(lambda seen: seen.notice == "Not connected: the board did not hear that.", "a notice")
    serve("--game", "herd", port=server.port)
    seen = guest.until(lambda seen: seen.title.startswith("Herd"), "the new game")
    assert seen.link == "Simulated board"
    assert all("ERR_CONNECTION_REFUSED" in complaint for complaint in guest.complaints), guest.complaints
    guest.complaints.clear()


def test_a_port_that_is_taken_is_named(serve: Serve) -> None:
    port = serve("--game", "herd").port
    with pytest.raises(AssertionError, match=f"cannot open port {port} on 127.0.0.1: another program has it"):
        serve("--game", "herd", port=port)


def test_a_server_that_is_gone_is_noticed(serve: Serve) -> None:
    server = serve("--game", "herd")
    assert not server.stop()
    assert server.stop() == "it had already ended with status 0"


# ---------------------------------------------------------------- by name, back and away


def test_a_move_is_played_by_name_where_a_switch_is_dead(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    guest.click_on("#bench-open")
    guest.click_on('#bench label:has([value="dead"])')
    guest.click_on('[data-switch="c3"]')
    expect(guest.page.locator('[data-switch="c3"]')).to_have_attribute("data-fault", "dead")
    guest.click_on("#bench-open")
    guest.choose("sheet play", "play e3-d4")
    guest.counts("e3-d4")
    guest.click_on("#setup")
    guest.stands(e3="", d4="white man")
    guest.choose("sheet play", "play b6-a5")
    guest.counts("e3-d4", "b6-a5")


def test_a_long_list_of_moves_can_be_searched(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "diablo", "--size", "6"))
    guest.press("go")
    guest.says("Black: press GO to roll.")
    guest.press("go")
    guest.says("Black: move a stack")
    assert guest.look().detail == guest.look().dice
    guest.click_on("#menu-open")
    guest.click_on('[data-choice="sheet play"]')
    found = guest.page.locator(".actions li:not([hidden])")
    everything = found.count()
    guest.page.locator("#find").fill("a1")
    assert 0 < found.count() < everything
    assert all("a1" in text.replace("\u2212", "-") for text in found.all_inner_texts())
    guest.page.locator("#find").fill("queen")
    expect(guest.page.locator("#none-found")).to_have_text("No move here is called that.")
    guest.page.locator("#find").fill("")
    assert found.count() == everything
    guest.click_on('[data-choice="close"]')


def test_a_reload_keeps_the_way_back(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    for move in (("c3", "d4"), ("b6", "a5")):
        guest.drag(*move)
        guest.counts("-".join(move))
    guest.page.reload()
    guest.counts("c3-d4", "b6-a5")
    guest.page.locator("#slider").focus()
    guest.type("ArrowLeft")
    guest.until(lambda seen: "a5" not in seen.pieces and "d4" in seen.pieces, "the board after one move")
    guest.type("Home")
    seen = guest.until(lambda seen: "c3" in seen.pieces, "the start")
    assert (seen.where, seen.marks) == ("The start, looking back", {})
    guest.click_on("#now")
    guest.stands(a5="black man", d4="white man", c3="")


def test_a_turn_taken_back_ends_looking_at_it(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    for move in (("c3", "d4"), ("b6", "a5")):
        guest.drag(*move)
        guest.counts("-".join(move))
    guest.page.locator("#slider").focus()
    guest.type("ArrowLeft")
    guest.until(lambda seen: "looking back" in seen.where, "the past")
    guest.press("back")
    seen = guest.until(lambda seen: seen.actions == ("c3-d4",), "one move")
    assert "looking back" not in seen.where


def test_a_long_game_shows_its_latest_turns_and_the_slider_goes_back_to_all(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    guest.drag("c3", "d4")
    guest.counts("c3-d4")
    guest.page.route_web_socket("**/ws", as_if_long)
    guest.page.reload()
    seen = guest.counts("c3-d4")
    assert len(seen.turns) == 1
    expect(guest.page.locator("#turns li").first).to_have_text("9800 turns before these: the slider goes back to them.")
    slider = guest.page.locator("#slider")
    expect(slider).to_have_attribute("max", "9801")
    slider.focus()
    guest.type("Home")
    guest.until(lambda seen: seen.where == "The start, looking back" and "c3" in seen.pieces, "the start")
    guest.click_on("#now")
    guest.stands(c3="")


def test_what_is_wrong_with_the_board_stands_under_the_title(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    link = guest.page.locator("#link")
    expect(link.locator(".open")).to_have_count(1)
    guest.page.route_web_socket("**/ws", as_if_dark)
    guest.page.reload()
    expect(link).to_have_text(TROUBLE)
    title, said = guest.page.locator("#title").bounding_box(), link.bounding_box()
    assert title
    assert said
    assert said["y"] >= title["y"] + title["height"]


TROUBLE = "The lamps do not answer."


def as_if_dark(route: WebSocketRoute) -> None:
    """Lets the page believe that something is wrong with the board."""
    alter(route, {"link": TROUBLE})


def as_if_long(route: WebSocketRoute) -> None:
    """Lets the page believe that many turns came before those it is shown."""
    alter(route, {"turnsBefore": 9800})


def test_the_record_is_handed_over_as_a_file(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    expect(guest.page.locator("#save")).to_be_hidden()
    guest.drag("c3", "d4")
    guest.counts("c3-d4")
    with guest.page.expect_download() as awaited:
        guest.click_on("#save")
    assert awaited.value.suggested_filename == "draughts-8.pdn"
    text = awaited.value.path().read_text(encoding="utf-8")
    assert '[White "Person"]' in text
    assert text.endswith("\n1. c3-d4 *\n")


# ---------------------------------------------------------------- lights and keys


_CURVES = """() => Object.fromEntries([...document.querySelectorAll("[data-key]")].map((line) => [
  line.dataset.key, [line.querySelector(".curve path").getAttribute("d"), line.innerText]]))"""
_RHYTHM = """() => {
  const lit = document.querySelector('#board [data-mark="source"] .lit'), [animation] = lit.getAnimations();
  const hue = getComputedStyle(lit.querySelector(".core")).stroke;
  return [animation.effect.getTiming().duration, animation.startTime, hue];
}"""


def test_the_key_shows_every_mark_with_its_rhythm_as_the_board_has_it(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "herd"))
    guest.click_on("#menu-open")
    guest.click_on('[data-choice="sheet key"]')
    shown = guest.page.evaluate(_CURVES)
    assert set(shown) == {mark.value for mark in Mark}
    for mark, rhythm in LEVELS.rhythms.items():
        curve, said = shown[mark.value]
        corners = [corner.split() for corner in curve.strip("MZ").split("L")[1:-1]]
        first = [number for point in rhythm.points for number in (60 * point.moment, 18 * (1 - point.level))]
        assert [float(number) for corner in corners for number in corner][: len(first)] == pytest.approx(first), mark
        assert "undefined" not in said
    guest.click_on('[data-choice="close"]')


def test_a_light_on_the_page_keeps_the_boards_rhythm_and_hue(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    guest.click("c3")
    guest.lights("source", "c3")
    red, green, blue = LEVELS.hues[Mark.SOURCE].value
    period = 1000 * LEVELS.rhythms[Mark.SOURCE].period
    assert guest.page.evaluate(_RHYTHM) == [period, 0, f"rgb({red}, {green}, {blue})"]


_PARTS = """() => {
  const mark = document.querySelector('#board [data-mark="source"]'), parts = [".groove", ".unlit", ".lit .core"];
  return parts.map((part) => mark.querySelector(part)).map((node) => [
    getComputedStyle(node).stroke, Boolean(node.closest(".lit"))]);
}"""


def test_an_unlit_light_shows_its_hue_and_no_black_hole(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    guest.click("c3")
    guest.lights("source", "c3")
    (groove, _), (unlit, blinks), (core, shines) = guest.page.evaluate(_PARTS)
    assert len({groove, unlit, core}) == 3
    assert (blinks, shines) == (False, True)


def test_the_focus_is_not_lost_with_the_button_that_had_it(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    focused = guest.page.locator(":focus")
    guest.walk("c3")
    guest.type("Enter")
    guest.holds("white man")
    guest.page.locator('[data-palm="tray"]').press("Enter")
    guest.holds("")
    expect(guest.page.locator("#hold :focus")).to_have_count(1)
    guest.page.locator('[data-line="target-d4"]').press("Enter")
    guest.counts("c3-d4")
    expect(focused).to_have_attribute("id", "lights")
    guest.press("back")
    guest.says("Move d4 to c3.")
    guest.page.locator("#setup").press("Enter")
    guest.says("White to move.")
    expect(focused).to_have_attribute("id", "board")


def test_the_latest_turn_stays_in_sight_while_lights_come_and_go(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "diablo"))
    guest.page.set_viewport_size({"width": 1280, "height": 640})
    guest.page.route_web_socket("**/ws", as_if_told_much)
    guest.page.reload()
    guest.until(lambda seen: len(seen.turns) == MANY, "many turns")
    guest.choose("dice table")
    guest.press("go")
    guest.says("Black: press GO to roll.")
    guest.press("go")
    guest.says("Your dice: 1?")
    guest.click_on('[data-answer="0"]')
    guest.says("Your dice: 1-1?")
    guest.click_on('[data-answer="1"]')
    guest.says("Black: move a stack 1 or 2 cells.")
    guest.click("a1")
    guest.until(lambda seen: len(seen.lit("source", "merge", "capture")) == 5, "a list of lights")
    guest.until(lambda _: guest.page.evaluate(_BELOW_THE_LAST) < 1, "the end of the list of turns")


MANY = 60
_BELOW_THE_LAST = """() => {
  const turns = document.getElementById("turns");
  return turns.lastElementChild.getBoundingClientRect().bottom - turns.getBoundingClientRect().bottom;
}"""


def as_if_told_much(route: WebSocketRoute) -> None:
    """Lets the page believe that there were many turns."""
    turn: dict[str, Any] = {"number": 1, "side": "light", "dice": [], "text": "a1-a2"}
    alter(route, {"turns": [turn] * MANY})


def test_turns_name_their_side_for_who_does_not_see_the_icons(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    guest.drag("c3", "d4")
    guest.counts("c3-d4")
    expect(guest.page.locator("#turns [data-turn] .unseen")).to_have_text(["White"])


def test_a_hold_that_ends_beside_the_button_costs_no_later_key(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    guest.page.mouse.move(*guest.look().buttons["next"])
    guest.page.mouse.down()
    guest.says("White offers a draw: GO accepts, BACK declines.")
    expect(guest.page.locator('[role="status"] #say ~ #why')).to_have_count(1)
    guest.let_go("a1")
    guest.page.locator('[data-button="next"]').focus()
    guest.type("Enter")
    guest.until(lambda seen: bool(seen.answers), "a question")


def test_the_bench_is_one_stop_for_the_tab_key_and_arrows_walk_it(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    guest.click_on("#bench-open")
    stops = guest.page.locator('#bench [tabindex="0"]')
    expect(stops).to_have_count(1)
    stops.focus()
    guest.type("ArrowRight", "ArrowRight", "ArrowUp")
    expect(stops).to_have_attribute("data-switch", "c2")
    guest.type("Enter")
    guest.until(lambda seen: seen.notice == "Choose first what is to become of the switch.", "a notice")
    expect(stops).to_have_attribute("data-fault", "good")
    guest.page.locator('#bench [value="dead"]').check(force=True)
    stops.focus()
    guest.type("Enter")
    expect(stops).to_have_attribute("data-fault", "dead")
    expect(stops).to_be_focused()


# ---------------------------------------------------------------- policy and looks


def test_what_the_policy_forbids_is_noticed(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "draughts"))
    assert not guest.complaints
    guest.page.evaluate("document.body.setAttribute('style', 'color: red')")
    guest.until(lambda _: bool(guest.complaints), "complaint about an inline style")
    assert "Content Security Policy" in guest.complaints[0]
    guest.complaints.clear()


ONE_LINE = 40
"""Pixels: less than two lines with their rim."""
_FIT = """() => {
  const box = document.getElementById("object").getBoundingClientRect();
  const cells = [...document.querySelectorAll("[data-cell]")].map((cell) => cell.getBoundingClientRect());
  const head = document.querySelector(".head").getBoundingClientRect();
  return {
    head: head.height,
    wide: document.scrollingElement.scrollWidth,
    left: Math.min(box.left, ...cells.map(({ left }) => left)),
    right: Math.max(box.right, ...cells.map(({ right }) => right)),
  };
}"""


def assert_fits(guest: Guest, width: int) -> None:
    """Nothing is to be scrolled to the side, the whole box lies within the window's width, the title is one line."""
    fit = guest.page.evaluate(_FIT)
    assert fit["head"] <= ONE_LINE, fit
    assert fit["wide"] <= width, fit
    assert fit["left"] >= 0, fit
    assert fit["right"] <= width, fit


def brightness(picture: Path) -> float:
    """How bright a picture is along its left edge, where the table shows; 0 to 255."""
    with Image.open(picture) as image:
        edge = image.convert("L").crop((0, 0, 4, image.height))
        return sum(edge.tobytes()) / (edge.width * edge.height)


@pytest.mark.parametrize("game", ["draughts", "diablo", "herd"])
def test_the_page_fits_phone_and_laptop_in_both_rooms(serve: Serve, visit: Visit, tmp_path: Path, game: str) -> None:
    guest = visit(serve("--game", game))
    for name, window in (("phone", PHONE), ("laptop", LAPTOP)):
        guest.page.set_viewport_size(window)
        for room in ("light", "dark"):
            guest.page.emulate_media(color_scheme=room)
            expect(guest.page.locator("html")).to_have_attribute("data-theme", room)
            assert_fits(guest, window["width"])
            guest.page.screenshot(path=tmp_path / f"{name}-{room}.png")
        assert brightness(tmp_path / f"{name}-light.png") > brightness(tmp_path / f"{name}-dark.png") + 40


def test_a_board_that_is_too_wide_is_noticed(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "draughts"))
    guest.page.evaluate("document.getElementById('object').style.width = '1400px'")
    with pytest.raises(AssertionError):
        assert_fits(guest, LAPTOP["width"])


def begun(serve: Serve, visit: Visit) -> Guest:
    """Somebody at a game of draughts that has begun."""
    guest = visit(serve("--game", "draughts"))
    guest.begin()
    return guest
