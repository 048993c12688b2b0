"""Checks of the switches: wires, diodes, reeds, and whether each is under the cell that the profile says.

    wires    lines that touch something; with pieces on the board, diodes too
    rest     a board that nobody touches: nothing closed if it is empty, nothing flickering
    cells    a piece is passed over every cell: each switch closes, and its diode lets through one way
    order    a piece is set on cells that are named: rows, columns and mirrors
    pieces   many pieces at once: each is noticed, and no piece that is not there

On the quick visit nobody says whether the board is empty: what is closed is told and believed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reedlight.app.checks import lines
from reedlight.app.checks.finding import Finding, Outcome, Unasked, named, outcome
from reedlight.app.checks.moved import by_lines, by_place, probes
from reedlight.app.checks.visit import Visit, bits
from reedlight.board.kinds import counted, listed
from reedlight.board.profile import Expander, Profile
from reedlight.core.grid import Cell
from reedlight.ports import Closed
from reedlight.scene.palette import Colour
from reedlight.scene.scene import Button
from reedlight.session.events import Press

GLOW = Colour(90, 84, 70)
"""What shows a cell that is asked about: warm white, a third of full, on any number of lamps."""
FLIPS = 2
"""Changes of one switch on a board that nobody touches, from which on it flickers; one is a piece that was moved."""
MANY = 4
"""Diodes from which on they are told together, if there is no other kind."""


def has_matrix(profile: Profile) -> bool:
    """Whether a board's switches are a matrix with diodes."""
    return not isinstance(profile.reader, Expander)


def clear(visit: Visit) -> None:
    """Have the board emptied, once, if somebody is there who can."""
    if visit.person and not visit.bare:
        visit.ask("Take everything off the board. Then press Enter, or GO on the board.")
        visit.bare = True


# --------------------------------------------------------------------------------------------- wires


def wires(visit: Visit) -> Outcome:
    """No line of the matrix touches anything that it should not."""
    clear(visit)
    reading = lines.read(visit.shape, visit.line_test())
    visit.broken = frozenset((*reading.grounded, *reading.live, *(line for group in reading.groups for line in group)))
    return outcome([*_touching(visit, reading), *_turned_under_pieces(visit, reading)], _sound_lines(visit))


def _sound_lines(visit: Visit) -> str:
    shape = visit.shape
    return f"{counted(shape.rows, 'row')} and {counted(shape.columns, 'column')}, none touches another"


def _touching(visit: Visit, reading: lines.Reading) -> Iterator[Finding]:
    for line in reading.grounded:
        if visit.bare or line < visit.shape.rows or min(reading.grounded) >= visit.shape.rows:
            yield Finding(
                f"{_capital(visit.line(line))} touches ground.",
                "A drop of solder, a strand of wire or a pinched cable joins them.",
                "Take the power off and measure from this line to ground, at the plug and at both ends.",
            )
    for line in reading.live:
        yield Finding(
            f"{_capital(visit.line(line))} touches 3.3 V.",
            "A drop of solder, a strand of wire or a pinched cable joins them.",
            "Take the power off and measure from this line to 3.3 V, at the plug and at both ends.",
        )
    for group in reading.groups:
        yield _group(visit, group)


def _group(visit: Visit, group: Sequence[int]) -> Finding:
    rows = [line for line in group if line < visit.shape.rows]
    names = listed(visit.line(line) for line in group)
    if not rows or len(rows) == len(group):
        return Finding(
            f"{_capital(names)} touch each other.",
            "A drop of solder, a strand of wire or a pinched cable joins them.",
            "Take the power off and measure between them: two rows have over 1 megohm, two columns about 94 kilohms.",
        )
    crossings = [row * visit.shape.columns + column - visit.shape.rows for row in rows for column in group
                 if column >= visit.shape.rows]
    cells = visit.cells(switch for switch in crossings if (visit.bench.closed or 0) >> switch & 1)
    if visit.bare or not cells:
        return Finding(
            f"{_capital(names)} conduct both ways though nothing stands on the board.",
            "They touch; or a switch between them is stuck, and its diode bridged.",
            "Take the power off, and look along both lines for solder between them.",
        )
    return Finding(
        f"{_capital(names)} conduct both ways where something stands on {named(cells)}.",
        "The diode there is bridged or missing, so that pieces appear where there are none; or the lines touch.",
        "Look for solder across the diode; a diode that conducts both ways is broken.",
    )


def _turned_under_pieces(visit: Visit, reading: lines.Reading) -> tuple[Finding, ...]:
    switches = [row * visit.shape.columns + column - visit.shape.rows for row, column in reading.turned]
    return _turned(visit.cells(switches), 0)


def _turned(cells: Sequence[Cell], sound: int) -> tuple[Finding, ...]:
    """Diodes that are the wrong way round, beside so many that are not."""
    if not cells:
        return ()
    if len(cells) >= MANY and not sound:
        return (
            Finding(
                f"Every diode that could be looked at is the wrong way round ({named(cells)}).",
                "All were soldered so, or the wires of rows and columns are exchanged.",
                "The stripe belongs to the reed, on the row's side. Exchange the wires of rows and columns, "
                "in the profile too, or turn the diodes.",
            ),
        )
    whose = f"The diode of {cells[0]} is" if len(cells) == 1 else f"The diodes of {named(cells)} are"
    return (
        Finding(
            f"{whose} the wrong way round.",
            "The stripe belongs to the reed, on the row's side.",
            "Turn it." if len(cells) == 1 else "Turn them.",
        ),
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# ---------------------------------------------------------------------------------------------- rest


def rest(visit: Visit) -> Outcome:
    """Nothing changes while nobody touches the board, and nothing is closed on an empty one."""
    clear(visit)
    flips = _watch(visit)
    restless = [switch for switch, times in flips.items() if times >= FLIPS]
    stuck = [] if not visit.bare else [
        switch for switch in bits(visit.bench.closed or 0)
        if switch not in restless and visit.broken.isdisjoint(visit.crossing(switch))
    ]
    findings = [*_stuck(visit.cells(stuck)), *_restless(visit, {switch: flips[switch] for switch in restless})]
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
    clear(visit)
    visit.tell("Pass one piece slowly over every cell. A cell's lamp goes out when the piece was noticed there.")
    visit.tell("Press Enter, or GO, when no more go out.")
    seen = _passed_over(visit)
    tested = [cell for cell in visit.profile.grid.cells if visit.broken.isdisjoint(visit.crossing(_switch(visit, cell)))]
    dead = [cell for cell in tested if not _in(visit, cell, seen.any)]
    turned = [cell for cell in tested if _in(visit, cell, seen.reverse & ~seen.forward)]
    both = [cell for cell in tested if _in(visit, cell, seen.reverse & seen.forward)]
    visit.mute = frozenset((*dead, *turned))
    sound = len(tested) - len(dead) - len(turned)
    findings = [*_dead(visit, dead, tested), *_turned(turned, sound), *_bridged(both, sound - len(both))]
    return outcome(findings, f"{counted(len(tested), 'cell')}, each notices a piece")


def _switch(visit: Visit, cell: Cell) -> int:
    return visit.profile.layout.switches[cell]


def _in(visit: Visit, cell: Cell, mask: int) -> bool:
    return bool(mask >> _switch(visit, cell) & 1)


def _passed_over(visit: Visit) -> _Seen:
    """What is seen while a piece is passed over the cells, until all are or nothing new is for a second Enter."""
    seen, unseen_at_enter = _Seen(), -1
    while left := [cell for cell in visit.profile.grid.cells if not _in(visit, cell, seen.any)]:
        visit.bench.show({visit.profile.layout.lamps[cell]: GLOW for cell in left} if visit.profile.lamps else {})
        happened, typed = visit.listen(visit.patience.scan)
        _look(visit, seen)
        if typed is None and Press(Button.GO) not in happened:
            continue
        if len(left) == unseen_at_enter:
            break
        unseen_at_enter = len(left)
        visit.tell(f"Not noticed yet: {named(left)}. Pass over them again, then press Enter.")
    visit.bench.show()
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
            "Its wire is off"
            + (", or it touches 3.3 V." if visit.matrix and line >= visit.shape.rows else "."),
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


def _bridged(both: Sequence[Cell], sound: int) -> Iterator[Finding]:
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


# --------------------------------------------------------------------------------------------- order


def order(visit: Visit) -> Outcome:
    """A piece on a cell is noticed at that cell."""
    clear(visit)
    switches, shape = visit.profile.layout.switches, visit.shape
    asked = probes({cell: switch for cell, switch in switches.items() if cell not in visit.mute}, shape.columns)
    if not asked:
        return Unasked("no cell answers that could be named")
    seen: dict[Cell, int] = {}
    for number, cell in enumerate(asked, 1):
        closed = visit.ask_for_a_piece(f"{number} of {len(asked)}: put one piece on {cell}, and no other on the board.")
        if switches[cell] in closed:
            seen[cell] = switches[cell]
        elif closed:
            seen[cell] = min(closed)
    wrong = {cell: switch for cell, switch in seen.items() if switch != switches[cell]}
    if not wrong:
        return outcome([], f"{counted(len(seen), 'cell')} tried, each where it should be")
    there = {cell: next(iter(visit.cells([switch])), None) for cell, switch in seen.items()}
    return outcome(
        [
            by_place(visit.profile.grid, there, "switches", "[scan]")
            or by_lines(switches, seen, visit.line, shape)
            or _astray(visit, wrong)
        ],
        "",
    )


def _astray(visit: Visit, wrong: dict[Cell, int]) -> Finding:
    told = [
        f"{cell} at {next(iter(visit.cells([switch])), f'switch {switch}, which has no cell')}"
        for cell, switch in wrong.items()
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
    visit.tell("Set up as many pieces as you have, one on a cell, some of them side by side.")
    typed = _shown_where_noticed(
        visit,
        "The lamps shine where a piece is noticed. Type the cells where they are wrong, or Enter if none is.",
    )
    doubted = [cell for cell in visit.profile.grid.cells if cell in typed.replace(";", " ").split()]
    standing = visit.occupied()
    ghosts = [cell for cell in doubted if cell in standing]
    missed = [cell for cell in doubted if cell not in standing]
    findings = [*_ghosts(ghosts), *_missed(missed)]
    if visit.matrix is not None:
        reading = lines.read(visit.shape, visit.line_test())
        groups = [group for group in reading.groups if not visit.broken >= set(group)]
        findings += [*(_group(visit, group) for group in groups), *_turned_under_pieces(visit, reading)]
    flips = {switch: times for switch, times in _watch(visit).items() if times >= FLIPS}
    findings += _restless(visit, flips)
    return outcome(findings, f"{counted(len(standing), 'piece')} at once")


def _shown_where_noticed(visit: Visit, question: str) -> str:
    """What is typed, while the lamps show which cells are occupied."""
    visit.tell(question)
    while True:
        lamps = visit.profile.layout.lamps if visit.profile.lamps else {}
        visit.bench.show({lamps[cell]: GLOW for cell in visit.occupied() if cell in lamps})
        happened, typed = visit.listen(None)
        if typed is not None or Press(Button.GO) in happened:
            visit.bench.show()
            return typed or ""


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
