"""How much of the longest runs the suite does: ``REEDLIGHT_SHARE``, 1 for all of them (``make thorough``)."""

from __future__ import annotations

import os

SHARE = float(os.environ.get("REEDLIGHT_SHARE", "0.2"))
"""A fifth finds what breaks often; all of it takes two minutes of processor time."""


def share(number: int) -> int:
    """So many of a number of runs, at least one."""
    return max(1, round(number * SHARE))
