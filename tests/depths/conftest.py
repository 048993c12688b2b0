"""The three depths, for the tests to put any game on any board at; MicroPython where one of them needs it."""

from __future__ import annotations

import os

import pytest
from depths.sitting import DEPTHS

from reedlight_sim.pico import NoMicroPython, micropython


@pytest.fixture(scope="session")
def interpreter() -> str:
    """The command of MicroPython. The build machine must have it; elsewhere the tests are skipped without."""
    try:
        return micropython()
    except NoMicroPython as missing:
        if os.environ.get("CI"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))


@pytest.fixture(params=DEPTHS)
def depth(request: pytest.FixtureRequest) -> str:
    """Each depth in turn, by its name."""
    name: str = request.param
    if name == "firmware":
        request.getfixturevalue("interpreter")
    return name
