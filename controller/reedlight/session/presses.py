"""Presses: from which buttons are down to what was pressed and what was held.

    down ─────────┐      up before 2 s: Press, as it goes up
                  └────
    down ──────────────────┬─────┐     still down at 2 s: Hold, once; then nothing when it goes up
                          Hold   └───

A button counts only while it is alone. If another goes down before the first is up, a hand has leant on the
board or changed its mind, and neither counts any more until it is up: to press again costs a second, but a
wrong GO or BACK changes a game. A button that has been down for two seconds is no company: it has said what it
had to say, or is jammed, and a jammed button must not silence the others.

What is down at the first report was not seen going down, and counts from its next time on; the same after
``forget``, when the buttons were lost for a while. So a cable that comes out under a finger presses nothing.

Times are seconds on any clock that only moves forward, and handed in. Nothing here knows what a press does.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from reedlight.scene.scene import Button
from reedlight.session.events import Hold, Press

HOLD = 2.0
"""Seconds until a press is a hold: longer than anybody rests a finger without meaning it."""

_LONG_AGO = float("-inf")


class Presses:
    """Hears which buttons are down, and tells presses and holds."""

    def __init__(self) -> None:
        self._known = False
        self._since: dict[Button, float] = {}
        self._silent: set[Button] = set()

    @property
    def deadline(self) -> float | None:
        """When ``tick`` will have a hold to tell if nothing is heard before; None while no button can become one."""
        return min((at + HOLD for button, at in self._since.items() if button not in self._silent), default=None)

    def hear(self, down: Collection[Button], now: float) -> Sequence[Press | Hold]:
        """What follows from these buttons being down now, and no others."""
        held = self.tick(now)
        up = [button for button in self._since if button not in down]
        pressed = [Press(button) for button in up if button not in self._silent]
        for button in up:
            del self._since[button]
            self._silent.discard(button)
        fresh = [button for button in Button if button in down and button not in self._since]
        self._since.update(dict.fromkeys(fresh, now if self._known else _LONG_AGO))
        company = [button for button, at in self._since.items() if now < at + HOLD]
        if len(company) > 1:
            self._silent.update(company)
        if not self._known:
            self._silent.update(fresh)
            self._known = True
        return [*held, *pressed]

    def tick(self, now: float) -> Sequence[Hold]:
        """Every button that has become a hold by now."""
        held = [button for button, at in self._since.items() if at + HOLD <= now and button not in self._silent]
        self._silent.update(held)
        return [Hold(button) for button in held]

    def forget(self) -> None:
        """The buttons cannot be heard for a while: whatever was begun is not finished."""
        self._known = False
        self._since.clear()
        self._silent.clear()
