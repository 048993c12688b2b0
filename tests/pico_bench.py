"""A Pico on the bench: a simulated matrix of reeds in a file, and a person at a terminal of the firmware."""

from __future__ import annotations

import importlib.util
import os
import select
import subprocess
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from reedlight_sim import pico
from reedlight_sim.pico import SimulatedPico

FIRMWARE = Path(__file__).parents[1] / "firmware"
MACHINE = Path(pico.__file__).parent / "pico_machine"
SERIAL = "e6614c311b867b2f"
PATIENCE_S = 60  # how long a line may take on a busy machine before a test calls it missing


class Bench:
    """A matrix on the bench: wires in a file, and the ``machine`` that reads them, in this Python."""

    def __init__(self, folder: Path, rows: int, columns: int) -> None:
        self.rows = rows
        self.columns = columns
        self.wires = folder / "wires"
        self.lamps = folder / "lamps"
        self.row_pins = list(range(rows))
        self.column_pins = list(range(rows, rows + columns))
        self.button_pins = (26, 27, 255, 28)
        self.lamp_pins = (21, 22, 255, 255)
        self._machine: ModuleType | None = None
        self.rewire()

    @property
    def environment(self) -> dict[str, str]:
        """What tells ``machine`` where the files are."""
        return {"REEDLIGHT_WIRES": str(self.wires), "REEDLIGHT_LAMPS": str(self.lamps)}

    def rewire(
        self,
        closed: int = 0,
        *,
        turned: int = 0,
        bridged: int = 0,
        nets: dict[int, int] | None = None,
        down: int = 0,
    ) -> None:
        """Write the wires anew: masks of reeds, nets by line, the mask of buttons."""
        size = (self.rows * self.columns + 7) // 8
        net = bytearray(self.rows + self.columns)
        for line, number in (nets or {}).items():
            net[line] = number
        head = bytes((self.rows, self.columns, *self.row_pins, *self.column_pins, *self.button_pins, *self.lamp_pins))
        masks = b"".join(mask.to_bytes(size, "little") for mask in (closed, turned, bridged))
        self.wires.write_bytes(head + bytes.fromhex(SERIAL) + masks + net + bytes((down,)))

    def machine(self) -> ModuleType:
        """The simulated ``machine``, made anew with what the files say now; the last one is closed."""
        self.close()
        spec = importlib.util.spec_from_file_location("simulated_machine", MACHINE / "machine.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        with pytest.MonkeyPatch.context() as patch:
            for name, value in self.environment.items():
                patch.setenv(name, value)
            spec.loader.exec_module(module)
        self._machine = module
        return module

    def close(self) -> None:
        """Let the machine's files go."""
        if self._machine is not None:
            self._machine.WIRES.close()
            self._machine = None


class Terminal:
    """A person at a terminal: types lines with the right check, and reads what comes."""

    def __init__(self, board: SimulatedPico) -> None:
        self.board = board
        self.broken = 0
        self.sit_down()

    def sit_down(self) -> None:
        """Open the port, with nothing read yet."""
        self._file = os.open(self.board.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._rest = b""
        self._lines: list[tuple[int, str]] = []

    def close(self) -> None:
        """Leave."""
        os.close(self._file)

    def type(self, raw: bytes) -> None:
        """Send these bytes, however long the board takes to hear them."""
        while raw:
            _, ready, _ = select.select([], [self._file], [], PATIENCE_S)
            assert ready, "the board hears nothing any more"
            raw = raw[os.write(self._file, raw) :]

    def ask(self, text: str) -> None:
        """Send a line."""
        self.type(f"{text}*{zlib.crc32(text.encode()):08x}\n".encode())

    def read(self) -> tuple[int, str]:
        """The next right line: its number, and the rest without number and check."""
        while not self._lines:
            ready, _, _ = select.select([self._file], [], [], PATIENCE_S)
            assert ready, f"the board says nothing any more; {self.board.errors}"
            *lines, self._rest = (self._rest + os.read(self._file, 65536)).split(b"\n")
            for line in lines:
                self._take(line)
        return self._lines.pop(0)

    def wait_for(self, kind: str) -> str:
        """The next line of this type."""
        return self._first(lambda text: text.split(" ")[0] == kind, kind)

    def wait_until(self, text: str) -> None:
        """Read until the board says just this."""
        self._first(lambda said: said == text, text)

    def answer(self, question: str, kind: str, count: int = 1) -> list[str]:
        """Ask, and read so many lines of the type that answers it."""
        self.ask(question)
        return [self.wait_for(kind) for _ in range(count)]

    def _first(self, wanted: Callable[[str], bool], called: str) -> str:
        patience = time.monotonic() + PATIENCE_S
        while time.monotonic() < patience:
            _, text = self.read()
            if wanted(text):
                return text
        raise AssertionError(f"the board did not say: {called}")

    def _take(self, line: bytes) -> None:
        text, _, check = line.partition(b"*")
        if line and check != b"%08x" % zlib.crc32(text):
            self.broken += 1
        elif line:
            kind, number, *fields = text.decode().split(" ")
            self._lines.append((int(number), " ".join((kind, *fields))))


MakeBench = Callable[[int, int], Bench]
MakeTerminal = Callable[..., Terminal]
RunScript = Callable[..., subprocess.CompletedProcess[bytes]]
