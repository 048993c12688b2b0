"""A table at a depth, and somebody who looks at its lamps.

What a lamp does is told as a person sees it: ``rhythms`` looks at every lamp ten times a second and says which
mark it is, by its rhythm alone, with a table of its own that is not the palette's:

    xx..xx..xx..xx..   TAKEN           xxxxx.....xxxxx.....   CAPTURE

A lamp that is on at less than half of its brightest counts as off.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from math import floor
from random import Random
from typing import Any

from reedlight.board.profile import Max7219, Profile
from reedlight.core.game import Game, Kind, Piece, Roll, State
from reedlight.core.grid import Cell, Grid
from reedlight.scene.palette import Colour
from reedlight.scene.scene import Button, Mark
from reedlight.session.settings import Settings
from reedlight.tabletop import ON_BOARD
from reedlight_sim.depths import Depth
from reedlight_sim.hand import HANDS
from reedlight_sim.hardware import Firmware, OnBoard, Pins
from reedlight_sim.table import Table

Depths = Callable[[Profile, Grid], Depth]
AT: Mapping[str, Depths] = {"ports": OnBoard, "pins": Pins, "firmware": Firmware}
DEPTHS = tuple(AT)

LOOKS = 24
"""Looks in a row, ten a second: within two seconds every rhythm can be told from every other."""
BETWEEN = 0.3
"""Seconds that a hand takes between two edges."""
SETTLED = 1.0
"""Seconds after which a board that is left alone shows what it has to show."""
PATIENCE = 60.0
"""Seconds, real ones, after which something that takes a moment is given up; only a broken program takes so long."""
GLANCE = 0.1
"""Seconds of the table between two looks whether something has happened."""
ON_AND_OFF: Mapping[Mark, str] = {
    Mark.TARGET: "x",
    Mark.MERGE: "xxxxxxxx..",
    Mark.CAPTURE: "xxxxx.....",
    Mark.TAKEN: "xx..",
    Mark.REMOVE: "xx..xx.....",
    Mark.CHOICE: "xx..xx..xx..........",
    Mark.MISSING: "xxx.......",
    Mark.EXTRA: "xxxx..",
    Mark.FORBIDDEN: "xx..................",
}
"""One period of each rhythm, in tenths of a second, of a lamp that is on or off."""
ONE_COLOUR = {
    **ON_AND_OFF,
    Mark.MOVABLE: "xxxxxxxxxxxxxxxx....",
    Mark.SOURCE: "xxxxxxxxxx..........",
    Mark.LAST: "xxxxxx..............",
}
ALL_COLOURS = {**ON_AND_OFF, Mark.SOURCE: ".......xxxxxx.......", Mark.LAST: "xxxx................"}
"""Of MOVABLE and TARGET, both steady on a lamp of all colours, the hue tells: see ``_is_white``."""


@contextmanager
def sitting(depth: str, board: Profile, game: Game[Any], state: State[Any] | None = None) -> Generator[Table]:
    """A table at a depth, on a board, set up and begun; closed in the end."""
    table = Table(game, Settings(), Random(1), state=state, depth=AT[depth](board, game.grid))
    with closing(table):
        table.wait(SETTLED)
        table.world.set_up(table.session.state.pieces(), table.now)
        table.wait(SETTLED)
        table.press(Button.GO)
        table.wait(SETTLED)
        yield table


def do(table: Table, story: str) -> None:
    """Perform edges: ``-c3`` lifts what stands there, ``+d4`` sets down what the side to act has in hand.

    A hand that has nothing takes a stone from beside the board.
    """
    for edge in story.split():
        cell, world = Cell(edge[1:]), table.world
        if edge[0] == "-":
            world.lift(HANDS[world.pieces()[cell].side], cell, table.now)
        else:
            mover = table.session.state.to_act
            assert mover is not None
            if not world.carries(HANDS[mover], mover):
                world.from_supply(HANDS[mover], Piece(mover, Kind.STONE), table.now)
            world.place(HANDS[mover], cell, table.now)
        table.wait(BETWEEN)
    table.wait(SETTLED)


def roll(table: Table, *pips: int) -> None:
    """Press GO and let these dice fall, until they lie still and the board shows the game again."""
    table.next_roll(Roll(pips))
    table.press(Button.GO)
    table.wait(ON_BOARD)


def until(table: Table, done: Callable[[], bool], what: str) -> None:
    """Let time pass at the table until something is so; for ever so long only if it never will be.

    What a firmware does takes real time, and how much is up to the machine.
    """
    last = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < last, what
        table.wait(GLANCE)
        time.sleep(0.001)


def played(table: Table) -> list[str]:
    """The actions accepted so far, rolls left out, in the game's notation."""
    entries = [entry for entry in table.session.entries if not isinstance(entry.action, Roll)]
    return [table.session.game.notate(entry.before, entry.action) for entry in entries]


def shining(table: Table) -> Mapping[int, Colour]:
    """The lamps that shine, by their numbers."""
    return table.depth.shining(table.scene, table.now)


# ------------------------------------------------------------------------------------------ rhythms


def rhythms(table: Table, board: Profile) -> dict[str, Mark | str]:
    """What each lamp that shines within two seconds does, by the cell above it: a mark, or an unknown rhythm."""
    tenths = floor(table.now * 10) + 1
    table.wait(tenths / 10 + 0.05 - table.now)
    looks = [shining(table)]
    for _ in range(LOOKS - 1):
        table.wait(0.1)
        looks.append(shining(table))
    known = ONE_COLOUR if isinstance(board.lamps, Max7219) else ALL_COLOURS
    cells = {lamp: str(cell) for cell, lamp in table.depth.layout.lamps.items()}
    lamps = sorted({lamp for look in looks for lamp in look})
    return {cells.get(lamp, f"lamp {lamp}"): mark_of([look.get(lamp) for look in looks], known) for lamp in lamps}


def mark_of(drives: Sequence[Colour | None], known: Mapping[Mark, str]) -> Mark | str:
    """What a lamp with these drives in a row is: a mark that is known, or what was seen."""
    levels = [max(drive) if drive else 0 for drive in drives]
    seen = "".join("x" if 2 * level >= max(levels) else "." for level in levels)
    if known is ALL_COLOURS and "." not in seen and all(map(_is_white, drives)):
        return Mark.MOVABLE
    return next((mark for mark, period in known.items() if _repeats(seen, period)), seen)


def _repeats(seen: str, period: str) -> bool:
    """Whether this is the period over and over, begun anywhere."""
    endless = period * (len(seen) // len(period) + 2)
    return any(endless[start : start + len(seen)] == seen for start in range(len(period)))


def _is_white(drive: Colour | None) -> bool:
    """Of the hues, only white and amber have much red beside their green, and only white much blue."""
    return drive is not None and min(drive) > max(drive) // 2
