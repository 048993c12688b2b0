"""A game looked at once more: which decisions cost most, what was better, and what the dice gave.

A review is made of the states and actions of a game, as far as it went, by any game's mind. It goes over them three
times, each time over fewer and with more thought:

    every roll       what the position after it is worth, less the mean over all rolls with their odds: its *luck*
    every decision   the worth at a glance before and after it: how much it may have cost
    the suspicious   every action appraised in full: what was best, and what the one that was played *cost*

All of it is told in the mind's unit, to the side that acted. Luck compares rolls by a glance (``Mind.rate``), costs
are compared by a search (``Mind.appraise``); a mistake that shows neither at a glance nor in the next few positions is
not found. Declarations and corrections are no decisions. A review can be given up after any step; what it has found by
then stands.

Which game it is, where games are kept and who looks on, is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

from reedlight.core.game import Correction, Declaration, Game, Roll, Side, State
from reedlight.players.player import Mind, Stop, Worth

Played: TypeAlias = "tuple[State[Any], Any]"
"""A state, and what was done in it: an action, a roll, a declaration or a correction."""

MOST_TOLD = 3
"""Mistakes that a review tells: more than that nobody remembers."""
MOST_EXAMINED = 32
"""Decisions that are appraised in full: half a minute to two, where one takes one to three seconds."""
FEW_ACTIONS = 12
"""So many actions or fewer are all looked at in the first pass; where there are more, the state before must do."""
SEEN_LATER = 3
"""Positions after a decision in which its cost may show, in games without chance."""

CHANCE_TO_WIN, MEN = "chance to win", "men"
SMALLEST: Mapping[str, float] = MappingProxyType({CHANCE_TO_WIN: 0.02, MEN: 0.3})
"""The least cost, by unit, that is called a mistake: less than that is within the mind's own doubt."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that cost something."""

    at: int
    """Its place among what was played, from 0."""
    turn: int
    """The turn it was part of, from 1: of the whole game where dice are rolled, else of its side."""
    side: Side
    state: State[Any]
    played: Any
    better: Worth
    cost: float
    why: str
    """What the better action is for."""


@dataclass(frozen=True, slots=True)
class Review:
    """What was found."""

    unit: str
    mistakes: tuple[Mistake, ...] = ()
    """The costliest, worst first."""
    lost: Mapping[Side, float] = field(default_factory=dict[Side, float])
    """What all mistakes among the examined decisions cost each player."""
    luck: Mapping[Side, float] = field(default_factory=dict[Side, float])
    """How much more than the mean each player's rolls gave; empty in games without chance."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a review has come; the last one has all of it."""

    done: int
    of: int
    """Steps in all; no more than this, and the last progress has as many done."""
    review: Review


@dataclass(frozen=True, slots=True)
class _Decision:
    """One of the players' own actions."""

    at: int
    turn: int
    side: Side
    state: State[Any]
    played: Any


def review(mind: Mind, played: Sequence[Played], stop: Stop) -> Iterator[Progress]:
    """What was found so far, from nothing on, after every step; none that was broken off by ``stop`` counts."""
    rolls = [at for at, (_, action) in enumerate(played) if isinstance(action, Roll)]
    decisions = list(_decisions(played))
    of = len(rolls) + len(decisions) + min(MOST_EXAMINED, len(decisions))
    found = Review(mind.unit)
    yield Progress(0, of, found)
    for done, step in enumerate(_steps(mind, played, rolls, decisions, stop), 1):
        if stop():
            return
        found = step(found)
        yield Progress(done, of, found)


_Step = Callable[[Review], Review]


def _steps(
    mind: Mind, played: Sequence[Played], rolls: Sequence[int], decisions: Sequence[_Decision], stop: Stop
) -> Iterator[_Step]:
    """What every step adds, once it is done."""
    for at in rolls:
        state, roll = played[at]
        side = _roller(played, at)
        yield partial(_with_luck, side=side, luck=luck_of(mind, state, roll, side))
    suspected: list[tuple[float, int, _Decision]] = []
    for decision in decisions:
        suspected.append((-_suspicion(mind, played, decision, rolls=bool(rolls)), decision.at, decision))
        yield _as_it_was
    for _, _, decision in sorted(suspected)[:MOST_EXAMINED]:
        better, cost = examined(mind, decision.state, decision.played, stop)
        yield partial(_with_decision, mind=mind, decision=decision, better=better, cost=cost)


def _as_it_was(found: Review) -> Review:
    return found


def _with_luck(found: Review, side: Side, luck: float) -> Review:
    return replace(found, luck={**found.luck, side: found.luck.get(side, 0.0) + luck})


def _with_decision(found: Review, mind: Mind, decision: _Decision, better: Worth, cost: float) -> Review:
    if cost < SMALLEST[mind.unit]:
        return found
    why = mind.explain(decision.state, better)
    mistake = Mistake(decision.at, decision.turn, decision.side, decision.state, decision.played, better, cost, why)
    worst = sorted((*found.mistakes, mistake), key=lambda each: (-each.cost, each.at))
    lost = {**found.lost, decision.side: found.lost.get(decision.side, 0.0) + cost}
    return replace(found, mistakes=tuple(worst[:MOST_TOLD]), lost=lost)


# -------------------------------------------------------------------------------------------- looking


def luck_of(mind: Mind, state: State[Any], roll: Roll, side: Side) -> float:
    """How much more a roll is worth to a side than the mean of all that might have fallen."""
    odds = state.chance()
    worths = {each: mind.rate(state.apply(each), side) for each in odds}
    return worths[roll] - sum(float(odds[each]) * worth for each, worth in worths.items())


def examined(mind: Mind, state: State[Any], played: Any, stop: Stop) -> tuple[Worth, float]:
    """The best action of a state, and what the one that was played cost against it."""
    worths = mind.appraise(state, stop)
    return worths[0], worths[0].value - next(each.value for each in worths if each.action == played)


def _decisions(played: Sequence[Played]) -> Iterator[_Decision]:
    """The players' actions in which there was a choice."""
    turns = {Side.LIGHT: 0, Side.DARK: 0}
    rolls = 0
    acting: Side | None = None
    for at, (state, action) in enumerate(played):
        if isinstance(action, Declaration | Correction):
            continue
        rolls += isinstance(action, Roll)
        side = None if isinstance(action, Roll) else state.to_act
        if side and side is not acting:
            turns[side] += 1
        acting = side
        if side and len(state.legal_actions()) > 1:
            yield _Decision(at, rolls or turns[side], side, state, action)


def _roller(played: Sequence[Played], at: int) -> Side:
    """Whose roll it was: the side that acts after it; where it leaves nothing to do, not the one that acted last."""
    state, roll = played[at]
    side = state.apply(roll).to_act
    if side and side is not Side.CHANCE:
        return side
    players = (earlier.to_act for earlier, _ in reversed(played[:at]))
    return next((each.other for each in players if each and each is not Side.CHANCE), Side.LIGHT)


def _suspicion(mind: Mind, played: Sequence[Played], decision: _Decision, *, rolls: bool) -> float:
    """What a decision may have cost, at a glance."""
    state, side = decision.state, decision.side
    before, after = mind.rate(state, side), mind.rate(state.apply(decision.played), side)
    actions = state.legal_actions()
    if len(actions) <= FEW_ACTIONS:
        before = max(before, *(mind.rate(state.apply(each), side) for each in actions))
    if not rolls:
        following = played[decision.at + 2 : decision.at + 1 + SEEN_LATER]
        after = min(after, *(mind.rate(each, side) for each, _ in following), after)
    return before - after


# -------------------------------------------------------------------------------------------- telling


def told(found: Review, game: Game[Any]) -> Sequence[str]:
    """The review as sentences for people, mistakes first."""
    mistakes = [_mistake_told(each, found.unit, game) for each in found.mistakes]
    none = [] if mistakes else ["No decision was found that cost much."]
    lost = [f"{game.sides[side]} lost {_IN_ALL[found.unit](cost)} by mistakes." for side, cost in found.lost.items()]
    luck = [_luck_told(game.sides[side], amount, found.unit) for side, amount in found.luck.items()]
    return [*mistakes, *none, *lost, *luck]


def _mistake_told(mistake: Mistake, unit: str, game: Game[Any]) -> str:
    played, better = (game.notate(mistake.state, each) for each in (mistake.played, mistake.better.action))
    cost = _AMOUNT[unit](mistake.cost)
    return f"Move {mistake.turn}, {game.sides[mistake.side]}: {played} cost {cost}; {better} was better: {mistake.why}."


def _luck_told(colour: str, luck: float, unit: str) -> str:
    if abs(luck) < SMALLEST[unit]:
        return f"Luck: {colour}'s rolls were about as good as usual."
    return f"Luck: {colour}'s rolls gave {_IN_ALL[unit](abs(luck))} {'more' if luck > 0 else 'less'} than usual."


def _per_cent(amount: float) -> str:
    return f"{100 * amount:.0f} % chance to win"


def _of_games(amount: float) -> str:
    """Chances of many decisions together: two halves are a game."""
    return f"{amount:.1f} games" if amount >= 1.05 else f"{100 * amount:.0f} % of a game"


def _men(amount: float) -> str:
    said = f"{amount:.1f}"
    return "1 man" if said == "1.0" else f"{said} men"


_AMOUNT: Mapping[str, Callable[[float], str]] = MappingProxyType({CHANCE_TO_WIN: _per_cent, MEN: _men})
_IN_ALL: Mapping[str, Callable[[float], str]] = MappingProxyType({CHANCE_TO_WIN: _of_games, MEN: _men})
