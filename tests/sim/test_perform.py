"""Whole games at a whole board: world, switches, session and a person, in virtual time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from reedlight.core.game import Roll
from reedlight.core.grid import Cell
from reedlight.games import make
from reedlight.scene.scene import Button
from reedlight.session.events import Chosen
from reedlight.session.session import Mode
from reedlight.session.settings import Commit, Settings, Timing
from reedlight_sim.hand import SLOPPY, STYLES, TIDY, Slip
from reedlight_sim.perform import Manner, Result, Script, Tally, difference_at, perform, perform_all, seeded
from reedlight_sim.person import Person
from reedlight_sim.soak import random_scripts
from reedlight_sim.table import Table
from reedlight_sim.world import Fault, Hand

CHILD = Hand("child")
"""Somebody who is not playing."""


def script_of(name: str, size: str, moves: Sequence[str], start: str | None = None) -> Script:
    game = make(name, size)
    state = first = game.start() if start is None else game.load(start)
    steps: list[Any] = []
    for text in moves:
        steps.append(Roll(tuple(map(int, text.split("-")))) if text[0].isdigit() else game.parse(state, text))
        state = state.apply(steps[-1])
    return Script("story", game, first, tuple(steps))


def sit_down(script: Script, commit: Commit = Commit.SETTLE) -> tuple[Table, Person]:
    rng = seeded("story")
    table = Table(script.game, Settings(commit=commit), rng, state=script.state)
    person = Person(table, script.game.grid, TIDY, rng)
    person.begin(script.state)
    return table, person


def play(script: Script, person: Person, first: int = 0, last: int | None = None) -> None:
    state = script.state
    for at, step in enumerate(script.steps[:last]):
        successor = state.apply(step)
        if at >= first:
            if isinstance(step, Roll):
                person.roll(step)
            else:
                person.perform(state, step, successor)
        state = successor


@pytest.mark.parametrize("commit", list(Commit))
@pytest.mark.parametrize("hand", sorted(STYLES))
@pytest.mark.parametrize(("name", "size"), [("draughts", "8"), ("diablo", "4"), ("herd", "3")])
def test_the_record_is_what_the_hand_meant(name: str, size: str, hand: str, commit: Commit) -> None:
    manner = Manner(STYLES[hand], Settings(commit=commit), seed=11)
    for number, script in enumerate(random_scripts(make(name, size), 2, 11)):
        result = perform(script, manner, number)
        assert result.difference is None, result.difference.told(script.title)
        assert result.moves == script.moves


@pytest.mark.parametrize("commit", [Commit.SETTLE, Commit.BUTTON])
def test_what_no_switch_sees_is_asked_and_never_guessed(commit: Commit) -> None:
    script = next(random_scripts(make("diablo", "4"), 1, 3))
    manner = Manner(TIDY, Settings(commit=commit), unseen=1.0)
    result = perform(script, manner)
    assert result.difference is None
    assert result.asked > 5
    assert perform(script, replace(manner, unseen=0.0)).asked == 0


def test_a_sloppy_hand_makes_slips_and_goes_on_early() -> None:
    result = perform(next(random_scripts(make("draughts"), 1, 1)), Manner(SLOPPY))
    assert result.difference is None
    assert result.slips[Slip.EARLY] > 0
    assert len(result.slips) > 3


def test_a_finished_sum_is_told_after_every_game() -> None:
    sums: list[str] = []
    scripts = random_scripts(make("herd", "2"), 3, 1)
    tally = perform_all(scripts, Manner(TIDY), pytest.fail, lambda tally: sums.append(str(tally)))
    assert len(sums) == 3
    assert sums[-1] == str(tally)
    assert sums[0].startswith("games 1 moves ")


def test_a_difference_counts_as_wrong() -> None:
    result = Result(moves=5, asked=1, rescues=0, seconds=9.0, slips={})
    assert str(Tally() + result) == "games 1 moves 5 wrong 0 asked 1"


# ------------------------------------------------------------------------------------------- mishaps


def test_a_piece_knocked_off_the_board_is_put_back_as_the_lights_say() -> None:
    script = script_of("draughts", "8", ["c3-d4", "b6-c5", "d4:b6"])
    table, person = sit_down(script)
    play(script, person, last=2)
    table.wait(2)
    table.world.lift(CHILD, Cell("h8"), table.now)
    table.world.to_tray(CHILD, table.now)
    table.wait(2)
    assert table.astray
    play(script, person, first=2)
    person.conclude()
    assert table.session.history == script.steps
    assert person.rescues == 1
    assert table.world.pieces() == table.session.state.pieces()


def test_a_piece_moved_by_a_child_goes_back_and_the_action_is_performed_again() -> None:
    script = script_of("draughts", "8", ["c3-d4"])
    table, person = sit_down(script)
    table.world.lift(CHILD, Cell("c3"), table.now)
    table.world.place(CHILD, Cell("e5"), table.now)
    table.wait(2)
    assert table.astray
    play(script, person)
    person.conclude()
    assert table.session.history == script.steps
    assert table.world.pieces() == table.session.state.pieces()


@pytest.mark.parametrize("commit", list(Commit))
def test_an_action_spoiled_while_it_was_pending_is_performed_again(commit: Commit) -> None:
    script = script_of("draughts", "8", ["c3-d4"])
    table, person = sit_down(script, commit)
    (step,) = script.steps
    person.perform(script.state, step, script.state.apply(step))
    for cell, to in (("d4", "d5"), ("a1", "e4")):
        table.world.lift(CHILD, Cell(cell), table.now)
        table.world.place(CHILD, Cell(to), table.now)
    table.wait(3)
    person.conclude()
    assert table.session.history == script.steps
    assert table.world.pieces() == table.session.state.pieces()
    assert person.rescues >= 1


def test_a_stack_built_wrongly_is_built_anew_and_a_king_turned_over() -> None:
    script = script_of("draughts", "8", ["a1-b2"], "W:WKa1,c1,h2:Bh8,a7")
    table, person = sit_down(script)
    table.world.lift(CHILD, Cell("c1"), table.now)
    table.world.to_tray(CHILD, table.now)
    table.world.lift(CHILD, Cell("a1"), table.now)
    table.world.place(CHILD, Cell("h2"), table.now)
    table.wait(3)
    play(script, person)
    person.conclude()
    assert table.session.history == script.steps
    assert table.world.pieces() == table.session.state.pieces()


def test_a_person_gives_up_on_a_board_that_is_never_left_alone() -> None:
    script = script_of("draughts", "8", ["c3-d4"])
    table, person = sit_down(script)
    for cell in ("h8", "f8", "d8", "b8"):
        table.world.lift(CHILD, Cell(cell), table.now)
        table.world.to_tray(CHILD, table.now)
        table.wait(2)
        person.conclude()
    assert person.rescues == 3
    assert table.astray


def test_with_a_dead_switch_a_person_tries_again_three_times_and_the_result_is_told_as_wrong() -> None:
    script = script_of("draughts", "8", ["c3-d4"])
    table, person = sit_down(script, Commit.BUTTON)
    table.world.break_switch(Cell("h8"), Fault.DEAD, table.now)
    play(script, person)
    for _ in range(3):
        person.conclude()
    assert person.rescues == 3
    assert person.pending == script.steps
    assert difference_at(script, table, person, complete=True) is not None


def test_a_missing_stone_is_replaced_from_the_box() -> None:
    moves = ["3-3", "place 0,0", "place 1,0", "place 2,0", "1-1", "remove 0,0", "place 0,-2", "1-2"]
    script = script_of("herd", "3", moves)
    table, person = sit_down(script)
    play(script, person, last=7)
    table.wait(1)
    for cell in ("1,0", "2,0"):
        table.world.lift(CHILD, Cell(cell), table.now)
    table.wait(2)
    assert table.astray
    play(script, person, first=7)
    assert table.session.history == script.steps
    assert table.world.pieces() == table.session.state.pieces()


def test_a_question_that_nobody_meant_to_be_asked_is_dropped() -> None:
    table, person = sit_down(script_of("draughts", "8", []))
    table.press(Button.NEXT)
    assert table.asking
    person.conclude()
    assert not table.asking
    assert table.session.history == ()


def test_an_open_question_is_answered_before_go_is_pressed() -> None:
    script = script_of("diablo", "4", ["1-2", "merge 2 a1-a3"])
    table, person = sit_down(script)
    play(script, person, last=1)
    table.press(Button.NEXT)
    person._confirm(())  # pyright: ignore[reportPrivateUsage]  # a question opens by itself too seldom to wait for it
    assert not table.asking
    assert table.session.history == script.steps[:1]


# ----------------------------------------------------------------------------------------- differences


def test_a_session_without_patience_gets_it_wrong_and_that_is_told() -> None:
    hasty = Settings(timing=Timing(follow=0.01, settle=0.02))
    reports: list[str] = []
    scripts = random_scripts(make("herd", "3"), 6, 1)
    tally = perform_all(scripts, Manner(SLOPPY, hasty), reports.append, lambda _: None)
    assert tally.games == 6
    assert 0 < tally.wrong == len(reports)
    assert all(": expected " in report and ", got " in report for report in reports)


def test_an_action_that_nobody_performed_is_told_with_what_was_meant() -> None:
    script = script_of("draughts", "8", ["c3-d4", "d6-c5"])
    other = script.game.parse(script.state, "e3-f4")
    table, person = sit_down(script)
    table.handle(Chosen(other))
    person.meant.append(script.steps[0])
    difference = difference_at(script, table, person)
    assert difference is not None
    assert (difference.ply, difference.meant, difference.got) == (1, "c3-d4", "e3-f4")
    told = difference.told("club.pdn game 1").splitlines()
    assert told[0] == "club.pdn game 1, ply 1: expected c3-d4, got e3-f4"
    assert told[-1].endswith("GO")


def test_a_roll_is_told_by_its_dice() -> None:
    script = script_of("diablo", "4", ["1-2"])
    table, person = sit_down(script)
    person.meant.append(script.steps[0])
    difference = difference_at(script, table, person, complete=True)
    assert difference is not None
    assert (difference.meant, difference.got) == ("roll 1-2", "nothing")


def test_the_table_keeps_what_the_session_was_told() -> None:
    script = script_of("draughts", "8", ["c3-d4"])
    table, person = sit_down(script)
    play(script, person)
    person.conclude()
    assert [report.what for report in table.seen][-2:] == [("-c3",), ("+d4",)]
    assert str(table.seen[-1]).endswith(" +d4")
    assert table.closed == frozenset(table.world.pieces())
    assert table.session.mode is Mode.PLAY
    table.press(Button.BACK)
    assert table.session.history == ()
