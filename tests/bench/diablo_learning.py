"""Learns the weights of Diablo's computer player from games against itself, and writes them. Needs numpy.

    nice .venv/bin/python tests/bench/diablo_learning.py

With numba on the path its loops are compiled, and it takes some five minutes of processor time; without, days. The
same seed and the same versions of both give the same file.

What single boards came to teaches little here: such values are right in the mean and still do not tell one turn from
the next, for a turn changes less than the dice do. So not boards are judged but weights. In every pair of games one
side plays with the weights so far and some noise added, the other with the same noise taken away; then they change
colours and keep the dice. Which noise wins more often says which way to go, for all weights at once. Both look one
turn ahead.

    noise of a pair × its result, mean over a round ──► step ──► next round      last third of rounds ──► mean

It begins with the weights by which the results of single boards are likeliest, held near a few set by hand. At the
end the weights are scaled until they say of a board how often it wins: that leaves the choice of a turn as it is,
and makes it a chance.

The loops know the rules and the numbers of a board a second time, on arrays of numbers, as compiled code must; the
tests hold them to ``turns`` and ``value``.
"""

# What a compiler runs quickly is flat: bare numbers handed on, one long loop, comparisons without sets.
# ruff: noqa: C901, FBT001, FBT003, PLR0915, PLR0917, PLR1714

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from math import log
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from reedlight.games.diablo.rules import landings, starting_board
from reedlight.players.diablo.value import NAMES

COMPILES = __name__ == "__main__" and find_spec("numba") is not None
"""A test is over before its loops would be compiled."""

WEIGHTS = Path(__file__).resolve().parents[2] / "controller/reedlight/players/diablo/weights.json"
SEED = 1
SIZE = 6

ROUNDS, PAIRS = 12, 900
"""Rounds, and pairs of games in each."""
NOISE = 0.12
"""Standard deviation of the noise on a weight, in units of what moves a board's logit by one as usual."""
STEP = 20.0, 4.0
"""How many such units of noise a weight goes for each unit of the mean of noise times result: first round, last."""
LEAST = 0.02
"""The least spread a number is taken to have, lest a rare one be moved wildly."""
NEWTON = 15
"""Newton's steps of that fit; it stands still after eight."""
SOLVABLE = 1e-6
"""A ridge that changes nothing and keeps the last fit solvable when all games went one way."""
WON = 1e6
"""How a won game looks: beyond all sums."""

BY_HAND: Mapping[str, float] = {"checkers, difference by 10": 3.0, "own best loss to a die, by 4": -2.4}
"""The weights to begin with: three checkers make a good lead, and what a roll takes in the mean is lost."""
DOUBT = 4 * NOISE
"""Standard deviation of the noise on every weight in the games of the first fit, so that they differ."""
RIDGE = 30.0
"""Boards that speak against every weight but those set by hand, in the first fit."""

Cells = NDArray[np.int64]
Numbers = NDArray[np.float64]
F = TypeVar("F", bound=Callable[..., object])


def by_hand() -> Numbers:
    """The weights to begin with."""
    return np.array([BY_HAND.get(name, 0.0) for name in NAMES])


def fast(function: F) -> F:
    """The function compiled where there is a compiler."""
    if not COMPILES:
        return function
    return import_module("numba").njit(function)


class Table(NamedTuple):
    """A board's size in the forms the loops want, and room for what they count."""

    size: int
    reach: Cells
    """By die, cell and way the cell at the die's distance; -1 after the last."""
    numbers: Numbers
    worst: Cells
    """By side and die the tallest stack the die takes, and the next."""
    counts: Cells


def table(size: int) -> Table:
    """The table of a size."""
    reach = np.full((size // 2 + 1, size * size, 4), -1)
    for die, row in landings(size).items():
        for origin, targets in row.items():
            reach[die, origin, : len(targets)] = targets
    return Table(size, reach, np.zeros(len(NAMES)), np.zeros((2, size // 2 + 1, 2), int), np.zeros((2, 6), int))


# ---------------------------------------------------------------------------------------- what a board is worth


@fast
def numbers_of(board: Cells, sign: int, at: Table) -> bool:
    """Writes the numbers of ``value.features`` into the table; False, and none written, once a side has no checker."""
    numbers, worst, counts = at.numbers, at.worst, at.counts
    counts[:] = 0
    worst[:] = 0
    for signed in board:
        side, height = 0 if signed * sign > 0 else 1, abs(signed)
        if height > 0:
            counts[side, 0] += 1
            counts[side, 1] += height
            counts[side, 2] = max(counts[side, 2], height)
            counts[side, 3] += height == 1
    if counts[0, 0] == 0 or counts[1, 0] == 0:
        return False
    faces = len(worst[0]) - 1
    for cell in range(len(board)):
        height = abs(board[cell])
        if height == 0:
            continue
        side = 0 if board[cell] * sign > 0 else 1
        counts[side, 4] += height if height > counts[1 - side, 2] else 0
        for die in range(1, faces + 1):
            for way in range(4):
                hunter = at.reach[die, cell, way]
                if hunter < 0:
                    break
                if board[hunter] * board[cell] < 0 and abs(board[hunter]) >= height:
                    counts[side, 5] += height
                    if height > worst[side, die, 0]:
                        worst[side, die, 1] = worst[side, die, 0]
                        worst[side, die, 0] = height
                    elif height > worst[side, die, 1]:
                        worst[side, die, 1] = height
                    break
    own, foe = counts[0, 1], counts[1, 1]
    own_stacks, foe_stacks = counts[0, 0], counts[1, 0]
    loss, gain = worst[0, :, 0].sum(), worst[1, :, 0].sum()
    filled = (own + foe) / len(board)
    taller = (counts[0, 2] - counts[1, 2]) / (counts[0, 2] + counts[1, 2])
    numbers[0] = 1.0
    numbers[1] = log(own / foe)
    numbers[2] = (own - foe) / (own + foe)
    numbers[3] = (own - foe) / 10
    numbers[4] = loss / (own * faces)
    numbers[5] = gain / (foe * faces)
    numbers[6] = loss / (4 * faces)
    numbers[7] = gain / (4 * faces)
    numbers[8] = worst[0, :, 1].sum() / (own * faces)
    numbers[9] = worst[1, :, 1].sum() / (foe * faces)
    numbers[10] = counts[0, 5] / (own * faces)
    numbers[11] = counts[1, 5] / (foe * faces)
    numbers[12] = ((worst[0, 1:, 0] == 0).sum() / faces) ** 2
    numbers[13] = ((worst[1, 1:, 0] == 0).sum() / faces) ** 2
    numbers[14] = own_stacks / (own_stacks + foe_stacks) - 0.5
    numbers[15] = counts[0, 3] / own_stacks
    numbers[16] = counts[1, 3] / foe_stacks
    numbers[17] = counts[0, 4] / own
    numbers[18] = counts[1, 4] / foe
    numbers[19] = counts[0, 2] / own
    numbers[20] = counts[1, 2] / foe
    numbers[21] = taller
    numbers[22] = 1 / own_stacks
    numbers[23] = 1 / foe_stacks
    numbers[24] = numbers[1] * filled
    numbers[25] = numbers[4] * filled
    numbers[26] = numbers[5] * filled
    numbers[27] = taller * filled
    return True


@fast
def looks(board: Cells, sign: int, weights: Numbers, at: Table) -> float:
    """The weighted sum of a board's numbers for the side of the sign; beyond all sums once the game is over."""
    if not numbers_of(board, sign, at):
        return WON if (board.max() > 0) == (sign > 0) else -WON
    total = 0.0
    for which in range(len(weights)):
        total += weights[which] * at.numbers[which]
    return total


# --------------------------------------------------------------------------------------------------- turns


@fast
def moves_of(board: Cells, sign: int, die: int, onto: bool, at: Table, found: Cells) -> int:
    """Writes origin and target of every move with a die, only those onto a stack if so wished; how many there are."""
    count = 0
    for origin in range(len(board)):
        height = board[origin] * sign
        if height <= 0:
            continue
        for way in range(4):
            target = at.reach[die, origin, way]
            if target < 0:
                break
            there = board[target] * sign
            if there < -height or (onto and there == 0):
                continue
            found[count, 0] = origin
            found[count, 1] = target
            count += 1
    return count


@fast
def go(board: Cells, origin: int, target: int) -> None:
    """The move on the board itself: a merge adds the heights, anything else is a stack on the target."""
    board[target] = board[origin] + (board[target] if board[target] * board[origin] > 0 else 0)
    board[origin] = 0


@fast
def keep(board: Cells, sign: int, weights: Numbers, at: Table, best: float, out: Cells) -> float:
    """The better of the best so far and the board, which is written out if it is the one."""
    value = looks(board, sign, weights, at)
    if value > best:
        out[:] = board
        return value
    return best


@fast
def keep_removals(board: Cells, sign: int, weights: Numbers, at: Table, best: float, out: Cells) -> float:
    """The same for every board after one removal."""
    for cell in range(len(board)):
        if board[cell] * sign > 0:
            board[cell] -= sign
            best = keep(board, sign, weights, at, best, out)
            board[cell] += sign
    return best


@fast
def best_turn(board: Cells, sign: int, low: int, high: int, weights: Numbers, at: Table, out: Cells) -> float:
    """Writes the board after the turn that looks best, one action long at the start; gives how it looks."""
    opening = sign > 0 and np.abs(board).min() == 1 and np.abs(board).max() == 1
    best = -2 * WON
    firsts, seconds = np.zeros((4 * len(board), 2), np.int64), np.zeros((4 * len(board), 2), np.int64)
    begun = False
    for order in range(1 if low == high else 2):
        one, other = (low, high) if order == 0 else (high, low)
        for first in range(moves_of(board, sign, one, False, at, firsts)):
            begun = True
            origin, target = firsts[first]
            here, there = board[origin], board[target]
            go(board, origin, target)
            if opening or board.min() >= 0 or board.max() <= 0:
                best = keep(board, sign, weights, at, best, out)
            else:
                count = moves_of(board, sign, other, there == 0, at, seconds)
                if count == 0:
                    best = keep_removals(board, sign, weights, at, best, out)
                for second in range(count):
                    start, end = seconds[second]
                    apart = start != origin and start != target and end != origin and end != target
                    if apart and (order == 1 or (low == high and start < origin)):
                        continue
                    from_here, from_there = board[start], board[end]
                    go(board, start, end)
                    best = keep(board, sign, weights, at, best, out)
                    board[start], board[end] = from_here, from_there
            board[origin], board[target] = here, there
    if not begun:
        for cell in range(len(board)):
            if board[cell] * sign > 0:
                board[cell] -= sign
                if board.min() >= 0 or board.max() <= 0:
                    best = keep(board, sign, weights, at, best, out)
                else:
                    best = keep_removals(board, sign, weights, at, best, out)
                board[cell] += sign
    return best


@fast
def game(black: Numbers, green: Numbers, dice: Cells, at: Table, start: Cells, boards: Cells) -> int:
    """Plays a game, Black's turns being the even ones; writes the board after each turn and gives how many."""
    board = start.copy()
    for turn in range(len(dice)):
        low, high = dice[turn]
        if turn % 2 == 0:
            best_turn(board, 1, low, high, black, at, boards[turn])
        else:
            best_turn(board, -1, low, high, green, at, boards[turn])
        board[:] = boards[turn]
        if board.min() >= 0 or board.max() <= 0:
            return turn + 1
    return len(dice)


@fast
def pairs(first: Numbers, second: Numbers, dice: Cells, at: Table, start: Cells) -> Numbers:
    """For each pair of games what the first weights came to: 1 for two wins, 0 for one, -1 for none."""
    results = np.zeros(len(dice))
    boards = np.zeros((dice.shape[1], len(start)), np.int64)
    for pair in range(len(dice)):
        turns = game(first[pair], second[pair], dice[pair], at, start, boards)
        results[pair] += 0.5 if boards[turns - 1].max() > 0 else -0.5
        turns = game(second[pair], first[pair], dice[pair], at, start, boards)
        results[pair] += 0.5 if boards[turns - 1].max() <= 0 else -0.5
    return results


# ------------------------------------------------------------------------------------------------ learning


def rolled(games: int, size: int, chance: np.random.Generator) -> Cells:
    """Dice for so many games, the lower of each roll first; no game has more turns than twice its cells."""
    return np.sort(chance.integers(1, size // 2 + 1, (games, 2 * size * size, 2)), axis=2)


def learn(rounds: int, count: int, at: Table, chance: np.random.Generator) -> Numbers:
    """The weights after so many rounds of so many pairs of games."""
    start = np.array(starting_board(at.size))
    usual = np.array([0.0, *[1.0] * (len(NAMES) - 1)])
    weights = by_hand()
    rows, won = seen(weights + DOUBT * usual * chance.standard_normal((2 * count, len(weights))), at, chance)
    usual[1:] /= np.maximum(LEAST, rows.std(axis=0))[1:]
    weights = likeliest(rows, won, weights, RIDGE)
    found: list[Numbers] = []
    for number in range(rounds):
        noise = chance.standard_normal((count, len(weights)))
        tried = NOISE * usual * noise
        results = pairs(weights + tried, weights - tried, rolled(count, at.size, chance), at, start)
        pace = STEP[0] + (STEP[1] - STEP[0]) * number / rounds
        weights = weights + pace * NOISE * usual * (noise * results[:, None]).mean(axis=0)
        found.append(weights)
        print(f"{number + 1}/{rounds}", file=sys.stderr, flush=True)  # noqa: T201  # a command
    weights = np.mean(found[2 * rounds // 3 :], axis=0)
    return fitted(weights, *seen(np.tile(weights, (2 * count, 1)), at, chance))


def seen(players: Numbers, at: Table, chance: np.random.Generator) -> tuple[Numbers, Numbers]:
    """The numbers of every board of a game of each player against itself, and whether the side that had moved won."""
    start = np.array(starting_board(at.size))
    boards = np.zeros((2 * at.size**2, len(start)), np.int64)
    rows, won = list[Numbers](), list[bool]()
    for weights, dice in zip(players, rolled(len(players), at.size, chance), strict=True):
        turns = game(weights, weights, dice, at, start, boards)
        winner = 1 if boards[turns - 1].max() > 0 else -1
        for turn in range(turns - 1):
            sign = 1 if turn % 2 == 0 else -1
            numbers_of(boards[turn], sign, at)
            rows.append(at.numbers.copy())
            won.append(sign == winner)
    return np.array(rows), np.array(won, float)


def likeliest(rows: Numbers, won: Numbers, near: Numbers, ridge: float) -> Numbers:
    """The weights by which results are likeliest (logistic regression), held near the given ones."""
    spread = np.sqrt((rows**2).mean(axis=0)) + 1e-9
    columns, centre = rows / spread, near * spread
    found = centre
    for _ in range(NEWTON):
        said = 1 / (1 + np.exp(-(columns @ found)))
        bend = (columns * (said * (1 - said))[:, None]).T @ columns + ridge * np.eye(len(near))
        found = found + np.linalg.solve(bend, columns.T @ (won - said) - ridge * (found - centre))
    return found / spread


def fitted(weights: Numbers, rows: Numbers, won: Numbers) -> Numbers:
    """The weights, all multiplied by one number and "always" moved: the likeliest of those."""
    columns = np.array([rows @ weights, np.ones(len(rows))]).T
    scale, turn = likeliest(columns, won, np.zeros(2), SOLVABLE)
    result = weights * scale
    result[0] += turn
    return result


def written(weights: Numbers) -> str:
    """The weights as the file that ``value`` reads."""
    rounded = {name: round(float(weight), 4) for name, weight in zip(NAMES, weights, strict=True)}
    return json.dumps(rounded, indent=1) + "\n"


def main() -> None:
    """Learn, and write the weights."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--to", type=Path, default=WEIGHTS)
    given = parser.parse_args()
    chance = np.random.default_rng(given.seed)
    at = table(SIZE)
    weights = learn(given.rounds, given.pairs, at, chance)
    given.to.write_text(written(weights), encoding="utf-8")


if __name__ == "__main__":
    main()
