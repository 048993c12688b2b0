"""The tabletop: what is reported goes into the session, what it shows goes out, in whatever time it is given.

    inputs ──Closed──► layout ──Board──► session ──scene──► render ──Display──► outputs
           ──Down────► presses ─Press──►   │  ▲                                    ▲
                                           └──┴─ NeedRoll, Rolled ── dice ─────────┘

Nothing here waits or knows a clock. ``advance`` does what is due at a moment, ``deadline`` says when to call
it again, and ``filenos`` what to watch meanwhile. A program in real time calls it from its event loop, a
simulation in virtual time goes from deadline to deadline; it is the same tabletop.

A port that fails is closed and opened anew every RETRY seconds, from the start on as well, so that hardware
and program may come in any order. Until it has reported or shown something, the sentence that says what is
wrong leads on the page and on the lamps that are left, and the session stays as it is: nothing is lost and
everything can be played there.

The dice roll for a moment when they are asked for; GO or a lifted piece ends that. Where they have no
display of their own they are shown on the board for ON_BOARD seconds, and again when GO has nothing to do;
a lifted piece ends that too, for then the lights have more to say.

The health of the switches is judged on the way: what is wrong with one is said like a device that is missing,
until its cell is played without it. GO held takes such cells out too.

Whatever comes in from outside, from ports, page and dice, is told to the *witness* before it is acted on: with
the same at the same moments, another tabletop does the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Generic, Protocol, TypeVar

from reedlight.board.layout import Layout
from reedlight.core.game import Caption, Die, Roll
from reedlight.core.grid import Cell, Cells, Grid
from reedlight.ports import Closed, Display, Down, Input, LinkLost, Output, Report
from reedlight.scene import words
from reedlight.scene.dice import next_tumble, rolling
from reedlight.scene.render import Frame, Panel, lit_buttons, next_change, render
from reedlight.scene.scene import Button, Lamp, Light, Mark, Scene
from reedlight.session.events import (
    Accepted,
    Began,
    Board,
    Deaf,
    Effect,
    Ended,
    Event,
    Heard,
    Hold,
    NeedRoll,
    Press,
    Resumed,
    Rolled,
    TakenBack,
)
from reedlight.session.presses import Presses
from reedlight.session.session import Session
from reedlight.session.settings import Settings
from reedlight.tracking.health import Health

__all__ = ["ON_BOARD", "RETRY", "Coming", "Happening", "Rig", "Tabletop", "Unheard"]

RETRY = 1.0
"""Seconds from the loss of a port to the next try to open it: soon enough for a hand, rare enough for a processor."""
ON_BOARD = 2.0
"""Seconds for which dice without a display of their own are shown on the board."""
LONG_AGO = -3600.0
"""Seconds; a moment from which no dice roll any more."""
IN_VAIN = 0.5
"""Seconds for which looks that see nothing are followed by nothing: most looks, and all of an idle processor's work."""

Happening = Report | Event | Effect
"""Everything that passes through a tabletop, for those who keep a record of it."""


@dataclass(frozen=True, slots=True)
class Unheard:
    """The buttons cannot be heard until they report again."""


Coming = Report | Unheard | Event | Settings
"""Everything that comes in from outside: events are those of no port, and the dice that fell."""
Dice = Callable[[Mapping[Roll, Fraction]], Roll]


class _Port(Protocol):
    @property
    def deadline(self) -> float | None: ...
    def close(self) -> None: ...


P = TypeVar("P", bound=_Port)


@dataclass(frozen=True, slots=True)
class Rig:
    """The ports of one board, and how the cells of one game lie on its switches and lamps."""

    grid: Grid
    layout: Layout
    panel: Panel
    inputs: tuple[Callable[[float], Input], ...] = ()
    """Each opens a port at a moment, or raises LinkLost."""
    outputs: tuple[Callable[[float], Output], ...] = ()
    dice_on_board: Callable[[Sequence[Die]], Frame] | None = None
    """The frame that shows dice on the board itself; None where they have a display of their own, or no board."""


class _Socket(Generic[P]):
    """The place of one port: the port, or what is wrong and when it is tried again."""

    def __init__(self, opening: Callable[[float], P]) -> None:
        self._open = opening
        self.port: P | None = None
        self.trouble = ""
        self.retry: float | None = float("-inf")
        self.openings = 0
        """How often it was opened."""
        self.used_at = float("-inf")
        """When the port, or the try to open it, last came to an end."""
        self.shown: Display | None = None
        """What an output was last shown."""

    @property
    def due(self) -> float | None:
        """When the port wants to be used, or is to be opened."""
        return self.retry if self.port is None else self.port.deadline

    def use(self, act: Callable[[P], bool], now: float) -> bool:
        """Do something with the port, opening it first where that is due; whether it did what it is for.

        A failure is kept as trouble until an act says that the port does what it is for.
        """
        acted = False
        try:
            if self.port is None:
                if self.retry is None or now < self.retry:
                    return False
                self.port = self._open(now)
                self.openings += 1
                self.retry = None
            acted = act(self.port)
            if acted:
                self.trouble = ""
            self.used_at = now
        except LinkLost as error:
            self.close()
            self.trouble, self.retry, self.used_at = str(error), now + RETRY, now
        return acted

    def wants(self, display: Display, now: float) -> bool:
        """Whether an output has to be opened, or shown this, or shown it again."""
        return self.shown is not display or (self.due is not None and self.due <= now)

    def close(self) -> None:
        """Let the port go, and open it no more."""
        port, self.port, self.retry = self.port, None, None
        if port is not None:
            port.close()


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the outputs were last told, of which scene with which troubles, and until when it holds."""

    scene: Scene | None = None
    troubles: tuple[str, ...] = ()
    display: Display | None = None
    until: float | None = None


@dataclass
class _Rolling:
    """The last roll: when the dice fell, how many faces each has, until when the board itself shows them."""

    since: float = LONG_AGO
    faces: int = 1
    on_board_until: float = LONG_AGO


@dataclass(frozen=True, slots=True)
class _Quiet:
    """Until when nothing is to be done but to look at switches and buttons, and when anything else is due."""

    until: float = LONG_AGO
    due: float | None = None


class Tabletop:
    """One session at one board. Times are seconds that only move forward."""

    def __init__(
        self,
        session: Session,
        rig: Rig,
        dice: Dice,
        observe: Callable[[Happening, float], None],
        before_showing: Callable[[float], None] | None = None,
    ) -> None:
        self.session = session
        self._notices: tuple[str, ...] = ()
        self.health = Health()
        """What is found wrong with the switches."""
        self.witness: Callable[[Coming | Effect], None] = _overlooked
        """Is told what comes in, before it is acted on, and what comes of it."""
        self.rig = rig
        self.now = 0.0
        self._dice = dice
        self._observe = observe
        self._before_showing = before_showing or _nothing
        self._inputs = [_Socket(opening) for opening in rig.inputs]
        self._outputs = [_Socket(opening) for opening in rig.outputs]
        self._presses = Presses()
        self._down: dict[_Socket[Input], frozenset[Button]] = {}
        self._shown = _Shown()
        self._rolling = _Rolling()
        self._quiet = _Quiet()

    # ------------------------------------------------------------------------------------ looking

    @property
    def scene(self) -> Scene:
        """What is shown now: the session's scene, and before it whatever is wrong with the board."""
        scene = self.session.scene
        if deaf := _first(self._inputs):
            corners = {cell: Light(Mark.FORBIDDEN, "no contact") for cell in _corners(self.rig.grid)}
            return replace(
                scene,
                caption=Caption(words.cut_at_a_word(deaf, words.LONGEST_SENTENCE), words.PLAY_ON_THE_PAGE),
                lights=corners | dict(scene.lights),
            )
        if dark := _first(self._outputs) or next(iter((*self.notices, *self._faults)), ""):
            return replace(scene, caption=Caption(scene.caption.say, words.cut_at_a_word(dark, words.LONGEST_REASON)))
        return scene

    @property
    def notices(self) -> tuple[str, ...]:
        """What else is wrong with this board, a sentence each; said like a device that is missing."""
        return self._notices

    @notices.setter
    def notices(self, notices: tuple[str, ...]) -> None:
        if notices != self._notices:
            self._notices, self._quiet = notices, _Quiet()

    @property
    def troubles(self) -> tuple[str, ...]:
        """Everything that is wrong with the board, a sentence each."""
        missing = (socket.trouble for socket in (*self._inputs, *self._outputs) if socket.trouble)
        return tuple(dict.fromkeys((*missing, *self.notices, *self._faults)))

    @property
    def faulty(self) -> Mapping[Cell, str]:
        """The cells whose switch is found faulty, in order, with a sentence each."""
        return {cell: finding.sentence(cell) for cell, finding in sorted(self.health.findings.items())}

    @property
    def _faults(self) -> tuple[str, ...]:
        """What is to be said of switches: nothing of those that are not believed any more."""
        return tuple(sentence for cell, sentence in self.faulty.items() if cell not in self.session.deaf)

    @property
    def dice(self) -> tuple[Die, ...]:
        """The dice as they show now, tumbling for a moment after the roll."""
        return rolling(self.session.scene.dice, self.now - self._rolling.since, self._rolling.faces)

    @property
    def deadline(self) -> float | None:
        """When to call ``advance`` next, even if no file becomes readable; None if nothing is due."""
        besides = self._quiet.due if self._is_quiet else self._due_besides_looks()
        return _soonest((besides, *[socket.due for socket in self._inputs]))

    def _due_besides_looks(self) -> float | None:
        shown = self._shown.until if self._is_shown else self.now
        lamps = [socket.due for socket in self._outputs]
        return _soonest((self.session.deadline, self._presses.deadline, shown, *lamps))

    @property
    def _is_quiet(self) -> bool:
        """Whether nothing but looks can be due."""
        return self.now < self._quiet.until and (not self._outputs or self._shown.scene is self.session.scene)

    @property
    def overdue(self) -> float | None:
        """Since when something of the session's or the buttons' has been due that is not done; None if nothing is."""
        dues = (self.session.deadline, self._presses.deadline)
        return min((due for due in dues if due is not None and due <= self.now), default=None)

    def filenos(self) -> frozenset[int]:
        """The files that say by becoming readable that ``advance`` has something to do."""
        found = (socket.port.fileno() for socket in self._inputs if socket.port is not None)
        return frozenset(number for number in found if number is not None)

    @property
    def openings(self) -> int:
        """How often ports were opened; as long as it stays, ``filenos`` are the same files."""
        return sum(socket.openings for socket in (*self._inputs, *self._outputs))

    @property
    def alive_at(self) -> float:
        """Since when no port has been idle: every one was read, refreshed or tried anew at that time or later."""
        sockets = (*self._inputs, *self._outputs)
        used = (socket.used_at for socket in sockets if socket.port is None or socket.port.deadline is not None)
        return min(used, default=self.now)

    # ------------------------------------------------------------------------------------- acting

    def handle(self, event: Event, now: float) -> None:
        """Hand the session an event that comes from no port, such as a choice on the page."""
        self._move_to(now)
        self.witness(event)
        self._handle(event)

    def press(self, button: Button, now: float) -> None:
        """A button was pressed on the page."""
        self._move_to(now)
        self._quiet = _Quiet()
        self.witness(Press(button))
        self._press(button)

    def adjust(self, settings: Settings, now: float) -> None:
        """Go on with other settings."""
        self._move_to(now)
        self._quiet = _Quiet()
        self.witness(settings)
        self._perform(self.session.adjust(settings))

    def advance(self, now: float, readable: Collection[int] | None = None) -> bool:
        """Do what is due: take in what the inputs report, let the session go on, show what has changed.

        ``readable`` are the files that have something to be read, if somebody watches them. False if nothing was
        due but looks at switches and buttons, and these saw nothing.
        """
        self._move_to(now)
        in_vain = self._is_quiet
        for socket in self._inputs:
            if _may_tell(socket, readable, self.now) and self._look(socket):
                in_vain = False
            if socket.port is None and socket in self._down:
                self.witness(Unheard())
                del self._down[socket]
                self._listen_afresh()
        if in_vain:
            return False
        for event in self._presses.tick(self.now):
            self._pressed(event)
        deadline = self.session.deadline
        if deadline is not None and deadline <= self.now:
            self._perform(self.session.tick(self.now))
            assert self.session.deadline != deadline, f"called again and again at {deadline}"  # noqa: S101  # or it hangs
        self._before_showing(self.now)
        self._show()
        due = self._due_besides_looks()
        latest = self.now + IN_VAIN
        self._quiet = _Quiet(latest if due is None else min(due, latest), due)
        return True

    def close(self) -> None:
        """Close every port, outputs dark."""
        for socket in (*self._outputs, *self._inputs):
            socket.close()

    # ------------------------------------------------------------------------------------- inside

    def _look(self, socket: _Socket[Input]) -> bool:
        """Have an input report; whether it did, or has come or gone, or says something else of what is wrong."""
        before = socket.port, socket.trouble
        return socket.use(partial(self._take_in, socket), self.now) or (socket.port, socket.trouble) != before

    def _move_to(self, now: float) -> None:
        self.now = max(self.now, now)

    @property
    def _is_rolling(self) -> bool:
        return next_tumble(self.now - self._rolling.since) is not None

    def _skip_the_roll(self) -> None:
        self._rolling.since = LONG_AGO
        self._shown = _Shown()

    def _put_the_dice_away(self) -> None:
        """The lights of the board are wanted."""
        if self._is_rolling or self.now < self._rolling.on_board_until:
            self._rolling.on_board_until = LONG_AGO
            self._skip_the_roll()

    def _take_in(self, socket: _Socket[Input], port: Input) -> bool:
        """Take in what a port reports; whether it reported anything."""
        reports = port.poll(self.now)
        for report in reports:
            self.witness(report)
            self._observe(report, report.at)
            if isinstance(report, Closed):
                self._stands(report)
            else:
                self._touched(socket, report)
        return bool(reports)

    def _stands(self, report: Closed) -> None:
        self._put_the_dice_away()
        event = Board(self.rig.layout.cells_of(report.mask))
        self._observe(event, report.at)
        self.health.report(event.occupied, report.at)
        self._perform(self.session.handle(event, self.now))

    def _touched(self, socket: _Socket[Input], report: Down) -> None:
        is_first = socket not in self._down
        self._down[socket] = report.buttons
        if is_first:
            self._listen_afresh()
        for pressed in self._presses.hear(self._all_down, self.now):
            self._pressed(pressed)

    @property
    def _all_down(self) -> frozenset[Button]:
        return frozenset[Button]().union(*self._down.values())

    def _listen_afresh(self) -> None:
        """An input with buttons came or went: what is down now was not seen going down."""
        self._presses.forget()
        self._presses.hear(self._all_down, self.now)

    def _pressed(self, event: Event) -> None:
        if isinstance(event, Press):
            self._press(event.button)
        else:
            self._handle(event)

    def _press(self, button: Button) -> None:
        """GO ends the dice's rolling, and shows them where it has nothing else to do."""
        if button is Button.GO:
            rolling, idle = self._is_rolling, self.session.scene.lamps.get(Button.GO) is Lamp.OFF
            self._skip_the_roll()
            if rolling and idle:
                return
            if idle:
                self._rolling.on_board_until = self.now + ON_BOARD
                self._shown = _Shown()
        self._handle(Press(button))

    def _handle(self, event: Event) -> None:
        self._quiet = _Quiet()
        self._observe(event, self.now)
        self._perform(self.session.handle(event, self.now))
        match event:
            case Hold(Button.GO) if self._faults:
                self.handle(Deaf(frozenset(self.health.findings)), self.now)
            case Heard(cells):
                for cell in cells:
                    self.health.forget(cell)
            case _:
                pass

    def _perform(self, effects: Sequence[Effect]) -> None:
        self._watch_switches(effects)
        for effect in effects:
            self.witness(effect)
            self._observe(effect, self.now)
            if isinstance(effect, NeedRoll):
                odds = self.session.state.chance()
                fallen = Rolled(self._dice(odds))
                faces = max(pips for roll in odds for pips in roll.dice)
                self._rolling = _Rolling(self.now, faces, self.now + ON_BOARD)
                self.handle(fallen, self.now)
        lasting = (self.health.findings.keys() & self.session.deaf) - self.session.dead
        if lasting and effects:
            self.handle(Deaf(frozenset(lasting)), self.now)

    def _watch_switches(self, effects: Sequence[Effect]) -> None:
        """Tell whoever judges the switches where pieces should stand by now."""
        if not effects:
            return
        kinds = {type(effect) for effect in effects}
        expected, deaf = self.session.state.occupancy(), self.session.deaf
        if kinds & _BEGIN_ANEW:
            self.health.stand(expected, deaf)
        elif Accepted in kinds:
            self.health.play(expected, deaf)
        if Ended in kinds:
            self.health.stop()

    # ------------------------------------------------------------------------------------ showing

    @property
    def _is_shown(self) -> bool:
        """Whether the outputs, if there are any, were told of everything, rhythms left aside."""
        return not self._outputs or (self._shown.scene is self.session.scene and self._shown.troubles == self.troubles)

    def _show(self) -> None:
        if not self._outputs:
            return
        if not self._is_shown or (self._shown.until is not None and self._shown.until <= self.now):
            scene = self.scene
            self._shown = _Shown(self.session.scene, self.troubles, self._display(scene), self._holds_until(scene))
        display = self._shown.display
        assert display is not None  # noqa: S101  # a scene was shown
        for socket in self._outputs:
            if socket.wants(display, self.now):
                socket.shown = None
                socket.use(partial(self._tell, socket, display), self.now)

    def _tell(self, socket: _Socket[Output], display: Display, port: Output) -> bool:
        port.show(display, self.now)
        socket.shown = display
        return True

    def _display(self, scene: Scene) -> Display:
        dice, panel = self.dice, self.rig.panel
        on_board = self.rig.dice_on_board if dice and self.now < self._rolling.on_board_until else None
        frame = on_board(dice) if on_board else render(scene, self.now, panel)
        return Display(frame, lit_buttons(scene, self.now), dice, panel.brightness)

    def _holds_until(self, scene: Scene) -> float | None:
        tumble = next_tumble(self.now - self._rolling.since)
        moments = (
            next_change(scene, self.now, self.rig.panel),
            None if tumble is None else self._rolling.since + tumble,
            self._rolling.on_board_until if self.now < self._rolling.on_board_until else None,
        )
        return _soonest(moments)


_BEGIN_ANEW: frozenset[type[Effect]] = frozenset((Began, Resumed, TakenBack))
"""After these a position has not come about by what a hand has done."""


def _nothing(_now: float) -> None:
    """What is done before showing where nothing has to be."""


def _overlooked(_coming: Coming | Effect) -> None:
    """What a witness does where there is none."""


def _first(sockets: Sequence[_Socket[P]]) -> str:
    return next((socket.trouble for socket in sockets if socket.trouble), "")


def _may_tell(socket: _Socket[Input], readable: Collection[int] | None, now: float) -> bool:
    """Whether an input has to be opened, or may have something to tell; where no files are known, any may."""
    if socket.port is None or readable is None:
        return True
    due = socket.port.deadline
    return (due is not None and due <= now) or socket.port.fileno() in readable


def _soonest(dues: Iterable[float | None]) -> float | None:
    return min([due for due in dues if due is not None], default=None)


def _corners(grid: Grid) -> Cells:
    """The cells farthest out in four slanting directions: what lights there is seen as being about the board."""
    farthest = [max(grid.cells, key=lambda cell, by=by: _along(grid, cell, by)) for by in _SLANTS]
    return frozenset(farthest)


def _along(grid: Grid, cell: str, by: tuple[float, float]) -> float:
    x, y = grid.places[cell]  # pyright: ignore[reportArgumentType]  # max asks with the grid's own cells
    return by[0] * x + by[1] * y


_SLANTS = ((1.0, 1.1), (1.0, -1.1), (-1.0, 1.1), (-1.0, -1.1))
"""Directions to the corners; not quite diagonal, so that no two cells of a hexagon are equally far."""
