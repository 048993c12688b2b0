"""The buttons before the doctor, on the Raspberry Pi's pins and on segments of a chip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from doctor_bench import Act, case

from reedlight.board.profile import PiPins, Segments
from reedlight.board.toml import load_packaged
from reedlight.scene.scene import Button

OAK, BUDGET = load_packaged("oak-8x8"), load_packaged("budget-8x8")


def exchanged(names: Mapping[str, int]) -> dict[str, int]:
    """The same pins, with those of GO and NEXT exchanged."""
    return {**names, "go": names["next"], "next": names["go"]}


# -------------------------------------------------------------------------------------------- at rest


@pytest.mark.parametrize(
    ("jammed", "said"),
    [
        ((Button.GO,), "GO reads as pressed, though nobody presses."),
        ((Button.GO, Button.HINT), "GO and HINT read as pressed, though nobody presses."),
    ],
)
def test_a_button_that_is_down_while_nobody_presses_it_is_jammed(jammed: tuple[Button, ...], said: str) -> None:
    doctor = case("budget-8x8")
    doctor.board.hold(*jammed)
    doctor.quick = True
    assert doctor.examined() == 1
    assert doctor.wrong.keys() == {"Buttons at rest"}
    assert doctor.wrong["Buttons at rest"].startswith(said)


# -------------------------------------------------------------------------------------------- pressed


def test_a_button_that_nobody_notices_is_named() -> None:
    doctor = case("budget-8x8", broken_buttons=frozenset((Button.NEXT,)))
    assert doctor.examined("Buttons") == 1
    assert doctor.wrong["Buttons"].startswith("NEXT is not noticed.")


def test_two_buttons_that_nobody_notices_are_told_together() -> None:
    doctor = case("budget-8x8", broken_buttons=frozenset((Button.NEXT, Button.BACK)))
    assert doctor.examined("Buttons") == 1
    assert doctor.wrong["Buttons"].startswith("NEXT and BACK are not noticed.")


def test_buttons_on_each_others_pins_are_named() -> None:
    assert isinstance(BUDGET.buttons, PiPins)
    doctor = case(BUDGET, built=replace(BUDGET, buttons=PiPins(exchanged(BUDGET.buttons.pins))))
    assert doctor.examined("Buttons") == 1
    assert doctor.wrong["Buttons"].startswith("Buttons are exchanged: NEXT for GO and GO for NEXT.")


# ------------------------------------------------------------------------------------------------ lit


def test_lamps_of_buttons_on_each_others_pins_are_named() -> None:
    assert isinstance(OAK.button_lamps, PiPins)
    doctor = case(OAK, built=replace(OAK, button_lamps=PiPins(exchanged(OAK.button_lamps.pins))))
    assert doctor.examined("Buttons' lamps") == 1
    assert doctor.wrong["Buttons' lamps"].startswith("The lamps of buttons are exchanged: NEXT for GO and GO for NEXT.")
    assert doctor.board.devices.button_lamps() == frozenset()


def test_lamps_of_buttons_on_each_others_segments_are_named() -> None:
    assert isinstance(BUDGET.button_lamps, Segments)
    lamps = replace(BUDGET.button_lamps, bits=exchanged(BUDGET.button_lamps.bits))
    doctor = case(BUDGET, built=replace(BUDGET, button_lamps=lamps))
    assert doctor.examined("Buttons' lamps") == 1
    assert doctor.wrong["Buttons' lamps"].startswith("The lamps of buttons are exchanged: NEXT for GO and GO for NEXT.")


def test_a_button_that_does_not_shine_is_named() -> None:
    doctor = case("budget-8x8")

    def sees_no_hint() -> Act:
        yield 0.1
        shining = doctor.board.shining_buttons() - {Button.HINT}
        yield from doctor.somebody.press(*shining)

    doctor.somebody.overrides["Press the button that shines"] = sees_no_hint
    assert doctor.examined("Buttons' lamps") == 1
    assert doctor.wrong["Buttons' lamps"].startswith("The lamp of HINT is dark.")


def test_what_happens_on_the_board_meanwhile_is_not_taken_for_a_button() -> None:
    doctor = case("budget-8x8")

    def set_a_piece_down_and_press() -> Act:
        doctor.somebody.put_down(doctor.profile.grid.cells[0])
        yield 0.5
        yield from doctor.somebody.press_go()

    doctor.somebody.overrides["Press GO"] = set_a_piece_down_and_press
    assert doctor.examined("Buttons") == 0


# ------------------------------------------------------------------------------- boards with less of it


def test_a_board_with_two_buttons_is_asked_for_two() -> None:
    two = {"go": 3, "back": 4}
    doctor = case(replace(BUDGET, buttons=PiPins(two), button_lamps=None))
    assert doctor.examined("Buttons at rest", "Buttons", "Buttons' lamps") == 0
    assert "2 buttons, none is down" in doctor.text
    assert [asked for asked in doctor.somebody.asked if asked.startswith("Press")] == [
        "Press GO on the board. Type Enter here if nothing happens.",
        "Press BACK on the board. Type Enter here if nothing happens.",
    ]


def test_a_board_without_buttons_is_asked_for_none() -> None:
    doctor = case(replace(BUDGET, buttons=None, button_lamps=None))
    assert doctor.examined("Buttons at rest", "Buttons", "Buttons' lamps") == 0
    assert "0 checks are well" in doctor.text
