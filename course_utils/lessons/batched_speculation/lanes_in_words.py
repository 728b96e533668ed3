"""What is seen in each turn of a batch, a sentence or two; rows and turns are numbered from 1."""

from collections.abc import Mapping, Sequence

from course_utils.decoding.contracts import Round
from course_utils.lessons.batched_speculation.lanes import Turn

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
    return _listed(list(map(str, counts)))


def _named(rows: Sequence[int]) -> str:
    """[0] -> "row 1", [2, 0] -> "rows 1 and 3", [0, 1, 2] -> "rows 1 to 3"."""
    numbers = sorted(row + 1 for row in rows)
    if len(numbers) == 1:
        return f"row {numbers[0]}"
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"rows {numbers[0]} to {numbers[-1]}"
    return f"rows {_listed(list(map(str, numbers)))}"


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]
