"""The view: what a session knows as the page's messages, the past behind it and the record of it."""

from __future__ import annotations

import json
from datetime import date
from typing import Any, cast

import pytest

from reedlight.adapters.web.view import marks, past, record, size_text, view
from reedlight.core.game import Correction, Declaration, Game, Roll, Side, Speech
from reedlight.core.grid import Cell
from reedlight.games import REGISTRY, make
from reedlight.scene.palette import BUTTON_RHYTHMS, LEVELS
from reedlight.scene.scene import Button, Mark
from reedlight.session.events import Board, Chosen, Corrected, Press, Rolled, Spoken
from reedlight.session.session import Session

ADA, BO = "Ada", 'Bo "the fox"'
DAY = date(2026, 11, 30)


def begun(name: str, size: str) -> Session:
    """A sitting whose pieces stand and whose first turn is due."""
    return sitting(make(name, size))


def sitting(game: Game[Any]) -> Session:
    session = Session(game)
    session.handle(Board(session.state.occupancy()), 0.0)
    session.handle(Press(Button.GO), 0.0)
    return session


def play(session: Session, *texts: str) -> None:
    """Plays by name; then every piece is taken off and the board set up anew."""
    for text in texts:
        session.handle(Chosen(session.game.parse(session.state, text)), 1.0)
        session.handle(Board(frozenset()), 1.0)
        session.handle(Board(session.state.occupancy()), 1.0)


def roll(session: Session, *dice: int) -> None:
    session.handle(Press(Button.GO), 1.0)
    session.handle(Rolled(Roll(dice)), 1.0)


def speak(session: Session, side: Side, speech: Speech) -> None:
    session.handle(Spoken(Declaration(side, speech)), 1.0)


# ---------------------------------------------------------------- what may be played


def test_what_the_side_to_act_may_play_is_named_with_its_cells() -> None:
    actions = view(begun("draughts", "8"))["actions"]
    assert [action["text"] for action in actions] == [
        "a3-b4", "c3-b4", "c3-d4", "e3-d4", "e3-f4", "g3-f4", "g3-h4",
    ]  # fmt: skip
    assert actions[0] == {"text": "a3-b4", "label": "move", "cells": ["a3", "b4"]}


def test_nothing_may_be_played_before_the_beginning_while_dice_are_due_and_after_the_end() -> None:
    assert view(Session(make("draughts", "8")))["actions"] == []
    waiting = begun("diablo", "4")
    assert view(waiting)["actions"] == []
    roll(waiting, 1, 2)
    assert "capture 1 a1-b1" in [action["text"] for action in view(waiting)["actions"]]
    over = begun("draughts", "8")
    speak(over, Side.LIGHT, Speech.RESIGN)
    assert view(over)["actions"] == []


def test_what_may_be_played_is_found_once_for_each_state() -> None:
    session = begun("draughts", "8")
    first = view(session)["actions"]
    session.handle(Press(Button.HINT), 1.0)
    assert view(session)["actions"] is first
    play(session, "c3-d4")
    assert view(session)["actions"] is not first


# ---------------------------------------------------------------- what is said of the game


@pytest.mark.parametrize(
    ("name", "size", "text", "kind"),
    [
        ("draughts", "8", "8 × 8", "man"),
        ("draughts", "8-federation", "8 × 8, federation rules", "man"),
        ("diablo", "10", "10 × 10", "checker"),
        ("herd", "5", "side 5", "stone"),
        ("herd", "brick-6x8", "6 × 8", "stone"),
    ],
)
def test_a_game_says_its_size_and_what_it_is_played_with(name: str, size: str, text: str, kind: str) -> None:
    game = make(name, size)
    assert size_text(game) == text
    assert [side["kind"] for side in view(Session(game))["sides"]] == [kind, kind]


@pytest.mark.parametrize("name", REGISTRY)
def test_sizes_that_are_offered_read_differently(name: str) -> None:
    texts = [size_text(REGISTRY[name].make(size)) for size in REGISTRY[name].sizes]
    assert len(set(texts)) == len(texts)


# ---------------------------------------------------------------- turns


def turns(session: Session) -> list[tuple[int, str]]:
    return [(turn["number"], turn["text"]) for turn in view(session)["turns"]]


def test_turns_are_counted_one_by_one_with_dice_and_in_pairs_without() -> None:
    session = begun("draughts", "8")
    assert view(session)["where"] == "First turn"
    play(session, "c3-d4", "b6-a5", "b2-c3")
    speak(session, Side.DARK, Speech.OFFER_DRAW)
    assert turns(session) == [(1, "c3-d4"), (1, "b6-a5"), (2, "b2-c3"), (2, "Black offers a draw")]
    assert view(Session(make("draughts", "8")))["where"] == "Not begun"


def offer(session: Session, times: int = 1) -> None:
    """White offers a draw and Black declines it, again and again."""
    for _ in range(times):
        speak(session, Side.LIGHT, Speech.OFFER_DRAW)
        speak(session, Side.DARK, Speech.DECLINE_DRAW)


def test_an_offer_and_its_answer_are_no_moves() -> None:
    session = begun("draughts", "8")
    play(session, "c3-d4", "b6-a5")
    offer(session)
    play(session, "b2-c3", "a7-b6")
    speak(session, Side.DARK, Speech.RESIGN)
    assert turns(session) == [
        (1, "c3-d4"),
        (1, "b6-a5"),
        (2, "White offers a draw  Black declines the draw"),
        (2, "b2-c3"),
        (2, "a7-b6"),
        (3, "Black resigns"),
    ]
    assert view(session)["where"] == "Turn 3"


def test_a_flood_of_offers_is_told_once() -> None:
    session = begun("draughts", "8")
    play(session, "c3-d4")
    offer(session)
    once = json.dumps(view(session))
    offer(session, 500)
    assert json.dumps(view(session)) == once
    speak(session, Side.DARK, Speech.OFFER_DRAW)
    assert turns(session)[-1] == (1, "White offers a draw  Black declines the draw  Black offers a draw")


def test_what_is_taken_back_is_no_longer_told() -> None:
    session = begun("draughts", "8")
    play(session, "c3-d4")
    offer(session)
    assert len(turns(session)) == 2
    session.handle(Press(Button.BACK), 1.0)
    assert turns(session) == [(1, "c3-d4")]
    play(session, "b6-a5")
    assert turns(session) == [(1, "c3-d4"), (1, "b6-a5")]


def test_half_a_turn_is_taken_back() -> None:
    session = begun("diablo", "4")
    roll(session, 1, 2)
    play(session, "capture 1 a1-b1")
    roll(session, 1, 1)
    play(session, "capture 1 a2-b2", "capture 1 d1-c1")
    assert turns(session)[1] == (2, "capture 1 a2-b2  capture 1 d1-c1")
    session.handle(Press(Button.BACK), 1.0)
    assert turns(session) == [(1, "capture 1 a1-b1"), (2, "capture 1 a2-b2")]


def test_a_recount_is_told_and_the_turn_goes_on_after_it() -> None:
    session = begun("diablo", "4")
    roll(session, 1, 2)
    play(session, "merge 2 a1-c1")
    recount(session, "c1", 1)
    roll(session, 1, 1)
    play(session, "capture 1 a2-b2")
    recount(session, "c1", 2)
    play(session, "capture 1 d1-d2")
    assert turns(session) == [
        (1, "merge 2 a1-c1"),
        (1, "recounted: 1 on c1"),
        (2, "capture 1 a2-b2"),
        (2, "recounted: 2 on c1"),
        (2, "capture 1 d1-d2"),
    ]


def recount(session: Session, cell: str, height: int) -> None:
    session.handle(Corrected(Correction(((Cell(cell), height),))), 1.0)


class Counted:
    """A game that counts how often it is asked to write an action down."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.written = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def notate(self, state: Any, action: Any) -> str:
        self.written += 1
        return self.game.notate(state, action)


def test_what_was_told_is_not_told_anew_for_the_next_view() -> None:
    game = Counted(make("diablo", "4"))
    session = sitting(cast("Game[Any]", game))
    roll(session, 1, 2)
    play(session, "capture 1 a1-b1")
    roll(session, 1, 1)
    play(session, "capture 1 a2-b2", "capture 1 d1-c1")
    before = game.written
    view(session)
    assert game.written == before + 3
    view(session)
    past(session, 2)
    assert game.written == before + 3


def test_a_view_has_the_latest_turns_and_the_past_has_all(monkeypatch: pytest.MonkeyPatch) -> None:
    session = begun("draughts", "8")
    play(session, "c3-d4", "b6-a5", "b2-c3", "a7-b6")
    assert view(session)["turnsBefore"] == 0
    monkeypatch.setattr("reedlight.adapters.web.view.TURNS_SHOWN", 3)
    told = view(session)
    assert [turn["text"] for turn in told["turns"]] == ["b6-a5", "b2-c3", "a7-b6"]
    assert (told["turnsBefore"], told["turns"][-1]["number"]) == (1, 2)
    assert [past(session, turn)["number"] for turn in range(5)] == [0, 1, 1, 2, 2]


def test_the_marks_come_from_the_palette() -> None:
    told = marks(LEVELS)
    assert set(told["marks"]) == {mark.value for mark in Mark}
    assert told["marks"]["taken"]["points"] == [[0.0, 1.0], [0.2, 1.0], [0.2, 0.0], [0.4, 0.0]]
    assert {lamp: look["still"] for lamp, look in told["lamps"].items()} == {"off": 0.0, "on": 1.0, "blink": 1.0}
    assert {look["period"] for look in told["lamps"].values()} == {each.period for each in BUTTON_RHYTHMS.values()}


# ---------------------------------------------------------------- looking back


def standing(answer: dict[str, Any]) -> set[str]:
    return set(answer["pieces"])


def test_the_past_is_what_stood_after_each_turn() -> None:
    session = begun("draughts", "8")
    start = set(session.state.pieces())
    play(session, "c3-d4", "b6-a5")
    assert standing(past(session, 0)) == start
    assert standing(past(session, 1)) == start - {"c3"} | {"d4"}
    assert past(session, 2)["pieces"] == view(session)["pieces"]
    assert [past(session, turn)["number"] for turn in range(3)] == [0, 1, 1]


def test_a_turn_of_several_actions_is_looked_at_when_it_has_ended() -> None:
    session = begun("diablo", "4")
    roll(session, 1, 2)
    play(session, "capture 1 a1-b1")
    roll(session, 1, 1)
    play(session, "capture 1 a2-b2", "capture 1 d1-c1")
    assert [turn["text"] for turn in view(session)["turns"]] == [
        "capture 1 a1-b1",
        "capture 1 a2-b2  capture 1 d1-c1",
    ]
    first, second = past(session, 1), past(session, 2)
    assert standing(first) == standing(past(session, 0)) - {"a1"}
    assert standing(second) == standing(first) - {"a2", "d1"}
    assert second["pieces"] == view(session)["pieces"]


@pytest.mark.parametrize("turn", [-1, 2])
def test_there_is_no_past_beyond_the_list_of_turns(turn: int) -> None:
    session = begun("draughts", "8")
    play(session, "c3-d4")
    with pytest.raises(KeyError):
        past(session, turn)


# ---------------------------------------------------------------- records


def players(session: Session) -> dict[str, str]:
    """The tags that say who plays, the side that begins first."""
    return {colour: {Side.LIGHT: ADA, Side.DARK: BO}[side] for side, colour in session.game.sides.items()}


def test_a_game_without_dice_is_kept_as_pdn() -> None:
    session = begun("draughts", "8")
    play(session, "c3-d4")
    speak(session, Side.LIGHT, Speech.OFFER_DRAW)
    speak(session, Side.DARK, Speech.DECLINE_DRAW)
    play(session, "b6-a5")
    kept = record(session, players(session), DAY)
    assert (kept["type"], kept["name"]) == ("record", "draughts-8.pdn")
    assert '[White "Ada"]\n[Black "Bo \\"the fox\\""]\n[Result "*"]' in kept["text"]
    assert '[Date "2026.11.30"]' in kept["text"]
    assert kept["text"].endswith("\n1. c3-d4 b6-a5 *\n")


def test_a_game_that_somebody_gave_up_is_kept_with_its_result_and_reason() -> None:
    session = begun("draughts", "8")
    play(session, "c3-d4")
    speak(session, Side.DARK, Speech.RESIGN)
    text = record(session, players(session), DAY)["text"]
    assert '[Result "1-0"]' in text
    assert '[Reason "Black resigned"]' in text


def test_a_game_with_dice_is_kept_as_a_record_of_ours() -> None:
    session = begun("diablo", "4")
    roll(session, 1, 2)
    play(session, "capture 1 a1-b1")
    kept = record(session, players(session), DAY)
    assert kept["name"] == "diablo-4.txt"
    assert kept["text"] == (
        f'[Game "diablo"]\n[Size "4"]\n[Black {quoted(BO)}]\n[Green {quoted(ADA)}]\n'
        '[Date "2026-11-30"]\n[Result "*"]\n\n1. Black 1-2: capture 1 a1-b1\n'
    )


def test_the_record_of_a_recounted_game_says_so() -> None:
    session = begun("diablo", "4")
    roll(session, 1, 2)
    play(session, "merge 2 a1-c1")
    recount(session, "c1", 1)
    assert record(session, players(session), DAY)["text"].endswith("\n1. Black 1-2: merge 2 a1-c1; recount c1=1\n")


def quoted(name: str) -> str:
    escaped = name.replace('"', '\\"')
    return f'"{escaped}"'
