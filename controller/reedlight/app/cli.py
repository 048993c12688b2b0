"""``reedlight``: the program of a real board.

A command is one row of ``COMMANDS``: its name, its help, what adds its options, what runs it. What is asked
in vain ends with one sentence and status 2; an interrupted command ends as it would have by itself.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from typing import TextIO

from reedlight.adapters.service import log_to
from reedlight.app import auditing, config, doctor, document, engine, games, replaying, tracing, wizard
from reedlight.app.commands import Command, parser_of, refuse
from reedlight.app.daemon import serve
from reedlight.app.profiles import profile
from reedlight.board.flash import pico_board
from reedlight.board.profile import ConfigError
from reedlight.board.toml import packaged, packaged_text

PROGRAM = "reedlight"
INTERRUPTED, PIPE_CLOSED = 130, 141
"""Exit statuses: a shell's for SIGINT and SIGPIPE."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line to its exit status."""
    if sys.stderr is None:
        sys.stderr = StringIO()  # nobody listens, and nobody else needs to know
    if sys.stdout is None:
        return refuse(PROGRAM, "standard output is closed")
    for number in _LIKE_CTRL_C:
        with contextlib.suppress(ValueError):  # only the main thread may say so, and only it is told
            signal.signal(number, signal.default_int_handler)
    try:
        status = _status(arguments)
        sys.stdout.flush()
    except ConfigError as error:
        return refuse(PROGRAM, str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard(sys.stdout)
        return PIPE_CLOSED
    except OSError as error:
        _discard(sys.stdout)
        return refuse(PROGRAM, f"cannot go on: {error.strerror or error}")
    return status


_LIKE_CTRL_C = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""What ends a command as Ctrl-C does, with the board dark: a terminal that is closed, and whoever asks politely."""


def _status(arguments: Sequence[str] | None) -> int:
    try:
        options = parser_of(PROGRAM, "The program of a Reedlight board.", COMMANDS).parse_args(arguments)
    except SystemExit as end:  # the parser's: its help or its refusal still has to be written out
        return int(end.code or 0)
    status: int = options.run(options)
    return status


def _discard(stream: TextIO) -> None:
    """Let what could not be written go, or the interpreter tries again when it closes its streams."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


# ------------------------------------------------------------------------------------------- run


def _add_run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--config", type=Path, default=config.WHERE, metavar="FILE", help="the configuration (default: %(default)s)"
    )
    parser.add_argument(
        "--trace", type=Path, metavar="FILE", help="add what switches, buttons, page and dice say to this file"
    )


def _run(options: Namespace) -> int:
    chosen = config.load(options.config)
    log_to(sys.stderr, chosen.log_level)
    with contextlib.suppress(ValueError, OSError):  # without a true file there is nowhere to say where it hung
        faulthandler.enable()
    return serve(chosen, trace=options.trace or chosen.trace)


# ---------------------------------------------------------------------------------------- config


def _add_config_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "what",
        choices=("check", "example", "document"),
        help="check a configuration, print one to begin with, or print what every key means",
    )
    parser.add_argument("file", nargs="?", type=Path, default=config.WHERE, help="(default: %(default)s)")


def _config(options: Namespace) -> int:
    return _CONFIG[options.what](options)


def _check(options: Namespace) -> int:
    found = config.load(options.file)
    _say(f"{options.file} is in order: {found.board.title}; {found.choice.game.title} comes first.")
    return 0


def _example(_options: Namespace) -> int:
    sys.stdout.write(config.EXAMPLE)
    return 0


def _document(_options: Namespace) -> int:
    sys.stdout.write(document.page())
    return 0


_CONFIG: dict[str, Callable[[Namespace], int]] = {"check": _check, "example": _example, "document": _document}

# ----------------------------------------------------------------------------------------- board


def _add_board_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "what",
        choices=("list", "show", "check", "firmware"),
        help="list the packaged boards, show one's file to copy and change, check a file, "
        "or print the firmware's board.py",
    )
    parser.add_argument("name", nargs="?", help="the board's name, or its file")


def _board(options: Namespace) -> int:
    if options.what == "list":
        for name in packaged():
            _say(f"{name:22} {profile(name).title}")
        return 0
    if options.name is None:
        raise ConfigError(f"board {options.what}: name a board or a file; there are {', '.join(packaged())}")
    return _BOARD[options.what](options.name)


def _show_board(name: str) -> int:
    sys.stdout.write(packaged_text(name))
    return 0


def _check_board(name: str) -> int:
    found = profile(name)
    _say(f"{name} is in order: {found.title} ({len(found.grid.cells)} cells).")
    return 0


def _firmware(name: str) -> int:
    sys.stdout.write(pico_board(profile(name)))
    return 0


_BOARD: dict[str, Callable[[str], int]] = {"show": _show_board, "check": _check_board, "firmware": _firmware}


def _say(text: str) -> None:
    print(text)  # noqa: T201  # this is a command


COMMANDS = (
    Command("run", "Run the board until it is stopped.", _add_run_arguments, _run),
    Command("doctor", "Find what is wrong with a board.", doctor.add_arguments, doctor.run),
    Command("wire", "Learn how a board is wired, by its lamps.", wizard.add_arguments, wizard.run),
    Command("config", "Check or explain the configuration.", _add_config_arguments, _config),
    Command("board", "The boards there are, and what their files say.", _add_board_arguments, _board),
    Command("games", "The games that the board has kept.", games.add_arguments, games.run),
    Command(
        "replay", "Show a game that was played, and play on from anywhere.", replaying.add_arguments, replaying.run
    ),
    Command("dice", "Prove that no roll of a game was chosen.", auditing.add_arguments, auditing.run),
    Command("engine", "Answer what is asked about a game, line by line.", engine.add_arguments, engine.run),
    Command("trace", "What came in at a board, told or played again.", tracing.add_arguments, tracing.run),
)
