"""Checks of the lamps, which a person has to look at: they cannot be asked.

    colours    all lamps red, then green: an order of channels in which a lamp takes them
    dark       all lamps at once: one that is dark, and a string that ends, and a chip's line that is off
    order      one lamp at a time: is it under the cell that the profile says
    dice       two numbers, which tell the dice apart

A lamp that is asked about glows at a third of full.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from reedlight.app.checks.finding import Finding, Outcome, Unasked, Well, Wrong, named, outcome
from reedlight.app.checks.moved import by_place
from reedlight.app.checks.visit import GLOW, Visit, cells_in
from reedlight.board.geometry import rows_of
from reedlight.board.kinds import counted, listed
from reedlight.board.profile import DiceDigits, DiceModules, DiceOnBoard, Lamps, Profile, Ws2812
from reedlight.core.game import Die
from reedlight.core.grid import Cell
from reedlight.scene.palette import Colour

NONE = "none"
"""What is typed where nothing shines."""
ALL = "all"
"""What is typed for every cell."""
_DIGITS = 8
_SEGMENTS = ("G", "F", "E", "D", "C", "B", "A", "DP")


def has_lamps(profile: Profile) -> bool:
    """Whether a board has lamps."""
    return profile.lamps is not None


def has_colours(profile: Profile) -> bool:
    """Whether a board's lamps have colours."""
    return isinstance(profile.lamps, Ws2812)


def shine(visit: Visit) -> str:
    """A need: the lamps of the board can be lit."""
    lamps = visit.profile.lamps
    return visit.unwritten(lamps.spi) if lamps else ""


def dice_shine(visit: Visit) -> str:
    """A need: the dice can be lit."""
    dice = visit.profile.dice
    return visit.unwritten(dice.spi) if isinstance(dice, DiceModules | DiceDigits) else ""


# ------------------------------------------------------------------------------------------- colours

_CHANNELS = {
    "R": ("red", Colour(GLOW.red, 0, 0)),
    "G": ("green", Colour(0, GLOW.red, 0)),
    "B": ("blue", Colour(0, 0, GLOW.red)),
}
_LETTERS = {name: letter for letter, (name, _) in _CHANNELS.items()} | {letter.lower(): letter for letter in _CHANNELS}


def colours(visit: Visit) -> Outcome:
    """Red lamps are red, and green ones green."""
    string = visit.profile.lamps
    assert isinstance(string, Ws2812)  # noqa: S101  # the check is about such boards alone
    seen = {letter: _colour_seen(visit, letter) for letter in "RG"}
    if set(seen.values()) == {NONE}:
        return Unasked("no lamp shines; see the next check")
    if any(colour not in _LETTERS for colour in seen.values()):
        return Wrong(
            (
                Finding(
                    f"The lamps show {seen['R']} for red and {seen['G']} for green.",
                    "The string's lamps have four channels (RGBW), or the data comes to them broken.",
                    "Take lamps with three channels; measure the level shifter's output: over 4.4 V when high.",
                ),
            )
        )
    wired = _order(string.order, {letter: _LETTERS[colour] for letter, colour in seen.items()})
    if wired == string.order:
        return Well(f"red is red and green is green: {wired}")
    return Wrong(
        (
            Finding(
                f"The lamps show {seen['R']} for red and {seen['G']} for green.",
                f"They take their channels in another order than {string.order}, which the profile says.",
                f'Write colours = "{wired}" under [lamps] in the profile.'
                if wired
                else "Look again; no order of three channels gives these colours.",
            ),
        )
    )


def _colour_seen(visit: Visit, letter: str) -> str:
    _, colour = _CHANNELS[letter]
    visit.bench.show(dict.fromkeys(range(visit.bench.lamp_count), colour))
    typed = visit.ask("Which colour do the lamps show: red, green, blue, none or several?")
    visit.glow()
    return typed or NONE


def _order(said: str, seen: Mapping[str, str]) -> str:
    """The order in which lamps take what was sent in the order that the profile says; empty if there is none."""
    places = {said.index(letter): colour for letter, colour in seen.items()}
    (free,) = {0, 1, 2} - set(places)
    (left, *others) = set(_CHANNELS) - set(places.values())
    if others:
        return ""
    whole = places | {free: left}
    return "".join(whole[place] for place in sorted(whole))


# ---------------------------------------------------------------------------------------------- dark


def dark(visit: Visit) -> Outcome:
    """Every lamp shines."""
    lamps, driver = visit.profile.layout.lamps, visit.profile.lamps
    assert driver is not None  # noqa: S101  # the check is about such boards alone
    visit.bench.show(dict.fromkeys(range(visit.bench.lamp_count), GLOW))
    typed = visit.ask("Every lamp should shine. Type the cells that are dark, or all, or Enter if none is.")
    visit.glow()
    found = tuple(lamps) if typed == ALL else cells_in(typed, visit.profile)
    if len(found) == len(lamps):
        return Wrong((_all_dark(driver),))
    by_number = sorted(found, key=lambda cell: lamps[cell])
    findings = _dark_on_a_string(by_number, lamps) if isinstance(driver, Ws2812) else _dark_on_chips(by_number, lamps)
    return outcome(tuple(findings), f"{counted(len(lamps), 'lamp')}, all of them shine")


_DATA_PINS = {0: "GPIO10", 1: "GPIO20"}
"""For each SPI bus the pin that its data leaves by."""


def _all_dark(lamps: Lamps) -> Finding:
    first = "lamp" if isinstance(lamps, Ws2812) else "chip"
    return Finding(
        "No lamp shines.",
        f"The lamps have no 5 V, or the data does not reach the first {first}.",
        f"Measure 5 V at the first {first}; follow the data wire to it, from {_DATA_PINS[lamps.spi.bus]} through the "
        "level shifter.",
    )


def _dark_on_a_string(dark: Sequence[Cell], lamps: Mapping[Cell, int]) -> Iterator[Finding]:
    numbers = [lamps[cell] for cell in dark]
    last = max(lamps.values())
    tail = [number for number in numbers if set(range(number, last + 1)) & set(lamps.values()) <= set(numbers)]
    if len(tail) > 1:
        owner = {number: cell for cell, number in lamps.items()}
        before = owner[max(number for number in owner if number < tail[0])]
        yield Finding(
            f"The string is dark from {owner[tail[0]]} on, its lamp {tail[0]}.",
            f"The data from {before} does not arrive there: a joint, or one of these two lamps.",
            f"Solder the data wire from {before} to {owner[tail[0]]} anew; then take another lamp for each in turn.",
        )
        dark = [cell for cell in dark if lamps[cell] < tail[0]]
    if dark:
        yield _single(dark, "The lamp is broken; its data still passes.")


def _dark_on_chips(dark: Sequence[Cell], lamps: Mapping[Cell, int]) -> Iterator[Finding]:
    left = set(dark)
    for group, name in _chip_lines(lamps):
        if len(group) > 1 and group <= left:
            yield Finding(
                f"The lamps of {name} are all dark ({named([cell for cell in lamps if cell in group])}).",
                "The wire of this line is off.",
                f"Solder the wire from {name} anew.",
            )
            left -= group
    if left:
        yield _single(
            [cell for cell in dark if cell in left], "The lamp is broken, the wrong way round, or a joint is open."
        )


def _chip_lines(lamps: Mapping[Cell, int]) -> Iterator[tuple[set[Cell], str]]:
    """The lamps of every digit and every segment of every chip, and what it is called."""
    for chip in sorted({number // 64 for number in lamps.values()}):
        for at in range(_DIGITS):
            yield {cell for cell, number in lamps.items() if number // 8 == 8 * chip + at}, f"chip {chip}, DIG{at}"
        for at, segment in enumerate(_SEGMENTS):
            here = {cell for cell, number in lamps.items() if number // 64 == chip and number % 8 == at}
            yield here, f"chip {chip}, SEG {segment}"


def _single(dark: Sequence[Cell], cause: str) -> Finding:
    what = f"The lamp of {dark[0]} is" if len(dark) == 1 else f"The lamps of {named(dark)} are"
    return Finding(f"{what} dark.", cause, "Look at its joints, then take another lamp.")


# --------------------------------------------------------------------------------------------- order


def order(visit: Visit) -> Outcome:
    """A lamp that is lit is under its cell."""
    profile = visit.profile
    seen: dict[Cell, Cell | None] = {}
    asked = _askew(profile)
    for number, cell in enumerate(asked, 1):
        visit.glow([cell])
        typed = visit.ask(f"{number} of {len(asked)}: one lamp shines. Which cell is it in? Enter if none.")
        cells = cells_in(typed, profile)
        if len(cells) == 1:
            seen[cell] = cells[0]
    visit.glow()
    wrong = {cell: there for cell, there in seen.items() if there != cell}
    if not seen:
        return Unasked("no lamp was seen")
    if not wrong:
        return Well(f"{counted(len(seen), 'lamp')} tried, each where it should be")
    return Wrong((by_place(profile.grid, seen, "lamps", "[lamps]") or _line_by_line(profile, seen, wrong),))


def _askew(profile: Profile) -> tuple[Cell, ...]:
    """A few cells: the corner, one beside it, one above it, and the ends of two other rows."""
    rows = rows_of(profile.grid)
    chosen = [
        rows[0][0],
        rows[0][min(1, len(rows[0]) - 1)],
        rows[min(1, len(rows) - 1)][0],
        rows[len(rows) // 2][-1],
        rows[-1][0],
    ]
    return tuple(dict.fromkeys(chosen))


def _line_by_line(profile: Profile, seen: Mapping[Cell, Cell | None], wrong: Mapping[Cell, Cell | None]) -> Finding:
    """Rows that run the other way, or else what was seen."""
    rows = rows_of(profile.grid)
    back = {cell: row[-1 - at] for row in rows for at, cell in enumerate(row)}
    if all(there in (cell, back[cell]) for cell, there in seen.items()):
        return Finding(
            f"Some rows of lamps run the other way: {_told(wrong)}.",
            "The string goes to and fro where the profile has it begin anew in each row, or the other way about.",
            'Write order = "serpentine" in place of "rows" under [lamps] in the profile, or the other way about.',
        )
    return Finding(
        f"Lamps shine in other cells: {_told(wrong)}.",
        "The string or the chips are wired in another order than the profile says.",
        "Have the order learnt: reedlight wire.",
    )


def _told(wrong: Mapping[Cell, Cell | None]) -> str:
    return listed(f"that of {cell} in {there}" for cell, there in wrong.items())


# ---------------------------------------------------------------------------------------------- dice

SHOWN = (5, 2)
"""Two numbers that no broken segment or half of a module takes for each other."""


def has_dice(profile: Profile) -> bool:
    """Whether a board has a display for its dice."""
    return profile.dice is not None and not isinstance(profile.dice, DiceOnBoard)


def dice(visit: Visit) -> Outcome:
    """The dice show what they should, each on its own."""
    visit.bench.show(dice=tuple(Die(pips, spent=False, note="") for pips in SHOWN))
    typed = visit.ask("What do the two dice show, the left one first? Type two numbers, 0 for one that is dark.")
    visit.glow()
    seen = tuple(int(number) for number in re.findall(r"\d", typed))
    if seen == SHOWN:
        return Well("5 and 2, as they should")
    return Wrong((_wrong_dice(seen),))


def _wrong_dice(seen: tuple[int, ...]) -> Finding:
    if seen == SHOWN[::-1]:
        return Finding(
            "The two dice are exchanged.",
            "The first of the chain is the right one.",
            "Exchange them, or mount the display the other way round.",
        )
    if not any(seen):
        return Finding(
            "The dice are dark.",
            "They have no 5 V, or the data does not reach them.",
            "Measure 5 V there, then follow DIN, CLK and LOAD through the level shifter.",
        )
    return Finding(
        f"The dice show {listed(seen)} instead of {listed(SHOWN)}.",
        "A wire of a segment or of the chain is off, or the chip is another one than the profile says.",
        "Solder its joints anew; look at chip and digits under [dice] in the profile.",
    )
