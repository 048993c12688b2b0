"""The person: plays both sides of a game at a table, and looks at the board as people do.

A person knows what is meant and what the board says, and does what follows from the two:

    the board asks which action it was      NEXT until the one that was meant is lit, then GO
    something was done that no switch sees  GO
    lights say that something is wrong      put the board right as they say, then act again, tidily
    actions count when GO is pressed        GO after each

Two things a person does not do, because nobody who watched could tell what they meant: begin the next
action with a cell of the last one before that one has been accepted, and lift by mistake what was moved
in the same turn, which takes the move back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from reedlight.core.game import Kind, Piece, Roll, Side, State
from reedlight.core.grid import Cell, Grid
from reedlight.scene.scene import Button
from reedlight.session.settings import Commit
from reedlight_sim.hand import GLANCE, HANDS, REACTION, TIDY, Doer, Intent, Slip, Style
from reedlight_sim.table import Table
from reedlight_sim.words import Word, draw_seen, draw_unseen
from reedlight_sim.world import Hand

PATIENCE = 3.0
"""Seconds a person waits for the board to accept an action or to say what is wrong with it."""
RESCUES = 3
"""How often the board is put right in one game before the person gives up."""
LOOK_AT_LEAST = 0.5
"""Seconds a person who is not early looks at the other side's action where nothing says that it counts."""
PRESSES = 4
"""How often GO is pressed for one roll: for the turn before, for a question about it, for the dice."""


class Person:
    """Both players. ``unseen`` is the share of actions that are hidden from the switches, of those that can be."""

    def __init__(self, table: Table, grid: Grid, style: Style, rng: Random, unseen: float = 0.0) -> None:
        self.confirmed = 0
        self.rescues = 0
        self.meant: list[Any] = []
        self._table = table
        self._world = table.world
        self._style = style
        self._rng = rng
        self._unseen = unseen
        self._intents: dict[int, Intent] = {}
        self._usual = Doer(table, grid, style, rng)
        self._careful = Doer(table, grid, TIDY, rng)

    @property
    def slips(self) -> Counter[Slip]:
        """What the hands did besides what they meant."""
        return self._usual.slips

    @property
    def pending(self) -> tuple[Any, ...]:
        """What has been done and is not accepted yet."""
        return tuple(self.meant[len(self._table.session.history) :])

    @property
    def _understood(self) -> bool:
        """Whether all that the board has accepted was meant."""
        history = self._table.session.history
        return tuple(self.meant[: len(history)]) == history

    # ------------------------------------------------------------------------------------ playing

    def begin(self, state: State[Any]) -> None:
        """Set the pieces up and press the button that begins."""
        self._table.wait(0.5)
        self._world.set_up(state.pieces(), self._table.now)
        self._table.wait(1.0)
        self._table.press(Button.GO)
        self._table.wait(GLANCE)

    def roll(self, roll: Roll) -> None:
        """Roll the dice, once everything before has been accepted."""
        self._table.next_roll(roll)  # a GO that answers a question too late may roll already
        self._wait_for_turn(())
        if self._table.commit is not Commit.OPPONENT:
            self._wait_until(lambda: not self.pending)
        self.meant.append(roll)
        for _ in range(PRESSES):
            if self.pending and not self._rescued():
                self._table.press(Button.GO)
                self._table.wait(GLANCE)
                self._answer()

    def perform(self, state: State[Any], action: Any, successor: State[Any]) -> None:
        """Perform a legal action, and answer whatever the board asks about it."""
        intent = Intent(state, action, successor)
        seen, unseen = self._draw(intent)
        word = seen if unseen is None else unseen
        self._wait_for_turn(word)
        before = self._done_before(intent)
        self._intents[len(self.meant)] = intent
        self.meant.append(action)
        self._usual.perform(intent, word, before)
        self._confirm(unseen)

    def conclude(self) -> None:
        """Wait for the last action to be accepted."""
        self._look()
        self._wait_until(lambda: not self.pending)
        if self.pending and self._table.commit is Commit.OPPONENT:
            self._table.press(Button.GO)
            self._wait_until(lambda: not self.pending)

    def _draw(self, intent: Intent) -> tuple[Word, Word | None]:
        """A word that shows all, and, if this action is to be hidden and can be, one that does not.

        A capture is never hidden: no hand swaps two stacks faster than a switch can tell.
        """
        trace = intent.state.trace(intent.action)
        hiding = self._rng.random() < self._unseen and not intent.captures_by_replacement()
        return draw_seen(trace, self._rng), draw_unseen(trace, self._rng) if hiding else None

    # ------------------------------------------------------------------------------------ patience

    def _wait_for_turn(self, word: Word) -> None:
        """Let some time pass, and go on early or once the board has taken in what was done."""
        self._pause(self._style.pause)
        self._look()
        if not self.pending:
            return
        early = self._rng.random() < self._style.slips.get(Slip.EARLY, 0.0)
        if early and self._is_plain_after_pending(word):
            self.slips[Slip.EARLY] += 1
        elif self._table.commit is Commit.OPPONENT:
            self._table.wait(LOOK_AT_LEAST)
        else:
            self._wait_until(lambda: not self.pending)

    def _is_plain_after_pending(self, word: Word) -> bool:
        """Whether the word can't be taken for more of what was done before."""
        if not word or any(edge.cell in self._touched_by_pending() for edge in word):
            return False
        return all(edge.cell not in self._usual.strayed for edge in word)

    def _touched_by_pending(self) -> frozenset[Cell]:
        return frozenset[Cell]().union(*(intent.touches() for intent in self._pending_intents()))

    def _done_before(self, intent: Intent) -> list[Intent]:
        """The same side's actions before this one, and all that is pending."""
        first = len(self.meant) - len(self.pending)
        while first - 1 in self._intents and self._intents[first - 1].side is intent.side:
            first -= 1
        return [self._intents[at] for at in range(first, len(self.meant)) if at in self._intents]

    def _pending_intents(self) -> list[Intent]:
        first = len(self.meant) - len(self.pending)
        return [self._intents[at] for at in range(first, len(self.meant)) if at in self._intents]

    def _wait_until(self, done: Callable[[], bool]) -> None:
        until = self._table.now + PATIENCE
        while not done() and self._table.now < until:
            self._table.wait(GLANCE)
            self._look()

    def _pause(self, span: tuple[float, float]) -> None:
        self._table.wait(self._rng.uniform(*span))

    # ------------------------------------------------------------------------------------ the board's words

    def _look(self) -> None:
        """Do what the board asks for."""
        self._answer()
        self._rescued()

    def _confirm(self, unseen: Word | None) -> None:
        """Press GO for what no switch has seen, or because that is how actions are made to count."""
        if unseen is None and self._table.commit is not Commit.BUTTON:
            return
        self._pause(REACTION)
        asked = self._table.asked
        if self.pending and not self._table.asking:
            self._table.press(Button.GO)
        self._answer()
        if unseen is not None and self._table.asked == asked:
            self.confirmed += 1

    def _answer(self) -> None:
        """Step to the answer that is meant and confirm it; drop a question that does not have it."""
        if not self._table.asking:
            return
        for _ in self._table.session.asking:
            self._pause(REACTION)
            if not self._table.asking:  # the board has changed meanwhile, and nothing is asked any more
                return
            if self._means_what_is_lit():
                self._table.press(Button.GO)
                return
            self._table.press(Button.NEXT)
        self._table.press(Button.BACK)

    def _means_what_is_lit(self) -> bool:
        options = self._table.scene.options
        lit = next(at for at, option in enumerate(options) if option.chosen)
        answer = self._table.session.asking[lit]
        return bool(answer) and answer == self.pending[: len(answer)]

    def _rescued(self) -> bool:
        """Whether lights asked to put something right, and it was done."""
        if not self._table.astray or self.rescues >= RESCUES or not self._understood:
            return False
        self.rescues += 1
        self._pause(REACTION)
        self._put_right()
        self._table.wait(1.0)
        for intent in self._pending_intents():
            self._perform_again(intent)
        return True

    def _put_right(self) -> None:
        """Make the board stand as the session believes it: what is too much goes at once, the rest piece by piece."""
        hand = HANDS[Side.LIGHT]
        wanted = self._table.session.state.pieces()
        standing = self._world.pieces()
        differing = sorted(cell for cell in standing if standing[cell] != wanted.get(cell))
        for cell in differing:
            self._world.lift(hand, cell, self._table.now)
        self._world.to_tray(hand, self._table.now)
        for cell in differing:
            if cell in wanted:
                self._rebuild(hand, cell, wanted[cell])
        for cell in sorted(wanted.keys() - standing.keys()):
            self._pause(REACTION)
            self._rebuild(hand, cell, wanted[cell])

    def _rebuild(self, hand: Hand, cell: Cell, piece: Piece) -> None:
        """Put up a stack from what lies beside the board, at one instant."""
        now = self._table.now
        for _ in range(piece.height):
            like = [at for at, other in enumerate(self._world.tray) if _same_material(other, piece)]
            if like:
                self._world.from_tray(hand, like[-1], now)
            else:
                self._world.from_supply(hand, replace(piece, height=1), now)
        self._world.place(hand, cell, now)
        if self._world.stack(cell)[-1].kind is not piece.kind:
            self._world.turn_over(cell, now)

    def _perform_again(self, intent: Intent) -> None:
        self._careful.perform(intent, draw_seen(intent.state.trace(intent.action), self._rng))
        self._table.wait(1.0)
        if self._table.commit is Commit.BUTTON:
            self._table.press(Button.GO)
        self._answer()


def _same_material(one: Piece, other: Piece) -> bool:
    """Whether one can stand for the other, a man for a king by turning it over."""
    return one.side is other.side and (one.kind is Kind.STONE) == (other.kind is Kind.STONE)
