"""The pictures of the prints are not older than what they show; nothing is drawn to know it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hardware.mechanics import prints
from hardware.mechanics.portraits import ALIKE, STAMP
from hardware.mechanics.prints import HARDWARE, PRINTS, fingerprint, fingerprint_of
from PIL import Image

SHOWN = [name for name in PRINTS if name not in ALIKE]
AGAIN = "draw them again: .venv/bin/python -m hardware.mechanics.portraits"


def picture(name: str) -> Path:
    return HARDWARE / PRINTS[name].source.split("/")[0] / "pictures" / f"{name}.png"


@pytest.mark.parametrize("name", SHOWN)
def test_a_picture_of_a_print_was_made_of_its_source_as_it_is(name: str) -> None:
    with Image.open(picture(name)) as drawn:
        assert drawn.info[STAMP] == fingerprint(name), AGAIN


def test_the_picture_of_all_walls_was_made_of_their_source_as_it_is() -> None:
    text = (HARDWARE / "mechanics/pictures/hex-walls.svg").read_text("utf-8")
    assert re.findall(rf"<!-- {STAMP} (\w+) -->", text) == [fingerprint_of(HARDWARE / "mechanics/hex-walls.scad")], (
        AGAIN
    )


def test_every_picture_of_a_print_shows_one() -> None:
    there = {path for kind in ("pieces", "mechanics", "jigs") for path in (HARDWARE / kind / "pictures").glob("*.png")}
    assert there == {picture(name) for name in SHOWN}


def test_a_fingerprint_changes_with_what_a_source_includes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("mechanics", "pieces"):
        (tmp_path / folder).mkdir()
        for source in (HARDWARE / folder).glob("*.scad"):
            (tmp_path / folder / source.name).write_text(source.read_text("utf-8"), "utf-8")
    monkeypatch.setattr(prints, "HARDWARE", tmp_path)
    before = fingerprint("man"), fingerprint("checker"), fingerprint("shim")
    assert before[0] != before[1]
    sizes = tmp_path / "mechanics/dimensions.scad"
    sizes.write_text(sizes.read_text("utf-8").replace("floor = 0.4;", "floor = 0.6;"), "utf-8")
    after = fingerprint("man"), fingerprint("checker"), fingerprint("shim")
    assert all(one != other for one, other in zip(before, after, strict=True))
