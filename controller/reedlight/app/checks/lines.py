"""What the lines of a matrix do to each other, and what that says of the wires.

A line test drives each line low alone and tells which others follow. Rows come first, then columns:

    follows                          because
    every other line                 it touches ground
    each follows the other           they touch; or a closed switch between them has a bridged diode
    a column its row                 the switch at the crossing is closed: a piece stands there
    a row its column                 that switch is closed and its diode is the wrong way round

Lines that touch follow everything together, so of each group only the first line is asked about diodes.
Pure; pins, cells and words for people are not known here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reedlight.wire.message import LineTest, Shape


@dataclass(frozen=True, slots=True)
class Reading:
    """What the lines show, each line by its number, rows first."""

    grounded: tuple[int, ...]
    """Lines that are always low."""
    live: tuple[int, ...]
    """Rows that stay high although they are pulled down."""
    groups: tuple[tuple[int, ...], ...]
    """Lines that conduct both ways between them, two or more together."""
    turned: tuple[tuple[int, int], ...]
    """Row and column of closed switches that conduct from the column to the row alone."""


def read(shape: Shape, tests: Sequence[LineTest]) -> Reading:
    """What a whole line test, in the order of the lines, shows."""
    always = -1
    for test in tests:
        always &= test.low | 1 << test.line
    follows = [0 if always >> test.line & 1 else test.low & ~always for test in tests]
    groups = tuple(_groups(follows))
    return Reading(
        grounded=tuple(line for line in range(shape.lines) if always >> line & 1),
        live=tuple(test.line for test in tests if test.high),
        groups=tuple(group for group in groups if len(group) > 1),
        turned=tuple(_turned(shape, follows, groups)),
    )


def _groups(follows: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The lines, those together that follow each other."""
    left = list(range(len(follows)))
    while left:
        group = [left.pop(0)]
        for line in group:  # it grows meanwhile
            near = [other for other in left if follows[line] >> other & 1 and follows[other] >> line & 1]
            group += near
            left = [other for other in left if other not in near]
        yield tuple(sorted(group))


def _turned(shape: Shape, follows: Sequence[int], groups: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, int]]:
    firsts = [group[0] for group in groups]
    for column in firsts:
        if column >= shape.rows:
            yield from (
                (row, column)
                for row in firsts
                if row < shape.rows and follows[column] >> row & 1 and not follows[row] >> column & 1
            )
