"""Figures: the field of a stack beside its cell as a curve, and the margins of every board as a table."""

from __future__ import annotations

from collections.abc import Iterable

from hardware.generator.drawing import Sheet
from hardware.generator.parts import Parts
from hardware.generator.plan import Plan
from hardware.generator.tables import markdown
from hardware.magnetics.field import stack
from hardware.magnetics.margins import PIECE, disc_of, margins, sorted_at

_HEIGHTS = ((1, "#1d2a33"), (2, "#1d7a3e"), (6, "#1f5fae"), (13, "#e07b1a"), (21, "#c0272d"))
_FAR = 60
_LEFT, _BOTTOM, _PER_MM, _PER_MT = 22.0, 108.0, 2.6, 9.0
_MOST = 9.5


def field_sheet(parts: Parts) -> Sheet:
    """Axial field at the reed against the distance of a stack, for five heights."""
    sheet = Sheet(200, 130, "Axial field of stacks of pieces at a reed, by their distance")
    closes, opens = sorted_at(parts)
    _axes(sheet)
    for field, words in ((closes, "a sorted reed is closed above this"), (opens, "and open again below this")):
        y = _BOTTOM - field * _PER_MT
        sheet.line((_LEFT, y), (_LEFT + _FAR * _PER_MM, y), colour="#9aa5ad", dashes=1.5)
        sheet.words(
            (_LEFT + _FAR * _PER_MM, y - 1.2), f"{words}: {field:.2f} mT", size=3, anchor="end", colour="#5b666e"
        )
    disc, gap = disc_of(parts), parts.rule("magnetics", "gap")
    for number, (high, colour) in enumerate(_HEIGHTS):
        points = [(distance / 2, stack(disc, high, PIECE, distance / 2, gap)) for distance in range(2 * _FAR + 1)]
        seen = [(_LEFT + x * _PER_MM, _BOTTOM - y * _PER_MT) for x, y in points if y <= _MOST]
        sheet.line(*seen, colour=colour, width=0.6)
        y = 24 + 5.5 * number
        sheet.line((130, y - 1), (138, y - 1), colour=colour, width=0.8)
        sheet.words((141, y), f"{high} high", size=3.4)
    return sheet


def _axes(sheet: Sheet) -> None:
    right = _LEFT + _FAR * _PER_MM
    sheet.line((_LEFT, 14), (_LEFT, _BOTTOM + 7), width=0.5)
    sheet.line((_LEFT, _BOTTOM), (right, _BOTTOM), width=0.5)
    for field in range(0, 10, 2):
        y = _BOTTOM - field * _PER_MT
        sheet.line((_LEFT - 1.5, y), (_LEFT, y))
        sheet.words((_LEFT - 3, y + 1.1), str(field), size=3.2, anchor="end")
    for distance in range(0, _FAR + 1, 10):
        x = _LEFT + distance * _PER_MM
        sheet.line((x, _BOTTOM), (x, _BOTTOM + 1.5))
        sheet.words((x, _BOTTOM + 11), str(distance), size=3.2, anchor="middle")
    for distance, words in ((8, "own piece, 8 mm off"), (45, "neighbour, centred")):
        x = _LEFT + distance * _PER_MM
        sheet.line((x, 14), (x, _BOTTOM), colour="#cfd6da", width=0.25)
        sheet.words((x + 1, 12), words, size=3, anchor="start" if distance < 40 else "middle", colour="#5b666e")
    sheet.words(
        (_LEFT + _FAR * _PER_MM / 2, _BOTTOM + 17),
        "distance of the magnets' axis from the reed, mm",
        size=3.6,
        anchor="middle",
    )
    sheet.words((8, 62), "axial field at the reed, mT", size=3.6, anchor="middle", upward=True)


def margins_page(plans: Iterable[tuple[str, Plan]], parts: Parts) -> str:
    """The margins of every board as a page."""
    closes, opens = sorted_at(parts)
    least = parts.rule("magnetics", "least")
    near, far = parts.rules("magnetics", "closes")[0], parts.rules("magnetics", "opens")[0]
    text = [
        "# Magnets and reeds: margins\n",
        (
            "Made by `make hardware`; do not edit. The model and its sources stand in [`field.py`](field.py), "
            "the arrangements in "
            "[`margins.py`](margins.py).\n"
        ),
        (
            f"A reed that is kept is closed with a magnet {near:g} mm from its glass ({closes:.2f} mT at its gap) and "
            f"open again at {far:g} mm ({opens:.2f} mT). A margin says how many times over a cell reads right; "
            f"{least:g} is asked for.\n"
        ),
    ]
    for name, plan in plans:
        rows = (
            (
                margin.name,
                f"{margin.field:.2f}",
                f"{margin.limit:.2f}",
                f"{margin.value:.3f}",
                "yes" if margin.asked else "no",
            )
            for margin in margins(plan, parts)
        )
        text += [f"## {name}\n", markdown(("arrangement", "field, mT", "against, mT", "margin", "asked for"), rows)]
    text.append(
        "Below 1 an empty cell may go on reading closed after a piece was there, until a stack is pushed "
        "back; who wants that too takes a pitch of 50 mm.\n"
    )
    text.append("![Field of stacks by their distance](field.svg)\n")
    return "\n".join(text)
