// The story of a batch: what is known at each step, and what its drawings need.

import { plural } from "../../lib/numbers.mjs";

/** What is seen `shown` turns into a step: {mode, shown, ended: is the count, totals: modes whose count is known}. */
export function known({ mode, turns, ended }, shown = turns) {
  const whole = ended && shown === turns;
  return { mode, shown, ended: whole, totals: mode + whole };
}

/** How many turns are seen one after the other on the way to a step: from the one before it, or none. */
export function between({ story }, at) {
  const [before, { mode, turns }] = [story[at - 1], story[at]];
  const from = before?.mode === mode ? before.turns + 1 : 0;
  return Array.from({ length: turns - from + 1 }, (_, i) => from + i);
}

/** A slot's turns as pieces that hang together: [{row: null where idle, from, to, ended, tokens}]. */
export function stretches(data, mode, slot, shown) {
  const found = [];
  data.modes[mode].turns.slice(0, shown).forEach(({ lanes }, turn) => {
    const [row, round] = lanes[slot] ?? [null, null];
    let last = found.at(-1);
    if (!last || last.row !== row) found.push((last = { row, from: turn, ended: false, tokens: 0 }));
    last.to = turn + 1;
    if (row === null) return;
    const done = data.rows[row].rounds[round];
    last.ended = done.ends;
    last.tokens = done.start + emitted(done);
  });
  return found;
}

const accepted = ({ guesses }) => guesses.filter(([, kind]) => kind === "accepted").length;

/** Tokens that a round adds to its text. */
export const emitted = (round) => accepted(round) + (round.last ? 1 : 0);

/** The kinds of a round's tokens, those that stay first: the text grows from the ground. */
export const blocks = ({ guesses, last }) => {
  const kinds = guesses.map(([, kind]) => kind);
  const stay = kinds.filter((kind) => kind === "accepted");
  return [...stay, ...(last ? [last[1]] : []), ...kinds.slice(stay.length)];
};

/** Rows that have not begun, after so many turns. */
export function waiting(data, mode, shown) {
  const begun = new Set(data.modes[mode].turns.slice(0, shown).flatMap(({ lanes }) => lanes.map((lane) => lane?.[0])));
  return data.rows.flatMap((_, row) => (begun.has(row) ? [] : [row]));
}

/** {places: slots x turns, idle, tokens} after so many turns. */
export function sums({ slots, modes }, mode, shown) {
  const { idle, tokens } = shown ? modes[mode].turns[shown - 1] : { idle: 0, tokens: 0 };
  return { places: slots * shown, idle, tokens };
}

/** One lane's turn in words. */
export function told(data, mode, slot, turn) {
  const lane = data.modes[mode].turns[turn].lanes[slot];
  if (!lane) return `Slot ${slot + 1}, turn ${turn + 1}: idle.`;
  const [row, number] = lane;
  const round = data.rows[row].rounds[number];
  const { guesses, last, start, ends } = round;
  const end = !last ? "the text ended at a stop token" : last[1] === "target" ? "a token of the target" : `a ${last[1]}`;
  const draft = guesses.length ? `${accepted(round)} of ${guesses.length} accepted, ` : "nothing drafted, ";
  return `Row ${row + 1}, turn ${turn + 1}: ${draft}${end}. ${plural(start + emitted(round), "token")} so far${ends ? ", the last ones" : ""}.`;
}

/** A row's text before one of its rounds, without the token that the round's pass reads first. */
export function before({ prompt, pieces }, { start, reads }) {
  const text = prompt + pieces.slice(0, start).join("");
  return text.endsWith(reads) ? text.slice(0, text.length - reads.length) : text;
}
