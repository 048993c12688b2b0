"""Herd: the rules, on two sets of bits.

A board is a row of bits, one for each cell of the grid in its own order; a position is two such rows,
the stones of the first player and those of the second. Every rule is then a question about one cell's
*ring*, the bits of the cells that touch it:

    captured (H7)   an enemy stone whose ring holds nothing but my stones
    closed (H9)     an empty cell whose ring holds nothing but enemy stones

and a turn is a walk through four phases, always by way of the same check, ``_settled``:

                 ┌──────── nothing left to do, or only closed cells (H10, H11) ───────┐
                 ▼                                                                    │
    ─────────► ROLL ──► REMOVE ──► PLACE ──────────────────────────────────► the other side
                  └─ nothing to remove ─►┘  └─ no empty cell (H13) ─► OVER

A surrounded stone never stands: closing its ring takes a placement, which captures it, and setting it
into a closed ring is forbidden. And a closed cell stays closed for the whole turn, because the enemy
stones around it touch that empty cell and so can't be captured.

``Herd`` is the position as every game shows it; programs that look ahead may use ``Board`` and the bits.
Nothing here knows a colour's name, a text form or a switch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import chain, compress, product
from types import MappingProxyType

from reedlight.core.game import Correction, Declaration, Die, IllegalAction, Kind, Outcome, Piece, Roll, Side
from reedlight.core.grid import Cell, Cells, Grid
from reedlight.core.trace import Trace, anytime, lift, place

FACES = 6
"""Faces of each of the two dice."""


@dataclass(frozen=True, slots=True, order=True)
class Remove:
    """Take one enemy stone off the board."""

    cell: Cell
    trace: Trace = field(init=False, repr=False, compare=False)
    """How a hand performs it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "trace", lift(self.cell))


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Set one own stone on an empty cell; what it surrounds leaves with it."""

    cell: Cell
    trace: Trace = field(init=False, repr=False, compare=False)
    """How a hand performs it where nothing is surrounded."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "trace", place(self.cell))


Action = Remove | Place


_BITS_OF = tuple(tuple(octet >> at & 1 for at in range(8)) for octet in range(1 << 8))
"""Every octet taken apart: eight cells at a time are found twice as fast as one by one."""


class Phase(Enum):
    """What the turn waits for."""

    ROLL = "roll"
    REMOVE = "remove"
    PLACE = "place"
    OVER = "over"


@dataclass(frozen=True)
class Board:
    """A grid as bits: bit i stands for the grid's cell i."""

    grid: Grid

    @cached_property
    def bits(self) -> Mapping[Cell, int]:
        """The bit of every cell."""
        return MappingProxyType({cell: 1 << at for at, cell in enumerate(self.grid.cells)})

    @cached_property
    def full(self) -> int:
        """The bits of all cells."""
        return (1 << len(self.grid.cells)) - 1

    @cached_property
    def rings(self) -> Mapping[int, int]:
        """For every cell's bit the bits of the cells that touch it."""
        return MappingProxyType({bit: self.union(self.grid.neighbours[cell]) for cell, bit in self.bits.items()})

    @cached_property
    def near(self) -> Mapping[int, tuple[tuple[int, int], ...]]:
        """For every cell's bit its neighbours one by one: their bits and their rings."""
        return MappingProxyType(
            {
                bit: tuple((self.bits[other], self.rings[self.bits[other]]) for other in self.grid.neighbours[cell])
                for cell, bit in self.bits.items()
            }
        )

    @cached_property
    def removals(self) -> tuple[tuple[int, Remove], ...]:
        """Every removal with its bit, in the order of actions."""
        return tuple((self.bits[cell], Remove(cell)) for cell in sorted(self.grid.cells))

    @cached_property
    def placements(self) -> tuple[tuple[int, Place], ...]:
        """Every placement with its bit, in the order of actions."""
        return tuple((self.bits[cell], Place(cell)) for cell in sorted(self.grid.cells))

    def union(self, cells: Sequence[Cell]) -> int:
        """The bits of these cells."""
        return sum(self.bits[cell] for cell in cells)

    def cells(self, bits: int) -> tuple[Cell, ...]:
        """The cells of these bits, in the grid's order."""
        octets = bits.to_bytes(len(self.grid.cells) // 8 + 1, "little")
        return tuple(compress(self.grid.cells, chain.from_iterable(map(_BITS_OF.__getitem__, octets))))

    def closed(self, own: int, enemy: int) -> int:
        """The empty cells where the owner of ``own`` may not place (H9)."""
        free, outside = self.full & ~(own | enemy), ~enemy
        return sum([bit for bit, ring in self.rings.items() if free & bit and not ring & outside])

    def all_closed(self, own: int, enemy: int) -> bool:
        """Whether every empty cell is closed; mostly the first one isn't."""
        free, outside = self.full & ~(own | enemy), ~enemy
        return not any(free & bit and ring & outside for bit, ring in self.rings.items())

    def captured(self, own: int, enemy: int, placed: int) -> int:
        """The enemy stones that leave once a stone of ``own`` stands on the bit ``placed`` (H7)."""
        outside, taken = ~(own | placed), 0
        for bit, ring in self.near[placed]:  # asked for every cell of every turn: half the time of a sum
            if enemy & bit and not ring & outside:
                taken |= bit
        return taken

    def capturing(self, own: int, enemy: int) -> int:
        """The empty cells where a stone of ``own`` captures: the last one open beside an enemy stone (H7)."""
        found = 0
        for bit, ring in self.rings.items():
            if enemy & bit:
                lacking = ring & ~own
                if not lacking & (lacking - 1) and not lacking & enemy:
                    found |= lacking
        return found

    def surrounded(self, own: int, enemy: int) -> int:
        """The stones of ``own`` whose whole ring is the enemy's; none in any position that can be reached."""
        outside = ~enemy
        return sum(bit for bit, ring in self.rings.items() if own & bit and not ring & outside)

    def __hash__(self) -> int:
        return hash(self.grid)

    def __repr__(self) -> str:
        return f"Board({self.grid.name})"


@lru_cache(maxsize=64)
def board_on(grid: Grid) -> Board:
    """The one board of a grid, so that its tables are made once."""
    return Board(grid)


_LIGHT_STONE, _DARK_STONE = (Piece(side, Kind.STONE) for side in (Side.LIGHT, Side.DARK))

_ROLLS: Mapping[Roll, Fraction] = MappingProxyType(
    {Roll(dice): Fraction(1, FACES**2) for dice in product(range(1, FACES + 1), repeat=2)}
)
_NO_ROLLS: Mapping[Roll, Fraction] = MappingProxyType({})


class _Asked:
    """What a position has found out about itself: it is asked for every action, and does not change."""

    __slots__ = ("_allowed", "_capturing")
    _allowed: int
    _capturing: int


@dataclass(frozen=True, slots=True)
class Herd(_Asked):
    """A position of Herd; ``light`` and ``dark`` are the two players' stones as the board's bits."""

    board: Board
    light: int = 0
    dark: int = 0
    mover: Side = Side.LIGHT
    """The player whose turn it is, or whose placement ended the game."""
    phase: Phase = Phase.ROLL
    rolled: tuple[int, ...] = ()
    """The pips of the turn, as they fell; empty before the roll."""
    to_remove: int = 0
    to_place: int = 0
    """Placements still owed; those that a full board made impossible stay counted."""
    opening: bool = True
    """Whether this is the first player's first turn (H12)."""

    @property
    def own(self) -> int:
        """The mover's stones."""
        return self.light if self.mover is Side.LIGHT else self.dark

    @property
    def enemy(self) -> int:
        """The stones of the other player."""
        return self.dark if self.mover is Side.LIGHT else self.light

    @property
    def to_act(self) -> Side | None:
        """Chance before each turn, then the mover; None once the board is full."""
        match self.phase:
            case Phase.ROLL:
                return Side.CHANCE
            case Phase.OVER:
                return None
            case _:
                return self.mover

    @property
    def outcome(self) -> Outcome | None:
        """More stones wins, as many each is a draw (H14)."""
        if self.phase is not Phase.OVER:
            return None
        light, dark = self.light.bit_count(), self.dark.bit_count()
        if light == dark:
            return Outcome(None, f"board full, {light} stones each")
        winner = Side.LIGHT if light > dark else Side.DARK
        return Outcome(winner, f"board full, {max(light, dark)} to {min(light, dark)}")

    @property
    def capturing(self) -> int:
        """The empty cells, as bits, where a stone of the mover's captures."""
        try:
            return self._capturing
        except AttributeError:
            object.__setattr__(self, "_capturing", self.board.capturing(self.own, self.enemy))
            return self._capturing

    @property
    def allowed(self) -> int:
        """The empty cells, as bits, that are not closed to the mover."""
        try:
            return self._allowed
        except AttributeError:
            own, enemy = self.own, self.enemy
            allowed = self.board.full & ~(own | enemy | self.board.closed(own, enemy))
            object.__setattr__(self, "_allowed", allowed)
            return allowed

    def closed(self) -> frozenset[Cell]:
        """The empty cells where the mover may place nothing for the rest of the turn, once placing has begun.

        Before that there is none to tell, because a removal may still open one.
        """
        if self.phase is not Phase.PLACE:
            return frozenset()
        return frozenset(self.board.cells(self.board.closed(self.own, self.enemy)))

    def captured(self, action: Action) -> tuple[Cell, ...]:
        """The cells of the stones that a legal action surrounds, in the grid's order."""
        if isinstance(action, Remove):
            return ()
        return self.board.cells(self.board.captured(self.own, self.enemy, self.board.bits[action.cell]))

    def legal_actions(self) -> Sequence[Action]:
        """First the removals that are due, any enemy stone, then placements on cells that are not closed."""
        match self.phase:
            case Phase.REMOVE:
                enemy = self.enemy
                return tuple([action for bit, action in self.board.removals if enemy & bit])
            case Phase.PLACE:
                allowed = self.allowed
                return tuple([action for bit, action in self.board.placements if allowed & bit])
            case _:
                return ()

    def chance(self) -> Mapping[Roll, Fraction]:
        """The 36 ordered rolls of two dice, before each turn."""
        return _ROLLS if self.phase is Phase.ROLL else _NO_ROLLS

    def declarations(self) -> Sequence[Declaration]:
        """Nothing: Herd knows no offers."""
        return ()

    def apply(self, action: Action | Roll | Declaration | Correction) -> Herd:
        """The position after it; raises IllegalAction where the rules do not allow it."""
        match action:
            case Roll(dice) if action in self.chance():
                return self._after_roll(dice)
            case Remove(cell) if self._removable() & self._bit(cell):
                return self._after_removal(self._bit(cell))
            case Place(cell) if self._placeable() & self._bit(cell):
                return self._after_placement(self._bit(cell))
            case _:
                raise IllegalAction(f"{action} is not possible in phase {self.phase.value} of {self.mover.value}")

    def pieces(self) -> Mapping[Cell, Piece]:
        """The stones, in the grid's order."""
        light, taken = self.light, self.light | self.dark
        return {
            cell: _LIGHT_STONE if light & bit else _DARK_STONE for cell, bit in self.board.bits.items() if taken & bit
        }

    def occupancy(self) -> Cells:
        """The cells with a stone."""
        return frozenset(self.board.cells(self.light | self.dark))

    def dice(self) -> Sequence[Die]:
        """The lower die counts removals, the higher one placements; in the opening the lower one places."""
        if not self.rolled:
            return ()
        low, high = (self._placing_die, _unused_die) if self.opening else (self._removing_die, self._placing_die)
        first, second = self.rolled
        return (low(first), high(second)) if first <= second else (high(first), low(second))

    def trace(self, action: Action) -> Trace:
        """A removal is one lift; a placement, with the surrounded stones leaving at any moment of it."""
        trace = action.trace
        if isinstance(action, Place) and self.capturing & self.board.bits[action.cell]:
            for taken in self.captured(action):
                trace = trace >> anytime(lift(taken))
        return trace

    def _bit(self, cell: Cell) -> int:
        return self.board.bits.get(cell, 0)

    def _removable(self) -> int:
        return self.enemy if self.phase is Phase.REMOVE else 0

    def _placeable(self) -> int:
        return self.allowed if self.phase is Phase.PLACE else 0

    def _after_roll(self, dice: tuple[int, ...]) -> Herd:
        low, high = sorted(dice)
        if self.opening:
            return self._settled(self.own, self.enemy, dice, 0, low)
        return self._settled(self.own, self.enemy, dice, min(low, self.enemy.bit_count()), high)

    def _after_removal(self, bit: int) -> Herd:
        return self._settled(self.own, self.enemy & ~bit, self.rolled, self.to_remove - 1, self.to_place)

    def _after_placement(self, bit: int) -> Herd:
        captured = self.board.captured(self.own, self.enemy, bit)
        to_place = self.to_place - 1 + captured.bit_count()
        return self._settled(self.own | bit, self.enemy & ~captured, self.rolled, 0, to_place)

    def _settled(self, own: int, enemy: int, rolled: tuple[int, ...], to_remove: int, to_place: int) -> Herd:
        """The position with these stones and debts, in the phase that they ask for."""
        light, dark = (own, enemy) if self.mover is Side.LIGHT else (enemy, own)
        free = self.board.full & ~(own | enemy)
        if not free:
            return Herd(self.board, light, dark, self.mover, Phase.OVER, rolled, 0, to_place, self.opening)
        if to_remove:
            return Herd(self.board, light, dark, self.mover, Phase.REMOVE, rolled, to_remove, to_place, self.opening)
        if not to_place or self.board.all_closed(own, enemy):
            return Herd(self.board, light, dark, self.mover.other, opening=False)
        return Herd(self.board, light, dark, self.mover, Phase.PLACE, rolled, 0, to_place, self.opening)

    def _removing_die(self, pips: int) -> Die:
        if self.phase is Phase.REMOVE:
            return Die(pips, spent=False, note=f"{self.to_remove} to remove")
        # While an enemy stone is left there were enough of them, so the die was used in full.
        return Die(pips, spent=True, note=f"{pips} removed" if self.enemy else "none left")

    def _placing_die(self, pips: int) -> Die:
        if self.phase is Phase.OVER:
            return Die(pips, spent=True, note=f"{self.to_place} not placed" if self.to_place else "all placed")
        return Die(pips, spent=False, note=f"{self.to_place} to place")


def _unused_die(pips: int) -> Die:
    return Die(pips, spent=True, note="not used")
