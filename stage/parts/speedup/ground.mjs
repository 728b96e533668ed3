// What the map of drafts shows wherever its point is: lines, shades, words, presets.

import { area, line } from "d3-shape";

import { costlier, dearest, LONGEST, speedupView } from "../../formulas/speedup.mjs";
import { one } from "../../lib/chart.mjs";

const ALPHAS = Array.from({ length: 57 }, (_, i) => 1 - (1 - i / 56) ** 1.5); // dense where lines are steep
const PAYS = 1.001; // the lowest line
const SHADES = Array.from({ length: 17 }, (_, i) => PAYS * 2 ** (i / 4)); // of equal ratio, to 16
const LINES = [PAYS, 1.5, 2, 3, 5, 8];
const LENGTHS = [1, 2, 3, 4, 6, 8, 12];

/**
 * Shades, lines, their words and the hatched part where no draft pays, at one slope and host time.
 *
 * `field` is what `axes` gives, with `em`, `svg` and `high`, the largest cost; `shows` is
 * "speed" or "length"; `id` is that of the map, whose hatch is used.
 */
export function drawGround(field, { setting, shows }, id) {
  const { x, y, svg, high } = field;
  const far = 4 * high;
  const settings = ALPHAS.map((alpha) => ({ ...setting, alpha }));
  const pays = settings.map((one) => dearest(one, PAYS));
  const edges = (level) =>
    shows === "speed"
      ? settings.map((one) => dearest(one, level))
      : settings.map((one, i) => Math.min(level ? costlier(one, level) : Infinity, pays[i]));
  const up = (c) => y(Math.max(-far, Math.min(c, far)));
  const below = area().digits(1).x((_, i) => x(ALPHAS[i])).y0(y(0)).y1(up);
  const above = area().digits(1).x((_, i) => x(ALPHAS[i])).y0(y(high)).y1((c) => Math.max(up(c), y(high)));
  const along = line().digits(1).x((_, i) => x(ALPHAS[i])).y(up);
  const levels = shows === "speed" ? SHADES : Array.from({ length: LONGEST }, (_, i) => i);
  const shades = svg.selectChildren("g.shades").attr("class", "shades").classed(shows, true);
  shades.selectChildren("path.shade").data(levels).join("path").attr("class", "shade")
    .attr("d", (level) => below(edges(level).map((c) => Math.max(c, 0))));
  one(shades, "path", "never").attr("d", above(pays)).style("fill", `url(#${id}-hatch)`);
  const majors = shows === "speed" ? LINES : [0, ...LENGTHS];
  const lines = svg.selectChildren("g.lines").attr("class", "lines").classed(shows, true);
  lines.selectChildren("path").data(majors).join("path").attr("d", (level) => along(edges(level)))
    .classed("edge", (_, i) => i === 0);
  const words = [...(shows === "speed" ? speeds(field, edges) : lengths(field, setting)), ...nobody(field, pays)];
  svg.selectChildren("g.names").selectChildren("text").data(words).join("text")
    .attr("class", (word) => word.is).attr("x", (word) => word.x).attr("y", (word) => word.y)
    .attr("text-anchor", (word) => word.anchor ?? "start").text((word) => word.text);
}

/** "2×" where its line leaves the map, at the right or at the top. */
function speeds({ x, y, em, right, top, high }, edges) {
  let free = Infinity;
  return LINES.flatMap((level) => {
    const line = edges(level);
    const [end] = line.slice(-1);
    if (end <= 0) return [];
    const text = `${Math.floor(2 * level) / 2}×`;
    if (end > high) {
      const out = line.findIndex((c) => c > high);
      return [{ text, x: x(ALPHAS[out]), y: top - 0.4 * em, is: "level", anchor: "middle" }];
    }
    const at = y(end) + 0.33 * em;
    if (Math.abs(free - at) < 1.05 * em) return [];
    free = at;
    return [{ text, x: right + 0.3 * em, y: at, is: "level" }];
  });
}

/** The best lengths in their regions, along a way from the best corner to the worst. */
function lengths({ x, y, em, left, right, bottom, top, high }, setting) {
  const runs = [];
  for (let t = 0.01; t < 0.75; t += 0.006) {
    const [alpha, c] = [1 - 0.9 * t, 0.95 * t * high];
    const { best } = speedupView({ ...setting, alpha, c });
    if (runs.at(-1)?.best !== best) runs.push({ best, from: t });
    runs.at(-1).to = t;
  }
  const way = Math.hypot(0.9 * (right - left), 0.95 * (bottom - top));
  return runs.filter(({ best, from, to }) => best && (to - from) * way > 1.1 * em).map(({ best, from, to }) => {
    const t = (from + to) / 2;
    return {
      text: best === 1 ? "γ = 1" : `${best}`, is: "gamma", anchor: "middle",
      x: x(1 - 0.9 * t), y: y(0.95 * t * high) + 0.33 * em,
    };
  });
}

function nobody({ em, left, top, y }, pays) {
  if (y(Math.max(0, pays[16])) < top + 3.4 * em) return [];
  return [{ text: "no draft length pays", x: left + 0.8 * em, y: top + 1.7 * em, is: "nobody" }];
}

/** The presets' places; those that all but touch share one label, "A B C". */
export function drawPlaces({ x, y, em, svg, left, right, bottom }, places, point) {
  const dots = places.map((place) => ({ place, at: [x(place.alpha), y(place.c)] }));
  const apart = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by) / em;
  const groups = [];
  for (const dot of dots) {
    const near = groups.find((group) => apart(group[0].at, dot.at) < 1.6);
    if (near) near.push(dot);
    else groups.push([dot]);
  }
  const here = [x(point.alpha), y(point.c)];
  const taken = [...svg.selectAll("g.names text")].map((one) => one.getBBox());
  const labels = groups.map((group) => {
    const text = group.map(({ place }) => place.letter).sort().join(" ");
    const half = 0.3 * em * text.length;
    const [cx, low] = [group.reduce((sum, { at }) => sum + at[0], 0) / group.length, Math.max(...group.map(({ at }) => at[1]))];
    const spots = [[cx, low + 1.25 * em], [cx - half - 0.9 * em, low + 0.3 * em], [cx + half + 0.9 * em, low + 0.3 * em], [cx, low - 0.7 * em], [cx - half - 0.6 * em, low + 1.25 * em]];
    const free = ([sx, sy]) => !taken.some((one) => one.x < sx + half && sx - half < one.x + one.width && one.y < sy && sy - em < one.y + one.height);
    const inside = ([sx, sy]) => free([sx, sy]) && sy < bottom - 0.2 * em && sx - half > left && sx + half < right;
    const clear = ([sx, sy]) => inside([sx, sy]) && apart([sx, sy - 0.3 * em], here) > 1.2;
    const [sx, sy] = spots.find(clear) ?? spots.find(inside) ?? spots[3];
    taken.push({ x: sx - half, y: sy - em, width: 2 * half, height: em });
    return { text, x: sx, y: sy };
  });
  const layer = svg.selectChildren("g.places");
  layer.selectChildren("circle").data(dots).join((enter) => {
    const circle = enter.append("circle");
    circle.append("title").text(({ place }) => `${place.letter}: ${place.name}`);
    return circle;
  }).attr("r", 0.28 * em).attr("cx", ({ at }) => at[0]).attr("cy", ({ at }) => at[1]);
  layer.selectChildren("text").data(labels).join("text").attr("x", (label) => label.x)
    .attr("y", (label) => label.y).attr("text-anchor", "middle").text((label) => label.text);
}
