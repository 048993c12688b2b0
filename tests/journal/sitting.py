"""A sitting that is kept as the daemon keeps it, at a board where a hand follows the lamps.

    Tabletop ──effects──► Journal ──► Games           before anything is shown
        │ ▲
        lights, lamps of buttons ──► hand             MISSING: a piece goes there; EXTRA: it goes away
                                                      GO blinks and nothing is to be put right: press it

The hand knows no rules and nothing of what should stand where; it looks at lights and does what they ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from journal.lamps import ENOUGH, LEADING, asked

from reedlight.app.journal import Journal
from reedlight.core.game import Game, Roll, State
from reedlight.core.grid import Cell
from reedlight.games import make
from reedlight.ports import Output
from reedlight.record import fair
from reedlight.record.journal import Past
from reedlight.scene.scene import Button, Lamp, Mark
from reedlight.session.events import Board, Chosen, Event
from reedlight.session.session import Session
from reedlight.session.settings import Settings
from reedlight.tabletop import Happening, Rig, Tabletop
from reedlight_sim.depths import Ports
from reedlight_sim.perform import seeded

KINDS = (("draughts", "8"), ("diablo", "6"), ("herd", "4"))
"""One board of each game."""
SEED = bytes(range(32))
STEP = 0.5
"""Seconds between two things that a hand does."""


@dataclass(frozen=True)
class Script:
    """One whole game by the dice of SEED: its steps, and the states before, between and after them."""

    game: Game[Any]
    steps: tuple[Any, ...]
    states: tuple[State[Any], ...]


def script(name: str, size: str, number: int, longest: int | None = None) -> Script:
    """A random game, the same for the same number; as many steps of it as are wanted."""
    game, rng = make(name, size), seeded("journal", name, size, number)
    steps, states, rolled = list[Any](), [game.start()], 0
    while states[-1].outcome is None and (longest is None or len(steps) < longest):
        if odds := states[-1].chance():
            steps.append(fair.roll(SEED, rolled, odds))
            rolled += 1
        else:
            steps.append(rng.choice(states[-1].legal_actions()))
        states.append(states[-1].apply(steps[-1]))
    return Script(game, tuple(steps), tuple(states))


class Sitting:
    """One session, kept by a journal if there is one; time passes with what is done."""

    def __init__(
        self,
        game: Game[Any],
        journal: Journal | None = None,
        beginning: State[Any] | Past[Any] | None = None,
        settings: Settings | None = None,
        *,
        outputs: tuple[Callable[[float], Output], ...] = (),
    ) -> None:
        self.session = Session(game, settings, beginning)
        self.board: set[Cell] = set()
        self.happened: list[Happening] = []
        """Everything that passed through the tabletop."""
        self._journal = journal
        depth = Ports(game.grid)
        self.tabletop = Tabletop(
            self.session,
            Rig(game.grid, depth.layout, depth.panel, outputs=outputs),
            self._dice,
            self._observe,
            journal.keep if journal else None,
        )
        self.tabletop.advance(0.0)

    @property
    def now(self) -> float:
        """The time in seconds."""
        return self.tabletop.now

    def handle(self, event: Event) -> None:
        """Something happens."""
        self.tabletop.handle(event, self.now + STEP)
        self.tabletop.advance(self.now)

    def press(self, button: Button) -> None:
        """Press a button."""
        self.tabletop.press(button, self.now + STEP)
        self.tabletop.advance(self.now)

    def toggle(self, *cells: Cell) -> None:
        """Put something on each of these cells, or take it away, at one instant."""
        self.board ^= set(cells)
        self.handle(Board(frozenset(self.board)))

    def follow(self) -> None:
        """Put right what the lights ask for; a stack that stands is lifted and set down again."""
        for _ in range(ENOUGH):
            wrong = asked(self.session.scene).wrong if self.session.mode in LEADING else {}
            if not wrong:
                return
            stacks = [cell for cell, mark in wrong.items() if mark is Mark.MISSING and cell in self.board]
            self.toggle(*(stacks or wrong))
        raise AssertionError(f"the lights never stop asking: {wrong}")

    def begin(self) -> None:
        """Set the pieces up by the lights, and press GO as long as it blinks and nobody plays."""
        for _ in range(ENOUGH):
            self.follow()
            if self.session.mode not in LEADING:
                return
            assert self.session.scene.lamps[Button.GO] is not Lamp.OFF
            self.press(Button.GO)
        raise AssertionError(f"GO never leads out of {self.session.mode}")

    def play(self, steps: Iterable[Any]) -> None:
        """Play these steps: rolls by GO, actions as chosen on a screen, for which the hand then follows the lights."""
        for step in steps:
            if isinstance(step, Roll):
                self.press(Button.GO)
            else:
                self.handle(Chosen(step))
                self.follow()

    def _dice(self, odds: Mapping[Roll, Fraction]) -> Roll:
        return fair.roll(SEED, sum(isinstance(part, Roll) for part in self.session.history), odds)

    def _observe(self, happening: Happening, _at: float) -> None:
        self.happened.append(happening)
        if self._journal:
            self._journal.observe(happening)
