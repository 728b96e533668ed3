// The turns of a batch, static and continuous, and the story that compares them.  No DOM.

import { plural } from "../../lib/numbers.mjs";

/** The data of a batch with `guesses`: the most that a round drafted, the turns of both modes, and the story. */
export function scheduled(data) {
  const counts = data.rows.map(({ rounds }) => rounds.length);
  const turns = [staticLanes(counts, data.slots), continuousLanes(counts, data.slots)];
  const modes = ["static", "continuous"].map((name, i) => ({ name, turns: turns[i] }));
  const drafted = data.rows.flatMap(({ rounds }) => rounds.map(({ guesses }) => guesses.length));
  const whole = { ...data, guesses: Math.max(...drafted), modes };
  return { ...whole, story: story(whole, counts) };
}

/**
 * Turns of rows in groups of `slots`, each for each slot [row, number of its round], or null if it
 * is idle; a group ends with its slowest row.  `counts`: the rounds of each row.
 */
export function staticLanes(counts, slots) {
  const turns = [];
  for (let start = 0; start < counts.length; start += slots) {
    const group = counts.slice(start, start + slots);
    for (let turn = 0; turn < Math.max(...group); turn++)
      turns.push(Array.from({ length: slots }, (_, i) => (turn < group[i] ? [start + i, turn] : null)));
  }
  return turns;
}

/** Turns as `generate_batch` plays them: when a row ends, the next takes its slot. */
export function continuousLanes(counts, slots) {
  const turns = [];
  let waiting = 0; // the row that starts next
  let lanes = Array(slots).fill(null);
  const advanced = lane => {
    if (lane && lane[1] + 1 < counts[lane[0]]) return [lane[0], lane[1] + 1];
    return waiting < counts.length ? [waiting++, 0] : null;
  };
  while ((lanes = lanes.map(advanced)).some(Boolean)) turns.push(lanes);
  return turns;
}

/** {places: slots x turns, idle, tokens} after `shown` turns. */
export function sums({ slots, modes, rows }, mode, shown) {
  const lanes = modes[mode].turns.slice(0, shown).flat();
  const busy = lanes.filter(Boolean);
  const tokens = busy.reduce((sum, [row, round]) => sum + rows[row].rounds[round].kinds.length, 0);
  return { places: slots * shown, idle: lanes.length - busy.length, tokens };
}

/**
 * The steps, {mode, turns: played so far, ended: is it the count, said}.  Static: before the first
 * turn, after it, at the end of the first group if slots are idle, the count.  Continuous: the first
 * turn in which a row takes a free slot, if there is one, and the count.
 */
function story(data, counts) {
  const { rows, slots, modes } = data;
  const [first, second] = modes.map(({ turns }) => turns);
  const group = counts.slice(0, slots).map((_, row) => row);
  const last = Math.max(...group.map(row => counts[row]));
  const [idle, slowest] = [group.filter(row => counts[row] < last), group.filter(row => counts[row] === last)];
  const texts = plural(group.length, "row");
  const drafted = group.some(row => rows[row].rounds[0].guesses.length);
  const added = plural(sums(data, 0, 1).tokens, "token");
  const pass = drafted ? `checks the drafts of ${texts} and adds ${added}` : `writes a token for each of ${texts}`;
  const steps = [
    [
      0,
      0,
      `${plural(rows.length, "prompt")}, ${plural(slots, "slot")}. A static batch starts its rows together and waits for the slowest.`,
    ],
    [0, 1, `One pass of the target ${pass}.`],
  ];
  const queue = rows.length - slots;
  const waits =
    queue > 0 ? `${plural(queue, "prompt")} wait${queue === 1 ? "s" : ""} for` : "The batch lasts as long as";
  if (idle.length) steps.push([0, last, `Turn ${last}. ${ended(idle)}: idle. ${waits} ${named(slowest)}.`]);
  const idleOf = mode => {
    const all = sums(data, mode, modes[mode].turns.length);
    return `${all.idle} of ${all.places} slot-turns idle (${Math.round((100 * all.idle) / all.places)} %).`;
  };
  steps.push([
    0,
    first.length,
    `Static: ${plural(first.length, "turn")} of ${plural(slots, "slot")}, ${idleOf(0)}`,
    true,
  ]);
  const swapped = (turn, at) => turn.flatMap((lane, i) => (at && lane && lane[0] !== second[at - 1][i][0] ? [i] : []));
  const at = second.findIndex((turn, i) => swapped(turn, i).length);
  if (at > 0) {
    const places = swapped(second[at], at);
    const [left, next] = [second[at - 1], second[at]].map(turn => places.map(i => turn[i][0]));
    const takes = places.length === 1 ? "takes the slot" : "take the slots";
    steps.push([1, at + 1, `Continuous, the same rows. ${ended(left)}: ${named(next)} ${takes} at once.`]);
  }
  const instead = `${plural(second.length, "turn")} in place of ${first.length}`;
  steps.push([1, second.length, `Continuous: ${instead}, ${idleOf(1)} The rounds of each row are the same.`, true]);
  return steps.map(([mode, turns, said, total = false]) => ({ mode, turns, said, ended: total }));
}

/** "Row 2 has ended", "Rows 1 and 3 have ended". */
const ended = rows => `${named(rows).replace("r", "R")} ${rows.length === 1 ? "has" : "have"} ended`;

/** [0] -> "row 1", [2, 0, 5] -> "rows 1, 3 and 6". */
function named(rows) {
  const numbers = rows.map(row => row + 1).sort((a, b) => a - b);
  if (numbers.length === 1) return `row ${numbers[0]}`;
  return `rows ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
}
