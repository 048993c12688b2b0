// Every text of the page's own, in one catalogue. What the game says arrives with the view.

const NO_BREAK = "\u00a0";

/** Hexagons have negative coordinates: a minus sign, not a hyphen. */
export const minus = (text) => text.replaceAll("-", "−");

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
  group: (count, noun) => `${count} ${noun}`,
  cells: "cells",
  pieces: "pieces",
  stacks: "stacks",

  diceAloud: (dice) => `Dice: ${list(dice.map(({ pips, spent, note }) => `${pips}, ${spent ? "spent" : note}`))}.`,
  countsAloud: (sides) => `${list(sides.map(({ name, count, unit }) => `${name} ${count} ${unit}`))}.`,

  toPlay: "to play",
  wins: "wins",
  noTurns: "The list of turns begins with the first one.",
  lookingBack: (turn) => `After turn ${turn}, looking back`,
  atTheStart: "The start, looking back",

  buttons: { go: "GO", next: "NEXT", back: "BACK", hint: "HINT" },
  buttonAloud: { off: "nothing to do now", on: "", blink: "this comes next" },

  lifted: (piece, from) => `${piece} lifted from ${minus(from)}.`,
  taken: (piece) => `${piece} taken into the hand.`,
  putBack: (cell) => `Put back on ${minus(cell)}.`,
  setDown: (cell) => `Set down on ${minus(cell)}.`,
  toTray: (piece) => `${piece} put on the tray.`,
  occupied: (cell, piece) => `${minus(cell)} holds a ${piece}. Lift that first.`,
  handEmpty: "The hand is empty",
  handHolds: (piece) => `In the hand: ${piece}`,
  handHint: "Drag, tap, or press Enter to lift",
  handFrom: (from, more) => `${more ? `and ${more} more; ` : ""}from ${minus(from)}, put it back there to cancel`,
  handLoose: (more) => (more ? `and ${more} more` : "set it down on a cell, or on the tray"),
  tray: "Tray",
  trayEmpty: "The tray is empty: what leaves the board lies here",
  trayPiece: (piece, count) => `${piece}${count > 1 ? `, ${count} of them` : ""}: take from the tray`,
  box: (name) => `A ${name} stone from the box`,
  slide: "Slide",
  nudge: "Nudge",
  pick: "Pick one off",
  knock: "Knock the table",
  nudgeNext: "Now touch the piece to nudge.",
  pickNext: "Now touch the stack whose top checker you pick off. No switch sees that.",
  slideNext: "Now drag a piece along the board, or press Enter on it, walk, and press Enter again.",
  slid: (from, to) => `Slid from ${minus(from)} to ${minus(to)}.`,

  connecting: "Connecting…",
  reconnecting: "Reconnecting…",
  notConnected: "Not connected: the board did not hear that.",
  connectedAgain: "Connected again.",
  garbled: "The board said something this page does not understand.",

  careless: "Careless hand: sets a stack on a stack without lifting the one below, which no switch sees",
  switches: "switches",
  closed: (count) => `${count} closed`,
  lamps: "lamps",
  lit: (count) => `${count} lit`,
  makeSwitch: "Tap a switch to make it",
  faults: { good: "good", dead: "dead", stuck: "stuck", flicker: "flicker" },
  switchAloud: (cell, closed, fault) => `${minus(cell)}, ${closed ? "closed" : "open"}${fault ? `, ${fault}` : ""}`,

  menu: "Menu",
  close: "Close",
  game: "Game",
  boardSize: "Board",
  begin: (title, sizeText) => `Begin ${title}, ${sizeText}`,
  beginAnyway: "Leave this game and begin?",
  players: "Players",
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
  say: "Say",
  really: (text) => `Really? ${text}`,
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
    ["To the tray", "drop it there", "T"],
    ["Give up one checker", "click a double-framed stack", "Delete"],
    ["Put back", "back on its cell", "Escape"],
    ["Slide along", "Alt-drag; or Slide, then drag", "Slide, Enter, arrows, Enter"],
    ["GO, NEXT, BACK, HINT", "press", "G, N, B, H"],
    ["Hold one of them", "press for two seconds", "Shift-G, -N, -B, -H"],
  ],
  deedColumns: ["", "mouse or finger", "keys"],
};
