"""Guesses: how a board's switches or lamps may be numbered, and how one numbering differs from another in words.

A *numbering* says for each cell its switch, or its lamp. Somebody who solders a board from a plan rarely gets
it wrong anyhow: a plug is turned, two wires are exchanged, a string goes to and fro where it should begin anew.
So what is known of some cells tells much of the others:

    likely      the plan, the plan turned and mirrored, the words that a file has for an order
    by_lines    a matrix whose rows and columns are exchanged among themselves: from one row and the first
                cells of the others follows the rest, because number = a of the row + b of the column
    completed   a numbering of all cells from one of some; first by a guess that fits, else by what is left

    plan         real         differs
    7 8 9        7 8 9
    4 5 6        1 2 3        "rows 1 and 2 are swapped"
    1 2 3        4 5 6

Wires, lamps and people are not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import dist
from types import MappingProxyType

from reedlight.board.geometry import (
    CORNERS,
    ORDERS,
    Misplaced,
    centre,
    ordered,
    rows_of,
    turned,
    turns_of,
)
from reedlight.board.kinds import counted, listed
from reedlight.core.grid import Cell, Grid

Numbers = Mapping[Cell, int]
"""A number for each cell, no two alike."""

_SAME_PLACE = 0.2
"""A mirrored cell lies on another one when it is no further from it than this, in pitches."""
_FEW = 6
"""So many cells that have changed places are named one by one."""

# -------------------------------------------------------------------------------------------- guesses


def likely(grid: Grid, plan: Numbers) -> tuple[Numbers, ...]:
    """Every numbering that a plan may have become: the plan itself first, none twice."""
    return _likely(grid, tuple(plan[cell] for cell in grid.cells))


@lru_cache(maxsize=8)
def _likely(grid: Grid, numbers: tuple[int, ...]) -> tuple[Numbers, ...]:
    plan = dict(zip(grid.cells, numbers, strict=True))
    found: dict[tuple[int, ...], Numbers] = {}
    for variant in _variants(grid, plan):
        found.setdefault(tuple(variant[cell] for cell in grid.cells), MappingProxyType(variant))
    return tuple(found.values())


def _variants(grid: Grid, plan: Numbers) -> Iterator[dict[Cell, int]]:
    moves = tuple(move for _, move in _moves(grid))
    for move in moves:
        yield {cell: plan[move[cell]] for cell in grid.cells}
    for _, numbers in _in_words(grid):
        for move in moves:
            yield {cell: numbers[move[cell]] for cell in grid.cells}


def _in_words(grid: Grid) -> Iterator[tuple[str, Numbers]]:
    """The numberings that a file has words for, each with its words."""
    for order in ORDERS:
        for corner in CORNERS:
            try:
                cells = ordered(grid, order, corner)
            except Misplaced:
                continue
            yield f"{_ORDER_WORDS[order]} from the {corner}", {cell: number for number, cell in enumerate(cells)}


_ORDER_WORDS = {
    "rows": "row by row",
    "serpentine": "to and fro along the rows",
    "columns": "column by column",
    "column serpentine": "up and down along the columns",
}


def by_lines(grid: Grid, known: Numbers) -> Numbers:
    """What is known, and what follows for the others if rows and columns are lines of a matrix; or what is known."""
    at = _crossings(grid)
    offsets = _offsets({at[cell]: number for cell, number in known.items()}) if at else None
    if offsets is None:
        return known
    found = dict(known)
    for cell, (row, column) in at.items():
        if (part := offsets.get(_row(row))) and (other := offsets.get(_column(column))) and part[0] == other[0]:
            found[cell] = part[1] + other[1]
    return found if len(set(found.values())) == len(found) and min(found.values(), default=0) >= 0 else known


_Line = tuple[str, int]


def _row(number: int) -> _Line:
    return ("row", number)


def _column(number: int) -> _Line:
    return ("column", number)


def _crossings(grid: Grid) -> Mapping[Cell, tuple[int, int]]:
    """Row and column of each cell; empty for a board that has no columns."""
    rows = rows_of(grid)
    if len({len(row) for row in rows}) != 1:
        return {}
    return {cell: (number, place) for number, row in enumerate(rows) for place, cell in enumerate(row)}


def _offsets(known: Mapping[tuple[int, int], int]) -> Mapping[_Line, tuple[int, int]] | None:
    """For each line that is touched, its group and its share of the number; None if no shares add up.

    Lines are in one group when crossings that are known join them; only their shares belong together.
    """
    beside: dict[_Line, list[tuple[_Line, int]]] = {}
    for (row, column), number in known.items():
        beside.setdefault(_row(row), []).append((_column(column), number))
        beside.setdefault(_column(column), []).append((_row(row), number))
    shares: dict[_Line, tuple[int, int]] = {}
    for group, start in enumerate(beside):
        if start in shares:
            continue
        shares[start] = (group, 0)
        ahead = [start]
        while ahead:
            line = ahead.pop()
            for other, number in beside[line]:
                share = (group, number - shares[line][1])
                if other not in shares:
                    shares[other] = share
                    ahead.append(other)
                elif shares[other] != share:
                    return None
    return shares


# ------------------------------------------------------------------------------------------ completing


def completed(
    grid: Grid, sure: Numbers, among: Mapping[Cell, Collection[int]], guesses: Iterable[Numbers], spare: Sequence[int]
) -> Numbers:
    """A number for every cell: those that are sure, and for the others what fits them best.

    ``among`` names the numbers of which a cell has one; ``spare`` are the numbers that may be given, those that
    are wanted most first. There must be enough of them.
    """
    for guess in guesses:
        if all(guess[cell] == number for cell, number in sure.items()) and all(
            guess[cell] in numbers for cell, numbers in among.items()
        ):
            return guess
    found = dict(sure)
    free = [number for number in dict.fromkeys(spare) if number not in found.values()]
    for cell in (*among, *grid.cells):
        if cell not in found:
            wanted = [number for number in free if number in among.get(cell, ())]
            found[cell] = (wanted or free)[0]
            free.remove(found[cell])
    return {cell: found[cell] for cell in grid.cells}


# ------------------------------------------------------------------------------------------- in words


def differs(grid: Grid, plan: Numbers, real: Numbers) -> str:
    """How a real numbering differs from the plan, as a clause; empty if it does not."""
    if all(plan[cell] == real[cell] for cell in grid.cells):
        return ""
    home = {number: cell for cell, number in plan.items()}
    came_from = {cell: home[number] for cell, number in real.items() if number in home}
    if len(came_from) < len(grid.cells):
        return _worded(grid, real) or _counted(grid, plan, real)
    rows, columns = ("row", _plain), ("column", _column_name(grid))
    found = (
        _as_a_whole(grid, came_from)
        or _worded(grid, real)
        or _lines_moved(rows_of(grid), came_from, rows, columns)
        or _lines_moved(_columns(grid), came_from, columns, rows)
        or _pairs(came_from)
    )
    return found or _counted(grid, plan, real)


def _as_a_whole(grid: Grid, came_from: Mapping[Cell, Cell]) -> str:
    """The board turned or mirrored."""
    return next((words for words, move in _moves(grid) if all(came_from[cell] == move[cell] for cell in move)), "")


@lru_cache(maxsize=4)
def _moves(grid: Grid) -> tuple[tuple[str, Mapping[Cell, Cell]], ...]:
    """The ways in which a board lies on itself, each with its words: where each cell's number would stand in the plan.

    The first is no move at all. A board that was turned counter-clockwise by some degrees has its numbers from
    cells that lie so many degrees clockwise.
    """
    straight = [(degrees, move) for degrees in turns_of(grid) if (move := turned(grid, (360 - degrees) % 360))]
    found = [(f"everything is turned by {degrees} degrees counter-clockwise", move) for degrees, move in straight]
    if mirror := _mirrored(grid):
        found += [(_mirror_words(grid, by), {cell: mirror[move[cell]] for cell in grid.cells}) for by, move in straight]
    return tuple(found)


def _mirror_words(grid: Grid, degrees: int) -> str:
    if degrees in {0, 180}:
        sides = "left and right" if degrees == 0 else "near and far"
        lines = "columns" if degrees == 0 else "rows"
        return f"the {lines} run the other way" if _crossings(grid) else f"{sides} are exchanged"
    return f"everything is mirrored from left to right and then turned by {degrees} degrees counter-clockwise"


def _mirrored(grid: Grid) -> Mapping[Cell, Cell] | None:
    """For each cell the one that it lies on when left and right are exchanged; None if there is none."""
    middle, _ = centre(grid.places[cell] for cell in grid.cells)
    found: dict[Cell, Cell] = {}
    for cell, (x, y) in grid.places.items():
        there = (2 * middle - x, y)
        nearest = min(grid.cells, key=lambda other, there=there: dist(grid.places[other], there))
        if dist(grid.places[nearest], there) > _SAME_PLACE:
            return None
        found[cell] = nearest
    return found


def _worded(grid: Grid, real: Numbers) -> str:
    """The order, where a file has a word for it."""
    found = (words for words, numbers in _in_words(grid) if all(real[cell] == numbers[cell] for cell in numbers))
    return next((f"they go {words}" for words in found), "")


_Lines = Sequence[Sequence[Cell]]
_Called = tuple[str, Callable[[int], str]]
"""The word for a kind of line, and what each of them is called by its number from 0."""


def _columns(grid: Grid) -> _Lines:
    return tuple(zip(*rows_of(grid), strict=True)) if _crossings(grid) else ()


def _plain(number: int) -> str:
    return str(number + 1)


def _column_name(grid: Grid) -> Callable[[int], str]:
    """Columns are called as on the board's edge, by a letter where cells are a1 and so on, else they are counted."""
    first = rows_of(grid)[0]
    letters = [cell[0] for cell in first]
    return (lambda number: letters[number]) if all(letter.isalpha() for letter in letters) else _plain


def _lines_moved(lines: _Lines, came_from: Mapping[Cell, Cell], along: _Called, across: _Called) -> str:
    """Whole lines that have changed places, or in which the cells have, all in the same way or some turned round."""
    place = {cell: (number, at) for number, line in enumerate(lines) for at, cell in enumerate(line)}
    order: list[int] = []
    inside: list[tuple[int, ...]] = []
    for line in lines:
        came = [place[came_from[cell]] for cell in line]
        if len({number for number, _ in came}) != 1 or len(lines[came[0][0]]) != len(line):
            return ""
        order.append(came[0][0])
        inside.append(tuple(at for _, at in came))
    if not order:
        return ""
    word, name = along
    said = [_reordered(order, word, name)]
    if len(set(inside)) == 1:
        crosswise, called = across
        said.append(_reordered(inside[0], crosswise, called))
    else:
        bent = [number for number, at in enumerate(inside) if list(at) != sorted(at)]
        if any(list(inside[number]) != sorted(inside[number], reverse=True) for number in bent):
            return ""
        said.append(_turned_round([name(number) for number in bent], word))
    return listed(filter(None, said))


def _turned_round(names: Sequence[str], word: str) -> str:
    if not names:
        return ""
    return f"{word}s {listed(names)} run the other way" if names[1:] else f"{word} {names[0]} runs the other way"


def _reordered(order: Sequence[int], word: str, name: Callable[[int], str]) -> str:
    """How the lines have changed places: each entry is where that line should be."""
    moved = [number for number, came in enumerate(order) if number != came]
    if not moved:
        return ""
    if list(order) == sorted(order, reverse=True):
        return f"the {word}s run the other way"
    if all(order[order[number]] == number for number in moved):
        pairs = [(number, order[number]) for number in moved if number < order[number]]
        return f"{word}s " + listed(f"{name(one)} and {name(other)} are swapped" for one, other in pairs)
    return f"the {word}s come in the order {', '.join(map(name, order))}"


def _pairs(came_from: Mapping[Cell, Cell]) -> str:
    """A few cells that have changed places two by two."""
    moved = [cell for cell, came in came_from.items() if cell != came]
    if len(moved) > _FEW or any(came_from[came_from[cell]] != cell for cell in moved):
        return ""
    pairs = dict.fromkeys(tuple(sorted((cell, came_from[cell]))) for cell in moved)
    return listed(f"{one} and {other} are swapped" for one, other in pairs)


def _counted(grid: Grid, plan: Numbers, real: Numbers) -> str:
    changed = sum(plan[cell] != real[cell] for cell in grid.cells)
    return f"{counted(changed, 'cell')} of {len(grid.cells)} are not where they should be, in no order that has a name"
