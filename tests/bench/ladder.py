"""How strong the computer players are: ``make ladder``; ARGS="--game diablo --size 6 --games 40" for a glance.

Each level plays the one below it, colours changing from game to game. Two games in a row have the same
chance, so that each side gets the other's dice or opening once. A game without dice begins with some
random actions, or the same game would be played over and over. With --reference the highest level plays
the rules of thumb of ``rivals`` and ``herd_rival`` instead; the one for draughts has a file of its own.

A level is limited by the boards it looks at. The highest may take longer than a player waits, so every
decision is told to stop after --seconds of processor time, in which other programs on the machine do not
count. The table goes to stdout and what has been played so far to stderr. A draw counts as half.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import sqrt
from multiprocessing import Pool
from random import Random
from time import process_time
from types import MappingProxyType
from typing import Any

from herd_rival import choose as herding
from rivals import threats

from reedlight.core.game import Game, Roll, Side, State
from reedlight.games import REGISTRY, make
from reedlight.players import of
from reedlight.players.player import LEVELS, Mind

RIVALS: Mapping[str, Callable[[Any, Random], Any]] = MappingProxyType({"threats": threats, "herding": herding})
REFERENCES = (
    ("diablo", "6", "threats"),
    ("diablo", "8", "threats"),
    ("herd", "4", "herding"),
    ("herd", "5", "herding"),
)
"""Matches of the highest level: the game, the size and the rival."""
OPENING = 6
"""Random actions at the start of a game without dice."""

Choose = Callable[[State[Any], Random], Any]


@dataclass(frozen=True, slots=True)
class Match:
    """Two players on one board; a player is a level's number or a rival's name."""

    game: str
    size: str
    player: int | str
    against: int | str


@dataclass(frozen=True, slots=True)
class Task:
    """One game of a match."""

    match: Match
    number: int
    seed: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Result:
    """What the first player scored, from 0 to 1, and how long his slowest decision took."""

    match: Match
    score: float
    slowest: float
    """Seconds of processor time."""


@cache
def _mind(game: str, size: str) -> Mind:
    return of(make(game, size))


class Player:
    """A level or a rival at the board, with the time of its slowest decision."""

    def __init__(self, match: Match, name: int | str, seconds: float) -> None:
        self._match, self._name, self._seconds = match, name, seconds
        self.slowest = 0.0

    def choose(self, state: State[Any], rng: Random) -> Any:
        """The player's action."""
        began = process_time()
        action = self._choose(state, rng)
        self.slowest = max(self.slowest, process_time() - began)
        return action

    def _choose(self, state: State[Any], rng: Random) -> Any:
        if isinstance(self._name, str):
            return RIVALS[self._name](state, rng)
        end = process_time() + self._seconds
        mind = _mind(self._match.game, self._match.size)
        return mind.choose(state, self._name, rng, lambda: process_time() > end).action


def play(task: Task) -> Result:
    """One game: the even ones begun by the first player, the odd ones by the other."""
    match = task.match
    game = make(match.game, match.size)
    first, second = (Player(match, name, task.seconds) for name in (match.player, match.against))
    begins, follows = tuple(game.sides)
    seats = {begins: first, follows: second} if task.number % 2 == 0 else {begins: second, follows: first}
    chance = Random(f"{task.seed} {task.number // 2}")
    mood = Random(f"{task.seed} {task.number} mood")
    state = _opening(game, chance)
    while (side := state.to_act) is not None:
        if side is Side.CHANCE:
            state = state.apply(_roll(state, chance))
        else:
            state = state.apply(seats[side].choose(state, mood))
    won = state.outcome.winner if state.outcome else None
    score = 0.5 if won is None else float(seats[won] is first)
    return Result(match, score, first.slowest)


def _roll(state: State[Any], chance: Random) -> Roll:
    odds = state.chance()
    return chance.choices(list(odds), [float(share) for share in odds.values()])[0]


def _opening(game: Game[Any], chance: Random) -> State[Any]:
    """The start; without dice, after random actions that have not ended the game."""
    state = game.start()
    if state.to_act is Side.CHANCE:
        return state
    for _ in range(OPENING):
        after = state.apply(chance.choice(state.legal_actions()))
        state = state if after.to_act is None else after
    return state


def matches(choice: Namespace) -> list[Match]:
    """What is to be played."""
    if choice.reference:
        found = [Match(game, size, len(LEVELS), rival) for game, size, rival in REFERENCES]
    else:
        boards = ((game, size) for game, entry in REGISTRY.items() for size in entry.sizes)
        found = [Match(game, size, level, level - 1) for game, size in boards for level in range(2, len(LEVELS) + 1)]
    return [
        match
        for match in found
        if choice.game in (None, match.game)
        and choice.size in (None, match.size)
        and (choice.level in (None, match.player))
    ]


def told(results: Iterable[Result], total: int) -> Iterator[Result]:
    """The results, each told to stderr."""
    for number, result in enumerate(results, 1):
        match = result.match
        who = f"{match.game} {match.size}: {match.player} v {match.against}"
        print(f"{number}/{total}  {who}  {result.score:g}", file=sys.stderr, flush=True)  # noqa: T201  # a command
        yield result


def row(match: Match, results: list[Result]) -> str:
    """A match as a line of the table."""
    scores = [result.score for result in results]
    mean = sum(scores) / len(scores)
    error = sqrt(sum((score - mean) ** 2 for score in scores)) / len(scores)
    slowest = max(result.slowest for result in results)
    return (
        f"| {match.game} | {match.size} | {match.player} | {match.against} | {len(scores)} "
        f"| {mean:.3f} ±{error:.3f} | {slowest:.2f} |"
    )


def main() -> None:
    """Play and print."""
    parser = ArgumentParser(description="How strong the computer players are, level against level.")
    parser.add_argument("--game", choices=REGISTRY)
    parser.add_argument("--size")
    parser.add_argument("--level", type=int, choices=range(2, len(LEVELS) + 1), help="only this one and the one below")
    parser.add_argument("--games", type=int, default=200, help="in each match")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0.5, help="processor time for a decision")
    parser.add_argument("--reference", action="store_true", help="the highest level against rules of thumb")
    choice = parser.parse_args()
    planned = matches(choice)
    tasks = [Task(match, number, choice.seed, choice.seconds) for match in planned for number in range(choice.games)]
    by_match: dict[Match, list[Result]] = {match: [] for match in planned}
    with Pool(choice.processes) as pool:
        for result in told(pool.imap_unordered(play, tasks), len(tasks)):
            by_match[result.match].append(result)
    print("| game | size | level | against | games | score | slowest decision, s |")  # noqa: T201  # a command
    print("| --- | --- | --- | --- | --- | --- | --- |")  # noqa: T201  # a command
    for match, results in by_match.items():
        print(row(match, results))  # noqa: T201  # a command


if __name__ == "__main__":
    main()
