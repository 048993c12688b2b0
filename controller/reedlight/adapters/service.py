"""The service manager: readiness and the watchdog, and log lines that its journal understands.

The protocol of notifications is one datagram to a socket that the environment names; without the name
nobody is listening and nothing is sent. A log line is one fact: a word and its particulars.

    <6>accepted what=c3-d4 number=12                   under systemd, which adds the time
    10:31:07 INFO accepted what=c3-d4 number=12        in a terminal
"""

from __future__ import annotations

import json
import logging
import os
import socket
import sys
from collections.abc import Mapping
from typing import TextIO

_PRIORITIES: Mapping[int, int] = {
    logging.DEBUG: 7,
    logging.INFO: 6,
    logging.WARNING: 4,
    logging.ERROR: 3,
    logging.CRITICAL: 2,
}
_OTHERS: Mapping[str, int] = {"aiohttp": logging.CRITICAL, "asyncio": logging.WARNING}
"""From which level on others may write here: what strangers send to a port is no fault of ours, and is answered."""
_MICRO = 1_000_000


def notify(*facts: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Tell the service manager facts such as ``READY=1``; whether there was one to be told."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return False
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
            sender.connect(address.replace("@", "\0", 1) if address[0] == "@" else address)
            sender.sendall("\n".join(facts).encode())
    except OSError:
        return False
    return True


def watchdog_seconds(environment: Mapping[str, str] = os.environ) -> float | None:
    """How often the service manager wants a sign of life at least; None if it wants none of this process."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    microseconds = environment.get("WATCHDOG_USEC", "")
    return int(microseconds) / _MICRO if microseconds.isascii() and microseconds.isdecimal() else None


def fact(word: str, **particulars: object) -> str:
    """One fact as a line: values that hold more than one word are quoted."""
    return " ".join((word, *(f"{key}={_quoted(str(value))}" for key, value in particulars.items())))


def _quoted(value: str) -> str:
    plain = value.isprintable() and value and not set(value) & set(' "=')
    return value if plain else json.dumps(value)


class _ForTheJournal(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        """Each line with its priority."""
        return "\n".join(f"<{_PRIORITIES[record.levelno]}>{line}" for line in super().format(record).splitlines())


def log_to(stream: TextIO = sys.stderr, level: int = logging.INFO, environment: Mapping[str, str] = os.environ) -> None:
    """Send log lines to a stream, with priorities where it leads to a journal."""
    to_stream = logging.StreamHandler(stream)
    if _is_journal(stream, environment.get("JOURNAL_STREAM", "")):
        to_stream.setFormatter(_ForTheJournal("%(message)s"))
    else:
        to_stream.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s", "%H:%M:%S"))
    logging.basicConfig(level=level, handlers=[to_stream], force=True)
    for name, from_level in _OTHERS.items():
        logging.getLogger(name).setLevel(from_level)


def _is_journal(stream: TextIO, named: str) -> bool:
    """Whether a stream is the one that the environment names by its file; a terminal may have inherited the name."""
    try:
        file = os.fstat(stream.fileno())
    except OSError:  # a stream without a file says so with one, too
        return False
    return named == f"{file.st_dev}:{file.st_ino}"
