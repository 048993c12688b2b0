"""The lamps before the doctor: what a person sees of them, read off the bus, and what that is taken for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from doctor_bench import Act, Case, case, moved

from reedlight.board.profile import DiceDigits, DiceModules, Max7219, Profile, Spi, Ws2812
from reedlight.board.toml import load_packaged
from reedlight.core.grid import Cell

OAK, BUDGET = load_packaged("oak-8x8"), load_packaged("budget-8x8")
LAST_ROWS = frozenset(Cell(f"{file}{rank}") for rank in (7, 8) for file in "abcdefgh")


def cells(names: str) -> frozenset[Cell]:
    return frozenset(Cell(name) for name in names.split())


def typing(doctor: Case, part: str, *answers: str) -> None:
    """Have these lines typed at the questions that contain a part, one after the other."""
    left = list(answers)

    def answer() -> Act:
        yield 0.1
        doctor.somebody.type(left.pop(0))

    doctor.somebody.overrides[part] = answer


# ------------------------------------------------------------------------------------------- colours


@pytest.mark.parametrize("order", ["RGB", "RBG", "BGR", "BRG", "GBR"])
def test_lamps_that_take_their_colours_in_another_order_are_told_with_the_line_to_write(order: str) -> None:
    assert isinstance(OAK.lamps, Ws2812)
    doctor = case(OAK, built=replace(OAK, lamps=replace(OAK.lamps, order=order)))
    assert doctor.examined("Colours") == 1
    assert "They take their channels in another order than GRB" in doctor.wrong["Colours"]
    assert f'Write colours = "{order}" under [lamps]' in doctor.wrong["Colours"]


def test_letters_are_as_good_as_the_names_of_colours() -> None:
    doctor = case(OAK)
    typing(doctor, "Which colour", "R", "g")
    assert doctor.examined("Colours") == 0


def test_lamps_of_several_colours_at_once_have_four_channels() -> None:
    doctor = case(OAK)
    typing(doctor, "Which colour", "several", "several")
    assert doctor.examined("Colours") == 1
    assert "four channels (RGBW)" in doctor.wrong["Colours"]


def test_one_colour_for_both_is_no_order_of_channels() -> None:
    doctor = case(OAK)
    typing(doctor, "Which colour", "blue", "blue")
    assert doctor.examined("Colours") == 1
    assert "no order of three channels gives these colours" in doctor.wrong["Colours"]


def test_a_dark_string_is_not_asked_for_its_colours_but_told_as_dark() -> None:
    doctor = case(OAK, dark=frozenset(OAK.grid.cells))
    assert doctor.examined("Colours", "Lamps", "Order of lamps") == 1
    assert doctor.wrong.keys() == {"Lamps"}
    assert "No lamp shines. why The lamps have no 5 V, or the data does not reach the first lamp." in doctor.text
    assert "no lamp shines; see the next check" in doctor.text
    assert "no lamp was seen" in doctor.text


def test_an_empty_answer_is_none() -> None:
    doctor = case(OAK)
    typing(doctor, "Which colour", "", "")
    assert doctor.examined("Colours") == 0
    assert "no lamp shines" in doctor.text


# ---------------------------------------------------------------------------------------------- dark


@pytest.mark.parametrize(
    ("board", "dark", "said"),
    [
        (OAK, cells("c3"), "The lamp of c3 is dark. why The lamp is broken; its data still passes."),
        (OAK, cells("c3 f5"), "The lamps of c3 and f5 are dark."),
        (OAK, cells("a8"), "The lamp of a8 is dark."),
        (
            OAK,
            LAST_ROWS,
            "The string is dark from a7 on, its lamp 48. why The data from a6 does not arrive there: a joint, or one",
        ),
        (BUDGET, cells("c3"), "The lamp of c3 is dark. why The lamp is broken, the wrong way round, or a joint"),
        (
            BUDGET,
            cells("c1 c2 c3 c4 c5 c6 c7 c8"),
            "The lamps of chip 0, DIG2 are all dark (c1, c2, c3, c4, c5, c6, c7 and c8). why The wire of this line",
        ),
        (
            BUDGET,
            cells("a8 b8 c8 d8 e8 f8 g8 h8"),
            "The lamps of chip 0, SEG G are all dark (a8, b8, c8, d8, e8, f8, g8 and h8).",
        ),
    ],
)
def test_dark_lamps_are_told_by_what_they_have_in_common(board: Profile, dark: frozenset[Cell], said: str) -> None:
    doctor = case(board, dark=dark)
    assert doctor.examined("Lamps") == 1
    assert doctor.wrong["Lamps"].startswith(said)


def test_a_dark_lamp_before_the_end_of_the_string_is_told_by_itself() -> None:
    doctor = case(OAK, dark=LAST_ROWS | cells("b2"))
    assert doctor.examined("Lamps") == 1
    assert "The string is dark from a7 on" in doctor.wrong["Lamps"]
    assert "The lamp of b2 is dark." in doctor.wrong["Lamps"]


def test_a_line_of_chips_and_a_lamp_elsewhere_are_two_findings() -> None:
    doctor = case(BUDGET, dark=cells("c1 c2 c3 c4 c5 c6 c7 c8 e5"))
    assert doctor.examined("Lamps") == 1
    assert "chip 0, DIG2" in doctor.wrong["Lamps"]
    assert "The lamp of e5 is dark." in doctor.wrong["Lamps"]


def test_a_string_that_is_dark_from_its_second_lamp_on_is_told_from_there() -> None:
    assert isinstance(OAK.lamps, Ws2812)
    lamps = {cell: lamp + 2 for cell, lamp in OAK.layout.lamps.items()}
    late = replace(OAK, lamps=replace(OAK.lamps, count=66), layout=replace(OAK.layout, lamps=lamps))
    doctor = case(late, dark=frozenset(OAK.grid.cells) - cells("a1"))
    assert doctor.examined("Lamps") == 1
    assert "The string is dark from b1 on, its lamp 3. why The data from a1" in doctor.wrong["Lamps"]


@pytest.mark.parametrize("board", [OAK, BUDGET])
def test_all_is_a_word_for_every_cell(board: Profile) -> None:
    doctor = case(board)
    typing(doctor, "Every lamp should shine", "all")
    assert doctor.examined("Lamps") == 1
    assert "No lamp shines." in doctor.wrong["Lamps"]


def test_cells_may_be_typed_with_commas_and_words_that_are_none_are_left_out() -> None:
    doctor = case(OAK)
    typing(doctor, "Every lamp should shine", "C3, f5; and z9.")
    assert doctor.examined("Lamps") == 1
    assert "The lamps of c3 and f5 are dark." in doctor.wrong["Lamps"]


# --------------------------------------------------------------------------------------------- order


def laid(profile: Profile, move: str) -> Profile:
    """The board with its lamps in other cells than the profile says."""
    lamps, there = profile.layout.lamps, moved(profile, move)
    return replace(
        profile, layout=replace(profile.layout, lamps={there[cell]: lamps[cell] for cell in profile.grid.cells})
    )


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("left to right", "The lamps are mirrored left to right: a1 is at h1."),
        ("near to far", "The lamps are mirrored near to far: a1 is at a8."),
        ("half a turn", "The lamps are turned by half a turn: a1 is at h8."),
        ("columns for rows", "The lamps are in columns where the profile has rows: b1 is at a2."),
        ("every second row", "Some rows of lamps run the other way: that of a1 in h1"),
        ("two cells", "Lamps shine in other cells: that of a1 in f6."),
    ],
)
@pytest.mark.parametrize("board", [OAK, BUDGET])
def test_lamps_in_other_cells_are_told_by_how_they_are_laid(board: Profile, move: str, said: str) -> None:
    doctor = case(board, built=laid(board, move))
    assert doctor.examined("Order of lamps") == 1
    assert said in doctor.wrong["Order of lamps"]
    assert doctor.board.devices.lamps() == {}


def test_two_lamps_that_were_seen_are_too_few_for_a_mirror() -> None:
    doctor = case(OAK, built=laid(OAK, "left to right"))
    typing(doctor, "one lamp shines", "h1", "g1", "", "", "")
    assert doctor.examined("Order of lamps") == 1
    assert "Some rows of lamps run the other way: that of a1 in h1 and that of b1 in g1." in doctor.text


def test_hexagons_are_asked_for_by_their_names_and_mirrors_of_them_are_found() -> None:
    hexagons = load_packaged("hex-61")
    lamps = hexagons.layout.lamps
    turned = {Cell(f"{-int(cell.split(',')[0])},{-int(cell.split(',')[1])}"): lamp for cell, lamp in lamps.items()}
    doctor = case(hexagons, built=replace(hexagons, layout=replace(hexagons.layout, lamps=turned)))
    assert doctor.examined("Order of lamps") == 1
    assert "The lamps are turned by half a turn: 0,-4 is at 0,4." in doctor.wrong["Order of lamps"]


# ---------------------------------------------------------------------------------------------- dice


def test_dice_on_the_other_chip_of_the_chain_are_exchanged() -> None:
    digits = replace(BUDGET, dice=DiceDigits(Spi(0, 0), 1, (1, 0)))
    doctor = case(BUDGET, built=digits)
    assert doctor.examined("Dice") == 1
    assert "The two dice are exchanged." in doctor.wrong["Dice"]


@pytest.mark.parametrize(
    ("board", "built"),
    [(OAK, DiceModules(Spi(1, 0), 4)), (BUDGET, DiceDigits(Spi(0, 0), 1, (5, 6)))],
)
def test_dice_that_the_data_does_not_reach_are_dark(board: Profile, built: DiceModules | DiceDigits) -> None:
    doctor = case(board, built=replace(board, dice=built))
    assert doctor.examined("Dice") == 1
    assert "The dice are dark." in doctor.wrong["Dice"]


def test_dice_that_show_something_else_are_told() -> None:
    doctor = case(OAK, built=replace(OAK, dice=DiceModules(Spi(1, 0), 1)))
    assert doctor.examined("Dice") == 1
    assert "The dice show 2 and 0 instead of 5 and 2." in doctor.wrong["Dice"]


def test_a_chain_that_cannot_be_written_is_not_asked_about() -> None:
    doctor = case(OAK)
    doctor.board.devices.nodes[Spi(1, 0)].present = False
    assert doctor.examined("Ports", "Lamps", "Dice") == 1
    assert doctor.wrong.keys() == {"Ports"}
    assert "/dev/spidev1.0 cannot be written" in doctor.text


def test_a_board_without_lamps_or_dice_is_asked_for_neither() -> None:
    bare = replace(BUDGET, lamps=None, dice=None, button_lamps=None)
    doctor = case(bare)
    assert doctor.examined("Colours", "Lamps", "Order of lamps", "Dice", "Buttons' lamps") == 0
    assert "0 checks are well." in doctor.text


def test_two_chips_have_lines_of_their_own() -> None:
    assert isinstance(BUDGET.lamps, Max7219)
    lamps = {cell: lamp + 64 * (lamp >= 32) for cell, lamp in BUDGET.layout.lamps.items()}
    two = replace(BUDGET, lamps=replace(BUDGET.lamps, chips=2), dice=None, button_lamps=None)
    two = replace(two, layout=replace(two.layout, lamps=lamps))
    doctor = case(two, dark=cells("a8 b8 c8 d8"))
    assert doctor.examined("Lamps") == 1
    assert "chip 0, SEG G" in doctor.wrong["Lamps"]
