"""The client of engines, with engines that do as they should and engines that do not: each is a real process.

An engine here is a script of a few lines that answers every request, except for its *quirk*: some code that is run
for each request before it is answered. It writes down what it is told.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from reedlight.adapters.engine import (
    BATCH,
    COURTESY,
    DRAW,
    EVALUATE,
    LONGEST_LINE,
    MOST_LINES,
    Answer,
    Engine,
    EngineLost,
    EngineRefused,
    Patience,
    Question,
    Stopped,
    hint,
    play,
    review,
)
from reedlight.games import make
from reedlight.record.journal import Line

DRAUGHTS = make("draughts", "8")
QUICK = play(3, 0.0)
IMPATIENT = Patience(grace=0.2, step=0.2)
"""For engines that say nothing: how long that is listened to."""
CALM = Patience(grace=30.0, stop=30.0, end=30.0)
"""For engines that should do as they are told, on a machine that has a lot to do."""
LIMIT = 60.0
"""Seconds after which a story counts as one that never ends."""

SCRIPT = """
import os, signal, sys, time
told = open(sys.argv[1], "a", buffering=1)
print("pid", os.getpid(), file=told)
ANSWERS = {"hello": "= fox 1\\nprotocol 1", "play": "= c3-d4", "draw": "? I never draw"}
def say(*lines):
    print(*lines, sep="\\n", flush=True)
AT_FIRST
for line in sys.stdin:
    line = line.strip()
    word = line.split()[0]
    print(line, file=told)
    QUIRK
    if word != "stop":
        say(ANSWERS.get(word, "="), "")
    if word == "quit":
        break
"""


class Fox:
    """An engine called fox, and what it was told."""

    def __init__(self, folder: Path, quirk: str = "pass", at_first: str = "pass", patience: Patience = CALM) -> None:
        self._told = folder / "told"
        script = folder / "fox.py"
        script.write_text(SCRIPT.replace("QUIRK", quirk).replace("AT_FIRST", at_first))
        self.engine = Engine((sys.executable, "-ISs", str(script), str(self._told)), "fox", patience)

    async def says(self, wanted: Any = QUICK, *lines: str, **more: Any) -> Answer:
        """Its answer about a game of draughts, after these moves."""
        return await self.engine.ask(question(*lines, wanted=wanted, **more))

    @property
    def told(self) -> list[str]:
        """What it was told since it was started last."""
        lines = self._lines()
        return lines[max(at for at, line in enumerate(lines) if line.startswith("pid")) + 1 :]

    @property
    def pids(self) -> list[int]:
        """Its processes, in order."""
        return [int(line.split()[1]) for line in self._lines() if line.startswith("pid")]

    def _lines(self) -> list[str]:
        return self._told.read_text().splitlines() if self._told.exists() else []


def question(*moves: str, wanted: Any = QUICK, **more: Any) -> Question:
    return Question(DRAUGHTS, wanted, lines=tuple(Line("act", move) for move in moves), **more)


def tell(story: Coroutine[Any, Any, None]) -> None:
    """Tell a story, and see that nothing is left that runs."""

    async def told() -> None:
        async with asyncio.timeout(LIMIT):
            await story
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(told())


def is_there(pid: int) -> bool:
    """Whether there is such a process, be it as a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def until(happened: Callable[[], bool]) -> None:
    """Wait for what another process brings about."""
    while not happened():  # noqa: ASYNC110  # there is no event for that
        await asyncio.sleep(0.001)


async def until_it_thinks(fox: Fox) -> asyncio.Task[Answer]:
    """A question under way: the engine has remarked that it thinks."""
    thinks = asyncio.Event()
    asked = asyncio.ensure_future(fox.engine.ask(question(wanted=play(6, 60.0)), lambda _: thinks.set()))
    await thinks.wait()
    return asked


# ------------------------------------------------------------------------------------------ what is told


def test_an_engine_is_told_the_game_and_then_only_what_is_new(tmp_path: Path) -> None:
    async def story() -> None:
        fox = Fox(tmp_path)
        assert (await fox.says(play(3, 0.25, 7))).said == "c3-d4"
        await fox.says(play(3, 0.25), "c3-d4", "f6-g5")
        await fox.says(hint(1.0), "c3-d4", "f6-g5")
        await fox.engine.close()
        assert fox.told == [
            *("hello 1", "new draughts 8", "play 3 0.25 7"),
            *("apply act c3-d4", "apply act f6-g5", "play 3 0.25"),
            *("hint 1", "quit"),
        ]

    tell(story())


def test_what_was_taken_back_is_told_by_telling_the_game_anew(tmp_path: Path) -> None:
    start = "W:Wa1,c3:Bh8"

    async def story() -> None:
        fox = Fox(tmp_path)
        await fox.says(QUICK, "c3-d4", "h8-g7", start=start)
        await fox.says(QUICK, "c3-b4", start=start)
        await fox.engine.close()
        assert fox.told == [
            *("hello 1", "new draughts 8", f"position {start}", "apply act c3-d4", "apply act h8-g7", "play 3 0"),
            *("new draughts 8", f"position {start}", "apply act c3-b4", "play 3 0", "quit"),
        ]

    tell(story())


def test_another_game_is_told_from_its_beginning(tmp_path: Path) -> None:
    async def story() -> None:
        fox = Fox(tmp_path)
        await fox.says(QUICK, "c3-d4")
        await fox.engine.ask(Question(make("herd", "5"), QUICK, lines=(Line("roll", "3-1"),)))
        await fox.engine.close()
        assert fox.told[4:] == ["new herd 5", "apply roll 3-1", "play 3 0", "quit"]

    tell(story())


def test_of_a_journal_only_what_stands_is_told(tmp_path: Path) -> None:
    taken_back = (Line("act", "c3-d4"), Line("note", "why?"), Line("act", "f6-e5"), Line("back"), Line("roll", "3-1"))

    async def story() -> None:
        fox = Fox(tmp_path)
        await fox.engine.ask(Question(DRAUGHTS, QUICK, lines=taken_back))
        await fox.engine.ask(Question(DRAUGHTS, QUICK, lines=(Line("back"),)))
        await fox.engine.close()
        assert fox.told == [
            *("hello 1", "new draughts 8", "apply act c3-d4", "apply roll 3-1", "play 3 0"),
            *("new draughts 8", "play 3 0", "quit"),
        ]

    tell(story())


def test_a_long_game_is_told_whole(tmp_path: Path) -> None:
    async def story() -> None:
        fox = Fox(tmp_path)
        await fox.says(QUICK, *["c3-d4"] * 3_000)
        await fox.engine.close()
        assert fox.told.count("apply act c3-d4") == 3_000 > MOST_LINES / 2 > BATCH

    tell(story())


def test_what_is_more_than_a_pipe_holds_is_told_as_it_is_read(tmp_path: Path) -> None:
    long = "c3-d4" + "x" * 3_000

    async def story() -> None:
        fox = Fox(tmp_path)
        await fox.says(QUICK, *[long] * BATCH)
        await fox.engine.close()
        assert fox.told == ["hello 1", "new draughts 8", *[f"apply act {long}"] * BATCH, "play 3 0", "quit"]

    tell(story())


def test_a_text_with_a_line_feed_stays_one_request(tmp_path: Path) -> None:
    async def story() -> None:
        fox = Fox(tmp_path)
        await fox.says(QUICK, "c3-d4\nquit")
        await fox.engine.close()
        assert fox.told[2:] == ["apply act c3-d4 quit", "play 3 0", "quit"]

    tell(story())


# ---------------------------------------------------------------------------------------- what is answered


@pytest.mark.parametrize(
    ("wanted", "lines", "answer"),
    [
        (QUICK, ["= c3-d4"], Answer("c3-d4")),
        (
            hint(0.0),
            ["=  c3-d4", "line f6-g5; g3-f4", "value 0.125 men", "why goes on", "depth 9", "mood good"],
            Answer("c3-d4", 0.125, "men", ("f6-g5", "g3-f4"), "goes on", ("depth 9", "mood good")),
        ),
        (EVALUATE, ["=", "value 0.55 chance to win"], Answer("", 0.55, "chance to win")),
        (QUICK, ["= c3-d4", "value lots", "line"], Answer("c3-d4", None, "")),
        (QUICK, ["= c3-d4\r", "value nan men"], Answer("c3-d4", None, "men")),
        (DRAW, ["= accept"], Answer("accept")),
        (review(0.0), ["= 0", "say Nothing."], Answer("0", more=("say Nothing.",))),
    ],
)
def test_an_answer_is_read(tmp_path: Path, wanted: Any, lines: list[str], answer: Answer) -> None:
    async def story() -> None:
        fox = Fox(tmp_path, f"if word == {wanted.request.split()[0]!r}: ANSWERS[word] = {chr(10).join(lines)!r}")
        assert await fox.says(wanted) == answer
        await fox.engine.close()

    tell(story())


def test_remarks_are_heard_while_it_thinks_and_passed_over_otherwise(tmp_path: Path) -> None:
    async def story() -> None:
        fox = Fox(tmp_path, 'say("# of old" if word in ("hello", "new") else "#1 of 2", "# 2 of 2")')
        heard: list[str] = []
        answer = await fox.engine.ask(question(), heard.append)
        assert answer == Answer("c3-d4")
        assert heard[-2:] == ["1 of 2", "2 of 2"]
        assert (await fox.says()).said == "c3-d4"
        await fox.engine.close()

    tell(story())


def test_an_answer_is_made_a_legal_action(tmp_path: Path) -> None:
    async def story() -> None:
        fox = Fox(tmp_path)
        state = DRAUGHTS.start()
        action = await fox.engine.action(DRAUGHTS, state, await fox.says())
        assert action == DRAUGHTS.parse(state, "c3-d4")
        await fox.engine.close()

    tell(story())


@pytest.mark.parametrize("said", ["", "a1-b2", "resign", "c3-d4 " * 200])
def test_an_answer_that_is_no_legal_action_loses_the_engine(tmp_path: Path, said: str) -> None:
    async def story() -> None:
        fox = Fox(tmp_path, f"ANSWERS['play'] = '= ' + {said!r}")
        answer = await fox.says()
        with pytest.raises(EngineLost, match=r"^The engine fox says '.*', which is no legal action: .+$") as lost:
            await fox.engine.action(DRAUGHTS, DRAUGHTS.start(), answer)
        assert len(str(lost.value)) < 350
        assert [is_there(pid) for pid in fox.pids] == [False]
        await fox.says()
        assert len(fox.pids) == 2
        await fox.engine.close()

    tell(story())


# ------------------------------------------------------------------------------------- engines that are lost

AT_PLAY = "if word == 'play': "
LOST: Sequence[tuple[str, str, str, str]] = [
    ("ends", AT_PLAY + "sys.exit(3)", "pass", r"has ended by itself \(exit status 3\)"),
    ("ends well", AT_PLAY + "sys.exit()", "pass", r"has ended by itself \(exit status 0\)"),
    ("crashes", AT_PLAY + "os.kill(os.getpid(), signal.SIGSEGV)", "pass", r"has ended by itself \(signal 11\)"),
    ("ends in the middle", AT_PLAY + "say('= c3-d4'); sys.exit(1)", "pass", r"has ended by itself \(exit status 1\)"),
    ("ends at once", "pass", "sys.exit(1)", r"has ended by itself \(exit status 1\)"),
    ("closes its output", AT_PLAY + "os.close(1); signal.pause()", "pass", "has closed its output"),
    ("says nothing", AT_PLAY + "signal.pause()", "pass", r"has said nothing for 0\.2 s"),
    ("only remarks", AT_PLAY + "say('# hm'); signal.pause()", "pass", r"has said nothing for 0\.2 s"),
    ("does not end its answer", AT_PLAY + "say('= c3-d4'); signal.pause()", "pass", r"has said nothing for 0\.2 s"),
    ("learns nothing", "if word == 'new': signal.pause()", "pass", r"has said nothing for 0\.2 s"),
    (
        "chatters",
        AT_PLAY + "[say('# hm') for _ in iter(int, 1)]",
        "pass",
        f"says too much: more than {MOST_LINES} lines",
    ),
    (
        "feeds lines",
        AT_PLAY + "[say('') for _ in iter(int, 1)]",
        "pass",
        f"says too much: more than {MOST_LINES} lines",
    ),
    ("drones", AT_PLAY + f"say('= ' + 'x' * {LONGEST_LINE})", "pass", f"a line of more than {LONGEST_LINE} bytes"),
    (
        "never ends a line",
        AT_PLAY + "os.write(1, b'x' * 9999); signal.pause()",
        "pass",
        f"a line of more than {LONGEST_LINE} bytes",
    ),
    ("says rubbish", AT_PLAY + "os.write(1, bytes(range(256)) + b'\\n')", "pass", "says what is no text"),
    ("says no Unicode", AT_PLAY + "os.write(1, b'= c3\\xfed4\\n')", "pass", "says what is no text"),
    ("beeps", AT_PLAY + "say('= c3\\ad4')", "pass", "says what is no text"),
    ("has no sign", AT_PLAY + "say('c3-d4', '')", "pass", "says 'c3-d4' where an answer was due"),
    (
        "is a newer one",
        "ANSWERS['hello'] = '= fox 2\\nprotocol 2'",
        "pass",
        "speaks protocol 2, and protocol 1 is needed",
    ),
    ("is none of ours", "ANSWERS['hello'] = '= GNU Go'", "pass", r"speaks no protocol of ours \('GNU Go'\), and"),
    ("does not greet", "ANSWERS['hello'] = '? unknown command'", "pass", "does not speak protocol 1"),
    ("is a shell", "ANSWERS['hello'] = '$'", "pass", r"says '\$' where an answer was due"),
]


@pytest.mark.parametrize(("quirk", "at_first", "sentence"), [row[1:] for row in LOST], ids=[row[0] for row in LOST])
def test_an_engine_that_fails_is_lost_with_a_sentence(tmp_path: Path, quirk: str, at_first: str, sentence: str) -> None:
    async def story() -> None:
        fox = Fox(tmp_path, quirk, at_first, IMPATIENT if "nothing" in sentence else CALM)
        with pytest.raises(EngineLost, match=rf"^The engine fox .*{sentence}.*\.$"):
            await fox.says()
        assert [is_there(pid) for pid in fox.pids] == [False]
        await fox.engine.close()

    tell(story())


def test_an_engine_that_never_reads_is_lost(tmp_path: Path) -> None:
    async def story() -> None:
        fox = Fox(tmp_path, "if word == 'new': signal.pause()", patience=IMPATIENT)
        with pytest.raises(EngineLost, match=r"^The engine fox does not read what it is told\.$"):
            await fox.says(QUICK, *["c3-d4" + " " * 10 + "x" * 3_000] * BATCH)
        await fox.engine.close()

    tell(story())


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (["/nowhere/fox"], "No such file or directory"),
        ([str(Path(__file__).parent)], "Permission denied"),
        ([__file__], "Permission denied"),
        (["fox\0"], "embedded null byte"),
        ([], "there is no command"),
    ],
)
def test_an_engine_that_cannot_be_started_is_lost(command: list[str], why: str) -> None:
    async def story() -> None:
        engine = Engine(command, "fox")
        for _ in range(2):
            with pytest.raises(EngineLost, match=f"^The engine fox cannot be started by '.*': {why}.$"):
                await engine.ask(question())
        await engine.close()

    tell(story())


def test_the_next_question_starts_a_lost_engine_anew(tmp_path: Path) -> None:
    once = f"if word == 'play' and not os.path.exists({str(tmp_path / 'failed')!r}):"

    async def story() -> None:
        fox = Fox(tmp_path, f"{once} open({str(tmp_path / 'failed')!r}, 'w'); sys.exit(1)")
        with pytest.raises(EngineLost):
            await fox.says(QUICK, "c3-d4")
        assert (await fox.says(QUICK, "c3-d4")).said == "c3-d4"
        assert fox.told == ["hello 1", "new draughts 8", "apply act c3-d4", "play 3 0"]
        await fox.engine.close()

    tell(story())


def test_an_engine_that_refuses_is_said_to_and_kept_if_it_knows_the_game(tmp_path: Path) -> None:
    async def story() -> None:
        fox = Fox(tmp_path)
        with pytest.raises(EngineRefused, match=r"^The engine fox says: I never draw$"):
            await fox.says(DRAW)
        assert (await fox.says()).said == "c3-d4"
        await fox.engine.close()
        assert len(fox.pids) == 1

    tell(story())


def test_an_engine_that_refuses_the_game_is_ended(tmp_path: Path) -> None:
    async def story() -> None:
        fox = Fox(tmp_path, "ANSWERS['new'] = '? only chess is played here'")
        with pytest.raises(EngineRefused, match=r"^The engine fox says: only chess is played here$"):
            await fox.says()
        assert [is_there(pid) for pid in fox.pids] == [False]
        await fox.engine.close()

    tell(story())


def test_what_an_engine_writes_to_standard_error_stops_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        fox = Fox(tmp_path, "sys.stderr.write('x' * 1_000_000)")
        assert (await fox.says()).said == "c3-d4"
        await fox.engine.close()

    tell(story())


def test_an_engine_that_ended_between_questions_is_started_anew(tmp_path: Path) -> None:
    async def story() -> None:
        fox = Fox(tmp_path)
        await fox.says()
        os.kill(fox.pids[0], 9)
        await until(lambda: fox.engine._process is None or fox.engine._process.is_lost)
        assert (await fox.says()).said == "c3-d4"
        assert len(fox.pids) == 2
        await fox.engine.close()

    tell(story())


@pytest.mark.parametrize("chatter", ["say('= c3-d4', '')", "[say('# hm') for _ in iter(int, 1)]"])
def test_an_engine_that_chatters_unasked_is_started_anew(tmp_path: Path, chatter: str) -> None:
    async def story() -> None:
        fox = Fox(tmp_path, f"{AT_PLAY}say('= c3-d4', ''); {chatter}; continue", patience=replace(CALM, end=0.1))
        await fox.says()
        await until(lambda: fox.engine._process is None or fox.engine._process.is_lost)
        assert (await fox.says()).said == "c3-d4"
        assert len(fox.pids) == 2
        await fox.engine.close()
        assert [is_there(pid) for pid in fox.pids] == [False, False]

    tell(story())


# ------------------------------------------------------------------------------------------- taking back, ending

WAITS = AT_PLAY + "say('# thinking'); print(sys.stdin.readline().strip(), file=told)"
"""It thinks until it is told something."""
DEAF = AT_PLAY + "say('# thinking'); signal.pause()"
STUBBORN = "signal.signal(signal.SIGTERM, signal.SIG_IGN)"


def test_a_question_is_taken_back_and_the_engine_goes_on_with_the_next(tmp_path: Path) -> None:
    async def story() -> None:
        fox = Fox(tmp_path, WAITS)
        asked = await until_it_thinks(fox)
        await fox.engine.cancel()
        with pytest.raises(Stopped):
            await asked
        await fox.says(EVALUATE)
        assert fox.told == ["hello 1", "new draughts 8", "play 6 60", "stop", "evaluate"]
        await fox.engine.close()
        assert len(fox.pids) == 1

    tell(story())


def test_a_task_that_asks_can_be_cancelled_like_any_other(tmp_path: Path) -> None:
    async def story() -> None:
        fox = Fox(tmp_path, WAITS)
        asked = await until_it_thinks(fox)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        await fox.says(EVALUATE)
        assert fox.told == ["hello 1", "new draughts 8", "play 6 60", "stop", "evaluate"]
        await fox.engine.close()
        assert len(fox.pids) == 1

    tell(story())


@pytest.mark.parametrize(("quirk", "processes"), [(WAITS, 1), (DEAF, 2)])
def test_the_next_question_may_follow_a_cancelled_one_at_once(tmp_path: Path, quirk: str, processes: int) -> None:
    async def story() -> None:
        fox = Fox(tmp_path, quirk, patience=Patience(stop=0.1) if quirk == DEAF else CALM)
        asked = await until_it_thinks(fox)
        asked.cancel()
        assert (await fox.says(EVALUATE)).said == ""
        with pytest.raises(asyncio.CancelledError):
            await asked
        with pytest.raises(EngineRefused):
            await fox.says(DRAW)
        await fox.engine.close()
        assert len(fox.pids) == processes

    tell(story())


@pytest.mark.parametrize("at_first", ["pass", STUBBORN])
def test_an_engine_that_does_not_stop_is_ended_and_started_anew(tmp_path: Path, at_first: str) -> None:
    async def story() -> None:
        fox = Fox(tmp_path, DEAF, at_first, Patience(stop=0.1, end=0.1))
        asked = await until_it_thinks(fox)
        await fox.engine.cancel()
        with pytest.raises(Stopped):
            await asked
        assert [is_there(pid) for pid in fox.pids] == [False]
        await fox.says(EVALUATE)
        assert fox.told == ["hello 1", "new draughts 8", "evaluate"]
        await fox.engine.close()

    tell(story())


def test_an_engine_can_be_stopped_while_it_starts(tmp_path: Path) -> None:
    async def story() -> None:
        fox = Fox(tmp_path, at_first="signal.pause()")
        asked = asyncio.ensure_future(fox.says())
        await until(lambda: bool(fox.pids))
        await fox.engine.cancel()
        with pytest.raises(Stopped):
            await asked
        assert [is_there(pid) for pid in fox.pids] == [False]
        await fox.engine.close()

    tell(story())


def test_an_engine_that_is_stopped_while_it_is_told_the_game_is_told_it_anew(tmp_path: Path) -> None:
    waits = WAITS.replace("word == 'play'", "line == 'apply act f6-g5'")

    async def story() -> None:
        fox = Fox(tmp_path, waits)
        thinks = asyncio.Event()
        asked = asyncio.ensure_future(fox.engine.ask(question("c3-d4", "f6-g5"), lambda _: thinks.set()))
        await thinks.wait()
        await fox.engine.cancel()
        with pytest.raises(Stopped):
            await asked
        await fox.says(QUICK, "c3-d4")
        await fox.engine.close()
        assert fox.told[-4:] == ["new draughts 8", "apply act c3-d4", "play 3 0", "quit"]
        assert len(fox.pids) == 1

    tell(story())


def test_to_take_back_what_nobody_asks_changes_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        fox = Fox(tmp_path)
        await fox.engine.cancel()
        await fox.says()
        await fox.engine.cancel()
        await fox.says()
        await fox.engine.close()
        assert fox.told == ["hello 1", "new draughts 8", "play 3 0", "play 3 0", "quit"]

    tell(story())


def test_only_one_question_is_asked_at_a_time(tmp_path: Path) -> None:
    async def story() -> None:
        fox = Fox(tmp_path, WAITS)
        asked = await until_it_thinks(fox)
        with pytest.raises(RuntimeError, match=r"one question at a time"):
            await fox.says()
        await fox.engine.cancel()
        with pytest.raises(Stopped):
            await asked
        await fox.engine.close()

    tell(story())


@pytest.mark.parametrize(("quirk", "at_first"), [("pass", "pass"), ("if word == 'quit': signal.pause()", STUBBORN)])
def test_an_engine_that_is_closed_is_gone_and_may_be_asked_again(tmp_path: Path, quirk: str, at_first: str) -> None:
    async def story() -> None:
        fox = Fox(tmp_path, quirk, at_first, replace(CALM, end=0.1) if at_first == STUBBORN else CALM)
        await fox.engine.close()
        await fox.says()
        await fox.engine.close()
        await fox.engine.close()
        await fox.says()
        await fox.engine.close()
        assert [is_there(pid) for pid in fox.pids] == [False, False]

    tell(story())


def test_closing_ends_a_question_under_way(tmp_path: Path) -> None:
    async def story() -> None:
        fox = Fox(tmp_path, DEAF, patience=replace(CALM, end=0.1))
        asked = await until_it_thinks(fox)
        await fox.engine.close()
        with pytest.raises(Stopped):
            await asked
        assert [is_there(pid) for pid in fox.pids] == [False]

    tell(story())


def test_what_an_engine_has_started_ends_with_it(tmp_path: Path) -> None:
    starts = """
if not os.fork():
    print("pid", os.getpid(), file=told)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.pause()
"""

    async def story() -> None:
        fox = Fox(tmp_path, AT_PLAY + "sys.exit(1)", starts, IMPATIENT)
        with pytest.raises(EngineLost, match=r"has said nothing|has ended by itself"):
            await fox.says()
        assert len(fox.pids) == 2
        await until(lambda: not any(_runs(pid) for pid in fox.pids))
        await fox.engine.close()

    tell(story())


def _runs(pid: int) -> bool:
    """Whether there is such a process, and it is no zombie of somebody else's."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_an_engine_runs_behind_everything_else_and_out_of_reach_of_ctrl_c(tmp_path: Path) -> None:
    async def story() -> None:
        fox = Fox(tmp_path)
        await fox.says()
        (pid,) = fox.pids
        assert os.getpriority(os.PRIO_PROCESS, pid) == max(COURTESY, os.getpriority(os.PRIO_PROCESS, 0))
        assert os.getpgid(pid) != os.getpgid(0)
        await fox.engine.close()

    tell(story())


def test_after_a_question_that_was_taken_back_at_any_moment_the_next_answer_is_its_own(tmp_path: Path) -> None:
    echoes = 'ANSWERS["play"] = "= " + line.split()[-1] if word == "apply" else ANSWERS["play"]'
    moves = ("c3-d4", "c3-b4", "e3-d4", "g3-h4")

    async def story() -> None:
        rng, fox = Random(1), Fox(tmp_path, echoes)
        for number in range(80):
            asked = asyncio.ensure_future(fox.says(QUICK, moves[number % 4]))
            await asyncio.sleep(rng.random() * 0.003)
            asked.cancel()
            await asyncio.wait([asked])
            wanted = moves[(number + 1) % 4]
            assert (await fox.says(QUICK, wanted)).said == wanted
        await fox.engine.close()

    tell(story())
