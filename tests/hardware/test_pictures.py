"""The pictures drawn by hand say of pins and wires what the tables say: number, name, colour, where the wire goes.

    picture ──► each pin with its number, its line's colour and its words ──compared with──► pins.md

A picture's pin is a small white number on the chip; line and words lie beside it, on the number's side of the chip.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hardware.generator.wiring import RIBBON

from reedlight.app.profiles import profile
from reedlight.core.grid import Cell

HARDWARE = Path(__file__).parents[2] / "hardware"
SVG = "{http://www.w3.org/2000/svg}"
COLOURS = {
    "#7a4a21": "brown",
    "#c92a2a": "red",
    "#e8590c": "orange",
    "#e0b000": "yellow",
    "#2b8a3e": "green",
    "#1c63c4": "blue",
    "#7b3fb0": "violet",
    "#868e96": "grey",
    "#c9ced2": "white",
    "#1d1d1d": "black",
}
"""What a line's colour stands for."""


@dataclass(frozen=True, slots=True)
class Pin:
    """One pin as a picture or a table has it."""

    name: str
    words: str
    colours: frozenset[str]


def drawing(name: str) -> str:
    return (HARDWARE / "pictures" / f"{name}.svg").read_text(encoding="utf-8")


# --------------------------------------------------------------------------------------- chips, pin by pin


def drawn_pins(text: str) -> Mapping[int, Pin]:
    """The pins that have words beside them, by their numbers."""
    root = ET.fromstring(text)  # noqa: S314  # our own file
    words = [(element, element.text or "") for element in root.iter(f"{SVG}text")]
    numbers = [
        (element, int(said)) for element, said in words if element.get("fill") == "#ffffff" and said.strip().isdigit()
    ]
    middle = sum(_x(element) for element, _ in numbers) / len(numbers)
    lines = {
        (_left(float(start[1]), middle), float(start[2])): COLOURS.get(path.get("stroke", ""), "")
        for path in root.iter(f"{SVG}path")
        if (start := re.match(r"M([\d.]+),([\d.]+) L[\d.]+,\2$", path.get("d", "")))
    }
    found: dict[int, Pin] = {}
    for element, number in numbers:
        side, y = _left(_x(element), middle), float(element.get("y", "0"))
        beside = [
            said
            for other, said in words
            if other.get("y") == element.get("y")
            and other.get("font-size") == "12"
            and (other.get("text-anchor") == "end") == side
            and other.get("fill") != "#ffffff"
        ]
        if beside:
            # A line ends in the middle of its pin, the number's foot is 4 lower.
            name = re.split(r"[:,]", beside[0])[0].replace(" ", "-")
            found[number] = Pin(name, beside[0], frozenset({lines.get((side, y - 4), "")} - {""}))
    return found


def _x(element: ET.Element) -> float:
    return float(element.get("x", "0"))


def _left(x: float, middle: float) -> bool:
    return x < middle


def listed_pins(board: str, ref: str) -> Mapping[int, Pin]:
    """The pins of a chip that pins.md has wires for; its words are what each is for and where its wires go."""
    found: dict[int, Pin] = {}
    for number, cells in rows_of(board, ref).items():
        goes = cells[5]
        # A column's wire goes on through its resistor.
        for resistor in re.findall(r"\bRC\d\b", goes):
            goes += "".join(f", J5.{way}" for way, far in rows_of(board, "J5").items() if f"{resistor}.2" in far[5])
        found[number] = Pin(cells[1], f"{cells[2]}; {goes}", frozenset(cells[4].split(", ")) - {"–"})
    return found


def rows_of(board: str, ref: str) -> Mapping[int, list[str]]:
    """The lines of pins.md on a chip or plug that have wires, by the pins' numbers."""
    page = (HARDWARE / board / "pins.md").read_text(encoding="utf-8")
    table = page.split(f"\n## {ref}: ")[1].split("\n## ")[0]
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return {int(cells[0]): cells for cells in lines if cells[0].isdigit() and cells[3] != "–"}


def wrong_pins(drawn: Mapping[int, Pin], listed: Mapping[int, Pin]) -> Iterator[str]:
    for number in sorted(set(listed) ^ set(drawn)):
        yield f"pin {number} is on one of picture and table only"
    for number in sorted(set(listed) & set(drawn)):
        picture, table = drawn[number], listed[number]
        if picture.name != re.sub(r"^GND-\d+$", "GND", table.name):
            yield f"pin {number} is {table.name}, not {picture.name}"
        named = {colour for colour in RIBBON if re.search(rf"\b{colour}\b", picture.words)}
        for colour in sorted((picture.colours | named) - table.colours if table.colours else ()):
            yield f"pin {number} is {', '.join(sorted(table.colours))}, not {colour}"
        for phrase in _claims(picture.words):
            if phrase not in table.words:
                yield f"pin {number} is: {table.words}; not {phrase}"


def _claims(words: str) -> Iterator[str]:
    """What the words beside a pin claim, as the table says it."""
    yield from re.findall(r"\b(?:row|column) \d\b", words)
    yield from (f"{plug}.{way}" for plug, way in re.findall(r"\b(J\d) pin (\d+)", words))
    yield from (f"BCM{pin}" for pin in re.findall(r"from BCM (\d+)", words))
    yield from (f"{plug}." for plug in re.findall(r"to (J\d)\b", words))
    yield from (what for what in re.findall(r"\b(string|DIN|CLK|LOAD)\b (?:to|from)", words))
    if "to ground" in words:
        yield "GND"
    if "330 ohm" in words:
        yield "RS."
    if "eight 47 kohm" in words:
        yield "RU7."
    if "27 kohm to V+" in words:
        yield "RI4."


CHIPS = (
    ("pico", "oak-8x8", "U1"),
    ("pico", "hex-61", "U1"),
    ("shifter", "oak-8x8", "U2"),
    ("shifter", "hex-61", "U2"),
    ("max7219", "budget-8x8", "U4"),
)


@pytest.mark.parametrize(("picture", "board", "ref"), CHIPS)
def test_a_picture_of_a_chip_says_what_the_table_of_its_pins_says(picture: str, board: str, ref: str) -> None:
    drawn = drawn_pins(drawing(picture))
    assert len(drawn) >= 14
    assert list(wrong_pins(drawn, listed_pins(board, ref))) == []


def test_what_the_shifter_s_picture_says_of_the_budget_board_is_in_its_table() -> None:
    found = re.search(r"budget-8x8: 1 (\w+), 2 (\w+), 3 (\w+), and 4A on ground", drawing("shifter"))
    assert found is not None
    listed = {pin.name: pin.words for pin in listed_pins("budget-8x8", "U2").values()}
    assert [found[number] in listed[f"{number}A"] for number in (1, 2, 3)] == [True, True, True]
    assert "U2.GND" in listed["4A"]
    assert "4Y" not in listed


@pytest.mark.parametrize(
    ("picture", "right", "wrong", "complaint"),
    [
        ("pico", "GP7: row 5, J4 pin 6, blue", "GP7: row 6, J4 pin 6, blue", "pin 10 is: row 5; J4.6; not row 6"),
        ("pico", "GP7: row 5, J4 pin 6, blue", "GP7: row 5, J4 pin 7, blue", "pin 10 is: row 5; J4.6; not J4.7"),
        ("pico", "GP7: row 5, J4 pin 6, blue", "GP7: row 5, J4 pin 6, grey", "pin 10 is blue, not grey"),
        ("pico", ">GP8: row 6", ">GP9: row 6", "pin 11 is GP8, not GP9"),
        ("shifter", "string from BCM 10", "string from BCM 12", "not BCM12"),
        ("shifter", "LOAD to J3", "LOAD to J4", "not J4."),
        ("max7219", ">SEG A<", ">SEG E<", "pin 14 is SEG-A, not SEG-E"),
        (
            "max7219",
            'd="M151,72 L129,72" fill="none" stroke="#7a4a21"',
            'd="M151,72 L129,72" stroke="#c92a2a"',
            "brown, not red",
        ),
        ("max7219", ">CLK</text>\n  <text", "></text>\n  <text", "pin 13 is CLK, not "),
    ],
)
def test_a_mistake_in_a_picture_of_a_chip_is_found(picture: str, right: str, wrong: str, complaint: str) -> None:
    text = drawing(picture)
    assert right in text
    board, ref = next((board, ref) for name, board, ref in CHIPS if name == picture)
    found = list(wrong_pins(drawn_pins(text.replace(right, wrong, 1)), listed_pins(board, ref)))
    assert any(complaint in sentence for sentence in found), found


# ------------------------------------------------------------------------------------ carrier and string


def crossing(text: str) -> tuple[list[str], list[str]]:
    """The colours of the rows' wires from the near one on, and of the columns' from a on, which is at the right."""
    rows: list[tuple[float, str]] = []
    columns: list[tuple[float, str]] = []
    for path in ET.fromstring(text).iter(f"{SVG}path"):  # noqa: S314  # our own file
        ends = re.match(r"M([\d.]+),([\d.]+) L([\d.]+),([\d.]+)$", path.get("d", ""))
        if ends is None or path.get("stroke-width") != "4":
            continue
        colour = COLOURS[path.get("stroke", "")]
        (columns if ends[1] == ends[3] else rows).append((-float(ends[1] if ends[1] == ends[3] else ends[2]), colour))
    return [colour for _, colour in sorted(rows)], [colour for _, colour in sorted(columns)]


def test_the_wires_below_the_carrier_have_the_colours_of_their_lines() -> None:
    rows, columns = crossing(drawing("from-below"))
    assert rows == list(RIBBON[: len(rows)])
    assert columns == list(RIBBON[: len(columns)])
    assert (len(rows), len(columns)) == (2, 4)


def test_the_order_of_the_string_in_its_picture_is_the_profile_s() -> None:
    words = " ".join(element.text or "" for element in ET.fromstring(drawing("string")).iter(f"{SVG}text"))  # noqa: S314
    oak, hexagons = profile("oak-8x8").layout.lamps, profile("hex-61").layout.lamps
    for board, first, last in (("oak-8x8", "a1", "a8"), ("hex-61", "-4,4", "4,-4")):
        lamps = profile(board).layout.lamps
        assert f"{board}, from above: begins at {first}" in words
        assert lamps[Cell(first)] == 0
        assert f"on to {last}, lamp {lamps[Cell(last)]}" in words
    rows = [" ".join(str(oak[Cell(f"{letter}{row}")]) for letter in "abcdefgh") for row in (1, 2, 3)]
    assert " ".join(f"{said} {row}" for row, said in enumerate(rows, 1)) in words
    assert hexagons[Cell("-4,3")] > hexagons[Cell("1,3")], "the second row runs back"
