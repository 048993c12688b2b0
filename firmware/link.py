"""The way to the program and back, a line at a time, without ever waiting for it.

A program may hold the port open and not read. USB then keeps a writer for half a second each time before it
drops the bytes, and the scan would stand still as long. So one such wait is enough: after it nothing is
written until the program has said something, or for ten seconds. A line that was cut off is ended before
the next begins. What is lost is counted and not repeated: every report carries the whole state.

Bytes are read one at a time, for a Pico's ``read(n)`` waits until n have come, and only some in a pass of
the scan, so that a flood of them can't hold it up either.

The streams, the poll that says whether a byte waits, and the clock are handed in.
"""

from wire import COUNTER_MAX, Check, Reader, Writer

WAITED_MS = 400  # a write this long met a program that does not read; USB waits 500
RETRY_MS = 10_000
BYTES_A_PASS = 16  # a line and no more, at 500 passes a second


class Link:
    """One program at the other end, or none."""

    def __init__(self, output, source, byte_waits, clock_ms) -> None:
        """Take a stream to write, one to read, whether it has a byte, and a clock in milliseconds."""
        check = Check()
        self.writer = Writer(check)
        self.reader = Reader(check)
        self.lost = 0
        self.heard_ms = clock_ms()
        self._output = output
        self._source = source
        self._byte_waits = byte_waits
        self._clock_ms = clock_ms
        self._byte = bytearray(1)
        self._torn = False
        self._shunned = False
        self._shunned_ms = 0

    def send(self) -> None:
        """Finish the writer's line and write it, or lose it."""
        writer = self.writer
        writer.finish()
        began = self._clock_ms()
        if self._shunned and _elapsed(began, self._shunned_ms) < RETRY_MS:
            self._lose()
            return
        if self._torn and not self._output.write(b"\n"):
            self._lose()
            return
        sent = self._output.write(writer.buffer, writer.length) or 0
        ended = self._clock_ms()
        self._shunned = _elapsed(ended, began) >= WAITED_MS
        self._shunned_ms = ended
        self._torn = self._shunned or 0 < sent < writer.length
        if sent < writer.length:
            self._lose()

    def hear(self) -> int:
        """Read what has come, up to the end of one line; its type if it is one and right, else 0."""
        for _ in range(BYTES_A_PASS):
            if not self._byte_waits() or not self._source.readinto(self._byte):
                return 0
            kind = self.reader.feed(self._byte[0])
            if kind:
                self._shunned = False
                self.heard_ms = self._clock_ms()
                return kind
        return 0

    def _lose(self) -> None:
        self.lost = self.lost + 1 & COUNTER_MAX


def _elapsed(now: int, then: int) -> int:
    """Milliseconds from then to now, on a clock that starts anew after 30 bits or more."""
    return now - then & COUNTER_MAX
