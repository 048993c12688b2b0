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
import gc
import logging
import os
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reedlight.adapters import system
from reedlight.adapters.boards import THIS_MACHINE, Machine, rig
from reedlight.adapters.service import fact, notify, watchdog_seconds
from reedlight.adapters.sqlite import Games
from reedlight.app import seating
from reedlight.app.config import Config
from reedlight.app.driver import Driver
from reedlight.app.health import KnownSwitches
from reedlight.app.journal import Found, Journal
from reedlight.app.requests import QUESTIONS, Answer, Choice, Message, Requests
from reedlight.app.thinking import Thinker
from reedlight.app.tracing import SHOWN, Before, Recorder
from reedlight.board.fit import fit, why
from reedlight.board.profile import ConfigError
from reedlight.core.game import Game, Roll, State
from reedlight.record import fair
from reedlight.record.account import Account
from reedlight.record.journal import line_of
from reedlight.scene.palette import LEVELS
from reedlight.session.events import Accepted, Anew, Began, Ended, Event, Refused, Seated, TakenBack
from reedlight.session.replaying import Replaying
from reedlight.session.session import Session
from reedlight.session.settings import DiceFrom
from reedlight.tabletop import Happening, Tabletop

if TYPE_CHECKING:
    from reedlight.adapters.web.server import Page

AT_LEAST_EVERY = 2.0
"""Seconds between two advances of a board on which nothing happens; a watchdog wants to hear more seldom."""
PAGE_AGAIN = 5.0
"""Seconds until the page is tried again: the network may come up later than the board."""
SIGNS = 3
"""Signs of life within the watchdog's time: one may be late, and one lost."""
STOPS = (signal.SIGINT, signal.SIGTERM)
"""The signals that end the program as they should."""
FAILED = 1
"""Exit status: a fault of ours ended the program, and the log says which."""

_log = logging.getLogger("reedlight")

GAMES = "games.db"
"""The file of games in the service's own folder."""

Notify = Callable[..., bool]


def serve(
    config: Config, machine: Machine = THIS_MACHINE, replay: Account[Any] | None = None, trace: Path | None = None
) -> int:
    """Run a board until it is stopped, with a game to be shown first if there is one; the exit status.

    What comes in is added to the file of traces, if there is one. Raises ConfigError where what is to be played
    cannot be on this board, and where no trace can be written.
    """
    try:
        recorder = Recorder(trace) if trace else None
        asyncio.run(Daemon(config, machine, replay=replay, recorder=recorder).run())
    except ConfigError:
        raise
    except Exception:  # noqa: BLE001  # whatever it was, the service manager starts the board anew
        _log.critical("a fault of the program, which ends with it", exc_info=True)
        return FAILED
    return 0


class Daemon:
    """One board until it is stopped."""

    def __init__(
        self,
        config: Config,
        machine: Machine = THIS_MACHINE,
        tell: Notify = notify,
        *,
        replay: Account[Any] | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        self._config = config
        self._replay = replay
        self._recorder = recorder
        self._machine = machine
        self._tell = tell
        self._page: Page | None = None
        self._troubles: tuple[str, ...] = ()
        self._viewed: tuple[object, ...] = ()
        self._tabletop: Tabletop | None = None
        self._feed_every = (watchdog_seconds() or 0.0) / SIGNS
        self._fed_at = float("-inf")
        self._journal = Journal(self._open_games, time.time)
        self._switches = KnownSwitches(self._open_games, config.board.name, time.time)
        self._found: Found | None = None
        self._thinker = Thinker(self._thought, config.engines, config.seconds)
        self._driver: Driver
        self._requests: Requests

    def _open_games(self) -> Games:
        return Games(self._config.games or _own_folder() / GAMES)

    async def run(self) -> None:
        """Serve until stopped by a signal. Raises what a tabletop raised, once all is dark and closed."""
        loop = asyncio.get_running_loop()
        self._driver = Driver(self._advanced, min(AT_LEAST_EVERY, self._feed_every or AT_LEAST_EVERY))
        self._requests = Requests(self._first_choice(), self._begin, _today, self._journal.dice_tags, self._thinker)
        for number in STOPS:
            loop.add_signal_handler(number, self._driver.finish)
        opening = asyncio.ensure_future(self._open_page())
        try:
            self._driver.drive(self._requests.tabletop)
            if not self._driver.over.done():
                self._tell("READY=1")
                _log.info(fact("ready", board=self._config.board.name))
            await self._driver.over
        finally:
            opening.cancel()
            for number in STOPS:
                loop.remove_signal_handler(number)
            await self._close()

    async def _open_page(self) -> None:
        """Serve the page; a fault of ours is logged, and the board is played on without one."""
        try:
            await self._serve_page()
        except Exception:  # noqa: BLE001  # whatever failed, there are still the board and its log
            _log.exception("there will be no page")

    async def _serve_page(self) -> None:
        """Serve the page as soon as its address can be had, which may be later than the board can be played on."""
        if self._config.web is None:
            return
        await asyncio.sleep(0)  # the lamps first
        # Loading the web server takes longer than lighting the lamps, so it waits until they are lit.
        from reedlight.adapters.web.server import Page, PortInUse  # noqa: PLC0415
        from reedlight.adapters.web.view import marks  # noqa: PLC0415

        page = Page(self._receive, self._config.web.port, self._config.web.address)
        page.show(marks(LEVELS))
        said = ""
        while self._page is None:
            try:
                await page.start()
                self._page = page
            except PortInUse as error:
                if str(error) != said:
                    said = str(error)
                    _log.warning(fact("trouble", what=said))
                await asyncio.sleep(PAGE_AGAIN)
        _log.info(fact("page", url=page.url))
        gc.freeze()  # all that was loaded stays; looking through it for garbage would hold up the lamps for 40 ms
        self._driver.wake()

    async def _close(self) -> None:
        self._tell("STOPPING=1")
        self._driver.stop()
        await self._thinker.close()
        self._requests.tabletop.close()
        self._journal.close()
        if self._recorder:
            self._recorder.close()
        if self._page:
            await self._page.close()
        _log.info("stopped")

    # -------------------------------------------------------------------------------------- games

    def _first_choice(self) -> Choice:
        """The game that was interrupted, if there is one that this board can show, or what the owner chose."""
        choice = self._config.choice
        if self._replay:
            return _choice(choice, self._replay.game, self._replay.tags)
        found = self._journal.unfinished()
        if found is None:
            return choice
        try:
            fit(found.game.grid, self._config.board)
        except ConfigError:
            return choice
        self._found = found
        return _choice(choice, found.game, found.kept.head.tags)

    def _begin(self, choice: Choice) -> Tabletop:
        """A sitting of this choice, or of what was found. Raises ConfigError where the board is too small for it."""
        grid = choice.game.grid
        made = rig(self._config.board, grid, self._config.brightness, self._machine)
        _log.info(fact("sitting", game=choice.game.name, size=choice.game.size, lies=why(grid, self._config.board)))
        if self._tabletop:
            self._tabletop.close()
        self._thinker.begin()
        before = self._before(choice.game)
        session = self._session(choice)
        self._tabletop = Tabletop(session, made, self._roll, self._observe, self._journal.keep)
        if self._recorder:
            self._recorder.begin(self._tabletop, self._driver.now, self._config.board, before)
        self._switches.begin(self._tabletop, self._driver.now)
        return self._tabletop

    def _before(self, game: Game[Any]) -> Before | None:
        """What the next sitting goes on with, or shows, for its trace."""
        found = self._found
        if self._replay:
            return Before.of(game, self._replay.past, SHOWN)
        if found is None:
            return None
        return Before.of(game, found.past) if found.past.broken else Before(found.kept.head.start, found.lines)

    def _session(self, choice: Choice) -> Session:
        """What was found is gone on with, what is to be replayed is shown; any other game is prepared."""
        found, self._found = self._found, None
        replay, self._replay = self._replay, None
        if replay:
            return Replaying(choice.game, replay.past, choice.settings, now=self._driver.now)
        if found:
            self._journal.go_on_with(found)
        else:
            self._prepare(choice)
        return Session(choice.game, choice.settings, found.past if found else None, now=self._driver.now)

    def _prepare(self, choice: Choice, start: State[Any] | None = None) -> None:
        self._journal.prepare(choice.game, seating.tags(choice.game, choice.settings.seats, choice.names), start)
        if choice.settings.dice is DiceFrom.TABLE:
            self._journal.forget_seed()

    def _play_on(self, session: Replaying) -> None:
        """A game that was shown is played on: by whoever plays here, from the position it stood in."""
        if session.beginning is not None:
            self._requests.choice = replace(self._requests.choice, names=self._config.choice.names)
            self._prepare(self._requests.choice, session.beginning)

    def _roll(self, odds: Mapping[Roll, Fraction]) -> Roll:
        """The next roll of the game, which was fixed by its seed before it began, if it has one."""
        if not (seed := self._journal.seed):
            return system.roll(odds)
        assert self._tabletop is not None  # noqa: S101  # it asks for the roll
        rolled = sum(isinstance(part, Roll) for part in self._tabletop.session.history)
        return fair.roll(seed, rolled, odds)

    def _observe(self, happening: Happening, _at: float) -> None:
        if isinstance(happening, Began) and self._tabletop and isinstance(self._tabletop.session, Replaying):
            self._play_on(self._tabletop.session)
        if isinstance(happening, Seated | Anew) and self._tabletop:
            self._requests.choice = replace(self._requests.choice, settings=self._tabletop.session.settings)
            self._prepare(self._requests.choice)
        self._journal.observe(happening)
        if self._tabletop:
            self._thinker.observe(happening, self._tabletop.session)
        if type(happening) in _WORTH_A_LINE:
            assert self._tabletop is not None  # noqa: S101  # it is where things happen
            _log.info(fact(_WORTH_A_LINE[type(happening)], **_particulars(happening, self._tabletop.session)))

    def _thought(self, event: Event | None) -> None:
        """What somebody without hands chose; or there is something new to show."""
        if event:
            self._requests.tabletop.handle(event, self._driver.now)
        self._driver.wake()

    # --------------------------------------------------------------------------------------- page

    def _receive(self, message: Message) -> Answer:
        before = self._requests.tabletop
        answer = self._requests.do(message, self._driver.now)
        if message["do"] == "settings":
            choice = self._requests.choice
            self._journal.retag(seating.tags(choice.game, choice.settings.seats, choice.names))
        if message["do"] not in QUESTIONS:
            if self._requests.tabletop is not before:
                self._driver.drive(self._requests.tabletop)
            self._driver.wake()
        return answer

    def _advanced(self, now: float) -> None:
        """Show what is new, say what went wrong or right, and give a sign of life."""
        tabletop = self._requests.tabletop
        self._switches.keep(tabletop, now)
        notices = [self._thinker.trouble, self._journal.trouble, self._journal.notice]
        if self._recorder:
            self._recorder.keep(now)
            notices.append(self._recorder.trouble)
        tabletop.notices = tuple(filter(None, notices))
        self._report(tabletop.troubles)
        seen = (tabletop, tabletop.session.scene, self._requests.choice, self._thinker.reviewed, *self._troubles)
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
                self._remark(f"trouble: {sentence}")
        for sentence in self._troubles:
            if sentence and sentence not in troubles:
                _log.info(fact("mended", what=sentence))
                self._remark(f"mended: {sentence}")
        self._troubles = troubles

    def _remark(self, text: str) -> None:
        if self._recorder:
            self._recorder.remark(text)


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


def _choice(choice: Choice, game: Game[Any], tags: Mapping[str, str]) -> Choice:
    """The choice with a game that was begun before, and its players."""
    settings = replace(choice.settings, seats=seating.seats_in(game, tags))
    return replace(choice, game=game, settings=settings, names=seating.names_in(game, tags))


def _particulars(happening: Any, session: Session) -> dict[str, object]:
    match happening:
        case Accepted(action):
            return _accepted(action, session)
        case TakenBack():
            return {"left": len(session.entries)}
        case Refused(cell, reason):
            return {"cell": cell, "why": reason}
        case Ended(outcome):
            return {"winner": outcome.winner.value if outcome.winner else "none", "reason": outcome.reason}
        case _:
            return {}


def _accepted(action: Any, session: Session) -> dict[str, object]:
    """What was accepted, as the journal has it, and its number; several are told one by one when all are in."""
    for number, entry in reversed(list(enumerate(session.entries, 1))):
        if entry.action is action:
            return {"what": line_of(session.game, entry.before, action, entry.at).text, "number": number}
    return {"what": action}


def _own_folder() -> Path:
    """The folder that the service manager keeps for us, or the user's own."""
    given = os.environ.get("STATE_DIRECTORY", "")
    return Path(given) if given else Path.home() / ".local" / "state" / "reedlight"


def _today() -> date:
    return datetime.now().astimezone().date()
