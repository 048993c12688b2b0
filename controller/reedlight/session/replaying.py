"""Replaying: a sitting that shows a game that was played, step by step, until somebody plays on.

    start ──NEXT──► after step 1 ──NEXT──► after step 2 ...        BACK goes the other way
                         │
                         GO: an ordinary game begins with this position

A step is a roll, an action or a word. The board is *led* to every position as it is after a take-back, and whoever
only watches need not follow: the next step leads from wherever the board is. What a hand does meanwhile is nothing
but the way to the position. A game that is played on from a position is a new one; what came before is not part
of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from reedlight.core.game import Caption, Correction, Declaration, Game, Outcome, Roll, State
from reedlight.record.journal import Entry, Past
from reedlight.scene import words
from reedlight.scene.scene import Button, Lamp, Light, Mark, Scene
from reedlight.session.events import Began, Board, Chosen, Deaf, Effect, Event, Heard, Hold, Mode, Press
from reedlight.session.sequences import changed
from reedlight.session.session import Session
from reedlight.session.settings import Settings
from reedlight.session.show import show


@dataclass(frozen=True, slots=True)
class Replay:
    """A game that was played, and how many of its steps are shown."""

    past: Past[Any]
    at: int = 0

    @property
    def steps(self) -> int:
        """How many there are."""
        return len(self.past.entries)

    @property
    def entries(self) -> tuple[Entry[Any], ...]:
        """The steps that are shown."""
        return self.past.entries[: self.at]

    @property
    def state(self) -> State[Any]:
        """The position after them."""
        return self.past.entries[self.at].before if self.at < self.steps else self.past.state

    def moved(self, by: int) -> Replay:
        """So many steps on, or back where negative; no further than there are."""
        return replace(self, at=min(max(self.at + by, 0), self.steps))


class Replaying(Session):
    """A sitting that shows a game until GO, or an action chosen on a screen, makes it an ordinary one."""

    def __init__(self, game: Game[Any], past: Past[Any], settings: Settings | None = None, *, now: float = 0.0) -> None:
        self._replay = Replay(past)
        self._shows = True
        self._beginning: State[Any] | None = None
        super().__init__(game, settings, self._replay.state, now=now)
        self._begun = True
        self._lead_from(self._state)

    @property
    def replay(self) -> Replay | None:
        """What is shown; None once an ordinary game has begun."""
        return self._replay if self._shows else None

    @property
    def beginning(self) -> State[Any] | None:
        """The position from which the game is played on; None while it is only shown, and for a new game after it."""
        return self._beginning

    @property
    def mode(self) -> Mode:
        """What the sitting is waiting for now."""
        if not self._shows:
            return super().mode
        return Mode.REPLAY if self._lead is None else Mode.RESYNC

    @property
    def deadline(self) -> float | None:
        """When ``tick`` should be called next; never while a game is shown."""
        return None if self._shows else super().deadline

    def tick(self, now: float) -> tuple[Effect, ...]:
        """Let time pass."""
        return () if self._shows else super().tick(now)

    def handle(self, event: Event, now: float) -> tuple[Effect, ...]:
        """Take in one event; while a game is shown, most of them mean nothing."""
        if not self._shows:
            return super().handle(event, now)
        self._now = now
        self._scene = None
        act = self._WHILE_SHOWN.get(type(event))
        return tuple(act(self, event)) if act else ()

    def adjust(self, settings: Settings) -> tuple[Effect, ...]:
        """Go on with other settings; while a game is shown, nobody has to choose anything."""
        if not self._shows:
            return super().adjust(settings)
        self.settings = settings
        self._scene = None
        return ()

    def _begin(self, beginning: State[Any] | Past[Any]) -> None:
        self._beginning = None
        super()._begin(beginning)

    # ------------------------------------------------------------------------------ while it shows

    def _follow_board(self, event: Board) -> list[Effect]:
        """The hand is on its way to the position, or leaves it."""
        if self._lead is not None:
            return self._on_board(event)
        self._reported = event.occupied
        self._hear()
        self._lead_from(self._state)
        return []

    def _step_by_button(self, event: Press) -> list[Effect]:
        if event.button is Button.GO and self._state.outcome is None:
            return self._play_on()
        if event.button in _STEPS:
            self._show_step(self._replay.moved(_STEPS[event.button]))
        return []

    def _show_step(self, replay: Replay) -> None:
        if replay == self._replay:
            return
        believed, before, self._replay = self._state, self._replay, replay
        self._state = replay.state
        self._entries = list(replay.entries)
        self._hear()
        self._last = changed(replay.entries[-1].before, self._state) if replay.at > before.at else frozenset()
        self._lead_from(believed)

    def _hold(self, event: Hold) -> list[Effect]:
        """Believe the watcher rather than the switches of the cells that differ."""
        if event.button is Button.GO and self._lead is not None:
            self._play_without()
        return []

    def _judge_switches(self, event: Deaf | Heard) -> list[Effect]:
        """Believe switches, or do not, as in any sitting; what they say now may be another board."""
        effects = self._ON_EVENT[type(event)](self, event)
        if self._lead is None:
            self._lead_from(self._state)
        return effects

    def _play_by_name(self, event: Chosen) -> list[Effect]:
        if event.action not in self._state.legal_actions():
            return []
        began = self._play_on()
        return [*began, *self._on_chosen(event)]

    def _play_on(self) -> list[Effect]:
        """Begin an ordinary game with the position, the rest of the way to which is still led."""
        lead, deaf = self._lead, self._deaf
        self._shows = False
        beginning = self.game.load(self.game.dump(self._state))
        self._begin(beginning)
        self._beginning = beginning
        self._begun, self._lead, self._deaf = True, lead, deaf
        self._hear()
        self._track()
        self._finish_leading()
        return [Began()]

    _WHILE_SHOWN: ClassVar[Mapping[type[Any], Callable[..., list[Effect]]]] = {
        Board: _follow_board,
        Press: _step_by_button,
        Hold: _hold,
        Chosen: _play_by_name,
        Deaf: _judge_switches,
        Heard: _judge_switches,
    }

    # ------------------------------------------------------------------------------ what is shown

    @property
    def scene(self) -> Scene:
        """What the people at the board are shown now."""
        if not self._shows:
            return super().scene
        if self._scene is None:
            self._scene = self._replay_scene()
        return self._scene

    def _replay_scene(self) -> Scene:
        replay, state = self._replay, self._state
        led = show(self._moment()) if self._lead is not None else None
        outcome = state.outcome
        say = words.replayed(replay.at, replay.steps, self._told())
        why = led.caption.say if led else words.replay_ends(_ended(self.game, outcome)) if outcome else words.REPLAY
        return Scene(
            caption=Caption(
                words.cut_at_a_word(say, words.LONGEST_SENTENCE), words.cut_at_a_word(why, words.LONGEST_REASON)
            ),
            lights=led.lights if led else {cell: Light(Mark.LAST, "just played") for cell in self._last},
            dice=tuple(state.dice()),
            lamps={
                Button.GO: Lamp.OFF if outcome else Lamp.ON,
                Button.NEXT: Lamp.BLINK if replay.at < replay.steps else Lamp.OFF,
                Button.BACK: Lamp.ON if replay.at else Lamp.OFF,
                Button.HINT: Lamp.OFF,
            },
        )

    def _told(self) -> str:
        """The latest step in words."""
        if not self._replay.at:
            return words.THE_START
        entry = self._replay.entries[-1]
        match entry.action:
            case Roll(dice):
                return words.dice_show("-".join(map(str, dice)))
            case Declaration(side, speech):
                return words.spoken(self.game.sides[side], speech.value)
            case Correction():
                return words.RECOUNT
            case action:
                mover = entry.before.to_act
                return words.plays(self.game.sides[mover] if mover else "", self.game.notate(entry.before, action))


_STEPS: Mapping[Button, int] = {Button.NEXT: 1, Button.BACK: -1}


def _ended(game: Game[Any], outcome: Outcome) -> str:
    return words.ended(outcome, game.sides[outcome.winner] if outcome.winner else None).say
