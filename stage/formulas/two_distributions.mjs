// Make or change a distribution: from weights, from a preset, by dragging one bar.
// tests/stage/test_formulas.py compares it with NumPy and SciPy.

export const PRESETS = ["lesson", "identical", "disjoint", "certain draft", "swap"];

/** Scale weights to sum to one; throws an Error if all are 0. */
export function distribution(weights) {
  const largest = Math.max(...weights);
  if (largest === 0) throw new Error("all weights of the distribution are 0: raise at least one of them");
  const scaled = weights.map(weight => weight / largest); // so that no sum overflows
  const total = scaled.reduce((a, b) => a + b, 0);
  return scaled.map(weight => weight / total);
}

/** [p, q] of a preset; `start` is the original pair, `now` the current one. */
export function preset(name, start, now) {
  const [p, q] = now;
  const half = Math.floor(p.length / 2);
  if (name === "lesson") return start;
  if (name === "identical") return [p, p];
  if (name === "disjoint") {
    return [distribution(p.map((_, i) => +(i < half))), distribution(p.map((_, i) => +(i >= half)))];
  }
  if (name === "certain draft") return [p, q.map((_, i) => +(i === q.indexOf(Math.max(...q))))];
  return [q, p]; // swap
}

/** `row` with one bar set to `value`; the others share the rest in proportion. */
export function moved(row, place, value) {
  const to = Math.min(Math.max(value, 0), 1);
  const others = row.reduce((sum, x, i) => sum + (i === place ? 0 : x), 0);
  const even = 1 / (row.length - 1);
  return row.map((x, i) => (i === place ? to : (1 - to) * (others > 0 ? x / others : even)));
}
