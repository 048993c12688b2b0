"""Files of games, read for the commands: PDN, Reedlight records, JSON lines, in the letters that are in use.

    file ──bytes──► text ──keeping.read──► accounts, and why the rest cannot be read

Text is UTF-8; a file in UTF-16 says so by its first bytes. What is neither is old: names in Cyrillic letters stand
two and more side by side (Windows-1251), letters with accents mostly alone (Latin-1). Moves are ASCII in all of
them. What cannot be a file of games at all is a ConfigError.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from stat import S_ISREG
from typing import Any

from reedlight.board.profile import ConfigError
from reedlight.games import make
from reedlight.record import keeping
from reedlight.record.account import Account
from reedlight.record.keeping import Unreadable

LARGEST_FILE = 16 * 1024 * 1024
"""Bytes; a collection of twenty thousand games has some ten million."""
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_HIGH = re.compile(b"[\x80-\xff]+")


def games_in(path: Path) -> Iterator[Account[Any] | Unreadable]:
    """Every game of a file, in order, or why it cannot be read. Raises ConfigError where there is none at all."""
    found = keeping.read(text_of(path), make)
    first = next(found, None)
    if first is None:
        raise ConfigError(f"{path}: there is no game in it")
    return chain((first,), found)


def game_in(path: Path, number: int) -> Account[Any]:
    """The game of this number in a file, counted from 1. Raises ConfigError."""
    found = next(islice(games_in(path), number - 1, None), None)
    if found is None:
        raise ConfigError(f"{path}: has fewer than {number} games")
    if isinstance(found, Unreadable):
        raise ConfigError(f"{path}: {found.why}")
    return found


def text_of(path: Path) -> str:
    """The text of a file of games. Raises ConfigError."""
    text = _decoded(_bytes_of(path))
    if _NO_TEXT.search(text):
        raise ConfigError(f"{path}: is no text but something binary")
    if not text.strip():
        raise ConfigError(f"{path}: is empty")
    return text


def _bytes_of(path: Path) -> bytes:
    try:
        # A pipe or a device may never end, so it is not even opened.
        raw = _first_bytes(path) if S_ISREG(path.stat().st_mode) else None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror or error})") from None
    except ValueError:
        raise ConfigError(f"{path.name!r}: a file cannot have this name") from None
    if raw is None:
        raise ConfigError(f"{path}: is no regular file")
    if len(raw) > LARGEST_FILE:
        raise ConfigError(f"{path}: has more than {LARGEST_FILE // 1024**2} megabytes; divide it")
    return raw


def _first_bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LARGEST_FILE + 1)


def _decoded(raw: bytes) -> str:
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16", "replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1251" if _is_cyrillic(raw) else "latin-1", "replace")


def _is_cyrillic(raw: bytes) -> bool:
    """Whether most letters beyond ASCII stand side by side."""
    lengths = [len(run[0]) for run in _HIGH.finditer(raw)]
    return 2 * lengths.count(1) < sum(lengths)
