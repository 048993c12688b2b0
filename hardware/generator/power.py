"""Power: what a board draws at 5 V, from each of its loads, and what supply, fuses and wires carry.

    typical    a game: twenty cells lit with two channels at a quarter, six pips a die
    worst      everything at once that the program allows: the string at its cap
    broken     the program has gone mad: every lamp white, the chips in display test

Currents are amperes at 5 V. They are estimates from ``parts.toml`` until somebody measures a board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from hardware.generator.circuit import Circuit
from hardware.generator.parts import Parts
from hardware.generator.tables import markdown
from reedlight.board.profile import Profile, Ws2812

LIT_CELLS = 20
"""Cells that are lit in a typical scene."""
CHANNELS = 2
"""Channels that a lit cell uses."""
SHARE = 0.25
"""How bright they are."""
SPARE = 0.8
"""The share of a fuse's or a supply's current that may be used."""
# A Pico, and the lamps of four buttons on pins: amperes, typical and most.
_PICO = (0.03, 0.06)
_BUTTON_LAMPS = (0.02, 0.06)


@dataclass(frozen=True, slots=True)
class Load:
    """One thing that draws current."""

    name: str
    typical: float
    worst: float
    broken: float
    fused: bool
    """Whether it hangs behind the lamps' own fuse."""


def loads(profile: Profile, circuit: Circuit, parts: Parts) -> tuple[Load, ...]:
    """Everything that draws current on a board."""
    found = [*_lamps(profile, circuit, parts), *_console(circuit, parts)]
    pi = parts.of("pi")
    if profile.power.pi_worst:
        found.append(
            Load(
                "Raspberry Pi 4B",
                pi.by_model("model_typical")["4B"],
                profile.power.pi_worst,
                profile.power.pi_worst,
                fused=False,
            )
        )
    return tuple(found)


def _lamps(profile: Profile, circuit: Circuit, parts: Parts) -> list[Load]:
    if isinstance(profile.lamps, Ws2812):
        lamp = parts.of("rgb_lamp")
        dark = profile.lamps.count * lamp.number("dark")
        typical = dark + LIT_CELLS * CHANNELS * SHARE * lamp.number("channel")
        broken = profile.lamps.count * max(lamp.numbers_of("white"))
        return [Load(f"{profile.lamps.count} RGB lamps", typical, profile.power.led_cap, broken, fused=True)]
    chip = parts.of("max7219")
    number = len(circuit.of_part("max7219"))
    full = number * chip.number("all_lit")
    share = LIT_CELLS / 64
    return [
        Load(
            f"{number} MAX7219 with lamps and digits",
            full * share,
            full,
            number * chip.number("display_test"),
            fused=True,
        )
    ]


def _console(circuit: Circuit, parts: Parts) -> list[Load]:
    found: list[Load] = []
    modules = len(circuit.of_part("dice_module"))
    if modules:
        module = parts.of("dice_module")
        found.append(
            Load(
                "two dice modules",
                *(modules * module.number(name) for name in ("six_pips", "all_lit", "display_test")),
                fused=False,
            )
        )
    if circuit.of_part("pico"):
        found.append(Load("Pico", *_PICO, _PICO[1], fused=False))
    if any(component.ref.startswith("RL:") for component in circuit.components.values()):
        found.append(Load("lamps of the buttons", *_BUTTON_LAMPS, _BUTTON_LAMPS[1], fused=False))
    return found


@dataclass(frozen=True, slots=True)
class Sums:
    """The loads of a board, added up."""

    typical: float
    worst: float
    broken: float
    lamps: float
    """The worst behind the lamps' fuse."""
    lamps_broken: float


def sums(found: tuple[Load, ...]) -> Sums:
    """The loads added up."""
    return Sums(
        sum(load.typical for load in found),
        sum(load.worst for load in found),
        sum(load.broken for load in found),
        sum(load.worst for load in found if load.fused),
        sum(load.broken for load in found if load.fused),
    )


def lost(profile: Profile, circuit: Circuit, parts: Parts) -> float:
    """Volts of the lamps' 5 V lost on the way up the board and back, if one side alone fed all of them at its end."""
    up = [wire for wire in circuit.wires if wire.kind == "thick" and wire.section == "lamp 5 V"]
    metres = sum(wire.length for wire in up if wire.end.ref.startswith("TL")) / 1000
    current = sums(loads(profile, circuit, parts)).lamps
    return 2 * metres * parts.rule("wire_rules", "ohm_mm2_per_m") / parts.wires["thick"].area * current


def segment_current(parts: Parts) -> float:
    """Amperes of one lit lamp of a MAX7219, from the table of its resistor."""
    return _curve(sorted(rset_points(parts)), parts.of("resistor_27k").number("ohm") / 1000)


def rset_points(parts: Parts) -> tuple[tuple[float, float], ...]:
    """RSET in kohm, and the amperes of a lit lamp that it gives at the LEDs' voltage, by the data sheet."""
    chip, volts = parts.of("max7219"), parts.of("led").number("drop")
    known = chip.numbers_of("rset_volts")
    return tuple((_between(known, tuple(row["kohm"]), volts), float(row["current"])) for row in chip.values["rset"])


def _between(xs: Sequence[float], ys: Sequence[float], x: float) -> float:
    for (x0, y0), (x1, y1) in pairwise(zip(xs, ys, strict=True)):
        if x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return ys[-1]


def _curve(points: Sequence[tuple[float, float]], x: float) -> float:
    """Between and beyond points that lie on a straight line where both axes are logarithmic."""
    pairs = list(pairwise(points))
    (x0, y0), (x1, y1) = next((pair for pair in pairs if x <= pair[1][0]), pairs[-1])
    return y0 * (x / x0) ** (log(y1 / y0) / log(x1 / x0))


def power_page(profile: Profile, circuit: Circuit, parts: Parts) -> str:
    """The budget as a page."""
    found = loads(profile, circuit, parts)
    total, power = sums(found), profile.power
    pptc, fuse = parts.of("pptc"), parts.of("fuse")
    rows = [
        (
            load.name,
            _amperes(load.typical),
            _amperes(load.worst),
            _amperes(load.broken),
            "F2, then F1" if load.fused else "F1",
        )
        for load in found
    ]
    rows.append(
        (
            "**together**",
            f"**{_amperes(total.typical)}**",
            f"**{_amperes(total.worst)}**",
            f"**{_amperes(total.broken)}**",
            "",
        )
    )
    checks = (
        (
            "lamps against their fuse F2",
            f"{total.lamps:.2f} A",
            f"{SPARE:.0%} of {pptc.number('hold'):g} A = {SPARE * pptc.number('hold'):.2f} A",
        ),
        (
            "board against the supply",
            f"{total.worst:.2f} A",
            f"{SPARE:.0%} of {power.supply:g} A = {SPARE * power.supply:.2f} A",
        ),
        ("board against the fuse F1", f"{total.worst:.2f} A", f"{fuse.number('blows'):g} A"),
    )
    if isinstance(profile.lamps, Ws2812):
        most = parts.rule("wire_rules", "lost_most")
        checks += (("lost on the lamps' thick wires", f"{lost(profile, circuit, parts):.2f} V", f"{most:g} V"),)
    return "\n".join(
        (
            f"# Power of {profile.name}: {profile.title}\n",
            (
                "Made from the board's profile and `hardware/parts.toml` by `make hardware`; do not edit. "
                "Amperes at 5 V; "
                "estimates until a board has been measured.\n"
            ),
            markdown(("load", "typical", "worst the program allows", "program broken", "behind"), rows),
            f"Typical: {_typical(profile)}. Worst: a Pi 4B; what other models draw stands in the table below.\n",
            "## Margins\n",
            markdown(("what", "draws", "may draw"), checks),
            _broken(profile, parts),
            *_brightness(circuit, parts),
            "## What else the Pi may be\n",
            markdown(("model", "typical", "worst", "board's worst with it"), _models(total, profile, parts)),
        )
    )


def _typical(profile: Profile) -> str:
    if isinstance(profile.lamps, Ws2812):
        return f"{LIT_CELLS} cells lit, {CHANNELS} channels at {SHARE:.0%}"
    return f"{LIT_CELLS} cells lit"


def _broken(profile: Profile, parts: Parts) -> str:
    if not isinstance(profile.lamps, Ws2812):
        return "A chip in display test lights everything at full current; F2 holds it, and nothing gets hot.\n"
    white = parts.of("rgb_lamp").numbers_of("white")
    trip = parts.of("pptc").number("trip")
    said: list[str] = []
    for each in white:
        total = profile.lamps.count * each
        ends = "F2 trips" if total > trip else "F2 may hold; the supply carries it"
        said.append(f"{total:.2f} A for lamps of {1000 * each:g} mA ({ends})")
    return f"If the program broke and lit every lamp white: {', '.join(said)}.\n"


def _brightness(circuit: Circuit, parts: Parts) -> tuple[str, ...]:
    """What resistor sets how bright the LEDs are, and why that one; nothing on a board without bare chips."""
    if not circuit.of_part("max7219"):
        return ()
    kohm, current = parts.of("resistor_27k").number("ohm") / 1000, 1000 * segment_current(parts)
    most, chip = 1000 * parts.of("led").number("most"), 1000 * parts.of("max7219").number("segment_most")
    rows = [
        (f"{points:.1f}", f"{1000 * amperes:.0f}", f"{1000 * amperes / 8:.1f}")
        for points, amperes in rset_points(parts)
    ]
    return (
        "## What sets the brightness of the LEDs\n",
        (
            f"The resistor from ISET to V+ (RI4 for the cells, RI5 for the panel): {kohm:g} kohm let {current:.0f} mA "
            f"flow while an LED is lit, which is an eighth of the time, so {current / 8:.1f} mA in the mean. The "
            f"budget above counts on that; an LED bears {most:g} mA, the chip {chip:g} mA. Larger is darker. "
            f"Never smaller than 18 kohm with these LEDs.\n"
        ),
        markdown(("RSET, kohm", "mA while lit", "mA in the mean"), rows),
        f"From the data sheet's table for LEDs of {parts.of('led').number('drop'):g} V; unchecked.\n",
    )


def _models(total: Sums, profile: Profile, parts: Parts) -> list[tuple[str, str, str, str]]:
    pi = parts.of("pi")
    typical, worst = pi.by_model("model_typical"), pi.by_model("model_worst")
    return [
        (
            model,
            _amperes(typical[model]),
            _amperes(worst[model]),
            _amperes(total.worst - profile.power.pi_worst + worst[model]),
        )
        for model in typical
    ]


def _amperes(value: float) -> str:
    return f"{value:.2f}"
