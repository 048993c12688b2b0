"""The doctor's visit as a whole: sound boards, what is printed, what people may answer, and how it ends."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from doctor_bench import Act, Case, case, options, with_firmware

from reedlight.adapters.pi import Pi
from reedlight.app import doctor
from reedlight.app.checks.finding import Check, Finding, Outcome, Unasked, Well, Wrong
from reedlight.app.checks.visit import Left, Visit
from reedlight.app.doctor import AtTerminal, told
from reedlight.board.profile import ConfigError, Pico
from reedlight.board.toml import load_packaged, packaged
from reedlight.ports import LinkLost
from reedlight.scene.scene import Button
from reedlight_sim.pins import Joined, Reversed

# -------------------------------------------------------------------------------------- sound boards


@pytest.mark.parametrize("name", packaged())
def test_a_sound_board_passes_every_check_there_is_for_it(name: str) -> None:
    profile = load_packaged(name)
    if isinstance(profile.reader, Pico):
        with with_firmware(name) as patient:
            assert_sound(patient)
    else:
        assert_sound(case(name))


def assert_sound(patient: Case) -> None:
    assert patient.examined() == 0, "\n".join(patient.page)
    about = [check.name for check in doctor.CHECKS if check.about(patient.profile)]
    assert [line.split("  ")[1].strip() for line in patient.page if line.startswith("  ")] == ["well"] * len(about)
    assert patient.page[-1].strip() == f"Nothing was found wrong; {len(about)} checks are well."
    assert not patient.board.devices.lamps()
    assert not patient.board.shining_buttons()


def test_every_check_is_about_some_packaged_board() -> None:
    boards = [load_packaged(name) for name in packaged()]
    assert [check.name for check in doctor.CHECKS if not any(map(check.about, boards))] == []


def test_a_quick_visit_asks_nobody_anything_and_says_what_it_left_out() -> None:
    patient = case("budget-8x8")
    patient.quick = True
    assert patient.examined() == 0
    assert patient.somebody.asked == []
    assert "Nothing was found wrong; 9 checks are well." in patient.text
    assert "leave --quick out." in patient.page[-1]


# ------------------------------------------------------------------------------------------- the page


def test_a_board_with_three_faults_is_a_page_that_can_be_followed() -> None:
    patient = case("budget-8x8")
    patient.facts = replace(patient.facts, flags=1 << 16)
    patient.board.devices.pins.faults = (Joined(27, 22), Reversed(36))
    assert patient.examined("Buses", "Power", "Wires", "Switches at rest", "Cells", "Pieces") == 1
    assert "\n".join(patient.page) == THREE_FAULTS


THREE_FAULTS = """\
Budget board, 8x8, one colour (budget-8x8)

  well   Buses             /dev/spidev0.0
  WRONG  Power
         The Raspberry Pi's voltage was too low since its start, though it is
         not now.
           why  The supply is too weak, or its cable to the Raspberry Pi too
                thin or too long.
           do   Take a supply of 3 A at 5 V and a short cable; 4.9 to 5.2 V must
                arrive.
  WRONG  Wires
         Row 1 (GPIO27) and row 2 (GPIO22) touch each other.
           why  A drop of solder, a strand of wire or a pinched cable joins
                them.
           do   Take the power off and measure between them: two rows have over
                1 megohm, two columns about 94 kilohms.
  well   Switches at rest  nothing is closed, and nothing changes
  WRONG  Cells
         The diode of e5 is the wrong way round.
           why  Of its two ends the one with the stripe belongs to the reed, on
                the row's side.
           do   Turn it round.
  -      Pieces            wires and diodes have to be put right first

3 things are wrong; 2 checks are well, 1 could not be made."""


@pytest.mark.parametrize(
    "outcome",
    [
        Well("a word " * 40),
        Unasked("a word " * 40),
        Wrong((Finding("a word " * 40, "a word " * 40, "a word " * 40), Finding("one sentence"))),
    ],
)
def test_no_line_is_wider_than_a_terminal(outcome: Outcome) -> None:
    lines = list(told("Switches at rest", outcome))
    assert max(map(len, lines)) <= 80
    assert len(lines) > 3


def test_a_finding_that_says_it_all_has_one_line() -> None:
    assert list(told("Pins", Wrong((Finding("There are none."),)))) == ["  WRONG  Pins", "         There are none."]


# ------------------------------------------------------------------------------------ what people say


def answering(patient: Case, *lines: str) -> Case:
    """The patient, with somebody there who types these lines, whatever is asked, and then leaves."""
    left = list(lines)

    def answer() -> Act:
        yield 0.1
        patient.somebody.type(left.pop(0) if left else "quit")

    patient.somebody.overrides[""] = answer
    return patient


def test_skip_leaves_one_check_out() -> None:
    patient = answering(case("budget-8x8"), "skip", " SKIP ")
    assert patient.examined("Lamps", "Dice") == 0
    assert [line.split(maxsplit=1)[0] for line in patient.page[1:3]] == ["-", "-"]
    assert patient.text.count("skipped") == 2
    assert "2 could not be made" in patient.text


def test_quit_ends_the_visit_and_what_was_found_is_summed_up() -> None:
    patient = answering(case("budget-8x8"), "quit")
    assert patient.examined("Board free", "Lamps", "Dice") == 2
    assert "Nothing was found wrong; 1 check is well, 2 could not be made." in patient.text
    assert not patient.board.devices.lamps()


def test_quit_after_something_was_found_wrong_says_that_it_was() -> None:
    patient = answering(case("budget-8x8"), "all", "quit")
    assert patient.examined("Lamps", "Dice") == 1


def test_an_interrupted_visit_leaves_the_board_dark_and_is_summed_up() -> None:
    patient = case("budget-8x8")

    def interrupt() -> Act:
        yield 0.1
        assert patient.board.devices.lamps()
        raise KeyboardInterrupt

    patient.somebody.overrides["Every lamp"] = interrupt
    with pytest.raises(KeyboardInterrupt):
        patient.examined("Board free", "Lamps", "Dice")
    assert "1 check is well, 2 could not be made." in patient.text
    assert not patient.board.devices.lamps()


def test_a_check_that_finds_the_board_gone_says_what_was_lost() -> None:
    def gone(visit: Visit) -> Outcome:
        visit.line_test()
        raise AssertionError

    patient = case("budget-8x8")
    visit = patient.visit()
    made = doctor.made(Check("Wires", gone), visit)
    assert made == Wrong(
        (
            Finding(
                "The switches cannot be read.",
                "The board was there, and was lost while it was looked at.",
                "Look at its plugs and its supply, then call the doctor again.",
            ),
        )
    )


@pytest.mark.parametrize("ask", [Visit.line_test, Visit.scan_test])
def test_a_reader_that_cannot_be_asked_is_lost(ask: Callable[[Visit], object]) -> None:
    with pytest.raises(LinkLost, match=r"The switches cannot be read\."):
        ask(case("budget-8x8-expander").visit())


def test_nobody_is_hurried_and_what_else_happens_on_the_board_is_no_answer() -> None:
    patient = case("budget-8x8")

    def dawdle() -> Act:
        yield 5.0
        patient.board.hold(Button.NEXT)
        yield 0.2
        patient.board.hold()
        yield 1.0
        patient.somebody.type("all")

    patient.somebody.overrides["Every lamp"] = dawdle
    assert patient.examined("Lamps") == 1


def test_a_button_that_is_pressed_while_the_switches_are_watched_is_not_their_business() -> None:
    patient = case("budget-8x8")
    patient.quick = True
    patient.somebody.say("Press GO on the board.")
    assert patient.examined("Switches at rest") == 0


def test_a_piece_that_is_waited_for_on_a_board_that_goes_is_not_waited_for_any_longer() -> None:
    patient = case("budget-8x8-expander")

    def pull_out() -> Act:
        yield 0.1
        patient.board.devices.i2c.gone.update(patient.board.devices.i2c.chips)

    patient.somebody.overrides["put one piece"] = pull_out
    assert patient.examined("Order of cells") == 1
    assert "The chip at 0x20 on I2C bus 1 does not answer" in patient.wrong["Order of cells"]


# ---------------------------------------------------------------------------------------- the terminal


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """A terminal's two ends: what the program reads, and what a person types into."""
    here, there = os.pipe()
    yield here, there
    for file in (here, there):
        try:
            os.close(file)
        except OSError:
            continue


def test_lines_are_heard_one_by_one_as_soon_as_they_are_whole(pipe: tuple[int, int]) -> None:
    here, there = pipe
    terminal = AtTerminal(here, print)
    assert terminal.fileno() == here
    assert terminal.heard() is None
    os.write(there, b"c3 ")
    assert terminal.heard() is None
    os.write(there, b"f5\n\nnone\n")
    assert [terminal.heard(), terminal.heard(), terminal.heard()] == ["c3 f5", "", "none"]
    assert terminal.heard() is None


def test_the_end_of_the_input_is_the_end_of_the_visit_after_the_last_line(pipe: tuple[int, int]) -> None:
    here, there = pipe
    os.write(there, b"c3\nhalf")
    os.close(there)
    terminal = AtTerminal(here, print)
    assert terminal.heard() == "c3"
    with pytest.raises(Left):
        terminal.heard()


def test_questions_are_marked_and_as_wide_as_a_terminal(pipe: tuple[int, int]) -> None:
    said: list[str] = []
    AtTerminal(pipe[0], said.append).say("a word " * 30)
    assert all(len(line) <= 80 for line in said[0].splitlines())
    assert said[0].startswith("  >  a word")
    assert said[0].splitlines()[1].startswith("     word a")


# ----------------------------------------------------------------------------------------- the command


def parsed(*words: str) -> object:
    parser = ArgumentParser()
    doctor.add_arguments(parser)
    return vars(parser.parse_args(words))


def test_the_command_takes_a_board_and_may_be_quick() -> None:
    assert parsed() == {"board": None, "quick": False}
    assert parsed("--board", "oak-8x8", "--quick") == {"board": "oak-8x8", "quick": True}


def on_this(monkeypatch: pytest.MonkeyPatch, patient: Case) -> None:
    """Let the command find this board on this machine."""
    monkeypatch.setattr(doctor, "THIS_MACHINE", patient.machine)
    monkeypatch.setattr(doctor, "facts", lambda: patient.facts)


def test_the_command_prints_the_page_and_ends_with_its_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    patient = case("budget-8x8")
    patient.facts = Pi(model="Some Laptop 3000")
    on_this(monkeypatch, patient)
    assert doctor.run(options(board="budget-8x8")) == 1
    page = capsys.readouterr().out
    assert page.startswith("Budget board, 8x8, one colour (budget-8x8)\n\n  well   Board free")
    assert "This computer is no Raspberry Pi: it calls itself Some Laptop 3000." in page


def test_the_command_asks_who_is_at_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], pipe: tuple[int, int]
) -> None:
    here, there = pipe
    os.write(there, b"quit\n")
    patient = case("budget-8x8")
    patient.facts = Pi(model="Some Laptop 3000")
    on_this(monkeypatch, patient)
    with os.fdopen(os.dup(here)) as typed:
        monkeypatch.setattr(sys, "stdin", typed)
        assert doctor.run(options(board="budget-8x8", quick=False)) == 1
    assert "  >  Type skip at a question to leave a check out, quit to end." in capsys.readouterr().out


def test_without_a_board_it_is_the_one_of_the_configuration(tmp_path: Path) -> None:
    where = tmp_path / "reedlight.toml"
    where.write_text('[board]\nprofile = "budget-8x8"\n')
    assert doctor.board_of(None, where).name == "budget-8x8"
    assert doctor.board_of("oak-8x8", where).name == "oak-8x8"


def test_without_a_board_and_a_configuration_it_asks_for_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="name it: reedlight doctor --board oak-8x8"):
        doctor.board_of(None, tmp_path / "none.toml")


def test_a_board_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no board 'oka'"):
        doctor.board_of("oka", tmp_path / "none.toml")
