"""A hand that follows the lamps of a simulated board, and knows nothing else: no rules, no state, no words.

    a cell asks for a piece, and is empty     one from beside the board goes there, whichever it is
    a cell asks for a piece, and has one      it is lifted and set down again
    a cell asks to be cleared                 what stands there goes beside the board
    nothing of this, and GO blinks            GO is pressed

What the lamps ask is read off the scene, or off the lamps themselves: then somebody watches them for some
seconds, and tells by their rhythm which is which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from reedlight.core.game import Piece
from reedlight.core.grid import Cell
from reedlight.scene.render import lit_buttons
from reedlight.scene.scene import Button, Lamp, Mark, Scene
from reedlight.session.session import Mode
from reedlight_sim.hardware import Pins
from reedlight_sim.table import Table
from reedlight_sim.world import Hand

A_HAND = Hand("light")
STEP = 0.4
"""Seconds between two things that the hand does."""
PLENTY = 64
"""Pieces of each kind beside the board."""
LEADING = (Mode.SETUP, Mode.RESUME, Mode.RESYNC)
"""While nobody plays and the lights say what belongs where."""
ENOUGH = 400
"""Things a hand does before it gives up: more than there are cells and stacks to put right."""
GLANCE = 0.1
LOOKS = 22
"""Glances at the lamps, in which even the slowest rhythm comes round once."""
LIT_FOR: Mapping[int, Mark] = {3: Mark.MISSING, 4: Mark.EXTRA, 2: Mark.CHOICE}
"""For how many glances in a row a lamp is lit that says this."""


@dataclass(frozen=True)
class Asked:
    """What the lamps ask for."""

    cells: Mapping[Cell, Mark] = field(default_factory=dict[Cell, Mark])
    go_blinks: bool = False

    @property
    def wrong(self) -> Mapping[Cell, Mark]:
        """The cells on which something is to be put right."""
        return {cell: mark for cell, mark in self.cells.items() if mark in (Mark.MISSING, Mark.EXTRA)}


Eyes = Callable[[Table], Asked]


def by_the_scene(table: Table) -> Asked:
    """What the lamps are told to show."""
    return asked(table.scene)


def asked(scene: Scene) -> Asked:
    """What a scene asks for."""
    marks = {cell: light.mark for cell, light in scene.lights.items() if light.mark in LIT_FOR.values()}
    return Asked(marks, scene.lamps[Button.GO] is Lamp.BLINK)


def by_the_lamps(table: Table) -> Asked:
    """What the lamps are seen to do."""
    lamps = table.depth.layout.lamps
    seen: dict[Cell, list[bool]] = {cell: [] for cell in lamps}
    go: list[bool] = []
    table.wait(1.5 * GLANCE - table.now % GLANCE)  # between the moments at which lamps change
    for _ in range(LOOKS):
        table.wait(GLANCE)
        shining = table.depth.shining(table.scene, table.now)
        for cell, lamp in lamps.items():
            seen[cell].append(lamp in shining)
        go.append(Button.GO in _button_lamps(table))
    cells = {cell: LIT_FOR[longest(lit)] for cell, lit in seen.items() if any(lit)}
    return Asked(cells, any(go) and not all(go))


def _button_lamps(table: Table) -> frozenset[Button]:
    return table.depth.lit_buttons() if isinstance(table.depth, Pins) else lit_buttons(table.scene, table.now)


def longest(lit: Sequence[bool]) -> int:
    """For how many glances in a row a lamp was lit, at most."""
    runs = "".join("x" if each else " " for each in lit).split()
    return max(map(len, runs), default=0)


class LampHand:
    """One hand at one table."""

    def __init__(self, table: Table, rng: Random, eyes: Eyes = by_the_scene) -> None:
        self.done = 0
        """How many things it has done."""
        self.was_offered = False
        """Whether an action was proposed as played meanwhile."""
        self._table = table
        self._rng = rng
        self._eyes = eyes

    def lead_back(self) -> None:
        """Do what the lamps say until there is play."""
        for _ in range(ENOUGH):
            self._table.wait(STEP)
            if self._table.session.mode not in LEADING:
                return
            self.obey(self._eyes(self._table))
        raise AssertionError(f"the lamps never lead back to play: {self._table.scene}")

    def obey(self, asked: Asked) -> None:
        """Do one thing that the lamps ask for; where GO blinks it is asked first."""
        self.done += 1
        self.was_offered |= Mark.CHOICE in asked.cells.values()
        if asked.go_blinks:
            self._table.press(Button.GO)
        elif asked.wrong:
            cell = self._rng.choice(sorted(asked.wrong))
            self._put(cell) if asked.wrong[cell] is Mark.MISSING else self._clear(cell)
        else:
            raise AssertionError(f"the lamps ask for nothing: {self._table.scene}")

    def _put(self, cell: Cell) -> None:
        world, now = self._table.world, self._table.now
        if world.stack(cell):
            world.lift(A_HAND, cell, now)
            self._table.wait(STEP)
        elif world.tray:
            world.from_tray(A_HAND, self._rng.randrange(len(world.tray)), now)
        else:
            world.from_supply(A_HAND, max(world.supply, key=lambda piece: world.supply[piece]), now)
        world.place(A_HAND, cell, self._table.now)

    def _clear(self, cell: Cell) -> None:
        self._table.world.lift(A_HAND, cell, self._table.now)
        self._table.world.to_tray(A_HAND, self._table.now)


def supply(table: Table, pieces: Mapping[Cell, Piece]) -> None:
    """Have plenty of these kinds of pieces beside the board."""
    for piece in {replace(piece, height=1) for piece in pieces.values()}:
        table.world._supply[piece] += PLENTY
