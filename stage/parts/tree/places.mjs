// Where the nodes of a tree stand, in em: levels from left to right, or an outline where it is narrow.

const NARROW = 30; // em of width; a phone has less
const [LOWEST, HIGHEST] = [1.36, 3.2]; // em of a row
const ROOT = 3.6; // em of width
const BARS = { low: 0.28, high: 0.56 }; // em below a node, for its q and its p
const [TWO_NUMBERS, ONE_LINE] = [7.9, 11.6]; // em of a node that has room for them
const [TOUCHED, INDENT] = [2.65, 1.15]; // em: a row and a level of the outline

/** The children of the text, then those of each node. */
export function children(nodes) {
  const found = [[], ...nodes.map(() => [])];
  nodes.forEach(({ parent }, i) => found[parent + 1].push(i));
  return found;
}

/** The nodes, each with all that follow it before its next sibling. */
export function depthFirst(nodes) {
  const following = children(nodes);
  const visit = (i) => [i, ...following[i + 1].flatMap(visit)];
  return following[0].flatMap(visit);
}

/**
 * {mode, boxes: [{x, y, w, h}], root: box, bars, height} for so much room, in em.
 *
 * A first child stands in its parent's row: the first path is the top row, as a chain would be.
 * An outline has only the `shown` levels: what is to come takes no room.
 */
export function places(nodes, width, height, shown = Infinity) {
  return width < NARROW ? outline(nodes, width, shown) : columns(nodes, width, height);
}

function outline(nodes, width, shown) {
  const boxes = [];
  const there = depthFirst(nodes).filter((i) => nodes[i].depth < shown);
  there.forEach((i, row) => {
    const x = INDENT * (nodes[i].depth + 1);
    boxes[i] = { x, y: TOUCHED * (row + 1), w: width - x - 0.3, h: TOUCHED - 0.15 - BARS.high };
  });
  return { mode: "outline", boxes, root: { x: 0, y: 0, w: ROOT, h: TOUCHED - 0.15 - BARS.high }, bars: BARS.high, height: TOUCHED * (there.length + 1) };
}

function columns(nodes, width, height) {
  const following = children(nodes);
  const rows = [];
  let count = 0;
  const visit = (i) => {
    following[i + 1].forEach(visit);
    rows[i] = following[i + 1].length ? rows[following[i + 1][0]] : count++;
  };
  following[0].forEach(visit);
  const levels = 1 + Math.max(...nodes.map(({ depth }) => depth));
  const room = height / LOWEST;
  if (count > room) count = closer(nodes, rows, count, room);
  const row = Math.min(HIGHEST, Math.max(LOWEST, height / Math.max(count, 1)));
  const [between, bars] = row > 2 ? [0.3, BARS.high] : [0.02, BARS.low];
  const column = Math.min(15.5, (width - ROOT - 0.4) / levels);
  const gap = column > 8 ? 1.4 : 1.2;
  const box = (x, at, w) => ({ x, y: at * row + 0.05, w, h: row - between - bars });
  const boxes = nodes.map(({ depth }, i) => box(ROOT + depth * column + gap, rows[i], column - gap));
  const wide = column - gap;
  const mode = row >= 3 ? (wide >= TWO_NUMBERS ? "roomy" : "tall") : wide >= ONE_LINE ? "inline" : "tight";
  return { mode, boxes, root: box(0, 0, ROOT), bars, height: count * row };
}

/**
 * Moves the nodes of each level together, in place, so that they need no more than `room` rows
 * or one for each node of the widest level; they keep their order, so no two lines cross.
 */
function closer(nodes, rows, count, room) {
  const levels = [];
  nodes.forEach(({ depth }, i) => (levels[depth] ??= []).push(i));
  const needed = Math.max(room, ...levels.map((level) => level.length));
  for (const level of levels) {
    level.forEach((i, k) => (rows[i] = Math.max((rows[i] * (needed - 1)) / (count - 1), k ? rows[level[k - 1]] + 1 : 0)));
    for (let k = level.length - 1, most = needed - 1; k >= 0; k--, most = rows[level[k + 1]] - 1) rows[level[k]] = Math.min(rows[level[k]], most);
  }
  return needed;
}

/** The line from a box to one of its children, as a path; in em. */
export function edge(from, to, mode) {
  const [y, end] = [from.y + from.h / 2, to.y + to.h / 2];
  if (mode === "outline") return `M${from.x + 0.5} ${from.y + from.h}V${end}H${to.x}`;
  const [x, middle] = [from.x + from.w, (from.x + from.w + to.x) / 2];
  return `M${x} ${y}C${middle} ${y} ${middle} ${end} ${to.x} ${end}`;
}
