"""One whole game of each kind, written down step by step, replays line by line.

``tests/vectors/NAME/playthrough.txt`` holds a random game: in each line the position as text, how many
actions or rolls are open, and the one that was taken; the last line says how it ended. Any change of the
rules or of the text shows as a line that differs. ``make golden`` writes the files anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from reedlight.core.game import Game, Roll, State
from reedlight.games import REGISTRY, make

VECTORS = Path(__file__).parent.parent / "vectors"
SMALL = {"diablo": "4", "herd": "3"}
"""The board of a playthrough where the usual one would make a long file."""


def steps(game: Game[Any], rng: Random) -> Iterator[str]:
    """A random game, a line a step."""
    state = game.start()
    while state.outcome is None:
        choices = list(state.chance()) or list(state.legal_actions())
        chosen = rng.choice(choices)
        yield f"{game.dump(state)} | {len(choices)} | {said(game, state, chosen)}"
        state = state.apply(chosen)
    yield f"{game.dump(state)} | 0 | {result_of(game, state)}"


def result_of(game: Game[Any], state: State[Any]) -> str:
    """Who won, and why."""
    assert state.outcome is not None, f"not over: {game.dump(state)}"
    winner = f"{game.sides[state.outcome.winner]} wins" if state.outcome.winner else "a draw"
    return f"{winner}: {state.outcome.reason}"


def said(game: Game[Any], state: State[Any], choice: Any) -> str:
    """An action in the game's notation, or a roll."""
    return f"roll {'-'.join(map(str, choice.dice))}" if isinstance(choice, Roll) else game.notate(state, choice)


def read(game: Game[Any], state: State[Any], text: str) -> Any:
    """The choice that a line names."""
    if text.startswith("roll "):
        return Roll(tuple(int(pips) for pips in text.removeprefix("roll ").split("-")))
    return game.parse(state, text)


@pytest.mark.parametrize("name", REGISTRY)
def test_the_playthrough_replays_line_by_line(name: str) -> None:
    game = make(name, SMALL.get(name))
    path = VECTORS / name / "playthrough.txt"
    if os.environ.get("REEDLIGHT_GOLDEN"):
        path.write_text("\n".join(steps(game, Random(1))) + "\n")
    assert path.exists(), f"{name} has no playthrough: run make golden"
    lines = path.read_text().splitlines()
    state = game.start()
    for number, line in enumerate(lines[:-1], start=1):
        position, choices, taken = line.split(" | ")
        assert game.dump(state) == position, f"line {number}"
        assert len(state.chance() or state.legal_actions()) == int(choices), f"line {number}"
        state = state.apply(read(game, state, taken))
    position, _, result = lines[-1].split(" | ")
    assert game.dump(state) == position
    assert result_of(game, state) == result
