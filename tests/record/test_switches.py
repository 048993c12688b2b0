"""Traces of switches as text: what is written is read again, and what is not whole says so in one sentence."""

from __future__ import annotations

import random
import string
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reedlight.core.grid import Cell
from reedlight.record.story import WIDTH, story
from reedlight.record.switches import (
    END,
    FIRST_LINE,
    LONGEST_TEXT,
    MADE,
    MOST_SWITCHES,
    SITTINGS,
    TORN,
    WHOLE_EVERY,
    WORDS,
    BadTrace,
    Buttons,
    Fell,
    Head,
    Line,
    Lost,
    Note,
    Switches,
    Told,
    Trace,
    What,
    Writer,
    is_made,
    one_line,
    read,
)

CELLS = {Cell("a1"): 0, Cell("b1"): 1, Cell("c1"): 41, Cell("-1,2"): 7}
HEAD = Head("draughts", "8", CELLS)


def written(*lines: Line, head: Head = HEAD) -> str:
    """The text of one trace."""
    writer = Writer(head)
    return writer.head() + "".join(map(writer.line, lines))


def lines_of(*lines: Line) -> list[str]:
    """What stands below the head."""
    return written(*lines).partition("\n\n")[2].splitlines()


def trace_of(*lines: str, head: str = "game draughts 8") -> Trace:
    """The trace of a text."""
    return read("\n".join((FIRST_LINE, head, "", *lines, "")))[0]


def whats(*lines: str) -> list[What]:
    """What the lines of a text say."""
    return [line.what for line in trace_of(*lines).lines]


def wrong_with(text: str) -> str:
    """Why a text is no trace; empty where it is one."""
    try:
        read(text)
    except BadTrace as error:
        return str(error)
    return ""


# ------------------------------------------------------------------------------------------ round trips

words = st.text(string.ascii_letters + string.digits + "-,.:=+/", min_size=1, max_size=12)
sentences = st.lists(words, min_size=1, max_size=6).map(" ".join)
names = st.text(string.ascii_letters + string.digits + "-,", min_size=1, max_size=8)
values = st.dictionaries(names, names, max_size=6)
moments = st.integers(0, 10**10).map(lambda microseconds: microseconds / 1_000_000)
heads = st.builds(
    Head,
    game=names,
    size=names,
    cells=st.dictionaries(names.map(Cell), st.integers(0, MOST_SWITCHES - 1), max_size=9),
    board=st.just("") | sentences,
    begun=st.just("") | sentences,
    settings=values,
    start=st.just("") | sentences,
    past=st.lists(st.tuples(names, sentences), max_size=4).map(tuple),
    profile=st.lists(st.just("") | sentences, max_size=4).map(lambda lines: "".join(f"{line}\n" for line in lines)),
    sitting=st.sampled_from(SITTINGS),
)
switches = st.builds(Switches, st.integers(0, 2**100))
happenings = st.one_of(
    switches,
    switches,
    st.builds(Buttons, st.frozensets(names, max_size=4)),
    st.just(Lost()),
    st.builds(Fell, st.lists(st.integers(1, 12), min_size=1, max_size=5).map(tuple)),
    st.builds(Told, st.sampled_from(WORDS), st.just("") | sentences),
)
lates = st.none() | moments


@st.composite
def sittings(draw: st.DrawFn) -> Trace:
    """A head, and lines whose times only move forward; comments follow the line before them."""
    lines: list[Line] = []
    now = 0
    for what, late, wait, note in draw(
        st.lists(
            st.tuples(happenings, lates, st.integers(0, 10**8), st.none() | st.tuples(st.integers(0, 10**6), sentences))
        )
    ):
        now += wait
        lines.append(Line(now / 1_000_000, what, late))
        if note:
            lines.append(Line((now + note[0]) / 1_000_000, Note(note[1])))
    return Trace(draw(heads), tuple(lines))


@given(st.lists(sittings(), min_size=1, max_size=3))
def test_what_is_written_is_read_again(traces: list[Trace]) -> None:
    text = "".join(written(*trace.lines, head=trace.head) for trace in traces)
    assert read(text) == tuple(traces)


@given(sittings(), st.integers(0, 2**32))
def test_what_a_crash_has_torn_off_is_read_up_to_the_last_whole_line(trace: Trace, seed: int) -> None:
    text = written(*trace.lines, head=trace.head)
    end = random.Random(seed).randrange(len(text) + 1)
    whole = text[:end].count("\n") - written(head=trace.head).count("\n")
    if whole < 0:
        with pytest.raises(BadTrace, match="no trace"):
            read(text[:end])
    else:
        assert read(text[:end])[0] == replace(trace, lines=trace.lines[:whole])


@given(sittings(), sittings(), st.integers(0, 2**32))
def test_what_is_added_behind_a_torn_line_is_read_too(torn: Trace, trace: Trace, seed: int) -> None:
    text = written(*torn.lines, head=torn.head)
    text = text[: random.Random(seed).randrange(1, len(text))]
    end = "" if text.endswith("\n") else f"{TORN}\n"
    assert read(text + end + written(*trace.lines, head=trace.head))[-1] == trace


@given(sittings(), st.integers(0, 2**32))
def test_a_damaged_file_gives_traces_or_one_sentence(trace: Trace, seed: int) -> None:
    rng = random.Random(seed)
    letters = list(written(*trace.lines, head=trace.head))
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(letters))
        letters[at : at + rng.randrange(3)] = rng.choice(
            ["", "\n", "9" * 30, "=", "!", "+", "-", "#", "\x00", "é", "~"]
        )
    said = wrong_with("".join(letters))
    assert "\n" not in said
    assert len(said) < 400


@given(st.text())
def test_any_text_gives_traces_or_one_sentence(text: str) -> None:
    assert "\n" not in wrong_with(text)


@given(st.text())
def test_whatever_is_said_stays_in_its_line(text: str) -> None:
    (trace,) = read(written(Line(0.0, Told("play", text)), Line(0.0, Note(f"x{text}"))))
    assert [type(line.what) for line in trace.lines] == [Told, Note]


# ------------------------------------------------------------------------------------------ what it looks like


def test_a_head_is_lines_that_a_person_can_read() -> None:
    head = replace(
        HEAD,
        board="oak-8x8",
        begun="2026-11-30T18:04:05Z",
        settings={"settle": "0.4", "commit": "settle"},
        start="W:Wa1:Bh8",
        past=(("act", "a1-b2"), ("back", "")),
        profile="[cells]\nx = 1\n",
        sitting="resumed",
    )
    assert written(head=head).splitlines() == [
        "reedlight trace 1",
        "game draughts 8",
        "board oak-8x8",
        "begun 2026-11-30T18:04:05Z",
        "sitting resumed",
        "settings commit=settle settle=0.4",
        "start W:Wa1:Bh8",
        "cells a1=0 b1=1 c1=41 -1,2=7",
        "past act a1-b2",
        "past back",
        "profile |[cells]",
        "profile |x = 1",
        "",
    ]


def test_the_first_report_is_whole_and_those_after_it_say_what_changed() -> None:
    masks = (0xFFF, 0xFFE, 0xFFE | 1 << 41, 1 << 41 | 1)
    lines = [Line(at / 2, Switches(mask)) for at, mask in enumerate(masks)]
    assert lines_of(*lines) == ["0 =fff", "500 -0", "500 +41", "500 =20000000001"]


def test_now_and_then_a_report_is_whole_again() -> None:
    said = lines_of(*(Line(0.0, Switches(0xFFFFFFF0 | number % 2)) for number in range(3 * WHOLE_EVERY)))
    whole = [at for at, line in enumerate(said) if "=" in line]
    assert whole == [0, WHOLE_EVERY + 1, 2 * WHOLE_EVERY + 2]


def test_switches_that_have_not_changed_are_said_whole() -> None:
    assert lines_of(Line(0.0, Switches(5)), Line(1.0, Switches(5))) == ["0 =5", "1000 =5"]


def test_times_are_milliseconds_since_the_line_before_and_comments_do_not_count() -> None:
    said = lines_of(
        Line(0.0015, Buttons(frozenset(("next", "go")))),
        Line(0.4015, Note("accepted c3-d4")),
        Line(0.5015, Buttons(frozenset()), late=0.0324),
        Line(0.4, Fell((3, 1))),
        Line(0.6015, Told("press", "go"), late=0.0),
        Line(0.6015, Lost(), late=-1.0),
    )
    assert said == [
        "1.5 down go next",
        "# 400 accepted c3-d4",
        "500!32.4 down",
        "0 roll 3-1",
        "100!0 press go",
        "0!0 lost",
    ]


def test_the_comments_on_what_became_part_of_a_game_are_known_by_their_first_word() -> None:
    assert is_made("accepted c3-d4")
    assert is_made("ended: light, Black has no pieces")
    assert all(map(is_made, MADE))
    assert not any(map(is_made, ("", END, "refused c3: why not", "acceptedc3", "trouble: no Pico")))


def test_a_text_is_kept_on_its_line_and_within_bounds() -> None:
    assert one_line("a\nb\x00c\u2028d~ ~") == "a b c d"
    assert len(one_line("x" * (LONGEST_TEXT + 9))) == LONGEST_TEXT


# ------------------------------------------------------------------------------------------------ reading


def test_comments_without_a_time_and_empty_lines_say_nothing() -> None:
    assert trace_of("0 =3", "# a person wrote this", "", "#", "# 12", "5 -0") == trace_of("0 =3", "5 -0")


def test_a_file_may_begin_with_comments_and_a_mark_of_its_encoding() -> None:
    assert len(read(f"\ufeff# from the kitchen\r\n\r\n{FIRST_LINE}\r\ngame herd 3\r\n\r\n0 =3\r\n")) == 1


def test_comments_may_be_taken_away_and_the_rest_says_the_same() -> None:
    text = written(Line(0.5, Switches(1)), Line(0.9, Note("accepted x")), Line(1.0, Switches(0)))
    without = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))
    (bare,), (trace,) = read(without), read(text)
    assert bare.lines == (trace.lines[0], trace.lines[2])


def test_a_torn_head_says_nothing() -> None:
    torn = f"{FIRST_LINE}\ngame draughts 8\nboa{TORN}\n"
    assert len(read(torn + written())) == 1
    assert len(read(written() + torn)) == 1
    with pytest.raises(BadTrace, match="there is no trace in it"):
        read(torn)


def test_what_is_not_said_is_as_usual() -> None:
    assert trace_of().head == Head("draughts", "8", {})


def test_a_roll_a_word_and_the_buttons_are_read() -> None:
    assert whats("0 roll 3-1", "0 deaf c3 e5", "0 recount", "0 down", "0 down go", "0 lost") == [
        Fell((3, 1)),
        Told("deaf", "c3 e5"),
        Told("recount"),
        Buttons(frozenset()),
        Buttons(frozenset(("go",))),
        Lost(),
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("soon =ff", "'soon =ff' is no line of a trace"),
        ("5", "'5' is no line of a trace"),
        ("5.1234 =ff", "is no line of a trace"),
        ("-5 =ff", "is no line of a trace"),
        ("5 =xyz", "'=xyz' is nothing that comes in at a table"),
        ("5 dance", "'dance' is nothing that comes in at a table"),
        ("5 roll 3-", "'roll 3-' is nothing that comes in at a table"),
        ("5 lost it", "'lost it' is nothing that comes in at a table"),
        ("5 -7", "switch 7 cannot open: it is open already"),
        ("5 +7+7", "switch 7 cannot close: it is closed already"),
        ("5 +4096", "there is no switch 4096"),
        ("5 " + "+1-1" * 2000 + "+1+1", "switch 1 cannot close"),
        ("5 =" + "f" * (MOST_SWITCHES // 4 + 1), "is nothing that comes in at a table"),
        ("999999999999999 =1", "no game is as long as this"),
    ],
)
def test_a_line_that_cannot_be_is_named_with_the_reason(line: str, why: str) -> None:
    with pytest.raises(BadTrace) as caught:
        trace_of("0 =0", line)
    assert str(caught.value).startswith("line 5: ")
    assert why in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ("board oak", "line 3: the head before it is not in order: it names no game and size"),
        ("game draughts", "it names no game and size"),
        ("gate draughts 8", "line 2: a head has no 'gate'; it has game, board"),
        ("game draughts 8\ngame herd 3", "line 3: game is there twice"),
        ("game draughts 8\ncells a1", "'a1' has no value"),
        ("game draughts 8\ncells a1=x", "cell 'a1' has no switch 'x'"),
        ("game draughts 8\ncells a1=4096", "cell 'a1' has no switch '4096'"),
        ("game draughts 8\ncells a1=-1", "cell 'a1' has no switch '-1'"),
        ("game draughts 8\nsitting standing", "there is no sitting 'standing'; there are new, resumed, shown"),
    ],
)
def test_a_head_that_cannot_be_is_named_with_the_reason(head: str, why: str) -> None:
    with pytest.raises(BadTrace) as caught:
        trace_of(head=head)
    assert why in str(caught.value)


def test_what_is_no_trace_at_all_is_told_how_one_begins() -> None:
    with pytest.raises(
        BadTrace, match=r"line 1: '\[Event \"\?\"\]' is not how a trace begins; that is 'reedlight trace 1'"
    ):
        read('[Event "?"]\n')
    with pytest.raises(BadTrace, match="there is no trace in it; one begins with the line 'reedlight trace 1'"):
        read("")


# ---------------------------------------------------------------------------------------------- the story


def told(*lines: Line, head: Head = HEAD) -> list[str]:
    return list(story(Trace(head, lines), "Russian draughts 8, settle"))


def test_a_trace_is_told_as_a_story_with_a_paragraph_for_each_move() -> None:
    start = 0b10000011
    assert told(
        Line(0.5, Switches(start)),
        Line(1.0, Told("press", "go")),
        Line(1.0, Note("began")),
        Line(3.21, Switches(start ^ 0b1)),
        Line(4.02, Switches(start ^ 0b1 | 1 << 41)),
        Line(4.42, Note("accepted a1-c1")),
        Line(5.0, Buttons(frozenset(("go",)))),
        Line(5.1, Buttons(frozenset(("back",)))),
        Line(5.2, Buttons(frozenset())),
        Line(5.3, Buttons(frozenset())),
        Line(5.4, Fell((3, 1))),
        Line(5.5, Lost()),
        Line(5.6, Told("recount")),
        Line(6.0, Switches(1 << 99)),
        Line(7.0, Note("refused c3: why not")),
    ) == [
        "0.00 s  Russian draughts 8, settle · 0.50  a1 b1 -1,2 placed",
        "1.00  page: press go · 1.00  began",
        "3.21  a1 lifted · 4.02  c1 placed · 4.42  accepted a1-c1",
        "5.00  go down · 5.10  go up, back down · 5.20  back up · 5.30  no button down",
        "5.40  dice 3-1 · 5.50  the buttons are lost · 5.60  page: recount",
        "6.00  b1 -1,2 c1 lifted, switch 99 placed · 7.00  refused c3: why not",
    ]


def test_many_that_change_at_once_are_counted_and_those_at_almost_one_moment_are_told_as_one() -> None:
    lines = [Line(0.5 + at / 1000, Switches((2 << at) - 1)) for at in range(8)]
    assert told(*lines, Line(1.0, Switches(0)), Line(1.021, Switches(1))) == [
        "0.00 s  Russian draughts 8, settle · 0.50  8 placed · 1.00  8 lifted",
        "1.02  a1 placed",
    ]


def test_a_report_that_changes_nothing_is_not_told() -> None:
    assert told(Line(0.5, Switches(0))) == ["0.00 s  Russian draughts 8, settle"]


@given(sittings())
def test_no_line_of_a_story_is_wider_than_a_terminal(trace: Trace) -> None:
    assert all(len(line) <= WIDTH for line in story(trace, "x" * 200))


def test_a_story_may_end_with_a_move() -> None:
    assert told(Line(1.0, Note("began")))[-1] == "0.00 s  Russian draughts 8, settle · 1.00  began"


def test_a_long_reason_goes_on_in_the_next_line() -> None:
    lines = told(Line(1.0, Note("refused c3: " + "because " * 20)))
    assert lines[0] == "0.00 s  Russian draughts 8, settle"
    assert lines[1].startswith("1.00  refused c3: because")
    assert lines[2].startswith("      because")
