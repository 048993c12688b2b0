"""The board's own words: short enough for its places, and what they say of few and of many."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reedlight.core.game import Caption, Kind, Outcome, Piece, Side
from reedlight.core.grid import Cell
from reedlight.scene import words

WANTED = {Cell("c3"): "a black stack of 12"}
FEW = [Cell("c3")]
MANY = [Cell(f"{file}{rank}") for file in "abcdefgh" for rank in range(1, 9)]
MAN = Piece(Side.LIGHT, Kind.MAN)
STACK = Piece(Side.DARK, Kind.CHECKER, 12)
LONG_ACTION = "capture 12 z26-z14"

CAPTIONS: dict[str, Callable[[], Caption]] = {
    "set up, both": lambda: words.set_up(36, 64, to_begin="Roll the dice."),
    "set up, missing": lambda: words.set_up(36, 0, to_begin="Roll the dice."),
    "set up, extra": lambda: words.set_up(0, 64, to_begin="Roll the dice."),
    "set up, done": lambda: words.set_up(0, 0, to_begin="Roll the dice."),
    "holding": lambda: words.holding(STACK, Cell("z26"), words.confirm(Cell("z26"))),
    "holding one of many": lambda: words.holding(STACK, Cell("z26"), words.confirm_one_of(12)),
    "giving up": lambda: words.holding_what_is_taken_off(STACK, Cell("z26"), "No move is open: give up 2 checkers."),
    "in mid-capture": lambda: words.go_on(Cell("c3")),
    "take off": lambda: words.take_off(MANY),
    "take with": lambda: words.take_with(Cell("z26")),
    "done, GO": lambda: words.done_press_go(LONG_ACTION),
    "done, or begun": lambda: words.done_or_begun(LONG_ACTION),
    "done, next": lambda: words.done_till_next(LONG_ACTION),
    "refused, lifted": lambda: words.refused("You must capture: with c3.", Cell("c3"), lifted=True),
    "refused, placed": lambda: words.refused("Nothing can be set here.", Cell("c3"), lifted=False),
    "put right, one for one": lambda: words.put_right(WANTED, FEW, words.PLAY_GOES_ON),
    "put right, both": lambda: words.put_right(dict.fromkeys(MANY, "a man"), MANY, words.PLAY_GOES_ON),
    "put right, missing": lambda: words.put_right(dict.fromkeys(MANY, "a man"), [], words.PLAY_GOES_ON),
    "put right, one": lambda: words.put_right(WANTED, [], words.PLAY_GOES_ON),
    "put right, extra": lambda: words.put_right({}, MANY, words.PLAY_GOES_ON),
    "restack": lambda: words.restack(dict.fromkeys(FEW, words.belongs("Black", STACK))),
    "restack many": lambda: words.restack(dict.fromkeys(MANY, "a black checker")),
    "which": lambda: words.which(LONG_ACTION, 1),
    "which of many": lambda: words.which(LONG_ACTION, 12),
    "is it": lambda: words.is_it(LONG_ACTION),
    "choose": lambda: words.choose(LONG_ACTION, 12),
    "copy": lambda: words.copy("Green", LONG_ACTION),
    "ended": lambda: words.ended(Outcome(Side.DARK, "Green has no checkers left"), "Black"),
}


@pytest.mark.parametrize("name", CAPTIONS)
def test_a_caption_fits_its_place_and_is_a_sentence(name: str) -> None:
    caption = CAPTIONS[name]()
    assert 0 < len(caption.say) <= words.LONGEST_SENTENCE
    assert len(caption.why) <= words.LONGEST_REASON
    assert caption.say[0].isalnum()
    assert caption.say[-1] in ".?"


def test_a_few_cells_are_named_and_many_are_counted() -> None:
    cells = [Cell("c3"), Cell("a1"), Cell("b2"), Cell("d4")]
    assert words.cells_named(cells[:1]) == "c3"
    assert words.cells_named(cells[:2]) == "a1 and c3"
    assert words.cells_named(cells[:3]) == "a1, b2 and c3"
    assert words.cells_named(cells) == "4 cells"


def test_a_piece_is_named_by_its_kind_and_a_stack_by_its_height() -> None:
    assert words.piece(MAN) == "man"
    assert words.piece(STACK) == "stack of 12"
    assert words.belongs("Black", STACK) == "a black stack of 12"


def test_one_piece_is_said_in_the_singular() -> None:
    assert words.set_up(1, 0, to_begin="").say == "Set up the board: 1 piece is still missing."
    assert words.choose("b6:d4", 1).why == "GO: yes. BACK: no. There is no other."


def test_a_text_that_is_too_long_is_cut_at_a_word() -> None:
    assert words.cut_at_a_word("one, two, three", 15) == "one, two, three"
    assert words.cut_at_a_word("one, two, three", 14) == "one, two…"
    assert words.cut_at_a_word("one, two, three", 9) == "one…"


def test_the_end_names_the_winner_or_says_that_there_is_none() -> None:
    assert words.ended(Outcome(Side.DARK, "White has no pieces"), "Black").say == "Black wins: White has no pieces."
    assert words.ended(Outcome(None, "agreed"), None).say == "A draw: agreed."
