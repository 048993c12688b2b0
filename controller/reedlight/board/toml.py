"""A board's file: TOML text in, a profile out, and for every mistake one sentence with file, key and reason.

    text ──SCHEMA──► values ──► grid, layout, parts ──checks──► Profile

Mistakes are looked for in four rounds, and each names the first one in the order of the file: what a single
key says, what is missing, which cells there are and how they are numbered, how everything goes together. One
that is put right may uncover the next.

Numbers of switches and lamps are given as the wires see the cells; ``cells.turned`` says how the player sees
the same board:

    order = "rows" from the lower left     turned = 90: that corner lies at the player's lower right

              2 3                                  3 1
              0 1                                  2 0

Which file a text comes from is the caller's business, but for the boards that are packaged with the program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TypeVar, cast

from reedlight.board import schema
from reedlight.board.checks import mistakes
from reedlight.board.geometry import Misplaced, ordered, reading, rectangle, scattered, turned, turns_of
from reedlight.board.kinds import SEGMENTS, counted, described, listed, nearest
from reedlight.board.layout import Layout
from reedlight.board.profile import (
    Buses,
    ConfigError,
    Dice,
    DiceDigits,
    DiceModules,
    DiceOnBoard,
    Expander,
    Gpio,
    Lamps,
    Matrix,
    Max7219,
    Pico,
    PicoPins,
    PiPins,
    Power,
    Profile,
    Reader,
    Segments,
    Ws2812,
)
from reedlight.board.schema import SCHEMA
from reedlight.board.tables import Key, Mistake, Values, read_values
from reedlight.core.grid import Cell, Grid, brick, field, hexhex, square
from reedlight.core.quoting import quoted

T = TypeVar("T")


def read(text: str, file: str) -> Profile:
    """The board that a text describes; ``file`` names it in sentences. Raises ConfigError for every mistake."""
    try:
        return _profile(read_values(text, SCHEMA))
    except Mistake as mistake:
        raise ConfigError(f"{file}: {mistake}") from None


# ----------------------------------------------------------------------------------------- packaged


@cache
def packaged() -> tuple[str, ...]:
    """The names of the boards that come with the program."""
    found = (entry.name for entry in (files("reedlight.board") / "profiles").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


def packaged_text(name: str) -> str:
    """The file of a board that comes with the program, to be copied and changed. Raises ConfigError."""
    if name not in packaged():
        raise ConfigError(f"there is no board {quoted(name)}; {nearest(name, packaged())}")
    return (files("reedlight.board") / "profiles" / f"{name}.toml").read_text("utf-8")


def load_packaged(name: str) -> Profile:
    """A board that comes with the program. Raises ConfigError for another name."""
    return read(packaged_text(name), f"{name}.toml")


# ----------------------------------------------------------------- third and fourth round: the whole


def _profile(values: Values) -> Profile:
    grid = _grid(values)
    turn = _turn(values, grid)
    switches = _numbers(values, grid, _SWITCHES)
    lamp_numbers = _numbers(values, grid, _LAMPS) if values.has("lamps") else _one_by_one(grid.cells)
    layout = Layout(_seen(switches, turn, grid), _seen(lamp_numbers, turn, grid))
    profile = Profile(
        name=values.of(schema.NAME),
        title=values.of(schema.TITLE),
        grid=grid,
        layout=layout,
        reader=_READERS[values.of(schema.SCAN_BY)](values),
        lamps=_lamps(values, layout),
        dice=_dice(values),
        buttons=_buttons(values),
        button_lamps=_button_lamps(values),
        power=_power(values),
        pitch=values.of(schema.PITCH),
        overlays=_overlays(values, grid),
        buses=Buses(values.of(schema.SPI0), values.of(schema.SPI1), values.of(schema.I2C1)),
    )
    first = min(mistakes(profile), key=values.place_of, default=None)
    if first is not None:
        raise first
    return profile


# ------------------------------------------------------------------------------------ cells, numbers


def _grid(values: Values) -> Grid:
    shape = values.of(schema.SHAPE)
    if shape == "hexhex":
        return hexhex(values.of(schema.SIDE))
    if shape == "cells":
        try:
            return scattered(values.of(schema.PLACES))
        except Misplaced as reason:
            raise Mistake("cells.places", str(reason)) from None
    columns, rows = _span(values, shape)
    return brick(rows, columns) if shape == "brick" else rectangle(columns, rows)


def _span(values: Values, shape: str) -> tuple[int, int]:
    size, columns, rows = values.of(schema.SIZE), values.of(schema.COLUMNS), values.of(schema.ROWS)
    if size is not None:
        if columns is not None or rows is not None:
            raise Mistake("cells.size", "says columns and rows at once; leave columns and rows out, or size")
        return size, size
    if columns is None or rows is None:
        absent = "columns" if columns is None else "rows"
        either = "" if shape == "brick" or columns is not None or rows is not None else ", or size where they are equal"
        raise Mistake(f"cells.{absent}", f"is missing: {schema.COLUMNS.kind.said} is needed{either}")
    return columns, rows


def _turn(values: Values, grid: Grid) -> Mapping[Cell, Cell]:
    """Where the player sees the cell of the wires."""
    degrees = values.of(schema.TURNED)
    if not degrees:
        return {cell: cell for cell in grid.cells}
    found = turned(grid, degrees)
    if found is None:
        raise Mistake(
            "cells.turned",
            f"a board of this shape, turned by {degrees} degrees, does not lie as before; "
            f"it does by {listed(turns_of(grid))}",
        )
    return found


def _seen(numbers: Mapping[Cell, int], turn: Mapping[Cell, Cell], grid: Grid) -> Mapping[Cell, int]:
    found = {turn[cell]: number for cell, number in numbers.items()}
    return MappingProxyType({cell: found[cell] for cell in grid.cells})


@dataclass(frozen=True, slots=True)
class _Numbered:
    """The keys that number cells in one table, and what the numbers count."""

    what: str
    plural: str
    order: Key[str | tuple[Cell, ...]]
    first: Key[str]
    numbers: Key[tuple[int, ...] | Mapping[Cell, int] | None]


_SWITCHES = _Numbered("switch", "switches", schema.SCAN_ORDER, schema.SCAN_FIRST, schema.SCAN_NUMBERS)
_LAMPS = _Numbered("lamp", "lamps", schema.LAMPS_ORDER, schema.LAMPS_FIRST, schema.LAMPS_NUMBERS)


def _numbers(values: Values, grid: Grid, keys: _Numbered) -> Mapping[Cell, int]:
    """Each cell's number as the wires see the cells."""
    numbers, order = values.of(keys.numbers), values.of(keys.order)
    if numbers is not None and values.has(keys.order.path):
        raise Mistake(keys.numbers.path, "is another way to say what order says; leave one of them out")
    if values.has(keys.first.path) and (numbers is not None or not isinstance(order, str)):
        raise Mistake(keys.first.path, "goes only with an order that is a word; a list begins where it begins")
    if isinstance(numbers, tuple):
        return _in_reading_order(numbers, grid, keys)
    if numbers is not None:
        _refuse_odd(numbers, grid, keys.numbers.path, keys.what)
        return _own(numbers, keys)
    if isinstance(order, tuple):
        return _along(order, grid, keys)
    try:
        return _one_by_one(ordered(grid, order, values.of(keys.first)))
    except Misplaced as reason:
        raise Mistake(keys.order.path, str(reason)) from None


def _one_by_one(cells: Iterable[Cell]) -> Mapping[Cell, int]:
    return {cell: number for number, cell in enumerate(cells)}


def _in_reading_order(numbers: tuple[int, ...], grid: Grid, keys: _Numbered) -> Mapping[Cell, int]:
    if len(numbers) != len(grid.cells):
        raise Mistake(
            keys.numbers.path, f"has {counted(len(numbers), 'number')} for {counted(len(grid.cells), 'cell')}"
        )
    return _own(dict(zip(reading(grid), numbers, strict=True)), keys)


def _along(cells: tuple[Cell, ...], grid: Grid, keys: _Numbered) -> Mapping[Cell, int]:
    found: dict[Cell, int] = {}
    for number, cell in enumerate(cells):
        if cell in found:
            raise Mistake(
                keys.order.path,
                f"cell {cell} appears twice ({keys.plural} {found[cell]} and {number}); "
                f"every cell needs exactly one {keys.what}",
            )
        found[cell] = number
    _refuse_odd(found, grid, keys.order.path, keys.what)
    return found


def _refuse_odd(cells: Mapping[Cell, int], grid: Grid, key: str, what: str) -> None:
    """Cells that the board does not have, or has and that are left out."""
    for cell in cells:
        if cell not in grid.places:
            raise Mistake(key, f"there is no cell {cell} on this board; {_like(cell, grid)}")
    for cell in grid.cells:
        if cell not in cells:
            raise Mistake(key, f"cell {cell} is missing; every cell needs exactly one {what}")


def _like(cell: Cell, grid: Grid) -> str:
    return (
        nearest(cell, grid.cells) if len(grid.cells) <= 9 else f"its {len(grid.cells)} cells begin with {grid.cells[0]}"
    )


def _own(numbers: Mapping[Cell, int], keys: _Numbered) -> Mapping[Cell, int]:
    owners: dict[int, Cell] = {}
    for cell, number in numbers.items():
        owner = owners.setdefault(number, cell)
        if owner != cell:
            raise Mistake(
                keys.numbers.path, f"{keys.what} {number} belongs to {owner} and to {cell}; every cell needs its own"
            )
    return numbers


# --------------------------------------------------------------------------------------------- parts


def _pico(values: Values) -> Reader:
    return Pico(_matrix(values), values.of(schema.SERIAL).lower())


def _gpio(values: Values) -> Reader:
    return Gpio(_matrix(values))


def _matrix(values: Values) -> Matrix:
    return Matrix(values.of(schema.SCAN_ROWS), values.of(schema.SCAN_COLUMNS))


def _expander(values: Values) -> Reader:
    return Expander(1, values.of(schema.ADDRESSES), values.of(schema.INTERRUPT))


_READERS: Mapping[str, Callable[[Values], Reader]] = MappingProxyType(
    {"pico": _pico, "gpio": _gpio, "expander": _expander}
)


def _lamps(values: Values, layout: Layout) -> Lamps | None:
    if not values.has("lamps"):
        return None
    spi = values.of(schema.LAMPS_SPI)
    if values.of(schema.LAMPS_BY) == "max7219":
        return Max7219(spi, values.of(schema.CHIPS))
    count = values.of(schema.COUNT)
    return Ws2812(spi, max(layout.lamps.values()) + 1 if count is None else count, values.of(schema.COLOURS))


def _dice(values: Values) -> Dice | None:
    if not values.has("dice"):
        return None
    shown = values.of(schema.DICE_ON)
    if shown == "board":
        return DiceOnBoard()
    spi, chip = values.of(schema.DICE_SPI), values.of(schema.DICE_CHIP)
    if shown == "modules":
        return DiceModules(spi, chip)
    one, other = values.of(schema.DICE_DIGITS)
    return DiceDigits(spi, chip, (one, other))


def _buttons(values: Values) -> PiPins | PicoPins | None:
    if not values.has("buttons"):
        return None
    pins = {name: pin for name, key in schema.BUTTON_PINS.items() if (pin := values.of(key)) is not None}
    if not pins:
        raise Mistake("buttons", f"there are none in it; {listed(schema.BUTTON_PINS)} are what they can be")
    return _on(values.of(schema.BUTTONS_ON), pins)


def _on(whose: str, pins: Mapping[str, int]) -> PiPins | PicoPins:
    return PiPins(MappingProxyType(pins)) if whose == "pi" else PicoPins(MappingProxyType(pins))


def _button_lamps(values: Values) -> PiPins | PicoPins | Segments | None:
    if not values.has("button_lamps"):
        return None
    on = values.of(schema.BUTTON_LAMPS_ON)
    needed = "a segment such as A" if on == "segments" else "the number of a pin"
    found: dict[str, int] = {}
    for name, key in schema.BUTTON_LAMPS.items():
        given = values.of(key)
        if given is None:
            continue
        if isinstance(given, str) != (on == "segments"):
            raise Mistake(key.path, f"with on = {quoted(on)}, {needed} is needed, not {described(given)}")
        found[name] = given if isinstance(given, int) else SEGMENTS.index(given)
    if not found:
        raise Mistake("button_lamps", f"there are none in it; {listed(schema.BUTTON_LAMPS)} are what they can be")
    if on != "segments":
        return _on(on, found)
    spi, chip = values.of(schema.BUTTON_LAMPS_SPI), values.of(schema.BUTTON_LAMPS_CHIP)
    return Segments(spi, chip, values.of(schema.BUTTON_LAMPS_DIGIT), MappingProxyType(found))


def _power(values: Values) -> Power:
    return Power(
        supply=values.of(schema.SUPPLY),
        led_fuse_hold=values.of(schema.FUSE),
        led_cap=values.of(schema.CAP),
        pi_worst=values.of(schema.PI_WORST),
    )


# ------------------------------------------------------------------------------------------ overlays


def _overlays(values: Values, grid: Grid) -> Mapping[str, Mapping[Cell, Cell]]:
    found: dict[str, Mapping[Cell, Cell]] = {}
    for path, overlay in values.given.items():
        table, _, name = path.partition(".")
        if table == "overlays":
            found[name] = _overlay(path, name, cast("Mapping[Cell, Cell]", overlay), grid)
    return MappingProxyType(found)


def _overlay(path: str, name: str, overlay: Mapping[Cell, Cell], grid: Grid) -> Mapping[Cell, Cell]:
    games = _grid_named(name, overlay)
    if games is None:
        raise Mistake(
            path, "no game has such a grid; hexhex-4, square-8x8 and brick-8x8 are what their names look like"
        )
    odd = sorted(overlay.keys() ^ games.places.keys())
    if odd:
        reason = "is none of them" if odd[0] in overlay else "is missing"
        raise Mistake(
            path, f"the grid has {counted(len(games.cells), 'cell')}, the overlay {len(overlay)}; {odd[0]} {reason}"
        )
    owners: dict[Cell, Cell] = {}
    for cell, there in overlay.items():
        if there not in grid.places:
            raise Mistake(
                path, f"there is no cell {there} on this board, where {cell} should lie; {_like(there, grid)}"
            )
        owner = owners.setdefault(there, cell)
        if owner != cell:
            raise Mistake(path, f"{owner} and {cell} lie on the same cell {there}; every cell needs its own")
    return overlay


_HEXAGON = re.compile(r"hexhex-([1-9]|1[0-5])")
_RECTANGLE = re.compile(r"(square|brick)-([1-9]|1[0-9]|2[0-6])x([1-9]|1[0-9]|2[0-6])")


def _grid_named(name: str, overlay: Mapping[Cell, Cell]) -> Grid | None:
    """A game's grid by its name; of the two that are called alike, the one whose cells the overlay names."""
    if found := _HEXAGON.fullmatch(name):
        return hexhex(int(found[1]))
    if not (found := _RECTANGLE.fullmatch(name)):
        return None
    rows, columns = int(found[2]), int(found[3])
    if found[1] == "brick":
        return brick(rows, columns)
    return square(rows) if rows == columns and "a1" in overlay else field(rows, columns)
