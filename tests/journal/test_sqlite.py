"""The file of games: kept whole or not at all, and whatever is wrong with it is one sentence.

What only another user may not do is done as one: root drops its rights for a moment.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from random import Random
from shutil import rmtree, which
from tempfile import mkdtemp

import pytest

from reedlight.adapters import sqlite
from reedlight.adapters.sqlite import MIGRATIONS, OURS, End, Games, Head, Kept, StoreLost
from reedlight.record.journal import Line

NOBODY = 65534
HEAD = Head("diablo", "6", 12.5, "a start", {"Red": "Ann", "Green": "Ben"}, "ab" * 32)
LINES = (Line("roll", "3-1", 13.25), Line("act", "merge 1 c1-b1", 14.0), Line("back", "", 15.0))
END = End(16.0, "light", "no moves")
A_NIGHT = datetime(2026, 3, 1, 23, 59, 58)  # noqa: DTZ001  # names of files are in the owner's own time


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a file of games is to be."""
    return tmp_path / "games.db"


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that every user may look into."""
    folder = Path(mkdtemp(prefix="reedlight-"))
    folder.chmod(0o755)
    with as_nobody():
        is_open = os.path.isdir(folder / ".")  # noqa: PTH112  # as it answers and does not raise
    if is_open:
        yield folder
    rmtree(folder)
    if not is_open:
        pytest.skip(f"nobody but root may look into {folder.parent}")


@contextmanager
def as_nobody() -> Generator[None]:
    """Without the rights of root, to whom no permission matters."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def mounted(folder: Path, *options: str) -> Generator[None]:
    """Something mounted on a folder; skips where this may not be done."""
    mount = which("mount")
    if mount is None:
        pytest.skip("there is no command to mount anything")
    done = subprocess.run([mount, *options, str(folder)], capture_output=True, text=True, check=False)  # noqa: S603  # a folder of our own
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)  # noqa: S603, S607  # the usual command


def kept(path: Path, lines: int = 3) -> None:
    """A file with one game in it, closed, and all of it in the main file."""
    with closing(Games(path)) as games:
        games.begin(HEAD, LINES * (lines // len(LINES)))


def damaged(path: Path, *changes: tuple[bytes, bytes]) -> bytes:
    """Overwrite bytes of a file in place; what is in it then."""
    content = path.read_bytes()
    for good, bad in changes:
        assert good in content
        content = content.replace(good, bad)
    path.write_bytes(content)
    return content


def lost(act: Callable[[], object]) -> str:
    """The sentence with which something fails; closes what should not have come of it."""
    with pytest.raises(StoreLost) as caught:
        closing(act())  # type: ignore[arg-type]  # nothing comes of it
    said = str(caught.value)
    assert said.endswith(".")
    assert "\n" not in said
    return said


# ------------------------------------------------------------------------------------------- keeping


def test_what_was_kept_is_there_when_the_file_is_opened_again(path: Path) -> None:
    with closing(Games(path)) as games:
        number = games.begin(HEAD)
        games.add(number, 1, LINES[:1])
        games.add(number, 2, LINES[1:])
        games.note("oak", 7, "stuck", 1.0)
    with closing(Games(path)) as games:
        assert games.put_aside is None
        assert games.game(number) == games.unfinished() == Kept(number, HEAD, 3)
        assert games.lines(number) == LINES
        assert games.facts("oak") == {7: "stuck"}


def test_a_game_can_be_kept_with_all_that_has_happened_in_it(path: Path) -> None:
    with closing(Games(path)) as games:
        number = games.begin(HEAD, LINES, END)
        assert games.game(number) == Kept(number, HEAD, 3, END)
        assert games.lines(number) == LINES


def test_a_head_needs_no_more_than_the_game(path: Path) -> None:
    with closing(Games(path)) as games:
        games.begin(Head("draughts", "8", 1.0))
        assert games.games() == (Kept(1, Head("draughts", "8", 1.0, "", {}, ""), 0),)


def test_lines_that_are_there_already_are_not_written_again(path: Path) -> None:
    with closing(Games(path)) as games:
        number = games.begin(HEAD, LINES[:2])
        games.add(number, 2, (Line("act", "another", 99.0), LINES[2]))
        assert games.lines(number) == LINES


def test_an_end_is_said_with_the_line_that_brought_it_and_may_be_taken_back(path: Path) -> None:
    with closing(Games(path)) as games:
        number = games.begin(HEAD)
        games.add(number, 1, LINES[:1], END)
        assert games.unfinished() is None
        assert games.games()[0].end == END
        games.add(number, 2, LINES[2:])
        assert games.unfinished() == Kept(number, HEAD, 2)


def test_the_unfinished_game_is_the_last_one_or_none(path: Path) -> None:
    with closing(Games(path)) as games:
        assert games.unfinished() is None
        first, second = games.begin(HEAD), games.begin(HEAD)
        assert [game.number for game in games.games()] == [first, second]
        games.add(second, 1, (), END)
        assert games.unfinished() is None
        assert games.game(99) is None


def test_a_game_is_forgotten_with_its_lines_and_nothing_can_be_added_to_it(path: Path) -> None:
    with closing(Games(path)) as games:
        number = games.begin(HEAD, LINES)
        games.delete(number)
        assert games.games() == ()
        assert games.lines(number) == ()
        assert "the game is there no longer" in lost(lambda: games.add(number, 1, LINES))


def test_what_is_known_of_a_switch_may_change_and_be_forgotten(path: Path) -> None:
    with closing(Games(path)) as games:
        games.note("oak", 7, "stuck", 1.0)
        games.note("hex", 7, "dead", 1.0)
        games.note("oak", 7, "flickers", 2.0)
        assert games.facts("oak") == {7: "flickers"}
        games.note("oak", 7, "", 3.0)
        assert games.facts("oak") == {}


def test_what_fails_half_way_leaves_nothing_and_hinders_nothing(path: Path) -> None:
    def broken() -> Iterator[Line]:
        yield LINES[0]
        raise ZeroDivisionError

    with closing(Games(path)) as games:
        number = games.begin(HEAD)
        with pytest.raises(ZeroDivisionError):
            games.add(number, 1, broken())  # type: ignore[arg-type]  # something that breaks while it is written
        assert games.lines(number) == ()
        games.add(number, 1, LINES)
        assert games.lines(number) == LINES


def test_every_write_waits_for_the_disk(path: Path) -> None:
    with closing(Games(path)) as games:
        settings = {
            name: games._database.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert settings == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_a_game_that_has_nothing_new_is_not_written(path: Path) -> None:
    with closing(Games(path)) as games:
        number = games.begin(HEAD, LINES, END)
        before = path.with_name("games.db-wal").stat().st_size
        games.add(number, 4, (), END)
        assert path.with_name("games.db-wal").stat().st_size == before


def test_closing_again_does_nothing(path: Path) -> None:
    games = Games(path)
    games.close()
    games.close()
    assert "closed database" in lost(games.unfinished)


# ------------------------------------------------------------------------------------------- opening


def test_folders_are_made_for_the_owner_alone(tmp_path: Path) -> None:
    Games(tmp_path / "state" / "reedlight" / "games.db").close()
    assert [(tmp_path / part).stat().st_mode & 0o777 for part in ("state", "state/reedlight")] == [0o700, 0o700]


def test_an_empty_file_is_a_new_one(path: Path) -> None:
    path.touch()
    with closing(Games(path)) as games:
        assert games.put_aside is None
        assert games.begin(HEAD) == 1


def facts_of(path: Path) -> tuple[int, int, list[str]]:
    """The version of a file, whose it is, and the columns of its games."""
    with closing(sqlite3.connect(path)) as database:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        (whose,) = database.execute("PRAGMA application_id").fetchone()
        columns = [row[1] for row in database.execute("PRAGMA table_info(games)")]
    return version, whose, columns


def test_a_new_file_says_whose_it_is_and_its_version(path: Path) -> None:
    Games(path).close()
    version, whose, columns = facts_of(path)
    assert (version, whose) == (len(MIGRATIONS), OURS)
    assert columns[:4] == ["id", "begun", "game", "size"]


MOOD = ("ALTER TABLE games ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'",)


def test_a_file_of_an_older_version_is_brought_up_to_date_with_its_games(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(path)
    monkeypatch.setattr(sqlite, "MIGRATIONS", (*MIGRATIONS, MOOD, ("CREATE TABLE clocks (game INTEGER)",)))
    with closing(Games(path)) as games:
        assert games.put_aside is None
        assert games.lines(1) == LINES
    version, _, columns = facts_of(path)
    assert version == len(MIGRATIONS) + 2
    assert columns[-1] == "mood"
    Games(path).close()


def test_a_step_that_fails_leaves_the_file_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(path)
    monkeypatch.setattr(sqlite, "MIGRATIONS", (*MIGRATIONS, MOOD, ("CREATE TABLE games (twice)",)))
    assert "table games already exists" in lost(lambda: Games(path))
    monkeypatch.undo()
    version, _, columns = facts_of(path)
    assert (version, columns[-1]) == (len(MIGRATIONS), "reason")
    with closing(Games(path)) as games:
        assert games.lines(1) == LINES


def test_a_step_that_another_program_did_meanwhile_is_not_done_twice(path: Path) -> None:
    with closing(Games(path)) as games:
        sqlite._migrate(games._database)
        assert games.begin(HEAD) == 1


def a_database(path: Path, *statements: str) -> bytes:
    """A database as others write them; its bytes."""
    with closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
    return path.read_bytes()


@pytest.mark.parametrize("version", [len(MIGRATIONS) + 1, -1])
def test_a_file_of_a_newer_program_is_left_alone(path: Path, version: int) -> None:
    before = a_database(
        path, "CREATE TABLE games (x)", f"PRAGMA application_id = {OURS}", f"PRAGMA user_version = {version}"
    )
    assert lost(lambda: Games(path)) == (
        f"{path} was written by a newer version of this program, and is left as it is."
    )
    assert path.read_bytes() == before
    assert [part.name for part in path.parent.iterdir()] == ["games.db"]


def test_a_database_of_another_program_is_left_alone(path: Path) -> None:
    before = a_database(path, "CREATE TABLE songs (x)", "PRAGMA user_version = 1")
    assert lost(lambda: Games(path)) == f"{path} is a database of another program, and is left as it is."
    assert path.read_bytes() == before
    assert [part.name for part in path.parent.iterdir()] == ["games.db"]


# ------------------------------------------------------------------------------------------- damage


def test_a_damaged_file_is_put_aside_with_all_that_belongs_to_it(tmp_path: Path) -> None:
    kept(tmp_path / "games.db", lines=900)
    with closing(Games(tmp_path / "games.db")) as games:
        games.begin(HEAD, LINES)
        log = (tmp_path / "games.db-wal").read_bytes()
        path = a_copy_of_what_lies_there(tmp_path / "games.db", tmp_path / "after the power cut")
    path.write_bytes(b"no database " * 500)
    aside = path.with_name("games.db.damaged-2026-03-01T23-59-58")
    with closing(Games(path, lambda: A_NIGHT)) as games:
        assert games.put_aside == aside
        assert games.begin(HEAD) == 1
    assert aside.read_bytes() == b"no database " * 500
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == log
    with closing(Games(path)) as games:
        assert games.put_aside is None
        assert games.unfinished() == Kept(1, HEAD, 0)


def a_copy_of_what_lies_there(path: Path, folder: Path) -> Path:
    """The file and its log as they are now, elsewhere."""
    folder.mkdir()
    for part in (path, path.with_name(f"{path.name}-wal")):
        (folder / part.name).write_bytes(part.read_bytes())
    return folder / path.name


def test_what_was_put_aside_is_never_overwritten(path: Path) -> None:
    """Not even in the same second, nor where only a part of it is left from a power cut."""
    contents = [letter.encode() * 2000 for letter in "abc"]
    path.with_name("games.db.damaged-2026-03-01T23-59-58-wal").write_bytes(b"a part")
    asides: list[Path] = []
    for content in contents:
        path.write_bytes(content)
        with closing(Games(path, lambda: A_NIGHT)) as games:
            assert games.put_aside is not None
            asides.append(games.put_aside)
    assert [aside.name[-2:] for aside in asides] == ["-1", "-2", "-3"]
    assert [aside.read_bytes() for aside in asides] == contents
    assert path.with_name("games.db.damaged-2026-03-01T23-59-58-wal").read_bytes() == b"a part"


@pytest.mark.parametrize(
    "change",
    [
        (b"WITHOUT ROWID", b"WITHOUT \xc9OWID"),
        (b"kind TEXT", b"kinD_TEXT"),
        (b"tags TEXT", b"tagz TEXT"),
        (b"REFERENCES games", b"REFERENCES gamez"),
        (b"SQLite format 3", b"SQLite format 9"),
    ],
)
def test_damage_in_what_the_file_says_of_itself_is_found_before_a_game_is_played(
    path: Path, change: tuple[bytes, bytes]
) -> None:
    kept(path)
    content = damaged(path, change)
    with closing(Games(path)) as games:
        assert games.put_aside is not None
        assert games.put_aside.read_bytes() == content
        assert games.begin(HEAD) == 1


def test_a_format_that_was_never_used_is_damage(path: Path) -> None:
    kept(path)
    content = bytearray(path.read_bytes())
    content[44:48] = (99).to_bytes(4, "big")
    path.write_bytes(content)
    with closing(Games(path)) as games:
        assert games.put_aside is not None


def test_a_page_that_is_torn_is_damage(path: Path) -> None:
    kept(path, lines=900)
    content = bytearray(path.read_bytes())
    content[-3000:-2000] = bytes(1000)
    path.write_bytes(content)
    with closing(Games(path)) as games:
        assert games.put_aside is not None


def test_damage_in_a_text_costs_no_more_than_the_text(path: Path) -> None:
    kept(path)
    damaged(path, (b"merge 1 c1-b1", b"merge \xff c1-b1"), (b'{"Red"', b'!"Red!'))
    with closing(Games(path)) as games:
        assert games.put_aside is None
        assert games.lines(1)[1].text == "merge \ufffd c1-b1"
        assert games.games()[0].head.tags == {}
        assert games.games()[0].head.seed == HEAD.seed


def test_what_is_no_time_cannot_be_read(path: Path) -> None:
    kept(path)
    a_database(path, "BEGIN", "UPDATE lines SET at = 'soon'", "COMMIT")
    with closing(Games(path)) as games:
        assert lost(lambda: games.lines(1)).startswith(f"What is kept in {path} cannot be read: ")


def harm(content: bytes, rng: Random) -> bytes:
    """A file after something happened to it: a bit, a byte of the header, a stretch, or its end."""
    harmed, at = bytearray(content), rng.randrange(len(content))
    match rng.randrange(4):
        case 0:
            harmed[at] ^= 1 << rng.randrange(8)
        case 1:
            harmed[rng.randrange(100)] = rng.randrange(256)
        case 2:
            harmed[at : at + 512] = rng.randbytes(len(harmed[at : at + 512]))
        case _:
            del harmed[at:]
    return bytes(harmed)


def test_whatever_happens_to_the_bytes_it_is_a_sentence_or_games_can_be_kept(quick: Path) -> None:
    path = quick / "here" / "games.db"
    kept(path, lines=300)
    content = path.read_bytes()
    ends = {"opened": 0, "aside": 0, "lost": 0}
    for seed in range(150):
        rmtree(path.parent)
        path.parent.mkdir()
        path.write_bytes(harm(content, Random(seed)))
        with suppress(StoreLost), closing(Games(path, lambda: A_NIGHT)) as games:
            ends["aside" if games.put_aside else "opened"] += 1
            with suppress(StoreLost):
                assert games.begin(HEAD, LINES)
            continue
        ends["lost"] += 1
    assert ends["opened"]
    assert ends["aside"] > ends["lost"]


# -------------------------------------------------------------------------------- what the disk allows


def test_a_folder_in_the_place_of_the_file_is_said(tmp_path: Path) -> None:
    assert lost(lambda: Games(tmp_path)) == f"Games cannot be kept in {tmp_path}: it is a folder."


def test_a_file_in_the_place_of_the_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    said = lost(lambda: Games(tmp_path / "state" / "games.db"))
    assert said.endswith(": a file is in the place of its folder.")
    assert lost(lambda: Games(tmp_path / "state" / "deeper" / "games.db")) == said.replace("/games", "/deeper/games")


def test_a_file_in_a_folder_that_may_not_be_written_is_said(public: Path) -> None:
    for place in (public / "games.db", public / "new" / "games.db"):
        with as_nobody():
            said = lost(lambda place=place: Games(place))
        assert said.startswith(f"Games cannot be kept in {place}: ")
        assert "this user may not write there" in said or "nothing can be written there" in said


def test_a_folder_that_may_not_even_be_looked_into_is_said(public: Path) -> None:
    public.chmod(0o600)
    with as_nobody():
        assert lost(lambda: Games(public / "games.db")).endswith(": this user may not write there.")
    public.chmod(0o755)


def test_a_file_that_may_only_be_read_still_tells_its_games(public: Path) -> None:
    kept(public / "games.db")
    public.chmod(0o777)
    with as_nobody(), closing(Games(public / "games.db")) as games:
        assert games.unfinished() == Kept(1, HEAD, 3)
        assert lost(lambda: games.begin(HEAD)).endswith("games.db: it may only be read.")


def test_a_file_that_is_closed_to_this_user_is_said(public: Path) -> None:
    kept(public / "games.db")
    (public / "games.db").chmod(0o600)
    with as_nobody():
        assert "nothing can be written there" in lost(lambda: Games(public / "games.db"))


def test_a_damaged_file_that_cannot_be_put_aside_stays_where_it_is(public: Path) -> None:
    path = public / "games.db"
    path.write_bytes(b"no database" * 500)
    path.chmod(0o666)
    with as_nobody():
        assert lost(lambda: Games(path)) == f"{path} is damaged, and cannot be put aside (Permission denied)."
    assert path.read_bytes() == b"no database" * 500


def test_a_disk_that_may_only_be_read_is_said(public: Path) -> None:
    kept(public / "games.db")
    with mounted(public, "--bind", "-o", "ro", str(public)):
        assert "nothing can be written there" in lost(lambda: Games(public / "games.db"))
        assert "on a disk that may only be read" in lost(lambda: Games(public / "new" / "games.db"))


def test_a_full_disk_is_said_and_once_there_is_room_again_all_goes_on(tmp_path: Path) -> None:
    with mounted(tmp_path, "-t", "tmpfs", "-o", "size=400k", "tmpfs"), closing(Games(tmp_path / "games.db")) as games:
        number = games.begin(HEAD, LINES)
        (tmp_path / "ballast").write_bytes(bytes(os.statvfs(tmp_path).f_bavail * os.statvfs(tmp_path).f_bsize))
        long = tuple(Line("act", "x" * 500) for _ in range(100))
        said = lost(lambda: games.add(number, 4, long))
        assert said == f"Games cannot be kept in {tmp_path / 'games.db'}: the disk is full."
        assert games.lines(number) == LINES
        (tmp_path / "ballast").unlink()
        games.add(number, 4, long)
        assert games.lines(number) == (*LINES, *long)


def test_a_file_that_may_grow_no_more_is_full(path: Path) -> None:
    with closing(Games(path)) as games:
        number = games.begin(HEAD, LINES)
        (pages,) = games._database.execute("PRAGMA page_count").fetchone()
        games._database.execute(f"PRAGMA max_page_count = {pages}")
        said = lost(lambda: games.add(number, 4, tuple(Line("act", "x" * 500) for _ in range(100))))
        assert said.endswith(": the disk is full.")
        assert games.lines(number) == LINES


def test_a_name_that_does_not_reach_the_disk_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fails)
    assert lost(lambda: Games(path)) == f"Games cannot be kept in {path}: input/output error."


def test_another_program_that_holds_the_file_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.01)
    with closing(Games(path)) as games, closing(sqlite3.connect(path, isolation_level=None)) as other:
        number = games.begin(HEAD)
        other.execute("BEGIN IMMEDIATE")
        assert lost(lambda: games.add(number, 1, LINES)).endswith(": another program is using it.")
        with closing(Games(path)) as again:
            assert again.put_aside is None
            assert again.unfinished() == Kept(number, HEAD, 0)
        other.execute("ROLLBACK")
        games.add(number, 1, LINES)
        assert games.lines(number) == LINES


def test_a_new_file_that_another_program_holds_is_said_and_not_put_aside(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.01)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert lost(lambda: Games(path)).endswith(": another program is using it.")
    assert [part.name for part in path.parent.iterdir()] == ["games.db"]


def test_a_file_that_is_taken_away_or_replaced_is_not_written_any_more(path: Path) -> None:
    with closing(Games(path)) as games:
        path.rename(path.with_name("elsewhere.db"))
        said = f"Games cannot be kept in {path}: the file was taken away or replaced."
        assert lost(lambda: games.begin(HEAD)) == said
        path.touch()
        assert lost(lambda: games.begin(HEAD)) == said


def test_damage_that_is_found_in_the_middle_of_a_game_is_said_and_the_next_opening_puts_it_aside(path: Path) -> None:
    kept(path, lines=900)
    with closing(Games(path)) as games:
        path.write_bytes(b"\0" * path.stat().st_size)
        games._database.execute("PRAGMA shrink_memory")  # what is not in memory is read from the disk
        assert lost(lambda: games.lines(1)) == f"Games cannot be kept in {path}: the file is damaged."
    with closing(Games(path)) as games:
        assert games.put_aside is not None
        assert games.games() == ()


def test_an_error_without_a_word_is_called_by_its_name(path: Path) -> None:
    assert sqlite._why(path, sqlite3.Error()) == f"Games cannot be kept in {path}: Error."
