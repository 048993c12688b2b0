"""Reading a stretch of history: how edges, some of them noise, may be a word of one trace.

The history is a row of *groups*, each the edges that came together. A *way* to read it is what is left of
the trace, the cells that have strayed from what the word read so far says, and the noise: edges that were
left out. An edge is read by the trace, or strays; a cell that strayed comes back with its next edge. Only
where nothing strays is the board as the word leaves it; so a cell that is touched only once has not strayed,
and where all edges are of different cells each of them is read.

A cell strays only before the word uses it. A piece that is lifted, put back and lifted again has left with
the second lift: what was done while it stood there was not done with it in the hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from reedlight.core.grid import Cell, Cells
from reedlight.core.trace import Edge, Finish, Trace, cells, distinct, finish, residuals

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
    lifts = [Edge(cell, occupied=False) for cell in sorted(before - after)]
    placements = [Edge(cell, occupied=True) for cell in sorted(after - before)]
    return (*lifts, *placements)


def cells_of(groups: Sequence[Group]) -> Cells:
    """The cells that the edges touch."""
    return frozenset([edge.cell for group in groups for edge in group.edges])


_Row = tuple[tuple[Edge, ...], ...]
"""The edges of each group."""


class Stretch:
    """The edges of some groups, to be read by one trace after another."""

    def __init__(self, row: _Row) -> None:
        self.row = row
        cells = [edge.cell for edges in row for edge in edges]
        self.count = len(cells)
        """How many edges there are."""
        self.cells = frozenset(cells)
        """The cells that they touch."""
        self.is_straight = len(row) == len(cells) == len(self.cells)
        """Whether the edges came one by one, each of another cell."""

    def of(self, touched: Cells) -> Stretch:
        """The edges of these cells: all, unless a hand did something else as well."""
        if self.cells <= touched:
            return self
        near = [tuple([edge for edge in edges if edge.cell in touched]) for edges in self.row]
        return Stretch(tuple(filter(None, near)))


def moments(stretch: Stretch) -> Callable[[Cell], tuple[int, Cell]]:
    """When a cell was first touched, to sort by; cells of one report by name."""
    first: dict[Cell, int] = {}
    for at, edges in enumerate(stretch.row):
        for edge in edges:
            first.setdefault(edge.cell, at)
    return lambda cell: (first.get(cell, len(stretch.row)), cell)


def is_word(trace: Trace, stretch: Stretch) -> bool:
    """Whether a whole word of the trace can be picked out of the groups in order."""
    return any(finish(left) is Finish.YES for left, _ in read(trace, cells(trace), stretch))


def read(trace: Trace, touched: Cells, stretch: Stretch) -> Sequence[tuple[Trace, int]]:
    """What may be left of a trace that touches these cells, with the noise of the best way to get there.

    Only ways on which every cell stands as the word read so far leaves it.
    """
    near = stretch.of(touched)
    elsewhere = stretch.count - near.count
    if near.is_straight:
        return [(left, elsewhere) for left in _left_of_all(trace, near.row)]
    return [(left, noise + elsewhere) for left, noise in _left(trace, near.row)]


def _left_of_all(trace: Trace, row: _Row) -> Sequence[Trace]:
    """What is left where every edge is read, one after the other."""
    lefts: Sequence[Trace] = (trace,)
    for (edge,) in row:
        if len(lefts) == 1:
            lefts = residuals(lefts[0], edge)
        else:
            lefts = distinct([rest for left in lefts for rest in residuals(left, edge)])
    return lefts


_Way = tuple[Trace, Cells, Cells]
"""What is left of the trace, the cells that strayed, and those that can't any more: the word uses their edges."""
_Ways = Mapping[_Way, int]


@lru_cache(maxsize=MOST_KEPT)
def _left(trace: Trace, row: _Row) -> tuple[tuple[Trace, int], ...]:
    touched = Counter([edge.cell for edges in row for edge in edges])
    again = frozenset([cell for cell, times in touched.items() if times > 1])
    found: dict[Trace, int] = {}
    for (left, strayed, _), noise in _ways(trace, row, again).items():
        if not strayed:
            _keep_least(found, left, noise)
    return tuple(found.items())


@lru_cache(maxsize=MOST_UNFINISHED)
def _ways(trace: Trace, row: _Row, again: Cells) -> _Ways:
    """The ways after edges of the trace's own cells, of which those touched ``again`` may stray.

    What came before the last group is not read again.
    """
    if not row:
        return {(trace, Cells(), Cells()): 0}
    return _read_group(_ways(trace, row[:-1], again), row[-1], again)


def _read_group(ways: _Ways, edges: Sequence[Edge], again: Cells) -> _Ways:
    """The ways after edges that came together, in every order of them."""
    if len(edges) == 1:
        return _read_edge(ways, edges[0], again)
    if len(edges) > LARGEST_SHUFFLED_GROUP:
        for edge in edges:
            ways = _read_edge(ways, edge, again)
        return ways
    after: dict[int, _Ways] = {0: ways}
    for taken in range(1, 1 << len(edges)):
        merged: dict[_Way, int] = {}
        for at, edge in enumerate(edges):
            if taken >> at & 1:
                for way, noise in _read_edge(after[taken ^ 1 << at], edge, again).items():
                    _keep_least(merged, way, noise)
        after[taken] = merged
    return after[(1 << len(edges)) - 1]


def _read_edge(ways: _Ways, edge: Edge, again: Cells) -> _Ways:
    itself = again & {edge.cell}
    found: dict[_Way, int] = {}
    for (left, strayed, used), noise in ways.items():
        if edge.cell in strayed:
            _keep_least(found, (left, strayed - {edge.cell}, used), noise + 1)
            continue
        for rest in residuals(left, edge):
            _keep_least(found, (rest, strayed, used | itself), noise)
        if itself and edge.cell not in used:
            _keep_least(found, (left, strayed | itself, used), noise + 1)
    return found


_K = TypeVar("_K")


def _keep_least(found: dict[_K, int], key: _K, noise: int) -> None:
    if noise < found.get(key, noise + 1):
        found[key] = noise
