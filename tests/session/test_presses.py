"""Buttons as stories of which are down; times are written in seconds."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from reedlight.scene.scene import Button
from reedlight.session.events import Hold, Press
from reedlight.session.presses import HOLD, Presses

GO, NEXT, BACK, HINT = Button
LETTERS = {"g": GO, "n": NEXT, "b": BACK, "h": HINT}


def listen(*story: tuple[float, str]) -> list[tuple[float, Press | Hold]]:
    """What comes out, and when, of letters for the buttons that are down; before them none is."""
    presses = Presses()
    told = [(0.0, event) for event in presses.hear((), 0.0)]
    for at, letters in story:
        while presses.deadline is not None and presses.deadline < at:
            due = presses.deadline
            told += [(due, event) for event in presses.tick(due)]
        told += [(at, event) for event in presses.hear({LETTERS[letter] for letter in letters}, at)]
    while presses.deadline is not None:
        due = presses.deadline
        told += [(due, event) for event in presses.tick(due)]
    return told


def test_a_press_is_told_when_the_button_goes_up() -> None:
    assert listen((1.0, "g"), (1.2, "")) == [(1.2, Press(GO))]


def test_a_hold_is_told_after_two_seconds_and_nothing_when_the_button_goes_up() -> None:
    assert listen((1.0, "b"), (9.0, "")) == [(3.0, Hold(BACK))]


def test_a_hold_is_told_once_however_long_it_lasts() -> None:
    assert listen((1.0, "b"), (4.0, "b"), (8.0, "b")) == [(3.0, Hold(BACK))]


def test_just_short_of_two_seconds_is_a_press() -> None:
    assert listen((1.0, "n"), (2.99, "")) == [(2.99, Press(NEXT))]


def test_a_late_report_does_not_make_a_press_of_a_hold() -> None:
    presses = Presses()
    presses.hear((), 0.0)
    presses.hear({NEXT}, 1.0)
    assert presses.hear((), 5.0) == [Hold(NEXT)]


def test_a_button_can_be_pressed_again_after_a_hold() -> None:
    assert listen((1.0, "h"), (4.0, ""), (5.0, "h"), (5.1, "")) == [(3.0, Hold(HINT)), (5.1, Press(HINT))]


def test_presses_one_after_the_other_all_count() -> None:
    assert listen((1.0, "n"), (1.1, ""), (1.2, "n"), (1.3, ""), (1.4, "g"), (1.5, "")) == [
        (1.1, Press(NEXT)),
        (1.3, Press(NEXT)),
        (1.5, Press(GO)),
    ]


def test_one_report_may_end_a_press_and_begin_another() -> None:
    assert listen((1.0, "n"), (1.1, "g"), (1.2, "")) == [(1.1, Press(NEXT)), (1.2, Press(GO))]


def test_two_buttons_at_once_are_neither() -> None:
    assert listen((1.0, "gb"), (1.2, "")) == []


def test_a_button_that_joins_another_spoils_both() -> None:
    assert listen((1.0, "g"), (1.3, "gb"), (1.4, "b"), (1.5, "")) == []


def test_a_leaning_hand_holds_nothing_and_a_third_button_joins_it() -> None:
    assert listen((1.0, "gb"), (1.5, "gbn"), (1.6, "gb"), (6.0, "")) == []


def test_after_an_overlap_each_counts_again_once_it_was_up() -> None:
    assert listen((1.0, "gb"), (1.2, ""), (1.3, "b"), (1.4, "")) == [(1.4, Press(BACK))]


def test_a_jammed_button_is_told_once_and_does_not_silence_the_others() -> None:
    assert listen((1.0, "h"), (10.0, "hg"), (10.2, "h")) == [(3.0, Hold(HINT)), (10.2, Press(GO))]


def test_a_second_button_may_be_held_beside_a_jammed_one() -> None:
    assert listen((1.0, "h"), (10.0, "hb"), (20.0, "h")) == [(3.0, Hold(HINT)), (12.0, Hold(BACK))]


def test_two_jammed_buttons_do_not_silence_a_third() -> None:
    assert listen((1.0, "hb"), (10.0, "hbg"), (10.2, "hb")) == [(10.2, Press(GO))]


def test_what_is_down_at_the_first_report_counts_from_its_next_time_on() -> None:
    presses = Presses()
    assert presses.hear({GO, BACK}, 0.0) == []
    assert presses.deadline is None
    assert presses.hear({BACK}, 0.5) == []
    assert presses.hear({GO, BACK}, 0.6) == []
    assert presses.hear({BACK}, 0.7) == [Press(GO)]


def test_buttons_lost_under_a_finger_press_nothing() -> None:
    presses = Presses()
    presses.hear((), 0.0)
    presses.hear({GO}, 1.0)
    presses.forget()
    assert presses.deadline is None
    assert presses.tick(9.0) == []
    assert presses.hear((), 9.5) == []


def test_buttons_found_again_under_the_same_finger_press_nothing() -> None:
    presses = Presses()
    presses.hear((), 0.0)
    presses.hear({GO}, 1.0)
    presses.forget()
    assert presses.hear({GO}, 2.0) == []
    assert presses.hear((), 2.1) == []
    assert presses.hear({GO}, 3.0) == []
    assert presses.hear((), 3.1) == [Press(GO)]


def test_the_deadline_is_that_of_the_first_hold_to_come() -> None:
    presses = Presses()
    presses.hear((), 0.0)
    assert presses.deadline is None
    presses.hear({GO}, 1.25)
    assert presses.deadline == 1.25 + HOLD
    assert presses.tick(1.25 + HOLD - 0.01) == []
    assert presses.tick(1.25 + HOLD) == [Hold(GO)]
    assert presses.deadline is None


@given(st.lists(st.tuples(st.integers(1, 300), st.sets(st.sampled_from(Button))), max_size=30))
def test_no_button_says_more_than_once_how_often_it_went_down(steps: list[tuple[int, set[Button]]]) -> None:
    presses, now, told, states = Presses(), 0.0, list[Press | Hold](), [set[Button]()]
    presses.hear((), now)
    for hundredths, down in steps:
        now += hundredths / 100
        told += presses.tick(now - 0.005)
        told += presses.hear(down, now)
        states.append(down)
    for button in Button:
        went_down = sum(button in after and button not in before for before, after in pairwise(states))
        assert sum(event.button is button for event in told) <= went_down
