// The token-wise rule for one drafted word, and the overlap of two distributions.
// Its Python twins are course_utils/decoding/rules/chain.py, theory.py and sampling.py;
// tests/stage/test_formulas.py compares them.

/** min(p, q), word by word. */
export const shared = (p, q) => p.map((x, i) => Math.min(x, q[i]));

/** α, the sum of the shared part: the probability that a drafted word is accepted. */
export const overlap = (p, q) => sum(p.map((x, i) => x - Math.max(x - q[i], 0)));

/** Half the sum of |p - q|. */
export const totalVariation = (p, q) => sum(p.map((x, i) => Math.abs(x - q[i]))) / 2;

/** norm(max(p - q, 0)); p if p = q. */
export function residual(p, q) {
  const excess = p.map((x, i) => Math.max(x - q[i], 0));
  const mass = sum(excess);
  const empty = mass <= 0 ? 1 : 0;
  const scale = mass + sum(p) * empty;
  return excess.map((x, i) => (x + p[i] * empty) / scale);
}

/** One round from its three uniforms: {x, height, accepted, token}; height is u·q(x). */
export const oneRound = (p, q, draft, verify, correct) => thrower(p, q)(draft, verify, correct);

/** `oneRound` for many darts at the same p and q. */
export function thrower(p, q) {
  const [offered, left] = [cumulated(q), cumulated(residual(p, q))];
  return (draft, verify, correct) => {
    const x = drawn(offered, draft);
    return { x, height: verify * q[x], ...verdict(p, q, left, x, verify, correct) };
  };
}

/** Count the output words of rounds from..to; `uniforms(i)` returns the three uniforms of round i. */
export function tally(p, q, uniforms, to, from = 0, before = null) {
  const accepted = before ? [...before.accepted] : p.map(() => 0);
  const corrected = before ? [...before.corrected] : p.map(() => 0);
  const one = thrower(p, q);
  for (let i = from; i < to; i++) {
    const [draft, verify, correct] = uniforms(i);
    const round = one(draft, verify, correct);
    (round.accepted ? accepted : corrected)[round.token] += 1;
  }
  return { accepted, corrected };
}

/** The terms of the proof for every word: the two ways it is output, and their sum. */
export function terms(p, q) {
  const [alpha, both, rest] = [overlap(p, q), shared(p, q), residual(p, q)];
  return p.map((x, i) => {
    const ratio = q[i] > 0 ? Math.min(1, x / q[i]) : 1;
    const first = q[i] * ratio;
    const second = (1 - alpha) * rest[i];
    return { ratio, first, second, shared: both[i], left: x - both[i], output: first + second };
  });
}

function verdict(p, q, left, x, verify, correct) {
  const accepted = verify < p[x] / q[x]; // strict: a uniform of 0 accepts no word with p = 0
  return { accepted, token: accepted ? x : drawn(left, correct) };
}

function drawn(cumulative, uniform) {
  const last = cumulative.at(-1);
  let index = 0;
  for (const x of cumulative) if (x / last <= uniform) index++;
  if (index < cumulative.length) return index;
  return cumulative.filter(x => x < last).length; // the last word with any mass
}

function cumulated(row) {
  let total = 0;
  return row.map(x => (total += x));
}

const sum = row => row.reduce((a, b) => a + b, 0);
