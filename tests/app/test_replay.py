"""``reedlight replay``: the daemon shows a game that was played, and plays on from where it stands."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jumping
import pytest

from reedlight.adapters.sqlite import Games, Head
from reedlight.app import replaying
from reedlight.app.cli import main
from reedlight.app.config import Config, load
from reedlight.app.daemon import Daemon
from reedlight.app.records import game_in
from reedlight.board.fit import fit
from reedlight.games import make
from reedlight.ports import LinkLost
from reedlight.record import fair
from reedlight.record.account import Account
from reedlight.record.journal import Line
from reedlight_sim.hardware import Simulated

Said = pytest.CaptureFixture[str]
PDN = '[White "Ada Lovelace, Countess of a long name"]\n\n1. c3-d4 d6-c5 2. b2-c3 *\n'
DICE = '[Game "diablo"]\n[Size "4"]\n[Black "Ada"]\n\n1. Black 2-1: merge 2 a1-c1\n2. Green 1-2: capture 1 d1-d2\n'


@pytest.fixture(autouse=True)
def no_service_manager(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "STATE_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def configuration(tmp_path: Path) -> Path:
    """A board that is played on without a page, and keeps its games."""
    path = tmp_path / "reedlight.toml"
    path.write_text(
        '[board]\nprofile = "budget-8x8"\n[page]\nserved = false\n'
        f'[play]\nname_dark = "Carol"\n[games]\nfile = "{tmp_path / "games.db"}"\n'
    )
    return path


# -------------------------------------------------------------------------------------- which game


def served(configuration: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, list[Account[Any]]]:
    """The status of the command, and the games that a daemon was started with."""
    found: list[Account[Any]] = []

    def serve(_config: Config, *, replay: Account[Any]) -> int:
        found.append(replay)
        return 0

    monkeypatch.setattr(replaying, "serve", serve)
    monkeypatch.setattr(replaying, "log_to", lambda _stream, _level: None)
    return main(["replay", *arguments, "--config", str(configuration)]), found


def test_a_game_of_a_file_is_shown(configuration: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "12"
    file.write_text(f"{PDN}\n1. e3-f4 *\n")
    for arguments, moves in (((str(file),), 3), ((str(file), "--game", "2"), 1)):
        status, (game,) = served(configuration, monkeypatch, *arguments)
        assert (status, game.moves) == (0, moves)


def test_a_kept_game_is_shown_by_its_number(
    configuration: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Games(tmp_path / "games.db")) as store:
        store.begin(Head("draughts", "8", 0.0), [Line("act", "c3-d4")])
    status, (game,) = served(configuration, monkeypatch, "1")
    assert (status, game.moves) == (0, 1)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "1").write_text(PDN)
    _, (game,) = served(configuration, monkeypatch, "1")
    assert game.moves == 3


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (("7",), "games.db: there is no such file of games"),
        (("nowhere.pdn",), "nowhere.pdn: cannot be read (No such file or directory)"),
        (("{file}", "--game", "2"), "holiday.pdn: line 5, game 2, ply 1, move c3-c3: "),
        (("{file}", "--game", "3"), "holiday.pdn: has fewer than 3 games"),
        (("{dice}",), "budget-8x8: the board has 64 cells and square-12x12 needs 144"),
    ],
)
def test_what_cannot_be_shown_is_told(
    configuration: Path, tmp_path: Path, capsys: Said, source: tuple[str, ...], why: str
) -> None:
    file, dice = tmp_path / "holiday.pdn", tmp_path / "large.txt"
    file.write_text(f"{PDN}\n1. c3-c3 *\n")
    dice.write_text('[Game "diablo"]\n[Size "12"]\n')
    arguments = [each.format(file=file, dice=dice) for each in source]
    assert main(["replay", *arguments, "--config", str(configuration)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("reedlight: ")
    assert err.count("\n") == 1
    assert why in err


# --------------------------------------------------------------------------------------- at the board

FINGER = 0.12
"""Seconds for which a finger holds a button down."""


@dataclass
class Board:
    """A daemon on a simulated board that shows a game, and the people at it."""

    config: Config
    game: Account[Any]
    closed: int = 0
    daemon: Daemon = field(init=False)

    def __post_init__(self) -> None:
        self.devices = Simulated(self.config.board, lambda: self.closed)
        self.daemon = Daemon(self.config, self.devices.machine(_no_pico), lambda *_: True, replay=self.game)
        self.switches = fit(self.game.game.grid, self.config.board).switches

    def stand(self) -> None:
        """Set up what the game says should stand now."""
        self.closed = sum(1 << self.switches[cell] for cell in self._session.state.occupancy())

    async def press(self, *buttons: str) -> None:
        for button in buttons:
            self.daemon._receive({"do": "press", "button": button})
            await asyncio.sleep(1.0)

    @property
    def _session(self) -> Any:
        return self.daemon._requests.tabletop.session

    @property
    def view(self) -> dict[str, Any]:
        return self.daemon._requests.view()


def _no_pico(_serial: str) -> str:
    raise LinkLost("No Pico is plugged in.")


def tell(board: Board, story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Tell what people do while the daemon runs; then it is stopped."""

    async def told() -> None:
        running = asyncio.ensure_future(board.daemon.run())
        try:
            await asyncio.sleep(1.0)
            board.stand()
            await asyncio.sleep(1.0)
            await story()
        finally:
            os.kill(os.getpid(), signal.SIGTERM)
            await running

    jumping.run(told())


def board_with(configuration: Path, text: str) -> Board:
    file = configuration.with_name("game.txt")
    file.write_text(text)
    return Board(load(configuration), game_in(file, 1))


def kept(configuration: Path) -> list[tuple[Head, list[str]]]:
    """The heads and lines of the games in the store."""
    with closing(Games(configuration.with_name("games.db"))) as store:
        return [(each.head, [line.text for line in store.lines(each.number)]) for each in store.games()]


def test_a_game_is_shown_and_nothing_of_it_is_kept(configuration: Path) -> None:
    board = board_with(configuration, PDN)

    async def story() -> None:
        assert board.view["say"] == "Step 0 of 3: the start."
        assert [side["who"] for side in board.view["sides"]] == ["Ada Lovelace, Countess o", "Person"]
        await board.press("next", "next")
        assert board.view["say"] == "Step 2 of 3: Black plays d6-c5."
        assert [turn["text"] for turn in board.view["turns"]] == ["c3-d4", "d6-c5"]
        assert board.view["mode"] == "resync"
        board.stand()
        await asyncio.sleep(1.0)
        assert board.view["mode"] == "replay"
        await board.press("back")
        assert board.view["say"] == "Step 1 of 3: White plays c3-d4."

    tell(board, story)
    assert not configuration.with_name("games.db").exists() or kept(configuration) == []


def test_what_is_played_on_is_a_game_of_its_own(configuration: Path) -> None:
    board = board_with(configuration, PDN)

    async def story() -> None:
        await board.press("next")
        board.stand()
        await board.press("go")
        assert board.view["mode"] == "play"
        assert [side["who"] for side in board.view["sides"]] == ["Person", "Carol"]
        board.daemon._receive({"do": "play", "text": "b6-a5"})
        board.stand()
        await asyncio.sleep(1.0)

    tell(board, story)
    ((head, lines),) = kept(configuration)
    assert (head.start, head.tags) == (
        "B:Wa1,a3,b2,c1,d2,d4,e1,e3,f2,g1,g3,h2:Ba7,b6,b8,c7,d6,d8,e7,f6,f8,g7,h6,h8",
        {"White": "Person", "Black": "Carol"},
    )
    assert (head.begun > 0, lines) == (True, ["b6-a5"])


def test_dice_are_rolled_by_a_seed_of_their_own(configuration: Path) -> None:
    board = board_with(configuration, DICE)

    async def story() -> None:
        assert board.view["tags"] == {}
        await board.press("next", "next")
        board.stand()
        await board.press("go", "go", "go")
        assert set(board.view["tags"]) == {"DiceHash"}

    tell(board, story)
    ((head, lines),) = kept(configuration)
    start = make("diablo", "4").load(head.start)
    assert head.start.endswith(" G roll")
    assert lines == ["-".join(map(str, fair.roll(bytes.fromhex(head.seed), 0, start.chance()).dice))]


def test_a_new_game_ends_the_showing(configuration: Path) -> None:
    board = board_with(configuration, PDN)

    async def story() -> None:
        board.daemon._receive({"do": "new", "game": "herd", "size": "3"})
        await asyncio.sleep(1.0)
        assert board.view["game"]["name"] == "herd"
        assert board.view["mode"] == "setup"

    tell(board, story)
