"""Games with dice as text: Reedlight records in and out, JSON lines in, and what each wrong line is told."""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reedlight.core.game import BadNotation, Correction, Game, IllegalAction, Roll, Side
from reedlight.core.grid import Cell
from reedlight.games import diablo, herd
from reedlight.record.account import Account, Step
from reedlight.record.dice import (
    Record,
    Turn,
    Unread,
    account,
    read,
    read_each,
    read_json_lines,
    read_records,
    record_of,
    transcribe,
    write,
)

MAKERS = {"diablo": diablo.make, "herd": herd.make}

SMALL = """\
[Game "diablo"]
[Size "2"]
[Black "Ada"]
[Green "computer, level 2"]
[Date "2026-11-30"]
[Result "Black"]
[Reason "Green has no checkers left"]
# Played in the kitchen.

1. Black 1-1: capture 1 a1-b1
2. Green 1-1: empty 1 a2-a1; capture 1 a1-b1  # the corner
# and back again
3. Black 1-1: capture 1 b2-b1
"""

SMALL_RECORD = Record(
    game="diablo",
    size="2",
    turns=(
        Turn("Black", (1, 1), ("capture 1 a1-b1",)),
        Turn("Green", (1, 1), ("empty 1 a2-a1", "capture 1 a1-b1"), "the corner\nand back again"),
        Turn("Black", (1, 1), ("capture 1 b2-b1",)),
    ),
    result="Black",
    reason="Green has no checkers left",
    tags=(("Black", "Ada"), ("Green", "computer, level 2"), ("Date", "2026-11-30")),
    comment="Played in the kitchen.",
)


def played_at_random(game: Game, seed: int, steps: int) -> list:
    """The rolls and actions of a random game, broken off after so many steps."""
    chance = Random(seed)
    state, played = game.start(), []
    while state.outcome is None and len(played) < steps:
        step = chance.choice(list(state.legal_actions()) or list(state.chance()))
        played.append(step)
        state = state.apply(step)
    return played


def replay(game: Game, record: Record) -> list:
    """The rolls and actions of a record."""
    return [step.action for step in account(game, record).steps]


# ---------------------------------------------------------------------------------------------- the format


def test_a_record_is_read_with_everything_in_it() -> None:
    (record,) = read(SMALL)
    assert record == SMALL_RECORD
    assert record.line == 1
    assert [turn.line for turn in record.turns] == [10, 11, 13]


def test_a_record_is_written_as_it_was_read() -> None:
    assert write([SMALL_RECORD]) == SMALL


def test_a_record_replays_to_its_rolls_and_actions() -> None:
    played = replay(diablo.make("2"), SMALL_RECORD)
    assert list(map(str, played)) == [
        "Roll(dice=(1, 1))",
        "capture 1 a1-b1",
        "Roll(dice=(1, 1))",
        "empty 1 a2-a1",
        "capture 1 a1-b1",
        "Roll(dice=(1, 1))",
        "capture 1 b2-b1",
    ]
    tags, comment = SMALL_RECORD.tags, SMALL_RECORD.comment
    assert transcribe(diablo.make("2"), played, tags=tags, comment=comment) == Record(
        **{
            **{name: getattr(SMALL_RECORD, name) for name in ("game", "size", "result", "reason", "tags", "comment")},
            "turns": tuple(Turn(turn.side, turn.dice, turn.actions) for turn in SMALL_RECORD.turns),
        }
    )


def test_a_file_holds_several_records_and_a_byte_order_mark_does_no_harm() -> None:
    text = write([SMALL_RECORD, Record("herd", "5"), SMALL_RECORD])
    assert read(f"\ufeff{text}") == (SMALL_RECORD, Record("herd", "5"), SMALL_RECORD)
    assert read(text.replace("\n", "\r\n")) == (SMALL_RECORD, Record("herd", "5"), SMALL_RECORD)
    assert read(text.replace("\n", "\r")) == (SMALL_RECORD, Record("herd", "5"), SMALL_RECORD)


def test_an_empty_file_holds_no_record() -> None:
    assert read("") == ()
    assert read("# nothing yet\n\n") == ()
    assert write([]) == ""


def test_comments_above_the_first_record_belong_to_it() -> None:
    (record,) = read(f"# Found in a drawer.\n{SMALL}")
    assert record.comment == "Found in a drawer.\nPlayed in the kitchen."
    assert record.line == 1


def test_a_tag_value_may_hold_anything() -> None:
    tags = (("Black", 'Ada "the Fox" # 1 \\ [x]\n\u2028'), ("Played at", ""))
    assert read(write([Record("diablo", "4", tags=tags)]))[0].tags == tags


def test_turns_are_read_in_loose_spacing() -> None:
    (record,) = read('[Game "diablo"]\n[Size  "4"]\n  1.  Black   2-1 :capture 1 a1-b1 ;merge 2 b1-d1#why\n')
    assert record.turns == (Turn("Black", (2, 1), ("capture 1 a1-b1", "merge 2 b1-d1"), "why"),)


lines = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\n"), max_size=12).map(str.strip)
comments = st.lists(lines, max_size=3).map("\n".join)
words = st.text("abcXYZ-, 0123", min_size=1, max_size=12).map(str.strip).filter(bool)
elapsed = st.one_of(st.just(""), st.from_regex(r"[0-9]{1,5}:[0-5][0-9]:[0-5][0-9](\.[0-9]{1,3})?", fullmatch=True))


@st.composite
def written_turns(draw: st.DrawFn) -> Turn:
    """Turns as they can be written: comments are none that would be empty, times are told for all or for none."""
    actions = tuple(draw(st.lists(words, max_size=3)))
    places = draw(st.lists(st.integers(0, len(actions) - 1), unique=True).map(sorted)) if actions else []
    times = tuple(draw(st.lists(elapsed, min_size=len(actions) + 1, max_size=len(actions) + 1)))
    return Turn(
        draw(st.sampled_from(("Black", "Green", "Red", "First player"))),
        tuple(draw(st.lists(st.integers(0, 999), max_size=3))),
        actions,
        draw(comments),
        tuple((at, draw(comments.filter(bool))) for at in places),
        times if any(times) else (),
    )


turns = written_turns()
tag_names = st.sampled_from(("Black", "Green", "Date", "Event", "First player"))
records = st.builds(
    Record,
    st.sampled_from(("diablo", "herd")),
    st.sampled_from(("4", "brick-6x6")),
    st.lists(turns, max_size=4).map(tuple),
    st.sampled_from(("*", "draw", "Black")),
    st.text(st.characters(blacklist_categories=("Cs",)), max_size=12),
    st.lists(st.tuples(tag_names, lines), max_size=3, unique_by=lambda tag: tag[0]).map(tuple),
    comments,
)


@given(st.lists(records, max_size=3).map(tuple))
def test_every_record_comes_back_from_its_text(written: tuple[Record, ...]) -> None:
    assert read_records(write(written)) == written


@settings(deadline=None, max_examples=25)
@given(
    st.sampled_from((("diablo", "2"), ("diablo", "4"), ("diablo", "6"), ("herd", "2"), ("herd", "3"))),
    st.integers(0, 2**32),
    st.integers(0, 200),
)
def test_every_game_comes_back_from_its_record(option: tuple[str, str], seed: int, steps: int) -> None:
    game = MAKERS[option[0]](option[1])
    played = played_at_random(game, seed, steps)
    record = transcribe(game, played)
    (again,) = read(write([record]))
    assert again == record
    assert replay(game, again) == played


HEADER = '[Game "diablo"]\n[Size "4"]\n'
REFUSED = {
    "1. Black 1-1: x\n": 'line 1: a record begins with its game, such as [Game "diablo"]',
    '# x\n[Size "4"]\n[Game "diablo"]\n': 'line 2: a record begins with its game, such as [Game "diablo"]',
    'nothing\n[Game "diablo"]\n[Size "4"]\n': 'line 1: a record begins with its game, such as [Game "diablo"]',
    '\n[Game "diablo"]\n': 'line 2: the record has no size, such as [Size "8"]',
    f"{HEADER}... merge 2 a1-c1\n": "line 3: there is no turn above to go on with",
    f"{HEADER}1. Black 1-1:\n... x; \n": "line 4: an action is missing beside a ';'",
    f"{HEADER}Black to move\n": "line 3: 'Black to move' is neither a tag, a turn nor a comment",
    f"{HEADER}[Size 4]\n": "line 3: '[Size 4]' is neither a tag, a turn nor a comment",
    f'{HEADER}[Size "4"]\n': "line 3: the tag Size is here twice",
    f'{HEADER}[Date "4" "5"]\n': 'line 3: \'"4" "5"\' is no text in quotes',
    f"{HEADER}2. Black 1-1: x\n": "line 3: this is turn 1, not 2",
    f"{HEADER}1. Black 1-1: x;;y\n": "line 3: an action is missing beside a ';'",
    f'{HEADER}1. Black 1-1: x\n[Date "4"]\n': "line 4: '[Date \"4\"]' is neither a turn nor a comment",
    f"{HEADER}1. Black 1-1: x\n2. Green: {'y' * 60}\n": f"line 4: '2. Green: {'y' * 47}...' is neither "
    "a turn nor a comment",
}


@pytest.mark.parametrize(("text", "told"), REFUSED.items(), ids=list(REFUSED.values()))
def test_a_wrong_record_is_refused_with_its_line(text: str, told: str) -> None:
    with pytest.raises(BadNotation) as refusal:
        read(text)
    assert str(refusal.value) == told


@given(st.text('[]"#;:.1 GameSizBlck-\n', max_size=80))
def test_a_text_is_a_record_or_refused(text: str) -> None:
    try:
        found = read_records(HEADER + text)
    except BadNotation as error:
        assert str(error).startswith("line ")  # noqa: PT017  # most texts are refused, some are not
    else:
        assert found


# ------------------------------------------------------------------------------------------------- play


def test_a_turn_may_be_unfinished_or_have_no_action_yet() -> None:
    game = diablo.make("4")
    (record,) = read(f"{HEADER}1. Black 2-1: merge 2 a1-c1\n2. Green 1-2: capture 1 d1-d2\n")
    assert len(replay(game, record)) == 4
    (record,) = read(f"{HEADER}1. Black 2-1:\n")
    assert replay(game, record) == [Roll((2, 1))]
    assert transcribe(game, [Roll((2, 1))]) == record


UNPLAYABLE = {
    "1. Green 1-1: x": (BadNotation, "line 3: turn 1: it is the turn of Black, not of Green"),
    "1. Ada 1-1: x": (BadNotation, "line 3: turn 1: it is the turn of Black, not of Ada"),
    "1. Black 3-1: x": (IllegalAction, "line 3: turn 1: the dice cannot show 3-1"),
    "1. Black 1-1-1: x": (IllegalAction, "line 3: turn 1: the dice cannot show 1-1-1"),
    "1. Black 1-1: jump": (
        BadNotation,
        "line 3: turn 1: 'jump' is no action; write one such as 'merge 2 a1-c1' or 'remove a1'",
    ),
    "1. Black 1-1: merge 1 a1-b1": (IllegalAction, "line 3: turn 1: merge 1 a1-b1: a1-b1 is a capture"),
    "1. Black 1-1: capture 1 a1-b1; capture 1 b1-b2": (
        IllegalAction,
        "line 3: turn 1: capture 1 b1-b2: The dice are not rolled yet.",
    ),
    "1. Black 1-1:\n2. Green 1-1:": (IllegalAction, "line 4: turn 2: the turn before is not finished"),
}


@pytest.mark.parametrize(("text", "error", "told"), [(text, *told) for text, told in UNPLAYABLE.items()])
def test_what_cannot_have_been_played_is_refused_with_its_line(text: str, error: type[Exception], told: str) -> None:
    with pytest.raises(error) as refusal:
        replay(diablo.make("4"), read(HEADER + text)[0])
    assert str(refusal.value) == told


def test_nothing_follows_the_end() -> None:
    text = f"{SMALL}4. Green 1-1:\n"
    with pytest.raises(IllegalAction, match=r"^line 14: turn 4: the game is already over$"):
        replay(diablo.make("2"), read(text)[0])


@pytest.mark.parametrize("result", ["Black", "black", "B", "1", "*"])
def test_a_result_may_be_named_in_several_ways(result: str) -> None:
    text = SMALL.replace('[Result "Black"]', f'[Result "{result}"]')
    assert len(replay(diablo.make("2"), read(text)[0])) == 7


@pytest.mark.parametrize("result", ["Black", "Green", "draw", "*"])
def test_an_unfinished_game_may_have_any_result(result: str) -> None:
    (record,) = read(f'{HEADER}[Result "{result}"]\n1. Black 1-1:\n')
    assert replay(diablo.make("4"), record) == [Roll((1, 1))]


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ("Green", "line 1: the result says Green, but the game ends with Black"),
        ("draw", "line 1: the result says draw, but the game ends with Black"),
        ("Ada", "line 1: the result 'Ada' is none of Black, Green, draw and *"),
    ],
)
def test_a_result_that_cannot_be_is_refused(result: str, told: str) -> None:
    text = SMALL.replace('[Result "Black"]', f'[Result "{result}"]')
    with pytest.raises(BadNotation) as refusal:
        replay(diablo.make("2"), read(text)[0])
    assert str(refusal.value) == told


def test_a_record_of_another_game_or_size_is_refused() -> None:
    with pytest.raises(BadNotation, match=r"^line 1: this is diablo 2, not diablo 4$"):
        replay(diablo.make("4"), read(SMALL)[0])


def test_a_step_that_is_not_legal_is_not_written() -> None:
    with pytest.raises(IllegalAction):
        transcribe(diablo.make("4"), [Roll((9, 9))])


def test_a_drawn_game_is_written_as_a_draw() -> None:
    game = herd.make("square-2x2")
    drawn = (played_at_random(game, seed, 500) for seed in range(200))
    record = next(record for record in (transcribe(game, played) for played in drawn) if record.result == "draw")
    assert replay(game, read(write([record]))[0])


# ------------------------------------------------------------------------------ times, comments, recounts

BEGUN = 1796061845.0
"""18:04:05 on the 30th of November 2026, in UTC."""
WHOLE = """\
[Game "diablo"]
[Size "4"]
[Black "Ada"]
[Begun "2026-11-30T18:04:05Z"]
[Result "*"]

1. Black 2-1 @0:00:04:  # at last
... merge 2 a1-c1 @0:00:09.25  # taken back: capture 1 a1-b1
2. Green 1-2 @0:01:00:  # three
# lines
... recount c1=1; capture 1 d1-d2  # and
# more
... merge 2 a2-a4
"""


def whole() -> Account:
    (record,) = read(WHOLE)
    return account(diablo.make("4"), record)


def test_times_comments_and_recounts_stand_where_they_belong() -> None:
    told = whole()
    assert [(str(step.action), step.at and step.at - BEGUN, step.comment) for step in told.steps] == [
        ("Roll(dice=(2, 1))", 4, "at last"),
        ("merge 2 a1-c1", 9.25, "taken back: capture 1 a1-b1"),
        ("Roll(dice=(1, 2))", 60, "three\nlines"),
        ("recount c1=1", 0, ""),
        ("capture 1 d1-d2", 0, "and\nmore"),
        ("merge 2 a2-a4", 0, ""),
    ]
    assert (told.begun, told.tags) == (BEGUN, {"Black": "Ada"})
    assert told.past.entries[4].before.pieces()[Cell("c1")].height == 1


def test_an_account_is_written_as_it_was_read() -> None:
    assert write([record_of(whole())]) == WHOLE


def test_without_a_beginning_no_time_can_be_told() -> None:
    (record,) = read(WHOLE.replace("[Begun", "[Began"))
    assert {step.at for step in account(diablo.make("4"), record).steps} == {0.0}


def test_what_looks_like_a_time_and_is_none_belongs_to_the_action() -> None:
    (record,) = read(f"{HEADER}1. Black 2-1: merge 2 a1-c1 @noon\n")
    assert record.turns[0].actions == ("merge 2 a1-c1 @noon",)


def test_a_recount_of_what_does_not_stand_there_is_refused() -> None:
    (record,) = read(f"{HEADER}1. Black 2-1: recount c2=3\n")
    with pytest.raises(IllegalAction, match=r"^line 3: turn 1: diablo: "):
        account(diablo.make("4"), record)
    (record,) = read(f"{HEADER}1. Black 2-1: recount c2\n")
    with pytest.raises(BadNotation, match=r"^line 3: turn 1: 'c2' is no recount$"):
        account(diablo.make("4"), record)


def test_a_recount_before_the_first_roll_is_part_of_the_start() -> None:
    game = diablo.make("4")
    believed = game.load("G1,B1,G1,B1/B1,G1,B1,G1/G1,B1,G1,B1/1,G1,B2,G1 G roll")
    correction = Correction(((Cell("c1"), 1),))
    counted = believed.apply(correction)
    told = Account(game, believed, (Step(correction), Step(Roll((2, 1)))))
    assert account(game, record_of(told)) == Account(game, counted, (Step(Roll((2, 1))),))
    assert account(game, record_of(Account(game, believed, (Step(correction),)))).start == counted


# ------------------------------------------------------------------------------------ other beginnings


def test_a_game_may_start_from_a_position_after_a_roll() -> None:
    game = diablo.make("4")
    state = game.start()
    for step in (Roll((2, 1)), game.parse(state.apply(Roll((2, 1))), "merge 2 a1-c1")):
        state = state.apply(step)
    rolled = game.load(game.dump(state.apply(Roll((1, 2)))))
    told = Account(
        game, rolled, (Step(game.parse(rolled, "capture 1 d1-d2")), Step(game.parse(rolled, "merge 2 a2-a4")))
    )
    text = write([record_of(told)])
    assert f'[Start "{game.dump(rolled)}"]\n' in text
    assert text.endswith("\n1. Green -: capture 1 d1-d2; merge 2 a2-a4\n")
    assert account(game, read(text)[0]) == told


def test_a_game_may_start_from_a_position_before_a_roll_of_either_side() -> None:
    game = diablo.make("4")
    state = game.start()
    while state.to_act is not Side.CHANCE or state == game.start():
        state = state.apply(next(iter(state.legal_actions() or state.chance())))
    start = game.load(game.dump(state))
    told = Account(game, start, (Step(Roll((2, 1))),))
    text = write([record_of(told)])
    assert text.endswith("\n1. Green 2-1:\n")
    assert account(game, read(text)[0]) == told


def test_a_game_that_is_over_from_the_start_is_a_game() -> None:
    game = diablo.make("2")
    over = account(game, SMALL_RECORD).past.state
    told = Account(game, game.load(game.dump(over)), result="dark")
    assert account(game, record_of(told)) == told


@pytest.mark.parametrize(
    ("start", "turn", "why"),
    [
        ("nowhere", "1. Black 2-1:", "line 1: Start: "),
        ("", "1. Black -: merge 2 a1-c1", "line 4: turn 1: the dice must be told: it begins with a roll"),
    ],
)
def test_a_start_that_is_none_is_refused(start: str, turn: str, why: str) -> None:
    (record,) = read(f'[Game "diablo"]\n[Size "4"]\n[Start "{start}"]\n{turn}\n')
    with pytest.raises((BadNotation, IllegalAction)) as refusal:
        account(diablo.make("4"), record)
    assert str(refusal.value).startswith(why)


# --------------------------------------------------------------------------- files with something wrong


def test_a_wrong_record_is_told_and_the_others_are_read() -> None:
    found = list(read_each(f'nothing\n{SMALL}{HEADER}Black to move\n{SMALL}[Game "herd"]\n'))
    assert found == [
        Unread(1, 'line 1: a record begins with its game, such as [Game "diablo"]'),
        SMALL_RECORD,
        Unread(15, "line 17: 'Black to move' is neither a tag, a turn nor a comment"),
        SMALL_RECORD,
        Unread(31, 'line 31: the record has no size, such as [Size "8"]'),
    ]


def test_a_wrong_line_of_json_is_told_and_the_others_are_read() -> None:
    assert list(read_each(f"{GOOD}\n{{\n{GOOD}\n"))[::2] == [Record("diablo", "4")] * 2


@pytest.mark.parametrize("text", [" ", "1-1 ", "@ ", "; ", "# ", "-1"])
def test_long_lines_are_read_quickly(text: str) -> None:
    begun = time.process_time()
    list(read_each(f"{HEADER}1. a{text * 50_000}x\n[{text * 50_000}"))
    list(read_each(f"{HEADER}1. Black 2-1:\n" + f"... {text}# so\n" * 20_000))
    assert time.process_time() - begun < 1


# ------------------------------------------------------------------------------------------- JSON lines


def test_a_json_line_is_read_like_a_record() -> None:
    told = {
        "game": "diablo",
        "n": 2,
        "turns": [
            {"number": 1, "player": "B", "dice": [1, 1], "actions": ["capture 1 a1-b1"]},
            {"number": 2, "player": "G", "dice": [1, 1], "actions": ["empty 1 a2-a1", "capture 1 a1-b1"]},
            {"number": 3, "player": "B", "dice": [1, 1], "actions": ["capture 1 b2-b1"]},
        ],
        "winner": "B",
    }
    (record,) = read(f"\n{json.dumps(told)}\n")
    assert (record.line, record.result) == (2, "B")
    assert replay(diablo.make("2"), record) == replay(diablo.make("2"), SMALL_RECORD)


def test_a_hexagonal_grid_becomes_the_size_that_makes_it() -> None:
    (record,) = read('{"game": "herd", "grid": "hexhex-3", "turns": []}')
    assert (record.game, record.size, record.result) == ("herd", "3", "*")
    (record,) = read('{"game": "herd", "grid": "brick-4x4", "turns": []}')
    assert record.size == "brick-4x4"


GOOD = '{"game": "diablo", "n": 4, "turns": []}'
NEEDS = "line 2: a game needs its 'game', 'n' or 'grid', and a list of 'turns'"
TURN_NEEDS = "line 2: turn 1 needs 'number', 'player', numbers as 'dice', texts as 'actions'"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "line 2: this is not JSON: "),
        ("[" * 100_000, "line 2: this is not JSON: "),
        ("[]", NEEDS),
        ('{"game": "diablo", "turns": []}', NEEDS),
        ('{"game": "diablo", "n": "4", "turns": []}', NEEDS),
        ('{"game": "herd", "grid": "hexhex-3", "turns": {}}', NEEDS),
        ('{"game": "diablo", "n": true, "turns": []}', NEEDS),
        ('{"game": "diablo", "n": 4, "turns": [], "winner": 3}', "line 2: the winner must be named by a text"),
        ('{"game": "diablo", "n": 4, "turns": [1]}', TURN_NEEDS),
        (
            '{"game": "diablo", "n": 4, "turns": [{"number": true, "player": "B", "dice": [1], "actions": []}]}',
            TURN_NEEDS,
        ),
        ('{"game": "diablo", "n": 4, "turns": [{"number": 1, "player": "B", "dice": [1]}]}', TURN_NEEDS),
        (
            '{"game": "diablo", "n": 4, "turns": [{"number": 1, "player": "B", "dice": [true], "actions": []}]}',
            TURN_NEEDS,
        ),
        (
            '{"game": "diablo", "n": 4, "turns": [{"number": 1, "player": "B", "dice": [1], "actions": [2]}]}',
            TURN_NEEDS,
        ),
        (
            '{"game": "diablo", "n": 4, "turns": [{"number": 2, "player": "B", "dice": [1], "actions": []}]}',
            "line 2: this is turn 1, not 2",
        ),
    ],
)
def test_a_wrong_json_line_is_refused_with_its_line(text: str, told: str) -> None:
    with pytest.raises(BadNotation) as refusal:
        read_json_lines(f"{GOOD}\n{text}")
    assert str(refusal.value).startswith(told)


@pytest.mark.parametrize("name", MAKERS)
def test_every_known_game_replays_and_comes_back_from_a_record(name: str, published: Path) -> None:
    found = read((published / name / "games.jsonl").read_text())
    assert len(found) == 12
    for told in found:
        game = MAKERS[name](told.size)
        played = replay(game, told)
        record = transcribe(game, played)
        assert record.result in {game.sides[Side.DARK], game.sides[Side.LIGHT], "draw"}
        assert [(turn.dice, turn.actions) for turn in record.turns] == [
            (turn.dice, turn.actions) for turn in told.turns
        ]
        assert replay(game, read(write([record]))[0]) == played
