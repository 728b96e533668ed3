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
    between: str = "",
) -> Scene:
    """A whole run of `generate_batch`, as lanes.

    Args:
        run: all that it yielded, (row, round), in that order.
        decode: tokens to text.
        prompts: the tokens that each row continues.
        slots: as many as the run had.
        between: what stands between two tokens: " " where each of them is a word.

    Raises:
        ValueError: rows that have not ended, `prompts` or `slots` of another run, or more
            than can be read: `MOST_SLOTS`, `MOST_TURNS` of the static batch, `MOST_GUESSES`.
    """
    data = batch_data(run, decode, prompts, slots) | {"between": between}
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
        modes: of the static batch and of the continuous one, {name, turns: see `turn_data`,
            said: a sentence before the first turn, for each turn, and after the last}.

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
    for mode, said in zip(modes, sentences(plans, rounds, slots), strict=True):
        mode["said"] = said
    rows = [row_data(*one, decode) for one in zip(rounds, prompts, strict=True)]
    return {"slots": slots, "guesses": guesses, "rows": rows, "modes": modes}


def turns_data(plan: Sequence[Turn], rounds: Sequence[Sequence[Round]]) -> list[dict[str, Any]]:
    """The turns of one schedule.

    Returns: for each a dict of
        lanes: for each slot [row, which of its rounds], or null where it is idle.
        new: tokens that the pass reads, of all rows together.
        lengths: of each lane's row in this pass, its text and its guesses; 0 where idle.
        filled: their sum.  rectangle: what they take if padded to the longest.
        tokens, idle: emitted, and slots that had nothing to do, in all turns so far.
    """
    done, turns, tokens, idle = [0] * len(rounds), [], 0, 0
    for turn in plan:
        lanes = [None if row is None else [row, done[row]] for row in turn]
        now = [None if lane is None else rounds[lane[0]][lane[1]] for lane in lanes]
        lengths = [0 if r is None else r.context + len(r.drafted) for r in now]
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
                "lengths": lengths,
                "filled": sum(lengths),
                "rectangle": len(at_work) * max(lengths),
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
        shown.append(round_data(r, start, [*prompt, *emitted][r.context - 1], decode))
        start += len(r.emitted)
    return {
        "prompt": ("…" if len(prompt) > TAIL else "") + decode(list(prompt[-TAIL:])),
        "pieces": pieces(emitted, decode),
        "rounds": shown,
    }


def round_data(r: Round, start: int, before: int, decode: Decode) -> dict[str, Any]:
    """One round of a row.

    Args:
        start: tokens that the row emitted before.
        before: the last token of its text, which the pass reads first.

    Returns: a dict of
        start; reads: the text of `before`.
        guesses: [text, "accepted", "rejected" or "lost": never examined] of each.
        last: [text, kind] of the token that the target adds; null if the text ended before.
        ends: is it the row's last round?
    """
    kinds = ["accepted"] * r.accepted
    whole = r.accepted < len(r.emitted)  # else a stop token ended the text inside the draft
    kinds += ["rejected"] * whole
    kinds += ["lost"] * len(r.drafted)
    guesses = [[decode([x]), kind] for x, kind in zip(r.drafted, kinds, strict=False)]
    return {
        "start": start,
        "reads": decode([before]),
        "guesses": guesses,
        "last": [decode([r.emitted[-1]]), r.kinds[-1]] if whole else None,
        "ends": r.stop_reason is not None,
    }


# --- what is seen in each turn, a sentence or two; rows and turns are numbered from 1 -

Rounds = Sequence[Sequence[Round]]  # of each row


def sentences(plans: Mapping[str, Sequence[Turn]], rounds: Rounds, slots: int) -> list[list[str]]:
    """For the plans "static" and "continuous": before the first turn, each turn, the count."""
    static, continuous = plans["static"], plans["continuous"]
    return [
        [
            f"{plural(len(rounds), 'prompt')}, {plural(slots, 'slot')}. "
            "A static batch starts its rows together and waits for the slowest.",
            *_turns(static, rounds, refilled=False),
            f"A static batch: {plural(len(static), 'turn')} of {plural(slots, 'slot')}, "
            f"{_idle(static)} of {len(static) * slots} slot-turns idle ({_percent(static)} %).",
        ],
        [
            "The same rows again. Now a row that has ended leaves, "
            "and the next prompt takes its slot at once.",
            *_turns(continuous, rounds, refilled=True),
            f"Continuous: {plural(len(continuous), 'turn')}, {_percent(continuous)} % idle. "
            f"Static: {plural(len(static), 'turn')}, {_percent(static)} % idle. "
            "The rounds of each row are the same.",
        ],
    ]


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


def _idle(plan: Sequence[Turn]) -> int:
    return sum(turn.count(None) for turn in plan)


def _percent(plan: Sequence[Turn]) -> int:
    return round(100 * _idle(plan) / sum(map(len, plan)))


def _turns(plan: Sequence[Turn], rounds: Rounds, refilled: bool) -> list[str]:
    done, said = [0] * len(rounds), []
    for number, turn in enumerate(plan, start=1):
        at_work = [row for row in turn if row is not None]
        came = [row for row in at_work if number > 1 and not done[row]]
        now = {row: rounds[row][done[row]] for row in at_work}
        for row in at_work:
            done[row] += 1
        parts = [
            _came(came, turn, plan[number - 2], refilled) if came else "",
            _outcomes(now),
            _ended(now, refilled, waiting=done.count(0)),
        ]
        said.append(f"Turn {number}. " + " ".join(filter(None, parts)))
    return said


def _came(rows: list[int], turn: Turn, before: Turn, refilled: bool) -> str:
    if not refilled:
        together = " together" if len(rows) > 1 else ""
        return f"{_named(rows).capitalize()} begin{'s' * (len(rows) == 1)}{together}."
    left = [before[turn.index(row)] for row in rows]
    slots = "the slot" if len(rows) == 1 else "the slots"
    return f"{_named(rows).capitalize()} take{'s' * (len(rows) == 1)} {slots} of {_named(left)}."


def _outcomes(now: Mapping[int, Round]) -> str:
    """Who accepted all, some or none, and who drafted nothing; of three kinds the extremes."""
    last = {row: r.kinds[-1] for row, r in now.items()}
    plain = [row for row, r in now.items() if not r.drafted]
    whole = [row for row in now if last[row] == "bonus"]
    none = [row for row, r in now.items() if r.drafted and not r.accepted]
    some = sorted(row for row in now if row not in {*plain, *whole, *none})
    parts = []
    if whole:
        sizes = {len(now[row].drafted) for row in whole}
        size = f" {sizes.pop()}" if len(sizes) == 1 and sizes != {1} else ""
        gets = "gets a bonus" if len(whole) == 1 else "get a bonus each"
        parts.append(f"{_named(whole)} accepted all{size} and {gets}")
    if some and not (whole and none):
        parts.append(f"{_named(some)} accepted {_counts([now[row].accepted for row in some])}")
    if none:
        parts.append(f"{_named(none)} accepted none")
    if plain:
        gets = "gets a token" if len(plain) == 1 else "get a token each"
        parts.append(f"{_named(plain)} {gets} without a draft")
    text = "; ".join(parts)
    return text[0].upper() + text[1:] + "."


def _ended(now: Mapping[int, Round], refilled: bool, waiting: int) -> str:
    """Who has ended, and which slots stay idle; `waiting` rows have not begun."""
    rows = [row for row, r in now.items() if r.stop_reason]
    if not rows:
        return ""
    said = f"{_named(rows).capitalize()} {'has' if len(rows) == 1 else 'have'} ended"
    if refilled and waiting:
        free = len(rows) - waiting
        if free <= 0:
            return f"{said}."
        waits, stays = ("s" * (one == 1) for one in (waiting, free))
        left = f"{plural(free, 'slot')} stay{stays} idle"
        return f"{said}, and {plural(waiting, 'prompt')} wait{waits}: {left}."
    if len(rows) == len(now):
        return f"{said}."
    why = ", and no prompt waits" if refilled else ""
    slots = "its slot stays" if len(rows) == 1 else "their slots stay"
    return f"{said}{why}: {slots} idle."


def _counts(counts: Sequence[int]) -> str:
    """[2] -> "2", [1, 1] -> "1 each", [1, 2] -> "1 and 2"."""
    if len(counts) > 1 and len(set(counts)) == 1:
        return f"{counts[0]} each"
    return _listed(counts)


def _named(rows: Sequence[int]) -> str:
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
