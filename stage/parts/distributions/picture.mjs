// The bars as SVG; shares from 0 to 1 say how much of each part is shown, so that it can be animated.

import { stripes, unique } from "../../lib/chart.mjs";
import { fixed } from "../../lib/numbers.mjs";
import { s } from "../../lib/dom.mjs";
import { visible } from "../../lib/tokens.mjs";

/**
 * Draw `view` into the element `svg`.
 *
 * view: {words, p, q, shared, alpha, rest (null: none), n, counts, show: {q, shared, rest, darts,
 * exact: null or [share of the first term, of the second], sum}, lit: null or the index of a word}.
 */
export function picture(svg, view, at) {
  const id = (svg.hatches ??= unique("distributions"));
  const looks = ({ kind, word }) => `${kind}${view.lit != null && word != null && word !== view.lit ? " dim" : ""}`;
  const rects = [...first(view, at), ...second(view, at), ...last(view, at), ...keys(view, at)];
  svg.replaceChildren(
    s("defs", stripes(`${id}-rest`, "rest", 0.34 * at.em), stripes(`${id}-lost`, "lost", 0.34 * at.em, -45)),
    s(
      "g.bars",
      rects.map(({ x, y, width, height, hatch, ...one }) =>
        s("rect", {
          class: looks(one),
          fill: hatch && `url(#${id}-${hatch})`,
          x,
          y,
          width,
          height: Math.max(height, 0),
        }),
      ),
    ),
    s(
      "g.lines",
      lines(view, at).map(({ x1, x2, y, ...one }) => s("line", { class: looks(one), x1, x2, y1: y, y2: y })),
    ),
    s(
      "g.texts",
      texts(view, at).map(({ text, anchor = "middle", x, y, ...one }) =>
        s("text", { class: looks(one), "text-anchor": anchor, x, y }, text),
      ),
    ),
  );
}

/** A rectangle between two heights of a field. */
function box(at, field, place, low, high, more) {
  const [top, bottom] = [at.y(field, high), at.y(field, low)];
  return { x: place.left, width: place.width, y: top, height: bottom - top, ...more };
}

/** A box on its way from one place to another, at `share` of it. */
const between = (from, to, share) => {
  const mixed = { ...to };
  for (const side of ["x", "y", "width", "height"]) mixed[side] = from[side] + (to[side] - from[side]) * share;
  return mixed;
};

/** p and q side by side, their shared part and the excess of each. */
function first({ words, p, q, shared, show }, at) {
  return words.flatMap((_, i) => {
    const [left, right] = [at.bar(i, 0), at.bar(i, 1)];
    const cut = (value, place, low, kind, hatch) => box(at, at.pair, place, low, value, { kind, hatch, word: i });
    const made = [cut(p[i], left, 0, "p")];
    made.push(cut(q[i], right, 0, "q"));
    if (show.rest && p[i] > shared[i]) made.push(cut(p[i], left, shared[i], "left-p", "rest"));
    if (show.darts && show.shared && q[i] > shared[i]) made.push(cut(q[i], right, shared[i], "left-q", "lost"));
    if (show.shared) {
      const level = shared[i] * Math.min(1, 2 * show.shared);
      made.push(cut(level, left, 0, "both-p"), cut(level, right, 0, "both-q"));
    }
    return made;
  });
}

/** The shared part and the residual in fields of their own. */
function second({ words, p, shared, rest, show }, at) {
  return words.flatMap((_, i) => {
    const made = [];
    if (show.shared) {
      const [left, right] = [at.bar(i, 0), at.bar(i, 1)];
      const whole = { left: left.left, width: right.left + right.width - left.left };
      const from = box(at, at.pair, whole, 0, shared[i]);
      const to = box(at, at.shared, at.single(at.shared, i), 0, shared[i], { kind: "shared", word: i });
      made.push(between(from, to, Math.max(0, 2 * show.shared - 1)));
    }
    if (show.rest && rest) {
      const from = box(at, at.pair, at.bar(i, 0), shared[i], p[i]);
      const to = box(at, at.rest, at.single(at.rest, i), 0, rest[i], { kind: "rest", hatch: "rest", word: i });
      made.push(between(from, to, show.rest));
    }
    return made;
  });
}

/** The output inside the outline of p: counted darts, or the two terms of the proof. */
function last({ words, p, shared, rest, alpha, counts, n, show }, at) {
  if (!show.darts) return [];
  return words.flatMap((_, i) => {
    const place = at.single(at.out, i);
    const pile = (low, high, kind, hatch) => box(at, at.out, place, low, high, { kind, hatch, word: i });
    const made = [];
    if (show.exact) {
      const [one, two] = show.exact;
      if (one)
        made.push(between(box(at, at.shared, at.single(at.shared, i), 0, shared[i]), pile(0, shared[i], "kept"), one));
      if (two && rest) {
        const from = box(at, at.rest, at.single(at.rest, i), 0, rest[i]);
        made.push(between(from, pile(shared[i], shared[i] + (1 - alpha) * rest[i], "again", "rest"), two));
      }
    } else {
      const [accepted, top] = heights(counts, i, n);
      if (accepted) made.push(pile(0, accepted, "kept"));
      if (top > accepted) made.push(pile(accepted, top, "again", "rest"));
    }
    made.push(box(at, at.out, at.single(at.out, i, 0.84), 0, p[i], { kind: "outline", word: i }));
    return made;
  });
}

/** The first darts count 1/20 each, so that a single dart does not fill a pile. */
export function heights(counts, i, n) {
  const of = Math.max(n, 20);
  return [counts.accepted[i] / of, (counts.accepted[i] + counts.corrected[i]) / of];
}

/** The x of q's name. */
const half = ({ em, pair }) => pair.left + Math.min(9.5 * em, Math.max(8.9 * em, (pair.right - pair.left) / 2));

/** A sample of the look before each field's name. */
function keys({ show }, at) {
  const { em, pair, shared, rest, out } = at;
  const key = (field, kind, hatch) => ({
    kind,
    hatch,
    x: field.left,
    y: field.top - 3.25 * em,
    width: 0.8 * em,
    height: 0.8 * em,
  });
  return [
    key(pair, "p"),
    { ...key(pair, "q"), x: half(at) },
    show.shared === 1 && key(shared, "shared"),
    show.rest === 1 && key(rest, "rest", "rest"),
    show.darts && key(out, "outline"),
  ].filter(Boolean);
}

function lines({ words, shared, show }, at) {
  const made = at.fields
    .filter((_, i) => [1, show.shared, show.rest, show.darts][i])
    .map(field => ({ kind: "ground", x1: field.left, x2: field.right, y: field.bottom }));
  if (show.shared < 1) return made;
  return made.concat(
    words.map((_, i) => {
      const { left, width } = at.pair.slot(i);
      return { kind: "level", word: i, x1: left + 0.03 * width, x2: left + 0.97 * width, y: at.y(at.pair, shared[i]) };
    }),
  );
}

function texts(view, at) {
  const { words, p, q, shared, rest, alpha, n, counts, show } = view;
  const { em } = at;
  const number = (value, room) => (room > 2.4 * em ? fixed(value) : fixed(value).replace(/^0/, ""));
  const made = [];
  const add = (key, text, x, y, kind = "", more = {}) => made.push({ text, x, y, kind, ...more });
  const title = (field, key, bold, quiet, kind = "") => {
    add(`${key}-title`, bold, field.left + 1.2 * em, field.top - 2.5 * em, `title ${kind}`, { anchor: "start" });
    const end = field === at.rest && !at.wide; // there is little room to its right
    add(`${key}-under`, quiet, end ? field.right : field.left, field.top - 1.36 * em, "quiet", {
      anchor: end ? "end" : "start",
    });
  };
  const value = (field, key, i, place, height, over = height) =>
    add(
      `${key}-value-${i}`,
      number(height, Math.max(place.width, at.pair === field ? 0 : field.slot(0).width)),
      place.left + place.width / 2,
      at.y(field, over) - (field === at.pair ? 0.5 : 0.3) * em,
      "value",
      { word: i },
    );
  const nameWords = (field, key) =>
    words.forEach((word, i) => {
      const { mid, width } = field.slot(i);
      const staggered = at.staggered && width < 3.2 * em;
      const low = staggered && i % 2;
      const room = (width / em) * (staggered ? 2 : 1);
      add(`${key}-word-${i}`, short(word, room, view.measure), mid, field.bottom + (low ? 2.4 : 1.2) * em, "word", {
        word: i,
      });
    });
  title(at.pair, "p", "p, the target", "", "ink-p");
  nameWords(at.pair, "pair");
  words.forEach((_, i) => value(at.pair, "p", i, at.bar(i, 0), p[i]));
  add("q-title", "q, the draft", half(at) + 1.2 * em, at.pair.top - 2.5 * em, "title ink-q", { anchor: "start" });
  words.forEach((_, i) => value(at.pair, "q", i, at.bar(i, 1), q[i]));
  if (show.shared === 1) {
    title(at.shared, "shared", "shared part", `min(p, q), α = ${fixed(alpha)}`, "ink-shared");
    nameWords(at.shared, "shared");
    words.forEach((_, i) => value(at.shared, "shared", i, at.single(at.shared, i), shared[i]));
  }
  if (show.rest === 1) {
    title(at.rest, "rest", "residual", rest ? "norm(max(p − q, 0))" : "p = q: no residual", "ink-rest");
    nameWords(at.rest, "rest");
    if (rest) words.forEach((_, i) => value(at.rest, "rest", i, at.single(at.rest, i), rest[i]));
  }
  if (show.darts && !show.shared) add("ask", "?", (at.shared.left + at.rest.right) / 2, at.rest.bottom - 2 * em, "ask"); // the rule
  if (show.darts) {
    title(
      at.out,
      "out",
      "output",
      show.exact ? "exact; outline: p" : n ? `${n.toLocaleString("en")} dart${n > 1 ? "s" : ""}` : "outline: p",
      "ink-out",
    );
    nameWords(at.out, "out");
    if (show.exact ? show.exact[1] === 1 : n >= 20) {
      words.forEach((_, i) => {
        const height = show.exact ? p[i] : heights(counts, i, n)[1];
        value(at.out, "out", i, at.single(at.out, i), height, Math.max(height, p[i]));
      });
    }
  }
  if (show.exact) {
    const middle = field => (field.top + field.bottom) / 2;
    const gap = (at.rest.left + at.shared.right) / 2;
    add("plus", "+", gap, middle(at.rest) - 0.2 * em, "sign");
    add("times", `${fixed(1 - alpha)} ×`, gap, middle(at.rest) + 1.1 * em, "bold");
    if (at.wide) add("equals", "=", (at.out.left + at.rest.right) / 2, middle(at.rest), "sign");
  }
  return made;
}

function short(word, room, measure) {
  const letters = [...visible(word)];
  if (measure(visible(word)) <= room) return letters.join("");
  while (letters.length > 1 && measure(`${letters.join("")}…`) > room) letters.pop();
  return `${letters.join("")}…`;
}
