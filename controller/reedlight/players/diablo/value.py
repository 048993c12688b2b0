"""What a Diablo board is worth to the side that has just moved: its chance to win, by learned weights.

A board is judged between two turns: one side has moved, the other is to roll. Some thirty numbers say
what matters, each a share or a ratio, so that the weights learned on a small board serve a large one;
the logistic function of their weighted sum is the chance.

There are two sets of weights, for two questions. To choose among the turns of one roll, what is wanted is what
the foe may answer to each, and that is what ``turns`` come nearest to. Where the answers are looked at, boards
after different rolls meet in one mean, and what is wanted is how often a board wins: ``boards``. A weighted sum
says too little of that, for what matters changes with the game; so other sums of the same numbers are added to it
or taken away where they are positive.

Most of the numbers ask what a single die can take. A stack of height h falls to a hunter of h or more
at the die's distance, so the cells of one height are one integer, bit n for cell n, and a die's reach is
four shifts of such an integer: ``Lines``. What both dice of a roll take together is asked of the own side
only, for the foe rolls next. It is the most of three: what each die takes by itself, one stack that is
reached over an empty cell, and two stacks that one hunter takes in a row. What the foe may take after a
merge, or what stands in the way of his second die by then, is left to the search.

The weights lie beside this module and are made by ``tests/bench/diablo_learning.py``. Nothing here looks ahead.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, inf, log
from operator import mul
from typing import NamedTuple

from reedlight.games.diablo.rules import Board

Stacks = tuple[int, int, int]
"""A height, the cells of one side's stacks of that height as bits, and how many they are."""
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
    "own best loss to a roll, by own checkers",
    "own best loss to a roll, by 4",
    "chance that no roll takes an own stack",
)
"""What the numbers of ``features`` are, in their order."""

_SURE = 30.0
"""No sum of an unfinished game is beyond this: there the logistic function is 0 or 1 to thirteen digits."""


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
    rolls: tuple[tuple[int, int, float], ...]
    """Every roll in no order, its dice counted from zero, with its chance."""

    def reach(self, cells: int) -> list[int]:
        """For each die the cells at exactly its distance from any of the cells."""
        full = self.full
        return [
            ((cells & inside) << along) | (cells >> along & inside) | (cells << across & full) | cells >> across
            for along, inside, across in self.steps
        ]


@cache
def unordered(faces: int) -> tuple[tuple[tuple[int, int], float], ...]:
    """Every roll of two dice in no order, with its chance."""
    odds = 1 / faces**2
    return tuple(
        ((low, high), odds if low == high else 2 * odds)
        for low in range(1, faces + 1)
        for high in range(low, faces + 1)
    )


@cache
def lines(size: int) -> Lines:
    """The reach of the dice on a board of that size."""
    row = (1 << size) - 1
    every_row = sum(1 << rank * size for rank in range(size))
    faces = size // 2
    steps = ((die, (row >> die) * every_row, die * size) for die in range(1, faces + 1))
    rolls = ((low - 1, high - 1, odds) for (low, high), odds in unordered(faces))
    bits = (1 << at for at in range(size * size))
    return Lines(size, (1 << size * size) - 1, tuple(bits), tuple(steps), tuple(rolls))


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


Hunted = tuple[int, int, list[int]]
"""A height, the cells of the stacks of that height, and for each die the cells where it takes such a stack."""
Trail = tuple[int, int, list[int], list[int]]
"""The same, and for each die the cells from which it leads to such a stack."""


class Threat(NamedTuple):
    """What single dice take of one side."""

    first: list[int]
    """For each die the checkers of the tallest stack that it takes."""
    second: list[int]
    """And of the next."""
    where: list[int]
    """The tallest ones' cells."""
    exposed: int
    """Checkers in reach, summed over the dice."""
    hunted: list[Hunted]
    """The tallest stacks first; without those that no foe is tall enough for."""


def _threat(victims: list[Stacks], hunters: list[Stacks], board: Lines) -> Threat:
    """What single dice take of the victims."""
    steps, full = board.steps, board.full
    first = [0] * len(steps)
    second = [0] * len(steps)
    where = [0] * len(steps)
    exposed = able = joined = 0
    reach: list[int] = []
    hunted: list[Hunted] = []
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
        elif not reach:
            continue
        hunted.append((height, stacks, reach))
        for die, cells in enumerate(reach):
            hit = stacks & cells
            if hit:
                count = hit.bit_count()
                exposed += count * height
                if not first[die]:
                    first[die] = height
                    where[die] = hit
                    count -= 1
                if count and not second[die]:
                    second[die] = height
    return Threat(first, second, where, exposed, hunted)


def _to_rolls(threat: Threat, free: int, board: Lines) -> tuple[float, float]:
    """The checkers that a roll takes, in the mean over the rolls, and the chance that it takes none.

    ``free`` are the cells without a victim: only over those goes a way to a victim that takes no other.
    """
    first, second, where, _, hunted = threat
    trails = [(height, stacks, reach, board.reach(stacks)) for height, stacks, reach in hunted]
    mean = none = 0.0
    for one, other, odds in board.rolls:
        most = first[one]
        if one == other:
            most += second[one]
        elif most and most == first[other] and where[one] == where[other] and not where[one] & (where[one] - 1):
            most += max(second[one], second[other])
        else:
            most += first[other]
        most = _in_a_row(trails, one, other, free, most)
        mean += odds * most
        if not most:
            none += odds
    return mean, none


def _in_a_row(trails: list[Trail], one: int, other: int, free: int, most: int) -> int:
    """What a single hunter takes with both dice of a roll, or ``most`` if that is more."""
    for at, (height, stacks, reach, back) in enumerate(trails):
        if 2 * height <= most:
            break
        way = reach[one] & back[other] | reach[other] & back[one]
        if height > most and way & free:
            most = height
        taken, also = reach[one] & stacks, reach[other] & stacks
        for less, others, _, near in trails[at:]:
            if height + less <= most:
                break
            if way & others or taken & near[other] or also & near[one]:
                most = height + less
                break
    return most


def features(board: Board, sign: int, size: int) -> list[float]:
    """The numbers of a board on which both sides have checkers, for the side of the sign, which has just moved."""
    board_lines = lines(size)
    own, foe = heights(board, tallest(board), board_lines.bits)
    if sign < 0:
        own, foe = foe, own
    own_cells = own_stacks = own_sum = foe_stacks = foe_sum = own_above = foe_above = 0
    own_tallest, foe_tallest = own[0][0], foe[0][0]
    for height, stacks, count in own:
        own_cells |= stacks
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
    against_own = _threat(own, foe, board_lines)
    against_foe = _threat(foe, own, board_lines)
    loss, gain = sum(against_own.first), sum(against_foe.first)
    roll_loss, roll_none = _to_rolls(against_own, board_lines.full & ~own_cells, board_lines)
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
        sum(against_own.second) / own_faces,
        sum(against_foe.second) / foe_faces,
        against_own.exposed / own_faces,
        against_foe.exposed / foe_faces,
        (against_own.first.count(0) / faces) ** 2,
        (against_foe.first.count(0) / faces) ** 2,
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
        roll_loss / own_sum,
        roll_loss / 4,
        roll_none,
    ]


class Weights(NamedTuple):
    """What makes one sum of the numbers of ``features``: for each sum the weights of all of them."""

    always: tuple[float, ...]
    added: tuple[tuple[float, ...], ...] = ()
    """Sums that are added where they are positive."""
    taken: tuple[tuple[float, ...], ...] = ()
    """Sums that are taken away where they are positive."""


class Learned(NamedTuple):
    """The weights for the two questions."""

    turns: Weights
    boards: Weights


def looks(board: Board, sign: int, size: int, weights: Weights) -> float:
    """The sum for the side of the sign, which has just moved: the logit of its chance; endless once it is over."""
    if min(board) >= 0:
        return inf * sign
    if max(board) <= 0:
        return -inf * sign
    numbers = features(board, sign, size)
    total = sum(map(mul, numbers, weights.always))
    for one in weights.added:
        total += max(0.0, sum(map(mul, numbers, one)))
    for one in weights.taken:
        total -= max(0.0, sum(map(mul, numbers, one)))
    return max(-_SURE, min(_SURE, total))


def chance(total: float) -> float:
    """The chance that a sum stands for."""
    return 1 / (1 + exp(-total))


MOST = chance(_SURE)
"""No unfinished game is worth more, not even one that the foe must end by giving up his last checker."""


def worth(board: Board, sign: int, size: int, weights: Weights) -> float:
    """The chance to win of the side of the sign, which has just moved; exact once one side has no checker."""
    return chance(looks(board, sign, size, weights))


@cache
def learned() -> Learned:
    """The weights that games against itself have made."""
    return read(files("reedlight.players.diablo").joinpath("weights.json").read_text("utf-8"))


def read(text: str) -> Learned:
    """The weights in a file that has by name the weight in every sum, the one that always counts first."""
    table = json.loads(text)
    added: int = table["sums added"]
    turns: Mapping[str, float] = table["turns"]
    boards: Mapping[str, Sequence[float]] = table["boards"]
    always, *others = zip(*(boards[name] for name in NAMES), strict=True)
    return Learned(
        Weights(tuple(turns[name] for name in NAMES)),
        Weights(always, tuple(others[:added]), tuple(others[added:])),
    )
