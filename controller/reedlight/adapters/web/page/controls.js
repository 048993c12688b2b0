// The four buttons of the box and their lamps. A lamp is on when pressing does something and blinks
// when pressing is what comes next. A button held for two seconds says its second thing. Each says as its
// title what it does; HINT, while nobody at the table is to move, why it does nothing.

import { byId, html, svg } from "./elements.js";
import { beat, lampLookOf } from "./marks.js";
import { words } from "./words.js";

const BUTTONS = ["go", "next", "back", "hint"];
const HOLD_MS = 2000;

/** The buttons in the fascia; `press` and `hold` are called with a button's name. */
export function controlsWith({ press, hold }) {
  const keys = new Map(BUTTONS.map((name) => [name, keyOf(name)]));
  byId("keys").replaceChildren(...[...keys.values()].map(({ node }) => node));
  byId("sound").replaceChildren(grille());

  function keyOf(name) {
    const bulb = html("i"), lamp = html("i", { class: "lamp", "aria-hidden": "true" }, bulb);
    const button = html("button", { type: "button", "data-button": name, "aria-keyshortcuts": name[0].toUpperCase() }, words.buttons[name]);
    let timer, held = false;
    const stop = () => clearTimeout(timer);
    button.addEventListener("pointerdown", () => {
      held = false;
      timer = setTimeout(() => {
        held = true;
        hold(name);
      }, HOLD_MS);
    });
    for (const kind of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(kind, stop);
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    button.addEventListener("click", (event) => {
      // A press that became a hold says nothing more; a key's click, which counts no presses, always speaks.
      if (!held || !event.detail) press(name);
      held = false;
    });
    return { node: html("div", { class: `key ${name}` }, lamp, button), lamp, bulb, button };
  }

  // Letters work only while the focus is in the box, so they never collide with a screen reader or a text field.
  byId("object").addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const name = BUTTONS.find((button) => button[0] === event.key.toLowerCase());
    if (!name) return;
    event.preventDefault();
    (event.shiftKey ? hold : press)(name);
  });

  return {
    /** Lights the lamps of a view; `noHint` says why HINT has nothing to say, where it hasn't. */
    show({ lamps }, noHint) {
      for (const [name, { lamp, bulb, button }] of keys) {
        const level = lamps[name] ?? "off", reason = name === "hint" ? noHint : undefined;
        button.title = reason ?? `${words.buttonDoes[name]} ${words.buttonNow[level]}`.trim();
        button.setAttribute("aria-disabled", String(Boolean(reason)));
        if (lamp.dataset.level === level) continue;
        lamp.dataset.level = level;
        bulb.getAnimations().forEach((animation) => animation.cancel());
        beat(bulb, lampLookOf(level));
      }
    },
  };
}

function grille() {
  const dots = [...Array(56).keys()].map((k) => svg("circle", { cx: 4.5 + (k % 14) * 7, cy: 3.5 + Math.floor(k / 14) * 7, r: 1.7 }));
  return svg("svg", { viewBox: "0 0 100 28", "aria-hidden": "true" }, dots);
}
