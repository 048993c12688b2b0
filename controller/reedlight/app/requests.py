"""Requests: what people ask of a board on its page, and what the page is told.

    page ──{"do": "press", "button": "go"}──► Requests ──► tabletop
         ◄──────────── view ─────────────────┘

A message is a JSON object with ``do``; the table at the end says what there is to do. Whatever a message
lacks or gets wrong, the answer is one sentence and nothing has happened. A simulator adds what only it can
do (lift a piece) and what only it knows (what truly stands on the board); everything else is the same there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, ClassVar, cast

from reedlight.adapters.web.view import moment, past, record, size_text, view
from reedlight.app import seating
from reedlight.app.seating import LONGEST_NAME, UNNAMED, called
from reedlight.app.thinking import Thinker
from reedlight.board.profile import ConfigError
from reedlight.core.game import BadNotation, BadOption, Correction, Declaration, Game, IllegalAction, Side, Speech
from reedlight.core.grid import Cell
from reedlight.core.quoting import quoted
from reedlight.games import REGISTRY, make
from reedlight.players.player import LEVELS
from reedlight.scene.scene import Button
from reedlight.session.events import Chosen, Corrected, Deaf, Heard, Hold, Press, Recount, Spoken
from reedlight.session.session import Mode
from reedlight.session.settings import PERSON, Commit, DiceFrom, Guidance, Seat, Settings, seat
from reedlight.tabletop import Tabletop

Message = Mapping[str, Any]
Answer = dict[str, Any] | None


class Refusal(ValueError):
    """Something that cannot be done now; the message says why, for people."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What is to be played, how, and by whom."""

    game: Game[Any]
    settings: Settings
    names: Mapping[Side, str] = field(default_factory=lambda: dict.fromkeys((Side.LIGHT, Side.DARK), UNNAMED))
    """What persons call themselves."""
    engines: tuple[str, ...] = ()
    """Outside engines that may sit on a side, by their names."""
    near: Side | None = None
    """Whose edge of the board is drawn nearest; None for the side that begins."""


class Requests:
    """What is asked of one tabletop, which is begun anew for every game."""

    def __init__(
        self,
        choice: Choice,
        begin: Callable[[Choice], Tabletop],
        today: Callable[[], date],
        tags: Callable[[], Mapping[str, str]] = dict,
        thinker: Thinker | None = None,
    ) -> None:
        self.choice = choice
        self._thinker = thinker
        self.tabletop = begin(choice)
        self._begin = begin
        self._today = today
        self._tags = tags
        self._games = _games()

    def knows(self, message: Message) -> bool:
        """Whether there is such a thing to do."""
        return message["do"] in self._DO

    def do(self, message: Message, now: float) -> Answer:
        """Do what a message asks; the answer is what it asked for, or says why that cannot be done."""
        if not self.knows(message):
            return error(f"There is nothing called {message['do']!r} to do.")
        return answered(message, lambda: self._DO[message["do"]](self, message, now))

    def view(self) -> dict[str, Any]:
        """The session's view, what is wrong with the board in a line of its own, and the menu."""
        session, scene = self.tabletop.session, self.tabletop.scene
        told = view(session)
        return told | {
            "lights": {cell: {"mark": light.mark.value, "note": light.note} for cell, light in scene.lights.items()},
            "grid": _turned(told["grid"]) if self._far_side_is_near() else told["grid"],
            "sides": [side | self._who(Side(side["side"])) for side in told["sides"]],
            "link": " ".join(self.tabletop.troubles),
            "cells": self._cells(),
            "tags": dict(self._tags()),
            "review": self._reviewed(),
            "menu": {
                "games": self._games,
                "guidance": {side.value: each.value for side, each in session.settings.guidance.items()},
                "guidances": [each.value for each in Guidance],
                "commit": session.settings.commit.value,
                "commits": [each.value for each in Commit],
                "dice": session.settings.dice.value,
                "seats": {side.value: str(self._seat(side)) for side in self.choice.names},
                "players": self._players(),
                "names": {side.value: name for side, name in self.choice.names.items()},
                "near": (self.choice.near or next(iter(self.choice.game.sides))).value,
            },
        }

    def _reviewed(self) -> dict[str, Any] | None:
        """What a review has found; None without one."""
        reviewed = self._thinker.reviewed if self._thinker else None
        if reviewed is None or not self.tabletop.session.state.outcome:
            return None
        mistakes = [{"played": each.played, "better": each.better} for each in reviewed.mistakes]
        return {"progress": reviewed.progress, "says": list(reviewed.says), "mistakes": mistakes}

    def _seat(self, side: Side) -> Seat:
        return self.tabletop.session.settings.seats.get(side, PERSON)

    def _who(self, side: Side) -> dict[str, str]:
        """Who plays a side."""
        return {"who": called(self._seat(side), self.choice.names[side]), "seat": str(self._seat(side))}

    def _players(self) -> list[dict[str, str]]:
        """Who may sit on a side, as the menu offers them."""
        levels = [(Seat(level=level), f"Computer {level}: {name}") for level, name in enumerate(LEVELS, 1)]
        engines = [(Seat(engine=name), name) for name in self.choice.engines]
        return [{"seat": str(each), "text": text} for each, text in ((PERSON, "A person"), *levels, *engines)]

    def _cells(self) -> list[dict[str, Any]]:
        """The cells that something is to be said of: what is found wrong, and whether they are played without it."""
        faulty, deaf = self.tabletop.faulty, self.tabletop.session.deaf
        return [
            {"cell": cell, "fact": faulty.get(cell, ""), "deaf": cell in deaf} for cell in sorted(faulty.keys() | deaf)
        ]

    def _far_side_is_near(self) -> bool:
        return self.choice.near not in (None, next(iter(self.choice.game.sides)))

    # ------------------------------------------------------------------------------- what is asked

    def _press(self, message: Message, now: float) -> None:
        self.tabletop.press(Button(message["button"]), now)

    def _hold(self, message: Message, now: float) -> None:
        self.tabletop.handle(Hold(Button(message["button"])), now)

    def _choose(self, message: Message, now: float) -> None:
        """Answer the open question: go on to the answer, then confirm it."""
        wanted, options = whole(message["index"]), self.tabletop.session.scene.options
        if not 0 <= wanted < len(options):
            raise Refusal(f"the question has no answer {wanted}")
        lit = next(at for at, option in enumerate(options) if option.chosen)
        for _ in range((wanted - lit) % len(options)):
            self.tabletop.handle(Press(Button.NEXT), now)
        self.tabletop.handle(Press(Button.GO), now)  # as an answer: a pressed button would only end the dice's rolling

    def _declare(self, message: Message, now: float) -> None:
        self.tabletop.handle(Spoken(Declaration(player(message["side"]), Speech(message["speech"]))), now)

    def _play(self, message: Message, now: float) -> None:
        """Play an action that no hand performs; the board is led to it."""
        session = self.tabletop.session
        if session.mode is Mode.SETUP:
            raise Refusal("the game has not begun; set up the pieces and press GO")
        if session.mode is Mode.RESUME:
            raise Refusal("the game that was interrupted waits; GO goes on with it, BACK begins anew")
        if not session.state.legal_actions():
            raise Refusal("there is nothing to play just now")
        self.tabletop.handle(Chosen(self.choice.game.parse(session.state, str(message["text"]))), now)

    def _recount(self, _message: Message, now: float) -> None:
        self.tabletop.handle(Recount(), now)

    def _correct(self, message: Message, now: float) -> None:
        """Make one stack as high as the players say."""
        correction = Correction(((Cell(str(message["cell"])), whole(message["height"])),))
        before = len(self.tabletop.session.history)
        self.tabletop.handle(Corrected(correction), now)
        if len(self.tabletop.session.history) == before:
            raise Refusal(f"{message['cell']} cannot have {message['height']} pieces now")

    def _look_back(self, message: Message, _now: float) -> Answer:
        return past(self.tabletop.session, whole(message["turn"]))

    def _record(self, _message: Message, _now: float) -> Answer:
        told = seating.tags(self.choice.game, self.tabletop.session.settings.seats, self.choice.names)
        return record(self.tabletop.session, told, self._today(), self._tags())

    def _review(self, _message: Message, _now: float) -> None:
        """Look at the game once more, for what cost most."""
        session = self.tabletop.session
        if self._thinker is None or not session.state.outcome:
            raise Refusal("a game is reviewed once it is over")
        self._thinker.review(session)

    def _mistake(self, message: Message, _now: float) -> Answer:
        """What stood when a decision was made that the review names, with what was better in lights."""
        reviewed = self._thinker.reviewed if self._thinker else None
        mistakes = reviewed.mistakes if reviewed else ()
        at = whole(message["index"])
        if not 0 <= at < len(mistakes):
            raise Refusal(f"the review names no mistake {at}")
        return moment(self.tabletop.session, mistakes[at].at, mistakes[at].better)

    def _new(self, message: Message, _now: float) -> None:
        game = make(str(message["game"]), str(message["size"]) if message.get("size") else None)
        choice = replace(self._chosen(message), game=game)
        self.tabletop = self._begin(choice)
        self.choice = choice

    def _adjust(self, message: Message, now: float) -> None:
        before, self.choice = self.choice, self._chosen(message)
        if self._thinker and before.settings.seats != self.choice.settings.seats:
            self._thinker.forget()
        self.tabletop.adjust(self.choice.settings, now)

    def _believe(self, message: Message, now: float) -> None:
        """Play without the switch of a cell, or with it again."""
        cell = message["cell"]
        if cell not in self.choice.game.grid.places:
            raise Refusal(f"there is no cell {quoted(str(cell))} on this board")
        self.tabletop.handle((Deaf if message["deaf"] else Heard)(frozenset((Cell(cell),))), now)

    def _chosen(self, message: Message) -> Choice:
        """The choice as it is, with what the message changes."""
        now = self.choice
        guidance = {side: Guidance(each) for side, each in _by_player(message.get("guidance", {})).items()}
        names = {side: _name(each) for side, each in _by_player(message.get("names", {})).items()}
        seats = {side: self._offered(each) for side, each in _by_player(message.get("seats", {})).items()}
        settings = replace(
            now.settings,
            commit=Commit(message.get("commit", now.settings.commit.value)),
            guidance={**now.settings.guidance, **guidance},
            dice=DiceFrom(message.get("dice", now.settings.dice.value)),
            seats={**now.settings.seats, **seats},
        )
        near = player(message["near"]) if "near" in message else now.near
        return replace(now, settings=settings, names={**now.names, **names}, near=near)

    def _offered(self, text: object) -> Seat:
        """A seat that this board offers; raises BadOption for any other."""
        wanted = seat(str(text))
        if wanted.engine and wanted.engine not in self.choice.engines:
            raise Refusal(f"there is no engine {quoted(wanted.engine)} on this board")
        return wanted

    _DO: ClassVar[Mapping[str, Callable[..., Answer]]] = {
        "press": _press,
        "hold": _hold,
        "choose": _choose,
        "declare": _declare,
        "play": _play,
        "recount": _recount,
        "correct": _correct,
        "past": _look_back,
        "record": _record,
        "review": _review,
        "mistake": _mistake,
        "new": _new,
        "settings": _adjust,
        "cells": _believe,
    }


QUESTIONS = frozenset(("past", "record", "mistake"))
"""What changes nothing."""


def answered(message: Message, act: Callable[[], Answer]) -> Answer:
    """What the act answers, or in a sentence why it cannot be done."""
    try:
        return act()
    except (Refusal, ConfigError, BadOption, BadNotation, IllegalAction) as refused:
        return error(_sentence(str(refused)))
    except (KeyError, ValueError, TypeError):
        return error(f"The message to {message['do']} lacks something or names what is not there.")


def error(text: str) -> dict[str, Any]:
    """The answer that says what is wrong."""
    return {"type": "error", "text": text}


def whole(number: object) -> int:
    """A whole number; raises TypeError for anything else that JSON has."""
    if type(number) is not int:
        raise TypeError(number)
    return number


def player(name: object) -> Side:
    """The side of a player; raises ValueError for anything else, chance too."""
    side = Side(name)
    if side is Side.CHANCE:
        raise ValueError(name)
    return side


def _by_player(given: object) -> Mapping[Side, object]:
    """What is given for each player; raises TypeError or ValueError where it is not that."""
    if not isinstance(given, Mapping):
        raise TypeError(given)
    return {player(side): each for side, each in cast("Mapping[object, object]", given).items()}


def _name(text: object) -> str:
    """A player's name as it is shown and recorded: short, on one line, in whole characters."""
    if not isinstance(text, str):
        raise TypeError(text)
    whole_text = text.encode("utf-8", "ignore").decode()
    return " ".join(whole_text.split())[:LONGEST_NAME] or UNNAMED


def _turned(grid: dict[str, Any]) -> dict[str, Any]:
    """The grid seen from the opposite edge."""
    return grid | {"cells": [cell | {"x": -cell["x"], "y": -cell["y"]} for cell in grid["cells"]]}


def _games() -> list[dict[str, Any]]:
    """The games as the menu offers them."""
    return [
        {
            "name": name,
            "title": entry.title,
            "author": entry.author,
            "sizes": [{"size": size, "text": size_text(entry.make(size))} for size in entry.sizes],
            "usual": entry.usual,
        }
        for name, entry in REGISTRY.items()
    ]


def _sentence(text: str) -> str:
    """With a capital, unless it begins with a move such as ``c3-d4``, and with a full stop."""
    begins_with_a_move = any(letter.isdigit() for letter in text.partition(" ")[0])
    return f"{text[0] if begins_with_a_move else text[0].upper()}{text[1:].rstrip('.')}."
