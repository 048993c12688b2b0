"""Words: one of the ways in which a hand may perform a trace, drawn at random.

A trace stands for many words of edges. A walk takes, edge by edge, any that may come next with equal
odds, and may stop wherever the trace may end. There are two ends to walk to: where everything has been
*seen*, and where something is left that no switch has seen and that has to be confirmed: a stack set on
a stack, a checker picked off the top.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from reedlight.core.trace import Edge, Finish, Trace, finish, first_edges, residuals

Word = tuple[Edge, ...]

ATTEMPTS = 40
"""Walks in search of an unseen end; where every other walk finds one, all fail once in 10^12 searches."""


def draw_seen(trace: Trace, rng: Random) -> Word:
    """Draw a word that shows the whole action to the switches."""
    word = _walk(trace, Finish.YES, rng)
    assert word is not None, f"no word of {trace} shows all of it"  # noqa: S101  # a trace's promise
    return word


def draw_unseen(trace: Trace, rng: Random) -> Word | None:
    """Draw a word that hides part of the action from the switches; None where there seems to be none."""
    walks = (_walk(trace, Finish.IF_CONFIRMED, rng) for _ in range(ATTEMPTS))
    return next((word for word in walks if word is not None), None)


def furthest(ways: Iterable[Trace]) -> Finish:
    """Whether the one of several residuals that is nearest to its end may end."""
    return max(map(finish, ways), default=Finish.NO)


def after(trace: Trace, edges: Sequence[Edge]) -> frozenset[Trace]:
    """What may be left of a trace after the edges; empty where they do not fit."""
    ways: frozenset[Trace] = frozenset((trace,))
    for edge in edges:
        ways = _after_one(ways, edge)
    return ways


def _after_one(ways: Iterable[Trace], edge: Edge) -> frozenset[Trace]:
    return frozenset(left for way in ways for left in residuals(way, edge))


def _walk(trace: Trace, end: Finish, rng: Random) -> Word | None:
    """A random word that stops at this kind of end, or None where the walk came to the other kind."""
    ways: frozenset[Trace] = frozenset((trace,))
    edges: list[Edge] = []
    while True:
        ahead = sorted(frozenset[Edge]().union(*map(first_edges, ways)), key=str)
        may_stop = furthest(ways) is end
        if not ahead and not may_stop:
            return None
        chosen = rng.randrange(len(ahead) + may_stop)
        if chosen == len(ahead):
            return tuple(edges)
        edges.append(ahead[chosen])
        ways = _after_one(ways, ahead[chosen])
