// Memory on the left, the processor on the right, and the weights that stream between them.

import { chart, unique } from "../../lib/chart.mjs";
import { s } from "../../lib/dom.mjs";
import { plural } from "../../lib/numbers.mjs";

const TRAIN = 4.2; // length of all weights in a row, in channels

/**
 * `show({tokens, size, bandwidth, guessed, at, moved, note})` draws one moment: tokens in the pass; words below
 * memory and at the channel; rows guessed before the pass; share of the pass that is over (null: not begun).
 */
export function memoryPicture(host, { target, bandwidth }, height) {
  const clip = unique("channel");
  let state;
  const picture = chart(host, { height, draw: size => state && paint(size) });

  function paint({ svg, width, height, em }) {
    const { at } = state;
    const narrow = width < 34 * em;
    const [top, bottom] = [1.7 * em, height - (narrow ? 3.1 : 1.7) * em];
    const box = (x, share) => ({ x, y: top, width: share * width, height: bottom - top });
    const store = box(1, narrow ? 0.35 : 0.27);
    const work = box((narrow ? 0.64 : 0.66) * width - 1, narrow ? 0.36 : 0.34);
    const thick = (1.1 + 0.75 * Math.max(0, Math.log10(bandwidth / 4e9))) * em;
    const left = store.x + store.width;
    const way = { x: left, width: work.x - left, y: (top + bottom - thick) / 2, height: thick };
    const cells = cellsOf(store, em, target, (TRAIN * way.width) / target.size);
    const gone = at === null ? 0 : at * (TRAIN + 1) * way.width; // length of the train that has entered the channel
    const head = at === 1 ? 0.55 * (TRAIN + 1) * way.width : gone; // at rest a few layers stay visible
    const wagons = cells.map(({ from, long, kind }) =>
      s("rect", {
        class: kind,
        x: way.x + head - from - long + 1,
        width: Math.max(1, long - 2),
        y: way.y + 0.12 * thick,
        height: 0.76 * thick,
      }),
    );
    const text = (words, x, y, anchor = "middle", name = "bold") =>
      s("text", { x, y, "text-anchor": anchor, class: name }, words);
    const centre = way.x + way.width / 2;
    const [side, under] = narrow ? ["start", bottom + 2.7 * em] : ["middle", way.y + thick + 1.5 * em];
    svg.replaceChildren(
      s("defs", s("clipPath", { id: clip }, s("rect", way))),
      s("rect", { ...store, rx: 0.4 * em, class: "box" }),
      s("rect", { ...work, rx: 0.4 * em, class: "box" }),
      s("rect", { ...way, class: "way" }),
      ...rowsOf(work, way, em, narrow, at === 1 ? 1 : Math.max(0, (gone - way.width) / (TRAIN * way.width))),
      ...cells.map(({ x, y, width, height, kind, from }) =>
        s("rect", { x, y, width, height, class: at !== null && at < 1 && from < gone ? `${kind} read` : kind }),
      ),
      s("g", { "clip-path": `url(#${clip})`, opacity: at === null ? 0 : at === 1 ? 0.4 : 1 }, wagons),
      text("memory", store.x + store.width / 2, 1.1 * em, "middle", "quiet"),
      text("processor", work.x + work.width / 2, 1.1 * em, "middle", "quiet"),
      text(state.size, narrow ? 0 : store.x + store.width / 2, bottom + 1.25 * em, side),
      text(plural(state.tokens, "token") + (narrow ? "" : " in a pass"), work.x + work.width / 2, bottom + 1.25 * em),
      text(state.bandwidth, centre, way.y - 0.7 * em),
      text(state.moved, narrow ? 0 : centre, under, side),
      text(state.note, narrow ? width : centre, narrow ? under : under + 1.3 * em, narrow ? "end" : "middle", "quiet"),
    );
  }

  /** The tokens of the pass as rows that fill while the weights arrive. */
  function rowsOf(work, way, em, narrow, done) {
    const { tokens, guessed, at } = state;
    const first = work.x + (narrow ? 1.4 : 2.8) * em;
    const wide = work.x + work.width - first - (narrow ? 1.5 : 4.9) * em;
    const pitch = Math.min(2.1 * em, (work.height - 0.5 * em) / tokens);
    const middle = i => work.y + work.height / 2 + (i + 0.5 - tokens / 2) * pitch;
    const all = Array.from({ length: tokens }, (_, i) => middle(i));
    const line = (name, rows, width) =>
      s("path", { class: name, "stroke-width": 0.68 * pitch, d: rows.map(y => `M${first} ${y}h${width}`).join("") });
    const mouth = `M${way.x + way.width} ${way.y + way.height / 2}`;
    const words = pitch > 1.2 * em ? all : [];
    return [
      s("path.fan", { d: at === null ? "" : all.map(y => `${mouth}L${first} ${y}`).join("") }),
      line("rows", all, wide),
      line("guesses", all.slice(0, guessed), wide),
      line(done === 1 ? "fills all" : "fills", all, wide * done),
      ...words.map((y, i) =>
        s("text", { x: first + wide + 0.5 * em, y: y + 0.32 * em }, narrow ? i + 1 : `token ${i + 1}`),
      ),
    ];
  }

  return { ...picture, show: next => ((state = next), picture.redraw()) };
}

/** Weights as areas: equal layers, then the vocabulary matrix; `from` and `long` are positions in the channel. */
function cellsOf(box, em, { layers, layer, rest, size }, scale) {
  const [gap, pad] = [0.22 * em, 0.35 * em];
  const [wide, tall] = [box.width - 2 * pad, box.height - 2 * pad];
  const columns = [12, 9, 8, 7, 6, 5, 4].find(n => layers % n === 0) ?? 6;
  const high = (tall * layer * layers) / size / Math.ceil(layers / columns);
  const cell = (x, y, width, height, bytes, kind, from) => ({
    x: box.x + pad + x + gap / 2,
    y: box.y + pad + y + gap / 2,
    width: width - gap,
    height: Math.max(2, height - gap),
    kind: `cell ${kind}`,
    from: from * scale,
    long: bytes * scale,
  });
  const made = Array.from({ length: layers }, (_, i) =>
    cell(
      ((i % columns) * wide) / columns,
      Math.floor(i / columns) * high,
      wide / columns,
      high,
      layer,
      "layer",
      i * layer,
    ),
  );
  const below = Math.ceil(layers / columns) * high;
  return [...made, cell(0, below, wide, (tall * rest) / size, rest, "vocabulary", layers * layer)];
}
