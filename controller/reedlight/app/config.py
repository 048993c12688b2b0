"""The configuration: what one owner chose for one board, as a TOML text and as values.

    text ──SCHEMA──► values ──► Config

Every key has a default but the board's profile. A mistake is a ConfigError with file, key and reason.
"""

from __future__ import annotations

import logging
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from reedlight.app import thinking
from reedlight.app.profiles import profile, text_of
from reedlight.app.requests import Choice
from reedlight.app.seating import LONGEST_NAME, UNNAMED
from reedlight.board.fit import fit
from reedlight.board.kinds import Flag, Number, Text, Texts, Whole, Word
from reedlight.board.profile import ConfigError, Profile
from reedlight.board.tables import NEEDED, Key, Mistake, Schema, Table, Values, read_values
from reedlight.core.game import BadOption, Side
from reedlight.games import REGISTRY, make
from reedlight.scene.render import DIMMEST
from reedlight.session.settings import LEVELS, Commit, Guidance, Seat, Settings, Timing, seat

WHERE = Path("/etc/reedlight/reedlight.toml")
"""Where the configuration is unless another file is named."""
PORT = 8320
"""Where the page is found; no well-known program has it."""

_TIMING = Timing()
_SECONDS = Number(0.05, 60, "seconds")
_GUIDANCES = Word(tuple(each.value for each in Guidance))
_LABEL = r"[0-9A-Za-z]([0-9A-Za-z-]{0,61}[0-9A-Za-z])?"
_HOST = Text("an address, or a name of this machine", rf"{_LABEL}(\.{_LABEL}){{0,9}}|[0-9A-Fa-f:]{{2,39}}")
_NAME = r"[A-Za-z][A-Za-z0-9_-]{0,19}"
_PLAYER = Text(f"a name of 1 to {LONGEST_NAME} characters", rf"(?=.*\S).{{1,{LONGEST_NAME}}}")

PROFILE = Key("board.profile", Text("a board's name, or a file", r".{1,200}"), NEEDED, "the board, packaged or a file")
BRIGHTNESS = Key(
    "board.brightness", Number(DIMMEST, 1, "times full brightness"), 0.8, "how bright the lamps are, as the eye sees it"
)
GAME = Key("game.name", Word(tuple(REGISTRY)), "diablo", "the game that the board begins with")
SIZE: Key[str | None] = Key(
    "game.size", Text("a size of the game", r"[a-z0-9-]{1,20}"), None, "its size; the usual one if not given"
)
COMMIT = Key("play.commit", Word(tuple(each.value for each in Commit)), "settle", "when a move counts")
LIGHT_GUIDANCE = Key("play.guidance_light", _GUIDANCES, "full", "how much the lights tell the light side")
DARK_GUIDANCE = Key("play.guidance_dark", _GUIDANCES, "full", "how much the lights tell the dark side")
LIGHT_NAME = Key("play.name_light", _PLAYER, UNNAMED, "who plays the light side")
DARK_NAME = Key("play.name_dark", _PLAYER, UNNAMED, "who plays the dark side")
_SEAT = Text("person, computer-1 to computer-6, or engine-NAME", rf"person|computer-[1-{LEVELS}]|engine-{_NAME}")
LIGHT_SEAT = Key("play.light", _SEAT, "person", "who plays the light side: a person, or a program")
DARK_SEAT = Key("play.dark", _SEAT, "person", "the same for the dark side")
SECONDS = Key(
    "computer.seconds", Number(0.1, 600, "seconds"), thinking.SECONDS, "the longest that a computer thinks about a move"
)
ENGINES = Key(
    "computer.engines",
    Texts("NAME=COMMAND", rf"{_NAME}=\S.{{0,500}}"),
    (),
    "outside programs that may play, such as scan=/usr/games/scan --hub",
)
FOLLOW = Key("timing.follow", _SECONDS, _TIMING.follow, "a next piece lifted so long accepts the move before")
SETTLE = Key("timing.settle", _SECONDS, _TIMING.settle, "stillness that accepts a move")
GRACE = Key("timing.grace", _SECONDS, _TIMING.grace, "stillness after which the lights show what is wrong")
SERVED = Key("page.served", Flag(), default=True, meaning="whether the board has a page")
ADDRESS = Key(
    "page.address",
    _HOST,
    "127.0.0.1",
    "the page is shared with this address's network; 127.0.0.1 is this machine alone",
)
PAGE_PORT = Key("page.port", Whole(0, 65535), PORT, "the page's port; 0 for any")
GAMES: Key[str | None] = Key(
    "games.file",
    Text("a whole path such as /srv/games.db", r"/.{1,200}"),
    None,
    "where games are kept; in the service's own folder if not given",
)
LEVEL = Key("log.level", Word(("debug", "info", "warning")), "info", "how much is written to the journal")
TRACE: Key[str | None] = Key(
    "log.trace",
    Text("a whole path such as /srv/board.trace", r"/.{1,200}"),
    None,
    "the file to which everything is added that switches, buttons, page and dice say; none if not given",
)

SCHEMA = Schema(
    (
        Table("board", needed=True, chooser="", meaning="which board it is, and how bright"),
        Table("game", needed=False, chooser="", meaning="what is played first"),
        Table("play", needed=False, chooser="", meaning="how it is played, and by whom"),
        Table("computer", needed=False, chooser="", meaning="players that are programs"),
        Table("timing", needed=False, chooser="", meaning="the board's patience, in seconds"),
        Table("page", needed=False, chooser="", meaning="the page in a browser"),
        Table("games", needed=False, chooser="", meaning="what is kept of games"),
        Table("log", needed=False, chooser="", meaning="what is written down"),
    ),
    (
        *(PROFILE, BRIGHTNESS, GAME, SIZE, COMMIT, LIGHT_GUIDANCE, DARK_GUIDANCE, LIGHT_NAME, DARK_NAME),
        *(LIGHT_SEAT, DARK_SEAT, SECONDS, ENGINES),
        *(FOLLOW, SETTLE, GRACE, SERVED, ADDRESS, PAGE_PORT, GAMES, LEVEL, TRACE),
    ),
)
"""Every key, table by table."""


@dataclass(frozen=True, slots=True)
class Web:
    """Where the page is served."""

    address: str
    port: int


@dataclass(frozen=True, slots=True)
class Config:
    """What one owner chose."""

    board: Profile
    brightness: float
    choice: Choice
    web: Web | None
    """None where no page is wanted."""
    games: Path | None
    """The file of games; None for the service's own."""
    seconds: float
    """The longest that a computer thinks about an action."""
    engines: Mapping[str, Sequence[str]]
    """Outside engines: the command line of each name."""
    log_level: int
    trace: Path | None
    """The file of traces; None where none is written."""


def load(path: Path) -> Config:
    """The configuration in a file. Raises ConfigError."""
    return read(text_of(path), path)


def read(text: str, path: Path) -> Config:
    """The configuration that a text is; a profile in a file is looked for beside it. Raises ConfigError."""
    try:
        return _config(read_values(text, SCHEMA), path.parent)
    except Mistake as mistake:
        raise ConfigError(f"{path}: {mistake}") from None


def _config(values: Values, folder: Path) -> Config:
    board = _board(values, folder)
    engines = _engines(values)
    choice = replace(_choice(values, engines), engines=tuple(engines))
    try:
        fit(choice.game.grid, board)
    except ConfigError as error:
        raise Mistake(GAME.path, str(error)) from None
    return Config(
        board=board,
        brightness=values.of(BRIGHTNESS),
        choice=choice,
        web=Web(values.of(ADDRESS), values.of(PAGE_PORT)) if values.of(SERVED) else None,
        games=Path(file) if (file := values.of(GAMES)) else None,
        seconds=values.of(SECONDS),
        engines=engines,
        log_level=_LEVELS[values.of(LEVEL)],
        trace=Path(file) if (file := values.of(TRACE)) else None,
    )


def _board(values: Values, folder: Path) -> Profile:
    try:
        return profile(values.of(PROFILE), folder)
    except ConfigError as error:
        raise Mistake(PROFILE.path, str(error)) from None


def _engines(values: Values) -> Mapping[str, Sequence[str]]:
    """The command line of each outside engine."""
    found: dict[str, Sequence[str]] = {}
    for each in values.of(ENGINES):
        name, _, command = each.partition("=")
        if name in found:
            raise Mistake(ENGINES.path, f"the engine {name} is there twice")
        try:
            found[name] = shlex.split(command)
        except ValueError as error:
            raise Mistake(ENGINES.path, f"the command of {name} cannot be read ({str(error).lower()})") from None
    return found


def _seat(values: Values, key: Key[str], engines: Collection[str]) -> Seat:
    sitting = seat(values.of(key))
    if sitting.engine and sitting.engine not in engines:
        known = f"there {'is' if len(engines) == 1 else 'are'} {', '.join(engines)}" if engines else "there is none"
        raise Mistake(key.path, f"there is no engine {sitting.engine} under {ENGINES.path}; {known}")
    return sitting


def _choice(values: Values, engines: Collection[str]) -> Choice:
    try:
        game = make(values.of(GAME), values.of(SIZE))
    except BadOption as error:
        raise Mistake(SIZE.path, str(error)) from None
    return Choice(
        game,
        Settings(
            Commit(values.of(COMMIT)),
            {Side.LIGHT: Guidance(values.of(LIGHT_GUIDANCE)), Side.DARK: Guidance(values.of(DARK_GUIDANCE))},
            _timing(values),
            seats={Side.LIGHT: _seat(values, LIGHT_SEAT, engines), Side.DARK: _seat(values, DARK_SEAT, engines)},
        ),
        {Side.LIGHT: values.of(LIGHT_NAME), Side.DARK: values.of(DARK_NAME)},
    )


def _timing(values: Values) -> Timing:
    follow, settle, grace = values.of(FOLLOW), values.of(SETTLE), values.of(GRACE)
    if not follow < settle < grace:
        raise Mistake(SETTLE.path, f"the waits must grow: follow {follow:g}, settle {settle:g}, grace {grace:g}")
    return Timing(follow, settle, grace)


_LEVELS: Mapping[str, int] = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING}

EXAMPLE = """\
# The configuration of a Reedlight board; CONFIGURATION.md explains every key.

[board]
profile = "oak-8x8"           # or "budget-8x8", "hex-61", or your own file beside this one: "my-board.toml"
brightness = 0.8

[game]
name = "diablo"

[page]
address = "127.0.0.1"         # this machine alone; its address in your network shares the page there
"""
"""What a new board begins with."""
