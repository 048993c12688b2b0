"""The wizard's dialogue as values: what is known of the wiring, what is asked next, what follows from an answer.

    Known ──asked──► Question ──► a person, by lamps or by words ──► Answer ──heard──► Known

One piece is all that is needed. The question is nearly always the same, one cell blinks: put the piece there.

    CLEAR     is the board empty? What is closed all the same is closed for ever
    COLOURS   an RGB string: steady lamps red, blinking ones green?                NEXT: other colours
    PICTURE   all lamps come on, one after the other, as one reads a page?         GO: then every lamp's place
                │ yes              │ no                                                is known
                │                LIGHTS    lamp after lamp blinks: which switch closes under it?
                │                PLACES    the board glows: the piece on cell after cell, as one reads, until
                │                  │       only one order is possible; then the picture again
                ▼                  ▼
    CELLS     cell after cell blinks: which switch closes?
    KEEP      all that was learnt comes on, row by row. GO: it is written           NEXT: to PLACES after all

GO: it is so, and where the piece stands and nothing happens, that no switch closes. NEXT: no; there is no light.
So a board as its profile says, or with wires of the matrix exchanged, takes one piece once to every cell, and one
with its lamps in a wild order as well if its switches are as planned; nothing takes it more than twice.

Everything here is pure. What the lamps' marks look like, how long a piece must stand and who answers is not
known here; a step back is the state before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import chain
from types import MappingProxyType
from typing import Generic, TypeVar

from reedlight.board.geometry import reading, rows_of
from reedlight.board.guesses import Numbers, by_lines, completed, differs, likely
from reedlight.board.kinds import listed
from reedlight.board.layout import Layout, direct
from reedlight.board.profile import Expander, Pico, Profile, Ws2812
from reedlight.core.grid import Cell
from reedlight.scene.palette import Colour
from reedlight.scene.scene import Button, Lamp, Mark

Lights = Mapping[int, Mark | Colour]
"""What shines, by the numbers of lamps."""

SWEEP = 0.1
"""Seconds from one lamp of a picture to the next: quick, but a hand could follow."""
REST = 1.5
"""Seconds for which a whole picture stands, before it is dark for half as long and begins anew."""
BLINK = 0.5
"""Seconds lit and dark of the lamps in the question for colours."""
COLOUR_DRIVE = 100
"""The drive of a channel in that question: bright, and far below the cap."""
ORDERS = ("GRB", "RGB", "BGR", "BRG", "GBR", "RBG")
"""The orders in which lamps on sale take their channels."""
ENOUGH_PLACES = 2
"""Cells whose places tell how a board is turned or mirrored: the first two as one reads."""
FEW_PICTURES = 2
"""So many possible orders are rather shown one after the other than told apart by more pieces."""
PORT = 8
"""Inputs of one port of an expander, to which a row of cells goes."""

_NO_LIGHTS: Lights = MappingProxyType({})


class Stage(Enum):
    """What is being found out."""

    CLEAR = "clear"
    COLOURS = "colours"
    PICTURE = "picture"
    LIGHTS = "lights"
    PLACES = "places"
    CELLS = "cells"
    KEEP = "keep"
    DONE = "done"


class Wants(Enum):
    """What besides a button answers a question."""

    EMPTY_BOARD = "empty board"
    PIECE = "piece"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, in words and by the lamps."""

    say: str
    film: tuple[Lights, ...]
    """What shines, one picture after the other and again from the first."""
    buttons: Mapping[Button, Lamp]
    wants: Wants = Wants.NOTHING
    beat: float = REST
    """Seconds for which each picture stands."""
    again: Lights = field(default_factory=lambda: _NO_LIGHTS)
    """What shines alone for a moment when somebody wants it said again."""


# -------------------------------------------------------------------------------------------- answers


@dataclass(frozen=True, slots=True)
class Emptied:
    """Nothing is closed."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece was set down, and these switches closed; a mask of at least one."""

    mask: int


@dataclass(frozen=True, slots=True)
class Go:
    """GO was pressed, while these switches were closed, the stuck ones left out."""

    closed: int


@dataclass(frozen=True, slots=True)
class Next:
    """NEXT was pressed."""


Answer = Emptied | Placed | Go | Next

# ---------------------------------------------------------------------------------------------- known

_NO_MASKS: Mapping[int, int] = MappingProxyType({})
_NO_CELLS: Mapping[Cell, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Known:
    """What is known by now. Masks are of switches; 0 where a piece stood and none closed."""

    profile: Profile
    """The plan, and the colours as they are once they are known."""
    stage: Stage = Stage.CLEAR
    stuck: int = 0
    """Switches that are closed on an empty board."""
    colours: int = 0
    """How many orders of colours were turned down."""
    dark: frozenset[int] = frozenset()
    """Lamps that nobody sees."""
    trials: Mapping[int, int] = field(default_factory=lambda: _NO_MASKS)
    """By lamp, what closed under it."""
    places: Mapping[Cell, int] = field(default_factory=lambda: _NO_CELLS)
    """By cell, what closed on it, while the lamps' places were not known."""
    rejected: tuple[Numbers, ...] = ()
    """Pictures that were turned down: each cell's lamp."""
    lines_fail: bool = False
    """Whether the picture that rows and columns gave was turned down."""
    lamps: Numbers = field(default_factory=lambda: _NO_CELLS)
    """Each cell's lamp, once that is known."""
    closes: Mapping[Cell, int] = field(default_factory=lambda: _NO_CELLS)
    """By cell, what closed on it."""
    skipped: frozenset[Cell] = frozenset()
    """Cells that nobody wanted to try."""
    doubt: int = 0
    """The switch that has just closed on a second cell."""
    echo: tuple[str, ...] = ()
    """What the last answer told, in sentences."""


def begun(profile: Profile) -> Known:
    """What is known of a board before anything was asked."""
    return Known(profile)


def asked(known: Known) -> Question:
    """What is asked next; not once it is done."""
    return _ASKED[known.stage](known)


def heard(known: Known, answer: Answer) -> Known:
    """What is known after an answer; the same, but for what it tells, where it is no answer to the question."""
    return _HEARD[known.stage](replace(known, echo=()), answer)


_ALL_LIT = MappingProxyType(dict.fromkeys(Button, Lamp.ON))
_YES_OR_NO = MappingProxyType({**_ALL_LIT, Button.GO: Lamp.BLINK})
_GO_OR_HINT = MappingProxyType({Button.GO: Lamp.ON, Button.HINT: Lamp.ON})

# ---------------------------------------------------------------------------------------- empty board


def _ask_to_clear(known: Known) -> Question:
    everywhere = dict.fromkeys(_planned_lamps(known).values(), Mark.REMOVE)
    say = "Take everything off the board. GO: it is empty, so that a switch is closed that should not be."
    return Question(say, (everywhere,), _GO_OR_HINT, Wants.EMPTY_BOARD)


def _cleared(known: Known, answer: Answer) -> Known:
    after = _after_clearing(known)
    if isinstance(answer, Emptied):
        return after
    if isinstance(answer, Go) and answer.closed:
        which = listed(_switch(known, number) for number in bits(answer.closed))
        return replace(after, stuck=answer.closed, echo=(f"Closed on an empty board: {which}.",))
    return known


def _after_clearing(known: Known) -> Known:
    lamps = known.profile.lamps
    if lamps is None:
        return replace(known, stage=Stage.CELLS, lamps=known.profile.layout.lamps)
    return replace(known, stage=Stage.COLOURS if isinstance(lamps, Ws2812) else Stage.PICTURE)


# -------------------------------------------------------------------------------------------- colours


def _ask_for_colours(known: Known) -> Question:
    wired, tried = _string(known).order, _tried_order(known)
    red, green = (_as_sent(colour, wired, tried) for colour in (_RED, _GREEN))
    steady = dict.fromkeys(range(0, _string(known).count, 2), red)
    both = steady | dict.fromkeys(range(1, _string(known).count, 2), green)
    say = (
        "Some lights are steady, others blink. Are the steady ones red and the blinking ones green? GO: yes. NEXT: no."
    )
    return Question(say, (both, steady), _YES_OR_NO, beat=BLINK)


_RED, _GREEN = Colour(COLOUR_DRIVE, 0, 0), Colour(0, COLOUR_DRIVE, 0)


def _string(known: Known) -> Ws2812:
    lamps = known.profile.lamps
    assert isinstance(lamps, Ws2812)  # noqa: S101  # nothing else is asked for colours
    return lamps


def _tried_order(known: Known) -> str:
    planned = _string(known).order
    orders = (planned, *(order for order in ORDERS if order != planned))
    return orders[known.colours % len(orders)]


def _as_sent(colour: Colour, wired: str, tried: str) -> Colour:
    """What a driver that knows one order has to be told, so that lamps of another order show this colour."""
    channel = dict(zip("RGB", colour, strict=True))
    sent = {told: channel[taken] for told, taken in zip(wired, tried, strict=True)}
    return Colour(sent["R"], sent["G"], sent["B"])


def _coloured(known: Known, answer: Answer) -> Known:
    if isinstance(answer, Next):
        return replace(known, colours=known.colours + 1)
    if not isinstance(answer, Go):
        return known
    order = _tried_order(known)
    said = () if order == _string(known).order else (f"The lamps take their colours as {order}.",)
    profile = replace(known.profile, lamps=replace(_string(known), order=order))
    return replace(known, profile=profile, stage=Stage.PICTURE, echo=said)


# -------------------------------------------------------------------------------------------- pictures


def _ask_for_the_picture(known: Known) -> Question:
    return _ask_for(known, _planned_lamps(known))


def _ask_for(known: Known, lamps: Numbers) -> Question:
    say = (
        "The lights come on one after the other. Do they come as one reads, the far row first, each row from the "
        "left? Some may stay dark. GO: yes. NEXT: no."
    )
    film = _sweep(known, lamps, {})
    return Question(say, film, _YES_OR_NO, beat=SWEEP)


def _sweep(known: Known, lamps: Numbers, odd: Mapping[Cell, Mark]) -> tuple[Lights, ...]:
    """One lamp after the other in reading order; all for a while, odd ones in a rhythm of their own; darkness."""
    film: list[Lights] = [{}]
    for cell in reading(known.profile.grid):
        if cell in lamps:
            film.append({**film[-1], lamps[cell]: Mark.TARGET})
    whole = {**film[-1], **{lamps[cell]: mark for cell, mark in odd.items()}}
    rest = round(REST / SWEEP)
    return (*film, *[whole] * rest, *[film[0]] * (rest // 2))


def _pictured(known: Known, answer: Answer) -> Known:
    lamps = _planned_lamps(known)
    if isinstance(answer, Go):
        return _in_cells(replace(known, lamps=lamps))
    if isinstance(answer, Next):
        return replace(known, stage=Stage.LIGHTS, rejected=(lamps,))
    return known


def _planned_lamps(known: Known) -> Numbers:
    return known.profile.layout.lamps if known.profile.lamps else {}


# -------------------------------------------------------------------------------------- trying a place

_Place = TypeVar("_Place", int, Cell)


@dataclass(frozen=True, slots=True)
class _Trial(Generic[_Place]):
    """What came of a piece on a place: all places with what closes there, or a doubt, and what to say of it."""

    closes: Mapping[_Place, int]
    doubt: int
    echo: str


def _tried(
    known: Known, answer: Placed | Go, place: _Place, closes: Mapping[_Place, int], called: str
) -> _Trial[_Place]:
    """Try a place; nothing is learnt where a switch closes that belongs to another, or the piece stands elsewhere."""
    if isinstance(answer, Placed):
        said = listed(_switch(known, number) for number in bits(answer.mask))
        if _owners(closes, answer.mask):
            echo = f"{_capital(said)} closes, which was learnt before. Is the piece on {called}? GO: yes."
            return _Trial(closes, answer.mask, echo)
        together = " close together" if len(bits(answer.mask)) > 1 else ""
        return _Trial({**closes, place: answer.mask}, 0, f"{_capital(called)}: {said}{together}.")
    if answer.closed & known.doubt:
        others = {other: mask for other, mask in closes.items() if mask != known.doubt}
        said = listed(_switch(known, number) for number in bits(known.doubt))
        return _Trial(
            {**others, place: known.doubt}, 0, f"{_capital(called)}: {said}. The other place comes once more."
        )
    if answer.closed:
        return _Trial(closes, known.doubt, "The piece still stands where it was.")
    return _Trial({**closes, place: 0}, 0, f"{_capital(called)}: no switch closes.")


def _owners(closes: Mapping[_Place, int], mask: int) -> tuple[_Place, ...]:
    """The places where this one switch closes."""
    return tuple(place for place, closed in closes.items() if closed == mask and len(bits(mask)) == 1)


_MARKS = (Mark.MISSING, Mark.TARGET, Mark.EXTRA)
"""How a place looks where no switch closes, one, or several."""


def _mark_of(mask: int) -> Mark:
    return _MARKS[min(len(bits(mask)), 2)]


# ---------------------------------------------------------------------------------- lamp after lamp


def _ask_for_a_light(known: Known) -> Question:
    lamp = _untried(known)[0]
    lights: dict[int, Mark | Colour] = {tried: _mark_of(mask) for tried, mask in known.trials.items()}
    lights |= dict.fromkeys(_owners(known.trials, known.doubt), Mark.FORBIDDEN)
    say = (
        f"Put the piece where the light blinks ({_progress(known, known.trials)}). GO: it stands there, and nothing "
        "happens. NEXT: no light blinks."
    )
    return Question(say, ({**lights, lamp: Mark.CHOICE},), _ALL_LIT, Wants.PIECE, again={lamp: Mark.HINT})


def _untried(known: Known) -> tuple[int, ...]:
    """The lamps that were not tried yet, those that the plan has under cells first; none once all cells have one."""
    if len(known.trials) == len(known.profile.grid.cells):
        return ()
    planned = [known.profile.layout.lamps[cell] for cell in reading(known.profile.grid)]
    lamps = (*planned, *(lamp for lamp in range(_lamp_count(known)) if lamp not in planned))
    return tuple(lamp for lamp in lamps if lamp not in known.trials and lamp not in known.dark)


def _lamp_count(known: Known) -> int:
    return known.profile.lamps.count if known.profile.lamps else 0


def _lit(known: Known, answer: Answer) -> Known:
    lamp = _untried(known)[0]
    if isinstance(answer, Next):
        known = replace(known, dark=known.dark | {lamp}, doubt=0, echo=(f"Lamp {lamp} stays dark.",))
    elif not isinstance(answer, Emptied):
        trial = _tried(known, answer, lamp, known.trials, f"lamp {lamp}")
        known = replace(known, trials=trial.closes, doubt=trial.doubt, echo=(trial.echo,))
    return _on_from_lights(known)


def _on_from_lights(known: Known) -> Known:
    return known if _untried(known) else replace(known, stage=Stage.PLACES)


# ------------------------------------------------------------------------------- place after place


def _ask_for_a_place(known: Known) -> Question:
    if picture := _ripe(known):
        return _ask_for(known, picture)
    cell = _unplaced(known)[0]
    lamp_of = _lamp_of(known)
    placed = {lamp_of[number] for number in _placed(known).values() if number in lamp_of}
    lights = {lamp: Mark.TARGET if lamp in placed else Mark.MOVABLE for lamp in known.trials}
    lights |= {lamp_of[number]: Mark.FORBIDDEN for number in bits(known.doubt) if number in lamp_of}
    unplaced = {lamp: mark for lamp, mark in lights.items() if mark is Mark.MOVABLE}
    say = (
        f"Put the piece on {cell}: cell after cell as one reads, the far row first, each row from the left, those left "
        "out that are steady. GO: it stands there, and nothing happens. NEXT: leave this cell out."
    )
    return Question(say, (lights,), _ALL_LIT, Wants.PIECE, again=unplaced)


def _lamp_of(known: Known) -> Mapping[int, int]:
    """By switch, the lamp under which it closes; where several close together, each lamp has one of them."""
    found: dict[int, int] = {}
    for lamp, mask in sorted(known.trials.items(), key=lambda trial: len(bits(trial[1]))):
        number = next((number for number in bits(mask) if number not in found), None)
        if number is not None:
            found[number] = lamp
    return found


def _placed(known: Known) -> Numbers:
    """The switch of each cell that a piece was put on, or whose place follows from those."""
    placed: dict[Cell, int] = {}
    for cell, mask in known.places.items():
        number = next((number for number in bits(mask) if number not in placed.values()), None)
        if number is not None:
            placed[cell] = number
    if known.lines_fail or _pictures(known):
        return placed
    extended = by_lines(known.profile.grid, placed)
    return extended if _along_lines(known.profile, extended) else placed


def _along_lines(profile: Profile, switches: Numbers) -> bool:
    """Whether each row of the board has its switches on one line of the matrix, as far as they are known.

    Steady lamps in wrong places would lead a person astray who goes by them, so what follows from other cells
    has to be beyond doubt.
    """
    width = PORT if isinstance(profile.reader, Expander) else len(profile.reader.matrix.columns)
    rows = ([switches[cell] for cell in row if cell in switches] for row in rows_of(profile.grid))
    return all(
        len({number // width for number in row}) <= 1 or len({number % width for number in row}) <= 1 for row in rows
    ) and all(number < _switch_count(profile) for number in switches.values())


def _unplaced(known: Known) -> tuple[Cell, ...]:
    """The cells for which nothing is known, as one reads."""
    placed = _placed(known)
    return tuple(cell for cell in reading(known.profile.grid) if cell not in placed and cell not in known.places)


def _pictures(known: Known) -> tuple[Numbers, ...]:
    """Every likely order of the lamps that fits what is known, the one in which the switches are as planned first."""
    lamp_of, grid, layout = _lamp_of(known), known.profile.grid, known.profile.layout
    found = [
        {cell: lamp_of[number] for cell, number in switches.items() if number in lamp_of}
        for switches in likely(grid, layout.switches)
        if lamp_of.keys() <= set(switches.values())
    ]
    lit = set(lamp_of.values())
    found += [
        {cell: lamp for cell, lamp in lamps.items() if lamp in lit}
        for lamps in likely(grid, layout.lamps)
        if lit <= set(lamps.values())
    ]
    fitting: list[Numbers] = []
    for picture in found:
        if _fits(picture, known, lamp_of) and not any(_alike(picture, other) for other in (*known.rejected, *fitting)):
            fitting.append(picture)
    return tuple(fitting)


def _fits(picture: Numbers, known: Known, lamp_of: Mapping[int, int]) -> bool:
    return all(
        picture.get(cell) in {lamp_of.get(number) for number in bits(mask)}
        for cell, mask in known.places.items()
        if mask
    )


def _alike(one: Numbers, other: Numbers) -> bool:
    return all(one[cell] == other[cell] for cell in one.keys() & other.keys())


def _ripe(known: Known) -> Numbers | None:
    """A picture that is worth being shown; None while more places are wanted."""
    pictures = _pictures(known)
    if len(known.places) < ENOUGH_PLACES:
        planned = {number: cell for cell, number in known.profile.layout.switches.items()}
        as_planned = {planned[number]: lamp for number, lamp in _lamp_of(known).items() if number in planned}
        return next((picture for picture in pictures if not known.places and _alike(picture, as_planned)), None)
    if pictures:
        return pictures[0] if len(pictures) <= FEW_PICTURES else None
    return None if known.lines_fail or _unplaced(known) else _by_places(known)


def _by_places(known: Known) -> Numbers:
    lamp_of = _lamp_of(known)
    return {cell: lamp_of[number] for cell, number in _placed(known).items() if number in lamp_of}


def _put(known: Known, answer: Answer) -> Known:
    if picture := _ripe(known):
        return _shown(known, picture, answer)
    cell = _unplaced(known)[0]
    if isinstance(answer, Next):
        known = replace(known, places={**known.places, cell: 0}, doubt=0, echo=(f"{cell} is left out.",))
    elif not isinstance(answer, Emptied):
        trial = _tried(known, answer, cell, known.places, cell)
        known = replace(known, places=trial.closes, doubt=trial.doubt, echo=(trial.echo,))
    return known if _ripe(known) or _unplaced(known) else _located(known, _by_places(known))


def _shown(known: Known, picture: Numbers, answer: Answer) -> Known:
    """A picture was said to be right or wrong."""
    if isinstance(answer, Go):
        return _located(known, picture)
    if not isinstance(answer, Next):
        return known
    by_lines_alone = not _pictures(known)
    known = replace(known, rejected=(*known.rejected, picture), lines_fail=known.lines_fail or by_lines_alone)
    return known if _ripe(known) or _unplaced(known) else _located(known, _by_places(known))


def _located(known: Known, picture: Numbers) -> Known:
    """Every lamp's place is known; so is what closes there, where a piece was put."""
    profile = known.profile
    used = set(picture.values())
    spare = [*(lamp for lamp in known.trials if lamp not in used), *sorted(known.dark), *range(_lamp_count(known))]
    guesses = likely(profile.grid, profile.layout.lamps)
    unseen = {cell: _unseen(known, mask) for cell, mask in known.places.items() if cell not in picture}
    lamps = completed(profile.grid, picture, unseen, guesses, [lamp for lamp in spare if lamp not in used])
    tried = {cell: mask for cell, lamp in lamps.items() if (mask := known.trials.get(lamp))}
    placed = {cell: mask for cell, mask in known.places.items() if mask}
    return _in_cells(replace(known, lamps=lamps, closes={**placed, **tried}))


def _unseen(known: Known, mask: int) -> frozenset[int]:
    """The lamps of which one is under a place: a dark one where a switch closes, and else one where none did."""
    return known.dark if mask else frozenset(lamp for lamp, closed in known.trials.items() if not closed)


# ---------------------------------------------------------------------------------- cell after cell


def _in_cells(known: Known) -> Known:
    if not _unlearnt(known):
        return replace(known, stage=Stage.KEEP)
    told = () if known.stage is Stage.CELLS else (_HOW_CELLS,)
    return replace(known, stage=Stage.CELLS, echo=(*known.echo, *told))


_HOW_CELLS = "GO: the piece stands there, and nothing happens. NEXT: its light does not blink. BACK: one step back."


def _unlearnt(known: Known) -> tuple[Cell, ...]:
    """The cells that still have to be tried, as one reads; dark ones last, when all others are lit around them."""
    cells = [cell for cell in reading(known.profile.grid) if cell not in known.closes and cell not in known.skipped]
    return tuple(sorted(cells, key=lambda cell: known.lamps[cell] in known.dark))


def _ask_for_a_cell(known: Known) -> Question:
    cell = _unlearnt(known)[0]
    asked_for = _light_on(known, cell)
    lights: dict[int, Mark | Colour] = {known.lamps[tried]: _mark_of(mask) for tried, mask in known.closes.items()}
    lights |= {known.lamps[owner]: Mark.FORBIDDEN for owner in _owners(known.closes, known.doubt)}
    film = {**lights, **asked_for} if known.profile.lamps else {}
    again = dict.fromkeys(asked_for, Mark.HINT)
    say = f"Put the piece on {cell}{_light_said(known, cell)} ({_progress(known, known.closes)})."
    return Question(say, (film,), _ALL_LIT, Wants.PIECE, again=again)


def _light_on(known: Known, cell: Cell) -> Lights:
    """What shows a cell: its lamp, or where that is dark those around it."""
    if not known.profile.lamps:
        return {}
    if known.lamps[cell] not in known.dark:
        return {known.lamps[cell]: Mark.CHOICE}
    around = (known.lamps[near] for near in known.profile.grid.neighbours[cell])
    return {lamp: Mark.SOURCE for lamp in around if lamp not in known.dark}


def _light_said(known: Known, cell: Cell) -> str:
    if not known.profile.lamps:
        return ""
    if known.lamps[cell] not in known.dark:
        return ", where the light blinks"
    return ", which stays dark, amid the lights that breathe; NEXT leaves it out"


def _closed(known: Known, answer: Answer) -> Known:
    cell = _unlearnt(known)[0]
    if isinstance(answer, Next):
        known = _without_light(known, cell)
    elif not isinstance(answer, Emptied):
        trial = _tried(known, answer, cell, known.closes, cell)
        planned = known.profile.layout.switches[cell]
        plan = f" The plan has {planned}." if trial.closes.get(cell, 1 << planned) not in {0, 1 << planned} else ""
        known = replace(known, closes=trial.closes, doubt=trial.doubt, echo=(f"{trial.echo}{plan}",))
    return _in_cells(known)


def _without_light(known: Known, cell: Cell) -> Known:
    """A cell that is dark is asked for by the lights around it, and left out if that is not wanted either."""
    lamp = known.lamps[cell]
    if known.profile.lamps and lamp not in known.dark:
        return replace(known, dark=known.dark | {lamp}, doubt=0, echo=(f"{cell}: its lamp, {lamp}, stays dark.",))
    return replace(known, skipped=known.skipped | {cell}, doubt=0, echo=(f"{cell} is left out.",))


# -------------------------------------------------------------------------------------------- the end


def _ask_to_keep(known: Known) -> Question:
    said = "\n".join((*summary(known), "GO: keep this. BACK: one step back."))
    if not known.profile.lamps:
        return Question(said, ({},), {**_YES_OR_NO, Button.NEXT: Lamp.OFF})
    film = _sweep(known, known.lamps, {cell: _mark_of(known.closes.get(cell, 0)) for cell in known.lamps})
    return Question(f"{said} NEXT: the lights do not come as one reads.", film, _YES_OR_NO, beat=SWEEP)


def _kept(known: Known, answer: Answer) -> Known:
    if isinstance(answer, Go):
        return replace(known, stage=Stage.DONE)
    return _unlocated(known) if isinstance(answer, Next) and known.profile.lamps else known


def _unlocated(known: Known) -> Known:
    """Forget where the lamps are, but not what closes under them, and have every place shown by a piece."""
    trials = {known.lamps[cell]: mask for cell, mask in known.closes.items() if known.lamps[cell] not in known.dark}
    rejected = (*known.rejected, known.lamps)
    afresh = replace(begun(known.profile), stage=Stage.LIGHTS, stuck=known.stuck, trials=trials)
    return _on_from_lights(replace(afresh, rejected=rejected, lines_fail=True))


def result(known: Known) -> Profile:
    """The board as it was learnt; what nobody could learn is as in the plan, or what is left."""
    profile, lamps = known.profile, known.profile.lamps
    if lamps is None:
        return replace(profile, layout=Layout(_switches(known), direct(profile.grid).lamps))
    if isinstance(lamps, Ws2812):
        lamps = replace(lamps, count=max(known.lamps.values()) + 1)
    return replace(profile, layout=Layout(_switches(known), known.lamps), lamps=lamps)


def _switches(known: Known) -> Numbers:
    profile = known.profile
    sure = {cell: bits(mask)[0] for cell, mask in known.closes.items() if len(bits(mask)) == 1}
    among = {cell: bits(mask) for cell, mask in known.closes.items() if len(bits(mask)) > 1}
    guesses = chain(likely(profile.grid, profile.layout.switches), _whole(known, by_lines(profile.grid, sure), sure))
    planned = [profile.layout.switches[cell] for cell in profile.grid.cells if cell not in sure]
    spare = dict.fromkeys((*planned, *range(_switch_count(profile))))
    return completed(profile.grid, sure, among, guesses, tuple(spare))


def _whole(known: Known, lines: Numbers, sure: Numbers) -> Iterator[Numbers]:
    """What rows and columns give, or the plan changed where that is certain, as far as they number every cell."""
    cells, there = known.profile.grid.cells, range(_switch_count(known.profile))
    patched = {**known.profile.layout.switches, **sure}
    for numbers in (lines, patched):
        if len(numbers) == len(cells) == len(set(numbers.values())) and all(each in there for each in numbers.values()):
            yield numbers


def summary(known: Known) -> tuple[str, ...]:
    """What was learnt, in sentences."""
    plan, real = known.profile, result(known)
    said = [_compared(plan, "switches", plan.layout.switches, real.layout.switches)]
    if plan.lamps:
        said.append(_compared(plan, "lamps", plan.layout.lamps, real.layout.lamps))
    return (*said, *_faults(known, real))


def _compared(plan: Profile, what: str, planned: Numbers, real: Numbers) -> str:
    difference = differs(plan.grid, planned, real)
    return f"The {what}: {difference}." if difference else f"The {what} are as {plan.name} says."


def _faults(known: Known, real: Profile) -> Iterator[str]:
    """What has to be mended."""
    for number in bits(known.stuck):
        yield f"{_switch(known, number)} is closed all the time."
    for cell in known.profile.grid.cells:
        mask, number = known.closes.get(cell, 0), real.layout.switches[cell]
        if cell in known.skipped:
            yield f"{cell} was left out; {_switch(known, number)} is taken to be its."
        elif not mask:
            yield f"{cell}: no switch closes; {_switch(known, number)} is taken to be its."
        elif len(bits(mask)) > 1:
            yield f"{cell}: {listed(_switch(known, each) for each in bits(mask))} close together; are they joined?"
        if known.profile.lamps and known.lamps[cell] in known.dark:
            yield f"{cell}: its lamp, {known.lamps[cell]}, stays dark."


# ---------------------------------------------------------------------------------------------- words


def bits(mask: int) -> list[int]:
    """The numbers in a mask, lowest first."""
    found: list[int] = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


def _switch(known: Known, number: int) -> str:
    """A switch by its number and where its wires go."""
    reader = known.profile.reader
    if isinstance(reader, Expander):
        return f"switch {number} (chip {reader.addresses[number // 16]:#x}, bit {number % 16})"
    matrix, chip = reader.matrix, "GP" if isinstance(reader, Pico) else "BCM "
    row, column = divmod(number, len(matrix.columns))
    return f"switch {number} ({chip}{matrix.rows[row]} and {chip}{matrix.columns[column]})"


def _capital(said: str) -> str:
    """With a capital, but for the name of a cell."""
    return f"{said[0].upper()}{said[1:]}" if said.startswith(("switch", "lamp")) else said


def _switch_count(profile: Profile) -> int:
    return profile.reader.count if isinstance(profile.reader, Expander) else profile.reader.matrix.count


def _progress(known: Known, done: Iterable[object]) -> str:
    return f"{len(list(done)) + 1} of {len(known.profile.grid.cells)}"


_ASKED: Mapping[Stage, Callable[[Known], Question]] = MappingProxyType(
    {
        Stage.CLEAR: _ask_to_clear,
        Stage.COLOURS: _ask_for_colours,
        Stage.PICTURE: _ask_for_the_picture,
        Stage.LIGHTS: _ask_for_a_light,
        Stage.PLACES: _ask_for_a_place,
        Stage.CELLS: _ask_for_a_cell,
        Stage.KEEP: _ask_to_keep,
    }
)
_HEARD: Mapping[Stage, Callable[[Known, Answer], Known]] = MappingProxyType(
    {
        Stage.CLEAR: _cleared,
        Stage.COLOURS: _coloured,
        Stage.PICTURE: _pictured,
        Stage.LIGHTS: _lit,
        Stage.PLACES: _put,
        Stage.CELLS: _closed,
        Stage.KEEP: _kept,
    }
)
