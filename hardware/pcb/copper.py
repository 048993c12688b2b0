"""What is on a circuit board, read from KiCad's file without KiCad: parts, copper, and what touches what.

The file names a net for every piece of copper. That is the drawer's intention; here only shapes count. Two pieces on
the same side that overlap are joined, a via or a plated hole joins both sides, and what hangs together is an *island*.
So a track that is missing, or one too many, changes the islands although every name is as it was.

A shape is a point, a line or a polygon, thickened by a radius: a round pad, a track, a rectangular pad, a pour.
Millimetres, y down, as in the file. Curves, and pads of other forms than rectangle and circle, are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import cos, hypot, radians, sin
from pathlib import Path
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
Node: TypeAlias = "list[Node | str]"

SIDES = frozenset({"F.Cu", "B.Cu"})
OVERLAP = 0.001
"""Millimetres by which two shapes must overlap to be joined: rounding in the file is no copper."""
TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([()])|([^\s()"]+)')


@dataclass(frozen=True, slots=True)
class Copper:
    """One piece: the sides it is on, its shape, and the net the file says it belongs to."""

    net: str
    sides: frozenset[str]
    core: tuple[Point, ...]
    radius: float = 0.0
    hole: float = 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is drawn, not copper."""

    layer: str
    core: tuple[Point, ...]
    width: float


@dataclass(frozen=True, slots=True)
class Text:
    """Words that are drawn."""

    layer: str
    words: str
    middle: Point
    angle: float
    height: float


@dataclass(frozen=True, slots=True)
class Pad:
    """A part's contact."""

    number: str
    middle: Point
    copper: Copper


@dataclass(frozen=True, slots=True)
class Part:
    """A part by its name on the board; pads by their number."""

    name: str
    value: str
    middle: Point
    pads: tuple[Pad, ...]

    def pad(self, number: str) -> Pad:
        """The pad of a number."""
        return next(pad for pad in self.pads if pad.number == number)


@dataclass(frozen=True, slots=True)
class Board:
    """Everything on a circuit board; copper without the pads, which the parts have."""

    parts: tuple[Part, ...]
    copper: tuple[Copper, ...]
    lines: tuple[Line, ...]
    texts: tuple[Text, ...]
    holes: tuple[Copper, ...]

    @property
    def pieces(self) -> tuple[Copper, ...]:
        """All copper, that of the pads first."""
        return (*(pad.copper for part in self.parts for pad in part.pads), *self.copper)


def contacts(pieces: Sequence[Copper]) -> list[tuple[Copper, Copper]]:
    """The pairs of pieces that are joined."""
    boxed = [(piece, box(piece)) for piece in pieces]
    return [
        (one, other)
        for (one, there), (other, here) in combinations(boxed, 2)
        if one.sides & other.sides and meet(there, here) and touch(one, other)
    ]


def islands(pieces: Iterable[Copper], joined: Iterable[tuple[Copper, Copper]]) -> tuple[frozenset[Copper], ...]:
    """The pieces that hang together."""
    groups = {piece: {piece} for piece in pieces}
    for one, other in joined:
        small, large = sorted((groups[one], groups[other]), key=len)
        if small is not large:
            large |= small
            groups.update(dict.fromkeys(small, large))
    return tuple({id(group): frozenset(group) for group in groups.values()}.values())


def read(text: str) -> Board:
    """A board from the text of a ``.kicad_pcb``."""
    root = parse(text)
    nets = {str(net[1]): str(net[2]) for net in children(root, "net")}
    parts: list[Part] = []
    holes: list[Copper] = []
    lines: list[Line] = [line_of(node, (0, 0), 0) for node in children(root, "gr_line")]
    texts: list[Text] = [text_of(node, (0, 0)) for node in children(root, "gr_text")]
    for node in children(root, "footprint"):
        x, y, turned = place(node)
        lines += [line_of(line, (x, y), turned) for kind in ("fp_line", "fp_circle") for line in children(node, kind)]
        named = {str(words[1]): words for words in children(node, "fp_text")}
        texts += [text_of(words, (x, y), turned) for words in named.values() if "hide" not in words]
        pads = [pad_of(pad, (x, y), turned) for pad in children(node, "pad")]
        holes += [pad.copper for pad in pads if not pad.copper.sides]
        kept = tuple(pad for pad in pads if pad.copper.sides)
        parts.append(Part(str(named["reference"][2]), str(named["value"][2]), (x, y), kept))
    copper = [
        *(track_of(node, nets) for node in children(root, "segment")),
        *(via_of(node, nets) for node in children(root, "via")),
        *(pour for node in children(root, "zone") for pour in pours_of(node)),
    ]
    if children(root, "arc") or children(root, "gr_arc"):
        raise ValueError("curved tracks or borders are not read")
    return Board(tuple(parts), tuple(copper), tuple(lines), tuple(texts), tuple(holes))


def read_file(path: Path) -> Board:
    """A board from its file."""
    return read(path.read_text(encoding="utf-8"))


def parse(text: str) -> Node:
    """The nested lists of the file."""
    stack: list[Node] = [[]]
    for match in TOKEN.finditer(text):
        quoted, bracket, word = match.groups()
        if bracket == "(":
            opened: Node = []
            stack[-1].append(opened)
            stack.append(opened)
        elif bracket == ")":
            stack.pop()
        else:
            stack[-1].append(quoted if quoted is not None else word)
    root = stack[0][0]
    if len(stack) != 1 or isinstance(root, str):
        raise ValueError("brackets do not match: this is no board of KiCad's")
    return root


def children(node: Node, name: str) -> list[Node]:
    """The lists in a list that begin with a word."""
    return [child for child in node if isinstance(child, list) and child and child[0] == name]


def numbers(node: Node, name: str) -> list[float]:
    """The numbers behind a word."""
    return [float(str(value)) for value in children(node, name)[0][1:] if not isinstance(value, list)]


def words(node: Node, name: str) -> list[str]:
    """The words behind a word, none if it is not there."""
    return [str(value) for found in children(node, name)[:1] for value in found[1:]]


def place(node: Node) -> tuple[float, float, float]:
    """Where something lies and how far it is turned, in degrees against the clock."""
    values = [float(str(value)) for value in children(node, "at")[0][1:] if value != "unlocked"]
    return values[0], values[1], values[2] if len(values) > 2 else 0.0


def turn(point: Point, origin: Point, degrees: float) -> Point:
    """A part's point on the board, whose y goes down."""
    x, y = point
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return (round(origin[0] + x * c + y * s, 5), round(origin[1] - x * s + y * c, 5))


def pad_of(node: Node, origin: Point, turned: float) -> Pad:
    """A pad; one without plating has no sides."""
    number, kind, shape = (str(value) for value in node[1:4])
    x, y, own = place(node)
    width, height = numbers(node, "size")
    middle = turn((x, y), origin, turned)
    if shape == "circle":
        core, radius = (middle,), width / 2
    elif shape == "rect":
        corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        core = tuple(turn((width / 2 * i, height / 2 * j), middle, own) for i, j in corners)
        radius = 0.0
    else:
        raise ValueError(f"pad {number} is {shape}: only rectangles and circles are read")
    hole = float(words(node, "drill")[0]) if children(node, "drill") else 0.0
    layers = set(words(node, "layers"))
    sides = SIDES if "*.Cu" in layers else SIDES & layers
    net = words(node, "net")
    if kind == "np_thru_hole":
        sides = frozenset[str]()
    return Pad(number, middle, Copper(net[1] if net else "", frozenset(sides), core, radius, hole))


def track_of(node: Node, nets: dict[str, str]) -> Copper:
    """A straight track."""
    ends = tuple((p[0], p[1]) for p in (numbers(node, "start"), numbers(node, "end")))
    return Copper(nets[words(node, "net")[0]], frozenset(words(node, "layer")), ends, numbers(node, "width")[0] / 2)


def via_of(node: Node, nets: dict[str, str]) -> Copper:
    """A via through both sides."""
    x, y, _ = place(node)
    size, hole = numbers(node, "size")[0], numbers(node, "drill")[0]
    return Copper(nets[words(node, "net")[0]], SIDES, ((x, y),), size / 2, hole)


def pours_of(node: Node) -> Iterator[Copper]:
    """The filled polygons of a pour."""
    for polygon in children(node, "filled_polygon"):
        points = tuple(
            (float(str(point[1])), float(str(point[2]))) for point in children(children(polygon, "pts")[0], "xy")
        )
        yield Copper(words(node, "net_name")[0], frozenset(words(polygon, "layer")), points)


def line_of(node: Node, origin: Point, turned: float) -> Line:
    """A drawn line; a circle becomes many short ones."""
    width = numbers(node, "width")[0]
    if node[0] == "fp_circle":
        (x, y), (far, _) = numbers(node, "center"), numbers(node, "end")
        around = [(x + (far - x) * cos(radians(a)), y + (far - x) * sin(radians(a))) for a in range(0, 361, 15)]
    else:
        around = [(p[0], p[1]) for p in (numbers(node, "start"), numbers(node, "end"))]
    return Line(words(node, "layer")[0], tuple(turn(point, origin, turned) for point in around), width)


def text_of(node: Node, origin: Point, turned: float = 0.0) -> Text:
    """Drawn words."""
    x, y, angle = place(node)
    written = str(node[2] if node[0] == "fp_text" else node[1])
    height = numbers(children(children(node, "effects")[0], "font")[0], "size")[0]
    return Text(words(node, "layer")[0], written, turn((x, y), origin, turned), angle, height)


def box(piece: Copper) -> tuple[float, float, float, float]:
    """The rectangle around a shape: left, top, right, bottom."""
    xs, ys = [x for x, _ in piece.core], [y for _, y in piece.core]
    r = piece.radius
    return min(xs) - r, min(ys) - r, max(xs) + r, max(ys) + r


def meet(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    """Whether two rectangles overlap."""
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def sides_of(core: Sequence[Point]) -> Iterable[tuple[Point, Point]]:
    """The lines of a core; a point is a line without length."""
    if len(core) == 1:
        return ((core[0], core[0]),)
    return pairwise(core if len(core) == 2 else (*core, core[0]))


def touch(one: Copper, other: Copper) -> bool:
    """Whether two shapes overlap."""
    if len(one.core) < len(other.core):
        one, other = other, one
    reach = one.radius + other.radius
    left, top, right, bottom = box(other)
    for a, b in sides_of(one.core):
        # A pour has thousands of sides, of which few are near.
        if max(a[0], b[0]) < left - reach or min(a[0], b[0]) > right + reach:
            continue
        if max(a[1], b[1]) < top - reach or min(a[1], b[1]) > bottom + reach:
            continue
        if any(crossed(a, b, c, d) or apart(a, b, c, d) < reach - OVERLAP for c, d in sides_of(other.core)):
            return True
    return inside(other.core[0], one.core)


def inside(point: Point, polygon: Sequence[Point]) -> bool:
    """Whether a point lies in a polygon: a ray from it crosses the border an odd number of times."""
    if len(polygon) < 3:
        return False
    x, y = point
    crossings = 0
    for (ax, ay), (bx, by) in sides_of(polygon):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            crossings += 1
    return crossings % 2 == 1


def side_of(a: Point, b: Point, c: Point) -> float:
    """Positive, negative or zero: on which side of the line from a to b point c lies."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def crossed(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two lines cross in their middles."""
    return side_of(a, b, c) * side_of(a, b, d) < 0 and side_of(c, d, a) * side_of(c, d, b) < 0


def apart(a: Point, b: Point, c: Point, d: Point) -> float:
    """How far two lines that do not cross are from each other."""
    return min(off(a, c, d), off(b, c, d), off(c, a, b), off(d, a, b))


def off(point: Point, a: Point, b: Point) -> float:
    """How far a point is from a line."""
    length = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
    along = 0.0 if length == 0 else ((point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])) / length
    along = min(1.0, max(0.0, along))
    return hypot(point[0] - a[0] - along * (b[0] - a[0]), point[1] - a[1] - along * (b[1] - a[1]))
