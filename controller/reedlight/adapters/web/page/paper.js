// The words beside the box: whose game, the sentence that leads, the answers to an open question, every
// light in words, sides and turns.
// A light that a hand could act on is also a button. Many lights of one kind share one line until it is
// opened. Everything is updated by difference, so that nothing is read aloud twice.

import { byId, fill, html, reveal, setText } from "./elements.js";
import { deeds, isComputer } from "./hand.js";
import { MARKS, glyph } from "./marks.js";
import { colourOf, icon } from "./pieces.js";
import { sideNames } from "./plate.js";
import { smallDie } from "./window.js";
import { minus, spoken, words } from "./words.js";

const MOST_SINGLE_LIGHTS = 6;
const MOST_OF_A_KIND = 2;
/** So near to its end, in pixels, a list counts as scrolled to it. */
const END_MARGIN = 4;

/** The paper; `act` is called with a cell that a light's button stands for, `choose` with an answer's index, `assist` with whether the hand plays for a computer. */
export function paperWith({ act, choose, assist }) {
  const slots = Object.fromEntries(["title", "link", "lights", "sides", "turns"].map((id) => [id, { node: byId(id), key: "" }]));
  const opened = new Set(), turns = byId("turns"), assists = html("input", { type: "checkbox" });
  let view, height = 0;

  byId("assist").replaceChildren(assists, html("span", {}, words.assist));
  assists.addEventListener("change", () => assist(assists.checked));

  byId("lights").addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    const { act: cell, answer, group } = button.dataset;
    if (cell) act(cell);
    if (answer) choose(Number(answer));
    if (group) {
      opened.has(group) ? opened.delete(group) : opened.add(group);
      showLights();
    }
  });

  function show(next) {
    view = next;
    const { game } = view;
    fill(slots.title, game.title + game.sizeText, () => [game.title, ...(game.sizeText ? [" ", html("span", {}, game.sizeText)] : [])]);
    setText(byId("say"), spoken(view.say));
    setText(byId("why"), spoken(view.why));
    reveal(byId("setup"), view.simulated && Object.values(view.lights).some(isOutOfPlace), byId("board"));
    reveal(byId("none"), view.options.length > 0, byId("lights"));
    showLights();
    fill(slots.sides, JSON.stringify([view.sides, view.palette, winner(view), view.mode === "think"]), () => view.sides.map(sideLine));
    byId("assist").hidden = !(view.simulated && view.sides.some(isComputer));
    assists.checked = view.assists;
    fill(slots.turns, JSON.stringify([view.turns, view.palette]), turnLines);
  }

  // ------------------------------------------------------------ lights

  function showLights() {
    const lines = linesOf(view, opened), focused = document.activeElement?.dataset?.line;
    fill(slots.lights, JSON.stringify(lines), () => lines.map(lightLine));
    if (focused) (byId("lights").querySelector(`[data-line="${CSS.escape(focused)}"]`) ?? byId("lights")).focus({ preventScroll: true });
  }

  function lightLine({ mark, later, name, note, button }) {
    const inside = [glyph(mark, { later }), html("b", {}, minus(name)), html("span", {}, minus(note))];
    if (!button) return html("li", {}, html("div", { class: "light" }, inside));
    return html("li", {}, html("button", { type: "button", class: "light", "data-line": `${mark}-${name}`, ...button }, inside));
  }

  // ------------------------------------------------------------ sides and turns

  function sideLine(side) {
    const tag = side.active ? (view.mode === "think" ? words.thinks : words.toPlay) : winner(view) === side.side ? words.wins : undefined;
    return html("li", { class: side.active && "active", "aria-current": side.active && "true" },
      icon({ ...side, height: 1 }, colourOf(view.palette, side.side)),
      html("div", {}, html("b", {}, side.name, tag && html("em", {}, tag)), html("span", {}, side.who)),
      html("strong", {}, String(side.count), html("small", {}, side.unit)));
  }

  const scrollToLast = () => { turns.scrollTop = turns.scrollHeight; };

  // The latest turn stays in sight while lights come and go above it, unless somebody reads further up.
  new ResizeObserver(() => {
    if (turns.scrollHeight - turns.scrollTop - height < END_MARGIN) scrollToLast();
    height = turns.clientHeight;
  }).observe(turns);

  function turnLines() {
    requestAnimationFrame(scrollToLast);
    if (!view.turns.length) return [html("li", { class: "none" }, words.noTurns)];
    const kind = view.sides[0]?.kind ?? "man";
    const last = view.turns.at(-1);
    const earlier = view.turnsBefore > 0 && html("li", { class: "none" }, words.turnsBefore(view.turnsBefore));
    return [earlier, ...view.turns.map((turn) => html("li", { "aria-current": turn === last && "step", "data-turn": String(turn.number) },
      html("span", { class: "no" }, String(turn.number)),
      turn.side ? icon({ kind, height: 1 }, colourOf(view.palette, turn.side)) : html("span", { class: "icon" }),
      html("span", { class: "unseen" }, view.sides.find(({ side }) => side === turn.side)?.name ?? ""),
      turn.dice?.length > 0 && html("span", { class: "dice" }, turn.dice.map(smallDie)),
      html("span", { class: "text" }, actionsOf(turn.text).map((action) => html("span", {}, spoken(action))))))].filter(Boolean);
  }

  return {
    show,
    /** Says how the board is reached: its text, and "open", "trouble", "connecting" or "lost". */
    link(text, state) {
      fill(slots.link, text + state, () => [html("i", { class: state, "aria-hidden": "true" }), html("span", {}, text)]);
    },
  };
}

const isOutOfPlace = ({ mark }) => mark === "missing" || mark === "extra";

/** The actions of a turn; one that only repeats the verb of the one before loses it: "place 0,1, 2,3". */
function actionsOf(text) {
  const actions = [];
  let verb;
  for (const action of text.split("  ")) {
    const [first, ...rest] = action.split(" ");
    if (rest.length === 1 && first === verb) actions[actions.length - 1] += `, ${rest[0]}`;
    else actions.push(action);
    verb = first;
  }
  return actions;
}

/** The side whose pieces shine, once a game is won. */
function winner(view) {
  const cell = Object.keys(view.lights).find((name) => view.lights[name].mark === "winner");
  return cell && view.pieces[cell]?.side;
}

/** The lines of the list of lights: answers to an open question first, then the lights by kind. */
function linesOf(view, opened) {
  const answers = view.options.map(({ label, cells, chosen }, index) => {
    const name = cells.join(", ") || label, standing = label === `from ${name}` && view.pieces[name];
    const action = view.actions.find(({ text }) => text === label);
    const note = standing ? words.piece(standing, sideNames(view)) : cells.length && words.answer(label, action?.label);
    const button = { "data-answer": String(index), "data-line": `answer-${index}` };
    return { mark: "choice", later: !chosen, name, note: note || "", button };
  });
  const lights = Object.entries(view.lights).filter(([, light]) => !(light.mark === "choice" && answers.length));
  const order = Object.keys(MARKS), leading = view.mode === "copy" ? ["source", ...LEADING] : LEADING;
  lights.sort(([, a], [, b]) => importance(a, leading, order) - importance(b, leading, order));
  const many = lights.length + answers.length > MOST_SINGLE_LIGHTS;
  const linesFor = (kind) => (isGrouped(kind, many) ? groupLines(kind, view, opened) : kind.map((light) => oneLine(light, view)));
  return [...answers, ...kindsOf(lights).flatMap(linesFor)];
}

/** What cannot be acted on is told in one line; what can, only where there is too much of it. */
const isGrouped = (kind, many) => kind.length > MOST_OF_A_KIND && (many || TOLD_ONLY.has(kind[0][1].mark));

const TOLD_ONLY = new Set(["last", "forbidden", "winner"]);
const LEADING = ["taken", "remove", "extra", "missing", "merge", "capture", "target", "hint", "movable"];
const importance = ({ mark }, leading, order) => (leading.includes(mark) ? leading.indexOf(mark) : leading.length + order.indexOf(mark));

function kindsOf(lights) {
  const kinds = new Map();
  for (const entry of lights) {
    const key = `${entry[1].mark} ${words.note(entry[1])}`;
    kinds.set(key, [...(kinds.get(key) ?? []), entry]);
  }
  return [...kinds.values()];
}

function oneLine([name, light], view) {
  const acts = !view.past && !TOLD_ONLY.has(light.mark) && deeds(view, name).length > 0;
  return { mark: light.mark, later: light.later, name, note: words.note(light), button: acts ? { "data-act": name } : undefined };
}

function groupLines(kind, view, opened) {
  const [name, light] = kind[0], note = words.note(light), group = `${light.mark} ${note}`, open = opened.has(group);
  const noun = view.pieces[name] ? (view.pieces[name].kind === "checker" ? words.stacks : words.pieces) : words.cells;
  const button = TOLD_ONLY.has(light.mark) ? undefined : { "data-group": group, "aria-expanded": String(open) };
  const line = { mark: light.mark, later: light.later, name: words.group(kind.length, noun), note, button };
  return open ? [line, ...kind.map((entry) => oneLine(entry, view))] : [line];
}
