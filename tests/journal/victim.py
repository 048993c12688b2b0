"""A program that is killed while it plays: what it had shown, and what it was about to keep, it told before.

    test ──orders──► this ──fork──► child: Table, Journal, Games, wired as the daemon wires them
                       │               │ tells "shown 12", "keeping 13" through a pipe
                       └──── kills ────┘ or it kills itself at the n-th moment

Run as a program it reads orders, one a line of JSON, and answers each with what was told. Children are forked
off a program that has everything loaded, so that many can be killed in little time. A *moment* is the beginning
of a statement of SQLite's, the return from keeping something, and the end of showing something new: wherever
the power may fail and make a difference. Numbers count lines of the journal; -1 stands for no game at all.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from select import select
from typing import Any

from journal.lamps import LampHand, supply
from journal.sitting import SEED, Script, script

from reedlight.adapters.sqlite import Games
from reedlight.app.journal import Journal
from reedlight.core.game import Roll
from reedlight.ports import Display
from reedlight.record import fair
from reedlight.scene.palette import LEVELS
from reedlight.scene.render import WS2812, Panel
from reedlight.scene.scene import Button
from reedlight.session.events import Accepted, Began, Resumed, TakenBack
from reedlight.session.settings import Settings
from reedlight.tabletop import Happening, Rig
from reedlight_sim.depths import Ports
from reedlight_sim.hand import TIDY
from reedlight_sim.person import Person
from reedlight_sim.table import Table
from reedlight_sim.world import World

NO_GAME = -1
BACKS = 2
"""How often the last action is taken back in the middle of a game."""
NEVER = 1 << 60


@dataclass(frozen=True)
class Order:
    """One program to be started: its folder, what it plays, and when it is killed if it is."""

    folder: str
    kind: tuple[str, str]
    steps: int
    at: int = NEVER
    """The moment in which it kills itself."""
    after: float = float("inf")
    """The seconds after which it is killed from outside."""
    late: bool = False
    """Whether it keeps what it has shown only afterwards, as it must not."""


@dataclass(frozen=True)
class Told:
    """What became of it."""

    shown: int
    """How many lines what it last showed had."""
    keeping: int
    """How many lines it was last about to keep."""
    moments: int
    seconds: float
    killed: bool
    error: str = ""


# ------------------------------------------------------------------------------------ the child


class Shown:
    """An output; whatever is shown is told."""

    deadline = None

    def __init__(self, told: Callable[[], None]) -> None:
        self._told = told

    def show(self, display: Display, now: float) -> None:
        del display, now
        self._told()

    def close(self) -> None:
        pass


class WithScreen(Ports):
    """The depth of ports, with an output; its lamps are not rendered, which would take most of the time."""

    def __init__(self, played: Script, told: Callable[[], None]) -> None:
        super().__init__(played.game.grid)
        self._told = told

    def rig(self, world: World, clock: Callable[[], float]) -> Rig:
        dark = Panel({}, 0, LEVELS, WS2812)
        return replace(super().rig(world, clock), panel=dark, outputs=(lambda _: Shown(self._told),))


class Victim:
    """The program."""

    def __init__(self, order: Order, tell: Callable[[str], None]) -> None:
        self._order = order
        self._tell = tell
        self._moments = count(1)
        self._lines = NO_GAME
        self._said = {"shown": NO_GAME, "keeping": NO_GAME}
        self._played = script(*order.kind, 0, order.steps)
        self._journal = Journal(self._open, time.time, lambda _: SEED.hex())

    def play(self) -> None:
        """Begin the game, or go on with it, take some of it back in between, and play it to the end of the script."""
        found = self._journal.unfinished()
        if found:
            self._journal.go_on_with(found)
            self._lines = len(found.lines)
        else:
            self._journal.prepare(self._played.game, {})
        table = Table(
            self._played.game,
            Settings(),
            Random(1),
            state=found.past if found else None,
            dice=self._dice,
            depth=WithScreen(self._played, self._shown),
            observe=self._observe,
            before_showing=self._nothing if self._order.late else self._keep,
        )
        self._table = table
        supply(table, self._played.states[0].pieces())
        middle = self._order.steps // 2
        self._perform(middle, begin=True)
        if len(table.session.history) == middle:
            self._take_back()
        self._perform(self._order.steps, begin=False)
        self._journal.close()

    def _take_back(self) -> None:
        for _ in range(BACKS):
            self._table.press(Button.BACK)
            LampHand(self._table, Random(1)).lead_back()
        # The hand that follows lamps takes any piece; from now on it matters which.
        self._table.world.set_up(self._table.session.state.pieces(), self._table.now)

    def _perform(self, until: int, *, begin: bool) -> None:
        """What is left of the script up to a step, by a person who knows what was accepted before."""
        table = self._table
        person = Person(table, self._played.game.grid, TIDY, Random(1))
        person.meant[:] = table.session.history
        if begin:
            person.begin(table.session.state)
        for at in range(len(table.session.history), until):
            step = self._played.steps[at]
            if isinstance(step, Roll):
                person.roll(step)
            else:
                person.perform(self._played.states[at], step, self._played.states[at + 1])
        person.conclude()
        history = table.session.history
        if history != self._played.steps[: max(until, len(history))]:
            raise AssertionError(f"{history} was played, and not {self._played.steps[:until]}")

    def _open(self) -> Games:
        return Games(Path(self._order.folder) / "games.db")

    def _dice(self, odds: Mapping[Roll, Fraction]) -> Roll:
        rolled = sum(isinstance(part, Roll) for part in self._table.session.history)
        return fair.roll(self._journal.seed, rolled, odds)

    def _observe(self, happening: Happening, _at: float) -> None:
        self._journal.observe(happening)
        if isinstance(happening, Began | Resumed):
            self._lines = max(self._lines, 0)
        self._lines += isinstance(happening, Accepted | TakenBack)

    def _nothing(self, _now: float) -> None:
        """What is done before showing by a program that keeps too late."""

    def _keep(self, now: float) -> None:
        self._say("keeping")
        self._journal.keep(now)
        if self._said["shown"] != self._lines:
            self.moment()

    def _shown(self) -> None:
        if self._say("shown"):
            self.moment()
        if self._order.late:
            self._keep(self._table.now)

    def _say(self, what: str) -> bool:
        """Tell a number if it is another one than before; whether it is."""
        if self._said[what] == self._lines:
            return False
        self._said[what] = self._lines
        self._tell(f"{what} {self._lines}")
        return True

    def moment(self) -> None:
        """A moment has come."""
        number = next(self._moments)
        self._tell(f"moments {number}")
        if number == self._order.at:
            os.kill(os.getpid(), signal.SIGKILL)


def watch_statements(moment: Callable[[], None]) -> None:
    """From now on every statement of SQLite's is a moment, those that open a file too."""
    connect = sqlite3.connect

    def connected(*place: Any, **how: Any) -> sqlite3.Connection:
        database = connect(*place, **how)
        database.set_trace_callback(lambda _: moment())
        return database

    sqlite3.connect = connected  # type: ignore[assignment]  # in this process alone, which does nothing else


def child(order: Order, pipe: int) -> None:
    """Play until the end or death."""

    def tell(said: str) -> None:
        os.write(pipe, f"{said}\n".encode())

    victim = Victim(order, tell)
    watch_statements(victim.moment)
    try:
        victim.play()
    except BaseException as error:  # noqa: BLE001  # whatever it is, the test is to hear of it
        tell(f"error {error!r}")


# ------------------------------------------------------------------------------------ the parent


def start(order: Order) -> Told:
    """Start a program, kill it where that is ordered, and gather what it told."""
    begun = time.monotonic()
    ours, theirs = os.pipe()
    number = os.fork()
    if number == 0:
        os.close(ours)
        child(order, theirs)
        os._exit(0)
    os.close(theirs)
    told = b"".join(iter(partial(heard, ours, begun + order.after, number), b"")).decode()
    os.close(ours)
    _, status = os.waitpid(number, 0)
    return understood(told, time.monotonic() - begun, killed=os.WIFSIGNALED(status))


def heard(pipe: int, until: float, number: int) -> bytes:
    """What comes next through a pipe; once it is time the other end is killed, and what it told before is heard."""
    if until != float("inf"):
        readable, _, _ = select([pipe], [], [], max(until - time.monotonic(), 0))
        if not readable:
            os.kill(number, signal.SIGKILL)
    return os.read(pipe, 1 << 16)


def understood(told: str, seconds: float, *, killed: bool) -> Told:
    """What was told last of each."""
    last: dict[str, str] = {"shown": str(NO_GAME), "keeping": str(NO_GAME), "moments": "0", "error": ""}
    for line in told.splitlines():
        what, _, value = line.partition(" ")
        last[what] = value
    return Told(int(last["shown"]), int(last["keeping"]), int(last["moments"]), seconds, killed, last["error"])


def main() -> None:
    """Answer orders until there are none."""
    for line in sys.stdin:
        order = json.loads(line)
        print(json.dumps(asdict(start(Order(**{**order, "kind": tuple(order["kind"])})))), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
