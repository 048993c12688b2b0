"""Boards: the ones that this folder tells how to build, each with everything that its files are made of."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.generator.circuit import Circuit
from hardware.generator.parts import Parts, load
from hardware.generator.plan import Plan, plan_of
from hardware.generator.wiring import circuit_of
from reedlight.board.profile import Profile
from reedlight.board.toml import load_packaged

BOARDS = ("oak-8x8", "budget-8x8", "hex-61")
"""The packaged profiles that files are made for; one that hangs on expanders has no matrix to draw."""


@dataclass(frozen=True, slots=True)
class Board:
    """One board, from its cells to its wires."""

    profile: Profile
    plan: Plan
    circuit: Circuit
    parts: Parts


def board_of(name: str, parts: Parts | None = None) -> Board:
    """A board by the name of its packaged profile. Raises ConfigError for another name."""
    return built(load_packaged(name), parts or load())


def built(profile: Profile, parts: Parts) -> Board:
    """The board of a profile."""
    plan = plan_of(profile, parts)
    return Board(profile, plan, circuit_of(profile, plan, parts), parts)
