"""The health of cells, told by hand: reports and positions in, findings out."""

from __future__ import annotations

import pytest

from reedlight.core.grid import Cell, Cells
from reedlight.scene.words import LONGEST_REASON
from reedlight.tracking.health import (
    ACTIONS,
    CHANGES,
    MOST_WRONG,
    OUT_OF_PLACE,
    POSITIONS,
    QUIET,
    SOUND,
    WINDOW,
    Fault,
    Finding,
    Health,
)

ROW = tuple(map(Cell, ("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "a2", "b2", "c2", "d2")))


def cells(names: str) -> Cells:
    """Cells by their names, parted by blanks."""
    return frozenset(map(Cell, names.split()))


class Board:
    """A game in which pieces go from cell to cell, on switches some of which are broken."""

    def __init__(self, stands: str, known: dict[Cell, Finding] | None = None, **broken: bool) -> None:
        self.health = Health(known or {})
        self.stands = cells(stands)
        self.broken = {Cell(cell): closed for cell, closed in broken.items()}
        self.deaf = Cells()
        self.now = 0.0
        self._report()
        self.health.stand(self.stands, self.deaf)

    def move(self, story: str, *, by_hand: bool = True) -> Board:
        """Move pieces from cell to cell, ``a1-b1``, each an action that is performed and then accepted."""
        for action in story.split():
            origin, target = map(Cell, action.split("-"))
            for stands in (self.stands - {origin}, self.stands - {origin} | {target}):
                self.stands = stands
                if by_hand:
                    self.now += 1.0
                    self._report()
            self.health.play(self.stands, self.deaf)
        return self

    def blink(self, cell: str, times: int, apart: float = 0.1) -> Board:
        """The switch of a cell changes so many times."""
        before = dict(self.broken)
        for _ in range(times):
            self.broken[Cell(cell)] = Cell(cell) not in self._closed
            self._report()
            self.now += apart
        self.broken = before
        return self

    def wait(self, seconds: float) -> Board:
        """Let time pass, and then something change elsewhere."""
        self.now += seconds
        return self.blink("h8", 2)

    def report(self) -> None:
        """Report the switches once more as they are."""
        self._report()

    @property
    def found(self) -> dict[str, str]:
        """What is found, in words."""
        return {cell: f"{found.fault.value} {found.count}" for cell, found in self.health.findings.items()}

    @property
    def _closed(self) -> Cells:
        stuck = {cell for cell, closed in self.broken.items() if closed}
        return (self.stands - self.broken.keys()) | stuck

    def _report(self) -> None:
        self.health.report(self._closed, self.now)


# ------------------------------------------------------------------------------------------ sound ones


def test_sound_switches_are_never_named_however_long_a_piece_walks_about() -> None:
    assert Board("a1 h8").move("a1-b1 b1-c1 c1-b1 b1-a1 " * 20).found == {}


def test_a_piece_that_is_lifted_early_is_nobodys_fault() -> None:
    board = Board("a1 b2")
    for origin, target in (("a1", "b1"), ("b1", "a1")) * (POSITIONS + 1):
        board.health.report(cells("a1 b2") - {Cell(origin)}, board.now)
        board.move(f"{origin}-{target}")
        board.health.report(board.stands - {Cell("b2")}, board.now)
        board.health.play(board.stands)
    assert board.found == {}


def test_a_game_on_the_page_beside_a_board_that_stands_still_says_nothing() -> None:
    assert Board("a1 b2").move("a1-b1 b1-c1 c1-a1 " * 9, by_hand=False).found == {}


def test_a_game_on_the_page_says_nothing_either_while_somebody_plays_with_the_pieces() -> None:
    board = Board("a1 b1 c1 h8")
    for _ in range(3 * POSITIONS):
        board.move("a1-a2 b1-b2 c1-c2", by_hand=False).wait(WINDOW)
        board.move("a2-a1 b2-b1 c2-c1", by_hand=False)
    assert board.found == {}


def test_a_board_that_is_cleared_away_and_set_up_flickers_nowhere() -> None:
    board = Board("a1 b2")
    board.health.stop()
    board.blink("a1", 5 * CHANGES, 0.01)
    assert board.found == {}
    board.health.stand(board.stands)
    assert board.blink("a1", CHANGES - 1).found == {}


# ------------------------------------------------------------------------------------------ flickering


def test_a_switch_that_changes_too_often_flickers() -> None:
    assert Board("c3").blink("c3", CHANGES - 1).found == {}
    assert Board("c3").blink("c3", CHANGES).found == {"c3": f"flickers {CHANGES}"}


def test_changes_that_take_longer_than_the_window_are_a_hands() -> None:
    apart = WINDOW / (CHANGES - 2)
    assert Board("c3").blink("c3", 5 * CHANGES, apart).found == {}
    assert Board("c3").blink("c3", 5 * CHANGES, apart / 2).found != {}


def test_what_was_counted_is_told_as_it_was_found() -> None:
    board = Board("c3").blink("c3", 4 * CHANGES, 0.01)
    assert board.found == {"c3": f"flickers {CHANGES}"}


def test_a_flicker_that_is_over_is_forgotten_after_a_while() -> None:
    board = Board("c3 h8").blink("c3", CHANGES)
    assert board.wait(QUIET / 2).found != {}
    assert board.wait(QUIET).found == {}


def test_a_flicker_on_a_deaf_cell_is_told_until_people_or_the_switch_say_otherwise() -> None:
    board = Board("c3 h8").blink("c3", CHANGES)
    board.health.stand(board.stands, cells("c3"))
    assert board.wait(9 * QUIET).found != {}


def test_a_flicker_that_is_remembered_counts_as_quiet_from_the_first_report_on() -> None:
    board = Board("c3 h8", {Cell("c3"): Finding(Fault.FLICKERS, 20)})
    assert board.wait(QUIET / 2).found == {"c3": "flickers 20"}
    assert board.wait(QUIET).found == {}


# -------------------------------------------------------------------------------------- staying as it is


def test_a_switch_that_stays_closed_is_named_after_some_positions_in_which_nothing_stood_there() -> None:
    board = Board("c3 h8", c3=True).move("c3-d4")
    for _ in range(POSITIONS - 2):
        board.move("d4-e5" if Cell("d4") in board.stands else "e5-d4")
    assert board.found == {}
    board.move("d4-e5" if Cell("d4") in board.stands else "e5-d4")
    assert board.found == {"c3": f"stays closed {POSITIONS}"}


def test_a_switch_that_stays_open_is_named_after_some_positions_in_which_something_stood_there() -> None:
    board = Board("b2 h8 a1", c3=False).move("b2-c3" + " a1-a2 a2-a1" * POSITIONS)
    assert board.found == {"c3": f"stays open {POSITIONS}"}


def test_a_switch_that_is_right_half_of_the_time_is_named_after_some_actions_that_went_through_it() -> None:
    assert ACTIONS <= 2 * POSITIONS
    board = Board("b2", c3=False).move("b2-c3 c3-b2 " * 2)
    assert board.found == {"c3": f"stays open {ACTIONS}"}


def test_one_change_makes_the_count_begin_anew() -> None:
    board = Board("c3 h8", c3=True).move("c3-d4 d4-e5 e5-d4")
    board.blink("c3", 2).move("d4-e5 e5-d4")
    assert board.found == {}
    assert board.move("d4-e5 e5-d4").found != {}


def test_a_position_that_the_board_comes_to_only_later_is_counted_then() -> None:
    board = Board("a1 b1 c1", c3=True)
    for _ in range(POSITIONS):
        for origin, target in (("a1", "a2"), ("a2", "a1")):
            board.move(f"{origin}-{target}", by_hand=False)
            board.now += 1.0
            board.health.report(board.stands - {Cell(target)} | {Cell("c3")}, board.now)
            board.health.report(board.stands | {Cell("c3")}, board.now)
    assert board.found == {"c3": f"stays closed {POSITIONS}"}


def test_a_whole_row_of_deaf_cells_is_judged_and_more_than_that_is_no_board() -> None:
    for row, named in ((ROW[:MOST_WRONG], MOST_WRONG), (ROW, 0)):
        board = Board("g8 h8", **dict.fromkeys(row, True))
        board.deaf = frozenset(row)
        board.move("g8-g7 g7-g8 " * POSITIONS)
        assert len(board.found) == named


def test_more_cells_than_a_hand_explains_say_nothing_unless_they_are_deaf() -> None:
    for number, named in ((OUT_OF_PLACE, OUT_OF_PLACE), (OUT_OF_PLACE + 1, 0)):
        board = Board("g8 h8", **dict.fromkeys(ROW[:number], True)).move("g8-g7 g7-g8 " * POSITIONS)
        assert len(board.found) == named


def test_an_action_that_changes_no_cell_is_no_position() -> None:
    board = Board("c3 h8", c3=True).move("c3-d4")
    for _ in range(2 * POSITIONS):
        board.wait(WINDOW)
        board.health.play(board.stands)
    assert board.found == {}


def test_what_goes_through_a_deaf_cell_alone_counts_where_all_others_are_right() -> None:
    for others, named in (("h8", {"c3": f"stays open {ACTIONS}"}), ("h8 g8", {})):
        health = Health()
        health.report(cells("h8"), 0.0)
        health.stand(cells(others), cells("c3"))
        for _ in range(ACTIONS):
            health.play(cells(f"{others} c3"), cells("c3"))
            health.play(cells(others), cells("c3"))
        assert {cell: f"{found.fault.value} {found.count}" for cell, found in health.findings.items()} == named


def test_an_action_before_anything_is_known_is_where_counting_begins() -> None:
    health = Health()
    health.report(cells("c3"), 0.0)
    for at in range(1, POSITIONS + 1):
        health.play(cells("a1") if at % 2 else cells("a2"))
        health.report(cells("c3 a1") if at % 2 else cells("c3 a2"), float(at))
    assert health.findings == {}
    health.play(cells("a1"))
    health.report(cells("c3 a1"), 9.0)
    assert health.findings == {Cell("c3"): Finding(Fault.STAYS_CLOSED, POSITIONS)}


# -------------------------------------------------------------------------------------- working again


@pytest.mark.parametrize("fault", list(Fault))
def test_a_switch_that_does_its_duty_again_is_named_no_longer(fault: Fault) -> None:
    board = Board("c3 h8", {Cell("c3"): Finding(fault, 20)})
    for _, action in zip(range(SOUND), ("c3-d4", "d4-c3") * SOUND, strict=False):
        assert board.found == {"c3": f"{fault.value} 20"}
        board.move(action)
    assert board.found == {}


def test_a_switch_that_does_its_duty_only_now_and_then_stays_named() -> None:
    board = Board("c3 h8", {Cell("c3"): Finding(Fault.STAYS_OPEN, 9)})
    for _ in range(9):
        board.move("c3-d4 d4-c3")
        board.broken = {Cell("c3"): True}
        board.move("c3-d4 d4-c3")
        board.broken = {}
    assert board.found == {"c3": "stays open 9"}


def test_people_may_say_that_it_works_and_are_believed_until_it_shows_again() -> None:
    board = Board("c3 h8").blink("c3", CHANGES)
    board.health.forget(Cell("c3"))
    assert board.found == {}
    assert board.blink("c3", CHANGES - 1).found == {}
    assert board.blink("c3", 2).found == {"c3": f"flickers {CHANGES}"}


def test_to_report_the_same_again_changes_nothing() -> None:
    board = Board("c3 h8", c3=True).move("c3-d4")
    for _ in range(2 * CHANGES):
        board.report()
    assert board.found == {}


# ----------------------------------------------------------------------------------------- the sentence


@pytest.mark.parametrize("fault", list(Fault))
def test_what_is_wrong_is_one_sentence_that_can_be_read_at_a_glance(fault: Fault) -> None:
    sentence = Finding(fault, 99).sentence(Cell("-3,-1"))
    assert sentence.startswith(f"The switch of -3,-1 {fault.value}")
    assert "99" in sentence
    assert len(sentence) <= LONGEST_REASON


def test_the_same_finding_is_told_by_the_same_words_so_that_nobody_takes_them_for_new() -> None:
    assert Finding(Fault.FLICKERS, 16).sentence(Cell("c3")) is Finding(Fault.FLICKERS, 16).sentence(Cell("c3"))


def test_findings_cannot_be_changed_by_whoever_looks_at_them() -> None:
    findings = Board("c3").blink("c3", CHANGES).health.findings
    with pytest.raises(TypeError):
        findings[Cell("c3")] = Finding(Fault.FLICKERS, 1)  # type: ignore[index]  # this is what must not work
