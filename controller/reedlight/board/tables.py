"""Tables: TOML text in, values by keys out, by a schema that is data; for every mistake one sentence.

    text ──tomllib──► tables ──Schema──► Values

A schema is a list of tables and of keys with kinds, defaults and meanings; the documentation is written from
the same list. A table of the file may have a *chooser*, the key that says which of its other keys make sense:
``scan.by`` is "pico", "gpio" or "expander". A key whose name is ``*`` stands for all keys of its table.

Mistakes are found in two rounds, and each names the first one in the order of the file: what a single key
says, then what is missing. What values mean together is not known here, nor which file a text comes from.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from json import dumps
from typing import Generic, TypeVar, cast

from reedlight.board.kinds import Kind, Unfit, Word, described, is_table, nearest
from reedlight.core.quoting import quoted

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Table:
    """One table of the file: ``[name]``."""

    name: str
    needed: bool
    chooser: str
    """Its key that says which of the others it has; empty if it has them all."""
    meaning: str


@dataclass(frozen=True, slots=True)
class Needed:
    """In place of a default: the key has to be there."""


NEEDED = Needed()


@dataclass(frozen=True, slots=True)
class Key(Generic[T_co]):
    """One key of the file."""

    path: str
    """Table and name, joined by a dot; a name alone stands above all tables."""
    kind: Kind[T_co]
    default: T_co | Needed
    meaning: str
    goes_with: tuple[str, ...] = ()
    """The choices of its table with which it goes; empty if with all."""

    @property
    def table(self) -> str:
        """The table it stands in; empty for none."""
        return self.path.rpartition(".")[0]

    @property
    def name(self) -> str:
        """What stands before the equals sign."""
        return self.path.rpartition(".")[2]

    @property
    def default_said(self) -> str:
        """The default in words: "needed", "none", or as it would stand in the file."""
        default: object = self.default
        if isinstance(default, Needed):
            return "needed"
        if default is None:
            return "none"
        if isinstance(default, tuple):
            return str(list(cast("tuple[object, ...]", default)))
        return dumps(default)


@dataclass(frozen=True)
class Schema:
    """Every table and every key that a file may have, in the order in which it is best read."""

    tables: tuple[Table, ...]
    keys: tuple[Key[object], ...]

    @cached_property
    def by_table(self) -> Mapping[str, Table]:
        """Each table by its name."""
        return {table.name: table for table in self.tables}

    @cached_property
    def by_path(self) -> Mapping[str, Key[object]]:
        """Each key by its path."""
        return {key.path: key for key in self.keys}


class Mistake(ValueError):
    """What is wrong with one key of a board's file."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key}: {reason}" if key else reason)
        self.key = key


_BARE = re.compile(r"[A-Za-z0-9_-]{1,40}")


@dataclass(frozen=True, slots=True)
class Values:
    """What the file gives: values by the paths of their keys, and the place of every table and key in it."""

    given: Mapping[str, object]
    position: Mapping[str, int]

    def of(self, key: Key[T]) -> T:
        """The key's value, or its default."""
        return cast("T", self.given.get(key.path, key.default))

    def has(self, name: str) -> bool:
        """Whether the file has this table or key."""
        return name in self.position

    def place_of(self, mistake: Mistake) -> int:
        """Where the file says what is wrong; a key that it leaves to its default stands where its table does."""
        return self.position.get(mistake.key, self.position.get(_table(mistake.key), len(self.position)))


def _document(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Mistake("", _syntax(str(error), text)) from None
    except RecursionError:
        raise Mistake("", "its lists and tables are nested too deeply to be read") from None
    except ValueError:
        # Python refuses to read decimal numbers of thousands of digits.
        raise Mistake("", "one of its numbers has too many digits to be read") from None


def _syntax(said: str, text: str) -> str:
    """What tomllib says, with the place first; it calls the last place "end of document"."""
    reason, _, place = said.partition(" (at ")
    where = place.removesuffix(")")
    if not where.startswith("line "):
        lines = text.split("\n")
        where = f"line {len(lines)}, column {len(lines[-1]) + 1}"
    return f"{where}: this is not TOML: {_printable(reason)}"


def _printable(said: str) -> str:
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in said)


def read_values(text: str, schema: Schema) -> Values:
    """What a text gives for a schema's keys. Raises Mistake for the first thing that is wrong with it."""
    document = _document(text)
    given: dict[str, object] = {}
    position: dict[str, int] = {}
    for table, name, content in _walk(document, schema):
        path = _path(table, name)
        position[path] = len(position)
        if path not in schema.by_table:
            given[path] = _value(table, path, content, document, schema)
    values = Values(given, position)
    first = min(_missing(values, schema), key=values.place_of, default=None)
    if first is not None:
        raise first
    return values


def _walk(document: Mapping[str, object], schema: Schema) -> Iterator[tuple[str, str, object]]:
    """Every table and key with the table it is in and its content, in the order of the file."""
    for name, content in document.items():
        yield "", name, content
        if name not in schema.by_table:
            continue
        if not is_table(content):
            raise Mistake(name, f"a table [{name}] is needed, not {described(content)}")
        for inner, value in content.items():
            yield name, inner, value


def _path(table: str, name: str) -> str:
    said = name if _BARE.fullmatch(name) else quoted(name)
    return f"{table}.{said}" if table else said


def _table(path: str) -> str:
    return path.partition(".")[0]


def _value(table: str, path: str, content: object, document: Mapping[str, object], schema: Schema) -> object:
    key = schema.by_path.get(f"{table}.*") or schema.by_path.get(path)
    if key is None:
        what = f"key in [{table}]" if table else "key or table"
        raise Mistake(
            path, f"there is no such {what}; {nearest(path.removeprefix(f'{table}.'), _names(table, schema))}"
        )
    _refuse_misfit(key, document, schema)
    try:
        return key.kind.read(content)
    except Unfit as unfit:
        raise Mistake(path, str(unfit)) from None


def _names(table: str, schema: Schema) -> tuple[str, ...]:
    names = tuple(key.name for key in schema.keys if key.table == table)
    return names if table else (*names, *schema.by_table)


def _refuse_misfit(key: Key[object], document: Mapping[str, object], schema: Schema) -> None:
    """A key that does not go with what its table has chosen."""
    if not key.goes_with:
        return
    chooser = schema.by_table[key.table].chooser
    chosen = cast("Mapping[str, object]", document[key.table]).get(chooser)
    known = cast("Word", schema.by_path[f"{key.table}.{chooser}"].kind).words
    if isinstance(chosen, str) and chosen in known and chosen not in key.goes_with:
        raise Mistake(key.path, f"goes only with {chooser} {_either(key.goes_with)}, and {chooser} is {quoted(chosen)}")


def _either(choices: tuple[str, ...]) -> str:
    return " or ".join(quoted(choice) for choice in choices)


# ------------------------------------------------------------------------------------------- missing


def _missing(values: Values, schema: Schema) -> Iterator[Mistake]:
    for table in schema.tables:
        if table.needed and not values.has(table.name):
            yield Mistake(table.name, f"the table [{table.name}] is missing: {table.meaning}")
    for key in schema.keys:
        if isinstance(key.default, Needed) and _belongs(key, values, schema) and not values.has(key.path):
            yield Mistake(key.path, f"is missing: {key.kind.said} is needed, {key.meaning}")


def _belongs(key: Key[object], values: Values, schema: Schema) -> bool:
    """Whether the file, as it is, has to have the key."""
    if key.table and not values.has(key.table):
        return False
    return not key.goes_with or values.given.get(f"{key.table}.{schema.by_table[key.table].chooser}") in key.goes_with
