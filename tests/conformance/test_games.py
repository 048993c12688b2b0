"""What every game must pass. A new game is one row in the registry and is asked all of this by itself.

Positions come from a few random games of each board, played once and kept; the tests say what must hold
in all of them. What a game looks like at its own rules is tested with that game.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from inspect import getfile
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

import reedlight.games
from reedlight.core.game import (
    BadNotation,
    BadOption,
    Caption,
    Declaration,
    Game,
    IllegalAction,
    Piece,
    Roll,
    Side,
    Speech,
    State,
    tally,
)
from reedlight.core.grid import Cell, Grid, brick
from reedlight.core.trace import Edge, Finish, Trace, cells, finish, first_edges, residuals
from reedlight.games import REGISTRY, make

PACKAGES = Path(getfile(reedlight.games)).parent
VECTORS = Path(__file__).parents[1] / "vectors"

MORE_SIZES: Mapping[str, tuple[str, ...]] = {"diablo": ("4",), "herd": ("2", "square-4x5", "brick-4x3")}
"""Boards that are not offered but can be made, smaller so that their ends come soon."""
LEAST_STEPS_COUNTED = 4
LOOK_THE_SAME_FROM_BOTH_SIDES = ("diablo", "herd")
"""Games whose rules and start are the same when the board is turned by half, colours kept."""

BOARDS = [(name, size) for name, entry in REGISTRY.items() for size in (*entry.sizes, *MORE_SIZES.get(name, ()))]
SEEDS = range(3)
every_board = pytest.mark.parametrize(("name", "size"), BOARDS, ids=[f"{name}-{size}" for name, size in BOARDS])
every_game = pytest.mark.parametrize("name", REGISTRY)


@dataclass(frozen=True)
class Ply:
    """One step of a random game: a state, what was chosen in it, and what it led to."""

    state: State[Any]
    choice: Any
    after: State[Any]


def choices(state: State[Any]) -> list[Any]:
    return [*state.chance(), *state.legal_actions()]


@cache
def played(name: str, size: str, seed: int) -> tuple[Ply, ...]:
    """A whole random game."""
    chance, state = Random(seed), make(name, size).start()
    plies: list[Ply] = []
    while state.to_act is not None:
        choice = chance.choice(choices(state))
        after = state.apply(choice)
        plies.append(Ply(state, choice, after))
        state = after
    return tuple(plies)


def all_plies(name: str, size: str) -> Iterator[Ply]:
    for seed in SEEDS:
        yield from played(name, size, seed)


def all_states(name: str, size: str) -> Iterator[State[Any]]:
    for seed in SEEDS:
        yield from (ply.state for ply in played(name, size, seed))
        yield played(name, size, seed)[-1].after


def some_states(name: str, size: str, count: int = 40) -> list[State[Any]]:
    """So many of the states, spread over the games, for tests that look at every action of each."""
    states = list(all_states(name, size))
    return states[:: max(1, len(states) // count)]


# --------------------------------------------------------------------------------------- the registry


@every_game
def test_the_registry_says_what_the_game_says(name: str) -> None:
    entry = REGISTRY[name]
    assert entry.usual in entry.sizes
    assert make(name) == make(name, entry.usual)
    for size in entry.sizes:
        game = make(name, size)
        assert (game.name, game.title, game.size) == (name, entry.title, size)
        assert game == make(name, size)
        assert hash(game) == hash(make(name, size))
    assert len({make(name, size) for size in entry.sizes}) == len(entry.sizes)


@pytest.mark.parametrize("size", ["", "0", "no such size", "-8", "8.5"])
@every_game
def test_a_size_that_does_not_exist_is_refused_in_one_sentence(name: str, size: str) -> None:
    with pytest.raises(BadOption) as refused:
        make(name, size)
    assert repr(size) in str(refused.value)
    assert "\n" not in str(refused.value)


@every_game
def test_a_game_has_its_rules_told(name: str) -> None:
    rules = (PACKAGES / name / "README.md").read_text("utf-8")
    assert REGISTRY[name].title in rules
    assert "ource" in rules, "the rules must say where they come from"


@every_game
def test_as_many_ways_lead_on_from_the_start_as_an_independent_program_counts(name: str) -> None:
    """``counts.json`` holds for each size how many sequences of one, two, ... steps there are, rolls being steps."""
    counts: dict[str, list[int]] = json.loads((VECTORS / name / "counts.json").read_text("utf-8"))
    assert min(map(len, counts.values())) >= LEAST_STEPS_COUNTED
    for size, sequences in counts.items():
        assert [ways_on(make(name, size).start(), steps) for steps in range(1, len(sequences) + 1)] == sequences, size


def ways_on(state: State[Any], steps: int) -> int:
    """The sequences of so many steps; one that ends the game earlier counts too."""
    if steps == 0 or state.outcome is not None:
        return 1
    return sum(ways_on(state.apply(choice), steps - 1) for choice in (*state.chance(), *state.legal_actions()))


@every_game
def test_the_rules_draw_on_no_chance_and_no_clock(name: str) -> None:
    for file in (PACKAGES / name).glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            named = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            named += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {"random", "secrets", "time", "datetime"} & {module.split(".")[0] for module in named}, file


# ---------------------------------------------------------------------------------------- the states


@every_board
def test_the_start_is_equal_twice_and_not_over(name: str, size: str) -> None:
    game = make(name, size)
    assert game.start() == game.start() == make(name, size).start()
    assert game.start().outcome is None
    assert set(game.sides) == {Side.LIGHT, Side.DARK}


@every_board
def test_exactly_one_of_who_acts_and_the_outcome_is_none(name: str, size: str) -> None:
    for state in all_states(name, size):
        assert (state.to_act is None) != (state.outcome is None)


@every_board
def test_a_finished_game_says_who_won_and_why(name: str, size: str) -> None:
    for seed in SEEDS:
        outcome = played(name, size, seed)[-1].after.outcome
        assert outcome is not None
        assert outcome.winner in (Side.LIGHT, Side.DARK, None)
        assert outcome.reason


@every_board
def test_actions_are_sorted_and_unique_and_there_is_one_exactly_while_a_player_acts(name: str, size: str) -> None:
    for state in all_states(name, size):
        actions = list(state.legal_actions())
        assert actions == sorted(actions)
        assert len(set(actions)) == len(actions)
        assert bool(actions) == (state.to_act in (Side.LIGHT, Side.DARK))


@every_board
def test_rolls_have_exact_odds_that_sum_to_one_and_each_may_fall(name: str, size: str) -> None:
    for state in all_states(name, size):
        odds = state.chance()
        assert bool(odds) == (state.to_act is Side.CHANCE)
        if odds:
            assert all(isinstance(part, Fraction) and part > 0 for part in odds.values())
            assert sum(odds.values()) == 1
    for state in some_states(name, size):
        for roll in state.chance():
            assert state.apply(roll).pieces() == state.pieces()


@every_board
def test_dice_show_what_fell_and_nothing_before_the_roll(name: str, size: str) -> None:
    for ply in all_plies(name, size):
        if ply.state.to_act is Side.CHANCE:
            assert not ply.state.dice()
        if isinstance(ply.choice, Roll) and ply.after.to_act in (Side.LIGHT, Side.DARK):
            assert tuple(die.pips for die in ply.after.dice()) == ply.choice.dice
        assert all(0 < len(die.note) <= 14 for die in ply.after.dice())


@every_board
def test_applying_leaves_the_state_as_it_was_and_gives_the_same_twice(name: str, size: str) -> None:
    game = make(name, size)
    for state in some_states(name, size):
        seen = (game.dump(state), list(state.legal_actions()), dict(state.pieces()), state.to_act)
        for choice in choices(state):
            assert state.apply(choice) == state.apply(choice)
        assert seen == (game.dump(state), list(state.legal_actions()), dict(state.pieces()), state.to_act)


@every_board
def test_an_action_that_is_legal_elsewhere_only_is_refused(name: str, size: str) -> None:
    states = some_states(name, size)
    elsewhere = {choice for state in states for choice in islice(choices(state), 0, None, 5)} | {Roll((99, 99))}
    for state in islice(states, 0, None, 4):
        before = make(name, size).dump(state)
        for choice in elsewhere - set(choices(state)):
            with pytest.raises(IllegalAction):
                state.apply(choice)
        assert make(name, size).dump(state) == before


@every_board
def test_what_may_be_declared_is_accepted_and_nothing_else(name: str, size: str) -> None:
    for state in some_states(name, size):
        allowed = set(state.declarations())
        for declaration in (Declaration(side, speech) for side in (Side.LIGHT, Side.DARK) for speech in Speech):
            if declaration in allowed:
                after = state.apply(declaration)
                assert after.pieces() == state.pieces()
                assert (after.to_act is None) != (after.outcome is None)
            else:
                with pytest.raises(IllegalAction):
                    state.apply(declaration)


@every_board
def test_random_games_end_within_the_bound(name: str, size: str) -> None:
    for seed in SEEDS:
        actions = sum(not isinstance(ply.choice, Roll) for ply in played(name, size, seed))
        assert actions <= make(name, size).max_plies


# ---------------------------------------------------------------------------------------- the pieces


@every_board
def test_pieces_stand_on_cells_of_the_grid(name: str, size: str) -> None:
    everywhere = set(make(name, size).grid.cells)
    for state in all_states(name, size):
        assert state.occupancy() == set(state.pieces()) <= everywhere
        assert all(piece.side in (Side.LIGHT, Side.DARK) and piece.height >= 1 for piece in state.pieces().values())


@every_board
def test_pieces_are_conserved_except_as_the_action_says(name: str, size: str) -> None:
    """An action brings in one piece of the side that acts at most, and changes no cell its trace does not name."""
    for state in some_states(name, size):
        for action in state.legal_actions():
            side, after = state.to_act, state.apply(action)
            assert side is not None
            before, now = tally(state), tally(after)
            assert now[side] <= before[side] + 1
            assert now[side.other] <= before[side.other]
            assert changed(state, after) <= cells(state.trace(action))


def changed(before: State[Any], after: State[Any]) -> set[Cell]:
    return {cell for cell, _ in set(before.pieces().items()) ^ set(after.pieces().items())}


# ---------------------------------------------------------------------------------------- the traces


def perform(occupied: frozenset[Cell], edges: list[Edge]) -> frozenset[Cell]:
    """The occupancy after the edges; fails where a hand could not make one."""
    for edge in edges:
        assert (edge.cell in occupied) != edge.occupied, f"{edge} is impossible with {sorted(occupied)}"
        occupied = occupied ^ {edge.cell}
    return occupied


def random_word(trace: Trace, chance: Random) -> list[Edge]:
    """One way a hand might perform the trace, to an end it has."""
    word: list[Edge] = []
    while edges := sorted(first_edges(trace), key=str):
        if finish(trace) is not Finish.NO and chance.random() < 0.5:
            break
        word.append(chance.choice(edges))
        trace = chance.choice(residuals(trace, word[-1]))
    assert finish(trace) is not Finish.NO
    return word


@every_board
def test_every_random_word_of_a_trace_can_be_performed_and_ends_in_the_right_occupancy(name: str, size: str) -> None:
    chance = Random(name + size)
    for state in some_states(name, size):
        for action in state.legal_actions():
            expected = state.apply(action).occupancy()
            for _ in range(3):
                word = random_word(state.trace(action), chance)
                assert perform(state.occupancy(), word) == expected, f"{action}: {' '.join(map(str, word))}"


def test_a_word_that_no_hand_could_perform_is_noticed() -> None:
    here, there = Cell("a1"), Cell("b2")
    assert perform(frozenset({here}), [Edge(here, occupied=False), Edge(there, occupied=True)]) == {there}
    for impossible in (Edge(there, occupied=False), Edge(here, occupied=True)):
        with pytest.raises(AssertionError, match="impossible"):
            perform(frozenset({here}), [impossible])


# ------------------------------------------------------------------------------------------- the text


@every_board
def test_an_action_survives_its_text_and_no_two_share_one(name: str, size: str) -> None:
    game = make(name, size)
    for state in some_states(name, size):
        texts = [game.notate(state, action) for action in state.legal_actions()]
        assert len(set(texts)) == len(texts)
        assert [game.parse(state, text) for text in texts] == list(state.legal_actions())


@every_board
def test_text_of_elsewhere_names_a_legal_action_or_is_refused(name: str, size: str) -> None:
    game = make(name, size)
    states = some_states(name, size, 8)
    texts = {game.notate(state, action) for state in states for action in islice(state.legal_actions(), 0, None, 7)}
    for state in states:
        for text in texts:
            understood = parsed(game, state, text)
            assert isinstance(understood, (IllegalAction, BadNotation)) or understood in state.legal_actions()
        for nonsense in ("", "?", "a", "\N{SNOWMAN}", "1" * 40):
            with pytest.raises(BadNotation):
                game.parse(state, nonsense)


def parsed(game: Game[Any], state: State[Any], text: str) -> object:
    """The action, or the refusal."""
    try:
        return game.parse(state, text)
    except (IllegalAction, BadNotation) as refusal:
        return refusal


@every_board
def test_a_position_survives_its_text(name: str, size: str) -> None:
    game = make(name, size)
    for state in all_states(name, size):
        line = game.dump(state)
        again = game.load(line)
        assert "\n" not in line
        assert game.dump(again) == line
        assert again.pieces() == state.pieces()
        if state.outcome is None:
            assert again.to_act == state.to_act
            assert list(again.legal_actions()) == list(state.legal_actions())
            assert again.chance() == state.chance()


@every_board
def test_a_damaged_position_is_read_as_another_or_refused_in_one_line(name: str, size: str) -> None:
    game, chance = make(name, size), Random(5)
    lines = [game.dump(state) for state in some_states(name, size)]
    found = [loaded(game, damage(line, chance)) for line in lines for _ in range(10)]
    refusals = [each for each in found if isinstance(each, BadNotation)]
    positions = [each for each in found if not isinstance(each, BadNotation)]
    assert refusals
    assert all(str(refusal) and "\n" not in str(refusal) for refusal in refusals)
    assert all((state.to_act is None) != (state.outcome is None) for state in positions)
    assert all(game.dump(game.load(game.dump(state))) == game.dump(state) for state in positions)


def loaded(game: Game[Any], line: str) -> State[Any] | BadNotation:
    """The position, or the refusal."""
    try:
        return game.load(line)
    except BadNotation as refusal:
        return refusal


def damage(line: str, chance: Random) -> str:
    at = chance.randrange(len(line))
    instead = chance.choice([*"0129-./: xWBRG", "", line[at] * 2])
    return line[:at] + instead + line[at + 1 :]


@every_board
def test_a_picture_has_a_line_for_every_row(name: str, size: str) -> None:
    game = make(name, size)
    rows = {y for _, y in game.grid.places.values()}
    for state in some_states(name, size):
        assert len(game.picture(state).splitlines()) >= len(rows)


# ------------------------------------------------------------------------------------------ the words


@every_board
def test_advice_and_labels_are_short_enough_for_the_board(name: str, size: str) -> None:
    game = make(name, size)
    for state in all_states(name, size):
        advice = game.advise(state)
        assert isinstance(advice, Caption)
        assert 0 < len(advice.say) <= 70
        assert len(advice.why) <= 58
    for state in some_states(name, size):
        for action in state.legal_actions():
            assert 0 < len(game.label(state, action)) <= 24


@every_board
def test_every_cell_can_be_refused_in_a_sentence(name: str, size: str) -> None:
    game = make(name, size)
    for state in some_states(name, size):
        for cell in game.grid.cells:
            reason = game.refuse(state, cell)
            assert 0 < len(reason) <= 70
            assert "\n" not in reason


# ---------------------------------------------------------------------------------------- the symmetry


def half_turn(grid: Grid) -> dict[Cell, Cell] | None:
    """Where each cell goes when the board is turned by half; None where the grid does not fit itself so."""
    across = [sum(axis) for axis in zip(*_corners(grid), strict=True)]
    at = {(round(x, 3), round(y, 3)): cell for cell, (x, y) in grid.places.items()}
    turned = {cell: at.get((round(across[0] - x, 3), round(across[1] - y, 3))) for cell, (x, y) in grid.places.items()}
    found = {cell: other for cell, other in turned.items() if other is not None}
    return found if len(found) == len(turned) else None


def _corners(grid: Grid) -> tuple[tuple[float, float], tuple[float, float]]:
    xs, ys = zip(*grid.places.values(), strict=True)
    return (min(xs), min(ys)), (max(xs), max(ys))


def test_a_grid_that_does_not_fit_itself_when_turned_is_noticed() -> None:
    assert half_turn(brick(3, 3)) is None
    assert half_turn(brick(2, 2)) == {"0,0": "1,1", "1,1": "0,0", "1,0": "0,1", "0,1": "1,0"}


def turned(state: State[Any], turn: Mapping[Cell, Cell]) -> frozenset[tuple[Cell, Piece]]:
    return frozenset((turn[cell], piece) for cell, piece in state.pieces().items())


@pytest.mark.parametrize(("name", "size"), [board for board in BOARDS if board[0] in LOOK_THE_SAME_FROM_BOTH_SIDES])
def test_the_game_is_the_same_on_a_board_turned_by_half(name: str, size: str) -> None:
    game = make(name, size)
    turn = half_turn(game.grid)
    assert turn is not None, "choose a board that fits itself when it is turned"
    state, other = game.start(), game.start()
    chance = Random(11)
    for _ in range(16):
        assert turned(state, turn) == frozenset(other.pieces().items())
        assert state.to_act is other.to_act
        if state.to_act is Side.CHANCE:
            roll = chance.choice(list(state.chance()))
            state, other = state.apply(roll), other.apply(roll)
        elif state.to_act is not None:
            here = {turned(after, turn): after for after in map(state.apply, state.legal_actions())}
            there = {frozenset(after.pieces().items()): after for after in map(other.apply, other.legal_actions())}
            assert here.keys() == there.keys()
            pieces = chance.choice(list(here))
            state, other = here[pieces], there[pieces]
