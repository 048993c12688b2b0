"""Thinking: whoever plays without hands is asked in a process of its own, and what it chose comes back as an event.

    tabletop ──NeedChoice, NeedHint──► Thinker ──question──► engine (a process)
             ◄──Copy, Spoken, Advised── Thinker ◄──answer──

The event loop never waits: a question is a task, and the next one ends it. An answer that comes when the game has
gone on is dropped. Levels, hints and reviews are given by Reedlight's own engine, other players by engines that the
owner has named; both are spoken to in the same way. One that fails is named in ``trouble``, and the game is as it was:
whoever sits there can be changed, or asked again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from reedlight.adapters.engine import (
    DRAW,
    Answer,
    Engine,
    EngineLost,
    EngineRefused,
    Question,
    Stopped,
    Wanted,
    hint,
    play,
    review,
)
from reedlight.app.engine import OWN
from reedlight.app.telling import dump
from reedlight.core.game import Declaration, Side, Speech, State
from reedlight.record.journal import Entry, Line, line_of
from reedlight.session.events import Accepted, Advised, Began, Copy, Event, NeedChoice, NeedHint, Spoken, TakenBack
from reedlight.session.session import Session
from reedlight.session.settings import LEVELS, Seat
from reedlight.tabletop import Happening

SECONDS = 5.0
"""The longest that a computer thinks about one action, unless the owner says otherwise."""
HINT_SECONDS = 2.0
"""The longest that a hint is thought about: somebody waits for it."""
REVIEW_SECONDS = 180.0
"""The longest that a review takes; most of a game's decisions are looked at within a minute."""
OWN_NAME = "reedlight"
"""What our own engine is called, where it has to be named."""
STRONGEST = Seat(level=LEVELS)
"""Who gives hints and reviews."""
_log = logging.getLogger("reedlight")

_OTHER_PLAYER = "GO asks again; the menu has other players."
ACCEPTED = "accept"
"""What an engine says to an offered draw that it takes; all else declines it."""


Work = Callable[[], Awaitable[Event | None]]
"""Finds out what somebody chose; what comes of it, if anything does, is an event."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that cost something: its place in the history, and where what was better happens."""

    at: int
    played: str
    better: str


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A game looked at once more, as far as it has come."""

    progress: str
    """``12 of 60`` while it is being looked at; empty once it is done."""
    says: tuple[str, ...] = ()
    """What was found, in sentences; the mistakes first and in their order."""
    mistakes: tuple[Mistake, ...] = ()


class Thinker:
    """Asks engines for one board; needs a running event loop. ``answered`` is called with what they chose.

    It is also called with None when there is something new to be shown.
    """

    def __init__(
        self,
        answered: Callable[[Event | None], None],
        engines: Mapping[str, Sequence[str]] = MappingProxyType({}),
        seconds: float = SECONDS,
    ) -> None:
        self.trouble = ""
        """Why a player does not play; empty while all is well."""
        self.reviewed: Reviewed | None = None
        """The last review, until the game goes on."""
        self._answered = answered
        self._commands = {OWN_NAME: OWN, **engines}
        self._seconds = seconds
        self._engines: dict[str, Engine] = {}
        self._task: asyncio.Task[None] | None = None
        self._asked: object = None
        """For which state, side and seat a choice is being found."""
        self._story = _Story()

    def observe(self, happening: Happening, session: Session) -> None:
        """Take note of what happened at a tabletop."""
        match happening:
            case NeedChoice(side):
                question = (session.state, side, session.settings.seats[side])
                if self._task is None or self._asked != question:
                    self._begin(partial(self._choose, session, side))
                    self._asked = question
            case NeedHint():
                self._begin(partial(self._advise, session))
            case Began() | Accepted() | TakenBack():
                self.reviewed = None
                self.forget()
            case _:
                pass

    def begin(self) -> None:
        """Another game is to be played."""
        self.forget()
        self.reviewed = None

    def review(self, session: Session) -> None:
        """Begin to look at the game once more."""
        self._begin(partial(self._review, session))

    def forget(self) -> None:
        """Nothing that was asked is wanted any more."""
        self.trouble = ""
        self._give_up_the_review()
        if self._task:
            self._task.cancel()
        self._task = self._asked = None

    async def close(self) -> None:
        """End every engine."""
        self.forget()
        await asyncio.gather(*(engine.close() for engine in self._engines.values()))

    # ---------------------------------------------------------------------------------------- parts

    def _begin(self, work: Work) -> None:
        self.forget()
        self._task = asyncio.get_running_loop().create_task(self._done(work))

    async def _done(self, work: Work) -> None:
        """See work through; whatever fails is said."""
        try:
            event = await work()
        except Stopped:
            return
        except EngineLost as lost:
            self.trouble, event = f"{lost} {_OTHER_PLAYER}", None
            self._give_up_the_review()
        except Exception:  # noqa: BLE001  # a fault of ours costs an answer, not the game
            _log.exception("the thinker stumbled")
            self.trouble, event = f"The computer stumbled; the log says why. {_OTHER_PLAYER}", None
            self._give_up_the_review()
        if self._task is asyncio.current_task():
            self._task = None
        self._answered(event)

    def _give_up_the_review(self) -> None:
        """What has not been looked at to the end is not shown."""
        if self.reviewed and self.reviewed.progress:
            self.reviewed = None

    async def _choose(self, session: Session, side: Side) -> Event | None:
        """What the side, which no person plays, does or answers."""
        state, sitting = session.state, session.settings.seats[side]
        if state.to_act is not side or any(each.speech is Speech.ACCEPT_DRAW for each in state.declarations()):
            return await self._answer_offer(session, side, sitting)
        level = sitting.level or LEVELS
        action = await self._action(session, sitting, play(level, self._seconds))
        return Copy(action[0]) if _still(session, state, side, sitting) else None

    async def _answer_offer(self, session: Session, side: Side, sitting: Seat) -> Event | None:
        state = session.state
        try:
            answer = await self._ask(session, sitting, DRAW)
        except EngineRefused:
            answer = await self._ask(session, STRONGEST, DRAW)  # an outside engine need not know of draws
        speech = Speech.ACCEPT_DRAW if answer.said == ACCEPTED else Speech.DECLINE_DRAW
        return Spoken(Declaration(side, speech)) if _still(session, state, side, sitting) else None

    async def _advise(self, session: Session) -> Event | None:
        state = session.state
        action, answer = await self._action(session, STRONGEST, hint(min(self._seconds, HINT_SECONDS)))
        return Advised(action, answer.why) if session.state is state else None

    async def _review(self, session: Session) -> Event | None:
        """Look at every decision; what was found is shown, and no event."""
        self._show(Reviewed("0"))
        entries = session.entries
        answer = await self._ask(
            session, STRONGEST, review(REVIEW_SECONDS), lambda so_far: self._show(Reviewed(so_far))
        )
        if session.entries == entries:
            self.reviewed = _reviewed(answer)
        return None

    def _show(self, reviewed: Reviewed) -> None:
        self.reviewed = reviewed
        self._answered(None)

    async def _action(self, session: Session, sitting: Seat, wanted: Wanted) -> tuple[Any, Answer]:
        state = session.state
        answer = await self._ask(session, sitting, wanted)
        return await self._engine(sitting).action(session.game, state, answer), answer

    async def _ask(
        self, session: Session, sitting: Seat, wanted: Wanted, remark: Callable[[str], None] = lambda _: None
    ) -> Answer:
        start, lines = self._story.of(session)
        question = Question(session.game, wanted, start, lines)
        engine = self._engine(sitting)
        try:
            return await engine.ask(question, remark)
        except EngineRefused:
            raise
        except EngineLost:
            if sitting.engine:
                raise
            return await engine.ask(question, remark)  # our own may have been short of memory for a moment

    def _engine(self, sitting: Seat) -> Engine:
        """The engine that plays for a seat. Raises EngineLost where the owner has named none of that name."""
        name = sitting.engine or OWN_NAME
        if name not in self._commands:
            raise EngineLost(f"There is no engine {name} on this board.")
        if name not in self._engines:
            self._engines[name] = Engine(self._commands[name], name)
        return self._engines[name]


class _Story:
    """A session's history as lines, made once for each entry."""

    def __init__(self) -> None:
        self._entries: list[Entry[Any]] = []
        self._lines: list[Line] = []

    def of(self, session: Session) -> tuple[str, tuple[Line, ...]]:
        """The first position, empty where it is the game's own, and the lines since."""
        entries = session.entries
        pairs = zip(self._entries, entries, strict=False)
        shorter = min(len(self._entries), len(entries))
        kept = next((at for at, (old, new) in enumerate(pairs) if old is not new), shorter)
        del self._entries[kept:], self._lines[kept:]
        for entry in entries[kept:]:
            self._entries.append(entry)
            self._lines.append(line_of(session.game, entry.before, entry.action, 0.0))
        return dump(session.game, entries[0].before if entries else session.state), tuple(self._lines)


def _still(session: Session, state: State[Any], side: Side, sitting: Seat) -> bool:
    """Whether the same player is still waited for in the same state."""
    return session.state is state and session.settings.seats.get(side) == sitting


def _reviewed(answer: Answer) -> Reviewed:
    """What an engine found, as it is shown: ``mistake AT COST UNIT; PLAYED; BETTER; WHY`` and ``say SENTENCE``."""
    says, mistakes = list[str](), list[Mistake]()
    for line in answer.more:
        word, _, rest = line.partition(" ")
        if word == "say":
            says.append(rest)
        if word == "mistake":
            head, played, better, _ = rest.split("; ", 3)
            mistakes.append(Mistake(int(head.split()[0]), played, better))
    return Reviewed("", tuple(says), tuple(mistakes))
