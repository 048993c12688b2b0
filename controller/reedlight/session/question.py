"""Questions: what the switches cannot tell, put to the people in answers they can point at.

A question is about what the hand has *performed* (which stack was the held one set on?), or it is a
choice of what to play, made by buttons alone: first where to begin, then what. The players' own dice and
the height of a stack are asked in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import reduce
from typing import Any

from reedlight.core.game import Correction, Game, Roll, State
from reedlight.core.grid import Cell, Cells
from reedlight.core.trace import cells, first_edges

Actions = tuple[Any, ...]


class About(Enum):
    """What an answer is about, and so what it leads to."""

    PERFORMED = "performed"
    """What the hand has done: it is accepted."""
    CHOICE = "choice"
    """What is to be played: the board is led to it."""
    ROLL = "roll"
    """What dice of the players' own show."""
    HEIGHT = "height"
    """How many pieces a stack has."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer means, its words, and the cells that tell it from the others."""

    actions: Actions
    label: str
    cells: Cells
    path: Cells = frozenset()
    """Every cell that the action touches, where the answer is named by the one it begins on."""
    then: tuple[Answer, ...] = ()
    """The answers of the question after this one, where it only narrows the choice."""


@dataclass(frozen=True, slots=True)
class Question:
    """An open question: its answers, the board it was asked on, which answer is lit."""

    answers: tuple[Answer, ...]
    board: Cells
    about: About
    at: int = 0

    @property
    def performed(self) -> bool:
        """Whether it is about what the hand has done."""
        return self.about is About.PERFORMED

    @property
    def lit(self) -> Answer:
        """The answer that GO takes."""
        return self.answers[self.at]

    def next(self) -> Question:
        """The same question with the next answer lit."""
        return replace(self, at=(self.at + 1) % len(self.answers))

    def tapped(self, toggled: Cells) -> Answer | None:
        """The one answer that has a tapped cell among its own; None if there is not just one."""
        named = [answer for answer in self.answers if toggled & answer.cells]
        return named[0] if len(named) == 1 else None


def which_was_it(game: Game[Any], state: State[Any], sequences: Sequence[Actions], board: Cells) -> Question:
    """Ask which of these sequences the hand has performed."""
    return Question(_answers(game, state, sequences), board, About.PERFORMED)


def what_to_play(game: Game[Any], state: State[Any], board: Cells) -> Question | None:
    """Let an action be chosen: first the cell where it begins, then the action; None where there is none."""
    by_origin: dict[Cell, list[Any]] = {}
    for action in state.legal_actions():
        by_origin.setdefault(_origin(state, action), []).append(action)
    answers = tuple(_from(game, state, origin, actions) for origin, actions in by_origin.items())
    return Question(answers, board, About.CHOICE) if answers else None


def what_was_rolled(odds: Mapping[Roll, Fraction], board: Cells) -> Question:
    """Ask what the players' own dice show, one die after the other."""
    return Question(_dice((), sorted(roll.dice for roll in odds)), board, About.ROLL)


def _dice(fallen: tuple[int, ...], rolls: Sequence[tuple[int, ...]]) -> tuple[Answer, ...]:
    """An answer for each next die; the last one is the roll."""
    answers: list[Answer] = []
    for pips in sorted({dice[len(fallen)] for dice in rolls}):
        so_far = (*fallen, pips)
        going_on = [dice for dice in rolls if dice[: len(so_far)] == so_far]
        label = "-".join(map(str, so_far))
        if len(going_on[0]) == len(so_far):
            answers.append(Answer((Roll(so_far),), label, Cells()))
        else:
            answers.append(Answer((), label, Cells(), then=_dice(so_far, going_on)))
    return tuple(answers)


def how_high(cell: Cell, height: int, most: int, board: Cells) -> Question:
    """Ask how many pieces stand on a cell, first what the game believes, then more, then fewer."""
    counts = (*range(height, most + 1), *range(1, height))
    cells = frozenset((cell,))
    return Question(
        tuple(Answer((Correction(((cell, count),)),), f"{cell}: {count}", cells) for count in counts),
        board,
        About.HEIGHT,
    )


def _origin(state: State[Any], action: Any) -> Cell:
    """Where an action begins: the mover's own piece if one is lifted, else the first cell touched."""
    pieces = state.pieces()
    starts = sorted(edge.cell for edge in first_edges(state.trace(action)))
    own = [cell for cell in starts if cell in pieces and pieces[cell].side is state.to_act]
    empty = [cell for cell in starts if cell not in pieces]
    return (empty or own or starts)[0]


def _from(game: Game[Any], state: State[Any], origin: Cell, actions: list[Any]) -> Answer:
    if len(actions) == 1:
        label, path = _walk(game, state, (actions[0],))
        return Answer((actions[0],), label, frozenset((origin,)), path)
    answers = _answers(game, state, [(action,) for action in actions])
    return Answer((), f"from {origin}", frozenset((origin,)), then=answers)


def _answers(game: Game[Any], state: State[Any], sequences: Sequence[Actions]) -> tuple[Answer, ...]:
    walked = [_walk(game, state, actions) for actions in sequences]
    common = reduce(lambda some, more: some & more, (touched for _, touched in walked))
    if len(walked) == 1:
        common = Cells()
    return tuple(
        Answer(actions, label, touched - common or touched)
        for actions, (label, touched) in zip(sequences, walked, strict=True)
    )


def _walk(game: Game[Any], state: State[Any], actions: Actions) -> tuple[str, Cells]:
    """The actions in the game's notation, and every cell they touch."""
    said, touched = list[str](), Cells()
    for action in actions:
        said.append(game.notate(state, action))
        touched |= cells(state.trace(action))
        state = state.apply(action)
    return ", ".join(said), touched
