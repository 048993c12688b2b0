"""``reedlight games``: what a board has kept of its games, and what comes from files and goes into them.

    list               a table, one line a game
    show NUMBER        the game as text, with a picture of where it ended
    export NUMBER      the game as a file that other programs read
    import FILE        the games of a file, each once
    delete NUMBER      forget a game

A number that is kept stays the game's; a game that is imported gets the next one. A file is never written over
unless that is asked for, and a game never deleted without being asked about.
"""

from __future__ import annotations

import os
import sys
import textwrap
import unicodedata
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

from reedlight.adapters.sqlite import IMPORTED, End, Games, Head, Kept, StoreLost
from reedlight.adapters.web.view import size_text
from reedlight.app import config
from reedlight.app.records import games_in
from reedlight.board.kinds import counted
from reedlight.board.profile import ConfigError
from reedlight.core.game import BadNotation, BadOption, Game, Side
from reedlight.core.quoting import quoted, shortened
from reedlight.games import make
from reedlight.record import account as accounts
from reedlight.record import fair, keeping, times
from reedlight.record.account import Account
from reedlight.record.journal import Line
from reedlight.record.keeping import Unreadable

SOME_BAD, REFUSED = 1, 2
"""Exit statuses: something of what was asked could not be done; nothing could."""
SERVICE = Path("/var/lib/reedlight")
"""Where the service of a board keeps its state."""
FILE = "games.db"
LONGEST_SENTENCE = 500
WIDTH = 80
"""Columns of a terminal that nobody has made wider."""
_SQLITE = b"SQLite format 3\0"


# -------------------------------------------------------------------------------------- arguments


def add_arguments(parser: ArgumentParser) -> None:
    """What ``reedlight games`` takes."""
    actions = parser.add_subparsers(required=True, metavar="WHAT")
    for name, (text, add, run_) in _ACTIONS.items():
        action = actions.add_parser(name, help=text, description=text)
        add(action)
        add_store_arguments(action)
        action.set_defaults(action=run_)


def add_store_arguments(parser: ArgumentParser) -> None:
    """Which games are meant: a file of games, or a configuration that names it."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--file", type=Path, metavar="GAMES.db", help="the file of games (default: as configured)")
    which.add_argument(
        "--config", type=Path, default=config.WHERE, metavar="FILE", help="the configuration (default: %(default)s)"
    )


def number(text: str) -> int:
    """A game's number as it is typed."""
    if not (text.isascii() and text.isdecimal() and 0 < len(text) < 10 and int(text) > 0):
        raise ArgumentTypeError(f"{quoted(text)} is no number of a game")
    return int(text)


def _add_nothing(_parser: ArgumentParser) -> None:
    pass


def _add_number(parser: ArgumentParser) -> None:
    parser.add_argument("number", type=number, metavar="NUMBER", help="the game's number in the list")


def _add_export(parser: ArgumentParser) -> None:
    _add_number(parser)
    parser.add_argument("to", nargs="?", type=Path, metavar="FILE", help="where to (default: standard output)")
    parser.add_argument("--force", action="store_true", help="write over a file that is there")


def _add_import(parser: ArgumentParser) -> None:
    parser.add_argument("source", type=Path, metavar="FILE", help="PDN, Reedlight records, or games as JSON lines")


def _add_delete(parser: ArgumentParser) -> None:
    _add_number(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(options: Namespace) -> int:
    """Do what is asked. Raises ConfigError."""
    speak_plainly()
    status: int = options.action(options)
    return status


def speak_plainly() -> None:
    """Let a terminal that cannot show a letter show a question mark."""
    out: object = sys.stdout
    if isinstance(out, TextIOWrapper):
        out.reconfigure(errors="replace")  # pyright: ignore[reportUnknownMemberType]  # of whatever it wraps


def say(text: str) -> None:
    """Say something to who asked."""
    print(text)  # noqa: T201  # this is a command


def complain(text: str) -> None:
    """Say what is wrong with something of what was asked."""
    print(shortened(text, LONGEST_SENTENCE), file=sys.stderr)  # noqa: T201  # this is a command


# ------------------------------------------------------------------------------------------ the store


def games_file(options: Namespace) -> Path:
    """The file of games that is meant. Raises ConfigError."""
    if options.file:
        return options.file
    is_configured = options.config != config.WHERE or config.WHERE.exists()
    return (config.load(options.config).games if is_configured else None) or _usual_folder() / FILE


def _usual_folder() -> Path:
    """The folder of the service, where there is one, or the user's own."""
    given = os.environ.get("STATE_DIRECTORY", "")
    if given:
        return Path(given)
    return SERVICE if SERVICE.is_dir() else Path.home() / ".local" / "state" / "reedlight"


@contextmanager
def opened(path: Path) -> Generator[Games]:
    """The store in a file that is there. Raises ConfigError, for everything that goes wrong with it too."""
    try:
        if not path.is_file():
            raise ConfigError(f"{path}: there is no such file of games")
        with path.open("rb") as file:
            begins = file.read(len(_SQLITE))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror or error})") from None
    if begins not in (b"", _SQLITE):
        raise ConfigError(f"{path}: is no file of games")
    with store(path) as games:
        yield games


@contextmanager
def store(path: Path) -> Generator[Games]:
    """The store in a file, which is made if it is not there. Raises ConfigError."""

    def leave_it() -> NoReturn:
        # A damaged file is put aside by the board itself, which needs one; here it is only looked at.
        raise StoreLost(f"{path} is damaged, and is left as it is.")

    try:
        games = Games(path, leave_it)
        try:
            yield games
        finally:
            games.close()
    except StoreLost as lost:
        raise ConfigError(str(lost).rstrip(".")) from None


def told(games: Games, number_: int) -> tuple[Kept, Account[Any]]:
    """A kept game and its account. Raises ConfigError where there is none, or none that can be read."""
    kept = games.game(number_)
    if kept is None:
        raise ConfigError(f"there is no game {number_}; `reedlight games list` shows which there are")
    return kept, account_of(kept, games.lines(number_))


def account_of(kept: Kept, lines: Sequence[Line]) -> Account[Any]:
    """What a kept game tells. Raises ConfigError where it is of no kind that there is."""
    head, end = kept.head, kept.end
    try:
        game = make(head.game, head.size)
        start = game.load(head.start) if head.start else game.start()
    except (BadOption, BadNotation) as error:
        raise ConfigError(f"game {kept.number} cannot be read: {error}") from None
    account = accounts.told(game, start, lines, head.begun)
    tags = {name: accounts.tidy_tag(str(value)) for name, value in head.tags.items() if name != IMPORTED}
    if account.begun and "Date" not in tags:
        tags["Date"] = keeping.dated(game, _local(account.begun).date())
    return replace(
        account,
        tags={**tags, **_dice_tags(head.seed, is_over=end is not None)},
        result=account.result or (end.result if end else accounts.UNKNOWN),
        reason=account.reason or (accounts.tidy_tag(end.reason) if end else ""),
    )


def _dice_tags(seed: str, *, is_over: bool) -> Mapping[str, str]:
    """What is told of the dice: that they were fixed, and once the game is over, how."""
    if not seed:
        return {}
    tags = {"DiceHash": fair.hash_of(bytes.fromhex(seed))}
    return tags | {"DiceSeed": seed} if is_over else tags


def _local(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC).astimezone()


# ---------------------------------------------------------------------------------------------- list


def _list(options: Namespace) -> int:
    path = games_file(options)
    with opened(path) as games:
        rows = [_row(kept, games.lines(kept.number)) for kept in games.games()]
    if not rows:
        say(f"There are no games in {path} yet.")
        return 0
    for line in _table(rows):
        say(line)
    return 0


_HEADINGS = ("No", "When", "Game", "Players", "Moves", "Result")
_Row = tuple[str, str, str, str, str, str]


def _row(kept: Kept, lines: Sequence[Line]) -> _Row:
    head = kept.head
    try:
        game = make(head.game, head.size)
    except BadOption:
        return (str(kept.number), _when(head), f"{head.game} {head.size}", "", "", "unreadable")
    players = " – ".join(head.tags.get(colour) or "?" for colour in game.sides.values())
    moves = accounts.moves_of(lines, game)
    name = f"{game.name.capitalize()} {game.size}"
    return (str(kept.number), _when(head), name, players, str(moves), _result(game, kept.end))


def _when(head: Head) -> str:
    begun = times.beginning(head.begun)
    if begun:
        return f"{_local(begun):%Y-%m-%d %H:%M}"
    return head.tags.get("Date", "").replace(".??", "").replace("????", "") or "?"


def _result(game: Game[Any], end: End | None) -> str:
    if end is None:
        return "unfinished"
    winners = {side.value: f"{game.sides[side]} won" for side in (Side.LIGHT, Side.DARK)}
    words = {accounts.DRAW: "draw", accounts.NEITHER: "both lost", accounts.UNKNOWN: "broken off"}
    return {**winners, **words}.get(end.result, end.result)


_RIGHT = frozenset(("No", "Moves"))
_MOST = {"When": 16, "Game": 22, "Result": 10}
"""Columns at most; the players have what is left."""


def _table(rows: Sequence[_Row]) -> Iterator[str]:
    """The rows below their headings, in as many columns as a terminal has."""
    columns = list(zip(_HEADINGS, *rows, strict=True))
    widths = [min(max(map(_width, column)), _MOST.get(column[0], WIDTH)) for column in columns]
    gaps = 2 * (len(widths) - 1)
    at = _HEADINGS.index("Players")
    widths[at] = min(widths[at], WIDTH - gaps - sum(widths) + widths[at])
    for row in (_HEADINGS, *rows):
        cells = (_cell(text, width, head in _RIGHT) for text, width, head in zip(row, widths, _HEADINGS, strict=True))
        yield "  ".join(cells).rstrip()


def _cell(text: str, width: int, is_right: bool) -> str:  # noqa: FBT001  # numbers are, words are not
    shown = _cut(accounts.tidy_tag(text), width)
    blanks = " " * (width - _width(shown))
    return blanks + shown if is_right else shown + blanks


def _cut(text: str, width: int) -> str:
    if _width(text) <= width:
        return text
    while _width(text) >= width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _width(text: str) -> int:
    """How many columns a text takes in a terminal."""
    return sum(_COLUMNS.get(unicodedata.east_asian_width(letter), 1) for letter in text if not _is_on_top(letter))


def _is_on_top(letter: str) -> bool:
    return unicodedata.combining(letter) > 0


_COLUMNS = {"W": 2, "F": 2}


# ---------------------------------------------------------------------------------------------- show


def _show(options: Namespace) -> int:
    with opened(games_file(options)) as games:
        kept, account = told(games, options.number)
    say("\n".join(_shown(kept, account)))
    return 0


def _shown(kept: Kept, account: Account[Any]) -> Iterator[str]:
    game, state = account.game, account.past.state
    yield f"Game {kept.number}: {game.title}, {size_text(game)}"
    yield ""
    facts = {name: value for name, value in account.tags.items() if value not in ("", "?")}
    if account.begun:
        facts["Begun"] = f"{_local(account.begun):%Y-%m-%d %H:%M}"
    facts["Result"] = _result(game, kept.end) + (f": {account.reason}" if account.reason else "")
    widest = max(map(len, facts))
    for name, value in facts.items():
        yield from textwrap.wrap(f"{name:<{widest}}  {value}", WIDTH, subsequent_indent=" " * (widest + 2))
    yield ""
    for line in keeping.moves(account):
        yield from textwrap.wrap(line, WIDTH, subsequent_indent="   ", break_on_hyphens=False)
    yield ""
    yield game.picture(state)
    if not (state.outcome or kept.end):
        yield ""
        yield game.advise(state).say


# -------------------------------------------------------------------------------------------- export


def _export(options: Namespace) -> int:
    with opened(games_file(options)) as games:
        _, account = told(games, options.number)
    text = keeping.write([account])
    if options.to is None:
        sys.stdout.write(text)
        return 0
    _write(options.to, text, _over if options.force else _new)
    say(f"Game {options.number} is in {options.to} now.")
    return 0


def _write(path: Path, text: str, how: Callable[[Path, bytes], None]) -> None:
    try:
        how(path, text.encode("utf-8", "replace"))
    except FileExistsError:
        raise ConfigError(f"{path}: is there already; --force writes over it") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written ({error.strerror or error})") from None
    except ValueError:
        raise ConfigError(f"{path.name!r}: a file cannot have this name") from None


def _new(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)


def _over(path: Path, content: bytes) -> None:
    """Write over a file all at once: what was there stays until the new one is whole."""
    if not path.is_file():
        path.write_bytes(content)
        return
    beside = path.with_name(f".{path.name}.new")
    beside.write_bytes(content)
    beside.replace(path)


# -------------------------------------------------------------------------------------------- import


def _import(options: Namespace) -> int:
    found = games_in(options.source)
    with store(games_file(options)) as games:
        shelf = _Shelf(games, options.source)
        for each in found:
            shelf.take(each)
    say(f"{options.source}: {shelf.said}.")
    return SOME_BAD if shelf.bad else 0


class _Shelf:
    """A store that takes games from a file, each once."""

    def __init__(self, games: Games, source: Path) -> None:
        self._games, self._source = games, source
        self._known: dict[object, list[Kept]] = {}
        for kept in games.games():
            self._remember(kept, games.lines(kept.number))
        self.good = self.again = self.bad = 0

    def take(self, found: Account[Any] | Unreadable) -> None:
        """Keep a game that is not there yet, or say what is wrong with it."""
        if isinstance(found, Unreadable):
            self.bad += 1
            complain(f"{self._source}: {found.why}")
            return
        lines = accounts.lines(found)
        if any(self._is(found, kept) for kept in self._known.get(_key(found.game, lines), ())):
            self.again += 1
            return
        kept = self._keep(found, lines)
        self._remember(kept, lines)
        self.good += 1

    def _is(self, found: Account[Any], kept: Kept) -> bool:
        try:
            return accounts.is_same_game(found, account_of(kept, self._games.lines(kept.number)))
        except ConfigError:
            return False

    def _keep(self, found: Account[Any], lines: Sequence[Line]) -> Kept:
        game = found.game
        start = game.dump(found.start)
        head = Head(
            game.name,
            game.size,
            found.begun,
            "" if start == game.dump(game.start()) else start,
            {**found.tags, IMPORTED: accounts.tidy_tag(self._source.name)},
        )
        last = max((step.at for step in found.steps), default=found.begun)
        end = End(last, found.result, found.reason) if found.result else None
        return Kept(self._games.begin(head, lines, end), head, len(lines), end)

    def _remember(self, kept: Kept, lines: Sequence[Line]) -> None:
        try:
            game = make(kept.head.game, kept.head.size)
        except BadOption:
            return
        self._known.setdefault(_key(game, lines), []).append(kept)

    @property
    def said(self) -> str:
        """What became of the games, in words."""
        parts = (
            (self.good, "kept"),
            (self.again, "there already"),
            (self.bad, "not readable"),
        )
        counts = [f"{counted(count, 'game')} {what}" for count, what in parts if count]
        return ", ".join(counts)


def _key(game: Game[Any], lines: Sequence[Line]) -> object:
    """What games that may be the same have in common, by their lines alone."""
    return game, tuple(accounts.played(lines, game))


# -------------------------------------------------------------------------------------------- delete


def _delete(options: Namespace) -> int:
    with opened(games_file(options)) as games:
        kept = games.game(options.number)
        if kept is None:
            raise ConfigError(f"there is no game {options.number}; `reedlight games list` shows which there are")
        if not options.yes and not _agreed(games, kept):
            say("Nothing is deleted.")
            return SOME_BAD
        games.delete(options.number)
    say(f"Game {options.number} is deleted.")
    return 0


def _agreed(games: Games, kept: Kept) -> bool:
    _, when, name, players, number_, result = _row(kept, games.lines(kept.number))
    moves = counted(int(number_ or 0), "move")
    unfinished = games.unfinished()
    if unfinished and unfinished.number == kept.number:
        say("The board goes on with this game when it is next switched on.")
    sys.stdout.write(f"Delete game {kept.number} ({when}, {name}, {players}, {moves}, {result})? [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


_Action = tuple[str, Callable[[ArgumentParser], None], Callable[[Namespace], int]]
_ACTIONS: Mapping[str, _Action] = {
    "list": ("List the games that are kept.", _add_nothing, _list),
    "show": ("Show a game and the position in which it ended.", _add_number, _show),
    "export": ("Write a game as a file that other programs read.", _add_export, _export),
    "import": ("Keep the games of a file.", _add_import, _import),
    "delete": ("Forget a game.", _add_delete, _delete),
}
