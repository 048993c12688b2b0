"""The commands of ``reedlight-sim``: what each takes and does.

A command is one row of ``COMMANDS``: its name, its help, what adds its options, what runs it. How the
program ends, and on which streams, is told in ``cli``.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from reedlight.app import tracing
from reedlight.app.commands import Command, parser_of, refuse
from reedlight.board.profile import ConfigError
from reedlight.core.game import BadOption
from reedlight.core.quoting import quoted
from reedlight.games import REGISTRY, make
from reedlight.session.settings import Commit, Settings
from reedlight_sim import play
from reedlight_sim.hand import STYLES
from reedlight_sim.perform import Manner, Script, perform_all
from reedlight_sim.pico import NoMicroPython
from reedlight_sim.progress import Progress
from reedlight_sim.records import BadRecord, read_scripts
from reedlight_sim.soak import random_scripts

PROGRAM = "reedlight-sim"
WRONG = 1
"""Exit status: a record is not what the hand meant."""
MOST_GAMES = 1_000_000


def run(arguments: Sequence[str] | None) -> int:
    """Run one command line to its exit status; raises SystemExit where the parser has said all there is."""
    options = parser_of(PROGRAM, "Play Reedlight without hardware.", COMMANDS).parse_args(arguments)
    try:
        status: int = options.run(options)
    except (BadRecord, BadOption, ConfigError, NoMicroPython, play.PortInUse) as error:
        return refuse(PROGRAM, str(error))
    return status


# ----------------------------------------------------------------------------------------- perform, soak


def _add_perform_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="PDN, a Reedlight record, or games as JSON lines")
    _add_manner_arguments(parser, unseen=0.0, usual="0: all is shown")


def _perform(options: Namespace) -> int:
    scripts = read_scripts(options.file)
    return _run(scripts, len(scripts), options)


def _add_soak_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--game", required=True, choices=sorted(REGISTRY), help="the game")
    parser.add_argument("--size", help="the size of its board (default: the usual one)")
    parser.add_argument("--games", required=True, type=_number_of_games, metavar="N", help="how many games")
    _add_manner_arguments(parser, unseen=None, usual="0 tidily, 0.1 sloppily")


def _soak(options: Namespace) -> int:
    game = make(options.game, options.size)
    return _run(random_scripts(game, options.games, options.seed), options.games, options)


def _add_manner_arguments(parser: ArgumentParser, unseen: float | None, usual: str) -> None:
    parser.add_argument(
        "--hand", choices=sorted(STYLES), default="tidy", help="how pieces are moved (default: %(default)s)"
    )
    parser.add_argument("--seed", type=_seed, default=1, metavar="N", help="same seed, same run (default: %(default)s)")
    play.add_commit_argument(parser)
    play.add_depth_arguments(parser)
    play.add_trace_argument(parser)
    parser.add_argument(
        "--unseen",
        type=_share,
        default=unseen,
        metavar="SHARE",
        help=f"share, 0 to 1, of the merges and removals that are hidden from the switches (default: {usual})",
    )


def _manner(options: Namespace) -> Manner:
    style = STYLES[options.hand]
    unseen = style.unseen if options.unseen is None else options.unseen
    return Manner(style, Settings(commit=Commit(options.commit)), unseen, options.seed, play.depth_of(options))


def _run(scripts: Iterable[Script], games: int, options: Namespace) -> int:
    manner, progress = _manner(options), Progress(games, sys.stderr)
    try:
        with play.recording(options) as recorder:
            watched = replace(manner, watch=partial(play.watch, recorder)) if recorder else manner
            tally = perform_all(scripts, watched, progress.report, progress.show)
    finally:
        progress.clear()
    print(tally)  # noqa: T201  # this is a command
    return WRONG if tally.wrong else 0


def _number_of_games(text: str) -> int:
    # Length first: Python refuses to read thousands of digits.
    if len(text) > 20 or not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= MOST_GAMES:
        raise ArgumentTypeError(f"{quoted(text)} is no number of games from 1 to {MOST_GAMES}")
    return int(text)


def _seed(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ArgumentTypeError(f"{quoted(text)} is no whole number that can be a seed") from None


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ArgumentTypeError(f"{quoted(text)} is no share from 0 to 1")
    return share


COMMANDS = (
    Command("play", "Play on a simulated board, on a page in the browser.", play.add_arguments, play.run),
    Command("perform", "Perform the games of a file and compare the record.", _add_perform_arguments, _perform),
    Command("soak", "Perform random legal games and compare the record.", _add_soak_arguments, _soak),
    Command("replay-trace", "Play a trace again and compare.", tracing.add_play_arguments, tracing.run),
)
