"""Lamps on a string of WS2812 or the like, through luma: every bit of a colour as four bits of SPI.

luma calls a library that makes the signal by PWM and needs root. It is handed a stand-in of the same few
words, which writes the signal as SPI data instead: a user in the group spi may, on every Raspberry Pi.

    a bit of a colour    at 3.0 MHz                 lamps take it for a 0 or a 1 by the time it is high:
    0   1000             0.33 us high, 1 us low     WS2812B, WS2812B-V5 and SK6812 all agree on these,
    1   1100             0.67 us high, 0.67 us low  and on no shorter code

    one transfer:  300 us low │ 12 bytes a lamp, the first lamp first │ 300 us low

The silence before a frame ends whatever noise has begun, the one after it makes the lamps show the frame.
Both belong to the transfer, so that it is longer than the 96 bytes below which the Raspberry Pi sends
without DMA, and that is with gaps between the bytes. It must not be cut into two either, which sets the
length of a string.

Frames come with gamma, brightness and the power cap in them; luma's own brightness is left out. A frame
that breaks the cap all the same is scaled down before it is written. Frames are written when they differ,
and every REFRESH seconds against lamps that have taken noise for a frame.
"""

# luma comes without types:
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from luma.led_matrix.device import neopixel

from reedlight.adapters.luma_mono import Picture
from reedlight.adapters.spi import TRANSFER, Line, OpenBus, open_spidev
from reedlight.board.profile import Ws2812
from reedlight.ports import Display, LinkLost
from reedlight.scene.palette import Colour
from reedlight.scene.render import DARK, Budget, Frame, current

CLOCK = 3_000_000
"""Hertz; the dividers of the various models make 2.94 to 3.03 MHz of it, and all of these will do."""
REFRESH = 1.0
"""Seconds until a frame is written again."""

_CODE = {"0": "1000", "1": "1100"}
_CODES = tuple(int("".join(_CODE[bit] for bit in f"{value:08b}"), 2).to_bytes(4, "big") for value in range(256))
"""For every value of a channel its four bytes of SPI."""
_SILENCE = bytes(CLOCK * 300 // 1_000_000 // 8 + 1)
"""300 microseconds low: WS2812B-V5 asks for 280."""
_LAMP = 12
"""Bytes of SPI for one lamp."""
LONGEST = (TRANSFER - 2 * len(_SILENCE)) // _LAMP
"""The most lamps that one transfer reaches."""
_SHIFTS = {"R": 16, "G": 8, "B": 0}
"""Where a channel is in luma's colour."""


class RgbString:
    """The output of one string. Raises LinkLost, and ValueError for a string too long."""

    def __init__(self, string: Ws2812, budget: Budget, open_bus: OpenBus = open_spidev) -> None:
        if string.count > LONGEST:
            raise ValueError(
                f"{string.count} lamps are too many for one string: a transfer of {TRANSFER} bytes reaches {LONGEST}"
            )
        self._budget = budget
        self._dark: Frame = (DARK,) * string.count
        self._string = _String(Line(string.spi, CLOCK, open_bus), string)
        self._shown: Frame = self._dark
        self._due: float | None = None

    @property
    def deadline(self) -> float | None:
        """When the frame is written again; None before anything was shown."""
        return self._due

    def show(self, display: Display, now: float) -> None:
        """Light the board's lamps; a frame shorter than the string leaves the rest dark. Raises LinkLost."""
        count = len(self._dark)
        frame = (display.frame + self._dark[len(display.frame) :])[:count]
        if self._due is not None and now < self._due and frame == self._shown:
            return
        self._string.draw(_within(frame, self._budget))
        self._shown = frame
        self._due = now + REFRESH

    def close(self) -> None:
        """Go dark and let the bus go, even a bus that does not take it; again: nothing."""
        self._string.cleanup()


class _String(neopixel):
    """luma's string, above the stand-in."""

    def __init__(self, line: Line, string: Ws2812) -> None:
        self._line = line
        self._count = string.count
        self._ended = False
        try:
            super().__init__(_Encoder(line, string), cascaded=string.count)
        except LinkLost:
            self.cleanup()
            raise

    def draw(self, frame: Frame) -> None:
        """Show these colours."""
        self.display(Picture("RGB", (self._count, 1), frame))

    def clear(self) -> None:
        """Put all lamps out; luma does it before anything else is drawn."""
        self.draw((DARK,) * self._count)

    def cleanup(self) -> None:
        """Go dark and close the line, once: luma calls this again when Python ends."""
        if self._ended:
            return
        self._ended = True
        with suppress(LinkLost):
            self.clear()
        self._line.close()

    def __del__(self) -> None:
        """Nothing: luma would clean up here, at a time that nobody chooses."""


class _Encoder:
    """The library that luma believes to drive, as far as there is a use for it."""

    def __init__(self, line: Line, string: Ws2812) -> None:
        self._line = line
        self._shifts = tuple(_SHIFTS[channel] for channel in string.order)
        self._colours = [0] * string.count

    def __getattr__(self, name: str) -> Callable[..., int]:
        """Pin, DMA channel, frequency, brightness and what else luma sets: taken, and of no effect."""
        return _taken

    def ws2811_led_set(self, channel: object, lamp: int, colour: int) -> None:  # noqa: ARG002  # there is one channel
        """Remember a lamp's colour, 0xRRGGBB."""
        self._colours[lamp] = colour

    def ws2811_render(self, leds: object) -> int:  # noqa: ARG002  # there is one string
        """Write the colours; 0 says that it went well."""
        channels = (_CODES[colour >> shift & 0xFF] for colour in self._colours for shift in self._shifts)
        self._line.writebytes(b"".join((_SILENCE, *channels, _SILENCE)))
        return 0


def _taken(*_: object) -> int:
    return 0


def _within(frame: Frame, budget: Budget) -> Frame:
    """The frame, or one of the same colours, darker, that the cap allows."""
    dark = len(frame) * budget.dark
    light, spare = current(frame, budget) - dark, max(budget.cap - dark, 0.0)
    if light <= spare:
        return frame
    return tuple(Colour(*(int(spare / light * drive) for drive in colour)) for colour in frame)
