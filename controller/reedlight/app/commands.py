"""Commands: a program as a table of subcommands, and how it says in one sentence what it will not do.

A row is a name, its help, what adds its options and what runs it. Which commands there are, and how a program
ends, is each program's own.
"""

from __future__ import annotations

import contextlib
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NoReturn

from reedlight.core.quoting import shortened

REFUSED = 2
"""Exit status: what was asked cannot be done."""
LONGEST_SENTENCE = 500
"""Characters of a refusal, whatever was typed that it repeats."""


@dataclass(frozen=True, slots=True)
class Command:
    """One subcommand."""

    name: str
    help: str
    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]


class _Parser(ArgumentParser):
    """Says what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(REFUSED, f"{self.prog}: {shortened(message, LONGEST_SENTENCE)} (see {self.prog} --help)\n")


def parser_of(program: str, description: str, commands: Iterable[Command]) -> ArgumentParser:
    """A parser whose options have ``run``, what the chosen command runs."""
    parser = _Parser(prog=program, description=description)
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in commands:
        of_its_own = subparsers.add_parser(command.name, help=command.help, description=command.help)
        command.add_arguments(of_its_own)
        of_its_own.set_defaults(run=command.run)
    return parser


def refuse(program: str, sentence: str) -> int:
    """Say on standard error why something is not done; the exit status."""
    with contextlib.suppress(OSError):  # the status says it too
        print(f"{program}: {shortened(sentence, LONGEST_SENTENCE)}", file=sys.stderr)  # noqa: T201  # for commands
    return REFUSED
