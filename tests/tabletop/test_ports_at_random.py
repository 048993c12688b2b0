"""A game of draughts while plugs are pulled and put in at any moment: no action is lost, no event made up.

One hand moves men by legal moves, in any order that a trace allows, whether it is heard or not; it begins the
next move only when the last one has been accepted and the switches are heard. One finger presses HINT at either
of two consoles. Whatever the plugs do meanwhile,

    what was accepted stays so, and is what the hand did
    what is told of the board is what stood there at that moment
    a press was made by the finger, and no console came or went during it
    a press during which no console came or went is told
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tabletop.hand_made import BETWEEN, Screen, Sitting, Source

from reedlight.core.game import State
from reedlight.games import make
from reedlight.scene.scene import Button
from reedlight.session.events import Accepted, Board, Event, Hold, Press, TakenBack
from reedlight.session.presses import HOLD
from reedlight.tabletop import RETRY
from reedlight_sim.words import draw_seen

LEFT, RIGHT = 1, 2
PAUSES = (0.01, 0.07, 0.2, 0.5, 1.0, 2.5)
SETTLED = 3.0
"""Seconds after which a board that is heard has accepted everything."""


@dataclass
class Finger:
    """One press: at which console, from when to when; whether the console was heard as it began."""

    console: int
    heard: bool
    down_at: float
    up_at: float | None = None


def in_mid_game(plies: int, rng: Random) -> State[Any]:
    """The state after so many random moves, or before the last move of a shorter game."""
    state = make("draughts").start()
    for _ in range(plies):
        successor = state.apply(rng.choice(state.legal_actions()))
        if successor.outcome is not None:
            return state
        state = successor
    return state


class PortsAtRandom(RuleBasedStateMachine):
    @initialize(plies=st.integers(0, 30), seed=st.integers(0, 999))
    def set_up(self, plies: int, seed: int) -> None:
        consoles = [Source(down=frozenset(), sentence=f"The {side} console is gone.") for side in ("left", "right")]
        screens = [Screen(), Screen(sentence="Dark.")]
        state = in_mid_game(plies, Random(seed))
        self.sitting = Sitting(make("draughts"), [Source(closed=0), *consoles], screens, state=state)
        self.sitting.begin()
        self.sitting.happened.clear()
        self.sitting.stood.clear()
        self.plugs: list[Source | Screen] = [*self.sitting.sources, *self.sitting.screens]
        self.meant: list[Any] = []
        self.edges: list[str] = []
        self.accepted = 0
        self.fingers: list[Finger] = []
        self.checked = 0

    @property
    def finger(self) -> Finger | None:
        """The finger that is down."""
        return self.fingers[-1] if self.fingers and self.fingers[-1].up_at is None else None

    @property
    def understood(self) -> bool:
        """Whether the board has accepted all that was done, and there is more to do."""
        session = self.sitting.tabletop.session
        return list(session.history) == self.meant and session.state.outcome is None

    # -------------------------------------------------------------------------------- what happens

    @rule(plug=st.integers(0, 4))
    def pull(self, plug: int) -> None:
        self.plugs[plug].plugged = False
        self.sitting.wait()

    @rule(plug=st.integers(0, 4))
    def put_in(self, plug: int) -> None:
        self.plugs[plug].plugged = True
        self.sitting.wait()

    @rule(pause=st.sampled_from(PAUSES))
    def wait(self, pause: float) -> None:
        self.sitting.wait(pause)

    @precondition(lambda self: not self.edges and self.sitting.sources[0].is_open)
    @rule(choice=st.integers(0, 999), seed=st.integers(0, 999), first=st.integers(1, 4))
    def begin_a_move(self, choice: int, seed: int, first: int) -> None:
        if not self.understood:
            self.sitting.wait(0.5)
        if not self.understood:
            return
        state = self.sitting.tabletop.session.state
        legal = state.legal_actions()
        action = legal[choice % len(legal)]
        self.meant.append(action)
        self.edges = [edge.cell for edge in draw_seen(state.trace(action), Random(seed))]
        for _ in self.edges[:first]:
            self.go_on()

    @precondition(lambda self: self.edges)
    @rule(pause=st.sampled_from(PAUSES))
    def go_on(self, pause: float = BETWEEN) -> None:
        self.sitting.toggle(self.edges.pop(0)).wait(pause)

    @precondition(lambda self: self.finger is None)
    @rule(console=st.sampled_from((LEFT, RIGHT)))
    def press(self, console: int) -> None:
        self.sitting.wait(0.001)
        source = self.sitting.sources[console]
        self.fingers.append(Finger(console, source.is_open and source.plugged, self.sitting.now))
        self.sitting.hold(console, Button.HINT)

    @precondition(lambda self: self.finger is not None)
    @rule()
    def let_go(self) -> None:
        finger = self.fingers[-1]
        self.sitting.wait(0.001)
        finger.up_at = self.sitting.now
        self.sitting.hold(finger.console)

    # ------------------------------------------------------------------------------- what must hold

    @invariant()
    def nothing_accepted_is_lost_and_nothing_else_is_accepted(self) -> None:
        history = list(self.sitting.tabletop.session.history)
        assert len(history) >= self.accepted
        assert history == self.meant[: len(history)]
        self.accepted = len(history)

    @invariant()
    def nothing_is_told_but_what_is_so(self) -> None:
        fresh = list(zip(self.sitting.happened, self.sitting.stood, strict=True))[self.checked :]
        self.checked = len(self.sitting.happened)
        for (happening, at), standing in fresh:
            match happening:
                case Board(occupied):
                    assert occupied == standing
                case Press(button) | Hold(button):
                    assert button is Button.HINT
                    assert self._made(happening, at)
                case Accepted():
                    pass
                case _:
                    assert not isinstance(happening, Event | TakenBack)

    def _made(self, event: Press | Hold, at: float) -> bool:
        """Whether the finger did this, and no console came or went during it."""
        finger = self.fingers[-1]
        lasts = at - finger.down_at
        if isinstance(event, Press) and (finger.up_at != at or lasts > HOLD):
            return False
        if isinstance(event, Hold) and abs(lasts - HOLD) > 1e-6:
            return False
        return not any(finger.down_at < turn < at for turn in self._turns())

    def _turns(self) -> list[float]:
        """When consoles came and went."""
        return [turn for console in (LEFT, RIGHT) for turn in self.sitting.sources[console].turns]

    def teardown(self) -> None:
        if self.finger is not None:
            self.let_go()
        for plug in self.plugs:
            plug.plugged = True
        self.sitting.wait(RETRY + SETTLED)
        while self.edges:
            self.go_on()
        self.sitting.wait(SETTLED)
        assert self.sitting.tabletop.troubles == ()
        assert list(self.sitting.tabletop.session.history) == self.meant
        assert [effect.action for effect in self.sitting.heard(Accepted)] == self.meant
        undisturbed = [finger for finger in self.fingers if finger.heard and not self._disturbed(finger)]
        told = len(self.sitting.heard(Press)) + len(self.sitting.heard(Hold))
        assert len(undisturbed) <= told <= len(self.fingers)

    def _disturbed(self, finger: Finger) -> bool:
        assert finger.up_at is not None
        return any(finger.down_at <= turn <= finger.up_at for turn in self._turns())


PortsAtRandom.TestCase.settings = settings(max_examples=25, stateful_step_count=60, deadline=None)
test_ports_at_random = PortsAtRandom.TestCase
