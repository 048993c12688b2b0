"""Whole turns of Herd: the best ways to take off and to place, and what the other side answers on average.

A turn under way is a *part*: both sides' stones and what is still due. Parts with the same due are compared
with each other, only the best few (the *width*) are gone on with, and two orders of the same actions are one
part, for what counts is the position:

    due (remove, place)   (2,4)     (1,4)     (0,4)     (0,3)  …  (0,0)
                            ● ──┬──►  ● ──┬──►  ●  ───►  ●  ───►   ■ ends of the turn, best first
                                ├──►  ●   └──►  ●◄─┐
                                └──►  ○            └ a placement that takes a stone gives another

The answer of the other side is its plain turn, the action that looks best each time, for all 36 rolls with their
odds. Rolls share their beginnings, so six rows of placements after one row of removals hold all of them.

Stones are the board's bits; what cells and actions they are, and how well it should look, others know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import nlargest
from typing import NamedTuple

from reedlight.games.herd.rules import FACES, Board
from reedlight.players.herd.judge import Judge, chance

Look = Callable[[], None]
"""Called before every position that is looked at; it may raise ``Stopped``."""


class Stopped(Exception):
    """No more positions shall be looked at."""


class Part(NamedTuple):
    """A turn under way: the mover's stones, the other's, and what is due."""

    own: int
    enemy: int
    to_remove: int
    to_place: int
    score: float = 0.0
    """What it would be worth to the mover if the turn ended here."""
    path: tuple[int, ...] = ()
    """The bits that were acted on, in order."""


def following(board: Board, part: Part) -> Iterator[tuple[int, int, int, int, int]]:
    """Every action of a part: its bit, then own and enemy stones and what is due after it."""
    own, enemy, due = part.own, part.enemy, part.to_place
    if part.to_remove:
        for bit in board.rings:
            if enemy & bit:
                yield bit, own, enemy & ~bit, part.to_remove - 1, due
        return
    if not due:
        return
    allowed = board.full & ~(own | enemy | board.closed(own, enemy))
    taken = _takers(board, own, enemy)
    for bit in board.rings:
        if allowed & bit:
            stones = taken.get(bit, 0)
            yield bit, own | bit, enemy & ~stones, 0, due - 1 + stones.bit_count()


def _takers(board: Board, own: int, enemy: int) -> dict[int, int]:
    """The cells whose filling would take stones, and which: those that have nothing else but ``own`` around them."""
    outside = ~own
    found: dict[int, int] = {}
    for bit, ring in board.rings.items():
        if enemy & bit:
            rest = ring & outside
            if not rest & (rest - 1):
                found[rest] = found.get(rest, 0) | bit
    return found


def ends(judge: Judge, start: Part, width: int, look: Look) -> list[Part]:
    """The ends of a turn that are found by going on with the best parts, best first."""
    tiers: dict[tuple[int, int], dict[tuple[int, int], Part]] = {}
    tiers[start.to_remove, start.to_place] = {(start.own, start.enemy): start}
    finished: dict[tuple[int, int], Part] = {}
    opened: set[tuple[int, int, int]] = set()
    while tiers:
        due = max(tiers)
        fresh = [
            part
            for part in nlargest(width, tiers[due].values(), key=_score)
            if (part.own, part.enemy, due[1]) not in opened
        ]
        if not fresh:
            del tiers[due]
        for part in fresh:
            opened.add((part.own, part.enemy, due[1]))
            _open(judge, part, tiers, finished, look)
    return sorted(finished.values(), key=_score, reverse=True)


def _score(part: Part) -> float:
    return part.score


def _open(
    judge: Judge,
    part: Part,
    tiers: dict[tuple[int, int], dict[tuple[int, int], Part]],
    finished: dict[tuple[int, int], Part],
    look: Look,
) -> None:
    """Put everything that follows a part where it belongs; a part that nothing follows is an end."""
    full, ended = judge.board.full, True
    for bit, own, enemy, to_remove, to_place in following(judge.board, part):
        ended = False
        over = own | enemy == full or not (to_remove or to_place)
        tier = finished if over else tiers.setdefault((to_remove, to_place), {})
        if (own, enemy) not in tier:
            look()
            tier[own, enemy] = Part(own, enemy, to_remove, to_place, judge.score(own, enemy), (*part.path, bit))
    if ended:
        finished.setdefault((part.own, part.enemy), part)


def plain(judge: Judge, start: Part, look: Look) -> Part:
    """The end of a turn that takes what looks best each time."""
    part = start
    while step := _best(judge, part, look):
        part = step
    return part


def _best(judge: Judge, part: Part, look: Look) -> Part | None:
    """The part after the action that looks best, with a stone for every one that is due; None where there is none."""
    best, highest = None, 0.0
    stone = judge.stone(part.own | part.enemy)
    if part.own | part.enemy == judge.board.full:
        return None
    for bit, own, enemy, to_remove, to_place in following(judge.board, part):
        look()
        score = judge.score(own, enemy)
        looks = score + to_place * stone
        if best is None or looks > highest:
            best, highest = Part(own, enemy, to_remove, to_place, score, (*part.path, bit)), looks
    return best


def after_reply(judge: Judge, own: int, enemy: int, look: Look) -> float:
    """The chance to win of ``own`` once the other side has rolled and played a plain turn, over all rolls."""
    if own | enemy == judge.board.full:
        return chance(judge.score(own, enemy))
    lost = 0.0
    cleared = Part(enemy, own, FACES, FACES, judge.score(enemy, own))
    for low in range(1, FACES + 1):
        if cleared.enemy:
            cleared = _best(judge, cleared, look) or cleared
        gains = _row(judge, cleared, look)
        lost += gains[low - 1] + 2 * sum(gains[low:], 0.0)
    return 1 - lost / FACES**2


def _row(judge: Judge, cleared: Part, look: Look) -> list[float]:
    """The mover's chances after placing, plainly, as many stones as each face of a die says."""
    part = Part(cleared.own, cleared.enemy, 0, FACES, cleared.score)
    found: list[float] = []
    while len(found) < FACES:
        step = _best(judge, part, look)
        if step is None:
            return found + [chance(part.score)] * (FACES - len(found))
        part = step
        if FACES - part.to_place > len(found):
            found.append(chance(part.score))
    return found
