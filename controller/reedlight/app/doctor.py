"""``reedlight doctor``: what is wrong with a board, and what to do about it, without a game.

    CHECKS ──a visit──► outcome ──► a line, and under it what is wrong: why, what to do
      │                                                       ... and a last line with the sum
      ├─ about     boards that have what is looked at; others are not told of it
      ├─ needs     what must work before; else the check is not made, and says why
      └─ asks      somebody has to do something; left out on a quick visit

The order of the table is the order of cause and effect: the computer, its buses and pins, the Pico, the ports;
then what the board can tell by itself; then what a person has to press, look at and move. So the first line
that says WRONG is the one to begin with.

What is looked at stands in ``checks``; here are only the table, the visit from first to last, and the page.
"""

from __future__ import annotations

import os
import select
import sys
import textwrap
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from reedlight.adapters.boards import THIS_MACHINE
from reedlight.adapters.pi import facts
from reedlight.app import config
from reedlight.app.bench import on_bench
from reedlight.app.checks import buttons, computer, lamps, pico, switches, wires
from reedlight.app.checks.finding import Check, Finding, Outcome, Unasked, Well, Wrong
from reedlight.app.checks.parts import is_read, parts
from reedlight.app.checks.visit import QUIT, SKIP, Left, Skipped, Visit
from reedlight.app.profiles import profile
from reedlight.board.kinds import counted
from reedlight.board.profile import ConfigError, Profile
from reedlight.ports import LinkLost

WELL, WRONG, LEFT = 0, 1, 2
"""Exit status: nothing is wrong; something is; the visit was ended before all was looked at."""

_ON_PI = (computer.is_alone, computer.is_raspberry)
_READ = (computer.is_alone, is_read)

CHECKS = (
    Check("Board free", computer.alone),
    Check("Raspberry Pi", computer.raspberry, computer.on_a_pi),
    Check("Buses", computer.buses, computer.on_a_pi, (computer.is_raspberry,)),
    Check("Pins", computer.pins, computer.has_pins, _ON_PI),
    Check("Expanders", computer.expander, computer.has_expander, _ON_PI),
    Check("Pico", pico.plugged, pico.has_pico, (computer.is_alone,)),
    Check("Firmware", pico.firmware, pico.has_pico, (computer.is_alone, pico.is_plugged)),
    Check("Ports", parts, needs=_ON_PI),
    Check("Cable", pico.cable, pico.has_pico, _READ),
    Check("Power", computer.power, computer.on_a_pi, _ON_PI),
    Check("Buttons at rest", buttons.at_rest, buttons.has_buttons, (computer.is_alone, buttons.are_read)),
    Check("Wires", wires.wires, wires.has_matrix, _READ),
    Check("Switches at rest", switches.rest, needs=_READ),
    Check("Buttons", buttons.pressed, buttons.has_buttons, (computer.is_alone, buttons.are_read), asks=True),
    Check(
        "Buttons' lamps",
        buttons.lit,
        buttons.has_button_lamps,
        (computer.is_alone, buttons.are_read, buttons.shine),
        asks=True,
    ),
    Check("Colours", lamps.colours, lamps.has_colours, (computer.is_alone, lamps.shine), asks=True),
    Check("Lamps", lamps.dark, lamps.has_lamps, (computer.is_alone, lamps.shine), asks=True),
    Check("Order of lamps", lamps.order, lamps.has_lamps, (computer.is_alone, lamps.shine), asks=True),
    Check("Dice", lamps.dice, lamps.has_dice, (computer.is_alone, lamps.dice_shine), asks=True),
    Check("Cells", switches.cells, needs=_READ, asks=True),
    Check("Order of cells", switches.order, needs=_READ, asks=True),
    Check("Pieces", switches.pieces, needs=(*_READ, wires.is_sound), asks=True),
)

# --------------------------------------------------------------------------------------- the command


def add_arguments(parser: ArgumentParser) -> None:
    """Which board, and whether people are asked."""
    parser.add_argument(
        "--board",
        metavar="PROFILE",
        help=f"the board, by its name or its file (default: the one in {config.WHERE})",
    )
    parser.add_argument("--quick", action="store_true", help="ask nothing; look only at what needs nobody")


def run(options: Namespace) -> int:
    """Look at a board: 0 nothing is wrong, 1 something is, 2 the visit was ended early. Raises ConfigError."""
    board = board_of(options.board)
    bench = on_bench(board)
    person = None if options.quick else AtTerminal(sys.stdin.fileno(), _print)
    return examine(Visit(board, THIS_MACHINE, facts, bench, person), _print)


def board_of(name: str | None, where: Path = config.WHERE) -> Profile:
    """The board of this name or file, or else the configuration's. Raises ConfigError."""
    if name is not None:
        return profile(name)
    if not where.exists():
        raise ConfigError(f"there is no {where} that names the board; name it: reedlight doctor --board oak-8x8")
    return config.load(where).board


def _print(text: str) -> None:
    print(text, flush=True)  # noqa: T201  # this is a command


class AtTerminal:
    """Somebody at this program's terminal."""

    def __init__(self, file: int, say: Callable[[str], None]) -> None:
        self._file = file
        self._tell = say
        self._typed = b""
        self._ended = False

    def fileno(self) -> int:
        """The terminal's file."""
        return self._file

    def say(self, text: str) -> None:
        """Tell or ask something, marked so that it is not taken for an outcome."""
        self._tell("\n".join(_wrapped(text, "  >  ", "     ")))

    def heard(self) -> str | None:
        """The next line that was typed; None if there is none yet. Raises Left at the end of the input."""
        while b"\n" not in self._typed and not self._ended and select.select([self._file], [], [], 0)[0]:
            piece = os.read(self._file, 4096)
            self._typed += piece
            self._ended = not piece
        line, end, rest = self._typed.partition(b"\n")
        if end:
            self._typed = rest
            return line.decode(errors="replace")
        if self._ended:
            raise Left
        return None


# ----------------------------------------------------------------------------------------- the visit


def examine(visit: Visit, say: Callable[[str], None], checks: Sequence[Check] = CHECKS) -> int:
    """Make every check that is about this board, telling each as it ends; the exit status."""
    say(f"{visit.profile.title} ({visit.profile.name})\n")
    if visit.person:
        visit.tell(f"Type {SKIP} at a question to leave a check out, {QUIT} to end.")
    outcomes: list[Outcome] = []
    about = [check for check in checks if check.about(visit.profile) and (visit.person or not check.asks)]
    try:
        with visit.bench, suppress(Left):
            for check in about:
                outcomes.append(made(check, visit))
                say("\n".join(told(check.name, outcomes[-1])))
    finally:
        say(f"\n{_sum(outcomes, len(about))}")
        if visit.person is None:
            say("Buttons, lamps and pieces need somebody who looks and moves: leave --quick out.")
    if any(isinstance(each, Wrong) for each in outcomes):
        return WRONG
    return WELL if len(outcomes) == len(about) else LEFT


def made(check: Check, visit: Visit) -> Outcome:
    """What a check comes to, if it can be made."""
    for need in check.needs:
        if reason := need(visit):
            return Unasked(reason)
    try:
        return check.run(visit)
    except Skipped:
        visit.bench.show()
        return Unasked("skipped")
    except LinkLost as lost:
        return Wrong(
            (
                Finding(
                    str(lost),
                    "The board was there, and was lost while it was looked at.",
                    "Look at its plugs and its supply, then call the doctor again.",
                ),
            )
        )


# ------------------------------------------------------------------------------------------ the page

WIDTH = 80
"""Characters of a line."""
_NAME = 16
_INDENT = " " * 9


def told(name: str, outcome: Outcome) -> Iterator[str]:
    """The lines that tell of one check."""
    if isinstance(outcome, Wrong):
        yield f"  WRONG  {name}"
        for finding in outcome.findings:
            yield from _finding(finding)
        return
    mark, words = ("well", outcome.says) if isinstance(outcome, Well) else ("-", outcome.because)
    yield from _wrapped(words, f"  {mark:5}  {name:{_NAME}}  ", " " * (len(_INDENT) + _NAME + 2))


def _finding(finding: Finding) -> Iterator[str]:
    yield from _wrapped(finding.fault, _INDENT, _INDENT)
    for word, text in (("why", finding.cause), ("do", finding.remedy)):
        if text:
            yield from _wrapped(text, f"{_INDENT}  {word:3}  ", f"{_INDENT}       ")


def _wrapped(text: str, first: str, others: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=others, break_on_hyphens=False, break_long_words=False
    )


def _sum(outcomes: Sequence[Outcome], about: int) -> str:
    """One line on all of it."""
    wrong = sum(len(each.findings) for each in outcomes if isinstance(each, Wrong))
    well = sum(isinstance(each, Well) for each in outcomes)
    unmade = about - well - sum(isinstance(each, Wrong) for each in outcomes)
    verdict = f"{counted(wrong, 'thing')} {'is' if wrong == 1 else 'are'} wrong" if wrong else "Nothing was found wrong"
    left = f", {unmade} could not be made" if unmade else ""
    return f"{verdict}; {counted(well, 'check')} {'is' if well == 1 else 'are'} well{left}."
