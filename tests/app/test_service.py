"""What the service manager is told and asked, how log lines look, and the files by which it runs the board."""

from __future__ import annotations

import logging
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reedlight.adapters import luma_mono, luma_rgb, pico
from reedlight.adapters.service import fact, log_to, notify, watchdog_seconds
from reedlight.app import config
from reedlight.app.commands import REFUSED
from reedlight.app.daemon import AT_LEAST_EVERY, SIGNS

SERVICE = Path(__file__).resolve().parents[2] / "controller" / "service"
SECONDS_TO_STOP = 2.0

# -------------------------------------------------------------------------------------------- notifying


@pytest.fixture
def manager() -> Iterator[socket.socket]:
    """A service manager that hears datagrams."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.settimeout(5)
        yield heard


def test_facts_go_to_the_socket_in_one_datagram_each_on_a_line(manager: socket.socket, tmp_path: Path) -> None:
    path = str(tmp_path / "notify")
    manager.bind(path)
    assert notify("READY=1", "STATUS=Lit.", environment={"NOTIFY_SOCKET": path})
    assert manager.recv(100) == b"READY=1\nSTATUS=Lit."


def test_the_socket_may_have_no_file(manager: socket.socket) -> None:
    name = f"reedlight-test-{os.getpid()}"
    manager.bind(f"\0{name}")
    assert notify("WATCHDOG=1", environment={"NOTIFY_SOCKET": f"@{name}"})
    assert manager.recv(100) == b"WATCHDOG=1"


@pytest.mark.parametrize(
    "address", ["", "/nowhere/notify", "@nobody-listens-to-this", "vsock:2:1", "notify", "@", "/" + "n" * 200]
)
def test_where_nobody_listens_nothing_happens(address: str) -> None:
    assert not notify("READY=1", environment={"NOTIFY_SOCKET": address})


def test_without_a_service_manager_nothing_happens() -> None:
    assert not notify("READY=1", environment={})


# ------------------------------------------------------------------------------------------ the watchdog


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({"WATCHDOG_USEC": "10000000"}, 10.0),
        ({"WATCHDOG_USEC": "500000", "WATCHDOG_PID": str(os.getpid())}, 0.5),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": str(os.getpid() + 1)}, None),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": ""}, None),
        ({}, None),
        ({"WATCHDOG_USEC": ""}, None),
        ({"WATCHDOG_USEC": "ten"}, None),
        ({"WATCHDOG_USEC": "-1"}, None),
        ({"WATCHDOG_USEC": "²"}, None),
    ],
)
def test_signs_of_life_are_wanted_where_the_environment_says_how_often(
    environment: dict[str, str], seconds: float | None
) -> None:
    assert watchdog_seconds(environment) == seconds


# --------------------------------------------------------------------------------------------- log lines


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("c3-d4", "c3-d4"),
        (12, "12"),
        (None, "None"),
        ("", '""'),
        ("two words", '"two words"'),
        ("a=b", '"a=b"'),
        ('the "best"', r'"the \"best\""'),
        ("one\nready", r'"one\nready"'),
        ("one\r\u2028two", r'"one\r\u2028two"'),
        ("\x1b[31mred", r'"\u001b[31mred"'),
        ("\ud800", r'"\ud800"'),
        ("größe", "größe"),
    ],
)
def test_a_value_of_more_than_a_word_is_quoted(value: object, written: str) -> None:
    assert fact("accepted", action=value, ply=3) == f"accepted action={written} ply=3"


def test_a_fact_may_be_a_word_alone() -> None:
    assert fact("stopped") == "stopped"


PARTS = re.compile(r'(\w+)(?:=("(?:[^"\\]|\\.)*"|[^\s"=]+))?(?: |$)')
"""A word, or a key with its value, which may be quoted."""


@settings(deadline=None)
@given(st.text())
@example("it's")
@example("back\\")
@example('" ready=1 x="')
@example("a\nready b=1")
def test_no_value_makes_a_second_line_or_another_particular(value: str) -> None:
    line = fact("trouble", what=value, then=1)
    assert len(line.splitlines()) == 1
    parts = list(PARTS.finditer(line))
    assert "".join(part[0] for part in parts) == line
    assert [part[1] for part in parts] == ["trouble", "what", "then"]


@pytest.fixture
def root() -> Iterator[logging.Logger]:
    """The root of all loggers, as it was before."""
    logger = logging.getLogger()
    handlers, level = logger.handlers[:], logger.level
    levels = {name: logging.getLogger(name).level for name in ("aiohttp", "asyncio")}
    yield logger
    logger.handlers[:] = handlers
    logger.setLevel(level)
    for name, former in levels.items():
        logging.getLogger(name).setLevel(former)


def named(file: Path) -> str:
    """The file's name in JOURNAL_STREAM."""
    status = file.stat()
    return f"{status.st_dev}:{status.st_ino}"


@pytest.fixture
def journal(tmp_path: Path, root: logging.Logger) -> Iterator[Path]:  # noqa: ARG001  # it is put right afterwards
    """The file of a journal that log lines go to, from debug on."""
    file = tmp_path / "journal"
    with ExitStack() as open_files:
        stream = open_files.enter_context(file.open("w"))
        log_to(stream, logging.DEBUG, {"JOURNAL_STREAM": named(file)})
        yield file


@pytest.mark.parametrize(
    ("level", "priority"),
    [
        (logging.DEBUG, 7),
        (logging.INFO, 6),
        (logging.WARNING, 4),
        (logging.ERROR, 3),
        (logging.CRITICAL, 2),
    ],
)
def test_in_a_journal_a_line_begins_with_its_priority(journal: Path, level: int, priority: int) -> None:
    logging.getLogger("reedlight").log(level, fact("ready", board="oak-8x8"))
    assert journal.read_text() == f"<{priority}>ready board=oak-8x8\n"


def test_in_a_journal_every_line_of_a_traceback_has_its_priority(journal: Path) -> None:
    try:
        raise ValueError("first line\nsecond line")  # noqa: TRY301  # its traceback is what is looked at
    except ValueError:
        logging.getLogger("reedlight").exception("failed")
    lines = journal.read_text().splitlines()
    assert lines[0] == "<3>failed"
    assert lines[1] == "<3>Traceback (most recent call last):"
    assert lines[-2:] == ["<3>ValueError: first line", "<3>second line"]
    assert all(line.startswith("<3>") for line in lines)


def test_a_terminal_that_inherited_the_name_of_a_journal_gets_lines_with_the_time(
    tmp_path: Path,
    root: logging.Logger,  # noqa: ARG001  # it is put right afterwards
) -> None:
    (tmp_path / "journal").touch()
    with (tmp_path / "terminal").open("w") as terminal:
        log_to(terminal, environment={"JOURNAL_STREAM": named(tmp_path / "journal")})
        logging.getLogger("reedlight").info("ready")
    assert re.fullmatch(r"\d\d:\d\d:\d\d INFO ready\n", (tmp_path / "terminal").read_text())


@pytest.mark.parametrize("environment", [{}, {"JOURNAL_STREAM": "8:1"}])
def test_elsewhere_a_line_begins_with_the_time(
    environment: dict[str, str],
    root: logging.Logger,  # noqa: ARG001  # it is put right afterwards
) -> None:
    stream = StringIO()
    log_to(stream, environment=environment)
    logging.getLogger("reedlight").warning("trouble")
    logging.getLogger("reedlight").debug("not written")
    assert re.fullmatch(r"\d\d:\d\d:\d\d WARNING trouble\n", stream.getvalue())


def test_what_strangers_send_to_the_page_is_not_written(
    root: logging.Logger,  # noqa: ARG001  # it is put right afterwards
) -> None:
    stream = StringIO()
    log_to(stream, logging.DEBUG, {})
    logging.getLogger("aiohttp.server").error("Error handling request")
    logging.getLogger("asyncio").debug("Using selector: EpollSelector")
    assert stream.getvalue() == ""


def test_once_told_again_where_to_write_only_the_new_place_is_written_to(root: logging.Logger) -> None:
    first, second = StringIO(), StringIO()
    log_to(first, environment={})
    log_to(second, environment={})
    logging.getLogger("reedlight").info("ready")
    assert first.getvalue() == ""
    assert second.getvalue().endswith("INFO ready\n")
    assert len(root.handlers) == 1


# ------------------------------------------------------------------------------------------- the unit


def unit() -> dict[str, list[str]]:
    """The settings of the unit, each with all its values."""
    found: dict[str, list[str]] = {}
    for line in (SERVICE / "reedlight.service").read_text().splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


UNIT = unit()


@pytest.fixture
def analyze() -> str:
    """The command that judges units. The build machine must have it; elsewhere the tests are skipped without."""
    found = shutil.which("systemd-analyze")
    if found:
        return found
    reason = "systemd-analyze is not installed (Debian: the package systemd)"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The unit as it is installed, but with a program that is there."""
    program = tmp_path / "reedlight"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    text = (SERVICE / "reedlight.service").read_text()
    copy = tmp_path / "reedlight.service"
    copy.write_text(text.replace("/opt/reedlight/bin/reedlight", str(program)))
    return copy


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # a unit is judged


def test_systemd_finds_nothing_wrong_with_the_unit(analyze: str, installed: Path) -> None:
    judged = run(analyze, "verify", str(installed))
    assert (judged.stderr, judged.returncode) == ("", 0)


def test_systemd_would_say_so_if_it_did(analyze: str, installed: Path) -> None:
    installed.write_text(installed.read_text().replace("MemoryMax=", "MemoryMost="))
    assert "MemoryMost" in run(analyze, "verify", str(installed)).stderr


def test_systemd_finds_the_unit_hardly_exposed(analyze: str, installed: Path) -> None:
    judged = run(analyze, "security", "--offline=true", "--threshold=20", str(installed))
    assert judged.returncode == 0, judged.stdout


def test_systemd_would_find_a_bare_unit_exposed(analyze: str, tmp_path: Path) -> None:
    bare = tmp_path / "bare.service"
    bare.write_text("[Service]\nExecStart=/bin/true\n")
    assert run(analyze, "security", "--offline=true", "--threshold=20", str(bare)).returncode != 0


# By what /proc/devices calls them: the kernel's names of the drivers, not those of the files.
@pytest.mark.parametrize(
    ("device", "used_by"),
    [
        ("char-gpiochip", "gpio.py"),
        ("char-spi", "spi.py"),
        ("char-i2c", "expander.py"),
        ("char-ttyACM", "pico.py"),
    ],
)
def test_every_device_that_an_adapter_opens_is_allowed(device: str, used_by: str) -> None:
    assert f"{device} rw" in UNIT["DeviceAllow"], used_by
    assert UNIT["DevicePolicy"] == ["closed"]


def test_it_runs_as_a_user_of_its_own_in_the_groups_of_the_devices() -> None:
    assert UNIT["User"] == ["reedlight"]
    assert UNIT["SupplementaryGroups"] == ["gpio spi i2c dialout"]
    assert UNIT["NoNewPrivileges"] == ["yes"]
    assert UNIT["CapabilityBoundingSet"] == [""]


def test_the_pipe_that_lgpio_makes_is_made_where_the_service_may_write() -> None:
    folder = f"/run/{UNIT['RuntimeDirectory'][0]}"
    assert UNIT["WorkingDirectory"] == [folder]
    assert f"LG_WD={folder}" in UNIT["Environment"]


def test_the_model_of_the_raspberry_pi_can_be_read() -> None:
    assert "ProcSubset" not in UNIT, "it hides /proc/cpuinfo and the device tree"


def test_signs_of_life_fit_into_the_watchdogs_time() -> None:
    between = float(UNIT["WatchdogSec"][0]) / SIGNS
    assert between >= AT_LEAST_EVERY
    assert between > max(luma_mono.REFRESH, luma_rgb.REFRESH), "an output shows itself alive when it is refreshed"


def test_it_is_given_the_time_to_go_dark() -> None:
    assert float(UNIT["TimeoutStopSec"][0]) >= 2 * SECONDS_TO_STOP


def test_it_says_when_it_is_ready_and_is_started_anew_unless_that_cannot_help() -> None:
    assert UNIT["Type"] == ["notify"]
    assert UNIT["Restart"] == ["on-failure"]
    assert UNIT["RestartPreventExitStatus"] == [str(REFUSED)]
    assert UNIT["StartLimitIntervalSec"] == ["0"]


def test_it_waits_for_nothing() -> None:
    assert not {"After", "Wants", "Requires", "ExecStartPre"} & UNIT.keys()


def test_it_reads_the_configuration_where_the_program_looks_for_it() -> None:
    assert UNIT["ExecStart"] == [f"/opt/reedlight/bin/reedlight run --config {config.WHERE}"]


# --------------------------------------------------------------------------------------------- the rule


def test_the_rule_is_about_the_pico_that_the_program_looks_for() -> None:
    text = (SERVICE / "60-reedlight.rules").read_text()
    vendor, product = pico.USB_ID
    assert f'ATTRS{{idVendor}}=="{vendor:04x}", ATTRS{{idProduct}}=="{product:04x}"' in text
    assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in text
    assert 'GROUP="dialout"' in text
