"""What is printed: solid, as large as the design says, magnets walled in, and fitting together."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# trimesh has types for part of its functions only.

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections.abc import Callable
from math import pi
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
import trimesh
from hardware.mechanics.prints import HARDWARE, PRINTS, make, openscad
from trimesh import Trimesh

PIECES = ("man", "checker", "stone")
FELT, FLOOR, POCKET_WIDTH, POCKET_HEIGHT = 0.5, 0.4, 12.2, 1.2
POCKET = pi / 4 * POCKET_WIDTH**2 * POCKET_HEIGHT
SIMPLE = re.compile(r"Simple: +yes")

Made: TypeAlias = Callable[[str], tuple[Path, str]]
Body: TypeAlias = Callable[[str], Trimesh]


@pytest.fixture(scope="session", autouse=True)
def installed() -> None:
    """The build machine must have OpenSCAD; elsewhere the tests are skipped without."""
    if shutil.which("openscad"):
        return
    reason = "OpenSCAD is not installed (Debian: the package openscad)"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The file of a print and what OpenSCAD said of it; each is made once."""
    folder = tmp_path_factory.mktemp("stl")
    said: dict[str, str] = {}

    def making(name: str) -> tuple[Path, str]:
        if name not in said:
            said[name] = make(name, folder)
        return folder / f"{name}.stl", said[name]

    return making


@pytest.fixture(scope="session")
def body(made: Made) -> Body:
    """The body of a print."""
    return lambda name: load(made(name)[0])


def load(path: Path) -> Trimesh:
    mesh = trimesh.load_mesh(path)
    assert isinstance(mesh, Trimesh)
    return mesh


def simple(path: Path, folder: Path) -> bool:
    """Whether OpenSCAD's exact geometry finds a body simple: no edge with more or fewer than two faces."""
    asked = folder / "asked.scad"
    # Only a union is looked at exactly, so there is a cube far away.
    asked.write_text(f'union() {{ import("{path}"); translate([1000, 0, 0]) cube(1); }}', encoding="utf-8")
    return bool(SIMPLE.search(openscad(asked, folder / "asked.stl")))


def area_at(mesh: Trimesh, height: float) -> float:
    """The area of a horizontal section: half of the integral of point times normal around its border."""
    lines, faces = trimesh.intersections.mesh_plane(mesh, (0, 0, 1), (0, 0, height), return_faces=True)
    across = mesh.face_normals[faces][:, :2]
    across = across / np.linalg.norm(across, axis=1, keepdims=True)
    middle = lines[:, :, :2].mean(axis=1)
    length = np.linalg.norm(lines[:, 1, :2] - lines[:, 0, :2], axis=1)
    return float((np.einsum("ij,ij->i", middle, across) * length).sum() / 2)


def said_by(source: str, folder: Path) -> dict[str, float]:
    """The numbers that a source echoes."""
    said = openscad(HARDWARE / source, folder / "said.stl")
    return {name: float(value) for name, value in re.findall(r"(\w+) = ([\d.]+)", said)}


@pytest.mark.parametrize("name", PRINTS)
def test_every_print_is_solid_and_as_large_as_the_table_says(body: Body, name: str) -> None:
    mesh = body(name)
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.volume > 0
    assert mesh.extents == pytest.approx(PRINTS[name].size, abs=0.02)
    assert mesh.bounds[0][2] == 0.0 or name.startswith("reed-slide")


@pytest.mark.parametrize("name", PRINTS)
def test_exact_geometry_finds_every_print_simple(made: Made, name: str, tmp_path: Path) -> None:
    path, said = made(name)
    assert SIMPLE.search(said) or simple(path, tmp_path)


def test_a_body_with_a_hole_in_its_skin_is_noticed(body: Body, tmp_path: Path) -> None:
    shim = body("shim")
    torn = Trimesh(shim.vertices, shim.faces[1:], process=False)
    assert not torn.is_watertight
    torn.export(tmp_path / "torn.stl")
    with pytest.raises(ValueError, match=r"asked\.scad cannot be made:\nERROR: The given mesh is not closed"):
        simple(tmp_path / "torn.stl", tmp_path)


def test_two_cubes_that_share_an_edge_are_not_simple(tmp_path: Path) -> None:
    source = tmp_path / "touching.scad"
    source.write_text("cube(1); translate([1, 1, 0]) cube(1);", encoding="utf-8")
    with pytest.raises(ValueError, match=r"Simple: +no"):
        openscad(source, tmp_path / "touching.stl")


@pytest.mark.parametrize(("name", "height"), [("man", 7.0), ("checker", 6.0), ("stone", 8.0)])
def test_a_piece_with_its_felt_has_the_size_of_the_design(body: Body, name: str, height: float) -> None:
    wide, deep, high = body(name).extents
    assert (wide, deep) == pytest.approx((33.0, 33.0), abs=0.01)
    assert high + FELT == pytest.approx(height, abs=0.001)
    assert min(wide, deep) > 31.7  # does not go into the small-parts cylinder


@pytest.mark.parametrize("name", PIECES)
def test_the_magnet_is_walled_in_on_all_sides(body: Body, name: str) -> None:
    mesh = body(name)
    outer, pocket = sorted(mesh.split(only_watertight=False), key=lambda part: -abs(part.volume))
    assert pocket.volume < 0  # a skin that looks inwards
    assert -pocket.volume == pytest.approx(POCKET, rel=0.01)
    assert pocket.extents == pytest.approx((POCKET_WIDTH, POCKET_WIDTH, POCKET_HEIGHT), abs=0.02)
    assert mesh.volume == pytest.approx(outer.volume + pocket.volume)
    below, above = pocket.bounds[0] - outer.bounds[0], outer.bounds[1] - pocket.bounds[1]
    assert below == pytest.approx((10.4, 10.4, FLOOR), abs=0.02)
    assert min(above) >= 3.0


@pytest.mark.parametrize("name", PIECES)
def test_a_section_is_full_below_and_above_the_pocket_and_hollow_in_it(body: Body, name: str) -> None:
    mesh = body(name)
    hollow = pi / 4 * POCKET_WIDTH**2
    full = pi / 4 * 33.0**2
    for height, missing in ((0.41, hollow), (1.0, hollow), (1.59, hollow), (1.61, 0.0), (2.5, 0.0)):
        assert area_at(mesh, height) == pytest.approx(full - missing, rel=0.003), height
    assert area_at(mesh, 0.39) == pytest.approx(pi * (16.5 - 0.01) ** 2, rel=0.003)


def test_an_open_pocket_would_be_noticed(tmp_path: Path) -> None:
    make("man", tmp_path, floor="-0.1")
    thin = load(tmp_path / "man.stl")
    assert len(thin.split(only_watertight=False)) == 1


def test_a_stack_has_its_magnets_six_millimetres_apart(body: Body) -> None:
    checker = body("checker")
    _, pocket = sorted(checker.split(only_watertight=False), key=lambda part: -abs(part.volume))
    on_the_board = FELT + pocket.bounds[0][2]
    # The felt of the next one stands on the rim, which is the highest of the body.
    on_the_next = FELT + checker.extents[2] + FELT + pocket.bounds[0][2]
    assert on_the_next - on_the_board == pytest.approx(6.0, abs=0.001)
    felt_radius = 15.5
    at_the_rim = area_at(checker, checker.extents[2] - 0.01)
    assert at_the_rim == pytest.approx(pi * (16.1**2 - 14.5**2), rel=0.02)
    assert 14.5 < felt_radius < 16.1


def test_the_pause_is_where_the_pocket_ends(body: Body) -> None:
    for name, one in PRINTS.items():
        rooms = [part for part in body(name).split(only_watertight=False) if part.volume < 0] if one.magnets else []
        assert sorted(room.bounds[1][2] for room in rooms) == pytest.approx(one.magnets, abs=0.001), name
    assert sum(bool(one.magnets) for one in PRINTS.values()) == 4


def test_a_king_lies_inside_the_rim_of_a_man(body: Body) -> None:
    inside = 33.0 - 2 * (2.0 + 0.6)  # where the rim has reached the face
    assert inside - 0.5 < body("king").extents[0] < inside


def test_the_contacts_of_a_reed_lie_twelve_millimetres_below_the_magnet(body: Body, tmp_path: Path) -> None:
    said = said_by("mechanics/reed-holder.scad", tmp_path)
    board = tomllib.loads((HARDWARE / "parts.toml").read_text(encoding="utf-8"))
    assert said["magnet_to_gap"] == board["magnetics"]["gap"] == 12.0
    assert said["glass_foot"] + board["magnetics"]["half_glass"] == pytest.approx(said["gap"])
    # The glass stands on the foot, which stands on a shim.
    holder, shim = body("reed-holder"), body("shim")
    foot = said["glass_foot"] - shim.extents[2]
    assert area_at(holder, foot - 0.01) > 1.5 * area_at(holder, foot + 0.01)
    assert holder.extents[2] < foot + 10.2 < board["plan"]["wall_height"] - shim.extents[2] - 2.0


def test_the_holder_leaves_room_for_lamp_and_diode(body: Body) -> None:
    board = tomllib.loads((HARDWARE / "parts.toml").read_text(encoding="utf-8"))
    (left, _, _), (right, _, _) = body("reed-holder").bounds
    free = abs(board["plan"]["lamp_offset"]) - board["plan"]["rgb_hole"] / 2  # the carrier's hole begins here
    assert -free < left
    assert right < free
    assert left > -6.8  # the pads of the tile's lamp end here
    assert right < 7.2  # the pad of the tile's diode begins here


def test_printed_walls_are_those_of_the_board(body: Body) -> None:
    board = tomllib.loads((HARDWARE / "parts.toml").read_text(encoding="utf-8"))["plan"]
    heights = {PRINTS[name].size[2] for name in PRINTS if name.startswith("wall-")}
    assert heights == {board["wall_height"]}
    # Three walls end at the upper side of a section of three cells, and nothing else.
    assert area_at(body("wall-row-3"), 7.5) == pytest.approx(area_at(body("wall-row-3"), 14.9))
    assert body("light-guide").extents[2] == board["wall_height"] + board["sheet"]


def test_the_sections_of_the_hexagonal_board_do_not_overlap(tmp_path: Path) -> None:
    source = HARDWARE / "mechanics" / "hex-walls.scad"
    with pytest.raises(ValueError, match="top level object is empty"):
        openscad(source, tmp_path / "overlap.svg", {"kind": '"overlap"'})
    openscad(source, tmp_path / "overlap.svg", {"kind": '"overlap"', "short": "-1"})  # walls too long do


def test_there_are_as_many_sections_as_the_board_has_cells() -> None:
    def cells(kind: str) -> int:
        return sum(
            one.hexagon * int(one.settings["cells"])
            for one in PRINTS.values()
            if "cells" in one.settings and one.settings.get("kind", '"row"') == kind
        )

    assert (cells('"row"'), cells('"cap"')) == (61, 9)


def test_the_walls_of_the_hexagonal_board_stay_on_its_plate(tmp_path: Path) -> None:
    drawn = tmp_path / "all.svg"
    openscad(HARDWARE / "mechanics" / "hex-walls.scad", drawn, {"kind": '"all"'})
    width, height = (float(size) for size in re.findall(r'(?:width|height)="([\d.]+)mm"', drawn.read_text("utf-8")))
    assert 405 < width < 435
    assert 364 < height < 394
    shown = HARDWARE / "mechanics" / "pictures" / "hex-walls.svg"
    assert corners(drawn) == corners(shown)  # the picture is that of these walls


def corners(picture: Path) -> list[tuple[float, float]]:
    """The corners drawn in an SVG, in no order: another OpenSCAD may begin its paths elsewhere."""
    found = re.findall(r"[ML] (-?[\d.]+),(-?[\d.]+)", picture.read_text("utf-8"))
    return sorted((round(float(x), 1), round(float(y), 1)) for x, y in found)


def test_the_slide_stops_where_a_reed_must_be_closed_and_where_open(body: Body) -> None:
    board = tomllib.loads((HARDWARE / "parts.toml").read_text(encoding="utf-8"))["magnetics"]
    rail, carriage = body("reed-slide-rail"), body("reed-slide-carriage")
    along = {round(float(x), 3) for x in rail.vertices[:, 0]}
    front_to_magnet = min(float(x) for x in carriage.vertices[:, 0] if x > 0.001)
    near, far = board["closes"][0] - front_to_magnet, board["opens"][0] - front_to_magnet
    assert 0.0 in along  # the end of the glass
    assert near in along
    assert round(far + float(carriage.extents[0]), 3) in along
    assert field(board["closes"][0]) == pytest.approx(board["closes"][1], rel=0.05)
    assert field(board["opens"][0]) == pytest.approx(board["opens"][1], rel=0.05)


def field(from_the_glass: float) -> float:
    """The field in mT at the contacts, on the axis of a disc of 12 x 1 mm with 1.3 T."""
    radius, thickness, remanence = 6.0, 1.0, 1300.0
    near = from_the_glass + 5.1
    far = near + thickness
    return remanence / 2 * (far / np.hypot(far, radius) - near / np.hypot(near, radius))


def test_a_lead_is_bent_three_millimetres_from_the_glass_and_cropped_at_two(body: Body) -> None:
    along = sorted({round(float(x), 3) for x in body("bending").vertices[:, 0] if 0 <= x <= 15.4})
    assert 3.0 in along  # the glass begins
    assert 13.4 in along  # it ends, with its clearance
    assert 15.4 in along  # where the lead is cropped
    assert along[0] == 0.0  # the edge over which it is bent


def test_a_piece_in_the_hollow_stands_eight_millimetres_off_the_centre(body: Body) -> None:
    marks = body("marks").vertices
    # The hollow's bottom, on the middle line.
    inner = [float(x) for x, y, _ in marks if abs(y) < 0.001 and x > -20]
    assert inner
    assert min(inner) + 33.4 / 2 == pytest.approx(8.0, abs=0.01)
    centre = body("marks-centre").vertices
    assert {round(abs(float(x)), 2) for x, y, _ in centre if abs(y) < 0.001 and abs(x) < 20} == {16.7}


def test_every_folder_shows_its_prints() -> None:
    for folder in ("pieces", "mechanics", "jigs"):
        page = (HARDWARE / folder / "README.md").read_text(encoding="utf-8")
        named = set(re.findall(r"pictures/([\w-]+\.(?:png|svg))", page))
        assert named == {path.name for path in (HARDWARE / folder / "pictures").iterdir()}
        for name, one in PRINTS.items():
            if one.source.startswith(folder):
                assert f"`{name}`" in page, name
