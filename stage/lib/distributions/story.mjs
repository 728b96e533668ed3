// The steps of the story: what each shows, and its sentence.

import { fixed } from "../numbers.mjs";
import { readable } from "../tokens.mjs";

export const AT = {
  p: 0, q: 1, shared: 2, rest: 3, drawn: 4, judged: 5, out: 6, other: 7, otherOut: 8, many: 9,
  ways: 10, first: 11, second: 12, sum: 13,
};
export const COUNT = 14;
export const MANY = 1000; // darts of the step `many`
const FAR = 200; // so many darts are looked through for one with the other verdict

/** What step `at` shows when nothing moves: the part of the view that the story sets. */
export function shown(at, { dartOf, free, word }) {
  const other = otherDart(dartOf);
  const exact = at < AT.ways ? null : [+(at >= AT.first), +(at >= AT.second)];
  const dart =
    at === AT.drawn ? { index: 0, move: 0, t: 1 }
    : at === AT.judged ? { index: 0, move: 1, t: 1 }
    : at === AT.other ? { index: other, move: 1, t: 1 }
    : null;
  const n = at < AT.out ? 0 : at === AT.out ? 1 : at === AT.other ? other : at === AT.otherOut ? other + 1 : free;
  return {
    show: { q: +(at >= AT.q), shared: +(at >= AT.shared), rest: +(at >= AT.rest), darts: at >= AT.drawn, exact, sum: at >= AT.sum },
    dart, n, flights: null, lit: exact ? word : null, line: Math.max(0, at - AT.ways + 1),
  };
}

/** The first dart whose verdict is not that of dart 0; 1 if they all agree. */
export function otherDart(dartOf) {
  for (let i = 1; i < FAR; i++) if (dartOf(i).accepted !== dartOf(0).accepted) return i;
  return 1;
}

const named = (view, i) => readable(view.words[i]);

/** The sentence for one move of a dart. */
export function moveSaid(view, index, move) {
  const { x, height, accepted, token } = view.dartOf(index);
  const [word, u] = [named(view, x), height / view.q[x]];
  if (move === 0) return `Move 1: a word is drawn from q. It is “${word}”, and a dart flies to its bar.`;
  if (move === 1) {
    const verdict = accepted ? "at most p high: accepted" : "above p: rejected, the dart crumbles";
    return `Move 2: a uniform u = ${fixed(u)} sets its height, u · q = ${fixed(height)}, ${verdict} (p = ${fixed(view.p[x])}).`;
  }
  return accepted
    ? `Move 3: accepted, so “${word}” is the output.`
    : `Move 3: a new word is drawn from the residual. It is “${named(view, token)}”, the correction, and it is the output.`;
}

/** The sentence of step `at`. */
export function said(view, at) {
  const { alpha, rest, word } = view;
  const other = otherDart(view.dartOf);
  const x = named(view, word);
  switch (at) {
    case AT.p: return "p: what the target wants to say next. The output must have exactly this distribution. Drag a bar.";
    case AT.q: return "q: what the draft offers. It is another distribution, and may be any. Drag its bars too.";
    case AT.shared: return `What both have, min(p, q). It adds up to α = ${fixed(alpha)}: so often is a drafted word accepted.`;
    case AT.rest: return rest
      ? "What p has above q, made to sum to one: the residual. A correction is drawn from it."
      : "p has nothing above q: there is no residual, and nothing to correct.";
    case AT.drawn: return moveSaid(view, 0, 0);
    case AT.judged: return moveSaid(view, 0, 1);
    case AT.out: return moveSaid(view, 0, 2);
    case AT.other: return `Dart ${other + 1}. ${moveSaid(view, other, 1)}`;
    case AT.otherOut: return moveSaid(view, other, 2);
    case AT.many: return view.n
      ? "Accepted darts and corrections fill the outline of p, as well as samples of p itself would. Drag any bar."
      : "Throw darts: the piles fill the outline of p.";
    case AT.ways: return `Why is it exact? “${x}” comes out in two ways: drafted and accepted, or as a correction.`;
    case AT.first: return `The first way gives the shared part of “${x}”: q times p/q is p, and where q is below p it is q.`;
    case AT.second: return "The second: a rejection has probability 1 − α, and that is what the residual was divided by. They cancel.";
    default: return `Together they are p(x): for every word, whatever q is.`;
  }
}
