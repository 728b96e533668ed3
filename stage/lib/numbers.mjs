// Numbers as text.

/** "0.25"; two digits by default. */
export const fixed = (value, digits = 2) => value.toFixed(digits);

/** A share: "25 %". */
export const percent = (value, digits = 0) => `${(100 * value).toFixed(digits)} %`;

/** Milliseconds as three digits and a unit: 0.5 -> "0.50 ms", 12345 -> "12.3 s". */
export function clock(ms) {
  if (ms >= 1000) return `${(ms / 1000).toFixed(ms < 1e4 ? 2 : 1)} s`;
  return `${ms.toFixed(ms >= 100 ? 0 : ms >= 10 ? 1 : 2)} ms`;
}

/** "1 token", "2 tokens". */
export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** u and p/q with enough digits to see which is smaller. */
export function apart(u, ratio) {
  for (let digits = 2; digits < 6; digits++) {
    const [a, b] = [u.toFixed(digits), ratio.toFixed(digits)];
    if (a !== b) return [a, b];
  }
  return [u.toFixed(6), ratio.toFixed(6)];
}
