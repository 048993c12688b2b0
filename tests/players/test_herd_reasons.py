"""What Herd's player says about an action is true: each sentence is read and held against the rules alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from reedlight.core.game import Roll, Side
from reedlight.core.grid import Cell
from reedlight.games.herd import Action, Herd, Phase, Place, Remove, make
from reedlight.players.herd import mind
from reedlight.players.player import Worth

NUMBERS = {"no": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
SIDES = {"Red": Side.LIGHT, "Blue": Side.DARK}


def placing(state: Herd, side: Side) -> Herd:
    """The same stones with this side to place."""
    return replace(state, mover=side, phase=Phase.PLACE, rolled=(6, 6), to_remove=0, to_place=6, opening=False)


def open_to(state: Herd, side: Side) -> set[Cell]:
    return {action.cell for action in placing(state, side).legal_actions()}


def takers(state: Herd, cell: Cell) -> list[Action]:
    """The placements that would take the stone on the cell."""
    other = placing(state, state.pieces()[cell].side.other)
    return [action for action in other.legal_actions() if cell in other.captured(action)]


def friends(state: Herd, cell: Cell) -> int:
    pieces = state.pieces()
    beside = state.board.grid.neighbours[cell]
    return sum(each in pieces and pieces[each].side is pieces[cell].side for each in beside)


def stones(state: Herd, side: Side) -> int:
    return sum(piece.side is side for piece in state.pieces().values())


def number(word: str) -> int:
    return NUMBERS[word] if word in NUMBERS else int(word)


# --------------------------------------------------------------- the sentences, and when each is true

Check = Callable[[Herd, Action, Herd, re.Match[str]], bool]


def takes_one(state: Herd, action: Action, after: Herd, said: re.Match[str]) -> bool:
    cell = Cell(said[1])
    gone = cell in state.pieces() and cell not in after.pieces()
    another = after.phase is Phase.PLACE and after.mover is state.mover and after.to_place == state.to_place
    return gone and another and isinstance(action, Place)


def takes_several(state: Herd, _action: Action, after: Herd, said: re.Match[str]) -> bool:
    gone = len(state.pieces().keys() - after.pieces().keys())
    return gone == number(said[1]) > 1 and after.to_place == state.to_place - 1 + gone


def saves(state: Herd, _action: Action, after: Herd, said: re.Match[str]) -> bool:
    cell = Cell(said[1])
    own = state.pieces()[cell].side is state.mover
    return own and not friends(state, cell) and bool(takers(state, cell)) and not takers(after, cell)


def saves_several(state: Herd, _action: Action, after: Herd, said: re.Match[str]) -> bool:
    own = [cell for cell, piece in state.pieces().items() if piece.side is state.mover]
    return number(said[1]) == sum(bool(takers(state, cell)) and not takers(after, cell) for cell in own)


def closes(state: Herd, action: Action, after: Herd, said: re.Match[str]) -> bool:
    closed = open_to(state, SIDES[said[2]]) - open_to(after, SIDES[said[2]]) - {action.cell}
    return SIDES[said[2]] is not state.mover and closed == {Cell(said[1])}


def closes_several(state: Herd, action: Action, after: Herd, said: re.Match[str]) -> bool:
    closed = open_to(state, SIDES[said[2]]) - open_to(after, SIDES[said[2]]) - {action.cell}
    return SIDES[said[2]] is not state.mover and len(closed) == number(said[1]) > 1


def hunts(state: Herd, _action: Action, after: Herd, said: re.Match[str]) -> bool:
    cell = Cell(said[1])
    return after.pieces()[cell].side is not state.mover and not friends(after, cell) and len(takers(after, cell)) == 1


def befriends(state: Herd, _action: Action, after: Herd, said: re.Match[str]) -> bool:
    cell = Cell(said[1])
    return state.pieces()[cell].side is state.mover and not friends(state, cell) and friends(after, cell) == 1


def befriends_several(state: Herd, action: Action, _after: Herd, said: re.Match[str]) -> bool:
    pieces, beside = state.pieces(), state.board.grid.neighbours[action.cell]
    own = [cell for cell in beside if cell in pieces and pieces[cell].side is state.mover]
    return number(said[1]) == sum(not friends(state, cell) for cell in own) > 1


def is_safe(_state: Herd, action: Action, after: Herd, _said: re.Match[str]) -> bool:
    return friends(after, action.cell) > 0 and not takers(after, action.cell)


def stands_alone(_state: Herd, action: Action, after: Herd, said: re.Match[str]) -> bool:
    free = sum(cell not in after.pieces() for cell in after.board.grid.neighbours[action.cell])
    return not friends(after, action.cell) and free == number(said[1])


def wins(_state: Herd, _action: Action, after: Herd, said: re.Match[str]) -> bool:
    side = SIDES[said[1]]
    counted = (stones(after, side), stones(after, side.other)) == (int(said[2]), int(said[3]))
    return counted and after.outcome is not None and after.outcome.winner is side


def draws(_state: Herd, _action: Action, after: Herd, said: re.Match[str]) -> bool:
    drawn = after.outcome is not None and after.outcome.winner is None
    return drawn and all(stones(after, side) == int(said[1]) for side in SIDES.values())


def is_last(state: Herd, _action: Action, _after: Herd, _said: re.Match[str]) -> bool:
    return len(state.legal_actions()) == 1


def opens(state: Herd, action: Action, after: Herd, said: re.Match[str]) -> bool:
    opened = open_to(after, state.mover) - open_to(state, state.mover) - {action.cell}
    return SIDES[said[2]] is state.mover and opened == {Cell(said[1])}


def opens_several(state: Herd, action: Action, after: Herd, said: re.Match[str]) -> bool:
    opened = open_to(after, state.mover) - open_to(state, state.mover) - {action.cell}
    return SIDES[said[2]] is state.mover and len(opened) == number(said[1]) > 1


def makes_room(state: Herd, action: Action, after: Herd, said: re.Match[str]) -> bool:
    mine = SIDES[said[1].capitalize()] is state.mover
    return mine and Cell(said[2]) == action.cell and action.cell in open_to(after, state.mover)


def leaves_alone(state: Herd, _action: Action, after: Herd, said: re.Match[str]) -> bool:
    cell = Cell(said[1])
    return after.pieces()[cell].side is not state.mover and friends(state, cell) == 1 and not friends(after, cell)


def leaves_several_alone(state: Herd, _action: Action, after: Herd, said: re.Match[str]) -> bool:
    return number(said[1]) == sum(friends(state, cell) == 1 and not friends(after, cell) for cell in after.pieces())


def leaves_so_many(state: Herd, _action: Action, after: Herd, said: re.Match[str]) -> bool:
    side = SIDES[said[1]]
    counted = (stones(after, side), stones(after, state.mover)) == (number(said[2]), int(said[3]))
    return counted and side is not state.mover


CELL = r"(-?\d+,-?\d+)"
TRUE_OF_PLACING: dict[str, Check] = {
    rf"surrounds {CELL} and gives another stone to place": takes_one,
    r"surrounds (\w+) stones and gives as many more to place": takes_several,
    r"fills the board: (\w+) wins, (\d+) to (\d+)": wins,
    r"fills the board: a draw, (\d+) stones each": draws,
    r"the last open cell": is_last,
    rf"saves the lone stone on {CELL}": saves,
    r"saves (\w+) lone stones": saves_several,
    rf"closes {CELL} to (\w+)": closes,
    r"closes (\w+) cells to (\w+)": closes_several,
    rf"leaves the lone stone on {CELL} one open cell": hunts,
    rf"gives the lone stone on {CELL} a friend": befriends,
    r"gives (\w+) lone stones a friend": befriends_several,
    r"no placement can surround this stone": is_safe,
    r"stands alone, with (\w+) open cells? around it": stands_alone,
}
TRUE_OF_REMOVING: dict[str, Check] = {
    rf"saves the lone stone on {CELL}: one stone no longer takes it": saves,
    rf"opens {CELL}, which was closed to (\w+)": opens,
    r"opens (\w+) cells that were closed to (\w+)": opens_several,
    rf"makes room for a (\w+) stone on {CELL}": makes_room,
    rf"leaves the stone on {CELL} alone": leaves_alone,
    r"leaves (\w+) stones alone": leaves_several_alone,
    r"leaves (\w+) (\w+) stones? against (\d+)": leaves_so_many,
}


def is_true(state: Herd, action: Action, sentence: str) -> bool:
    """Whether the rules bear the sentence out; one that is none of the known ones is not."""
    known = TRUE_OF_PLACING if isinstance(action, Place) else TRUE_OF_REMOVING
    for pattern, check in known.items():
        if found := re.fullmatch(pattern, sentence):
            return check(state, action, state.apply(action), found)
    return False


# ------------------------------------------------------------------------------------------ stories


def lines(state: Herd, rng: Random) -> tuple[Action, ...]:
    """A turn as it might go on: the removed cells are filled again."""
    return tuple(Place(action.cell) for action in state.legal_actions() if rng.random() < 0.3)


@pytest.mark.parametrize("size", ["2", "3", "4", "5", "square-4x4", "brick-4x5", "square-2x2"])
def test_whatever_is_said_of_any_action_of_random_games_is_true_and_short(size: str) -> None:
    game = make(size)
    player, rng, said = mind(game), Random(size), 0
    for _ in range(2):
        state = game.start()
        while state.to_act is not None:
            assert isinstance(state, Herd)
            if state.to_act is Side.CHANCE:
                state = state.apply(Roll((rng.randint(1, 6), rng.randint(1, 6))))
                continue
            actions = state.legal_actions()
            for action in rng.sample(actions, min(5, len(actions))):
                sentence = player.explain(state, Worth(action, 0.5, lines(state, rng)))
                assert is_true(state, action, sentence), (game.dump(state), action, sentence)
                assert len(sentence) <= 70
                said += 1
            state = state.apply(rng.choice(actions))
    assert said


def state_of(size: str, rows: str, turn: str) -> Herd:
    state = make(size).load(f"{size} {rows} {turn}")
    assert isinstance(state, Herd)
    return state


# Rows are told from the far edge; the middle one of side 3 is row 0, from -2,0 to 2,0.
STORIES = {
    "a stone closes the ring": (
        "3 .../.RR./.RB../.RR./...", "red place 5-3 0 4 -", "place 1,0",
        "surrounds 0,0 and gives another stone to place",
    ),
    "a lone stone is about to be taken": (
        "3 .../.BB./.BR../.BB./...", "red place 5-3 0 4 -", "place 1,0", "saves the lone stone on 0,0",
    ),
    "a stone around a lone one is taken off": (
        "3 .../.BB./.BR../.BB./...", "red remove 5-3 1 5 -", "remove -1,0",
        "saves the lone stone on 0,0: one stone no longer takes it",
    ),
    "a cell is walled off": (
        "3 .../.RR./.R.../.RR./...", "red place 5-3 0 4 -", "place 1,0", "closes 0,0 to Blue",
    ),
    "a wall is opened": (
        "3 .../.BB./.B.B./.BB./...", "red remove 5-3 1 5 -", "remove 1,0", "opens 0,0, which was closed to Red",
    ),
    "a pair is cut": (
        "3 .../..../.BB../..../...", "red remove 5-3 1 5 -", "remove 0,0", "leaves the stone on -1,0 alone",
    ),
    "a stone in company": (
        "3 .../..../.RR../..../...", "red place 5-3 0 4 -", "place 1,0", "no placement can surround this stone",
    ),
    "a stone by itself": (
        "3 .../..../...../..../...", "red place 5-3 0 4 -", "place 0,0", "stands alone, with six open cells around it",
    ),
}  # fmt: skip


@pytest.mark.parametrize("story", STORIES)
def test_the_most_telling_effect_is_told(story: str) -> None:
    rows, turn, text, sentence = STORIES[story]
    size, rows = rows.split()
    state = state_of(size, rows, turn)
    action = make(size).parse(state, text)
    assert mind(make(size)).explain(state, Worth(action, 0.5)) == sentence


def test_a_cell_that_is_filled_again_is_said_to_be_made_room_on() -> None:
    state = state_of("3", ".../..../.BB../..../...", "red remove 5-3 1 5 -")
    cell = Cell("0,0")
    assert (
        mind(make("3")).explain(state, Worth(Remove(cell), 0.5, (Place(cell),))) == "makes room for a red stone on 0,0"
    )


def test_what_is_not_so_is_called_untrue() -> None:
    state = state_of("3", ".../.RR./.RB../.RR./...", "red place 5-3 0 4 -")
    action = Place(Cell("1,0"))
    for untrue in (
        "surrounds 1,1 and gives another stone to place",
        "surrounds two stones and gives as many more to place",
        "the last open cell",
        "closes 0,0 to Red",
        "closes two cells to Blue",
        "stands alone, with six open cells around it",
        "wins the game",
    ):
        assert not is_true(state, action, untrue)
    assert is_true(state, action, "surrounds 0,0 and gives another stone to place")
