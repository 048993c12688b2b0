"""Learns the weights of Diablo's computer player from games against itself, and writes them. Needs numpy.

    nice .venv/bin/python tests/bench/diablo_learning.py

With numba on the path its loops are compiled, and it takes some six minutes of processor time; without, days. The
same seed and the same versions of both give the same file.

There are two lessons, one for each question that ``value`` answers.

The first is which turn of a roll is best. How a game ends teaches little of it, for a turn changes less than the dice
do. What a turn is worth shows sooner, in what the foe may answer. So in games of the player against itself the best
turns of a roll are valued again, by the foe's best answer to every roll, and the weights are moved until the numbers
of a board alone come as near to that as they can. With those the next round is played.

    games ──► the best turns of a roll ──every answer──► their chances ──least squares──► weights ──► next round

Turns of one roll are compared with one another and hardly with those of other rolls, and so are they in the fit.
The games stray from the best turn now and then, or they would all be of one kind. After each round the weights are
scaled until they say of a board how often it wins. That leaves the choice of a turn as it is and makes it a chance;
without, each round would be surer of itself than the one before.

The second is how often a board wins, whatever roll led to it. Here the ends of games teach well if they are many. So
thousands are played with the weights of the first lesson, on two sizes of board, for what is learned on one alone is
less true of the other. Sums of the numbers, one that always counts and some that count where they are positive, are
moved against the error of a few boards at a time (Adam) until they say who won as well as they can. A single sum
says it worse, and it shows: looked at by them, the search wins three games more in a hundred.

What the numbers can't tell apart is not learned, and no player of another style is met.

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
from math import exp, log
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from reedlight.games.diablo.rules import landings, starting_board
from reedlight.players.diablo.value import NAMES

COMPILES = __name__ == "__main__" and find_spec("numba") is not None
"""A test is over before its loops would be compiled."""

WEIGHTS = Path(__file__).resolve().parents[2] / "controller/reedlight/players/diablo/weights.json"
DIGITS = 4
"""Digits after the point that are written."""
SEED = 1
SIZE = 6
"""The board of the first lesson."""

ROUNDS, GAMES = 2, 160
"""Rounds, and games in each."""
KEPT = 2
"""Rounds whose lessons are fitted together: the last ones."""
SHARE = 0.6
"""Of the rolls that are lessons."""
BEST, OTHERS = 10, 2
"""Turns of a lesson: the best ones, and some by chance of those that follow."""
FOLLOW = 80
"""Turns, best first, among which the others are."""
STRAYS, FAR = 0.5, 3.0
"""Share of the turns that are not the best one, and how many better ones they pass by, in the mean."""
ALL_ROLLS = 0.3
"""Weight of what tells rolls apart, against what tells the turns of one roll apart."""
RIDGE = 300.0
"""Turns, of a middling spread, that speak against every weight."""
SURE = 0.995
"""No chance is taken for surer, or its logit would be beyond measure."""
SEEN = 5
"""Games that scale the weights, for each game of a round."""
ENDS: Mapping[int, int] = {6: 6000, 8: 800}
"""By size the games whose ends teach how often a board wins. Cells are bits of an integer of 64: eight is the most."""
LAPSES = 0.15
"""Share of the turns in these that are not the best one."""
ADDED, TAKEN = 6, 6
"""Sums that are added where they are positive, and sums that are taken away."""
PASSES, FEW = 16, 256
"""How often every board is met, and how many boards move the sums together."""
RATE = 0.003
"""How far the sums are moved at the beginning; it falls to nothing by the end."""
SLOW, SLOWER = 0.1, 0.001
"""Share of the newest in the error's running mean, and in that of its square."""
APART = 0.3
"""Spread of the sums at the beginning, as they must not begin as one."""
NEWTON = 15
"""Newton's steps of the last fit; it stands still after eight."""
SOLVABLE = 1e-6
"""A ridge that changes nothing and keeps the last fit solvable when all games went one way."""
WON = 1e6
"""How a won game looks: beyond all sums."""

BY_HAND: Mapping[str, float] = {"checkers, difference by 10": 3.0, "own best loss to a roll, by 4": -1.2}
"""The weights to begin with: three checkers make a good lead, and what a roll takes in the mean is lost."""

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
    full: int
    """Every cell, as bits."""
    inside: Cells
    """By die the cells, as bits, from which its distance to the right stays in the row."""
    numbers: Numbers
    stacks: Cells
    """By side and height the cells of the stacks of that height, as bits."""
    worst: Cells
    """By side and die the tallest stack the die takes, the next, and the cells of the tallest, as bits."""
    reached: Cells
    """By height and die the cells where hunters take a stack of it, and those from which the die leads to one."""


def table(size: int) -> Table:
    """The table of a size."""
    faces, cells = size // 2, size * size
    reach = np.full((faces + 1, cells, 4), -1)
    for die, row in landings(size).items():
        for origin, targets in row.items():
            reach[die, origin, : len(targets)] = targets
    every_row = sum(1 << rank * size for rank in range(size))
    inside = np.array([((1 << size) - 1 >> die) * every_row for die in range(faces + 1)], np.uint64).astype(np.int64)
    full = (1 << cells) - 1 if cells < 64 else -1
    worst, reached = np.zeros((2, faces + 1, 3), int), np.zeros((cells + 1, faces + 1, 2), int)
    return Table(size, reach, full, inside, np.zeros(len(NAMES)), np.zeros((2, cells + 1), int), worst, reached)


# ---------------------------------------------------------------------------------------- what a board is worth


@fast
def count_of(cells: int) -> int:
    """How many cells these bits are."""
    count = 0
    while cells:
        cells &= cells - 1
        count += 1
    return count


@fast
def around(cells: int, die: int, at: Table) -> int:
    """The cells at exactly the die's distance from any of the cells."""
    inside, across = at.inside[die], die * at.size
    # On eight by eight the last cell is the sign, and a shift to the right would repeat it.
    along, up = cells >> die & (1 << 64 - die) - 1, cells >> across & (1 << 64 - across) - 1
    return ((cells & inside) << die) | (along & inside) | (cells << across & at.full) | up


@fast
def expose(side: int, tallest: int, hunter: int, at: Table) -> int:
    """Writes what single dice take of a side, its tallest stack and the foe's given; the checkers in reach, over dice.

    Of the heights that no hunter is tall enough for nothing is written.
    """
    victims, hunters, worst = at.stacks[side], at.stacks[1 - side], at.worst[side]
    worst[:] = 0
    exposed = able = 0
    for height in range(max(tallest, hunter), 0, -1):
        if height <= hunter:
            able |= hunters[height]
        if height > tallest or victims[height] == 0 or able == 0:
            continue
        for die in range(1, len(worst)):
            reach = around(able, die, at)
            at.reached[height, die, 0] = reach
            hit = victims[height] & reach
            if hit:
                count = count_of(hit)
                exposed += count * height
                if worst[die, 0] == 0:
                    worst[die, 0] = height
                    worst[die, 2] = hit
                    count -= 1
                if count > 0 and worst[die, 1] == 0:
                    worst[die, 1] = height
    return exposed


@fast
def in_a_row(tallest: int, one: int, other: int, free: int, most: int, at: Table) -> int:
    """What a single hunter takes of the own side with both dice of a roll, or the most so far if that is more."""
    stacks, reached = at.stacks[0], at.reached
    for height in range(tallest, 0, -1):
        if 2 * height <= most:
            break
        if stacks[height] == 0:
            continue
        way = (reached[height, one, 0] & reached[height, other, 1]) | (
            reached[height, other, 0] & reached[height, one, 1]
        )
        if height > most and way & free:
            most = height
        taken, also = reached[height, one, 0] & stacks[height], reached[height, other, 0] & stacks[height]
        for less in range(height, 0, -1):
            if height + less <= most:
                break
            if stacks[less] and (way & stacks[less] or taken & reached[less, other, 1] or also & reached[less, one, 1]):
                most = height + less
                break
    return most


@fast
def to_rolls(tallest: int, hunter: int, at: Table) -> tuple[float, float]:
    """What a roll takes of the own side in the mean, after ``expose``, and the chance that it takes nothing."""
    worst, reached, stacks = at.worst[0], at.reached, at.stacks[0]
    faces = len(worst) - 1
    tallest = min(tallest, hunter)
    free = -1
    for height in range(tallest, 0, -1):
        free &= ~stacks[height]
        for die in range(1, faces + 1):
            reached[height, die, 1] = around(stacks[height], die, at)
    mean = none = 0.0
    for one in range(1, faces + 1):
        for other in range(one, faces + 1):
            odds = (1.0 if one == other else 2.0) / (faces * faces)
            most = worst[one, 0]
            if one == other:
                most += worst[one, 1]
            elif (
                most
                and worst[one, 0] == worst[other, 0]
                and worst[one, 2] == worst[other, 2]
                and (count_of(worst[one, 2]) == 1)
            ):
                most += max(worst[one, 1], worst[other, 1])
            else:
                most += worst[other, 0]
            most = in_a_row(tallest, one, other, free, most, at)
            mean += odds * most
            if most == 0:
                none += odds
    return mean, none


@fast
def numbers_of(board: Cells, sign: int, at: Table) -> bool:
    """Writes the numbers of ``value.features`` into the table; False, and none written, once a side has no checker."""
    numbers, stacks = at.numbers, at.stacks
    own = foe = own_stacks = foe_stacks = own_tallest = foe_tallest = own_above = foe_above = 0
    for signed in board:
        height = signed * sign
        if height > 0:
            own += height
            own_stacks += 1
            own_tallest = max(own_tallest, height)
        elif height < 0:
            foe -= height
            foe_stacks += 1
            foe_tallest = max(foe_tallest, -height)
    if own == 0 or foe == 0:
        return False
    stacks[0, : own_tallest + 1] = 0
    stacks[1, : foe_tallest + 1] = 0
    for cell in range(len(board)):
        height = board[cell] * sign
        if height > 0:
            stacks[0, height] |= np.int64(1) << cell
            own_above += height if height > foe_tallest else 0
        elif height < 0:
            stacks[1, -height] |= np.int64(1) << cell
            foe_above -= height if -height > own_tallest else 0
    faces = len(at.worst[0]) - 1
    gained = expose(1, foe_tallest, own_tallest, at)
    lost = expose(0, own_tallest, foe_tallest, at)
    mean, none = to_rolls(own_tallest, foe_tallest, at)
    loss, gain = at.worst[0, :, 0].sum(), at.worst[1, :, 0].sum()
    filled = (own + foe) / len(board)
    taller = (own_tallest - foe_tallest) / (own_tallest + foe_tallest)
    numbers[0] = 1.0
    numbers[1] = log(own / foe)
    numbers[2] = (own - foe) / (own + foe)
    numbers[3] = (own - foe) / 10
    numbers[4] = loss / (own * faces)
    numbers[5] = gain / (foe * faces)
    numbers[6] = loss / (4 * faces)
    numbers[7] = gain / (4 * faces)
    numbers[8] = at.worst[0, :, 1].sum() / (own * faces)
    numbers[9] = at.worst[1, :, 1].sum() / (foe * faces)
    numbers[10] = lost / (own * faces)
    numbers[11] = gained / (foe * faces)
    numbers[12] = ((at.worst[0, 1:, 0] == 0).sum() / faces) ** 2
    numbers[13] = ((at.worst[1, 1:, 0] == 0).sum() / faces) ** 2
    numbers[14] = own_stacks / (own_stacks + foe_stacks) - 0.5
    numbers[15] = count_of(stacks[0, 1]) / own_stacks
    numbers[16] = count_of(stacks[1, 1]) / foe_stacks
    numbers[17] = own_above / own
    numbers[18] = foe_above / foe
    numbers[19] = own_tallest / own
    numbers[20] = foe_tallest / foe
    numbers[21] = taller
    numbers[22] = 1 / own_stacks
    numbers[23] = 1 / foe_stacks
    numbers[24] = numbers[1] * filled
    numbers[25] = numbers[4] * filled
    numbers[26] = numbers[5] * filled
    numbers[27] = taller * filled
    numbers[28] = mean / own
    numbers[29] = mean / 4
    numbers[30] = none
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
def is_over(board: Cells) -> bool:
    """Whether a side has no checker."""
    return board.min() >= 0 or board.max() <= 0


@fast
def keep(board: Cells, sign: int, weights: Numbers, at: Table, count: int, found: Numbers, boards: Cells) -> int:
    """Writes a board and how it looks after so many others, or where there is room for one over a worse; how many."""
    value = looks(board, sign, weights, at)
    if len(found) > 1:
        found[count] = value
        boards[count] = board
        return count + 1
    if count == 0 or value > found[0]:
        found[0] = value
        boards[0] = board
    return 1


@fast
def keep_removals(
    board: Cells, sign: int, weights: Numbers, at: Table, count: int, found: Numbers, boards: Cells
) -> int:
    """The same for every board after one removal."""
    for cell in range(len(board)):
        if board[cell] * sign > 0:
            board[cell] -= sign
            count = keep(board, sign, weights, at, count, found, boards)
            board[cell] += sign
    return count


@fast
def turns_of(
    board: Cells, sign: int, low: int, high: int, weights: Numbers, at: Table, found: Numbers, boards: Cells
) -> int:
    """Writes the boards that the turns lead to, some more than once, and how they look; or the best one, by the room.

    At the start a turn is one action long.
    """
    opening = sign > 0 and np.abs(board).min() == 1 and np.abs(board).max() == 1
    firsts, seconds = np.zeros((4 * len(board), 2), np.int64), np.zeros((4 * len(board), 2), np.int64)
    begun = False
    count = 0
    for order in range(1 if low == high else 2):
        one, other = (low, high) if order == 0 else (high, low)
        for first in range(moves_of(board, sign, one, False, at, firsts)):
            begun = True
            origin, target = firsts[first]
            here, there = board[origin], board[target]
            go(board, origin, target)
            if opening or is_over(board):
                count = keep(board, sign, weights, at, count, found, boards)
            else:
                follow = moves_of(board, sign, other, there == 0, at, seconds)
                if follow == 0:
                    count = keep_removals(board, sign, weights, at, count, found, boards)
                for second in range(follow):
                    start, end = seconds[second]
                    apart = start != origin and start != target and end != origin and end != target
                    if apart and (order == 1 or (low == high and start < origin)):
                        continue
                    from_here, from_there = board[start], board[end]
                    go(board, start, end)
                    count = keep(board, sign, weights, at, count, found, boards)
                    board[start], board[end] = from_here, from_there
            board[origin], board[target] = here, there
    if not begun:
        for cell in range(len(board)):
            if board[cell] * sign > 0:
                board[cell] -= sign
                if is_over(board):
                    count = keep(board, sign, weights, at, count, found, boards)
                else:
                    count = keep_removals(board, sign, weights, at, count, found, boards)
                board[cell] += sign
    return count


@fast
def ranked(count: int, found: Numbers, boards: Cells) -> Cells:
    """Where the boards are, the best looking first and each once."""
    order = np.argsort(-found[:count])
    kept = 0
    for which in order:
        known = False
        before = kept - 1
        while before >= 0 and found[order[before]] == found[which] and not known:
            known = bool((boards[order[before]] == boards[which]).all())
            before -= 1
        if not known:
            order[kept] = which
            kept += 1
    return order[:kept]


# ------------------------------------------------------------------------------------------------- games


@fast
def game(weights: Numbers, dice: Cells, passed: Cells, at: Table, start: Cells, boards: Cells) -> int:
    """Plays a game, Black's turns being the even ones; writes the board after each turn and gives how many.

    A turn passes by so many better ones.
    """
    board, best = start.copy(), np.zeros(1)
    room = 2 * (2 * len(start)) ** 2 if passed.any() else 1
    found, others = np.zeros(room), np.zeros((room, len(start)), np.int64)
    for turn in range(len(dice)):
        sign = 1 if turn % 2 == 0 else -1
        low, high = dice[turn]
        if passed[turn]:
            order = ranked(turns_of(board, sign, low, high, weights, at, found, others), found, others)
            boards[turn] = others[order[min(passed[turn], len(order) - 1)]]
        else:
            turns_of(board, sign, low, high, weights, at, best, boards[turn : turn + 1])
        board[:] = boards[turn]
        if is_over(board):
            return turn + 1
    return len(dice)


@fast
def answered(board: Cells, sign: int, weights: Numbers, at: Table) -> float:
    """The chance of the side of the sign, which has just moved: one less the foe's best chance, over every roll."""
    if is_over(board):
        return 1.0 if looks(board, sign, weights, at) > 0 else 0.0
    faces = at.size // 2
    found, boards = np.zeros(1), np.zeros((1, len(board)), np.int64)
    value = 0.0
    for low in range(1, faces + 1):
        for high in range(low, faces + 1):
            turns_of(board, -sign, low, high, weights, at, found, boards)
            odds = (1.0 if low == high else 2.0) / (faces * faces)
            value += odds / (1 + exp(max(-30.0, min(30.0, found[0]))))
    return value


@fast
def lessons(
    weights: Numbers, dice: Cells, whims: Numbers, at: Table, start: Cells, rows: Numbers, told: Numbers
) -> int:
    """Plays a game that strays, and writes the numbers of boards with the turn and the chance by answers; how many."""
    board = start.copy()
    room = 2 * (2 * len(start)) ** 2
    found, boards = np.zeros(room), np.zeros((room, len(start)), np.int64)
    written = 0
    for turn in range(len(dice)):
        sign = 1 if turn % 2 == 0 else -1
        count = turns_of(board, sign, dice[turn, 0], dice[turn, 1], weights, at, found, boards)
        order = ranked(count, found, boards)
        if turn > 0 and whims[turn, 0] < SHARE:
            least = min(BEST, len(order))
            others = min(FOLLOW, len(order)) - least
            for which in range(least + (OTHERS if others > 0 else 0)):
                place = which if which < least else least + int(whims[turn, 3 + which - least] * others)
                one = boards[order[place]]
                if not is_over(one):
                    told[written, 0] = turn
                    told[written, 1] = answered(one, sign, weights, at)
                    numbers_of(one, sign, at)
                    rows[written] = at.numbers
                    written += 1
        far = int(-FAR * log(1 - whims[turn, 2])) if whims[turn, 1] < STRAYS else 0
        board[:] = boards[order[min(far, len(order) - 1)]]
        if is_over(board):
            break
    return written


# ------------------------------------------------------------------------------------------------ learning


def rolled(games: int, size: int, chance: np.random.Generator) -> Cells:
    """Dice for so many games, the lower of each roll first; no game has more turns than twice its cells."""
    return np.sort(chance.integers(1, size // 2 + 1, (games, 2 * size * size, 2)), axis=2)


class Lessons(NamedTuple):
    """Boards after turns, with what the foe's answers say of them."""

    rows: Numbers
    """Their numbers."""
    rolls: Cells
    """Which roll they belong to."""
    chances: Numbers


def taught(weights: Numbers, games: int, at: Table, chance: np.random.Generator) -> Lessons:
    """The lessons of so many games."""
    start = np.array(starting_board(at.size))
    turns = 2 * at.size**2
    rows, told = np.zeros((turns * (BEST + OTHERS), len(NAMES))), np.zeros((turns * (BEST + OTHERS), 2))
    found, heard = list[Numbers](), list[Numbers]()
    for number, dice in enumerate(rolled(games, at.size, chance)):
        count = lessons(weights, dice, chance.random((turns, 3 + OTHERS)), at, start, rows, told)
        found.append(rows[:count].copy())
        heard.append(told[:count] + np.array([number * turns, 0.0]))
    every = np.concatenate(heard)
    return Lessons(np.concatenate(found), every[:, 0].astype(int), every[:, 1])


def nearest(given: list[Lessons]) -> Numbers:
    """The weights whose chances come nearest to those of the lessons, above all within a roll (least squares)."""
    columns, wished = list[Numbers](), list[Numbers]()
    for rows, rolls, chances in given:
        chance = np.clip(chances, 1 - SURE, SURE)
        # A logit's error counts by what it does to the chance.
        slope = chance * (1 - chance)
        values = np.column_stack([rows, np.log(chance / (1 - chance))])
        means = of_roll(values, slope**2, rolls)
        both = np.concatenate([(values - means) * slope[:, None], ALL_ROLLS * means * slope[:, None]])
        columns.append(both[:, :-1])
        wished.append(both[:, -1])
    column, wish = np.concatenate(columns), np.concatenate(wished)
    spread = np.sqrt((column**2).mean(axis=0)) + 1e-9
    column /= spread
    bend = column.T @ column + RIDGE * np.eye(len(spread))
    return np.asarray(np.linalg.solve(bend, column.T @ wish), float) / spread


def of_roll(values: Numbers, shares: Numbers, rolls: Cells) -> Numbers:
    """For each row the mean over the rows of its roll, each by its share."""
    _, which = np.unique(rolls, return_inverse=True)
    total = np.bincount(which, shares)
    means = np.zeros(values.shape)
    for number, column in enumerate(values.T):
        means[:, number] = (np.bincount(which, shares * column) / total)[which]
    return means


def learn(rounds: int, games: int, at: Table, chance: np.random.Generator) -> Numbers:
    """The weights after so many rounds of so many games."""
    weights = by_hand()
    given = list[Lessons]()
    for number in range(rounds):
        given = [*given, taught(weights, games, at, chance)][-KEPT:]
        weights = nearest(given)
        weights = fitted(weights, *seen(weights, SEEN * games, 0.0, at, chance))
        print(f"{number + 1}/{rounds}", file=sys.stderr, flush=True)  # noqa: T201  # a command
    return weights


def seen(
    weights: Numbers, games: int, lapses: float, at: Table, chance: np.random.Generator
) -> tuple[Numbers, Numbers]:
    """The numbers of every board of so many games, and whether the side that had moved won.

    That share of the turns are not the best one.
    """
    start = np.array(starting_board(at.size))
    boards = np.zeros((2 * at.size**2, len(start)), np.int64)
    rows, won = list[Numbers](), list[bool]()
    for dice in rolled(games, at.size, chance):
        passed = strayed(len(dice), lapses, chance) if lapses else np.zeros(len(dice), np.int64)
        turns = game(weights, dice, passed, at, start, boards)
        winner = 1 if boards[turns - 1].max() > 0 else -1
        for turn in range(turns - 1):
            sign = 1 if turn % 2 == 0 else -1
            numbers_of(boards[turn], sign, at)
            rows.append(at.numbers.copy())
            won.append(sign == winner)
    return np.array(rows), np.array(won, float)


def ended(weights: Numbers, games: Mapping[int, int], chance: np.random.Generator) -> Numbers:
    """The weights of the sums, from so many games of each size."""
    lessons_of = [seen(weights, number, LAPSES, table(size), chance) for size, number in games.items()]
    rows, won = (np.concatenate(both) for both in zip(*lessons_of, strict=True))
    return summed(rows, won, PASSES, chance)


def strayed(turns: int, lapses: float, chance: np.random.Generator) -> Cells:
    """How many better turns each of so many passes by: mostly none."""
    far = 1 + (-FAR * np.log(1 - chance.random(turns))).astype(np.int64)
    return np.where(chance.random(turns) < lapses, far, 0)


def fitted(weights: Numbers, rows: Numbers, won: Numbers) -> Numbers:
    """The weights, all multiplied by one number and "always" moved: the likeliest of those (logistic regression)."""
    columns = np.array([rows @ weights, np.ones(len(rows))]).T
    scale = np.zeros(2)
    for _ in range(NEWTON):
        said = 1 / (1 + np.exp(-(columns @ scale)))
        bend = (columns * (said * (1 - said))[:, None]).T @ columns + SOLVABLE * np.eye(2)
        scale = scale + np.linalg.solve(bend, columns.T @ (won - said) - SOLVABLE * scale)
    result = weights * scale[0]
    result[0] += scale[1]
    return result


def summed(rows: Numbers, won: Numbers, passes: int, chance: np.random.Generator) -> Numbers:
    """The weights of the sums that say who won: in the columns the sum that always counts, ``ADDED``, and ``TAKEN``."""
    spread = np.sqrt((rows**2).mean(axis=0)) + 1e-9
    values = rows / spread
    signs = np.repeat([1.0, -1.0], [ADDED, TAKEN])
    weights = np.zeros((len(spread), 1 + len(signs)))
    weights[:, 1:] = chance.standard_normal((len(spread), len(signs))) * APART / np.sqrt(len(spread))
    error, square = np.zeros(weights.shape), np.zeros(weights.shape)
    steps = passes * (len(values) // FEW)
    order = np.zeros(0, np.int64)
    for step in range(1, steps + 1):
        if len(order) < FEW:
            order = chance.permutation(len(values))
        few, order = order[:FEW], order[FEW:]
        column = values[few]
        sums = column @ weights
        counts = sums[:, 1:] > 0
        said = 1 / (1 + np.exp(-sums[:, 0] - (sums[:, 1:] * counts) @ signs))
        wrong = (said - won[few])[:, None]
        slope = column.T @ np.concatenate([wrong, wrong * counts * signs], axis=1) / FEW
        error += SLOW * (slope - error)
        square += SLOWER * (slope**2 - square)
        # Both means begin at nothing; divided by what they have seen so far, they are means.
        mean, spreads = error / (1 - (1 - SLOW) ** step), square / (1 - (1 - SLOWER) ** step)
        weights -= RATE * (1 - step / steps) * mean / (np.sqrt(spreads) + 1e-8)
    return weights / spread[:, None]


def written(turns: Numbers, boards: Numbers) -> str:
    """The weights as the file that ``value`` reads."""
    every = {name: [round(float(one), DIGITS) for one in row] for name, row in zip(NAMES, boards, strict=True)}
    chosen = {name: round(float(weight), DIGITS) for name, weight in zip(NAMES, turns, strict=True)}
    return f'{{\n"sums added": {ADDED},\n"turns": {_lines(chosen)},\n"boards": {_lines(every)}\n}}\n'


def _lines(table: Mapping[str, object]) -> str:
    """A table in JSON, an entry a line."""
    return "{\n" + ",\n".join(f" {json.dumps(name)}: {json.dumps(entry)}" for name, entry in table.items()) + "\n}"


def main() -> None:
    """Learn, and write the weights."""
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--to", type=Path, default=WEIGHTS)
    given = parser.parse_args()
    turns = learn(given.rounds, given.games, table(SIZE), np.random.default_rng(given.seed))
    boards = ended(np.round(turns, DIGITS), ENDS, np.random.default_rng([given.seed, 2]))
    given.to.write_text(written(turns, boards), encoding="utf-8")


if __name__ == "__main__":
    main()
