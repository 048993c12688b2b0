"""Ports: what the program needs of the world, and nothing about how it is done.

Two kinds of port join the program to a board. An *input* says what the switches and buttons do, an
*output* shows what is to be seen; a device may be both (a microcontroller that reads buttons and lights
their lamps), and a board has as many of each as it was built with, down to none.

                 fileno, deadline            show(display)
    switches ──► Input ──► poll(now) ──►   ...   ──► Output ──► lamps
    buttons                Closed, Down                         dice, buttons' lamps

No port waits, sleeps or starts a thread. ``deadline`` and ``fileno`` say when to call ``poll``; all times
are seconds on the caller's clock, which only moves forward. So the same adapters serve a program in real
time and a test in virtual time.

Opening a device is its constructor's work. Whatever goes wrong, then or later, is a ``LinkLost`` with one
sentence for people; whoever holds the port closes it, says the sentence, and opens it anew a second later.
A port keeps no state worth saving: after opening, an input reports everything as it stands, and an output
is shown everything again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from reedlight.core.game import Die
from reedlight.scene.render import Frame
from reedlight.scene.scene import Button

__all__ = ["Closed", "Display", "Down", "Input", "LinkLost", "Output", "Report"]


class LinkLost(ConnectionError):
    """A device cannot be reached, or no longer; the message is one sentence for the people at the board."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The switches that are closed, debounced: bit n for switch n, any number of them."""

    mask: int
    at: float


@dataclass(frozen=True, slots=True)
class Down:
    """The buttons that are down, debounced."""

    buttons: frozenset[Button]
    at: float


Report = Closed | Down


class Input(Protocol):
    """What reads switches, buttons or both."""

    @property
    def deadline(self) -> float | None:
        """When to poll next even if nothing arrives; None if only ``fileno`` matters."""
        ...

    def fileno(self) -> int | None:
        """A file that becomes readable when there is something to poll; None if time alone says so."""
        ...

    def poll(self, now: float) -> Sequence[Report]:
        """What changed since the last poll, oldest first; the first poll reports everything. Raises LinkLost."""
        ...

    def close(self) -> None:
        """Let the device go; calling it again does nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Display:
    """Everything that can be shown at one moment; each output takes what it has lamps for."""

    frame: Frame
    """The drive of every lamp of the board, by its number."""
    buttons: frozenset[Button]
    """The buttons whose own lamp is lit."""
    dice: tuple[Die, ...]
    """The dice of the turn, used ones too; empty when there are none to show."""
    brightness: float = 1.0
    """The owner's choice, 0 to 1; it is already in the frame, but not in lamps that are only on or off."""


class Output(Protocol):
    """What shows lamps of the board, buttons' lamps, dice, or several of these."""

    @property
    def deadline(self) -> float | None:
        """When to show the last display again although nothing changed; None if never."""
        ...

    def show(self, display: Display, now: float) -> None:
        """Show this: send what differs from what is shown, or all of it when a refresh is due. Raises LinkLost."""
        ...

    def close(self) -> None:
        """Go dark and let the device go; calling it again does nothing."""
        ...
