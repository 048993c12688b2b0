// Elements in one expression: a tag, its attributes, its children. Nothing here knows what is drawn.

const SVG = "http://www.w3.org/2000/svg";

const isGiven = (value) => value !== undefined && value !== null && value !== false;

function dress(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) if (isGiven(value)) node.setAttribute(key, value);
  node.append(...children.flat().filter(isGiven));
  return node;
}

/** An SVG element; attributes and children that are not given are left out. */
export const svg = (tag, attributes = {}, ...children) => dress(document.createElementNS(SVG, tag), attributes, children);

/** An HTML element; attributes and children that are not given are left out. */
export const html = (tag, attributes = {}, ...children) => dress(document.createElement(tag), attributes, children);

/** The element of the page with this id. */
export const byId = (id) => document.getElementById(id);

/** Shows or hides an element; a focus that would be lost with it goes to the next one. */
export function reveal(node, isShown, next) {
  const losesFocus = !isShown && document.activeElement === node;
  node.hidden = !isShown;
  if (losesFocus) next.focus({ preventScroll: true });
}

/** Sets the words of an element only where they differ, so that they are read aloud once. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Redraws the children of an element only when the key that stands for them differs from the last one. */
export function fill(slot, key, draw) {
  if (slot.key === key) return;
  slot.key = key;
  slot.node.replaceChildren(...draw());
}
