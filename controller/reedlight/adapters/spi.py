"""SPI: the two wires on which lamps are written, and what can be wrong with them.

    luma max7219 ──► luma spi ──┐
                                ├──► Line ──► Bus: spidev on a Raspberry Pi, or a simulated one
    luma neopixel ──► encoder ──┘

``OpenBus`` is the seam. Whatever opens buses is handed to the adapters that write on them: ``open_spidev``
is the real one, and a simulator brings its own. A bus is opened here and not by luma, which takes clocks
only from a list without 3 MHz and forgets why a device could not be opened.

SPI has no answer: what was written may have reached nobody. Hence lamps are written again from time to time,
and a ``LinkLost`` comes from the Raspberry Pi itself, never from a lamp.
"""

# luma comes without types:
# pyright: reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from errno import EACCES, ENOENT, EPERM
from importlib import import_module
from typing import Protocol

from luma.core.interface.serial import noop
from luma.core.interface.serial import spi as luma_spi

from reedlight.board.profile import Spi
from reedlight.ports import LinkLost

TRANSFER = 4096
"""The most bytes of one transfer: the kernel's buffer for spidev, unless somebody has changed it."""


class Bus(Protocol):
    """An open SPI device, in the words of ``spidev.SpiDev``."""

    def writebytes(self, values: Sequence[int], /) -> None:
        """Send these bytes, at most TRANSFER, as one transfer with the chip selected all the while."""
        ...

    def close(self) -> None:
        """Let the device go."""
        ...


OpenBus = Callable[[Spi, int], Bus]
"""Opens the device of a bus at a clock in hertz; raises LinkLost with the reason."""


def open_spidev(spi: Spi, clock: int) -> Bus:
    """The device as the Linux kernel offers it."""
    try:
        bus = import_module("spidev").SpiDev()
    except ImportError as reason:
        raise LinkLost(_lost(spi, "the Python package spidev is not there (apt install python3-spidev)")) from reason
    try:
        bus.open(spi.bus, spi.device)
        # The kernel keeps the mode that the last program has set.
        bus.mode = 0
        bus.max_speed_hz = clock
    except OSError as reason:
        bus.close()
        raise LinkLost(_lost(spi, _why(spi, reason))) from reason
    return bus


class Line:
    """An open bus whose errors are sentences; ``open`` and ``max_speed_hz`` are there because luma asks for them."""

    def __init__(self, spi: Spi, clock: int, open_bus: OpenBus) -> None:
        self.max_speed_hz = clock
        self._spi = spi
        self._bus = open_bus(spi, clock)

    def open(self, bus: int, device: int) -> None:
        """Nothing: the bus is open, and a second opening would leave the first behind."""

    def writebytes(self, values: Sequence[int]) -> None:
        """Send these bytes as one transfer. Raises LinkLost."""
        try:
            self._bus.writebytes(values)
        except OSError as reason:
            raise LinkLost(_lost(self._spi, reason.strerror or str(reason))) from reason

    def close(self) -> None:
        """Let the bus go, whatever state it is in."""
        with suppress(OSError):
            self._bus.close()

    def serial(self) -> luma_spi:
        """The line as a luma device takes it. Pins for data/command and reset are not driven: they are others'."""
        return luma_spi(
            spi=self, gpio=noop(), port=self._spi.bus, device=self._spi.device, bus_speed_hz=self.max_speed_hz
        )


def _lost(spi: Spi, why: str) -> str:
    return f"The lamps on /dev/spidev{spi.bus}.{spi.device} cannot be reached: {why}."


def _why(spi: Spi, reason: OSError) -> str:
    """Why a device could not be opened, and what to do about it."""
    if reason.errno == ENOENT:
        setting = "dtparam=spi=on" if spi.bus == 0 else f"dtoverlay=spi{spi.bus}-{spi.device + 1}cs"
        return f"this SPI bus is off (put {setting} into /boot/firmware/config.txt and restart the Raspberry Pi)"
    if reason.errno in (EACCES, EPERM):
        return "this user may not (sudo usermod -aG spi USER, then log in again)"
    return reason.strerror or str(reason)
