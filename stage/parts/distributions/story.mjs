// The steps of the scene: the state of each, and its sentence.

import { fixed } from "../../lib/numbers.mjs";
import { readable } from "../../lib/tokens.mjs";

export const AT = {
  rain: 0,
  q: 1,
  shared: 2,
  rest: 3,
  judged: 4,
  out: 5,
  other: 6,
  otherOut: 7,
  many: 8,
  ways: 9,
  first: 10,
  second: 11,
  sum: 12,
};
export const COUNT = 13;
export const MANY = 1000; // darts of the step `many`
export const WORD = 0; // whose proof is shown
const FAR = 200; // darts searched for one with the other verdict

/** The part of the view that step `at` sets, at rest. */
export function stateAt(at, { dartOf, free }) {
  const other = otherDart(dartOf);
  const exact = at < AT.ways ? null : [+(at >= AT.first), +(at >= AT.second)];
  const dart =
    at === AT.judged ? { index: 0, move: 1, t: 1 } : at === AT.other ? { index: other, move: 1, t: 1 } : null;
  const rains = at === AT.rain;
  const n = rains
    ? free
    : at < AT.out
      ? 0
      : at === AT.out
        ? 1
        : at === AT.other
          ? other
          : at === AT.otherOut
            ? other + 1
            : free;
  return {
    show: { shared: +(at >= AT.shared), rest: +(at >= AT.rest), darts: rains || at >= AT.judged, exact },
    dart,
    n,
    flights: null,
    lit: exact ? WORD : null,
    line: Math.max(0, at - AT.ways + 1),
  };
}

/** The first dart whose verdict differs from dart 0's; 1 if all agree. */
export function otherDart(dartOf) {
  for (let i = 1; i < FAR; i++) if (dartOf(i).accepted !== dartOf(0).accepted) return i;
  return 1;
}

const nameOf = (view, i) => readable(view.words[i]);

/** The sentence for one move of a dart. */
export function moveSentence(view, index, move) {
  const { x, height, accepted, token } = view.dartOf(index);
  const [word, u] = [nameOf(view, x), height / view.q[x]];
  if (move === 0) return `Move 1: q draws a word, “${word}”. A dart flies to its bar.`;
  if (move === 1) {
    const verdict = accepted ? "under" : "not under";
    const then = accepted ? "accepted" : "rejected";
    return `Move 2: u = ${fixed(u)} puts the dart at u · q = ${fixed(height)}, ${verdict} p = ${fixed(view.p[x])}: ${then}.`;
  }
  return accepted
    ? `Move 3: the accepted word, “${word}”, is the output.`
    : `Move 3: the residual draws a new word, “${nameOf(view, token)}”. This correction is the output.`;
}

/** The sentence of step `at`. */
export function sentence(view, at) {
  const { alpha, rest } = view;
  const other = otherDart(view.dartOf);
  const x = nameOf(view, WORD);
  switch (at) {
    case AT.rain:
      return "Each dart is a word drawn from q, yet the output fills the outline of p. Drag any bar, and it still does. How?";
    case AT.q:
      return "p is the target’s distribution of the next word, and the output must follow it. q is the draft’s and may be anything.";
    case AT.shared:
      return `The shared part is min(p, q). It sums to α = ${fixed(alpha)}, the probability that a drafted word is accepted.`;
    case AT.rest:
      return rest
        ? "Where p exceeds q, the excess scaled to sum 1 is the residual. Corrections are drawn from it."
        : "p never exceeds q: there is no residual and nothing to correct.";
    case AT.judged:
      return moveSentence(view, 0, 1);
    case AT.out:
      return moveSentence(view, 0, 2);
    case AT.other:
      return `Dart ${other + 1}. ${moveSentence(view, other, 1)}`;
    case AT.otherOut:
      return moveSentence(view, other, 2);
    case AT.many:
      return view.free
        ? "Accepted darts and corrections fill the outline of p. Drag any bar, and they still do."
        : "Throw darts: the piles fill the outline of p.";
    case AT.ways:
      return `Why is this exact? “${x}” is output in two ways: drafted and accepted, or drawn as a correction.`;
    case AT.first:
      return `The first way gives the shared part: q · p/q is p, or q where q is below p.`;
    case AT.second:
      return "The second way gives the rest of p: the residual was divided by 1 − α, and the two cancel.";
    default:
      return "Together they give p(x), for every word x and whatever q is.";
  }
}
