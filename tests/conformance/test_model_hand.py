"""A model hand performs random games of every game there is, with everything hands do besides what they mean.

The session must never accept what the hand did not mean, and must accept all of it in the end. Some of what
hands do cannot be told from an action by anybody who only sees which cells are occupied; that is left out,
each with its reason:

* A piece is not lifted and put back where just that is an action (a tall stack while a checker is given up,
  an enemy that the stack in the hand could take, a stack it could be set on).
* A cell is not left as an action would leave it for as long as it takes that action to settle: a Herd stone
  that is put back after that has been taken off, and a piece that rests has been set down.
* The next action is not begun early on a cell that was touched just before: a stone set where one was just taken
  off has been put back, and of two stones the one that was first set down for a moment is taken for the first.
* A cell that the same side's turn has touched is not touched again without meaning it: that takes back what
  was done there, and is how a person says so.
* An action on a cell that the same turn has touched is performed cleanly, and waited for: with another stone
  lifted at the same time, a stone set where one was taken off reads as that one put back and the other taken.
* A capture is not hidden: of all that a lifted stack may be set on unseen, GO takes its own side's first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stories import LONG, Sitting, sit_down

from reedlight.core.game import Side, State
from reedlight.core.grid import Cell
from reedlight.core.trace import Edge, Finish, Trace, cells
from reedlight.games import REGISTRY, make
from reedlight.session.events import Accepted, Board, Rolled, TakenBack
from reedlight.session.session import Mode
from reedlight.session.settings import Commit, Settings, Timing
from reedlight_sim.words import Word, after, draw_seen, draw_unseen, furthest

SMALL = {"diablo": "4", "herd": "3"}
"""Small boards, where everything is near everything else; any other game is played on its usual one."""
SKIPPED = 40
"""At most so many choices of a random game go by before the hand begins."""
ACTIONS = 12
"""Choices that the hand performs."""

Span = tuple[float, float]
STEP: Span = (0.11, 0.9)
"""Seconds between two edges that are meant."""
BLINK: Span = (0.02, 0.09)
"""Seconds for which a cell changes that was nudged or slid over."""
HESITATION: Span = (0.15, 1.5)
"""Seconds for which a piece is held and put back."""
PASSING: Span = (0.12, Timing().settle - 0.1)
"""Seconds for which a cell is left as an action would leave it."""

EARLY = 0.3
TOGETHER = 0.15
FUMBLE = 0.5
UNSEEN = 0.5
"""How often the next action is begun early, two edges fall together, something is fumbled, or not seen."""


@dataclass
class Hand:
    """Performs actions in a sitting and remembers what it meant."""

    sitting: Sitting
    rng: Random
    fumbles: float
    meant: list[Any] = field(default_factory=list[Any])
    unsure: frozenset[Cell] = frozenset()
    """The cells of an action that has perhaps not settled, and of what was done besides."""
    turn: frozenset[Cell] = frozenset()
    """The cells of all actions of the turn."""

    @property
    def pending(self) -> tuple[Any, ...]:
        return tuple(self.meant[len(self.sitting.session.history) :])

    def roll(self, state: State[Any]) -> None:
        self.settle()
        self.turn = frozenset()
        self.meant.append(self.rng.choice(list(state.chance())))
        self.sitting.press("go").handle(Rolled(self.meant[-1]))

    def perform(self, state: State[Any], action: Any, word: Word) -> None:
        touched = cells(state.trace(action))
        goes_back = bool(touched & self.turn)
        if goes_back or touched & self.unsure or self.rng.random() > EARLY:
            self.settle()
        self.meant.append(action)
        self.unsure = touched
        self.turn |= touched
        done = 0
        while done < len(word):
            if self.rng.random() < self.fumbles and not goes_back:
                self.rng.choice((self.nudge, self.slide, self.put_back))(state, word[:done], word[done])
            step = word[done : done + 1 + (self.rng.random() < TOGETHER)]
            step = step if len(cells_of(step)) == len(step) else step[:1]
            self.report(cells_of(step), STEP)
            done += len(step)
        if goes_back:
            self.settle()

    # ------------------------------------------------------------------------- what is not meant

    def nudge(self, _state: State[Any], _done: Word, _ahead: Edge) -> None:
        """Push any piece for a moment."""
        if self.sitting.board:
            self.toggle(self.rng.choice(sorted(self.sitting.board)), BLINK)

    def slide(self, state: State[Any], done: Word, ahead: Edge) -> None:
        """Draw what is in the hand over some empty cells, and rest on one or the other."""
        del state, done
        empty = sorted(frozenset(self.sitting.session.game.grid.cells) - self.sitting.board - self.turn)
        for cell in self.rng.sample(empty, min(len(empty), 2)) if ahead.occupied else ():
            self.toggle(cell, self.rng.choice((BLINK, PASSING)))

    def put_back(self, state: State[Any], done: Word, ahead: Edge) -> None:
        """Lift a piece that is not meant, or not yet, and put it back."""
        others = sorted(self.sitting.board - self.turn | self.sitting.board & {ahead.cell} - cells_of(done))
        for cell in self.rng.sample(others, min(len(others), 1)):
            lifted, back = Edge(cell, occupied=False), Edge(cell, occupied=True)
            if not completes(state, (*done, lifted, back)):
                self.toggle(cell, PASSING if completes(state, (*done, lifted)) else HESITATION)

    def toggle(self, cell: Cell, span: Span) -> None:
        self.unsure |= {cell}
        self.report({cell}, span)
        self.report({cell}, STEP)

    # ------------------------------------------------------------------------------- at the board

    def report(self, toggled: set[Cell] | frozenset[Cell], span: Span) -> None:
        """Some cells change, and some time passes."""
        self.sitting.board ^= toggled
        self.sitting.handle(Board(frozenset(self.sitting.board)))
        self.sitting.wait(self.rng.uniform(*span))
        self.check()

    def settle(self) -> None:
        """Wait until what was done has been accepted; say so or point at it where the board cannot tell."""
        self.sitting.wait(LONG)
        if self.pending and self.sitting.session.mode is not Mode.ASK:
            self.sitting.press("go")
        while self.sitting.session.mode is Mode.ASK:
            asking = self.sitting.session.asking
            assert any(answer == self.pending[: len(answer)] for answer in asking)
            lit = next(at for at, option in enumerate(self.sitting.session.scene.options) if option.chosen)
            self.sitting.press("go" if asking[lit] == self.pending[: len(asking[lit])] else "next")
        self.unsure = frozenset()
        self.check()
        assert not self.pending

    def check(self) -> None:
        """Nothing was accepted that was not meant, not even for a moment."""
        effects = self.sitting.effects
        accepted = [each.action for each in effects if isinstance(each, Accepted)]
        assert not any(isinstance(effect, TakenBack) for effect in effects)
        assert accepted == self.meant[: len(accepted)]


def completes(state: State[Any], edges: Word) -> bool:
    """Whether some action could be complete after the edges, whatever they do to cells that are not its own."""
    traces = map(state.trace, state.legal_actions())
    return any(furthest(after(trace, own(edges, trace))) is Finish.YES for trace in traces)


def own(edges: Word, trace: Trace) -> Word:
    """Those of the edges that are on cells of the trace."""
    return tuple(edge for edge in edges if edge.cell in cells(trace))


def cells_of(word: Word) -> frozenset[Cell]:
    return frozenset(edge.cell for edge in word)


def played(name: str, seed: int, *, fumbles: float = 0.0, unseen: float = 0.0, commit: Commit = Commit.SETTLE) -> Hand:
    """Perform a random game from somewhere in it on."""
    rng = Random(seed)
    game = make(name, SMALL.get(name))
    state = later(game.start(), rng)
    hand = Hand(sit_down(game, state, Settings(commit)), rng, fumbles)
    for _ in range(ACTIONS):
        if state.to_act is Side.CHANCE:
            hand.roll(state)
        elif state.to_act is not None:
            action = rng.choice(state.legal_actions())
            hides = rng.random() < unseen and not captures(state, action)
            hidden = draw_unseen(state.trace(action), rng) if hides else None
            hand.perform(state, action, draw_seen(state.trace(action), rng) if hidden is None else hidden)
            if hidden is not None:
                hand.settle()
        if state.outcome is None:
            mover, state = state.to_act, state.apply(hand.meant[-1])
            hand.turn = hand.turn if state.to_act is mover else frozenset()
    hand.settle()
    return hand


def captures(state: State[Any], action: Any) -> bool:
    """Whether another side's piece stands afterwards where one stood."""
    before, after_it = state.pieces(), state.apply(action).pieces()
    return any(cell in before and before[cell].side is not piece.side for cell, piece in after_it.items())


def later(state: State[Any], rng: Random) -> State[Any]:
    """A state some random choices on."""
    for _ in range(rng.randrange(SKIPPED)):
        after_it = state.apply(rng.choice([*state.chance(), *state.legal_actions()]))
        if after_it.outcome is not None:
            break
        state = after_it
    return state


every_game = pytest.mark.parametrize("name", REGISTRY)
seeds = st.integers(0, 2**32)
often = settings(max_examples=20, deadline=None)


@every_game
@often
@given(seed=seeds)
def test_what_a_clean_hand_performs_is_accepted(name: str, seed: int) -> None:
    played(name, seed)


@every_game
@often
@given(seed=seeds)
def test_whatever_a_hand_does_besides_it_is_never_taken_for_an_action(name: str, seed: int) -> None:
    played(name, seed, fumbles=FUMBLE)


@every_game
@often
@given(seed=seeds)
def test_what_the_switches_cannot_see_is_asked_or_confirmed(name: str, seed: int) -> None:
    played(name, seed, unseen=UNSEEN)


@every_game
@often
@given(seed=seeds)
def test_with_the_button_policy_go_accepts_what_was_meant(name: str, seed: int) -> None:
    played(name, seed, fumbles=FUMBLE, commit=Commit.BUTTON)


@every_game
@often
@given(seed=seeds)
def test_with_the_opponent_policy_go_or_the_other_side_accepts_what_was_meant(name: str, seed: int) -> None:
    played(name, seed, fumbles=FUMBLE, commit=Commit.OPPONENT)


def test_a_hand_that_is_misread_is_noticed() -> None:
    hand = played("draughts", 1)
    hand.meant.pop()
    with pytest.raises(AssertionError):
        hand.check()
