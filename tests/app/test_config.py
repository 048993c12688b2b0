"""The configuration: what it means, and what is said of every mistake."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reedlight.app.config import EXAMPLE, PORT, SCHEMA, Config, Web, load, read
from reedlight.app.seating import UNNAMED
from reedlight.board.profile import ConfigError
from reedlight.board.toml import packaged_text
from reedlight.core.game import Side
from reedlight.session.settings import PERSON, Commit, Guidance, Seat, Timing

HERE = Path("/somewhere/reedlight.toml")
SHORTEST = '[board]\nprofile = "oak-8x8"\n'
WHOLE = """\
[board]
profile = "hex-61"
brightness = 0.5

[game]
name = "herd"
size = "3"

[play]
commit = "button"
guidance_light = "targets"
guidance_dark = "errors"
name_light = "Ada"
name_dark = "Grace H."
light = "person"
dark = "engine-scan"

[computer]
seconds = 1.5
engines = ["scan=/usr/games/scan 'a file'"]

[timing]
follow = 0.2
settle = 1
grace = 2.5

[page]
served = true
address = "192.168.0.7"
port = 8000

[games]
file = "/srv/games.db"

[log]
level = "debug"
trace = "/srv/board.trace"
"""


def refusal_of(text: str) -> str:
    with pytest.raises(ConfigError) as refused:
        read(text, HERE)
    return str(refused.value)


# ---------------------------------------------------------------------------------------- what it means


def test_only_the_board_has_to_be_named_and_everything_else_has_its_default() -> None:
    config = read(SHORTEST, HERE)
    assert config.board.name == "oak-8x8"
    assert config.brightness == 0.8
    assert config.choice.game.name == "diablo"
    assert config.choice.settings.commit is Commit.SETTLE
    assert config.choice.settings.timing == Timing()
    assert set(config.choice.settings.guidance.values()) == {Guidance.FULL}
    assert set(config.choice.names.values()) == {UNNAMED}
    assert config.web == Web("127.0.0.1", PORT)
    assert config.games is None
    assert config.log_level == logging.INFO
    assert config.trace is None


def test_every_key_is_heeded() -> None:
    config = read(WHOLE, HERE)
    assert config.board.name == "hex-61"
    assert config.brightness == 0.5
    assert config.choice.game.grid.name == "hexhex-3"
    assert config.choice.settings.commit is Commit.BUTTON
    assert config.choice.settings.guidance == {Side.LIGHT: Guidance.TARGETS, Side.DARK: Guidance.ERRORS}
    assert config.choice.names == {Side.LIGHT: "Ada", Side.DARK: "Grace H."}
    assert config.choice.settings.timing == Timing(0.2, 1.0, 2.5)
    assert config.web == Web("192.168.0.7", 8000)
    assert config.games == Path("/srv/games.db")
    assert config.log_level == logging.DEBUG
    assert config.trace == Path("/srv/board.trace")


def test_the_text_above_has_every_key_there_is() -> None:
    written: set[str] = set()
    table = ""
    for line in WHOLE.splitlines():
        table = line.strip("[]") if line.startswith("[") else table
        if " = " in line:
            written.add(f"{table}.{line.partition(' ')[0]}")
    assert written == {key.path for key in SCHEMA.keys}


def test_a_program_may_sit_on_either_side() -> None:
    config = read(f'{SHORTEST}[play]\nlight = "computer-6"\n', HERE)
    assert config.choice.settings.seats == {Side.LIGHT: Seat(level=6), Side.DARK: PERSON}
    config = read(WHOLE, HERE)
    assert config.choice.settings.seats[Side.DARK] == Seat(engine="scan")
    assert (config.seconds, config.engines) == (1.5, {"scan": ["/usr/games/scan", "a file"]})
    assert config.choice.engines == ("scan",)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[play]\ndark = "engine-x"', "play.dark: there is no engine x under computer.engines; there is none"),
        (
            '[play]\ndark = "engine-x"\n[computer]\nengines = ["y=z"]',
            "play.dark: there is no engine x under computer.engines; there is y",
        ),
        (
            '[play]\ndark = "computer-9"',
            "play.dark: person, computer-1 to computer-6, or engine-NAME is needed, not the text 'computer-9'",
        ),
        ('[computer]\nengines = ["x=a", "x=b"]', "computer.engines: the engine x is there twice"),
        ('[computer]\nengines = ["x"]', "computer.engines: NAME=COMMAND is needed, not the text 'x'"),
        ('[computer]\nengines = "x=a"', "computer.engines: a list of texts, each NAME=COMMAND is needed"),
        (
            '[computer]\nengines = ["x=a \'b"]',
            "computer.engines: the command of x cannot be read (no closing quotation)",
        ),
    ],
)
def test_a_program_that_cannot_sit_there_is_refused(text: str, why: str) -> None:
    assert refusal_of(f"{SHORTEST}{text}\n").startswith(f"{HERE}: {why}")


def test_a_board_may_be_without_a_page() -> None:
    assert read(f"{SHORTEST}[page]\nserved = false\n", HERE).web is None


@pytest.mark.parametrize("address", ["localhost", "board.local", "192.168.0.7", "::1", "fd00::8320"])
def test_the_page_may_be_at_a_name_or_a_number(address: str) -> None:
    assert read(f'{SHORTEST}[page]\naddress = "{address}"\n', HERE).web == Web(address, PORT)


def test_the_example_is_a_configuration() -> None:
    assert read(EXAMPLE, HERE).board.name == "oak-8x8"


def test_the_example_says_what_would_hold_without_it() -> None:
    assert "[game]" in EXAMPLE
    assert "[page]" in EXAMPLE
    assert read(EXAMPLE, HERE) == read(SHORTEST, HERE)


# ------------------------------------------------------------------------------------------ the profile


def test_a_profile_of_ones_own_is_looked_for_beside_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "my-board.toml").write_text(packaged_text("hex-61").replace('name = "hex-61"', 'name = "mine"'))
    configuration = tmp_path / "reedlight.toml"
    configuration.write_text('[board]\nprofile = "my-board.toml"\n[game]\nname = "herd"\n')
    assert load(configuration).board.name == "mine"


def test_a_profile_may_be_anywhere(tmp_path: Path) -> None:
    anywhere = tmp_path / "a folder" / "board.toml"
    anywhere.parent.mkdir()
    anywhere.write_text(packaged_text("budget-8x8"))
    assert read(f'[board]\nprofile = "{anywhere}"\n', HERE).board.name == "budget-8x8"


def test_a_mistake_in_a_profile_is_told_with_its_own_file_and_key(tmp_path: Path) -> None:
    (tmp_path / "my-board.toml").write_text(packaged_text("oak-8x8").replace("size = 8", "size = 88", 1))
    with pytest.raises(ConfigError, match=r"reedlight\.toml: board\.profile: my-board\.toml: cells\.size: .*88"):
        read('[board]\nprofile = "my-board.toml"\n', tmp_path / "reedlight.toml")


# ---------------------------------------------------------------------------------------- files


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: cannot be read \(No such file or directory\)"):
        load(tmp_path / "nowhere.toml")


def test_a_folder_is_no_configuration(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot be read \(Is a directory\)"):
        load(tmp_path)


def test_what_is_no_text_is_refused_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "reedlight.toml"
    file.write_bytes(b"[board]\xff")
    with pytest.raises(ConfigError, match=r"reedlight\.toml: is not text in UTF-8 \(byte 7\)"):
        load(file)


def test_what_is_far_too_long_is_not_read_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "reedlight.toml"
    file.write_bytes(SHORTEST.encode() + b"\n" * 300_000)
    with pytest.raises(ConfigError, match=r"more than 256 kilobytes"):
        load(file)


def test_the_mark_that_some_editors_put_first_does_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "reedlight.toml"
    file.write_bytes(b"\xef\xbb\xbf" + SHORTEST.encode())
    assert load(file).board.name == "oak-8x8"


def test_a_name_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(ConfigError, match="a file cannot have this name"):
        load(Path("no\0where.toml"))


# ------------------------------------------------------------------------------------------ mistakes


def of_board(line: str) -> str:
    return f"{SHORTEST}{line}\n"


@pytest.mark.parametrize(
    ("text", "key", "reason"),
    [
        ("", "board", "the table [board] is missing"),
        ("[board]", "board.profile", "is missing: a board's name, or a file is needed"),
        ("board = 1", "board", "a table [board] is needed, not 1"),
        (f"[[board]]\n{SHORTEST.partition(chr(10))[2]}", "board", "a table [board] is needed, not a list"),
        ('profile = "oak-8x8"', "profile", "there is no such key or table; there are board, game"),
        ('[board]\nprofile = "oak"', "board.profile", "there is no board 'oak'; there are budget-8x8"),
        ('[board]\nprofile = "my.toml"', "board.profile", "/somewhere/my.toml: cannot be read (No such file"),
        ('[board]\nprofile = ""', "board.profile", "a board's name, or a file is needed, not the text ''"),
        ("[board]\nprofile = 8", "board.profile", "a board's name, or a file is needed, not 8"),
        ('[board]\nprofile = "a\\nb.toml"', "board.profile", r"not the text 'a\nb.toml'"),
        (of_board("brightnes = 1"), "board.brightnes", "there is no such key in [board]; did you mean brightness?"),
        (of_board('"a\\nb" = 1'), r"board.'a\nb'", "there is no such key in [board]"),
        (of_board("brightness = 0.2"), "board.brightness", "a number of times full brightness from 0.3 to 1 is needed"),
        (of_board("brightness = 1.1"), "board.brightness", "not the number 1.1"),
        (of_board("brightness = nan"), "board.brightness", "not the number nan"),
        (of_board("brightness = true"), "board.brightness", "not true"),
        (of_board('brightness = "full"'), "board.brightness", "not the text 'full'"),
        (of_board("[pages]\nport = 80"), "pages", "there is no such key or table; did you mean page?"),
        (of_board('[game]\nname = "chess"'), "game.name", "there is no 'chess'; there are diablo, draughts and herd"),
        (of_board("[game]\nname = 1"), "game.name", "diablo, draughts or herd is needed, not 1"),
        (of_board('[game]\nsize = "9"'), "game.size", "size '9' does not exist; take an even number from 2 to 26"),
        (of_board("[game]\nsize = 8"), "game.size", "a size of the game is needed, not 8"),
        (of_board('[game]\nsize = "10"'), "game.name", "the board has 64 cells and square-10x10 needs 100"),
        (of_board('[play]\ncommit = "now"'), "play.commit", "there is no 'now'; there are settle, button and opponent"),
        (of_board('[play]\nguidance_light = "some"'), "play.guidance_light", "there is no 'some'"),
        (of_board("[play]\nguidance_dark = 0"), "play.guidance_dark", "full, targets or errors is needed, not 0"),
        (of_board('[play]\nname_light = ""'), "play.name_light", "a name of 1 to 24 characters is needed"),
        (of_board('[play]\nname_dark = "   "'), "play.name_dark", "a name of 1 to 24 characters is needed"),
        (of_board(f'[play]\nname_dark = "{"x" * 25}"'), "play.name_dark", "a name of 1 to 24 characters is needed"),
        (of_board('[play]\nname_dark = "a\\u0007"'), "play.name_dark", "a name of 1 to 24 characters is needed"),
        (of_board("[timing]\nfollow = 0.04"), "timing.follow", "a number of seconds from 0.05 to 60 is needed"),
        (of_board("[timing]\nsettle = 0.15"), "timing.settle", "the waits must grow: follow 0.15, settle 0.15"),
        (of_board("[timing]\ngrace = 0.4"), "timing.settle", "the waits must grow: follow 0.15, settle 0.4, grace 0.4"),
        (of_board('[timing]\ngrace = "1 s"'), "timing.grace", "not the text '1 s'"),
        (of_board("[page]\nserved = 1"), "page.served", "true or false is needed, not 1"),
        (of_board('[page]\naddress = "a..b"'), "page.address", "an address, or a name of this machine is needed"),
        (of_board('[page]\naddress = "http://me/"'), "page.address", "not the text 'http://me/'"),
        (of_board(f'[page]\naddress = "{"a" * 64}"'), "page.address", "an address, or a name of this machine"),
        (of_board("[page]\nport = 65536"), "page.port", "a whole number from 0 to 65535 is needed, not 65536"),
        (of_board("[page]\nport = -1"), "page.port", "not -1"),
        (of_board("[page]\nport = true"), "page.port", "not true"),
        (of_board("[page]\nport = 99999999999999"), "page.port", "not a number of more than twelve digits"),
        (
            of_board('[games]\nfile = "games.db"'),
            "games.file",
            "a whole path such as /srv/games.db is needed, not the text 'games.db'",
        ),
        (of_board('[log]\nlevel = "all"'), "log.level", "there is no 'all'; there are debug, info and warning"),
        (of_board('profile = "hex-61"'), "line 3, column 19", "this is not TOML"),
        ("[board", "line 1, column 7", "this is not TOML"),
        (f"a = {'[' * 5000}", "its lists and tables are nested too deeply to be read", ""),
        (f"a = {'1' * 5000}", "one of its numbers has too many digits to be read", ""),
    ],
)
def test_a_mistake_is_refused_with_file_key_and_reason(text: str, key: str, reason: str) -> None:
    said = refusal_of(text)
    assert said.startswith(f"{HERE}: {key}{':' if reason else ''}"), said
    assert reason in said


def test_the_key_of_every_mistake_is_one_that_the_file_may_have() -> None:
    """Each key gives its own name when its value is no value at all."""
    for key in SCHEMA.keys:
        table, _, name = key.path.rpartition(".")
        rest = "" if table == "board" else SHORTEST
        assert refusal_of(f"{rest}[{table}]\n{name} = 1979-05-27\n").startswith(f"{HERE}: {key.path}: "), key.path


UNHURRIED = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])  # on a busy machine
LINES = [*WHOLE.splitlines(), "", "[board]", "size = 12", "port = []", "x = {a = 1}", '"" = ""', "grace = inf"]


@UNHURRIED
@given(st.lists(st.sampled_from(LINES), max_size=30))
def test_any_lines_are_a_configuration_or_refused_in_one_line(lines: list[str]) -> None:
    assert_read_or_refused("\n".join(lines))


@UNHURRIED
@given(st.integers(0, len(WHOLE)), st.integers(0, 6), st.text(max_size=4))
def test_any_slip_in_a_text_makes_a_configuration_or_is_refused_in_one_line(at: int, cut: int, typed: str) -> None:
    assert_read_or_refused(WHOLE[:at] + typed + WHOLE[at + cut :])


def assert_read_or_refused(text: str) -> None:
    try:
        assert isinstance(read(text, HERE), Config)
    except ConfigError as refused:
        said = str(refused)
        assert re.match(rf"{HERE}: \S", said)
        assert said.isprintable()
        assert len(said) < 500
