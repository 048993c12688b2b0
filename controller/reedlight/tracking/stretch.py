"""Reading a stretch of history: how edges, some of them noise, may be a word of one trace.

The history is a row of *groups*, each the edges that came together. A *way* to read it is what is left of
the trace, the cells that have strayed from what the word read so far says, and the noise: edges that were
left out. An edge is read by the trace, or strays; a cell that strayed comes back with its next edge. Only
where nothing strays is the board as the word leaves it.

A cell strays only before the word uses it. A piece that is lifted, put back and lifted again has left with
the second lift: what was done while it stood there was not done with it in the hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from reedlight.core.grid import Cell, Cells
from reedlight.core.trace import Edge, Finish, Trace, cells, finish, residuals

LARGEST_SHUFFLED_GROUP = 6
"""Edges of one report that are tried in every order (64 subsets); in a larger one lifts come first."""
MOST_KEPT = 1 << 12
"""Readings kept: the same pieces make the same edges again and again. Some two megabytes."""
MOST_UNFINISHED = 1 << 9
"""The same of what is read on from at the next edge: a turn's own."""


@dataclass(frozen=True, slots=True)
class Group:
    """The edges of one report."""

    at: float
    edges: tuple[Edge, ...]


def edges_between(before: Cells, after: Cells) -> tuple[Edge, ...]:
    """The edges that lead from one occupancy to another, lifts first."""
    lifts = (Edge(cell, occupied=False) for cell in sorted(before - after))
    placements = (Edge(cell, occupied=True) for cell in sorted(after - before))
    return (*lifts, *placements)


def count(groups: Sequence[Group]) -> int:
    """How many edges there are."""
    return sum(len(group.edges) for group in groups)


def cells_of(groups: Sequence[Group]) -> Cells:
    """The cells that the edges touch."""
    return frozenset(edge.cell for group in groups for edge in group.edges)


def moments(groups: Sequence[Group]) -> Callable[[Cell], tuple[int, Cell]]:
    """When a cell was first touched, to sort by; cells of one report by name."""
    first: dict[Cell, int] = {}
    for at, group in enumerate(groups):
        for edge in group.edges:
            first.setdefault(edge.cell, at)
    return lambda cell: (first.get(cell, len(groups)), cell)


def is_word(trace: Trace, groups: Sequence[Group]) -> bool:
    """Whether a whole word of the trace can be picked out of the groups in order."""
    return any(finish(left) is Finish.YES for left in read(trace, cells(trace), groups))


_Way = tuple[Trace, Cells, Cells]
"""What is left of the trace, the cells that strayed, and those whose edges the word has begun to use."""
_Ways = Mapping[_Way, int]
_Near = tuple[tuple[Edge, ...], ...]
"""The edges of each group that are of a trace's own cells, groups without any left out."""


def read(trace: Trace, touched: Cells, groups: Sequence[Group]) -> dict[Trace, int]:
    """What may be left of a trace after the groups, with the noise of the best way to get there.

    Only ways on which every cell stands as the word read so far leaves it.
    """
    near = [tuple([edge for edge in group.edges if edge.cell in touched]) for group in groups]
    elsewhere = count(groups) - sum(map(len, near))
    return {left: noise + elsewhere for left, noise in _left(trace, tuple(filter(None, near)))}


@lru_cache(maxsize=MOST_KEPT)
def _left(trace: Trace, near: _Near) -> tuple[tuple[Trace, int], ...]:
    found: dict[Trace, int] = {}
    for (left, strayed, _), noise in _ways(trace, near).items():
        if not strayed:
            _keep_least(found, left, noise)
    return tuple(found.items())


@lru_cache(maxsize=MOST_UNFINISHED)
def _ways(trace: Trace, near: _Near) -> _Ways:
    """The ways after edges of the trace's own cells: those before the last are not read again."""
    return _read_group(_ways(trace, near[:-1]), near[-1]) if near else {(trace, Cells(), Cells()): 0}


def _read_group(ways: _Ways, edges: Sequence[Edge]) -> _Ways:
    """The ways after edges that came together, in every order of them."""
    if len(edges) == 1:
        return _read_edge(ways, edges[0])
    if len(edges) > LARGEST_SHUFFLED_GROUP:
        for edge in edges:
            ways = _read_edge(ways, edge)
        return ways
    after: dict[int, _Ways] = {0: ways}
    for taken in range(1, 1 << len(edges)):
        merged: dict[_Way, int] = {}
        for at, edge in enumerate(edges):
            if taken >> at & 1:
                for way, noise in _read_edge(after[taken ^ 1 << at], edge).items():
                    _keep_least(merged, way, noise)
        after[taken] = merged
    return after[(1 << len(edges)) - 1]


def _read_edge(ways: _Ways, edge: Edge) -> _Ways:
    found: dict[_Way, int] = {}
    for (left, strayed, used), noise in ways.items():
        if edge.cell in strayed:
            _keep_least(found, (left, strayed - {edge.cell}, used), noise + 1)
            continue
        for rest in residuals(left, edge):
            _keep_least(found, (rest, strayed, used | {edge.cell}), noise)
        if edge.cell not in used:
            _keep_least(found, (left, strayed | {edge.cell}, used), noise + 1)
    return found


_K = TypeVar("_K")


def _keep_least(found: dict[_K, int], key: _K, noise: int) -> None:
    if noise < found.get(key, noise + 1):
        found[key] = noise
