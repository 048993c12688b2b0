"""Who sits where: players as a choice, as a board calls them, and as the tags of a record tell.

    seat        called               tags of a record
    person      their own name       White "Ada"
    computer-3  Computer, level 3    White "Computer, level 3"    WhiteType "program"
    engine-x    x                    White "x"                    WhiteType "program"

So a game that was interrupted goes on with whoever played it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from reedlight.core.game import BadOption, Game, Side
from reedlight.session.settings import PERSON, Seat, seat

UNNAMED = "Person"
"""What a person is called who gives no name."""
LONGEST_NAME = 24
TYPE = "Type"
"""What is added to a side's tag for the tag of what sits there."""
PROGRAM = "program"
_LEVEL = re.compile(r"Computer, level ([1-6])")


def called(sitting: Seat, name: str) -> str:
    """What whoever sits there is called; a person by a name of their own."""
    if sitting.engine:
        return sitting.engine
    return f"Computer, level {sitting.level}" if sitting.level else name


def tags(game: Game[Any], seats: Mapping[Side, Seat], names: Mapping[Side, str]) -> dict[str, str]:
    """Who plays, as the tags of a record."""
    who = {colour: called(seats.get(side, PERSON), names[side]) for side, colour in game.sides.items()}
    programs = [colour for side, colour in game.sides.items() if not seats.get(side, PERSON).is_person]
    return who | {f"{colour}{TYPE}": PROGRAM for colour in programs}


def seats_in(game: Game[Any], told: Mapping[str, str]) -> dict[Side, Seat]:
    """Who sat where, by the tags of a record; a person where they do not say."""
    return {side: _seat(told, colour) for side, colour in game.sides.items()}


def names_in(game: Game[Any], told: Mapping[str, str]) -> dict[Side, str]:
    """What persons are called, by the tags of a record."""
    programs = {side for side, each in seats_in(game, told).items() if not each.is_person}
    return {
        side: UNNAMED if side in programs else (told.get(colour) or UNNAMED)[:LONGEST_NAME]
        for side, colour in game.sides.items()
    }


def _seat(told: Mapping[str, str], colour: str) -> Seat:
    if told.get(f"{colour}{TYPE}") != PROGRAM:
        return PERSON
    name = told.get(colour, "")
    level = _LEVEL.fullmatch(name)
    try:
        return seat(f"computer-{level[1]}" if level else f"engine-{name}")
    except BadOption:
        return PERSON
