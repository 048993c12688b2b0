"""Times in records: moments to texts and back, and those that nobody knows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reedlight.record import times

BEGUN = 1796061845.0
"""18:04:05 on the 30th of November 2026, in UTC."""


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0:00:00"),
        (4, "0:00:04"),
        (4.25, "0:00:04.25"),
        (59.999, "0:00:59.999"),
        (59.9999, "0:01:00"),
        (3661.007, "1:01:01.007"),
        (360_000, "100:00:00"),
    ],
)
def test_what_has_elapsed_is_told_in_hours_minutes_and_seconds(seconds: float, text: str) -> None:
    assert times.elapsed(BEGUN, BEGUN + seconds) == text


@given(st.integers(-(10**9), 4 * 10**9).filter(bool), st.floats(0, 3.6e8 - 1))
def test_every_moment_of_a_game_comes_back(begun: int, seconds: float) -> None:
    at = times.of_game(begun, begun + seconds)
    assert at == 0 or times.after(begun, times.elapsed(begun, at)) == at


@pytest.mark.parametrize("text", ["", "4", "0:4:00", "0:60:00", "0:00:60", "-1:00:00", "0:00:04.1234", "1000000:00:00"])
def test_what_is_no_time_is_not_read(text: str) -> None:
    assert times.after(BEGUN, text) is None


@pytest.mark.parametrize("at", [0.0, BEGUN - 0.01, BEGUN + 1e12])
def test_a_moment_before_the_beginning_or_long_after_it_is_not_known(at: float) -> None:
    assert times.of_game(BEGUN, at) == 0.0
    assert times.of_game(0.0, at) == 0.0


def test_a_moment_is_kept_in_thousandths() -> None:
    assert times.of_game(BEGUN, BEGUN + 1.23456) == BEGUN + 1.235


@pytest.mark.parametrize(("at", "kept"), [(BEGUN + 0.7, BEGUN), (0.0, 0.0), (1e18, 0.0), (-1e18, 0.0), (3e11, 0.0)])
def test_a_beginning_is_kept_in_whole_seconds_if_a_calendar_has_it(at: float, kept: float) -> None:
    assert times.beginning(at) == kept


@pytest.mark.parametrize("at", [float("nan"), float("inf")])
def test_what_is_no_moment_is_no_beginning(at: float) -> None:
    assert times.beginning(at) == 0.0


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-11-30T18:04:05Z", BEGUN),
        ("2026-11-30 18:04:05", BEGUN),
        ("2026.11.30 18:04:05.75", BEGUN),
        ("2026.11.30 ", 0.0),
        ("2026.02.30 18:04:05", 0.0),
        ("????.??.?? 18:04:05", 0.0),
        ("yesterday", 0.0),
    ],
)
def test_a_beginning_is_read_as_others_write_it(text: str, at: float) -> None:
    assert times.read(text) == at
