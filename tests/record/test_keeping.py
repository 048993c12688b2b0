"""Games as files, whichever kind: what is told from what, every published game, and whatever mutation makes of them."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest

from reedlight.core.game import Correction, Declaration, Game, Roll, State
from reedlight.games import make
from reedlight.record import keeping
from reedlight.record.account import Account, Step, is_same_game, result_of
from reedlight.record.keeping import Unreadable, dated, ending, moves, read, write

PDN = '[White "Ada"]\n\n1. c3-d4 {bold} b6-a5 *\n'
RECORD = '[Game "diablo"]\n[Size "4"]\n[Black "Ada"]\n\n1. Black 2-1: merge 2 a1-c1\n'
BEGUN = 1796061845.0

MUTATIONS = int(os.environ.get("REEDLIGHT_MUTATIONS", "150"))
"""How many changed files are read; more are for whoever has more time."""


def good(text: str) -> list[Account[Any]]:
    found = list(read(text, make))
    assert not [each for each in found if isinstance(each, Unreadable)], found
    return [each for each in found if isinstance(each, Account)]


def told(text: str) -> list[str]:
    return [each.why for each in read(text, make) if isinstance(each, Unreadable)]


# ----------------------------------------------------------------------------- what the text looks like


@pytest.mark.parametrize(
    ("text", "games"),
    [
        (PDN, ["draughts 8"]),
        (f"\ufeff{PDN}\n{PDN}", ["draughts 8", "draughts 8"]),
        ('[Game "1"]\n\n1. c3-d4 *', ["draughts 8"]),
        ('[Rules "federation"]\n1. c3-d4 *', ["draughts 8-federation"]),
        ("1. c3-d4 *", ["draughts 8"]),
        (RECORD, ["diablo 4"]),
        (RECORD.replace("\n", "\r\n") + '# next\r\n[Game "herd"]\r\n[Size "hexhex-05"]\r\n', ["diablo 4", "herd 5"]),
        ('{"game": "herd", "grid": "hexhex-3", "turns": []}', ["herd 3"]),
        ('{"moves": ["c3-d4"]}\n\n{"game": "diablo", "n": 4, "turns": []}', ["draughts 8", "diablo 4"]),
        ("", []),
    ],
)
def test_every_kind_of_file_is_known_by_its_text(text: str, games: list[str]) -> None:
    assert [f"{each.game.name} {each.game.size}" for each in good(text)] == games


@pytest.mark.parametrize("key", ["moves", "pdn_moves", "moves_text"])
def test_a_line_of_json_may_be_a_game_of_draughts(key: str) -> None:
    (game,) = good(json.dumps({key: ["c3:e5"], "fen": "W:Wc3:Bd4", "result": "2-0", "year": 1950}))
    assert (game.moves, game.result, game.tags) == (1, "light", {"Date": "1950.??.??"})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{PDN}\n1. c3-c4 *\n\n{PDN}", ["line 5, game 2, ply 1, move c3-c4: 'c3-c4': c4 is a light square;"]),
        (f"{PDN}1. c3-d4 {{open", ["line 4, game 2: the comment that begins here is not closed"]),
        (f"{PDN}\n1. c3-d4 c3-d4 *", ["line 5, game 2, ply 2, move c3-d4: 'c3-d4' is not a legal move."]),
        ('[Rules "house"]\n1. c3-d4 *', ["line 1, game 1: Russian draughts has no size '8-house';"]),
        (f"{RECORD}{RECORD}2. Green 1-1: x\n", ["line 11, game 2: turn 2: 'x' is no action;"]),
        (f'{RECORD}[Game "chess"]\n[Size "8"]\n', ["line 6, game 2: there is no game 'chess';"]),
        (f'{RECORD}[Game "diablo"]\n', ["line 6, game 2: the record has no size,"]),
        ("{\n{}\n[]", ["line 1, game 1: this is not JSON:", "line 2, game 2: a game needs", "line 3, game 3: a game"]),
        ('{"moves": 3}', ["line 1, game 1: a game needs a list of moves under moves, pdn_moves or moves_text"]),
        ('{"moves": [], "fen": 3}', ["line 1, game 1: the fen must be a text"]),
        ('{"moves": [["c3"]]}', ["line 1, game 1, ply 1, move ['c3']: "]),
    ],
)
def test_what_cannot_be_read_is_told_with_line_game_and_reason(text: str, why: list[str]) -> None:
    found = told(text)
    assert len(found) == len(why), found
    for each, begins in zip(found, why, strict=True):
        assert each.startswith(begins)


# ------------------------------------------------------------------------------------------- writing


def test_files_are_named_and_dated_by_their_kind() -> None:
    day = date(2026, 11, 30)
    assert (ending(make("draughts")), dated(make("draughts"), day)) == (".pdn", "2026.11.30")
    assert (ending(make("herd")), dated(make("herd"), day)) == (".txt", "2026-11-30")


@pytest.mark.parametrize("text", [PDN, RECORD])
def test_several_games_are_one_file(text: str) -> None:
    games = good(f"{text}\n{text}")
    assert good(write(games)) == games


def test_the_moves_alone_are_without_tags_and_times() -> None:
    (game,) = good('[UTCDate "2026.11.30"]\n[UTCTime "18:04:05"]\n1. c3-d4 {[%egt 0:00:04] bold} *')
    assert list(moves(game)) == ["1. c3-d4 {bold} *"]
    (game,) = good(RECORD.replace("2-1:", "2-1 @0:00:04:").replace("[Black", '[Begun "2026-11-30T18:04:05Z"]\n[Black'))
    assert game.steps[0].at == BEGUN + 4
    assert list(moves(game)) == ["1. Black 2-1: merge 2 a1-c1"]


def test_no_games_are_an_empty_file() -> None:
    assert write([]) == ""


# ------------------------------------------------------------------------------------- there and back


def at_random(game: Game[Any], chance: Random, steps: int) -> Account[Any]:
    """A random game with times, comments, words and recounts."""
    state, done = game.start(), list[Step[Any]]()
    at = BEGUN
    while state.outcome is None and len(done) < steps:
        at += chance.randrange(0, 60_000) / 1000
        action = _anything(game, state, chance)
        comment = chance.choice(("", "", "bold", "a }\nb # c; d", "[%clk 1:00:00] {"))
        done.append(Step(action, round(at, 3) if chance.random() < 0.8 else 0.0, comment))
        state = state.apply(action)
    result, reason = result_of(state), state.outcome.reason if state.outcome else ""
    return Account(game, game.start(), tuple(done), {"Event": 'A "club"'}, BEGUN, result, reason, "Found\nin a drawer.")


def _anything(game: Game[Any], state: State[Any], chance: Random) -> Any:
    words: Sequence[Any] = state.declarations()
    if words and chance.random() < 0.05:
        return chance.choice(words)
    stacks = [(cell, piece) for cell, piece in state.pieces().items() if piece.height > 1]
    if stacks and game.name == "diablo" and chance.random() < 0.05:
        cell, piece = chance.choice(stacks)
        return Correction(((cell, piece.height - 1),))
    return chance.choice(list(state.legal_actions()) or list(state.chance()))


@pytest.mark.parametrize(
    ("name", "size"), [("draughts", "8"), ("draughts", "8-federation"), ("diablo", "4"), ("herd", "2")]
)
@pytest.mark.parametrize("seed", range(6))
def test_actions_times_and_comments_come_back(name: str, size: str, seed: int) -> None:
    game = at_random(make(name, size), Random(seed), 80)
    (again,) = good(write([game]))
    assert again == game
    assert write([again]) == write([game])


def test_random_games_have_everything_in_them() -> None:
    steps = [step for seed in range(6) for step in at_random(make("diablo", "4"), Random(seed), 80).steps]
    steps += [step for seed in range(6) for step in at_random(make("draughts"), Random(seed), 80).steps]
    kinds = {type(step.action) for step in steps}
    assert {Roll, Correction, Declaration} < kinds
    assert {bool(step.at) for step in steps} == {True, False}


# -------------------------------------------------------------------------------------- published games

PUBLISHED = (
    ("diablo", "games.jsonl", 12),
    ("herd", "games.jsonl", 12),
    ("draughts", "games.jsonl", 98),
    ("draughts", "games_pdn3.pdn", 98),
    ("draughts", "games_classic.pdn", 98),
    ("draughts", "generated_games.jsonl", 200),
)


@pytest.mark.parametrize(("game", "name", "number"), PUBLISHED)
def test_every_published_game_is_written_and_read_again_alike(
    game: str, name: str, number: int, published: Path
) -> None:
    games = good((published / game / name).read_text())
    assert len(games) == number
    assert good(write(games)) == games


def test_the_same_games_in_three_forms_are_the_same_games(published: Path) -> None:
    forms = [good((published / "draughts" / name).read_text()) for _, name, number in PUBLISHED if number == 98]
    for one, other, third in zip(*forms, strict=True):
        assert is_same_game(one, other)
        assert is_same_game(other, third)


def test_games_of_another_variant_are_refused_at_their_first_ply_that_is_illegal(published: Path) -> None:
    text = (published / "draughts" / "illegal_games.jsonl").read_text()
    plies = [json.loads(line)["first_bad_ply"] for line in text.splitlines()]
    found = told(text)
    assert len(found) == len(plies) == 20
    for number, (why, ply) in enumerate(zip(found, plies, strict=True), 1):
        assert why.startswith(f"line {number}, game {number}, ply {ply}, move ")


# --------------------------------------------------------------------------------------------- mutation

SNIPPETS = (
    *'{}()[]";#@:*-.%!\\\n\r\x00\ud800é',
    *("...", "$1", "1-0", "[%egt 0:00:01]", "[%say White resign]", " c3-d4 ", "merge ", '[Result "0-1"]\n'),
)


def mutated(text: str, chance: Random) -> str:
    """The text with a few things cut out, doubled, put elsewhere or put in."""
    for _ in range(chance.randint(1, 4)):
        one, other = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        other = min(other, one + chance.choice((1, 3, 30)))
        cut, put = text[one:other], chance.choice(SNIPPETS)
        text = chance.choice(
            (
                text[:one] + text[other:],
                text[:other] + cut + text[other:],
                text[:one] + put + text[one:],
                text[:one] + put + text[other:],
                text[:one] + cut[::-1] + text[other:],
            )
        )
    return text


def test_a_changed_file_is_games_or_one_sentence_each() -> None:
    made = [write([at_random(make(name, size), Random(3), 25)]) for name, size in (("draughts", "8"), ("diablo", "4"))]
    originals = [*made, PDN, RECORD, '{"moves": ["c3-d4", "b6-a5"], "fen": null}', f"{PDN}\n{PDN}"]
    chance = Random(1)
    outcomes = {"read": 0, "told": 0}
    for _ in range(MUTATIONS):
        text = mutated(chance.choice(originals), chance)
        for each in keeping.read(text, make):
            if isinstance(each, Unreadable):
                assert each.why.startswith("line ")
                assert "\n" not in each.why
                outcomes["told"] += 1
            else:
                assert good(write([each])) == [each]
                outcomes["read"] += 1
    assert min(outcomes.values()) > MUTATIONS / 10
