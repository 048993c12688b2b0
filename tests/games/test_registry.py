"""The games there are, by name."""

from __future__ import annotations

import pytest

from reedlight.core.game import BadOption
from reedlight.games import REGISTRY, make


def test_a_game_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(BadOption) as refused:
        make("chess")
    for name in REGISTRY:
        assert name in str(refused.value)
