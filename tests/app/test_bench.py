"""The bench: ports that report, lose themselves and come back, in a time that only passes while somebody waits."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from soldered import Clock, Soldered, small

from reedlight.adapters.boards import Machine, rig
from reedlight.app.bench import BRIGHTNESS, Bench, RealClock, Trouble, on_bench
from reedlight.board.toml import load_packaged
from reedlight.core.game import Die
from reedlight.core.grid import Cell
from reedlight.ports import Closed, Display, Down, Input, LinkLost, Output, Report
from reedlight.scene.palette import Colour
from reedlight.scene.render import DARK
from reedlight.scene.scene import Button, Lamp, Mark
from reedlight.session.events import Hold, Press
from reedlight.tabletop import RETRY


class Scripted:
    """An input that reports what a script says, at its moments; a sentence is what it is lost with."""

    def __init__(self, script: list[tuple[float, Report | str]]) -> None:
        self.script = script
        self.open_ports = 0

    def open(self, now: float) -> Input:
        del now
        self.open_ports += 1
        return self

    @property
    def deadline(self) -> float | None:
        return self.script[0][0] if self.script else None

    def fileno(self) -> int | None:
        return None

    def poll(self, now: float) -> Sequence[Report]:
        reports: list[Report] = []
        while self.script and self.script[0][0] <= now:
            report = self.script.pop(0)[1]
            if isinstance(report, str):
                raise LinkLost(report)
            reports.append(report)
        return reports

    def close(self) -> None:
        self.open_ports -= 1


class Showing:
    """An output that remembers, and fails as long as it is told to."""

    def __init__(self) -> None:
        self.shown: list[Display] = []
        self.moments: list[float] = []
        self.trouble = ""
        self.closed = False

    def open(self, now: float) -> Output:
        del now
        self.closed = False
        return self

    @property
    def deadline(self) -> float | None:
        return None

    def show(self, display: Display, now: float) -> None:
        if self.trouble:
            raise LinkLost(self.trouble)
        if not self.shown or display != self.shown[-1]:
            self.shown.append(display)
            self.moments.append(now)

    def close(self) -> None:
        self.closed = True


def bench(*script: tuple[float, Report | str], output: Showing | None = None) -> Bench:
    """A bench whose one input reports by a script."""
    return bench_of([Scripted(list(script))], output)


def bench_of(inputs: Sequence[Scripted], output: Showing | None = None) -> Bench:
    plan = small()
    outputs = () if output is None else (output.open,)
    made = rig(plan, plan.grid, BRIGHTNESS)
    return Bench(plan, replace(made, inputs=tuple(each.open for each in inputs), outputs=outputs), Clock())


def at(seconds: float, mask: int) -> tuple[float, Report]:
    return seconds, Closed(mask, seconds)


def down(seconds: float, *buttons: Button) -> tuple[float, Report]:
    return seconds, Down(frozenset(buttons), seconds)


# ------------------------------------------------------------------------------------------- waiting


def test_wait_comes_back_with_the_first_thing_that_happens() -> None:
    board = bench(at(0, 0b1), at(3, 0b11), at(4, 0b10))
    assert board.closed is None
    assert board.wait(10) == (Closed(0b1, 0),)
    assert board.wait(10) == (Closed(0b11, 3),)
    assert (board.now, board.closed) == (3.0, 0b11)


def test_wait_comes_back_with_nothing_when_the_time_is_over() -> None:
    board = bench(at(0, 0), at(20, 1))
    board.wait(1)
    assert board.wait(5) == ()
    assert board.now == 5.0


def test_a_moment_that_is_over_is_waited_for_with_one_look_at_the_ports() -> None:
    board = bench(at(0, 0b100))
    assert board.wait_until(-1.0) == (Closed(0b100, 0),)
    assert board.wait_until(-1.0) == ()
    assert board.now == 0.0


def test_a_file_that_can_be_read_ends_the_wait() -> None:
    out, into = os.pipe()
    board = bench(at(0, 0), at(9, 1))
    board.wait(1)
    os.write(into, b"x")
    assert board.wait(100, [out]) == ()
    assert board.now == 0.0
    os.close(into)
    os.close(out)


class Piped(Scripted):
    """An input that reports what comes through a pipe, a byte a mask."""

    def __init__(self) -> None:
        super().__init__([])
        self.file, self.into = os.pipe()
        os.set_blocking(self.file, False)

    def fileno(self) -> int | None:
        return self.file

    def poll(self, now: float) -> Sequence[Report]:
        try:
            return [Closed(mask, now) for mask in os.read(self.file, 9)]
        except BlockingIOError:
            return []


def test_a_port_with_a_file_is_polled_when_that_can_be_read() -> None:
    class Later(Clock):
        """A byte comes while somebody waits."""

        def wait(self, seconds: float, files: Collection[int]) -> Collection[int]:
            if port.file in files and self.time < 1.0:
                self.time = 1.0
                os.write(port.into, b"\x07")
                return [port.file]
            return super().wait(seconds, files)

    port = Piped()
    made = rig(small(), small().grid, BRIGHTNESS)
    board = Bench(small(), replace(made, inputs=(port.open,), outputs=()), Later())
    assert board.wait(100) == (Closed(7, 1.0),)
    os.close(port.file)
    os.close(port.into)


def test_a_button_tells_that_it_was_pressed_when_it_goes_up() -> None:
    board = bench(down(0), down(1, Button.GO), down(1.2))
    assert board.wait(10) == (Press(Button.GO),)
    assert board.now == 1.2
    assert board.down == frozenset()


def test_a_button_that_stays_down_is_held() -> None:
    board = bench(down(0), down(1, Button.NEXT))
    assert board.wait(10) == (Hold(Button.NEXT),)
    assert board.down == {Button.NEXT}
    assert board.now == 3.0


def test_buttons_of_two_inputs_are_one_set() -> None:
    board = bench_of([Scripted([down(0), down(5, Button.GO)]), Scripted([down(0), down(6, Button.BACK)])])
    board.wait(6.5)
    assert board.down == {Button.GO, Button.BACK}


def test_a_button_that_is_down_from_the_start_was_not_pressed() -> None:
    board = bench(down(0, Button.GO), down(1))
    assert board.wait(10) == ()


# ------------------------------------------------------------------------------------------- showing


def test_a_mark_keeps_its_rhythm_while_somebody_waits() -> None:
    output = Showing()
    board = bench(at(0, 0), output=output)
    board.show({3: Mark.CHOICE})
    board.wait(0.0)
    board.wait(1.95)
    lit = [any(display.frame[3]) for display in output.shown]
    assert lit == [True, False, True, False, True, False]
    assert all(0.19 < later - sooner < 0.21 for sooner, later in pairwise(output.moments))


def test_a_colour_stands_as_it_is_beside_marks_buttons_and_dice() -> None:
    output = Showing()
    board = bench(at(0, 0), output=output)
    dice = (Die(3, spent=False, note=""),)
    board.show({0: Colour(1, 2, 3), 2: Mark.TARGET}, {Button.BACK: Lamp.ON}, dice)
    board.open()
    shown = output.shown[-1]
    assert shown.frame[0] == Colour(1, 2, 3)
    assert any(shown.frame[2])
    assert shown.frame[1] == DARK
    assert (shown.buttons, shown.dice) == ({Button.BACK}, dice)


def test_what_is_not_shown_again_is_dark() -> None:
    output = Showing()
    board = bench(at(0, 0), output=output)
    board.show({0: Colour(1, 2, 3), 2: Mark.TARGET}, {Button.BACK: Lamp.ON})
    board.open()
    board.show()
    board.wait(0.0)
    assert output.shown[-1].frame == (DARK,) * 12
    assert output.shown[-1].buttons == frozenset()


# ------------------------------------------------------------------------------------------ troubles


def test_a_port_that_is_lost_is_told_once_and_tried_again_every_second() -> None:
    port = Scripted([at(0, 1), (2, "The cable is out."), (3, "The cable is out."), at(4, 1)])
    board = bench_of([port])
    board.wait(1)
    assert board.wait(10) == (Trouble("The cable is out."),)
    assert (board.closed, board.troubles, board.reader) == (None, ("The cable is out.",), None)
    assert board.wait(10) == (Closed(1, 4),)
    assert board.now == 2 + 2 * RETRY
    assert (board.closed, board.troubles) == (1, ())
    assert board.reader is not None


def test_a_port_that_opens_but_is_silent_is_still_in_trouble() -> None:
    port = Scripted([(0, "It is silent."), (1.5, "It is silent.")])
    board = bench_of([port])
    assert board.open() == ("It is silent.",)
    assert board.wait(5) == ()
    assert board.troubles == ("It is silent.",)


def test_another_sentence_is_another_trouble() -> None:
    board = bench((0, "No Pico is plugged in."), (1, "It is silent."))
    assert board.wait(0) == (Trouble("No Pico is plugged in."),)
    assert board.wait(9) == (Trouble("It is silent."),)


def test_a_button_that_was_down_when_its_port_was_lost_was_not_pressed() -> None:
    board = bench(down(0), down(1, Button.GO), (1.5, "The cable is out."), down(2.5))
    assert board.wait(10) == (Trouble("The cable is out."),)
    assert board.down == frozenset()
    assert board.wait(10) == ()


def test_lamps_that_are_lost_do_not_keep_the_switches_from_being_read() -> None:
    output = Showing()
    output.trouble = "The lamps cannot be reached."
    board = bench(at(0, 0), at(5, 1), output=output)
    assert board.wait(1) == (Closed(0, 0), Trouble("The lamps cannot be reached."))
    assert board.wait(10) == (Closed(1, 5),)
    output.trouble = ""
    board.wait(2)
    assert board.troubles == ()
    assert output.shown


def test_leaving_closes_every_port_even_after_an_error() -> None:
    output, port = Showing(), Scripted([at(0, 0)])
    board = bench_of([port], output)

    def interrupted() -> None:
        with board:
            board.open()
            assert port.open_ports == 1
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert output.closed
    assert port.open_ports == 0


# ------------------------------------------------------------------------------------------- a board


def test_a_board_is_counted_by_its_driver_and_its_reader() -> None:
    small_board = bench(at(0, 0))
    assert (small_board.lamp_count, small_board.switch_count) == (12, 12)
    expander = on_bench(load_packaged("budget-8x8-expander"))
    assert (expander.lamp_count, expander.switch_count) == (64, 64)
    assert Bench(small(), replace(rig(small(), small().grid, 1.0), inputs=())).reader is None


def test_a_whole_board_shines_and_is_read_by_numbers() -> None:
    board = Soldered(small(), small())
    with board.bench(small()) as found:
        found.show({board.real.layout.lamps[Cell("b2")]: Mark.TARGET}, {Button.GO: Lamp.ON})
        assert found.open() == ()
        assert set(board.seen()) == {"b2"}
        assert board.devices.button_lamps() == {Button.GO}
        assert found.closed == 0
    assert board.is_dark


def test_a_machine_without_devices_says_what_is_missing() -> None:
    def missing(*_: object) -> object:
        raise LinkLost("There is nothing here.")

    nowhere = Machine(missing, missing, missing, missing)  # pyright: ignore[reportArgumentType]  # opens nothing at all
    with on_bench(small(), nowhere, Clock()) as found:
        assert found.wait(0.5) == (Trouble("There is nothing here."),)
        assert set(found.troubles) == {"There is nothing here."}
        assert found.closed is None


def test_the_real_clock_goes_on_and_is_woken_by_a_file() -> None:
    clock = RealClock()
    before = clock.now()
    out, into = os.pipe()
    os.write(into, b"x")
    assert list(clock.wait(3600.0, [out])) == [out]
    assert list(clock.wait(0.0, [])) == []
    assert clock.now() >= before
    os.close(into)
    os.close(out)
