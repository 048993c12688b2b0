"""``reedlight games``: a store is listed, shown, exported, filled from files and emptied, by its command line."""

from __future__ import annotations

import io
import os
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from reedlight.adapters.sqlite import IMPORTED, End, Games, Head, Kept
from reedlight.app import config, games
from reedlight.app.cli import main
from reedlight.games import make
from reedlight.record import account, fair, keeping
from reedlight.record.journal import Line

Said = pytest.CaptureFixture[str]
BEGUN = 1796061845.5
"""18:04:05 and a half on the 30th of November 2026, in UTC."""
SEED = bytes(range(32))
ADA = {"White": "Ada", "Black": "Bo"}


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def journal(*texts: str) -> list[Line]:
    """Lines such as ``act c3-d4``, ten seconds apart."""
    parts = [text.partition(" ") for text in texts]
    return [Line(kind, text, BEGUN + 10 * number) for number, (kind, _, text) in enumerate(parts, 1)]


def keep(path: Path, head: Head, lines: Sequence[Line], end: End | None = None) -> int:
    with closing(Games(path)) as store:
        return store.begin(head, lines, end)


def keep_draughts(path: Path, *texts: str, end: End | None = None) -> int:
    return keep(path, Head("draughts", "8", BEGUN, "", ADA), journal(*texts), end)


def kept(path: Path) -> list[Kept]:
    with closing(Games(path)) as store:
        return list(store.games())


def status_of(*arguments: str, file: Path) -> int:
    return main(["games", *arguments, "--file", str(file)])


def refusal(said: Said) -> str:
    out, err = said.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.removeprefix("reedlight: ").rstrip()


# ------------------------------------------------------------------------------------------------ list


def test_the_list_is_a_table_of_every_game(path: Path, capsys: Said) -> None:
    keep_draughts(path, "act c3-d4", "act b6-a5", "back", "say dark resign", end=End(BEGUN, "light", "Black resigned"))
    dice = Head("diablo", "4", 0.0, "", {"Black": "Ada", "Green": "computer", "Date": "1950.??.??"})
    keep(path, dice, journal("roll 2-1", "act merge 2 a1-c1"))
    keep(path, Head("herd", "5", 0.0), [], End(0.0, "draw"))
    keep(path, Head("draughts", "8", 0.0), [], End(0.0, "neither"))
    keep(path, Head("draughts", "8-federation", 0.0), [], End(0.0, ""))
    keep(path, Head("chess", "8", 0.0), [])
    assert status_of("list", file=path) == 0
    assert capsys.readouterr().out == (
        "No  When              Game                   Players         Moves  Result\n"
        " 1  2026-11-30 18:04  Draughts 8             Ada – Bo            1  White won\n"
        " 2  1950              Diablo 4               Ada – computer      1  unfinished\n"
        " 3  ?                 Herd 5                 ? – ?               0  draw\n"
        " 4  ?                 Draughts 8             ? – ?               0  both lost\n"
        " 5  ?                 Draughts 8-federation  ? – ?               0  broken off\n"
        " 6  ?                 chess 8                                       unreadable\n"
    )


def test_the_list_keeps_to_eighty_columns_whatever_names_are_in_it(path: Path, capsys: Said) -> None:
    names = {"White": "Ada Lovelace " * 9, "Black": "\x1b[31m\u202e\n棋士棋士棋士棋士棋士棋士"}
    keep(path, Head("herd", "brick-26x26", BEGUN, "", {"Red": "é" * 90, "Blue": "x"}), [])
    keep(path, Head("draughts", "8-federation", BEGUN, "", names), [])
    keep(path, Head("draughts", "8", 0.0, "", {"Black": "棋士" * 40, "White": "棋", "Date": "D" * 90}), [])
    assert status_of("list", file=path) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert all(games._width(line) <= 80 for line in lines)
    assert all(line.isprintable() for line in lines)
    assert {games._width(line[: line.index("0  unf")]) for line in lines[1:]} == {67}
    assert all("…" in line for line in lines[1:])


def test_an_empty_store_says_so(path: Path, capsys: Said) -> None:
    Games(path).close()
    assert status_of("list", file=path) == 0
    assert capsys.readouterr().out == f"There are no games in {path} yet.\n"


# ---------------------------------------------------------------------------------------- which file


def test_the_configuration_names_the_file(path: Path, capsys: Said) -> None:
    keep_draughts(path, "act c3-d4")
    configuration = path.with_name("reedlight.toml")
    configuration.write_text(f'[board]\nprofile = "oak-8x8"\n[games]\nfile = "{path}"\n')
    assert main(["games", "list", "--config", str(configuration)]) == 0
    assert "Ada – Bo" in capsys.readouterr().out


def test_without_a_configuration_the_file_is_where_a_board_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    monkeypatch.setattr(config, "WHERE", tmp_path / "none.toml")
    monkeypatch.setattr(games, "SERVICE", tmp_path / "service")
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    main(["games", "list", "--config", str(tmp_path / "none.toml")])
    assert refusal(capsys) == f"{tmp_path}/.local/state/reedlight/games.db: there is no such file of games"
    (tmp_path / "service").mkdir()
    main(["games", "list", "--config", str(tmp_path / "none.toml")])
    assert refusal(capsys) == f"{tmp_path}/service/games.db: there is no such file of games"
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "given"))
    main(["games", "list", "--config", str(tmp_path / "none.toml")])
    assert refusal(capsys) == f"{tmp_path}/given/games.db: there is no such file of games"


def test_a_configuration_that_is_asked_for_must_be_there(tmp_path: Path, capsys: Said) -> None:
    assert main(["games", "list", "--config", str(tmp_path / "none.toml")]) == 2
    assert refusal(capsys) == f"{tmp_path}/none.toml: cannot be read (No such file or directory)"


def test_what_is_no_file_of_games_is_left_as_it_is(path: Path, capsys: Said) -> None:
    path.write_text("1. c3-d4 *\n")
    assert status_of("list", file=path) == 2
    assert refusal(capsys) == f"{path}: is no file of games"
    assert path.read_text() == "1. c3-d4 *\n"
    assert status_of("list", file=path.parent) == 2
    assert refusal(capsys) == f"{path.parent}: there is no such file of games"


def test_a_damaged_file_is_told_and_left_as_it_is(path: Path, capsys: Said) -> None:
    keep_draughts(path, "act c3-d4")
    content = bytearray(path.read_bytes())
    content[100:] = b"\xff" * (len(content) - 100)
    path.write_bytes(content)
    assert status_of("list", file=path) == 2
    assert refusal(capsys) == f"{path} is damaged, and is left as it is"
    assert path.read_bytes() == content
    assert not list(path.parent.glob("*damaged*"))


def test_another_programs_database_is_left_as_it_is(path: Path, capsys: Said) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE songs (x)")
    assert status_of("list", file=path) == 2
    assert refusal(capsys) == f"{path} is a database of another program, and is left as it is"


# ------------------------------------------------------------------------------------------------ show


def test_a_game_is_shown_with_its_last_position(path: Path, capsys: Said) -> None:
    keep_draughts(path, "act c3-d4", "act b6-a5", "back", "act d6-c5")
    assert status_of("show", "1", file=path) == 0
    assert (
        capsys.readouterr().out
        == """\
Game 1: Russian draughts, 8 × 8

White   Ada
Black   Bo
Date    2026.11.30
Begun   2026-11-30 18:04
Result  unfinished

1. c3-d4 {taken back: b6-a5} d6-c5 *

8   b   b   b   b
7 b   b   b   b
6   b   .   b   b
5 .   b   .   .
4   .   w   .   .
3 w   .   w   w
2   w   w   w   w
1 w   w   w   w
  a b c d e f g h

White to move. You must capture.
""".replace("White to move. You must capture.", make("draughts").advise(_after_two()).say)
    )


def _after_two() -> object:
    lines = journal("act c3-d4", "act d6-c5")
    return account.told(make("draughts"), make("draughts").start(), lines).past.state


def test_a_game_that_is_over_is_shown_with_its_reason(path: Path, capsys: Said) -> None:
    keep_draughts(path, "act c3-d4", "say light resign", end=End(BEGUN, "dark", "White resigned"))
    assert status_of("show", "1", file=path) == 0
    shown = capsys.readouterr().out
    assert "Result  Black won: White resigned\n" in shown
    assert shown.endswith("a b c d e f g h\n")


def test_a_game_with_dice_is_shown_turn_by_turn_in_eighty_columns(path: Path, capsys: Said) -> None:
    chance, game = Random(1), make("herd", "5")
    state, lines = game.start(), list[Line]()
    while state.outcome is None:
        step = chance.choice(list(state.legal_actions()) or list(state.chance()))
        lines.append(games.accounts.journal.line_of(game, state, step, 0.0))
        state = state.apply(step)
    keep(path, Head("herd", "5", BEGUN, "", {"Red": "Ada", "Blue": "Bo"}), lines, End(BEGUN, "light", "board full"))
    assert status_of("show", "1", file=path) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "Game 1: Herd, side 5"
    assert any(line.startswith("2. Blue ") for line in shown)
    assert max(map(len, shown)) <= 80


@pytest.mark.parametrize("command", ["show", "export", "delete"])
def test_a_number_that_no_game_has_is_told(path: Path, capsys: Said, command: str) -> None:
    keep_draughts(path)
    assert status_of(command, "7", file=path) == 2
    assert refusal(capsys) == "there is no game 7; `reedlight games list` shows which there are"


@pytest.mark.parametrize("number", ["0", "-1", "x", "1.5", "9999999999", "²", ""])
def test_what_is_no_number_is_told(path: Path, capsys: Said, number: str) -> None:
    assert status_of("show", "--", number, file=path) == 2
    assert "no number of a game" in capsys.readouterr().err or number == "-1"


@pytest.mark.parametrize(
    ("head", "why"),
    [
        (Head("chess", "8", 0.0), "game 1 cannot be read: there is no game 'chess'; there are diablo, draughts, herd"),
        (
            Head("draughts", "9", 0.0),
            "game 1 cannot be read: Russian draughts has no size '9'; there are 8, 8-federation",
        ),
        (Head("draughts", "8", 0.0, "W:Wz9"), "game 1 cannot be read: 'W:Wz9': "),
    ],
)
def test_a_game_of_no_kind_that_there_is_cannot_be_shown(path: Path, capsys: Said, head: Head, why: str) -> None:
    keep(path, head, [])
    assert status_of("show", "1", file=path) == 2
    assert refusal(capsys).startswith(why)


def test_a_journal_that_cannot_be_read_to_its_end_is_shown_as_far_as_it_can(path: Path, capsys: Said) -> None:
    keep_draughts(path, "act c3-d4", "act nonsense", "act b6-a5")
    assert status_of("show", "1", file=path) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "1. c3-d4 {What comes after this cannot be read: line 2 (act 'nonsense'): 'nonsense' is no move;" in shown


# ---------------------------------------------------------------------------------------------- export


def test_a_game_is_exported_with_everything_that_is_known_of_it(path: Path, capsys: Said) -> None:
    keep_draughts(
        *(path, "act c3-d4", "act b6-a5", "back", "act d6-c5", "say light resign"),
        end=End(BEGUN, "dark", "White resigned"),
    )
    assert status_of("export", "1", file=path) == 0
    assert (
        capsys.readouterr().out
        == """\
[Event "?"]
[Site "?"]
[Date "2026.11.30"]
[Round "?"]
[White "Ada"]
[Black "Bo"]
[Result "0-1"]
[GameType "25,W,8,8,A0,0"]
[UTCDate "2026.11.30"]
[UTCTime "18:04:05"]
[Reason "White resigned"]

1. c3-d4 {[%egt 0:00:10.5]} {taken back: b6-a5} d6-c5 {[%egt 0:00:40.5]}
{[%say White resign]} {[%egt 0:00:50.5]} *
"""
    )


def test_the_seed_of_the_dice_is_exported_once_the_game_is_over(path: Path, capsys: Said) -> None:
    head = Head("diablo", "4", BEGUN, "", {"Black": "Ada", "Green": "Bo"}, SEED.hex())
    keep(path, head, journal("roll 2-1", "act merge 2 a1-c1", "back", "act merge 2 a1-a3"))
    keep(path, head, journal("roll 2-1"), End(BEGUN, "", ""))
    assert status_of("export", "1", file=path) == 0
    first = capsys.readouterr().out
    assert f'[Date "2026-11-30"]\n[DiceHash "{fair.hash_of(SEED)}"]\n[Begun "2026-11-30T18:04:05Z"]\n' in first
    assert "DiceSeed" not in first
    assert first.endswith("\n1. Black 2-1 @0:00:10.5:  # taken back: merge 2 a1-c1\n... merge 2 a1-a3 @0:00:40.5\n")
    assert status_of("export", "2", file=path) == 0
    assert f'[DiceSeed "{SEED.hex()}"]' in capsys.readouterr().out


def test_a_file_is_never_written_over_unasked(path: Path, capsys: Said) -> None:
    keep_draughts(path, "act c3-d4")
    to = path.with_name("game.pdn")
    assert status_of("export", "1", str(to), file=path) == 0
    assert capsys.readouterr().out == f"Game 1 is in {to} now.\n"
    written = to.read_text()
    to.write_text("mine")
    assert status_of("export", "1", str(to), file=path) == 2
    assert refusal(capsys) == f"{to}: is there already; --force writes over it"
    assert to.read_text() == "mine"
    assert status_of("export", "1", str(to), "--force", file=path) == 0
    assert to.read_text() == written
    assert sorted(each.name for each in path.parent.iterdir() if each.suffix != ".db") == ["game.pdn"]


def test_an_export_may_go_into_a_device(path: Path, capsys: Said) -> None:
    keep_draughts(path, "act c3-d4")
    assert status_of("export", "1", "/dev/null", "--force", file=path) == 0
    assert capsys.readouterr().out == "Game 1 is in /dev/null now.\n"


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("missing/game.pdn", "missing/game.pdn: cannot be written (No such file or directory)"),
        (".", "there already"),
        ("x" * 300, "cannot be written (File name too long)"),
        ("a\0b", "a file cannot have this name"),
    ],
)
def test_where_nothing_can_be_written_is_told(path: Path, capsys: Said, to: str, why: str) -> None:
    keep_draughts(path, "act c3-d4")
    assert status_of("export", "1", f"{path.parent}/{to}", file=path) == 2
    assert why in refusal(capsys)


def test_a_terminal_that_cannot_show_a_letter_shows_a_question_mark(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(path, Head("draughts", "8", BEGUN, "", {"White": "Ünal"}), [])
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", out)
    assert status_of("list", file=path) == 0
    out.flush()
    assert b"?nal ? ?" in out.buffer.getvalue()  # pyright: ignore[reportAttributeAccessIssue]  # it is a BytesIO


# ---------------------------------------------------------------------------------------------- import

GOOD = '[White "Ada"]\n[Date "1950.??.??"]\n\n1. c3-d4 {bold} b6-a5 1-0\n'
OTHER = '[White "Bo"]\n\n1. e3-f4 *\n'
BAD = '[White "Eve"]\n\n1. c3-d4 c3-d4 *\n'


def file_of(path: Path, *texts: str) -> str:
    file = path.with_name("holiday.pdn")
    file.write_text("\n".join(texts))
    return str(file)


def test_the_good_games_of_a_file_are_kept_and_the_bad_one_is_named(path: Path, capsys: Said) -> None:
    file = file_of(path, GOOD, BAD, OTHER)
    assert status_of("import", file, file=path) == 1
    out, err = capsys.readouterr()
    assert out == f"{file}: 2 games kept, 1 game not readable.\n"
    assert err.startswith(f"{file}: line 8, game 2, ply 2, move c3-d4: 'c3-d4' is not a legal move.")
    assert err.count("\n") == 1
    first, second = kept(path)
    assert first.head == Head("draughts", "8", 0.0, "", {"White": "Ada", "Date": "1950.??.??", IMPORTED: "holiday.pdn"})
    assert (first.end, second.end) == (End(0.0, "light", ""), None)


def test_the_same_game_is_kept_once(path: Path, capsys: Said) -> None:
    file = file_of(path, GOOD, GOOD, OTHER)
    assert status_of("import", file, file=path) == 0
    assert capsys.readouterr().out == f"{file}: 2 games kept, 1 game there already.\n"
    assert status_of("import", file, file=path) == 0
    assert capsys.readouterr().out == f"{file}: 3 games there already.\n"
    assert len(kept(path)) == 2


def test_what_a_board_has_played_is_known_again(path: Path, capsys: Said) -> None:
    keep_draughts(path, "act c3-d4", "act b6-a5", "back", "act d6-c5", "say light offer draw")
    seeded = Head("diablo", "4", BEGUN, "", {}, SEED.hex())
    keep(path, seeded, journal("roll 2-1", "act merge 2 a1-c1", "recount c1=1"), End(BEGUN, ""))
    keep(path, Head("chess", "8", 0.0), [])
    keep(path, Head("draughts", "8", 0.0, "W:Wz9", ADA), journal("act c3-d4", "act d6-c5"))
    for number in ("1", "2"):
        to = path.with_name(f"{number}.txt")
        assert status_of("export", number, str(to), file=path) == 0
        assert status_of("import", str(to), file=path) == 0
        assert capsys.readouterr().out.endswith(f"{to}: 1 game there already.\n")
    assert len(kept(path)) == 4


def test_everything_in_a_file_comes_out_again(path: Path, capsys: Said) -> None:
    keep_draughts(path, "act c3-d4", "act b6-a5", "back", "act d6-c5", "say light resign", end=End(BEGUN, "dark", "x"))
    status_of("export", "1", str(path.with_name("1.pdn")), file=path)
    other = path.with_name("other.db")
    assert status_of("import", str(path.with_name("1.pdn")), file=other) == 0
    capsys.readouterr()
    status_of("export", "1", file=other)
    assert capsys.readouterr().out == path.with_name("1.pdn").read_text()


def test_an_imported_game_that_is_unfinished_is_not_offered_at_the_board(path: Path) -> None:
    begun = keep_draughts(path, "act c3-d4")
    assert status_of("import", file_of(path, OTHER), file=path) == 0
    with closing(Games(path)) as store:
        unfinished = store.unfinished()
        assert unfinished is not None
        assert unfinished.number == begun


def test_a_game_that_begins_elsewhere_is_kept_with_its_start(path: Path) -> None:
    assert status_of("import", file_of(path, '[FEN "W:Wc3:Bd4"]\n\n1. c3:e5 *\n'), file=path) == 0
    (game,) = kept(path)
    assert (game.head.start, game.end) == ("W:Wc3:Bd4", End(0.0, "light", ""))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"* *\n", "there is no game in it"),
        (b"\x89PNG\r\n\x1a\n\0\0", "is no text but something binary"),
        (b"x" * (games_limit := 16 * 1024 * 1024 + 1), "has more than 16 megabytes; divide it"),
    ],
    ids=["empty", "blank", "no game", "binary", "large"],
)
def test_a_file_without_games_is_told(path: Path, capsys: Said, content: bytes, why: str) -> None:
    file = path.with_name("holiday.pdn")
    file.write_bytes(content)
    assert status_of("import", str(file), file=path) == 2
    assert refusal(capsys) == f"{file}: {why}"
    assert not path.exists()


def test_a_file_that_is_no_file_is_told(path: Path, capsys: Said) -> None:
    pipe = path.with_name("pipe.pdn")
    os.mkfifo(pipe)
    for name, why in (
        (str(pipe), "is no regular file"),
        (str(path.parent), "is no regular file"),
        ("/dev/zero", "is no regular file"),
        ("nowhere.pdn", "cannot be read (No such file or directory)"),
        ("a\0b", "a file cannot have this name"),
    ):
        assert status_of("import", name, file=path) == 2
        assert why in refusal(capsys)


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("utf-8", "Müller"),
        ("utf-8-sig", "Müller"),
        ("utf-16", "Müller"),
        ("latin-1", "Müller"),
        ("cp1251", "Борис Спасский"),
        ("cp1251", "Ю. Кац"),
    ],
)
def test_names_are_read_in_the_letters_that_are_in_use(path: Path, encoding: str, name: str) -> None:
    file = path.with_name("old.pdn")
    file.write_bytes(f'[White "{name}"]\n\n1. c3-d4 *\n'.encode(encoding))
    assert status_of("import", str(file), file=path) == 0
    assert kept(path)[0].head.tags["White"] == name


def test_a_store_that_cannot_be_written_is_told(path: Path, capsys: Said) -> None:
    assert status_of("import", file_of(path, GOOD), file=Path(file_of(path, GOOD)) / "games.db") == 2
    assert refusal(capsys).startswith("Games cannot be kept in ")


def test_a_file_that_was_changed_is_games_or_sentences(path: Path, capsys: Said) -> None:
    chance = Random(1)
    original = f"{GOOD}\n{OTHER}".encode()
    file = path.with_name("holiday.pdn")
    for _ in range(60):
        content = bytearray(original)
        for _ in range(chance.randint(1, 3)):
            content[chance.randrange(len(content))] = chance.randrange(256)
        file.write_bytes(content)
        assert status_of("import", str(file), file=path) in (0, 1, 2)
        out, err = capsys.readouterr()
        assert out or err
        assert "Traceback" not in err
        assert all(len(line) < 520 for line in err.splitlines())


# ---------------------------------------------------------------------------------------------- delete


@pytest.mark.parametrize(("answer", "left"), [("y\n", 1), ("Yes\n", 1), ("n\n", 2), ("\n", 2), ("", 2), ("maybe\n", 2)])
def test_a_game_is_deleted_after_asking(
    path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch, answer: str, left: int
) -> None:
    keep_draughts(path, "act c3-d4", end=End(BEGUN, "light"))
    keep_draughts(path, "act e3-f4", end=End(BEGUN, "light"))
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    assert status_of("delete", "1", file=path) == (0 if left == 1 else 1)
    question = "Delete game 1 (2026-11-30 18:04, Draughts 8, Ada – Bo, 1 move, White won)? [y/N] "
    after = "Game 1 is deleted." if left == 1 else "Nothing is deleted."
    assert capsys.readouterr().out == f"{question}{after}\n"
    assert len(kept(path)) == left


def test_the_game_that_the_board_goes_on_with_is_deleted_only_with_a_warning(
    path: Path, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_draughts(path, "act c3-d4", "act b6-a5")
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert status_of("delete", "1", file=path) == 0
    said = capsys.readouterr().out
    assert said.startswith("The board goes on with this game when it is next switched on.\nDelete game 1 (")
    assert "2 moves, unfinished)" in said
    assert kept(path) == []


def test_a_game_is_deleted_unasked_if_that_is_said(path: Path, capsys: Said) -> None:
    keep_draughts(path, "act c3-d4")
    assert status_of("delete", "1", "--yes", file=path) == 0
    assert capsys.readouterr().out == "Game 1 is deleted.\n"
    assert kept(path) == []


# ------------------------------------------------------------------------------------- published games


def test_published_games_go_through_the_store_unchanged(path: Path, published: Path, capsys: Said) -> None:
    for name, number in (("draughts/games_pdn3.pdn", 98), ("diablo/games.jsonl", 12), ("herd/games.jsonl", 12)):
        assert status_of("import", str(published / name), file=path) == 0
        assert capsys.readouterr().out == f"{published / name}: {number} games kept.\n"
        assert status_of("import", str(published / name), file=path) == 0
        assert capsys.readouterr().out == f"{published / name}: {number} games there already.\n"
    for name in ("games.jsonl", "games_classic.pdn"):
        assert status_of("import", str(published / "draughts" / name), file=path) == 0
        assert "98 games there already" in capsys.readouterr().out
    with closing(Games(path)) as store:
        told = [games.account_of(each, store.lines(each.number)) for each in store.games()]
    read = [
        each
        for name in ("draughts/games_pdn3.pdn", "diablo/games.jsonl", "herd/games.jsonl")
        for each in keeping.read((published / name).read_text(), make)
    ]
    assert [[step.action for step in each.steps] for each in told] == [
        [step.action for step in each.steps] for each in read if isinstance(each, account.Account)
    ]
