"""Schema: every key that a board's file may have, as one table for the reader and for the documentation.

    path            kind                    default      meaning                        goes with
    cells.side      whole number, 2 to 15   needed       cells along each edge …        shape "hexhex"
    scan.serial     hexadecimal digits      ""           the only Pico that will do …   by "pico"

What values mean together is not known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from reedlight.board.geometry import CORNERS, ORDERS
from reedlight.board.kinds import (
    Flag,
    Number,
    Numbering,
    Order,
    Overlay,
    PinOrSegment,
    Places,
    SpiDevice,
    Text,
    Whole,
    Wholes,
    Word,
)
from reedlight.board.profile import BUTTONS
from reedlight.board.tables import NEEDED, Key, Schema, Table
from reedlight.core.grid import Cell

TABLES = (
    Table("cells", needed=True, chooser="shape", meaning="the board as the player at the lower edge sees it"),
    Table("pitch", needed=False, chooser="", meaning="how large it is"),
    Table("scan", needed=True, chooser="by", meaning="the switches: what reads them, and which is under which cell"),
    Table("lamps", needed=False, chooser="by", meaning="the lamps: what lights them, and which is under which cell"),
    Table("dice", needed=False, chooser="on", meaning="where dice are shown"),
    Table("buttons", needed=False, chooser="on", meaning="the buttons, each from a pin to ground"),
    Table("button_lamps", needed=False, chooser="on", meaning="the lamps in the buttons"),
    Table("buses", needed=False, chooser="", meaning="what the Raspberry Pi enables at start; the pins are taken"),
    Table("power", needed=True, chooser="", meaning="what supply and fuse carry, in amperes at 5 V"),
    Table("overlays", needed=False, chooser="", meaning="where a game's cells lie that should not lie as derived"),
)
"""Every table, in the order in which a file is best read."""

_PINS = Wholes("pin", 1, 26, Whole(0, 99, "the number of a pin"))
_NUMBER = Whole(0, 9999, "a number")
_SPAN = Whole(2, 26)
_CHIP = Whole(0, 31, "the number of a chip")
_DIGIT = Whole(0, 7, "the number of a digit")
_PIN = Whole(0, 99, "the number of a pin")
_AMPERES = Number(0, 60, "amperes")
_LETTERS = "small letters and digits, joined by hyphens, at most 40"

NAME = Key("name", Text(_LETTERS, r"(?=.{1,40}\Z)[a-z0-9]+(-[a-z0-9]+)*"), NEEDED, "what programs call the board")
TITLE = Key("title", Text("a line of 1 to 80 characters", r"(?=.*\S).{1,80}"), NEEDED, "what people call it")

SHAPE = Key("cells.shape", Word(("square", "hexhex", "brick", "cells")), NEEDED, "what the board looks like")
SIZE: Key[int | None] = Key("cells.size", _SPAN, None, "columns and rows at once, where they are equal", ("square",))
COLUMNS: Key[int | None] = Key("cells.columns", _SPAN, None, "cells from left to right", ("square", "brick"))
ROWS: Key[int | None] = Key("cells.rows", _SPAN, None, "cells from near to far", ("square", "brick"))
SIDE = Key("cells.side", Whole(2, 15), NEEDED, "cells along each edge of the hexagon", ("hexhex",))
PLACES = Key(
    "cells.places", Places(100), NEEDED, "each cell's centre, in pitches to the right and away from you", ("cells",)
)
TURNED = Key(
    "cells.turned",
    Whole(0, 300, "whole degrees"),
    0,
    "degrees, counter-clockwise, from the board as the wires' orders see it to the board as the player sees it",
)

PITCH = Key("pitch.cell", Number(5, 200, "millimetres"), 45.0, "from a cell's centre to its neighbour's")

_MATRIX = ("pico", "gpio")
SCAN_BY = Key("scan.by", Word(("pico", "gpio", "expander")), NEEDED, "a Pico's matrix, the Pi's own, or PCA9555 chips")
SCAN_ROWS = Key("scan.rows", _PINS, NEEDED, "the pins of the rows: GP on a Pico, BCM on the Pi", _MATRIX)
SCAN_COLUMNS = Key("scan.columns", _PINS, NEEDED, "the pins of the columns; switch = row x columns + column", _MATRIX)
SERIAL = Key(
    "scan.serial",
    Text("hexadecimal digits, at most 32, or nothing", "[0-9a-fA-F]{0,32}"),
    "",
    "the only Pico that will do, by its USB serial number; empty for any",
    ("pico",),
)
ADDRESSES = Key(
    "scan.addresses",
    Wholes("address", 1, 8, Whole(0x20, 0x27, "an address", "#x")),
    NEEDED,
    "the chips on I2C1; switch = 16 x chip + bit",
    ("expander",),
)
INTERRUPT: Key[int | None] = Key(
    "scan.interrupt", _PIN, None, "the BCM pin that the chips pull low when a switch changes", ("expander",)
)
_ORDER_MEANS = "how the numbers run over the cells: a word, or all cells one after the other from number 0"
_FIRST_MEANS = "the corner where an order that is a word begins"
_NUMBERS_MEAN = "each cell's number, in place of an order"
SCAN_ORDER: Key[str | tuple[Cell, ...]] = Key("scan.order", Order(ORDERS), "rows", _ORDER_MEANS)
SCAN_FIRST = Key("scan.first", Word(CORNERS), "lower left", _FIRST_MEANS)
SCAN_NUMBERS: Key[tuple[int, ...] | Mapping[Cell, int] | None] = Key(
    "scan.numbers", Numbering(_NUMBER), None, _NUMBERS_MEAN
)

LAMPS_BY = Key("lamps.by", Word(("ws2812", "max7219")), NEEDED, "an RGB string, or a chain of MAX7219 chips")
LAMPS_SPI = Key("lamps.spi", SpiDevice(), NEEDED, "where it hangs: bus and device")
COUNT: Key[int | None] = Key(
    "lamps.count", Whole(1, 10000), None, "the string's lamps; as many as cells need if not given", ("ws2812",)
)
COLOURS = Key(
    "lamps.colours",
    Word(("GRB", "RGB", "BGR", "BRG", "GBR", "RBG")),
    "GRB",
    "the order in which a lamp takes its channels",
    ("ws2812",),
)
CHIPS = Key(
    "lamps.chips",
    Whole(1, 32),
    NEEDED,
    "the first chips of the chain; lamp = 64 x chip + 8 x digit + bit",
    ("max7219",),
)
LAMPS_ORDER: Key[str | tuple[Cell, ...]] = Key("lamps.order", Order(ORDERS), "rows", _ORDER_MEANS)
LAMPS_FIRST = Key("lamps.first", Word(CORNERS), "lower left", _FIRST_MEANS)
LAMPS_NUMBERS: Key[tuple[int, ...] | Mapping[Cell, int] | None] = Key(
    "lamps.numbers", Numbering(_NUMBER), None, _NUMBERS_MEAN
)

_CHAINED = ("modules", "digits")
DICE_ON = Key(
    "dice.on", Word(("modules", "digits", "board")), NEEDED, "two 8x8 modules, two seven-segment digits, or the board"
)
DICE_SPI = Key("dice.spi", SpiDevice(), NEEDED, "where their MAX7219 chain hangs", _CHAINED)
DICE_CHIP = Key("dice.chip", _CHIP, 0, "the chip of both digits, or of the first module; chips count from 0", _CHAINED)
DICE_DIGITS = Key("dice.digits", Wholes("digit", 2, 2, _DIGIT), (0, 1), "the digit of each die", ("digits",))

BUTTONS_ON = Key("buttons.on", Word(("pi", "pico")), NEEDED, "whose pins they are")
BUTTON_PINS: Mapping[str, Key[int | None]] = MappingProxyType(
    {name: Key(f"buttons.{name}", _PIN, None, f"the pin of the button {name.upper()}") for name in BUTTONS}
)

BUTTON_LAMPS_ON = Key(
    "button_lamps.on", Word(("pi", "pico", "segments")), NEEDED, "whose pins they are, or segments of a digit"
)
BUTTON_LAMPS_SPI = Key("button_lamps.spi", SpiDevice(), NEEDED, "where their MAX7219 chain hangs", ("segments",))
BUTTON_LAMPS_CHIP = Key("button_lamps.chip", _CHIP, 0, "the chip; chips count from 0", ("segments",))
BUTTON_LAMPS_DIGIT = Key("button_lamps.digit", _DIGIT, NEEDED, "the digit whose segments they are", ("segments",))
BUTTON_LAMPS: Mapping[str, Key[int | str | None]] = MappingProxyType(
    {
        name: Key(f"button_lamps.{name}", PinOrSegment(), None, f"the pin or segment of the lamp in {name.upper()}")
        for name in BUTTONS
    }
)

SPI0 = Key("buses.spi0", Whole(0, 2, "chip selects"), 0, "0: off; 1 (spi0-1cs): BCM 8-11; 2 (spi=on): BCM 7-11")
SPI1 = Key("buses.spi1", Whole(0, 3, "chip selects"), 0, "0: off; 1 (spi1-1cs): BCM 18-21; 2 and 3: 17 and 16 too")
I2C1 = Key("buses.i2c1", Flag(), default=False, meaning="true (i2c_arm=on): BCM 2 and 3")

SUPPLY = Key("power.supply", _AMPERES, NEEDED, "what the supply can give")
FUSE = Key("power.led_fuse_hold", _AMPERES, 0.0, "what the fuse of the lamps holds for ever; 0 where there is none")
CAP = Key("power.led_cap", _AMPERES, 0.0, "what the program lets an RGB string draw; other lamps have no cap")
PI_WORST = Key(
    "power.pi_worst", _AMPERES, 1.25, "the most that the Raspberry Pi draws of this supply; 0 if it has its own"
)

OVERLAYS: Key[Mapping[Cell, Cell] | None] = Key(
    "overlays.*", Overlay(), None, "by the name of a game's grid, the board's cell for each of its cells"
)

_CELLS = (SHAPE, SIZE, COLUMNS, ROWS, SIDE, PLACES, TURNED)
_SCAN = (SCAN_BY, SCAN_ROWS, SCAN_COLUMNS, SERIAL, ADDRESSES, INTERRUPT, SCAN_ORDER, SCAN_FIRST, SCAN_NUMBERS)
_LAMPS = (LAMPS_BY, LAMPS_SPI, COUNT, COLOURS, CHIPS, LAMPS_ORDER, LAMPS_FIRST, LAMPS_NUMBERS)
_DICE = (DICE_ON, DICE_SPI, DICE_CHIP, DICE_DIGITS)
_BUTTONS = (BUTTONS_ON, *BUTTON_PINS.values())
_BUTTON_LAMPS = (BUTTON_LAMPS_ON, BUTTON_LAMPS_SPI, BUTTON_LAMPS_CHIP, BUTTON_LAMPS_DIGIT, *BUTTON_LAMPS.values())
_BUSES = (SPI0, SPI1, I2C1)
_POWER = (SUPPLY, FUSE, CAP, PI_WORST)

SCHEMA = Schema(
    TABLES,
    (
        *(NAME, TITLE, *_CELLS, PITCH, *_SCAN, *_LAMPS, *_DICE),
        *(*_BUTTONS, *_BUTTON_LAMPS, *_BUSES, *_POWER, OVERLAYS),
    ),
)
"""Every key, table by table."""
