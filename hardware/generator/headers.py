"""Headers: the pins of the computers and chips, by the place where one counts them with a finger.

    Raspberry Pi    40 pins in two rows; pin 1 is at the corner with the square pad, even pins at the board's edge
    Pico            40 pins around; pin 1 is left of the USB socket, seen from above with the socket up
    DIP chips       pin 1 is left of the notch, counted counter-clockwise

A terminal's name tells what it is (``BCM10``, ``GP7``, ``SEG-A``); pins of one kind that there are several of carry
their place (``GND-6``).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from reedlight.board.profile import Spi

_PI = (
    "3V3-1 5V-2 BCM2 5V-4 BCM3 GND-6 BCM4 BCM14 GND-9 BCM15 BCM17 BCM18 BCM27 GND-14 BCM22 BCM23 3V3-17 BCM24 "
    "BCM10 GND-20 BCM9 BCM25 BCM11 BCM8 GND-25 BCM7 BCM0 BCM1 BCM5 GND-30 BCM6 BCM12 BCM13 GND-34 BCM19 BCM16 "
    "BCM26 BCM20 GND-39 BCM21"
)
_PICO = (
    "GP0 GP1 GND-3 GP2 GP3 GP4 GP5 GND-8 GP6 GP7 GP8 GP9 GND-13 GP10 GP11 GP12 GP13 GND-18 GP14 GP15 "
    "GP16 GP17 GND-23 GP18 GP19 GP20 GP21 GND-28 GP22 RUN GP26 GP27 GND-33 GP28 VREF 3V3 3V3-EN GND-38 VSYS VBUS"
)
_SHIFTER = "1OE 1A 1Y 2OE 2A 2Y GND 3Y 3A 3OE 4Y 4A 4OE VCC"
_MAX7219 = (
    "DIN DIG-0 DIG-4 GND-4 DIG-6 DIG-2 DIG-3 DIG-7 GND-9 DIG-5 DIG-1 LOAD "
    "CLK SEG-A SEG-F SEG-B SEG-G ISET V+ SEG-C SEG-E SEG-DP SEG-D DOUT"
)
_DIGIT = "E D COM-3 C DP B A COM-8 F G"


def _counted(names: str) -> tuple[str, ...]:
    return tuple(names.split())


PINS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "pi": _counted(_PI),
        "pico": _counted(_PICO),
        "shifter": _counted(_SHIFTER),
        "max7219": _counted(_MAX7219),
        "digit": _counted(_DIGIT),
    }
)
"""By the part, its pins in the order in which they are counted, pin 1 first."""

OFF_HEADER: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"pi": ("USB", "POWER-plus", "POWER-minus"), "pico": ("USB",)}
)
"""By the part, its sockets."""


def pin_number(part: str, name: str) -> int | None:
    """Where a pin is, counted from 1; None for sockets and for parts whose pins are not counted."""
    names = PINS.get(part, ())
    return names.index(name) + 1 if name in names else None


_MOSI = MappingProxyType({0: 10, 1: 20})
_CLOCK = MappingProxyType({0: 11, 1: 21})
_SELECTS = MappingProxyType({0: (8, 7), 1: (18, 17, 16)})


def data_pin(spi: Spi) -> str:
    """The Pi's pin that a bus sends data on."""
    return f"BCM{_MOSI[spi.bus]}"


def clock_pin(spi: Spi) -> str:
    """The Pi's pin with a bus's clock."""
    return f"BCM{_CLOCK[spi.bus]}"


def select_pin(spi: Spi) -> str:
    """The Pi's pin that selects one device of a bus; a MAX7219 loads when it rises."""
    return f"BCM{_SELECTS[spi.bus][spi.device]}"
