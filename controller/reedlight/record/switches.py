"""Traces of switches: what came in at a table, line by line, so that it can come in again.

    reedlight trace 1
    game draughts 8
    board oak-8x8
    begun 2026-11-30T18:04:05Z
    sitting new
    settings commit=settle dark=full dice=board follow=0.15 grace=0.8 light=full settle=0.4
    cells a1=0 c1=2 e1=4 ...

    0 =ffffff
    3212.5 press go
    # 0 began
    402.117 -41
    388 -34
    421 +27
    # 400 accepted b6:d4
    12 down go
    31!2.4 roll 3-1

A file is one trace after another. A trace is a *head* and, after an empty line, one line for everything that
happened. The head says what was played on what:

    game      its name and size                  settings  as words, whatever the program has
    board     its name                           start     the first position, if not the game's own
    begun     when, if that is known             past      what was played before, a line of the journal each
    cells     the switch of every cell           profile   the board's file, a line each, if it is its owner's
    sitting   how it began: see SITTINGS

A line begins with the milliseconds since the line before (since the head, for the first), to thousandths if need
be. ``!`` and more milliseconds say that it came late: so long before it, something else had been due and was only
done after it. Then:

    =ffd5     the closed switches, switch n as bit n, in hexadecimal; now and then, and where it is shorter
    +27-41    the switches that have closed and opened since the last report
    down go   the buttons that are down; nothing after ``down``: none is
    lost      the buttons cannot be heard any more
    roll 3-1  the dice fell
    press go  told by nobody's switch, but on a page: see WORDS

A line that begins with ``#`` is a comment, and what is played back does not depend on it. Comments with a time,
which does not count for the next line, say what the program made of it: see MADE. The last one is END, unless the
program was torn off too.

Lines are only ever added. What a crash has torn off is marked with ``~`` when the file is next added to, and says
nothing, like a last line without its end. Nothing here knows a game, a file or what a line does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from reedlight.core.grid import Cell
from reedlight.core.quoting import quoted

FIRST_LINE = "reedlight trace 1"
TORN = "~"
"""Ends a line that was torn off."""
WHOLE_EVERY = 64
"""Reports of changes after which one says all switches: who looks in the middle need not add up from the top."""
MOST_SWITCHES = 4096
"""More than any board has; keeps a damaged file from meaning a number that fills the memory."""
LONGEST_TEXT = 4096
"""Characters of one text in a line."""
WORDS = ("press", "hold", "say", "play", "copy", "advised", "recount", "correct", "deaf", "heard", "settings")
"""What can be told: a button, a declaration, an action, stacks as they were counted, cells, new settings."""
MADE = ("began", "resumed", "accepted", "rolled", "said", "recounted", "took", "ended")
"""The first words of comments on what became part of a game; other comments say what was refused, asked or amiss."""
END = "the end"
"""The comment that ends a trace."""
SITTINGS = ("new", "resumed", "shown")
"""How a sitting begins: from the first position, after what was played before, or showing that."""
_MICROSECONDS = 1_000_000
_MOST_MICROSECONDS = 10**15
"""Some thirty years."""

_NO_TEXTS: Mapping[str, str] = MappingProxyType({})


class BadTrace(ValueError):
    """A text that is no trace; the message says in one sentence in which line, and why."""


@dataclass(frozen=True, slots=True)
class Head:
    """What was played on what, as words; which games and settings there are is not known here."""

    game: str
    size: str
    cells: Mapping[Cell, int]
    """The switch of every cell."""
    board: str = ""
    begun: str = ""
    settings: Mapping[str, str] = field(default_factory=lambda: _NO_TEXTS)
    start: str = ""
    past: tuple[tuple[str, str], ...] = ()
    """What was played before: kinds and texts, as in a journal."""
    profile: str = ""
    sitting: str = SITTINGS[0]


@dataclass(frozen=True, slots=True)
class Switches:
    """The switches of this mask are closed, and no others."""

    mask: int


@dataclass(frozen=True, slots=True)
class Buttons:
    """These buttons are down, and no others."""

    down: frozenset[str]


@dataclass(frozen=True, slots=True)
class Lost:
    """The buttons cannot be heard any more."""


@dataclass(frozen=True, slots=True)
class Fell:
    """The dice fell."""

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """Something was told on a page: one of WORDS, and about what."""

    word: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A comment: what the program made of it."""

    text: str


What = Switches | Buttons | Lost | Fell | Told | Note


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened, in seconds since the head."""

    at: float
    what: What
    late: float | None = None
    """Seconds for which something had been due that was done only afterwards; None if nothing had."""


@dataclass(frozen=True, slots=True)
class Trace:
    """One sitting."""

    head: Head
    lines: tuple[Line, ...] = ()


def is_made(text: str) -> bool:
    """Whether a comment is on what became part of a game."""
    return text.partition(" ")[0].rstrip(":") in MADE


# ------------------------------------------------------------------------------------------- writing


class Writer:
    """Writes one trace. Times only move forward; one that does not is written as the last one."""

    def __init__(self, head: Head) -> None:
        self._head = head
        self._at = 0
        self._mask: int | None = None
        self._since_whole = 0

    def head(self) -> str:
        """The lines that a trace begins with."""
        head = self._head
        entries = [
            ("game", f"{head.game} {head.size}"),
            ("board", head.board),
            ("begun", head.begun),
            ("sitting", head.sitting),
            ("settings", words_of(head.settings)),
            ("start", head.start),
            ("cells", " ".join(f"{cell}={switch}" for cell, switch in head.cells.items())),
            *(("past", f"{kind} {text}") for kind, text in head.past),
            *(("profile", f"|{line}") for line in head.profile.splitlines()),
        ]
        lines = [f"{key} {one_line(text)}".rstrip() for key, text in entries if text]
        return "\n".join((FIRST_LINE, *lines, "", ""))

    def line(self, line: Line) -> str:
        """One line, with its end."""
        at = max(self._at, round(line.at * _MICROSECONDS))
        waited = _milliseconds(at - self._at)
        if isinstance(line.what, Note):
            return f"# {waited} {one_line(line.what.text)}\n"
        late = "" if line.late is None else f"!{_milliseconds(max(0, round(line.late * _MICROSECONDS)))}"
        self._at = at
        return f"{waited}{late} {self._word(line.what)}".rstrip() + "\n"

    def _word(self, what: Switches | Buttons | Lost | Fell | Told) -> str:
        match what:
            case Switches(mask):
                return self._switches(mask)
            case Buttons(down):
                return " ".join(("down", *sorted(down)))
            case Lost():
                return "lost"
            case Fell(dice):
                return f"roll {'-'.join(map(str, dice))}"
            case _:
                return f"{what.word} {one_line(what.text)}"

    def _switches(self, mask: int) -> str:
        whole = f"={mask:x}"
        changes = None if self._mask is None else _changes(self._mask, mask)
        self._mask = mask
        self._since_whole += 1
        if not changes or len(changes) > len(whole) or self._since_whole > WHOLE_EVERY:
            self._since_whole = 0
            return whole
        return changes


def words_of(values: Mapping[str, str]) -> str:
    """Names and values as one line of words, in order."""
    return " ".join(f"{name}={value}" for name, value in sorted(values.items()))


def one_line(text: str) -> str:
    """The text without what would end its line or begin another, and without a mark of what was torn."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return printable[:LONGEST_TEXT].rstrip(f" {TORN}")


def _milliseconds(microseconds: int) -> str:
    whole, rest = divmod(microseconds, 1000)
    return f"{whole}.{rest:03}".rstrip("0") if rest else str(whole)


def _changes(before: int, after: int) -> str:
    changed, at, said = before ^ after, 0, list[str]()
    while changed >> at:
        if changed >> at & 1:
            said.append(f"{'+' if after >> at & 1 else '-'}{at}")
        at += 1
    return "".join(said)


# ------------------------------------------------------------------------------------------- reading


def read(text: str) -> tuple[Trace, ...]:
    """Every trace of a file whose head is whole. Raises BadTrace."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    *lines, _torn = text.split("\n")
    traces = tuple(_traces(_Lines(lines)))
    if not traces:
        raise BadTrace(f"there is no trace in it; one begins with the line {quoted(FIRST_LINE)}")
    return traces


class _Lines:
    """The lines of a file that say something, one after another, with their numbers."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._next = 0

    def take(self) -> str | None:
        """The next line that was not torn off; None at the end."""
        while self._next < len(self._lines):
            line = self._lines[self._next]
            self._next += 1
            if not line.endswith(TORN):
                return line.rstrip()
        return None

    def back(self) -> None:
        """Let the last line be taken again."""
        self._next -= 1

    def wrong(self, why: str) -> BadTrace:
        """What is wrong with the last line."""
        return BadTrace(f"line {self._next}: {why}")


def _traces(lines: _Lines) -> Iterator[Trace]:
    while (line := lines.take()) is not None:
        if line == FIRST_LINE:
            head = _head(lines)
            if head:
                yield Trace(head, tuple(_lines(lines)))
        elif line and not line.startswith("#"):
            raise lines.wrong(f"{quoted(line)} is not how a trace begins; that is {quoted(FIRST_LINE)}")


def _head(lines: _Lines) -> Head | None:
    """A head up to its empty line; None where it was torn off."""
    found: dict[str, list[str]] = {}
    while (line := lines.take()) != "":
        if line is None or line == FIRST_LINE:
            if line is not None:
                lines.back()
            return None
        key, _, text = line.partition(" ")
        if key not in _KEYS:
            raise lines.wrong(f"a head has no {quoted(key)}; it has {', '.join(_KEYS)}")
        if key in found and key not in _REPEATED:
            raise lines.wrong(f"{key} is there twice")
        found.setdefault(key, []).append(text)
    try:
        return _head_of(found)
    except ValueError as error:
        raise lines.wrong(f"the head before it is not in order: {error}") from None


_KEYS = ("game", "board", "begun", "sitting", "settings", "start", "cells", "past", "profile")
_REPEATED = ("past", "profile")


def _head_of(found: Mapping[str, list[str]]) -> Head:
    """Raises ValueError with a reason."""
    texts = {key: values[0] for key, values in found.items()}
    game, _, size = texts.get("game", "").partition(" ")
    if not game or not size:
        raise ValueError("it names no game and size")
    if texts.get("sitting", SITTINGS[0]) not in SITTINGS:
        raise ValueError(f"there is no sitting {quoted(texts['sitting'])}; there are {', '.join(SITTINGS)}")
    return Head(
        game,
        size,
        cells={Cell(cell): _switch(cell, text) for cell, text in values_of(texts.get("cells", "")).items()},
        board=texts.get("board", ""),
        begun=texts.get("begun", ""),
        settings=values_of(texts.get("settings", "")),
        start=texts.get("start", ""),
        past=tuple(_past(text) for text in found.get("past", ())),
        profile="".join(f"{line[1:]}\n" for line in found.get("profile", ())),
        sitting=texts.get("sitting", SITTINGS[0]),
    )


def _past(text: str) -> tuple[str, str]:
    kind, _, about = text.partition(" ")
    return kind, about


def values_of(text: str) -> dict[str, str]:
    """A line of words as names and values; raises ValueError where it is none."""
    pairs = [word.partition("=") for word in text.split()]
    if wrong := [name for name, equals, _ in pairs if not equals]:
        raise ValueError(f"{quoted(wrong[0])} has no value")
    return {name: value for name, _, value in pairs}


def _switch(cell: str, text: str) -> int:
    if not _NUMBER.fullmatch(text) or int(text) >= MOST_SWITCHES:
        raise ValueError(f"cell {quoted(cell)} has no switch {quoted(text)}")
    return int(text)


_NUMBER = re.compile(r"[0-9]{1,4}")
_TIME = r"[0-9]{1,15}(?:\.[0-9]{1,3})?"
_LINE = re.compile(rf"({_TIME})(?:!({_TIME}))? (.+)")
_NOTE = re.compile(rf"# ({_TIME}) (.+)")
_CHANGES = re.compile(r"(?:[+-][0-9]{1,4})+")
_WHOLE = re.compile(rf"=([0-9a-f]{{1,{MOST_SWITCHES // 4}}})")
_ROLL = re.compile(r"[0-9]{1,3}(?:-[0-9]{1,3}){0,7}")


def _lines(lines: _Lines) -> Iterator[Line]:
    """The lines of a trace, up to the next one."""
    now, mask = 0, 0
    while (text := lines.take()) is not None:
        if text == FIRST_LINE:
            lines.back()
            return
        if note := _NOTE.fullmatch(text):
            yield Line((now + _microseconds(note[1])) / _MICROSECONDS, Note(note[2]))
        if not text or text.startswith("#"):
            continue
        found = _LINE.fullmatch(text)
        if found is None:
            raise lines.wrong(f"{quoted(text)} is no line of a trace")
        now += _microseconds(found[1])
        if now > _MOST_MICROSECONDS:
            raise lines.wrong("no game is as long as this")
        try:
            what = _what(found[3], mask)
        except ValueError as error:
            raise lines.wrong(str(error)) from None
        mask = what.mask if isinstance(what, Switches) else mask
        late = None if found[2] is None else _microseconds(found[2]) / _MICROSECONDS
        yield Line(now / _MICROSECONDS, what, late)


def _microseconds(text: str) -> int:
    whole, _, rest = text.partition(".")
    return int(whole) * 1000 + int(rest.ljust(3, "0"))


def _what(text: str, mask: int) -> Switches | Buttons | Lost | Fell | Told:
    """Raises ValueError with a reason."""
    if whole := _WHOLE.fullmatch(text):
        return Switches(int(whole[1], 16))
    if _CHANGES.fullmatch(text):
        return Switches(_changed(text, mask))
    word, _, about = text.partition(" ")
    if word == "down":
        return Buttons(frozenset(about.split()))
    if word == "roll" and _ROLL.fullmatch(about):
        return Fell(tuple(map(int, about.split("-"))))
    if text == "lost":
        return Lost()
    if word in WORDS:
        return Told(word, about)
    raise ValueError(f"{quoted(text)} is nothing that comes in at a table")


def _changed(text: str, mask: int) -> int:
    for change in re.findall(r"[+-][0-9]+", text):
        switch, closes = int(change[1:]), change[0] == "+"
        if switch >= MOST_SWITCHES:
            raise ValueError(f"there is no switch {switch}")
        if bool(mask >> switch & 1) is closes:
            raise ValueError(f"switch {switch} cannot {'close' if closes else 'open'}: it is {_STATE[closes]} already")
        mask ^= 1 << switch
    return mask


_STATE = {True: "closed", False: "open"}
