"""Buttons and their lamps on the Raspberry Pi's pins, on simulated wires, up to what a press is."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from errno import EIO
from typing import Any, cast

import pytest

from reedlight.adapters.buttons import GpioButtonLamps, GpioButtons
from reedlight.adapters.gpio import RESTLESS, STILL, GpioSwitches
from reedlight.board.profile import Matrix, PiPins
from reedlight.ports import Display, Down, LinkLost
from reedlight.scene.scene import Button
from reedlight.session.events import Hold, Press
from reedlight.session.presses import Presses
from reedlight_sim.pins import Grounded, SimulatedPins

GO, NEXT, BACK, HINT = Button
BUTTONS = PiPins({"go": 3, "next": 2, "back": 4, "hint": 7})
LAMPS = PiPins({"go": 12, "next": 16, "back": 22, "hint": 27})


class Console:
    """Four buttons under a finger, looked at when a look is due."""

    def __init__(self, wired: PiPins = BUTTONS) -> None:
        self.down: set[str] = set()
        self.broken = False
        self.now = 0.0
        wires = {pin: lambda name=name: self._touches(name) for name, pin in wired.pins.items()}
        self.pins = SimulatedPins(wires=wires)
        self.buttons = GpioButtons(wired, self.pins)

    def _touches(self, name: str) -> bool:
        if self.broken:
            raise OSError(EIO, "Input/output error")
        return name in self.down

    def look(self, *pictures: str) -> list[frozenset[Button]]:
        """What is told while these buttons touch, look for look: ``go next``, or nothing."""
        told: list[Down] = []
        for picture in pictures:
            self.down = set(picture.split())
            self.now = max(self.now, self.buttons.deadline or 0.0)
            told += self.buttons.poll(self.now)
        return [report.buttons for report in told]


def test_the_first_look_tells_which_buttons_are_down() -> None:
    assert Console().look("") == [frozenset()]
    assert Console().look("go hint") == [{GO, HINT}]


def test_a_button_is_down_once_two_looks_agree() -> None:
    assert Console().look("", "go") == [frozenset()]
    assert Console().look("", "go", "go") == [frozenset(), {GO}]


def test_each_pin_is_its_own_button() -> None:
    for button in Button:
        assert Console().look("", *[button.value] * 3)[-1] == {button}


def test_a_bouncing_button_goes_down_once_and_up_once() -> None:
    down = ("next", "", "next", "next", "next")
    up = ("", "next", "", "", "")
    assert Console().look("", *down, *up) == [frozenset(), {NEXT}, frozenset()]


def test_nothing_is_looked_at_before_the_deadline() -> None:
    console = Console()
    assert console.buttons.deadline == float("-inf")
    console.look("")
    console.down = {"go"}
    assert console.buttons.deadline == STILL
    assert console.buttons.fileno() is None
    for _ in range(5):
        assert console.buttons.poll(STILL * 0.9) == ()
    assert console.look("go", "go", "go") == [{GO}]


def test_a_press_of_50_ms_is_never_missed() -> None:
    for late in range(37):
        console = Console()
        console.look("")
        down_at = console.now + late / 1000
        told: list[Down] = []
        while console.now < down_at + 0.2:
            console.down = {"go"} if down_at <= console.now < down_at + 0.050 else set()
            told += console.buttons.poll(console.now)
            console.now += RESTLESS / 10
        assert [report.buttons for report in told] == [{GO}, frozenset()], late


def test_a_board_may_have_fewer_buttons_in_any_order() -> None:
    console = Console(PiPins({"back": 20, "go": 21}))
    assert console.look("", "back", "back", "back") == [frozenset(), {BACK}]


def test_presses_and_holds_come_out_of_levels() -> None:
    console, presses, told = Console(), Presses(), list[Press | Hold]()
    looks = [""] * 3 + ["go"] * 10 + [""] * 10 + ["back"] * 250 + [""] * 5
    for picture in looks:
        for buttons in console.look(picture):
            told += presses.hear(buttons, console.now)
        told += presses.tick(console.now)
    assert told == [Press(GO), Hold(BACK)]


def test_gpiozero_keeps_no_thread_and_hears_no_edge() -> None:
    before = set(threading.enumerate())
    console = Console()
    assert set(threading.enumerate()) <= before
    assert all(cast("Any", console.pins.pin(pin)).when_changed is None for pin in BUTTONS.pins.values())


def test_buttons_that_fail_are_one_sentence() -> None:
    console = Console()
    console.broken = True
    with pytest.raises(LinkLost) as lost:
        console.look("go")
    assert str(lost.value) == "The buttons on the Raspberry Pi's pins cannot be read (Input/output error)."


def test_a_button_on_a_pin_of_the_matrix_is_named() -> None:
    pins = SimulatedPins()
    GpioSwitches(Matrix((4, 5), (6, 7)), pins).close()
    switches = GpioSwitches(Matrix((4, 5), (6, 7)), pins)
    with pytest.raises(LinkLost, match=r"^GPIO4 \(button BACK\) is already in use by this program"):
        GpioButtons(BUTTONS, pins)
    switches.close()
    GpioButtons(BUTTONS, pins).close()


def test_closed_buttons_give_their_pins_back() -> None:
    console = Console()
    console.buttons.close()
    console.buttons.close()
    GpioButtons(BUTTONS, console.pins).close()


# --------------------------------------------------------------------------------------------- lamps


def shown(*buttons: Button) -> Display:
    return Display((), frozenset(buttons), ())


@pytest.mark.parametrize(
    "story",
    [[()], [(GO,)], [(GO, HINT), (HINT,), (), (NEXT, BACK)], [tuple(Button), tuple(Button), ()]],
)
def test_exactly_the_lamps_that_are_shown_are_lit(story: Sequence[tuple[Button, ...]]) -> None:
    pins = SimulatedPins()
    lamps = GpioButtonLamps(LAMPS, pins)
    for moment, buttons in enumerate(story):
        lamps.show(shown(*buttons), float(moment))
        assert pins.lit(LAMPS) == set(buttons)


def test_lamps_that_a_board_has_not_are_left_out() -> None:
    wired = PiPins({"go": 12})
    pins = SimulatedPins()
    lamps = GpioButtonLamps(wired, pins)
    lamps.show(shown(GO, BACK), 0.0)
    lamps.show(shown(BACK), 1.0)
    assert pins.lit(wired) == frozenset()


def test_lamps_are_dark_when_they_are_opened_and_when_they_are_closed() -> None:
    pins = SimulatedPins()
    lamps = GpioButtonLamps(LAMPS, pins)
    assert pins.lit(LAMPS) == frozenset()
    assert lamps.deadline is None
    lamps.show(shown(*Button), 0.0)
    lamps.close()
    lamps.close()
    assert pins.lit(LAMPS) == frozenset()


def test_a_lamp_whose_pin_is_busy_is_named() -> None:
    pins = SimulatedPins()
    pins.busy.add(22)
    with pytest.raises(LinkLost, match=r"^GPIO22 \(lamp of BACK\) is in use by another program"):
        GpioButtonLamps(LAMPS, pins)


def test_a_lamp_that_cannot_be_lit_is_one_sentence() -> None:
    pins = SimulatedPins()
    lamps = GpioButtonLamps(LAMPS, pins)
    pins.pin(12).input_with_pull("down")
    with pytest.raises(LinkLost, match=r"^The buttons' lamps on the Raspberry Pi's pins cannot be lit \("):
        lamps.show(shown(GO), 0.0)


def test_a_lamp_on_ground_stays_dark_and_the_others_shine() -> None:
    pins = SimulatedPins(faults=[Grounded(12)])
    lamps = GpioButtonLamps(LAMPS, pins)
    lamps.show(shown(GO, NEXT), 0.0)
    assert pins.lit(LAMPS) == {NEXT}
