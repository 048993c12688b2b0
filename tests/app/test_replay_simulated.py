"""``reedlight-sim play --replay``: a game that was played, on the page's simulated table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any

import jumping
import pytest

from reedlight.app.records import game_in
from reedlight.session.settings import Settings
from reedlight_sim.cli import main
from reedlight_sim.play import Choice, Play

DICE = '[Game "diablo"]\n[Size "4"]\n\n1. Black 2-1: merge 2 a1-c1\n2. Green 1-2: capture 1 d1-d2\n'
A_MOMENT = 0.6
"""Seconds in which the board takes in what the hand did."""


def at_the_page(path: Path, text: str, story: Callable[[Play], Coroutine[Any, Any, None]]) -> None:
    """Tell a story of somebody who looks at a game; its seconds pass at once."""
    file = path / "game.txt"
    file.write_text(text)
    game = game_in(file, 1)

    async def told() -> None:
        play = Play(Choice(game.game, Settings()), 0, Random(1), replay=game)
        await story(play)
        if play._due:
            play._due.cancel()

    jumping.run(told())


def test_a_game_is_shown_step_by_step_and_played_on(tmp_path: Path) -> None:
    async def press(play: Play, button: str) -> None:
        play.receive({"do": "press", "button": button})
        await asyncio.sleep(A_MOMENT)

    async def story(play: Play) -> None:
        await press(play, "next")
        await press(play, "next")
        assert play.view()["say"] == "Step 2 of 4: Black plays merge 2 a1-c1."
        assert play.view()["mode"] == "resync"
        play.receive({"do": "setup"})
        await asyncio.sleep(A_MOMENT)
        assert play.view()["mode"] == "replay"
        assert play.view()["pieces"]["c1"]["height"] == 2
        await press(play, "go")
        assert play.view()["mode"] == "roll"
        assert play.view()["turns"] == []

    at_the_page(tmp_path, DICE, story)


def test_a_new_game_is_an_ordinary_one(tmp_path: Path) -> None:
    async def story(play: Play) -> None:
        play.receive({"do": "new", "game": "draughts"})
        await asyncio.sleep(A_MOMENT)
        assert play.view()["mode"] == "setup"

    at_the_page(tmp_path, DICE, story)


def test_a_file_without_a_game_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--no-browser", "--replay", str(tmp_path / "none.pdn")]) == 2
    assert capsys.readouterr().err == (
        f"reedlight-sim: {tmp_path}/none.pdn: cannot be read (No such file or directory)\n"
    )
