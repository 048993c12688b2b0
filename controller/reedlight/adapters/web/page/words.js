// Every text of the page's own, in one catalogue. What the game says arrives with the view.

const NO_BREAK = "\u00a0";

/** Hexagons have negative coordinates: a minus sign, not a hyphen. */
export const minus = (text) => text.replaceAll("-", "−");

/** A move of stacks as it is written, ``merge 2 a1-c1``; the 2 is the die, which reads like a height. */
const STACK_MOVE = /\b(empty|merge|capture) \d+ ([a-z]\d+)-([a-z]\d+)/g;
const JOINS = { empty: "to", merge: "onto", capture: "takes" };

/** What the board says, in words: ``a1 onto c1`` for ``merge 2 a1-c1``. */
export const spoken = (text) => minus(text.replace(STACK_MOVE, (_, kind, from, to) => `${from} ${JOINS[kind]} ${to}`));

const MEANINGS = {
  movable: "can act now", source: "lifted from here", target: "set down here", merge: "merge here", capture: "take here",
  taken: "take it off", remove: "give one up", choice: "is it this one?", last: "just played", missing: "a piece belongs here",
  extra: "does not belong here", forbidden: "not here", hint: "suggested", winner: "has won",
};

/** How the board's own lights show each mark, as its palette describes them. */
const RHYTHMS = {
  movable: "steady and dim", source: "slow breathing", target: "steady", merge: "steady, a dip every second", capture: "even blink",
  taken: "fast blink", remove: "double blink", choice: "triple blink, then a pause", last: "fades, again and again",
  missing: "a flash every second", extra: "lit, with short gaps", forbidden: "one short pulse in 2 s",
  hint: "long and short, cell after cell", winner: "a shadow, from cell to cell",
};

const GUIDANCE = { full: "everything", targets: "where to go", errors: "mistakes only" };
const COMMIT = { settle: "when it rests", button: "with GO", opponent: "when the other side begins" };

const list = (parts) => (parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : parts.join(""));

export const words = {
  meaning: (mark) => MEANINGS[mark],
  rhythm: (mark) => RHYTHMS[mark],
  guidance: (name) => GUIDANCE[name] ?? name,
  commit: (name) => COMMIT[name] ?? name,

  // A piece, as one says it: "green stack of 5", "white king".
  piece: ({ side, kind, height = 1 }, names) =>
    height > 1 ? `${names[side]} stack of${NO_BREAK}${height}` : `${names[side]} ${kind}`,
  cell: (name, piece, light) => [minus(name), piece ?? "empty", light].filter(Boolean).join(", "),
  board: (title, sizeText) => `${title} board, ${sizeText}`,
  // What a light says: the board's words for it, else what its mark always means.
  note: ({ note, mark }) => spoken(note || MEANINGS[mark]),
  // An answer to a question, and how high the stack becomes that it makes.
  answer: (text, label = "") => [spoken(text), /makes \d+/.exec(label)?.[0].replace(" ", NO_BREAK)].filter(Boolean).join(", "),
  group: (count, noun) => `${count} ${noun}`,
  cells: "cells",
  pieces: "pieces",
  stacks: "stacks",

  diceAloud: (dice) => `Dice: ${list(dice.map(({ pips, spent, note }) => `${pips}, ${spent ? "spent" : note}`))}.`,
  countsAloud: (sides) => `${list(sides.map(({ name, count, unit }) => `${name} ${count} ${unit}`))}.`,

  toPlay: "to play",
  thinks: "thinking",
  wins: "wins",
  noTurns: "The list of turns begins with the first one.",
  turnsBefore: (count) => `${count} turns before these: the slider goes back to them.`,
  lookingBack: (turn) => `After turn ${turn}, looking back`,
  atTheStart: "The start, looking back",
  lookingAtTurn: (turn) => `In turn ${turn}, looking back`,

  review: "Review this game",
  reviewTitle: "Review",
  reviewBegins: "The game is looked at once more…",
  reviewing: (done, all) => `The game is looked at once more: ${done} of ${all}`,
  howReview: "Choose one, and the board shows what was better.",
  reviewAloud: (count) => `The review is done: ${count === 1 ? "one mistake" : `${count || "no"} mistakes`}.`,
  better: (text) => `Better: ${spoken(text)}.`,
  playedInstead: (text) => `Played was ${spoken(text)}. Press the board to come back.`,

  buttons: { go: "GO", next: "NEXT", back: "BACK", hint: "HINT" },
  buttonDoes: {
    go: "Begins, rolls, accepts. Held for two seconds: plays on without switches that are wrong.",
    next: "Lights another answer, or chooses a move without pieces; before a game, who plays. Held for two seconds: offers a draw.",
    back: "Drops a question, or takes back. Held for two seconds: the menu.",
    hint: "Lights a good move, and everything that can be done; before a game, changes sides. Held for two seconds: why the last piece was refused.",
  },
  buttonNow: { off: "Nothing to do now.", on: "", blink: "This comes next." },
  noHintNow: "There is nothing to hint at now.",

  lifted: (piece, from) => `${piece} lifted from ${minus(from)}.`,
  taken: (piece) => `${piece} taken into the hand.`,
  putBack: (cell) => `Put back on ${minus(cell)}.`,
  setDown: (cell) => `Set down on ${minus(cell)}.`,
  toTray: (piece) => `${piece} put on the tray.`,
  given: (cell) => `One checker of ${minus(cell)} put on the tray.`,
  occupied: (cell, piece) => `${minus(cell)} is not free: a ${piece} stands there.`,
  handEmpty: "The hand is empty",
  handHolds: (piece) => `In the hand: ${piece}`,
  handHint: "Drag, tap, or press Enter to lift",
  handMore: (from, more) => [from && `from ${minus(from)}`, more && `and ${more} more`].filter(Boolean).join(" "),
  toBack: "Put it back",
  toTheTray: "To the tray",
  tray: "Tray",
  trayEmpty: "The tray, for what leaves the board",
  trayPiece: (piece, count) => `${piece}${count > 1 ? `, ${count} of them` : ""}: take from the tray`,
  box: (name, mover) => `A ${name} stone from the box${mover ? `, though it is ${mover}'s turn` : ""}`,
  othersStone: (name, mover) => `That is a ${name} stone, and it is ${mover}'s turn.`,
  slide: "Slide",
  nudge: "Nudge",
  pick: "Pick one off",
  knock: "Knock the table",
  nudgeNext: "Now touch the piece to nudge.",
  pickNext: "Now touch the stack whose top checker you pick off. No switch sees that.",
  slideNext: "Now drag a piece along the board, or press Enter on it, walk, and press Enter again.",
  slid: (from, to) => `Slid from ${minus(from)} to ${minus(to)}.`,

  simulated: "Simulated board",
  connected: "Board connected",
  connecting: "Connecting…",
  reconnecting: "Reconnecting…",
  notConnected: "Not connected: the board did not hear that.",
  connectedAgain: "Connected again.",
  garbled: "The board said something this page does not understand.",

  careless: "Careless hand: sets a stack on a stack without lifting the one below, which no switch sees",
  switchHealth: "Switches",
  notRight: (count) => (count === 1 ? "1 is not right" : `${count} are not right`),
  allRight: "All of them are right, as far as anybody knows.",
  howWithout: "A cell without its switch is played by GO and NEXT, or by name. All others go on as ever.",
  leftOut: "Played without its switch.",
  playWithout: "Play without it",
  worksAgain: "It works again",
  switches: "switches",
  closed: (count) => `${count} closed`,
  lamps: "lamps",
  lit: (count) => `${count} lit`,
  makeSwitch: "Choose, then tap a switch above:",
  chooseFault: "Choose first what is to become of the switch.",
  faults: { good: "mend it", dead: "dead", stuck: "stuck", flicker: "flicker" },
  faultMeans: { good: "works again", dead: "never closes", stuck: "never opens", flicker: "opens at random" },
  switchAloud: (cell, closed, fault) => `${minus(cell)}, ${closed ? "closed" : "open"}${fault ? `, ${fault}` : ""}`,

  menu: "Menu",
  close: "Close",
  game: "Game",
  boardSize: "Board",
  begin: (title, sizeText) => `Begin ${title}, ${sizeText}`,
  beginAnyway: "Leave this game and begin?",
  players: "Players",
  plays: (name) => `Who plays ${name}`,
  nameOf: (name) => `${name}'s name`,
  countsAtOnce: "A change counts at once, in this game too.",
  assist: "The hand plays the computer's moves",
  nearest: "Nearest you",
  guides: (name) => `Lights for ${name}`,
  accept: "A move counts",
  play: "Play",
  byName: "By name, from a list",
  playByName: "Play by name",
  howByName: "What you choose is played. The lights then show what to move on the board.",
  find: "Find a move",
  noneFound: "No move here is called that.",
  nothingToPlay: "There is nothing to play just now.",
  recount: "Recount the stacks",
  dice: "Dice",
  diceFrom: { board: "the board rolls", table: "our own, we say what fell" },
  speeches: { "accept draw": "accept the draw", "decline draw": "decline the draw", "offer draw": "offer a draw", resign: "resign" },
  reallyResign: (name) => `Really? ${name} resigns`,
  theme: "Room",
  themes: { auto: "as the system", light: "day", dark: "evening" },
  sound: "Sound",
  sounds: { off: "off", on: "on" },
  help: "Help",
  whatLightsMean: "What the lights mean",
  handAndKeys: "Hand and keys",
  about: "About",
  aboutBoard: "Reedlight is a board with a reed switch and a light under every cell: it rolls the dice, "
    + "shows where a lifted piece may go, and sees what was played.",
  credit: (title, author) => `${title} is a game by ${author}.`,
  deeds: [
    ["Lift", "press a piece", "Enter"],
    ["Carry", "drag", "arrows"],
    ["Set down", "let go, or click a cell", "Enter"],
    ["Lift another too", "Shift-press; second finger", "Shift-Enter"],
    ["To the tray", "drop it there, or tap the tray", "T"],
    ["Give up one checker", "click a double-framed stack", "Delete"],
    ["Put back", "back on its cell", "Escape"],
    ["Slide along", "Alt-drag; or Slide, then drag", "Slide, Enter, arrows, Enter"],
    ["GO, NEXT, BACK, HINT", "press", "G, N, B, H"],
    ["Hold one of them", "press for two seconds", "Shift-G, -N, -B, -H"],
  ],
  deedColumns: ["", "mouse or finger", "keys"],
};
