"""The wizard at a simulated board: somebody soldered it otherwise than planned, and a person with one piece sits there.

One person sees nothing but the lamps, another does what the terminal says. Whatever the wires are like, what is
written in the end is how they run.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest
from soldered import SMALL, ByLamps, ByWords, Soldered, rewired, small

from reedlight.app.wizard import OK, Terminal, wire
from reedlight.board.profile import Profile, Ws2812
from reedlight.board.toml import packaged_text, read
from reedlight.core.grid import Cell
from reedlight_sim.world import Fault

SQUARE = (
    SMALL.replace("rows = 3", "rows = 4").replace("[17, 27, 22]", "[17, 27, 22, 18]").replace("= 12\n[b", "= 16\n[b")
)
HEX = packaged_text("hex-61")
OAK = packaged_text("oak-8x8")

Move = Callable[[Cell], Cell]


def moved(move: Callable[[int, int], tuple[int, int]]) -> Move:
    """For a cell such as b3 another one, by column and row counted from 0."""

    def there(cell: Cell) -> Cell:
        column, row = move("abcdefgh".index(cell[0]), int(cell[1]) - 1)
        return Cell(f"{'abcdefgh'[column]}{row + 1}")

    return there


SWAPPED_ROWS = moved(lambda x, y: (x, {1: 2, 2: 1}.get(y, y)))
REVERSED_COLUMNS = moved(lambda x, y: (3 - x, y))
SERPENTINE = moved(lambda x, y: (3 - x if y % 2 else x, y))
QUARTER_TURN = moved(lambda x, y: (y, 3 - x))


def shuffled(plan: Profile, seed: int) -> Move:
    """Any cell for any other."""
    cells = list(plan.grid.cells)
    others = list(cells)
    Random(seed).shuffle(others)
    return dict(zip(cells, others, strict=True)).__getitem__


class Sitting:
    """One board, one person, and where the file is to be."""

    def __init__(self, folder: Path, text: str, board: Soldered) -> None:
        self.board = board
        self.file = folder / "mine.toml"
        plan = folder / "plan.toml"
        plan.write_text(text)
        self.options = Namespace(board=str(plan), out=self.file, replace=False)
        self.said: list[str] = []

    def by_lamps(self) -> ByLamps:
        """Let it be wired by somebody who sees only lamps."""
        person = ByLamps(self.board)
        self.status = wire(self.options, self.board.bench, Terminal(self.said.append, None))
        return person

    def by_words(self) -> ByWords:
        """Let it be wired by somebody who reads and types."""
        person = ByWords(self.board)
        self.said = person.told
        self.status = wire(self.options, self.board.bench, person.terminal)
        person.close()
        return person

    @property
    def written(self) -> Profile:
        return read(self.file.read_text("utf-8"), "mine.toml")

    def is_right(self) -> bool:
        """Whether the file says how the wires run."""
        real = self.board.real
        return self.status == OK and (self.written.layout, self.written.lamps) == (real.layout, real.lamps)

    def has_said(self, words: str) -> bool:
        return any(words in said for said in self.said)


Begin = Callable[..., Sitting]


@pytest.fixture
def begin(tmp_path: Path) -> Begin:
    """Sit down at a board."""

    def sit_down(
        text: str, switches: Move | None = None, lamps: Move | None = None, **faults: Sequence[Cell]
    ) -> Sitting:
        plan = small(text)
        return Sitting(tmp_path, text, Soldered(plan, rewired(plan, switches, lamps), **faults))

    return sit_down


WIRINGS = {
    "as planned": (SMALL, None, None, "The switches are as small says."),
    "swapped rows": (SMALL, SWAPPED_ROWS, None, "The switches: rows 2 and 3 are swapped."),
    "reversed columns": (SMALL, REVERSED_COLUMNS, None, "The switches: the columns run the other way."),
    "a serpentine of lamps": (SMALL, None, SERPENTINE, "The lamps: they go to and fro along the rows from the"),
    "a quarter turn": (SQUARE, QUARTER_TURN, QUARTER_TURN, "turned by 90 degrees counter-clockwise"),
    "swapped rows of lamps and switches": (SMALL, SWAPPED_ROWS, SWAPPED_ROWS, "The lamps: rows 2 and 3 are swapped."),
}


@pytest.mark.parametrize("wiring", WIRINGS)
def test_somebody_who_sees_only_lamps_finds_the_wiring(begin: Begin, wiring: str) -> None:
    text, switches, lamps, words = WIRINGS[wiring]
    sitting = begin(text, switches, lamps)
    person = sitting.by_lamps()
    assert sitting.is_right()
    assert sitting.has_said(words)
    assert sitting.board.is_dark
    assert person.placed <= 2 * len(sitting.board.plan.grid.cells)


@pytest.mark.parametrize("wiring", ["swapped rows", "a serpentine of lamps", "a quarter turn"])
def test_somebody_who_does_what_the_terminal_says_finds_the_wiring(begin: Begin, wiring: str) -> None:
    text, switches, lamps, words = WIRINGS[wiring]
    sitting = begin(text, switches, lamps)
    sitting.by_words()
    assert sitting.is_right()
    assert sitting.has_said(words)
    assert sitting.board.is_dark


def test_a_board_whose_lamps_come_as_planned_takes_one_piece_once_to_every_cell(begin: Begin) -> None:
    assert begin(SMALL, SWAPPED_ROWS).by_lamps().placed == 12


def test_a_hexagon_whose_lamps_are_in_a_wild_order_takes_one_piece_once_to_every_cell(begin: Begin) -> None:
    sitting = begin(HEX, None, shuffled(small(HEX), 1))
    assert sitting.by_lamps().placed == 61
    assert sitting.is_right()


def test_switches_and_lamps_in_wild_orders_take_a_piece_twice_to_every_cell(begin: Begin) -> None:
    sitting = begin(SMALL, shuffled(small(), 1), shuffled(small(), 2))
    assert sitting.by_lamps().placed == 24
    assert sitting.is_right()


def test_two_swapped_rows_of_an_oak_board_are_named(begin: Begin) -> None:
    sitting = begin(OAK, moved(lambda x, y: (x, {2: 3, 3: 2}.get(y, y))))
    sitting.by_words()
    assert sitting.is_right()
    assert sitting.has_said("The switches: rows 3 and 4 are swapped.")
    assert sitting.has_said("a4: switch 16 (GP4 and GP10). The plan has 24.")


def test_lamps_of_one_colour_in_a_wild_order_are_found_too(begin: Begin) -> None:
    mono = SMALL.replace('"ws2812"', '"max7219"').replace("count = 12", "chips = 1").replace("led_cap = 1.2\n", "")
    sitting = begin(mono, shuffled(small(), 1), shuffled(small(), 2))
    sitting.by_lamps()
    assert sitting.is_right()


def test_colours_in_another_order_are_asked_for_once(tmp_path: Path) -> None:
    plan, real = small(), small(SMALL.replace("count = 12", 'count = 12\ncolours = "BRG"'))
    sitting = Sitting(tmp_path, SMALL, Soldered(plan, real))
    sitting.by_lamps()
    assert sitting.is_right()
    assert isinstance(sitting.written.lamps, Ws2812)
    assert sitting.written.lamps.order == "BRG"


# --------------------------------------------------------------------------------------------- faults


BOTH_WAYS = pytest.mark.parametrize("answers", [Sitting.by_lamps, Sitting.by_words])


@BOTH_WAYS
def test_a_switch_that_never_closes_is_told_and_follows_from_the_others(
    begin: Begin, answers: Callable[[Sitting], object]
) -> None:
    sitting = begin(SMALL, SWAPPED_ROWS)
    sitting.board.world.break_switch(Cell("b2"), Fault.DEAD, 0.0)
    answers(sitting)
    assert sitting.is_right()
    assert sitting.has_said("b2: no switch closes; switch 9 (BCM 22 and BCM 24) is taken to be its.")


@BOTH_WAYS
def test_a_switch_that_is_closed_all_the_time_is_told(begin: Begin, answers: Callable[[Sitting], object]) -> None:
    sitting = begin(SMALL, REVERSED_COLUMNS)
    sitting.board.world.break_switch(Cell("c3"), Fault.STUCK, 0.0)
    answers(sitting)
    assert sitting.is_right()
    assert sitting.has_said("switch 9 (BCM 22 and BCM 24) is closed all the time")


@BOTH_WAYS
def test_two_switches_that_close_together_are_told(begin: Begin, answers: Callable[[Sitting], object]) -> None:
    sitting = begin(SMALL, SWAPPED_ROWS, together=[Cell("a1"), Cell("d3")])
    answers(sitting)
    assert sitting.is_right()
    assert sitting.has_said("a1: switch 0 (BCM 17 and BCM 23) and switch 7 (BCM 27 and BCM 12) close together")


@BOTH_WAYS
def test_a_dark_lamp_is_told_and_its_cell_found_by_the_lights_around_it(
    begin: Begin, answers: Callable[[Sitting], object]
) -> None:
    sitting = begin(SMALL, SWAPPED_ROWS, dark=[Cell("b2")])
    answers(sitting)
    assert sitting.is_right()
    assert sitting.has_said("b2: its lamp, 5, stays dark.")


@BOTH_WAYS
def test_a_dark_lamp_in_an_unknown_order_is_the_one_that_is_left(
    begin: Begin, answers: Callable[[Sitting], object]
) -> None:
    sitting = begin(SMALL, None, shuffled(small(), 4), dark=[Cell("c2")])
    answers(sitting)
    assert sitting.is_right()
    assert sitting.has_said("stays dark")


@BOTH_WAYS
def test_everything_at_once_is_found_where_nothing_is_as_planned(
    begin: Begin, answers: Callable[[Sitting], object]
) -> None:
    sitting = begin(SMALL, shuffled(small(), 6), shuffled(small(), 7), dark=[Cell("d2")])
    sitting.board.world.break_switch(Cell("a3"), Fault.DEAD, 0.0)
    answers(sitting)
    assert sitting.is_right()
