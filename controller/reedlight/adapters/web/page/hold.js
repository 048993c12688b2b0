// What the hand holds, the tray for what has left the board, and the box that stones come from: a
// trough in front of the board, in the simulator only. Equal pieces lie on one heap.

import { byId, fill, html } from "./elements.js";
import { isPlacing, moverOf } from "./hand.js";
import { colourOf, icon } from "./pieces.js";
import { sideNames } from "./plate.js";
import { words } from "./words.js";

/** The trough; `show` draws a view's hand, tray and supply. */
export function holdBelow() {
  const palm = html("div", { class: "palm" }), tray = html("div", { class: "tray", role: "group", "aria-label": words.tray });
  const tools = [["slide", words.slide], ["nudge", words.nudge], ["pick", words.pick], ["knock", words.knock]].map(([tool, text]) =>
    html("button", { type: "button", class: "quiet", "data-tool": tool, "aria-pressed": tool !== "knock" && "false" }, text));
  const pick = tools.find((button) => button.dataset.tool === "pick");
  const slots = { palm: { node: palm, key: "" }, tray: { node: tray, key: "" } };
  byId("hold").replaceChildren(palm, tray, html("div", { class: "jolts" }, tools));

  return {
    show(view) {
      const focused = byId("hold").contains(document.activeElement);
      byId("hold").hidden = !view.simulated;
      document.body.classList.toggle("with-hand", view.simulated);
      pick.hidden = !Object.values(view.pieces).some(({ kind }) => kind === "checker");
      fill(slots.palm, JSON.stringify([view.hand, view.palette]), () => palmOf(view));
      fill(slots.tray, JSON.stringify([view.tray, view.supply, view.palette, isPlacing(view) && moverOf(view)]), () => trayOf(view));
      tray.classList.toggle("open", view.hand.length > 0);
      if (focused && document.activeElement === document.body) byId("hold").querySelector("button").focus({ preventScroll: true });
    },
  };
}

const MOST_SHOWN = 2;

function palmOf({ hand, palette, ...view }) {
  const top = hand.at(-1), names = sideNames(view);
  if (!top) return [html("p", {}, html("b", {}, words.handEmpty), html("span", {}, words.handHint))];
  const deed = (name, text, key) => html("button", { type: "button", class: "quiet", "data-palm": name, "aria-keyshortcuts": key }, text);
  return [...hand.slice(-MOST_SHOWN).map(({ piece }) => icon(piece, colourOf(palette, piece.side))),
    html("p", {}, html("b", {}, words.handHolds(words.piece(top.piece, names))), html("span", {}, words.handMore(top.from, hand.length - 1)),
      html("span", { class: "ways" }, top.from && deed("back", words.toBack, "Escape"), deed("tray", words.toTheTray, "T")))];
}

function trayOf(view) {
  const names = sideNames(view);
  const boxes = ["light", "dark"].filter((side) => view.supply[side]).map((side) => {
    const isOthers = isPlacing(view) && side !== moverOf(view);
    const label = words.box(names[side], isOthers && view.sides.find(({ active }) => active).name);
    return html("button", { type: "button", class: isOthers ? "box others" : "box", "data-stone": side, "aria-label": label, title: label },
      icon({ kind: "stone" }, colourOf(view.palette, side)));
  });
  const heaps = heapsOf(view.tray).map(({ piece, index, count }) => {
    const label = words.trayPiece(words.piece(piece, names), count);
    return html("button", { type: "button", "data-tray": String(index), "aria-label": label, title: label },
      icon(piece, colourOf(view.palette, piece.side)), count > 1 && html("b", {}, `×\u2009${count}`));
  });
  const nothing = !boxes.length && !heaps.length && html("p", {}, words.trayEmpty);
  return [...boxes, ...heaps, nothing].filter(Boolean);
}

/** Equal pieces together, in the order in which the first of each came; the index is the latest one's. */
function heapsOf(tray) {
  const heaps = new Map();
  tray.forEach((piece, index) => {
    const key = `${piece.side} ${piece.kind} ${piece.height}`;
    heaps.set(key, { piece, index, count: (heaps.get(key)?.count ?? 0) + 1 });
  });
  return [...heaps.values()];
}
