"""A folder for what is written very often: in memory, where there is such a folder, so that no disk is waited for.

What a disk would do is the matter of the tests that say so.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

MEMORY = Path("/dev/shm")  # noqa: S108  # a folder of its own is made in it


@contextmanager
def quick_folder() -> Generator[Path]:
    """A folder that is gone afterwards."""
    with TemporaryDirectory(prefix="reedlight-", dir=MEMORY if MEMORY.is_dir() else None) as folder:
        yield Path(folder)
