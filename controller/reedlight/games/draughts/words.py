"""Every sentence of Russian draughts that a person reads at the board.

Captions lead: what to do now, and why. Nothing here decides anything; it puts into words what the
state already knows, within the lengths a small display can show (70 characters, and 58 for a reason).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from reedlight.core.game import Caption, Kind, Outcome, Side, Speech
from reedlight.core.grid import Cell
from reedlight.games.draughts.compact import BIT

if TYPE_CHECKING:
    from reedlight.games.draughts.rules import Draughts, Move

COLOURS: Mapping[Side, str] = {Side.LIGHT: "White", Side.DARK: "Black"}

THIRD_REPETITION = "third repetition"
FIFTEEN_MOVES_THREE_KINGS = "fifteen moves with three kings"
FIFTEEN_MOVES_KINGS_ONLY = "fifteen moves by kings alone"
THIRTY_MOVES_UNCHANGED = "thirty moves without a change"
SIXTY_MOVES_UNCHANGED = "sixty moves without a change"
FIVE_MOVES_LONE_KING = "five moves against a lone king"
FIVE_MOVES_MAIN_ROAD = "five moves against a king on the main road"
TOO_LONG = "ten thousand moves"
AGREED = "agreed"

OVER = "The game is over."
LIGHT_SQUARE = "Pieces stand on the dark squares only."
ANY_CAPTURE_WILL_DO = "Capturing is compulsory; which capture is free."
MEN_AND_KINGS = "A man steps forward; a king goes as far as it likes."
MEN_ONLY = "A man goes one step diagonally forward."


def cannot_move(side: Side) -> str:
    """The reason for the loss of a side that is shut in."""
    return f"{COLOURS[side]} cannot move"


def has_no_pieces(side: Side) -> str:
    """The reason for the loss of a side that has lost everything."""
    return f"{COLOURS[side]} has no pieces"


def resigned(side: Side) -> str:
    """The reason for the loss of a side that gave up."""
    return f"{COLOURS[side]} resigned"


def result(outcome: Outcome) -> str:
    """The end of a game as a sentence."""
    ending = "Draw" if outcome.winner is None else f"{COLOURS[outcome.winner]} wins"
    return f"{ending}: {outcome.reason}."


def advise(state: Draughts) -> Caption:
    """What the side to act should do now."""
    if state.outcome is not None:
        return Caption(result(state.outcome))
    colour = COLOURS[state.side]
    moves = state.legal_actions()
    if moves[0].taken:
        return Caption(f"{colour} must capture: {_with(moves)}.", ANY_CAPTURE_WILL_DO)
    return Caption(f"{colour} to move.", _why(state))


def _why(state: Draughts) -> str:
    if state.offer is not None:
        return f"{COLOURS[state.offer]} offers a draw."
    if state.three_kings is not None:
        return f"{_counted(15 - state.three_kings, 'move')} left to take the single king."
    kings = any(piece.kind is Kind.KING and piece.side is state.side for piece in state.pieces().values())
    return MEN_AND_KINGS if kings else MEN_ONLY


def refuse(state: Draughts, cell: Cell) -> str:
    """Why no move can be begun at the cell; where one can, where it may go."""
    piece = state.pieces().get(cell)
    if state.outcome is not None:
        return OVER
    if piece is None:
        return f"There is no piece on {cell}." if cell in BIT else LIGHT_SQUARE
    if piece.side is not state.side:
        return f"It is {COLOURS[state.side]}'s turn."
    moves = state.legal_actions()
    if ends := sorted({move.end for move in moves if move.start == cell}):
        where = _listed(ends) if len(ends) <= 12 else f"one of {len(ends)} squares"
        return f"This {piece.kind.value} can go to {where}."
    return f"You must capture: {_with(moves)}." if moves[0].taken else f"This {piece.kind.value} is blocked."


def refuse_move(state: Draughts, origin: Cell, target: Cell) -> str:
    """Why the mover's piece on one square may not go to another; empty where it may."""
    if any(move.start == origin and move.end == target for move in state.legal_actions()):
        return ""
    return refuse(state, origin) if target in BIT else LIGHT_SQUARE


def label(state: Draughts, move: Move) -> str:
    """A word or two on what a move does."""
    does = [f"take {len(move.taken)}"] if move.taken else []
    if state.crowned(move):
        does.append("crowned")
    return ", ".join(does) or "move"


def illegal(state: Draughts, move: Move) -> str:
    """Why a move is not among the legal ones."""
    if not any(legal.start == move.start for legal in state.legal_actions()):
        return refuse(state, move.start)
    kind = state.pieces()[move.start].kind.value
    return f"The {kind} on {move.start} cannot do that. {refuse(state, move.start)}"


def spoken(side: Side, speech: Speech) -> str:
    """A declaration as a sentence."""
    return f"{COLOURS[side]}: {speech.value}."


def _with(moves: Iterable[Move]) -> str:
    starts = sorted({move.start for move in moves})
    return f"with {_listed(starts)}" if len(starts) <= 8 else f"with one of {len(starts)} pieces"


def _listed(names: list[Cell]) -> str:
    """``c3``, ``c3 or e3``, ``c3, e3 or g3``."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
