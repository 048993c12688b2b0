"""Portable Draughts Notation: games as text, read from many hands and written as PDN 3.0.

A file is a row of games; a game is tags, moves and an end:

    [White "?"]                             tags, in any order
    [Result "1-0"]
    [GameType "25,W,8,8,A0,0"]

    1. c3-d4 d6-e5 2. b2-c3 {calm} e7-d6 $1 (2... b6-a5) 3. e3-f4! *

PDN 3.0 ends every game with ``*`` and keeps the result in its tag; classic files end with the result
itself. Variations and marks are read over. Results written by points (2-0, 1-1, 0-2) are read as what
they mean. What PDN has no place for stands where other programs pass over it:

    [UTCDate "2026.11.30"] [UTCTime "18:04:05"]     when the game began
    [Rules "federation"]                            the rules, where they are not the plain ones
    [Reason "Black resigned"]                       why it ended
    {[%egt 0:01:04.5]}    after a move              how long after the beginning it was made; [%emt] is read too
    {[%say White offer draw]}                       what a side declared
    {taken back: c3-d4}                             a comment like any other

Reading never stops at a broken game: it is reported as a value, and the next header is looked for.
What a move means is not known here; ``account`` asks the game it is handed.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Generic, TypeVar

from reedlight.core.game import BadNotation, Declaration, Game, IllegalAction, Side, State
from reedlight.core.quoting import shortened
from reedlight.record import times
from reedlight.record.account import DARK, DRAW, LIGHT, NEITHER, Account, Step, joined, result_of, tidy_tag
from reedlight.record.account import UNKNOWN as UNTOLD

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
_MEANING: Mapping[str, str] = MappingProxyType(
    {"1-0": LIGHT, "0-1": DARK, "1/2-1/2": DRAW, "0-0": NEITHER, UNKNOWN: UNTOLD}
)
_WRITTEN: Mapping[str, str] = MappingProxyType({meaning: text for text, meaning in _MEANING.items()})
_BOARD = "8"
_NOT_TOLD = ("", "?")
ROSTER = ("Event", "Site", "Date", "Round", "White", "Black")
"""The tags that every written game has, with a question mark where nothing is known."""
_OWN = ("Result", "GameType", "SetUp", "FEN", "Rules", "Reason")
"""The tags that say what an account says by itself."""
LINE_LENGTH = 78
"""PDN asks for lines of less than 80 characters."""


@dataclass(frozen=True, slots=True)
class MoveText:
    """A move as it is written, and the line of the file it stands in."""

    text: str
    line: int
    comments: tuple[str, ...] = ()
    """What is said after it."""


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
    comments: tuple[str, ...] = ()
    """What is said before the first move."""

    @property
    def size(self) -> str:
        """The option that makes its game: the board, and the rules where a tag names them."""
        rules = self.tags.get("Rules", "")
        return f"{_BOARD}-{rules.lower()}" if rules not in _NOT_TOLD else _BOARD


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


# ---------------------------------------------------------------------------------------- going through


def account(game: Game[A], record: PdnGame) -> Account[A]:
    """Go through a game by the rules; raises BadNotation or IllegalAction with line, game and ply."""
    told = {name: tidy_tag(value) for name, value in record.tags.items() if name not in _OWN}
    begun = times.read(" ".join(told.get(name, "") for name in _BEGUN))
    walk = _Walk(game, _first_state(game, record), begun)
    known = {name: value for name, value in told.items() if name not in ROSTER or value not in _NOT_TOLD}
    walk.listen(record.comments)
    for ply, move in enumerate(record.moves, 1):
        try:
            walk.play(move.text)
        except (BadNotation, IllegalAction) as error:
            where = f"line {move.line}, game {record.number}, ply {ply}, move {shortened(move.text)}"
            raise type(error)(f"{where}: {error}") from error
        walk.listen(move.comments)
    return Account(
        game=game,
        start=walk.start,
        steps=walk.steps,
        tags={name: value for name, value in known.items() if not begun or name not in _BEGUN},
        begun=begun,
        result=_checked_result(walk.state, record),
        reason=tidy_tag(record.tags.get("Reason", "")),
        comment=walk.comment,
        line=record.line,
    )


_BEGUN = ("UTCDate", "UTCTime")
_COMMAND = re.compile(r"\[%(egt|emt|say) ([^\[\]]*)\]")


class _Walk(Generic[A]):
    """The way through a game: its steps so far, and the commands in its comments as what they mean."""

    def __init__(self, game: Game[A], start: State[A], begun: float) -> None:
        self.game, self.start, self.state = game, start, start
        self._steps: list[Step[A]] = []
        self._said: list[list[str]] = [[]]
        """What is said before the first step, and after each."""
        self._begun = begun
        self._colours = {colour.lower(): side for side, colour in game.sides.items()}

    def play(self, text: str) -> None:
        """Go on by a move."""
        self._go_on(self.game.parse(self.state, text))

    def _go_on(self, action: A | Declaration) -> None:
        self.state = self.state.apply(action)
        self._steps.append(Step(action))
        self._said.append([])

    @property
    def comment(self) -> str:
        """What is said before the first step."""
        return joined(*self._said[0])

    @property
    def steps(self) -> tuple[Step[A], ...]:
        """The steps so far, with what is said of them."""
        said = zip(self._steps, self._said[1:], strict=True)
        return tuple(replace(step, comment=joined(*comments)) for step, comments in said)

    def listen(self, comments: Iterable[str]) -> None:
        """Take in what is said after the latest step."""
        for comment in map(tidy_tag, comments):
            end = 0
            for command in _COMMAND.finditer(comment):
                self._say(comment[end : command.start()])
                if not self._MEANT[command[1]](self, command[2]):
                    self._say(command[0])
                end = command.end()
            self._say(comment[end:])

    def _say(self, text: str) -> None:
        self._said[-1].append(text.strip())

    def _since_the_beginning(self, text: str) -> bool:
        return self._made_after(self._begun, text)

    def _since_the_last(self, text: str) -> bool:
        return self._made_after(self._steps[-2].at if len(self._steps) > 1 else self._begun, text)

    def _made_after(self, moment: float, text: str) -> bool:
        """Whether the latest step can be said to have been made so long after a moment."""
        at = times.of_game(self._begun, times.after(moment, text) or 0.0) if moment else 0.0
        if at and self._steps:
            self._steps[-1] = replace(self._steps[-1], at=at)
        return bool(at and self._steps)

    def _declared(self, text: str) -> bool:
        """Whether a side can have declared this now; if so, it did."""
        colour, _, speech = text.lower().partition(" ")
        side = self._colours.get(colour)
        found = [each for each in self.state.declarations() if (each.side, each.speech.value) == (side, speech)]
        if found:
            self._go_on(found[0])
        return bool(found)

    _MEANT = MappingProxyType({"egt": _since_the_beginning, "emt": _since_the_last, "say": _declared})
    """What each command does; false where it cannot mean that here, so that it is a comment."""


def _first_state(game: Game[A], record: PdnGame) -> State[A]:
    if record.start is None:
        return game.start()
    try:
        return game.load(record.start)
    except BadNotation as error:
        raise BadNotation(f"line {record.line}, game {record.number}, FEN: {error}") from error


def _checked_result(state: State[A], record: PdnGame) -> str:
    """The result, which may say more than the play, where somebody gave up, but nothing else."""
    written, played = _MEANING[record.result], result_of(state)
    if written and played and written != played:
        told = f"the result says {record.result}, but the game ends with {_WRITTEN[played]}"
        raise BadNotation(f"line {record.line}, game {record.number}: {told}")
    return played or written


# --------------------------------------------------------------------------------------------- writing


def text_of(account: Account[A]) -> str:
    """A game as PDN 3.0, with a line end at its end."""
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in _heading(account).items()]
    return "\n".join((*lines, "", *moves_text(account), ""))


def _heading(account: Account[A]) -> Mapping[str, str]:
    game, tags = account.game, account.tags
    heading = {name: tags.get(name) or "?" for name in ROSTER}
    heading |= {"Result": _WRITTEN[account.result], "GameType": GAME_TYPE}
    start = game.dump(account.start)
    if start != game.dump(game.start()):
        heading |= {"SetUp": "1", "FEN": start}
    if rules := game.size.partition("-")[2]:
        heading["Rules"] = rules
    heading |= {name: tags[name] for name in tags if name not in (*ROSTER, *_OWN) and re.fullmatch(r"\w+", name)}
    if account.begun:
        heading |= dict(zip(_BEGUN, f"{times.moment(account.begun):%Y.%m.%d %H:%M:%S}".split(), strict=True))
    return heading | ({"Reason": account.reason} if account.reason else {})


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def moves_text(account: Account[A]) -> Iterator[str]:
    """The moves with what is said of them, numbered, in lines of less than 80 characters."""
    return _filled(_words(account))


def _words(account: Account[A]) -> Iterator[str]:
    """Numbers before White's moves and before a first move of Black's, moves, comments, then the star."""
    number, is_first = 1, True
    yield from _remarks(account.comment)
    for entry, step in zip(account.past.entries, account.steps, strict=True):
        if isinstance(step.action, Declaration):
            yield _command("say", f"{account.game.sides[step.action.side]} {step.action.speech.value}")
        else:
            if entry.before.to_act is Side.LIGHT:
                yield f"{number}."
            elif is_first:
                yield f"{number}..."
            yield account.game.notate(entry.before, entry.action)  # pyright: ignore[reportArgumentType]  # nothing else is left
            number += entry.before.to_act is Side.DARK
            is_first = False
        if account.begun and step.at:
            yield _command("egt", times.elapsed(account.begun, step.at))
        yield from _remarks(step.comment)
    yield UNKNOWN


_NO_BREAK = "\0"
"""Stands for a blank that must not become the end of a line; no text has it."""


def _command(name: str, value: str) -> str:
    """A command in a comment of its own, which is not divided by the end of a line."""
    return f"{{[%{name} {value}]}}".replace(" ", _NO_BREAK)


def _remarks(comment: str) -> Iterator[str]:
    """Comments, one a line; a line with braces in it must end with its line in the file."""
    for line in comment.split("\n") if comment else ():
        yield f"; {line}" if "{" in line or "}" in line else f"{{{line}}}"


def _filled(words: Iterable[str]) -> Iterator[str]:
    """The words in lines of less than 80 characters; what must end with its line has one."""
    row: list[str] = []
    for word in (*words, ""):
        if word and not word.startswith(";"):
            row.append(word)
            continue
        if row:
            filled = textwrap.fill(" ".join(row), LINE_LENGTH, break_on_hyphens=False, break_long_words=False)
            yield filled.replace(_NO_BREAK, " ")
        row.clear()
        if word:
            yield word


# ------------------------------------------------------------------------------------ words of a file


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    line: int
    value: str = ""


_WORD = re.compile(
    r"""
      (?P<passed> \s+ | ^%[^\n]* | \$\d+ | [!?]+ | [.…]+ )
    | ; (?P<line> [^\n]* )
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
_KINDS = {"line": "comment"}
_WRONG = {
    "{": "the comment that begins here is not closed",
    "[": 'this is no tag; one looks like [White "?"]',
}


def _tokens(text: str) -> Iterator[_Token]:
    """The words that matter; one ``wrong`` where there is none, and then on from the next header."""
    at, line, last_close = 0, 1, text.rfind("}")
    while at < len(text):
        word = _WORD.match(text, at)
        if text[at] == "{" and at < last_close:
            end = text.index("}", at) + 1
            yield _Token("comment", text[at + 1 : end - 1], line)
        elif word is None:
            yield _Token("wrong", _WRONG.get(text[at], f"there is no sense in {text[at]!r}"), line)
            header = _NEXT_HEADER.search(text, at)
            end = header.end() if header else len(text)
        else:
            kind = str(word.lastgroup) if word["tag"] is None else "tag"
            if kind not in {"passed", "number"}:
                yield _Token(_KINDS.get(kind, kind), word[kind], line, word["value"] or "")
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
    comments: list[list[str]] = field(default_factory=lambda: [[]])
    """What is said before the first move, and after each."""
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
        if not self.is_begun and token.kind not in {"result", "comment"}:
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
                self.comments.append([])
            case "comment" if self.is_begun and not self.depth:
                self.comments[-1].append(token.text)
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
        first, *after = map(tuple, self.comments)
        moves = (replace(move, comments=said) for move, said in zip(self.moves, after, strict=True))
        return PdnGame(self.number, self.line, MappingProxyType(self.tags), start, tuple(moves), result, first)

    def _check_game_type(self, token: _Token) -> None:
        if token.text == "GameType" and token.value.partition(",")[0].strip() != "25":
            self._break(token.line, f"GameType {shortened(token.value)} is another game; Russian draughts is 25")

    def _break(self, line: int, why: str) -> None:
        """What went wrong first is what is told."""
        self.broken = self.broken or BrokenGame(self.number, line, why)
