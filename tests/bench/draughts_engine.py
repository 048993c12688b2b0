"""What the draughts player can do on this machine: ``python tests/bench/draughts_engine.py``, and what is said below.

    speed      counts of moves, nodes and depth, ours pure and compiled and py-draughts', in one run
    match      ours against py-draughts' SimpleEngine: --games 100 --seconds 0.1 --depth 8
    beginner   a level against a beginner who sees one action ahead: --games 100 --level 1
    endgames   every published ending and a sample of all forced wins, played out against best and any defence

The compiled modules are looked for where ``make compiled`` puts them. py-draughts is named by the folder it
is installed in (``pip install --target .build/py-draughts py-draughts==1.10.1``): it shares its import name
with pydraughts, which the tests use, so the two cannot be installed side by side. Each program counts in a
process of its own, and processor time is what counts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import process_time

from reedlight.core.game import Side
from reedlight.games.draughts import Draughts, Move, make
from reedlight.games.draughts.compact import BIT, FAR, START, TOP, Squares, afters, leaves, own_and_foe
from reedlight.games.draughts.rules import begin
from reedlight.players.draughts import mind
from reedlight.players.draughts.endings import DRAWN, plies_to_end, sets
from reedlight.players.draughts.search import BOTH_ENDS, INFINITE, Enough, Search
from reedlight.players.player import never

ROOT = Path(__file__).resolve().parent.parent.parent
COMPILED = ROOT / ".build" / "compiled"
VECTORS = ROOT / "tests" / "vectors" / "draughts"
GAME = make("8")
MIND = mind(GAME)
STRONGEST = 6
PERFT = 7
MIDDLES = 12
"""Positions after twelve random plies in which nodes and depth are measured."""
TIMES = (0.01, 0.1, 1.0)
"""Seconds a move."""
OPENING = 6
"""Random plies before a match game; the next two games begin alike, with colours swapped."""
LEVEL = 60
"""Hundredths of a man that such a position may be worth to either side, or the game would be decided by it."""
LEVEL_DEPTH = 4
"""Plies to find that out."""
LONGEST = 300
"""Plies after which a match game is called a draw."""
SAMPLE = 2_000
"""Forced wins of three kings that are played out."""
OTHERS = 3
"""Defences drawn at random, besides the best, for each of them."""


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)  # noqa: T201  # this is a command


# -------------------------------------------------------------------------------------------- speed


def middles() -> Iterator[tuple[Squares, Squares, Squares, Squares]]:
    """Positions to search, seen by the side to move."""
    rng = Random(1)
    found = 0
    while found < MIDDLES:
        own, foe, kings, far = *START, TOP
        for _ in range(12):
            own, foe, kings = rng.choice(afters(own, foe, kings, far))
            far ^= BOTH_ENDS
        if len(afters(own, foe, kings, far)) > 1:
            found += 1
            yield own, foe, kings, far


def deepened(position: tuple[Squares, Squares, Squares, Squares], seconds: float) -> tuple[int, int, float]:
    """The last depth finished, nodes and processor seconds of a search cut short."""
    begun = process_time()
    search = Search(1 << 40, lambda: process_time() - begun > seconds, {}, 0)
    depth = 0
    try:
        while depth < 30:
            search.worth(*position, -INFINITE, INFINITE, depth + 1, 1, 0)
            depth += 1
    except Enough:
        pass
    return depth, search.nodes, process_time() - begun


def measured() -> dict[str, str]:
    """What this process does, as a column of the table."""
    fastest = min(timed(lambda: leaves(*START, TOP, PERFT)) for _ in range(5))
    column = {"leaves/s": f"{leaves(*START, TOP, PERFT) / fastest:,.0f}"}
    for seconds in TIMES:
        runs = [deepened(position, seconds) for position in middles()]
        column["nodes/s"] = f"{sum(nodes for _, nodes, _ in runs) / sum(spent for _, _, spent in runs):,.0f}"
        column[f"depth in {seconds:g} s"] = f"{sorted(depth for depth, _, _ in runs)[len(runs) // 2]}"
    return column


def timed(call: Callable[[], object]) -> float:
    """Processor seconds."""
    begun = process_time()
    call()
    return process_time() - begun


THEIRS = """
import time
from draughts import RussianBoard
board = RussianBoard()
def leaves(depth):
    moves = board.legal_moves
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        board.push(move)
        total += leaves(depth - 1)
        board.pop()
    return total
best = 0
for _ in range(3):
    begun = time.process_time()
    found = leaves(PERFT)
    best = max(best, found / (time.process_time() - begun))
print(f'{{"leaves/s": "{best:,.0f}"}}')
"""


def column(path: Path | None, *arguments: str) -> dict[str, str]:
    """What another process prints, with a folder first on its path; nothing if there is no such folder."""
    if path is not None and not path.is_dir():
        return {}
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    done = subprocess.run(  # noqa: S603 - our own Python
        [sys.executable, *arguments], env=environment, capture_output=True, text=True, check=True, cwd=ROOT
    )
    return json.loads(done.stdout)


def speed(arguments: Namespace) -> None:
    """Print the table."""
    columns = {
        "pure": column(None, __file__, "column"),
        "compiled": column(COMPILED, __file__, "column"),
        "py-draughts": column(arguments.theirs, "-c", THEIRS.replace("PERFT", str(PERFT))),
    }
    say(f"{'':14}" + "".join(f"{name:>14}" for name in columns))
    for row in columns["pure"]:
        say(f"{row:14}" + "".join(f"{column.get(row, '-'):>14}" for column in columns.values()))


# -------------------------------------------------------------------------------------------- a foreign opponent


def opening(rng: Random) -> Draughts:
    """A position after a few random plies that neither side has won already."""
    while True:
        state = GAME.start()
        for _ in range(OPENING):
            state = state.apply(rng.choice(state.legal_actions()))
        own, foe = own_and_foe(state.position, state.side)
        search = Search(1 << 40, never, {}, 0)
        worth = search.worth(own, foe, state.position[2], FAR[state.side], -INFINITE, INFINITE, LEVEL_DEPTH, 1, 0)
        if abs(worth) <= LEVEL:
            return state


def match(arguments: Namespace) -> None:
    """Play, and print the score as it grows."""
    sys.path.insert(0, str(arguments.theirs))
    from draughts import RussianBoard  # noqa: PLC0415 - installed elsewhere, and only wanted here
    from draughts.engines import SimpleEngine  # noqa: PLC0415

    engine = SimpleEngine(depth_limit=arguments.depth)

    def strongest(state: Draughts, rng: Random) -> Move:
        until = process_time() + arguments.seconds
        return MIND.choose(state, STRONGEST, rng, lambda: process_time() > until).action

    def foreign(state: Draughts, _rng: Random) -> Move:
        board = RussianBoard.from_fen(foreign_fen(state))
        return as_move(state, engine.get_best_move(board), board)

    contest(strongest, foreign, arguments.games)


Chooses = Callable[[Draughts, Random], Move]


def contest(ours: Chooses, theirs: Chooses, games: int) -> None:
    """Play so many games, colours swapped, and print the score as it grows."""
    results: list[float] = []
    for game in range(games):
        state, side = opening(Random(game // 2)), (Side.LIGHT, Side.DARK)[game % 2]
        rng = Random(game)
        for _ in range(LONGEST):
            if state.outcome is not None:
                break
            state = state.apply((ours if state.to_act is side else theirs)(state, rng))
        winner = None if state.outcome is None else state.outcome.winner
        results.append(0.5 if winner is None else float(winner is side))
        won, drawn, lost = (results.count(result) for result in (1.0, 0.5, 0.0))
        say(f"{len(results)} games: +{won} ={drawn} -{lost}, score {sum(results) / len(results):.3f}")


def beginner(state: Draughts, rng: Random) -> Move:
    """A beginner's move: the most taken less what is taken back at once, a king counting two; chance among equals."""

    def gained(move: Move) -> int:
        after = state.apply(move)
        replies = () if after.outcome is not None else after.legal_actions()
        crowned = 2 * state.crowned(move)
        return len(move.taken) + crowned - max((len(reply.taken) for reply in replies), default=0)

    graded = [(gained(move), rng.random(), move) for move in state.legal_actions()]
    return max(graded)[2]


def against_beginner(arguments: Namespace) -> None:
    """Play a level against the beginner."""
    contest(
        lambda state, rng: MIND.choose(state, arguments.level, rng, never).action,
        beginner,
        arguments.games,
    )


NUMBERS = {cell: (8 - int(cell[1])) * 4 + "abcdefgh".index(cell[0]) // 2 + 1 for cell in BIT}
"""The squares as py-draughts counts them: from the top row, left to right."""


def foreign_fen(state: Draughts) -> str:
    """The position with numbered squares."""
    light, dark, kings = state.position
    sides = [
        ",".join(f"{'K' * bool(bit & kings)}{NUMBERS[cell]}" for cell, bit in BIT.items() if bit & pieces)
        for pieces in (light, dark)
    ]
    return f"{'W' if state.side is Side.LIGHT else 'B'}:W{sides[0]}:B{sides[1]}"


def as_move(state: Draughts, theirs: object, board: object) -> Move:
    """Their move among ours: the one that leads to the same position."""
    board.push(theirs)  # type: ignore[attr-defined] - a foreign board without types
    after = str(board.fen)  # type: ignore[attr-defined] - the same
    return next(move for move in state.legal_actions() if same(foreign_fen(state.apply(move)), after))


def same(ours: str, theirs: str) -> bool:
    """Whether two FENs show the same pieces."""
    return pieces_of(ours) == pieces_of(theirs)


def pieces_of(fen: str) -> set[str]:
    """Every piece with its colour."""
    fen = fen.removeprefix('[FEN "').removesuffix('"]')
    return {part[0] + piece for part in fen.split(":")[1:] for piece in part[1:].split(",") if piece}


# -------------------------------------------------------------------------------------------- endings


def endgames(_arguments: Namespace) -> None:
    """Play out forced wins; a win that is missed ends the program."""
    published = [GAME.load(record["fen"]) for record in json.loads((VECTORS / "three_kings_endgames.json").read_text())]
    wins = [state for state in published if forced(state) is not None]
    rng = Random(1)
    triples = [squares for squares in sets() if squares.bit_count() == 3]
    while len(wins) < SAMPLE:
        many, one = rng.choice(triples), rng.choice(list(BIT.values()))
        if not many & one:
            state = begin((many, one, many | one), rng.choice((Side.LIGHT, Side.DARK)))
            if forced(state) is not None:
                wins.append(state)
    longest = 0
    for nth, state in enumerate(wins):
        winner = forced(state)
        for defence in range(OTHERS + 1):
            end, moves = played_out(state, winner, Random(defence) if defence else None)
            longest = max(longest, moves)
            if end.outcome is None or end.outcome.winner is not winner:
                sys.exit(f"not won: {GAME.dump(state)}")
        if (nth + 1) % 500 == 0:
            say(f"{nth + 1} of {len(wins)} endings, all won; the longest took {longest} moves")
    say(f"{len(wins)} endings, each against {OTHERS + 1} defences, all won; the longest took {longest} moves")


def forced(state: Draughts) -> Side | None:
    """The side that wins by the table."""
    if state.outcome is not None:
        return None
    plies = plies_to_end(*own_and_foe(state.position, state.side))
    return None if plies == DRAWN else state.side if plies % 2 else state.side.other


def played_out(state: Draughts, winner: Side | None, defence: Random | None) -> tuple[Draughts, int]:
    """The end of a game in which the winner plays as strongly as it can, and how many moves it made."""
    rng, moves = Random(0), 0
    while state.outcome is None:
        if state.side is winner:
            moves += 1
            move = MIND.choose(state, STRONGEST, rng, never).action
        else:
            move = (
                defence.choice(state.legal_actions()) if defence else MIND.choose(state, STRONGEST, rng, never).action
            )
        state = state.apply(move)
    return state, moves


COMMANDS = {"speed": speed, "match": match, "beginner": against_beginner, "endgames": endgames}


def main() -> None:
    """Do what the first word says."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", default="speed", choices=(*COMMANDS, "column"))
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--level", type=int, default=1)
    parser.add_argument("--theirs", type=Path, default=ROOT / ".build" / "py-draughts", help="where py-draughts is")
    arguments = parser.parse_args()
    if arguments.what == "column":
        say(json.dumps(measured()))
    else:
        COMMANDS[arguments.what](arguments)


if __name__ == "__main__":
    main()
