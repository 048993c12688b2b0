"""Keeping a game: everything that was shown is in the file, whatever happens to the file meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from journal.sitting import KINDS, SEED, Script, Sitting, script

from reedlight.adapters.sqlite import Games, Head, Kept, StoreLost
from reedlight.app.journal import RETRY, Found, Journal
from reedlight.core.game import Declaration, Roll, Side, Speech
from reedlight.games import make
from reedlight.ports import Display
from reedlight.record import fair
from reedlight.record.journal import Line, line_of, replay
from reedlight.scene.scene import Button
from reedlight.session.events import Accepted, Spoken, TakenBack
from reedlight.session.session import Mode
from reedlight_sim.perform import seeded

PLAYERS = {"White": "Ann", "Black": "Ben"}


@dataclass
class Desk:
    """A folder with the file of games, and journals that are kept in it one after another."""

    folder: Path
    clock: Iterator[float] = field(default_factory=lambda: (1.7e9 + number / 8 for number in range(100_000)))
    seeds: Iterator[bytes] = field(default_factory=lambda: (bytes([number]) * 32 for number in range(256)))
    journals: list[Journal] = field(default_factory=list[Journal])

    @property
    def path(self) -> Path:
        return self.folder / "games.db"

    def journal(self, open_store: Callable[[], Games] | None = None) -> Journal:
        """A program that starts; the one before it is gone."""
        store = open_store or (lambda: Games(self.path))
        self.journals.append(Journal(store, lambda: next(self.clock), lambda _: next(self.seeds).hex()))
        return self.journals[-1]

    def begin(self, played: Script, steps: int = 0) -> tuple[Journal, Sitting]:
        """A new game that is kept, and the first steps of it."""
        journal = self.journal()
        journal.prepare(played.game, PLAYERS)
        sitting = Sitting(played.game, journal)
        sitting.begin()
        sitting.play(played.steps[:steps])
        return journal, sitting

    def resume(self) -> tuple[Journal, Sitting, Found]:
        """A program that starts and is offered a game."""
        journal = self.journal()
        found = journal.unfinished()
        assert found is not None
        journal.go_on_with(found)
        return journal, Sitting(found.game, journal, found.past), found

    def kept(self) -> list[Kept]:
        """Every game in the file."""
        return [*self._ask(Games.games)]

    def lines(self, number: int) -> list[Line]:
        """What is kept of a game."""
        return [*self._ask(lambda games: games.lines(number))]

    def _ask(self, question: Callable[[Games], Any]) -> Any:
        games = Games(self.path)
        try:
            return question(games)
        finally:
            games.close()

    def has(self, number: int, sitting: Sitting) -> bool:
        """Whether all that stands in a sitting stands in the file."""
        game = sitting.session.game
        past = replay(game, game.start(), self.lines(number))
        return not past.broken and [entry.action for entry in past.entries] == [*sitting.session.history]


@pytest.fixture
def desk(quick: Path) -> Iterator[Desk]:
    desk = Desk(quick)
    yield desk
    for journal in desk.journals:
        journal.close()


def draughts(steps: int | None = 12) -> Script:
    return script("draughts", "8", 0, steps)


# ------------------------------------------------------------------------------------ line by line


@pytest.mark.parametrize(("name", "size"), KINDS)
def test_a_whole_game_is_kept_with_all_its_steps_and_its_end(desk: Desk, name: str, size: str) -> None:
    played = script(name, size, 1)
    _, sitting = desk.begin(played, len(played.steps))
    outcome = played.states[-1].outcome
    assert outcome is not None
    (kept,) = desk.kept()
    assert (kept.head.game, kept.head.size, kept.head.tags, kept.lines) == (name, size, PLAYERS, len(played.steps))
    assert kept.end is not None
    assert (kept.end.result, kept.end.reason) == (outcome.winner.value if outcome.winner else "draw", outcome.reason)
    assert desk.has(kept.number, sitting)


class Witness:
    """An output that looks into the file whenever something is shown."""

    deadline = None

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.sitting: Sitting | None = None
        self.looks = 0

    def show(self, display: Display, now: float) -> None:
        del display, now
        if self.sitting is not None and self.sitting.session.mode is not Mode.SETUP:
            self.looks += 1
            assert self._desk.has(self._desk.kept()[-1].number, self.sitting)

    def close(self) -> None:
        pass


@pytest.mark.parametrize(("name", "size"), KINDS)
def test_nothing_is_shown_that_is_not_kept(desk: Desk, name: str, size: str) -> None:
    played, journal, witness = script(name, size, 2, 30), desk.journal(), Witness(desk)
    journal.prepare(played.game, PLAYERS)
    witness.sitting = sitting = Sitting(played.game, journal, outputs=(lambda _: witness,))
    sitting.begin()
    sitting.play(played.steps)
    for _ in range(5):
        sitting.press(Button.BACK)
        sitting.follow()
    assert witness.looks > 40


def test_the_witness_sees_what_is_shown_too_early(desk: Desk) -> None:
    played, journal, witness = draughts(), desk.journal(), Witness(desk)
    journal.prepare(played.game, PLAYERS)
    sitting = Sitting(played.game, journal, outputs=(lambda _: witness,))
    sitting.begin()
    witness.sitting = sitting
    sitting.tabletop._before_showing = lambda _: None
    with pytest.raises(AssertionError):
        sitting.play(played.steps)


def test_what_was_taken_back_and_what_was_said_are_lines_too(desk: Desk) -> None:
    _, sitting = desk.begin(draughts(), 2)
    sitting.press(Button.BACK)
    sitting.follow()
    sitting.handle(Spoken(Declaration(Side.DARK, Speech.RESIGN)))
    assert [line.kind for line in desk.lines(1)] == ["act", "act", "back", "say"]
    (kept,) = desk.kept()
    assert kept.end is not None
    assert kept.end.result == "light"
    sitting.press(Button.BACK)
    assert desk.kept()[0].end is None
    assert desk.lines(1)[-1].kind == "back"


def test_a_game_that_nobody_prepared_is_not_kept(desk: Desk) -> None:
    journal = desk.journal()
    sitting = Sitting(make("draughts", "8"), journal)
    sitting.begin()
    sitting.play(draughts(2).steps)
    sitting.press(Button.BACK)
    assert journal.seed == b""
    assert journal.dice_tags() == {}
    assert not desk.path.exists()


def test_a_game_may_begin_with_a_position(desk: Desk) -> None:
    game = make("draughts", "8")
    start = draughts(6).states[-1]
    journal = desk.journal()
    journal.prepare(game, PLAYERS, start)
    sitting = Sitting(game, journal, start)
    sitting.begin()
    sitting.play([start.legal_actions()[0]])
    _, again, found = desk.resume()
    assert found.kept.head.start == game.dump(start)
    again.begin()
    assert game.dump(again.session.state) == game.dump(sitting.session.state)


def test_a_game_of_three_hundred_actions_writes_less_than_two_megabytes(desk: Desk) -> None:
    counted = Path("/proc/self/io")
    if not counted.exists():
        pytest.skip("only Linux counts what a process writes")
    before, actions = written(counted), 0
    for number in range(4):
        played = script("diablo", "6", number)
        desk.begin(played, len(played.steps))
        actions += len([step for step in played.steps if not isinstance(step, Roll)])
    assert actions > 250
    assert (written(counted) - before) / actions * 300 < 2_000_000


def written(counted: Path) -> int:
    """The bytes that this process has written so far."""
    return next(int(line.split()[1]) for line in counted.read_text().splitlines() if line.startswith("wchar"))


# ------------------------------------------------------------------------------------ one game after another


def test_the_next_game_of_the_same_players_is_another_one_with_dice_of_its_own(desk: Desk) -> None:
    played = script("diablo", "6", 1)
    journal, sitting = desk.begin(played, len(played.steps))
    first = journal.seed
    sitting.press(Button.GO)
    sitting.begin()
    assert [kept.head.tags for kept in desk.kept()] == [PLAYERS, PLAYERS]
    assert journal.seed != first
    assert [kept.end is None for kept in desk.kept()] == [False, True]


def test_a_new_choice_leaves_the_old_game_as_it_was(desk: Desk) -> None:
    journal, _ = desk.begin(draughts(), 3)
    herd = script("herd", "4", 0, 4)
    journal.prepare(herd.game, PLAYERS)
    sitting = Sitting(herd.game, journal)
    sitting.begin()
    sitting.play(herd.steps)
    assert [(kept.head.game, kept.lines) for kept in desk.kept()] == [("draughts", 3), ("herd", 4)]


def test_the_hash_is_shown_before_the_first_roll_and_the_seed_when_all_is_over(desk: Desk) -> None:
    played = script("herd", "4", 1)
    journal = desk.journal()
    assert journal.dice_tags() == {}
    journal.prepare(played.game, PLAYERS)
    shown = {"DiceHash": fair.hash_of(journal.seed)}
    assert journal.dice_tags() == shown
    sitting = Sitting(played.game, journal)
    sitting.begin()
    sitting.play(played.steps[:-1])
    assert journal.dice_tags() == shown
    sitting.play(played.steps[-1:])
    assert journal.dice_tags() == shown | {"DiceSeed": journal.seed.hex()}
    assert fair.verify(bytes.fromhex(journal.dice_tags()["DiceSeed"]), shown["DiceHash"], []) == ""


def test_the_next_game_shows_its_own_hash_before_it_begins(desk: Desk) -> None:
    played = script("herd", "4", 1)
    journal, _ = desk.begin(played, len(played.steps))
    over = journal.dice_tags()
    journal.prepare(played.game, PLAYERS)
    assert journal.dice_tags() == {"DiceHash": fair.hash_of(journal.seed)}
    assert journal.dice_tags()["DiceHash"] != over["DiceHash"]


def test_a_game_without_dice_has_neither_hash_nor_seed(desk: Desk) -> None:
    journal, _ = desk.begin(draughts())
    assert journal.seed == b""
    assert journal.dice_tags() == {}
    assert desk.kept()[0].head.seed == ""


# ------------------------------------------------------------------------------------ going on


def test_there_is_nothing_to_go_on_with_in_a_new_file(desk: Desk) -> None:
    assert desk.journal().unfinished() is None


@pytest.mark.parametrize(("name", "size"), KINDS)
def test_a_game_goes_on_where_it_stood_in_the_same_row(desk: Desk, name: str, size: str) -> None:
    played = script(name, size, 3, 20)
    desk.begin(played, 15)
    journal, sitting, found = desk.resume()
    assert (found.kept.lines, found.past.state) == (15, played.states[15])
    sitting.begin()
    sitting.play(played.steps[15:])
    (kept,) = desk.kept()
    assert kept.lines == 20
    assert desk.has(kept.number, sitting)
    assert journal.seed.hex() == kept.head.seed


def test_a_game_that_is_begun_anew_is_another_one_and_the_old_one_stays(desk: Desk) -> None:
    desk.begin(draughts(), 3)
    journal, sitting, _ = desk.resume()
    sitting.press(Button.BACK)
    sitting.begin()
    assert [kept.lines for kept in desk.kept()] == [3, 0]
    found = journal.unfinished()
    assert found is not None
    assert found.kept.number == 2


def test_a_game_in_which_nothing_has_happened_is_begun_anew_as_itself(desk: Desk) -> None:
    desk.begin(draughts())
    _, sitting, _ = desk.resume()
    sitting.press(Button.BACK)
    sitting.begin()
    sitting.play(draughts().steps[:2])
    assert [kept.lines for kept in desk.kept()] == [2]


def test_a_game_that_is_over_is_not_offered(desk: Desk) -> None:
    played = draughts(None)
    desk.begin(played, len(played.steps))
    assert desk.journal().unfinished() is None


def test_a_game_that_is_over_by_its_lines_is_said_to_be_so(desk: Desk) -> None:
    played = script("diablo", "6", 1)
    desk.begin(played, len(played.steps))
    games = Games(desk.path)
    games.add(1, 1, ())
    games.close()
    assert desk.kept()[0].end is None
    assert desk.journal().unfinished() is None
    end = desk.kept()[0].end
    assert end is not None
    assert end.reason == played.states[-1].outcome.reason  # type: ignore[union-attr]  # it is over


@pytest.mark.parametrize(
    "head",
    [
        Head("chess", "8", 1.0),
        Head("draughts", "9", 1.0),
        Head("draughts", "8", 1.0, "W:no position"),
        Head("herd", "4", 1.0, seed="no seed"),
    ],
)
def test_a_game_whose_head_cannot_be_read_is_not_offered_and_stays(desk: Desk, head: Head) -> None:
    games = Games(desk.path)
    games.begin(head, [Line("act", "c3-d4")])
    games.close()
    journal = desk.journal()
    assert journal.unfinished() is None
    assert journal.trouble == ""
    assert desk.kept()[0].head == head


def test_a_game_with_a_line_that_cannot_be_read_goes_on_as_a_copy_of_what_stands(desk: Desk) -> None:
    played = draughts()
    desk.begin(played, 4)
    games = Games(desk.path)
    games.add(1, 5, [Line("act", "h9-i10"), Line("back")])
    games.close()
    _, sitting, found = desk.resume()
    assert "h9-i10" in found.past.broken
    sitting.begin()
    assert [kept.lines for kept in desk.kept()] == [6, 4]
    sitting.play(played.steps[4:6])
    assert [kept.lines for kept in desk.kept()] == [6, 6]
    assert desk.has(2, sitting)


def test_a_game_with_nothing_but_a_line_that_cannot_be_read_is_still_a_game(desk: Desk) -> None:
    games = Games(desk.path)
    games.begin(Head("draughts", "8", 1.0), [Line("dance")])
    games.close()
    _, sitting, _ = desk.resume()
    sitting.begin()
    sitting.play(draughts(2).steps)
    assert [kept.lines for kept in desk.kept()] == [1, 2]


# ------------------------------------------------------------------------------------ when the store fails


def fill(journal: Journal) -> None:
    """Let the file grow no more."""
    store = journal._store
    assert store is not None
    (pages,) = store._database.execute("PRAGMA page_count").fetchone()
    store._database.execute(f"PRAGMA max_page_count = {pages}")


def play_until_trouble(journal: Journal, sitting: Sitting, played: Script) -> None:
    """Go on until the journal says that something is wrong."""
    for step in played.steps[len(sitting.session.history) :]:
        if journal.trouble:
            return
        sitting.play([step])
    raise AssertionError("nothing was wrong")


def test_play_goes_on_while_the_disk_is_full_and_all_of_it_is_kept_afterwards(desk: Desk) -> None:
    games = Games(desk.path)
    games.begin(Head("draughts", "8", 1.0), [Line("act", "a3-b4", 0.5)] * 100)  # the page is soon full
    games.close()
    played = script("diablo", "6", 3)
    journal, sitting = desk.begin(played, 2)
    fill(journal)
    play_until_trouble(journal, sitting, played)
    assert journal.trouble == f"Games cannot be kept in {desk.path}: the disk is full."
    stuck = len(sitting.session.history)
    sitting.play(played.steps[stuck : stuck + 3])
    assert not desk.has(2, sitting)
    sitting.tabletop.advance(sitting.now + RETRY)
    assert journal.trouble == ""
    assert len(desk.kept()) == 2
    assert desk.has(2, sitting)


def test_a_store_that_fails_is_tried_again_after_a_while_and_not_before(desk: Desk) -> None:
    tries: list[int] = []

    def fails() -> Games:
        tries.append(1)
        raise StoreLost("It fails.")

    journal = desk.journal(fails)
    journal.prepare(make("draughts", "8"), {})
    sitting = Sitting(make("draughts", "8"), journal)
    sitting.begin()
    began = sitting.now
    assert len(tries) == 1
    sitting.tabletop.advance(began + RETRY - 1.0)
    assert len(tries) == 1
    sitting.tabletop.advance(began + RETRY)
    sitting.tabletop.advance(began + RETRY + 1.0)
    assert len(tries) == 2
    assert journal.trouble == "It fails."


def test_a_store_that_fails_at_the_start_is_said_until_it_is_there(desk: Desk) -> None:
    desk.path.mkdir()
    journal = desk.journal()
    assert journal.unfinished() is None
    assert journal.trouble == f"Games cannot be kept in {desk.path}: it is a folder."
    desk.path.rmdir()
    journal.keep(0.0)
    assert journal.trouble == ""
    journal.keep(0.0)


def test_a_lock_of_another_program_loses_and_doubles_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reedlight.adapters.sqlite.PATIENCE", 0.01)
    played = draughts()
    journal, sitting = desk.begin(played, 2)
    other = Games(desk.path)._database
    other.execute("BEGIN IMMEDIATE")
    sitting.play(played.steps[2:4])
    assert journal.trouble == f"Games cannot be kept in {desk.path}: another program is using it."
    other.execute("ROLLBACK")
    other.close()
    sitting.tabletop.advance(sitting.now + RETRY)
    assert [kept.lines for kept in desk.kept()] == [4]


def test_a_file_that_is_found_damaged_in_the_middle_of_a_game_is_put_aside_and_the_game_is_kept_whole(
    desk: Desk,
) -> None:
    played = draughts()
    journal, sitting = desk.begin(played, 6)
    store = journal._store
    assert store is not None
    for part in desk.folder.iterdir():
        part.write_bytes(b"\xaa" * part.stat().st_size)
    store._database.execute("PRAGMA shrink_memory")  # what is not in memory is read from the disk
    sitting.play(played.steps[6:8])
    assert journal.trouble == f"Games cannot be kept in {desk.path}: the file is damaged."
    sitting.tabletop.advance(sitting.now + RETRY)
    assert journal.trouble == ""
    assert journal.notice.startswith("The file of games was damaged; it is kept as games.db.damaged-")
    assert [kept.lines for kept in desk.kept()] == [8]
    assert desk.has(1, sitting)


def test_a_file_that_was_deleted_is_made_anew_with_the_whole_game(desk: Desk) -> None:
    played = draughts()
    _, sitting = desk.begin(played, 4)
    for part in desk.folder.iterdir():
        part.unlink()
    sitting.play(played.steps[4:6])
    sitting.tabletop.advance(sitting.now + RETRY)
    assert [kept.lines for kept in desk.kept()] == [6]
    assert desk.has(1, sitting)


@pytest.mark.parametrize("other", [Head("herd", "4", 1.0, seed=SEED.hex()), Head("draughts", "8", 5.0, tags=PLAYERS)])
def test_a_file_that_was_replaced_has_two_games_afterwards_and_mixes_none(desk: Desk, other: Head) -> None:
    played = draughts()
    _, sitting = desk.begin(played, 4)
    for part in desk.folder.iterdir():
        part.unlink()
    replaced = Games(desk.path)
    replaced.begin(other, [Line("act", "something else")])
    replaced.close()
    sitting.play(played.steps[4:6])
    sitting.tabletop.advance(sitting.now + RETRY)
    assert [(kept.head.game, kept.lines) for kept in desk.kept()] == [(other.game, 1), ("draughts", 6)]
    assert desk.has(2, sitting)


def test_an_older_copy_of_the_file_is_not_gone_on_with(desk: Desk) -> None:
    """Otherwise lines would be missing between those of the copy and those that follow."""
    played = draughts()
    journal, sitting = desk.begin(played, 4)
    journal.close()
    copy = desk.path.read_bytes()
    sitting.play(played.steps[4:6])
    journal.close()
    desk.path.write_bytes(copy)
    sitting.play(played.steps[6:8])
    assert [kept.lines for kept in desk.kept()] == [4, 8]
    assert desk.has(2, sitting)


def test_games_that_could_not_be_kept_are_kept_in_their_order_later(desk: Desk) -> None:
    journal, sitting = desk.begin(draughts(), 2)
    desk.path.rename(desk.folder / "elsewhere.db")
    sitting.play(draughts().steps[2:4])
    for part in [*desk.folder.iterdir()]:
        part.unlink()
    desk.path.mkdir()
    herd = script("herd", "4", 0, 4)
    journal.prepare(herd.game, PLAYERS)
    after = Sitting(herd.game, journal)
    after.tabletop.advance(sitting.now + RETRY)
    after.begin()
    after.play(herd.steps)
    assert journal.trouble.endswith("it is a folder.")
    desk.path.rmdir()
    after.tabletop.advance(after.now + RETRY)
    assert [(kept.head.game, kept.lines) for kept in desk.kept()] == [("draughts", 4), ("herd", 4)]


def test_a_program_that_ends_tries_once_more_to_keep_what_it_has(desk: Desk) -> None:
    journal, sitting = desk.begin(draughts(), 2)
    desk.path.rename(desk.folder / "elsewhere.db")
    sitting.play(draughts().steps[2:4])
    assert journal.trouble
    (desk.folder / "elsewhere.db").rename(desk.path)
    journal.close()
    assert [kept.lines for kept in desk.kept()] == [4]
    journal.close()


def test_the_same_trouble_is_logged_once(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    desk.path.mkdir()
    journal = desk.journal()
    journal.unfinished()
    journal.keep(0.0)
    assert [record.message.split()[0] for record in caplog.records] == ["trouble"]


def test_what_passed_through_the_tabletop_is_what_is_kept(desk: Desk) -> None:
    _, sitting = desk.begin(draughts(), 5)
    sitting.press(Button.BACK)
    kinds = {Accepted: "act", TakenBack: "back"}
    expected = [kinds[type(each)] for each in sitting.happened if type(each) in kinds]
    assert [line.kind for line in desk.lines(1)] == expected


# ------------------------------------------------------------------------------------ lines that nobody wrote

WORDS = (
    "merge",
    "capture",
    "1",
    "0",
    "-1",
    "c3",
    "d4",
    "zz99",
    "-",
    ":",
    "x",
    "=",
    " ",
    "light",
    "offer draw",
    "\0",
    "\ufffd",
    "²",
)


@pytest.mark.parametrize(("name", "size"), KINDS)
def test_whatever_stands_in_a_line_the_game_before_it_is_kept(name: str, size: str) -> None:
    played, rng = script(name, size, 4, 10), seeded("garbage", name)
    lines = [line_of(played.game, state, step, 0.0) for state, step in zip(played.states, played.steps, strict=False)]
    for _ in range(300):
        at = rng.randrange(len(lines))
        kind = rng.choice(("roll", "act", "say", "back", "recount", "", "dance"))
        garbage = Line(kind, "".join(rng.choices(WORDS, k=rng.randrange(5))))
        past = replay(played.game, played.states[0], [*lines[:at], garbage, *lines[at:]])
        stands = max(at - (kind == "back"), 0)
        assert [entry.action for entry in past.entries[:stands]] == [*played.steps[:stands]]


def test_a_game_with_the_players_own_dice_has_no_seed(tmp_path: Path) -> None:
    journal = Journal(lambda: Games(tmp_path / "games.db"), lambda: 1.0)
    journal.prepare(make("herd", "3"), {})
    assert journal.dice_tags()
    journal.forget_seed()
    assert journal.dice_tags() == {}
    journal.close()


# ----------------------------------------------------------------------------------- other players


def test_whoever_sits_down_in_the_middle_of_a_game_is_kept(desk: Desk) -> None:
    journal, _ = desk.begin(draughts(), 5)
    journal.retag({"White": "Ann", "Black": "Computer, level 5", "BlackType": "program"})
    journal.keep(0.0)
    (kept,) = desk.kept()
    assert kept.head.tags["Black"] == "Computer, level 5"
    _, _, found = desk.resume()
    assert found.kept.head.tags["BlackType"] == "program"
    assert len(found.lines) == 5


def test_whoever_sits_down_before_the_game_is_in_its_head(desk: Desk) -> None:
    journal = desk.journal()
    played = draughts()
    journal.prepare(played.game, PLAYERS)
    journal.retag({"White": "Cleo", "Black": "Ben"})
    sitting = Sitting(played.game, journal)
    sitting.begin()
    sitting.play(played.steps[:1])
    assert desk.kept()[0].head.tags == {"White": "Cleo", "Black": "Ben"}


def test_nobody_sits_down_where_no_game_is_kept(desk: Desk) -> None:
    journal = desk.journal()
    journal.retag({"White": "Cleo"})
    journal.keep(0.0)
    assert desk.kept() == []
