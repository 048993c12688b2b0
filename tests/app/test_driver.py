"""The driver: a tabletop is given its time by deadlines, files and requests, in an event loop whose clock jumps."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence

import jumping
import pytest

from reedlight.app.driver import Driver
from reedlight.board.layout import direct
from reedlight.games import make
from reedlight.ports import Closed, Input, LinkLost, Report
from reedlight.scene.palette import ON_OFF
from reedlight.scene.render import UNLIMITED, Panel
from reedlight.session.session import Session
from reedlight.tabletop import RETRY, Rig, Tabletop

AT_LEAST_EVERY = 2.0


class Wire:
    """A cable whose other end sends bytes; each opening is another file."""

    def __init__(self) -> None:
        self.heard: list[tuple[float, bytes]] = []
        self.lost = False
        self.due: float | None = None
        self.lost_from = float("inf")
        self._writing = -1
        self._reading = -1

    def open(self, _now: float) -> Input:
        if self.lost:
            raise LinkLost("The cable is off.")
        self._reading, self._writing = os.pipe()
        os.set_blocking(self._reading, False)
        return self

    def send(self, sent: bytes) -> None:
        os.write(self._writing, sent)

    @property
    def deadline(self) -> float | None:
        return self.due

    def fileno(self) -> int | None:
        return self._reading

    def poll(self, now: float) -> Sequence[Report]:
        try:
            sent = os.read(self._reading, 100)
        except BlockingIOError:
            sent = b""
        self.heard.append((now, sent))
        self.due = None if self.due is not None and self.due <= now else self.due
        if sent == b"lost" or now >= self.lost_from:
            raise LinkLost("The cable is off.")
        if sent == b"fault":
            raise ZeroDivisionError
        return [Closed(len(sent), now)]

    def close(self) -> None:
        if self._reading >= 0:
            os.close(self._reading)
            os.close(self._writing)
        self._reading = self._writing = -1


class Sitting:
    """A driver, its tabletop on wires, and when it was advanced."""

    def __init__(self, *wires: Wire) -> None:
        self.advanced: list[float] = []
        self.driver = Driver(self.advanced.append, AT_LEAST_EVERY)
        self.tabletop = tabletop_on(*wires)


def tabletop_on(*wires: Wire) -> Tabletop:
    game = make("draughts")
    rig = Rig(game.grid, direct(game.grid), Panel({}, 0, ON_OFF, UNLIMITED), inputs=tuple(wire.open for wire in wires))
    return Tabletop(Session(game), rig, lambda _: pytest.fail("draughts has no dice"), lambda _, __: None)


def tell(story: Callable[[Sitting], Awaitable[None]], *wires: Wire) -> None:
    """Tell a story; its seconds pass at once, and in the end nothing is left open."""

    async def told() -> None:
        sitting = Sitting(*wires)
        await story(sitting)
        sitting.driver.stop()
        sitting.tabletop.close()

    jumping.run(told())


def test_a_tabletop_is_advanced_at_once_and_then_at_least_every_so_often() -> None:
    async def story(sitting: Sitting) -> None:
        sitting.driver.drive(sitting.tabletop)
        await asyncio.sleep(5)
        assert sitting.advanced == pytest.approx([0, 2, 4])

    tell(story)


def test_a_deadline_is_met() -> None:
    wire = Wire()

    async def story(sitting: Sitting) -> None:
        wire.due = 0.5
        sitting.driver.drive(sitting.tabletop)
        await asyncio.sleep(5)
        assert len(wire.heard) == 2
        assert wire.heard[1][0] == pytest.approx(0.5)

    tell(story, wire)


def test_what_arrives_is_heard_when_it_arrives_and_not_asked_for() -> None:
    wire = Wire()

    async def story(sitting: Sitting) -> None:
        sitting.driver.drive(sitting.tabletop)
        await asyncio.sleep(0.25)
        wire.send(b"xx")
        await asyncio.sleep(5)
        assert [sent for _, sent in wire.heard] == [b"", b"xx"]
        assert wire.heard[1][0] == pytest.approx(0.25)

    tell(story, wire)


def test_only_the_file_that_is_readable_is_read() -> None:
    one, other = Wire(), Wire()

    async def story(sitting: Sitting) -> None:
        sitting.driver.drive(sitting.tabletop)
        other.send(b"x")
        await asyncio.sleep(0.25)
        assert [sent for _, sent in one.heard] == [b""]
        assert [sent for _, sent in other.heard] == [b"", b"x"]

    tell(story, one, other)


def test_a_file_that_was_opened_anew_under_its_old_number_is_watched() -> None:
    wire = Wire()

    async def story(sitting: Sitting) -> None:
        sitting.driver.drive(sitting.tabletop)
        first = wire.fileno()
        wire.send(b"lost")
        await asyncio.sleep(RETRY / 2)
        assert wire.fileno() == -1
        await asyncio.sleep(RETRY)
        assert wire.fileno() == first, "the system gives the lowest number that is free"
        wire.send(b"x")
        await asyncio.sleep(0.1)
        assert wire.heard[-1][1] == b"x"

    tell(story, wire)


def test_a_file_that_took_the_number_of_one_lost_at_the_same_moment_is_watched() -> None:
    one, other = Wire(), Wire()

    async def story(sitting: Sitting) -> None:
        other.lost = True
        sitting.driver.drive(sitting.tabletop)
        number = one.fileno()
        other.lost, one.lost_from, one.due = False, RETRY, RETRY
        await asyncio.sleep(1.5 * RETRY)
        assert (one.fileno(), other.fileno()) == (-1, number)
        other.send(b"x")
        await asyncio.sleep(0.1)
        assert other.heard[-1][1] == b"x"

    tell(story, one, other)


def test_a_lost_file_is_watched_no_longer() -> None:
    wire = Wire()

    async def story(sitting: Sitting) -> None:
        sitting.driver.drive(sitting.tabletop)
        wire.send(b"lost")
        await asyncio.sleep(0.1)
        wire.lost = True
        reading, writing = os.pipe()
        os.write(writing, b"another's")
        before = len(sitting.advanced)
        await asyncio.sleep(RETRY / 2)
        assert len(sitting.advanced) == before, "the pipe has the number that the wire had"
        os.close(reading)
        os.close(writing)

    tell(story, wire)


def test_whoever_asks_is_answered_at_once() -> None:
    async def story(sitting: Sitting) -> None:
        sitting.driver.drive(sitting.tabletop)
        await asyncio.sleep(0.5)
        sitting.driver.wake()
        assert sitting.advanced == pytest.approx([0, 0.5])
        await asyncio.sleep(2.25)
        assert sitting.advanced == pytest.approx([0, 0.5, 2.5])

    tell(story)


def test_another_tabletop_takes_the_place_of_the_first() -> None:
    first, second = Wire(), Wire()

    async def story(sitting: Sitting) -> None:
        sitting.driver.drive(sitting.tabletop)
        later = tabletop_on(second)
        sitting.driver.drive(later)
        first.send(b"x")
        second.send(b"xx")
        await asyncio.sleep(0.25)
        assert [sent for _, sent in first.heard] == [b""]
        assert [sent for _, sent in second.heard] == [b"", b"xx"]
        sitting.driver.stop()
        later.close()

    tell(story, first)


def test_a_file_of_another_tabletop_under_the_number_of_the_first_is_watched() -> None:
    first, second = Wire(), Wire()

    async def story(sitting: Sitting) -> None:
        sitting.driver.drive(sitting.tabletop)
        number = first.fileno()
        sitting.tabletop.close()
        later = tabletop_on(second)
        sitting.driver.drive(later)
        assert second.fileno() == number
        second.send(b"xx")
        await asyncio.sleep(0.25)
        assert second.heard[-1][1] == b"xx"
        sitting.driver.stop()
        later.close()

    tell(story, first)


def test_a_fault_is_raised_at_the_end_and_nothing_is_advanced_after_it() -> None:
    wire = Wire()

    async def story(sitting: Sitting) -> None:
        sitting.driver.drive(sitting.tabletop)
        wire.send(b"fault")
        with pytest.raises(ZeroDivisionError):
            await sitting.driver.over
        heard = len(wire.heard)
        sitting.driver.wake()
        sitting.driver.finish()
        await asyncio.sleep(5)
        assert len(wire.heard) == heard

    tell(story, wire)


def test_a_fault_of_what_comes_afterwards_is_one_too() -> None:
    async def story(sitting: Sitting) -> None:
        def fail(_now: float) -> None:
            raise ZeroDivisionError

        driver = Driver(fail, AT_LEAST_EVERY)
        driver.drive(sitting.tabletop)
        with pytest.raises(ZeroDivisionError):
            await driver.over
        driver.stop()

    tell(story)


def test_the_end_can_be_brought_about_more_than_once() -> None:
    async def story(sitting: Sitting) -> None:
        sitting.driver.drive(sitting.tabletop)
        sitting.driver.finish()
        sitting.driver.finish()
        await sitting.driver.over
        sitting.driver.wake()
        assert sitting.advanced == [0]

    tell(story)


def test_once_stopped_it_gives_no_more_time() -> None:
    wire = Wire()

    async def story(sitting: Sitting) -> None:
        sitting.driver.stop()
        sitting.driver.drive(sitting.tabletop)
        sitting.driver.stop()
        wire.send(b"x")
        sitting.driver.wake()
        await asyncio.sleep(5)
        assert sitting.advanced == [0]

    tell(story, wire)
