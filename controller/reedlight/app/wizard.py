"""``reedlight wire``: learns how a board is wired, by its own lamps, with one piece and one person.

    asked(known) ──► bench: lamps, buttons' lamps   terminal: a sentence
    heard(known) ◄── bench: switches, buttons       terminal: a line       whichever comes first

What is asked and what follows from it is ``wire_dialogue``'s; this is the board, the terminal, the time that
passes, and the file. Everything can be answered by the buttons of the board as by typed words; a step back is
the state before.

A piece counts once it has stood still for STEADY seconds: on its way it closes what it is carried over. What
was closed when the question came is the piece where it stood before, and counts again only after it has opened.

The file is written at the very end, beside its place and under another name, read back, and only then put in
its place: there is a whole file or none. Whoever leaves before leaves no file, and a dark board.
"""

from __future__ import annotations

import os
import select
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import floor
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

from reedlight.app.bench import Bench, Trouble, on_bench
from reedlight.app.profiles import profile as profile_named
from reedlight.app.profiles import text_of
from reedlight.app.wire_dialogue import (
    Answer,
    Emptied,
    Go,
    Known,
    Lights,
    Next,
    Placed,
    Question,
    Stage,
    Wants,
    asked,
    begun,
    heard,
    result,
    summary,
)
from reedlight.board.kinds import Unfit, counted
from reedlight.board.profile import ConfigError, Profile
from reedlight.board.schema import NAME
from reedlight.board.toml import packaged, read
from reedlight.board.write import text
from reedlight.scene.scene import Button, Lamp, Mark
from reedlight.session.events import Hold, Press

STEADY = 0.4
"""Seconds for which a piece must stand: a slide over a cell is over in 0.1."""
REACTION = 0.3
"""Seconds in which nobody sees what is asked, understands it and has pressed a button."""
AGAIN = 2.0
"""Seconds for which only what is asked shines, when somebody wants it said again: a whole period of any rhythm."""
FAREWELL = 3.0
"""Seconds for which the board shows how it has ended."""
READABLE = 0o644
"""The file is for the program of the board, whoever runs that."""

_ROUNDING = 1e-6
"""A moment that is a whole number of beats must not fall into the beat before it."""

OK, FAILED, LEFT = 0, 1, 130
"""Exit statuses: a file was written, could not be written, was not wanted."""

_WORDS: Mapping[str, Button] = MappingProxyType(
    {
        **dict.fromkeys(("", "go", "g", "yes", "y"), Button.GO),
        **dict.fromkeys(("next", "n", "no"), Button.NEXT),
        **dict.fromkeys(("back", "b"), Button.BACK),
        **dict.fromkeys(("hint", "h", "help", "?"), Button.HINT),
    }
)
_ANSWERS = (Button.GO, Button.NEXT)
_LEAVE = ("quit", "q", "exit")
_HOW = "Answer by the board's buttons, or type go (or nothing), next, back, hint, and quit to leave."
_NOTHING_WRITTEN = "Nothing was written."


class Left(Exception):
    """Whoever answered does not want to go on, or there is nobody who could answer."""


# --------------------------------------------------------------------------------------- the terminal


class Terminal:
    """Sentences out, lines in; ``file`` is where lines are typed, None if nowhere."""

    def __init__(self, say: Callable[[str], object], file: int | None) -> None:
        self.say = say
        self.is_watched = file is not None and os.isatty(file)
        """Whether somebody sits at it, who leaves when the input ends."""
        self._file = file
        self._begun = b""

    def files(self) -> tuple[int, ...]:
        """What to watch for lines; nothing once the input has ended."""
        return () if self._file is None else (self._file,)

    def lines(self) -> Sequence[str]:
        """The lines that were typed since the last look; an input that has ended is not watched any more."""
        if self._file is None or not select.select([self._file], [], [], 0)[0]:
            return ()
        came = os.read(self._file, 4096)
        if not came:
            self._file = None
        *lines, self._begun = (self._begun + came).split(b"\n")
        return [line.decode(errors="replace").strip().lower() for line in lines]


def this_terminal() -> Terminal:
    """Where the program was started."""
    file = None
    with suppress(AttributeError, OSError, ValueError):  # there may be no input at all
        file = sys.stdin.fileno()
    return Terminal(_print, file)


def _print(sentence: str) -> None:
    print(sentence, flush=True)  # noqa: T201  # this is a command


# -------------------------------------------------------------------------------------- the piece


class _Landing:
    """Watches for a piece to come to stand somewhere since a question was asked."""

    def __init__(self, stuck: int) -> None:
        self._stuck = stuck
        self._standing: int | None = None
        self._fresh = 0
        self._since = 0.0

    def look(self, closed: int | None, now: float) -> None:
        """See what is closed now; None if nobody knows."""
        if closed is None:
            self._standing = None
            self._fresh = 0
            return
        closed &= ~self._stuck
        self._standing = closed if self._standing is None else self._standing & closed
        if (fresh := closed & ~self._standing) != self._fresh:
            self._fresh, self._since = fresh, now

    @property
    def fresh(self) -> int:
        """What has closed since, and is closed now."""
        return self._fresh

    @property
    def closed(self) -> int:
        """Everything that is closed, but for what always is."""
        return self._fresh | (self._standing or 0)

    @property
    def due(self) -> float | None:
        """When what has closed will have stood still for long enough; None while nothing has."""
        return self._since + STEADY if self._fresh else None


# ------------------------------------------------------------------------------------- the wizard


class Wizard:
    """One board, one terminal, one person. Leaving it leaves the board dark."""

    def __init__(self, profile: Profile, open_bench: Callable[[Profile], Bench], terminal: Terminal) -> None:
        self._known = begun(profile)
        self._past: list[Known] = []
        self._open_bench = open_bench
        self._bench = open_bench(profile)
        self._terminal = terminal
        self._pressed: deque[Button] = deque()

    def __enter__(self) -> Self:
        """Itself; nothing is lit yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the board dark."""
        self._bench.close()

    def learn(self) -> Known:
        """Ask until everything is known and the person wants it kept. Raises Left."""
        profile = self._known.profile
        self._say(f"{profile.title}: {counted(len(profile.grid.cells), 'cell')}, for which one piece is needed.")
        self._say(_HOW)
        while self._known.stage is not Stage.DONE:
            answer = self._ask(asked(self._known))
            if isinstance(answer, Back):
                self._step_back()
            else:
                self._follow(answer)
        return self._known

    def farewell(self, mark: Mark) -> None:
        """Let the whole board show for a moment how it has ended."""
        lamps = self._known.lamps.values() if self._known.profile.lamps else ()
        self._bench.show(dict.fromkeys(lamps, mark))
        until = self._bench.now + FAREWELL
        while self._bench.now < until:
            self._bench.wait_until(until)

    # ---------------------------------------------------------------------------------- stepping

    def _follow(self, answer: Answer) -> None:
        before, self._known = self._known, heard(self._known, answer)
        for sentence in self._known.echo:
            self._say(sentence)
        changed = replace(self._known, echo=()) != replace(before, echo=())
        if changed and not isinstance(answer, Emptied):  # an empty board would answer again at once
            self._past.append(before)
        self._mind_the_colours()

    def _step_back(self) -> None:
        if not self._past:
            self._say("This is the beginning.")
            return
        self._known = self._past.pop()
        self._mind_the_colours()

    def _mind_the_colours(self) -> None:
        """Let the driver of the lamps know the order of colours that was found."""
        if self._bench.profile.lamps != self._known.profile.lamps:
            self._bench.close()
            self._bench = self._open_bench(self._known.profile)

    # ------------------------------------------------------------------------------------ asking

    def _ask(self, question: Question) -> Answer | Back:
        asking = _Asking(question, self._known.stuck, self._bench.now)
        told = False
        while True:
            asking.look(self._bench.closed, self._bench.now)
            if answer := asking.by_itself:
                return answer
            if not told and asking.is_clear:
                self._say(question.say)
                told = True
            if not self._pressed:
                self._bench.show(asking.lights, self._lamps(question))
                self._listen(asking)
            elif answer := self._answer(asking, self._pressed.popleft()):
                return answer

    def _answer(self, asking: _Asking, button: Button) -> Answer | Back | None:
        """What a button says; None if the question stays."""
        if button is Button.HINT:
            self._say(asking.question.say)
            asking.say_again()
            return None
        if button is Button.BACK:
            return Back()
        if button is Button.NEXT:
            return Next()
        if self._bench.closed is None:
            self._say("The switches cannot be read just now.")
            return None
        return Placed(asking.landed) if asking.landed else Go(asking.closed)

    def _lamps(self, question: Question) -> Mapping[Button, Lamp]:
        return question.buttons if self._past else {**question.buttons, Button.BACK: Lamp.OFF}

    def _listen(self, asking: _Asking) -> None:
        """Let time pass until something happens, and keep what was pressed, or typed in place of a press."""
        for happened in self._bench.wait_until(asking.due, self._terminal.files()):
            if isinstance(happened, Press | Hold):
                if not asking.is_too_soon(happened.button, self._bench.now):
                    self._pressed.append(happened.button)
            elif isinstance(happened, Trouble):
                self._say(happened.sentence)
        for line in self._terminal.lines():
            if line in _LEAVE:
                raise Left
            if line in _WORDS:
                self._pressed.append(_WORDS[line])
            else:
                self._say(_HOW)
        if not self._terminal.files() and (self._terminal.is_watched or not self._bench.profile.buttons):
            raise Left

    def _say(self, sentence: str) -> None:
        self._terminal.say(sentence)


@dataclass(frozen=True, slots=True)
class Back:
    """One step back."""


class _Asking:
    """One question while it is open, and the piece that may answer it."""

    def __init__(self, question: Question, stuck: int, now: float) -> None:
        self.question = question
        self._piece = _Landing(stuck)
        self._now = now
        self._asked = now
        self._begun = now
        self._alone_until = now
        self._is_known = False

    def look(self, closed: int | None, now: float) -> None:
        """See what is closed now; None if nobody knows."""
        self._piece.look(closed, now)
        self._is_known = closed is not None
        self._now = now

    def is_too_soon(self, button: Button, now: float) -> bool:
        """Whether a press was still meant for the question before: a finger that has pressed twice."""
        return button in _ANSWERS and now < self._asked + REACTION

    def say_again(self) -> None:
        """Show what is asked once more: alone for a moment, or from the beginning."""
        self._begun = self._now
        self._alone_until = self._now + AGAIN if self.question.again else self._now

    @property
    def by_itself(self) -> Answer | None:
        """The answer that the board gives without a button."""
        wants, due = self.question.wants, self._piece.due
        if wants is Wants.EMPTY_BOARD and self._is_known and not self._piece.closed:
            return Emptied()
        if wants is Wants.PIECE and due is not None and due <= self._now:
            return Placed(self._piece.fresh)
        return None

    @property
    def is_clear(self) -> bool:
        """Whether it can be asked: whether the board is empty only once it is known that it is not."""
        return self._is_known or self.question.wants is not Wants.EMPTY_BOARD

    @property
    def landed(self) -> int:
        """What the piece has closed, if one is wanted."""
        return self._piece.fresh if self.question.wants is Wants.PIECE else 0

    @property
    def closed(self) -> int:
        """Everything that is closed, but for what always is."""
        return self._piece.closed

    @property
    def lights(self) -> Lights:
        """What shines now."""
        if not self.is_clear:
            return {}
        if self._now < self._alone_until:
            return self.question.again
        return self.question.film[self._picture % len(self.question.film)]

    @property
    def due(self) -> float:
        """When something changes if nothing happens."""
        change = self._begun + (self._picture + 1) * self.question.beat
        alone = self._alone_until if self._now < self._alone_until else change
        return min(due for due in (change, alone, self._piece.due) if due is not None)

    @property
    def _picture(self) -> int:
        return floor((self._now - self._begun) / self.question.beat + _ROUNDING)


# ------------------------------------------------------------------------------------- the command


def add_arguments(parser: ArgumentParser) -> None:
    """What ``reedlight wire`` may be told."""
    parser.add_argument(
        "--board",
        default="oak-8x8",
        metavar="PROFILE",
        help=f"the plan that it was built by: a file, or {', '.join(packaged())} (default: %(default)s)",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="the file to write (default: my-NAME.toml)")
    parser.add_argument("--replace", action="store_true", help="write it even if there is such a file")


def run(options: Namespace) -> int:
    """Learn a board's wiring and write it down; the exit status. Raises ConfigError."""
    return wire(options, on_bench, this_terminal())


def wire(options: Namespace, open_bench: Callable[[Profile], Bench], terminal: Terminal) -> int:
    """The same at another bench and terminal."""
    plan = profile_named(options.board)
    file = Path(f"my-{plan.name}.toml") if options.out is None else options.out
    _refuse_place(file, options)
    try:
        with Wizard(plan, open_bench, terminal) as wizard:
            known = wizard.learn()
            status = _keep(known, plan, file, options, terminal.say)
            with suppress(KeyboardInterrupt):  # what is written is written
                wizard.farewell(Mark.WINNER if status == OK else Mark.FORBIDDEN)
    except (Left, KeyboardInterrupt):
        terminal.say(_NOTHING_WRITTEN)
        return LEFT
    return status


# ------------------------------------------------------------------------------------------ the file


def _refuse_place(file: Path, options: Namespace) -> None:
    """Refuse a file that could not be written or must not, before anybody has set down a piece."""
    if file.suffix != ".toml":
        raise ConfigError(f"{file}: a board's file is called ….toml")
    if file.exists() and not options.replace:
        raise ConfigError(f"{file}: is there already; name another file with --out, or say --replace")
    if not file.parent.is_dir():
        raise ConfigError(f"{file}: there is no folder {file.parent}")
    if not os.access(file.parent, os.W_OK):
        raise ConfigError(f"{file}: this user may not write into the folder {file.parent.resolve()}")


def _keep(known: Known, plan: Profile, file: Path, options: Namespace, say: Callable[[str], object]) -> int:
    """Write down what was learnt; if that fails say all of it, so that nobody has to begin anew."""
    board = replace(result(known), name=_name(file, plan))
    content = text(board, (f"Written by reedlight wire, from the plan {plan.name}.", "", *summary(known)))
    try:
        _refuse_place(file, options)
        _write(content, board, file)
    except (OSError, ConfigError) as error:
        say(f"{file} could not be written ({error}). This is what should be in it:")
        say(content)
        return FAILED
    say(f'{file} is written. Lay it beside the configuration, and say profile = "{file.name}" in its [board].')
    return OK


def _name(file: Path, plan: Profile) -> str:
    """The board is called as its file, where that is a name for a board."""
    try:
        return NAME.kind.read(file.stem)
    except Unfit:
        return plan.name


def _write(content: str, board: Profile, file: Path) -> None:
    """A whole file in its place, or none. Raises OSError and ConfigError."""
    place = file.resolve()
    handle, beside = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(content)
            stream.flush()
            os.fchmod(stream.fileno(), READABLE)
            os.fsync(stream.fileno())
        check_written(Path(beside), board)
        Path(beside).replace(place)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
    _sync(place.parent)


def check_written(file: Path, board: Profile) -> None:
    """Refuse a file that the program of the board would refuse, or take for another board. Raises ConfigError."""
    if read(text_of(file), "read back") != board:
        raise ConfigError("read back, it is another board")


def _sync(folder: Path) -> None:
    """See to it that a folder keeps what was renamed in it, even if the power fails now."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
