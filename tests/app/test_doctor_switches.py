"""The switches before the doctor: wires, diodes, reeds and their order, at the depth of pins.

A person does what is asked; what is wrong is in the simulated wiring, in a reed, or in how the board was built.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

import pytest
from doctor_bench import Case, case, moved

from reedlight.app.checks.moved import probes
from reedlight.board.profile import Expander, Gpio, Matrix, Profile
from reedlight.board.toml import load_packaged, packaged
from reedlight.core.grid import Cell
from reedlight_sim.pins import Bridged, Fault, Grounded, Joined, Live, Reversed, Stuck, without_diodes

T = TypeVar("T")

BUDGET = load_packaged("budget-8x8")
EXPANDER = load_packaged("budget-8x8-expander")
ROWS = (17, 27, 22, 5, 6, 13, 19, 26)
COLUMNS = (18, 23, 24, 25, 12, 16, 20, 21)
MATRIX = Matrix(ROWS, COLUMNS)
B2 = 9
"""The switch of b2: row 1, column 1."""


def cells(names: str) -> frozenset[Cell]:
    return frozenset(Cell(name) for name in names.split())


def wired(*faults: Fault) -> Case:
    """The budget board with these faults in its wiring."""
    doctor = case("budget-8x8")
    doctor.board.devices.pins.faults = faults
    return doctor


def quick(pieces: str, *faults: Fault) -> Case:
    """The same, with pieces on it and nobody there."""
    doctor = wired(*faults)
    doctor.board.pieces = set(cells(pieces))
    doctor.quick = True
    return doctor


def built_with(matrix: Matrix) -> Case:
    """The budget board, whose wires go to other pins than its profile says."""
    return case(BUDGET, built=replace(BUDGET, reader=Gpio(matrix)))


def exchanged(numbers: tuple[T, ...], *pairs: tuple[int, int]) -> tuple[T, ...]:
    """The numbers, with those at these places exchanged."""
    left = list(numbers)
    for one, other in pairs:
        left[one], left[other] = left[other], left[one]
    return tuple(left)


def renumbered(move: str) -> Profile:
    """The budget board, whose cells have the switches of others."""
    switches, there = BUDGET.layout.switches, moved(BUDGET, move)
    renamed = {cell: switches[there[cell]] for cell in BUDGET.grid.cells}
    return replace(BUDGET, layout=replace(BUDGET.layout, switches=renamed))


# --------------------------------------------------------------------------------------------- wires


@pytest.mark.parametrize(
    ("faults", "said"),
    [
        ([Grounded(22)], "Row 2 (GPIO22) touches ground."),
        ([Grounded(25)], "Column 3 (GPIO25) touches ground."),
        ([Live(27)], "Row 1 (GPIO27) touches 3.3 V."),
        ([Joined(27, 22)], "Row 1 (GPIO27) and row 2 (GPIO22) touch each other."),
        ([Joined(23, 24)], "Column 1 (GPIO23) and column 2 (GPIO24) touch each other."),
        (
            [Joined(27, 22), Joined(22, 13)],
            "Row 1 (GPIO27), row 2 (GPIO22) and row 5 (GPIO13) touch each other.",
        ),
        ([Joined(27, 24)], "Row 1 (GPIO27) and column 2 (GPIO24) conduct both ways on an empty board."),
        ([Stuck(B2), Bridged(B2)], "Row 1 (GPIO27) and column 1 (GPIO23) conduct both ways on an empty board."),
    ],
)
def test_wires_that_touch_are_named_and_nothing_else_is_blamed(faults: list[Fault], said: str) -> None:
    doctor = wired(*faults)
    assert doctor.examined() == 1
    assert doctor.wrong.keys() == {"Wires"}
    assert doctor.wrong["Wires"].startswith(said)
    assert "wires and diodes have to be put right first" in doctor.text


def test_two_faults_of_wires_are_two_findings() -> None:
    doctor = wired(Grounded(22), Joined(23, 24))
    assert doctor.examined("Wires") == 1
    assert "Row 2 (GPIO22) touches ground." in doctor.wrong["Wires"]
    assert "Column 1 (GPIO23) and column 2 (GPIO24) touch each other." in doctor.wrong["Wires"]
    assert "2 things are wrong" in doctor.page[-1]


# --------------------------------------------------------------- wires, with pieces and with nobody there


def test_a_sound_board_in_the_middle_of_a_game_is_sound() -> None:
    doctor = quick("a1 c1 e1 b2 d2 f2 a7 c7 h8")
    assert doctor.examined() == 0
    assert "9 cells occupied (a1, c1, e1, b2, d2, f2, a7, c7 and h8), and nothing changes" in doctor.text


def test_a_long_list_of_cells_is_cut() -> None:
    doctor = quick(" ".join(f"{file}{rank}" for rank in (1, 2) for file in "abcdefgh"))
    assert doctor.examined("Switches at rest") == 0
    assert "16 cells occupied (a1, b1, c1, d1, e1, f1, g1, h1, a2, b2, c2 and 5 more)" in doctor.text


@pytest.mark.parametrize(
    ("pieces", "faults", "said"),
    [
        ("b2 c2 b3", [Bridged(B2)], "The diode of b2 lets a current through both ways"),
        ("b2 c2 b3", [Bridged(B2), Bridged(B2 + 1)], "The diodes of b2 and c2 let a current through both ways"),
        ("b2 c5", [Reversed(B2)], "The diode of b2 is the wrong way round. why Of its two ends the one with"),
        ("b2 c2 e5", [Reversed(B2), Reversed(B2 + 1)], "The diodes of b2 and c2 are the wrong way round."),
        (
            "a1 b2 c3 d4",
            [Reversed(switch) for switch in range(64)],
            "Every diode that could be looked at is the wrong way round.",
        ),
        ("a3 c3", [Grounded(22)], "Row 2 (GPIO22) touches ground."),
    ],
)
def test_pieces_that_stand_there_show_what_is_wrong_with_their_diodes(
    pieces: str, faults: list[Fault], said: str
) -> None:
    doctor = quick(pieces, *faults)
    assert doctor.examined("Wires") == 1
    assert doctor.wrong["Wires"].startswith(said)
    assert doctor.page[-2].strip() == "1 thing is wrong; 0 checks are well."


def test_a_board_without_diodes_shows_it_as_soon_as_pieces_stand_on_it() -> None:
    doctor = quick("a1 c1 a3", *without_diodes(MATRIX))
    assert doctor.examined("Wires") == 1
    assert "The diodes of a1, c1, a3 and c3 let a current through both ways" in doctor.wrong["Wires"]


# ---------------------------------------------------------------------------------------------- rest


def test_a_reed_that_is_stuck_is_named() -> None:
    doctor = wired(Stuck(B2))
    assert doctor.examined() == 1
    assert doctor.wrong.keys() == {"Switches at rest"}
    assert doctor.wrong["Switches at rest"].startswith("b2 reads occupied on an empty board.")


def test_two_stuck_reeds_are_told_together() -> None:
    doctor = wired(Stuck(B2), Stuck(63))
    assert doctor.examined("Switches at rest") == 1
    assert doctor.wrong["Switches at rest"].startswith("b2 and h8 read occupied on an empty board.")


def test_a_switch_that_flickers_while_nobody_touches_the_board_is_named() -> None:
    doctor = quick("a1 b2 c3")
    doctor.board.restless = cells("b2")
    assert doctor.examined("Switches at rest") == 1
    assert "The switch of b2 flickers: " in doctor.wrong["Switches at rest"]
    assert "a1" not in doctor.wrong["Switches at rest"]


def test_a_piece_that_is_set_down_meanwhile_is_no_flicker() -> None:
    doctor = quick("a1")
    visit = doctor.visit()
    visit.meet()
    doctor.board.pieces.add(Cell("b1"))
    assert doctor.examined("Switches at rest", visit=visit) == 0


def test_a_board_that_goes_while_it_is_watched_is_told() -> None:
    doctor = case("budget-8x8-expander")
    doctor.quick = True
    visit = doctor.visit()
    visit.meet()
    visit.patience = replace(visit.patience, watch=2.0)
    doctor.board.devices.i2c.gone.update(doctor.board.devices.i2c.chips)
    assert doctor.examined("Switches at rest", visit=visit) == 1
    assert "The chip at 0x20 on I2C bus 1 does not answer" in doctor.wrong["Switches at rest"]


# --------------------------------------------------------------------------------------------- cells


@pytest.mark.parametrize(
    ("deaf", "said"),
    [
        ("c3", "c3 never notices a piece."),
        ("c3 f7", "c3 and f7 never notice a piece."),
        ("a3 b3 c3 d3 e3 f3 g3 h3", "No cell of row 2 (GPIO22) notices a piece. why Its wire is off."),
        ("d1 d2 d3 d4 d5 d6 d7 d8", "No cell of column 3 (GPIO25) notices a piece. why Its wire is off, or it touches"),
    ],
)
def test_cells_that_never_notice_a_piece_are_named_alone_or_by_their_line(deaf: str, said: str) -> None:
    doctor = case("budget-8x8", deaf=cells(deaf))
    assert doctor.examined("Wires", "Switches at rest", "Cells", "Order of cells") == 1
    assert doctor.wrong.keys() == {"Cells"}
    assert doctor.wrong["Cells"].startswith(said)
    assert any("Not noticed yet" in asked for asked in doctor.somebody.asked)


def test_a_column_on_the_supply_looks_like_one_whose_wire_is_off() -> None:
    doctor = wired(Live(25))
    doctor.board.deaf = cells("d1 d2 d3 d4 d5 d6 d7 d8")
    assert doctor.examined("Wires", "Cells") == 1
    assert "or it touches 3.3 V" in doctor.wrong["Cells"]


def test_a_line_and_a_cell_elsewhere_are_two_findings() -> None:
    doctor = case("budget-8x8", deaf=cells("a3 b3 c3 d3 e3 f3 g3 h3 e5"))
    assert doctor.examined("Cells") == 1
    assert "No cell of row 2 (GPIO22) notices a piece." in doctor.wrong["Cells"]
    assert "e5 never notices a piece." in doctor.wrong["Cells"]


def test_a_board_on_which_nothing_is_noticed_is_one_finding() -> None:
    doctor = case("budget-8x8", deaf=frozenset(BUDGET.grid.cells))
    doctor.somebody.overrides = dict.fromkeys(("Pass one", "Not noticed"), doctor.somebody.nod)
    assert doctor.examined("Cells", "Order of cells") == 1
    assert doctor.wrong.keys() == {"Cells"}
    assert doctor.wrong["Cells"].startswith("No cell notices a piece.")
    assert "no piece was noticed" in doctor.text


@pytest.mark.parametrize(
    ("faults", "said"),
    [
        ([Reversed(B2)], "The diode of b2 is the wrong way round. why Of its two ends the one with the stripe belongs"),
        ([Reversed(B2), Reversed(20)], "The diodes of b2 and e3 are the wrong way round."),
        ([Reversed(switch) for switch in range(64)], "Every diode that could be looked at is the wrong way round."),
        ([Bridged(B2)], "The diode of b2 conducts both ways."),
        ([Bridged(B2), Bridged(20)], "The diodes of b2 and e3 conduct both ways."),
        (without_diodes(MATRIX), "No diode of the matrix stops a current."),
    ],
)
def test_one_piece_on_every_cell_tells_how_each_diode_is(faults: Iterable[Fault], said: str) -> None:
    doctor = wired(*faults)
    assert doctor.examined("Wires", "Switches at rest", "Cells", "Pieces") == 1
    assert doctor.wrong.keys() == {"Cells"}
    assert doctor.wrong["Cells"].startswith(said)
    assert "wires and diodes have to be put right first" in doctor.text


def test_rows_and_columns_that_are_exchanged_as_a_whole_look_like_turned_diodes() -> None:
    doctor = built_with(Matrix(COLUMNS, ROWS))
    assert doctor.examined("Cells", "Order of cells") == 1
    assert "Every diode that could be looked at is the wrong way round." in doctor.wrong["Cells"]
    assert "the wires of rows and columns are exchanged" in doctor.wrong["Cells"]


def test_an_expanders_cell_that_is_deaf_is_found_without_a_matrix() -> None:
    doctor = case("budget-8x8-expander", deaf=cells("c3 e4"))
    assert doctor.examined("Switches at rest", "Cells", "Pieces") == 1
    assert "c3 and e4 never notice a piece." in doctor.wrong["Cells"]


def test_go_on_the_board_is_as_good_as_enter() -> None:
    doctor = case("budget-8x8")
    doctor.somebody.overrides = dict.fromkeys(("Take", "Pass one", "Not noticed"), doctor.somebody.press_go)
    assert doctor.examined("Cells") == 1
    assert "No cell notices a piece." in doctor.wrong["Cells"]


# --------------------------------------------------------------------------------------------- order


@pytest.mark.parametrize(
    ("matrix", "said"),
    [
        (
            Matrix(exchanged(ROWS, (2, 3)), COLUMNS),
            "Row 2 (GPIO22) and row 3 (GPIO5) are exchanged.",
        ),
        (
            Matrix(exchanged(ROWS, (1, 4)), exchanged(COLUMNS, (0, 7))),
            "Row 1 (GPIO27) and row 4 (GPIO6) are exchanged and column 0 (GPIO18) and column 7 (GPIO21) are exchanged.",
        ),
        (
            Matrix((27, 22, 17, *ROWS[3:]), COLUMNS),
            "Row 0 (GPIO17) is wired as row 1 (GPIO27), row 1 (GPIO27) is wired as row 2 (GPIO22) and row 2",
        ),
        (
            Matrix(ROWS[1:] + ROWS[:1], COLUMNS),
            "Many lines are wired in another order.",
        ),
        (Matrix(ROWS, COLUMNS[::-1]), "The switches are mirrored left to right: b1 is at g1."),
        (Matrix(ROWS[::-1], COLUMNS), "The switches are mirrored near to far: b1 is at b8."),
        (Matrix(ROWS[::-1], COLUMNS[::-1]), "The switches are turned by half a turn: b1 is at g8."),
    ],
)
def test_wires_on_the_wrong_pins_are_named_by_what_a_few_cells_tell(matrix: Matrix, said: str) -> None:
    doctor = built_with(matrix)
    assert doctor.examined("Wires", "Switches at rest", "Cells", "Order of cells") == 1
    assert doctor.wrong.keys() == {"Order of cells"}
    assert doctor.wrong["Order of cells"].startswith(said)


def test_the_pins_to_write_into_the_profile_are_those_of_the_wires() -> None:
    doctor = built_with(Matrix((27, 22, 17, *ROWS[3:]), exchanged(COLUMNS, (0, 7))))
    assert doctor.examined("Order of cells") == 1
    assert (
        "write rows = [27, 22, 17, 5, 6, 13, 19, 26] and columns = [21, 23, 24, 25, 12, 16, 20, 18] under [scan]"
        in doctor.wrong["Order of cells"]
    )


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("columns for rows", "in columns where the profile has rows: b1 is at a2"),
        ("columns for rows, from the opposite corner", "in columns where the profile has rows, from the opposite"),
        ("quarter to the left", "turned by a quarter to the left: b1 is at h2"),
        ("quarter to the right", "turned by a quarter to the right: b1 is at a7"),
    ],
)
def test_switches_that_are_numbered_another_way_are_told_as_a_turn(move: str, said: str) -> None:
    doctor = case(BUDGET, built=renumbered(move))
    assert doctor.examined("Order of cells") == 1
    assert said in doctor.wrong["Order of cells"]


def test_cells_that_answer_for_others_without_any_order_are_told_one_by_one() -> None:
    switches = dict(BUDGET.layout.switches)
    switches[Cell("b1")], switches[Cell("e7")] = switches[Cell("e7")], switches[Cell("b1")]
    doctor = case(BUDGET, built=replace(BUDGET, layout=replace(BUDGET.layout, switches=switches)))
    assert doctor.examined("Order of cells") == 1
    assert doctor.wrong["Order of cells"].startswith("Pieces are noticed at other cells: b1 at e7.")
    assert "reedlight wire" in doctor.wrong["Order of cells"]


def test_a_switch_that_no_cell_has_is_told_by_its_number() -> None:
    hexagons = load_packaged("hex-61")
    nominal = replace(hexagons, reader=Gpio(MATRIX), buttons=None, button_lamps=None)
    switches = dict(nominal.layout.switches)
    switches[Cell("-4,4")] = 63
    asked = Cell("-3,4")
    switches[asked] = 62
    doctor = case(nominal, built=replace(nominal, layout=replace(nominal.layout, switches=switches)))
    assert doctor.examined("Order of cells") == 1
    assert f"{asked} at switch 62, which has no cell" in doctor.wrong["Order of cells"]


def test_a_cell_that_is_deaf_is_told_beside_what_is_exchanged() -> None:
    doctor = built_with(Matrix(exchanged(ROWS, (2, 3)), COLUMNS))
    doctor.board.deaf = cells("b1")
    assert doctor.examined("Order of cells") == 1
    assert "b1 does not notice the piece that stands there." in doctor.wrong["Order of cells"]
    assert "Row 2 (GPIO22) and row 3 (GPIO5) are exchanged." in doctor.wrong["Order of cells"]


def test_a_stuck_reed_is_not_taken_for_the_piece() -> None:
    doctor = wired(Stuck(0))
    assert doctor.examined("Switches at rest", "Order of cells") == 1
    assert doctor.wrong.keys() == {"Switches at rest"}


def test_expanders_that_are_exchanged_are_told_with_the_addresses_to_write() -> None:
    assert isinstance(EXPANDER.reader, Expander)
    built = replace(EXPANDER, reader=replace(EXPANDER.reader, addresses=(0x20, 0x22, 0x21, 0x23)))
    doctor = case(EXPANDER, built=built)
    assert doctor.examined("Order of cells") == 1
    assert doctor.wrong["Order of cells"].startswith("Chip 0x21 and chip 0x22 are exchanged.")
    assert "write addresses = [0x20, 0x22, 0x21, 0x23] under [scan]" in doctor.wrong["Order of cells"]


def test_inputs_of_expanders_that_are_exchanged_are_told() -> None:
    switches = {cell: switch ^ 1 if switch % 16 < 2 else switch for cell, switch in EXPANDER.layout.switches.items()}
    doctor = case(EXPANDER, built=replace(EXPANDER, layout=replace(EXPANDER.layout, switches=switches)))
    assert doctor.examined("Order of cells") == 1
    assert doctor.wrong["Order of cells"].startswith("Input 0 and input 1 are exchanged.")
    assert "and the switches as numbers" in doctor.wrong["Order of cells"]


@pytest.mark.parametrize("name", packaged())
def test_the_cells_that_are_named_reach_every_line_and_are_few_and_askew(name: str) -> None:
    profile = load_packaged(name)
    rows, columns = (4, 16) if isinstance(profile.reader, Expander) else (8, 8)
    chosen = probes(profile.layout.switches, columns)
    places = {divmod(profile.layout.switches[cell], columns) for cell in chosen}
    assert ({row for row, _ in places}, {column for _, column in places}) == (set(range(rows)), set(range(columns)))
    assert len(chosen) == max(rows, columns)
    assert {(column, row) for row, column in places} != places


def test_cells_that_lie_anyhow_are_named_until_every_line_is_reached() -> None:
    corner = {Cell("a1"): 0, Cell("b2"): 4, Cell("c3"): 8}
    assert set(probes(corner, 3)) == set(corner)
    assert probes({}, 3) == ()


# -------------------------------------------------------------------------------------------- pieces


def test_a_piece_that_is_not_there_is_found_where_many_stand() -> None:
    doctor = wired(Bridged(B2))
    doctor.somebody.set_of_pieces = tuple(cells("b2 b5 e2"))
    assert doctor.examined("Pieces") == 1
    assert "e5 reads occupied though nothing stands there." in doctor.wrong["Pieces"]
    assert "The diode" in doctor.wrong["Pieces"]
    assert "of b2" in doctor.wrong["Pieces"]


def test_pieces_that_are_not_noticed_are_named() -> None:
    doctor = case("budget-8x8", deaf=cells("a1 d1"))
    assert doctor.examined("Pieces") == 1
    assert doctor.wrong["Pieces"].startswith("a1 and d1 do not notice the piece that stands there.")


def test_a_piece_under_which_the_switch_flickers_is_found_among_many() -> None:
    doctor = case("budget-8x8", restless=cells("d1"))
    assert doctor.examined("Pieces") == 1
    assert "The switch of d1 flickers" in doctor.wrong["Pieces"]


def test_on_a_board_without_lamps_the_cells_are_read_out() -> None:
    bare = replace(BUDGET, lamps=None, dice=None, button_lamps=None)
    doctor = case(bare, deaf=cells("d1"))
    doctor.somebody.overrides["Not noticed"] = doctor.somebody.nod
    assert doctor.examined("Cells", "Pieces") == 1
    assert "d1 never notices a piece." in doctor.wrong["Cells"]
    assert "d1 does not notice the piece that stands there." in doctor.wrong["Pieces"]
    assert any("Pieces are noticed on a1, g1," in asked for asked in doctor.somebody.asked)


def test_a_board_that_notices_nothing_at_all_says_so() -> None:
    bare = replace(BUDGET, lamps=None, dice=None, button_lamps=None)
    doctor = case(bare, deaf=frozenset(BUDGET.grid.cells))
    assert doctor.examined("Pieces") == 1
    assert any("Pieces are noticed on no cell." in asked for asked in doctor.somebody.asked)
