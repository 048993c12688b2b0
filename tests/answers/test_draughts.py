"""Russian draughts against known answers: positions, counts, draws, endgames and whole games."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from reedlight.core.game import BadNotation, IllegalAction, Kind, Outcome, Side
from reedlight.core.grid import Cell
from reedlight.games.draughts import Draughts, Move, make
from reedlight.games.draughts.compact import Position, play, steps

GAME = make("8")
VECTORS = Path(__file__).resolve().parent.parent / "vectors" / "draughts"
COUNTED = 200_000
"""Counts above this take longer than they tell."""

Record = dict[str, Any]


def records(path: Path) -> list[Record]:
    text = path.read_text()
    return json.loads(text) if path.suffix == ".json" else [json.loads(line) for line in text.splitlines()]


POSITIONS = records(VECTORS / "positions.json")
COUNTS = json.loads((VECTORS / "perft.json").read_text())
DRAWS = records(VECTORS / "draw_sequences.json")
ENDGAMES = records(VECTORS / "three_kings_endgames.json")


def by_id(record: Record) -> str:
    return str(record["id"])


def as_move(merged: Record) -> Move:
    return Move(Cell(merged["from"]), Cell(merged["to"]), tuple(map(Cell, sorted(merged["captures"]))))


def fen(record: Record) -> str:
    white = ",".join([*record["white_men"], *(f"K{cell}" for cell in record["white_kings"])])
    black = ",".join([*record["black_men"], *(f"K{cell}" for cell in record["black_kings"])])
    return f"{record['side'].upper()}:W{white}:B{black}"


@pytest.mark.parametrize("position", POSITIONS, ids=by_id)
def test_a_position_has_exactly_the_known_moves_written_as_known(position: Record) -> None:
    state = GAME.load(position["fen"])
    assert GAME.dump(state) == position["fen"]
    assert GAME.load(fen(position)) == state
    known = {as_move(merged): (merged["pdn"], merged["promotes"]) for merged in position["merged"]}
    assert {move: (GAME.notate(state, move), state.crowned(move)) for move in state.legal_actions()} == known
    assert (state.outcome is not None) == position["lost"]


@pytest.mark.parametrize("position", POSITIONS, ids=by_id)
def test_a_position_has_exactly_the_known_paths_and_each_names_its_move(position: Record) -> None:
    state = GAME.load(position["fen"])
    known = sorted(tuple(way["path"]) for way in position["legal"])
    assert sorted(path for move in state.legal_actions() for path in state.paths(move)) == known
    for way in position["legal"]:
        move = GAME.parse(state, (":" if way["captures"] else "-").join(way["path"]))
        assert move == as_move({"from": way["path"][0], "to": way["path"][-1], "captures": way["captures"]})


def test_1200_positions_have_exactly_the_known_moves_and_numbers_of_paths() -> None:
    for record in records(VECTORS / "bulk_positions.jsonl"):
        state = GAME.load(fen(record))
        moves = state.legal_actions()
        known = tuple(sorted(map(as_move, record["merged"])))
        assert moves == known, f"{record['id']}\n{GAME.picture(state)}"
        assert sum(len(state.paths(move)) for move in moves) == record["paths"], record["id"]


def count(position: Position, side: Side, depth: int) -> int:
    found = steps(position, side)
    if depth == 1:
        return len(found)
    return sum(count(play(position, side, step), side.other, depth - 1) for step in found)


@pytest.mark.parametrize("known", [COUNTS["start"], *COUNTS["positions"]], ids=lambda known: known["fen"])
def test_the_tree_of_moves_has_the_known_size(known: Record) -> None:
    state = GAME.load(known["fen"])
    for depth, leaves in enumerate(known["merged"], start=1):
        if leaves <= COUNTED:
            assert count(state.position, state.side, depth) == leaves, split(state, depth)


def split(state: Draughts, depth: int) -> str:
    """The count after each first move, to be compared with another program's."""
    counts = (
        f"{GAME.notate(state, move)} {count(state.apply(move).position, state.side.other, depth - 1)}"
        for move in state.legal_actions()
        if depth > 1
    )
    return "\n".join((f"depth {depth}", GAME.picture(state), *counts))


def test_a_wrong_count_is_reported_move_by_move() -> None:
    assert split(GAME.load("W:Wc3:Bd6"), 2).splitlines()[-2:] == ["c3-b4 2", "c3-d4 2"]


STATUS = {
    "open": None,
    "draw repetition": Outcome(None, "third repetition"),
    "draw three kings": Outcome(None, "fifteen moves with three kings"),
    "white wins": Outcome(Side.LIGHT, "Black has no pieces"),
    "black wins": Outcome(Side.DARK, "White has no pieces"),
}


@pytest.mark.parametrize("game", DRAWS, ids=by_id)
def test_a_game_is_drawn_at_the_known_ply_and_not_before(game: Record) -> None:
    state = GAME.load(game["fen"])
    counts: list[int] = []
    for text in game["moves"]:
        assert state.outcome is None
        state = state.apply(GAME.parse(state, text))
        counts.append(state.three_kings or 0)
    assert len(counts) == game["status_ply"]
    assert state.outcome == STATUS[game["status"]]
    assert counts == game["three_kings_count"]
    assert GAME.dump(state) == game["final_fen"]


@cache
def takes_within(position: Position, side: Side, strong: Side, moves: int) -> bool:
    """Whether the stronger side can win with so many moves of its own, whatever the other does."""
    found = steps(position, side)
    if not found:
        return side is not strong
    after = (play(position, side, step) for step in found)
    if side is strong:
        return moves > 0 and any(takes_within(each, side.other, strong, moves - 1) for each in after)
    return all(takes_within(each, side.other, strong, moves) for each in after)


@pytest.mark.parametrize("endgame", ENDGAMES, ids=by_id)
def test_three_kings_take_one_in_the_known_number_of_moves_and_no_sooner(endgame: Record) -> None:
    state = GAME.load(endgame["fen"])
    strong = Side.LIGHT if endgame["strong_side"] == "w" else Side.DARK
    lone = [cell for cell, piece in state.pieces().items() if piece.side is not strong and piece.kind is Kind.KING]
    needed = endgame["moves_to_win"] or 99
    assert len(lone) == 1
    for moves in range(1, 4):
        assert takes_within(state.position, state.side, strong, moves) == (moves >= needed)


def replayed(moves: list[str]) -> Draughts:
    state = GAME.start()
    for text in moves:
        state = state.apply(GAME.parse(state, text))
    return state


@pytest.mark.parametrize("name", ["games.jsonl", "generated_games.jsonl"])
def test_published_games_replay_to_their_known_end(published: Path, name: str) -> None:
    for game in records(published / "draughts" / name):
        state = GAME.start()
        for full, short in zip(game["moves"], game["pdn_moves"], strict=True):
            move = GAME.parse(state, full)
            assert GAME.parse(state, short) == move
            assert GAME.notate(state, move) == short
            state = state.apply(move)
        assert GAME.dump(state) == game["final_fen"], game["id"]
        if "status" in game:
            outcome = state.outcome
            assert outcome is not None
            assert {"white wins": Side.LIGHT, "black wins": Side.DARK}.get(game["status"]) is outcome.winner


def test_published_games_of_another_variant_are_refused_at_their_first_wrong_move(published: Path) -> None:
    for game in records(published / "draughts" / "illegal_games.jsonl"):
        good, bad = game["moves_text"][: game["first_bad_ply"] - 1], game["moves_text"][game["first_bad_ply"] - 1]
        state = replayed(good)
        assert GAME.dump(state) == game["fen_before"]
        with pytest.raises((IllegalAction, BadNotation)):
            GAME.parse(state, bad)
