"""A board's file: what each key does, and the sentence for each mistake."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reedlight.board.profile import (
    Buses,
    ConfigError,
    DiceDigits,
    DiceModules,
    DiceOnBoard,
    Expander,
    Gpio,
    Matrix,
    Max7219,
    Pico,
    PicoPins,
    PiPins,
    Power,
    Profile,
    Segments,
    Spi,
    Ws2812,
)
from reedlight.board.schema import SCHEMA, TABLES
from reedlight.board.tables import Key, Needed
from reedlight.board.toml import packaged, packaged_text, read
from reedlight.core.grid import Cell, brick, hexhex, square

SMALL = """
name = "small"
title = "A small board"

[cells]
shape = "square"
size = 2

[scan]
by = "pico"
rows = [2, 3]
columns = [4, 5]

[power]
supply = 4
"""

STRING = """
[lamps]
by = "ws2812"
spi = "0.0"

[buses]
spi0 = 2
"""
STRING_POWER = "supply = 4\nled_fuse_hold = 1\nled_cap = 0.5"

CHAIN = """
[lamps]
by = "max7219"
spi = "0.0"
chips = 1

[dice]
on = "digits"
spi = "0.0"
chip = 1

[buttons]
on = "pi"
go = 20
next = 21

[button_lamps]
on = "segments"
spi = "0.0"
chip = 1
digit = 2
go = "A"
next = "DP"

[buses]
spi0 = 1
"""


def small(*changes: tuple[str, str], more: str = "") -> Profile:
    """The small board with changes to its file."""
    return read(changed(SMALL + more, *changes), "small.toml")


def strung(*changes: tuple[str, str]) -> Profile:
    return read(changed(SMALL + STRING, ("supply = 4", STRING_POWER), *changes), "small.toml")


def chained(*changes: tuple[str, str]) -> Profile:
    return read(changed(SMALL + CHAIN, *changes), "small.toml")


def changed(text: str, *changes: tuple[str, str]) -> str:
    """The text with each change made once; a change that finds nothing is a mistake of the test."""
    for old, new in changes:
        assert text.count(old) >= 1, f"{old!r} is not in the file"
        text = text.replace(old, new, 1)
    return text


def sentence(*changes: tuple[str, str], text: str = SMALL) -> str:
    """What is said about the small board with these changes."""
    with pytest.raises(ConfigError) as refused:
        read(changed(text, *changes), "small.toml")
    said = str(refused.value)
    assert said.isprintable()
    return said.removeprefix("small.toml: ")


def test_a_change_that_changes_nothing_is_noticed() -> None:
    with pytest.raises(AssertionError, match="'size = 3' is not in the file"):
        small(("size = 3", "size = 4"))


def wires(profile: Profile) -> str:
    """The switches of the cells, row by row as one sees the board."""
    by_height: dict[float, list[Cell]] = {}
    for cell in profile.grid.cells:
        by_height.setdefault(profile.grid.places[cell][1], []).append(cell)
    rows = [by_height[height] for height in sorted(by_height, reverse=True)]
    return " / ".join(" ".join(str(profile.layout.switches[cell]) for cell in row) for row in rows)


# ------------------------------------------------------------------------------------------ defaults


def test_a_board_needs_no_lamps_no_dice_and_no_buttons() -> None:
    profile = small()
    assert profile == Profile(
        name="small",
        title="A small board",
        grid=square(2),
        layout=profile.layout,
        reader=Pico(Matrix((2, 3), (4, 5)), ""),
        lamps=None,
        dice=None,
        buttons=None,
        button_lamps=None,
        power=Power(supply=4.0, led_fuse_hold=0.0, led_cap=0.0, pi_worst=1.25),
        pitch=45.0,
        overlays={},
        buses=Buses(0, 0, i2c1=False),
    )
    assert profile.layout.switches == {"a1": 0, "b1": 1, "a2": 2, "b2": 3}


def test_without_lamps_a_frame_has_a_place_for_each_cell_all_the_same() -> None:
    assert small().layout.lamps == {"a1": 0, "b1": 1, "a2": 2, "b2": 3}


def test_a_string_is_as_long_as_its_cells_need() -> None:
    assert strung().lamps == Ws2812(Spi(0, 0), 4, "GRB")
    assert strung(('spi = "0.0"', 'spi = "0.0"\nnumbers = [4, 9, 1, 2]')).lamps == Ws2812(Spi(0, 0), 10, "GRB")


# --------------------------------------------------------------------------------------------- cells


@pytest.mark.parametrize(
    ("cells", "grid"),
    [
        ('shape = "square"\nsize = 2', square(2)),
        ('shape = "square"\ncolumns = 2\nrows = 2', square(2)),
        ('shape = "brick"\ncolumns = 2\nrows = 2', brick(2, 2)),
    ],
)
def test_a_shape_makes_the_grid_that_games_know(cells: str, grid: object) -> None:
    assert small(('shape = "square"\nsize = 2', cells)).grid == grid


def test_a_rectangle_has_columns_and_rows() -> None:
    profile = small(("size = 2", "columns = 3\nrows = 2"), ("[4, 5]", "[4, 5, 6]"))
    assert profile.grid.cells == ("a1", "b1", "c1", "a2", "b2", "c2")


def test_a_hexagon_has_a_side() -> None:
    profile = small(('shape = "square"\nsize = 2', 'shape = "hexhex"\nside = 2'), ("[4, 5]", "[4, 5, 6, 7]"))
    assert profile.grid == hexhex(2)


def test_cells_may_lie_anyhow() -> None:
    places = 'shape = "cells"\nplaces = { p = [0, 0], q = [1, 0], r = [0.5, 0.87] }'
    profile = small(('shape = "square"\nsize = 2', places))
    assert profile.grid.neighbours == {"p": ("q", "r"), "q": ("p", "r"), "r": ("p", "q")}
    assert profile.layout.switches == {"p": 0, "q": 1, "r": 2}


@pytest.mark.parametrize(
    ("degrees", "seen"), [(0, "2 3 / 0 1"), (90, "3 1 / 2 0"), (180, "1 0 / 3 2"), (270, "0 2 / 1 3")]
)
def test_the_player_sees_a_turned_board(degrees: int, seen: str) -> None:
    assert wires(small(("size = 2", f"size = 2\nturned = {degrees}"))) == seen


def test_a_hexagon_is_turned_by_sixths() -> None:
    cells = ('shape = "square"\nsize = 2', 'shape = "hexhex"\nside = 2\nturned = 60')
    assert wires(small(cells, ("[4, 5]", "[4, 5, 6, 7]"))) == "6 4 / 5 3 1 / 2 0"


def test_lamps_turn_with_the_board() -> None:
    profile = strung(("size = 2", "size = 2\nturned = 180"))
    assert profile.layout.lamps == profile.layout.switches == {"a1": 3, "b1": 2, "a2": 1, "b2": 0}


# ------------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("said", "seen"),
    [
        ('order = "rows"', "2 3 / 0 1"),
        ('order = "rows"\nfirst = "upper left"', "0 1 / 2 3"),
        ('order = "serpentine"', "3 2 / 0 1"),
        ('order = "columns"\nfirst = "lower right"', "3 1 / 2 0"),
        ('first = "lower right"', "3 2 / 1 0"),
        ('order = ["b2", "a1", "a2", "b1"]', "2 0 / 1 3"),
        ("numbers = [0, 3, 1, 2]", "0 3 / 1 2"),
        ("numbers = { b1 = 0, a1 = 1, a2 = 2, b2 = 3 }", "2 3 / 1 0"),
    ],
)
def test_switches_are_numbered_by_a_word_or_one_by_one(said: str, seen: str) -> None:
    assert wires(small(("[4, 5]", f"[4, 5]\n{said}"))) == seen


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (
            'order = ["a1", "b1", "a2", "b1"]',
            "scan.order: cell b1 appears twice (switches 1 and 3); every cell needs exactly one switch",
        ),
        ('order = ["a1", "b1", "a2"]', "scan.order: cell b2 is missing; every cell needs exactly one switch"),
        (
            'order = ["a1", "b1", "a2", "b3"]',
            "scan.order: there is no cell b3 on this board; there are a1, b1, a2 and b2",
        ),
        ('order = ["a1", 3]', "scan.order: the name of a cell is needed, not 3"),
        (
            'order = ["a 1"]',
            "scan.order: 'a 1' cannot be the name of a cell; letters, digits and , _ - can, at most twelve",
        ),
        ('order = "row"', "scan.order: there is no order 'row'; did you mean rows?"),
        (
            "order = 1",
            "scan.order: rows, serpentine, columns, column serpentine, or a list of all cells is needed, not 1",
        ),
        ("numbers = [0, 1, 2]", "scan.numbers: has 3 numbers for 4 cells"),
        ("numbers = [0, 1, 2, 2]", "scan.numbers: switch 2 belongs to a1 and to b1; every cell needs its own"),
        ("numbers = [0, 1, 2, 4]", "scan.numbers: cell b1 has switch 4, and 2 rows x 2 columns make 4, counted from 0"),
        ("numbers = [0, 1, 2, -1]", "scan.numbers: a number from 0 to 9999 is needed, not -1"),
        ("numbers = [0, 1, 2, true]", "scan.numbers: a number from 0 to 9999 is needed, not true"),
        (
            'numbers = "none"',
            (
                "scan.numbers: a list of numbers in reading order, far row first, or a table of a number for each cell "
                "is needed, not the text 'none'"
            ),
        ),
        (
            "numbers = { a1 = 0, b1 = 1, a2 = 2 }",
            "scan.numbers: cell b2 is missing; every cell needs exactly one switch",
        ),
        (
            "numbers = { a1 = 0, b1 = 1, a2 = 2, b2 = 3.0 }",
            "scan.numbers: cell b2: a number from 0 to 9999 is needed, not the number 3.0",
        ),
        (
            'order = "rows"\nnumbers = [0, 1, 2, 3]',
            "scan.numbers: is another way to say what order says; leave one of them out",
        ),
        (
            'first = "upper left"\nnumbers = [0, 1, 2, 3]',
            "scan.first: goes only with an order that is a word; a list begins where it begins",
        ),
        ('first = "upper"', "scan.first: there is no 'upper'; did you mean upper left?"),
    ],
)
def test_a_numbering_that_cannot_be_is_refused(said: str, reason: str) -> None:
    assert sentence(("[4, 5]", f"[4, 5]\n{said}")) == reason


def test_on_a_large_board_an_unknown_cell_is_not_answered_with_all_there_are() -> None:
    oak = packaged_text("oak-8x8").replace('order = "rows"', 'order = ["i9"]').replace('first = "lower left"\n', "", 1)
    assert sentence(text=oak) == "scan.order: there is no cell i9 on this board; its 64 cells begin with a1"


def test_a_hexagon_cannot_be_numbered_by_columns() -> None:
    changes = (
        ('shape = "square"\nsize = 2', 'shape = "hexhex"\nside = 2'),
        ("[4, 5]", '[4, 5, 6, 7]\norder = "columns"'),
    )
    assert sentence(*changes) == (
        "scan.order: rows of different lengths lie half a cell apart, so that there are no columns; go by rows"
    )


# ----------------------------------------------------------------------------------------- each kind


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        # what stands in the file is no such key, table or type
        ("size = 2", "sise = 2", "cells.sise: there is no such key in [cells]; did you mean size?"),
        (
            "size = 2",
            "x = 2",
            "cells.x: there is no such key in [cells]; there are shape, size, columns, rows, side, places and turned",
        ),
        ("[scan]", "[scam]", "scam: there is no such key or table; did you mean scan?"),
        ('name = "small"', 'nam = "small"', "nam: there is no such key or table; did you mean name?"),
        ("size = 2", '"a.b\\n" = 2', "cells.'a.b\\n': there is no such key in [cells]; there are shape, "),
        (
            'name = "small"',
            '"scan.rows" = 2',
            "'scan.rows': there is no such key or table; there are name, title, cells, pitch, ",
        ),
        (SMALL, "scan = 3", "scan: a table [scan] is needed, not 3"),
        (SMALL, "[[scan]]", "scan: a table [scan] is needed, not a list"),
        # text
        ('"small"', "7", "name: small letters and digits, joined by hyphens, at most 40 is needed, not 7"),
        ('"small"', '"Small"', "name: small letters and digits, joined by hyphens, at most 40 is needed, not the text"),
        (
            '"small"',
            f'"{"a" * 41}"',
            "name: small letters and digits, joined by hyphens, at most 40 is needed, not the",
        ),
        ('"A small board"', '" "', "title: a line of 1 to 80 characters is needed, not the text ' '"),
        ('"A small board"', '"a\\u0007"', "title: a line of 1 to 80 characters is needed, not the text 'a\\x07'"),
        (
            'by = "pico"',
            'by = "pico"\nserial = "xyz"',
            "scan.serial: hexadecimal digits, at most 32, or nothing is need",
        ),
        # words
        ('"square"', '"squares"', "cells.shape: there is no 'squares'; did you mean square?"),
        ('"square"', '"moon"', "cells.shape: there is no 'moon'; there are square, hexhex, brick and cells"),
        ('"square"', "8", "cells.shape: square, hexhex, brick or cells is needed, not 8"),
        # whole numbers
        ("size = 2", "size = 27", "cells.size: a whole number from 2 to 26 is needed, not 27"),
        ("size = 2", "size = 1", "cells.size: a whole number from 2 to 26 is needed, not 1"),
        ("size = 2", "size = true", "cells.size: a whole number from 2 to 26 is needed, not true"),
        ("size = 2", "size = 2.0", "cells.size: a whole number from 2 to 26 is needed, not the number 2.0"),
        ("size = 2", 'size = "2"', "cells.size: a whole number from 2 to 26 is needed, not the text '2'"),
        ("size = 2", "size = [2]", "cells.size: a whole number from 2 to 26 is needed, not a list"),
        ("size = 2", "size = {}", "cells.size: a whole number from 2 to 26 is needed, not a table"),
        ("size = 2", "size = 2026-11-30", "cells.size: a whole number from 2 to 26 is needed, not a date or a time"),
        (
            "size = 2",
            f"size = 0x{'f' * 9999}",
            "cells.size: a whole number from 2 to 26 is needed, not a number of more than twelve digits",
        ),
        # numbers
        ("supply = 4", "supply = nan", "power.supply: a number of amperes from 0 to 60 is needed, not the number nan"),
        ("supply = 4", "supply = inf", "power.supply: a number of amperes from 0 to 60 is needed, not the number inf"),
        ("supply = 4", "supply = -1", "power.supply: a number of amperes from 0 to 60 is needed, not -1"),
        ("supply = 4", "supply = false", "power.supply: a number of amperes from 0 to 60 is needed, not false"),
        ("supply = 4", f"supply = 1{'0' * 400}", "power.supply: a number of amperes from 0 to 60 is needed, not a num"),
        # flags
        ("[power]", "[buses]\ni2c1 = 1\n[power]", "buses.i2c1: true or false is needed, not 1"),
        # lists of pins
        ("[2, 3]", "2", "scan.rows: a list of 1 to 26 pins is needed, not 2"),
        ("[2, 3]", "[]", "scan.rows: a list of 1 to 26 pins is needed, not 0"),
        ("[2, 3]", str(list(range(27))), "scan.rows: a list of 1 to 26 pins is needed, not 27"),
        ("[2, 3]", "[2, 2]", "scan.rows: pin 2 is there twice; each has one use"),
        ("[2, 3]", '[2, "GP3"]', "scan.rows: the number of a pin from 0 to 99 is needed, not the text 'GP3'"),
        (
            'by = "pico"\nrows = [2, 3]',
            'by = "expander"\naddresses = 3',
            "scan.addresses: a list of 1 to 8 addresses is",
        ),
        # keys that go with another choice
        ("size = 2", "side = 2", "cells.side: goes only with shape 'hexhex', and shape is 'square'"),
        ("[2, 3]", "[2, 3]\ninterrupt = 4", "scan.interrupt: goes only with by 'expander', and by is 'pico'"),
        ('"pico"', '"expander"', "scan.rows: goes only with by 'pico' or 'gpio', and by is 'expander'"),
        # what is missing
        (
            'title = "A small board"',
            "",
            "title: is missing: a line of 1 to 80 characters is needed, what people call it",
        ),
        (
            "[power]\nsupply = 4",
            "",
            "power: the table [power] is missing: what supply and fuse carry, in amperes at 5 V",
        ),
        ('shape = "square"\n', "", "cells.shape: is missing: square, hexhex, brick or cells is needed, what the board"),
        ("columns = [4, 5]", "", "scan.columns: is missing: a list of 1 to 26 pins is needed, the pins of the columns"),
        (
            '"square"\nsize = 2',
            '"hexhex"',
            "cells.side: is missing: a whole number from 2 to 15 is needed, cells along",
        ),
        ('"square"\nsize = 2', '"cells"', "cells.places: is missing: a table of cells with their places, such as a1"),
        (
            "size = 2",
            "",
            "cells.columns: is missing: a whole number from 2 to 26 is needed, or size where they are equal",
        ),
        ("size = 2", "columns = 2", "cells.rows: is missing: a whole number from 2 to 26 is needed"),
        ("size = 2", "size = 2\nrows = 2", "cells.size: says columns and rows at once; leave columns and rows out, or"),
        ("size = 2", "size = 2\ncolumns = 2", "cells.size: says columns and rows at once; leave columns and rows out,"),
        ('"square"\nsize = 2', '"brick"\nrows = 2', "cells.columns: is missing: a whole number from 2 to 26 is needed"),
        # turning
        (
            "size = 2",
            "columns = 3\nrows = 2\nturned = 90",
            "cells.turned: a board of this shape, turned by 90 degrees, does not lie as before; it does by 0 and 180",
        ),
        ("size = 2", "size = 2\nturned = 360", "cells.turned: whole degrees from 0 to 300 is needed, not 360"),
    ],
)
def test_a_key_that_cannot_be_is_refused_with_its_reason(old: str, new: str, reason: str) -> None:
    assert sentence((old, new)).startswith(reason)


def test_a_choice_that_does_not_exist_is_told_before_what_would_go_with_it() -> None:
    assert sentence(('by = "pico"\n', ""), ("[4, 5]", '[4, 5]\nby = "pica"')) == (
        "scan.by: there is no 'pica'; did you mean pico?"
    )


@pytest.mark.parametrize(
    ("places", "reason"),
    [
        ("3", "a table of cells with their places, such as a1 = [0, 0] is needed, not 3"),
        ("{}", "1 to 676 cells are needed, not 0"),
        ("{ a = 1 }", "cell a: two numbers [x, y] are needed, not 1"),
        ("{ a = [1] }", "cell a: two numbers [x, y] are needed, not a list"),
        ("{ a = [1, true] }", "cell a: a number of pitches up to 100 is needed, not true"),
        ("{ a = [1, nan] }", "cell a: a number of pitches up to 100 is needed, not the number nan"),
        ("{ a = [1, -101] }", "cell a: a number of pitches up to 100 is needed, not -101"),
        ('{ a = ["1", 0] }', "cell a: a number of pitches up to 100 is needed, not the text '1'"),
        ('{ "a\\n" = [0, 0] }', "'a\\n' cannot be the name of a cell; letters, digits and , _ - can, at most twelve"),
        ("{ a = [0, 0], b = [0, 0.3] }", "cells a and b lie 0.30 pitches apart; cells that touch lie 0.9 to 1.1 apart"),
    ],
)
def test_places_that_cannot_be_are_refused(places: str, reason: str) -> None:
    said = sentence(('shape = "square"\nsize = 2', f'shape = "cells"\nplaces = {places}'))
    assert said.startswith(f"cells.places: {reason}")


def test_cells_without_end_are_refused_before_they_are_compared() -> None:
    many = ", ".join(f"c{n} = [{n % 50}, {n // 50}]" for n in range(700))
    assert sentence(('shape = "square"\nsize = 2', f'shape = "cells"\nplaces = {{ {many} }}')) == (
        "cells.places: 1 to 676 cells are needed, not 700"
    )


# -------------------------------------------------------------------------------------------- syntax


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("name = 'a'\nsize 3", "line 2, column 6: this is not TOML: "),
        ("name = 'a'\nrows = [", "line 2, column 9: this is not TOML: "),
        ("a = 1\na = 2", "line 2, column 6: this is not TOML: "),
        ("a = '\x07'", "line 1, column 6: this is not TOML: "),
        (f"a = {'[' * 5000}", "its lists and tables are nested too deeply to be read"),
        (f"a = {'9' * 5000}", "one of its numbers has too many digits to be read"),
    ],
)
def test_what_is_not_toml_is_told_with_its_place(text: str, reason: str) -> None:
    assert sentence(text=text).startswith(reason)


def test_an_empty_file_lacks_its_first_table() -> None:
    assert sentence(text="") == "cells: the table [cells] is missing: the board as the player at the lower edge sees it"


def test_the_first_mistake_in_the_file_is_told() -> None:
    wrong = (("size = 2", "size = 99"), ("supply = 4", "supply = true"))
    assert sentence(*wrong).startswith("cells.size:")
    upside_down = "\n[".join(["", *reversed(SMALL.split("\n[")[1:])])
    assert sentence(*wrong, text=SMALL.split("\n[", maxsplit=1)[0] + upside_down).startswith("power.supply:")


# --------------------------------------------------------------------------------------------- parts


def test_a_matrix_may_hang_on_the_pi() -> None:
    assert small(('"pico"', '"gpio"')).reader == Gpio(Matrix((2, 3), (4, 5)))


def test_a_pico_may_be_told_by_its_number() -> None:
    assert small(('"pico"', '"pico"\nserial = "E6614C31"')).reader == Pico(Matrix((2, 3), (4, 5)), "e6614c31")


def test_switches_may_hang_on_expanders() -> None:
    expander = 'by = "expander"\naddresses = [0x21, 0x20]'
    profile = small(('by = "pico"\nrows = [2, 3]\ncolumns = [4, 5]', expander), more="\n[buses]\ni2c1 = true\n")
    assert profile.reader == Expander(1, (0x21, 0x20), None)


def test_every_part_may_hang_on_one_chain() -> None:
    profile = chained()
    assert profile.lamps == Max7219(Spi(0, 0), 1)
    assert profile.dice == DiceDigits(Spi(0, 0), 1, (0, 1))
    assert profile.buttons == PiPins({"go": 20, "next": 21})
    assert profile.button_lamps == Segments(Spi(0, 0), 1, 2, {"go": 6, "next": 7})
    assert profile.buses == Buses(1, 0, i2c1=False)


def test_dice_may_have_modules_or_the_board() -> None:
    assert chained(('"digits"', '"modules"'), ("chip = 1\ndigit", "chip = 3\ndigit")).dice == DiceModules(Spi(0, 0), 1)
    on_board = chained(('on = "digits"\nspi = "0.0"\nchip = 1', 'on = "board"'))
    assert on_board.dice == DiceOnBoard()


def test_buttons_and_their_lamps_may_hang_on_the_pico() -> None:
    profile = small(more='\n[buttons]\non = "pico"\nhint = 20\n[button_lamps]\non = "pico"\nhint = 21')
    assert profile.buttons == PicoPins({"hint": 20})
    assert profile.button_lamps == PicoPins({"hint": 21})


def test_lamps_take_their_channels_in_any_order() -> None:
    assert strung(('spi = "0.0"', 'spi = "0.0"\ncolours = "RGB"')).lamps == Ws2812(Spi(0, 0), 4, "RGB")


def test_an_overlay_is_kept_by_the_name_of_its_grid() -> None:
    overlay = '\n[overlays.hexhex-1]\n"0,0" = "b2"\n[overlays.square-1x1]\na1 = "b1"\n'
    overlay += '[overlays.brick-1x2]\n"0,0" = "a1"\n"1,0" = "a2"\n[overlays.square-2x1]\n"0,0" = "b1"\n"0,1" = "b2"'
    assert small(more=overlay).overlays == {
        "hexhex-1": {"0,0": "b2"},
        "square-1x1": {"a1": "b1"},
        "brick-1x2": {"0,0": "a1", "1,0": "a2"},
        "square-2x1": {"0,0": "b1", "0,1": "b2"},
    }


@pytest.mark.parametrize(
    ("overlay", "reason"),
    [
        ("hexhex-1 = 3", 'a table of a board\'s cell for each of the game\'s, such as "0,0" = "d4" is needed, not 3'),
        ("hexhex-1 = {}", "an overlay of no cells says nothing"),
        ('hexhex-1 = { "0,0" = 4 }', "the name of a cell is needed, not 4"),
        (
            'hexhex-1 = { "0,0" = "c1" }',
            "there is no cell c1 on this board, where 0,0 should lie; there are a1, b1, a2 and b2",
        ),
        ('hexhex-1 = { "1,0" = "a1" }', "the grid has 1 cell, the overlay 1; 0,0 is missing"),
        ('hexhex-1 = { "0,0" = "a1", z = "a2" }', "the grid has 1 cell, the overlay 2; z is none of them"),
        ('brick-1x2 = { "0,0" = "a1", "1,0" = "a1" }', "0,0 and 1,0 lie on the same cell a1; every cell needs its own"),
    ],
)
def test_an_overlay_that_cannot_be_is_refused(overlay: str, reason: str) -> None:
    said = sentence(text=f"{SMALL}\n[overlays]\n{overlay}")
    assert said == f"overlays.{overlay.partition(' ')[0]}: {reason}"


@pytest.mark.parametrize("name", ["hexex-4", "hexhex-99", "square-8", "'a\\nb'"])
def test_an_overlay_for_a_grid_that_no_game_has_is_refused(name: str) -> None:
    key = '"a\\nb"' if name.startswith("'") else name
    assert sentence(text=f'{SMALL}\n[overlays.{key}]\na1 = "a1"') == (
        f"overlays.{name}: no game has such a grid; hexhex-4, square-8x8 and brick-8x8 are what their names look like"
    )


# ----------------------------------------------------------------------------------------- together


STRUNG = changed(SMALL + STRING, ("supply = 4", STRING_POWER))
CHAINED = SMALL + CHAIN


@pytest.mark.parametrize(
    ("text", "old", "new", "reason"),
    [
        # pins
        (SMALL, "[2, 3]", "[2, 4]", "scan.columns: GP 4 (column 0) is already row 1; every pin has one use"),
        (SMALL, "[2, 3]", "[2, 30]", "scan.rows: GP 30 (row 1) is not on a Pico, which has GP 0 to 22 and 26 to 28"),
        (
            SMALL,
            "[2, 3]",
            "[2, 25]",
            "scan.rows: GP 25 (row 1) is taken by the Pico itself; GP 0 to 22 and 26 to 28 have pads",
        ),
        (
            CHAINED,
            "go = 20",
            "go = 1",
            "buttons.go: BCM 1 (button go) belongs to the EEPROM of a HAT and is never free",
        ),
        (
            CHAINED,
            "go = 20",
            "go = 28",
            "buttons.go: BCM 28 (button go) is not on a Raspberry Pi's header, which has BCM 2 to 27",
        ),
        (
            CHAINED,
            "go = 20",
            "go = 21",
            "buttons.next: BCM 21 (button next) is already button go; every pin has one use",
        ),
        (CHAINED, "go = 20", "go = 10", "buttons.go: BCM 10 (button go) is already MOSI of SPI0; buses.spi0 claims it"),
        (
            changed(CHAINED, ("go = 20", "go = 7")),
            "spi0 = 1",
            "spi0 = 2",
            "buttons.go: BCM 7 (button go) is already CE1 of SPI0; fewer chip selects in buses.spi0 free it",
        ),
        (
            CHAINED,
            "spi0 = 1",
            "spi0 = 1\nspi1 = 1",
            "buttons.go: BCM 20 (button go) is already MOSI of SPI1; buses.spi1 claims it",
        ),
        (
            changed(CHAINED, ("go = 20", "go = 3")),
            "spi0 = 1",
            "spi0 = 1\ni2c1 = true",
            "buttons.go: BCM 3 (button go) is already SCL of I2C1; buses.i2c1 claims it",
        ),
        # parts that are not there
        (CHAINED, 'on = "pi"', 'on = "pico"', ""),
        (
            changed(CHAINED, ('"pico"', '"gpio"')),
            'on = "pi"',
            'on = "pico"',
            "buttons.on: this board has no Pico; one is there where scan.by is pico",
        ),
        (CHAINED, "next = 21", "", "button_lamps.next: there is no button next to have a lamp"),
        (
            CHAINED,
            "go = 20\nnext = 21",
            "",
            "buttons: there are none in it; go, next, back and hint are what they can be",
        ),
        (CHAINED, 'go = "A"\nnext = "DP"', "", "button_lamps: there are none in it; go, next, back and hint are what"),
        (
            CHAINED,
            'go = "A"',
            "go = 6",
            "button_lamps.go: with on = 'segments', a segment such as A is needed, not 6",
        ),
        (
            CHAINED,
            'on = "segments"\nspi = "0.0"\nchip = 1\ndigit = 2',
            'on = "pi"',
            "button_lamps.go: with on = 'pi', the number of a pin is needed, not the text 'A'",
        ),
        (
            CHAINED,
            'go = "A"',
            'go = "H"',
            "button_lamps.go: the number of a pin, or a segment (G, F, E, D, C, B, A, DP) is needed, not the text 'H'",
        ),
        (
            CHAINED,
            'go = "A"',
            "go = true",
            "button_lamps.go: the number of a pin, or a segment (G, F, E, D, C, B, A, DP)",
        ),
        (SMALL, "[power]", '[dice]\non = "board"\n[power]', "dice.on: the board has no lamps that could show the dice"),
        # counts
        (SMALL, "[2, 3]", "[2]", "scan.rows: 4 cells need 4 switches, and 1 row x 2 columns make 2"),
        (
            SMALL,
            'by = "pico"\nrows = [2, 3]\ncolumns = [4, 5]',
            'by = "expander"\naddresses = [0x20]\nnumbers = [0, 1, 2, 16]\n[buses]\ni2c1 = true',
            "scan.numbers: cell b1 has switch 16, and 1 chip of 16 make 16, counted from 0",
        ),
        (STRUNG, '"0.0"', '"0.0"\ncount = 3', "lamps.count: 4 cells need 4 lamps, and the lamps of the string make 3"),
        (STRUNG, '"0.0"', '"0.0"\ncount = 5', "lamps.count: the string has 5 lamps, and no cell has one after lamp 3"),
        (
            STRUNG,
            '"0.0"',
            '"0.0"\nnumbers = [0, 1, 2, 322]',
            "lamps.count: 323 lamps are more than one transfer holds, which ends after 322",
        ),
        (
            CHAINED,
            "chips = 1",
            "chips = 1\nnumbers = [0, 1, 2, 64]",
            "lamps.numbers: cell b1 has lamp 64, and 1 chip of 64 make 64, counted from 0",
        ),
        (
            CHAINED,
            "chips = 1",
            "chips = 2",
            "lamps.chips: chip 1 lights no cell; the last one is lit by chip 0",
        ),
        # buses
        (STRUNG, '"0.0"', '"2.0"', "lamps.spi: an SPI bus and device such as \"0.0\" is needed, not the text '2.0'"),
        (STRUNG, '"0.0"', '"0.2"', "lamps.spi: an SPI bus and device such as \"0.0\" is needed, not the text '0.2'"),
        (STRUNG, '"0.0"', "0.0", 'lamps.spi: an SPI bus and device such as "0.0" is needed, not the number 0.0'),
        (
            STRUNG,
            "spi0 = 2",
            "",
            'lamps.spi: "0.0" needs SPI0 with 1 chip select, and it is off; say so as spi0 in [buses]',
        ),
        (
            changed(STRUNG, ('"0.0"', '"0.1"')),
            "spi0 = 2",
            "spi0 = 1",
            'lamps.spi: "0.1" needs SPI0 with 2 chip selects, and it has 1; say so as spi0 in [buses]',
        ),
        (
            changed(STRUNG, ("spi0 = 2", "spi1 = 1")),
            '"0.0"',
            '"1.0"',
            "lamps.spi: an RGB string needs SPI0: only that bus sends without gaps",
        ),
        (
            STRUNG,
            "[buses]",
            '[dice]\non = "modules"\nspi = "0.1"\n[buses]',
            (
                "dice.spi: SPI0 carries the RGB string, which would take what MAX7219 chips are told for colours; "
                "they need the other bus"
            ),
        ),
        (
            SMALL,
            'by = "pico"\nrows = [2, 3]\ncolumns = [4, 5]',
            'by = "expander"\naddresses = [0x20]',
            "scan.by: expanders need I2C1, and it is off; say i2c1 = true in [buses]",
        ),
        (
            SMALL,
            'by = "pico"\nrows = [2, 3]\ncolumns = [4, 5]',
            'by = "expander"\naddresses = [0x20]\ninterrupt = 2\n[buses]\ni2c1 = true',
            "scan.interrupt: BCM 2 (the interrupt) is already SDA of I2C1; buses.i2c1 claims it",
        ),
        (
            SMALL,
            'by = "pico"\nrows = [2, 3]\ncolumns = [4, 5]',
            'by = "expander"\naddresses = [0x20, 0x28]',
            "scan.addresses: an address from 0x20 to 0x27 is needed, not 0x28",
        ),
        # chains
        (
            CHAINED,
            "chip = 1",
            "chip = 0",
            "dice.chip: chip 0 is a chip of the board's lamps, so it cannot be the chip of the dice; every chip",
        ),
        (
            changed(CHAINED, ('"digits"', '"modules"')),
            "digit = 2",
            "digit = 3",
            "button_lamps.chip: chip 1 is a module of the dice, so it cannot be the chip of the buttons' lamps; every",
        ),
        (
            CHAINED,
            "chip = 1",
            "chip = 3",
            (
                "dice.chip: chip 3 is used and chip 2 before it on 0.0 is not; a chain is counted from the Raspberry "
                "Pi, from 0, without gaps"
            ),
        ),
        (CHAINED, "digit = 2", "digit = 1", "button_lamps.digit: digit 1 shows a die; the dice have 0 and 1"),
        (CHAINED, "digit = 2", "digit = 8", "button_lamps.digit: the number of a digit from 0 to 7 is needed, not 8"),
        (CHAINED, '"DP"', '"A"', "button_lamps.next: the lamp of button go is that segment; every lamp has its own"),
        (
            CHAINED,
            'on = "digits"',
            'on = "digits"\ndigits = [0, 0]',
            "dice.digits: digit 0 is there twice; each has one use",
        ),
        (CHAINED, 'on = "digits"', 'on = "digits"\ndigits = [0]', "dice.digits: a list of 2 digits is needed, not 1"),
        # power
        (
            STRUNG,
            "led_cap = 0.5",
            "led_cap = 0.81",
            "power.led_cap: the lamps may draw 0.81 A, more than 80% of the 1 A that their fuse holds",
        ),
        (
            STRUNG,
            "led_cap = 0.5",
            "led_cap = 0.004",
            "power.led_cap: 0.004 A would not light anything: 4 dark lamps of a string draw 0.004 A",
        ),
        (
            STRUNG,
            "led_fuse_hold = 1",
            "",
            "power.led_fuse_hold: an RGB string needs a fuse of its own; what does it hold, in amperes?",
        ),
        (
            STRUNG,
            "supply = 4",
            "supply = 2.33",
            "power.supply: the board may draw 1.87 A, more than 80% of the 2.33 A of the supply",
        ),
        (
            CHAINED,
            "supply = 4",
            "supply = 4\nled_cap = 1",
            "power.led_cap: only an RGB string is held to a cap; leave it out",
        ),
        (
            CHAINED,
            "supply = 4",
            "supply = 4\nled_fuse_hold = 0.2",
            "power.led_fuse_hold: the lamps may draw 0.17 A, more than 80% of the 0.2 A that their fuse holds",
        ),
    ],
)
def test_what_cannot_be_together_is_refused_with_its_reason(text: str, old: str, new: str, reason: str) -> None:
    if not reason:
        assert read(changed(text, (old, new)), "small.toml")
        return
    assert sentence((old, new), text=text).startswith(reason)


# -------------------------------------------------------------------------------------------- schema


@pytest.mark.parametrize("key", SCHEMA.keys, ids=lambda key: key.path)
def test_every_key_says_what_it_is(key: Key[object]) -> None:
    assert key.meaning
    assert key.kind.said
    assert not key.meaning.endswith(".")
    assert key.table in {"", *(table.name for table in TABLES)}


def test_the_schema_has_every_key_once() -> None:
    paths = [key.path for key in SCHEMA.keys]
    assert len(paths) == len(set(paths))
    assert [path for path in paths if "." not in path] == ["name", "title"]


def test_a_key_goes_with_choices_that_there_are() -> None:
    choosers = {table.name: f"{table.name}.{table.chooser}" for table in TABLES}
    words = {key.path: key.kind.said for key in SCHEMA.keys}
    for key in SCHEMA.keys:
        assert all(choice in words[choosers[key.table]] for choice in key.goes_with)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("name", "needed"),
        ("cells.size", "none"),
        ("cells.turned", "0"),
        ("pitch.cell", "45.0"),
        ("scan.order", '"rows"'),
        ("scan.serial", '""'),
        ("dice.digits", "[0, 1]"),
        ("buses.i2c1", "false"),
    ],
)
def test_a_default_is_said_as_a_file_would_say_it(path: str, said: str) -> None:
    assert next(key for key in SCHEMA.keys if key.path == path).default_said == said


def test_a_default_is_a_value_that_its_key_could_have() -> None:
    for key in SCHEMA.keys:
        if key.default is not None and not isinstance(key.default, Needed):
            said = tomllib.loads(f"value = {key.default_said}")
            assert key.kind.read(said["value"]) == key.default, key.path


# ------------------------------------------------------------------------------------ never a traceback


ODD = ("", "0", "-1", "1e999", "nan", "true", '""', '"x"', "[]", "[[]]", "{}", "{ a = 1 }", "2026-11-30", "9" * 40)


def refused_or_read(text: str) -> None:
    """A text is a board, or the sentence that says why not has one line and names the file."""
    said = "any.toml: a board"
    try:
        assert isinstance(read(text, "any.toml"), Profile)
    except ConfigError as refused:
        said = str(refused)
    assert said.startswith("any.toml: ")
    assert said.isprintable()


@pytest.mark.parametrize("name", packaged())
@pytest.mark.parametrize("odd", ODD)
def test_any_value_in_any_line_is_read_or_refused(name: str, odd: str) -> None:
    lines = packaged_text(name).splitlines()
    for number, line in enumerate(lines):
        key, equals, _ = line.partition("=")
        if equals:
            refused_or_read("\n".join([*lines[:number], f"{key} = {odd}", *lines[number + 1 :]]))


PIECES = st.sampled_from(
    [*ODD, "\n", "[", "]", "=", '"', "#", ".", "\x00", "\ud800", "[scan]", "[[lamps]]", 'shape = "cells"', "a.b = 1"]
)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A packaged file in which pieces were cut out, put in, doubled and moved."""
    text = packaged_text(draw(st.sampled_from(packaged())))
    for _ in range(draw(st.integers(1, 4))):
        at, length = draw(st.integers(0, len(text))), draw(st.integers(0, 40))
        cut = text[at : at + length]
        put = draw(st.one_of(st.just(""), st.just(cut * 2), PIECES, st.text(max_size=5)))
        rest = text[:at] + text[at + length :]
        there = draw(st.one_of(st.just(at), st.integers(0, len(rest))))
        text = rest[:there] + put + rest[there:]
    return text


@settings(max_examples=150, deadline=None)
@given(damaged())
def test_a_damaged_file_is_read_or_refused(text: str) -> None:
    refused_or_read(text)


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet='abn=[]{}".,\n 0#', max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    refused_or_read(text)
