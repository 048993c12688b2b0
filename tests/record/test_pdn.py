"""PDN: files from many hands are read, games gone through by the rules, and written as PDN 3.0."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reedlight.core.game import BadNotation, IllegalAction
from reedlight.games.draughts import Move, make
from reedlight.record.pdn import BrokenGame, PdnGame, Played, read, replay, write

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


def played(*moves: str, start: str | None = None) -> Played[Move]:
    state = GAME.start() if start is None else GAME.load(start)
    states, actions = [state], list[Move]()
    for text in moves:
        actions.append(GAME.parse(state, text))
        state = state.apply(actions[-1])
        states.append(state)
    return Played(tuple(states), tuple(actions))


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


@settings(deadline=None)
@given(st.text(alphabet='1.-* c3d4:x[]"(){};$!?\n\r\\%&\ufeffWFEN', max_size=80))
def test_no_text_stops_the_reading(text: str) -> None:
    games = list(read(text))
    assert [game.number for game in games] == list(range(1, len(games) + 1))


# ------------------------------------------------------------------------------------ going through


def test_a_game_is_gone_through_by_the_rules() -> None:
    assert replay(GAME, only("1. c3-d4 b6-a5 *")) == played("c3-d4", "b6-a5")
    assert replay(GAME, only('[FEN "B:Wa1:Bb4."]\n1... b4-a3 *')) == played("b4-a3", start="B:Wa1:Bb4")


@pytest.mark.parametrize(
    ("text", "error", "why"),
    [
        ("1. c3-d4\nb6-d8 *", IllegalAction, "line 2, game 1, move b6-d8: 'b6-d8' is not a legal move."),
        ("1. c3-d4\nhello *", BadNotation, "line 2, game 1, move hello: 'hello' is no move;"),
        ('[FEN "W:W:Bh8"]\n1. c3-d4 *', IllegalAction, "line 2, game 1, move c3-d4: 'c3-d4' is not a legal move."),
        ('\n[FEN "W:Wa2:B"]\n1. c3-d4 *', BadNotation, "line 2, game 1, FEN: 'W:Wa2:B': a2 is a light square;"),
    ],
)
def test_a_game_that_breaks_the_rules_is_told_with_line_game_and_move(
    text: str, error: type[ValueError], why: str
) -> None:
    with pytest.raises(error) as refusal:
        replay(GAME, only(text))
    assert str(refusal.value).startswith(why)


# ------------------------------------------------------------------------------------ writing


def test_a_game_is_written_as_pdn_3_0() -> None:
    game = played("c3-d4", "b6-c5", "d4:b6")
    assert write(GAME, game, {"White": 'Anna "A" \\', "Result": "1-0", "Annotator": "Boris"}) == (
        '[Event "?"]\n[Site "?"]\n[Date "?"]\n[Round "?"]\n[White "Anna \\"A\\" \\\\"]\n[Black "?"]\n'
        '[Result "1-0"]\n[GameType "25,W,8,8,A0,0"]\n[Annotator "Boris"]\n'
        "\n1. c3-d4 b6-c5 2. d4:b6 *\n"
    )


def test_a_game_that_begins_elsewhere_is_written_with_its_position_and_black_may_begin() -> None:
    game = played("b4:d2", "e1:c3", start="B:Wc3,e1:Bb4")
    assert write(GAME, game, {"FEN": "not this one"}).splitlines()[6:] == [
        '[Result "1-0"]',
        '[GameType "25,W,8,8,A0,0"]',
        '[SetUp "1"]',
        '[FEN "B:Wc3,e1:Bb4"]',
        "",
        "1... b4:d2 2. e1:c3 *",
    ]


@pytest.mark.parametrize(
    ("start", "move", "result"),
    [("W:Wc3:Bd4", "c3:e5", "1-0"), ("B:Wc3:Bd4", "d4:b2", "0-1"), ("W:Wc3:Bh8", "c3-d4", "*")],
)
def test_without_a_result_among_the_tags_the_outcome_tells(start: str, move: str, result: str) -> None:
    assert f'[Result "{result}"]' in write(GAME, played(move, start=start), {})


def test_a_draw_by_the_rules_is_written_as_one() -> None:
    walk = ("a1-b2", "h2-g1", "b2-a1", "g1-h2") * 2
    assert '[Result "1/2-1/2"]' in write(GAME, played(*walk, start="W:WKa1:BKh2"), {})


def test_what_is_written_is_read_again_alike() -> None:
    game = played("c3-d4", "b6-c5", "d4:b6", "a7:c5")
    again = only(write(GAME, game, {"White": '\\["', "Result": "0-1"}))
    assert replay(GAME, again) == game
    assert again.tags["White"] == '\\["'
    assert again.result == "0-1"


# ------------------------------------------------------------------------------------ published files


@pytest.mark.parametrize("name", ["games_pdn3.pdn", "games_classic.pdn"])
def test_published_files_replay_to_their_known_ends(published: Path, name: str) -> None:
    known = [json.loads(line) for line in (published / "draughts" / "games.jsonl").read_text().splitlines()]
    games = list(read((published / "draughts" / name).read_text()))
    assert len(games) == len(known)
    for game, end in zip(games, known, strict=True):
        assert isinstance(game, PdnGame), game
        through = replay(GAME, game)
        assert GAME.dump(through.states[-1]) == end["final_fen"]
        assert game.result == end["result"]
        assert [GAME.notate(*each) for each in zip(through.states, through.actions, strict=False)] == end["pdn_moves"]


def test_a_published_file_of_pdn_3_0_is_written_again_letter_by_letter(published: Path) -> None:
    text = (published / "draughts" / "games_pdn3.pdn").read_text()
    games = [game for game in read(text) if isinstance(game, PdnGame)]
    assert "\n".join(write(GAME, replay(GAME, game), game.tags) for game in games).strip() == text.strip()
