"""A guest at the page: sees what it shows, and does what mouse, finger and keys can do.

    look() ──► Seen (sentence, lights, pieces, hand, turns)        until(condition) ──► the Seen that meets it
    drag, click, press, tap, stroke, type ──► the page, as a browser's own input

Nothing is waited for by the clock: every wait is for something to be seen, and fails with what was seen
instead. The guest knows the page's words and nothing of its insides, the messages or the rules.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import CDPSession, ConsoleMessage, Page, WebSocketRoute

PATIENCE = 20.0
"""Seconds until something that should be seen counts as never coming. The slowest thing takes about one, and longer
where four browsers and what they look at share two cores."""
GLANCE_MS = 40
"""Between two looks while waiting: what is waited for lasts longer, and looking costs time that the page needs."""
DOUBLE_CLICK = 0.8
"""Seconds within which a second click on the same place may be half of a double click, which nobody here means: half a
second for the page, which may hear of the first one later than of the second."""

MOST_STEPS = 40
"""Presses of Tab or of arrows after which something that should be reached is called unreachable."""
NEARLY = 4.0
"""Pixels by which two cells of one row may differ."""

Point = tuple[float, float]

# What is read comes as text: Playwright takes longer to hand over many small values than the page to name them.
_LOOK = """() => {
  const text = (id) => document.getElementById(id)?.textContent.trim() ?? "";
  const cells = [...document.querySelectorAll("[data-cell]")].map((node) => {
    const box = node.getBoundingClientRect();
    return [node.dataset.cell, node.getAttribute("aria-label") ?? "", node.dataset.mark ?? "",
      box.left + box.width / 2, box.top + box.height / 2];
  });
  const lamps = [], buttons = [];
  for (const node of document.querySelectorAll("[data-button]")) {
    const box = node.getBoundingClientRect(), lamp = node.parentElement.querySelector(".lamp");
    lamps.push([node.dataset.button, lamp.dataset.level ?? ""]);
    buttons.push([node.dataset.button, box.left + box.width / 2, box.top + box.height / 2]);
  }
  return JSON.stringify({
    said: {
      title: text("title"), say: text("say"), why: text("why"), link: text("link"), where: text("where"),
      notice: document.getElementById("notice").hidden ? "" : text("notice"),
      detail: text("detail"), holding: document.querySelector("#hold .palm b")?.textContent ?? "",
      dice: document.querySelector("#window .unseen")?.textContent ?? "",
      focused: document.activeElement?.dataset?.cell ?? "",
    },
    lists: {
      tray: [...document.querySelectorAll("[data-tray]")].map((node) => node.getAttribute("aria-label")),
      turns: [...document.querySelectorAll("#turns [data-turn]")]
        .map((node) => [...node.querySelectorAll(".text span")].map((action) => action.textContent).join("; ")),
      answers: [...document.querySelectorAll("#lights [data-answer]")].map((node) => node.innerText),
    },
    cells, lamps, buttons,
  });
}"""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the page shows at one moment, in its own words; hyphens where it has minus signs."""

    title: str
    say: str
    why: str
    link: str
    where: str
    notice: str
    detail: str
    holding: str
    dice: str
    """The dice as they are read aloud; without dice, how many pieces each side has."""
    tray: tuple[str, ...]
    turns: tuple[str, ...]
    """The actions of each turn; a roll alone is an empty one."""
    answers: tuple[str, ...]
    focused: str
    """The cell that the keys act on; empty when the focus is elsewhere."""
    pieces: Mapping[str, str]
    """What stands on each occupied cell, such as ``black stack of 3``."""
    marks: Mapping[str, str]
    """Why each lit cell is lit."""
    lamps: Mapping[str, str]
    """Of each button: off, on or blink."""
    places: Mapping[str, Point] = field(repr=False)
    """The middle of every cell in the window."""
    buttons: Mapping[str, Point] = field(repr=False)
    """The middle of each of the four buttons."""

    def lit(self, *marks: str) -> list[str]:
        """The cells that are lit in one of these ways."""
        return sorted(cell for cell, mark in self.marks.items() if mark in marks)

    @property
    def actions(self) -> tuple[str, ...]:
        """Everything in the list of turns, without the rolls."""
        return tuple(action for turn in self.turns for action in turn.split("; ") if action)

    @property
    def empty_handed(self) -> bool:
        """Whether the hand holds nothing."""
        return self.holding == "The hand is empty"

    @property
    def over(self) -> bool:
        """Whether the result stands: it is announced, and GO blinks for a new game."""
        return ("wins: " in self.say or self.say.startswith("A draw: ")) and self.lamps["go"] == "blink"


def _seen(raw: Mapping[str, Any]) -> Seen:
    labels = {cell: label.split(", ") for cell, label, *_ in raw["cells"]}
    shown: dict[str, Any] = {name: _plain(text) for name, text in raw["said"].items()}
    shown |= {name: tuple(map(_plain, texts)) for name, texts in raw["lists"].items()}
    return Seen(
        **shown,
        pieces={cell: _plain(words[1]) for cell, words in labels.items() if words[1:2] != ["empty"]},
        marks={cell: mark for cell, _, mark, *_ in raw["cells"] if mark},
        lamps=dict(raw["lamps"]),
        places={cell: (x, y) for cell, *_, x, y in raw["cells"]},
        buttons={name: (x, y) for name, x, y in raw["buttons"]},
    )


def _plain(text: str) -> str:
    return text.replace("\u2212", "-").replace("\u00a0", " ")


@dataclass
class Guest:
    """Somebody who looks at one open page."""

    page: Page
    complaints: list[str] = field(default_factory=list[str])
    """Errors and warnings of the page so far; a policy that forbids something says so here."""
    _pressed: dict[str, float] = field(default_factory=dict[str, float])
    """When each cell was pressed last, or something set down there."""
    _last: Seen | None = None

    @property
    def _aim(self) -> Seen:
        """What a hand aims by: the last look."""
        return self._last or self.look()

    @classmethod
    def at(cls, page: Page, url: str) -> Guest:
        """Opens the page and waits until the board is drawn."""
        guest = cls(page)
        page.on("console", guest._hear)
        page.on("pageerror", lambda error: guest.complaints.append(str(error)))
        page.goto(url)
        guest.until(lambda seen: bool(seen.places) and seen.link == "Simulated board", "the board")
        return guest

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    # ------------------------------------------------------------------------------------ looking

    def look(self) -> Seen:
        """What the page shows now."""
        self._last = _seen(json.loads(self.page.evaluate(_LOOK)))
        return self._last

    def until(self, condition: Callable[[Seen], bool], awaited: str, *, patience: float = PATIENCE) -> Seen:
        """The first look that meets the condition."""
        end = time.monotonic() + patience
        while not condition(seen := self.look()):
            if time.monotonic() > end:
                raise AssertionError(f"still no {awaited} after {patience} s: {seen}")
            self.page.wait_for_timeout(GLANCE_MS)
        return seen

    def says(self, *beginnings: str) -> Seen:
        """Waits for a sentence that begins so, in the large line or the small one."""
        return self.until(
            lambda seen: seen.say.startswith(beginnings) or seen.why.startswith(beginnings), f"{beginnings}"
        )

    def sees_it_begun(self) -> Seen:
        """Waits until the game has begun. Who is to move then is said before that too."""
        return self.until(lambda seen: seen.where != "Not begun", "game that has begun")

    def counts(self, *actions: str) -> Seen:
        """Waits until the list of turns ends with these actions; what is only set down is not in it yet."""
        return self.until(lambda seen: seen.actions[-len(actions) :] == actions, f"{actions} in the list of turns")

    def lights(self, mark: str, *cells: str) -> Seen:
        """Waits until exactly these cells are lit so."""
        return self.until(lambda seen: seen.lit(mark) == sorted(cells), f"{mark} on {cells}")

    def stands(self, **pieces: str) -> Seen:
        """Waits until these pieces stand on these cells; ``""`` for an empty one."""
        return self.until(
            lambda seen: all(seen.pieces.get(at, "") == piece for at, piece in pieces.items()), f"{pieces}"
        )

    def holds(self, piece: str) -> Seen:
        """Waits until this piece is in the hand; ``""`` for none."""
        shown = f"In the hand: {piece}" if piece else "The hand is empty"
        return self.until(lambda seen: seen.holding == shown, shown)

    # ------------------------------------------------------------------------------------ the mouse

    def grasp(self, cell: str) -> None:
        """Presses the mouse on a cell and keeps it pressed."""
        self._approach(cell)
        self.page.mouse.down()

    def let_go(self, cell: str) -> None:
        """Moves the pressed mouse to a cell and lets go."""
        self.page.mouse.move(*self._aim.places[cell])
        self.page.mouse.up()
        self._pressed[cell] = time.monotonic()

    def drag(self, origin: str, target: str) -> None:
        """Drags from cell to cell."""
        self.grasp(origin)
        self.let_go(target)

    def drag_to_tray(self, cell: str) -> None:
        """Drags a piece off the board and drops it on the tray."""
        self.grasp(cell)
        self.page.mouse.move(*self._middle("#hold .tray"))
        self.page.mouse.up()

    def drag_from(self, selector: str, cell: str) -> None:
        """Drags what a selector names to a cell."""
        self.page.mouse.move(*self._middle(selector))
        self.page.mouse.down()
        self.let_go(cell)

    def click(self, cell: str) -> None:
        """Clicks a cell."""
        self._approach(cell)
        self.page.mouse.down()
        self.page.mouse.up()

    def _approach(self, cell: str) -> None:
        """Moves the mouse to a cell."""
        self.page.mouse.move(*self._unhurried(cell))

    def _unhurried(self, cell: str) -> Point:
        """Where a cell is, once a press there is not half of a double click."""
        soon = self._pressed.get(cell, -DOUBLE_CLICK) + DOUBLE_CLICK - time.monotonic()
        if soon > 0:
            self.page.wait_for_timeout(1000 * soon)
        self._pressed[cell] = time.monotonic()
        return self._aim.places[cell]

    def click_on(self, selector: str) -> None:
        """Clicks whatever a selector names, once it is there."""
        self.page.locator(selector).click()

    def press(self, button: str) -> None:
        """Clicks one of the four buttons."""
        self.page.mouse.click(*self._aim.buttons[button])

    def begin(self) -> Seen:
        """Presses GO and waits until the game has begun."""
        self.press("go")
        return self.sees_it_begun()

    def _middle(self, selector: str) -> Point:
        box = self.page.locator(selector).bounding_box()
        assert box, f"{selector} is not to be seen"
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def choose(self, *choices: str) -> None:
        """Opens the menu, makes choices in it, and closes it if it is still open."""
        self.click_on("#menu-open")
        for choice in choices:
            self.click_on(f'[data-choice="{choice}"]')
        if self.page.locator("dialog[open]").count():
            self.click_on('[data-choice="close"]')

    # ------------------------------------------------------------------------------------ fingers

    def tap(self, cell: str) -> None:
        """Taps a cell with a finger, scrolling to it first where it is out of sight."""
        self.page.locator(f'[data-cell="{cell}"]').scroll_into_view_if_needed()
        self.look()
        self.page.touchscreen.tap(*self._unhurried(cell))

    def tap_on(self, selector: str) -> None:
        """Taps the middle of what a selector names."""
        self.page.locator(selector).tap()

    def stroke(self, *points: Point) -> None:
        """Draws one finger from the first point through the others."""
        touch = self._touch()
        touch("touchStart", points[:1])
        for point in points[1:]:
            touch("touchMove", (point,))
        touch("touchEnd", ())

    def _touch(self) -> Callable[[str, Sequence[Point]], None]:
        session: CDPSession = self.page.context.new_cdp_session(self.page)

        def touch(kind: str, points: Sequence[Point]) -> None:
            fingers = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})  # pyright: ignore[reportUnknownMemberType]  # a bare Dict there

        return touch

    # ------------------------------------------------------------------------------------ keys

    def type(self, *keys: str) -> None:
        """Presses keys one after another, as ``Enter`` or ``Shift+N``."""
        for key in keys:
            self.page.keyboard.press(key)

    def walk(self, cell: str) -> None:
        """Goes to a cell with the Tab key and the arrows."""
        if not (seen := self.look()).focused:
            self._tab_to_board()
        for _ in range(MOST_STEPS):
            seen = self.look()
            if seen.focused == cell:
                return
            self.type(_arrow(seen.places[seen.focused], seen.places[cell]))
        raise AssertionError(f"no way to {cell} with the arrows: {self.look()}")

    def _tab_to_board(self) -> None:
        for _ in range(MOST_STEPS):
            if self.look().focused:
                return
            self.type("Tab")
        raise AssertionError("the Tab key does not come to the board")


def alter(route: WebSocketRoute, parts: Mapping[str, Any]) -> None:
    """Hands on what the board tells, with other parts of every view."""
    server = route.connect_to_server()

    def tell(message: str | bytes) -> None:
        told = json.loads(message)
        route.send(json.dumps(told | parts if told["type"] == "view" else told))

    server.on_message(tell)


def _arrow(here: Point, there: Point) -> str:
    """The key that leads to another row, or along this one; rows come first, since they may be shifted."""
    (x, y), (to_x, to_y) = here, there
    if abs(to_y - y) > NEARLY:
        return "ArrowDown" if to_y > y else "ArrowUp"
    return "ArrowRight" if to_x > x else "ArrowLeft"
