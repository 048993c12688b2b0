"""A board written down is the same board when it is read."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from reedlight.board.geometry import scattered
from reedlight.board.layout import Layout
from reedlight.board.profile import DiceOnBoard, Pico, PicoPins, PiPins, Profile
from reedlight.board.toml import load_packaged, packaged, packaged_text, read
from reedlight.board.write import text
from reedlight.core.grid import Cell

OAK = load_packaged("oak-8x8")
HEX = load_packaged("hex-61")
BUDGET = load_packaged("budget-8x8")
SCATTERED = """
name = "three"
title = 'A "quoted" \\\\ title: é'
[cells]
shape = "cells"
places = { p = [0, 0], q = [1, 0], r = [0.5, 0.866] }
[scan]
by = "gpio"
rows = [17]
columns = [23, 24, 25]
[power]
supply = 3
pi_worst = 0
"""


def again(profile: Profile) -> Profile:
    return read(text(profile), "again.toml")


def shuffled(profile: Profile, seed: int) -> Profile:
    """Any switch and any lamp under any cell."""
    rng = Random(seed)
    switches, lamps = list(profile.layout.switches.values()), list(profile.layout.lamps.values())
    rng.shuffle(switches)
    rng.shuffle(lamps)
    cells = profile.grid.cells
    return replace(
        profile, layout=Layout(dict(zip(cells, switches, strict=True)), dict(zip(cells, lamps, strict=True)))
    )


@pytest.mark.parametrize("name", packaged())
def test_every_packaged_board_is_the_same_when_it_was_written(name: str) -> None:
    assert again(load_packaged(name)) == load_packaged(name)


@pytest.mark.parametrize("name", packaged())
@pytest.mark.parametrize("seed", range(3))
def test_any_numbers_are_the_same_when_they_were_written(name: str, seed: int) -> None:
    board = shuffled(load_packaged(name), seed)
    assert again(board) == board


@pytest.mark.parametrize(
    "cells",
    [
        'shape = "square"\ncolumns = 4\nrows = 2',
        'shape = "square"\nsize = 3',
        'shape = "brick"\ncolumns = 3\nrows = 3',
        'shape = "hexhex"\nside = 2',
    ],
)
def test_every_shape_is_the_same_when_it_was_written(cells: str) -> None:
    before, _, rest = SCATTERED.partition("[cells]")
    after = rest[rest.index("[scan]") :].replace("[17]", "[17, 27, 22, 5]")
    board = read(f"{before}[cells]\n{cells}\n{after}", "board.toml")
    assert again(board) == board


def test_a_board_that_is_turned_is_written_as_it_is_seen() -> None:
    board = read(packaged_text("oak-8x8").replace("size = 8", "size = 8\nturned = 90"), "oak.toml")
    assert again(board) == board
    assert 'order = "columns"\nfirst = "lower right"\n' in text(board)


def test_cells_that_lie_anyhow_are_written_with_their_places() -> None:
    board = read(SCATTERED, "three.toml")
    assert again(board) == board
    assert 'places = { "p" = [0.0, 0.0], "q" = [1.0, 0.0], "r" = [0.5, 0.866] }' in text(board)


def test_a_title_may_have_quotes_and_any_letters() -> None:
    board = replace(OAK, title='The "old" \\ böard')
    assert again(board).title == board.title


def test_what_is_on_the_pico_is_written_as_on_the_pico() -> None:
    board = replace(
        OAK,
        reader=replace(OAK.reader, serial="e660"),
        buttons=PicoPins({"go": 18, "hint": 19}),
        button_lamps=PicoPins({"go": 20}),
        dice=DiceOnBoard(),
    )
    assert isinstance(board.reader, Pico)
    assert again(board) == board


def test_parts_that_are_not_there_are_not_written() -> None:
    board = replace(OAK, dice=None, buttons=None, button_lamps=None, buses=replace(OAK.buses, spi1=0))
    assert again(board) == board
    written = text(board)
    assert not any(f"[{table}]" in written for table in ("dice", "buttons", "button_lamps", "overlays"))


def test_an_expander_without_an_interrupt_has_none_when_it_was_written() -> None:
    expander = load_packaged("budget-8x8-expander")
    board = replace(expander, reader=replace(expander.reader, interrupt=None))
    assert again(board) == board


def test_buttons_come_in_their_usual_order() -> None:
    board = replace(OAK, buttons=PiPins({"hint": 26, "go": 5}), button_lamps=None)
    assert "go = 5\nhint = 26\n" in text(board)


def test_overlays_are_written_cell_for_cell() -> None:
    overlay = {
        Cell(f"{x},{y}"): Cell(f"{'abcdefgh'[x + 3]}{y + 4}")
        for x in range(-1, 2)
        for y in range(-1, 2)
        if abs(x + y) < 2
    }
    board = read(
        packaged_text("oak-8x8")
        + "\n[overlays]\nhexhex-2 = { "
        + ", ".join(f'"{cell}" = "{there}"' for cell, there in overlay.items())
        + " }\n",
        "oak.toml",
    )
    assert board.overlays == {"hexhex-2": overlay}
    assert again(board) == board


def test_an_order_with_a_name_is_written_by_its_name() -> None:
    written = text(OAK)
    assert 'order = "serpentine"\nfirst = "lower left"\n' in written
    assert "numbers" not in written


def test_other_numbers_are_written_as_the_board_looks() -> None:
    swapped = replace(
        BUDGET,
        layout=Layout(
            {cell: number ^ 8 if 16 <= number < 32 else number for cell, number in BUDGET.layout.switches.items()},
            BUDGET.layout.lamps,
        ),
    )
    assert (
        "numbers = [  # as one reads: the far row first\n"
        "    56, 57, 58, 59, 60, 61, 62, 63,\n"
        "    48, 49, 50, 51, 52, 53, 54, 55,\n"
        "    40, 41, 42, 43, 44, 45, 46, 47,\n"
        "    32, 33, 34, 35, 36, 37, 38, 39,\n"
        "    16, 17, 18, 19, 20, 21, 22, 23,\n"
        "    24, 25, 26, 27, 28, 29, 30, 31,\n"
        "     8,  9, 10, 11, 12, 13, 14, 15,\n"
        "     0,  1,  2,  3,  4,  5,  6,  7,\n"
        "]\n"
    ) in text(swapped)


def test_remarks_stand_at_the_top_and_never_become_keys() -> None:
    written = text(HEX, ("Written for a test.", "", "one\nname = 3"))
    assert written.startswith("# Written for a test.\n#\n# one\n# name = 3\n\nname = ")
    assert read(written, "hex.toml") == HEX


def test_without_remarks_the_name_comes_first() -> None:
    assert text(HEX).startswith('name = "hex-61"\n')


def test_places_on_a_lattice_of_hexagons_stay_hexagons() -> None:
    grid = scattered({Cell("p"): (0.0, 0.0), Cell("q"): (1.0, 0.0), Cell("r"): (0.5, 0.866)})
    assert again(read(SCATTERED, "three.toml")).grid == grid
