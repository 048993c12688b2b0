"""Hands without a session: what they do to the world, tidily and not."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest

from reedlight.board.layout import direct
from reedlight.core.game import Game, Kind, Piece, Roll, Side, State
from reedlight.core.grid import Cell
from reedlight.core.trace import Edge
from reedlight.games import make
from reedlight_sim.hand import LIT_AT_LAST, REACTION, SLOPPY, TIDY, Doer, Intent, Slip, Style
from reedlight_sim.soak import random_scripts
from reedlight_sim.words import draw_seen, draw_unseen
from reedlight_sim.world import Sample, World

GAMES = [("draughts", "8"), ("diablo", "4"), ("herd", "3"), ("herd", "brick-3x4")]


@dataclass
class Bench:
    """A world on which time passes, and lights that are always on or always off."""

    world: World
    astray: bool = False
    now: float = 0.0
    first_mask: int = 0
    samples: list[Sample] = field(default_factory=list[Sample])

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.samples += self.world.samples_until(self.now)


def bench_for(game: Game[Any], state: State[Any], seed: int = 1, *, astray: bool = False) -> Bench:
    supply = {Piece(side, Kind.STONE): len(game.grid.cells) for side in (Side.LIGHT, Side.DARK)}
    bench = Bench(World(direct(game.grid), Random(seed), supply), astray)
    bench.world.set_up(state.pieces(), 0.0)
    bench.wait(0.5)
    bench.first_mask = bench.world.mask
    bench.samples.clear()
    return bench


def only(*slips: Slip) -> Style:
    """A hand that always slips so and never otherwise."""
    return replace(SLOPPY, slips=dict.fromkeys(slips, 1.0))


def act(game: Game[Any], state: State[Any], notation: str, style: Style, seed: int = 1) -> tuple[Bench, Doer]:
    """Perform one action and tell what the hands did."""
    bench = bench_for(game, state, seed)
    doer = Doer(bench, game.grid, style, Random(seed))
    action = game.parse(state, notation)
    doer.perform(Intent(state, action, state.apply(action)), draw_seen(state.trace(action), Random(seed)))
    bench.wait(0.1)
    return bench, doer


def changes(game: Game[Any], bench: Bench) -> list[tuple[float, str]]:
    """Each cell whose switch differs from one sample to the next, with its time."""
    layout = direct(game.grid)
    cells = layout.cells_of(bench.first_mask)
    found: list[tuple[float, str]] = []
    for sample in bench.samples:
        after = layout.cells_of(sample.mask)
        found += [(sample.at, f"{'+' if cell in after else '-'}{cell}") for cell in sorted(cells ^ after)]
        cells = after
    return found


@pytest.mark.parametrize(("name", "size"), GAMES)
@pytest.mark.parametrize("style", [TIDY, SLOPPY], ids=["tidy", "sloppy"])
def test_whatever_the_hand_does_on_the_way_the_pieces_end_as_the_rules_say(name: str, size: str, style: Style) -> None:
    game = make(name, size)
    for seed in range(3):
        script = next(random_scripts(game, 1, seed))
        bench = bench_for(game, script.state, seed)
        rng = Random(seed)
        doer = Doer(bench, game.grid, style, rng)
        state = script.state
        for step in script.steps:
            successor = state.apply(step)
            if not isinstance(step, Roll):
                trace = state.trace(step)
                intent = Intent(state, step, successor)
                hidden = None if intent.captures_by_replacement() else draw_unseen(trace, rng)
                doer.perform(intent, draw_seen(trace, rng) if hidden is None else hidden)
                assert bench.world.pieces() == successor.pieces()
            state = successor


def test_a_tidy_hand_makes_the_words_edges_and_no_other() -> None:
    game = make("draughts")
    bench, doer = act(game, game.start(), "c3-d4", TIDY)
    heard = changes(game, bench)
    assert {edge[1:] for _, edge in heard} == {"c3", "d4"}
    assert (heard[0][1], heard[-1][1]) == ("-c3", "+d4")
    assert not any(doer.slips.values())


@pytest.mark.parametrize("slip", [slip for slip in Slip if slip is not Slip.EARLY])
def test_a_sloppy_hand_makes_every_slip_there_is(slip: Slip) -> None:
    drawn = Counter[Slip]()
    for name, size in GAMES:
        game = make(name, size)
        script = next(random_scripts(game, 1, 2))
        bench = bench_for(game, script.state)
        doer = Doer(bench, game.grid, SLOPPY, Random(2))
        state = script.state
        for step in script.steps:
            successor = state.apply(step)
            if not isinstance(step, Roll):
                doer.perform(Intent(state, step, successor), draw_seen(state.trace(step), Random(2)))
            state = successor
        drawn.update(doer.slips)
    assert drawn[slip] > 0


def test_a_second_thought_lifts_the_piece_twice() -> None:
    game = make("draughts")
    bench, doer = act(game, game.start(), "c3-d4", only(Slip.PUT_BACK))
    edges = [edge for _, edge in changes(game, bench)]
    assert edges[0] == "-c3"
    assert edges.index("+c3") < len(edges) - 1 - edges[::-1].index("-c3")
    assert doer.slips == {Slip.PUT_BACK: 1}
    assert doer.strayed == {Cell("c3")}


def test_a_slide_closes_the_cells_on_the_way_for_less_than_a_tenth_of_a_second() -> None:
    game = make("draughts")
    state = game.load("W:WKa1:Bh6")
    bench, doer = act(game, state, "a1-e5", only(Slip.SLIDE))
    assert doer.slips[Slip.SLIDE] == 1
    heard = changes(game, bench)
    for cell in ("b2", "c3", "d4"):
        times = [at for at, edge in heard if edge[1:] == cell]
        assert 0.03 <= times[-1] - times[0] < 0.1


def test_a_nudged_neighbour_is_off_for_a_blink() -> None:
    game = make("draughts")
    _, doer = act(game, game.load("W:Wc3,c1,d4:Bh8"), "d4-e5", only(Slip.NUDGE))
    assert doer.slips[Slip.NUDGE] == 0  # nothing stands beside d4 or e5 along an edge
    game = make("diablo", "4")
    state = game.start().apply(Roll((1, 2)))
    _, doer = act(game, state, "capture 1 a1-b1", only(Slip.NUDGE))
    assert doer.slips[Slip.NUDGE] > 0


def test_two_hands_lift_at_the_same_instant() -> None:
    game = make("diablo", "4")
    state = game.start().apply(Roll((1, 2)))
    bench, doer = act(game, state, "capture 1 a1-b1", only(Slip.BOTH_HANDS))
    heard = changes(game, bench)
    first = {edge: at for at, edge in reversed(heard) if edge in {"-a1", "-b1"}}
    assert first["-a1"] == first["-b1"]
    assert doer.slips[Slip.BOTH_HANDS] == 1


def test_a_piece_on_a_wrong_cell_stays_until_that_is_lit() -> None:
    game = make("draughts")
    state = game.load("W:Wa1:Bh8")
    action = game.parse(state, "a1-b2")
    waited: dict[bool, float] = {}
    for astray in (False, True):
        bench = bench_for(game, state, astray=astray)
        doer = Doer(bench, game.grid, only(Slip.WRONG_CELL), Random(3))
        doer.perform(Intent(state, action, state.apply(action)), (Edge(Cell("a1"), False), Edge(Cell("b2"), True)))  # noqa: FBT003  # an edge's two words
        assert doer.slips[Slip.WRONG_CELL] == 1
        (wrong,) = doer.strayed
        placed = [at for at, edge in changes(game, bench) if edge == f"+{wrong}"]
        lifted = [at for at, edge in changes(game, bench) if edge == f"-{wrong}"]
        waited[astray] = max(lifted) - min(placed)
    assert waited[True] <= REACTION[1] + 0.01
    assert waited[False] > LIT_AT_LAST


def test_a_piece_that_might_stay_is_set_down_in_passing_only() -> None:
    game = make("herd", "3")
    state = game.start().apply(Roll((3, 4)))
    for seed in range(10):
        bench, doer = act(game, state, "place 0,0", only(Slip.WRONG_CELL), seed)
        assert doer.slips == {Slip.PASSING: 1}
        (wrong,) = doer.strayed
        times = [at for at, edge in changes(game, bench) if edge[1:] == wrong]
        assert times[-1] - times[0] < 0.25


def test_a_wrong_piece_is_put_back_and_nothing_is_tapped_that_would_be_an_action() -> None:
    game = make("diablo", "4")
    state = game.load("B2,3/4/2,B2,1/3,G3 B dice 1,1 began empty left 1")
    assert {game.notate(state, action) for action in state.legal_actions()} == {"remove a4", "remove c2"}
    for seed in range(10):
        _, doer = act(game, state, "remove a4", only(Slip.WRONG_PIECE, Slip.PUT_BACK), seed)
        assert doer.strayed <= {Cell("d1")}


def test_with_nothing_else_on_the_board_there_is_no_wrong_piece_and_with_no_room_no_wrong_cell() -> None:
    game = make("herd", "2")
    state = game.start().apply(Roll((1, 1)))
    _, doer = act(game, state, "place 0,0", only(Slip.WRONG_PIECE))
    assert doer.strayed == frozenset()
    full = game.load("2 RB/R.R/RR blue place 1-1 0 1 -")
    assert [game.notate(full, action) for action in full.legal_actions()] == ["place 0,0"]
    _, doer = act(game, full, "place 0,0", only(Slip.WRONG_CELL))
    assert doer.strayed == frozenset()


def test_a_word_of_another_action_is_found_out() -> None:
    game = make("draughts")
    state = game.start()
    action, other = game.parse(state, "c3-d4"), game.parse(state, "c3-b4")
    bench = bench_for(game, state)
    with pytest.raises(AssertionError, match="does not lead to what the rules say"):
        Doer(bench, game.grid, TIDY, Random(1)).perform(
            Intent(state, action, state.apply(other)), draw_seen(state.trace(action), Random(1))
        )
