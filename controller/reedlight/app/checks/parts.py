"""The check that every part of the board can be opened, after all reasons that are known have been looked for.

What is left here are the ports' own sentences: a package that is not installed, a chip that has gone.
"""

from __future__ import annotations

from reedlight.app.checks.finding import Finding, Outcome, outcome
from reedlight.app.checks.visit import Visit


def parts(visit: Visit) -> Outcome:
    """Every port opens and takes what it is told."""
    visit.meet()
    troubles = dict.fromkeys(visit.bench.troubles)
    fresh = [trouble for trouble in troubles if not any(words in trouble for words in visit.covered)]
    return outcome([Finding(trouble) for trouble in fresh], "all open, and take what they are told")


def is_read(visit: Visit) -> str:
    """A need: the switches are read."""
    visit.meet()
    return "" if visit.bench.closed is not None else "the switches cannot be read"
