"""The installer: what it prints is what it does, below another root, with a Python that only pretends to install."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from reedlight.app.config import EXAMPLE, load

TREE = Path(__file__).resolve().parents[2]
REEDLIGHT = Path(sys.executable).with_name("reedlight")

# It makes environments that hold nothing but itself, and installs a program that is the one under test.
PYTHON = f"""\
#!/bin/sh
echo "$0 $*" >> "$CALLS"
case "$1 $2" in
  "-m venv") for folder; do :; done; mkdir -p "$folder/bin"; cp "$0" "$folder/bin/python" ;;
  "-m pip") [ ! -e "$CALLS.offline" ] || {{ echo "No network" >&2; exit 1; }}
    printf '#!/bin/sh\\nexec "{REEDLIGHT}" "$@"\\n' > "$(dirname "$0")/reedlight"
    chmod +x "$(dirname "$0")/reedlight" ;;
esac
"""
SOMEBODY = '#!/bin/sh\n[ "$1" = -u ] && echo 1000\n'
HARMLESS = '#!/bin/sh\necho "$0 $*" >> "$CALLS"\n'
CHANGING = ("getent", "groupadd", "install", "python3", "rm", "systemctl", "udevadm", "useradd")
"""The commands by which the installer changes a system."""
UNIT = "etc/systemd/system/reedlight.service"
RULE = "etc/udev/rules.d/60-reedlight.rules"
SETTINGS = "etc/reedlight/reedlight.toml"
PROGRAM = "opt/reedlight/bin/reedlight"


@dataclass(frozen=True)
class Ended:
    """How a run of the installer ended."""

    status: int
    said: str
    complained: str


class Installer:
    """The installer in a tree of its own, with another root and commands of its own before the system's."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root of another system"
        self.tree = folder / "a clone"
        self.commands = folder / "commands"
        self.calls = folder / "calls"
        for each in (self.root, self.tree / "controller", self.commands):
            each.mkdir(parents=True)
        shutil.copytree(TREE / "controller" / "service", self.tree / "controller" / "service")
        self.pretend("python3", PYTHON)

    def pretend(self, command: str, text: str) -> None:
        """Put a command before the system's."""
        (self.commands / command).write_text(text)
        (self.commands / command).chmod(0o755)

    def run(self, *options: str, answer: str = "", live: bool = False, mask: int = 0o022) -> Ended:
        """Run it to its end; live, it is after the system that it runs on."""
        environment = {
            "PATH": f"{self.commands}:{os.environ['PATH']}",
            "CALLS": str(self.calls),
            **({} if live else {"DESTDIR": str(self.root)}),
        }
        done = subprocess.run(  # noqa: S603  # the project's own script
            [str(self.tree / "controller" / "service" / "install"), *options],
            input=answer,
            capture_output=True,
            text=True,
            check=False,
            env=environment,
            umask=mask,
        )
        return Ended(done.returncode, done.stdout, done.stderr)

    @property
    def files(self) -> set[str]:
        """Everything below the other root."""
        return {str(path.relative_to(self.root)) for path in self.root.rglob("*") if not path.is_dir()}

    @property
    def called(self) -> str:
        """What Python was called to do."""
        return self.calls.read_text() if self.calls.exists() else ""


@pytest.fixture
def installer(tmp_path: Path) -> Installer:
    return Installer(tmp_path)


# ---------------------------------------------------------------------------------------- what is printed


def test_the_plan_tells_every_step_and_does_none(installer: Installer) -> None:
    ended = installer.run("--plan", live=True)
    assert ended.status == 0
    assert ended.complained == ""
    steps = re.findall(r"^  (\S.*)", ended.said, re.MULTILINE)
    assert [step.split()[:2] for step in steps] == [
        ["the", "groups"],
        ["a", "user"],
        ["a", "Python"],
        ["the", "program"],
        ["a", "folder"],
        ["a", "configuration"],
        ["the", "service"],
        ["a", "rule"],
        ["udev", "reads"],
        ["systemd", "reads"],
        ["the", "service"],
        ["the", "service"],
    ]
    assert "systemctl enable reedlight\n" in ended.said
    assert "/opt/reedlight/bin/python -m pip install" in ended.said
    assert installer.called == ""


def test_the_plan_below_another_root_leaves_users_and_services_alone(installer: Installer) -> None:
    ended = installer.run("--plan")
    assert "systemctl" not in ended.said
    assert "udevadm" not in ended.said
    assert " user" not in ended.said
    assert installer.files == set()
    assert installer.called == ""


def test_a_printed_command_can_be_typed(installer: Installer) -> None:
    ended = installer.run("--plan")
    line = next(line for line in ended.said.splitlines() if "install -D" in line and ".service" in line)
    subprocess.run(["bash", "-c", line], check=True)  # noqa: S603, S607  # what was printed
    assert installer.files == {UNIT}


def test_the_removal_says_what_is_kept(installer: Installer) -> None:
    ended = installer.run("--remove", "--plan", live=True)
    assert "keeps /etc/reedlight, /var/lib/reedlight and the user reedlight" in ended.said
    assert "rm -rf /opt/reedlight\n" in ended.said


# ------------------------------------------------------------------------------------------ what is done


def test_it_installs_a_program_a_configuration_a_service_and_a_rule(installer: Installer) -> None:
    ended = installer.run("--yes")
    assert (ended.status, ended.complained) == (0, "")
    assert ended.said.endswith("Installed. The board's log: journalctl -u reedlight -f\n")
    assert installer.files == {UNIT, RULE, SETTINGS, PROGRAM, "opt/reedlight/bin/python"}
    service = installer.tree / "controller" / "service"
    assert (installer.root / UNIT).read_bytes() == (service / "reedlight.service").read_bytes()
    assert (installer.root / RULE).read_bytes() == (service / "60-reedlight.rules").read_bytes()
    assert (installer.root / SETTINGS).read_text() == EXAMPLE
    assert load(installer.root / SETTINGS).board.name == "oak-8x8"


def test_the_environment_sees_the_systems_packages_and_gets_the_clone(installer: Installer) -> None:
    installer.run("--yes")
    environment, program = installer.called.splitlines()
    assert environment.endswith(f"-m venv --system-site-packages {installer.root}/opt/reedlight")
    assert program.endswith(f"-m pip install --quiet --upgrade {installer.tree}")


def test_whoever_runs_it_the_service_can_read_all_of_it(installer: Installer) -> None:
    installer.run("--yes", mask=0o077)
    for path in installer.root.rglob("*"):
        wanted = stat.S_IROTH | (stat.S_IXOTH if path.is_dir() else 0)
        assert path.stat().st_mode & wanted == wanted, path


def test_installing_again_updates_the_program_and_keeps_the_configuration(installer: Installer) -> None:
    installer.run("--yes")
    mine = EXAMPLE.replace("diablo", "draughts")
    (installer.root / SETTINGS).write_text(mine)
    (installer.root / UNIT).write_text("old")
    (installer.root / PROGRAM).write_text("old")
    assert installer.run("--yes").status == 0
    assert (installer.root / SETTINGS).read_text() == mine
    assert "[Service]" in (installer.root / UNIT).read_text()
    assert (installer.root / PROGRAM).read_text() != "old"


def test_it_asks_first(installer: Installer) -> None:
    assert installer.run(answer="y\n").status == 0
    assert UNIT in installer.files


@pytest.mark.parametrize("answer", ["n\n", "\n", "maybe\n", ""])
def test_without_a_yes_nothing_is_done(installer: Installer, answer: str) -> None:
    ended = installer.run(answer=answer)
    assert ended.status == 1
    assert ended.said.endswith("Nothing was done.\n")
    assert installer.files == set()
    assert installer.called == ""


def test_removing_keeps_the_configuration_and_the_games(installer: Installer) -> None:
    installer.run("--yes")
    games = installer.root / "var/lib/reedlight/games.db"
    games.parent.mkdir(parents=True)
    games.touch()
    ended = installer.run("--remove", "--yes")
    assert (ended.status, ended.complained) == (0, "")
    assert ended.said.endswith("Removed.\n")
    assert installer.files == {SETTINGS, "var/lib/reedlight/games.db"}


def test_removing_what_is_not_there_is_done_at_once(installer: Installer) -> None:
    assert installer.run("--remove", "--yes").status == 0


# ------------------------------------------------------------------------------------------ what goes wrong


def test_a_step_that_fails_is_named_and_the_last(installer: Installer) -> None:
    Path(f"{installer.calls}.offline").touch()
    ended = installer.run("--yes")
    assert ended.status == 1
    assert ended.complained == "No network\ninstall: this step failed: the program in it\n"
    assert not {UNIT, RULE, SETTINGS} & installer.files
    assert "Installed." not in ended.said


def test_without_its_program_no_configuration_is_written(installer: Installer) -> None:
    installer.run("--yes")
    (installer.root / SETTINGS).unlink()
    installer.pretend("python3", PYTHON.replace(f'exec "{REEDLIGHT}"', "exit 3 #"))
    ended = installer.run("--yes")
    assert ended.status == 3
    assert ended.complained.startswith("install: this step failed: a configuration to begin with")
    assert SETTINGS not in installer.files


def test_an_unknown_option_is_refused_with_those_there_are(installer: Installer) -> None:
    ended = installer.run("--plam")
    assert ended.status == 2
    assert ended.said == ""
    assert ended.complained == "install: there is no option --plam; there are --remove, --plan and --yes\n"


@pytest.mark.parametrize("options", [("--yes",), ("--remove", "--yes")])
def test_only_root_may_change_the_system(installer: Installer, options: tuple[str, ...]) -> None:
    installer.pretend("id", SOMEBODY)
    for command in CHANGING:
        installer.pretend(command, HARMLESS)
    ended = installer.run(*options, live=True)
    assert ended.status == 1
    assert ended.complained.startswith("install: only root may do this; try: sudo ")
    assert ended.complained.endswith(f"/install {' '.join(options)}\n")
    assert installer.called == ""


def test_the_groups_that_it_makes_are_those_of_the_unit() -> None:
    service = TREE / "controller" / "service"
    made = re.search(r"for group in (.*);", (service / "install").read_text())
    assert made
    assert f"SupplementaryGroups={made[1].partition(';')[0]}\n" in (service / "reedlight.service").read_text()
