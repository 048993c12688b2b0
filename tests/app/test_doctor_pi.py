"""What the Raspberry Pi says of itself, read from folders that look like one."""

from __future__ import annotations

import fcntl
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from reedlight.adapters import pi
from reedlight.adapters.pi import Access, Device, Pi, System, Trouble, Usb, User, facts

ADA = User("ada", frozenset({"gpio"}), frozenset({"gpio", "spi"}))


def write(path: Path, text: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)


def system(root: Path, *, flags: str = "") -> System:
    """A computer whose files are below this folder."""
    return System(root, lambda _: True, lambda path: f"label of {path.name}", lambda: ADA, lambda: flags)


def not_the_spi(path: Path) -> bool:
    return path.name != "spidev0.0"


def test_a_raspberry_pi_is_known_by_the_name_in_its_device_tree(tmp_path: Path) -> None:
    write(tmp_path / "proc/device-tree/model", b"Raspberry Pi 4 Model B Rev 1.4\0")
    found = facts(system(tmp_path))
    assert found.model == "Raspberry Pi 4 Model B Rev 1.4"
    assert found.is_raspberry
    assert found.user == ADA


def test_a_computer_without_any_of_it_is_empty_and_no_raspberry_pi(tmp_path: Path) -> None:
    found = facts(system(tmp_path))
    assert found == Pi(user=ADA)
    assert not found.is_raspberry
    assert found.device("/dev/spidev0.0") == Device(Access.ABSENT)


def test_every_device_is_listed_with_whether_it_can_be_used(tmp_path: Path) -> None:
    for name in ("gpiochip0", "gpiochip4", "spidev0.0", "i2c-1", "ttyACM0", "ttyUSB3", "tty1", "sda"):
        write(tmp_path / "dev" / name, "")
    found = facts(replace(system(tmp_path), usable=not_the_spi))
    assert set(found.devices) == {
        *("/dev/gpiochip0", "/dev/gpiochip4", "/dev/spidev0.0", "/dev/i2c-1", "/dev/ttyACM0", "/dev/ttyUSB3"),
    }
    assert found.device("/dev/spidev0.0").access is Access.FORBIDDEN
    assert found.device("/dev/i2c-1").access is Access.USABLE
    assert found.chips == {"/dev/gpiochip0": "label of gpiochip0", "/dev/gpiochip4": "label of gpiochip4"}


def test_a_device_has_the_group_of_its_file(tmp_path: Path) -> None:
    write(tmp_path / "dev/i2c-1", "")
    if os.geteuid() == 0:
        os.chown(tmp_path / "dev/i2c-1", 0, 54321)
        assert facts(system(tmp_path)).device("/dev/i2c-1").group == "54321"
        os.chown(tmp_path / "dev/i2c-1", 0, 0)
        assert facts(system(tmp_path)).device("/dev/i2c-1").group == "root"
    else:
        assert facts(system(tmp_path)).device("/dev/i2c-1").group in pi.user().groups


def test_a_device_that_leaves_while_it_is_looked_at_is_absent(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/ttyACM0").symlink_to(tmp_path / "gone")
    assert facts(system(tmp_path)).device("/dev/ttyACM0").access is Access.ABSENT


@pytest.mark.parametrize(
    ("model", "chips", "used"),
    [
        ("Raspberry Pi 4 Model B Rev 1.4", ("gpiochip0", "gpiochip4"), "/dev/gpiochip0"),
        ("Raspberry Pi 5 Model B Rev 1.0", ("gpiochip0", "gpiochip4"), "/dev/gpiochip4"),
        ("Raspberry Pi 5 Model B Rev 1.0", ("gpiochip0",), "/dev/gpiochip0"),
    ],
)
def test_the_chip_that_gpiozero_opens_is_the_fifth_of_a_pi_5_that_has_one(
    tmp_path: Path, model: str, chips: tuple[str, ...], used: str
) -> None:
    write(tmp_path / "proc/device-tree/model", model)
    for chip in chips:
        write(tmp_path / "dev" / chip, "")
    assert facts(system(tmp_path)).chip_used == used


def test_what_is_on_the_usb_is_told_by_its_numbers_and_names(tmp_path: Path) -> None:
    at = tmp_path / "sys/bus/usb/devices"
    for name, text in {"idVendor": "2e8a\n", "idProduct": "0005\n", "serial": "e661\n", "product": "Board\n"}.items():
        write(at / "1-1" / name, text)
    for name, text in {"idVendor": "1d6b\n", "idProduct": "0002\n", "product": "Hub \x1b[31m"}.items():
        write(at / "usb1" / name, text)
    (at / "1-1:1.0").mkdir()
    assert facts(system(tmp_path)).usb == (Usb(0x2E8A, 5, "e661", "Board"), Usb(0x1D6B, 2, "", "Hub ?[31m"))


# --------------------------------------------------------------------------------------------- flags


def test_the_flags_are_the_kernels_if_it_tells_them(tmp_path: Path) -> None:
    write(tmp_path / "sys/devices/platform/soc/soc:firmware/get_throttled", "50005\n")
    found = facts(system(tmp_path, flags="throttled=0x0\n"))
    assert found.now() == {Trouble.LOW_VOLTAGE, Trouble.THROTTLED}
    assert found.since_start() == {Trouble.LOW_VOLTAGE, Trouble.THROTTLED}


@pytest.mark.parametrize(
    ("said", "flags"), [("throttled=0x80008\n", 0x80008), ("throttled=0x0\n", 0), ("VCHI failed\n", None), ("", None)]
)
def test_else_they_are_what_the_firmwares_tool_says(tmp_path: Path, said: str, flags: int | None) -> None:
    write(tmp_path / "sys/devices/platform/soc/soc:firmware/get_throttled", "no number\n")
    assert facts(system(tmp_path, flags=said)).flags == flags


def test_flags_that_are_not_told_are_no_trouble() -> None:
    assert Pi().now() == Pi().since_start() == frozenset()


# ------------------------------------------------------------------------------------------ services


def test_a_service_runs_while_it_has_a_process_that_is_not_this_one(tmp_path: Path) -> None:
    at = tmp_path / "sys/fs/cgroup/system.slice"
    write(at / "reedlight.service/cgroup.procs", "812\n813\n")
    write(at / "reedlight-other.service/cgroup.procs", f"{os.getpid()}\n")
    write(at / "reedlight-stopped.service/cgroup.procs", "")
    write(at / "cron.service/cgroup.procs", "99\n")
    assert facts(system(tmp_path)).services == ("reedlight.service",)


# -------------------------------------------------------------------------------------- this computer


def test_this_computer_can_be_asked_whatever_it_is() -> None:
    found = facts()
    assert found.user == pi.user()
    assert found.user.name


def test_a_user_without_a_name_has_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    assert pi.user().name == "54321"
    assert pi.user().listed == frozenset()


def test_a_file_can_be_used_if_it_may_be_read_and_written(tmp_path: Path) -> None:
    write(tmp_path / "device", "")
    assert pi.usable(tmp_path / "device")
    assert not pi.usable(tmp_path / "none")


def test_what_is_no_gpio_chip_has_no_label(tmp_path: Path) -> None:
    write(tmp_path / "file", "")
    assert pi.label(tmp_path / "file") == ""
    assert pi.label(tmp_path / "none") == ""


def test_the_label_of_a_chip_is_the_second_name_that_the_kernel_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "gpiochip0", "")
    asked: list[tuple[int, int]] = []

    def ioctl(_file: object, request: int, room: bytes) -> bytes:
        asked.append((request, len(room)))
        return b"gpiochip0".ljust(32, b"\0") + b"pinctrl-rp1".ljust(32, b"\0") + (54).to_bytes(4, "little")

    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    assert pi.label(tmp_path / "gpiochip0") == "pinctrl-rp1"
    assert asked == [(0x8044_B401, 68)]


def test_the_firmwares_tool_is_asked_where_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert pi.vcgencmd() == ""
    tool = tmp_path / "vcgencmd"
    write(tool, '#!/bin/sh\necho "throttled=0x$1"\n')
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    assert pi.vcgencmd() == "throttled=0xget_throttled\n"
    write(tool, "#!/bin/sh\nexit 1\n")
    assert pi.vcgencmd() == ""
