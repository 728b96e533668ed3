// The map of drafts: acceptance across, cost up, and lines of equal speedup, with a point to drag.

import { area, line } from "d3-shape";

import { costlier, dearest, LONGEST, speedupView } from "../formulas/speedup.mjs";
import { axes, chart, group, one } from "./chart.mjs";
import { h } from "./dom.mjs";
import { draggable } from "./drag.mjs";

const ALPHAS = Array.from({ length: 101 }, (_, i) => i / 100);
const PAYS = 1.001; // the lowest line
const SHADES = Array.from({ length: 21 }, (_, i) => PAYS * 2 ** (i / 5)); // of equal ratio, to 16
const LINES = [PAYS, 1.5, 2, 3, 5, 8];
const LENGTHS = [1, 2, 3, 4, 6, 8, 12];
let maps = 0;

/**
 * {draw(seen), stop}.  `places` are presets [{letter, name, alpha, c}]; `on` has start(),
 * move({alpha, c}) and end().
 *
 * `seen`: {setting, view, ghost, shows: "speed" or "length", lines: 0 to 1 (how much of them),
 * places, speed, guide: booleans, moving}.
 */
export function speedupMap(host, { sliders, places, on }) {
  const id = `speedup-map-${++maps}`;
  const knob = h("div", { class: "knob plane", role: "slider", tabindex: "0", "aria-label": "the draft: acceptance α and draft cost c" });
  let seen;
  let field;
  let drawn = ""; // what the lines were drawn for: they are the same wherever the point is
  const picture = chart(host, {
    label: "",
    height: (wide) => Math.min(23.8, Math.max(17, 0.95 * wide)),
    draw: (given) => {
      drawn = "";
      field = frame(given);
      if (seen) paint();
    },
  });
  host.append(knob);

  function frame({ svg, width, height, em }) {
    const found = axes(svg, { width, height, em }, {
      x: [0, 1], y: [0, sliders.c.high],
      xLabel: "acceptance α →", yLabel: "↑ draft cost c, in target passes",
      format: { x: String, y: (c) => c || "" },
      margin: { top: 2.3, right: 2.6, bottom: 3.2, left: 2.4 },
    });
    const box = (mark) => mark.attr("x", found.left).attr("y", found.top)
      .attr("width", found.right - found.left).attr("height", found.bottom - found.top);
    const defs = one(svg, "defs", "defs");
    box(one(one(defs, "clipPath", "field").attr("id", `${id}-field`), "rect", "box"));
    const hatch = one(defs, "pattern", "stripes").attr("id", `${id}-hatch`)
      .attr("patternUnits", "userSpaceOnUse").attr("patternTransform", "rotate(45)")
      .attr("width", 0.62 * em).attr("height", 0.62 * em);
    one(hatch, "rect", "stripe").attr("width", 0.14 * em).attr("height", 0.62 * em);
    for (const layer of ["shades", "lines", "guides"]) {
      group(svg, layer).attr("clip-path", layer === "guides" ? null : `url(#${id}-field)`);
    }
    for (const layer of ["names", "places", "limit", "point"]) group(svg, layer);
    box(one(svg, "rect", "surface"));
    return { ...found, em, svg };
  }

  /** Everything that does not move with the point. */
  function ground() {
    const { setting, shows } = seen;
    const { slope, o, plain_o } = setting;
    const wanted = [slope, o, plain_o, shows, field.em, field.right].join();
    if (wanted === drawn) return;
    drawn = wanted;
    const { x, y, svg } = field;
    const far = 4 * sliders.c.high;
    const pays = ALPHAS.map((alpha) => dearest({ ...setting, alpha }, PAYS));
    const edges = (level) =>
      shows === "speed"
        ? ALPHAS.map((alpha) => dearest({ ...setting, alpha }, level))
        : ALPHAS.map((alpha, i) => Math.min(level ? costlier({ ...setting, alpha }, level) : Infinity, pays[i]));
    const up = (c) => y(Math.max(-far, Math.min(c, far)));
    const below = area().x((_, i) => x(ALPHAS[i])).y0(y(0)).y1(up);
    const above = area().x((_, i) => x(ALPHAS[i])).y0(y(sliders.c.high)).y1((c) => Math.max(up(c), y(sliders.c.high)));
    const along = line().x((_, i) => x(ALPHAS[i])).y(up);
    const levels = shows === "speed" ? SHADES : Array.from({ length: LONGEST }, (_, i) => i);
    const shades = svg.selectChildren("g.shades").attr("class", "shades").classed(shows, true);
    shades.selectChildren("path.shade").data(levels).join("path").attr("class", "shade")
      .attr("d", (level) => below(edges(level).map((c) => Math.max(c, 0))));
    one(shades, "path", "never").attr("d", above(pays)).style("fill", `url(#${id}-hatch)`);
    const majors = shows === "speed" ? LINES : [0, ...LENGTHS];
    const lines = svg.selectChildren("g.lines").attr("class", "lines").classed(shows, true);
    lines.selectChildren("path").data(majors).join("path").attr("d", (level) => along(edges(level)))
      .classed("edge", (_, i) => i === 0);
    const words = [...(shows === "speed" ? speeds(edges) : lengths()), ...nobody(pays)];
    svg.selectChildren("g.names").selectChildren("text").data(words).join("text")
      .attr("class", (word) => word.is).attr("x", (word) => word.x).attr("y", (word) => word.y)
      .attr("text-anchor", (word) => word.anchor ?? "start").text((word) => word.text);
  }

  /** "2×" where its line leaves the map, at the right or at the top. */
  function speeds(edges) {
    const { x, y, em, right, top } = field;
    let free = Infinity;
    return LINES.flatMap((level) => {
      const line = edges(level);
      const [end] = line.slice(-1);
      if (end <= 0) return [];
      const text = `${Math.floor(2 * level) / 2}×`;
      if (end > sliders.c.high) {
        const out = line.findIndex((c) => c > sliders.c.high);
        return [{ text, x: x(ALPHAS[out]), y: top - 0.4 * em, is: "level", anchor: "middle" }];
      }
      const at = y(end) + 0.33 * em;
      if (Math.abs(free - at) < 1.05 * em) return [];
      free = at;
      return [{ text, x: right + 0.3 * em, y: at, is: "level" }];
    });
  }

  /** The best lengths in their regions, along a way from the best corner to the worst. */
  function lengths() {
    const { x, y, em, right, bottom } = field;
    const runs = [];
    for (let t = 0.01; t < 0.75; t += 0.006) {
      const [alpha, c] = [1 - 0.9 * t, 0.95 * t * sliders.c.high];
      const { best } = speedupView({ ...seen.setting, alpha, c });
      if (runs.at(-1)?.best !== best) runs.push({ best, from: t });
      runs.at(-1).to = t;
    }
    const way = Math.hypot(0.9 * (right - field.left), 0.95 * (bottom - field.top));
    return runs.filter(({ best, from, to }) => best && (to - from) * way > 1.1 * em).map(({ best, from, to }) => {
      const t = (from + to) / 2;
      return {
        text: best === 1 ? "γ = 1" : `${best}`, is: "gamma", anchor: "middle",
        x: x(1 - 0.9 * t), y: y(0.95 * t * sliders.c.high) + 0.33 * em,
      };
    });
  }

  function nobody(pays) {
    const { em, left, top, y } = field;
    if (y(Math.max(0, pays[40])) < top + 3.4 * em) return [];
    return [{ text: "no draft length pays", x: left + 0.8 * em, y: top + 1.7 * em, is: "nobody" }];
  }

  function paint() {
    const { x, y, em, svg } = field;
    const { setting, view, ghost, speed, guide, lines: much } = seen;
    ground();
    svg.classed("unlined", !much);
    const count = svg.selectAll("path.shade").size();
    svg.selectAll("path.shade").style("display", (_, i) => (count - 1 - i < much * count ? null : "none"));
    for (const layer of ["g.lines", "g.names", "path.never"]) {
      svg.selectAll(layer).style("opacity", much && Math.max(0, 3 * much - 2));
    }
    const [px, py] = [x(setting.alpha), y(setting.c)];
    const from = ghost && (ghost.alpha !== setting.alpha || ghost.c !== setting.c) ? [ghost] : [];
    const guides = svg.selectChildren("g.guides");
    guides.selectChildren("path.trail").data(from).join("path").attr("class", "trail")
      .attr("d", (g) => `M${x(g.alpha)},${y(g.c)}L${px},${py}`);
    guides.selectChildren("circle.ghost").data(from).join("circle").attr("class", "ghost")
      .attr("r", 0.5 * em).attr("cx", (g) => x(g.alpha)).attr("cy", (g) => y(g.c));
    const stop = Math.min(dearest(setting, 1), sliders.c.high);
    guides.selectChildren("path.stop").data(guide && stop > 0 ? [stop] : []).join("path").attr("class", "stop")
      .attr("d", `M${px},${y(0)}V${y(stop)}m${-0.6 * em},0h${1.2 * em}`);
    const label = [`α = ${setting.alpha.toFixed(2)}, c = ${setting.c.toFixed(2)}`];
    if (speed) label.push(view.best ? `${view.curve[view.best].toFixed(2)} times as fast` : "better not to draft");
    card(label, px, py);
    const says = [...label, ...limit(px, stop)].join("; ");
    marks();
    knob.style.transform = `translate(${px}px, ${py}px)`;
    knob.setAttribute("aria-valuetext", speed ? `${says} at γ = ${view.best}` : says);
    knob.setAttribute("aria-valuemin", 0);
    knob.setAttribute("aria-valuemax", 1);
    knob.setAttribute("aria-valuenow", setting.alpha);
    picture.say(much ? mapSays() : `A map of drafts, still empty: acceptance across, cost up. The point: ${says}.`);
  }

  /** What is said of the point, on a ground of its own beside it. */
  function card(label, px, py) {
    const { em, svg, left, right, top, bottom } = field;
    const [wide, tall] = [(label.length > 1 ? 12 : 10.6) * em, (0.5 + 1.25 * label.length) * em];
    const { ghost } = seen;
    const spots = [[-1, -1], [1, -1], [-1, 1], [1, 1], [-1, -5], [-1, -8]].map(([across, up]) => [
      across < 0 ? px - wide - 0.5 * em : px + 0.5 * em, up < 0 ? py - tall + up * em : py + em,
    ]);
    const inside = ([x, y]) => x > left && x + wide < right && y > top - em && y + tall < bottom;
    const hides = ([x, y]) =>
      ghost && field.x(ghost.alpha) > x - em && field.x(ghost.alpha) < x + wide + em &&
      field.y(ghost.c) > y - em && field.y(ghost.c) < y + tall + em;
    const within = spots.filter(inside);
    const [x, y] = within.find((spot) => !hides(spot)) ?? within[0] ?? spots[0];
    const group = svg.selectChildren("g.point").attr("transform", `translate(${x},${y})`);
    one(group, "rect", "card").attr("width", wide).attr("height", tall).attr("rx", 0.3 * em);
    group.selectChildren("text").data(label).join("text").attr("x", wide / 2).attr("text-anchor", "middle")
      .attr("y", (_, i) => (1.25 + 1.25 * i) * em).attr("class", (_, i) => (i ? "much" : null)).text(String);
  }

  /** "pays up to c = 0.56" at the end of the bar over the point. */
  function limit(px, stop) {
    const { em, y, svg, right, top } = field;
    const words = seen.guide && stop > 0 ? [`pays up to c = ${stop.toFixed(2)}`] : [];
    const left = px > right - 11 * em;
    svg.selectChildren("g.limit").selectChildren("text").data(words).join("text").text(String)
      .attr("x", px + (left ? -0.9 : 0.9) * em).attr("text-anchor", left ? "end" : "start")
      .attr("y", Math.max(y(Math.max(stop, 0)) + 0.35 * em, top + 3.3 * em)); // under "no draft length pays"
    return words;
  }

  /** The presets' places; those that all but touch share one label, "A B C". */
  function marks() {
    const { x, y, em, svg, left, right, bottom } = field;
    const dots = (seen.places ? places : []).map((place) => ({ place, at: [x(place.alpha), y(place.c)] }));
    const apart = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by) / em;
    const groups = [];
    for (const dot of dots) {
      const near = groups.find((group) => apart(group[0].at, dot.at) < 1.6);
      if (near) near.push(dot);
      else groups.push([dot]);
    }
    const here = [x(seen.setting.alpha), y(seen.setting.c)];
    const labels = groups.map((group) => {
      const text = group.map(({ place }) => place.letter).sort().join(" ");
      const half = 0.3 * em * text.length;
      const [cx, low] = [group.reduce((sum, { at }) => sum + at[0], 0) / group.length, Math.max(...group.map(({ at }) => at[1]))];
      const spots = [[cx, low + 1.25 * em], [cx - half - 0.9 * em, low + 0.3 * em], [cx + half + 0.9 * em, low + 0.3 * em], [cx, low - 0.7 * em]];
      const clear = ([sx, sy]) =>
        sy < bottom - 0.2 * em && sx - half > left && sx + half < right && apart([sx, sy - 0.3 * em], here) > 1.2;
      const [sx, sy] = spots.find(clear) ?? spots[3];
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

  function mapSays() {
    const { setting, shows } = seen;
    const reach = [0.5, 0.7, 0.9].map((alpha) => `${Math.max(0, dearest({ ...setting, alpha }, 1)).toFixed(2)} at α = ${alpha}`);
    const what = shows === "speed" ? "the best speedup" : "the best draft length";
    return `A map of ${what}: it grows to the right (acceptance) and down (a cheaper draft). A draft pays up to a cost of ${reach.join(", ")}.`;
  }

  const unbind = draggable({
    knob,
    surface: picture.svg.node(),
    at: () => [field.x(seen.setting.alpha), field.y(seen.setting.c)],
    to: ([px, py]) => ({ alpha: field.x.invert(px), c: field.y.invert(py) }),
    step: { ArrowRight: { alpha: 1 }, ArrowLeft: { alpha: -1 }, ArrowUp: { c: 1 }, ArrowDown: { c: -1 } },
    now: () => seen.setting,
    sliders,
    on,
  });

  return {
    draw(next) {
      seen = next;
      if (field) paint();
    },
    stop() {
      unbind();
      picture.stop();
    },
  };
}
