// Looking back: the slider has a place for every length of the list of turns. What stood on the board
// there is asked of the board when somebody looks; a page that was opened late sees as far back as any.
//
//     slider ──turn───────► ask ──► board ──{"type": "past", turn, number, pieces}──────────► hear ──► draw
//     review ──mistake────► ask ──► board ──{"type": "past", turn, number, pieces, lights}──► hear ──► draw
//
// A mistake that a review names is looked at in the same way, in the middle of its turn and with lights. A turn
// that is taken back, or a new game, brings the page back to the present.

import { byId, setText } from "./elements.js";
import { words } from "./words.js";

/** How many turns there were, the game they belong to, and what each was, as far as the view tells. */
function storyOf({ game, turns, turnsBefore }) {
  return {
    game: JSON.stringify(game),
    length: turnsBefore + turns.length,
    turnAt: (number) => JSON.stringify(turns[number - 1 - turnsBefore]),
  };
}

/** The past below the list of turns; `ask` sends for what stood there, `draw` shows the page again. */
export function pastBelow({ ask, draw }) {
  const slider = byId("slider"), now = byId("now");
  let story = storyOf({ turns: [], turnsBefore: 0 }), looking, mistake, position;

  /** Whether the turn that is looked at has not changed, as far as both lists know; those before it then have not either. */
  function isSame(other) {
    const [here, there] = [story.turnAt(looking), other.turnAt(looking)];
    return story.game === other.game && (!here || !there || here === there);
  }

  function look(turn) {
    if (turn >= story.length) return live();
    [looking, mistake] = [turn, undefined];
    return ask({ do: "past", turn }) || live();
  }

  function lookAt(index) {
    if (index === mistake) return live();
    [looking, mistake] = [undefined, index];
    return ask({ do: "mistake", index }) || live();
  }

  function forget() {
    looking = mistake = position = undefined;
  }

  function live() {
    forget();
    draw();
  }

  /** Whether what is looked at is still there. */
  function isThere(view, next) {
    if (mistake !== undefined) return Boolean(view.review?.mistakes[mistake]);
    return looking === undefined || (looking < next.length && isSame(next));
  }

  slider.addEventListener("input", () => look(Number(slider.value)));
  now.addEventListener("click", () => {
    live();
    slider.focus();
  });

  return {
    /** What is looked at: its pieces, the number of the turn, and of a mistake the lights; undefined in the present. */
    get position() { return position; },
    /** The mistake that is looked at, by its place in the review. */
    get mistake() { return position && mistake; },
    /** Looks at a mistake, or no longer where it is looked at already. */
    lookAt,
    /** Comes back to the present. */
    live,
    /** Takes in an answer; one that nobody waits for any more is let go. */
    hear(answer) {
      if (mistake === undefined ? answer.turn !== looking : !answer.lights) return;
      position = answer;
      draw();
    },
    /** Takes in a view. */
    keep(view) {
      const next = storyOf(view);
      if (!isThere(view, next)) forget();
      story = next;
    },
    /** Shows the slider and where it stands. */
    show({ where }) {
      const last = story.length, before = position?.lights && position.turn - 1;
      Object.assign(slider, { max: Math.max(last, 1), value: last ? (looking ?? before ?? last) : 1, disabled: !last });
      const text = position ? whereText(position) : where;
      setText(byId("where"), text);
      slider.setAttribute("aria-valuetext", text);
      now.hidden = !position;
    },
  };
}

/** A mistake is in the middle of its turn, everything else after one. */
function whereText({ number, lights }) {
  if (lights) return words.lookingAtTurn(number);
  return number ? words.lookingBack(number) : words.atTheStart;
}
