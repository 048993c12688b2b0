"""Diablo against known right answers: positions with every legal action, whole games, and counts of paths."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest

from reedlight.core.game import Roll, Side
from reedlight.games.diablo import ActionKind, Diablo, make
from reedlight.games.diablo.rules import start

VECTORS = Path(__file__).resolve().parent.parent / "vectors" / "diablo"
POSITIONS = [json.loads(line) for line in (VECTORS / "positions.jsonl").read_text().splitlines()]
PERFT = json.loads((VECTORS / "perft.json").read_text())["rows"]
COUNTED_ROWS = [row for row in PERFT if (row["n"], row["depth"]) != (8, 3)]
"""All but one: that one has 163 million paths."""

SIDES = {"B": Side.DARK, "G": Side.LIGHT}
LETTERS = {side: letter for letter, side in SIDES.items()}


def state_of(n: int, told: dict) -> Diablo:
    fields = [field for row in reversed(told["board"]) for field in row.split()]
    board = tuple(0 if field == "." else {"B": 1, "G": -1}[field[0]] * int(field[1:]) for field in fields)
    began = None if told["began"] == "-" else ActionKind(told["began"])
    return Diablo(n, board, SIDES[told["to_move"]], tuple(told["dice"]), tuple(told["left"]), began)


def rows_of(state: Diablo) -> list[str]:
    named = ["." if not height else f"{'B' if height > 0 else 'G'}{abs(height)}" for height in state.board]
    return [" ".join(named[at : at + state.size]) for at in reversed(range(0, len(named), state.size))]


def phase_of(state: Diablo) -> str:
    if state.outcome is not None:
        return "over"
    if not state.rolled:
        return "roll"
    return "first" if state.began is None else "second"


def told_of(state: Diablo) -> dict:
    return {
        "to_move": LETTERS[state.mover],
        "phase": phase_of(state),
        "left": list(state.left),
        "began": str(state.began or "-"),
        "opening": state.opening,
        "winner": None if state.outcome is None else LETTERS[state.outcome.winner],
    }


def digest_of(state: Diablo) -> str:
    told = told_of(state)
    fields = (
        "diablo",
        str(state.size),
        "/".join(rows_of(state)),
        told["to_move"],
        told["phase"],
        ",".join(map(str, state.rolled)),
        ",".join(map(str, state.left)),
        told["began"],
        "opening" if told["opening"] else "-",
        told["winner"] or "-",
    )
    return hashlib.sha256("|".join(fields).encode()).hexdigest()[:16]


@pytest.mark.parametrize("case", POSITIONS, ids=lambda case: case["id"])
def test_every_position_has_exactly_its_actions_and_each_leads_where_it_should(case: dict) -> None:
    game = make(str(case["n"]))
    state = state_of(case["n"], case["state"])
    assert digest_of(state) == case["digest"]
    assert sorted(map(str, state.legal_actions())) == sorted(action["text"] for action in case["legal"])
    before = dict(
        zip(game.grid.cells, (field for row in reversed(rows_of(state)) for field in row.split()), strict=True)
    )
    for told in case["legal"]:
        after = state.apply(game.parse(state, told["text"]))
        expected = {key: value for key, value in told["result"].items() if key not in {"changed", "digest"}}
        fields = (field for row in reversed(rows_of(after)) for field in row.split())
        changed = {cell: field for cell, field in zip(game.grid.cells, fields, strict=True) if field != before[cell]}
        assert told_of(after) == expected, told["text"]
        assert changed == told["result"]["changed"], told["text"]
        assert digest_of(after) == told["result"]["digest"], told["text"]
        assert game.load(game.dump(after)) == after


def test_every_whole_game_ends_in_its_position(published: Path) -> None:
    games = [json.loads(line) for line in (published / "diablo" / "games.jsonl").read_text().splitlines()]
    assert len(games) == 12
    for told in games:
        game = make(str(told["n"]))
        state = game.start()
        for turn in told["turns"]:
            assert LETTERS[state.mover] == turn["player"]
            state = state.apply(Roll(tuple(turn["dice"])))
            for text in turn["actions"]:
                state = state.apply(game.parse(state, text))
        assert digest_of(state) == told["final_digest"], told["id"]
        assert rows_of(state) == told["final_board"]


Paths = dict[Diablo, Counter[str]]
"""For each state how many paths lead to it, with ordered rolls and with unordered ones."""


def rolled(paths: Paths) -> Paths:
    """Every unordered roll of the states that wait for one; a mixed roll can fall in two orders."""
    after: Paths = {}
    for state, counts in paths.items():
        for roll in state.chance():
            if roll.dice[0] <= roll.dice[1]:
                orders = 1 if roll.dice[0] == roll.dice[1] else 2
                after[state.apply(roll)] = Counter(ordered=counts["ordered"] * orders, unordered=counts["unordered"])
        if not state.chance():
            after[state] = counts
    return after


def acted(paths: Paths) -> Paths:
    after: Paths = {}
    for state, counts in paths.items():
        for action in state.legal_actions():
            after.setdefault(state.apply(action), Counter()).update(counts)
    return after


def counts_after(paths: Paths) -> Counter[str]:
    """The paths one action further on, counted without taking it."""
    total: Counter[str] = Counter()
    options: dict[tuple, int] = {}
    for state, counts in paths.items():
        key = (state.board, state.mover, state.left, state.began)
        if key not in options:
            options[key] = len(state.legal_actions())
        total.update({order: count * options[key] for order, count in counts.items()})
    return total


@pytest.mark.parametrize("row", COUNTED_ROWS, ids=lambda row: f"{row['n']}-{row['depth']}")
def test_the_number_of_paths_is_right(row: dict) -> None:
    paths: Paths = rolled({start(row["n"]): Counter(ordered=1, unordered=1)})
    for _ in range(row["depth"] - 1):
        paths = rolled(acted(paths))
    assert counts_after(paths) == {
        "ordered": row["sequences_ordered_dice"],
        "unordered": row["sequences_unordered_dice"],
    }


@pytest.mark.parametrize(("n", "depth"), [(4, 1), (4, 2), (4, 3), (6, 1), (6, 2), (8, 1)])
def test_the_number_of_boards_is_right(n: int, depth: int) -> None:
    (expected,) = (row["distinct_boards"] for row in PERFT if (row["n"], row["depth"]) == (n, depth))
    paths: Paths = {start(n): Counter(ordered=1, unordered=1)}
    for _ in range(depth):
        paths = acted(rolled(paths))
    assert len({(state.board, state.mover, phase_of(state)) for state in paths}) == expected
