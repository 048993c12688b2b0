"""The tracker: what the switches saw of a hand, read as actions.

A tracker follows one game from some state on. It keeps the *history*, every edge since then in groups
of what one report held, and the *stops*: states reached by complete actions that explain the history
up to a moment. Everything it says is an answer to one question: which sequences of legal actions,
performed as their traces say, make the history so far?

    history   -c3  +d4 | -f6                      stops   S ──c3-d4──► S1
    reading   from S1: f6 is lifted, three actions go on from here

Hands do more than traces. A piece is put back, slid over other cells, nudged; another is lifted by
mistake. Such edges come in pairs that leave their cell as it was, so an action explains a stretch of
history when some word of its trace can be picked out of it in order and the rest cancels cell by cell.
The rest is *noise*; of several readings the one with the least noise counts. Three things follow:

* An action is never read unless every edge its trace requires was seen and the board stands as the
  action leaves it.
* A short blink (``NUDGE``) is no evidence of anything: both its edges are forgotten.
* Accepted actions stay readable. When nothing explains the board from the accepted state on, but
  something does from an earlier stop of the same side's turn (a stone put back, a piece slid on),
  that is a *second thought*: some actions dropped, others in their place.

Two readings through one cell need care: ``-e +e`` is a stone put back, or a stone removed and another
set in its place. Until the board has rested in between it is read as put back (``REST``, ``REUSE``).

When nothing fits edge by edge but the occupancy is a legal result, the actions are found by what they
change. If each was performed as its trace says, though in another order (a stone placed before the last
removal), they are read; else they are only *offered*.

The tracker knows no game, no clock and no policy: when to accept is the session's business.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from itertools import islice, permutations
from typing import Generic

from reedlight.core.game import A, State
from reedlight.core.grid import Cells
from reedlight.core.trace import NOTHING, Edge, Finish, Trace, cells, finish
from reedlight.tracking.stretch import Group, Stretch, cells_of, edges_between, is_word, moments, read

NUDGE = 0.1
"""Seconds. A cell that changes and changes back faster was nudged or slid over: a hand that lifts one
checker off a stack or swaps two pieces needs longer, a piece slid at 0.3 m/s closes a switch for 0.07 s."""
TOGETHER = 0.02
"""Seconds. Edges this close have no order: bounce, debouncing and the scan can turn it round by as much."""
REST = 0.4
"""Seconds. A piece that stood this long was set down, not held for a moment on its way."""
REUSE = 3
"""Noise of an action that undoes an edge of the unaccepted one before it sooner than that: more than the
two edges of a piece put back, so that putting back is the likelier reading."""
LONGEST_HISTORY = 96
"""Groups. A history this long without an accepted action is a board being tidied; it is begun anew."""
MOST_STOPS = 12
"""Unaccepted stops kept at once; more would need a dozen actions within one settling time."""
MOST_EXPANSIONS = 400
"""States looked at when the order of the edges is given up."""
MOST_ORDERS = 120
"""Orders tried for the edges of one report that belong to several actions: all orders of five."""


@dataclass(frozen=True, slots=True)
class Live(Generic[A]):
    """An action the hand may be performing, what is left of its trace, and the noise so far."""

    action: A
    left: Trace
    noise: int


@dataclass(frozen=True, slots=True)
class Reading(Generic[A]):
    """One way to read the history: complete actions, the state they led to, and what the hand does since."""

    actions: tuple[A, ...]
    state: State[A]
    live: tuple[Live[A], ...]
    noise: int

    @property
    def complete(self) -> bool:
        """Whether nothing is in hand: the board stands exactly as the actions left it."""
        return not self.live


@dataclass(frozen=True, slots=True)
class SecondThought(Generic[A]):
    """Accepted actions that the board no longer shows, newest last, and those it shows instead."""

    dropped: tuple[A, ...]
    added: tuple[A, ...]


@dataclass(frozen=True, slots=True)
class Astray(Generic[A]):
    """No action explains the board: the nearest state that was understood, and how the board differs from it."""

    state: State[A]
    missing: Cells
    extra: Cells


class _Seen(IntEnum):
    """How far the edges speak for an action whose changes the board shows."""

    NOTHING = 0
    """A person would have to confirm it: a stack set on a stack."""
    RESULT = 1
    """Its result, though not as its trace says."""
    PERFORMED = 2
    """Every edge of its trace, in order."""


@dataclass(frozen=True, slots=True)
class _Sequence(Generic[A]):
    """Actions that lead to the board as it stands, and how well the history agrees with them."""

    actions: tuple[A, ...]
    trace: Trace
    seen: _Seen
    """How much of the least seen of the actions was seen, in whatever order."""


_Entry = tuple[A, Trace, Cells]
"""An action, its trace, and the cells that this may touch."""


@dataclass(eq=False)
class _Stop(Generic[A]):
    """A state reached after some groups of the history, by these actions since the first stop."""

    state: State[A]
    actions: tuple[A, ...]
    groups: int
    noise: int = 0
    only: Sequence[A] | None = None
    spoiled: frozenset[Edge] = frozenset()
    """Edges that would undo one of the action that led here."""
    occupied: Cells = field(init=False)

    def __post_init__(self) -> None:
        self.occupied = self.state.occupancy()

    @cached_property
    def open(self) -> Sequence[_Entry[A]]:
        """Every action with its whole trace and the cells that this may touch."""
        actions = self.state.legal_actions() if self.only is None else self.only
        traces = map(self.state.trace, actions)
        return [(action, trace, cells(trace)) for action, trace in zip(actions, traces, strict=True)]

    def touching(self, changed: Cells, seen: Cells) -> Sequence[_Entry[A]]:
        """The actions whose traces cover every changed cell and touch one that was seen to change."""
        if not changed:
            return [entry for entry in self.open if not seen.isdisjoint(entry[2])]
        one = next(iter(changed))  # nearly all fail at one cell, which is sooner found than a set compared
        return [entry for entry in self.open if one in entry[2] and changed <= entry[2]]


class Tracker(Generic[A]):
    """Reads the occupancy of a board as the actions of a game.

    ``feed`` it every change; ``readings`` are the ways to understand it, ``accept`` fixes some actions.
    With ``only`` no other action than these is read (a computer's action that is to be copied).
    """

    def __init__(self, state: State[A], occupied: Cells, now: float, only: Sequence[A] | None = None) -> None:
        start = _Stop(state, (), 0, only=only)
        self._occupied = start.occupied
        self._history: list[Group] = []
        self._accepted: list[_Stop[A]] = [start]
        self._pending: list[_Stop[A]] = []
        self._last_read: Group | None = None
        self._readings: tuple[Reading[A], ...] | None = None
        self._ways: list[tuple[tuple[A, ...], _Sequence[A]]] | None = None
        self._seen_live: dict[_Stop[A], list[Live[A]]] = {}
        self.last_edge = now
        self._calm_since = now
        self.feed(occupied, now)

    # -------------------------------------------------------------------------------------- in

    def feed(self, occupied: Cells, now: float) -> None:
        """Take in the board as it stands now."""
        edges = edges_between(self._occupied, occupied)
        if not edges:
            return
        self._occupied = occupied
        self._forget_answers()
        kept = tuple([edge for edge in edges if not self._forget_blink(edge, now)])
        if kept:
            self._take_in(kept, now)
        self.last_edge = now if kept else self._last_kept_edge()
        if len(self._history) > LONGEST_HISTORY:
            self._begin_anew()
        if self.readings:
            self._last_read = self._history[-1] if self._history else None

    def _last_kept_edge(self) -> float:
        """When the board last changed, blinks left aside."""
        since = self._history[self._accepted[-1].groups :]
        return since[-1].at if since else self._calm_since

    def accept(self, actions: Sequence[A]) -> None:
        """Make these actions, the next ones of a reading or confirmed by the player, part of the game."""
        for action in actions:
            before = self._accepted[-1]
            path = (*before.actions, action)
            stop = next((stop for stop in reversed(self._pending) if stop.actions == path), None)
            if stop is None:
                stop = _Stop(before.state.apply(action), path, len(self._history))
            self._accepted.append(stop)
        tip = self._accepted[-1]
        tip.spoiled = frozenset()
        self._pending = [stop for stop in self._pending if _extends(stop.actions, tip.actions)]
        self._keep_one_sides_turn()
        self._calm_since = self.last_edge
        self._forget_answers()

    def revise(self, thought: SecondThought[A]) -> None:
        """Follow a second thought: drop the accepted actions it names and accept those instead."""
        del self._accepted[-len(thought.dropped) :]
        self._pending = []
        tip = self._accepted[-1]
        for action in thought.added:
            tip = _Stop(tip.state.apply(action), (*tip.actions, action), len(self._history))
            self._accepted.append(tip)
        del self._history[tip.groups :]
        self._calm_since = self.last_edge
        self._forget_answers()

    def rest(self) -> None:
        """Forget what was put back: nothing has happened since the last accepted action."""
        del self._history[self._accepted[-1].groups :]
        self._pending = []
        self._calm_since = self.last_edge
        self._forget_answers()

    # ------------------------------------------------------------------------------------- out

    @property
    def readings(self) -> tuple[Reading[A], ...]:
        """Every way to read the board from the last accepted action on, the least noise first."""
        if self._readings is None:
            tip = self._accepted[-1]
            found = [reading for stop in (tip, *self._pending) for reading in self._readings_from(stop, tip)]
            self._readings = tuple(sorted(found, key=lambda reading: (reading.noise, len(reading.actions))))
        return self._readings

    @property
    def likely(self) -> tuple[Reading[A], ...]:
        """The readings with the least noise."""
        return tuple(reading for reading in self.readings if reading.noise == self.readings[0].noise)

    @property
    def complete(self) -> tuple[A, ...]:
        """The actions that all likely readings begin with and that are not accepted yet."""
        return _common([reading.actions for reading in self.likely])

    @property
    def shown(self) -> Reading[A] | None:
        """The reading to show: of the likely ones that which goes least beyond what is accepted."""
        return min(self.likely, key=lambda reading: len(reading.actions), default=None)

    def confirmable(self) -> tuple[tuple[A, ...], ...]:
        """The sequences whose last action the player may confirm because the switches could not see it happen."""
        return tuple((*reading.actions, action) for reading in self.likely for action in self._unseen_actions(reading))

    def _unseen_actions(self, reading: Reading[A]) -> Iterator[A]:
        if reading.live:
            yield from (live.action for live in reading.live if finish(live.left) is Finish.IF_CONFIRMED)
        elif not reading.actions:
            untouched = self._accepted[-1].open
            yield from (action for action, trace, _ in untouched if finish(trace) is Finish.IF_CONFIRMED)

    def second_thought(self) -> SecondThought[A] | None:
        """The accepted actions to drop and those to take instead, where only that explains the board.

        The hand must have begun where a dropped action left something (it put a piece back, or moved it on);
        or the last thing it did before must have been to put back what it had just lifted, and since then it
        must have done more than lift another piece, which may have been a mistake.
        """
        for back, stop in enumerate(reversed(self._accepted[:-1]), start=1):
            dropped = tuple(later.actions[-1] for later in self._accepted[-back:])
            instead = self._instead_from(stop)
            if instead is not None and self._follows_from(dropped, instead):
                return SecondThought(dropped, instead)
        return None

    def _instead_from(self, stop: _Stop[A]) -> tuple[A, ...] | None:
        """The only actions that explain everything since an accepted stop, in order; the simplest if one is."""
        found = [reading for reading in self._readings_from(stop, stop) if reading.complete]
        found += [
            Reading(there.actions[len(stop.actions) :], there.state, (), there.noise) for there in self._completed(stop)
        ]
        least = min((reading.noise for reading in found), default=0)
        ends = {reading.actions for reading in found if reading.noise == least}
        if not ends:
            since = self._since(stop)
            ends = {sequence.actions for sequence in self._sequences(stop) if is_word(sequence.trace, since)}
        return _only(list(ends))

    def _follows_from(self, dropped: tuple[A, ...], instead: tuple[A, ...]) -> bool:
        """Whether the edges that could not be read any more have to do with what is truly dropped."""
        stops = self._accepted[-len(dropped) - 1 :]
        undone = [
            cells(stop.state.trace(action))
            for stop, action in zip(stops, dropped, strict=False)
            if action not in instead
        ]
        first = self._first_unread()
        now = cells_of(self._history[first : first + 1])
        before = cells_of(self._history[max(0, first - 2) : first])
        went_on = len(self._history) > first + 1
        put_back = went_on and len(before) == 1 and all(each == before for each in undone)
        return put_back or any(now & each for each in undone)

    def _first_unread(self) -> int:
        """Where the history begins that has no reading from the last accepted action on."""
        accepted = self._accepted[-1].groups
        later = range(len(self._history), accepted, -1)
        return next((at for at in later if self._history[at - 1] is self._last_read), accepted)

    def out_of_order(self) -> tuple[A, ...] | None:
        """The actions performed as their traces say but not in the order of the rules; None if not one way."""
        return _only([understood + way.actions for understood, way in self._ways_here() if way.seen is _Seen.PERFORMED])

    def offered(self) -> tuple[A, ...] | None:
        """The one legal action that leaves the board as it stands, however it came to be; else None."""
        tip = self._accepted[-1]
        from_the_last = self._only_result(self._ways_here())
        if from_the_last or self._understood is tip:
            return from_the_last
        return self._only_result([((), way) for way in self._sequences(tip)])

    def _only_result(self, ways: Sequence[tuple[tuple[A, ...], _Sequence[A]]]) -> tuple[A, ...] | None:
        shown = [
            before + way.actions for before, way in ways if way.seen is not _Seen.NOTHING and len(way.actions) == 1
        ]
        return _only(shown)

    def astray(self) -> Astray[A]:
        """What would have to be put right to go on from the nearest state that was understood."""
        known = [self._accepted[-1], *self._pending]
        nearest = min(known, key=lambda stop: (len(stop.occupied ^ self._occupied), -stop.groups))
        return Astray(nearest.state, nearest.occupied - self._occupied, self._occupied - nearest.occupied)

    # -------------------------------------------------------------------------------- readings

    def _readings_from(self, stop: _Stop[A], tip: _Stop[A]) -> list[Reading[A]]:
        """How the board reads from a stop on, told by the actions since an earlier one."""
        actions = stop.actions[len(tip.actions) :]
        untouched = stop.occupied == self._occupied
        if untouched and stop.groups == len(self._history):
            return [Reading(actions, stop.state, (), stop.noise)]
        found: list[Reading[A]] = []
        if untouched:
            found.append(Reading(actions, stop.state, (), stop.noise + self._since(stop).count))
        live = [each for each in self._live(stop) if finish(each.left) is not Finish.YES]
        if live and not untouched:
            least = min(each.noise for each in live)
            found.append(Reading(actions, stop.state, tuple(live), stop.noise + least))
        return found

    def _since(self, stop: _Stop[A]) -> Stretch:
        return Stretch(tuple([group.edges for group in self._history[stop.groups :]]))

    def _live(self, stop: _Stop[A]) -> list[Live[A]]:
        """The actions that the hand may be performing or have performed since the stop."""
        if stop not in self._seen_live:
            since = self._since(stop)
            undoing = self._undoing(stop)
            found: list[Live[A]] = []
            for action, trace, touched in stop.touching(stop.occupied ^ self._occupied, since.cells):
                ways = read(trace, touched, since)
                if ways:
                    left, noise = ways[0] if len(ways) == 1 else max(ways, key=_progress)
                    found.append(Live(action, left, noise + undoing))
            self._seen_live[stop] = found
        return self._seen_live[stop]

    def _undoing(self, stop: _Stop[A]) -> int:
        """The price of undoing an edge of the unaccepted action that led to a stop, before it came to rest."""
        if not stop.spoiled:
            return 0
        rested = self._history[stop.groups - 1].at + REST
        since = self._history[stop.groups :]
        return REUSE * any(edge in stop.spoiled for group in since if group.at < rested for edge in group.edges)

    def _completed(self, stop: _Stop[A]) -> list[_Stop[A]]:
        """The stops reached from a stop by one action that is complete just now."""
        reached = [self._after(stop, live) for live in self._live(stop) if finish(live.left) is Finish.YES]
        return [there for there in reached if there.occupied == self._occupied]

    def _after(self, stop: _Stop[A], live: Live[A]) -> _Stop[A]:
        """The stop that an action leads to which is complete just now."""
        since = self._history[stop.groups :]
        undone = frozenset([Edge(edge.cell, not edge.occupied) for group in since for edge in group.edges])
        actions = (*stop.actions, live.action)
        return _Stop(
            stop.state.apply(live.action), actions, len(self._history), stop.noise + live.noise, spoiled=undone
        )

    def _take_in(self, edges: tuple[Edge, ...], now: float) -> None:
        """Append edges, to the last group if they came together with it, and read them in any order that fits."""
        first = self._accepted[-1].groups
        if len(self._history) > first and now - self._history[-1].at <= TOGETHER:
            last = self._history[-1]
            self._history[-1] = Group(last.at, (*last.edges, *edges))
            self._reread()
        else:
            self._append(Group(now, edges))
        group = self._history[-1]
        if len(group.edges) > 1 and not self.readings:
            self._try_every_order(group)

    def _append(self, group: Group) -> None:
        """Take a group into the history and find the stops it completes; the board already stands so."""
        self._history.append(group)
        self._forget_answers()
        found = [reached for stop in (self._accepted[-1], *self._pending) for reached in self._completed(stop)]
        found.sort(key=lambda stop: stop.noise)
        for stop in found:
            if not any(other.groups == stop.groups and other.state == stop.state for other in self._pending):
                self._pending.append(stop)
        del self._pending[:-MOST_STOPS]

    def _forget_answers(self) -> None:
        self._readings = None
        self._ways = None
        self._seen_live.clear()

    # --------------------------------------------------------------------------- housekeeping

    def _forget_blink(self, edge: Edge, now: float) -> bool:
        """Drop the edge's opposite if it came just before and nothing accepted rests on it."""
        first = self._accepted[-1].groups
        for at in range(len(self._history) - 1, first - 1, -1):
            group = self._history[at]
            if now - group.at >= NUDGE:
                return False
            opposite = Edge(edge.cell, occupied=not edge.occupied)
            if opposite in group.edges:
                left = tuple(other for other in group.edges if other != opposite)
                self._history[at : at + 1] = [Group(group.at, left)] if left else []
                self._reread()
                return True
        return False

    def _reread(self) -> None:
        """Find the unaccepted stops again after the history changed under them."""
        groups, occupied = list(self._history), self._occupied
        first = self._accepted[-1].groups
        self._history, self._pending = groups[:first], []
        for group in groups[first:]:
            self._occupied ^= frozenset(edge.cell for edge in group.edges)
        for group in groups[first:]:
            self._occupied ^= frozenset(edge.cell for edge in group.edges)
            self._append(group)
        self._occupied = occupied
        self._forget_answers()

    def _try_every_order(self, group: Group) -> None:
        """Read edges that came together as if they had come one by one, in the first order that can be read."""
        before = self._history[:-1]
        for order in islice(permutations(group.edges), MOST_ORDERS):
            self._history = [*before, *(Group(group.at, (edge,)) for edge in order)]
            self._reread()
            if self.readings:
                return
        self._history = [*before, group]
        self._reread()

    def _keep_one_sides_turn(self) -> None:
        """Only the actions of the side that acted last can still be thought better of."""
        stops = self._accepted
        first = len(stops) - 1
        while first > 0 and stops[first - 1].state.to_act is stops[-2].state.to_act:
            first -= 1
        groups, actions = stops[first].groups, len(stops[first].actions)
        self._accepted = stops[first:]
        del self._history[:groups]
        for stop in (*self._accepted, *self._pending):
            stop.groups -= groups
            stop.actions = stop.actions[actions:]

    def _begin_anew(self) -> None:
        tip = self._accepted[-1]
        tip.groups, tip.actions = 0, ()
        self._accepted, self._pending = [tip], []
        self._history = []
        self._forget_answers()
        if edges := edges_between(tip.occupied, self._occupied):
            self._take_in(edges, self.last_edge)

    # ------------------------------------------------------------------------ sequences by occupancy

    def _sequences(self, start: _Stop[A]) -> list[_Sequence[A]]:
        """The sequences of actions whose changes add up to what changed, one for each state they lead to."""
        since = self._since(start)
        found: list[_Sequence[A]] = []
        met: set[State[A]] = set()
        nothing: _Sequence[A] = _Sequence((), NOTHING, _Seen.PERFORMED)
        open_ends = [(start, nothing)]
        while open_ends and len(met) < MOST_EXPANSIONS:
            stop, so_far = open_ends.pop(0)
            changed = stop.occupied ^ self._occupied
            if not changed and so_far.actions:
                found.append(so_far)
                continue
            for action, after, trace, seen in self._steps_within(stop, changed, since):
                if after.state not in met:
                    met.add(after.state)
                    actions = (*so_far.actions, action)
                    open_ends.append((after, _Sequence(actions, so_far.trace >> trace, min(so_far.seen, seen))))
        return found

    @property
    def _understood(self) -> _Stop[A]:
        """The last stop, accepted or not."""
        return max(self._pending, key=lambda stop: (stop.groups, -stop.noise), default=self._accepted[-1])

    def _ways_here(self) -> list[tuple[tuple[A, ...], _Sequence[A]]]:
        """What was understood last, and the sequences from there on; found once for each change of the board."""
        if self._ways is None:
            last = self._understood
            before = last.actions[len(self._accepted[-1].actions) :]
            self._ways = [(before, way) for way in self._sequences(last)]
        return self._ways

    def _steps_within(
        self, stop: _Stop[A], changed: Cells, since: Stretch
    ) -> Iterator[tuple[A, _Stop[A], Trace, _Seen]]:
        """The actions that change only cells that changed, where they lead, and how well they were seen.

        In the order in which their cells were first touched.
        """
        for cell in sorted(changed, key=moments(since)):
            for action, trace, touched in stop.touching(frozenset((cell,)), changed):
                after = _Stop(stop.state.apply(action), (), stop.groups)
                change = stop.occupied ^ after.occupied
                if cell in change <= changed and all((c in after.occupied) == (c in self._occupied) for c in change):
                    yield action, after, trace, _how_well_seen(read(trace, touched, since))


# -------------------------------------------------------------------------------- sequences


def _progress(way: tuple[Trace, int]) -> tuple[Finish, int]:
    """How near a way is to the end of its trace, then how little of it is noise."""
    left, noise = way
    return finish(left), -noise


def _how_well_seen(ways: Sequence[tuple[Trace, int]]) -> _Seen:
    best = max((finish(left) for left, _ in ways), default=Finish.NO)
    return {Finish.YES: _Seen.PERFORMED, Finish.IF_CONFIRMED: _Seen.NOTHING, Finish.NO: _Seen.RESULT}[best]


def _only(found: Sequence[tuple[A, ...]]) -> tuple[A, ...] | None:
    return found[0] if len(found) == 1 else None


def _extends(actions: tuple[A, ...], beginning: tuple[A, ...]) -> bool:
    return len(actions) > len(beginning) and actions[: len(beginning)] == beginning


def _common(sequences: Sequence[tuple[A, ...]]) -> tuple[A, ...]:
    """What all the sequences begin with."""
    if not sequences:
        return ()
    shortest = min(sequences, key=len)
    same = 0
    while same < len(shortest) and all(other[same] == shortest[same] for other in sequences):
        same += 1
    return shortest[:same]
