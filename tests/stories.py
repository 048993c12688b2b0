"""A sitting told in edges: ``sitting.do("-c3 +d4")``, then look at what was accepted, lit and said.

Edges are written as the tracker prints them, ``-c3`` a lift and ``+d4`` a placement; ``&`` joins edges of
one report, a number is a pause in seconds. Between edges a hand takes ``BETWEEN`` seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from reedlight.core.game import Game, Roll, Side, State
from reedlight.core.grid import Cell
from reedlight.games import make
from reedlight.scene.scene import Button
from reedlight.session.events import Accepted, Asked, Board, Chosen, Copy, Effect, Hold, Press, Rolled, TakenBack
from reedlight.session.session import Session
from reedlight.session.settings import Commit, Guidance, Settings

BETWEEN = 0.2
LONG = 3.0


@dataclass
class Sitting:
    """A session with its board, and everything that came out of it."""

    session: Session
    start: State[Any]
    board: set[Cell] = field(default_factory=set)
    now: float = 0.0
    effects: list[Effect] = field(default_factory=list)

    def do(self, story: str) -> Sitting:
        """Perform the edges and pauses of a story."""
        for word in story.split():
            if word[0].isdigit():
                self.wait(float(word))
                continue
            for edge in word.split("&"):
                cell, occupied = Cell(edge[1:]), edge[0] == "+"
                assert (cell in self.board) is not occupied, f"{edge} cannot happen on {sorted(self.board)}"
                self.board ^= {cell}
            self._handle(Board(frozenset(self.board)))
            self.wait(BETWEEN)
        return self

    def blink(self, cell: str, seconds: float = 0.05) -> Sitting:
        """A cell changes and changes back at once: a nudge, or a piece sliding by."""
        for _ in range(2):
            self.board ^= {Cell(cell)}
            self._handle(Board(frozenset(self.board)))
            self.wait(seconds)
        return self

    def wait(self, seconds: float = LONG) -> Sitting:
        """Let time pass, ticking whenever the session asks for it."""
        until = self.now + seconds
        while (due := self.session.deadline) is not None and due <= until:
            self.now = due
            self.effects += self.session.tick(due)
            _ = self.session.scene
        self.now = until
        return self

    def press(self, *buttons: str) -> Sitting:
        """Press buttons, one after another."""
        for button in buttons:
            self._handle(Press(Button(button)))
        return self

    def hold(self, button: str) -> Sitting:
        """Hold a button for two seconds."""
        return self._handle(Hold(Button(button)))

    def roll(self, *pips: int) -> Sitting:
        """Press GO and let these dice fall."""
        self.press("go")
        return self._handle(Rolled(Roll(pips)))

    def copy(self, text: str) -> Sitting:
        """Hand the session an action to be copied."""
        return self._handle(Copy(self.action(text)))

    def choose(self, text: str) -> Sitting:
        """Choose an action on a screen."""
        return self._handle(Chosen(self.action(text)))

    def handle(self, event: Any) -> Sitting:
        """Any other event."""
        return self._handle(event)

    def _handle(self, event: Any) -> Sitting:
        self.effects += self.session.handle(event, self.now)
        _ = self.session.scene
        return self

    def action(self, text: str) -> Any:
        """A legal action by its notation."""
        return self.session.game.parse(self.session.state, text)

    @property
    def played(self) -> list[str]:
        """The actions of the game so far, in its notation; rolls as pips."""
        said: list[str] = []
        state: State[Any] = self.start
        for action in self.session.history:
            said.append(_said(self.session.game, state, action))
            state = state.apply(action)
        return said

    @property
    def asked(self) -> list[Asked]:
        """The questions so far."""
        return [effect for effect in self.effects if isinstance(effect, Asked)]

    @property
    def lit(self) -> dict[str, str]:
        """The lit cells with their marks."""
        return {str(cell): light.mark.value for cell, light in self.session.scene.lights.items()}

    def lit_as(self, mark: str) -> list[str]:
        """The cells that are lit in one way."""
        return sorted(cell for cell, shown in self.lit.items() if shown == mark)

    @property
    def say(self) -> str:
        """The sentence."""
        return self.session.scene.caption.say

    @property
    def why(self) -> str:
        """Its reason."""
        return self.session.scene.caption.why


def _said(game: Game[Any], state: State[Any], action: Any) -> str:
    if isinstance(action, Roll):
        return "-".join(map(str, action.dice))
    return getattr(getattr(action, "speech", None), "value", None) or game.notate(state, action)


def sit(
    name: str,
    size: str | None = None,
    position: str | None = None,
    *,
    commit: Commit = Commit.SETTLE,
    guidance: Guidance = Guidance.FULL,
    begun: bool = True,
) -> Sitting:
    """A sitting of a game, from a position or the start, set up and begun."""
    game = make(name, size)
    state = game.load(position) if position else game.start()
    settings = Settings(commit, {Side.LIGHT: guidance, Side.DARK: guidance})
    return sit_down(game, state, settings) if begun else Sitting(Session(game, settings, state), state)


def sit_down(game: Game[Any], state: State[Any], settings: Settings | None = None) -> Sitting:
    """A sitting of any game from any state, set up and begun."""
    sitting = Sitting(Session(game, settings, state), state, set(state.occupancy()))
    return sitting.handle(Board(frozenset(sitting.board))).press("go")


def accepted(sitting: Sitting) -> int:
    """How many times something was accepted, taken back or not."""
    return sum(isinstance(effect, Accepted) for effect in sitting.effects)


def taken_back(sitting: Sitting) -> int:
    """How many times something was taken back."""
    return sum(isinstance(effect, TakenBack) for effect in sitting.effects)
