"""Works out the table of endings from the rules alone: ``python -m reedlight.players.draughts.make_endings FILE``.

What each position leads to is found once. Then, ply by ply: a position is lost when all it leads to is
won, and won when something it leads to is lost; what is never decided is drawn. Run again, it writes the
same bytes.
"""

from __future__ import annotations

import sys
import zlib
from pathlib import Path

from reedlight.games.draughts.compact import TOP, Squares, afters
from reedlight.players.draughts.endings import CLASSES, place, sets

OVER = -1
"""In place of a position: the side to move has nothing left."""


def leads_to() -> dict[int, list[int]]:
    """The places that each place of the table leads to."""
    found: dict[int, list[int]] = {}
    for one in CLASSES:
        for many in sets():
            if not many & one:
                found[place(many, one, 0)] = [_place(own, foe) for own, foe in _after(many, one)]
                found[place(many, one, 1)] = [_place(own, foe) for own, foe in _after(one, many)]
    return found


def _after(own: Squares, foe: Squares) -> list[tuple[Squares, Squares]]:
    # Kings move alike whichever side they are of.
    return [(after[0], after[1]) for after in afters(own, foe, own | foe, TOP)]


def _place(own: Squares, foe: Squares) -> int:
    """The place of a position by the pieces of the side to move, which comes second in ``place`` when single."""
    if not own:
        return OVER
    return place(foe, own, 1) if not own & (own - 1) else place(own, foe, 0)


def solved(onward: dict[int, list[int]]) -> bytearray:
    """What the table says by place: one more than the plies to the end, or 0."""
    said = bytearray(max(onward) + 1)
    blocked = [at for at, nexts in onward.items() if not nexts]
    lost, won = {OVER, *blocked}, set[int]()
    decided, plies = blocked, 0
    while decided:
        for at in decided:
            said[at] = plies + 1
        onward = {at: nexts for at, nexts in onward.items() if not said[at]}
        plies += 1
        if plies % 2:
            decided = [at for at, nexts in onward.items() if not lost.isdisjoint(nexts)]
            won.update(decided)
        else:
            decided = [at for at, nexts in onward.items() if won.issuperset(nexts)]
            lost.update(decided)
    return said


def main() -> None:
    """Write the table to the file that is named."""
    Path(sys.argv[1]).write_bytes(zlib.compress(bytes(solved(leads_to())), 9))


if __name__ == "__main__":
    main()
