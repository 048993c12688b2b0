"""``reedlight dice verify``: rolls that follow from the seed are proved, others are found, and silence is no proof."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reedlight.app.cli import main
from reedlight.core.game import Roll
from reedlight.games import make
from reedlight.record import fair, keeping
from reedlight.record.account import Account, Step

Said = pytest.CaptureFixture[str]
SEED = bytes(range(32))
TAGS = {"Black": "Ada", "DiceHash": fair.hash_of(SEED), "DiceSeed": SEED.hex()}


def rolled(seed: bytes, rolls: int, tags: dict[str, str] = TAGS) -> Account[Any]:
    """A game of Diablo with dice by this seed, in which the first legal action is always played."""
    game = make("diablo", "6")
    state, steps = game.start(), list[Step[Any]]()
    while state.chance() and len([step for step in steps if isinstance(step.action, Roll)]) < rolls:
        fallen = sum(isinstance(step.action, Roll) for step in steps)
        steps.append(Step(fair.roll(seed, fallen, state.chance())))
        state = state.apply(steps[-1].action)
        while state.legal_actions():
            steps.append(Step(state.legal_actions()[0]))
            state = state.apply(steps[-1].action)
    return Account(game, game.start(), tuple(steps), tags)


def verdict(tmp_path: Path, said: Said, *games: Account[Any], more: str = "") -> tuple[int, str, str]:
    """The status and what is said of a file with these games."""
    file = tmp_path / "games.txt"
    file.write_text(keeping.write(games) + more)
    status = main(["dice", "verify", str(file)])
    out, err = said.readouterr()
    return status, out, err.replace(str(file), "games.txt")


def test_rolls_that_follow_from_the_seed_are_proved(tmp_path: Path, capsys: Said) -> None:
    status, out, err = verdict(tmp_path, capsys, rolled(SEED, 12), rolled(SEED, 1))
    assert (status, err) == (0, "")
    assert out == "game 1: 12 rolls, all as the seed says\ngame 2: 1 roll, all as the seed says\n"


def test_the_first_roll_that_does_not_follow_is_named(tmp_path: Path, capsys: Said) -> None:
    game = rolled(SEED, 3)
    last = max(at for at, step in enumerate(game.steps) if isinstance(step.action, Roll))
    honest = game.steps[last].action
    assert isinstance(honest, Roll)
    chosen = next(roll for roll in game.past.entries[last].before.chance() if roll != honest)
    status, out, _ = verdict(tmp_path, capsys, replace(game, steps=(*game.steps[:last], Step(chosen))))
    shown, due = ("-".join(map(str, roll.dice)) for roll in (chosen, honest))
    assert (status, out) == (1, f"game 1: roll 3 is {shown}, and by the seed it is {due}\n")


def test_a_seed_that_was_not_the_one_shown_proves_nothing(tmp_path: Path, capsys: Said) -> None:
    other = bytes(32)
    status, out, _ = verdict(tmp_path, capsys, rolled(other, 3, {**TAGS, "DiceSeed": other.hex()}))
    assert (status, out) == (1, "game 1: the seed does not have the hash that was shown before the game\n")


@pytest.mark.parametrize(
    ("tags", "why"),
    [
        ({}, "the game has no DiceSeed"),
        ({"DiceHash": fair.hash_of(SEED)}, "the game has no DiceSeed"),
        ({"DiceSeed": SEED.hex()}, "the game has no DiceHash"),
        ({**TAGS, "DiceSeed": "00"}, "DiceSeed is not 32 bytes in hexadecimal"),
        ({**TAGS, "DiceSeed": "secret"}, "DiceSeed is not 32 bytes in hexadecimal"),
    ],
)
def test_where_nothing_can_be_said_it_is_said_why(tmp_path: Path, capsys: Said, tags: dict[str, str], why: str) -> None:
    status, out, _ = verdict(tmp_path, capsys, rolled(SEED, 2, tags))
    assert (status, out) == (2, f"game 1: nothing can be said: {why}\n")


def test_one_game_that_is_disproved_weighs_more_than_others_that_are_not(tmp_path: Path, capsys: Said) -> None:
    games = (rolled(SEED, 2), rolled(SEED, 2, {}), rolled(bytes(32), 2), rolled(SEED, 2))
    status, out, _ = verdict(tmp_path, capsys, *games)
    assert status == 1
    assert len(out.splitlines()) == 4


def test_a_game_that_cannot_be_read_is_not_proved(tmp_path: Path, capsys: Said) -> None:
    more = '\n[Game "diablo"]\n[Size "6"]\n\n1. Black 9-9:\n'
    status, out, err = verdict(tmp_path, capsys, rolled(SEED, 2), more=more)
    assert (status, out) == (2, "game 1: 2 rolls, all as the seed says\n")
    assert err.endswith(", game 2: turn 1: the dice cannot show 9-9\n")


def test_a_game_that_begins_after_a_roll_has_dice_too(tmp_path: Path, capsys: Said) -> None:
    game = make("diablo", "6")
    start = game.start().apply(Roll((2, 1)))
    status, out, _ = verdict(tmp_path, capsys, Account(game, start, (Step(start.legal_actions()[0]),), TAGS))
    assert (status, out) == (0, "game 1: 0 rolls, all as the seed says\n")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1. c3-d4 *\n", "no game in it has dice"),
        ("", "is empty"),
        (None, "cannot be read (No such file or directory)"),
    ],
)
def test_a_file_without_dice_is_told(tmp_path: Path, capsys: Said, text: str | None, why: str) -> None:
    file = tmp_path / "games.pdn"
    if text is not None:
        file.write_text(text)
    assert main(["dice", "verify", str(file)]) == 2
    assert capsys.readouterr() == ("", f"reedlight: {file}: {why}\n")
