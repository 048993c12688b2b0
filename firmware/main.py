"""The firmware of the board: scans it 500 times a second and tells the program what changed.

A Pico runs this file when it gets power. One pass of its loop takes 2 ms:

    scan the matrix ─► read the buttons ─► answer ─► report ─► feed the watchdog ─► sleep

What is said and asked stands in PROTOCOL.md. Ctrl-C in a terminal ends the loop and stops the watchdog, so
that the prompt can be used as long as one likes; Ctrl-D starts everything again.

This file alone knows the Pico. The pins of the board are in board.py.
"""

import binascii
import gc
import select
import sys
import time
from array import array

import board
import machine
import wire
from link import Link
from native import low_bits
from scan import Matrix, Steady, by_pin
from version import PROTOCOL, VERSION

PERIOD_US = 2_000
SCANS_TO_BE_STEADY = 3
HEARTBEAT_MS = 400  # 500 are promised
LAMPS_OFF_MS = 5_000
WATCHDOG_MS = 4_000  # the longest pass is one that finds nobody reading, 1.5 s

_VERSION = VERSION.encode()
_NO_LAMP = (b"GO_has_no_lamp", b"NEXT_has_no_lamp", b"BACK_has_no_lamp", b"HINT_has_no_lamp")

_LEVELS = 0xD000_0004  # SIO GPIO_IN: the levels of all pins, at this address on RP2040 and RP2350

# The watchdog's CTRL register, seen through the alias that clears the bits written to it.
_WATCHDOG_CLEAR = 0x400D_B000 if "RP2350" in sys.implementation._machine else 0x4005_B000  # noqa: SLF001 - its name
_WATCHDOG_ENABLE = 1 << 30


def by_register(numbers: tuple):
    """A function that reads which of the pins with these numbers are low, all at one moment."""
    pins = bytes(numbers)
    count = len(pins)
    return lambda: low_bits(_LEVELS, pins, count)


def line(number: int) -> machine.Pin:
    """A line of the matrix."""
    return machine.Pin(number, machine.Pin.OPEN_DRAIN, machine.Pin.PULL_UP, value=1)


def button(number: "int | None") -> "machine.Pin | None":
    """A button's pin."""
    return None if number is None else machine.Pin(number, machine.Pin.IN, machine.Pin.PULL_UP)


def lamp(number: "int | None") -> "machine.Pin | None":
    """The pin of a button's lamp, dark."""
    return None if number is None else machine.Pin(number, machine.Pin.OUT, value=0)


def waiting_byte():
    """A function that says whether standard input has a byte."""
    poll = select.poll()
    poll.register(sys.stdin, select.POLLIN)

    def waits() -> bool:
        for _, event in poll.ipoll(0):  # noqa: SIM110 - a generator would be allocated
            if event & select.POLLIN:
                return True
        return False

    return waits


def refuse_pins_used_twice() -> None:
    """Raise a ValueError that names a pin which board.py gives to two wires."""
    seen = set()
    for number in board.ROWS + board.COLUMNS + board.BUTTONS + board.LAMPS:
        if number is not None and number in seen:
            raise ValueError(f"board.py: GP{number} is used twice; every wire needs a pin of its own")
        seen.add(number)


class Firmware:
    """The board, the link to the program, and what joins them."""

    def __init__(self, wait_us) -> None:
        """Claim the pins; ``wait_us`` waits some microseconds."""
        refuse_pins_used_twice()
        rows = [line(number) for number in board.ROWS]
        columns = [line(number) for number in board.COLUMNS]
        low_columns = by_register(board.COLUMNS) if sys.platform == "rp2" else by_pin(columns)
        self.late = 0
        self.matrix = Matrix(rows, columns, low_columns, wait_us)
        self.closed = Steady(len(rows))
        self.down = Steady(1)
        self.link = Link(sys.stdout.buffer, sys.stdin.buffer, waiting_byte(), time.ticks_ms)
        self._buttons = [button(number) for number in board.BUTTONS]
        self._wired = sum(1 << at for at in range(4) if board.BUTTONS[at] is not None)
        self._lamps = [lamp(number) for number in board.LAMPS]
        self._lit = 0
        self._scans = 0
        self._slowest_us = 0
        self._reported_ms = time.ticks_ms()
        self._serial = binascii.hexlify(machine.unique_id())
        self._mask = array("I", [0])  # whatever has to be written as a mask of one row
        self._answers = {
            wire.ASK_HELLO: self.say_hello,
            wire.ASK_STATE: self.report,
            wire.ASK_LINES: self.test_lines,
            wire.ASK_ROWS: self.test_rows,
            wire.ASK_COUNTERS: self.say_counters,
            wire.LIGHT: self.light_what_is_asked,
        }

    def work(self) -> None:
        """One pass: scan, answer, report."""
        self.scan()
        kind = self.link.hear()
        if kind:
            self._answers[kind]()
        now = time.ticks_ms()
        if self.closed.changed or self.down.changed or time.ticks_diff(now, self._reported_ms) >= HEARTBEAT_MS:
            self.report()
        if self._lit and time.ticks_diff(now, self.link.heard_ms) >= LAMPS_OFF_MS:
            self.light(0)

    def scan(self) -> None:
        """Scan the matrix and the buttons once."""
        began = time.ticks_us()
        self.matrix.scan(self.closed)
        down = 0
        for at in range(4):
            pin = self._buttons[at]
            if pin is not None and not pin.value():
                down |= 1 << at
        self.down.fresh[0] = down
        self.down.take()
        self._scans = self._scans + 1 & wire.COUNTER_MAX
        self._slowest_us = max(self._slowest_us, time.ticks_diff(time.ticks_us(), began))

    def say_hello(self) -> None:
        """Who this board is."""
        writer = self.link.writer
        writer.begin(wire.HELLO)
        writer.number(PROTOCOL)
        writer.text(_VERSION)
        writer.number(len(self.matrix.rows))
        writer.number(len(self.matrix.columns))
        writer.text(self._serial)
        self._put_mask(self._wired, 4)
        self.link.send()

    def report(self) -> None:
        """The closed switches and the buttons that are down."""
        writer = self.link.writer
        writer.begin(wire.STATE)
        writer.mask(self.closed.rows, len(self.matrix.columns))
        writer.mask(self.down.rows, 4)
        self.closed.changed = self.down.changed = False
        self._reported_ms = time.ticks_ms()
        self.link.send()

    def test_lines(self) -> None:
        """Every line of the matrix: which others follow it, and whether something holds it high."""
        high = self.matrix.high_rows()
        count = len(self.matrix.lines)
        for at in range(count):
            writer = self.link.writer
            writer.begin(wire.LINE)
            writer.number(at)
            self._put_mask(self.matrix.follow(at), count)
            writer.number(high >> at & 1)
            self.link.send()

    def test_rows(self) -> None:
        """Every row: which of its reeds conduct the right way round, and which the wrong way."""
        matrix = self.matrix
        matrix.conduct()
        for row in range(len(matrix.rows)):
            writer = self.link.writer
            writer.begin(wire.ROW)
            writer.number(row)
            self._put_mask(matrix.forward[row], len(matrix.columns))
            self._put_mask(matrix.reverse[row], len(matrix.columns))
            self.link.send()

    def say_counters(self) -> None:
        """What was counted since the start."""
        writer = self.link.writer
        writer.begin(wire.COUNTERS)
        writer.number(self._scans)
        writer.number(self._slowest_us)
        writer.number(self.late)
        writer.number(self.link.lost)
        writer.number(self.link.reader.bad)
        self.link.send()

    def light_what_is_asked(self) -> None:
        """Light the buttons' lamps as the program wants, or say which one there is not."""
        self.light(self.link.reader.lit)
        for at in range(4):
            if self._lit >> at & 1 and self._lamps[at] is None:
                self.link.writer.begin(wire.ERROR)
                self.link.writer.text(_NO_LAMP[at])
                self.link.send()

    def light(self, lit: int) -> None:
        """Light these of the buttons' lamps and no others."""
        self._lit = lit
        for at in range(4):
            pin = self._lamps[at]
            if pin is not None:
                pin.value(lit >> at & 1)

    def _put_mask(self, bits: int, width: int) -> None:
        self._mask[0] = bits
        self.link.writer.mask(self._mask, width)


def run() -> None:
    """Scan and talk until somebody presses Ctrl-C."""
    firmware = Firmware(time.sleep_us)
    for _ in range(SCANS_TO_BE_STEADY):
        firmware.scan()
    firmware.say_hello()
    gc.collect()
    due = time.ticks_us()
    try:
        watchdog = machine.WDT(timeout=WATCHDOG_MS)
        while True:
            firmware.work()
            watchdog.feed()
            due = time.ticks_add(due, PERIOD_US)
            left = time.ticks_diff(due, time.ticks_us())
            if left > 0:
                time.sleep_us(left)
            else:
                firmware.late = firmware.late + 1 & wire.COUNTER_MAX
                due = time.ticks_us()
    except KeyboardInterrupt:
        machine.mem32[_WATCHDOG_CLEAR] = _WATCHDOG_ENABLE
        firmware.light(0)


if __name__ == "__main__":
    run()
