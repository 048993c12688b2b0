"""Traces: told as what a hand does, then as an algebra against the words that it stands for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reedlight.core.grid import Cell
from reedlight.core.trace import (
    NOTHING,
    Edge,
    Finish,
    Trace,
    anytime,
    cells,
    due,
    either,
    finish,
    first_edges,
    landings,
    lift,
    maybe,
    onto,
    place,
    residuals,
    unseen,
)

A, B, C, D, E, F = map(Cell, "abcdef")


def edge(text: str) -> Edge:
    """``+e5`` or ``-e5``, as edges print themselves."""
    return Edge(Cell(text[1:]), text[0] == "+")


def readings(trace: Trace, word: str) -> list[Trace]:
    """What is left after ``-c3 +e5``, once for each way to read it."""
    left = [trace]
    for text in word.split():
        left = [rest for one in left for rest in residuals(one, edge(text))]
    return left


def reads(trace: Trace, word: str) -> Finish | None:
    """How finished the trace is after the word; None where the word does not fit."""
    return max((finish(left) for left in readings(trace, word)), default=None)


def shown(edges: Iterable[Edge]) -> set[str]:
    return set(map(str, edges))


# ------------------------------------------------------------------------------------------- stories


def test_a_step_is_one_edge() -> None:
    assert reads(lift(A), "-a") is Finish.YES
    assert reads(place(A), "+a") is Finish.YES
    for wrong in ("+a", "-b", "-a -a"):
        assert reads(lift(A), wrong) is None
    assert reads(lift(A), "") is Finish.NO


def test_an_action_that_needs_no_hand_is_finished_and_takes_no_edge() -> None:
    assert reads(NOTHING, "") is Finish.YES
    assert reads(NOTHING, "-a") is None
    assert first_edges(NOTHING) == cells(NOTHING) == landings(NOTHING) == due(NOTHING) == frozenset()


def test_a_move_is_a_lift_then_a_placement() -> None:
    move = lift(A) >> place(B)
    assert [reads(move, word) for word in ("", "-a", "-a +b", "+b", "+b -a")] == [
        Finish.NO,
        Finish.NO,
        Finish.YES,
        None,
        None,
    ]


def test_nothing_is_the_neutral_element() -> None:
    assert NOTHING >> lift(A) == lift(A) >> NOTHING == NOTHING | lift(A) == lift(A) | NOTHING == lift(A)
    assert NOTHING | NOTHING == NOTHING
    assert maybe(NOTHING) == NOTHING
    assert either(lift(A), lift(A)) == lift(A)


def test_both_may_come_in_any_order_interleaved() -> None:
    both = (lift(A) >> place(B)) | (lift(C) >> place(D))
    for word in ("-a +b -c +d", "-a -c +b +d", "-a -c +d +b", "-c -a +b +d", "-c +d -a +b"):
        assert reads(both, word) is Finish.YES
    assert reads(both, "+b -a -c +d") is None
    assert reads(both, "-a +b -c") is Finish.NO


JUMP = lift(A) >> place(C) >> anytime(lift(B))


@pytest.mark.parametrize("word", ["-a +c -b", "-a -b +c", "-b -a +c"])
def test_a_jumped_man_may_leave_before_during_or_after(word: str) -> None:
    assert reads(JUMP, word) is Finish.YES


@pytest.mark.parametrize(
    ("word", "asked"), [("", set()), ("-a", set()), ("-a +c", {B}), ("-b", set()), ("-b -a +c", set())]
)
def test_a_jumped_man_is_due_once_the_jumping_man_has_landed(word: str, asked: set[Cell]) -> None:
    (left,) = readings(JUMP, word)
    assert due(left) == asked


def test_in_a_chain_each_man_is_due_after_its_own_jump() -> None:
    chain_of_two = lift(A) >> place(C) >> anytime(lift(B)) >> lift(C) >> place(E) >> anytime(lift(D))
    asked = [
        due(left) for word in ("", "-a", "-a +c", "-a +c -c", "-a +c -c +e") for left in readings(chain_of_two, word)
    ]
    assert asked == [set(), set(), {B}, {B}, {B, D}]
    assert reads(chain_of_two, "-a +c -c +e -d -b") is Finish.YES
    assert reads(chain_of_two, "-d -b -a +c -c +e") is Finish.YES


def test_a_king_may_come_back_to_its_own_cell_with_the_men_lifted_last() -> None:
    """Four captures in a circle, without touching the board between: the king's cell is lifted and set."""
    circle = lift(A) >> place(A) >> anytime(lift(B)) >> anytime(lift(C)) >> anytime(lift(D)) >> anytime(lift(E))
    assert reads(circle, "-a +a") is Finish.NO
    (left,) = readings(circle, "-a +a")
    assert due(left) == {B, C, D, E}
    assert reads(circle, "-a +a -e -c -b -d") is Finish.YES


@pytest.mark.parametrize("word", ["-a -b +b", "-b -a +b"])
def test_a_capture_by_replacement_lifts_either_stack_first(word: str) -> None:
    assert reads(onto(A, B), word) is Finish.YES


def test_a_stack_set_on_another_may_not_be_seen_and_must_then_be_confirmed() -> None:
    assert reads(onto(A, B), "-a") is Finish.IF_CONFIRMED
    assert reads(onto(A, B), "-b") is Finish.NO
    assert reads(onto(A, B), "-a +b") is None


def test_a_tap_shows_what_is_unseen() -> None:
    assert [reads(unseen(A), word) for word in ("", "-a", "-a +a", "+a")] == [
        Finish.IF_CONFIRMED,
        Finish.NO,
        Finish.YES,
        None,
    ]


def test_what_must_be_confirmed_is_not_passed_over_in_silence() -> None:
    both = unseen(A) >> lift(B)
    assert reads(both, "-b") is None
    assert reads(both, "-a +a -b") is Finish.YES
    assert reads(lift(B) >> unseen(A), "-b") is Finish.IF_CONFIRMED


def test_a_stop_on_the_way_may_be_left_out() -> None:
    with_stop = lift(A) >> maybe(place(B) >> lift(B)) >> place(C)
    assert reads(with_stop, "-a +c") is Finish.YES
    assert reads(with_stop, "-a +b -b +c") is Finish.YES
    assert reads(with_stop, "-a +b +c") is None
    assert reads(maybe(lift(A)), "") is Finish.YES


def test_one_of_two_ways_excludes_the_other() -> None:
    ways = either(place(A) >> place(B), place(A) >> place(C))
    assert len(readings(ways, "+a")) == 2
    assert reads(ways, "+a +c") is Finish.YES
    assert reads(ways, "+a +b +c") is None


def test_readings_that_leave_the_same_are_one() -> None:
    assert residuals(lift(A) | lift(A), edge("-a")) == (lift(A),)


def test_lamps_invite_to_what_may_come_next() -> None:
    assert shown(first_edges(JUMP)) == {"-a", "-b"}
    assert shown(first_edges(maybe(lift(A)) >> place(B))) == {"-a", "+b"}
    assert shown(first_edges(onto(A, B))) == {"-a", "-b"}
    assert shown(first_edges(unseen(A) >> place(B))) == {"-a"}


def test_a_held_piece_may_go_to_the_first_placements_ahead() -> None:
    assert landings(JUMP) == {C}
    assert landings(lift(A) >> maybe(place(B) >> lift(B)) >> place(C)) == {B, C}
    assert landings(either(place(A), lift(B)) >> place(C)) == {A, C}
    assert landings(place(A) >> place(B)) == {A}
    assert landings((place(A) | lift(B)) >> place(C)) == {A}
    assert landings((lift(A) | lift(B)) >> place(C)) == {C}
    assert landings(lift(A)) == frozenset()
    assert landings(anytime(lift(A))) == frozenset()


def test_nothing_but_parts_of_a_line_is_due() -> None:
    assert due(lift(A) >> place(B)) == frozenset()
    assert due(anytime(lift(A)) >> lift(B) >> place(C)) == {A}
    assert due(lift(B) >> anytime(lift(A)) >> place(C)) == {A}
    assert due(anytime(place(A)) >> lift(B)) == frozenset()


def test_a_man_is_not_due_while_its_jump_is_one_of_several_ways_ahead() -> None:
    either_way = lift(A) >> either(place(B), place(C)) >> anytime(lift(D)) >> place(E)
    assert due(either_way) == frozenset()
    (left,) = readings(either_way, "-a +c")
    assert due(left) == {D}


def test_a_man_lifted_early_in_one_of_several_ways_is_still_read() -> None:
    ways = either(JUMP, lift(A) >> place(D))
    assert reads(ways, "-b -a +c") is Finish.YES
    assert reads(ways, "-a +d") is Finish.YES
    assert reads(ways, "-b -a +d") is None
    assert landings(ways) == {C, D}
    assert cells(ways) == {A, B, C, D}


def test_a_trace_knows_its_cells_and_an_edge_how_to_print_itself() -> None:
    assert cells(JUMP | maybe(place(D))) == {A, B, C, D}
    assert [str(Edge(A, occupied=True)), str(Edge(B, occupied=False))] == ["+a", "-b"]


# ------------------------------------------------------------------------------------------- algebra
#
# A recipe is a trace as a nested tuple; ``built`` makes the trace of it, ``language`` its words with how
# finished each leaves it, by definition and without any residual. The two must agree in every word.

UNHURRIED = settings(deadline=None)  # a busy machine is no failure

Recipe = tuple  # type: ignore[type-arg]
Word = tuple[str, ...]
Language = dict[Word, Finish]

STEPS = st.sampled_from([("step", sign + cell) for sign in "+-" for cell in "abc"])
CONFIRMED = st.sampled_from([("unseen", cell) for cell in "abc"])


def _larger(smaller: st.SearchStrategy[Recipe]) -> st.SearchStrategy[Recipe]:
    pairs = st.lists(smaller, min_size=2, max_size=2)
    return st.one_of(
        pairs.map(lambda parts: ("then", *parts)),
        pairs.map(lambda parts: ("both", *parts)),
        pairs.map(lambda parts: ("either", *parts)),
        smaller.map(lambda part: ("maybe", part)),
    )


def _lines(parts: st.SearchStrategy[Recipe]) -> st.SearchStrategy[Recipe]:
    """Parts that may come at any moment stand in the main line, as they do in every game."""
    at_any_moment = STEPS.map(lambda part: ("anytime", part))
    return st.lists(st.one_of(parts, at_any_moment), min_size=1, max_size=3).map(lambda found: ("line", *found))


RECIPES = st.recursive(st.one_of(STEPS, CONFIRMED), _larger, max_leaves=3)
LINES = _lines(RECIPES)
SEEN_LINES = _lines(st.recursive(STEPS, _larger, max_leaves=3))


def built(recipe: Recipe) -> Trace:
    kind, *parts = recipe
    if kind == "step":
        return (place if parts[0][0] == "+" else lift)(Cell(parts[0][1:]))
    if kind == "unseen":
        return unseen(Cell(parts[0]))
    first, *rest = map(built, parts)
    if kind in ("then", "line"):
        for trace in rest:
            first = first >> trace
        return first
    if kind == "both":
        return first | rest[0]
    return {"either": either, "maybe": maybe, "anytime": anytime}[kind](first, *rest)


def language(recipe: Recipe) -> Language:
    kind, *parts = recipe
    if kind == "step":
        return {(parts[0],): Finish.YES}
    if kind == "unseen":
        return {(): Finish.IF_CONFIRMED, (f"-{parts[0]}", f"+{parts[0]}"): Finish.YES}
    if kind == "line":
        spine = {(): Finish.YES}
        for part in parts:
            if part[0] != "anytime":
                spine = _then(spine, language(part))
        for part in parts:
            if part[0] == "anytime":
                spine = _both(spine, language(part[1]))
        return spine
    each = [language(part) for part in parts]
    if kind == "maybe":
        return _union([*each, {(): Finish.YES}])
    return {"then": lambda: _then(*each), "both": lambda: _both(*each), "either": lambda: _union(each)}[kind]()


def _union(languages: Iterable[Language]) -> Language:
    found: Language = {}
    for word, level in chain.from_iterable(one.items() for one in languages):
        found[word] = max(level, found.get(word, Finish.NO))
    return found


def _then(first: Language, second: Language) -> Language:
    """A word goes on only where the first part is finished without a person's word for it."""
    return _union(
        {one + other: min(level, far)}
        for one, level in first.items()
        for other, far in second.items()
        if level is Finish.YES or not other
    )


def _both(first: Language, second: Language) -> Language:
    return _union(
        {word: min(level, far)}
        for one, level in first.items()
        for other, far in second.items()
        for word in _interleaved(one, other)
    )


def _interleaved(one: Word, other: Word) -> Iterator[Word]:
    if not one or not other:
        yield one + other
        return
    yield from ((one[0], *rest) for rest in _interleaved(one[1:], other))
    yield from ((other[0], *rest) for rest in _interleaved(one, other[1:]))


def explored(trace: Trace) -> Language:
    """Every word that can be read, with how finished it leaves the trace, where that is more than not at all."""
    found: Language = {}
    ahead: set[tuple[Word, Trace]] = {((), trace)}
    while ahead:
        for word, left in ahead:
            found[word] = max(finish(left), found.get(word, Finish.NO))
        ahead = {
            ((*word, str(following)), rest)
            for word, left in ahead
            for following in first_edges(left)
            for rest in residuals(left, following)
        }
    return {word: level for word, level in found.items() if level is not Finish.NO}


@UNHURRIED
@given(LINES)
def test_a_trace_reads_exactly_the_words_it_stands_for(recipe: Recipe) -> None:
    assert explored(built(recipe)) == language(recipe)


@UNHURRIED
@given(LINES)
def test_an_edge_can_be_read_exactly_where_it_is_among_the_first(recipe: Recipe) -> None:
    trace = built(recipe)
    readable = {sign + cell for sign in "+-" for cell in "abcd" if residuals(trace, edge(sign + cell))}
    assert readable == shown(first_edges(trace))
    assert {first.cell for first in first_edges(trace)} <= cells(trace)


@UNHURRIED
@given(LINES, st.integers())
def test_any_way_through_a_trace_comes_to_an_end_and_stops_there(recipe: Recipe, seed: int) -> None:
    chance, left = Random(seed), built(recipe)
    for _ in range(64):
        edges = sorted(first_edges(left), key=str)
        if not edges:
            break
        left = chance.choice(residuals(left, chance.choice(edges)))
    assert first_edges(left) == frozenset()
    assert finish(left) is not Finish.NO
    assert not any(residuals(left, edge(sign + cell)) for sign in "+-" for cell in "abc")


@UNHURRIED
@given(RECIPES, RECIPES, RECIPES)
def test_sequence_and_interleaving_do_not_depend_on_brackets(one: Recipe, two: Recipe, three: Recipe) -> None:
    a, b, c = built(one), built(two), built(three)
    assert (a >> b) >> c == a >> (b >> c)
    assert (a | b) | c == a | (b | c)


@UNHURRIED
@given(SEEN_LINES)
def test_landings_are_the_first_placements_of_the_words(recipe: Recipe) -> None:
    """Those of the line alone: what may happen at any moment is no landing of the held piece."""
    line = ("line", *(part for part in recipe[1:] if part[0] != "anytime"))
    firsts = {next((text[1:] for text in word if text[0] == "+"), None) for word in language(line)}
    assert landings(built(recipe)) == firsts - {None}


def test_the_two_accounts_of_a_trace_are_told_apart_where_they_differ() -> None:
    recipe = ("both", ("step", "-a"), ("step", "+b"))
    assert explored(built(recipe)) == {("-a", "+b"): Finish.YES, ("+b", "-a"): Finish.YES}
    assert explored(lift(A) >> place(B)) != language(recipe)
