// Speeds over the requests in a batch: a curve for each K, crossovers, a limit, a guess.

import { ticks } from "d3-array";
import { line } from "d3-shape";

import { axes, chart, group } from "../../lib/chart.mjs";
import { h, s } from "../../lib/dom.mjs";
import { draggable } from "../../lib/drag.mjs";
import { placed } from "../../lib/labels.mjs";
import { bestOf, number } from "./words.mjs";

const TENS = [1, 2, 5];
const ROUND = [-3, -2, -1, 0, 1, 2, 3, 4, 5, 6].flatMap((ten) => [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8].map((one) => Number(`${one}e${ten}`))); // ends of an axis
const SAMPLES = Array.from({ length: 25 }, (_, i) => i / 24); // of a curve, that words keep off
const SPOTS = [0.62, 0.7, 0.54, 0.78, 0.46, 0.86, 0.38, 0.94, 0.3, 0.2, 0.1, 0.02]; // of a curve, for its name
const START = 16; // where the guess waits to be moved
export const LABELS = {
  speedup: "speedup over plain decoding",
  user: "tokens per second for each reader",
  total: "tokens per second of the whole batch",
};

/** What stands on the axis `shows` for `rows` rows of line `i`. */
export const valueOf = (view, shows, i, rows) => {
  const speed = view.speeds[i][rows - 1];
  return shows === "speedup" ? speed / view.speeds[0][rows - 1] : shows === "user" ? speed / rows : speed;
};

/**
 * {draw(seen), stop, say}; `on(rows)` at every move of the guess.
 *
 * `seen`: {view, ks, shows, limit (ms; null: none yet), drawn: [share of each curve, 0 to 1],
 * marks: [is the crossover of that K shown], served: is it told what each serves within the
 * limit, guess (rows), asks (may it be moved), said}.
 */
export function speedChart(host, { largest, on }) {
  const high = Math.log2(largest);
  const knob = h("div", {
    class: "knob", role: "slider", tabindex: "0", "aria-label": "your guess",
    "aria-valuemin": 1, "aria-valuemax": largest,
  });
  const offered = guesses(largest);
  let seen, field, size;
  const picture = chart(host, {
    label: "Speeds over the requests in a batch, still empty.",
    height: (wide) => (wide < 24 ? 17 : wide < 40 ? 21.5 : 23),
    draw: (given) => {
      size = given;
      if (seen) paint();
    },
  });
  host.append(knob);

  function paint() {
    const { svg, em } = size;
    const { view, ks, shows, limit, drawn, marks, served, guess, asks, said, guessed } = seen;
    const empty = view.speeds.some((speeds) => !speeds.length);
    const [low, top, steps] = empty ? [0, 1, []] : range(view, shows, limit);
    const log = shows === "user";
    field = axes(svg, size, {
      x: [0, high], y: [low, top], ticks: { x: everyOther(high, size.width < 26 * em), y: steps },
      format: { x: (at) => String(2 ** at), y: (at) => (shows === "speedup" ? `${at}×` : number(log ? 10 ** at : at)) },
      xLabel: "requests in a batch →", yLabel: LABELS[shows],
      margin: { left: shows === "speedup" ? 2.6 : 4, right: 1.2, top: 2, bottom: 3.1 },
    });
    const { x, y, left, right, bottom, top: roof } = field;
    const across = (rows) => x(Math.log2(rows));
    const up = (value) => y(log ? Math.log10(value) : value);
    const inside = group(svg, "inside").node();
    inside.replaceChildren();
    const add = (tag, attributes, text) => inside.append(s(tag, attributes, text ?? ""));
    const labels = [], points = [];
    if (empty) {
      add("text", { class: "unfit", x: (left + right) / 2, y: (roof + bottom) / 2, "text-anchor": "middle" }, "does not fit the memory");
    } else {
      if (limit !== null && shows === "user") {
        const at = Math.min(bottom, Math.max(roof, up(1000 / limit)));
        add("rect", { class: "too-slow", x: left, width: right - left, y: at, height: bottom - at });
        add("path", { class: "limit", d: `M${left},${at}H${right}` });
        labels.push({ is: "limit", text: `limit: ${limit} ms a token`, spots: [[left, "start", -0.5], [right, "end", -0.5], [left, "start", 1.2], [right, "end", 1.2]].map(([px, anchor, dy]) => ({ x: px + (anchor === "start" ? 0.4 : -0.4) * em, y: at + dy * em, anchor })) });
      }
      ks.forEach((k, i) => curve(k, i));
      ks.forEach((k, i) => k && marks[i] && view.off[i] && mark(k, i));
    }
    if (asks && !empty) add("text", { class: "ask", x: left + 0.85 * (right - left), y: roof + 0.32 * (bottom - roof), "text-anchor": "middle" }, "?");
    if (guess !== null || asks) {
      const at = across(guess ?? START);
      add("path", { class: "guess", d: `M${at},${roof}V${bottom}` });
      const spots = [[0.5, "start"], [-0.5, "end"]].map(([dx, anchor]) => ({ x: at + dx * em, y: roof + 0.9 * em, anchor }));
      labels.push({ is: "guess", text: guess === null ? "drag me" : `your guess: ${guess}`, spots: at > (left + right) / 2 ? spots.reverse() : spots });
    }
    for (const { text, is, x: px, y: py, anchor } of placed(labels, { points, em, left, right: right + em })) {
      add("text", { class: `words ${is}`, x: px, y: py, "text-anchor": anchor }, text);
    }
    knob.hidden = !asks || empty;
    knob.style.transform = `translate(${across(guess ?? START)}px, ${y((low + top) / 2) + 3.4 * em}px)`;
    knob.setAttribute("aria-valuenow", guess ?? START);
    knob.setAttribute("aria-valuetext", guess === null ? "no guess yet" : `K = ${guessed} loses from ${guess} requests on`);
    picture.say(said);

    function curve(k, i) {
      if (!drawn[i]) return;
      const count = view.speeds[i].length;
      const reach = Math.max(1, Math.min(count, Math.round(2 ** (drawn[i] * Math.log2(count)))));
      const ends = limit === null ? count : view.within[i];
      const places = Array.from({ length: reach }, (_, at) => [across(at + 1), up(valueOf(view, shows, i, at + 1))]);
      const path = line().digits(1);
      add("path", { class: `curve k${i}${limit === null ? "" : " beyond"}`, d: path(places) ?? "" });
      if (limit !== null && ends) {
        add("path", { class: `curve k${i}`, d: path(places.slice(0, ends)) ?? "" });
        if (reach >= ends) add("circle", { class: `end k${i}`, cx: places[ends - 1]?.[0], cy: places[ends - 1]?.[1], r: 0.34 * em });
      }
      points.push(...SAMPLES.map((share) => places[Math.round(2 ** (share * Math.log2(reach))) - 1]));
      if (drawn[i] < 1) return;
      const spots = SPOTS.map((share) => roomAt(i, share)).filter((spot) => spot.y < bottom - 0.2 * em).sort((a, b) => b.room - a.room);
      const much = served && shows === "total" ? `: ${number(view.served[i])}${i === bestOf(view) ? " ★" : ""}` : "";
      labels.push({ is: `name k${i}`, text: `${k ? `K = ${k}` : "plain"}${much}`, spots, spare: true });
    }

    /** A place for the name of curve `i` at a share of its length, and how far the next curve is. */
    function roomAt(i, share) {
      const count = view.speeds[i].length;
      const rowsAt = (at) => Math.round(2 ** (Math.max(0, Math.min(1, at)) * Math.log2(count)));
      const gaps = [share, share - 0.09, share + 0.09].map(rowsAt).map((rows) => {
        const own = up(valueOf(view, shows, i, rows));
        const others = ks.flatMap((_, j) => (j !== i && drawn[j] === 1 && rows <= view.speeds[j].length ? [up(valueOf(view, shows, j, rows))] : []));
        return [own - Math.max(roof, ...others.filter((py) => py <= own)), Math.min(bottom, ...others.filter((py) => py > own)) - own];
      });
      const [above, below] = [0, 1].map((side) => Math.min(...gaps.map((gap) => gap[side])));
      const over = above >= below;
      const rows = rowsAt(share);
      const outer = shows === "total" === over && across(rows) > left + 3.6 * em; // not on the axis
      const dx = outer ? -0.3 : 0.3; // on the outer side of its slope
      return {
        x: across(rows) + dx * em, y: up(valueOf(view, shows, i, rows)) + (over ? -0.55 : 1.2) * em,
        anchor: dx < 0 ? "end" : "start", room: Math.min(over ? above : below, 2.4 * em),
      };
    }

    function mark(k, i) {
      const rows = view.off[i];
      const [px, py] = [across(rows), up(valueOf(view, shows, i, rows))];
      add("path", { class: "drop", d: `M${px},${py}V${bottom}` });
      add("circle", { class: `mark k${i}`, cx: px, cy: py, r: 0.42 * em });
      const foot = [0.6, 1.8, 3].map((dy) => ({ x: px, y: bottom - dy * em, anchor: "end" }));
      labels.unshift({ is: "off", text: `\u00a0${rows}\u00a0`, spots: foot });
    }
  }

  const unbind = draggable({
    knob, surface: picture.svg.node(), at: () => [field.x(Math.log2(seen.guess ?? START)), 0],
    to: ([px]) => ({ place: nearest(offered, 2 ** field.x.invert(px)) }),
    step: { ArrowRight: { place: 1 }, ArrowLeft: { place: -1 }, ArrowUp: { place: 1 }, ArrowDown: { place: -1 } },
    now: () => ({ place: nearest(offered, seen.guess ?? START) }),
    sliders: { place: { low: 0, high: offered.length - 1, step: 1 } },
    on: { start() {}, end() {}, move: ({ place }) => seen.asks && on(offered[place]) },
  });
  return {
    draw(next) {
      seen = next;
      host.classList.toggle("asks", next.asks);
      if (size) paint();
    },
    stop() {
      unbind();
      picture.stop();
    },
  };
}

const everyOther = (high, narrow) => Array.from({ length: high + 1 }, (_, i) => i).filter((i) => !narrow || i % 2 === 0);

/** What may be guessed: 1, 2, 3, ..., then eight steps to each doubling. */
export const guesses = (largest) =>
  [...new Set(Array.from({ length: 8 * Math.log2(largest) + 1 }, (_, i) => Math.round(2 ** (i / 8))))];

/** The place in `offered` nearest to so many rows, by their ratio. */
export const nearest = (offered, rows) =>
  offered.reduce((best, one, i) => (Math.abs(Math.log(one / rows)) < Math.abs(Math.log(offered[best] / rows)) ? i : best), 0);

/** [low, high, ticks] of the axis: tokens per second of a reader as log10, all else as it is. */
function range(view, shows, limit) {
  const values = view.speeds.flatMap((speeds, i) =>
    [...speeds.keys()].filter((at) => at < view.speeds[0].length).map((at) => valueOf(view, shows, i, at + 1)));
  if (limit !== null && shows === "user") values.push(1000 / limit);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (shows !== "user") {
    const top = ROUND.find((one) => one >= 1.04 * most);
    return [0, top, ticks(0, top, 5)];
  }
  const low = ROUND.findLast((one) => one <= least), high = ROUND.find((one) => one >= most);
  const within = ROUND.filter((one) => one >= low && one <= high && TENS.includes(Number(one.toExponential()[0])) && one.toExponential()[1] !== ".");
  return [Math.log10(low), Math.log10(high), within.map(Math.log10)];
}
