"""What Diablo says: what to do, why a stack may not act, what an action does."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reedlight.core.game import Caption, Side
from reedlight.core.grid import Cell
from reedlight.games.diablo import make

FOUR = make("4")
START = FOUR.dump(FOUR.start()).removesuffix(" roll")
BOARD = "4/B1,3/3,G5/B1,3"


@pytest.mark.parametrize(
    ("line", "say", "why"),
    [
        (f"{START} roll", "Black: press GO to roll.", "Black's first turn is one move with one die."),
        (f"{START} dice 2,1", "Black: move a stack 1 or 2 cells.", "Black's first turn is one move with one die."),
        ("4/B1,3/3,G5/B1,3 G roll", "Green: press GO to roll.", ""),
        (
            f"{BOARD} G dice 1,2",
            "Green: move a stack 1 or 2 cells.",
            "Only one of the two moves may go to an empty cell.",
        ),
        (f"{BOARD} G dice 1,1", "Green: move a stack 1 cell.", "Only one of the two moves may go to an empty cell."),
        (
            f"{BOARD} B dice 1,2 began empty left 2",
            "Black: merge or take, 2 cells away.",
            "The first move went to an empty cell; this one may not.",
        ),
        (
            f"{BOARD} G dice 1,2 began merge left 1",
            "Green: move a stack 1 cell.",
            "The first move was a merge, so any move is open.",
        ),
        (
            f"{BOARD} G dice 1,2 began capture left 1",
            "Green: move a stack 1 cell.",
            "The first move took a stack, so any move is open.",
        ),
        (
            "4/4/3,G5/B1,3 B dice 1,2 began empty left 2",
            "Black: give up one checker; take a single one off.",
            "No stack can merge or take 2 cells away.",
        ),
        (
            "4/4/3,G5/B2,3 B dice 1,2 began empty left 2",
            "Black: give up one checker; tap a stack.",
            "No stack can merge or take 2 cells away.",
        ),
        (
            "B1,3/4/3,G5/B2,3 B dice 1,2 began empty left 2",
            "Black: give up one checker; tap a stack or take a single one off.",
            "No stack can merge or take 2 cells away.",
        ),
        (
            "4/1,G9,2/4/1,B1,1,G9 B dice 1,2 began capture left 2",
            "Black: give up one checker; take a single one off.",
            "No stack can move 2 cells.",
        ),
        (
            "4/G4,3/G4,3/B3,G4,G4,1 B dice 1,2",
            "Black: give up 2 checkers; tap a stack.",
            "No stack can move 1 or 2 cells.",
        ),
        (
            "4/G4,3/G4,3/B1,G4,G4,1 B dice 1,2",
            "Black: give up one checker; take a single one off.",
            "No stack can move 1 or 2 cells.",
        ),
        (
            "4/G4,3/G4,3/B2,G4,G4,1 B dice 1,2 began remove left -",
            "Black: give up one more; tap a stack.",
            "The turn began without a move.",
        ),
        ("4/4/4/B2,3 B dice 1,2 began capture left 2", "Black wins.", "Green has no checkers left."),
    ],
)
def test_advice_says_what_to_do_and_why(line: str, say: str, why: str) -> None:
    assert FOUR.advise(FOUR.load(line)) == Caption(say, why)


@pytest.mark.parametrize(
    ("line", "cell", "told"),
    [
        (f"{BOARD} B roll", "a1", "The dice are not rolled yet."),
        ("4/4/4/B2,3 B dice 1,2 began capture left 2", "a1", "The game is over."),
        (f"{BOARD} B dice 1,2", "d2", "That is Green's stack."),
        (f"{BOARD} B dice 1,2", "b1", "No stack stands here."),
        (f"{BOARD} B dice 1,2", "a1", "This stack may move."),
        ("4/B1,3/G5,3/B1,G5,2 B dice 1,1", "a1", "No cell 1 away is open to this stack."),
        ("4/4/G5,3/B1,G5,2 B dice 1,2", "a1", "This stack may move."),
        ("4/B1,3/3,G5/B1,3 B dice 1,2 began empty left 2", "a1", "This stack may move."),
        (
            "4/B1,3/3,G5/B1,1,B1,1 B dice 1,1 began empty left 1",
            "a1",
            "You must give up a checker, and this may be the one.",
        ),
        ("4/B1,3/B1,2,G5/3,B1 B dice 1,1 began empty left 1", "d1", "Nothing to merge with or take 1 cell away."),
        ("G5,B1,2/G5,3/3,G5/B1,G5,G5,1 B dice 1,2", "b1", "That is Green's stack."),
        ("4/4/3,G5/B1,3 B dice 1,2 began empty left 2", "c1", "You must give up a checker instead."),
        ("4/4/3,G5/B1,3 B dice 1,2 began empty left 2", "d2", "That is Green's stack."),
    ],
)
def test_a_refusal_says_why_the_cell_is_closed(line: str, cell: str, told: str) -> None:
    assert FOUR.refuse(FOUR.load(line), Cell(cell)) == told


@pytest.mark.parametrize(
    ("line", "move", "told"),
    [
        (f"{BOARD} B dice 1,2", "a1 c1", ""),
        (f"{BOARD} B dice 1,2", "a1 d1", "A stack goes 1 or 2 cells, straight along a row or column."),
        (f"{BOARD} B dice 1,2 began empty left 2", "a1 c1", "The first move went to an empty cell; this one may not."),
        ("4/B1,3/G5,3/B1,G5,2 B dice 1,1", "a1 c1", "No cell 1 away is open to this stack."),
    ],
)
def test_a_stack_is_told_why_it_may_not_go_to_an_empty_cell(line: str, move: str, told: str) -> None:
    assert FOUR.refuse_move(FOUR.load(line), *map(Cell, move.split())) == told


def test_a_label_says_what_an_action_does() -> None:
    state = FOUR.load("4/4/G2,3/B4,B3,2 B dice 1,2")
    labels = {text: FOUR.label(state, FOUR.parse(state, text)) for text in map(str, state.legal_actions())}
    assert labels["merge 1 a1-b1"] == "merge, makes 7"
    assert labels["capture 1 a1-a2"] == "take 2"
    assert labels["empty 2 a1-c1"] == "move"
    due = FOUR.load("4/4/3,B5/G1,3 G dice 1,2 began empty left 2")
    assert FOUR.label(due, due.legal_actions()[0]) == "give up one"


@settings(deadline=None, max_examples=15)
@given(st.sampled_from(("2", "4", "6", "26")), st.integers(0, 2**32))
def test_every_sentence_of_a_game_fits_its_place(size: str, seed: int) -> None:
    chance = Random(seed)
    game = make(size)
    state = game.start()
    for _ in range(60):
        caption = game.advise(state)
        assert 0 < len(caption.say) <= 70
        assert len(caption.why) <= 58
        cell = chance.choice(game.grid.cells)
        assert 0 < len(game.refuse(state, cell)) <= 58
        assert all(len(game.label(state, action)) <= 20 for action in state.legal_actions())
        assert all(len(die.note) <= 12 for die in state.dice())
        if state.outcome is not None:
            break
        state = state.apply(chance.choice(state.legal_actions() or list(state.chance())))


def test_colours_belong_to_the_sides() -> None:
    assert FOUR.sides == {Side.DARK: "Black", Side.LIGHT: "Green"}
