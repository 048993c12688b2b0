"""Draws every print for the guide: a small PNG of each, from its STL.

    python -m hardware.mechanics.portraits

writes ``pictures/NAME.png`` beside each source, and into each picture the fingerprint of what it was made of, by
which a test knows that a picture is older than its source without drawing it again. OpenSCAD would need a screen for
that. Here each triangle is put on the picture at its depth, shaded by the angle of its face, and edges where faces
meet sharply are drawn dark. Pieces are shown cut in halves, with their magnet. Sections of light walls that differ
only in their number of cells share a picture.

Needs numpy and trimesh, which the development environment has.
"""

# pyright: basic
# trimesh has no complete types.

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import trimesh
from PIL import Image, ImageDraw
from PIL.PngImagePlugin import PngInfo

from hardware.mechanics.prints import HARDWARE, PRINTS, fingerprint, fingerprint_of, make, openscad

Colour = tuple[int, int, int]

WIDTH, HEIGHT = 420, 300
FINER = 3
"""Drawn so many times larger, then made smaller: smooth borders."""
MARGIN = 16
INK = (60, 60, 66)
COLOURS = {"pieces": (200, 92, 66), "mechanics": (214, 206, 190), "jigs": (84, 134, 176)}
SHARP = np.radians(25)
"""Faces that meet at more than this have an edge between them."""
LIGHT = np.array([-0.45, -0.6, 0.95]) / np.linalg.norm([-0.45, -0.6, 0.95])
SHADES = 48
# Turned about the vertical, seen from above; degrees.
VIEW = (-35.0, 32.0)
VIEWS = {
    "reed-holder": (-140.0, 28.0),
    "reed-slide-rail": (-55.0, 38.0),
    "reed-slide-carriage": (-60.0, 38.0),
    "man": (-14.0, 24.0),
    "checker": (-14.0, 24.0),
    "stone": (-14.0, 24.0),
}
STEEL = (150, 156, 164)
MAGNET_LIES = 0.4
"""Millimetres of plastic below it."""
STAMP = "made of"
"""Under which name a picture says what it was made of."""
ALIKE = {"wall-row-4", "wall-row-4-last", "wall-outer-2-last", "wall-cap-3-last"}


def camera(turned: float, raised: float) -> np.ndarray:
    """Rows: to the right, up on the picture, towards the eye."""
    a, b = np.radians(turned), np.radians(raised)
    right = np.array([np.cos(a), np.sin(a), 0.0])
    into = np.array([-np.sin(a) * np.cos(b), np.cos(a) * np.cos(b), -np.sin(b)])
    return np.array([right, np.cross(right, into), -into])


def draw(bodies: Sequence[tuple[trimesh.Trimesh, Colour]], view: tuple[float, float]) -> Image.Image:
    """The picture of one or more bodies; the first fills it."""
    eye = camera(*view)
    seen = bodies[0][0].vertices @ eye.T
    low, high = seen[:, :2].min(axis=0), seen[:, :2].max(axis=0)
    room = np.array([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN])
    scale = float((room / (high - low)).min()) * FINER
    shift = np.array([WIDTH, HEIGHT]) * FINER / 2 - (low + high) / 2 * scale * [1, -1]
    placed = [(body, colour, body.vertices @ eye.T * scale * [1, -1, 1] + [*shift, 0]) for body, colour in bodies]
    depth = np.full((HEIGHT * FINER, WIDTH * FINER), -np.inf)
    image = np.full((*depth.shape, 3), 255.0)
    for body, colour, points in placed:
        bright = 0.42 + 0.58 * np.clip(body.face_normals @ LIGHT, 0, None)
        for corners, light in zip(points[body.faces], bright, strict=True):
            paint(corners, (np.array(colour) + 16) * light, depth, image)
    picture = Image.fromarray(np.clip(image, 0, 255).astype(np.uint8))
    pen = ImageDraw.Draw(picture)
    for body, _, points in placed:
        for start, end in points[body.face_adjacency_edges[body.face_adjacency_angles > SHARP]]:
            draw_edge(pen, start, end, depth)
    smaller = picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    return smaller.quantize(SHADES, dither=Image.Dither.NONE)


def paint(corners: np.ndarray, colour: np.ndarray, depth: np.ndarray, image: np.ndarray) -> None:
    """One triangle, where nothing is nearer to the eye."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if abs(area) < 1e-9:
        return
    left, right = int(max(corners[:, 0].min(), 0)), int(min(corners[:, 0].max() + 2, depth.shape[1]))
    top, bottom = int(max(corners[:, 1].min(), 0)), int(min(corners[:, 1].max() + 2, depth.shape[0]))
    x, y = np.meshgrid(np.arange(left, right) + 0.5, np.arange(top, bottom) + 0.5)
    v = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
    w = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
    far = az + v * (bz - az) + w * (cz - az)
    before = depth[top:bottom, left:right]
    here = (v >= -1e-6) & (w >= -1e-6) & (v + w <= 1 + 1e-6) & (far > before)
    before[here] = far[here]
    image[top:bottom, left:right][here] = colour


def draw_edge(pen: ImageDraw.ImageDraw, start: np.ndarray, end: np.ndarray, depth: np.ndarray) -> None:
    """The parts of an edge that no face hides."""
    steps = max(2, int(np.abs(end - start)[:2].max() / 2))
    way = start + np.linspace(0, 1, steps + 1)[:, None] * (end - start)
    columns = np.clip(way[:, 0].astype(int), 1, depth.shape[1] - 2)
    rows = np.clip(way[:, 1].astype(int), 1, depth.shape[0] - 2)
    around = [depth[rows + i, columns + j] for i in (-1, 0, 1) for j in (-1, 0, 1)]
    visible = way[:, 2] > np.min(around, axis=0) - 3.0 * FINER
    for one, other, both in zip(way, way[1:], visible[:-1] & visible[1:], strict=False):
        if both:
            pen.line([tuple(one[:2]), tuple(other[:2])], fill=INK, width=FINER)


def magnet() -> trimesh.Trimesh:
    """A magnet of 12 x 1 mm where it lies in a piece."""
    disc = trimesh.creation.cylinder(radius=6.0, height=1.0, sections=96)
    disc.apply_translation((0, 0, MAGNET_LIES + 0.5))
    return disc


def main() -> None:
    """Draws every print, and the hexagonal board's walls as they are laid."""
    with tempfile.TemporaryDirectory() as folder:
        for name, one in PRINTS.items():
            if name in ALIKE:
                continue
            kind = one.source.split("/")[0]
            whole = kind != "pieces" or not one.magnets
            make(name, Path(folder), **({} if whole else {"cutaway": "true"}))
            bodies = [(trimesh.load_mesh(Path(folder) / f"{name}.stl"), COLOURS[kind])]
            if not whole:
                bodies.append((magnet(), STEEL))
            target = HARDWARE / kind / "pictures" / f"{name}.png"
            target.parent.mkdir(exist_ok=True)
            drawn = draw(bodies, VIEWS.get(name, VIEW))
            drawn.save(target, optimize=True, pnginfo=_stamp(fingerprint(name)))
    source, walls = HARDWARE / "mechanics/hex-walls.scad", HARDWARE / "mechanics/pictures/hex-walls.svg"
    openscad(source, walls, {"kind": '"all"'})
    with walls.open("a", encoding="utf-8") as file:
        file.write(f"<!-- {STAMP} {fingerprint_of(source)} -->\n")


def _stamp(number: str) -> PngInfo:
    info = PngInfo()
    info.add_text(STAMP, number)
    return info


if __name__ == "__main__":
    main()
