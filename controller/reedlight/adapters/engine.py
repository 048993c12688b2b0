"""Engines: programs that play, each a process that is asked line by line; ENGINES.md is what is said to them.

    Question ──► Engine ──► hello, new, position, apply …, play ──► process
    Answer  ◄──         ◄── = c3-d4, value 0.120 men        ◄──

An engine is started by the first question and stays. It is told only what it does not know yet: the lines since the
last question, or everything again where one of those was taken back. Its pipes are watched by the event loop, a few
kilobytes at a time, and nothing here waits for it in any other way; there is no thread.

Nobody knows what an outside engine does. Whatever is wrong with one becomes an ``EngineLost``, a sentence with its
name, and by then it has been ended: politely, and then not. The next question starts it anew.

Which games and minds there are is not known here, and nothing of what an action means.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import isfinite
from typing import Any

from reedlight.core.game import Game, State
from reedlight.core.quoting import quoted, shortened
from reedlight.record.journal import BACK, NOTE, Line

PROTOCOL = "1"
COURTESY = 5
"""The niceness of an engine, at least: lamps and switches come before any thought."""
BATCH = 64
"""Lines told before their answers are waited for: both fit into a pipe, so neither side waits for the other."""
CHUNK = 1_024
"""Bytes read at a time: no more lines than the event loop can spare a moment for."""
LONGEST_LINE = 2_000
"""Bytes of one line that an engine says."""
MOST_LINES = 4_000
"""Lines that an engine may say to one question; a review's progress takes some hundreds."""
LOOK = 0.01
"""Seconds between two looks whether a process that should end has ended."""
STATUS = 0.5
"""Seconds in which a process that has closed its output has ended, if it is about to."""
REAPED = 5.0
"""Seconds in which a killed process is gone; longer only where its disk hangs, and then nothing helps."""

_TOO_LONG = f"says too much: a line of more than {LONGEST_LINE} bytes"

Remark = Callable[[str], None]
"""Told what an engine remarks while it thinks, such as ``12 of 60``."""


def _unheard(_remark: str) -> None:
    """Nobody wants to know."""


class EngineLost(ConnectionError):
    """An engine does not do what it should; the message is one sentence for the people at the board."""


class EngineRefused(EngineLost):
    """An engine says that it will not do what was asked."""


class Stopped(Exception):
    """The question was taken back by ``Engine.cancel``; there is no answer."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an engine is waited for, in seconds; a small computer needs some to start one."""

    start: float = 20.0
    """Until it has said hello."""
    step: float = 10.0
    """Until it knows one line more; the first one may have it load what it knows of the game."""
    grace: float = 2.0
    """Beyond the time it was given to think."""
    stop: float = 0.5
    """Until a question that was taken back is answered."""
    end: float = 0.5
    """Until it has ended when told to, each time."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an engine is asked about a position, as a request, and the seconds it may think."""

    request: str
    seconds: float = 0.0


def play(level: int, seconds: float, seed: int | None = None) -> Wanted:
    """What a player of a level does."""
    return Wanted(f"play {level} {seconds:g}" + ("" if seed is None else f" {seed}"), seconds)


def hint(seconds: float) -> Wanted:
    """What a strong player would do, and why."""
    return Wanted(f"hint {seconds:g}", seconds)


def review(seconds: float) -> Wanted:
    """What was good and bad in the game so far."""
    return Wanted(f"review {seconds:g}", seconds)


EVALUATE = Wanted("evaluate", 1.0)
"""What the position is worth; a glance, but it may be a slow computer's."""
DRAW = Wanted("draw", 1.0)
"""Whether the draw that is offered is taken: ``accept`` or ``decline``."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of which game: its first position as the game dumps it (empty: the usual one), and its journal."""

    game: Game[Any]
    wanted: Wanted
    start: str = ""
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine answered."""

    said: str
    """An action's text, ``accept``, ``decline`` or a number, whichever was asked for."""
    value: float | None = None
    """What the action or position is worth to the side on turn, if that was said."""
    unit: str = ""
    line: tuple[str, ...] = ()
    """What is expected to follow."""
    why: str = ""
    more: tuple[str, ...] = ()
    """Every other line."""


class Engine:
    """One engine, for one question at a time; ``name`` is what it is called in sentences."""

    def __init__(self, command: Sequence[str], name: str, patience: Patience = Patience()) -> None:
        self._command = tuple(command)
        self._name = name
        self._patience = patience
        self._busy = asyncio.Lock()
        self._asking: asyncio.Task[Answer] | None = None
        self._process: _Process | None = None
        self._greeted = False
        self._told: tuple[str, ...] = ()
        """The requests that brought it where it is; empty if nobody knows where that is."""

    async def ask(self, question: Question, remark: Remark = _unheard) -> Answer:
        """What the engine answers. Raises EngineLost, and Stopped if it is cancelled.

        The next question may be asked at once where a task that asks is cancelled; it waits until that is done.
        """
        if self._asking and not self._asking.cancelling():
            raise RuntimeError(f"the engine {self._name} is asked one question at a time")
        asking = self._asking = asyncio.ensure_future(self._answer(question, remark))
        try:
            return await asking
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            raise Stopped from None
        finally:
            if self._asking is asking:
                self._asking = None

    async def action(self, game: Game[Any], state: State[Any], answer: Answer) -> Any:
        """The legal action that an answer names. Raises EngineLost where there is none, and ends the engine."""
        try:
            return game.parse(state, answer.said)
        except ValueError as reason:
            async with self._busy:
                await self._end()
            why = shortened(str(reason), 200)
            raise self._lost(f"says {quoted(answer.said)}, which is no legal action: {why}") from reason

    async def cancel(self) -> None:
        """Take back what is being asked; afterwards the engine waits for the next question, or has been ended."""
        if self._asking:
            self._asking.cancel()
            await asyncio.wait([self._asking])
        async with self._busy:
            await self._settle()

    async def close(self) -> None:
        """End the engine, and whatever is being asked."""
        if self._asking:
            self._asking.cancel()
            await asyncio.wait([self._asking])
        async with self._busy:
            if self._process:
                await self._process.quit(self._patience.end)
            await self._end()

    # ---------------------------------------------------------------------------------------- parts

    async def _answer(self, question: Question, remark: Remark) -> Answer:
        async with self._busy:
            try:
                process = await self._ready()
                process.remark = remark
                await self._bring(process, question)
                return _read(await self._reply(process, question.wanted))
            except EngineRefused:
                if not self._told:
                    await self._end()
                raise
            except EngineLost:
                await self._end()
                raise
            except asyncio.CancelledError:
                if self._process:
                    self._process.stop()
                raise
            finally:
                if self._process:
                    self._process.remark = _unheard

    async def _ready(self) -> _Process:
        """A process that waits for a question."""
        await self._settle()
        if self._process is None:
            self._greeted, self._told = False, ()
            try:
                self._process = _Process(self._command, self._name)
            except (OSError, ValueError) as reason:
                why = getattr(reason, "strerror", None) or reason
                raise self._lost(f"cannot be started by {quoted(' '.join(self._command))}: {why}") from reason
            await self._greet(self._process)
        return self._process

    async def _greet(self, process: _Process) -> None:
        process.ask(f"hello {PROTOCOL}")
        try:
            said, *more = await process.reply(self._patience.start)
        except EngineRefused as refusal:
            raise self._lost(f"does not speak protocol {PROTOCOL}") from refusal
        spoken = [line.removeprefix("protocol").strip() for line in more if line.split()[:1] == ["protocol"]]
        if PROTOCOL not in spoken:
            other = f"protocol {spoken[0]}" if spoken else f"no protocol of ours ({quoted(said)})"
            raise self._lost(f"speaks {other}, and protocol {PROTOCOL} is needed")
        self._greeted = True

    async def _bring(self, process: _Process, question: Question) -> None:
        """Have the engine know the position."""
        needed = await _needed(question)
        known = len(self._told)
        if not known or needed[:known] != self._told:
            known = 0
        self._told = ()
        for at in range(known, len(needed), BATCH):
            batch = needed[at : at + BATCH]
            for request in batch:
                process.ask(request)
            for _ in batch:
                await process.reply(self._patience.step)
        self._told = needed

    async def _reply(self, process: _Process, wanted: Wanted) -> list[str]:
        process.ask(wanted.request)
        return await process.reply(wanted.seconds + self._patience.grace)

    async def _settle(self) -> None:
        """Have no process that still owes answers, has ended or cannot be relied on."""
        process = self._process
        if process is None:
            return
        if not self._greeted or process.is_lost:
            await self._end()
            return
        try:
            by = asyncio.get_running_loop().time() + self._patience.stop
            while process.unread:
                with suppress(EngineRefused):
                    await process.reply(by - asyncio.get_running_loop().time())
        except EngineLost:
            await self._end()

    async def _end(self) -> None:
        if self._process:
            await self._process.end(self._patience.end)
        self._process, self._told = None, ()

    def _lost(self, what: str) -> EngineLost:
        return EngineLost(f"The engine {self._name} {what}.")


async def _needed(question: Question) -> tuple[str, ...]:
    """The requests that bring an engine where the game stands: without what was taken back, and without notes."""
    game, start = question.game, question.start
    begin = (f"new {game.name} {game.size}", *((f"position {start}",) if start else ()))
    left: list[str] = []
    for number, line in enumerate(question.lines):
        if number % BATCH == 0:
            await asyncio.sleep(0)  # a long game is no reason to let anything else wait
        if line.kind == BACK:
            del left[-1:]
        elif line.kind != NOTE:
            left.append(f"apply {line.kind} {line.text}")
    return (*begin, *left)


# -------------------------------------------------------------------------------------------- reading answers


def _read(reply: list[str]) -> Answer:
    said, *lines = reply
    value, unit, following, why = None, "", "", ""
    more: list[str] = []
    for each in lines:
        word, _, rest = each.partition(" ")
        match word:
            case "value":
                number, _, unit = rest.partition(" ")
                value = _number(number)
            case "line":
                following = rest
            case "why":
                why = rest
            case _:
                more.append(each)
    return Answer(said, value, unit, tuple(filter(None, following.split("; "))), why, tuple(more))


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


# ----------------------------------------------------------------------------------------------- the process


class _Process:
    """A process that answers requests: what it was asked, what it said, and how it ends."""

    def __init__(self, command: Sequence[str], name: str) -> None:
        if not command:
            raise ValueError("there is no command")
        self.remark: Remark = _unheard
        self.owed = 0
        """Answers that have not come."""
        self._name = name
        self._loop = asyncio.get_running_loop()
        self._popen = subprocess.Popen(  # noqa: S603  # the owner of the board has chosen the command
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the board; and all that it starts can be ended with it
        )
        with suppress(OSError):  # it may have ended
            os.setpriority(os.PRIO_PGRP, self._popen.pid, max(COURTESY, os.getpriority(os.PRIO_PROCESS, 0)))
        assert self._popen.stdin  # noqa: S101  # asked for above
        assert self._popen.stdout  # noqa: S101  # asked for above
        self._files = (self._popen.stdin, self._popen.stdout)
        self._to, self._from = (file.fileno() for file in self._files)
        for file in (self._to, self._from):
            os.set_blocking(file, False)
        self._unsent = bytearray()
        self._heard = 0
        """Lines it has said since it was told something."""
        self._rest = b""
        self._reply: list[str] = []
        self._replies: deque[list[str]] = deque()
        self._fault = ""
        self._has_ended = self._hung_up = False
        self._news: asyncio.Future[None] | None = None
        self._loop.add_reader(self._from, self._hear)

    @property
    def is_lost(self) -> bool:
        """Whether it cannot be asked any more."""
        return bool(self._fault) or self._has_ended or self._hung_up or self._popen.poll() is not None

    @property
    def unread(self) -> int:
        """Answers that have not been read, whether they have come or not."""
        return self.owed + len(self._replies)

    # --------------------------------------------------------------------------------------- asking

    def ask(self, request: str) -> None:
        """Tell it a request, which it owes an answer from now on."""
        self.owed += 1
        self._heard = 0
        self._tell(request)

    def stop(self) -> None:
        """Tell it that answers are not waited for."""
        if self.owed and not self.is_lost:
            self._tell("stop")

    async def reply(self, seconds: float) -> list[str]:
        """The next answer: what stands behind its sign, and its lines. Raises EngineLost."""
        by = self._loop.time() + seconds
        while not self._replies:
            if self._fault or self._has_ended:
                raise self._lost(self._fault or await self._why_ended())
            self._news = self._loop.create_future()
            try:
                async with asyncio.timeout_at(by):
                    await self._news
            except TimeoutError:
                mute = f"has said nothing for {seconds:.3g} s"
                raise self._lost("does not read what it is told" if self._unsent else mute) from None
        first, *more = self._replies.popleft()
        if first.startswith("?"):
            raise EngineRefused(f"The engine {self._name} says: {shortened(first[1:].strip(), 300)}")
        return [first[1:].strip(), *more]

    def _tell(self, request: str) -> None:
        waiting = bool(self._unsent)
        self._unsent += f"{' '.join(request.split())}\n".encode()
        if not waiting:
            self._write()

    def _write(self) -> None:
        try:
            del self._unsent[: os.write(self._to, self._unsent)]
        except BlockingIOError:
            pass
        except OSError:  # it has closed its input; that is said when no answer comes
            self._unsent.clear()
        self._loop.remove_writer(self._to)
        if self._unsent:
            self._loop.add_writer(self._to, self._write)

    # -------------------------------------------------------------------------------------- hearing

    def _hear(self) -> None:
        """Take what it has said, a chunk at a time; one at fault is not listened to any more."""
        try:
            read = os.read(self._from, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            read = b""
        self._has_ended = not read
        *whole, self._rest = (self._rest + read).split(b"\n")
        for line in whole:
            self._fault = self._fault or self._take(line)
        if len(self._rest) > LONGEST_LINE:
            self._fault = self._fault or _TOO_LONG
        if self._fault or self._has_ended:
            self._loop.remove_reader(self._from)
        if self._news and not self._news.done():
            self._news.set_result(None)

    def _take(self, line: bytes) -> str:
        """One line; what is wrong with it, empty if nothing is."""
        self._heard += 1
        if self._heard > MOST_LINES:
            return f"says too much: more than {MOST_LINES} lines"
        if len(line) > LONGEST_LINE:
            return _TOO_LONG
        text = line.decode("utf-8", "replace").replace("\t", " ").strip()
        if not text.isprintable() or "\ufffd" in text:
            return f"says what is no text ({quoted(text)})"
        if text.startswith("#"):
            self.remark(text[1:].strip())
            return ""
        return self._take_of_answer(text)

    def _take_of_answer(self, text: str) -> str:
        if not text:
            if self._reply:
                self._replies.append(self._reply)
                self._reply = []
                self.owed -= 1
            return ""
        if not self.owed:
            return f"says {quoted(text)} although it was not asked"
        if not self._reply and text[0] not in "=?":
            return f"says {quoted(text)} where an answer was due"
        self._reply.append(text)
        return ""

    async def _why_ended(self) -> str:
        if not await self._is_gone(STATUS):
            return "has closed its output"
        status = self._popen.returncode
        return f"has ended by itself ({f'exit status {status}' if status >= 0 else f'signal {-status}'})"

    def _lost(self, what: str) -> EngineLost:
        return EngineLost(f"The engine {self._name} {what}.")

    # --------------------------------------------------------------------------------------- ending

    async def quit(self, patience: float) -> None:
        """Tell it to end, and give it time to."""
        if not self.is_lost:
            self._tell("quit")
            self._hang_up()
            await self._is_gone(patience)

    async def end(self, patience: float) -> None:
        """See to it that it ends, with all that it has started."""
        self._hang_up()
        for number, seconds in ((signal.SIGTERM, patience), (signal.SIGKILL, REAPED)):
            if self._popen.poll() is None:
                self._signal(number)
                await self._is_gone(seconds)
        # What it started may go on without it; the number of its group is not given away while somebody is in it.
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, number)

    async def _is_gone(self, seconds: float) -> bool:
        """Whether it has ended by then; it is waited for no longer than it takes."""
        by = self._loop.time() + seconds
        while self._popen.poll() is None:
            if self._loop.time() >= by:
                return False
            await asyncio.sleep(LOOK)
        return True

    def _hang_up(self) -> None:
        """Close the pipes."""
        if self._hung_up:
            return
        self._hung_up = True
        self._loop.remove_reader(self._from)
        self._loop.remove_writer(self._to)
        for file in self._files:
            with suppress(OSError):  # what could not be told is not told
                file.close()
