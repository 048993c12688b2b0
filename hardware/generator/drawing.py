"""Drawings: lines, circles and words on a sheet measured in millimetres, written as SVG and as PDF.

x grows to the right and y down, as on paper. Both writers are here and short because their bytes must not depend on
the version of a library, a clock or a random number: what is committed is compared with what is made anew.

    Sheet(width, height, shapes) ──svg──► text            [sheet, …] ──pdf──► bytes, a page for each

A PDF has the fonts Helvetica and Helvetica-Bold, which every reader brings; so words are Latin-1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

Point = tuple[float, float]

INK = "#1d2a33"
"""The colour of lines that mean nothing else."""


@dataclass(frozen=True, slots=True)
class Path:
    """Straight lines from point to point."""

    points: tuple[Point, ...]
    colour: str = INK
    width: float = 0.35
    fill: str = "none"
    closed: bool = False
    dashes: float = 0.0
    layer: str = ""


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle."""

    centre: Point
    radius: float
    colour: str = INK
    width: float = 0.35
    fill: str = "none"
    layer: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text whose baseline begins, is centred or ends at a point."""

    at: Point
    text: str
    size: float = 3.0
    """Height of a capital and what hangs below it: the font's size in mm."""
    anchor: str = "start"
    colour: str = INK
    bold: bool = False
    upward: bool = False
    """Whether the line runs from below to above."""
    layer: str = ""


Shape = Path | Circle | Words


@dataclass(slots=True)
class Sheet:
    """A sheet that is drawn on."""

    width: float
    height: float
    title: str
    shapes: list[Shape] = field(default_factory=list[Shape])

    def line(
        self, *points: Point, colour: str = INK, width: float = 0.35, dashes: float = 0.0, layer: str = ""
    ) -> None:
        """Straight lines from point to point."""
        self.shapes.append(Path(points, colour, width, dashes=dashes, layer=layer))

    def area(self, *points: Point, colour: str = INK, width: float = 0.35, fill: str = "none", layer: str = "") -> None:
        """A polygon."""
        self.shapes.append(Path(points, colour, width, fill, closed=True, layer=layer))

    def box(
        self,
        left: float,
        top: float,
        width: float,
        height: float,
        *,
        colour: str = INK,
        line: float = 0.35,
        fill: str = "none",
    ) -> None:
        """An upright rectangle."""
        self.area(
            (left, top),
            (left + width, top),
            (left + width, top + height),
            (left, top + height),
            colour=colour,
            width=line,
            fill=fill,
        )

    def circle(
        self,
        centre: Point,
        radius: float,
        *,
        colour: str = INK,
        width: float = 0.35,
        fill: str = "none",
        layer: str = "",
    ) -> None:
        """A circle."""
        self.shapes.append(Circle(centre, radius, colour, width, fill, layer))

    def words(
        self,
        at: Point,
        text: str,
        *,
        size: float = 3.0,
        anchor: str = "start",
        colour: str = INK,
        bold: bool = False,
        upward: bool = False,
        layer: str = "",
    ) -> None:
        """A line of text."""
        self.shapes.append(Words(at, text, size, anchor, colour, bold, upward, layer))


def number(value: float) -> str:
    """A coordinate as text: to a thousandth, without needless noughts and without a nought that is negative."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


# ------------------------------------------------------------------------------------------------ SVG


def svg(sheet: Sheet, background: str = "#ffffff") -> str:
    """The sheet as an SVG in millimetres."""
    width, height = number(sheet.width), number(sheet.height)
    layers = list(dict.fromkeys(shape.layer for shape in sheet.shapes))
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
            f'viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, Liberation Sans, sans-serif" '
            'stroke-linejoin="round" stroke-linecap="round">'
        ),
        f"<title>{escape(sheet.title)}</title>",
    ]
    if background:
        lines.append(f'<rect width="{width}" height="{height}" fill="{background}"/>')
    for layer in layers:
        lines += [f'<g id="{layer}">'] if layer else ["<g>"]
        lines += [_svg_shape(shape) for shape in sheet.shapes if shape.layer == layer]
        lines.append("</g>")
    return "\n".join([*lines, "</svg>"]) + "\n"


def _svg_shape(shape: Shape) -> str:
    if isinstance(shape, Path):
        points = " ".join(f"{number(x)},{number(y)}" for x, y in shape.points)
        dashes = f' stroke-dasharray="{number(shape.dashes)}"' if shape.dashes else ""
        name = "polygon" if shape.closed else "polyline"
        return (
            f'<{name} points="{points}" fill="{shape.fill}" stroke="{shape.colour}" '
            f'stroke-width="{number(shape.width)}"{dashes}/>'
        )
    if isinstance(shape, Circle):
        x, y = shape.centre
        return (
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(shape.radius)}" fill="{shape.fill}" '
            f'stroke="{shape.colour}" stroke-width="{number(shape.width)}"/>'
        )
    x, y = shape.at
    turn = f' transform="rotate(-90 {number(x)} {number(y)})"' if shape.upward else ""
    bold = ' font-weight="bold"' if shape.bold else ""
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(shape.size)}" text-anchor="{shape.anchor}" '
        f'fill="{shape.colour}"{bold}{turn}>{escape(shape.text)}</text>'
    )


# ------------------------------------------------------------------------------------------------ PDF

_POINTS_PER_MM = 72 / 25.4

# Widths of Helvetica's characters from the blank on, in thousandths of the size; bold ones are a little wider.
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667,
    556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556,
    556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722,
    500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
_BOLD = 1.06


def width_of(words: Words) -> float:
    """How wide a line of text is, in mm."""
    thousandths = sum(_WIDTHS[ord(sign) - 32] if 32 <= ord(sign) < 127 else 556 for sign in words.text)
    return thousandths / 1000 * words.size * (_BOLD if words.bold else 1.0)


def pdf(sheets: Sequence[Sheet]) -> bytes:
    """The sheets as the pages of a PDF."""
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    first_page = 5
    kids = " ".join(f"{first_page + 2 * index} 0 R" for index in range(len(sheets)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(sheets)} >>".encode())
    objects += [
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} /Encoding /WinAnsiEncoding >>".encode()
        for font in ("Helvetica", "Helvetica-Bold")
    ]
    for index, sheet in enumerate(sheets):
        page = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {_pt(sheet.width)} {_pt(sheet.height)}] "
            f"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents {first_page + 2 * index + 1} 0 R >>"
        )
        content = "\n".join(_pdf_page(sheet)).encode("cp1252")
        objects += [page.encode(), b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)]
    return _pdf_file(objects)


def _pdf_file(objects: Iterable[bytes]) -> bytes:
    text, places = b"%PDF-1.4\n", list[int]()
    for name, content in enumerate(objects, 1):
        places.append(len(text))
        text += b"%d 0 obj\n%s\nendobj\n" % (name, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(places) + 1
    return text + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (size, table, size, len(text))
    )


def _pt(millimetres: float) -> str:
    return number(millimetres * _POINTS_PER_MM)


def _pdf_page(sheet: Sheet) -> Iterator[str]:
    yield "1 j 1 J"
    for shape in sheet.shapes:
        if isinstance(shape, Path):
            yield from _pdf_pen(shape.colour, shape.width, shape.fill, shape.dashes)
            first, *others = (f"{_pt(x)} {_pt(sheet.height - y)}" for x, y in shape.points)
            yield (
                f"{first} m "
                + " ".join(f"{point} l" for point in others)
                + _pdf_paint(shape.colour, shape.fill, closed=shape.closed)
            )
        elif isinstance(shape, Circle):
            yield from _pdf_pen(shape.colour, shape.width, shape.fill, 0)
            yield _pdf_circle(shape, sheet.height) + _pdf_paint(shape.colour, shape.fill, closed=True)
        else:
            yield _pdf_words(shape, sheet.height)


def _pdf_pen(colour: str, width: float, fill: str, dashes: float) -> Iterator[str]:
    if colour != "none":
        yield f"{_rgb(colour)} RG {_pt(width)} w"
    if fill != "none":
        yield f"{_rgb(fill)} rg"
    yield f"[{_pt(dashes)}] 0 d" if dashes else "[] 0 d"


def _pdf_paint(colour: str, fill: str, *, closed: bool) -> str:
    shut = " h" if closed else ""
    if fill == "none":
        return f"{shut} S"
    return f"{shut} {'f' if colour == 'none' else 'B'}"


# Four curves whose inner points lie this far out make a circle.
_ROUND = 0.5522847


def _pdf_circle(circle: Circle, height: float) -> str:
    x, y, r = circle.centre[0], height - circle.centre[1], circle.radius
    c = _ROUND * r
    curves = (
        ((x + r, y + c), (x + c, y + r), (x, y + r)),
        ((x - c, y + r), (x - r, y + c), (x - r, y)),
        ((x - r, y - c), (x - c, y - r), (x, y - r)),
        ((x + c, y - r), (x + r, y - c), (x + r, y)),
    )
    text = " ".join(" ".join(f"{_pt(a)} {_pt(b)}" for a, b in curve) + " c" for curve in curves)
    return f"{_pt(x + r)} {_pt(y)} m {text}"


def _pdf_words(words: Words, height: float) -> str:
    back = {"start": 0.0, "middle": 0.5, "end": 1.0}[words.anchor] * width_of(words)
    x, y = words.at
    place = (
        f"0 1 -1 0 {_pt(x)} {_pt(height - y - back)}" if words.upward else f"1 0 0 1 {_pt(x - back)} {_pt(height - y)}"
    )
    text = words.text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT /{'F2' if words.bold else 'F1'} {_pt(words.size)} Tf {_rgb(words.colour)} rg {place} Tm ({text}) Tj ET"


def _rgb(colour: str) -> str:
    return " ".join(number(int(colour[place : place + 2], 16) / 255) for place in (1, 3, 5))
