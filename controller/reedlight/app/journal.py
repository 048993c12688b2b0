"""Keeping a game: everything that happens at a tabletop goes into the store before it is shown.

    tabletop ──effects──► Journal ──lines──► store (durable)  ──► then lamps and page

The journal follows a game by its effects alone and puts each into a line. ``keep`` writes what is not kept
yet; it is called before anything is shown. While the store fails, lines are kept here and everything goes on;
the trouble is said, and the store is opened anew every RETRY seconds and given all that it missed.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reedlight.adapters.service import fact
from reedlight.adapters.sqlite import End, Games, Head, Kept, StoreLost
from reedlight.core.game import BadNotation, BadOption, Game, Outcome, State
from reedlight.games import make
from reedlight.record import fair
from reedlight.record.journal import BACK, Line, Past, line_of, replay
from reedlight.session.events import Accepted, Began, Ended, Resumed, TakenBack
from reedlight.tabletop import Happening

RETRY = 10.0
"""Seconds until a store that failed is tried again: a disk that is full stays so for a while."""
DRAW = "draw"

_log = logging.getLogger("reedlight")


@dataclass
class Sitting:
    """One game as it is being kept."""

    game: Game[Any]
    head: Head
    states: list[State[Any]]
    """The first state, and the one after each part of the game that stands."""
    lines: list[Line] = field(default_factory=list[Line])
    end: End | None = None
    number: int | None = None
    """Its number in the store, once it is there."""
    kept_lines: int = 0
    kept_end: End | None = None

    @property
    def is_kept(self) -> bool:
        """Whether the store has all of it."""
        return self.number is not None and self.kept_lines == len(self.lines) and self.kept_end == self.end


@dataclass(frozen=True, slots=True)
class Found:
    """A game that was begun before and has not ended."""

    kept: Kept
    lines: tuple[Line, ...]
    game: Game[Any]
    past: Past[Any]


class Journal:
    """The journal of one board. ``clock`` tells seconds since the epoch."""

    def __init__(self, open_store: Callable[[], Games], clock: Callable[[], float]) -> None:
        self._open = open_store
        self._clock = clock
        self._store: Games | None = None
        self._retry = float("-inf")
        self._sitting: Sitting | None = None
        self._next: Sitting | None = None
        self.trouble = ""
        """Why nothing can be kept just now; empty while all is well."""
        self.notice = ""
        """What was odd about the store when it was opened; empty if nothing was."""

    # ------------------------------------------------------------------------------- before a game

    def unfinished(self) -> Found | None:
        """The game that was begun last, if it has not ended and can be gone on with."""
        kept, lines = None, ()
        try:
            store = self._opened()
            kept = store.unfinished()
            lines = tuple(store.lines(kept.number)) if kept else ()
        except StoreLost as lost:
            self._lose(lost)
        if kept is None:
            return None
        try:
            game = make(kept.head.game, kept.head.size)
            start = game.load(kept.head.start) if kept.head.start else game.start()
        except (BadOption, BadNotation) as error:
            _log.warning(fact("unreadable", game=kept.number, why=error))
            return None
        past = replay(game, start, lines)
        if past.broken:
            _log.warning(fact("unreadable", game=kept.number, why=past.broken))
        return Found(kept, lines, game, past)

    def go_on_with(self, found: Found) -> None:
        """Keep on keeping a game that was found, once it is resumed."""
        entries = found.past.entries
        first = entries[0].before if entries else found.past.state
        states = [first, *(entry.before for entry in entries[1:]), *([found.past.state] if entries else [])]
        sitting = Sitting(found.game, found.kept.head, states, list(found.lines))
        if found.past.broken:
            # What follows must not stand behind a line that nobody can read: the game goes on as a copy.
            sitting.lines = [line_of(found.game, entry.before, entry.action, entry.at) for entry in entries]
        else:
            sitting.number, sitting.kept_lines = found.kept.number, len(found.lines)
        self._next = sitting

    def prepare(self, game: Game[Any], tags: Mapping[str, str], start: State[Any] | None = None) -> None:
        """Have the head of a new game ready, its secret seed too; it is kept once the game begins."""
        seed = secrets.token_hex(fair.SEED) if game.start().chance() else ""
        head = Head(game.name, game.size, 0.0, game.dump(start) if start else "", tags, seed)
        self._next = Sitting(game, head, [start or game.start()])

    @property
    def seed(self) -> bytes:
        """The secret of the game that is played or about to be; empty for a game without dice of its own."""
        sitting = self._sitting or self._next
        return bytes.fromhex(sitting.head.seed) if sitting else b""

    def dice_tags(self) -> Mapping[str, str]:
        """What a record says of the dice: the hash of the seed, and once the game is over the seed."""
        if not self.seed:
            return {}
        shown = {"DiceHash": fair.hash_of(self.seed)}
        return shown | {"DiceSeed": self.seed.hex()} if self._sitting and self._sitting.end else shown

    # ------------------------------------------------------------------------------ during a game

    def observe(self, happening: Happening) -> None:
        """Put down what happened."""
        match happening:
            case Began() | Resumed():
                self._begin(isinstance(happening, Began))
            case Accepted(action) if self._sitting:
                sitting = self._sitting
                sitting.lines.append(line_of(sitting.game, sitting.states[-1], action, self._clock()))
                sitting.states.append(sitting.states[-1].apply(action))
            case TakenBack() if self._sitting:
                self._sitting.lines.append(Line(BACK, "", self._clock()))
                self._sitting.states.pop()
                self._sitting.end = None
            case Ended(outcome) if self._sitting:
                self._sitting.end = _end(outcome, self._clock())
            case _:
                pass

    def _begin(self, anew: bool) -> None:  # noqa: FBT001  # which of two effects it was
        last = self._next or self._sitting
        if last is None:
            return
        if anew and (self._next is None or self._next.lines):
            self.prepare(last.game, last.head.tags)  # not the one that was played or offered before
        self._sitting, self._next = self._next, None
        if anew and self._sitting:
            self._sitting.head = replace(self._sitting.head, begun=self._clock())

    def keep(self, now: float) -> None:
        """Make everything durable that is not; returns when the disk has it, or the trouble is known."""
        sitting = self._sitting
        if sitting is None or sitting.is_kept or (self._store is None and now < self._retry):
            return
        try:
            store = self._opened()
            if sitting.number is None:
                sitting.number = store.begin(sitting.head)
            if fresh := sitting.lines[sitting.kept_lines :]:
                store.add(sitting.number, sitting.kept_lines + 1, fresh)
                sitting.kept_lines = len(sitting.lines)
            if sitting.end != sitting.kept_end:
                store.end(sitting.number, sitting.end)
                sitting.kept_end = sitting.end
            self.trouble = ""
        except StoreLost as lost:
            self._lose(lost)
            self._retry = now + RETRY

    @property
    def deadline(self) -> float | None:
        """When to ``keep`` again what could not be kept; None if all is kept."""
        return self._retry if self._sitting and not self._sitting.is_kept and self._store is None else None

    def close(self) -> None:
        """Let the store go."""
        if self._store:
            self._store.close()
        self._store = None

    def _opened(self) -> Games:
        if self._store is None:
            self._store = self._open()
            if aside := self._store.put_aside:
                self.notice = f"The file of games was damaged; it is kept as {aside.name}."
                _log.warning(fact("damaged", kept_as=aside))
                self._forget_numbers()
        return self._store

    def _forget_numbers(self) -> None:
        """A new file has nothing of the game that is being played."""
        if self._sitting:
            self._sitting.number, self._sitting.kept_lines, self._sitting.kept_end = None, 0, None

    def _lose(self, lost: StoreLost) -> None:
        if str(lost) != self.trouble:
            _log.warning(fact("trouble", what=lost))
        self.trouble = str(lost)
        self.close()


def _end(outcome: Outcome, at: float) -> End:
    return End(at, outcome.winner.value if outcome.winner else DRAW, outcome.reason)
