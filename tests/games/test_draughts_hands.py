"""How a hand performs a move of Russian draughts: which words of edges are the move, and which are not.

A word is written as the switches report it: -c3 a piece is lifted, +e5 one is set down.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from reedlight.core.grid import Cell
from reedlight.core.trace import (
    Edge,
    Finish,
    Trace,
    anytime,
    due,
    finish,
    first_edges,
    landings,
    lift,
    place,
    residuals,
)
from reedlight.games.draughts import Draughts, Move, make

GAME = make("8")
VECTORS = Path(__file__).resolve().parent.parent / "vectors" / "draughts"
POSITIONS = json.loads((VECTORS / "positions.json").read_text())


def traced(fen: str, move: str) -> Trace:
    state = GAME.load(fen)
    return state.trace(GAME.parse(state, move))


def after(trace: Trace, word: str) -> list[Trace]:
    """What may be left of the trace after the word."""
    left = [trace]
    for text in word.split():
        edge = Edge(Cell(text[1:]), text[0] == "+")
        left = [rest for each in left for rest in residuals(each, edge)]
    return left


def performs(trace: Trace, word: str) -> bool:
    return any(finish(left) is Finish.YES for left in after(trace, word))


def due_after(trace: Trace, word: str) -> set[Cell]:
    return {cell for left in after(trace, word) for cell in due(left)}


def landings_after(trace: Trace, word: str) -> set[Cell]:
    return {cell for left in after(trace, word) for cell in landings(left)}


def test_a_quiet_move_is_lifted_and_set_down() -> None:
    assert traced("W:Wc3:Bh8", "c3-d4") == lift(Cell("c3")) >> place(Cell("d4"))


def test_a_mans_jump_is_the_theorys_example() -> None:
    expected = lift(Cell("c3")) >> place(Cell("e5")) >> anytime(lift(Cell("d4")))
    assert traced("W:Wc3:Bd4", "c3:e5") == expected


@pytest.mark.parametrize("word", ["-c3 +e5 -d4", "-c3 -d4 +e5", "-d4 -c3 +e5"])
def test_the_captured_man_leaves_before_during_or_after(word: str) -> None:
    assert performs(traced("W:Wc3:Bd4", "c3:e5"), word)


@pytest.mark.parametrize("word", ["-c3 +e5", "-c3 +d4", "+e5 -c3 -d4", "-c3 -d4", ""])
def test_half_a_jump_is_none(word: str) -> None:
    assert not performs(traced("W:Wc3:Bd4", "c3:e5"), word)


@pytest.mark.parametrize(
    "word",
    [
        "-c3 +c7 -d4 -d6",
        "-c3 +e5 -e5 +c7 -d6 -d4",
        "-c3 +e5 -d4 -e5 +c7 -d6",
        "-d6 -d4 -c3 +e5 -e5 +c7",
    ],
)
def test_a_chain_is_done_in_one_movement_or_stop_by_stop(word: str) -> None:
    assert performs(traced("W:Wc3:Bd4,d6", "c3:c7"), word)


def test_a_stop_must_be_left_again_and_must_be_on_the_way() -> None:
    chain = traced("W:Wc3:Bd4,d6", "c3:c7")
    assert not performs(chain, "-c3 +e5 -d4 -d6")
    assert after(chain, "-c3 +f6") == []


def test_a_captive_is_due_once_it_has_been_jumped() -> None:
    chain = traced("W:Wc3:Bd4,d6", "c3:c7")
    assert due_after(chain, "-c3") == set()
    assert due_after(chain, "-c3 +e5") == {"d4"}
    assert due_after(chain, "-c3 +c7") == {"d4", "d6"}
    assert due_after(chain, "-c3 +e5 -d4 -e5 +c7") == {"d6"}


def test_a_king_may_stop_anywhere_between_two_captives_on_its_line() -> None:
    flight = traced("W:WKa1:Bb2,f6", "a1:h8")
    assert landings_after(flight, "-a1") == {"c3", "d4", "e5", "h8"}
    for stop in ("c3", "d4", "e5"):
        assert performs(flight, f"-a1 +{stop} -b2 -{stop} +h8 -f6")


def test_a_king_stops_only_where_it_can_turn() -> None:
    flight = traced("W:WKa1:Bd4,f4", "a1:h2")
    assert landings_after(flight, "-a1") == {"e5", "h2"}
    assert after(flight, "-a1 +f6") == []


@pytest.mark.parametrize(
    "word",
    [
        "-e1 +e1 -d2 -f2 -d4 -f4",
        "-e1 +c3 -c3 +e5 -e5 +g3 -g3 +e1 -d2 -d4 -f4 -f2",
        "-e1 +g3 -g3 +e5 -e5 +c3 -c3 +e1 -d2 -d4 -f4 -f2",
        "-d2 -e1 -f4 +e1 -f2 -d4",
    ],
)
def test_a_round_trip_is_done_either_way_round(word: str) -> None:
    trip = traced("W:WKe1:Bd2,d4,f2,f4", "e1:e1")
    assert performs(trip, word)


def test_a_round_trip_does_not_change_its_way_half_way() -> None:
    trip = traced("W:WKe1:Bd2,d4,f2,f4", "e1:e1")
    assert after(trip, "-e1 +c3 -c3 +e5 -e5 +c3") == []


def random_word(state: Draughts, move: Move, rng: random.Random) -> list[Edge]:
    """One way a hand may do it: a correct path with some stops left out, the captives leaving at any moment."""
    path = rng.choice(state.paths(move))
    stops = [cell for cell in path[1:-1] if rng.random() < 0.5]
    hand = [Edge(path[0], occupied=False)]
    for cell in stops:
        hand += [Edge(cell, occupied=True), Edge(cell, occupied=False)]
    hand.append(Edge(path[-1], occupied=True))
    for cell in move.taken:
        hand.insert(rng.randint(0, len(hand)), Edge(cell, occupied=False))
    return hand


def occupied_after(occupied: frozenset[Cell], word: list[Edge]) -> frozenset[Cell]:
    for edge in word:
        assert (edge.cell in occupied) != edge.occupied, f"{edge} cannot happen in {sorted(occupied)}"
        occupied = occupied | {edge.cell} if edge.occupied else occupied - {edge.cell}
    return occupied


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position["id"])
def test_every_way_a_hand_may_do_a_move_is_read_as_that_move(position: dict[str, str]) -> None:
    state = GAME.load(position["fen"])
    rng = random.Random(position["id"])
    for move in state.legal_actions():
        trace = state.trace(move)
        for _ in range(6):
            word = random_word(state, move, rng)
            assert performs(trace, " ".join(map(str, word)))
            assert occupied_after(state.occupancy(), word) == state.apply(move).occupancy()


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position["id"])
def test_every_word_of_a_trace_can_happen_and_ends_in_the_moves_occupancy(position: dict[str, str]) -> None:
    state = GAME.load(position["fen"])
    rng = random.Random(position["id"])
    for move in state.legal_actions():
        for _ in range(4):
            left, word = state.trace(move), list[Edge]()
            while finish(left) is not Finish.YES:
                word.append(rng.choice(sorted(first_edges(left), key=str)))
                left = rng.choice(residuals(left, word[-1]))
            assert occupied_after(state.occupancy(), word) == state.apply(move).occupancy()
