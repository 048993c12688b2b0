"""PDN: files from many hands are read, games gone through by the rules, and written as PDN 3.0."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reedlight.core.game import BadNotation, Declaration, IllegalAction, Side, Speech
from reedlight.games.draughts import Move, make
from reedlight.record.account import Account, Step, result_of
from reedlight.record.pdn import BrokenGame, PdnGame, account, read, text_of

GAME = make("8")
EMPTY_LINES = "\n" * 40_000


def only(text: str) -> PdnGame:
    games = list(read(text))
    assert len(games) == 1
    assert isinstance(games[0], PdnGame), games[0]
    return games[0]


def texts(game: PdnGame | BrokenGame) -> list[str]:
    assert isinstance(game, PdnGame), game
    return [move.text for move in game.moves]


def played(*moves: str, start: str | None = None, **told: Any) -> Account[Move]:
    state = GAME.start() if start is None else GAME.load(start)
    begun, steps = state, list[Step[Move]]()
    for text in moves:
        steps.append(Step(GAME.parse(state, text)))
        state = state.apply(steps[-1].action)
    reason = state.outcome.reason if state.outcome else ""
    return Account(GAME, begun, tuple(steps), **{"result": result_of(state), "reason": reason, **told})


def reread(told: Account[Move]) -> Account[Move]:
    return account(GAME, only(text_of(told)))


def moves_of(told: Account[Move]) -> str:
    """What is written below the tags."""
    return text_of(told).partition("\n\n")[2]


# ------------------------------------------------------------------------------------ reading


def test_a_game_has_tags_moves_and_a_result() -> None:
    game = only('[White "Anna \\"A\\" \\\\ B"]\n[Result "1-0"]\n\n1. c3-d4 b6-a5\n2. d4-c5 *\n')
    assert game.tags == {"White": 'Anna "A" \\ B', "Result": "1-0"}
    assert [(move.text, move.line) for move in game.moves] == [("c3-d4", 4), ("b6-a5", 4), ("d4-c5", 5)]
    assert (game.number, game.line, game.start, game.result) == (1, 1, None, "1-0")


@pytest.mark.parametrize(
    "text",
    [
        "1.c3-d4 b6-a5 2.d4-c5",
        "1. c3-d4 1... b6-a5 2. d4-c5",
        "1 c3-d4 b6-a5 2 d4-c5",
        "c3-d4 b6-a5 d4-c5 *",
        "1. c3-d4 {a (quiet) [move]; really} b6-a5 {of\ntwo lines} 2. d4-c5",
        "1. c3-d4 ; to the end { of the line\nb6-a5 2. d4-c5",
        "% a line for programs\n1. c3-d4 b6-a5 2. d4-c5",
        "1. c3-d4 (1. e3-f4 d6-c5 (1... h6-g5 *) 2. f2-e3 1-0) b6-a5 2. d4-c5",
        "1. c3-d4! b6-a5?! 2. d4-c5!!",
        "1. c3-d4 $1 b6-a5 $2$7 2. d4-c5 ?",
        "1. c3-d4 ... b6-a5\r\n2. d4-c5\r\n*\r\n",
        "1. c3-d4\rb6-a5\r2. d4-c5\r",
        "1\u2026 c3-d4 1.\u2026b6-a5\u2026 2. d4-c5",
        "\ufeff1. c3-d4 b6-a5 2. d4-c5",
    ],
)
def test_moves_are_read_through_numbers_comments_variations_and_marks(text: str) -> None:
    assert texts(only(text)) == ["c3-d4", "b6-a5", "d4-c5"]


@pytest.mark.parametrize(
    ("end", "tag", "result"),
    [
        ("1-0", "?", "1-0"),
        ("0-1", "?", "0-1"),
        ("1/2-1/2", "?", "1/2-1/2"),
        ("1/2", "?", "1/2-1/2"),
        ("\u00bd-\u00bd", "?", "1/2-1/2"),
        ("\u00bd", "?", "1/2-1/2"),
        ("*", "\u00bd-\u00bd", "1/2-1/2"),
        ("0-0", "?", "0-0"),
        ("2-0", "?", "1-0"),
        ("0-2", "?", "0-1"),
        ("1-1", "?", "1/2-1/2"),
        ("*", "?", "*"),
        ("", "?", "*"),
        ("*", "2-0", "1-0"),
        ("*", "1-1", "1/2-1/2"),
        ("", "0-2", "0-1"),
        ("0-1", "1-0", "0-1"),
    ],
)
def test_a_result_is_read_at_the_end_or_in_its_tag(end: str, tag: str, result: str) -> None:
    assert only(f'[Result "{tag}"]\n\n1. c3-d4 {end}').result == result


@pytest.mark.parametrize(
    "separator",
    ["*\n", "*", "1-0\n\n", "1-0 *\n\n", "\n\n"],
    ids=["star", "star alone", "result", "result and star", "the next header"],
)
def test_games_are_separated_by_their_ends_or_by_the_next_header(separator: str) -> None:
    first, second = read(f'[Round "1"]\n1. c3-d4 {separator}[Round "2"]\n1. e3-f4 *')
    assert texts(first) == ["c3-d4"]
    assert texts(second) == ["e3-f4"]
    assert (first.number, second.number) == (1, 2)


def test_games_without_tags_and_games_without_moves_are_games() -> None:
    games = list(read('1. c3-d4 * 1. e3-f4 *\n[Round "3"]\n[White "?"]\n[Round "4"]\n*'))
    assert [texts(game) for game in games] == [["c3-d4"], ["e3-f4"], [], []]
    assert [game.number for game in games] == [1, 2, 3, 4]


@pytest.mark.parametrize("text", ["", "\ufeff", "\n \n", "* *", "{nothing}"])
def test_a_file_without_games_has_none(text: str) -> None:
    assert list(read(text)) == []


@pytest.mark.parametrize("tags", ['[FEN "W:Wa1:Bh8"]', '[SetUp "1"]\n[FEN "W:Wa1:Bh8"]'])
def test_a_game_may_begin_with_a_position(tags: str) -> None:
    assert only(f"{tags}\n1. a1-b2 *").start == "W:Wa1:Bh8"
    assert only('[SetUp "0"]\n[FEN "W:Wa1:Bh8"]\n1. c3-d4 *').start is None


@pytest.mark.parametrize("kind", ["25", "25,W,8,8,A0,0", "25,W,8,8,A1,0", " 25 ,W,8,8,N1,0"])
def test_every_way_to_say_russian_draughts_is_read(kind: str) -> None:
    assert texts(only(f'[GameType "{kind}"]\n1. c3-d4 *')) == ["c3-d4"]


@pytest.mark.parametrize(
    ("broken", "line", "why"),
    [
        ('[Round "1"]\n\n1. c3-d4 {never\nclosed', 3, "the comment that begins here is not closed"),
        ('[Round "1"]\n[White "?]\n\n1. c3-d4', 2, 'this is no tag; one looks like [White "?"]'),
        ('[Round "1"]\n\n1. c3-d4 (1. e3-f4', 1, "a variation is not closed"),
        ('[Round "1"]\n\n1. c3-d4) b6-a5 {and (so) on', 3, "a variation is closed that was not opened"),
        ('[Round "1"]\n\n1. c3-d4 & b6-a5', 3, "there is no sense in '&'"),
        ('[GameType "20"]\n\n1. 32-28', 1, "GameType 20 is another game; Russian draughts is 25"),
    ],
)
def test_a_broken_game_is_told_and_the_others_are_read(broken: str, line: int, why: str) -> None:
    games = list(read(f'{broken}\n\n[Event "?"]\n[Round "2"]\n\n1. c3-d4 *\n'))
    assert games[0] == BrokenGame(1, line, why)
    assert [game.number for game in games] == [1, 2]
    assert texts(games[1]) == ["c3-d4"]
    assert str(games[0].error) == f"line {line}, game 1: {why}"
    assert isinstance(games[0].error, BadNotation)


def test_a_broken_last_game_ends_with_the_file() -> None:
    assert list(read('[Round "1"]\n1. c3-d4 & b6-a5')) == [BrokenGame(1, 2, "there is no sense in '&'")]


def test_many_empty_lines_after_a_mistake_are_passed_quickly() -> None:
    begun = time.process_time()
    (game,) = read(f"1. c3-d4 ]{EMPTY_LINES}x")
    assert game == BrokenGame(1, 1, "there is no sense in ']'")
    assert time.process_time() - begun < 1


@pytest.mark.parametrize("text", ["{a}", ";a\n", "[%egt x]", "[%egt ", "{", "(", "[", "1. ", '"'])
def test_many_of_anything_are_read_quickly(text: str) -> None:
    begun = time.process_time()
    for whole in (f"1. c3-d4 {text * 50_000}", f"1. c3-d4 {{{text * 50_000}}}"):
        for game in read(whole):
            if isinstance(game, PdnGame):
                account(GAME, game)
    assert time.process_time() - begun < 2


@settings(deadline=None)
@given(st.text(alphabet='1.-* c3d4:x[]"(){};$!?\n\r\\%&\ufeffWFEN', max_size=80))
def test_no_text_stops_the_reading(text: str) -> None:
    games = list(read(text))
    assert [game.number for game in games] == list(range(1, len(games) + 1))


# ------------------------------------------------------------------------------------ going through


def test_a_game_is_gone_through_by_the_rules() -> None:
    assert account(GAME, only("1. c3-d4 b6-a5 *")) == played("c3-d4", "b6-a5")
    assert account(GAME, only('[FEN "B:Wa1:Bb4."]\n1... b4-a3 *')) == played("b4-a3", start="B:Wa1:Bb4")


def test_what_tags_say_by_themselves_is_kept_and_what_they_do_not_say_is_not() -> None:
    told = account(
        GAME, only('[Event "?"]\n[White "Anna"]\n[Annotator "B"]\n[Result "1-0"]\n[Reason "time"]\n1. c3-d4 *')
    )
    assert told.tags == {"White": "Anna", "Annotator": "B"}
    assert (told.result, told.reason) == ("light", "time")


@pytest.mark.parametrize(
    ("text", "error", "why"),
    [
        ("1. c3-d4\nb6-d8 *", IllegalAction, "line 2, game 1, ply 2, move b6-d8: 'b6-d8' is not a legal move."),
        ("1. c3-d4\nhello *", BadNotation, "line 2, game 1, ply 2, move hello: 'hello' is no move;"),
        (
            '[FEN "W:W:Bh8"]\n1. c3-d4 *',
            IllegalAction,
            "line 2, game 1, ply 1, move c3-d4: 'c3-d4' is not a legal move.",
        ),
        ('\n[FEN "W:Wa2:B"]\n1. c3-d4 *', BadNotation, "line 2, game 1, FEN: 'W:Wa2:B': a2 is a light square;"),
        (
            '\n[FEN "W:Wc3:Bd4"]\n1. c3:e5 0-1',
            BadNotation,
            "line 2, game 1: the result says 0-1, but the game ends with 1-0",
        ),
    ],
)
def test_a_game_that_breaks_the_rules_is_told_with_line_game_and_ply(
    text: str, error: type[ValueError], why: str
) -> None:
    with pytest.raises(error) as refusal:
        account(GAME, only(text))
    assert str(refusal.value).startswith(why)


@pytest.mark.parametrize(
    ("end", "result"), [("1-0", "light"), ("0-1", "dark"), ("1-1", "draw"), ("0-0", "neither"), ("*", "")]
)
def test_a_result_may_say_more_than_the_moves(end: str, result: str) -> None:
    assert account(GAME, only(f"1. c3-d4 {end}")).result == result


@pytest.mark.parametrize(
    ("tags", "size"),
    [
        ("", "8"),
        ('[Rules "?"]', "8"),
        ('[Rules "federation"]', "8-federation"),
        ('[Rules "Federation"]', "8-federation"),
    ],
)
def test_the_rules_are_read_from_their_tag(tags: str, size: str) -> None:
    assert only(f"{tags}\n1. c3-d4 *").size == size


# ------------------------------------------------------------------------------------ comments


def comments_of(text: str) -> list[str]:
    told = account(GAME, only(text))
    return [told.comment, *(step.comment for step in told.steps)]


@pytest.mark.parametrize(
    ("text", "comments"),
    [
        ('[Round "1"] {first} 1. c3-d4 {good} b6-a5 {last} *', ["first", "good", "last"]),
        ('[Round "1"]\n1. c3-d4 ; good {really}\nb6-a5 *', ["", "good {really}", ""]),
        ("1. c3-d4 {of\ntwo   lines} {and more} b6-a5 *", ["", "of two lines\nand more", ""]),
        ("1. c3-d4 (1. e3-f4 {not this}) b6-a5 *", ["", "", ""]),
        ("{nobody's} 1. c3-d4 b6-a5 * {nobody's}", ["", "", ""]),
        ("1. c3-d4 {a (quiet) [move] with \x07 a bell} b6-a5", ["", "a (quiet) [move] with a bell", ""]),
    ],
)
def test_comments_are_kept_where_they_stand(text: str, comments: list[str]) -> None:
    assert comments_of(text) == comments


def test_comments_are_written_where_they_stood() -> None:
    first, second = played("c3-d4", "b6-a5").steps
    steps = (replace(first, comment="bold\nor {worse}"), replace(second, comment="calm"))
    told = replace(played(), steps=steps, comment="At the club.")
    assert moves_of(told) == "{At the club.} 1. c3-d4 {bold}\n; or {worse}\nb6-a5 {calm} *\n"
    assert reread(told) == told


def test_comments_with_braces_may_stand_below_each_other_and_first() -> None:
    told = replace(played("c3-d4"), comment="a {\nb }")
    assert moves_of(told) == "; a {\n; b }\n1. c3-d4 *\n"
    assert reread(told) == told


def test_long_comments_are_wrapped_but_never_inside_a_word() -> None:
    long = " ".join(["word"] * 40) + " " + "x" * 100
    told = replace(played("c3-d4"), comment=long)
    assert max(map(len, moves_of(told).split("\n")[:3])) < 80
    assert reread(told) == told


# ------------------------------------------------------------------------------------ times


BEGUN = 1796061845.0
"""18:04:05 on the 30th of November 2026, in UTC."""


def timed(*seconds: float) -> Account[Move]:
    told = played("c3-d4", "b6-a5", "d4-c5", begun=BEGUN)
    steps = tuple(replace(step, at=BEGUN + at if at else 0.0) for step, at in zip(told.steps, seconds, strict=True))
    return replace(told, steps=steps)


def test_times_are_written_as_what_has_elapsed_since_the_beginning() -> None:
    text = text_of(timed(4, 0, 3661.25))
    assert '[UTCDate "2026.11.30"]\n[UTCTime "18:04:05"]\n' in text
    assert text.endswith("\n1. c3-d4 {[%egt 0:00:04]} b6-a5 2. d4-c5 {[%egt 1:01:01.25]} *\n")


@pytest.mark.parametrize("seconds", [(4, 0, 3661.25), (0, 0, 0), (0.001, 59.999, 359_999_999.5)])
def test_times_come_back(seconds: tuple[float, float, float]) -> None:
    assert reread(timed(*seconds)) == timed(*seconds)


HEADING = '[UTCDate "2026.11.30"]\n[UTCTime "18:04:05"]\n'


def test_a_time_and_a_comment_may_stand_together() -> None:
    (step,) = account(GAME, only(f"{HEADING}1. c3-d4 {{why [%egt 0:00:04] not}} *")).steps
    assert step == Step(GAME.parse(GAME.start(), "c3-d4"), BEGUN + 4, "why\nnot")


def test_the_time_that_a_move_took_is_read_too() -> None:
    text = f"{HEADING}1. c3-d4 {{[%emt 0:00:04]}} b6-a5 {{[%emt 0:00:02.5]}} 2. d4-c5 d6:b4 {{[%emt 0:00:09]}} *"
    told = account(GAME, only(text))
    assert [step.at and step.at - BEGUN for step in told.steps] == [4, 6.5, 0, 0]
    assert told.steps[3].comment == "[%emt 0:00:09]"


@pytest.mark.parametrize(
    ("heading", "command"),
    [
        ("", "[%egt 0:00:04]"),
        ("", "[%emt 0:00:04]"),
        (HEADING, "[%egt soon]"),
        (HEADING, "[%egt 0:61:00]"),
        (HEADING, "[%clk 0:10:00]"),
        (HEADING, "[%say Green resign]"),
        (HEADING, "[%say White accept draw]"),
        ('[UTCDate "2026.02.30"]\n[UTCTime "18:04:05"]\n', "[%egt 0:00:04]"),
        ('[UTCDate "2026.11.30"]\n', "[%egt 0:00:04]"),
    ],
)
def test_a_command_that_means_nothing_here_is_a_comment(heading: str, command: str) -> None:
    told = account(GAME, only(f"{heading}1. c3-d4 {{{command}}} *"))
    assert told.steps == (replace(told.steps[0], at=0.0, comment=command),)
    assert reread(told) == told


def test_a_time_before_the_first_move_is_a_comment() -> None:
    assert account(GAME, only(f"{HEADING}{{[%egt 0:00:04]}} 1. c3-d4 *")).comment == "[%egt 0:00:04]"


# ------------------------------------------------------------------------------------ words


def test_what_sides_declare_is_written_and_read() -> None:
    offer, decline = Declaration(Side.LIGHT, Speech.OFFER_DRAW), Declaration(Side.DARK, Speech.DECLINE_DRAW)
    move = GAME.parse(GAME.start(), "c3-d4")
    told = Account(
        GAME,
        GAME.start(),
        (Step(offer), Step(decline, BEGUN + 2, "never"), Step(move), Step(Declaration(Side.DARK, Speech.RESIGN))),
        begun=BEGUN,
        result="light",
        reason="Black resigned",
    )
    assert moves_of(told) == (
        "{[%say White offer draw]} {[%say Black decline draw]} {[%egt 0:00:02]} {never}\n"
        "1. c3-d4 {[%say Black resign]} *\n"
    )
    assert reread(told) == told


# ------------------------------------------------------------------------------------ writing


def test_a_game_is_written_as_pdn_3_0() -> None:
    tags = {"White": 'Anna "A" \\', "Annotator": "Boris", "Played at": "no tag of PDN", "FEN": "not this one"}
    game = played("c3-d4", "b6-c5", "d4:b6", tags=tags, result="light", reason="time")
    assert text_of(game) == (
        '[Event "?"]\n[Site "?"]\n[Date "?"]\n[Round "?"]\n[White "Anna \\"A\\" \\\\"]\n[Black "?"]\n'
        '[Result "1-0"]\n[GameType "25,W,8,8,A0,0"]\n[Annotator "Boris"]\n[Reason "time"]\n'
        "\n1. c3-d4 b6-c5 2. d4:b6 *\n"
    )


def test_a_game_that_begins_elsewhere_is_written_with_its_position_and_black_may_begin() -> None:
    game = played("b4:d2", "e1:c3", start="B:Wc3,e1:Bb4")
    assert text_of(game).splitlines()[6:] == [
        '[Result "1-0"]',
        '[GameType "25,W,8,8,A0,0"]',
        '[SetUp "1"]',
        '[FEN "B:Wc3,e1:Bb4"]',
        '[Reason "Black has no pieces"]',
        "",
        "1... b4:d2 2. e1:c3 *",
    ]


def test_the_federations_rules_are_written_in_their_tag() -> None:
    game = make("8-federation")
    text = text_of(Account(game, game.start()))
    assert '[Rules "federation"]' in text
    assert account(make(only(text).size), only(text)) == Account(game, game.start())


@pytest.mark.parametrize(
    ("start", "move", "result"),
    [("W:Wc3:Bd4", "c3:e5", "1-0"), ("B:Wc3:Bd4", "d4:b2", "0-1"), ("W:Wc3:Bh8", "c3-d4", "*")],
)
def test_the_outcome_is_written_as_the_result(start: str, move: str, result: str) -> None:
    assert f'[Result "{result}"]' in text_of(played(move, start=start))


def test_a_draw_by_the_rules_is_written_as_one() -> None:
    walk = ("a1-b2", "h2-g1", "b2-a1", "g1-h2") * 2
    assert '[Result "1/2-1/2"]' in text_of(played(*walk, start="W:WKa1:BKh2"))


def test_what_is_written_is_read_again_alike() -> None:
    game = played("c3-d4", "b6-c5", "d4:b6", "a7:c5", tags={"White": '\\["'}, result="dark")
    assert reread(game) == game


# ------------------------------------------------------------------------------------ published files


@pytest.mark.parametrize("name", ["games_pdn3.pdn", "games_classic.pdn"])
def test_published_files_replay_to_their_known_ends(published: Path, name: str) -> None:
    known = [json.loads(line) for line in (published / "draughts" / "games.jsonl").read_text().splitlines()]
    games = list(read((published / "draughts" / name).read_text()))
    assert len(games) == len(known)
    for game, end in zip(games, known, strict=True):
        assert isinstance(game, PdnGame), game
        past = account(GAME, game).past
        assert GAME.dump(past.state) == end["final_fen"]
        assert game.result == end["result"]
        assert [GAME.notate(entry.before, entry.action) for entry in past.entries] == end["pdn_moves"]


def test_a_published_file_of_pdn_3_0_is_written_again_letter_by_letter(published: Path) -> None:
    text = (published / "draughts" / "games_pdn3.pdn").read_text()
    games = [account(GAME, game) for game in read(text) if isinstance(game, PdnGame)]
    assert "\n".join(map(text_of, games)).strip() == text.strip()
