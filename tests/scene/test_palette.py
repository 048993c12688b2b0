"""What the palette promises: marks told apart by rhythm and by hue, and no flashing that harms."""

from __future__ import annotations

import json
from itertools import accumulate, combinations, pairwise
from math import dist, gcd, isclose, lcm
from typing import TYPE_CHECKING

import pytest

from reedlight.scene import palette
from reedlight.scene.palette import (
    BUTTON_RHYTHMS,
    DELAYS,
    LEVELS,
    ON_OFF,
    Colour,
    Hue,
    Palette,
    Point,
    Rhythm,
    as_json,
)
from reedlight.scene.scene import Lamp, Mark

if TYPE_CHECKING:
    from collections.abc import Sequence

RATE = 60  # samples a second
LOOK = 2  # seconds one looks
GLYPHS = " .:-=+*#%@"

both = pytest.mark.parametrize("shown", [LEVELS, ON_OFF], ids=lambda shown: shown.name)


def curve(*points: tuple[float, float]) -> Rhythm:
    return Rhythm(tuple(Point(*point) for point in points))


def even_blink(period: float) -> Rhythm:
    return curve((0, 1), (period / 2, 1), (period / 2, 0), (period, 0))


def samples(rhythm: Rhythm) -> list[float]:
    return [rhythm.level(sample / RATE) for sample in range(round(rhythm.period * RATE))]


# ---------------------------------------------------------------- reading a rhythm


def test_a_rhythm_is_straight_from_point_to_point_and_repeats() -> None:
    rising = curve((0, 0.0), (2, 1.0))
    assert [rising.level(moment) for moment in (0, 0.5, 1, 1.5, 2, 2.5)] == [0, 0.25, 0.5, 0.75, 0, 0.25]


def test_a_step_belongs_to_what_follows_it() -> None:
    blink = even_blink(1)
    assert [blink.level(moment) for moment in (0, 0.499, 0.5, 0.999, 1)] == [1, 1, 0, 0, 1]


@both
def test_every_mark_has_a_hue_and_a_rhythm_of_two_seconds_at_most(shown: Palette) -> None:
    assert set(shown.rhythms) == set(shown.hues) == set(DELAYS) == set(Mark)
    for rhythm in shown.rhythms.values():
        moments = [point.moment for point in rhythm.points]
        assert moments[0] == 0
        assert moments == sorted(moments)
        assert 0 < rhythm.period <= LOOK
        assert all(0 <= point.level <= 1 for point in rhythm.points)


def test_on_off_knows_nothing_between() -> None:
    levels = {level for rhythm in ON_OFF.rhythms.values() for level in samples(rhythm)}
    assert levels == {0.0, 1.0}


def test_a_button_is_dark_or_lit_or_blinks_once_a_second() -> None:
    assert samples(BUTTON_RHYTHMS[Lamp.OFF]) == [0.0] * RATE
    assert samples(BUTTON_RHYTHMS[Lamp.ON]) == [1.0] * RATE
    assert samples(BUTTON_RHYTHMS[Lamp.BLINK]) == [1.0] * (RATE // 2) + [0.0] * (RATE // 2)


def test_the_picture_in_the_module_is_drawn_from_its_numbers() -> None:
    for mark in Mark:
        strips = "|".join(strip(shown.rhythms[mark]) for shown in (LEVELS, ON_OFF))
        assert f"    {mark.name:9} |{strips}|" in str(palette.__doc__)


def strip(rhythm: Rhythm) -> str:
    """Two seconds, a character for the middle of each tenth of a second."""
    levels = [rhythm.level((tenth + 0.5) / 10) for tenth in range(10 * LOOK)]
    return "".join(GLYPHS[round(level * (len(GLYPHS) - 1))] for level in levels)


# ---------------------------------------------------------------- told apart by rhythm


MARGIN = 0.2
"""A fifth of full brightness on average: black against white for 0.4 s of the two seconds."""


def difference(one: Rhythm, other: Rhythm) -> float:
    """Mean distance of the two curves where they are most alike.

    Someone who sees a lamp for two seconds knows neither when its period began nor which part of it this is.
    So each curve may be read from any of its moments, and the least difference of all these counts. Every
    pair of phases occurs in one run as long as both periods together, begun at each shift below their
    greatest common divisor.
    """
    a, b = samples(one), samples(other)
    together, window = lcm(len(a), len(b)), LOOK * RATE
    means: list[float] = []
    for shift in range(gcd(len(a), len(b))):
        gaps = (abs(a[at % len(a)] - b[(at + shift) % len(b)]) for at in range(together + window))
        sums = list(accumulate(gaps, initial=0.0))
        means += [(sums[at + window] - sums[at]) / window for at in range(together)]
    return min(means)


@both
def test_any_two_marks_are_told_apart_by_rhythm_within_two_seconds(shown: Palette) -> None:
    alike = {
        f"{one.name} {other.name}": measured
        for one, other in combinations(Mark, 2)
        if (measured := difference(shown.rhythms[one], shown.rhythms[other])) < MARGIN
    }
    assert alike == {}


@both
@pytest.mark.parametrize("mark", Mark)
def test_the_measure_finds_no_difference_between_a_mark_and_itself(shown: Palette, mark: Mark) -> None:
    assert difference(shown.rhythms[mark], shown.rhythms[mark]) == 0


def test_the_measure_is_not_deceived_by_a_shift() -> None:
    early = curve((0, 1), (0.4, 1), (0.4, 0), (1, 0))
    late = curve((0, 0), (0.5, 0), (0.5, 1), (0.9, 1), (0.9, 0), (1, 0))
    assert difference(early, late) == 0


def test_the_measure_is_not_deceived_by_different_periods() -> None:
    """A flash every 1.2 s and one every 2 s: there are two seconds that hold one of each."""
    often = curve((0, 1), (0.2, 1), (0.2, 0), (1.2, 0))
    seldom = curve((0, 1), (0.2, 1), (0.2, 0), (2, 0))
    assert difference(often, seldom) == 0


def test_the_measure_of_light_and_dark_is_one() -> None:
    assert difference(BUTTON_RHYTHMS[Lamp.ON], BUTTON_RHYTHMS[Lamp.OFF]) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (even_blink(1.0), even_blink(1.1)),
        (curve((0, 0.5), (1, 0.5)), curve((0, 0.6), (1, 0.6))),
        (curve((0, 1), (0.2, 1), (0.2, 0), (2, 0)), curve((0, 1), (0.3, 1), (0.3, 0), (2, 0))),
    ],
    ids=["blinks of nearly one period", "glows of nearly one brightness", "flashes of nearly one length"],
)
def test_the_margin_refuses_rhythms_that_are_nearly_alike(one: Rhythm, other: Rhythm) -> None:
    assert 0 < difference(one, other) < MARGIN


# ---------------------------------------------------------------- no flashing that harms


FLASHES = 3
"""The most within any second, after WCAG 2.3.1."""
OPPOSING = 0.1
"""A change of relative luminance, as a share of the most, that counts as half a flash."""
EYE = 2.2
"""Luminance is perceived brightness to this power."""


def turns(luminances: Sequence[float]) -> list[int]:
    """The samples in which light has fallen or risen by OPPOSING since it last turned."""
    found: list[int] = []
    extreme, rising = luminances[0], True
    for at, luminance in enumerate(luminances):
        back = extreme - luminance if rising else luminance - extreme
        if back >= OPPOSING:
            found.append(at)
            extreme, rising = luminance, not rising
        elif back < 0:
            extreme = luminance
    return found


def flashes(luminances: Sequence[float]) -> int:
    """The most flashes, pairs of opposing turns, in any second."""
    found = turns(luminances)
    return max((sum(0 <= later - first <= RATE for later in found) for first in found), default=0) // 2


def seen(rhythm: Rhythm, seconds: int = 4) -> list[float]:
    one = [level**EYE for level in samples(rhythm)]
    return [one[at % len(one)] for at in range(seconds * RATE)]


@both
@pytest.mark.parametrize("mark", Mark)
def test_no_lamp_flashes_more_than_three_times_in_any_second(shown: Palette, mark: Mark) -> None:
    assert flashes(seen(shown.rhythms[mark])) <= FLASHES


@both
@pytest.mark.parametrize("mark", Mark)
def test_a_board_full_of_one_mark_flashes_no_more_than_three_times_in_any_second(shown: Palette, mark: Mark) -> None:
    lamp, late = seen(shown.rhythms[mark], 2 * LOOK), round(DELAYS[mark] * RATE)
    board = [sum(lamp[(at - late * cell) % len(lamp)] for cell in range(64)) / 64 for at in range(len(lamp))]
    assert flashes(board) <= FLASHES


@pytest.mark.parametrize(("frequency", "counted"), [(1, 1), (2.5, 3), (4, 4), (5, 5)])
def test_flashes_are_counted_in_the_worst_second(frequency: float, counted: int) -> None:
    assert flashes(seen(even_blink(1 / frequency))) == counted


def test_a_flicker_of_little_contrast_and_a_steady_light_are_no_flashes() -> None:
    assert flashes(seen(curve((0, 1), (0.1, 1), (0.1, 0.96), (0.2, 0.96)))) == 0
    assert flashes(seen(curve((0, 1), (1, 1)))) == 0


@both
@pytest.mark.parametrize("mark", Mark)
def test_flashes_begin_at_least_four_tenths_of_a_second_apart(shown: Palette, mark: Mark) -> None:
    lamp = seen(shown.rhythms[mark])
    rises = [at for at in turns(lamp) if lamp[at] > lamp[at - 1]]
    assert all(later - first >= 0.4 * RATE for first, later in pairwise(rises))


# ---------------------------------------------------------------- told apart by hue


Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear light.
VISIONS: dict[str, Matrix] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
# Ottosson 2020: linear sRGB to the cones' responses, and their cube roots to lightness, green-red, blue-yellow.
CONES: Matrix = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
OKLAB: Matrix = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
APART = {"normal": 0.20, "protan": 0.17, "deutan": 0.17, "tritan": 0.17}
"""The least OKLab distance of two hues; the just noticeable one is about 0.02."""


def times(matrix: Matrix, vector: Sequence[float]) -> Triple:
    one, two, three = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return one, two, three


def linear(channel: int) -> float:
    share = channel / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def oklab(colour: Colour, vision: str = "normal") -> Triple:
    light = times(VISIONS[vision], [linear(channel) for channel in colour])
    within = [min(1.0, max(0.0, channel)) for channel in light]
    return times(OKLAB, [response ** (1 / 3) for response in times(CONES, within)])


def apart(one: Colour, other: Colour, vision: str) -> float:
    return dist(oklab(one, vision), oklab(other, vision))


@pytest.mark.parametrize("vision", VISIONS)
def test_any_two_hues_are_told_apart_under_every_vision(vision: str) -> None:
    hues = set(LEVELS.hues.values())
    close = [(a.name, b.name) for a, b in combinations(hues, 2) if apart(a.value, b.value, vision) < APART[vision]]
    assert len(hues) == 5
    assert close == []


def test_oklab_gives_the_published_values_of_white_and_red() -> None:
    assert all(map(near, oklab(Colour(255, 255, 255)), (1.0, 0.0, 0.0)))
    assert all(map(near, oklab(Colour(255, 0, 0)), (0.627955, 0.224863, 0.125846)))


def near(one: float, other: float) -> bool:
    return isclose(one, other, abs_tol=1e-5)


@pytest.mark.parametrize(
    ("vision", "one", "other"),
    [
        ("protan", Colour(224, 32, 40), Colour(96, 96, 40)),
        ("deutan", Colour(192, 64, 40), Colour(96, 128, 40)),
        ("tritan", Colour(224, 128, 0), Colour(224, 128, 160)),
    ],
)
def test_colours_that_only_a_deficiency_confuses_are_refused(vision: str, one: Colour, other: Colour) -> None:
    assert apart(one, other, "normal") >= 0.15
    assert apart(one, other, vision) < APART[vision] / 2


# ---------------------------------------------------------------- for the page


@both
def test_the_page_gets_every_mark_by_its_name(shown: Palette) -> None:
    told = json.loads(json.dumps(as_json(shown)))
    assert list(told) == [mark.value for mark in Mark]
    for mark in Mark:
        rebuilt = curve(*(tuple(point) for point in told[mark.value]["points"]))
        assert rebuilt == shown.rhythms[mark]
        assert told[mark.value]["period"] == rebuilt.period


def test_the_page_gets_the_hue_its_colour_and_what_stands_for_motion() -> None:
    hint = as_json(LEVELS)["hint"]
    assert (hint["hue"], hint["colour"], hint["still"], hint["delay"]) == ("amber", "#febf20", 1.0, 0.8)
    assert as_json(LEVELS)["movable"]["still"] == 0.35
    assert {mark["hue"] for mark in as_json(ON_OFF).values()} == {Hue.LIT.name.lower()}
