"""Draws both sides of a circuit board as an SVG, from KiCad's file and without KiCad.

    .venv/bin/python -m hardware.pcb.picture [tile.kicad_pcb [picture.svg]]

The back is seen from the back. Copper under the green lacquer is a little lighter than the bare material.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from hardware.pcb.copper import Board, Copper, Point, Text, read_file

BARE, POURED, DRAWN, TINNED, SILK, HOLE = "#123d27", "#23704a", "#2f8f60", "#d9b45a", "#f4f4ee", "#ffffff"
BETWEEN = 6.0
"""Millimetres between both sides on the picture."""
SIDES = (("F.Cu", "F.SilkS"), ("B.Cu", "B.SilkS"))


def number(value: float) -> str:
    """Two decimals at most: a hundredth of a millimetre cannot be seen."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def path(points: Sequence[Point]) -> str:
    """Corners as SVG writes them."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def shape(piece: Copper, colour: str) -> str:
    """A piece of copper."""
    if len(piece.core) == 1:
        (x, y), r = piece.core[0], piece.radius
        return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" fill="{colour}"/>'
    if len(piece.core) == 2:
        return stroke(piece.core, 2 * piece.radius, colour)
    return f'<polygon points="{path(piece.core)}" fill="{colour}"/>'


def stroke(points: Sequence[Point], width: float, colour: str) -> str:
    """A line."""
    return f'<polyline points="{path(points)}" stroke="{colour}" stroke-width="{number(width)}"/>'


def written(text: Text, *, mirrored: bool) -> str:
    """Words, upright for who looks at their side."""
    x, y = text.middle
    flip = " scale(-1 1)" if mirrored else ""
    place = f"translate({number(x)} {number(y)}){flip} rotate({number(-text.angle)})"
    size = number(1.35 * text.height)
    return f'<text transform="{place}" font-size="{size}" y="{number(0.48 * text.height)}">{escape(text.words)}</text>'


def side(board: Board, layer: str, silk: str) -> Iterator[str]:
    """One side from the material upwards."""
    here = [piece for piece in board.copper if layer in piece.sides]
    pads = [pad.copper for part in board.parts for pad in part.pads]
    yield from (shape(piece, POURED) for piece in here if len(piece.core) > 2)
    yield from (shape(piece, DRAWN) for piece in here if len(piece.core) <= 2)
    yield from (shape(pad, TINNED) for pad in pads if layer in pad.sides)
    yield from (stroke(line.core, line.width, SILK) for line in board.lines if line.layer == silk)
    yield from (written(text, mirrored=layer == "B.Cu") for text in board.texts if text.layer == silk)
    holes = [*board.holes, *pads, *(piece for piece in here if piece.hole)]
    yield from (shape(Copper("", piece.sides, (centre(piece),), piece.hole / 2), HOLE) for piece in holes if piece.hole)


def centre(piece: Copper) -> Point:
    """The middle of a pad or via."""
    xs, ys = zip(*piece.core, strict=True)
    return (sum(xs) / len(xs), sum(ys) / len(ys))


def draw(board: Board) -> str:
    """The picture."""
    border = [point for line in board.lines if line.layer == "Edge.Cuts" for point in line.core]
    width, height = max(x for x, _ in border), max(y for _, y in border)
    whole = 2 * width + BETWEEN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(whole)} {number(height)}"',
        f'width="{number(whole * 6)}" height="{number(height * 6)}">',
        "<style>polyline{fill:none;stroke-linecap:round;stroke-linejoin:round}",
        f"text{{font-family:'DejaVu Sans Mono',monospace;fill:{SILK};text-anchor:middle}}</style>",
    ]
    for place, (layer, silk) in zip(("", f"translate({number(whole)} 0) scale(-1 1)"), SIDES, strict=True):
        lines.append(f'<g transform="{place}">' if place else "<g>")
        lines.append(f'<rect width="{number(width)}" height="{number(height)}" fill="{BARE}"/>')
        lines += side(board, layer, silk)
        lines.append("</g>")
    return "\n".join([*lines, "</svg>", ""])


def main(arguments: Sequence[str]) -> None:
    """Reads the board, writes the picture beside it or where it is told."""
    source = Path(arguments[0]) if arguments else Path(__file__).resolve().parent / "tile.kicad_pcb"
    target = Path(arguments[1]) if len(arguments) > 1 else source.with_suffix(".svg")
    target.write_text(draw(read_file(source)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
