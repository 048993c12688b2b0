"""What a Diablo board is worth to the side that has just moved: its chance to win, by learned weights.

A board is judged between two turns: one side has moved, the other is to roll. Some twenty-eight
numbers say what matters, each a share or a ratio, so that the weights learned on a small board serve a
large one; the logistic function of their weighted sum is the chance.

Most of the numbers ask what a single die can take. A stack of height h falls to a hunter of h or more
at the die's distance, so the cells of one height are one integer, bit n for cell n, and a die's reach is
four shifts of such an integer: ``Lines``. What two dice do together is left to the search.

The weights lie beside this module and are made by ``tests/bench/diablo_learning.py``. Nothing here looks ahead.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, log
from operator import mul

from reedlight.games.diablo.rules import Board

Stacks = tuple[int, int, int]
"""A height, the cells of one side's stacks of that height as bits, and how many they are."""
Weights = Sequence[float]

NAMES = (
    "always",
    "checkers, log of the ratio",
    "checkers, difference by sum",
    "checkers, difference by 10",
    "own best loss to a die, by own checkers",
    "foe's best loss to a die, by his checkers",
    "own best loss to a die, by 4",
    "foe's best loss to a die, by 4",
    "own second loss to a die, by own checkers",
    "foe's second loss to a die, by his checkers",
    "own checkers in reach, mean over dice, by own checkers",
    "foe's checkers in reach, mean over dice, by his checkers",
    "chance that no die takes an own stack",
    "chance that no die takes a foe's stack",
    "own share of the stacks, less a half",
    "own single checkers, by own stacks",
    "foe's single checkers, by his stacks",
    "own checkers above the foe's tallest, by own checkers",
    "foe's checkers above the own tallest, by his checkers",
    "own tallest, by own checkers",
    "foe's tallest, by his checkers",
    "tallest, difference by sum",
    "one by own stacks",
    "one by the foe's stacks",
    "log of the ratio, on a full board",
    "own best loss by own checkers, on a full board",
    "foe's best loss by his checkers, on a full board",
    "tallest, difference by sum, on a full board",
)
"""What the numbers of ``features`` are, in their order."""

_SURE = 30.0
"""Beyond this the logistic function is 0 or 1 to thirteen digits."""


@dataclass(frozen=True, slots=True)
class Lines:
    """How the dice reach over a board of one size, for integers with a bit a cell."""

    size: int
    full: int
    """Every cell."""
    bits: tuple[int, ...]
    """The bit of every cell."""
    steps: tuple[tuple[int, int, int], ...]
    """For each die: its distance along a row, the cells from which that stays in the row, and along a column."""

    def reach(self, cells: int) -> list[int]:
        """For each die the cells at exactly its distance from any of the cells."""
        full = self.full
        return [
            ((cells & inside) << along) | (cells >> along & inside) | (cells << across & full) | cells >> across
            for along, inside, across in self.steps
        ]


@cache
def lines(size: int) -> Lines:
    """The reach of the dice on a board of that size."""
    row = (1 << size) - 1
    every_row = sum(1 << rank * size for rank in range(size))
    steps = ((die, (row >> die) * every_row, die * size) for die in range(1, size // 2 + 1))
    return Lines(size, (1 << size * size) - 1, tuple(1 << at for at in range(size * size)), tuple(steps))


def tallest(board: Board) -> int:
    """The height of the tallest stack of either side."""
    return max(*board, -min(board))


def heights(board: Board, most: int, bits: Sequence[int]) -> tuple[list[Stacks], list[Stacks]]:
    """The stacks of black and of green, the tallest first; none is taller than ``most``."""
    # A green height is negative and so counts from the end of the list: no branch for colour.
    found = [0] * (2 * most + 1)
    for height, bit in zip(board, bits, strict=True):
        found[height] |= bit
    down = range(most, 0, -1)
    black = [(height, cells, cells.bit_count()) for height in down if (cells := found[height])]
    green = [(height, cells, cells.bit_count()) for height in down if (cells := found[-height])]
    return black, green


def _threat(victims: list[Stacks], hunters: list[Stacks], board: Lines) -> tuple[int, int, int, int]:
    """What single dice take: the tallest stack, the next, all, each summed over the dice; and dice that take nothing.

    Tallest and next are meant as checkers.
    """
    steps, full = board.steps, board.full
    first = [0] * len(steps)
    second = [0] * len(steps)
    exposed = able = joined = 0
    reach: list[int] = []
    for height, stacks, _ in victims:
        known = joined
        while joined < len(hunters) and hunters[joined][0] >= height:
            able |= hunters[joined][1]
            joined += 1
        if joined > known:
            # The same as board.reach(able), which is called too often to be called.
            reach = [
                ((able & inside) << along) | (able >> along & inside) | (able << across & full) | able >> across
                for along, inside, across in steps
            ]
        for die, cells in enumerate(reach):
            hit = stacks & cells
            if hit:
                count = hit.bit_count()
                exposed += count * height
                if not first[die]:
                    first[die] = height
                    count -= 1
                if count and not second[die]:
                    second[die] = height
    return sum(first), sum(second), exposed, first.count(0)


def features(board: Board, sign: int, size: int) -> list[float]:
    """The numbers of a board on which both sides have checkers, for the side of the sign, which has just moved."""
    board_lines = lines(size)
    own, foe = heights(board, tallest(board), board_lines.bits)
    if sign < 0:
        own, foe = foe, own
    own_stacks = own_sum = foe_stacks = foe_sum = own_above = foe_above = 0
    own_tallest, foe_tallest = own[0][0], foe[0][0]
    for height, _, count in own:
        own_stacks += count
        own_sum += height * count
        if height > foe_tallest:
            own_above += height * count
    for height, _, count in foe:
        foe_stacks += count
        foe_sum += height * count
        if height > own_tallest:
            foe_above += height * count
    own_singles = own[-1][2] if own[-1][0] == 1 else 0
    foe_singles = foe[-1][2] if foe[-1][0] == 1 else 0
    loss, loss_second, loss_all, loss_none = _threat(own, foe, board_lines)
    gain, gain_second, gain_all, gain_none = _threat(foe, own, board_lines)
    faces = len(board_lines.steps)
    fullness = (own_sum + foe_sum) / (size * size)
    ratio = log(own_sum / foe_sum)
    own_faces, foe_faces = own_sum * faces, foe_sum * faces
    taller = (own_tallest - foe_tallest) / (own_tallest + foe_tallest)
    return [
        1.0,
        ratio,
        (own_sum - foe_sum) / (own_sum + foe_sum),
        (own_sum - foe_sum) / 10,
        loss / own_faces,
        gain / foe_faces,
        loss / (4 * faces),
        gain / (4 * faces),
        loss_second / own_faces,
        gain_second / foe_faces,
        loss_all / own_faces,
        gain_all / foe_faces,
        (loss_none / faces) ** 2,
        (gain_none / faces) ** 2,
        own_stacks / (own_stacks + foe_stacks) - 0.5,
        own_singles / own_stacks,
        foe_singles / foe_stacks,
        own_above / own_sum,
        foe_above / foe_sum,
        own_tallest / own_sum,
        foe_tallest / foe_sum,
        taller,
        1 / own_stacks,
        1 / foe_stacks,
        ratio * fullness,
        loss / own_faces * fullness,
        gain / foe_faces * fullness,
        taller * fullness,
    ]


def chance(numbers: Sequence[float], weights: Weights) -> float:
    """The logistic function of the weighted sum."""
    total = sum(map(mul, numbers, weights))
    return 1 / (1 + exp(-max(-_SURE, min(_SURE, total))))


def worth(board: Board, sign: int, size: int, weights: Weights) -> float:
    """The chance to win of the side of the sign, which has just moved; exact once one side has no checker."""
    if min(board) >= 0:
        return 1.0 if sign > 0 else 0.0
    if max(board) <= 0:
        return 0.0 if sign > 0 else 1.0
    return chance(features(board, sign, size), weights)


@cache
def learned() -> tuple[float, ...]:
    """The weights that games against itself have made, in the order of ``NAMES``."""
    text = files("reedlight.players.diablo").joinpath("weights.json").read_text("utf-8")
    table: Mapping[str, float] = json.loads(text)
    return tuple(table[name] for name in NAMES)
