"""What a maker of circuit boards is sent: Gerbers, drill files and positions, if the design rules find no fault.

    /usr/bin/python3 -m hardware.pcb.fabricate FOLDER

asks KiCad's design rules (those in ``tile.kicad_dru``, KiCad's own, and that everything is connected), and ends with
the report if one is broken. Warnings count: there are none.

    /usr/bin/python3 -m hardware.pcb.fabricate --rules BOARD

asks only, and prints one line for each fault.
"""

# pyright: basic, reportMissingImports=false
# KiCad's module has no types, and only the system's Python has it.
# ruff: noqa: FBT003
# Its setters take bare booleans.

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pcbnew

HERE = Path(__file__).resolve().parent
BOARD = HERE / "tile.kicad_pcb"

LAYERS = {
    "front-copper": pcbnew.F_Cu,
    "back-copper": pcbnew.B_Cu,
    "front-mask": pcbnew.F_Mask,
    "back-mask": pcbnew.B_Mask,
    "front-silk": pcbnew.F_SilkS,
    "back-silk": pcbnew.B_SilkS,
    "front-paste": pcbnew.F_Paste,
    "border": pcbnew.Edge_Cuts,
}
FAULT = re.compile(r"^\[(\w+)\]: (.*(?:\n    .*)*)", re.MULTILINE)
COUNTS = re.compile(r"^\*\* Found (\d+) (.*) \*\*$", re.MULTILINE)


def faults(board: pcbnew.BOARD) -> list[tuple[str, str]]:
    """The rules a board breaks, by KiCad's name of the rule, with the sentence and the places."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report"
        if not pcbnew.WriteDRCReport(board, str(report), pcbnew.EDA_UNITS_MILLIMETRES, True):
            raise OSError("KiCad wrote no report")
        text = report.read_text(encoding="utf-8")
    found = FAULT.findall(text)
    counted = sum(int(number) for number, _ in COUNTS.findall(text))
    if counted != len(found) or len(COUNTS.findall(text)) != 3:
        raise ValueError(f"this report is not understood:\n{text}")
    return found


def plot(board: pcbnew.BOARD, folder: Path) -> None:
    """A Gerber for each layer."""
    controller = pcbnew.PLOT_CONTROLLER(board)
    options = controller.GetPlotOptions()
    options.SetOutputDirectory(str(folder))
    options.SetPlotFrameRef(False)
    options.SetUseGerberX2format(True)
    options.SetUseGerberProtelExtensions(False)
    options.SetSubtractMaskFromSilk(True)
    for name, layer in LAYERS.items():
        controller.SetLayer(layer)
        controller.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, name)
        if not controller.PlotLayer():
            raise OSError(f"KiCad could not plot {name}")
    controller.ClosePlot()


def drill(board: pcbnew.BOARD, folder: Path) -> None:
    """Drill files, plated and not plated apart."""
    writer = pcbnew.EXCELLON_WRITER(board)
    writer.SetFormat(True)
    writer.SetOptions(False, False, pcbnew.wxPoint(0, 0), False)
    writer.CreateDrillandMapFilesSet(str(folder), True, False)


def positions(board: pcbnew.BOARD, folder: Path) -> None:
    """Where a machine puts the parts of the front, in millimetres."""
    exporter = pcbnew.PLACE_FILE_EXPORTER(board, True, False, False, True, False, True, False)
    (folder / "positions.csv").write_text(exporter.GenPositionData(), encoding="utf-8")


def main(arguments: Sequence[str]) -> str | None:
    """Asks the rules, then writes the files; the faults are the exit's words."""
    asked = arguments[:1] == ["--rules"]
    board = pcbnew.LoadBoard(arguments[1] if asked else str(BOARD))
    found = faults(board)
    if found:
        return "\n".join(f"{rule}: {sentence}" for rule, sentence in found)
    if not asked:
        folder = Path(arguments[0]).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        plot(board, folder)
        drill(board, folder)
        positions(board, folder)
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
