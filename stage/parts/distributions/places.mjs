// The layout: four fields of bars with one common scale of height.

const WIDE = 50; // em; from this width the four fields are in one row
const TITLE = 3.4; // em above each field, two lines
const PLOT = { wide: 11.5, narrow: 7.2 }; // em of height
const GAPS = [1.3, 4.1, 1.9]; // em between the four; the last two hold signs

/** Height of the picture in em; `longest` is the width of the longest word in em. */
export function heightOf(width, count, longest) {
  const row = TITLE + plot(width) + under(width, count, longest);
  return width >= WIDE ? row : 3 * row + 1;
}

const plot = width => (width >= WIDE ? PLOT.wide : PLOT.narrow);
const under = (width, count, longest) => (widths(width).small / count >= longest + 0.2 ? 1.5 : 2.7);

/** Widths of the fields in em. */
function widths(width) {
  if (width < WIDE) return { pair: width, small: (width - GAPS[1]) / 2, out: width };
  const free = width - GAPS[0] - GAPS[1] - GAPS[2];
  const small = 0.212 * free;
  return { pair: free - 3 * small, small, out: small };
}

/**
 * Four fields {left, right, top, bottom, slot(i) -> {left, width, mid}} in pixels, and `em`, `wide`,
 * `staggered` words, `y(field, value)` and the places of bars.
 */
export function places({ width, em, count, longest, highest }) {
  const across = width / em;
  const wide = across >= WIDE;
  const { pair: both, small, out: last } = widths(across);
  const below = under(across, count, longest);
  const row = TITLE + plot(across) + below + (wide ? 0 : 0.5);
  const field = (left, wideness, line) => {
    const slot = (wideness * em) / count;
    const top = (line * row + TITLE) * em;
    return {
      left: left * em,
      right: (left + wideness) * em,
      top,
      bottom: top + plot(across) * em,
      slot: i => ({ left: left * em + i * slot, width: slot, mid: left * em + (i + 0.5) * slot }),
    };
  };
  const starts = [both + GAPS[0], both + GAPS[0] + small + GAPS[1], across - last];
  const fields = wide
    ? [field(0, both, 0), field(starts[0], small, 0), field(starts[1], small, 0), field(starts[2], last, 0)]
    : [field(0, both, 0), field(0, small, 1), field(small + GAPS[1], small, 1), field(0, last, 2)];
  const [pair, sharedPart, rest, out] = fields;
  return {
    em,
    wide,
    width,
    highest,
    pair,
    shared: sharedPart,
    rest,
    out,
    fields,
    staggered: below > 2,
    columns: starts.map((start, i) => (start - GAPS[i] / 2) * em), // left edges of the columns under the fields
    y: (of, value) => of.bottom - (value / highest) * (of.bottom - of.top),
    /** The bar of p (0) or q (1) of a word in the first field. */
    bar: (i, which) => {
      const { mid, width: slot } = pair.slot(i);
      const broad = Math.min(slot * 0.42, 3.4 * em);
      return { left: which ? mid + 0.1 * em : mid - 0.1 * em - broad, width: broad };
    },
    /** The bar of a word in one of the other fields. */
    single: (of, i, share = 0.62) => {
      const { mid, width: slot } = of.slot(i);
      return { left: mid - (share * slot) / 2, width: share * slot };
    },
  };
}

/** The lowest top of the scale that fits all values. */
export const ceiling = values => [0.3, 0.45, 0.6, 0.8].find(step => Math.max(...values) <= step + 1e-9) ?? 1;

/** A function that measures the width of a word in em, in the small font of `element`. */
export function measure(element) {
  const pen = document.createElement("canvas").getContext("2d");
  const { fontFamily } = getComputedStyle(element);
  return word => {
    pen.font = `92px ${fontFamily}`;
    return pen.measureText(word).width / 100;
  };
}
