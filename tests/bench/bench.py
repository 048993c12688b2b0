"""What the program costs on this machine: ``make bench``; ARGS="--seconds 0.3" for a glance.

Random games are performed edge by edge, as a tidy hand would, and every call is timed by itself in
processor time, so that other programs on the machine disturb little. The first edge of a turn prepares
the traces of all actions; an edge is told with that (*cold*) and without (*warm*: a piece has been lifted
and put back before).

From reed to lamp it is real time that counts, with everything that runs on the board but the wires: see
``reed_to_lamp``. Keeping a game is timed by the clock too, for it waits for the disk.

It measures and judges nothing: what is too slow is for people to say.
"""

from __future__ import annotations

import asyncio
import os
from argparse import ArgumentParser
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from runpy import run_path
from select import select
from tempfile import NamedTemporaryFile, TemporaryDirectory, gettempdir
from time import monotonic, perf_counter, process_time, time
from typing import Any, TypeVar

from reedlight.adapters import engine
from reedlight.adapters.boards import Machine, rig
from reedlight.adapters.engine import EVALUATE, Engine, Question
from reedlight.adapters.gpio import RESTLESS, STILL
from reedlight.adapters.sqlite import Games
from reedlight.app.engine import OWN
from reedlight.app.journal import Journal
from reedlight.board.profile import Gpio, Pico, Profile
from reedlight.board.toml import load_packaged
from reedlight.core.game import Game, Roll, Side, State
from reedlight.core.grid import Cell
from reedlight.games import REGISTRY, make
from reedlight.games.draughts import Draughts
from reedlight.games.draughts.compact import Position, play, steps
from reedlight.scene.scene import Button, Lamp
from reedlight.session.events import Accepted, Began, Board, Press, Rolled
from reedlight.session.session import Session
from reedlight.session.settings import LEVELS, Guidance, Settings
from reedlight.tabletop import Tabletop
from reedlight.tracking.tracker import Tracker
from reedlight_sim.hand import SLOPPY, TIDY, Style
from reedlight_sim.perform import Manner, perform
from reedlight_sim.pico import SimulatedPico
from reedlight_sim.pins import SimulatedPins
from reedlight_sim.soak import random_scripts
from reedlight_sim.words import Word, draw_seen

T = TypeVar("T")
Row = Sequence[str]

TESTS = Path(__file__).resolve().parent.parent
SEED = 1
BETWEEN = 0.3
"""Seconds of the games' own time between two edges: a quick hand, but no nudge and nothing settles."""
REST = 1.0
"""Seconds after an action, in which the board settles."""
LARGER = (("diablo", "26"), ("herd", "7"))
"""Boards beyond those that are offered."""
PLIES = (5, 6)
TIMES_EACH = 3
"""A position's actions are found so often, and the fastest time counts: the others were disturbed."""
A_LONG_GAME = 300
"""Actions, their rolls not counted."""
BLOCK = 4096
"""Bytes; no file system writes less."""
MICRO, MILLI, MEGA = 1e6, 1e3, 1e6
LIFTS = 2_000
"""Lifts timed from reed to lamp at one second a row or more; fewer at less."""
STILLNESS = 0.05
"""Real seconds at most between two lifts, drawn anew each time: no scan may beat in time with the hand."""
GLANCE = 0.001
"""Real seconds at most between two looks at whether what is waited for is there."""
PATIENCE = 10.0
"""Real seconds after which a lamp will never be lit."""
THINKS = 0.5
"""Seconds that a computer may think about an action."""
TICK = 0.001
"""Seconds between two looks at what the event loop was busy for."""
BOARDS = (*((name, size) for name, entry in REGISTRY.items() for size in entry.sizes), *LARGER)


@dataclass
class Spent:
    """Processor seconds of many calls of one kind."""

    each: list[float] = field(default_factory=list[float])

    def on(self, call: Callable[[], T]) -> T:
        """Make the call and note what it cost."""
        begun = process_time()
        result = call()
        self.each.append(process_time() - begun)
        return result

    def __str__(self) -> str:
        ordered = sorted(self.each)
        mean, p99 = sum(ordered) / len(ordered), ordered[len(ordered) * 99 // 100]
        return f"{mean * MICRO:.0f} / {p99 * MICRO:.0f}"


@dataclass(frozen=True)
class Step:
    """One step of a random game, with the boards that its edges make; a roll makes none."""

    state: State[Any]
    choice: Any
    boards: tuple[frozenset[Cell], ...]


def random_steps(game: Game[Any], rng: Random) -> Iterator[Step]:
    """One random game."""
    state = game.start()
    while state.outcome is None:
        if state.to_act is Side.CHANCE:
            choice, word = rng.choice(list(state.chance())), Word()
        else:
            choice = rng.choice(state.legal_actions())
            word = draw_seen(state.trace(choice), rng)
        yield Step(state, choice, tuple(boards_after(state.occupancy(), word)))
        state = state.apply(choice)


def boards_after(board: frozenset[Cell], word: Word) -> Iterator[frozenset[Cell]]:
    """The board after each edge of the word."""
    for edge in word:
        board ^= {edge.cell}
        yield board


def for_seconds(seconds: float, game: Callable[[], Iterable[T]]) -> Iterator[T]:
    """The steps of one game after another, until so much processor time is spent."""
    until = process_time() + seconds
    while process_time() < until:
        for step in game():
            yield step
            if process_time() > until:
                return


# ------------------------------------------------------------------------------------------- the tables


def inference(name: str, size: str, seconds: float) -> Row:
    """The tracker alone: what an edge costs until its readings are known."""
    game, rng = make(name, size), Random(SEED)
    cold, warm, feeding, reading = Spent(), Spent(), Spent(), Spent()
    steps = (step for step in for_seconds(seconds, lambda: random_steps(game, rng)) if step.boards)
    # Never the same step: what was read once is read faster again.
    for number, step in enumerate(steps):
        if number % 2:
            follow(Tracker(step.state, step.state.occupancy(), 0.0), step, cold, Spent(), Spent())
        else:
            follow(warmed_up(step.state), step, warm, feeding, reading)
    return (f"{name} {size}", str(len(warm.each)), str(cold), str(warm), str(feeding), str(reading))


def follow(tracker: Tracker[Any], step: Step, edge: Spent, feeding: Spent, reading: Spent) -> None:
    """Feed the boards of a step."""
    for board in step.boards:
        now = tracker.last_edge + BETWEEN
        feeding.on(lambda board=board, now=now: tracker.feed(board, now))
        reading.on(lambda: tracker.readings)
        edge.each.append(feeding.each[-1] + reading.each[-1])


def warmed_up(state: State[Any]) -> Tracker[Any]:
    """A tracker that has seen a piece lifted and put back, or set down and taken away."""
    board = state.occupancy()
    tracker: Tracker[Any] = Tracker(state, board, 0.0)
    somewhere = min(cell for action in state.legal_actions()[:1] for cell in touched(state, action))
    for now, toggled in ((BETWEEN, board ^ {somewhere}), (2 * BETWEEN, board)):
        tracker.feed(toggled, now)
    tracker.rest()
    return tracker


def touched(state: State[Any], action: Any) -> frozenset[Cell]:
    """The cells that change."""
    return state.occupancy() ^ state.apply(action).occupancy() or state.occupancy()


def sitting(name: str, size: str, seconds: float) -> Row:
    """A whole session: taking in an edge, what follows from stillness, and what is then shown."""
    game, rng = make(name, size), Random(SEED)
    handling, ticking, showing = Spent(), Spent(), Spent()
    session, now = Session(game), 0.0
    for step in for_seconds(seconds, lambda: random_steps(game, rng)):
        if session.state != step.state or not session.history:
            session = begun(game, now)
        if isinstance(step.choice, Roll):
            session.handle(Press(Button.GO), now)
            session.handle(Rolled(step.choice), now)
        for board in step.boards:
            handling.on(lambda board=board, now=now, session=session: session.handle(Board(board), now))
            showing.on(lambda session=session: session.scene)
            now += REST if board is step.boards[-1] else BETWEEN
            while (due := session.deadline) is not None and due <= now:
                ticking.on(lambda due=due, session=session: session.tick(due))
                showing.on(lambda session=session: session.scene)
    return (f"{name} {size}", str(len(handling.each)), str(handling), str(ticking), str(showing))


def begun(game: Game[Any], now: float) -> Session:
    """A sitting whose set-up stands."""
    session = Session(game, now=now)
    session.handle(Board(game.start().occupancy()), now)
    session.handle(Press(Button.GO), now)
    return session


def worst_position(name: str) -> Row:
    """Of all positions in the vectors the one in which finding the legal actions takes longest."""
    costs = [(cost_of(state), number, state) for number, state in enumerate(VECTORS[name]())]
    cost, number, state = max(costs, key=lambda known: known[0])
    return (name, f"{cost * MILLI:.2f}", str(len(state.legal_actions())), f"{number + 1} of {len(costs)}")


def cost_of(state: State[Any]) -> float:
    """Seconds to find the legal actions of a state that has not been asked for them."""
    finding = Spent()
    for _ in range(TIMES_EACH):
        finding.on(lambda: legal_actions_anew(state))
    return min(finding.each)


def legal_actions_anew(state: State[Any]) -> Sequence[Any]:
    """The legal actions, and in draughts also the steps that such a state carries with it."""
    if isinstance(state, Draughts):
        steps(state.position, state.side)
    return state.legal_actions()


def diablo_positions() -> Iterator[State[Any]]:
    """Every position of the Diablo vectors."""
    reader = run_path(str(TESTS / "answers" / "test_diablo.py"))
    for record in reader["POSITIONS"]:
        yield reader["state_of"](record["n"], record["state"])


def draughts_positions() -> Iterator[State[Any]]:
    """Every position of the draughts vectors."""
    reader, game = run_path(str(TESTS / "answers" / "test_draughts.py")), make("draughts")
    bulk = reader["records"](TESTS / "vectors" / "draughts" / "bulk_positions.jsonl")
    for record in (*reader["POSITIONS"], *bulk):
        yield game.load(reader["fen"](record))


def herd_positions() -> Iterator[State[Any]]:
    """Every position of the Herd vectors."""
    reader = run_path(str(TESTS / "answers" / "test_herd.py"))
    yield from map(reader["position"], reader["POSITIONS"])


VECTORS: dict[str, Callable[[], Iterator[State[Any]]]] = {
    "diablo": diablo_positions,
    "draughts": draughts_positions,
    "herd": herd_positions,
}


def draughts_tree(depth: int) -> Row:
    """How many positions of the tree from the start are looked at in a second."""
    spent, start = Spent(), make("draughts").start()
    assert isinstance(start, Draughts)
    nodes = spent.on(lambda: count(start.position, start.side, depth))
    return (f"draughts, {depth} plies", str(nodes), f"{nodes / sum(spent.each):.0f}")


def count(position: Position, side: Side, depth: int) -> int:
    """Positions at all depths, the leaves by the number of moves to them."""
    found = steps(position, side)
    if depth == 1:
        return 1 + len(found)
    return 1 + sum(count(play(position, side, step), side.other, depth - 1) for step in found)


def soaking(name: str, size: str, style: Style, seconds: float) -> Row:
    """Random games performed on the simulated board: world, debouncing, session and comparison together."""
    manner, moves, spent = Manner(style, seed=SEED), 0, Spent()
    scripts = random_scripts(make(name, size), 1_000, SEED)
    until = process_time() + seconds
    while process_time() < until:
        moves += spent.on(lambda: perform(next(scripts), manner)).moves
    return (f"{name} {size}", "sloppy" if style is SLOPPY else "tidy", str(moves), f"{moves / sum(spent.each):.0f}")


# ------------------------------------------------------------------------------------ from reed to lamp


class Bus:
    """The lamps' bus: it keeps the last frame, and when it was out, if it was another one than before."""

    def __init__(self) -> None:
        self.frames = 0
        self.out_at = 0.0
        self._frame = b""

    def writebytes(self, values: Sequence[int], /) -> None:
        """Take a frame, which is one transfer."""
        frame = bytes(values)
        if frame != self._frame:
            self._frame, self.out_at = frame, monotonic()
            self.frames += 1

    def close(self) -> None:
        """There is nothing to let go."""


@dataclass(frozen=True)
class Reeds:
    """A board's switches, and at the other end of the program its lamps' bus."""

    close: Callable[[int], None]
    """Rewrites what the scanner reads."""
    bus: Bus
    tabletop: Tabletop

    def run(self, done: Callable[[], bool]) -> None:
        """Let the program run until something is so: wait for its files and its deadline, and do what is due."""
        last = monotonic() + PATIENCE
        while not done():
            now = monotonic()
            if now > last:
                raise TimeoutError
            due = self.tabletop.deadline
            wait = GLANCE if due is None else min(max(due - now, 0.0), GLANCE)
            ready, _, _ = select(list(self.tabletop.filenos()), [], [], wait)
            self.tabletop.advance(monotonic(), ready)

    def answer(self, mask: int) -> float:
        """Change the switches, and tell after how many seconds another frame was out."""
        frames, begun = self.bus.frames, monotonic()
        self.close(mask)
        self.run(lambda: self.bus.frames > frames)
        return self.bus.out_at - begun


@contextmanager
def at_firmware(board: Profile) -> Generator[Reeds]:
    """The board's Pico with the real firmware, in a process of its own, at the end of a terminal."""
    assert isinstance(board.reader, Pico)
    bus, pins = Bus(), SimulatedPins()
    with SimulatedPico(board.reader.matrix.rows, board.reader.matrix.columns) as pico:
        machine = Machine(lambda: pins, lambda _spi, _clock: bus, pico=lambda _serial: pico.path)
        yield Reeds(pico.close_switches, bus, tabletop_of(board, machine))


@contextmanager
def at_pins(board: Profile) -> Generator[Reeds]:
    """The same matrix on mock pins under the adapter of the Raspberry Pi, and no buttons."""
    assert isinstance(board.reader, Pico)
    closed = [0]
    bus, pins = Bus(), SimulatedPins(board.reader.matrix, lambda: closed[0])
    machine = Machine(lambda: pins, lambda _spi, _clock: bus)
    bare = replace(board, reader=Gpio(board.reader.matrix), buttons=None, button_lamps=None)
    yield Reeds(partial(closed.__setitem__, 0), bus, tabletop_of(bare, machine))


def tabletop_of(board: Profile, machine: Machine) -> Tabletop:
    """Draughts on a board without dice, dark until a man is lifted."""
    game = make("draughts")
    settings = Settings(guidance=dict.fromkeys(Side, Guidance.TARGETS))
    made = rig(replace(board, dice=None), game.grid, 1.0, machine)
    return Tabletop(Session(game, settings, now=monotonic()), made, no_dice, lambda _happening, _at: None)


def no_dice(_odds: object) -> Roll:
    """There are none."""
    raise AssertionError


DEPTHS = (
    ("firmware", at_firmware, "4 to 6"),
    ("pins", at_pins, f"{RESTLESS * MILLI:.0f} to {(STILL + RESTLESS) * MILLI:.0f}"),
)
"""What is simulated, and the milliseconds that a change waits by design: for three scans of a Pico, or two looks."""


def reed_to_lamp(
    title: str, reeds_of: Callable[[Profile], AbstractContextManager[Reeds]], debounce: str, lifts: int
) -> Row:
    """A man is lifted, and its targets are lit: from the change of its reed to the last byte of the frame.

    All lamps are dark and still before, so the first frame that differs is the answer.
    """
    rng, took = Random(SEED), list[float]()
    with reeds_of(load_packaged("oak-8x8")) as reeds, closing(reeds.tabletop) as tabletop:
        layout, start = tabletop.rig.layout, tabletop.session.state.occupancy()
        standing, lifted = layout.mask_of(start), layout.mask_of(start - {Cell("c3")})
        reeds.close(standing)
        reeds.run(lambda: tabletop.session.scene.lamps[Button.GO] is Lamp.BLINK)
        tabletop.press(Button.GO, monotonic())
        for _ in range(lifts):
            moment = monotonic() + rng.uniform(0, STILLNESS)
            reeds.run(lambda moment=moment: monotonic() > moment and not tabletop.scene.lights)
            took.append(reeds.answer(lifted))
            reeds.close(standing)
            reeds.run(lambda: not tabletop.scene.lights)
    took.sort()
    median, p99 = took[len(took) // 2], took[len(took) * 99 // 100]
    return (title, str(lifts), f"{median * MILLI:.1f}", f"{p99 * MILLI:.1f}", debounce)


# ------------------------------------------------------------------------------------ keeping a game


def keeping(name: str, size: str, seconds: float, folder: Path) -> Row:
    """Keeping games: what an event waits for the disk, by the clock, and what a game of 300 actions writes."""
    game, rng, waits, actions = make(name, size), Random(SEED), list[float](), 0
    with TemporaryDirectory(dir=folder) as place:
        journal = Journal(lambda: Games(Path(place) / "games.db"), time)
        until, written = perf_counter() + seconds, bytes_written()
        while perf_counter() < until:
            journal.prepare(game, {})
            for step in chain((Began(),), random_steps(game, rng)):
                begun = perf_counter()
                journal.observe(step if isinstance(step, Began) else Accepted(step.choice))
                journal.keep(0.0)
                waits.append(perf_counter() - begun)
                actions += isinstance(step, Step) and not isinstance(step.choice, Roll)
        written = bytes_written() - written
        journal.close()
    return (f"{name} {size}", *told(waits), f"{written / actions * A_LONG_GAME / MEGA:.2f}")


def disk_alone(seconds: float, folder: Path) -> Row:
    """What the disk takes for a block at the end of a file, without anything of ours."""
    waits, until = list[float](), perf_counter() + seconds
    with NamedTemporaryFile(dir=folder) as file:
        while perf_counter() < until:
            begun = perf_counter()
            os.write(file.fileno(), bytes(BLOCK))
            os.fdatasync(file.fileno())
            waits.append(perf_counter() - begun)
    return ("the disk alone", *told(waits), "")


def told(waits: list[float]) -> Row:
    """How many there were, their mean, the one that 99 of 100 do not exceed, and the worst, in milliseconds."""
    waits.sort()
    times = (sum(waits) / len(waits), waits[len(waits) * 99 // 100], waits[-1])
    return (str(len(waits)), *(f"{each * MILLI:.2f}" for each in times))


def bytes_written() -> int:
    """What this process has written so far, as Linux counts it."""
    counted = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(counted["wchar"])


# ---------------------------------------------------------------------------------------- thinking


def thinking(name: str, size: str, seconds: float) -> Row:
    """The computer at its best, asked as a board asks it: how long that takes, and what the event loop was busy for."""
    return asyncio.run(_thinking(name, size, seconds))


async def _thinking(name: str, size: str, seconds: float) -> Row:
    game, rng, waits, busy = make(name, size), Random(SEED), list[float](), list[float]()
    states = [step.state for step in random_steps(game, rng) if step.boards]
    own = Engine(OWN, "reedlight")
    await own.ask(Question(game, EVALUATE))  # the process is started, and has loaded what it knows of the game
    ticking = asyncio.create_task(_tick(busy))
    until = perf_counter() + seconds
    while perf_counter() < until:
        state = rng.choice(states)
        begun = perf_counter()
        await own.ask(Question(game, engine.play(LEVELS, THINKS), game.dump(state)))
        waits.append(perf_counter() - begun)
    ticking.cancel()
    await own.close()
    waits.sort()
    return (
        f"{name} {size}",
        str(len(waits)),
        f"{waits[len(waits) // 2] * MILLI:.0f}",
        f"{waits[-1] * MILLI:.0f}",
        f"{max(busy) * MILLI:.1f}",
    )


async def _tick(busy: list[float]) -> None:
    """Wake up every millisecond, and note what the event loop was busy for meanwhile; other programs do not count."""
    while True:
        before = process_time()
        await asyncio.sleep(TICK)
        busy.append(process_time() - before)


def table(title: str, head: Row, rows: Iterable[Row]) -> None:
    """Print a table, every row as soon as it is known."""
    print(f"\n{title}")  # noqa: T201  # this is a command
    for first, *others in chain((head,), rows):
        print(f"  {first:<18}{''.join(f'{part:>14}' for part in others)}", flush=True)  # noqa: T201  # the same


def main() -> None:
    """Print every table."""
    parser = ArgumentParser(description="What inference and the rules cost on this machine.")
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="how long to measure each row (default: %(default)s)"
    )
    parser.add_argument("--folder", type=Path, help="on which disk games are kept (default: where temporary files are)")
    arguments = parser.parse_args()
    seconds, folder = arguments.seconds, arguments.folder or Path(gettempdir())
    usual = [(name, entry.usual) for name, entry in REGISTRY.items()]
    table(
        "Inference, microseconds an edge, mean / 99 of 100",
        ("", "edges", "cold", "warm", "of it: feed", "readings"),
        (inference(name, size, seconds) for name, size in BOARDS),
    )
    table(
        "Session, microseconds a call, mean / 99 of 100",
        ("", "edges", "handle", "tick", "scene"),
        (sitting(name, size, seconds) for name, size in BOARDS),
    )
    table(
        "Legal actions of the worst known position, milliseconds",
        ("", "ms", "actions", "position"),
        (worst_position(name) for name in VECTORS),
    )
    table("The tree from the start", ("", "positions", "positions/s"), map(draughts_tree, PLIES))
    table(
        "Whole games on the simulated board, moves a second",
        ("", "hand", "moves", "moves/s"),
        (soaking(name, size, style, seconds) for name, size in usual for style in (TIDY, SLOPPY)),
    )
    table(
        f"A computer of the highest level that may think for {THINKS * MILLI:.0f} ms, milliseconds",
        ("", "answers", "median", "worst", "loop busy"),
        (thinking(name, size, max(seconds, 5 * THINKS)) for name, size in usual),
    )
    lifts = max(1, int(LIFTS * min(seconds, 1.0)))
    table(
        "From reed to lamp, milliseconds of real time",
        ("", "lifts", "median", "99 of 100", "debounce"),
        (reed_to_lamp(title, reeds_of, debounce, lifts) for title, reeds_of, debounce in DEPTHS),
    )
    table(
        f"Keeping a game in {folder}, milliseconds an event, and megabytes written in {A_LONG_GAME} actions",
        ("", "events", "mean", "99 of 100", "worst", "MB"),
        chain((disk_alone(seconds, folder),), (keeping(name, size, seconds, folder) for name, size in usual)),
    )


if __name__ == "__main__":
    main()
