"""Herd as text: boards by their size, actions as a word and a cell, positions as one line.

A position has eight fields between blanks:

    3 B../.R../..R../..../... red place 5-3 0 4 -
    │ │                       │   │     │   │ │ └ "opening" in the first player's first turn, else "-"
    │ │                       │   │     │   │ └ stones to place
    │ │                       │   │     │   └ stones to remove
    │ │                       │   │     └ the dice as they fell, "-" before the roll
    │ │                       │   └ roll, remove, place or over
    │ │                       └ red or blue: whose turn it is, or who filled the board
    │ └ the rows from the far edge to the near one, R, B or . from left to right
    └ the board: 2 to 7 for a hexagon of that side, square-6x6 or brick-8x8 for rows x columns

``load`` takes a line only where play could stand there: counts that fit the dice, no surrounded stone,
somewhere to place a stone that must be placed. An action is ``remove 2,-1`` or ``place 2,-1``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType
from typing import TypeVar

from reedlight.core.game import BadNotation, BadOption, Piece, Side
from reedlight.core.grid import Cell, Grid, brick, field, hexhex
from reedlight.core.quoting import quoted, shortened
from reedlight.games.herd.rules import Action, Board, Herd, Phase, Place, Remove

COLOURS: Mapping[Side, str] = MappingProxyType({Side.LIGHT: "Red", Side.DARK: "Blue"})
"""The first player's colour and the second's."""

SIDES = range(2, 8)
"""Hexagons: side 1 would be a single cell without neighbours, side 7 has 127 cells."""
SPANS = range(2, 27)
"""Rows and columns of the other grids: no fewer, so that every cell has neighbours; no more than square boards have."""


# -------------------------------------------------------------------------------------------- boards

_HEXAGON = re.compile(r"(?:hexhex-)?([0-9]{1,2})")
_ROWS_AND_COLUMNS = re.compile(r"(square|brick)-([0-9]{1,2})x([0-9]{1,2})")
_GRIDS: Mapping[str, Callable[[int, int], Grid]] = MappingProxyType({"square": field, "brick": brick})


def size_and_grid(text: str) -> tuple[str, Grid]:
    """A board's size in its usual spelling, and its grid; raises BadOption where there is none."""
    asked = text.strip().lower()
    if (found := _HEXAGON.fullmatch(asked)) and int(found[1]) in SIDES:
        side = int(found[1])
        return str(side), hexhex(side)
    if (found := _ROWS_AND_COLUMNS.fullmatch(asked)) and int(found[2]) in SPANS and int(found[3]) in SPANS:
        rows, columns = int(found[2]), int(found[3])
        return f"{found[1]}-{rows}x{columns}", _GRIDS[found[1]](rows, columns)
    raise BadOption(
        f"Herd has no board {quoted(text)}; there are hexagons of side {SIDES[0]} to {SIDES[-1]}, and square-RxC "
        f"and brick-RxC with {SPANS[0]} to {SPANS[-1]} rows and columns"
    )


@lru_cache(maxsize=64)
def _rows(grid: Grid) -> tuple[tuple[Cell, ...], ...]:
    """The rows from the far edge to the near one, each from left to right."""
    ordered = sorted(grid.cells, key=lambda cell: (-grid.places[cell][1], grid.places[cell][0]))
    return tuple(tuple(row) for _, row in groupby(ordered, key=lambda cell: grid.places[cell][1]))


# ------------------------------------------------------------------------------------------- actions

_ACTION = re.compile(r"(?:([a-z]+)\s*)?\(?\s*(-?[0-9]{1,2})\s*,\s*(-?[0-9]{1,2})\s*\)?")
_VERBS: Mapping[str, type[Remove | Place]] = MappingProxyType(
    {"remove": Remove, "off": Remove, "place": Place, "on": Place}
)


def notate(action: Action) -> str:
    """``remove 2,-1`` or ``place 2,-1``."""
    return f"{'remove' if isinstance(action, Remove) else 'place'} {action.cell}"


def parse(state: Herd, text: str) -> Action:
    """The action that the text names, legal or not; a bare cell stands for the action of the phase.

    Takes capitals, blanks, brackets, a typographic minus, and ``off`` and ``on`` as well; raises BadNotation.
    """
    found = _ACTION.fullmatch(text.strip().lower().replace("\N{MINUS SIGN}", "-"))
    if not found or (found[1] and found[1] not in _VERBS):
        raise BadNotation(f"{quoted(text)} is no action of Herd: expected 'remove' or 'place' and a cell such as 2,-1")
    cell = Cell(f"{int(found[2])},{int(found[3])}")
    if cell not in state.board.bits:
        raise BadNotation(f"{quoted(text)}: this board has no cell {shortened(cell)}")
    usual = Remove if state.phase is Phase.REMOVE else Place
    return _VERBS.get(found[1], usual)(cell)


# ----------------------------------------------------------------------------------------- positions

_FIELDS = ("board", "rows", "side", "phase", "dice", "to remove", "to place", "turn")
_EMPTY = "."
_LETTERS = {Side.LIGHT: "R", Side.DARK: "B"}
_SIDES = {name.lower(): side for side, name in COLOURS.items()}
_PHASES = {phase.value: phase for phase in Phase}
_TURNS = {"opening": True, "-": False}
_DICE = re.compile(r"([1-6])-([1-6])")
_COUNT = re.compile(r"0|[1-9][0-9]{0,2}")


def dump(size: str, state: Herd) -> str:
    """The position as one line; ``size`` is the board's usual spelling."""
    pieces = state.pieces()
    return " ".join(
        (
            size,
            "/".join("".join(_letter(pieces.get(cell)) for cell in row) for row in _rows(state.board.grid)),
            COLOURS[state.mover].lower(),
            state.phase.value,
            "-".join(map(str, state.rolled)) or "-",
            str(state.to_remove),
            str(state.to_place),
            "opening" if state.opening else "-",
        )
    )


def load(size: str, board: Board, text: str) -> Herd:
    """The position of that board in the line; raises BadNotation with what is wrong and where."""
    fields = text.split()
    if len(fields) != len(_FIELDS):
        raise BadNotation(f"a position of Herd has {len(_FIELDS)} fields ({', '.join(_FIELDS)}), not {len(fields)}")
    asked, rows, side, phase, dice, to_remove, to_place, turn = fields
    if asked != size:
        raise BadNotation(f"board: the position is for {asked!r}, this game is played on {size!r}")
    light, dark = _read_rows(board, rows)
    state = Herd(
        board,
        light,
        dark,
        _read_word("side", _SIDES, side),
        _read_word("phase", _PHASES, phase),
        _read_dice(dice),
        _read_count("to remove", to_remove),
        _read_count("to place", to_place),
        _read_word("turn", _TURNS, turn),
    )
    _refuse_unsound(state)
    return state


def _letter(piece: Piece | None) -> str:
    return _LETTERS[piece.side] if piece else _EMPTY


def _read_rows(board: Board, text: str) -> tuple[int, int]:
    """The bits of R and those of B."""
    expected, rows = _rows(board.grid), text.split("/")
    if len(rows) != len(expected):
        raise BadNotation(f"rows: the position has {len(rows)}, this board {len(expected)}")
    stones = {"R": 0, "B": 0, _EMPTY: 0}
    for number, (cells, row) in enumerate(zip(expected, rows, strict=True), start=1):
        if len(row) != len(cells):
            raise BadNotation(
                f"rows: number {number} from the far edge has {len(row)} cells, on this board {len(cells)}"
            )
        for cell, letter in zip(cells, row, strict=True):
            if letter not in stones:
                raise BadNotation(f"rows: {letter!r} on cell {cell} is none of R, B and {_EMPTY}")
            stones[letter] |= board.bits[cell]
    return stones["R"], stones["B"]


_T = TypeVar("_T")


def _read_word(name: str, words: Mapping[str, _T], text: str) -> _T:
    if text not in words:
        raise BadNotation(f"{name}: {text!r} is none of {', '.join(words)}")
    return words[text]


def _read_dice(text: str) -> tuple[int, ...]:
    if text == "-":
        return ()
    found = _DICE.fullmatch(text)
    if not found:
        raise BadNotation(f"dice: {text!r} is neither '-' nor two dice such as 5-3")
    return int(found[1]), int(found[2])


def _read_count(name: str, text: str) -> int:
    if not _COUNT.fullmatch(text):
        raise BadNotation(f"{name}: {text!r} is no count of stones")
    return int(text)


# --------------------------------------------------------------------------- positions that can't be


@dataclass(frozen=True, slots=True)
class _Demand:
    """What must hold in some phases, and the sentence for a position where it does not."""

    phases: Collection[Phase]
    holds: Callable[[Herd], bool]
    sentence: str


def _is_full(state: Herd) -> bool:
    return state.light | state.dark == state.board.full


def _is_opening_of_red(state: Herd) -> bool:
    return state.mover is Side.LIGHT and not state.dark


def _most_to_place(state: Herd) -> int:
    """The higher die, and one for every stone that captures could have taken."""
    return max(state.rolled) + len(state.board.bits)


def _is_opening_count(state: Herd) -> bool:
    return state.light.bit_count() + state.to_place == min(state.rolled)


_ROLL, _REMOVE, _PLACE, _OVER = (Phase.ROLL,), (Phase.REMOVE,), (Phase.PLACE,), (Phase.OVER,)

# In this order: a demand may rely on those above it, such as on there being dice.
_DEMANDS = (
    _Demand(_ROLL + _REMOVE + _PLACE, lambda s: not _is_full(s), "phase: the board is full, so the game is over"),
    _Demand(_OVER, _is_full, "phase: the game is not over before the board is full"),
    _Demand(_ROLL, lambda s: not s.rolled, "dice: before the roll there are none"),
    _Demand(_REMOVE + _PLACE + _OVER, lambda s: bool(s.rolled), "dice: after the roll there are two"),
    _Demand(
        _ROLL,
        lambda s: s.opening == (not s.light | s.dark),
        "turn: before the roll it is 'opening' exactly where the board is empty",
    ),
    _Demand(tuple(Phase), lambda s: not s.opening or _is_opening_of_red(s), "turn: the opening is Red's, without Blue"),
    _Demand(_REMOVE, lambda s: not s.opening, "turn: nothing is removed in the opening"),
    _Demand(_ROLL + _PLACE + _OVER, lambda s: s.to_remove == 0, "to remove: must be 0 in this phase"),
    _Demand(
        _REMOVE,
        lambda s: 1 <= s.to_remove <= min(*s.rolled, s.enemy.bit_count()),
        "to remove: must be at least 1, and no more than the lower die or than the other side has stones",
    ),
    _Demand(_ROLL, lambda s: s.to_place == 0, "to place: must be 0 before the roll"),
    _Demand(_REMOVE, lambda s: s.to_place == max(s.rolled), "to place: must be the higher die until all are removed"),
    _Demand(_PLACE, lambda s: s.to_place > 0, "to place: must be at least 1 in this phase"),
    _Demand(_PLACE, lambda s: bool(s.legal_actions()), "phase: all empty cells are closed, so the turn is over"),
    _Demand(
        _PLACE + _OVER,
        lambda s: not s.opening or _is_opening_count(s),
        "to place: in the opening it must be the lower die less the stones that stand",
    ),
    _Demand(
        _PLACE + _OVER, lambda s: s.to_place <= _most_to_place(s), "to place: more than the dice and all captures give"
    ),
)


def _refuse_unsound(state: Herd) -> None:
    board = state.board
    surrounded = board.surrounded(state.light, state.dark) | board.surrounded(state.dark, state.light)
    if surrounded:
        cell = board.cells(surrounded)[0]
        raise BadNotation(f"rows: the stone on {cell} is surrounded, so it would have been captured")
    for demand in _DEMANDS:
        if state.phase in demand.phases and not demand.holds(state):
            raise BadNotation(demand.sentence)


# ------------------------------------------------------------------------------------------- pictures


def picture(state: Herd) -> str:
    """The board's rows from the far edge to the near one; ``x`` is an empty cell closed to the side that places.

    A cell is named ``column,row``: every line begins with its row and ends with its first and last column.
    """
    grid, pieces, closed = state.board.grid, state.pieces(), state.closed()
    left = min(x for x, _ in grid.places.values())
    lines = [("row", "", "columns")]
    for row in _rows(grid):
        indent = " " * round(2 * (grid.places[row[0]][0] - left))
        stones = " ".join("x" if cell in closed else _letter(pieces.get(cell)) for cell in row)
        (first, number), (last, _) = row[0].split(","), row[-1].split(",")
        lines.append((number, indent + stones, f"{first} to {last}"))
    width = max(len(drawn) for _, drawn, _ in lines)
    return "\n".join(f"{number:>3}   {drawn:<{width}}   {columns}" for number, drawn, columns in lines)
