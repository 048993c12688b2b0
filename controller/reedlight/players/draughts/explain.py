"""What a move is for, in one true sentence.

Sentences are tried from the gravest to the plainest, and each is a fact that the rules or the table of
endings vouch for; a forecast of the search is never told as one. "Gives one man, takes two" says what the
other side's every reply takes, and what can be taken back in one move after whichever of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from reedlight.core.game import Side
from reedlight.core.grid import Cell
from reedlight.games.draughts.compact import BIT, CELL, MAIN_ROAD, Step, own_and_foe, steps
from reedlight.games.draughts.rules import Draughts, Draws, Move
from reedlight.players.draughts.endings import DRAWN, covers, plies_to_end

COUNTED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
CENTRE = frozenset(map(Cell, ("c5", "d4", "e5", "f4")))
COLOURS = {Side.LIGHT: "White", Side.DARK: "Black"}
FIFTEEN = 15
"""Moves of three kings or more against a single one."""


def explain(state: Draughts, move: Move) -> str:
    """The gravest thing there is to say about a legal move, in at most 70 characters."""
    after = state.apply(move)
    said = next(sentence for tell in TELLERS for sentence in tell(state, move, after))
    if len(state.steps) == 1:
        return f"the only move: {said}"
    return said


def _ends(_state: Draughts, _move: Move, after: Draughts) -> Iterator[str]:
    if after.outcome is None:
        return
    if after.outcome.winner is None:
        yield f"ends in a draw: {after.outcome.reason}"
    else:
        yield f"wins: {after.outcome.reason}"


def _by_table(state: Draughts, move: Move, after: Draughts) -> Iterator[str]:
    plies = _table(after)
    if plies is None:
        return
    if plies == DRAWN:
        others = [_table(state.apply(other)) for other in state.legal_actions() if other != move]
        if others and all(other is not None and other != DRAWN and other % 2 for other in others):
            yield "keeps the draw by the ending table: all else loses"
        yield "a draw by the ending table"
    elif plies % 2:
        yield f"loses in {_moves(plies // 2 + 1)} by the ending table"
    else:
        yield f"wins in {_moves(plies // 2 + 1)} by the ending table"


def _table(state: Draughts) -> int | None:
    """The plies to the end by the table; None where it has not got the position, or its history could matter."""
    if state.outcome is not None or state.draws is not Draws.PLAIN:
        return None
    kings = state.position[2]
    own, foe = own_and_foe(state.position, state.side)
    if not covers(own, foe, kings):
        return None
    plies = plies_to_end(own, foe)
    if state.three_kings is not None and plies != DRAWN and state.three_kings + (plies + 1) // 2 > FIFTEEN:
        return None
    return None if state.seen and plies == DRAWN else plies


def _takes(state: Draughts, move: Move, after: Draughts) -> Iterator[str]:
    if not move.taken:
        return
    said = f"takes {_pieces(state, move.taken)}"
    if state.crowned(move):
        yield f"{said} and gets a king"
    given = {len(reply.taken) for reply in after.legal_actions()}
    if len(given) == 1 and (back := given.pop()):
        yield f"{said}, gives {COUNTED[back]} back"
    yield said


def _crowns(state: Draughts, move: Move, after: Draughts) -> Iterator[str]:
    if not state.crowned(move):
        return
    if all(move.end in reply.taken for reply in after.legal_actions()):
        yield f"crowns on {move.end}, where the king is taken"
    yield f"crowns on {move.end}"


def _gives(_state: Draughts, _move: Move, after: Draughts) -> Iterator[str]:
    replies = after.legal_actions()
    given = {len(reply.taken) for reply in replies}
    if 0 in given:
        return
    lost = f"gives {_pieces(after, replies[0].taken)}" if len(given) == 1 else f"gives up to {COUNTED[max(given)]}"
    back = {_most_taken(after.apply(reply)) for reply in replies}
    if min(back) > 0:
        yield f"{lost}, takes {'' if len(back) == 1 else 'at least '}{COUNTED[min(back)]}"
    yield lost


def _most_taken(state: Draughts) -> int:
    """The pieces that the side to move can take at most in one move."""
    return max((len(move.taken) for move in state.legal_actions()), default=0)


def _stops(state: Draughts, _move: Move, after: Draughts) -> Iterator[str]:
    threats = _captures(state, state.side.other)
    if threats and not _captures(after, after.side):
        yield f"stops {_named(threats[0])}"


def _threatens(state: Draughts, _move: Move, after: Draughts) -> Iterator[str]:
    threats = _captures(after, state.side)
    if threats:
        yield f"threatens {_named(threats[0])}"


def _captures(state: Draughts, side: Side) -> list[Step]:
    """What a side could take if it were to move, the most first."""
    found = [step for step in steps(state.position, side) if step[2]]
    return sorted(found, key=lambda step: (-step[2].bit_count(), step))


def _named(step: Step) -> str:
    return f"{CELL[step[0]]}:{CELL[step[1]]}"


def _king_goes(state: Draughts, move: Move, _after: Draughts) -> Iterator[str]:
    if not BIT[move.start] & state.position[2]:
        return
    if BIT[move.end] & MAIN_ROAD:
        yield "keeps the king on the main road" if BIT[move.start] & MAIN_ROAD else "puts a king on the main road"
    yield f"the king goes to {move.end}"


def _man_goes(state: Draughts, move: Move, _after: Draughts) -> Iterator[str]:
    """Where a man has come to; a piece at the edge cannot be jumped."""
    left = 8 - int(move.end[1]) if state.side is Side.LIGHT else int(move.end[1]) - 1
    if left <= 2:
        yield f"{_counted(left, 'step')} from the king row"
    if move.end in CENTRE:
        yield f"takes the centre square {move.end}"
    if left == 6:
        yield f"leaves the back row at {move.start}"
    if move.end[0] in "ah":
        yield f"goes to the edge at {move.end}, where nothing can take it"
    yield f"goes towards the king row, {_counted(left, 'step')} away"


TELLERS: tuple[Callable[[Draughts, Move, Draughts], Iterator[str]], ...] = (
    _ends,
    _by_table,
    _takes,
    _crowns,
    _gives,
    _stops,
    _threatens,
    _king_goes,
    _man_goes,
)
"""What there is to say, the gravest first; each tells its best sentence first, or none."""


def _pieces(state: Draughts, cells: tuple[Cell, ...]) -> str:
    """Pieces by their kinds: ``two men``, ``one man and a king``."""
    crowned = sum(bool(BIT[cell] & state.position[2]) for cell in cells)
    men = len(cells) - crowned
    kings = "" if not crowned else "a king" if crowned == 1 else f"{COUNTED[crowned]} kings"
    some = "" if not men else "one man" if men == 1 else f"{COUNTED[men]} men"
    return " and ".join(filter(None, (some, kings)))


def _counted(number: int, one: str) -> str:
    return f"{COUNTED[number]} {one}" if number == 1 else f"{COUNTED[number]} {one}s"


def _moves(number: int) -> str:
    return "1 move" if number == 1 else f"{number} moves"
