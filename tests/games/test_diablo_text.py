"""Diablo as text: positions in one line, actions, the picture; and what each wrong line is told."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reedlight.core.game import BadNotation, IllegalAction, Roll, Side
from reedlight.games.diablo import ActionKind, Diablo, Move, Remove, make
from reedlight.games.diablo.rules import start

FOUR = make("4")
ROWS = "G1,B1,G1,B1/B1,G1,G1,1/2,B12,1/4"


@st.composite
def made_states(draw: st.DrawFn) -> Diablo:
    """Any position that can be set up: boards, dice and turns that need not be reachable."""
    size = draw(st.sampled_from((2, 4, 6)))
    heights = st.one_of(st.just(0), st.integers(-3, 3), st.integers(-120, 120))
    board = tuple(draw(st.lists(heights, min_size=size * size, max_size=size * size).filter(any)))
    mover = draw(st.sampled_from((Side.DARK, Side.LIGHT)))
    faces = st.integers(1, size // 2)
    waiting = Diablo(size, board, mover)
    rolled = Diablo(size, board, mover, dice := draw(st.tuples(faces, faces)), tuple(sorted(dice)))
    moved = [Diablo(size, board, mover, dice, (die,), kind) for die in dice for kind in list(ActionKind)[:3]]
    gave = Diablo(size, board, mover, dice, (), ActionKind.REMOVE)
    ended = Diablo(size, board, mover, dice, (), ActionKind.EMPTY)
    acted = [gave, *moved] if waiting.outcome is None else [gave, ended, *moved]
    began = acted if board != start(size).board else []
    return draw(st.sampled_from([*began, waiting, rolled] if waiting.outcome is None else began))


@given(made_states())
def test_every_position_comes_back_from_its_line(state: Diablo) -> None:
    game = make(str(state.size))
    line = game.dump(state)
    assert "\n" not in line
    assert game.load(line) == state
    assert game.dump(game.load(line)) == line


@settings(deadline=None, max_examples=30)
@given(st.sampled_from(("2", "4", "6")), st.integers(0, 2**32))
def test_every_position_and_action_of_a_game_comes_back_from_its_text(size: str, seed: int) -> None:
    chance = Random(seed)
    game = make(size)
    state = game.start()
    while state.outcome is None:
        assert game.load(game.dump(state)) == state
        actions = state.legal_actions()
        written = [game.notate(state, action) for action in actions]
        assert [game.parse(state, text) for text in written] == list(actions)
        assert len(set(written)) == len(written)
        state = state.apply(chance.choice(actions or list(state.chance())))
    assert game.load(game.dump(state)) == state


def test_the_largest_board_is_written_and_read_like_the_smallest() -> None:
    for size in ("2", "26"):
        game = make(size)
        assert game.load(game.dump(game.start())) == game.start()


def test_a_position_is_written_row_by_row_from_the_top() -> None:
    state = Diablo(4, (0, 0, 0, 0, 0, 0, 12, 0, 1, -1, -1, 0, -1, 1, -1, 1), Side.DARK)
    assert FOUR.dump(state) == f"{ROWS} B roll"
    assert FOUR.dump(state.apply(Roll((2, 1)))) == f"{ROWS} B dice 2,1"
    after = state.apply(Roll((2, 1))).apply(Move(2, "c2", "c4", ActionKind.CAPTURE))
    assert FOUR.dump(after) == "G1,B1,B12,B1/B1,G1,G1,1/4/4 B dice 2,1 began capture left 1"


def test_the_beginning_and_the_end_are_positions_like_any_other() -> None:
    opening = FOUR.load("G1,B1,G1,B1/B1,G1,G1,B1/G1,B1,G1,B1/B1,G1,B1,G1 B roll")
    assert not opening.opening
    assert FOUR.load(FOUR.dump(FOUR.start())).opening
    over = FOUR.load("4/4/4/B2,3 B dice 1,2 began capture left 2")
    assert over.outcome is not None
    assert over.outcome.winner is Side.DARK


REFUSED = {
    "": "'' is no position: write the rows, B or G, then 'roll', or 'dice 2,1', or 'dice 2,1 began empty left 1'",
    f"{ROWS} B roll 1,2": "'G1,B1,G1,B1/B1,G1,G1,1/2,B12,1/4 B ro...' is no position: write the rows, B or G, "
    "then 'roll', or 'dice 2,1', or 'dice 2,1 began empty left 1'",
    "B1,3/4/4 B roll": "the position has 3 rows; this board has 4",
    "B1,3/4/4/4/4 B roll": "the position has 5 rows; this board has 4",
    "B1,3/4/5/G1,3 B roll": "row 2 has 5 cells; this board has 4",
    "B1,3/4/3/G1,3 B roll": "row 2 has 3 cells; this board has 4",
    "B1,3/4/4/G1,W1,2 B roll": "row 1: 'W1' is neither a stack such as B3 or G12 nor a number of empty cells",
    "B0,3/4/4/G1,3 B roll": "row 4: 'B0' is neither a stack such as B3 or G12 nor a number of empty cells",
    "B1,,3/4/4/G1,3 B roll": "row 4: '' is neither a stack such as B3 or G12 nor a number of empty cells",
    "B1,3/4/4/G99999,3 B roll": "row 1: 'G99999' is neither a stack such as B3 or G12 nor a number of empty cells",
    "4/4/4/4 B roll": "no checker is on the board; at least one side must have some",
    f"{ROWS} W roll": "after the rows: 'W' is no side; write B for Black or G for Green",
    f"{ROWS} B dice 3,1": "dice: '3,1' are not two dice from 1 to 2; write them as 2,1",
    f"{ROWS} B dice 1": "dice: '1' are not two dice from 1 to 2; write them as 2,1",
    f"{ROWS} B dice 1,x,2": "dice: '1,x,2' are not two dice from 1 to 2; write them as 2,1",
    f"{ROWS} B dice 0,1": "dice: '0,1' are not two dice from 1 to 2; write them as 2,1",
    f"{ROWS} B dice 1,1 began empty left 2": "left: '2' is neither one of the dice 1,1 nor '-' for none",
    f"{ROWS} B dice 1,2 began jump left 2": "began: 'jump' is none of empty, merge, capture, remove",
    f"{ROWS} B dice 1,2 began merge left -": "left: a turn that began with merge has one die left "
    "while the game goes on",
    f"{ROWS} B dice 1,2 began remove left 1": "left: a turn that began with a removal has no die left; write '-'",
    "B1,3/4/4/4 G roll": "roll: Green has no checkers, so the game is over and no roll is due",
    "G1,3/4/4/4 G dice 1,2": "dice: Black has no checkers, so the game is over; say what its last turn began with",
    "G1,B1,G1,B1/B1,G1,B1,G1/G1,B1,G1,B1/B1,G1,B1,G1 B dice 1,2 began merge left 1": "began: the board is the "
    "starting one, so no merge has happened",
}


@pytest.mark.parametrize(("line", "told"), REFUSED.items(), ids=list(REFUSED.values()))
def test_a_wrong_position_is_refused_in_one_sentence(line: str, told: str) -> None:
    with pytest.raises(BadNotation) as refusal:
        FOUR.load(line)
    assert str(refusal.value) == told


@given(st.text(alphabet="BG12,/ .-rolldicebeganleft", max_size=60))
def test_a_line_is_a_position_or_refused(line: str) -> None:
    try:
        state = FOUR.load(line)
    except BadNotation:
        return
    assert FOUR.load(FOUR.dump(state)) == state


# ----------------------------------------------------------------------------------------------- actions

TURN = FOUR.load("4/4/G2,3/B1,B1,2 B dice 1,2")


@pytest.mark.parametrize("text", ["merge 1 a1-b1", " MERGE  1\tA1 - B1 ", "merge 1a1-b1", "Merge1a1-b1"])
def test_an_action_is_read_in_any_case_and_spacing(text: str) -> None:
    assert FOUR.parse(TURN, text) == Move(1, "a1", "b1", ActionKind.MERGE)


def test_a_removal_is_read_too() -> None:
    due = FOUR.load("4/4/3,G5/1,B1,2 B dice 1,2 began empty left 2")
    assert FOUR.parse(due, "Remove B1") == Remove("b1")
    assert FOUR.notate(due, Remove("b1")) == "remove b1"


@pytest.mark.parametrize(
    ("text", "told"),
    {
        "": "'' is no action; write one such as 'merge 2 a1-c1' or 'remove a1'",
        "swap 1 a1-b1": "'swap 1 a1-b1' is no action; write one such as 'merge 2 a1-c1' or 'remove a1'",
        "merge 1 a1-b1 then empty 2 b1-d1, if you please": "'merge 1 a1-b1 then empty 2 b1-d1, if ...' is no action; "
        "write one such as 'merge 2 a1-c1' or 'remove a1'",
        "merge 1 a1-e1": "e1 is not on this board; its cells are a1 to d4",
        "remove a5": "a5 is not on this board; its cells are a1 to d4",
    }.items(),
)
def test_what_is_no_action_is_refused_in_one_sentence(text: str, told: str) -> None:
    with pytest.raises(BadNotation) as refusal:
        FOUR.parse(TURN, text)
    assert str(refusal.value) == told


@pytest.mark.parametrize(
    ("text", "told"),
    {
        "remove a1": "a move is open, and it must be made",
        "empty 3 a1-d1": "the 3 is not among the dice left (1, 2)",
        "empty 1 a2-b2": "That is Green's stack.",
        "empty 1 c1-d1": "No stack stands here.",
        "empty 1 a1-c1": "c1 is not 1 along the row or column from a1",
        "empty 1 a1-b1": "a1-b1 is a merge",
        "merge 2 a1-c1": "a1-c1 is a move to an empty cell",
        "capture 1 a1-a2": "the stack on a2 is taller",
    }.items(),
)
def test_an_illegal_action_is_refused_with_the_reason(text: str, told: str) -> None:
    with pytest.raises(IllegalAction) as refusal:
        FOUR.parse(TURN, text)
    assert str(refusal.value) == f"{text}: {told}"


@pytest.mark.parametrize(
    ("line", "text", "told"),
    [
        ("4/4/3,G1/B1,3 B roll", "remove a1", "The dice are not rolled yet."),
        ("4/4/3,G1/B1,3 B roll", "empty 1 a1-b1", "The dice are not rolled yet."),
        ("4/4/4/B2,3 B dice 1,2 began capture left 2", "remove a1", "The game is over."),
        ("4/4/3,G5/B1,3 B dice 1,2 began empty left 2", "empty 2 a1-c1", "no move is open; a checker must be given up"),
        ("4/4/3,G5/B1,3 B dice 1,2 began empty left 2", "remove d2", "That is Green's stack."),
        (
            "4/B1,3/3,G5/B1,3 B dice 1,2 began empty left 2",
            "empty 2 a1-c1",
            "the first move went to an empty cell, so this one may not",
        ),
    ],
)
def test_an_action_out_of_its_time_is_refused_with_the_reason(line: str, text: str, told: str) -> None:
    with pytest.raises(IllegalAction) as refusal:
        FOUR.parse(FOUR.load(line), text)
    assert str(refusal.value) == f"{text}: {told}"


# ----------------------------------------------------------------------------------------------- picture


@pytest.mark.parametrize(
    ("line", "told"),
    {
        f"{ROWS} B roll": "Black to roll",
        f"{ROWS} G dice 2,1": "Green to move, dice 2,1",
        f"{ROWS} G dice 2,1 began merge left 1": "Green to move, dice 2,1, 1 left",
        "4/4/3,G5/B1,3 B dice 1,2 began empty left 2": "Black to remove, dice 1,2, 2 left",
        "4/4/4/B2,3 B dice 1,2 began capture left 2": "Black wins",
    }.items(),
)
def test_the_picture_says_whose_turn_it_is(line: str, told: str) -> None:
    assert FOUR.picture(FOUR.load(line)).splitlines()[-1] == told


def test_the_picture_shows_every_stack_with_its_height_and_its_cell() -> None:
    assert FOUR.picture(FOUR.load(f"{ROWS} B roll")).splitlines()[:5] == [
        " 4   G1  B1  G1  B1",
        " 3   B1  G1  G1   .",
        " 2    .   . B12   .",
        " 1    .   .   .   .",
        "      a   b   c   d",
    ]
