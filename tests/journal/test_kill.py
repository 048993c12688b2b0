"""Killed at any moment, the program comes back to what it last showed, or to one step further.

A scripted game of each kind, with some of it taken back in the middle, is killed at every moment in which
something is written or shown, and at random instants. Never is the game shorter than what was shown, never does
a line differ from what would have been played, and so no roll is rolled a second time.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from subprocess import PIPE, Popen
from typing import Any

import pytest
from journal import victim
from journal.places import quick_folder
from journal.sitting import KINDS, SEED, script
from journal.victim import BACKS, NO_GAME, Order, Told
from share import share

from reedlight.adapters.sqlite import Games
from reedlight.app.journal import Journal
from reedlight.record.journal import Line, replay

STEPS = 12
RUNS = share(500)
"""Kills in all: at every moment, and the others at random instants."""


@dataclass
class Program:
    """What starts programs and kills them."""

    folder: Path
    process: Popen[str]
    started: int = 0

    def order(self, kind: tuple[str, str], **how: Any) -> Order:
        """A program with a folder of its own."""
        self.started += 1
        return Order(str(self.folder / str(self.started)), kind, STEPS, **how)

    def start(self, order: Order) -> Told:
        """Start it, and hear what became of it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{json.dumps(asdict(order))}\n")
        self.process.stdin.flush()
        told = Told(**json.loads(self.process.stdout.readline()))
        assert told.error == ""
        return told


@pytest.fixture(scope="module")
def program() -> Iterator[Program]:
    folders = (str(Path(__file__).parent.parent), *filter(None, sys.path))
    # Without what would measure the coverage of every single program that is killed.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COV_", "COVERAGE_"))}
    environment["PYTHONPATH"] = os.pathsep.join(folders)
    command = [sys.executable, str(victim.__file__)]
    with (
        quick_folder() as folder,
        Popen(command, stdin=PIPE, stdout=PIPE, text=True, env=environment) as process,  # noqa: S603  # our own file
    ):
        yield Program(folder, process)
        assert process.stdin is not None
        process.stdin.close()


@dataclass(frozen=True)
class Played:
    """A program that was not killed: what it told, and the lines that it kept."""

    told: Told
    lines: list[Line]


def undisturbed(program: Program, kind: tuple[str, str]) -> Played:
    order = program.order(kind)
    told = program.start(order)
    assert not told.killed
    lines = kept_in(order)
    assert lines is not None
    assert told.shown == told.keeping == len(lines) == STEPS + 2 * len([line for line in lines if line.kind == "back"])
    assert len([line for line in lines if line.kind == "back"]) >= BACKS
    return Played(told, lines)


def kept_in(order: Order) -> list[Line] | None:
    """The lines of the game that is offered when the program starts again; None if none is."""
    journal = Journal(lambda: Games(Path(order.folder) / "games.db"), float)
    with closing(journal):
        found = journal.unfinished()
        assert journal.trouble == journal.notice == ""
        if found is None:
            return None
        assert found.past.broken == ""
        assert found.kept.head.seed in ("", SEED.hex())
        state = found.game.start()
        for entry in found.past.entries:
            assert entry.before == state
            state = state.apply(entry.action)
        assert found.past.state == state
        return [replace(line, at=0.0) for line in found.lines]


def complaint(played: Played, order: Order, told: Told) -> str:
    """What is wrong with what was found after a kill; empty if nothing is."""
    lines = kept_in(order)
    found = NO_GAME if lines is None else len(lines)
    expected = [replace(line, at=0.0) for line in played.lines]
    if lines is not None and lines != expected[:found]:
        return f"lines differ: {lines}"
    if found < told.shown:
        return f"{told.shown} lines had been shown, and {found} are left"
    if found not in (told.shown, told.keeping):
        return f"{found} lines were found, with {told.shown} shown and {told.keeping} about to be kept"
    return ""


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind[0])
def test_killed_at_every_moment_or_at_any_it_comes_back_to_what_it_showed(
    program: Program, kind: tuple[str, str]
) -> None:
    played, rng = undisturbed(program, kind), Random(f"kill {kind}")
    kills = 0
    for at in range(1, played.told.moments + 1):
        order = program.order(kind, at=at)
        told = program.start(order)
        assert told.killed, f"there was no moment {at}"
        assert told.moments == at
        assert complaint(played, order, told) == ""
        kills += 1
    for _ in range(max(RUNS // len(KINDS) + 1 - kills, 0)):
        order = program.order(kind, after=rng.uniform(0.0, played.told.seconds))
        assert complaint(played, order, program.start(order)) == ""
        kills += 1
    assert kills * len(KINDS) >= RUNS


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind[0])
def test_killed_again_and_again_a_game_is_still_played_to_its_end(program: Program, kind: tuple[str, str]) -> None:
    order = program.order(kind)
    shown, lives = NO_GAME, 0
    while True:
        # A little longer from life to life, so that each begins with something new.
        told = program.start(replace(order, at=40 + 7 * lives))
        lines = kept_in(order)
        assert lines is not None
        assert len(lines) >= max(shown, told.shown)
        shown = len(lines)
        lives += 1
        if not told.killed:
            break
    assert lives > 3
    played = script(*kind, 0, STEPS)
    past = replay(played.game, played.states[0], lines)
    assert tuple(entry.action for entry in past.entries) == played.steps


def test_a_program_that_shows_before_it_keeps_is_found_out(program: Program) -> None:
    kind = KINDS[2]
    played = undisturbed(program, kind)
    late = program.start(program.order(kind, late=True))
    assert not late.killed
    said: set[str] = set()
    for at in range(1, late.moments + 1, 2):
        order = program.order(kind, at=at, late=True)
        said.add(complaint(played, order, program.start(order)))
    assert any("had been shown" in each for each in said)


# ------------------------------------------------------------------------------------ the tools themselves


def written(program: Program, lines: list[Line] | None) -> Order:
    """A folder as a program might have left it."""
    order = program.order(KINDS[0])
    if lines is not None:
        played = script(*KINDS[0], 0, STEPS)
        journal = Journal(lambda: Games(Path(order.folder) / "games.db"), float)
        with closing(journal):
            journal.prepare(played.game, {})
            assert journal._next is not None
            journal._next.lines += lines
            games = journal._opened()
            games.begin(journal._next.head, lines)
    return order


@pytest.mark.parametrize(
    ("found", "shown", "keeping", "said"),
    [
        (3, 3, 4, ""),
        (4, 3, 4, ""),
        (2, 3, 4, "3 lines had been shown, and 2 are left"),
        (6, 3, 4, "6 lines were found, with 3 shown and 4 about to be kept"),
        (None, NO_GAME, NO_GAME, ""),
        (None, 0, 0, "0 lines had been shown, and -1 are left"),
    ],
)
def test_what_is_found_is_held_against_what_was_shown(
    program: Program, found: int | None, shown: int, keeping: int, said: str
) -> None:
    played = undisturbed(program, KINDS[0])
    order = written(program, None if found is None else played.lines[:found])
    assert complaint(played, order, Told(shown, keeping, 1, 0.0, killed=True)) == said


def test_another_line_is_complained_of(program: Program) -> None:
    played = undisturbed(program, KINDS[0])
    game = script(*KINDS[0], 0).game
    other = game.notate(game.start(), game.start().legal_actions()[-1])
    assert played.lines[0] != Line("act", other)
    order = written(program, [Line("act", other)])
    assert complaint(played, order, Told(1, 1, 1, 0.0, killed=True)).startswith("lines differ")


def test_what_goes_wrong_in_a_program_is_told() -> None:
    told = victim.understood("shown 1\nkeeping 2\nmoments 7\nerror it broke\n", 0.5, killed=False)
    assert told == Told(1, 2, 7, 0.5, killed=False, error="it broke")
