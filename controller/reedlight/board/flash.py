"""Flash: what the Pico of a board has to know of it, as the text of its file board.py.

The firmware is the same on every board but for that one file. It is made from the profile, so that program
and firmware cannot disagree about a pin. The firmware runs under MicroPython: plain tuples, nothing imported.
"""

from __future__ import annotations

from reedlight.board.profile import BUTTONS, ConfigError, Pico, PicoPins, PiPins, Profile, Segments


def pico_board(profile: Profile) -> str:
    """The text of the firmware's board.py for a board. Raises ConfigError if it has no Pico."""
    if not isinstance(profile.reader, Pico):
        raise ConfigError(f"{profile.name}: scan.by: no Pico scans this board, so there is nothing to put on one")
    matrix = profile.reader.matrix
    return _TEXT.format(
        name=profile.name,
        rows=matrix.rows,
        columns=matrix.columns,
        names="  ".join(f"{name.upper():4}" for name in BUTTONS).rstrip(),
        buttons=_wired(profile.buttons),
        lamps=_wired(profile.button_lamps),
    )


_TEXT = '''"""The pins of {name}, made from its profile.

All numbers are GP numbers. Switch number = row x columns + column. None: not wired to the Pico.
"""

ROWS = {rows}
COLUMNS = {columns}

#          {names}
BUTTONS = {buttons}
LAMPS = {lamps}
'''


def _wired(pins: PiPins | PicoPins | Segments | None) -> tuple[int | None, ...]:
    """The Pico's pin for each button, None for those that are elsewhere or nowhere."""
    if not isinstance(pins, PicoPins):
        return (None,) * len(BUTTONS)
    return tuple(pins.pins.get(name) for name in BUTTONS)
