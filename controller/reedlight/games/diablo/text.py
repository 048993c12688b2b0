"""Diablo as text: a position in one line, an action, and the board as a picture.

    G1,B1,G1,B1/B1,G1,G1,1/2,B12,1/4 B roll
    G1,B1,G1,B1/B1,G1,G1,1/2,B12,1/4 B dice 2,1
    G1,B1,G1,B1/B1,G1,G1,1/2,B12,1/4 B dice 2,1 began empty left 1

Rows run from the top (the highest rank) to rank 1 and are parted by ``/``; in a row, cells run from file
a and are parted by ``,``. ``B12`` is a black stack of twelve, a number alone that many unoccupied cells.
Then the side whose turn it is and how far the turn has come: the roll is due, or the dice in the order
they fell, what the turn began with, and the die left (``-`` where none is). Nothing else is needed: the
winner and Black's first turn follow from the board.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from types import MappingProxyType

from reedlight.core.game import BadNotation, Side
from reedlight.core.grid import FILES, Cell
from reedlight.games.diablo.rules import (
    COLOURS,
    SIGN,
    Action,
    ActionKind,
    Board,
    Diablo,
    Move,
    Remove,
    places,
    starting_board,
    winner,
)

_LETTERS: Mapping[Side, str] = MappingProxyType({side: colour[0] for side, colour in COLOURS.items()})
_SIDES: Mapping[str, Side] = MappingProxyType({letter: side for side, letter in _LETTERS.items()})

# Four digits are more than any board has checkers, and few enough to be read without harm.
_STACK = re.compile(r"([BG])([1-9][0-9]{0,3})")
_GAP = re.compile(r"[1-9][0-9]?")
_DIE = re.compile(r"[1-9][0-9]?")
_MOVE = re.compile(r"(empty|merge|capture) ?([0-9]{1,2}) ?([a-z][0-9]{1,2}) ?- ?([a-z][0-9]{1,2})")
_REMOVE = re.compile(r"remove ?([a-z][0-9]{1,2})")


# --------------------------------------------------------------------------------------------- positions


def dump(state: Diablo) -> str:
    """The position as one line; ``load`` reads it back."""
    rows = "/".join(",".join(_row_fields(row)) for row in reversed(_ranks(state)))
    return f"{rows} {_LETTERS[state.mover]} {_progress(state)}"


def _ranks(state: Diablo) -> list[Board]:
    return [state.board[at : at + state.size] for at in range(0, len(state.board), state.size)]


def _row_fields(row: Board) -> Iterator[str]:
    for empty, run in groupby(row, key=lambda height: height == 0):
        if empty:
            yield str(len(list(run)))
        else:
            yield from map(_stack, run)


def _stack(height: int) -> str:
    return f"{_LETTERS[Side.DARK if height > 0 else Side.LIGHT]}{abs(height)}"


def _progress(state: Diablo) -> str:
    if not state.rolled:
        return "roll"
    if state.began is None:
        return f"dice {_listed(state.rolled)}"
    return f"dice {_listed(state.rolled)} began {state.began} left {_listed(state.left) or '-'}"


def _listed(dice: tuple[int, ...]) -> str:
    return ",".join(map(str, dice))


def load(text: str, size: int) -> Diablo:
    """The position that ``dump`` wrote for a board of this size; raises BadNotation with what is wrong and where."""
    match text.split():
        case [rows, side, "roll"]:
            return _before_the_roll(Diablo(size, _board(rows, size), _side(side)))
        case [rows, side, "dice", dice]:
            rolled = _rolled(dice, size)
            state = Diablo(size, _board(rows, size), _side(side), rolled, tuple(sorted(rolled)))
            return _before_the_first_action(state)
        case [rows, side, "dice", dice, "began", began, "left", left]:
            rolled = _rolled(dice, size)
            state = Diablo(size, _board(rows, size), _side(side), rolled, _left(left, rolled), _began(began))
            return _after_the_first_action(state)
        case _:
            raise BadNotation(
                f"{_quoted(text)} is no position: write the rows, B or G, then 'roll', or 'dice 2,1', "
                "or 'dice 2,1 began empty left 1'"
            )


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


def _board(text: str, size: int) -> Board:
    rows = text.split("/")
    if len(rows) != size:
        raise BadNotation(f"the position has {len(rows)} rows; this board has {size}")
    board = tuple(height for at, row in enumerate(reversed(rows), 1) for height in _heights(row, at, size))
    if not any(board):
        raise BadNotation("no checker is on the board; at least one side must have some")
    return board


def _heights(row: str, rank: int, size: int) -> Board:
    heights = tuple(height for field in row.split(",") for height in _cells(field, rank))
    if len(heights) != size:
        raise BadNotation(f"row {rank} has {len(heights)} cells; this board has {size}")
    return heights


def _cells(field: str, rank: int) -> tuple[int, ...]:
    if stack := _STACK.fullmatch(field):
        return (SIGN[_SIDES[stack[1]]] * int(stack[2]),)
    if _GAP.fullmatch(field):
        return (0,) * int(field)
    raise BadNotation(f"row {rank}: {_quoted(field)} is neither a stack such as B3 or G12 nor a number of empty cells")


def _side(text: str) -> Side:
    if text not in _SIDES:
        raise BadNotation(f"after the rows: {_quoted(text)} is no side; write B for Black or G for Green")
    return _SIDES[text]


def _rolled(text: str, size: int) -> tuple[int, int]:
    match [int(die) for die in text.split(",") if _DIE.fullmatch(die)]:
        case [first, second] if text == f"{first},{second}" and max(first, second) <= size // 2:
            return first, second
        case _:
            raise BadNotation(f"dice: {_quoted(text)} are not two dice from 1 to {size // 2}; write them as 2,1")


def _left(text: str, rolled: tuple[int, int]) -> tuple[int, ...]:
    choices = {"-": (), **{str(die): (die,) for die in rolled}}
    if text not in choices:
        raise BadNotation(f"left: {_quoted(text)} is neither one of the dice {_listed(rolled)} nor '-' for none")
    return choices[text]


def _began(text: str) -> ActionKind:
    kinds = {str(kind): kind for kind in ActionKind}
    if text not in kinds:
        raise BadNotation(f"began: {_quoted(text)} is none of {', '.join(kinds)}")
    return kinds[text]


def _before_the_roll(state: Diablo) -> Diablo:
    if won := winner(state.board):
        raise BadNotation(f"roll: {COLOURS[won.other]} has no checkers, so the game is over and no roll is due")
    return state


def _before_the_first_action(state: Diablo) -> Diablo:
    if won := winner(state.board):
        raise BadNotation(
            f"dice: {COLOURS[won.other]} has no checkers, so the game is over; say what its last turn began with"
        )
    return state


def _after_the_first_action(state: Diablo) -> Diablo:
    """A move uses its die and a removal both; a finished turn is seen only where it ended the game."""
    if state.board == starting_board(state.size):
        raise BadNotation(f"began: the board is the starting one, so no {state.began} has happened")
    if state.began is ActionKind.REMOVE and state.left:
        raise BadNotation("left: a turn that began with a removal has no die left; write '-'")
    if state.began is not ActionKind.REMOVE and not state.left and state.outcome is None:
        raise BadNotation(f"left: a turn that began with {state.began} has one die left while the game goes on")
    return state


# ----------------------------------------------------------------------------------------------- actions


def notate(action: Action) -> str:
    """The action as text, such as ``merge 2 a1-c1`` or ``remove a1``."""
    return str(action)


def read(text: str, size: int) -> Action:
    """The action that the text names, legal or not, in any case and spacing; raises BadNotation."""
    plain = " ".join(text.lower().split())
    if move := _MOVE.fullmatch(plain):
        return Move(int(move[2]), _cell(move[3], size), _cell(move[4], size), ActionKind(move[1]))
    if removal := _REMOVE.fullmatch(plain):
        return Remove(_cell(removal[1], size))
    raise BadNotation(f"{_quoted(text)} is no action; write one such as 'merge 2 a1-c1' or 'remove a1'")


def _cell(text: str, size: int) -> Cell:
    cell = Cell(text)
    if cell not in places(size):
        raise BadNotation(f"{text} is not on this board; its cells are a1 to {FILES[size - 1]}{size}")
    return cell


# ----------------------------------------------------------------------------------------------- picture


def picture(state: Diablo) -> str:
    """The board from the top row down with coordinates, ``.`` for an unoccupied cell, and the turn below it."""
    ranks = [[_stack(height) if height else "." for height in row] for row in _ranks(state)]
    width = max(len(field) for row in ranks for field in row)
    lines = [_line(str(number), row, width) for number, row in enumerate(ranks, 1)]
    return "\n".join((*reversed(lines), _line("", list(FILES[: state.size]), width), "", _turn(state)))


def _line(number: str, fields: list[str], width: int) -> str:
    return f"{number:>2}  {' '.join(field.rjust(width) for field in fields)}"


def _turn(state: Diablo) -> str:
    if won := winner(state.board):
        return f"{COLOURS[won]} wins"
    colour = COLOURS[state.mover]
    if not state.rolled:
        return f"{colour} to roll"
    left = f", {_listed(state.left)} left" if state.began and state.left else ""
    return f"{colour} to {'remove' if state.removing else 'move'}, dice {_listed(state.rolled)}{left}"
