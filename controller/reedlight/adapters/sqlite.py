"""Games and the health of cells in one SQLite file that survives the power going off at any instant.

    games     one row a game: its options, players, seed, and how it ended
    lines     what happened in it, numbered from 1; only ever added
    cells     what is known of a board's switches

Every call returns when the disk has what it wrote (WAL, synchronous=FULL, and the directory synced when the
file is new), or raises StoreLost with a sentence. A file that is damaged is put aside under a dated name and
never written again; the program goes on with a new one. ``MIGRATIONS`` is every step from an empty file to
the newest schema; a file of a newer program is left alone.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any

from reedlight.record.journal import Line

MIGRATIONS = (
    """
    CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        begun REAL NOT NULL,
        game TEXT NOT NULL,
        size TEXT NOT NULL,
        start TEXT NOT NULL,
        tags TEXT NOT NULL,
        seed TEXT NOT NULL,
        ended REAL,
        result TEXT NOT NULL DEFAULT '',
        reason TEXT NOT NULL DEFAULT ''
    );
    CREATE TABLE lines (
        game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
        number INTEGER NOT NULL,
        kind TEXT NOT NULL,
        text TEXT NOT NULL,
        at REAL NOT NULL,
        PRIMARY KEY (game, number)
    ) WITHOUT ROWID;
    CREATE TABLE cells (
        board TEXT NOT NULL,
        switch INTEGER NOT NULL,
        fact TEXT NOT NULL,
        at REAL NOT NULL,
        PRIMARY KEY (board, switch)
    ) WITHOUT ROWID;
    """,
)
"""Each brings the schema one version on; the file's ``user_version`` counts those that were done."""

_Row = tuple[Any, ...]
_Write = Callable[[str, Sequence[object]], list[_Row]]
_NO_TAGS: Mapping[str, str] = MappingProxyType({})


class StoreLost(OSError):
    """Nothing can be kept just now; the message is one sentence for people."""


@dataclass(frozen=True, slots=True)
class Head:
    """What is known of a game from its beginning: options, first position, players and other tags, secret seed."""

    game: str
    size: str
    begun: float
    start: str = ""
    """The first position as the game dumps it; empty for the game's own start."""
    tags: Mapping[str, str] = field(default_factory=lambda: _NO_TAGS)
    seed: str = ""
    """In hexadecimal; empty where the dice were not the program's."""


@dataclass(frozen=True, slots=True)
class End:
    """How a game ended: the winner's side, ``draw``, or nothing for one that was broken off; and why."""

    at: float
    result: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """One game as it is kept."""

    number: int
    head: Head
    lines: int
    """How many lines it has."""
    end: End | None = None


class Games:
    """The store of one board. Raises StoreLost everywhere."""

    def __init__(self, path: Path, now: Callable[[], datetime] = datetime.now) -> None:
        self._path = path
        self.put_aside: Path | None = None
        """Where a damaged file was put; None if there was none."""
        try:
            self._database = _open(path)
        except _Damaged:
            self.put_aside = _put_aside(path, now())
            self._database = _open(path)

    def close(self) -> None:
        """Let the file go."""
        with suppress(sqlite3.Error):
            self._database.close()

    # -------------------------------------------------------------------------------------- one game

    def begin(self, head: Head) -> int:
        """Keep a game from its beginning; its number."""
        with self._writing() as write:
            row = (head.begun, head.game, head.size, head.start, json.dumps(dict(head.tags)), head.seed)
            found = write(
                "INSERT INTO games (begun, game, size, start, tags, seed) VALUES (?, ?, ?, ?, ?, ?) RETURNING id", row
            )
            return int(found[0][0])

    def add(self, game: int, first: int, lines: Sequence[Line]) -> None:
        """Add lines, the first of which has this number; lines that are there already are not written again."""
        with self._writing() as write:
            for number, line in enumerate(lines, first):
                write(
                    "INSERT OR IGNORE INTO lines VALUES (?, ?, ?, ?, ?)", (game, number, line.kind, line.text, line.at)
                )

    def end(self, game: int, end: End | None) -> None:
        """Say how a game ended; None if its end was taken back."""
        at, result, reason = (end.at, end.result, end.reason) if end else (None, "", "")
        with self._writing() as write:
            write("UPDATE games SET ended = ?, result = ?, reason = ? WHERE id = ?", (at, result, reason, game))

    def delete(self, game: int) -> None:
        """Forget a game."""
        with self._writing() as write:
            write("DELETE FROM games WHERE id = ?", (game,))

    # --------------------------------------------------------------------------------------- looking

    def games(self) -> Sequence[Kept]:
        """Every game, the oldest first."""
        return tuple(map(_kept, self._read(f"{_GAMES} ORDER BY id")))

    def game(self, number: int) -> Kept | None:
        """The game of this number; None if there is none."""
        return next(map(_kept, self._read(f"{_GAMES} WHERE id = ?", (number,))), None)

    def unfinished(self) -> Kept | None:
        """The game that was begun last, if it has not ended; None if it has, or if there is none."""
        last = next(map(_kept, self._read(f"{_GAMES} ORDER BY id DESC LIMIT 1")), None)
        return last if last and last.end is None else None

    def lines(self, game: int) -> Sequence[Line]:
        """What happened in a game, in order."""
        rows = self._read("SELECT kind, text, at FROM lines WHERE game = ? ORDER BY number", (game,))
        return tuple(Line(str(kind), str(text), float(at)) for kind, text, at in rows)

    # ----------------------------------------------------------------------------------------- cells

    def facts(self, board: str) -> Mapping[int, str]:
        """What is known of a board's switches, by their numbers."""
        rows = self._read("SELECT switch, fact FROM cells WHERE board = ?", (board,))
        return {int(switch): str(fact) for switch, fact in rows}

    def note(self, board: str, switch: int, fact: str, at: float) -> None:
        """Know something of a switch, or, with an empty fact, nothing any more."""
        with self._writing() as write:
            if fact:
                write("INSERT OR REPLACE INTO cells VALUES (?, ?, ?, ?)", (board, switch, fact, at))
            else:
                write("DELETE FROM cells WHERE board = ? AND switch = ?", (board, switch))

    # ---------------------------------------------------------------------------------------- inside

    @contextmanager
    def _writing(self) -> Generator[_Write]:
        """One transaction: all of it is on the disk at the end, or none."""
        try:
            self._database.execute("BEGIN IMMEDIATE")
            yield lambda statement, values: self._database.execute(statement, values).fetchall()
            self._database.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                self._database.execute("ROLLBACK")
            raise StoreLost(_why(self._path, error)) from error

    def _read(self, statement: str, values: Sequence[object] = ()) -> list[_Row]:
        try:
            return self._database.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise StoreLost(_why(self._path, error)) from error


_GAMES = (
    "SELECT id, game, size, begun, start, tags, seed, ended, result, reason, "
    "(SELECT count(*) FROM lines WHERE lines.game = games.id) FROM games"
)


def _kept(row: _Row) -> Kept:
    number, game, size, begun, start, tags, seed, ended, result, reason, lines = row
    head = Head(game, size, begun, start, json.loads(tags), seed)
    return Kept(number, head, lines, None if ended is None else End(ended, result, reason))


# ------------------------------------------------------------------------------------------- opening


class _Damaged(Exception):
    """The file is no database of ours any more."""


def _open(path: Path) -> sqlite3.Connection:
    is_new = not path.exists()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        database = sqlite3.connect(path, timeout=2.0, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise StoreLost(_why(path, error)) from error
    try:
        _prepare(database, path)
    except sqlite3.DatabaseError as error:
        database.close()
        if isinstance(error, sqlite3.OperationalError):
            raise StoreLost(_why(path, error)) from error
        raise _Damaged from error
    except BaseException:
        database.close()
        raise
    if is_new:
        _sync_folder(path.parent)
    return database


def _prepare(database: sqlite3.Connection, path: Path) -> None:
    for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "wal_autocheckpoint = 256"):
        database.execute(f"PRAGMA {setting}")
    (answer,) = database.execute("PRAGMA quick_check(1)").fetchone()
    if answer != "ok":
        raise sqlite3.DatabaseError(answer)
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise StoreLost(f"{path} was written by a newer version of this program, and is left as it is.")
    for number, migration in enumerate(MIGRATIONS[version:], version + 1):
        database.executescript(f"BEGIN IMMEDIATE; {migration}; PRAGMA user_version = {number}; COMMIT;")


def _put_aside(path: Path, now: datetime) -> Path:
    """Rename the damaged file, and what belongs to it, to a name that says when; never over another one."""
    dated = f"{path.name}.damaged-{now:%Y-%m-%dT%H-%M-%S}"
    names = (path.with_name(f"{dated}-{again}" if again else dated) for again in count())
    aside = next(name for name in names if not name.exists())
    try:
        for end in ("-wal", "-shm", ""):
            if (part := path.with_name(path.name + end)).exists():
                part.rename(aside.with_name(aside.name + end))
    except OSError as error:
        raise StoreLost(f"{path} is damaged, and cannot be put aside ({error.strerror or error}).") from error
    return aside


def _sync_folder(folder: Path) -> None:
    """Make the names of new files in a folder durable."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise StoreLost(_why(folder, error)) from error
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _why(path: Path, error: Exception) -> str:
    said = str(error).lower()
    reason = next((reason for word, reason in _REASONS.items() if word in said), said or type(error).__name__)
    return f"Games cannot be kept in {path}: {reason}."


_REASONS = {
    "disk is full": "the disk is full",
    "no space": "the disk is full",
    "readonly": "it may only be read",
    "read-only": "it is on a disk that may only be read",
    "permission denied": "this user may not write there",
    "unable to open": "this user may not write there, or the folder is missing",
    "locked": "another program is using it",
    "disk i/o": "the disk does not answer properly",
}
