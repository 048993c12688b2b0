"""The configuration: what one owner chose for one board, as a TOML text and as values.

    text ──SCHEMA──► values ──► Config

Every key has a default but the board's profile. A mistake is a ConfigError with file, key and reason.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reedlight.app.profiles import profile, text_of
from reedlight.app.requests import LONGEST_NAME, PERSON, Choice
from reedlight.board.fit import fit
from reedlight.board.kinds import Flag, Number, Text, Whole, Word
from reedlight.board.profile import ConfigError, Profile
from reedlight.board.tables import NEEDED, Key, Mistake, Schema, Table, Values, read_values
from reedlight.core.game import BadOption, Side
from reedlight.games import REGISTRY, make
from reedlight.scene.render import DIMMEST
from reedlight.session.settings import Commit, Guidance, Settings, Timing

WHERE = Path("/etc/reedlight/reedlight.toml")
"""Where the configuration is unless another file is named."""
PORT = 8320
"""Where the page is found; no well-known program has it."""

_TIMING = Timing()
_SECONDS = Number(0.05, 60, "seconds")
_GUIDANCES = Word(tuple(each.value for each in Guidance))
_LABEL = r"[0-9A-Za-z]([0-9A-Za-z-]{0,61}[0-9A-Za-z])?"
_HOST = Text("an address, or a name of this machine", rf"{_LABEL}(\.{_LABEL}){{0,9}}|[0-9A-Fa-f:]{{2,39}}")
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
LIGHT_NAME = Key("play.name_light", _PLAYER, PERSON, "who plays the light side")
DARK_NAME = Key("play.name_dark", _PLAYER, PERSON, "who plays the dark side")
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
        Table("timing", needed=False, chooser="", meaning="the board's patience, in seconds"),
        Table("page", needed=False, chooser="", meaning="the page in a browser"),
        Table("games", needed=False, chooser="", meaning="what is kept of games"),
        Table("log", needed=False, chooser="", meaning="what is written down"),
    ),
    (
        *(PROFILE, BRIGHTNESS, GAME, SIZE, COMMIT, LIGHT_GUIDANCE, DARK_GUIDANCE, LIGHT_NAME, DARK_NAME),
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
    choice = _choice(values)
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
        log_level=_LEVELS[values.of(LEVEL)],
        trace=Path(file) if (file := values.of(TRACE)) else None,
    )


def _board(values: Values, folder: Path) -> Profile:
    try:
        return profile(values.of(PROFILE), folder)
    except ConfigError as error:
        raise Mistake(PROFILE.path, str(error)) from None


def _choice(values: Values) -> Choice:
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
