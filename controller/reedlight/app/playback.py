"""Playback: a trace comes in again at a tabletop in virtual time, and what is made of it now is compared.

    trace ──reports──► _Tape ──► Tabletop ──effects──► what was made of it ──compare──► the same, or the difference
          ──page, dice────────►

The tabletop is the program's own, without lamps; nothing waits. What must come again is what was accepted, taken
back and said, in the same order. Where it does not, the program has changed, or the trace says something that a
person has to look at. What was refused or asked is not compared: the words may change. A trace without its end,
which a crash has left, need not tell all that comes of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from reedlight.app.telling import NEW, SHOWN, Retelling, event_of, settings_of
from reedlight.board.layout import Layout
from reedlight.core.game import Game, Roll, State
from reedlight.core.quoting import quoted
from reedlight.games import make
from reedlight.ports import Closed, Down, Input, LinkLost, Report
from reedlight.record import journal
from reedlight.record.journal import Past
from reedlight.record.switches import (
    END,
    BadTrace,
    Buttons,
    Fell,
    Head,
    Line,
    Lost,
    Note,
    Switches,
    Told,
    Trace,
    is_made,
)
from reedlight.scene.palette import ON_OFF
from reedlight.scene.render import UNLIMITED, Panel
from reedlight.scene.scene import Button
from reedlight.session.events import Effect, Event, Press
from reedlight.session.replaying import Replaying
from reedlight.session.session import Session
from reedlight.session.settings import Settings
from reedlight.tabletop import Coming, Rig, Tabletop

Made = tuple[float, str]
"""When something was made of it, and what."""
_INSTANT = 1e-6
"""Seconds; times in a trace are no finer."""


class _Tape:
    """An input that reports what it is given."""

    def __init__(self) -> None:
        self._reports: list[Report] = []
        self._is_lost = False

    def open(self, _now: float) -> Input:
        """Open a port on it."""
        return self

    def give(self, report: Report) -> None:
        """Have this reported."""
        self._reports.append(report)

    def lose(self) -> None:
        """Have it break off, once."""
        self._is_lost = True

    @property
    def deadline(self) -> float | None:
        """None: whoever gives it something says when to poll."""
        return None

    def fileno(self) -> int | None:
        """None: there is no file."""
        return None

    def poll(self, now: float) -> Sequence[Report]:
        """What was given since the last poll."""
        del now
        if self._is_lost:
            self._is_lost = False
            raise LinkLost("The link broke off here.")
        reports, self._reports = self._reports, []
        return reports

    def close(self) -> None:
        """There is nothing to let go."""


class _Stopped(Exception):
    """The trace cannot go on, because the game went another way; the message says why."""


@dataclass
class Played:
    """What came of a trace when it was played, and what stopped it before its end; empty if nothing did."""

    made: list[Made] = field(default_factory=list[Made])
    stopped: str = ""


class Player:
    """Plays one trace. Raises BadTrace where its head does not fit what there is."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._switches, self._buttons = _Tape(), _Tape()
        self._dice = deque(Roll(line.what.dice) for line in trace.lines if isinstance(line.what, Fell))
        session, layout = _sitting(trace.head)
        inputs = (self._switches.open, self._buttons.open)
        rig = Rig(session.game.grid, layout, Panel({}, 0, ON_OFF, UNLIMITED), inputs)
        self.tabletop = Tabletop(session, rig, self._fall, lambda _, __: None)
        """Where it is played."""
        self.tabletop.witness = self._witness
        self._retelling = Retelling(session)
        self._played = Played()

    def play(self) -> Played:
        """Let everything come in again, from the first line to the last."""
        try:
            for line in self._trace.lines:
                self._come(line)
        except _Stopped as stopped:
            self._played.stopped = str(stopped)
        return self._played

    def _come(self, line: Line) -> None:
        if line.late is None:
            self._advance(line.at + _INSTANT)
        else:
            self._advance(line.at - line.late - _INSTANT)
        now = max(self.tabletop.now, line.at)
        match line.what:
            case Switches(mask):
                self._switches.give(Closed(mask, now))
            case Buttons(down):
                self._buttons.give(Down(frozenset(button for button in Button if button.value in down), now))
            case Lost():
                self._buttons.lose()
            case Told() as told:
                self._tell(self._event(told), now)
                return
            case _:
                return
        self.tabletop.advance(now)

    def _event(self, told: Told) -> Event | Settings:
        try:
            return event_of(told, self.tabletop.session)
        except ValueError as error:
            raise _Stopped(f"{told.word} {quoted(told.text)} cannot be told here: {error}") from None

    def _tell(self, event: Event | Settings, now: float) -> None:
        match event:
            case Settings():
                self.tabletop.adjust(event, now)
            case Press(button):
                self.tabletop.press(button, now)
            case _:
                self.tabletop.handle(event, now)

    def _advance(self, until: float) -> None:
        """Do everything that is due until then."""
        while (due := self.tabletop.deadline) is not None and due <= until:
            self.tabletop.advance(due)

    def _fall(self, odds: Mapping[Roll, Fraction]) -> Roll:
        if not self._dice or self._dice[0] not in odds:
            raise _Stopped("dice are to fall that did not")
        return self._dice.popleft()

    def _witness(self, coming: Coming | Effect) -> None:
        if said := self._retelling.of(coming):
            self._played.made.append((self.tabletop.now, said))


def _sitting(head: Head) -> tuple[Session, Layout]:
    """The session that a head tells of, and where its cells are. Raises BadTrace."""
    try:
        game = make(head.game, head.size)
        settings = settings_of(head.settings)
        start = game.load(head.start) if head.start else game.start()
        layout = _layout(head, game)
        past = _past(head, game, start)
    except ValueError as error:
        raise BadTrace(f"the trace of {head.game} {head.size} cannot be played: {error}") from None
    if head.sitting == SHOWN:
        return Replaying(game, past, settings), layout
    return Session(game, settings, start if head.sitting == NEW else past), layout


def _past(head: Head, game: Game[Any], start: State[Any]) -> Past[Any]:
    """Raises ValueError where it cannot have been."""
    past = journal.replay(game, start, [journal.Line(kind, text) for kind, text in head.past])
    if past.broken:
        raise ValueError(past.broken)
    return past


def _layout(head: Head, game: Game[Any]) -> Layout:
    """Raises ValueError where the game has other cells."""
    if head.cells.keys() != game.grid.places.keys():
        raise ValueError(f"its cells are not those of {game.grid.name}")
    return Layout(head.cells, head.cells)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How what came of a trace compares with what came of it when it was recorded."""

    same: bool
    says: str


def compare(trace: Trace, played: Played) -> Verdict:
    """Compare what was accepted, taken back and said."""
    notes = [(line.at, line.what.text) for line in trace.lines if isinstance(line.what, Note)]
    recorded, made = list(_compared(notes)), list(_compared(played.made))
    pairs = zip(recorded, made, strict=False)
    at = next((at for at, (one, other) in enumerate(pairs) if one[1] != other[1]), min(len(recorded), len(made)))
    if at < len(recorded) or played.stopped or (at < len(made) and any(text == END for _, text in notes)):
        return Verdict(same=False, says=_difference(recorded[at:], made[at:], played.stopped))
    if not recorded and made:
        return Verdict(same=True, says="It says nothing of what was made of it, so there is nothing to compare.")
    return Verdict(same=True, says=f"The same as recorded: {len(recorded)} entries.")


def _compared(notes: Iterable[Made]) -> Iterator[Made]:
    return ((at, text) for at, text in notes if is_made(text))


def _difference(recorded: Sequence[Made], made: Sequence[Made], stopped: str) -> str:
    if stopped and not recorded and not made:
        return f"It stops before its end: {stopped}."
    one, other = (f"{each[0][1]} at {each[0][0]:.2f} s" if each else "nothing more" for each in (recorded, made))
    reason = f" ({stopped})" if stopped else ""
    return f"Different: recorded was {one}, and now it is {other}{reason}."
