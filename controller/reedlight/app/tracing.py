"""Traces: what came in at a table is written to a file, told as a story, and played again.

    tabletop ──witness──► Recorder ──lines──► file      reedlight run --trace FILE
    file ──► a story                                    reedlight trace show FILE
    file ──► a tabletop in virtual time                 reedlight trace play FILE

What the program made of it stands in the file as comments, and played again it must make the same of it. The
format is told in ``record.switches``. A line is in the hands of the operating system before anything is done about
it, and on the disk within a second. Nothing that goes wrong with the file touches the game: it is said in a
sentence, and nothing more is written.
"""

from __future__ import annotations

import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from reedlight.app.playback import Player, Verdict, compare
from reedlight.app.telling import NEW, SHOWN, Before, Retelling, dump, what_of, words_of_settings
from reedlight.board import write
from reedlight.board.layout import Layout
from reedlight.board.profile import ConfigError, Profile
from reedlight.board.toml import packaged
from reedlight.games import REGISTRY
from reedlight.record import switches
from reedlight.record.story import story
from reedlight.record.switches import END, BadTrace, Fell, Head, Line, Note, Trace, Writer
from reedlight.session.events import Effect
from reedlight.session.session import Session
from reedlight.tabletop import Coming, Tabletop

__all__ = ["SHOWN", "Before", "Recorder", "add_arguments", "add_play_arguments", "load", "run"]

SYNC = 1.0
"""Seconds for which what was written may be with the operating system alone."""
LARGEST_FILE = 64 * 1024 * 1024
"""Bytes; months of play."""
DIFFERENT = 1
"""Exit status: played again, something else came of it."""


class Recorder:
    """Adds traces to a file. Raises ConfigError where there cannot be one."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock
        self._unsynced = False
        self._synced_at = float("-inf")
        self._writer: Writer | None = None
        self._at: Callable[[], float] = float
        self.trouble = ""
        """Why nothing more is written; empty while all is well."""
        try:
            torn = _is_torn(path)
            self._file = path.open("ab")
        except (OSError, ValueError) as error:
            raise ConfigError(f"{path}: no trace can be written there ({_why(error)})") from None
        if torn:
            self._write(f"{switches.TORN}\n")

    def begin(self, tabletop: Tabletop, now: float, board: Profile | None = None, before: Before | None = None) -> None:
        """Write down what comes in at this tabletop from now on, after what came before."""
        self._finish()
        session = tabletop.session
        self._at = lambda: tabletop.now - now
        self._writer = Writer(self._head(session, tabletop.rig.layout, board, before))
        self._write(self._writer.head())
        tabletop.witness = partial(self._witness, tabletop, Retelling(session))

    def _head(self, session: Session, layout: Layout, board: Profile | None, before: Before | None) -> Head:
        game = session.game
        begun = datetime.fromtimestamp(self._clock(), UTC)
        return Head(
            game.name,
            game.size,
            layout.switches,
            board=board.name if board else "",
            begun=f"{begun:%Y-%m-%dT%H:%M:%SZ}",
            settings=words_of_settings(session.settings),
            start=before.start if before else dump(game, session.state),
            past=tuple((line.kind, line.text) for line in before.lines) if before else (),
            profile=write.text(board) if board and board.name not in packaged() else "",
            sitting=before.sitting if before else NEW,
        )

    def _witness(self, tabletop: Tabletop, retelling: Retelling, coming: Coming | Effect) -> None:
        what = what_of(coming, tabletop.session) or _noted(retelling, coming)
        if what is None:
            return
        overdue = None if isinstance(what, Note | Fell) else tabletop.overdue
        self._line(what, None if overdue is None else tabletop.now - overdue)

    def remark(self, text: str) -> None:
        """Put down something else that whoever reads the trace should know."""
        self._line(Note(text))

    def _line(self, what: switches.What, late: float | None = None) -> None:
        if self._writer and not self.trouble:
            self._write(self._writer.line(Line(self._at(), what, late)))

    def _write(self, text: str) -> None:
        if self.trouble:
            return
        try:
            self._file.write(text.encode())
            self._file.flush()
            self._unsynced = True
        except OSError as error:
            self._fail(error)

    def keep(self, now: float) -> None:
        """Have the disk take what it does not have, if the last time is long enough ago."""
        if not self._unsynced or self.trouble or now - self._synced_at < SYNC:
            return
        self._synced_at, self._unsynced = now, False
        try:
            os.fdatasync(self._file.fileno())
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        self.trouble = f"The trace in {self._path} is written no further: {_why(error)}."

    def _finish(self) -> None:
        self._line(Note(END))
        self._writer = None

    def close(self) -> None:
        """End the last trace, and let the file go."""
        self._finish()
        self.keep(float("inf"))
        try:
            self._file.close()
        except OSError as error:  # what the disk would not take before it does not take now
            self._fail(error)


def _is_torn(path: Path) -> bool:
    """Whether a file ends in the middle of a line. Raises OSError or ValueError where it cannot be looked at."""
    if not path.exists():
        return False
    with path.open("rb") as written:
        size = written.seek(0, os.SEEK_END)
        written.seek(max(0, size - 1))
        return written.read(1) not in (b"", b"\n")


def _why(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _noted(retelling: Retelling, coming: Coming | Effect) -> Note | None:
    said = retelling.of(coming)
    return None if said is None else Note(said)


# --------------------------------------------------------------------------------------- the command


def add_arguments(parser: ArgumentParser) -> None:
    """What ``reedlight trace`` takes."""
    parser.add_argument("what", choices=tuple(_WHAT), help="tell it as a story, or play it again and compare")
    parser.add_argument("file", type=Path, metavar="FILE", help="a file written with --trace")


def run(options: Namespace) -> int:
    """Show or play a file of traces; the exit status. Raises ConfigError."""
    traces = load(options.file)
    try:
        return _WHAT[options.what](traces)
    except BadTrace as error:
        raise ConfigError(f"{options.file}: {error}") from None


def add_play_arguments(parser: ArgumentParser) -> None:
    """What playing alone takes."""
    parser.set_defaults(what="play")
    parser.add_argument("file", type=Path, metavar="FILE", help="a file written with --trace")


def load(path: Path) -> tuple[Trace, ...]:
    """The traces in a file. Raises ConfigError."""
    try:
        return switches.read(_text(path))
    except BadTrace as error:
        raise ConfigError(f"{path}: {error}") from None


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be read ({_why(error)})") from None
    if len(content) > LARGEST_FILE:
        raise ConfigError(f"{path}: has more than {LARGEST_FILE // 1024 // 1024} megabytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not text in UTF-8 (byte {error.start})") from None


def _show(traces: Sequence[Trace]) -> int:
    for number, trace in enumerate(traces):
        if number:
            _print("")
        for line in story(trace, _titled(trace.head)):
            _print(line)
    return 0


def _play(traces: Sequence[Trace]) -> int:
    verdicts = list(map(_play_one, traces))
    return 0 if all(verdict.same for verdict in verdicts) else DIFFERENT


def _play_one(trace: Trace) -> Verdict:
    played = Player(trace).play()
    _print(f"0.00 s  {_titled(trace.head)}")
    for at, said in played.made:
        _print(f"{at:.2f}  {said}")
    verdict = compare(trace, played)
    _print(verdict.says)
    return verdict


_WHAT: Mapping[str, Callable[[Sequence[Trace]], int]] = {"show": _show, "play": _play}


def _print(text: str) -> None:
    print(text)  # noqa: T201  # this is a command


def _titled(head: Head) -> str:
    title = REGISTRY[head.game].title if head.game in REGISTRY else head.game
    facts = (f"{title} {head.size}", head.settings.get("commit", ""), head.board, head.begun)
    how = f"{head.sitting} after {len(head.past)} lines" if head.sitting != NEW else ""
    return ", ".join(filter(None, (*facts, how)))
