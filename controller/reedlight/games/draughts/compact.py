r"""Russian draughts on three integers: the moves of a position, and nothing that needs its history.

A square is one bit. The rows lie in the integer one after the other with a gap after every second
row's worth of squares, so that each diagonal step is the same shift everywhere and a step over the
edge falls into a gap (4, 13, 22, 31) or off the end:

    8    32  33  34  35            up-left  << 4     up-right << 5
    7  27  28  29  30  (31)              \           /
    6    23  24  25  26                    one piece
    5  18  19  20  21  (22)              /           \
    4    14  15  16  17            down-left >> 5    down-right >> 4
    3   9  10  11  12  (13)
    2     5   6   7   8
    1   0   1   2   3  (4)
       a b c d e f g h

A *position* is (light pieces, dark pieces, kings of both). A *step* is one whole action: (start,
end, taken), the taken pieces as a set. Captures that agree in all three are one step, whatever way
they went: the place a capture has reached and the pieces it has taken decide everything that can
follow, so the search visits each such pair once. Even whether a man is crowned on the way follows
from the set: a man gets to the far row in a capture by jumping a piece on the row before it, and
every jump over a piece of that row touches the far row.

This module knows no game around the position: no draws, no declarations, no text.
"""

from __future__ import annotations

from collections.abc import Iterator

from reedlight.core.game import Side
from reedlight.core.grid import FILES, Cell

Position = tuple[int, int, int]
"""Light pieces, dark pieces, and the kings among them, as sets of squares."""
Step = tuple[int, int, int]
"""Where a piece starts, where it ends, and the set of pieces it takes."""
Route = tuple[tuple[int, ...], tuple[int, ...]]
"""One way to perform a capture: every square the piece stands on, and the pieces in the order taken."""
Jump = tuple[int, int]
"""The piece that is jumped, and the squares behind it where the jump may land."""

LIGHT, DARK = Side.LIGHT, Side.DARK
UP = ((0, 4), (1, 5))
"""The place of a rising ray in ``RAYS`` and its shift to the left."""
DOWN = ((2, 4), (3, 5))
"""The place of a falling ray in ``RAYS`` and its shift to the right."""


def _square(x: int, y: int) -> int:
    return 1 << (9 * y + 1) // 2 + x // 2


def row(y: int) -> int:
    """The four squares of a row; row 0 is the one with a1."""
    return 15 << (9 * y + 1) // 2


BIT: dict[Cell, int] = {
    Cell(f"{FILES[x]}{y + 1}"): _square(x, y) for y in range(8) for x in range(8) if (x + y) % 2 == 0
}
"""The bit of every dark square."""
CELL: dict[int, Cell] = {bit: cell for cell, bit in BIT.items()}
"""The name of every bit."""
BOARD = sum(CELL)
"""Every square there is."""
MAIN_ROAD = sum(_square(i, i) for i in range(8))
"""The long diagonal a1-h8."""
FAR = {LIGHT: row(7), DARK: row(0)}
"""Where a side's men are crowned."""
BEFORE_FAR = {LIGHT: row(6), DARK: row(1)}
"""The row over which a capturing man jumps onto its far row."""
START: Position = (row(0) | row(1) | row(2), row(5) | row(6) | row(7), 0)
"""The position in which every game begins."""


def _ray(square: int, shift: int) -> int:
    """The squares from one square, itself left out, to the edge; a negative shift goes down."""
    ray = 0
    while square:
        square = (square << shift if shift > 0 else square >> -shift) & BOARD
        ray |= square
    return ray


RAYS: dict[int, tuple[int, int, int, int]] = {
    bit: (_ray(bit, 4), _ray(bit, 5), _ray(bit, -4), _ray(bit, -5)) for bit in CELL
}
"""From every square: up-left, up-right, down-right, down-left."""


def bits(squares: int) -> Iterator[int]:
    """Each square of a set, from a1 on."""
    while squares:
        lowest = squares & -squares
        yield lowest
        squares ^= lowest


def own_and_foe(position: Position, side: Side) -> tuple[int, int]:
    """The pieces of a side and those of the other."""
    light, dark, _ = position
    return (light, dark) if side is LIGHT else (dark, light)


def steps(position: Position, side: Side) -> list[Step]:
    """Every legal step of the side, each once, in no promised order; captures alone where there are any."""
    kings = position[2]
    own, foe = own_and_foe(position, side)
    free = BOARD ^ (own | foe)
    return _captures(own, foe, kings, free, FAR[side]) or _quiet(own, kings, free, side)


def play(position: Position, side: Side, step: Step) -> Position:
    """The position after a legal step of the side."""
    light, dark, kings = position
    start, end, taken = step
    moved = start ^ end
    if kings & start:
        kings ^= moved
    elif end & FAR[side] or taken & BEFORE_FAR[side]:
        kings |= end
    if side is LIGHT:
        return light ^ moved, dark ^ taken, kings & ~taken
    return light ^ taken, dark ^ moved, kings & ~taken


def crowns(position: Position, side: Side, step: Step) -> bool:
    """Whether the step makes a man a king."""
    start, end, taken = step
    return not position[2] & start and bool(end & FAR[side] or taken & BEFORE_FAR[side])


def _quiet(own: int, kings: int, free: int, side: Side) -> list[Step]:
    men = own & ~kings
    found: list[Step] = []
    for shift in (4, 5):
        ends = (men << shift if side is LIGHT else men >> shift) & free
        while ends:
            end = ends & -ends
            ends ^= end
            found.append((end >> shift if side is LIGHT else end << shift, end, 0))
    crowned = own & kings
    while crowned:
        start = crowned & -crowned
        crowned ^= start
        ends = _slides(start, free)
        while ends:
            end = ends & -ends
            ends ^= end
            found.append((start, end, 0))
    return found


def _slides(start: int, free: int) -> int:
    """Where a king may go without taking: each ray up to the first piece on it."""
    up_left, up_right, down_right, down_left = RAYS[start]
    wall = up_left & ~free
    ends = up_left & ((wall & -wall) - 1)
    wall = up_right & ~free
    ends |= up_right & ((wall & -wall) - 1)
    below = (down_right & ~free).bit_length()
    ends |= down_right >> below << below
    below = (down_left & ~free).bit_length()
    return ends | down_left >> below << below


def _captures(own: int, foe: int, kings: int, free: int, far: int) -> list[Step]:
    men = own & ~kings
    jumpers = men & (foe >> 4 & free >> 8 | foe >> 5 & free >> 10 | foe << 4 & free << 8 | foe << 5 & free << 10)
    found: list[Step] = []
    while jumpers:
        start = jumpers & -jumpers
        jumpers ^= start
        found += _chains(start, _man_jumps(start, foe, free | start), foe, free | start, far)
    crowned = own & kings
    while crowned:
        start = crowned & -crowned
        crowned ^= start
        # The start counts as empty, which only the squares behind a victim can notice.
        if jumps := _king_jumps(start, foe, free | start):
            found += _chains(start, jumps, foe, free | start, BOARD)
    return found


def _chains(start: int, jumps: list[Jump], foe: int, free: int, far: int) -> list[Step]:
    """Every capture from a square, carried to its end; the piece is a king where it reaches ``far``."""
    found: dict[Step, None] = {}
    reached: set[tuple[int, int]] = set()
    pending = [(jumps, 0, far)]
    while pending:
        jumps, taken, crowning = pending.pop()
        for victim, landings in jumps:
            gone = taken | victim
            prey = foe & ~gone
            ends: list[Step] = []
            goes_on = False
            left = landings
            while left:
                landing = left & -left
                left ^= landing
                if landing & crowning:
                    onward, still_crowning = _king_jumps(landing, prey, free), BOARD
                else:
                    onward, still_crowning = _man_jumps(landing, prey, free), crowning
                if not onward:
                    ends.append((start, landing, gone))
                    continue
                goes_on = True
                if (landing, gone) not in reached:
                    reached.add((landing, gone))
                    pending.append((onward, gone, still_crowning))
            if not goes_on:
                found.update(dict.fromkeys(ends))
    return list(found)


def _man_jumps(at: int, prey: int, free: int) -> list[Jump]:
    jumps: list[Jump] = []
    for shift in (4, 5):
        victim, landing = at << shift, at << 2 * shift
        if victim & prey and landing & free:
            jumps.append((victim, landing))
        victim, landing = at >> shift, at >> 2 * shift
        if victim & prey and landing & free:
            jumps.append((victim, landing))
    return jumps


def _king_jumps(at: int, prey: int, free: int) -> list[Jump]:
    """What a king may jump: the first piece of each ray, where it is prey; a piece already taken is not."""
    rays = RAYS[at]
    jumps: list[Jump] = []
    for way, shift in UP:
        if rays[way] & prey:
            pieces = rays[way] & ~free
            victim = pieces & -pieces
            if victim & prey and victim << shift & free:
                behind = RAYS[victim][way]
                wall = behind & ~free
                jumps.append((victim, behind & ((wall & -wall) - 1)))
    for way, shift in DOWN:
        if rays[way] & prey:
            victim = 1 << (rays[way] & ~free).bit_length() - 1
            if victim & prey and victim >> shift & free:
                behind = RAYS[victim][way]
                below = (behind & ~free).bit_length()
                jumps.append((victim, behind >> below << below))
    return jumps


def routes(position: Position, side: Side, step: Step) -> list[Route]:
    """Every correct way to perform a legal step; a quiet one has a single way."""
    start, end, taken = step
    if not taken:
        return [((start, end), ())]
    own, foe = own_and_foe(position, side)
    free = BOARD ^ (own | foe) | start
    found: list[Route] = []
    pending: list[tuple[Route, int, int]] = [(((start,), ()), 0, BOARD if position[2] & start else FAR[side])]
    while pending:
        (path, order), gone, far = pending.pop()
        for victim, landings in _jumps(path[-1], foe & ~gone, free, far):
            if not victim & taken:
                continue
            now_gone = gone | victim
            for landing in bits(landings if now_gone != taken else landings & end):
                route = (*path, landing), (*order, victim)
                if now_gone != taken:
                    pending.append((route, now_gone, BOARD if landing & far else far))
                elif not any(_jumps(other, foe & ~taken, free, far) for other in bits(landings)):
                    found.append(route)
    return found


def _jumps(at: int, prey: int, free: int, far: int) -> list[Jump]:
    """What a piece may jump that is a king on the squares of ``far``."""
    return _king_jumps(at, prey, free) if at & far else _man_jumps(at, prey, free)
