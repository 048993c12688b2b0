"""The computer under the doctor: each of its faults is found once, with what to do about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from doctor_bench import Case, case, with_firmware

from reedlight.adapters.gpio import pi_pins
from reedlight.adapters.pi import Access, Device, Pi, User
from reedlight.board.profile import Expander, Spi
from reedlight.board.toml import load_packaged
from reedlight.ports import LinkLost

ADA = User("ada", frozenset({"ada"}), frozenset({"ada"}))


def without(found: Pi, *paths: str) -> Pi:
    """The same computer without these devices."""
    return replace(found, devices={path: device for path, device in found.devices.items() if path not in paths})


def having(found: Pi, device: Device, *paths: str) -> Pi:
    """The same computer with these devices."""
    return replace(found, devices={**found.devices, **dict.fromkeys(paths, device)})


USABLE = Device(Access.USABLE, "spi")


def forbidden(group: str) -> Device:
    return Device(Access.FORBIDDEN, group)


# --------------------------------------------------------------------------------------------- alone


def test_a_board_that_is_being_played_on_is_left_alone() -> None:
    doctor = case("budget-8x8")
    doctor.facts = replace(doctor.facts, services=("reedlight.service",))
    assert doctor.examined() == 1
    assert doctor.wrong.keys() == {"Board free"}
    assert "reedlight.service runs" in doctor.wrong["Board free"]
    assert "sudo systemctl stop reedlight.service" in doctor.wrong["Board free"]
    assert doctor.text.count("the board is being played on") == 14
    assert doctor.board.devices.nodes[Spi(0, 0)].transfers == 0


# -------------------------------------------------------------------------------------- Raspberry Pi


@pytest.mark.parametrize("model", ["", "Some Laptop 3000"])
def test_a_computer_that_is_no_raspberry_pi_is_said_to_be_none(model: str) -> None:
    doctor = case("budget-8x8")
    doctor.facts = Pi(model=model)
    doctor.quick = True
    assert doctor.examined("Raspberry Pi", "Buses", "Pins", "Ports", "Power") == 1
    assert doctor.wrong.keys() == {"Raspberry Pi"}
    assert f"calls itself {model or 'nothing at all'}" in doctor.wrong["Raspberry Pi"]
    assert doctor.text.count("this computer is no Raspberry Pi") == 4


# --------------------------------------------------------------------------------------------- buses


@pytest.mark.parametrize(
    ("board", "path", "setting"),
    [
        ("oak-8x8", "/dev/spidev0.0", "dtparam=spi=on"),
        ("oak-8x8", "/dev/spidev1.0", "dtoverlay=spi1-1cs"),
        ("budget-8x8", "/dev/spidev0.0", "dtoverlay=spi0-1cs"),
        ("budget-8x8-expander", "/dev/i2c-1", "dtparam=i2c_arm=on"),
    ],
)
def test_a_bus_that_is_off_is_named_with_the_line_that_switches_it_on(board: str, path: str, setting: str) -> None:
    doctor = case(board)
    doctor.facts = without(doctor.facts, path)
    assert doctor.examined("Buses") == 1
    assert f"There is no {path}" in doctor.wrong["Buses"]
    assert f"Put the line {setting} into /boot/firmware/config.txt" in doctor.wrong["Buses"]


def test_a_bus_that_is_off_is_told_once_and_what_hangs_on_it_is_not_asked_about() -> None:
    doctor = case("budget-8x8")
    doctor.facts = without(doctor.facts, "/dev/spidev0.0")
    doctor.board.devices.nodes[Spi(0, 0)].present = False
    assert doctor.examined() == 1
    assert doctor.wrong.keys() == {"Buses"}
    assert doctor.text.count("/dev/spidev0.0 cannot be written") == 4


@pytest.mark.parametrize(
    ("device", "user", "remedy"),
    [
        (forbidden("spi"), ADA, "sudo usermod -aG spi ada, then log out and in again."),
        (forbidden("spi"), replace(ADA, listed=frozenset({"ada", "spi"})), "Log out and in again, or restart."),
        (forbidden("spi"), replace(ADA, groups=frozenset({"spi"})), "sudo chmod g+rw /dev/spidev0.0"),
        (forbidden("root"), ADA, "sudo apt install raspberrypi-sys-mods"),
    ],
)
def test_a_bus_that_this_user_may_not_use_is_told_with_the_group(device: Device, user: User, remedy: str) -> None:
    doctor = case("budget-8x8")
    doctor.facts = replace(having(doctor.facts, device, "/dev/spidev0.0"), user=user)
    assert doctor.examined("Buses") == 1
    assert "The user ada may not use /dev/spidev0.0." in doctor.wrong["Buses"]
    assert remedy in doctor.wrong["Buses"]


def test_a_second_chip_select_that_takes_a_buttons_pin_is_told_and_the_pin_not_again() -> None:
    doctor = case("budget-8x8")
    doctor.facts = having(doctor.facts, USABLE, "/dev/spidev0.1")
    doctor.board.devices.pins.busy.add(7)
    assert doctor.examined("Buses", "Pins") == 1
    assert doctor.wrong.keys() == {"Buses"}
    assert "SPI0 claims GPIO7 (button hint), which the board needs." in doctor.wrong["Buses"]
    assert "Have dtoverlay=spi0-1cs in place of every other line for SPI0" in doctor.wrong["Buses"]


@pytest.mark.parametrize(
    ("path", "pins", "setting"),
    [
        ("/dev/i2c-1", "GPIO2 (button next) and GPIO3 (button go)", "dtparam=i2c_arm=off"),
        ("/dev/spidev1.0", "GPIO18 (column 0)", "no line for spi1"),
    ],
)
def test_a_bus_that_nobody_needs_and_that_takes_pins_is_told(path: str, pins: str, setting: str) -> None:
    doctor = case("budget-8x8")
    doctor.facts = having(doctor.facts, USABLE, path)
    assert doctor.examined("Buses") == 1
    assert f"claims {pins}, which the board needs." in doctor.wrong["Buses"]
    assert f"Have {setting} in" in doctor.wrong["Buses"]


def test_spi_that_a_board_without_lamps_needs_for_pins_is_told() -> None:
    budget = load_packaged("budget-8x8")
    bare = replace(budget, lamps=None, dice=None, button_lamps=None, buses=replace(budget.buses, spi0=0))
    doctor = case(bare)
    assert doctor.examined("Buses") == 0
    assert "none is needed" in doctor.text
    doctor.facts = having(doctor.facts, USABLE, "/dev/spidev0.1")
    doctor.page.clear()
    assert doctor.examined("Buses") == 1
    assert "Have dtparam=spi=off" in doctor.wrong["Buses"]


# ---------------------------------------------------------------------------------------------- pins

PI_5 = "Raspberry Pi 5 Model B Rev 1.0"
GPIO = Device(Access.USABLE, "gpio")


def on_a_pi_5(doctor: Case, **chips: str) -> None:
    """Have it on a Pi 5 with these chips."""
    paths = {f"/dev/{name}": label for name, label in chips.items()}
    found = without(doctor.facts, "/dev/gpiochip0")
    doctor.facts = replace(having(found, GPIO, *paths), model=PI_5, chips=paths)


@pytest.mark.parametrize(
    "chips",
    [{"gpiochip0": "pinctrl-rp1"}, {"gpiochip0": "gpio-brcmstb@107d508500", "gpiochip4": "pinctrl-rp1"}],
)
def test_the_pins_of_a_pi_5_are_found_under_either_number(chips: dict[str, str]) -> None:
    doctor = case("budget-8x8")
    on_a_pi_5(doctor, **chips)
    assert doctor.examined("Pins") == 0


def test_pins_on_another_chip_than_the_one_that_is_opened_are_told() -> None:
    doctor = case("budget-8x8")
    on_a_pi_5(doctor, gpiochip0="gpio-brcmstb@107d508500", gpiochip2="pinctrl-rp1")
    assert doctor.examined("Pins") == 1
    assert "/dev/gpiochip0 has other pins (gpio-brcmstb@107d508500)" in doctor.wrong["Pins"]
    assert "those of the header are on /dev/gpiochip2 (pinctrl-rp1)" in doctor.wrong["Pins"]
    assert "sudo apt full-upgrade" in doctor.wrong["Pins"]


def test_a_computer_whose_header_has_no_chip_is_told() -> None:
    doctor = case("budget-8x8")
    on_a_pi_5(doctor, gpiochip0="gpio-brcmstb@107d508500")
    assert doctor.examined("Pins") == 1
    assert "are on no chip" in doctor.wrong["Pins"]


def test_a_chip_that_could_not_be_asked_is_believed() -> None:
    doctor = case("budget-8x8")
    doctor.facts = replace(doctor.facts, chips={})
    assert doctor.examined("Pins") == 0


def test_a_computer_without_pins_is_told() -> None:
    doctor = case("budget-8x8")
    doctor.facts = without(doctor.facts, "/dev/gpiochip0")
    assert doctor.examined("Pins") == 1
    assert "There is no /dev/gpiochip0." in doctor.wrong["Pins"]


def test_pins_that_this_user_may_not_use_are_told() -> None:
    doctor = case("budget-8x8")
    doctor.facts = replace(having(doctor.facts, forbidden("gpio"), "/dev/gpiochip0"), user=ADA)
    assert doctor.examined("Pins") == 1
    assert "sudo usermod -aG gpio ada" in doctor.wrong["Pins"]


def test_every_pin_that_somebody_else_has_is_named_and_the_port_says_nothing_more() -> None:
    doctor = case("oak-8x8")
    doctor.board.devices.pins.busy.update({5, 22})
    doctor.quick = True
    assert doctor.examined("Pins", "Ports", "Buttons at rest") == 1
    assert doctor.wrong.keys() == {"Pins", "Ports"}
    assert "GPIO5 (button go) is in use by another program" in doctor.wrong["Pins"]
    assert "GPIO22 (the lamp of button back)" in doctor.wrong["Pins"]
    assert "GPIO" not in doctor.wrong["Ports"]
    assert "the buttons cannot be read" in doctor.text


def test_pins_without_their_library_are_told_in_its_own_words(tmp_path: Path) -> None:
    doctor = case("budget-8x8")
    doctor.machine = replace(doctor.machine, pins=partial(pi_pins, tmp_path))
    assert doctor.examined("Pins", "Ports") == 1
    assert doctor.wrong == {
        "Pins": "This computer has no GPIO pins; this board's need a Raspberry Pi.",
    }


# ----------------------------------------------------------------------------------------- expanders


def with_expanders(*gone: int) -> Case:
    doctor = case("budget-8x8-expander")
    doctor.board.devices.i2c.gone.update(gone)
    return doctor


def test_an_expander_that_does_not_answer_is_named_once() -> None:
    doctor = with_expanders(0x22)
    assert doctor.examined("Expanders", "Ports", "Switches at rest") == 1
    assert doctor.wrong.keys() == {"Expanders"}
    assert "The expander at 0x22 does not answer. why It has no power" in doctor.wrong["Expanders"]
    assert "the switches cannot be read" in doctor.text


def test_expanders_of_which_none_answers_are_without_power_or_wires() -> None:
    doctor = with_expanders(0x20, 0x21, 0x22, 0x23)
    assert doctor.examined("Expanders") == 1
    assert "No expander answers on I2C bus 1." in doctor.wrong["Expanders"]


def test_an_expander_at_another_address_is_found_there() -> None:
    nominal = load_packaged("budget-8x8-expander")
    assert isinstance(nominal.reader, Expander)
    built = replace(nominal, reader=replace(nominal.reader, addresses=(0x20, 0x21, 0x22, 0x27)))
    doctor = case(nominal, built=built)
    assert doctor.examined("Expanders") == 1
    assert "The expander at 0x23 does not answer." in doctor.wrong["Expanders"]
    assert "There is one at 0x27 that the profile does not have." in doctor.wrong["Expanders"]
    assert "address pins" in doctor.wrong["Expanders"]


def test_a_bus_for_expanders_that_does_not_open_is_told_once() -> None:
    doctor = case("budget-8x8-expander")

    def shut(_bus: int) -> object:
        raise LinkLost("/dev/i2c-1 cannot be opened (Device or resource busy).")

    doctor.machine = replace(doctor.machine, i2c=shut)  # pyright: ignore[reportArgumentType]  # it never answers
    assert doctor.examined("Expanders", "Ports") == 1
    assert doctor.wrong == {"Expanders": "/dev/i2c-1 cannot be opened (Device or resource busy)."}


# --------------------------------------------------------------------------------------------- ports


def test_a_port_that_fails_for_no_known_reason_is_told_in_its_own_words() -> None:
    doctor = case("budget-8x8")
    doctor.board.devices.nodes[Spi(0, 0)].present = False
    assert doctor.examined("Buses", "Ports") == 1
    assert doctor.wrong == {"Ports": "There is no /dev/spidev0.0 on this simulated board."}


def test_a_reason_that_two_ports_have_is_told_once(tmp_path: Path) -> None:
    doctor = case("budget-8x8")
    doctor.machine = replace(doctor.machine, pins=partial(pi_pins, tmp_path))
    assert doctor.examined("Ports") == 1
    assert doctor.wrong == {"Ports": "This computer has no GPIO pins; this board's need a Raspberry Pi."}


def test_a_board_of_its_own_needs_no_raspberry_pi() -> None:
    own = replace(load_packaged("oak-8x8"), lamps=None, dice=None, buttons=None, button_lamps=None)
    with with_firmware(own) as doctor:
        doctor.facts = Pi(model="Some Laptop 3000")
        doctor.quick = True
        assert doctor.examined() == 0
    assert "7 checks are well." in doctor.text


# --------------------------------------------------------------------------------------------- power

LOW, HOT = 1 << 0, 1 << 3
LOW_ONCE, HOT_ONCE = LOW << 16, HOT << 16

Flags = Callable[[bool], int]


def always(flags: int) -> Flags:
    return lambda _lit: flags


def when_lit(flags: int) -> Flags:
    return lambda lit: flags if lit else 0


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (always(LOW | LOW_ONCE), "voltage is too low now"),
        (when_lit(LOW), "voltage falls too low when the lamps shine"),
        (when_lit(LOW_ONCE), "voltage falls too low when the lamps shine"),
        (always(LOW_ONCE), "was too low since its start, though it is not now"),
        (always(HOT | HOT_ONCE), "is slowed down now, because it is too hot"),
        (always(HOT_ONCE), "was slowed down since its start, because it is too hot"),
    ],
)
def test_what_slows_a_raspberry_pi_down_is_told_with_its_cause(flags: Flags, said: str) -> None:
    doctor = case("oak-8x8")
    visit = doctor.visit()
    visit.facts = lambda: replace(doctor.facts, flags=flags(bool(doctor.board.devices.lamps())))
    assert doctor.examined("Power", visit=visit) == 1
    assert said in doctor.wrong["Power"]
    assert ("4.9 to 5.2 V" in doctor.wrong["Power"]) == ("hot" not in said)
    assert doctor.board.devices.lamps() == {}


def test_a_supply_is_tried_with_every_lamp_lit_and_within_the_cap() -> None:
    doctor = case("oak-8x8")
    visit, amperes = doctor.visit(), list[float]()

    def looked() -> Pi:
        assert doctor.board.devices.string
        amperes.append(doctor.board.devices.string.amperes())
        return doctor.facts

    visit.facts = looked
    assert doctor.examined("Power", visit=visit) == 0
    assert max(amperes) == pytest.approx(doctor.profile.power.led_cap, rel=0.05)
    assert max(amperes) <= doctor.profile.power.led_cap


def test_a_system_that_tells_nothing_of_its_voltage_is_not_judged() -> None:
    doctor = case("oak-8x8")
    doctor.facts = replace(doctor.facts, flags=None)
    assert doctor.examined("Power") == 0
    assert "this system does not tell" in doctor.text
