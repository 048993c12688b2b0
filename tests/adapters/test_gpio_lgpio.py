"""The way to a Raspberry Pi's pins: gpiozero's real lgpio factory above a stand-in for lgpio, which is a C library.

The stand-in does what the real one was seen to do. Importing it makes a pipe in the folder that LG_WD names and
moves the program there. A pin of another program raises an error that is only an Exception. A claim without
flags leaves the pull as it was. Whoever listens to a pin hears an edge at once, the worst moment for gpiozero.
Its levels are those of the simulated wiring.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import gpiozero  # pyright: ignore[reportMissingTypeStubs]  # gpiozero says no types
import pytest
from gpiozero.exc import (  # pyright: ignore[reportMissingTypeStubs]  # the same
    PinFactoryFallback,
    PinUnknownPi,
)

from reedlight.adapters.buttons import GpioButtonLamps, GpioButtons
from reedlight.adapters.gpio import GpioSwitches, pi_pins
from reedlight.board.profile import Matrix, PiPins
from reedlight.ports import Display, Down, LinkLost
from reedlight.scene.scene import Button
from reedlight_sim.pins import SimulatedPins

PI_3B = 0xA02082
MATRIX = Matrix((17, 27, 22), (18, 23, 24, 25))
BUTTONS = PiPins({"go": 3, "next": 2, "back": 4, "hint": 7})
LAMPS = PiPins({"go": 12, "hint": 16})

STAND_IN = """
import os

os.chdir(os.environ.get("LG_WD", "."))
os.mkfifo(".lgd-nfy0")

SET_PULL_NONE = SET_BIAS_DISABLE = 128
SET_PULL_DOWN = SET_BIAS_PULL_DOWN = 64
SET_PULL_UP = SET_BIAS_PULL_UP = 32
OUT = 2
RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
PULLS = {32: "up", 64: "down", 128: "floating"}

board = None
opens = True
listening = set()
handles = set()


class error(Exception):
    def __init__(self, value):
        self.value = value

    def __str__(self):
        return repr(self.value)


def gpiochip_open(chip):
    if not opens:
        raise error("can not open gpiochip")
    handles.add(chip)
    return chip


def gpiochip_close(handle):
    handles.remove(handle)


def line(number):
    try:
        return board.pin(number)
    except OSError:
        raise error("GPIO busy")


def gpio_claim_input(handle, number, flags=0):
    listening.discard(number)
    line(number).function = "input"
    if flags and number not in (2, 3):  # these two have a resistor of their own
        line(number).pull = PULLS[flags]


def gpio_claim_output(handle, number, level=0, flags=0):
    line(number).output_with_state(level)


def gpio_claim_alert(handle, number, edges, flags=0):
    gpio_claim_input(handle, number, flags)
    listening.add(number)


class callback:
    def __init__(self, handle, number, edges, heard):
        for level in (1, 0):  # somebody presses at this very moment
            heard(0, number, level, 0)

    def cancel(self):
        pass


def gpio_free(handle, number):
    pass


def gpio_get_mode(handle, number):
    pin = line(number)
    return OUT if pin.function == "output" else {"up": 32, "down": 64, "floating": 128}[pin.pull]


def gpio_read(handle, number):
    return int(line(number).state)


def gpio_write(handle, number, level):
    line(number).state = level


def gpio_set_debounce_micros(handle, number, micros):
    pass
"""


@pytest.fixture
def devices(tmp_path: Path) -> Path:
    """A folder of device files like that of a Raspberry Pi."""
    folder = tmp_path / "dev"
    folder.mkdir()
    (folder / "gpiochip0").touch()
    return folder


@pytest.fixture
def lgpio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A computer that is a Raspberry Pi and has lgpio, not yet imported; afterwards as if nothing had been."""
    (tmp_path / "lgpio.py").write_text(STAND_IN)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: PI_3B)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    forget()
    yield
    factory = cast("Any", gpiozero.Device).pin_factory
    if factory is not None:
        factory.close()
    forget()


def forget() -> None:
    """Let neither the stand-in nor gpiozero's module above it be known."""
    for name in ("lgpio", "gpiozero.pins.lgpio"):
        sys.modules.pop(name, None)


def stand_in() -> ModuleType:
    return sys.modules["lgpio"]


def joined(board: SimulatedPins, devices: Path) -> Any:
    """The pins as the program gets them, on this board."""
    pins = pi_pins(devices)
    vars(stand_in())["board"] = board
    return pins


# --------------------------------------------------------------------------------------------- opening


def test_a_computer_without_gpio_pins_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    with pytest.raises(LinkLost, match=r"^This computer has no GPIO pins; this board's need a Raspberry Pi\.$"):
        pi_pins(tmp_path)


def test_a_missing_lgpio_is_told_with_what_to_install(devices: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(LinkLost, match="sudo apt install python3-lgpio"):
        pi_pins(devices)


@pytest.mark.usefixtures("lgpio")
def test_a_computer_that_is_no_raspberry_pi_is_told_so(devices: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> int:
        raise PinUnknownPi("unable to locate Pi revision")

    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", unknown)
    with pytest.raises(LinkLost, match="does not say that it is a Raspberry Pi"):
        pi_pins(devices)


@pytest.mark.usefixtures("lgpio")
def test_pins_that_may_not_be_opened_are_told_with_the_group(devices: Path) -> None:
    (devices.parent / "lgpio.py").write_text(STAND_IN.replace("opens = True", "opens = False"))
    with pytest.raises(LinkLost) as lost:
        pi_pins(devices)
    assert str(lost.value) == (
        "The GPIO pins cannot be opened (can not open gpiochip); is this user in the group gpio?"
    )


@pytest.mark.usefixtures("lgpio")
@pytest.mark.parametrize("chosen", [None, "/somewhere/else"])
def test_the_program_stays_where_it_is_and_leaves_no_pipe_behind(
    chosen: str | None, devices: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if chosen is None:
        monkeypatch.delenv("LG_WD", raising=False)
    else:
        monkeypatch.setenv("LG_WD", chosen)
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.chdir(tmp_path)
    pi_pins(devices)
    assert Path.cwd() == tmp_path
    assert os.environ.get("LG_WD") == chosen
    assert list(folder.iterdir()) == []
    assert not (tmp_path / ".lgd-nfy0").exists()


@pytest.mark.usefixtures("lgpio")
def test_there_is_one_factory_for_the_whole_program_and_gpiozero_knows_it(devices: Path) -> None:
    pins = pi_pins(devices)
    assert pi_pins(devices) is pins
    assert cast("Any", gpiozero.Device).pin_factory is pins


@pytest.mark.usefixtures("lgpio")
def test_gpiozero_may_not_fall_back_on_another_library(devices: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pi_pins(devices)
        with pytest.raises(PinFactoryFallback):
            warnings.warn(PinFactoryFallback("Falling back from lgpio"), stacklevel=1)


# --------------------------------------------------------------------------------------------- reading


@pytest.mark.usefixtures("lgpio")
def test_a_matrix_is_read_exactly_and_its_lines_are_inputs_again(devices: Path) -> None:
    closed = 0
    board = SimulatedPins(MATRIX, lambda: closed)
    switches = GpioSwitches(MATRIX, joined(board, devices), board.settle)
    read: list[int] = []
    for number, mask in enumerate((0b0001_1000_0110, 0b1111_1111_1111, 0b1000_0000_0001)):
        closed = mask
        read += [told.mask for told in (*switches.poll(number), *switches.poll(number + 0.5))]
    assert read == [0b0001_1000_0110, 0b1111_1111_1111, 0b1000_0000_0001]
    assert board.shorts == 0
    switches.close()
    assert {board.pin(pin).function for pin in (*MATRIX.rows, *MATRIX.columns)} == {"input"}


@pytest.mark.usefixtures("lgpio")
def test_the_tests_of_the_doctor_leave_the_matrix_as_it_was(devices: Path) -> None:
    board = SimulatedPins(MATRIX, lambda: 0b0010_0000)
    switches = GpioSwitches(MATRIX, joined(board, devices), board.settle)
    assert [test.forward for test in switches.scan_test()] == [0, 0b10, 0]
    assert [test.low for test in switches.line_test()] == [0, 1 << 4, 0, 0, 0, 0, 0]
    assert [told.mask for told in switches.poll(0.0)] == [0b0010_0000]


@pytest.mark.usefixtures("lgpio")
def test_a_pin_that_the_kernel_calls_busy_is_named(devices: Path) -> None:
    board = SimulatedPins(MATRIX)
    board.busy.add(17)
    with pytest.raises(LinkLost, match=r"^GPIO17 \(row 0\) is in use by another program"):
        GpioSwitches(MATRIX, joined(board, devices))


@pytest.mark.usefixtures("lgpio")
def test_a_pin_that_was_busy_can_be_taken_a_second_later(devices: Path) -> None:
    board = SimulatedPins(MATRIX)
    board.busy.add(23)
    pins = joined(board, devices)
    with pytest.raises(LinkLost) as lost:
        GpioSwitches(MATRIX, pins)
    board.busy.clear()
    assert GpioSwitches(MATRIX, pins, board.settle).poll(0.0)[0].mask == 0, lost.value


@pytest.mark.usefixtures("lgpio")
def test_buttons_are_levels_without_edges_or_threads(devices: Path) -> None:
    down = False
    board = SimulatedPins(wires={3: lambda: down})
    pins = joined(board, devices)
    before = set(threading.enumerate())
    buttons = GpioButtons(BUTTONS, pins)
    assert vars(stand_in())["listening"] == set()
    assert set(threading.enumerate()) <= before
    told = list(buttons.poll(0.0))
    down = True
    for look in range(1, 7):
        told += buttons.poll(look * 0.01)
    assert told == [Down(frozenset(), 0.0), Down(frozenset({Button.GO}), 0.05)]
    buttons.close()


@pytest.mark.usefixtures("lgpio")
def test_lamps_are_lit_and_go_dark_when_they_are_closed(devices: Path) -> None:
    board = SimulatedPins()
    lamps = GpioButtonLamps(LAMPS, joined(board, devices))
    lamps.show(Display((), frozenset({Button.HINT}), ()), 0.0)
    assert board.lit(LAMPS) == {Button.HINT}
    lamps.close()
    assert board.lit(LAMPS) == frozenset()
    assert {board.pin(pin).function for pin in LAMPS.pins.values()} == {"input"}
