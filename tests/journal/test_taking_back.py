"""A whole game taken back to its start and played again: the same states, the same dice, whoever keeps it."""

from __future__ import annotations

from pathlib import Path

import pytest
from journal.sitting import KINDS, SEED, Script, Sitting, script
from share import share

from reedlight.adapters.sqlite import Games
from reedlight.app.journal import Journal
from reedlight.record.journal import Entry, Past
from reedlight.scene.scene import Button
from reedlight.session.events import NeedRoll

WHOLE_GAMES = share(100)
KEPT_GAMES = 3


def almost_over(played: Script) -> Past[object]:
    """A game that lacks its last step."""
    return Past(tuple(map(Entry, played.steps[:-1], played.states)), played.states[-2])


def back_to_the_start(sitting: Sitting, played: Script) -> None:
    """Press BACK and do what the lights say, until there is nothing left to take back."""
    while sitting.session.history:
        sitting.press(Button.BACK)
        sitting.follow()
        assert sitting.session.state == played.states[len(sitting.session.history)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind[0])
def test_a_game_taken_back_to_its_start_and_played_again_has_the_same_states_and_dice(kind: tuple[str, str]) -> None:
    for number in range(WHOLE_GAMES):
        played = script(*kind, number)
        sitting = Sitting(played.game, beginning=almost_over(played))
        sitting.toggle(*played.states[-2].occupancy())
        sitting.begin()
        sitting.play(played.steps[-1:])
        assert sitting.session.state == played.states[-1]
        back_to_the_start(sitting, played)
        sitting.happened.clear()
        for step, state in zip(played.steps, played.states[1:], strict=True):
            sitting.play([step])
            assert sitting.session.state == state
        assert sitting.session.history == played.steps
        assert [entry.before for entry in sitting.session.entries] == [*played.states[:-1]]
        assert NeedRoll() not in sitting.happened, "a roll that had fallen was rolled again"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind[0])
def test_power_that_fails_on_the_way_back_changes_neither(kind: tuple[str, str], quick: Path) -> None:
    for number in range(KEPT_GAMES):
        played = script(*kind, WHOLE_GAMES + number)
        kept_through_power_cuts(played, quick / f"{number}.db")


def kept_through_power_cuts(played: Script, path: Path) -> None:
    """Play to the middle and back to the quarter; off and on again; to the end; off and on; all the way back."""
    middle, quarter = len(played.steps) // 2, len(played.steps) // 4
    journal = Journal(lambda: Games(path), float, lambda _: SEED.hex())
    journal.prepare(played.game, {})
    sitting = Sitting(played.game, journal)
    sitting.begin()
    sitting.play(played.steps[:middle])
    while len(sitting.session.history) > quarter:
        sitting.press(Button.BACK)
        sitting.follow()
    there = len(sitting.session.history)
    journal.close()

    journal, sitting = resumed(path)
    assert sitting.session.state == played.states[there]
    sitting.play(played.steps[there:middle])
    assert NeedRoll() not in sitting.happened, "a roll that had fallen was rolled again"
    sitting.play(played.steps[middle:-1])
    journal.close()

    journal, sitting = resumed(path)
    assert sitting.session.history == played.steps[:-1]
    back_to_the_start(sitting, played)
    sitting.play(played.steps)
    assert sitting.session.history == played.steps
    journal.close()


def resumed(path: Path) -> tuple[Journal, Sitting]:
    """The game after the power was off, gone on with."""
    journal = Journal(lambda: Games(path), float)
    found = journal.unfinished()
    assert found is not None
    assert not found.past.broken
    journal.go_on_with(found)
    sitting = Sitting(found.game, journal, found.past)
    sitting.begin()
    return journal, sitting
