"""Portrait: a picture of a board as it stands on the table, with its console, pieces and lit cells.

A camera looks at the plan from the player's side: every corner, piece and letter stands where the templates put it, so
the picture cannot show a board that nobody can build. What is played in it is a scene of the game that suits the board.

    eye ──► point (x, y, z) in mm ──► place on the paper, in perspective

Colours of lights are those of the program's palette.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import cos, dist, pi, sin, sqrt

from hardware.generator.drawing import number
from hardware.generator.plan import Plan
from reedlight.core.grid import Cell
from reedlight.scene.palette import Hue

WIDTH, HEIGHT = 1200, 800
_MARGIN = 46

# Heights of plate and console above the lower edge of both: their sheets, walls and spacers.
_TOP, _CONSOLE_TOP = 32.6, 37.0
_GAP = 2.0
_PIECE = 16.5
_CHECKER = 6.0
_ROUND = 36

Spot = tuple[float, float, float]
Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Stack:
    """Pieces on one cell."""

    cell: str
    kind: str
    """A key of the pieces' colours."""
    high: int = 1


@dataclass(frozen=True, slots=True)
class Scene:
    """What is played on a board in its picture."""

    wood: tuple[str, str, str, str]
    """The plate's far and near colour, its front and its side."""
    dark: str
    """The colour over every second square, or of the lines between hexagons."""
    stacks: tuple[Stack, ...]
    lit: Mapping[str, str]
    dice: tuple[int, int]


def _hue(hue: Hue) -> str:
    return "#{:02x}{:02x}{:02x}".format(*hue.value)


_SKY, _VERMILION, _WHITE = (_hue(hue) for hue in (Hue.SKY, Hue.VERMILION, Hue.WHITE))
_RED = "#ff3a20"

_PIECES: Mapping[str, tuple[str, str, str, str]] = {
    "white": ("#fbf3e0", "#e9dcbf", "#cdbb96", "#a8946d"),
    "black": ("#54483f", "#3a302a", "#2a221d", "#15100d"),
    "green": ("#8fb573", "#6c9a52", "#53803c", "#35592a"),
    "red": ("#e2705f", "#c4473a", "#9c3129", "#6d1f1a"),
    "blue": ("#7fa5d6", "#4f7dba", "#38609a", "#223f6c"),
}
"""By a piece's colour: where the light falls, its top, its side, its shaded side."""


def _all(cells: str, kind: str) -> tuple[Stack, ...]:
    return tuple(Stack(cell, kind) for cell in cells.split())


_SCENES: Mapping[str, Scene] = {
    # Russian draughts: white's d4 takes c5 and lands on b6.
    "oak-8x8": Scene(
        wood=("#d9ae78", "#c8965a", "#a87443", "#8c5d33"),
        dark="#7b4a22",
        stacks=(
            *_all("a1 c1 e1 g1 b2 d2 f2 h2 a3 e3 g3 d4", "white"),
            *_all("a7 c7 e7 g7 b8 d8 f8 h8 d6 f6 h6 c5", "black"),
        ),
        lit={"d4": _SKY, "b6": _SKY, "c5": _VERMILION},
        dice=(0, 0),
    ),
    # Diablo: stacks, dice with faces to four.
    "budget-8x8": Scene(
        wood=("#ece6da", "#ddd4c2", "#b9ae9a", "#9a8f7c"),
        dark="#b8a98c",
        stacks=(
            Stack("a1", "black"),
            Stack("c1", "black", 3),
            Stack("e1", "black"),
            Stack("g1", "black", 2),
            Stack("b1", "green"),
            Stack("h1", "green", 2),
            Stack("d2", "black", 5),
            Stack("f2", "black"),
            Stack("a2", "green"),
            Stack("e2", "green", 4),
            Stack("g2", "green"),
            Stack("b3", "green", 2),
            Stack("d3", "black", 2),
            Stack("h3", "green"),
            Stack("f3", "green", 6),
            Stack("c4", "black"),
            Stack("e4", "green"),
            Stack("g4", "black", 3),
            Stack("a5", "black", 4),
            Stack("d5", "green", 3),
            Stack("h5", "black"),
            Stack("b6", "green"),
            Stack("e6", "black", 7),
            Stack("g6", "green", 2),
            Stack("c7", "green", 4),
            Stack("f7", "black"),
            Stack("h7", "green"),
            Stack("a8", "green"),
            Stack("d8", "black", 2),
            Stack("e8", "green", 3),
            Stack("g8", "black"),
        ),
        lit={"d2": _RED, "d5": _RED, "g2": _RED, "a2": _RED, "b3": _RED},
        dice=(3, 2),
    ),
    # Herd: red has taken off, and places.
    "hex-61": Scene(
        wood=("#5c6a70", "#48565c", "#333f44", "#273135"),
        dark="#dfe6e6",
        stacks=(
            *_all("0,0 1,0 1,-1 -1,0 2,-2 -3,1 -3,2 -4,3 0,3 3,0 2,-4 -1,-2 -2,4 1,2", "red"),
            *_all("-1,1 -1,2 -2,2 0,1 2,0 3,-1 3,-2 0,-2 0,-3 -2,-1 -4,1 1,3 4,-4 -1,4 -3,-1", "blue"),
        ),
        lit={
            "-2,0": _SKY,
            "-2,1": _SKY,
            "0,-1": _SKY,
            "1,1": _SKY,
            "2,1": _SKY,
            "-1,-1": _SKY,
            "1,-2": _SKY,
            "0,2": _SKY,
            "2,-1": _SKY,
        },
        dice=(5, 3),
    ),
}


_EMPTY = Scene(("#d9ae78", "#c8965a", "#a87443", "#8c5d33"), "#7b4a22", (), {}, (5, 3))
"""For a board of one's own."""


# --------------------------------------------------------------------------------------------- camera


class Camera:
    """From places in the room to places on the paper."""

    def __init__(self, eye: Spot, target: Spot) -> None:
        self._eye = eye
        self._ahead = _unit(_minus(target, eye))
        self._right = _unit(_cross(self._ahead, (0, 0, 1)))
        self._up = _cross(self._right, self._ahead)
        self._scale, self._middle = 1.0, (0.0, 0.0)

    def fit(self, spots: Iterable[Spot]) -> None:
        """Enlarge and shift so that these fill the paper."""
        places = [self.see(spot) for spot in spots]
        left, right = min(x for x, _ in places), max(x for x, _ in places)
        top, low = min(y for _, y in places), max(y for _, y in places)
        scale = min((WIDTH - 2 * _MARGIN) / (right - left), (HEIGHT - 2 * _MARGIN) / (low - top))
        self._scale = scale
        self._middle = (WIDTH / 2 - scale * (left + right) / 2, HEIGHT / 2 - scale * (top + low) / 2)

    def see(self, spot: Spot) -> Place:
        """Where a spot is on the paper."""
        away = _minus(spot, self._eye)
        depth = _dot(away, self._ahead)
        x, y = 1000 * _dot(away, self._right) / depth, -1000 * _dot(away, self._up) / depth
        return self._middle[0] + self._scale * x, self._middle[1] + self._scale * y

    def away(self, spot: Spot) -> float:
        """How far a spot is from the eye."""
        return dist(spot, self._eye)


def _minus(one: Spot, other: Spot) -> Spot:
    return one[0] - other[0], one[1] - other[1], one[2] - other[2]


def _dot(one: Spot, other: Spot) -> float:
    return one[0] * other[0] + one[1] * other[1] + one[2] * other[2]


def _cross(one: Spot, other: Spot) -> Spot:
    return (
        one[1] * other[2] - one[2] * other[1],
        one[2] * other[0] - one[0] * other[2],
        one[0] * other[1] - one[1] * other[0],
    )


def _unit(spot: Spot) -> Spot:
    length = sqrt(_dot(spot, spot))
    return spot[0] / length, spot[1] / length, spot[2] / length


# ---------------------------------------------------------------------------------------------- paper


class Paper:
    """The picture as it grows."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self.lines: list[str] = []

    def face(self, spots: Sequence[Spot], fill: str, extra: str = "") -> None:
        """A flat face in the room."""
        self.flat([self.camera.see(spot) for spot in spots], fill, extra)

    def flat(self, places: Sequence[Place], fill: str, extra: str = "") -> None:
        """A face on the paper."""
        points = " ".join(f"{_pixel(x)},{_pixel(y)}" for x, y in places)
        self.lines.append(f'<polygon points="{points}" fill="{fill}"{f" {extra}" if extra else ""}/>')

    def words(self, at: Spot, text: str, size: float, colour: str) -> None:
        """Letters that lie on a level surface, so high in mm, around their middle."""
        x, y, z = at
        place = self.camera.see(at)
        right, up = self.camera.see((x + 1, y, z)), self.camera.see((x, y + 1, z))
        a, b = right[0] - place[0], right[1] - place[1]
        c, d = place[0] - up[0], place[1] - up[1]
        matrix = " ".join(number(value) for value in (a, b, c, d, *place))
        self.lines.append(
            f'<text transform="matrix({matrix})" y="{number(size * 0.36)}" font-size="{number(size)}" '
            f'text-anchor="middle" fill="{colour}">{text}</text>'
        )


def _pixel(value: float) -> str:
    return number(round(value, 1))


def _circle(x: float, y: float, z: float, radius: float) -> list[Spot]:
    return [
        (x + radius * cos(2 * pi * step / _ROUND), y + radius * sin(2 * pi * step / _ROUND), z)
        for step in range(_ROUND)
    ]


def _hull(places: Sequence[Place]) -> list[Place]:
    """The convex outline of some places."""

    def half(ordered: Iterable[Place]) -> list[Place]:
        found: list[Place] = []
        for place in ordered:
            while len(found) > 1 and _turn(found[-2], found[-1], place) <= 0:
                found.pop()
            found.append(place)
        return found[:-1]

    ordered = sorted(places)
    return half(ordered) + half(reversed(ordered))


def _turn(one: Place, other: Place, third: Place) -> float:
    return (other[0] - one[0]) * (third[1] - one[1]) - (other[1] - one[1]) * (third[0] - one[0])


# -------------------------------------------------------------------------------------------- picture


def portrait(plan: Plan, title: str) -> str:
    """The picture of a board as SVG."""
    scene = _SCENES.get(plan.name, _EMPTY)
    camera = Camera((plan.width * 0.5 + 330, -760.0, 690.0), (plan.width / 2, plan.height / 2 - 60, 0.0))
    low = -plan.console_depth - _GAP
    camera.fit(
        [
            (x, y, z)
            for x in (0.0, max(plan.width, plan.console_width))
            for y, z in ((low, 0.0), (plan.height, 0.0), (plan.height, _TOP + 14))
        ]
    )
    paper = Paper(camera)
    _table(paper, plan, low)
    _plate(paper, plan, scene)
    _cells(paper, plan, scene)
    _console(paper, plan, scene, low)
    _stacks(paper, plan, scene)
    return "\n".join([*_head(title, scene), *paper.lines, "</svg>"]) + "\n"


def _head(title: str, scene: Scene) -> list[str]:
    stops = {"table": (("0", "#efe9e0"), ("1", "#cfc5b6")), "wood": (("0", scene.wood[0]), ("1", scene.wood[1]))}
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
            'font-family="Helvetica, Arial, Liberation Sans, sans-serif" stroke-linejoin="round">'
        ),
        f"<title>{title}</title>",
        "<defs>",
    ]
    lines += [_gradient("linear", name, "x1='0' y1='0' x2='0' y2='1'", colours) for name, colours in stops.items()]
    for name, (light, top, side, shade) in _PIECES.items():
        lines.append(_gradient("linear", f"side-{name}", "", (("0", side), ("0.35", top), ("1", shade))))
        lines.append(_gradient("linear", f"top-{name}", "", (("0", light), ("1", top))))
        around = "cx='0.4' cy='0.3' r='0.75'"
        lines.append(_gradient("radial", f"dome-{name}", around, (("0", light), ("0.55", top), ("1", shade))))
    lines += [
        _gradient("radial", f"lit-{colour[1:]}", "", (("0", "#ffffff"), ("0.35", colour), ("1", colour)))
        for colour in sorted({*scene.lit.values(), _WHITE})
    ]
    return [
        *lines,
        '<filter id="soft" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="16"/></filter>',
        '<filter id="glow" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="9"/></filter>',
        '<filter id="near" x="-40%" y="-40%" width="180%" height="180%"><feGaussianBlur stdDeviation="2.5"/></filter>',
        "</defs>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#table)"/>',
    ]


def _gradient(kind: str, name: str, how: str, stops: Sequence[tuple[str, str]]) -> str:
    inner = "".join(f'<stop offset="{at}" stop-color="{colour}"/>' for at, colour in stops)
    said = f" {how}".replace("'", '"').rstrip()
    return f'<{kind}Gradient id="{name}"{said}>{inner}</{kind}Gradient>'


def _table(paper: Paper, plan: Plan, low: float) -> None:
    ground = [
        (-14.0, low - 8, 0.0),
        (plan.width + 6, low - 8, 0.0),
        (plan.width + 6, plan.height - 4, 0.0),
        (-14.0, plan.height - 4, 0.0),
    ]
    paper.face(ground, "#4a3d2c", 'opacity="0.55" filter="url(#soft)"')


def _block(paper: Paper, low: Place, high: Place, top: float, colours: tuple[str, str, str]) -> None:
    """A box whose front, right side and top one sees."""
    (left, near), (right, far) = low, high
    paper.face([(left, near, 0), (right, near, 0), (right, near, top), (left, near, top)], colours[1])
    paper.face([(right, near, 0), (right, far, 0), (right, far, top), (right, near, top)], colours[2])
    paper.face([(left, near, top), (right, near, top), (right, far, top), (left, far, top)], colours[0])
    paper.lines.append(_edge(paper, [(left, near, top), (right, near, top), (right, far, top)], "#ffffff", 1.2, 0.35))


def _edge(paper: Paper, spots: Sequence[Spot], colour: str, width: float, opacity: float) -> str:
    points = " ".join(f"{_pixel(x)},{_pixel(y)}" for x, y in (paper.camera.see(spot) for spot in spots))
    pen = f'stroke="{colour}" stroke-width="{number(width)}" opacity="{number(opacity)}"'
    return f'<polyline points="{points}" fill="none" {pen}/>'


def _plate(paper: Paper, plan: Plan, scene: Scene) -> None:
    _block(paper, (0, 0), (plan.width, plan.height), _TOP, ("url(#wood)", scene.wood[2], scene.wood[3]))
    # The light walls and the plate are seen as a line along the edge.
    for spots in ([(0.0, 0.0, _TOP - 3), (plan.width, 0.0, _TOP - 3), (plan.width, plan.height, _TOP - 3)],):
        paper.lines.append(_edge(paper, spots, "#000000", 0.8, 0.25))
    if not plan.hexagons:
        _grain(paper, plan)


def _grain(paper: Paper, plan: Plan) -> None:
    """Lines along the wood, each swaying a little in a way of its own."""
    for line in range(46):
        y = 4 + line * (plan.height - 8) / 45
        spots = [
            (x, min(plan.height, max(0.0, y + 2.2 * sin(line * 2.4 + x / (34 + line % 7 * 6)))), _TOP)
            for x in range(0, int(plan.width) + 1, 10)
        ]
        paper.lines.append(_edge(paper, spots, "#5b3511", 0.7 + line % 3 * 0.35, 0.10))


def _cells(paper: Paper, plan: Plan, scene: Scene) -> None:
    for cell in plan.cells:
        corners = [(x, y, _TOP) for x, y in plan.polygon(cell)]
        tint = _tint(plan, cell)
        line = scene.dark if plan.hexagons else "#2b1a0a"
        pen = f'stroke="{line}" stroke-opacity="0.45" stroke-width="1"'
        paper.face(corners, scene.dark if tint else "none", f'fill-opacity="{number(tint)}" {pen}')
    for cell, colour in scene.lit.items():
        corners = [(x, y, _TOP) for x, y in plan.polygon(Cell(cell))]
        paper.face(corners, colour, 'opacity="0.8" filter="url(#glow)"')
    for cell, colour in scene.lit.items():
        x, y = plan.cells[Cell(cell)]
        inner = [(x + (px - x) * 0.93, y + (py - y) * 0.93, _TOP) for px, py in plan.polygon(Cell(cell))]
        paper.face(inner, f"url(#lit-{colour[1:]})", 'opacity="0.95"')
    if not plan.hexagons and all(cell[1:].isdigit() for cell in plan.cells):
        _coordinates(paper, plan)


def _tint(plan: Plan, cell: Cell) -> float:
    """How much darker a cell is than the plate: every second square of a chessboard, a1 among them."""
    if plan.hexagons or not cell[1:].isdigit():
        return 0.06
    return 0.42 if (ord(cell[0]) + int(cell[1:])) % 2 == 0 else 0.0


def _coordinates(paper: Paper, plan: Plan) -> None:
    for cell, (x, y) in plan.cells.items():
        if cell[1:] == "1":
            paper.words((x, 8.0, _TOP), cell[0], 8, "#3b240f")
        if cell[0] == "a":
            paper.words((7.5, y, _TOP), cell[1:], 8, "#3b240f")


def _console(paper: Paper, plan: Plan, scene: Scene, low: float) -> None:
    _block(paper, (0, low), (plan.console_width, -_GAP), _CONSOLE_TOP, ("#3a3f42", "#2a2e31", "#1f2325"))
    for index, (x, y) in enumerate(plan.dice):
        face = scene.dice[index]
        if plan.modules:
            _module(paper, (x, y - _GAP / 2), face)
        else:
            _digit(paper, (x, y - _GAP / 2), face)
    for name, (x, y) in plan.buttons.items():
        _button(paper, name, (x, y - _GAP / 2), lit=name in {"go", "hint"})


def _button(paper: Paper, name: str, at: Place, *, lit: bool) -> None:
    x, y = at
    paper.face(_circle(x, y, _CONSOLE_TOP, 10.5), "#15181a")
    paper.face(_circle(x, y, _CONSOLE_TOP + 1.5, 9.2), "#8c9499")
    if lit:
        paper.face(_circle(x, y, _CONSOLE_TOP + 2, 9), _WHITE, 'opacity="0.6" filter="url(#glow)"')
    paper.face(_circle(x, y, _CONSOLE_TOP + 3, 7.2), f"url(#lit-{_WHITE[1:]})" if lit else "#5a6266")
    paper.words((x, y - 18.5, _CONSOLE_TOP), name.upper(), 7.5, "#e8ecee")


# By the die's face, where pips stand: columns and rows of three, from the lower left.
_PIPS: Mapping[int, tuple[tuple[int, int], ...]] = {
    0: (),
    1: ((1, 1),),
    2: ((0, 2), (2, 0)),
    3: ((0, 2), (1, 1), (2, 0)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}
# The first of two lamps for each of three pips in a row of eight.
_PIP_AT = (0, 3, 6)


def _module(paper: Paper, at: Place, face: int) -> None:
    """An 8x8 module whose pips are two lamps wide."""
    x, y = at
    z = _CONSOLE_TOP + 0.5
    paper.face(
        [(x - 16, y - 16, z), (x + 16, y - 16, z), (x + 16, y + 16, z), (x - 16, y + 16, z)],
        "#0c0d0e",
        'stroke="#596166" stroke-width="0.8"',
    )
    lit = {
        (_PIP_AT[column] + right, _PIP_AT[row] + up) for column, row in _PIPS[face] for right in (0, 1) for up in (0, 1)
    }
    for column in range(8):
        for row in range(8):
            spots = _circle(x + 4 * (column - 3.5), y + 4 * (row - 3.5), z, 1.55)[::3]
            paper.face(spots, "#ff4a2e" if (column, row) in lit else "#3a1a17")
    for column, row in lit:
        paper.face(
            _circle(x + 4 * (column - 3.5), y + 4 * (row - 3.5), z, 2.2)[::3],
            "#ff7a5c",
            'opacity="0.35" filter="url(#near)"',
        )


# The segments of each digit, and where a segment lies: its middle and whether it is upright.
_SEGMENTS: Mapping[int, str] = {0: "", 1: "BC", 2: "ABGED", 3: "ABGCD", 4: "FGBC", 5: "AFGCD", 6: "AFGECD"}
_BARS: Mapping[str, tuple[float, float, bool]] = {
    "A": (0, 7, False),
    "B": (3.6, 3.5, True),
    "C": (3.6, -3.5, True),
    "D": (0, -7, False),
    "E": (-3.6, -3.5, True),
    "F": (-3.6, 3.5, True),
    "G": (0, 0, False),
}


def _digit(paper: Paper, at: Place, face: int) -> None:
    """A seven-segment digit."""
    x, y = at
    z = _CONSOLE_TOP + 0.5
    paper.face(
        [(x - 6.4, y - 9.6, z), (x + 6.4, y - 9.6, z), (x + 6.4, y + 9.6, z), (x - 6.4, y + 9.6, z)],
        "#0c0d0e",
        'stroke="#596166" stroke-width="0.8"',
    )
    for segment, (right, up, upright) in _BARS.items():
        wide, high = (0.75, 2.9) if upright else (2.9, 0.75)
        bar = [(x + right + a * wide, y + up + b * high, z) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        lit = segment in _SEGMENTS[face]
        if lit:
            paper.face(bar, "#ff7a5c", 'opacity="0.6" filter="url(#near)"')
        paper.face(bar, "#ff4a2e" if lit else "#3a1a17")


def _stacks(paper: Paper, plan: Plan, scene: Scene) -> None:
    """The pieces, the far ones first."""
    placed = [(stack, plan.cells[Cell(stack.cell)]) for stack in scene.stacks]
    for stack, (x, y) in sorted(placed, key=lambda one: -paper.camera.away((*one[1], _TOP))):
        paper.face(
            _circle(x - 3, y + 2, _TOP, _PIECE + 1.5),
            "#1a1208",
            f'opacity="{"0.3" if stack.cell in scene.lit else "0.5"}" filter="url(#near)"',
        )
        for layer in range(stack.high):
            low = _TOP + layer * _CHECKER
            if plan.hexagons:
                _stone(paper, (x, y), low, stack.kind)
            else:
                _checker(paper, (x, y), low, stack.kind, crowned=layer == stack.high - 1)


def _checker(paper: Paper, at: Place, low: float, kind: str, *, crowned: bool) -> None:
    x, y = at
    bottom, top = _circle(x, y, low, _PIECE), _circle(x, y, low + _CHECKER, _PIECE)
    outline = _hull([paper.camera.see(spot) for spot in (*bottom, *top)])
    paper.flat(outline, f"url(#side-{kind})", f'stroke="{_PIECES[kind][3]}" stroke-width="0.7"')
    paper.face(top, f"url(#top-{kind})", f'stroke="{_PIECES[kind][3]}" stroke-opacity="0.5" stroke-width="0.6"')
    if crowned:
        for radius in (13.0, 8.5):
            paper.face(
                _circle(x, y, low + _CHECKER, radius),
                "none",
                f'stroke="{_PIECES[kind][3]}" stroke-opacity="0.55" stroke-width="0.9"',
            )


def _stone(paper: Paper, at: Place, low: float, kind: str) -> None:
    x, y = at
    rings = [
        _circle(x, y, low + 8 * sin(pi / 2 * step / 5), _PIECE * cos(pi / 2 * step / 5 * 0.96)) for step in range(6)
    ]
    outline = _hull([paper.camera.see(spot) for ring in rings for spot in ring])
    paper.flat(outline, f"url(#dome-{kind})", f'stroke="{_PIECES[kind][3]}" stroke-width="0.7"')
    shine = _circle(x - 5, y + 4, low + 7.2, 3.2)
    paper.face(shine, "#ffffff", 'opacity="0.28" filter="url(#near)"')
