"""The thinker: real engines in processes of their own play, advise, answer and review at a table on a loop."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from stories import Sitting, sit_down

from reedlight.app.thinking import Thinker
from reedlight.core.game import Declaration, Side, Speech
from reedlight.games import make
from reedlight.session.events import Advised, Copy, Effect, Event, Spoken
from reedlight.session.session import Mode
from reedlight.session.settings import PERSON, Seat, Settings

PATIENCE = 60.0
"""Seconds until an answer that should come counts as never coming."""
LIGHT, DARK = Side.LIGHT, Side.DARK
SAYS_NONSENSE = """
import sys
answers = {"hello": "= odd 1\\nprotocol 1", "play": "= a1-h8", "draw": "? what is that"}
for line in sys.stdin:
    print(answers.get(line.split()[0], "="), end="\\n\\n", flush=True)
"""


class Table:
    """A sitting with a thinker: whatever is asked is answered by engines, and handed back to the session."""

    def __init__(self, seats: Mapping[Side, Seat], engines: Mapping[str, Sequence[str]], position: str = "") -> None:
        game = make("draughts")
        state = game.load(position) if position else game.start()
        self.thinker = Thinker(self._answered, engines, seconds=2.0)
        self.news = asyncio.Event()
        self.came: list[Event | None] = []
        self.sitting = sit_down(game, state, Settings(seats=seats))
        self._seen = 0
        self.observe()

    def observe(self) -> None:
        """Let the thinker hear of what has happened since."""
        effects: list[Effect] = self.sitting.effects[self._seen :]
        self._seen = len(self.sitting.effects)
        for effect in effects:
            self.thinker.observe(effect, self.sitting.session)

    def _answered(self, event: Event | None) -> None:
        self.came.append(event)
        if event:
            self.sitting.handle(event)
            self.observe()
        self.news.set()

    async def until(self, seen: Callable[[], bool]) -> None:
        """Wait for something to be so."""
        async with asyncio.timeout(PATIENCE):
            while not seen():
                self.news.clear()
                await self.news.wait()

    def does(self, *acts: Callable[[Sitting], object]) -> None:
        for act in acts:
            act(self.sitting)
        self.observe()

    def mode_is(self, mode: Mode) -> Callable[[], bool]:
        return lambda: self.sitting.session.mode is mode


def tell(
    story: Callable[[Table], Awaitable[None]],
    seats: Mapping[Side, Seat],
    engines: Mapping[str, Sequence[str]] | None = None,
    position: str = "",
) -> None:
    """Run a story at a table of its own."""

    async def told() -> None:
        table = Table(seats, engines or {}, position)
        try:
            await story(table)
        finally:
            await table.thinker.close()

    asyncio.run(told())


def engine(folder: Path, text: str) -> Sequence[str]:
    program = folder / "engine.py"
    program.write_text(text)
    return (sys.executable, str(program))


def test_a_computer_moves_and_moves_again_after_the_person() -> None:
    async def story(table: Table) -> None:
        await table.until(table.mode_is(Mode.COPY))
        table.does(lambda sitting: sitting.press("go"))
        moved = table.sitting.played
        assert len(moved) == 1
        board = table.sitting.session.state.pieces()
        table.sitting.board = set(board)
        table.does(lambda sitting: sitting.handle(board_of(sitting)), lambda sitting: sitting.choose(any_move(sitting)))
        await table.until(table.mode_is(Mode.RESYNC))
        await table.until(lambda: sum(isinstance(event, Copy) for event in table.came) == 2)

    tell(story, {LIGHT: Seat(level=1), DARK: PERSON})


def board_of(sitting: Sitting) -> Event:
    from reedlight.session.events import Board  # noqa: PLC0415  # said where it is used

    return Board(frozenset(sitting.board))


def any_move(sitting: Sitting) -> str:
    session = sitting.session
    return session.game.notate(session.state, session.state.legal_actions()[0])


def test_a_hint_comes_with_its_reason() -> None:
    async def story(table: Table) -> None:
        table.does(lambda sitting: sitting.press("hint"))
        await table.until(lambda: any(isinstance(event, Advised) for event in table.came))
        assert table.sitting.say
        assert table.sitting.why == "Try c3:e5: the lights show how."
        assert sorted(table.sitting.lit_as("hint")) == ["c3", "e5"]

    tell(story, {LIGHT: PERSON, DARK: PERSON}, position="W:Wc3,a1:Bd4,h8")


def test_an_answer_that_comes_after_a_take_back_is_dropped() -> None:
    async def story(table: Table) -> None:
        table.does(lambda sitting: sitting.do("-c3 +d4").wait())
        assert table.sitting.session.mode is Mode.THINK
        table.does(lambda sitting: sitting.press("back"))
        assert table.sitting.played == []
        table.does(lambda sitting: sitting.do("-d4 +c3").do("-e3 +f4").wait())
        await table.until(table.mode_is(Mode.COPY))
        assert [type(event) for event in table.came] == [Copy]

    tell(story, {LIGHT: PERSON, DARK: Seat(level=1)})


def test_a_draw_is_declined_by_who_is_ahead_and_accepted_by_who_is_behind() -> None:
    for position, speech in (
        ("W:Wa1:BKb8,Kd8,Kf8", Speech.DECLINE_DRAW),
        ("W:WKa1,Kc1,Ke1,g1:Bb8", Speech.ACCEPT_DRAW),
    ):

        async def story(table: Table, speech: Speech = speech) -> None:
            table.does(lambda sitting: sitting.hold("next"))
            await table.until(lambda: bool(table.came))
            assert table.came == [Spoken(Declaration(DARK, speech))]

        tell(story, {LIGHT: PERSON, DARK: Seat(level=6)}, position=position)


def test_an_engine_that_plays_nonsense_is_named_and_another_player_goes_on(tmp_path: Path) -> None:
    async def story(table: Table) -> None:
        table.does(lambda sitting: sitting.do("-c3 +d4").wait())
        await table.until(lambda: bool(table.thinker.trouble))
        assert table.thinker.trouble.startswith("The engine odd says 'a1-h8', which is no legal action")
        assert table.thinker.trouble.endswith("GO asks again; the menu has other players.")
        assert (table.sitting.played, table.sitting.session.mode) == (["c3-d4"], Mode.THINK)
        session = table.sitting.session
        seats = {LIGHT: PERSON, DARK: Seat(level=1)}
        table.does(lambda sitting: sitting.effects.extend(session.adjust(replace(session.settings, seats=seats))))
        await table.until(table.mode_is(Mode.COPY))
        assert table.thinker.trouble == ""

    tell(story, {LIGHT: PERSON, DARK: Seat(engine="odd")}, {"odd": engine(tmp_path, SAYS_NONSENSE)})


def test_an_engine_that_knows_no_draws_has_them_answered_for_it(tmp_path: Path) -> None:
    async def story(table: Table) -> None:
        table.does(lambda sitting: sitting.hold("next"))
        await table.until(lambda: bool(table.came))
        assert [type(event) for event in table.came] == [Spoken]

    tell(story, {LIGHT: PERSON, DARK: Seat(engine="odd")}, {"odd": engine(tmp_path, SAYS_NONSENSE)})


def test_an_engine_that_nobody_has_named_is_said() -> None:
    async def story(table: Table) -> None:
        table.does(lambda sitting: sitting.do("-c3 +d4").wait())
        await table.until(lambda: bool(table.thinker.trouble))
        assert table.thinker.trouble.startswith("There is no engine x on this board.")

    tell(story, {LIGHT: PERSON, DARK: Seat(engine="x")})


def test_a_finished_game_is_reviewed_with_its_progress() -> None:
    async def story(table: Table) -> None:
        # White overlooks that the man on b4 is taken.
        for move in ("c3-b4", "b6-a5", "g3-h4", "a5:c3"):
            table.sitting.choose(move)
        table.does(lambda sitting: sitting.handle(Spoken(Declaration(LIGHT, Speech.RESIGN))))
        table.thinker.review(table.sitting.session)
        await table.until(lambda: bool(table.thinker.reviewed and table.thinker.reviewed.says))
        reviewed = table.thinker.reviewed
        assert reviewed
        assert reviewed.progress == ""
        assert all(mistake.at < 4 for mistake in reviewed.mistakes)
        assert len(reviewed.says) > len(reviewed.mistakes)

    tell(story, {LIGHT: PERSON, DARK: PERSON})


def test_what_is_played_ends_the_review() -> None:
    async def story(table: Table) -> None:
        table.sitting.choose("c3-d4")
        table.observe()
        table.thinker.review(table.sitting.session)
        await asyncio.sleep(0)
        table.does(lambda sitting: sitting.press("back"))
        assert table.thinker.reviewed is None

    tell(story, {LIGHT: PERSON, DARK: PERSON})
