"""Debouncing: raw switch samples in, stable switch masks out.

A reed switch flutters for up to a millisecond when it closes or opens. Its change is believed once it
has been steady for ``steady`` seconds; every switch waits by itself, and those whose waits end at the
same moment come out together.

    switch     ────┐┌┐ ┌┐┌─────────────────      a sample each time any switch changes, or each scan
                   └┘└─┘└┘
    stable     ─────────────────┐                steady for 6 ms: out
                         │← 6ms →│└─────────

Between two samples a switch is held to be as it was last seen. So a scanning sensor may call ``sample``
at its own pace and nothing else, and one that reports changes calls ``tick`` at the ``deadline``.

A mask is a whole number with bit i set while switch i is closed, for any number of switches. Nothing
here knows a cell, a clock, or a hand's hesitation.
"""

from __future__ import annotations

STEADY = 0.006
"""Seconds a switch has to be steady: three scans at 500 Hz, six times the longest bounce of a data sheet."""


class Debounce:
    """Waits, switch by switch, until a change is steady. Times are seconds on any clock that only moves forward."""

    def __init__(self, stable: int = 0, steady: float = STEADY) -> None:
        self._stable = stable
        self._steady = steady
        self._waiting: dict[float, int] = {}

    @property
    def stable(self) -> int:
        """The mask that is believed now."""
        return self._stable

    @property
    def deadline(self) -> float | None:
        """When ``tick`` will have something to say if no sample comes before; None while nothing waits."""
        return min(self._waiting, default=None)

    def sample(self, mask: int, now: float) -> tuple[int, ...]:
        """What has become stable by now, oldest first; then every switch that differs from it begins to wait."""
        came_out = self.tick(now)
        differing = mask ^ self._stable
        still = {due: kept for due, switches in self._waiting.items() if (kept := switches & differing)}
        fresh = differing
        for switches in still.values():
            fresh &= ~switches
        if fresh:
            due = now + self._steady
            still[due] = still.get(due, 0) | fresh
        self._waiting = still
        return came_out

    def tick(self, now: float) -> tuple[int, ...]:
        """Every new stable mask up to now, oldest first; empty where nothing has become steady."""
        came_out: list[int] = []
        for due in sorted(due for due in self._waiting if due <= now):
            self._stable ^= self._waiting.pop(due)
            came_out.append(self._stable)
        return tuple(came_out)
