"""Layout: which switch and which lamp belong to which cell, for one game on one board.

Three ways to name one place: the rules say *cell* (c3), the sensor says *switch* (a bit of its mask) and
the display says *lamp* (a number along its chain). A layout is the only table between them. A board may
have switches that a game has no cell for; such a switch is not seen.

    direct      switch i and lamp i belong to the i-th cell of the grid

Nothing here knows how a switch is read or a lamp is lit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from reedlight.core.grid import Cell, Grid


@dataclass(frozen=True, slots=True)
class Layout:
    """Every cell's switch and lamp; no two cells share one. Raises ValueError where two do, or one has none."""

    switches: Mapping[Cell, int]
    lamps: Mapping[Cell, int]
    _cells: Mapping[int, Cell] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.switches.keys() != self.lamps.keys():
            lonely = ", ".join(sorted(self.switches.keys() ^ self.lamps.keys()))
            raise ValueError(f"every cell needs one switch and one lamp; not so: {lonely}")
        _refuse_shared("switch", self.switches)
        _refuse_shared("lamp", self.lamps)
        object.__setattr__(self, "_cells", MappingProxyType({switch: cell for cell, switch in self.switches.items()}))

    def cells_of(self, mask: int) -> frozenset[Cell]:
        """The cells whose switches are closed in the mask."""
        found: list[Cell] = []
        while mask:
            lowest = mask & -mask
            cell = self._cells.get(lowest.bit_length() - 1)
            if cell is not None:
                found.append(cell)
            mask ^= lowest
        return frozenset(found)

    def mask_of(self, cells: Iterable[Cell]) -> int:
        """The mask in which the switches of these cells are closed and no others."""
        mask = 0
        for cell in cells:
            mask |= 1 << self.switches[cell]
        return mask


def direct(grid: Grid) -> Layout:
    """Switch i and lamp i belong to the i-th cell of the grid."""
    numbers = MappingProxyType({cell: number for number, cell in enumerate(grid.cells)})
    return Layout(numbers, numbers)


def _refuse_shared(what: str, numbers: Mapping[Cell, int]) -> None:
    owners: dict[int, Cell] = {}
    for cell, number in numbers.items():
        if number < 0:
            raise ValueError(f"{what} {number} of cell {cell}: numbers begin at 0")
        if number in owners:
            raise ValueError(f"cells {owners[number]} and {cell} share {what} {number}; every cell needs its own")
        owners[number] = cell
