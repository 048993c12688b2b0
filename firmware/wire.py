"""The lines of PROTOCOL.md: a Writer for what the board says, a Reader for what it is asked.

Both work in place, in one buffer each, and allocate nothing once they are made:

    writer.begin(STATE); writer.mask(...); writer.mask(...); writer.finish()
                                         -> writer.buffer[:writer.length] is a whole line
    reader.feed(byte)                    -> 0, or the type of a line that has just become complete and is right

A Pico's small integers have 31 bits, and a larger one is allocated. So no number here exceeds 30 bits:
masks are rows of bits, and the check (CRC-32, as in zlib) is counted in two halves of 16 bits instead of by
``binascii``, whose result would be such a large integer.

It knows nothing of pins, of time, or of how bytes travel.
"""

from array import array

from native import checksum, put_digits

# What the board says.
HELLO = ord("H")
STATE = ord("S")
LINE = ord("L")
ROW = ord("R")
COUNTERS = ord("N")
ERROR = ord("E")

# What it is asked.
ASK_HELLO = ord("h")
ASK_STATE = ord("s")
ASK_LINES = ord("l")
ASK_ROWS = ord("r")
ASK_COUNTERS = ord("n")
LIGHT = ord("b")

LINE_MAX = 120  # characters, with the line feed
CHECK_DIGITS = 8
SEQUENCE_MAX = 65535
COUNTER_MAX = (1 << 30) - 1  # the largest small integer of a Pico; after it a counter starts anew

_LINE_FEED = 10
_CARRIAGE_RETURN = 13
_SPACE = 32
_ASTERISK = 42
_ZERO = 48
_NINE = 57
_A = 97
_F = 102
_BARE = (ASK_HELLO, ASK_STATE, ASK_LINES, ASK_ROWS, ASK_COUNTERS)  # asked without a field


class Check:
    """CRC-32 of the first bytes of a buffer, in two halves."""

    def __init__(self) -> None:
        """Make the table of what each byte adds: 256 upper halves, then 256 lower ones."""
        self._table = array("H", bytes(1024))
        self._halves = array("I", [0, 0])
        self._digits = bytearray(CHECK_DIGITS)
        for byte in range(256):
            high, low = 0, byte
            for _ in range(8):
                out = low & 1
                low = low >> 1 | (high & 1) << 15
                high >>= 1
                if out:  # the polynomial is edb88320
                    high ^= 0xEDB8
                    low ^= 0x8320
            self._table[byte] = high
            self._table[256 + byte] = low

    def write(self, buffer: bytearray, end: int) -> None:
        """Write the check of the first ``end`` bytes behind them and one byte more, the asterisk."""
        checksum(self._table, buffer, end, self._halves)
        put_digits(self._halves, 2, 16, buffer, end + 1)

    def stands(self, buffer: bytearray, end: int) -> bool:
        """Whether ``write`` would change nothing."""
        checksum(self._table, buffer, end, self._halves)
        put_digits(self._halves, 2, 16, self._digits, 0)
        for place in range(CHECK_DIGITS):  # noqa: SIM110 - a generator would be allocated
            if buffer[end + 1 + place] != self._digits[place]:
                return False
        return True


class Writer:
    """Writes one line at a time into ``buffer``; ``length`` says how long it has become."""

    def __init__(self, check: Check) -> None:
        """Start counting lines at 0."""
        self.buffer = bytearray(LINE_MAX)
        self.length = 0
        self._sequence = 0
        self._check = check

    def begin(self, kind: int) -> None:
        """Start a line of this type."""
        self.buffer[0] = kind
        self.length = 1
        self.number(self._sequence)
        self._sequence = self._sequence + 1 & SEQUENCE_MAX

    def number(self, value: int) -> None:
        """Add a decimal field, 0 to COUNTER_MAX."""
        self._put(_SPACE)
        place = 1
        while value // place >= 10:
            place *= 10
        while place:
            self._put(_ZERO + value // place % 10)
            place //= 10

    def mask(self, rows: array, width: int) -> None:
        """Add a hexadecimal field: the bits of all rows, ``width`` of each, row 0 last."""
        self._put(_SPACE)
        self.length = put_digits(rows, len(rows), width, self.buffer, self.length)

    def text(self, text: bytes) -> None:
        """Add a field of printable bytes without space and asterisk."""
        self._put(_SPACE)
        for byte in text:
            self._put(byte)

    def finish(self) -> None:
        """Add the check and the line feed."""
        self.buffer[self.length] = _ASTERISK
        self._check.write(self.buffer, self.length)
        self.length += 1 + CHECK_DIGITS
        self._put(_LINE_FEED)

    def _put(self, byte: int) -> None:
        self.buffer[self.length] = byte
        self.length += 1


class Reader:
    """Takes what the program says a byte at a time; ``bad`` counts the lines it refused."""

    def __init__(self, check: Check) -> None:
        """Wait for the first byte."""
        self.bad = 0
        self.lit = 0
        self._buffer = bytearray(LINE_MAX)
        self._count = 0
        self._check = check

    def feed(self, byte: int) -> int:
        """Take a byte; the type of a line that is now complete and right, else 0. ``lit`` is LIGHT's field."""
        if byte != _LINE_FEED:
            if self._count < LINE_MAX:
                self._buffer[self._count] = byte
            self._count = min(self._count + 1, LINE_MAX + 1)
            return 0
        end = self._count
        self._count = 0
        if 0 < end <= LINE_MAX and self._buffer[end - 1] == _CARRIAGE_RETURN:
            end -= 1
        if end == 0:
            return 0
        kind = self._read(end) if end < LINE_MAX else 0
        if not kind:
            self.bad = self.bad + 1 & COUNTER_MAX
        return kind

    def _read(self, end: int) -> int:
        """The type of the line of ``end`` bytes in the buffer, 0 if anything about it is wrong."""
        buffer = self._buffer
        star = end - CHECK_DIGITS - 1
        if star < 3 or buffer[star] != _ASTERISK or buffer[1] != _SPACE:
            return 0
        kind = buffer[0]
        fields = self._after_sequence(star)
        lit = 0
        if kind == LIGHT:
            if fields + 2 != star or buffer[fields] != _SPACE:
                return 0
            lit = _value(buffer[fields + 1])
        elif fields != star or kind not in _BARE:
            return 0
        if lit < 0 or not self._check.stands(buffer, star):
            return 0
        self.lit = lit
        return kind

    def _after_sequence(self, star: int) -> int:
        """Where the line's number ends, 0 if it is none."""
        buffer = self._buffer
        at = 2
        value = 0
        while at < star and _ZERO <= buffer[at] <= _NINE and value <= SEQUENCE_MAX:
            value = 10 * value + buffer[at] - _ZERO
            at += 1
        if at == 2 or value > SEQUENCE_MAX or (buffer[2] == _ZERO and at > 3):
            return 0
        return at


def _value(digit: int) -> int:
    """What a hexadecimal digit stands for, -1 if it is none."""
    if _ZERO <= digit <= _NINE:
        return digit - _ZERO
    if _A <= digit <= _F:
        return digit - _A + 10
    return -1
