"""The board's own words: every sentence that is not a game's.

A sentence that leads has at most 70 characters, a reason at most 58. Games say what to do by their own
rules (``advise``, ``refuse``, ``label``); here is what is the same in all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from reedlight.core.game import Caption, Outcome, Piece
from reedlight.core.grid import Cell

LONGEST_SENTENCE = 70
LONGEST_REASON = 58
MOST_CELLS_NAMED = 3
"""Cells named in one sentence; more are counted."""


FEW_CELLS = 3
"""So few cells that are not right may be the fault of their switches."""


def piece(piece: Piece) -> str:
    """The piece in a word: ``man``, ``stone``, ``stack of 5``."""
    return f"stack of {piece.height}" if piece.height > 1 else piece.kind.value


def cells_named(cells: Collection[Cell]) -> str:
    """A few cells by name, many by number: ``c3``, ``c3 and e3``, ``7 cells``."""
    if len(cells) > MOST_CELLS_NAMED:
        return f"{len(cells)} cells"
    *most, last = sorted(cells)
    return f"{', '.join(most)} and {last}" if most else last


def cut_at_a_word(text: str, longest: int) -> str:
    """The text, cut at a word where it is too long to be read at a glance."""
    if len(text) <= longest:
        return text
    return text[: longest - 1].rsplit(" ", 1)[0].rstrip(",;:") + "…"


_WAYS_OUT = {False: "The lights show where.", True: "Or hold GO to play on the page alone."}


def set_up(missing: int, extra: int, *, to_begin: str, nothing_stands: bool = False) -> Caption:
    """Before the game: what is still to be set up, or that it can begin."""
    if not missing and not extra:
        return Caption("The board is ready. Press GO to begin.", to_begin)
    few = missing + extra <= FEW_CELLS
    way_out = "Or hold GO to play without those cells." if few else _WAYS_OUT[nothing_stands]
    if missing and extra:
        return Caption(f"Set up the board: {missing} missing, {extra} too many.", way_out)
    if missing:
        return Caption(f"Set up the board: {_pieces(missing)} still missing.", way_out)
    return Caption(f"Clear the board: {_pieces(extra)} too many.", way_out)


SEAT_A_COMPUTER = "NEXT: a computer."


def level(number: int) -> str:
    """A computer as it is named before the game."""
    return f"computer {number}"


def seated(sides: Sequence[str]) -> str:
    """Who plays that is no person, and how that is changed."""
    return f"{', '.join(sides)}. NEXT: another. HINT: other side."


def resumed(game: str, todo: str) -> str:
    """What a game that is offered again is, and where it stands."""
    return f"{game}. {todo}"


def resume(stands: str, differing: int) -> Caption:
    """A game that was begun before is offered."""
    if not differing:
        return Caption(stands, "GO goes on with it. BACK begins a new one.")
    cells = "1 cell differs" if differing == 1 else f"{differing} cells differ"
    return Caption(stands, f"{cells}: GO leads them back. BACK begins anew.")


def played_meanwhile(label: str) -> Caption:
    """A game that was begun before is offered, and the board stands as after one action more."""
    return Caption(f"Was {label} played meanwhile?", "GO: yes. NEXT: no, go back. BACK: a new game.")


def _pieces(number: int) -> str:
    return "1 piece is" if number == 1 else f"{number} pieces are"


def holding(held: Piece, home: Cell, reason: str) -> Caption:
    """A piece is in the hand."""
    return Caption(f"Set the {piece(held)} down on a light, or put it back on {home}.", reason)


def holding_what_is_taken_off(held: Piece, home: Cell, reason: str) -> Caption:
    """A stack is in the hand from which one is to be given up."""
    return Caption(f"Take one off the {piece(held)} and put the rest back on {home}.", reason)


def confirm(target: Cell) -> str:
    """What GO says while a piece is held that has one stack to be set on."""
    return f"Set it on {target}? Press GO, or lift {target} and put it back."


def confirm_one_of(number: int) -> str:
    """What GO says while a piece is held that has several stacks to be set on."""
    return f"Set it on one of {number} stacks? Tap that stack, or press GO."


def go_on(cell: Cell) -> Caption:
    """A piece stands in mid-capture."""
    return Caption(f"Go on with the piece on {cell}: it must take again.", "Land on a light.")


def take_off(cells: Collection[Cell]) -> Caption:
    """Captured pieces still stand on the board."""
    return Caption(f"Take what is captured off {cells_named(cells)}.", "Then play goes on.")


def take_with(cell: Cell) -> Caption:
    """A piece that can be taken has been lifted before the one that takes it."""
    return Caption(f"{cell} is lifted: now take it with a lit piece.", f"Or put it back on {cell}.")


def done(what: str) -> Caption:
    """An action stands that ends the game once it counts."""
    return Caption(f"{what} is played.")


def done_press_go(what: str) -> Caption:
    """An action stands and GO is to accept it."""
    return Caption(f"{what} is played. GO accepts it.", "BACK, or putting it back, takes it back.")


def done_or_begun(what: str) -> Caption:
    """An action stands that another one begins with."""
    return Caption(f"{what}? GO accepts it, or go on.", "Another move begins in the same way.")


def done_till_next(what: str) -> Caption:
    """An action stands and the other side's first touch accepts it."""
    return Caption(f"{what} is played.", "It counts once the other side lifts a piece or rolls.")


def refused(why: str, cell: Cell, *, lifted: bool) -> Caption:
    """A piece that may not act was lifted, or one was set where it may not stand."""
    return Caption(why, f"Put it back on {cell}." if lifted else f"Take it off {cell}.")


def put_right(missing: Mapping[Cell, str], extra: Collection[Cell], reason: str) -> Caption:
    """The board shows something that no action explains; for each missing cell, what belongs there."""
    if missing and extra:
        if len(missing) == len(extra) == 1:
            return Caption(f"Put the piece on {cells_named(extra)} back on {cells_named(missing)}.", reason)
        return Caption(f"Put back {cells_named(missing)}; take off {cells_named(extra)}.", reason)
    if len(missing) == 1:
        ((cell, what),) = missing.items()
        return Caption(f"Put {what} back on {cell}.", reason)
    if missing:
        return Caption(f"Put back what stood on {cells_named(missing)}.", reason)
    return Caption(f"Take off what stands on {cells_named(extra)}.", reason)


def do(steps: Sequence[str], reason: str) -> Caption | None:
    """A few things to do, one after another; None where they are too many for a sentence."""
    say = f"{', '.join(steps)}."
    if not steps or len(say) > LONGEST_SENTENCE:
        return None
    return Caption(f"{say[0].upper()}{say[1:]}", reason)


def carry(origin: Cell, target: Cell) -> str:
    """What stands on one cell belongs on another."""
    return f"move {origin} to {target}"


def join(origin: Cell, target: Cell) -> str:
    """A stack belongs on top of another."""
    return f"set {origin} on {target}"


def split(number: int, origin: Cell, target: Cell) -> str:
    """Some of a stack belong on another cell."""
    return f"take {number} off {origin} and set {'it' if number == 1 else 'them'} on {target}"


def bring(what: str, cell: Cell) -> str:
    """Something that is not on the board belongs on a cell."""
    return f"set {what} on {cell}"


def clear(cell: Cell) -> str:
    """What stands on a cell belongs nowhere."""
    return f"take {cell} off"


PLAY_ON_THE_PAGE = "Play goes on on the page meanwhile."
RECOUNT = "the recount"
TO_ROLL = "The dice are to be rolled."
THEN_ROLL = "Then GO rolls the dice."
PLAY_GOES_ON = "Play goes on once the board is right."
OR_WITHOUT = "It is right? Hold GO to play without those switches."


def belongs(side: str, wanted: Piece) -> str:
    """What should stand on a cell: ``a black stack of 3``."""
    return f"a {side.lower()} {piece(wanted)}"


def restack(cells: Mapping[Cell, str]) -> Caption:
    """Stacks whose height or owner the switches cannot see have to be put right; for each what it should be."""
    wanted = next(iter(cells.values())) if len(cells) == 1 else "as they were"
    return Caption(f"Put {cells_named(cells)} right: {wanted}.", "Lift and put back each lit stack, or press GO.")


def which(label: str, more: int) -> Caption:
    """Several actions fit what the switches saw."""
    return Caption(f"Which was it? Lit: {label}.", f"GO: this one. NEXT: another ({more} more). BACK: none.")


def is_it(label: str) -> Caption:
    """One action fits the board, though not the way it came to be."""
    return Caption(f"Did you play {label}?", "GO: yes. BACK: no; then put the pieces back.")


def rolled(label: str) -> Caption:
    """The players' own dice are asked for."""
    return Caption(f"Your dice: {label}?", "GO: yes. NEXT: another. BACK: not rolled yet.")


def count(label: str) -> Caption:
    """A stack's height is asked for."""
    return Caption(f"Count {label}?", "GO: yes. NEXT: another number. BACK: no recount.")


def choose(label: str, number: int) -> Caption:
    """An action is being chosen by buttons."""
    if number == 1:
        return Caption(f"Play {label}?", "GO: yes. BACK: no. There is no other.")
    return Caption(f"Play {label}?", f"GO: yes. NEXT: another ({number} in all). BACK: no.")


def copy(side: str, what: str) -> Caption:
    """The hand is to perform an action for a computer or a remote player."""
    return Caption(f"Please play {what} for {side}.", "The lights show how.")


GO_IF_DONE = "If it is done, press GO."


def only(what: str) -> str:
    """Why nothing else than the action that is to be copied can be begun."""
    return f"First comes {what}."


LOOKING = "Looking for what is best."


def thinking(side: str) -> str:
    """A side that no person plays has not chosen yet."""
    return f"{side} is thinking."


def advised(what: str, why: str) -> Caption:
    """A good action, and what it is for."""
    return Caption(f"{why[:1].upper()}{why[1:]}", f"Try {what}: the lights show how.")


def taken_back(what: str) -> str:
    """The last action is no longer part of the game."""
    return f"Taken back: {what}."


def draw_offered(side: str) -> str:
    """A draw has been offered."""
    return f"{side} offers a draw: GO accepts, BACK declines."


def ended(outcome: Outcome, winner: str | None) -> Caption:
    """How the game ended."""
    result = f"{winner} wins" if winner else "A draw"
    return Caption(f"{result}: {outcome.reason}.", "GO sets up a new game, BACK takes back.")


THE_START = "the start"
REPLAY = "NEXT goes on, BACK goes back, GO plays on from here."


def replayed(at: int, steps: int, what: str) -> str:
    """Which step of a game that was played is shown, and what it is."""
    return f"Step {at} of {steps}: {what}."


def replay_ends(how: str) -> str:
    """The last step of a game that was played, which is over then."""
    return f"{how} BACK goes back."


def plays(side: str, what: str) -> str:
    """What a side did."""
    return f"{side} plays {what}"


def dice_show(what: str) -> str:
    """What was rolled."""
    return f"the dice show {what}"


def spoken(side: str, what: str) -> str:
    """What a side declared."""
    return f"{side} says: {what}"
