// Where everything stands: four fields of bars, one common scale of height.

const WIDE = 42; // em; from here on the four fields stand in one row
const TITLE = 2.9; // em above each field, two lines
const PLOT = { wide: 8.6, narrow: 6.4 };

/** Height of the whole picture in em. */
export function heightOf(width, words) {
  const row = TITLE + plot(width) + under(width, words);
  return width >= WIDE ? row : 3 * row + 1;
}

const plot = (width) => (width >= WIDE ? PLOT.wide : PLOT.narrow);
const under = (width, words) => (narrowest(width, words.length) >= longest(words) ? 1.5 : 2.7);

/** em of the longest word, roughly; no more than can be shown on two lines. */
const longest = (words) => Math.max(...words.map((word) => roughly(word)));
export const roughly = (word) =>
  [...word].reduce((sum, letter) => sum + (letter > "\u2e80" ? 0.95 : 0.5), 0.1);

function widths(width) {
  if (width < WIDE) return { both: width, small: (width - 3.6) / 2, last: width };
  const free = width - 1.6 - 4.2 - 2.2;
  return { both: 0.36 * free, small: (0.64 * free) / 3, last: (0.64 * free) / 3 };
}
const narrowest = (width, count) => widths(width).small / count;

/**
 * Four fields {left, right, top, bottom, slot(i) -> {left, width, mid}} in pixels, and `em`,
 * `wide`, `staggered`, `y(value)` of a field: `y(field, value)`.
 */
export function places(width, em, words, highest) {
  const [across, wide] = [width / em, width / em >= WIDE];
  const { both, small, last } = widths(across);
  const below = under(across, words);
  const row = TITLE + plot(across) + below + (wide ? 0 : 0.5);
  const field = (left, wideness, line) => {
    const slot = (wideness * em) / words.length;
    return {
      left: left * em,
      right: (left + wideness) * em,
      top: (line * row + TITLE) * em,
      bottom: (line * row + TITLE + plot(across)) * em,
      slot: (i) => ({ left: left * em + i * slot, width: slot, mid: left * em + (i + 0.5) * slot }),
    };
  };
  const fields = wide
    ? [field(0, both, 0), field(both + 1.6, small, 0), field(both + small + 5.8, small, 0), field(across - last, last, 0)]
    : [field(0, both, 0), field(0, small, 1), field(small + 3.6, small, 1), field(0, last, 2)];
  const [pair, shared, rest, out] = fields;
  const y = (of, value) => of.bottom - (value / highest) * (of.bottom - of.top);
  return {
    em, wide, width, y, pair, shared, rest, out, fields, staggered: below > 2,
    /** Left and right bar of a word in the first field. */
    bar: (i, which) => {
      const { mid, width: slot } = pair.slot(i);
      const broad = slot * 0.42;
      return { left: which ? mid + 0.02 * slot : mid - 0.02 * slot - broad, width: broad };
    },
    /** The bar of a word in one of the other fields. */
    single: (of, i, share = 0.62) => {
      const { mid, width: slot } = of.slot(i);
      return { left: mid - (share * slot) / 2, width: share * slot };
    },
  };
}

/** The next of these steps of the scale that holds all of the values. */
export const ceiling = (values) => [0.3, 0.45, 0.6, 0.8, 1].find((step) => Math.max(...values) <= step + 1e-9) ?? 1;
