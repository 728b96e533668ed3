// Judge an exam: is the decoder lossless, and would a log have shown it?

const EXACT = 1e-12; // smaller distances are rounding errors

/** "lossless", "lossy", or "unseen": wrong, but this exam does not show it.  `tv` is the distance. */
export const status = (tv, lossless) => (tv >= EXACT ? "lossy" : lossless ? "lossless" : "unseen");

/** A share with two significant digits: 0.0000713 -> "0.0071 %". */
export function percent(share) {
  const value = Number((100 * share).toPrecision(2));
  const digits = value ? Math.max(0, 1 - Math.floor(Math.log10(Math.abs(value)))) : 0;
  return `${value
    .toFixed(digits)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "")} %`;
}

/** Two digits, as Python's "{:.2g}" prints them. */
function short(value) {
  const text = value.toPrecision(2);
  if (Math.abs(value) >= 1e-4) return text.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  const [, digits, sign, power] = value.toExponential(1).match(/^(.*)e(.)(\d+)$/);
  return `${digits.replace(/\.0$/, "")}e${sign}${power.padStart(2, "0")}`;
}

/** Is it lossless, and if not, by how much? */
export function distance(tv, lossless, agreement) {
  const result = status(tv, lossless);
  if (result === "lossless") return "Lossless: every text has exactly the target's probability.";
  if (result === "lossy")
    return `Not lossless: ${percent(tv)} of the probability is on the wrong texts (TV ${short(tv)}).`;
  const hint = agreement > 0.99 ? "Let the draft know less about the target." : "Draft more than one token per round.";
  return `Wrong, but it does not show: at this setting every text has the target's probability. ${hint}`;
}

/** What would a log have shown?  `rightAcceptance` and `rightTokens` are the correct rule's. */
export function log(acceptance, tokens, rightAcceptance, rightTokens, tv, lossless) {
  const [own, right] = [acceptance, rightAcceptance].map(value => value.toFixed(3));
  const more = tokens - rightTokens;
  if (status(tv, lossless) === "lossless") {
    if (Math.abs(more) < EXACT) return `It emits ${tokens.toFixed(2)} tokens per round, as the correct rule does.`;
    return `It emits ${tokens.toFixed(3)} tokens per round, ${more > 0 ? "more" : "less"} than the correct rule (${rightTokens.toFixed(3)}).`;
  }
  if (own === right)
    return `A log would show nothing: acceptance is ${own}, the same as the correct rule's to three digits.`;
  return `A log would show acceptance ${own}; the correct rule has ${right}.`;
}
