"""The session: one sitting at the board, from set-up to the result.

Events come in (the board changed, a button was pressed, the dice fell), effects go out, and ``scene``
is what the people see. Nothing here knows a clock: every event carries its time, and ``deadline`` says
when ``tick`` wants to be called. Bad play is no error; it is a scene that says what to put right.

    SETUP ──GO──► ROLL ──GO, dice──► PLAY ◄──► ASK       RESUME  a game begun before is offered
                    ▲                 │                  RESYNC  the board is led to where it should be
                    ├─────────────────┘                  THINK   a side that no person plays chooses
                    └──── COPY ◄──── THINK               COPY    the hand performs what it chose
                                                         OVER    the result stands

What the switches mean is the tracker's to say; the session decides when it counts (``Commit``) and asks
where the tracker cannot tell. Set-up, take-back and an action chosen on a screen are one mechanism:
the board is *led* from the occupancy it has to the one it should have.

Who chooses for a side that no person plays is not known here: the session asks once for each state, and goes on
with whatever legal action comes, whenever it comes. Meanwhile a hand may perform nothing.

Cells whose switches are not believed are *deaf*: on them stands what should stand there. Holding GO makes
cells deaf until the next game, ``Deaf`` until they are ``Heard`` again. An action through a deaf cell is
half seen, and so it is asked about, or confirmed by GO.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from reedlight.core.game import Correction, Declaration, Game, IllegalAction, Roll, Side, Speech, State
from reedlight.core.grid import Cell, Cells
from reedlight.core.trace import cells
from reedlight.record.journal import Entry, Past
from reedlight.scene import words
from reedlight.scene.scene import Button, Scene
from reedlight.session.events import (
    Accepted,
    Advised,
    Anew,
    Asked,
    Began,
    Board,
    Chosen,
    Copy,
    Corrected,
    Deaf,
    Effect,
    Ended,
    Event,
    Heard,
    Hold,
    Mode,
    NeedChoice,
    NeedHint,
    NeedRoll,
    Press,
    Recount,
    Refused,
    Resumed,
    Rolled,
    Seated,
    Spoken,
    TakenBack,
)
from reedlight.session.leading import Lead
from reedlight.session.question import About, Answer, Question, how_high, what_to_play, what_was_rolled, which_was_it
from reedlight.session.reasons import objection
from reedlight.session.sequences import changed, differing, names, onto_own
from reedlight.session.settings import PERSON, Commit, DiceFrom, Guidance, Seat, Settings, next_player
from reedlight.session.show import Moment, show
from reedlight.tracking.tracker import NUDGE, SecondThought, Tracker

__all__ = ["Entry", "Mode", "Session"]

Actions = tuple[Any, ...]

MOST_MORE = 4
"""By how many a stack may be higher than the game believes; a walk that ends soon is worth more than any height."""
MOST_DIFFERING = 12
"""Cells on which a board may differ from the game as if somebody had played on; a king's longest capture has 12."""
_ROUNDING = 1e-9
"""Seconds. A tick that comes exactly at the deadline must count as late enough."""


class Session:
    """One game at one board, for two sides, from the game's start, a state, or the past that it is handed."""

    def __init__(
        self,
        game: Game[Any],
        settings: Settings | None = None,
        beginning: State[Any] | Past[Any] | None = None,
        *,
        now: float = 0.0,
    ) -> None:
        self.game = game
        self.settings = settings or Settings()
        self._dead: Cells = Cells()
        self._reported: Cells = Cells()
        self._occupied: Cells = Cells()
        self._now = now
        self._begin(beginning or game.start())

    def _begin(self, beginning: State[Any] | Past[Any]) -> None:
        """A sitting from this state, still to be set up, or from this past, to be gone on with or not."""
        past = beginning if isinstance(beginning, Past) else Past((), beginning)
        self._state = past.state
        self._entries: list[Entry[Any]] = list(past.entries)
        self._dice_to_come: list[Roll] = list(past.dice_to_come)
        self._begun = False
        self._resuming = past is beginning
        self._deaf = Cells()
        self._hear()
        self._rolling = False
        self._lead: Lead | None = None
        self._last: Cells = frozenset()
        self._refusal = ""
        self._hinted: Side | None = None
        self._copying: Any = None
        self._asked_in: State[Any] | None = None
        self._hint_asked_in: State[Any] | None = None
        self._advice: tuple[Any, str] | None = None
        self._to_count: tuple[Cell, ...] = ()
        self._counted: tuple[tuple[Cell, int], ...] = ()
        self._scene: Scene | None = None
        self._track()

    def _hear(self) -> None:
        """Take what is reported for what stands, but on deaf cells what should stand there."""
        self._occupied = (self._reported - self.deaf) | (self._state.occupancy() & self.deaf)

    def _track(self) -> None:
        """Read the board afresh from the state on."""
        occupied = self._occupied if self._begun else self._state.occupancy()
        self._tracker: Tracker[Any] = Tracker(self._state, occupied, self._now, self._only)
        self._ticked = self._now
        self._asked_at: float | None = None
        self._look()

    def _look(self) -> None:
        """Start afresh on the state reached: nothing asked, refused, astray or said."""
        self._question: Question | None = None
        self._refused: tuple[Cell, str] | None = None
        self._astray = False
        self._waited = False
        self._note = ""
        self._reading = self._tracker.shown

    # ------------------------------------------------------------------------------ what is asked

    @property
    def state(self) -> State[Any]:
        """The state of the game: everything accepted is in it, nothing else."""
        return self._state

    @property
    def history(self) -> Actions:
        """Everything accepted: actions, rolls and declarations, oldest first."""
        return tuple(entry.action for entry in self._entries)

    @property
    def entries(self) -> tuple[Entry[Any], ...]:
        """The history with the state before each of its parts."""
        return tuple(self._entries)

    @property
    def copying(self) -> Any:
        """The action that the hand is to perform for a side that no person plays; None where there is none."""
        return self._copying

    @property
    def deaf(self) -> Cells:
        """The cells whose switches are not believed."""
        return self._deaf | self._dead

    @property
    def dead(self) -> Cells:
        """Those of them that stay so in the next game."""
        return self._dead

    @property
    def asking(self) -> tuple[Actions, ...]:
        """What each answer to the open question means, in the order of ``scene.options``; empty without one."""
        return tuple(answer.actions for answer in self._question.answers) if self._question else ()

    @property
    def mode(self) -> Mode:
        """What the sitting is waiting for now."""
        facts = (
            (not self._begun, Mode.RESUME if self._resuming else Mode.SETUP),
            (self._lead is not None, Mode.RESYNC),
            (self._state.outcome is not None, Mode.OVER),
            (self._question is not None, Mode.ASK),
            (self._copying is not None, Mode.COPY),
            (self._thinks, Mode.THINK),
            (self._state.to_act is Side.CHANCE, Mode.ROLL),
        )
        return next((mode for holds, mode in facts if holds), Mode.PLAY)

    @property
    def waits_for(self) -> Side | None:
        """The side, played by no person, that has to choose now: to answer an offer, or to act."""
        computers = self.settings.computers
        if not computers or not self._begun:
            return None
        asked = (each.side for each in self._state.declarations() if each.speech is Speech.ACCEPT_DRAW)
        answering = next((side for side in asked if side in computers), None)
        return answering or (self._state.to_act if self._thinks else None)

    @property
    def _thinks(self) -> bool:
        """Whether a side that no person plays is to act, and has not chosen."""
        return self._begun and self._copying is None and self._state.to_act in self.settings.computers

    @property
    def _only(self) -> Sequence[Any] | None:
        """The actions that a hand may perform; None for all legal ones."""
        if self._copying is not None:
            return (self._copying,)
        return () if self._thinks else None

    @property
    def _commit(self) -> Commit:
        """When an action counts; a computer lifts nothing that could make the one before it count."""
        commit = self.settings.commit
        return Commit.SETTLE if commit is Commit.OPPONENT and self.settings.computers else commit

    @property
    def deadline(self) -> float | None:
        """When ``tick`` should be called next, in the seconds of ``now``; None while only events matter."""
        if not self._tracking:
            return None
        timing = self.settings.timing
        moments = (self._tracker.last_edge + wait for wait in (timing.follow, timing.settle, timing.grace))
        return next((moment for moment in moments if moment > self._ticked), None)

    @property
    def scene(self) -> Scene:
        """What the people at the board are shown now."""
        if self._scene is None:
            self._scene = show(self._moment())
        return self._scene

    def _moment(self) -> Moment:
        tracking = self._tracking
        mover = self._state.to_act
        guidance = Guidance.FULL
        if mover and self._copying is None:
            guidance = self.settings.guidance.get(mover, Guidance.FULL)
        return Moment(
            game=self.game,
            state=self._state,
            mode=self.mode,
            occupied=self._occupied,
            guidance=Guidance.FULL if mover is not None and mover is self._hinted else guidance,
            commit=self._commit,
            reading=self._reading,
            acceptable=self._acceptable() if tracking else (),
            confirmable=self._confirmable() if tracking else (),
            astray=self._tracker.astray() if self._astray else None,
            refusal=self._refusal,
            refused=self._refused,
            question=self._question,
            lead=self._lead,
            copying=self._copying,
            advice=self._advice,
            last=self._last,
            note=self._note,
            waited=self._waited,
            can_take_back=self._can_take_back,
            meanwhile=self._meanwhile() if self._resuming else (),
            seats=self.settings.seats,
        )

    # ------------------------------------------------------------------------------ what happens

    def handle(self, event: Event, now: float) -> tuple[Effect, ...]:
        """Take in one event; the effects say what the world must do or may want to know."""
        self._now = now
        self._scene = None
        return (*self._ON_EVENT[type(event)](self, event), *self._needs())

    def tick(self, now: float) -> tuple[Effect, ...]:
        """Let time pass: accept, ask or go astray, if the board has been still for long enough."""
        self._now = self._ticked = now
        if not self._tracking:
            return ()
        self._scene = None
        return (*self._wait(), *self._needs())

    def adjust(self, settings: Settings) -> tuple[Effect, ...]:
        """Go on with other settings; whoever sits where somebody else sat is asked anew."""
        before, self.settings = self.settings, settings
        self._scene = None
        if settings.seats != before.seats:
            self._asked_in = None
            self._copying = None
            if self._tracking:
                self._track()
        return tuple(self._needs())

    def _needs(self) -> list[Effect]:
        """Ask whoever is no person, once for each state."""
        side = self.waits_for
        if side is None or self._asked_in is self._state:
            return []
        self._asked_in = self._state
        return [NeedChoice(side)]

    @property
    def _tracking(self) -> bool:
        return self._begun and self._lead is None and self._state.outcome is None

    # ------------------------------------------------------------------------------- the switches

    def _on_board(self, event: Board) -> list[Effect]:
        before = self._occupied
        self._reported = event.occupied
        self._hear()
        toggled = before ^ self._occupied
        if self._lead is not None:
            self._lead = replace(self._lead, touched=self._lead.touched | toggled)
            self._finish_leading()
            return []
        if not self._tracking:
            return []
        still = self._now - self._tracker.last_edge
        self._tracker.feed(self._occupied, self._now)
        self._ticked = self._tracker.last_edge
        self._refused = None
        self._waited = False
        self._note = ""
        if self._tracker.readings:
            self._astray = False
            self._reading = self._tracker.shown
        return self._tapped(toggled) if still >= NUDGE else []

    def _tapped(self, toggled: Cells) -> list[Effect]:
        """A cell lifted and put back answers the open question."""
        if self._question is None or self._occupied != self._question.board:
            return []
        question = self._question
        answer = question.tapped(toggled)
        return self._take(question, answer) if answer else []

    def _wait(self) -> list[Effect]:
        """What the stillness of the board means by now."""
        still = self._now - self._tracker.last_edge + _ROUNDING
        effects: list[Effect] = []
        for patience, act in (
            (self.settings.timing.follow, self._follow),
            (self.settings.timing.settle, self._settle),
            (self.settings.timing.grace, self._despair),
        ):
            if still >= patience and self._tracking:
                effects += act()
        return effects

    def _follow(self) -> list[Effect]:
        """Accept what the next action has begun to build on, or say why the lifted piece may not act."""
        likely = self._tracker.likely
        if not likely:
            return self._refuse()
        if self._commit is Commit.BUTTON and self._copying is None:
            return []
        if self._question and self._question.performed:
            return []  # A next piece that is lifted, perhaps by mistake, is no answer.
        done = self._tracker.complete
        begun = all(reading.live or len(reading.actions) > len(done) for reading in likely)
        if self._commit is Commit.OPPONENT:
            return self._accept(self._up_to_the_other_side(done, len(done) + begun))
        return self._accept(done) if begun else []

    def _up_to_the_other_side(self, done: Actions, last: int) -> Actions:
        """The actions up to the last change of sides that another one of the first ``last`` followed."""
        sides = [self._state.to_act]
        state = self._state
        for action in done:
            state = state.apply(action)
            sides.append(state.to_act)
        return done[: max((at for at in range(1, last) if sides[at] is not sides[at - 1]), default=0)]

    def _refuse(self) -> list[Effect]:
        """Say why the one piece that was lifted or set down may not be; a piece sliding by is no reason."""
        differs = self._state.occupancy() ^ self._occupied
        if len(differs) != 1 or self._refused or self._question:
            return []
        (cell,) = differs
        slides = (
            cell in self._occupied and self._now - self._tracker.last_edge + _ROUNDING < self.settings.timing.settle
        )
        if slides or self._tracker.second_thought() or self._tracker.out_of_order() or self._half_seen():
            return []
        self._refusal = self._why_not(cell)
        self._refused = (cell, self._refusal)
        return [Refused(cell, self._refusal)]

    def _why_not(self, cell: Cell) -> str:
        """Why a hand may begin nothing at the cell."""
        if self._copying is not None:
            return words.only(names(self.game, self._state, (self._copying,)))
        mover = self._state.to_act
        return words.thinking(self.game.sides[mover]) if self._thinks and mover else self.game.refuse(self._state, cell)

    def _settle(self) -> list[Effect]:
        """The board has come to rest."""
        if self._question and self._occupied != self._question.board:
            if self._question.performed and self._tracker.complete and self._tracker.likely[0].live:
                return []
            self._question = None
        if not self._tracker.readings:
            return (self._commit is not Commit.BUTTON and self._think_again()) or self._refuse()
        completes = self._completes()
        if self._commit is not Commit.BUTTON and len(completes) > 1:
            return self._ask(completes)
        settles = self._commit is Commit.SETTLE or self._copying is not None
        if settles and (effects := self._accept(self._tracker.complete)):
            return effects
        self._forget_what_was_put_back()
        return []

    def _forget_what_was_put_back(self) -> None:
        likely = self._tracker.likely
        if all(reading.complete and not reading.actions for reading in likely) and self._question is None:
            self._tracker.rest()

    def _think_again(self) -> list[Effect]:
        """Nothing goes on from here: it was done in another order, thought better of, or only looks legal."""
        if actions := self._tracker.out_of_order():
            return self._accept(actions)
        if asked := self._ask(self._half_seen()):
            return asked
        if thought := self._tracker.second_thought():
            return self._revise(thought)
        offered = self._tracker.offered()
        return self._ask((offered,)) if offered else []

    def _revise(self, thought: SecondThought[Any]) -> list[Effect]:
        effects: list[Effect] = []
        said = ""
        for _ in thought.dropped:
            entry = self._pop()
            effects.append(TakenBack(entry.action))
            said = names(self.game, entry.before, (entry.action,))
        self._tracker.revise(thought)
        for action in thought.added:
            effects += self._enter(action)
        self._look()
        self._note = "" if thought.added else words.taken_back(said)
        return effects

    def _despair(self) -> list[Effect]:
        """Nothing explains the board, or a piece has been held for long: say what to do."""
        self._waited = True
        if self._tracker.readings or self._question or self._astray:
            return []
        if asked := self._ask(self._half_seen()):
            return asked
        self._astray = True
        found = objection(self.game, self._tracker.astray())
        if found is None or self._refused:
            return []
        self._refusal = found[1]
        return [Refused(*found)]

    # -------------------------------------------------------------------------------- acceptance

    def _completes(self) -> tuple[Actions, ...]:
        """The likely readings with nothing in hand, one for each state that they lead to."""
        ends = {reading.state: reading.actions for reading in self._tracker.likely if reading.complete}
        return tuple(actions for actions in ends.values() if actions)

    def _acceptable(self) -> Actions:
        """The actions that stand complete in just one way."""
        completes = self._completes()
        return completes[0] if len(completes) == 1 else ()

    def _accept(self, actions: Actions) -> list[Effect]:
        """Accept actions that the hand has performed."""
        effects: list[Effect] = []
        for action in actions:
            if self._thinks:
                break  # what a hand did for a computer that has not chosen is not played
            self._tracker.accept((action,))
            effects += self._enter(action)
        if actions and (self._copying is not None or self._thinks):
            self._copying = None
            self._track()
        elif actions:
            self._look()
        return effects

    def _enter(self, action: Any) -> list[Effect]:
        """Make an action, a roll or a declaration part of the game."""
        before = self._state
        self._state = before.apply(action)
        self._hear()
        self._entries.append(Entry(action, before))
        self._refusal = ""
        self._advice = None
        if self._state.to_act is not self._hinted:
            self._hinted = None
        self._last = changed(before, self._state) or self._last
        ended = [Ended(self._state.outcome)] if self._state.outcome else []
        return [Accepted(action), *ended]

    def _play(self, action: Any) -> list[Effect]:
        """Enter an action that no hand performed, and lead the board to it."""
        believed = self._state
        effects = self._enter(action)
        self._lead_from(believed)
        return effects

    # ---------------------------------------------------------------------------------- questions

    def _ask(self, sequences: Sequence[Actions]) -> list[Effect]:
        """Ask which of these was performed; once for each change of the board."""
        if not sequences or self._asked_at == self._tracker.last_edge:
            return []
        self._asked_at = self._tracker.last_edge
        self._question = which_was_it(self.game, self._state, sequences, self._occupied)
        self._astray = False
        self._refused = None
        return [Asked(tuple(sequences))]

    def _take(self, question: Question, answer: Answer) -> list[Effect]:
        """An answer was given."""
        self._question = None
        if question.performed:
            return self._accept_seen(answer.actions)
        if answer.then:
            self._question = Question(answer.then, self._occupied, question.about)
            return []
        if question.about is About.ROLL:
            return self._roll(answer.actions[0])
        if question.about is About.HEIGHT:
            return self._count(answer.actions[0])
        return self._play(answer.actions[0])

    # --------------------------------------------------------------------------------- deaf cells

    def _half_seen(self) -> tuple[Actions, ...]:
        """The actions through deaf cells that the other cells agree with, where these show that something was done."""
        deaf, heard = self.deaf, self._reported - self.deaf
        if not deaf or heard == self._state.occupancy() - deaf:
            return ()
        actions = self._state.legal_actions() if self._only is None else self._only
        touching = (action for action in actions if cells(self._state.trace(action)) & deaf)
        return tuple((action,) for action in touching if self._state.apply(action).occupancy() - deaf == heard)

    def _accept_seen(self, actions: Actions) -> list[Effect]:
        """Accept actions that a hand has performed, whether or not every switch has seen it."""
        if actions not in self._half_seen():
            return self._accept(actions)
        effects = self._enter(actions[0])
        self._copying = None
        self._track()
        return effects

    def _on_deaf(self, event: Deaf) -> list[Effect]:
        return self._believe(self._deaf, self._dead | (event.cells & frozenset(self.game.grid.cells)))

    def _on_heard(self, event: Heard) -> list[Effect]:
        return self._believe(self._deaf - event.cells, self._dead - event.cells)

    def _believe(self, deaf: Cells, dead: Cells) -> list[Effect]:
        """Go on with these cells deaf, for this game and for good."""
        before = self.deaf
        self._deaf, self._dead = deaf, dead
        if self.deaf == before:
            return []
        self._hear()
        if self._lead is not None:
            self._lead = replace(self._lead, restack=self._lead.restack - self.deaf)
            self._finish_leading()
        elif self._tracking:
            self._track()
        return []

    # ------------------------------------------------------------------------------------ recount

    def _on_recount(self, _event: Recount) -> list[Effect]:
        """Go through the stacks, one question each."""
        if not self._tracking or self._occupied != self._state.occupancy():
            return []
        self._counted = ()
        self._to_count = tuple(cell for cell, piece in sorted(self._state.pieces().items()) if piece.height > 1)
        self._ask_height()
        return []

    def _ask_height(self) -> None:
        self._question = None
        if self._to_count:
            cell, *rest = self._to_count
            self._to_count = tuple(rest)
            height = self._state.pieces()[cell].height
            self._question = how_high(cell, height, height + MOST_MORE, self._occupied)

    def _count(self, correction: Correction) -> list[Effect]:
        """One stack is counted; after the last one everything that differs is corrected."""
        self._counted += correction.heights
        if self._to_count:
            self._ask_height()
            return []
        pieces = self._state.pieces()
        wrong = tuple((cell, height) for cell, height in self._counted if pieces[cell].height != height)
        return self._correct(Correction(wrong)) if wrong else []

    def _on_corrected(self, event: Corrected) -> list[Effect]:
        return self._correct(event.correction) if self._tracking and self._occupied == self._state.occupancy() else []

    def _correct(self, correction: Correction) -> list[Effect]:
        try:
            effects = self._enter(correction)
        except IllegalAction:
            return []
        self._track()
        return effects

    # ------------------------------------------------------------------------------------ buttons

    def _on_press(self, event: Press) -> list[Effect]:
        return self._BUTTONS[event.button](self)

    def _go(self) -> list[Effect]:
        return self._GO[self.mode](self)

    def _go_setup(self) -> list[Effect]:
        if self._occupied != self._state.occupancy():
            return []
        self._begun = True
        self._track()
        return [Began()]

    def _go_resume(self) -> list[Effect]:
        """Go on: with what was played meanwhile, or from where the game stands, to which the board is led."""
        return self._resume(self._meanwhile())

    def _resume(self, meanwhile: Actions) -> list[Effect]:
        self._begun, self._resuming = True, False
        if self._occupied != self._state.occupancy() and not meanwhile:
            self._lead_from(self._state)
            return [Resumed()]
        self._track()
        return [Resumed(), *self._accept(meanwhile)]

    def _meanwhile(self) -> Actions:
        """The one action that explains how the board differs from the game, if just one does."""
        differing = len(self._occupied ^ self._state.occupancy())
        if not 0 < differing <= MOST_DIFFERING or self._state.to_act in (None, Side.CHANCE):
            return ()
        readings = Tracker(self._state, self._occupied, self._now).likely
        ends = {reading.state: reading.actions for reading in readings if reading.complete}
        return next(iter(ends.values())) if len(ends) == 1 else ()

    def _go_resync(self) -> list[Effect]:
        """The stacks are right, a person says."""
        self._lead = Lead(self._state.pieces(), restack=frozenset())
        self._finish_leading()
        return []

    def _go_ask(self) -> list[Effect]:
        """Take the lit answer, unless it is about a board that stands so no longer."""
        question, self._question = self._question, None
        if question is None or (question.performed and question.board != self._occupied):
            return self._go()
        return self._take(question, question.lit)

    def _go_roll(self) -> list[Effect]:
        """Roll; the dice of a turn that was taken back come again."""
        if self._rolling or self._occupied != self._state.occupancy():
            return []
        if self._dice_to_come:
            return self._roll(self._dice_to_come.pop())
        if self.settings.dice is DiceFrom.TABLE:
            self._question = what_was_rolled(self._state.chance(), self._occupied)
            return []
        self._rolling = True
        return [NeedRoll()]

    def _go_play(self) -> list[Effect]:
        """Accept what is done, else a draw that is offered, else what the switches could not see."""
        completes = self._completes()
        if len(completes) == 1:
            effects = self._accept(completes[0])
            rolls = self.mode is Mode.ROLL and self._commit is not Commit.BUTTON
            return [*effects, *self._go_roll()] if rolls else effects
        if completes:
            self._asked_at = None
            return self._ask(completes)
        if not self._tracker.readings and (effects := self._think_again()):
            return effects
        offer = self._declaration(Speech.ACCEPT_DRAW)
        return self._speak(offer) if offer else self._confirm()

    def _confirm(self) -> list[Effect]:
        """Accept or ask what the switches could not see; a stack on a stack is likelier than a swift swap."""
        half_seen, unseen = self._half_seen(), self._confirmable()
        likelier = tuple(dict.fromkeys((*half_seen, *onto_own(self._state, unseen))))
        for found in (likelier, unseen):
            if len(found) == 1:
                return self._accept_seen(found[0])
        self._asked_at = None
        return self._ask(tuple(dict.fromkeys((*likelier, *unseen)))) if unseen else []

    def _confirmable(self) -> tuple[Actions, ...]:
        """What a person may confirm because no switch can see it, or because one that should is not believed."""
        return tuple(dict.fromkeys((*self._tracker.confirmable(), *self._half_seen())))

    def _go_copy(self) -> list[Effect]:
        """Accept the copied action, performed or not; the board is led the rest of the way."""
        if effects := self._go_play():
            return effects
        action, self._copying = self._copying, None
        return self._play(action)

    def _go_think(self) -> list[Effect]:
        """Ask again, which hurries nobody who thinks, but wakes whoever has failed."""
        self._asked_in = None
        return []

    def _go_over(self) -> list[Effect]:
        return self._anew()

    def _anew(self) -> list[Effect]:
        self._begin(self.game.start())
        return [Anew()]

    def _next(self) -> list[Effect]:
        """Light the next answer, or begin to choose an action by buttons."""
        if self._question:
            self._question = self._question.next()
        elif self.mode is Mode.RESUME and self._meanwhile():
            return self._resume(())
        elif self.mode is Mode.SETUP:
            return self._seat_next()
        elif self.mode is Mode.PLAY:
            self._question = what_to_play(self.game, self._state, self._occupied)
        return []

    def _back(self) -> list[Effect]:
        """Drop the question, decline the draw, put back what is in hand, or take back the last action."""
        if self._question:
            self._question = None
            return []
        if offer := self._declaration(Speech.DECLINE_DRAW):
            return self._speak(offer)
        if self._resuming:
            return self._anew()
        if not self._begun:
            return []
        if self._tracking and self._occupied != self._state.occupancy():
            self._lead_from(self._state, keeping=self._copying)
            return []
        return self._take_back()

    def _seat_next(self) -> list[Effect]:
        """Seat the next player on the computer's side; without one, on the side that begins second."""
        seats = self.settings.seats
        *_, second = self.game.sides
        side = second if second in self.settings.computers else next(iter(self.settings.computers), second)
        return self._seat({**seats, side: next_player(seats.get(side, PERSON))})

    def _seat(self, seats: Mapping[Side, Seat]) -> list[Effect]:
        self.settings = replace(self.settings, seats=seats)
        return [Seated(seats)]

    def _hint(self) -> list[Effect]:
        """Light everything for the side to act until its turn is over, or no longer, and ask what is good.

        Before the game the players change sides.
        """
        if self.mode is Mode.SETUP:
            seats = self.settings.seats
            changed = {side: seats.get(side.other, PERSON) for side in self.game.sides}
            return self._seat(changed) if self.settings.computers else []
        if self._hinted is self._state.to_act and self._hint_asked_in is self._state:
            self._hinted = self._advice = self._hint_asked_in = None
            self._note = ""
            return []
        self._hinted = self._state.to_act
        if self.mode is not Mode.PLAY:
            return []
        self._hint_asked_in, self._note = self._state, words.LOOKING
        return [NeedHint()]

    def _on_hold(self, event: Hold) -> list[Effect]:
        if event.button is Button.NEXT and (offer := self._declaration(Speech.OFFER_DRAW)):
            return self._speak(offer)
        if event.button is Button.HINT:
            self._note = self._refusal
        if event.button is Button.GO and (self._astray or self.mode in (Mode.SETUP, Mode.RESUME, Mode.RESYNC)):
            return self._play_without()
        return []

    def _play_without(self) -> list[Effect]:
        """Believe the player rather than the switches of the cells that differ, and go on."""
        self._deaf |= self._occupied ^ self._state.occupancy()
        self._hear()
        if self._lead is not None:
            self._lead = replace(self._lead, restack=self._lead.restack - self.deaf)
        if self._astray:
            self._track()
            return []
        return self._go()

    # ------------------------------------------------------------------------- dice, words, screens

    def _on_rolled(self, event: Rolled) -> list[Effect]:
        if not self._rolling or event.roll not in self._state.chance():
            return []
        self._rolling = False
        return self._roll(event.roll)

    def _roll(self, roll: Roll) -> list[Effect]:
        effects = self._enter(roll)
        self._track()
        return effects

    def _declaration(self, speech: Speech) -> Declaration | None:
        """What a person can declare now by pressing a button: for the side to act, if either side may."""
        if not self._begun:
            return None
        declarations = (each for each in self._state.declarations() if each.side not in self.settings.computers)
        open_now = [each for each in declarations if each.speech is speech]
        return min(open_now, key=lambda each: each.side is not self._state.to_act, default=None)

    def _on_spoken(self, event: Spoken) -> list[Effect]:
        if not self._begun or event.declaration not in self._state.declarations():
            return []
        return self._speak(event.declaration)

    def _speak(self, declaration: Declaration) -> list[Effect]:
        effects = self._enter(declaration)
        if self._state.outcome:
            self._lead = None  # the result is what counts now, wherever the pieces stand
        self._track()
        return effects

    def _on_chosen(self, event: Chosen) -> list[Effect]:
        if not self._begun or isinstance(event.action, Roll | Declaration | Correction):
            return []
        if self._state.to_act in self.settings.computers and event.action != self._copying:
            return []
        try:
            return self._play(event.action)
        except IllegalAction:
            return []

    def _on_copy(self, event: Copy) -> list[Effect]:
        """Ask for an action to be performed, once the board is right."""
        if not self._begun or event.action not in self._state.legal_actions():
            return []
        self._copying = event.action
        if self._lead is None:
            self._track()
        return []

    def _on_advised(self, event: Advised) -> list[Effect]:
        """Show what is good, unless nobody wants to know any more."""
        wanted = self.mode is Mode.PLAY and self._hinted is self._state.to_act
        if wanted and event.action in self._state.legal_actions():
            self._advice = (event.action, event.why)
            self._note = ""
        return []

    # ---------------------------------------------------------------------------- leading the board

    def _lead_from(self, believed: State[Any], keeping: Any = None) -> None:
        """Lead the board to the state; ``believed`` is what stood on it as far as anyone knows.

        ``keeping`` is an action that is to be performed afterwards.
        """
        stood = self._lead.believed if self._lead else believed.pieces()
        wanted = self._state.pieces()
        stays = (stood.keys() & wanted.keys() & self._occupied) - self.deaf
        self._lead = Lead(stood, differing(stood, wanted) & stays)
        self._copying = keeping
        self._track()
        self._finish_leading()

    def _finish_leading(self) -> None:
        if self._lead and self._occupied == self._state.occupancy() and not self._lead.left:
            self._lead = None
            self._track()

    def _take_back(self) -> list[Effect]:
        """Drop the last action and the rolls since; where a computer plays, back to what a person chose."""
        believed, dropped = self._state, list[Entry[Any]]()
        if not self._can_take_back:
            return []
        while self._entries and (not dropped or self._came_by_itself(dropped[-1])):
            dropped.append(self._pop())
        moved_nothing = isinstance(dropped[-1].action, Correction)
        self._lead_from(self._state if moved_nothing else believed)
        self._note = words.taken_back(self._said(dropped[-1]))
        return [TakenBack(entry.action) for entry in dropped]

    @property
    def _can_take_back(self) -> bool:
        """Whether there is something to take back; where a computer plays, something that a person chose."""
        if len(self.settings.computers) != 1:
            return bool(self._entries)
        return not all(self._came_by_itself(entry) for entry in reversed(self._entries))

    def _came_by_itself(self, entry: Entry[Any]) -> bool:
        """Whether taking this back alone would only bring it again: a roll, an answer, what a computer chose."""
        action, computers = entry.action, self.settings.computers
        if isinstance(action, Roll) or (isinstance(action, Declaration) and action.speech in _ANSWERS):
            return True
        chooser = action.side if isinstance(action, Declaration) else entry.before.to_act
        return len(computers) == 1 and chooser in computers  # what two computers chose is anybody's to take back

    def _said(self, entry: Entry[Any]) -> str:
        match entry.action:
            case Roll(dice):
                return "-".join(map(str, dice))
            case Declaration(_, speech):
                return speech.value
            case Correction():
                return words.RECOUNT
            case action:
                return names(self.game, entry.before, (action,))

    def _pop(self) -> Entry[Any]:
        entry = self._entries.pop()
        self._state = entry.before
        self._asked_in = None
        self._advice = None
        self._hear()
        self._last = frozenset()
        self._rolling = False
        if isinstance(entry.action, Roll):
            self._dice_to_come.append(entry.action)
        return entry

    # -------------------------------------------------------------------------------------- tables

    _ON_EVENT: ClassVar[Mapping[type[Any], Callable[..., list[Effect]]]] = {
        Board: _on_board,
        Press: _on_press,
        Hold: _on_hold,
        Rolled: _on_rolled,
        Spoken: _on_spoken,
        Chosen: _on_chosen,
        Copy: _on_copy,
        Advised: _on_advised,
        Recount: _on_recount,
        Corrected: _on_corrected,
        Deaf: _on_deaf,
        Heard: _on_heard,
    }

    _BUTTONS: ClassVar[Mapping[Button, Callable[..., list[Effect]]]] = {
        Button.GO: _go,
        Button.NEXT: _next,
        Button.BACK: _back,
        Button.HINT: _hint,
    }

    _GO: ClassVar[Mapping[Mode, Callable[..., list[Effect]]]] = {
        Mode.SETUP: _go_setup,
        Mode.RESUME: _go_resume,
        Mode.RESYNC: _go_resync,
        Mode.ROLL: _go_roll,
        Mode.PLAY: _go_play,
        Mode.THINK: _go_think,
        Mode.COPY: _go_copy,
        Mode.ASK: _go_ask,
        Mode.OVER: _go_over,
    }


_ANSWERS = (Speech.ACCEPT_DRAW, Speech.DECLINE_DRAW)
