"""Breaks one thing on a copy of the tile, for each of KiCad's rules, and says what KiCad says of it.

Run by the Python that has KiCad's module, with the project's folder and the tile; prints, as JSON, the names of
the rules that each break breaks. ``whole`` is the tile as it is.
"""

# pyright: basic, reportMissingImports=false
# KiCad's module has no types, and only the system's Python has it.

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pcbnew

sys.path.insert(0, sys.argv[1])
from hardware.pcb import fabricate, tile

SOURCE = Path(sys.argv[2])
Break = Callable[[pcbnew.BOARD], None]


def track(net: str, start: tile.Point, end: tile.Point, width: float = tile.SIGNAL) -> Break:
    """A track that is too much."""
    return lambda board: tile.draw_track(board, tile.Track(net, tile.FRONT, [start, end], width))


def via(net: str, where: tile.Point) -> Break:
    """A hole that is too much."""
    return lambda board: tile.draw_via(board, net, where)


def moved(name: str, where: tile.Point) -> Break:
    """A part in another place."""
    return lambda board: board.FindFootprintByReference(name).SetPosition(tile.at(where))


def thin(board: pcbnew.BOARD) -> None:
    """A track below the width."""
    first_track(board, "ROW_A").SetWidth(tile.nanometres(0.25))


def lost(board: pcbnew.BOARD) -> None:
    """A track is missing."""
    board.Delete(first_track(board, "A_1_2"))


def small_via(width: float, hole: float) -> Break:
    """A via below its size."""

    def shrink(board: pcbnew.BOARD) -> None:
        chosen = next(item for item in board.GetTracks() if isinstance(item, pcbnew.PCB_VIA))
        chosen.SetWidth(tile.nanometres(width))
        chosen.SetDrill(tile.nanometres(hole))

    return shrink


def no_room(board: pcbnew.BOARD) -> None:
    """The border of the tile is open."""
    board.Delete(next(item for item in board.GetDrawings() if item.GetLayer() == pcbnew.Edge_Cuts))


def words(text: str, where: tile.Point) -> Break:
    """Words in the way."""
    return lambda board: tile.draw_text(board, tile.Text(text, where), pcbnew.F_SilkS)


def first_track(board: pcbnew.BOARD, net: str) -> pcbnew.PCB_TRACK:
    """Some track of a net."""
    return next(item for item in board.GetTracks() if item.GetNetname() == net and not isinstance(item, pcbnew.PCB_VIA))


BREAKS: dict[str, Break] = {
    "whole": lambda _: None,
    "a track 0.1 mm beside another": track("UP", (25.0, 15.5), (27.0, 15.5)),
    "a ground via under a data track": via("GND", (30.0, 26.0)),
    "a track across another": track("UP", (30.0, 24.9), (30.0, 27.0)),
    "a track of 0.25 mm": thin,
    "a via of 0.5 mm": small_via(0.5, 0.3),
    "a ring of 0.1 mm": small_via(0.8, 0.6),
    "a hole of 0.2 mm": small_via(0.8, 0.2),
    "two holes 0.3 mm apart": via("COL_1", (38.12, 39.7)),
    "a track beside a screw": track("UP", (10.0, 7.8), (13.0, 7.8)),
    "a track beside the edge": track("UP", (0.5, 40.0), (0.5, 42.0)),
    "a track is missing": lost,
    "a capacitor on its lamp": moved("C4", (12.5, 20.5)),
    "a capacitor under a light wall": moved("C4", (45.0, 30.0)),
    "words on a pad": words("X", (22.5, 22.5)),
    "words on words": words("X", (27.0, 27.7)),
    "an open border": no_room,
}


def main() -> None:
    """Breaks and asks."""
    said: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / SOURCE.name
        shutil.copy(SOURCE, copy)
        shutil.copy(SOURCE.with_suffix(".kicad_dru"), folder)
        for name, brake in BREAKS.items():
            board = pcbnew.LoadBoard(str(copy))
            brake(board)
            said[name] = sorted({rule for rule, _ in fabricate.faults(board)})
    json.dump(said, sys.stdout)


main()
