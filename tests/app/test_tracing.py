"""Traces: everything that comes in is written down, comes in again, and the same comes of it."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from board_days import Day

from reedlight.app.cli import main
from reedlight.app.commands import REFUSED
from reedlight.app.playback import Player, compare
from reedlight.app.telling import Before, settings_of, words_of_settings
from reedlight.app.tracing import DIFFERENT, SHOWN, SYNC, Recorder, load
from reedlight.board.layout import direct
from reedlight.board.profile import ConfigError
from reedlight.board.toml import load_packaged
from reedlight.core.game import Correction, Declaration, Roll, Side, Speech
from reedlight.core.grid import Cell
from reedlight.games import make
from reedlight.ports import Closed, Down, LinkLost, Report
from reedlight.record import switches
from reedlight.record.account import Account, Step
from reedlight.record.journal import Line, replay
from reedlight.record.switches import END, BadTrace, Note, Trace, read
from reedlight.scene.palette import ON_OFF
from reedlight.scene.render import UNLIMITED, Panel
from reedlight.scene.scene import Button
from reedlight.session.events import Chosen, Copy, Corrected, Deaf, Heard, Hold, Mode, Recount, Spoken
from reedlight.session.replaying import Replaying
from reedlight.session.session import Session
from reedlight.session.settings import Commit, DiceFrom, Guidance, Settings, Timing
from reedlight.tabletop import Rig, Tabletop
from reedlight_sim import cli as sim
from reedlight_sim.hand import SLOPPY
from reedlight_sim.hardware import chosen
from reedlight_sim.perform import Manner, perform, seeded
from reedlight_sim.person import Person
from reedlight_sim.soak import random_scripts
from reedlight_sim.table import Table

NOON = 1_795_953_600.0
"""2026-11-29, 12:00 UTC."""

Said = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bug.trace"


class Source:
    """An input that reports what it is told to."""

    def __init__(self) -> None:
        self.reports: list[Report] = []
        self.is_lost = False

    @property
    def deadline(self) -> float | None:
        return None

    def fileno(self) -> int | None:
        return None

    def poll(self, now: float) -> list[Report]:
        del now
        if self.is_lost:
            self.is_lost = False
            raise LinkLost("The cable is out.")
        reports, self.reports = self.reports, []
        return reports

    def close(self) -> None:
        """There is nothing to let go."""


class Sitting:
    """A sitting at a tabletop with one input for all, written down in a file."""

    def __init__(
        self,
        file: Path,
        name: str = "draughts",
        size: str | None = None,
        position: str | None = None,
        *,
        settings: Settings | None = None,
        session: Session | None = None,
        before: Before | None = None,
        began: float = 1000.0,
    ) -> None:
        game = make(name, size)
        self.now = began
        self.source = Source()
        beginning = game.load(position) if position else None
        self.session = session or Session(game, settings, beginning, now=began)
        layout = direct(game.grid)
        rig = Rig(game.grid, layout, Panel({}, 0, ON_OFF, UNLIMITED), (lambda _: self.source,))
        self.tabletop = Tabletop(
            self.session, rig, lambda odds: min(odds, key=lambda roll: roll.dice), lambda _, __: None
        )
        self.recorder = Recorder(file, lambda: NOON)
        self.recorder.begin(self.tabletop, began, before=before)
        self._closed = set[Cell](self.session.state.pieces())
        self._layout = layout
        self._report()

    def begin(self) -> Sitting:
        """Press GO, the pieces being set up."""
        self.tabletop.press(Button.GO, self.now)
        return self.wait()

    def do(self, story: str) -> Sitting:
        """Perform edges, ``-c3 +d4``, with a second after each."""
        for edge in story.split():
            self._closed ^= {Cell(edge[1:])}
            self._report()
            self.wait()
        return self

    def push(self, *buttons: Button, seconds: float = 0.1) -> Sitting:
        """Hold buttons of the board for a moment."""
        for down in (frozenset(buttons), frozenset[Button]()):
            self.source.reports.append(Down(down, self.now))
            self.tabletop.advance(self.now)
            self.wait(seconds)
        return self

    def tell(self, *events: object) -> Sitting:
        """Have these told on the page."""
        for event in events:
            self.tabletop.handle(event, self.now)  # type: ignore[arg-type]  # any event
            self.wait()
        return self

    def wait(self, seconds: float = 1.0) -> Sitting:
        """Let time pass, from deadline to deadline."""
        end = self.now + seconds
        while (due := self.tabletop.deadline) is not None and due <= end:
            self.now = max(self.now, due)
            self.tabletop.advance(self.now)
        self.now = end
        return self

    def late(self, story: str, seconds: float) -> Sitting:
        """Perform edges, each of which is read so many seconds later, before whatever has become due meanwhile."""
        for edge in story.split():
            self._closed ^= {Cell(edge[1:])}
            self.now += seconds
            self._report()
        return self

    def _report(self) -> None:
        self.source.reports.append(Closed(self._layout.mask_of(self._closed), self.now))
        self.tabletop.advance(self.now)

    def action(self, text: str) -> object:
        """A legal action by its notation."""
        return self.session.game.parse(self.session.state, text)

    def ended(self) -> Trace:
        """Its trace, once it is over."""
        self.recorder.close()
        return load(Path(self.recorder._path))[-1]  # pyright: ignore[reportPrivateUsage]  # the file it was given


def made_of(trace: Trace) -> list[str]:
    """What the program made of it when it was recorded."""
    return [line.what.text for line in trace.lines if isinstance(line.what, Note)]


def said_in(file: Path) -> list[str]:
    """What was told on the page."""
    return [
        line.partition(" ")[2]
        for line in file.read_text().partition("\n\n")[2].splitlines()
        if not line.startswith("#")
    ]


def assert_the_same(trace: Trace) -> None:
    verdict = compare(trace, Player(trace).play())
    assert verdict.same, verdict.says


# --------------------------------------------------------------------------------------- what is written


def test_a_move_is_a_few_lines_that_a_person_can_read(file: Path) -> None:
    Sitting(file).begin().do("-c3 +d4").ended()
    head, _, lines = file.read_text().partition("\n\n")
    game = make("draughts")
    mask = direct(game.grid).mask_of(game.start().pieces())
    assert head.splitlines()[:5] == [
        "reedlight trace 1",
        "game draughts 8",
        "begun 2026-11-29T12:00:00Z",
        "sitting new",
        "settings commit=settle dark=full dice=board follow=0.15 grace=0.8 light=full settle=0.4",
    ]
    assert lines.splitlines() == [
        f"0 ={mask:x}",
        "0 press go",
        "# 0 began",
        "1000 -18",
        "1000 +27",
        "# 400 accepted c3-d4",
        "# 800 the end",
    ]


def test_every_sitting_of_a_file_begins_with_a_head_of_its_own(file: Path) -> None:
    Sitting(file).begin().ended()
    Sitting(file, "herd", "3").begin().ended()
    assert [(trace.head.game, trace.head.size) for trace in load(file)] == [("draughts", "8"), ("herd", "3")]


def test_the_recorder_may_go_from_table_to_table(file: Path) -> None:
    with closing(Recorder(file)) as recorder:
        for _ in range(2):
            recorder.begin(Table(make("herd", "2"), Settings(), random.Random(1)).tabletop, 0.0)
    assert [made_of(trace) for trace in load(file)] == [[END], [END]]


def test_the_board_is_named_and_one_of_the_owners_own_is_told_whole(file: Path) -> None:
    oak = load_packaged("oak-8x8")
    mine = load_packaged("hex-61")
    object.__setattr__(mine, "name", "mine")
    with closing(Recorder(file)) as recorder:
        for board, game in ((oak, "draughts"), (mine, "herd")):
            recorder.begin(Table(make(game), Settings(), random.Random(1)).tabletop, 0.0, board)
    first, second = load(file)
    assert (first.head.board, first.head.profile) == ("oak-8x8", "")
    assert second.head.board == "mine"
    assert "[cells]" in second.head.profile


def test_settings_are_written_and_read_in_words() -> None:
    settings = Settings(
        Commit.BUTTON, {Side.LIGHT: Guidance.ERRORS, Side.DARK: Guidance.FULL}, Timing(0.1, 0.3, 2.5), DiceFrom.TABLE
    )
    assert settings_of(words_of_settings(settings)) == settings
    assert settings_of({}) == Settings()


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"comit": "settle"}, "there is no setting 'comit'"),
        ({"commit": "soon"}, "'soon' is not a valid Commit"),
        ({"follow": "quick"}, "could not convert"),
        ({"follow": "nan"}, "the waits must grow"),
        ({"settle": "0.01"}, "the waits must grow"),
        ({"grace": "1e9"}, "the waits must grow from follow to settle to grace, up to 60 s"),
    ],
)
def test_settings_that_cannot_be_are_refused(values: dict[str, str], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        settings_of(values)


# ------------------------------------------------------------------------------------ the same comes of it


@pytest.mark.parametrize("commit", list(Commit))
@pytest.mark.parametrize(("name", "size"), [("draughts", "8"), ("diablo", "4"), ("herd", "3")])
def test_whole_games_of_clumsy_hands_are_played_again_to_the_same_end(
    file: Path, name: str, size: str, commit: Commit
) -> None:
    with closing(Recorder(file)) as recorder:
        manner = Manner(
            SLOPPY, Settings(commit=commit), 0.1, 9, watch=lambda table: recorder.begin(table.tabletop, 0.0)
        )
        for number, script in enumerate(random_scripts(make(name, size), 2, 9)):
            perform(script, manner, number)
    first, second = load(file)
    assert made_of(first)[-2].startswith("ended: ")
    assert_the_same(first)
    assert_the_same(second)


def test_buttons_that_are_wired_come_in_again_as_what_a_finger_did(file: Path) -> None:
    with closing(Recorder(file)) as recorder:

        def watch(table: Table) -> None:
            recorder.begin(table.tabletop, 0.0, table.depth.profile)  # type: ignore[attr-defined]  # at this depth there is one

        manner = Manner(SLOPPY, seed=9, depth=lambda grid: chosen("pins", None, grid), watch=watch)
        perform(next(random_scripts(make("diablo", "4"), 1, 9)), manner)
    (trace,) = load(file)
    assert "down go" in said_in(file)
    assert not any(said.startswith("press") for said in said_in(file))
    assert_the_same(trace)


class LateTable(Table):
    """A table whose program is busy elsewhere again and again, for up to half a second."""

    def wait(self, seconds: float) -> None:
        end, rng = self.now + seconds, random.Random(self.now)
        while (later := self.now + rng.uniform(0, 0.5)) <= end:
            self.now = later
            self.tabletop.advance(later)
        self.now = end


@pytest.mark.parametrize(("name", "size"), [("draughts", "8"), ("herd", "3")])
def test_a_game_that_was_played_while_the_program_was_always_late_is_played_again(
    file: Path, name: str, size: str
) -> None:
    (script,) = random_scripts(make(name, size), 1, 9)
    table = LateTable(script.game, Settings(), seeded("late"))
    person = Person(table, script.game.grid, SLOPPY, seeded("late"))
    with closing(Recorder(file)) as recorder:
        recorder.begin(table.tabletop, 0.0)
        person.begin(script.state)
        state = script.state
        for step in script.steps:
            successor = state.apply(step)
            if isinstance(step, Roll):
                person.roll(step)
            else:
                person.perform(state, step, successor)
            state = successor
    (trace,) = load(file)
    assert sum(line.late is not None for line in trace.lines) > 5
    assert_the_same(trace)


def told_everything(sitting: Sitting) -> Sitting:
    """Everything that can be told on a page of draughts."""
    draw = [Declaration(Side.LIGHT, Speech.OFFER_DRAW), Declaration(Side.DARK, Speech.DECLINE_DRAW)]
    sitting.begin().tell(*(Spoken(each) for each in draw))
    sitting.tell(Chosen(sitting.action("c3-d4")), Hold(Button.HINT)).do("-c3 +d4")
    sitting.tell(Copy(sitting.action("f6-g5"))).do("-f6 +g5")
    sitting.tell(Deaf(frozenset((Cell("a3"), Cell("h8"))))).do("+b4")
    sitting.tabletop.press(Button.GO, sitting.now)
    sitting.tell(Heard(frozenset((Cell("h8"),))))
    sitting.tabletop.adjust(Settings(Commit.BUTTON), sitting.now)
    return sitting.push().do("-d6 +e5").push(Button.GO).push(Button.BACK)


def test_everything_that_is_told_on_the_page_comes_in_again(file: Path) -> None:
    trace = told_everything(Sitting(file)).ended()
    said = said_in(file)
    for expected in (
        "press go",
        "say light offer draw",
        "say dark decline draw",
        "play c3-d4",
        "hold hint",
        "copy f6-g5",
        "deaf a3 h8",
        "heard h8",
        "settings commit=button dark=full dice=board follow=0.15 grace=0.8 light=full settle=0.4",
    ):
        assert expected in said, expected
    assert made_of(trace) == [
        "began",
        "said light offer draw",
        "said dark decline draw",
        "accepted c3-d4",
        "accepted f6-g5",
        "asked which of 1",
        "accepted a3-b4",
        "accepted d6-e5",
        "took back d6-e5",
        END,
    ]
    assert_the_same(trace)


def test_dice_and_stacks_come_in_again(file: Path) -> None:
    sitting = Sitting(file, "diablo", "4", "G1,3/4/4/B1,B1,B1,1 B roll").begin().push()
    sitting.tabletop.press(Button.GO, sitting.now)
    sitting.wait(3.0).do("-c1 -b1 +b1").tell(Recount()).push(Button.BACK)
    sitting.tell(Corrected(Correction(((Cell("b1"), 3),))))
    trace = sitting.ended()
    assert {"roll 1-1", "recount", "correct b1=3"} <= set(said_in(file))
    assert made_of(trace)[1:-1] == ["rolled 1-1", "accepted merge 1 c1-b1", "recounted b1=3"]
    assert_the_same(trace)


def test_what_is_taken_back_and_a_game_after_the_game_come_in_again(file: Path) -> None:
    sitting = Sitting(file, position="W:Wc3,a1:Bd4,h8").begin().do("-c3 +e5 -d4")
    sitting.tabletop.press(Button.BACK, sitting.now)
    sitting.wait().do("-e5 +c3 +d4 -c3 +e5 -d4").tell(Spoken(Declaration(Side.DARK, Speech.RESIGN)))
    sitting.tabletop.press(Button.GO, sitting.now)
    sitting.tell(Hold(Button.GO)).tell(Chosen(sitting.action("c3-d4")))
    trace = sitting.ended()
    assert made_of(trace) == [
        "began",
        "accepted c3:e5",
        "took back c3:e5",
        "accepted c3:e5",
        "said dark resign",
        "ended: light, Black resigned",
        "began",
        "accepted c3-d4",
        END,
    ]
    assert trace.head.start == "W:Wa1,c3:Bd4,h8"
    assert_the_same(trace)


def test_what_was_refused_is_told_and_not_compared(file: Path) -> None:
    trace = Sitting(file).begin().do("-a1 +a1").ended()
    assert made_of(trace)[1].startswith("refused a1: ")
    other = [line for line in trace.lines if not (isinstance(line.what, Note) and "refused" in line.what.text)]
    assert_the_same(Trace(trace.head, tuple(other)))


def test_an_action_that_cannot_be_is_not_written_since_nothing_comes_of_it(file: Path) -> None:
    sitting = Sitting(file).begin()
    wrong = sitting.action("c3-d4")
    sitting.do("-c3 +d4").tell(Chosen(wrong), Copy(wrong))
    trace = sitting.ended()
    assert not [said for said in said_in(file) if said.startswith(("play", "copy"))]
    assert_the_same(trace)


def test_a_button_that_is_down_when_the_cable_comes_out_presses_nothing_again(file: Path) -> None:
    sitting = Sitting(file).begin().push().push(Button.NEXT)
    sitting.source.reports.append(Down(frozenset((Button.BACK,)), sitting.now))
    sitting.wait(0.1).tabletop.advance(sitting.now)
    sitting.source.is_lost = True
    sitting.tabletop.advance(sitting.now)
    sitting.wait(2.0)
    sitting.source.reports.append(Down(frozenset(), sitting.now))
    sitting.tabletop.advance(sitting.now)
    sitting.wait()
    assert sitting.session.mode is Mode.ASK
    trace = sitting.ended()
    assert "lost" in said_in(file)
    player = Player(trace)
    player.play()
    assert player.tabletop.session.mode is Mode.ASK


@pytest.mark.parametrize(("seconds", "is_late"), [(0.1, False), (0.3, True), (0.6, True), (1.0, True)])
def test_a_report_that_was_read_before_what_was_due_comes_in_before_it_again(
    file: Path, seconds: float, *, is_late: bool
) -> None:
    """While the program hung, the piece moved on; that the board had seemed still for a moment means nothing."""
    sitting = Sitting(file, position="W:WKa1:Bh2").begin().do("-a1").late("+c3 -c3", seconds).do("+e5")
    trace = sitting.ended()
    assert any(line.late is not None for line in trace.lines) is is_late
    assert made_of(trace)[1:-1] == ["accepted a1-e5"]
    assert_the_same(trace)


def test_a_page_that_was_heard_before_what_was_due_is_heard_before_it_again(file: Path) -> None:
    sitting = Sitting(file).begin().do("-c3").late("+d4", 0.2)
    sitting.now += 0.5
    sitting.tabletop.press(Button.GO, sitting.now)
    sitting.wait()
    trace = sitting.ended()
    assert made_of(trace)[1:-1] == ["accepted c3-d4"]
    assert [line.late is not None for line in trace.lines if line.what == switches.Told("press", "go")] == [False, True]
    assert_the_same(trace)


# -------------------------------------------------------------------------- going on, and showing what was


def test_a_game_that_is_resumed_has_its_past_in_the_head(file: Path) -> None:
    game = make("diablo", "4")
    lines = [
        Line("roll", "1-2"),
        Line("act", "capture 1 a1-b1"),
        Line("note", "why not"),
        Line("roll", "1-2"),
        Line("act", "capture 1 a2-a3"),
        Line("back", ""),
    ]
    past = replay(game, game.start(), lines)
    assert not past.broken
    sitting = Sitting(
        file, session=Session(game, None, past, now=1000.0), before=Before("", lines), name="diablo", size="4"
    )
    sitting.tabletop.press(Button.GO, sitting.now)
    sitting.wait()
    sitting.tabletop.press(Button.BACK, sitting.now)
    trace = sitting.wait().ended()
    assert trace.head.past == tuple((line.kind, line.text) for line in lines)
    assert made_of(trace)[:3] == ["resumed", "took back 1-2", "took back capture 1 a1-b1"]
    assert_the_same(trace)


def test_a_past_whose_lines_are_broken_is_told_as_what_stands(file: Path) -> None:
    game = make("draughts")
    past = replay(game, game.start(), [Line("act", "c3-d4"), Line("act", "a1-h8")])
    assert past.broken
    sitting = Sitting(file, session=Session(game, None, past, now=1000.0), before=Before.of(game, past))
    sitting.tabletop.press(Button.GO, sitting.now)
    trace = sitting.wait().do("-f6 +g5").ended()
    assert trace.head.past == (("act", "c3-d4"),)
    assert_the_same(trace)


def test_a_game_that_is_shown_and_played_on_comes_in_again(file: Path) -> None:
    game = make("draughts")
    past = replay(game, game.start(), [Line("act", "c3-d4"), Line("act", "f6-g5")])
    sitting = Sitting(file, session=Replaying(game, past, now=1000.0), before=Before.of(game, past, SHOWN))
    for button in (Button.NEXT, Button.GO):
        sitting.tabletop.press(button, sitting.now)
        sitting.wait()
    sitting.do("-c3 +d4 -b6 +a5")
    trace = sitting.ended()
    assert trace.head.sitting == "shown"
    assert made_of(trace)[:-1] == ["began", "accepted b6-a5"]
    assert_the_same(trace)


# ------------------------------------------------------------------------------------ where it differs


def changed(file: Path, old: str, new: str) -> Trace:
    """The last trace of a file with something put in the place of something else."""
    text = file.read_text()
    assert old in text
    return read(text.replace(old, new))[-1]


def verdict_on(trace: Trace) -> str:
    verdict = compare(trace, Player(trace).play())
    assert not verdict.same
    return verdict.says


def test_the_first_difference_is_told_with_both_sides_and_their_times(file: Path) -> None:
    Sitting(file).begin().do("-c3 +d4 -f6 +g5").ended()
    trace = changed(file, "accepted c3-d4", "accepted c3-b4")
    assert (
        verdict_on(trace) == "Different: recorded was accepted c3-b4 at 2.40 s, and now it is accepted c3-d4 at 2.40 s."
    )


def test_what_is_missing_on_either_side_is_a_difference_too(file: Path) -> None:
    Sitting(file).begin().do("-c3 +d4 -f6 +g5").ended()
    assert verdict_on(changed(file, "# 400 accepted f6-g5\n", "")) == (
        "Different: recorded was nothing more, and now it is accepted f6-g5 at 4.40 s."
    )
    assert verdict_on(changed(file, "+38\n", "+39\n")) == (
        "Different: recorded was accepted f6-g5 at 4.40 s, and now it is nothing more."
    )


def test_where_no_dice_have_fallen_it_stops(file: Path) -> None:
    sitting = Sitting(file, "diablo", "4").begin()
    sitting.tabletop.press(Button.GO, sitting.now)
    sitting.wait().ended()
    assert "(dice are to fall that did not)." in verdict_on(changed(file, "roll 1-1", "roll 9-9"))
    assert "(dice are to fall that did not)." in verdict_on(changed(file, "0 roll 1-1\n", ""))
    shorter = changed(file, "# 0 rolled 1-1\n", "")
    dice = [line for line in shorter.lines if not isinstance(line.what, switches.Fell)]
    assert verdict_on(Trace(shorter.head, tuple(dice))) == "It stops before its end: dice are to fall that did not."


def test_what_cannot_be_told_where_the_game_stands_stops_it(file: Path) -> None:
    sitting = Sitting(file).begin()
    sitting.tell(Chosen(sitting.action("c3-d4"))).ended()
    assert "(play 'a1-h8' cannot be told here: " in verdict_on(changed(file, "play c3-d4", "play a1-h8"))
    assert "(press 'stop' cannot be told here: " in verdict_on(changed(file, "press go", "press stop"))
    assert "(settings 'x' cannot be told here: 'x' has no value)" in verdict_on(changed(file, "press go", "settings x"))


def test_a_trace_that_a_crash_has_ended_need_not_tell_all_that_came_of_it(file: Path) -> None:
    Sitting(file).begin().do("-c3 +d4 -f6 +g5").ended()
    text = file.read_text()
    (trace,) = read(text[: text.index("# 400 accepted f6-g5")] + "600 -0\n")
    assert compare(trace, Player(trace).play()).says == "The same as recorded: 2 entries."


def test_without_its_comments_there_is_nothing_to_compare(file: Path) -> None:
    Sitting(file).begin().do("-c3 +d4").ended()
    bare = "".join(line for line in file.read_text().splitlines(keepends=True) if not line.startswith("#"))
    (trace,) = read(bare + "900 down\n")
    verdict = compare(trace, Player(trace).play())
    assert verdict.same
    assert verdict.says == "It says nothing of what was made of it, so there is nothing to compare."


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("game draughts 8", "game chess 8", "the trace of chess 8 cannot be played: there is no game"),
        ("game draughts 8", "game draughts 9", "Russian draughts has no size '9'"),
        ("game draughts 8", "game herd 3", "its cells are not those of hexhex-3"),
        ("sitting new", "start nowhere", "the trace of draughts 8 cannot be played: "),
        ("a1=0", "a1=1", "share switch 1"),
        ("commit=settle", "commit=soon", "'soon' is not a valid Commit"),
        ("sitting new", "sitting resumed\npast act a1-h8", "line 1 (act 'a1-h8')"),
    ],
)
def test_a_head_that_fits_nothing_is_told_in_one_sentence(file: Path, old: str, new: str, why: str) -> None:
    Sitting(file).begin().ended()
    with pytest.raises(BadTrace) as caught:
        Player(changed(file, old, new))
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_damaged_file_is_played_to_some_end_or_refused_in_a_sentence(file: Path) -> None:
    told_everything(Sitting(file)).ended()
    whole = file.read_text()
    rng = random.Random(3)
    for _ in range(150):
        letters = list(whole)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(whole.index("\n\n") if rng.random() < 0.3 else len(whole))
            letters[at : at + rng.randrange(1, 4)] = rng.choice(["", "\n", "9", "=", "+4", "-4", "#", "go", " "])
        try:
            for trace in read("".join(letters)):
                compare(trace, Player(trace).play())
        except BadTrace:
            pass


# ------------------------------------------------------------------------------------------------- the file


def test_every_line_can_be_read_by_others_at_once(file: Path) -> None:
    sitting = Sitting(file).begin().do("-c3 +d4")
    assert file.read_text().endswith("# 400 accepted c3-d4\n")
    sitting.recorder.close()


def test_what_a_crash_has_torn_off_is_marked_when_the_file_is_added_to(file: Path) -> None:
    Sitting(file).begin().do("-c3").ended()
    torn = file.read_text()[:-15]
    file.write_text(torn)
    Sitting(file).begin().ended()
    assert file.read_text().startswith(f"{torn}~\nreedlight trace 1\n")
    first, second = load(file)
    assert END not in made_of(first)
    assert made_of(second) == ["began", END]


def test_the_disk_is_asked_to_take_it_once_a_second_and_only_what_it_has_not(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fdatasync", synced.append)
    recorder = Sitting(file).recorder
    for tenths in range(20):
        recorder.keep(1000 + tenths / 10)
    assert len(synced) == 1
    for tenths in range(20, 50):
        recorder.remark("still here")
        recorder.keep(1000 + tenths / 10)
    assert len(synced) == 1 + 3 / SYNC
    recorder.close()


@pytest.mark.parametrize("broken", ["write", "sync", "close"])
def test_a_disk_that_takes_no_more_is_said_once_and_the_game_goes_on(
    file: Path, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    sitting = Sitting(file).begin()
    recorder = sitting.recorder
    written = recorder._file  # pyright: ignore[reportPrivateUsage]  # no disk of ours is full
    if broken == "sync":
        monkeypatch.setattr(os, "fdatasync", full)
    elif broken == "write":
        recorder._file = SimpleNamespace(write=full, flush=full, fileno=written.fileno, close=full)  # type: ignore[assignment]
    else:
        recorder._file = SimpleNamespace(write=written.write, flush=written.flush, fileno=written.fileno, close=full)  # type: ignore[assignment]
    sitting.do("-c3 +d4")
    recorder.keep(sitting.now)
    sitting.do("-f6 +g5")
    recorder.keep(sitting.now + 9)
    recorder.begin(sitting.tabletop, sitting.now)
    recorder.close()
    written.close()
    assert len(sitting.session.history) == 2
    assert recorder.trouble == f"The trace in {file} is written no further: No space left on device."


@pytest.mark.parametrize("where", ["", "nowhere/bug.trace", "a\x00b"])
def test_where_no_file_can_be_it_is_said_before_anything_is_played(tmp_path: Path, where: str) -> None:
    with pytest.raises(ConfigError, match="no trace can be written there"):
        Recorder(tmp_path / where)


# ----------------------------------------------------------------------------------------------- the board


def test_a_board_writes_its_days_down_and_every_day_is_played_again(tmp_path: Path, file: Path) -> None:
    async def plays(day: Day) -> None:
        await day.begin()
        await day.toggle("c3", "d4")
        await day.ask("settings", commit="button")
        await day.toggle("f6", "g5")
        await day.ask("press", button="go")
        await day.ask("new", game="diablo", size="4")
        await day.ask("hold", button="go")
        await day.ask("press", button="go")

    async def goes_on(day: Day) -> None:
        await day.press(Button.GO)
        await day.press(Button.BACK)

    Day(tmp_path, trace=file).run(plays)
    Day(tmp_path, trace=file).run(goes_on)
    first, second, third = load(file)
    assert (first.head.board, first.head.sitting) == ("budget-8x8", "new")
    assert made_of(first)[:-1] == ["began", "accepted c3-d4", "accepted f6-g5"]
    assert (second.head.game, third.head.game, third.head.sitting) == ("diablo", "diablo", "resumed")
    assert made_of(third)[0] == "resumed"
    for trace in (first, second, third):
        assert_the_same(trace)


def test_what_is_wrong_with_a_board_and_its_switches_stands_in_its_trace(tmp_path: Path, file: Path) -> None:
    async def flickers(day: Day) -> None:
        await day.begin()
        await day.toggle(*["c3"] * 16, apart=0.2)
        await day.press(Button.GO, seconds=2.5)

    async def is_remembered(day: Day) -> None:
        await day.ask("new", game="draughts")

    Day(tmp_path, trace=file).run(flickers)
    Day(tmp_path, trace=file).run(is_remembered)
    named = "The switch of c3 flickers: 16 changes in 10 s."
    first, second, _ = load(file)
    assert f"trouble: {named}" in made_of(first)
    assert f"mended: {named}" in made_of(first)
    assert "deaf c3" in said_in(file)
    assert second.lines[0].what == switches.Told("deaf", "c3")
    assert_the_same(first)


def test_a_game_whose_lines_are_broken_or_that_is_shown_is_written_down_too(tmp_path: Path, file: Path) -> None:
    game = make("draughts")
    account = Account(game, game.start(), (Step(game.parse(game.start(), "c3-d4")),))

    async def shown(day: Day) -> None:
        await day.press(Button.NEXT)
        await day.press(Button.GO)

    Day(tmp_path, trace=file, replay=account).run(shown)
    (trace,) = load(file)
    assert (trace.head.sitting, trace.head.past) == ("shown", (("act", "c3-d4"),))
    assert "began" in made_of(trace)
    assert_the_same(trace)


def test_a_board_says_that_its_trace_is_written_no_further(tmp_path: Path, file: Path) -> None:
    async def fills_up(day: Day) -> None:
        assert day.recorder is not None
        day.recorder.trouble = "The trace is written no further: the disk is full."
        await day.toggle("c3")
        assert day.view["link"] == day.recorder.trouble

    Day(tmp_path, trace=file).run(fills_up)


# --------------------------------------------------------------------------------------------- the commands


def test_a_trace_is_shown_as_a_story(file: Path, capsys: Said) -> None:
    Sitting(file).begin().do("-c3 +d4").ended()
    Sitting(file, "herd", "3").begin().ended()
    assert main(["trace", "show", str(file)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("0.00 s  Russian draughts 8, settle, 2026-11-29T12:00:00Z · 0.00  24 placed\n")
    assert "\n1.00  c3 lifted · 2.00  d4 placed · 2.40  accepted c3-d4\n" in out
    assert "\n\n0.00 s  Herd 3, settle, 2026-11-29T12:00:00Z" in out


@pytest.mark.parametrize("command", [("reedlight", "trace", "play"), ("reedlight-sim", "replay-trace")])
def test_a_trace_is_played_again_with_what_comes_of_it_and_a_verdict(
    file: Path, capsys: Said, command: tuple[str, ...]
) -> None:
    run: Callable[[list[str]], int] = main if command[0] == "reedlight" else sim.main
    Sitting(file).begin().do("-c3 +d4").ended()
    assert run([*command[1:], str(file)]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "0.00  began",
        "2.40  accepted c3-d4",
        "The same as recorded: 2 entries.",
    ]
    file.write_text(file.read_text().replace("accepted c3-d4", "accepted c3-b4"))
    assert run([*command[1:], str(file)]) == DIFFERENT
    assert capsys.readouterr().out.splitlines()[-1].startswith("Different: ")


@pytest.mark.parametrize("what", ["show", "play"])
@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "cannot be read (No such file or directory)"),
        (b"\xff\xfe", "is not text in UTF-8 (byte 0)"),
        (b"hello\n", "line 1: 'hello' is not how a trace begins"),
        (b"", "there is no trace in it"),
        (b"reedlight trace 1\ngame draughts 8\n\n0 dance\n", "line 4: 'dance' is nothing that comes in at a table"),
    ],
)
def test_a_file_that_is_no_trace_is_refused_in_one_sentence(
    file: Path, capsys: Said, what: str, content: bytes | None, why: str
) -> None:
    if content is not None:
        file.write_bytes(content)
    assert main(["trace", what, str(file)]) == REFUSED
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"reedlight: {file}: {why}")
    assert err.count("\n") == 1


def test_a_trace_of_an_unknown_game_is_shown_and_cannot_be_played(file: Path, capsys: Said) -> None:
    file.write_text("reedlight trace 1\ngame chess 8\n\n0 =1\n")
    assert main(["trace", "show", str(file)]) == 0
    assert capsys.readouterr().out == "0.00 s  chess 8 · 0.00  switch 0 placed\n"
    assert main(["trace", "play", str(file)]) == REFUSED
    assert f"{file}: the trace of chess 8 cannot be played: " in capsys.readouterr().err


def test_a_file_that_is_too_large_is_not_read(file: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reedlight.app.tracing.LARGEST_FILE", 20)
    file.write_text("#" * 21)
    assert main(["trace", "show", str(file)]) == REFUSED
    assert "has more than" in capsys.readouterr().err


def test_a_board_that_cannot_write_its_trace_is_not_begun(tmp_path: Path, capsys: Said) -> None:
    config = tmp_path / "reedlight.toml"
    config.write_text('[board]\nprofile = "oak-8x8"\n')
    assert main(["run", "--config", str(config), "--trace", str(tmp_path)]) == REFUSED
    assert capsys.readouterr().err == f"reedlight: {tmp_path}: no trace can be written there (Is a directory)\n"


def test_an_owner_can_ask_for_a_trace_in_the_configuration(tmp_path: Path, capsys: Said) -> None:
    config = tmp_path / "reedlight.toml"
    config.write_text(f'[board]\nprofile = "oak-8x8"\n[log]\ntrace = "{tmp_path}"\n')
    assert main(["run", "--config", str(config)]) == REFUSED
    assert capsys.readouterr().err == f"reedlight: {tmp_path}: no trace can be written there (Is a directory)\n"


def test_the_simulator_writes_what_it_performs(file: Path, capsys: Said) -> None:
    soak = ["soak", "--game", "herd", "--size", "2", "--games", "2", "--trace", str(file)]
    assert sim.main(soak) == 0
    assert sim.main(["replay-trace", str(file)]) == 0
    out, err = capsys.readouterr()
    assert out.count("The same as recorded: ") == 2
    assert err == ""
    assert sim.main([*soak[:-1], str(file.parent)]) == sim.REFUSED


def test_the_simulator_says_what_went_wrong_with_its_trace(
    file: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdatasync", full)
    assert sim.main(["soak", "--game", "herd", "--size", "2", "--games", "1", "--trace", str(file)]) == 0
    assert capsys.readouterr().err == f"The trace in {file} is written no further: No space left on device.\n"


def test_a_page_on_the_simulator_is_written_down(file: Path) -> None:
    """Until it is told where the page is, which is when somebody stops it."""
    command = [str(Path(sys.executable).with_name("reedlight-sim")), "play", "--no-browser", "--port", "0"]
    command += ["--trace", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:  # noqa: S603  # our own command
        assert running.stdout is not None
        assert running.stdout.readline().startswith("Reedlight is at ")
        running.terminate()
        assert running.wait(60) == 0
    (trace,) = load(file)
    assert (trace.head.game, made_of(trace)) == ("diablo", [END])
