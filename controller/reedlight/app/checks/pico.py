"""Checks of the Pico: that it is plugged in, that its firmware is this board's, that what it says arrives.

plugged     one Pico, the right one, on a port that may be used and that nobody else has
firmware    it says what it is, and that is what the profile has
cable       asked the same things again and again, it answers in whole lines
"""

from __future__ import annotations

from collections.abc import Sequence

from reedlight.adapters.pi import RASPBERRY_PI, Access, Usb
from reedlight.adapters.pico import USB_ID, PicoLink, SerialPort
from reedlight.app.checks.computer import forbidden
from reedlight.app.checks.finding import Finding, Outcome, Well, Wrong, outcome
from reedlight.app.checks.visit import Visit
from reedlight.board.kinds import counted
from reedlight.board.profile import Pico, Profile
from reedlight.board.toml import packaged
from reedlight.ports import LinkLost

AS_A_DRIVE = (0x0003, 0x000F)
"""The products that a Pico and a Pico 2 are while they wait, as a drive, for a program."""
ROUNDS = 4
"""How often everything is asked for, to try the cable: some seventy lines."""


def has_pico(profile: Profile) -> bool:
    """Whether a Pico reads the board's switches."""
    return isinstance(profile.reader, Pico)


# ------------------------------------------------------------------------------------------- plugged


def plugged(visit: Visit) -> Outcome:
    """There is one Pico that may be used."""
    reader, found = visit.profile.reader, visit.computer
    assert isinstance(reader, Pico)  # noqa: S101  # the check is about such boards alone
    try:
        path = visit.machine.pico(reader.serial)
    except LinkLost as lost:
        cause, remedy = _why_not_found(reader, found.usb)
        return Wrong((_told(visit, Finding(str(lost), cause, remedy)),))
    if (device := found.device(path)).access is Access.FORBIDDEN:
        return Wrong((_told(visit, forbidden(path, device, found.user)),))
    try:
        SerialPort(path).close()
    except LinkLost as lost:
        return Wrong(
            (
                _told(
                    visit,
                    Finding(
                        str(lost),
                        "A port is for one program at a time.",
                        "End the other one: a terminal, mpremote, or the board's service (sudo systemctl stop "
                        "reedlight). If there is none, pull the cable and plug it in again.",
                    ),
                ),
            )
        )
    visit.pico = path
    return Well(f"at {path}")


def is_plugged(visit: Visit) -> str:
    """A need: the Pico's port can be opened."""
    return "" if visit.pico else "there is no Pico to ask"


def _told(visit: Visit, finding: Finding) -> Finding:
    """A finding after which the ports have nothing new to say of the Pico."""
    visit.covered |= {finding.fault, "on the Pico"}
    return finding


def _why_not_found(reader: Pico, usb: Sequence[Usb]) -> tuple[str, str]:
    """Why a Pico was not found, and what to do."""
    picos = [each.serial for each in usb if (each.vendor, each.product) == USB_ID]
    if len(picos) > 1 and not reader.serial:
        return (
            "The profile does not say which one reads the switches.",
            f'Unplug the others, or write serial = "{picos[0]}", or another number, under [scan] in the profile.',
        )
    if picos:
        return (
            "The profile has the number of another Pico.",
            f'Plug the board\'s own in, or write serial = "{picos[0]}" under [scan] in the profile.',
        )
    if any(each.vendor == RASPBERRY_PI and each.product in AS_A_DRIVE for each in usb):
        return (
            "A Pico is there, but as a drive that waits for a program.",
            "Copy MicroPython for the Pico (a UF2 file) to the drive, then put the firmware on it.",
        )
    return (
        "Its cable is off or carries no data, or another program than MicroPython is on it.",
        "Plug it into the Raspberry Pi with a cable that carries data.",
    )


# ------------------------------------------------------------------------------------------ firmware


def firmware(visit: Visit) -> Outcome:
    """The Pico says what it is, and it is what the profile has."""
    visit.meet()
    link, put_on = visit.bench.reader, _put_on(visit.profile)
    if visit.bench.closed is None or not isinstance(link, PicoLink):
        fault = next(iter(visit.bench.troubles), f"The Pico at {visit.pico} does not report its switches.")
        cause = "Its firmware is missing, is that of another board, or is of another time than this program."
        return Wrong((_told(visit, Finding(fault, cause, put_on)),))
    odd = [
        Finding(notice, "The firmware was not renewed with the program, or the profile has changed.", put_on)
        for notice in link.notices
    ]
    hello = link.hello
    assert hello is not None  # noqa: S101  # it has reported its switches
    return outcome(odd, f"version {hello.version}, {hello.rows} rows of {hello.columns} switches")


def _put_on(profile: Profile) -> str:
    board = profile.name if profile.name in packaged() else "FILE, with the profile's own"
    return f"Put this board's firmware on it: make flash BOARD={board}."


# --------------------------------------------------------------------------------------------- cable


def cable(visit: Visit) -> Outcome:
    """What the Pico says arrives whole, however often it is asked for."""
    link = visit.bench.reader
    assert isinstance(link, PicoLink)  # noqa: S101  # it was needed
    before = link.bad + link.missed
    for _ in range(ROUNDS):
        _talk(visit, link)
    broken = link.bad + link.missed - before
    if not broken:
        return Well(f"{ROUNDS} rounds of questions, every line whole")
    return Wrong(
        (
            Finding(
                f"{counted(broken, 'line')} of what the Pico said did not arrive whole.",
                "A plug sits loosely, or the cable is bad or lies beside the lamps' supply.",
                "Take another cable, a short and shielded one, and lay it away from the lamps' wires.",
            ),
        )
    )


def _talk(visit: Visit, link: PicoLink) -> None:
    """Ask for everything, and listen until it is told, or for a while: some of it may not arrive."""
    bench, shape = visit.bench, visit.shape
    link.ask_lines(bench.now)
    link.ask_scan(bench.now)
    until = bench.now + visit.patience.round
    while bench.now < until and (len(link.lines) < shape.lines or len(link.rows) < shape.rows):
        bench.wait(visit.patience.scan)
        visit.require(link)
