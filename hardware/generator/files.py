"""Files: everything that is generated, as bytes by its path in this folder.

Nothing is read but the profiles and the list of parts, and nothing is written here; whoever asks compares or writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hardware.generator.boards import BOARDS, Board, board_of
from hardware.generator.cutting import templates, upright
from hardware.generator.drawing import pdf, svg
from hardware.generator.dxf import dxf
from hardware.generator.front import front_page
from hardware.generator.meter import meter_page
from hardware.generator.overlay import has_overlay, overlay_sheet
from hardware.generator.paper import below, carrier_below, tiles
from hardware.generator.parts import Parts
from hardware.generator.portrait import portrait
from hardware.generator.power import power_page
from hardware.generator.schematic import sheets
from hardware.generator.shopping import shopping_csv, shopping_list
from hardware.generator.tables import cells_csv, pins_page, wiring_csv, wiring_page
from hardware.magnetics.figures import field_sheet, margins_page

_SHEETS = ("1-power", "2-matrix", "3-lamps", "4-console")


def all_files(parts: Parts | None = None) -> Mapping[str, bytes]:
    """Every generated file of every board."""
    boards = [board_of(name, parts) for name in BOARDS]
    found = {
        f"{board.profile.name}/{name}": content
        for board in boards
        for name, content in as_bytes(board_files(board)).items()
    }
    found["magnetics/margins.md"] = margins_page(
        [(board.profile.name, board.plan) for board in boards], boards[0].parts
    ).encode()
    found["magnetics/field.svg"] = svg(field_sheet(boards[0].parts)).encode()
    return found


def as_bytes(files: Mapping[str, str | bytes]) -> Mapping[str, bytes]:
    """The files as they are written."""
    return {name: content if isinstance(content, bytes) else content.encode() for name, content in files.items()}


def board_files(board: Board) -> Mapping[str, str | bytes]:
    """Every generated file of one board, by its name."""
    found = dict(_files(board))
    return {"README.md": front_page(board, found), **found}


def _files(board: Board) -> Iterator[tuple[str, str | bytes]]:
    profile, plan, circuit, parts = board.profile, board.plan, board.circuit, board.parts
    yield "board.svg", portrait(plan, profile.title)
    yield "wiring.md", wiring_page(profile, circuit, parts)
    yield "wiring.csv", wiring_csv(circuit, parts)
    yield "pins.md", pins_page(profile, circuit)
    yield "cells.csv", cells_csv(profile, plan, circuit)
    yield "parts-to-buy.csv", shopping_csv(shopping_list(plan, circuit, parts))
    yield "power.md", power_page(profile, circuit, parts)
    yield "meter.md", meter_page(board)
    drawn = sheets(profile, plan, circuit, parts)
    for name, sheet in zip(_SHEETS, drawn, strict=True):
        yield f"schematic-{name}.svg", svg(sheet)
    yield "schematic.pdf", pdf(drawn)
    for name, sheet in templates(plan, parts).items():
        yield f"cut-{name}.dxf", dxf(sheet)
        yield f"cut-{name}.svg", svg(upright(sheet))
    paper = carrier_below(profile, plan, parts)
    yield "cut-carrier-below.svg", svg(paper)
    yield "cut-carrier-below.pdf", pdf(tiles(paper, [below(plan, place) for place in plan.cells.values()]))
    if has_overlay(profile):
        over = overlay_sheet(profile, plan, parts)
        yield "overlay-herd.svg", svg(over)
        yield "overlay-herd.pdf", pdf(tiles(over, plan.cells.values()))
