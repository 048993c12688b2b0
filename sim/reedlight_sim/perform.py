"""Performing: a person plays a script at a table, and what the session makes of it is compared.

A *script* is a game as its rolls and actions, each legal where it stands, so nothing about it can go wrong
but the sensing. After each step what the session has accepted must be the beginning of what the person
meant; after a roll and at the end it must be all of it. The first *difference* ends the game. What a moment
of stillness puts right by itself is none: a stone lifted by mistake may be read as a second thought until
it is back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from random import Random
from typing import Any

from reedlight.core.game import Game, Roll, State
from reedlight.core.grid import Grid
from reedlight.session.settings import Settings
from reedlight_sim.depths import Depth, Ports
from reedlight_sim.hand import Slip, Style
from reedlight_sim.person import Person
from reedlight_sim.table import Seen, Table

STILLNESS = 1.0
"""Seconds without a hand, in which a session has long settled."""
REMEMBERED = 40
"""The last reports told with a difference."""


@dataclass(frozen=True, slots=True)
class Script:
    """One game to be performed: where it comes from, its first state, and every roll and action in order."""

    title: str
    game: Game[Any]
    state: State[Any]
    steps: tuple[Any, ...]

    @property
    def moves(self) -> int:
        """How many actions there are, rolls not counted."""
        return sum(not isinstance(step, Roll) for step in self.steps)


def _nobody(_table: Table) -> None:
    """Nobody watches."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How scripts are performed: the hand, the share of unseen actions, the session's settings, the seed."""

    style: Style
    settings: Settings = field(default_factory=Settings)
    unseen: float = 0.0
    seed: int = 0
    depth: Callable[[Grid], Depth] = Ports
    """How deep the hardware is simulated, for the grid of a game."""
    watch: Callable[[Table], None] = _nobody
    """Is shown every table before anything happens at it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the session's record left what the hand meant."""

    ply: int
    """The number of the step, from 1."""
    meant: str
    got: str
    seen: tuple[Seen, ...]
    """What the session was told last."""

    def told(self, title: str) -> str:
        """The difference as lines of text for a person."""
        return "\n".join(
            (
                f"{title}, ply {self.ply}: expected {self.meant}, got {self.got}",
                *(f"  {report}" for report in self.seen),
            )
        )


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one script; ``difference`` is None where the record is right to the end."""

    moves: int
    asked: int
    rescues: int
    seconds: float
    """In virtual time."""
    slips: dict[Slip, int]
    difference: Difference | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """The sum of many results."""

    games: int = 0
    moves: int = 0
    wrong: int = 0
    asked: int = 0

    def __add__(self, result: Result) -> Tally:
        wrong = result.difference is not None
        return Tally(self.games + 1, self.moves + result.moves, self.wrong + wrong, self.asked + result.asked)

    def __str__(self) -> str:
        return f"games {self.games} moves {self.moves} wrong {self.wrong} asked {self.asked}"


def seeded(*parts: object) -> Random:
    """The generator that belongs to these parts, the same in every run."""
    return Random(":".join(map(str, parts)))  # noqa: S311  # a hand's tremor is no secret


def perform(script: Script, manner: Manner, number: int = 0) -> Result:
    """Play a script at a fresh table; ``number`` tells games with the same seed apart."""
    rng = seeded("perform", manner.seed, number)
    table = Table(script.game, manner.settings, rng, state=script.state, depth=manner.depth(script.game.grid))
    person = Person(table, script.game.grid, manner.style, rng, manner.unseen)
    manner.watch(table)
    with closing(table):
        difference, moves = _play(script, table, person)
    return Result(moves, table.asked + person.confirmed, person.rescues, table.now, dict(person.slips), difference)


def perform_all(
    scripts: Iterable[Script], manner: Manner, report: Callable[[str], None], progress: Callable[[Tally], None]
) -> Tally:
    """Perform scripts one after another; differences go to ``report`` and every sum so far to ``progress``."""
    tally = Tally()
    for number, script in enumerate(scripts):
        result = perform(script, manner, number)
        tally += result
        if result.difference is not None:
            report(result.difference.told(script.title))
        progress(tally)
    return tally


def _play(script: Script, table: Table, person: Person) -> tuple[Difference | None, int]:
    """The first difference if there is one, and how many actions were performed."""
    state, moves = script.state, 0
    person.begin(state)
    for step in script.steps:
        successor = state.apply(step)
        if isinstance(step, Roll):
            person.roll(step)
        else:
            person.perform(state, step, successor)
            moves += 1
        state = successor
        if (difference := _lasting_difference(script, table, person, complete=isinstance(step, Roll))) is not None:
            return difference, moves
    person.conclude()
    return _lasting_difference(script, table, person, complete=True), moves


def _lasting_difference(script: Script, table: Table, person: Person, *, complete: bool) -> Difference | None:
    """The difference that is still there when the board has been still for a moment."""
    if difference_at(script, table, person, complete=complete) is None:
        return None
    table.wait(STILLNESS)
    return difference_at(script, table, person, complete=complete)


def difference_at(script: Script, table: Table, person: Person, *, complete: bool = False) -> Difference | None:
    """Where what the session accepted is not what was meant so far; ``complete`` if nothing may be missing."""
    got, meant = table.session.history, tuple(person.meant)
    same = next((at for at, (one, other) in enumerate(zip(got, meant, strict=False)) if one != other), None)
    if same is None:
        same = min(len(got), len(meant))
        if same == len(meant) == len(got) or (len(got) < len(meant) and not complete):
            return None
    expected, found = _word_at(script, meant, same), _word_at(script, got, same)
    return Difference(same + 1, expected, found, tuple(table.seen)[-REMEMBERED:])


def _word_at(script: Script, steps: tuple[Any, ...], at: int) -> str:
    """The step at a place as text, where those before it are the script's own."""
    if at >= len(steps):
        return "nothing"
    step = steps[at]
    if not isinstance(step, Roll):
        state = script.state
        for earlier in script.steps[:at]:
            state = state.apply(earlier)
        return script.game.notate(state, step)
    return f"roll {'-'.join(map(str, step.dice))}"
