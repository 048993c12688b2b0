"""Leading: what a hand has still to do until the board stands as the game does.

Set-up, take-back and an action chosen on a screen are one thing: from the pieces that are believed to
stand there to those that should. The difference is put into steps that a hand can do, each in a few words:

    believed  b6 black, c5 white      move b6 to d4          an origin whose piece is wanted elsewhere
    wanted    d4 black                take c5 off            a piece that is wanted nowhere

A step is *open* while the switches show that it is not done. Where something else is out of place too,
the steps say nothing: then the plain list of what is missing and what is too many is the better help.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reedlight.core.game import Piece, Side
from reedlight.core.grid import Cell, Cells
from reedlight.scene import words

Pieces = Mapping[Cell, Piece]


@dataclass(frozen=True, slots=True)
class Lead:
    """The board on its way: what is believed to have stood on it, and stacks that must be touched.

    No switch sees a stack change its height or its owner, so such a cell counts as right once it was lifted.
    """

    believed: Pieces
    restack: Cells
    touched: Cells = frozenset()

    @property
    def left(self) -> Cells:
        """The stacks that have not been touched yet."""
        return self.restack - self.touched


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do, the cells that it empties and those that it fills."""

    say: str
    empties: Cells = frozenset()
    fills: Cells = frozenset()

    def is_open(self, occupied: Cells, untouched: Cells) -> bool:
        """Whether the switches show that it is still to be done."""
        return bool(self.empties & occupied or self.fills - occupied or (self.empties | self.fills) & untouched)


def open_steps(sides: Mapping[Side, str], believed: Pieces, wanted: Pieces, occupied: Cells, left: Cells) -> list[str]:
    """What is still to be done, in a few words each; nothing where something else is out of place too."""
    steps = plan(sides, believed, wanted)
    strays = (occupied ^ wanted.keys()).difference(*(step.empties | step.fills for step in steps))
    return [] if strays else [step.say for step in steps if step.is_open(occupied, left)]


def plan(sides: Mapping[Side, str], believed: Pieces, wanted: Pieces) -> list[Step]:
    """The steps from the one set of pieces to the other; a man crowned where it stands is none."""
    stood = {cell: piece for cell, piece in sorted(believed.items()) if not _same(wanted.get(cell), piece)}
    due = {cell: piece for cell, piece in sorted(wanted.items()) if not _same(believed.get(cell), piece)}
    moves = _moves(stood, due, believed)
    moved = frozenset[Cell]().union(*(step.empties | step.fills for step in moves))
    rest = [
        Step(words.bring(words.belongs(sides[piece.side], piece), cell), fills=frozenset((cell,)))
        for cell, piece in due.items()
        if cell not in moved
    ]
    replaced = [cell for cell in stood if cell in due and cell in moved and stood[cell].side is not due[cell].side]
    cleared = [cell for cell in stood if cell not in due and cell not in moved]
    gone = [Step(words.clear(cell), empties=frozenset((cell,))) for cell in cleared]
    return [*(Step(words.clear(cell)) for cell in replaced), *moves, *gone, *rest]


def _moves(stood: Pieces, due: Pieces, believed: Pieces) -> list[Step]:
    """The steps that take what belongs on a cell from another one; nothing is taken twice."""
    steps: list[Step] = []
    used: set[Cell] = set()
    for target, piece in due.items():
        for origin in (origin for origin in stood if origin not in (target, *used)):
            step = _move(origin, target, piece, due, believed)
            if step is not None:
                steps.append(step)
                used.add(origin)
                break
    return steps


def _move(origin: Cell, target: Cell, piece: Piece, due: Pieces, believed: Pieces) -> Step | None:
    """The step that takes what belongs on the target from the origin, if it can come from there."""
    was, there = believed[origin], believed.get(target)
    if was.side is not piece.side:
        return None
    empties, fills = frozenset((origin,)) - due.keys(), frozenset((target,))
    if was.height == piece.height:
        return Step(words.carry(origin, target), empties, fills)
    if there is not None and there.side is piece.side and was.height == piece.height - there.height:
        return Step(words.join(origin, target), empties, fills)
    if there is None and origin in due and was.height - due[origin].height == piece.height:
        return Step(words.split(piece.height, origin, target), fills=fills | {origin})
    return None


def _same(one: Piece | None, other: Piece) -> bool:
    return one is not None and (one.side, one.height) == (other.side, other.height)
