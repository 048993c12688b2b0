"""What inference and the rules cost on this machine: ``make bench``; ARGS="--seconds 0.3" for a glance.

Random games are performed edge by edge, as a tidy hand would, and every call is timed by itself in
processor time, so that other programs on the machine disturb little. The first edge of a turn prepares
the traces of all actions; an edge is told with that (*cold*) and without (*warm*: a piece has been lifted
and put back before).

It measures and judges nothing: what is too slow is for people to say.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from random import Random
from runpy import run_path
from time import process_time
from typing import Any, TypeVar

from reedlight.core.game import Game, Roll, Side, State, occupancy
from reedlight.core.grid import Cell
from reedlight.games import REGISTRY, make
from reedlight.games.draughts import Draughts
from reedlight.games.draughts.compact import Position, play, steps
from reedlight.scene.scene import Button
from reedlight.session.events import Board, Press, Rolled
from reedlight.session.session import Session
from reedlight.tracking.tracker import Tracker
from reedlight_sim.hand import SLOPPY, TIDY, Style
from reedlight_sim.perform import Manner, perform
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
MICRO, MILLI = 1e6, 1e3
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
        yield Step(state, choice, tuple(boards_after(occupancy(state), word)))
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
    for step in for_seconds(seconds, lambda: random_steps(game, rng)):
        if step.boards:
            follow(Tracker(step.state, occupancy(step.state), 0.0), step, cold, Spent(), Spent())
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
    board = occupancy(state)
    tracker: Tracker[Any] = Tracker(state, board, 0.0)
    somewhere = min(cell for action in state.legal_actions()[:1] for cell in touched(state, action))
    for now, toggled in ((BETWEEN, board ^ {somewhere}), (2 * BETWEEN, board)):
        tracker.feed(toggled, now)
    tracker.rest()
    return tracker


def touched(state: State[Any], action: Any) -> frozenset[Cell]:
    """The cells that change."""
    return occupancy(state) ^ occupancy(state.apply(action)) or occupancy(state)


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
    session.handle(Board(occupancy(game.start())), now)
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
    reader = run_path(str(TESTS / "games" / "test_diablo_vectors.py"))
    for record in reader["POSITIONS"]:
        yield reader["state_of"](record["n"], record["state"])


def draughts_positions() -> Iterator[State[Any]]:
    """Every position of the draughts vectors."""
    reader, game = run_path(str(TESTS / "games" / "test_draughts_vectors.py")), make("draughts")
    bulk = reader["records"](TESTS / "vectors" / "draughts" / "bulk_positions.jsonl")
    for record in (*reader["POSITIONS"], *bulk):
        yield game.load(reader["fen"](record))


def herd_positions() -> Iterator[State[Any]]:
    """Every position of the Herd vectors."""
    reader = run_path(str(TESTS / "games" / "test_herd_vectors.py"))
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
    seconds = parser.parse_args().seconds
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


if __name__ == "__main__":
    main()
