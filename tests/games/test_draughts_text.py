"""Moves and positions of Russian draughts as text: what is written, what is read, what is refused."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reedlight.core.game import BadNotation, IllegalAction, Side
from reedlight.core.grid import Cell
from reedlight.games.draughts import Draughts, Move, make
from reedlight.games.draughts.compact import BIT, FAR
from reedlight.games.draughts.rules import begin

GAME = make("8")
START_FEN = "W:Wa1,a3,b2,c1,c3,d2,e1,e3,f2,g1,g3,h2:Ba7,b6,b8,c7,d6,d8,e7,f6,f8,g7,h6,h8"


@st.composite
def positions(draw: st.DrawFn) -> Draughts:
    """Any set-up that is a position, reachable or not."""
    light = dark = kings = 0
    for bit in BIT.values():
        match draw(st.sampled_from("......wWbB")):
            case "w" if not bit & FAR[Side.LIGHT]:
                light |= bit
            case "W":
                light, kings = light | bit, kings | bit
            case "b" if not bit & FAR[Side.DARK]:
                dark |= bit
            case "B":
                dark, kings = dark | bit, kings | bit
            case _:
                pass
    assume(light | dark)
    return begin((light, dark, kings), draw(st.sampled_from((Side.LIGHT, Side.DARK))))


@settings(deadline=None)
@given(positions())
def test_every_position_round_trips(state: Draughts) -> None:
    assert GAME.load(GAME.dump(state)) == state


@settings(deadline=None)
@given(positions())
def test_every_move_round_trips_and_no_two_are_written_alike(state: Draughts) -> None:
    moves = state.legal_actions()
    assert moves == tuple(sorted(set(moves)))
    texts = [GAME.notate(state, move) for move in moves]
    assert len(set(texts)) == len(texts)
    assert tuple(GAME.parse(state, text) for text in texts) == moves


@settings(deadline=None)
@given(positions(), st.randoms(use_true_random=False))
def test_every_correct_path_names_its_move(state: Draughts, rng: random.Random) -> None:
    for move in state.legal_actions():
        path = rng.choice(state.paths(move))
        assert GAME.parse(state, rng.choice(":x-" if move.taken else "-").join(path)) == move


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_a_random_game_ends_and_every_position_of_it_round_trips(seed: int) -> None:
    rng, state, plies = random.Random(seed), GAME.start(), 0
    while state.outcome is None:
        assert GAME.load(GAME.dump(state)).position == state.position
        state = state.apply(rng.choice(state.legal_actions()))
        plies += 1
    assert plies == state.plies < GAME.max_plies


@pytest.mark.parametrize(
    "text",
    ["c3-d4", "C3-D4", "c3d4", " c3 - d4 ", "22-18", "c3\u2013d4", "c3\u2212d4"],
)
def test_a_move_is_read_in_the_forms_in_use(text: str) -> None:
    assert GAME.parse(GAME.start(), text) == Move(Cell("c3"), Cell("d4"))


@pytest.mark.parametrize(
    "text",
    [
        "c3:c7",
        "c3xc7",
        "c3-c7",
        "c3:e5:c7",
        "c3xe5xc7",
        "c3-e5-c7",
        "C3XE5XC7",
        "c3\u00d7c7",
        "22x6",
        "22x15x6",
        "c3c7",
    ],
)
def test_a_capture_is_read_in_the_forms_in_use(text: str) -> None:
    state = GAME.load("W:Wc3:Bd4,d6")
    assert GAME.parse(state, text) == Move(Cell("c3"), Cell("c7"), (Cell("d4"), Cell("d6")))


def test_an_exact_path_wins_over_a_shortened_one() -> None:
    state = GAME.load("W:WKe5:Bb4,d4,f4,Kb6")
    assert GAME.parse(state, "e5:g3").taken == ("f4",)
    assert GAME.parse(state, "e5:c3:g3").taken == ("b4", "b6", "d4", "f4")


def test_ends_that_several_captures_share_are_refused_with_the_ways_to_write_them() -> None:
    state = GAME.load("W:WKa5:Bb6,e7,Ke5,Kf2")
    with pytest.raises(BadNotation, match="'a5:e1' can be several captures; write a5:c7:g3:e1 or a5:d8:h4:e1"):
        GAME.parse(state, "a5:e1")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "'' is no move; write one like c3-d4, or like c3:e5 for a capture"),
        ("c3", "'c3' is no move"),
        ("c3-", "'c3-' is no move"),
        ("castle", "'castle' is no move"),
        ("2218", "'2218' is no move"),
        ("c3-d5", "'c3-d5': d5 is a light square; pieces stand on dark ones such as a1"),
        ("c3-i5", "'c3-i5': there is no square 'i5'; squares are a1 to h8, or 1 to 32"),
        ("22-33", "'22-33': there is no square '33'"),
    ],
)
def test_text_that_is_no_move_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadNotation) as refusal:
        GAME.parse(GAME.start(), text)
    assert str(refusal.value).startswith(why)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("c3-e5", "'c3-e5' is not a legal move. The man on c3 cannot do that. This man can go to b4 or d4."),
        ("c3:d4", "'c3:d4' takes nothing; write c3-d4"),
        ("a1-b2", "'a1-b2' is not a legal move. This man is blocked."),
        ("f6-e5", "'f6-e5' is not a legal move. It is White's turn."),
        ("d4-e5", "'d4-e5' is not a legal move. There is no piece on d4."),
    ],
)
def test_a_move_that_is_not_legal_is_refused_with_its_reason(text: str, why: str) -> None:
    with pytest.raises(IllegalAction) as refusal:
        GAME.parse(GAME.start(), text)
    assert str(refusal.value) == why


def test_nothing_is_legal_once_the_game_is_over() -> None:
    with pytest.raises(IllegalAction, match=r"The game is over\."):
        GAME.parse(GAME.load("B:Wc3:B"), "c3-d4")


@pytest.mark.parametrize(
    "text",
    [
        START_FEN,
        f"{START_FEN}.",
        START_FEN.lower(),
        START_FEN.replace(",", ", "),
        "W:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1",
        "W:W21-32:B1-12",
        "W:W21,22,23,24,25-32:B1,2,3,4,5,6,7-12.",
    ],
)
def test_a_position_is_read_in_the_forms_in_use(text: str) -> None:
    assert GAME.load(text) == GAME.start()


def test_a_position_is_written_with_men_before_kings() -> None:
    assert GAME.dump(GAME.start()) == START_FEN
    assert GAME.dump(GAME.load("B:WKc3,a1:BKd4,h8")) == "B:Wa1,Kc3:Bh8,Kd4"


@pytest.mark.parametrize("text", ["W:Wa1:B", "W:Wa1:", "W:Wa1"])
def test_a_side_without_pieces_is_legal(text: str) -> None:
    assert GAME.dump(GAME.load(text)) == "W:Wa1:B"


def test_numbers_name_kings_and_spans_of_kings() -> None:
    assert GAME.dump(GAME.load("W:WK29,K30-32:B1")) == "W:WKa1,Kc1,Ke1,Kg1:Bb8"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "'' does not begin with W: or B:, the side to move"),
        ("X:Wa1:Bh8", "'X:Wa1:Bh8' does not begin with W: or B:, the side to move"),
        ("W:a1:Bh8", "'W:a1:Bh8': 'A1' should be W or B with its pieces, each colour once"),
        ("W:Wa1:Wc1", "'W:Wa1:Wc1': 'WC1' should be W or B with its pieces, each colour once"),
        ("W:Wa1,a1:Bh8", "'W:Wa1,a1:Bh8': a1 is named twice"),
        ("W:Wa1:BKa1", "'W:Wa1:BKa1': a1 is named twice"),
        ("W:Wb8:Bh6", "'W:Wb8:Bh6': White's man on b8 would be a king"),
        ("W:Wa3:Bg1", "'W:Wa3:Bg1': Black's man on g1 would be a king"),
        ("W:Wa2:Bh8", "'W:Wa2:Bh8': a2 is a light square; pieces stand on dark ones such as a1"),
        ("W:Wa9:Bh8", "'W:Wa9:Bh8': there is no square 'a9'; squares are a1 to h8, or 1 to 32"),
        ("W:W0:B1", "'W:W0:B1': there is no square '0'; squares are a1 to h8, or 1 to 32"),
        ("W:W1-40:B", "'W:W1-40:B': there is no square '1-40'; squares are a1 to h8, or 1 to 32"),
        ("W:W12-1:B", "'W:W12-1:B': the span 12-1 runs backwards"),
        ("W:W:B", "'W:W:B': there is no piece on the board"),
        (
            f"W:{'x' * 100_000}",
            f"'W:{'x' * 55}...': '{'X' * 57}...' should be W or B with its pieces, each colour once",
        ),
        ("W:WK:B", "'W:WK:B': there is no square ''; squares are a1 to h8, or 1 to 32"),
    ],
)
def test_text_that_is_no_position_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadNotation) as refusal:
        GAME.load(text)
    assert str(refusal.value) == why


def test_a_picture_shows_the_board_as_white_sees_it() -> None:
    assert GAME.picture(GAME.load("W:Wa1,Kc3:Bh8,Kd4")).splitlines() == [
        "8   .   .   .   b",
        "7 .   .   .   .",
        "6   .   .   .   .",
        "5 .   .   .   .",
        "4   .   B   .   .",
        "3 .   W   .   .",
        "2   .   .   .   .",
        "1 w   .   .   .",
        "  a b c d e f g h",
    ]
