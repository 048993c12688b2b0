// The menu and what it opens: a new game, who plays it, how much the lights say, when a move counts, what may be played
// by name, declarations, switches that are not right, the room's light, the key to the marks, the hand and
// its keys, and who made the games. Leaving a game that has begun, and resigning, are asked twice.

import { byId, html } from "./elements.js";
import { isComputer } from "./hand.js";
import { MARKS, drawRhythm, glyph, lookOf } from "./marks.js";
import { minus, spoken, words } from "./words.js";

const THEME = "reedlight-theme";
const THEMES = ["auto", "light", "dark"];
/** So many actions are seen at a glance; among more one can search. */
const SEEN_AT_ONCE = 12;

// ---------------------------------------------------------------- the room

const evening = matchMedia("(prefers-color-scheme: dark)");
const chosenTheme = () => localStorage.getItem(THEME) ?? "auto";

/** Gives the page the theme that was chosen, or the system's. */
export function applyTheme() {
  const theme = chosenTheme();
  document.documentElement.dataset.theme = theme === "auto" ? (evening.matches ? "dark" : "light") : theme;
}

evening.addEventListener("change", applyTheme);

// ---------------------------------------------------------------- what a view lets one do

/** What somebody at the table may play by name; nothing while a computer is to act. */
const byName = ({ actions, sides }) => (sides.some((side) => side.active && isComputer(side)) ? [] : actions);

const hasStacks = ({ pieces }) => Object.values(pieces).some(({ height }) => height > 1);

// ---------------------------------------------------------------- the dialog

/** The menu over a page; `view` gives what is shown now, `send` takes a message, `sound` is the sound box. */
export function menuOver({ view, send, sound }) {
  const dialog = byId("menu");
  let sheet, picked, asked, query;

  function open(next = "menu") {
    [sheet, asked, query] = [next, undefined, ""];
    if (next === "menu" && view()) picked = { name: view().game.name, size: view().game.size };
    draw();
    if (!dialog.open) dialog.showModal();
  }

  function draw() {
    const { id, dataset } = document.activeElement ?? {}, focused = dataset?.choice;
    dialog.replaceChildren(...SHEETS[sheet](), html("p", { class: "closing" }, choice("close", words.close)));
    if (focused) dialog.querySelector(`[data-choice="${CSS.escape(focused)}"]`)?.focus();
    if (id) dialog.querySelector(`#${CSS.escape(id)}`)?.focus();
    if (byId("find")) showFound();
  }

  const SHEETS = { menu: menuSheet, play: playSheet, switches: switchSheet, key: keySheet, hand: handSheet, about: aboutSheet };

  // ------------------------------------------------------------ the menu itself

  function menuSheet() {
    if (!view()) return [html("h2", {}, words.menu), ...roomRows()];
    const { menu, sides, declarations, rolls, cells } = view();
    const ways = [byName(view()).length > 0 && choice("sheet play", words.byName), hasStacks(view()) && choice("recount", words.recount)].filter(Boolean);
    return [
      html("h2", {}, words.menu),
      ...gameRows(menu),
      ...playerRows(menu, sides),
      ...beginRows(menu),
      ...sides.map((side) => speechRow(side, declarations)),
      ways.length > 0 && row(words.play, ways),
      menu.near && row(words.nearest, sides.map(({ side, name }) => choice(`near ${side}`, name, menu.near === side))),
      ...guidanceRows(menu, sides),
      rolls && menu.dice && row(words.dice, Object.entries(words.diceFrom).map(([from, text]) =>
        choice(`dice ${from}`, text, menu.dice === from))),
      menu.commits?.length && row(words.accept, menu.commits.map((when) =>
        choice(`commit ${when}`, words.commit(when), menu.commit === when))),
      cells.length > 0 && row(words.switchHealth, [choice("sheet switches", words.notRight(cells.length))]),
      ...roomRows(),
    ].filter(Boolean);
  }

  const pickedGame = ({ games = [] }) => games.find(({ name }) => name === picked.name);

  function gameRows(menu) {
    const game = pickedGame(menu);
    if (!game) return [];
    return [
      row(words.game, menu.games.map(({ name, title }) => choice(`game ${name}`, title, name === game.name))),
      game.sizes.length > 1 && row(words.boardSize, game.sizes.map(({ size, text }) =>
        choice(`size ${size}`, text, size === picked.size))),
    ];
  }

  function beginRows(menu) {
    const game = pickedGame(menu);
    if (!game) return [];
    const text = asked === "begin" ? words.beginAnyway : words.begin(game.title, sizeText(game));
    const button = html("button", { type: "button", class: "pill", "data-choice": "begin" }, text);
    return [html("div", { class: "row begin" }, html("span"), html("div", {}, button))];
  }

  /** The picked size in words; one that is not on offer can only be that of the board on the table. */
  const sizeText = ({ sizes }) => sizes.find(({ size }) => size === picked.size)?.text ?? view().game.sizeText;

  /** What a side may declare now, by its name. */
  function speechRow({ side, name }, declarations) {
    const open = new Set(declarations.flatMap((each) => (each.side === side ? [each.speech] : [])));
    const choices = Object.entries(words.speeches).filter(([speech]) => open.has(speech)).map(([speech, text]) => {
      const id = `say ${side} ${speech}`;
      return choice(id, asked === id ? words.reallyResign(name) : text);
    });
    return choices.length > 0 && row(name, choices);
  }

  /** Who plays which side, a person also by name; only where the server lets one choose. */
  const playerRows = ({ names, players = [] }, sides) => (!names ? [] : [
    row(words.players, [...sides.map((side) => playerLine(side, names[side.side], players)),
      isUnderWay() && html("small", {}, words.countsAtOnce)].filter(Boolean)),
  ]);

  function playerLine(side, called, players) {
    const name = html("input", { type: "text", class: "name", id: `name-${side.side}`, "data-name": side.side,
      "aria-label": words.nameOf(side.name), value: called, maxlength: 24, autocomplete: "off" });
    return html("div", { class: "player" }, html("b", { "aria-hidden": "true" }, side.name),
      players.length > 0 && html("span", { class: "seat" }, seatSelect(side, players)),
      !isComputer(side) && name);
  }

  /** Who may sit there, and who does though nobody offers it any more. */
  function seatSelect({ side, seat, who, name }, players) {
    const all = players.some((each) => each.seat === seat) ? players : [...players, { seat, text: who }];
    return html("select", { id: `seat-${side}`, "data-seat": side, "aria-label": words.plays(name) }, all.map((each) =>
      html("option", { value: each.seat, selected: each.seat === seat }, each.text)));
  }

  const guidanceRows = ({ guidances = [], guidance = {} }, sides) => (guidances.length ? sides : []).map(({ side, name }) =>
    row(words.guides(name), guidances.map((level) =>
      choice(`guidance ${side} ${level}`, words.guidance(level), guidance[side] === level))));

  const HELP = [["key", words.whatLightsMean], ["hand", words.handAndKeys], ["about", words.about]];

  const roomRows = () => [
    row(words.theme, THEMES.map((theme) => choice(`theme ${theme}`, words.themes[theme], theme === chosenTheme()))),
    row(words.sound, ["off", "on"].map((level) => choice(`sound ${level}`, words.sounds[level], (level === "on") === sound.on))),
    row(words.help, HELP.map(([name, text]) => choice(`sheet ${name}`, text))),
  ];

  const row = (label, choices) => html("div", { class: "row", role: "group", "aria-label": label },
    html("span", { "aria-hidden": "true" }, label), html("div", {}, choices));
  const choice = (id, text, on) => html("button",
    { type: "button", class: "quiet", "data-choice": id, "aria-pressed": on === undefined ? undefined : String(on) }, text);

  // ------------------------------------------------------------ what a choice does

  const DEEDS = {
    close: () => dialog.close(),
    sheet: (name) => open(name),
    game: (name) => {
      picked = { name, size: view().menu.games.find((game) => game.name === name).usual };
      asked = undefined;
    },
    size: (...size) => { picked = { ...picked, size: size.join(" ") }; },
    begin: () => {
      if (isUnderWay() && asked !== "begin") return void (asked = "begin");
      const { guidance, commit } = view().menu;
      send({ do: "new", game: picked.name, size: picked.size, guidance, commit });
      dialog.close();
      return undefined;
    },
    guidance: (side, level) => send({ do: "settings", guidance: { ...view().menu.guidance, [side]: level }, commit: view().menu.commit }),
    near: (side) => send({ do: "settings", near: side }),
    recount: () => {
      send({ do: "recount" });
      dialog.close();
    },
    dice: (from) => send({ do: "settings", dice: from }),
    commit: (when) => send({ do: "settings", guidance: view().menu.guidance, commit: when }),
    play: (...text) => {
      send({ do: "play", text: text.join(" ") });
      dialog.close();
    },
    deaf: (cell) => send({ do: "cells", cell, deaf: true }),
    heard: (cell) => send({ do: "cells", cell, deaf: false }),
    say: (side, ...said) => {
      const speech = said.join(" "), id = `say ${side} ${speech}`;
      if (speech === "resign" && asked !== id) return void (asked = id);
      send({ do: "declare", side, speech });
      dialog.close();
      return undefined;
    },
    theme: (theme) => {
      localStorage.setItem(THEME, theme);
      applyTheme();
    },
    sound: (level) => { sound.on = level === "on"; },
  };

  dialog.addEventListener("change", ({ target }) => {
    if (target.dataset.name) send({ do: "settings", names: { [target.dataset.name]: target.value } });
    if (target.dataset.seat) send({ do: "settings", seats: { [target.dataset.seat]: target.value } });
  });

  dialog.addEventListener("input", ({ target }) => {
    if (target.id !== "find") return;
    query = target.value;
    showFound();
  });

  const isUnderWay = () => view().turns.length > 0 && view().mode !== "over";

  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog) return dialog.close();
    const button = target.closest("[data-choice]");
    if (!button) return undefined;
    const [deed, ...rest] = button.dataset.choice.split(" ");
    DEEDS[deed](...rest);
    if (dialog.open) draw();
    return undefined;
  });

  // ------------------------------------------------------------ playing by name

  function playSheet() {
    const actions = byName(view()), head = html("h2", {}, words.playByName);
    if (!actions.length) return [head, html("p", {}, words.nothingToPlay)];
    const find = html("input", { type: "search", id: "find", "aria-label": words.find, placeholder: words.find, autocomplete: "off" });
    find.value = query;
    return [head, html("p", {}, words.howByName), ...(actions.length > SEEN_AT_ONCE ? [find] : []),
      html("ul", { class: "actions" }, actions.map(actionLine)), html("p", { id: "none-found", role: "status" })];
  }

  function actionLine({ text, label, cells }) {
    const button = html("button", { type: "button", "data-choice": `play ${text}` }, html("b", {}, spoken(text)), html("span", {}, minus(label)));
    const found = [text, spoken(text), label, ...cells].join(" ").toLowerCase().replaceAll("−", "-");
    return html("li", { "data-find": found }, button);
  }

  /** Leaves of the list what has every word of the search in it. */
  function showFound() {
    const wanted = query.toLowerCase().replaceAll("−", "-").split(" "), lines = [...dialog.querySelectorAll("[data-find]")];
    for (const line of lines) line.hidden = !wanted.every((word) => line.dataset.find.includes(word));
    byId("none-found").textContent = lines.every(({ hidden }) => hidden) ? words.noneFound : "";
  }

  // ------------------------------------------------------------ switches that are not right

  function switchSheet() {
    const { cells } = view(), head = html("h2", {}, words.switchHealth);
    const line = ({ cell, fact, deaf }) => row(minus(cell), [
      html("span", {}, minus(fact || words.leftOut)),
      choice(`${deaf ? "heard" : "deaf"} ${cell}`, deaf ? words.worksAgain : words.playWithout)]);
    return cells.length ? [head, html("p", {}, words.howWithout), ...cells.map(line)] : [head, html("p", {}, words.allRight)];
  }

  // ------------------------------------------------------------ what it explains

  function keySheet() {
    const line = (name) => html("li", { "data-key": name }, glyph(name), html("span", { class: "mono" }, glyph(name)), drawRhythm(lookOf(name)),
      html("div", {}, html("b", {}, words.meaning(name)), html("span", {}, words.rhythm(name))));
    return [html("h2", {}, words.whatLightsMean), html("ul", { class: "key-list" }, Object.keys(MARKS).map(line))];
  }

  function handSheet() {
    const head = html("tr", {}, words.deedColumns.map((text) => html("th", { scope: "col" }, text)));
    const rows = words.deeds.map(([what, ...ways]) =>
      html("tr", {}, html("th", { scope: "row" }, what), ways.map((way) => html("td", {}, way))));
    return [html("h2", {}, words.handAndKeys), html("table", { class: "deeds" }, html("thead", {}, head), html("tbody", {}, rows))];
  }

  function aboutSheet() {
    const games = view()?.menu.games ?? [];
    const credits = games.filter(({ author }) => author).map(({ title, author }) => words.credit(title, author));
    return [html("h2", {}, words.about), ...[words.aboutBoard, ...credits].map((text) => html("p", {}, text))];
  }

  /** What of a view each sheet shows; the others show nothing that changes. */
  const SHOWN = {
    menu: (view) => JSON.stringify(
      [view.menu, view.declarations, view.game, byName(view).length > 0, hasStacks(view), view.cells.length]),
    switches: ({ cells }) => JSON.stringify(cells),
    play: (view) => JSON.stringify(byName(view)),
  };

  return {
    open: () => open("menu"),
    /** Redraws an open sheet where a new view says other things. */
    refresh(before, now) {
      const shown = SHOWN[sheet];
      if (dialog.open && shown && (!before || shown(before) !== shown(now))) draw();
    },
  };
}
