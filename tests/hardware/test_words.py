"""The words of ``hardware/`` agree with what they speak of.

    complaints(words) ──► what is wrong with them, one sentence each

Every check is such a function of the pages' texts. It is tried twice: on the pages as they are it must find
nothing, and on pages with a mistake put in it must find that mistake. The mistakes stand in ``MISTAKES``.
What no check knows is whether a sentence is true of a board that somebody has built.
"""

from __future__ import annotations

import ast
import csv
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hardware.generator.boards import BOARDS, board_of
from hardware.generator.shopping import pieces_of
from hardware.mechanics.prints import PRINTS

from reedlight.adapters.boards import DARK_LAMP, FULL_CHANNEL
from reedlight.app import doctor
from reedlight.app.checks import finding
from reedlight.app.checks.visit import GLOW
from reedlight.app.cli import COMMANDS
from reedlight.app.profiles import profile
from reedlight.board.profile import Ws2812

HARDWARE = Path(__file__).parents[2] / "hardware"
WRITTEN = ("README", "SAFETY", "assembly", "bring-up", "troubleshooting")
"""The pages at the top of the folder, which are written by hand."""
BESIDE = ("pieces", "jigs", "mechanics", "pcb")
"""Folders whose READMEs are written by hand and link here."""

Words = Mapping[str, str]
"""The pages by their paths below ``hardware/``."""


@cache
def written() -> Words:
    paths = [*(f"{name}.md" for name in WRITTEN), *(f"{name}/README.md" for name in BESIDE)]
    return {path: (HARDWARE / path).read_text(encoding="utf-8") for path in paths}


@cache
def own() -> Words:
    return {path: text for path, text in written().items() if "/" not in path}


# --------------------------------------------------------------------------------------------- links

_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.+?)\s*$", re.MULTILINE)


def anchor(heading: str) -> str:
    """What GitHub makes of a heading."""
    plain = re.sub(r"[^\w\- ]", "", heading.lower().replace("`", ""))
    return plain.replace(" ", "-")


def anchors(text: str) -> set[str]:
    return {anchor(heading) for heading in _HEADING.findall(text)}


def broken_links(words: Words) -> Iterator[str]:
    for page, text in words.items():
        for target in _LINK.findall(text):
            if "://" in target:
                continue
            path, _, place = target.partition("#")
            file = (HARDWARE / page).parent / path if path else HARDWARE / page
            if not file.resolve().exists():
                yield f"{page} links {path}, which is not there"
            elif place and place not in anchors(words.get(_below(file), "") or file.read_text(encoding="utf-8")):
                yield f"{page} links {target}, which has no such heading"


def _below(file: Path) -> str:
    file = file.resolve()
    return str(file.relative_to(HARDWARE)) if file.is_relative_to(HARDWARE) else ""


def idle_pictures(words: Words) -> Iterator[str]:
    """Pictures that no page shows."""
    shown = {target for text in words.values() for target in _LINK.findall(text)}
    for picture in sorted((HARDWARE / "pictures").iterdir()):
        if f"pictures/{picture.name}" not in shown:
            yield f"no page shows pictures/{picture.name}"


# --------------------------------------------------------------------------------- names of the circuit


@cache
def wires(board: str) -> Mapping[str, Mapping[str, str]]:
    with (HARDWARE / board / "wiring.csv").open(encoding="utf-8") as file:
        return {row["wire"]: row for row in csv.DictReader(file)}


@cache
def references() -> frozenset[str]:
    """The components of all boards: J4, U2, X+ and so on."""
    ends = [row[end] for board in BOARDS for row in wires(board).values() for end in ("from", "to")]
    return frozenset(end.split(".")[0].split(":")[0] for end in ends)


_REFERENCE = re.compile(r"(?<![\w:.])(?:(?:J|U|F|D|C|CA|CB|RI|RC|RU|RD)\d{1,2}\b|RS\b|X[+-](?![\w-]))")
_BENCH = re.compile(r"\bB(\d+)\b")
_WIRE = re.compile(r"\bW\d+\b")


def unknown_components(words: Words) -> Iterator[str]:
    for page, text in words.items():
        for name in sorted(set(_REFERENCE.findall(_without_links(text))) - references()):
            yield f"{page} names {name}, which no board has"


def unknown_wires(words: Words) -> Iterator[str]:
    known = {wire for board in BOARDS for wire in wires(board)}
    for page, text in words.items():
        for wire in sorted(set(_WIRE.findall(text)) - known - {"WS2812B"}):
            yield f"{page} names {wire}, which no board has"


def _without_links(text: str) -> str:
    return re.sub(r"\]\([^)]*\)", "]", text)


def bench_tests(words: Words) -> Iterator[str]:
    numbers = [int(number) for number in re.findall(r"^\| B(\d+) \|", words["bring-up.md"], re.MULTILINE)]
    if numbers != list(range(1, 37)):
        yield f"bring-up.md has the tests {numbers}"
    for page, text in words.items():
        for number in {int(number) for number in _BENCH.findall(_without_links(text))} - set(numbers):
            yield f"{page} names B{number}, which is no bench test"


def said_of_wires(words: Words) -> Iterator[str]:
    """What assembly.md says of single wires."""
    text = words["assembly.md"]
    found = re.search(r"GP(\d+) is row (\d), the (\w+) wire (W\d+), to J4 pin (\d)", text)
    if found is None:
        yield "assembly.md does not say which wire goes to GP7"
        return
    pin, row, colour, wire, way = found.groups()
    for board in ("oak-8x8", "hex-61"):
        line = wires(board)[wire]
        is_so = line["from"].startswith(f"U1.GP{pin}") and line["to"] == f"J4.{way}" and line["colour"] == colour
        if not is_so or not line["remark"].startswith(f"row {row}"):
            yield f"{wire} of {board} is {line['from']} to {line['to']}, {line['colour']}, {line['remark']}"
    strap = re.search(r"the ground strap, (W\d+) on A and C and (W\d+) on B", text)
    pairs = zip(("oak-8x8", "hex-61", "budget-8x8"), (1, 1, 2), strict=True)
    for board, group in pairs:
        if strap is None or not wires(board)[strap[group]]["remark"].startswith("ground strap"):
            yield f"assembly.md names another wire than the ground strap of {board}"


# ----------------------------------------------------------------------------------------- commands


def unknown_commands(words: Words) -> Iterator[str]:
    makefile = (HARDWARE.parent / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    commands = {command.name for command in COMMANDS}
    for page, text in words.items():
        code = _code(text)
        for verb in sorted(set(re.findall(r"\bmake ([a-z-]+)", code)) - targets):
            yield f"{page} says make {verb}, which is no target"
        for verb in sorted(set(re.findall(r"\breedlight ([a-z]+)", code)) - commands):
            yield f"{page} says reedlight {verb}, which is no command"


def _code(text: str) -> str:
    """What is to be typed on a page; the doctor's sentences begin with a capital."""
    fenced = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
    return "\n".join([*fenced.findall(text), *re.findall(r"`([a-z][^`\n]*)`", fenced.sub("", text))])


def bus_lines(words: Words) -> Iterator[str]:
    """The lines of config.txt stand in assembly.md as in the boards' own pages."""
    for board in BOARDS:
        front = (HARDWARE / board / "README.md").read_text(encoding="utf-8")
        row = next(line for line in front.splitlines() if line.startswith("| `config.txt` |"))
        for setting in re.findall(r"`([^`]+=[^`]+)`", row):
            if f"`{setting}`" not in words["assembly.md"]:
                yield f"assembly.md does not say {setting}, which {board} needs"


def unknown_prints(words: Words) -> Iterator[str]:
    """Prints that assembly.md tells to make, in its table."""
    table = words["assembly.md"].split("| print | A | B | C |")[1].split("\n\n")[0]
    for name in re.findall(r"`([a-z-]+)`", table):
        if name not in PRINTS and not name.startswith("wall-"):
            yield f"assembly.md prints {name}, which is no print"
    sections = sum(each.hexagon for name, each in PRINTS.items() if name.startswith("wall-"))
    if f"[{sections} sections]" not in table:
        yield f"assembly.md has another number of wall sections than {sections}"


# -------------------------------------------------------------------------------------------- steps

_STEP = re.compile(r"^(\d+)\. ", re.MULTILINE)


def steps(words: Words) -> Iterator[str]:
    """The steps run through; stages have those that the table says; what is referred to is there."""
    text = words["assembly.md"]
    stages = re.findall(r"^\| \[([^\]]+)\]\(#[^)]+\) \| (\d+)-(\d+) \|", text, re.MULTILINE)
    last = 0
    for name, first, end in stages:
        section = text.split(f"\n## {name}\n")[1].split("\n## ")[0]
        numbers = sorted({int(number) for number in _STEP.findall(section)})
        if numbers != list(range(int(first), int(end) + 1)) or int(first) != last + 1:
            yield f"{name}: the table says {first}-{end}, the steps are {numbers}"
        last = int(end)
    for page, other in words.items():
        for number in re.findall(r"\bstep (\d+)", other):
            if not 1 <= int(number) <= last:
                yield f"{page} refers to step {number}, which is not there"


# ------------------------------------------------------------------------------------------ numbers


@cache
def parts() -> Mapping[str, Any]:
    return tomllib.loads((HARDWARE / "parts.toml").read_text(encoding="utf-8"))


def _price(board: str) -> int:
    with (HARDWARE / board / "parts-to-buy.csv").open(encoding="utf-8") as file:
        total = next(float(row["price estimate USD"]) for row in csv.DictReader(file) if row["part"] == "total")
    return round(total - parts()["part"]["pi"]["price"])


def _size(sides: list[float]) -> str:
    return " x ".join(f"{side:g}" for side in sides)


def _cables(board: str) -> str:
    text = (HARDWARE / board / "wiring.md").read_text(encoding="utf-8")
    return next(iter(re.findall(r"(\d+) wires and cables", text)))


@cache
def quoted() -> tuple[tuple[str, str], ...]:
    """A page, and what it must say with the number as it stands in the lists."""
    part, plan, field = parts()["part"], parts()["plan"], parts()["magnetics"]
    oak, budget = profile("oak-8x8"), profile("budget-8x8")
    fuse, pull_up = part["fuse"]["blows"], part["resistor_47k"]["ohm"]
    return (
        ("README.md", f"may draw {oak.power.led_cap:g} A"),
        ("README.md", f"Cells are {oak.pitch:g} mm from centre to centre"),
        ("README.md", f"stands {field['gap']:.1f} mm above the gap"),
        *(("README.md", f"about {_price(board)} USD and a Pi") for board in BOARDS),
        *(("README.md", f"{_cables(board)} wires") for board in BOARDS),
        ("SAFETY.md", f"never one of more than {fuse:g} A"),
        ("SAFETY.md", f"({plan['piece']:g} mm)"),
        ("SAFETY.md", f"{part['magnet']['diameter']:g} x {part['magnet']['thickness']:g} mm N42"),
        ("SAFETY.md", f"{oak.power.supply:g} A burn"),
        ("assembly.md", f"closed with the magnet {field['closes'][0]:g} mm from the glass"),
        ("assembly.md", f"open again at {field['opens'][0]:g} mm"),
        ("assembly.md", f"({plan['sleeve_at']:g} mm to the right of the reed)"),
        ("assembly.md", f"({-plan['lamp_offset']:g} mm to the left)"),
        ("assembly.md", f"reed {plan['reed_hole']:g} mm"),
        ("assembly.md", f"RGB lamp {plan['rgb_hole']:g} mm or LED {plan['led_hole']:g} mm"),
        ("assembly.md", f"screws {plan['screw_hole']:g} mm, buttons {plan['button_hole']:g} mm"),
        ("assembly.md", f"higher than {plan['wire_channel']:g} mm above the lower side"),
        ("assembly.md", f"spacer {plan['wire_channel']:g} mm, carrier, spacer {plan['wall_height']:g} mm"),
        ("assembly.md", f"**{2 * pull_up / 1000:g} kohm**, two pull-ups of {pull_up / 1000:g} kohm in series"),
        ("assembly.md", f"screws **M3 x {part['screw']['length']:g}**"),
        ("assembly.md", f"screws M3 x {part['console_screw']['length']:g} through panel and floor"),
        ("assembly.md", f"four feet of {part['foot']['height']:g} mm"),
        ("assembly.md", f"four walls of {plan['console_wall']:g} mm"),
        ("assembly.md", f"panel, {plan['console_wall'] + 2 * plan['sheet']:g} mm in all"),
        (
            "assembly.md",
            f"it is {plan['driver_high']:g} mm high, and the channel below the carrier {plan['wire_channel']:g}",
        ),
        ("assembly.md", f"soldering board of {_size(plan['control_board'])} mm"),
        ("assembly.md", f"soldering board of {_size(plan['driver_board'])} mm"),
        ("README.md", f"mm, {plan['console_wall'] + 2 * plan['sheet'] + part['foot']['height']:g} mm |"),
        ("jigs/README.md", f"the magnet is {field['closes'][0]:g} mm from the glass"),
        ("jigs/README.md", f"is {field['closes'][1]:g} and {field['opens'][1]:g} mT there"),
        ("jigs/README.md", f"back **against the end**: {field['opens'][0]:g} mm"),
        ("assembly.md", f"the rest | {' | '.join(str(pieces_of(board_of(board).plan)) for board in BOARDS)} |"),
        ("assembly.md", f"RI4 of {part['resistor_27k']['ohm'] / 1000:g} kohm"),
        ("assembly.md", f"pause | at {PRINTS['checker'].magnets[0]:g} mm"),
        ("assembly.md", f"below {2 * part['max7219']['all_lit']:.2f} A"),
        ("bring-up.md", f"{2 * pull_up / 1000:g} kΩ (two pull-ups of {pull_up / 1000:g} kΩ)"),
        ("bring-up.md", f"closed at {field['closes'][0]:g} mm, open again at {field['opens'][0]:g} mm"),
        ("bring-up.md", f"one piece, {field['off']:g} mm off the centre"),
        ("bring-up.md", f"the scan waits {parts()['signal']['settle']:g} µs"),
        ("troubleshooting.md", f"more than {budget.power.led_fuse_hold:g} A behind it"),
        ("troubleshooting.md", f"{2 * pull_up / 1000:g} kohm is right (A, C)"),
        ("troubleshooting.md", f"{parts()['wire_rules']['data_most'] / 1000:g} m"),
    )


def numbers(words: Words) -> Iterator[str]:
    for page, phrase in quoted():
        if phrase not in words[page]:
            yield f"{page} does not say: {phrase}"


METERED = ("above 1 kohm", "above 1 Mohm", "0.45 to 0.70 V", "0.4 to 0.8 V", "1.6 to 2.1 V", "4.75 to 5.25 V")
"""Readings that assembly.md and every board's own page on the meter must both have."""
METERED_RGB = ("94 kohm", "below 1.3 A", "above 4.7 V")
"""The same, of boards with a Pico and a string."""


def readings(words: Words) -> Iterator[str]:
    for board in BOARDS:
        meter = (HARDWARE / board / "meter.md").read_text(encoding="utf-8")
        for reading in (*METERED, *(METERED_RGB if isinstance(profile(board).lamps, Ws2812) else ())):
            if reading not in meter:
                yield f"{board}/meter.md does not say: {reading}"
            if reading not in words["assembly.md"]:
                yield f"assembly.md does not say: {reading}"
        for dark in re.findall(r"no data: (\d+ to \d+ mA)", meter):
            yield from (
                f"{page} does not say: {dark} ({board})"
                for page in ("assembly.md", "bring-up.md")
                if dark not in words[page]
            )


# -------------------------------------------------------------------------------------- the doctor

_CHECKS = Path(finding.__file__).parent
_ADAPTERS = _CHECKS.parents[1] / "adapters"
_ANY = "…"
"""What stands for names and numbers in a sentence."""
_LITERAL = 4
"""Letters of its own that a sentence must have to be told from others."""

Key = tuple[str, str]
"""A module of checks and a function in it."""


@cache
def trees() -> Mapping[str, ast.Module]:
    return {file.stem: ast.parse(file.read_text(encoding="utf-8")) for file in sorted(_CHECKS.glob("*.py"))}


@cache
def functions() -> Mapping[Key, ast.FunctionDef]:
    return {
        (module, node.name): node
        for module, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }


@cache
def imported() -> Mapping[Key, Key]:
    """What a name in one module of checks is in another."""
    found: dict[Key, Key] = {}
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("reedlight.app.checks."):
                origin = (node.module or "").rsplit(".", 1)[1]
                found |= {(module, name.asname or name.name): (origin, name.name) for name in node.names}
    return found


def reached(key: Key) -> set[Key]:
    """A function and all those that it uses, through every module of checks."""
    seen: set[Key] = set()
    left = [key]
    while left:
        here = left.pop()
        if here in seen or here not in functions():
            continue
        seen.add(here)
        names = _used(functions()[here])
        left += [imported().get((here[0], name), (here[0], name)) for name in names]
    return seen


def _used(function: ast.FunctionDef) -> set[str]:
    """The names that a function has from outside."""
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    return {node.id for node in names} - own


def sentence(node: ast.expr) -> str:
    """A string of the program with ``…`` for what is filled in; empty if it is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        pieces = [str(each.value) if isinstance(each, ast.Constant) else _ANY for each in node.values]
        return re.sub(f"{_ANY}+", _ANY, "".join(pieces))
    return ""


def _calls(function: ast.FunctionDef, name: str) -> Iterator[ast.expr]:
    """The first arguments of calls in a function."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name and node.args:
            yield node.args[0]


def _texts(function: ast.FunctionDef) -> Iterator[str]:
    """Everything in a function that is a whole sentence: what a variable that is told may hold."""
    for said in _strings(function):
        if re.match(r"[A-Z…].*\.$", said):
            yield said


def _strings(function: ast.FunctionDef) -> Iterator[str]:
    """The strings of a function but its docstring, each whole."""
    own = ast.get_docstring(function, clean=False)
    pieces = {id(part) for node in ast.walk(function) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(function):
        if isinstance(node, ast.expr) and id(node) not in pieces and (said := sentence(node)) and said != own:
            yield said


def findings(key: Key) -> set[str]:
    """The sentences by which a check may say that something is wrong."""
    said: set[str] = set()
    for each in reached(key):
        for argument in _calls(functions()[each], "Finding"):
            if text := sentence(argument):
                said.add(text)
            elif isinstance(argument, ast.Name) and argument.id in {"fault", "sentence"}:
                others = {sentence(other) for other in _others(functions()[each])}
                said |= {text for text in _texts(functions()[each]) if text not in others}
    return {text for text in said if len(text.replace(_ANY, "").strip(". ")) >= _LITERAL}


def _others(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """Causes and remedies."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in {"cause", "remedy"}:
            yield node.value
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Finding":
            yield from node.args[1:]


@cache
def told_by_ports() -> frozenset[str]:
    """Every sentence in the adapters, where the ports' own come from; those that call one more join it."""
    trees_ = [ast.parse(file.read_text(encoding="utf-8")) for file in sorted(_ADAPTERS.glob("*.py"))]
    found = [sentence(node) for tree in trees_ for node in ast.walk(tree) if isinstance(node, ast.expr)]
    # A text of a table has its blanks in braces.
    return frozenset(re.sub(r"\{\w+\}", _ANY, text) for text in found if text.endswith("."))


def run_of(check: finding.Check) -> Key:
    return check.run.__module__.rsplit(".", 1)[1], check.run.__name__


def matches(template: str, said: str) -> bool:
    """Whether the program's sentence could be the one on the page."""
    pattern = ".+".join(re.escape(piece) for piece in template.split(_ANY))
    # ``read{'s'}`` is nothing or an s: what is filled in inside a word may be empty.
    pattern = re.sub(r"(?<=\w)\.\+", ".*", pattern)
    return re.fullmatch(pattern, said) is not None


def sections(text: str) -> Mapping[str, str]:
    """What troubleshooting.md says below the name of each check."""
    chapter = text.split("\n## What the doctor says\n")[1].split("\n## ", maxsplit=1)[0]
    named = re.split(r"^### (.+)$", chapter, flags=re.MULTILINE)[1:]
    return dict(zip(named[::2], named[1::2], strict=True))


def quotes(section: str) -> list[str]:
    """The sentences of the doctor's in a section: those in code that begin an entry, or follow one."""
    entries = re.findall(r"^- (.+)$", section, re.MULTILINE)
    return [said for entry in entries for said in re.findall(r"`([A-Z…][^`]*\.)`", entry)]


def composed(key: Key, said: str) -> bool:
    """Whether a check puts this sentence together of a shorter one, with a capital and a full stop of its own."""
    shorter = {text.lower() for each in reached(key) for text in _strings(functions()[each]) if " " in text}
    return any(matches(text, said.removesuffix(".").lower()) for text in shorter if text[0] != " ")


def doctors(words: Words) -> Iterator[str]:
    """The page has every check and every sentence of it, and no sentence that the doctor does not say."""
    found = sections(words["troubleshooting.md"])
    names = [check.name for check in doctor.CHECKS]
    if list(found) != names:
        yield f"the sections are {list(found)}, the checks {names}"
        return
    for check in doctor.CHECKS:
        said = quotes(found[check.name])
        templates = findings(run_of(check))
        for template in sorted(templates):
            if not any(matches(template, quote) for quote in said):
                yield f"{check.name}: there is no entry for: {template}"
        for quote in said:
            known = any(matches(template, quote) for template in (*templates, *told_by_ports()))
            if not known and not composed(run_of(check), quote):
                yield f"{check.name}: the doctor does not say: {quote}"


def reasons_known() -> set[str]:
    """Why a check was not made: what a need returns, what a check says that it was not asked, and ``skipped``."""
    said: set[str] = set()
    for check in doctor.CHECKS:
        for each in reached(run_of(check)):
            said |= {sentence(argument) for argument in _calls(functions()[each], "Unasked")}
        for need in check.needs:
            key = (need.__module__.rsplit(".", 1)[1], need.__name__)
            said |= set(_strings(functions()[key]))
    said |= set(_strings(functions()["visit", "unwritten"]))
    return {text for text in said if len(text) > _LITERAL and " " in text and not text.startswith("/")} | {"skipped"}


def dashes(words: Words) -> Iterator[str]:
    table = words["troubleshooting.md"].split("\n## When a line begins with a dash\n")[1].split("\n## ")[0]
    told = set(re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE))
    known = reasons_known()
    for reason in sorted(known - told):
        yield f"there is no line for: {reason}"
    for reason in sorted(told - known):
        yield f"the doctor does not say: {reason}"


# ---------------------------------------------------------------------------------------------- all

Check = Callable[[Words], Iterator[str]]
CHECKS: tuple[Check, ...] = (
    broken_links,
    idle_pictures,
    unknown_components,
    unknown_wires,
    bench_tests,
    said_of_wires,
    unknown_commands,
    bus_lines,
    unknown_prints,
    steps,
    numbers,
    readings,
    doctors,
    dashes,
)

MISTAKES: tuple[tuple[Check, str, str, str], ...] = (
    (broken_links, "assembly.md", "(pictures/diode.svg)", "(pictures/diodes.svg)"),
    (broken_links, "assembly.md", "#on-the-control-board", "#on-the-control-bord"),
    (broken_links, "jigs/README.md", "## Sorting", "## Sort"),
    (idle_pictures, "assembly.md", "(pictures/walls.svg)", "(pictures/cell.svg)"),
    (unknown_components, "assembly.md", "C2 right beside U2", "C2 right beside U7"),
    (unknown_wires, "assembly.md", "W107", "W1070"),
    (bench_tests, "assembly.md", "**B21**", "**B41**"),
    (bench_tests, "bring-up.md", "| B12 |", "| B11 |"),
    (said_of_wires, "assembly.md", "GP7 is row 5, the blue", "GP7 is row 5, the green"),
    (said_of_wires, "assembly.md", "W65 on B", "W66 on B"),
    (unknown_commands, "assembly.md", "`make install-pi`", "`make instal-pi`"),
    (unknown_commands, "pcb/README.md", "make pcb", "make tiles"),
    (unknown_commands, "troubleshooting.md", "reedlight wire", "reedlight wizard"),
    (bus_lines, "assembly.md", "`dtoverlay=spi1-1cs`", "`dtoverlay=spi1-2cs`"),
    (unknown_prints, "assembly.md", "| `reed-holder`, `shim`", "| `reed-stand`, `shim`"),
    (unknown_prints, "assembly.md", "[22 sections]", "[21 sections]"),
    (steps, "assembly.md", "\n26. Measure", "\n27. Measure"),
    (steps, "troubleshooting.md", "(step 52)", "(step 152)"),
    (numbers, "README.md", "about 228 USD", "about 170 USD"),
    (numbers, "assembly.md", "open again at 19.5 mm", "open again at 19 mm"),
    (numbers, "assembly.md", "M3 x 35", "M3 x 30"),
    (numbers, "jigs/README.md", "is 14.2 mm from the glass", "is 14 mm from the glass"),
    (readings, "assembly.md", "0.45 to 0.70 V", "0.5 to 0.8 V"),
    (readings, "bring-up.md", "38 to 90 mA", "40 to 90 mA"),
    (doctors, "troubleshooting.md", "`… touches ground.`", "`… touches the ground.`"),
    (doctors, "troubleshooting.md", "- `The dice are dark.`", "- The dice are dark."),
    (doctors, "troubleshooting.md", "`… is wired as ….`", "`… is soldered as ….`"),
    (doctors, "troubleshooting.md", "### Order of lamps", "### Lamps' order"),
    (doctors, "troubleshooting.md", "`The Raspberry Pi's voltage is too low now.`", "`The voltage is too low.`"),
    (dashes, "troubleshooting.md", "| `no lamp was seen` |", "| `no lamp was found` |"),
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_words_agree_with_what_they_speak_of(check: Check) -> None:
    assert list(check(_for(check))) == []


@pytest.mark.parametrize(("check", "page", "right", "wrong"), MISTAKES)
def test_a_mistake_in_the_words_is_found(check: Check, page: str, right: str, wrong: str) -> None:
    words = _for(check)
    assert right in words[page]
    assert list(check({**words, page: words[page].replace(right, wrong)}))


def test_every_check_has_a_mistake_that_it_finds() -> None:
    assert {check for check, *_ in MISTAKES} == set(CHECKS)


def _for(check: Check) -> Words:
    """Some is looked at in every page that is written by hand; all else is about those at the top."""
    return written() if check in {broken_links, numbers, unknown_commands} else own()


# ------------------------------------------------------------------------------------------ pictures

_SVG = "{http://www.w3.org/2000/svg}"
_LETTER = 0.6
"""The width of a letter on average, of the size of the script."""


def overflowing(picture: ET.Element) -> Iterator[str]:
    """Words that reach over a picture's edge."""
    wide = float(picture.get("width", "0"))
    for words in picture.iter(f"{_SVG}text"):
        if words.get("transform"):
            continue
        text, x = words.text or "", float(words.get("x", "0"))
        long = len(text) * float(words.get("font-size", "0")) * _LETTER
        left = {"middle": x - long / 2, "end": x - long}.get(words.get("text-anchor", ""), x)
        if left < 0 or left + long > wide:
            yield text


def pictures() -> list[Path]:
    return sorted((HARDWARE / "pictures").glob("*.svg"))


@pytest.mark.parametrize("file", pictures(), ids=lambda file: file.stem)
def test_a_picture_has_a_title_and_a_ground_of_its_own_and_no_words_over_its_edge(file: Path) -> None:
    picture = ET.parse(file).getroot()  # noqa: S314  # our own file
    title, ground = list(picture)[:2]
    assert title.tag == f"{_SVG}title"
    assert title.text
    assert ground.tag == f"{_SVG}rect"
    assert (ground.get("width"), ground.get("height")) == (picture.get("width"), picture.get("height"))
    assert list(overflowing(picture)) == []


def test_words_over_the_edge_of_a_picture_are_found() -> None:
    picture = ET.fromstring(  # noqa: S314  # written here
        '<svg xmlns="http://www.w3.org/2000/svg" width="100"><text x="60" font-size="12">much too long</text></svg>'
    )
    assert list(overflowing(picture)) == ["much too long"]


# ------------------------------------------------------------------------------ a builder's questions

QUESTIONS: tuple[tuple[str, str, str], ...] = (
    ("Which wire goes to GP7?", "oak-8x8/pins.md", r"\| GP7 \| row 5 \| W26 \| blue \| J4\.6 \|"),
    ("What must the meter read between 5 V and ground before power?", "oak-8x8/meter.md", r"X- bar \| above 1 kohm"),
    ("What do I buy for twelve stacks of Diablo?", "oak-8x8/README.md", r"twelve stacks of four \| 53 \|"),
    ("Which way round does the diode of c3 go?", "oak-8x8/wiring.md", r"S:c3\.lower \| D:c3\.stripe"),
    ("What is the pitch?", "hex-61/README.md", r"45 mm from centre to centre"),
    ("What fuse?", "oak-8x8/parts-to-buy.csv", r"Fuse 5 A, fast, 5 x 20 mm"),
    ("How do I know the string's data direction?", "assembly.md", r"DOUT of one to DIN of the next"),
    ("What does 'row to row 94 kohm' mean?", "troubleshooting.md", r'"row to row 94 kohm" means'),
    ("Where does the string of the hexagon begin?", "assembly.md", r"C starts at -4,4 \(far left\)"),
    ("How thick is the floor below the magnet?", "mechanics/dimensions.scad", r"floor = 0\.4;"),
    ("Which pole of a dark piece's magnet is below?", "pieces/README.md", r"dark pieces south down"),
    ("How do I find a magnet's north pole?", "jigs/README.md", r"needle's south end must turn to the magnet"),
    ("When does the print of a piece pause?", "pieces/README.md", r"\*\*at 1\.6 mm"),
    ("How many shims?", "mechanics/README.md", r"`shim` \| .* \| 64 \| 61 \|"),
    ("Which side of the carrier is white?", "assembly.md", r"white above"),
    ("What do I do with pin 8 of the Pi?", "oak-8x8/pins.md", r"\| 8 \| BCM14 \| free: leave open"),
    ("What goes into config.txt?", "hex-61/README.md", r"`config\.txt` \| `dtparam=spi=on`, `dtoverlay=spi1-1cs`"),
    ("What supply has the budget board?", "budget-8x8/README.md", r"5 V 3 A"),
    ("Will a 12 V supply do?", "oak-8x8/parts-to-buy.csv", r"never 12 V"),
    ("What sets the current of the LEDs?", "budget-8x8/pins.md", r"ISET \| sets the lamps' current"),
    ("Which segment lights a8?", "budget-8x8/wiring.md", r"SEG-G.*L:a8\.anode"),
    ("Which leg of an LED goes to the digit's wire?", "budget-8x8/wiring.md", r"digit 0: the short leads, flat side"),
    (
        "How long is the wire from J4 to the first reed?",
        "oak-8x8/wiring.md",
        r"J4\.1 \| S:a1\.upper \| brown \|.*\| 120 \|",
    ),
    ("Where do the 100 nF of a lamp go?", "hex-61/wiring.md", r"across the lamp"),
    ("What lies between shifter and string?", "oak-8x8/meter.md", r"330 ohm \(RS\)"),
    ("Which pin of U2 is 5 V?", "budget-8x8/pins.md", r"\| 14 \| VCC \| 5 V of the shifter"),
    ("How high may wires stand below the carrier?", "assembly.md", r"higher than 8 mm"),
    ("What does c3 read on the diode range?", "oak-8x8/meter.md", r"0\.45 to 0\.70 V with a piece on c3"),
    ("What does a dark string draw?", "oak-8x8/meter.md", r"38 to 90 mA"),
    ("What does the board draw at most?", "oak-8x8/power.md", r"\*\*2\.73\*\*"),
    ("Will a Zero 2 W do?", "hex-61/power.md", r"\| Zero 2 W \| 0\.35"),
    ("Will a Pi 5 do?", "oak-8x8/parts-to-buy.csv", r"a Pi 5 on its own 27 W supply"),
    ("How does the firmware get onto the hexagon's Pico?", "assembly.md", r"`make flash BOARD=hex-61`"),
    ("How does MicroPython get onto it?", "../firmware/README.md", r"hold BOOTSEL"),
    ("Where is the configuration?", "assembly.md", r"/etc/reedlight/reedlight\.toml"),
    ("How do I see the page on a phone?", "assembly.md", r"IPAddressAllow"),
    ("What if red is green?", "troubleshooting.md", r"for red and … for green"),
    ("How do I print the sheet for Herd?", "assembly.md", r"at 100 %"),
    ("What is the top made of?", "budget-8x8/parts-to-buy.csv", r"Opal acrylic 3 mm"),
    ("What hole does a button need?", "assembly.md", r"buttons 16\.2 mm"),
    ("Which screws?", "hex-61/parts-to-buy.csv", r"M3 x 35, brass or stainless.*\n.*M3 x 40, brass or stainless"),
    ("Which wall sections for the row of seven?", "mechanics/README.md", r"\| 7 \| `wall-row-4`, `wall-row-3-last`"),
    ("Which reeds do I keep?", "jigs/README.md", r"Keep what does both"),
    ("What if a reed stays closed beside stacks?", "bring-up.md", r"lower the reed by 1 mm"),
    ("Somebody has swallowed a magnet: what now?", "SAFETY.md", r"to a hospital at once"),
    ("Which wires reach -2,3 of the hexagon?", "hex-61/cells.csv", r'"-2,3",.*W'),
    ("What is pin 39 of the Pi for?", "hex-61/pins.md", r"\| 39 \| GND-39 \| ground strap"),
    ("Has anybody built the circuit board?", "pcb/README.md", r"nobody has ordered or built"),
    ("What is TL3+?", "oak-8x8/wiring.md", r"TLn\+ \| where row n's wire meets"),
    ("How do I discharge C1?", "SAFETY.md", r"resistor of 330 ohm"),
    ("How much red wire do I need?", "oak-8x8/wiring.md", r"\| middle \| red \| \d+ \| [\d.]+ \|"),
    ("Where does the Pi stand?", "assembly.md", r"Pi stands in a case of its own"),
    ("Which console button is where?", "assembly.md", r"from the left HINT, BACK, dice, NEXT, GO"),
    ("Which module is the left die?", "troubleshooting.md", r"first of the chain belongs left"),
    ("Where is lamp 17?", "oak-8x8/cut-carrier-below.svg", r">lamp 17<"),
    ("Where on the hexagon is lamp 17?", "hex-61/cells.csv", r'"2,2",.*,17,'),
    ("Which row and column has c3, and in which colour?", "oak-8x8/cut-carrier-below.svg", r">col\. 2 orange<"),
    (
        "How do I print the marking paper without a plotter?",
        "oak-8x8/README.md",
        r"cut-carrier-below\.pdf.*pages of A4",
    ),
    ("How do I print the sheet for Herd on A4?", "budget-8x8/README.md", r"overlay-herd\.pdf.*pages of A4"),
    ("Which walls has the console?", "assembly.md", r"floor, four walls of 31 mm"),
    ("Where do the cells' cables come into the console?", "assembly.md", r"far wall with its wide notch at the left"),
    ("Where does the supply's lead come in?", "assembly.md", r"the right one with the hole for the supply's lead"),
    ("Where is J1?", "oak-8x8/wiring.md", r"\| J1 \| screw terminal for the supply; console, right end \|"),
    ("Where do the bars lie?", "assembly.md", r"bars X\+ and X-, glued to the floor"),
    ("How long is the Pi's power cable?", "oak-8x8/wiring.md", r"X\+\.bar-2 \| KP\.plus \| red \| cable \| 720 \|"),
    ("How do I keep the dice in their windows?", "assembly.md", r"dice modules from behind into their windows"),
    ("How deep may a button be?", "oak-8x8/parts-to-buy.csv", r"at most 30 mm behind the panel"),
    ("Which side of the plate have the nuts?", "assembly.md", r"nuts below the base"),
    ("On what does the board stand?", "oak-8x8/parts-to-buy.csv", r"Rubber foot"),
    ("What holds the panel?", "assembly.md", r"screws M3 x 40 through panel and floor"),
    ("Which socket has the Pico?", "hex-61/parts-to-buy.csv", r"Socket strip, 20-way.*,2,2,0"),
    ("Which sockets have the MAX7219?", "budget-8x8/parts-to-buy.csv", r"Socket DIP-24, narrow.*,2,2,0"),
    ("Which socket has U2?", "budget-8x8/parts-to-buy.csv", r"Socket DIP-14"),
    ("How many contacts for the Pi's header?", "budget-8x8/parts-to-buy.csv", r"Crimp contact.*,27,33,6"),
    ("What is the reed's return made of?", "oak-8x8/parts-to-buy.csv", r"Copper wire, tinned.*never steel"),
    ("How much of it?", "oak-8x8/parts-to-buy.csv", r"Copper wire, tinned.*,2,3,1,m"),
    ("How wide is the felt?", "oak-8x8/parts-to-buy.csv", r"Felt disc 31 mm"),
    ("Is a card with the Pi?", "oak-8x8/parts-to-buy.csv", r"a micro-SD card of 16 GB or more"),
    ("Which glue for what?", "hex-61/parts-to-buy.csv", r"Superglue \(magnets, holders\)"),
    ("How much filament do I need?", "assembly.md", r"holders and shims 45 g, jigs 45 g, a piece 5 to 6 g"),
    ("How deep is the pocket?", "pieces/README.md", r"1\.2 mm deep"),
    ("What sets the brightness of the LEDs, and why so?", "budget-8x8/power.md", r"27 kohm let 21 mA flow"),
    ("What may the resistor be at least?", "budget-8x8/power.md", r"Never smaller than 18 kohm"),
    ("Where does U4 go, and how does it fit?", "assembly.md", r"the base has a window there"),
    ("Which board is U4 soldered on?", "budget-8x8/parts-to-buy.csv", r"Soldering board for one MAX7219"),
    ("What becomes of the stub with a second shim?", "assembly.md", r"stubs must then be cropped to 1 mm"),
    ("Where are the grounds joined with a Pi 5?", "assembly.md", r"A Pi 5 has its own 27 W supply instead"),
    ("What does another Pi draw?", "budget-8x8/power.md", r"stands in the table below"),
    ("How many pieces has the hexagon?", "hex-61/README.md", r"100 pieces, 50 of each colour"),
    ("What does B's page on pins cover?", "budget-8x8/README.md", r"every pin of the Pi, the chips, the digits"),
    ("Where does the decimal point of a digit lie?", "assembly.md", r"the decimal point near"),
    ("What do I crimp with?", "assembly.md", r"crimping pliers"),
    ("At which distance must a reed be closed?", "jigs/README.md", r"14\.2 mm from the glass"),
    ("What if the margins are below 1?", "magnetics/margins.md", r"may go on reading closed"),
    ("May I sell one?", "README.md", r"build it, change it, sell it"),
)
"""What somebody asks who builds a board, the page that answers it, and how."""


def unanswered(answers: Callable[[str], str]) -> list[str]:
    return [question for question, page, answer in QUESTIONS if not re.search(answer, answers(page))]


def test_what_a_builder_asks_is_answered_in_the_folder() -> None:
    assert unanswered(lambda page: (HARDWARE / page).read_text(encoding="utf-8")) == []


def test_a_folder_that_does_not_answer_is_found() -> None:
    assert unanswered(lambda _page: "") == [question for question, *_ in QUESTIONS]


# -------------------------------------------------------------------------------------- other claims


@pytest.mark.parametrize("board", ["oak-8x8", "hex-61"])
def test_at_the_doctors_question_for_dark_lamps_the_string_stands_at_its_cap(board: str) -> None:
    found = profile(board)
    channels = (GLOW.red + GLOW.green + GLOW.blue) / 255
    lamps = len(found.layout.lamps)
    assert lamps * (DARK_LAMP + channels * FULL_CHANNEL) >= 1000 * found.power.led_cap


def test_the_licence_is_the_one_that_the_page_names() -> None:
    text = (HARDWARE / "LICENSE").read_bytes()
    assert text.decode().splitlines()[0] in own()["README.md"]
    # It may be used in unmodified form only.
    assert sha256(text).hexdigest() == "1b0ac74323adc5932ea5d80170ff424e1d82709851ce39acf85106bfdac2c5c7"
    assert "`CERN-OHL-P-2.0`" in own()["README.md"]


def test_no_page_promises_or_tells_of_its_making() -> None:
    unwanted = re.compile(r"\b(TODO|for now|coming soon|work in progress|not yet implemented)\b", re.IGNORECASE)
    assert {page: unwanted.findall(text) for page, text in own().items() if unwanted.search(text)} == {}
