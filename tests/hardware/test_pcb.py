"""The tile as KiCad sees it: written anew it is the same, no rule is broken, and every rule can be."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TILE = ROOT / "hardware" / "pcb" / "tile.kicad_pcb"
BREAKS = Path(__file__).with_name("broken_tiles.py")
KICAD = "6."
"""Later ones read the tile, but their Python speaks otherwise and their files have another form."""
PYTHONS = ("/usr/bin/python3", "python3")


@pytest.fixture(scope="session")
def kicad() -> str:
    """The Python that has KiCad's module. The build machine must have it; elsewhere the tests are skipped without."""
    for python in filter(None, map(shutil.which, PYTHONS)):
        if start(python, "-c", "import pcbnew; print(pcbnew.GetBuildVersion())").stdout.startswith(KICAD):
            return python
    reason = f"neither of {', '.join(PYTHONS)} has the module pcbnew of KiCad {KICAD} (Debian 12: the package kicad)"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def broken(kicad: str) -> dict[str, set[str]]:
    """What KiCad's rules say of each broken copy."""
    said = json.loads(run(kicad, str(BREAKS), str(ROOT), str(TILE)))
    return {name: set(rules) for name, rules in said.items()}


def start(python: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A program of the folder, to its end."""
    command = [python, "-B", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)  # noqa: S603  # ours


def run(python: str, *arguments: str) -> str:
    """What a program prints; it must succeed, and in silence otherwise."""
    done = start(python, *arguments)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def test_the_tile_written_anew_is_the_one_in_the_folder(kicad: str, tmp_path: Path) -> None:
    run(kicad, "-m", "hardware.pcb.tile", str(tmp_path / TILE.name))
    assert (tmp_path / TILE.name).read_bytes() == TILE.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == [TILE.name]


def test_the_tile_breaks_no_rule(broken: dict[str, set[str]]) -> None:
    assert broken["whole"] == set()


@pytest.mark.parametrize(
    ("broke", "rule"),
    [
        ("a track 0.1 mm beside another", "clearance"),
        ("a ground via under a data track", "clearance"),
        ("a track across another", "clearance"),
        ("a track of 0.25 mm", "track_width"),
        ("a via of 0.5 mm", "via_diameter"),
        ("a ring of 0.1 mm", "annular_width"),
        ("a hole of 0.2 mm", "drill_out_of_range"),
        ("two holes 0.3 mm apart", "hole_near_hole"),
        ("a track beside a screw", "hole_clearance"),
        ("a track beside the edge", "copper_edge_clearance"),
        ("a track is missing", "unconnected_items"),
        ("a capacitor on its lamp", "courtyards_overlap"),
        ("a capacitor under a light wall", "items_not_allowed"),
        ("words on a pad", "silk_over_copper"),
        ("words on words", "silk_overlap"),
        ("an open border", "invalid_outline"),
    ],
)
def test_each_rule_names_the_tile_that_breaks_it(broken: dict[str, set[str]], broke: str, rule: str) -> None:
    assert rule in broken[broke]


def test_a_broken_tile_is_not_sent_to_be_made(kicad: str, tmp_path: Path) -> None:
    copy = tmp_path / TILE.name
    without = re.sub(r"\n  \(segment [^\n]*\)", "", TILE.read_text(encoding="utf-8"), count=1)
    assert without != TILE.read_text(encoding="utf-8")
    copy.write_text(without, encoding="utf-8")
    done = start(kicad, "-m", "hardware.pcb.fabricate", "--rules", str(copy))
    assert done.returncode == 1
    assert "unconnected_items" in done.stderr


@pytest.fixture(scope="session")
def files(kicad: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the maker is sent."""
    folder = tmp_path_factory.mktemp("tile")
    run(kicad, "-m", "hardware.pcb.fabricate", str(folder))
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def test_every_layer_is_plotted_and_names_itself(files: dict[str, str]) -> None:
    functions = {
        match.group(1)
        for name, text in files.items()
        if name.endswith(".gbr") and (match := re.search(r"TF\.FileFunction,([^*]+)\*", text))
    }
    assert functions == {
        "Copper,L1,Top",
        "Copper,L2,Bot",
        "Soldermask,Top",
        "Soldermask,Bot",
        "Legend,Top",
        "Legend,Bot",
        "Paste,Top",
        "Profile,NP",
    }
    assert all(text.rstrip().endswith("M02*") for name, text in files.items() if name.endswith(".gbr"))


def test_every_hole_is_drilled_once(files: dict[str, str]) -> None:
    # 8 leads of reeds, 8 of diodes, 30 holes of joints, 20 vias; four screws.
    plated = re.findall(r"^X[-\d.]+Y[-\d.]+$", files["tile-PTH.drl"], re.MULTILINE)
    bare = re.findall(r"^X[-\d.]+Y[-\d.]+$", files["tile-NPTH.drl"], re.MULTILINE)
    assert (len(plated), len(set(plated)), len(bare)) == (66, 66, 4)


def test_each_part_has_its_place(files: dict[str, str]) -> None:
    rows = [line.split(",") for line in files["positions.csv"].splitlines()[1:]]
    assert sorted(row[0].strip('"') for row in rows) == sorted(f"{kind}{n}" for kind in "CDSU" for n in (1, 2, 3, 4))
    reeds = {(float(row[3]), float(row[4])) for row in rows if row[0].startswith('"S')}
    assert reeds == {(22.5, -22.5), (67.5, -22.5), (22.5, -67.5), (67.5, -67.5)}
    assert {row[6] for row in rows} == {"top"}
