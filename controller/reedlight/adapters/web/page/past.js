// The positions this page has seen, one for every length of the list of turns, to look back through.
// A turn that is taken back takes its position with it; a new game begins anew.

const RESTING = new Set(["roll", "play", "ask", "over"]);

const signature = (turns) => turns.map(({ number, side, text }) => `${number}${side}${text}`).join("|");

/** An empty past; `keep` takes in a view, `positions` is what can be looked at, oldest first. */
export function pastOf() {
  let game = "", positions = [];
  return {
    get positions() { return positions; },
    keep(view) {
      const playing = JSON.stringify([view.game.name, view.game.size]), now = signature(view.turns);
      if (playing !== game || !view.turns.length) positions = [];
      game = playing;
      if (view.hand.length || !RESTING.has(view.mode)) return;
      positions = positions.filter(({ turns }) => turns !== now && turns.length <= now.length);
      positions.push({ turns: now, pieces: view.pieces, number: view.turns.at(-1)?.number ?? 0 });
    },
  };
}
