"""Games and the health of cells in one SQLite file that survives the power going off at any instant.

    games     one row a game: its options, players, seed, and how it ended
    lines     what happened in it, numbered from 1; only ever added
    cells     what is known of a board's switches

Every call returns when the disk has what it wrote (WAL, synchronous=FULL, and every new name synced in its
folder), or raises StoreLost with a sentence; what one call writes is kept whole or not at all. A file that is
damaged is put aside under a dated name and never written again; the program goes on with a new one.
``MIGRATIONS`` is every step from an empty file to the newest schema; a file of a newer program, or of another
one, is left alone.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from reedlight.record.journal import Line

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
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
        )
        """,
        """
        CREATE TABLE lines (
            game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
            number INTEGER NOT NULL,
            kind TEXT NOT NULL,
            text TEXT NOT NULL,
            at REAL NOT NULL,
            PRIMARY KEY (game, number)
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE cells (
            board TEXT NOT NULL,
            switch INTEGER NOT NULL,
            fact TEXT NOT NULL,
            at REAL NOT NULL,
            PRIMARY KEY (board, switch)
        ) WITHOUT ROWID
        """,
    ),
)
"""Each brings the schema one version on by its statements; the file's ``user_version`` counts those that were done."""

OURS = 0x5265656C
"""The ``application_id`` of a file of games, "Reel" in ASCII: what tells it from another program's database."""
IMPORTED = "Imported"
"""The tag of a game that was read from a file, with the file's name: it is nobody's to go on with."""
PATIENCE = 0.5
"""Seconds for which another program's lock is waited for: the board stands still meanwhile."""

_Row = tuple[Any, ...]
_Write = Callable[[str, Sequence[object]], list[_Row]]
_NO_TAGS: Mapping[str, str] = MappingProxyType({})

T = TypeVar("T")


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
        self._file = _identity(path)

    def close(self) -> None:
        """Let the file go."""
        with suppress(sqlite3.Error):
            self._database.close()

    # -------------------------------------------------------------------------------------- one game

    def begin(self, head: Head, lines: Sequence[Line] = (), end: End | None = None) -> int:
        """Keep a game with all that has happened in it so far; its number."""
        with self._writing() as write:
            return _begin(write, head, lines, end)

    def add(self, game: int, first: int, lines: Sequence[Line], end: End | None = None) -> None:
        """Add lines, the first of which has this number, and say how the game ended; None if it has not, or no more.

        Lines that are there already are not written again.
        """
        with self._writing() as write:
            _go_on(write, game, first, lines, end)

    def retag(self, game: int, tags: Mapping[str, str]) -> None:
        """Replace the tags of a game: somebody else plays it from now on."""
        with self._writing() as write:
            write("UPDATE games SET tags = ? WHERE id = ?", (json.dumps(dict(tags)), game))

    def delete(self, game: int) -> None:
        """Forget a game."""
        with self._writing() as write:
            write("DELETE FROM games WHERE id = ?", (game,))

    # --------------------------------------------------------------------------------------- looking

    def games(self) -> Sequence[Kept]:
        """Every game, the oldest first."""
        return self._read(_kept, f"{_GAMES} ORDER BY id")

    def game(self, number: int) -> Kept | None:
        """The game of this number; None if there is none."""
        return next(iter(self._read(_kept, f"{_GAMES} WHERE id = ?", number)), None)

    def unfinished(self) -> Kept | None:
        """The game that was begun last, if it has not ended; None if it has, or if there is none.

        One that was imported was begun elsewhere.
        """
        ours = f"tags NOT LIKE '%\"{IMPORTED}\": %'"
        last = next(iter(self._read(_kept, f"{_GAMES} WHERE {ours} ORDER BY id DESC LIMIT 1")), None)
        return last if last and last.end is None else None

    def lines(self, game: int) -> Sequence[Line]:
        """What happened in a game, in order."""
        return self._read(_line, _LINES, game)

    # ----------------------------------------------------------------------------------------- cells

    def facts(self, board: str) -> Mapping[int, str]:
        """What is known of a board's switches, by their numbers."""
        return dict(self._read(_fact, _CELLS, board))

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
        if _identity(self._path) != self._file:
            # The database would go on writing to a file that nobody finds again.
            raise StoreLost(f"Games cannot be kept in {self._path}: the file was taken away or replaced.")
        try:
            with _telling(self._path):
                self._database.execute("BEGIN IMMEDIATE")
                yield lambda statement, values: self._database.execute(statement, values).fetchall()
                self._database.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._database.execute("ROLLBACK")
            raise

    def _read(self, each: Callable[[_Row], T], statement: str, *values: object) -> Sequence[T]:
        with _telling(self._path):
            try:
                return tuple(map(each, self._database.execute(statement, values)))
            except (ValueError, TypeError) as error:
                raise StoreLost(f"What is kept in {self._path} cannot be read: {error}.") from error


_GAMES = (
    "SELECT id, game, size, begun, start, tags, seed, ended, result, reason, "
    "(SELECT count(*) FROM lines WHERE lines.game = games.id) FROM games"
)
_LINES = "SELECT kind, text, at FROM lines WHERE game = ? ORDER BY number"
_CELLS = "SELECT switch, fact FROM cells WHERE board = ?"


def _begin(write: _Write, head: Head, lines: Sequence[Line], end: End | None = None) -> int:
    row = (head.begun, head.game, head.size, head.start, json.dumps(dict(head.tags)), head.seed)
    statement = "INSERT INTO games (begun, game, size, start, tags, seed) VALUES (?, ?, ?, ?, ?, ?) RETURNING id"
    number = int(write(statement, row)[0][0])
    _go_on(write, number, 1, lines, end)
    return number


def _go_on(write: _Write, game: int, first: int, lines: Sequence[Line], end: End | None) -> None:
    for number, line in enumerate(lines, first):
        write("INSERT OR IGNORE INTO lines VALUES (?, ?, ?, ?, ?)", (game, number, line.kind, line.text, line.at))
    how = (end.at, end.result, end.reason) if end else (None, "", "")
    # A row that says so already is not written again.
    write(
        "UPDATE games SET (ended, result, reason) = (?, ?, ?) "
        "WHERE id = ? AND (ended, result, reason) IS NOT (?, ?, ?)",
        (*how, game, *how),
    )


def _kept(row: _Row) -> Kept:
    number, game, size, begun, start, tags, seed, ended, result, reason, lines = row
    head = Head(str(game), str(size), float(begun), str(start), _tags(tags), str(seed))
    return Kept(number, head, lines, None if ended is None else End(float(ended), str(result), str(reason)))


def _tags(text: str) -> Mapping[str, str]:
    """The tags of a game; none where they cannot be read, for a game is more than they are."""
    try:
        return {str(name): str(value) for name, value in json.loads(text).items()}
    except (ValueError, TypeError, AttributeError):
        return _NO_TAGS


def _line(row: _Row) -> Line:
    kind, text, at = row
    return Line(str(kind), str(text), float(at))


def _fact(row: _Row) -> tuple[int, str]:
    switch, fact = row
    return int(switch), str(fact)


# ------------------------------------------------------------------------------------------- opening


class _Damaged(StoreLost):
    """The file is no sound database."""


@contextmanager
def _telling(path: Path) -> Generator[None]:
    """Say whatever goes wrong with a file in a sentence."""
    try:
        yield
    except StoreLost:
        raise
    except UnicodeDecodeError as error:
        # Names in a damaged schema are part of SQLite's sentence, and may be no text any more.
        raise _Damaged(f"Games cannot be kept in {path}: the file is damaged.") from error
    except (OSError, sqlite3.Error) as error:
        kind = _Damaged if _is_damage(error) else StoreLost
        raise kind(_why(path, error)) from error


def _open(path: Path) -> sqlite3.Connection:
    with _telling(path):
        _make_folder(path.parent)
        if path.is_dir():
            raise StoreLost(f"Games cannot be kept in {path}: it is a folder.")
        # As long as somebody looks at it, whoever closes the file again leaves it and its parts as they are.
        with _looking(path) as seen:
            database = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
            try:
                if not seen:
                    _check(database, path)
                _prepare(database, path)
                _sync_folder(path.parent)
            except BaseException:
                database.close()
                raise
    return database


@contextmanager
def _looking(path: Path) -> Generator[bool]:
    """Look at what stands in a file without being able to write it; whether it could be seen.

    Raises where it is not ours or not sound.
    """
    if not path.exists():
        yield False
        return
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", timeout=PATIENCE, uri=True)) as looking:
        seen = True
        try:
            _check(looking, path)
        except sqlite3.Error as error:
            if _is_damage(error):
                raise
            seen = False  # Perhaps something has to be put right first, which takes somebody who may write.
        yield seen


def _check(database: sqlite3.Connection, path: Path) -> None:
    version, whose, tables = database.execute(
        "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_master) "
        "FROM pragma_user_version, pragma_application_id"
    ).fetchone()
    if tables and whose != OURS:
        raise StoreLost(f"{path} is a database of another program, and is left as it is.")
    if not 0 <= version <= len(MIGRATIONS):
        raise StoreLost(f"{path} was written by a newer version of this program, and is left as it is.")
    (answer,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    if answer != "ok":
        raise _Damaged(f"Games cannot be kept in {path}: the file is damaged ({answer}).")


def _prepare(database: sqlite3.Connection, path: Path) -> None:
    for setting in _SETTINGS:
        database.execute(f"PRAGMA {setting}")
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version < len(MIGRATIONS):
        _migrate(database)
    database.text_factory = _text
    _rehearse(database, path)


_SETTINGS = (
    # An event writes one page and little else; a file that has others keeps them.
    "page_size = 1024",
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    "wal_autocheckpoint = 256",  # pages: about two games, which take no time to be moved
)


def _rehearse(database: sqlite3.Connection, path: Path) -> None:
    """Do once what a game will need: damage that no check finds had better show before one is played.

    What is wrong with the disk and not with the file is left to be found in earnest; the file may be read till then.
    """
    try:
        for look, values in ((_GAMES, ()), (_LINES, (0,)), (_CELLS, ("",))):
            database.execute(f"{look} LIMIT 1", values).fetchall()
        database.execute("BEGIN IMMEDIATE")
        _begin(lambda statement, values: database.execute(statement, values).fetchall(), Head("", "", 0.0), (Line(""),))
    except sqlite3.Error as error:
        if _code(error) in _DAMAGED_SCHEMA:
            raise _Damaged(f"Games cannot be kept in {path}: the file is damaged ({error}).") from error
    finally:
        if database.in_transaction:
            database.execute("ROLLBACK")


def _text(stored: bytes) -> str:
    """What is kept as text; damage in it costs a letter and not the game."""
    return stored.decode(errors="replace")


def _migrate(database: sqlite3.Connection) -> None:
    """Bring the schema up to date, all at once; another program may have done it a moment ago."""
    database.execute("BEGIN IMMEDIATE")
    (version,) = database.execute("PRAGMA user_version").fetchone()
    for statement in chain.from_iterable(MIGRATIONS[version:]):
        database.execute(statement)
    database.execute(f"PRAGMA application_id = {OURS}")
    database.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    database.execute("COMMIT")


def _is_damage(error: Exception) -> bool:
    return _code(error) in _DAMAGE or "unsupported file format" in str(error)


def _code(error: Exception) -> int:
    """What SQLite calls an error, whatever it adds on where it happened."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF


_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""What SQLite calls a file that is no sound database."""
_DAMAGED_SCHEMA = (*_DAMAGE, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT)
"""What it says where our own statements do not fit what stands in the file."""


def _put_aside(path: Path, now: datetime) -> Path:
    """Rename the damaged file, and what belongs to it, to a name that says when; never over another one."""
    dated = f"{path.name}.damaged-{now:%Y-%m-%dT%H-%M-%S}"
    names = (path.with_name(f"{dated}-{again}" if again else dated) for again in count())
    aside = next(name for name in names if not any(part.exists() for part in _parts(name)))
    try:
        # The file itself comes last: if the power fails in between, it is found damaged again.
        for part, put in zip(_parts(path), _parts(aside), strict=True):
            if part.exists():
                part.rename(put)
    except OSError as error:
        raise StoreLost(f"{path} is damaged, and cannot be put aside ({error.strerror or error}).") from error
    return aside


def _parts(path: Path) -> tuple[Path, ...]:
    """The files of which a database consists, the main one last."""
    return tuple(path.with_name(path.name + end) for end in ("-wal", "-shm", ""))


def _make_folder(folder: Path) -> None:
    """Make a folder and those above it, for its owner alone, and make their names durable."""
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    _sync_folder(folder.parent)


def _sync_folder(folder: Path) -> None:
    """Make the names of new files in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells a file from another one of the same name; None if there is none that can be seen."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _why(path: Path, error: Exception) -> str:
    said = (getattr(error, "strerror", None) or str(error)).lower()
    reason = next((reason for word, reason in _REASONS.items() if word in said), said or type(error).__name__)
    return f"Games cannot be kept in {path}: {reason}."


_REASONS = {
    "disk is full": "the disk is full",
    "no space": "the disk is full",
    "readonly": "it may only be read",
    "read-only": "it is on a disk that may only be read",
    "permission denied": "this user may not write there",
    "not a directory": "a file is in the place of its folder",
    "file exists": "a file is in the place of its folder",
    "unable to open": "nothing can be written there",
    "locked": "another program is using it",
    "disk i/o": "the disk does not answer properly",
    "malformed": "the file is damaged",
    "not a database": "the file is damaged",
    "utf-8": "what is kept there cannot be read",
    "foreign key": "the game is there no longer",
}
