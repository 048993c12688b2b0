"""The world: pieces, hands, magnets and reed switches as they physically are.

A *stack* is the pieces on one cell, bottom first; whatever a hand sets down goes on top. Only what is
below matters to the switch: it is closed while something stands there.

    lift(c3)      the whole stack into the hand             the switch of c3 opens
    take_top(c3)  one piece off the top                     opens only if it was the last
    place(e5)     what the hand holds, onto what is there   closes if the cell was empty
    slide(..)     what the hand holds passes over cells     each empty one closes for a moment
    nudge(c3)     the stack is pushed off its place         opens for a moment

Every opening and closing flutters as real contacts do. Operations take the time at which they happen and
return at once; what the switches do because of them lies ahead, and ``samples_until`` lets time pass and
tells every change of the raw mask. ``next_change`` says when the next one may come. So the same world
serves a run in virtual time and a page on which somebody plays.

A fault belongs to a switch: stuck (always closed), dead (never closed), flickering (opens and closes at
random under a resting piece). The world knows no rules: it lets a hand do anything that a hand can do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from heapq import heappop, heappush
from itertools import count
from random import Random
from types import MappingProxyType
from typing import NewType

from reedlight.board.layout import Layout
from reedlight.core.game import Kind, Piece, Side
from reedlight.core.grid import Cell

Hand = NewType("Hand", str)
"""The name of a hand; each holds its own pieces."""

Stack = tuple[Piece, ...]
"""Single pieces (height 1), bottom first."""


class Impossible(ValueError):
    """Something that no hand can do, such as lifting from an empty cell."""


class Fault(Enum):
    """What can be wrong with a switch."""

    STUCK = "stuck"
    DEAD = "dead"
    FLICKERING = "flickering"


@dataclass(frozen=True, slots=True)
class Contact:
    """How a switch behaves: its bounce after a change, and its rhythm when it flickers. Times in seconds."""

    bounces: int = 2
    """At most so many short returns after a change, two flips each."""
    bounce_within: float = 0.0012
    flicker: tuple[float, float] = (0.004, 0.12)


@dataclass(frozen=True, slots=True)
class Held:
    """A stack in a hand, and the cell that it was taken from; None for one from the tray or the supply."""

    stack: Stack
    origin: Cell | None


@dataclass(frozen=True, slots=True)
class Sample:
    """The raw mask of all switches from a moment on."""

    at: float
    mask: int


KNOCK = (0.02, 0.08)
"""Seconds for which a knocked piece is off its place, at least and at most."""
_OTHER_FACE = {Kind.MAN: Kind.KING, Kind.KING: Kind.MAN}
_NO_SUPPLY: Mapping[Piece, int] = MappingProxyType({})


def single(piece: Piece) -> Stack:
    """A piece of any height as the single pieces that it is made of."""
    return (replace(piece, height=1),) * piece.height


class World:
    """One board with everything on and around it. Times are seconds, and never go back."""

    def __init__(
        self,
        layout: Layout,
        rng: Random,
        supply: Mapping[Piece, int] = _NO_SUPPLY,
        contact: Contact | None = None,
    ) -> None:
        self._layout = layout
        self._rng = rng
        self._contact = Contact() if contact is None else contact
        self._now = float("-inf")
        self._stacks: dict[Cell, Stack] = {}
        self._held: dict[Hand, list[Held]] = {}
        self._tray: list[Piece] = []
        self._all_supply = Counter(dict(supply))
        self._supply = Counter(self._all_supply)
        self._off_until: dict[Cell, float] = {}
        self._over_until: dict[Cell, float] = {}
        self._faults: dict[int, Fault] = {}
        self._magnets = 0
        self._contacts = 0
        self._flickering: set[int] = set()
        self._open = 0
        self._ahead: list[tuple[float, int, Callable[[float], None]]] = []
        self._order = count()
        self._changes = Counter[int]()
        self._samples = [Sample(self._now, 0)]
        self._told = 1

    # ------------------------------------------------------------------------------------ looking

    def pieces(self) -> Mapping[Cell, Piece]:
        """What stands on every occupied cell, as the top piece with the height of its stack."""
        return {cell: replace(stack[-1], height=len(stack)) for cell, stack in self._stacks.items()}

    def stack(self, cell: Cell) -> Stack:
        """The pieces on a cell, bottom first; empty where nothing stands."""
        return self._stacks.get(cell, ())

    def held(self, hand: Hand) -> Sequence[Held]:
        """What a hand holds, in the order in which it was taken."""
        return tuple(self._held.get(hand, ()))

    def carries(self, hand: Hand, side: Side) -> int:
        """How many pieces of a side a hand holds."""
        return sum(piece.side is side for held in self._held.get(hand, ()) for piece in held.stack)

    @property
    def tray(self) -> Sequence[Piece]:
        """The pieces that were taken off the board, in that order."""
        return tuple(self._tray)

    @property
    def supply(self) -> Mapping[Piece, int]:
        """The pieces that have not been on the board yet, and how many of each there are."""
        return MappingProxyType(self._supply)

    # ------------------------------------------------------------------------------------ hands

    def lift(self, hand: Hand, cell: Cell, now: float) -> Stack:
        """Take the whole stack of a cell into the hand."""
        self._pass(now)
        stack = self._standing(cell)
        self._hold(hand, Held(stack, cell))
        self._stand(cell, (), now)
        return stack

    def take_top(self, hand: Hand, cell: Cell, now: float) -> Piece:
        """Pick one piece off the top of a stack."""
        self._pass(now)
        *rest, top = self._standing(cell)
        self._hold(hand, Held((top,), cell))
        self._stand(cell, tuple(rest), now)
        return top

    def place(self, hand: Hand, cell: Cell, now: float, side: Side | None = None) -> Stack:
        """Set down what the hand holds of a side's pieces, or all it holds, onto what stands there."""
        self._pass(now)
        stack = self._release(hand, side)
        if not stack:
            raise Impossible(f"nothing in the {hand} hand to set down on {cell}")
        self._stand(cell, self.stack(cell) + stack, now)
        return stack

    def put_back(self, hand: Hand, now: float) -> None:
        """Return the stack that the hand took last to the cell it came from."""
        self._pass(now)
        held = self._held.get(hand)
        if not held or held[-1].origin is None:
            raise Impossible(f"nothing in the {hand} hand that came from the board")
        last = held.pop()
        assert last.origin is not None  # noqa: S101  # the guard above says so to the reader, this to the checker
        self._stand(last.origin, self.stack(last.origin) + last.stack, now)

    def to_tray(self, hand: Hand, now: float, side: Side | None = None) -> Stack:
        """Lay what the hand holds of a side's pieces, or all it holds, beside the board."""
        self._pass(now)
        stack = self._release(hand, side)
        self._tray += stack
        return stack

    def last_to_tray(self, hand: Hand, now: float) -> Stack:
        """Lay the stack that the hand took last beside the board, and keep the others."""
        self._pass(now)
        held = self._held.get(hand)
        if not held:
            raise Impossible(f"the {hand} hand is empty")
        last = held.pop()
        self._tray += last.stack
        return last.stack

    def one_to_tray(self, hand: Hand, now: float) -> Piece:
        """Lay the top piece of what the hand took last beside the board, and keep the rest."""
        self._pass(now)
        held = self._held.get(hand)
        if not held:
            raise Impossible(f"the {hand} hand is empty")
        last = held.pop()
        if last.stack[:-1]:
            held.append(Held(last.stack[:-1], last.origin))
        self._tray.append(last.stack[-1])
        return last.stack[-1]

    def from_tray(self, hand: Hand, index: int, now: float) -> Piece:
        """Take a piece from the tray into the hand."""
        self._pass(now)
        if not 0 <= index < len(self._tray):
            raise Impossible(f"the tray has no piece {index}")
        piece = self._tray.pop(index)
        self._hold(hand, Held((piece,), None))
        return piece

    def from_supply(self, hand: Hand, piece: Piece, now: float) -> Piece:
        """Take a new piece into the hand; once there is none, one of its like that lies in the tray."""
        self._pass(now)
        if self._supply[piece]:
            self._supply[piece] -= 1
        elif piece in self._tray:
            self._tray.remove(piece)
        else:
            raise Impossible(f"there is no {piece.side.value} {piece.kind.value} left beside the board")
        self._hold(hand, Held((piece,), None))
        return piece

    def slide(self, hand: Hand, path: Sequence[tuple[Cell, float]], now: float) -> float:
        """Draw what the hand holds over cells, each for its seconds; the time at which it has passed the last."""
        self._pass(now)
        if not self._held.get(hand):
            raise Impossible(f"the {hand} hand is empty")
        for cell, seconds in path:
            self._later(now, partial(self._come_over, cell, seconds))
            now += seconds
        return now

    def nudge(self, cell: Cell, seconds: float, now: float) -> None:
        """Push the stack of a cell off its place for a moment."""
        self._pass(now)
        self._standing(cell)
        self._off_until[cell] = now + seconds
        self._feel(cell, now)
        self._later(now + seconds, partial(self._feel, cell))

    def knock(self, now: float) -> None:
        """Knock against the table: about every third stack jumps."""
        for cell in tuple(self._stacks):
            if self._rng.random() < 1 / 3:
                self.nudge(cell, self._rng.uniform(*KNOCK), now)

    def turn_over(self, cell: Cell, now: float) -> None:
        """Make the man on top of a cell a king or a king a man, which no switch can see."""
        self._pass(now)
        *rest, top = self._standing(cell)
        self._stacks[cell] = (*rest, replace(top, kind=_OTHER_FACE.get(top.kind, top.kind)))

    def set_up(self, pieces: Mapping[Cell, Piece], now: float) -> None:
        """Clear the board, the hands and the tray, and put these pieces up."""
        self._pass(now)
        self._held.clear()
        self._tray.clear()
        self._supply = Counter(self._all_supply)
        for cell in [cell for cell in self._stacks if cell not in pieces]:
            self._stand(cell, (), now)
        for cell, piece in pieces.items():
            self._stand(cell, single(piece), now)

    # ------------------------------------------------------------------------------------ switches

    def break_switch(self, cell: Cell, fault: Fault, now: float) -> None:
        """Give the switch of a cell a fault."""
        self._pass(now)
        switch = self._layout.switches[cell]
        self._faults[switch] = fault
        if fault is Fault.FLICKERING and switch not in self._flickering:
            self._flickering.add(switch)
            self._later(now, partial(self._flicker, switch))
        self._read(now)

    def mend_switch(self, cell: Cell, now: float) -> None:
        """Make the switch of a cell work again."""
        self._pass(now)
        switch = self._layout.switches[cell]
        self._faults.pop(switch, None)
        self._read(now)

    @property
    def faults(self) -> Mapping[Cell, Fault]:
        """The cells whose switch is broken, and how."""
        return {cell: self._faults[at] for cell, at in self._layout.switches.items() if at in self._faults}

    @property
    def mask(self) -> int:
        """The raw mask as it was at the last moment that was looked at."""
        return self._samples[-1].mask

    @property
    def next_change(self) -> float | None:
        """When ``samples_until`` may next have something to tell if no hand does anything; None if never."""
        if self._told < len(self._samples):
            return self._samples[self._told].at
        return self._ahead[0][0] if self._ahead else None

    def samples_until(self, now: float) -> Sequence[Sample]:
        """Let time pass, and tell every change of the raw mask since the last call, oldest first."""
        self._pass(now)
        fresh = tuple(self._samples[self._told :])
        self._samples = self._samples[-1:]
        self._told = 1
        return fresh

    # ------------------------------------------------------------------------------------ inside

    def _pass(self, now: float) -> None:
        if now < self._now:
            raise Impossible(f"time goes forward: {now} s comes before {self._now} s")
        while self._ahead and self._ahead[0][0] <= now:
            at, _, happen = heappop(self._ahead)
            happen(at)
        self._now = now

    def _later(self, at: float, happen: Callable[[float], None]) -> None:
        heappush(self._ahead, (at, next(self._order), happen))

    def _standing(self, cell: Cell) -> Stack:
        stack = self.stack(cell)
        if not stack:
            raise Impossible(f"nothing stands on {cell}")
        return stack

    def _hold(self, hand: Hand, held: Held) -> None:
        self._held.setdefault(hand, []).append(held)

    def _release(self, hand: Hand, side: Side | None) -> Stack:
        """What the hand lets go: all of it, or a side's pieces."""
        released: list[Piece] = []
        kept: list[Held] = []
        for held in self._held.get(hand, ()):
            going = tuple(piece for piece in held.stack if side in (None, piece.side))
            staying = tuple(piece for piece in held.stack if side not in (None, piece.side))
            released += going
            kept += [Held(staying, held.origin)] if staying else []
        self._held[hand] = kept
        return tuple(released)

    def _stand(self, cell: Cell, stack: Stack, now: float) -> None:
        self._off_until.pop(cell, None)
        if stack:
            self._stacks[cell] = stack
        else:
            self._stacks.pop(cell, None)
        self._feel(cell, now)

    def _come_over(self, cell: Cell, seconds: float, now: float) -> None:
        self._over_until[cell] = now + seconds
        self._feel(cell, now)
        self._later(now + seconds, partial(self._feel, cell))

    def _feel(self, cell: Cell, now: float) -> None:
        """Let the reed of a cell follow the magnet above it, with a flutter."""
        standing = cell in self._stacks and now >= self._off_until.get(cell, now)
        near = standing or now < self._over_until.get(cell, now)
        switch = self._layout.switches[cell]
        if near == bool(self._magnets >> switch & 1):
            return
        self._magnets ^= 1 << switch
        self._changes[switch] += 1
        change = self._changes[switch]
        returns = self._rng.randint(0, self._contact.bounces)
        moments = sorted(self._rng.uniform(0, self._contact.bounce_within) for _ in range(2 * returns))
        self._flip(switch, change, closed=near, now=now)
        for number, moment in enumerate(moments):
            flip = partial(self._flip_later, switch, change, near == bool(number % 2))
            self._later(now + moment, flip)

    def _flip_later(self, switch: int, change: int, closed: bool, now: float) -> None:  # noqa: FBT001  # bound by partial
        self._flip(switch, change, closed=closed, now=now)

    def _flip(self, switch: int, change: int, *, closed: bool, now: float) -> None:
        if change != self._changes[switch]:
            return  # the magnet has moved on; this flutter is over
        self._contacts = self._contacts & ~(1 << switch) | closed << switch
        self._read(now)

    def _flicker(self, switch: int, now: float) -> None:
        if self._faults.get(switch) is not Fault.FLICKERING:
            self._flickering.discard(switch)
            self._open &= ~(1 << switch)
            self._read(now)
            return
        self._open ^= 1 << switch
        self._read(now)
        self._later(now + self._rng.uniform(*self._contact.flicker), partial(self._flicker, switch))

    def _read(self, now: float) -> None:
        mask = self._contacts
        for switch, fault in self._faults.items():
            bit = 1 << switch
            wrong = {Fault.STUCK: mask | bit, Fault.DEAD: mask & ~bit, Fault.FLICKERING: mask & ~(self._open & bit)}
            mask = wrong[fault]
        if mask != self._samples[-1].mask:
            self._samples.append(Sample(now, mask))
