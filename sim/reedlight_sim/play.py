"""Playing on the page: one table that keeps real time, moved by the messages of a browser.

    page ──{"do": "lift", "cell": "d4"}──► world ──switches──► session ──view──► page

Everything between the switches and the lamps is the program as it runs on a board. What the page's hand
does is done to the world; a hand needs time for some things (to swap two stacks, to take one checker off
a stack), so those are done in steps.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
import sys
import webbrowser
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import deque
from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from reedlight.adapters import system
from reedlight.adapters.web.server import Page, PortInUse
from reedlight.adapters.web.view import marks, piece, pieces
from reedlight.app.records import game_in
from reedlight.app.requests import QUESTIONS, Answer, Choice, Message, Refusal, Requests, answered, error, player, whole
from reedlight.app.thinking import Thinker
from reedlight.app.tracing import SHOWN, Before, Recorder
from reedlight.core.game import BadOption, Game, Kind, Piece, Side
from reedlight.core.grid import Cell, Grid
from reedlight.games import REGISTRY, make
from reedlight.record.account import Account
from reedlight.scene import palette
from reedlight.scene.render import GAMMA
from reedlight.session.events import Event, Seated
from reedlight.session.replaying import Replaying
from reedlight.session.session import Mode
from reedlight.session.settings import LEVELS, PERSON, Commit, Guidance, Seat, Settings, seat
from reedlight.tabletop import Happening, Tabletop
from reedlight_sim.assistant import asked_for
from reedlight_sim.depths import DEPTHS, PORTS, Depth, Ports
from reedlight_sim.table import Table
from reedlight_sim.world import Fault, Hand, Impossible

HAND = Hand("page's")
PORT = 8321
"""Where the page is found unless another port is asked for; no well-known program has it."""
LAST_PORT = 65535
SWAP = 0.25
"""Seconds between taking a stack off a cell and setting another on it."""
TAKE_ONE = 0.4
"""Seconds for which a stack is up while one checker is taken off it."""
GLIDE = 0.07
"""Seconds for which a piece sliding at 0.3 m/s closes the switch of a cell."""
NUDGE = 0.05
"""Seconds for which a nudged piece is off its place."""
MOST_WAITING = 20
"""Messages that wait for a busy hand; nobody is that far ahead of it."""
VIEWS_APART = 0.02
"""Seconds from one view to the next at least, since a view takes longer to make than to ask for."""
PONDERED = 0.6
"""Seconds between two looks of the assisting hand at the board; what was just played has settled by then."""
MOVED = 0.4
"""Seconds that the assisting hand takes for each of its movements, so that they can be followed."""
LAMPS_SHOWN = 0.1
"""Seconds between two pictures of the raw lamps while the bench is open."""

_log = logging.getLogger(__name__)


class Play:
    """One table and its page, in real time."""

    def __init__(  # noqa: PLR0913  # a table has as many particulars
        self,
        choice: Choice,
        port: int,
        rng: Random,
        *,
        today: Callable[[], date] | None = None,
        depth: Callable[[Grid], Depth] = Ports,
        replay: Account[Any] | None = None,
        recorder: Recorder | None = None,
        assists: bool = False,
    ) -> None:
        self.page = Page(self.receive, port)
        self.page.show(marks(palette.LEVELS))
        self._rng = rng
        self._depth = depth
        self._replay = replay
        self._recorder = recorder
        self._open = contextlib.ExitStack()
        self._careless = False
        self._bench = False
        self._due: asyncio.TimerHandle | None = None
        self._shown = float("-inf")
        self._gesture: asyncio.Task[None] | None = None
        self._waiting: deque[Message] = deque()
        self._assists = assists
        self._thinker = Thinker(self._thought)
        self._requests = Requests(choice, self._begin, today or _today, thinker=self._thinker)

    def _begin(self, choice: Choice) -> Tabletop:
        """A new table with its pieces set up, ready for GO, or for NEXT where a game is to be shown first."""
        self._zero: float | None = None
        depth = self._depth(choice.game.grid)
        self._open.close()
        self._thinker.begin()
        replay, self._replay = self._replay, None
        shown = Replaying(choice.game, replay.past, choice.settings) if replay else None
        self.table = Table(
            choice.game, choice.settings, self._rng, session=shown, dice=system.roll, depth=depth, observe=self._observe
        )
        self._open.callback(self.table.close)
        if self._recorder:
            watch(self._recorder, self.table, Before.of(choice.game, replay.past, SHOWN) if replay else None)
        self.table.world.set_up(self.table.session.state.pieces(), 0.0)
        return self.table.tabletop

    def _observe(self, happening: Happening, _at: float) -> None:
        if isinstance(happening, Seated):
            self._requests.choice = replace(self._requests.choice, settings=self.table.session.settings)
        self._thinker.observe(happening, self.table.session)

    def _thought(self, event: Event | None) -> None:
        """What somebody without hands chose; or there is something new to show."""
        self._catch_up()
        if event:
            self.table.handle(event)
        self._come_back(0.0)

    @property
    def _game(self) -> Game[Any]:
        return self.table.session.game

    # ------------------------------------------------------------------------------------- time

    async def run(self, *, browse: bool) -> None:
        """Serve the page until cancelled. Raises PortInUse."""
        await self.page.start()
        print(f"Reedlight is at {self.page.url} (Ctrl-C stops it)", flush=True)  # noqa: T201  # this is a command
        gc.freeze()  # all that was loaded stays; looking through it for garbage would hold up the board for 40 ms
        others = [asyncio.create_task(self._show_lamps()), asyncio.create_task(self._assist())]
        self._go_on()
        if browse:
            await asyncio.to_thread(_open, self.page.url)
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            for each in others:
                each.cancel()
            await self._thinker.close()
            self._open.close()
            await self.page.close()

    def _catch_up(self) -> None:
        """Let the table's time become now."""
        clock = asyncio.get_running_loop().time()
        if self._zero is None:
            self._zero = clock - self.table.now
        self.table.wait(max(0.0, clock - self._zero - self.table.now))

    def _go_on(self) -> None:
        """Perform what is due, show it, and come back when the next thing is."""
        self._catch_up()
        self._turn_crowned_men_over()
        self.table.tabletop.notices = tuple(filter(None, (self._thinker.trouble,)))
        self._shown = asyncio.get_running_loop().time()
        self.page.show(self.view())
        due = self.table.next_due
        if due is not None:
            self._come_back(due - self.table.now)

    def _come_back(self, seconds: float) -> None:
        """Go on after some seconds, and not too soon after the last view, however often it is asked for."""
        if self._due:
            self._due.cancel()
        loop = asyncio.get_running_loop()
        self._due = loop.call_at(max(loop.time() + seconds, self._shown + VIEWS_APART), self._wake)

    def _wake(self) -> None:
        """Go on; a fault of ours is logged and said in a sentence, and time goes on all the same."""
        try:
            self._go_on()
        except Exception:  # noqa: BLE001  # whatever failed, the page gets a sentence and the log the reason
            _log.exception("The table stumbled")
            self.page.tell(error("The board stumbled; its log says why. Play goes on."))
            self._come_back(1.0)

    def _turn_crowned_men_over(self) -> None:
        """Do what the players do when a man is crowned, or a crown is taken back."""
        believed = self.table.session.state.pieces()
        for cell, standing in self.table.world.pieces().items():
            wanted = believed.get(cell)
            if wanted and wanted.side is standing.side and wanted.kind is not standing.kind:
                self.table.world.turn_over(cell, self.table.now)

    async def _assist(self) -> None:
        """Do with the hand what the board asks for on behalf of those who have none, as long as that is wanted."""
        while True:
            await asyncio.sleep(PONDERED)
            if self._assists and not self._gesture and not self.table.astray:
                world = self.table.world
                for message in asked_for(self.table.session, world.pieces(), holds=bool(world.held(HAND))):
                    self.receive(message)
                    await asyncio.sleep(MOVED)

    async def _show_lamps(self) -> None:
        while True:
            if self._bench:
                self.page.tell(self.bench())
            await asyncio.sleep(LAMPS_SHOWN)

    # ---------------------------------------------------------------------------------- messages

    def receive(self, message: Message) -> Answer:
        """Do what a message asks; the answer is what it asked for, or says why that cannot be done.

        While the hand is in the middle of something, what it is to do next waits.
        """
        if self._gesture and message["do"] in _BY_HAND:
            return self._let_wait(message)
        return self._do(message)

    def _let_wait(self, message: Message) -> Answer:
        if len(self._waiting) == MOST_WAITING:
            return error("The hand is busy, and enough waits for it already.")
        self._waiting.append({name: message[name] for name in _WORDS_BY_HAND if name in message})
        return None

    def _do(self, message: Message) -> Answer:
        self._catch_up()
        try:
            return self._done(message)
        finally:
            if message["do"] not in QUESTIONS:
                self._come_back(0.0)

    def _done(self, message: Message) -> Answer:
        if message["do"] in self._DO:
            return answered(message, lambda: self._by_hand(message))
        answer = self._requests.do(message, self.table.now)
        if message["do"] in _MAY_ANSWER:
            self._set_down_as_answered()
        return answer

    def _by_hand(self, message: Message) -> Answer:
        try:
            return self._DO[message["do"]](self, message)
        except Impossible as impossible:
            raise Refusal(str(impossible)) from None

    def view(self) -> dict[str, Any]:
        """What every board tells its page, and what only a simulator knows."""
        world = self.table.world
        begins_empty = not self._game.start().pieces()
        told = self._requests.view()
        return told | {
            "simulated": True,
            "pieces": pieces(world.pieces()),
            "hand": [
                {"from": held.origin, "piece": piece(replace(held.stack[-1], height=len(held.stack)))}
                for held in world.held(HAND)
            ],
            "tray": [piece(each) for each in world.tray],
            "supply": {side.value: begins_empty for side in (Side.LIGHT, Side.DARK)},
            "careless": self._careless,
            "assists": self._assists,
        }

    def bench(self) -> dict[str, Any]:
        """The raw switches and lamps."""
        shining = self.table.depth.shining(self.table.scene, self.table.now)
        return {
            "type": "bench",
            "switches": sorted(self.table.closed),
            "lamps": {
                cell: [round(255 * (drive / 255) ** (1 / GAMMA)) for drive in shining[lamp]]
                for cell, lamp in self.table.depth.layout.lamps.items()
                if lamp in shining
            },
            "faults": {cell: _FAULT_NAMES[fault] for cell, fault in self.table.world.faults.items()},
        }

    # ---------------------------------------------------------------------------------- the hand

    def _lift(self, message: Message) -> None:
        self.table.world.lift(HAND, self._cell(message), self.table.now)

    def _place(self, message: Message) -> None:
        """Set down what is held; a stack it takes leaves first, one it joins is lifted and set down with it."""
        world, now = self.table.world, self.table.now
        cell = self._cell(message)
        mover = self._side_to_set_down()
        there = world.stack(cell)
        if there and there[-1].kind is not Kind.CHECKER:
            raise Impossible(f"a {_described(there[-1], self._game)} stands on {cell}; lift that first")
        if world.carries(HAND, mover.other):
            world.to_tray(HAND, now, mover.other)
        if there and (there[-1].side is not mover or not self._careless):
            world.lift(HAND, cell, now)
            world.to_tray(HAND, now, mover.other)
            self._afterwards(SWAP, lambda: world.place(HAND, cell, self.table.now, mover))
        else:
            world.place(HAND, cell, now, mover)

    def _side_to_set_down(self) -> Side:
        """The side to act, if the hand holds a piece of it; else that of the piece lifted last."""
        held = self.table.world.held(HAND)
        if not held:
            raise Impossible("the hand is empty")
        acting = self.table.session.state.to_act
        return acting if any(each.stack[-1].side is acting for each in held) and acting else held[-1].stack[-1].side

    def _to_tray(self, _: Message) -> None:
        self.table.world.last_to_tray(HAND, self.table.now)

    def _give(self, message: Message) -> None:
        """Take one checker off a stack: lift it, lay one aside, put the rest back."""
        world, cell = self.table.world, self._cell(message)
        world.lift(HAND, cell, self.table.now)
        world.one_to_tray(HAND, self.table.now)
        if world.held(HAND) and world.held(HAND)[-1].origin == cell:
            self._afterwards(TAKE_ONE, lambda: world.put_back(HAND, self.table.now))

    def _pick(self, message: Message) -> None:
        """Pick the top checker off a stack, which no switch can see."""
        world = self.table.world
        world.take_top(HAND, self._cell(message), self.table.now)
        world.last_to_tray(HAND, self.table.now)

    def _stone(self, message: Message) -> None:
        self.table.world.from_supply(HAND, Piece(player(message["side"]), Kind.STONE), self.table.now)

    def _from_tray(self, message: Message) -> None:
        self.table.world.from_tray(HAND, whole(message["index"]), self.table.now)

    def _slide(self, message: Message) -> None:
        cells, most = message["cells"], len(self._game.grid.cells)
        if len(cells) > most:
            raise Impossible(f"a slide goes over {most} cells at most on this board")
        self.table.world.slide(HAND, [(self._known(cell), GLIDE) for cell in cells], self.table.now)

    def _nudge(self, message: Message) -> None:
        self.table.world.nudge(self._cell(message), NUDGE, self.table.now)

    def _knock(self, _: Message) -> None:
        self.table.world.knock(self.table.now)

    def _set_up(self, _: Message) -> None:
        """Put the whole board right at once; where the board is led, changed stacks are lifted for it to feel."""
        world, now, session = self.table.world, self.table.now, self.table.session
        wanted, stood = session.state.pieces(), world.pieces()
        world.set_up(wanted, now)
        if session.mode is Mode.RESYNC:
            for cell in [cell for cell in stood if cell in wanted and wanted[cell] != stood[cell]]:
                world.nudge(cell, NUDGE, now)

    def _be_careless(self, message: Message) -> None:
        """From now on stacks are dropped on stacks without lifting those, or not."""
        self._careless = bool(message["careless"])

    def _cell(self, message: Message) -> Cell:
        return self._known(message["cell"])

    def _known(self, name: str) -> Cell:
        if name not in self._game.grid.places:
            raise Impossible(f"there is no cell {name!r} on this board")
        return Cell(name)

    def _afterwards(self, seconds: float, act: Callable[[], object]) -> None:
        """Go on with what the hand is doing after some seconds, then with what waits for the hand."""
        self._gesture = asyncio.get_running_loop().create_task(self._finish(seconds, act, self.table))

    async def _finish(self, seconds: float, act: Callable[[], object], table: Table) -> None:
        await asyncio.sleep(seconds)
        self._gesture = None
        if table is self.table:
            self._catch_up()
            with contextlib.suppress(Impossible):
                act()
            self._come_back(0.0)
        while self._waiting and not self._gesture:
            answer = self._do(self._waiting.popleft())
            if answer:
                self.page.tell(answer)

    def _set_down_as_answered(self) -> None:
        """Where GO has said onto which stack the one in the hand goes, the hand sets it there."""
        world, now, believed = self.table.world, self.table.now, self.table.session.state.pieces()
        held, standing = world.held(HAND), world.pieces()
        if len(held) != 1 or held[0].origin in believed or self.table.session.mode is Mode.RESYNC:
            return
        side = held[0].stack[-1].side
        grown = [cell for cell, each in believed.items() if each.side is side and each != standing.get(cell)]
        if len(grown) != 1 or grown[0] not in standing:
            return
        if standing[grown[0]].side is not side:
            world.lift(HAND, grown[0], now)
            world.to_tray(HAND, now, side.other)
        world.place(HAND, grown[0], now, side)

    # ----------------------------------------------------------------------------------- the bench

    def _fault(self, message: Message) -> None:
        cell, world = self._cell(message), self.table.world
        fault = None if message["kind"] == "good" else _FAULTS[message["kind"]]
        world.mend_switch(cell, self.table.now)
        if fault:
            world.break_switch(cell, fault, self.table.now)

    def _be_assisted(self, message: Message) -> None:
        """From now on the hand plays for those who have none, or no more."""
        self._assists = bool(message["assists"])

    def _open_bench(self, message: Message) -> None:
        self._bench = bool(message["open"])

    _DO: ClassVar[Mapping[str, Callable[..., Answer]]] = {
        "lift": _lift,
        "place": _place,
        "tray": _to_tray,
        "give": _give,
        "pick": _pick,
        "stone": _stone,
        "untray": _from_tray,
        "slide": _slide,
        "nudge": _nudge,
        "knock": _knock,
        "setup": _set_up,
        "careless": _be_careless,
        "assist": _be_assisted,
        "fault": _fault,
        "bench": _open_bench,
    }


_BY_HAND = frozenset(("lift", "place", "tray", "give", "pick", "stone", "untray", "slide", "nudge", "knock", "setup"))
_WORDS_BY_HAND = ("do", "cell", "cells", "side", "index")
"""What messages to the hand are made of."""
_MAY_ANSWER = frozenset(("press", "choose"))
"""What may say onto which stack the one in the hand goes."""
_FAULTS = {"dead": Fault.DEAD, "stuck": Fault.STUCK, "flicker": Fault.FLICKERING}
_FAULT_NAMES = {fault: name for name, fault in _FAULTS.items()}


def _today() -> date:
    return datetime.now().astimezone().date()


def _described(standing: Piece, game: Game[Any]) -> str:
    return f"{game.sides[standing.side].lower()} {standing.kind.value}"


def _open(url: str) -> None:
    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(url)


# ------------------------------------------------------------------------------------ the command


def add_arguments(parser: ArgumentParser) -> None:
    """What ``reedlight-sim play`` takes."""
    parser.add_argument("--game", default="diablo", choices=sorted(REGISTRY), help="the game (default: %(default)s)")
    parser.add_argument("--size", help="the size of its board (default: the usual one)")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="show the first game of a file, step by step")
    parser.add_argument(
        "--port", type=_port, default=PORT, help="the page's port on this machine; 0 for any (default: %(default)s)"
    )
    for side in ("light", "dark"):
        parser.add_argument(
            f"--{side}",
            type=_seat,
            default=PERSON,
            metavar="PLAYER",
            help=f"who plays the {side} side: person (default), or computer-1 to computer-{LEVELS}",
        )
    parser.add_argument("--assist", action="store_true", help="have the hand play what the board asks for a computer")
    parser.add_argument("--no-browser", action="store_true", help="do not open the page, only serve it")
    add_commit_argument(parser)
    add_depth_arguments(parser)
    add_trace_argument(parser)
    parser.add_argument(
        "--guidance",
        choices=[each.value for each in Guidance],
        default=Guidance.FULL.value,
        help="how much the lights say (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="of the contacts' bounce; dice are never seeded"
    )


def add_commit_argument(parser: ArgumentParser) -> None:
    """When an action counts, which every command lets one choose."""
    parser.add_argument(
        "--commit",
        choices=[each.value for each in Commit],
        default=Commit.SETTLE.value,
        help="when an action counts (default: %(default)s)",
    )


def add_depth_arguments(parser: ArgumentParser) -> None:
    """How deep the hardware is simulated, and of which board."""
    parser.add_argument(
        "--depth",
        choices=DEPTHS,
        default=DEPTHS[0],
        help="what is simulated: the program's ports, the pins below its adapters, or a Pico with its firmware too "
        "(default: %(default)s)",
    )
    parser.add_argument("--board", metavar="NAME", help="the board, packaged or in a file (default: one that fits)")


def add_trace_argument(parser: ArgumentParser) -> None:
    """Where everything that comes in is written down."""
    parser.add_argument(
        "--trace", type=Path, metavar="FILE", help="add what switches, buttons, page and dice say to this file"
    )


@contextlib.contextmanager
def recording(options: Namespace) -> Generator[Recorder | None]:
    """What writes the trace that is wanted, if one is; its trouble is said at the end. Raises ConfigError."""
    recorder = Recorder(options.trace) if options.trace else None
    try:
        yield recorder
    finally:
        if recorder:
            recorder.close()
            if recorder.trouble:
                with contextlib.suppress(OSError):
                    print(recorder.trouble, file=sys.stderr)  # noqa: T201  # this is a command


def watch(recorder: Recorder, table: Table, before: Before | None = None) -> None:
    """Write down what comes in at a table from now on."""
    from reedlight_sim.hardware import Pins  # noqa: PLC0415  # see depth_of; few write a trace

    profile = table.depth.profile if isinstance(table.depth, Pins) else None
    recorder.begin(table.tabletop, table.now, profile, before)


def depth_of(options: Namespace) -> Callable[[Grid], Depth]:
    """The chosen depth for the grid of a game."""
    if options.depth == PORTS and options.board is None:
        return Ports
    from reedlight_sim.hardware import chosen  # noqa: PLC0415  # a fifth of the start, and most do without any hardware

    return partial(chosen, options.depth, options.board)


def _seat(text: str) -> Seat:
    """A player that the simulator has."""
    try:
        sitting = seat(text)
    except BadOption as error:
        raise ArgumentTypeError(str(error)) from None
    if sitting.engine:
        raise ArgumentTypeError("outside engines play where a configuration names them")
    return sitting


def _port(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > len(str(LAST_PORT)) or int(text) > LAST_PORT:
        raise ArgumentTypeError(f"{text!r} is no port from 0 to {LAST_PORT}")
    return int(text)


def run(options: Namespace) -> int:
    """Serve the page until it is stopped. Raises BadOption or PortInUse in a sentence."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    for name in ("aiohttp.server", "aiohttp.access"):
        # What strangers send to a port is no fault of ours, and gets its answer; those would add a traceback.
        logging.getLogger(name).setLevel(logging.CRITICAL)
    guidance = Guidance(options.guidance)
    settings = Settings(
        Commit(options.commit),
        {Side.LIGHT: guidance, Side.DARK: guidance},
        seats={Side.LIGHT: options.light, Side.DARK: options.dark},
    )
    replay = game_in(options.replay, 1) if options.replay else None
    choice = Choice(replay.game if replay else make(options.game, options.size), settings)
    rng = Random(options.seed)  # noqa: S311  # bounce is no secret
    with recording(options) as recorder:
        play = Play(
            choice,
            options.port,
            rng,
            depth=depth_of(options),
            replay=replay,
            recorder=recorder,
            assists=options.assist,
        )
        asyncio.run(_until_stopped(play, browse=not options.no_browser))
    return 0


async def _until_stopped(play: Play, *, browse: bool) -> None:
    """Run until SIGINT or SIGTERM, then stop as if nothing had happened."""
    running = asyncio.create_task(play.run(browse=browse))
    with contextlib.suppress(NotImplementedError):  # where the event loop cannot watch signals, Ctrl-C still raises
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, running.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await running


__all__ = ["Choice", "Play", "PortInUse", "add_arguments", "add_commit_argument", "run"]
