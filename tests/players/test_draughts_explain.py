"""What the player says a move is for: every sentence over many games is checked against the rules anew."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from random import Random

from reedlight.core.game import Kind, Side
from reedlight.core.grid import Cell
from reedlight.games.draughts import Draughts, Move, make
from reedlight.games.draughts.rules import begin
from reedlight.players.draughts import mind
from reedlight.players.draughts.explain import COUNTED
from reedlight.players.player import Worth

GAME = make("8")
MIND = mind(GAME)
LONGEST = 70


def said(state: Draughts, move: Move) -> str:
    return MIND.explain(state, Worth(move, 0.0))


def explained(text: str, move: str) -> str:
    state = GAME.load(text)
    return said(state, GAME.parse(state, move))


# ------------------------------------------------------------------------------------ the same facts, found otherwise


def counted(words: str) -> tuple[int, int]:
    """Men and kings in a phrase such as ``two men and a king``."""
    men = re.search(r"(\w+) m[ae]n", words)
    kings = re.search(r"(\w+) kings?", words)
    return (COUNTED.index(men[1]) if men else 0), (
        0 if not kings else 1 if kings[1] == "a" else COUNTED.index(kings[1])
    )


def kinds(state: Draughts, cells: tuple[Cell, ...]) -> tuple[int, int]:
    pieces = [state.pieces()[cell].kind for cell in cells]
    return pieces.count(Kind.MAN), pieces.count(Kind.KING)


def most(state: Draughts) -> int:
    return max((len(move.taken) for move in state.legal_actions()), default=0)


def could_take(state: Draughts, side: Side, start: str, end: str) -> bool:
    turned = begin(state.position, side)
    return any((move.start, move.end) == (start, end) and move.taken for move in turned.legal_actions())


def holds(state: Draughts, move: Move, sentence: str) -> bool:
    """Whether the sentence is true."""
    if sentence.startswith("the only move: "):
        return len(state.legal_actions()) == 1 and holds(state, move, sentence.removeprefix("the only move: "))
    after = state.apply(move)
    for pattern, fact in FACTS.items():
        if found := re.fullmatch(pattern, sentence):
            return fact(state, move, after, found)
    return False


def takes(state: Draughts, move: Move, after: Draughts, found: re.Match[str]) -> bool:
    true = counted(found[1]) == kinds(state, move.taken)
    if found[0].endswith("gets a king"):
        true = true and state.pieces()[move.start].kind is Kind.MAN and after.pieces()[move.end].kind is Kind.KING
    if back := re.search(r"gives (\w+) back", found[0]):
        true = true and {len(reply.taken) for reply in after.legal_actions()} == {COUNTED.index(back[1])}
    return true


def gives(_state: Draughts, _move: Move, after: Draughts, found: re.Match[str]) -> bool:
    replies = after.legal_actions()
    lost = {len(reply.taken) for reply in replies}
    true = 0 not in lost
    if found["up"]:
        true = true and max(lost) == COUNTED.index(found["up"]) and len(lost) > 1
    else:
        true = true and lost == {sum(counted(found["lost"]))}
    if found["back"]:
        back = [most(after.apply(reply)) for reply in replies]
        true = true and min(back) == COUNTED.index(found["back"]) and (bool(found["least"]) or len(set(back)) == 1)
    return true


def crowns(state: Draughts, move: Move, after: Draughts, found: re.Match[str]) -> bool:
    was, now = state.pieces()[move.start].kind, after.pieces()[move.end].kind
    true = (was, now, found[1]) == (Kind.MAN, Kind.KING, move.end)
    return true and (not found[2] or all(move.end in reply.taken for reply in after.legal_actions()))


def stops(state: Draughts, _move: Move, after: Draughts, found: re.Match[str]) -> bool:
    other = state.side.other
    return could_take(state, other, found[1], found[2]) and not any(reply.taken for reply in after.legal_actions())


def steps_left(state: Draughts, move: Move) -> int:
    row = int(move.end[1])
    return 8 - row if state.side is Side.LIGHT else row - 1


FACTS: dict[str, Callable[[Draughts, Move, Draughts, re.Match[str]], bool]] = {
    r"wins: (.+)": lambda state, _m, after, found: (
        after.outcome is not None and after.outcome.winner is state.side and found[1] == after.outcome.reason
    ),
    r"ends in a draw: (.+)": lambda _s, _m, after, found: (
        after.outcome is not None and after.outcome.winner is None and found[1] == after.outcome.reason
    ),
    r"wins in (\d+) moves? by the ending table": lambda state, _m, after, found: finished(after, state.side, found[1]),
    r"loses in (\d+) moves? by the ending table": lambda state, _m, after, found: finished(
        after, state.side.other, found[1]
    ),
    r"keeps the draw by the ending table: all else loses|a draw by the ending table": lambda _s, _m, after, _f: (
        abs(MIND.rate(after, Side.LIGHT)) < 1
    ),
    r"takes (.+?)( and gets a king|, gives \w+ back)?": takes,
    r"gives (?:up to (?P<up>\w+)|(?P<lost>[\w ]+?))(?:, takes (?P<least>at least )?(?P<back>\w+))?": gives,
    r"crowns on (\w\d)(, where the king is taken)?": crowns,
    r"stops (\w\d):(\w\d)": stops,
    r"threatens (\w\d):(\w\d)": lambda state, _m, after, found: could_take(after, state.side, found[1], found[2]),
    r"(?:keeps the king|puts a king) on the main road": lambda _s, move, after, _f: (
        after.pieces()[move.end].kind is Kind.KING and "abcdefgh".index(move.end[0]) == int(move.end[1]) - 1
    ),
    r"the king goes to (\w\d)": lambda state, move, _a, found: (
        state.pieces()[move.start].kind is Kind.KING and move.end == found[1]
    ),
    r"(\w+) steps? from the king row": lambda state, move, _a, found: (
        steps_left(state, move) == COUNTED.index(found[1])
    ),
    r"goes towards the king row, (\w+) steps? away": lambda state, move, _a, found: (
        steps_left(state, move) == COUNTED.index(found[1]) and state.pieces()[move.start].kind is Kind.MAN
    ),
    r"leaves the back row at (\w\d)": lambda state, move, _a, found: (
        move.start == found[1] and move.start[1] == ("1" if state.side is Side.LIGHT else "8")
    ),
    r"goes to the edge at (\w\d), where nothing can take it": lambda state, move, after, found: (
        move.end == found[1]
        and move.end[0] in "ah"
        and not any(move.end in reply.taken for reply in after.legal_actions())
        and state.side is not after.side
    ),
}
"""Every sentence there is, and how its truth is found from the rules."""


def finished(after: Draughts, winner: Side, moves: str) -> bool:
    """Whether the side wins in so many moves of its own, that to ``after`` counted if it was its own."""
    won, made = after, 0
    while won.outcome is None:
        made += won.side is winner
        won = won.apply(MIND.choose(won, 6, Random(0), lambda: False).action)
    return won.outcome.winner is winner and made + (after.side is not winner) == int(moves)


# ------------------------------------------------------------------------------------ the tests


def test_every_sentence_over_many_games_is_true_and_short() -> None:
    rng = Random(6)
    heard: Counter[str] = Counter()
    for _ in range(12):
        state = GAME.start()
        while state.outcome is None and state.plies < 160:
            moves = state.legal_actions()
            for move in moves if len(moves) < 9 else rng.sample(moves, 8):
                sentence = said(state, move)
                assert len(sentence) <= LONGEST
                assert not sentence.endswith(".")
                assert holds(state, move, sentence), f"{GAME.dump(state)} {GAME.notate(state, move)}: {sentence}"
                heard[sentence.removeprefix("the only move: ").split()[0]] += 1
            state = state.apply(rng.choice(moves))
    assert {"takes", "gives", "crowns", "stops", "threatens", "leaves", "goes", "keeps", "wins:"} <= heard.keys()


def test_a_false_sentence_is_noticed() -> None:
    state = GAME.start()
    move = GAME.parse(state, "c3-d4")
    for sentence in ("takes one man", "crowns on d4", "gives one man", "stops b6:d4", "the only move: takes one man"):
        assert not holds(state, move, sentence)
    assert not holds(state, move, "is a good move")


def test_what_is_said_of_some_moves() -> None:
    assert explained("W:Wc3,h2:Bb4,d4,f6,h8", "c3:a5") == "takes one man"
    assert explained("W:WKa1,Kc1,Kf2:BKb8", "a1-b2").startswith(("wins in", "a draw", "loses in"))
    assert explained("W:Wa7,h2:Bh6,f8", "a7-b8") == "crowns on b8"
    assert explained("W:Wc3,a1:Bb4,h8", "c3:a5") == "the only move: takes one man"
    assert explained("W:Wc1:Bh8,Ka3", "c1-d2") in {"leaves the back row at c1", "stops a3:d6"}
    assert explained("W:Wc3:Bb4", "c3:a5") == "the only move: wins: Black has no pieces"
