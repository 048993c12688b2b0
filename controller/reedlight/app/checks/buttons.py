"""Checks of the buttons: none is jammed, each one is the one it is called, and each lamp is in its button."""

from __future__ import annotations

from reedlight.app.checks.finding import Finding, Outcome, Well, Wrong, outcome
from reedlight.app.checks.visit import Visit
from reedlight.board.kinds import counted, listed
from reedlight.board.profile import PicoPins, Profile, Segments
from reedlight.scene.scene import Button, Lamp


def has_buttons(profile: Profile) -> bool:
    """Whether a board has buttons."""
    return profile.buttons is not None


def has_button_lamps(profile: Profile) -> bool:
    """Whether a board's buttons have lamps."""
    return profile.button_lamps is not None


_SAID_OF_PINS = ("(button ", "The buttons", "GPIO pins")
"""Words of sentences on pins after which no button is read."""


def are_read(visit: Visit) -> str:
    """A need: the buttons are read."""
    visit.meet()
    if isinstance(visit.profile.buttons, PicoPins):
        lost = visit.bench.closed is None
    else:
        lost = any(words in trouble for trouble in visit.bench.troubles for words in _SAID_OF_PINS)
    return "the buttons cannot be read" if lost else ""


def shine(visit: Visit) -> str:
    """A need: the buttons' lamps can be lit."""
    lamps = visit.profile.button_lamps
    return visit.unwritten(lamps.spi) if isinstance(lamps, Segments) else ""


def at_rest(visit: Visit) -> Outcome:
    """No button is down while nobody presses one."""
    visit.meet()
    until = visit.bench.now + visit.patience.round
    while not visit.bench.down and visit.bench.now < until:
        visit.bench.wait_until(until)
    jammed = [button.value.upper() for button in Button if button in visit.bench.down]
    if not jammed:
        return Well(f"{counted(len(_buttons(visit.profile)), 'button')}, none is down")
    return Wrong(
        (
            Finding(
                f"{listed(jammed)} read{'s' if len(jammed) == 1 else ''} as pressed, though nobody presses.",
                "The button is jammed, or its wire touches ground.",
                "Press it a few times. Pull its wire off the pin: if it still reads so, the wire is not to blame.",
            ),
        )
    )


def pressed(visit: Visit) -> Outcome:
    """Each button is the one it is called."""
    buttons = _buttons(visit.profile)
    seen = {
        button: visit.ask_for_a_button(
            f"Press {button.value.upper()} on the board. Type Enter here if nothing happens."
        )
        for button in buttons
    }
    dead = [button.value.upper() for button, found in seen.items() if not isinstance(found, Button)]
    swapped = {button: found for button, found in seen.items() if isinstance(found, Button) and found is not button}
    findings: list[Finding] = []
    if dead:
        findings.append(
            Finding(
                f"{listed(dead)} {'is' if len(dead) == 1 else 'are'} not noticed.",
                "A wire is off, or the button is broken.",
                "Join the button's two wires: if that is noticed, take another button, else follow its wire.",
            )
        )
    if swapped:
        findings.append(
            Finding(
                f"Buttons are exchanged: {_pairs(swapped)}.",
                "Their wires are on each other's pins.",
                "Exchange the wires, or the numbers under [buttons] in the profile.",
            )
        )
    return outcome(findings, listed(button.value.upper() for button in buttons))


def lit(visit: Visit) -> Outcome:
    """Each lamp is in the button it is called after."""
    seen: dict[Button, Button | str] = {}
    for button in _lamps(visit.profile):
        visit.bench.show(buttons={button: Lamp.ON})
        answer = visit.ask_for_a_button("Press the button that shines. Type Enter here if none does.")
        seen[button] = answer
    visit.bench.show()
    dark = [button.value.upper() for button, found in seen.items() if not isinstance(found, Button)]
    swapped = {button: found for button, found in seen.items() if isinstance(found, Button) and found is not button}
    findings: list[Finding] = []
    if dark:
        findings.append(
            Finding(
                f"The lamp of {listed(dark)} is dark.",
                "It is the wrong way round, or broken, or a wire is off.",
                "Exchange its two wires; then measure 3.3 V or the chip's segment at them while it should shine.",
            )
        )
    if swapped:
        findings.append(
            Finding(
                f"The lamps of buttons are exchanged: {_pairs(swapped)}.",
                "Their wires are on each other's pins.",
                "Exchange the wires, or the values under [button_lamps] in the profile.",
            )
        )
    return outcome(findings, listed(button.value.upper() for button in seen))


def _pairs(swapped: dict[Button, Button]) -> str:
    return listed(f"{found.value.upper()} for {button.value.upper()}" for button, found in swapped.items())


def _buttons(profile: Profile) -> tuple[Button, ...]:
    pins = profile.buttons
    return tuple(button for button in Button if pins and button.value in pins.pins)


def _lamps(profile: Profile) -> tuple[Button, ...]:
    lamps = profile.button_lamps
    assert lamps is not None  # noqa: S101  # the check is about such boards alone
    names = lamps.bits if isinstance(lamps, Segments) else lamps.pins
    return tuple(button for button in Button if button.value in names)
