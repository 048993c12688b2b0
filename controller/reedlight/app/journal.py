"""Keeping a game: everything that happens at a tabletop goes into the store before it is shown.

    tabletop ──effects──► Journal ──lines──► store (durable)  ──► then lamps and page

The journal follows a game by its effects alone and puts each into a line. ``keep`` writes what is not kept
yet, of one game all at once; it is called before anything is shown. While the store fails, lines are kept here
and everything goes on; the trouble is said, and the store is opened anew every RETRY seconds and given all
that it missed. A store that does not have what it was given before, because its file was damaged, deleted or
replaced, is given the whole game again.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reedlight.adapters.service import fact
from reedlight.adapters.sqlite import End, Games, Head, Kept, StoreLost
from reedlight.core.game import Game, Outcome, State
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
    kept_tags: Mapping[str, str] | None = None

    @property
    def is_kept(self) -> bool:
        """Whether the store has all of it."""
        if self.number is None or self.kept_lines != len(self.lines) or self.kept_end != self.end:
            return False
        return self.kept_tags == self.head.tags


@dataclass(frozen=True, slots=True)
class Found:
    """A game that was begun before and has not ended."""

    kept: Kept
    lines: tuple[Line, ...]
    game: Game[Any]
    past: Past[Any]


class Journal:
    """The journal of one board. ``clock`` tells seconds since the epoch, ``draw_seed`` so many secret bytes."""

    def __init__(
        self,
        open_store: Callable[[], Games],
        clock: Callable[[], float],
        draw_seed: Callable[[int], str] = secrets.token_hex,
    ) -> None:
        self._open = open_store
        self._clock = clock
        self._draw_seed = draw_seed
        self._store: Games | None = None
        self._retry = float("-inf")
        self._sitting: Sitting | None = None
        self._next: Sitting | None = None
        self._behind: list[Sitting] = []
        """Games played before this one, of which the store does not have all yet."""
        self.trouble = ""
        """Why nothing can be kept just now; empty while all is well."""
        self.notice = ""
        """What was odd about the store when it was opened; empty if nothing was."""

    # ------------------------------------------------------------------------------- before a game

    def unfinished(self) -> Found | None:
        """The game that was begun last, if it has not ended and can be gone on with."""
        try:
            store = self._opened()
            kept = store.unfinished()
            found = _replayed(kept, tuple(store.lines(kept.number))) if kept else None
            if found and (outcome := found.past.state.outcome):
                # By its lines it is over, though nobody came to say so.
                store.add(found.kept.number, 1, (), _end(outcome, self._clock()))
                return None
        except StoreLost as lost:
            self._lose(lost)
            return None
        return found

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
            sitting.kept_tags = found.kept.head.tags
        self._next = sitting

    def prepare(self, game: Game[Any], tags: Mapping[str, str], start: State[Any] | None = None) -> None:
        """Have the head of a new game ready, its secret seed too; it is kept once the game begins."""
        seed = self._draw_seed(fair.SEED) if game.start().chance() else ""
        head = Head(game.name, game.size, 0.0, game.dump(start) if start else "", tags, seed)
        self._next = Sitting(game, head, [start or game.start()])

    def forget_seed(self) -> None:
        """The players roll dice of their own in the game that is prepared: a seed would say nothing of it."""
        if self._next:
            self._next.head = replace(self._next.head, seed="")

    def retag(self, tags: Mapping[str, str]) -> None:
        """Somebody else plays from now on, in the game that is played or about to be."""
        sitting = self._next or self._sitting
        if sitting:
            sitting.head = replace(sitting.head, tags=tags)

    @property
    def seed(self) -> bytes:
        """The secret of the game that is played or about to be; empty for a game without dice of its own."""
        sitting = self._next or self._sitting
        return bytes.fromhex(sitting.head.seed) if sitting else b""

    def dice_tags(self) -> Mapping[str, str]:
        """What a record says of the dice: the hash of the seed, and once the game is over the seed."""
        sitting = self._next or self._sitting
        if sitting is None or not sitting.head.seed:
            return {}
        shown = {"DiceHash": fair.hash_of(self.seed)}
        return shown | {"DiceSeed": sitting.head.seed} if sitting.end else shown

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
        if self._sitting and not self._sitting.is_kept:
            self._behind.append(self._sitting)
        self._sitting, self._next = self._next, None
        if anew and self._sitting and self._sitting.number is None:
            self._sitting.head = replace(self._sitting.head, begun=self._clock())

    def keep(self, now: float) -> None:
        """Make everything durable that is not; returns when the disk has it, or the trouble is known."""
        if not (self._unkept or self.trouble) or (self._store is None and now < self._retry):
            return
        try:
            store = self._opened()
            for sitting in self._unkept:
                _keep(store, sitting)
            self._behind.clear()
            self.trouble = ""
        except StoreLost as lost:
            self._lose(lost)
            self._retry = now + RETRY

    @property
    def _unkept(self) -> list[Sitting]:
        """The games of which the store does not have all, the oldest first."""
        return [sitting for sitting in (*self._behind, self._sitting) if sitting and not sitting.is_kept]

    def close(self) -> None:
        """Let the store go; what could not be kept is tried once more."""
        self.keep(float("inf"))
        self._let_go()

    def _opened(self) -> Games:
        if self._store is None:
            self._store = self._open()
            if aside := self._store.put_aside:
                self.notice = f"The file of games was damaged; it is kept as {aside.name}."
                _log.warning(fact("damaged", kept_as=aside))
            for sitting in self._unkept:
                if sitting.number is not None and not _has(self._store, sitting.number, sitting):
                    sitting.number, sitting.kept_lines, sitting.kept_end, sitting.kept_tags = None, 0, None, None
        return self._store

    def _lose(self, lost: StoreLost) -> None:
        if str(lost) != self.trouble:
            _log.warning(fact("trouble", what=lost))
        self.trouble = str(lost)
        self._let_go()

    def _let_go(self) -> None:
        if self._store:
            self._store.close()
        self._store = None


def _replayed(kept: Kept, lines: tuple[Line, ...]) -> Found | None:
    """A kept game as it stands after its lines; None where its head cannot be read."""
    try:
        game = make(kept.head.game, kept.head.size)
        start = game.load(kept.head.start) if kept.head.start else game.start()
        bytes.fromhex(kept.head.seed)
    except ValueError as error:  # no such game, size, position or seed
        _log.warning(fact("unreadable", game=kept.number, why=error))
        return None
    past = replay(game, start, lines)
    if past.broken:
        _log.warning(fact("unreadable", game=kept.number, why=past.broken))
    return Found(kept, lines, game, past)


def _keep(store: Games, sitting: Sitting) -> None:
    """Give the store what it does not have of a game."""
    if sitting.number is None:
        sitting.number = store.begin(sitting.head, sitting.lines, sitting.end)
    else:
        store.add(sitting.number, sitting.kept_lines + 1, sitting.lines[sitting.kept_lines :], sitting.end)
        if sitting.kept_tags != sitting.head.tags:
            store.retag(sitting.number, sitting.head.tags)
    sitting.kept_lines, sitting.kept_end, sitting.kept_tags = len(sitting.lines), sitting.end, sitting.head.tags


def _has(store: Games, number: int, sitting: Sitting) -> bool:
    """Whether a store has all that was kept of a game, and not another game in its place."""
    kept = store.game(number)
    if kept is None or replace(kept.head, tags=sitting.head.tags) != sitting.head:
        return False
    return tuple(store.lines(number))[: sitting.kept_lines] == tuple(sitting.lines[: sitting.kept_lines])


def _end(outcome: Outcome, at: float) -> End:
    return End(at, outcome.winner.value if outcome.winner else DRAW, outcome.reason)
