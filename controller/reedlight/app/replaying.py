"""``reedlight replay``: runs the board with a game that was played, shown step by step.

    reedlight replay holiday.pdn --game 3      a game of a file
    reedlight replay 12                        a game that the board has kept

NEXT goes on, BACK goes back, GO plays on from the position that is shown; the page shows and does the same. It is the
daemon that runs, so the service must not: ``systemctl stop reedlight``.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import Any

from reedlight.adapters.service import log_to
from reedlight.app import config
from reedlight.app.daemon import serve
from reedlight.app.games import games_file, number, opened, told
from reedlight.app.records import game_in
from reedlight.board.fit import fit
from reedlight.record.account import Account


def add_arguments(parser: ArgumentParser) -> None:
    """What ``reedlight replay`` takes."""
    parser.add_argument("source", metavar="FILE|NUMBER", help="a file of games, or the number of a game that is kept")
    parser.add_argument(
        "--game", type=number, default=1, metavar="N", help="which game of the file (default: the first)"
    )
    parser.add_argument(
        "--config", type=Path, default=config.WHERE, metavar="FILE", help="the configuration (default: %(default)s)"
    )


def run(options: Namespace) -> int:
    """Show the game until the board is stopped. Raises ConfigError."""
    chosen = config.load(options.config)
    account = _account(options)
    fit(account.game.grid, chosen.board)
    log_to(sys.stderr, chosen.log_level)
    return serve(chosen, replay=account)


def _account(options: Namespace) -> Account[Any]:
    """The game that is meant: kept under a number, unless a file has that name."""
    path = Path(options.source)
    try:
        kept = number(options.source)
    except ArgumentTypeError:
        return game_in(path, options.game)
    if path.exists():
        return game_in(path, options.game)
    with opened(games_file(Namespace(file=None, config=options.config))) as games:
        return told(games, kept)[1]
