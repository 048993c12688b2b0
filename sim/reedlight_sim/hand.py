"""The hand: performs one action on the world with human timing, tidily or not.

An action comes as a word of its trace, and each edge becomes something a hand does. What the switches
can't see follows when the word is done: a stack dropped on a stack, a checker picked off the top, a man
crowned, captives laid in the tray. Then the world stands exactly as the rules say.

    word       -c3 -d4 +e5                        (a man's jump, the captive lifted on the way)
    hand       lift c3, lift d4, slide, set down on e5; d4's man to the tray

Between these a hand slips, as its *style* says (see ``Slip``). Two slips it does not make, because nobody
who watched could tell what they meant: one that is a legal action by itself, such as tapping a stack while
a checker must be given up; and one that rests for more than a moment where it would be a legal action.

A hand knows what it means, the world, and whether the lights ask to put something right. It knows no
session: what a person does about questions and buttons is in ``person``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from math import hypot
from random import Random
from typing import Any, Protocol

from reedlight.core.game import Kind, Piece, Side, State
from reedlight.core.grid import Cell, Grid
from reedlight.core.trace import Edge, Finish, Trace, cells
from reedlight_sim.words import Word, after, furthest
from reedlight_sim.world import Hand, World

Span = tuple[float, float]
"""At least and at most so many seconds."""


class Slip(Enum):
    """What hands do besides what they mean."""

    PUT_BACK = "puts a lifted piece back and takes it again"
    WRONG_PIECE = "lifts another piece, of either side, and puts it back"
    WRONG_CELL = "sets down where the piece may not stand, until that is lit"
    PASSING = "sets down for a moment where the piece might stay"
    SLIDE = "draws the piece over the empty cells on its way"
    NUDGE = "pushes a neighbour off its place for a moment"
    BOTH_HANDS = "does two things at the same instant"
    EARLY = "begins before the last action has been accepted"


@dataclass(frozen=True, slots=True)
class Style:
    """How a hand moves: seconds between edges and between actions, and how often it slips where it can.

    ``WRONG_CELL`` stands for ``PASSING`` too: the cell decides which of the two it is.
    """

    step: Span
    pause: Span
    slips: Mapping[Slip, float]
    unseen: float = 0.0
    """The share of what can be hidden from the switches that this hand hides when nobody says otherwise."""


TIDY = Style(step=(0.2, 0.6), pause=(0.7, 1.5), slips={})
SLOPPY = Style(
    step=(0.1, 0.9),
    pause=(0.1, 2.0),
    slips={
        Slip.PUT_BACK: 0.06,
        Slip.WRONG_PIECE: 0.06,
        Slip.WRONG_CELL: 0.08,
        Slip.SLIDE: 0.35,
        Slip.NUDGE: 0.12,
        Slip.BOTH_HANDS: 0.2,
        Slip.EARLY: 0.7,
    },
    unseen=0.1,
)
STYLES: Mapping[str, Style] = {"tidy": TIDY, "sloppy": SLOPPY}

HESITATION: Span = (0.15, 1.5)
BLIP: Span = (0.03, 0.09)
PUSH: Span = (0.02, 0.08)
ARRIVAL: Span = (0.01, 0.05)
"""From the last cell slid over until the piece has left it and stands on its own."""
PASSING: Span = (0.12, 0.24)
"""A rest on a cell where the piece might stay: long enough to be seen, too short to be meant."""
REACTION: Span = (0.2, 0.5)
SWAP = 0.15
"""A hand that means it to be seen takes no less between taking a piece off a cell and setting one there."""
TAP = 0.35
"""A hand takes no less to lift a stack, take a checker off and put the rest back."""
GLANCE = 0.1
"""How often a waiting person looks at the board."""
LIT_AT_LAST = 1.5
"""How long a piece stays on a wrong cell if no light says so."""
ON_THE_WAY = 0.2
"""Pitches; a cell this near to the straight line is slid over."""

HANDS: Mapping[Side, Hand] = {side: Hand(side.value) for side in Side}


class Surroundings(Protocol):
    """What a hand works in: a world, time that passes, and lights that may ask to put something right."""

    @property
    def world(self) -> World:
        """The pieces and switches."""
        ...

    @property
    def now(self) -> float:
        """The time in seconds."""
        ...

    @property
    def astray(self) -> bool:
        """Whether lights ask for something to be put right."""
        ...

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        ...


@dataclass(frozen=True, slots=True)
class Intent:
    """One action as the hand means it: from where, what, to where."""

    state: State[Any]
    action: Any
    successor: State[Any]

    @property
    def side(self) -> Side:
        """Who acts."""
        assert self.state.to_act is not None  # noqa: S101  # a finished game has no actions to mean
        return self.state.to_act

    def touches(self) -> frozenset[Cell]:
        """Every cell that the action may touch."""
        return cells(self.state.trace(self.action))

    def captures_by_replacement(self) -> bool:
        """Whether a piece of one side comes to stand where one of the other side stood."""
        before, after_it = self.state.pieces(), self.successor.pieces()
        return any(before[cell].side is not piece.side for cell, piece in after_it.items() if cell in before)


class Doer:
    """The two hands of whoever acts. ``slips`` counts what they did besides what they meant."""

    def __init__(self, around: Surroundings, grid: Grid, style: Style, rng: Random) -> None:
        self.slips = Counter[Slip]()
        self.strayed: frozenset[Cell] = frozenset()
        """The cells that the last action's slips touched."""
        self._world = around.world
        self._around = around
        self._grid = grid
        self._style = style
        self._rng = rng

    def perform(self, intent: Intent, word: Word, before: Sequence[Intent] = ()) -> None:
        """Perform the word and what no switch sees.

        What was done ``before`` and can still be thought better of, is not touched by slips, nor replaced by one.
        """
        self._intent = intent
        self._before = before
        self._hand = HANDS[intent.side]
        self._keep_off = intent.touches().union(*(earlier.touches() for earlier in before))
        self.strayed = frozenset()
        self._taken_from: Cell | None = None
        self._changed_at: dict[Cell, float] = {}
        for at, edge in enumerate(word):
            self._come_to(edge, word[:at])
            self._make(edge, stays=Edge(edge.cell, occupied=False) not in word[at:])
        self._finish_unseen()

    # ------------------------------------------------------------------------------------ one edge

    def _come_to(self, edge: Edge, done: Word) -> None:
        """Let the time pass until the edge, with whatever slips on the way."""
        if done and self._happens_if(Slip.BOTH_HANDS, self._at_once(edge, done[-1])):
            return
        if done:
            self._wait(self._style.step)
        self._slip(edge, done)
        earliest = self._changed_at.get(edge.cell, self._around.now) + self._least_between(edge)
        if edge.cell in self._changed_at and earliest > self._around.now:
            self._around.wait(earliest - self._around.now)
        if edge.occupied:
            self._slide_to(edge.cell)

    def _at_once(self, edge: Edge, last: Edge) -> bool:
        """Whether two hands can make both edges at one instant: no piece is lifted and set down at once."""
        own_lifted = not last.occupied and self._is_own(last.cell)
        return edge.cell != last.cell and not (edge.occupied and own_lifted)

    def _least_between(self, edge: Edge) -> float:
        """Seconds between the last edge of the cell and this one."""
        return TAP if edge.occupied and self._is_own(edge.cell) else SWAP

    def _make(self, edge: Edge, *, stays: bool) -> None:
        self._changed_at[edge.cell] = self._around.now
        if edge.occupied:
            self._set_down(edge.cell, stays=stays)
        else:
            self._world.lift(self._hand, edge.cell, self._around.now)
            self._taken_from = edge.cell if self._is_own(edge.cell) else self._taken_from

    def _set_down(self, cell: Cell, *, stays: bool) -> None:
        side = self._intent.side
        if not self._world.carries(self._hand, side):
            self._world.from_supply(self._hand, Piece(side, Kind.STONE), self._around.now)
        if stays:
            self._lay_aside_beyond(cell)
        self._world.place(self._hand, cell, self._around.now, side)
        self._taken_from = cell

    def _lay_aside_beyond(self, cell: Cell) -> None:
        """Keep no more in the hand than the stack on the cell is to have."""
        wanted = self._intent.successor.pieces().get(cell)
        height = len(self._world.stack(cell)) + self._world.carries(self._hand, self._intent.side)
        if wanted is not None:
            for _ in range(height - wanted.height):
                self._world.one_to_tray(self._hand, self._around.now)

    # ------------------------------------------------------------------------------ what no switch sees

    def _finish_unseen(self) -> None:
        """Do what is left until the world stands as the action leaves it."""
        wanted = self._intent.successor.pieces()
        standing = self._world.pieces()
        for cell in sorted(self._intent.touches() & wanted.keys() & standing.keys()):
            if standing[cell] != wanted[cell]:
                self._correct(cell, wanted[cell])
        self._world.to_tray(self._hand, self._around.now)
        if self._world.pieces() != wanted:
            raise AssertionError(f"{self._intent.action}: the trace does not lead to what the rules say")

    def _correct(self, cell: Cell, wanted: Piece) -> None:
        stack = self._world.stack(cell)
        if len(stack) > wanted.height:
            self._wait(self._style.step)
            self._world.take_top(self._hand, cell, self._around.now)
        elif len(stack) < wanted.height:
            self._wait(self._style.step)
            self._world.place(self._hand, cell, self._around.now, wanted.side)
        if self._world.stack(cell)[-1].kind is not wanted.kind:
            self._world.turn_over(cell, self._around.now)

    # ------------------------------------------------------------------------------------ slips

    def _slip(self, edge: Edge, done: Word) -> None:
        if not edge.occupied and self._happens_if(Slip.PUT_BACK, self._harmless(edge.cell, done)):
            self._lift_and_put_back(edge.cell, done)
        if self._happens(Slip.WRONG_PIECE):
            self._take_wrong_piece(done)
        if edge.occupied and self._happens(Slip.WRONG_CELL):
            self._set_down_elsewhere(edge.cell, done)
        if self._happens(Slip.NUDGE):
            self._push_neighbour(edge.cell)

    def _take_wrong_piece(self, done: Word) -> None:
        others = [cell for cell in sorted(self._world.pieces()) if cell not in self._keep_off]
        if others and self._harmless(cell := self._rng.choice(others), done):
            self.slips[Slip.WRONG_PIECE] += 1
            self._lift_and_put_back(cell, done)

    def _lift_and_put_back(self, cell: Cell, done: Word) -> None:
        self.strayed |= {cell}
        self._world.lift(self._hand, cell, self._around.now)
        may_leave = self._completes_some_action(done, Edge(cell, occupied=False))
        self._wait(PASSING if may_leave else HESITATION)
        self._world.put_back(self._hand, self._around.now)
        self._wait(REACTION)

    def _set_down_elsewhere(self, target: Cell, done: Word) -> None:
        cell = self._empty_near(target)
        side = self._intent.side
        if cell is None:
            return
        if not self._world.carries(self._hand, side):
            self._world.from_supply(self._hand, Piece(side, Kind.STONE), self._around.now)
        may_stay = self._fits_some_action(done, Edge(cell, occupied=True)) or self._replaces_what_was_done(cell)
        slip = Slip.PASSING if may_stay else Slip.WRONG_CELL
        self.slips[slip] += 1
        self.strayed |= {cell}
        self._world.place(self._hand, cell, self._around.now, side)
        if may_stay:
            self._wait(PASSING)
        else:
            self._wait_until_lit()
        self._world.lift(self._hand, cell, self._around.now)
        self._taken_from = cell
        self._wait(self._style.step)

    def _empty_near(self, target: Cell) -> Cell | None:
        """An empty cell beside the target, or anywhere where none is."""
        empty = [cell for cell in self._grid.cells if not self._world.stack(cell) and cell not in self._keep_off]
        near = [cell for cell in empty if cell in self._grid.neighbours[target]]
        return self._rng.choice(near or empty) if empty else None

    def _wait_until_lit(self) -> None:
        until = self._around.now + LIT_AT_LAST
        while self._around.now < until and not self._around.astray:
            self._around.wait(GLANCE)
        self._wait(REACTION)

    def _push_neighbour(self, cell: Cell) -> None:
        near = [
            other for other in self._grid.neighbours[cell] if self._world.stack(other) and other not in self._keep_off
        ]
        if near:
            self.slips[Slip.NUDGE] += 1
            self._world.nudge(self._rng.choice(near), self._rng.uniform(*PUSH), self._around.now)

    def _slide_to(self, target: Cell) -> None:
        path = [] if self._taken_from is None else self._empty_between(self._taken_from, target)
        if self._happens_if(Slip.SLIDE, bool(path)):
            over = [(cell, self._rng.uniform(*BLIP)) for cell in path]
            arrived = self._world.slide(self._hand, over, self._around.now)
            self._around.wait(arrived - self._around.now)
            self._wait(ARRIVAL)

    def _empty_between(self, origin: Cell, target: Cell) -> list[Cell]:
        """The empty cells that the straight line passes over, in order."""
        passed = {
            cell: along
            for cell in self._grid.cells
            if not self._world.stack(cell) and (along := _along(self._grid, origin, target, cell)) is not None
        }
        return sorted(passed, key=passed.__getitem__)

    # ------------------------------------------------------------------------------------ judgement

    def _is_own(self, cell: Cell) -> bool:
        """Whether the cell held a piece of the acting side when the action began."""
        piece = self._intent.state.pieces().get(cell)
        return piece is not None and piece.side is self._intent.side

    def _harmless(self, cell: Cell, done: Word) -> bool:
        """Whether lifting a cell and putting it back now is no legal action by itself."""
        return not self._completes_some_action(done, Edge(cell, occupied=False), Edge(cell, occupied=True))

    def _completes_some_action(self, done: Word, *edges: Edge) -> bool:
        """Whether the edges are the end of a legal action, or the whole of one, what was done being undone."""
        return any(furthest(left) is Finish.YES for left in self._left_of_actions(done, edges))

    def _fits_some_action(self, done: Word, *edges: Edge) -> bool:
        """Whether a legal action may go on so, or begin so, what was done being undone."""
        return any(self._left_of_actions(done, edges))

    def _replaces_what_was_done(self, cell: Cell) -> bool:
        """Whether with the piece set down there an earlier action would look like another legal one."""
        occupied = frozenset((*self._world.pieces(), cell))
        return any(
            earlier.state.apply(action).occupancy() == occupied
            for earlier in self._before
            for action in earlier.state.legal_actions()
        )

    def _left_of_actions(self, done: Word, edges: Word) -> Iterator[frozenset[Trace]]:
        """What is left of each legal action after the edges, whatever part of what was done may be undone."""
        state = self._intent.state
        parts = [part for length in range(len(done) + 1) for part in combinations(done, length)]
        for trace in map(state.trace, state.legal_actions()):
            for part in parts:
                yield after(trace, (*part, *edges))

    def _happens(self, slip: Slip) -> bool:
        return self._rng.random() < self._style.slips.get(slip, 0.0)

    def _happens_if(self, slip: Slip, possible: bool) -> bool:  # noqa: FBT001  # read as a sentence: happens if possible
        happens = self._happens(slip) and possible
        if happens:
            self.slips[slip] += 1
        return happens

    def _wait(self, span: Span) -> None:
        self._around.wait(self._rng.uniform(*span))


def _along(grid: Grid, origin: Cell, target: Cell, cell: Cell) -> float | None:
    """How far along the straight line from origin to target, 0 to 1, a cell lies; None off the line and at its ends."""
    (x0, y0), (x1, y1), (x, y) = grid.places[origin], grid.places[target], grid.places[cell]
    dx, dy = x1 - x0, y1 - y0
    length = hypot(dx, dy)
    if cell in (origin, target) or not length:
        return None
    along = ((x - x0) * dx + (y - y0) * dy) / length**2
    aside = abs((x - x0) * dy - (y - y0) * dx) / length
    return along if 0 < along < 1 and aside < ON_THE_WAY else None
