"""How the weights of Diablo's values are made: games against itself, each board corrected by what came of it.

    python -m reedlight.players.diablo.learn --games 4000 --out first.json
    python -m reedlight.players.diablo.learn --games 600 --from first.json --answers

The first run begins with the worth of material alone and plays one turn ahead. Every board after a turn is
drawn towards what followed: mostly towards the value of the next boards, in the end towards the result
(temporal differences; the share LAMBDA is passed on from turn to turn). That tells who is ahead, but not
well which of two similar boards is better, for only one of them was played.

The second run, with --answers, looks at the foe's answers to some of the boards that were open, also to
those not played, and draws the value of each towards its value with answers. What a search sees one turn
later is so known at a glance, and a search on top of it sees further. The result of the game still counts.

The weights written are the mean over the second half of the games. Sizes take turns, so that they serve
every board. The same seed gives the same weights. Whether a run was a gain is not seen here: play a match
(``tests/bench/ladder.py --reference``).
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from reedlight.core.game import Side
from reedlight.games.diablo.rules import SIGN, Board, Diablo, start
from reedlight.players.diablo.search import Answers, Sight
from reedlight.players.diablo.turns import Fan, distinct, endings
from reedlight.players.diablo.value import NAMES, chance, features, worth
from reedlight.players.player import never

SIZES = (6, 8, 6)
"""The boards that take turns."""
SIZES_WITH_ANSWERS = (6,)
"""The same with answers, which cost much on larger boards."""
LAMBDA = 0.7
NOISE = 0.03
"""Standard deviation of what is added to a chance to win before the best is taken."""
STEP, STEP_WITH_ANSWERS = 0.02, 0.004
"""How far the first game moves the weights; later games less. Answers give many boards a turn, and true ones."""
HALF_LIFE = 500
"""Games after which the step is half of what it was at first."""
FLOOR = 0.002
"""Mean square of a number below which it is taken for this much, lest a rare number be moved wildly."""
BREADTH, KEPT = 16, 60
"""Moves of a die, and boards by promise, that are looked at."""
FOREMOST, COMPARED = 16, 5
"""Boards of a turn, by worth, among which some are drawn; and how many are looked at with their answers."""
ANSWERS = Sight(replies=5, breadth=7)

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

    def draw(self, board: Board, sign: int, size: int, target: float, step: float) -> float:
        """Move the value of a board towards a target; gives the value it had."""
        numbers = features(board, sign, size)
        value = chance(numbers, self.weights)
        self.seen += 1
        for at, number in enumerate(numbers):
            self.squares[at] += number * number
            usual = max(FLOOR, self.squares[at] / self.seen)
            self.weights[at] += step * (target - value) * number / usual
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

    def noisy(self, value: float) -> float:
        """A value as a player sees it who errs a little."""
        return value + self.rng.gauss(0, NOISE)


def learn(games: int, rng: Random, begin: Sequence[float], sizes: Sequence[int] = SIZES) -> list[float]:
    """The weights after so many games, played one turn ahead."""

    def best(learner: Learner, boards: list[Board], sign: int, size: int) -> Board:
        return max(boards, key=lambda board: learner.noisy(worth(board, sign, size, learner.weights)))

    def one_game(learner: Learner, size: int, slowness: float) -> None:
        learner.correct(list(_game(size, learner, best)), size, STEP / slowness)

    return _mean_of_games(games, Learner(list(begin), rng), sizes, one_game)


def learn_answers(
    games: int, rng: Random, begin: Sequence[float], sizes: Sequence[int] = SIZES_WITH_ANSWERS
) -> list[float]:
    """The weights after so many games, in which the answers to some boards of every turn are looked at."""

    def one_game(learner: Learner, size: int, slowness: float) -> None:
        weights = tuple(learner.weights)
        answers = Answers(size, ANSWERS, weights, never)
        lessons: list[tuple[Board, int, float]] = []

        def best(learner: Learner, boards: list[Board], sign: int, size: int) -> Board:
            foremost = sorted(boards, key=lambda board: -worth(board, sign, size, weights))[:FOREMOST]
            some = [foremost[0], *learner.rng.sample(foremost[1:], min(COMPARED - 1, len(foremost) - 1))]
            values = {board: answers.value(board, sign) for board in some}
            lessons.extend((board, sign, value) for board, value in values.items() if min(board) < 0 < max(board))
            return max(some, key=lambda board: learner.noisy(values[board]))

        afters = list(_game(size, learner, best))
        step = STEP_WITH_ANSWERS / slowness
        for board, sign, value in lessons:
            learner.draw(board, sign, size, value, step)
        learner.correct(afters, size, step)

    return _mean_of_games(games, Learner(list(begin), rng), sizes, one_game)


Play = Callable[[Learner, int, float], None]
Choose = Callable[[Learner, list[Board], int, int], Board]


def _mean_of_games(games: int, learner: Learner, sizes: Sequence[int], play: Play) -> list[float]:
    total = [0.0] * len(NAMES)
    counted = games - games // 2
    for number in range(games):
        play(learner, sizes[number % len(sizes)], 1 + number / HALF_LIFE)
        if number >= games - counted:
            total = [one + other for one, other in zip(total, learner.weights, strict=True)]
    return [one / counted for one in total]


def _game(size: int, learner: Learner, choose: Choose) -> Iterator[After]:
    """One game with itself: the board after every turn, the last one with the winner's sign."""
    board, mover = start(size).board, Side.DARK
    while min(board) < 0 < max(board):
        board = choose(learner, _boards(board, mover, size, learner.rng), SIGN[mover], size)
        if min(board) < 0 < max(board):
            yield board, SIGN[mover]
        mover = mover.other
    yield board, 1 if min(board) >= 0 else -1


def _boards(board: Board, mover: Side, size: int, rng: Random) -> list[Board]:
    """The most promising boards that the mover can reach with a roll."""
    dice = rng.randint(1, size // 2), rng.randint(1, size // 2)
    state = Diablo(size, board, mover, dice, tuple(sorted(dice)))
    found = endings(state) if state.opening else Fan(board, SIGN[mover], size).turns(dice, BREADTH)
    return [turn.board for turn in distinct(found)[:KEPT]]


def written(weights: Sequence[float]) -> str:
    """The weights as the file that ``value`` reads."""
    return json.dumps({name: round(weight, 4) for name, weight in zip(NAMES, weights, strict=True)}, indent=1) + "\n"


def main() -> None:
    """Learn and write."""
    parser = ArgumentParser(description="Learn the weights of Diablo's values by playing against itself.")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", dest="begin", type=Path, help="weights to begin with")
    parser.add_argument("--answers", action="store_true", help="look at the foe's answers")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("weights.json"))
    choice = parser.parse_args()
    begin = beginning()
    if choice.begin is not None:
        known = json.loads(choice.begin.read_text("utf-8"))
        begin = [known[name] for name in NAMES]
    way = learn_answers if choice.answers else learn
    rng = Random(choice.seed)  # noqa: S311  # a seeded game is no secret
    choice.out.write_text(written(way(choice.games, rng, begin)), encoding="utf-8")


if __name__ == "__main__":
    main()
