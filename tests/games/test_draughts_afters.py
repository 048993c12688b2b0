"""What a search asks of the rules, positions alone: the same as the steps say, in positions of every kind."""

from __future__ import annotations

from random import Random

from reedlight.core.game import Side
from reedlight.games.draughts import compact
from reedlight.games.draughts.compact import BOTTOM, START, TOP, Position, afters, leaves, play, steps


def seen_by(position: Position, side: Side) -> tuple[int, int, int]:
    """The side's pieces, the other's, the kings."""
    light, dark, kings = position
    return (light, dark, kings) if side is Side.LIGHT else (dark, light, kings)


def random_positions(games: int) -> list[tuple[Position, Side]]:
    """Positions of random games, with kings and captures by the hundred."""
    rng, found = Random(7), list[tuple[Position, Side]]()
    for _ in range(games):
        position, side = START, Side.LIGHT
        while ways := steps(position, side):
            found.append((position, side))
            if len(found) % 150 == 0:
                break
            position, side = play(position, side, rng.choice(ways)), side.other
    return found


def test_every_position_leads_on_as_its_steps_say() -> None:
    for position, side in random_positions(60):
        ahead = sorted(afters(*seen_by(position, side), TOP if side is Side.LIGHT else BOTTOM))
        after = [seen_by(play(position, side, step), side.other) for step in steps(position, side)]
        assert ahead == sorted(after), (position, side)


def test_leaves_are_as_many_as_published() -> None:
    assert [leaves(*START, TOP, depth) for depth in (1, 2, 3, 4, 5)] == [7, 49, 302, 1469, 7482]


def test_what_is_remembered_of_men_is_forgotten_before_it_is_too_much() -> None:
    known = {number: (number,) for number in range(compact.REMEMBERED)}
    assert compact.men_move(known, 1 << 5 | 1 << 6, 4) == (1 << 5 | 1 << 1, 1 << 6 | 1 << 2)
    assert list(known) == [1 << 5 | 1 << 6]
