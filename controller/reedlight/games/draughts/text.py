"""Russian draughts as text: moves, positions and pictures, and the game as the program handles it.

Moves and positions are those of PDN 3.0. We write one form and read what is in use:

    c3-d4            a move                      also c3d4, C3-D4, 22-18 (squares numbered b8 = 1 to g1 = 32)
    c3:e5            a capture by its ends       also c3xe5, c3-e5
    a5:c7:g3:e1      every square of it, where two captures share their ends but take other pieces
    W:Wa1,Kc3:Bd4    White to move; White's man a1 and king c3, Black's man d4; men first, then kings

A capture is looked up first as an exact way of the piece and only then as a shortened one: e5:g3 can be
a single jump and also the two ends of a round trip that takes four.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from reedlight.core.game import BadNotation, BadOption, Caption, IllegalAction, Side, State
from reedlight.core.grid import FILES, Cell, Grid, square
from reedlight.core.quoting import quoted
from reedlight.games.draughts import words
from reedlight.games.draughts.compact import BIT, CELL, FAR, Position, bits
from reedlight.games.draughts.rules import MAX_PLIES, Draughts, Draws, Move, begin

NUMBERED: Mapping[str, Cell] = MappingProxyType(
    {
        str(number): Cell(f"{FILES[x]}{y + 1}")
        for number, (x, y) in enumerate(
            ((x, y) for y in range(7, -1, -1) for x in range(8) if (x + y) % 2 == 0),
            start=1,
        )
    }
)
"""The dark squares by number, from the top: b8 is 1, g1 is 32."""
SIZES: Mapping[str, Draws] = MappingProxyType({"8": Draws.PLAIN, "8-federation": Draws.FEDERATION})
"""What ``make`` takes."""
LETTERS = {"W": Side.LIGHT, "B": Side.DARK}
SEPARATORS = str.maketrans(dict.fromkeys("xX\u00d7", ":") | dict.fromkeys("\u2013\u2014\u2212", "-"))
"""Other signs for ``:`` (x, multiplication sign) and ``-`` (two dashes, the minus sign)."""
_MOVE = re.compile(r"(?:[a-z]\d|\d+)(?:[:-]?(?:[a-z]\d)|[:-]\d+)+")
_SQUARE = re.compile(r"[a-z]\d|\d+")


class RussianDraughts:
    """Russian draughts on eight by eight, as a ``reedlight.core.game.Game``."""

    name: str = "draughts"
    title: str = "Russian draughts"
    unit: str = "pieces"
    max_plies: int = MAX_PLIES

    def __init__(self, size: str) -> None:
        if size not in SIZES:
            raise BadOption(f"Russian draughts has no size {quoted(size)}; there are {', '.join(SIZES)}")
        self.size: str = size
        self.grid: Grid = square(8)
        self.sides: Mapping[Side, str] = words.COLOURS

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RussianDraughts) and other.size == self.size

    def __hash__(self) -> int:
        return hash((self.name, self.size))

    def start(self) -> Draughts:
        """Twelve men on each side, White to move."""
        return begin(draws=SIZES[self.size])

    def notate(self, state: State[Move], action: Move) -> str:
        """The move as PDN writes it: its ends where they tell which pieces are taken, else every square."""
        return _notated(_ours(state), action)

    def parse(self, state: State[Move], text: str) -> Move:
        """The legal move that the text names; raises BadNotation, or IllegalAction where it is none."""
        return _parsed(_ours(state), text)

    def dump(self, state: State[Move]) -> str:
        """The position as a FEN, men before kings."""
        return _dumped(_ours(state))

    def load(self, text: str) -> Draughts:
        """The position of a FEN, as the first of its game; raises BadNotation with what is wrong and where."""
        position, side = _loaded(text)
        return begin(position, side, SIZES[self.size])

    def picture(self, state: State[Move]) -> str:
        """The board with White below: w and b are men, W and B kings, a dot an empty dark square."""
        return _pictured(_ours(state))

    def advise(self, state: State[Move]) -> Caption:
        """What the side to move should do now."""
        return words.advise(_ours(state))

    def refuse(self, state: State[Move], cell: Cell) -> str:
        """Why no move can be begun at the cell."""
        return words.refuse(_ours(state), cell)

    def refuse_move(self, state: State[Move], origin: Cell, target: Cell) -> str:
        """Why the mover's piece on one square may not go to another; empty where it may."""
        return words.refuse_move(_ours(state), origin, target)

    def label(self, state: State[Move], action: Move) -> str:
        """What the move does: ``move``, ``take 2``, ``crowned``."""
        return words.label(_ours(state), action)


def make(size: str) -> RussianDraughts:
    """The game of a size, ``8`` or with the federation's draws ``8-federation``; raises BadOption."""
    return RussianDraughts(size)


def _ours(state: State[Move]) -> Draughts:
    if not isinstance(state, Draughts):
        raise TypeError(f"a state of Russian draughts is needed, not {type(state).__name__}")
    return state


# ------------------------------------------------------------------------------------ moves


def _notated(state: Draughts, move: Move) -> str:
    if not move.taken:
        return f"{move.start}-{move.end}"
    rivals = [other for other in state.legal_actions() if (other.start, other.end) == (move.start, move.end)]
    path = state.paths(move)[0]
    return ":".join((move.start, move.end) if len(rivals) == 1 else path)


def _parsed(state: Draughts, text: str) -> Move:
    squares, captures = _squares_of_move(text)
    moves = [move for move in state.legal_actions() if (move.start, move.end) == (squares[0], squares[-1])]
    exact = [move for move in moves if squares in state.paths(move)]
    fitting = exact or [move for move in moves if any(_shortens(squares, path) for path in state.paths(move))]
    if not fitting:
        raise IllegalAction(
            f"{quoted(text)} is not a legal move. {words.illegal(state, Move(squares[0], squares[-1]))}"
        )
    if len(fitting) > 1:
        ways = " or ".join(_notated(state, move) for move in fitting)
        raise BadNotation(f"{quoted(text)} can be several captures; write {ways}")
    if captures and not fitting[0].taken:
        raise IllegalAction(f"{quoted(text)} takes nothing; write {_notated(state, fitting[0])}")
    return fitting[0]


def _squares_of_move(text: str) -> tuple[tuple[Cell, ...], bool]:
    """The squares that a move's text names, and whether it says that the move is a capture."""
    plain = "".join(text.split()).translate(SEPARATORS).lower()
    if not _MOVE.fullmatch(plain):
        raise BadNotation(f"{quoted(text)} is no move; write one like c3-d4, or like c3:e5 for a capture")
    return tuple(_cell(name, text) for name in _SQUARE.findall(plain)), ":" in plain


def _shortens(squares: tuple[Cell, ...], path: tuple[Cell, ...]) -> bool:
    """Whether the path passes the squares in their order; both have the same ends."""
    stops = iter(path)
    return all(cell in stops for cell in squares)


def _cell(name: str, text: str) -> Cell:
    """The dark square of a name or number in a text."""
    cell = NUMBERED.get(name, Cell(name))
    if cell in BIT:
        return cell
    if re.fullmatch("[a-h][1-8]", name):
        raise BadNotation(f"{quoted(text)}: {name} is a light square; pieces stand on dark ones such as a1")
    raise BadNotation(f"{quoted(text)}: there is no square {quoted(name)}; squares are a1 to h8, or 1 to 32")


# ------------------------------------------------------------------------------------ positions


def _dumped(state: Draughts) -> str:
    light, dark, _ = state.position
    letter = "W" if state.side is Side.LIGHT else "B"
    return f"{letter}:W{_men_and_kings(state, light)}:B{_men_and_kings(state, dark)}"


def _men_and_kings(state: Draughts, squares: int) -> str:
    kings = state.position[2]
    men = sorted(CELL[bit] for bit in bits(squares & ~kings))
    return ",".join((*men, *(f"K{cell}" for cell in sorted(CELL[bit] for bit in bits(squares & kings)))))


def _loaded(text: str) -> tuple[Position, Side]:
    letter, *parts = "".join(text.split()).removesuffix(".").upper().split(":")
    if letter not in LETTERS:
        raise BadNotation(f"{quoted(text)} does not begin with W: or B:, the side to move")
    sets = {"W": 0, "B": 0}
    kings = 0
    given: set[str] = set()
    for part in filter(None, parts):
        colour, names = part[:1], part[1:]
        if colour not in sets or colour in given:
            raise BadNotation(f"{quoted(text)}: {quoted(part)} should be W or B with its pieces, each colour once")
        given.add(colour)
        for king, cell in _pieces(names, text):
            bit = BIT[cell]
            if (sets["W"] | sets["B"]) & bit:
                raise BadNotation(f"{quoted(text)}: {cell} is named twice")
            if not king and bit & FAR[LETTERS[colour]]:
                raise BadNotation(f"{quoted(text)}: {words.COLOURS[LETTERS[colour]]}'s man on {cell} would be a king")
            sets[colour] |= bit
            kings |= bit if king else 0
    if not any(sets.values()):
        raise BadNotation(f"{quoted(text)}: there is no piece on the board")
    return (sets["W"], sets["B"], kings), LETTERS[letter]


def _pieces(names: str, text: str) -> Iterator[tuple[bool, Cell]]:
    """Whether each named piece is a king, and its cell; numbers may be given as a span, 1-12."""
    for name in filter(None, names.split(",")):
        bare = name.removeprefix("K").lower()
        first, _, last = bare.partition("-")
        if first in NUMBERED and last in NUMBERED:
            if int(first) > int(last):
                raise BadNotation(f"{quoted(text)}: the span {bare} runs backwards")
            span: Sequence[str] = [str(number) for number in range(int(first), int(last) + 1)]
        else:
            span = [bare]
        for each in span:
            yield name.startswith("K"), _cell(each, text)


# ------------------------------------------------------------------------------------ pictures


def _pictured(state: Draughts) -> str:
    light, dark, kings = state.position

    def letter(cell: Cell) -> str:
        bit = BIT.get(cell)
        if bit is None:
            return " "
        piece = "w" if bit & light else "b" if bit & dark else "."
        return piece.upper() if bit & kings else piece

    rows = [
        f"{rank} {' '.join(letter(Cell(f'{file}{rank}')) for file in FILES[:8])}".rstrip() for rank in range(8, 0, -1)
    ]
    return "\n".join((*rows, f"  {' '.join(FILES[:8])}"))
