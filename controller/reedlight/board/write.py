"""Writing a board's file: a profile as TOML text that ``read`` makes the same profile of.

    Profile ──text──► [cells] [pitch] [scan] [lamps] … ──read──► the same Profile

Numbers are written in the shortest words that there are: as an order, where they follow one, and else as a list
in reading order, a line for each row of the board, so that the list looks like the board. They are the numbers
as the player sees the cells; nothing is turned any more. A board without lamps has no numbers for them.

Which file the text goes to is the caller's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from json import dumps

from reedlight.board.geometry import CORNERS, ORDERS, Misplaced, ordered, rectangle, rows_of
from reedlight.board.kinds import SEGMENTS
from reedlight.board.profile import (
    BUTTONS,
    DiceDigits,
    DiceModules,
    Expander,
    Matrix,
    Pico,
    PiPins,
    Profile,
    Segments,
    Spi,
    Ws2812,
)
from reedlight.board.schema import TABLES
from reedlight.core.grid import Cell, Grid, brick, hexhex

_Entry = tuple[str, str]
"""A key, and its value as it stands in the file."""


def text(profile: Profile, remarks: Iterable[str] = ()) -> str:
    """The file of a board; the remarks become comments at its top, a line each."""
    lines = [f"# {line}".rstrip() for remark in remarks for line in remark.split("\n")]
    lines += ["", *_written((("name", _string(profile.name)), ("title", _string(profile.title))))]
    contents = {
        "cells": _cells(profile.grid),
        "pitch": (("cell", _number(profile.pitch)),),
        "scan": _scan(profile),
        "lamps": _lamps(profile),
        "dice": _dice(profile),
        "buttons": _buttons(profile),
        "button_lamps": _button_lamps(profile),
        "buses": _buses(profile),
        "power": _power(profile),
        "overlays": _overlays(profile),
    }
    for table in TABLES:
        if entries := tuple(contents[table.name]):
            lines += ["", f"[{table.name}]  # {table.meaning}", *_written(entries)]
    return "\n".join(lines).lstrip("\n") + "\n"


def _written(entries: Iterable[_Entry]) -> Iterator[str]:
    return (f"{name} = {value}" for name, value in entries)


# --------------------------------------------------------------------------------------------- values


def _string(value: str) -> str:
    """Text in quotes; what JSON escapes, TOML reads."""
    return dumps(value, ensure_ascii=False)


def _number(value: float) -> str:
    return repr(float(value))


def _list(values: Iterable[object]) -> str:
    return f"[{', '.join(map(str, values))}]"


def _spi(spi: Spi) -> str:
    return _string(f"{spi.bus}.{spi.device}")


def _table(values: Iterable[tuple[str, str]]) -> str:
    return "{ " + ", ".join(f"{_string(name)} = {value}" for name, value in values) + " }"


# ---------------------------------------------------------------------------------------------- cells


def _cells(grid: Grid) -> Iterator[_Entry]:
    rows = rows_of(grid)
    columns = len(rows[0])
    side = (len(rows) + 1) // 2
    if grid == rectangle(columns, len(rows)):
        yield "shape", _string("square")
        yield "columns", str(columns)
        yield "rows", str(len(rows))
    elif grid == hexhex(side):
        yield "shape", _string("hexhex")
        yield "side", str(side)
    elif grid == brick(len(rows), columns):
        yield "shape", _string("brick")
        yield "columns", str(columns)
        yield "rows", str(len(rows))
    else:
        yield "shape", _string("cells")
        yield "places", _table((cell, _list(map(_number, place))) for cell, place in grid.places.items())


def _numbered(grid: Grid, numbers: Mapping[Cell, int]) -> Iterator[_Entry]:
    """The numbers of all cells: as an order in words, or row by row."""
    for order in ORDERS:
        for corner in CORNERS:
            if _follows(grid, numbers, order, corner):
                yield "order", _string(order)
                yield "first", _string(corner)
                return
    width = max(len(str(number)) for number in numbers.values())
    rows = ["    " + " ".join(f"{numbers[cell]:{width}}," for cell in row) for row in reversed(rows_of(grid))]
    yield "numbers", "\n".join(["[  # as one reads: the far row first", *rows, "]"])


def _follows(grid: Grid, numbers: Mapping[Cell, int], order: str, corner: str) -> bool:
    try:
        cells = ordered(grid, order, corner)
    except Misplaced:
        return False
    return all(numbers[cell] == number for number, cell in enumerate(cells))


# ---------------------------------------------------------------------------------------------- parts


def _scan(profile: Profile) -> Iterator[_Entry]:
    reader = profile.reader
    if isinstance(reader, Expander):
        yield "by", _string("expander")
        yield "addresses", _list(f"{address:#04x}" for address in reader.addresses)
        if reader.interrupt is not None:
            yield "interrupt", str(reader.interrupt)
    else:
        yield "by", _string("pico" if isinstance(reader, Pico) else "gpio")
        yield from _matrix(reader.matrix)
    if isinstance(reader, Pico) and reader.serial:
        yield "serial", _string(reader.serial)
    yield from _numbered(profile.grid, profile.layout.switches)


def _matrix(matrix: Matrix) -> Iterator[_Entry]:
    yield "rows", _list(matrix.rows)
    yield "columns", _list(matrix.columns)


def _lamps(profile: Profile) -> Iterator[_Entry]:
    match profile.lamps:
        case None:
            return
        case Ws2812(spi, count, order):
            yield "by", _string("ws2812")
            yield "spi", _spi(spi)
            yield "count", str(count)
            yield "colours", _string(order)
        case chain:
            yield "by", _string("max7219")
            yield "spi", _spi(chain.spi)
            yield "chips", str(chain.chips)
    yield from _numbered(profile.grid, profile.layout.lamps)


def _dice(profile: Profile) -> Iterator[_Entry]:
    match profile.dice:
        case None:
            return
        case DiceModules(spi, first):
            yield "on", _string("modules")
            yield "spi", _spi(spi)
            yield "chip", str(first)
        case DiceDigits(spi, chip, digits):
            yield "on", _string("digits")
            yield "spi", _spi(spi)
            yield "chip", str(chip)
            yield "digits", _list(digits)
        case _:
            yield "on", _string("board")


def _buttons(profile: Profile) -> Iterator[_Entry]:
    if profile.buttons is not None:
        yield "on", _string("pi" if isinstance(profile.buttons, PiPins) else "pico")
        yield from _in_order(profile.buttons.pins, str)


def _button_lamps(profile: Profile) -> Iterator[_Entry]:
    match profile.button_lamps:
        case None:
            return
        case Segments(spi, chip, digit, bits):
            yield "on", _string("segments")
            yield "spi", _spi(spi)
            yield "chip", str(chip)
            yield "digit", str(digit)
            yield from _in_order(bits, lambda bit: _string(SEGMENTS[bit]))
        case lamps:
            yield "on", _string("pi" if isinstance(lamps, PiPins) else "pico")
            yield from _in_order(lamps.pins, str)


def _in_order(wired: Mapping[str, int], said: Callable[[int], str]) -> Iterator[_Entry]:
    return ((name, said(wired[name])) for name in BUTTONS if name in wired)


def _buses(profile: Profile) -> Iterator[_Entry]:
    buses = profile.buses
    if buses.spi0:
        yield "spi0", str(buses.spi0)
    if buses.spi1:
        yield "spi1", str(buses.spi1)
    if buses.i2c1:
        yield "i2c1", "true"


def _power(profile: Profile) -> Iterator[_Entry]:
    power = profile.power
    yield "supply", _number(power.supply)
    if power.led_fuse_hold:
        yield "led_fuse_hold", _number(power.led_fuse_hold)
    if power.led_cap:
        yield "led_cap", _number(power.led_cap)
    yield "pi_worst", _number(power.pi_worst)


def _overlays(profile: Profile) -> Iterator[_Entry]:
    for name, cells in profile.overlays.items():
        yield name, _table((cell, _string(there)) for cell, there in cells.items())
