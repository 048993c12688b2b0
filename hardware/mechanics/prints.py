"""Everything that is printed, as a table, and the program that makes its STL files with OpenSCAD.

    python -m hardware.mechanics.prints [FOLDER]

writes one STL for each print into ``.build/stl``. The shapes stand in the ``.scad`` files of ``pieces/``,
``mechanics/`` and ``jigs/``; this table says which settings of theirs make which file, how large the result must be,
and how many a board needs. OpenSCAD runs without a screen; the pictures are drawn by ``portraits.py``.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

HARDWARE = Path(__file__).resolve().parents[1]
STL = HARDWARE.parent / ".build" / "stl"

SQUARE, HEXAGON = 64, 61
HEXAGON_PIECES = 100
"""Pieces of the hexagonal board, both colours; why, stands in ``generator/shopping.py``."""
COMPLAINT = re.compile(r"^(ERROR|WARNING|EXPORT-WARNING)", re.MULTILINE)
"""OpenSCAD ends with 0 although it has left out what it could not make."""
_INCLUDED = re.compile(r"^(?:include|use) <([^>]+)>", re.MULTILINE)
NO_SETTINGS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Print:
    """A file to be printed: its source, the settings that differ from the source, its size as printed."""

    source: str
    size: tuple[float, float, float]
    """Millimetres along x, y and z, without what is glued on."""
    square: int = 0
    """How many a board of 8 x 8 needs."""
    hexagon: int = 0
    """How many the hexagonal board needs."""
    settings: Mapping[str, str] = field(default_factory=lambda: NO_SETTINGS)
    magnets: tuple[float, ...] = ()
    """The height at which the print pauses for each magnet to be laid in."""


def walls(size: tuple[float, float, float], hexagon: int, **settings: str) -> Print:
    """A section of the hexagonal board's light walls."""
    return Print("mechanics/hex-walls.scad", size, hexagon=hexagon, settings=MappingProxyType(settings))


PRINTS: Mapping[str, Print] = MappingProxyType(
    {
        "man": Print("pieces/man.scad", (33, 33, 6.5), magnets=(1.6,)),
        "checker": Print("pieces/checker.scad", (33, 33, 5.5), SQUARE, HEXAGON_PIECES, magnets=(1.6,)),
        "stone": Print("pieces/stone.scad", (33, 33, 7.5), magnets=(1.6,)),
        "king": Print("pieces/king.scad", (27.4, 27.4, 3.0)),
        "reed-holder": Print("mechanics/reed-holder.scad", (11.8, 8, 10.6), SQUARE, HEXAGON),
        "shim": Print("mechanics/shim.scad", (11.8, 8, 1), SQUARE, HEXAGON),
        "light-guide": Print("mechanics/light-guide.scad", (9.5, 9.5, 18.0)),
        "wall-row-3": walls((142.35, 44.97, 15), 4, cells="3"),
        "wall-row-4": walls((187.35, 44.97, 15), 4, cells="4"),
        "wall-row-3-last": walls((144.48, 44.97, 15), 5, cells="3", last="true"),
        "wall-row-4-last": walls((189.48, 44.97, 15), 2, cells="4", last="true"),
        "wall-outer-3": walls((142.35, 38.87, 15), 2, cells="3", outer="true"),
        "wall-outer-2-last": walls((99.48, 38.87, 15), 2, cells="2", outer="true", last="true"),
        "wall-cap-3": walls((142.35, 28.19, 15), 2, kind='"cap"', cells="3"),
        "wall-cap-3-last": walls((145.78, 28.19, 15), 1, kind='"cap"', cells="3", last="true"),
        "reed-slide-rail": Print("jigs/reed-slide.scad", (60.5, 28.4, 14)),
        "reed-slide-carriage": Print(
            "jigs/reed-slide.scad", (12, 20, 16), settings=MappingProxyType({"part": '"carriage"'})
        ),
        "bending": Print("jigs/bending.scad", (27.4, 16, 10)),
        "polarity": Print("jigs/polarity.scad", (16, 16, 50), magnets=(2.4, 48.8)),
        "marks": Print("jigs/marks.scad", (44.4, 44.4, 3)),
        "marks-centre": Print("jigs/marks.scad", (44.4, 44.4, 3), settings=MappingProxyType({"off": "0"})),
    }
)


def openscad(source: Path, target: Path, settings: Mapping[str, str] = NO_SETTINGS) -> str:
    """Runs OpenSCAD and returns what it says. A warning is an error: it writes something else than is meant."""
    options = [option for name, value in settings.items() for option in ("-D", f"{name}={value}")]
    command = ["openscad", "--hardwarnings", *options, "-o", str(target), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # the table is ours
    if done.returncode != 0 or COMPLAINT.search(done.stderr):
        raise ValueError(f"{source.name} cannot be made:\n{done.stderr}")
    return done.stderr


def fingerprint(name: str) -> str:
    """What a print is made of, as a number: its settings, its source and what that includes."""
    one = PRINTS[name]
    return _number([f"{sorted(one.settings.items())}", *_texts(HARDWARE / one.source)])


def fingerprint_of(source: Path) -> str:
    """The same of a source by itself."""
    return _number(_texts(source))


def _number(texts: Iterable[str]) -> str:
    return sha256("\n".join(texts).encode()).hexdigest()


def _texts(source: Path) -> Iterator[str]:
    text = source.read_text("utf-8")
    yield text
    for included in _INCLUDED.findall(text):
        yield from _texts((source.parent / included).resolve())


def make(name: str, folder: Path, **more: str) -> str:
    """Makes ``NAME.stl`` and returns what OpenSCAD says of it; more settings make a variant."""
    one = PRINTS[name]
    return openscad(HARDWARE / one.source, folder / f"{name}.stl", {**one.settings, **more})


def main(arguments: Sequence[str]) -> None:
    """Makes every STL."""
    folder = Path(arguments[0]) if arguments else STL
    folder.mkdir(parents=True, exist_ok=True)
    for name in PRINTS:
        make(name, folder)
        print(folder / f"{name}.stl")  # noqa: T201  # this is a command


if __name__ == "__main__":
    main(sys.argv[1:])
