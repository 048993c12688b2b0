"""The wizard's dialogue by itself: questions and answers as values, no board, no time, and a person who errs never.

The person sees lamps where they truly are and puts the piece where a lamp asks for it, or, where the whole board
glows, on cell after cell as one reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from soldered import SMALL, rewired, small

from reedlight.app.wire_dialogue import (
    Answer,
    Emptied,
    Go,
    Known,
    Next,
    Placed,
    Question,
    Stage,
    Wants,
    asked,
    begun,
    heard,
    result,
    summary,
)
from reedlight.board.geometry import ordered, reading, turned, turns_of
from reedlight.board.layout import Layout
from reedlight.board.profile import Profile, Ws2812
from reedlight.board.toml import load_packaged, packaged
from reedlight.board.write import text
from reedlight.core.grid import Cell
from reedlight.scene.palette import Colour
from reedlight.scene.scene import Button, Lamp, Mark

WITHOUT_LAMPS = "\n".join(
    f"[{part}"
    for part in SMALL.replace("led_fuse_hold = 1.6\nled_cap = 1.2\n", "").split("\n[")
    if not part.startswith("lamps]")
)[1:]
COLOURS = {"R": Colour(100, 0, 0), "G": Colour(0, 100, 0)}


@dataclass
class Person:
    """Answers without a mistake; ``real`` is how the board is."""

    real: Profile
    dead: frozenset[int] = frozenset()
    """Switches that never close."""
    dark: frozenset[Cell] = frozenset()
    """Cells whose lamp is broken."""
    placed: int = 0
    done: set[Cell] = field(default_factory=set[Cell])

    def answer(self, question: Question) -> Answer:
        if question.wants is Wants.EMPTY_BOARD:
            return Emptied()
        if question.wants is Wants.NOTHING:
            return Go(0) if self._agrees(question) else Next()
        cell = self._asked(question)
        return Next() if cell is None else self._put(cell)

    def _put(self, cell: Cell) -> Answer:
        self.placed += 1
        mask = 1 << self.real.layout.switches[cell]
        return Go(0) if self.real.layout.switches[cell] in self.dead else Placed(mask)

    def _agrees(self, question: Question) -> bool:
        cells = self._cell_of()
        if any(isinstance(each, Colour) for each in question.film[0].values()):
            return self._sees_red_and_green(question)
        came = list(dict.fromkeys(cells[lamp] for lights in question.film for lamp in lights if lamp in cells))
        return came == [cell for cell in reading(self.real.grid) if cell in came]

    def _sees_red_and_green(self, question: Question) -> bool:
        """Even lamps are steady and have to be red; the others blink, green. The driver takes GRB for granted."""
        lamps = self.real.lamps
        assert isinstance(lamps, Ws2812)
        sent = [question.film[0][lamp] for lamp in (0, 1)]
        seen: list[Colour] = []
        for colour in sent:
            assert isinstance(colour, Colour)
            on_the_wire = (colour.green, colour.red, colour.blue)
            taken = dict(zip(lamps.order, on_the_wire, strict=True))
            seen.append(Colour(taken["R"], taken["G"], taken["B"]))
        return seen == [COLOURS["R"], COLOURS["G"]]

    def _cell_of(self) -> Mapping[int, Cell]:
        return {lamp: cell for cell, lamp in self.real.layout.lamps.items() if cell not in self.dark}

    def _asked(self, question: Question) -> Cell | None:
        cells = self._cell_of()
        marks = {cells[lamp]: mark for lamp, mark in question.film[0].items() if lamp in cells}
        if Mark.MOVABLE in marks.values():
            ahead = (cell for cell in reading(self.real.grid) if marks.get(cell) is not Mark.TARGET)
            if self.done.issuperset(self.real.grid.cells):
                self.done.clear()
            cell = next(cell for cell in ahead if cell not in self.done)
            self.done.add(cell)
            return cell
        self.done.clear()
        around = {cell for cell, mark in marks.items() if mark is Mark.SOURCE}
        asking = [cell for cell, mark in marks.items() if mark is Mark.CHOICE]
        unlit = [cell for cell in reading(self.real.grid) if cell not in marks]
        amid = [cell for cell in unlit if around and around <= set(self.real.grid.neighbours[cell])]
        return next(iter(asking + amid), None)


def wired(plan: Profile, person: Person) -> Known:
    """The whole dialogue."""
    known = begun(plan)
    for _ in range(3000):
        if known.stage is Stage.DONE:
            return known
        known = heard(known, person.answer(asked(known)))
    raise AssertionError(f"no end: {asked(known).say}")


def shuffled(plan: Profile, seed: int) -> Callable[[Cell], Cell]:
    cells = list(plan.grid.cells)
    others = list(cells)
    Random(seed).shuffle(others)
    return dict(zip(cells, others, strict=True)).__getitem__


def turns(plan: Profile) -> Iterator[Callable[[Cell], Cell]]:
    for degrees in turns_of(plan.grid):
        move = turned(plan.grid, degrees)
        assert move is not None
        yield move.__getitem__


def in_order(plan: Profile, order: str, corner: str) -> Mapping[Cell, int]:
    return {cell: number for number, cell in enumerate(ordered(plan.grid, order, corner))}


# --------------------------------------------------------------------------------- any wiring at all


@pytest.mark.parametrize("board", packaged())
@pytest.mark.parametrize("seed", range(2))
def test_any_wiring_is_found_with_a_piece_on_each_cell_at_most_twice(board: str, seed: int) -> None:
    plan = load_packaged(board)
    person = Person(rewired(plan, shuffled(plan, seed), shuffled(plan, seed + 100)))
    assert result(wired(plan, person)) == person.real
    assert person.placed <= 2 * len(plan.grid.cells)


@pytest.mark.parametrize("board", packaged())
def test_a_board_that_was_turned_takes_two_pieces_more_than_it_has_cells(board: str) -> None:
    plan = load_packaged(board)
    for move in turns(plan):
        person = Person(rewired(plan, move, move))
        assert result(wired(plan, person)) == person.real
        assert person.placed <= len(plan.grid.cells) + 2


@pytest.mark.parametrize("board", packaged())
def test_lamps_in_any_order_take_no_piece_more_if_the_switches_are_as_planned(board: str) -> None:
    plan = load_packaged(board)
    person = Person(rewired(plan, lamps=shuffled(plan, 7)))
    assert result(wired(plan, person)) == person.real
    assert person.placed == len(plan.grid.cells)


@pytest.mark.parametrize("corner", ["lower left", "upper right"])
@pytest.mark.parametrize("order", ["rows", "columns", "serpentine", "column serpentine"])
def test_a_string_that_goes_in_an_order_with_a_name_shortens_the_way(order: str, corner: str) -> None:
    plan = load_packaged("oak-8x8")
    lamps = in_order(plan, order, corner)
    real = rewired(plan, shuffled(plan, 3))
    person = Person(replace(real, layout=Layout(real.layout.switches, lamps)))
    assert result(wired(plan, person)) == person.real
    assert person.placed <= len(plan.grid.cells) + 9


def test_exchanged_rows_and_columns_take_one_row_and_one_column_more() -> None:
    plan = load_packaged("budget-8x8")
    rows, columns = list(range(8)), list(range(8))
    Random(1).shuffle(rows)
    Random(2).shuffle(columns)
    person = Person(
        rewired(
            plan,
            lambda cell: Cell(f"{'abcdefgh'[columns['abcdefgh'.index(cell[0])]]}{rows[int(cell[1]) - 1] + 1}"),
            shuffled(plan, 5),
        )
    )
    assert result(wired(plan, person)) == person.real
    assert person.placed <= 64 + 8 + 7


def test_lines_that_promise_too_much_are_given_up_for_every_single_cell() -> None:
    plan = load_packaged("budget-8x8")
    # Each row but the far one runs the other way: from its first cell rows and columns promise the wrong cells.
    bent = {
        cell: Cell(f"{'hgfedcba'['abcdefgh'.index(cell[0])]}{cell[1]}") for cell in plan.grid.cells if cell[1] != "8"
    }
    rows = [5, 2, 7, 0, 3, 6, 1, 4]
    switches = {
        cell: plan.layout.switches[Cell(f"{bent.get(cell, cell)[0]}{rows[int(cell[1]) - 1] + 1}")]
        for cell in plan.grid.cells
    }
    real = rewired(plan, lamps=shuffled(plan, 5))
    person = Person(replace(real, layout=Layout(switches, real.layout.lamps)))
    assert result(wired(plan, person)) == person.real
    assert person.placed <= 128


def test_somebody_whom_steady_lights_led_astray_is_brought_back() -> None:
    plan = load_packaged("budget-8x8")
    # Every column but the first has its rows in an order of its own, and no row is what its first cell promises.
    orders = {file: list(range(1, 9)) for file in "bcdefgh"}
    for number, order in enumerate(orders.values()):
        Random(number).shuffle(order)
    real = rewired(
        plan,
        lambda cell: cell if cell[0] == "a" or cell[1] == "8" else Cell(f"{cell[0]}{_but_8(orders[cell[0]], cell[1])}"),
        shuffled(plan, 5),
    )
    person = Person(real)
    assert result(wired(plan, person)) == real


def _but_8(order: list[int], rank: str) -> int:
    """The place of a rank in an order of the other seven."""
    return [number for number in order if number != 8][int(rank) - 1]


def test_a_board_without_lamps_is_learnt_by_the_names_of_its_cells() -> None:
    plan = small(WITHOUT_LAMPS)
    real = rewired(plan, shuffled(plan, 1))
    known = heard(begun(plan), Emptied())
    assert known.stage is Stage.CELLS
    for cell in reading(plan.grid):
        assert asked(known).say == f"Put the piece on {cell} ({len(known.closes) + 1} of 12)."
        assert asked(known).film == ({},)
        known = heard(known, Placed(1 << real.layout.switches[cell]))
    assert asked(known).buttons[Button.NEXT] is Lamp.OFF
    assert heard(known, Next()) == replace(known, echo=())
    known = heard(known, Go(0))
    assert known.stage is Stage.DONE
    assert result(known).layout.switches == real.layout.switches
    assert not any("lamp" in said for said in summary(known))


def test_a_turned_board_without_lamps_is_written_as_it_is_read() -> None:
    plan = small(WITHOUT_LAMPS.replace("rows = 3", "rows = 3\nturned = 180"))
    known = heard(begun(plan), Emptied())
    for cell in reading(plan.grid):
        known = heard(known, Placed(1 << plan.layout.switches[cell]))
    assert small(text(result(known))) == result(known)


# -------------------------------------------------------------------------------------------- faults


@pytest.mark.parametrize("seed", range(4))
def test_dead_switches_follow_from_rows_and_columns(seed: int) -> None:
    plan = load_packaged("oak-8x8")
    rows = list(range(8))
    Random(seed).shuffle(rows)
    real = rewired(plan, lambda cell: Cell(f"{cell[0]}{rows[int(cell[1]) - 1] + 1}"))
    dead = frozenset(Random(seed).sample(range(64), 5))
    known = wired(plan, Person(real, dead))
    assert result(known) == real
    assert sum("no switch closes" in said for said in summary(known)) == 5


@pytest.mark.parametrize("seed", range(4))
def test_dark_lamps_keep_the_numbers_of_the_plan(seed: int) -> None:
    plan = load_packaged("hex-61")
    real = rewired(plan, shuffled(plan, seed))
    dark = frozenset(Random(seed).sample(plan.grid.cells, 3))
    known = wired(plan, Person(real, dark=dark))
    assert result(known) == real
    assert sum("stays dark" in said for said in summary(known)) == 3


def test_a_dark_and_a_dead_cell_are_told_apart_in_an_unknown_order() -> None:
    plan = small()
    real = rewired(plan, shuffled(plan, 6), shuffled(plan, 7))
    dead = frozenset((real.layout.switches[Cell("a3")],))
    known = wired(plan, Person(real, dead, frozenset((Cell("d2"),))))
    assert result(known) == real


def at_cells(plan: Profile) -> Known:
    """The dialogue at its first cell, with everything as planned so far."""
    known = begun(plan)
    for answer in (Emptied(), Go(0), Go(0)):
        known = heard(known, answer)
    assert known.stage is Stage.CELLS
    return known


def test_a_switch_that_closes_on_a_second_cell_is_doubted_and_shown() -> None:
    known = heard(heard(at_cells(small()), Placed(1 << 8)), Placed(1 << 8))
    assert "is the piece on b3?" in known.echo[0].lower()
    lights = asked(known).film[0]
    assert lights[8] is Mark.FORBIDDEN
    assert lights[9] is Mark.CHOICE
    assert dict(known.closes) == {"a3": 1 << 8}


def test_whoever_moves_the_piece_after_a_doubt_goes_on() -> None:
    known = heard(heard(at_cells(small()), Placed(1 << 8)), Placed(1 << 8))
    known = heard(known, Placed(1 << 9))
    assert dict(known.closes) == {"a3": 1 << 8, "b3": 1 << 9}
    assert Mark.FORBIDDEN not in asked(known).film[0].values()


def test_whoever_insists_after_a_doubt_is_asked_for_the_other_cell_again() -> None:
    known = heard(heard(at_cells(small()), Placed(1 << 8)), Placed(1 << 8))
    known = heard(known, Go(1 << 8))
    assert dict(known.closes) == {"b3": 1 << 8}
    assert asked(known).say.startswith("Put the piece on a3")


def test_go_while_the_piece_still_stands_on_the_last_cell_says_nothing_about_the_next() -> None:
    known = heard(at_cells(small()), Placed(1 << 8))
    after = heard(known, Go(1 << 8))
    assert after.closes == known.closes
    assert after.echo == ("The piece still stands where it was.",)


def at_places(plan: Profile, person: Person) -> Known:
    """The dialogue at a board where nothing is as planned, when cells are to be shown as one reads."""
    known = begun(plan)
    while known.stage is not Stage.PLACES or asked(known).wants is not Wants.PIECE:
        known = heard(known, person.answer(asked(known)))
    return known


def test_a_piece_that_is_set_down_twice_on_one_cell_is_not_taken_for_the_next() -> None:
    plan = small()
    real = rewired(plan, shuffled(plan, 1), shuffled(plan, 2))
    person = Person(real)
    known = at_places(plan, person)
    first = 1 << real.layout.switches[Cell("a3")]
    known = heard(heard(known, Placed(first)), Placed(first))
    assert "is the piece on b3?" in known.echo[0].lower()
    assert asked(known).film[0][real.layout.lamps[Cell("a3")]] is Mark.FORBIDDEN
    assert heard(known, Go(0)).places == {"a3": first, "b3": 0}
    assert heard(known, Go(first)).places == {"b3": first}
    assert heard(known, Next()).places == {"a3": first, "b3": 0}
    person.done = {Cell("a3")}
    while known.stage is not Stage.DONE:
        known = heard(known, person.answer(asked(known)))
    assert result(known) == real


def test_go_while_the_piece_still_stands_is_no_place() -> None:
    plan = small()
    known = at_places(plan, Person(rewired(plan, shuffled(plan, 1), shuffled(plan, 2))))
    after = heard(known, Go(1 << 3))
    assert after.echo == ("The piece still stands where it was.",)
    assert not after.places
    assert heard(known, Emptied()) == replace(known, echo=())


def test_a_dark_cell_comes_last_amid_the_lights_around_it_and_may_be_left_out() -> None:
    known = heard(at_cells(small()), Next())
    assert known.echo == ("a3: its lamp, 8, stays dark.",)
    for cell in [cell for cell in reading(small().grid) if cell != "a3"]:
        assert asked(known).say.startswith(f"Put the piece on {cell}, where the light blinks")
        known = heard(known, Placed(1 << small().layout.switches[cell]))
    assert asked(known).say.startswith("Put the piece on a3, which stays dark, amid the lights that breathe")
    assert {lamp for lamp, mark in asked(known).film[0].items() if mark is Mark.SOURCE} == {4, 9}
    known = heard(known, Next())
    assert known.stage is Stage.KEEP
    assert "a3 was left out; switch 8 (BCM 22 and BCM 23) is taken to be its." in summary(known)


def test_what_closes_on_an_empty_board_is_stuck_only_if_somebody_says_so() -> None:
    known = begun(small())
    assert set(asked(known).film[0].values()) == {Mark.REMOVE}
    assert heard(known, Next()) == known
    assert heard(known, Go(0)) == known
    known = heard(known, Go(1 << 5))
    assert known.stuck == 1 << 5
    assert known.echo == ("Closed on an empty board: switch 5 (BCM 27 and BCM 24).",)


def test_a_stuck_switch_belongs_to_the_cell_that_is_left() -> None:
    known = heard(begun(small()), Go(1 << 5))
    real = rewired(small(), shuffled(small(), 1))
    for answer in (Go(0), Go(0)):
        known = heard(known, answer)
    while known.stage is Stage.CELLS:
        cell = next(cell for cell in reading(real.grid) if cell not in known.closes)
        number = real.layout.switches[cell]
        known = heard(known, Go(0) if number == 5 else Placed(1 << number))
    assert result(known).layout.switches == real.layout.switches


def test_switches_that_close_together_share_their_numbers_as_planned() -> None:
    known = at_cells(small())
    for cell in reading(small().grid):
        together = {8, 9} if cell in {"a3", "b3"} else {small().layout.switches[cell]}
        known = heard(known, Placed(sum(1 << number for number in together)))
    assert result(known).layout == small().layout
    assert sum("close together; are they joined?" in said for said in summary(known)) == 2


def test_whoever_says_at_the_end_that_the_lights_are_wrong_shows_every_place_by_a_piece() -> None:
    plan = load_packaged("oak-8x8")
    real = rewired(plan, shuffled(plan, 1), shuffled(plan, 2))
    known = heard(heard(heard(begun(plan), Emptied()), Go(0)), Go(0))
    lamps = {lamp: cell for cell, lamp in real.layout.lamps.items()}
    while known.stage is Stage.CELLS:
        lit = next(lamp for lamp, mark in asked(known).film[0].items() if mark is Mark.CHOICE)
        known = heard(known, Placed(1 << real.layout.switches[lamps[lit]]))
    assert known.stage is Stage.KEEP
    known = heard(known, Next())
    assert known.stage is Stage.PLACES
    person = Person(real)
    while known.stage is not Stage.DONE:
        known = heard(known, person.answer(asked(known)))
    assert result(known) == real


def test_a_longer_string_than_cells_is_searched_for_those_under_cells() -> None:
    longer = small(SMALL.replace("count = 12", "count = 15\nnumbers = [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3]"))
    numbers = [0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11]
    lamps = dict(zip(longer.grid.cells, numbers, strict=True))
    real = replace(longer, layout=Layout(rewired(longer, shuffled(longer, 1)).layout.switches, lamps))
    found = result(wired(longer, Person(real)))
    assert found.layout == real.layout
    assert isinstance(found.lamps, Ws2812)
    assert found.lamps.count == 12


# ------------------------------------------------------------------------------- questions and words


def test_only_buttons_that_do_something_are_lit() -> None:
    known = begun(small())
    assert Button.NEXT not in asked(known).buttons
    assert asked(at_cells(small())).buttons == dict.fromkeys(Button, Lamp.ON)
    assert asked(heard(known, Emptied())).buttons[Button.GO] is Lamp.BLINK


@pytest.mark.parametrize("stage", ["colours", "picture", "lights", "places", "cells", "keep"])
def test_what_is_no_answer_changes_nothing(stage: str) -> None:
    known = next(known for known in _on_the_way() if known.stage is Stage(stage))
    assert heard(known, Emptied()).stage is known.stage
    assert replace(heard(known, Emptied()), echo=()) == replace(known, echo=())


def _on_the_way() -> Iterator[Known]:
    """Every state of a dialogue at a board where nothing is as planned."""
    plan = small()
    person = Person(rewired(plan, shuffled(plan, 1), shuffled(plan, 2)), frozenset((3,)))
    known = begun(plan)
    while known.stage is not Stage.DONE:
        yield known
        known = heard(known, person.answer(asked(known)))


def test_every_question_says_something_and_shows_something() -> None:
    for known in _on_the_way():
        question = asked(known)
        assert question.say.strip()
        assert any(question.film)
        assert question.beat > 0


def test_the_expander_names_its_chips() -> None:
    known = heard(begun(load_packaged("budget-8x8-expander")), Go(1 << 17))
    assert known.echo == ("Closed on an empty board: switch 17 (chip 0x21, bit 1).",)


@pytest.mark.parametrize("order", ["GRB", "RGB", "BGR", "BRG", "GBR", "RBG"])
def test_the_order_of_colours_is_turned_down_until_it_is_right(order: str) -> None:
    plan, real = small(), small(SMALL.replace("count = 12", f'count = 12\ncolours = "{order}"'))
    assert result(wired(plan, Person(real))).lamps == real.lamps
