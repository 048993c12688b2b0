"""Buttons on simulated pins and their lamps, and the dice wherever a board shows them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from depths.boards import BOARDS, cases
from depths.sitting import SETTLED, do, played, rhythms, roll, shining, sitting, until

from reedlight.board.profile import DiceDigits, DiceModules, Profile
from reedlight.core.game import Declaration, Roll, Side, Speech
from reedlight.games import make
from reedlight.scene.dice import ROLL
from reedlight.scene.scene import Button, Mark
from reedlight.session.presses import HOLD
from reedlight.tabletop import ON_BOARD
from reedlight_sim.hardware import Pins
from reedlight_sim.table import Table

GO, NEXT, BACK, HINT = Button
WIRED = ("pins", "firmware")
WITH_BUTTONS = cases("oak-8x8", "budget-8x8", "budget-8x8-expander", "pico-mono", depths=WIRED)
WITH_LAMPS = [*cases("budget-8x8", "pico-mono", depths=WIRED), ("oak-8x8", "pins")]


def pressed(table: Table) -> list[str]:
    """The buttons that the session has heard of, oldest first."""
    return [what for seen in table.seen for what in seen.what if what in Button.__members__]


def hardware(table: Table) -> Pins:
    """What is simulated below the ports."""
    assert isinstance(table.depth, Pins)
    return table.depth


def lit(table: Table, *buttons: Button) -> None:
    """See to it that these buttons' lamps and no others shine before long."""
    wanted = frozenset(buttons)
    until(table, lambda: hardware(table).lit_buttons() == wanted, f"never lit: {buttons}")


# ------------------------------------------------------------------------------------------- buttons


@pytest.mark.parametrize(("name", "depth"), WITH_BUTTONS, indirect=["depth"])
def test_each_button_is_its_own(name: str, depth: str) -> None:
    with sitting(depth, BOARDS[name], make("herd", "4")) as table:
        assert table.depth.buttons == set(Button)
        for button in (HINT, BACK, NEXT, HINT):
            table.press(button)
        assert pressed(table) == ["GO", "HINT", "BACK", "NEXT", "HINT"]


@pytest.mark.parametrize(("name", "depth"), WITH_LAMPS, indirect=["depth"])
def test_a_button_is_lit_while_it_has_something_to_do(name: str, depth: str) -> None:
    with sitting(depth, BOARDS[name], make("draughts")) as table:
        lit(table, NEXT, HINT)
        do(table, "-c3 +d4")
        lit(table, NEXT, BACK, HINT)
        table.press(BACK)
        lit(table, BACK)
        do(table, "-d4 +c3")
        lit(table, NEXT, HINT)
        assert played(table) == []


@pytest.mark.parametrize(("name", "depth"), WITH_LAMPS, indirect=["depth"])
def test_the_lamp_of_go_blinks_when_it_is_next(name: str, depth: str) -> None:
    with sitting(depth, BOARDS[name], make("diablo", "4")) as table:
        for wanted in (True, False, True):
            until(table, lambda wanted=wanted: (GO in hardware(table).lit_buttons()) is wanted, "GO does not blink")


@pytest.mark.parametrize(("name", "depth"), WITH_LAMPS, indirect=["depth"])
def test_a_button_held_for_two_seconds_says_something_else(name: str, depth: str) -> None:
    with sitting(depth, BOARDS[name], make("draughts")) as table:
        do(table, "-c3 +d4")
        table.depth.hold(frozenset({NEXT}))
        table.wait(HOLD + 0.5)
        table.depth.hold(frozenset())
        table.wait(SETTLED)
        assert table.session.history[-1] == Declaration(Side.DARK, Speech.OFFER_DRAW)
        assert pressed(table) == ["GO"]


def test_without_wires_a_button_is_pressed_on_the_page() -> None:
    with sitting("ports", BOARDS["oak-8x8"], make("draughts")) as table:
        table.press(HINT)
        assert table.depth.buttons == frozenset()
        assert pressed(table) == ["GO", "HINT"]


@pytest.mark.parametrize("depth", WIRED, indirect=True)
def test_a_board_with_fewer_buttons_has_the_others_on_the_page(depth: str) -> None:
    with sitting(depth, BOARDS["gpio-10x10"], make("draughts")) as table:
        assert table.depth.buttons == {GO, BACK}
        table.press(HINT)
        table.press(BACK)
        assert pressed(table) == ["GO", "HINT", "BACK"]


# ---------------------------------------------------------------------------------------------- dice

ONE, THREE, SPENT = (
    "........ ........ ........ ...xx... ...xx... ........ ........ ........",
    "......xx ......xx ........ ...xx... ...xx... ........ xx...... xx......",
    "........ ........ ........ ........ ........ ........ ........ ........",
)
SEGMENT_OF_BIT = "GFEDCBA."


def on_modules(table: Table) -> list[str]:
    """What two 8x8 modules show, left and right, row by row."""
    dice = hardware(table).profile.dice
    assert isinstance(dice, DiceModules)
    shown = hardware(table).devices.chains[dice.spi].lit()
    return [
        " ".join("".join("x" if (chip, x, y) in shown else "." for x in range(8)) for y in range(8))
        for chip in (dice.first, dice.first + 1)
    ]


def on_digits(table: Table) -> list[str]:
    """The lit segments of two digits, left and right."""
    dice = hardware(table).profile.dice
    assert isinstance(dice, DiceDigits)
    shown = hardware(table).devices.chains[dice.spi].lit()
    return [
        "".join(sorted(SEGMENT_OF_BIT[bit] for chip, at, bit in shown if (chip, at) == (dice.chip, digit)))
        for digit in dice.digits
    ]


def on_cells(table: Table) -> set[str]:
    """The cells whose lamp shines."""
    return {str(cell) for cell, lamp in table.depth.layout.lamps.items() if lamp in shining(table)}


Look = Callable[[Table], object]
BESIDE = [
    *((name, depth, on_modules, [[THREE, ONE], [SPENT, ONE]]) for name, depth in cases("oak-8x8", depths=WIRED)),
    *((name, "pins", on_digits, [["ABCDG", "BC"], ["", "BC"]]) for name in ("budget-8x8", "budget-8x8-expander")),
]


@pytest.mark.parametrize(("name", "depth", "look", "faces"), BESIDE, indirect=["depth"])
def test_dice_beside_the_board_tumble_lie_still_and_go_dark(
    name: str, depth: str, look: Look, faces: list[list[str]]
) -> None:
    fallen, one_left = faces
    game = make("diablo")
    first = game.start().apply(Roll((3, 1)))
    greens_turn = first.apply(game.parse(first, "capture 3 a1-a4"))
    with sitting(depth, BOARDS[name], game, greens_turn) as table:
        table.next_roll(Roll((3, 1)))
        table.press(GO)
        assert look(table) != fallen
        table.wait(ROLL)
        assert look(table) == fallen
        do(table, "-b1 -b4 +b4")
        assert played(table) == ["capture 3 b1-b4"]
        assert look(table) == one_left


ON_CELLS = {"pico-mono": {"a3", "b4", "c5", "g4"}, "pico-10x10": {"b4", "c5", "d6", "h5"}}
"""Where the pips of three and one lie."""


@pytest.mark.parametrize(("name", "depth"), cases(*ON_CELLS, depths=WIRED), indirect=["depth"])
def test_dice_on_the_board_are_its_own_cells_for_two_seconds(name: str, depth: str) -> None:
    board = BOARDS[name]
    with sitting(depth, board, make("diablo")) as table:
        table.next_roll(Roll((3, 1)))
        table.press(GO)
        table.wait(ROLL)
        assert on_cells(table) == ON_CELLS[name]
        table.wait(ON_BOARD - ROLL)
        assert set(rhythms(table, board).values()) == {Mark.MOVABLE}
        table.press(GO)
        assert on_cells(table) == ON_CELLS[name]
        do(table, "-a1")
        assert on_cells(table) != ON_CELLS[name]


def test_a_roll_is_over_when_the_board_shows_the_game_again() -> None:
    board: Profile = BOARDS["pico-mono"]
    with sitting("pins", board, make("diablo")) as table:
        roll(table, 3, 1)
        assert table.session.history == (Roll((3, 1)),)
        assert on_cells(table) != ON_CELLS["pico-mono"]
