"""From what is understood to what is lit, one question at a time."""

from __future__ import annotations

from made_up import at, made_up

from reedlight.core.game import Side
from reedlight.core.grid import Cell
from reedlight.core.trace import Edge, Trace, anytime, lift, onto, place, residuals, unseen
from reedlight.scene import compose
from reedlight.scene.scene import Mark

A1, B1, C1, D1, E1, F1 = map(Cell, ("a1", "b1", "c1", "d1", "e1", "f1"))

GAME = made_up(
    start=at(
        "light",
        light="a1 b1*2",
        dark="c1 d1*3",
        away=(lift(A1) >> place(E1), "start"),
        merge=(onto(A1, B1), "start"),
        take=(onto(A1, C1), "start"),
        jump=(lift(B1) >> place(E1) >> anytime(lift(C1)) >> place(F1) >> anytime(lift(D1)), "start"),
        enter=(place(F1), "start"),
        remove=(unseen(B1), "start"),
    )
)
STATE = GAME.start()


def marks(lights: compose.Lights) -> dict[str, str]:
    return {str(cell): light.mark.value for cell, light in lights.items()}


def traces(*actions: str) -> list[tuple[str, Trace]]:
    return [(action, STATE.trace(action)) for action in actions]


def after(trace: Trace, *edges: str) -> Trace:
    for edge in edges:
        trace = residuals(trace, Edge(Cell(edge[1:]), occupied=edge[0] == "+"))[0]
    return trace


def origins(action: str) -> dict[str, str]:
    return {str(cell): mark.value for cell, mark in compose.origins(STATE, STATE.trace(action), STATE.pieces()).items()}


def test_an_action_begins_at_the_piece_that_moves() -> None:
    assert origins("away") == {"a1": "movable"}
    assert origins("take") == {"a1": "movable"}
    assert origins("jump") == {"b1": "movable"}


def test_a_merge_begins_at_the_stack_that_moves_and_not_at_the_other() -> None:
    assert origins("merge") == {"a1": "movable"}


def test_a_piece_that_is_set_down_from_outside_is_lit_where_it_goes() -> None:
    assert origins("enter") == {"f1": "target"}


def test_a_piece_that_is_given_up_is_lit_as_such() -> None:
    assert origins("remove") == {"b1": "remove"}


def test_a_cell_where_several_things_begin_shows_the_one_that_changes_most() -> None:
    assert marks(compose.beginnings(GAME, STATE, ["jump", "remove", "away"])) == {"b1": "remove", "a1": "movable"}


def test_a_note_stands_only_where_it_is_the_same_for_all_that_can_be_done() -> None:
    lights = compose.beginnings(GAME, STATE, ["enter", "remove", "away"])
    assert {str(cell): light.note for cell, light in lights.items()} == {"f1": "enter", "b1": "remove", "a1": ""}
    assert compose.targets(GAME, STATE, traces("away", "jump"), frozenset({A1}))[E1].note == ""


def test_the_kind_of_a_target_follows_from_what_stands_there() -> None:
    lights = compose.targets(GAME, STATE, traces("away", "merge", "take"), frozenset({A1}))
    assert marks(lights) == {"e1": "target", "b1": "merge", "c1": "capture"}


def test_the_cell_a_piece_was_lifted_from_is_its_own_home_and_an_enemys_is_a_capture() -> None:
    assert marks(compose.targets(GAME, STATE, traces("merge"), frozenset({B1}))) == {"b1": "target"}
    assert marks(compose.targets(GAME, STATE, traces("take"), frozenset({C1}))) == {"c1": "capture"}


def test_only_what_every_action_takes_is_to_be_taken_off() -> None:
    jump = after(STATE.trace("jump"), "-b1", "+e1")
    assert compose.taken([jump]) == {C1}
    assert compose.taken([jump, STATE.trace("away")]) == frozenset()
    assert compose.taken([]) == frozenset()


def test_what_is_out_of_place_is_lit_with_what_belongs_there() -> None:
    lights = compose.out_of_place({A1: "a black checker", B1: "a white stack of 2"}, [F1])
    assert marks(lights) == {"a1": "missing", "b1": "missing", "f1": "extra"}
    assert {str(cell): light.note for cell, light in lights.items()} == {
        "a1": "a black checker belongs here",
        "b1": "a white stack of 2 belongs here",
        "f1": "take it away",
    }


def test_the_winners_pieces_are_lit_and_nobodys_after_a_draw() -> None:
    assert {cell for cell, light in compose.winner(STATE, Side.DARK).items() if light.mark is Mark.WINNER} == {C1, D1}
    assert compose.winner(STATE, None) == {}
