"""The list of parts: what is bought and soldered, and the numbers that the generator calculates with.

    parts.toml ──read──► Parts ──of("diode")──► Part ──number("drop")──► 0.52

A number that a part does not have is a KeyError with the part's key: the list and the programs that read it
are kept together. What the numbers mean stands beside them in the file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from types import MappingProxyType
from typing import Any

FILE = Path(__file__).parent.parent / "parts.toml"
"""Where the list is."""

_TABLES = ("wire_rules", "plan", "magnetics", "signal")


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of part, as it is bought."""

    key: str
    name: str
    numbers: tuple[str, ...]
    """Generic part numbers."""
    instead: str
    """What else will do."""
    price: float
    """US dollars apiece, estimated."""
    spares: float
    """The share that is bought in addition."""
    values: Mapping[str, Any]
    """Everything else that the list says of it."""

    def number(self, name: str) -> float:
        """One of its numbers, in the unit that the list gives it in."""
        return float(self.values[name])

    def numbers_of(self, name: str) -> tuple[float, ...]:
        """One of its lists of numbers."""
        return tuple(float(value) for value in self.values[name])

    def windows(self, name: str) -> tuple[tuple[float, float], ...]:
        """One of its lists of pairs: the least and the most."""
        return tuple((float(least), float(most)) for least, most in self.values[name])

    def by_model(self, name: str) -> Mapping[str, float]:
        """One of its tables of numbers, by the model."""
        return MappingProxyType({str(model): float(value) for model, value in self.values[name].items()})

    def to_buy(self, used: int) -> int:
        """How many to buy where so many are used: the spares with them."""
        return used + ceil(round(used * self.spares, 6))


@dataclass(frozen=True, slots=True)
class WireKind:
    """One kind of wire."""

    key: str
    name: str
    area: float
    """mm2 of copper."""
    most: float
    """Amperes."""
    price: float
    """US dollars a metre, estimated."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The whole list."""

    parts: Mapping[str, Part]
    wires: Mapping[str, WireKind]
    tables: Mapping[str, Mapping[str, Any]]

    def of(self, key: str) -> Part:
        """The part of that key."""
        return self.parts[key]

    def rule(self, table: str, name: str) -> float:
        """A number of one of the tables that belong to no part."""
        return float(self.tables[table][name])

    def rules(self, table: str, name: str) -> tuple[float, ...]:
        """A list of numbers of such a table."""
        return tuple(float(value) for value in self.tables[table][name])

    def beds(self) -> tuple[tuple[float, float], ...]:
        """The beds of common laser cutters, in mm."""
        return tuple((float(width), float(height)) for width, height in self.tables["plan"]["beds"])

    def changed(self, key: str, **values: object) -> Parts:
        """The same list with other numbers for one part."""
        part = self.parts[key]
        return replace(
            self, parts=MappingProxyType({**self.parts, key: replace(part, values={**part.values, **values})})
        )

    def ruled(self, table: str, **values: object) -> Parts:
        """The same list with other numbers in one of the tables that belong to no part."""
        return replace(self, tables=MappingProxyType({**self.tables, table: {**self.tables[table], **values}}))


def read(text: str) -> Parts:
    """The list that a text gives."""
    given = tomllib.loads(text)
    return Parts(
        MappingProxyType({key: _part(key, values) for key, values in given["part"].items()}),
        MappingProxyType({key: WireKind(key=key, **values) for key, values in given["wire"].items()}),
        MappingProxyType({table: given[table] for table in _TABLES}),
    )


def load() -> Parts:
    """The list in this folder."""
    return read(FILE.read_text("utf-8"))


def _part(key: str, values: Mapping[str, Any]) -> Part:
    common = {"name", "numbers", "instead", "price", "spares"}
    return Part(
        key=key,
        name=values["name"],
        numbers=tuple(values["numbers"]),
        instead=values["instead"],
        price=float(values["price"]),
        spares=float(values["spares"]),
        values=MappingProxyType({name: value for name, value in values.items() if name not in common}),
    )
