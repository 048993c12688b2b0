"""Faulty switches at a whole board: named within a few moves, played without, remembered; sound ones never named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from board_days import Day

from reedlight.adapters.sqlite import Games, StoreLost
from reedlight.app.health import RETRY, KnownSwitches
from reedlight.board.layout import Layout, direct
from reedlight.core.game import Roll, State
from reedlight.core.grid import Cell
from reedlight.games import make
from reedlight.scene.palette import ON_OFF
from reedlight.scene.render import UNLIMITED, Panel
from reedlight.scene.scene import Button
from reedlight.session.events import Chosen, Deaf, Heard, Hold
from reedlight.session.session import Mode, Session
from reedlight.session.settings import Commit, Settings
from reedlight.tabletop import Rig, Tabletop
from reedlight.tracking.health import POSITIONS, Finding, Health
from reedlight.tracking.health import Fault as Found
from reedlight_sim.hand import SLOPPY, TIDY
from reedlight_sim.perform import Manner, Script, perform, seeded
from reedlight_sim.person import RESCUES, Person
from reedlight_sim.soak import random_scripts
from reedlight_sim.table import Table
from reedlight_sim.world import Fault

C3, D4 = Cell("c3"), Cell("d4")
GAMES = (("draughts", "8"), ("diablo", "4"), ("herd", "3"))

# ----------------------------------------------------------------------------------------- whole games


@pytest.mark.parametrize("commit", list(Commit))
@pytest.mark.parametrize(("name", "size"), GAMES)
def test_no_sound_switch_is_ever_named_however_clumsy_the_hands(name: str, size: str, commit: Commit) -> None:
    named: list[str] = []

    def listen(table: Table) -> None:
        def watch(_: object) -> None:
            named.extend(table.tabletop.faulty.values())

        table.tabletop.witness = watch

    manner = Manner(SLOPPY, Settings(commit=commit), 0.1, 5, watch=listen)
    for number, script in enumerate(random_scripts(make(name, size), 3, 5)):
        assert perform(script, manner, number).difference is None
    assert named == []


class Patient:
    """Two people who play a script to its end at a board with a faulty switch, by whatever way is left.

    They do what the board says, press GO for what no switch has seen, choose on the page what it does not
    understand, hold GO where it will not come right, and play on without a switch that is named.
    """

    def __init__(self, script: Script, cell: Cell, fault: Fault) -> None:
        rng = seeded("patient", script.title, cell, fault)
        self.table = Table(script.game, Settings(), rng, state=script.state)
        self._cell, self._fault = cell, fault
        self._person = Person(self.table, script.game.grid, TIDY, rng)
        self._person.rescues = RESCUES
        self._is_broken = False
        self.named = ""
        self.wrong_before_named = 0
        """Positions in which the switch showed something else than what stood there, until it was named."""

    def play(self, script: Script) -> None:
        """Play it to its end."""
        self._person.begin(script.state)
        state = script.state
        for step in script.steps:
            self._break(state)
            successor = state.apply(step)
            if isinstance(step, Roll):
                self._person.roll(step)
            else:
                self._person.perform(state, step, successor)
                self._come_through()
            self._listen(successor)
            assert self.table.session.history == tuple(self._person.meant), self.table.scene.caption
            state = successor

    def _break(self, state: State[Any]) -> None:
        """Break the switch while nobody can see it: a stuck one under a piece, the others on an empty cell."""
        if not self._is_broken and (self._cell in state.pieces()) is (self._fault is Fault.STUCK):
            self.table.world.break_switch(self._cell, self._fault, self.table.now)
            self._is_broken = True

    def _come_through(self) -> None:
        table, person = self.table, self._person
        table.wait(2.0)
        self._play_without_what_is_named()
        person.conclude()
        if person.pending and table.session.deaf:
            table.press(Button.GO)
            person.conclude()
        for action in person.pending:
            table.handle(Chosen(action))
        table.wait(1.0)
        if table.session.mode is Mode.RESYNC:
            table.handle(Hold(Button.GO))
        assert table.session.mode is not Mode.RESYNC

    def _play_without_what_is_named(self) -> None:
        for cell, sentence in self.table.tabletop.faulty.items():
            assert cell == self._cell, sentence
            self.named = sentence
            self.table.handle(Deaf(frozenset((cell,))))

    def _listen(self, state: State[Any]) -> None:
        table = self.table
        self._play_without_what_is_named()
        if not self.named and (self._cell in table.closed) is not (self._cell in state.pieces()):
            self.wrong_before_named += 1


_SAYS = {Fault.STUCK: "stays closed", Fault.DEAD: "stays open", Fault.FLICKERING: "flickers"}
_CELLS = {"draughts": "d4", "diablo": "a1", "herd": "0,0"}


@pytest.mark.parametrize("fault", list(Fault))
@pytest.mark.parametrize(("name", "size"), GAMES)
def test_a_faulty_switch_is_named_within_a_few_moves_and_the_game_is_played_to_its_end_without_it(
    name: str, size: str, fault: Fault
) -> None:
    cell = Cell(_CELLS[name])
    named: list[str] = []
    for script in random_scripts(make(name, size), 2, 5):
        patient = Patient(script, cell, fault)
        patient.play(script)
        assert patient.table.session.state.outcome is not None
        assert patient.wrong_before_named <= 2 * POSITIONS
        assert patient.table.session.deaf <= {cell}
        named.append(patient.named)
    assert any(named)
    assert all(sentence.startswith(f"The switch of {cell} {_SAYS[fault]}") for sentence in named if sentence)


# ------------------------------------------------------------------------------------- at the tabletop


class Standing:
    """A game at a tabletop that is told by hand what its switches say."""

    def __init__(self, position: str | None = None) -> None:
        game = make("draughts")
        state = game.load(position) if position else game.start()
        rig = Rig(game.grid, direct(game.grid), Panel({}, 0, ON_OFF, UNLIMITED))
        self.tabletop = Tabletop(Session(game, beginning=state), rig, min, lambda _, __: None)
        self.tabletop.handle(Hold(Button.GO), 0.0)  # a board without pieces is played without its switches
        self.tabletop.handle(Heard(frozenset(game.grid.cells)), 0.0)

    def find(self, **found: Found) -> Standing:
        """Let faults be found on cells."""
        self.tabletop.health = Health({Cell(cell): Finding(fault, 16) for cell, fault in found.items()})
        return self


def test_what_is_wrong_with_a_switch_is_said_like_a_device_that_is_missing() -> None:
    standing = Standing().find(c3=Found.FLICKERS, a1=Found.STAYS_OPEN)
    assert standing.tabletop.troubles == (
        "The switch of a1 stays open: wrong for 16 moves.",
        "The switch of c3 flickers: 16 changes in 10 s.",
    )
    assert standing.tabletop.scene.caption.why == standing.tabletop.troubles[0]


def test_what_is_played_without_is_said_no_longer_and_still_known() -> None:
    tabletop = Standing().find(c3=Found.FLICKERS).tabletop
    tabletop.handle(Deaf(frozenset((C3,))), 1.0)
    assert tabletop.troubles == ()
    assert tabletop.faulty == {C3: "The switch of c3 flickers: 16 changes in 10 s."}


def test_go_held_plays_on_without_every_switch_that_is_named() -> None:
    tabletop = Standing("W:Wa1:Bh8").find(c3=Found.FLICKERS, h8=Found.STAYS_OPEN).tabletop
    tabletop.handle(Hold(Button.NEXT), 1.0)
    assert tabletop.session.dead == frozenset()
    tabletop.handle(Hold(Button.GO), 1.0)
    assert tabletop.session.dead == {C3, Cell("h8")}
    tabletop.handle(Hold(Button.GO), 2.0)
    assert tabletop.session.dead == {C3, Cell("h8")}


def test_a_switch_that_people_say_works_again_is_named_no_longer() -> None:
    tabletop = Standing().find(c3=Found.FLICKERS).tabletop
    tabletop.handle(Heard(frozenset((C3,))), 1.0)
    assert tabletop.troubles == ()
    assert tabletop.faulty == {}


def test_a_cell_that_go_left_out_for_this_game_is_left_out_for_good_once_its_switch_is_named() -> None:
    table = Table(make("draughts"), Settings(), seeded("left out"))
    table.world.break_switch(C3, Fault.DEAD, 0.0)
    table.world.set_up(table.session.state.pieces(), 0.0)
    table.wait(1.0)
    table.handle(Hold(Button.GO))
    assert (table.session.deaf, table.session.dead) == ({C3}, frozenset())
    hand = Person(table, table.session.game.grid, TIDY, seeded("hand"))
    state = table.session.state
    for text in ("e3-f4", "b6-a5", "f2-e3", "f6-g5")[:POSITIONS]:
        action = table.session.game.parse(state, text)
        hand.perform(state, action, state.apply(action))
        table.wait(2.0)
        state = state.apply(action)
    assert table.tabletop.faulty == {C3: f"The switch of c3 stays open: wrong for {POSITIONS} moves."}
    assert table.session.dead == {C3}


# ------------------------------------------------------------------------------------------ remembering


class Memory:
    """A store in a folder, and tabletops that are begun with what it knows."""

    def __init__(self, folder: Path) -> None:
        self.now = 5.0
        self.opened = 0
        self.full = False
        self._path = folder / "games.db"
        self.known = KnownSwitches(self.open, "oak-8x8", lambda: self.now)

    def open(self) -> Games:
        """Open the store."""
        self.opened += 1
        if self.full:
            raise StoreLost("Games cannot be kept: the disk is full.")
        return Games(self._path)

    def begin(self, layout: Layout | None = None) -> Tabletop:
        """A new tabletop, after a new start of the program."""
        self.known = KnownSwitches(self.open, "oak-8x8", lambda: self.now)
        tabletop = Standing().tabletop
        if layout:
            tabletop.rig = Rig(tabletop.rig.grid, layout, tabletop.rig.panel)
        self.known.begin(tabletop, 0.0)
        return tabletop

    @property
    def facts(self) -> dict[int, str]:
        """What the store knows."""
        games = Games(self._path)
        facts = dict(games.facts("oak-8x8"))
        games.close()
        return facts

    def note(self, switch: int, fact: str) -> None:
        """Have the store know something."""
        games = Games(self._path)
        games.note("oak-8x8", switch, fact, 1.0)
        games.close()


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path)


def test_what_is_found_and_decided_outlives_the_program(memory: Memory) -> None:
    tabletop = memory.begin()
    tabletop.health = Health({C3: Finding(Found.FLICKERS, 16), D4: Finding(Found.STAYS_OPEN, 4)})
    tabletop.handle(Deaf(frozenset((D4, Cell("e5")))), 1.0)
    memory.known.keep(tabletop, 1.0)
    assert memory.facts == {18: "flickers 16", 27: "deaf stays open 4", 36: "deaf"}
    again = memory.begin()
    assert again.health.findings == tabletop.health.findings
    assert again.session.dead == {D4, Cell("e5")}
    assert again.troubles == ("The switch of c3 flickers: 16 changes in 10 s.",)


def test_what_is_so_no_longer_is_forgotten(memory: Memory) -> None:
    tabletop = memory.begin()
    tabletop.handle(Deaf(frozenset((C3, D4))), 1.0)
    memory.known.keep(tabletop, 1.0)
    tabletop.handle(Heard(frozenset((C3,))), 2.0)
    memory.known.keep(tabletop, 2.0)
    assert memory.facts == {27: "deaf"}


def test_what_go_left_out_for_one_game_is_not_remembered(memory: Memory) -> None:
    tabletop = memory.begin()
    tabletop.handle(Hold(Button.GO), 1.0)
    memory.known.keep(tabletop, 1.0)
    assert memory.facts == {}


def test_the_store_is_opened_only_when_something_has_changed(memory: Memory) -> None:
    tabletop = memory.begin()
    for now in range(9):
        memory.known.keep(tabletop, float(now))
    assert memory.opened == 1
    tabletop.handle(Deaf(frozenset((C3,))), 9.0)
    for now in range(9, 18):
        memory.known.keep(tabletop, float(now))
    assert memory.opened == 2


def test_a_fact_belongs_to_the_switch_wherever_its_cell_lies_in_a_game(memory: Memory) -> None:
    memory.note(18, "deaf stays open 4")
    turned = {cell: 63 - switch for cell, switch in direct(make("draughts").grid).switches.items()}
    assert memory.begin(Layout(turned, turned)).session.dead == {Cell("f6")}


def test_what_is_known_of_switches_that_a_game_has_no_cell_for_stays_known(memory: Memory) -> None:
    memory.note(99, "deaf")
    tabletop = memory.begin()
    tabletop.handle(Deaf(frozenset((C3,))), 1.0)
    memory.known.keep(tabletop, 1.0)
    assert memory.facts == {18: "deaf", 99: "deaf"}


@pytest.mark.parametrize("fact", ["sulks 3", "deaf sulks 3", "flickers", "flickers often", "stays 4", "deafening"])
def test_a_fact_that_nobody_can_read_is_left_as_it_is(memory: Memory, fact: str) -> None:
    memory.note(18, fact)
    tabletop = memory.begin()
    assert tabletop.troubles == ()
    assert tabletop.session.dead == frozenset()
    memory.known.keep(tabletop, 1.0)
    assert memory.facts == {18: fact}


def test_a_store_that_takes_nothing_is_tried_again_later_and_complained_of_once(
    memory: Memory, caplog: pytest.LogCaptureFixture
) -> None:
    tabletop = memory.begin()
    tabletop.handle(Deaf(frozenset((C3,))), 1.0)
    memory.full = True
    for now in range(30):
        memory.known.keep(tabletop, float(now))
    assert memory.opened == 1 + 30 / RETRY
    assert caplog.text.count("the disk is full") == 1
    memory.full = False
    memory.known.keep(tabletop, 40.0)
    assert memory.facts == {18: "deaf"}


def test_a_store_that_cannot_be_read_holds_no_game_up(memory: Memory) -> None:
    memory.note(18, "deaf")
    memory.full = True
    assert memory.begin().session.dead == frozenset()


# --------------------------------------------------------------------------------------- a board's days


def days(folder: Path) -> Iterator[Day]:
    """One day after another at the same board."""
    while True:
        yield Day(folder)


def test_a_switch_that_flickers_is_named_on_the_page_and_played_without_from_then_on(tmp_path: Path) -> None:
    first, second, third = (day for day, _ in zip(days(tmp_path), range(3), strict=False))

    async def it_flickers(day: Day) -> None:
        await day.begin()
        await day.toggle(*["c3"] * 16, apart=0.2)
        assert day.view["link"] == "The switch of c3 flickers: 16 changes in 10 s."
        assert day.view["cells"] == [{"cell": "c3", "fact": day.view["link"], "deaf": False}]
        assert await day.ask("cells", cell="c3", deaf=True) is None
        assert day.view["link"] == ""
        assert [fact["deaf"] for fact in day.view["cells"]] == [True]
        await day.toggle("d4")
        await day.press(Button.GO)
        assert day.played == ["c3-d4"]

    async def it_is_remembered(day: Day) -> None:
        assert day.view["cells"] == [
            {"cell": "c3", "fact": "The switch of c3 flickers: 16 changes in 10 s.", "deaf": True}
        ]
        await day.begin(without="c3")
        assert day.session.mode is Mode.PLAY
        await day.toggle("f6", "g5")
        assert day.played == ["c3-d4", "f6-g5"]
        await day.ask("new", game="draughts")
        assert day.session.dead == {C3}
        assert await day.ask("cells", cell="c3", deaf=False) is None
        assert day.view["cells"] == []

    async def it_works_again(day: Day) -> None:
        assert day.view["cells"] == []
        await day.begin()
        assert day.session.mode is Mode.PLAY

    first.run(it_flickers)
    second.run(it_is_remembered)
    third.run(it_works_again)


def test_go_held_on_the_board_does_the_same_where_there_is_no_page(tmp_path: Path) -> None:
    async def it_flickers(day: Day) -> None:
        await day.begin()
        await day.toggle(*["c3"] * 16, apart=0.2)
        await day.press(Button.GO, seconds=2.5)
        assert day.session.dead == {C3}

    Day(tmp_path).run(it_flickers)


@pytest.mark.parametrize(
    "message",
    [
        {"cell": "z9", "deaf": True},
        {"cell": None, "deaf": True},
        {"cell": [], "deaf": 1},
        {"deaf": True},
        {"cell": "c3"},
    ],
)
def test_what_the_page_gets_wrong_about_cells_is_said_and_changes_nothing(
    tmp_path: Path, message: dict[str, Any]
) -> None:
    async def asks(day: Day) -> None:
        answer = await day.ask("cells", **message)
        assert answer is not None
        assert answer["type"] == "error"
        assert day.view["cells"] == []

    Day(tmp_path).run(asks)
