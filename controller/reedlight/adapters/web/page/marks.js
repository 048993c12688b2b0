// Marks: why a cell is lit, and how that looks.
//
// Shape says which mark, rhythm says it again, light (five hues) says it a third time; any two are
// enough. A light is milled into the wood: a dark groove, a bright core, a halo. The groove stays when
// a blink is off. A stroke is [path, width, dash]; width 0 means filled.

import { svg } from "./elements.js";
import { SQUARE_CORNERS, at, circlePath, fix, inner, linePath, mix, roundPath } from "./geometry.js";

/** Brightness over one period in seconds, as [moment, level] from 0 to 1. `still` is the level without motion. */
export const RHYTHMS = {
  steady: { still: 1 },
  dim: { still: 0.7 },
  breathe: { period: 2.4, still: 0.9, curve: [[0, 0.3], [0.5, 1], [1, 0.3]] },
  fast: { period: 0.4, still: 1, curve: [[0, 1], [0.5, 1], [0.62, 0.05], [0.9, 0.05], [1, 1]] },
  double: {
    period: 1.2, still: 1,
    curve: [[0, 1], [0.12, 1], [0.15, 0.05], [0.22, 0.05], [0.25, 1], [0.37, 1], [0.4, 0.05], [0.97, 0.05], [1, 1]],
  },
  slow: { period: 1.2, still: 1, curve: [[0, 1], [0.5, 1], [0.56, 0.05], [0.94, 0.05], [1, 1]] },
  fade: { period: 1.2, still: 0.6, once: true, curve: [[0, 1], [1, 0.6]] },
  offslow: { period: 1.2, still: 1, curve: [[0, 0.05], [0.44, 0.05], [0.5, 1], [0.94, 1], [1, 0.05]] },
  offfast: { period: 0.4, still: 1, curve: [[0, 0.05], [0.4, 0.05], [0.5, 1], [0.9, 1], [1, 0.05]] },
  pulse: { period: 2.4, still: 0.7, curve: [[0, 1], [0.09, 1], [0.2, 0.1], [1, 0.1]] },
  chase: { period: 1.2, still: 1, curve: [[0, 1], [0.28, 1], [0.36, 0.1], [0.96, 0.1], [1, 1]] },
  sweep: { period: 2.4, still: 1, curve: [[0, 1], [0.2, 1], [0.45, 0.2], [0.85, 0.2], [1, 1]] },
};

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
  movable: { light: "white", rhythm: "dim", fine: true, strokes: (b) => cornerDots(b, 3) },
  source: { light: "sky", rhythm: "breathe", strokes: (b) => [[frame(b, 7), 4.5, "7 9"]] },
  target: { light: "sky", rhythm: "steady", strokes: () => [[circlePath(0, 0, 12.5), 0]] },
  merge: { light: "sky", rhythm: "steady", strokes: (b) => [[frame(b, 7), 5]] },
  capture: { light: "sky", rhythm: "steady", strokes: brackets },
  taken: { light: "vermilion", rhythm: "fast", over: true, strokes: (b) => inner(b, 5).map((p) => [linePath(p, mix(p, [0, 0], 0.41)), 7]) },
  remove: { light: "vermilion", rhythm: "double", fine: true, strokes: (b) => [[frame(b, 4), 3.2], [frame(b, 12.5, 6), 3.2]] },
  choice: {
    light: "amber", rhythm: "slow",
    strokes: (b) => [[frame(b, 6), 3.5], ...middles(b).map((m) => [wedge(m, 0.86, 0.67, b.shape === "hexagon" ? 9 : 12), 0])],
    later: (b) => cornerDots(b, 4.2),
  },
  last: { light: "white", rhythm: "fade", glow: true, strokes: () => [] },
  missing: { light: "magenta", rhythm: "offslow", strokes: () => [[circlePath(0, 0, 34), 4.5, "13 13.7"], ["M-10 -5L0 6L10 -5", 5]] },
  extra: { light: "magenta", rhythm: "offfast", strokes: () => [[roundPath([[0, -48], [48, 0], [0, 48], [-48, 0]], 6), 5]] },
  forbidden: {
    light: "magenta", rhythm: "pulse",
    strokes: () => [[linePath([-22, 4], [4, -22]), 3.6], [linePath([-20, 20], [20, -20]), 3.6], [linePath([-4, 22], [22, -4]), 3.6]],
  },
  hint: { light: "amber", rhythm: "chase", strokes: (b) => [[frame(b, 7, 22), 4.5, "20 13"]] },
  winner: { light: "amber", rhythm: "sweep", strokes: () => [[circlePath(0, 0, 42.5), 4]] },
};

/** A mark in a cell's own coordinates. `later` draws a candidate; `delay` in seconds moves its rhythm. */
export function drawMark(board, name, { later = false, delay = 0 } = {}) {
  const mark = MARKS[name], lines = (later && mark.later ? mark.later : mark.strokes)(board);
  const stroke = ([d, width, dash], extra, name) =>
    svg("path", { d, class: name + (width ? "" : " solid"), "stroke-width": fix(width + extra), "stroke-dasharray": dash });
  const glint = ([d, width, dash]) => svg("path", { d, class: "glint", "stroke-width": fix(width * 0.3), "stroke-dasharray": dash });
  const lit = svg("g", { class: "lit" },
    mark.glow && svg("circle", { class: "afterglow", r: 52 }),
    lines.map((line) => stroke(line, mark.fine ? 7 : 14, "halo")),
    lines.map((line) => stroke(line, 0, "core")),
    lines.filter(([, width]) => width > 4).map(glint));
  if (!later) beat(lit, mark.rhythm, delay);
  const look = later ? (mark.later ? " dimmed" : " later") : "";
  const grooves = lines.map((line) => stroke(line, mark.fine ? 1.6 : 4, "groove"));
  return svg("g", { class: `mark l-${mark.light}${look}`, "data-mark": name }, grooves, lit);
}

/** Whether the reader asked for less motion. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Every rhythm runs on one clock, the document's, so that two marks of one kind never drift apart. */
export function beat(node, name, delay = 0) {
  const { period, curve, once, still } = RHYTHMS[name];
  node.style.opacity = still;
  if (!period || isStill()) return undefined;
  const frames = curve.map(([offset, opacity]) => ({ offset, opacity }));
  const animation = node.animate(frames, { duration: period * 1000, iterations: once ? 1 : Infinity, fill: "forwards" });
  if (!once) animation.startTime = delay * 1000;
  return animation;
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

const SHOWN = 2.4;

/** A rhythm as a small curve over 2.4 s, from left to right. */
export function drawRhythm(name) {
  const { period, curve = [[0, 1], [1, 1]], once, still } = RHYTHMS[name], span = period ?? SHOWN, points = [];
  for (let start = 0; start < SHOWN - 1e-9; start += span) {
    points.push(...curve.map(([t, level]) => [(start + t * span) * 50, period ? level : still]));
    if (once) { points.push([120, points.at(-1)[1]]); break; }
  }
  const top = at(points.map(([x, level]) => [Math.min(x, 120), 20 - 18 * level])).join("L");
  return svg("svg", { viewBox: "0 -1 120 22", class: "curve", "aria-hidden": "true" }, svg("path", { d: `M0 20L${top}L120 20Z` }));
}
