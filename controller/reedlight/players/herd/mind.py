"""Herd's computer player as a mind: six levels, what every action is worth, and why.

It thinks in thoughts, each better than the one before and each an answer, so that it can be stopped at any time:

    choose      the first action ─► the one that looks best ─► a whole turn ─► its ends against all answers
    appraise    at a glance      ─► the best turn after each action        ─► these against all answers

The lower levels see one action ahead, and through noise: they misjudge what is worth about the same, overlook some
actions, and never see what an action is good for in the turn that goes on. The higher ones plan the turn. A turn under
way is planned anew from where it stands; since order hardly matters in it, the rest of the old plan is among the new.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any

from reedlight.core.game import Game, Outcome, Side, State
from reedlight.games.herd import HerdGame
from reedlight.games.herd.rules import Action, Herd, Phase
from reedlight.players.herd.judge import Judge, chance, learned, score_of
from reedlight.players.herd.reasons import reason
from reedlight.players.herd.turns import Look, Part, Stopped, after_reply, ends, following, plain
from reedlight.players.player import Stop, Worth

CHANCE_TO_WIN = "chance to win"

LOOKS_A_QUESTION = 8
"""Positions looked at between two questions whether to stop: below 2 ms each on a small computer."""
VARIETY = 0.01
"""Standard deviation of what the best levels add to the worths they compare, in logits, so that games differ."""


@dataclass(frozen=True, slots=True)
class Level:
    """How a level thinks."""

    width: int = 0
    """Parts of a turn gone on with at each step; 0 sees one action ahead only."""
    answered: int = 0
    """Ends of the turn that are weighed against all answers; 0 takes the one that looks best."""
    noise: float = VARIETY
    """Standard deviation of its misjudgement of what it compares, in logits."""
    overlooked: float = 0.0
    """Share of the actions that it does not notice."""


LEVELS = (
    Level(noise=0.4, overlooked=0.5),
    Level(noise=0.18),
    Level(noise=0.09),
    Level(noise=0.03),
    Level(width=3, noise=0.06),
    Level(width=10, answered=10),
)
"""The six levels, weakest first; see ``reedlight.players.player.LEVELS`` for their names."""

APPRAISED_WIDTH = 3
"""Parts gone on with at each step after every action that is appraised."""


class HerdMind:
    """The computer player of Herd on one board."""

    unit = CHANCE_TO_WIN

    def __init__(self, game: HerdGame) -> None:
        start = game.start()
        self._colours = game.sides
        self._judge = Judge(start.board, learned())
        self._removals = dict(start.board.removals)
        self._placements = dict(start.board.placements)

    def choose(self, state: State[Any], level: int, rng: Random, stop: Stop) -> Worth:
        """What a player of the level (1 to 6) does in a state where a player is to act."""
        herd = _herd(state)
        best = Worth(herd.legal_actions()[0], chance(self._judge.score(herd.own, herd.enemy)))
        how, look = LEVELS[level - 1], _looking(stop)
        with suppress(Stopped):
            for thought in self._planned(herd, how, rng, look) if how.width else self._glanced(herd, how, rng, look):
                best = thought
        return best

    def appraise(self, state: State[Any], stop: Stop) -> Sequence[Worth]:
        """Every legal action with the best turn that begins with it, best first."""
        herd = _herd(state)
        even = chance(self._judge.score(herd.own, herd.enemy))
        best: Sequence[Worth] = [Worth(action, even) for action in herd.legal_actions()]
        with suppress(Stopped):
            for thought in self._appraised(herd, _looking(stop)):
                best = sorted(thought, key=_value, reverse=True)
        return best

    def rate(self, state: State[Any], side: Side) -> float:
        """The chance to win of a side, after a plain end of the turn that is under way."""
        herd = _herd(state)
        if herd.outcome:
            return _exact(herd.outcome, side)
        if herd.phase is Phase.ROLL:
            # The side that has finished is the one whose chance a position tells.
            rated, value = herd.mover.other, self._judge.score(herd.enemy, herd.own)
        else:
            rated, value = herd.mover, plain(self._judge, _part(herd), _no_question).score
        return chance(value) if rated is side else 1 - chance(value)

    def explain(self, state: State[Any], worth: Worth) -> str:
        """What the action does, in one true sentence of at most 70 characters."""
        return reason(_herd(state), worth.action, worth.line, self._colours)

    # ------------------------------------------------------------------------------------- thoughts

    def _glanced(self, herd: Herd, how: Level, rng: Random, look: Look) -> Iterator[Worth]:
        """One action ahead, with a stone for every one that is then due; ever better ones of those that are noticed."""
        highest, stone = float("-inf"), self._judge.stone(herd.light | herd.dark)
        for part in self._after_each(herd, look):
            noticed, misjudged = rng.random() >= how.overlooked, rng.gauss(0, how.noise)
            looks = part.score + stone * part.to_place + misjudged
            if noticed and looks > highest:
                highest = looks
                yield self._worth(herd, part, chance(part.score))

    def _planned(self, herd: Herd, how: Level, rng: Random, look: Look) -> Iterator[Worth]:
        """A whole turn, ever better ones."""
        yield from self._glanced(herd, Level(), rng, look)
        found = ends(self._judge, _part(herd), how.width, look)
        yield self._worth(herd, found[0], chance(found[0].score))
        highest = float("-inf")
        for end in found[: how.answered or how.width]:
            score = self._answered(end, look) if how.answered else end.score
            looks = score + rng.gauss(0, how.noise)
            if looks > highest:
                highest = looks
                yield self._worth(herd, end, chance(score))

    def _answered(self, end: Part, look: Look) -> float:
        """The score of the end of a turn after all answers."""
        return score_of(after_reply(self._judge, end.own, end.enemy, look))

    def _appraised(self, herd: Herd, look: Look) -> Iterator[list[Worth]]:
        """All actions, ever better compared."""
        parts = list(self._after_each(herd, look))
        yield [self._worth(herd, part, chance(part.score)) for part in parts]
        turns = [ends(self._judge, part, APPRAISED_WIDTH, look)[0] for part in parts]
        yield [self._worth(herd, end, chance(end.score)) for end in turns]
        answered = {
            stones: after_reply(self._judge, *stones, look) for stones in dict.fromkeys((e.own, e.enemy) for e in turns)
        }
        yield [self._worth(herd, end, answered[end.own, end.enemy]) for end in turns]

    def _after_each(self, herd: Herd, look: Look) -> Iterator[Part]:
        """The turn under way after each of the legal actions."""
        for bit, own, enemy, to_remove, to_place in following(self._judge.board, _part(herd)):
            look()
            yield Part(own, enemy, to_remove, to_place, self._judge.score(own, enemy), (bit,))

    def _worth(self, herd: Herd, end: Part, value: float) -> Worth:
        first, *rest = self._actions(herd, end.path)
        return Worth(first, value, tuple(rest))

    def _actions(self, herd: Herd, bits: Sequence[int]) -> Sequence[Action]:
        return [(self._removals if at < herd.to_remove else self._placements)[bit] for at, bit in enumerate(bits)]


def mind(game: Game[Any]) -> HerdMind:
    """The computer player of a game of Herd."""
    if not isinstance(game, HerdGame):
        raise TypeError(f"a mind for Herd, asked of {game.name}")
    return HerdMind(game)


def _herd(state: State[Any]) -> Herd:
    if not isinstance(state, Herd):
        raise TypeError(f"a state of another game: {type(state).__name__}")
    return state


def _part(herd: Herd) -> Part:
    return Part(herd.own, herd.enemy, herd.to_remove, herd.to_place)


def _value(worth: Worth) -> float:
    return worth.value


def _exact(outcome: Outcome, side: Side) -> float:
    if not outcome.winner:
        return 0.5
    return 1.0 if outcome.winner is side else 0.0


def _no_question() -> None:
    """Look on."""


def _looking(stop: Stop) -> Look:
    """Looks that ask now and then whether to stop."""
    left = 1

    def look() -> None:
        nonlocal left
        left -= 1
        if not left:
            if stop():
                raise Stopped
            left = LOOKS_A_QUESTION

    return look
