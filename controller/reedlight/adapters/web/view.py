"""The view: what a session knows, as the JSON that the page draws.

One function of a session makes the whole message; the page keeps nothing but pictures of it. Whoever
serves the page adds what the session does not know: the menu of games, the link, and in the simulator
what truly stands on the board and what the hand holds. Before the first view it shows ``marks``, once:
the page has no colours or rhythms of its own. ``past`` and ``record`` answer a page that asks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from types import MappingProxyType
from typing import Any
from weakref import WeakKeyDictionary

from reedlight.core.game import Correction, Declaration, Game, Kind, Piece, Roll, Side, Speech, State, tally, whose_turn
from reedlight.core.grid import Cell, Grid
from reedlight.core.trace import cells
from reedlight.record import keeping
from reedlight.record.account import Account, Step, result_of
from reedlight.record.journal import Entry
from reedlight.scene import compose
from reedlight.scene.palette import BUTTON_RHYTHMS, Palette, as_json
from reedlight.scene.scene import Mark
from reedlight.session.session import Mode, Session

PLAYERS = (Side.LIGHT, Side.DARK)
TURNS_SHOWN = 200
"""Turns in a view, the latest ones: more than a game usually has, and few enough to be sent at every touch."""
_SPEECH = {
    Speech.RESIGN: "{} resigns",
    Speech.OFFER_DRAW: "{} offers a draw",
    Speech.ACCEPT_DRAW: "{} accepts the draw",
    Speech.DECLINE_DRAW: "{} declines the draw",
}


def view(session: Session) -> dict[str, Any]:
    """Everything the page shows of a session, as one message of type ``view``."""
    game, state, scene = session.game, session.state, session.scene
    turns = _turns(session)
    begun = session.mode is not Mode.SETUP
    return {
        "type": "view",
        "game": {"name": game.name, "title": game.title, "size": game.size, "sizeText": size_text(game)},
        "grid": _grid(game.grid),
        "palette": game.name,
        "simulated": False,
        "pieces": pieces(state.pieces()),
        "lights": {cell: {"mark": light.mark.value, "note": light.note} for cell, light in scene.lights.items()},
        "options": [
            {"label": option.label, "cells": sorted(option.cells), "chosen": option.chosen} for option in scene.options
        ],
        "expected": pieces(
            {
                cell: piece
                for cell, piece in state.pieces().items()
                if cell in scene.lights and scene.lights[cell].mark is Mark.MISSING
            }
        ),
        "say": scene.caption.say,
        "why": scene.caption.why,
        "dice": [{"pips": die.pips, "spent": die.spent, "note": die.note} for die in scene.dice],
        "lamps": {button.value: lamp.value for button, lamp in scene.lamps.items()},
        "sides": [_side(game, state, side) for side in _in_order(game)],
        "turns": [turn.as_json() for turn in turns[-TURNS_SHOWN:]],
        "turnsBefore": max(0, len(turns) - TURNS_SHOWN),
        "where": _where(session, turns),
        "rolls": _rolls(game),
        "mode": session.mode.value,
        "declarations": [
            {
                "side": each.side.value,
                "speech": each.speech.value,
                "text": _SPEECH[each.speech].format(game.sides[each.side]),
            }
            for each in state.declarations()
            if each.side not in session.settings.computers
        ],
        "actions": _actions(game, state) if begun else [],
    }


def marks(palette: Palette) -> dict[str, Any]:
    """How marks and the lamps of the buttons look, as the message that comes before the first view."""
    lamps = {
        lamp.value: {"period": rhythm.period, "points": [list(point) for point in rhythm.points], "still": rhythm.peak}
        for lamp, rhythm in BUTTON_RHYTHMS.items()
    }
    return {"type": "marks", "marks": as_json(palette), "lamps": lamps}


def past(session: Session, turn: int) -> dict[str, Any]:
    """What stood on the board after so many turns of the game; raises KeyError where it has not so many."""
    entries, turns = session.entries, _turns(session)
    if not 0 <= turn <= len(turns):
        raise KeyError(turn)
    end, number = (turns[turn - 1].end, turns[turn - 1].number) if turn else (0, 0)
    state = entries[end].before if end < len(entries) else session.state
    return {"type": "past", "turn": turn, "number": number, "pieces": pieces(state.pieces())}


def moment(session: Session, at: int, better: str) -> dict[str, Any]:
    """What stood before a part of the history, what was played then, and by lights what would have been better."""
    entry, turns = session.entries[at], _turns(session)
    turn = next(number for number, each in enumerate(turns, 1) if each.end > at)
    state = entry.before
    lights = compose.advised(state, state.trace(session.game.parse(state, better)))
    return {
        "type": "past",
        "turn": turn,
        "number": turns[turn - 1].number,
        "pieces": pieces(state.pieces()),
        "lights": {cell: {"mark": light.mark.value, "note": light.note} for cell, light in lights.items()},
    }


def pieces(standing: Mapping[Cell, Piece]) -> dict[str, Any]:
    """Pieces by cell, as the page draws them."""
    return {cell: piece(each) for cell, each in standing.items()}


def piece(each: Piece) -> dict[str, Any]:
    """One piece or stack."""
    return {"side": each.side.value, "kind": each.kind.value, "height": each.height}


def _grid(grid: Grid) -> dict[str, Any]:
    return {
        "name": grid.name,
        "shape": grid.shape.value,
        "cells": [{"name": cell, "x": x, "y": y} for cell, (x, y) in grid.places.items()],
    }


def size_text(game: Game[Any]) -> str:
    """The size as people say it: ``8 × 8``, ``side 5``; ``8 × 8, federation rules`` where it names rules too."""
    name = game.grid.name
    if name.startswith("hexhex-"):
        return f"side {name.removeprefix('hexhex-')}"
    size = " × ".join(name.rpartition("-")[2].split("x"))
    number, _, rules = game.size.partition("-")
    return f"{size}, {rules} rules" if number.isdecimal() and rules else size


def _in_order(game: Game[Any]) -> tuple[Side, ...]:
    return tuple(side for side in game.sides if side in PLAYERS)


def _side(game: Game[Any], state: State[Any], side: Side) -> dict[str, Any]:
    return {
        "side": side.value,
        "name": game.sides[side],
        "who": "Person",
        "count": tally(state)[side],
        "unit": game.unit,
        "active": whose_turn(state) is side,
        "kind": _kind(game).value,
    }


@lru_cache(maxsize=4)
def _rolls(game: Game[Any]) -> bool:
    """Whether it is played with dice."""
    return bool(game.start().chance())


@lru_cache(maxsize=4)
def _kind(game: Game[Any]) -> Kind:
    """What the game is begun with; where the board begins empty, what is put there first."""
    state = game.start()
    while not state.pieces():
        state = state.apply(next(iter(state.chance() or state.legal_actions())))
    return next(iter(state.pieces().values())).kind


# A view is made at every touch of the board; what may be played changes less often and costs most.
@lru_cache(maxsize=4)
def _actions(game: Game[Any], state: State[Any]) -> list[dict[str, Any]]:
    """What the side to act may play, by name."""
    return [
        {
            "text": game.notate(state, action),
            "label": game.label(state, action),
            "cells": sorted(cells(state.trace(action))),
        }
        for action in state.legal_actions()
    ]


# ------------------------------------------------------------------------------------------ turns


@dataclass(slots=True)
class _Turn:
    number: int
    """As people count: one by one where dice fall, in pairs where they do not."""
    moves: int
    """How many turns with a move there were when it ended, it included; what is only spoken is none."""
    side: Side | None = None
    """Who moved; None where something was only spoken."""
    dice: tuple[int, ...] = ()
    said: list[str] = field(default_factory=list[str])
    end: int = 0
    """How many entries there were when it ended."""
    last: Entry[Any] | None = None
    """The last of its entries."""

    def as_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "side": self.side.value if self.side else None,
            "dice": list(self.dice),
            "text": "  ".join(self.said),
        }


class _Story:
    """The history as turns: what one side did from its roll, or from the other side's end, on.

    A session's entries are only added at the end and dropped from there, so the story is kept from view to
    view: turns that no longer hold are dropped, and only entries that came since are told. What is spoken
    or recounted between two moves is one turn, in which a repeated sentence stands once.
    """

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._by_dice = _rolls(game)
        self._turns: list[_Turn] = []

    def of(self, entries: Sequence[Entry[Any]]) -> list[_Turn]:
        """The turns that these entries make."""
        turns = self._turns
        while turns and (turns[-1].end > len(entries) or entries[turns[-1].end - 1] is not turns[-1].last):
            turns.pop()
        for end in range(turns[-1].end if turns else 0, len(entries)):
            self._tell(entries[end])
            turns[-1].end, turns[-1].last = end + 1, entries[end]
        return turns

    def _tell(self, entry: Entry[Any]) -> None:
        turns, game = self._turns, self._game
        match entry.action:
            case Roll(pips):
                turns.append(self._move(whose_turn(entry.before.apply(entry.action)), pips))
            case Declaration(side, speech):
                self._say(_SPEECH[speech].format(game.sides[side]))
            case Correction(heights):
                self._say(f"recounted: {', '.join(f'{height} on {cell}' for cell, height in heights)}")
            case action:
                mover = entry.before.to_act
                if not self._by_dice or self._mover is not mover:
                    turns.append(self._move(mover))
                elif not turns[-1].side:
                    turns.append(_Turn(turns[-1].number, turns[-1].moves, mover))
                turns[-1].said.append(game.notate(entry.before, action))

    def _say(self, sentence: str) -> None:
        if not self._turns or self._turns[-1].side:
            self._turns.append(self._words())
        said = self._turns[-1].said
        if sentence in said:
            said.remove(sentence)
        said.append(sentence)

    @property
    def _moves(self) -> int:
        return self._turns[-1].moves if self._turns else 0

    @property
    def _mover(self) -> Side | None:
        """Who moved last, whatever was said since."""
        return next((turn.side for turn in reversed(self._turns[-2:]) if turn.side), None)

    def _move(self, side: Side | None, dice: tuple[int, ...] = ()) -> _Turn:
        number = self._moves if self._by_dice else self._moves // 2
        return _Turn(number + 1, self._moves + 1, side, dice)

    def _words(self) -> _Turn:
        """What is spoken belongs to the turn under way, where turns go in pairs to the move to come."""
        return _Turn(max(1, self._moves) if self._by_dice else self._moves // 2 + 1, self._moves)


_STORIES: WeakKeyDictionary[Session, _Story] = WeakKeyDictionary()


def _turns(session: Session) -> Sequence[_Turn]:
    story = _STORIES.get(session)
    if story is None:
        story = _STORIES[session] = _Story(session.game)
    return story.of(session.entries)


def _where(session: Session, turns: Sequence[_Turn]) -> str:
    if not turns:
        return "Not begun" if session.mode is Mode.SETUP else "First turn"
    return f"Turn {turns[-1].number}"


# ----------------------------------------------------------------------------------------- records


def record(
    session: Session, players: Mapping[str, str], day: date, tags: Mapping[str, str] = MappingProxyType({})
) -> dict[str, Any]:
    """The game so far as a file to keep, with tags of its own: PDN without dice, a Reedlight record with them.

    ``players`` are the tags that say who played.
    """
    game, entries, outcome = session.game, session.entries, session.state.outcome
    told = Account(
        game,
        entries[0].before if entries else session.state,
        # What was offered and declined on the way would only be in the way of other programs.
        tuple(Step(entry.action) for entry in entries if not isinstance(entry.action, Declaration)),
        {**players, "Date": keeping.dated(game, day), **tags},
        result=result_of(session.state),
        reason=outcome.reason if outcome else "",
    )
    name = f"{game.name}-{game.size}{keeping.ending(game)}"
    return {"type": "record", "name": name, "text": keeping.write([told])}
