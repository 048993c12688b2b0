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
from reedlight.players.draughts.explain import COLOURS, COUNTED
from reedlight.players.player import Worth

GAME = make("8")
MIND = mind(GAME)
LONGEST = 58


def said(state: Draughts, move: Move, line: tuple[Move, ...] = ()) -> str:
    return MIND.explain(state, Worth(move, 0.0, line))


def explained(text: str, move: str) -> str:
    state = GAME.load(text)
    return said(state, GAME.parse(state, move))


# ------------------------------------------------------------------------------------ the same facts, found otherwise


def counted(words: str) -> tuple[int, int]:
    """Men and kings in a phrase such as ``two men and a king``."""
    men = re.search(r"(\w+) m[ae]n\b", words)
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


def turned(state: Draughts, side: Side) -> Draughts:
    """The same pieces with a side to move."""
    return begin(state.position, side)


def exchanged(state: Draughts) -> int:
    """What the side to move wins by captures until there is none."""
    captures = [move for move in state.legal_actions() if move.taken]
    return max((len(move.taken) - exchanged(state.apply(move)) for move in captures), default=0)


def won(state: Draughts) -> int:
    """What the side to move wins by its best move and the captures that must follow."""
    if any(move.taken for move in state.legal_actions()):
        return exchanged(state)
    return max((-exchanged(state.apply(move)) for move in state.legal_actions()), default=0)


def number(words: str) -> int:
    """``a man``, ``two pieces``."""
    first = words.split(maxsplit=1)[0]
    return 1 if first == "a" else COUNTED.index(first)


def rivals(state: Draughts, move: Move, after: Draughts, found: re.Match[str]) -> bool:
    lost = [won(state.apply(other)) for other in state.legal_actions() if other != move]
    return bool(lost) and min(lost) == number(found[1]) and won(after) <= 0


def avoids(state: Draughts, _move: Move, after: Draughts, found: re.Match[str]) -> bool:
    return won(turned(state, state.side.other)) == number(found[1]) and won(after) <= 0


def can_crown(state: Draughts, side: Side) -> bool:
    other = turned(state, side)
    return any(other.crowned(move) for move in other.legal_actions())


def threatens(state: Draughts, _move: Move, after: Draughts, found: re.Match[str]) -> bool:
    next_time = turned(after, state.side)
    captures = [move for move in next_time.legal_actions() if move.taken]
    best = max((len(move.taken) for move in captures), default=0)
    counts = {kinds(next_time, move.taken) for move in captures if len(move.taken) == best}
    return counted(found[1]) in counts and won(next_time) > 0


def shoots(state: Draughts, _move: Move, after: Draughts, found: re.Match[str]) -> bool:
    next_time = turned(after, state.side)
    return not any(move.taken for move in next_time.legal_actions()) and won(next_time) == number(found[1])


def without_step(_state: Draughts, move: Move, after: Draughts, found: re.Match[str]) -> bool:
    men = [other for other in after.legal_actions() if other.start == found[1]]
    apart = abs(ord(found[1][0]) - ord(move.end[0])), abs(int(found[1][1]) - int(move.end[1]))
    return not men and apart == (1, 1) and after.pieces()[Cell(found[1])].kind is Kind.MAN


def backs_up(state: Draughts, move: Move, after: Draughts, found: re.Match[str]) -> bool:
    ahead = (int(found[1][1]) - int(move.end[1])) * (1 if state.side is Side.LIGHT else -1)
    return (
        ahead == 1
        and abs(ord(found[1][0]) - ord(move.end[0])) == 1
        and after.pieces()[Cell(found[1])].side is state.side
    )


def unharmed(state: Draughts, move: Move, after: Draughts) -> bool:
    return after.side is not state.side and not any(move.end in reply.taken for reply in after.legal_actions())


def steps_left(state: Draughts, move: Move) -> int:
    row = int(move.end[1])
    return 8 - row if state.side is Side.LIGHT else row - 1


def replied(after: Draughts) -> list[int]:
    """What can be won after each reply."""
    return [won(after.apply(reply)) for reply in after.legal_actions()]


def leaves_few(_state: Draughts, _move: Move, after: Draughts, found: re.Match[str]) -> bool:
    won_after = replied(after)
    safe = sum(not each > 0 for each in won_after)
    return (COLOURS[after.side], safe, len(won_after)) == (found[1], COUNTED.index(found[2]), int(found[3]))


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
    r"takes the centre square (c5|d4|e5|f4)": lambda _s, move, _a, found: move.end == found[1],
    r"takes (.+?)( and gets a king|, gives \w+ back)?": takes,
    r"gives (?:up to (?P<up>\w+)|(?P<lost>[\w ]+?))(?:, takes (?P<least>at least )?(?P<back>\w+))?": gives,
    r"crowns on (\w\d)(, where the king is taken)?": crowns,
    r"every other move loses (.+)": rivals,
    r"avoids losing (.+)": avoids,
    r"stops a man from being crowned": lambda state, _m, after, _f: (
        can_crown(state, state.side.other) and not can_crown(after, after.side)
    ),
    r"every reply loses (.+)": lambda _s, _m, after, found: min(replied(after)) == number(found[1]),
    r"leaves (White|Black) (one|two) safe repl(?:y|ies) of (\d+)": leaves_few,
    r"threatens to take (.+)": threatens,
    r"threatens a shot that wins (.+)": shoots,
    r"(?:keeps the king|puts a king) on the main road": lambda _s, move, after, _f: (
        after.pieces()[move.end].kind is Kind.KING and "abcdefgh".index(move.end[0]) == int(move.end[1]) - 1
    ),
    r"the king goes to (\w\d)": lambda state, move, _a, found: (
        state.pieces()[move.start].kind is Kind.KING and move.end == found[1]
    ),
    r"(\w+) steps? from the king row": lambda state, move, _a, found: (
        steps_left(state, move) == COUNTED.index(found[1])
    ),
    r"leaves the man on (\w\d) without a step": without_step,
    r"backs up the man on (\w\d)": backs_up,
    r"goes to the edge at (\w\d), where nothing can take it": lambda state, move, after, found: (
        move.end == found[1] and move.end[0] in "ah" and unharmed(state, move, after)
    ),
    r"goes to (\w\d), where nothing can take it now": lambda state, move, after, found: (
        move.end == found[1] and unharmed(state, move, after)
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
    for _ in range(7):
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
    assert {"takes", "gives", "crowns", "every", "avoids", "threatens", "backs", "wins:"} <= heard.keys()


def line_after(state: Draughts, rng: Random) -> tuple[Move, ...]:
    """Moves drawn by chance."""
    line: list[Move] = []
    while state.outcome is None and len(line) < 8:
        line.append(rng.choice(state.legal_actions()))
        state = state.apply(line[-1])
    return tuple(line)


def balances(state: Draughts, line: tuple[Move, ...]) -> dict[int, tuple[int, int]]:
    """By moves of the side that begins: pieces and new kings it is ahead once no capture is open, at the last time."""
    found: dict[int, tuple[int, int]] = {}
    side = state.side
    taken, crowned = Counter[Side](), Counter[Side]()
    for nth, move in enumerate(line):
        taken[state.side] += len(move.taken)
        crowned[state.side] += state.crowned(move)
        state = state.apply(move)
        if not any(reply.taken for reply in state.legal_actions()):
            found[nth // 2 + 1] = taken[side] - taken[side.other], crowned[side] - crowned[side.other]
    return found


def expected(state: Draughts, line: tuple[Move, ...], sentence: str) -> bool:
    """Whether the line comes to what the sentence says."""
    moves, (pieces, kings) = max(balances(state, line).items(), default=(0, (0, 0)))
    if not sentence.endswith(f" within {COUNTED[moves]} move{'s' * (moves > 1)}"):
        return False
    if won_by_it := re.match(r"should win (\w+ \w+)", sentence):
        return pieces == number(won_by_it[1])
    return sentence.startswith("should get a king") and pieces == 0 and kings > 0


def test_what_should_follow_is_what_the_line_comes_to() -> None:
    rng = Random(8)
    heard = 0
    while heard < 15:
        state = GAME.start()
        for _ in range(rng.randrange(60)):
            if state.outcome is None:
                state = state.apply(rng.choice(state.legal_actions()))
        if state.outcome is not None:
            continue
        line = line_after(state, rng)
        sentence = said(state, line[0], line[1:]).removeprefix("the only move: ")
        if sentence.startswith("should"):
            heard += 1
            assert expected(state, line, sentence), f"{GAME.dump(state)} {line}: {sentence}"
            assert not expected(state, line, re.sub(r"(win|get) \w+", r"\1 nine", sentence))


FALSE_AT_FIRST = (
    "takes one man",
    "crowns on d4",
    "gives one man",
    "every other move loses a man",
    "avoids losing a man",
    "stops a man from being crowned",
    "every reply loses a man",
    "leaves Black two safe replies of 7",
    "threatens to take one man",
    "threatens a shot that wins a man",
    "leaves the man on f6 without a step",
    "backs up the man on b2",
    "goes to the edge at d4, where nothing can take it",
    "goes to c5, where nothing can take it now",
    "the only move: takes one man",
)
"""Of c3-d4 in the position at the start."""


def test_a_false_sentence_is_noticed() -> None:
    state = GAME.start()
    move = GAME.parse(state, "c3-d4")
    for sentence in FALSE_AT_FIRST:
        assert not holds(state, move, sentence)
    assert not holds(state, move, "is a good move")


def test_what_is_said_of_some_moves() -> None:
    assert explained("W:Wc3,h2:Bb4,d4,f6,h8", "c3:a5") == "takes one man"
    assert explained("W:WKa1,Kc1,Kf2:BKb8", "a1-b2").startswith(("wins in", "a draw", "loses in"))
    assert explained("W:Wa7,h2:Bh6,f8", "a7-b8") == "crowns on b8"
    assert explained("W:Wc3,a1:Bb4,h8", "c3:a5") == "the only move: takes one man"
    assert explained("W:Wc1:Bh8,Ka3", "c1-d2") == "every other move loses a piece"
    assert explained("W:Wc1,Kh4,a1:Bd2,e3,a7,b8", "h4-e1") == "stops a man from being crowned"
    assert explained("W:Wc3:Bb4", "c3:a5") == "the only move: wins: Black has no pieces"
