"""The search: what a position is worth when both sides look ahead.

Alpha-beta by deepening: the best move of the search before is looked at first, the others must only be
shown to be worse. A reply that is forced costs no depth, and where captures are open the search goes on
until there are none. What is known without search ends it: the table of endings, a repetition, the
fifteen moves of three kings.

A position is seen by the side that moves: its pieces, the other's, kings of both, its far row. Worth is
in hundredths of a man; a win counts ``WIN`` less the plies to it. ``still`` counts the plies since a
man moved or a piece was taken: only these can be repeated.

Two things are taken lightly. A position seen once before is a draw already, and the table of positions
does not tell apart how a position was come to. Of the federation's draws (R18) the search knows those
that count moves by kings alone.
"""
# The hot path: a call costs more than a line, and an object more than an argument.
# ruff: noqa: C901, PLR0911, PLR0912, PLR0913, PLR0915, PLR0917, SIM113

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from reedlight.games.draughts.compact import (
    BOARD,
    BOTTOM,
    MEN_MOVE,
    TOP,
    After,
    Squares,
    afters,
    captured,
    men_move,
    quiet,
)
from reedlight.players.draughts.endings import DRAWN, covers, plies_to_end
from reedlight.players.draughts.value import KNOWN, NO_MOVE, STEP_AT, TURN, Points, glance, men_worth

WIN: Final = 100_000
"""Hundredths of a man, less the plies to it; no position is worth so much at a glance."""
WON: Final = 90_000
"""From here on it is a win that has been seen."""
UNKNOWN: Final = 999_999
INFINITE: Final = 1_000_000
DEEPEST: Final = 60
"""Plies from the root at which captures alone are looked at."""
POLL: Final = 128
"""Nodes between two questions whether to stop: 5 ms on a machine ten times slower than a desktop."""
TABLE: Final = 120_000
"""Positions in the younger half of the table: at 110 bytes each the two halves stay below 30 MB."""
LATE: Final = 6
"""Quiet moves after so many others are looked at a ply less deep first: the order is good enough for that."""
REDUCED_FROM: Final = 4
"""Plies left from which they are."""
BOTH_ENDS: Final[Squares] = TOP | BOTTOM
LOW, HIGH, EXACT = 1, 2, 3
"""What a worth in the table is: at least so much, at most so much, or just that."""

_OWN: Final = 0x1F3A5C9D2B47E681
_FOE: Final = 0x0B8E4D1763F95AC7
_KINGS: Final = 0x15D96A3F08C7B2E9
_RISING: Final = 0x0D3C21E94F6A8B75
_STILL: Final = 0x12C5E7A9B38D4F61
_KEY: Final = (1 << 61) - 1


class Enough(Exception):
    """The nodes are used up, or the answer is wanted."""


def key_of(own: Squares, foe: Squares, kings: Squares, far: Squares) -> Squares:
    """A number for a position that no other is likely to have."""
    return (own * _OWN + foe * _FOE + kings * _KINGS) & _KEY ^ (_RISING if far == TOP else 0)


def still_after(own: Squares, foe: Squares, kings: Squares, after: After, still: int) -> int:
    """The plies since a man moved or a piece was taken, after one more."""
    if not own & kings or after[0] != foe or own & ~kings != after[1] & ~after[2]:
        return 0
    return still + 1


class Search:
    """One search from one position; not to be used again for another."""

    def __init__(self, nodes: int, stop: Callable[[], bool], earlier: Mapping[Squares, int], federation: int) -> None:
        """A limit of nodes, what to ask, how often positions stood before, and whether the fuller draws count (1)."""
        self.nodes: int = 0
        self.limit: int = nodes
        self.poll_at: int = POLL
        self.stop: Callable[[], bool] = stop
        self.earlier: dict[Squares, int] = dict(earlier)
        self.federation: int = federation
        self.young: dict[Squares, Squares] = {}
        self.old: dict[Squares, Squares] = {}
        self.history: dict[Squares, int] = {}
        self.killers: list[Squares] = [0] * (DEEPEST + 2)
        self.path: list[Squares] = [0] * (DEEPEST + 2)

    def poll(self) -> None:
        """Raise Enough if it is."""
        self.poll_at = self.nodes + POLL
        if self.nodes >= self.limit or self.stop():
            raise Enough

    def worth(
        self,
        own: Squares,
        foe: Squares,
        kings: Squares,
        far: Squares,
        alpha: Points,
        beta: Points,
        depth: int,
        ply: int,
        still: int,
    ) -> Points:
        """The worth of a position to the side that moves, exact between alpha and beta, else a bound."""
        if depth <= 0 or ply >= DEEPEST:
            return self.settled(own, foe, kings, far, alpha, beta, ply, still)
        self.nodes += 1
        if self.nodes >= self.poll_at:
            self.poll()
        key = (own * _OWN + foe * _FOE + kings * _KINGS) & _KEY
        if far == TOP:
            key ^= _RISING
        if kings:
            if still:
                known = self.known(own, foe, kings, far, key, ply, still)
                if known != UNKNOWN:
                    return known
                if own | foe == kings:
                    counted: Squares = still
                    key = (key + counted * _STILL) & _KEY
            elif own | foe == kings and covers(own, foe, kings):
                return self.by_table(own, foe, ply, still)
            self.path[ply] = key
        first = 0
        packed = self.young.get(key, 0)
        if not packed and self.old:
            packed = self.old.get(key, 0)
        if packed:
            first = packed & 63
            if (packed >> 8 & 255) >= depth:
                told = (packed >> 16) - INFINITE
                if told > WON:
                    told -= ply
                elif told < -WON:
                    told += ply
                bound = packed >> 6 & 3
                if bound == EXACT or (bound == LOW and told >= beta) or (bound == HIGH and told <= alpha):
                    return told
        onward = BOTH_ENDS ^ far
        best = -INFINITE
        best_at = 0
        floor = alpha
        moves = captured(own, foe, kings, far)
        takes = 1 if moves else 0
        if not takes:
            if depth == 1 and not kings:
                best = self.last_step(own, foe, far, alpha, beta, ply)
                self.note(key, best, LOW if best >= beta else HIGH if best <= alpha else EXACT, depth, ply, 0)
                return best
            moves = quiet(own, foe, kings, far)
        count = len(moves)
        if not count:
            return ply - WIN
        if count == 1:
            after = moves[0]
            quiet_for = still_after(own, foe, kings, after, still) if kings else 0
            best = -self.worth(after[0], after[1], after[2], onward, -beta, -alpha, depth, ply + 1, quiet_for)
        else:
            nth = 0
            for place in self.order(own, moves, first, takes, depth, ply):
                after = moves[place]
                quiet_for = still_after(own, foe, kings, after, still) if kings else 0
                if not nth:
                    found = -self.worth(
                        after[0], after[1], after[2], onward, -beta, -floor, depth - 1, ply + 1, quiet_for
                    )
                else:
                    left = depth - 1
                    if nth >= LATE and depth >= REDUCED_FROM and not takes:
                        left -= 1
                    found = -self.worth(
                        after[0], after[1], after[2], onward, -floor - 1, -floor, left, ply + 1, quiet_for
                    )
                    if left < depth - 1 and found > floor:
                        found = -self.worth(
                            after[0], after[1], after[2], onward, -floor - 1, -floor, depth - 1, ply + 1, quiet_for
                        )
                    if floor < found < beta:
                        found = -self.worth(
                            after[0], after[1], after[2], onward, -beta, -found, depth - 1, ply + 1, quiet_for
                        )
                nth += 1
                if found > best:
                    best = found
                    best_at = place
                    if found > floor:
                        floor = found
                        if found >= beta:
                            if not takes:
                                moved = own ^ after[1]
                                self.killers[ply] = moved
                                self.history[moved] = self.history.get(moved, 0) + depth * depth
                            break
        self.note(key, best, LOW if best >= beta else HIGH if best <= alpha else EXACT, depth, ply, best_at)
        return best

    def last_step(self, own: Squares, foe: Squares, far: Squares, alpha: Points, beta: Points, ply: int) -> Points:
        """The worth of a position of men that has no capture, one step before its worth at a glance.

        Half of all positions are looked at here, so what a step leaves as it is is worked out once: what the
        other's men could reach, and what they are worth. It is ``glance`` in another order.
        """
        free = BOARD & ~(own | foe)
        stage = int.bit_count(own | foe)
        foe_up, foe_left, foe_right, foe_down = foe << 5, foe << 4, foe >> 4, foe >> 5
        if far == TOP:
            ends = own << 4 & free
            more_ends = own << 5 & free
            moves = MEN_MOVE[0].get(ends)
            if moves is None:
                moves = men_move(MEN_MOVE[0], ends, 4)
            more = MEN_MOVE[1].get(more_ends)
            if more is None:
                more = men_move(MEN_MOVE[1], more_ends, 5)
            own_light, one_way, other_way = 1, foe_right, foe_down
        else:
            ends = own >> 4 & free
            more_ends = own >> 5 & free
            moves = MEN_MOVE[2].get(ends)
            if moves is None:
                moves = men_move(MEN_MOVE[2], ends, -4)
            more = MEN_MOVE[3].get(more_ends)
            if more is None:
                more = men_move(MEN_MOVE[3], more_ends, -5)
            own_light, one_way, other_way = 0, foe_left, foe_up
        own_known = KNOWN[stage * 2 + own_light]
        foe_worth = KNOWN[stage * 2 + 1 - own_light].get(foe)
        if foe_worth is None:
            foe_worth = men_worth(foe, stage, 1 - own_light)
        foe_worth += TURN
        step = STEP_AT[stage]
        best = ply - WIN
        tried = 0
        for moved in moves + more:
            after = own ^ moved
            space = free ^ moved
            if moved & far or after & (
                foe_left & space >> 4 | foe_right & space << 4 | foe_up & space >> 5 | foe_down & space << 5
            ):
                found = -self.settled(foe, after, moved & far, BOTH_ENDS ^ far, -beta, -alpha, ply + 1, 0)
            else:
                tried += 1
                foe_steps = int.bit_count(one_way & space) + int.bit_count(other_way & space)
                if foe_steps:
                    worth = own_known.get(after)
                    if worth is None:
                        worth = men_worth(after, stage, own_light)
                    if own_light:
                        found = int.bit_count(after << 4 & space) + int.bit_count(after << 5 & space)
                    else:
                        found = int.bit_count(after >> 4 & space) + int.bit_count(after >> 5 & space)
                    found = worth - foe_worth + step * (found - foe_steps)
                else:
                    found = WIN - ply - 1
            if found > best:
                best = found
                if found > alpha:
                    alpha = found
                    if found >= beta:
                        break
        self.nodes += tried
        return best

    def known(
        self, own: Squares, foe: Squares, kings: Squares, far: Squares, key: Squares, ply: int, still: int
    ) -> Points:
        """The worth of a position after king's moves where the rules or the table of endings say it, or UNKNOWN."""
        if still >= ply:
            stood = self.earlier.get(key, 0)
            if stood >= 2 and afters(own, foe, kings, far):
                return 0
        else:
            stood = 0
        if own | foe == kings:
            if self.counted_out(own, foe, still):
                return 0 if afters(own, foe, kings, far) else ply - WIN
            if covers(own, foe, kings):
                return self.by_table(own, foe, ply, still)
        if self.federation and still >= 30:
            return 0
        if stood:
            return 0
        if own | foe == kings:
            return UNKNOWN
        back = 4
        while back <= still and back <= ply:
            if self.path[ply - back] == key:
                return 0
            back += 2
        return UNKNOWN

    def counted_out(self, own: Squares, foe: Squares, still: int) -> bool:
        """Whether kings alone have had their moves against a single one."""
        few, many = int.bit_count(own), int.bit_count(foe)
        made = (still + 1) // 2
        if few > many:
            few, many, made = many, few, still // 2
        return few == 1 and (made >= 15 if many >= 3 else bool(self.federation) and made >= 5)

    def by_table(self, own: Squares, foe: Squares, ply: int, still: int) -> Points:
        """The worth of an ending in the table; a win that the count of moves forestalls is none."""
        plies = plies_to_end(own, foe)
        if plies == DRAWN:
            return 0
        pieces = int.bit_count(own | foe)
        allowed = 15 if pieces == 4 else 5 if self.federation else 1_000
        wins = plies % 2
        made = still // 2 if wins else (still + 1) // 2
        if made + (plies + 1) // 2 > allowed:
            return 0
        return WIN - ply - plies if wins else ply + plies - WIN

    def settled(
        self,
        own: Squares,
        foe: Squares,
        kings: Squares,
        far: Squares,
        alpha: Points,
        beta: Points,
        ply: int,
        still: int,
    ) -> Points:
        """The worth of a position once no capture is open."""
        self.nodes += 1
        if self.nodes >= self.poll_at:
            self.poll()
        captures = captured(own, foe, kings, far)
        if not captures:
            if kings and own | foe == kings and covers(own, foe, kings):
                return self.by_table(own, foe, ply, still)
            worth = glance(own, foe, kings, far)
            return ply - WIN if worth == NO_MOVE else worth
        onward = BOTH_ENDS ^ far
        best = -INFINITE
        for after in captures:
            found = -self.settled(after[0], after[1], after[2], onward, -beta, -alpha, ply + 1, 0)
            if found > best:
                best = found
                if found > alpha:
                    alpha = found
                    if found >= beta:
                        break
        return best

    def expected(self, own: Squares, foe: Squares, kings: Squares, far: Squares) -> After | None:
        """What the side to move is expected to do, as far as the table knows."""
        key = key_of(own, foe, kings, far)
        packed = self.young.get(key, 0)
        if not packed:
            packed = self.old.get(key, 0)
        moves = afters(own, foe, kings, far)
        place = packed & 63
        if len(moves) == 1:
            return moves[0]
        return moves[place] if packed and place < len(moves) else None

    def order(self, own: Squares, moves: list[After], first: int, takes: int, depth: int, ply: int) -> list[int]:
        """The places of the moves, the likely best first."""
        count = len(moves)
        if depth == 1 or takes:
            places = list(range(count))
            if first:
                places[0], places[first] = first, 0
            return places
        killer = self.killers[ply]
        history = self.history
        graded: list[int] = []
        place = 0
        for after in moves:
            moved = own ^ after[1]
            grade = history.get(moved, 0) << 8 | 255 - place
            if place == first:
                grade += 1 << 40
            elif moved == killer:
                grade += 1 << 39
            graded.append(grade)
            place += 1
        graded.sort(reverse=True)
        return [255 - (grade & 255) for grade in graded]

    def note(self, key: Squares, worth: Points, bound: int, depth: int, ply: int, place: int) -> None:
        """Put a position into the table."""
        if worth > WON:
            worth += ply
        elif worth < -WON:
            worth -= ply
        if len(self.young) >= TABLE:
            self.old = self.young
            self.young = {}
        self.young[key] = (worth + INFINITE) << 16 | min(depth, 255) << 8 | bound << 6 | (place if place < 64 else 0)
