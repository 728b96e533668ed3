"""The turns of a batch as the scene *batch* draws them: JSON, from the rounds of one run.

`batch_scene` shows each slot as a lane (`stage/scenes/batch.mjs`): first as a static batch,
which waits for its slowest row, then as `generate_batch` ran, where the next prompt takes a
free slot.  The rounds are the same ones.  Its words number rows and turns from 1.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from course_utils.classroom.scene import Scene
from course_utils.classroom.tokens import Decode, pieces
from course_utils.decoding.contracts import Round
from course_utils.lessons.batched_speculation.lanes import (
    Turn,
    continuous_lanes,
    rounds_by_row,
    static_lanes,
)

MOST_SLOTS, MOST_TURNS, MOST_GUESSES = 6, 64, 8  # more cannot be read
TAIL = 24  # tokens of a prompt that are shown


def batch_scene(
    run: Iterable[tuple[int, Round]],
    decode: Decode,
    prompts: Sequence[Sequence[int]],
    slots: int,
) -> Scene:
    """A whole run of `generate_batch`, as lanes.

    Args:
        run: all that it yielded, (row, round), in that order.
        decode: tokens to text.
        prompts: the tokens that each row continues.
        slots: as many as the run had.

    Raises:
        ValueError: rows that have not ended, `prompts` or `slots` of another run, or more
            than can be read: `MOST_SLOTS`, `MOST_TURNS` of the static batch, `MOST_GUESSES`.
    """
    data = batch_data(run, decode, prompts, slots)
    return Scene("batch", data, in_words(data["rows"], data["modes"], slots))


def batch_data(
    run: Iterable[tuple[int, Round]],
    decode: Decode,
    prompts: Sequence[Sequence[int]],
    slots: int,
) -> dict[str, Any]:
    """What the scene draws.

    Returns: a dict of
        slots; guesses: the most that a round drafted.
        rows: {prompt: its end, pieces: the text that each emitted token adds, rounds: see
            `round_data`}.
        modes: of the static batch and of the continuous one, {name, turns: see `turns_data`}.
        story: its steps, see `story`.

    Raises:
        ValueError: as `batch_scene`.
    """
    rounds = rounds_by_row(run, slots)
    if [r[0].context for r in rounds] != [len(prompt) for prompt in prompts]:
        raise ValueError("these are not the prompts of that run: give the tokens of each, in order")
    many = list(map(len, rounds))
    plans = {"static": static_lanes(many, slots), "continuous": continuous_lanes(many, slots)}
    guesses = max(len(r.drafted) for of_row in rounds for r in of_row)
    for count, most, what in (
        (slots, MOST_SLOTS, "slots"),
        (len(plans["static"]), MOST_TURNS, "turns, as a static batch,"),
        (guesses, MOST_GUESSES, "guesses in a round"),
    ):
        if count > most:
            raise ValueError(
                f"the run has {count} {what} and at most {most} can be read: show a smaller one"
            )
    modes = [{"name": name, "turns": turns_data(plan, rounds)} for name, plan in plans.items()]
    told = story(*(mode["turns"] for mode in modes), len(rounds), slots)
    rows = [row_data(*one, decode) for one in zip(rounds, prompts, strict=True)]
    return {"slots": slots, "guesses": guesses, "rows": rows, "modes": modes, "story": told}


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
    first, held = {*range(slots)}, _rows(static)
    last = max(i for i, of_turn in enumerate(held, start=1) if of_turn & first)
    done = held[0] - held[last - 1]
    counts = [
        f"{plural(len(turns), 'turn')}{of}, {_idle(turns)} of {len(turns) * slots} slot-turns idle "
        f"({round(100 * _idle(turns) / (len(turns) * slots))} %)."
        for turns, of in (
            (static, f" of {plural(slots, 'slot')}"),
            (continuous, f" in place of {len(static)}"),
        )
    ]
    found = [
        (0, 0, f"{plural(rows, 'prompt')}, {plural(slots, 'slot')}. "
         "A static batch starts its rows together and waits for the slowest."),
        (0, 1, _first_turn(static[0], len(held[0]))),
    ]  # fmt: skip
    if done:
        waits = f"{plural(rows - slots, 'prompt')} wait{'s' * (rows - slots == 1)} for"
        waits = waits if rows > slots else "The batch lasts as long as"
        slowest = _named(held[last - 1])
        found.append((0, last, f"Turn {last}. {_has_ended(done)}: idle. {waits} {slowest}."))
    found.append((0, len(static), f"Static: {counts[0]}"))
    turn = next((i for i, of_turn in enumerate(_rows(continuous)) if of_turn - first), None)
    if turn is not None:
        before, now = (continuous[i]["lanes"] for i in (turn - 1, turn))
        swaps = [(old[0], new[0]) for old, new in zip(before, now, strict=True)
                 if new and new[0] not in first]  # fmt: skip
        left, came = zip(*swaps, strict=True)
        takes = "takes the slot" if len(came) == 1 else "take the slots"
        said = f"Continuous, the same rows. {_has_ended(left)}: {_named(came)} {takes} at once."
        found.append((1, turn + 1, said))
    found.append(
        (1, len(continuous), f"Continuous: {counts[1]} The rounds of each row are the same.")
    )
    ends = {max(i for i, one in enumerate(found) if one[0] == mode) for mode in (0, 1)}
    return [
        {"mode": mode, "turns": turns, "ended": i in ends, "said": said}
        for i, (mode, turns, said) in enumerate(found)
    ]


def _first_turn(turn: Mapping[str, Any], rows: int) -> str:
    if turn["new"] == rows:
        return f"One pass of the target: a token for each of {plural(rows, 'row')}."
    return (
        f"One pass of the target checks the drafts of {plural(rows, 'row')} "
        f"and adds {plural(turn['tokens'], 'token')}."
    )


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


def _rows(turns: Turns) -> list[set[int]]:
    return [{lane[0] for lane in turn["lanes"] if lane} for turn in turns]


def _idle(turns: Turns) -> int:
    return turns[-1]["idle"]


def _has_ended(rows: Iterable[int]) -> str:
    """ "Row 2 has ended", "Rows 1 and 3 have ended"."""
    rows = list(rows)
    return f"{_named(rows).capitalize()} {'has' if len(rows) == 1 else 'have'} ended"


def _named(rows: Iterable[int]) -> str:
    """[0] -> "row 1", [2, 0] -> "rows 1 and 3", [0, 1, 2] -> "rows 1 to 3"."""
    numbers = sorted(row + 1 for row in rows)
    if len(numbers) == 1:
        return f"row {numbers[0]}"
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"rows {numbers[0]} to {numbers[-1]}"
    return f"rows {_listed(numbers)}"


def _listed(numbers: Sequence[int]) -> str:
    *others, last = map(str, numbers)
    return f"{', '.join(others)} and {last}" if others else last
