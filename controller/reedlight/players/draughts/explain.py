"""What a move is for, in one true sentence.

Sentences are tried from the gravest to the plainest, and each is a fact that the rules or the table of
endings vouch for; what the search only expects is said with "should". "Gives one man, takes two" says what
the other side's every reply takes, and what can be taken back in one move after whichever of them.

What is *won* and *lost* is counted once no capture is open: by the best move of the side that threatens,
be it a sacrifice, and the captures that must follow. What could be made up for by quiet moves after
that is not seen here; so a threat is told as one, and a loss as what a move avoids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from reedlight.core.game import Side
from reedlight.core.grid import Cell
from reedlight.games.draughts.compact import (
    BIT,
    BOARD,
    CELL,
    FAR,
    MAIN_ROAD,
    TOP,
    Position,
    Squares,
    bits,
    captured,
    crowns,
    own_and_foe,
    quiet,
    steps,
)
from reedlight.games.draughts.rules import Draughts, Draws, Move
from reedlight.players.draughts.endings import DRAWN, covers, plies_to_end
from reedlight.players.draughts.search import BOTH_ENDS

COUNTED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
CENTRE = frozenset(map(Cell, ("c5", "d4", "e5", "f4")))
COLOURS = {Side.LIGHT: "White", Side.DARK: "Black"}
FIFTEEN = 15
"""Moves of three kings or more against a single one."""
LONGEST = 58
"""Characters that a board shows of a reason."""
FEW = 2
"""Safe replies that are worth telling."""
FORCED = 8
"""Captures in a row at most that are counted through."""


def explain(state: Draughts, move: Move, line: Sequence[Move] = ()) -> str:
    """The gravest thing there is to say about a legal move, whatever is expected to follow, in 58 characters."""
    after = state.apply(move)
    said = next(sentence for tell in TELLERS for sentence in tell(state, move, after, line))
    only = f"the only move: {said}"
    return only if len(state.steps) == 1 and len(only) <= LONGEST else said


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


def _rivals(state: Draughts, move: Move, after: Draughts) -> Iterator[str]:
    """Whether the other moves lose something."""
    others = [state.apply(other) for other in state.legal_actions() if other != move]
    if others and _won(after.position, after.side) <= 0:
        least = min(_won(other.position, other.side) if other.outcome is None else 0 for other in others)
        if least > 0:
            yield f"every other move loses {_lost(state, least)}"


def _avoids(state: Draughts, _move: Move, after: Draughts) -> Iterator[str]:
    loss = _won(state.position, state.side.other)
    if loss > 0 and _won(after.position, after.side) <= 0:
        yield f"avoids losing {_lost(state, loss)}"


def _keeps_from_king(state: Draughts, _move: Move, after: Draughts) -> Iterator[str]:
    if _could_crown(state.position, state.side.other) and not _could_crown(after.position, after.side):
        yield "stops a man from being crowned"


def _threatens(state: Draughts, _move: Move, after: Draughts) -> Iterator[str]:
    won = _won(after.position, state.side)
    if won <= 0:
        return
    threats = [step for step in steps(after.position, state.side) if step[2]]
    if threats:
        most = max(step[2].bit_count() for step in threats)
        taken = next(step[2] for step in sorted(threats) if step[2].bit_count() == most)
        yield f"threatens to take {_pieces(after, tuple(CELL[bit] for bit in bits(taken)))}"
    yield f"threatens a shot that wins {_lost(after, won)}"


def _expects(state: Draughts, move: Move, _after: Draughts, line: Sequence[Move]) -> Iterator[str]:
    """What is expected to have been won when no capture is open for the last time."""
    now, won, kings = state, 0, 0
    found = (0, 0, 0)
    for plies, each in enumerate((move, *line), 1):
        if now.outcome is not None:
            break
        turn = 1 if now.side is state.side else -1
        won += turn * len(each.taken)
        kings += turn * now.crowned(each)
        now = now.apply(each)
        if not any(step[2] for step in now.steps):
            found = (won, kings, plies)
    won, kings, plies = found
    moves = _counted((plies + 1) // 2, "move")
    if won > 0:
        yield f"should win {_lost(state, won)} within {moves}"
    if won == 0 and kings > 0:
        yield f"should get a king within {moves}"


def _won(position: Position, side: Side) -> int:
    """The pieces that a side wins if it is its move, by its best move and the captures that must follow."""
    own, foe = own_and_foe(position, side)
    kings, far = position[2], FAR[side]
    if captured(own, foe, kings, far):
        return _exchanged(own, foe, kings, far, FORCED)
    onward = BOTH_ENDS ^ far
    return max((-_exchanged(*after, onward, FORCED) for after in quiet(own, foe, kings, far)), default=0)


def _exchanged(own: Squares, foe: Squares, kings: Squares, far: Squares, plies: int) -> int:
    """The pieces that the side to move wins by captures, until there is none."""
    if not plies:
        return 0
    onward = BOTH_ENDS ^ far
    before = foe.bit_count()
    return max(
        (
            before - after[0].bit_count() - _exchanged(*after, onward, plies - 1)
            for after in captured(own, foe, kings, far)
        ),
        default=0,
    )


def _replies_lose(_state: Draughts, _move: Move, after: Draughts) -> Iterator[str]:
    least = min(_after_replies(after))
    if least > 0:
        yield f"every reply loses {_lost(after, least)}"


def _leaves_few(_state: Draughts, _move: Move, after: Draughts) -> Iterator[str]:
    safe = sum(won <= 0 for won in _after_replies(after))
    if 0 < safe <= FEW < len(after.steps):
        replies = "reply" if safe == 1 else "replies"
        yield f"leaves {COLOURS[after.side]} {COUNTED[safe]} safe {replies} of {len(after.steps)}"


def _after_replies(after: Draughts) -> list[int]:
    """What is won after each reply."""
    played = [after.apply(reply) for reply in after.legal_actions()]
    return [_won(state.position, state.side) if state.outcome is None else 0 for state in played]


def _could_crown(position: Position, side: Side) -> bool:
    return any(crowns(position, side, step) for step in steps(position, side))


def _lost(state: Draughts, number: int) -> str:
    """So many pieces: men, where there is no king on the board."""
    if state.position[2]:
        return "a piece" if number == 1 else f"{COUNTED[number]} pieces"
    return "a man" if number == 1 else f"{COUNTED[number]} men"


def _king_goes(state: Draughts, move: Move, _after: Draughts) -> Iterator[str]:
    if not BIT[move.start] & state.position[2]:
        return
    if BIT[move.end] & MAIN_ROAD:
        yield "keeps the king on the main road" if BIT[move.start] & MAIN_ROAD else "puts a king on the main road"
    yield f"the king goes to {move.end}"


def _man_nears(state: Draughts, move: Move, _after: Draughts) -> Iterator[str]:
    left = 8 - int(move.end[1]) if state.side is Side.LIGHT else int(move.end[1]) - 1
    if left <= 2:
        yield f"{_counted(left, 'step')} from the king row"


def _man_goes(state: Draughts, move: Move, after: Draughts) -> Iterator[str]:
    """How a man stands where it has come to, now that nothing can take it."""
    own, foe = own_and_foe(after.position, state.side)
    free, end = BOARD & ~(own | foe), BIT[move.end]
    up = FAR[state.side] == TOP
    in_front = (end << 4 | end << 5) if up else (end >> 4 | end >> 5)
    for man in bits(foe & ~after.position[2] & in_front):
        if not ((man >> 4 | man >> 5) if up else (man << 4 | man << 5)) & free:
            yield f"leaves the man on {CELL[man]} without a step"
    if move.end in CENTRE:
        yield f"takes the centre square {move.end}"
    for man in bits(own & ~after.position[2] & in_front):
        yield f"backs up the man on {CELL[man]}"
    if move.end[0] in "ah":
        yield f"goes to the edge at {move.end}, where nothing can take it"
    yield f"goes to {move.end}, where nothing can take it now"


def _without_line(tell: Callable[[Draughts, Move, Draughts], Iterator[str]]) -> Teller:
    """A teller that needs no line."""
    return lambda state, move, after, _line: tell(state, move, after)


Teller = Callable[[Draughts, Move, Draughts, Sequence[Move]], Iterator[str]]
TELLERS: tuple[Teller, ...] = (
    *map(_without_line, (_ends, _by_table, _takes, _crowns, _gives, _rivals, _avoids, _keeps_from_king)),
    *map(_without_line, (_replies_lose, _threatens)),
    _expects,
    *map(_without_line, (_leaves_few, _king_goes, _man_nears, _man_goes)),
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
