"""The Raspberry Pi about itself: what it is, which devices it offers, whether this user may use them.

    /proc/device-tree/model             its name; a computer that is no Raspberry Pi has another or none
    /dev/gpiochip*  ──ioctl──► label    which of its chips has the pins of the header
    /dev/spidev*, i2c-*, tty*           the devices, whose group may use them
    /sys/bus/usb/devices                what is plugged in, as the kernel numbers it
    /sys/devices/.../get_throttled      whether the voltage was too low or the processor too hot
    /sys/fs/cgroup/system.slice         whether the board is being played on

Everything is read without opening a port and without changing anything, and nothing is waited for. What a
computer does not tell is empty or None, never an error: the question is asked where things are already wrong.

Which devices a board needs, and what to do about those that are missing, is not known here.
"""

from __future__ import annotations

import fcntl
import grp
import os
import pwd
import re
import struct
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import MappingProxyType

HEADER_LABELS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""What the kernel calls the chip whose pins are on the header: up to the Pi 3, on the Pi 4, on the Pi 5."""
RASPBERRY_PI = 0x2E8A
"""The vendor number of everything by Raspberry Pi on the USB."""
VCGENCMD_WITHIN = 2.0
"""Seconds for the firmware's own tool to answer; it takes some milliseconds."""

# ------------------------------------------------------------------------------------------ the facts


class Access(Enum):
    """Whether a device file can be used."""

    ABSENT = "absent"
    FORBIDDEN = "forbidden"
    USABLE = "usable"


@dataclass(frozen=True, slots=True)
class Device:
    """A device file: whether this user may use it, and whose group may."""

    access: Access
    group: str = ""


@dataclass(frozen=True, slots=True)
class Usb:
    """Something on the USB: its numbers and what it says of itself."""

    vendor: int
    product: int
    serial: str
    name: str


@dataclass(frozen=True, slots=True)
class User:
    """Who asks: the groups of this program, and those that the system has listed for the name by now."""

    name: str
    groups: frozenset[str]
    listed: frozenset[str]


class Trouble(Enum):
    """What slows a Raspberry Pi down: its bit among the flags, and 16 above it the same since the start."""

    LOW_VOLTAGE = 0
    CAPPED = 1
    THROTTLED = 2
    HOT = 3


SINCE_START = 16
"""How far above a flag lies the one that remembers it."""


@dataclass(frozen=True, slots=True)
class Pi:
    """One computer at one moment."""

    model: str = ""
    """What it calls itself; empty if it does not say."""
    user: User = field(default_factory=lambda: User("", frozenset(), frozenset()))
    chips: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    """For every GPIO chip's path its label; empty where it may not be asked."""
    devices: Mapping[str, Device] = field(default_factory=lambda: _NO_DEVICES)
    """Every device file that a board might use, by its path."""
    usb: tuple[Usb, ...] = ()
    flags: int | None = None
    """What slowed it down, now and since the start; None where it is not told."""
    services: tuple[str, ...] = ()
    """The services of this program that run now."""

    @property
    def is_raspberry(self) -> bool:
        """Whether it is a Raspberry Pi."""
        return self.model.startswith("Raspberry Pi")

    def device(self, path: str) -> Device:
        """The device file at this path."""
        return self.devices.get(path, _ABSENT)

    def now(self) -> frozenset[Trouble]:
        """What slows it down at this moment."""
        return frozenset(each for each in Trouble if (self.flags or 0) >> each.value & 1)

    def since_start(self) -> frozenset[Trouble]:
        """What has slowed it down since it was started."""
        return frozenset(each for each in Trouble if (self.flags or 0) >> SINCE_START + each.value & 1)

    @property
    def chip_used(self) -> str:
        """The path of the GPIO chip that gpiozero opens: the fifth on a Pi 5 that has one, else the first."""
        fifth = "/dev/gpiochip4"
        return fifth if self.model.startswith("Raspberry Pi 5") and fifth in self.devices else "/dev/gpiochip0"


_NOTHING: Mapping[str, str] = MappingProxyType({})
_NO_DEVICES: Mapping[str, Device] = MappingProxyType({})
_ABSENT = Device(Access.ABSENT)

# ---------------------------------------------------------------------------------------- reading them


def usable(path: Path) -> bool:
    """Whether this user may read and write a file."""
    return os.access(path, os.R_OK | os.W_OK)


# The kernel's gpiochip_info: a name, a label, and how many lines there are.
_CHIP = struct.Struct("32s32sI")
_GET_CHIP = 0x8044_B401


def label(path: Path) -> str:
    """What the kernel calls a GPIO chip; empty for one that may not be opened, or is none."""
    with suppress(OSError), path.open("rb", buffering=0) as file:
        _, name, _ = _CHIP.unpack(fcntl.ioctl(file, _GET_CHIP, bytes(_CHIP.size)))
        return _text(name)
    return ""


def user() -> User:
    """Who runs this program."""
    number = os.geteuid()
    groups = frozenset(_group(each) for each in {os.getegid(), *os.getgroups()})
    try:
        entry = pwd.getpwuid(number)
    except KeyError:
        return User(str(number), groups, frozenset())
    return User(entry.pw_name, groups, frozenset(_group(each) for each in os.getgrouplist(entry.pw_name, entry.pw_gid)))


def vcgencmd() -> str:
    """What the firmware's own tool says of being throttled, where it is installed."""
    with suppress(OSError, subprocess.SubprocessError):
        asked = ("vcgencmd", "get_throttled")
        return subprocess.run(  # noqa: S603  # the command is above
            asked, capture_output=True, text=True, check=True, timeout=VCGENCMD_WITHIN
        ).stdout
    return ""


@dataclass(frozen=True, slots=True)
class System:
    """Where the facts are found; a simulated computer has files and answers of its own."""

    root: Path = Path("/")
    usable: Callable[[Path], bool] = usable
    label: Callable[[Path], str] = label
    user: Callable[[], User] = user
    vcgencmd: Callable[[], str] = vcgencmd


THIS_SYSTEM = System()

_DEVICES = ("gpiochip*", "spidev*", "i2c-*", "ttyACM*", "ttyUSB*")
_FLAGS = "sys/devices/platform/soc*/soc*:firmware/get_throttled"
_UNIT = "sys/fs/cgroup/system.slice/reedlight*.service"


def facts(system: System = THIS_SYSTEM) -> Pi:
    """A computer as it is now."""
    found = {f"/dev/{path.name}": path for pattern in _DEVICES for path in sorted((system.root / "dev").glob(pattern))}
    return Pi(
        model=_read(system.root / "proc/device-tree/model"),
        user=system.user(),
        chips=MappingProxyType({name: system.label(path) for name, path in found.items() if "gpiochip" in name}),
        devices=MappingProxyType({name: _device(path, system) for name, path in found.items()}),
        usb=tuple(_usb(system.root / "sys/bus/usb/devices")),
        flags=_flags(system),
        services=tuple(_services(system.root)),
    )


def _device(path: Path, system: System) -> Device:
    try:
        group = _group(path.stat().st_gid)
    except OSError:  # it has left since it was listed
        return _ABSENT
    return Device(Access.USABLE if system.usable(path) else Access.FORBIDDEN, group)


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def _usb(folder: Path) -> Iterator[Usb]:
    for path in sorted(folder.glob("*")):
        vendor, product = _read(path / "idVendor"), _read(path / "idProduct")
        with suppress(ValueError):  # a hub's own interfaces have no numbers
            yield Usb(int(vendor, 16), int(product, 16), _read(path / "serial"), _read(path / "product"))


def _flags(system: System) -> int | None:
    """The flags as the kernel tells them, or else as the firmware's tool does."""
    for path in sorted(system.root.glob(_FLAGS)):
        with suppress(ValueError):
            return int(_read(path), 16)
    told = re.search(r"throttled=(0x[0-9a-fA-F]+)", system.vcgencmd())
    return int(told[1], 16) if told else None


def _services(root: Path) -> Iterator[str]:
    """The services of ours that have a process, other than the one that this program is part of."""
    for path in sorted(root.glob(_UNIT)):
        processes = _read(path / "cgroup.procs").split()
        if processes and str(os.getpid()) not in processes:
            yield path.name


def _read(path: Path) -> str:
    """The text of a small file; empty if there is none."""
    try:
        return _text(path.read_bytes())
    except OSError:
        return ""


def _text(raw: bytes) -> str:
    """Printable text of what the kernel ends with zeros."""
    return re.sub(r"[^ -~]", "?", raw.partition(b"\0")[0].decode("ascii", "replace").strip())
