// One round as columns: the guess with q, the target's row with p, the uniform against the bar, the outcome.

import { h, s } from "../../lib/dom.mjs";
import { apart } from "../../lib/numbers.mjs";
import { chip, visible } from "../../lib/tokens.mjs";

/** The columns of a round; `paint(known)` draws what is known so far. */
export function board(data, round) {
  const { guesses, rows, emitted, kinds } = round;
  const last = data.details && !data.greedy ? round.drawn : null; // the row of the last token
  const place = kinds.at(-1) === "accepted" ? -1 : tail(round);
  const columns = guesses.map((_, i) => column(`guess ${i + 1}`, i));
  const next = column("next", guesses.length);
  const names = labels(round, data.greedy);
  const drawn = h("div.drawn", { hidden: true });
  const element = h(
    "div",
    {
      class: `board${guesses.length > 7 ? " tight" : ""}${guesses.length ? "" : " empty"}`,
      style: `--n: ${guesses.length}`,
    },
    names.element,
    columns.map(one => one.element),
    next.element,
    drawn,
  );
  const all = [...columns, next];
  const beams = [names, ...all].map(one => one.beam);

  function paint(now) {
    const stopped = guesses.slice(0, now.judged).findIndex(({ fate }) => fate !== "accepted");
    columns.forEach((one, i) => {
      const { text, fate } = guesses[i];
      const tailed = stopped >= 0 && i > stopped;
      const current = i < now.judged ? fate : tailed ? "lost" : "draft";
      const gone = now.last && fate === "lost" ? "lost" : current;
      one.slot.replaceChildren(
        ...(now.drafted ? [chip(text, gone), data.greedy ? "" : amount("q", guesses[i].q)] : [h("span.ghost", "?")]),
      );
      one.band.replaceChildren(...(now.passed && !data.greedy ? [amount("p", guesses[i].p)] : []));
      one.face.replaceChildren(...(now.passed ? [face(data, guesses[i], rows[i], now, i)] : []));
      one.element.className = `col guess ${gone}`;
      const outcome =
        gone === "accepted"
          ? chip(text, "accepted")
          : now.last && i === place
            ? chip(emitted.at(-1), kinds.at(-1))
            : null;
      one.foot.replaceChildren(...(outcome ? [outcome] : []));
      one.foot.classList.toggle("own", gone !== "accepted" && outcome !== null);
      for (const part of [one.slot, one.foot]) part.style.cssText = "";
    });
    const extra = place === guesses.length;
    next.slot.replaceChildren(h("span.ghost", "next"));
    next.band.replaceChildren(
      ...(now.passed ? [h("span.amount", guesses.length ? "one more row" : data.greedy ? "" : "one row")] : []),
    );
    next.face.replaceChildren(
      ...(now.passed && rows[guesses.length] && !(now.last && extra && last)
        ? [data.greedy ? own(rows[guesses.length]) : likeliest(rows[guesses.length])]
        : []),
    );
    next.foot.replaceChildren(...(now.last && extra ? [chip(emitted.at(-1), kinds.at(-1))] : []));
    next.foot.classList.toggle("own", now.last && extra);
    next.element.className = `col next${now.judged && !extra && place >= 0 && stopped >= 0 ? " unused" : ""}`;
    next.element.style.opacity = "";
    names.rows(now.passed);
    names.model?.removeAttribute("style"); // an animation of the draft may have been interrupted
    names.face(!guesses.length || !now.passed ? "" : faceOf(now));
    const open = now.last && last;
    drawn.hidden = !open;
    drawn.className = `drawn ${open ? kinds.at(-1) : ""}`; // before that the page must not give the kind away
    drawn.replaceChildren(
      ...(open ? [h("small", DRAWN_FROM[kinds.at(-1)]), likeliest(fewer(last), kinds.at(-1))] : []),
    );
    element.classList.toggle("passed", now.passed);
    element.classList.toggle("drawing", !drawn.hidden);
    beams.forEach(beam => (beam.style.opacity = 0));
    drawn.style.cssText = `--from: ${place + 1}`;
  }
  const faceOf = now =>
    now.last && last && kinds.at(-1) === "correction"
      ? "residual"
      : data.greedy
        ? now.judged
          ? "same"
          : "own"
        : !data.uniforms
          ? now.judged
            ? "uniforms"
            : "rows"
          : now.bars
            ? "test"
            : "rows";
  return { element, paint, columns, next, beams, drawn, all, place, model: names.model };
}

/** The column of the target's own token. */
function tail({ guesses, emitted }) {
  return Math.min(emitted.length - 1, guesses.length);
}

function column(name, at) {
  const [slot, band, face, foot] = ["slot", "band", "face", "foot"].map(part => h("div", { class: part }));
  const beam = h("span.beam", { "aria-hidden": "true" });
  const element = h(
    "div.col",
    { role: "group", "aria-label": name, style: `--col: ${at}` },
    slot,
    band,
    face,
    foot,
    beam,
  );
  return { element, slot, band, face, foot, beam };
}

const amount = (letter, value) => h("span", { class: `amount ${letter}` }, h("i", letter), ` ${precise(value)}`);

/** Small numbers get one more digit, so that p/q can be checked against p and q. */
const precise = value =>
  value > 0 && value < 0.0005 ? "<0.001" : value > 0 && value < 0.0995 ? value.toFixed(3) : share(value);

/** 0.004 -> "<0.01": a possible token is never shown as 0. */
const share = value => (value > 0 && value < 0.005 ? "<0.01" : value.toFixed(2));

function face(data, guess, row, now, i) {
  if (data.greedy) return own(row, i < now.judged ? guess.fate : "");
  if (!now.bars || (!data.uniforms && !now.judged)) return likeliest(row);
  return gauge(data, guess, i < now.judged);
}

/** Greedy: the target's own token at a place, and once the guess is judged, whether it is the same. */
function own({ top }, fate = "") {
  const words = { accepted: "same ✓", rejected: "different ✗" };
  return h("div", { class: `says ${fate}` }, h("bdi", visible(top[0][0])), h("small", words[fate] ?? ""));
}

/** A row of p: its likeliest tokens as bars, the guess marked. */
export function likeliest({ top, marked }, kind = "p") {
  return h(
    "ol",
    { class: `row-of ${kind}` },
    top.map(([text, value], i) =>
      h(
        "li",
        { class: i === marked ? "marked" : "", style: `--share: ${value}` },
        h("span.bar"),
        h("bdi", visible(text)),
        h("span.value", share(value)),
      ),
    ),
  );
}

/** Four entries, the marked one among them. */
function fewer({ top, marked }) {
  const entries = top.slice(0, marked > 3 ? 3 : 4).concat(marked > 3 ? [top[marked]] : []);
  return { top: entries, marked: Math.min(marked, 3) };
}

/** A bar of height min(1, p/q), and the uniform above or below its top. */
function gauge(data, { u, ratio, fate }, judged) {
  const bar = ratio === null ? null : Math.min(1, ratio);
  const landed = judged && (fate !== "lost" || !data.uniforms);
  const [low, high] = bar === null ? [u.toFixed(2), ""] : apart(u, ratio);
  const verdict = fate === "accepted" ? "✓" : "✗";
  const words = !landed
    ? [h("span", bar === null ? "" : `p/q ${ratio.toFixed(2)}`)]
    : bar === null
      ? [h("span", `u ${low}`)]
      : [h("span", low), h("span", `${fate === "accepted" ? "<" : "≥"}\u2009${high}`)];
  return h(
    "div",
    { class: `test ${landed ? `landed ${fate}` : ""}`, style: `--bar: ${bar ?? 0}; --u: ${landed ? u : 1.3}` },
    h(
      "div",
      { class: `gauge${bar === null ? " none" : ""}` },
      h("div.fill"),
      h("div.rail", h("span.uniform", h("i", "u"))),
    ),
    landed && data.uniforms ? h("span.sign", { "aria-label": fate }, verdict) : null,
    h("div.words", words),
  );
}

const FACES = {
  "": [],
  rows: ["rows of p", "the likeliest next tokens at each position, all from one pass"],
  own: ["its own tokens", "the target's token at each position, all from one pass"],
  same: ["the comparison", "accepted up to the first guess that differs"],
  test: ["the test", "a uniform u between 0 and 1", "below the bar, min(1, p/q): accepted"],
  uniforms: ["the uniforms", "this run's rule is not u < p/q, so there is no bar"],
  residual: ["the residual", "max(p − q, 0), scaled to sum 1"],
};

function labels({ guesses, certain }, greedy) {
  const face = h("div.face");
  const beam = h("span.beam", { "aria-hidden": "true" });
  const pass = h("span");
  const model = certain ? null : weights(2);
  const count = guesses.length + 1;
  const many = greedy ? ` for ${count}` : `, ${count} row${count > 1 ? "s" : ""}`;
  const rows = passed => (pass.textContent = `one pass${passed ? many : ""}`);
  const element = h(
    "div.labels",
    h(
      "div.slot",
      h("span", model, h("b", certain ? "draft" : "draft model")),
      h(
        "small.quiet",
        !guesses.length ? "nothing is drafted" : certain ? "proposed without a model" : "one small pass per guess",
      ),
    ),
    h("div.band", weights(4), h("b", "target model"), pass, beam),
    face,
    h("div.foot", h("b", "into the text")),
  );
  const words = ([name, ...lines]) => (name ? [h("b", name), ...lines.map(line => h("small.quiet", line))] : []);
  return { element, beam, rows, model, face: kind => face.replaceChildren(...words(FACES[kind])) };
}

/** An icon of a model's weights: a stack of layers. */
function weights(layers) {
  const height = 12 + 6 * (layers - 1);
  const places = Array.from({ length: layers }, (_, i) => height - 11 - 6 * i);
  return s(
    "svg.weights",
    { width: "1.6em", height: `${height / 20}em`, viewBox: `0 0 32 ${height}`, "aria-hidden": "true" },
    places.map(y => s("path", { d: `M16 ${y} l15 5 l-15 5 l-15 -5 z` })),
  );
}

const DRAWN_FROM = { correction: "residual", bonus: "p, last row", target: "p" };
