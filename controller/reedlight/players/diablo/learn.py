"""How the weights of Diablo's values are made: games against itself, each board corrected by what came of it.

    python -m reedlight.players.diablo.learn --games 4000 --seed 1

A player that looks one turn ahead plays both sides, with some noise so that it sees what it would not
choose. After a game every board after a turn is drawn towards what followed: mostly towards the value of
the next boards, in the end towards the result (temporal differences; the share LAMBDA is passed on from turn
to turn). The weights written are the mean over the second half of the games. It begins with the worth of
material alone. The same seed gives the same weights; 4000 games take seven minutes of processor time.

Sizes take turns, so that the weights serve every board. Whether a run was a gain is not seen here: play a
match (``tests/bench/ladder.py --reference``).
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from reedlight.core.game import Side
from reedlight.games.diablo.rules import SIGN, Board, Diablo, start
from reedlight.players.diablo.turns import Fan, distinct, endings
from reedlight.players.diablo.value import NAMES, chance, features, worth

SIZES = (6, 8, 6)
"""The boards that take turns."""
LAMBDA = 0.7
NOISE = 0.03
"""Standard deviation of what is added to a chance to win before the best is taken."""
STEP = 0.02
"""How far the first game moves the weights; later games less."""
HALF_LIFE = 500
"""Games after which the step is half of what it was at first."""
FLOOR = 0.002
"""Mean square of a number below which it is taken for this much, lest a rare number be moved wildly."""
BREADTH, KEPT = 16, 60
"""Moves of a die, and boards by promise, that are looked at."""

After = tuple[Board, int]
"""A board after a turn and the sign of the side that made it."""


def beginning() -> list[float]:
    """Weights that know material and nothing else."""
    known = {"checkers, log of the ratio": 2.0, "own best loss to a die, by own checkers": -2.0}
    return [known.get(name, 0.0) for name in NAMES]


@dataclass(slots=True)
class Learner:
    """Weights that change, and how large each number usually is, so that all weights move at one pace."""

    weights: list[float]
    rng: Random
    squares: list[float] = field(default_factory=lambda: [0.0] * len(NAMES))
    seen: int = 0

    def draw(self, board: Board, sign: int, size: int, target: float, step: float) -> float:  # a board is three of them
        """Move the value of a board towards a target; gives the value it had."""
        numbers = features(board, sign, size)
        value = chance(numbers, self.weights)
        self.seen += 1
        for at, number in enumerate(numbers):
            self.squares[at] += number * number
            pull = number / max(FLOOR, self.squares[at] / self.seen)
            self.weights[at] += step * (target - value) * pull
        return value

    def correct(self, afters: Sequence[After], size: int, step: float) -> None:
        """Move the values of the boards of a finished game, the last one first."""
        *earlier, (_, follower) = afters
        target = value = 1.0
        for board, sign in reversed(earlier):
            target = (1 - LAMBDA) * value + LAMBDA * target
            if sign != follower:
                target = 1 - target
            follower = sign
            value = self.draw(board, sign, size, target, step)

    def game(self, size: int) -> Iterator[After]:
        """One game with itself: the board after every turn, the last one with the winner's sign."""
        board, mover = start(size).board, Side.DARK
        while min(board) < 0 < max(board):
            board = self._best(board, mover, size)
            if min(board) < 0 < max(board):
                yield board, SIGN[mover]
            mover = mover.other
        yield board, 1 if min(board) >= 0 else -1

    def _best(self, board: Board, mover: Side, size: int) -> Board:
        """The board that seems best to the mover, who rolls and errs a little."""
        dice = self.rng.randint(1, size // 2), self.rng.randint(1, size // 2)
        state = Diablo(size, board, mover, dice, tuple(sorted(dice)))
        found = endings(state) if state.opening else Fan(board, SIGN[mover], size).turns(dice, BREADTH)
        boards = [turn.board for turn in distinct(found)[:KEPT]]
        return max(boards, key=lambda after: worth(after, SIGN[mover], size, self.weights) + self.rng.gauss(0, NOISE))


def learn(games: int, seed: int, sizes: Sequence[int] = SIZES) -> list[float]:
    """The weights after so many games."""
    learner = Learner(beginning(), Random(seed))  # noqa: S311  # a seeded game is no secret
    total = [0.0] * len(NAMES)
    counted = games - games // 2
    for number in range(games):
        size = sizes[number % len(sizes)]
        learner.correct(list(learner.game(size)), size, STEP / (1 + number / HALF_LIFE))
        if number >= games - counted:
            total = [one + other for one, other in zip(total, learner.weights, strict=True)]
    return [one / counted for one in total]


def written(weights: Sequence[float]) -> str:
    """The weights as the file that ``value`` reads."""
    return json.dumps({name: round(weight, 4) for name, weight in zip(NAMES, weights, strict=True)}, indent=1) + "\n"


def main() -> None:
    """Learn and write."""
    parser = ArgumentParser(description="Learn the weights of Diablo's values by playing against itself.")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("weights.json"))
    choice = parser.parse_args()
    choice.out.write_text(written(learn(choice.games, choice.seed)), encoding="utf-8")


if __name__ == "__main__":
    main()
