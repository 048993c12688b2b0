"""The computer player of Diablo: whole turns, learned values, and the foe's answers to every roll.

``mind`` is all the rest of Reedlight needs. ``turns`` finds whole turns, ``value`` says what a board is worth,
``search`` looks at the answers, ``mind`` makes levels of it, and ``reasons`` says what an action is for.
"""

from reedlight.players.diablo.mind import DiabloMind, mind

__all__ = ["DiabloMind", "mind"]
