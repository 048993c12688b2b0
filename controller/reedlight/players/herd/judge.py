"""What a position of Herd is worth: a sum of counts, told as the chance to win.

The counts are made for all cells at once. Mine, yours and the empty cells lie side by side as three lanes of
one long number, which is shifted once for every way in which cells touch; adding the shifts up, no higher than
three, tells of every cell whether one, two or three of its neighbours are mine, yours or empty. A lone stone is
then a stone of a lane without a neighbour in that lane, a closed cell an empty one without neighbours in two.

        lanes            shifted and added up           counted
    ┌──────────────┐        ┌─────────┐        ┌────────────────────────┐
    │ empty│you│me │ ──►    │ 1+ 2+ 3+│  ──►   │ stones, lone, closed … │ ──► · weights ──► chance to win
    └──────────────┘        └─────────┘        └────────────────────────┘

*I* am the side that has just finished its turn, *you* are about to roll. What counts is how much more of each thing I
have than you. Every count has two weights, for an empty board and for a full one, and goes from the first to the
second as the board fills; so does how much the whole says about the result, which early on is little. All of it was
learned from games against itself on hexagons of side 4 and 5 (``tests/bench/herd_learning.py``), stands in
``weights.txt`` and serves every board, for what is counted has no size; that it is best for others, square ones
least, is not known.

Nothing here knows dice or turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import exp, log
from operator import mul

from reedlight.games.herd.rules import Board

THINGS = (
    "stones",
    "lone",
    "lone touched",
    "lone with one open cell",
    "lone with two open cells",
    "with one friend",
    "buried",
    "touching",
    "cells closed to the other",
    "cells one stone from closed",
    "cells two stones from closed",
    "cells touched alone",
)
"""What is counted for each of the two sides."""

CERTAIN = 50.0
"""The score of a won game, in logits: so far out that no sum of counts gets there."""

Span = tuple[float, float]
"""A number on an empty board and on a full one."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts are worth on a board."""

    things: tuple[Span, ...]
    """One for each of ``THINGS``, in any measure."""
    steepness: Span = (1.0, 1.0)
    """How many logits one of that measure is."""
    turn: Span = (0.0, 0.0)
    """What having finished the turn is worth by itself, in logits."""


class Judge:
    """Counts and scores positions of one board, given as the board's bits."""

    def __init__(self, board: Board, weights: Weights) -> None:
        self.board = board
        self._cells = len(board.bits)
        self._ways = ways(board)
        self._weights = tuple(_at(weights, filled / self._cells) for filled in range(self._cells + 1))

    def counts(self, me: int, you: int) -> tuple[int, ...]:
        """One, and how many more of each of ``THINGS`` I have than you."""
        lane, full = self._cells, self.board.full
        empty = full & ~(me | you)
        lanes = me | you << lane | empty << 2 * lane
        one = two = three = 0
        for upward, downward, step in self._ways:
            shifted = (lanes & upward) << step
            three |= two & shifted
            two |= one & shifted
            one |= shifted
            shifted = (lanes & downward) >> step
            three |= two & shifted
            two |= one & shifted
            one |= shifted
        my1, your1, open1 = one & full, one >> lane & full, one >> 2 * lane
        my2, your2, open2 = two & full, two >> lane & full, two >> 2 * lane
        one_open, two_open = open1 & ~open2, open2 & ~(three >> 2 * lane)
        my_lone, your_lone = me & ~my1, you & ~your1
        my_area, your_area = empty & my1 & ~your1, empty & your1 & ~my1
        return (
            1,
            me.bit_count() - you.bit_count(),
            my_lone.bit_count() - your_lone.bit_count(),
            (my_lone & your1).bit_count() - (your_lone & my1).bit_count(),
            (my_lone & one_open).bit_count() - (your_lone & one_open).bit_count(),
            (my_lone & two_open).bit_count() - (your_lone & two_open).bit_count(),
            (me & my1 & ~my2).bit_count() - (you & your1 & ~your2).bit_count(),
            (me & ~(open1 | your1)).bit_count() - (you & ~(open1 | my1)).bit_count(),
            (me & your1).bit_count() - (you & my1).bit_count(),
            (my_area & ~open1).bit_count() - (your_area & ~open1).bit_count(),
            (my_area & one_open).bit_count() - (your_area & one_open).bit_count(),
            (my_area & two_open).bit_count() - (your_area & two_open).bit_count(),
            my_area.bit_count() - your_area.bit_count(),
        )

    def score(self, me: int, you: int) -> float:
        """My chance to win as a logit; ``CERTAIN`` either way, or 0, once the board is full."""
        filled = me | you
        if filled == self.board.full:
            mine, yours = me.bit_count(), you.bit_count()
            return CERTAIN if mine > yours else -CERTAIN if mine < yours else 0.0
        return sum(map(mul, self._weights[filled.bit_count()], self.counts(me, you)))

    def stone(self, filled: int) -> float:
        """What one more stone is worth where these cells are filled, in logits."""
        return self._weights[filled.bit_count()][1]


def _at(weights: Weights, filled: float) -> tuple[float, ...]:
    """The weights of all counts, in logits, on a board of which that share is filled."""

    def along(span: Span) -> float:
        return span[0] + (span[1] - span[0]) * filled

    steep = along(weights.steepness)
    return (along(weights.turn), *(steep * along(span) for span in weights.things))


def chance(score: float) -> float:
    """A score as a chance from 0 to 1; exact for certain ones."""
    if abs(score) >= CERTAIN:
        return 1.0 if score > 0 else 0.0
    return 1 / (1 + exp(-score))


def score_of(chance: float) -> float:
    """A chance as a score; certain ones are ``CERTAIN``."""
    if not 0 < chance < 1:
        return CERTAIN if chance else -CERTAIN
    return log(chance / (1 - chance))


def ways(board: Board) -> tuple[tuple[int, int, int], ...]:
    """For every distance of two touching cells in the row of bits: who has a neighbour above, who below."""
    steps: dict[int, int] = {}
    bits, neighbours = board.bits, board.grid.neighbours
    for cell, bit in bits.items():
        for other in neighbours[cell]:
            if bits[other] > bit:
                step = bits[other].bit_length() - bit.bit_length()
                steps[step] = steps.get(step, 0) | bit
    lane = len(bits)
    thrice = 1 | 1 << lane | 1 << 2 * lane
    return tuple((below * thrice, (below << step) * thrice, step) for step, below in sorted(steps.items()))


# ------------------------------------------------------------------------------------------ weights


@lru_cache(maxsize=1)
def learned() -> Weights:
    """The weights that were learned."""
    return read(files("reedlight.players.herd").joinpath("weights.txt").read_text(encoding="utf-8"))


def read(text: str) -> Weights:
    """The weights in a text with a line for each name and its two numbers; lines that begin with ``#`` say nothing."""
    found: dict[str, Span] = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            *name, early, late = line.split()
            found[" ".join(name)] = float(early), float(late)
    return Weights(tuple(found[name] for name in THINGS), found["steepness"], found["turn"])


def written(weights: Weights, heading: Sequence[str]) -> str:
    """The text that ``read`` takes, under lines that say where the weights come from."""
    spans = [*zip(THINGS, weights.things, strict=True), ("steepness", weights.steepness), ("turn", weights.turn)]
    lines = [f"{name:<30}{early:9.4f}{late:9.4f}" for name, (early, late) in spans]
    return "\n".join([*(f"# {line}" for line in heading), *lines]) + "\n"
