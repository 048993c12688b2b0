"""The command ``reedlight``: what it prints, its exit status, and its one sentence when something cannot be done."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from reedlight.app import document
from reedlight.app.cli import COMMANDS, INTERRUPTED, PIPE_CLOSED, main
from reedlight.app.commands import LONGEST_SENTENCE, REFUSED
from reedlight.app.config import EXAMPLE
from reedlight.board.flash import pico_board
from reedlight.board.toml import load_packaged, packaged, packaged_text

COMMAND = str(Path(sys.executable).with_name("reedlight"))

Said = pytest.CaptureFixture[str]


def written(folder: Path, text: str) -> str:
    """The path of a file with this text."""
    file = folder / "reedlight.toml"
    file.write_text(text)
    return str(file)


# ---------------------------------------------------------------------------------------- configuration


def test_a_configuration_that_is_in_order_is_said_to_be(tmp_path: Path, capsys: Said) -> None:
    file = written(tmp_path, '[board]\nprofile = "hex-61"\n[game]\nname = "herd"\n')
    assert main(["config", "check", file]) == 0
    assert capsys.readouterr().out == (f"{file} is in order: Hexagonal board, 61 cells, RGB lamps; Herd comes first.\n")


@pytest.mark.parametrize("command", [("config", "check"), ("run", "--config")])
def test_a_mistake_is_one_sentence_and_status_2(tmp_path: Path, capsys: Said, command: tuple[str, str]) -> None:
    file = written(tmp_path, '[board]\nprofile = "oak-8x8"\nbrightness = 3\n')
    assert main([*command, file]) == REFUSED
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        f"reedlight: {file}: board.brightness: a number of times full brightness from 0.3 to 1 is needed, not 3\n"
    )


def test_the_example_is_printed_and_checks(tmp_path: Path, capsys: Said) -> None:
    assert main(["config", "example"]) == 0
    example = capsys.readouterr().out
    assert example == EXAMPLE
    assert main(["config", "check", written(tmp_path, example)]) == 0


def test_the_page_on_configuration_is_printed(capsys: Said) -> None:
    assert main(["config", "document"]) == 0
    assert capsys.readouterr().out == document.page()


# ---------------------------------------------------------------------------------------------- boards


def test_the_boards_are_listed_with_what_people_call_them(capsys: Said) -> None:
    assert main(["board", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(packaged())
    assert "hex-61                 Hexagonal board, 61 cells, RGB lamps" in lines


def test_a_boards_file_is_printed_to_be_copied_and_checks(tmp_path: Path, capsys: Said) -> None:
    assert main(["board", "show", "hex-61"]) == 0
    shown = capsys.readouterr().out
    assert shown == packaged_text("hex-61")
    file = written(tmp_path, shown)
    assert main(["board", "check", file]) == 0
    assert capsys.readouterr().out == f"{file} is in order: Hexagonal board, 61 cells, RGB lamps (61 cells).\n"


def test_a_packaged_board_can_be_checked_by_its_name(capsys: Said) -> None:
    assert main(["board", "check", "oak-8x8"]) == 0
    assert capsys.readouterr().out == "oak-8x8 is in order: Oak board, 8x8, RGB lamps (64 cells).\n"


def test_the_firmwares_file_of_a_board_is_printed(capsys: Said) -> None:
    assert main(["board", "firmware", "oak-8x8"]) == 0
    assert capsys.readouterr().out == pico_board(load_packaged("oak-8x8"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("show",), "board show: name a board or a file; there are budget-8x8, "),
        (("check",), "board check: name a board or a file"),
        (("show", "hex-62"), "there is no board 'hex-62'; did you mean hex-61?"),
        (("check", "hex-62"), "there is no board 'hex-62'; there are budget-8x8, "),
        (("check", "/nowhere/mine.toml"), "/nowhere/mine.toml: cannot be read (No such file or directory)"),
        (("firmware", "budget-8x8"), "budget-8x8: scan.by: no Pico scans this board"),
    ],
)
def test_what_is_asked_of_a_board_in_vain_is_one_sentence(
    arguments: tuple[str, ...], sentence: str, capsys: Said
) -> None:
    assert main(["board", *arguments]) == REFUSED
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"reedlight: {sentence}")
    assert err.count("\n") == 1


# ------------------------------------------------------------------------------------ the command line


def test_the_help_names_every_command(capsys: Said) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    for command in COMMANDS:
        assert f"    {command.name} " in out
        assert command.help in " ".join(out.split())


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_has_a_help_of_its_own(command: str, capsys: Said) -> None:
    assert main([command, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"usage: reedlight {command} ")


@pytest.mark.parametrize("arguments", [(), ("rnu",), ("run", "--confg", "x"), ("config", "chekc"), ("x" * 2000,)])
def test_what_cannot_be_understood_is_one_sentence_and_status_2(arguments: tuple[str, ...], capsys: Said) -> None:
    assert main(arguments) == REFUSED
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("reedlight")
    assert "--help)\n" in err
    assert err.count("\n") == 1
    assert len(err) < LONGEST_SENTENCE + 100


def test_an_interrupted_command_says_nothing(capsys: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(document, "page", interrupted)
    assert main(["config", "document"]) == INTERRUPTED
    assert capsys.readouterr() == ("", "")


# ------------------------------------------------------------------------------------- odd streams


def in_a_shell(line: str) -> subprocess.CompletedProcess[str]:
    """What becomes of a line in which ``reedlight`` is called by its whole path."""
    return subprocess.run(  # noqa: S603  # lines of ours
        ["bash", "-c", line.replace("reedlight", COMMAND, 1)],  # noqa: S607  # whichever bash there is
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_reader_that_has_enough_is_no_failure_worth_a_word() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        ended = subprocess.run(  # noqa: S603  # the project's own command
            [COMMAND, "board", "list"], stdout=pipe, stderr=subprocess.PIPE, check=False
        )
    assert (ended.stderr, ended.returncode) == (b"", PIPE_CLOSED)


@pytest.mark.parametrize(
    ("line", "said", "status"),
    [
        ("reedlight config document > /dev/full", "reedlight: cannot go on: No space left on device\n", REFUSED),
        ("reedlight board list > /dev/full", "reedlight: cannot go on: No space left on device\n", REFUSED),
        ("reedlight board list >&-", "reedlight: standard output is closed\n", REFUSED),
        ("reedlight board show nothing 2> /dev/full", "", REFUSED),
        ("reedlight board show nothing 2>&-", "", REFUSED),
    ],
)
def test_a_stream_that_takes_nothing_is_said_if_it_can_be(line: str, said: str, status: int) -> None:
    ended = in_a_shell(line)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("", said, status)
