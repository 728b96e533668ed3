// Place the labels of a chart so that they do not overlap.

/**
 * Choose for each label the first of its `spots` [{x, y, anchor}] with the fewest collisions.
 *
 * labels: [{text, is, spots, spare}], the most important first; a `spare` one is dropped if it would touch another
 * label or a point.  `points` [[x, y]] of curves, stars and knobs are avoided, and so are the edges `left` and
 * `right`.  Widths are estimated.  Returns [{text, is, x, y, anchor}].
 */
export function placed(labels, { points, em, left = -Infinity, right }) {
  const occupied = [];
  return labels.flatMap(({ text, is, spots, spare }) => {
    const cost = ({ box }) =>
      10 * occupied.filter(other => meet(box, other)).length +
      10 * (box.right > right || box.left < left) +
      points.filter(([x, y]) => meet(box, { left: x, right: x, top: y, bottom: y })).length;
    const [best] = spots
      .map(spot => ({ spot, box: boxOf(spot, text, em) }))
      .map(one => ({ ...one, cost: cost(one) }))
      .sort((a, b) => a.cost - b.cost);
    if (!best || (spare && best.cost > 0)) return [];
    occupied.push(best.box);
    return [{ text, is, ...best.spot }];
  });
}

function boxOf({ x, y, anchor }, text, em) {
  const wide = 0.6 * em * text.length;
  const left = x - { start: 0, middle: wide / 2, end: wide }[anchor];
  return { left, right: left + wide, top: y - 0.75 * em, bottom: y + 0.22 * em };
}

const meet = (a, b) => a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
