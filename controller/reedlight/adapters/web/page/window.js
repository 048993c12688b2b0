// The window: two 8 x 8 modules under dark glass. They show the dice, or, in games without dice and
// before a roll, how many pieces each side has. A face of up to nine pips is drawn as pips, more as a
// number; a spent die goes dark. A roll tumbles for a moment, which any key or touch ends.

import { html, svg } from "./elements.js";
import { isStill } from "./marks.js";
import { words } from "./words.js";

const PLACES = { nw: [0, 0], n: [3, 0], ne: [6, 0], w: [0, 3], c: [3, 3], e: [6, 3], sw: [0, 6], s: [3, 6], se: [6, 6] };
const FACES = {
  0: "", 1: "c", 2: "nw se", 3: "nw c se", 4: "nw ne sw se", 5: "nw ne c sw se", 6: "nw ne w e sw se",
  7: "nw ne w c e sw se", 8: "nw n ne w e sw s se", 9: "nw n ne w c e sw s se",
};
const pipsOf = (value) => FACES[value].split(" ").filter(Boolean).map((name) => PLACES[name]);

/** Rows of three dots, from the top, as bits. */
const DIGITS = [
  [7, 5, 5, 5, 5, 5, 7], [2, 6, 2, 2, 2, 2, 7], [7, 1, 1, 7, 4, 4, 7], [7, 1, 1, 7, 1, 1, 7], [5, 5, 5, 7, 1, 1, 1],
  [7, 4, 4, 7, 1, 1, 7], [7, 4, 4, 7, 5, 5, 7], [7, 1, 1, 2, 2, 2, 2], [7, 5, 5, 7, 5, 5, 7], [7, 5, 5, 7, 1, 1, 7],
];

const NINE = 9;

function faceDots(value) {
  const dots = pipsOf(value).flatMap(([x, y]) => [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]]);
  return { columns: 8, dots };
}

function numberDots(value) {
  const digits = [...String(value)].map(Number), indent = digits.length === 1 ? 3 : 0;
  const columns = Math.max(8, digits.length * 4);
  const dots = digits.flatMap((digit, place) => DIGITS[digit].flatMap((bits, y) =>
    [0, 1, 2].filter((x) => bits & (4 >> x)).map((x) => [indent + place * 4 + x, y])));
  return { columns, dots };
}

function drawModule({ columns, dots }, spent) {
  const on = new Set(dots.map(String));
  const all = [...Array(8 * columns).keys()].map((k) => [k % columns, Math.floor(k / columns)]);
  const dot = ([x, y]) => svg("circle", { class: on.has(`${x},${y}`) ? "dot on" : "dot", cx: x * 10 + 5, cy: y * 10 + 5, r: 3.5 });
  return svg("svg", { viewBox: `0 0 ${columns * 10} 80`, class: `module${spent ? " used" : ""}`, "aria-hidden": "true" },
    dots.map(([x, y]) => svg("circle", { class: "dot-halo", cx: x * 10 + 5, cy: y * 10 + 5, r: 7 })), all.map(dot));
}

const slot = (shown) => html("div", { class: "slot" }, drawModule(shown.dots, shown.spent), html("span", {}, shown.label));

const dieShown = ({ pips, spent, note }) => ({ dots: pips <= NINE ? faceDots(pips) : numberDots(pips), spent, label: note });
const countShown = ({ name, count }) => ({ dots: numberDots(count), spent: false, label: name });

// ---------------------------------------------------------------- the live window

const TUMBLE = 640, TUMBLE_STEP = 80;

/** The window in `node`: `update` shows a view's dice or counts; `tell` reads a roll aloud. */
export function windowIn(node, tell) {
  const heard = html("p", { class: "unseen" });
  let shown = "", faces = "", endTumble = () => {};

  const draw = (list) => node.replaceChildren(...list.map(slot), heard);

  function tumble(dice) {
    const most = Math.max(6, ...dice.map((die) => die.pips));
    const anyFace = () => 1 + Math.floor(Math.random() * Math.min(most, NINE));
    const timer = setInterval(() => draw(dice.map((die) => dieShown({ ...die, pips: anyFace(), note: "\u00a0" }))), TUMBLE_STEP);
    const end = () => {
      clearInterval(timer);
      clearTimeout(last);
      for (const kind of ["keydown", "pointerdown"]) removeEventListener(kind, end, true);
      endTumble = () => {};
      draw(dice.map(dieShown));
    };
    const last = setTimeout(end, TUMBLE);
    for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, end, true);
    endTumble = end;
  }

  return {
    update({ dice, sides }) {
      const key = JSON.stringify(dice.length ? dice : sides.map(({ name, count }) => [name, count]));
      if (key === shown) return;
      const rolled = dice.length > 0 && shown !== "" && faces !== dice.map((die) => die.pips).join() && dice.every((die) => !die.spent);
      [shown, faces] = [key, dice.map((die) => die.pips).join()];
      endTumble();
      heard.textContent = dice.length ? words.diceAloud(dice) : words.countsAloud(sides);
      if (rolled) tell(heard.textContent);
      if (rolled && !isStill()) tumble(dice);
      else draw(dice.length ? dice.map(dieShown) : sides.map(countShown));
    },
  };
}

/** A die as small as a letter, for the list of turns. */
export function smallDie(value) {
  if (value > NINE) return html("span", { class: "die-number" }, String(value));
  const pip = ([x, y]) => svg("circle", { cx: 5 + (x * 5) / 3, cy: 5 + (y * 5) / 3, r: 1.75 });
  return svg("svg", { viewBox: "0 0 20 20", class: "die", role: "img", "aria-label": String(value) },
    svg("rect", { x: 1, y: 1, width: 18, height: 18, rx: 4.5 }), pipsOf(value).map(pip));
}
