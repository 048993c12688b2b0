"""Traces: the edges a hand makes when it performs an action, as a small algebra.

A reed switch says one thing: something stands here, or nothing does. So an action is performed by a
*word* of edges, lifts and placements of cells, and a *trace* stands for all words that are the same
action. Small traces make larger ones:

    lift(c3)            the cell becomes empty            place(e5)     the cell becomes occupied
    a >> b              a, then b                         a | b         both, in any order, interleaved
    maybe(a)            a, or nothing                     either(a, b)  one of the two
    a >> anytime(b)     b at any moment, before a too; lamps ask for it only after a
    unseen(d1)          a stack changes and stays: a tap shows it, else a person must confirm it

A man's jump is ``lift(c3) >> place(e5) >> anytime(lift(d4))``: the captured man may leave before,
during or after, and is due once the man has landed. A capture by replacement is ``onto(a, b)``, and so
is setting a stack on another.

The tracker reads a trace edge by edge: ``residuals`` is what is left after one edge (several, where
the edge can be read in several ways), ``finish`` says whether what is left may be nothing. ``landings``
and ``due`` tell the lamps where a held piece may go next and which pieces must leave by now.

A trace knows no game and no time; that a nudge or a slide makes edges too is the tracker's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache, wraps
from itertools import chain
from typing import ClassVar, NamedTuple, TypeVar

from reedlight.core.grid import Cell


class Edge(NamedTuple):
    """One debounced change of one cell: to occupied (a placement) or to empty (a lift)."""

    cell: Cell
    occupied: bool

    def __str__(self) -> str:
        return f"{'+' if self.occupied else '-'}{self.cell}"


class Finish(IntEnum):
    """Whether a trace may end here: no; only if a person confirms it; yes."""

    NO = 0
    IF_CONFIRMED = 1
    YES = 2


class Trace:
    """A set of words of edges. Build it with the functions of this module and ``>>`` and ``|``."""

    # A trace is looked up in tables and asked at every edge; walking the tree each time would be most of reading.
    __slots__ = ("_cells", "_finish", "_first_edges", "_hash")
    __match_args__: ClassVar[tuple[str, ...]] = ()
    _hash: int

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            parts = tuple(getattr(self, part) for part in self.__match_args__)
            object.__setattr__(self, "_hash", hash((type(self), parts)))
            return self._hash

    def __rshift__(self, other: Trace) -> Trace:
        return _sequence(self, other)

    def __or__(self, other: Trace) -> Trace:
        return _shuffle((self, other))


@dataclass(frozen=True, slots=True)
class _Nothing(Trace):
    finish: Finish

    __hash__ = Trace.__hash__


@dataclass(frozen=True, slots=True)
class _Step(Trace):
    edge: Edge

    __hash__ = Trace.__hash__


@dataclass(frozen=True, slots=True)
class _Passing(Trace):
    """Takes no edge; while it is still ahead, the lift of its cell is not due."""

    __hash__ = Trace.__hash__

    cells: frozenset[Cell]


@dataclass(frozen=True, slots=True)
class _Sequence(Trace):
    first: Trace
    rest: Trace

    __hash__ = Trace.__hash__


@dataclass(frozen=True, slots=True)
class _Shuffle(Trace):
    parts: tuple[Trace, ...]

    __hash__ = Trace.__hash__


@dataclass(frozen=True, slots=True)
class _Either(Trace):
    options: tuple[Trace, ...]

    __hash__ = Trace.__hash__


@dataclass(frozen=True, slots=True)
class _Anytime(Trace):
    """A main line, and parts that may happen at any moment of it."""

    __hash__ = Trace.__hash__

    line: Trace
    parts: tuple[Trace, ...]


NOTHING: Trace = _Nothing(Finish.YES)
"""The trace of an action that needs no hand."""
_CONFIRM: Trace = _Nothing(Finish.IF_CONFIRMED)


@lru_cache(maxsize=1 << 12)
def lift(cell: Cell) -> Trace:
    """The cell becomes empty."""
    return _Step(Edge(cell, occupied=False))


@lru_cache(maxsize=1 << 12)
def place(cell: Cell) -> Trace:
    """The cell becomes occupied."""
    return _Step(Edge(cell, occupied=True))


@lru_cache(maxsize=1 << 16)
def carry(origin: Cell, target: Cell) -> Trace:
    """What stands on ``origin`` is lifted and set down on ``target``, an empty cell."""
    return lift(origin) >> place(target)


def maybe(trace: Trace) -> Trace:
    """The trace, or nothing."""
    return either(NOTHING, trace)


def either(*options: Trace) -> Trace:
    """One of the traces."""
    different = distinct(options)
    return different[0] if len(different) == 1 else _Either(different)


def distinct(traces: Sequence[Trace]) -> tuple[Trace, ...]:
    """The traces, each once."""
    return tuple(dict.fromkeys(traces) if len(traces) > 1 else traces)


def anytime(trace: Trace) -> Trace:
    """The trace at any moment of the line it stands in; lamps ask for it once what is before it is done."""
    return _Anytime(_Passing(cells(trace)), (trace,))


@lru_cache(maxsize=1 << 12)
def unseen(cell: Cell) -> Trace:
    """Something happens to a stack that stays occupied: a tap (lift, put back) shows it, else a person confirms."""
    return either(lift(cell) >> place(cell), _CONFIRM)


@lru_cache(maxsize=1 << 16)
def onto(origin: Cell, target: Cell) -> Trace:
    """The stack of ``origin`` ends on ``target``, whose own stack is lifted before or after it, or not seen to be."""
    return either((lift(origin) | lift(target)) >> place(target), lift(origin) >> unseen(target))


def _sequence(first: Trace, rest: Trace) -> Trace:
    if isinstance(first, _Anytime) or isinstance(rest, _Anytime):
        first_line, first_parts = _line_and_parts(first)
        rest_line, rest_parts = _line_and_parts(rest)
        return _anytime(_sequence(first_line, rest_line), (*first_parts, *rest_parts))
    if first == NOTHING:
        return rest
    if rest == NOTHING:
        return first
    if isinstance(first, _Sequence):
        return _Sequence(first.first, _sequence(first.rest, rest))
    return _Sequence(first, rest)


def _line_and_parts(trace: Trace) -> tuple[Trace, tuple[Trace, ...]]:
    return (trace.line, trace.parts) if isinstance(trace, _Anytime) else (trace, ())


def _anytime(line: Trace, parts: tuple[Trace, ...]) -> Trace:
    left = tuple(part for part in parts if part != NOTHING)
    return _Anytime(line, left) if left else line


def _shuffle(parts: tuple[Trace, ...]) -> Trace:
    left: list[Trace] = []
    for part in parts:
        left.extend(part.parts if isinstance(part, _Shuffle) else () if part == NOTHING else (part,))
    if not left:
        return NOTHING
    return left[0] if len(left) == 1 else _Shuffle(tuple(left))


# ------------------------------------------------------------------------------------ reading a trace

T = TypeVar("T")


def _kept_as(slot: str) -> Callable[[Callable[[Trace], T]], Callable[[Trace], T]]:
    """Have an answer about a trace found once, and kept in a slot of it."""

    def decorate(find: Callable[[Trace], T]) -> Callable[[Trace], T]:
        @wraps(find)
        def found(trace: Trace) -> T:
            try:
                return getattr(trace, slot)
            except AttributeError:
                answer = find(trace)
                object.__setattr__(trace, slot, answer)
                return answer

        return found

    return decorate


@lru_cache(maxsize=1 << 16)
def residuals(trace: Trace, edge: Edge) -> tuple[Trace, ...]:
    """What is left of the trace after the edge, once for each way to read it; empty where it does not fit."""
    return distinct(_read(trace, edge))


def _read(trace: Trace, edge: Edge) -> Sequence[Trace]:
    return _READ[type(trace)](trace, edge)


def _read_nothing(_trace: Trace, _edge: Edge) -> Sequence[Trace]:
    return ()


def _read_step(trace: _Step, edge: Edge) -> Sequence[Trace]:
    return (NOTHING,) if trace.edge == edge else ()


def _read_sequence(trace: _Sequence, edge: Edge) -> Sequence[Trace]:
    within = [_sequence(left, trace.rest) for left in _read(trace.first, edge)]
    beyond = _read(trace.rest, edge) if finish(trace.first) is Finish.YES else ()
    return [*within, *beyond]


def _read_shuffle(trace: _Shuffle, edge: Edge) -> Sequence[Trace]:
    return [_shuffle(parts) for parts in _one_part_read(trace.parts, edge)]


def _read_either(trace: _Either, edge: Edge) -> Sequence[Trace]:
    return [left for option in trace.options for left in _read(option, edge)]


def _read_anytime(trace: _Anytime, edge: Edge) -> Sequence[Trace]:
    on_the_line = [_anytime(left, trace.parts) for left in _read(trace.line, edge)]
    return [*on_the_line, *(_anytime(trace.line, parts) for parts in _one_part_read(trace.parts, edge))]


def _one_part_read(parts: tuple[Trace, ...], edge: Edge) -> Sequence[tuple[Trace, ...]]:
    return [(*parts[:at], left, *parts[at + 1 :]) for at, part in enumerate(parts) for left in _read(part, edge)]


_READ: dict[type[Trace], Callable[..., Sequence[Trace]]] = {
    _Nothing: _read_nothing,
    _Passing: _read_nothing,
    _Step: _read_step,
    _Sequence: _read_sequence,
    _Shuffle: _read_shuffle,
    _Either: _read_either,
    _Anytime: _read_anytime,
}


def _united(sets: Iterable[frozenset[T]]) -> frozenset[T]:
    return frozenset(chain.from_iterable(sets))


@_kept_as("_finish")
def finish(trace: Trace) -> Finish:
    """Whether the trace may end without another edge."""
    match trace:
        case _Nothing(level):
            return level
        case _Sequence(first, rest):
            return min(finish(first), finish(rest))
        case _Shuffle(parts):
            return min(map(finish, parts))
        case _Either(options):
            return max(map(finish, options))
        case _Anytime(line, parts):
            return min(finish(line), *map(finish, parts))
        case _:
            return Finish.NO if isinstance(trace, _Step) else Finish.YES


@_kept_as("_first_edges")
def first_edges(trace: Trace) -> frozenset[Edge]:
    """The edges that may come next."""
    match trace:
        case _Step(edge):
            return frozenset((edge,))
        case _Sequence(first, rest):
            return first_edges(first) | (first_edges(rest) if finish(first) is Finish.YES else frozenset[Edge]())
        case _Shuffle(parts) | _Either(parts):
            return _united(map(first_edges, parts))
        case _Anytime(line, parts):
            return first_edges(line) | _united(map(first_edges, parts))
        case _:
            return frozenset()


@_kept_as("_cells")
def cells(trace: Trace) -> frozenset[Cell]:
    """Every cell that the trace may touch."""
    match trace:
        case _Step(edge):
            return frozenset((edge.cell,))
        case _Sequence(first, rest):
            return cells(first) | cells(rest)
        case _Shuffle(parts) | _Either(parts):
            return _united(map(cells, parts))
        case _Anytime(line, parts):
            return cells(line) | _united(map(cells, parts))
        case _:
            return frozenset()


@lru_cache(maxsize=1 << 16)
def landings(trace: Trace) -> frozenset[Cell]:
    """Where a held piece may be set down next: the first placements ahead, lifts before them left aside."""
    return _landings_and_whether_past(trace)[0]


def _landings_and_whether_past(trace: Trace) -> tuple[frozenset[Cell], bool]:
    """The first placements, and whether the trace may go by without one."""
    match trace:
        case _Step(edge):
            return (frozenset((edge.cell,)), False) if edge.occupied else (frozenset(), True)
        case _Sequence(first, rest):
            near, past = _landings_and_whether_past(first)
            far, past_both = _landings_and_whether_past(rest) if past else (frozenset[Cell](), False)
            return near | far, past_both
        case _Shuffle(parts):
            each = [_landings_and_whether_past(part) for part in parts]
            return _united(near for near, _ in each), all(past for _, past in each)
        case _Either(options):
            each = [_landings_and_whether_past(option) for option in options]
            return _united(near for near, _ in each), any(past for _, past in each)
        case _Anytime(line, _):
            return _landings_and_whether_past(line)
        case _:
            return frozenset(), True


@lru_cache(maxsize=1 << 16)
def due(trace: Trace) -> frozenset[Cell]:
    """The pieces that must be lifted at some moment and whose moment has come."""
    if not isinstance(trace, _Anytime):
        return frozenset()
    lifts = frozenset(edge.cell for part in trace.parts for edge in first_edges(part) if not edge.occupied)
    return lifts - _ahead(trace.line)


def _ahead(line: Trace) -> frozenset[Cell]:
    """The cells passed only after the next placement."""
    match line:
        case _Sequence(_Step(Edge(_, False)) | _Passing(), rest):
            return _ahead(rest)
        case _Passing():
            return frozenset()
        case _:
            return _passings(line)


def _passings(line: Trace) -> frozenset[Cell]:
    match line:
        case _Passing(cells):
            return cells
        case _Sequence(first, rest):
            return _passings(first) | _passings(rest)
        case _Either(parts) | _Shuffle(parts):
            return _united(map(_passings, parts))
        case _:
            return frozenset()
