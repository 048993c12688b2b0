"""A simulated I2C bus with PCA9555 chips on it, register by register.

    command   0, 1       2, 3      4, 5       6, 7           port = the lowest bit; one after the other
    register  inputs     outputs   inverted   1 = an input   they go to and fro within their pair
              (read)

The real driver for the chips runs above it; hand a ``SimulatedBus`` to it where ``smbus2.SMBus`` would be.
What is closed is asked of the simulator's world each time.

A chip remembers each port's inputs as they were last read, and pulls the common interrupt line low while one
of them is otherwise. It has the mistake of the real one too: with its command byte at 0 it takes what it
sees as read as soon as another chip answers.

Nothing here knows a cell or a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from errno import EBADF, EREMOTEIO
from functools import partial

INPUTS, OUTPUTS, INVERTED, CONFIGURATION = range(4)
"""The pairs of registers: half of the command byte."""
COMMANDS = 8


class Pca9555:
    """One chip; ``grounded`` tells which of its sixteen pins are tied to ground now, and the others float up."""

    def __init__(self, grounded: Callable[[], int]) -> None:
        self._grounded = grounded
        self._registers = {OUTPUTS: [0xFF, 0xFF], INVERTED: [0x00, 0x00], CONFIGURATION: [0xFF, 0xFF]}
        self._command = 0
        self._read = [self._level(0), self._level(1)]

    @property
    def interrupt(self) -> bool:
        """Whether it pulls the interrupt low: an input is not as it was last read."""
        return any((self._level(port) ^ self._read[port]) & self._registers[CONFIGURATION][port] for port in range(2))

    def write(self, command: int, values: Sequence[int]) -> None:
        """A command byte, and what follows it. Raises OSError for a command it does not have."""
        self._obey(command)
        for number, value in enumerate(values):
            pair, port = command >> 1, (command + number) & 1
            if pair != INPUTS:
                self._registers[pair][port] = value

    def read(self, command: int, count: int) -> list[int]:
        """A command byte, and this many bytes read. Raises OSError for a command it does not have."""
        self._obey(command)
        return [self._told(command >> 1, (command + number) & 1) for number in range(count)]

    def overhear(self) -> None:
        """Another chip on the bus has answered."""
        if self._command == 0:
            self._read = [self._level(0), self._level(1)]

    def _obey(self, command: int) -> None:
        if command >= COMMANDS:
            raise OSError(EREMOTEIO, "Remote I/O error")
        self._command = command

    def _told(self, pair: int, port: int) -> int:
        if pair != INPUTS:
            return self._registers[pair][port]
        self._read[port] = self._level(port)
        return self._read[port] ^ self._registers[INVERTED][port]

    def _level(self, port: int) -> int:
        """What the eight pins of a port are at: an output as it drives, an input as it is tied."""
        inputs = self._registers[CONFIGURATION][port]
        high = ~self._grounded() >> 8 * port & 0xFF
        return high & inputs | self._registers[OUTPUTS][port] & ~inputs


class SimulatedBus:
    """The bus and its chips, in the words of ``smbus2.SMBus``: switch = 16 x chip + bit, closed is to ground.

    ``gone`` are the addresses that answer no more, ``spoilt`` how many of the next transfers fail; both may be
    changed at any time. ``transfers`` counts those that went well.
    """

    def __init__(self, addresses: Sequence[int], closed: Callable[[], int]) -> None:
        self.chips = {address: Pca9555(partial(_grounded, closed, chip)) for chip, address in enumerate(addresses)}
        self.gone: set[int] = set()
        self.spoilt = 0
        self.transfers = 0
        self.closed = False

    def interrupt(self) -> bool:
        """Whether the common interrupt line is low."""
        return any(chip.interrupt for address, chip in self.chips.items() if address not in self.gone)

    def read_byte_data(self, address: int, register: int) -> int:
        """One byte from a register."""
        return self._addressed(address).read(register, 1)[0]

    def read_word_data(self, address: int, register: int) -> int:
        """Two bytes from a register on, the first of them the low byte."""
        low, high = self._addressed(address).read(register, 2)
        return high << 8 | low

    def write_byte_data(self, address: int, register: int, value: int) -> None:
        """One byte to a register."""
        self._addressed(address).write(register, [value])

    def write_word_data(self, address: int, register: int, value: int) -> None:
        """Two bytes to a register and the next, the low byte first."""
        self._addressed(address).write(register, [value & 0xFF, value >> 8])

    def close(self) -> None:
        """Let the bus go."""
        self.closed = True

    def _addressed(self, address: int) -> Pca9555:
        """The chip that answers, while the others hear that it does."""
        if self.closed:
            raise OSError(EBADF, "Bad file descriptor")
        spoilt, self.spoilt = self.spoilt > 0, max(self.spoilt - 1, 0)
        if spoilt or address in self.gone or address not in self.chips:
            raise OSError(EREMOTEIO, "Remote I/O error")
        for other, chip in self.chips.items():
            if other not in (address, *self.gone):
                chip.overhear()
        self.transfers += 1
        return self.chips[address]


def _grounded(closed: Callable[[], int], chip: int) -> int:
    return closed() >> 16 * chip & 0xFFFF
