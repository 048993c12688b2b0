"""A game looked at once more, with games of Herd and a mind whose thoughts are known beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from reedlight.core.game import Correction, Declaration, Game, Roll, Side, Speech, State, tally
from reedlight.core.grid import Cell
from reedlight.games import make
from reedlight.players.herd import mind
from reedlight.players.player import Stop, Worth, never
from reedlight.players.review import MOST_TOLD, Played, Progress, Review, examined, luck_of, review, told


@dataclass(frozen=True)
class Counts:
    """A mind that counts pieces: every piece more is worth a man, or so much chance to win."""

    unit: str = "men"
    piece: float = 1.0

    def choose(self, state: State[Any], level: int, rng: Random, stop: Stop) -> Worth:
        del level, rng
        return self.appraise(state, stop)[0]

    def appraise(self, state: State[Any], stop: Stop) -> Sequence[Worth]:
        del stop
        side = state.to_act
        assert side is not None
        worths = [Worth(action, self.rate(state.apply(action), side)) for action in state.legal_actions()]
        return sorted(worths, key=lambda worth: worth.value, reverse=True)

    def rate(self, state: State[Any], side: Side) -> float:
        counted = tally(state)
        return self.piece * (counted[side] - counted[side.other])

    def explain(self, state: State[Any], worth: Worth) -> str:
        del state, worth
        return "counts most"


class Pips(Counts):
    """A mind that counts nothing but the pips of the roll, for the side they belong to."""

    def rate(self, state: State[Any], side: Side) -> float:
        pips = sum(die.pips for die in state.dice())
        return self.piece * (pips if state.to_act is side else -pips)


def played(game: Game[Any], start: State[Any], *texts: str) -> list[Played]:
    """What was done from a position on: rolls such as ``5-3``, the rest in the game's notation."""
    state, found = start, list[Played]()
    for text in texts:
        action = roll(text) if text[0].isdigit() and "-" in text and text.count(",") == 0 else game.parse(state, text)
        found.append((state, action))
        state = state.apply(action)
    return found


def roll(text: str) -> Roll:
    first, second = map(int, text.split("-"))
    return Roll((first, second))


def last(steps: Sequence[Progress]) -> Review:
    return steps[-1].review


HERD = make("herd", "3")
RED_TAKES = "3 .../.RR./.RB../.RR./... red place 5-3 0 4 -"
"""Red may surround the lone stone in the middle by a stone on 1,0."""


def test_the_decision_that_cost_a_stone_is_found_with_what_was_better_and_why() -> None:
    game = played(HERD, HERD.load(RED_TAKES), "place 2,0", "place -2,0", "place 1,0")
    found = last(list(review(Counts(), game, never)))
    first = found.mistakes[0]
    assert (first.at, first.turn, first.side, first.cost) == (0, 1, Side.LIGHT, 1.0)
    assert HERD.notate(first.state, first.played) == "place 2,0"
    assert HERD.notate(first.state, first.better.action) == "place 1,0"
    assert first.why == "counts most"
    assert [each.at for each in found.mistakes] == [0, 1]
    assert found.lost == {Side.LIGHT: 2.0}


def test_a_game_without_mistakes_has_none_and_says_so() -> None:
    game = played(HERD, HERD.load(RED_TAKES), "place 1,0")
    found = last(list(review(Counts(), game, never)))
    assert found.mistakes == ()
    assert found.lost == {}
    assert told(found, HERD) == ["No decision was found that cost much."]


def test_no_more_than_three_are_told_the_worst_first() -> None:
    away = ["place 2,0", "place -2,0", "place 0,2", "place -2,2"]
    found = last(list(review(Counts(), played(HERD, HERD.load(RED_TAKES), *away), never)))
    assert len(found.mistakes) == MOST_TOLD
    assert found.lost[Side.LIGHT] == 4.0
    costs = [each.cost for each in found.mistakes]
    assert costs == sorted(costs, reverse=True)


def test_sentences_name_the_move_the_side_and_the_cost_in_men() -> None:
    found = last(list(review(Counts(), played(HERD, HERD.load(RED_TAKES), "place 2,0"), never)))
    assert told(found, HERD) == [
        "Move 1, Red: place 2,0 cost 1 man; place 1,0 was better: counts most.",
        "Red lost 1 man by mistakes.",
    ]


def test_a_chance_to_win_is_told_in_per_cent() -> None:
    mind = Counts("chance to win", 0.08)
    found = last(list(review(mind, played(HERD, HERD.load(RED_TAKES), "place 2,0"), never)))
    assert told(found, HERD)[0] == ("Move 1, Red: place 2,0 cost 8 % chance to win; place 1,0 was better: counts most.")


def test_what_costs_less_than_the_mind_can_tell_is_no_mistake() -> None:
    mind = Counts("chance to win", 0.001)
    assert not last(list(review(mind, played(HERD, HERD.load(RED_TAKES), "place 2,0"), never))).mistakes


def test_turns_are_counted_for_each_side_by_itself() -> None:
    texts = ["2-1", "place 0,0", "1-1", "remove 0,0", "place 2,0", "1-2", "remove 2,0", "place 0,0", "place 1,0"]
    game = played(HERD, HERD.start(), *texts)
    found = list(review(Pips("men", -1.0), game, never))
    assert found[-1].done == found[-1].of
    assert {(each.side, each.turn) for each in last(found).mistakes} <= {
        (Side.LIGHT, 1), (Side.DARK, 1), (Side.LIGHT, 2),
    }  # fmt: skip


# ---------------------------------------------------------------------------------------------- luck


def test_the_luck_of_a_roll_is_what_it_is_worth_over_the_mean() -> None:
    game = played(HERD, HERD.start(), "2-1", "place 0,0")
    before = game[-1][0].apply(game[-1][1])
    assert luck_of(Pips(), before, roll("6-6"), Side.DARK) == pytest.approx(12 - 7)
    assert luck_of(Pips(), before, roll("3-4"), Side.DARK) == pytest.approx(0)
    assert luck_of(Pips(), before, roll("1-1"), Side.LIGHT) == pytest.approx(7 - 2)


def test_the_luck_of_all_rolls_has_a_mean_of_nothing() -> None:
    game = make("herd", "3")
    state = game.load("3 B../.R../..R../..../... red roll - 0 0 -")
    player = mind(game)
    lucks = [luck_of(player, state, each, Side.LIGHT) for each in state.chance()]
    assert sum(lucks) == pytest.approx(0, abs=1e-9)
    assert max(lucks) > 0.01


def test_each_side_is_told_the_luck_of_its_own_rolls() -> None:
    texts = ["6-6", "place 0,0", "place 1,0", "place 2,0", "place -1,0", "place -2,0", "place 0,1", "1-1"]
    found = last(list(review(Pips("chance to win", 0.01), played(HERD, HERD.start(), *texts), never)))
    assert found.luck[Side.LIGHT] == pytest.approx(0.05)
    assert found.luck[Side.DARK] == pytest.approx(-0.05)
    assert told(found, HERD)[-2:] == [
        "Luck: Red's rolls gave 5 % of a game more than usual.",
        "Luck: Blue's rolls gave 5 % of a game less than usual.",
    ]


def test_a_game_without_dice_knows_no_luck() -> None:
    draughts = make("draughts", "8")
    game = played(draughts, draughts.start(), "c3-d4", "b6-a5")
    assert last(list(review(Counts(), game, never))).luck == {}


def test_a_man_given_away_is_found_though_it_falls_only_later() -> None:
    draughts = make("draughts", "8")
    game = played(draughts, draughts.start(), "c3-d4", "f6-e5", "d4:f6")
    steps = list(review(Counts(), game, never))
    assert steps[-1].done == steps[-1].of


# ------------------------------------------------------------------------------------------ progress


def test_every_step_is_told_and_the_last_one_has_as_many_done_as_there_are() -> None:
    steps = list(review(Counts(), played(HERD, HERD.start(), "2-2", "place 0,0", "place 1,0"), never))
    assert [each.done for each in steps] == [0, 1, 2, 3, 4, 5]
    assert {each.of for each in steps} == {5}


def test_a_review_that_is_stopped_tells_no_more_and_what_was_found_stands() -> None:
    asked = iter([False, False, True])
    game = played(HERD, HERD.load(RED_TAKES), "place 2,0", "place -2,0")
    steps = list(review(Counts(), game, lambda: next(asked, True)))
    assert [each.done for each in steps] == [0, 1, 2]


def test_nothing_played_is_nothing_to_review() -> None:
    (only,) = review(Counts(), [], never)
    assert (only.done, only.of, only.review) == (0, 0, Review("men"))


def test_words_and_corrections_are_no_decisions() -> None:
    draughts = make("draughts", "8")
    start = draughts.start()
    moved = start.apply(draughts.parse(start, "c3-d4"))
    game: list[Played] = [
        (start, draughts.parse(start, "c3-d4")),
        (moved, Declaration(Side.LIGHT, Speech.OFFER_DRAW)),
        (moved, Correction(((Cell("d4"), 1),))),
        (moved, draughts.parse(moved, "b6-a5")),
    ]
    steps = list(review(Counts(), game, never))
    assert steps[-1].of == 2 + 2


# ------------------------------------------------------------------------------- with a mind of a game


def test_a_game_of_herd_is_reviewed_from_end_to_end() -> None:
    game = make("herd", "2")
    player, rng, state, done = mind(game), Random(3), game.start(), list[Played]()
    while state.to_act is not None:
        chance = state.to_act is Side.CHANCE
        action = rng.choice(list(state.chance())) if chance else rng.choice(state.legal_actions())
        done.append((state, action))
        state = state.apply(action)
    found = last(list(review(player, done, never)))
    for mistake in found.mistakes:
        better, cost = examined(player, mistake.state, mistake.played, never)
        assert (better, cost) == (mistake.better, mistake.cost)
        assert mistake.why == player.explain(mistake.state, better)
    assert set(found.luck) == {Side.LIGHT, Side.DARK}
    assert all(sentence.endswith(".") for sentence in told(found, game))
