"""The matrix of reeds: which of them are closed, and whether its wires and diodes are sound.

                column             A diode lets current run from its column, through the closed reed,
                  |                to its row, and not back. Rows and columns are *lines*: open-drain pins
       row ---/ --|<|--            with a pull-up, 0 drives one low, 1 lets it go. One line is low at a time.
              reed diode

    scan        each row in turn low: the columns that follow it have a closed reed there
    follow      any one line low: which other lines are low too?
    conduct     each row in turn, then each column in turn: which reeds conduct which way?

Line n is row n, or column n - rows after them. Bits stand in rows, each in a small integer: a mask of the
whole board would be an integer that a Pico has to allocate, and nothing here may allocate once it is made.

Pins, and the wait in microseconds, are handed in: any objects with ``value`` and ``init`` will do.
"""

from array import array

# A line rises through 47 kohm against at most 200 pF in 9.4 us; five times that is flat.
SETTLE_US = 50


def by_pin(pins: list):
    """A function that reads which of these pins are low, bit n for pin n."""
    count = len(pins)

    def low() -> int:
        bits = 0
        for at in range(count):
            if not pins[at].value():
                bits |= 1 << at
        return bits

    return low


class Steady:
    """Rows of bits without bounce: a bit counts once three scans in a row agreed on it."""

    def __init__(self, rows: int) -> None:
        """Start with every bit 0."""
        self.rows = array("I", [0] * rows)
        self.fresh = array("I", [0] * rows)
        self.changed = False
        self._last = array("I", [0] * rows)
        self._before = array("I", [0] * rows)

    def take(self) -> None:
        """Take the scan that stands in ``fresh``; ``changed`` is set if ``rows`` becomes another."""
        fresh = self.fresh
        last = self._last
        before = self._before
        if not fresh == last == before == self.rows:
            for row in range(len(fresh)):
                flutters = (fresh[row] ^ last[row]) | (fresh[row] ^ before[row])
                change = (fresh[row] ^ self.rows[row]) & ~flutters
                if change:
                    self.rows[row] ^= change
                    self.changed = True
        self.fresh = before
        self._last = fresh
        self._before = last


class Matrix:
    """The lines of a board and what they tell."""

    def __init__(self, rows: list, columns: list, low_columns, wait_us) -> None:
        """Take the rows' and columns' pins, a function that says which columns are low, and one that waits."""
        self.rows = rows
        self.columns = columns
        self.lines = rows + columns
        self.forward = array("I", [0] * len(rows))
        self.reverse = array("I", [0] * len(rows))
        self._low_columns = low_columns
        self._wait_us = wait_us

    def scan(self, steady: Steady) -> None:
        """Find the closed reeds and give them to ``steady``."""
        rows = self.rows
        fresh = steady.fresh
        low_columns = self._low_columns
        wait_us = self._wait_us
        for row in range(len(rows)):
            pin = rows[row]
            pin.value(0)
            wait_us(SETTLE_US)
            fresh[row] = low_columns()
            pin.value(1)
        steady.take()

    def conduct(self) -> None:
        """Find the reeds that conduct the right way (``forward``) and the wrong way (``reverse``), by row."""
        rows = self.rows
        for row in range(len(rows)):
            rows[row].value(0)
            self._wait_us(SETTLE_US)
            self.forward[row] = self._low_columns()
            rows[row].value(1)
            self.reverse[row] = 0
        columns = self.columns
        for column in range(len(columns)):
            columns[column].value(0)
            self._wait_us(SETTLE_US)
            for row in range(len(rows)):
                if not rows[row].value():
                    self.reverse[row] |= 1 << column
            columns[column].value(1)

    def follow(self, line: int) -> int:
        """The other lines that are low while this one alone is driven low."""
        lines = self.lines
        lines[line].value(0)
        self._wait_us(SETTLE_US)
        low = 0
        for other in range(len(lines)):
            if other != line and not lines[other].value():
                low |= 1 << other
        lines[line].value(1)
        return low

    def high_rows(self) -> int:
        """The rows that something holds high: those that rise although pulled down.

        The columns are kept low meanwhile, or their pull-ups would lift every row with a closed reed. The
        rows start low: an RP2350 can hold a falling input between the levels by its own leakage (erratum
        E9), but not lift one that is low.
        """
        for row in self.rows:
            row.init(row.OPEN_DRAIN, row.PULL_DOWN, value=0)
        for column in self.columns:
            column.value(0)
        for row in self.rows:
            row.value(1)
        self._wait_us(SETTLE_US)
        high = 0
        for row in range(len(self.rows)):
            high |= self.rows[row].value() << row
        for row in self.rows:
            row.init(row.OPEN_DRAIN, row.PULL_UP, value=1)
        for column in self.columns:
            column.value(1)
        return high
