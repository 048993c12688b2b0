"""Diablo on the page: a whole game by mouse, some of it by finger and by keys, and what BACK does to a roll."""

from __future__ import annotations

import re
from random import Random

import pytest
from e2e.conftest import PHONE, QUICK, Serve, Visit
from e2e.follower import LANDINGS, Finger, Follower, Keys, Mouse, by_go
from e2e.guest import Guest, Seen, alter
from e2e.results import assert_result_shines
from playwright.sync_api import WebSocketRoute, expect

pytestmark = pytest.mark.browser


def test_a_whole_game_with_every_kind_of_action(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "diablo", "--size", "6", "--commit", "button"), **QUICK)
    player = Follower(guest, Mouse(guest, Random(1)), Random(6), by_go)
    seen = player.play_on()
    assert_result_shines(seen)
    assert player.met == {"target", "merge", "capture", "remove"}


def test_the_first_turns_by_finger(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "diablo", "--size", "6"), viewport=PHONE, has_touch=True, is_mobile=True)
    player = Follower(guest, Finger(guest), Random(2))
    play_two_turns(player)
    assert player.met <= {"merge", "capture", "target"}


def test_the_first_turns_by_keys(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "diablo", "--size", "6"))
    guest.walk("a1")
    player = Follower(guest, Keys(guest), Random(3))
    play_two_turns(player)
    assert player.met <= {"merge", "capture", "target"}


def play_two_turns(player: Follower) -> None:
    """Begins, rolls, plays Black's one move, rolls again and plays Green's two."""
    seen = player.play_one()
    while len(seen.actions) < 3:
        seen = player.play_one()
    assert [turn.count(";") for turn in seen.turns] == [0, 1], seen


def test_a_held_stack_goes_back_with_escape(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    guest.walk("a1")
    guest.type("Enter")
    guest.until(lambda seen: seen.lit("source") == ["a1"] and bool(seen.lit(*LANDINGS)), "targets of a1")
    guest.type("Escape")
    seen = guest.until(lambda seen: "a1" in seen.lit("movable"), "a1 movable again")
    assert seen.pieces["a1"] == "black checker"
    assert seen.empty_handed


def test_the_dice_that_were_taken_back_come_again(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    fallen = guest.look().dice
    assert fallen.startswith("Dice: ")
    guest.press("back")
    guest.says("Black: press GO to roll.")
    guest.press("go")
    assert guest.says("Black: move a stack").dice == fallen


def test_the_other_side_is_refused(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    guest.click("b1")
    seen = guest.says("That is Green's stack.", "b1 is lifted: now take it with a lit piece.")
    guest.click("b1")
    guest.says("Black: move a stack")
    assert seen.turns == ("",)


def test_a_question_can_be_dropped_and_the_hand_does_what_was_answered(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    guest.click(guest.look().lit("movable")[0])
    guest.holds("black checker")
    asked = question(guest)
    assert asked.why.endswith("BACK: none.")
    guest.click_on("#none")
    guest.until(lambda seen: not seen.answers and seen.say.startswith("Set the checker down"), "the question dropped")
    expect(guest.page.locator("#none")).to_be_hidden()
    asked = question(guest)
    guest.press("next")
    seen = guest.until(lambda seen: seen.say != asked.say, "another answer")
    chosen = seen.say.removeprefix("Which was it? Lit: ").rstrip(".")
    guest.press("go")
    seen = guest.counts(chosen)
    origin, target = chosen.split()[0], chosen.split()[-1]
    assert seen.empty_handed
    assert guest.stands(**{origin: ""}).pieces[target].startswith("black")


def test_the_players_say_what_their_own_dice_show_and_how_high_a_stack_is(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "diablo", "--size", "4"))
    guest.choose("dice table")
    guest.press("go")
    guest.says("Black: press GO to roll.")
    guest.press("go")
    guest.until(lambda seen: seen.answers == ("1", "2"), "the first die asked for")
    guest.click_on('[data-answer="1"]')
    guest.until(lambda seen: seen.answers == ("2-1", "2-2"), "the second die asked for")
    guest.click_on('[data-answer="1"]')
    guest.says("Black: move a stack 2 cells.")
    guest.drag("a1", "c1")
    guest.counts("a1 onto c1")
    guest.choose("recount")
    asked = guest.until(lambda seen: bool(seen.answers), "a stack to count")
    at = asked.answers.index("c1\nc1: 1")
    guest.click_on(f'[data-answer="{at}"]')
    guest.counts("a1 onto c1", "recounted: 1 on c1")


def test_a_stack_that_gives_one_up_gives_one_though_it_is_dragged(serve: Serve, visit: Visit) -> None:
    guest = visit(serve("--game", "diablo", "--size", "4"))
    guest.drag("a1", "c1")
    guest.stands(a1="", c1="black stack of 2")
    guest.page.route_web_socket("**/ws", as_if_to_give_up)
    guest.page.reload()
    guest.lights("remove", "c1")
    guest.drag("c1", "a1")
    seen = guest.stands(a1="", c1="black checker")
    assert seen.tray == ("black checker: take from the tray",)


def as_if_to_give_up(route: WebSocketRoute) -> None:
    """Lets the page believe that a checker of c1 is to be given up."""
    alter(route, {"lights": {"c1": {"mark": "remove", "note": ""}}})


def question(guest: Guest) -> Seen:
    """Presses GO with a stack in the hand, and is asked where it went: in words, without the die."""
    guest.press("go")
    asked = guest.until(lambda seen: len(seen.answers) > 1, "a question")
    assert re.fullmatch(r"Which was it\? Lit: ([a-d]\d) (onto|takes) ([a-d]\d)\.", asked.say), asked
    return asked


def test_a_choice_by_buttons_begins_with_what_stands_where(serve: Serve, visit: Visit) -> None:
    guest = begun(serve, visit)
    guest.press("next")
    answers = guest.until(lambda seen: bool(seen.answers), "a question").answers
    assert answers[0] == "a1\nblack checker"


def begun(serve: Serve, visit: Visit) -> Guest:
    """Somebody at a small board whose first dice have fallen."""
    guest = visit(serve("--game", "diablo", "--size", "4"))
    guest.press("go")
    guest.says("Black: press GO to roll.")
    guest.press("go")
    guest.says("Black: move a stack")
    return guest
