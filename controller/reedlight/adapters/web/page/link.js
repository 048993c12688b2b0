// The link to the board: one WebSocket that comes back by itself.
//
//     connecting ──open──► open ──close──► lost ──wait──► connecting …
//
// Waits grow from half a second to five; a page that becomes visible, or a machine that comes back on
// the net, tries at once. What is sent while the link is lost is refused, never kept for later: a hand
// that moved on must not move again when the cable is back.

const FIRST_WAIT = 500, LONGEST_WAIT = 5000, GROWTH = 1.6;

/** Connects; `heard` gets every message, `changed` gets "connecting", "open" or "lost". */
export function connect(heard, changed) {
  let socket, timer, wait = FIRST_WAIT;

  function open() {
    clearTimeout(timer);
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    socket.addEventListener("open", () => {
      wait = FIRST_WAIT;
      changed("open");
    });
    socket.addEventListener("message", ({ data }) => heard(JSON.parse(data)));
    socket.addEventListener("close", () => {
      changed("lost");
      timer = setTimeout(open, wait);
      wait = Math.min(wait * GROWTH, LONGEST_WAIT);
    });
  }

  function hurry() {
    if (!document.hidden && socket.readyState === WebSocket.CLOSED) open();
  }

  document.addEventListener("visibilitychange", hurry);
  addEventListener("online", hurry);
  changed("connecting");
  open();

  return {
    /** Sends a message; false while the link is lost. */
    send(message) {
      if (socket.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
  };
}
