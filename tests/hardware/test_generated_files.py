"""What is committed is what the generator makes, it makes the same every time, and programs can read it."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path as Folder
from xml.etree import ElementTree as ET

import pytest
from ezdxf.filemanagement import read
from hardware.generator.__main__ import HERE, main, remove_strange, stale, write
from hardware.generator.boards import BOARDS, board_of
from hardware.generator.cutting import CUT, LAYERS, templates
from hardware.generator.drawing import Circle, Path, Sheet
from hardware.generator.files import all_files, as_bytes, board_files
from hardware.generator.paper import tiles
from hardware.generator.wiring import RIBBON
from pypdf import PdfReader

from reedlight.board.toml import packaged_text
from reedlight.core.grid import Cell, hexhex

SVG = "{http://www.w3.org/2000/svg}"


@cache
def files() -> Mapping[str, bytes]:
    return all_files()


def text(name: str) -> str:
    return files()[name].decode()


def table(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text(name))))


def ending(suffix: str) -> list[str]:
    return [f"{board}/{name}" for board in BOARDS for name in _names(board, suffix)]


def _names(board: str, suffix: str) -> list[str]:
    sheets = ("1-power", "2-matrix", "3-lamps", "4-console")
    plates = ["top", "carrier", "base", "console", "console-box", "template", *([] if board == "hex-61" else ["walls"])]
    return {
        "dxf": [f"cut-{plate}.dxf" for plate in plates],
        "svg": [
            "board.svg",
            *(f"schematic-{sheet}.svg" for sheet in sheets),
            *(f"cut-{plate}.svg" for plate in plates),
            "cut-carrier-below.svg",
            *([] if board == "hex-61" else ["overlay-herd.svg"]),
        ],
    }[suffix]


# --------------------------------------------------------------------------------------------- fresh


def test_what_is_committed_is_what_is_made() -> None:
    assert stale(HERE, files()) == []


def test_the_same_is_made_every_time() -> None:
    again = board_files(board_of("oak-8x8"))
    assert as_bytes(again) == {
        name.removeprefix("oak-8x8/"): content for name, content in files().items() if name.startswith("oak-8x8/")
    }


def test_nothing_tells_when_or_by_what_it_was_made() -> None:
    for name, content in files().items():
        found = re.findall(rb"20[1-9]\d-[01]\d-[0-3]\d|/home/|/tmp/|CreationDate", content)
        assert found == [], name


def test_a_stale_a_missing_and_a_strange_file_are_named(tmp_path: Folder) -> None:
    write(tmp_path, files())
    assert stale(tmp_path, files()) == []
    (tmp_path / "oak-8x8" / "pins.md").write_text("old")
    (tmp_path / "hex-61" / "wiring.csv").unlink()
    (tmp_path / "hex-61" / "notes.txt").write_text("mine")
    assert stale(tmp_path, files()) == [
        "hardware/oak-8x8/pins.md is stale",
        "hardware/hex-61/wiring.csv is missing",
        "hardware/hex-61/notes.txt is made by nothing",
    ]
    write(tmp_path, files())
    remove_strange(tmp_path, files())
    assert stale(tmp_path, files()) == []


def test_a_board_of_one_s_own_gets_its_files_too(tmp_path: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    profile = tmp_path / "mine.toml"
    told = (
        packaged_text("oak-8x8")
        .replace('name = "oak-8x8"', 'name = "mine"')
        .replace("size = 8", "columns = 6\nrows = 5")
    )
    profile.write_text(told.replace("count = 64", "count = 30"))
    assert main(["--board", str(profile), "--into", str(tmp_path / "made")]) == 0
    assert "files in" in capsys.readouterr().out
    rows = list(csv.DictReader(StringIO((tmp_path / "made" / "cells.csv").read_text())))
    assert [row["cell"] for row in rows][:7] == ["a1", "b1", "c1", "d1", "e1", "f1", "a2"]
    assert [row["switch"] for row in rows] == [str(number) for number in range(30)]
    assert not (tmp_path / "made" / "overlay-herd.svg").exists(), "30 cells are too few"
    walls = read(StringIO((tmp_path / "made" / "cut-walls.dxf").read_text()))
    assert len(list(walls.modelspace())) == 4 + 5 + 4


def test_a_board_with_a_mistake_gets_a_sentence_and_no_files(
    tmp_path: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    profile = tmp_path / "mine.toml"
    profile.write_text(packaged_text("oak-8x8").replace("cell = 45.0", "cell = 40.0"))
    assert main(["--board", str(profile), "--into", str(tmp_path / "made")]) == 1
    assert "oak-8x8: empty cell, the worst stacks" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()


# ---------------------------------------------------------------------------------------------- drawn


@pytest.mark.parametrize("name", ending("dxf"))
def test_a_dxf_has_no_errors_and_only_the_three_layers(name: str) -> None:
    document = read(StringIO(text(name)))
    auditor = document.audit()
    assert auditor.errors == []
    assert auditor.fixes == []
    assert document.header["$INSUNITS"] == 4, "millimetres"
    shapes = list(document.modelspace())
    assert {shape.dxf.layer for shape in shapes} <= set(LAYERS)
    assert {shape.dxftype() for shape in shapes} <= {"LWPOLYLINE", "CIRCLE", "TEXT"}


@pytest.mark.parametrize("board", BOARDS)
def test_the_carrier_s_dxf_has_a_hole_for_each_reed_wire_and_lamp(board: str) -> None:
    plan = board_of(board).plan
    circles = [
        shape for shape in read(StringIO(text(f"{board}/cut-carrier.dxf"))).modelspace() if shape.dxftype() == "CIRCLE"
    ]
    holes = {(round(hole.dxf.center.x, 2), round(hole.dxf.center.y, 2)): hole.dxf.radius for hole in circles}
    for cell, (x, y) in plan.cells.items():
        assert holes[round(x, 2), round(y, 2)] == 1.6, cell
        assert holes[round(x - 10, 2), round(y, 2)] == plan.lamp_hole / 2, cell
    assert len(circles) == 3 * len(plan.cells) + len(plan.screws)


@pytest.mark.parametrize("name", [*ending("svg"), "magnetics/field.svg"])
def test_an_svg_is_well_formed_and_draws_something(name: str) -> None:
    root = ET.fromstring(text(name))  # noqa: S314
    assert root.tag == f"{SVG}svg"
    assert len(list(root.iter())) > 12


@pytest.mark.parametrize("board", BOARDS)
def test_a_template_s_svg_is_true_to_scale(board: str) -> None:
    root = ET.fromstring(text(f"{board}/cut-top.svg"))  # noqa: S314
    plan = board_of(board).plan
    assert root.attrib["width"] == f"{plan.width + 10:g}mm"
    assert root.attrib["viewBox"] == f"0 0 {plan.width + 10:g} {plan.height + 10:g}"


@pytest.mark.parametrize("board", BOARDS)
def test_the_marking_paper_is_the_carrier_seen_from_below(board: str) -> None:
    root = ET.fromstring(text(f"{board}/cut-carrier-below.svg"))  # noqa: S314
    plan, layout = board_of(board).plan, board_of(board).profile.layout
    assert root.attrib["viewBox"] == f"0 0 {plan.width:g} {plan.height:g}"
    holes = {
        (float(circle.attrib["cx"]), float(circle.attrib["cy"]), float(circle.attrib["r"]))
        for circle in root.iter(f"{SVG}circle")
    }
    words = [
        (element.text or "", float(element.attrib["x"]), float(element.attrib["y"]))
        for element in root.iter(f"{SVG}text")
    ]
    assert "SEEN FROM BELOW" in words[0][0]
    for cell, (x, y) in plan.cells.items():
        left, down = round(plan.width - x, 3), round(plan.height - y, 3)
        assert (left, down, 1.6) in holes, f"the reed of {cell}"
        assert (round(left - 5.08, 3), down, 1.0) in holes, f"the copper wire of {cell}, to the LEFT from below"
        assert (left + 10, down, plan.lamp_hole / 2) in holes, f"the lamp of {cell}, to the RIGHT from below"
        near = [said for said, at, high in words if abs(at - left) < 22 and abs(high - down) < 15]
        assert cell in near
        assert f"lamp {layout.lamps[cell]}" in near
        row, column = divmod(layout.switches[cell], 8)
        assert f"row {row}" in near
        assert f"col. {column} {RIBBON[column]}" in near


@pytest.mark.parametrize("name", [*(f"{board}/cut-carrier-below.pdf" for board in BOARDS), "oak-8x8/overlay-herd.pdf"])
def test_a_paper_on_pages_of_a4_has_every_cell_on_some_page(name: str) -> None:
    board = board_of(name.split("/", maxsplit=1)[0])
    pages = PdfReader(BytesIO(files()[name]), strict=True).pages
    assert {(round(page.mediabox.width / 72 * 25.4), round(page.mediabox.height / 72 * 25.4)) for page in pages} == {
        (297, 210)
    }
    said = " ".join(page.extract_text() for page in pages)
    cells = hexhex(4).cells if "herd" in name else board.plan.cells
    assert [cell for cell in cells if not re.search(rf"(?<!-){re.escape(cell)}(?!\d)", said)] == []
    assert f"page {len(pages)} of {len(pages)}; print at 100 %" in said


def test_the_parts_of_a_paper_cover_it_and_each_is_small_enough_for_a_printer() -> None:
    sheet = Sheet(435, 394, "paper")
    for x in range(5, 435, 10):
        for y in range(4, 394, 10):
            sheet.circle((x, y), 1)
    pages = tiles(sheet, [(x, y) for x in range(40, 400, 45) for y in range(37, 380, 45)])
    seen = 0
    for page in pages:
        (left, top), _, (right, low), _ = next(
            shape.points for shape in page.shapes if isinstance(shape, Path) and shape.colour == "#9aa5ad"
        )
        assert left >= 13, "no printer reaches the edge of its paper"
        assert top >= 13
        dots = [shape.centre for shape in page.shapes if isinstance(shape, Circle)]
        seen += sum(left <= x < right and top <= y < low for x, y in dots)
    assert seen == len(sheet.shapes)


@pytest.mark.parametrize("board", BOARDS)
def test_the_walls_of_the_console_close_it(board: str) -> None:
    """Two as long as the floor, two that fit between them, all as high as the list says; notches are in two."""
    plan, parts = board_of(board).plan, board_of(board).parts
    sizes: list[tuple[float, float, int]] = []
    for wall in outlines_of(board, "console-box"):
        xs, ys = [x for x, _ in wall.points], [y for _, y in wall.points]
        sizes.append((max(xs) - min(xs), max(ys) - min(ys), len(wall.points)))
    high, between = parts.rule("plan", "console_wall"), plan.console_depth - 2 * parts.rule("plan", "sheet")
    assert sorted(sizes) == sorted(
        [
            (plan.console_width, plan.console_depth, 4),
            (plan.console_width, high, 8),
            (plan.console_width, high, 4),
            (between, high, 8),
            (between, high, 4),
        ]
    )


def test_only_the_base_below_a_chip_has_a_window() -> None:
    windows = {board: len(outlines_of(board, "base")) - 1 for board in BOARDS}
    assert windows == {"oak-8x8": 0, "budget-8x8": 1, "hex-61": 0}


def outlines_of(board: str, name: str) -> list[Path]:
    """What is cut of a sheet but its round holes."""
    sheet = templates(board_of(board).plan, board_of(board).parts)[name]
    return [shape for shape in sheet.shapes if isinstance(shape, Path) and shape.layer == CUT]


@pytest.mark.parametrize("board", BOARDS)
def test_the_schematic_s_pdf_has_four_pages_of_a3_with_words(board: str) -> None:
    pages = PdfReader(BytesIO(files()[f"{board}/schematic.pdf"]), strict=True).pages
    assert len(pages) == 4
    for number, page in enumerate(pages, 1):
        assert (round(page.mediabox.width / 72 * 25.4), round(page.mediabox.height / 72 * 25.4)) == (420, 297)
        assert f"{board}, sheet {number} of 4" in page.extract_text()


@pytest.mark.parametrize("board", BOARDS)
def test_every_part_that_is_soldered_is_on_the_schematic(board: str) -> None:
    drawn = " ".join(
        element.text or ""
        for name in _names(board, "svg")
        if name.startswith("schematic")
        for element in ET.fromstring(text(f"{board}/{name}")).iter(f"{SVG}text")  # noqa: S314
    )
    words = set(re.split(r"[ ,.()]+(?!\d+,)", drawn)) | set(drawn.split(" "))
    for component in board_of(board).circuit.components.values():
        shown = str(component.cell) if component.cell else component.ref
        assert shown in words or f"{shown}." in drawn or f"{shown} " in drawn, component.ref


# --------------------------------------------------------------------------------------------- tables


@pytest.mark.parametrize("board", BOARDS)
def test_page_and_table_of_the_wiring_have_the_same_lines(board: str) -> None:
    rows = table(f"{board}/wiring.csv")
    page = [line.split(" | ") for line in text(f"{board}/wiring.md").splitlines() if line.startswith("| W")]
    assert [row["wire"] for row in rows] == [f"W{number}" for number in range(1, len(rows) + 1)]
    assert [line[0].removeprefix("| ") for line in page] == [row["wire"] for row in rows]
    assert [line[1].split(" (")[0] for line in page] == [row["from"] for row in rows]


@pytest.mark.parametrize("board", BOARDS)
def test_every_cell_has_its_line_with_all_its_wires(board: str) -> None:
    profile = board_of(board).profile
    rows = {row["cell"]: row for row in table(f"{board}/cells.csv")}
    assert set(rows) == set(profile.grid.cells)
    for cell, row in rows.items():
        assert int(row["switch"]) == profile.layout.switches[Cell(cell)]
        assert int(row["lamp"]) == profile.layout.lamps[Cell(cell)]
        assert int(row["switch"]) == 8 * int(row["row"]) + int(row["column"])
        for wires in ("reed and diode", "row wires", "column wires", "lamp wires"):
            assert row[wires].startswith("W"), f"{cell}: {wires}"


def line(page: str, start: str) -> str:
    found = [row for row in text(page).splitlines() if row.startswith(start)]
    assert len(found) == 1, f"{start}: {len(found)} lines in {page}"
    return found[0]


@pytest.mark.parametrize(
    ("page", "start", "facts"),
    [
        ("oak-8x8/pins.md", "| 10 | GP7 |", ["row 5", "blue", "J4.6"]),
        ("oak-8x8/pins.md", "| 19 | BCM10 |", ["string", "green", "U2.1A (pin 2)"]),
        ("oak-8x8/pins.md", "| 29 | BCM5 |", ["button GO", "J6.1"]),
        ("oak-8x8/pins.md", "| 27 | BCM0 |", ["EEPROM"]),
        ("budget-8x8/pins.md", "| 5 | BCM3 |", ["button GO", "J6.1"]),
        ("budget-8x8/pins.md", "| 11 | BCM17 |", ["row 0", "brown", "J4.1"]),
        ("hex-61/pins.md", "| 36 | 3V3 |", ["3.3 V", "orange", "RU0.2"]),
        ("oak-8x8/power.md", "| **together** |", ["1.04", "2.73", "5.87"]),
        ("budget-8x8/power.md", "| **together** |", ["1.58"]),
        ("oak-8x8/meter.md", "| J5.1 (brown, column 0) |", ["94 kohm"]),
        ("oak-8x8/README.md", "| 12, one side", ["14"]),
        ("oak-8x8/README.md", "| `config.txt` |", ["dtparam=spi=on", "dtoverlay=spi1-1cs"]),
        ("budget-8x8/README.md", "| `config.txt` |", ["dtoverlay=spi0-1cs"]),
    ],
)
def test_a_page_answers_what_a_builder_asks(page: str, start: str, facts: list[str]) -> None:
    assert [fact for fact in facts if fact not in line(page, start)] == []


@pytest.mark.parametrize(("board", "cells"), [("oak-8x8", 64), ("budget-8x8", 64), ("hex-61", 61)])
def test_the_shopping_list_counts_reeds_and_adds_spares(board: str, cells: int) -> None:
    reed = next(row for row in table(f"{board}/parts-to-buy.csv") if row["part"] == "reed")
    assert int(reed["used"]) == cells
    assert int(reed["buy"]) >= cells * 1.15
