// The page: one message, the view, is drawn on the box and on paper; the hand, the buttons and the menu
// send messages back. The page keeps nothing but the last view, the positions it has seen, and what the
// reader chose for the room.
//
//     link ──view──► page ──► plate, window, controls, paper, hold, menu
//       ▲                                     │
//       └────────── hand, controls, menu ◄────┘ (a person)

import { benchWith } from "./bench.js";
import { controlsWith } from "./controls.js";
import { byId, setText } from "./elements.js";
import { boardOf } from "./geometry.js";
import { handOn } from "./hand.js";
import { holdBelow } from "./hold.js";
import { connect } from "./link.js";
import { applyTheme, menuOver } from "./menu.js";
import { paperWith } from "./paper.js";
import { pastOf } from "./past.js";
import { plateIn } from "./plate.js";
import { soundBox } from "./sound.js";
import { windowIn } from "./window.js";
import { words } from "./words.js";

const NOTICE_MS = 6000;

/** What a view may leave out. */
const PLAIN = {
  simulated: false, pieces: {}, hand: [], tray: [], supply: {}, lights: {}, options: [], expected: {}, say: "", why: "", dice: [],
  lamps: {}, sides: [], turns: [], where: "", mode: "play", declarations: [], menu: {}, link: "", careless: false,
};

let latest, shown, link, state = "connecting", looking, noticeTimer;

const past = pastOf(), sound = soundBox(), plate = plateIn(byId("board")), dice = windowIn(byId("window")), hold = holdBelow();
const hand = handOn({ plate, view: () => shown, send, tell, refuse, live: () => lookAt(undefined) });
const paper = paperWith({ act: hand.act, choose: (index) => send({ do: "choose", index }) });
const controls = controlsWith({ press: (button) => send({ do: "press", button }), hold: heldDown });
const menu = menuOver({ view: () => latest, send, sound });
const bench = benchWith({
  fault: (cell, kind) => send({ do: "fault", cell, kind }),
  careless: (on) => send({ do: "careless", careless: on }),
});

// ---------------------------------------------------------------- words for the ear, words for both

/** Reads a sentence aloud; the same one twice gets a trailing space, to be read again. */
function tell(text) {
  const node = byId("detail");
  node.textContent = node.textContent === text ? `${text} ` : text;
}

/** Shows a sentence for a moment, and has it read aloud. */
function refuse(text) {
  const node = byId("notice");
  clearTimeout(noticeTimer);
  node.hidden = false;
  node.textContent = text;
  noticeTimer = setTimeout(() => { node.hidden = true; }, NOTICE_MS);
  sound.play("refuse");
}

// ---------------------------------------------------------------- out

function send(message) {
  const sent = link.send(message);
  if (!sent) refuse(words.notConnected);
  return sent;
}

const HELD_DOWN = { back: () => menu.open(), go: () => send({ do: "press", button: "go" }) };

function heldDown(button) {
  (HELD_DOWN[button] ?? (() => send({ do: "hold", button })))();
}

function toggleBench(open) {
  bench.open(plate.board, open);
  bench.showHand(latest.careless);
  send({ do: "bench", open });
}

// ---------------------------------------------------------------- in

const HEARD = {
  view: (message) => take(message),
  bench: (message) => bench.show(message),
  error: ({ text }) => {
    hand.refused();
    refuse(text);
  },
  marks: () => {},
};

function take(message) {
  const before = latest;
  latest = { ...PLAIN, ...message };
  latest.palette ??= latest.game.name;
  past.keep(latest);
  if (JSON.stringify(before?.grid) !== JSON.stringify(latest.grid)) newBoard();
  hand.seen();
  draw();
  hear(before);
  menu.refresh(before, latest);
}

function newBoard() {
  looking = undefined;
  shown = undefined;
  plate.build(boardOf(latest.grid), words.board(latest.game.title, latest.game.sizeText));
  bench.open(plate.board, !byId("bench").hidden);
}

function hear(before) {
  if (!before) return;
  if (latest.hand.length > before.hand.length) sound.play("lift");
  else if (latest.hand.length < before.hand.length) sound.play("place");
}

/** A suggestion is two cells: from the side's own piece to its target. */
function hintOf(view) {
  const cells = Object.keys(view.lights).filter((name) => view.lights[name].mark === "hint");
  const active = view.sides.find((side) => side.active)?.side, own = (name) => view.pieces[name]?.side === active;
  const [from, to] = own(cells[0]) || !own(cells[1]) ? cells : [cells[1], cells[0]];
  return cells.length === 2 && view.pieces[from] ? [from, to] : [];
}

/** Lights as they are drawn: candidates of an open question too, and a suggestion's target after its source. */
function lightsOf(view, [from, to]) {
  const lights = { ...view.lights };
  const candidates = view.options.filter(({ chosen }) => !chosen).flatMap(({ cells }) => cells);
  for (const name of candidates) lights[name] ??= { mark: "choice", note: "", later: true };
  if (to) Object.assign(lights, { [from]: { ...lights[from], delay: 0 }, [to]: { ...lights[to], delay: 0.4 } });
  return lights;
}

function presentView() {
  const hint = hintOf(latest);
  return { ...latest, hint, lights: lightsOf(latest, hint), past: false };
}

function pastView({ pieces }) {
  return { ...latest, pieces, hint: [], lights: {}, options: [], expected: {}, hand: [], past: true };
}

function draw() {
  shown = looking ? pastView(looking) : presentView();
  plate.show(shown);
  dice.update(latest);
  controls.show(latest);
  hold.show(latest);
  bench.showHand(latest.careless);
  paper.show(shown);
  showLink();
  byId("bench-open").hidden = !latest.simulated;
  document.title = `${latest.game.title} · Reedlight`;
  document.body.classList.toggle("looking-back", Boolean(looking));
  document.body.classList.toggle("playable", latest.simulated);
  showSlider();
}

// ---------------------------------------------------------------- looking back

function showSlider() {
  const { positions } = past, last = Math.max(positions.length - 1, 0);
  if (looking && !positions.includes(looking)) return void lookAt(undefined);
  const place = looking ? positions.indexOf(looking) : last;
  Object.assign(byId("slider"), { max: Math.max(last, 1), value: last ? place : 1, disabled: !last });
  const where = !looking ? latest.where : looking.number ? words.lookingBack(looking.number) : words.atTheStart;
  setText(byId("where"), where);
  byId("slider").setAttribute("aria-valuetext", where);
  byId("now").hidden = !looking;
}

function lookAt(position) {
  looking = position;
  draw();
}

byId("slider").addEventListener("input", ({ target }) => {
  const place = Number(target.value);
  lookAt(place < past.positions.length - 1 ? past.positions[place] : undefined);
});
byId("now").addEventListener("click", () => {
  lookAt(undefined);
  byId("slider").focus();
});

// ---------------------------------------------------------------- start

function showLink() {
  paper.link(state === "open" ? (latest?.link ?? "") : state === "lost" ? words.reconnecting : words.connecting, state);
}

function linkChanged(next) {
  if (next === "open" && state === "lost") tell(words.connectedAgain);
  state = next;
  document.body.classList.toggle("offline", state === "lost");
  showLink();
  if (state === "open" && !byId("bench").hidden) link.send({ do: "bench", open: true });
}

function toggleSound() {
  sound.on = !sound.on;
  byId("sound").setAttribute("aria-pressed", String(sound.on));
}

applyTheme();
byId("sound").setAttribute("aria-pressed", String(sound.on));
byId("sound").addEventListener("click", toggleSound);
byId("setup").addEventListener("click", () => send({ do: "setup" }));
byId("menu-open").addEventListener("click", menu.open);
byId("bench-open").addEventListener("click", () => toggleBench(byId("bench").hidden));
matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", () => latest && draw());
link = connect((message) => (HEARD[message.type] ?? (() => tell(words.garbled)))(message), linkChanged);
