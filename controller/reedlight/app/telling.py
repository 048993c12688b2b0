"""Telling: what comes in at a tabletop, and what comes of it, in the words of a trace, and back.

    reports, events, settings ──what_of──► Switches, Buttons, Told ... ──event_of──► events, settings
    effects ──Retelling──► accepted b6:d4

The words are those of ``record.switches``. Actions, declarations and stacks are told as in a journal, so they
mean something only where the game stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reedlight.core.game import Game, State
from reedlight.core.grid import Cell, Cells
from reedlight.ports import Closed, Down
from reedlight.record import journal, switches
from reedlight.record.journal import Past, line_of
from reedlight.record.switches import Buttons, Fell, Lost, Switches, Told, values_of, words_of
from reedlight.scene.scene import Button
from reedlight.session.events import (
    Accepted,
    Advised,
    Asked,
    Began,
    Chosen,
    Copy,
    Corrected,
    Deaf,
    Effect,
    Ended,
    Event,
    Heard,
    Hold,
    Press,
    Recount,
    Refused,
    Resumed,
    Rolled,
    Seated,
    Spoken,
    TakenBack,
)
from reedlight.session.session import Session
from reedlight.session.settings import Commit, DiceFrom, Guidance, Settings, Timing, seat
from reedlight.tabletop import Coming, Unheard

LONGEST_PATIENCE = 60.0
"""Seconds that any wait of a session may be, as in the configuration."""
NEW, RESUMED, SHOWN = switches.SITTINGS


@dataclass(frozen=True, slots=True)
class Before:
    """What a sitting goes on with, or shows: the first position as the game dumps it, and the lines since."""

    start: str = ""
    lines: Sequence[journal.Line] = ()
    sitting: str = RESUMED

    @classmethod
    def of(cls, game: Game[Any], past: Past[Any], sitting: str = RESUMED) -> Before:
        """What stands in a past."""
        first = past.entries[0].before if past.entries else past.state
        lines = tuple(line_of(game, entry.before, entry.action, 0.0) for entry in past.entries)
        return cls(dump(game, first), lines, sitting)


def dump(game: Game[Any], state: State[Any]) -> str:
    """A first position as a head has it: nothing where it is the game's own."""
    return "" if state == game.start() else game.dump(state)


def words_of_settings(settings: Settings) -> dict[str, str]:
    """The settings as names and values."""
    timing = settings.timing
    return {
        "commit": settings.commit.value,
        "dice": settings.dice.value,
        **{side.value: each.value for side, each in settings.guidance.items()},
        **{f"{side.value}{_SEAT}": str(each) for side, each in settings.seats.items() if not each.is_person},
        **{name: repr(getattr(timing, name)) for name in _TIMES},
    }


_TIMES = ("follow", "settle", "grace")
_SEAT = "-seat"


def settings_of(values: Mapping[str, str]) -> Settings:
    """The settings that these values are; what is not named is as usual. Raises ValueError."""
    usual = Settings()
    sides = [side.value for side in usual.guidance]
    unknown = values.keys() - {"commit", "dice", *_TIMES, *sides, *(f"{side}{_SEAT}" for side in sides)}
    if unknown:
        raise ValueError(f"there is no setting {min(unknown)!r}")
    times = {name: float(values.get(name, getattr(usual.timing, name))) for name in _TIMES}
    if not 0 < times["follow"] < times["settle"] < times["grace"] <= LONGEST_PATIENCE:
        raise ValueError(f"the waits must grow from follow to settle to grace, up to {LONGEST_PATIENCE:g} s")
    return Settings(
        Commit(values.get("commit", usual.commit.value)),
        {side: Guidance(values.get(side.value, each.value)) for side, each in usual.guidance.items()},
        Timing(**times),
        DiceFrom(values.get("dice", usual.dice.value)),
        {side: seat(values.get(f"{side.value}{_SEAT}", str(each))) for side, each in usual.seats.items()},
    )


def what_of(coming: Coming | Effect, session: Session) -> switches.What | None:
    """What comes in as a trace has it; None for an effect, and for what changes nothing."""
    if isinstance(coming, Chosen | Copy | Advised) and coming.action not in session.state.legal_actions():
        return None
    put = _TOLD.get(type(coming))
    return put(coming, session) if put else None


def _line_text(session: Session, action: Any) -> str:
    return line_of(session.game, session.state, action, 0.0).text


_TOLD: Mapping[type[Any], Callable[[Any, Session], switches.What]] = {
    Closed: lambda report, _: Switches(report.mask),
    Down: lambda report, _: Buttons(frozenset(button.value for button in report.buttons)),
    Unheard: lambda _, __: Lost(),
    Rolled: lambda event, _: Fell(event.roll.dice),
    Press: lambda event, _: Told("press", event.button.value),
    Hold: lambda event, _: Told("hold", event.button.value),
    Spoken: lambda event, session: Told("say", _line_text(session, event.declaration)),
    Chosen: lambda event, session: Told("play", session.game.notate(session.state, event.action)),
    Copy: lambda event, session: Told("copy", session.game.notate(session.state, event.action)),
    Advised: lambda event, session: Told(
        "advised", f"{session.game.notate(session.state, event.action)}{_WHY}{event.why}"
    ),
    Recount: lambda _, __: Told("recount"),
    Corrected: lambda event, session: Told("correct", _line_text(session, event.correction)),
    Deaf: lambda event, _: Told("deaf", " ".join(sorted(event.cells))),
    Heard: lambda event, _: Told("heard", " ".join(sorted(event.cells))),
    Settings: lambda settings, _: Told("settings", words_of(words_of_settings(settings))),
}
"""For each kind of what comes in, how a trace has it; ``_EVENTS`` is the way back."""


def event_of(told: Told, session: Session) -> Event | Settings:
    """What was told, as the session takes it where it stands. Raises ValueError where it cannot be told there."""
    return _EVENTS[told.word](told.text, session)


def _read(kind: str, text: str, session: Session) -> Any:
    return journal.action_of(session.game, session.state, journal.Line(kind, text))


def _cells(text: str) -> Cells:
    return frozenset(map(Cell, text.split()))


_WHY = ": "
"""Between an action and what it is for; no notation has a colon before a blank."""


def _advised(text: str, session: Session) -> Advised:
    action, _, why = text.partition(_WHY)
    return Advised(session.game.parse(session.state, action), why)


_EVENTS: Mapping[str, Callable[[str, Session], Event | Settings]] = {
    "press": lambda text, _: Press(Button(text)),
    "hold": lambda text, _: Hold(Button(text)),
    "say": lambda text, session: Spoken(_read(journal.SAY, text, session)),
    "play": lambda text, session: Chosen(session.game.parse(session.state, text)),
    "copy": lambda text, session: Copy(session.game.parse(session.state, text)),
    "advised": _advised,
    "recount": lambda _, __: Recount(),
    "correct": lambda text, session: Corrected(_read(journal.RECOUNT, text, session)),
    "deaf": lambda text, _: Deaf(_cells(text)),
    "heard": lambda text, _: Heard(_cells(text)),
    "settings": lambda text, _: settings_of(values_of(text)),
}
"""For each word of a trace, what is told by it."""


class Retelling:
    """Says what a session makes of a game, effect by effect."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._states: list[State[Any]] = [*(entry.before for entry in session.entries), session.state]

    def of(self, effect: Coming | Effect) -> str | None:
        """The effect in words; None where there is nothing to say of it."""
        match effect:
            case Began():
                entries = self._session.entries
                self._states = [entries[0].before if entries else self._session.state]
                return "began"
            case Accepted(action):
                before = self._states[-1]
                self._states.append(before.apply(action))
                return self._said(before, action)
            case TakenBack(action):
                self._states.pop()
                return f"took back {self._said(self._states[-1], action).partition(' ')[2]}"
            case _:
                return _in_words(effect)

    def _said(self, before: State[Any], action: Any) -> str:
        line = line_of(self._session.game, before, action, 0.0)
        return f"{_SAID[line.kind]} {line.text}"


_SAID = {journal.ACT: "accepted", journal.ROLL: "rolled", journal.SAY: "said", journal.RECOUNT: "recounted"}


def _in_words(effect: Coming | Effect) -> str | None:
    match effect:
        case Seated(seats):
            return f"seated: {', '.join(f'{side.value} {sitting}' for side, sitting in seats.items())}"
        case Resumed():
            return "resumed"
        case Ended(outcome):
            winner = outcome.winner.value if outcome.winner else "draw"
            return f"ended: {winner}, {outcome.reason}"
        case Refused(cell, why):
            return f"refused {cell}: {why}"
        case Asked(actions):
            return f"asked which of {len(actions)}"
        case _:
            return None
