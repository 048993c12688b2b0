"""Herd against known right answers: positions with every legal action and result, counts, complete games."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from reedlight.core.game import Roll, Side
from reedlight.games.herd import Herd, Phase, make
from reedlight.games.herd.rules import board_on

VECTORS = Path(__file__).parents[1] / "vectors" / "herd"
RECORDS = [json.loads(line) for line in (VECTORS / "positions.jsonl").read_text("utf-8").splitlines()]
POSITIONS = [record for record in RECORDS if record["type"] == "position"]
ROLLS = [record for record in RECORDS if record["type"] == "roll"]
PERFT = json.loads((VECTORS / "perft.json").read_text("utf-8"))["rows"]

SIDES = {"1": Side.LIGHT, "2": Side.DARK}
DIGITS = {side: digit for digit, side in SIDES.items()}


def position(record: dict[str, Any]) -> Herd:
    said = record["state"]
    board = board_on(make(record["grid"]).grid)
    stones = {digit: board.union([cell for cell, owner in said["stones"].items() if owner == digit]) for digit in SIDES}
    return Herd(
        board,
        stones["1"],
        stones["2"],
        SIDES[said["to_move"]],
        Phase(said["phase"]),
        tuple(said["dice"]),
        said["to_remove"],
        said["to_place"],
        said["opening"],
    )


def winner(state: Herd) -> str | None:
    if state.outcome is None:
        return None
    return DIGITS[state.outcome.winner] if state.outcome.winner else "draw"


def digest(state: Herd) -> str:
    pieces = state.pieces()
    stones = "".join(DIGITS[pieces[cell].side] if cell in pieces else "." for cell in state.board.grid.cells)
    text = "|".join(
        (
            "herd",
            state.board.grid.name,
            stones,
            DIGITS[state.mover],
            state.phase.value,
            ",".join(map(str, state.rolled)),
            str(state.to_remove),
            str(state.to_place),
            "opening" if state.opening else "-",
            winner(state) or "-",
        )
    )
    return sha256(text.encode()).hexdigest()[:16]


def owed(state: Herd) -> dict[str, Any]:
    return {
        "to_move": DIGITS[state.mover],
        "phase": state.phase.value,
        "to_remove": state.to_remove,
        "to_place": state.to_place,
        "winner": winner(state),
        "digest": digest(state),
    }


def changed(before: Herd, after: Herd) -> dict[str, str]:
    old, new = before.pieces(), after.pieces()
    return {
        cell: DIGITS[new[cell].side] if cell in new else "."
        for cell in before.board.grid.cells
        if old.get(cell) != new.get(cell)
    }


def test_the_vectors_hold_what_their_index_says() -> None:
    assert (len(POSITIONS), len(ROLLS)) == (125, 12)


@pytest.mark.parametrize("record", POSITIONS, ids=lambda record: record["id"])
def test_the_legal_actions_and_their_results_are_the_known_ones(record: dict[str, Any]) -> None:
    game, state = make(record["grid"]), position(record)
    assert digest(state) == record["digest"]
    actions = {game.notate(state, action): action for action in state.legal_actions()}
    assert sorted(actions) == sorted(known["text"] for known in record["legal"])
    for known in record["legal"]:
        after = state.apply(actions[known["text"]])
        expected = dict(known["result"])
        assert changed(state, after) == expected.pop("changed")
        assert sorted(state.captured(actions[known["text"]])) == sorted(expected.pop("captured"))
        assert after.opening == expected.pop("opening")
        assert owed(after) == expected


@pytest.mark.parametrize("record", ROLLS, ids=lambda record: record["id"])
def test_a_roll_owes_what_is_known(record: dict[str, Any]) -> None:
    state = position(record)
    assert state.to_act is Side.CHANCE
    assert owed(state.apply(Roll(tuple(record["roll"])))) == record["result"]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["id"])
def test_the_position_survives_its_text(record: dict[str, Any]) -> None:
    game, state = make(record["grid"]), position(record)
    assert game.load(game.dump(state)) == state


@cache
def sequences(state: Herd, depth: int) -> tuple[int, int]:
    """How many ways the next ``depth`` actions can go: with ordered dice, with unordered dice."""
    if depth == 0 or state.phase is Phase.OVER:
        return 1, 1
    if state.phase is not Phase.ROLL and depth == 1:
        return len(state.legal_actions()), len(state.legal_actions())
    if state.phase is not Phase.ROLL:
        branches = [sequences(state.apply(action), depth - 1) for action in state.legal_actions()]
        return sum(ordered for ordered, _ in branches), sum(unordered for _, unordered in branches)
    rolls = {roll.dice: sequences(state.apply(roll), depth) for roll in state.chance()}
    ordered = sum(ordered for ordered, _ in rolls.values())
    return ordered, sum(unordered for (first, second), (_, unordered) in rolls.items() if first <= second)


@pytest.mark.parametrize("row", PERFT, ids=lambda row: f"{row['grid']} to depth {row['depth']}")
def test_the_number_of_sequences_is_the_known_one(row: dict[str, Any]) -> None:
    counted = sequences(make(row["grid"]).start(), row["depth"])
    assert counted == (row["sequences_ordered_dice"], row["sequences_unordered_dice"])


def test_whole_games_replay_turn_by_turn(published: Path) -> None:
    games = [json.loads(line) for line in (published / "herd" / "games.jsonl").read_text("utf-8").splitlines()]
    assert len(games) == 12
    for known in games:
        game = make(known["grid"])
        state = game.start()
        for turn in known["turns"]:
            assert state.to_act is Side.CHANCE, f"{known['id']}, turn {turn['number']}"
            assert DIGITS[state.mover] == turn["player"]
            state = state.apply(Roll(tuple(turn["dice"])))
            for text in turn["actions"]:
                state = state.apply(game.parse(state, text))
        assert digest(state) == known["final_digest"]
        assert winner(state) == known["winner"]
