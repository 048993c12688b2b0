"""What the people are shown: from one moment of a session to its scene.

A *moment* is everything a session knows that can be seen; ``show`` is a pure function of it. For each
mode there is a row in each table: which cells are lit, which sentence leads, what the lamps of the
buttons say. Guidance takes lights away; it never takes away what is wrong or asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from reedlight.core.game import Caption, Game, Side, Speech, State
from reedlight.core.grid import Cell, Cells
from reedlight.core.trace import cells, landings
from reedlight.scene import compose, words
from reedlight.scene.scene import Button, Lamp, Light, Mark, Option, Scene
from reedlight.session.events import Mode
from reedlight.session.leading import Lead, open_steps
from reedlight.session.question import About, Question
from reedlight.session.sequences import changed, last_step, names, onto_own
from reedlight.session.settings import Commit, Guidance, Seat
from reedlight.tracking.tracker import Astray, Reading

Lights = dict[Cell, Light]


@dataclass(frozen=True, slots=True)
class Moment:
    """What there is to show: the state, the board as it stands, and how it is understood."""

    game: Game[Any]
    state: State[Any]
    mode: Mode
    occupied: Cells
    guidance: Guidance
    commit: Commit
    reading: Reading[Any] | None
    """How the board reads, or read last; None before it was ever understood."""
    acceptable: tuple[Any, ...]
    """The actions that GO accepts, though the hand may be in the middle of longer ones."""
    confirmable: tuple[tuple[Any, ...], ...]
    astray: Astray[Any] | None
    refused: tuple[Cell, str] | None
    question: Question | None
    refusal: str
    """Why what was last lifted or set down is not allowed; empty where nothing was refused."""
    lead: Lead | None
    """Where the board is being led from, while it is."""
    copying: Any
    advice: tuple[Any, str] | None
    """A good action, and what it is for, where somebody asked."""
    last: Cells
    """The cells that the last action changed."""
    note: str
    """What has just happened, where it needs saying."""
    waited: bool
    """Whether the board has been still for so long that silence would be unfriendly."""
    can_take_back: bool
    seats: Mapping[Side, Seat]
    """Who plays each side; a person where nothing is said."""
    meanwhile: tuple[Any, ...] = ()
    """What seems to have been played while nobody watched."""

    @property
    def levels(self) -> Mapping[Side, int]:
        """The sides that a computer plays, and how well."""
        return {side: seat.level for side, seat in self.seats.items() if seat.level}

    @property
    def restack(self) -> Cells:
        """Stacks that still have to be put right while the board is being led."""
        return self.lead.left if self.lead else frozenset()

    @property
    def missing(self) -> Cells:
        """Cells where a piece should stand."""
        return self.state.occupancy() - self.occupied

    @property
    def extra(self) -> Cells:
        """Cells where a piece stands that should not."""
        return self.occupied - self.state.occupancy()

    @property
    def draw_offered_by(self) -> Side | None:
        """The side whose offer of a draw is not answered."""
        answers = (each.side for each in self.state.declarations() if each.speech is Speech.ACCEPT_DRAW)
        answering = next(answers, None)
        return answering.other if answering else None

    @property
    def idle(self) -> bool:
        """Whether nothing has been begun since the last accepted action."""
        return self.reading is not None and self.reading.complete and not self.reading.actions


def show(moment: Moment) -> Scene:
    """The scene of a moment."""
    trouble = _trouble(moment)
    lights, caption = trouble or (_LIGHTS[moment.mode](moment), _CAPTIONS[moment.mode](moment))
    shows_last = moment.mode not in _NOTHING_PLAYED
    played = {cell: Light(Mark.LAST, "just played") for cell in moment.last - lights.keys() if shows_last}
    return Scene(
        caption=Caption(
            words.cut_at_a_word(caption.say, words.LONGEST_SENTENCE),
            words.cut_at_a_word(caption.why, words.LONGEST_REASON),
        ),
        lights=lights | played,
        dice=tuple(moment.state.dice()),
        lamps={
            Button.GO: _go(moment),
            Button.NEXT: _lit(_can_go_on_to_next(moment)),
            Button.BACK: _lit(_can_go_back(moment)),
            Button.HINT: _lit(_can_hint(moment)),
        },
        options=_options(moment.question),
    )


_NOTHING_PLAYED = (Mode.SETUP, Mode.RESUME, Mode.RESYNC)


# --------------------------------------------------------------------------------------- trouble


def _trouble(moment: Moment) -> tuple[Lights, Caption] | None:
    """What is wrong comes before everything else, except while an answer is awaited or nothing is played."""
    if moment.mode not in (Mode.PLAY, Mode.ROLL, Mode.THINK, Mode.COPY):
        return None
    if moment.refused:
        cell, why = moment.refused
        return {cell: Light(Mark.FORBIDDEN, "not now")}, words.refused(why, cell, lifted=cell not in moment.occupied)
    if moment.astray:
        where = moment.astray
        belonging = _belonging(moment, where.state, where.missing)
        why = moment.refusal or words.PLAY_GOES_ON
        return compose.out_of_place(belonging, where.extra), words.put_right(belonging, where.extra, why)
    return None


def _belonging(moment: Moment, state: State[Any], missing: Cells) -> dict[Cell, str]:
    """What belongs on each of these cells, in words."""
    wanted = state.pieces()
    return {cell: words.belongs(moment.game.sides[wanted[cell].side], wanted[cell]) for cell in missing}


# ---------------------------------------------------------------------------------------- lights


def _lights_leading(moment: Moment) -> Lights:
    return compose.out_of_place(_belonging(moment, moment.state, moment.missing | moment.restack), moment.extra)


def _lights_setup(moment: Moment) -> Lights:
    """What is to be set up; once all stands, as many cells of a computer's side as its level."""
    if moment.missing or moment.extra:
        return _lights_leading(moment)
    lights: Lights = {}
    pieces, free = moment.state.pieces(), iter(moment.game.grid.cells)
    for side, level in moment.levels.items():
        own = sorted(cell for cell, piece in pieces.items() if piece.side is side) or list(islice(free, level))
        lights |= {cell: Light(Mark.CHOICE, words.level(level)) for cell in own[:level]}
    return lights


def _lights_resume(moment: Moment) -> Lights:
    if not moment.meanwhile:
        return _lights_leading(moment)
    label = names(moment.game, moment.state, moment.meanwhile)
    return {cell: Light(Mark.CHOICE, label) for cell in moment.missing | moment.extra}


def _lights_none(_moment: Moment) -> Lights:
    return {}


def _lights_play(moment: Moment) -> Lights:
    reading = moment.reading
    if reading is None:
        return {}
    if reading.live:
        return _lights_handling(moment, reading)
    if reading.actions:
        return {cell: Light(Mark.LAST, "played") for cell in changed(moment.state, reading.state)}
    if moment.advice:
        return compose.advised(moment.state, moment.state.trace(moment.advice[0]))
    if moment.guidance is not Guidance.FULL:
        return {}
    return compose.beginnings(moment.game, moment.state, moment.state.legal_actions())


def _lights_handling(moment: Moment, reading: Reading[Any]) -> Lights:
    """A piece is in the hand: where it came from, where it may go, what has to leave."""
    lifted = reading.state.occupancy() - moment.occupied
    pieces = reading.state.pieces()
    own = frozenset(cell for cell in lifted if pieces[cell].side is reading.state.to_act)
    live = [(each.action, each.left) for each in reading.live]
    lights: Lights = {}
    if moment.guidance is not Guidance.ERRORS:
        if not own and not compose.taken(left for _, left in live):
            lights |= _lights_takers(moment, reading)
        lights |= compose.targets(moment.game, reading.state, live, lifted)
        lights |= {cell: Light(Mark.SOURCE, "came from here") for cell in own}
    if moment.guidance is not Guidance.ERRORS or moment.waited:
        due = compose.taken(left for _, left in live)
        lights |= {cell: Light(Mark.TAKEN, "take it off") for cell in due}
    return lights


def _lights_takers(moment: Moment, reading: Reading[Any]) -> Lights:
    """The pieces that can take what was lifted, where the captured piece is lifted first."""
    live = [each.action for each in reading.live]
    begun = compose.beginnings(moment.game, reading.state, live)
    return {cell: light for cell, light in begun.items() if light.mark is Mark.MOVABLE}


def _lights_copy(moment: Moment) -> Lights:
    reading = moment.reading
    if reading is None or not moment.idle:
        return _lights_play(moment)
    trace = moment.state.trace(moment.copying)
    origins = compose.origins(moment.state, trace, moment.state.pieces())
    homes = {cell: Light(Mark.SOURCE, "lift this") for cell, mark in origins.items() if mark is Mark.MOVABLE}
    others = {cell: Light(mark, "play here") for cell, mark in origins.items() if mark is not Mark.MOVABLE}
    return homes | compose.targets(moment.game, moment.state, [(moment.copying, trace)], frozenset()) | others


def _lights_ask(moment: Moment) -> Lights:
    assert moment.question is not None  # noqa: S101  # else nobody is asked
    lit = moment.question.lit
    home = {cell: Light(Mark.SOURCE, "came from here") for cell in moment.missing}
    pieces, mover = moment.state.pieces(), moment.state.to_act
    path = {
        cell: Light(Mark.CAPTURE, "is taken")
        if cell in pieces and pieces[cell].side is not mover
        else Light(Mark.TARGET, "goes here")
        for cell in lit.path - lit.cells
    }
    return home | path | {cell: Light(Mark.CHOICE, lit.label) for cell in lit.cells}


def _lights_over(moment: Moment) -> Lights:
    outcome = moment.state.outcome
    return compose.winner(moment.state, outcome.winner if outcome else None)


_LIGHTS: Mapping[Mode, Callable[[Moment], Lights]] = {
    Mode.SETUP: _lights_setup,
    Mode.RESUME: _lights_resume,
    Mode.RESYNC: _lights_leading,
    Mode.ROLL: _lights_none,
    Mode.PLAY: _lights_play,
    Mode.THINK: _lights_none,
    Mode.COPY: _lights_copy,
    Mode.ASK: _lights_ask,
    Mode.OVER: _lights_over,
}


# -------------------------------------------------------------------------------------- captions


def _say_setup(moment: Moment) -> Caption:
    rolls = moment.state.to_act is Side.CHANCE
    first = words.THEN_ROLL if rolls else moment.game.advise(moment.state).say
    levels = [f"{moment.game.sides[side]}: {words.level(level)}" for side, level in moment.levels.items()]
    to_begin = words.seated(levels) if levels else f"{first} {words.SEAT_A_COMPUTER}"
    return words.set_up(len(moment.missing), len(moment.extra), to_begin=to_begin, nothing_stands=not moment.occupied)


def _say_resume(moment: Moment) -> Caption:
    game, state = moment.game, moment.state
    rolls = state.to_act is Side.CHANCE
    stands = words.resumed(f"{game.title} {game.size}", words.TO_ROLL if rolls else game.advise(state).say)
    if moment.meanwhile:
        return words.played_meanwhile(names(game, state, moment.meanwhile))
    return words.resume(stands, len(moment.missing | moment.extra))


def _say_resync(moment: Moment) -> Caption:
    few = len(moment.missing | moment.extra) <= words.FEW_CELLS
    why = moment.note or (words.OR_WITHOUT if few else words.PLAY_GOES_ON)
    belonging = _belonging(moment, moment.state, moment.missing or moment.restack)
    if moment.missing or moment.extra:
        return words.do(_open_steps(moment), why) or words.put_right(belonging, moment.extra, why)
    return words.restack(belonging)


def _open_steps(moment: Moment) -> list[str]:
    assert moment.lead is not None  # noqa: S101  # else the board is not led
    return open_steps(moment.game.sides, moment.lead.believed, moment.state.pieces(), moment.occupied, moment.restack)


def _say_play(moment: Moment) -> Caption:
    reading = moment.reading
    if reading is None or moment.idle:
        return _say_idle(moment)
    copied = moment.mode is Mode.COPY
    if reading.complete and moment.commit is Commit.SETTLE and not copied and reading.state.outcome is None:
        return moment.game.advise(reading.state)
    if reading.complete:
        return _DONE[Commit.SETTLE if copied else moment.commit](names(moment.game, moment.state, reading.actions))
    if moment.acceptable:
        return words.done_or_begun(names(moment.game, moment.state, moment.acceptable))
    return _say_handling(moment, reading)


def _say_idle(moment: Moment) -> Caption:
    if moment.advice:
        action, why = moment.advice
        return words.advised(moment.game.notate(moment.state, action), why)
    advice = moment.game.advise(moment.state)
    if side := moment.draw_offered_by:
        return Caption(advice.say, words.draw_offered(moment.game.sides[side]))
    return Caption(advice.say, moment.note or advice.why)


def _say_handling(moment: Moment, reading: Reading[Any]) -> Caption:
    pieces = reading.state.pieces()
    lifted = reading.state.occupancy() - moment.occupied
    homes = sorted(cell for cell in lifted if pieces[cell].side is reading.state.to_act)
    stops = sorted(moment.occupied - reading.state.occupancy())
    live = [each.left for each in reading.live]
    due = compose.taken(live)
    if due and not any(landings(left) for left in live):
        return words.take_off(due)
    if stops:
        return words.go_on(stops[0])
    if not homes:
        return words.take_with(min(lifted))
    home, held = homes[0], pieces[homes[0]]
    if all(cells(left) <= {home} for left in live):
        return words.holding_what_is_taken_off(held, home, moment.game.advise(reading.state).why)
    return words.holding(held, home, _reason_while_holding(moment, reading))


def _reason_while_holding(moment: Moment, reading: Reading[Any]) -> str:
    unseen = onto_own(moment.state, moment.confirmable) if moment.waited else []
    if len(unseen) == 1:
        _, trace = last_step(moment.state, unseen[0])
        return words.confirm(min(cells(trace) & moment.occupied))
    return words.confirm_one_of(len(unseen)) if unseen else moment.game.advise(reading.state).why


def _say_copy(moment: Moment) -> Caption:
    mover = moment.state.to_act or Side.CHANCE
    asked = words.copy(moment.game.sides[mover], moment.game.notate(moment.state, moment.copying))
    said = asked if moment.idle else Caption(_say_play(moment).say, asked.why)
    return Caption(said.say, words.GO_IF_DONE) if moment.waited else said


def _say_think(moment: Moment) -> Caption:
    mover = moment.state.to_act or Side.CHANCE
    return Caption(words.thinking(moment.game.sides[mover]), moment.note)


def _say_ask(moment: Moment) -> Caption:
    question = moment.question
    assert question is not None  # noqa: S101  # else nobody is asked
    if question.about in _ASKED:
        return _ASKED[question.about](question.lit.label)
    if not question.performed:
        return words.choose(question.lit.label, len(question.answers))
    if len(question.answers) == 1:
        return words.is_it(question.lit.label)
    return words.which(question.lit.label, len(question.answers) - 1)


_ASKED: Mapping[About, Callable[[str], Caption]] = {About.ROLL: words.rolled, About.HEIGHT: words.count}


def _say_over(moment: Moment) -> Caption:
    outcome = moment.state.outcome
    assert outcome is not None  # noqa: S101  # else the game is not over
    return words.ended(outcome, moment.game.sides[outcome.winner] if outcome.winner else None)


_CAPTIONS: Mapping[Mode, Callable[[Moment], Caption]] = {
    Mode.SETUP: _say_setup,
    Mode.RESUME: _say_resume,
    Mode.RESYNC: _say_resync,
    Mode.ROLL: _say_idle,
    Mode.PLAY: _say_play,
    Mode.THINK: _say_think,
    Mode.COPY: _say_copy,
    Mode.ASK: _say_ask,
    Mode.OVER: _say_over,
}

_DONE: Mapping[Commit, Callable[[str], Caption]] = {
    Commit.SETTLE: words.done,
    Commit.BUTTON: words.done_press_go,
    Commit.OPPONENT: words.done_till_next,
}


# ----------------------------------------------------------------------------------------- lamps


def _lit(useful: bool) -> Lamp:  # noqa: FBT001  # a lamp is on or off
    return Lamp.ON if useful else Lamp.OFF


def _go(moment: Moment) -> Lamp:
    if moment.mode in (Mode.ASK, Mode.OVER, Mode.RESUME):
        return Lamp.BLINK
    if moment.mode is Mode.SETUP:
        return Lamp.OFF if moment.missing or moment.extra else Lamp.BLINK
    if moment.mode is Mode.RESYNC:
        return Lamp.OFF if moment.missing or moment.extra else Lamp.ON
    reading = moment.reading
    if (moment.mode is Mode.ROLL or moment.draw_offered_by) and moment.idle:
        return Lamp.BLINK
    if moment.acceptable:
        waits_for_go = moment.commit is Commit.BUTTON or (reading is not None and not reading.complete)
        return Lamp.BLINK if waits_for_go else Lamp.ON
    return _lit(bool(moment.confirmable) or moment.mode is Mode.COPY)


def _can_go_on_to_next(moment: Moment) -> bool:
    if moment.mode is Mode.RESUME:
        return bool(moment.meanwhile)
    if moment.mode is Mode.ASK:
        return moment.question is not None and len(moment.question.answers) > 1
    return moment.mode is Mode.SETUP or (moment.mode is Mode.PLAY and moment.idle)


def _can_hint(moment: Moment) -> bool:
    """Whether something can be advised; before the game, whether there are sides to change."""
    if moment.mode is Mode.SETUP:
        return len(moment.levels) == 1
    return moment.mode is Mode.PLAY and moment.advice is None


def _can_go_back(moment: Moment) -> bool:
    if moment.mode is Mode.SETUP:
        return False
    return moment.can_take_back or moment.mode is Mode.ASK or not moment.idle


def _options(question: Question | None) -> tuple[Option, ...]:
    if question is None:
        return ()
    return tuple(Option(answer.label, answer.cells, answer is question.lit) for answer in question.answers)
