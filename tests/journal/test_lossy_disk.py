"""The power fails at any moment, on a disk that loses what was not synced: everything that was shown is there.

A program plays a game, takes some of it back, ends, starts again and plays on, while every write and sync of
it is recorded. For each moment between two of them images are made of what may then lie on the disk; each is
opened as the program would open it. What was shown must be in it, and nothing beyond what was about to be kept.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from shutil import rmtree

import pytest
from journal import scribe
from journal.disk import (
    SECTOR,
    Disk,
    Image,
    NoCompiler,
    Operation,
    compiled,
    lay_down,
    marks,
    operations,
    sectors,
    watching,
)
from journal.scribe import LIVES, MARKS
from journal.sitting import KINDS, script
from journal.victim import NO_GAME

from reedlight.adapters.sqlite import Games
from reedlight.app.journal import Journal
from reedlight.record.journal import Line, replay

TORN = 3
"""Images of each moment, besides the one in which all is there and the one in which nothing unsynced is."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return compiled(tmp_path_factory.mktemp("watch"))
    except NoCompiler as missing:
        pytest.skip(str(missing))


@dataclass(frozen=True)
class Recording:
    """What a program did, and the lines that it had kept in the end."""

    done: Sequence[Operation]
    lines: Sequence[Line]
    said: Sequence[str] = ()
    """What it printed."""


def record(library: Path, folder: Path, *arguments: str) -> Recording:
    """Let a program play, and record what it writes."""
    watched, log = folder / "games", folder / "log"
    watched.mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COV_", "COVERAGE_"))}
    environment["PYTHONPATH"] = os.pathsep.join((str(Path(__file__).parent.parent), *filter(None, sys.path)))
    environment |= watching(library, watched, log)
    command = [sys.executable, str(scribe.__file__), str(watched), *arguments]
    said = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout  # noqa: S603  # our own file
    done = tuple(operations(log.read_bytes()))
    games = Games(watched / "games.db")
    with closing(games):
        return Recording(done, tuple(replace(line, at=0.0) for line in games.lines(1)), said.splitlines())


def moments(done: Sequence[Operation]) -> Iterator[tuple[int, Disk, int, int]]:
    """Each moment: how many operations were done, the disk, and how many lines were shown or about to be kept."""
    disk, said = Disk(), {"shown": NO_GAME, "keeping": NO_GAME}
    for at, operation in enumerate(done, 1):
        for _, line in marks([operation], MARKS):
            what, _, number = line.partition(" ")
            said[what] = int(number)
        if operation.name != MARKS:
            disk.do(operation)
        yield at, disk, said["shown"], said["keeping"]


def found_in(image: Image, folder: Path, rng: Random) -> Sequence[Line] | str | None:
    """The lines of the game that is offered on an image; None if none is, or what is wrong with the file."""
    if folder.exists():
        rmtree(folder)
    lay_down(image, folder, rng)
    journal = Journal(lambda: Games(folder / "games.db"), float)
    with closing(journal):
        found = journal.unfinished()
        if journal.trouble or journal.notice or (found and found.past.broken):
            return journal.trouble or journal.notice or "a line cannot be read"
        return None if found is None else tuple(replace(line, at=0.0) for line in found.lines)


def complaint(recording: Recording, found: Sequence[Line] | str | None, shown: int, keeping: int) -> str:
    """What is wrong with what was found; empty if nothing is."""
    if isinstance(found, str):
        return found
    number = NO_GAME if found is None else len(found)
    if found is not None and tuple(found) != recording.lines[:number]:
        return "lines differ"
    if number < shown:
        return f"{shown} lines had been shown, and {number} are left"
    return "" if number <= keeping else f"{number} lines were found, and {keeping} were about to be kept"


def losses(recording: Recording, folder: Path, every: int = 1) -> tuple[Counter[str], int]:
    """What is wrong with all images, and how many there were."""
    wrong, images = Counter[str](), 0
    for at, disk, shown, keeping in moments(recording.done):
        if at % every:
            continue
        rng = Random(at)
        for image in (disk.killed(), disk.forgetful(), *(disk.torn(rng) for _ in range(TORN))):
            images += 1
            said = complaint(recording, found_in(image, folder / "image", rng), shown, keeping)
            wrong.update([said] if said else [])
    return wrong, images


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind[0])
def test_whatever_the_disk_loses_what_was_shown_is_there(library: Path, quick: Path, kind: tuple[str, str]) -> None:
    recording = record(library, quick, *kind)
    assert sum(operation.what == "sync" for operation in recording.done) > len(recording.lines)
    assert recording.done.count(Operation("unlink", "games.db-wal")) == len(LIVES)
    assert recording.done.count(Operation("sync", "games.db")) > 2 * len(LIVES), "the log was moved several times"
    wrong, images = losses(recording, quick)
    assert not wrong
    assert images > 4 * len(recording.lines)


def test_a_program_that_does_not_wait_for_the_disk_is_found_out(library: Path, quick: Path) -> None:
    recording = record(library, quick, *KINDS[2], "NORMAL")
    wrong, _ = losses(recording, quick, every=7)
    assert any("had been shown" in said for said in wrong)


def test_a_damaged_file_is_not_lost_while_it_is_put_aside(library: Path, quick: Path) -> None:
    folder, log = quick / "games", quick / "log"
    folder.mkdir()
    before = {"games.db": b"no database " * 400, "games.db-wal": b"half a log " * 40}
    for name, content in before.items():
        (folder / name).write_bytes(content)
    story = (
        "import sys; from pathlib import Path; from reedlight.adapters.sqlite import Games; Games(Path(sys.argv[1]))"
    )
    command = [sys.executable, "-c", story, str(folder / "games.db")]
    subprocess.run(command, env={**os.environ, **watching(library, folder, log)}, check=True)  # noqa: S603  # see above
    done = list(operations(log.read_bytes()))
    assert [operation.name for operation in done if operation.what == "rename"][-1] == "games.db"
    disk = Disk(before)
    for operation in done:
        disk.do(operation)
        for image in (disk.killed(), disk.forgetful(), *(disk.torn(Random(seed)) for seed in range(8))):
            found_in(image, quick / "image", Random(1))
            left = [part.read_bytes() for part in (quick / "image").iterdir()]
            assert all(content in left for content in before.values())


def test_a_disk_that_cannot_sync_for_a_while_is_said_and_is_given_all_of_it_later(library: Path, quick: Path) -> None:
    recording = record(library, quick, *KINDS[2], "BROKEN")
    games = quick / "games" / "games.db"
    assert recording.said == [f"Games cannot be kept in {games}: the disk does not answer properly.", ""]
    played = script(*KINDS[2], 0, 12)
    past = replay(played.game, played.states[0], recording.lines)
    assert tuple(entry.action for entry in past.entries) == played.steps


# ------------------------------------------------------------------------------------ the disk itself


def after(*done: Operation) -> Disk:
    disk = Disk()
    for operation in done:
        disk.do(operation)
    return disk


A, B = b"a" * SECTOR, b"b" * SECTOR
NEW = Operation("create", "file")
FOLDER = Operation("folder")
SYNC = Operation("sync", "file")


def torn_images(disk: Disk) -> set[tuple[tuple[str, bytes], ...]]:
    return {tuple(sorted(disk.torn(Random(seed)).items())) for seed in range(300)}


def test_what_is_synced_stays_and_what_is_not_may_be_there_or_not() -> None:
    disk = after(NEW, FOLDER, Operation("write", "file", 0, A), SYNC, Operation("write", "file", 0, B))
    assert disk.killed() == {"file": B}
    assert disk.forgetful() == {"file": A}
    assert torn_images(disk) == {(("file", A),), (("file", B),)}


def test_a_write_may_be_torn_into_sectors_but_no_further() -> None:
    disk = after(NEW, FOLDER, Operation("write", "file", 0, A + A), SYNC, Operation("write", "file", 0, B + B))
    assert torn_images(disk) == {(("file", one + other),) for one in (A, B) for other in (A, B)}


def test_writes_may_come_in_any_order() -> None:
    disk = after(NEW, FOLDER, Operation("write", "file", 0, A), Operation("write", "file", SECTOR, B))
    assert (("file", bytes(SECTOR) + B),) in torn_images(disk)
    assert (("file", A),) in torn_images(disk)


def test_a_file_may_have_no_name_before_its_folder_is_synced() -> None:
    disk = after(NEW, Operation("write", "file", 0, A), SYNC)
    assert disk.forgetful() == {}
    assert torn_images(disk) == {(), (("file", A),)}
    disk.do(FOLDER)
    assert disk.forgetful() == {"file": A}


def test_a_file_that_was_unlinked_or_renamed_may_be_back() -> None:
    disk = after(NEW, Operation("write", "file", 0, A), SYNC, FOLDER, Operation("unlink", "file"))
    assert disk.killed() == {}
    assert torn_images(disk) == {(), (("file", A),)}
    disk = after(NEW, Operation("write", "file", 0, A), SYNC, FOLDER, Operation("rename", "file", to="other"))
    assert disk.killed() == {"other": A}
    assert disk.forgetful() == {"file": A}


def test_a_file_may_be_cut_and_grow() -> None:
    disk = after(NEW, Operation("write", "file", 0, A + B), Operation("truncate", "file", SECTOR))
    assert disk.killed() == {"file": A}
    disk.do(Operation("truncate", "file", SECTOR + 1))
    assert disk.killed() == {"file": A + b"\0"}
    assert (("file", A + B),) in torn_images(disk)


def test_a_write_is_cut_where_sectors_begin() -> None:
    parts = list(sectors(Operation("write", "file", SECTOR - 1, b"xyz")))
    assert [(part.at, part.data) for part in parts] == [(SECTOR - 1, b"x"), (SECTOR, b"yz")]


def test_what_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="nobody knows what it is to dance"):
        Disk().do(Operation("dance"))


def test_a_log_is_read_as_it_was_written() -> None:
    log = b"create a\nwrite a 3 4\n\n\n\n\nsync a\ntruncate a 1\nrename a b\nfolder \nunlink b\n"
    assert list(operations(log)) == [
        Operation("create", "a"),
        Operation("write", "a", 3, b"\n\n\n\n"),
        Operation("sync", "a"),
        Operation("truncate", "a", 1),
        Operation("rename", "a", to="b"),
        Operation("folder"),
        Operation("unlink", "b"),
    ]


def test_the_library_tells_everything_that_was_written(library: Path, tmp_path: Path) -> None:
    folder, log = tmp_path / "watched", tmp_path / "log"
    folder.mkdir()
    story = (
        "import os, sys; os.chdir(sys.argv[1]); path = sys.argv[1]; "
        "file = os.open(path + '/a', os.O_RDWR | os.O_CREAT); os.write(file, b'one'); os.pwrite(file, b'two', 9); "
        "os.fdatasync(file); os.ftruncate(file, 5); os.fsync(file); os.close(file); "
        "os.rename(path + '/a', path + '/b'); "
        "here = os.open(path, os.O_RDONLY); os.fsync(here); os.unlink(path + '/b'); "
        "os.mkdir(path + '/deeper'); os.open(path + '/deeper/c', os.O_RDWR | os.O_CREAT)"
    )
    command = [sys.executable, "-c", story, str(folder)]
    subprocess.run(command, env={**os.environ, **watching(library, folder, log)}, check=True)  # noqa: S603  # see above
    assert list(operations(log.read_bytes())) == [
        Operation("create", "a"),
        Operation("write", "a", -1, b"one"),
        Operation("write", "a", 9, b"two"),
        Operation("sync", "a"),
        Operation("truncate", "a", 5),
        Operation("sync", "a"),
        Operation("rename", "a", to="b"),
        Operation("folder"),
        Operation("unlink", "b"),
    ]


def test_without_a_compiler_it_is_said_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoCompiler, match="neither cc nor gcc is here"):
        compiled(tmp_path)
    (tmp_path / "cc").write_text("#!/bin/sh\necho no such header >&2\nexit 1\n")
    (tmp_path / "cc").chmod(0o755)
    with pytest.raises(NoCompiler, match="cannot make what watches the disk: no such header"):
        compiled(tmp_path)


@pytest.mark.parametrize(
    ("found", "shown", "keeping", "said"),
    [
        (2, 2, 3, ""),
        (3, 2, 3, ""),
        (1, 2, 3, "2 lines had been shown, and 1 are left"),
        (4, 2, 3, "4 lines were found, and 3 were about to be kept"),
        (None, NO_GAME, NO_GAME, ""),
        (None, 0, 1, "0 lines had been shown, and -1 are left"),
    ],
)
def test_what_is_found_is_held_against_what_was_shown(found: int | None, shown: int, keeping: int, said: str) -> None:
    recording = Recording((), tuple(Line("act", str(number)) for number in range(6)))
    assert complaint(recording, None if found is None else recording.lines[:found], shown, keeping) == said
    assert complaint(recording, "it is damaged", shown, keeping) == "it is damaged"
    assert complaint(recording, [Line("back")], 0, 1) == "lines differ"
