"""SPI as the lamps' chips hear it: a chain of MAX7219, a string of WS2812, and the wire that leads to them.

The adapters and luma above are the real ones; a ``Wire`` stands where ``spidev`` does. It knows bytes and a
clock, and makes of them what a chip sees:

    adapter ──► Node.open() ──► Wire.writebytes ──► bits and a clock ──► Chain: registers ──► lit()
                                                                    └──► String: pulses ──► colours()

A *chain* is one long shift register, sixteen bits a chip. When a transfer ends the chips are deselected, and
each obeys the word that stands in it: four bits say which register, eight what it shall hold.

A *string* hears one wire, no clock: only how long it is high and low. Every lamp takes the first 24 bits
that it hears and passes on the rest. After a long low all show what they took. What a lamp could not make
out, or might on a warmer day not, is written down in ``misread``.

    high for          WS2812B        V5             SK6812
    a 0               250-550 ns     220-380 ns     150-450 ns
    a 1               650-950 ns     580-1000 ns    450-750 ns
    low to show       50 us          280 us         80 us

Faults are commands: a chip that loses its registers, a lamp or a bit that is hit by noise, a device that
goes away. Nothing here knows luma, a profile or a cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from errno import EBADF, EIO
from os import strerror
from typing import Protocol

from reedlight.board.profile import Spi
from reedlight.ports import LinkLost
from reedlight.scene.palette import Colour

DARK = Colour(0, 0, 0)


class Chips(Protocol):
    """What hangs on a wire."""

    def hear(self, bits: str, clock: float) -> None:
        """Take one transfer: its bits, the first one first, at a clock in hertz."""
        ...


# ------------------------------------------------------------------------------------------- MAX7219

DECODE, INTENSITY, SCAN_LIMIT, SHUTDOWN, TEST = 0x9, 0xA, 0xB, 0xC, 0xF
"""The registers of a MAX7219 beside its eight digits, which are 1 to 8; 0 does nothing."""

_CODE_B = (0x7E, 0x30, 0x6D, 0x79, 0x33, 0x5B, 0x5F, 0x70, 0x7F, 0x7B, 0x01, 0x4F, 0x37, 0x0E, 0x67, 0x00)
"""The segments, A the highest of seven bits, that a decoding digit makes of 0 to 15: 0-9, -, E, H, L, P, dark."""
_POINT = 0x80

Lit = tuple[int, int, int]
"""A lit lamp of a chain: its chip (0 hears the wire first), its digit and its bit, from 0 to 7."""


class Chain:
    """MAX7219 chips one behind the other, as they wake up: dark, and asleep."""

    def __init__(self, chips: int) -> None:
        self._registers = [[0] * 16 for _ in range(chips)]
        self._shifted = 0

    def hear(self, bits: str, clock: float) -> None:  # noqa: ARG002  # up to 10 MHz the clock makes no difference
        """Shift the bits through the chain, then let every chip obey its word."""
        chips = len(self._registers)
        self._shifted = ((self._shifted << len(bits)) | int(bits, 2)) & ((1 << 16 * chips) - 1)
        for chip, registers in enumerate(self._registers):
            word = self._shifted >> 16 * chip & 0xFFFF
            registers[word >> 8 & 0xF] = word & 0xFF

    def lit(self) -> frozenset[Lit]:
        """The lamps that shine."""
        return frozenset(
            (chip, digit, bit)
            for chip in range(len(self._registers))
            for digit in range(8)
            for bit in range(8)
            if self._segments(chip, digit) >> bit & 1
        )

    def intensity(self, chip: int) -> int:
        """How bright the lamps of a chip are, 0 to 15."""
        return self._registers[chip][INTENSITY] & 0xF

    def forget(self, chip: int) -> None:
        """A dip of its supply: the chip is as it was when it woke up."""
        self._registers[chip] = [0] * 16

    def disturb(self, chip: int, register: int, value: int) -> None:
        """Noise: a register holds something else."""
        self._registers[chip][register] = value

    def _segments(self, chip: int, digit: int) -> int:
        registers = self._registers[chip]
        if registers[TEST] & 1:
            return 0xFF
        if not registers[SHUTDOWN] & 1 or digit > registers[SCAN_LIMIT] & 7:
            return 0
        held = registers[1 + digit]
        return held & _POINT | _CODE_B[held & 0xF] if registers[DECODE] >> digit & 1 else held


# -------------------------------------------------------------------------------------------- WS2812


@dataclass(frozen=True, slots=True)
class Model:
    """What a kind of lamp takes for a 0, for a 1 and for the end: times in nanoseconds."""

    name: str
    zero: tuple[int, int]
    one: tuple[int, int]
    reset: int


WS2812B = Model("WS2812B", (250, 550), (650, 950), 50_000)
WS2812B_V5 = Model("WS2812B-V5", (220, 380), (580, 1000), 280_000)
SK6812 = Model("SK6812", (150, 450), (450, 750), 80_000)
MODELS = (WS2812B, WS2812B_V5, SK6812)

DARK_LAMP = 0.001
"""Amperes that a lamp draws for its own chip."""
FULL_CHANNEL = 0.020
"""Amperes of one colour at full, of the thirstiest lamps on sale."""

_DOUBTFUL = 5_000
"""Nanoseconds of low after which some lamps, whatever their data sheet says, already believe that a frame has ended."""
_PAUSE = 10_000
"""Nanoseconds of low between two transfers, at the least: the kernel is never faster."""
_BITS = 24


class String:
    """RGB lamps one behind the other, dark as they wake up; ``order`` is how they take their channels."""

    def __init__(self, count: int, order: str = "GRB", model: Model = WS2812B) -> None:
        self.misread: list[str] = []
        """What no lamp can be sure of, in words."""
        self._order = order
        self._model = model
        self._shown = [DARK] * count
        self._heard: list[str] = []
        self._low = 0.0

    def hear(self, bits: str, clock: float) -> None:
        """Listen to the pulses of one transfer."""
        body = bits.lstrip("0")
        self._silence(_nanoseconds(bits.removesuffix(body), clock))
        pulses = body.rstrip("0")
        self._hear_pulses(pulses, clock)
        self._silence(_nanoseconds(body.removeprefix(pulses), clock))
        self._silence(_PAUSE)

    def _hear_pulses(self, bits: str, clock: float) -> None:
        """All at once where everything is as it should be, as it nearly always is; otherwise one by one."""
        pulses = re.findall("1+", bits)
        signs = {run: self._sign(_nanoseconds(run, clock)) for run in set(pulses)}
        longest = _nanoseconds(max(re.findall("0+", bits), default=""), clock)
        late = bool(self._heard) and self._low > _DOUBTFUL
        if pulses and not late and "" not in signs.values() and longest <= min(_DOUBTFUL, self._model.reset - 1):
            self._heard += [signs[run] for run in pulses]
            self._low = 0.0
            return
        for run in re.findall("1+|0+", bits):
            if run[0] == "1":
                self._pulse(_nanoseconds(run, clock))
            else:
                self._silence(_nanoseconds(run, clock))

    def colours(self) -> tuple[Colour, ...]:
        """What the lamps show."""
        return tuple(self._shown)

    def amperes(self) -> float:
        """What the string draws of 5 V."""
        return len(self._shown) * DARK_LAMP + sum(map(sum, self._shown)) / 255 * FULL_CHANNEL

    def disturb(self, lamp: int, colour: Colour) -> None:
        """Noise: a lamp shows something else."""
        self._shown[lamp] = colour

    def _sign(self, length: float) -> str:
        """What a pulse of this length is for certain: a 0, a 1, or neither."""
        (least, most), (low, high) = self._model.zero, self._model.one
        if least <= length <= most:
            return "0"
        return "1" if low <= length <= high else ""

    def _pulse(self, length: float) -> None:
        if self._heard and self._low > _DOUBTFUL:
            self.misread.append(f"low for {self._low:.0f} ns within a frame")
        if not self._sign(length):
            self.misread.append(f"high for {length:.0f} ns")
        self._heard.append("0" if length <= self._model.zero[1] else "1")
        self._low = 0.0

    def _silence(self, length: float) -> None:
        self._low += length
        if self._heard and self._low >= self._model.reset:
            self._show()

    def _show(self) -> None:
        """Every lamp shows the bits that were for it; what is left over has run out at the end."""
        heard, self._heard = "".join(self._heard), []
        if len(heard) % _BITS:
            self.misread.append(f"{len(heard)} bits, which is no whole number of lamps")
        for lamp in range(min(len(self._shown), len(heard) // _BITS)):
            self._shown[lamp] = self._colour(heard[lamp * _BITS : (lamp + 1) * _BITS])

    def _colour(self, bits: str) -> Colour:
        channels = {name: int(bits[8 * place : 8 * place + 8], 2) for place, name in enumerate(self._order)}
        return Colour(channels["R"], channels["G"], channels["B"])


def _nanoseconds(run: str, clock: float) -> float:
    return len(run) * 1e9 / clock


# ---------------------------------------------------------------------------------------- the wire

CORE_CLOCKS = (200_000_000, 250_000_000, 400_000_000, 500_000_000)
"""The hertz that SPI is divided from on the various Raspberry Pis."""
LONGEST = 4096
"""The most bytes that the kernel sends as one transfer."""


def divided(core: int, clock: int) -> float:
    """The clock one gets on asking for one: the core's by the next even number."""
    return core / (2 * -(-core // (2 * clock)))


class Node:
    """One device of a simulated Raspberry Pi and what is wired to it."""

    def __init__(self, chips: Chips, core: int = CORE_CLOCKS[1]) -> None:
        self.transfers = 0
        """How many transfers have come."""
        self.present = True
        """False while the device is gone: it can be neither opened nor written."""
        self._chips = chips
        self._core = core
        self._flips: list[int] = []

    def open(self, clock: int) -> Wire:
        """The device, opened at a clock in hertz."""
        return Wire(self, divided(self._core, clock))

    def flip(self, bit: int) -> None:
        """Noise: in the next transfer this bit, counted from 0, arrives as its opposite."""
        self._flips.append(bit)

    def send(self, values: bytes, clock: float) -> None:
        """Bring a transfer to the chips."""
        if not self.present:
            raise OSError(EIO, strerror(EIO))
        self.transfers += 1
        bits = bytearray(f"{int.from_bytes(values):0{8 * len(values)}b}", "ascii")
        for bit in self._flips:
            bits[bit] ^= 1
        self._flips.clear()
        self._chips.hear(bits.decode(), clock)


class Wire:
    """An open device, in the words of ``spidev.SpiDev`` that are used of it."""

    def __init__(self, node: Node, clock: float) -> None:
        self._node: Node | None = node
        self._clock = clock

    def writebytes(self, values: Sequence[int], /) -> None:
        """Send bytes as one transfer; like the real one it takes no list that is empty or too long."""
        if self._node is None:
            raise OSError(EBADF, strerror(EBADF))
        if not values:
            raise TypeError("Empty argument list.")
        if len(values) > LONGEST:
            raise OverflowError(f"Argument list size exceeds {LONGEST} bytes.")
        self._node.send(bytes(values), self._clock)

    def close(self) -> None:
        """Let the device go."""
        self._node = None


def opener(nodes: Mapping[Spi, Node]) -> Callable[[Spi, int], Wire]:
    """How adapters open the SPI devices of a simulated Raspberry Pi; LinkLost for one that is not there."""

    def open_wire(spi: Spi, clock: int) -> Wire:
        if spi not in nodes or not nodes[spi].present:
            raise LinkLost(f"There is no /dev/spidev{spi.bus}.{spi.device} on this simulated board.")
        return nodes[spi].open(clock)

    return open_wire
