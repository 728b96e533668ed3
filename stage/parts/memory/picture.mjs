// Memory on the left, the processor on the right, and the weights on their way between them.

import { chart } from "../../lib/chart.mjs";
import { s } from "../../lib/dom.mjs";
import { plural } from "../../lib/numbers.mjs";

const WAGON = 3; // layers that leave together: single ones would flicker at 60 frames a second
const LABELLED = 8; // rows of tokens at most that have a number each

/**
 * `show(state)` draws a moment; `example` is one of the scene's examples.
 *
 * state: {tokens, weights, size, by: "target" | "draft", at, read, guessed, bandwidth, moved,
 * asked}: how many tokens are in the pass; are the weights and their size to be seen; whose
 * weights move and how much of the pass is over (null: none has begun); rows that are filled
 * before it; words at the channel.
 */
export function memoryPicture(host, height) {
  let example, built, state;
  const drawn = chart(host, {
    label: "memory, a channel, a processor",
    height,
    draw: ({ svg, width, height, em }) => {
      if (!example) return;
      svg.selectAll("*").remove();
      built = build(svg.node(), { width, height, em }, example);
      if (state) update(built, state, example);
    },
  });
  return {
    ...drawn,
    show(given, of = example) {
      state = given;
      if (of !== example) {
        example = of;
        drawn.redraw();
      } else update(built, state, example);
    },
  };
}

function build(svg, { width, height, em }, { target, draft, bandwidth }) {
  const narrow = width < 34 * em;
  const top = 1.7 * em, bottom = height - (narrow ? 3.1 : 1.7) * em, tall = bottom - top;
  const store = { x: 1, y: top, w: width * (narrow ? 0.35 : 0.27), h: tall };
  const work = { w: width * (narrow ? 0.36 : 0.34), y: top, h: tall };
  work.x = width - work.w - 1;
  const thick = (1.1 + 0.75 * Math.max(0, Math.log10(bandwidth / 4e9))) * em;
  const way = { x: store.x + store.w, w: work.x - store.x - store.w, y: top + tall / 2 - thick / 2, h: thick };
  const part = { em, narrow, store, work, way };
  const words = (x, y, anchor, name = "") => {
    const text = s("text", { x, y, "text-anchor": anchor, class: name });
    svg.append(text);
    return text;
  };
  const clip = `course-channel-${Math.random().toString(36).slice(2)}`;
  svg.append(s("defs", {}, s("clipPath", { id: clip }, s("rect", { ...rect(way), y: top, height: tall }))));
  svg.append(s("rect", { ...rect(store), rx: 0.4 * em, class: "box" }), s("rect", { ...rect(work), rx: 0.4 * em, class: "box" }));
  svg.append(s("rect", { ...rect(way), class: "way" }));
  part.fan = s("path", { class: "fan" });
  part.tracks = s("path", { class: "track" });
  part.guesses = s("path", { class: "guesses" });
  part.fills = s("path", { class: "fills" });
  svg.append(part.fan, part.tracks, part.guesses, part.fills);
  part.numbers = s("g", { class: "numbers" });
  svg.append(part.numbers);
  part.cells = cells(store, em, target, draft);
  part.weights = s("g", {}, part.cells.target.map((cell) => cell.rect));
  part.draft = s("g", {}, part.cells.draft.map((cell) => cell.rect));
  svg.append(part.weights, part.draft);
  part.trains = { target: train(part.cells.target, way, target.size, 4.2), draft: draft && train(part.cells.draft, way, draft.size, 0.8) };
  const moving = s("g", { "clip-path": `url(#${clip})` });
  for (const one of Object.values(part.trains)) if (one) moving.append(one.element);
  svg.append(moving);
  words(store.x + store.w / 2, 1.1 * em, "middle", "name").textContent = "memory";
  words(work.x + work.w / 2, 1.1 * em, "middle", "name").textContent = "processor";
  part.size = words(narrow ? 0 : store.x + store.w / 2, bottom + 1.25 * em, narrow ? "start" : "middle", "size");
  part.count = words(work.x + work.w / 2, bottom + 1.25 * em, "middle", "size");
  const centre = way.x + way.w / 2;
  part.bandwidth = words(centre, way.y - 0.7 * em, "middle", "rate");
  const under = narrow ? bottom + 2.7 * em : way.y + way.h + 1.5 * em;
  part.moved = words(narrow ? 0 : centre, under, narrow ? "start" : "middle", "moved");
  part.note = words(narrow ? width : centre, narrow ? under : under + 1.3 * em, narrow ? "end" : "middle", "note");
  return part;
}

const rect = ({ x, y, w, h }) => ({ x, y, width: w, height: h });

/** Weights as areas: every layer equal, then the matrix of the vocabulary; the draft below. */
function cells(box, em, target, draft) {
  const gap = 0.22 * em, pad = 0.35 * em;
  const w = box.w - 2 * pad, all = target.size + (draft?.size ?? 0);
  const h = box.h - 2 * pad - (draft ? gap : 0);
  const columns = [12, 9, 8, 7, 6, 5, 4].filter((n) => target.layers % n === 0)
    .sort((a, b) => Math.abs(Math.log(ratio(a))) - Math.abs(Math.log(ratio(b))))[0] ?? 6;
  function ratio(n) { return w / n / (h * (target.layer / all) * n) / 1.5; }
  const rows = Math.ceil(target.layers / columns);
  const tall = (h * target.layer * target.layers) / all / rows;
  const made = (x, y, width, height, size, kind) => ({
    size,
    rect: s("rect", { x: x + gap / 2, y: y + gap / 2, width: width - gap, height: Math.max(2, height - gap), class: `cell ${kind}` }),
  });
  const found = Array.from({ length: target.layers }, (_, i) =>
    made(box.x + pad + ((i % columns) * w) / columns, box.y + pad + Math.floor(i / columns) * tall, w / columns, tall, target.layer, "layer"));
  const rest = (h * target.rest) / all;
  found.push(made(box.x + pad, box.y + pad + rows * tall, w, rest, target.rest, "vocabulary"));
  const low = box.y + pad + rows * tall + rest + gap;
  const small = draft ? [made(box.x + pad, low, w, (h * draft.size) / all, draft.size, "guesser")] : [];
  return { target: found, draft: small };
}

/** The same cells one after another in the channel, a few to a wagon; `long` is in channels. */
function train(cells, way, size, long) {
  const length = long * way.w, scale = length / size;
  const wagons = [];
  let offset = 0;
  for (let i = 0; i < cells.length; ) {
    const layer = cells[i].rect.classList.contains("layer");
    const some = cells.slice(i, i + (layer ? WAGON : 1)).filter((one) => one.size === cells[i].size);
    const each = some[0].size * scale;
    const kind = cells[i].rect.getAttribute("class");
    const box = s("g", {}, some.map((_, j) => s("rect", { x: -(j + 1) * each + 1, y: way.y + 0.12 * way.h, width: Math.max(1, each - 2), height: 0.76 * way.h, class: kind })));
    wagons.push({ box, offset });
    offset += some.length * each;
    i += some.length;
  }
  return { element: s("g", { class: "train" }, wagons.map((one) => one.box)), wagons, length };
}

function update(part, state, example) {
  const { em, work, way, narrow } = part;
  const { tokens, by = "target", at = null } = state;
  const train = part.trains[by];
  const over = at === 1;
  const gone = at === null ? 0 : at * (train.length + way.w); // of the train, into the channel
  const shown = over ? 0.55 * (train.length + way.w) : gone; // at rest a few wagons are left to see
  for (const [name, one] of Object.entries(part.trains)) {
    if (!one) continue;
    const here = name === by && at !== null;
    one.element.setAttribute("class", `train ${over ? "rest" : ""}`);
    one.element.style.display = here ? "" : "none";
    if (here) for (const { box, offset } of one.wagons) box.setAttribute("transform", `translate(${(way.x + shown - offset).toFixed(1)},0)`);
  }
  part.weights.style.opacity = state.weights ? 1 : 0;
  part.draft.style.opacity = state.draft ? 1 : 0;
  let sum = 0;
  const scale = train.length / example[by === "draft" ? "draft" : "target"].size;
  for (const cell of part.cells[by]) {
    cell.rect.classList.toggle("read", at !== null && !over && sum * scale < gone);
    sum += cell.size;
  }
  const other = by === "draft" ? "target" : "draft";
  for (const cell of part.cells[other]) cell.rect.classList.remove("read");
  const label = tokens <= LABELLED ? (narrow ? 1.5 : 4.9) * em : 0.6 * em;
  const left = work.x + (narrow ? 1.4 : 2.8) * em, wide = work.x + work.w - left - label;
  const pitch = Math.min(2.1 * em, (work.h - 0.5 * em) / tokens);
  const first = work.y + work.h / 2 - (pitch * tokens) / 2;
  const middle = (i) => first + (i + 0.5) * pitch;
  const thick = pitch * (tokens > LABELLED ? 0.8 : 0.68);
  const lines = (width, count = tokens) => {
    let d = "";
    for (let i = 0; i < count; i++) d += `M${left.toFixed(1)} ${middle(i).toFixed(2)}h${width.toFixed(1)}`;
    return d;
  };
  const done = at === null ? (state.filled ?? 0) : over ? 1 : Math.max(0, (gone - way.w) / train.length);
  for (const path of [part.tracks, part.guesses, part.fills]) path.setAttribute("stroke-width", thick.toFixed(2));
  part.tracks.setAttribute("d", lines(wide));
  const guessing = by === "draft" && at !== null;
  part.guesses.setAttribute("d", state.guessed ? lines(wide, state.guessed) : "");
  part.fills.setAttribute("d", done > 0 && !guessing ? lines(wide * done) : "");
  part.fills.classList.toggle("all", done >= 1);
  const mouth = way.x + way.w, mid = way.y + way.h / 2;
  const ends = tokens <= 12 ? Array.from({ length: tokens }, (_, i) => middle(i)) : [middle(0), mid, middle(tokens - 1)];
  const using = at !== null && !guessing;
  part.fan.setAttribute("d", using ? ends.map((y) => `M${mouth} ${mid}L${left} ${y.toFixed(1)}`).join("") : "");
  const names = tokens <= LABELLED && (pitch > 1.2 * em || tokens === 1) ? tokens : 0;
  if (part.numbers.childElementCount !== names || part.named !== pitch) {
    part.named = pitch;
    part.numbers.replaceChildren(...Array.from({ length: names }, (_, i) =>
      s("text", { x: left + wide + 0.5 * em, y: middle(i) + 0.32 * em }, narrow ? `${i + 1}` : `token ${i + 1}`)));
  }
  part.size.textContent = state.size ?? "";
  part.count.textContent = plural(tokens, "token") + (narrow ? "" : " in a pass");
  part.bandwidth.textContent = state.bandwidth ?? "";
  part.moved.textContent = state.moved ?? "";
  part.note.textContent = state.note ?? "";
}
