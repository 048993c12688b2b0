"""``reedlight dice verify FILE``: proves that no roll of a game was chosen, by its record alone.

    game 1: 34 rolls, all as the seed says                          proved
    game 2: roll 7 is 3-1, and by the seed it is 2-2                disproved
    game 3: nothing can be said: the game has no DiceSeed           neither

A board draws a secret seed for each game, shows its hash before the first roll and writes the seed into the record
once the game is over; whoever has both can do all rolls again. Exit status: 0 if every roll is proved, 1 if one is
disproved, 2 if nothing can be said.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reedlight.app.games import complain, say, speak_plainly
from reedlight.app.records import games_in
from reedlight.board.profile import ConfigError
from reedlight.core.game import Roll
from reedlight.record import fair
from reedlight.record.account import Account
from reedlight.record.keeping import Unreadable

PROVED, DISPROVED, UNKNOWN = 0, 1, 2
"""Exit statuses, and what is found of one game."""
HASH, SEED = "DiceHash", "DiceSeed"
"""The tags by which dice are audited."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What can be said of the dice of one game."""

    status: int
    said: str


def add_arguments(parser: ArgumentParser) -> None:
    """What ``reedlight dice`` takes."""
    actions = parser.add_subparsers(required=True, metavar="WHAT")
    text = "Prove by a record that no roll was chosen."
    verify = actions.add_parser("verify", help=text, description=text)
    verify.add_argument(
        "source", type=Path, metavar="FILE", help="Reedlight records, as `reedlight games export` writes"
    )


def run(options: Namespace) -> int:
    """Say of each game of a file whether its dice are proved. Raises ConfigError."""
    speak_plainly()
    found: list[int] = []
    for number, each in enumerate(games_in(options.source), 1):
        if isinstance(each, Unreadable):
            complain(f"{options.source}: {each.why}")
            found.append(UNKNOWN)
        elif each.game.start().chance():
            finding = audit(each)
            say(f"game {number}: {finding.said}")
            found.append(finding.status)
    if not found:
        raise ConfigError(f"{options.source}: no game in it has dice")
    return DISPROVED if DISPROVED in found else max(found)


def audit(account: Account[Any]) -> Finding:
    """What the seed in a game's tags says of its rolls."""
    missing = next((tag for tag in (SEED, HASH) if not account.tags.get(tag)), None)
    if missing:
        return Finding(UNKNOWN, f"nothing can be said: the game has no {missing}")
    seed = _bytes(account.tags[SEED])
    if len(seed) != fair.SEED:
        return Finding(UNKNOWN, f"nothing can be said: {SEED} is not {fair.SEED} bytes in hexadecimal")
    rolls = [(entry.action, entry.before.chance()) for entry in account.past.entries if isinstance(entry.action, Roll)]
    wrong = fair.verify(seed, account.tags[HASH], rolls)
    if wrong:
        return Finding(DISPROVED, wrong)
    return Finding(PROVED, f"{len(rolls)} {'roll' if len(rolls) == 1 else 'rolls'}, all as the seed says")


def _bytes(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""
