"""``python -m hardware.generator``: write every generated file of this folder, or name those that are stale.

    --check                     write nothing; name what is stale and end with 1
    --board FILE --into FOLDER  write the files of a board of one's own, from its profile

All look for mistakes in the boards first and end with 1 where there are any.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from hardware.generator.boards import BOARDS, Board, board_of, built
from hardware.generator.checks import mistakes
from hardware.generator.files import all_files, as_bytes, board_files
from hardware.generator.parts import load
from reedlight.board.profile import ConfigError
from reedlight.board.toml import read

HERE = Path(__file__).parent.parent
"""The folder that the files are in."""


def main(arguments: list[str] | None = None) -> int:
    """Write or check, and say what was done."""
    given = _given(arguments)
    try:
        boards = [_own(given.board)] if given.board else [board_of(name) for name in BOARDS]
    except (ConfigError, OSError) as reason:
        return _told((str(reason),))
    if found := [sentence for board in boards for sentence in mistakes(board)]:
        return _told(found)
    if given.board:
        return _written(given.into, as_bytes(board_files(boards[0])))
    files = all_files()
    if given.check:
        return _told(f"{sentence}; run make hardware" for sentence in stale(HERE, files))
    remove_strange(HERE, files)
    return _written(HERE, files)


def _given(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m hardware.generator", description="Tables and drawings of boards.")
    parser.add_argument("--check", action="store_true", help="write nothing; name what is stale and end with 1")
    parser.add_argument("--board", type=Path, metavar="FILE", help="the profile of a board of one's own")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="where the files of that board go")
    given = parser.parse_args(arguments)
    if bool(given.board) != bool(given.into) or (given.board and given.check):
        parser.error("--board and --into go together, and not with --check")
    return given


def _own(file: Path) -> Board:
    return built(read(file.read_text("utf-8"), file.name), load())


def _told(sentences: Iterable[str]) -> int:
    found = list(sentences)
    for sentence in found:
        sys.stderr.write(f"{sentence}\n")
    return 1 if found else 0


def _written(folder: Path, files: Mapping[str, bytes]) -> int:
    write(folder, files)
    sys.stdout.write(f"{len(files)} files in {folder}\n")
    return 0


def stale(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    """What differs from what would be written, a sentence for each file."""
    found: list[str] = []
    for name, content in files.items():
        path = folder / name
        if not path.is_file():
            found.append(f"hardware/{name} is missing")
        elif path.read_bytes() != content:
            found.append(f"hardware/{name} is stale")
    return found + [
        f"hardware/{path.relative_to(folder).as_posix()} is made by nothing" for path in _strange(folder, files)
    ]


def _strange(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Files in the boards' folders that nothing makes."""
    there = (path for board in BOARDS for path in sorted((folder / board).rglob("*")) if path.is_file())
    return [path for path in there if path.relative_to(folder).as_posix() not in files]


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write every file."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def remove_strange(folder: Path, files: Mapping[str, bytes]) -> None:
    """Take away from the boards' folders what nothing makes any more."""
    for path in _strange(folder, files):
        path.unlink()


if __name__ == "__main__":
    sys.exit(main())
