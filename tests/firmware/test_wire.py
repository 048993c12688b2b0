"""The firmware's codec, in this Python: against the shared vectors, its own page, and every kind of broken line."""

from __future__ import annotations

import re
import zlib
from array import array
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reedlight.wire.codec import Decoder, Speaker

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "firmware" / "PROTOCOL.md"
VECTORS = ROOT / "tests" / "vectors" / "wire.txt"


class Case(NamedTuple):
    """One line of the shared vectors."""

    kind: str
    matrix: str
    wire: bytes
    reading: str
    refused: int


def cases(*kinds: str) -> list[Case]:
    found = [case(line) for line in VECTORS.read_text().splitlines() if line and not line.startswith("#")]
    return [one for one in found if one.kind in kinds]


def case(line: str) -> Case:
    kind, matrix, escaped, reading, *refused = line.split("\t")
    wire = escaped.encode().decode("unicode_escape").encode("latin-1")
    return Case(kind, matrix, wire, reading, int(refused[0]) if refused else 0)


def name(case: Case) -> str:
    return f"{case.kind} {case.wire[:30]!r}"


def heard(firmware: SimpleNamespace, stream: bytes) -> tuple[list[str], int]:
    """What a reader makes of a stream: types, with the field of ``b``; and how many lines it refused."""
    reader = firmware.wire.Reader(firmware.wire.Check())
    kinds = ((kind, reader.lit) for byte in stream if (kind := reader.feed(byte)))
    lines = [f"b lit={lit}" if kind == firmware.wire.LIGHT else chr(kind) for kind, lit in kinds]
    return lines, reader.bad


def without_number(reading: str) -> str:
    kind, _, *fields = reading.split(" ")
    return " ".join((kind, *fields))


def signed(text: str) -> bytes:
    return f"{text}*{zlib.crc32(text.encode()):08x}\n".encode()


# ------------------------------------------------------------------------------------------ vectors


@pytest.mark.parametrize("case", cases("program"), ids=name)
def test_what_a_program_asks_is_read(firmware: SimpleNamespace, case: Case) -> None:
    assert heard(firmware, case.wire + b"\n") == ([without_number(case.reading)], 0)


@pytest.mark.parametrize("case", cases("bad", "misfit", "board"), ids=name)
def test_everything_else_is_refused_and_counted(firmware: SimpleNamespace, case: Case) -> None:
    assert heard(firmware, case.wire + b"\n") == ([], 1)


@pytest.mark.parametrize("case", cases("program-stream"), ids=name)
def test_a_broken_stream_is_read_as_far_as_it_is_whole(firmware: SimpleNamespace, case: Case) -> None:
    lines = [without_number(reading) for reading in case.reading.split(" ; ")]
    assert heard(firmware, case.wire) == (lines, case.refused)


@pytest.mark.parametrize(
    "case", [one for one in cases("board") if "protocol=1 " in one.reading or one.wire[:1] != b"H"], ids=name
)
def test_what_a_board_says_is_written_as_the_vectors_have_it(firmware: SimpleNamespace, case: Case) -> None:
    kind, number, *fields = case.reading.split(" ")
    rows, columns = map(int, case.matrix.split("x"))
    widths = {"closed": (rows, columns), "low": (1, rows + columns), "forward": (1, columns), "reverse": (1, columns)}
    widths |= {"down": (1, 4), "buttons": (1, 4)}
    writer = firmware.wire.Writer(firmware.wire.Check())
    writer._sequence = int(number)
    writer.begin(ord(kind))
    for field in fields:
        key, _, value = field.partition("=")
        if key in widths:
            count, width = widths[key]
            parts = [int(value) >> row * width & (1 << width) - 1 for row in range(count)]
            writer.mask(array("I", parts), width)
        elif key in ("version", "serial", "text"):
            writer.text(value.encode())
        else:
            writer.number(int(value))
    writer.finish()
    assert bytes(writer.buffer[: writer.length]) == case.wire.rstrip(b"\r") + b"\n"


# ---------------------------------------------------------------------------------------- the page


def traffic(sign: str) -> list[str]:
    return re.findall(rf"^{sign} (\S.*?\*[0-9a-f]+)(?:  |$)", PAGE.read_text(), re.MULTILINE)


def test_the_page_shows_lines_of_every_kind_that_matters() -> None:
    assert {line[0] for line in traffic("<")} >= set("HSLR")
    assert {line[0] for line in traffic(">")} >= set("hslr")


def test_every_line_that_the_page_lets_the_program_say_is_read(firmware: SimpleNamespace) -> None:
    lines = traffic(">")
    assert heard(firmware, "\n".join([*lines, ""]).encode()) == ([line[0] for line in lines], 0)


def test_every_line_that_the_page_lets_the_board_say_is_read() -> None:
    lines = traffic("<")
    decoder = Decoder(Speaker.BOARD)
    received = decoder.feed("\n".join([*lines, ""]).encode())
    assert [str(one.sequence) for one in received] == [line.split(" ")[1] for line in lines]
    assert decoder.bad == 0


def test_the_page_and_the_firmware_know_the_same_types(firmware: SimpleNamespace) -> None:
    wire = firmware.wire
    says = {wire.HELLO, wire.STATE, wire.LINE, wire.ROW, wire.COUNTERS, wire.ERROR}
    hears = {wire.ASK_HELLO, wire.ASK_STATE, wire.ASK_LINES, wire.ASK_ROWS, wire.ASK_COUNTERS, wire.LIGHT}
    rows = re.findall(r"^\| `(\w)` \|", PAGE.read_text(), re.MULTILINE)
    assert sorted(map(ord, rows)) == sorted(says | hears)


# ------------------------------------------------------------------------------------------- sums


@given(st.binary(max_size=200))
def test_the_check_is_the_one_of_zlib(firmware: SimpleNamespace, text: bytes) -> None:
    check = firmware.wire.Check()
    buffer = bytearray(text + b"*" + bytes(8))
    assert not check.stands(buffer, len(text))
    check.write(buffer, len(text))
    assert buffer == text + b"*%08x" % zlib.crc32(text)
    assert check.stands(buffer, len(text))


@given(st.integers(0, (1 << 30) - 1))
def test_a_number_is_written_in_decimal(firmware: SimpleNamespace, number: int) -> None:
    writer = firmware.wire.Writer(firmware.wire.Check())
    writer.begin(firmware.wire.COUNTERS)
    writer.number(number)
    assert bytes(writer.buffer[: writer.length]) == b"N 0 %d" % number


@given(st.data())
def test_a_mask_of_any_matrix_is_written_as_one_hexadecimal_number(
    firmware: SimpleNamespace, data: st.DataObject
) -> None:
    rows = data.draw(st.integers(1, 25), "rows")
    columns = data.draw(st.integers(1, 26 - rows), "columns")
    mask = data.draw(st.integers(0, (1 << rows * columns) - 1), "mask")
    parts = [mask >> row * columns & (1 << columns) - 1 for row in range(rows)]
    writer = firmware.wire.Writer(firmware.wire.Check())
    writer.begin(firmware.wire.STATE)
    writer.mask(array("I", parts), columns)
    digits = (rows * columns + 3) // 4
    assert bytes(writer.buffer[: writer.length]).decode() == f"S 0 {mask:0{digits}x}"


def test_lines_are_numbered_from_0_to_65535_and_over(firmware: SimpleNamespace) -> None:
    writer = firmware.wire.Writer(firmware.wire.Check())
    numbers: list[int] = []
    for _ in range(65538):
        writer.begin(firmware.wire.STATE)
        numbers.append(int(bytes(writer.buffer[2 : writer.length])))
    assert numbers[:2] == [0, 1]
    assert numbers[-3:] == [65535, 0, 1]


def test_the_count_of_refused_lines_starts_anew_where_a_small_integer_ends(firmware: SimpleNamespace) -> None:
    reader = firmware.wire.Reader(firmware.wire.Check())
    reader.bad = firmware.wire.COUNTER_MAX
    for byte in b"nonsense\n":
        reader.feed(byte)
    assert reader.bad == 0


# ------------------------------------------------------------------------------------- broken lines

questions = st.one_of(
    st.builds("{} {}".format, st.sampled_from("hslrn"), st.integers(0, 65535)),
    st.builds("b {} {:x}".format, st.integers(0, 65535), st.integers(0, 15)),
)


def flipped(stream: bytes, at: int, bit: int) -> bytes:
    return stream[:at] + bytes((stream[at] ^ 1 << bit,)) + stream[at + 1 :]


def dropped(stream: bytes, at: int, _: int) -> bytes:
    return stream[:at] + stream[at + 1 :]


def doubled(stream: bytes, at: int, _: int) -> bytes:
    return stream[:at] + stream[at : at + 1] + stream[at:]


def split(stream: bytes, at: int, _: int) -> bytes:
    return stream[:at] + b"\n" + stream[at:]


@pytest.mark.parametrize("mishap", [flipped, dropped, doubled, split])
@given(data=st.data())
def test_one_mishap_costs_at_most_two_lines_and_invents_none(
    firmware: SimpleNamespace, mishap: Callable[[bytes, int, int], bytes], data: st.DataObject
) -> None:
    texts = data.draw(st.lists(questions, min_size=1, max_size=6))
    stream = b"".join(map(signed, texts))
    at = data.draw(st.integers(0, len(stream) - 1), "at")
    bit = data.draw(st.integers(0, 7), "bit")
    sent, _ = heard(firmware, stream)
    arrived, _ = heard(firmware, mishap(stream, at, bit))
    assert len(sent) == len(texts)
    assert len(arrived) >= len(sent) - 2
    positions = iter(range(len(sent)))
    found = [next((at for at in positions if sent[at] == line), None) for line in arrived]
    assert None not in found
    assert all(one < two for one, two in pairwise(at for at in found if at is not None))
