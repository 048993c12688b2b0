"""The boards that come with the program: what their files say, and that every slip in one is found."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from reedlight.board.checks import drawn, wires
from reedlight.board.geometry import ordered
from reedlight.board.profile import (
    ConfigError,
    DiceDigits,
    DiceModules,
    Expander,
    Gpio,
    Matrix,
    Max7219,
    Pico,
    PiPins,
    Power,
    Segments,
    Spi,
    Ws2812,
)
from reedlight.board.toml import load_packaged, packaged, packaged_text, read
from reedlight.core.grid import Cell, hexhex, square

OAK = load_packaged("oak-8x8")
BUDGET = load_packaged("budget-8x8")
EXPANDER = load_packaged("budget-8x8-expander")
HEX = load_packaged("hex-61")


# ---------------------------------------------------------------------------------------- all of them


def test_there_are_four_boards() -> None:
    assert packaged() == ("budget-8x8", "budget-8x8-expander", "hex-61", "oak-8x8")


@pytest.mark.parametrize("name", packaged())
def test_a_board_is_called_as_its_file(name: str) -> None:
    assert load_packaged(name).name == name
    assert read(packaged_text(name), "copy.toml") == load_packaged(name)


@pytest.mark.parametrize("name", packaged())
def test_a_file_explains_itself_on_lines_that_can_be_read(name: str) -> None:
    lines = packaged_text(name).splitlines()
    assert lines[0].startswith("# ")
    assert all(len(line) <= 100 for line in lines)
    assert all(line.partition("#")[2] for line in lines if line.startswith(("[cells]", "[scan]", "[buses]", "[power]")))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("oak", "there is no board 'oak'; did you mean oak-8x8?"),
        (
            "../oak-8x8",
            "there is no board '../oak-8x8'; did you mean oak-8x8?",
        ),
        ("", "there is no board ''; there are budget-8x8, budget-8x8-expander, hex-61 and oak-8x8"),
    ],
)
def test_another_board_is_not_there(name: str, reason: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load_packaged(name)
    assert str(refused.value) == reason


@pytest.mark.parametrize(("name", "amperes"), [("oak-8x8", 2.73), ("budget-8x8", 1.58), ("hex-61", 2.73)])
def test_a_board_draws_no_more_than_was_computed_for_it(name: str, amperes: float) -> None:
    assert drawn(load_packaged(name)) == pytest.approx(amperes)


# ----------------------------------------------------------------------------------------------- oak


def test_the_oak_board_is_wired_as_it_was_designed() -> None:
    assert OAK.grid == square(8)
    assert OAK.reader == Pico(Matrix((2, 3, 4, 5, 6, 7, 8, 9), (10, 11, 12, 13, 14, 15, 16, 17)))
    assert OAK.lamps == Ws2812(Spi(0, 0), 64, "GRB")
    assert OAK.dice == DiceModules(Spi(1, 0), 0)
    assert OAK.buttons == PiPins({"go": 5, "next": 6, "back": 13, "hint": 26})
    assert OAK.button_lamps == PiPins({"go": 12, "next": 16, "back": 22, "hint": 27})
    assert OAK.power == Power(supply=4.0, led_fuse_hold=1.6, led_cap=1.2, pi_worst=1.25)
    assert OAK.pitch == 45


def test_the_pins_that_the_oak_boards_buses_claim_are_all_there_are() -> None:
    claimed = {wire.pin: wire.use for wire in wires(OAK) if wire.key.startswith("buses.")}
    assert claimed == {
        10: "MOSI of SPI0",
        9: "MISO of SPI0",
        11: "SCLK of SPI0",
        8: "CE0 of SPI0",
        7: "CE1 of SPI0",
        20: "MOSI of SPI1",
        19: "MISO of SPI1",
        21: "SCLK of SPI1",
        18: "CE0 of SPI1",
    }
    free = set(range(2, 28)) - {wire.pin for wire in wires(OAK) if wire.chip == "BCM"}
    assert free == {2, 3, 4, 14, 15, 17, 23, 24, 25}


def test_on_the_oak_board_a_switch_is_8_rows_and_a_column() -> None:
    for number, cell in enumerate(square(8).cells):
        assert OAK.layout.switches[cell] == number


def test_the_oak_boards_string_goes_from_neighbour_to_neighbour() -> None:
    lamps = sorted(OAK.layout.lamps, key=lambda cell: OAK.layout.lamps[cell])
    assert (lamps[0], lamps[7], lamps[8], lamps[63]) == ("a1", "h1", "h2", "a8")
    assert all(other in OAK.grid.neighbours[one] for one, other in pairwise(lamps))


# -------------------------------------------------------------------------------------------- budget


def test_the_budget_board_is_wired_as_it_was_designed() -> None:
    assert BUDGET.grid == square(8)
    assert BUDGET.reader == Gpio(Matrix((17, 27, 22, 5, 6, 13, 19, 26), (18, 23, 24, 25, 12, 16, 20, 21)))
    assert BUDGET.lamps == Max7219(Spi(0, 0), 1)
    assert BUDGET.dice == DiceDigits(Spi(0, 0), 1, (0, 1))
    assert BUDGET.buttons == PiPins({"go": 3, "next": 2, "back": 4, "hint": 7})
    assert BUDGET.button_lamps == Segments(Spi(0, 0), 1, 2, {"go": 6, "next": 5, "back": 4, "hint": 3})
    assert BUDGET.power == Power(supply=3.0, led_fuse_hold=1.6, led_cap=0.0, pi_worst=1.25)
    free = set(range(2, 28)) - {wire.pin for wire in wires(BUDGET)}
    assert free == {14, 15}


@pytest.mark.parametrize("name", ["budget-8x8", "budget-8x8-expander"])
def test_a_picture_of_the_budget_board_is_upright(name: str) -> None:
    profile = load_packaged(name)
    for file, rank in ((file, rank) for file in range(8) for rank in range(8)):
        cell = Cell(f"{'abcdefgh'[file]}{rank + 1}")
        column, line = file, 7 - rank
        assert profile.layout.lamps[cell] == 8 * column + line
        assert profile.layout.switches[cell] == 8 * rank + file


def test_the_expander_board_differs_in_its_switches_and_in_the_buttons_that_make_way() -> None:
    assert EXPANDER.reader == Expander(1, (0x20, 0x21, 0x22, 0x23), 4)
    assert EXPANDER.buttons == OAK.buttons
    assert EXPANDER.buses.i2c1
    assert (EXPANDER.layout, EXPANDER.lamps, EXPANDER.dice, EXPANDER.button_lamps, EXPANDER.power) == (
        BUDGET.layout,
        BUDGET.lamps,
        BUDGET.dice,
        BUDGET.button_lamps,
        BUDGET.power,
    )


# ----------------------------------------------------------------------------------------------- hex


def test_the_hexagonal_board_is_wired_as_the_oak_board() -> None:
    assert HEX.grid == hexhex(5)
    assert HEX.lamps == Ws2812(Spi(0, 0), 61, "GRB")
    assert (HEX.reader, HEX.dice, HEX.buttons, HEX.button_lamps, HEX.power, HEX.buses) == (
        OAK.reader,
        OAK.dice,
        OAK.buttons,
        OAK.button_lamps,
        OAK.power,
        OAK.buses,
    )


def test_the_hexagonal_board_is_numbered_as_one_reads() -> None:
    switches = HEX.layout.switches
    assert [switches[Cell(cell)] for cell in ("-4,4", "0,4", "-4,3", "0,0", "4,-4")] == [0, 4, 5, 30, 60]
    assert sorted(switches.values()) == list(range(61))


def test_the_hexagonal_boards_string_reverses_every_second_row() -> None:
    along = ordered(HEX.grid, "serpentine", "upper left")
    assert HEX.layout.lamps == {cell: number for number, cell in enumerate(along)}
    assert all(other in HEX.grid.neighbours[one] for one, other in pairwise(along))


# --------------------------------------------------------------------------------------------- slips


def slip(name: str, old: str, new: str) -> str:
    """What is said about a packaged board with one slip in its file."""
    text = packaged_text(name)
    assert old in text
    with pytest.raises(ConfigError) as refused:
        read(text.replace(old, new, 1), f"{name}.toml")
    return str(refused.value)


COMMON = [
    ("shape =", "shap =", "cells.shap: there is no such key in [cells]; did you mean shape?"),
    ("[pitch]", "[pitsch]", "pitsch: there is no such key or table; did you mean pitch?"),
    (
        "cell = 45.0",
        'cell = "45 mm"',
        "pitch.cell: a number of millimetres from 5 to 200 is needed, not the text '45 mm'",
    ),
    (
        "cell = 45.0",
        "cell = 0.045",
        "pitch.cell: a number of millimetres from 5 to 200 is needed, not the number 0.045",
    ),
    ("first =", "fist =", "scan.fist: there is no such key in [scan]; did you mean first?"),
    ('order = "rows"', 'order = "colums"', "scan.order: there is no order 'colums'; did you mean columns?"),
    ('spi = "0.0"', "spi = 0", 'lamps.spi: an SPI bus and device such as "0.0" is needed, not 0'),
    ("next =", "nest =", "buttons.nest: there is no such key in [buttons]; did you mean next?"),
    ("supply =", "supply = true #", "power.supply: a number of amperes from 0 to 60 is needed, not true"),
    ("pi_worst =", "pi_wurst =", "power.pi_wurst: there is no such key in [power]; did you mean pi_worst?"),
    ("[buses] ", "[busses] ", "busses: there is no such key or table; did you mean buses?"),
    ("spi0 =", "#", 'lamps.spi: "0.0" needs SPI0 with 1 chip select, and it is off; say so as spi0 in [buses]'),
    ("supply =", "supply = 1.5 #", "power.supply: the board may draw "),
    ('title = "', 'title = "\\n', "title: a line of 1 to 80 characters is needed, not the text '\\n"),
]
RGB = [
    ("rows = [2, 3,", "rows = [2, 2,", "scan.rows: pin 2 is there twice; each has one use"),
    ("rows = [2, 3,", "rows = [2, 10,", "scan.columns: GP 10 (column 0) is already row 1; every pin has one use"),
    ("rows = [2, 3,", "rows = [2, 23,", "scan.rows: GP 23 (row 1) is taken by the Pico itself; "),
    ("rows = [2, 3,", "rows = [2, 29,", "scan.rows: GP 29 (row 1) is taken by the Pico itself; "),
    ("rows = [2, 3, 4,", "rows = [", "scan.rows: 6"),
    ('by = "pico"', 'by = "gpio"', "scan.rows: BCM 7 (row 5) is already CE1 of SPI0; fewer chip selects in buses.spi0"),
    ("count = 6", "count = 4", "lamps.count: 6"),
    ("count = 6", "count = 16", "lamps.count: the string has 16"),
    ("GRB", "GBG", "lamps.colours: there is no 'GBG'; did you mean RGB?"),
    (
        'spi = "1.0"',
        'spi = "0.0"',
        "dice.spi: SPI0 carries the RGB string, which would take what MAX7219 chips are told",
    ),
    ('spi = "1.0"', 'spi = "1.1"', 'dice.spi: "1.1" needs SPI1 with 2 chip selects, and it has 1; say so as spi1'),
    ('spi = "0.0"', 'spi = "1.0"', "lamps.spi: an RGB string needs SPI0: only that bus sends without gaps"),
    ("chip = 0", "chip = 1", "dice.chip: chip 1 is used and chip 0 before it on 1.0 is not; a chain is counted from"),
    ("chip = 0", "digits = [0, 1]", "dice.digits: goes only with on 'digits', and on is 'modules'"),
    ("go = 5", "go = 6", "buttons.next: BCM 6 (button next) is already button go; every pin has one use"),
    ("go = 5", "go = 21", "buttons.go: BCM 21 (button go) is already SCLK of SPI1; buses.spi1 claims it"),
    ("go = 5", "go = 0", "buttons.go: BCM 0 (button go) belongs to the EEPROM of a HAT and is never free"),
    ("go = 12", "go = 5", "button_lamps.go: BCM 5 (the lamp of button go) is already button go; every pin has one use"),
    ('on = "pi"', 'on = "pin"', "buttons.on: there is no 'pin'; did you mean pi?"),
    ("go = 5", "", "button_lamps.go: there is no button go to have a lamp"),
    ("spi1 = 1", "spi1 = 3", "button_lamps.next: BCM 16 (the lamp of button next) is already CE2 of SPI1; fewer chip"),
    (
        "led_cap = 1.2",
        "led_cap = 1.3",
        "power.led_cap: the lamps may draw 1.30 A, more than 80% of the 1.6 A that their",
    ),
    ("led_cap = 1.2", "led_cap = 0", "power.led_cap: 0 A would not light anything: 6"),
    (
        "led_fuse_hold = 1.6",
        "",
        "power.led_fuse_hold: an RGB string needs a fuse of its own; what does it hold, in amp",
    ),
    (
        "supply = 4.0",
        "supply = 3.4",
        "power.supply: the board may draw 2.73 A, more than 80% of the 3.4 A of the supply",
    ),
]
CHAIN = [
    ("chips = 1", "chips = 2", "lamps.chips: chip 1 lights no cell; the last one is lit by chip 0"),
    ("chips = 1", "chips = 0", "lamps.chips: a whole number from 1 to 32 is needed, not 0"),
    ("chips = 1", "count = 64", "lamps.count: goes only with by 'ws2812', and by is 'max7219'"),
    ('by = "max7219"', 'by = "max7221"', "lamps.by: there is no 'max7221'; did you mean max7219?"),
    ('first = "upper left"', 'first = "top left"', "lamps.first: there is no 'top left'; did you mean upper left?"),
    ("chip = 1", "chip = 0", "dice.chip: chip 0 is a chip of the board's lamps, so it cannot be the chip of the dice"),
    (
        "chip = 1",
        "chip = 3",
        "dice.chip: chip 3 is used and chip 2 before it on 0.0 is not; a chain is counted from the",
    ),
    ("digits = [0, 1]", "digits = [0, 0]", "dice.digits: digit 0 is there twice; each has one use"),
    ("digits = [0, 1]", "digits = [0, 2]", "button_lamps.digit: digit 2 shows a die; the dice have 0 and 2"),
    ("digits = [0, 1]", "digits = [0, 8]", "dice.digits: the number of a digit from 0 to 7 is needed, not 8"),
    ("digit = 2", "", "button_lamps.digit: is missing: the number of a digit from 0 to 7 is needed, the digit whose"),
    ('"A"', '"B"', "button_lamps.next: the lamp of button go is that segment; every lamp has its own"),
    (
        '"A"',
        '"a"',
        "button_lamps.go: the number of a pin, or a segment (G, F, E, D, C, B, A, DP) is needed, not the text",
    ),
    ("led_fuse_hold = 1.6", "led_fuse_hold = 0.2", "power.led_fuse_hold: the lamps may draw 0.17 A, more than 80% of"),
    ("led_fuse_hold = 1.6", "led_cap = 1.2", "power.led_cap: only an RGB string is held to a cap; leave it out"),
]
SLIPS = {
    "oak-8x8": [
        ("size = 8", "size = 80", "cells.size: a whole number from 2 to 26 is needed, not 80"),
        ("size = 8", "size = 9", "scan.rows: 81 cells need 81 switches, and 8 rows x 8 columns make 64"),
        (
            "size = 8",
            "size = 8\nturned = 60",
            "cells.turned: a board of this shape, turned by 60 degrees, does not lie as",
        ),
        ('"serpentine"', '"serpentin"', "lamps.order: there is no order 'serpentin'; did you mean serpentine?"),
        *RGB,
    ],
    "hex-61": [
        ("side = 5", "side = 6", "lamps.order: cell 0,-5 is missing; every cell needs exactly one lamp"),
        (
            "side = 5",
            "side = 5\nturned = 90",
            "cells.turned: a board of this shape, turned by 90 degrees, does not lie",
        ),
        ('order = "rows"', 'order = "columns"', "scan.order: rows of different lengths lie half a cell apart, so that"),
        (
            '"3,1", "2,1",',
            '"2,1", "2,1",',
            "lamps.order: cell 2,1 appears twice (lamps 18 and 19); every cell needs exactly one lamp",
        ),
        ('"3,1", "2,1",', '"3,1",', "lamps.order: cell 2,1 is missing; every cell needs exactly one lamp"),
        ('"3,1", "2,1",', '"3,1", "5,1",', "lamps.order: there is no cell 5,1 on this board; its 61 cells begin with"),
        ('"3,1", "2,1",', '"3,1" "2,1",', "line 31, column 11: this is not TOML: "),
        *RGB,
    ],
    "budget-8x8": [
        ("rows = [17, 27,", "rows = [27, 27,", "scan.rows: pin 27 is there twice; each has one use"),
        (
            "rows = [17, 27,",
            "rows = [10, 27,",
            "scan.rows: BCM 10 (row 0) is already MOSI of SPI0; buses.spi0 claims it",
        ),
        (
            "rows = [17, 27,",
            "rows = [18, 27,",
            "scan.columns: BCM 18 (column 0) is already row 0; every pin has one use",
        ),
        ("rows = [17, 27,", "rows = [27,", "scan.rows: 64 cells need 64 switches, and 7 rows x 8 columns make 56"),
        ('by = "gpio"', 'by = "pico"', "scan.columns: GP 23 (column 1) is taken by the Pico itself; "),
        (
            "spi0 = 1",
            "spi0 = 2",
            "buttons.hint: BCM 7 (button hint) is already CE1 of SPI0; fewer chip selects in buses.",
        ),
        ("spi0 = 1", "spi0 = 1\nspi1 = 1", "scan.rows: BCM 19 (row 6) is already MISO of SPI1; buses.spi1 claims it"),
        (
            "spi0 = 1",
            "spi0 = 1\ni2c1 = true",
            "buttons.go: BCM 3 (button go) is already SCL of I2C1; buses.i2c1 claims",
        ),
        ('on = "pi"', 'on = "pico"', "buttons.on: this board has no Pico; one is there where scan.by is pico"),
        *CHAIN,
    ],
    "budget-8x8-expander": [
        ("0x20, 0x21", "0x20, 0x20", "scan.addresses: address 0x20 is there twice; each has one use"),
        ("0x20, 0x21", "0x20, 0x30", "scan.addresses: an address from 0x20 to 0x27 is needed, not 0x30"),
        ("0x20, 0x21", "0x20", "scan.addresses: 64 cells need 64 switches, and 3 chips of 16 make 48"),
        ("interrupt = 4", "interrupt = 3", "scan.interrupt: BCM 3 (the interrupt) is already SCL of I2C1; buses.i2c1 "),
        ("interrupt = 4", "interrupt = 5", "buttons.go: BCM 5 (button go) is already the interrupt; every pin has one"),
        ("i2c1 = true", "i2c1 = false", "scan.by: expanders need I2C1, and it is off; say i2c1 = true in [buses]"),
        ("i2c1 = true", "i2c1 = 1", "buses.i2c1: true or false is needed, not 1"),
        ("go = 5", "go = 2", "buttons.go: BCM 2 (button go) is already SDA of I2C1; buses.i2c1 claims it"),
        *CHAIN,
    ],
}


@pytest.mark.parametrize(
    ("name", "old", "new", "reason"),
    [(name, old, new, reason) for name, slips in SLIPS.items() for old, new, reason in (*COMMON, *slips)],
)
def test_one_slip_in_a_file_is_named_with_file_key_and_reason(name: str, old: str, new: str, reason: str) -> None:
    said = slip(name, old, new)
    assert said.startswith(f"{name}.toml: {reason}")
    assert said.isprintable()


def test_every_board_has_slips_to_be_found() -> None:
    assert set(SLIPS) == set(packaged())


def test_only_files_of_boards_lie_with_the_boards() -> None:
    folder = Path(__file__).parents[2] / "controller" / "reedlight" / "board" / "profiles"
    assert sorted(path.stem for path in folder.glob("*.toml")) == sorted(packaged())
