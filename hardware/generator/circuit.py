"""The circuit: components with terminals, and wires that join them, one by one as somebody solders them.

    S:a1.lower ──joint── D:a1.stripe      D:a1.plain ──W 42, brown, 75 mm── D:a2.plain

A *joint* is soldered directly, without a wire. Terminals that are joined form a *node*; whether the circuit is
right is judged by its nodes alone, so a wire that was turned around or forgotten is found wherever it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from hardware.generator.plan import Point
from reedlight.core.grid import Cell

JOINT = "joint"
"""The kind of a wire that is none: two ends soldered to each other."""
CABLE = "cable"
"""The kind of a bought cable."""


class Terminal(NamedTuple):
    """One terminal of one component."""

    ref: str
    pin: str

    def __str__(self) -> str:
        return f"{self.ref}.{self.pin}"


@dataclass(frozen=True, slots=True)
class Component:
    """One part in its place."""

    ref: str
    """What tables and drawings call it: ``D:c3``."""
    part: str
    """Its key in the list of parts; empty for a joint of wires."""
    at: str
    """Where it is, in words: ``cell c3``, ``carrier``."""
    place: Point
    cell: Cell | None = None


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire, or a joint of two ends."""

    number: int
    section: str
    """Which part of the work it belongs to."""
    start: Terminal
    end: Terminal
    colour: str
    kind: str
    """The wire's key in the list of parts, ``joint`` or ``cable``."""
    length: float
    """Millimetres to cut, the ends included; 0 for a joint."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Circuit:
    """Everything that is soldered on one board."""

    name: str
    components: Mapping[str, Component]
    wires: tuple[Wire, ...]

    def of_part(self, *parts: str) -> tuple[Component, ...]:
        """The components that are such parts."""
        return tuple(component for component in self.components.values() if component.part in parts)

    def wires_at(self, terminal: Terminal) -> tuple[Wire, ...]:
        """The wires that end at a terminal."""
        return tuple(wire for wire in self.wires if terminal in {wire.start, wire.end})

    def nodes(self, wires: Iterable[Wire] | None = None) -> Mapping[Terminal, int]:
        """Each terminal's node; ``wires`` restricts what joins them."""
        chosen = self.wires if wires is None else tuple(wires)
        joined: dict[Terminal, set[Terminal]] = defaultdict(set)
        for one, other in (*((wire.start, wire.end) for wire in chosen), *self._inside(chosen)):
            joined[one].add(other)
            joined[other].add(one)
        found: dict[Terminal, int] = {}
        for first in joined:
            if first not in found:
                _spread(first, len(found), joined, found)
        return MappingProxyType(found)

    def _inside(self, wires: Iterable[Wire]) -> Iterable[tuple[Terminal, Terminal]]:
        """What is joined inside a component: the grounds and supplies of a computer, the ways of a terminal."""
        ends = {terminal for wire in wires for terminal in (wire.start, wire.end)}
        for terminal in ends:
            part = self.components[terminal.ref].part if terminal.ref in self.components else ""
            for common in _COMMON.get(part, ()):
                if terminal.pin == common or terminal.pin.startswith(f"{common}-"):
                    yield terminal, Terminal(terminal.ref, common)
        for ref in {terminal.ref for terminal in ends}:
            part = self.components[ref].part if ref in self.components else ""
            yield from ((Terminal(ref, one), Terminal(ref, other)) for one, other in _JOINED.get(part, ()))


# What several pins of one part have in common.
_COMMON: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"pi": ("GND", "5V", "3V3"), "pico": ("GND",), "bus_bar": ("bar",), "digit": ("COM",), "usb_power": ()}
)
# Pairs that are one inside: a USB cable joins the grounds of both its ends.
_JOINED: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {"pi": (("USB", "GND"), ("POWER-minus", "GND"), ("POWER-plus", "5V")), "pico": (("USB", "GND"),)}
)


def _spread(first: Terminal, node: int, joined: Mapping[Terminal, set[Terminal]], found: dict[Terminal, int]) -> None:
    waiting = [first]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found[here] = node
            waiting += joined[here]
