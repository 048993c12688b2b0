"""The daemon on a simulated machine: its devices, its page, its service manager, in an event loop whose clock jumps.

    story ──pieces, fingers──► simulated pins, bus ◄──► Daemon ──READY, WATCHDOG──► told
          ◄──lamps, as read off the bus────────────┘       └──page──► a client

The seconds of a story pass at once. What is looked at is what people see: lamps, the page, the log.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import signal
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import jumping
import pytest
from aiohttp import ClientSession, ClientWebSocketResponse

from reedlight.adapters import gpio, luma_mono
from reedlight.adapters.spi import Bus, OpenBus
from reedlight.adapters.web.server import Page
from reedlight.app.config import read
from reedlight.app.daemon import AT_LEAST_EVERY, FAILED, PAGE_AGAIN, Daemon, serve
from reedlight.app.requests import Requests
from reedlight.board.fit import fit
from reedlight.board.profile import ConfigError, Spi
from reedlight.core.grid import Cell
from reedlight.games import make
from reedlight.ports import LinkLost
from reedlight.scene.scene import Button
from reedlight_sim.hardware import Simulated

SECONDS_TO_STOP = 2.0
FINGER = 0.12
"""Seconds for which a finger holds a button down."""
SETTLED = 1.5
"""Seconds after which nothing more comes of what a hand did."""
WATCHDOG = 10.0
PATIENCE = 60.0
"""Seconds of the story's own time until something that should happen counts as never happening."""
MANY = 100
"""Messages after which a page that should be at rest is called restless."""
ANYWHERE = 0
GO = Button.GO


class Watched(Daemon):
    """A daemon that can be looked into."""

    @property
    def requests(self) -> Requests:
        return self._requests

    @property
    def page(self) -> Page | None:
        return self._page


class WatchedBus:
    """A bus that knows how many of its devices are open."""

    def __init__(self, bus: OpenBus) -> None:
        self._bus = bus
        self.open_wires = 0

    def open(self, spi: Spi, clock: int) -> WatchedWire:
        wire = self._bus(spi, clock)
        self.open_wires += 1
        return WatchedWire(self, wire)


class WatchedWire:
    def __init__(self, bus: WatchedBus, wire: Bus) -> None:
        self.writebytes = wire.writebytes
        self._bus = bus
        self._wire = wire

    def close(self) -> None:
        self._bus.open_wires -= 1
        self._wire.close()


class Loop(jumping.JumpingLoop):
    """A loop whose clock also jumps where the program hangs."""

    def hang(self, seconds: float) -> None:
        self._jumping.now += seconds


def run(story: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=Loop) as runner:
        runner.run(story)


class Sitting:
    """A daemon on a simulated board, and the people at it."""

    def __init__(
        self,
        folder: Path,
        *,
        board: str = "budget-8x8",
        game: str = "draughts",
        port: int | None = None,
        guidance: str = "full",
    ) -> None:
        page = f"port = {port}" if port is not None else "served = false"
        self.config = read(
            f'[board]\nprofile = "{board}"\n[game]\nname = "{game}"\n[page]\n{page}\n'
            f'[play]\nguidance_light = "{guidance}"\nguidance_dark = "{guidance}"\n'
            f'[games]\nfile = "{folder / "games.db"}"\n',
            folder / "reedlight.toml",
        )
        self.closed = 0
        self.devices = Simulated(self.config.board, lambda: self.closed)
        self.told: list[tuple[float, str]] = []
        self.sent_when_told: list[int] = []
        """How much had been sent to the lamps each time."""
        machine = self.devices.machine(_no_pico)
        self.bus = WatchedBus(machine.bus)
        self.daemon = Watched(self.config, replace(machine, bus=self.bus.open), self._tell)
        self._layout = fit(self.config.choice.game.grid, self.config.board)

    def _tell(self, *facts: str) -> bool:
        now = asyncio.get_running_loop().time()
        self.told += [(now, each) for each in facts]
        self.sent_when_told.append(sum(node.transfers for node in self.devices.nodes.values()))
        return True

    # ------------------------------------------------------------------------------------- hands

    async def stand(self, cells: frozenset[Cell]) -> None:
        """Let pieces stand on these cells and no others."""
        self.closed = self._layout.mask_of(cells)
        await asyncio.sleep(SETTLED)

    async def press(self, button: Button) -> None:
        """Press a button of the board."""
        for down in (frozenset((button,)), frozenset[Button]()):
            self.devices.down = down
            await asyncio.sleep(FINGER)

    async def begin(self) -> None:
        """Set the pieces up and press GO."""
        await self.stand(self.config.choice.game.start().occupancy())
        await self.press(GO)

    async def move(self, origin: str, target: str) -> None:
        """Carry a piece from cell to cell."""
        self.closed ^= 1 << self._layout.switches[Cell(origin)]
        await asyncio.sleep(0.3)
        self.closed ^= 1 << self._layout.switches[Cell(target)]
        await asyncio.sleep(SETTLED)

    def unplug(self) -> None:
        """Pull every lamp off the bus."""
        for node in self.devices.nodes.values():
            node.present = False

    def plug(self) -> None:
        """Put them back."""
        for node in self.devices.nodes.values():
            node.present = True

    # ----------------------------------------------------------------------------------- looking

    @property
    def lit(self) -> set[str]:
        """The cells whose lamp shines."""
        shining = self.devices.lamps()
        return {str(cell) for cell, lamp in self._layout.lamps.items() if lamp in shining}

    async def lights(self, *cells: str) -> None:
        """Wait until exactly these cells shine, which may be dark for a moment in their rhythm."""
        await until(lambda: self.lit == set(cells), f"light under {cells}, only under {self.lit}")

    @property
    def signs(self) -> list[float]:
        """When the service manager was given signs of life."""
        return [at for at, each in self.told if each == "WATCHDOG=1"]

    @property
    def view(self) -> dict[str, Any]:
        """What the page is told."""
        return self.daemon.requests.view()

    @property
    def played(self) -> list[str]:
        return [turn["text"] for turn in self.view["turns"]]

    async def url(self) -> str:
        """Where the page is, once it is there."""
        await until(lambda: self.daemon.page is not None, "page")
        page = self.daemon.page
        assert page is not None
        return page.url

    @asynccontextmanager
    async def visitor(self) -> AsyncGenerator[Visitor]:
        """Somebody who has opened the page."""
        url = await self.url()
        async with ClientSession() as session, session.ws_connect(f"{url}ws", origin=url.rstrip("/")) as connection:
            yield Visitor(connection)


class Visitor:
    """An open page."""

    def __init__(self, connection: ClientWebSocketResponse) -> None:
        self._connection = connection

    async def ask(self, what: str, **more: Any) -> None:
        await self._connection.send_json({"do": what, **more})

    async def hears(self, kind: str = "view", **wanted: Any) -> dict[str, Any]:
        """The next message of a kind that has these particulars."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = cast("dict[str, Any]", await self._connection.receive_json())
                if message["type"] == kind and wanted.items() <= message.items():
                    return message

    async def reads_on(self) -> None:
        """Read until nothing has come for a while."""
        with contextlib.suppress(TimeoutError):
            for _ in range(MANY):
                await asyncio.wait_for(self._connection.receive(), SETTLED)
            pytest.fail("there is always something new")

    async def hears_nothing(self, seconds: float) -> None:
        """Make sure that nothing comes for so long."""
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(self._connection.receive(), seconds)


def _no_pico(_serial: str) -> str:
    raise LinkLost("No Pico is plugged in.")


async def until(condition: Callable[[], object], what: str) -> None:
    """Wait until something has happened."""
    loop = asyncio.get_running_loop()
    end = loop.time() + PATIENCE
    while not condition():
        assert loop.time() < end, f"no {what} after {PATIENCE} s"
        await asyncio.sleep(0.01)


def tell(sitting: Sitting, story: Callable[[Sitting], Awaitable[None]], end: signal.Signals = signal.SIGTERM) -> None:
    """Tell what people do while the daemon runs; then it is stopped."""

    async def told() -> None:
        running = asyncio.ensure_future(sitting.daemon.run())
        try:
            await until(lambda: (0.0, "READY=1") in sitting.told or running.done(), "readiness")
            if not running.done():
                await story(sitting)
        finally:
            if not running.done():
                os.kill(os.getpid(), end)
            await running

    run(told())


@pytest.fixture(autouse=True)
def no_service_manager(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "STATE_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "reedlight")
    return caplog


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service manager that wants a sign of life every WATCHDOG seconds."""
    monkeypatch.setenv("WATCHDOG_USEC", str(int(WATCHDOG * 1_000_000)))


async def nothing(_sitting: Sitting) -> None:
    """A story in which nobody does anything."""


# ------------------------------------------------------------------------------------------- at start


def test_the_first_frame_is_out_before_anybody_is_told_that_the_board_is_ready(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)

    async def story(sitting: Sitting) -> None:
        assert sitting.told == [(0.0, "READY=1")]
        assert sitting.sent_when_told[0] > 0
        assert sitting.daemon.page is None

    tell(sitting, story)


def test_a_game_is_played_on_the_board_alone(tmp_path: Path, log: pytest.LogCaptureFixture) -> None:
    async def story(sitting: Sitting) -> None:
        assert "c3" in sitting.lit, "where a man is missing"
        await sitting.begin()
        assert sitting.view["mode"] == "play"
        await sitting.lights("a3", "c3", "e3", "g3")
        await sitting.move("c3", "d4")
        assert sitting.played == ["c3-d4"]
        await sitting.move("b6", "a5")
        await sitting.press(Button.BACK)
        await sitting.move("a5", "b6")
        assert sitting.played == ["c3-d4"]

    tell(Sitting(tmp_path), story)
    facts = [message.partition(" ")[0] for message in log.messages]
    assert facts == ["sitting", "ready", "began", "accepted", "accepted", "taken-back", "stopped"]
    assert log.messages[3:6] == [
        "accepted what=c3-d4 number=1",
        "accepted what=b6-a5 number=2",
        "taken-back left=1",
    ]
    assert 'lies="square-8x8 lies on budget-8x8 under the same names (a1 is the board\'s a1)"' in log.messages[0]
    assert log.messages[1] == "ready board=budget-8x8"


def test_what_is_refused_is_worth_a_line(tmp_path: Path, log: pytest.LogCaptureFixture) -> None:
    async def story(sitting: Sitting) -> None:
        await sitting.begin()
        await sitting.move("a1", "b2")

    tell(Sitting(tmp_path), story)
    assert any(message.startswith("refused cell=a1 why=") for message in log.messages)


def test_a_board_begins_with_the_game_that_was_interrupted(tmp_path: Path) -> None:
    async def play(sitting: Sitting) -> None:
        await sitting.begin()
        await sitting.move("c3", "d4")

    async def go_on(sitting: Sitting) -> None:
        assert sitting.view["mode"] == "resume"
        await sitting.stand(sitting.config.choice.game.start().occupancy() ^ {Cell("c3"), Cell("d4")})
        await sitting.press(GO)
        assert sitting.played == ["c3-d4"]
        await sitting.move("b6", "a5")

    tell(Sitting(tmp_path), play)
    tell(Sitting(tmp_path), go_on)

    async def look(sitting: Sitting) -> None:
        assert sitting.played == ["c3-d4", "b6-a5"]

    tell(Sitting(tmp_path), look)


def test_a_game_that_this_board_is_too_small_for_is_not_offered_on_it(tmp_path: Path) -> None:
    async def play(sitting: Sitting) -> None:
        await sitting.begin()
        await sitting.move("c3", "d4")

    async def look(sitting: Sitting) -> None:
        assert sitting.view["mode"] == "setup"
        assert sitting.daemon.requests.choice.game.name == "herd"

    tell(Sitting(tmp_path), play)
    tell(Sitting(tmp_path, board="hex-61", game="herd"), look)


# --------------------------------------------------------------------------------------- the hardware


def test_lamps_that_come_later_are_lit_and_both_is_said_once(tmp_path: Path, log: pytest.LogCaptureFixture) -> None:
    sitting = Sitting(tmp_path)
    sitting.unplug()

    async def story(sitting: Sitting) -> None:
        assert sitting.told == [(0.0, "READY=1")], "ready is who can be played with"
        await sitting.begin()
        await asyncio.sleep(10)
        assert sitting.lit == set()
        sitting.plug()
        await sitting.lights("a3", "c3", "e3", "g3")

    tell(sitting, story)
    sentence = 'what="There is no /dev/spidev0.0 on this simulated board."'
    assert [line for line in log.messages if sentence in line] == [f"trouble {sentence}", f"mended {sentence}"]


def test_lamps_that_go_in_the_middle_are_said_on_the_page_and_the_game_goes_on(tmp_path: Path) -> None:
    async def story(sitting: Sitting) -> None:
        await sitting.begin()
        sitting.unplug()
        await sitting.move("c3", "d4")
        assert sitting.played == ["c3-d4"]
        assert "/dev/spidev0.0" in sitting.view["link"]
        sitting.plug()
        await until(lambda: sitting.view["link"] == "", "end of the trouble")
        await until(lambda: "b6" in sitting.lit, "light under b6")

    tell(Sitting(tmp_path), story)


def test_a_board_without_any_hardware_is_played_on_the_page(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, board="oak-8x8", port=ANYWHERE)
    sitting.unplug()

    async def story(sitting: Sitting) -> None:
        async with sitting.visitor() as visitor:
            view = await visitor.hears()
            assert view["link"].startswith("No Pico is plugged in. There is no /dev/spidev0.0")
            await visitor.ask("hold", button="go")
            await visitor.hears(mode="play")
            await visitor.ask("play", text="c3-d4")
            view = await visitor.hears()
            assert [turn["text"] for turn in view["turns"]] == ["c3-d4"]

    tell(sitting, story)


# -------------------------------------------------------------------------------------- signs of life


@pytest.mark.usefixtures("watched")
def test_a_board_that_lives_gives_signs_of_it(tmp_path: Path) -> None:
    async def story(sitting: Sitting) -> None:
        await sitting.begin()
        await asyncio.sleep(60)
        assert longest_pause(sitting) < WATCHDOG / 2, "one sign may be lost"
        assert len(sitting.signs) < 60, "more would be work for nothing"

    tell(Sitting(tmp_path), story)


@pytest.mark.usefixtures("watched")
def test_a_board_whose_hardware_is_missing_is_alive(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    sitting.unplug()
    sitting.devices.pins.busy = set(range(30))

    async def story(sitting: Sitting) -> None:
        await asyncio.sleep(60)
        assert longest_pause(sitting) < WATCHDOG / 2

    tell(sitting, story)


def longest_pause(sitting: Sitting) -> float:
    """The longest time without a sign of life until now."""
    moments = [0.0, *sitting.signs, asyncio.get_running_loop().time()]
    return max(later - earlier for earlier, later in pairwise(moments))


def test_without_a_watchdog_there_are_no_signs(tmp_path: Path) -> None:
    async def story(sitting: Sitting) -> None:
        await asyncio.sleep(60)
        assert sitting.signs == []

    tell(Sitting(tmp_path), story)


@pytest.mark.usefixtures("watched")
@pytest.mark.parametrize(("adapter", "interval"), [(gpio, "STILL"), (luma_mono, "REFRESH")], ids=["switches", "lamps"])
def test_a_port_that_is_never_used_again_ends_the_signs(
    adapter: Any, interval: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(sitting: Sitting) -> None:
        await sitting.begin()
        await asyncio.sleep(2 * WATCHDOG)
        monkeypatch.setattr(adapter, interval, 3600.0)
        await asyncio.sleep(WATCHDOG / 2)
        before = len(sitting.signs)
        assert before > 0
        await asyncio.sleep(6 * WATCHDOG)
        assert len(sitting.signs) == before, "everything else goes on, and that must not hide it"

    tell(Sitting(tmp_path, guidance="errors"), story)


@pytest.mark.usefixtures("watched")
def test_a_device_that_hangs_the_program_ends_the_signs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(sitting: Sitting) -> None:
        await sitting.begin()
        loop = asyncio.get_running_loop()
        assert isinstance(loop, Loop)
        hung: list[float] = []

        def hang(_values: bytes, _clock: float) -> None:
            if not hung:
                hung.append(loop.time())
                loop.hang(3 * WATCHDOG)

        monkeypatch.setattr(sitting.devices.nodes[next(iter(sitting.devices.nodes))], "send", hang)
        await until(lambda: hung, "hanging")
        await asyncio.sleep(WATCHDOG)
        assert not [at for at in sitting.signs if hung[0] < at < hung[0] + 3 * WATCHDOG]
        assert longest_pause(sitting) > WATCHDOG

    tell(Sitting(tmp_path), story)


# -------------------------------------------------------------------------------------------- the page


def test_the_page_comes_when_its_port_is_free_and_the_board_does_not_wait(
    tmp_path: Path, log: pytest.LogCaptureFixture
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port: int = other.getsockname()[1]

        async def story(sitting: Sitting) -> None:
            await sitting.begin()
            await sitting.move("c3", "d4")
            await asyncio.sleep(3 * PAGE_AGAIN)
            assert sitting.played == ["c3-d4"]
            assert sitting.daemon.page is None
            other.close()
            async with sitting.visitor() as visitor:
                view = await visitor.hears()
                assert [turn["text"] for turn in view["turns"]] == ["c3-d4"]

        tell(Sitting(tmp_path, port=port), story)
    said = [line for line in log.messages if str(port) in line]
    assert said[0].startswith(f'trouble what="The page cannot open port {port} on 127.0.0.1: another program has it;')
    assert said[1:] == [f"page url=http://127.0.0.1:{port}/"]


def test_a_page_is_told_what_is_new_and_nothing_else(tmp_path: Path) -> None:
    async def story(sitting: Sitting) -> None:
        async with sitting.visitor() as visitor:
            await sitting.begin()
            await visitor.reads_on()
            await visitor.hears_nothing(15 * AT_LEAST_EVERY)
            await sitting.move("c3", "d4")
            view = await visitor.hears(mode="play")
            assert "c3" in view["lights"]

    tell(Sitting(tmp_path, port=ANYWHERE), story)


def test_a_page_that_is_opened_sees_the_board_as_it_is(tmp_path: Path) -> None:
    async def story(sitting: Sitting) -> None:
        await sitting.url()
        await sitting.begin()
        await sitting.move("c3", "d4")
        async with sitting.visitor() as visitor:
            view = await visitor.hears()
            assert [turn["text"] for turn in view["turns"]] == ["c3-d4"]

    tell(Sitting(tmp_path, port=ANYWHERE), story)


def test_a_question_of_the_page_is_answered_and_changes_nothing(tmp_path: Path) -> None:
    async def story(sitting: Sitting) -> None:
        await sitting.begin()
        async with sitting.visitor() as visitor:
            await visitor.hears()
            await visitor.ask("past", turn=0)
            assert (await visitor.hears("past"))["turn"] == 0

    tell(Sitting(tmp_path, port=ANYWHERE), story)


def test_a_new_game_is_begun_on_the_page_and_shown_on_the_board(tmp_path: Path, log: pytest.LogCaptureFixture) -> None:
    async def story(sitting: Sitting) -> None:
        await sitting.begin()
        async with sitting.visitor() as visitor:
            await visitor.hears()
            await visitor.ask("new", game="diablo", size="8")
            view = await visitor.hears(mode="setup")
            assert view["game"]["title"] == "Diablo"
            await sitting.stand(frozenset(sitting.daemon.requests.choice.game.grid.cells))
            await sitting.press(GO)
            await visitor.hears(mode="roll")
            await sitting.press(GO)
            await visitor.hears(mode="play")
            assert sitting.bus.open_wires == 1, "what the game before had opened is closed"

    tell(Sitting(tmp_path, port=ANYWHERE), story)
    assert re.fullmatch(r"accepted what=\d-\d number=1", log.messages[-2]), "the roll"
    assert [line.split()[1] for line in log.messages if line.startswith("sitting")] == ["game=draughts", "game=diablo"]


def test_a_game_that_is_too_large_for_the_board_is_refused_and_the_old_one_goes_on(tmp_path: Path) -> None:
    async def story(sitting: Sitting) -> None:
        await sitting.begin()
        async with sitting.visitor() as visitor:
            await visitor.hears()
            await visitor.ask("new", game="herd", size="6")
            refusal = await visitor.hears("error")
            assert "the board has 64 cells and hexhex-6 needs 91." in refusal["text"]
        await sitting.lights("a3", "c3", "e3", "g3")
        await sitting.move("c3", "d4")
        assert sitting.played == ["c3-d4"]

    tell(Sitting(tmp_path, port=ANYWHERE), story)


def test_a_game_ends_and_the_log_says_how(tmp_path: Path, log: pytest.LogCaptureFixture) -> None:
    async def story(sitting: Sitting) -> None:
        await sitting.begin()
        async with sitting.visitor() as visitor:
            await visitor.ask("declare", side="light", speech="resign")
            await visitor.hears(mode="over")

    tell(Sitting(tmp_path, port=ANYWHERE), story)
    assert any(line.startswith("ended winner=dark reason=") for line in log.messages)


def test_a_board_without_a_page_has_none(tmp_path: Path, log: pytest.LogCaptureFixture) -> None:
    async def story(sitting: Sitting) -> None:
        await asyncio.sleep(3 * PAGE_AGAIN)
        assert sitting.daemon.page is None

    tell(Sitting(tmp_path), story)
    assert not any(line.startswith("page") for line in log.messages)


def test_a_page_that_cannot_be_made_leaves_the_board_to_be_played_on(
    tmp_path: Path, log: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_page: Page) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Page, "start", fail)

    async def story(sitting: Sitting) -> None:
        await sitting.begin()
        await sitting.move("c3", "d4")
        assert sitting.played == ["c3-d4"]

    tell(Sitting(tmp_path, port=ANYWHERE), story)
    record = next(record for record in log.records if record.message == "there will be no page")
    assert record.exc_info is not None
    assert record.levelno == logging.ERROR


# ---------------------------------------------------------------------------------------------- the end


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_soon_with_the_lamps_dark(tmp_path: Path, number: signal.Signals) -> None:
    sitting = Sitting(tmp_path, port=ANYWHERE)

    async def story(sitting: Sitting) -> None:
        await sitting.url()
        await sitting.begin()
        await sitting.lights("a3", "c3", "e3", "g3")

    tell(sitting, story, number)
    assert sitting.lit == set()
    assert sitting.devices.button_lamps() == frozenset()
    assert not any(chain.lit() for chain in sitting.devices.chains.values())
    assert sitting.told[-1][1] == "STOPPING=1"


def test_it_is_stopped_in_time_although_a_page_is_open(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, port=ANYWHERE)
    ended: list[float] = []

    async def told() -> None:
        running = asyncio.ensure_future(sitting.daemon.run())
        async with sitting.visitor() as visitor:
            await visitor.hears()
            begun = asyncio.get_running_loop().time()
            os.kill(os.getpid(), signal.SIGTERM)
            await running
            ended.append(asyncio.get_running_loop().time() - begun)

    run(told())
    assert ended[0] < SECONDS_TO_STOP
    assert sitting.lit == set()


def test_a_second_signal_changes_nothing(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)

    async def story(_sitting: Sitting) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    tell(sitting, story)
    assert [each for _, each in sitting.told] == ["READY=1", "STOPPING=1"]


def test_a_fault_of_ours_ends_it_with_the_lamps_dark(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, port=ANYWHERE)

    async def story(sitting: Sitting) -> None:
        url = await sitting.url()
        await sitting.begin()
        await sitting.lights("a3", "c3", "e3", "g3")
        sitting.devices.pins.level = stumble
        await asyncio.sleep(1)
        assert sitting.lit == set()
        assert sitting.told[-1][1] == "STOPPING=1"
        async with ClientSession() as session:
            with pytest.raises(OSError, match="Cannot connect"):
                await session.get(url)

    with pytest.raises(ZeroDivisionError):
        tell(sitting, story)


def stumble(number: int) -> bool:
    """A fault of ours where a pin is read."""
    raise ZeroDivisionError(number)


def test_a_board_that_fails_at_once_was_never_ready(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, port=ANYWHERE)
    sitting.devices.pins.level = stumble
    with pytest.raises(ZeroDivisionError):
        tell(sitting, nothing)
    assert [each for _, each in sitting.told] == ["STOPPING=1"]
    assert sitting.daemon.page is None


def test_a_fault_of_ours_is_logged_with_its_traceback_and_the_exit_status_tells_of_it(
    tmp_path: Path, log: pytest.LogCaptureFixture
) -> None:
    sitting = Sitting(tmp_path)
    sitting.devices.pins.level = stumble
    assert serve(sitting.config, sitting.devices.machine(_no_pico)) == FAILED
    record = log.records[-1]
    assert record.levelno == logging.CRITICAL
    assert record.exc_info is not None
    assert record.exc_info[0] is ZeroDivisionError


def test_what_is_too_large_for_the_board_is_no_fault_of_ours(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    too_large = replace(sitting.config, choice=replace(sitting.config.choice, game=make("herd", "6")))
    with pytest.raises(ConfigError, match="the board has 64 cells and hexhex-6 needs 91"):
        serve(too_large, sitting.devices.machine(_no_pico))


def test_served_to_its_end_the_exit_status_is_0(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)

    def stop() -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        return 0

    devices = Simulated(sitting.config.board, stop)
    assert serve(sitting.config, devices.machine(_no_pico)) == 0
    assert devices.lamps() == {}
