// The hand of the simulated board: it lifts, carries and sets down what the view shows.
//
//     press on a piece ──► lift ──drag──► carry ──let go──► set down where it is, or on the tray
//                            └──let go──► held ──click a cell, or the tray──► set down
//
// Touch: a dragged piece floats above the finger and lands where *it* is; a second finger lifts another.
// Keys: arrows walk, Enter does what a click does, see ``KEYS``. What a click on a cell means is told by
// ``deeds``, for pointer, keyboard, screen reader and the lights' buttons alike. A drag does what hands can
// do, wrong or not; a click does what its lights say where there are any. The hand knows no rules and
// changes nothing itself: it sends messages, and the next view shows what became of them.

import { byId } from "./elements.js";
import { neighbour } from "./geometry.js";
import { sideNames } from "./plate.js";
import { words } from "./words.js";

const DRAG_MOUSE = 4, DRAG_TOUCH = 10;
const ABOVE_FINGER = 0.9;
const REST_MS = 400;
/** A press's own click comes within this time, if it comes at all: a busy phone waits 300 ms for a second tap. */
const CLICK_MS = 1000;
const DOUBLE_CLICK_MS = 350;

const TO_TRAY = { do: "tray" };

/** What a click, a tap, Enter or a light's button on a cell asks for, as messages; empty where it asks nothing. */
export function deeds(view, cell) {
  const answer = answerAt(view, cell);
  if (answer !== undefined) return [{ do: "choose", index: answer }];
  if (!view.simulated) return [];
  const piece = view.pieces[cell], mark = view.lights[cell]?.mark;
  if (isStackToReduce(view, cell)) return [{ do: "give", cell }];
  if (piece && isToLeave(mark)) return [{ do: "lift", cell }, TO_TRAY];
  if (view.hand.length) return withHeld(view, cell, piece);
  if (piece) return [{ do: "lift", cell }];
  const source = supplyFor(view, cell);
  return source ? [source, { do: "place", cell }] : [];
}

/** What a click asks for while the hand holds something: to set it down, or to take another piece as well or instead. */
function withHeld(view, cell, piece) {
  const { piece: held, from } = view.hand.at(-1);
  if (isCaptor(view, piece)) return [{ do: "lift", cell }];
  if (mayStand(piece, held) && (!piece || isOpen(view, cell))) return [{ do: "place", cell }];
  const returns = view.hand.length === 1 && from && !view.pieces[from] && piece.side === held.side;
  return returns ? [{ do: "place", cell: from }, { do: "lift", cell }] : [];
}

/** Whether the piece may take what is held: it is the mover's, and only the other side's are in the hand. */
function isCaptor({ hand, mode, ...view }, piece) {
  const mover = moverOf(view);
  return PERFORMED.has(mode) && piece?.side === mover && hand.length > 0 && hand.every(({ piece: held }) => held.side !== mover);
}

const LANDINGS = new Set(["target", "merge", "capture"]);
/** When a hand performs actions: its own, or what a computer has chosen. */
const PERFORMED = new Set(["play", "copy"]);

/** Whether a held piece may be set on a cell as far as the lights say; any may where they say nothing. */
const isOpen = ({ lights }, cell) => LANDINGS.has(lights[cell]?.mark) || !Object.values(lights).some(({ mark }) => LANDINGS.has(mark));

/** The side to act, or that will act once the dice have fallen. */
export const moverOf = ({ sides }) => sides.find(({ active }) => active)?.side;

/** Whether nobody with hands plays a side. */
export const isComputer = ({ seat = "person" }) => seat !== "person";

/** The answer that a cell stands for, where it stands for one only. */
function answerAt(view, cell) {
  const answers = view.options.flatMap(({ cells }, index) => (cells.includes(cell) ? [index] : []));
  return answers.length === 1 ? answers[0] : undefined;
}

const isToLeave = (mark) => mark === "taken" || mark === "remove";
const isStackToReduce = (view, cell) => view.pieces[cell]?.height > 1 && view.lights[cell]?.mark === "remove";

/** Checkers stack, and a checker set on another colour sends it to the tray; anything else needs a free cell. */
const mayStand = (under, piece) => !under || (under.kind === "checker" && piece.kind === "checker");

/** Where a piece for an empty cell comes from: the tray if that piece belongs here or was lifted for it, else the box. */
function supplyFor(view, cell) {
  const wanted = view.expected[cell], side = wanted?.side ?? (isPlacing(view) ? moverOf(view) : undefined);
  const isIt = wanted ? (piece) => sameLook(piece, wanted) : (piece) => piece.side === side && isLaidAside(view, cell);
  const index = view.tray.findLastIndex(isIt);
  if (index >= 0) return { do: "untray", index };
  return view.supply[side] ? { do: "stone", side } : undefined;
}

/** Whether the lights still wait here for a piece that was lifted and then laid on the tray. */
function isLaidAside(view, cell) {
  const mark = view.lights[cell]?.mark;
  return !view.supply[moverOf(view)] && (mark === "source" || LANDINGS.has(mark));
}

/** Whether the side to act may be setting down new pieces: nothing has to leave first. */
export const isPlacing = ({ mode, lights }) => PERFORMED.has(mode) && !Object.values(lights).some(({ mark }) => isToLeave(mark));

const sameLook = (a, b) => a.side === b.side && a.kind === b.kind && (a.height ?? 1) === (b.height ?? 1);

/**
 * The hand over a plate. `view` gives what is shown now, `send` takes a message, `tell` reads a sentence
 * aloud, `note` and `refuse` also show it, `live` brings a page that looks back to the present.
 */
export function handOn({ plate, view, send, tell, note, refuse, live }) {
  const root = byId("board"), hold = byId("hold"), presses = new Map();
  let tool = "carry", path, aim, resting, rested, clickDue = -Infinity;

  // ------------------------------------------------------------ deeds, told aloud

  function perform(messages) {
    return messages.every((message) => send(message));
  }

  function act(cell) {
    if (view().past) return live();
    const messages = deeds(view(), cell), held = view().hand.at(-1), under = view().pieces[cell];
    if (!messages.length && held && under) return refuse(words.occupied(cell, words.piece(under, sideNames(view()))));
    put(messages);
    const last = messages.at(-1);
    if (last?.do === "place") rested = { cell: last.cell, until: performance.now() + DOUBLE_CLICK_MS };
    return undefined;
  }

  function told(messages) {
    const { pieces, hand, tray } = view(), names = sideNames(view()), held = [...hand];
    const take = (piece, from) => held.push({ piece, from }) && words.piece(piece, names);
    const DEEDS = {
      lift: ({ cell }) => words.lifted(take(pieces[cell], cell), cell),
      place: ({ cell }) => (held.pop()?.from === cell ? words.putBack(cell) : words.setDown(cell)),
      tray: () => held.length > 0 && words.toTray(words.piece(held.pop().piece, names)),
      give: ({ cell }) => words.given(cell),
      untray: ({ index }) => words.taken(take(tray[index], null)),
      stone: ({ side }) => words.taken(take({ side, kind: "stone" }, null)),
    };
    const said = messages.map((message) => DEEDS[message.do]?.(message)).filter(Boolean);
    if (said.length) tell(said.join(" "));
  }

  function put(messages) {
    if (perform(messages)) told(messages);
  }

  /** The second click of a double click must not lift what the first has just set down. */
  function isDoubled(cell) {
    const doubled = rested?.cell === cell && performance.now() < rested.until;
    if (!doubled) rested = undefined;
    return doubled;
  }

  const toTray = () => carrying() && put([TO_TRAY]);

  function cancel() {
    const held = view().hand.at(-1);
    presses.clear();
    if (path) endPath([]);
    else if (held) put([held.from ? { do: "place", cell: held.from } : TO_TRAY]);
  }

  // ------------------------------------------------------------ pointer

  function start(event) {
    if (event.button || !view()) return;
    clickDue = Infinity;
    if (view().past) return void live();
    const cell = plate.cellAt(plate.point(event));
    if (!cell || isDoubled(cell.name)) return;
    plate.visit(cell.name);
    if (TOUCHES.has(tool)) return void touch(cell.name);
    const press = pressOf(event, cell.name);
    presses.set(event.pointerId, press);
    if (view().simulated && press.piece && !carrying() && (tool === "slide" || event.altKey)) return void startPath(press);
    const another = event.shiftKey || presses.size > 1;
    if (mayLiftAtOnce(press, another)) liftFor(press);
  }

  /** What a press remembers: where it began, what stood there, whether that has to leave, and what became of it. */
  function pressOf({ clientX, clientY }, cell) {
    const piece = view().pieces[cell], leaves = isToLeave(view().lights[cell]?.mark);
    return { x: clientX, y: clientY, cell, piece, leaves, moved: false, fresh: false };
  }

  const carrying = () => view().hand.length > 0;

  /** A press lifts at once, unless a click there may mean something other than lifting. */
  function mayLiftAtOnce({ cell, piece }, another) {
    if (!view().simulated || !piece || answerAt(view(), cell) !== undefined || isStackToReduce(view(), cell)) return false;
    return another || !carrying() || isCaptor(view(), piece);
  }

  function liftFor(press) {
    press.fresh = send({ do: "lift", cell: press.cell });
    if (press.fresh) tell(words.lifted(words.piece(press.piece, sideNames(view())), press.cell));
  }

  function move(event) {
    const press = presses.get(event.pointerId);
    if (!press) return;
    const slip = event.pointerType === "touch" ? DRAG_TOUCH : DRAG_MOUSE;
    if (!press.moved && Math.hypot(event.clientX - press.x, event.clientY - press.y) <= slip) return;
    if (!press.moved) root.setPointerCapture(event.pointerId);
    press.moved = true;
    if (path) return void extendPath(event);
    if (isStackToReduce(view(), press.cell)) return;
    if (!press.fresh && press.piece && !carrying() && view().simulated) liftFor(press);
    if (press.fresh || carrying()) plate.carry(landing(event));
  }

  /** Where a dragged piece is: under the mouse, above the finger. */
  function landing(event) {
    const { x, y } = plate.point(event);
    return { x, y: event.pointerType === "touch" ? y - ABOVE_FINGER * plate.board.unit : y };
  }

  function end(event) {
    const press = presses.get(event.pointerId);
    if (!press) return;
    presses.delete(event.pointerId);
    clickDue = event.timeStamp + CLICK_MS;
    if (path) return void endPath();
    if (press.moved && !isStackToReduce(view(), press.cell)) drop(press, event);
    else if (!press.fresh) act(press.cell);
    else if (press.leaves) send(TO_TRAY);
  }

  function drop(press, event) {
    if (!press.fresh && !carrying()) return;
    clearTimeout(resting);
    resting = setTimeout(() => plate.carry(undefined), REST_MS);
    if (document.elementsFromPoint(event.clientX, event.clientY).includes(hold)) return void put([TO_TRAY]);
    const cell = plate.cellAt(landing(event));
    if (!cell) return;
    const piece = press.fresh ? press.piece : view().hand.at(-1).piece;
    const under = press.fresh && cell.name === press.cell ? undefined : view().pieces[cell.name];
    if (!mayStand(under, piece)) return void refuse(words.occupied(cell.name, words.piece(under, sideNames(view()))));
    put([{ do: "place", cell: cell.name }]);
  }

  function abandon(event) {
    if (presses.delete(event.pointerId)) {
      if (path) endPath([]);
      plate.carry(undefined);
    }
  }

  // ------------------------------------------------------------ slide and nudge

  function startPath({ cell }) {
    path = [cell];
  }

  function extendPath(event) {
    const where = plate.point(event), cell = plate.cellAt(where);
    if (cell && cell.name !== path.at(-1)) path.push(cell.name);
    plate.slide(path[0], where);
  }

  function endPath(cells = path) {
    plate.slide(path[0], undefined);
    path = undefined;
    if (cells.length > 1 && send({ do: "slide", cells })) tell(words.slid(cells[0], cells.at(-1)));
    take("carry");
  }

  /** Keys that mean the hand wherever the focus is, but where one writes. */
  const ANYWHERE = { t: toTray, escape: cancel };

  function keyAnywhere(event) {
    const deed = ANYWHERE[event.key?.toLowerCase()];
    if (!deed || !view() || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("dialog, [type=text]")) return;
    deed();
  }

  /** Tools that do their deed to the one cell that is touched next. */
  const TOUCHES = new Set(["nudge", "pick"]);

  function touch(cell) {
    send({ do: tool, cell });
    take("carry");
  }

  const HINTS = { slide: words.slideNext, nudge: words.nudgeNext, pick: words.pickNext };

  function take(next) {
    tool = next;
    for (const button of hold.querySelectorAll("[data-tool]")) button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
    if (HINTS[tool]) note(HINTS[tool]);
  }

  // ------------------------------------------------------------ keys

  const KEYS = {
    Enter: (cell, event) => (event.shiftKey ? put(view().pieces[cell] ? [{ do: "lift", cell }] : []) : enter(cell)),
    " ": (cell) => enter(cell),
    Delete: (cell) => giveUp(cell),
    Backspace: (cell) => giveUp(cell),
  };

  function enter(cell) {
    if (TOUCHES.has(tool)) return touch(cell);
    if (tool === "slide" && path) return endPath();
    if (tool === "slide" && view().pieces[cell]) return startPath({ cell });
    return act(cell);
  }

  function giveUp(cell) {
    if (isToLeave(view().lights[cell]?.mark)) act(cell);
  }

  function walk(here, event) {
    if (event.key === "ArrowLeft" || event.key === "ArrowRight" || aim?.from !== here.name) aim = { x: here.x };
    const next = neighbour(plate.board, here, event.key, aim.x);
    if (!next) return;
    aim = { x: event.key === "ArrowUp" || event.key === "ArrowDown" ? aim.x : next.x, from: next.name };
    plate.focus(next.name);
    if (!path) return;
    path.push(next.name);
    plate.slide(path[0], next);
  }

  function key(event) {
    const here = plate.board?.named.get(event.target.dataset?.cell);
    if (!here || event.ctrlKey || event.metaKey) return;
    if (event.key.startsWith("Arrow")) walk(here, event);
    else if (KEYS[event.key]) KEYS[event.key](here.name, event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // ------------------------------------------------------------ tray and tools

  function fromHold(button, event) {
    const { tray, stone } = button.dataset;
    const message = tray === undefined ? { do: "stone", side: stone } : { do: "untray", index: Number(tray) };
    const piece = tray === undefined ? { side: stone, kind: "stone" } : view().tray[tray];
    if (!piece || !send(message)) return;
    told([message]);
    const mover = view().sides.find(({ active }) => active);
    if (stone && isPlacing(view()) && stone !== mover.side) note(words.othersStone(sideNames(view())[stone], mover.name));
    if (event) presses.set(event.pointerId, { x: event.clientX, y: event.clientY, moved: false, fresh: true, piece });
  }

  const PRESSED = "[data-tray], [data-stone]";
  const PALM = { back: cancel, tray: toTray };

  function useTool(name) {
    if (name === "knock") send({ do: "knock" });
    else take(tool === name ? "carry" : name);
  }

  // A screen reader clicks without pressing; a press has already done what its click would do again.
  function clicked({ target, timeStamp }) {
    const afterPress = timeStamp < clickDue;
    clickDue = -Infinity;
    const button = target.closest("button");
    if (button?.dataset.tool) useTool(button.dataset.tool);
    else if (button?.dataset.palm) PALM[button.dataset.palm]();
    else if (afterPress) return;
    else if (carrying() && target.closest(".tray")) toTray();
    else if (button?.matches(PRESSED)) fromHold(button);
    else if (button?.dataset.cell) enter(button.dataset.cell);
  }

  root.addEventListener("pointerdown", start);
  hold.addEventListener("pointerdown", (event) => {
    const button = event.target.closest(PRESSED);
    if (!button || event.button || carrying()) return;
    clickDue = Infinity;
    fromHold(button, event);
  });
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", abandon);
  root.addEventListener("click", clicked);
  hold.addEventListener("click", clicked);
  root.addEventListener("keydown", key);
  addEventListener("keydown", keyAnywhere);
  root.addEventListener("focusin", () => plate.carry(undefined));

  return {
    act,
    /** The board refused: what seemed to be in the hand is not. */
    refused() {
      for (const press of presses.values()) press.fresh = false;
      plate.carry(undefined);
    },
    /** A view has come: what was let go belongs to it now, what is still dragged stays under the pointer. */
    seen() {
      if ([...presses.values()].some(({ moved }) => moved)) return;
      clearTimeout(resting);
      plate.carry(undefined);
    },
  };
}
