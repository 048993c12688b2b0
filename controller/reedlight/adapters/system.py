"""What the operating system gives: dice that nobody can foresee."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from fractions import Fraction
from math import lcm

from reedlight.core.game import Roll


def roll(odds: Mapping[Roll, Fraction]) -> Roll:
    """A roll from the system's secure generator, exactly by its odds, which add up to 1."""
    parts = lcm(*(odd.denominator for odd in odds.values()))
    drawn = secrets.randbelow(parts)
    for possible, odd in odds.items():
        drawn -= odd.numerator * (parts // odd.denominator)
        if drawn < 0:
            return possible
    raise ValueError(f"the odds of {len(odds)} rolls add up to less than 1")
