"""What every game must pass at the board: its traces, read by the tracker among all that is legal.

Parametrised over the registry like ``test_games``, from positions of the same kind of random games. An
action may be read together with others only where the same edges perform those too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from stories import BETWEEN, LONG, sit_down

from reedlight.core.game import State
from reedlight.core.grid import Cell
from reedlight.core.trace import Edge, Finish
from reedlight.games import REGISTRY, make
from reedlight.session.events import Board, Copy
from reedlight.session.session import Mode
from reedlight.tracking.tracker import Tracker
from reedlight_sim.words import Word, after, draw_seen, draw_unseen, furthest

SMALLER = {"diablo": ("4",), "herd": ("2", "square-4x5", "brick-4x3")}
"""Boards that are not offered but can be made, smaller so that their ends come soon."""
BOARDS = [(name, size) for name, entry in REGISTRY.items() for size in (entry.usual, *SMALLER.get(name, ()))]
every_board = pytest.mark.parametrize(("name", "size"), BOARDS, ids=[f"{name}-{size}" for name, size in BOARDS])

STATES = 25
"""Positions of each board, spread over random games."""
ACTIONS = 8
"""Actions tried in each, drawn at random."""
MESS = 6
"""At most so many cells are changed to make a mess."""


@cache
def positions(name: str, size: str) -> tuple[State[Any], ...]:
    """Positions in which somebody is to act."""
    chance, found = Random(f"{name}{size}"), list[State[Any]]()
    for _ in range(3):
        state: State[Any] = make(name, size).start()
        while state.outcome is None:
            actions = state.legal_actions()
            found += [state] if actions else []
            state = state.apply(chance.choice([*state.chance(), *actions]))
    return tuple(found[:: max(1, len(found) // STATES)])


def tries(name: str, size: str) -> Iterator[tuple[State[Any], Any, Random]]:
    """Some actions of every position, each with a source of chance."""
    for number, state in enumerate(positions(name, size)):
        chance = Random(number)
        actions = state.legal_actions()
        for action in chance.sample(actions, min(len(actions), ACTIONS)):
            yield state, action, chance


def performed(tracker: Tracker[Any], state: State[Any], word: Word) -> Tracker[Any]:
    """Feed the word to the tracker, at the pace of a hand; the board stands as the state has it."""
    board = state.occupancy()
    for edge in word:
        board ^= {edge.cell}
        tracker.feed(board, tracker.last_edge + BETWEEN)
    return tracker


def followed(state: State[Any], word: Word, *only: Any) -> Tracker[Any]:
    """A tracker of the state that has seen the word; without ``only``, all actions are possible."""
    return performed(Tracker(state, state.occupancy(), 0.0, only or None), state, word)


def fits(state: State[Any], action: Any, word: Word) -> Finish | None:
    """How far the word performs the action, None where it does not fit at all."""
    ways = after(state.trace(action), word)
    return furthest(ways) if ways else None


@every_board
def test_every_word_of_a_trace_is_read_as_its_action(name: str, size: str) -> None:
    for state, action, chance in tries(name, size):
        word = draw_seen(state.trace(action), chance)
        told = f"{action} as {' '.join(map(str, word))}\n{make(name, size).picture(state)}"
        tracker = followed(state, word)
        complete = [reading.actions for reading in tracker.likely if reading.complete]
        assert [state.apply(action)] == [state.apply(first) for first, *_ in complete if first == action], told
        for reading in tracker.likely:
            rivals = reading.actions[:1] or tuple(live.action for live in reading.live)
            assert all(fits(state, rival, word) is not None for rival in rivals), told


@every_board
def test_where_no_other_action_begins_or_ends_alike_it_is_read_alone(name: str, size: str) -> None:
    for state, action, chance in tries(name, size):
        word = draw_seen(state.trace(action), chance)
        rivals = [other for other in state.legal_actions() if other != action and fits(state, other, word) is not None]
        if not rivals:
            assert followed(state, word).complete == (action,)


@every_board
def test_what_a_trace_hides_is_not_read_but_can_be_confirmed(name: str, size: str) -> None:
    for state, action, chance in tries(name, size):
        word = draw_unseen(state.trace(action), chance)
        if word is None:
            continue
        tracker = followed(state, word)
        confirmable = tracker.confirmable()
        assert (action,) in confirmable
        assert tracker.complete == ()
        assert all(fits(state, other, word) is Finish.IF_CONFIRMED for (other,) in confirmable)


@every_board
def test_what_a_trace_does_not_hide_is_never_to_be_confirmed(name: str, size: str) -> None:
    for state, action, chance in tries(name, size):
        word = draw_seen(state.trace(action), chance)
        for seen in (word[:at] for at in range(len(word) + 1)):
            confirmable = followed(state, seen).confirmable()
            assert ((action,) in confirmable) <= (fits(state, action, seen) is Finish.IF_CONFIRMED)


@every_board
def test_after_any_mess_the_board_put_right_reads_as_untouched_and_play_goes_on(name: str, size: str) -> None:
    cells = make(name, size).grid.cells
    for state, action, chance in tries(name, size):
        mess = chance.sample(cells, chance.randint(1, min(MESS, len(cells))))
        tracker = followed(state, toggles(state, mess))
        performed_again = chance.sample(mess, len(mess))
        board = state.occupancy() ^ set(mess)
        for cell in performed_again:
            board ^= {cell}
            tracker.feed(board, tracker.last_edge + LONG)
        assert any(reading.complete and not reading.actions for reading in tracker.readings)
        tracker.rest()
        word = draw_seen(state.trace(action), chance)
        read = performed(tracker, state, word).likely
        assert any(reading.actions[:1] == (action,) for reading in read)


def toggles(state: State[Any], cells: list[Cell]) -> Word:
    """Every cell changed, one after another."""
    return tuple(Edge(cell, occupied=cell not in state.pieces()) for cell in cells)


@every_board
def test_copying_takes_the_action_itself_in_every_way_and_no_other(name: str, size: str) -> None:
    for state, action, chance in tries(name, size):
        assert followed(state, draw_seen(state.trace(action), chance), action).complete == (action,)
        others = [other for other in state.legal_actions() if state.apply(other) != state.apply(action)]
        for other in chance.sample(others, min(len(others), ACTIONS)):
            word = draw_seen(state.trace(other), chance)
            if fits(state, action, word) is not Finish.YES:
                assert followed(state, word, action).complete == ()


@every_board
def test_a_sitting_copies_the_action_and_nothing_else(name: str, size: str) -> None:
    for state, action, chance in list(tries(name, size))[:: 2 * ACTIONS]:
        other = chance.choice(state.legal_actions())
        for word in (draw_seen(state.trace(other), chance), draw_seen(state.trace(action), chance)):
            sitting = sit_down(make(name, size), state).handle(Copy(action))
            for edge in word:
                sitting.board ^= {edge.cell}
                sitting.handle(Board(frozenset(sitting.board))).wait(BETWEEN)
            sitting.wait()
            performs_it = fits(state, action, word) is Finish.YES
            assert sitting.session.history == ((action,) if performs_it else ())
            assert performs_it or sitting.session.mode is Mode.COPY
