"""The tracker by itself: edges in, readings out, told in games that are made up for the purpose."""

from __future__ import annotations

from typing import Any

from made_up import MadeUpGame, at, made_up
from stories import BETWEEN, LONG

from reedlight.core.grid import Cell
from reedlight.core.trace import anytime, lift, place, unseen
from reedlight.games import make
from reedlight.tracking.tracker import LONGEST_HISTORY, NUDGE, TOGETHER, Astray, Tracker

A1, B1, C1, D1, E1, F1, G1, H1, H8 = map(Cell, ("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "h8"))
VICTIMS = (B1, C1, D1, E1, F1, G1)

STEPS = made_up(
    start=at("light", light="a1", dark="h8", near=(lift(A1) >> place(B1), "near"), far=(lift(A1) >> place(C1), "far")),
    near=at("dark", light="b1", dark="h8", reply=(lift(H8) >> place(G1), "over")),
    far=at("dark", light="c1", dark="h8", reply=(lift(H8) >> place(G1), "over_far")),
    over=at(None, light="b1", dark="g1"),
    over_far=at(None, light="c1", dark="g1"),
)
"""A piece with two cells to go to, and an answer."""


class Watched(Tracker[Any]):
    """A tracker that tells which board it believes in."""

    @property
    def board(self) -> frozenset[Cell]:
        return self._occupied


def tracking(game: MadeUpGame, only: tuple[str, ...] | None = None) -> Watched:
    return Watched(game.start(), game.start().occupancy(), 0.0, only)


def feed(tracker: Watched, story: str, between: float = BETWEEN) -> Watched:
    """Feed the edges of a story, ``&`` joining those of one report."""
    for word in story.split():
        board = set(tracker.board)
        for edge in word.split("&"):
            assert (edge[1:] in board) is (edge[0] == "-"), f"{edge} cannot happen on {sorted(board)}"
            board ^= {Cell(edge[1:])}
        tracker.feed(frozenset(board), tracker.last_edge + between)
    return tracker


def read(tracker: Tracker[Any]) -> list[tuple[tuple[Any, ...], bool, int]]:
    """Every reading as its actions, whether nothing is in hand, and its noise."""
    return [(reading.actions, reading.complete, reading.noise) for reading in tracker.readings]


def test_an_untouched_board_reads_as_nothing_done() -> None:
    assert read(tracking(STEPS)) == [((), True, 0)]


def test_a_lifted_piece_may_become_any_of_its_actions() -> None:
    (reading,) = feed(tracking(STEPS), "-a1").readings
    assert [live.action for live in reading.live] == ["far", "near"]


def test_a_board_that_is_told_again_is_no_news() -> None:
    tracker = feed(tracking(STEPS), "-a1")
    before = tracker.last_edge
    tracker.feed(tracker.board, before + LONG)
    assert tracker.last_edge == before


def test_what_is_put_back_is_noise_and_noise_counts_against_a_reading() -> None:
    assert read(feed(tracking(STEPS), "-h8 +h8")) == [((), True, 2)]
    assert read(feed(tracking(STEPS), "-h8 +h8 -a1 +b1"))[0] == (("near",), True, 2)


def test_a_cell_that_blinks_leaves_no_trace_even_with_other_edges_in_between() -> None:
    tracker = feed(feed(tracking(STEPS), "-h8"), "-a1 +h8", NUDGE / 3)
    assert read(feed(tracker, "+b1"))[0] == (("near",), True, 0)


def test_a_cell_that_stays_away_longer_did_change() -> None:
    assert read(feed(tracking(STEPS), "-h8 +h8 -a1 +b1", NUDGE))[0][2] == 2


def test_edges_closer_than_the_scan_have_no_order() -> None:
    assert read(feed(tracking(STEPS), "+b1 -a1", TOGETHER))[0] == (("near",), True, 0)
    assert tracking(STEPS).offered() is None


def test_a_piece_set_down_before_it_was_lifted_is_only_offered() -> None:
    tracker = feed(tracking(STEPS), "+b1 -a1")
    assert tracker.readings == ()
    assert tracker.complete == ()
    assert tracker.offered() == ("near",)


def test_both_sides_actions_may_come_in_one_report() -> None:
    assert feed(tracking(STEPS), "-a1&+b1&-h8&+g1").complete == ("near", "reply")


def test_a_report_of_many_edges_is_read_with_the_lifts_first() -> None:
    trace = lift(A1) >> place(H1)
    for victim in VICTIMS:
        trace = trace >> anytime(lift(victim))
    sweep = made_up(
        start=at("light", light="a1", dark="b1 c1 d1 e1 f1 g1", sweep=(trace, "over")), over=at(None, light="h1")
    )
    assert feed(tracking(sweep), "-a1&-b1&-c1&-d1&-e1&-f1&-g1&+h1").complete == ("sweep",)


def test_a_trace_that_does_not_lead_where_the_rules_do_is_not_believed() -> None:
    lies = made_up(start=at("light", light="a1", move=(lift(A1) >> place(B1), "over")), over=at(None, light="c1"))
    tracker = feed(tracking(lies), "-a1 +b1")
    assert tracker.readings == ()
    assert tracker.astray() == Astray(lies.start(), missing=frozenset({A1}), extra=frozenset({B1}))


def test_of_two_ways_to_the_same_state_one_is_kept() -> None:
    alike = made_up(
        start=at("light", light="a1", **dict.fromkeys(("one", "other"), (lift(A1) >> place(B1), "over"))),
        over=at(None, light="b1"),
    )
    assert len(feed(tracking(alike), "-a1 +b1").readings) == 1


def test_what_an_unseen_change_may_be_is_told_only_while_nothing_is_in_hand() -> None:
    tall = made_up(
        start=at("light", light="a1*3 b1", less=(unseen(A1), "over"), away=(lift(B1) >> place(C1), "gone")),
        over=at(None, light="a1*2 b1"),
        gone=at(None, light="a1*3 c1"),
    )
    tracker = tracking(tall)
    assert tracker.confirmable() == (("less",),)
    assert feed(tracker, "-b1").confirmable() == ()
    assert feed(tracker, "+c1").confirmable() == ()


def test_a_second_thought_moves_the_piece_on() -> None:
    tracker = feed(tracking(STEPS), "-a1 +b1")
    tracker.accept(tracker.complete)
    thought = feed(tracker, "-b1 +c1").second_thought()
    assert thought is not None
    assert (thought.dropped, thought.added) == (("near",), ("far",))
    tracker.revise(thought)
    assert read(tracker) == [((), True, 0)]
    assert feed(tracker, "-h8 +g1").complete == ("reply",)


def test_a_second_thought_may_be_to_do_nothing() -> None:
    tracker = feed(tracking(STEPS), "-a1 +b1")
    tracker.accept(tracker.complete)
    thought = feed(tracker, "-b1 +a1").second_thought()
    assert thought is not None
    assert (thought.dropped, thought.added) == (("near",), ())
    tracker.revise(thought)
    assert feed(tracker, "-a1 +c1").complete == ("far",)


def test_the_other_sides_action_can_not_be_thought_better_of() -> None:
    tracker = feed(tracking(STEPS), "-a1 +b1 -h8 +g1")
    tracker.accept(tracker.complete)
    assert feed(tracker, "-b1 +c1").second_thought() is None


def test_after_a_rest_what_was_put_back_counts_no_more() -> None:
    tracker = feed(tracking(STEPS), "-a1 +a1 -h8 +h8")
    tracker.rest()
    assert read(tracker) == [((), True, 0)]


def test_only_the_given_actions_are_read() -> None:
    tracker = tracking(STEPS, only=("far",))
    assert feed(tracker, "-a1 +b1").complete == ()
    assert feed(tracker, "-b1 +c1").complete == ("far",)


def test_a_board_that_differs_from_the_start_is_read_as_it_stands() -> None:
    start = STEPS.start()
    assert Tracker(start, frozenset({B1, H8}), 0.0).complete == ("near",)
    assert Tracker(start, frozenset({D1}), 0.0).astray() == Astray(start, frozenset({A1, H8}), frozenset({D1}))


def test_a_history_that_grows_too_long_is_begun_anew_with_the_board_as_it_stands() -> None:
    tracker = feed(tracking(STEPS), "-a1")
    feed(tracker, "-h8 +h8 " * (LONGEST_HISTORY // 2))
    assert [live.action for live in tracker.likely[0].live] == ["far", "near"]
    assert tracker.likely[0].noise == 0
    assert feed(tracker, "+c1").complete == ("far",)


def test_a_history_that_grows_too_long_on_an_untouched_board_is_forgotten() -> None:
    tracker = feed(tracking(STEPS), "-a1&-h8 +a1 +h8")
    feed(tracker, "-h8 +h8 " * (LONGEST_HISTORY // 2 - 1))
    assert read(tracker) == [((), True, 0)]


def test_what_stands_when_the_history_is_begun_anew_is_still_understood() -> None:
    tracker = feed(tracking(STEPS), "-a1 +b1")
    feed(tracker, "+c1 -c1 " * (LONGEST_HISTORY // 2))
    assert tracker.complete == ("near",)


def test_a_dozen_quick_actions_leave_the_tracker_able_to_go_on() -> None:
    game = make("herd", "3")
    state = game.load(f"3 {'.' * 3}/{'.' * 4}/{'.' * 5}/{'.' * 4}/{'.' * 3} red place 6-6 0 6 -")
    tracker = Watched(state, state.occupancy(), 0.0)
    placed = ("0,0", "1,0", "-1,0", "0,1", "0,-1", "1,-1")
    feed(tracker, " ".join(f"+{cell}" for cell in placed))
    assert [action.cell for action in tracker.complete] == list(placed)
