"""Games as files, whichever kind they are: one function writes, one reads.

    what the text looks like               read as
    begins with {, with a key "turns"      one dice game a line
    begins with {, without                 one game of draughts a line: "moves", perhaps "fen", "result", "year"
    its first tag is [Game "diablo"]       Reedlight records: dice games; PDN numbers its games, [Game "1"]
    anything else                          PDN: Russian draughts

A game that cannot be read, or that the rules do not allow, is told by its place and a reason, and the next one is
read. Which games there are is not known here: who reads hands over what makes a game of a name and a size.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import Any, TypeAlias

from reedlight.core.game import BadNotation, BadOption, Game, IllegalAction
from reedlight.record import dice, pdn
from reedlight.record.account import Account

DRAUGHTS = "draughts"
"""The game that PDN is read as."""

Make = Callable[[str, str | None], Game[Any]]
_Json: TypeAlias = "Mapping[str, object]"
_FIRST_TAG = re.compile(r'^[ \t]*\[[ \t]*(\w+)[ \t]+"?(\w?)', re.MULTILINE)
_MOVES = ("moves", "pdn_moves", "moves_text")
"""The keys under which a line of JSON may have its moves."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A game of a file that cannot be read, by its number in the file and the line where it begins."""

    number: int
    line: int
    why: str
    """One sentence that begins with the line and the game."""


def ending(game: Game[Any]) -> str:
    """What the name of a file with games of this kind ends with."""
    return ".txt" if _has_dice(game) else ".pdn"


def dated(game: Game[Any], day: date) -> str:
    """A day as the date of such a file."""
    return day.isoformat() if _has_dice(game) else f"{day:%Y.%m.%d}"


def write(accounts: Sequence[Account[Any]]) -> str:
    """Games of one kind as the text of a file: PDN without dice, Reedlight records with them."""
    if all(_has_dice(account.game) for account in accounts):
        return dice.write(map(dice.record_of, accounts))
    return "\n".join(map(pdn.text_of, accounts))


def moves(account: Account[Any]) -> Iterator[str]:
    """What was played and said, as such a file has it, without tags and times."""
    timeless = replace(account, begun=0.0)
    if not _has_dice(account.game):
        return pdn.moves_text(timeless)
    turns = enumerate(dice.record_of(timeless).turns, 1)
    return (line for number, turn in turns for line in dice.turn_lines(number, turn))


def _has_dice(game: Game[Any]) -> bool:
    return bool(game.start().chance())


def read(text: str, make: Make) -> Iterator[Account[Any] | Unreadable]:
    """Every game of a file, in order, or why it cannot be read."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for number, (line, account) in enumerate(_games(text, make), 1):
        try:
            yield account(number)
        except (BadNotation, BadOption, IllegalAction) as error:
            yield Unreadable(number, line, _placed(line, number, error))


_Reading = tuple[int, Callable[[int], Account[Any]]]
"""The line of a game, and what makes its account once its number is known; raises ValueError."""


def _games(text: str, make: Make) -> Iterator[_Reading]:
    if text.lstrip().startswith("{"):
        return _json_games(text, make)
    first = _FIRST_TAG.search(text)
    if first and first[1] == "Game" and first[2].isalpha():
        return (_of_dice(found, make) for found in dice.read_each(text))
    return (_of_pdn(found, make) for found in pdn.read(text))


def _of_dice(found: dice.Record | dice.Unread, make: Make) -> _Reading:
    def account(_number: int) -> Account[Any]:
        if isinstance(found, dice.Unread):
            raise found.error
        game = make(found.game, found.size)
        # A size has several spellings: 05 and hexhex-5 are 5.
        return dice.account(game, replace(found, size=game.size))

    return found.line, account


def _of_pdn(found: pdn.PdnGame | pdn.BrokenGame, make: Make) -> _Reading:
    def account(_number: int) -> Account[Any]:
        if isinstance(found, pdn.BrokenGame):
            raise found.error
        return pdn.account(make(DRAUGHTS, found.size), found)

    return found.line, account


def _json_games(text: str, make: Make) -> Iterator[_Reading]:
    for line, written in enumerate(text.split("\n"), 1):
        if written.strip():
            found = _json(written)
            if found is None or "turns" in found:
                yield _of_dice(dice.read_json(written, line), make)
            else:
                yield line, _OfJson(found, line, make)


def _json(text: str) -> _Json | None:
    """The object that a line is; None where it is none, or broken."""
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None  # pyright: ignore[reportUnknownVariableType]  # keys are texts in JSON


@dataclass(frozen=True, slots=True)
class _OfJson:
    """A game of draughts in a line of JSON."""

    found: _Json
    line: int
    make: Make

    def __call__(self, number: int) -> Account[Any]:
        moves = tuple(pdn.MoveText(move, self.line) for move in self._moves())
        game = pdn.PdnGame(number, self.line, self._tags(), self._start(), moves, self._result())
        return pdn.account(self.make(DRAUGHTS, game.size), game)

    def _moves(self) -> Sequence[str]:
        moves = next((self.found[key] for key in _MOVES if key in self.found), None)
        if not isinstance(moves, list):
            raise BadNotation("a game needs a list of moves under moves, pdn_moves or moves_text")
        return list(map(str, moves))  # pyright: ignore[reportUnknownArgumentType]  # whatever it is, it has a text

    def _start(self) -> str | None:
        start = self.found.get("fen")
        if start is not None and not isinstance(start, str):
            raise BadNotation("the fen must be a text")
        return start

    def _result(self) -> str:
        return pdn.RESULTS.get(str(self.found.get("result", "")), pdn.UNKNOWN)

    def _tags(self) -> Mapping[str, str]:
        year = self.found.get("year")
        return MappingProxyType({"Date": f"{year}.??.??"} if type(year) is int else {})


_PLACED = re.compile(r"line ([0-9]+)(?:, game [0-9]+)?([,:]) ")


def _placed(line: int, number: int, error: Exception) -> str:
    """What is wrong, in one line that begins with the place."""
    said = " ".join(str(error).split())
    found = _PLACED.match(said)
    if found is None:
        return f"line {line}, game {number}: {said}"
    return f"line {found[1]}, game {number}{found[2]} {said[found.end() :]}"
