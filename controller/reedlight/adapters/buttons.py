"""Buttons and their lamps on the Raspberry Pi's own pins.

    pin, pulled up ──► button ──► ground             low = down
    pin ──► 330 ohm ──► lamp ──► ground              high = lit

A button is one of gpiozero's, but of all that it can do only the level of its pin is used, looked at
25 times a second, and 125 times while it changes. Its edges lose presses or make up some, depending on the
library below, its bounce time is something else in each of them, and its hold thread may run before the
button is ready. So its edges go unheard and its thread is ended. What counts as down is what ``EqualScans``
believes; what a press or a hold is, ``session/presses.py`` says.

A lamp is lit or dark. The owner's brightness does not reach it: dimming would need a thread that blinks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import gpiozero  # pyright: ignore[reportMissingTypeStubs]  # gpiozero says no types

from reedlight.adapters.gpio import AT_ONCE, HIGH, LOW, EqualScans, Held, Pins, SaidAs, release, take
from reedlight.board.profile import PiPins
from reedlight.ports import Display, Down
from reedlight.scene.scene import Button

_READING = SaidAs("The buttons on the Raspberry Pi's pins cannot be read")
_LIGHTING = SaidAs("The buttons' lamps on the Raspberry Pi's pins cannot be lit")


class GpioButtons:
    """The buttons on the Raspberry Pi's pins: an Input. Raises LinkLost."""

    def __init__(self, buttons: PiPins, pins: Pins) -> None:
        self._buttons = [Button(name) for name in buttons.pins]
        wanted = [(f"button {name.upper()}", number) for name, number in buttons.pins.items()]
        self._lines = take(pins, wanted, _level)
        self._scans = EqualScans()
        self._due = AT_ONCE

    @property
    def deadline(self) -> float | None:
        """When the next look is due."""
        return self._due

    def fileno(self) -> int | None:
        """None: no file tells of a button."""
        return None

    def poll(self, now: float) -> Sequence[Down]:
        """Look if a look is due, and tell what two equal looks believe."""
        if now < self._due:
            return ()
        with _READING:
            down = sum([(not line.pin.state) << number for number, line in enumerate(self._lines)])
        believed = self._scans.scan(down)
        self._due = self._scans.next_look(now)
        if believed is None:
            return ()
        return (Down(frozenset(button for at, button in enumerate(self._buttons) if believed >> at & 1), now),)

    def close(self) -> None:
        """Give the pins back as inputs."""
        release(self._lines)


class GpioButtonLamps:
    """The buttons' lamps on the Raspberry Pi's pins: an Output. Raises LinkLost."""

    def __init__(self, lamps: PiPins, pins: Pins) -> None:
        self._buttons = [Button(name) for name in lamps.pins]
        wanted = [(f"lamp of {name.upper()}", number) for name, number in lamps.pins.items()]
        self._lines = take(pins, wanted, _lamp)
        self._lit: frozenset[Button] = frozenset()

    @property
    def deadline(self) -> float | None:
        """None: a pin keeps what it was told."""
        return None

    def show(self, display: Display, now: float) -> None:  # noqa: ARG002  # an Output is told the time
        """Light the lamps of these buttons and no others."""
        with _LIGHTING:
            for button, line in zip(self._buttons, self._lines, strict=True):
                if (button in display.buttons) != (button in self._lit):
                    line.pin.state = HIGH if button in display.buttons else LOW
        self._lit = display.buttons

    def close(self) -> None:
        """Let the lamps go dark, and give the pins back as inputs."""
        release(self._lines)


class _Level(gpiozero.Button):
    """A button without its edges and its thread."""

    def __init__(self, number: int, pins: Pins) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]  # gpiozero says no types
            number, pull_up=True, bounce_time=None, pin_factory=pins
        )
        untyped = cast("Any", self)  # the same
        untyped.pin.when_changed = None
        thread = untyped._hold_thread  # noqa: SLF001  # there is no other way to end it
        thread.stopping.set()
        thread.holding.set()
        thread.join()

    def _pin_changed(self, ticks: object, state: object) -> None:
        """Let an edge pass that comes while the button is being made."""


def _level(number: int, pins: Pins) -> Held:
    return _Level(number, pins)


def _lamp(number: int, pins: Pins) -> Held:
    return gpiozero.LED(number, pin_factory=pins)
