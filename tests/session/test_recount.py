"""Stacks that the players count, and dice that the players roll."""

from __future__ import annotations

import pytest
from stories import Sitting, sit

from reedlight.core.game import Correction, IllegalAction, Roll
from reedlight.core.grid import Cell
from reedlight.games import make
from reedlight.record.journal import Line, line_of, replay
from reedlight.session.events import Corrected, NeedRoll, Recount
from reedlight.session.session import Mode
from reedlight.session.settings import DiceFrom, Settings

TWO_STACKS = "4/G3,3/4/B2,3 B roll"
"""A black stack of 2 on a1, a green one of 3 on a3."""


def height(sitting: Sitting, cell: str) -> int:
    return sitting.session.state.pieces()[Cell(cell)].height


def test_a_recount_walks_through_the_stacks() -> None:
    sitting = sit("diablo", "4", TWO_STACKS).handle(Recount())
    assert sitting.say == "Count a1: 2?"
    assert sitting.why == "GO: yes. NEXT: another number. BACK: no recount."
    assert sitting.lit == {"a1": "choice"}
    assert sitting.press("go").say == "Count a3: 3?"
    assert sitting.press("go").session.mode is Mode.ROLL
    assert sitting.session.history == ()


def test_what_is_counted_otherwise_is_corrected_and_recorded() -> None:
    sitting = sit("diablo", "4", TWO_STACKS).handle(Recount()).press("next", "go", "go")
    assert height(sitting, "a1") == 3
    assert sitting.session.history == (Correction(((Cell("a1"), 3),)),)
    assert line_of(sitting.session.game, sitting.start, sitting.session.history[0], 1.0) == Line("recount", "a1=3", 1.0)


def test_a_stack_may_be_lower_than_believed() -> None:
    sitting = sit("diablo", "4", TWO_STACKS).handle(Recount()).press("go", *["next"] * 5, "go")
    assert height(sitting, "a3") == 1


def test_back_leaves_a_recount_with_nothing_changed() -> None:
    sitting = sit("diablo", "4", TWO_STACKS).handle(Recount()).press("next", "go", "back")
    assert sitting.session.history == ()
    assert sitting.session.mode is Mode.ROLL


def test_a_recount_can_be_taken_back() -> None:
    sitting = sit("diablo", "4", TWO_STACKS).handle(Recount()).press("next", "go", "go").press("back")
    assert height(sitting, "a1") == 2
    assert sitting.why == "Taken back: the recount."


def test_single_checkers_alone_need_no_recount() -> None:
    sitting = sit("diablo", "4").handle(Recount())
    assert sitting.session.mode is Mode.ROLL


def test_a_board_that_is_not_right_is_not_counted() -> None:
    sitting = sit("diablo", "4", TWO_STACKS).do("-a1").handle(Recount())
    assert sitting.session.mode is Mode.ROLL
    assert sitting.handle(Corrected(Correction(((Cell("a3"), 5),)))).session.history == ()


def test_a_screen_corrects_a_stack_at_once() -> None:
    sitting = sit("diablo", "4", TWO_STACKS).handle(Corrected(Correction(((Cell("a3"), 5),))))
    assert height(sitting, "a3") == 5


@pytest.mark.parametrize("heights", [(("b1", 2),), (("a1", 0),), (("a1", 99),), (("z9", 2),)])
def test_what_cannot_stand_is_not_corrected(heights: tuple[tuple[str, int], ...]) -> None:
    correction = Correction(tuple((Cell(cell), count) for cell, count in heights))
    sitting = sit("diablo", "4", TWO_STACKS)
    assert sitting.handle(Corrected(correction)).session.history == ()
    with pytest.raises(IllegalAction):
        sitting.start.apply(correction)


@pytest.mark.parametrize("name", ["draughts", "herd"])
def test_games_without_stacks_have_nothing_to_correct(name: str) -> None:
    with pytest.raises(IllegalAction):
        make(name, None).start().apply(Correction(((Cell("c3"), 2),)))


def test_a_recount_comes_back_from_the_journal() -> None:
    game = make("diablo", "4")
    past = replay(game, game.load(TWO_STACKS), [Line("recount", "a1=3 a3=1")])
    assert past.state.pieces()[Cell("a1")].height == 3
    assert "is no recount" in replay(game, game.load(TWO_STACKS), [Line("recount", "a1=x")]).broken
    assert "is no recount" in replay(game, game.load(TWO_STACKS), [Line("recount", "")]).broken


def own_dice(name: str, size: str) -> Sitting:
    sitting = sit(name, size)
    sitting.session.adjust(Settings(dice=DiceFrom.TABLE))
    return sitting


def test_the_players_own_dice_are_asked_one_after_the_other() -> None:
    sitting = own_dice("herd", "3").press("go")
    assert NeedRoll() not in sitting.effects
    assert sitting.say == "Your dice: 1?"
    assert sitting.press("next", "next", "go").say == "Your dice: 3-1?"
    assert sitting.press("next", "go").session.history == (Roll((3, 2)),)


def test_dice_that_are_not_rolled_yet_are_asked_for_again() -> None:
    sitting = own_dice("herd", "3").press("go", "back")
    assert sitting.session.mode is Mode.ROLL
    assert sitting.press("go").session.mode is Mode.ASK


def test_own_dice_that_were_taken_back_come_again() -> None:
    sitting = own_dice("herd", "3").press("go", "go", "go").press("back").press("go")
    assert sitting.session.history == (Roll((1, 1)),)
