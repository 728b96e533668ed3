// The places of a tree's nodes, in em: levels from left to right, or an outline on a narrow screen.

const NARROW = 30; // em of width; a phone has less
const [LOWEST, HIGHEST, TALL] = [1.5, 3.7, 3]; // em of a row; a tall one has two lines: its word, its numbers
const ROOT = 3.6; // em of width
const BARS = 0.56; // em below a node, for its bars of q and p
const [WIDE, HALF] = [9.5, 7]; // em of a node with room for two numbers after its word, or below it
const [TOUCHED, INDENT] = [2.65, 1.15]; // em: a row and a level of the outline

/** The children of the text, then those of each node. */
export function children(nodes) {
  const lists = [[], ...nodes.map(() => [])];
  nodes.forEach(({ parent }, i) => lists[parent + 1].push(i));
  return lists;
}

/**
 * {mode, boxes: [{x, y, w, h}], root: box, height} in em, for a given width and height.
 *
 * A first child is in its parent's row, so the first path is the top row, like a chain.
 * An outline has room for the `shown` levels only.
 */
export function places(nodes, width, height, shown = Infinity) {
  const following = children(nodes);
  return width < NARROW ? outline(nodes, following, width, shown) : columns(nodes, following, width, height);
}

function outline(nodes, following, width, shown) {
  const visit = i => [i, ...following[i + 1].flatMap(visit)];
  const tall = TOUCHED - 0.15 - BARS;
  const boxes = nodes.map(() => ({ x: 0, y: 0, w: width, h: tall }));
  const there = following[0].flatMap(visit).filter(i => nodes[i].depth < shown);
  there.forEach((i, row) => {
    const x = INDENT * (nodes[i].depth + 1);
    boxes[i] = { x, y: TOUCHED * (row + 1), w: width - x - 0.3, h: tall };
  });
  return { mode: "outline", boxes, root: { x: 0, y: 0, w: ROOT, h: tall }, height: TOUCHED * (there.length + 1) };
}

function columns(nodes, following, width, height) {
  const rows = [];
  let count = 0;
  const visit = i => {
    following[i + 1].forEach(visit);
    rows[i] = following[i + 1].length ? rows[following[i + 1][0]] : count++;
  };
  following[0].forEach(visit);
  const row = Math.min(HIGHEST, Math.max(LOWEST, height / count));
  const column = Math.min(15.5, (width - ROOT - 0.4) / (1 + Math.max(...nodes.map(({ depth }) => depth))));
  const wide = column - 1.2;
  const mode = row >= TALL && wide >= HALF ? "tall" : wide < WIDE ? "tight" : "roomy";
  const box = (x, at, w) => ({ x, y: at * row + 0.05, w, h: row - 0.1 - BARS - (mode === "tall" ? 0.3 : 0) });
  const boxes = nodes.map(({ depth }, i) => box(ROOT + depth * column + 1.2, rows[i], wide));
  return { mode, boxes, root: box(0, 0, ROOT), height: count * row };
}

/** The line from a box to one of its children, as a path; in em. */
export function edge(from, to, mode) {
  const [y, end] = [from.y + from.h / 2, to.y + to.h / 2];
  if (mode === "outline") return `M${from.x + 0.5} ${from.y + from.h}V${end}H${to.x}`;
  const [x, middle] = [from.x + from.w, (from.x + from.w + to.x) / 2];
  return `M${x} ${y}C${middle} ${y} ${middle} ${end} ${to.x} ${end}`;
}
