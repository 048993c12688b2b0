"""Which games a file holds, and how its mistakes are told."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from reedlight.core.game import Roll
from reedlight.games import make
from reedlight.record import dice
from reedlight_sim.records import BadRecord, read_scripts
from reedlight_sim.soak import random_scripts

PDN = """[Event "club night"]
[Result "1-0"]

1. c3-d4 d6-c5 2. b2-c3 f6-g5 1-0

[Event "a study"]
[FEN "W:Wc3:Bd4,f6"]

1. c3:g7 *
"""
NO_MOVES = "line 1, game 1: a game needs a list of moves under moves, pdn_moves or moves_text"


def written(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def refusal(path: Path) -> str:
    with pytest.raises(BadRecord) as caught:
        read_scripts(path)
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(f"{path}: ")


def test_a_pdn_file_holds_games_of_draughts_and_a_resigned_one_stops_after_its_last_move(tmp_path: Path) -> None:
    first, second = read_scripts(written(tmp_path, "games.pdn", PDN))
    assert (first.game.name, first.moves, first.state) == ("draughts", 4, first.game.start())
    assert (second.moves, second.game.dump(second.state)) == (1, "W:Wc3:Bd4,f6")
    assert second.title.endswith("games.pdn line 6, game 2")


def test_pdn_is_known_without_its_usual_name(tmp_path: Path) -> None:
    assert len(read_scripts(written(tmp_path, "games.txt", PDN))) == 2


def test_an_old_file_in_latin_letters_is_read(tmp_path: Path) -> None:
    path = tmp_path / "old.pdn"
    path.write_bytes('[White "Müller"]\n\n1. c3-d4 *\n'.encode("latin-1"))
    assert read_scripts(path)[0].moves == 1


@pytest.mark.parametrize("key", ["moves", "pdn_moves", "moves_text"])
def test_games_of_draughts_come_as_json_lines_too(tmp_path: Path, key: str) -> None:
    lines = [json.dumps({key: ["c3-d4", "b6-c5"]}), "", json.dumps({key: ["f6:d4"], "fen": "B:We5:Bf6"})]
    first, second = read_scripts(written(tmp_path, "games.jsonl", "\n".join(lines)))
    assert (first.moves, second.moves) == (2, 1)
    assert second.game.dump(second.state) == "B:We5:Bf6"


@pytest.mark.parametrize(("name", "size"), [("diablo", "4"), ("herd", "3")])
def test_dice_games_come_as_reedlight_records(tmp_path: Path, name: str, size: str) -> None:
    script = next(random_scripts(make(name, size), 1, 1))
    text = dice.write([dice.transcribe(script.game, script.steps)])
    (read,) = read_scripts(written(tmp_path, "game.txt", text))
    assert read.game == script.game
    assert read.steps == script.steps


def test_dice_games_come_as_json_lines(tmp_path: Path) -> None:
    turns = [{"number": 1, "player": "B", "dice": [2, 1], "actions": ["capture 1 b2-b1"]}]
    (script,) = read_scripts(written(tmp_path, "g.jsonl", json.dumps({"game": "diablo", "n": 4, "turns": turns})))
    assert script.steps[0] == Roll((2, 1))
    assert script.moves == 1


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.pdn", "", "is empty"),
        ("a.pdn", " \n ", "is empty"),
        ("a.pdn", "*\n", "there is no game in it"),
        (
            "a.pdn",
            '[Event "?"]\n\n1. c3-d4 {never closed',
            "line 3, game 1: the comment that begins here is not closed",
        ),
        ("a.pdn", "1. c3-d4 d6-c5 2. d4-d5 *", "line 1, game 1, ply 3, move d4-d5: "),
        ("a.pdn", '[FEN "W:Wz9"]\n\n1. c3-d4 *', "line 1, game 1, FEN: "),
        ("a.pdn", "1. c3-x9 *", "line 1, game 1, ply 1, move c3-x9: "),
        ("a.jsonl", '{"moves": ["c3-d4"]}\n{"moves": ["c3-d4", "c3-d4"]}', "line 2, game 2, ply 2, move c3-d4: "),
        ("a.jsonl", '{"moves": 3}', NO_MOVES),
        ("a.jsonl", '{"other": 3}', NO_MOVES),
        ("a.jsonl", '{"moves": [], "fen": ["W:Wa1:Bh8"]}', "line 1, game 1: the fen must be a text"),
        ("a.jsonl", '{"turns": []', "line 1, game 1: this is not JSON: "),
        ("a.pdn", f"1. {'c' * 100_000} *", f"line 1, game 1, ply 1, move {'c' * 57}...: '{'c' * 57}...' is no move;"),
        ("a.jsonl", '{"moves": [', "line 1, game 1: this is not JSON: "),
        ("a.jsonl", '{"moves": ["c3-d4"]}\n[1]', "line 2, game 2: a game needs a list of moves"),
        ("a.jsonl", '{"game": "chess", "n": 8, "turns": []}', "line 1, game 1: there is no game 'chess'"),
        ("a.jsonl", '{"game": "diablo", "n": 5, "turns": []}', "line 1, game 1: "),
        (
            "a.jsonl",
            '{"game": "diablo", "n": 4, "turns": [{"number": 1, "player": "B", "dice": [9, 1], "actions": []}]}',
            "game 1, line 1: turn 1: the dice cannot show 9-1",
        ),
        ("a.txt", '[Game "diablo"]\n', "line 1: "),
    ],
)
def test_a_mistake_is_told_in_one_sentence_with_its_place(tmp_path: Path, name: str, text: str, sentence: str) -> None:
    assert refusal(written(tmp_path, name, text)).startswith(sentence)


@pytest.mark.parametrize("mark", ["\u2028", "\u0085", "turns"])
def test_what_stands_in_a_text_of_a_json_line_does_not_matter(tmp_path: Path, mark: str) -> None:
    line = json.dumps({"event": mark, "fen": None, "moves": ["c3-d4"]}, ensure_ascii=False)
    assert len(read_scripts(written(tmp_path, "games.jsonl", f"{line}\r\n{line}\n"))) == 2


@pytest.mark.parametrize("size", ["05", "hexhex-5", "5"])
def test_a_size_is_known_in_every_spelling(tmp_path: Path, size: str) -> None:
    (script,) = read_scripts(written(tmp_path, "game.txt", f'[Game "herd"]\n[Size "{size}"]\n'))
    assert script.game == make("herd", "5")
    (script,) = read_scripts(written(tmp_path, "g.jsonl", '{"game": "herd", "grid": "BRICK-6x6", "turns": []}'))
    assert script.game == make("herd", "brick-6x6")


def test_a_record_with_the_line_ends_of_an_old_machine_is_read(tmp_path: Path) -> None:
    text = '# found\r[Game "diablo"]\r[Size "4"]\r\r1. Black 2-1: capture 1 b2-b1\r'
    assert read_scripts(written(tmp_path, "game.txt", text))[0].moves == 1


def test_pdn_that_numbers_its_games_is_no_record_of_dice(tmp_path: Path) -> None:
    assert read_scripts(written(tmp_path, "game.txt", '[Game "1"]\n\n1. c3-d4 *'))[0].game.name == "draughts"


def test_many_empty_lines_are_passed_quickly(tmp_path: Path) -> None:
    begun = time.process_time()
    refusal(written(tmp_path, "game.txt", "\n" * 40_000 + "x"))
    assert time.process_time() - begun < 1


def test_a_file_that_is_no_file_is_told(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.pdn") == "cannot be read: No such file or directory"
    assert refusal(tmp_path) == "is no regular file"
    os.mkfifo(tmp_path / "pipe.pdn")
    assert refusal(tmp_path / "pipe.pdn") == "is no regular file"
    assert refusal(Path("/dev/zero")) == "is no regular file"


def test_a_binary_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "picture.pdn"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
    assert refusal(path) == "is no text but something binary"


def test_published_games_are_read_and_games_of_another_variant_are_refused(published: Path) -> None:
    folder = published / "draughts"
    assert len(read_scripts(folder / "games_pdn3.pdn")) == 98
    assert len(read_scripts(folder / "games_classic.pdn")) == 98
    assert len(read_scripts(folder / "games.jsonl")) == 98
    assert len(read_scripts(folder / "generated_games.jsonl")) == 200
    assert len(read_scripts(published / "diablo" / "games.jsonl")) == 12
    assert len(read_scripts(published / "herd" / "games.jsonl")) == 12
    first_bad = json.loads((folder / "illegal_games.jsonl").read_text().splitlines()[0])["first_bad_ply"]
    assert f"line 1, game 1, ply {first_bad}, move" in refusal(folder / "illegal_games.jsonl")
