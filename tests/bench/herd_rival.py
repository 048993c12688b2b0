"""An opponent to measure Herd's computer player against: greedy, one action at a time, by rules of thumb.

It herds: stones stay together, lone ones are feared for by the squared share of enemies around them, the other's
lone ones are hunted, cells are walled off. Every weight was set by hand, in stones, and it shares nothing
with the player it measures but the rules: no counts, no search, no learned number.

    choose(state, rng) -> action

``plays_at_random`` is the floor below it.
"""

from __future__ import annotations

from random import Random

from reedlight.games.herd.rules import Action, Board, Herd, Place

LONE = 0.3
"""Stones that a lone stone is worth less than one in company."""
HUNTED = 1.2
"""Stones that it loses more when all around it are enemies; by the square of their share."""
NEARLY_TAKEN = 0.6
"""Stones that it loses more when one placement takes it."""
ONE_FRIEND = 0.05
"""Stones that a pair loses for it can be cut down to a lone one."""
CLOSED = 0.7
"""Stones that an empty cell is worth where the other side may not place."""
NEARLY_CLOSED = 0.3
"""Stones that an empty cell is worth that one more stone closes."""
BURIED = 0.05
"""Stones that one is worth more with nothing but friends around it."""


def choose(state: Herd, rng: Random) -> Action:
    """The legal action after which the board looks best to the mover; chance decides between equals."""
    return max(state.legal_actions(), key=lambda action: (_worth_after(state, action), rng.random()))


def plays_at_random(state: Herd, rng: Random) -> Action:
    """Any legal action."""
    return rng.choice(state.legal_actions())


def worth(board: Board, own: int, enemy: int) -> float:
    """What the stones of ``own`` look worth against those of ``enemy``, in stones."""
    return _for_one(board, own, enemy) - _for_one(board, enemy, own)


def _worth_after(state: Herd, action: Action) -> float:
    board, own, enemy = state.board, state.own, state.enemy
    bit = board.bits[action.cell]
    if not isinstance(action, Place):
        return worth(board, own, enemy & ~bit)
    captured = board.captured(own, enemy, bit)
    return worth(board, own | bit, enemy & ~captured) + captured.bit_count()


def _for_one(board: Board, own: int, enemy: int) -> float:
    total = float(own.bit_count())
    for bit, ring in board.rings.items():
        around, friends, foes = ring.bit_count(), (ring & own).bit_count(), (ring & enemy).bit_count()
        if own & bit:
            total += _stone(around, friends, foes)
        elif not enemy & bit and not foes:
            total += CLOSED if friends == around else NEARLY_CLOSED if friends == around - 1 else 0.0
    return total


def _stone(around: int, friends: int, foes: int) -> float:
    """How much more than one stone a stone is worth."""
    if not friends:
        nearly = NEARLY_TAKEN if foes == around - 1 else 0.0
        return -LONE - HUNTED * (foes / around) ** 2 - nearly
    return BURIED * (friends == around) - ONE_FRIEND * (friends == 1)
