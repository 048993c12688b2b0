"""A game with dice as text: the Reedlight record, in and out, and the one-line JSON of known right answers, in.

    [Game "diablo"]
    [Size "4"]
    [Black "Ada"]
    [Green "computer, level 2"]
    [Date "2026-11-30"]
    [Begun "2026-11-30T18:04:05Z"]
    [Result "Black"]
    [Reason "Green has no checkers left"]
    # Played in the kitchen.

    1. Black 2-1 @0:00:04: capture 1 b2-b1 @0:00:09.25
    2. Green 2-1: capture 1 b3-a3  # taken back: merge 2 a4-a2
    ... empty 2 a4-c4; recount a3=2
    # Comments on lines of their own go on with what stands above them.

A record begins with its ``Game`` tag, so a file may hold several. ``Game`` and ``Size`` are the options
that make the game, ``Start`` is the position where it is not the usual one; ``Begun`` is when it began, in UTC;
``Result`` is the winner's colour, ``draw``, or ``*`` while nobody has won; any further tag is kept as it is, such
as ``DiceHash`` and ``DiceSeed``, by which the dice can be audited. A tag's value is a JSON string.

Then one line a turn: its number, the side, the dice in the order they fell, and the actions in the game's own
notation, parted by ``;``. A turn may have fewer actions than its dice promise, and the last one may be unfinished.
Where a game starts after a roll, its first turn has ``-`` for dice. ``recount`` with cells and heights stands where
the players corrected stacks. ``@`` says how long after the beginning a roll or action was made. ``...`` goes on
with the turn above, where a comment stands between its actions. ``#`` begins a comment.

The JSON form has one game a line: ``{"game": "diablo", "n": 4, "turns": [{"number": 1, "player": "B",
"dice": [2, 1], "actions": ["capture 1 b2-b1"]}]}``; a game on hexagons has ``"grid": "hexhex-3"`` in
place of ``n``, and ``"winner"`` may be there.

Reading checks the form and ``account`` the play; both name the line. This module is handed its game and
knows the rules of none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeAlias, TypeVar

from reedlight.core.game import BadNotation, Correction, Game, IllegalAction, Roll, Side, State
from reedlight.core.quoting import quoted, shortened
from reedlight.record import account as accounts
from reedlight.record import journal, times
from reedlight.record.account import Account, Step, tidy, tidy_tag
from reedlight.record.journal import RECOUNT, Line

A = TypeVar("A", bound=Hashable)
_Json: TypeAlias = "bool | int | float | str | list[_Json] | dict[str, _Json] | None"

UNFINISHED = "*"
"""The result of a game that nobody has won yet."""
DRAW = "draw"
"""The result of a game that nobody wins."""
ON = "..."
"""What a line begins with that goes on with the turn above it."""

_TAG = re.compile(r"""\[([^\s"\[\]]+(?: [^\s"\[\]]+)*)\s+(".*")\]""")
_ELAPSED = r"[0-9]{1,5}:[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,3})?"
_HEAD = re.compile(rf"([^:@#]*)(?:@\s*({_ELAPSED})\s*)?:")
_ROLLED = re.compile(r"([0-9]{1,9})\. (\S(?:.*?\S)?) (-|[0-9]{1,3}(?:-[0-9]{1,3})*)")


@dataclass(frozen=True, slots=True)
class Turn:
    """One roll and what was made of it: the side's name, the dice, the actions in notation, a comment at the end."""

    side: str
    dice: tuple[int, ...]
    """As they fell; none where the turn goes on with dice that lay there before."""
    actions: tuple[str, ...] = ()
    comment: str = ""
    asides: tuple[tuple[int, str], ...] = ()
    """Comments before the end: after how many actions, and what."""
    times: tuple[str, ...] = ()
    """How long after the beginning the roll and each action were made, empty where that is not known; none at all
    where none is."""
    line: int = field(default=0, compare=False)
    """Where the turn stands in its file, counted from 1; 0 where it comes from none."""


@dataclass(frozen=True, slots=True)
class Record:
    """One game as it was written down; ``account`` tells whether it can have been played."""

    game: str
    size: str
    turns: tuple[Turn, ...] = ()
    result: str = UNFINISHED
    reason: str = ""
    tags: tuple[tuple[str, str], ...] = ()
    """Players by colour, the date and whatever else was noted, in order."""
    comment: str = ""
    start: str = ""
    """The position it starts from; empty for the usual one."""
    begun: str = ""
    line: int = field(default=0, compare=False)
    """Where the record begins in its file."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A record of a file that cannot be read, and why, with the line."""

    line: int
    why: str

    @property
    def error(self) -> BadNotation:
        """The same, to be raised."""
        return BadNotation(self.why)


# ----------------------------------------------------------------------------------------------- writing


def write(records: Iterable[Record]) -> str:
    """The records as the text of one file."""
    return "\n".join("".join(f"{line}\n" for line in _lines(record)) for record in records)


def _lines(record: Record) -> Iterator[str]:
    before = (("Game", record.game), ("Size", record.size), ("Start", record.start))
    after = (("Begun", record.begun), ("Result", record.result), ("Reason", record.reason))
    for name, value in (*_given(before), *record.tags, *_given(after)):
        yield f"[{name} {json.dumps(value, ensure_ascii=False)}]"
    yield from _comment_lines(record.comment)
    if record.turns:
        yield ""
    for number, turn in enumerate(record.turns, 1):
        yield from turn_lines(number, turn)


def _given(tags: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    return ((name, value) for name, value in tags if value or name in ("Game", "Size", "Result"))


def turn_lines(number: int, turn: Turn) -> Iterator[str]:
    """A turn as lines: one, and one more for every comment between its actions."""
    rolled, *acted = turn.times or ("",) * (1 + len(turn.actions))
    actions = [f"{action}{_timed(at)}" for action, at in zip(turn.actions, acted, strict=True)]
    begins = (0, *(at for at, _ in turn.asides), len(actions))
    comments = (*(said for _, said in turn.asides), turn.comment)
    heads = (f"{number}. {turn.side} {_shown(turn.dice) or '-'}{_timed(rolled)}:", *(ON for _ in turn.asides))
    for (begin, end), comment, head in zip(pairwise(begins), comments, heads, strict=True):
        beside, *below = _comment_lines(comment) or [""]
        played = f"{head} {'; '.join(actions[begin:end])}".rstrip()
        yield f"{played}  {beside}".rstrip()
        yield from below


def _timed(at: str) -> str:
    return f" @{at}" if at else ""


def _comment_lines(comment: str) -> list[str]:
    return [f"# {line}".rstrip() for line in comment.split("\n")] if comment else []


# ----------------------------------------------------------------------------------------------- reading


def read(text: str) -> tuple[Record, ...]:
    """Every game of a file in either form; raises BadNotation with the line and what is wrong there."""
    return tuple(map(_good, read_each(text)))


def read_records(text: str) -> tuple[Record, ...]:
    """Every Reedlight record of a file; raises BadNotation with the line and what is wrong there."""
    return tuple(map(_good, _each_record(text)))


def _good(found: Record | Unread) -> Record:
    if isinstance(found, Unread):
        raise found.error
    return found


def read_each(text: str) -> Iterator[Record | Unread]:
    """Every game of a file in either form; one that cannot be read is told, and the next one is looked for."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return _each_json_line(text) if text.lstrip().startswith("{") else _each_record(text)


_Line = tuple[int, str]
"""A line's number, and the line without the blanks around it."""


def _each_record(text: str) -> Iterator[Record | Unread]:
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
    for block in _blocks([(number, line) for number, line in lines if line]):
        try:
            yield _record(block)
        except BadNotation as error:
            yield Unread(block[0][0], str(error))


def _blocks(lines: Sequence[_Line]) -> Iterator[Sequence[_Line]]:
    """The lines of each record; comments above the first one are its own, anything else there is one by itself."""
    begins = [at for at, (_, line) in enumerate(lines) if _is_game_tag(line)]
    before = lines[: begins[0] if begins else None]
    if any(not line.startswith("#") for _, line in before):
        yield before
        before = []
    for begin, end in pairwise((*begins, len(lines))):
        yield [*before, *lines[begin:end]]
        before = []


def _is_game_tag(line: str) -> bool:
    tag = _TAG.fullmatch(line)
    return tag is not None and tag[1] == "Game"


class _Draft:
    """A record while it is read: the turns that are whole, and the one that is being read."""

    def __init__(self) -> None:
        self.tags: dict[str, str] = {}
        self.turns: list[Turn] = []
        self.comment: list[str] = []
        """The lines of what is said of the latest thing."""
        self.own = ""
        self._turn: Turn | None = None
        self._actions: list[str] = []
        self._times: list[str] = []
        self._asides: list[tuple[int, str]] = []

    @property
    def turn_to_come(self) -> int:
        """The number of the next turn."""
        return len(self.turns) + (self._turn is not None) + 1

    def begin(self, turn: Turn, rolled: str) -> None:
        """A turn begins, with the time of its roll."""
        self.close()
        self._turn, self._actions, self._times, self._asides = turn, [], [rolled], []

    def act(self, actions: Iterable[tuple[str, str]]) -> None:
        """Actions of the turn, with their times."""
        for action, at in actions:
            self._actions.append(action)
            self._times.append(at)

    def go_on(self) -> None:
        """Go on with the turn after what was said of it so far."""
        if said := self._said():
            self._asides.append((len(self._actions), said))

    def close(self) -> None:
        """Nothing more is done or said in the turn, or before the first one."""
        said = self._said()
        if self._turn is None:
            self.own = said
            return
        times_ = tuple(self._times) if any(self._times) else ()
        asides = tuple(self._asides)
        self.turns.append(replace(self._turn, actions=tuple(self._actions), comment=said, asides=asides, times=times_))

    def _said(self) -> str:
        said = "\n".join(self.comment)
        self.comment = []
        return said


def _record(lines: Sequence[_Line]) -> Record:
    first, told = next((line for line in lines if not line[1].startswith("#")), lines[0])
    if not _is_game_tag(told):
        raise BadNotation(f'line {first}: a record begins with its game, such as [Game "diablo"]')
    draft = _Draft()
    for number, line in lines:
        if line.startswith("#"):
            draft.comment.append(line[1:].strip())
        elif line.startswith(ON):
            _go_on(draft, number, line)
        elif _is_turn(draft, number, line):
            _comment_beside(draft, line)
        elif draft.turn_to_come > 1:
            raise BadNotation(f"line {number}: {quoted(line)} is neither a turn nor a comment")
        else:
            _note_tag(draft.tags, number, line)
    draft.close()
    tags, begin = draft.tags, lines[0][0]
    if "Size" not in tags:
        raise BadNotation(f'line {begin}: the record has no size, such as [Size "8"]')
    return Record(
        game=tags.pop("Game"),
        size=tags.pop("Size"),
        turns=tuple(draft.turns),
        result=tags.pop("Result", UNFINISHED),
        reason=tags.pop("Reason", ""),
        start=tags.pop("Start", ""),
        begun=tags.pop("Begun", ""),
        tags=tuple(tags.items()),
        comment=draft.own,
        line=begin,
    )


def _comment_beside(draft: _Draft, line: str) -> None:
    _, is_there, said = line.partition("#")
    if is_there:
        draft.comment.append(said.strip())


def _is_turn(draft: _Draft, number: int, line: str) -> bool:
    """Whether a line begins a turn; if so, it is begun."""
    head = _HEAD.match(line)
    found = head and _ROLLED.fullmatch(" ".join(head[1].split()))
    if head is None or found is None:
        return False
    if int(found[1]) != draft.turn_to_come:
        raise BadNotation(f"line {number}: this is turn {draft.turn_to_come}, not {int(found[1])}")
    dice = () if found[3] == "-" else tuple(int(pips) for pips in found[3].split("-"))
    draft.begin(Turn(found[2], dice, line=number), head[2] or "")
    draft.act(_actions(line[head.end() :], number))
    return True


def _go_on(draft: _Draft, number: int, line: str) -> None:
    if draft.turn_to_come == 1:
        raise BadNotation(f"line {number}: there is no turn above to go on with")
    draft.go_on()
    draft.act(_actions(line.removeprefix(ON), number))
    _comment_beside(draft, line)


def _actions(text: str, number: int) -> list[tuple[str, str]]:
    """The actions in a line up to its comment, each with its time."""
    text = text.partition("#")[0].strip()
    pairs = [_action(each.strip()) for each in text.split(";")] if text else []
    if any(not action for action, _ in pairs):
        raise BadNotation(f"line {number}: an action is missing beside a ';'")
    return pairs


def _action(text: str) -> tuple[str, str]:
    action, _, at = text.rpartition("@")
    if action.strip() and re.fullmatch(_ELAPSED, at.strip()):
        return action.strip(), at.strip()
    return text, ""


def _note_tag(tags: dict[str, str], number: int, line: str) -> None:
    tag = _TAG.fullmatch(line)
    if tag is None:
        raise BadNotation(f"line {number}: {quoted(line)} is neither a tag, a turn nor a comment")
    if tag[1] in tags:
        raise BadNotation(f"line {number}: the tag {shortened(tag[1])} is here twice")
    try:
        tags[tag[1]] = json.loads(tag[2])
    except ValueError:
        raise BadNotation(f"line {number}: {quoted(tag[2])} is no text in quotes") from None


def read_json_lines(text: str) -> tuple[Record, ...]:
    """Every game of a file with one JSON object a line; raises BadNotation with the line and what is wrong there."""
    return tuple(map(_good, _each_json_line(text)))


def _each_json_line(text: str) -> Iterator[Record | Unread]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield read_json(line, number)


def read_json(text: str, line: int) -> Record | Unread:
    """The game that one line of JSON is."""
    try:
        return _json_record(text, line)
    except BadNotation as error:
        return Unread(line, str(error))


def _json_record(text: str, line: int) -> Record:
    try:
        found: _Json = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadNotation(f"line {line}: this is not JSON: {error}") from None
    match found:
        case {"game": str(game), "n": int(size), "turns": [*turns]} if type(size) is int:
            return _json_game(game, str(size), turns, found, line)
        case {"game": str(game), "grid": str(grid), "turns": [*turns]}:
            return _json_game(game, grid.removeprefix("hexhex-"), turns, found, line)
        case _:
            raise BadNotation(f"line {line}: a game needs its 'game', 'n' or 'grid', and a list of 'turns'")


def _json_game(game: str, size: str, turns: list[_Json], found: _Json, line: int) -> Record:
    match found:
        case {"winner": str(winner)}:
            result = winner
        case {"winner": winner} if winner is not None:
            raise BadNotation(f"line {line}: the winner must be named by a text")
        case _:
            result = UNFINISHED
    played = tuple(_json_turn(turn, number, line) for number, turn in enumerate(turns, 1))
    return Record(game, size, played, result, line=line)


def _json_turn(found: _Json, number: int, line: int) -> Turn:
    match found:
        case {"number": int(written), "player": str(player), "dice": [*dice], "actions": [*actions]} if (
            type(written) is int
        ):
            if written != number:
                raise BadNotation(f"line {line}: this is turn {number}, not {shortened(str(written))}")
            pips = tuple(die for die in dice if type(die) is int)
            texts = tuple(action for action in actions if isinstance(action, str))
            if len(pips) == len(dice) and len(texts) == len(actions):
                return Turn(player, pips, texts, line=line)
        case _:
            pass
    raise BadNotation(f"line {line}: turn {number} needs 'number', 'player', numbers as 'dice', texts as 'actions'")


# ------------------------------------------------------------------------------------------------- play


def account(game: Game[A], record: Record) -> Account[A]:
    """The game that a record tells of, every roll and action of it checked against the rules.

    Raises BadNotation for text that means nothing in this game and IllegalAction for what its rules do not
    allow, both with the line and the turn.
    """
    if (record.game, record.size) != (game.name, game.size):
        of = f"{record.game} {record.size}"
        raise BadNotation(f"line {record.line}: this is {shortened(of)}, not {game.name} {game.size}")
    start = _start(game, record)
    begun = times.read(record.begun)
    state, side = start, _first(game, start)
    steps: list[Step[A]] = []
    for number, turn in enumerate(record.turns, 1):
        try:
            for step in _steps(game, state, side, turn, begun):
                steps.append(step)
                state = state.apply(step.action)
        except (BadNotation, IllegalAction) as error:
            raise type(error)(f"line {turn.line}: turn {number}: {error}") from None
        side = side.other
    return Account(
        game=game,
        start=start,
        steps=tuple(steps),
        tags={name: tidy_tag(value) for name, value in record.tags},
        begun=begun,
        result=_checked_result(game, state, record),
        reason=tidy_tag(record.reason),
        comment=tidy(record.comment),
        line=record.line,
    )


def _start(game: Game[A], record: Record) -> State[A]:
    if not record.start:
        return game.start()
    try:
        return game.load(record.start)
    except BadNotation as error:
        raise BadNotation(f"line {record.line}: Start: {error}") from None


def _first(game: Game[A], start: State[A]) -> Side:
    """The side that begins; from then on the turns alternate, even where one has no action."""
    after = (start.apply(roll).to_act for roll in start.chance())
    acting = (side for side in (start.to_act, *after) if side and side is not Side.CHANCE)
    return next(acting, next(iter(game.sides)))


def _steps(game: Game[A], state: State[A], side: Side, turn: Turn, begun: float) -> Iterator[Step[A]]:
    """The turn's roll and actions, each read in the position that the ones before it lead to."""
    if _sides_by_name(game).get(turn.side.lower()) is not side:
        raise BadNotation(f"it is the turn of {game.sides[side]}, not of {shortened(turn.side)}")
    if state.outcome is not None:
        raise IllegalAction("the game is already over")
    moments = [(begun and times.after(begun, at)) or 0.0 for at in turn.times] or [0.0] * (1 + len(turn.actions))
    said = {at: tidy(text) for at, text in (*turn.asides, (len(turn.actions), turn.comment))}
    if turn.dice:
        roll = _fallen(state, turn.dice)
        yield Step(roll, moments[0], said.get(0, ""))
        state = state.apply(roll)
    elif state.to_act is Side.CHANCE:
        raise IllegalAction("the dice must be told: it begins with a roll")
    for number, text in enumerate(turn.actions, 1):
        action = _read_action(game, state, text)
        yield Step(action, moments[number], said.get(number, ""))
        state = state.apply(action)


def _fallen(state: State[A], dice: tuple[int, ...]) -> Roll:
    if state.to_act is not Side.CHANCE:
        raise IllegalAction("the turn before is not finished")
    roll = Roll(dice)
    if roll not in state.chance():
        raise IllegalAction(f"the dice cannot show {shortened(_shown(dice))}")
    return roll


def _read_action(game: Game[A], state: State[A], text: str) -> A | Correction:
    verb, _, heights = text.partition(" ")
    if verb != RECOUNT:
        return game.parse(state, text)
    return journal.action_of(game, state, Line(RECOUNT, heights))  # pyright: ignore[reportReturnType]  # such a line is nothing else


def transcribe(
    game: Game[A],
    played: Iterable[A | Roll | Correction],
    *,
    tags: Sequence[tuple[str, str]] = (),
    comment: str = "",
) -> Record:
    """The record of rolls and actions from the start, unfinished turns and games included.

    Raises IllegalAction for a step that the rules do not allow.
    """
    account = Account(game, game.start(), tuple(map(Step, played)), dict(tags), comment=comment)
    state = account.past.state
    return record_of(
        replace(account, result=accounts.result_of(state), reason=state.outcome.reason if state.outcome else "")
    )


def record_of(account: Account[A]) -> Record:
    """The record of a game, unfinished turns and games included."""
    game, past = account.game, account.past
    steps = account.steps
    # A recount before the first turn has no turn to stand in: it is part of the position.
    begins = next((at for at, step in enumerate(steps) if not isinstance(step.action, Correction)), len(steps))
    start = past.entries[begins].before if begins < len(steps) else past.state
    side, turns = _first(game, start), list[_Written]()
    for entry, step in zip(past.entries[begins:], steps[begins:], strict=True):
        if isinstance(step.action, Roll) or not turns:
            turns.append(_Written(game.sides[side]))
            side = side.other
        turns[-1].add(journal.line_of(game, entry.before, step.action, 0.0), step, account.begun)
    return Record(
        game.name,
        game.size,
        tuple(turn.turn for turn in turns),
        _result_text(game, account.result),
        account.reason,
        tuple(account.tags.items()),
        account.comment,
        "" if game.dump(start) == game.dump(game.start()) else game.dump(start),
        times.moment(account.begun).isoformat().replace("+00:00", "Z") if account.begun else "",
    )


class _Written:
    """A turn while it is written."""

    def __init__(self, side: str) -> None:
        self._side = side
        self._dice: tuple[int, ...] = ()
        self._actions: list[str] = []
        self._said: dict[int, str] = {}
        self._times = [""]

    def add(self, line: Line, step: Step[A], begun: float) -> None:
        """One step more, as the line of a journal tells it."""
        at = times.elapsed(begun, step.at) if begun and step.at else ""
        if isinstance(step.action, Roll):
            self._dice = step.action.dice
            self._times = [at]
        else:
            self._actions.append(f"{RECOUNT} {line.text}" if line.kind == RECOUNT else line.text)
            self._times.append(at)
        self._said[len(self._actions)] = step.comment

    @property
    def turn(self) -> Turn:
        """What was added, as a turn."""
        last = len(self._actions)
        return Turn(
            self._side,
            self._dice,
            tuple(self._actions),
            self._said[last],
            tuple((at, said) for at, said in self._said.items() if said and at < last),
            tuple(self._times) if any(self._times) else (),
        )


def _shown(dice: tuple[int, ...]) -> str:
    return "-".join(map(str, dice))


def _sides_by_name(game: Game[A]) -> Mapping[str, Side]:
    """The sides by colour, by its initial, and by order, as the forms of text name them."""
    names: dict[str, Side] = {}
    for number, (side, colour) in enumerate(game.sides.items(), 1):
        names |= dict.fromkeys((colour.lower(), colour[0].lower(), str(number)), side)
    return names


def _result_text(game: Game[A], result: str) -> str:
    by_side = {side.value: colour for side, colour in game.sides.items()}
    return {**by_side, accounts.DRAW: DRAW}.get(result, UNFINISHED)


def _checked_result(game: Game[A], state: State[A], record: Record) -> str:
    """The result, which may say more than the play, where somebody gave up, but nothing else."""
    results = {UNFINISHED: accounts.UNKNOWN, DRAW: accounts.DRAW}
    results |= {name: side.value for name, side in _sides_by_name(game).items()}
    written = results.get(record.result.lower())
    if written is None:
        known = ", ".join((*game.sides.values(), DRAW))
        raise BadNotation(f"line {record.line}: the result {quoted(record.result)} is none of {known} and {UNFINISHED}")
    played = accounts.result_of(state)
    if written and played and written != played:
        told, ended = _result_text(game, written), _result_text(game, played)
        raise BadNotation(f"line {record.line}: the result says {told}, but the game ends with {ended}")
    return played or written
