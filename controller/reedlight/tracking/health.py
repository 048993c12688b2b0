"""The health of cells: which switches stay closed, stay open or flicker, found while a game is played.

A switch is judged by what it reports and by what the game knows, and by nothing else:

    flickers       changes so often that no hand can be doing it
    stays closed   is closed though nothing should stand there, position after position, and never changes
    stays open     is open though something should stand there, position after position, and never changes

A switch that changes is alive, whatever else is odd about it: each of its changes makes the count of wrong
positions begin anew. So a piece that is lifted early, put back late, nudged or slid past is nobody's fault.

A position counts once the board has nearly come to it (``OUT_OF_PLACE``) by somebody's hand, which shows in a
cell that the last action went through; where that went through deaf cells alone, all others must be right. A
game that is played on the page alone, with a board beside it that stands still or that a child plays with, says
nothing about any switch.

What is found stands until the switch does its duty again: it changed each time when one of the next few
actions went through it. A flicker is also forgotten once it has been quiet for long, unless the cell is played
without its switch (a *deaf* one): deaf cells are judged like all others, but nobody need be told again. Times
are seconds that only move forward, and come with the reports; nothing here knows a game, a clock, or what is
done about a fault.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from types import MappingProxyType

from reedlight.core.grid import Cell, Cells

WINDOW = 10.0
"""Seconds in which changes are counted: some three turns, in which one cell is seldom touched twice."""
CHANGES = 16
"""Changes within the window that are a flicker. Reports are debounced, so bounce is not among them. The most that
hurried and clumsy hands made of one cell, in eight hundred games of every kind, was 10; a reed at the edge of its
magnet's field, which cannot decide, makes several in a second."""
QUIET = 60.0
"""Seconds without a change after which a switch flickers no longer: the piece that it could not decide on has been
put straight, or is gone."""
POSITIONS = 4
"""Wrong positions after which a switch is said to stay as it is: two moves of each side. The most that a sound one
shows is 1, when a piece of the next action was lifted before the last action counted."""
ACTIONS = 4
"""Actions through a cell in which its switch stayed still, with the same consequence, for a cell that is right in
between. The most that a sound one shows is 2, when two actions count at once."""
OUT_OF_PLACE = 2
"""Cells, besides the deaf ones, that may be wrong in a position that counts: the faulty one, and one whose piece is in
a hand."""
MOST_WRONG = 8
"""Cells, deaf ones among them, that may be wrong in a position that counts: a whole row of a board with a loose wire.
Where more are wrong, nobody plays on the board."""
SOUND = 3
"""Actions in succession in which a switch must do its duty until nothing more is said about it."""


class Fault(Enum):
    """What can be found wrong with a switch."""

    FLICKERS = "flickers"
    STAYS_CLOSED = "stays closed"
    STAYS_OPEN = "stays open"


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault, and what was counted when it was found: changes within the window, or wrong positions or actions."""

    fault: Fault
    count: int

    def sentence(self, cell: Cell) -> str:
        """What is wrong, for people: as short as a reason must be, however long the cell's name is."""
        return _sentence(self, cell)


@lru_cache(maxsize=256)
def _sentence(finding: Finding, cell: Cell) -> str:
    """The same object for the same words: who shows them asks often, and wants to know whether they are new."""
    return _SENTENCES[finding.fault].format(cell=cell, count=finding.count, seconds=round(WINDOW))


_SENTENCES = {
    Fault.FLICKERS: "The switch of {cell} flickers: {count} changes in {seconds} s.",
    Fault.STAYS_CLOSED: "The switch of {cell} stays closed: wrong for {count} moves.",
    Fault.STAYS_OPEN: "The switch of {cell} stays open: wrong for {count} moves.",
}


@dataclass(slots=True)
class _Count:
    """What is counted of one cell."""

    changes: deque[float] = field(default_factory=deque[float])
    """When it changed, within the window."""
    changed_at: float = 0.0
    """When it last changed, or when it was first looked at."""
    wrong: int = 0
    """Positions in which it was wrong since it last changed."""
    still: int = 0
    """Actions that went through it since it last changed."""
    alive: bool = False
    """Whether it has changed since an action last went through it."""
    sound: int = 0
    """Actions in succession in which it changed and was right."""


class Health:
    """The health of the cells of one board; ``known`` is what was found before."""

    def __init__(self, known: Mapping[Cell, Finding] = MappingProxyType({})) -> None:
        self._found = dict(known)
        self._counts: dict[Cell, _Count] = {}
        self._closed = Cells()
        self._deaf = Cells()
        self._expected: Cells | None = None
        self._passed = Cells()
        """The cells through which the action went that led to the position."""
        self._counted = True

    @property
    def findings(self) -> Mapping[Cell, Finding]:
        """What is wrong, by cells."""
        return MappingProxyType(self._found)

    # -------------------------------------------------------------------------------------- what happens

    def report(self, closed: Cells, at: float) -> None:
        """The switches of these cells are closed, and no others."""
        for cell in self._found.keys() - self._counts.keys():
            self._of(cell).changed_at = at
        changed = closed ^ self._closed
        self._closed = closed
        for cell in changed:
            self._change(cell, at)
        self._forget_what_is_quiet(at)
        if changed:
            self._count()

    def stand(self, expected: Cells, deaf: Cells = frozenset()) -> None:
        """A game stands so, whatever came before: it begins, goes on, or was taken back."""
        self._expected, self._deaf = expected, deaf
        self._passed, self._counted = Cells(), True

    def play(self, expected: Cells, deaf: Cells = frozenset()) -> None:
        """An action was accepted, and now pieces should stand on these cells and no others."""
        before = self._expected
        self._deaf = deaf
        if before is None or before == expected:
            self._expected = expected
            return
        self._expected, self._passed, self._counted = expected, expected ^ before, False
        self._count()

    def stop(self) -> None:
        """The game is over; what is done on the board now says nothing."""
        self._expected = None

    def forget(self, cell: Cell) -> None:
        """Believe that the switch of a cell works, until it shows that it does not."""
        self._found.pop(cell, None)
        self._counts.pop(cell, None)

    # -------------------------------------------------------------------------------------- counting

    def _of(self, cell: Cell) -> _Count:
        return self._counts.setdefault(cell, _Count())

    def _change(self, cell: Cell, at: float) -> None:
        count = self._of(cell)
        count.wrong = count.still = 0
        count.alive = True
        count.changed_at = at
        if self._expected is None:
            count.changes.clear()  # a board that is set up or cleared away is handled as no game is
            return
        count.changes.append(at)
        while count.changes[0] < at - WINDOW:
            count.changes.popleft()
        if len(count.changes) >= CHANGES:
            count.sound = 0
            self._found.setdefault(cell, Finding(Fault.FLICKERS, len(count.changes)))

    def _forget_what_is_quiet(self, now: float) -> None:
        flickers = [cell for cell, finding in self._found.items() if finding.fault is Fault.FLICKERS]
        for cell in flickers:
            if cell not in self._deaf and self._of(cell).changed_at < now - QUIET:
                self.forget(cell)

    def _count(self) -> None:
        """Count the position, once, if the board has nearly come to it by a hand."""
        if self._counted or self._expected is None:
            return
        wrong = self._closed ^ self._expected
        is_heard = wrong <= self._deaf if self._passed <= self._deaf else self._hand_shows
        if not is_heard or len(wrong - self._deaf) > OUT_OF_PLACE or len(wrong) > MOST_WRONG:
            return
        self._counted = True
        for cell in wrong | self._passed:
            self._judge(cell, is_wrong=cell in wrong)

    @property
    def _hand_shows(self) -> bool:
        """Whether a cell that the last action went through has changed."""
        return any(self._of(cell).alive for cell in self._passed)

    def _judge(self, cell: Cell, *, is_wrong: bool) -> None:
        count = self._of(cell)
        count.wrong += is_wrong
        if cell in self._passed:
            count.still += 1
            count.sound = count.sound + 1 if count.alive and not is_wrong else 0
            count.alive = False
        if count.sound >= SOUND:
            self._found.pop(cell, None)
        if count.wrong >= POSITIONS or count.still >= ACTIONS:
            fault = Fault.STAYS_CLOSED if cell in self._closed else Fault.STAYS_OPEN
            self._found.setdefault(cell, Finding(fault, max(count.wrong, count.still)))
