// The page: one message, the view, is drawn on the box and on paper; the hand, the buttons and the menu
// send messages back. The page keeps nothing but the last view and what the reader chose for the room.
//
//     link ──view──► page ──► plate, window, controls, paper, past, review, hold, menu
//       ▲                                     │
//       └────────── hand, controls, menu ◄────┘ (a person)

import { benchWith } from "./bench.js";
import { controlsWith } from "./controls.js";
import { byId, html } from "./elements.js";
import { boardOf } from "./geometry.js";
import { handOn } from "./hand.js";
import { holdBelow } from "./hold.js";
import { connect } from "./link.js";
import { applyTheme, menuOver } from "./menu.js";
import { learnMarks, lookOf } from "./marks.js";
import { paperWith } from "./paper.js";
import { pastBelow } from "./past.js";
import { plateIn } from "./plate.js";
import { reviewBelow } from "./review.js";
import { soundBox } from "./sound.js";
import { windowIn } from "./window.js";
import { words } from "./words.js";

const NOTICE_MS = 6000;
/** For so long a file that is handed over stays readable; browsers fetch it when they please. */
const KEPT_MS = 60_000;

/** What a view may leave out. */
const PLAIN = {
  simulated: false, pieces: {}, hand: [], tray: [], supply: {}, lights: {}, options: [], expected: {}, say: "", why: "", dice: [],
  lamps: {}, sides: [], turns: [], turnsBefore: 0, rolls: false, where: "", mode: "play", declarations: [], actions: [], menu: {},
  link: "", cells: [], careless: false, review: null, assists: false,
};

let latest, shown, link, state = "connecting", noticeTimer;

const sound = soundBox(), plate = plateIn(byId("board")), dice = windowIn(byId("window"), tell), hold = holdBelow();
const past = pastBelow({ ask: send, draw });
const review = reviewBelow({ ask: () => send({ do: "review" }), look: past.lookAt, tell });
const hand = handOn({ plate, view: () => shown, send, tell, note, refuse, live: past.live });
const paper = paperWith({
  act: hand.act,
  choose: (index) => send({ do: "choose", index }),
  assist: (on) => send({ do: "assist", assists: on }),
});
const controls = controlsWith({ press, hold: heldDown });
const menu = menuOver({ view: () => latest, send, sound });
const bench = benchWith({
  note,
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
function note(text) {
  const node = byId("notice");
  clearTimeout(noticeTimer);
  node.hidden = false;
  node.textContent = text;
  noticeTimer = setTimeout(() => { node.hidden = true; }, NOTICE_MS);
}

function refuse(text) {
  note(text);
  sound.play("refuse");
}

// ---------------------------------------------------------------- out

function send(message) {
  const sent = link.send(message);
  if (!sent) refuse(words.notConnected);
  return sent;
}

function press(button) {
  const reason = button === "hint" ? noHint() : undefined;
  return reason ? note(reason) : send({ do: "press", button });
}

/** Why HINT has nothing to say; undefined where it has. In play a second press takes a hint back, its lamp or not. */
const noHint = () => (latest?.mode === "play" || latest?.lamps.hint === "on" ? undefined : words.noHintNow);

function heldDown(button) {
  if (button === "back") menu.open();
  else send({ do: "hold", button });
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
  marks: learnMarks,
  past: (answer) => {
    past.hear(answer);
    if (past.mistake !== undefined) showPlate();
  },
  record: ({ name, text }) => save(name, text),
};

/** Hands the reader a file. */
function save(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  html("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}

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
  shown = undefined;
  plate.build(boardOf(latest.grid), words.board(latest.game.title, latest.game.sizeText));
  bench.open(plate.board, !byId("bench").hidden);
}

function hear(before) {
  if (!before) return;
  if (latest.hand.length > before.hand.length) sound.play("lift");
  else if (latest.hand.length < before.hand.length) sound.play("place");
}

/** Lights as they are drawn: each as long after the one before it as its mark asks, and candidates of an open question. */
function lightsOf(view) {
  const lights = {}, met = {};
  for (const [name, light] of Object.entries(view.lights)) {
    met[light.mark] = (met[light.mark] ?? -1) + 1;
    lights[name] = { ...light, delay: met[light.mark] * lookOf(light.mark).delay };
  }
  const candidates = view.options.filter(({ chosen }) => !chosen).flatMap(({ cells }) => cells);
  for (const name of candidates) lights[name] ??= { mark: "choice", note: "", later: true };
  return lights;
}

const presentView = () => ({ ...latest, lights: lightsOf(latest), past: false });

/** The view with what stood there once; a mistake's also with what was better, in lights and words. */
function pastView({ pieces, lights = {} }) {
  const there = { ...latest, pieces, lights, options: [], expected: {}, hand: [], past: true };
  const { played, better } = latest.review?.mistakes[past.mistake] ?? {};
  const said = better ? { say: words.better(better), why: words.playedInstead(played) } : {};
  return { ...there, ...said, lights: lightsOf(there) };
}

/** Where a mistake was chosen further down than the board is, the board comes into sight. */
function showPlate() {
  byId("object").scrollIntoView({ block: "nearest" });
}

function draw() {
  shown = past.position ? pastView(past.position) : presentView();
  plate.show(shown);
  dice.update(latest);
  controls.show(latest, noHint());
  hold.show(latest);
  bench.showHand(latest.careless);
  paper.show(shown);
  showLink();
  byId("bench-open").hidden = !latest.simulated;
  document.title = `${latest.game.title} · Reedlight`;
  document.body.classList.toggle("looking-back", shown.past);
  document.body.classList.toggle("in-lights", past.mistake !== undefined);
  document.body.classList.toggle("thinking", latest.mode === "think" && !shown.past);
  document.body.classList.toggle("playable", latest.simulated);
  past.show(latest);
  review.show(latest, past.mistake);
  byId("save").hidden = !latest.turns.length;
}

// ---------------------------------------------------------------- start

/** How the board is reached: what is wrong with it where something is, in a line of its own. */
function showLink() {
  if (state !== "open" || !latest) paper.link(state === "lost" ? words.reconnecting : words.connecting, state);
  else if (latest.link) paper.link(latest.link, "trouble");
  else paper.link(latest.simulated ? words.simulated : words.connected, state);
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
byId("none").addEventListener("click", () => press("back"));
byId("save").addEventListener("click", () => send({ do: "record" }));
byId("menu-open").addEventListener("click", menu.open);
byId("bench-open").addEventListener("click", () => toggleBench(byId("bench").hidden));
matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", () => latest && draw());
link = connect((message) => (HEARD[message.type] ?? (() => tell(words.garbled)))(message), linkChanged);
