"""``reedlight engine``: what it answers, how soon it stops, that nothing it is told ends it; and its page."""

from __future__ import annotations

import asyncio
import os
import re
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reedlight import players
from reedlight.adapters.engine import DRAW, EVALUATE, Answer, Engine, Question, hint, play, review
from reedlight.app.engine import (
    COURTESY,
    LONGEST_REQUEST,
    MEMORY,
    OWN,
    PIPE_CLOSED,
    REQUESTS,
    Conversation,
    Inbox,
)
from reedlight.core.game import Game, Side, State
from reedlight.games import REGISTRY, make
from reedlight.players.player import LEVELS, Stop, Worth, never
from reedlight.record.journal import Line, action_of, line_of

PAGE = Path(__file__).resolve().parents[2] / "controller" / "ENGINES.md"
LIMIT = 60.0
"""Seconds after which an engine counts as one that never answers."""
ACTIONS = 12
"""Rolls and actions of a game that two engines play."""


class Owl:
    """A mind that thinks until it is told to stop, and then does what comes first; it says what all is worth."""

    unit = "men"

    def __init__(self, value: float = 0.0) -> None:
        self.value = value
        self.asked: list[tuple[int, float]] = []

    def choose(self, state: State[Any], level: int, rng: Random, stop: Stop) -> Worth:
        self.asked.append((level, rng.random()))
        return self.appraise(state, stop)[0]

    def appraise(self, state: State[Any], stop: Stop) -> Sequence[Worth]:
        while not stop():
            pass
        actions = state.legal_actions()
        after = state.apply(actions[0]).legal_actions()
        return [Worth(action, self.value, tuple(after[:1])) for action in actions]

    def rate(self, _state: State[Any], side: Side) -> float:
        return self.value if side is Side.LIGHT else -self.value

    def explain(self, _state: State[Any], _worth: Worth) -> str:
        return "comes\nfirst"


class Clock:
    """A clock that goes on by a tenth of a second whenever somebody looks at it."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.looks / 10


def conversation(mind: Any = None, *requests: str) -> Conversation:
    """An engine with this mind that knows these requests."""
    begun = Conversation(lambda game: mind or players.of(game), lambda _: None, Clock())
    for request in requests:
        assert begun.answer(request, never) == ("=",), request
    return begun


def at_once() -> bool:
    return True


# ---------------------------------------------------------------------------------------- what it answers


def test_it_says_who_it_is() -> None:
    said, protocol = conversation().answer("hello 1", never)
    assert re.fullmatch(r"= reedlight \d+\.\d+\.\d+.*", said)
    assert protocol == "protocol 1"


def test_it_says_what_may_be_done_and_shows_the_board() -> None:
    engine = conversation(Owl(), "new draughts 8", "position W:Wa1,c3:Bh8", "apply act c3-d4")
    assert engine.answer("legal", never) == ("= 1", "h8-g7")
    board = make("draughts", "8")
    shown = engine.answer("show", never)
    state = board.load("B:Wa1,d4:Bh8")
    assert shown == ("=", *(line.rstrip() for line in board.picture(state).splitlines() if line.strip()))


def test_it_plays_with_the_level_the_seed_and_the_time_it_is_given() -> None:
    owl = Owl(0.12)
    engine = conversation(owl, "new draughts 8", "position W:Wa1,c3:Bh8")
    answer = ("= a1-b2", "value 0.120 men", "line h8-g7")
    assert engine.answer("play 4 2.5 7", never) == answer
    assert engine.answer("play 4 0 7", never) == answer
    assert owl.asked == [(4, Random(7).random())] * 2
    assert engine.answer("play 1 0", never) == answer
    assert engine.answer("play 1 0", never) == answer
    assert owl.asked[2] != owl.asked[3]


def test_what_should_follow_is_told_as_far_as_it_can_be_known() -> None:
    class Dreams(Owl):
        def choose(self, state: State[Any], level: int, rng: Random, stop: Stop) -> Worth:
            return replace(super().choose(state, level, rng, stop), line=("what the dice may give",))

    engine = conversation(Dreams(), "new draughts 8")
    assert engine.answer("play 4 0", never) == ("= a3-b4", "value 0.000 men")
    wins = conversation(Owl(), "new draughts 8", "position W:Wc3:Bd4")
    assert wins.answer("play 4 0", never) == ("= c3:e5", "value 0.000 men")


@pytest.mark.parametrize("seconds", [0.0, 0.3, 2.5])
def test_it_thinks_as_long_as_it_may(seconds: float) -> None:
    clock = Clock()
    engine = Conversation(lambda _: Owl(), lambda _: None, clock)
    engine.answer("new draughts 8", never)
    engine.answer(f"play 6 {seconds}", never)
    assert (clock.looks - 1) / 10 == pytest.approx(max(seconds, 0.1))


def test_in_a_hurry_it_answers_without_a_look_at_the_clock() -> None:
    clock = Clock()
    engine = Conversation(lambda _: Owl(), lambda _: None, clock)
    engine.answer("new draughts 8", never)
    assert engine.answer("play 6 3600", at_once)[0] == "= a3-b4"
    assert clock.looks == 1


def test_a_hint_is_told_with_its_reason() -> None:
    engine = conversation(Owl(-0.0001), "new draughts 8", "position W:Wa1,c3:Bh8")
    assert engine.answer("hint 1", never) == ("= a1-b2", "why comes first", "value 0.000 men", "line h8-g7")


@pytest.mark.parametrize(
    ("requests", "worth"),
    [
        (("new draughts 8",), "1.500 men"),
        (("new draughts 8", "apply act c3-d4"), "-1.500 men"),
        (("new herd 5",), "1.500 men"),
        (("new herd 5", "apply roll 3-1"), "1.500 men"),
        (("new diablo 6",), "-1.500 men"),
    ],
)
def test_a_position_is_worth_something_to_the_side_that_acts_or_rolls(requests: Sequence[str], worth: str) -> None:
    assert conversation(Owl(1.5), *requests).answer("evaluate", never) == ("=", f"value {worth}")


@pytest.mark.parametrize(
    ("offer", "value", "answer"),
    [
        ("dark", 0.4, "decline"),  # it is White's turn, who is offered a draw and stands better
        ("dark", 0.0, "accept"),
        ("dark", -0.4, "accept"),
        ("light", -0.4, "decline"),  # it is White's turn, who stands worse: Black declines
        ("light", 0.4, "accept"),
    ],
)
def test_a_draw_is_taken_by_whoever_does_not_stand_better(offer: str, value: float, answer: str) -> None:
    engine = conversation(Owl(value), "new draughts 8", f"apply say {offer} offer draw")
    assert engine.answer("draw", never) == (f"= {answer}",)


def test_a_review_tells_mistakes_what_they_cost_and_how_far_it_is() -> None:
    remarks: list[str] = []
    engine = Conversation(players.of, remarks.append, lambda: 0.0)
    for request in ("new draughts 8", "position W:Wc3,e1,g1:Be5,h8,d6,f8", "apply act c3-d4", "apply act e5:c3"):
        assert engine.answer(request, never) == ("=",)
    first, *lines = engine.answer("review 60", never)
    assert first == "= 1"
    assert re.fullmatch(r"mistake 0 \d+\.\d{3} men; c3-d4; [a-h1-8]+-[a-h1-8]+; \S.*", lines[0])
    assert re.fullmatch(r"lost light \d+\.\d{3} men", lines[1])
    assert re.fullmatch(r"say Move 1, White: c3-d4 cost .*\.", lines[2])
    done = [remark.split(" of ") for remark in remarks]
    assert [int(each) for each, _ in done] == list(range(int(done[0][1]) + 1))


def test_a_review_tells_what_the_dice_gave() -> None:
    engine = conversation(None, "new herd 4", "apply roll 6-6")
    assert re.fullmatch(r"luck light -?\d\.\d{3} chance to win", engine.answer("review 60", never)[1])


# -------------------------------------------------------------------------------------------- what it refuses

NO_GAME = "no game has begun; ask: new GAME SIZE"
REFUSED = [
    ((), "bark", "there is no request 'bark'; there are hello, new, position"),
    ((), "hello 2", "only protocol 1 is spoken here, not '2'"),
    ((), "new", "it is written: new GAME SIZE"),
    ((), "new chess 8", "there is no game 'chess'; there are diablo, draughts, herd"),
    ((), "new draughts 9", "Russian draughts has no size '9'"),
    *(((), request, NO_GAME) for request in ("legal", "show", "draw", "evaluate", "play 1 1", "hint 1", "review 1")),
    ((), "position W:Wa1:Bh8", NO_GAME),
    ((), "apply act c3-d4", NO_GAME),
    (("new draughts 8",), "position W:Wa2:Bh8", "a2"),
    (("new draughts 8",), "apply", "there is no kind of line called ''"),
    (("new draughts 8",), "apply move c3-d4", "there is no kind of line called 'move'"),
    (("new draughts 8",), "apply back", "there is no kind of line called 'back'"),
    (("new draughts 8",), "apply act c3-c4", "c3-c4"),
    (("new draughts 8",), "apply roll 3-1", "Russian draughts has no dice"),
    (("new draughts 8",), "apply roll 3-x", "'3-x' is no roll"),
    (("new draughts 8",), "apply say purple resign", "purple"),
    (("new draughts 8",), "apply say light accept draw", "not open now"),
    (("new draughts 8",), "play 0 1", "there are levels 1 to 6, not '0'"),
    (("new draughts 8",), "play 7 1", "there are levels 1 to 6, not '7'"),
    (("new draughts 8",), "play 1", r"it is written: play LEVEL SECONDS \[SEED\]"),
    *(
        (("new draughts 8",), f"play 1 {text}", "a number of seconds from 0 to 3600 is needed, not")
        for text in ("soon", "-1", "nan", "inf", "3601")
    ),
    (("new draughts 8",), "play 1 1 x", "a seed is a whole number"),
    (("new draughts 8",), "play 1 1 " + 21 * "1", "a seed is a whole number"),
    (("new draughts 8",), "legal moves", "it is written: legal"),
    (("new draughts 8",), "draw", "nobody is offered a draw"),
    (("new draughts 8", "apply say light resign"), "play 1 1", "the game is over"),
    (("new draughts 8", "apply say light resign"), "evaluate", "the game is over"),
    (("new herd 5",), "play 1 1", "the dice have to be rolled first"),
    (("new herd 5",), "hint 1", "the dice have to be rolled first"),
    ((), "x" * (LONGEST_REQUEST + 1), f"a request has at most {LONGEST_REQUEST} bytes"),
]


@pytest.mark.parametrize(("before", "request_", "why"), REFUSED)
def test_what_cannot_be_done_is_refused_in_a_sentence(before: Sequence[str], request_: str, why: str) -> None:
    (answer,) = conversation(Owl(), *before).answer(request_, never)
    assert re.match(rf"\? .*{why}", answer)


def test_a_refusal_leaves_the_game_as_it_was() -> None:
    engine = conversation(Owl(), "new draughts 8", "position W:Wa1,c3:Bh8", "apply act c3-d4")
    for request in ("new chess 8", "position nonsense", "apply act a1-b2", "play 9 9"):
        assert engine.answer(request, never)[0].startswith("? ")
    assert engine.answer("legal", never) == ("= 1", "h8-g7")


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (ZeroDivisionError("division\nby zero"), "the computer player failed with ZeroDivisionError: division by zero"),
        (KeyError("c3"), "the computer player failed with KeyError: 'c3'"),
        (RecursionError(), "the computer player failed with RecursionError:"),
        (MemoryError(), "there is not enough memory to think about this"),
    ],
)
def test_a_mind_that_fails_costs_one_answer(fault: Exception, said: str) -> None:
    class Fails(Owl):
        def choose(self, state: State[Any], level: int, rng: Random, stop: Stop) -> Worth:
            if level == 1:
                raise fault
            return super().choose(state, level, rng, stop)

    engine = conversation(Fails(), "new draughts 8")
    assert engine.answer("play 1 1", never) == (f"? {said}",)
    assert engine.answer("play 2 1", never)[0] == "= a3-b4"


WORDS = st.sampled_from(
    [*REQUESTS, "stop", "draughts", "herd", "5", "8", "act", "roll", "say", "c3-d4", "1", "0", "9" * 30]
)


@given(st.lists(st.one_of(st.text(max_size=30), st.lists(WORDS, max_size=4).map(" ".join)), max_size=8))
@example(["new herd 5", "apply roll 3-1", "apply recount 0,0=999"])
@example(["new diablo 8", "position " + "G1/" * 900])
@example(["new draughts 8", "apply act " + "c3:" * 1_000])
def test_whatever_it_is_told_it_gives_one_answer_without_an_empty_line(requests: list[str]) -> None:
    engine = conversation(Owl())
    for request in requests:
        first, *more = engine.answer(request, at_once)
        assert first[0] in "=?"
        assert all(line and "\n" not in line and not line.startswith("#") for line in (first, *more))
        assert not first.startswith("? the computer player failed")


# ------------------------------------------------------------------------------------------------ as a process


class Running:
    """The engine in a process of its own."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(OWN, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # noqa: S603  # our own

    def tell(self, *requests: bytes | str) -> None:
        assert self.process.stdin
        for request in requests:
            self.process.stdin.write(request.encode() + b"\n" if isinstance(request, str) else request)
        self.process.stdin.flush()

    def answer(self) -> list[str]:
        """The next answer, with the remarks before it."""
        assert self.process.stdout
        lines: list[str] = []
        while line := self.process.stdout.readline().decode():
            if line == "\n":
                return lines
            lines.append(line.rstrip("\n"))
        raise AssertionError(f"it ended after {lines}")

    def ask(self, request: str) -> list[str]:
        self.tell(request)
        return self.answer()

    def rest(self) -> tuple[str, str, int]:
        """What it says from now on to its end, on both outputs, and its exit status; it is told nothing more."""
        out, err = self.process.communicate(timeout=LIMIT)
        return out.decode(), err.decode(), self.process.returncode


def ran(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603  # our own


@pytest.fixture
def engine() -> Iterator[Running]:
    """An engine that is killed if it runs for too long."""
    running = Running()
    signal.signal(signal.SIGALRM, lambda *_: running.process.kill())
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    yield running
    signal.setitimer(signal.ITIMER_REAL, 0)
    running.process.kill()
    running.process.communicate()


def test_it_stops_thinking_when_told_to_and_answers_the_next_as_ever(engine: Running) -> None:
    engine.tell("new draughts 8", "play 6 3600", "stop")
    assert engine.answer() == ["="]
    assert engine.answer()[0].startswith("= ")
    assert engine.ask("legal")[0] == "= 7"


def test_a_stop_is_for_what_was_asked_before_it() -> None:
    inbox = Inbox()
    with reading(inbox, b"stop\nnew\n# a remark\n\n play  1 \r\nstop\nlegal\n"):
        asked = iter(inbox)
        begun = [next(asked) for _ in range(3)]
        assert begun == [(1, "new"), (2, "play  1"), (3, "legal")]
        assert [inbox.hurried(number) for number, _ in begun] == [True, True, False]
    assert list(asked) == []
    assert inbox.hurried(3)


@pytest.mark.parametrize("said", [b"new\nplay", b"new\nplay\n", b"new\nplay\nstop"])
def test_the_end_of_the_input_is_a_stop(said: bytes) -> None:
    inbox = Inbox()
    with reading(inbox, said):
        pass
    assert list(inbox) == [(1, "new"), (2, "play")]
    assert inbox.hurried(2)


def test_what_stands_behind_quit_is_not_read() -> None:
    inbox = Inbox()
    with reading(inbox, b"play\nquit\nlegal\n"):
        assert list(inbox) == [(1, "play"), (2, "quit")]
        assert inbox.hurried(2)


@contextmanager
def reading(inbox: Inbox, said: bytes) -> Iterator[None]:
    """The inbox reads this, and when it is over the end."""
    file, writing = os.pipe()
    os.write(writing, said)
    reader = threading.Thread(target=inbox.read, args=(file,))
    reader.start()
    try:
        yield
    finally:
        os.close(writing)
        reader.join()
        os.close(file)


@pytest.mark.parametrize("last", ["quit\n", "quit", ""])
def test_quitting_and_the_end_of_the_input_end_it_though_it_thinks(engine: Running, last: str) -> None:
    engine.tell("new draughts 8", "play 6 3600", "play 6 3600", last.encode())
    out, err, status = engine.rest()
    answers = out.split("\n\n")
    assert [answer[0] for answer in answers[:3]] == ["=", "=", "="]
    assert answers[3:] == (["=", ""] if last else [""])
    assert (err, status) == ("", 0)


def test_what_stands_behind_quit_is_not_answered(engine: Running) -> None:
    engine.tell("quit", "legal")
    assert engine.rest() == ("=\n\n", "", 0)


def test_rubbish_is_refused_line_by_line(engine: Running) -> None:
    engine.tell(bytes(range(11, 256)) + b"\n", b"x" * 3 * LONGEST_REQUEST + b"\n", b"\0\n", "hello 1")
    assert engine.answer()[0].startswith("? there is no request ")
    assert engine.answer() == [f"? a request has at most {LONGEST_REQUEST} bytes"]
    assert engine.answer()[0].startswith("? there is no request ")
    assert engine.answer()[1] == "protocol 1"


def test_it_ends_when_nobody_reads(engine: Running) -> None:
    assert engine.process.stdout
    engine.process.stdout.close()
    engine.tell("hello 1")
    assert engine.process.wait(LIMIT) == PIPE_CLOSED
    assert engine.process.stderr
    assert engine.process.stderr.read() == b""


def test_it_is_modest(engine: Running) -> None:
    engine.ask("hello 1")
    pid = engine.process.pid
    assert os.getpriority(os.PRIO_PROCESS, pid) == max(COURTESY, os.getpriority(os.PRIO_PROCESS, 0))
    assert resource.prlimit(pid, resource.RLIMIT_AS)[0] == MEMORY


def test_what_drives_a_board_is_not_loaded_for_it() -> None:
    asks = "import sys, reedlight.app.engine; print(*sorted(sys.modules))"
    loaded = ran(sys.executable, "-c", asks).split()
    drives = {
        "aiohttp",
        "asyncio",
        "gpiozero",
        "luma",
        "PIL",
        "serial",
        "sqlite3",
        "reedlight.board",
        "reedlight.session",
    }
    assert not drives & set(loaded)
    assert "reedlight.games.herd" in loaded


def test_its_help_says_how_it_behaves() -> None:
    text = " ".join(ran(*OWN, "--help").split())
    assert f"niceness of {COURTESY}" in text
    assert f"{MEMORY >> 20} MB of memory" in text
    assert all(each.usage in text for each in REQUESTS.values())


# --------------------------------------------------------------------------------- with the program's own client


@pytest.mark.parametrize("name", REGISTRY)
def test_two_engines_play_a_game_as_the_program_has_them(name: str, tmp_path: Path) -> None:
    """The program's own at its weakest, and the example of the page, which plays anything."""
    game = make(name, REGISTRY[name].sizes[0])
    script = tmp_path / "random_engine.py"
    script.write_text(example_engine())

    async def story() -> None:
        own = Engine(OWN, "own")
        outside = Engine((sys.executable, str(script)), "random")
        rng, state, lines = Random(1), game.start(), list[Line]()
        while state.outcome is None and len(lines) < ACTIONS:
            if rolls := list(state.chance()):
                action = rng.choice(rolls)
            else:
                engine = own if state.to_act is Side.LIGHT else outside
                answer = await engine.ask(Question(game, play(1, 0.05, len(lines)), lines=tuple(lines)))
                action = await engine.action(game, state, answer)
            lines.append(line_of(game, state, action, 0.0))
            state = state.apply(action)
        assert len(lines) == ACTIONS
        await own.close()
        await outside.close()

    asyncio.run(asyncio.wait_for(story(), LIMIT))


def test_the_client_understands_every_answer() -> None:
    game = make("draughts", "8")
    moves = ("c3-d4", "f6-g5")
    lines = tuple(Line("act", move) for move in moves)

    async def story() -> list[Answer]:
        engine = Engine(OWN, "own")
        heard: list[str] = []
        answers = [await engine.ask(Question(game, wanted, lines=lines)) for wanted in (hint(0.1), EVALUATE)]
        answers.append(await engine.ask(Question(game, review(20.0), lines=lines), heard.append))
        offered = (*lines, Line("say", "light offer draw"))
        answers.append(await engine.ask(Question(game, DRAW, lines=offered)))
        await engine.close()
        assert heard[-1] == f"{len(heard) - 1} of {len(heard) - 1}"
        return answers

    hinted, worth, reviewed, drawn = asyncio.run(asyncio.wait_for(story(), LIMIT))
    state = stands_after(game, moves)
    assert game.parse(state, hinted.said) in state.legal_actions()
    assert hinted.why
    assert hinted.line
    assert (worth.unit, worth.value is not None) == ("men", True)
    assert reviewed.said.isdecimal()
    assert [line for line in reviewed.more if line.startswith("say ")]
    assert drawn.said in ("accept", "decline")


def stands_after(game: Game[Any], moves: Sequence[str]) -> State[Any]:
    state = game.start()
    for move in moves:
        state = state.apply(game.parse(state, move))
    return state


# ---------------------------------------------------------------------------------------------------- the page


def example_engine() -> str:
    """The engine that the page shows, with our own engine where it may not be installed."""
    code = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)[0]
    assert '["reedlight", "engine"]' in code
    return code.replace('["reedlight", "engine"]', repr(list(OWN)))


def traffic() -> list[tuple[str, list[str]]]:
    """Every request that the page shows, with its answer."""
    shown = PAGE.read_text("utf-8").split("```")[1]
    found: list[tuple[str, list[str]]] = []
    for line in shown.strip().splitlines():
        if line.startswith("> "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line[2:])
    return found


def test_the_traffic_on_the_page_is_what_the_engine_says(engine: Running) -> None:
    """Word for word, but for versions, for what a mind thinks and so for what follows from it."""
    said = [(request, engine.ask(request)) for request, _ in traffic()]
    assert [(request, list(map(_gist, lines))) for request, lines in said] == [
        (request, list(map(_gist, lines[:-1]))) for request, lines in traffic()
    ]
    assert all(lines[-1] == "" for _, lines in traffic())


def _gist(line: str) -> str:
    word = line.split(maxsplit=1)[0]
    varies = ("value", "line") if not line.startswith(("= ", "?")) else ("=",)
    return word if word in varies else line


def test_the_page_has_every_request_as_it_is_written() -> None:
    rows = re.findall(r"^\| `([a-z]+[^`]*)` \| [`n]", PAGE.read_text("utf-8"), re.MULTILINE)
    assert rows == [*(each.usage for name, each in REQUESTS.items() if name != "quit"), "stop", "quit"]


@pytest.mark.parametrize("line", ["act c3-d4", "roll 3-1", "say light offer draw", "recount c3=4 d5=2"])
def test_the_lines_of_a_game_on_the_page_are_read(line: str) -> None:
    shown = PAGE.read_text("utf-8")
    assert f"`{line}`" in shown or (line == "act c3-d4" and "`act ACTION`" in shown)
    game = make("draughts", "8")
    kind, _, text = line.partition(" ")
    assert line_of(game, game.start(), action_of(game, game.start(), Line(kind, text)), 0.0) == Line(kind, text)


def test_the_page_names_the_numbers_of_the_program() -> None:
    page = PAGE.read_text("utf-8")
    numbers = (f"niceness of {COURTESY} ", f"{MEMORY >> 20} MB", f"{LONGEST_REQUEST} bytes", f"1 to {len(LEVELS)}")
    assert [number for number in numbers if number not in page] == []
