"""The table: the world, the debouncing, the layout and one session, joined in virtual time.

    world ──Sample──► Debounce ──mask──► Layout ──Board(cells)──► Session ──NeedRoll──► the next roll

Nothing sleeps: ``wait`` goes from one due moment to the next and performs what is due there. The session
sees switches and buttons and nothing else; what truly stands on the board is the world's secret.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from reedlight.board.layout import direct
from reedlight.core.game import Game, Kind, Piece, Roll, Side, State
from reedlight.core.grid import Cell
from reedlight.scene.scene import Button, Mark, Scene
from reedlight.session.events import Asked, Board, Effect, Event, NeedRoll, Press, Rolled
from reedlight.session.session import Mode, Session
from reedlight.session.settings import Settings
from reedlight.tracking.debounce import Debounce
from reedlight_sim.world import World

WRONG_MARKS = frozenset((Mark.MISSING, Mark.EXTRA, Mark.FORBIDDEN))
"""The marks that ask a hand to put something right."""


LAST_SEEN = 4000
"""Changes kept to be told; a game has some hundreds."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the session was told: the cells that changed, ``+c3`` or ``-c3``, or a button, at a time."""

    at: float
    what: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.at:.3f} {' '.join(self.what)}"


class Table:
    """One sitting in virtual time, which begins at 0 s."""

    def __init__(
        self,
        game: Game[Any],
        settings: Settings,
        rng: Random,
        state: State[Any] | None = None,
        dice: Callable[[Mapping[Roll, Fraction]], Roll] | None = None,
    ) -> None:
        self.world = World(direct(game.grid), rng, supply=_supply(game))
        self.session = Session(game, settings, state)
        self.now = 0.0
        self.asked = 0
        self.seen: deque[Seen] = deque(maxlen=LAST_SEEN)
        self.commit = settings.commit
        self._layout = direct(game.grid)
        self._debounce = Debounce()
        self._rolls: deque[Roll] = deque()
        self._dice = dice or self._next_roll
        self._cells: frozenset[Cell] = frozenset()

    @property
    def scene(self) -> Scene:
        """What the board shows now."""
        return self.session.scene

    @property
    def astray(self) -> bool:
        """Whether lights ask for something to be put right."""
        return any(light.mark in WRONG_MARKS for light in self.scene.lights.values())

    @property
    def closed(self) -> frozenset[Cell]:
        """The cells whose raw switch is closed now."""
        return self._layout.cells_of(self.world.mask)

    @property
    def asking(self) -> bool:
        """Whether a question is open."""
        return self.session.mode is Mode.ASK

    def next_roll(self, roll: Roll) -> None:
        """Let the dice fall so when they are next asked for."""
        self._rolls.append(roll)

    def press(self, button: Button) -> None:
        """Press a button."""
        self.seen.append(Seen(self.now, (button.name,)))
        self.handle(Press(button))

    def wait(self, seconds: float) -> None:
        """Let time pass, with everything that is due in it."""
        end = self.now + seconds
        while (due := self.next_due) is not None and due <= end:
            self.now = max(self.now, due)
            self._perform_due()
        self.now = end

    @property
    def next_due(self) -> float | None:
        """When something is due next if no hand does anything; None if nothing is."""
        dues = (self.world.next_change, self._debounce.deadline, self.session.deadline)
        return min((due for due in dues if due is not None), default=None)

    def _perform_due(self) -> None:
        for sample in self.world.samples_until(self.now):
            self._tell(self._debounce.sample(sample.mask, sample.at))
        self._tell(self._debounce.tick(self.now))
        deadline = self.session.deadline
        if deadline is not None and deadline <= self.now:
            self._perform(self.session.tick(self.now))
            assert self.session.deadline != deadline, f"called again and again at {deadline}"  # noqa: S101  # or it hangs

    def _tell(self, masks: Sequence[int]) -> None:
        for mask in masks:
            cells = self._layout.cells_of(mask)
            lifts = tuple(f"-{cell}" for cell in sorted(self._cells - cells))
            placements = tuple(f"+{cell}" for cell in sorted(cells - self._cells))
            self.seen.append(Seen(self.now, lifts + placements))
            self._cells = cells
            self.handle(Board(cells))

    def handle(self, event: Event) -> None:
        """Hand the session an event that comes from neither switches nor buttons."""
        self._perform(self.session.handle(event, self.now))

    def _next_roll(self, _: Mapping[Roll, Fraction]) -> Roll:
        return self._rolls.popleft()

    def _perform(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case Asked():
                    self.asked += 1
                case NeedRoll():
                    self.handle(Rolled(self._dice(self.session.state.chance())))
                case _:
                    pass


def _supply(game: Game[Any]) -> dict[Piece, int]:
    """As many stones of each colour as there are cells: one side may come to fill them all."""
    return {Piece(side, Kind.STONE): len(game.grid.cells) for side in (Side.LIGHT, Side.DARK)}
