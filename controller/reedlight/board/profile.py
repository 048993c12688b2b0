"""A profile: one physical board as values, from the cells that people see to the pins that wires go to.

    cell ──layout──► switch number ──reader──► a pair of pins, or a bit of a chip
                └──► lamp number   ──driver──► a place on a string, or a segment of a chip

Numbers are the seam: a *switch* is a bit of a mask, a *lamp* a place in a frame, and how they are reached
is told by the reader and the driver alone.

    Matrix      switch = row x columns + column       (a Pico's pins or the Pi's own)
    Expander    switch = 16 x chip + bit
    Ws2812      lamp n is the n-th of the string
    Max7219     lamp = 64 x chip + 8 x digit + bit     (bit 0..7 is G F E D C B A DP)

``read`` in ``board.toml`` makes a profile of a text and refuses mistakes; this file only says what one is.
Pins are numbers of the chip (BCM on a Raspberry Pi, GP on a Pico), never of the header.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reedlight.board.layout import Layout
from reedlight.core.grid import Cell, Grid

BUTTONS = ("go", "next", "back", "hint")
"""The names of the buttons, in the order in which a mask of buttons counts them."""


class ConfigError(ValueError):
    """A file says something that cannot be; the message names the file, the key and the reason."""


# ------------------------------------------------------------------------------------------ switches


@dataclass(frozen=True, slots=True)
class Matrix:
    """Switches at the crossings of row and column lines, each line a pin."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many switches there can be."""
        return len(self.rows) * len(self.columns)


@dataclass(frozen=True, slots=True)
class Pico:
    """A microcontroller on USB that scans the matrix on pins of its own."""

    matrix: Matrix
    serial: str = ""
    """The USB serial number it must have; any Pico will do if it is empty."""


@dataclass(frozen=True, slots=True)
class Gpio:
    """The matrix on the Raspberry Pi's own pins."""

    matrix: Matrix


@dataclass(frozen=True, slots=True)
class Expander:
    """PCA9555 chips on I2C, sixteen switches to ground on each."""

    bus: int
    addresses: tuple[int, ...]
    interrupt: int | None
    """The Pi's pin that the chips pull low when an input changes; None if it is not wired."""

    @property
    def count(self) -> int:
        """How many switches there can be."""
        return 16 * len(self.addresses)


Reader = Pico | Gpio | Expander

# --------------------------------------------------------------------------------------------- lamps


@dataclass(frozen=True, slots=True)
class Spi:
    """One device on one SPI bus of the Raspberry Pi: ``/dev/spidev<bus>.<device>``."""

    bus: int
    device: int


@dataclass(frozen=True, slots=True)
class Ws2812:
    """One string of RGB lamps whose data line is the bus's MOSI."""

    spi: Spi
    count: int
    order: str = "GRB"
    """The order in which a lamp takes its channels."""


@dataclass(frozen=True, slots=True)
class Max7219:
    """A chain of MAX7219 chips; the first ``chips`` of it light the board, 64 lamps each."""

    spi: Spi
    chips: int

    @property
    def count(self) -> int:
        """How many lamps there can be."""
        return 64 * self.chips


Lamps = Ws2812 | Max7219

# ----------------------------------------------------------------------------------- dice and buttons


@dataclass(frozen=True, slots=True)
class DiceModules:
    """Two 8x8 modules on a MAX7219 chain, one for each die: chips ``first`` and ``first + 1``."""

    spi: Spi
    first: int


@dataclass(frozen=True, slots=True)
class DiceDigits:
    """Two seven-segment digits of one MAX7219 chip."""

    spi: Spi
    chip: int
    digits: tuple[int, int]


@dataclass(frozen=True, slots=True)
class DiceOnBoard:
    """No display of their own: the dice are shown on the board for a moment."""


Dice = DiceModules | DiceDigits | DiceOnBoard


@dataclass(frozen=True, slots=True)
class PiPins:
    """Buttons (to ground) or their lamps (from the pin) on the Raspberry Pi, a pin for each name."""

    pins: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PicoPins:
    """Buttons or their lamps on the Pico, a pin for each name."""

    pins: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Segments:
    """Lamps of buttons as segments of one digit of a MAX7219 chip: for each name its bit, 0 to 7."""

    spi: Spi
    chip: int
    digit: int
    bits: Mapping[str, int]


# --------------------------------------------------------------------------------------------- power


@dataclass(frozen=True, slots=True)
class Power:
    """What the lamps may draw of the supply, in amperes at 5 V; 0 where the driver limits it by itself."""

    supply: float
    led_fuse_hold: float
    led_cap: float
    pi_worst: float


# --------------------------------------------------------------------------------------------- buses


@dataclass(frozen=True, slots=True)
class Buses:
    """What the Raspberry Pi enables at start: the chip selects of each SPI bus, and I2C; 0 is off."""

    spi0: int = 0
    spi1: int = 0
    i2c1: bool = False


# ------------------------------------------------------------------------------------------- profile


@dataclass(frozen=True, slots=True)
class Profile:
    """One board: its cells, its wiring, its power."""

    name: str
    title: str
    grid: Grid
    """The board's own cells, seen by the player at the lower edge."""
    layout: Layout
    """Every cell's switch and lamp, rotation applied."""
    reader: Reader
    lamps: Lamps | None
    dice: Dice | None
    buttons: PiPins | PicoPins | None
    button_lamps: PiPins | PicoPins | Segments | None
    power: Power
    pitch: float
    """Millimetres from a cell's centre to its neighbour's."""
    overlays: Mapping[str, Mapping[Cell, Cell]]
    """By the name of a game's grid, the board's cell for each of the game's; for grids not derived."""
    buses: Buses = Buses()
    """What the Pi enables; the pins of a bus that is on have no other use."""
