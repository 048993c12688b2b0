"""The dice: each face as often as its odds say, and nobody can change one without being found out.

A roll is one number drawn by HMAC, taken modulo the number of equally likely parts. One draw serves every
size of die, so a million rolls of each size take a million draws; that ``roll`` makes the same of a draw as
this table does is a test of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations, product
from math import lcm

import pytest

from reedlight.core.game import Roll
from reedlight.games import REGISTRY, make
from reedlight.record import fair

SEED = bytes(range(32))
MILLION = 1_000_000
Odds = Mapping[Roll, Fraction]


def one_die(faces: int) -> Odds:
    return {Roll((pips,)): Fraction(1, faces) for pips in range(1, faces + 1)}


DICE: dict[str, Odds] = {f"a die of {faces}": one_die(faces) for faces in range(2, 7)} | {
    f"{name} {size}": odds
    for name, entry in REGISTRY.items()
    for size in entry.sizes
    if (odds := make(name, size).start().chance())
}
WHOLE = lcm(*map(len, DICE.values()))
LOADED = {Roll((1,)): Fraction(1, 2), Roll((2,)): Fraction(1, 3), Roll((3,)): Fraction(1, 6)}
"""Odds that differ, as no die of ours has them."""


@cache
def draws() -> Sequence[int]:
    """The numbers that a million rolls of one game draw; none is among the few that are drawn again.

    They are kept modulo a number that all that are asked for divide, which takes less room.
    """
    draw = fair._draw
    return [draw(SEED, f"roll {number} draw 0") % WHOLE for number in range(MILLION)]


def chi_square(seen: Counter[int], expected: Sequence[float]) -> float:
    """How far counts are from what is expected, in standard deviations of what chance does (Wilson-Hilferty)."""
    distance = sum((seen[each] - due) ** 2 / due for each, due in enumerate(expected))
    scale = 2 / (9 * (len(expected) - 1))
    return ((distance / (len(expected) - 1)) ** (1 / 3) - (1 - scale)) / scale**0.5


def is_fair(seen: Counter[int], expected: Sequence[float]) -> bool:
    """Whether chance would do so: neither farther from the odds nor nearer to them than once in 30,000 times."""
    return -4 < chi_square(seen, expected) < 4


@pytest.mark.parametrize("name", DICE)
def test_a_million_rolls_show_every_face_as_often_as_its_odds_say(name: str) -> None:
    faces = len(DICE[name])
    assert WHOLE % faces == 0
    seen = Counter(draw % faces for draw in draws())
    assert sum(seen.values()) == MILLION
    assert is_fair(seen, [MILLION / faces] * faces)


@pytest.mark.parametrize("name", DICE)
def test_roll_makes_of_a_draw_the_face_that_is_counted_here(name: str) -> None:
    faces = sorted(DICE[name], key=lambda each: each.dice)
    for number in range(1000):
        assert fair.roll(SEED, number, DICE[name]) == faces[draws()[number] % len(faces)]


@pytest.mark.parametrize("faces", [2, 3, 4, 5, 6])
def test_a_roll_says_nothing_about_the_next(faces: int) -> None:
    pips = [draw % faces for draw in draws()]
    pairs = Counter(one * faces + other for one, other in pairwise(pips))
    assert is_fair(pairs, [(MILLION - 1) / faces**2] * faces**2)


def test_odds_that_differ_are_kept_too() -> None:
    faces = sorted(LOADED, key=lambda each: each.dice)
    seen = Counter(faces.index(fair.roll(SEED, number, LOADED)) for number in range(20_000))
    assert is_fair(seen, [20_000 * float(LOADED[face]) for face in faces])


def test_a_die_that_is_loaded_by_a_hundredth_is_found_out() -> None:
    faces = 6
    seen = Counter(draw % faces for draw in draws())
    moved = seen[0] // 100
    assert not is_fair(seen + Counter({5: moved}) - Counter({0: moved}), [MILLION / faces] * faces)


def test_faces_in_turn_are_found_out_for_being_too_even() -> None:
    assert not is_fair(Counter(dict.fromkeys(range(5), MILLION // 5)), [MILLION / 5] * 5)


def test_one_byte_would_not_do_for_six_faces() -> None:
    """What the many bits of a draw are for: 256 is no multiple of 6."""
    seen = Counter(byte % 6 for byte in range(256) for _ in range(MILLION // 256))
    assert not is_fair(seen, [sum(seen.values()) / 6] * 6)


def test_seeds_and_numbers_make_different_rolls() -> None:
    odds = DICE["herd 4"]
    games = {tuple(fair.roll(bytes([seed] * 32), number, odds) for number in range(20)) for seed in range(50)}
    assert len(games) == 50


def test_the_largest_numbers_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """With draws of three bits, and five faces, 5 to 7 make no face."""
    drawn: list[str] = []

    def of_three_bits(_: bytes, name: str) -> int:
        drawn.append(name)
        return [7, 5, 3][len(drawn) - 1]

    monkeypatch.setattr(fair, "_NUMBERS", 8)
    monkeypatch.setattr(fair, "_draw", of_three_bits)
    assert fair.roll(SEED, 12, one_die(5)) == Roll((4,))
    assert drawn == ["roll 12 draw 0", "roll 12 draw 1", "roll 12 draw 2"]


@pytest.mark.parametrize("odds", [{}, {Roll((1,)): Fraction(1, 10**30)}])
def test_odds_that_do_not_add_up_are_refused(odds: Odds) -> None:
    with pytest.raises(ValueError, match=f"the odds of {len(odds)} rolls add up to less than 1"):
        fair.roll(SEED, 0, odds)


# ------------------------------------------------------------------------------------------ proving


def rolled(name: str, many: int = 40) -> list[tuple[Roll, Odds]]:
    """The rolls of a game, each with its odds."""
    return [(fair.roll(SEED, number, DICE[name]), DICE[name]) for number in range(many)]


GAMES = sorted(set(DICE) - {f"a die of {faces}" for faces in range(2, 7)})


@pytest.mark.parametrize("name", GAMES)
def test_a_game_as_it_was_played_agrees_with_its_seed(name: str) -> None:
    assert fair.verify(SEED, fair.hash_of(SEED), rolled(name)) == ""
    assert fair.verify(SEED, fair.hash_of(SEED).upper(), rolled(name)) == ""
    assert fair.verify(SEED, fair.hash_of(SEED), []) == ""


def test_another_hash_is_found() -> None:
    shown = fair.hash_of(SEED)
    for at in range(len(shown)):
        other = shown[:at] + ("1" if shown[at] == "0" else "0") + shown[at + 1 :]
        assert "does not have the hash" in fair.verify(SEED, other, rolled("diablo 6"))


def test_another_seed_is_found_even_with_the_hash_that_is_its_own() -> None:
    for bit in range(256):
        other = (int.from_bytes(SEED, "big") ^ 1 << bit).to_bytes(32, "big")
        assert "does not have the hash" in fair.verify(other, fair.hash_of(SEED), rolled("herd 4"))
        assert "by the seed it is" in fair.verify(other, fair.hash_of(other), rolled("herd 4"))


@pytest.mark.parametrize("name", GAMES)
def test_one_roll_that_was_changed_is_found_wherever_it_stands(name: str) -> None:
    played = rolled(name, 12)
    for at, face in product(range(len(played)), DICE[name]):
        if face != played[at][0]:
            tampered = [*played[:at], (face, DICE[name]), *played[at + 1 :]]
            said = fair.verify(SEED, fair.hash_of(SEED), tampered)
            assert said.startswith(f"roll {at + 1} is {'-'.join(map(str, face.dice))}, and by the seed it is ")


def test_rolls_in_another_order_are_found() -> None:
    played = rolled("herd 4", 6)
    for order in permutations(range(6)):
        tampered = [played[at] for at in order]
        assert bool(fair.verify(SEED, fair.hash_of(SEED), tampered)) is (tampered != played)


def test_a_roll_that_was_left_out_or_put_in_is_found() -> None:
    played = rolled("herd 4")
    for at in range(len(played) - 1):
        if played[at][0] != played[at + 1][0]:
            assert fair.verify(SEED, fair.hash_of(SEED), [*played[:at], *played[at + 1 :]])
            assert fair.verify(
                SEED, fair.hash_of(SEED), [*played[: at + 1], played[at + 1], *played[at + 1 :], played[0]]
            )
