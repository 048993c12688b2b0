"""Where the tests of the journal put files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from journal.places import quick_folder


@pytest.fixture
def quick() -> Iterator[Path]:
    """A folder for what is written very often."""
    with quick_folder() as folder:
        yield folder
