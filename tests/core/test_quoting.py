"""Texts as sentences repeat them."""

from __future__ import annotations

from reedlight.core.quoting import LONGEST, quoted, shortened


def test_a_text_is_repeated_as_it_is_and_a_long_one_cut() -> None:
    assert quoted("c3-d9\n") == "'c3-d9\\n'"
    assert shortened("x" * LONGEST) == "x" * LONGEST
    assert shortened("x" * (LONGEST + 1)) == "x" * (LONGEST - 3) + "..."
    assert quoted("x" * 100_000) == f"'{'x' * (LONGEST - 3)}...'"
