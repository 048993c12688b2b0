"""Herd as text and in words: sizes, actions, positions, pictures, captions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reedlight.core.game import BadNotation, BadOption, Caption, Game, IllegalAction, Roll, Side
from reedlight.core.grid import Cell
from reedlight.games.diablo import make as make_diablo
from reedlight.games.herd import Action, Herd, HerdGame, Place, Remove, make

UNHURRIED = settings(deadline=None)  # a busy machine is no failure

SIZES = ["2", "3", "5", "square-2x2", "square-6x6", "square-2x11", "brick-3x2", "brick-8x8"]


@st.composite
def positions(draw: st.DrawFn) -> tuple[Game[Action], Herd]:
    """A game of any size and a position of it that random play can reach, the finished ones included."""
    game = make(draw(st.sampled_from(SIZES)))
    state = game.start()
    chance = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, 300))):
        choices = [*state.chance(), *state.legal_actions()]
        state = state.apply(chance.choice(choices)) if choices else state
    assert isinstance(state, Herd)
    return game, state


# --------------------------------------------------------------------------------------------- sizes


@pytest.mark.parametrize(
    ("asked", "size", "grid", "cells"),
    [
        ("5", "5", "hexhex-5", 61),
        ("hexhex-2", "2", "hexhex-2", 7),
        (" HexHex-7 ", "7", "hexhex-7", 127),
        ("square-2x26", "square-2x26", "square-2x26", 52),
        ("Brick-8X8", "brick-8x8", "brick-8x8", 64),
    ],
)
def test_a_size_is_understood_and_spelled_in_one_way(asked: str, size: str, grid: str, cells: int) -> None:
    game = make(asked)
    assert (game.size, game.grid.name, len(game.grid.cells)) == (size, grid, cells)


@pytest.mark.parametrize(
    "asked",
    ["", "1", "8", "0", "-5", "five", "hexhex", "square-1x5", "square-5x27", "brick-8", "brick-27x2", "field-3x3"],
)
def test_a_size_that_does_not_exist_is_refused_with_those_that_do(asked: str) -> None:
    with pytest.raises(BadOption) as refused:
        make(asked)
    assert str(refused.value) == (
        f"Herd has no board {asked!r}; there are hexagons of side 2 to 7, and square-RxC and brick-RxC with "
        "2 to 26 rows and columns"
    )


def test_two_games_are_equal_when_their_boards_are() -> None:
    assert make("5") == make("hexhex-5")
    assert hash(make("5")) == hash(make("hexhex-5"))
    assert make("5") != make("4")
    assert make("5") != "5"
    assert repr(make("hexhex-5")) == "HerdGame('5')"
    assert "board=Board(hexhex-5)" in repr(make("5").start())


def test_a_state_of_another_game_is_our_mistake() -> None:
    with pytest.raises(TypeError, match="Diablo"):
        make("5").dump(make_diablo("8").start())


# ------------------------------------------------------------------------------------------- actions

PLACING = "3 B../.R../..R../..../... red place 5-3 0 4 -"
REMOVING = "3 B../.R../..R../..../... red remove 5-1 1 5 -"


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("place 2,-1", Place(Cell("2,-1"))),
        ("PLACE 2, -1", Place(Cell("2,-1"))),
        (" on(2,\N{MINUS SIGN}1) ", Place(Cell("2,-1"))),
        ("2,-1", Place(Cell("2,-1"))),
        ("place -0,01", Place(Cell("0,1"))),
    ],
)
def test_a_placement_is_understood_in_many_spellings(text: str, action: Action) -> None:
    game = make("3")
    assert game.parse(game.load(PLACING), text) == action


@pytest.mark.parametrize("text", ["remove -2,2", "off -2,2", "Remove (-2, 2)", "-2,2"])
def test_a_removal_is_understood_in_many_spellings(text: str) -> None:
    game = make("3")
    assert game.parse(game.load(REMOVING), text) == Remove(Cell("-2,2"))


@pytest.mark.parametrize("text", ["", "place", "take 0,0", "place 0", "place 0,0 1,0", "place a,b", "place 3,0", "5-3"])
def test_text_that_is_no_action_is_refused_by_name(text: str) -> None:
    game = make("3")
    with pytest.raises(BadNotation) as refused:
        game.parse(game.load(PLACING), text)
    assert repr(text) in str(refused.value)


@pytest.mark.parametrize(
    ("position", "text", "reason"),
    [
        (PLACING, "place 0,0", "place 0,0: That is your own stone. It stays where it is."),
        (PLACING, "remove -2,2", "remove -2,2: Nothing more to take off. Place 4 stones."),
        (REMOVING, "place 2,0", "place 2,0: Take off 1 more stone first."),
    ],
)
def test_an_action_that_is_not_legal_is_refused_with_the_reason(position: str, text: str, reason: str) -> None:
    game = make("3")
    with pytest.raises(IllegalAction) as refused:
        game.parse(game.load(position), text)
    assert str(refused.value) == reason


@UNHURRIED
@given(positions())
def test_every_legal_action_survives_its_text(found: tuple[Game[Action], Herd]) -> None:
    game, state = found
    for action in state.legal_actions():
        assert game.parse(state, game.notate(state, action)) == action


# ----------------------------------------------------------------------------------------- positions


@UNHURRIED
@given(positions())
def test_every_position_survives_its_text(found: tuple[Game[Action], Herd]) -> None:
    game, state = found
    line = game.dump(state)
    assert "\n" not in line
    assert game.load(line) == state
    assert game.dump(game.load(line)) == line


def test_a_position_is_one_line_of_eight_fields() -> None:
    game = make("3")
    assert game.dump(game.start()) == "3 .../..../...../..../... red roll - 0 0 opening"
    assert game.dump(game.load(PLACING)) == PLACING


REFUSED = [
    (
        "3 .../..../...../..../... red roll",
        "a position of Herd has 8 fields (board, rows, side, phase, dice, to remove, to place, turn), not 4",
    ),
    ("4 .../..../...../..../... red roll - 0 0 opening", "board: the position is for '4', this game is played on '3'"),
    ("3 .../..../..... red roll - 0 0 opening", "rows: the position has 3, this board 5"),
    (
        "3 .../..../..../..../... red roll - 0 0 opening",
        "rows: number 3 from the far edge has 4 cells, on this board 5",
    ),
    ("3 .../.x../...../..../... red roll - 0 0 opening", "rows: 'x' on cell -1,1 is none of R, B and ."),
    ("3 .../..../...../..../... green roll - 0 0 opening", "side: 'green' is none of red, blue"),
    ("3 .../..../...../..../... red wait - 0 0 opening", "phase: 'wait' is none of roll, remove, place, over"),
    ("3 .../.R../...../..../... red place 7-1 0 1 -", "dice: '7-1' is neither '-' nor two dice such as 5-3"),
    ("3 .../.R../...../..../... red place 2-1 x 1 -", "to remove: 'x' is no count of stones"),
    ("3 .../.R../...../..../... red place 2-1 0 01 -", "to place: '01' is no count of stones"),
    ("3 .../.R../...../..../... red place 2-1 0 1 first", "turn: 'first' is none of opening, -"),
    ("3 R.B/..../...../..../... red place 2-1 0 1 opening", "turn: the opening is Red's, without Blue"),
    ("3 R../..../...../..../... blue place 2-1 0 1 opening", "turn: the opening is Red's, without Blue"),
    (
        "3 BRR/RR../...../..../... red roll - 0 0 -",
        "rows: the stone on -2,2 is surrounded, so it would have been captured",
    ),
    (
        "3 RBB/BB../...../..../... red roll - 0 0 -",
        "rows: the stone on -2,2 is surrounded, so it would have been captured",
    ),
    ("2 RR/RRR/RR red place 2-1 0 1 -", "phase: the board is full, so the game is over"),
    ("2 RR/R.R/RR red over 2-1 0 1 -", "phase: the game is not over before the board is full"),
    ("2 RR/R.R/RR red roll 2-1 0 0 -", "dice: before the roll there are none"),
    ("2 RR/R.R/RR red place - 0 1 -", "dice: after the roll there are two"),
    ("2 RR/RRR/RR red over - 0 1 -", "dice: after the roll there are two"),
    ("2 RR/R.R/RR red roll - 0 0 opening", "turn: before the roll it is 'opening' exactly where the board is empty"),
    ("2 ../.../.. blue roll - 0 0 -", "turn: before the roll it is 'opening' exactly where the board is empty"),
    ("2 ../.R./.. red remove 2-1 1 2 opening", "turn: nothing is removed in the opening"),
    ("2 ../.R./.. red roll - 1 0 -", "to remove: must be 0 in this phase"),
    ("2 ../.R./.. red place 2-1 1 1 -", "to remove: must be 0 in this phase"),
    (
        "2 ../.R./.. blue remove 2-1 0 2 -",
        "to remove: must be at least 1, and no more than the lower die or than the other side has stones",
    ),
    (
        "2 .R/.R./.. blue remove 3-1 2 3 -",
        "to remove: must be at least 1, and no more than the lower die or than the other side has stones",
    ),
    (
        "2 ../.R./.. blue remove 3-2 2 3 -",
        "to remove: must be at least 1, and no more than the lower die or than the other side has stones",
    ),
    ("2 ../.R./.. red roll - 0 1 -", "to place: must be 0 before the roll"),
    ("2 ../.R./.. blue remove 3-2 1 2 -", "to place: must be the higher die until all are removed"),
    ("2 ../.R./.. blue place 3-2 0 0 -", "to place: must be at least 1 in this phase"),
    ("2 BB/B.B/BB red place 3-2 0 1 -", "phase: all empty cells are closed, so the turn is over"),
    (
        "2 ../.R./.. red place 3-2 0 2 opening",
        "to place: in the opening it must be the lower die less the stones that stand",
    ),
    ("2 ../.R./.. red place 3-2 0 11 -", "to place: more than the dice and all captures give"),
]


@pytest.mark.parametrize(("line", "reason"), REFUSED)
def test_a_position_that_cannot_be_is_refused_with_what_is_wrong(line: str, reason: str) -> None:
    with pytest.raises(BadNotation) as refused:
        make("2" if line.startswith("2") else "3").load(line)
    assert str(refused.value) == reason


@UNHURRIED
@given(st.text(max_size=30))
def test_any_other_text_is_refused_and_nothing_worse(line: str) -> None:
    with pytest.raises(BadNotation):
        make("3").load(line)


# ------------------------------------------------------------------------------------------ pictures


def drawn(size: str, line: str) -> list[str]:
    game = make(size)
    return game.picture(game.load(line)).splitlines()


def test_a_hexagon_is_drawn_with_its_coordinates_and_the_closed_cells() -> None:
    assert drawn("3", "3 .../.BB./.B.B./.BBR/... red place 4-1 0 2 -") == [
        "row               columns",
        "  2     . . .     -2 to 0",
        "  1    . B B .    -2 to 1",
        "  0   . B x B .   -2 to 2",
        " -1    . B B R    -1 to 2",
        " -2     . . .     0 to 2",
    ]


def test_bricks_are_drawn_shifted_and_fields_upright() -> None:
    assert drawn("brick-3x4", "brick-3x4 R.../..../...B red roll - 0 0 -") == [
        "row              columns",
        "  2   R . . .    0 to 3",
        "  1    . . . .   0 to 3",
        "  0   . . . B    0 to 3",
    ]
    assert drawn("square-2x3", "square-2x3 R../..B red roll - 0 0 -") == [
        "row           columns",
        "  1   R . .   0 to 2",
        "  0   . . B   0 to 2",
    ]


@UNHURRIED
@given(positions())
def test_a_picture_shows_every_stone(found: tuple[Game[Action], Herd]) -> None:
    game, state = found
    board = game.picture(state).partition("\n")[2]
    assert board.count("R") == state.light.bit_count()
    assert board.count("B") == state.dark.bit_count()
    assert sum(board.count(letter) for letter in "RB.x") == len(game.grid.cells)


# --------------------------------------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("line", "say", "why"),
    [
        (
            "2 ../.../.. red roll - 0 0 opening",
            "Red: press GO to roll.",
            "The lower die says how many stones come first.",
        ),
        ("2 ../.R./.. blue roll - 0 0 -", "Blue: press GO to roll.", "Lower die: stones off. Higher die: stones on."),
        ("2 .R/.R./.. blue remove 5-2 2 5 -", "Blue: take off 2 red stones.", "Any of them. Then place 5 stones."),
        ("2 .B/.B./.. red remove 1-1 1 1 -", "Red: take off 1 blue stone.", "Any of them. Then place 1 stone."),
        (
            "2 ../.../.. red place 5-3 0 3 opening",
            "Red: place 3 stones.",
            "On any empty cell. A lone stone you surround is taken.",
        ),
        (
            "2 ../.R./.. red place 5-3 0 2 opening",
            "Red: place 2 more stones.",
            "On any empty cell. A lone stone you surround is taken.",
        ),
        (
            "2 ../.RB/.. blue place 5-3 0 1 -",
            "Blue: place 1 more stone.",
            "On any empty cell. A lone stone you surround is taken.",
        ),
        ("3 .../.BB./.B.B./.BBR/... red place 4-1 0 4 -", "Red: place 4 stones.", "1 cell is closed to Red."),
        ("3 .BB/BB.B/BBBBB/BBBR/B.. red place 4-1 0 1 -", "Red: place 1 more stone.", "2 cells are closed to Red."),
        ("2 RR/RRB/BB red over 4-1 0 1 -", "Red wins, 4 to 3.", "The board is full."),
        ("2 RR/RBB/BB red over 4-1 0 1 -", "Blue wins, 4 to 3.", "The board is full."),
        ("square-2x2 RR/BB red over 4-1 0 1 -", "A draw, 2 stones each.", "The board is full."),
    ],
)
def test_the_advice_says_what_to_do_and_why(line: str, say: str, why: str) -> None:
    game = make(line.split(maxsplit=1)[0])
    assert game.advise(game.load(line)) == Caption(say, why)


@pytest.mark.parametrize(
    ("line", "cell", "reason"),
    [
        ("2 ../.../.. red roll - 0 0 opening", "0,0", "Red must roll first: press GO."),
        (REMOVING, "0,0", "That is your own stone. Take off a blue one."),
        (REMOVING, "-2,2", "That stone may be taken off."),
        (REMOVING, "0,2", "Take off 1 more stone first."),
        (PLACING, "0,0", "That is your own stone. It stays where it is."),
        (PLACING, "-2,2", "Nothing more to take off. Place 4 stones."),
        (PLACING, "0,2", "0,2 is free: a stone may be placed there."),
        ("3 .../.BB./.B.B./.BBR/... red place 4-1 0 4 -", "0,0", "0,0 is closed: Blue surrounds it."),
        ("2 RR/RRB/BB red over 4-1 0 1 -", "0,0", "The game is over: the board is full."),
    ],
)
def test_a_refusal_says_why(line: str, cell: str, reason: str) -> None:
    game = make(line.split(maxsplit=1)[0])
    assert game.refuse(game.load(line), Cell(cell)) == reason


def test_a_label_says_what_the_action_does() -> None:
    game = make("3")
    state = game.load("3 .../.RR./.RB../.RR./... red place 4-1 0 2 -")
    assert game.label(state, Place(Cell("1,0"))) == "place, takes 1"
    assert game.label(state, Place(Cell("2,0"))) == "place"
    assert game.label(game.load(REMOVING), Remove(Cell("-2,2"))) == "take off"


def test_the_guard_is_far_beyond_any_game_ever_seen() -> None:
    game = make("7")
    assert isinstance(game, HerdGame)
    assert game.max_plies > 20 * 459
    assert game.start().apply(Roll((1, 1))).to_act is Side.LIGHT
