"""A cable with faults: lines get lost, torn, doubled or late on the way, and plugs fall out, as often as one likes.

    device ──► Way ──► terminal ◄── whoever opens ``path``
           ◄── Way ◄──

A ``Way`` is one direction: bytes are put in at one moment and come out at the same or a later one. It takes
the stream apart at its line feeds, and each line may suffer one harm of the table below. Which line suffers
which is drawn from a seed, so a run can be repeated.

A ``Cable`` joins two ways to two terminals: one it opens, one it makes. It starts no thread and does not
wait: ``pump`` moves what there is to move, ``files`` and ``deadline`` say when that may be. Times are seconds on
the caller's clock. It knows lines and bytes, and nothing of what they mean.
"""

from __future__ import annotations

import os
import pty
import tty
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import MappingProxyType, TracebackType
from typing import Self


class Harm(Enum):
    """What can happen to a line."""

    DROP = "drop"
    """One byte is lost."""
    FLIP = "flip"
    """One bit of one byte is another."""
    DOUBLE = "double"
    """One byte comes twice."""
    SPLIT = "split"
    """The line comes in pieces."""
    GARBAGE = "garbage"
    """Bytes that nobody sent come in between."""
    LOSE = "lose"
    """The whole line is lost."""
    REPEAT = "repeat"
    """The line comes twice."""
    FREEZE = "freeze"
    """Nothing passes for a while; then all of it."""
    UNPLUG = "unplug"
    """The plug falls out for a while, and what was on the way is lost."""


@dataclass(frozen=True, slots=True)
class Pause:
    """So many seconds in which nothing passes."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Pull:
    """So many seconds for which the plug is out."""

    seconds: float


Step = bytes | Pause | Pull
"""What comes of a line: bytes, and what happens between them."""

SPLIT_FOR = (0.001, 0.02)
"""Seconds between two pieces of a split line, at least and at most."""
FREEZE_FOR = (0.1, 1.0)
"""Seconds of a freeze: shorter than the silence after which a link counts as lost."""
UNPLUG_FOR = (0.05, 0.5)
"""Seconds for which the plug is out."""
LOOK_EVERY = 0.02
"""Seconds between two tries to open a device that is not there."""
HOLD = 0.05
"""Seconds after which a line that has not ended is passed on as it is."""
_GARBAGE_AT_MOST = 60
_CHUNK = 4096
_LINE_FEED = b"\n"
_NO_HARM: Mapping[Harm, float] = MappingProxyType({})
_NEVER = float("inf")

# ------------------------------------------------------------------------------------------- harms


def _drop(line: bytes, rng: Random) -> Sequence[Step]:
    at = rng.randrange(len(line))
    return (line[:at] + line[at + 1 :],)


def _flip(line: bytes, rng: Random) -> Sequence[Step]:
    at = rng.randrange(len(line))
    return (line[:at] + bytes((line[at] ^ 1 << rng.randrange(8),)) + line[at + 1 :],)


def _double(line: bytes, rng: Random) -> Sequence[Step]:
    at = rng.randrange(len(line))
    return (line[: at + 1] + line[at:],)


def _split(line: bytes, rng: Random) -> Sequence[Step]:
    first, second = sorted(rng.randrange(len(line) + 1) for _ in range(2))
    return (
        line[:first],
        Pause(rng.uniform(*SPLIT_FOR)),
        line[first:second],
        Pause(rng.uniform(*SPLIT_FOR)),
        line[second:],
    )


def _garbage(line: bytes, rng: Random) -> Sequence[Step]:
    at = rng.randrange(len(line) + 1)
    return (line[:at] + rng.randbytes(rng.randint(1, _GARBAGE_AT_MOST)) + line[at:],)


_HARMS: Mapping[Harm, Callable[[bytes, Random], Sequence[Step]]] = MappingProxyType(
    {
        Harm.DROP: _drop,
        Harm.FLIP: _flip,
        Harm.DOUBLE: _double,
        Harm.SPLIT: _split,
        Harm.GARBAGE: _garbage,
        Harm.LOSE: lambda _line, _rng: (),
        Harm.REPEAT: lambda line, _rng: (line, line),
        Harm.FREEZE: lambda line, rng: (Pause(rng.uniform(*FREEZE_FOR)), line),
        Harm.UNPLUG: lambda _line, rng: (Pull(rng.uniform(*UNPLUG_FOR)),),
    }
)


class Luck:
    """Draws what happens to each line: for each harm the share of lines that suffer it, 1 at most in all."""

    def __init__(self, rates: Mapping[Harm, float] = _NO_HARM, seed: int = 0) -> None:
        self.rates = rates
        self.counts = Counter[Harm]()
        self._rng = Random(seed)  # noqa: S311  # a seed makes a run repeatable; nothing is secret here

    def draw(self, line: bytes) -> Sequence[Step]:
        """What comes of this line."""
        drawn = self._rng.random()
        for harm, rate in self.rates.items():
            drawn -= rate
            if drawn < 0:
                self.counts[harm] += 1
                return _HARMS[harm](line, self._rng)
        return (line,)


# -------------------------------------------------------------------------------------------- ways


class Way:
    """One direction of a cable."""

    def __init__(self, luck: Luck) -> None:
        self.pulled = 0.0
        """Seconds for which the plug falls out because of a line; 0 if it stays in."""
        self._luck = luck
        self._begun = b""
        self._begun_at = 0.0
        self._under_way = deque[tuple[float, bytes]]()
        self._free_at = float("-inf")

    @property
    def deadline(self) -> float | None:
        """When something may come out next; None if nothing is on the way."""
        held = self._begun_at + HOLD if self._begun else _NEVER
        due = min(held, self._under_way[0][0] if self._under_way else _NEVER)
        return None if due == _NEVER else due

    def put(self, piece: bytes, now: float) -> None:
        """Send these bytes on their way."""
        *ends, rest = (self._begun + piece).split(_LINE_FEED)
        for end in ends:
            for step in self._luck.draw(end + _LINE_FEED):
                self._take(step, now)
        if rest != self._begun:
            self._begun_at = now
        self._begun = rest

    def take(self, now: float) -> bytes:
        """What has come out by now."""
        if self._begun and now >= self._begun_at + HOLD:
            self._take(self._begun, now)
            self._begun = b""
        out = b""
        while self._under_way and self._under_way[0][0] <= now:
            out += self._under_way.popleft()[1]
        return out

    def freeze(self, seconds: float, now: float) -> None:
        """Let nothing more come out for a while."""
        self._free_at = max(now, self._free_at) + seconds
        self._under_way = deque((max(due, self._free_at), piece) for due, piece in self._under_way)

    def _take(self, step: Step, now: float) -> None:
        match step:
            case Pause(seconds):
                self._free_at = max(now, self._free_at) + seconds
            case Pull(seconds):
                self.pulled = max(self.pulled, seconds)
            case piece:
                self._under_way.append((max(now, self._free_at), piece))


# ------------------------------------------------------------------------------------------- cable


class _End:
    """A terminal at one end of a cable, and the way that leads to it."""

    def __init__(self, file: int, way: Way) -> None:
        self.file = file
        self.way = way
        self._rest = b""

    def send(self, now: float) -> None:
        """Let out what has come along the way; what the terminal does not take is lost where nobody reads."""
        self._rest = (self._rest + self.way.take(now))[:_CHUNK]
        if not self._rest:
            return
        try:
            self._rest = self._rest[os.write(self.file, self._rest) :]
        except BlockingIOError:
            return

    def receive(self) -> bytes:
        """What has arrived here; OSError if the other side is gone."""
        try:
            piece = os.read(self.file, _CHUNK)
        except BlockingIOError:
            return b""
        if not piece:
            raise ConnectionError("the terminal was hung up")
        return piece


class Cable:
    """A cable from a device path to a terminal of its own; the device may come and go."""

    def __init__(self, device: str, now: float, rates: Mapping[Harm, float] = _NO_HARM, seed: int = 0) -> None:
        self._device = device
        self._lucks = Luck(rates, 2 * seed), Luck(rates, 2 * seed + 1)
        self._ends: tuple[_End, _End] | None = None
        self._held_open = -1
        self._out_until = now
        self._look_at = now
        self._folder = TemporaryDirectory(prefix="reedlight-cable-")
        self._link = Path(self._folder.name) / "tty"
        self.pump(now)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def path(self) -> str:
        """The path of the program's end, which leads nowhere while the cable is out or the device is gone."""
        return str(self._link)

    @property
    def plugged(self) -> bool:
        """Whether both ends are joined."""
        return self._ends is not None

    @property
    def counts(self) -> Mapping[Harm, int]:
        """How many lines have suffered what, both ways."""
        return sum((luck.counts for luck in self._lucks), Counter[Harm]())

    @property
    def files(self) -> Sequence[int]:
        """Files that become readable when there is something to pump."""
        return () if self._ends is None else tuple(end.file for end in self._ends)

    @property
    def deadline(self) -> float:
        """When to pump next even if nothing becomes readable."""
        if self._ends is None:
            return max(self._out_until, self._look_at)
        due = (end.way.deadline for end in self._ends)
        return min((at for at in due if at is not None), default=_NEVER)

    def harm(self, rates: Mapping[Harm, float]) -> None:
        """Let lines suffer this from now on, and nothing else."""
        for luck in self._lucks:
            luck.rates = rates

    def freeze(self, seconds: float, now: float) -> None:
        """Let nothing pass for a while, in either direction."""
        for end in self._ends or ():
            end.way.freeze(seconds, now)

    def unplug(self, seconds: float, now: float) -> None:
        """Pull the cable out for a while; whoever has ``path`` open finds it hung up."""
        self._out_until = now + seconds
        self._hang_up()

    def pump(self, now: float) -> None:
        """Move what there is to move."""
        if self._ends is None and now >= self.deadline:
            self._join(now)
        if self._ends is None:
            return
        board, program = self._ends
        try:
            program.way.put(board.receive(), now)
            board.way.put(program.receive(), now)
            program.send(now)
            board.send(now)
        except OSError:
            self._hang_up()
            return
        if pulled := max(board.way.pulled, program.way.pulled):
            self.unplug(pulled, now)

    def close(self) -> None:
        """Pull it out for good."""
        self._hang_up()
        self._folder.cleanup()

    def _join(self, now: float) -> None:
        try:
            device = os.open(self._device, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            self._look_at = now + LOOK_EVERY
            return
        tty.setraw(device)
        end, self._held_open = pty.openpty()
        tty.setraw(self._held_open)
        os.set_blocking(end, False)
        self._ends = _End(device, Way(self._lucks[0])), _End(end, Way(self._lucks[1]))
        self._link.symlink_to(os.ttyname(self._held_open))

    def _hang_up(self) -> None:
        if self._ends is None:
            return
        self._link.unlink()
        for end in self._ends:
            os.close(end.file)
        os.close(self._held_open)
        self._ends = None
