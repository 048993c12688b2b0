"""A trace of switches as a story: what a hand did, and what was made of it, for a person to read.

    0.00 s  Russian draughts 8, settle, oak-8x8 · 0.51  24 placed
    1.50  page: press go · 1.50  began
    3.21  b6 lifted · 3.60  c5 lifted · 4.02  d4 placed · 4.42  accepted b6:d4

Seconds, and what happened then. A paragraph ends where something has become part of the game. Switches that
changed at almost the same moment are told as one, and where many did they are counted.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from reedlight.core.grid import Cell
from reedlight.record.switches import Buttons, Fell, Line, Lost, Note, Switches, Told, Trace, What, is_made

WIDTH = 80
"""Columns of a story."""
MOST_NAMED = 4
"""Cells that change at once and are named; more are counted."""
TOGETHER = 0.02
"""Seconds; changes this close have no order that means anything."""


def story(trace: Trace, title: str) -> Iterator[str]:
    """A trace as lines that a person can read: a paragraph for each thing that became part of the game."""
    paragraph = [f"0.00 s  {title}"]
    names = {switch: cell for cell, switch in trace.head.cells.items()}
    mask, down = 0, frozenset[str]()
    for line in _together(trace.lines):
        said = _told_of(line.what, mask, down, names)
        match line.what:
            case Switches(now):
                mask = now
            case Buttons(now):
                down = now
            case _:
                pass
        if said:
            paragraph.append(f"{line.at:.2f}  {said}")
        if isinstance(line.what, Note) and is_made(said):
            yield from _wrapped(paragraph)
            paragraph = []
    yield from _wrapped(paragraph)


def _together(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, with switches that changed at almost the same moment told as one."""
    before: Line | None = None
    for line in lines:
        if before and isinstance(line.what, Switches) and line.at - before.at <= TOGETHER:
            before = replace(before, what=line.what)
            continue
        if before:
            yield before
        before = line if isinstance(line.what, Switches) else None
        if before is None:
            yield line
    if before:
        yield before


def _told_of(what: What, mask: int, down: frozenset[str], names: Mapping[int, Cell]) -> str:
    match what:
        case Switches(now):
            lifted, placed = _named(mask & ~now, names), _named(now & ~mask, names)
            return ", ".join(filter(None, (lifted and f"{lifted} lifted", placed and f"{placed} placed")))
        case Buttons(now):
            changes = (*(f"{name} up" for name in sorted(down - now)), *(f"{name} down" for name in sorted(now - down)))
            return ", ".join(changes) or "no button down"
        case Lost():
            return "the buttons are lost"
        case Fell(dice):
            return f"dice {'-'.join(map(str, dice))}"
        case Told(word, text):
            return f"page: {word} {text}".rstrip()
        case _:
            return what.text


def _named(mask: int, names: Mapping[int, Cell]) -> str:
    numbers = [number for number in range(mask.bit_length()) if mask >> number & 1]
    if len(numbers) > MOST_NAMED:
        return str(len(numbers))
    return " ".join(names.get(number, f"switch {number}") for number in numbers)


def _wrapped(items: Sequence[str]) -> Iterator[str]:
    """The items one after another, as many in a line as fit."""
    line = ""
    for item in items:
        if line and len(line) + len(item) + 3 <= WIDTH:
            line = f"{line} · {item}"
            continue
        if line:
            yield line
        *full, line = textwrap.wrap(item, WIDTH, subsequent_indent="      ") or [""]
        yield from full
    if line:
        yield line
