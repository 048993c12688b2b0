"""Days of a board: the daemon in virtual time on simulated pins, started, played at and stopped, again and again.

with what was kept ──► Day ──hands, fingers, page──► what is kept for the next one
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import jumping

from reedlight.app.config import read
from reedlight.app.daemon import Daemon
from reedlight.app.requests import Answer, Requests
from reedlight.app.tracing import Recorder
from reedlight.board.fit import fit
from reedlight.core.grid import Cell, Cells
from reedlight.ports import LinkLost
from reedlight.record.account import Account
from reedlight.scene.scene import Button
from reedlight.session.session import Session
from reedlight.tabletop import Tabletop
from reedlight_sim.hardware import Simulated

SETTLED = 1.5
"""Seconds after which nothing more comes of what a hand did."""
FINGER = 0.12
"""Seconds for which a finger holds a button down."""


class _Watched(Daemon):
    """A daemon that can be looked into, and told what a page would tell it."""

    @property
    def requests(self) -> Requests:
        return self._requests

    def finish(self) -> None:
        self._driver.finish()

    def receive(self, message: dict[str, Any]) -> Answer:
        return self._receive(message)


class Day:
    """A daemon on a simulated board, and the people at it."""

    def __init__(
        self,
        folder: Path,
        *,
        game: str = "draughts",
        board: str = "budget-8x8",
        trace: Path | None = None,
        replay: Account[Any] | None = None,
    ) -> None:
        config = read(
            f'[board]\nprofile = "{board}"\n[game]\nname = "{game}"\n[page]\nserved = false\n'
            f'[games]\nfile = "{folder / "games.db"}"\n',
            folder / "reedlight.toml",
        )
        self.game = config.choice.game
        self.closed = 0
        self.recorder = Recorder(trace) if trace else None
        self._layout = fit(self.game.grid, config.board)
        self._devices = Simulated(config.board, lambda: self.closed)
        machine = self._devices.machine(_no_pico)
        self._daemon = _Watched(config, machine, lambda *_: True, replay=replay, recorder=self.recorder)

    def run(self, story: Callable[[Day], Awaitable[None]]) -> Day:
        """Start it, let people do something, and stop it."""

        async def told() -> None:
            running = asyncio.ensure_future(self._daemon.run())
            await asyncio.sleep(SETTLED)
            try:
                await story(self)
            finally:
                self._daemon.finish()
                await running

        jumping.run(told())
        return self

    # ------------------------------------------------------------------------------------- acting

    async def begin(self, without: str = "") -> None:
        """Set the pieces up, but for those on some cells, and press GO."""
        await self.stand(self.session.state.occupancy() - frozenset(map(Cell, without.split())))
        await self.press(Button.GO)

    async def stand(self, cells: Cells) -> None:
        """Let the switches of these cells be closed and no others."""
        self.closed = self._layout.mask_of(cells)
        await asyncio.sleep(SETTLED)

    async def toggle(self, *cells: str, apart: float = SETTLED) -> None:
        """Change the switches of these cells, one after another."""
        for cell in cells:
            self.closed ^= self._layout.mask_of((Cell(cell),))
            await asyncio.sleep(apart)

    async def press(self, button: Button, seconds: float = FINGER) -> None:
        """Hold a button of the board down for a moment."""
        for down in (frozenset((button,)), frozenset[Button]()):
            self._devices.down = down
            await asyncio.sleep(seconds)

    async def ask(self, what: str, **more: Any) -> Answer:
        """Ask for something on the page."""
        answer = self._daemon.receive({"do": what, **more})
        await asyncio.sleep(SETTLED)
        return answer

    # ------------------------------------------------------------------------------------ looking

    @property
    def tabletop(self) -> Tabletop:
        """What is played at."""
        return self._daemon.requests.tabletop

    @property
    def session(self) -> Session:
        """The sitting."""
        return self.tabletop.session

    @property
    def view(self) -> dict[str, Any]:
        """What the page is told."""
        return self._daemon.requests.view()

    @property
    def played(self) -> list[str]:
        """The turns so far."""
        return [turn["text"] for turn in self.view["turns"]]


def _no_pico(_serial: str) -> str:
    raise LinkLost("No Pico is plugged in.")
