"""Sixteen tiles joined, and the question whether that is the matrix, string and supply of a board of 8 x 8.

Tiles stand in four columns and four rows, the near left one first. A wire joins the facing holes of two tiles; solder
closes TURN on the tiles of the right edge and UP on those of the left edge, except the farthest. What is connected
inside a tile is told by its copper (``copper.py``), not by the names of its nets.

    .venv/bin/python -m hardware.pcb.join [tile.kicad_pcb]

says what it found and ends with 0, or names every fault and ends with 1.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import dist
from pathlib import Path
from typing import TypeAlias

from hardware.pcb.copper import Board, Copper, Part, Point, contacts, islands, read_file

CELL, CELLS, TILES = 45.0, 8, 4
SIDE = CELL * CELLS / TILES
NEAR_EDGE = 5.0
"""A joint's holes are not farther from the edge, in millimetres."""
CAPACITOR_WITHIN = 6.0
"""Millimetres from a lamp to the capacitor that is its own."""
CATHODE, ANODE = "1", "2"
VDD, DOUT, VSS, DIN = "1", "2", "3", "4"

Where: TypeAlias = tuple[int, int]
"""A tile, or a cell: column from the left, row from the near edge."""
Net: TypeAlias = tuple[Where, int]


@dataclass(frozen=True, slots=True)
class Terminal:
    """A pad of a part on one of the tiles."""

    tile: Where
    part: Part
    pad: str

    @property
    def cell(self) -> Where:
        """The cell in which the part lies."""
        x, y = self.part.middle
        return (int((self.tile[0] * SIDE + x) // CELL), int((self.tile[1] * SIDE + SIDE - y) // CELL))

    def __str__(self) -> str:
        return f"{self.part.name} of tile {self.tile[0] + 1},{self.tile[1] + 1}"


class Joined:
    """Sixteen copies of a tile with their wires and bridges: every pad's net, by the islands of the one tile."""

    def __init__(self, tile: Board, islands: Iterable[frozenset[Copper]]) -> None:
        self.tile = tile
        self.faults: list[str] = []
        self._island = {piece: number for number, island in enumerate(islands) for piece in island}
        self._chief: dict[Net, Net] = {}
        for where in tiles():
            for wire in self._wires(where):
                self._join(*wire)
        self.terminals: dict[Net, list[Terminal]] = defaultdict(list)
        for where in tiles():
            for part in tile.parts:
                for pad in part.pads:
                    terminal = Terminal(where, part, pad.number)
                    if kind(part) not in {"joint", "bridge"}:
                        self.terminals[self.net(terminal)].append(terminal)

    def of_kind(self, wanted: str) -> list[Terminal]:
        """The first pad of every part of a kind."""
        return [Terminal(where, part, "1") for where in tiles() for part in self.tile.parts if kind(part) == wanted]

    def net(self, terminal: Terminal, pad: str = "") -> Net:
        """The net at a pad, or at another pad of the same part."""
        return self._head((terminal.tile, self._island[terminal.part.pad(pad or terminal.pad).copper]))

    def others(self, terminal: Terminal, pad: str) -> list[Terminal]:
        """What else is on the net of a part's pad."""
        found = self.terminals[self.net(terminal, pad)]
        return [other for other in found if (other.tile, other.part.name) != (terminal.tile, terminal.part.name)]

    def _head(self, net: Net) -> Net:
        while self._chief.get(net, net) != net:
            net = self._chief[net]
        return net

    def _join(self, one: Net, other: Net) -> None:
        self._chief[self._head(one)] = self._head(other)

    def _wires(self, where: Where) -> Iterator[tuple[Net, Net]]:
        """From this tile to the right and upwards, and its own bridges."""
        column, row = where
        pads = {pad.middle: pad.copper for part in self.tile.parts if kind(part) == "joint" for pad in part.pads}
        for middle, copper in pads.items():
            x, y = middle
            if x > SIDE - NEAR_EDGE and column + 1 < TILES:
                yield from self._wire((where, copper), (column + 1, row), (SIDE - x, y), pads)
            if y < NEAR_EDGE and row + 1 < TILES:
                yield from self._wire((where, copper), (column, row + 1), (x, SIDE - y), pads)
        for part in self.tile.parts:
            turns = part.value == "TURN" and column == TILES - 1
            rises = part.value == "UP" and column == 0 and row < TILES - 1
            if turns or rises:
                one, other = (self._island[pad.copper] for pad in part.pads)
                yield (where, one), (where, other)

    def _wire(
        self, start: tuple[Where, Copper], tile: Where, facing: Point, pads: dict[Point, Copper]
    ) -> Iterator[tuple[Net, Net]]:
        found = next((copper for middle, copper in pads.items() if dist(middle, facing) < 0.01), None)
        if found is None:
            x, y = facing
            self.faults.append(
                f"no hole of tile {tile[0] + 1},{tile[1] + 1} at ({x:g}, {y:g}) faces that of its neighbour"
            )
            return
        yield (start[0], self._island[start[1]]), (tile, self._island[found])


def tiles() -> Iterator[Where]:
    """The near row first."""
    return ((column, row) for row in range(TILES) for column in range(TILES))


def kind(part: Part) -> str:
    """What a part is."""
    kinds = {"1N4148": "diode", "WS2812B": "lamp", "100nF": "capacitor", "TURN": "bridge", "UP": "bridge"}
    return "reed" if part.value.startswith("reed") else kinds.get(part.value, part.value)


def faults(joined: Joined) -> list[str]:
    """Everything that is not as a board of 8 x 8 needs it."""
    return [*joined.faults, *of_matrix(joined), *of_string(joined), *of_supply(joined)]


def of_matrix(joined: Joined) -> Iterator[str]:
    """Each reed has its own diode, stripe towards the row, and each cell its own row and column."""
    rows: dict[int, set[Net]] = defaultdict(set)
    columns: dict[int, set[Net]] = defaultdict(set)
    cells: Counter[Where] = Counter()
    for reed in joined.of_kind("reed"):
        cells[reed.cell] += 1
        links = [(pad, joined.others(reed, pad)) for pad in ("1", "2")]
        own = [(pad, found[0]) for pad, found in links if len(found) == 1 and kind(found[0].part) == "diode"]
        if len(own) != 1:
            yield f"{reed} has no diode of its own"
            continue
        pad, diode = own[0]
        if diode.pad != CATHODE:
            yield f"{diode} is turned: its stripe must be on the side of the reed"
            continue
        column, row = reed.cell
        rows[row].add(joined.net(reed, "2" if pad == "1" else "1"))
        columns[column].add(joined.net(diode, ANODE))
    if sorted(cells) != sorted((c, r) for c in range(CELLS) for r in range(CELLS)) or set(cells.values()) != {1}:
        yield f"there are {cells.total()} reeds on {len(cells)} cells, not one on each of {CELLS * CELLS}"
    for name, lines, held in (("row", rows, "reed"), ("column", columns, "diode")):
        for number, nets in sorted(lines.items()):
            if len(nets) != 1:
                yield f"{name} {number + 1} is in {len(nets)} parts"
            for net in nets:
                on = Counter(kind(terminal.part) for terminal in joined.terminals[net])
                if on != {held: CELLS}:
                    yield f"{name} {number + 1} has {dict(on)} on it, not {CELLS} of {held}"


def of_string(joined: Joined) -> Iterator[str]:
    """One string through all lamps: right along a row, back along the next."""
    lamps = {lamp.cell: lamp for lamp in joined.of_kind("lamp")}
    if len(lamps) != CELLS * CELLS:
        yield f"there are {len(lamps)} lamps, not {CELLS * CELLS}"
        return
    order = serpentine()
    if joined.others(lamps[order[0]], DIN):
        yield f"{lamps[order[0]]}: the entry of the string is not free"
    for cell, following in pairwise(order):
        lamp, after = lamps[cell], lamps[following]
        found = [(str(terminal), terminal.pad) for terminal in joined.others(lamp, DOUT)]
        if found != [(str(after), DIN)]:
            yield f"{lamp}: its data lead to {found or 'nothing'}, not to {after}"
    if joined.others(lamps[order[-1]], DOUT):
        yield f"{lamps[order[-1]]}: the end of the string is not free"


def serpentine() -> list[Where]:
    """The cells as the string visits them."""
    return [(c if r % 2 == 0 else CELLS - 1 - c, r) for r in range(CELLS) for c in range(CELLS)]


def of_supply(joined: Joined) -> Iterator[str]:
    """One net of 5 V and one of ground; each lamp has a capacitor beside it."""
    lamps, capacitors = joined.of_kind("lamp"), joined.of_kind("capacitor")
    plus = {joined.net(lamp, VDD) for lamp in lamps} | {joined.net(one, "1") for one in capacitors}
    ground = {joined.net(lamp, VSS) for lamp in lamps} | {joined.net(one, "2") for one in capacitors}
    for name, nets in (("5 V", plus), ("ground", ground)):
        if len(nets) != 1:
            yield f"{name} is in {len(nets)} parts"
    if plus & ground:
        yield "5 V is joined to ground"
    for net, wanted in ((net, n) for nets, n in ((plus, VDD), (ground, VSS)) for net in nets):
        strange = [str(t) for t in joined.terminals[net] if kind(t.part) == "lamp" and t.pad != wanted]
        strange += [str(t) for t in joined.terminals[net] if kind(t.part) in {"reed", "diode"}]
        if strange:
            yield f"the supply is joined to {', '.join(strange[:3])}"
    near = {(c.tile, lamp.part.name) for c in capacitors for lamp in lamps if beside(c, lamp)}
    for lamp in lamps:
        if (lamp.tile, lamp.part.name) not in near:
            yield f"{lamp} has no capacitor beside it"
    if len(capacitors) < len(lamps):
        yield f"{len(lamps)} lamps share {len(capacitors)} capacitors"


def beside(capacitor: Terminal, lamp: Terminal) -> bool:
    """Whether a capacitor is a lamp's own."""
    return capacitor.tile == lamp.tile and dist(capacitor.part.middle, lamp.part.middle) <= CAPACITOR_WITHIN


def main(arguments: Sequence[str]) -> str | None:
    """Says what was proven; the faults are the exit's words."""
    path = Path(arguments[0]) if arguments else Path(__file__).resolve().parent / "tile.kicad_pcb"
    tile = read_file(path)
    joined = Joined(tile, islands(tile.pieces, contacts(tile.pieces)))
    found = faults(joined)
    if found:
        return "\n".join(found)
    reeds, lamps = len(joined.of_kind("reed")), len(joined.of_kind("lamp"))
    print(  # noqa: T201  # this is a command
        f"{TILES * TILES} tiles: {reeds} reeds on {CELLS} rows and {CELLS} columns, each with its own diode; "
        f"one string of {lamps} lamps; one 5 V and one ground."
    )
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
