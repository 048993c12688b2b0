"""What Diablo's mind says of an action is true: held against every roll and every turn of the foe."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from wandering import every_turn, some

from reedlight.games.diablo.game import DiabloGame
from reedlight.games.diablo.rules import SIGN, Board, Diablo, Move, places
from reedlight.players.diablo.mind import DiabloMind
from reedlight.players.diablo.reasons import explain, share_taken
from reedlight.players.player import Worth, never

SAFETY = re.compile(r"(no roll|every roll|(\d+) % of rolls) lets? (Black|Green) take (?:this stack|it)$")
LOWERED = re.compile(r"lowers the rolls that let (?:Black|Green) take it from (\d+) to (\d+) %")


def _counted(state: Diablo, board: Board, at: int) -> Fraction:
    """The odds of the foe's rolls with some turn after which the stack of the cell is his or gone."""
    before = Diablo(state.size, board, state.mover.other)
    sign = SIGN[state.mover]
    total = Fraction(0)
    for roll, odds in before.chance().items():
        rolled = before.apply(roll)
        if any(_takes(rolled, line, at, sign) for lines in every_turn(rolled).values() for line in lines):
            total += odds
    return total


def _takes(state: Diablo, line: tuple[object, ...], at: int, sign: int) -> bool:
    for action in line:
        state = state.apply(action)  # type: ignore[arg-type]  # lines are made of actions
        if state.board[at] * sign <= 0:
            return True
    return False


@pytest.mark.parametrize(("size", "count"), [(2, 20), (4, 30), (6, 4)])
def test_the_share_of_rolls_that_take_a_stack_is_exact(size: int, count: int) -> None:
    for state in some(size, 11, count):
        sign = SIGN[state.mover]
        own = [at for at, height in enumerate(state.board) if height * sign > 0]
        if state.opening or state.board.count(0) == 0 or not min(state.board) < 0 < max(state.board):
            continue
        at = own[len(own) // 2]
        assert share_taken(state.board, at, size) == pytest.approx(float(_counted(state, state.board, at)))


@pytest.mark.parametrize(("size", "count"), [(4, 30), (6, 3)])
def test_what_is_said_of_any_action_is_short_and_true(size: int, count: int) -> None:
    mind = DiabloMind(size)
    for state in some(size, 21, count):
        for worth in mind.appraise(state, never)[:6:2]:
            said = mind.explain(state, worth)
            assert 0 < len(said) <= 58
            assert not said.endswith(".")
            _check(state, worth, said)


def _check(state: Diablo, worth: Worth, said: str) -> None:
    action = worth.action
    assert ("only" in said) <= (len(state.legal_actions()) == 1)
    if isinstance(action, Move):
        there = abs(state.height(action.target))
        for kind, number in re.findall(r"^(takes a stack of|merges to) (\d+)", said):
            assert int(number) == (there if kind.startswith("takes") else there + abs(state.height(action.origin)))
        if said.startswith("takes a single"):
            assert (action.kind, there) == ("capture", 1)
    if lowered := LOWERED.fullmatch(said):
        board, at = _planned(state, worth)
        before = _counted(state, state.board, places(state.size)[action.origin])
        assert float(before) * 100 == pytest.approx(int(lowered[1]), abs=0.51)
        assert float(_counted(state, board, at)) * 100 == pytest.approx(int(lowered[2]), abs=0.51)
    if (found := SAFETY.search(said)) is None:
        return
    end, at = _planned(state, worth)
    share = _counted(state, end, at)
    if found[2] is None:
        assert share == (0 if found[1] == "no roll" else 1)
        if "reach:" in said:
            before = _counted(state, state.board, places(state.size)[worth.action.origin])
            assert said.startswith("gets" if before else "stays")
    else:
        assert 0 < share < 1
        assert float(share) * 100 == pytest.approx(int(found[2]), abs=0.51)


def _planned(state: Diablo, worth: Worth) -> tuple[Board, int]:
    at = places(state.size)
    cell = at[worth.action.target]
    state = state.apply(worth.action)
    for action in worth.line:
        if isinstance(action, Move) and at[action.origin] == cell:
            cell = at[action.target]
        state = state.apply(action)
    return state.board, cell


SAID = (
    ("B3,1,G2,1/4/4/4 B dice 2,2", "capture 2 a4-c4", "takes the last stack of Green and wins"),
    ("B3,1,G2,1/4/4/3,G1 B dice 2,2", "capture 2 a4-c4", "takes a stack of 2"),
    ("B2,1,B2,1/4/G3,3/4 B dice 2,2", "merge 2 a4-c4", "merges to 4"),
    ("G2,B1,G2,1/1,G2,2/4/1,G2,2 B dice 1,2 began empty left 1", "remove b4", "the only checker to give up"),
    ("G2,B3,G2,1/1,G5,2/4/4 B dice 2,1 began merge left 2", "empty 2 b4-b2", ""),
)


@pytest.mark.parametrize(("text", "notation", "begins"), SAID)
def test_what_an_action_does_is_said_first(text: str, notation: str, begins: str) -> None:
    game = DiabloGame(4)
    state = game.load(text)
    said = explain(state, Worth(game.parse(state, notation), 0.5))
    assert said.startswith(begins)


def test_a_stack_that_leaves_the_reach_of_all_dice_is_told_so() -> None:
    game = DiabloGame(4)
    state = game.load("4/B1,3/4/G2,3 B dice 1,2 began merge left 1")
    move = game.parse(state, "empty 1 a3-b3")
    assert explain(state, Worth(move, 0.5)) == "lowers the rolls that let Green take it from 100 to 50 %"


def test_the_planned_second_action_is_taken_into_account() -> None:
    game = DiabloGame(4)
    state = game.load("B2,3/4/G1,3/3,G1 B dice 1,1")
    first = game.parse(state, "empty 1 a4-a3")
    second = game.parse(state.apply(first), "capture 1 a3-a2")
    assert explain(replace(state), Worth(first, 0.5)) == "goes to an empty cell"
    assert "next action takes a single checker" in explain(state, Worth(first, 0.5, (second,))) or SAFETY.search(
        explain(state, Worth(first, 0.5, (second,)))
    )
