"""The Pico's link as conversations: what arrives, what is reported, what is said; and the port under it."""

from __future__ import annotations

import errno
import os
import pty
import select
import socket
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import pytest
import serial
from serial.tools.list_ports_common import ListPortInfo

from reedlight.adapters.pico import USB_ID, PicoLink, SerialPort, Wiring, _not_opened, find
from reedlight.board.profile import Matrix, Pico, PicoPins
from reedlight.ports import Closed, Display, Down, LinkLost, Report
from reedlight.scene.scene import Button
from reedlight.wire.codec import SEQUENCES, Decoder, Speaker, encode
from reedlight.wire.message import (
    FIRMWARE,
    AskCounters,
    AskHello,
    AskLines,
    AskScan,
    AskState,
    Counters,
    Hello,
    Light,
    LineTest,
    Message,
    OtherHello,
    Refusal,
    ScanTest,
    Shape,
    State,
)

SERIAL = "e6614c311b867b2f"
HELLO = Hello(1, FIRMWARE, 8, 8, SERIAL, 15)
MATRIX = Matrix(tuple(range(2, 10)), tuple(range(10, 18)))
READER = Pico(MATRIX)
BUTTONS = PicoPins({"go": 18, "next": 19, "back": 20, "hint": 21})
LAMPS = PicoPins({"go": 22, "hint": 26})
WIRING = Wiring(READER, BUTTONS, LAMPS)
GO, NEXT, BACK, HINT = Button
OPENED = 100.0
"""The clock does not begin at 0."""


@dataclass
class Wire:
    """A port in memory, and the board's end of it."""

    inbox: bytes = b""
    outbox: bytes = b""
    room: int = 1 << 20
    unplugged: bool = False
    discarded: bool = False
    closed: bool = False
    number: int = 17
    shape: Shape = field(default_factory=lambda: Shape(8, 8))
    ears: Decoder = field(default_factory=lambda: Decoder(Speaker.PROGRAM))

    def read(self) -> bytes:
        self.require_plug()
        arrived, self.inbox = self.inbox, b""
        return arrived

    def write(self, line: bytes) -> int:
        self.require_plug()
        taken = line[: self.room]
        self.room -= len(taken)
        self.outbox += taken
        return len(taken)

    def fileno(self) -> int | None:
        return None

    def discard(self) -> None:
        self.require_plug()
        self.discarded = True

    def close(self) -> None:
        self.closed = True

    def require_plug(self) -> None:
        if self.unplugged:
            raise LinkLost("the cable is out")

    def line(self, message: Message) -> bytes:
        """The board's next line."""
        self.number = (self.number + 1) % SEQUENCES
        return encode(message, self.number, self.shape)

    def say(self, *messages: Message) -> None:
        for message in messages:
            self.inbox += self.line(message)

    def reset(self) -> None:
        self.number = -1

    def heard(self) -> list[Message]:
        """What the program has said since the last time."""
        said, self.outbox = self.outbox, b""
        messages = [received.message for received in self.ears.feed(said)]
        assert self.ears.bad == 0
        return messages


def opened(wiring: Wiring = WIRING) -> tuple[PicoLink, Wire]:
    wire = Wire(shape=Shape(len(wiring.reader.matrix.rows), len(wiring.reader.matrix.columns)))
    return PicoLink("/dev/ttyACM0", wiring, OPENED, lambda _: wire), wire


def joined(wiring: Wiring = WIRING, hello: Hello = HELLO) -> tuple[PicoLink, Wire]:
    """A link that has just heard the hello and the first state, and been heard."""
    link, wire = opened(wiring)
    wire.say(hello, State(0, 0))
    link.poll(OPENED)
    wire.heard()
    return link, wire


def display(*lit: Button) -> Display:
    return Display((), frozenset(lit), ())


def after(link: PicoLink, wire: Wire, *messages: Message, at: float = OPENED) -> Sequence[Report]:
    wire.say(*messages)
    return link.poll(at)


# ---------------------------------------------------------------------------------------- the hello


def test_opening_asks_who_is_there_and_polling_does_not_wait_for_the_answer() -> None:
    link, wire = opened()
    assert wire.heard() == [AskHello()]
    assert link.poll(OPENED) == ()
    assert link.hello is None
    assert link.fileno() is None


def test_after_the_hello_the_first_state_is_reported_whole() -> None:
    link, wire = opened()
    wire.heard()
    assert after(link, wire, HELLO) == ()
    assert wire.heard() == [AskState(), Light(0)]
    assert after(link, wire, State(0xFFFF, 0b0001), at=OPENED + 0.01) == (
        Closed(0xFFFF, OPENED + 0.01),
        Down(frozenset({GO}), OPENED + 0.01),
    )
    assert link.hello == HELLO
    assert link.notices == ()


def test_an_empty_board_is_reported_too() -> None:
    link, wire = opened()
    assert after(link, wire, HELLO, State(0, 0)) == (Closed(0, OPENED), Down(frozenset(), OPENED))


def test_nothing_is_reported_before_the_hello() -> None:
    link, wire = opened()
    assert after(link, wire, State(1, 1), State(2, 2)) == ()
    assert after(link, wire, HELLO, State(2, 2)) == (Closed(2, OPENED), Down(frozenset({NEXT}), OPENED))


def test_the_hello_is_asked_for_again_on_a_new_line() -> None:
    link, wire = opened()
    wire.heard()
    link.poll(OPENED + 0.49)
    assert wire.heard() == []
    link.poll(OPENED + 0.5)
    assert wire.outbox.startswith(b"\r\nh 1*")
    assert wire.heard() == [AskHello()]
    link.poll(OPENED + 1.0)
    assert wire.heard() == [AskHello()]


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (b"", r"The device at /dev/ttyACM0 is silent; the firmware does not seem to run on it\."),
        (b"\r\nMicroPython v1.26\r\n>>> ", r"shows a MicroPython prompt \(>>>\)"),
        (b"start\necho:Marlin 2.1\x1b[0m\nok T:21.3\n", r"is no board of ours; .* begins with 'start\\necho:Marlin"),
        (b"\xff\x00" * 3000, r"begins with '\ufffd\\x00"),
        (encode(State(1, 0), 5, Shape(8, 8)) * 50, r"The board at /dev/ttyACM0 talks, but does not answer\."),
    ],
)
def test_without_a_hello_the_link_says_what_the_device_seems_to_be(said: bytes, sentence: str) -> None:
    link, wire = opened()
    wire.inbox = said
    assert link.poll(OPENED + 0.2) == ()
    link.poll(OPENED + 1.49)
    with pytest.raises(LinkLost, match=sentence) as caught:
        link.poll(OPENED + 1.5)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


def test_a_device_that_repeats_what_it_is_told_is_no_board() -> None:
    link, wire = opened()
    wire.inbox = wire.outbox
    link.poll(OPENED)
    with pytest.raises(LinkLost, match=r"begins with 'h 0\*"):
        link.poll(OPENED + 1.5)


@pytest.mark.parametrize(
    ("hello", "sentence"),
    [
        (replace(HELLO, rows=10), "reads 10 rows of 8 switches, but the profile has 8 rows of 8"),
        (replace(HELLO, columns=7), "reads 8 rows of 7 switches, but the profile has 8 rows of 8"),
        (OtherHello(2), "speaks protocol 2 and this program protocol 1"),
    ],
)
def test_a_board_that_does_not_fit_is_refused(hello: Message, sentence: str) -> None:
    link, wire = opened()
    with pytest.raises(LinkLost, match=sentence):
        after(link, wire, hello)


def test_a_board_of_another_number_is_refused() -> None:
    mine = Wiring(replace(READER, serial=SERIAL.upper()))
    joined(mine)
    with pytest.raises(LinkLost, match="is the Pico 0123, not E6614C311B867B2F of the profile"):
        joined(mine, replace(HELLO, serial="0123"))


@pytest.mark.parametrize(
    ("hello", "notices"),
    [
        (replace(HELLO, version="99.0.0"), ()),
        (replace(HELLO, version="0.0.9"), (f"The board's firmware is 0.0.9, older than {FIRMWARE}",)),
        (replace(HELLO, version="mine"), ("The board's firmware is mine, older than",)),
        (replace(HELLO, buttons=0b0101), ("does not read these buttons of the profile: NEXT, HINT.",)),
        (replace(HELLO, version="0.0.9", buttons=0), ("older", "GO, NEXT, BACK, HINT")),
    ],
)
def test_what_is_odd_but_can_be_played_on_is_a_notice(hello: Hello, notices: tuple[str, ...]) -> None:
    link, _ = joined(hello=hello)
    assert len(link.notices) == len(notices)
    assert all(part in notice for part, notice in zip(notices, link.notices, strict=True))


# --------------------------------------------------------------------------------------- the reports


def test_only_what_changed_is_reported() -> None:
    link, wire = joined()
    assert after(link, wire, State(0, 0)) == ()
    assert after(link, wire, State(4, 0)) == (Closed(4, OPENED),)
    assert after(link, wire, State(4, 8)) == (Down(frozenset({HINT}), OPENED),)
    assert after(link, wire, State(4, 8), State(5, 8), State(4, 8)) == (Closed(5, OPENED), Closed(4, OPENED))


def test_buttons_that_are_not_on_the_pico_are_not_reported() -> None:
    link, wire = opened(Wiring(READER))
    assert after(link, wire, HELLO, State(1, 15), State(1, 3)) == (Closed(1, OPENED),)
    some, other_wire = joined(Wiring(READER, PicoPins({"back": 20})))
    assert after(some, other_wire, State(0, 0b1011)) == ()
    assert after(some, other_wire, State(0, 0b1100)) == (Down(frozenset({BACK}), OPENED),)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (5, 7), (10, 10), (20, 20)])
def test_there_may_be_any_number_of_switches(rows: int, columns: int) -> None:
    wiring = Wiring(Pico(Matrix(tuple(range(rows)), tuple(range(columns)))))
    link, wire = joined(wiring, replace(HELLO, rows=rows, columns=columns))
    full = (1 << rows * columns) - 1
    assert after(link, wire, State(full, 0)) == (Closed(full, OPENED),)


def test_a_line_may_arrive_in_pieces() -> None:
    link, wire = joined()
    heard: list[Report] = []
    for byte in wire.line(State(7, 0)):
        wire.inbox = bytes((byte,))
        heard += link.poll(OPENED)
    assert heard == [Closed(7, OPENED)]


# --------------------------------------------------------------------------------------- the numbers


def test_a_repeated_line_makes_no_event() -> None:
    link, wire = joined()
    first, second = wire.line(State(1, 0)), wire.line(State(2, 0))
    wire.inbox = first + first + second + first + second + first
    assert link.poll(OPENED) == (Closed(1, OPENED), Closed(2, OPENED))


def test_a_missing_line_makes_the_link_ask_for_the_state() -> None:
    link, wire = joined()
    wire.line(State(1, 0))
    wire.line(State(2, 0))
    assert after(link, wire, State(3, 0), at=OPENED + 0.3) == (Closed(3, OPENED + 0.3),)
    assert wire.heard() == [AskState()]
    assert link.missed == 2


def test_the_numbers_go_over_to_0() -> None:
    link, wire = opened()
    wire.number = SEQUENCES - 3
    wire.say(HELLO)
    masks = [report.mask for report in after(link, wire, *(State(mask, 0) for mask in range(6))) if is_closed(report)]
    assert masks == [0, 1, 2, 3, 4, 5]
    assert link.missed == 0


def is_closed(report: Report) -> bool:
    return isinstance(report, Closed)


def test_after_a_reset_the_link_goes_on_and_lights_the_lamps_anew() -> None:
    link, wire = joined()
    link.show(display(GO), OPENED)
    after(link, wire, State(5, 0))
    wire.heard()
    wire.reset()
    assert after(link, wire, HELLO, State(5, 0), at=OPENED + 0.2) == ()
    assert wire.heard() == [AskState(), Light(1)]
    assert after(link, wire, State(4, 0), at=OPENED + 0.3) == (Closed(4, OPENED + 0.3),)


def test_a_reset_whose_hello_was_lost_is_asked_for_and_invents_nothing() -> None:
    link, wire = joined()
    for mask in (1, 2, 3):
        after(link, wire, State(mask, 0))
    wire.heard()
    wire.reset()
    wire.line(HELLO)
    assert after(link, wire, State(9, 0), at=OPENED + 0.2) == ()
    assert wire.heard() == [AskHello(), AskState()]
    assert after(link, wire, HELLO, State(9, 0), at=OPENED + 0.21) == (Closed(9, OPENED + 0.21),)
    link.poll(OPENED + 1.3)
    assert wire.heard()[-2:] == [AskState(), Light(0)]


def test_a_reset_board_that_is_another_now_is_refused() -> None:
    link, wire = joined()
    wire.reset()
    with pytest.raises(LinkLost, match="reads 9 rows"):
        after(link, wire, replace(HELLO, rows=9))


# ---------------------------------------------------------------------------------------- bad lines


def test_a_broken_line_makes_the_link_ask_for_the_state_but_not_again_and_again() -> None:
    link, wire = joined()
    asked = 0
    for hundredth in range(1, 101):
        wire.inbox = b"AT\r\n"
        link.poll(OPENED + hundredth / 100)
        asked += wire.heard().count(AskState())
        if hundredth % 40 == 0:
            after(link, wire, State(0, 0), at=OPENED + hundredth / 100)
    assert 8 <= asked <= 10
    assert link.bad == 100


def test_the_link_hears_its_own_echo_without_harm() -> None:
    link, wire = joined()
    for tenth in range(1, 100):
        wire.inbox += wire.outbox
        assert after(link, wire, State(0, 0), at=OPENED + tenth / 10) == ()
        assert len(wire.outbox) < 1000
        wire.heard()


# ------------------------------------------------------------------------------------------- silence


def test_a_board_that_falls_silent_is_lost() -> None:
    link, wire = joined()
    assert after(link, wire, State(0, 0), at=OPENED + 1.4) == ()
    assert link.poll(OPENED + 2.89) == ()
    with pytest.raises(LinkLost, match="The board at /dev/ttyACM0 has fallen silent"):
        link.poll(OPENED + 2.9)


def test_a_board_that_says_hello_and_nothing_more_is_lost() -> None:
    link, wire = opened()
    after(link, wire, HELLO)
    after(link, wire, HELLO, at=OPENED + 1)
    with pytest.raises(LinkLost, match="fallen silent"):
        after(link, wire, HELLO, at=OPENED + 1.5)


def test_a_line_that_is_only_repeated_is_no_sign_of_life() -> None:
    link, wire = joined()
    line = wire.line(State(0, 0))
    wire.inbox = line
    link.poll(OPENED)
    wire.inbox = line
    with pytest.raises(LinkLost, match="fallen silent"):
        link.poll(OPENED + 1.5)


def test_a_program_that_was_held_up_reads_what_has_arrived_before_it_complains() -> None:
    link, wire = opened()
    assert after(link, wire, HELLO, State(1, 0), at=OPENED + 60)[0] == Closed(1, OPENED + 60)
    assert after(link, wire, State(2, 0), at=OPENED + 120) == (Closed(2, OPENED + 120),)


def test_an_unplugged_board_is_lost_whatever_the_link_does() -> None:
    for act in (
        lambda link: link.poll(OPENED),
        lambda link: link.show(display(GO), OPENED),
        lambda link: link.ask_lines(OPENED),
    ):
        link, wire = joined()
        wire.unplugged = True
        with pytest.raises(LinkLost, match="the cable is out"):
            act(link)
        link.close()
        assert wire.closed


def test_a_port_that_breaks_at_the_first_word_is_closed() -> None:
    wire = Wire(unplugged=True)
    with pytest.raises(LinkLost, match="the cable is out"):
        PicoLink("/dev/ttyACM0", WIRING, OPENED, lambda _: wire)
    assert wire.closed


# ------------------------------------------------------------------------------------------ speaking


def test_polled_at_its_deadlines_the_link_asks_every_second_and_never_waits_in_place() -> None:
    link, wire = joined()
    now, said = OPENED, list[tuple[float, Message]]()
    while now < OPENED + 10:
        before, now = now, max(now, link.deadline)
        after(link, wire, State(0, 0), at=now)
        said += [(now, message) for message in wire.heard()]
        assert link.deadline > now >= before
    asked = [at for at, message in said if message == AskState()]
    lit = [at for at, message in said if message == Light(0)]
    assert len(asked) in (10, 11)
    assert len(lit) in (10, 11)
    assert all(1 <= later - earlier < 1.1 for earlier, later in pairwise(asked))


def test_lamps_are_told_when_they_change_and_every_second() -> None:
    link, wire = joined()
    link.show(display(GO), OPENED + 0.1)
    assert wire.heard() == [Light(1)]
    link.show(display(GO), OPENED + 0.2)
    assert wire.heard() == []
    after(link, wire, State(0, 0), at=OPENED + 0.9)
    link.show(display(GO), OPENED + 1.15)
    assert wire.heard() == [AskState(), Light(1)]
    after(link, wire, State(0, 0), at=OPENED + 2.0)
    wire.heard()
    link.poll(OPENED + 2.2)
    assert wire.heard() == [AskState(), Light(1)]


def test_only_lamps_that_are_on_the_pico_are_lit() -> None:
    link, wire = joined()
    link.show(display(*Button), OPENED)
    assert wire.heard() == [Light(0b1001)]
    none, silent_wire = joined(Wiring(READER, BUTTONS))
    none.show(display(*Button), OPENED + 0.5)
    after(none, silent_wire, State(0, 0), at=OPENED + 1.2)
    assert silent_wire.heard() == [AskState()]


def test_what_is_shown_before_the_hello_is_lit_after_it() -> None:
    link, wire = opened()
    link.show(display(HINT), OPENED)
    assert wire.heard() == [AskHello()]
    after(link, wire, HELLO)
    assert wire.heard() == [AskState(), Light(8)]


def test_a_port_that_takes_a_part_gets_the_rest_later_and_then_only_what_holds_then() -> None:
    link, wire = joined()
    wire.room = 5
    for tenth in range(1, 15):
        link.show(display(GO) if tenth % 2 else display(), OPENED + tenth / 10)
        after(link, wire, State(0, 0), at=OPENED + tenth / 10)
        assert OPENED + tenth / 10 < link.deadline
    assert len(wire.outbox) == 5
    wire.room = 20
    link.show(display(HINT), OPENED + 1.45)
    wire.room = 1000
    link.poll(OPENED + 1.46)
    link.poll(OPENED + 1.5)
    assert wire.heard() == [Light(1), AskState(), Light(8)]


def test_a_full_port_is_tried_again_a_little_later() -> None:
    link, wire = joined()
    wire.room = 0
    link.show(display(GO), OPENED)
    assert link.deadline <= OPENED + 0.05
    wire.room = 100
    link.poll(OPENED + 0.04)
    assert wire.heard() == []
    link.poll(OPENED + 0.05)
    assert wire.heard() == [Light(1)]


# -------------------------------------------------------------------------------------- for a doctor


def test_the_line_test_is_collected_by_line() -> None:
    link, wire = joined()
    link.ask_lines(OPENED)
    assert wire.heard() == [AskLines()]
    tests = [LineTest(line, 1 << line, high=line == 3) for line in range(16)]
    after(link, wire, *tests[:9])
    assert len(link.lines) == 9
    after(link, wire, *tests[9:])
    assert list(link.lines.values()) == tests
    link.ask_lines(OPENED)
    assert link.lines == {}


def test_the_scan_test_is_collected_by_row() -> None:
    link, wire = joined()
    link.ask_scan(OPENED)
    assert wire.heard() == [AskScan()]
    tests = [ScanTest(row, 1 << row, row) for row in range(8)]
    after(link, wire, *tests)
    assert link.rows == dict(enumerate(tests))
    link.ask_scan(OPENED)
    assert link.rows == {}


def test_the_counters_and_a_refusal_are_kept_until_asked_again() -> None:
    link, wire = joined()
    link.ask_counters(OPENED)
    assert wire.heard() == [AskCounters()]
    counters = Counters(5000, 900, 1, 0, 2)
    after(link, wire, counters, Refusal("GO_has_no_lamp"))
    assert (link.counters, link.refusal) == (counters, "GO has no lamp")
    link.ask_counters(OPENED)
    assert (link.counters, link.refusal) == (None, "")


def test_a_test_that_is_asked_for_before_the_hello_begins_after_it_and_once() -> None:
    link, wire = opened()
    link.ask_scan(OPENED)
    link.ask_scan(OPENED)
    assert wire.heard() == [AskHello()]
    after(link, wire, HELLO)
    assert wire.heard() == [AskState(), Light(0), AskScan()]


# -------------------------------------------------------------------------------------------- closing


def test_closing_turns_the_lamps_off_and_closing_again_does_nothing() -> None:
    link, wire = joined()
    link.show(display(GO), OPENED)
    wire.heard()
    link.close()
    assert wire.closed
    assert wire.heard() == [Light(0)]
    wire.closed = False
    link.close()
    assert not wire.closed


def test_closing_says_nothing_where_nothing_is_lit() -> None:
    link, wire = joined()
    link.close()
    assert wire.heard() == []
    assert not wire.discarded


def test_a_board_that_hangs_is_not_waited_for_when_it_is_closed() -> None:
    silent, wire = joined()
    silent.show(display(GO), OPENED)
    wire.heard()
    with pytest.raises(LinkLost):
        silent.poll(OPENED + 2)
    silent.close()
    assert (wire.discarded, wire.closed, wire.heard()) == (True, True, [])
    full, full_wire = joined()
    full_wire.room = 0
    full.show(display(GO), OPENED)
    full.close()
    assert (full_wire.discarded, full_wire.closed) == (True, True)


def test_a_closed_link_says_so() -> None:
    link, _ = joined()
    link.close()
    assert link.fileno() is None
    with pytest.raises(LinkLost, match="/dev/ttyACM0 was closed"):
        link.poll(OPENED)
    with pytest.raises(LinkLost, match="was closed"):
        link.show(display(), OPENED)


# -------------------------------------------------------------------------------------------- finding


def plugged(device: str, vid: int | None, pid: int | None, serial_number: str | None, product: str) -> ListPortInfo:
    port = ListPortInfo(device)
    port.vid, port.pid, port.serial_number, port.product = vid, pid, serial_number, product
    return port


MINE = plugged("/dev/ttyACM1", *USB_ID, SERIAL, "Board in FS mode")
YOURS = plugged("/dev/ttyACM0", *USB_ID, "0123", "Board in FS mode")
NAMELESS = plugged("/dev/ttyACM2", *USB_ID, None, "Board in FS mode")
PRINTER = plugged("/dev/ttyUSB0", 0x1A86, 0x7523, None, "USB\x1b Serial")
UNKNOWN = plugged("/dev/ttyUSB1", 0x1A86, 0x7523, None, "")
BUILT_IN = plugged("/dev/ttyS0", None, None, None, "")


def test_the_only_pico_is_found_among_other_ports() -> None:
    assert find(ports=lambda: [BUILT_IN, PRINTER, MINE]) == "/dev/ttyACM1"
    assert find(ports=lambda: [NAMELESS]) == "/dev/ttyACM2"


def test_a_pico_is_found_by_its_number_however_that_is_written() -> None:
    assert find(SERIAL.upper(), lambda: [YOURS, MINE]) == "/dev/ttyACM1"
    assert find("0123", lambda: [YOURS, MINE, NAMELESS]) == "/dev/ttyACM0"


def test_a_pico_with_two_ports_talks_on_the_first() -> None:
    second = plugged("/dev/ttyACM5", *USB_ID, SERIAL, "Board in FS mode")
    assert find(ports=lambda: [second, MINE]) == "/dev/ttyACM1"


@pytest.mark.parametrize(
    ("number", "ports", "sentence"),
    [
        ("", [], "No Pico is plugged in."),
        ("", [BUILT_IN], "No Pico is plugged in."),
        (SERIAL, [BUILT_IN], "No Pico is plugged in."),
        (
            "",
            [PRINTER, UNKNOWN],
            "No Pico is plugged in; on the USB there is USB? Serial at /dev/ttyUSB0, something at /dev/ttyUSB1.",
        ),
        (SERIAL, [YOURS], f"The Pico {SERIAL} is not plugged in; there is 0123 at /dev/ttyACM0."),
        (
            "",
            [MINE, YOURS, NAMELESS],
            (
                f"3 Picos are plugged in, 0123 at /dev/ttyACM0, {SERIAL} at /dev/ttyACM1, "
                "one without a number at /dev/ttyACM2; scan.serial in the profile has to say which is the board's."
            ),
        ),
    ],
)
def test_a_pico_that_is_not_found_is_told_with_what_there_is(
    number: str, ports: list[ListPortInfo], sentence: str
) -> None:
    with pytest.raises(LinkLost) as caught:
        find(number, lambda: ports)
    assert str(caught.value) == sentence


def test_a_device_that_leaves_while_it_is_looked_for_is_no_crash() -> None:
    def leaving() -> list[ListPortInfo]:
        return [plugged("/dev/ttyACM0", int(None, 16), None, None, "")]  # type: ignore[arg-type]  # as pyserial does

    with pytest.raises(LinkLost, match="cannot be listed just now"):
        find(ports=leaving)


def test_the_ports_of_this_computer_can_be_looked_through() -> None:
    try:
        assert find("no such number") == ""
    except LinkLost as lost:
        assert "plugged in" in str(lost)  # noqa: PT017  # whatever is plugged in where the test runs


# -------------------------------------------------------------------------------------- a real port


class Board:
    """The board's end of a terminal; closing it is pulling the plug."""

    def __init__(self, file: int) -> None:
        self._file: int | None = file

    def fileno(self) -> int:
        assert self._file is not None
        return self._file

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
        self._file = None


@contextmanager
def terminal() -> Iterator[tuple[Board, str]]:
    """A pty: the board's end, and the path of the program's end."""
    board, program = pty.openpty()
    tty.setraw(program)
    os.set_blocking(board, False)
    end = Board(board)
    try:
        yield end, os.ttyname(program)
    finally:
        os.close(program)
        end.close()


def wait_for(file: Board | int | None) -> None:
    assert file is not None
    assert select.select([file], [], [], 10)[0], "nothing has arrived for 10 s"


def test_a_whole_conversation_on_a_real_terminal() -> None:
    with terminal() as (board, path):
        link = PicoLink(path, WIRING, OPENED)
        wait_for(board)
        assert os.read(board.fileno(), 100).startswith(b"\r\nh 0*")
        os.write(board.fileno(), encode(HELLO, 0) + encode(State(1 << 63, 4), 1, HELLO.shape))
        wait_for(link.fileno())
        assert link.poll(OPENED + 0.1) == (Closed(1 << 63, OPENED + 0.1), Down(frozenset({BACK}), OPENED + 0.1))
        assert link.deadline == OPENED + 1.1
        assert link.poll(OPENED + 0.2) == ()
        link.close()


def test_pulling_the_plug_is_one_sentence_whoever_notices() -> None:
    for act in (
        lambda link: link.poll(OPENED),
        lambda link: link.ask_lines(OPENED),
        lambda link: [link.poll(OPENED + at / 10) for at in range(10)],
    ):
        with terminal() as (board, path):
            link = PicoLink(path, WIRING, OPENED)
            os.write(board.fileno(), encode(HELLO, 0))
            wait_for(link.fileno())
            link.poll(OPENED)
            board.close()
            with pytest.raises(LinkLost, match=f"{path} broke off: the board was unplugged"):
                act(link)
            link.close()


def test_a_port_is_opened_for_one_program_only() -> None:
    with terminal() as (_, path):
        first = SerialPort(path)
        with pytest.raises(LinkLost) as caught:
            SerialPort(path)
        assert str(caught.value) == f"Another program uses {path}."
        first.close()
        first.close()
        SerialPort(path).close()


def test_a_full_port_takes_what_it_can_and_lets_its_writer_go() -> None:
    with terminal() as (_, path):
        port = SerialPort(path)
        taken = [port.write(b"x" * 1000) for _ in range(200)]
        assert taken[0] == 1000
        assert taken[-1] == 0
        port.discard()
        assert port.write(b"x" * 1000) > 0
        assert port.read() == b""
        port.close()


def test_a_port_whose_device_is_gone_says_so_in_everything() -> None:
    with terminal() as (board, path):
        port = SerialPort(path)
        board.close()
        for act in (port.read, port.discard, lambda: port.write(b"x")):
            with pytest.raises(LinkLost, match="broke off"):
                act()
        port.close()


def test_what_is_no_port_is_told_apart(tmp_path: Path) -> None:
    plain = tmp_path / "file"
    plain.touch()
    for path, sentence in (
        (str(tmp_path / "ttyACM7"), r"There is no .*/ttyACM7; is the board plugged in\?"),
        (str(plain), r"file cannot be opened as a serial port: .*Inappropriate ioctl"),
        (str(tmp_path), r"cannot be opened as a serial port: .*Is a directory"),
        ("none://x", r"none://x cannot be opened as a serial port: .*'none'"),
        ("bad\0path", r"cannot be opened as a serial port: .*null byte"),
    ):
        with pytest.raises(LinkLost, match=sentence):
            SerialPort(path)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            serial.SerialException(errno.EACCES, "could not open port"),
            "This user may not use /dev/ttyACM0; whoever is ",
        ),
        (serial.SerialException(errno.EBUSY, "could not open port"), "Another program uses /dev/ttyACM0."),
        (serial.SerialException(errno.EAGAIN, "could not lock port"), "Another program uses /dev/ttyACM0."),
        (serial.SerialException(errno.ENXIO, "could not open port"), "The device at /dev/ttyACM0 has left."),
        (OSError(errno.EIO, "Input/output error"), "The device at /dev/ttyACM0 has left."),
        (ValueError(), "/dev/ttyACM0 cannot be opened as a serial port: ."),
        (ValueError("{odd}"), "/dev/ttyACM0 cannot be opened as a serial port: {odd}."),
    ],
)
def test_why_a_port_was_not_opened_is_one_sentence(error: Exception, sentence: str) -> None:
    assert _not_opened("/dev/ttyACM0", error).startswith(sentence)


def test_a_url_of_pyserial_is_a_port_too() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = SerialPort(f"socket://127.0.0.1:{server.getsockname()[1]}")
        board, _ = server.accept()
        with board:
            assert port.write(b"h") == 1
            assert board.recv(10) == b"h"
            board.send(b"H")
            wait_for(port.fileno())
            assert port.read() == b"H"
        wait_for(port.fileno())
        with pytest.raises(LinkLost, match="broke off"):
            port.read()
        port.close()


def test_a_url_without_a_file_is_looked_at_in_short_turns() -> None:
    link = PicoLink("loop://", WIRING, OPENED)
    assert link.fileno() is None
    assert link.deadline <= OPENED + 0.02
    assert link.poll(OPENED) == ()
    with pytest.raises(LinkLost, match="no board of ours"):
        link.poll(OPENED + 1.5)
    link.close()
