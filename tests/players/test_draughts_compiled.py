"""The compiled build searches as the source does: the same nodes, worths and counts. Skipped where it is not built."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
COMPILED = ROOT / ".build" / "compiled"
SEARCHED = """
import json
from random import Random
from reedlight.games.draughts import compact
from reedlight.players.draughts.search import BOTH_ENDS, INFINITE, Search
rng = Random(3)
told = [compact.__file__.rsplit(".", 1)[1], compact.leaves(*compact.START, compact.TOP, 6)]
for game in range(10):
    position, far = compact.START, compact.TOP
    for _ in range(9 * game):
        ways = compact.afters(*position, far)
        if not ways:
            break
        position, far = rng.choice(ways), far ^ BOTH_ENDS
    search = Search(1 << 30, lambda: False, {}, 0)
    worth = search.worth(*position, far, -INFINITE, INFINITE, 4, 1, 0)
    told.append([worth, search.nodes, compact.leaves(*position, far, 3)])
print(json.dumps(told))
"""


def told(path: Path) -> list[object]:
    environment = {**os.environ, "PYTHONPATH": str(path)}
    done = subprocess.run(  # noqa: S603 - our own Python
        [sys.executable, "-c", SEARCHED], env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_the_compiled_build_finds_what_the_source_finds() -> None:
    if not COMPILED.is_dir():
        if os.environ.get("CI"):
            pytest.fail("not compiled: make compiled")
        pytest.skip("not compiled: make compiled")
    source, compiled = told(ROOT / "controller"), told(COMPILED)
    assert (source[0], compiled[0]) == ("py", "so")
    assert source[1:] == compiled[1:]
