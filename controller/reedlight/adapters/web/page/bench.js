// The bench: what the simulated hardware does, beside what the board makes of it. Raw switches as they
// are this moment, raw lamps as they shine, and a switch that can be broken by tapping it, once it was
// chosen how. It exists only where the board is simulated.

import { byId, html, setText, svg } from "./elements.js";
import { fix, neighbour } from "./geometry.js";
import { words } from "./words.js";

const FAULTS = ["good", "dead", "stuck", "flicker"];
const SIGNS = {
  dead: ["path", { d: "M-34 34L34 -34" }],
  stuck: ["rect", { x: -38, y: -38, width: 76, height: 76, rx: 8 }],
  flicker: ["path", { d: "M-36 12L-12 -12L12 12L36 -12" }],
};

/** The bench; `note` shows a sentence, `fault` is called with a cell and what its switch becomes, `careless` with whether the hand is to be. */
export function benchWith({ note, fault, careless }) {
  const root = byId("bench");
  let board, switches, lamps, closedNote, litNote, carelessBox, kind;

  function build(next) {
    board = next;
    [switches, lamps] = [new Map(), new Map()];
    closedNote = html("span");
    litNote = html("span");
    carelessBox = html("input", { type: "checkbox", id: "careless" });
    root.replaceChildren(
      html("div", { class: "raw" }, panel(words.switches, closedNote, switchDot), panel(words.lamps, litNote, lampDot)),
      html("fieldset", { class: "fault-kind" }, html("legend", {}, words.makeSwitch), FAULTS.map(faultChoice)),
      html("label", { class: "careless" }, carelessBox, html("span", {}, words.careless)));
    visit(board.rows.at(-1)[0].name);
  }

  function panel(title, note, dot) {
    const drawing = svg("svg", { viewBox: "20 20 840 840", role: "group", "aria-label": title }, board.rows.flat().map((cell) =>
      svg("g", { transform: `translate(${fix(cell.x)} ${fix(cell.y)}) scale(${board.scale.toFixed(4)})` }, dot(cell))));
    return html("figure", {}, drawing, html("figcaption", {}, html("b", {}, title), note));
  }

  function switchDot({ name }) {
    const node = svg("g", { class: "reed", role: "button", tabindex: "-1", "data-switch": name }, svg("circle", { r: 24 }), svg("g"));
    node.append(svg("rect", { class: "touch", x: -50, y: -50, width: 100, height: 100 }));
    switches.set(name, node);
    return node;
  }

  function lampDot({ name }) {
    const node = svg("g", { class: "pixel" }, svg("circle", { class: "halo", r: 46 }), svg("circle", { class: "bulb", r: 28 }));
    lamps.set(name, node);
    return node;
  }

  const faultChoice = (name) => html("label", {},
    html("input", { type: "radio", name: "fault", value: name, checked: name === kind }),
    html("span", {}, html("b", {}, words.faults[name]), " ", html("small", {}, words.faultMeans[name])));

  function break_(target) {
    const cell = target.closest?.("[data-switch]")?.dataset.switch;
    if (cell && kind) fault(cell, kind);
    else if (cell) note(words.chooseFault);
  }

  /** Makes a switch the one that the Tab key comes to. */
  function visit(name) {
    for (const [other, node] of switches) node.setAttribute("tabindex", other === name ? "0" : "-1");
  }

  function walk(name, key) {
    const here = board.named.get(name), next = neighbour(board, here, key, here.x);
    if (!next) return;
    visit(next.name);
    switches.get(next.name).focus();
  }

  root.addEventListener("change", ({ target }) => {
    if (target.name === "fault") kind = target.value;
    if (target === carelessBox) careless(target.checked);
  });
  root.addEventListener("click", ({ target }) => break_(target));
  root.addEventListener("keydown", (event) => {
    const name = event.target.dataset?.switch, walks = event.key.startsWith("Arrow");
    if (!name || !(walks || ["Enter", " "].includes(event.key))) return;
    event.preventDefault();
    if (walks) walk(name, event.key);
    else break_(event.target);
  });

  function showSwitches(closed, faults) {
    const on = new Set(closed);
    for (const [name, node] of switches) {
      const broken = faults[name] ?? "good", look = `reed${on.has(name) ? " closed" : ""}`;
      if (node.getAttribute("class") !== look) node.setAttribute("class", look);
      if (node.dataset.fault !== broken) node.children[1].replaceChildren(...(SIGNS[broken] ? [svg(...SIGNS[broken])] : []));
      node.dataset.fault = broken;
      node.setAttribute("aria-label", words.switchAloud(name, on.has(name), SIGNS[broken] && words.faults[broken]));
    }
    setText(closedNote, words.closed(on.size));
  }

  function showLamps(shining) {
    let lit = 0;
    for (const [name, node] of lamps) {
      const [r, g, b] = shining[name] ?? [0, 0, 0], colour = `rgb(${r} ${g} ${b})`, on = r + g + b > 0;
      if (on) lit += 1;
      if (node.dataset.colour === colour) continue;
      node.dataset.colour = colour;
      node.setAttribute("class", on ? "pixel on" : "pixel");
      for (const circle of node.children) circle.style.fill = on ? colour : "";
    }
    setText(litNote, words.lit(lit));
  }

  return {
    /** Opens or closes the bench for a board. */
    open(next, isOpen) {
      root.hidden = !isOpen;
      document.body.classList.toggle("with-bench", isOpen);
      byId("bench-open").setAttribute("aria-expanded", String(isOpen));
      if (isOpen && next !== board) build(next);
    },
    /** Shows how the simulated hand sets stacks down. */
    showHand(isCareless) {
      if (carelessBox) carelessBox.checked = isCareless;
    },
    show({ switches: closed = [], lamps: shining = {}, faults = {} }) {
      if (!board || root.hidden) return;
      showSwitches(closed, faults);
      showLamps(shining);
    },
  };
}
