"""Dice that can be audited: every roll of a game is fixed before it begins, and can be proved to have been.

    seed  32 secret bytes, drawn before the game
    hash  SHA-256 of the seed, shown before the first roll and written into the record
    roll  the n-th roll of the game follows from the seed and n alone; the seed is in the record once it is over

So whoever has the record can do all rolls again and compare: neither the program nor a player can have
chosen one, and a roll that was taken back, or lost with the power, comes again. A roll is drawn by HMAC-SHA-256
of its number under the seed, read as one large number; of the few largest numbers, which would make some
rolls likelier, another draw is taken.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import count
from math import lcm

from reedlight.core.game import Roll

SEED = 32
"""Bytes of a seed: nobody can try all of them."""
_NUMBERS = 1 << 256
"""How many numbers a draw has."""


def hash_of(seed: bytes) -> str:
    """What is shown of a seed before the game, in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


def roll(seed: bytes, number: int, odds: Mapping[Roll, Fraction]) -> Roll:
    """The roll of this number, from 0, exactly by its odds, which add up to 1 and are taken in sorted order."""
    possible = sorted(odds, key=lambda each: each.dice)
    parts = lcm(*(odds[each].denominator for each in possible))
    drawn = _below(parts, seed, number)
    for each in possible:
        drawn -= odds[each].numerator * (parts // odds[each].denominator)
        if drawn < 0:
            return each
    raise ValueError(f"the odds of {len(odds)} rolls add up to less than 1")


def _below(parts: int, seed: bytes, number: int) -> int:
    """A number from 0 to below ``parts``, each equally likely."""
    fair = _NUMBERS - _NUMBERS % parts
    draws = (_draw(seed, f"roll {number} draw {again}") for again in count())
    return next(drawn for drawn in draws if drawn < fair) % parts


def _draw(seed: bytes, name: str) -> int:
    return int.from_bytes(hmac.digest(seed, name.encode(), "sha256"), "big")


def verify(seed: bytes, shown_hash: str, rolls: Iterable[tuple[Roll, Mapping[Roll, Fraction]]]) -> str:
    """What does not agree with the seed, in a sentence; empty if the hash and every roll do."""
    if hash_of(seed) != shown_hash.lower():
        return "the seed does not have the hash that was shown before the game"
    for number, (fallen, odds) in enumerate(rolls):
        due = roll(seed, number, odds)
        if due != fallen:
            return f"roll {number + 1} is {_said(fallen)}, and by the seed it is {_said(due)}"
    return ""


def _said(fallen: Roll) -> str:
    return "-".join(map(str, fallen.dice))
