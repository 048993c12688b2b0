"""What people ask of a board on its page, of a tabletop without any ports: what happens, and what is answered."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from reedlight.app.requests import QUESTIONS, Choice, Requests
from reedlight.app.seating import LONGEST_NAME, UNNAMED
from reedlight.board.layout import direct
from reedlight.board.profile import ConfigError
from reedlight.core.game import Roll, Side
from reedlight.games import REGISTRY, make
from reedlight.ports import Input, LinkLost
from reedlight.record.journal import Entry, Past
from reedlight.scene.palette import ON_OFF
from reedlight.scene.render import UNLIMITED, Panel
from reedlight.scene.scene import Button
from reedlight.session.events import Press
from reedlight.session.session import Mode, Session
from reedlight.session.settings import Commit, Guidance, Settings
from reedlight.tabletop import Happening, Rig, Tabletop

DAY = date(2026, 11, 30)
WRONG = "lacks something or names what is not there."


class Asked:
    """Somebody who asks for things, at a board of at most so many cells."""

    def __init__(
        self, name: str, size: str | None = None, *, largest: int = 100, past: Past[Any] | None = None, lost: str = ""
    ) -> None:
        self.happened: list[Happening] = []
        self._largest = largest
        self._past = past
        self._lost = lost
        self.requests = Requests(Choice(make(name, size), Settings()), self._begin, lambda: DAY, lambda: {"Event": "x"})

    def _begin(self, choice: Choice) -> Tabletop:
        grid = choice.game.grid
        if len(grid.cells) > self._largest:
            raise ConfigError(f"the board has {self._largest} cells and {grid.name} needs {len(grid.cells)}")
        inputs = (self._lose,) if self._lost else ()
        rig = Rig(grid, direct(grid), Panel({}, 0, ON_OFF, UNLIMITED), inputs=inputs)
        session = Session(choice.game, choice.settings, self._past)
        return Tabletop(session, rig, _one_and_two, lambda happening, _: self.happened.append(happening))

    def _lose(self, _now: float) -> Input:
        raise LinkLost(self._lost)

    def do(self, what: str, **more: Any) -> Any:
        """Ask for something; a refusal as its text."""
        answer = self.requests.do({"do": what, **more}, 0.0)
        return answer["text"] if answer and answer["type"] == "error" else answer

    def begin(self, *buttons: str) -> Asked:
        """Begin without a board, and press buttons."""
        self.do("hold", button="go")
        for button in buttons:
            self.do("press", button=button)
        return self

    @property
    def view(self) -> dict[str, Any]:
        return self.requests.view()

    @property
    def played(self) -> list[str]:
        return [turn["text"] for turn in self.view["turns"]]


def _one_and_two(odds: Mapping[Roll, Fraction]) -> Roll:
    return min(odds, key=lambda roll: (roll.dice != (1, 2), roll))


# --------------------------------------------------------------------------------------------- the view


def test_the_page_is_told_the_whole_menu() -> None:
    menu = Asked("diablo").view["menu"]
    assert [game["name"] for game in menu["games"]] == list(REGISTRY)
    assert [game["usual"] for game in menu["games"]] == [entry.usual for entry in REGISTRY.values()]
    assert all(size["text"] for game in menu["games"] for size in game["sizes"])
    assert menu["guidances"] == [each.value for each in Guidance]
    assert menu["commits"] == [each.value for each in Commit]
    assert menu["names"] == {"light": UNNAMED, "dark": UNNAMED}


def test_what_is_wrong_with_the_board_has_a_line_of_its_own_and_hides_no_sentence() -> None:
    asked = Asked("draughts").begin()
    before = asked.view
    asked.requests.tabletop.notices = ("The disk is full.", "The moon is full.")
    assert before["say"] == "White to move."
    assert asked.view == before | {"link": "The disk is full. The moon is full."}


def test_a_board_that_is_not_heard_shows_it_by_its_corners_and_the_page_still_says_what_to_do() -> None:
    asked = Asked("draughts", lost="No Pico is plugged in.").begin()
    asked.requests.tabletop.advance(0.0)
    view = asked.view
    assert view["link"] == "No Pico is plugged in."
    assert view["say"] == "White to move."
    assert {cell for cell, light in view["lights"].items() if light["note"] == "no contact"} == {"a1", "a8", "h1", "h8"}


def test_who_looks_from_the_other_side_sees_the_board_turned() -> None:
    asked = Asked("draughts")
    before = places(asked.view)
    first, second = asked.requests.choice.game.sides
    assert asked.do("settings", near=second.value) is None
    assert places(asked.view) == {cell: (-x, -y) for cell, (x, y) in before.items()}
    asked.do("settings", near=first.value)
    assert places(asked.view) == before


def places(view: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    return {cell["name"]: (cell["x"], cell["y"]) for cell in view["grid"]["cells"]}


# ------------------------------------------------------------------------------------------------ deeds


def test_a_pressed_button_is_one_that_was_pressed() -> None:
    asked = Asked("draughts")
    asked.do("press", button="hint")
    assert asked.happened == [Press(Button.HINT)]


def test_a_game_can_be_played_by_buttons_without_a_board() -> None:
    """The dice still roll at the third GO, which ends that."""
    asked = Asked("diablo", "4").begin("go", "next", "go", "go", "go")
    assert asked.played[0].startswith("capture 1 a1-")


def test_an_answer_is_chosen_by_its_number_whichever_is_lit() -> None:
    for lit in range(3):
        asked = Asked("diablo", "4").begin("go", "next", *["next"] * lit)
        assert [option["label"] for option in asked.view["options"]][:2] == ["from a1", "from a3"]
        assert asked.do("choose", index=1) is None
        labels = [option["label"] for option in asked.view["options"]]
        assert len(labels) > 1
        assert all("a3" in label for label in labels)


@pytest.mark.parametrize("index", [8, -1, 99])
def test_an_answer_that_there_is_not_is_refused(index: int) -> None:
    asked = Asked("diablo", "4").begin("go", "next")
    assert asked.do("choose", index=index) == f"The question has no answer {index}."
    assert asked.requests.tabletop.session.mode is Mode.ASK


def test_without_a_question_there_is_no_answer() -> None:
    assert Asked("diablo", "4").begin().do("choose", index=0) == "The question has no answer 0."


def test_an_action_is_played_by_its_text() -> None:
    asked = Asked("draughts").begin()
    assert asked.do("play", text="c3-d4") is None
    assert asked.played == ["c3-d4"]


def test_what_cannot_be_played_is_refused_with_the_reason() -> None:
    assert Asked("diablo", "4").begin("go").do("play", text="up").startswith("'up' is no action")
    assert Asked("diablo", "4").begin().do("play", text="capture 1 a1-b1") == "There is nothing to play just now."


def test_before_the_game_nothing_is_played() -> None:
    assert Asked("draughts").do("play", text="c3-d4") == ("The game has not begun; set up the pieces and press GO.")


def test_while_a_game_is_offered_nothing_is_played() -> None:
    game = make("draughts")
    start = game.start()
    move = game.parse(start, "c3-d4")
    asked = Asked("draughts", past=Past((Entry(move, start),), start.apply(move)))
    assert asked.do("play", text="b6-a5") == (
        "The game that was interrupted waits; GO goes on with it, BACK begins anew."
    )
    asked.do("hold", button="go")
    assert asked.do("play", text="b6-a5") is None
    assert asked.played == ["c3-d4", "b6-a5"]


def test_a_player_speaks() -> None:
    asked = Asked("draughts").begin()
    assert asked.do("declare", side="light", speech="resign") is None
    assert asked.view["mode"] == "over"


def test_an_earlier_turn_is_looked_at_and_a_record_is_handed_over() -> None:
    asked = Asked("draughts").begin()
    asked.do("play", text="c3-d4")
    assert "d4" not in asked.do("past", turn=0)["pieces"]
    record = asked.do("record")
    assert "1. c3-d4" in record["text"]
    assert "2026.11.30" in record["text"]


def test_questions_change_nothing() -> None:
    asked = Asked("draughts").begin()
    asked.do("play", text="c3-d4")
    asked.happened.clear()
    for question in QUESTIONS:
        asked.do(question, turn=0)
    assert asked.happened == []


# -------------------------------------------------------------------------------------------- new games


def test_a_new_game_keeps_what_was_not_chosen() -> None:
    asked = Asked("draughts")
    asked.do("settings", commit="button", names={"light": "Ada"})
    assert asked.do("new", game="diablo", size="6", guidance={"dark": "errors"}, near="dark") is None
    choice = asked.requests.choice
    assert choice.game.grid.name == "square-6x6"
    assert choice.settings.commit is Commit.BUTTON
    assert choice.settings.guidance == {Side.LIGHT: Guidance.FULL, Side.DARK: Guidance.ERRORS}
    assert choice.names == {Side.LIGHT: "Ada", Side.DARK: UNNAMED}
    assert choice.near is Side.DARK
    assert asked.requests.tabletop.session.settings == choice.settings


def test_a_new_game_without_a_size_has_the_usual_one() -> None:
    asked = Asked("draughts")
    asked.do("new", game="diablo", size="")
    assert asked.requests.choice.game.size == REGISTRY["diablo"].usual


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ({"game": "herd", "size": "6"}, "The board has 64 cells and hexhex-6 needs 91."),
        ({"game": "diablo", "size": "9"}, "Diablo: size '9' does not exist; take an even number from 2 to 26."),
        ({"game": "chess"}, "There is no game 'chess'; there are diablo, draughts, herd."),
        ({}, f"The message to new {WRONG}"),
        ({"game": "herd", "commit": "never"}, f"The message to new {WRONG}"),
    ],
)
def test_a_new_game_that_cannot_be_leaves_the_old_one(message: dict[str, str], sentence: str) -> None:
    asked = Asked("draughts", largest=64).begin()
    asked.do("play", text="c3-d4")
    tabletop, choice = asked.requests.tabletop, asked.requests.choice
    assert asked.do("new", **message) == sentence
    assert asked.requests.tabletop is tabletop
    assert asked.requests.choice is choice
    assert asked.played == ["c3-d4"]


def test_settings_hold_from_now_on() -> None:
    asked = Asked("draughts").begin()
    assert asked.do("settings", guidance={"light": "errors"}, commit="opponent") is None
    settings = asked.requests.tabletop.session.settings
    assert settings.commit is Commit.OPPONENT
    assert settings.guidance[Side.LIGHT] is Guidance.ERRORS
    assert asked.view["menu"]["guidance"]["light"] == "errors"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Ada", "Ada"),
        ("  Ada \n of  London ", "Ada of London"),
        ("x" * 99, "x" * LONGEST_NAME),
        ("", UNNAMED),
        (" \t", UNNAMED),
        ("\ud83d", UNNAMED),
    ],
)
def test_a_name_is_short_on_one_line_and_never_nothing(given: str, shown: str) -> None:
    asked = Asked("draughts")
    asked.do("settings", names={"dark": given})
    assert asked.view["menu"]["names"]["dark"] == shown
    assert [side["who"] for side in asked.view["sides"] if side["side"] == "dark"] == [shown]


# ------------------------------------------------------------------------------------------- nonsense


@pytest.mark.parametrize(
    "message",
    [
        {"do": "press"},
        {"do": "press", "button": "stop"},
        {"do": "press", "button": []},
        {"do": "hold", "button": None},
        {"do": "choose"},
        {"do": "choose", "index": "1"},
        {"do": "choose", "index": True},
        {"do": "declare", "side": "chance", "speech": "resign"},
        {"do": "declare", "side": "light", "speech": "sing"},
        {"do": "past", "turn": 4},
        {"do": "past", "turn": 0.5},
        {"do": "settings", "guidance": "full"},
        {"do": "settings", "guidance": {"light": "some"}},
        {"do": "settings", "names": {"light": 7}},
        {"do": "settings", "near": "chance"},
    ],
)
def test_what_a_message_lacks_or_gets_wrong_is_said_and_nothing_has_happened(message: dict[str, Any]) -> None:
    asked = Asked("draughts").begin()
    before, choice = asked.view, asked.requests.choice
    said = asked.requests.do(message, 0.0)
    wrong = "The question has no answer" if message["do"] == "choose" and message.get("index") == 0 else WRONG
    assert said is not None
    assert wrong in said["text"]
    assert asked.view == before
    assert asked.requests.choice is choice


def test_what_nobody_knows_is_said_so() -> None:
    asked = Asked("draughts")
    assert not asked.requests.knows({"do": "dance"})
    assert asked.do("dance") == "There is nothing called 'dance' to do."
