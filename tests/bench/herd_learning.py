"""Learns the weights of Herd's computer player from games against itself, and writes them. Needs numpy.

    nice .venv/bin/python tests/bench/herd_learning.py

The same seed and the same numpy on the same kind of machine give the same file.

What single positions came to teaches nothing here: dice decide so much that after thousands of games what a lone
stone costs is still less than its doubt. So not positions are judged but weights. In every game one side plays with the
weights so far and some noise added, the other with the same noise taken away; which noise wins more often says which
way to go, for all weights at once. Both play plain turns, the action that looks best each time.

    noise of a game × its result, mean over a round of games ──► step ──► next round      last third of rounds ──► mean

Thousands of games of a round go on side by side: a row of numbers holds the stones of one side in all games, one
action is one pass over all actions of all games. A number has 64 bits, so no board has more cells.

It begins with weights set by hand: from "more stones are better" alone nobody ever closes a cell, so nobody learns what
closed cells are worth. How much the whole says about the result is fitted afterwards, to games with the weights found.
About six minutes on one core.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reedlight.games.herd.rules import FACES, Board, board_on
from reedlight.games.herd.text import size_and_grid
from reedlight.players.herd.judge import CERTAIN, THINGS, Weights, ways, written

WEIGHTS = Path(__file__).resolve().parents[2] / "controller/reedlight/players/herd/weights.txt"
SEED = 1

SIZES = "4", "5"
"""The boards, by turns: what was learned on the small one alone lost to what was learned on the larger, on both."""
ROUNDS, GAMES = 80, 1500
"""Rounds, and games in each."""
NOISE = 0.6
"""Standard deviation of the noise on a weight, in units of ``USUAL``."""
STEP = 3.0, 0.9
"""How many ``USUAL`` a weight goes for each unit of the mean of noise times result, in the first round and the last."""
FITTED = 2000
"""Games on each board to which it is fitted how much the whole says."""

NEWTON = 15
"""Newton's steps of that fit; it stands still after eight."""

STONE = 0.2, 0.6
"""What a stone is worth on an empty and on a full board to begin with; all else is told in stones."""
BY_HAND: Mapping[str, float] = {
    "stones": 1.0,
    "lone": -0.3,
    "lone touched": -0.15,
    "lone with one open cell": -0.9,
    "lone with two open cells": -0.4,
    "with one friend": -0.05,
    "buried": 0.05,
    "touching": 0.0,
    "cells closed to the other": 0.7,
    "cells one stone from closed": 0.3,
    "cells two stones from closed": 0.1,
    "cells touched alone": 0.05,
}
"""The weights to begin with, in stones."""
USUAL = np.outer((0.3, 0.3, 0.3, 0.5, 0.4, 0.1, 0.1, 0.1, 0.4, 0.3, 0.15, 0.08), (0.3, 0.6))
"""What sizes of weights are usual, early and late: the unit in which they are tried and changed."""

Bits = NDArray[np.uint64]
Numbers = NDArray[np.float64]
Whole = NDArray[np.int64]
Spans = Numbers
"""Weights as the numbers of ``THINGS`` by early and late, and by game as well where games differ in them."""


@dataclass
class Turns:
    """The turns that are under way in many games."""

    own: Bits
    enemy: Bits
    to_remove: Whole
    to_place: Whole


@dataclass(frozen=True)
class Ends:
    """How one turn ended in every game that was still going on."""

    which: Whole
    """The games."""
    ply: int
    own: Bits
    enemy: Bits
    over: NDArray[np.bool_]


class Games:
    """Herd on one board, many games at once."""

    def __init__(self, board: Board) -> None:
        self.full = np.uint64(board.full)
        self._cells = len(board.bits)
        self._bits = np.array(list(board.rings), dtype=np.uint64)
        lane = board.full
        self._ways = [(np.uint64(up & lane), np.uint64(down & lane), np.uint64(by)) for up, down, by in ways(board)]

    def play(self, first: Spans, second: Spans, games: int, chance: np.random.Generator) -> Iterator[Ends]:
        """The ends of the turns of so many games, turn by turn; weights are those of the two players."""
        which, own, enemy = np.arange(games), np.zeros(games, np.uint64), np.zeros(games, np.uint64)
        players, ply = (first, second), 0
        while which.size:
            turns = self._rolled(own, enemy, chance, ply)
            weights = players[ply % 2]
            while self._act(turns, weights[..., which] if weights.ndim > 2 else weights):
                pass
            over = (turns.own | turns.enemy) == self.full
            yield Ends(which, ply, turns.own, turns.enemy, over)
            which, own, enemy, ply = which[~over], turns.enemy[~over], turns.own[~over], ply + 1

    def counts(self, me: Bits, you: Bits) -> tuple[Numbers, Numbers]:
        """What ``Judge.counts`` gives but for the one, and the share of the board that is filled."""
        empty = self.full & ~(me | you)
        my1, my2, _ = self._near(me)
        your1, your2, _ = self._near(you)
        open1, open2, open3 = self._near(empty)
        my_lone, your_lone, one_open, two_open = me & ~my1, you & ~your1, open1 & ~open2, open2 & ~open3
        my_area, your_area = empty & my1 & ~your1, empty & your1 & ~my1
        pairs = (
            (me, you),
            (my_lone, your_lone),
            (my_lone & your1, your_lone & my1),
            (my_lone & one_open, your_lone & one_open),
            (my_lone & two_open, your_lone & two_open),
            (me & my1 & ~my2, you & your1 & ~your2),
            (me & ~(open1 | your1), you & ~(open1 | my1)),
            (me & your1, you & my1),
            (my_area & ~open1, your_area & ~open1),
            (my_area & one_open, your_area & one_open),
            (my_area & two_open, your_area & two_open),
            (my_area, your_area),
        )
        return np.array([_count(mine) - _count(yours) for mine, yours in pairs], float), _count(me | you) / self._cells

    def _rolled(self, own: Bits, enemy: Bits, chance: np.random.Generator, ply: int) -> Turns:
        low, high = np.sort(chance.integers(1, FACES + 1, (2, own.size)), axis=0)
        if ply == 0:
            return Turns(own, enemy, np.zeros(own.size, np.int64), low)
        return Turns(own, enemy, np.minimum(low, _count(enemy)), high)

    def _act(self, turns: Turns, weights: Spans) -> bool:
        """Do in every turn what looks best; whether there was anything to do in any."""
        removing = turns.to_remove > 0
        empty = self.full & ~(turns.own | turns.enemy)
        placeable = np.where(turns.to_place > 0, empty & self._near(self.full & ~turns.enemy)[0], np.uint64(0))
        possible = np.where(removing, turns.enemy, placeable)
        game, at = np.nonzero(possible[:, None] & self._bits[None, :])
        if not game.size:
            return False
        bit, off = self._bits[at], removing[game]
        own = np.where(off, turns.own[game], turns.own[game] | bit)
        enemy = np.where(off, turns.enemy[game] & ~bit, turns.enemy[game])
        taken = np.where(off, np.uint64(0), enemy & ~self._near(self.full & ~own)[0])
        looks = self._looks(own, enemy & ~taken, _count(taken), weights[..., game] if weights.ndim > 2 else weights)
        begins = np.flatnonzero(np.r_[True, game[1:] != game[:-1]])
        highest = np.repeat(np.maximum.reduceat(looks, begins), np.diff(np.r_[begins, game.size]))
        best = np.flatnonzero(looks == highest)
        best = best[np.r_[True, game[best][1:] != game[best][:-1]]]
        who, off = game[best], off[best]
        turns.own[who], turns.enemy[who] = own[best], (enemy & ~taken)[best]
        turns.to_remove[who] -= off
        turns.to_place[who] += np.where(off, 0, _count(taken[best]) - 1)
        return True

    def _looks(self, own: Bits, enemy: Bits, gained: Whole, weights: Spans) -> Numbers:
        """How positions look to ``own``; a stone that was taken and gives another counts as that one too."""
        counts, filled = self.counts(own, enemy)
        decided = filled == 1
        counts[0] += gained
        looks = np.zeros(own.size)
        for each, weight in zip(counts, weights, strict=True):
            looks += each * (weight[0] + (weight[1] - weight[0]) * filled)
        return np.where(decided, CERTAIN * np.sign(counts[0]), looks)

    def _near(self, stones: Bits) -> tuple[Bits, Bits, Bits]:
        """The cells that have at least one, two and three of the stones beside them."""
        one, two, three = (np.zeros_like(stones) for _ in range(3))
        for upward, downward, step in self._ways:
            for shifted in ((stones & upward) << step, (stones & downward) >> step):
                three |= two & shifted
                two |= one & shifted
                one |= shifted
        return one, two, three


def _count(stones: Bits) -> Whole:
    return np.bitwise_count(stones).astype(np.int64)


def _results(ends: list[Ends], games: int) -> Numbers:
    """What each game came to for the first player: 0, a half or 1."""
    found = np.zeros(games)
    for end in ends:
        won = (1 + np.sign(_count(end.own) - _count(end.enemy))) / 2
        found[end.which[end.over]] = (won if end.ply % 2 == 0 else 1 - won)[end.over]
    return found


# ------------------------------------------------------------------------------------------ learning


def learn(tables: Sequence[Games], weights: Spans, rounds: int, games: int, chance: np.random.Generator) -> Spans:
    """The weights after so many rounds of so many games, each round on the next board."""
    found: list[Spans] = []
    for at in range(rounds):
        noise = chance.standard_normal((*weights.shape, games))
        tried = NOISE * USUAL[:, :, None] * noise
        table = tables[at % len(tables)]
        ends = list(table.play(weights[:, :, None] + tried, weights[:, :, None] - tried, games, chance))
        results = _results(ends, games)
        way = ((results - results.mean()) * noise).mean(axis=2)
        weights = weights + 2 * (STEP[0] + (STEP[1] - STEP[0]) * at / rounds) * USUAL * way
        found.append(weights)
    return np.mean(found[2 * rounds // 3 :], axis=0)


def fitted(tables: Sequence[Games], weights: Spans, games: int, chance: np.random.Generator) -> Weights:
    """The weights with how much they say about the result: the likeliest for so many games on each board.

    It is a logistic regression.
    """
    rows, wanted = list[Numbers](), list[Numbers]()
    for table in tables:
        ends = list(table.play(weights, weights, games, chance))
        results = _results(ends, games)
        for end in ends:
            counts, filled = table.counts(end.own[~end.over], end.enemy[~end.over])
            early, late = (weights[:, 0, None] * counts).sum(axis=0), (weights[:, 1, None] * counts).sum(axis=0)
            looks = early + (late - early) * filled
            rows.append(np.array([(1 - filled) * looks, filled * looks, 1 - filled, filled]))
            mine = results[end.which[~end.over]]
            wanted.append(mine if end.ply % 2 == 0 else 1 - mine)
    seen, results = np.concatenate(rows, axis=1), np.concatenate(wanted)
    found = np.zeros(4)
    for _ in range(NEWTON):
        said = 1 / (1 + np.exp(-(found @ seen)))
        found = found + np.linalg.solve((seen * said * (1 - said)) @ seen.T, seen @ (results - said))
    steepness, turn = (found[0], found[1]), (found[2], found[3])
    return Weights(tuple((float(early), float(late)) for early, late in weights), _span(*steepness), _span(*turn))


def _span(early: float, late: float) -> tuple[float, float]:
    return float(early), float(late)


def main() -> None:
    """Learn, and write the weights."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--share", type=float, default=1.0, help="share of the rounds")
    parser.add_argument("--to", type=Path, default=WEIGHTS)
    given = parser.parse_args()
    tables = [Games(board_on(size_and_grid(size)[1])) for size in SIZES]
    chance = np.random.default_rng([given.seed, 0])
    by_hand = np.outer([BY_HAND[name] for name in THINGS], STONE)
    weights = learn(tables, by_hand, max(1, round(ROUNDS * given.share)), GAMES, chance)
    heading = [
        "What counts of a position are worth, on an empty board and on a full one.",
        f"Written by tests/bench/herd_learning.py --seed {given.seed} --share {given.share}; not to be edited.",
    ]
    given.to.write_text(written(fitted(tables, weights, FITTED, chance), heading), encoding="utf-8")


if __name__ == "__main__":
    main()
