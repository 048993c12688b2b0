"""``reedlight engine``: the computer player behind a line protocol, for this program and for any other.

    > play 4 2.5
    < = c3-d4
    < value 0.120 men
    < line f6-g5; g3-f4
    <

A thread reads what is asked, the main thread answers it, one request after the other. Requests are numbered as they
are read, and ``stop`` says up to which number nothing needs to be thought about any more; the mind asks for that, so
an answer under way comes at once, and one that waits is not begun in earnest. ``quit`` and the end of the input are a
``stop`` for all that was asked before them. What cannot be done is answered by a sentence; nothing that is said here
ends the engine but ``quit``, and a reader who has gone.

ENGINES.md is the protocol's page. How a mind thinks, and who asks, is not known here.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import isfinite
from queue import Queue
from random import Random
from time import monotonic
from types import MappingProxyType
from typing import Any, NoReturn, TypeAlias

from reedlight.app.commands import LONGEST_SENTENCE, Command, parser_of
from reedlight.core.game import Game, Side, Speech, State
from reedlight.core.quoting import quoted, shortened
from reedlight.games import make
from reedlight.players.player import LEVELS, Mind, Stop, Worth
from reedlight.record.journal import Line, action_of

NAME, PROTOCOL = "reedlight", "1"
OWN = (sys.executable, "-m", "reedlight.app.engine")
"""The command line of this engine for this program: without the parts of ``reedlight`` that drive a board."""
PIPE_CLOSED = 141
"""Exit status: nobody reads the answers; a shell's for SIGPIPE."""

COURTESY = 5
"""The niceness of the engine, at least: lamps and switches come before any thought."""
MEMORY = 192 << 20
"""Bytes of address space: a Raspberry Pi Zero 2 W has 512 MB for everything. The C library sets 64 MB of these aside
for the reading thread and touches next to none; 26 MB are the interpreter and the games, and a mind needs 30."""
STACK = 256 << 10
"""Bytes of the reading thread's stack, which is shallow; the usual 8 MB would count as memory."""
LONGEST_REQUEST = 4_096
"""Bytes of a request; the longest position of any game needs less than 1,000."""
MOST_WAITING = 4_096
"""Requests that may wait for an answer; whoever asks more is not read until there is room."""
MOST_SECONDS = 3_600.0
"""The longest that may be thought about one answer."""
DRAW_SECONDS = 1.0
"""How long the answer to an offered draw is thought about."""
EVEN: Mapping[str, float] = MappingProxyType({"men": 0.0, "chance to win": 0.5})
"""What a level game is worth, by unit; who has no more than that takes a draw. The other side has twice it, less."""

MindOf = Callable[[Game[Any]], Mind]
Lines: TypeAlias = "tuple[str, ...]"
"""An answer: what stands behind the ``=``, and the lines after it."""


NO_GAME = "no game has begun; ask: new GAME SIZE"


class Refused(ValueError):
    """What was asked cannot be done; the message is the sentence that says so."""


# ------------------------------------------------------------------------------------------ the conversation


class Conversation:
    """One engine's game and what can be asked about it; ``remark`` is told progress while an answer is thought about.

    The mind is made when a game begins, so that its loading is no part of anybody's thinking time.
    """

    def __init__(self, mind_of: MindOf, remark: Callable[[str], None], clock: Callable[[], float] = monotonic) -> None:
        self._mind_of = mind_of
        self._remark = remark
        self._clock = clock
        self._game: Game[Any] | None = None
        self._mind: Mind
        self._state: State[Any] | None = None
        self._played: list[tuple[State[Any], Any]] = []

    def answer(self, request: str, hurried: Stop) -> Lines:
        """Every line of the answer but the empty one that ends it; once ``hurried``, it is thought about no more."""
        name, _, rest = request.strip().partition(" ")
        try:
            first, *more = _asked(name, request).answer(self, rest.strip(), hurried)
        except ValueError as reason:  # ours, and the rules': a sentence in either case
            return (f"? {_one_line(str(reason))}",)
        except MemoryError:
            return ("? there is not enough memory to think about this",)
        except Exception as fault:  # noqa: BLE001  # a mind's mistake costs one answer, not the game
            return (_one_line(f"? the computer player failed with {type(fault).__name__}: {fault}"),)
        return (f"= {first}".rstrip(), *(line for line in more if line))

    # ------------------------------------------------------------------------------ what can be asked

    def hello(self, text: str, _hurried: Stop) -> Lines:
        """Who this is."""
        if text != PROTOCOL:
            raise Refused(f"only protocol {PROTOCOL} is spoken here, not {quoted(text)}")
        return f"{NAME} {_version()}", f"protocol {PROTOCOL}"

    def new(self, text: str, _hurried: Stop) -> Lines:
        """Begin a game."""
        name, *size = _words(text, 1, 2, "new")
        game = make(name, *size)
        self._mind = self._mind_of(game)
        if not gc.get_freeze_count():
            gc.freeze()  # what is loaded by now stays, and to look through it again and again costs 20 ms each time
        self._game, self._state = game, game.start()
        self._played.clear()
        return ("",)

    def position(self, text: str, _hurried: Stop) -> Lines:
        """Go to a position."""
        self._state = self._begun.load(text)
        self._played.clear()
        return ("",)

    def apply(self, text: str, _hurried: Stop) -> Lines:
        """Go on by what happened."""
        kind, _, what = text.partition(" ")
        before = self._now
        action = action_of(self._begun, before, Line(kind, what.strip()))
        self._state = before.apply(action)
        self._played.append((before, action))
        return ("",)

    def legal(self, text: str, _hurried: Stop) -> Lines:
        """What may be done."""
        _words(text, 0, 0, "legal")
        game, state = self._begun, self._now
        actions = state.legal_actions()
        return str(len(actions)), *(game.notate(state, action) for action in actions)

    def show(self, text: str, _hurried: Stop) -> Lines:
        """The board as a picture, without its empty lines."""
        _words(text, 0, 0, "show")
        return "", *(line for line in self._begun.picture(self._now).splitlines() if line.strip())

    def play(self, text: str, hurried: Stop) -> Lines:
        """What a player of a level does."""
        level, seconds, *seed = _words(text, 2, 3, "play")
        strength, stop = _level(level), self._stop(_seconds(seconds), hurried)
        rng = Random(_seed(seed[0])) if seed else Random()  # noqa: S311  # a player's whim is no secret
        self._side_to_act()
        return self._told(self._mind.choose(self._now, strength, rng, stop))

    def hint(self, text: str, hurried: Stop) -> Lines:
        """What the strongest player would do, and what for; the same whenever it is thought about as far."""
        (seconds,) = _words(text, 1, 1, "hint")
        stop = self._stop(_seconds(seconds), hurried)
        self._side_to_act()
        worth = self._mind.choose(self._now, len(LEVELS), Random(0), stop)  # noqa: S311  # no secret either
        action, *more = self._told(worth)
        return action, f"why {_one_line(self._mind.explain(self._now, worth))}", *more

    def evaluate(self, text: str, _hurried: Stop) -> Lines:
        """What the position is worth to the side that acts or is about to roll, at a glance."""
        _words(text, 0, 0, "evaluate")
        side = self._side_on_turn()
        return "", f"value {_amount(self._mind.rate(self._now, side), self._mind.unit)}"

    def draw(self, text: str, hurried: Stop) -> Lines:
        """Whether the side that is offered a draw takes it."""
        _words(text, 0, 0, "draw")
        asked = [each.side for each in self._now.declarations() if each.speech is Speech.ACCEPT_DRAW]
        if not asked:
            raise Refused("nobody is offered a draw")
        side, even = self._side_to_act(), EVEN[self._mind.unit]
        value = self._mind.appraise(self._now, self._stop(DRAW_SECONDS, hurried))[0].value
        if side is not asked[0]:
            value = 2 * even - value
        return ("accept" if value <= even else "decline",)

    def review(self, text: str, hurried: Stop) -> Lines:
        """What the game that was played cost its players, and what the dice gave them."""
        from reedlight.players.review import Review, review, told  # noqa: PLC0415  # a game is played without it

        (seconds,) = _words(text, 1, 1, "review")
        stop, game = self._stop(_seconds(seconds), hurried), self._begun
        found = Review(self._mind.unit)
        for progress in review(self._mind, tuple(self._played), stop):
            found = progress.review
            self._remark(f"{progress.done} of {progress.of}")
        unit = found.unit
        return (
            str(len(found.mistakes)),
            *(
                f"mistake {each.at} {_amount(each.cost, unit)}; {game.notate(each.state, each.played)}; "
                f"{game.notate(each.state, each.better.action)}; {_one_line(each.why)}"
                for each in found.mistakes
            ),
            *(f"lost {side.value} {_amount(cost, unit)}" for side, cost in found.lost.items()),
            *(f"luck {side.value} {_amount(amount, unit)}" for side, amount in found.luck.items()),
            *(f"say {_one_line(sentence)}" for sentence in told(found, game)),
        )

    def quit(self, text: str, _hurried: Stop) -> Lines:
        """The end, which whoever reads the requests brings about."""
        _words(text, 0, 0, "quit")
        return ("",)

    # ------------------------------------------------------------------------------------------ parts

    @property
    def _begun(self) -> Game[Any]:
        if self._game is None:
            raise Refused(NO_GAME)
        return self._game

    @property
    def _now(self) -> State[Any]:
        if self._state is None:
            raise Refused(NO_GAME)
        return self._state

    def _side_to_act(self) -> Side:
        side = self._now.to_act
        if side is None:
            raise Refused("the game is over")
        if side is Side.CHANCE:
            raise Refused("the dice have to be rolled first; tell them: apply roll 3-1")
        return side

    def _side_on_turn(self) -> Side:
        if self._now.to_act is not Side.CHANCE:
            return self._side_to_act()
        sides = [self._now.apply(roll).to_act for roll in self._now.chance()]
        return next((side for side in sides if side in EITHER), Side.LIGHT)

    def _stop(self, seconds: float, hurried: Stop) -> Stop:
        by, clock = self._clock() + seconds, self._clock
        return lambda: hurried() or clock() >= by

    def _told(self, worth: Worth) -> Lines:
        game, unit = self._begun, self._mind.unit
        following = "; ".join(self._followed(worth))
        value = f"value {_amount(worth.value, unit)}"
        return game.notate(self._now, worth.action), value, f"line {following}" if following else ""

    def _followed(self, worth: Worth) -> Iterator[str]:
        """What is expected to follow, as far as it can be told without knowing what the dice will be."""
        game, state = self._begun, self._now.apply(worth.action)
        for action in worth.line:
            if action not in state.legal_actions():
                return
            yield game.notate(state, action)
            state = state.apply(action)


EITHER = (Side.LIGHT, Side.DARK)


@dataclass(frozen=True, slots=True)
class Request:
    """Something that can be asked: how it is written, and what answers it."""

    usage: str
    answer: Callable[[Conversation, str, Stop], Lines]


REQUESTS: Mapping[str, Request] = MappingProxyType(
    {
        "hello": Request("hello 1", Conversation.hello),
        "new": Request("new GAME SIZE", Conversation.new),
        "position": Request("position TEXT", Conversation.position),
        "apply": Request("apply TEXT", Conversation.apply),
        "legal": Request("legal", Conversation.legal),
        "show": Request("show", Conversation.show),
        "play": Request("play LEVEL SECONDS [SEED]", Conversation.play),
        "hint": Request("hint SECONDS", Conversation.hint),
        "evaluate": Request("evaluate", Conversation.evaluate),
        "draw": Request("draw", Conversation.draw),
        "review": Request("review SECONDS", Conversation.review),
        "quit": Request("quit", Conversation.quit),
    }
)
"""Every request that has an answer; ``stop`` has none."""


def _asked(name: str, request: str) -> Request:
    if len(request) > LONGEST_REQUEST:
        raise Refused(f"a request has at most {LONGEST_REQUEST} bytes")
    if name not in REQUESTS:
        raise Refused(f"there is no request {quoted(name)}; there are {', '.join(REQUESTS)}")
    return REQUESTS[name]


def _words(text: str, least: int, most: int, request: str) -> list[str]:
    words = text.split()
    if not least <= len(words) <= most:
        raise Refused(f"it is written: {REQUESTS[request].usage}")
    return words


def _level(text: str) -> int:
    if text not in map(str, range(1, len(LEVELS) + 1)):
        raise Refused(f"there are levels 1 to {len(LEVELS)}, not {quoted(text)}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = float("nan")
    if not isfinite(seconds) or not 0 <= seconds <= MOST_SECONDS:
        raise Refused(f"a number of seconds from 0 to {MOST_SECONDS:.0f} is needed, not {quoted(text)}")
    return seconds


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 20):
        raise Refused(f"a seed is a whole number of at most 20 digits, not {quoted(text)}")
    return int(text)


def _amount(value: float, unit: str) -> str:
    return f"{round(value, 3) + 0.0:.3f} {unit}"


def _one_line(text: str) -> str:
    return shortened(" ".join(text.split()), LONGEST_SENTENCE)


def _version() -> str:
    from importlib import metadata  # noqa: PLC0415  # slow to load, and asked once if at all

    try:
        return metadata.version(NAME)
    except metadata.PackageNotFoundError:
        return "unknown"


# ------------------------------------------------------------------------------------------------- the inbox


class Inbox:
    """What is asked, in order, with the number of each; one thread fills it and another takes from it."""

    def __init__(self) -> None:
        self._waiting: Queue[tuple[int, str] | None] = Queue(MOST_WAITING)
        self._asked = 0
        self._hurried = 0

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Every request until the last."""
        while (request := self._waiting.get()) is not None:
            yield request

    def hurried(self, number: int) -> bool:
        """Whether the request of this number is to be answered at once."""
        return number <= self._hurried

    def read(self, file: int) -> None:
        """Take what comes in by a file until it ends or somebody quits."""
        with suppress(OSError):  # a file that cannot be read has ended
            for line in _lines(file):
                if self._is_last(line.decode("utf-8", "replace").strip()):
                    break
        self._hurried = self._asked
        self._waiting.put(None)

    def _is_last(self, request: str) -> bool:
        if not request or request.startswith("#"):
            return False
        if request == "stop":
            self._hurried = self._asked
            return False
        self._asked += 1
        self._waiting.put((self._asked, request))
        return request == "quit"


def _lines(file: int) -> Iterator[bytes]:
    """The lines of a file as they come in; one that is too long is cut behind the byte that makes it so."""
    rest = b""
    while read := os.read(file, LONGEST_REQUEST):
        *whole, rest = (rest + read).split(b"\n")
        yield from (line[: LONGEST_REQUEST + 1] for line in whole)
        rest = rest[: LONGEST_REQUEST + 1]
    if rest:
        yield rest


# ----------------------------------------------------------------------------------------------- the command


def add_arguments(parser: ArgumentParser) -> None:
    """What ``reedlight engine`` takes: nothing; its help says how it behaves."""
    parser.epilog = (
        f"Requests are read from standard input, one a line: {', '.join(each.usage for each in REQUESTS.values())}, "
        f"stop. It runs at a niceness of {COURTESY}, and within {MEMORY >> 20} MB of memory."
    )


def run(_options: Namespace) -> int:
    """Become the engine: what drives a board is loaded by now, and would fill the memory that is there for thinking."""
    os.execv(sys.executable, OWN)  # noqa: S606  # this very program


def _serve(_options: Namespace) -> int:
    """Answer what standard input asks until it ends or quits; the exit status."""
    inbox = Inbox()
    usual = threading.stack_size(STACK)
    threading.Thread(target=inbox.read, args=(0,), daemon=True).start()
    threading.stack_size(usual)
    _be_modest()
    conversation = Conversation(_mind_of, lambda text: _say(f"# {text}"))
    try:
        for number, request in inbox:
            _say(*conversation.answer(request, lambda number=number: inbox.hurried(number)), "")
    except BrokenPipeError:
        return PIPE_CLOSED
    return 0


def _be_modest() -> None:
    """Let others come first, in time and in memory."""
    with suppress(OSError):  # whoever starts it may have forbidden that
        os.nice(max(0, COURTESY - os.nice(0)))
    with suppress(ImportError, OSError, ValueError):  # not every system knows such a limit
        import resource  # noqa: PLC0415  # there is none outside Unix, where the rest does work

        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if soft == resource.RLIM_INFINITY or soft > MEMORY:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))


def _mind_of(game: Game[Any]) -> Mind:
    from reedlight import players  # noqa: PLC0415  # what is asked first needs no mind, and is answered sooner

    return players.of(game)


def _say(*lines: str) -> None:
    """Write lines at once; nothing is kept that could not be written."""
    said = memoryview("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
    while said:
        said = said[os.write(1, said) :]


def main() -> NoReturn:
    """The engine without the rest of ``reedlight``, as the program starts it for itself."""
    command = Command("engine", "Answer what is asked about a game, line by line.", add_arguments, _serve)
    options = parser_of("reedlight", "The program of a Reedlight board.", (command,)).parse_args(
        ["engine", *sys.argv[1:]]
    )
    try:
        status: int = options.run(options)
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)


if __name__ == "__main__":
    main()
