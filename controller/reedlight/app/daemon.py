"""The daemon: one board, its session and its page, from start to stop.

    config ──► rig ──► Tabletop ◄── Driver (time, files)
                          │  ▲
                view ◄────┘  └──── Requests ◄── page

The lamps come first: the board is lit before the page is so much as loaded, and goes dark before anything
else is closed. The service manager is told as soon as the first frame is out, whatever hardware is there, and
gets a sign of life only while every port is read or shown something: a device that hangs the program must not
be hidden by a timer that still runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Callable
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from reedlight.adapters import system
from reedlight.adapters.boards import THIS_MACHINE, Machine, rig
from reedlight.adapters.service import fact, notify, watchdog_seconds
from reedlight.app.config import Config
from reedlight.app.driver import Driver
from reedlight.app.requests import QUESTIONS, Answer, Choice, Message, Requests
from reedlight.board.fit import why
from reedlight.scene.palette import LEVELS
from reedlight.session.events import Accepted, Began, Ended, Refused, TakenBack
from reedlight.session.session import Session
from reedlight.tabletop import Happening, Tabletop

if TYPE_CHECKING:
    from reedlight.adapters.web.server import Page

AT_LEAST_EVERY = 2.0
"""Seconds between two advances of a board on which nothing happens; a watchdog wants to hear more seldom."""
PAGE_AGAIN = 5.0
"""Seconds until the page is tried again: the network may come up later than the board."""
SIGNS = 3
"""Signs of life within the watchdog's time: one may be late, and one lost."""

_log = logging.getLogger("reedlight")

Notify = Callable[..., bool]


class Daemon:
    """One board until it is stopped."""

    def __init__(self, config: Config, machine: Machine = THIS_MACHINE, tell: Notify = notify) -> None:
        self._config = config
        self._machine = machine
        self._tell = tell
        self._page: Page | None = None
        self._troubles: tuple[str, ...] = ()
        self._viewed: tuple[object, ...] = ()
        self._tabletop: Tabletop | None = None
        self._feed_every = (watchdog_seconds() or 0.0) / SIGNS
        self._fed_at = float("-inf")
        self._driver: Driver
        self._requests: Requests

    async def run(self) -> None:
        """Serve until stopped by a signal."""
        stopped = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
        self._driver = Driver(self._advanced, min(AT_LEAST_EVERY, self._feed_every or AT_LEAST_EVERY))
        self._requests = Requests(self._config.choice, self._begin, _today)
        try:
            self._driver.drive(self._requests.tabletop)
            self._tell("READY=1")
            _log.info(fact("ready", board=self._config.board.name))
            opening = asyncio.ensure_future(self._open_page())
            await _first_of(stopped.wait(), self._driver.failed)
            opening.cancel()
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().remove_signal_handler(number)
            await self._close()

    async def _open_page(self) -> None:
        """Serve the page as soon as its address can be had, which may be later than the board can be played on."""
        if self._config.web is None:
            return
        await asyncio.sleep(0)  # the lamps first
        # Loading the web server takes longer than lighting the lamps, so it waits until they are lit.
        from reedlight.adapters.web.server import Page, PortInUse  # noqa: PLC0415
        from reedlight.adapters.web.view import marks  # noqa: PLC0415

        page = Page(self._receive, self._config.web.port, self._config.web.address)
        page.show(marks(LEVELS))
        page.show(self._requests.view())
        said = ""
        while self._page is None:
            try:
                await page.start()
                self._page = page
                _log.info(fact("page", url=page.url))
            except PortInUse as error:
                if str(error) != said:
                    said = str(error)
                    _log.warning(fact("trouble", what=said))
                await asyncio.sleep(PAGE_AGAIN)

    async def _close(self) -> None:
        self._tell("STOPPING=1")
        self._driver.stop()
        self._requests.tabletop.close()
        if self._page:
            await self._page.close()
        _log.info("stopped")

    # -------------------------------------------------------------------------------------- games

    def _begin(self, choice: Choice) -> Tabletop:
        """A sitting of this choice. Raises ConfigError where the board is too small for it."""
        grid = choice.game.grid
        made = rig(self._config.board, grid, self._config.brightness, self._machine)
        _log.info(fact("sitting", game=choice.game.name, size=choice.game.size, lies=why(grid, self._config.board)))
        if self._tabletop:
            self._tabletop.close()
        session = Session(choice.game, choice.settings, now=self._driver.now)
        self._tabletop = Tabletop(session, made, system.roll, self._observe)
        return self._tabletop

    def _observe(self, happening: Happening, _at: float) -> None:
        if type(happening) in _WORTH_A_LINE:
            _log.info(fact(_WORTH_A_LINE[type(happening)], **_particulars(happening)))

    # --------------------------------------------------------------------------------------- page

    def _receive(self, message: Message) -> Answer:
        before = self._requests.tabletop
        answer = self._requests.do(message, self._driver.now)
        if message["do"] not in QUESTIONS:
            if self._requests.tabletop is not before:
                self._driver.drive(self._requests.tabletop)
            self._driver.wake()
        return answer

    def _advanced(self, now: float) -> None:
        """Show what is new, say what went wrong or right, and give a sign of life."""
        tabletop = self._requests.tabletop
        self._report(tabletop.troubles)
        seen = (tabletop, tabletop.session.scene, self._requests.choice, *self._troubles)
        if self._page and not _same(seen, self._viewed):
            self._viewed = seen
            self._page.show(self._requests.view())
        if self._feed_every and now - self._fed_at >= self._feed_every and now - tabletop.alive_at < self._feed_every:
            self._fed_at = now
            self._tell("WATCHDOG=1")

    def _report(self, troubles: tuple[str, ...]) -> None:
        for sentence in troubles:
            if sentence and sentence not in self._troubles:
                _log.warning(fact("trouble", what=sentence))
        for sentence in self._troubles:
            if sentence and sentence not in troubles:
                _log.info(fact("mended", what=sentence))
        self._troubles = troubles


_WORTH_A_LINE: dict[type[Any], str] = {
    Began: "began",
    Accepted: "accepted",
    TakenBack: "taken-back",
    Refused: "refused",
    Ended: "ended",
}


def _same(some: tuple[object, ...], others: tuple[object, ...]) -> bool:
    """Whether these are the very same things: to compare what is in them would take longer than to show it."""
    return len(some) == len(others) and all(one is other for one, other in zip(some, others, strict=True))


def _particulars(happening: Any) -> dict[str, object]:
    match happening:
        case Accepted(action) | TakenBack(action):
            return {"action": action}
        case Refused(cell, reason):
            return {"cell": cell, "why": reason}
        case Ended(outcome):
            return {"winner": outcome.winner.value if outcome.winner else "none", "reason": outcome.reason}
        case _:
            return {}


async def _first_of(stopped: Any, failed: asyncio.Future[None]) -> None:
    waiting = asyncio.ensure_future(stopped)
    await asyncio.wait((waiting, failed), return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await waiting
    if failed.done():
        failed.result()


def _today() -> date:
    return datetime.now().astimezone().date()
