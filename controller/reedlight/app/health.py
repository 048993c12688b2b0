"""Remembering the health of switches: what is found, and what people decided, outlives the program.

    begin     store ──► what was found, and the cells that are played without their switch ──► tabletop
    keep      tabletop ──► what differs from what the store has ──► store

A fact belongs to a board and a switch, not to a game's cell, so it holds for every game on that board:

    flickers 16             found, and said until it works again
    deaf flickers 16        found, and played without
    deaf                    played without, because people said so

The store is opened for each change and let go again: there is one in months. What the store does not take
is tried again every RETRY seconds; a game is never held up by it. A fact that nobody can read, such as one of a
newer program, is left as it is until something is known of its switch.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import closing

from reedlight.adapters.service import fact
from reedlight.adapters.sqlite import Games, StoreLost
from reedlight.session.events import Deaf
from reedlight.tabletop import Tabletop
from reedlight.tracking.health import Fault, Finding, Health

RETRY = 10.0
"""Seconds until a store that failed is tried again: a disk that is full stays so for a while."""
DEAF = "deaf"

_log = logging.getLogger("reedlight")


class KnownSwitches:
    """What is known of the switches of one board. ``clock`` tells seconds since the epoch."""

    def __init__(self, open_store: Callable[[], Games], board: str, clock: Callable[[], float]) -> None:
        self._open = open_store
        self._board = board
        self._clock = clock
        self._kept: dict[int, str] = {}
        self._retry = float("-inf")
        self._said = ""

    def begin(self, tabletop: Tabletop, now: float) -> None:
        """Let a new tabletop know what is known."""
        try:
            with closing(self._open()) as store:
                facts = store.facts(self._board)
        except StoreLost as lost:
            self._say(lost)
            facts = dict[int, str]()
        cells = {switch: cell for cell, switch in tabletop.rig.layout.switches.items()}
        known = {switch: read for switch, text in facts.items() if switch in cells and (read := _read(text))}
        self._kept = {switch: facts[switch] for switch in known}
        tabletop.health = Health({cells[switch]: found for switch, (found, _) in known.items() if found})
        if deaf := frozenset(cells[switch] for switch, (_, is_deaf) in known.items() if is_deaf):
            tabletop.handle(Deaf(deaf), now)

    def keep(self, tabletop: Tabletop, now: float) -> None:
        """Keep what has become known since the last time."""
        facts = _facts(tabletop)
        changed = [switch for switch in facts.keys() | self._kept if facts.get(switch) != self._kept.get(switch)]
        if not changed or now < self._retry:
            return
        try:
            with closing(self._open()) as store:
                for switch in sorted(changed):
                    store.note(self._board, switch, facts.get(switch, ""), self._clock())
        except StoreLost as lost:
            self._say(lost)
            self._retry = now + RETRY
            return
        self._kept, self._said = facts, ""

    def _say(self, lost: StoreLost) -> None:
        """Say it in the log, once for as long as it lasts."""
        if str(lost) != self._said:
            _log.warning(fact("trouble", what=lost))
        self._said = str(lost)


def _facts(tabletop: Tabletop) -> dict[int, str]:
    """What is known now, by switches."""
    findings, dead, layout = tabletop.health.findings, tabletop.session.dead, tabletop.rig.layout
    return {layout.switches[cell]: _text(findings.get(cell), is_deaf=cell in dead) for cell in findings.keys() | dead}


def _text(found: Finding | None, *, is_deaf: bool) -> str:
    words = [DEAF] if is_deaf else []
    return " ".join((*words, f"{found.fault.value} {found.count}") if found else words)


def _read(text: str) -> tuple[Finding | None, bool] | None:
    """What was found and whether the cell is deaf; None for a text that says neither."""
    if text == DEAF:
        return None, True
    said = text.removeprefix(f"{DEAF} ")
    name, _, count = said.rpartition(" ")
    try:
        return Finding(Fault(name), int(count)), said != text
    except ValueError:
        return None
