// Marks: why a cell is lit, and how that looks.
//
// Shape says which mark, rhythm says it again, light (five hues) says it a third time; any two are
// enough. Shapes are drawn here; rhythms and hues are the board's own and come with its first message.
// A light is milled into the wood: a dark groove, in it a lens that shows its hue unlit, over it a bright
// core and a halo. Groove and lens stay when a blink is off. A stroke is [path, width, dash]; width 0 means
// filled.

import { svg } from "./elements.js";
import { SQUARE_CORNERS, at, circlePath, fix, inner, linePath, mix, roundPath } from "./geometry.js";

/** What is drawn until the board has said how its marks look: light that is simply there. */
const PLAIN_LIGHT = { hue: "white", period: 1, points: [[0, 1], [1, 1]], still: 1, delay: 0 };

let looks = {}, lampLooks = {};

/** Takes in how the board's marks and the lamps of its buttons look; the page has no table of its own. */
export function learnMarks({ marks, lamps }) {
  [looks, lampLooks] = [marks, lamps];
  for (const { hue, colour } of Object.values(marks)) document.documentElement.style.setProperty(`--${hue}`, colour);
}

/** The hue and the rhythm of a mark: brightness from 0 to 1 as [second, level] points over one period, and `still`. */
export const lookOf = (mark) => looks[mark] ?? PLAIN_LIGHT;

/** The rhythm of a button's lamp that is "off", "on" or to "blink". */
export const lampLookOf = (lamp) => lampLooks[lamp] ?? PLAIN_LIGHT;

const frame = (board, inset, radius = 9) => roundPath(inner(board, inset), radius);

const middles = (board) => board.corners.map((p, i) => mix(p, board.corners[(i + 1) % board.corners.length], 0.5));

function wedge([mx, my], base, tip, half) {
  const [ux, uy] = [mx / 50, my / 50];
  const points = [
    [mx * base - uy * half, my * base + ux * half],
    [mx * base + uy * half, my * base - ux * half],
    [mx * tip, my * tip],
  ];
  return `M${at(points).join("L")}Z`;
}

function brackets(board) {
  const points = inner(board, 7);
  return points.map((p, i) => {
    const before = mix(p, points.at(i - 1), 0.26), after = mix(p, points[(i + 1) % points.length], 0.26);
    return [`M${at([before])}L${at([p])}L${at([after])}`, 6.5];
  });
}

const cornerDots = (board, radius) => inner(board, 9).map(([x, y]) => [circlePath(x, y, radius), 0]);

/** `over` is drawn above the piece, `fine` without a wide halo, `later` for a candidate that is not lit now. */
export const MARKS = {
  movable: { fine: true, strokes: (b) => cornerDots(b, 3) },
  source: { strokes: (b) => [[frame(b, 7), 4.5, "7 9"]] },
  target: { strokes: () => [[circlePath(0, 0, 12.5), 0]] },
  merge: { strokes: (b) => [[frame(b, 7), 5]] },
  capture: { strokes: brackets },
  taken: { over: true, strokes: (b) => inner(b, 5).map((p) => [linePath(p, mix(p, [0, 0], 0.41)), 7]) },
  remove: { fine: true, strokes: (b) => [[frame(b, 4), 3.2], [frame(b, 12.5, 6), 3.2]] },
  choice: {
    
    strokes: (b) => [[frame(b, 6), 3.5], ...middles(b).map((m) => [wedge(m, 0.86, 0.67, b.shape === "hexagon" ? 9 : 12), 0])],
    later: (b) => cornerDots(b, 4.2),
  },
  last: { glow: true, strokes: () => [] },
  missing: { strokes: () => [[circlePath(0, 0, 34), 4.5, "13 13.7"], ["M-10 -5L0 6L10 -5", 5]] },
  extra: { strokes: () => [[roundPath([[0, -48], [48, 0], [0, 48], [-48, 0]], 6), 5]] },
  forbidden: {
    
    strokes: () => [[linePath([-22, 4], [4, -22]), 3.6], [linePath([-20, 20], [20, -20]), 3.6], [linePath([-4, 22], [22, -4]), 3.6]],
  },
  hint: { strokes: (b) => [[frame(b, 7, 22), 4.5, "20 13"]] },
  winner: { strokes: () => [[circlePath(0, 0, 42.5), 4]] },
};

/** A mark in a cell's own coordinates. `later` draws a candidate; `delay` in seconds moves its rhythm. */
export function drawMark(board, name, { later = false, delay = 0 } = {}) {
  const mark = MARKS[name], look = lookOf(name), lines = (later && mark.later ? mark.later : mark.strokes)(board);
  const stroke = ([d, width, dash], extra, name) =>
    svg("path", { d, class: name + (width ? "" : " solid"), "stroke-width": fix(width + extra), "stroke-dasharray": dash });
  const glint = ([d, width, dash]) => svg("path", { d, class: "glint", "stroke-width": fix(width * 0.3), "stroke-dasharray": dash });
  const lit = svg("g", { class: "lit" },
    mark.glow && svg("circle", { class: "afterglow", r: 52 }),
    lines.map((line) => stroke(line, mark.fine ? 7 : 14, "halo")),
    lines.map((line) => stroke(line, 0, "core")),
    lines.filter(([, width]) => width > 4).map(glint));
  if (!later) beat(lit, look, delay);
  const candidate = later ? (mark.later ? " dimmed" : " later") : "";
  const grooves = lines.map((line) => stroke(line, mark.fine ? 1.6 : 3, "groove"));
  const unlit = lines.map((line) => stroke(line, 0, "unlit"));
  return svg("g", { class: `mark l-${look.hue}${candidate}`, "data-mark": name }, grooves, unlit, lit);
}

/** Whether the reader asked for less motion. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A drawn lamp cannot outshine the drawn wood in a lit room, so what is dim is drawn less dim. */
const drawn = (level) => Math.cbrt(level);

const isSteady = ({ points }) => points.every(([, level]) => level === points[0][1]);

/** Lets a node shine in a rhythm. All run on one clock, the document's, so that equal marks keep step. */
export function beat(node, rhythm, delay = 0) {
  const { period, points, still } = rhythm;
  node.style.opacity = drawn(still);
  if (isSteady(rhythm) || isStill()) return;
  const frames = points.map(([moment, level]) => ({ offset: moment / period, opacity: drawn(level) }));
  node.animate(frames, { duration: period * 1000, iterations: Infinity }).startTime = delay * 1000;
}

// ---------------------------------------------------------------- on paper

const CHIP = { shape: "square", corners: SQUARE_CORNERS };
const ON_AN_EMPTY_CELL = new Set(["source", "last", "target", "missing", "forbidden"]);

/** A mark on a chip of wood, to stand beside its words. */
export const glyph = (mark, { later = false } = {}) =>
  svg("svg", { viewBox: "-54 -54 108 108", class: "glyph", "aria-hidden": "true" },
    svg("rect", { class: "chip-wood", x: -54, y: -54, width: 108, height: 108, rx: 18 }),
    !ON_AN_EMPTY_CELL.has(mark) && svg("circle", { class: "chip-piece", r: 27 }),
    drawMark(CHIP, mark, { later }));

const SHOWN = 2, WIDTH = 120, HEIGHT = 18;

/** Two seconds of a rhythm as a small curve, from left to right. */
export function drawRhythm({ period, points }) {
  const corners = [];
  for (let begun = 0; begun < SHOWN; begun += period) corners.push(...points.map(([moment, level]) => [begun + moment, level]));
  const top = at(corners.map(([moment, level]) => [Math.min(moment / SHOWN, 1) * WIDTH, HEIGHT * (1 - level)])).join("L");
  return svg("svg", { viewBox: `0 -1 ${WIDTH} ${HEIGHT + 3}`, class: "curve", "aria-hidden": "true" },
    svg("path", { d: `M0 ${HEIGHT + 1}L${top}L${WIDTH} ${HEIGHT + 1}Z` }));
}
