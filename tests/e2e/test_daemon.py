"""``reedlight run`` as a board's owner has it: a process, a page in a real Chromium, the Pico's real firmware.

Without hardware it runs as it is installed. With hardware the board's pins and bus are simulated in its
process, and the Pico is a process of its own, whose cable can be pulled.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer

import pytest
from e2e.conftest import QUICK
from e2e.guest import Guest
from playwright.sync_api import Browser

from reedlight.board.fit import fit
from reedlight.board.profile import Pico
from reedlight.board.toml import load_packaged, packaged_text
from reedlight.core.grid import Cell, Cells
from reedlight.games import make
from reedlight_sim.pico import NoMicroPython, SimulatedPico, micropython

pytestmark = pytest.mark.browser

COMMAND = str(Path(sys.executable).with_name("reedlight"))
SECONDS_TO_STOP = 10.0
PATIENCE = 60.0
"""Seconds until a line that should be in the log counts as never coming."""
REPLUGGED = 20.0
"""Seconds until a Pico that was plugged in again has started and been found; it needs three."""
NOT_THE_BOARDS = "00000000"
"""A serial number that no Pico has."""

# The daemon on a simulated machine, with a Pico at the end of a path. Its status tells of a lamp that is still lit.
ON_A_SIMULATED_MACHINE = """
import sys
from pathlib import Path
from reedlight.adapters.service import log_to
from reedlight.app import config, daemon
from reedlight_sim.hardware import Simulated

chosen = config.load(Path(sys.argv[1]))
devices = Simulated(chosen.board, int)
log_to()
status = daemon.serve(chosen, devices.machine(lambda serial: sys.argv[2]))
sys.exit(status or (3 if devices.lamps() else 0))
"""
# It says on standard error what there is when it says that it is ready.
SAYS_WHAT_THERE_IS = """
import asyncio, sys
from pathlib import Path
from reedlight.app import config, daemon
from reedlight_sim.hardware import Simulated

chosen = config.load(Path(sys.argv[1]))
devices = Simulated(chosen.board, int)

def tell(*facts):
    frame = any(node.transfers for node in devices.nodes.values())
    print(*facts, "frame:", frame, "server:", "aiohttp" in sys.modules, file=sys.stderr)

asyncio.run(daemon.Daemon(chosen, devices.machine(str), tell).run())
"""
OF_A_SERVICE = frozenset(("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "JOURNAL_STREAM"))


class Running:
    """A daemon in a process of its own, which keeps its games in a folder."""

    def __init__(self, folder: Path, *command: str, **service: str) -> None:
        environment = {name: value for name, value in os.environ.items() if name not in OF_A_SERVICE}
        self.said: list[str] = []
        self._process = subprocess.Popen(  # noqa: S603  # the project's own program
            command, stderr=subprocess.PIPE, text=True, env=environment | {"STATE_DIRECTORY": str(folder)} | service
        )

    def until_it_says(self, pattern: str) -> re.Match[str]:
        """Read its log as far as a line in which this is found."""
        assert self._process.stderr is not None
        patience = Timer(PATIENCE, self._process.kill)
        patience.start()
        try:
            for line in self._process.stderr:
                self.said.append(line)
                if found := re.search(pattern, line):
                    return found
        finally:
            patience.cancel()
        raise AssertionError(f"{pattern!r} is not in {self.said}")

    def stop(self) -> int:
        """End it as a service manager does, and read its log to the end; its status. It has two seconds."""
        self._process.send_signal(signal.SIGTERM)
        try:
            _, rest = self._process.communicate(timeout=SECONDS_TO_STOP)
        except subprocess.TimeoutExpired:
            self._process.kill()
            _, rest = self._process.communicate()
        self.said += rest.splitlines(keepends=True)
        return self._process.returncode


Start = Callable[..., Running]
Open = Callable[[str], Guest]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a daemon; when the test is over it must end as it should, with all lamps dark."""
    running: list[Running] = []

    def started(*command: str) -> Running:
        running.append(Running(tmp_path, *command))
        return running[-1]

    yield started
    ends = [(each.stop(), each.said[-1:]) for each in running]
    assert all(status == 0 and last[0].endswith("stopped\n") for status, last in ends), ends


@pytest.fixture
def open_page(browser: Browser, start: Start) -> Iterator[Open]:  # noqa: ARG001  # pages close before their servers
    """Opens a page; when the test is over, nothing was wrong with it."""
    guests: list[Guest] = []

    def opened(url: str) -> Guest:
        guest = Guest(browser.new_context(**QUICK).new_page())
        guests.append(guest)
        guest.page.on("pageerror", lambda error: guest.complaints.append(str(error)))
        guest.page.on("console", lambda said: guest.complaints.append(said.text) if said.type == "error" else None)
        guest.page.goto(url)
        guest.until(lambda seen: bool(seen.places) and "onnecting" not in seen.link, "the board")
        return guest

    yield opened
    for guest in guests:
        guest.page.context.close()
    complaints = [complaint for guest in guests for complaint in guest.complaints]
    assert not complaints, complaints


def configured(folder: Path, text: str) -> str:
    """The path of a configuration whose page is anywhere."""
    file = folder / "reedlight.toml"
    file.write_text(f"{text}\n[page]\nport = 0\n")
    return str(file)


def with_the_pico(serial: str, folder: Path) -> str:
    """The oak board with this Pico and no other, as a file of the folder."""
    file = folder / "mine.toml"
    file.write_text(packaged_text("oak-8x8").replace('by = "pico"', f'by = "pico"\nserial = "{serial}"', 1))
    return file.name


# ------------------------------------------------------------------------------------ without hardware


def test_without_hardware_it_says_what_is_missing_and_is_played_by_buttons_on_the_page(
    tmp_path: Path, start: Start, open_page: Open
) -> None:
    board = with_the_pico(NOT_THE_BOARDS, tmp_path)
    text = f'[board]\nprofile = "{board}"\n[game]\nname = "diablo"\nsize = "4"\n'
    running = start(COMMAND, "run", "--config", configured(tmp_path, text))
    guest = open_page(running.until_it_says(r"page url=(\S+)")[1])
    troubles = [line for line in running.said if " WARNING " in line]
    assert troubles
    assert all(re.search(r' WARNING trouble what="[A-Z][^"]+\."\n', line) for line in troubles), troubles
    assert any(NOT_THE_BOARDS in line or "No Pico" in line for line in troubles), troubles
    seen = guest.says("Set up the board")
    assert "Pico" in seen.link
    guest.page.locator('[data-button="go"]').focus()
    guest.type("Shift+G")
    guest.says("Black: press GO to roll.")
    guest.press("go")
    guest.says("Black: move a stack")
    guest.press("next")
    guest.until(lambda seen: bool(seen.answers), "a question")
    while not guest.look().actions:
        before = guest.look()
        guest.press("go")
        guest.until(lambda seen, before=before: seen.say != before.say or bool(seen.actions), "the next question")
    assert guest.says("Green: press GO to roll.").actions


def test_a_service_manager_hears_that_it_is_ready_alive_and_stopping(tmp_path: Path) -> None:
    path = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.settimeout(PATIENCE)
        manager.bind(path)
        file = configured(tmp_path, '[board]\nprofile = "budget-8x8"\n')
        running = Running(tmp_path, COMMAND, "run", "--config", file, NOTIFY_SOCKET=path, WATCHDOG_USEC="1500000")
        heard = [manager.recv(100) for _ in range(4)]
        assert running.stop() == 0
        while heard[-1] != b"STOPPING=1":
            heard.append(manager.recv(100))
    assert heard.count(b"READY=1") == 1
    assert heard.count(b"WATCHDOG=1") == len(heard) - 2


def test_a_wrong_configuration_is_one_sentence_and_status_2(tmp_path: Path) -> None:
    file = configured(tmp_path, '[board]\nprofile = "oak-8x9"\n')
    ended = subprocess.run(  # noqa: S603  # the project's own program
        [COMMAND, "run", "--config", file], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.startswith(f"reedlight: {file}: board.profile: there is no board 'oak-8x9'; there are ")
    assert ended.stderr.count("\n") == 1


def test_the_first_frame_is_out_before_the_server_is_so_much_as_loaded(tmp_path: Path) -> None:
    file = configured(tmp_path, '[board]\nprofile = "budget-8x8"\n')
    running = Running(tmp_path, sys.executable, "-c", SAYS_WHAT_THERE_IS, file)
    running.until_it_says("READY=1 frame: True server: False\n")
    assert running.stop() == 0


# --------------------------------------------------------------------------------- the real firmware


@pytest.fixture
def pico() -> Iterator[SimulatedPico]:
    """The oak board's Pico. The build machine must have MicroPython; elsewhere the test is skipped without."""
    try:
        micropython()
    except NoMicroPython as missing:
        if os.environ.get("CI"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))
    reader = load_packaged("oak-8x8").reader
    assert isinstance(reader, Pico)
    with SimulatedPico(reader.matrix.rows, reader.matrix.columns) as simulated:
        yield simulated


def test_a_cable_that_is_pulled_in_mid_game_costs_nothing(
    tmp_path: Path, start: Start, open_page: Open, pico: SimulatedPico
) -> None:
    text = '[board]\nprofile = "oak-8x8"\n[game]\nname = "draughts"\n'
    game = make("draughts")
    layout, cells = fit(game.grid, load_packaged("oak-8x8")), game.start().occupancy()

    def stand(changed: str = "") -> Cells:
        """Lift and set down what is told as ``-c3 +d4``; where pieces stand now."""
        after = cells ^ {Cell(edge[1:]) for edge in changed.split()}
        pico.close_switches(layout.mask_of(after))
        return after

    stand()
    running = start(sys.executable, "-c", ON_A_SIMULATED_MACHINE, configured(tmp_path, text), pico.path)
    guest = open_page(running.until_it_says(r"page url=(\S+)")[1])
    guest.until(lambda seen: seen.link == "Board connected", "connection", patience=REPLUGGED)
    guest.says("The board is ready.", "Press GO to begin.")
    guest.begin()
    cells = stand("-c3 +d4")
    guest.counts("c3-d4")
    stand("-b6")
    guest.lights("source", "b6")

    pico.unplug()
    guest.until(lambda seen: seen.link != "Board connected", "word of the lost board")
    running.until_it_says("WARNING trouble")
    stand("-b6 +a5")
    pico.plug()
    guest.until(lambda seen: seen.link == "Board connected", "connection", patience=REPLUGGED)
    running.until_it_says("INFO mended")

    guest.counts("c3-d4", "b6-a5")
    cells = stand("-b6 +a5")
    stand("-d4")
    guest.lights("source", "d4")
    assert pico.errors == ""
