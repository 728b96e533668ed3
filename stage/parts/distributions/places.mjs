// Where everything stands: four fields of bars, one common scale of height.

const WIDE = 50; // em; from here on the four fields stand in one row
const TITLE = 3.4; // em above each field, two lines
const PLOT = { wide: 9.6, narrow: 7.2 };
export const MORE = 3; // em by which the first field is higher before there is anything to count
const GAPS = [1.3, 4.1, 1.9]; // em between the four; signs stand in the last two

/** Height of the whole picture in em; `longest` is the em that the longest word takes. */
export function heightOf(width, { count, longest, tall }) {
  const row = TITLE + plot(width, tall) + under(width, count, longest);
  return width >= WIDE ? row : 3 * row + 1;
}

const plot = (width, tall) => (width >= WIDE ? PLOT.wide + MORE * tall : PLOT.narrow);
const under = (width, count, longest) => (widths(width, 1).small / count >= longest + 0.2 ? 1.5 : 2.7);

/** em of the fields; `room` is 0 while the first one has the picture to itself. */
function widths(width, room) {
  if (width < WIDE) return { pair: width, small: (width - GAPS[1]) / 2, out: width };
  const free = width - GAPS[0] - GAPS[1] - GAPS[2];
  const small = 0.212 * free;
  return { pair: room * (free - 3 * small) + (1 - room) * width, small, out: small };
}

/**
 * Four fields {left, right, top, bottom, slot(i) -> {left, width, mid}} in pixels, and `em`,
 * `wide`, `staggered` words, `y(field, value)`, the places of bars.
 */
export function places({ width, em, count, longest, highest, room, tall }) {
  const across = width / em;
  const wide = across >= WIDE;
  const { pair: both, small, out: last } = widths(across, room);
  const below = under(across, count, longest);
  const row = TITLE + plot(across, tall) + below + (wide ? 0 : 0.5);
  const field = (left, wideness, line) => {
    const slot = (wideness * em) / count;
    return {
      left: left * em,
      right: (left + wideness) * em,
      top: (line * row + TITLE) * em,
      bottom: (line * row + TITLE + plot(across, tall)) * em,
      slot: (i) => ({ left: left * em + i * slot, width: slot, mid: left * em + (i + 0.5) * slot }),
    };
  };
  const starts = [0, across - last - GAPS[2] - small - GAPS[1] - small, across - last - GAPS[2] - small, across - last];
  const fields = wide
    ? [field(0, both, 0), field(starts[1], small, 0), field(starts[2], small, 0), field(starts[3], last, 0)]
    : [field(0, both, 0), field(0, small, 1), field(small + GAPS[1], small, 1), field(0, last, 2)];
  const [pair, shared, rest, out] = fields;
  const starting = [starts[1] - GAPS[0] / 2, starts[2] - GAPS[1] / 2, starts[3] - GAPS[2] / 2];
  return {
    em, wide, width, highest, room, tall, pair, shared, rest, out, fields, staggered: below > 2,
    columns: starting.map((one) => one * em), // under the fields, from here on
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

/** The next of these steps of the scale that holds all of the values. */
export const ceiling = (values) => [0.3, 0.45, 0.6, 0.8, 1].find((step) => Math.max(...values) <= step + 1e-9) ?? 1;

const pen = document.createElement("canvas").getContext("2d");

/** The em that words take in a picture's small text, in the font of `element`. */
export function measure(element) {
  const { fontFamily } = getComputedStyle(element);
  return (word) => {
    pen.font = `92px ${fontFamily}`;
    return pen.measureText(word).width / 100;
  };
}
