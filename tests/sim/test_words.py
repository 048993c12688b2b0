"""Random words of traces."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from reedlight.core.grid import Cell
from reedlight.core.trace import Edge, Finish, Trace, anytime, lift, maybe, onto, place, unseen
from reedlight_sim.words import Word, after, draw_seen, draw_unseen, furthest

A, B, C, D = (Cell(name) for name in "abcd")


def texts(trace: Trace, draw: Callable[[Trace, Random], Word | None] = draw_seen, number: int = 300) -> set[str]:
    """Every word that so many draws find, as text."""
    words = [draw(trace, Random(seed)) for seed in range(number)]
    return {"nothing" if word is None else " ".join(map(str, word)) for word in words}


def test_a_captive_leaves_before_during_or_after() -> None:
    assert texts(lift(A) >> place(B) >> anytime(lift(C))) == {"-a +b -c", "-a -c +b", "-c -a +b"}


def test_an_optional_stop_is_made_or_left_out() -> None:
    assert texts(lift(A) >> maybe(place(B) >> lift(B)) >> place(C)) == {"-a +b -b +c", "-a +c"}


def test_a_seen_merge_lifts_its_target_and_an_unseen_one_does_not() -> None:
    assert texts(onto(A, B)) == {"-a -b +b", "-b -a +b"}
    assert texts(onto(A, B), draw_unseen) == {"-a"}


def test_a_removal_from_a_tall_stack_is_tapped_or_makes_no_edge() -> None:
    assert texts(unseen(A)) == {"-a +a"}
    assert texts(unseen(A), draw_unseen) == {""}


def test_a_trace_that_shows_everything_has_no_unseen_word() -> None:
    assert texts(lift(A) >> place(B), draw_unseen, 3) == {"nothing"}


def test_the_same_seed_draws_the_same_word() -> None:
    trace = lift(A) | lift(B) | lift(C) | lift(D)
    assert draw_seen(trace, Random(7)) == draw_seen(trace, Random(7))


def test_edges_that_do_not_fit_leave_nothing() -> None:
    trace = lift(A) >> place(B)
    assert after(trace, [Edge(B, occupied=True)]) == frozenset()
    assert furthest(after(trace, [Edge(B, occupied=True)])) is Finish.NO
    assert furthest(after(trace, [Edge(A, occupied=False), Edge(B, occupied=True)])) is Finish.YES
