"""Compiles the rules of draughts and the search to machine code: ``make compiled``.

A copy of the package is made, and in the copy mypyc turns the modules where the time goes into extension
modules. They are the same source but for one thing: a type alias that stands for ``int`` there becomes a
machine integer of 64 bits here, which mypyc keeps in a register. Whoever has the copy first on the path
(``PYTHONPATH``) runs the compiled modules; nothing else differs, and the tests hold both to the same.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "controller" / "reedlight"
COMPILED = (
    "games/draughts/compact.py",
    "players/draughts/endings.py",
    "players/draughts/value.py",
    "players/draughts/search.py",
)
"""Modules that call one another all the time: compiled together, they do so without going through Python."""
MACHINE_INTEGER = re.compile(r"^(\w+): TypeAlias = int$", re.MULTILINE)


def compile_into(folder: Path) -> None:
    """Make the copy anew, and compile it."""
    shutil.rmtree(folder, ignore_errors=True)
    copy = folder / PACKAGE.name
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for name in COMPILED:
        module = copy / name
        module.write_text(MACHINE_INTEGER.sub(r"from mypy_extensions import i64 as \1", module.read_text()))
    modules = [f"{PACKAGE.name}/{name}" for name in COMPILED]
    mypyc = [str(Path(sys.executable).parent / "mypyc"), "--ignore-missing-imports", *modules]
    done = subprocess.run(mypyc, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603 - our own files
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    print(f"compiled into {folder}: put it first on PYTHONPATH")  # noqa: T201  # this is a command


if __name__ == "__main__":
    compile_into(Path(sys.argv[1]).resolve())
