"""Kinds of values that no profile has, but a configuration."""

from __future__ import annotations

import pytest

from reedlight.board.kinds import Texts, Unfit

WORDS = Texts("a word", "[a-z]+")


def test_a_list_of_texts_is_read_in_order() -> None:
    assert WORDS.read(["b", "a"]) == ("b", "a")
    assert WORDS.read([]) == ()
    assert WORDS.said == "a list of texts, each a word"


@pytest.mark.parametrize(("given", "why"), [("a", "a list of texts"), (["a", "B"], "a word"), (["a", 1], "a word")])
def test_what_is_no_such_list_is_refused(given: object, why: str) -> None:
    with pytest.raises(Unfit, match=why):
        WORDS.read(given)
