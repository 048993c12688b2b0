// Pieces as what they are, seen from above and a little from the front: a top, a wall below it, one
// line in the wall for every checker, every fifth heavier. A king is two men high and wears a crown;
// a stone is a dome. Colour never stands alone: each side has its own rings, beads or dots.

import { svg } from "./elements.js";
import { fix } from "./geometry.js";

/** What the two sides of a game look like. */
const PALETTES = {
  diablo: { light: "green", dark: "black" },
  draughts: { light: "ivory", dark: "ebony" },
  herd: { light: "red", dark: "blue" },
};
const OTHER_GAMES = { light: "ivory", dark: "ebony" };
const COLOURS = ["black", "green", "ivory", "ebony", "red", "blue"];

/** The colour of a side in a game's palette. */
export const colourOf = (palette, side) => (PALETTES[palette] ?? OTHER_GAMES)[side];

/** How far a stack's top stands above its foot, in hundredths of a cell: always growing, below 44. */
const rise = (height) => 7 + 37 * (1 - Math.exp(-(height - 1) / 5.5));

/** Where the middle of a piece's top is drawn, in its cell's coordinates. */
export const topOf = (piece) => (piece.kind === "stone" ? 0 : footOf(levelsOf(piece)) - rise(levelsOf(piece)));

const levelsOf = ({ kind, height = 1 }) => (kind === "king" ? 2 : height);
const footOf = (levels) => (levels === 1 ? 5 : 9);

const CROWN = "M-13 8L-15 -8L-6.5 -1L0 -11L6.5 -1L15 -8L13 8Z";
const SEAM_ROOM = 2.5;

const ring = (r, name = "groove-ring") => svg("circle", { class: name, r });

const INLAYS = {
  ivory: () => [ring(25), ring(17), ring(9)],
  ebony: () => [ring(25), ring(17), ring(9)],
  green: () => [ring(26.5, "groove-ring beads")],
  black: () => [ring(26.5)],
  red: () => [ring(26.5), ring(5, "bead")],
  blue: () => [ring(26.5), ring(15)],
};

/** A piece in a cell's own coordinates; `coarse` leaves out what a small cell cannot show. */
export function drawPiece(piece, colour, { coarse = false } = {}) {
  return piece.kind === "stone" ? drawStone(colour, coarse) : drawStack(piece, colour, coarse);
}

function drawStack(piece, colour, coarse) {
  const levels = levelsOf(piece), radius = levels === 1 ? 34 : 33;
  const foot = footOf(levels), wall = rise(levels), top = foot - wall;
  const arc = (y) => `M${-radius} ${fix(y)}A${radius} ${radius} 0 0 0 ${radius} ${fix(y)}`;
  return svg("g", { class: `piece p-${colour}${coarse ? " coarse" : ""}` },
    svg("ellipse", { class: "shade", cx: 5, cy: foot + 6, rx: radius + 5, ry: radius + 2 }),
    svg("path", { class: "wall", d: `${arc(foot)}L${radius} ${fix(top)}A${radius} ${radius} 0 0 1 ${-radius} ${fix(top)}Z` }),
    !coarse && seams(levels, wall / levels, (k) => arc(foot - (k * wall) / levels)),
    svg("circle", { class: "top", cx: 0, cy: fix(top), r: radius }),
    svg("g", { transform: `translate(0 ${fix(top)})` }, inlay(piece, colour, coarse)));
}

function seams(levels, step, arc) {
  const lines = [];
  for (let k = 1; k < levels; k++) {
    const fifth = k % 5 === 0;
    if (fifth || step > SEAM_ROOM) lines.push(svg("path", { class: fifth ? "seam fifth" : "seam", d: arc(k) }));
  }
  return lines;
}

function inlay({ kind, height = 1 }, colour, coarse) {
  if (kind === "king") return [ring(25), svg("path", { class: "crown", d: CROWN })];
  const numeral = height > 1 && svg("text", { class: "height", y: coarse ? 17 : 11 }, String(height));
  if (coarse) return [numeral];
  const rings = INLAYS[colour]();
  return [...(numeral ? rings.slice(0, 1) : rings), numeral];
}

function drawStone(colour, coarse) {
  const gleam = svg("ellipse", { class: "gleam", cx: -10, cy: -14, rx: 17, ry: 12, transform: "rotate(-28 -10 -14)" });
  const sign = colour === "blue" || colour === "ivory" ? ring(15) : ring(coarse ? 8 : 5, "bead");
  return svg("g", { class: `piece stone p-${colour}` },
    svg("ellipse", { class: "shade", cx: 4, cy: 9, rx: 39, ry: 36 }),
    svg("circle", { class: "wall", cx: 0, cy: 3, r: 36 }),
    svg("circle", { class: "dome", cx: 0, cy: 0, r: 35.2 }),
    !coarse && gleam,
    sign);
}

/** A piece by itself, as large as its frame. */
export const icon = (piece, colour) =>
  svg("svg", { viewBox: "-42 -42 84 84", class: "icon", "aria-hidden": "true" }, drawPiece(piece, colour));

// ---------------------------------------------------------------- paint, defined once for the page

const stops = (...list) => list.map(([offset, name]) => svg("stop", { offset, class: name }));

/** Gradients and wood; the colours themselves are in the style sheet, so that a theme changes them. */
export const definitions = () => svg("defs", {},
  COLOURS.flatMap((colour) => [
    svg("linearGradient", { id: `wall-${colour}`, x1: 0, x2: 1, y1: 0, y2: 0 },
      stops([0, `s-${colour} dark`], [0.32, `s-${colour} lit-side`], [0.62, `s-${colour} mid`], [1, `s-${colour} dark`])),
    svg("linearGradient", { id: `top-${colour}`, x1: 0, x2: 0.7, y1: 0, y2: 1 },
      stops([0, `s-${colour} top-hi`], [1, `s-${colour} top-lo`])),
    svg("radialGradient", { id: `dome-${colour}`, cx: 0.38, cy: 0.32, r: 0.78 },
      stops([0, `s-${colour} top-hi`], [0.55, `s-${colour} top-lo`], [1, `s-${colour} mid`])),
  ]),
  svg("radialGradient", { id: "afterglow" }, stops([0, "glow-in"], [0.45, "glow-mid"], [1, "glow-out"])),
  svg("linearGradient", { id: "recess-down", x2: 0, y2: 1 }, stops([0, "recess-in"], [1, "recess-out"])),
  svg("linearGradient", { id: "recess-right" }, stops([0, "recess-in"], [1, "recess-out"])),
  svg("radialGradient", { id: "gleam" }, stops([0, "gleam-in"], [1, "gleam-out"])),
  svg("radialGradient", { id: "shade" }, stops([0.55, "shade-in"], [1, "shade-out"])),
  grain("grain-frame", "0.004 0.2", 11, 0.75, -0.22),
  grain("grain-deep", "0.17 0.004", 5, 0.8, -0.24),
  grain("grain-pale", "0.15 0.004", 23, 0.5, -0.15),
  grain("grain-mid", "0.16 0.004", 41, 0.62, -0.19));

/** Fine wood fibres: stretched noise, drawn once as thin dark alpha over the flat colour. */
function grain(id, frequency, seed, gain, bias) {
  return svg("filter", { id, x: 0, y: 0, width: "100%", height: "100%", "color-interpolation-filters": "sRGB" },
    svg("feTurbulence", { type: "fractalNoise", baseFrequency: frequency, numOctaves: 4, seed, result: "noise" }),
    svg("feColorMatrix", { values: `0 0 0 0 0.12  0 0 0 0 0.055  0 0 0 0 0.02  ${gain} 0 0 0 ${bias}` }));
}
