"""Accounts: one game told from its beginning to its end, of whichever kind it is.

    journal lines ──told──► Account ──► a file's text (``keeping``)
                  ◄─lines──         ◄──

An account has what stands: every action, roll and word with its time and the comments on it. What was taken back
is a comment, ``taken back: c3-d4``, where it happened. Which file an account came from, and where it is kept, is
not known here.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from reedlight.core.game import Correction, Declaration, Game, Roll, Side, State
from reedlight.record import journal, times
from reedlight.record.journal import ACT, BACK, NOTE, SAY, Entry, Line, Past

A = TypeVar("A", bound=Hashable)

LIGHT, DARK, DRAW, NEITHER, UNKNOWN = "light", "dark", "draw", "neither", ""
"""The results of a game: the winner's side, nobody's, lost by both, or not told."""
TAKEN_BACK = "taken back: "
_NO_TAGS: Mapping[str, str] = MappingProxyType({})
_OF_THE_GAME = ("Date", "Round")
"""Tags that, besides the players' names, tell two games apart in which the same was played."""
_NOT_TOLD = ("", "?", "????.??.??")


@dataclass(frozen=True, slots=True)
class Step(Generic[A]):
    """One thing that became part of a game, when (0 where nobody knows), and what is said of it."""

    action: A | Roll | Declaration | Correction
    at: float = 0.0
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Account(Generic[A]):
    """One game as it was played; every step is legal after the ones before it."""

    game: Game[A]
    start: State[A]
    steps: tuple[Step[A], ...] = ()
    tags: Mapping[str, str] = field(default_factory=lambda: _NO_TAGS)
    """The players by their colours, the date, and whatever else is known."""
    begun: float = 0.0
    """In whole seconds since the epoch; 0 where nobody knows."""
    result: str = UNKNOWN
    reason: str = ""
    comment: str = ""
    """What is said before the first step."""
    line: int = field(default=0, compare=False)
    """Where it begins in its file, counted from 1; 0 where it comes from none."""

    @property
    def past(self) -> Past[A]:
        """The history with the state before each of its parts."""
        entries = tuple(self._entries())
        state = entries[-1].before.apply(entries[-1].action) if entries else self.start
        return Past(entries, state)

    @property
    def moves(self) -> int:
        """How many actions of the players there are: no rolls, no words."""
        return sum(not isinstance(step.action, Roll | Declaration | Correction) for step in self.steps)

    def _entries(self) -> Iterator[Entry[A]]:
        state = self.start
        for step in self.steps:
            yield Entry(step.action, state, step.at)
            state = state.apply(step.action)


def result_of(state: State[Any]) -> str:
    """How a state ends a game; unknown where it does not."""
    if state.outcome is None:
        return UNKNOWN
    return DRAW if state.outcome.winner is None else state.outcome.winner.value


def tidy(comment: str) -> str:
    """A comment as every file can hold it: lines without blanks to spare and without signs that nobody sees."""
    lines = (" ".join("".join(filter(_is_seen, line)).split()) for line in comment.splitlines())
    return "\n".join(filter(None, lines))


def tidy_tag(value: str) -> str:
    """A tag's value as every file can hold it: one such line."""
    return " ".join(tidy(value).split())


def _is_seen(letter: str) -> bool:
    return letter.isprintable() or letter.isspace()


def joined(*comments: str) -> str:
    """Several comments as one."""
    return "\n".join(filter(None, comments))


# ----------------------------------------------------------------------------------------- journals


@dataclass(slots=True)
class _Stood:
    """A line that stands, and the comments on it; no line for what comes before the first."""

    line: Line | None
    comments: list[str] = field(default_factory=list[str])


def told(game: Game[A], start: State[A], lines: Iterable[Line], begun: float = 0.0) -> Account[A]:
    """What stands after the lines of a journal; where one cannot be read, the account ends and says so."""
    before, *stood = _standing(game, lines)
    past = journal.replay(game, start, [each.line for each in stood if each.line])
    begun = times.beginning(begun)
    steps = tuple(
        Step(entry.action, times.of_game(begun, entry.at), tidy(joined(*each.comments)))
        for entry, each in zip(past.entries, stood, strict=False)
    )
    account = Account(game, start, steps, begun=begun, comment=tidy(joined(*before.comments)))
    account = replace(
        account, result=result_of(past.state), reason=past.state.outcome.reason if past.state.outcome else ""
    )
    return _broken_off(account, past.broken) if past.broken else account


def _broken_off(account: Account[A], why: str) -> Account[A]:
    """The account with the reason why it ends here as the last comment."""
    said = tidy(f"What comes after this cannot be read: {why}")
    if not account.steps:
        return replace(account, comment=joined(account.comment, said))
    *others, last = account.steps
    return replace(account, steps=(*others, replace(last, comment=joined(last.comment, said))))


def _standing(game: Game[A], lines: Iterable[Line]) -> list[_Stood]:
    """The lines that were not taken back, and what was, as a comment where it happened."""
    stood, dropped = [_Stood(None)], list[_Stood]()
    for line in lines:
        if line.kind == BACK and len(stood) > 1:
            dropped.append(stood.pop())
            continue
        _note_dropped(game, stood[-1], dropped)
        if line.kind == NOTE:
            stood[-1].comments.append(line.text)
        else:
            stood.append(_Stood(line))
    _note_dropped(game, stood[-1], dropped)
    return stood


def _note_dropped(game: Game[A], on: _Stood, dropped: list[_Stood]) -> None:
    if not dropped:
        return
    for each in reversed(dropped):
        on.comments += each.comments
    on.comments.append(TAKEN_BACK + "; ".join(_said(game, each.line) for each in reversed(dropped) if each.line))
    dropped.clear()


def _said(game: Game[A], line: Line) -> str:
    """A line as people say it."""
    side, _, speech = line.text.partition(" ")
    colours = {each.value: colour for each, colour in game.sides.items()}
    said = {SAY: f"{colours.get(side, side)} {speech}", journal.RECOUNT: f"{journal.RECOUNT} {line.text}"}
    return said.get(line.kind, line.text)


def lines(account: Account[Any]) -> tuple[Line, ...]:
    """The lines of a journal in which all of this stands, comments too."""
    found = [Line(NOTE, account.comment)] if account.comment else []
    for entry, step in zip(account.past.entries, account.steps, strict=True):
        found.append(journal.line_of(account.game, entry.before, step.action, step.at))
        if step.comment:
            found.append(Line(NOTE, step.comment))
    return tuple(found)


def moves_of(lines: Iterable[Line], game: Game[Any]) -> int:
    """How many actions of the players stand after these lines, by the lines alone."""
    return sum(each.line is not None and each.line.kind == ACT for each in _standing(game, lines))


def played(lines: Iterable[Line], game: Game[Any]) -> Iterator[Line]:
    """What was done and stands after these lines, by the lines alone: no words, no comments, no times."""
    for each in _standing(game, lines):
        if each.line and each.line.kind != SAY:
            yield replace(each.line, at=0.0)


# --------------------------------------------------------------------------------------- comparing


def is_same_game(one: Account[Any], other: Account[Any]) -> bool:
    """Whether both tell of one game: the same was played from the same start, and nothing known of it differs."""
    if one.game != other.game or _played(one) != _played(other):
        return False
    if one.game.dump(one.start) != other.game.dump(other.start):
        return False
    if one.begun and other.begun and one.begun != other.begun:
        return False
    when = () if one.begun and other.begun else _OF_THE_GAME
    return all(_agree(one.tags, other.tags, name) for name in (*_players(one.game), *when))


def _played(account: Account[Any]) -> Sequence[Any]:
    """What was done; words are told by some files and not by others."""
    return [step.action for step in account.steps if not isinstance(step.action, Declaration)]


def _players(game: Game[Any]) -> Sequence[str]:
    return [game.sides[side] for side in (Side.LIGHT, Side.DARK)]


def _agree(one: Mapping[str, str], other: Mapping[str, str], name: str) -> bool:
    values = {value for tags in (one, other) if (value := tags.get(name, "")) not in _NOT_TOLD}
    return len(values) < 2
