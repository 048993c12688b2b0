"""What every test may ask for: where the published games are."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parent.parent
PUBLISHED = Path(os.environ.get("REEDLIGHT_VECTORS", ROOT.parent / "shared" / "vectors"))


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder of games published by others, which the project does not copy."""
    if not PUBLISHED.is_dir():
        pytest.skip(f"the published games are not at {PUBLISHED}; set REEDLIGHT_VECTORS to their folder")
    return PUBLISHED


# A slow machine is no fault of what is tested.
hypothesis.settings.register_profile("suite", deadline=None)
hypothesis.settings.load_profile("suite")
