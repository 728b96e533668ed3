// Typed words as ids of a corpus that several languages share word by word.

/**
 * {tokens, language} of a text, words with blanks between, Chinese also without; or {unknown},
 * the first word that no language has, and whether it is the last one and only `begun`.
 *
 * `language` is that of most of its words; where two have as many, `own` goes first.
 */
export function read(text, languages, own = 0) {
  const numbers = languages.map(({ words }) => new Map(words.map((word, i) => [word.toLowerCase(), i])));
  const votes = languages.map((_, i) => (i === own ? 0.5 : 0));
  const tokens = [];
  const chunks = text.split(/\s+/u).filter(Boolean);
  for (const [place, chunk] of chunks.entries()) {
    const parts = numbers.map((known) => cut(chunk.toLowerCase(), known));
    if (!parts.some(Boolean)) {
      const begun = place === chunks.length - 1 && !/\s$/u.test(text) && numbers.some((known) => [...known.keys()].some((word) => word.startsWith(chunk.toLowerCase())));
      return { unknown: chunk, begun };
    }
    parts.forEach((found, i) => (votes[i] += found ? 1 : 0));
    tokens.push(...(parts[own] ?? parts.find(Boolean)));
  }
  return { tokens, language: votes.indexOf(Math.max(...votes)) };
}

/** A word, or Chinese words written together, longest first; null if something is left over. */
function cut(chunk, known) {
  if (known.has(chunk)) return [known.get(chunk)];
  if (!/^\p{Script=Han}+$/u.test(chunk)) return null;
  for (let end = chunk.length - 1; end > 0; end--) {
    const rest = known.has(chunk.slice(0, end)) && cut(chunk.slice(end), known);
    if (rest) return [known.get(chunk.slice(0, end)), ...rest];
  }
  return null;
}
