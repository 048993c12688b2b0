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

A *position* is (light pieces, dark pieces, kings of both). What a move leads to is told as the side
sees it that moves next, an *after*: (its pieces, the other's, kings of both). A *step* is one whole
action: (start, end, taken), the taken pieces as a set. Captures that agree in all three are one step, whatever way
they went: the place a capture has reached and the pieces it has taken decide everything that can
follow, so the search visits each such pair once. Even whether a man is crowned on the way follows
from the set: a man gets to the far row in a capture by jumping a piece on the row before it, and
every jump over a piece of that row touches the far row.

A computer player spends its time here, so the moves are found in two forms from one source: a quiet
move is made as its after, and its step read off that; a capture is found as its step, and its after
made from that. What a king sees along a diagonal depends on nothing but the pieces on that diagonal:
all 2,562 cases are worked out once.

This module knows no game around the position: no draws, no declarations, no text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from reedlight.core.game import Side
from reedlight.core.grid import FILES, Cell

Squares: TypeAlias = int
"""A set of squares, or a single one, as bits; a compiled build makes it a machine integer."""
Position = tuple[Squares, Squares, Squares]
"""Light pieces, dark pieces, and the kings among them, as sets of squares."""
After = tuple[Squares, Squares, Squares]
"""The pieces of the side that moves next, those of the side that has moved, and the kings among them."""
Step = tuple[Squares, Squares, Squares]
"""Where a piece starts, where it ends, and the set of pieces it takes."""
Route = tuple[tuple[Squares, ...], tuple[Squares, ...]]
"""One way to perform a capture: every square the piece stands on, and the pieces in the order taken."""
Jump = tuple[Squares, Squares]
"""The piece that is jumped, and the squares behind it where the jump may land."""
View = tuple[Squares, tuple[Jump, ...]]
"""What a king sees on a diagonal: the squares it may go to, and its jumps, whosever the pieces are."""

LIGHT, DARK = Side.LIGHT, Side.DARK


def _square(x: int, y: int) -> int:
    return 1 << (9 * y + 1) // 2 + x // 2


def row(y: int) -> int:
    """The four squares of a row; row 0 is the one with a1."""
    return 15 << (9 * y + 1) // 2


BIT: dict[Cell, Squares] = {
    Cell(f"{FILES[x]}{y + 1}"): _square(x, y) for y in range(8) for x in range(8) if (x + y) % 2 == 0
}
"""The bit of every dark square."""
CELL: dict[Squares, Cell] = {bit: cell for cell, bit in BIT.items()}
"""The name of every bit."""
BOARD: Final[Squares] = sum(CELL)
"""Every square there is."""
MAIN_ROAD: Final[Squares] = sum(_square(i, i) for i in range(8))
"""The long diagonal a1-h8."""
TOP: Final[Squares] = row(7)
"""Where light men are crowned."""
BOTTOM: Final[Squares] = row(0)
"""Where dark men are crowned."""
BELOW_TOP: Final[Squares] = row(6)
"""The row over which a capturing light man jumps onto its far row."""
ABOVE_BOTTOM: Final[Squares] = row(1)
"""The row over which a capturing dark man jumps onto its far row."""
FAR = {LIGHT: TOP, DARK: BOTTOM}
"""Where a side's men are crowned."""
START: Position = (row(0) | row(1) | row(2), row(5) | row(6) | row(7), 0)
"""The position in which every game begins."""


def bits(squares: Squares) -> Iterator[Squares]:
    """Each square of a set, from a1 on."""
    while squares:
        lowest = squares & -squares
        yield lowest
        squares ^= lowest


# ------------------------------------------------------------------------------------ what a king sees


def _beside(square: Squares, shift: int) -> Squares:
    """The next square on a diagonal, if there is one; a negative shift goes down."""
    return (square << shift if shift > 0 else square >> -shift) & BOARD


def _ray(square: Squares, shift: int) -> Squares:
    """The squares from one square, itself left out, to the edge."""
    ray = 0
    while square := _beside(square, shift):
        ray |= square
    return ray


def _open(square: Squares, shift: int, occupied: Squares) -> Squares:
    """The squares from one square, itself left out, up to the first piece."""
    found = 0
    while (square := _beside(square, shift)) & ~occupied:
        found |= square
    return found


def _view(at: Squares, shift: int, occupied: Squares) -> View:
    """What a king sees both ways along one diagonal."""
    slides = 0
    jumps: list[Jump] = []
    for way in (shift, -shift):
        free = _open(at, way, occupied)
        slides |= free
        last = at
        while _beside(last, way) & free:
            last = _beside(last, way)
        victim = _beside(last, way)
        if landings := _open(victim, way, occupied) if victim else 0:
            jumps.append((victim, landings))
    return slides, tuple(jumps)


def _views(at: Squares, shift: int) -> tuple[Squares, dict[Squares, View]]:
    """A diagonal through a square, itself left out, and what a king there sees for every set of pieces on it."""
    diagonal = _ray(at, shift) | _ray(at, -shift)
    views: dict[Squares, View] = {}
    occupied = diagonal
    while True:
        views[occupied] = _view(at, shift, occupied)
        if not occupied:
            return diagonal, views
        occupied = (occupied - 1) & diagonal


VIEWS: Final[dict[Squares, tuple[Squares, dict[Squares, View], Squares, dict[Squares, View]]]] = {
    bit: (*_views(bit, 4), *_views(bit, 5)) for bit in CELL
}
"""From every square, its two diagonals and what a king sees on them."""


# ------------------------------------------------------------------------------------ positions and steps


def own_and_foe(position: Position, side: Side) -> tuple[Squares, Squares]:
    """The pieces of a side and those of the other."""
    light, dark, _ = position
    return (light, dark) if side is LIGHT else (dark, light)


def steps(position: Position, side: Side) -> list[Step]:
    """Every legal step of the side, each once, in no promised order; captures alone where there are any."""
    kings = position[2]
    own, foe = own_and_foe(position, side)
    far = FAR[side]
    return _captures(own, foe, kings, far) or [
        (own & ~moved, moved & ~own, 0) for _, moved, _ in quiet(own, foe, kings, far)
    ]


def play(position: Position, side: Side, step: Step) -> Position:
    """The position after a legal step of the side."""
    own, foe = own_and_foe(position, side)
    foe, own, kings = _after(own, foe, position[2], FAR[side], step)
    return (own, foe, kings) if side is LIGHT else (foe, own, kings)


def crowns(position: Position, side: Side, step: Step) -> bool:
    """Whether the step makes a man a king."""
    return not position[2] & step[0] and _reaches_far(FAR[side], step)


# ------------------------------------------------------------------------------------ the moves of a search

MEN_MOVE: Final[tuple[dict[Squares, tuple[Squares, ...]], ...]] = ({}, {}, {}, {})
"""For men stepping up-left, up-right, down-right and down-left: by the squares they may step to, each step as the
two squares it changes. The same few sets come again and again in a search, so each is taken apart once."""
REMEMBERED = 10_000
"""Sets in each of these before it is emptied: 2 MB, and a long search meets fewer."""


def men_move(known: dict[Squares, tuple[Squares, ...]], ends: Squares, shift: int) -> tuple[Squares, ...]:
    """The steps to a set of squares, taken apart and remembered."""
    if len(known) >= REMEMBERED:
        known.clear()
    found: list[Squares] = []
    left = ends
    while left:
        end = left & -left
        left ^= end
        found.append(end | (end >> shift if shift > 0 else end << -shift))
    known[ends] = tuple(found)
    return known[ends]


def afters(own: Squares, foe: Squares, kings: Squares, far: Squares) -> list[After]:
    """What every legal step of the side with ``own`` leads to; its far row, ``TOP`` or ``BOTTOM``, says who it is."""
    return captured(own, foe, kings, far) or quiet(own, foe, kings, far)


def captured(own: Squares, foe: Squares, kings: Squares, far: Squares) -> list[After]:
    """What every capture leads to; empty where there is none.

    All men are looked at together: where a jump is open from, and where it would go on. The men whose jumps
    all end where they land, as nearly all do, have their moves made here; the others are left to ``_chains``.
    A jump back over the same man is not among those that go on: it would land where the man now stands.
    """
    free = BOARD & ~(own | foe)
    up_left, up_right = foe >> 4 & free >> 8, foe >> 5 & free >> 10
    down_right, down_left = foe << 4 & free << 8, foe << 5 & free << 10
    open_from = up_left | up_right | down_right | down_left
    men = own & ~kings & open_from
    found: list[After] = []
    if men:
        on = open_from | far
        chained = men & (up_left & on >> 8 | up_right & on >> 10 | down_right & on << 8 | down_left & on << 10)
        single = men ^ chained
        left = single & up_left
        while left:
            start = left & -left
            left ^= start
            victim = start << 4
            found.append((foe ^ victim, own ^ (start | start << 8), kings & ~victim))
        left = single & up_right
        while left:
            start = left & -left
            left ^= start
            victim = start << 5
            found.append((foe ^ victim, own ^ (start | start << 10), kings & ~victim))
        left = single & down_right
        while left:
            start = left & -left
            left ^= start
            victim = start >> 4
            found.append((foe ^ victim, own ^ (start | start >> 8), kings & ~victim))
        left = single & down_left
        while left:
            start = left & -left
            left ^= start
            victim = start >> 5
            found.append((foe ^ victim, own ^ (start | start >> 10), kings & ~victim))
        if chained:
            found += _afters(own, foe, kings, far, _captures_of_men(chained, foe, free, far))
    crowned = own & kings
    if crowned:
        by_kings = _captures_of_kings(crowned, foe, free)
        if by_kings:
            found += _afters(own, foe, kings, far, by_kings)
    return found


def leaves(own: Squares, foe: Squares, kings: Squares, far: Squares, depth: int) -> int:
    """How many ways there are to make so many steps, at least one: what move generators are compared by."""
    ways = afters(own, foe, kings, far)
    if depth == 1:
        return len(ways)
    return sum([leaves(after[0], after[1], after[2], TOP ^ BOTTOM ^ far, depth - 1) for after in ways])


def quiet(own: Squares, foe: Squares, kings: Squares, far: Squares) -> list[After]:
    """What every move that takes nothing leads to; legal only where there is no capture."""
    occupied = own | foe
    free = BOARD & ~occupied
    men = own & ~kings
    if far == TOP:
        left, right = men << 4 & free, men << 5 & free
        on_left, on_right = MEN_MOVE[0], MEN_MOVE[1]
    else:
        left, right = men >> 4 & free, men >> 5 & free
        on_left, on_right = MEN_MOVE[2], MEN_MOVE[3]
    moves = on_left.get(left)
    if moves is None:
        moves = men_move(on_left, left, 4 if far == TOP else -4)
    more = on_right.get(right)
    if more is None:
        more = men_move(on_right, right, 5 if far == TOP else -5)
    if (left | right) & far:
        found = [(foe, own ^ moved, kings | moved & far) for moved in moves + more]
    else:
        found = [(foe, own ^ moved, kings) for moved in moves + more]
    crowned = own & kings
    while crowned:
        start = crowned & -crowned
        crowned ^= start
        falling, on_falling, rising, on_rising = VIEWS[start]
        ends = on_falling[occupied & falling][0] | on_rising[occupied & rising][0]
        while ends:
            end = ends & -ends
            ends ^= end
            moved = start | end
            found.append((foe, own ^ moved, kings ^ moved))
    return found


def _reaches_far(far: Squares, step: Step) -> bool:
    """Whether a man that makes the step comes to its far row, be it on the way."""
    return bool(step[1] & far or step[2] & (BELOW_TOP if far == TOP else ABOVE_BOTTOM))


def _after(own: Squares, foe: Squares, kings: Squares, far: Squares, step: Step) -> After:
    return _afters(own, foe, kings, far, [step])[0]


def _afters(own: Squares, foe: Squares, kings: Squares, far: Squares, found: list[Step]) -> list[After]:
    before_far = BELOW_TOP if far == TOP else ABOVE_BOTTOM
    result: list[After] = []
    for start, end, taken in found:
        moved = start ^ end
        if kings & start:
            result.append((foe ^ taken, own ^ moved, (kings ^ moved) & ~taken))
        elif end & far or taken & before_far:
            result.append((foe ^ taken, own ^ moved, (kings | end) & ~taken))
        else:
            result.append((foe ^ taken, own ^ moved, kings & ~taken))
    return result


def _captures(own: Squares, foe: Squares, kings: Squares, far: Squares) -> list[Step]:
    free = BOARD & ~(own | foe)
    return _captures_of_men(own & ~kings, foe, free, far) + _captures_of_kings(own & kings, foe, free)


def _captures_of_men(men: Squares, foe: Squares, free: Squares, far: Squares) -> list[Step]:
    found: list[Step] = []
    while men:
        start = men & -men
        men ^= start
        jumps = _man_jumps(start, foe, free)
        if jumps:
            found += _chains(start, jumps, foe, free | start, far)
    return found


def _captures_of_kings(crowned: Squares, foe: Squares, free: Squares) -> list[Step]:
    found: list[Step] = []
    while crowned:
        start = crowned & -crowned
        crowned ^= start
        # The start counts as empty, which only the squares behind a victim can notice: no king sees its own square.
        jumps = _king_jumps(start, foe, BOARD & ~free)
        if jumps:
            found += _chains(start, jumps, foe, free | start, BOARD)
    return found


def _chains(start: Squares, jumps: list[Jump], foe: Squares, free: Squares, far: Squares) -> list[Step]:
    """Every capture from a square, carried to its end; the piece is a king where it reaches ``far``."""
    found: list[Step] = []
    reached: set[tuple[Squares, Squares]] = set()
    pending = [(jumps, 0, far)]
    branched = False
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
                onward, still_crowning = _onward(landing, prey, free, crowning)
                if not onward:
                    ends.append((start, landing, gone))
                    continue
                goes_on = True
                if (landing, gone) not in reached:
                    reached.add((landing, gone))
                    pending.append((onward, gone, still_crowning))
            if not goes_on:
                found += ends
            branched = branched or goes_on
    return list(dict.fromkeys(found)) if branched else found


def _onward(at: Squares, prey: Squares, free: Squares, far: Squares) -> tuple[list[Jump], Squares]:
    """What a piece may jump that has come to a square in a capture, and where it is a king from now on."""
    if at & far:
        return _king_jumps(at, prey, BOARD & ~free), BOARD
    return _man_jumps(at, prey, free), far


def _man_jumps(at: Squares, prey: Squares, free: Squares) -> list[Jump]:
    jumps: list[Jump] = []
    if at << 4 & prey and at << 8 & free:
        jumps.append((at << 4, at << 8))
    if at << 5 & prey and at << 10 & free:
        jumps.append((at << 5, at << 10))
    if at >> 4 & prey and at >> 8 & free:
        jumps.append((at >> 4, at >> 8))
    if at >> 5 & prey and at >> 10 & free:
        jumps.append((at >> 5, at >> 10))
    return jumps


def _king_jumps(at: Squares, prey: Squares, occupied: Squares) -> list[Jump]:
    """What a king may jump: the first piece each way, where it is prey; a piece already taken is not."""
    falling, on_falling, rising, on_rising = VIEWS[at]
    jumps: list[Jump] = []
    if prey & falling:
        jumps += [jump for jump in on_falling[occupied & falling][1] if jump[0] & prey]
    if prey & rising:
        jumps += [jump for jump in on_rising[occupied & rising][1] if jump[0] & prey]
    return jumps


def routes(position: Position, side: Side, step: Step) -> list[Route]:
    """Every correct way to perform a legal step; a quiet one has a single way."""
    start, end, taken = step
    if not taken:
        return [((start, end), ())]
    own, foe = own_and_foe(position, side)
    free = BOARD ^ (own | foe) | start
    found: list[Route] = []
    pending: list[tuple[Route, Squares, Squares]] = [(((start,), ()), 0, BOARD if position[2] & start else FAR[side])]
    while pending:
        (path, order), gone, far = pending.pop()
        jumps, far = _onward(path[-1], foe & ~gone, free, far)
        for victim, landings in jumps:
            if not victim & taken:
                continue
            now_gone = gone | victim
            for landing in bits(landings if now_gone != taken else landings & end):
                route = (*path, landing), (*order, victim)
                if now_gone != taken:
                    pending.append((route, now_gone, far))
                elif not any(_onward(other, foe & ~taken, free, far)[0] for other in bits(landings)):
                    found.append(route)
    return found
