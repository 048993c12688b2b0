"""Front: the page of a board's folder: its picture, what it is in numbers, and which file answers which question."""

from __future__ import annotations

from collections.abc import Iterable

from hardware.generator.boards import BOARDS, Board
from hardware.generator.power import loads, sums
from hardware.generator.shopping import pieces_of, shopping_list
from hardware.generator.tables import markdown
from reedlight.board.profile import Expander, Pico, Ws2812
from reedlight.core.grid import Shape

_FILES = (
    (
        "wiring.md",
        (
            "every wire, joint and cable in the order of the work: from, to, colour, kind, length, which side "
            "the stripe goes"
        ),
    ),
    ("wiring.csv", "the same as a table for other programs"),
    ("pins.md", "every pin of {chips} and the connectors: its use, its wires, their colour, where they go"),
    ("cells.csv", "every cell: its place, switch, row, column, lamp, and the wires that reach it"),
    ("parts-to-buy.csv", "what to buy, with spares, part numbers, substitutes and estimated prices"),
    ("power.md", "what draws how much, and what fuses and supply carry"),
    ("meter.md", "what the meter must read, pin by pin"),
    ("schematic.pdf", "the circuit on four sheets of A3; each sheet also as `schematic-1-power.svg` and so on"),
    ("cut-top.dxf", "the plate one plays on: outline, grid, names"),
    ("cut-carrier.dxf", "holds reeds and lamps, a hole for each"),
    ("cut-base.dxf", "the bottom"),
    ("cut-carrier-below.svg", "marking paper for its lower side, mirrored: names, rows, columns, lamps, diodes"),
    ("cut-carrier-below.pdf", "the same on pages of A4"),
    ("cut-console.dxf", "the panel with buttons and dice"),
    ("cut-console-box.dxf", "the console's floor and its four walls"),
    ("cut-walls.dxf", "slotted strips between the cells"),
    ("cut-template.dxf", "1 mm holes to mark every centre by hand, and where a piece may stand at the worst"),
    ("overlay-herd.svg", "to print at 100 %: Herd of side 4 on this board"),
    ("overlay-herd.pdf", "the same on pages of A4"),
)


def front_page(board: Board, files: Iterable[str]) -> str:
    """The page of a board's folder that holds these files."""
    there = set(files)
    profile = board.profile
    chips = "the Pi, the Pico, the shifter" if board.circuit.of_part("pico") else "the Pi, the chips, the digits"
    rows = [(f"[`{name}`]({name})", meaning.format(chips=chips)) for name, meaning in _FILES if name in there]
    return "\n".join(
        (
            f"# {profile.title}\n",
            "![The board on the table, with pieces, lit cells and its console](board.svg)\n",
            _made_from(profile.name),
            markdown(("what", "is"), _facts(board)),
            "## Which file answers what\n",
            markdown(("file", "tells"), rows),
            (
                "Every `cut-….dxf` is in millimetres with the layers CUT, ENGRAVE and MARK (nothing is burnt for "
                "MARK), and lies here as "
                "an SVG of the same name too.\n"
            ),
            "## Pieces\n",
            _served(board),
            markdown(("pieces", "magnets to buy", "about USD"), _magnets(board)),
            (
                "One magnet, one printed piece and one felt disc each; for any other number buy "
                f"{board.parts.of('magnet').spares:.0%} more magnets than pieces, rounded up.\n"
            ),
        )
    )


def _served(board: Board) -> str:
    """What the pieces are enough for on this board."""
    pieces, cells = pieces_of(board.plan), len(board.plan.cells)
    half = f"{pieces} pieces, {pieces // 2} of each colour"
    if board.plan.hexagons:
        return (
            f"{half}, are on the list. In Herd the stones of both colours together fill the {cells} cells, and one "
            f"colour may hold most of them: {pieces // 2} were enough in nine of ten random games of side 5.\n"
        )
    return (
        f"{half}, are on the list: Diablo begins with one on each of 64 cells; draughts takes 24, twelve of each "
        f"colour, and a few more for kings. In Herd of side 4 one colour may hold most of the 37 cells; "
        f"{pieces // 2} were enough in four of five random games.\n"
    )


def _made_from(name: str) -> str:
    if name not in BOARDS:
        return (
            f"Everything here is made from the profile `{name}` and `hardware/parts.toml`; change those, not these.\n"
        )
    return (
        f"Everything here is made from [the profile `{name}`](../../controller/reedlight/board/profiles/{name}.toml) "
        "and [`parts.toml`](../parts.toml) by `make hardware`; change those, not these.\n"
    )


def _facts(board: Board) -> list[tuple[str, str]]:
    profile, plan = board.profile, board.plan
    total = sums(loads(profile, board.circuit, board.parts))
    price = sum(line.price for line in shopping_list(plan, board.circuit, board.parts))
    shape = "squares" if profile.grid.shape is Shape.SQUARE else "hexagons"
    pi = board.parts.of("pi").price
    return [
        ("cells", f"{len(plan.cells)} {shape}, {plan.pitch:g} mm from centre to centre"),
        (
            "plate",
            f"{plan.width:g} x {plan.height:g} mm; console {plan.console_width:g} x {plan.console_depth:g} mm in front",
        ),
        ("switches", _reader(board)),
        ("lamps", _lamps(board)),
        ("supply", f"5 V {profile.power.supply:g} A; typical {total.typical:.1f} A, worst {total.worst:.1f} A"),
        (
            "fuses",
            (
                f"F1 {board.parts.of('fuse').number('blows'):g} A for everything, F2 "
                f"{profile.power.led_fuse_hold:g} A (resets itself) for the lamps"
            ),
        ),
        ("`config.txt`", _overlays(board)),
        ("price", f"about {price - pi:.0f} USD and a Raspberry Pi; an estimate"),
    ]


def _reader(board: Board) -> str:
    reader = board.profile.reader
    if isinstance(reader, Expander):
        return "PCA9555 chips"
    said, prefix = ("a Pico", "GP") if isinstance(reader, Pico) else ("the Pi", "BCM")
    rows, columns = (", ".join(map(str, pins)) for pins in (reader.matrix.rows, reader.matrix.columns))
    return f"a matrix of reeds with diodes, read by {said}: rows {prefix} {rows}; columns {prefix} {columns}"


def _lamps(board: Board) -> str:
    lamps = board.profile.lamps
    if isinstance(lamps, Ws2812):
        return (
            f"a string of {lamps.count} RGB lamps on SPI{lamps.spi.bus} of the Pi, by the shifter; "
            f"the program never lets it draw more than {board.profile.power.led_cap:g} A"
        )
    return "an LED of one colour under each cell, from a MAX7219; a second MAX7219 lights the panel"


def _overlays(board: Board) -> str:
    buses = board.profile.buses
    spi0 = {1: "`dtoverlay=spi0-1cs`", 2: "`dtparam=spi=on`"}.get(buses.spi0)
    spi1 = f"`dtoverlay=spi1-{buses.spi1}cs`" if buses.spi1 else None
    words = [spi0, spi1, "`dtparam=i2c_arm=on`" if buses.i2c1 else None]
    if isinstance(board.profile.lamps, Ws2812):
        # The string's clock is divided from the core's, which must not change.
        words.append("`core_freq=250` on a Pi 3 or Zero 2 W, `core_freq_min=500` on a Pi 4")
    return ", ".join(word for word in words if word)


def _magnets(board: Board) -> list[tuple[str, str, str]]:
    magnet, pieces = board.parts.of("magnet"), pieces_of(board.plan)
    games = {74: "Herd of side 4, 37 of each colour, in any case enough"}
    if board.plan.hexagons:
        games[2 * len(board.plan.cells)] = "Herd of side 5, in any case enough"
    else:
        games |= {12: "one side of draughts", 24: "draughts", 48: "twelve stacks of four"}
    return [
        (f"{number}, {words}", str(magnet.to_buy(number)), f"{magnet.to_buy(number) * magnet.price:.0f}")
        for number, words in sorted({**games, pieces: "as on the list"}.items())
    ]
