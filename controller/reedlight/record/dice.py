"""A game with dice as text: the Reedlight record, in and out, and the one-line JSON of known right answers, in.

    [Game "diablo"]
    [Size "4"]
    [Black "Ada"]
    [Green "computer, level 2"]
    [Date "2026-11-30"]
    [Result "Black"]
    [Reason "Green has no checkers left"]
    # Played in the kitchen.

    1. Black 2-1: capture 1 b2-b1
    2. Green 2-1: capture 1 b3-a3; merge 2 a4-a2  # two at once
    # Comments on lines of their own go on with the turn before them.

A record begins with its ``Game`` tag, so a file may hold several. ``Game`` and ``Size`` are the options
that make the game; ``Result`` is the winner's colour, ``draw``, or ``*`` while nobody has won; any further
tag is kept as it is. A tag's value is a JSON string. Then one line a turn: its number, the side, the dice
in the order they fell, and the actions in the game's own notation, parted by ``;``. A turn may have fewer
actions than its dice promise, and the last one may be unfinished. ``#`` begins a comment.

The JSON form has one game a line: ``{"game": "diablo", "n": 4, "turns": [{"number": 1, "player": "B",
"dice": [2, 1], "actions": ["capture 1 b2-b1"]}]}``; a game on hexagons has ``"grid": "hexhex-3"`` in
place of ``n``, and ``"winner"`` may be there.

Reading checks the form and ``replay`` the play; both name the line. This module is handed its game and
knows the rules of none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeAlias, TypeVar

from reedlight.core.game import BadNotation, Game, IllegalAction, Roll, Side, State
from reedlight.core.quoting import quoted, shortened

A = TypeVar("A", bound=Hashable)
_Json: TypeAlias = "bool | int | float | str | list[_Json] | dict[str, _Json] | None"

UNFINISHED = "*"
"""The result of a game that nobody has won yet."""
DRAW = "draw"
"""The result of a game that nobody wins."""

_TAG = re.compile(r"""\[([^\s"\[\]]+(?: [^\s"\[\]]+)*)\s+(".*")\]""")
_TURN = re.compile(r"([0-9]{1,9})\.\s+([^\s#](?:[^#]*?[^\s#])?)\s+([0-9]{1,3}(?:-[0-9]{1,3})*)\s*:([^#]*)(?:#(.*))?")


@dataclass(frozen=True, slots=True)
class Turn:
    """One roll and what was made of it: the side's name, the dice, the actions in notation, a comment."""

    side: str
    dice: tuple[int, ...]
    actions: tuple[str, ...] = ()
    comment: str = ""
    line: int = field(default=0, compare=False)
    """Where the turn stands in its file, counted from 1; 0 where it comes from none."""


@dataclass(frozen=True, slots=True)
class Record:
    """One game as it was written down; ``replay`` tells whether it can have been played."""

    game: str
    size: str
    turns: tuple[Turn, ...] = ()
    result: str = UNFINISHED
    reason: str = ""
    tags: tuple[tuple[str, str], ...] = ()
    """Players by colour, the date and whatever else was noted, in order."""
    comment: str = ""
    line: int = field(default=0, compare=False)
    """Where the record begins in its file."""


# ----------------------------------------------------------------------------------------------- writing


def write(records: Iterable[Record]) -> str:
    """The records as the text of one file."""
    return "\n".join("".join(f"{line}\n" for line in _lines(record)) for record in records)


def _lines(record: Record) -> Iterator[str]:
    reason = (("Reason", record.reason),) if record.reason else ()
    tags = (("Game", record.game), ("Size", record.size), *record.tags, ("Result", record.result), *reason)
    for name, value in tags:
        yield f"[{name} {json.dumps(value, ensure_ascii=False)}]"
    yield from _comment_lines(record.comment)
    if record.turns:
        yield ""
    for number, turn in enumerate(record.turns, 1):
        yield from _turn_lines(number, turn)


def _turn_lines(number: int, turn: Turn) -> Iterator[str]:
    beside, *below = _comment_lines(turn.comment) or [""]
    played = f"{number}. {turn.side} {_shown(turn.dice)}: {'; '.join(turn.actions)}".rstrip()
    yield f"{played}  {beside}".rstrip()
    yield from below


def _comment_lines(comment: str) -> list[str]:
    return [f"# {line}".rstrip() for line in comment.split("\n")] if comment else []


# ----------------------------------------------------------------------------------------------- reading


def read(text: str) -> tuple[Record, ...]:
    """Every game of a file in either form; raises BadNotation with the line and what is wrong there."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return read_json_lines(text) if text.lstrip().startswith("{") else read_records(text)


def read_records(text: str) -> tuple[Record, ...]:
    """Every Reedlight record of a file; raises BadNotation with the line and what is wrong there."""
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
    return tuple(_record(block) for block in _blocks([(number, line) for number, line in lines if line]))


_Line = tuple[int, str]
"""A line's number, and the line without the blanks around it."""


def _blocks(lines: Sequence[_Line]) -> Iterator[Sequence[_Line]]:
    """The lines of each record; comments above the first one are its own."""
    begins = [at for at, (_, line) in enumerate(lines) if _is_game_tag(line)]
    for number, line in lines[: begins[0] if begins else None]:
        if not line.startswith("#"):
            raise BadNotation(f'line {number}: a record begins with its game, such as [Game "diablo"]')
    for begin, end in pairwise((0, *begins[1:], len(lines)) if begins else ()):
        yield lines[begin:end]


def _is_game_tag(line: str) -> bool:
    tag = _TAG.fullmatch(line)
    return tag is not None and tag[1] == "Game"


def _record(lines: Sequence[_Line]) -> Record:
    tags: dict[str, str] = {}
    turns: list[Turn] = []
    comments: list[list[str]] = [[]]
    for number, line in lines:
        if line.startswith("#"):
            comments[-1].append(line[1:].strip())
        elif turn := _TURN.fullmatch(line):
            turns.append(_turn(turn, len(turns) + 1, number))
            comments.append([] if turn[5] is None else [turn[5].strip()])
        elif turns:
            raise BadNotation(f"line {number}: {quoted(line)} is neither a turn nor a comment")
        else:
            _note_tag(tags, number, line)
    begin = lines[0][0]
    if "Size" not in tags:
        raise BadNotation(f'line {begin}: the record has no size, such as [Size "8"]')
    own, *of_turns = ("\n".join(comment) for comment in comments)
    return Record(
        game=tags.pop("Game"),
        size=tags.pop("Size"),
        turns=tuple(replace(turn, comment=comment) for turn, comment in zip(turns, of_turns, strict=True)),
        result=tags.pop("Result", UNFINISHED),
        reason=tags.pop("Reason", ""),
        tags=tuple(tags.items()),
        comment=own,
        line=begin,
    )


def _turn(found: re.Match[str], expected: int, line: int) -> Turn:
    if int(found[1]) != expected:
        raise BadNotation(f"line {line}: this is turn {expected}, not {int(found[1])}")
    dice = tuple(int(pips) for pips in found[3].split("-"))
    actions = tuple(action.strip() for action in found[4].split(";")) if found[4].strip() else ()
    if "" in actions:
        raise BadNotation(f"line {line}: an action is missing beside a ';'")
    return Turn(found[2], dice, actions, line=line)


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
    return tuple(_json_record(line, at) for at, line in enumerate(text.split("\n"), 1) if line.strip())


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


def replay(game: Game[A], record: Record) -> list[A | Roll]:
    """The rolls and actions of a record from the start, every one of them checked against the rules.

    Raises BadNotation for text that means nothing in this game and IllegalAction for what its rules do not
    allow, both with the line and the turn.
    """
    if (record.game, record.size) != (game.name, game.size):
        of = f"{record.game} {record.size}"
        raise BadNotation(f"line {record.line}: this is {shortened(of)}, not {game.name} {game.size}")
    state, side = game.start(), _first(game)
    played: list[A | Roll] = []
    for number, turn in enumerate(record.turns, 1):
        try:
            for step in _steps(game, state, side, turn):
                played.append(step)
                state = state.apply(step)
        except (BadNotation, IllegalAction) as error:
            raise type(error)(f"line {turn.line}: turn {number}: {error}") from None
        side = side.other
    _check_result(game, state, record)
    return played


def transcribe(
    game: Game[A], played: Iterable[A | Roll], *, tags: Sequence[tuple[str, str]] = (), comment: str = ""
) -> Record:
    """The record of rolls and actions from the start, unfinished turns and games included.

    Raises IllegalAction for a step that the rules do not allow.
    """
    state, side = game.start(), _first(game)
    turns: list[Turn] = []
    for step in played:
        after = state.apply(step)
        if isinstance(step, Roll):
            turns.append(Turn(game.sides[side], step.dice))
            side = side.other
        else:
            turns[-1] = replace(turns[-1], actions=(*turns[-1].actions, game.notate(state, step)))
        state = after
    reason = "" if state.outcome is None else state.outcome.reason
    return Record(game.name, game.size, tuple(turns), _result(game, state), reason, tuple(tags), comment)


def _first(game: Game[A]) -> Side:
    """The side that begins; from then on the turns alternate, even where one has no action."""
    return next(iter(game.sides))


def _steps(game: Game[A], state: State[A], side: Side, turn: Turn) -> Iterator[A | Roll]:
    """The turn's roll and actions, each read in the position that the ones before it lead to."""
    if _sides_by_name(game).get(turn.side.lower()) is not side:
        raise BadNotation(f"it is the turn of {game.sides[side]}, not of {shortened(turn.side)}")
    if state.outcome is not None:
        raise IllegalAction("the game is already over")
    if state.to_act is not Side.CHANCE:
        raise IllegalAction("the turn before is not finished")
    roll = Roll(turn.dice)
    if roll not in state.chance():
        raise IllegalAction(f"the dice cannot show {shortened(_shown(turn.dice))}")
    yield roll
    state = state.apply(roll)
    for text in turn.actions:
        action = game.parse(state, text)
        yield action
        state = state.apply(action)


def _shown(dice: tuple[int, ...]) -> str:
    return "-".join(map(str, dice))


def _sides_by_name(game: Game[A]) -> Mapping[str, Side]:
    """The sides by colour, by its initial, and by order, as the forms of text name them."""
    names: dict[str, Side] = {}
    for number, (side, colour) in enumerate(game.sides.items(), 1):
        names |= dict.fromkeys((colour.lower(), colour[0].lower(), str(number)), side)
    return names


def _result(game: Game[A], state: State[A]) -> str:
    if state.outcome is None:
        return UNFINISHED
    return DRAW if state.outcome.winner is None else game.sides[state.outcome.winner]


def _check_result(game: Game[A], state: State[A], record: Record) -> None:
    """A result may say more than the play, where somebody gave up, but nothing else."""
    results = {UNFINISHED: UNFINISHED, DRAW: DRAW}
    results |= {name: game.sides[side] for name, side in _sides_by_name(game).items()}
    written = results.get(record.result.lower())
    if written is None:
        known = ", ".join((*game.sides.values(), DRAW))
        raise BadNotation(f"line {record.line}: the result {quoted(record.result)} is none of {known} and {UNFINISHED}")
    played = _result(game, state)
    if UNFINISHED not in (written, played) and written != played:
        raise BadNotation(f"line {record.line}: the result says {written}, but the game ends with {played}")
