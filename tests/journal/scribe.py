"""A program that plays a game, ends, starts again and plays on, and marks in a file what it showed and when.

    python scribe.py FOLDER GAME SIZE [SYNCHRONOUS]

Its marks are lines in a file beside the file of games, so whoever records its writes has both in one order.
The log of the database is moved into the main file much oftener than is usual, and once more at each end.
With a name such as NORMAL, SQLite waits for the disk no more than that asks for. With BROKEN, no sync reaches
the disk for a while in the middle of the game; what was said meanwhile is printed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from journal.sitting import SEED, Sitting, script
from journal.victim import Order, Victim

from reedlight.adapters.sqlite import Games
from reedlight.app.journal import RETRY, Journal

MARKS = "marks"
LIVES = (8, 20)
"""The steps up to which each life plays."""
OFTEN = 6
"""Pages of the log after which it is moved into the main file."""


class Scribe(Victim):
    """A program whose store is set up otherwise."""

    synchronous = "FULL"

    def _open(self) -> Games:
        games = super()._open()
        games._database.execute(f"PRAGMA wal_autocheckpoint = {OFTEN}")
        games._database.execute(f"PRAGMA synchronous = {self.synchronous}")
        return games


def live(folder: str, kind: tuple[str, str], synchronous: str) -> None:
    """Live twice."""
    marks = os.open(Path(folder) / MARKS, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def mark(said: str) -> None:
        if not said.startswith("moments"):
            os.write(marks, f"{said}\n".encode())

    Scribe.synchronous = synchronous
    for steps in LIVES:
        Scribe(Order(folder, kind, steps), mark).play()


def live_with_a_broken_disk(folder: str, kind: tuple[str, str]) -> None:
    """Play on while no sync succeeds, and once they do again."""
    played = script(*kind, 0, 12)
    journal = Journal(lambda: Games(Path(folder) / "games.db"), float, lambda _: SEED.hex())
    journal.prepare(played.game, {})
    sitting = Sitting(played.game, journal)
    sitting.begin()
    sitting.play(played.steps[:4])
    os.environ["REEDLIGHT_SYNC"] = "fails"
    sitting.play(played.steps[4:8])
    print(journal.trouble)  # noqa: T201  # for whoever started this
    os.environ["REEDLIGHT_SYNC"] = "works"
    sitting.tabletop.advance(sitting.now + RETRY)
    sitting.play(played.steps[8:])
    print(journal.trouble)  # noqa: T201  # the same
    journal.close()


def main(folder: str, name: str, size: str, how: str = "FULL") -> None:
    """Do what is asked for."""
    if how == "BROKEN":
        live_with_a_broken_disk(folder, (name, size))
    else:
        live(folder, (name, size), how)


if __name__ == "__main__":
    main(*sys.argv[1:])
