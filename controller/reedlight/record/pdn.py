"""Portable Draughts Notation: games as text, read from many hands and written as PDN 3.0.

A file is a row of games; a game is tags, moves and an end:

    [White "?"]                             tags, in any order
    [Result "1-0"]
    [GameType "25,W,8,8,A0,0"]

    1. c3-d4 d6-e5 2. b2-c3 {calm} e7-d6 $1 (2... b6-a5) 3. e3-f4! *

PDN 3.0 ends every game with ``*`` and keeps the result in its tag; classic files end with the result
itself. Comments, variations and marks are read over. Results written by points (2-0, 1-1, 0-2) are read
as what they mean.

Reading never stops at a broken game: it is reported as a value, and the next header is looked for.
What a move means is not known here; ``replay`` asks the game it is handed.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Generic, TypeVar

from reedlight.core.game import BadNotation, Game, IllegalAction, Side, State
from reedlight.core.quoting import shortened

A = TypeVar("A", bound=Hashable)

GAME_TYPE = "25,W,8,8,A0,0"
"""Russian draughts: White begins on 8 x 8, squares are named by letter and digit, a1 at White's left."""
UNKNOWN = "*"
"""The result of a game that is not over, or whose end is not told."""
RESULTS: Mapping[str, str] = MappingProxyType(
    {
        "1-0": "1-0",
        "0-1": "0-1",
        "1/2-1/2": "1/2-1/2",
        "0-0": "0-0",
        "*": "*",
        "2-0": "1-0",
        "0-2": "0-1",
        "1-1": "1/2-1/2",
        "1/2": "1/2-1/2",
        "\u00bd-\u00bd": "1/2-1/2",
        "\u00bd": "1/2-1/2",
    }
)
"""Every way to write a result, and ours."""
BY_WINNER: Mapping[Side | None, str] = MappingProxyType({Side.LIGHT: "1-0", Side.DARK: "0-1", None: "1/2-1/2"})
ROSTER = ("Event", "Site", "Date", "Round", "White", "Black")
"""The tags that every written game has, with a question mark where nothing is known."""
LINE_LENGTH = 78
"""PDN asks for lines of less than 80 characters."""


@dataclass(frozen=True, slots=True)
class MoveText:
    """A move as it is written, and the line of the file it stands in."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class PdnGame:
    """One game of a file as it was written, not yet looked at by any rules."""

    number: int
    """Its place in the file, from 1."""
    line: int
    """The line in which it begins."""
    tags: Mapping[str, str]
    start: str | None
    """The position it begins with, where it is not the usual one."""
    moves: tuple[MoveText, ...]
    result: str


@dataclass(frozen=True, slots=True)
class BrokenGame:
    """A game of a file that cannot be read."""

    number: int
    line: int
    why: str

    @property
    def error(self) -> BadNotation:
        """What is wrong and where, to be raised."""
        return BadNotation(f"line {self.line}, game {self.number}: {self.why}")


@dataclass(frozen=True, slots=True)
class Played(Generic[A]):
    """A game gone through: its actions, and the states before, between and after them."""

    states: tuple[State[A], ...]
    actions: tuple[A, ...]


def read(text: str) -> Iterator[PdnGame | BrokenGame]:
    """The games of a file, in order."""
    draft = _Draft(1)
    for token in _tokens(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")):
        if draft.is_left_by(token):
            yield draft.finished(UNKNOWN)
            draft = _Draft(draft.number + 1)
        draft.take(token)
        # A second end, such as the star after a classic result, belongs to no game.
        if token.kind == "result" and draft.is_begun and not draft.depth:
            yield draft.finished(RESULTS[token.text])
            draft = _Draft(draft.number + 1)
    if draft.is_begun:
        yield draft.finished(UNKNOWN)


def replay(game: Game[A], record: PdnGame) -> Played[A]:
    """Go through a game by the rules; raises BadNotation or IllegalAction with line, game and move."""
    state = _first_state(game, record)
    states, actions = [state], list[A]()
    for move in record.moves:
        try:
            action = game.parse(state, move.text)
            state = state.apply(action)
        except (BadNotation, IllegalAction) as error:
            raise type(error)(
                f"line {move.line}, game {record.number}, move {shortened(move.text)}: {error}"
            ) from error
        actions.append(action)
        states.append(state)
    return Played(tuple(states), tuple(actions))


def write(game: Game[A], played: Played[A], tags: Mapping[str, str]) -> str:
    """A game as PDN 3.0, with a line end at its end; without a Result among the tags, its outcome tells."""
    heading = {name: tags.get(name, "?") for name in ROSTER}
    heading["Result"] = tags.get("Result", _result(played))
    heading["GameType"] = GAME_TYPE
    start = game.dump(played.states[0])
    if start != game.dump(game.start()):
        heading |= {"SetUp": "1", "FEN": start}
    heading |= {name: value for name, value in tags.items() if name not in heading and name not in {"SetUp", "FEN"}}
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in heading.items()]
    moves = textwrap.fill(" ".join(_numbered(game, played)), LINE_LENGTH, break_on_hyphens=False)
    return "\n".join((*lines, "", moves, ""))


def _first_state(game: Game[A], record: PdnGame) -> State[A]:
    if record.start is None:
        return game.start()
    try:
        return game.load(record.start)
    except BadNotation as error:
        raise BadNotation(f"line {record.line}, game {record.number}, FEN: {error}") from error


def _result(played: Played[A]) -> str:
    outcome = played.states[-1].outcome
    return UNKNOWN if outcome is None else BY_WINNER[outcome.winner]


def _numbered(game: Game[A], played: Played[A]) -> Iterator[str]:
    """The words of the moves: numbers before White's moves and before a first move of Black's, then the star."""
    number = 1
    for at, (state, action) in enumerate(zip(played.states, played.actions, strict=False)):
        if state.to_act is Side.LIGHT:
            yield f"{number}."
        elif at == 0:
            yield f"{number}..."
        yield game.notate(state, action)
        number += state.to_act is Side.DARK
    yield UNKNOWN


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


# ------------------------------------------------------------------------------------ words of a file


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    line: int
    value: str = ""


_WORD = re.compile(
    r"""
      (?P<passed> \s+ | \{[^}]*\} | ;[^\n]* | ^%[^\n]* | \$\d+ | [!?]+ | [.…]+ )
    | \[ \s* (?P<tag> \w+ ) \s+ "(?P<value> (?:[^"\\\n] | \\.)* )" \s* \]
    | (?P<open> \( )
    | (?P<close> \) )
    | (?P<result> \* | (?:1/2-1/2|1/2|½-½|½|1-0|0-1|0-0|2-0|0-2|1-1) (?=[\s{(;\[*]|\Z) )
    | (?P<number> \d+ (?: [.…]+ | (?=\s) ) )
    | (?P<move> \w [^\s{}()\[\];$!?*.…]* )
    """,
    re.VERBOSE | re.MULTILINE,
)
_NEXT_HEADER = re.compile(r"\n[ \t]*\n[ \t]*(?=\[)|\n(?=\[Event\b)")
_WRONG = {
    "{": "the comment that begins here is not closed",
    "[": 'this is no tag; one looks like [White "?"]',
}


def _tokens(text: str) -> Iterator[_Token]:
    """The words that matter; one ``wrong`` where there is none, and then on from the next header."""
    at, line = 0, 1
    while at < len(text):
        word = _WORD.match(text, at)
        if word is None:
            yield _Token("wrong", _WRONG.get(text[at], f"there is no sense in {text[at]!r}"), line)
            header = _NEXT_HEADER.search(text, at)
            end = header.end() if header else len(text)
        else:
            kind = word.lastgroup if word["tag"] is None else "tag"
            if kind not in {"passed", "number"}:
                yield _Token(str(kind), word[str(kind)], line, word["value"] or "")
            end = word.end()
        line += text.count("\n", at, end)
        at = end


@dataclass(slots=True)
class _Draft:
    """A game while it is read."""

    number: int
    line: int = 0
    tags: dict[str, str] = field(default_factory=dict[str, str])
    moves: list[MoveText] = field(default_factory=list[MoveText])
    depth: int = 0
    """How many variations are open."""
    broken: BrokenGame | None = None

    @property
    def is_begun(self) -> bool:
        return self.line > 0

    def is_left_by(self, token: _Token) -> bool:
        """Whether a token is the first of the next game, though this one's end was not told."""
        begins = self.moves or self.depth or self.broken or token.text in self.tags
        return token.kind == "tag" and bool(begins)

    def take(self, token: _Token) -> None:
        if not self.is_begun and token.kind != "result":
            self.line = token.line
        match token.kind:
            case "tag":
                self.tags[token.text] = re.sub(r"\\(.)", r"\1", token.value)
                self._check_game_type(token)
            case "open":
                self.depth += 1
            case "close":
                self.depth -= 1
                if self.depth < 0:
                    self._break(token.line, "a variation is closed that was not opened")
            case "move" if not self.depth:
                self.moves.append(MoveText(token.text, token.line))
            case "wrong":
                self._break(token.line, token.text)
            case _:
                pass

    def finished(self, end: str) -> PdnGame | BrokenGame:
        """The game with its end; a star leaves the result to the tag."""
        if self.depth > 0:
            self._break(self.line, "a variation is not closed")
        if self.broken is not None:
            return self.broken
        result = end if end != UNKNOWN else RESULTS.get(self.tags.get("Result", ""), UNKNOWN)
        start = self.tags.get("FEN") if self.tags.get("SetUp") != "0" else None
        return PdnGame(self.number, self.line, MappingProxyType(self.tags), start, tuple(self.moves), result)

    def _check_game_type(self, token: _Token) -> None:
        if token.text == "GameType" and token.value.partition(",")[0].strip() != "25":
            self._break(token.line, f"GameType {shortened(token.value)} is another game; Russian draughts is 25")

    def _break(self, line: int, why: str) -> None:
        """What went wrong first is what is told."""
        self.broken = self.broken or BrokenGame(self.number, line, why)
