"""Checks of the computer that the board hangs on: its pins, its buses, its supply.

They are made before any port is opened: what the computer says of itself tells why a port will not open, and
what to do, better than the port can. Words by which the port's own sentence is known are kept as *covered*,
so that nothing is said twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reedlight.adapters.expander import Bus
from reedlight.adapters.gpio import pulled_up, release, take
from reedlight.adapters.luma_mono import chains
from reedlight.adapters.pi import HEADER_LABELS, Access, Device, Pi, Trouble, User
from reedlight.app.checks.finding import Finding, Outcome, Unasked, Well, Wrong, named, outcome
from reedlight.app.checks.visit import Visit
from reedlight.board.checks import Wire, wires
from reedlight.board.kinds import listed
from reedlight.board.profile import Expander, Profile, Spi, Ws2812
from reedlight.ports import LinkLost
from reedlight.scene.palette import Colour

CONFIG = "/boot/firmware/config.txt"
"""Where a Raspberry Pi is told what to switch on at its start."""
_RESTART = "and restart the Raspberry Pi"
FULL = Colour(255, 255, 255)
"""All of a lamp; the lamps' own cap makes of it what the supply is chosen for."""
_EXPANDERS = range(0x20, 0x28)
"""The addresses that three address pins can choose."""
_INPUTS = 0x01
"""The command from which a chip's two ports are read without its interrupt being lost."""

# --------------------------------------------------------------------------------------------- alone


def alone(visit: Visit) -> Outcome:
    """Nobody plays on the board: two programs cannot have its devices."""
    services = visit.computer.services
    if not services:
        return Well("no service of the board is running")
    return Wrong(
        (
            Finding(
                f"The board is being played on: {listed(services)} runs.",
                "Two programs cannot use one board.",
                f"Stop it with: sudo systemctl stop {services[0]}. Start it again afterwards.",
            ),
        )
    )


def is_alone(visit: Visit) -> str:
    """A need: nobody plays on the board."""
    return "the board is being played on" if visit.computer.services else ""


# -------------------------------------------------------------------------------------- Raspberry Pi


def on_a_pi(profile: Profile) -> bool:
    """Whether a board hangs on a Raspberry Pi's own pins or buses."""
    return bool(_own_pins(profile) or _spi(profile) or isinstance(profile.reader, Expander))


def raspberry(visit: Visit) -> Outcome:
    """The computer is a Raspberry Pi."""
    found = visit.computer
    if found.is_raspberry:
        return Well(found.model)
    return Wrong(
        (
            Finding(
                f"This computer is no Raspberry Pi: it calls itself {found.model or 'nothing at all'}.",
                "The lamps and switches of this board hang on a Raspberry Pi's pins.",
                "Run the doctor there. Without a board one plays with: reedlight-sim play.",
            ),
        )
    )


def is_raspberry(visit: Visit) -> str:
    """A need: the computer is a Raspberry Pi, if the board hangs on one."""
    return "this computer is no Raspberry Pi" if on_a_pi(visit.profile) and not visit.computer.is_raspberry else ""


# ---------------------------------------------------------------------------------------------- pins


def has_pins(profile: Profile) -> bool:
    """Whether a board uses pins of the Raspberry Pi beside those of its buses."""
    return bool(_own_pins(profile))


def pins(visit: Visit) -> Outcome:
    """The pins are on the chip that is opened, may be used, and nobody else has one of them."""
    found, used = visit.computer, _own_pins(visit.profile)
    findings = tuple(_chip(found) or _busy(visit, used))
    if findings:
        visit.covered.add("GPIO")
    return outcome(findings, f"{len(used)} pins, all free")


def _own_pins(profile: Profile) -> tuple[Wire, ...]:
    return tuple(wire for wire in wires(profile) if wire.chip == "BCM" and not wire.key.startswith("buses."))


def _chip(found: Pi) -> tuple[Finding, ...]:
    """What is wrong with the chip that the pins belong to."""
    path = found.chip_used
    device, label = found.device(path), found.chips.get(path, "")
    if device.access is Access.ABSENT:
        return (Finding(f"There is no {path}.", "The kernel does not offer its pins.", "Bring the system up to date."),)
    if device.access is Access.FORBIDDEN:
        return (forbidden(path, device, found.user),)
    if label == "" or label in HEADER_LABELS:
        return ()
    header = [f"{other} ({name})" for other, name in found.chips.items() if name in HEADER_LABELS]
    return (
        Finding(
            f"{path} has other pins ({label}); those of the header are on {listed(header) if header else 'no chip'}.",
            "This kernel numbers its chips in another way than gpiozero expects.",
            "Bring the system and gpiozero up to date: sudo apt full-upgrade.",
        ),
    )


def _busy(visit: Visit, used: tuple[Wire, ...]) -> tuple[Finding, ...]:
    """The pins that cannot be had."""
    try:
        factory = visit.machine.pins()
    except LinkLost as lost:
        return (Finding(str(lost)),)
    findings: list[Finding] = []
    for wire in used:
        try:
            release(take(factory, [(wire.use, wire.pin)], pulled_up))
        except LinkLost as lost:
            if not _is_covered(visit, str(lost)):
                findings.append(
                    Finding(
                        str(lost),
                        "",
                        f"End the other program, or free the pin in {CONFIG} {_RESTART}.",
                    )
                )
    return tuple(findings)


def _is_covered(visit: Visit, sentence: str) -> bool:
    return any(words in sentence for words in visit.covered)


def forbidden(path: str, device: Device, user: User) -> Finding:
    """What to do about a device that this user may not use."""
    fault, group = f"The user {user.name} may not use {path}.", device.group
    if group == "root":
        return Finding(
            fault,
            "It belongs to root alone; Raspberry Pi OS gives it to a group.",
            "Install what does so and restart: sudo apt install raspberrypi-sys-mods.",
        )
    if group in user.groups:
        return Finding(fault, f"Its group {group} may not write to it.", f"Let it: sudo chmod g+rw {path}.")
    if group in user.listed:
        return Finding(
            fault, f"The group {group} was given to this user after the login.", "Log out and in again, or restart."
        )
    return Finding(
        fault,
        f"Whoever is in the group {group} may.",
        f"sudo usermod -aG {group} {user.name}, then log out and in again.",
    )


# --------------------------------------------------------------------------------------------- buses

_SELECTS: Mapping[int, tuple[int, ...]] = {0: (8, 7), 1: (18, 17, 16)}
"""For each SPI bus the pins of its chip selects."""
_I2C_PINS = (2, 3)


def buses(visit: Visit) -> Outcome:
    """Every bus that the board needs is on, may be used, and claims no pin too many."""
    found, profile = visit.computer, visit.profile
    needed = {f"/dev/spidev{spi.bus}.{spi.device}": _setting(profile, spi) for spi in _spi(profile)}
    if isinstance(profile.reader, Expander):
        needed[f"/dev/i2c-{profile.reader.bus}"] = "dtparam=i2c_arm=on"
    findings = (*_missing(visit, found, needed), *_superfluous(visit, found))
    return outcome(findings, named(list(needed)) if needed else "none is needed, and none in the way")


def _spi(profile: Profile) -> tuple[Spi, ...]:
    used = {parts[0].spi for parts in chains(profile)}
    if isinstance(profile.lamps, Ws2812):
        used.add(profile.lamps.spi)
    return tuple(sorted(used, key=lambda spi: (spi.bus, spi.device)))


def _setting(profile: Profile, spi: Spi) -> str:
    """The line of the Raspberry Pi's configuration that switches a bus on as the profile has it."""
    if spi.bus == 0:
        return "dtoverlay=spi0-1cs" if profile.buses.spi0 == 1 else "dtparam=spi=on"
    return f"dtoverlay=spi{spi.bus}-{profile.buses.spi1}cs"


def _missing(visit: Visit, found: Pi, needed: Mapping[str, str]) -> Iterator[Finding]:
    for path, setting in needed.items():
        device = found.device(path)
        if device.access is Access.USABLE:
            continue
        visit.covered.add(path)
        if device.access is Access.FORBIDDEN:
            yield forbidden(path, device, found.user)
        else:
            yield Finding(
                f"There is no {path}, and the board needs it.",
                "The bus is switched off.",
                f"Put the line {setting} into {CONFIG} {_RESTART}.",
            )


def _superfluous(visit: Visit, found: Pi) -> Iterator[Finding]:
    """Pins of the board that a bus has claimed."""
    own = {wire.pin: wire.use for wire in _own_pins(visit.profile)}
    claims = {
        f"SPI{bus}": [pin for at, pin in enumerate(pins) if f"/dev/spidev{bus}.{at}" in found.devices]
        for bus, pins in _SELECTS.items()
    }
    claims["I2C"] = [pin for pin in _I2C_PINS if "/dev/i2c-1" in found.devices]
    for bus, pins in claims.items():
        if claimed := [pin for pin in pins if pin in own]:
            visit.covered.update(f"GPIO{pin} (" for pin in claimed)
            uses = listed(f"GPIO{pin} ({own[pin]})" for pin in claimed)
            yield Finding(
                f"{bus} claims {uses}, which the board needs.",
                "The Raspberry Pi switches on more of the bus than the profile says.",
                f"Have {_fewer(visit.profile, bus)} in {CONFIG} {_RESTART}.",
            )


def _fewer(profile: Profile, bus: str) -> str:
    """The line that leaves a bus no more than the board needs of it."""
    if bus == "I2C":
        return "dtparam=i2c_arm=off"
    selects = profile.buses.spi0 if bus == "SPI0" else profile.buses.spi1
    if selects:
        return f"dtoverlay={bus.lower()}-{selects}cs in place of every other line for {bus}"
    return "dtparam=spi=off" if bus == "SPI0" else "no line for spi1"


# ----------------------------------------------------------------------------------------- expanders


def has_expander(profile: Profile) -> bool:
    """Whether a board's switches are on expanders."""
    return isinstance(profile.reader, Expander)


def expander(visit: Visit) -> Outcome:
    """Every expander answers at its address."""
    reader = visit.profile.reader
    assert isinstance(reader, Expander)  # noqa: S101  # the check is about such boards alone
    try:
        bus = visit.machine.i2c(reader.bus)
    except LinkLost as lost:
        visit.covered.add(str(lost))
        return Wrong((Finding(str(lost)),))
    answering = {address for address in {*_EXPANDERS, *reader.addresses} if _answers(bus, address)}
    bus.close()
    silent = [f"{address:#04x}" for address in reader.addresses if address not in answering]
    if not silent:
        return Well(f"chips at {listed(f'{address:#04x}' for address in reader.addresses)}")
    visit.covered.add(f"on I2C bus {reader.bus} does not answer")
    if len(silent) == len(reader.addresses):
        return Wrong(
            (
                Finding(
                    f"No expander answers on I2C bus {reader.bus}.",
                    "They have no power, or the wires of data and clock are exchanged or off.",
                    "Measure 3.3 V at a chip; data is BCM 2, pin 3 of the header, and clock BCM 3, pin 5.",
                ),
            )
        )
    strangers = [f"{address:#04x}" for address in sorted(answering.difference(reader.addresses))]
    return Wrong(
        (
            Finding(
                f"The expander at {listed(silent)} does not answer.",
                f"There is one at {listed(strangers)} that the profile does not have."
                if strangers
                else "It has no power, or its two wires are off.",
                "Look at its address pins A0, A1 and A2." if strangers else "Look at its supply and its solder joints.",
            ),
        )
    )


def _answers(bus: Bus, address: int) -> bool:
    try:
        bus.read_word_data(address, _INPUTS)
    except OSError:
        return False
    return True


# --------------------------------------------------------------------------------------------- power


def power(visit: Visit) -> Outcome:
    """The voltage holds, also while every lamp shines, and the processor keeps cool."""
    before = visit.facts()
    if before.flags is None:
        return Unasked("this system does not tell whether its voltage was too low")
    bench = visit.bench
    bench.show(dict.fromkeys(range(bench.lamp_count), FULL))
    until = bench.now + visit.patience.step
    while bench.now < until:
        bench.wait_until(until)
    after = visit.facts()
    bench.show()
    bench.wait(0.0)
    return outcome(
        tuple(_low(before, after, visit.profile) or _hot(after)), "the voltage holds with every lamp at full"
    )


def _low(before: Pi, after: Pi, profile: Profile) -> tuple[Finding, ...]:
    low = Trouble.LOW_VOLTAGE
    moments = {
        "The Raspberry Pi's voltage is too low now.": low in before.now(),
        "The Raspberry Pi's voltage falls too low when the lamps shine.": low in after.now()
        or low in after.since_start() - before.since_start(),
        "The Raspberry Pi's voltage was too low since its start, though it is not now.": low in before.since_start(),
    }
    return tuple(
        Finding(
            sentence,
            "The supply is too weak, or its cable to the Raspberry Pi too thin or too long.",
            f"Take a supply of {profile.power.supply:g} A at 5 V and a short cable; 4.9 to 5.2 V must arrive.",
        )
        for sentence, is_so in moments.items()
        if is_so
    )[:1]


def _hot(after: Pi) -> tuple[Finding, ...]:
    if not after.now() and not after.since_start():
        return ()
    when = "is slowed down now" if after.now() else "was slowed down since its start"
    return (
        Finding(
            f"The Raspberry Pi {when}, because it is too hot.",
            "Its processor has no air.",
            "Give it a heat sink, or openings in its case.",
        ),
    )
