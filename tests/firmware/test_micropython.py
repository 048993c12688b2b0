"""The firmware as MicroPython has it: it compiles for each chip, allocates nothing, and keeps to its dialect."""

from __future__ import annotations

import ast
import random
import subprocess
import sys
import zlib
from array import array
from pathlib import Path
from types import SimpleNamespace

import pytest
from pico_bench import FIRMWARE, MakeBench, RunScript

from reedlight.wire import message

FILES = sorted(FIRMWARE.glob("*.py"))
TYPINGS = FIRMWARE.parent / ".build" / "typings"
PICO, PICO_2, PICO_2_RISC = "armv6m", "armv7emsp", "rv32imc"
OURS = {file.stem for file in FILES}
THEIRS = {"array", "binascii", "gc", "micropython", "select", "sys", "time"}

BOARD = """
ROWS = (0, 1, 2, 3, 4, 5, 6, 7)
COLUMNS = (8, 9, 10, 11, 12, 13, 14, 15)
BUTTONS = (26, 27, None, 28)
LAMPS = (21, 22, None, None)
"""

WITHOUT_WAITING = """
import gc, main, sys, time
def no_wait(us):
    pass
firmware = main.Firmware(no_wait)
def say(*words):
    sys.stderr.write(" ".join(map(str, words)) + "\\n")
"""


def signed(text: str) -> str:
    return f"{text}*{zlib.crc32(text.encode()):08x}\n"


# ------------------------------------------------------------------------------------------ compiling


@pytest.mark.parametrize("chip", [PICO, PICO_2, PICO_2_RISC])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_file_compiles_for_every_chip(mpy_cross: str, tmp_path: Path, file: Path, chip: str) -> None:
    compiled = tmp_path / "compiled.mpy"
    command = [mpy_cross, f"-march={chip}", "-o", compiled, file]
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603  # on our own files
    assert done.returncode == 0, done.stderr.decode()
    assert compiled.stat().st_size > 0


@pytest.mark.skipif(
    not TYPINGS.is_dir(),
    reason="MicroPython's types are not there: make check installs them",
)
def test_every_name_and_pin_constant_exists_on_a_pico() -> None:
    pyright = Path(sys.executable).parent / "pyright"
    command = [pyright, "--project", FIRMWARE]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # on our own files
    assert done.returncode == 0, done.stdout


# -------------------------------------------------------------------------------------------- dialect


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_imports_what_a_pico_has_and_main_alone_its_pins(file: Path) -> None:
    tree = ast.parse(file.read_text())
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported - OURS - THEIRS == ({"machine"} if file.name == "main.py" else set[str]())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_uses_no_syntax_that_micropython_lacks(file: Path) -> None:
    strange = (ast.Match, ast.AsyncFunctionDef, ast.TryStar)
    assert not [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, strange)]


def test_program_and_firmware_of_one_release_know_each_other(run: RunScript) -> None:
    done = run("import version; print(version.VERSION, version.PROTOCOL)")
    assert done.stdout.decode().split() == [message.FIRMWARE, str(message.PROTOCOL)]


def test_the_promises_of_the_protocol_are_kept_by_the_numbers(run: RunScript, bench: MakeBench) -> None:
    done = run("import main as m; print(m.PERIOD_US, m.HEARTBEAT_MS, m.LAMPS_OFF_MS)", bench(8, 8), board=BOARD)
    period_us, heartbeat_ms, lamps_off_ms = map(int, done.stdout.split())
    assert period_us <= 2_000
    assert heartbeat_ms + period_us / 1_000 < 500
    assert lamps_off_ms == 5_000


# --------------------------------------------------------------------------------------- machine code


def test_machine_code_does_what_the_text_says(run: RunScript, firmware: SimpleNamespace) -> None:
    chance = random.Random(2040)
    rows = [chance.randrange(1 << 10) for _ in range(10)]
    buffer = chance.randbytes(100)
    levels = chance.randrange(1 << 30)
    upwards, downwards = bytes(range(30)), bytes(range(29, -1, -1))
    script = f"""
from array import array
import native, uctypes
buffer = bytearray(30)
print(native.put_digits(array("I", {rows}), 10, 10, buffer, 3), bytes(buffer).hex())
import wire
check = wire.Check()
buffer = bytearray({buffer!r} + bytes(9))
check.write(buffer, 100)
print(check.stands(buffer, 100), bytes(buffer[101:]).decode())
levels = array("I", [{levels}])
print(native.low_bits(levels, {upwards!r}, 30), native.low_bits(uctypes.addressof(levels), {downwards!r}, 30))
"""
    digits = bytearray(30)
    end = firmware.native.put_digits(array("I", rows), 10, 10, digits, 3)
    register = array("I", [levels])
    assert run(script).stdout.decode().splitlines() == [
        f"{end} {digits.hex()}",
        f"True {zlib.crc32(buffer):08x}",
        f"{firmware.native.low_bits(register, upwards, 30)} {firmware.native.low_bits(register, downwards, 30)}",
    ]


# ------------------------------------------------------------------------------------------ the loop


def test_ten_thousand_passes_allocate_nothing(run: RunScript, bench: MakeBench) -> None:
    board = bench(8, 8)
    board.rewire(0x0F0F_0000_FFFF_8001, down=0b1001)
    script = """
def allocated(passes):
    before = gc.mem_alloc()
    for _ in range(passes):
        firmware.work()
    return gc.mem_alloc() - before
allocated(200)
gc.collect()
gc.disable()
say(allocated(10_000), firmware.link.reader.bad)
"""
    questions = ["s {}", "b {} 7", "n {}", "l {}", "r {}", "h {}"]
    asked = "".join(signed(questions[at % 6].format(at)) for at in range(2_000))
    done = run(WITHOUT_WAITING + script, board, board=BOARD, asked=asked.encode())
    assert done.stderr.split() == [b"0", b"0"]
    lines = done.stdout.decode().splitlines()
    assert {line[:1] for line in lines} - {""} == set("HSLRNE")
    assert len(lines) > 2_000


def test_the_measure_of_allocation_would_see_one(run: RunScript, bench: MakeBench) -> None:
    script = """
gc.disable()
before = gc.mem_alloc()
bytearray(1)
say(gc.mem_alloc() - before > 0)
"""
    assert run(WITHOUT_WAITING + script, bench(8, 8), board=BOARD).stderr == b"True\n"


@pytest.mark.parametrize(
    ("place", "state"),
    [(-(3 * 8 + 16 + 1), b"0000000000000081 0"), (-1, b"0000000000000000 9")],
    ids=["switches", "buttons"],
)
def test_a_change_is_reported_in_the_third_pass(run: RunScript, bench: MakeBench, place: int, state: bytes) -> None:
    board = bench(8, 8)
    script = f"""
import os
main.HEARTBEAT_MS = 1 << 29
firmware.work()
with open(os.getenv("REEDLIGHT_WIRES"), "r+b") as wires:
    wires.seek({place}, 2)
    wires.write(bytes([{0x81 if place < -1 else 9}]))
for _ in range(5):
    firmware.work()
    sys.stdout.write(".")
"""
    done = run(WITHOUT_WAITING + script, board, board=BOARD)
    report = b"S 0 " + state
    assert done.stdout == b"..%s*%08x\n..." % (report, zlib.crc32(report))


def test_lamps_go_out_when_nothing_was_heard_for_five_seconds(run: RunScript, bench: MakeBench) -> None:
    board = bench(8, 8)
    script = """
def lamps():
    with open(LAMPS, "rb") as file:
        return file.read(1)[0]
firmware.light(3)
firmware.work()
say(lamps())
firmware.link.heard_ms = time.ticks_add(time.ticks_ms(), -5_000)
firmware.work()
say(lamps())
"""
    done = run(f"LAMPS = {str(board.lamps)!r}\n{WITHOUT_WAITING}{script}", board, board=BOARD)
    assert done.stderr.split() == [b"3", b"0"]


def test_importing_main_at_a_prompt_starts_nothing(run: RunScript, bench: MakeBench) -> None:
    board = bench(8, 8)
    done = run("import main", board, board=BOARD)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert board.lamps.read_bytes() == b"\0\0"


def test_a_pin_that_is_used_twice_is_named(run: RunScript, bench: MakeBench) -> None:
    done = run(WITHOUT_WAITING, bench(8, 8), board=BOARD.replace("27", "7"))
    assert done.returncode == 1
    assert b"ValueError: board.py: GP7 is used twice; every wire needs a pin of its own" in done.stdout


def test_the_default_board_needs_no_button_on_the_pico() -> None:
    names: dict[str, tuple[int | None, ...]] = {}
    exec((FIRMWARE / "board.py").read_text(), names)  # noqa: S102  # our own file of four tuples
    assert names["BUTTONS"] == names["LAMPS"] == (None,) * 4
    pins = [*names["ROWS"], *names["COLUMNS"]]
    assert len(set(pins)) == len(pins) == 16
