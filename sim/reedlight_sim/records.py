"""Records: the games that a file holds, ready to be performed.

    what the file looks like               read as
    a name that ends in .pdn               PDN: Russian draughts
    begins with {, with a key "turns"      one dice game as JSON a line
    begins with {, without                 one game of draughts as JSON a line: "moves", perhaps "fen"
    a line [Game "diablo"]                 Reedlight records: dice games; PDN numbers its games, [Game "1"]
    anything else                          PDN

A whole file is read and every step looked at by the rules before any of it is given out, so a file with
a mistake is performed not at all. The mistake is told in one sentence: file, line, game, ply, why. A game
that ended by resignation or agreement stops after its last move.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from stat import S_ISREG
from typing import Any, NewType

from reedlight.core.game import BadNotation, BadOption, Correction, Game, IllegalAction, State
from reedlight.core.quoting import shortened
from reedlight.games import make
from reedlight.record import dice, pdn
from reedlight_sim.perform import Script

DRAUGHTS = "draughts"

_GAME_TAG = re.compile(r'^[ \t]*\[Game[ \t]+"?[A-Za-z]', re.MULTILINE)
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f]")

_Json = dict[str, "_Json"] | list["_Json"] | str | int | float | bool | None

Where = NewType("Where", str)
"""The place of a game or move in its file, for a person: ``line 7, game 2``."""


class BadRecord(ValueError):
    """A file that can't be performed; the message names it and says where and why in one sentence."""


@dataclass(frozen=True, slots=True)
class _Moves:
    """One game of draughts as written: its place, its position, and its moves with theirs."""

    where: Where
    start: str | None
    moves: Sequence[tuple[Where, str]]


def read_scripts(path: Path) -> tuple[Script, ...]:
    """Every game of a file; raises BadRecord where one can't be read or played."""
    text = _text_of(path)
    try:
        scripts = tuple(_scripts(path, text))
    except (BadNotation, BadOption, IllegalAction) as error:
        raise BadRecord(f"{path}: {_one_line(error)}") from error
    if not scripts:
        raise BadRecord(f"{path}: there is no game in it")
    return scripts


def _text_of(path: Path) -> str:
    try:
        # A pipe or a device may never end, so it is not even opened.
        if not S_ISREG(path.stat().st_mode):
            raise BadRecord(f"{path}: is no regular file")
        raw = path.read_bytes()
    except OSError as error:
        raise BadRecord(f"{path}: cannot be read: {error.strerror or error}") from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")  # old collections write players' names so; moves are ASCII in all of them
    if _NO_TEXT.search(text):
        raise BadRecord(f"{path}: is no text but something binary")
    if not text.strip():
        raise BadRecord(f"{path}: is empty")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _scripts(path: Path, text: str) -> Iterator[Script]:
    if path.suffix.lower() == ".pdn":
        return _draughts_scripts(path, _pdn_games(text))
    if text.lstrip().startswith("{"):
        first = text.lstrip().partition("\n")[0]
        return _dice_scripts(path, text) if _has_turns(first) else _draughts_scripts(path, _json_games(text))
    if _GAME_TAG.search(text):
        return _dice_scripts(path, text)
    return _draughts_scripts(path, _pdn_games(text))


def _has_turns(line: str) -> bool:
    try:
        found: _Json = json.loads(line)
    except (ValueError, RecursionError):
        return False  # what is wrong is told when the line is read as a game
    return isinstance(found, dict) and "turns" in found


def _dice_scripts(path: Path, text: str) -> Iterator[Script]:
    for number, record in enumerate(dice.read(text), 1):
        try:
            game = make(record.game, record.size)
        except BadOption as error:
            raise BadOption(f"line {record.line}, game {number}: {error}") from error
        try:
            # A size has several spellings: 05 and hexhex-5 are 5.
            told = dice.account(game, replace(record, size=game.size))
        except (BadNotation, IllegalAction) as error:
            raise type(error)(f"game {number}, {error}") from error
        steps = tuple(step.action for step in told.steps)
        if any(isinstance(step, Correction) for step in steps):
            raise BadNotation(f"line {record.line}, game {number}: stacks were recounted, which no hand performs")
        yield Script(f"{path} game {number}", game, told.start, steps)


def _draughts_scripts(path: Path, games: Iterable[_Moves]) -> Iterator[Script]:
    game = make(DRAUGHTS)
    for written in games:
        state = _first_state(game, written)
        yield Script(f"{path} {written.where}", game, state, tuple(_played(game, state, written)))


def _first_state(game: Game[Any], written: _Moves) -> State[Any]:
    if written.start is None:
        return game.start()
    try:
        return game.load(written.start)
    except BadNotation as error:
        raise BadNotation(f"{written.where}, FEN: {error}") from error


def _played(game: Game[Any], state: State[Any], written: _Moves) -> Iterator[Any]:
    for ply, (where, text) in enumerate(written.moves, 1):
        try:
            action = game.parse(state, text)
            state = state.apply(action)
        except (BadNotation, IllegalAction) as error:
            raise type(error)(f"{where}, ply {ply}, move {shortened(text)}: {error}") from error
        yield action


def _pdn_games(text: str) -> Iterator[_Moves]:
    for found in pdn.read(text):
        if isinstance(found, pdn.BrokenGame):
            raise found.error
        moves = [(Where(f"line {move.line}, game {found.number}"), move.text) for move in found.moves]
        yield _Moves(Where(f"line {found.line}, game {found.number}"), found.start, moves)


def _json_games(text: str) -> Iterator[_Moves]:
    lines = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())
    for game, (number, line) in enumerate(lines, 1):
        yield _json_game(Where(f"line {number}, game {game}"), line)


def _json_game(where: Where, line: str) -> _Moves:
    try:
        found: _Json = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadNotation(f"{where}: this is not JSON: {error}") from error
    match found:
        case {"moves": [*moves]} | {"pdn_moves": [*moves]} | {"moves_text": [*moves]}:
            return _Moves(where, _json_start(where, found), [(where, str(move)) for move in moves])
        case _:
            raise BadNotation(f"{where}: a game needs a list of moves under moves, pdn_moves or moves_text")


def _json_start(where: Where, found: _Json) -> str | None:
    match found:
        case {"fen": str(fen)}:
            return fen
        case {"fen": fen} if fen is not None:
            raise BadNotation(f"{where}: the fen must be a text")
        case _:
            return None


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
