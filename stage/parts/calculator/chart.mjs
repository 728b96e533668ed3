// Speeds against the requests in a batch: a curve for each γ, crossovers, a limit, a guess.

import { ticks } from "d3-array";
import { along, axes, chart } from "../../lib/chart.mjs";
import { s } from "../../lib/dom.mjs";
import { placed } from "../../lib/labels.mjs";
import { bestOf, number } from "./words.mjs";

const ROUND = [-1, 0, 1, 2, 3, 4, 5, 6].flatMap(ten => [1, 1.5, 2, 3, 4, 5, 6, 8].map(one => Number(`${one}e${ten}`))); // possible ends of an axis
const SAMPLES = Array.from({ length: 60 }, (_, i) => i / 59); // along a curve, where no label may be
const BESIDE = Array.from({ length: 17 }, (_, i) => [0.6, 0.33 + i / 4, "start"]); // right of a curve's end, then lower
// prettier-ignore
const AROUND = [[-0.5, -0.6, "end"], [1.2, 0.02, "start"], [0, -0.8, "middle"], [0.5, 1.4, "start"], [0, 1.6, "middle"], [-0.5, 1.4, "end"]];
// prettier-ignore
const SIGNS = ["M-1,0a1,1 0 1,0 2,0a1,1 0 1,0 -2,0", "M0,-1.3L1.3,0L0,1.3L-1.3,0Z", "M-1,-1H1V1H-1Z", "M0,-1.2L1.3,1H-1.3Z"];
const LABELS = {
  speedup: "speedup over plain decoding",
  user: "tokens per second for each request",
  total: "tokens per second of the whole batch",
};

/**
 * {draw(state), stop}; `state`: {view, ks, shows, limit (ms; null: none yet), drawn: [share of each curve, 0 to 1],
 * marks: [is the crossover of that γ shown], served: are the totals within the limit shown, guess, pair, summary}.
 */
export function speedChart(host, { largest }) {
  const high = Math.log2(largest);
  let state;
  const height = wide => (wide < 24 ? 17 : wide < 40 ? 19 : 24.5);
  const picture = chart(host, { height, draw: size => state && paint(size) });

  function paint(size) {
    const { svg, em } = size;
    const { view, ks, shows, limit, drawn, marks, served, guess, pair, summary } = state;
    const empty = view.speeds.some(speeds => !speeds.length);
    const log = shows === "user";
    const [low, top, values] = empty ? [0, 1, []] : range(view, shows, limit);
    const tens = Array.from({ length: high + 1 }, (_, i) => i).filter(i => size.width > 26 * em || i % 2 === 0);
    const field = axes(size, {
      x: [0, high],
      y: [low, top],
      ticks: { x: tens, y: values },
      format: { x: at => `${2 ** at}`, y: at => (shows === "speedup" ? `${at}×` : number(log ? 10 ** at : at)) },
      xLabel: "requests in a batch →",
      yLabel: LABELS[shows] + (size.width > 40 * em ? ` (${pair}, computed)` : ""),
      margin: { left: shows === "speedup" ? 2.6 : 4, right: 4.2, top: 2, bottom: 3.1 },
    });
    const { x, y, left, right, bottom, top: roof } = field;
    const across = rows => x(Math.log2(rows));
    const place = (i, rows) => {
      const value = valueOf(view, shows, i, rows);
      return [across(rows), y(log ? Math.log10(value) : value)];
    };
    const [parts, labels, points] = [[field.element], [], []];
    const add = (tag, attributes, text = "") => parts.push(s(tag, attributes, text));
    if (empty)
      add(
        "text",
        { class: "unfit", x: (left + right) / 2, y: (roof + bottom) / 2, "text-anchor": "middle" },
        "does not fit in memory",
      );
    else {
      if (limit !== null && log) limitLine();
      ks.forEach((k, i) => drawn[i] && curve(k, i));
      labels.sort((a, b) => a.spots[0].y - b.spots[0].y); // so that names keep the order of their curves
      ks.forEach((k, i) => k && marks[i] && view.off[i] && mark(i));
    }
    if (guess !== null) {
      const at = across(guess);
      add("path", { class: "guess", d: `M${at},${roof}V${bottom}` });
      const [dx, anchor] = at > (left + right) / 2 ? [-0.5, "end"] : [0.5, "start"];
      labels.push({
        is: "guess",
        text: `your guess: ${guess}`,
        spots: [{ x: at + dx * em, y: roof + 0.9 * em, anchor }],
      });
    }
    for (const { text, is, anchor, ...at } of placed(labels, { points, em, left, right: size.width })) {
      add("text", { class: `words ${is}`, "text-anchor": anchor, ...at }, text);
    }
    svg.replaceChildren(...parts);
    picture.say(summary);

    function limitLine() {
      const at = Math.min(bottom, Math.max(roof, y(Math.log10(1000 / limit))));
      add("rect", { class: "too-slow", x: left, width: right - left, y: at, height: bottom - at });
      add("path", { class: "limit", d: `M${left},${at}H${right}` });
      labels.push({
        is: "limit",
        text: `limit: ${limit} ms per token`,
        spots: [{ x: left + 0.4 * em, y: at + 1.2 * em, anchor: "start" }],
      });
    }

    function curve(k, i) {
      const count = view.speeds[i].length;
      const upTo = share => Math.max(1, Math.round(2 ** (share * Math.log2(count))));
      const ends = limit === null ? count : view.within[i];
      const places = Array.from({ length: upTo(drawn[i]) }, (_, at) => place(i, at + 1));
      add("path", { class: `curve k${i}${limit === null ? "" : " beyond"}`, d: along(places) });
      if (limit !== null && ends) {
        add("path", { class: `curve k${i}`, d: along(places.slice(0, ends)) });
        const transform = `translate(${places[ends - 1] ?? "-99"}) scale(${0.34 * em})`;
        add("path", { class: `end k${i}`, d: SIGNS[i], transform });
      }
      points.push(...SAMPLES.map(share => places[Math.min(places.length, upTo(share * drawn[i])) - 1]));
      if (drawn[i] < 1) return;
      const [px, py] = places[(shows === "total" && ends ? ends : count) - 1];
      const near = count < largest || shows === "total" ? [...AROUND, ...BESIDE] : BESIDE;
      const spots = near.map(([dx, dy, anchor]) => ({ x: px + dx * em, y: py + dy * em, anchor }));
      points.push([px, py]);
      const much = served && shows === "total" ? `: ${number(view.served[i])}${i === bestOf(view) ? " ★" : ""}` : "";
      labels.push({
        is: `name k${i}`,
        text: `${k ? `γ = ${k}` : "plain"}${much}`,
        spots: spots.filter(spot => spot.y < bottom - 0.2 * em || spot.x > right),
      });
    }

    function mark(i) {
      const [px, py] = place(i, view.off[i]);
      add("path", { class: "drop", d: `M${px},${py}V${bottom}` });
      add("circle", { class: "mark", cx: px, cy: py, r: 0.42 * em });
      points.push([px, py], [px, py - 0.5 * em], [px, py + 0.5 * em]);
      const foot = [0.6, 1.8, 3].map(dy => ({ x: px - 0.4 * em, y: bottom - dy * em, anchor: "end" }));
      labels.unshift({ is: "off", text: ` ${view.off[i]}`, spots: foot });
    }
  }

  return {
    draw(next) {
      state = next;
      picture.redraw();
    },
    stop: picture.stop,
  };
}

/** The value on the axis `shows` for `rows` rows of line `i`. */
function valueOf(view, shows, i, rows) {
  const speed = view.speeds[i][rows - 1];
  return shows === "speedup" ? speed / view.speeds[0][rows - 1] : shows === "user" ? speed / rows : speed;
}

/** [low, high, ticks] of the axis: log10 for tokens per second of a request, linear otherwise. */
function range(view, shows, limit) {
  const most = view.speeds[0].length;
  const values = view.speeds.flatMap((speeds, i) =>
    speeds.slice(0, most).map((_, at) => valueOf(view, shows, i, at + 1)),
  );
  if (shows !== "user") {
    const top = ROUND.find(one => one >= 1.04 * Math.max(...values));
    return [0, top, ticks(0, top, 5)];
  }
  values.push(1000 / limit);
  const low = ROUND.findLast(one => one <= Math.min(...values));
  const high = ROUND.find(one => one >= Math.max(...values));
  const within = ROUND.filter(one => one >= low && one <= high && /^[125](e|0|$)/.test(String(one)));
  return [Math.log10(low), Math.log10(high), within.map(Math.log10)];
}
