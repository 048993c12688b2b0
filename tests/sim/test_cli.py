"""The command line: its one line at the end, its exit status, and its sentences."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from reedlight_sim import cli, commands
from reedlight_sim.cli import main
from reedlight_sim.perform import Tally
from reedlight_sim.progress import Progress

PDN = "1. c3-d4 d6-c5 2. b2-c3 f6-g5 *\n"
COMMAND = str(Path(sys.executable).with_name("reedlight-sim"))
LAST_LINE = re.compile(r"games (\d+) moves (\d+) wrong (\d+) asked (\d+)\n")


@pytest.fixture
def pdn(tmp_path: Path) -> Path:
    path = tmp_path / "game.pdn"
    path.write_text(PDN)
    return path


def status_of(*arguments: str) -> int:
    """The exit status, also where the parser leaves by itself."""
    try:
        return main(arguments)
    except SystemExit as end:
        return -1 if end.code is None else int(end.code)


@pytest.mark.parametrize("hand", ["tidy", "sloppy"])
def test_a_file_is_performed_and_summed_up_in_one_line(
    pdn: Path, hand: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of("perform", str(pdn), "--hand", hand, "--seed", "5") == 0
    out, err = capsys.readouterr()
    assert out == "games 1 moves 4 wrong 0 asked 0\n"
    assert err == ""


def test_the_same_seed_gives_the_same_run(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("soak", "--game", "diablo", "--size", "4", "--games", "2", "--hand", "sloppy", "--unseen", "0.5")
    lines: list[str] = []
    for seed in ("1", "1", "2"):
        assert status_of(*arguments, "--seed", seed) in {0, commands.WRONG}
        lines.append(capsys.readouterr().out)
    assert lines[0] == lines[1]
    assert lines[0] != lines[2]
    assert LAST_LINE.fullmatch(lines[0])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("soak", "--game", "chess", "--games", "1"), "argument --game: invalid choice: 'chess'"),
        (("soak", "--game", "diablo", "--size", "7", "--games", "1"), "7"),
        (("soak", "--game", "diablo", "--games", "0"), "'0' is no number of games from 1 to 1000000"),
        (("soak", "--game", "diablo", "--games", "many"), "'many' is no number of games"),
        (("soak", "--game", "diablo"), "the following arguments are required: --games"),
        (("soak", "--game", "diablo", "--games", "1", "--unseen", "2"), "'2' is no share from 0 to 1"),
        (("soak", "--game", "diablo", "--games", "1", "--unseen", "x"), "'x' is no share from 0 to 1"),
        (("soak", "--game", "diablo", "--games", "1", "--unseen", "nan"), "'nan' is no share from 0 to 1"),
        (("soak", "--game", "diablo", "--games", "1", "--seed", "x"), "argument --seed: 'x' is no whole number"),
        (("soak", "--game", "herd", "--games", "9" * 5000), f"'{'9' * 57}...' is no number of games"),
        (("soak", "--game", "herd", "--games", "1", "--seed", "9" * 5000), f"'{'9' * 57}...' is no whole number"),
        (("soak", "--game", "x" * 5000, "--games", "1"), "argument --game: invalid choice: 'xxx"),
        (("perform", "nowhere.pdn"), "nowhere.pdn: cannot be read: No such file or directory"),
        (("perform",), "the following arguments are required: FILE"),
        (("dance",), "invalid choice: 'dance'"),
        ((), "the following arguments are required: COMMAND"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_sentence(
    arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(*arguments) == cli.REFUSED
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert err.startswith("reedlight-sim")
    assert err.count("\n") == 1
    assert len(err) < 600


def test_a_mistake_in_the_last_game_keeps_the_first_from_being_begun(
    pdn: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pdn.write_text(PDN + "\n" + PDN.replace("f6-g5", "f6-f5"))
    assert status_of("perform", str(pdn)) == cli.REFUSED
    out, err = capsys.readouterr()
    assert out == ""
    assert "line 3, game 2, ply 4, move f6-f5" in err


@pytest.mark.parametrize("command", ["perform", "soak", "play"])
def test_every_command_tells_its_options(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(command, "--help") == 0
    assert "--" in capsys.readouterr().out


def test_the_installed_command_runs() -> None:
    run = subprocess.run(  # noqa: S603  # our own command
        [str(Path(sys.executable).with_name("reedlight-sim")), "soak", "--game", "herd", "--size", "2", "--games", "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert LAST_LINE.fullmatch(run.stdout)
    assert run.stderr == ""


def test_a_reader_who_leaves_is_no_error() -> None:
    command = [str(Path(sys.executable).with_name("reedlight-sim")), "soak"]
    arguments = ["--game", "herd", "--size", "2", "--games", "1"]
    with subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:  # noqa: S603  # our own command
        assert run.stdout
        assert run.stderr
        run.stdout.close()
        assert run.stderr.read() == b""
    assert run.returncode == cli.PIPE_CLOSED


def test_a_closed_pipe_is_noticed_when_the_last_line_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as stdout:
        monkeypatch.setattr(sys, "stdout", stdout)
        assert status_of("soak", "--game", "herd", "--size", "2", "--games", "1") == cli.PIPE_CLOSED


@pytest.mark.parametrize(
    ("arguments", "streams", "status", "told"),
    [
        ("perform {pdn}", ">&-", 2, "reedlight-sim: standard output is closed\n"),
        ("perform {pdn}", ">/dev/full", 2, "reedlight-sim: cannot go on: No space left on device\n"),
        ("--help", ">/dev/full", 2, "reedlight-sim: cannot go on: No space left on device\n"),
        ("perform {pdn}", "2>&-", 0, ""),
        ("perform {pdn}", "2>/dev/full", 0, ""),
        ("perform nowhere", "2>&-", 2, ""),
        ("perform nowhere", "2>/dev/full", 2, ""),
        ("dance", "2>/dev/full", 2, ""),
        ("perform {pdn}", ">/dev/full 2>/dev/full", 2, ""),
        ("perform {pdn}", ">&- 2>&-", 2, ""),
    ],
)
def test_streams_that_take_nothing_end_a_run_without_a_traceback(
    pdn: Path, arguments: str, streams: str, status: int, told: str
) -> None:
    line = f"{COMMAND} {arguments.format(pdn=pdn)} {streams}"
    buffered = {**os.environ, "PYTHONUNBUFFERED": ""}
    run = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=False, env=buffered)  # noqa: S603  # ours
    assert (run.returncode, run.stderr) == (status, told)


class _InterruptedImport:
    """An import that a person interrupts."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name == "reedlight_sim.commands":
            raise KeyboardInterrupt


def test_a_run_interrupted_while_it_starts_ends_without_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "reedlight_sim.commands")
    monkeypatch.delattr("reedlight_sim.commands")
    monkeypatch.setattr(sys, "meta_path", [_InterruptedImport, *sys.meta_path])
    assert status_of("soak", "--game", "herd", "--games", "1") == cli.INTERRUPTED
    assert capsys.readouterr() == ("", "")


def test_an_interrupted_run_ends_without_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "show", interrupt)
    assert status_of("soak", "--game", "herd", "--size", "2", "--games", "1") == cli.INTERRUPTED
    assert capsys.readouterr() == ("", "")


# ------------------------------------------------------------------------------------------- progress


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_the_bar_is_drawn_on_a_terminal_and_reports_are_written_past_it() -> None:
    terminal = Terminal()
    progress = Progress(4, terminal)
    progress.show(Tally(games=1, moves=30))
    assert terminal.getvalue() == "\r\x1b[K[########........................] 1/4 games, 30 moves"
    progress.report("game 2 is wrong")
    assert terminal.getvalue().endswith("\r\x1b[Kgame 2 is wrong\n")
    progress.clear()
    assert terminal.getvalue().endswith("wrong\n")


def test_nothing_is_drawn_where_nobody_watches() -> None:
    stream = StringIO()
    progress = Progress(4, stream)
    progress.show(Tally(games=1, moves=30))
    progress.clear()
    assert stream.getvalue() == ""


class Full(Terminal):
    def write(self, text: str) -> int:
        raise OSError(28, f"no space left for {text!r}")


def test_what_cannot_be_written_does_not_end_a_run() -> None:
    progress = Progress(4, Full())
    progress.show(Tally(games=1, moves=30))
    progress.report("game 2 is wrong")
    progress.clear()
    with pytest.raises(OSError, match="no space left"):
        Full().write("text")
