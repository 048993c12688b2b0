"""The rules of Russian draughts, one test or more for each numbered rule, and what others got wrong.

A board is drawn as ``picture`` draws it: w and b are men, W and B kings, dots empty dark squares.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from reedlight.core.game import BadOption, Declaration, IllegalAction, Kind, Outcome, Piece, Roll, Side, Speech, tally
from reedlight.core.grid import Cell
from reedlight.games.draughts import Draughts, Draws, Move, RussianDraughts, make
from reedlight.games.draughts.rules import MAX_PLIES, begin

GAME = make("8")
FEDERATION = make("8-federation")
WHITE_OFFERS = Declaration(Side.LIGHT, Speech.OFFER_DRAW)
BLACK_ACCEPTS = Declaration(Side.DARK, Speech.ACCEPT_DRAW)


def board(drawing: str, to_move: str = "W", game: RussianDraughts = GAME) -> Draughts:
    """The state that a drawing shows; it must draw the same again."""
    rows = [line.strip() for line in drawing.strip().splitlines()]
    pieces = [
        (row[2 + 2 * x], f"{'abcdefgh'[x]}{row[0]}") for row in rows[:8] for x in range(8) if row[2 + 2 * x : 3 + 2 * x]
    ]
    named = {
        colour: ",".join(f"{'K' * sign.isupper()}{cell}" for sign, cell in pieces if sign.lower() == letter)
        for colour, letter in (("W", "w"), ("B", "b"))
    }
    state = game.load(f"{to_move}:W{named['W']}:B{named['B']}")
    assert [line.strip() for line in game.picture(state).splitlines()] == rows
    return state


def moves(state: Draughts) -> list[str]:
    return [GAME.notate(state, move) for move in state.legal_actions()]


def play(state: Draughts, *texts: str) -> Draughts:
    for text in texts:
        state = state.apply(GAME.parse(state, text))
    return state


Wish = Callable[[Draughts], bool]


def wander(state: Draughts, plies: int, seed: int, wish: Wish) -> Draughts | None:
    """The state after so many plies in which nothing is taken and nothing crowned, a man stepping when he must.

    None where the seed's way gets stuck: every next move takes, crowns, lets the other take, ends the game
    or leads to a state that is not wished for.
    """
    rng = random.Random(seed)
    for _ in range(plies):
        quiet = [
            move
            for move in state.legal_actions()
            if not move.taken and not state.crowned(move) and _stays_quiet(after := state.apply(move)) and wish(after)
        ]
        men = [move for move in quiet if state.pieces()[move.start].kind is Kind.MAN]
        kings = [move for move in quiet if move not in men]
        wanted = men if men and state.clocks.kings_only >= 20 else kings
        if not wanted:
            return None
        state = state.apply(rng.choice(wanted))
    return state


def _stays_quiet(state: Draughts) -> bool:
    return state.outcome is None and not state.legal_actions()[0].taken


def anywhere(_state: Draughts) -> bool:
    return True


def by_kings(state: Draughts) -> bool:
    return state.clocks.kings_only == state.plies


def on_the_road(state: Draughts) -> bool:
    return state.clocks.on_main_road == state.plies


def off_the_road(state: Draughts) -> bool:
    return state.clocks.on_main_road == 0


def wandered(state: Draughts, plies: int, wish: Wish = anywhere) -> Draughts:
    """The first way of ``wander`` that gets so far."""
    return next(after for seed in range(400) if (after := wander(state, plies, seed, wish)))


def test_a_drawing_that_is_not_drawn_the_same_is_noticed() -> None:
    with pytest.raises(AssertionError):
        board("8   W\n7\n6\n5\n4\n3\n2\n1\n  a b c d e f g h")


# ------------------------------------------------------------------------------------ the numbered rules


def test_r01_the_32_dark_squares_are_played_on_and_a1_is_dark() -> None:
    walk = board("""
        8   .   .   .   .
        7 .   .   .   .
        6   .   .   .   .
        5 .   .   .   .
        4   .   .   .   .
        3 .   .   .   .
        2   .   .   .   .
        1 W   .   .   B
          a b c d e f g h""")
    assert moves(walk) == ["a1-b2", "a1-c3", "a1-d4", "a1-e5", "a1-f6", "a1-g7", "a1-h8"]
    assert len(GAME.grid.cells) == 64
    assert GAME.refuse(walk, Cell("b1")) == "Pieces stand on the dark squares only."


def test_r02_twelve_men_a_side_and_white_moves_first() -> None:
    start = board("""
        8   b   b   b   b
        7 b   b   b   b
        6   b   b   b   b
        5 .   .   .   .
        4   .   .   .   .
        3 w   w   w   w
        2   w   w   w   w
        1 w   w   w   w
          a b c d e f g h""")
    assert start == GAME.start()
    assert tally(start) == {Side.LIGHT: 12, Side.DARK: 12}
    assert start.to_act is Side.LIGHT
    assert play(start, "c3-d4").to_act is Side.DARK
    assert play(start, "c3-d4", "b6-a5").to_act is Side.LIGHT


def test_r03_a_man_moves_one_square_forward_to_either_side() -> None:
    drawing = """
        8   .   .   .   .
        7 .   .   .   .
        6   .   .   b   .
        5 .   .   .   .
        4   .   .   .   .
        3 .   w   .   .
        2   .   .   .   .
        1 .   .   .   .
          a b c d e f g h"""
    assert moves(board(drawing)) == ["c3-b4", "c3-d4"]
    assert moves(board(drawing, "B")) == ["f6-e5", "f6-g5"]


def test_r04_a_man_is_crowned_on_the_far_row_and_a_king_goes_any_distance() -> None:
    state = board("""
        8   .   .   .   .
        7 w   .   .   .
        6   .   .   .   .
        5 .   .   .   .
        4   .   .   .   b
        3 .   .   .   .
        2   b   .   .   .
        1 .   .   .   .
          a b c d e f g h""")
    crowned = play(state, "a7-b8")
    assert crowned.pieces()[Cell("b8")] == Piece(Side.LIGHT, Kind.KING)
    both = play(crowned, "b2-a1")
    assert both.pieces()[Cell("a1")] == Piece(Side.DARK, Kind.KING)
    assert moves(both) == ["b8-a7", "b8-c7", "b8-d6", "b8-e5", "b8-f4", "b8-g3", "b8-h2"]


def test_r05_a_man_captures_forward_and_backward() -> None:
    state = board("""
        8   .   .   .   .
        7 .   .   .   .
        6   .   .   .   .
        5 .   b   b   .
        4   .   w   .   .
        3 .   b   b   .
        2   .   .   .   .
        1 .   .   .   .
          a b c d e f g h""")
    assert moves(state) == ["d4:b2", "d4:b6", "d4:f2", "d4:f6"]
    assert play(state, "d4:b2").pieces().keys() == {"b2", "c5", "e3", "e5"}


def test_r05_no_piece_is_jumped_that_has_another_behind_it() -> None:
    state = board("""
        8   .   .   .   .
        7 .   .   .   .
        6   b   .   .   .
        5 .   b   .   .
        4   .   w   .   .
        3 .   .   .   .
        2   .   .   .   .
        1 .   .   .   .
          a b c d e f g h""")
    assert moves(state) == ["d4-e5"]


def test_r06_a_king_captures_at_a_distance_and_lands_anywhere_up_to_the_next_piece() -> None:
    state = board("""
        8   .   .   .   b
        7 .   .   .   .
        6   .   .   .   .
        5 .   .   .   .
        4   .   .   .   .
        3 .   b   .   .
        2   .   .   .   .
        1 W   .   .   .
          a b c d e f g h""")
    assert moves(state) == ["a1:d4", "a1:e5", "a1:f6", "a1:g7"]


def test_r07_capturing_is_compulsory_for_any_piece_that_can() -> None:
    state = board("""
        8   .   .   .   .
        7 .   .   .   .
        6   .   .   .   .
        5 .   .   .   .
        4   b   .   b   .
        3 w   .   w   .
        2   .   .   .   .
        1 .   .   .   w
          a b c d e f g h""")
    assert moves(state) == ["a3:c5", "e3:g5"]


def test_r07_which_capture_is_free_neither_the_longest_nor_the_kings() -> None:
    state = board("""
        8   .   .   .   .
        7 .   .   .   .
        6   b   .   .   .
        5 .   .   .   .
        4   b   .   b   .
        3 w   .   .   w
        2   .   .   .   .
        1 .   W   .   .
          a b c d e f g h""")
    assert moves(state) == ["a3:a7", "c1:g5", "c1:h6", "g3:e5"]


def test_r08_a_capture_is_carried_to_its_end() -> None:
    state = board("""
        8   .   .   .   .
        7 .   .   .   .
        6   .   b   .   .
        5 .   .   .   .
        4   .   b   .   .
        3 .   w   .   .
        2   .   .   .   .
        1 .   .   .   .
          a b c d e f g h""")
    assert moves(state) == ["c3:c7"]
    assert GAME.parse(state, "c3:e5:c7") == Move(Cell("c3"), Cell("c7"), (Cell("d4"), Cell("d6")))
    with pytest.raises(IllegalAction, match="can go to c7"):
        GAME.parse(state, "c3:e5")


def test_r09_a_king_must_land_where_it_can_go_on() -> None:
    state = board("""
        8   .   .   .   .
        7 .   .   .   .
        6   .   .   .   .
        5 .   .   .   .
        4   .   b   b   .
        3 .   .   .   .
        2   .   .   .   .
        1 W   .   .   .
          a b c d e f g h""")
    assert moves(state) == ["a1:g3", "a1:h2"]


def test_r10_taken_pieces_stay_until_the_end_and_block() -> None:
    state = board("""
        8   .   .   .   .
        7 .   .   b   .
        6   b   .   .   .
        5 .   .   b   .
        4   .   .   .   .
        3 .   b   .   .
        2   w   .   .   .
        1 .   .   .   .
          a b c d e f g h""")
    # Crowned on d8, it takes b6 and stops on a5: c3 was taken first but still bars the way to e1.
    assert moves(state) == ["b2:a5"]
    assert play(state, "b2:d4:f6:d8:a5").pieces().keys() == {"a5"}


def test_r11_empty_squares_may_be_crossed_twice_and_the_start_counts_as_empty() -> None:
    state = board("""
        8   .   .   .   .
        7 .   .   .   .
        6   .   .   .   .
        5 .   .   .   .
        4   .   b   b   .
        3 .   .   .   .
        2   .   b   b   .
        1 .   .   w   .
          a b c d e f g h""")
    assert moves(state) == ["e1:e1"]
    after = play(state, "e1:e1")
    assert after.pieces().keys() == {"e1"}
    assert after.outcome == Outcome(Side.LIGHT, "Black has no pieces")


def test_r12_a_man_crowned_in_mid_capture_goes_on_as_a_king_and_stays_one() -> None:
    state = board("""
        8   .   .   .   .
        7 .   .   .   b
        6   .   .   .   w
        5 .   b   .   .
        4   .   .   .   .
        3 .   .   .   .
        2   .   .   .   .
        1 .   .   .   .
          a b c d e f g h""")
    assert moves(state) == ["h6:a3", "h6:b4"]
    assert play(state, "h6:f8:b4").pieces() == {Cell("b4"): Piece(Side.LIGHT, Kind.KING)}


def test_r12_a_man_that_cannot_go_on_is_crowned_where_it_stands() -> None:
    state = board("""
        8   .   .   .   .
        7 .   b   .   .
        6   w   .   .   .
        5 .   .   .   .
        4   .   .   .   .
        3 .   .   b   .
        2   .   .   .   .
        1 .   .   .   .
          a b c d e f g h""")
    assert GAME.label(state, state.legal_actions()[0]) == "take 1, crowned"
    assert play(state, "b6:d8").pieces()[Cell("d8")].kind is Kind.KING


def test_r13_a_side_that_cannot_move_has_lost() -> None:
    state = board("""
        8   b   b   .   .
        7 .   .   .   .
        6   w   .   .   .
        5 .   .   .   .
        4   .   .   .   .
        3 .   .   .   .
        2   .   .   .   .
        1 .   .   .   .
          a b c d e f g h""")
    lost = board("""
        8   b   b   .   .
        7 .   w   .   .
        6   .   .   .   .
        5 .   .   .   .
        4   .   .   .   .
        3 .   .   .   .
        2   .   .   .   .
        1 .   .   .   .
          a b c d e f g h""")
    assert state.outcome is None
    assert lost.outcome == Outcome(Side.DARK, "White cannot move")
    assert lost.to_act is None
    assert lost.legal_actions() == ()
    assert GAME.load("B:Wc3,Ka1:B").outcome == Outcome(Side.LIGHT, "Black has no pieces")


def test_r14_the_third_occurrence_of_a_position_with_the_same_side_to_move_is_a_draw() -> None:
    state = board("""
        8   .   .   .   .
        7 .   .   .   .
        6   .   .   .   .
        5 .   .   .   .
        4   .   .   .   .
        3 .   .   .   .
        2   .   .   .   B
        1 W   .   .   .
          a b c d e f g h""")
    round_trip = ("a1-b2", "h2-g1", "b2-a1", "g1-h2")
    once = play(state, *round_trip)
    assert once.outcome is None
    assert play(once, *round_trip[:3]).outcome is None
    assert play(once, *round_trip).outcome == Outcome(None, "third repetition")


def test_r14_a_mans_step_or_a_capture_forgets_what_was_before() -> None:
    state = board("""
        8   .   .   .   .
        7 .   .   .   .
        6   .   .   .   .
        5 .   .   .   .
        4   .   .   .   .
        3 w   .   .   .
        2   .   .   .   B
        1 .   .   W   .
          a b c d e f g h""")
    wandered = play(state, "e1-d2", "h2-g1", "d2-e1", "g1-h2")
    assert len(wandered.seen) == 4
    assert play(wandered, "a3-b4").seen == ()


def test_r15a_only_the_stronger_sides_moves_count_and_not_the_one_that_made_the_balance() -> None:
    state = board("""
        8   .   .   .   .
        7 .   .   .   w
        6   .   .   .   .
        5 .   .   .   .
        4   .   .   .   .
        3 .   .   .   B
        2   .   .   .   .
        1 W   W   .   .
          a b c d e f g h""")
    made = play(state, "g7-f8")
    assert made.three_kings == 0
    assert play(made, "g3-h2").three_kings == 0
    assert play(made, "g3-h2", "f8-e7").three_kings == 1
    assert play(made, "g3-h2", "f8-e7", "h2-g1").three_kings == 1


def test_r15b_a_change_of_the_balance_starts_the_count_anew() -> None:
    four = board(
        """
        8   .   .   .   .
        7 .   .   .   .
        6   .   .   B   .
        5 .   .   .   .
        4   .   W   .   .
        3 .   .   .   .
        2   .   .   .   .
        1 .   W   W   W
          a b c d e f g h""",
        "B",
    )
    late = replace(four, clocks=four.clocks._replace(unchanged=27))
    assert late.three_kings == 14
    assert play(late, "f6:a1").three_kings == 0


@pytest.mark.parametrize(("to_move", "last"), [("W", 29), ("B", 30)])
def test_r15c_the_draw_falls_on_the_fifteenth_move_itself(to_move: str, last: int) -> None:
    state = board(
        """
        8   .   .   .   .
        7 .   .   .   .
        6   .   .   .   .
        5 .   .   .   .
        4   .   .   .   .
        3 W   .   .   .
        2   .   .   .   B
        1 .   W   W   .
          a b c d e f g h""",
        to_move,
    )
    before = wandered(state, last - 1)
    assert before.three_kings == 14
    assert before.to_act is Side.LIGHT
    quiet = next(move for move in before.legal_actions() if not move.taken)
    assert before.apply(quiet).outcome == Outcome(None, "fifteen moves with three kings")


def test_r15d_taking_the_king_on_the_fifteenth_move_wins() -> None:
    state = board("""
        8   .   .   .   .
        7 .   .   .   .
        6   .   .   .   .
        5 .   .   .   .
        4   .   B   .   .
        3 .   .   .   .
        2   .   .   .   .
        1 W   W   W   .
          a b c d e f g h""")
    late = replace(state, clocks=state.clocks._replace(unchanged=28))
    assert play(late, "a1:e5").outcome == Outcome(Side.LIGHT, "Black has no pieces")


def test_r16_an_offer_is_accepted() -> None:
    offered = GAME.start().apply(WHITE_OFFERS)
    assert {declaration for declaration in offered.declarations() if declaration.speech is not Speech.RESIGN} == {
        BLACK_ACCEPTS,
        Declaration(Side.DARK, Speech.DECLINE_DRAW),
    }
    assert offered.apply(BLACK_ACCEPTS).outcome == Outcome(None, "agreed")


def test_r16_an_offer_is_declined_and_may_then_be_made_again() -> None:
    declined = GAME.start().apply(WHITE_OFFERS).apply(Declaration(Side.DARK, Speech.DECLINE_DRAW))
    assert declined == GAME.start()
    assert WHITE_OFFERS in declined.declarations()


def test_r16_an_offer_lapses_with_the_next_move_of_the_side_it_was_made_to() -> None:
    offered = GAME.start().apply(WHITE_OFFERS)
    moved = play(offered, "c3-d4")
    assert BLACK_ACCEPTS in moved.declarations()
    assert moved.apply(BLACK_ACCEPTS).outcome == Outcome(None, "agreed")
    assert play(moved, "b6-a5").offer is None


def test_r16_an_open_offer_is_not_made_twice_and_nothing_is_accepted_that_was_not_offered() -> None:
    start = GAME.start()
    with pytest.raises(IllegalAction, match="not open now: White: offer draw"):
        start.apply(WHITE_OFFERS).apply(WHITE_OFFERS)
    with pytest.raises(IllegalAction, match="not open now: Black: accept draw"):
        start.apply(BLACK_ACCEPTS)


def test_r17_either_side_may_resign_whoever_is_to_move() -> None:
    start = GAME.start()
    assert start.apply(Declaration(Side.LIGHT, Speech.RESIGN)).outcome == Outcome(Side.DARK, "White resigned")
    over = start.apply(Declaration(Side.DARK, Speech.RESIGN))
    assert over.outcome == Outcome(Side.LIGHT, "Black resigned")
    assert over.declarations() == ()
    with pytest.raises(IllegalAction, match=r"The game is over\."):
        over.apply(GAME.start().legal_actions()[0])


@pytest.mark.parametrize(
    ("fen", "plies", "wish", "reason"),
    [
        pytest.param("W:Wa1,c1,e1,Kg3:Bd8,f8,h8,Kb6", 29, by_kings, "fifteen moves by kings alone", id="kings alone"),
        pytest.param("W:Wa1,Kh8:Bh2,Ka5", 59, anywhere, "thirty moves without a change", id="four pieces"),
        pytest.param("W:Wa1,g1,Kh2:Bb8,h8,Ka7", 119, anywhere, "sixty moves without a change", id="six pieces"),
        pytest.param("W:WKa1:BKh2", 9, anywhere, "five moves against a lone king", id="two lone kings"),
        pytest.param("W:Wa3,Kc1:BKh6", 8, anywhere, "five moves against a lone king", id="two against one"),
        pytest.param("W:Wa3,a5,Kc1:BKh8", 8, on_the_road, "five moves against a king on the main road", id="main road"),
    ],
)
def test_r18_the_federations_draws_end_a_game_only_where_they_are_chosen(
    fen: str, plies: int, wish: Wish, reason: str
) -> None:
    before = wandered(FEDERATION.load(fen), plies, wish)
    plain = replace(before, draws=Draws.PLAIN)
    quiet = [move for move in plain.legal_actions() if _stays_quiet(after := plain.apply(move)) and wish(after)]
    assert before.apply(quiet[0]).outcome == Outcome(None, reason)


def test_r18_off_the_main_road_and_in_other_balances_nothing_is_drawn_early() -> None:
    assert wandered(FEDERATION.load("W:Wa3,a5,Kc1:BKb8"), 9, off_the_road).outcome is None
    no_king = FEDERATION.load("W:Wa1:Bh8")
    four_to_one = FEDERATION.load("W:Wa1,c1,e1,Kg1:BKh6")
    for state in (no_king, four_to_one):
        assert (
            replace(state, clocks=state.clocks._replace(unchanged=40)).apply(state.legal_actions()[0]).outcome is None
        )


def test_the_guard_ends_a_game_that_no_rule_has_ended() -> None:
    state = replace(GAME.start(), plies=MAX_PLIES - 2)
    before = play(state, "c3-d4")
    assert before.outcome is None
    assert play(before, "b6-a5").outcome == Outcome(None, "ten thousand moves")
    assert GAME.max_plies == MAX_PLIES


# ------------------------------------------------------------------------------------ what others got wrong


@pytest.mark.parametrize(
    ("fen", "legal"),
    [
        pytest.param("W:Wc3:Bd4,d6", ["c3:c7"], id="a capture does not stop before it is over"),
        pytest.param(
            "B:Wa1,a3,b4,d4,e3,h2,h6:Bb8,c5,d6,d8,e7,f6,f8,h8,Ka5",
            ["a5:e5", "a5:f4", "a5:g5"],
            id="a king does not land where it cannot go on when it could elsewhere",
        ),
        pytest.param("W:WKa3:Bb4,d2,d6,e7,f4,g5", ["a3:c5"], id="two pieces in a row are not flown over"),
        pytest.param("W:Wb2:Bb6,c3,e5,e7", ["b2:a5"], id="a captive stays and blocks"),
        pytest.param("W:Wf6:Bc7,Ke7", ["f6:a5", "f6:b6"], id="a man crowned in mid-capture flies on"),
        pytest.param("W:Wa3,g3,h2:Bb4,f4", ["a3:c5", "g3:e5"], id="every piece is asked whether it must capture"),
        pytest.param("W:Wc3,Ka1:Bd4,d6,h6,g7", ["c3:c7"], id="a king has no precedence"),
        pytest.param("W:WKa1:Bb2,e5", ["a1:f6", "a1:g7", "a1:h8"], id="a king is offered its second jump"),
        pytest.param(
            "W:WKa5:Bb6,e7,Ke5,Kf2",
            ["a5:c7:g3:e1", "a5:d8:h4:e1", "a5:g1"],
            id="captures with the same ends are told apart",
        ),
        pytest.param(
            "W:WKe5:Bb4,d4,f4,Kb6",
            ["e5:c3:a5:c7:g3", "e5:g3", "e5:c3:a5:c7:h2", "e5:h2"],
            id="routes of different length between the same ends are told apart",
        ),
    ],
)
def test_what_public_reports_say_others_got_wrong(fen: str, legal: list[str]) -> None:
    assert moves(GAME.load(fen)) == legal


def test_a_man_crowned_in_mid_capture_that_ends_elsewhere_does_not_stay_a_man() -> None:
    assert play(GAME.load("W:Wf6:Bc7,Ke7"), "f6:d8:b6").pieces() == {Cell("b6"): Piece(Side.LIGHT, Kind.KING)}


def test_a_way_round_ends_only_where_the_capture_cannot_go_on() -> None:
    # Begun at c7 the way round comes to a3 and b2 last, where more is taken; so a5 is an end of the other way alone.
    state = GAME.load("W:WKa5:Bb2,c7,d2,f6,g3")
    [round_trip] = [move for move in state.legal_actions() if move.start == move.end]
    assert state.paths(round_trip) == [("a5", "e1", "h4", "d8", "a5")]


# ------------------------------------------------------------------------------------ the state as a value


def test_an_action_that_is_not_legal_is_refused_and_nothing_has_happened() -> None:
    start = GAME.start()
    for move in (
        Move(Cell("c3"), Cell("c5")),
        Move(Cell("b1"), Cell("c2")),
        Move(Cell("c3"), Cell("d4"), (Cell("b6"),)),
        GAME.load("W:Wg1:Bh8").legal_actions()[0],
    ):
        with pytest.raises(IllegalAction):
            start.apply(move)
    with pytest.raises(IllegalAction, match="Russian draughts has no dice"):
        start.apply(Roll((1,)))
    with pytest.raises(IllegalAction, match="chance declares nothing"):
        start.apply(Declaration(Side.CHANCE, Speech.OFFER_DRAW))
    assert start == GAME.start()


def test_captives_named_in_another_order_are_not_the_same_action() -> None:
    state = GAME.load("W:Wc3:Bd4,d6")
    with pytest.raises(IllegalAction):
        state.apply(Move(Cell("c3"), Cell("c7"), (Cell("d6"), Cell("d4"))))


def test_there_are_no_dice() -> None:
    start = GAME.start()
    assert start.dice() == ()
    assert start.chance() == dict[Roll, Fraction]()


def test_a_game_is_its_name_and_its_options() -> None:
    assert make("8") == GAME
    assert hash(make("8")) == hash(GAME)
    assert make("8") != FEDERATION
    assert GAME != "draughts"
    assert FEDERATION.start().draws is Draws.FEDERATION
    with pytest.raises(BadOption, match="Russian draughts has no size '10'; there are 8, 8-federation"):
        make("10")


def test_a_state_of_another_game_is_no_argument() -> None:
    with pytest.raises(TypeError, match="a state of Russian draughts is needed, not str"):
        GAME.dump("W:W:B")  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------ words


@pytest.mark.parametrize(
    ("fen", "say", "why"),
    [
        ("W:Wc3:Bh8", "White to move.", "A man goes one step diagonally forward."),
        ("B:Wg1:BKh8,h2", "Black to move.", "A man steps forward; a king goes as far as it likes."),
        ("W:Wc3,e3:Bd4", "White must capture: with c3 or e3.", "Capturing is compulsory; which capture is free."),
        ("W:WKa1,Kc1,Ke1:BKh2", "White to move.", "15 moves left to take the single king."),
        ("W:W:Bh8", "Black wins: White has no pieces.", ""),
        (
            "W:WKa7,Kc1,Kc7,Kd2,Ke1,Ke3,Ke5,Kf6,Kf8,Kh2,Kh4,Kh6:Bb2,b4,b6,d4,d8,g3,g5,g7",
            "White must capture: with one of 11 pieces.",
            "Capturing is compulsory; which capture is free.",
        ),
    ],
)
def test_advice_says_what_to_do_and_why(fen: str, say: str, why: str) -> None:
    caption = GAME.advise(GAME.load(fen))
    assert (caption.say, caption.why) == (say, why)


def test_advice_tells_of_an_open_offer_and_of_a_draw() -> None:
    offered = GAME.start().apply(WHITE_OFFERS)
    assert GAME.advise(offered).why == "White offers a draw."
    assert GAME.advise(offered.apply(BLACK_ACCEPTS)).say == "Draw: agreed."


@pytest.mark.parametrize(
    ("fen", "cell", "why"),
    [
        ("W:Wc3,e3,g1:Bd4", "g1", "You must capture: with c3 or e3."),
        ("W:Wc3,e3,g1:Bd4", "c3", "This man can go to e5."),
        ("W:Wa1,b2,Kh8:Bd8,a3", "a1", "This man is blocked."),
        ("W:WKa1,b2,c3:Bh8", "a1", "This king is blocked."),
        ("W:Wc3:Bh8", "h8", "It is White's turn."),
        ("W:Wc3:Bh8", "e5", "There is no piece on e5."),
        ("W:Wc3:Bh8", "e4", "Pieces stand on the dark squares only."),
        ("W:WKa1:Bh8", "a1", "This king can go to b2, c3, d4, e5, f6 or g7."),
        ("W:WKe5:Bd2,Kf2", "e5", "This king can go to one of 13 squares."),
        ("B:Wc3:B", "c3", "The game is over."),
    ],
)
def test_a_refusal_says_why(fen: str, cell: str, why: str) -> None:
    assert GAME.refuse(GAME.load(fen), Cell(cell)) == why


@pytest.mark.parametrize(
    ("fen", "move", "label"),
    [
        ("W:Wc3:Bh8", "c3-d4", "move"),
        ("W:Wc3:Bd4,d6", "c3:c7", "take 2"),
        ("W:Wc7:Bh8", "c7-b8", "crowned"),
        ("W:Wb6:Bc7", "b6:d8", "take 1, crowned"),
    ],
)
def test_a_label_says_what_a_move_does(fen: str, move: str, label: str) -> None:
    state = GAME.load(fen)
    assert GAME.label(state, GAME.parse(state, move)) == label


def test_a_new_game_starts_with_nothing_behind_it() -> None:
    assert begin() == GAME.start()
    assert GAME.start().plies == 0
