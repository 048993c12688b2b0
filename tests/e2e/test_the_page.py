"""The page itself: the menu, the room, several pages at once, a server that went away, and how it all fits."""

from __future__ import annotations

from pathlib import Path

import pytest
from e2e.conftest import LAPTOP, PHONE, Serve, Visit
from e2e.guest import Guest
from PIL import Image
from playwright.sync_api import expect

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
    other.says("White to move.")
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
    guest.click_on('[data-switch="c3"]')
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


_FIT = """() => {
  const box = document.getElementById("object").getBoundingClientRect();
  const cells = [...document.querySelectorAll("[data-cell]")].map((cell) => cell.getBoundingClientRect());
  return {
    wide: document.scrollingElement.scrollWidth,
    left: Math.min(box.left, ...cells.map(({ left }) => left)),
    right: Math.max(box.right, ...cells.map(({ right }) => right)),
  };
}"""


def assert_fits(guest: Guest, width: int) -> None:
    """Nothing is to be scrolled to the side, and the whole box lies within the window's width."""
    fit = guest.page.evaluate(_FIT)
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
    guest.press("go")
    guest.says("White to move.")
    return guest
