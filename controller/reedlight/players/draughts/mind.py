"""The computer player of Russian draughts: from a game's state to the search, and back to moves.

What a level sees is the search's; how it plays is a row of ``MANNERS``. The strong ones search the best
move and play it; among moves of nearly the same worth they vary in the opening. The weak ones compare all
moves at a small depth and then judge amiss as people do: every worth is a little off, and now and then the
reply to a move is not looked at. What they may lose by that in one move is limited, so they overlook
things but throw nothing away on purpose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, cast

from reedlight.core.game import Side, State
from reedlight.games.draughts.compact import FAR, After, Position, Step, own_and_foe, play, steps
from reedlight.games.draughts.rules import Draughts, Draws, Move, move_of
from reedlight.players.draughts.explain import explain
from reedlight.players.draughts.search import BOTH_ENDS, INFINITE, WIN, WON, Enough, Search, key_of, still_after
from reedlight.players.draughts.value import MAN, NO_MOVE, glance
from reedlight.players.player import Stop, Worth, never

WON_MEN = 50.0
"""What a won game is worth in men, less a hundredth for each ply to the win; twelve kings are worth less."""
MOST_NODES = 3_000_000
"""Nodes of the strongest level: more than a minute in pure Python, so it is the clock that ends its thinking."""
REVIEW_NODES = 30_000
"""Nodes to compare all moves with."""
LINE = 8
"""Moves at most of what is expected to follow."""
OPENING = 8
"""Plies from the start in which moves of nearly the same worth are drawn from."""
FULL = 20
"""Pieces that such a position has at least."""
NEARLY = 8
"""Hundredths of a man that such moves may differ by."""
BEST_ONLY = -1
"""The margin with which no second move gets a worth of its own."""
DEEP = 40
"""Plies after which deepening stops."""
SOON = 400
"""Nodes for a worth at a glance."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a level plays."""

    nodes: int
    depth: int = DEEP
    noise: float = 0.0
    """Men by which the worth of a move is misjudged, as a standard deviation."""
    overlooks: float = 0.0
    """How often the reply to a move is not looked at."""
    limit: float = 0.0
    """Men a move may be worse than the best one that is seen."""

    @property
    def errs(self) -> bool:
        """Whether the level compares all moves and judges amiss."""
        return self.noise > 0


MANNERS = (
    Manner(nodes=2_000, depth=1, noise=0.88, overlooks=0.63, limit=2.8),
    Manner(nodes=2_000, depth=1, noise=0.38, overlooks=0.15, limit=1.6),
    Manner(nodes=4_000, depth=2, noise=0.52, overlooks=0.13, limit=1.3),
    Manner(nodes=10_000, depth=3, noise=0.27, overlooks=0.02, limit=0.8),
    Manner(nodes=2_400),
    Manner(nodes=MOST_NODES),
)
"""The six levels, the weakest first."""


class DraughtsMind:
    """A player of Russian draughts."""

    @property
    def unit(self) -> str:
        """What worth is counted in."""
        return "men"

    def choose(self, state: State[Any], level: int, rng: Random, stop: Stop) -> Worth:
        """What a player of the level does; raises ValueError once the game is over."""
        manner = MANNERS[level - 1]
        root = _Root(_draughts(state), manner.nodes, stop)
        if len(root.moves) == 1:
            return Worth(root.moves[0], _men(root.glances[0]))
        return _erring(root, manner, rng) if manner.errs else _strong(root, manner, rng)

    def appraise(self, state: State[Any], stop: Stop) -> Sequence[Worth]:
        """Every legal move, best first; empty once the game is over."""
        draughts = _draughts(state)
        if draughts.outcome is not None:
            return ()
        root = _Root(draughts, REVIEW_NODES, stop)
        root.deepen(DEEP, INFINITE)
        return [root.told(place) for place in root.ranked()]

    def rate(self, state: State[Any], side: Side) -> float:
        """What a state is worth to a side: captures are looked through, and the table of endings is asked."""
        draughts = _draughts(state)
        if draughts.outcome is not None:
            winner = draughts.outcome.winner
            return 0.0 if winner is None else WON_MEN if winner is side else -WON_MEN
        search = _search(draughts, SOON, never)
        own, foe = own_and_foe(draughts.position, draughts.side)
        try:
            points = search.settled(
                own, foe, draughts.position[2], FAR[draughts.side], -INFINITE, INFINITE, 0, draughts.clocks.kings_only
            )
        except Enough:
            # So many captures at once that no sum is right at a glance: the pieces as they stand.
            points = glance(own, foe, draughts.position[2], FAR[draughts.side])
            points = -WIN if points == NO_MOVE else points
        return _men(points if side is draughts.side else -points)

    def explain(self, state: State[Any], worth: Worth) -> str:
        """What a move is for."""
        return explain(_draughts(state), worth.action, worth.line)


class _Root:
    """The moves of a state and what is known of their worth."""

    def __init__(self, state: Draughts, nodes: int, stop: Stop) -> None:
        if state.outcome is not None:
            raise ValueError("the game is over: there is nothing to choose")
        self.state = state
        by_move = {move_of(step): step for step in state.steps}
        self.moves: list[Move] = sorted(by_move)
        self._steps = [by_move[move] for move in self.moves]
        self.position, self.side = state.position, state.side
        self.afters = [_after(self.position, self.side, step) for step in self._steps]
        self.still = state.clocks.kings_only
        self._search = _search(state, nodes, stop)
        self._far = FAR[state.side]
        self.glances = [self._glance(after) for after in self.afters]
        self.points = list(self.glances)
        """What each move is worth, in hundredths of a man, by the last search that was finished."""
        self.exact = [True] * len(self.moves)
        """Whether that is its worth, and not a bound above it."""

    def _glance(self, after: After) -> int:
        worth = glance(*after, BOTH_ENDS ^ self._far)
        return WIN - 1 if worth == NO_MOVE else -worth

    def ranked(self) -> list[int]:
        """The places of the moves, best first."""
        return sorted(range(len(self.moves)), key=lambda place: (-self.points[place], not self.exact[place], place))

    def deepen(self, depth: int, margin: int) -> None:
        """Search deeper and deeper; moves within the margin of the best get their own worth."""
        try:
            for deep in range(1, depth + 1):
                self._iterate(deep, margin)
                if abs(max(self.points)) >= WON and margin < INFINITE:
                    return
        except Enough:
            return

    def _iterate(self, depth: int, margin: int) -> None:
        order = self.ranked()
        points, exact = list(self.points), [False] * len(self.moves)
        best = -INFINITE
        for nth, place in enumerate(order):
            floor = max(-INFINITE, best - margin - 1)
            try:
                points[place], exact[place] = self._worth(place, depth, floor)
            except Enough:
                if nth:
                    # What was searched so far can be compared with one another, and holds the best move of before.
                    self._keep(points, exact, order[:nth])
                raise
            best = max(best, points[place])
        self.points, self.exact = points, exact

    def _keep(self, points: list[int], exact: list[bool], searched: Sequence[int]) -> None:
        worst = min(points[place] for place in searched)
        for place in range(len(points)):
            if place not in searched:
                points[place], exact[place] = min(points[place], worst), False
        self.points, self.exact = points, exact

    def _worth(self, place: int, depth: int, floor: int) -> tuple[int, bool]:
        after = self.afters[place]
        own, foe = own_and_foe(self.position, self.side)
        still = still_after(own, foe, self.position[2], after, self.still)
        far = BOTH_ENDS ^ self._far
        if floor > -INFINITE:
            found = -self._search.worth(*after, far, -floor - 1, -floor, depth - 1, 1, still)
            if found <= floor:
                return found, False
        return -self._search.worth(*after, far, -INFINITE, -floor, depth - 1, 1, still), True

    def told(self, place: int) -> Worth:
        """A move with its worth and what is expected to follow."""
        return Worth(self.moves[place], _men(self.points[place]), tuple(self._line(place)))

    def _line(self, place: int) -> Iterator[Move]:
        """The moves that the table of positions expects after a move."""
        position, side = play(self.position, self.side, self._steps[place]), self.side.other
        for _ in range(LINE):
            step = self._search_step(position, side)
            if step is None:
                return
            yield move_of(step)
            position, side = play(position, side, step), side.other

    def _search_step(self, position: Position, side: Side) -> Step | None:
        own, foe = own_and_foe(position, side)
        after = self._search.expected(own, foe, position[2], FAR[side])
        found = [step for step in steps(position, side) if after == _after(position, side, step)]
        return found[0] if found else None


def _erring(root: _Root, manner: Manner, rng: Random) -> Worth:
    """A choice among all moves by what they seem to be worth."""
    root.deepen(manner.depth, INFINITE)
    best = max(root.points)
    seeming: list[tuple[float, int]] = []
    for place, points in enumerate(root.points):
        off, overlooked = rng.gauss(0.0, manner.noise * MAN), rng.random() < manner.overlooks
        if best - points <= manner.limit * MAN:
            seeming.append((off + (root.glances[place] if overlooked else points), -place))
    return root.told(-max(seeming)[1])


def _strong(root: _Root, manner: Manner, rng: Random) -> Worth:
    """The best move, or in the opening one that is nearly as good."""
    light, dark, _ = root.state.position
    varied = root.state.plies < OPENING and (light | dark).bit_count() >= FULL
    root.deepen(manner.depth, NEARLY if varied else BEST_ONLY)
    ranked = root.ranked()
    best = root.points[ranked[0]]
    equal = [place for place in ranked if root.exact[place] and best - root.points[place] <= NEARLY]
    return root.told(rng.choice(equal) if varied and len(equal) > 1 else ranked[0])


def _search(state: Draughts, nodes: int, stop: Stop) -> Search:
    earlier: dict[int, int] = {}
    for position, side in state.seen:
        key = key_of(*own_and_foe(position, side), position[2], FAR[side])
        earlier[key] = earlier.get(key, 0) + 1
    return Search(nodes, stop, earlier, int(state.draws is Draws.FEDERATION))


def _after(position: Position, side: Side, step: Step) -> After:
    after = play(position, side, step)
    return (*own_and_foe(after, side.other), after[2])


def _draughts(state: State[Any]) -> Draughts:
    """The state as what it is: this mind is made for no other game."""
    return cast("Draughts", state)


def _men(points: int) -> float:
    """Hundredths of a man as men; a win by how near it is."""
    if points >= WON:
        return WON_MEN - (WIN - points) / 100
    if points <= -WON:
        return -WON_MEN + (WIN + points) / 100
    return points / MAN
