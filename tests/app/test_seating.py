"""Who sits where, as records tell it and as it is read back."""

from __future__ import annotations

import pytest

from reedlight.app.seating import LONGEST_NAME, UNNAMED, called, names_in, seats_in, tags
from reedlight.core.game import Side
from reedlight.games import make
from reedlight.players import player
from reedlight.session.settings import LEVELS, PERSON, Seat

LIGHT, DARK = Side.LIGHT, Side.DARK
NAMES = {LIGHT: "Ada", DARK: "Bo"}


def test_a_person_has_a_name_and_a_computer_a_level() -> None:
    assert [called(each, "Ada") for each in (PERSON, Seat(level=4), Seat(engine="scan"))] == [
        "Ada",
        "Computer, level 4",
        "scan",
    ]


def test_the_tags_name_who_plays_and_which_of_them_are_programs() -> None:
    game = make("draughts")
    assert tags(game, {}, NAMES) == {"White": "Ada", "Black": "Bo"}
    assert tags(game, {DARK: Seat(level=2)}, NAMES) == {
        "White": "Ada",
        "Black": "Computer, level 2",
        "BlackType": "program",
    }


@pytest.mark.parametrize("name", ["draughts", "diablo", "herd"])
@pytest.mark.parametrize("sitting", [PERSON, Seat(level=1), Seat(level=6), Seat(engine="scan")])
def test_what_the_tags_say_is_read_back(name: str, sitting: Seat) -> None:
    game = make(name)
    told = tags(game, {LIGHT: PERSON, DARK: sitting}, NAMES)
    assert seats_in(game, told) == {LIGHT: PERSON, DARK: sitting}
    assert names_in(game, told) == {LIGHT: "Ada", DARK: "Bo" if sitting.is_person else UNNAMED}


def test_there_are_as_many_levels_as_have_names() -> None:
    assert len(player.LEVELS) == LEVELS


def test_a_person_who_is_called_like_a_computer_is_none() -> None:
    assert seats_in(make("draughts"), {"White": "Computer, level 3"})[LIGHT] == PERSON


def test_odd_tags_are_persons() -> None:
    game = make("draughts")
    for told in ({}, {"WhiteType": "program"}, {"White": "", "WhiteType": "program"}, {"WhiteType": "oracle"}):
        assert seats_in(game, told) == {LIGHT: PERSON, DARK: PERSON}, told
    assert names_in(game, {"White": "x" * 99}) == {LIGHT: "x" * LONGEST_NAME, DARK: UNNAMED}
