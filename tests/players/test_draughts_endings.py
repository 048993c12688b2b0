"""The table of endings: what it says against a solver without it, against published endings, and over the board."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any

import pytest

from reedlight.core.game import Side
from reedlight.games.draughts import Draughts, make
from reedlight.games.draughts.compact import BIT, TOP, Squares, afters, own_and_foe
from reedlight.games.draughts.rules import begin
from reedlight.players.draughts import mind
from reedlight.players.draughts.endings import DRAWN, FILE, LOOKS, covers, plies_to_end, sets
from reedlight.players.draughts.make_endings import OVER, solved
from reedlight.players.player import never

GAME = make("8")
MIND = mind(GAME)
STRONGEST = 6
ENDGAMES = json.loads(
    (Path(__file__).resolve().parent.parent / "vectors/draughts/three_kings_endgames.json").read_text()
)
SOON = 5
"""Plies that the slow solver looks ahead."""


def drawn_at_random(rng: Random, kings: int) -> tuple[Squares, Squares]:
    """So many kings of the side to move or of the other against one, whose move it is by chance."""
    squares = rng.sample(list(BIT.values()), kings + 1)
    many, one = sum(squares[1:]), squares[0]
    return rng.choice(((many, one), (one, many)))


@cache
def wins_within(own: Squares, foe: Squares, plies: int) -> bool:
    """Whether the side to move wins in so many plies, by trying everything."""
    return plies > 0 and any(loses_within(after[0], after[1], plies - 1) for after in afters(own, foe, own | foe, TOP))


@cache
def loses_within(own: Squares, foe: Squares, plies: int) -> bool:
    """Whether the side to move has lost after so many plies, whatever it does."""
    onward = afters(own, foe, own | foe, TOP) if own else []
    return not onward or (plies > 0 and all(wins_within(after[0], after[1], plies - 1) for after in onward))


@pytest.mark.parametrize("kings", [1, 2, 3])
def test_the_table_says_what_trying_everything_says(kings: int) -> None:
    rng = Random(kings)
    for _ in range(60):
        own, foe = drawn_at_random(rng, kings)
        plies = plies_to_end(own, foe)
        assert wins_within(own, foe, SOON) == (plies != DRAWN and plies % 2 == 1 and plies <= SOON)
        assert loses_within(own, foe, SOON - 1) == (plies != DRAWN and plies % 2 == 0 and plies < SOON)


@pytest.mark.parametrize("kings", [1, 2, 3])
def test_each_number_follows_from_those_a_ply_on(kings: int) -> None:
    rng = Random(10 + kings)
    for _ in range(300):
        own, foe = drawn_at_random(rng, kings)
        onward = [plies_to_end(after[0], after[1]) if after[0] else 0 for after in afters(own, foe, own | foe, TOP)]
        lost = [plies for plies in onward if plies != DRAWN and plies % 2 == 0]
        won = [plies for plies in onward if plies % 2 == 1 and plies != DRAWN]
        expected = 1 + min(lost) if lost else DRAWN if len(won) < len(onward) else 1 + max(won) if won else 0
        assert plies_to_end(own, foe) == expected


def test_a_mirrored_ending_takes_as_long() -> None:
    rng = Random(5)
    for _ in range(200):
        own, foe = drawn_at_random(rng, rng.randint(1, 3))
        told = {
            plies_to_end(
                sum(look[bit] for bit in BIT.values() if bit & own), sum(look[bit] for bit in BIT.values() if bit & foe)
            )
            for look in LOOKS
        }
        assert told == {plies_to_end(own, foe)}


def test_the_table_is_small_and_has_endings_of_kings_alone() -> None:
    assert len(resources.files("reedlight.players.draughts").joinpath(FILE).read_bytes()) < 50_000
    assert len(sets()) == 32 + 496 + 4_960
    a, b, c, d, e = list(BIT.values())[:5]
    assert covers(a | b | c, d, a | b | c | d)
    assert not covers(a | b | c, d, a | b | c)
    assert not covers(a | b | c | d, e, a | b | c | d | e)
    assert not covers(a | b, c | d, a | b | c | d)
    assert not covers(0, a, a)


def test_the_solver_counts_plies_from_the_end() -> None:
    # 0 must move to 1, which has lost; 2 may go to 0 or stay drawn with 3; 4 has no move; 5 can only let 0 win.
    assert list(solved({0: [OVER], 1: [0], 2: [3, 0], 3: [2], 4: [], 5: [4], 6: [1, 2]})) == [2, 3, 0, 0, 1, 2, 4]


@pytest.mark.parametrize("record", ENDGAMES, ids=lambda record: str(record["id"]))
def test_a_published_ending_takes_as_many_moves_as_published(record: dict[str, Any]) -> None:
    state = GAME.load(record["fen"])
    plies = plies_to_end(*own_and_foe(state.position, state.side))
    assert (None if plies == DRAWN else (plies + 1) // 2) == record["moves_to_win"]


def best_defence(state: Draughts, _rng: Random) -> Draughts:
    return state.apply(MIND.choose(state, STRONGEST, Random(0), never).action)


def any_defence(state: Draughts, rng: Random) -> Draughts:
    return state.apply(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("defence", [best_defence, any_defence])
def test_forced_wins_are_won_before_the_fifteenth_move(defence: Any) -> None:
    rng = Random(2)
    states = [GAME.load(record["fen"]) for record in ENDGAMES if record["moves_to_win"]]
    while len(states) < 40:
        own, foe = drawn_at_random(rng, 3)
        if plies_to_end(own, foe) > 15:
            states.append(begin((own, foe, own | foe), Side.LIGHT))
    for begun in states:
        state, winner = begun, forced(begun)
        while state.outcome is None:
            if state.side is winner:
                state = state.apply(MIND.choose(state, STRONGEST, rng, never).action)
            else:
                state = defence(state, rng)
        assert state.outcome.winner is winner
        assert state.plies <= 30


def forced(state: Draughts) -> Side:
    return state.side if plies_to_end(*own_and_foe(state.position, state.side)) % 2 else state.side.other
