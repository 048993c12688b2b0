"""The ``machine`` of a Pico that hangs on a simulated matrix: the firmware runs on it under MicroPython's unix port.

Put on ``MICROPYPATH``, in this order: a folder with the ``board.py`` of your board if it is not the default
one, the firmware's folder, and this one, whose ``machine`` takes the place of the built-in one. Then start
``micropython -m main`` with a pty as standard input and output. Make the pty's end non-blocking before
(``os.set_blocking(fd, False)``): a host that doesn't read loses lines then, as it does on USB, and never
stops the scan.

Two files, named by the environment, join it to whoever plays the world:

``REEDLIGHT_WIRES``, which the world writes and this module reads anew before every pass of the scan:

    byte   0      R, the number of rows
    byte   1      C, the number of columns
    R bytes       the rows' pins, GP numbers
    C bytes       the columns' pins
    4 bytes       the pins of the buttons GO, NEXT, BACK, HINT; 255: not wired
    4 bytes       the pins of their lamps; 255: not wired
    8 bytes       the Pico's unique number
    ------------  from here on it may be rewritten at any time, in place, with one write
    M bytes       the closed reeds, M = ceil(R x C / 8): reed n is bit n % 8 of byte n // 8, n = row x C + column
    M bytes       the reeds whose diode is the wrong way round
    M bytes       the reeds whose diode is bridged
    R + C bytes   a net for each line, rows first: 0 the line is sound, 1 to 253 joined to every line with the
                  same number, 254 joined to ground, 255 joined to 3.3 V
    1 byte        the buttons held down: bit 0 GO, 1 NEXT, 2 BACK, 3 HINT

``REEDLIGHT_LAMPS``, which this module writes and the world reads:

    byte   0      the buttons' lamps that are lit, bits as above
    byte   1      the watchdog: 0 not started, 1 running, 2 stopped

A reading torn by a write lasts one pass, like a bounce.

What the lines do to each other is worked out from the wires, not from what a scan ought to see. A level
spreads from every line that is driven low or joined to ground: along joined lines and bridged diodes as it
is, along a sound diode from a row to a column (the diode's anode is at the column), along a turned one from
a column to a row, and each such step lifts it by the diode's half a volt: two steps still read low, three
no longer do. A line on 3.3 V stays high whatever drives it. Of what is left, a line with a pull-up is high,
and so is one that is only pulled down while a high column feeds it through a closed reed; columns always
have a pull-up, the resistor on the board. There is no time in this: every level has settled at once.

It is plain Python, typed for checkers, that MicroPython takes as well; it allocates nothing between two
changes of the wires, for the firmware's tests count that.
"""

import os

_GROUND = 254
_SUPPLY = 255
_NOT_WIRED = 255
_STEPS_STILL_LOW = 2
_FIRST_ROW = 1
_BUTTONS = 4
_LONGEST_WATCHDOG_MS = 8388


def _union(masks: list[int], chosen: int) -> int:
    """All bits of the chosen masks: bit n of ``chosen`` chooses mask n."""
    bits = 0
    for mask in masks:
        if chosen & 1:
            bits |= mask
        chosen >>= 1
    return bits


def _file_named_by(variable: str) -> str:
    name = os.getenv(variable)
    if not name:
        raise RuntimeError(variable + " must name a file that joins the Pico to its world")
    return name


class _Wires:
    """What hangs on the pins, as the world's file has it; lines are bits of masks, rows first."""

    def __init__(self, wires: str, output: str) -> None:
        self._file = open(wires, "rb")
        rows, columns = self._file.read(2)
        lines = self._file.read(rows + columns)
        buttons = self._file.read(_BUTTONS)
        lamps = self._file.read(_BUTTONS)
        self.unique_id = self._file.read(8)
        self.line_bits = {lines[at]: 1 << at for at in range(rows + columns)}
        self.button_bits = {buttons[at]: 1 << at for at in range(_BUTTONS) if buttons[at] != _NOT_WIRED}
        self.lamp_bits = {lamps[at]: 1 << at for at in range(_BUTTONS) if lamps[at] != _NOT_WIRED}
        self.buttons_down = 0
        self._changing = 2 + rows + columns + 2 * _BUTTONS + len(self.unique_id)
        self._rows = rows
        self._column_bits = (1 << columns) - 1 << rows
        self._mask_bytes = (rows * columns + 7) // 8
        self._now = bytearray(3 * self._mask_bytes + rows + columns + 1)
        self._understood = bytearray(len(self._now))
        self._driven = 0
        self._low = 0
        self._pulled_up = self._column_bits
        self._grounded = 0
        self._supplied = 0
        self._net = [0] * (rows + columns)  # the lines at the same level as this one
        self._over_diode = [0] * (rows + columns)  # the lines to which a low level of this one spreads
        self._low_when_driven = {0: 0}
        self._shown = bytearray(2)
        self._output = open(output, "wb")
        self._show()
        self._file.seek(self._changing)
        self._file.readinto(self._now)
        self._understand()

    def drive_low(self, line: int) -> None:
        """Connect a line to ground."""
        if line == _FIRST_ROW:
            self._look()
        self._driven |= line
        self._settle()

    def let_go(self, line: int) -> None:
        """Make a line an input."""
        self._driven &= ~line
        self._settle()

    def pull_up(self, line: int) -> None:
        """Pull a line up."""
        self._pulled_up |= line

    def pull_down(self, line: int) -> None:
        """Pull a line down, or not at all; the board itself pulls columns up."""
        self._pulled_up &= ~line | self._column_bits

    def level(self, line: int) -> int:
        """What a line reads, 0 or 1."""
        if line & self._low:
            return 0
        if line & (self._pulled_up | self._supplied):
            return 1
        net = _union(self._net, line)
        fed = _union(self._over_diode, net) & self._column_bits & ~self._low
        return 1 if fed or net & (self._pulled_up | self._supplied) else 0

    def light(self, lamp: int, level: int) -> None:
        """Light a button's lamp, or darken it."""
        self._shown[0] = self._shown[0] | lamp if level else self._shown[0] & ~lamp
        self._show()

    def show_watchdog(self, state: int) -> None:
        """Say what the watchdog does."""
        self._shown[1] = state
        self._show()

    def close(self) -> None:
        """Let the files go."""
        self._file.close()
        self._output.close()

    def _show(self) -> None:
        self._output.seek(0)
        self._output.write(self._shown)
        self._output.flush()

    def _look(self) -> None:
        self._file.seek(self._changing)
        self._file.readinto(self._now)
        if self._now != self._understood:
            self._understand()

    def _settle(self) -> None:
        low = self._low_when_driven.get(self._driven)
        self._low = self._reached(self._driven) if low is None else low

    def _reached(self, driven: int) -> int:
        """The lines that are low while these are driven low."""
        low = self._with_nets(driven | self._grounded)
        for _ in range(_STEPS_STILL_LOW):
            low = self._with_nets(low | _union(self._over_diode, low))
        return low

    def _with_nets(self, lines: int) -> int:
        return _union(self._net, lines) & ~self._supplied

    def _understand(self) -> None:
        """Work out what the bytes mean for the lines."""
        self._understood[:] = self._now
        self.buttons_down = self._now[-1]
        nets = self._now[3 * self._mask_bytes : -1]
        lines = range(len(nets))
        self._grounded = sum(1 << line for line in lines if nets[line] == _GROUND)
        self._supplied = sum(1 << line for line in lines if nets[line] == _SUPPLY)
        self._net = [
            sum(1 << other for other in lines if other == line or (nets[line] and nets[other] == nets[line]))
            for line in lines
        ]
        self._over_diode = [0 for _ in lines]
        columns = len(nets) - self._rows
        for reed in range(self._rows * columns):
            if self._has(0, reed):
                self._close(reed, reed // columns, self._rows + reed % columns)
        self._join_nets_that_touch()
        self._low_when_driven = {0: self._reached(0)}
        for line in lines:
            self._low_when_driven[1 << line] = self._reached(1 << line)
        self._settle()

    def _has(self, mask: int, reed: int) -> int:
        return self._now[mask * self._mask_bytes + (reed >> 3)] >> (reed & 7) & 1

    def _close(self, reed: int, row: int, column: int) -> None:
        if self._has(2, reed):
            self._net[row] |= 1 << column
            self._net[column] |= 1 << row
        elif self._has(1, reed):
            self._over_diode[column] |= 1 << row
        else:
            self._over_diode[row] |= 1 << column

    def _join_nets_that_touch(self) -> None:
        while True:
            wider = [_union(self._net, net) for net in self._net]
            if wider == self._net:
                return
            self._net = wider


WIRES = _Wires(_file_named_by("REEDLIGHT_WIRES"), _file_named_by("REEDLIGHT_LAMPS"))


class Pin:
    """A pin of the Pico and whatever hangs on it."""

    IN = 0
    OUT = 1
    OPEN_DRAIN = 2
    PULL_UP = 1
    PULL_DOWN = 2

    def __init__(self, number: int, mode: int = IN, pull: int | None = None, *, value: int = 1) -> None:
        """Take a pin by its GP number."""
        self._number = number
        self._line = WIRES.line_bits.get(number, 0)
        self._button = WIRES.button_bits.get(number, 0)
        self._lamp = WIRES.lamp_bits.get(number, 0)
        self._pull = pull
        self.init(mode, pull, value=value)

    def init(self, mode: int, pull: int | None = None, *, value: int = 1) -> None:
        """Change what the pin does."""
        self._pull = pull
        if self._line and mode == Pin.OUT:
            raise ValueError(f"GP{self._number} is a line of the matrix, and such a line is never driven high")
        if self._line and pull == Pin.PULL_UP:
            WIRES.pull_up(self._line)
        elif self._line:
            WIRES.pull_down(self._line)
        self.value(value)

    def value(self, level: int | None = None) -> int:
        """The level that the pin reads; or set the level to which it is driven, 1 being none for a line."""
        if level is None:
            return self._read()
        if self._lamp:
            WIRES.light(self._lamp, level)
        elif self._line and level:
            WIRES.let_go(self._line)
        elif self._line:
            WIRES.drive_low(self._line)
        return level

    def _read(self) -> int:
        if self._line:
            return WIRES.level(self._line)
        if self._pull != Pin.PULL_UP or WIRES.buttons_down & self._button:
            return 0
        return 1


class WDT:
    """A watchdog that is seen to run and never bites."""

    def __init__(self, timeout: int) -> None:
        """Start it, with the longest time between two feedings in milliseconds."""
        if timeout > _LONGEST_WATCHDOG_MS:
            raise ValueError("a Pico's watchdog waits 8388 ms at most")
        WIRES.show_watchdog(1)

    def feed(self) -> None:
        """Keep it from biting."""


class _Registers:
    """The chip's registers, of which the firmware writes one: CTRL of the watchdog, by its clearing alias."""

    _CLEAR_WATCHDOG = (0x4005_B000, 0x400D_B000)  # RP2040, RP2350
    _ENABLE = 1 << 30

    def __setitem__(self, address: int, bits: int) -> None:
        """Write to a register."""
        if address not in self._CLEAR_WATCHDOG or bits != self._ENABLE:
            raise ValueError(f"0x{address:08x} is no register that this board models")
        WIRES.show_watchdog(2)


mem32 = _Registers()


def unique_id() -> bytes:
    """The number that no other Pico has."""
    return WIRES.unique_id
