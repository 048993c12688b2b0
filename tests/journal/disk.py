"""A disk that loses what was not synced: from all that a program wrote, what may be left when the power fails.

    watch.c ──log──► operations ──► Disk ──any moment──► images: what may lie there afterwards

What a file held when it was last synced, it holds. Of everything written since, any part may be there and any
other not, in whatever order, and down to single sectors. The same is true of names: until the folder is synced
a new file may have none yet, and one that was unlinked still have it; only where files were renamed did all of
it happen in its order, for no file system forgets both names of a file. So of one moment there are many
images; the two extremes, nothing and all, are always among those that are looked at.

A sector is written whole or not at all, and writing into it harms nothing else: that much SQLite and every
disk maker promise.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import MappingProxyType

SECTOR = 512
WATCH = Path(__file__).with_name("watch.c")
INDEX = "-shm"
"""The end of a file that is no use without the program that mapped it; what is in it then is anything."""


class NoCompiler(RuntimeError):
    """There is nothing to make the watching library with; the message says what was tried."""


def compiled(folder: Path) -> Path:
    """The library that watches, made with the C compiler of this machine. Raises NoCompiler."""
    library, compiler = folder / "watch.so", shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise NoCompiler("what watches the disk is made with a C compiler, and neither cc nor gcc is here")
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(WATCH), "-ldl"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # our own file
    if made.returncode:
        raise NoCompiler(f"{compiler} cannot make what watches the disk: {made.stderr.strip()[:300]}")
    return library


def watching(library: Path, folder: Path, log: Path) -> Mapping[str, str]:
    """The environment in which a program is watched while it writes into a folder."""
    return {"LD_PRELOAD": str(library), "REEDLIGHT_FOLDER": str(folder), "REEDLIGHT_LOG": str(log)}


# ------------------------------------------------------------------------------------ what was done


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that a program did in the folder."""

    what: str
    name: str = ""
    at: int = 0
    """The offset of a write, or the size that a file was cut to."""
    data: bytes = b""
    to: str = ""
    """The new name."""


def operations(log: bytes) -> Iterator[Operation]:
    """What a log tells."""
    at = 0
    while at < len(log):
        end = log.index(b"\n", at)
        what, *rest = log[at:end].decode().split()
        at = end + 1
        match what:
            case "write":
                name, offset, length = rest[0], int(rest[1]), int(rest[2])
                yield Operation(what, name, offset, log[at : at + length])
                at += length
            case "truncate":
                yield Operation(what, rest[0], int(rest[1]))
            case "rename":
                yield Operation(what, rest[0], to=rest[1])
            case _:
                yield Operation(what, *rest[:1])


# ------------------------------------------------------------------------------------ what is left


@dataclass
class _File:
    synced: bytes = b""
    since: list[Operation] = field(default_factory=list[Operation])

    def after(self, chosen: Callable[[Operation], Iterator[Operation]]) -> bytes:
        """What is in it, if of each operation since the last sync this much has reached the disk."""
        content = bytearray(self.synced)
        for operation in self.since:
            for part in chosen(operation):
                _do(content, part)
        return bytes(content)


def _do(content: bytearray, operation: Operation) -> None:
    if operation.what == "truncate":
        del content[operation.at :]
        content.extend(bytes(operation.at - len(content)))
        return
    content.extend(bytes(max(operation.at - len(content), 0)))
    content[operation.at : operation.at + len(operation.data)] = operation.data


Image = Mapping[str, bytes]
"""What lies in a folder: contents by names."""


class Disk:
    """What was written, what of it was synced, and under which names."""

    def __init__(self, before: Image = MappingProxyType({})) -> None:
        self._named = {name: _File(content) for name, content in before.items()}
        """As the program sees it."""
        self._names = [dict(self._named)]
        """As it was when the folder was last synced, and after every change since."""
        self._was_renamed = False

    def do(self, operation: Operation) -> None:
        """Something more was done."""
        match operation.what:
            case "create":
                self._named[operation.name] = _File()
            case "write" | "truncate":
                self._named.setdefault(operation.name, _File()).since.append(operation)
            case "sync":
                file = self._named[operation.name]
                file.synced, file.since = file.after(_all), []
            case "unlink":
                self._named.pop(operation.name, None)
            case "rename":
                self._named[operation.to] = self._named.pop(operation.name)
                self._was_renamed = True
            case "folder":
                self._names, self._was_renamed = [], False
            case other:
                raise ValueError(f"nobody knows what it is to {other}")
        if not self._names or self._names[-1] != self._named:
            self._names.append(dict(self._named))

    def killed(self) -> Image:
        """All of it: what lies there when the program dies and the machine lives on."""
        return {name: file.after(_all) for name, file in self._named.items()}

    def forgetful(self) -> Image:
        """Nothing but what was synced."""
        return {name: file.synced for name, file in self._names[0].items()}

    def torn(self, rng: Random) -> Image:
        """Anything between: any sector of any write, any name."""
        names = rng.choice(self._names) if self._was_renamed else self._any_names(rng)
        return {name: file.after(lambda operation: _some(operation, rng)) for name, file in sorted(names.items())}

    def _any_names(self, rng: Random) -> Mapping[str, _File]:
        """Each name as it is or as it was, whatever became of the others."""
        first, last = self._names[0], self._named
        chosen = {name: rng.choice((first.get(name), last.get(name))) for name in sorted(first.keys() | last.keys())}
        return {name: file for name, file in chosen.items() if file is not None}


def _all(operation: Operation) -> Iterator[Operation]:
    yield operation


def _some(operation: Operation, rng: Random) -> Iterator[Operation]:
    """The whole of an operation, nothing of it, or some sectors."""
    fate = rng.randrange(3)
    if fate == 0 or (operation.what == "truncate" and fate == 1):
        yield operation
    elif fate == 1:
        yield from (part for part in sectors(operation) if rng.random() < 0.5)


def sectors(operation: Operation) -> Iterator[Operation]:
    """A write as one for every sector that it touches."""
    at, data = operation.at, operation.data
    while data:
        length = SECTOR - at % SECTOR
        yield Operation(operation.what, operation.name, at, data[:length])
        at, data = at + length, data[length:]


def lay_down(image: Image, folder: Path, rng: Random) -> None:
    """Make a folder that holds an image; in an index of what was mapped stands anything."""
    folder.mkdir(parents=True)
    for name, content in image.items():
        (folder / name).write_bytes(rng.randbytes(len(content)) if name.endswith(INDEX) else content)


def marks(done: Sequence[Operation], name: str) -> Iterator[tuple[int, str]]:
    """Every line that a program wrote into a file of marks, and how many operations there were before it."""
    for at, operation in enumerate(done):
        if operation.what == "write" and operation.name == name:
            yield from ((at, line) for line in operation.data.decode().splitlines())
