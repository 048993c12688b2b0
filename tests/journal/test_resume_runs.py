"""A game that was interrupted, at a board that was disturbed meanwhile: the lamps alone lead back to play.

Up to six cells differ from what the game says: pieces are gone, others stand where none should. The hand that
follows the lamps knows no rules, and which piece it sets down is chance. What has to come of it: play goes on
where the game stood, or, where the disturbance looks like an action, with that action, which was offered.
"""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from journal.lamps import Asked, Eyes, LampHand, asked, by_the_lamps, by_the_scene, longest, supply
from journal.sitting import KINDS, Script, script
from share import share

from reedlight.board.profile import Profile
from reedlight.board.toml import load_packaged
from reedlight.core.game import Kind, Piece, Side
from reedlight.core.grid import Cell, Grid
from reedlight.record.journal import Entry, Past
from reedlight.scene.scene import Button, Mark
from reedlight.session.session import Mode
from reedlight.session.settings import Settings
from reedlight_sim.depths import Depth, Ports
from reedlight_sim.hardware import Pins
from reedlight_sim.perform import seeded
from reedlight_sim.table import Table

RUNS = share(1_000)
BY_THE_LAMPS = 45
MOST = 6
"""Cells that are disturbed, at most."""
PLAYING = (Mode.PLAY, Mode.ROLL)


@cache
def games(kind: tuple[str, str]) -> list[Script]:
    return [script(*kind, number) for number in range(5)]


def interrupted(played: Script, steps: int) -> Past[object]:
    """A game as it is found in the file after so many steps."""
    return Past(tuple(map(Entry, played.steps[:steps], played.states)), played.states[steps])


def disturbed(table: Table, rng: Random, cells: int) -> dict[Cell, Piece]:
    """What stands on a board where somebody has been at so many cells."""
    pieces = dict(table.session.state.pieces())
    kinds = [*dict.fromkeys(replace(piece, height=1) for piece in pieces.values())] or [Piece(Side.LIGHT, Kind.STONE)]
    for cell in rng.sample(table.session.game.grid.cells, cells):
        if pieces.pop(cell, None) is None:
            pieces[cell] = rng.choice(kinds)
    return pieces


def lead_back(kind: tuple[str, str], rng: Random, eyes: Eyes, depth: Depth) -> Counter[str]:
    """Interrupt a game somewhere, disturb the board, follow the lamps; what happened."""
    played = rng.choice(games(kind))
    steps, cells = rng.randrange(len(played.steps)), rng.randrange(MOST + 1)
    table = Table(played.game, Settings(), rng, state=interrupted(played, steps), depth=depth)
    with closing(table):
        supply(table, played.states[0].pieces())
        supply(table, table.session.state.pieces())
        table.world.set_up(disturbed(table, rng, cells), table.now)
        hand = LampHand(table, rng, eyes)
        hand.lead_back()
        session = table.session
        assert session.mode in PLAYING or session.state.outcome
        assert session.history[:steps] == played.steps[:steps]
        assert len(session.history) == steps or hand.was_offered
        assert table.closed == session.state.occupancy()
        assert not asked(table.scene).wrong
    return Counter(
        {f"{cells} disturbed": 1, "offered": hand.was_offered, "undisturbed and GO": not cells and hand.done == 1}
    )


@pytest.mark.parametrize("part", range(4))
def test_in_every_one_of_a_thousand_runs_the_lamps_lead_back_to_play(part: int) -> None:
    happened = Counter[str]()
    for run in range(part, RUNS, 4):
        kind = KINDS[run % len(KINDS)]
        happened += lead_back(kind, seeded("resume", run), by_the_scene, Ports(games(kind)[0].game.grid))
    assert all(happened[f"{cells} disturbed"] > RUNS // 70 for cells in range(MOST + 1))
    assert happened["undisturbed and GO"] == happened["0 disturbed"]
    assert happened["offered"] or RUNS < 1_000  # it takes some hundreds until a disturbance looks like a move


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind[0])
def test_somebody_who_looks_at_the_lamps_and_not_at_the_program_is_led_back_too(kind: tuple[str, str]) -> None:
    happened = Counter[str]()
    for run in range(BY_THE_LAMPS // len(KINDS)):
        happened += lead_back(kind, seeded("lamps", *kind, run), by_the_lamps, Ports(games(kind)[0].game.grid))
    assert len([what for what in happened if what.endswith("disturbed")]) > MOST // 2


def at_pins(board: str, grid: Grid) -> Depth:
    profile: Profile = load_packaged(board)
    return Pins(profile, grid)


@pytest.mark.parametrize(
    ("kind", "board"), [(("draughts", "8"), "budget-8x8"), (("diablo", "6"), "oak-8x8"), (("herd", "4"), "hex-61")]
)
def test_real_adapters_light_what_leads_back_and_hear_the_finger_on_go(kind: tuple[str, str], board: str) -> None:
    for run in range(2):
        lead_back(kind, seeded("pins", *kind, run), by_the_lamps, at_pins(board, games(kind)[0].game.grid))


# ------------------------------------------------------------------------------------ what the hand can see


def resumed(steps: int) -> Table:
    """A table on which nothing stands, with a game of draughts to be gone on with."""
    played = games(KINDS[0])[0]
    return Table(played.game, Settings(), Random(1), state=interrupted(played, steps))


def test_eyes_that_watch_the_lamps_see_what_the_scene_says() -> None:
    table = resumed(4)
    state = table.session.state
    gone, stray = min(state.occupancy()), Cell("a5")
    assert stray not in state.occupancy()
    pieces = {cell: piece for cell, piece in state.pieces().items() if cell != gone}
    table.world.set_up({**pieces, stray: Piece(Side.LIGHT, Kind.MAN)}, 0.0)
    table.wait(1.0)
    assert by_the_lamps(table) == by_the_scene(table) == Asked({gone: Mark.MISSING, stray: Mark.EXTRA}, go_blinks=True)
    table.press(Button.GO)
    table.wait(1.0)
    assert by_the_lamps(table) == by_the_scene(table)


def test_the_longest_flash_is_counted_and_darkness_is_none() -> None:
    assert longest([False, True, True, False, True]) == 2
    assert longest([False] * 5) == 0


def test_a_board_that_asks_for_nothing_and_never_plays_is_an_end() -> None:
    hand = LampHand(resumed(4), Random(1))
    with pytest.raises(AssertionError, match="the lamps ask for nothing"):
        hand.obey(Asked())


def test_lamps_that_ask_for_ever_are_an_end() -> None:
    hand = LampHand(resumed(4), Random(1), lambda table: Asked({min(table.session.game.grid.cells): Mark.MISSING}))
    supply(hand._table, games(KINDS[0])[0].states[0].pieces())
    with pytest.raises(AssertionError, match="never lead back"):
        hand.lead_back()
