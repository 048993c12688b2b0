"""Checks: what cannot be on a board although every single value could; found before anything is soldered or lit.

    parts       what hangs on a Pico has one, what shines through the board has lamps
    wires       each pin exists, is free and has one use       "buttons.back: BCM 6 (button back) is already …"
    counts      every cell has a switch that can be read and a lamp that can be lit
    buses       each device's bus is on, and nothing else speaks on the line of an RGB string
    chains      each chip of a MAX7219 chain has one use, and none is left out
    power       fuse and supply carry what the lamps may draw, with a fifth to spare

A *mistake* names the key that somebody has to change. Checks look at a profile's values and do not know in
what words a file gave them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from reedlight.board.kinds import counted, listed
from reedlight.board.profile import (
    DiceDigits,
    DiceModules,
    DiceOnBoard,
    Expander,
    Max7219,
    Pico,
    PicoPins,
    PiPins,
    Profile,
    Segments,
    Spi,
    Ws2812,
)
from reedlight.board.tables import Mistake
from reedlight.core.grid import Cell

LONGEST_STRING = 322
"""Lamps of one string: 12 bytes each and 226 of pause fill the 4096 bytes of one transfer, which must not be cut."""
SPARE = 0.8
"""The share of a fuse's or a supply's current that may be used."""
DARK_LAMP = 0.001
"""Amperes that one lamp of an RGB string draws while it is dark."""
FULL_CHIP = 0.165
"""Amperes of a MAX7219 with all its lamps lit, at 20 mA a segment."""
FULL_MODULE = 0.08
"""Amperes of an 8x8 module of dice with all its lamps lit, at the intensity that dice have."""
SMALL_THINGS = 0.12
"""Amperes of a Pico and the lamps of buttons that hang on pins."""

# Sums of amperes that differ by less are equal.
_ROUNDING = 1e-9


def mistakes(profile: Profile) -> Iterator[Mistake]:
    """Everything that is wrong with a board as a whole."""
    yield from _parts(profile)
    yield from _pins(profile)
    yield from _counts(profile)
    yield from _buses(profile)
    yield from _chains(profile)
    yield from _power(profile)


# --------------------------------------------------------------------------------------------- parts


def _parts(profile: Profile) -> Iterator[Mistake]:
    """What is said to be on a part that the board does not have."""
    for table, pins in (("buttons", profile.buttons), ("button_lamps", profile.button_lamps)):
        if isinstance(pins, PicoPins) and not isinstance(profile.reader, Pico):
            yield Mistake(f"{table}.on", "this board has no Pico; one is there where scan.by is pico")
    if isinstance(profile.dice, DiceOnBoard) and profile.lamps is None:
        yield Mistake("dice.on", "the board has no lamps that could show the dice")
    buttons = profile.buttons.pins.keys() if profile.buttons else frozenset[str]()
    for name in _names(profile.button_lamps):
        if name not in buttons:
            yield Mistake(f"button_lamps.{name}", f"there is no button {name} to have a lamp")


def _names(lamps: PiPins | PicoPins | Segments | None) -> tuple[str, ...]:
    if lamps is None:
        return ()
    return tuple(lamps.bits if isinstance(lamps, Segments) else lamps.pins)


# --------------------------------------------------------------------------------------------- wires


@dataclass(frozen=True, slots=True)
class Wire:
    """One pin and what it is for."""

    chip: str
    """``BCM`` for the Raspberry Pi, ``GP`` for the Pico, as their pins are called."""
    pin: int
    use: str
    """What hangs on it: ``row 3``."""
    key: str
    """The key of the file that says so."""


def wires(profile: Profile) -> tuple[Wire, ...]:
    """Every pin in use, those of the enabled buses first."""
    return (*_claimed(profile), *_matrix(profile), *_buttons(profile))


_SPI0 = ((10, "MOSI"), (9, "MISO"), (11, "SCLK"), (8, "CE0"), (7, "CE1"))
_SPI1 = ((20, "MOSI"), (19, "MISO"), (21, "SCLK"), (18, "CE0"), (17, "CE1"), (16, "CE2"))
# The wires of a bus before its chip selects.
_SHARED = 3


def _claimed(profile: Profile) -> Iterator[Wire]:
    for name, selects, pins in (("SPI0", profile.buses.spi0, _SPI0), ("SPI1", profile.buses.spi1, _SPI1)):
        for pin, use in pins[: _SHARED + selects] if selects else ():
            yield Wire("BCM", pin, f"{use} of {name}", f"buses.{name.lower()}")
    if profile.buses.i2c1:
        yield Wire("BCM", 2, "SDA of I2C1", "buses.i2c1")
        yield Wire("BCM", 3, "SCL of I2C1", "buses.i2c1")


def _matrix(profile: Profile) -> Iterator[Wire]:
    reader = profile.reader
    if isinstance(reader, Expander):
        if reader.interrupt is not None:
            yield Wire("BCM", reader.interrupt, "the interrupt", "scan.interrupt")
        return
    chip = "GP" if isinstance(reader, Pico) else "BCM"
    for number, pin in enumerate(reader.matrix.rows):
        yield Wire(chip, pin, f"row {number}", "scan.rows")
    for number, pin in enumerate(reader.matrix.columns):
        yield Wire(chip, pin, f"column {number}", "scan.columns")


def _buttons(profile: Profile) -> Iterator[Wire]:
    for table, what, pins in (
        ("buttons", "button", profile.buttons),
        ("button_lamps", "the lamp of button", profile.button_lamps),
    ):
        if pins is None or isinstance(pins, Segments):
            continue
        chip = "BCM" if isinstance(pins, PiPins) else "GP"
        for name, pin in pins.pins.items():
            yield Wire(chip, pin, f"{what} {name}", f"{table}.{name}")


def _pins(profile: Profile) -> Iterator[Mistake]:
    owners: dict[tuple[str, int], Wire] = {}
    for wire in wires(profile):
        absent = _ABSENT[wire.chip](wire.pin)
        if absent:
            yield Mistake(wire.key, f"{wire.chip} {wire.pin} ({wire.use}) {absent}")
        owner = owners.setdefault((wire.chip, wire.pin), wire)
        if owner is not wire:
            again = _freed(owner) or "every pin has one use"
            yield Mistake(wire.key, f"{wire.chip} {wire.pin} ({wire.use}) is already {owner.use}; {again}")


def _freed(owner: Wire) -> str:
    """How to free a pin that a bus has claimed."""
    if not owner.key.startswith("buses."):
        return ""
    if owner.use.startswith(("CE1", "CE2")):
        return f"fewer chip selects in {owner.key} free it"
    return f"{owner.key} claims it"


def _not_on_a_pi(pin: int) -> str:
    if pin in {0, 1}:
        return "belongs to the EEPROM of a HAT and is never free"
    return "" if 2 <= pin <= 27 else "is not on a Raspberry Pi's header, which has BCM 2 to 27"


def _not_on_a_pico(pin: int) -> str:
    if pin in {23, 24, 25, 29}:
        return "is taken by the Pico itself; GP 0 to 22 and 26 to 28 have pads"
    return "" if 0 <= pin <= 28 else "is not on a Pico, which has GP 0 to 22 and 26 to 28"


_ABSENT = MappingProxyType({"BCM": _not_on_a_pi, "GP": _not_on_a_pico})


# -------------------------------------------------------------------------------------------- counts


def _counts(profile: Profile) -> Iterator[Mistake]:
    reader, lamps = profile.reader, profile.lamps
    there = reader.count if isinstance(reader, Expander) else reader.matrix.count
    yield from _numbers("scan", "switch", profile.layout.switches, there, _said_of_switches(profile))
    if lamps is None:
        return
    yield from _numbers("lamps", "lamp", profile.layout.lamps, lamps.count, _said_of_lamps(lamps))
    last = max(profile.layout.lamps.values())
    if isinstance(lamps, Ws2812) and last + 1 < lamps.count:
        yield Mistake("lamps.count", f"the string has {lamps.count} lamps, and no cell has one after lamp {last}")
    if isinstance(lamps, Max7219) and last // 64 + 1 < lamps.chips:
        yield Mistake("lamps.chips", f"chip {lamps.chips - 1} lights no cell; the last one is lit by chip {last // 64}")
    if isinstance(lamps, Ws2812) and lamps.count > LONGEST_STRING:
        yield Mistake(
            "lamps.count", f"{lamps.count} lamps are more than one transfer holds, which ends after {LONGEST_STRING}"
        )


def _numbers(table: str, what: str, numbers: Mapping[Cell, int], there: int, by: tuple[str, str]) -> Iterator[Mistake]:
    key, given_by = by
    if len(numbers) > there:
        yield Mistake(key, f"{len(numbers)} cells need {counted(len(numbers), what)}, and {given_by} make {there}")
        return
    for cell, number in numbers.items():
        if number >= there:
            yield Mistake(
                f"{table}.numbers",
                f"cell {cell} has {what} {number}, and {given_by} make {there}, counted from 0",
            )


def _said_of_switches(profile: Profile) -> tuple[str, str]:
    reader = profile.reader
    if isinstance(reader, Expander):
        return "scan.addresses", f"{counted(len(reader.addresses), 'chip')} of 16"
    return "scan.rows", f"{counted(len(reader.matrix.rows), 'row')} x {counted(len(reader.matrix.columns), 'column')}"


def _said_of_lamps(lamps: Ws2812 | Max7219) -> tuple[str, str]:
    if isinstance(lamps, Ws2812):
        return "lamps.count", "the lamps of the string"
    return "lamps.chips", f"{counted(lamps.chips, 'chip')} of 64"


# --------------------------------------------------------------------------------------------- buses


@dataclass(frozen=True, slots=True)
class _Device:
    spi: Spi
    table: str


def _devices(profile: Profile) -> Iterator[_Device]:
    for table, part in (
        ("lamps", profile.lamps),
        ("dice", profile.dice),
        ("button_lamps", profile.button_lamps),
    ):
        if isinstance(part, Ws2812 | Max7219 | DiceModules | DiceDigits | Segments):
            yield _Device(part.spi, table)


def _buses(profile: Profile) -> Iterator[Mistake]:
    selects = {0: profile.buses.spi0, 1: profile.buses.spi1}
    for device in _devices(profile):
        spi = device.spi
        if spi.device >= selects[spi.bus]:
            state = f"has {selects[spi.bus]}" if selects[spi.bus] else "is off"
            needed = f"SPI{spi.bus} with {counted(spi.device + 1, 'chip select')}"
            yield Mistake(
                f"{device.table}.spi",
                f'"{spi.bus}.{spi.device}" needs {needed}, and it {state}; say so as spi{spi.bus} in [buses]',
            )
    if isinstance(profile.lamps, Ws2812):
        yield from _beside_the_string(profile, profile.lamps)
    if isinstance(profile.reader, Expander) and not profile.buses.i2c1:
        yield Mistake("scan.by", "expanders need I2C1, and it is off; say i2c1 = true in [buses]")


def _beside_the_string(profile: Profile, string: Ws2812) -> Iterator[Mistake]:
    if string.spi.bus != 0:
        yield Mistake("lamps.spi", "an RGB string needs SPI0: only that bus sends without gaps")
    for device in _devices(profile):
        if device.table != "lamps" and device.spi.bus == string.spi.bus:
            yield Mistake(
                f"{device.table}.spi",
                f"SPI{string.spi.bus} carries the RGB string, which would take what MAX7219 chips are told for "
                f"colours; they need the other bus",
            )


# -------------------------------------------------------------------------------------------- chains


def _chains(profile: Profile) -> Iterator[Mistake]:
    """Which chip of which chain is whose; the board's own chips come first."""
    owners: dict[tuple[Spi, int], tuple[str, str]] = {}
    for key, use, spi, chips in _chips(profile):
        for chip in chips:
            owner_key, owner = owners.setdefault((spi, chip), (key, use))
            if owner_key != key and not _share(profile, owner_key, key):
                yield Mistake(key, f"chip {chip} is {owner}, so it cannot be {use}; every chip has one use")
    for spi in {spi for spi, _ in owners}:
        yield from _gaps(spi, {chip: key for (on, chip), (key, _) in owners.items() if on == spi})
    if isinstance(profile.button_lamps, Segments):
        yield from _segments(profile, profile.button_lamps)


def _chips(profile: Profile) -> Iterator[tuple[str, str, Spi, range]]:
    lamps, dice, buttons = profile.lamps, profile.dice, profile.button_lamps
    if isinstance(lamps, Max7219):
        yield "lamps.chips", "a chip of the board's lamps", lamps.spi, range(lamps.chips)
    if isinstance(dice, DiceModules):
        yield "dice.chip", "a module of the dice", dice.spi, range(dice.first, dice.first + 2)
    if isinstance(dice, DiceDigits):
        yield "dice.chip", "the chip of the dice", dice.spi, range(dice.chip, dice.chip + 1)
    if isinstance(buttons, Segments):
        yield "button_lamps.chip", "the chip of the buttons' lamps", buttons.spi, range(buttons.chip, buttons.chip + 1)


def _share(profile: Profile, *keys: str) -> bool:
    """Digits of dice and of buttons' lamps may be on one chip."""
    return isinstance(profile.dice, DiceDigits) and set(keys) == {"dice.chip", "button_lamps.chip"}


def _gaps(spi: Spi, keys: Mapping[int, str]) -> Iterator[Mistake]:
    for chip in sorted(keys):
        if chip > 0 and chip - 1 not in keys:
            yield Mistake(
                keys[chip],
                f"chip {chip} is used and chip {chip - 1} before it on {spi.bus}.{spi.device} is not; a chain is "
                f"counted from the Raspberry Pi, from 0, without gaps",
            )


def _segments(profile: Profile, lamps: Segments) -> Iterator[Mistake]:
    dice = profile.dice
    same_chip = isinstance(dice, DiceDigits) and (dice.spi, dice.chip) == (lamps.spi, lamps.chip)
    if isinstance(dice, DiceDigits) and same_chip and lamps.digit in dice.digits:
        yield Mistake("button_lamps.digit", f"digit {lamps.digit} shows a die; the dice have {listed(dice.digits)}")
    owners: dict[int, str] = {}
    for name, bit in lamps.bits.items():
        owner = owners.setdefault(bit, name)
        if owner != name:
            yield Mistake(f"button_lamps.{name}", f"the lamp of button {owner} is that segment; every lamp has its own")


# --------------------------------------------------------------------------------------------- power


def drawn(profile: Profile) -> float:
    """The most that the whole board draws while the program works, in amperes at 5 V."""
    return _by_lamps(profile) + _by_console(profile) + profile.power.pi_worst


def _by_lamps(profile: Profile) -> float:
    if isinstance(profile.lamps, Max7219):
        return profile.lamps.chips * FULL_CHIP
    return profile.power.led_cap


def _by_console(profile: Profile) -> float:
    """Dice, buttons' lamps and a Pico; a chip that two of them share is counted once."""
    chips: set[tuple[Spi, int]] = set()
    for part in (profile.dice, profile.button_lamps):
        if isinstance(part, DiceDigits | Segments):
            chips.add((part.spi, part.chip))
    modules = 2 * FULL_MODULE if isinstance(profile.dice, DiceModules) else 0.0
    on_pins = profile.button_lamps is not None and not isinstance(profile.button_lamps, Segments)
    small = SMALL_THINGS if on_pins or isinstance(profile.reader, Pico) else 0.0
    return modules + len(chips) * FULL_CHIP + small


def _power(profile: Profile) -> Iterator[Mistake]:
    power, lamps = profile.power, profile.lamps
    if isinstance(lamps, Ws2812) and power.led_cap <= lamps.count * DARK_LAMP:
        yield Mistake(
            "power.led_cap",
            f"{power.led_cap:g} A would not light anything: {lamps.count} dark lamps of a string draw "
            f"{lamps.count * DARK_LAMP:g} A",
        )
    if not isinstance(lamps, Ws2812) and power.led_cap:
        yield Mistake("power.led_cap", "only an RGB string is held to a cap; leave it out")
    lit, hold = _by_lamps(profile), power.led_fuse_hold
    if isinstance(lamps, Ws2812) and not hold:
        yield Mistake("power.led_fuse_hold", "an RGB string needs a fuse of its own; what does it hold, in amperes?")
    elif hold and lit > SPARE * hold + _ROUNDING:
        yield Mistake(
            "power.led_cap" if isinstance(lamps, Ws2812) else "power.led_fuse_hold",
            f"the lamps may draw {lit:.2f} A, more than {SPARE:.0%} of the {hold:g} A that their fuse holds",
        )
    if (worst := drawn(profile)) > SPARE * power.supply + _ROUNDING:
        yield Mistake(
            "power.supply",
            f"the board may draw {worst:.2f} A, more than {SPARE:.0%} of the {power.supply:g} A of the supply",
        )
