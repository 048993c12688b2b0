"""Times in records: when a game began, and how long after that each thing in it happened.

    18:04:05 UTC  ├── 0:00:04.25 ──┤ c3-d4  ├─ ...     the beginning, and the elapsed time of the game

Moments are seconds since the epoch, 0 where nobody knows them; texts say whole seconds, and thousandths where
there are any. A time before the beginning, such as a clock that was set right makes, is one that nobody knows.
No zone of anybody's is known here: texts are in UTC.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from math import floor

_MOST_HOURS = 100_000
"""A game of eleven years has other troubles than its record."""
_ELAPSED = re.compile(r"([0-9]{1,5}):([0-5][0-9]):([0-5][0-9](?:\.[0-9]{1,3})?)")
_BEGUN = re.compile(r"([0-9]{4})[-.]([0-9]{2})[-.]([0-9]{2})[T ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?Z?")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def beginning(at: float) -> float:
    """The moment of a beginning as a record keeps it: in whole seconds, 0 where no calendar has it."""
    try:
        return float(floor(at)) if moment(at) else 0.0
    except (OverflowError, ValueError):
        return 0.0


def moment(at: float) -> datetime:
    """The moment by the calendar, in UTC; raises OverflowError or ValueError where there is none."""
    return _EPOCH + timedelta(seconds=floor(at))


def of_game(begun: float, at: float) -> float:
    """A moment of a game as a record keeps it: in thousandths, 0 where it cannot be told from the beginning."""
    is_told = begun and at and 0 <= round(at - begun, 3) < _MOST_HOURS * 3600
    return round(at, 3) if is_told else 0.0


def elapsed(begun: float, at: float) -> str:
    """How long after the beginning, as hours, minutes and seconds: ``0:00:04.25``."""
    thousandths = round((at - begun) * 1000)
    minutes, rest = divmod(thousandths, 60_000)
    seconds = f"{rest // 1000:02}.{rest % 1000:03}".rstrip("0").rstrip(".") if rest % 1000 else f"{rest // 1000:02}"
    return f"{minutes // 60}:{minutes % 60:02}:{seconds}"


def after(begun: float, text: str) -> float | None:
    """The moment so long after a beginning; None where the text is no time."""
    found = _ELAPSED.fullmatch(text)
    if found is None:
        return None
    return round(begun + int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3]), 3)


def read(text: str) -> float:
    """The beginning that a text such as ``2026-11-30T18:04:05Z`` or ``2026.11.30 18:04:05`` names, else 0."""
    found = _BEGUN.fullmatch(text)
    if found is None:
        return 0.0
    try:
        return datetime(*map(int, found.groups()), tzinfo=UTC).timestamp()  # pyright: ignore[reportArgumentType]  # six numbers
    except ValueError:
        return 0.0
