"""The table behind the page, moved by a browser's messages: what the hand does, and what it is told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import date
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any

import jumping
import pytest
from e2e.serving import Server

from reedlight.core.game import Declaration, Roll, Side
from reedlight.games import make
from reedlight.session.session import Mode
from reedlight.session.settings import Commit, Guidance, Settings
from reedlight_sim.cli import main
from reedlight_sim.play import MOST_WAITING, SWAP, TAKE_ONE, VIEWS_APART, Choice, Play
from reedlight_sim.records import read_scripts

REST = 0.6
"""Seconds after which an action has counted."""
DAY = date(2026, 11, 30)


class Sitter:
    """Somebody at the page: sends messages and looks at the view."""

    def __init__(self, name: str, size: str, **settings: Any) -> None:
        self.play = Play(Choice(make(name, size), Settings(**settings)), 0, Random(1), today=lambda: DAY)

    async def begin(self, *dice: int) -> None:
        """Let the pieces come to rest and begin; with dice, roll these."""
        self.send("setup")
        await asyncio.sleep(0.05)
        self.send("press", button="go")
        if dice:
            self.play.table.tabletop._dice = lambda _: Roll(dice)
            self.send("press", button="go")

    def send(self, do: str, **more: Any) -> Any:
        return self.play.receive({"do": do, **more})

    @property
    def view(self) -> dict[str, Any]:
        return self.play.view()

    @property
    def said(self) -> list[str]:
        return [turn["text"] for turn in self.view["turns"]]


def at_the_page(name: str, size: str, story: Callable[[Sitter], Awaitable[None]], **settings: Any) -> None:
    """Tell a story; its seconds pass at once."""

    async def told() -> None:
        sitter = Sitter(name, size, **settings)
        await story(sitter)
        if sitter.play._due:
            sitter.play._due.cancel()

    jumping.run(told())


def test_a_lifted_man_is_in_the_hand_and_counts_where_it_is_set_down() -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin()
        assert sitter.send("lift", cell="c3") is None
        assert sitter.view["hand"] == [{"from": "c3", "piece": {"side": "light", "kind": "man", "height": 1}}]
        await asyncio.sleep(0.05)
        assert sitter.view["lights"]["d4"]["mark"] == "target"
        sitter.send("place", cell="d4")
        await asyncio.sleep(REST)
        assert sitter.said == ["c3-d4"]

    at_the_page("draughts", "8", story)


def test_a_stack_it_takes_leaves_for_the_tray_before_it_is_set_down() -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin(1, 2)
        sitter.send("lift", cell="a1")
        sitter.send("place", cell="b1")
        assert [piece["side"] for piece in sitter.view["tray"]] == ["light"]
        assert "b1" not in sitter.view["pieces"]
        await asyncio.sleep(SWAP + REST)
        assert sitter.said == ["capture 1 a1-b1"]

    at_the_page("diablo", "4", story)


def test_a_stack_it_joins_is_lifted_and_set_down_with_it() -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin(1, 2)
        sitter.send("lift", cell="a1")
        sitter.send("place", cell="c1")
        await asyncio.sleep(SWAP + REST)
        assert sitter.said == ["merge 2 a1-c1"]
        assert sitter.view["pieces"]["c1"]["height"] == 2

    at_the_page("diablo", "4", story)


def test_a_careless_hand_drops_it_on_top_and_is_asked() -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin(2, 2)
        sitter.send("careless", careless=True)
        sitter.send("lift", cell="a1")
        await asyncio.sleep(0.1)
        sitter.send("place", cell="c1")
        await asyncio.sleep(REST)
        assert sitter.said == [""]
        sitter.send("press", button="go")
        assert sitter.view["mode"] == "ask"
        wanted = [option["label"] for option in sitter.view["options"]].index("merge 2 a1-c1")
        assert sitter.send("choose", index=wanted) is None
        assert sitter.said == ["merge 2 a1-c1"]

    at_the_page("diablo", "4", story)


def test_what_the_hand_is_to_do_next_waits_until_it_has_finished() -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin(1, 2)
        sitter.send("lift", cell="a1")
        sitter.send("place", cell="b1")
        sitter.send("lift", cell="d4")
        assert all(held["from"] != "d4" for held in sitter.view["hand"])
        await asyncio.sleep(SWAP + 0.1)
        assert [held["from"] for held in sitter.view["hand"]] == ["d4"]

    at_the_page("diablo", "4", story)


def test_one_checker_is_taken_off_a_stack_and_the_rest_put_back() -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin(1, 2)
        sitter.send("lift", cell="a1")
        sitter.send("place", cell="c1")
        await asyncio.sleep(SWAP + REST)
        sitter.send("give", cell="c1")
        assert "c1" not in sitter.view["pieces"]
        await asyncio.sleep(TAKE_ONE + 0.05)
        assert sitter.view["pieces"]["c1"]["height"] == 1

    at_the_page("diablo", "4", story)


def test_stones_come_from_the_box_and_go_to_the_tray() -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin(1, 1)
        sitter.send("stone", side="light")
        sitter.send("place", cell="0,0")
        await asyncio.sleep(REST)
        assert sitter.said == ["place 0,0"]
        for deed in ({"do": "lift", "cell": "0,0"}, {"do": "tray"}, {"do": "untray", "index": 0}):
            assert sitter.play.receive(deed) is None
        assert sitter.view["hand"][0]["from"] is None

    at_the_page("herd", "3", story)


def test_a_crowned_man_is_turned_over() -> None:
    async def story(sitter: Sitter) -> None:
        table = sitter.play.table
        state = sitter.play.table.session.game.load("W:Wa7,c3:Bh8,h4")
        table.session._begin(state)
        await sitter.begin()
        sitter.send("lift", cell="a7")
        sitter.send("place", cell="b8")
        await asyncio.sleep(REST)
        assert sitter.view["pieces"]["b8"]["kind"] == "king"

    at_the_page("draughts", "8", story)


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ({"do": "dance"}, "There is nothing called 'dance' to do."),
        ({"do": "lift", "cell": "z9"}, "There is no cell 'z9' on this board."),
        ({"do": "lift", "cell": "c4"}, "Nothing stands on c4."),
        ({"do": "lift"}, "The message to lift lacks something or names what is not there."),
        ({"do": "place", "cell": "c4"}, "The hand is empty."),
        ({"do": "tray"}, "The page's hand is empty."),
        ({"do": "press", "button": "stop"}, "The message to press lacks something or names what is not there."),
        ({"do": "choose", "index": 3}, "The question has no answer 3."),
        (
            {"do": "play", "text": "c3-c5"},
            "'c3-c5' is not a legal move. The man on c3 cannot do that. This man can go to b4 or d4.",
        ),
        ({"do": "play", "text": "up"}, "'up' is no move; write one like c3-d4, or like c3:e5 for a capture."),
        ({"do": "play"}, "The message to play lacks something or names what is not there."),
        ({"do": "past", "turn": 1}, "The message to past lacks something or names what is not there."),
        ({"do": "new", "game": "chess"}, "There is no game 'chess'; there are diablo, draughts, herd."),
        ({"do": "settings", "commit": "never"}, "The message to settings lacks something or names what is not there."),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(message: dict[str, Any], sentence: str) -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin()
        assert sitter.play.receive(message) == {"type": "error", "text": sentence}

    at_the_page("draughts", "8", story)


@pytest.mark.parametrize(
    "message",
    [
        {"do": "choose", "index": float("inf")},
        {"do": "choose", "index": True},
        {"do": "untray", "index": float("inf")},
        {"do": "past", "turn": float("inf")},
        {"do": "slide", "cells": 5},
        {"do": "stone", "side": "chance"},
        {"do": "declare", "side": "chance", "speech": "resign"},
        {"do": "settings", "guidance": []},
        {"do": "settings", "guidance": None},
        {"do": "settings", "guidance": {"chance": "full"}},
        {"do": "settings", "names": "x"},
        {"do": "settings", "names": {"light": 7}},
        {"do": "settings", "names": {"chance": "Ana"}},
        {"do": "settings", "near": "chance"},
        {"do": "new", "game": "herd", "names": 5},
    ],
)
def test_a_message_of_the_wrong_kind_changes_nothing(message: dict[str, Any]) -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin()
        before = sitter.view
        sentence = f"The message to {message['do']} lacks something or names what is not there."
        assert sitter.play.receive(message) == {"type": "error", "text": sentence}
        assert sitter.view == before

    at_the_page("draughts", "8", story)


def test_a_fault_of_no_kind_leaves_the_switch_as_it_is() -> None:
    async def story(sitter: Sitter) -> None:
        sitter.send("fault", cell="a1", kind="dead")
        assert sitter.send("fault", cell="a1", kind="tired")["type"] == "error"
        assert sitter.play.bench()["faults"] == {"a1": "dead"}

    at_the_page("draughts", "8", story)


def test_a_slide_is_no_longer_than_the_board_has_cells() -> None:
    async def story(sitter: Sitter) -> None:
        sitter.send("lift", cell="a1")
        assert sitter.send("slide", cells=["a2", "a3"] * 8) is None
        answer = sitter.send("slide", cells=["a2"] * 17)
        assert answer == {"type": "error", "text": "A slide goes over 16 cells at most on this board."}

    at_the_page("diablo", "4", story)


def test_a_name_is_cleaned_of_half_surrogate_pairs() -> None:
    async def story(sitter: Sitter) -> None:
        assert sitter.send("settings", names={"light": "\ud800 Ana\ud83d", "dark": "\udfff"}) is None
        assert [side["who"] for side in sitter.view["sides"]] == ["Ana", "Person"]

    at_the_page("draughts", "8", story)


def test_what_waited_for_the_hand_and_cannot_be_done_stops_nothing_that_waits_behind_it() -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin(1, 2)
        sitter.send("lift", cell="a1")
        sitter.send("place", cell="b1")
        for deed in ({"do": "untray", "index": float("inf")}, {"do": "lift"}, {"do": "lift", "cell": "d4"}):
            assert sitter.play.receive(deed) is None
        await asyncio.sleep(SWAP + 0.1)
        assert [held["from"] for held in sitter.view["hand"]] == ["d4"]

    at_the_page("diablo", "4", story)


def test_only_so_much_waits_for_the_hand_and_nothing_of_no_use() -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin(1, 2)
        sitter.send("lift", cell="a1")
        sitter.send("place", cell="b1")
        for _ in range(MOST_WAITING):
            assert sitter.send("lift", cell="d4", ballast="x" * 60_000) is None
        answer = sitter.send("lift", cell="d4")
        assert answer == {"type": "error", "text": "The hand is busy, and enough waits for it already."}
        assert list(sitter.play._waiting) == [{"do": "lift", "cell": "d4"}] * MOST_WAITING
        await asyncio.sleep(SWAP + 0.1)
        assert not sitter.play._waiting

    at_the_page("diablo", "4", story)


def test_many_messages_make_one_view_and_a_single_one_makes_it_at_once() -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin()
        await asyncio.sleep(REST)
        clock = asyncio.get_running_loop().time
        sitter.send("lift", cell="c3")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        shown = sitter.play._shown
        assert shown == clock()
        assert '"from":"c3"' in sitter.play.page._latest["view"]
        for _ in range(100):
            sitter.send("nudge", cell="a1")
            await asyncio.sleep(0)
        sitter.send("place", cell="c3")
        assert sitter.play._shown == shown
        await asyncio.sleep(VIEWS_APART * 1.01)
        assert sitter.play._shown == pytest.approx(shown + VIEWS_APART)
        assert '"from":"c3"' not in sitter.play.page._latest["view"]

    at_the_page("draughts", "8", story)


def test_a_man_is_not_set_on_another() -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin()
        sitter.send("lift", cell="c3")
        answer = sitter.send("place", cell="b8")
        assert answer == {"type": "error", "text": "A black man stands on b8; lift that first."}

    at_the_page("draughts", "8", story)


def test_the_menu_changes_what_is_played_and_how() -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin()
        sitter.send("settings", commit="button", guidance={"dark": "errors"}, names={"dark": "  Ana  "}, near="dark")
        menu = sitter.view["menu"]
        assert (menu["commit"], menu["guidance"]["dark"], menu["near"]) == ("button", "errors", "dark")
        assert [side["who"] for side in sitter.view["sides"]] == ["Person", "Ana"]
        assert sitter.view["grid"]["cells"][0] == {"name": "a1", "x": 0, "y": 0}
        assert sitter.view["grid"]["cells"][1]["x"] == -1
        sitter.send("new", game="herd", size="4")
        assert sitter.view["game"]["title"] == "Herd"
        assert sitter.view["mode"] == "setup"

    at_the_page("draughts", "8", story, commit=Commit.SETTLE, guidance=dict.fromkeys(Side, Guidance.FULL))


def test_a_side_resigns() -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin()
        sitter.send("declare", side="dark", speech="resign")
        assert sitter.view["say"] == "White wins: Black resigned."
        assert sitter.play.table.session.mode is Mode.OVER

    at_the_page("draughts", "8", story)


# ---------------------------------------------------------------- playing by name


def test_what_is_chosen_by_name_is_played_and_the_board_is_led_to_it() -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin(1, 2)
        assert "merge 2 a1-c1" in [action["text"] for action in sitter.view["actions"]]
        assert sitter.send("play", text="Merge 2 a1-c1") is None
        assert sitter.said == ["merge 2 a1-c1"]
        assert sitter.view["mode"] == "resync"
        sitter.send("setup")
        await asyncio.sleep(REST)
        assert (sitter.view["mode"], sitter.view["say"]) == ("roll", "Green: press GO to roll.")
        assert sitter.view["pieces"]["c1"]["height"] == 2

    at_the_page("diablo", "4", story)


def test_a_game_goes_on_by_name_where_a_switch_is_dead() -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin(1, 2)
        sitter.send("fault", cell="d1", kind="dead")
        await asyncio.sleep(REST)
        for turn in range(1, 5):
            while sitter.view["actions"]:
                assert sitter.send("play", text=sitter.view["actions"][0]["text"]) is None
                sitter.send("setup")
                await asyncio.sleep(REST)
            assert len(sitter.said) == turn, sitter.view["say"]
            assert sitter.said[-1]
            sitter.send("hold", button="go")
            sitter.send("press", button="go")

    at_the_page("diablo", "4", story)


@pytest.mark.parametrize(
    ("name", "size", "first", "sentence"),
    [
        ("draughts", "8", "setup", "The game has not begun; set up the pieces and press GO."),
        ("diablo", "4", "begin", "There is nothing to play just now."),
    ],
)
def test_nothing_is_played_by_name_when_it_is_nobodys_turn(name: str, size: str, first: str, sentence: str) -> None:
    async def story(sitter: Sitter) -> None:
        if first == "begin":
            await sitter.begin()
        assert sitter.send("play", text="c3-d4") == {"type": "error", "text": sentence}

    at_the_page(name, size, story)


# ---------------------------------------------------------------- looking back, records


def test_somebody_who_comes_late_sees_as_far_back_as_anybody() -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin()
        start = sitter.view["pieces"]
        for move in ("c3-d4", "b6-a5"):
            sitter.send("play", text=move)
            sitter.send("setup")
            await asyncio.sleep(REST)
        assert sitter.send("past", turn=0) == {"type": "past", "turn": 0, "number": 0, "pieces": start}
        assert set(sitter.send("past", turn=1)["pieces"]) ^ set(start) == {"c3", "d4"}

    at_the_page("draughts", "8", story)


@pytest.mark.parametrize(("name", "size"), [("draughts", "8"), ("diablo", "4"), ("herd", "3")])
def test_the_record_of_any_game_at_any_moment_can_be_performed(tmp_path: Path, name: str, size: str) -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin()
        sitter.send("settings", names={"light": "Ada", "dark": 'Bo "the fox"'})
        rng, session = Random(5), sitter.play.table.session
        while session.state.outcome is None:
            if not session.state.legal_actions():
                sitter.send("press", button="go")
            else:
                sitter.send("play", text=rng.choice(sitter.view["actions"])["text"])
                sitter.send("setup")
            await asyncio.sleep(0.2)
            if rng.random() < 0.1 or session.state.outcome:
                kept = sitter.send("record")
                path = tmp_path / kept["name"]
                path.write_text(kept["text"], encoding="utf-8")
                (script,) = read_scripts(path)
                played = [action for action in session.history if not isinstance(action, Declaration)]
                assert list(script.steps) == played
        assert '"the fox' in kept["text"].replace("\\", "")
        assert "2026" in kept["text"]
        assert '[Result "*"]' not in kept["text"]
        assert "[Reason " in kept["text"]

    at_the_page(name, size, story)


def test_the_page_is_told_the_marks_before_anything_else() -> None:
    async def story(sitter: Sitter) -> None:
        assert next(iter(sitter.play.page._latest)) == "marks"

    at_the_page("draughts", "8", story)


def test_a_stumble_is_told_once_and_play_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin()
        state = sitter.play.table.session._state
        sitter.play.table.session._state = None
        sitter.play._wake()
        assert "error" not in sitter.play.page._latest
        sitter.play.table.session._state = state
        sitter.send("lift", cell="c3")
        assert sitter.view["hand"]

    at_the_page("draughts", "8", story)
    assert "The table stumbled" in caplog.text


def test_the_bench_shows_switches_lamps_and_faults() -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin()
        sitter.send("bench", open=True)
        sitter.send("fault", cell="a1", kind="dead")
        await asyncio.sleep(0.05)
        bench = sitter.play.bench()
        assert bench["faults"] == {"a1": "dead"}
        assert "a1" not in bench["switches"]
        assert "b2" in bench["switches"]
        assert "c3" in bench["lamps"]
        sitter.send("fault", cell="a1", kind="good")
        await asyncio.sleep(0.05)
        assert "a1" in sitter.play.bench()["switches"]

    at_the_page("draughts", "8", story)


def test_nudges_knocks_and_slides_change_nothing_that_is_played() -> None:
    async def story(sitter: Sitter) -> None:
        await sitter.begin()
        sitter.send("nudge", cell="a1")
        sitter.send("knock")
        await asyncio.sleep(0.3)
        sitter.send("lift", cell="c3")
        sitter.send("slide", cells=["c4", "d4"])
        await asyncio.sleep(0.3)
        sitter.send("place", cell="d4")
        await asyncio.sleep(REST)
        assert sitter.said == ["c3-d4"]

    at_the_page("draughts", "8", story)


def test_a_size_that_does_not_exist_is_refused_before_anything_is_opened(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--no-browser", "--size", "7"]) == 2
    told = capsys.readouterr()
    assert told.err == "reedlight-sim: diablo: size '7' does not exist; take an even number from 2 to 26\n"
    assert told.out == ""


@pytest.mark.parametrize("port", ["70000", "65536", "-1", "8o", "٣", "9" * 50])
def test_a_port_that_does_not_exist_is_refused_in_one_sentence(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--no-browser", f"--port={port}"]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith(f"reedlight-sim play: argument --port: {port!r} is no port from 0 to 65535")


def test_bad_http_gets_its_answer_and_is_not_worth_a_word() -> None:
    server = Server()
    try:
        visitor = HTTPConnection("127.0.0.1", server.port, timeout=5)
        visitor.putrequest("GET", "/", skip_host=True)
        visitor.putheader("Content-Length", "-5")
        visitor.endheaders()
        assert visitor.getresponse().status == 400
        visitor.close()
    finally:
        complaint = server.stop()
    assert complaint == ""
