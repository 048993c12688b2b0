"""Profiles: the boards that come with the program, and those in files of their owners."""

from __future__ import annotations

from pathlib import Path

from reedlight.board.profile import ConfigError, Profile
from reedlight.board.toml import load_packaged, packaged, read

LARGEST_FILE = 256 * 1024
"""Bytes; a board of 676 cells with every number written out has some ten thousand."""


def profile(name: str, beside: Path = Path()) -> Profile:
    """The packaged board of this name, or the one in this file, which is looked for beside another.

    Raises ConfigError.
    """
    if name in packaged():
        return load_packaged(name)
    if not name.endswith(".toml"):
        raise ConfigError(f"there is no board {name!r}; there are {', '.join(packaged())}, or name a file (….toml)")
    return read(text_of(beside / name), name)


def text_of(path: Path) -> str:
    """The text of a small file. Raises ConfigError."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror or error})") from None
    except ValueError:
        raise ConfigError(f"{path.name!r}: a file cannot have this name") from None
    if len(content) > LARGEST_FILE:
        raise ConfigError(f"{path}: has more than {LARGEST_FILE // 1024} kilobytes and is no such file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not text in UTF-8 (byte {error.start})") from None
