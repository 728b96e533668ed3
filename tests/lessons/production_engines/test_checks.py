"""Answers that the exercises of this room do not hold themselves."""

import numpy as np

from course_utils.lessons.production_engines.checks import (
    acceptance_gate,
    check_acceptance_gate,
    check_deviations,
    check_lost_by_pair,
    deviations,
    lost_by_pair,
)


def lost_in_two_loops(tables, fit):
    """Arrays, and the shares of each table by themselves."""
    lengths, columns = tables[0].lengths, []
    pairs = [(a, b) for a in lengths for b in lengths if a < b]
    for table in tables:
        times = dict(zip(table.lengths, table.times, strict=True))
        chosen = np.array([times[fit(table, pair).best] for pair in pairs])
        columns.append(chosen / min(times.values()) - 1)
    return dict(zip(pairs, np.max(columns, axis=0), strict=True))


def gated_row_by_row(p, q, counters, baseline):
    overlaps = [sum(map(min, a, b)) for a, b in zip(p, q, strict=True)]
    possible = sum(overlaps) / len(overlaps)
    return "dead" if counters.per_position[0] / counters.drafts < possible / 2 else "alive"


def surprised_token_by_token(rows, tokens):
    """Lists and loops, tokens that cannot be left out."""
    off = squares = variance = spread = 0.0
    for row, token in zip(rows, tokens, strict=True):
        likely = [x for x in row if x > 0]
        mean = -sum(x * np.log(x) for x in likely)
        by_chance = sum(x * (-np.log(x) - mean) ** 2 for x in likely)
        off += -np.log(row[token]) - mean
        squares += (-np.log(row[token]) - mean) ** 2 - by_chance
        variance += by_chance
        spread += sum(x * (-np.log(x) - mean) ** 4 for x in likely) - by_chance**2
    return off / variance**0.5, squares / spread**0.5


RIGHT_ANSWERS = [
    (check_deviations, surprised_token_by_token),
    (check_lost_by_pair, lost_in_two_loops),
    (check_acceptance_gate, gated_row_by_row),
]

WRONG_ANSWERS = [
    (check_deviations, lambda *case: deviations(*case)[0], "Return 2 things, in this order"),
    (check_deviations, lambda *case: (deviations(*case)[0], 0.0), "second: For a text of 60"),
    (
        check_lost_by_pair,
        lambda *case: lost_by_pair(*case) | {(2, 4): 0.5},
        "the pair (2, 4) chooses K = 3 at 4.29 ms, where 4.29 is the least, K = 4 at 4.05 ms, "
        "where 4.05 is the least: 0, not 0.5.",
    ),
    (check_lost_by_pair, lambda *case: [0.0] * 15, "the keys are the 15 pairs"),
    (check_acceptance_gate, lambda *case: True, 'Return "dead" or "alive"'),
    (check_acceptance_gate, lambda *case: "DEAD", 'Return "dead" or "alive"'),
    (check_acceptance_gate, lambda *case: "alive", "nothing is ever dead"),
    (check_acceptance_gate, lambda *case: "dead", "For Σ min(p, q) = 0.88"),
    (check_acceptance_gate, lambda p, q, counters, baseline: counters.accept, "AttributeError"),
]


def test_the_cases_of_the_gate_hold_all_three_stories():
    """Healthy, dead whatever the baseline says, and honest but low, above and below it."""
    stories = {
        (acceptance_gate(*case), case[2].per_position[0] / case[2].drafts < 0.1, case[3] < 0.1)
        for case in check_acceptance_gate.cases
    }
    assert {
        ("alive", False, False), ("dead", True, False), ("dead", True, True),
        ("alive", True, True), ("alive", True, False),
    } <= stories  # fmt: skip
