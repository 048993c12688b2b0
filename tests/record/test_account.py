"""Accounts: journals to what stands, with what was taken back as comments, and to lines again; the same game twice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reedlight.core.game import Declaration, Roll, Side, Speech
from reedlight.games import make
from reedlight.record.account import Account, Step, is_same_game, joined, lines, moves_of, played, tidy, tidy_tag, told
from reedlight.record.journal import Line, replay

GAME = make("draughts")
DIABLO = make("diablo", "4")
BEGUN = 1796061845.0


def journal(*texts: str) -> list[Line]:
    """Lines such as ``act c3-d4``, ten seconds apart."""
    parts = [text.partition(" ") for text in texts]
    return [Line(kind, text, BEGUN + 10 * number) for number, (kind, _, text) in enumerate(parts, 1)]


def account_of(*texts: str) -> Account[Any]:
    return told(GAME, GAME.start(), journal(*texts), BEGUN)


def said(account: Account[Any]) -> list[tuple[str, str]]:
    """Every step with the comment on it, what is said before the first one first."""
    past = account.past
    steps = [GAME.notate(entry.before, entry.action) for entry in past.entries]
    return [("", account.comment), *zip(steps, [step.comment for step in account.steps], strict=True)]


# ----------------------------------------------------------------------------------- from a journal


def test_what_stands_is_told_with_its_times() -> None:
    account = account_of("act c3-d4", "act b6-a5")
    assert said(account) == [("", ""), ("c3-d4", ""), ("b6-a5", "")]
    assert [step.at - BEGUN for step in account.steps] == [10, 20]
    assert (account.begun, account.moves, account.result) == (BEGUN, 2, "")


def test_what_was_taken_back_is_a_comment_where_it_happened() -> None:
    assert said(account_of("act c3-d4", "act b6-a5", "back", "act b6-c5")) == [
        ("", ""),
        ("c3-d4", "taken back: b6-a5"),
        ("b6-c5", ""),
    ]
    assert said(account_of("act c3-d4", "act b6-a5", "back", "back", "act e3-f4")) == [
        ("", "taken back: c3-d4; b6-a5"),
        ("e3-f4", ""),
    ]
    assert said(account_of("act c3-d4", "back")) == [("", "taken back: c3-d4")]


def test_what_was_taken_back_before_is_told_before() -> None:
    account = account_of("act c3-d4", "act b6-a5", "back", "act b6-c5", "back", "back", "act e3-f4")
    assert said(account) == [("", "taken back: b6-a5\ntaken back: c3-d4; b6-c5"), ("e3-f4", "")]


def test_rolls_words_and_recounts_that_were_taken_back_are_told_as_people_say_them() -> None:
    account = told(DIABLO, DIABLO.start(), journal("roll 2-1", "act merge 2 a1-c1", "roll 1-1", "back", "back"), BEGUN)
    assert [step.comment for step in account.steps] == ["taken back: merge 2 a1-c1; 1-1"]
    account = told(
        DIABLO, DIABLO.start(), journal("roll 2-1", "act merge 2 a1-c1", "recount c1=1", "back", "note why"), BEGUN
    )
    assert account.steps[-1].comment == "taken back: recount c1=1\nwhy"
    assert said(account_of("say light offer draw", "back")) == [("", "taken back: White offer draw")]


def test_a_game_that_is_over_has_its_result() -> None:
    account = account_of("act c3-d4", "say light resign")
    assert (account.result, account.reason, account.moves) == ("dark", "White resigned", 1)


def test_a_draw_is_a_result() -> None:
    account = account_of("say light offer draw", "say dark accept draw")
    assert account.result == "draw"


def test_a_line_that_cannot_be_read_ends_the_account_and_is_told() -> None:
    account = account_of("act c3-d4", "act c3-d4", "act b6-a5")
    assert account.moves == 1
    assert account.steps[0].comment.startswith("What comes after this cannot be read: line 2 (act 'c3-d4'): ")
    assert account_of("back", "act c3-d4").comment == (
        "What comes after this cannot be read: line 1 (back ''): there is nothing to take back"
    )


def test_times_that_cannot_be_are_not_known() -> None:
    account = told(GAME, GAME.start(), [Line("act", "c3-d4", BEGUN - 5)], BEGUN)
    assert account.steps[0].at == 0.0
    assert told(GAME, GAME.start(), journal("act c3-d4")).steps[0].at == 0.0


# ------------------------------------------------------------------------------------- to a journal


def test_an_account_is_lines_again() -> None:
    account = account_of("note hello", "act c3-d4", "note bold", "say dark offer draw")
    assert [(line.kind, line.text) for line in lines(account)] == [
        ("note", "hello"),
        ("act", "c3-d4"),
        ("note", "bold"),
        ("say", "dark offer draw"),
    ]
    assert told(GAME, GAME.start(), lines(account), BEGUN) == account
    assert not replay(GAME, GAME.start(), lines(account)).broken


def test_moves_are_counted_by_the_lines_alone() -> None:
    found = journal("act c3-d4", "act no move at all", "back", "say light offer draw", "act b6-a5", "note x")
    assert moves_of(found, GAME) == 2
    assert [line.text for line in played(found, GAME)] == ["c3-d4", "b6-a5"]
    assert {line.at for line in played(found, GAME)} == {0.0}


# ------------------------------------------------------------------------------------------- texts


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("", ""),
        ("  two \t words ", "two words"),
        ("one\r\n\n  two\u2028three", "one\ntwo\nthree"),
        ("bell\x07 escape\x1b[31m \ud800 mark\u202e", "bell escape[31m mark"),
    ],
)
def test_a_comment_is_kept_as_every_file_can_hold_it(text: str, kept: str) -> None:
    assert tidy(text) == kept
    assert tidy(kept) == kept
    assert tidy_tag(text) == kept.replace("\n", " ")


def test_comments_are_joined_without_gaps() -> None:
    assert joined("", "one", "", "two") == "one\ntwo"


# ---------------------------------------------------------------------------------- the same game?

MOVE = Step(GAME.parse(GAME.start(), "c3-d4"))
OTHER = Step(GAME.parse(GAME.start(), "e3-f4"))
ONE = Account(GAME, GAME.start(), (MOVE,), {"White": "Ada", "Date": "2026.11.30", "Round": "?"}, BEGUN)


@pytest.mark.parametrize(
    "other",
    [
        ONE,
        replace(ONE, tags={}, begun=0.0),
        replace(ONE, tags={"White": "Ada", "Black": "Bo", "Event": "club"}, result="light", comment="calm"),
        replace(ONE, steps=(replace(MOVE, at=BEGUN + 5, comment="bold"),)),
        replace(ONE, steps=(Step(Declaration(Side.LIGHT, Speech.OFFER_DRAW)), MOVE)),
        replace(ONE, tags={"Date": "2026.12.01"}),
    ],
)
def test_what_files_tell_differently_is_the_same_game(other: Account[Any]) -> None:
    assert is_same_game(ONE, other)
    assert is_same_game(other, ONE)


@pytest.mark.parametrize(
    "other",
    [
        replace(ONE, steps=(OTHER,)),
        replace(ONE, steps=()),
        replace(ONE, tags={"White": "Eve"}),
        replace(ONE, tags={"Date": "2026.12.01"}, begun=0.0),
        replace(ONE, begun=BEGUN + 1),
        replace(ONE, game=make("draughts", "8-federation")),
        replace(ONE, start=GAME.load("W:Wc3:Bh8")),
    ],
)
def test_what_is_known_to_differ_is_another_game(other: Account[Any]) -> None:
    assert not is_same_game(ONE, other)
    assert not is_same_game(other, ONE)


def test_rolls_tell_games_apart() -> None:
    one = Account(DIABLO, DIABLO.start(), (Step(Roll((2, 1))),))
    assert not is_same_game(one, replace(one, steps=(Step(Roll((1, 2))),)))
