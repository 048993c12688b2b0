"""Russian draughts as a game: turns, the end, draws, and how a hand performs a move.

The moves themselves are found on three integers in ``compact``; a ``Draughts`` state is that position
with the history the rules need, and nothing mutable:

    position and side to move  what may be played (R1-R13)
    seen                       positions since the last step that cannot be undone: repetition (R14)
    clocks                     plies since something changed: the three kings, the federation (R15, R18)
    offer                      who has offered a draw that is still open (R16)

What cannot be undone is a capture or a man's step: no earlier position can come again after it, so
``seen`` starts anew there and stays short.

How long can a game get? There are at most 23 captures and 190 steps of men (144 rows to climb, two
given back for each man taken on the way back). Between two of these each arrangement of the kings
may stand twice, a number so large that it bounds nothing; under the federation's draws only 29 plies
fit there, 6,420 in all. The guard of ``MAX_PLIES`` is not a rule of the game: it is there so that no
game is endless, and a game that gets so far is a draw which says so.

This module knows no text of moves and no switch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from functools import lru_cache, reduce
from operator import attrgetter
from typing import NamedTuple

from reedlight.core.game import (
    Correction,
    Declaration,
    Die,
    IllegalAction,
    Kind,
    Outcome,
    Piece,
    Roll,
    Side,
    Speech,
)
from reedlight.core.grid import Cell, Cells
from reedlight.core.trace import NOTHING, Trace, anytime, carry, either, lift, place
from reedlight.games.draughts import words
from reedlight.games.draughts.compact import (
    BIT,
    CELL,
    MAIN_ROAD,
    START,
    Position,
    Step,
    bits,
    crowns,
    own_and_foe,
    play,
    routes,
    steps,
)

MAX_PLIES = 10_000
"""Where a game is called a draw; see above why no rule of the game says so."""


class Draws(Enum):
    """Which draws end a game by themselves besides repetition and the three kings."""

    PLAIN = "plain"
    FEDERATION = "federation"


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """A whole move or capture; captures that agree in all of this are the same move, whatever their way."""

    start: Cell
    end: Cell
    taken: tuple[Cell, ...] = ()
    """The captured pieces, sorted by name."""


_BY_NAME = attrgetter("start", "end", "taken")
"""The order of moves, found faster than by comparing them."""


class Clocks(NamedTuple):
    """Plies in a row, up to now, in which something did not happen."""

    unchanged: int = 0
    """Nothing taken and nothing crowned: the balance is what it was."""
    kings_only: int = 0
    """Nothing taken and no man moved."""
    on_main_road: int = 0
    """The balance unchanged, and a lone king on a1-h8 before and after."""


NO_TIME = Clocks()


@dataclass(frozen=True, slots=True)
class Draughts:
    """A position of Russian draughts with its history; make one with ``begin``."""

    position: Position
    side: Side
    """Who moves, or would move if the game were not over."""
    draws: Draws
    steps: tuple[Step, ...] = field(repr=False, compare=False)
    """The legal steps of the side, found once."""
    seen: tuple[tuple[Position, Side], ...] = ()
    """Earlier positions that may come again."""
    clocks: Clocks = NO_TIME
    plies: int = 0
    offer: Side | None = None
    """Who has offered a draw that is still open."""
    outcome: Outcome | None = None

    @property
    def to_act(self) -> Side | None:
        """The side to move, or None once the game is over."""
        return self.side if self.outcome is None else None

    @property
    def three_kings(self) -> int | None:
        """How many of the fifteen moves against a single king are made; None in other balances (R15)."""
        stronger = _three_kings_side(self.position)
        return None if stronger is None else _made(self.clocks.unchanged, stronger, self.side)

    def legal_actions(self) -> Sequence[Move]:
        """Every legal move, sorted; empty once the game is over."""
        return tuple(sorted(map(move_of, self.steps), key=_BY_NAME)) if self.outcome is None else ()

    def chance(self) -> Mapping[Roll, Fraction]:
        """Nothing: the game has no dice."""
        return {}

    def dice(self) -> Sequence[Die]:
        """Nothing: the game has no dice."""
        return ()

    def declarations(self) -> Sequence[Declaration]:
        """Resigning, and what the state of the draw offer allows."""
        if self.outcome is not None:
            return ()
        resigning = [Declaration(side, Speech.RESIGN) for side in (Side.LIGHT, Side.DARK)]
        if self.offer is None:
            return [*resigning, *(Declaration(side, Speech.OFFER_DRAW) for side in (Side.LIGHT, Side.DARK))]
        answers = (Speech.ACCEPT_DRAW, Speech.DECLINE_DRAW)
        return [*resigning, *(Declaration(self.offer.other, answer) for answer in answers)]

    def apply(self, action: Move | Roll | Declaration | Correction) -> Draughts:
        """The state after a legal move or an open declaration; raises IllegalAction for anything else."""
        match action:
            case Move():
                return self._moved(action)
            case Declaration():
                return self._declared(action)
            case _:
                raise IllegalAction("Russian draughts has no dice")

    def pieces(self) -> Mapping[Cell, Piece]:
        """The men and kings by cell."""
        light, dark, kings = self.position
        return {
            CELL[bit]: Piece(side, Kind.KING if bit & kings else Kind.MAN)
            for side, squares in ((Side.LIGHT, light), (Side.DARK, dark))
            for bit in bits(squares)
        }

    def occupancy(self) -> Cells:
        """The cells with a man or a king."""
        light, dark, _ = self.position
        occupied = light | dark
        return frozenset([cell for bit, cell in CELL.items() if occupied & bit])

    def crowned(self, move: Move) -> bool:
        """Whether a legal move makes a man a king."""
        return crowns(self.position, self.side, self._legal_step(move))

    def paths(self, move: Move) -> Sequence[tuple[Cell, ...]]:
        """Every correct way of a legal move, as the cells the piece stands on, sorted."""
        found = routes(self.position, self.side, self._legal_step(move))
        return sorted(tuple(CELL[bit] for bit in path) for path, _ in found)

    def trace(self, action: Move) -> Trace:
        """How a hand performs a legal move: any correct way, the captured pieces leaving whenever they like."""
        step = self._legal_step(action)
        if not action.taken:
            return carry(action.start, action.end)
        by_order: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
        for path, order in routes(self.position, self.side, step):
            by_order.setdefault(order, []).append(path)
        return either(*[_performed(order, tuple(paths)) for order, paths in sorted(by_order.items())])

    def _legal_step(self, move: Move) -> Step:
        """The step that a legal move is; raises IllegalAction for any other move."""
        if self.outcome is not None:
            raise IllegalAction(words.OVER)
        step = (BIT.get(move.start, 0), BIT.get(move.end, 0), sum([BIT.get(cell, 0) for cell in move.taken]))
        if step not in self.steps or move_of(step).taken != move.taken:
            raise IllegalAction(words.illegal(self, move))
        return step

    def _moved(self, move: Move) -> Draughts:
        step = self._legal_step(move)
        before, after = self.position, play(self.position, self.side, step)
        mover, side = self.side, self.side.other
        clocks = _ticked(self.clocks, before, after)
        return _judged(
            Draughts(
                position=after,
                side=side,
                draws=self.draws,
                steps=tuple(steps(after, side)),
                # Only a king's move can be undone; after any other no earlier position can come again.
                seen=(*self.seen, (before, mover)) if clocks.kings_only else (),
                clocks=clocks,
                plies=self.plies + 1,
                # An offer made by the side that now moved still waits for its answer (R16).
                offer=self.offer if self.offer is mover else None,
            )
        )

    def _declared(self, declaration: Declaration) -> Draughts:
        if declaration.side is Side.CHANCE:
            raise IllegalAction("chance declares nothing")
        if declaration not in self.declarations():
            raise IllegalAction(f"not open now: {words.spoken(declaration.side, declaration.speech)}")
        match declaration.speech:
            case Speech.RESIGN:
                reason = words.resigned(declaration.side)
                return replace(self, offer=None, outcome=Outcome(declaration.side.other, reason))
            case Speech.OFFER_DRAW:
                return replace(self, offer=declaration.side)
            case Speech.ACCEPT_DRAW:
                return replace(self, offer=None, outcome=Outcome(None, words.AGREED))
            case _:
                return replace(self, offer=None)


def begin(position: Position = START, side: Side = Side.LIGHT, draws: Draws = Draws.PLAIN) -> Draughts:
    """A game that begins with a position, which counts as its first occurrence."""
    return _judged(Draughts(position, side, draws, tuple(steps(position, side))))


@lru_cache(maxsize=1 << 12)
def move_of(step: Step) -> Move:
    """The move that a step of integers is."""
    start, end, taken = step
    return Move(CELL[start], CELL[end], tuple(sorted(CELL[bit] for bit in bits(taken))))


# ------------------------------------------------------------------------------------ the end of a game


def _judged(state: Draughts) -> Draughts:
    """The state with its outcome, if it has one: a loss is looked at before any draw (R15d)."""
    if not state.steps:
        loser = state.side
        own, _ = own_and_foe(state.position, loser)
        reason = words.cannot_move(loser) if own else words.has_no_pieces(loser)
        return replace(state, outcome=Outcome(loser.other, reason))
    reason = _drawn(state)
    return state if reason is None else replace(state, outcome=Outcome(None, reason))


def _drawn(state: Draughts) -> str | None:
    if state.seen.count((state.position, state.side)) >= 2:
        return words.THIRD_REPETITION
    if state.three_kings == 15:
        return words.FIFTEEN_MOVES_THREE_KINGS
    if state.draws is Draws.FEDERATION and (reason := _drawn_by_federation(state)):
        return reason
    return words.TOO_LONG if state.plies >= MAX_PLIES else None


def _three_kings_side(position: Position) -> Side | None:
    """The side with three or more kings against a single king, where there is nothing else (R15)."""
    light, dark, kings = position
    if light | dark != kings:
        return None
    lone = _lone_king(position)
    return None if lone is None or kings.bit_count() < 4 else lone.other


def _lone_king(position: Position) -> Side | None:
    """The side whose only piece is a king, while the other has at least as much and a king too."""
    light, dark, kings = position
    if not (light & kings and dark & kings):
        return None
    if dark.bit_count() == 1:
        return Side.DARK
    return Side.LIGHT if light.bit_count() == 1 else None


def _made(plies: int, side: Side, to_move: Side) -> int:
    """How many of the last plies were moves of the side; sides move in turn."""
    return plies // 2 if side is to_move else (plies + 1) // 2


def _ticked(clocks: Clocks, before: Position, after: Position) -> Clocks:
    if _balance(before) != _balance(after):
        return NO_TIME
    return Clocks(
        unchanged=clocks.unchanged + 1,
        kings_only=clocks.kings_only + 1 if _men(before) == _men(after) else 0,
        on_main_road=clocks.on_main_road + 1 if _on_main_road(before) and _on_main_road(after) else 0,
    )


def _balance(position: Position) -> tuple[int, int, int]:
    light, dark, kings = position
    return light.bit_count(), dark.bit_count(), kings.bit_count()


def _men(position: Position) -> int:
    light, dark, kings = position
    return (light | dark) & ~kings


def _on_main_road(position: Position) -> bool:
    lone = _lone_king(position)
    return lone is not None and bool(own_and_foe(position, lone)[0] & MAIN_ROAD)


def _drawn_by_federation(state: Draughts) -> str | None:
    """The fuller text of draws (R18); its moves are pairs of plies, except that only the stronger side's count."""
    light, dark, kings = state.position
    count = (light | dark).bit_count()
    if state.clocks.kings_only >= 30:
        return words.FIFTEEN_MOVES_KINGS_ONLY
    if not (light & kings and dark & kings):
        return None
    if count in {4, 5} and state.clocks.unchanged >= 60:
        return words.THIRTY_MOVES_UNCHANGED
    if count in {6, 7} and state.clocks.unchanged >= 120:
        return words.SIXTY_MOVES_UNCHANGED
    return _drawn_against_lone_king(state, count)


def _drawn_against_lone_king(state: Draughts, count: int) -> str | None:
    lone = _lone_king(state.position)
    if lone is None:
        return None
    if count == 2:
        # Neither of two lone kings is the stronger side: both have their five moves.
        return words.FIVE_MOVES_LONE_KING if state.clocks.unchanged >= 10 else None
    if count == 3 and _made(state.clocks.unchanged, lone.other, state.side) >= 5:
        return words.FIVE_MOVES_LONE_KING
    if count == 4 and _made(state.clocks.on_main_road, lone.other, state.side) >= 5:
        return words.FIVE_MOVES_MAIN_ROAD
    return None


# ------------------------------------------------------------------------------------ hands


@lru_cache(maxsize=1 << 12)
def _performed(order: tuple[int, ...], paths: tuple[tuple[int, ...], ...]) -> Trace:
    """The trace of the ways that take the pieces in one order.

    Such ways differ only in where a king stops between two victims on one line, and each of these
    stops is free of the others. The hand may leave a stop out: it then flies on.
    """
    starts, *stops, ends = (sorted(set(column)) for column in zip(*paths, strict=True))
    parts = [lift(CELL[starts[0]])]
    for victim, landings in zip(order, stops, strict=False):
        parts.append(either(NOTHING, *(place(CELL[bit]) >> lift(CELL[bit]) for bit in landings)))
        parts.append(anytime(lift(CELL[victim])))
    parts.append(place(CELL[ends[0]]))
    parts.extend(anytime(lift(CELL[victim])) for victim in order[-1:])
    # From the right: a chain built from the left is rebuilt at every part.
    return reduce(lambda rest, part: part >> rest, reversed(parts))
