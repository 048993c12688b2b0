"""The page itself: the menu, the room, several pages at once, a server that went away, and how it all fits."""

from __future__ import annotations

from pathlib import Path

import pytest
from e2e.conftest import LAPTOP, PHONE, Serve, Visit
from e2e.guest import Guest
from PIL import Image
from playwright.sync_api import expect

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
