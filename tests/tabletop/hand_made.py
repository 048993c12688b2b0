"""Ports made by hand, and a sitting at a tabletop that has them.

A *source* is what an input is opened on: switches, buttons or both at the end of a cable. A *screen* is what an
output is opened on; it remembers everything that it was shown. Either may be unplugged at any time, and then
its port says so at the next use, as a real one does.

Time passes in ``sitting.wait`` alone, from deadline to deadline.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

from reedlight.board.layout import Layout, direct
from reedlight.core.game import Die, Game, Roll, State
from reedlight.core.grid import Cell
from reedlight.games import make
from reedlight.ports import Closed, Display, Down, LinkLost, Report
from reedlight.scene.palette import LEVELS, Colour
from reedlight.scene.render import WS2812, Frame, Panel
from reedlight.scene.scene import Button
from reedlight.session.session import Session
from reedlight.tabletop import Happening, Rig, Tabletop

BETWEEN = 0.2
"""Seconds that a hand takes between two edges."""
FINGER = 0.1
"""Seconds for which a finger holds a button down."""
SETTLED = 1.0
"""Seconds after which a session that nobody disturbs has nothing more to say."""
AT_ONE_MOMENT = 20
"""A tabletop that wants to be called more often than this at one moment would never let time pass."""
GO = Button.GO

T = TypeVar("T")


@dataclass
class Source:
    """Switches (the mask of the closed ones), buttons (those that are down), or both; None for what it has not."""

    closed: int | None = None
    down: frozenset[Button] | None = None
    sentence: str = "The switches have come off."
    plugged: bool = True
    file: int | None = None
    deadline: float | None = None
    tries: list[float] = field(default_factory=list[float])
    """When somebody tried to open it."""
    opened: int = 0
    is_open: bool = False
    turns: list[float] = field(default_factory=list[float])
    """When it was lost, and when it was heard first after each opening."""
    log: list[str] = field(default_factory=list[str])

    def open(self, now: float) -> _Listening:
        """Open a port on it."""
        self.tries.append(now)
        if not self.plugged:
            raise LinkLost(self.sentence)
        self.opened += 1
        self.is_open = True
        return _Listening(self)


class _Listening:
    """The input."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._told: tuple[int | None, frozenset[Button] | None] = (None, None)

    @property
    def deadline(self) -> float | None:
        return self._source.deadline

    def fileno(self) -> int | None:
        return self._source.file

    def poll(self, now: float) -> Sequence[Report]:
        source = self._source
        if not source.plugged:
            source.turns.append(now)
            raise LinkLost(source.sentence)
        (closed, down), self._told = self._told, (source.closed, source.down)
        if (closed, down) == (None, None):
            source.turns.append(now)
        reports: list[Report] = []
        if source.closed is not None and source.closed != closed:
            reports.append(Closed(source.closed, now))
        if source.down is not None and source.down != down:
            reports.append(Down(source.down, now))
        return reports

    def close(self) -> None:
        self._source.is_open = False
        self._source.log.append(f"closed: {self._source.sentence}")


@dataclass
class Screen:
    """Lamps at the end of a cable."""

    sentence: str = "The lamps have come off."
    plugged: bool = True
    refresh: float | None = None
    """Seconds after which it wants to be shown the same again."""
    tries: list[float] = field(default_factory=list[float])
    opened: int = 0
    shown: list[tuple[float, Display]] = field(default_factory=list[tuple[float, Display]])
    log: list[str] = field(default_factory=list[str])

    def open(self, now: float) -> _Showing:
        """Open a port on it."""
        self.tries.append(now)
        if not self.plugged:
            raise LinkLost(self.sentence)
        self.opened += 1
        return _Showing(self)

    @property
    def last(self) -> Display:
        """What it was shown last."""
        return self.shown[-1][1]


class _Showing:
    """The output."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._due: float | None = None

    @property
    def deadline(self) -> float | None:
        return self._due

    def show(self, display: Display, now: float) -> None:
        if not self._screen.plugged:
            raise LinkLost(self._screen.sentence)
        self._screen.shown.append((now, display))
        self._due = None if self._screen.refresh is None else now + self._screen.refresh

    def close(self) -> None:
        self._screen.log.append(f"closed: {self._screen.sentence}")


class Sitting:
    """A game at a tabletop with hand-made ports: the first source has the switches."""

    def __init__(
        self,
        game: Game[Any],
        sources: Sequence[Source],
        screens: Sequence[Screen],
        *,
        state: State[Any] | None = None,
        layout: Layout | None = None,
        brightness: float = 1.0,
        dice_on_board: Callable[[Sequence[Die]], Frame] | None = None,
        roll: Roll | None = None,
    ) -> None:
        self.game = game
        self.sources = sources
        self.screens = screens
        self.layout = layout or direct(game.grid)
        self.now = 0.0
        self.happened: list[tuple[Happening, float]] = []
        self.stood: list[frozenset[Cell]] = []
        """Where pieces stood at each of these moments."""
        self._roll = roll
        count = max(self.layout.lamps.values()) + 1
        rig = Rig(
            game.grid,
            self.layout,
            Panel(self.layout.lamps, count, LEVELS, WS2812, brightness),
            inputs=tuple(source.open for source in sources),
            outputs=tuple(screen.open for screen in screens),
            dice_on_board=dice_on_board,
        )
        self.tabletop = Tabletop(Session(game, beginning=state), rig, self._fall, self.observe)

    def _fall(self, odds: Mapping[Roll, Fraction]) -> Roll:
        assert self._roll is not None
        assert self._roll in odds
        return self._roll

    def observe(self, happening: Happening, at: float) -> None:
        """Remember what passes through the tabletop."""
        self.happened.append((happening, at))
        self.stood.append(self.layout.cells_of(self.sources[0].closed or 0))

    # ------------------------------------------------------------------------------------ acting

    def wait(self, seconds: float = 0.0) -> Sitting:
        """Let time pass; at least everything that is due now is done."""
        end = self.now + seconds
        self.tabletop.advance(self.now)
        calls = 0
        while (due := self.tabletop.deadline) is not None and due <= end:
            calls = 0 if due > self.now else calls + 1
            assert calls < AT_ONE_MOMENT, f"called again and again at {self.now}"
            self.now = max(self.now, due)
            self.tabletop.advance(self.now)
        self.now = end
        return self

    def stand(self, cells: frozenset[Cell]) -> Sitting:
        """Let pieces stand on these cells and no others."""
        self.sources[0].closed = self.layout.mask_of(cells)
        return self.wait()

    def begin(self) -> Sitting:
        """Set the pieces up, press GO on the page, and let everything settle."""
        self.wait().stand(self.tabletop.session.state.occupancy())
        self.tabletop.press(GO, self.now)
        return self.wait(SETTLED)

    def do(self, story: str) -> Sitting:
        """Perform edges, ``-c3`` a lift and ``+d4`` a placement, with a hand's time after each."""
        for edge in story.split():
            self.toggle(edge[1:])
            self.wait(BETWEEN)
        return self

    def toggle(self, cell: str) -> Sitting:
        """Close the switch of a cell, or open it."""
        closed = self.sources[0].closed
        assert closed is not None
        self.sources[0].closed = closed ^ 1 << self.layout.switches[Cell(cell)]
        return self

    def hold(self, source: int, *buttons: Button) -> Sitting:
        """Hold these buttons of a source down, and let its others go."""
        self.sources[source].down = frozenset(buttons)
        return self.wait()

    def push(self, source: int, button: Button, seconds: float = FINGER) -> Sitting:
        """Press a button of a source, for so many seconds."""
        return self.hold(source, button).wait(seconds).hold(source)

    # ----------------------------------------------------------------------------------- looking

    def heard(self, kind: type[T]) -> list[T]:
        """What has passed through the tabletop, of one kind."""
        return [happening for happening, _ in self.happened if isinstance(happening, kind)]

    @property
    def played(self) -> list[Any]:
        """Everything accepted so far."""
        return list(self.tabletop.session.history)

    @property
    def moves(self) -> list[str]:
        """The moves accepted so far, in the game's notation."""
        entries = self.tabletop.session.entries
        return [self.game.notate(entry.before, entry.action) for entry in entries]

    def lit(self, screen: int = 0) -> set[str]:
        """The cells whose lamp shines on a screen."""
        frame = self.screens[screen].last.frame
        return {str(cell) for cell, lamp in self.layout.lamps.items() if any(frame[lamp])}

    @property
    def says(self) -> str:
        """The sentence that leads."""
        return self.tabletop.scene.caption.say

    @property
    def why(self) -> str:
        """Its reason."""
        return self.tabletop.scene.caption.why


def draughts(
    *screens: Screen,
    position: str | None = None,
    console: bool = False,
    layout: Layout | None = None,
    brightness: float = 1.0,
) -> Sitting:
    """Russian draughts, not yet begun: a source with the switches, and if it is wanted one with the buttons."""
    game = make("draughts")
    sources = [Source(closed=0)]
    if console:
        sources.append(Source(down=frozenset(), sentence="The buttons have come off."))
    state = game.load(position) if position else None
    return Sitting(game, sources, screens, state=state, layout=layout, brightness=brightness)


def diablo(*screens: Screen, roll: tuple[int, int], on_board: bool = False) -> Sitting:
    """Diablo, set up and begun: the dice will fall as they are told."""
    game = make("diablo")
    sources = [Source(closed=0), Source(down=frozenset(), sentence="The buttons have come off.")]
    shown = pips if on_board else None
    return Sitting(game, sources, screens, roll=Roll(roll), dice_on_board=shown).begin()


def pips(dice: Sequence[Die]) -> Frame:
    """A frame of two lamps whose red is what the dice show."""
    return tuple(Colour(die.pips, 0, 0) for die in dice)
