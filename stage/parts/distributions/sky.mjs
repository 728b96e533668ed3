// Darts on a canvas over the bars: those that landed under q, one that is followed, many in flight.

import { ease } from "../../lib/motion.mjs";
import { heights } from "./picture.mjs";

const LANDED = 240; // darts drawn under q, at most
const spread = i => ((i * 0.618034) % 1) - 0.5; // horizontal position within a column; it has no meaning

/** Draw on `canvas`; `look` are the colours {ink, ground, accepted, rejected, correction}. */
export function sky(canvas) {
  const pen = canvas.getContext("2d");
  let at, view, look;

  function dot(x, y, colour, size = 0.16, ring = false) {
    pen.beginPath();
    pen.arc(x, y, size * at.em, 0, 7);
    pen.fillStyle = colour;
    pen.fill();
    if (!ring) return;
    pen.lineWidth = 0.12 * at.em;
    pen.strokeStyle = look.ink;
    pen.stroke();
  }

  function cross(x, y, colour, size, width) {
    pen.beginPath();
    for (const turn of [1, -1]) {
      pen.moveTo(x - size * at.em, y - turn * size * at.em);
      pen.lineTo(x + size * at.em, y + turn * size * at.em);
    }
    pen.lineWidth = width * at.em;
    pen.strokeStyle = colour;
    pen.stroke();
  }

  /** The places of a dart: above its column, at its height, on the pile. */
  function stations({ x, height, accepted, token }, i) {
    const { left, width } = at.bar(x, 1);
    const [column, below] = [left + width / 2, at.pair.top - 1.6 * at.em]; // below the names of p and q
    const spot = { x: column + spread(i) * width * 0.8, y: at.y(at.pair, height) };
    const again = at.single(at.rest, token);
    const pile = at.single(at.out, token);
    const top = at.y(at.out, heights(view.counts, token, view.n)[accepted ? 0 : 1]);
    return {
      over: { x: column, y: Math.max(at.y(at.pair, view.q[x]) - 2.4 * at.em, below) },
      spot,
      from: accepted
        ? spot
        : { x: again.left + again.width / 2, y: at.y(at.rest, view.rest ? view.rest[token] / 2 : 0) },
      top: { x: pile.left + pile.width / 2, y: Math.min(top, at.out.bottom - 0.2 * at.em) },
    };
  }

  const arc = (from, to, t, lift) => ({
    x: from.x + (to.x - from.x) * t,
    y: from.y + (to.y - from.y) * t - lift * at.em * 4 * t * (1 - t),
  });

  function landed() {
    for (let i = 0; i < Math.min(view.n, LANDED); i++) {
      const round = view.dartOf(i);
      const { spot } = stations(round, i);
      if (round.accepted) dot(spot.x, spot.y, look.accepted, 0.13);
      else cross(spot.x, spot.y, look.rejected, 0.13, 0.08);
    }
  }

  function follow({ index, move, t }) {
    const round = view.dartOf(index);
    const place = stations(round, index);
    const column = at.pair.slot(round.x);
    if (move < 2) {
      pen.globalAlpha = 0.1;
      pen.fillStyle = look.ink;
      pen.fillRect(column.left, at.pair.top - 0.4 * at.em, column.width, at.pair.bottom - at.pair.top + 0.4 * at.em);
      pen.globalAlpha = 1;
    }
    if (move === 0) {
      const y = place.over.y - (1 - ease(t)) * Math.min(2 * at.em, place.over.y - at.pair.top + 1.6 * at.em);
      return dot(place.over.x, y, look.ink, 0.42, true);
    }
    if (move === 1) {
      const fall = ease(Math.min(t / 0.6, 1));
      const { x, y } = arc(place.over, place.spot, fall, 0);
      const judged = t > 0.6;
      if (!judged) dot(x, y, look.ink, 0.42, true);
      else if (round.accepted) dot(x, y, look.accepted, 0.42 + 0.25 * Math.sin((Math.PI * (t - 0.6)) / 0.4), true);
      else {
        cross(x, y, look.rejected, 0.42, 0.2);
      }
      return;
    }
    const colour = round.accepted ? look.accepted : look.correction;
    if (!round.accepted) cross(place.spot.x, place.spot.y, look.rejected, 0.42, 0.2);
    const born = round.accepted ? 1 : Math.min(t / 0.35, 1);
    const way = round.accepted ? t : Math.max(0, (t - 0.35) / 0.65);
    const { x, y } = arc(place.from, place.top, ease(way), round.accepted ? 5 : 3);
    dot(x, y, colour, 0.42 * ease(born), true);
  }

  /** Darts in flight: {index, t from 0 to 1}. */
  function flying(list) {
    for (const { index, t } of list) {
      const round = view.dartOf(index);
      const place = stations(round, index);
      const start = { x: place.spot.x, y: at.pair.top - 1.6 * at.em };
      if (t < 0.45) dot(...xy(arc(start, place.spot, (t / 0.45) ** 2, 0)), look.ink);
      else if (round.accepted) dot(...xy(arc(place.spot, place.top, ease((t - 0.45) / 0.55), 4)), look.accepted, 0.2);
      else if (t < 0.6) cross(place.spot.x, place.spot.y, look.rejected, 0.2, 0.12);
      else dot(...xy(arc(place.from, place.top, ease((t - 0.6) / 0.4), 2)), look.correction, 0.2);
    }
  }
  const xy = ({ x, y }) => [x, y];

  return {
    draw(to, height, next, colours) {
      [at, view, look] = [to, next, colours];
      const dense = window.devicePixelRatio || 1;
      const [width, tall] = [Math.round(at.width * dense), Math.round(height * dense)];
      if (canvas.width !== width || canvas.height !== tall) {
        Object.assign(canvas, { width, height: tall });
        Object.assign(canvas.style, { width: `${at.width}px`, height: `${height}px` });
      }
      pen.setTransform(dense, 0, 0, dense, 0, 0);
      pen.clearRect(0, 0, at.width, height);
      if (!view.show.darts) return;
      if (!view.show.exact) landed();
      if (view.dart) follow(view.dart);
      if (view.flights) flying(view.flights);
    },
  };
}

/** The current colours of the page. */
export function colours(root) {
  const style = getComputedStyle(root);
  const read = name => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: style.color,
    ground: style.backgroundColor,
    font: style.fontFamily,
    accepted: read("accepted"),
    rejected: read("rejected"),
    correction: read("correction"),
  };
}
