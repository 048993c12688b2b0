"""The Pico before the doctor: the real firmware in MicroPython, other firmware, and things that are no Pico.

What is only looked at on the USB needs no process. The firmware lives in the system's time, and the doctor here
with it; nothing is asserted of how long anything takes.
"""

from __future__ import annotations

import os
import pty
import shutil
import time
import tty
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from doctor_bench import SHORT, Case, at, case, with_firmware
from serial.tools.list_ports_common import ListPortInfo

from reedlight.adapters.pi import Access, Device, Usb, User
from reedlight.adapters.pico import USB_ID, SerialPort, find
from reedlight.board.profile import Matrix, Pico, PicoPins, Profile
from reedlight.board.toml import load_packaged
from reedlight.core.grid import Cell
from reedlight.scene.scene import Button
from reedlight_sim import pico as simulated_pico
from reedlight_sim.cable import Cable, Harm
from reedlight_sim.pico import TO_GROUND, TO_SUPPLY, Defects

OAK = load_packaged("oak-8x8")
OF_THE_PICO = ("Pico", "Firmware", "Ports", "Switches at rest")
BOOTSEL = Usb(0x2E8A, 0x0003, "E0C9125B0D9B", "RP2 Boot")


# ------------------------------------------------------------------------------------------- plugged


def port(device: str, usb: Usb) -> ListPortInfo:
    """A serial port on the USB, as pyserial lists it."""
    listed = ListPortInfo(device)
    listed.vid, listed.pid, listed.serial_number, listed.product = usb.vendor, usb.product, usb.serial, usb.name
    return listed


def plugged(profile: Profile, *usb: Usb) -> Case:
    """A board beside a computer with these things on its USB, those that are serial ports at ttyACM0 and so on."""
    doctor = case(profile)
    ports = [port(f"/dev/ttyACM{at}", each) for at, each in enumerate(usb) if each != BOOTSEL]
    doctor.machine = replace(doctor.machine, pico=partial(find, ports=lambda: ports))
    doctor.facts = replace(doctor.facts, usb=usb)
    doctor.quick = True
    return doctor


def pico(serial: str) -> Usb:
    return Usb(*USB_ID, serial, "Board in FS mode")


def of(serial: str) -> Profile:
    """The oak board, whose profile names its Pico."""
    assert isinstance(OAK.reader, Pico)
    return replace(OAK, reader=replace(OAK.reader, serial=serial))


@pytest.mark.parametrize(
    ("profile", "usb", "said"),
    [
        (OAK, (), ("No Pico is plugged in. why Its cable is off or carries no data", "a cable that carries data")),
        (OAK, (Usb(0x1A86, 0x7523, "", "USB Serial"),), ("No Pico is plugged in; on the USB there is USB Serial at",)),
        (
            OAK,
            (pico("e66141"), pico("e66142")),
            (
                "2 Picos are plugged in, e66141 at /dev/ttyACM0, e66142 at /dev/ttyACM1",
                'write serial = "e66141", or another number, under [scan]',
            ),
        ),
        (
            of("e66140"),
            (pico("e66141"),),
            ("The Pico e66140 is not plugged in; there is e66141", 'or write serial = "e66141" under [scan]'),
        ),
        (OAK, (BOOTSEL,), ("as a drive that waits for a program", "Copy MicroPython for the Pico (a UF2 file)")),
        (OAK, (Usb(0x2E8A, 0x000A, "1", "Debug Probe"),), ("or another program than MicroPython is on it",)),
    ],
)
def test_a_pico_that_is_not_found_is_told_once_with_the_reason(
    profile: Profile, usb: tuple[Usb, ...], said: Sequence[str]
) -> None:
    doctor = plugged(profile, *usb)
    assert doctor.examined() == 1
    assert doctor.wrong.keys() == {"Pico"}
    for words in said:
        assert words in doctor.wrong["Pico"]
    assert "there is no Pico to ask" in doctor.text
    assert doctor.text.count("the switches cannot be read") == 3


def test_the_buttons_of_a_pico_that_is_not_found_are_told_no_more_than_it_is() -> None:
    pins = {"go": 18, "next": 19, "back": 20, "hint": 21}
    doctor = plugged(replace(OAK, buttons=PicoPins(pins), button_lamps=PicoPins({"go": 22})))
    assert doctor.examined() == 1
    assert doctor.wrong.keys() == {"Pico"}
    assert "the buttons cannot be read" in doctor.text


def test_a_pico_that_this_user_may_not_use_is_told_with_the_group() -> None:
    doctor = plugged(OAK, pico("e66141"))
    devices = {**doctor.facts.devices, "/dev/ttyACM0": Device(Access.FORBIDDEN, "dialout")}
    doctor.facts = replace(doctor.facts, devices=devices, user=User("ada", frozenset(), frozenset()))
    assert doctor.examined("Pico") == 1
    assert "sudo usermod -aG dialout ada" in doctor.wrong["Pico"]


# ------------------------------------------------------------------------------- something on the port


@contextmanager
def on_the_port(said: bytes) -> Generator[Case]:
    """A board at whose port something says this and no more."""
    other, here = pty.openpty()
    tty.setraw(here)
    doctor = case(OAK)
    doctor.quick = True
    doctor.machine = replace(doctor.machine, pico=partial(at, os.ttyname(here)))
    doctor.somebody.pump = _once(other, said)
    yield doctor
    os.close(other)
    os.close(here)


def _once(file: int, said: bytes) -> Callable[[float], None]:
    """What says it as soon as the port has been opened: opening throws away what came before."""
    left = [said]

    def pump(_now: float) -> None:
        if left:
            os.write(file, left.pop())

    return pump


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (b"", "is silent; the firmware does not seem to run on it."),
        (b"MicroPython v1.26.1\r\n>>> ", "shows a MicroPython prompt (>>>); the firmware does not run on it."),
        (b"$GPGGA,120000.00,5230.0,N\r\n", "is no board of ours; what it says begins with '$GPGGA,120000.00"),
    ],
)
def test_what_does_not_speak_as_a_board_is_told_by_what_it_says(said: bytes, told: str) -> None:
    with on_the_port(said) as doctor:
        assert doctor.examined(*OF_THE_PICO) == 1
        assert doctor.wrong.keys() == {"Firmware"}
        assert told in doctor.wrong["Firmware"]
        assert "make flash BOARD=oak-8x8" in doctor.wrong["Firmware"]


def test_a_port_that_another_program_has_is_told_with_what_to_stop() -> None:
    with on_the_port(b"") as doctor:
        other = SerialPort(doctor.machine.pico(""))
        assert doctor.examined(*OF_THE_PICO) == 1
        other.close()
    assert doctor.wrong.keys() == {"Pico"}
    assert "Another program uses /dev/" in doctor.wrong["Pico"]
    assert "sudo systemctl stop reedlight" in doctor.wrong["Pico"]


# ------------------------------------------------------------------------------------------ firmware


def other_firmware(monkeypatch: pytest.MonkeyPatch, folder: Path, old: str, new: str, name: str = "version.py") -> None:
    """Let simulated Picos run the firmware with one line of a file changed."""
    shutil.copytree(simulated_pico.firmware(), folder)
    file = folder / name
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    monkeypatch.setattr(simulated_pico, "firmware", lambda: folder)


def test_old_firmware_is_told_and_everything_else_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other_firmware(monkeypatch, tmp_path / "old", 'VERSION = "0.1.0"', 'VERSION = "0.0.9"')
    with with_firmware("oak-8x8") as doctor:
        doctor.quick = True
        assert doctor.examined(*OF_THE_PICO) == 1
    assert doctor.wrong.keys() == {"Firmware"}
    assert "The board's firmware is 0.0.9, older than 0.1.0" in doctor.wrong["Firmware"]
    assert "make flash BOARD=oak-8x8" in doctor.wrong["Firmware"]
    assert "nothing is closed" in doctor.text


def test_firmware_of_another_protocol_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other_firmware(monkeypatch, tmp_path / "new", "PROTOCOL = 1", "PROTOCOL = 2")
    with with_firmware("oak-8x8") as doctor:
        doctor.quick = True
        assert doctor.examined(*OF_THE_PICO) == 1
    assert doctor.wrong.keys() == {"Firmware"}
    assert "speaks protocol 2 and this program protocol 1" in doctor.wrong["Firmware"]


def test_firmware_of_a_board_of_another_size_is_told() -> None:
    small = replace(OAK, reader=Pico(Matrix((2, 3), (10, 11))))
    with with_firmware(OAK, built=small) as doctor:
        doctor.quick = True
        assert doctor.examined(*OF_THE_PICO) == 1
    assert doctor.wrong.keys() == {"Firmware"}
    assert "reads 2 rows of 2 switches, but the profile has 8 rows of 8" in doctor.wrong["Firmware"]


def test_buttons_that_the_firmware_does_not_read_are_told_for_a_board_of_ones_own() -> None:
    own = replace(OAK, name="mine", buttons=PicoPins({"go": 18}), button_lamps=None)
    with with_firmware(own, built=replace(own, buttons=None)) as doctor:
        doctor.quick = True
        assert doctor.examined("Pico", "Firmware") == 1
    assert "does not read these buttons of the profile: GO." in doctor.wrong["Firmware"]
    assert "make flash BOARD=FILE, with the profile's own." in doctor.wrong["Firmware"]


# --------------------------------------------------------------------------------------------- cable


def test_a_cable_that_breaks_lines_is_told() -> None:
    with with_firmware("oak-8x8") as doctor, Cable(doctor.machine.pico(""), time.monotonic()) as cable:
        doctor.machine = replace(doctor.machine, pico=partial(at, cable.path))
        doctor.somebody.pump, doctor.somebody.files = cable.pump, lambda: cable.files
        doctor.quick = True
        visit = doctor.visit()
        visit.meet()
        cable.harm({Harm.FLIP: 0.2})
        assert doctor.examined("Cable", visit=visit) == 1
    assert "did not arrive whole." in doctor.wrong["Cable"]
    assert "Take another cable" in doctor.wrong["Cable"]


def test_a_cable_that_falls_out_in_the_middle_is_told() -> None:
    with with_firmware("oak-8x8") as doctor:
        doctor.quick = True
        visit = doctor.visit()
        visit.meet()
        assert doctor.board.pico
        doctor.board.pico.unplug()
        assert doctor.examined("Cable", "Wires", "Switches at rest", visit=visit) == 1
    assert "broke off" in doctor.wrong["Cable"]
    assert "was lost while it was looked at" in doctor.wrong["Cable"]
    assert "the switches cannot be read" in doctor.text


def test_a_test_that_is_not_answered_is_asked_for_again_and_then_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other_firmware(monkeypatch, tmp_path / "deaf", 'ASK_LINES = ord("l")', 'ASK_LINES = ord("z")', "wire.py")
    with with_firmware("oak-8x8") as doctor:
        doctor.quick = True
        visit = doctor.visit()
        visit.meet()
        visit.patience = replace(visit.patience, answer=0.3)
        assert doctor.examined("Wires", visit=visit) == 1
    assert "The Pico does not answer a test that was asked for." in doctor.wrong["Wires"]


def test_a_pico_that_answers_nothing_any_more_is_told() -> None:
    with with_firmware("oak-8x8") as doctor, Cable(doctor.machine.pico(""), time.monotonic()) as cable:
        doctor.machine = replace(doctor.machine, pico=partial(at, cable.path))
        doctor.somebody.pump, doctor.somebody.files = cable.pump, lambda: cable.files
        doctor.quick = True
        visit = doctor.visit()
        visit.meet()
        cable.harm({Harm.LOSE: 1.0})
        assert doctor.examined("Wires", visit=visit) == 1
    assert "fallen silent" in doctor.wrong["Wires"]


# ------------------------------------------------------------------------------------ wires and reeds


def test_the_firmware_tells_which_lines_touch() -> None:
    with with_firmware("oak-8x8") as doctor:
        assert doctor.board.pico
        doctor.board.pico.damage(Defects(nets={0: 1, 1: 1, 3: TO_SUPPLY, 12: TO_GROUND}))
        doctor.quick = True
        assert doctor.examined("Wires") == 1
    assert "Row 0 (GP2) and row 1 (GP3) touch each other." in doctor.wrong["Wires"]
    assert "Row 3 (GP5) touches 3.3 V." in doctor.wrong["Wires"]
    assert "Column 4 (GP14) touches ground." in doctor.wrong["Wires"]


def test_the_firmware_tells_how_the_diodes_are_and_which_cell_is_deaf() -> None:
    with with_firmware("oak-8x8") as doctor:
        assert doctor.board.pico
        doctor.board.deaf = frozenset((Cell("c3"),))
        doctor.board.pico.damage(Defects(reversed=1 << 9, bridged=1 << 20))
        assert doctor.examined("Cells") == 1
    assert "c3 never notices a piece." in doctor.wrong["Cells"]
    assert "The diode of b2 is the wrong way round." in doctor.wrong["Cells"]
    assert "The diode of e3 conducts both ways." in doctor.wrong["Cells"]


def test_rows_that_are_exchanged_at_the_pico_want_the_firmware_anew() -> None:
    rows = (3, 2, 4, 5, 6, 7, 8, 9)
    switches = {cell: (switch ^ 8 if switch < 16 else switch) for cell, switch in OAK.layout.switches.items()}
    built = replace(OAK, layout=replace(OAK.layout, switches=switches))
    with with_firmware(OAK, built=built) as doctor:
        assert doctor.examined("Order of cells") == 1
    assert "Row 0 (GP2) and row 1 (GP3) are exchanged." in doctor.wrong["Order of cells"]
    assert f"write rows = {list(rows)}, and the firmware anew, under [scan]" in doctor.wrong["Order of cells"]


def test_buttons_and_their_lamps_on_the_pico_are_pressed_and_seen() -> None:
    pins, lamps = {"go": 18, "next": 19}, {"go": 20, "next": 21}
    own = replace(OAK, buttons=PicoPins(pins), button_lamps=PicoPins(lamps))
    with with_firmware(own, built=own) as doctor:
        assert doctor.examined("Buttons at rest", "Buttons", "Buttons' lamps") == 0
        doctor.board.hold(Button.GO)
        doctor.page.clear()
        doctor.quick = True
        patient = replace(doctor.visit(), patience=replace(SHORT, round=20.0))
        assert doctor.examined("Buttons at rest", visit=patient) == 1
    assert "GO reads as pressed" in doctor.wrong["Buttons at rest"]
