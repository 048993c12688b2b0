// Looking back: the slider has a place for every length of the list of turns. What stood on the board
// there is asked of the board when somebody looks; a page that was opened late sees as far back as any.
//
//     slider ──turn──► ask ──► board ──{"type": "past", turn, number, pieces}──► hear ──► draw
//
// A turn that is taken back, or a new game, brings the page back to the present.

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

/** The past below the list of turns; `ask` sends for what stood after a turn, `draw` shows the page again. */
export function pastBelow({ ask, draw }) {
  const slider = byId("slider"), now = byId("now");
  let story = storyOf({ turns: [], turnsBefore: 0 }), looking, position;

  /** Whether the turn that is looked at has not changed, as far as both lists know; those before it then have not either. */
  function isSame(other) {
    const [here, there] = [story.turnAt(looking), other.turnAt(looking)];
    return story.game === other.game && (!here || !there || here === there);
  }

  function look(turn) {
    if (turn >= story.length) return live();
    looking = turn;
    return ask(turn) || live();
  }

  function live() {
    looking = position = undefined;
    draw();
  }

  slider.addEventListener("input", () => look(Number(slider.value)));
  now.addEventListener("click", () => {
    live();
    slider.focus();
  });

  return {
    /** What is looked at: its pieces and the number of the turn before it; undefined in the present. */
    get position() { return position; },
    /** Comes back to the present. */
    live,
    /** Takes in an answer; one that nobody waits for any more is let go. */
    hear(answer) {
      if (answer.turn !== looking) return;
      position = answer;
      draw();
    },
    /** Takes in a view. */
    keep(view) {
      const next = storyOf(view);
      if (looking !== undefined && (looking >= next.length || !isSame(next))) looking = position = undefined;
      story = next;
    },
    /** Shows the slider and where it stands. */
    show({ where }) {
      const last = story.length;
      Object.assign(slider, { max: Math.max(last, 1), value: last ? (looking ?? last) : 1, disabled: !last });
      const text = !position ? where : position.number ? words.lookingBack(position.number) : words.atTheStart;
      setText(byId("where"), text);
      slider.setAttribute("aria-valuetext", text);
      now.hidden = !position;
    },
  };
}
