"""The codec against the lines that both sides of the wire share, and against every kind of broken stream."""

from __future__ import annotations

import re
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reedlight.wire.codec import LONGEST, SEQUENCES, Decoder, Received, Speaker, encode
from reedlight.wire.message import (
    FIRMWARE,
    PROTOCOL,
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

ROOT = Path(__file__).parent.parent.parent
VECTORS = ROOT / "tests" / "vectors" / "wire.txt"
LETTERS = {
    Hello: "H",
    OtherHello: "H",
    State: "S",
    LineTest: "L",
    ScanTest: "R",
    Counters: "N",
    Refusal: "E",
    AskHello: "h",
    AskState: "s",
    Light: "b",
    AskLines: "l",
    AskScan: "r",
    AskCounters: "n",
}

# ------------------------------------------------------------------------------- the shared vectors


class Case(NamedTuple):
    """One line of the vectors."""

    kind: str
    shape: Shape | None
    wire: bytes
    reading: str
    refused: int


def cases() -> list[Case]:
    return [case(line) for line in VECTORS.read_text().splitlines() if line and not line.startswith("#")]


def case(line: str) -> Case:
    kind, matrix, escaped, reading, *refused = line.split("\t")
    rows, _, columns = matrix.partition("x")
    shape = Shape(int(rows), int(columns)) if columns else None
    return Case(kind, shape, plain(escaped), reading, int(refused[0]) if refused else 0)


def plain(escaped: str) -> bytes:
    signs = {"n": b"\n", "r": b"\r", "t": b"\t", "\\": b"\\"}
    parts = re.split(r"\\(x[0-9a-f]{2}|.)", escaped)
    decoded = [signs[part] if part in signs else bytes.fromhex(part[1:]) for part in parts[1::2]]
    return b"".join(part.encode() + sign for part, sign in zip(parts[::2], [*decoded, b""], strict=True))


def told(received: Received) -> str:
    """A message as the vectors write it."""
    values = [f" {name}={value:d}" if isinstance(value, int) else f" {name}={value}" for name, value in pairs(received)]
    return f"{LETTERS[type(received.message)]} {received.sequence}{''.join(values)}"


def pairs(received: Received) -> list[tuple[str, object]]:
    return list(asdict(received.message).items())


def speaker(case: Case) -> Speaker:
    return Speaker.PROGRAM if case.kind.startswith("program") else Speaker.BOARD


def test_the_vectors_have_cases_of_every_kind() -> None:
    kinds = [case.kind for case in cases()]
    assert {kind: kinds.count(kind) >= 5 for kind in kinds} == dict.fromkeys(
        ("board", "program", "bad", "misfit", "program-stream", "board-stream"), True
    )


@pytest.mark.parametrize("case", [case for case in cases() if case.kind in ("board", "program")], ids=str)
def test_a_right_line_is_read_as_the_vectors_say(case: Case) -> None:
    decoder = Decoder(speaker(case), case.shape)
    assert [told(received) for received in decoder.feed(case.wire + b"\n")] == [case.reading]
    assert decoder.bad == 0


@pytest.mark.parametrize("case", [case for case in cases() if case.kind in ("board", "program")], ids=str)
def test_a_message_is_written_as_the_vectors_say(case: Case) -> None:
    (received,) = Decoder(speaker(case), case.shape).feed(case.wire + b"\n")
    line = encode(received.message, received.sequence, case.shape)
    if isinstance(received.message, OtherHello):
        assert line.startswith(b"H %d %d*" % (received.sequence, received.message.protocol))
    else:
        assert line == case.wire.removesuffix(b"\r") + b"\n"


@pytest.mark.parametrize("case", [case for case in cases() if case.kind in ("bad", "misfit")], ids=str)
def test_a_wrong_line_is_refused_and_counted(case: Case) -> None:
    for reader in Speaker:
        decoder = Decoder(reader, case.shape)
        assert decoder.feed(case.wire + b"\n") == []
        assert decoder.bad == 1


@pytest.mark.parametrize("case", [case for case in cases() if case.kind.endswith("stream")], ids=str)
def test_a_stream_is_read_as_the_vectors_say_whole_and_byte_by_byte(case: Case) -> None:
    for size in (1, 7, len(case.wire)):
        decoder = Decoder(speaker(case), case.shape)
        received = [one for at in range(0, len(case.wire), size) for one in decoder.feed(case.wire[at : at + size])]
        assert (" ; ".join(map(told, received)), decoder.bad) == (case.reading, case.refused)


def test_the_program_is_released_with_the_firmware_beside_it() -> None:
    firmware = (ROOT / "firmware" / "version.py").read_text()
    assert f'VERSION = "{FIRMWARE}"' in firmware
    assert f"PROTOCOL = {PROTOCOL}\n" in firmware


# ------------------------------------------------------------------------------------------- shapes


def test_before_a_hello_a_mask_may_have_any_width_and_after_it_only_the_right_one() -> None:
    wide, narrow = encode(State(1, 0), 1, Shape(10, 10)), encode(State(1, 0), 2, Shape(8, 8))
    hello = encode(Hello(1, "0.1.0", 8, 8, "e6", 0), 3)
    decoder = Decoder(Speaker.BOARD)
    heard = [one.sequence for one in decoder.feed(wide + narrow + hello + wide + narrow)]
    assert (heard, decoder.bad) == ([1, 2, 3, 2], 1)


def test_a_new_hello_brings_a_new_width() -> None:
    decoder = Decoder(Speaker.BOARD, Shape(8, 8))
    line = encode(State(1, 0), 1, Shape(3, 3))
    assert decoder.feed(line) == []
    assert decoder.feed(encode(Hello(1, "0.1.0", 3, 3, "e6", 0), 2) + line)[-1] == Received(1, State(1, 0))


@pytest.mark.parametrize(
    ("message", "sequence"),
    [
        (Refusal("two words"), 0),
        (Refusal(""), 0),
        (Refusal("a*b"), 0),
        (Refusal("é"), 0),
        (Refusal("x" * LONGEST), 0),
        (State(-1, 0), 0),
        (State(1 << 64, 0), 0),
        (State(0, 16), 0),
        (LineTest(16, 0, high=False), 0),
        (ScanTest(8, 0, 0), 0),
        (Counters(1 << 30, 0, 0, 0, 0), 0),
        (Hello(1, "", 8, 8, "e6", 0), 0),
        (Hello(1, "0.1.0", 8, 8, "E6", 0), 0),
        (Hello(1, "0.1.0", 401, 1, "e6", 0), 0),
        (Hello(1, "0.1.0", 0, 8, "e6", 0), 0),
        (OtherHello(1), 0),
        (Light(-1), 0),
        (AskHello(), SEQUENCES),
        (AskHello(), -1),
    ],
    ids=str,
)
def test_what_nobody_would_believe_is_not_written(message: Message, sequence: int) -> None:
    with pytest.raises(ValueError, match=re.escape(f"{message} with the number {sequence}")):
        encode(message, sequence, Shape(8, 8))


# ------------------------------------------------------------------------------------ broken streams

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no failure

SHAPES = st.tuples(st.integers(1, 20), st.integers(1, 20)).map(lambda pair: Shape(*pair))
WORDS = st.from_regex(r"[!-)+-~]{1,40}", fullmatch=True)
SERIALS = st.from_regex(r"[0-9a-f]{1,16}", fullmatch=True)
COUNTS = st.integers(0, (1 << 30) - 1)
BUTTONS = st.integers(0, 15)


def from_board(shape: Shape) -> st.SearchStrategy[Message]:
    columns = st.integers(0, (1 << shape.columns) - 1)
    return st.one_of(
        st.builds(State, st.integers(0, (1 << shape.switches) - 1), BUTTONS),
        st.builds(Hello, st.just(1), WORDS, st.just(shape.rows), st.just(shape.columns), SERIALS, BUTTONS),
        st.builds(OtherHello, st.integers(2, 99)),
        st.builds(LineTest, st.integers(0, shape.lines - 1), st.integers(0, (1 << shape.lines) - 1), st.booleans()),
        st.builds(ScanTest, st.integers(0, shape.rows - 1), columns, columns),
        st.builds(Counters, COUNTS, COUNTS, COUNTS, COUNTS, COUNTS),
        st.builds(Refusal, WORDS),
    )


FROM_PROGRAM: st.SearchStrategy[Message] = st.one_of(
    st.sampled_from([AskHello(), AskState(), AskLines(), AskScan(), AskCounters()]), st.builds(Light, BUTTONS)
)


class Talk(NamedTuple):
    """What one side says, and how the bytes arrive."""

    speaker: Speaker
    shape: Shape
    said: list[Received]
    lines: list[bytes]

    def decode(self, pieces: list[bytes]) -> tuple[list[Received], int]:
        decoder = Decoder(self.speaker, self.shape)
        return [one for piece in pieces for one in decoder.feed(piece)], decoder.bad


@st.composite
def talks(draw: st.DrawFn) -> Talk:
    shape, speaker = draw(SHAPES), draw(st.sampled_from(Speaker))
    messages = draw(st.lists(from_board(shape) if speaker is Speaker.BOARD else FROM_PROGRAM, min_size=1, max_size=12))
    first = draw(st.integers(0, SEQUENCES - 1))
    said = [Received((first + at) % SEQUENCES, message) for at, message in enumerate(messages)]
    return Talk(speaker, shape, said, [encode(one.message, one.sequence, shape) for one in said])


def cut(stream: bytes, places: list[int]) -> list[bytes]:
    bounds = [0, *sorted(place % (len(stream) + 1) for place in places), len(stream)]
    return [stream[start:end] for start, end in pairwise(bounds)]


@UNHURRIED
@given(talks(), st.lists(st.integers(0, 1 << 20), max_size=20))
def test_however_a_stream_is_cut_every_message_comes_out(talk: Talk, places: list[int]) -> None:
    assert talk.decode(cut(b"".join(talk.lines), places)) == (talk.said, 0)


def flip(stream: bytes, at: int, bit: int) -> bytes:
    return stream[:at] + bytes((stream[at] ^ 1 << bit,)) + stream[at + 1 :]


def drop(stream: bytes, at: int, _: int) -> bytes:
    return stream[:at] + stream[at + 1 :]


def double(stream: bytes, at: int, _: int) -> bytes:
    return stream[: at + 1] + stream[at:]


def stray_line_feed(stream: bytes, at: int, _: int) -> bytes:
    return stream[:at] + b"\n" + stream[at:]


def stray_return(stream: bytes, at: int, _: int) -> bytes:
    return stream[:at] + b"\r" + stream[at:]


@pytest.mark.parametrize("harm", [flip, drop, double, stray_line_feed, stray_return])
@UNHURRIED
@given(talk=talks(), place=st.integers(0, 1 << 20), bit=st.integers(0, 7))
def test_one_broken_byte_costs_two_lines_at_most_and_invents_none(harm, talk: Talk, place: int, bit: int) -> None:  # noqa: ANN001
    stream = b"".join(talk.lines)
    heard, bad = talk.decode([harm(stream, place % len(stream), bit)])
    rest = iter(talk.said)
    assert all(one in rest for one in heard)
    assert len(heard) >= len(talk.said) - 2
    assert bad <= 2


@UNHURRIED
@given(st.lists(st.binary(max_size=300), max_size=20))
def test_noise_says_nothing(noise: list[bytes]) -> None:
    decoder = Decoder(Speaker.BOARD)
    assert [one for piece in noise for one in decoder.feed(piece)] == []


@UNHURRIED
@given(talks(), st.binary(max_size=300))
def test_after_any_noise_the_next_whole_line_is_read(talk: Talk, noise: bytes) -> None:
    heard, _ = talk.decode([noise + b"\n" + b"".join(talk.lines)])
    assert heard == talk.said


def test_endless_noise_takes_no_room_and_is_one_bad_line() -> None:
    decoder = Decoder(Speaker.BOARD)
    for _ in range(1000):
        assert decoder.feed(b"x" * 10_000) == []
        assert len(decoder._begun) <= LONGEST + 1
    assert decoder.bad == 0
    assert decoder.feed(b"\n" + encode(AskHello(), 0)) == []
    assert decoder.bad == 2
    assert decoder.feed(encode(State(5, 1), 9)) == [Received(9, State(5, 1))]
