"""The turns of a batch as the scene *batch* draws them: JSON, from the rounds of one run.

`batch_scene` shows each slot as a lane (`stage/scenes/batch.mjs`): first as a static batch,
which waits for its slowest row, then as `generate_batch` ran, where the next prompt takes a
free slot.  What a row does depends on no other row, so the rounds of one run fill any schedule: a
list of turns, each with a row for every slot, None where the slot is idle.  Its words number rows
and turns from 1.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.classroom.tokens import Decode, pieces
from course_utils.decoding.contracts import Round

MOST_SLOTS, MOST_TURNS, MOST_GUESSES = 6, 64, 8  # more cannot be read
TAIL = 24  # tokens of a prompt that are shown
Turn = tuple[int | None, ...]


def static_lanes(rounds: Sequence[int], slots: int) -> list[Turn]:
    """Rows go in groups of `slots`, and a group ends with its slowest; `rounds` by row.

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
    """A row that has ended leaves its slot, and the next takes it, as in `generate_batch`.

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
    """The rounds of each row of a run of `generate_batch` that went to its end.

    Raises:
        ValueError: a row that is missing or has not ended.
    """
    rounds: list[list[Round]] = [[] for _ in range(rows)]
    for row, done in run:
        rounds[row].append(done)
    for row, of_row in enumerate(rounds):
        if not of_row or of_row[-1].stop_reason is None:
            raise ValueError(
                f"row {row} has not ended: give all that generate_batch yields, to its end"
            )
    return rounds


def batch_scene(
    run: Iterable[tuple[int, Round]], decode: Decode, prompts: Sequence[Sequence[int]], slots: int
) -> Scene:
    """A whole run of `generate_batch`, as lanes.

    Args:
        run: all that it yielded, (row, round), in that order.
        decode: tokens to text.
        prompts: the tokens that each row continues.
        slots: as many as the run had.

    Raises:
        ValueError: rows that have not ended, `prompts` of another run, or more than can be read:
            `MOST_SLOTS`, `MOST_TURNS`, `MOST_GUESSES`.
    """
    data = batch_data(run, decode, prompts, slots)
    return Scene("batch", data, in_words(data["rows"], data["modes"], slots))


def batch_data(
    run: Iterable[tuple[int, Round]], decode: Decode, prompts: Sequence[Sequence[int]], slots: int
) -> dict[str, Any]:
    """What the scene draws; arguments and errors are those of `batch_scene`.

    Returns: a dict of
        slots; guesses: the most that a round drafted.
        rows: {prompt: its end, pieces: the text that each emitted token adds, rounds: see
            `round_data`}.
        modes: of the static batch and of the continuous one, {name, turns: see `turns_data`}.
        story: its steps, see `story`.
    """
    rounds = rounds_by_row(run, len(prompts))
    if [r[0].context for r in rounds] != [len(prompt) for prompt in prompts]:
        raise ValueError("these are not the prompts of that run: give the tokens of each, in order")
    many = list(map(len, rounds))
    plans = {"static": static_lanes(many, slots), "continuous": continuous_lanes(many, slots)}
    guesses = max(len(r.drafted) for of_row in rounds for r in of_row)
    if slots > MOST_SLOTS or len(plans["static"]) > MOST_TURNS or guesses > MOST_GUESSES:
        raise ValueError(
            f"more than {MOST_SLOTS} slots, {MOST_TURNS} turns of a static batch or {MOST_GUESSES} "
            "guesses in a round cannot be read: show a smaller run"
        )
    modes = [{"name": name, "turns": turns_data(plan, rounds)} for name, plan in plans.items()]
    steps = story(*(mode["turns"] for mode in modes), len(rounds), slots)
    rows = [row_data(*one, decode) for one in zip(rounds, prompts, strict=True)]
    return {"slots": slots, "guesses": guesses, "rows": rows, "modes": modes, "story": steps}


def turns_data(plan: Sequence[Turn], rounds: Sequence[Sequence[Round]]) -> list[dict[str, Any]]:
    """The turns of one schedule.

    Returns: for each a dict of
        lanes: for each slot [row, which of its rounds], or null where it is idle.
        new: tokens that the pass reads, of all rows together.
        tokens, idle: emitted, and slots that had nothing to do, in all turns so far.
    """
    done, turns, tokens, idle = [0] * len(rounds), [], 0, 0
    for turn in plan:
        lanes = [None if row is None else [row, done[row]] for row in turn]
        now = [None if lane is None else rounds[lane[0]][lane[1]] for lane in lanes]
        at_work = [r for r in now if r is not None]
        tokens += sum(len(r.emitted) for r in at_work)
        idle += now.count(None)
        for row in turn:
            if row is not None:
                done[row] += 1
        turns.append(
            {
                "lanes": lanes,
                "new": sum(1 + len(r.drafted) for r in at_work),
                "tokens": tokens,
                "idle": idle,
            }
        )
    return turns


def row_data(rounds: Sequence[Round], prompt: Sequence[int], decode: Decode) -> dict[str, Any]:
    """One row: the end of its prompt, its text, its rounds."""
    emitted = [token for r in rounds for token in r.emitted]
    shown, start = [], 0
    for r in rounds:
        shown.append(round_data(r, start))
        start += len(r.emitted)
    return {
        "prompt": ("…" if len(prompt) > TAIL else "") + decode(list(prompt[-TAIL:])),
        "pieces": pieces(emitted, decode, prompt),
        "rounds": shown,
    }


def round_data(r: Round, start: int) -> dict[str, Any]:
    """One round of a row that has emitted `start` tokens before.

    Returns: a dict of
        start.  guesses: "accepted", "rejected" or "lost" (never examined) of each.
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


# --- the story: six steps, a sentence or two each; rows and turns are numbered from 1 -

Turns = Sequence[Mapping[str, Any]]  # see `turns_data`


def story(static: Turns, continuous: Turns, rows: int, slots: int) -> list[dict[str, Any]]:
    """The steps of the scene; between two of them the turns in between pass by.

    Static: before the first turn, after it, at the last turn of the first group if slots are
    idle there, and the count; continuous: the first turn in which a row takes a free slot, if
    there is one, and the count.

    Returns: for each a dict of
        mode: 0 or 1.  turns: that are seen.  ended: is it the count?  said: what is said.
    """
    at_work = [{lane[0] for lane in turn["lanes"] if lane} for turn in static]
    last = max(i for i, of_turn in enumerate(at_work, start=1) if of_turn & {*range(slots)})
    texts = plural(len(at_work[0]), "row")
    one_pass = f"checks the drafts of {texts} and adds {plural(static[0]['tokens'], 'token')}"
    if static[0]["new"] == len(at_work[0]):
        one_pass = f"writes a token for each of {texts}"
    steps = [
        (0, 0, False, f"{plural(rows, 'prompt')}, {plural(slots, 'slot')}. "
         "A static batch starts its rows together and waits for the slowest."),
        (0, 1, False, f"One pass of the target {one_pass}."),
    ]  # fmt: skip
    if idle := at_work[0] - at_work[last - 1]:
        waits = f"{plural(rows - slots, 'prompt')} wait{'s' * (rows - slots == 1)} for"
        waits = waits if rows > slots else "The batch lasts as long as"
        slowest = _named(at_work[last - 1])
        steps.append((0, last, False, f"Turn {last}. {_ended(idle)}: idle. {waits} {slowest}."))
    of_slots = f"{plural(len(static), 'turn')} of {plural(slots, 'slot')}"
    steps.append((0, len(static), True, f"Static: {of_slots}, {_idle(static, slots)}"))
    for at, (before, turn) in enumerate(pairwise(continuous), start=2):
        lanes = zip(before["lanes"], turn["lanes"], strict=True)
        swaps = [(old[0], new[0]) for old, new in lanes if new and new[0] != old[0]]
        if swaps:
            left, came = zip(*swaps, strict=True)
            takes = "takes the slot" if len(came) == 1 else "take the slots"
            said = f"Continuous, the same rows. {_ended(left)}: {_named(came)} {takes} at once."
            steps.append((1, at, False, said))
            break
    instead = f"{plural(len(continuous), 'turn')} in place of {len(static)}"
    said = f"Continuous: {instead}, {_idle(continuous, slots)} The rounds of each row are the same."
    steps.append((1, len(continuous), True, said))
    return [dict(zip(("mode", "turns", "ended", "said"), step, strict=True)) for step in steps]


def in_words(rows: Sequence, modes: Sequence[Mapping], slots: int) -> str:
    """One sentence for who cannot see it."""
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
    return f"{_named(rows).capitalize()} {'has' if len(rows) == 1 else 'have'} ended"


def _named(rows: Collection[int]) -> str:
    """[0] -> "row 1", [2, 0, 5] -> "rows 1, 3 and 6"."""
    *others, last = (str(row + 1) for row in sorted(rows))
    return f"rows {', '.join(others)} and {last}" if others else f"row {last}"
