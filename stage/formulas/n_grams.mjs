// What counting and looking up know of the next token: course_utils/models/n_grams.py (NGram)
// and drafters/lookup.py (PromptLookup), as tests/stage/n_gram_view.py shows them.
// Tokens are ids; `texts` are lists of them.

const LIKELIEST = 6; // bars

/** [text, place] of every token that follows `ending` in the texts. */
export function places(texts, ending) {
  const found = [];
  texts.forEach((text, t) => {
    for (let i = ending.length; i < text.length; i++) {
      if (ending.every((token, k) => text[i - ending.length + k] === token)) found.push([t, i]);
    }
  });
  return found;
}

/** [[token, count], ...] of what followed, in the order in which each was first seen. */
export function followers(texts, ending) {
  const counts = new Map();
  for (const [t, i] of places(texts, ending)) counts.set(texts[t][i], (counts.get(texts[t][i]) ?? 0) + 1);
  return [...counts];
}

/** Followers of every seen ending of at most n - 1 `tokens`, shortest (empty) ending first. */
export function matches(texts, n, tokens) {
  const found = [];
  for (let length = 0; length <= Math.min(n - 1, tokens.length); length++) {
    const seen = followers(texts, tokens.slice(tokens.length - length));
    if (!seen.length) break;
    found.push(seen);
  }
  return found;
}

/** Interpolated absolute discounting; with discount 0 it is back-off. */
export function distribution(texts, size, n, discount, tokens) {
  let row = new Array(size).fill(1 / size);
  for (const seen of matches(texts, n, tokens)) {
    const total = sum(seen);
    row = row.map((q) => q * ((discount * seen.length) / total));
    for (const [token, count] of seen) row[token] += (count - discount) / total;
  }
  return row;
}

/** [start, length] of the latest earlier place that reads like the end of `tokens`, or null. */
export function find(tokens, longest) {
  for (let length = Math.min(longest, tokens.length - 1); length >= 1; length--) {
    const ending = tokens.slice(-length);
    for (let start = tokens.length - length - 1; start >= 0; start--) {
      if (ending.every((token, k) => tokens[start + k] === token)) return [start, length];
    }
  }
  return null;
}

/**
 * {orders, rest, bars, ties, match, copied}, tokens as ids; held to the model in tests/stage.
 *
 * orders: longest first, {length, ending (null: the text is too short), total, followers, share}.
 */
export function view(texts, size, tokens, { n, discount, longest, gamma }) {
  const seen = matches(texts, n, tokens);
  const orders = [];
  let left = 1;
  for (let length = n - 1; length >= 0; length--) {
    const counts = seen[length] ?? [];
    const total = sum(counts);
    const passedOn = total ? (discount * counts.length) / total : 1;
    const short = length > tokens.length;
    orders.push({
      length,
      ending: short ? null : tokens.slice(tokens.length - length),
      total,
      followers: [...counts].sort((a, b) => b[1] - a[1]),
      share: short ? 0 : left * (1 - passedOn),
      weight: total ? left / total : 0,
    });
    left *= passedOn;
  }
  const row = distribution(texts, size, n, discount, tokens);
  const best = row.map((_, i) => i).sort((a, b) => row[b] - row[a]).slice(0, LIKELIEST);
  const match = find(tokens, longest);
  const end = match ? match[0] + match[1] : tokens.length;
  const part = (token) => ({ followers: counts, weight }) => {
    const count = counts.find(([one]) => one === token)?.[1] ?? 0;
    return Math.max(count - discount, 0) * weight;
  };
  return {
    orders,
    rest: left,
    bars: best.filter((token) => row[token] > 0).map((token) => ({
      token, probability: row[token], parts: [...orders.map(part(token)), left / size],
    })),
    ties: row.filter((q) => q > row[best[0]] - 1e-9).length,
    match,
    copied: tokens.slice(end, end + gamma),
  };
}

const sum = (seen) => seen.reduce((all, [, count]) => all + count, 0);
