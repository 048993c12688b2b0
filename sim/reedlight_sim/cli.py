"""The command ``reedlight-sim``: games performed at a simulated board, with no hardware and no waiting.

    reedlight-sim play              on a page in the browser, by hand
    reedlight-sim perform FILE      every game of a file, by a hand
    reedlight-sim soak              random games, by a hand, for as long as one likes
    reedlight-sim replay-trace FILE what the switches said, played through the program again

Performing and soaking end with one line on standard output, ``games N moves N wrong N asked N``. *Wrong* are
games whose record is not what the hand meant; they are told on standard error, and make the exit status 1. *Asked* is
how often the board needed a person to say what no switch could tell. What can't be done is told in one
sentence on standard error, with exit status 2, before anything is begun.

    standard output     closed from the start, or full      one sentence, exit status 2
                        closed by its reader                no word, 141
    standard error      closed, or full                     the run goes on without it
    Ctrl-C              at any time                         no word, 130

The commands themselves, and all they need, are imported only once an interruption can be caught: that
import is the better part of the first second.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from io import StringIO
from typing import TextIO

REFUSED, INTERRUPTED, PIPE_CLOSED = 2, 130, 141
"""Exit statuses; the last two are what a shell gives a program ended by SIGINT and SIGPIPE."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is what it says, or what the module says."""
    if sys.stderr is None:
        sys.stderr = StringIO()  # nobody listens, and nobody else needs to know
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        _finish(sys.stderr)


def _run(arguments: Sequence[str] | None) -> int:
    if sys.stdout is None:
        return _refused("standard output is closed")
    try:
        status = _status(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        _discard(sys.stdout)
        return PIPE_CLOSED
    except OSError as error:
        _discard(sys.stdout)
        return _refused(f"cannot go on: {error.strerror or error}")
    return status


def _status(arguments: Sequence[str] | None) -> int:
    from reedlight_sim import commands  # noqa: PLC0415  # where an interruption of it is caught

    try:
        return commands.run(arguments)
    except SystemExit as end:  # the parser's: its help or its refusal still has to be written out
        return int(end.code or 0)


def _refused(why: str) -> int:
    with contextlib.suppress(OSError):
        print(f"reedlight-sim: {why}", file=sys.stderr)  # noqa: T201  # this is a command
    return REFUSED


def _finish(stream: TextIO) -> None:
    try:
        stream.flush()
    except OSError:
        _discard(stream)


def _discard(stream: TextIO) -> None:
    """Let what could not be written go, or the interpreter tries again when it closes its streams."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
