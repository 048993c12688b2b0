// Where every cell lies on the plate, for any list of cells.
//
// The message gives centres in pitches, y growing away from the player; the plate is 880 x 880 with y
// growing downwards. The board is scaled to fit and centred. A cell is drawn in its own coordinates:
// centre 0 0, inradius 50, so that marks and pieces are written once for every size of board.

export const PLATE = 880;
const SPAN = 800;
const LABEL = 19, LABEL_GAP = 21;

const ROW_HEIGHT = Math.sqrt(3) / 2;
const HEX_CORNER = 50 / ROW_HEIGHT;

/** Below this a cell is too small for rings and seams: numerals grow, ornament goes. */
const COARSE_UNIT = 58;

export const SQUARE_CORNERS = [[-50, -50], [50, -50], [50, 50], [-50, 50]];

const HEXAGON_CORNERS = [...Array(6).keys()].map((k) => {
  const angle = ((60 * k - 90) * Math.PI) / 180;
  return [HEX_CORNER * Math.cos(angle), HEX_CORNER * Math.sin(angle)];
});

const SHAPES = {
  square: { corners: SQUARE_CORNERS, reach: 0.5, tone: squareTone },
  hexagon: { corners: HEXAGON_CORNERS, reach: HEX_CORNER / 100, tone: hexagonTone },
};

function squareTone(x, y) {
  return (Math.round(x) + Math.round(y)) % 2 ? "pale" : "deep";
}

function hexagonTone(x, y) {
  const r = Math.round(y / ROW_HEIGHT), q = Math.round(x - r / 2);
  return ["pale", "deep", "mid"][(((q - r) % 3) + 3) % 3];
}

/** The board of a grid message: cells on the plate, row by row from the far side, and what is engraved around them. */
export function boardOf(grid) {
  const shape = SHAPES[grid.shape];
  const xs = grid.cells.map((cell) => cell.x), ys = grid.cells.map((cell) => cell.y);
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const width = right - left + 1, depth = high - low + 2 * shape.reach;
  const unit = SPAN / Math.max(width, depth);
  const cells = grid.cells.map(({ name, x, y }) => ({
    name,
    x: PLATE / 2 + (x - (left + right) / 2) * unit,
    y: PLATE / 2 - (y - (low + high) / 2) * unit,
    tone: shape.tone(grid.shape === "square" ? x - left : x, grid.shape === "square" ? y - low : y),
  }));
  const board = {
    name: grid.name, shape: grid.shape, cells, unit, scale: unit / 100, corners: shape.corners, coarse: unit < COARSE_UNIT,
    named: new Map(cells.map((cell) => [cell.name, cell])),
    rows: rowsOf(cells),
    box: { x: PLATE / 2 - (width * unit) / 2, y: PLATE / 2 - (depth * unit) / 2, width: width * unit, height: depth * unit },
  };
  return { ...board, labels: labelsOf(board) };
}

function rowsOf(cells) {
  const rows = new Map();
  for (const cell of cells) {
    const key = Math.round(cell.y);
    rows.set(key, [...(rows.get(key) ?? []), cell]);
  }
  return [...rows].sort(([a], [b]) => a - b).map(([, row]) => row.sort((a, b) => a.x - b.x));
}

// ---------------------------------------------------------------- what is engraved in the frame

const CHESS = /^([a-z])(\d+)$/;
const PAIR = /^(-?\d+),(-?\d+)$/;

/** Names fall into two coordinates: the one along a row, and the row's own. */
const coordinates = (name) => (CHESS.exec(name) ?? PAIR.exec(name) ?? [, "", ""]).slice(1);

function labelsOf(board) {
  const size = Math.min(LABEL, board.unit * 0.55);
  return [...rowLabels(board), ...columnLabels(board)].map((label) => ({ ...label, size }));
}

/** Whether the second coordinate leans: a hexagon of hexagons. */
const isSlanted = (board) => board.name.startsWith("hexhex");

function rowLabels(board) {
  const along = (first) => (isSlanted(board) ? first.x - board.unit / 2 : board.box.x) - LABEL_GAP;
  return board.rows.map(([first]) => ({ x: along(first), y: first.y, text: coordinates(first.name)[1] }));
}

/** Files stand below their column; the diagonals of a hexagon of hexagons are named at their far end. */
function columnLabels(board) {
  const ends = new Map();
  for (const row of isSlanted(board) ? board.rows : [...board.rows].reverse())
    for (const cell of row) {
      const [column] = coordinates(cell.name);
      if (!ends.has(column)) ends.set(column, cell);
    }
  const beyond = board.unit / 2 + LABEL_GAP;
  if (isSlanted(board)) return [...ends].map(([text, cell]) => ({ x: cell.x + beyond / 2, y: cell.y - beyond * ROW_HEIGHT, text }));
  const below = board.box.y + board.box.height + LABEL_GAP;
  return [...ends].map(([text, cell]) => ({ x: cell.x, y: below, text }));
}

// ---------------------------------------------------------------- walking and pointing

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The cell an arrow key leads to, or undefined at the edge. `aim` is the line one walks along: where rows
 * are shifted, going up and down swings around it instead of drifting away.
 */
export function neighbour(board, here, key, aim) {
  const step = STEPS[key];
  if (!step) return undefined;
  const [dx, dy] = step, row = board.shape === "square" ? 1 : ROW_HEIGHT;
  const wanted = dx ? [here.x + dx * board.unit, here.y] : [aim, here.y + dy * board.unit * row];
  const ahead = board.cells.filter((cell) => (cell.x - here.x) * dx + (cell.y - here.y) * dy > board.unit / 4);
  return nearest(ahead, wanted, 0.7 * board.unit);
}

/** The cell nearest to a point, if it is within reach. */
export function nearest(cells, [x, y], reach) {
  let best, bestDistance = reach;
  for (const cell of cells) {
    const distance = Math.hypot(cell.x - x, cell.y - y);
    if (distance < bestDistance) [best, bestDistance] = [cell, distance];
  }
  return best;
}

// ---------------------------------------------------------------- paths

export const fix = (number) => +number.toFixed(2);
export const at = (points) => points.map(([x, y]) => `${fix(x)} ${fix(y)}`);
export const mix = ([x, y], [u, v], t) => [x + (u - x) * t, y + (v - y) * t];
export const linePath = (a, b) => `M${at([a])}L${at([b])}`;
export const circlePath = (x, y, r) => `M${fix(x - r)} ${fix(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
export const outline = (board, cell) =>
  `M${at(board.corners.map(([x, y]) => [cell.x + x * board.scale, cell.y + y * board.scale])).join("L")}Z`;

/** Corners moved towards the centre so that every side is `inset` further in. */
export const inner = (board, inset) => board.corners.map(([x, y]) => [x * (1 - inset / 50), y * (1 - inset / 50)]);

/** A closed path through the points with its corners rounded. */
export function roundPath(points, radius) {
  const towards = ([x, y], [u, v]) => {
    const length = Math.hypot(u - x, v - y);
    return [x + ((u - x) * radius) / length, y + ((v - y) * radius) / length];
  };
  return points.map((point, i) => {
    const before = towards(point, points.at(i - 1));
    const after = towards(point, points[(i + 1) % points.length]);
    return `${i ? "L" : "M"}${at([before])}Q${at([point, after])}`;
  }).join("") + "Z";
}
