"""The scene: everything a person at the board is shown at one moment, and why.

A *mark* says why a cell is lit; ``palette`` says how a mark looks, ``render`` turns a scene into a
frame of lamps. The page draws the scene itself. A scene has no time in it: rhythms run by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from reedlight.core.game import Caption, Die
from reedlight.core.grid import Cell


class Mark(Enum):
    """Why a cell is lit."""

    MOVABLE = "movable"
    SOURCE = "source"
    TARGET = "target"
    MERGE = "merge"
    CAPTURE = "capture"
    TAKEN = "taken"
    REMOVE = "remove"
    CHOICE = "choice"
    LAST = "last"
    MISSING = "missing"
    EXTRA = "extra"
    FORBIDDEN = "forbidden"
    HINT = "hint"
    WINNER = "winner"

    __hash__ = object.__hash__
    """A mark equals itself alone; an Enum's own hash would be a call of Python code for every lamp of a frame."""


class Button(Enum):
    """The four buttons of the board."""

    GO = "go"
    NEXT = "next"
    BACK = "back"
    HINT = "hint"


class Lamp(Enum):
    """A button's own lamp: dark when pressing does nothing, blinking when pressing is what comes next."""

    OFF = "off"
    ON = "on"
    BLINK = "blink"


@dataclass(frozen=True, slots=True)
class Light:
    """One lit cell: its mark, and in a word or two what it means here (``merge, makes 6``)."""

    mark: Mark
    note: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to a question: its words, the cells that tell it from the others, whether GO takes it."""

    label: str
    cells: frozenset[Cell]
    chosen: bool


_NO_LIGHTS: Mapping[Cell, Light] = MappingProxyType({})
_NO_LAMPS: Mapping[Button, Lamp] = MappingProxyType(dict.fromkeys(Button, Lamp.OFF))


@dataclass(frozen=True, slots=True)
class Scene:
    """What is shown: lights on the cells, the sentence, the dice, the buttons' lamps, the open question."""

    caption: Caption
    lights: Mapping[Cell, Light] = field(default_factory=lambda: _NO_LIGHTS)
    dice: tuple[Die, ...] = ()
    lamps: Mapping[Button, Lamp] = field(default_factory=lambda: _NO_LAMPS)
    options: tuple[Option, ...] = ()
