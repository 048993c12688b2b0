"""Checks of the switches: whether each closes under a piece, and is under the cell that the profile says.

    rest     a board that nobody touches: nothing closed if it is empty, nothing flickering
    cells    a piece is passed over every cell: each switch closes, and its diode lets through one way
    order    a piece is set on cells that are named: rows, columns and mirrors
    pieces   many pieces at once: each is noticed, and no piece that is not there

On the quick visit nobody says whether the board is empty: what is closed is told and believed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reedlight.app.checks.finding import Finding, Outcome, Unasked, named, outcome
from reedlight.app.checks.lines import read
from reedlight.app.checks.moved import by_lines, by_place, probes
from reedlight.app.checks.visit import Visit, bits, cells_in
from reedlight.app.checks.wires import bridged_diodes, capital, shown_by_lines, turned_diodes
from reedlight.board.kinds import counted, listed
from reedlight.board.profile import Expander, Pico
from reedlight.core.grid import Cell
from reedlight.ports import Closed
from reedlight.scene.scene import Button
from reedlight.session.events import Press

FLIPS = 2
"""Changes of one switch on a board that nobody touches, from which on it flickers; one is a piece that was moved."""
FEW = 4
"""Lines that are named one by one when they are wired in another order."""


# ---------------------------------------------------------------------------------------------- rest


def rest(visit: Visit) -> Outcome:
    """Nothing changes while nobody touches the board, and nothing is closed on an empty one."""
    visit.clear()
    flips = _watch(visit)
    restless = [switch for switch, times in flips.items() if times >= FLIPS]
    if visit.bare:
        closed = set(bits(visit.bench.closed or 0)).difference(restless)
        visit.stuck = frozenset(switch for switch in closed if visit.broken.isdisjoint(visit.crossing(switch)))
    findings = [*_stuck(visit.cells(visit.stuck)), *_restless(visit, {switch: flips[switch] for switch in restless})]
    standing = visit.occupied()
    if visit.bare or not standing:
        return outcome(findings, "nothing is closed, and nothing changes")
    return outcome(findings, f"{counted(len(standing), 'cell')} occupied ({named(standing)}), and nothing changes")


def _watch(visit: Visit) -> Counter[int]:
    """How often each switch changes while nobody touches the board."""
    bench, flips = visit.bench, Counter[int]()
    before, until = bench.closed, bench.now + visit.patience.watch
    while bench.now < until:
        for happened in bench.wait_until(until):
            if isinstance(happened, Closed):
                flips.update(bits(happened.mask ^ (happened.mask if before is None else before)))
                before = happened.mask
    visit.require_switches()
    return flips


def _stuck(cells: Sequence[Cell]) -> Iterator[Finding]:
    if cells:
        yield Finding(
            f"{named(cells)} read{'s' if len(cells) == 1 else ''} occupied on an empty board.",
            "The reed is stuck, too near or too sensitive, or a magnet lies under the board.",
            "Knock at it; if it stays, lower the reed by 1 mm, then take another one.",
        )


def _restless(visit: Visit, flips: dict[int, int]) -> Iterator[Finding]:
    for cell in visit.cells(flips):
        times = flips[visit.profile.layout.switches[cell]]
        yield Finding(
            f"The switch of {cell} flickers: {times} changes in {visit.patience.watch:g} s that nobody touched it.",
            "The magnet above is weak or stands at the edge of the cell, or a joint is loose.",
            "Set the piece in the middle. If it goes on, raise the reed by 1 mm and solder its joints anew.",
        )


# --------------------------------------------------------------------------------------------- cells


@dataclass(slots=True)
class _Seen:
    """The switches that were seen to conduct, and those that conducted the wrong way."""

    forward: int = 0
    reverse: int = 0

    @property
    def any(self) -> int:
        """The switches that conducted at all."""
        return self.forward | self.reverse


def cells(visit: Visit) -> Outcome:
    """Every switch closes under a piece, and its diode lets through one way."""
    visit.clear()
    lamps = " A cell's lamp goes out when the piece was noticed there." if visit.shines else ""
    visit.tell(f"Pass one piece slowly over every cell.{lamps} Press Enter, or GO, at the end.")
    seen = _passed_over(visit)
    tested = _on_sound_lines(visit)
    dead = [cell for cell in tested if not _in(visit, cell, seen.any)]
    turned = [cell for cell in tested if _in(visit, cell, seen.reverse & ~seen.forward)]
    both = [cell for cell in tested if _in(visit, cell, seen.reverse & seen.forward)]
    visit.mute, visit.odd_diodes = frozenset((*dead, *turned)), bool(turned or both)
    sound = len(tested) - len(dead) - len(turned)
    findings = [*_dead(visit, dead, tested), *turned_diodes(turned, sound), *bridged_diodes(both, sound - len(both))]
    return outcome(findings, f"{counted(len(tested), 'cell')}, each notices a piece")


def _switch(visit: Visit, cell: Cell) -> int:
    return visit.profile.layout.switches[cell]


def _on_sound_lines(visit: Visit) -> list[Cell]:
    """The cells on no line that was found wrong."""
    cells_ = visit.profile.grid.cells
    return [cell for cell in cells_ if visit.broken.isdisjoint(visit.crossing(_switch(visit, cell)))]


def _in(visit: Visit, cell: Cell, mask: int) -> bool:
    return bool(mask >> _switch(visit, cell) & 1)


def _passed_over(visit: Visit) -> _Seen:
    """What is seen while a piece is passed over the cells, until all are or nothing new is for a second Enter."""
    seen, unseen_at_enter = _Seen(), -1
    while left := [cell for cell in visit.profile.grid.cells if not _in(visit, cell, seen.any)]:
        visit.glow(left)
        happened, typed = visit.listen(visit.patience.scan)
        _look(visit, seen)
        if typed is None and Press(Button.GO) not in happened:
            continue
        if len(left) == unseen_at_enter:
            break
        unseen_at_enter = len(left)
        visit.tell(f"Not noticed yet: {named(left)}. Pass over them again, then press Enter.")
    visit.glow()
    return seen


def _look(visit: Visit, seen: _Seen) -> None:
    seen.forward |= visit.bench.closed or 0
    if visit.matrix is None:
        return
    for test in visit.scan_test():
        seen.forward |= test.forward << test.row * visit.shape.columns
        seen.reverse |= test.reverse << test.row * visit.shape.columns


def _dead(visit: Visit, dead: Sequence[Cell], tested: Sequence[Cell]) -> Iterator[Finding]:
    """Cells that never answered, those of a whole line together."""
    if not dead:
        return
    if len(dead) == len(tested):
        yield Finding(
            "No cell notices a piece.",
            "The magnet is too weak or too far from the reeds, or the switches' plug is out.",
            "Hold a strong magnet at a bare reed. If it is noticed, raise the reeds; if not, look at the plugs.",
        )
        return
    whole = [line for line in range(visit.shape.lines) if _all_dead(visit, line, dead, tested)]
    for line in whole:
        yield Finding(
            f"No cell of {visit.line(line)} notices a piece.",
            "Its wire is off" + (", or it touches 3.3 V." if visit.matrix and line >= visit.shape.rows else "."),
            "Follow the wire from its pin to the first switch.",
        )
    single = [cell for cell in dead if not set(whole) & set(visit.crossing(_switch(visit, cell)))]
    if single:
        yield Finding(
            f"{named(single)} never notice{'s' if len(single) == 1 else ''} a piece.",
            "A wire is off there, or the reed is broken, weak or too deep.",
            "Solder its joints anew; raise the reed by 1 mm; then take another one.",
        )


def _all_dead(visit: Visit, line: int, dead: Sequence[Cell], tested: Sequence[Cell]) -> bool:
    on_it = [cell for cell in tested if line in visit.crossing(_switch(visit, cell))]
    return len(on_it) > 1 and set(on_it) <= set(dead)


# --------------------------------------------------------------------------------------------- order


def order(visit: Visit) -> Outcome:
    """A piece on a cell is noticed at that cell."""
    visit.clear()
    switches, columns = visit.profile.layout.switches, visit.shape.columns
    named_cells = probes({cell: switches[cell] for cell in _on_sound_lines(visit) if cell not in visit.mute}, columns)
    seen = _set_on(visit, named_cells)
    if not seen:
        return Unasked("no piece was noticed")
    there = {cell: next(iter(visit.cells([switch])), None) for cell, switch in seen.items()}
    findings = list(_missed([cell for cell in named_cells if cell not in seen]))
    if any(switch != switches[cell] for cell, switch in seen.items()):
        lines_ = by_lines(switches, seen, columns)
        findings.append(
            by_place(visit.profile.grid, there, "switches", "[scan]")
            or (_exchanged(visit, *lines_) if lines_ else _astray(visit, seen))
        )
    return outcome(findings, f"{counted(len(seen), 'cell')} tried, each where it should be")


def _set_on(visit: Visit, cells_: Sequence[Cell]) -> dict[Cell, int]:
    """The switch that closed for each cell that a piece was set on: the cell's own, if it was among them."""
    seen: dict[Cell, int] = {}
    for number, cell in enumerate(cells_, 1):
        closed = visit.ask_for_a_piece(
            f"{number} of {len(cells_)}: put one piece on {cell}, and no other on the board. "
            "Type Enter if it is not noticed."
        )
        if closed:
            own = _switch(visit, cell)
            seen[cell] = own if own in closed else min(closed)
    return seen


def _exchanged(visit: Visit, rows: Mapping[int, int], columns: Mapping[int, int]) -> Finding:
    """Rows and columns whose wires are on each other's pins."""
    moved = {line: there for line, there in rows.items() if line != there}
    first = visit.shape.rows
    moved |= {first + line: first + there for line, there in columns.items() if line != there}
    pairs = sorted({(line, there) for line, there in moved.items() if moved[there] == line and line < there})
    if 2 * len(pairs) == len(moved) <= FEW:
        told = listed(f"{visit.line(one)} and {visit.line(other)} are exchanged" for one, other in pairs)
    elif len(moved) <= FEW:
        told = listed(f"{visit.line(line)} is wired as {visit.line(there)}" for line, there in sorted(moved.items()))
    else:
        told = "many lines are wired in another order"
    return Finding(
        f"{capital(told)}.",
        "Their wires are on each other's pins.",
        f"Exchange the wires, or write {_as_wired(visit, rows, columns)} under [scan] in the profile.",
    )


def _as_wired(visit: Visit, rows: Mapping[int, int], columns: Mapping[int, int]) -> str:
    """The lists of pins, or addresses, by which the profile would have what was seen."""
    reader = visit.profile.reader
    if isinstance(reader, Expander):
        chips = [f"{reader.addresses[rows.get(chip, chip)]:#04x}" for chip in range(len(reader.addresses))]
        inputs = "" if all(line == there for line, there in columns.items()) else ", and the switches as numbers,"
        return f"addresses = [{', '.join(chips)}]{inputs}"
    told: list[str] = []
    for name, pins, seen in (("rows", reader.matrix.rows, rows), ("columns", reader.matrix.columns, columns)):
        if any(line != there for line, there in seen.items()):
            told.append(f"{name} = {[pins[seen.get(line, line)] for line in range(len(pins))]}")
    anew = ", and the firmware anew," if isinstance(reader, Pico) else ""
    return f"{listed(told)}{anew}"


def _astray(visit: Visit, seen: Mapping[Cell, int]) -> Finding:
    switches = visit.profile.layout.switches
    told = [
        f"{cell} at {next(iter(visit.cells([switch])), f'switch {switch}, which has no cell')}"
        for cell, switch in seen.items()
        if switch != switches[cell]
    ]
    return Finding(
        f"Pieces are noticed at other cells: {named(told)}.",
        "Wires are exchanged in more than one place.",
        "Learn the wiring as it is: reedlight wire; it writes a profile for this board.",
    )


# -------------------------------------------------------------------------------------------- pieces


def pieces(visit: Visit) -> Outcome:
    """Many pieces at once are noticed, and no others."""
    visit.bare = False
    doubted = cells_in(_shown_where_noticed(visit) if visit.shines else _told_where_noticed(visit), visit.profile)
    standing = visit.occupied()
    ghosts = [cell for cell in doubted if cell in standing]
    missed = [cell for cell in doubted if cell not in standing]
    findings = [*_ghosts(ghosts), *_missed(missed)]
    if visit.matrix is not None:
        findings += shown_by_lines(visit, read(visit.shape, visit.line_test()))
    flips = {switch: times for switch, times in _watch(visit).items() if times >= FLIPS}
    findings += _restless(visit, flips)
    return outcome(findings, f"{counted(len(standing), 'piece')} at once")


_SET_UP = "Set up as many pieces as you have, one on a cell, some of them side by side."


def _shown_where_noticed(visit: Visit) -> str:
    """What is typed, while the lamps show which cells are occupied."""
    visit.tell(
        f"{_SET_UP} The lamps shine where a piece is noticed. Then type the cells where they are wrong, or Enter if "
        "none is."
    )
    while True:
        visit.glow(visit.occupied())
        happened, typed = visit.listen(None)
        if typed is not None or Press(Button.GO) in happened:
            visit.glow()
            return typed or ""


def _told_where_noticed(visit: Visit) -> str:
    """What is typed, after it was said which cells are occupied."""
    visit.ask(f"{_SET_UP} Then press Enter.")
    cells_ = listed(visit.occupied()) if visit.occupied() else "no cell"
    return visit.ask(f"Pieces are noticed on {cells_}. Type the cells where that is wrong, or Enter if none is.")


def _ghosts(cells_: Sequence[Cell]) -> Iterator[Finding]:
    if cells_:
        yield Finding(
            f"{named(cells_)} read{'s' if len(cells_) == 1 else ''} occupied though nothing stands there.",
            "A diode nearby is bridged or missing, or a tall stack beside is too strong for the reed.",
            "Look at the diodes of the cells in the same row and column; lower the reed by 1 mm.",
        )


def _missed(cells_: Sequence[Cell]) -> Iterator[Finding]:
    if cells_:
        yield Finding(
            f"{named(cells_)} do{'es' if len(cells_) == 1 else ''} not notice the piece that stands there.",
            "The piece stands at the edge, its magnet is weak or upside down, or the reed is too deep.",
            "Try another piece, then raise the reed by 1 mm.",
        )
