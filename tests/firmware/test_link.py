"""The firmware's end of the link, in this Python: it never waits long for a program, whatever that does."""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

MakeLink = Callable[[], tuple["Host", SimpleNamespace]]


class Host:
    """The other end: it has room for some bytes, takes its time, and says things."""

    def __init__(self) -> None:
        self.now_ms = 1_000_000
        self.room = 10_000
        self.taken = b""
        self.says: deque[int] = deque()
        self.keeps_ms = 0
        self.admits = True

    def write(self, buffer: bytes, length: int | None = None) -> int | None:
        """Take what there is room for, as a stream that doesn't block; None if nothing. USB admits no loss."""
        self.now_ms += self.keeps_ms
        part = bytes(buffer[:length][: self.room])
        self.taken += part
        self.room -= len(part)
        if not self.admits:
            return len(buffer[:length])
        return len(part) or None

    def readinto(self, buffer: bytearray) -> int:
        """Give a byte, or none once everything was said."""
        if not self.says:
            return 0
        buffer[0] = self.says.popleft()
        return 1

    def ask(self, text: str) -> None:
        """Say a line."""
        self.says.extend(f"{text}*{zlib.crc32(text.encode()):08x}\n".encode())

    @property
    def lines(self) -> list[str]:
        """The lines it took, without their checks; one that is broken ends in a question mark."""
        lines = [line for line in self.taken.decode().splitlines() if line]
        return [text if check == f"{zlib.crc32(text.encode()):08x}" else f"{text}?" for text, _, check in parts(lines)]


def parts(lines: list[str]) -> list[tuple[str, str, str]]:
    return [line.partition("*") for line in lines]


def say(link: SimpleNamespace, number: int) -> None:
    link.writer.begin(ord("L"))
    link.writer.number(number)
    link.send()


@pytest.fixture
def make_link(firmware: SimpleNamespace) -> MakeLink:
    def made() -> tuple[Host, SimpleNamespace]:
        host = Host()
        return host, firmware.link.Link(host, host, lambda: bool(host.says), lambda: host.now_ms)

    return made


def test_lines_are_written_as_they_come(make_link: MakeLink) -> None:
    host, link = make_link()
    say(link, 7)
    say(link, 8)
    assert host.lines == ["L 0 7", "L 1 8"]
    assert link.lost == 0


def test_a_line_for_which_there_is_no_room_is_lost_and_counted(make_link: MakeLink) -> None:
    host, link = make_link()
    host.room = 0
    say(link, 7)
    host.room = 100
    say(link, 8)
    assert host.lines == ["L 1 8"]
    assert link.lost == 1


def test_after_a_line_that_was_cut_off_the_next_is_whole(make_link: MakeLink) -> None:
    host, link = make_link()
    host.room = 9
    say(link, 7)
    say(link, 8)
    host.room = 100
    say(link, 9)
    assert host.lines == ["L 0 7?", "L 2 9"]
    assert link.lost == 2


def test_a_write_that_took_long_is_the_last_for_ten_seconds(make_link: MakeLink) -> None:
    host, link = make_link()
    host.keeps_ms = 500
    say(link, 0)
    host.keeps_ms = 0
    for number in range(1, 11):
        say(link, number)
        host.now_ms += 1_000
    say(link, 11)
    assert host.lines == ["L 0 0", "L 11 11"]
    assert link.lost == 10


def test_a_program_that_speaks_is_spoken_to_again(make_link: MakeLink) -> None:
    host, link = make_link()
    host.keeps_ms = 400
    say(link, 0)
    host.keeps_ms = 0
    say(link, 1)
    host.ask("s 1")
    assert link.hear() == ord("s")
    say(link, 2)
    assert host.lines == ["L 0 0", "L 2 2"]


def test_a_line_that_usb_cut_off_and_took_for_written_does_not_spoil_the_next(make_link: MakeLink) -> None:
    host, link = make_link()
    host.admits = False
    host.room = 9
    host.keeps_ms = 500
    say(link, 0)
    host.room = 100
    host.keeps_ms = 0
    host.now_ms += 10_000
    say(link, 1)
    say(link, 2)
    assert host.lines == ["L 0 0?", "L 1 1", "L 2 2"]


def test_a_write_that_took_a_moment_changes_nothing(make_link: MakeLink) -> None:
    host, link = make_link()
    host.keeps_ms = 399
    say(link, 0)
    say(link, 1)
    assert host.lines == ["L 0 0", "L 1 1"]


def test_the_clock_may_start_anew_while_nobody_reads(make_link: MakeLink) -> None:
    host, link = make_link()
    host.now_ms = (1 << 30) - 500
    host.keeps_ms = 400
    say(link, 0)
    host.keeps_ms = 0
    host.now_ms = 5_000
    say(link, 1)
    host.now_ms = 9_901
    say(link, 2)
    assert host.lines == ["L 0 0", "L 2 2"]


def test_a_pass_hears_one_line_and_notes_when(make_link: MakeLink) -> None:
    host, link = make_link()
    host.ask("s 1")
    host.ask("n 2")
    host.now_ms += 5
    assert link.hear() == ord("s")
    assert link.heard_ms == host.now_ms
    assert link.hear() == ord("n")
    assert link.hear() == 0


def test_nonsense_is_no_sign_of_life(make_link: MakeLink) -> None:
    host, link = make_link()
    before = link.heard_ms
    host.now_ms += 5
    host.says.extend(b"AT\r\n")
    assert link.hear() == 0
    assert link.heard_ms == before
    assert link.reader.bad == 1


def test_a_flood_is_heard_in_small_parts(make_link: MakeLink) -> None:
    host, link = make_link()
    host.says.extend(b"\xff" * 1000)
    assert link.hear() == 0
    assert len(host.says) == 1000 - 16


def test_the_end_of_the_input_is_nothing(firmware: SimpleNamespace) -> None:
    host = Host()
    link = firmware.link.Link(host, host, lambda: True, lambda: host.now_ms)
    assert link.hear() == 0


@given(data=st.data())
def test_questions_arrive_whole_in_any_pieces(firmware: SimpleNamespace, data: st.DataObject) -> None:
    host = Host()
    link = firmware.link.Link(host, host, lambda: bool(host.says), lambda: host.now_ms)
    asked = data.draw(st.lists(st.sampled_from("hslrn"), max_size=5))
    stream = b"".join(
        f"{kind} {at}*{zlib.crc32(f'{kind} {at}'.encode()):08x}\n".encode() for at, kind in enumerate(asked)
    )
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    heard: list[str] = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        host.says.extend(stream[start:end])
        while host.says:
            heard.append(chr(link.hear()))
    assert [kind for kind in heard if kind != "\0"] == asked
    assert link.reader.bad == 0
