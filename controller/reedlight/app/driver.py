"""The driver: an event loop that gives a tabletop its time.

    file readable ──┐
    deadline ───────┼──► advance(now) ──► then what else wants to know ──► wait again
    asked for ──────┘

A deadline is met by a timer and files are watched by the loop; nothing polls, nothing sleeps.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

from reedlight.tabletop import Tabletop


class Driver:
    """Advances one tabletop at a time, and calls ``afterwards`` each time it has; needs a running event loop."""

    def __init__(self, afterwards: Callable[[float], None], at_least_every: float) -> None:
        self._afterwards = afterwards
        self._at_least_every = at_least_every
        self._loop = asyncio.get_running_loop()
        self._tabletop: Tabletop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._files: frozenset[int] = frozenset()
        self._openings = 0
        self.over: asyncio.Future[None] = self._loop.create_future()
        """Done at the end; raises what a tabletop raised, which is our fault and the end of the program."""

    @property
    def now(self) -> float:
        """The tabletop's time."""
        return self._loop.time()

    def drive(self, tabletop: Tabletop) -> None:
        """Give this tabletop its time from now on."""
        self._tabletop = tabletop
        self._watch(frozenset())
        self.wake()

    def wake(self, *readable: int) -> None:
        """Advance now; these files have something to be read."""
        self._advance(readable, even_in_vain=True)

    def _on_time(self) -> None:
        """Advance, because something is due; where it was a look in vain, nobody else wants to know."""
        self._advance((), even_in_vain=False)

    def _advance(self, readable: Collection[int], *, even_in_vain: bool) -> None:
        if self._timer:
            self._timer.cancel()
        if self._tabletop is None or self.over.done():
            return
        try:
            matters = self._tabletop.advance(self.now, readable) or even_in_vain
            if matters:
                self._afterwards(self.now)
        except Exception as error:  # noqa: BLE001  # whatever it was, the program ends with it
            self.over.set_exception(error)
            return
        if matters:
            self._watch_its_files(self._tabletop)
        due = self._tabletop.deadline
        latest = self.now + self._at_least_every
        self._timer = self._loop.call_at(latest if due is None else min(due, latest), self._on_time)

    def finish(self) -> None:
        """Bring the end about, unless it has come already."""
        if not self.over.done():
            self.over.set_result(None)

    def stop(self) -> None:
        """Give it no more time."""
        if self._timer:
            self._timer.cancel()
        self._watch(frozenset())
        self._tabletop = None

    def _watch_its_files(self, tabletop: Tabletop) -> None:
        if self._openings != tabletop.openings:
            self._openings = tabletop.openings
            self._watch(frozenset())
        self._watch(tabletop.filenos())

    def _watch(self, files: frozenset[int]) -> None:
        for file in self._files - files:
            self._loop.remove_reader(file)
        for file in files - self._files:
            self._loop.add_reader(file, self.wake, file)
        self._files = files
