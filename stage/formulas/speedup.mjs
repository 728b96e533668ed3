// The theory for one setting, recomputed whenever a slider moves.  Pure; no DOM.
//
// tests/stage/test_formulas.py compares it with course_utils/theory/speedup.py.
// A setting is {alpha, c, slope, o, plain_o}; costs are in target passes over one token.

export const LONGEST = 16; // the largest gamma shown
const GAIN = 1.001; // less counts as no gain
const GRAIN = 2 ** -30; // speedups are compared in these steps
const FADED = 0.1;
const EVERY = Array.from({ length: LONGEST + 1 }, (_, gamma) => gamma);

/** Tokens per round: 1 + alpha + ... + alpha^gamma; exact at alpha = 1 too. */
export function expectedTokens(alpha, gamma) {
  let tokens = 1;
  for (let i = 0; i < gamma; i++) tokens = 1 + alpha * tokens;
  return tokens;
}

/** Speedup over plain decoding; 1 at gamma = 0. */
export function speedup({ alpha, c, slope, o, plain_o }, gamma) {
  if (gamma === 0) return 1;
  return ((1 + plain_o) * expectedTokens(alpha, gamma)) / (gamma * c + 1 + slope * gamma + o);
}

/** {setting, curve, ceiling, best, nearly, rising} of a setting. */
export function speedupView(setting) {
  const { c, slope, alpha } = setting;
  const curve = EVERY.map(g => speedup(setting, g));
  const free = alpha > 0 && c === 0 && slope === 0; // a longer draft costs nothing
  let best = free ? LONGEST : 0;
  for (const g of EVERY) if (grains(curve[g]) > grains(curve[best])) best = g;
  if (grains(curve[best]) < grains(GAIN)) best = 0;
  const gain = 0.95 * (curve[best] - 1);
  return {
    setting,
    curve,
    ceiling: EVERY.map(g => speedup({ ...setting, alpha: 1 }, g)),
    best,
    nearly: EVERY.find(g => grains(curve[g] - 1) >= grains(gain)),
    rising: best === LONGEST && (free || grains(speedup(setting, LONGEST + 1) - curve[LONGEST]) > 0),
  };
}

/** The largest draft cost c at which some draft length is `level` times as fast; negative: none. */
export function dearest({ alpha, slope, o, plain_o }, level) {
  let most = -Infinity;
  let tokens = 1;
  for (let g = 1; g <= LONGEST; g++) {
    tokens = 1 + alpha * tokens;
    most = Math.max(most, (((1 + plain_o) * tokens) / level - (1 + slope * g) - o) / g);
  }
  return most;
}

/** How well a measurement at these costs applies to `setting`: 1 is fully, 0 not at all. */
export function holding(setting, measuredAt) {
  const names = ["alpha", "c", "slope", "o", "plain_o"];
  const far = names.reduce((sum, name) => sum + Math.abs(setting[name] - measuredAt[name]), 0);
  return Math.max(0, 1 - far / FADED);
}

/** The sentence that sums up a view. */
export function message(view) {
  const gain = grains(view.curve[view.best]) * GRAIN;
  if (view.best === 0) return `No draft length gains here: ${why(view)}`;
  const percent = 100 * (gain - 1);
  const few = String(rounded(percent, percent >= 1 ? 1 : 2));
  const fast = `${rounded(gain, 1).toFixed(1)} times as fast`;
  const much = grains(gain) >= grains(1.1) ? fast : `only ${few} % faster`;
  if (!view.rising) return `Best at γ = ${view.best}: ${much}`;
  const most = view.nearly < LONGEST ? `, nearly all by γ = ${view.nearly}` : ` at γ = ${LONGEST}, more beyond`;
  return `The longer, the better: ${much}${most}`;
}

function why({ setting: { alpha, c, slope, o, plain_o }, curve }) {
  if (alpha === 0) return "no guess is ever accepted";
  const costs = [
    ["drafting", c],
    ["verifying", slope],
    ["the host", o - plain_o],
  ];
  const paid = costs.filter(([, cost]) => cost > 0);
  const much = grains(Math.max(...curve.slice(1))) > grains(1 / GAIN) ? "all" : "more than";
  return `${paid.length === 1 ? paid[0][0] : "a round"} costs ${much} it saves`;
}

/** Rounded, so that equally good lengths compare as equal. */
const grains = value => Math.floor(value / GRAIN + 0.5);

const rounded = (value, digits) => Math.floor(value * 10 ** digits + 0.5) / 10 ** digits;
