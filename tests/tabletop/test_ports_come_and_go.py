"""Ports that cannot be opened, open later, break and come back: what is said, and that the game is intact."""

from __future__ import annotations

from itertools import permutations

import pytest
from tabletop.hand_made import GO, Screen, Sitting, Source, draughts

from reedlight.core.grid import Cell
from reedlight.games import make
from reedlight.scene import words
from reedlight.scene.scene import Mark
from reedlight.session.events import Board, Chosen
from reedlight.tabletop import RETRY

DEAF, DARK = "The switches have come off.", "The lamps have come off."
CORNERS = {"a1", "a8", "h1", "h8"}


def unplugged(sitting: Sitting, *plugs: Source | Screen) -> Sitting:
    """Pull these plugs, and let the tabletop notice."""
    for plug in plugs:
        plug.plugged = False
    return sitting.wait(RETRY)


def plugged(sitting: Sitting, *plugs: Source | Screen) -> Sitting:
    """Put these plugs in, and wait until everything was tried."""
    for plug in plugs:
        plug.plugged = True
    return sitting.wait(RETRY)


def test_before_anything_was_opened_nothing_is_wrong() -> None:
    sitting = draughts(Screen(plugged=False))
    assert sitting.tabletop.troubles == ()
    assert sitting.says.startswith("Set up the board")
    assert sitting.tabletop.deadline == float("-inf")


def test_the_sentence_of_an_input_that_cannot_be_opened_leads() -> None:
    screen = Screen()
    sitting = draughts(screen)
    sitting.sources[0].plugged = False
    sitting.wait()
    assert (sitting.says, sitting.why) == (DEAF, words.PLAY_ON_THE_PAGE)
    assert sitting.tabletop.troubles == (DEAF,)


def test_a_board_that_hears_nothing_says_so_at_its_corners() -> None:
    screen = Screen()
    sitting = draughts(screen).begin()
    unplugged(sitting, sitting.sources[0])
    lights = sitting.tabletop.scene.lights
    assert {str(cell) for cell, light in lights.items() if light.mark is Mark.FORBIDDEN} == CORNERS
    sitting.wait(2 - sitting.now % 2 + 0.05)
    assert sitting.lit() >= CORNERS
    sitting.wait(0.5)
    assert not sitting.lit() & CORNERS


def test_what_the_game_lights_is_not_covered_by_the_corners() -> None:
    sitting = draughts(Screen(), position="W:Wc3,a1:Bh8").begin()
    sitting = unplugged(sitting, sitting.sources[0])
    lights = sitting.tabletop.scene.lights
    assert lights[Cell("a1")].mark is Mark.MOVABLE
    assert lights[Cell("a8")].mark is Mark.FORBIDDEN


def test_a_hexagon_has_four_of_its_corners_lit() -> None:
    game = make("herd", "5")
    sitting = Sitting(game, [Source(closed=0)], [Screen()]).begin()
    lights = unplugged(sitting, sitting.sources[0]).tabletop.scene.lights
    assert lights.keys() == {"-4,4", "0,4", "0,-4", "4,-4"}


def test_an_input_is_opened_as_soon_as_it_is_there() -> None:
    sitting = draughts(Screen())
    reeds = sitting.sources[0]
    reeds.plugged = False
    sitting.wait(3.5)
    plugged(sitting, reeds)
    assert sitting.tabletop.troubles == ()
    assert sitting.begin().do("-c3 +d4").wait(1).moves == ["c3-d4"]


def test_it_is_tried_once_in_a_second() -> None:
    screen = Screen(plugged=False)
    sitting = draughts(screen)
    sitting.sources[0].plugged = False
    sitting.wait(3.5)
    assert sitting.sources[0].tries == screen.tries == [0.0, 1.0, 2.0, 3.0]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_hardware_may_come_in_any_order(order: tuple[int, ...]) -> None:
    screen = Screen(plugged=False)
    sitting = draughts(screen, console=True)
    plugs = [*sitting.sources, screen]
    for plug in plugs:
        plug.plugged = False
    unplugged(sitting)
    assert len(sitting.tabletop.troubles) == 3
    for number, place in enumerate(order, 1):
        plugged(sitting, plugs[place])
        assert len(sitting.tabletop.troubles) == 3 - number
    sitting.begin().push(1, GO)
    assert sitting.do("-c3").lit() == {"c3", "b4", "d4"}


def test_an_input_that_breaks_leaves_the_game_as_it_is() -> None:
    sitting = draughts(Screen()).begin().do("-c3 +d4").wait(1)
    unplugged(sitting, sitting.sources[0])
    assert (sitting.says, sitting.moves) == (DEAF, ["c3-d4"])
    plugged(sitting, sitting.sources[0])
    assert sitting.tabletop.troubles == ()
    assert sitting.says != DEAF
    assert sitting.do("-b6 +a5").wait(1).moves == ["c3-d4", "b6-a5"]


def test_a_move_made_while_nothing_was_heard_is_seen_afterwards() -> None:
    sitting = draughts(Screen()).begin().do("-c3")
    unplugged(sitting, sitting.sources[0])
    sitting.do("+d4").wait(2)
    assert sitting.moves == []
    assert plugged(sitting, sitting.sources[0]).wait(1).moves == ["c3-d4"]


def test_an_input_that_comes_back_reports_what_is_known_and_nothing_follows() -> None:
    sitting = draughts(Screen()).begin()
    known = sitting.heard(Board)[-1]
    unplugged(sitting, sitting.sources[0])
    plugged(sitting, sitting.sources[0]).wait(2)
    assert sitting.heard(Board)[-1] == known
    assert sitting.played == []


def test_what_was_done_before_it_broke_still_counts() -> None:
    sitting = draughts(Screen()).begin().do("-c3 +d4")
    assert sitting.moves == []
    assert unplugged(sitting, sitting.sources[0]).moves == ["c3-d4"]


def test_play_goes_on_on_the_page_meanwhile() -> None:
    sitting = draughts(Screen()).begin()
    unplugged(sitting, sitting.sources[0])
    for text in ("c3-d4", "b6-a5"):
        state = sitting.tabletop.session.state
        sitting.tabletop.handle(Chosen(sitting.game.parse(state, text)), sitting.now)
    assert sitting.moves == ["c3-d4", "b6-a5"]
    assert sitting.says == DEAF
    sitting.sources[0].closed = sitting.layout.mask_of(sitting.tabletop.session.state.occupancy())
    plugged(sitting, sitting.sources[0])
    assert sitting.do("-a3 +b4").wait(1).moves == ["c3-d4", "b6-a5", "a3-b4"]


def test_lost_lamps_are_a_reason_beside_the_games_own_sentence() -> None:
    screen = Screen()
    sitting = draughts(screen).begin()
    said = sitting.says
    screen.plugged = False
    sitting.do("-c3 +c3")
    assert (sitting.says, sitting.why) == (said, DARK)
    assert sitting.do("-c3 +d4").wait(1).moves == ["c3-d4"]


def test_lamps_that_come_back_are_shown_everything() -> None:
    screen = Screen()
    sitting = draughts(screen).begin()
    unplugged(sitting, screen)
    sitting.do("-c3").wait(1)
    assert sitting.tabletop.troubles == (DARK,)
    screen.shown.clear()
    plugged(sitting, screen)
    assert sitting.tabletop.troubles == ()
    assert sitting.lit() == {"c3", "b4", "d4"}
    assert sitting.why != DARK


def test_the_lamps_that_are_left_go_on() -> None:
    lost, left = Screen(), Screen(sentence="The dice have come off.")
    sitting = draughts(lost, left).begin()
    unplugged(sitting, lost)
    sitting.do("-c3")
    assert sitting.lit(1) == {"c3", "b4", "d4"}


def test_deafness_is_said_before_darkness() -> None:
    screen, other = Screen(), Screen(sentence="The dice have come off.")
    sitting = draughts(screen, other).begin()
    sitting.do("-c3")
    unplugged(sitting, sitting.sources[0], screen, other)
    sitting.tabletop.press(GO, sitting.now)
    sitting.wait()
    assert sitting.says == DEAF
    assert sitting.tabletop.troubles == (DEAF, DARK, "The dice have come off.")


def test_two_ports_with_one_trouble_say_it_once() -> None:
    sitting = draughts(Screen(plugged=False), Screen(plugged=False)).wait()
    assert sitting.tabletop.troubles == (DARK,)


def test_an_input_that_opens_and_says_nothing_is_still_in_trouble() -> None:
    sitting = draughts(Screen())
    reeds = sitting.sources[0]
    unplugged(sitting.begin(), reeds)
    mask, reeds.closed = reeds.closed, None
    plugged(sitting, reeds)
    assert reeds.is_open
    assert sitting.says == DEAF
    reeds.closed = mask
    sitting.wait()
    assert sitting.tabletop.troubles == ()


def test_an_input_that_breaks_at_each_opening_is_closed_each_time() -> None:
    sitting = draughts(Screen())
    reeds = sitting.sources[0]
    reeds.sentence = "The first sentence."
    unplugged(sitting.begin(), reeds)
    reeds.sentence = "The second sentence."
    sitting.wait(RETRY)
    assert sitting.says == "The second sentence."
    assert reeds.log == ["closed: The first sentence."]


def test_a_lost_input_has_no_file_and_no_deadline_but_the_next_try() -> None:
    sitting = draughts()
    reeds = sitting.sources[0]
    reeds.file = 5
    sitting.begin()
    reeds.plugged = False
    sitting.wait()
    assert sitting.tabletop.filenos() == frozenset()
    assert sitting.tabletop.deadline == sitting.now + RETRY


def test_how_often_ports_were_opened_is_counted() -> None:
    screen = Screen()
    sitting = draughts(screen).begin()
    assert sitting.tabletop.openings == 2
    unplugged(sitting, sitting.sources[0])
    assert sitting.tabletop.openings == 2
    plugged(sitting, sitting.sources[0])
    assert sitting.tabletop.openings == 3


def test_a_port_that_nobody_looked_at_in_time_is_told_from_one_that_has_nothing_to_do() -> None:
    idle, busy = Screen(), Screen(refresh=0.5)
    sitting = draughts(idle, busy)
    sitting.begin().wait(2)
    assert sitting.tabletop.alive_at >= sitting.now - 0.5
    began = sitting.tabletop.alive_at
    sitting.tabletop.press(GO, sitting.now + 9)
    assert sitting.tabletop.alive_at == began


def test_a_lost_port_is_alive_as_long_as_it_is_tried_anew() -> None:
    sitting = draughts(Screen(plugged=False)).begin().wait(5)
    assert sitting.tabletop.alive_at >= sitting.now - RETRY


def test_with_nothing_to_keep_alive_all_is_well() -> None:
    sitting = draughts().begin()
    assert sitting.tabletop.alive_at == sitting.tabletop.now
