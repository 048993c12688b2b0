"""Sixteen tiles are a board of 8 x 8, and a broken tile is named; all without KiCad."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hardware.pcb import join, picture
from hardware.pcb.copper import Board, Copper, Part, contacts, islands, parse, read, read_file
from hardware.pcb.join import Joined, faults

from reedlight.board.toml import load_packaged

ROOT = Path(__file__).resolve().parents[2]
TILE = ROOT / "hardware" / "pcb" / "tile.kicad_pcb"
BACK = frozenset({"B.Cu"})
FRONT = frozenset({"F.Cu"})


@pytest.fixture(scope="module")
def tile() -> Board:
    return read_file(TILE)


@pytest.fixture(scope="module")
def touching(tile: Board) -> list[tuple[Copper, Copper]]:
    return contacts(tile.pieces)


def faults_of(tile: Board, touching: list[tuple[Copper, Copper]] | None = None) -> list[str]:
    return faults(Joined(tile, islands(tile.pieces, contacts(tile.pieces) if touching is None else touching)))


def without(tile: Board, lost: Copper, touching: list[tuple[Copper, Copper]]) -> list[str]:
    less = replace(tile, copper=tuple(piece for piece in tile.copper if piece is not lost))
    return faults_of(less, [pair for pair in touching if lost not in pair])


def test_sixteen_tiles_are_a_board(tile: Board, touching: list[tuple[Copper, Copper]]) -> None:
    joined = Joined(tile, islands(tile.pieces, touching))
    assert faults(joined) == []
    assert [len(joined.of_kind(kind)) for kind in ("reed", "diode", "lamp", "capacitor")] == [64, 64, 64, 64]


def test_the_copper_hangs_together_as_the_nets_are_named(tile: Board, touching: list[tuple[Copper, Copper]]) -> None:
    found = [{piece.net for piece in island} for island in islands(tile.pieces, touching)]
    assert all(len(nets) == 1 for nets in found)
    assert len(found) == len({net for nets in found for net in nets}) == 17


def test_the_string_visits_the_lamps_as_the_oak_board_numbers_them() -> None:
    profile = load_packaged("oak-8x8")
    lamps = profile.layout.lamps
    assert [profile.grid.places[cell] for cell in sorted(lamps, key=lambda cell: lamps[cell])] == join.serpentine()


def test_every_net_misses_each_of_its_tracks(tile: Board, touching: list[tuple[Copper, Copper]]) -> None:
    tracks = [piece for piece in tile.copper if len(piece.core) == 2]
    unnoticed = [track for track in tracks if not without(tile, track, touching)]
    assert len(tracks) > 50
    assert unnoticed == []


def test_a_supply_that_does_not_reach_a_lamp_is_named(tile: Board, touching: list[tuple[Copper, Copper]]) -> None:
    # The way of U1's ground pad to its via.
    lost = next(piece for piece in tile.copper if piece.net == "GND" and len(piece.core) == 2)
    assert without(tile, lost, touching) == ["ground is in 17 parts"]


def test_a_pour_that_is_missing_is_named(tile: Board, touching: list[tuple[Copper, Copper]]) -> None:
    pour = next(piece for piece in tile.copper if len(piece.core) > 2 and piece.sides == FRONT)
    assert any(sentence.startswith("5 V is in ") for sentence in without(tile, pour, touching))


def test_a_turned_diode_is_named_on_every_tile(tile: Board, touching: list[tuple[Copper, Copper]]) -> None:
    def turned(part: Part) -> Part:
        swap = {"1": "2", "2": "1"}
        return replace(part, pads=tuple(replace(pad, number=swap[pad.number]) for pad in part.pads))

    broken = replace(tile, parts=tuple(turned(part) if part.name == "D2" else part for part in tile.parts))
    named = [sentence for sentence in faults_of(broken, touching) if "is turned" in sentence]
    assert len(named) == 16
    assert named[0] == "D2 of tile 1,1 is turned: its stripe must be on the side of the reed"


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("COL_1", "COL_2", "column 1 has {'diode': 16} on it, not 8 of diode"),
        ("ROW_A", "ROW_B", "row 1 has {'reed': 16} on it, not 8 of reed"),
        ("IN_B", "OUT_A", "U2 of tile 1,1: its data lead to ["),
        ("5V", "GND", "5 V is joined to ground"),
        ("GND", "COL_1", "the supply is joined to D"),
        ("REED_4", "B_3_4", "S4 of tile 1,1 has no diode of its own"),
    ],
)
def test_a_whisker_between_two_nets_is_named(
    tile: Board, touching: list[tuple[Copper, Copper]], one: str, other: str, said: str
) -> None:
    piece = {piece.net: piece for piece in tile.pieces}
    sentences = faults_of(tile, [*touching, (piece[one], piece[other])])
    assert any(sentence.startswith(said) for sentence in sentences), sentences[:5]


def test_a_ground_via_under_a_data_track_is_named(tile: Board) -> None:
    via = Copper("GND", FRONT | BACK, ((30.0, 26.0),), 0.4, 0.4)
    sentences = faults_of(replace(tile, copper=(*tile.copper, via)))
    assert any(sentence.startswith("the supply is joined to U") for sentence in sentences), sentences[:5]


def test_a_bridge_that_is_missing_cuts_the_string(tile: Board, touching: list[tuple[Copper, Copper]]) -> None:
    broken = replace(tile, parts=tuple(part for part in tile.parts if part.value != "TURN"))
    kept = set(broken.pieces)
    named = faults_of(broken, [pair for pair in touching if kept.issuperset(pair)])
    assert named == [f"U2 of tile 4,{row}: its data lead to nothing, not to U3 of tile 4,{row}" for row in (1, 2, 3, 4)]


def test_a_joint_that_faces_nothing_is_named(tile: Board) -> None:
    moved = TILE.read_text(encoding="utf-8")
    j4 = moved.index('"J4"')
    start = moved.rindex("(at 3.81 18.69)", 0, j4)
    shifted = moved[:start] + "(at 3.81 19.69)" + moved[start + len("(at 3.81 18.69)") :]
    named = faults_of(read(shifted))
    assert named[0].startswith("no hole of tile 2,1 at (3.81, 18.69) faces")
    assert tile.parts != read(shifted).parts


def test_a_capacitor_far_from_its_lamp_is_named(tile: Board, touching: list[tuple[Copper, Copper]]) -> None:
    def carried(part: Part) -> Part:
        return replace(part, middle=(45.0, 45.0)) if part.name == "C3" else part

    broken = replace(tile, parts=tuple(map(carried, tile.parts)))
    assert faults_of(broken, touching)[0] == "U3 of tile 1,1 has no capacitor beside it"


def test_the_command_names_the_faults_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert join.main([str(TILE)]) is None
    assert "64 reeds" in capsys.readouterr().out
    broken = tmp_path / "broken.kicad_pcb"
    broken.write_text(TILE.read_text(encoding="utf-8").replace("(segment ", "(lost ", 1), encoding="utf-8")
    assert join.main([str(broken)])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('(kicad_pcb (net 0 "")', "brackets do not match"),
        ("(kicad_pcb (arc))", "curved tracks"),
    ],
)
def test_what_is_not_understood_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read(text)


def test_a_quoted_bracket_is_no_bracket() -> None:
    assert parse('(a "b (c" d)') == ["a", "b (c", "d"]


SQUARE = Copper("", FRONT, ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)))


@pytest.mark.parametrize(
    ("other", "joined"),
    [
        (Copper("", FRONT, ((2.0, 2.0),), 0.5), True),  # inside
        (Copper("", FRONT, ((4.4, 2.0),), 0.5), True),  # over the border
        (Copper("", FRONT, ((4.6, 2.0),), 0.5), False),
        (Copper("", FRONT, ((-1.0, 2.0), (5.0, 2.0)), 0.1), True),  # across
        (Copper("", FRONT, ((-1.0, 5.0), (5.0, 5.0)), 0.9), False),
        (Copper("", BACK, ((2.0, 2.0),), 0.5), False),  # on the other side
        (Copper("", FRONT | BACK, ((2.0, 2.0),), 0.5), True),
    ],
)
def test_what_overlaps_on_one_side_is_joined(other: Copper, joined: bool) -> None:  # noqa: FBT001
    assert bool(contacts([SQUARE, other])) is joined
    assert bool(contacts([other, SQUARE])) is joined


def test_the_picture_is_that_of_the_tile(tile: Board) -> None:
    assert TILE.with_suffix(".svg").read_text(encoding="utf-8") == picture.draw(tile)
