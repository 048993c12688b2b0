"""Depths: how much of the hardware is simulated below the program, and how much of the program runs above it.

    ports      the world's switches, debounced, are an input; nothing is below
    pins       the real GPIO and luma adapters, on mock pins and a bus that lights lamps bit by bit
    firmware   the same, and the real firmware in MicroPython behind the real serial adapter

A depth builds the rig of one board for one world. The world is never made again for a depth: each only
asks it which switches are closed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from reedlight.board.layout import Layout, direct
from reedlight.core.grid import Grid
from reedlight.ports import Closed
from reedlight.scene.palette import LEVELS, Colour
from reedlight.scene.render import WS2812, Panel, render
from reedlight.scene.scene import Button, Scene
from reedlight.tabletop import Rig
from reedlight.tracking.debounce import Debounce
from reedlight_sim.world import World

PORTS = "ports"
DEPTHS = (PORTS, "pins", "firmware")
"""The name of each, the shallowest first."""


class Depth(Protocol):
    """One way to put hardware below the program."""

    @property
    def layout(self) -> Layout:
        """Where the cells of the game lie on the switches."""
        ...

    def rig(self, world: World, clock: Callable[[], float]) -> Rig:
        """The ports to this world, whose time is told by the clock."""
        ...

    def shining(self, scene: Scene, now: float) -> Mapping[int, Colour]:
        """The lamps of the board that shine, by their numbers, and how they are driven."""
        ...

    @property
    def buttons(self) -> frozenset[Button]:
        """The buttons that are wired at this depth; the others are pressed on the page alone."""
        ...

    def hold(self, buttons: frozenset[Button]) -> None:
        """Hold these wired buttons down and let all others go."""
        ...

    def close(self) -> None:
        """Stop whatever was started."""
        ...


class Switches:
    """The world's switches as an input, debounced as a scanner would."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._debounce = Debounce()
        self._told: int | None = None

    @property
    def deadline(self) -> float | None:
        """When a switch next changes or becomes steady."""
        dues = (self._world.next_change, self._debounce.deadline)
        return min((due for due in dues if due is not None), default=None)

    def fileno(self) -> int | None:
        """Time alone says when."""
        return None

    def poll(self, now: float) -> Sequence[Closed]:
        """Every steady mask since the last call."""
        masks = [
            mask for sample in self._world.samples_until(now) for mask in self._debounce.sample(sample.mask, sample.at)
        ]
        masks += self._debounce.tick(now)
        if self._told is None and not masks:
            masks = [self._debounce.stable]
        fresh: list[Closed] = []
        for mask in masks:
            if mask != self._told:
                fresh.append(Closed(mask, now))
                self._told = mask
        return fresh

    def close(self) -> None:
        """There is nothing to let go."""


class Ports:
    """The world's switches as an input, on a board that is made of the game's own cells."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.layout = direct(grid)
        self.panel = Panel(self.layout.lamps, len(grid.cells), LEVELS, WS2812)

    def rig(self, world: World, clock: Callable[[], float]) -> Rig:
        """One input, and lamps that only the page shows."""
        del clock
        return Rig(self.grid, self.layout, self.panel, inputs=(lambda _: Switches(world),))

    def shining(self, scene: Scene, now: float) -> Mapping[int, Colour]:
        """What lamps would show: none is there."""
        frame = render(scene, now, self.panel)
        return {number: colour for number, colour in enumerate(frame) if any(colour)}

    @property
    def buttons(self) -> frozenset[Button]:
        """None is wired."""
        return frozenset()

    def hold(self, buttons: frozenset[Button]) -> None:
        """There is nothing to hold."""

    def close(self) -> None:
        """There is nothing to stop."""
