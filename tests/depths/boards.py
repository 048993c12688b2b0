"""Boards for the depths: those that come with the program, and some larger or odder ones made up here."""

from __future__ import annotations

from collections.abc import Sequence

from reedlight.board.profile import Pico, Profile
from reedlight.board.toml import load_packaged, packaged, read

GPIO_10X10 = """
name = "gpio-10x10"
title = "As many switches as the Raspberry Pi has pins for, lamps of one colour"
[cells]
shape = "square"
size = 10
[scan]
by = "gpio"
rows = [2, 3, 4, 5, 6, 7, 12, 13, 14, 15]
columns = [16, 17, 18, 19, 20, 21, 22, 23, 24, 25]
order = "serpentine"
first = "upper right"
[lamps]
by = "max7219"
spi = "0.0"
chips = 2
order = "columns"
first = "lower right"
[buttons]
on = "pi"
go = 26
back = 27
[buses]
spi0 = 1
[power]
supply = 3.0
led_fuse_hold = 1.6
pi_worst = 1.25
"""
"""No dice, two buttons, no lamps for them."""

PICO_10X10 = """
name = "pico-10x10"
title = "Every pin of a Pico, a string that begins in the far corner, seen from the side"
[cells]
shape = "square"
size = 10
turned = 90
[scan]
by = "pico"
rows = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
columns = [12, 13, 14, 15, 16, 17, 18, 19, 20, 21]
order = "columns"
first = "lower left"
[lamps]
by = "ws2812"
spi = "0.0"
count = 100
colours = "RGB"
order = "serpentine"
first = "upper right"
[dice]
on = "board"
[buttons]
on = "pico"
go = 22
next = 26
back = 27
hint = 28
[button_lamps]
on = "pico"
go = 0
back = 1
[buses]
spi0 = 2
[power]
supply = 4.0
led_fuse_hold = 1.6
led_cap = 1.2
pi_worst = 1.25
"""

PICO_HEX_91 = """
name = "pico-hex-91"
title = "A hexagon with six cells along each edge"
[cells]
shape = "hexhex"
side = 6
[scan]
by = "pico"
rows = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
columns = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19]
order = "rows"
first = "lower left"
[lamps]
by = "ws2812"
spi = "0.0"
count = 91
colours = "BGR"
order = "serpentine"
first = "upper left"
[buses]
spi0 = 2
[power]
supply = 4.0
led_fuse_hold = 1.6
led_cap = 1.2
pi_worst = 1.25
"""

EXPANDER_HEX_91 = """
name = "expander-hex-91"
title = "The same on six expanders, without an interrupt"
[cells]
shape = "hexhex"
side = 6
[scan]
by = "expander"
addresses = [0x20, 0x21, 0x22, 0x23, 0x24, 0x25]
order = "rows"
first = "upper right"
[lamps]
by = "max7219"
spi = "0.0"
chips = 2
order = "rows"
first = "lower left"
[buses]
spi0 = 1
i2c1 = true
[power]
supply = 3.0
led_fuse_hold = 1.6
pi_worst = 1.25
"""

PICO_MONO = """
name = "pico-mono"
title = "A small board with all its buttons on the Pico, one colour, dice on the board"
[cells]
shape = "square"
size = 8
[scan]
by = "pico"
rows = [2, 3, 4, 5, 6, 7, 8, 9]
columns = [10, 11, 12, 13, 14, 15, 16, 17]
order = "rows"
first = "lower left"
[lamps]
by = "max7219"
spi = "0.0"
chips = 1
order = "rows"
first = "lower left"
[dice]
on = "board"
[buttons]
on = "pico"
go = 18
next = 19
back = 20
hint = 21
[button_lamps]
on = "pico"
go = 22
next = 26
back = 27
hint = 28
[buses]
spi0 = 1
[power]
supply = 3.0
led_fuse_hold = 1.6
pi_worst = 1.25
"""

MADE_UP = (GPIO_10X10, PICO_10X10, PICO_HEX_91, EXPANDER_HEX_91, PICO_MONO)
BOARDS: dict[str, Profile] = {
    **{name: load_packaged(name) for name in packaged()},
    **{board.name: board for board in (read(text, "made up") for text in MADE_UP)},
}
"""Every board by its name."""


def cases(*names: str, depths: Sequence[str] = ("ports", "pins", "firmware")) -> list[tuple[str, str]]:
    """Each of these boards at each of these depths; a board without a Pico has no depth of its own with a firmware."""
    has_pico = {name for name in names if isinstance(BOARDS[name].reader, Pico)}
    return [(name, depth) for name in names for depth in depths if depth != "firmware" or name in has_pico]
