// The state of a finished run at a given moment; tests/stage/test_stories.py.

/** A run with its clock: `ends` of the rounds in ms, `after`: tokens written after 0, 1, 2, ... rounds. */
export function clocked(run) {
  let time = 0;
  let tokens = 0;
  const ends = run.turns.map(({ times }) => (time += times[0] + times[1] + times[2]));
  const after = [0, ...run.turns.map(({ written }) => (tokens += written.length))];
  return { ...run, ends, after };
}

/** Rounds of a clocked run that have ended `time` ms after the start. */
export function ended({ ends }, time) {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * {tokens, calls, elapsed, spent, done, phase, guesses} of a clocked run `time` ms after its
 * start; `phase` 0, 1, 2 of the current round, or null; `guesses` counts its drafted tokens so
 * far, spread evenly over its drafting time.
 */
export function at(run, time) {
  const calls = ended(run, time);
  const spent = [0, 0, 0];
  for (const { times } of run.turns.slice(0, calls)) times.forEach((ms, i) => (spent[i] += ms));
  const begun = calls ? run.ends[calls - 1] : 0;
  const turn = run.turns[calls];
  let left = time - begun;
  turn?.times.forEach((ms, i) => {
    spent[i] += Math.min(ms, Math.max(left, 0));
    left -= ms;
  });
  const drafting = turn?.times[0] ?? 0;
  const spentIn = time - begun;
  const share = drafting > 0 ? Math.min(spentIn / drafting, 1) : 1;
  return {
    tokens: run.after[calls],
    calls,
    elapsed: Math.min(time, run.ends.at(-1)),
    spent,
    done: calls === run.turns.length,
    phase: !turn ? null : spentIn < drafting ? 0 : spentIn < drafting + turn.times[1] ? 1 : 2,
    guesses: turn ? Math.floor(share * turn.drafted.length) : 0,
  };
}

/** `at` for a run without a clock. */
export const track = (run, time) => at(clocked(run), time);

/** The end of an axis that does not give the final time away: it doubles smoothly as time approaches it. */
export function reach(time, first) {
  let limit = first;
  while (time >= limit) limit *= 2;
  const near = 0.7 * limit;
  return time <= near ? limit : limit * (1 + (time - near) / (limit - near));
}
