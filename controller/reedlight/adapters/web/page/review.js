// The review: below the result, a game that is over is looked at once more when somebody asks for it.
//
//     button ──► "12 of 60" ──► sentences; those of the mistakes are buttons
//                                   └──► what stood there on the plate, with what was better in lights
//
// The board says the sentences; the first of them belong to the mistakes, in their order.

import { byId, fill, html } from "./elements.js";
import { minus, spoken, words } from "./words.js";

/** Turn and side stand before the colon: "Move 3, White: c3-d4 cost half a man". */
const HEAD = /^([^:]+): (.+)$/;

/** The review below the result; `ask` begins it, `look` is called with the index of a mistake, `tell` reads aloud. */
export function reviewBelow({ ask, look, tell }) {
  const root = byId("review"), slot = { node: root, key: "" };
  let stage;

  root.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    if (button.dataset.mistake) look(Number(button.dataset.mistake));
    else ask();
  });

  const STAGES = {
    none: () => [],
    offered: () => [html("button", { type: "button", class: "pill" }, words.review)],
    running: ({ progress }) => progressLines(progress),
    done: ({ says, mistakes }) => [
      html("h2", {}, words.reviewTitle),
      mistakes.length > 0 && html("p", {}, words.howReview),
      html("ul", {}, says.map((sentence, index) => html("li", {}, index < mistakes.length ? mistakeButton(sentence, index) : told(sentence)))),
    ].filter(Boolean),
  };

  const told = (sentence) => html("p", {}, spoken(sentence));

  function mistakeButton(sentence, index) {
    const [, head, rest] = HEAD.exec(sentence) ?? [, sentence, ""];
    return html("button", { type: "button", class: "mistake", "data-mistake": String(index) },
      html("b", {}, minus(head)), html("span", {}, spoken(rest)));
  }

  return {
    /** Shows how far the review of a view has come, and which of its mistakes is looked at. */
    show({ mode, review }, mistake) {
      const next = mode !== "over" ? "none" : !review ? "offered" : review.progress ? "running" : "done";
      const hadFocus = root.contains(document.activeElement), before = stage;
      stage = next;
      root.hidden = next === "none";
      document.body.classList.toggle("reviewed", next === "done");
      fill(slot, next + JSON.stringify(review), () => STAGES[next](review));
      for (const button of root.querySelectorAll("[data-mistake]"))
        button.setAttribute("aria-pressed", String(Number(button.dataset.mistake) === mistake));
      if (hadFocus && document.activeElement === document.body) (root.hidden ? byId("board") : root).focus({ preventScroll: true });
      if (before === "running" && next === "done") tell(words.reviewAloud(review.mistakes.length));
    },
  };
}

/** How far it has come, "12 of 60"; before the first number only that it has begun. */
function progressLines(progress) {
  const [done, all] = progress.split(" of ").map(Number);
  return [
    html("p", {}, all ? words.reviewing(done, all) : words.reviewBegins),
    html("progress", { "aria-label": words.reviewTitle, value: all && String(done), max: all && String(all) }),
  ];
}
