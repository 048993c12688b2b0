"""What we write in another program's hands: pydraughts reads our PDN and plays the games to the same ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reedlight.core.game import Declaration, Side, Speech
from reedlight.games import make
from reedlight.record.account import Account, Step
from reedlight.record.keeping import Unreadable, read, write

pytest.importorskip("draughts.PDN", reason="pydraughts is not installed")

from draughts import Board
from draughts import Move as TheirMove
from draughts.PDN import PDNReader

GAME = make("draughts")
BEGUN = 1796061845.0


def dressed(game: Account[Any]) -> Account[Any]:
    """The game with everything that we write beside the moves."""
    steps = [replace(step, at=BEGUN + 7.25 * at) for at, step in enumerate(game.steps, 1)]
    steps[1] = replace(steps[1], comment="taken back: b6-c5; c3-b4")
    steps[2:2] = [Step(Declaration(Side.LIGHT, Speech.OFFER_DRAW)), Step(Declaration(Side.DARK, Speech.DECLINE_DRAW))]
    told = {"White": "Ada Lovelace", "Black": 'Bo "the fox"'}
    return replace(
        game, steps=tuple(steps), tags={**game.tags, **told}, begun=BEGUN, reason="resigned", comment="At the club."
    )


def games_of(published: Path, name: str) -> Sequence[Account[Any]]:
    text = (published / "draughts" / name).read_text()
    return [each for each in read(text, make) if not isinstance(each, Unreadable)]


def notations(game: Account[Any]) -> list[str]:
    entries = [entry for entry in game.past.entries if not isinstance(entry.action, Declaration)]
    return [GAME.notate(entry.before, entry.action) for entry in entries]


@pytest.mark.parametrize(("name", "number"), [("games_pdn3.pdn", 98), ("generated_games.jsonl", 200)])
def test_another_program_reads_the_tags_moves_and_results_that_we_write(
    name: str, number: int, published: Path
) -> None:
    games = [dressed(game) for game in games_of(published, name)]
    theirs = PDNReader(pdn_text=write(games)).games
    assert len(theirs) == len(games) == number
    for ours, their in zip(games, theirs, strict=True):
        assert their.moves == notations(ours)
        assert their.variant == "russian"
        assert their.tags["White"] == "Ada Lovelace"
        assert their.tags["Result"] == {"light": "1-0", "dark": "0-1", "draw": "1/2-1/2"}[ours.result]


def test_another_program_plays_our_games_to_the_same_ends(published: Path) -> None:
    for game in games_of(published, "games_pdn3.pdn")[:10]:
        (their,) = PDNReader(pdn_text=write([dressed(game)])).games
        board = Board(variant="russian")
        for move in their.moves:
            board.push(TheirMove(board, pdn_move=move.replace(":", "x")))
        assert GAME.dump(GAME.load(board.fen)) == GAME.dump(game.past.state)


def test_another_program_reads_a_game_that_begins_elsewhere() -> None:
    start = GAME.load("W:Wc3:Bd4,h8")
    game = Account(GAME, start, (Step(GAME.parse(start, "c3:e5")),))
    (their,) = PDNReader(pdn_text=write([game])).games
    assert (their.moves, their.tags["FEN"]) == (["c3:e5"], "W:Wc3:Bd4,h8")
