"""The turns of a batch as the scene *batch* draws them: JSON, from the rounds of one run.

`batch_scene` shows each slot as a lane (`stage/scenes/batch.mjs`): first as a static batch,
which waits for its slowest row, then as `generate_batch` ran, where the next prompt takes a
free slot.  A row's rounds depend on no other row, so the rounds of one run fit any schedule: a
list of turns, each with a row for every slot, None where the slot is idle.  The texts number rows
and turns from 1.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.classroom.tokens import Decode, pieces
from course_utils.decoding.contracts import Round

MOST_SLOTS, MOST_TURNS, MOST_GUESSES = 6, 64, 8  # more are not readable
TAIL = 24  # tokens of a prompt that are shown
Turn = tuple[int | None, ...]


def static_lanes(rounds: Sequence[int], slots: int) -> list[Turn]:
    """Schedule rows in groups of `slots`; a group ends with its slowest row.  `rounds`: by row.

    >>> static_lanes([1, 2, 1], 2)
    [(0, 1), (None, 1), (2, None)]
    """
    turns = []
    for start in range(0, len(rounds), slots):
        group = rounds[start : start + slots]
        turns += [
            tuple(start + i if i < len(group) and turn < group[i] else None for i in range(slots))
            for turn in range(max(group))
        ]
    return turns


def continuous_lanes(rounds: Sequence[int], slots: int) -> list[Turn]:
    """Schedule rows as `generate_batch` does: when a row ends, the next takes its slot.

    >>> continuous_lanes([1, 2, 1], 2)
    [(0, 1), (2, 1)]
    """
    turns, left, waiting = [], list(rounds), iter(range(len(rounds)))
    lanes: list[int | None] = [None] * slots
    while True:
        lanes = [next(waiting, None) if row is None else row for row in lanes]
        if lanes == [None] * slots:
            return turns
        turns.append(tuple(lanes))
        for row in lanes:
            if row is not None:
                left[row] -= 1
        lanes = [row if row is not None and left[row] else None for row in lanes]


def rounds_by_row(run: Iterable[tuple[int, Round]], rows: int) -> list[list[Round]]:
    """Group the rounds of a complete run of `generate_batch` by row.

    Raises:
        ValueError: a row is missing or has not ended.
    """
    rounds: list[list[Round]] = [[] for _ in range(rows)]
    for row, done in run:
        rounds[row].append(done)
    for row, of_row in enumerate(rounds):
        if not of_row or of_row[-1].stop_reason is None:
            raise ValueError(f"row {row} has not ended: pass everything that generate_batch yields")
    return rounds


def batch_scene(
    run: Iterable[tuple[int, Round]], decode: Decode, prompts: Sequence[Sequence[int]], slots: int
) -> Scene:
    """Draw a whole run of `generate_batch` as lanes.

    Args:
        run: everything it yielded, (row, round), in order.
        decode: tokens to text.
        prompts: the tokens that each row continues.
        slots: of the run.

    Raises:
        ValueError: rows that have not ended, `prompts` of another run, or a run above
            `MOST_SLOTS`, `MOST_TURNS` or `MOST_GUESSES`.
    """
    data = batch_data(run, decode, prompts, slots)
    return Scene("batch", data, in_words(data["rows"], data["modes"], slots))


def batch_data(
    run: Iterable[tuple[int, Round]], decode: Decode, prompts: Sequence[Sequence[int]], slots: int
) -> dict[str, Any]:
    """Return what the scene draws; arguments and errors are those of `batch_scene`.

    Returns: a dict of
        slots; guesses: the most that a round drafted.
        rows: {prompt: its end, pieces: the text that each emitted token adds, rounds: see
            `round_data`}.
        modes: static and continuous, {name, turns: see `turns_data`}.
        story: see `story`.
    """
    rounds = rounds_by_row(run, len(prompts))
    if [r[0].context for r in rounds] != [len(prompt) for prompt in prompts]:
        raise ValueError("these are not the prompts of that run: pass the tokens of each, in order")
    counts = list(map(len, rounds))
    plans = {"static": static_lanes(counts, slots), "continuous": continuous_lanes(counts, slots)}
    guesses = max(len(r.drafted) for of_row in rounds for r in of_row)
    if slots > MOST_SLOTS or len(plans["static"]) > MOST_TURNS or guesses > MOST_GUESSES:
        raise ValueError(
            f"more than {MOST_SLOTS} slots, {MOST_TURNS} turns of a static batch or {MOST_GUESSES} "
            "guesses in a round are not readable: show a smaller run"
        )
    modes = [{"name": name, "turns": turns_data(plan, rounds)} for name, plan in plans.items()]
    steps = story(*(mode["turns"] for mode in modes), len(rounds), slots)
    rows = [row_data(*one, decode) for one in zip(rounds, prompts, strict=True)]
    return {"slots": slots, "guesses": guesses, "rows": rows, "modes": modes, "story": steps}


def turns_data(plan: Sequence[Turn], rounds: Sequence[Sequence[Round]]) -> list[dict[str, Any]]:
    """Return the turns of one schedule.

    Returns: for each a dict of
        lanes: for each slot [row, index of its round], or null where it is idle.
        new: tokens that the pass reads, of all rows together.
        tokens, idle: emitted tokens and idle slots, in all turns so far.
    """
    done, turns, tokens, idle = [0] * len(rounds), [], 0, 0
    for turn in plan:
        lanes = [None if row is None else [row, done[row]] for row in turn]
        now = [None if lane is None else rounds[lane[0]][lane[1]] for lane in lanes]
        active = [r for r in now if r is not None]
        tokens += sum(len(r.emitted) for r in active)
        idle += now.count(None)
        for row in turn:
            if row is not None:
                done[row] += 1
        turns.append(
            {
                "lanes": lanes,
                "new": sum(1 + len(r.drafted) for r in active),
                "tokens": tokens,
                "idle": idle,
            }
        )
    return turns


def row_data(rounds: Sequence[Round], prompt: Sequence[int], decode: Decode) -> dict[str, Any]:
    """Return the end of a row's prompt, its text and its rounds."""
    emitted = [token for r in rounds for token in r.emitted]
    data, start = [], 0
    for r in rounds:
        data.append(round_data(r, start))
        start += len(r.emitted)
    return {
        "prompt": ("…" if len(prompt) > TAIL else "") + decode(list(prompt[-TAIL:])),
        "pieces": pieces(emitted, decode, prompt),
        "rounds": data,
    }


def round_data(r: Round, start: int) -> dict[str, Any]:
    """Return one round of a row that has emitted `start` tokens before.

    Returns: a dict of
        start.  guesses: for each "accepted", "rejected" or "lost" (never examined).
        last: the kind of the token that the target adds; null if the text ended before.
        ends: is it the row's last round?
    """
    whole = r.accepted < len(r.emitted)  # else a stop token ended the text inside the draft
    kinds = ["accepted"] * r.accepted + ["rejected"] * whole + ["lost"] * len(r.drafted)
    return {
        "start": start,
        "guesses": kinds[: len(r.drafted)],
        "last": r.kinds[-1] if whole else None,
        "ends": r.stop_reason is not None,
    }


# --- the story: six steps of a sentence or two ----------------------------------------

Turns = Sequence[Mapping[str, Any]]  # see `turns_data`


def story(static: Turns, continuous: Turns, rows: int, slots: int) -> list[dict[str, Any]]:
    """Return the steps of the scene; the turns between two steps play in between.

    Static: before the first turn, after it, at the last turn of the first group if slots are
    idle there, and the count.  Continuous: the first turn in which a row takes a free slot, if
    there is one, and the count.

    Returns: for each a dict of
        mode: 0 or 1.  turns: played so far.  ended: is it the count?  said: the sentence.
    """
    active = [{lane[0] for lane in turn["lanes"] if lane} for turn in static]
    last = max(i for i, of_turn in enumerate(active, start=1) if of_turn & {*range(slots)})
    texts = plural(len(active[0]), "row")
    one_pass = f"checks the drafts of {texts} and adds {plural(static[0]['tokens'], 'token')}"
    if static[0]["new"] == len(active[0]):
        one_pass = f"writes a token for each of {texts}"
    steps = [
        (0, 0, False, f"{plural(rows, 'prompt')}, {plural(slots, 'slot')}. "
         "A static batch starts its rows together and waits for the slowest."),
        (0, 1, False, f"One pass of the target {one_pass}."),
    ]  # fmt: skip
    if idle := active[0] - active[last - 1]:
        waits = f"{plural(rows - slots, 'prompt')} wait{'s' * (rows - slots == 1)} for"
        waits = waits if rows > slots else "The batch lasts as long as"
        slowest = _rows(active[last - 1])
        steps.append((0, last, False, f"Turn {last}. {_ended(idle)}: idle. {waits} {slowest}."))
    of_slots = f"{plural(len(static), 'turn')} of {plural(slots, 'slot')}"
    steps.append((0, len(static), True, f"Static: {of_slots}, {_idle(static, slots)}"))
    for at, (before, turn) in enumerate(pairwise(continuous), start=2):
        lanes = zip(before["lanes"], turn["lanes"], strict=True)
        swaps = [(old[0], new[0]) for old, new in lanes if new and new[0] != old[0]]
        if swaps:
            left, new = zip(*swaps, strict=True)
            takes = "takes the slot" if len(new) == 1 else "take the slots"
            line = f"Continuous, the same rows. {_ended(left)}: {_rows(new)} {takes} at once."
            steps.append((1, at, False, line))
            break
    instead = f"{plural(len(continuous), 'turn')} in place of {len(static)}"
    line = f"Continuous: {instead}, {_idle(continuous, slots)} The rounds of each row are the same."
    steps.append((1, len(continuous), True, line))
    return [dict(zip(("mode", "turns", "ended", "said"), step, strict=True)) for step in steps]


def in_words(rows: Sequence, modes: Sequence[Mapping], slots: int) -> str:
    """Return a one-sentence description for screen readers."""
    turns = [len(mode["turns"]) for mode in modes]
    return (
        f"{plural(len(rows), 'row')} in {plural(slots, 'slot')}, turn by turn: a static batch "
        f"takes {plural(turns[0], 'turn')}, and {turns[1]} if free slots are refilled."
    )


def plural(count: int, word: str) -> str:
    """ "1 row", "2 rows"."""
    return f"{count} {word}{'s' * (count != 1)}"


def _idle(turns: Turns, slots: int) -> str:
    idle, all_turns = turns[-1]["idle"], len(turns) * slots
    return f"{idle} of {all_turns} slot-turns idle ({round(100 * idle / all_turns)} %)."


def _ended(rows: Collection[int]) -> str:
    """ "Row 2 has ended", "Rows 1 and 3 have ended"."""
    return f"{_rows(rows).capitalize()} {'has' if len(rows) == 1 else 'have'} ended"


def _rows(rows: Collection[int]) -> str:
    """[0] -> "row 1", [2, 0, 5] -> "rows 1, 3 and 6"."""
    *others, last = (str(row + 1) for row in sorted(rows))
    return f"rows {', '.join(others)} and {last}" if others else f"row {last}"
