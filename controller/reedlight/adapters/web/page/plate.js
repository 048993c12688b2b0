// The plate: wood drawn once for a board, and over it everything that changes, updated by difference.
//
//     wood     tiles, grain, engraving           never redrawn while the board stays
//     ghosts   pieces that are missing
//     marks    lights under the pieces           each cell has one slot in every layer; a slot is
//     pieces   nearer rows drawn later           redrawn only when its own key changes, so a rhythm
//     above    lights over the pieces            never restarts for another cell's sake
//     hand     what the hand holds
//     cells    buttons for pointer, keyboard and screen reader
//
// The plate draws a view and answers which cell lies under a point. It sends nothing.

import { fill, html, svg } from "./elements.js";
import { PLATE, fix, nearest, outline } from "./geometry.js";
import { MARKS, drawMark, isStill } from "./marks.js";
import { colourOf, definitions, drawPiece, topOf } from "./pieces.js";
import { minus, words } from "./words.js";

const LAYERS = ["ghosts", "marks", "pieces", "above"];
const MOVE_MS = 200;
const REACH = 0.62;
const TOP_RADIUS = 33;
const MOST_HELD_DRAWN = 3;
/** How far a held piece floats above the cell it is over: higher at rest, low while it is aimed. */
const AT_REST = -40, WHILE_CARRIED = -16;

const placed = (cell, board) => `translate(${fix(cell.x)} ${fix(cell.y)}) scale(${board.scale.toFixed(4)})`;

/** The names of the sides as they stand in the middle of a sentence. */
export const sideNames = (view) => Object.fromEntries(view.sides.map(({ side, name }) => [side, name.toLowerCase()]));

/** A live plate in `root`. `show` draws a view, `cellAt` finds what a pointer is over. */
export function plateIn(root) {
  let board, slots, hand, buttons, view;
  let carried, carriedAt;

  // ------------------------------------------------------------ a new board

  function build(next, title) {
    board = next;
    const play = svg("svg", { viewBox: `0 0 ${PLATE} ${PLATE}`, class: "play", "aria-hidden": "true" });
    slots = Object.fromEntries(LAYERS.map((layer) => [layer, new Map()]));
    for (const layer of LAYERS) {
      const group = svg("g");
      for (const cell of board.rows.flat()) {
        const node = svg("g", { transform: placed(cell, board) });
        slots[layer].set(cell.name, { node, key: "" });
        group.append(node);
      }
      play.append(group);
    }
    hand = { node: svg("g", { class: "hand" }), key: "" };
    play.append(hand.node);
    root.replaceChildren(drawWood(board), play, drawCells(title));
    document.body.dataset.board = board.shape;
  }

  function drawCells(title) {
    const grid = html("div", { class: "cells", role: "grid", "aria-label": title });
    buttons = new Map();
    for (const row of board.rows) {
      const line = html("div", { role: "row" });
      for (const cell of row) {
        const button = html("button", { type: "button", role: "gridcell", tabindex: -1, "data-cell": cell.name });
        const half = board.unit / 2, percent = (length) => `${(length / PLATE) * 100}%`;
        const [left, top, side] = [cell.x - half, cell.y - half, 2 * half].map(percent);
        Object.assign(button.style, { left, top, width: side, height: side });
        buttons.set(cell.name, button);
        line.append(button);
      }
      grid.append(line);
    }
    buttons.get(board.rows.at(-1)[0].name).tabIndex = 0;
    return grid;
  }

  // ------------------------------------------------------------ a view

  function show(next) {
    const before = view;
    view = next;
    for (const cell of board.cells) showCell(cell);
    showHeld();
    if (before && before.grid.name === view.grid.name) glide(before);
  }

  function showCell(cell) {
    const { name } = cell, piece = view.pieces[name], light = view.lights[name], ghost = piece ? undefined : view.expected[name];
    const under = { node: slots.marks.get(name), other: slots.above.get(name) };
    const [lit, dark] = light && MARKS[light.mark].over ? [under.other, under.node] : [under.node, under.other];
    fill(slots.ghosts.get(name), ghost ? pieceKey(ghost) : "", () => (ghost ? [svg("g", { class: "expected" }, draw(ghost))] : []));
    fill(slots.pieces.get(name), piece ? pieceKey(piece) : "", () => (piece ? [draw(piece)] : []));
    fill(dark, "", () => []);
    fill(lit, light ? lightKey(light) : "", () => (light ? [drawMark(board, light.mark, light)] : []));
    describe(name, piece, light);
  }

  const pieceKey = ({ side, kind, height }) => `${view.palette} ${side} ${kind} ${height}`;
  const draw = (piece) => drawPiece(piece, colourOf(view.palette, piece.side), board);
  const lightKey = (light) => `${light.mark} ${light.later ?? ""} ${light.delay ?? ""} ${isStill()}`;

  function describe(name, piece, light) {
    const label = words.cell(name, piece && words.piece(piece, sideNames(view)), light && words.note(light));
    const button = buttons.get(name);
    if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
    button.dataset.mark = light?.mark ?? "";
  }

  // ------------------------------------------------------------ the hand over the plate

  const held = () => view.hand.at(-1);
  const lift = () => (carried ? WHILE_CARRIED : AT_REST);

  /** Where the held pieces hover: under the pointer, else over the focused cell, else where they came from. */
  function hover() {
    const focused = document.activeElement?.dataset?.cell;
    const over = focused && document.activeElement.matches(":focus-visible") ? focused : held()?.from;
    return carried ?? board.named.get(over);
  }

  function showHeld() {
    const at = held() && hover();
    const key = at ? JSON.stringify([Math.round(at.x), Math.round(at.y), lift(), view.hand, view.palette]) : "";
    fill(hand, key, () => (at ? [drawHeld(at)] : []));
    if (at) carriedAt = { x: at.x, y: at.y + lift() * board.scale };
  }

  /** The last lifted piece in front, the others behind it in a fan. */
  function drawHeld(at) {
    const pieces = view.hand.slice(-MOST_HELD_DRAWN);
    const fan = pieces.map(({ piece }, i) => {
      const behind = pieces.length - 1 - i;
      return svg("g", { transform: `translate(${4 - 24 * behind} ${lift() + 8 * behind}) scale(1.13)` }, draw(piece));
    });
    const shade = svg("ellipse", { class: "shade far", cx: 27, cy: 30, rx: 46, ry: 40 });
    return svg("g", { class: "held", transform: placed(at, board) }, shade, fan);
  }

  /** A piece that moved is seen moving: from the hand that set it down, or from the cell it left. */
  function glide(before) {
    if (isStill()) return;
    const appeared = board.cells.filter(({ name }) => view.pieces[name] && !sameOwner(view.pieces[name], before.pieces[name]));
    const left = board.cells.filter(({ name }) => before.pieces[name] && !view.pieces[name]);
    const fromHand = before.hand.length > view.hand.length ? carriedAt : undefined;
    for (const cell of appeared) {
      const from = fromHand ?? departed(left, before, view.pieces[cell.name]);
      if (!from) continue;
      const [dx, dy] = [(from.x - cell.x) / board.scale, (from.y - cell.y) / board.scale];
      slots.pieces.get(cell.name).node.firstChild.animate([{ transform: `translate(${fix(dx)}px, ${fix(dy)}px)` }, { transform: "none" }],
        { duration: fromHand ? MOVE_MS / 2 : MOVE_MS, easing: "ease-out" });
    }
  }

  const sameOwner = (now, then) => then && now.side === then.side;
  const departed = (left, before, piece) => {
    const found = left.findIndex(({ name }) => before.pieces[name].side === piece.side && before.pieces[name].height === piece.height);
    return found < 0 ? undefined : left.splice(found, 1)[0];
  };

  // ------------------------------------------------------------ pointing

  const point = ({ clientX, clientY }) => {
    const box = root.getBoundingClientRect();
    return { x: ((clientX - box.left) / box.width) * PLATE, y: ((clientY - box.top) / box.height) * PLATE };
  };

  /** The cell under a point. The top of a tall stack covers part of the cell behind it, so drawn tops are asked first. */
  function cellAt({ x, y }) {
    const tops = board.cells.filter(({ name }) => view.pieces[name]?.height > 1).sort((a, b) => b.y - a.y);
    const fromTop = (cell) => Math.hypot(x - cell.x, y - cell.y - topOf(view.pieces[cell.name]) * board.scale);
    const top = tops.find((cell) => fromTop(cell) < TOP_RADIUS * board.scale);
    return top ?? nearest(board.cells, [x, y], REACH * board.unit);
  }

  function focus(name) {
    for (const [other, button] of buttons) button.tabIndex = other === name ? 0 : -1;
    buttons.get(name).focus();
    showHeld();
  }

  return {
    build, show, cellAt, point, focus,
    get board() { return board; },
    /** Keeps the held piece under the pointer; undefined lets it hover by itself again. */
    carry(where) {
      carried = where;
      if (view) showHeld();
    },
    /** Makes a cell the one the Tab key comes to. */
    visit(name) {
      for (const [other, button] of buttons) button.tabIndex = other === name ? 0 : -1;
    },
    /** Draws a piece lying flat at a point, while it is slid along the board; undefined puts an end to it. */
    slide(from, where) {
      slots.pieces.get(from).node.classList.toggle("away", Boolean(where));
      const piece = view.pieces[from];
      hand.key = "slide";
      hand.node.replaceChildren(...(where && piece ? [svg("g", { transform: placed(where, board) }, draw(piece))] : []));
      if (!where) showHeld();
    },
  };
}

// ---------------------------------------------------------------- wood

function drawWood(board) {
  const wood = svg("svg", { viewBox: `0 0 ${PLATE} ${PLATE}`, class: "wood", "aria-hidden": "true" }, definitions());
  const { box } = board, square = board.shape === "square";
  const tiles = { pale: [], deep: [], mid: [] };
  for (const cell of board.cells) tiles[cell.tone].push(outline(board, cell));
  if (square) wood.append(svg("rect", { class: "well", x: box.x - 4, y: box.y - 4, width: box.width + 8, height: box.height + 8, rx: 4 }));
  for (const [tone, paths] of Object.entries(tiles)) {
    if (!paths.length) continue;
    const d = paths.join("");
    const fibres = svg("rect", { x: 30, y: 30, width: 820, height: 820, filter: `url(#grain-${tone})` });
    wood.append(
      svg("path", { class: `tile ${tone}`, d }),
      svg("clipPath", { id: `clip-${tone}` }, svg("path", { d })),
      svg("g", { "clip-path": `url(#clip-${tone})` }, fibres));
  }
  wood.append(svg("path", { class: "kerf", d: Object.values(tiles).flat().join("") }));
  wood.append(...board.cells.map(({ x, y }) => svg("circle", { class: "lens", cx: fix(x), cy: fix(y), r: fix(3.2 * board.scale) })));
  if (square) wood.append(
    svg("rect", { x: box.x, y: box.y, width: box.width, height: 9, fill: "url(#recess-down)" }),
    svg("rect", { x: box.x, y: box.y, width: 9, height: box.height, fill: "url(#recess-right)" }));
  wood.append(...board.labels.map(({ x, y, text, size }) =>
    svg("text", { class: "engraved", x: fix(x), y: fix(y), dy: "0.36em", "font-size": fix(size) }, minus(text))));
  return wood;
}
