// The steps of a batch: what is known at each, and the data of its drawings.

/** The state `shown` turns into a step: {mode, shown, ended: is its total known, totals: modes whose total is known}. */
export function known({ mode, turns, ended }, shown = turns) {
  const whole = ended && shown === turns;
  return { mode, shown, ended: whole, totals: mode + whole };
}

/** The numbers of turns to play on the way to a step, from the step before it. */
export function between({ story }, at) {
  const [before, { mode, turns }] = [story[at - 1], story[at]];
  const from = before?.mode === mode ? before.turns + 1 : 0;
  return Array.from({ length: turns - from + 1 }, (_, i) => from + i);
}

/** A slot's turns grouped by row: [{row: null if idle, from, to, ended, tokens}]. */
export function stretches(data, mode, slot, shown) {
  const groups = [];
  data.modes[mode].turns.slice(0, shown).forEach((lanes, turn) => {
    const [row, round] = lanes[slot] ?? [null, null];
    let last = groups.at(-1);
    if (!last || last.row !== row) groups.push((last = { row, from: turn, ended: false, tokens: 0 }));
    last.to = turn + 1;
    if (row === null) return;
    const { rounds } = data.rows[row];
    last.ended = round === rounds.length - 1;
    last.tokens = rounds[round].start + rounds[round].kinds.length;
  });
  return groups;
}

/** The kinds of a round's tokens, from the bottom of the pile up: the emitted ones first. */
export const blocks = ({ guesses, kinds }) => [
  ...kinds,
  ...guesses.map(({ fate }) => fate).filter(fate => fate !== "accepted"),
];

/** Rows that have not started after `shown` turns. */
export function waiting(data, mode, shown) {
  return written(data, mode, shown).flatMap((tokens, row) => (tokens === null ? [row] : []));
}

/** For each row, its tokens after `shown` turns; null if it has not started. */
export function written(data, mode, shown) {
  const counts = data.rows.map(() => null);
  for (let slot = 0; slot < data.slots; slot++)
    for (const { row, tokens } of stretches(data, mode, slot, shown)) if (row !== null) counts[row] = tokens;
  return counts;
}

/** The sentence while turns pass: how many slots write in the last one. */
export function meanwhile({ modes }, mode, shown) {
  const name = mode ? "Continuous" : "Static";
  if (!shown) return `${name}: the same rows once more; when one ends, the next takes its slot.`;
  const lanes = modes[mode].turns[shown - 1];
  const busy = lanes.filter(Boolean).length;
  return `${name}, turn ${shown}: ${busy} of ${lanes.length} slots write, ${lanes.length - busy} are idle.`;
}

/** One round in words: "3 of 4 guesses accepted + a correction". */
export function brief({ guesses, kinds }) {
  const accepted = kinds.filter(kind => kind === "accepted").length;
  const then = accepted < kinds.length ? ` + a ${kinds.at(-1)}` : "; its text has ended";
  return guesses.length ? `${accepted} of ${guesses.length} guesses accepted${then}` : "a token of the target alone";
}
