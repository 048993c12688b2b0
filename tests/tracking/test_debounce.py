"""Debouncing as stories of samples; times are written in milliseconds."""

from __future__ import annotations

from random import Random

import pytest

from reedlight.tracking.debounce import STEADY, Debounce

MS = 0.001


def listen(debounce: Debounce, *samples: tuple[float, int]) -> list[int]:
    """Every stable mask that comes out while the samples go in, and of one last look 20 ms after them."""
    out: list[int] = []
    for ms, mask in samples:
        out += debounce.sample(mask, ms * MS)
    return [*out, *debounce.tick((samples[-1][0] + 20) * MS)]


def test_a_change_is_believed_once_it_has_been_steady() -> None:
    debounce = Debounce()
    assert debounce.sample(0b1, 1.0) == ()
    assert debounce.stable == 0
    assert debounce.deadline == 1.0 + STEADY
    assert debounce.tick(1.0 + STEADY - 1e-4) == ()
    assert debounce.tick(1.0 + STEADY) == (0b1,)
    assert debounce.stable == 0b1
    assert debounce.deadline is None


def test_a_fluttering_switch_makes_one_change() -> None:
    assert listen(Debounce(), (0, 1), (0.2, 0), (0.5, 1), (0.9, 0), (1.1, 1)) == [1]


def test_a_flutter_that_ends_as_it_was_makes_none() -> None:
    debounce = Debounce(stable=1)
    assert listen(debounce, (0, 0), (0.3, 1), (0.7, 0), (1.2, 1)) == []
    assert debounce.deadline is None


def test_the_wait_begins_anew_with_every_flutter() -> None:
    debounce = Debounce()
    debounce.sample(1, 0.0)
    debounce.sample(0, 0.004)
    debounce.sample(1, 0.005)
    assert debounce.tick(0.0109) == ()
    assert debounce.tick(0.0111) == (1,)


def test_each_switch_waits_by_itself() -> None:
    assert listen(Debounce(), (0, 0b01), (2, 0b11), (4, 0b11)) == [0b01, 0b11]


def test_switches_that_change_together_come_out_together() -> None:
    assert listen(Debounce(stable=0b001), (0, 0b110)) == [0b110]


def test_a_second_report_at_the_same_moment_joins_the_first() -> None:
    assert listen(Debounce(), (0, 0b01), (0, 0b11)) == [0b11]


def test_a_flutter_of_one_switch_does_not_delay_another() -> None:
    assert listen(Debounce(), (0, 0b01), (5, 0b11), (5.5, 0b01)) == [0b01]


def test_a_scan_alone_brings_out_what_was_due_before_it() -> None:
    debounce = Debounce()
    assert debounce.sample(1, 0.000) == ()
    assert debounce.sample(1, 0.002) == ()
    assert debounce.sample(1, 0.004) == ()
    assert debounce.sample(1, 0.006) == (1,)


def test_a_late_look_tells_every_stage_in_order() -> None:
    debounce = Debounce()
    debounce.sample(0b001, 0.000)
    debounce.sample(0b011, 0.001)
    debounce.sample(0b111, 0.002)
    assert debounce.tick(1.0) == (0b001, 0b011, 0b111)


def test_there_may_be_more_switches_than_a_machine_word_has_bits() -> None:
    far = 1 << 675
    assert listen(Debounce(stable=1), (0, far | 1)) == [far | 1]


@pytest.mark.parametrize("seed", range(20))
def test_bounce_within_a_millisecond_never_shows(seed: int) -> None:
    rng = Random(seed)
    truth, samples, expected = 0, list[tuple[float, int]](), list[int]()
    for step in range(50):
        switch = 1 << rng.randrange(200)
        begin = step * 10.0
        flutter = sorted(rng.uniform(0, 1) for _ in range(2 * rng.randrange(3)))
        samples += [(begin + at, truth ^ switch * (number % 2)) for number, at in enumerate(flutter)]
        truth ^= switch
        samples.append((begin + 1, truth))
        expected.append(truth)
    assert listen(Debounce(), *samples) == expected
