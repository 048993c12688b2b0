"""The wizard and whoever errs, goes back, leaves, or has no place for the file: a whole file or none, a dark board."""

from __future__ import annotations

import os
import pty
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest
from soldered import HAND, SMALL, ByLamps, ByWords, Soldered, rewired, small

from reedlight.app.wizard import FAILED, LEFT, OK, Terminal, add_arguments, check_written, run, this_terminal, wire
from reedlight.board.profile import ConfigError
from reedlight.board.toml import read
from reedlight.core.grid import Cell
from reedlight.scene.scene import Button

WITHOUT_BUTTONS = SMALL[: SMALL.index("[buttons]")] + SMALL[SMALL.index("[buses]") :]


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    file = tmp_path / "plan.toml"
    file.write_text(SMALL)
    return file


@pytest.fixture
def options(plan: Path, tmp_path: Path) -> Namespace:
    return Namespace(board=str(plan), out=tmp_path / "mine.toml", replace=False)


@pytest.fixture
def board() -> Soldered:
    """Columns run the other way."""
    return Soldered(small(), rewired(small(), lambda cell: Cell(f"{'dcba'['abcd'.index(cell[0])]}{cell[1]}")))


@pytest.fixture
def reader(board: Soldered) -> Iterator[ByWords]:
    person = ByWords(board)
    yield person
    person.close()


def is_right(options: Namespace, board: Soldered) -> bool:
    return read(options.out.read_text(), "mine.toml").layout == board.real.layout


def files(options: Namespace) -> list[str]:
    return sorted(file.name for file in options.out.parent.iterdir())


# ------------------------------------------------------------------------------------ errors, steps back


def test_whoever_presses_back_is_asked_for_the_last_cell_again(options: Namespace, board: Soldered) -> None:
    person = ByLamps(board)
    person.impatient_after = 3
    said: list[str] = []
    assert wire(options, board.bench, Terminal(said.append, None)) == OK
    assert is_right(options, board)
    assert sum("Put the piece on c3" in each for each in said) == 2


def test_hint_shows_for_a_moment_only_what_is_asked(options: Namespace, board: Soldered) -> None:
    person = ByLamps(board)
    seen: list[frozenset[Cell]] = []

    def press_hint(now: float) -> bool:
        if person.placed == 2 and not person.pressed.count(Button.HINT):
            person.press(Button.HINT, now)
            person.after(1.5, now, lambda _: seen.append(frozenset(board.seen())))
            return True
        return False

    person.instead = press_hint
    said: list[str] = []
    assert wire(options, board.bench, Terminal(said.append, None)) == OK
    assert seen[0] <= {"c3"}
    assert sum("Put the piece on c3" in each for each in said) == 2


def test_a_finger_that_presses_twice_answers_once(options: Namespace) -> None:
    class Eager(ByLamps):
        """Presses whatever it presses a second time at once."""

        def press(self, button: Button, now: float) -> None:
            super().press(button, now)
            self.after(0.2, now, lambda _: setattr(self.board.devices, "down", frozenset((button,))))
            self.after(0.3, now, lambda _: setattr(self.board.devices, "down", frozenset()))

    turned = rewired(small(), lamps=lambda cell: Cell(f"{'dcba'['abcd'.index(cell[0])]}{cell[1]}"))
    board = Soldered(small(), turned)
    person = Eager(board)
    assert wire(options, board.bench, Terminal(lambda _: None, None)) == OK
    assert is_right(options, board)
    assert person.pressed == [Button.GO, Button.NEXT, Button.GO, Button.GO]


def test_answers_may_be_typed_ahead_and_come_from_a_file(tmp_path: Path, options: Namespace) -> None:
    (tmp_path / "plan.toml").write_text(WITHOUT_BUTTONS)
    board = Soldered(small(WITHOUT_BUTTONS), small(WITHOUT_BUTTONS))
    out, into = os.pipe()
    os.write(into, b"go\ngo\n" + b"go\n" * 12 + b"go\n")
    os.close(into)
    said: list[str] = []
    assert wire(options, board.bench, Terminal(said.append, out)) == OK
    os.close(out)
    assert "\n".join(said).count("no switch closes;") == 12


def test_before_the_first_answer_there_is_nothing_to_go_back_to(
    options: Namespace, board: Soldered, reader: ByWords
) -> None:
    typed = ["back", "hint", "what", "b"]

    def type_it(_now: float) -> bool:
        if typed:
            reader.type(typed.pop(0))
        else:
            reader.hang_up()
        return True

    reader.instead = type_it
    reader.terminal.is_watched = True
    assert wire(options, board.bench, reader.terminal) == LEFT
    assert reader.told.count("This is the beginning.") == 2
    assert sum(said.startswith("Some lights") for said in reader.told) == 4
    assert sum(said.startswith("Answer by the board's buttons") for said in reader.told) == 2


class Misplacing(ByLamps):
    """Puts the piece on a wrong cell once."""

    def __init__(self, board: Soldered, astray: dict[Cell, Cell]) -> None:
        super().__init__(board)
        self.astray = astray

    def put(self, cell: Cell, now: float) -> None:
        wrong = self.astray.pop(cell, None)
        super().put(wrong or cell, now)
        if wrong:
            self._tried = None


def test_a_piece_on_a_cell_that_is_known_is_refused(options: Namespace, board: Soldered) -> None:
    Misplacing(board, {Cell("c3"): Cell("a3")})
    said: list[str] = []
    assert wire(options, board.bench, Terminal(said.append, None)) == OK
    assert is_right(options, board)
    assert any("which was learnt before. Is the piece on c3? GO: yes." in each for each in said)


def test_a_piece_on_a_cell_that_is_not_known_yet_comes_out_when_that_is_asked_for(
    options: Namespace, board: Soldered
) -> None:
    Misplacing(board, {Cell("a3"): Cell("c3")})
    assert wire(options, board.bench, Terminal(lambda _: None, None)) == OK
    assert is_right(options, board)


def test_what_the_piece_is_carried_over_does_not_count(options: Namespace, board: Soldered) -> None:
    class Sliding(ByLamps):
        """Draws the piece over another cell on its way."""

        def put(self, cell: Cell, now: float) -> None:
            super().put(cell, now)
            self.board.world.slide(HAND, [(Cell("d1"), 0.1)], now)

    Sliding(board)
    said: list[str] = []
    assert wire(options, board.bench, Terminal(said.append, None)) == OK
    assert is_right(options, board)
    assert not any("learnt before" in each for each in said)


def test_pieces_on_the_board_have_to_be_taken_off_first(options: Namespace, board: Soldered) -> None:
    person = ByLamps(board)
    person.put(Cell("b2"), 0.0)
    board.clock.time = 2.0
    person.act(0.25)
    person.act(0.35)
    assert board.closed()
    said: list[str] = []
    assert wire(options, board.bench, Terminal(said.append, None)) == OK
    assert is_right(options, board)
    assert any("Take everything off the board." in each for each in said)


def test_a_cable_that_comes_out_is_told_and_nothing_is_lost(
    options: Namespace, board: Soldered, reader: ByWords
) -> None:
    def pull(now: float) -> bool:
        if reader.placed != 2 or board.lost:
            return False
        reader.instead = lambda _: False
        board.lost = True
        reader.type("go")
        reader.after(3.0, now, lambda _: setattr(board, "lost", False))
        return True

    reader.instead = pull
    assert wire(options, board.bench, reader.terminal) == OK
    assert is_right(options, board)
    assert reader.told.count("The cable is out.") == 1
    assert "The switches cannot be read just now." in reader.told


# ------------------------------------------------------------------------------------------- leaving


def test_the_end_of_input_at_a_terminal_leaves_no_file_and_a_dark_board(
    options: Namespace, board: Soldered, reader: ByWords
) -> None:
    reader.terminal.is_watched = True
    reader.leave_after = 3
    assert wire(options, board.bench, reader.terminal) == LEFT
    assert files(options) == ["plan.toml"]
    assert board.is_dark
    assert reader.told[-1] == "Nothing was written."


def test_the_end_of_input_from_elsewhere_leaves_the_board_to_its_buttons(
    options: Namespace, board: Soldered, reader: ByWords
) -> None:
    reader.hang_up()
    ByLamps(board)
    assert wire(options, board.bench, reader.terminal) == OK
    assert is_right(options, board)


def test_the_end_of_input_ends_it_where_there_are_no_buttons(tmp_path: Path, options: Namespace) -> None:
    (tmp_path / "plan.toml").write_text(WITHOUT_BUTTONS)
    board = Soldered(small(WITHOUT_BUTTONS), small(WITHOUT_BUTTONS))
    said: list[str] = []
    assert wire(options, board.bench, Terminal(said.append, None)) == LEFT
    assert board.is_dark


def test_a_board_without_buttons_is_wired_by_typing(tmp_path: Path, options: Namespace) -> None:
    (tmp_path / "plan.toml").write_text(WITHOUT_BUTTONS)
    board = Soldered(small(WITHOUT_BUTTONS), small(WITHOUT_BUTTONS))
    person = ByWords(board)
    assert wire(options, board.bench, person.terminal) == OK
    person.close()
    assert is_right(options, board)


def test_ctrl_c_leaves_no_file_and_a_dark_board(options: Namespace, board: Soldered, reader: ByWords) -> None:
    reader.instead = lambda _: _interrupt(reader.placed == 3)
    assert wire(options, board.bench, reader.terminal) == LEFT
    assert files(options) == ["plan.toml"]
    assert board.is_dark
    assert reader.told[-1] == "Nothing was written."


def test_ctrl_c_after_the_file_was_written_takes_nothing_back(
    options: Namespace, board: Soldered, reader: ByWords
) -> None:
    reader.instead = lambda _: _interrupt(options.out.exists())
    assert wire(options, board.bench, reader.terminal) == OK
    assert is_right(options, board)
    assert board.is_dark


def _interrupt(when: bool) -> None:  # noqa: FBT001  # a test's own
    if when:
        raise KeyboardInterrupt


def test_quit_is_enough(options: Namespace, board: Soldered, reader: ByWords) -> None:
    reader.instead = lambda _: reader.type("quit")
    assert wire(options, board.bench, reader.terminal) == LEFT
    assert files(options) == ["plan.toml"]


# ------------------------------------------------------------------------------------------ the file


def test_a_file_that_is_there_is_never_written_over_without_being_told(options: Namespace, board: Soldered) -> None:
    options.out.write_text("mine")
    with pytest.raises(
        ConfigError, match=r"mine\.toml: is there already; name another file with --out, or say --replace"
    ):
        wire(options, board.bench, Terminal(lambda _: None, None))
    assert options.out.read_text() == "mine"


def test_a_file_that_is_there_is_replaced_if_that_is_said(options: Namespace, board: Soldered) -> None:
    options.out.write_text("mine")
    options.replace = True
    ByLamps(board)
    assert wire(options, board.bench, Terminal(lambda _: None, None)) == OK
    assert is_right(options, board)
    assert files(options) == ["mine.toml", "plan.toml"]


def test_a_file_that_came_meanwhile_stays_and_what_was_learnt_is_said(
    options: Namespace, board: Soldered, reader: ByWords
) -> None:
    reader.instead = lambda _: options.out.write_text("mine") if reader.placed == 12 and not options.out.exists() else 0
    assert wire(options, board.bench, reader.terminal) == FAILED
    assert options.out.read_text() == "mine"
    assert read(reader.told[-1], "told").layout == board.real.layout
    assert board.is_dark


def test_a_disk_that_fails_leaves_nothing_half_written(
    options: Namespace, board: Soldered, reader: ByWords, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    assert wire(options, board.bench, reader.terminal) == FAILED
    assert files(options) == ["plan.toml"]
    assert "No space left on device" in reader.told[-2]
    assert read(reader.told[-1], "told").layout == board.real.layout


@pytest.mark.parametrize(
    ("out", "sentence"),
    [
        ("mine.txt", r"mine\.txt: a board's file is called …\.toml"),
        ("nowhere/mine.toml", r"mine\.toml: there is no folder "),
    ],
)
def test_a_place_where_no_file_can_be_is_refused_before_anybody_sets_down_a_piece(
    options: Namespace, board: Soldered, out: str, sentence: str
) -> None:
    options.out = options.out.parent / out
    with pytest.raises(ConfigError, match=sentence):
        wire(options, board.bench, Terminal(lambda _: None, None))
    assert board.clock.time == 0


def test_a_folder_that_must_not_be_written_is_refused_as_well(
    options: Namespace, board: Soldered, monkeypatch: pytest.MonkeyPatch
) -> None:
    def may(_path: object, mode: int) -> bool:
        return mode != os.W_OK

    monkeypatch.setattr(os, "access", may)
    with pytest.raises(ConfigError, match="this user may not write into the folder"):
        wire(options, board.bench, Terminal(lambda _: None, None))


def test_the_file_is_called_after_the_board_unless_another_is_named(
    options: Namespace, board: Soldered, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(options.out.parent)
    options.out = None
    ByLamps(board)
    assert wire(options, board.bench, Terminal(lambda _: None, None)) == OK
    assert read(Path("my-small.toml").read_text(), "my-small.toml").name == "my-small"


def test_a_file_whose_name_no_board_can_have_keeps_the_name_of_the_plan(options: Namespace, board: Soldered) -> None:
    options.out = options.out.parent / "Meine Tafel.toml"
    ByLamps(board)
    assert wire(options, board.bench, Terminal(lambda _: None, None)) == OK
    text = options.out.read_text()
    assert read(text, "x").name == "small"
    assert "# The switches: the columns run the other way.\n" in text


def test_the_daemon_may_read_the_file(options: Namespace, board: Soldered) -> None:
    ByLamps(board)
    wire(options, board.bench, Terminal(lambda _: None, None))
    assert options.out.stat().st_mode & 0o777 == 0o644


# -------------------------------------------------------------------------------------- the terminal


def test_ctrl_d_at_a_real_terminal_ends_its_input() -> None:
    keyboard, file = pty.openpty()
    terminal = Terminal(lambda _: None, file)
    assert terminal.is_watched
    assert terminal.lines() == ()
    os.write(keyboard, b"Go \nback\n")
    assert terminal.lines() == ["go"]
    assert terminal.lines() == ["back"]
    os.write(keyboard, b"\x04")
    assert terminal.lines() == []
    assert terminal.files() == ()
    os.close(keyboard)
    os.close(file)


def test_lines_come_whole_however_they_are_typed() -> None:
    out, into = os.pipe()
    terminal = Terminal(lambda _: None, out)
    os.write(into, b"ne")
    assert terminal.lines() == []
    os.write(into, b"xt\n\n\xff\n")
    assert terminal.lines() == ["next", "", "\N{REPLACEMENT CHARACTER}"]
    os.close(into)
    os.close(out)


def test_a_program_without_any_input_has_a_terminal_that_only_speaks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    terminal = this_terminal()
    terminal.say("Hello.")
    assert capsys.readouterr().out == "Hello.\n"
    assert terminal.lines() == ()
    assert not terminal.is_watched


def test_a_file_that_is_another_board_is_not_kept(options: Namespace) -> None:
    check_written(Path(options.board), small())
    with pytest.raises(ConfigError, match="it is another board"):
        check_written(
            Path(options.board), rewired(small(), lambda cell: Cell({"a1": "b1", "b1": "a1"}.get(cell, cell)))
        )


def test_a_board_that_is_not_there_is_refused_by_its_name() -> None:
    with pytest.raises(ConfigError, match="there is no board 'ook-8x8'"):
        run(Namespace(board="ook-8x8", out=None, replace=False))


def test_the_command_line_begins_with_the_oak_board() -> None:
    parser = ArgumentParser()
    add_arguments(parser)
    options = parser.parse_args([])
    assert (options.board, options.out, options.replace) == ("oak-8x8", None, False)
