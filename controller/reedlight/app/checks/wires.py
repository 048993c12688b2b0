"""Checks of the matrix's wires and diodes, by what its lines do to each other.

On an empty board no line follows another, so whatever does is a wire that touches. With pieces on the board
a sound diode lets a column follow its row and never a row its column; then diodes show too, those under the
pieces. Hence the check has the board emptied where somebody is there to do it.

The sentences on diodes are also those of the check that passes a piece over every cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reedlight.app.checks.finding import Finding, Outcome, named, outcome
from reedlight.app.checks.lines import Reading, read
from reedlight.app.checks.visit import Visit, bits
from reedlight.board.kinds import counted, listed
from reedlight.board.profile import Expander, Profile
from reedlight.core.grid import Cell

MANY = 4
"""Diodes from which on they are told together, if there is no other kind."""
_JOINED = "A drop of solder, a strand of wire or a pinched cable joins them."


def has_matrix(profile: Profile) -> bool:
    """Whether a board's switches are a matrix with diodes."""
    return not isinstance(profile.reader, Expander)


def is_sound(visit: Visit) -> str:
    """A need: wires and diodes were not found wrong."""
    return "wires and diodes have to be put right first" if visit.broken or visit.odd_diodes else ""


def wires(visit: Visit) -> Outcome:
    """No line of the matrix touches anything that it should not."""
    visit.clear()
    reading = read(visit.shape, visit.line_test())
    visit.broken = frozenset((*reading.grounded, *reading.live, *(line for group in reading.groups for line in group)))
    rows, columns = counted(visit.shape.rows, "row"), counted(visit.shape.columns, "column")
    return outcome(shown_by_lines(visit, reading), f"{rows} and {columns}, none touches another")


def shown_by_lines(visit: Visit, reading: Reading) -> tuple[Finding, ...]:
    """What a line test says of wires, and of the diodes under pieces."""
    turned = visit.cells(visit.switch(row, column) for row, column in reading.turned)
    return (*_touching(visit, reading), *turned_diodes(turned, len(visit.occupied())))


def _touching(visit: Visit, reading: Reading) -> Iterator[Finding]:
    for line in reading.grounded:
        if visit.bare or line < visit.shape.rows or min(reading.grounded) >= visit.shape.rows:
            yield Finding(
                f"{capital(visit.line(line))} touches ground.",
                _JOINED,
                "Take the power off and measure from this line to ground, at the plug and at both ends.",
            )
    for line in reading.live:
        yield Finding(
            f"{capital(visit.line(line))} touches 3.3 V.",
            _JOINED,
            "Take the power off and measure from this line to 3.3 V, at the plug and at both ends.",
        )
    crossed: list[int] = []
    for group in reading.groups:
        rows, columns = _split(visit, group)
        if rows and columns:
            crossed += group
        else:
            yield Finding(
                f"{capital(listed(visit.line(line) for line in group))} touch each other.",
                _JOINED,
                "Take the power off and measure between them: two rows have over 1 megohm, two columns about 94 "
                "kilohms.",
            )
    if crossed:
        yield _crossed(visit, crossed)


def _split(visit: Visit, lines_: Sequence[int]) -> tuple[list[int], list[int]]:
    """The rows and the columns among some lines."""
    first = visit.shape.rows
    return [line for line in lines_ if line < first], [line for line in lines_ if line >= first]


def _crossed(visit: Visit, group: Sequence[int]) -> Finding:
    """Rows and columns between which a current flows both ways."""
    rows, columns = _split(visit, group)
    closed = set(bits(visit.bench.closed or 0))
    standing = visit.cells(closed & {visit.switch(row, column) for row in rows for column in columns})
    if visit.bare or not standing:
        return Finding(
            f"{capital(listed(visit.line(line) for line in group))} conduct both ways on an empty board.",
            "They touch; or a switch between them is stuck, and its diode bridged.",
            "Take the power off, and look along both lines for solder between them.",
        )
    return Finding(
        f"The diode{'' if len(standing) == 1 else 's'} of {named(standing)} let{'s' if len(standing) == 1 else ''} a "
        "current through both ways, so that pieces appear where there are none.",
        "Solder bridges it, or it is broken or missing; or a row and a column touch.",
        "Look for solder across it and between the wires; then take another diode.",
    )


def turned_diodes(cells: Sequence[Cell], sound: int) -> tuple[Finding, ...]:
    """Diodes that are the wrong way round, beside so many that are not."""
    if not cells:
        return ()
    if len(cells) >= MANY and not sound:
        return (
            Finding(
                "Every diode that could be looked at is the wrong way round.",
                "All were soldered so, or the wires of rows and columns are exchanged.",
                "Exchange the wires of rows and columns if they are; else turn the diodes, the stripe to the reed.",
            ),
        )
    whose = f"The diode of {cells[0]} is" if len(cells) == 1 else f"The diodes of {named(cells)} are"
    return (
        Finding(
            f"{whose} the wrong way round.",
            "Of its two ends the one with the stripe belongs to the reed, on the row's side.",
            "Turn it round." if len(cells) == 1 else "Turn them round.",
        ),
    )


def capital(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]


def bridged_diodes(both: Sequence[Cell], sound: int) -> Iterator[Finding]:
    """Diodes that let through both ways, beside so many that do not."""
    if not both:
        return
    if len(both) >= MANY and not sound:
        yield Finding(
            "No diode of the matrix stops a current.",
            "They are bridged or were left out, so that three pieces make a fourth appear.",
            "Put a diode between every reed and its column, the stripe to the reed.",
        )
        return
    whose = f"The diode of {both[0]} conducts" if len(both) == 1 else f"The diodes of {named(both)} conduct"
    yield Finding(
        f"{whose} both ways.",
        "Solder bridges it, or it is broken; pieces nearby will appear where there are none.",
        "Look for solder across it; then take another diode.",
    )
