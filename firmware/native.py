"""The three loops that a Pico runs as machine code, for as bytecode they would cost more than a scan.

``viper`` compiles a function with raw integers and pointers: no object is made, nothing is allocated, and
nothing is checked either. So each is a plain loop over buffers that its caller has made large enough. The
unix port of MicroPython compiles them as well, and the same text is right as ordinary Python.
"""

import micropython


@micropython.viper
def low_bits(register: ptr32, numbers: ptr8, count: int) -> int:  # noqa: F821 - viper's own types
    """Which of the numbered bits of the register are 0: bit n for the n-th number."""
    levels = int(register[0])
    bits = 0
    at = 0
    while at < count:
        if not (levels >> numbers[at]) & 1:
            bits |= 1 << at
        at += 1
    return bits


@micropython.viper
def checksum(table: ptr16, buffer: ptr8, end: int, halves: ptr32):  # noqa: F821 - viper's own types
    """CRC-32 of the first bytes of a buffer by a table of 256 upper and 256 lower halves."""
    high = 0xFFFF
    low = 0xFFFF
    at = 0
    while at < end:
        entry = (low ^ buffer[at]) & 0xFF
        low = ((low >> 8) | ((high & 0xFF) << 8)) ^ table[256 + entry]
        high = (high >> 8) ^ table[entry]
        at += 1
    halves[0] = low ^ 0xFFFF
    halves[1] = high ^ 0xFFFF


@micropython.viper
def put_digits(rows: ptr32, count: int, width: int, buffer: ptr8, at: int) -> int:  # noqa: F821 - viper's own types
    """Write the bits of all rows, row 0 last, as hexadecimal digits from ``at`` on; where they end."""
    held = (4 - count * width % 4) % 4  # zeros before the first bit, so that the last digit comes out whole
    bits = 0
    row = count
    while row > 0:
        row -= 1
        bits = (bits << width) | int(rows[row])
        held += width
        while held >= 4:
            held -= 4
            digit = bits >> held
            bits = bits & ((1 << held) - 1)
            buffer[at] = digit + (48 if digit < 10 else 87)
            at += 1
    return at
