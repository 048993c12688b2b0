"""The table: the world and the program's own tabletop, joined in virtual time.

    world ──switches──► depth ──Closed──► Tabletop ──Board(cells)──► Session ──NeedRoll──► the next roll

Nothing sleeps: ``wait`` goes from one due moment to the next and performs what is due there. The session
sees switches and buttons and nothing else; what truly stands on the board is the world's secret. How deep
the simulation goes, from ports to firmware, is the *depth*'s to say; the world is the same for all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from reedlight.core.game import Game, Kind, Piece, Roll, Side, State
from reedlight.core.grid import Cell
from reedlight.record.journal import Past
from reedlight.scene.scene import Button, Mark, Scene
from reedlight.session.events import Asked, Board, Event, Press
from reedlight.session.session import Mode, Session
from reedlight.session.settings import Settings
from reedlight.tabletop import Happening, Tabletop
from reedlight_sim.depths import Depth, Ports
from reedlight_sim.world import World

WRONG_MARKS = frozenset((Mark.MISSING, Mark.EXTRA, Mark.FORBIDDEN))
"""The marks that ask a hand to put something right."""
FINGER = 0.12
"""Seconds for which a finger holds a button down, and then leaves it alone."""
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
    """One sitting in virtual time, which begins at 0 s; from a past, a game is resumed. A journal may observe it."""

    def __init__(  # noqa: PLR0913  # a table has as many particulars
        self,
        game: Game[Any],
        settings: Settings,
        rng: Random,
        *,
        state: State[Any] | Past[Any] | None = None,
        session: Session | None = None,
        dice: Callable[[Mapping[Roll, Fraction]], Roll] | None = None,
        depth: Depth | None = None,
        observe: Callable[[Happening, float], None] | None = None,
        before_showing: Callable[[float], None] | None = None,
    ) -> None:
        self.depth = depth or Ports(game.grid)
        self.world = World(self.depth.layout, rng, supply=_supply(game))
        self.session = session or Session(game, settings, state)
        self.now = 0.0
        self.asked = 0
        self.seen: deque[Seen] = deque(maxlen=LAST_SEEN)
        self.commit = settings.commit
        self._rolls: deque[Roll] = deque()
        self._cells: frozenset[Cell] = frozenset()
        rig = self.depth.rig(self.world, lambda: self.now)
        self._also_observe = observe
        self.tabletop = Tabletop(self.session, rig, dice or self._next_roll, self._observe, before_showing)

    @property
    def scene(self) -> Scene:
        """What the board shows now."""
        return self.tabletop.scene

    @property
    def astray(self) -> bool:
        """Whether lights ask for something to be put right."""
        return any(light.mark in WRONG_MARKS for light in self.scene.lights.values())

    @property
    def closed(self) -> frozenset[Cell]:
        """The cells whose raw switch is closed now."""
        return self.depth.layout.cells_of(self.world.mask)

    @property
    def asking(self) -> bool:
        """Whether a question is open."""
        return self.session.mode is Mode.ASK

    def next_roll(self, roll: Roll) -> None:
        """Let the dice fall so when they are next asked for."""
        self._rolls.append(roll)

    def press(self, button: Button) -> None:
        """Press a button: with a finger where it is wired, which takes a moment."""
        if button not in self.depth.buttons:
            self.tabletop.press(button, self.now)
            return
        for down in (frozenset((button,)), frozenset[Button]()):
            self.depth.hold(down)
            self.wait(FINGER)

    def wait(self, seconds: float) -> None:
        """Let time pass, with everything that is due in it."""
        end = self.now + seconds
        while (due := self.next_due) is not None and due <= end:
            self.now = max(self.now, due)
            self.tabletop.advance(self.now)
        self.now = end

    @property
    def next_due(self) -> float | None:
        """When something is due next if no hand does anything; None if nothing is."""
        return self.tabletop.deadline

    def handle(self, event: Event) -> None:
        """Hand the session an event that comes from neither switches nor buttons."""
        self.tabletop.handle(event, self.now)

    def close(self) -> None:
        """Let go of everything that is simulated below the ports."""
        self.tabletop.close()
        self.depth.close()

    def _next_roll(self, _: Mapping[Roll, Fraction]) -> Roll:
        return self._rolls.popleft()

    def _observe(self, happening: Happening, at: float) -> None:
        if self._also_observe:
            self._also_observe(happening, at)
        match happening:
            case Board(cells):
                lifts = tuple(f"-{cell}" for cell in sorted(self._cells - cells))
                placements = tuple(f"+{cell}" for cell in sorted(cells - self._cells))
                self._cells = cells
                if lifts or placements:
                    self.seen.append(Seen(at, lifts + placements))
            case Press(button):
                self.seen.append(Seen(at, (button.name,)))
            case Asked():
                self.asked += 1
            case _:
                pass


def _supply(game: Game[Any]) -> dict[Piece, int]:
    """As many stones of each colour as there are cells: one side may come to fill them all."""
    return {Piece(side, Kind.STONE): len(game.grid.cells) for side in (Side.LIGHT, Side.DARK)}
