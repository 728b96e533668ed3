"""Answers that the exercises of this room do not hold themselves, and that pages can be read."""

import numpy as np
import pytest

from course_utils.engines.counters import Counters
from course_utils.lessons.production_engines.checks import (
    acceptance_gate,
    check_acceptance_gate,
    check_deviations,
    check_drawn_with,
    check_lost_by_pair,
    check_read_metrics,
    deviations,
    drawn_with,
    lost_by_pair,
    page,
    read_metrics,
)


def numbers(text, name):
    """By hand: the values of the lines that begin with this counter's name."""
    return [float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith(name)]


def read_by_hand(before, after):
    """No parser, no Counters; arrays where lists would do."""

    def between(name):
        return np.array(numbers(after, name)) - np.array(numbers(before, name))

    drafts = between("vllm:spec_decode_num_drafts_total")[0]
    reached = np.array([drafts, *between("vllm:spec_decode_num_accepted_tokens_per_pos_total")])
    with np.errstate(invalid="ignore"):
        alpha = [None if np.isnan(x) else x for x in reached[1:] / reached[:-1]]
    return {"alpha": alpha, "length": reached.sum() / drafts}


def lost_in_two_loops(tables, fit):
    """Arrays, and the shares of each table by themselves."""
    lengths, columns = tables[0].lengths, []
    pairs = [(a, b) for a in lengths for b in lengths if a < b]
    for table in tables:
        times = dict(zip(table.lengths, table.times, strict=True))
        chosen = np.array([times[fit(table, pair).best] for pair in pairs])
        columns.append(chosen / min(times.values()) - 1)
    return dict(zip(pairs, np.max(columns, axis=0), strict=True))


def found_one_by_one(request, shipped):
    settings = {}
    for name, neutral in (("temperature", 1.0), ("top_k", 0), ("top_p", 1.0)):
        asked = request.get(name)
        settings[name] = shipped.get(name, neutral) if asked is None else asked
    return settings


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
    (check_read_metrics, read_by_hand),
    (check_lost_by_pair, lost_in_two_loops),
    (check_drawn_with, found_one_by_one),
    (check_drawn_with, lambda *two: {**drawn_with(*two), "min_p": 0.0}),
    (check_acceptance_gate, gated_row_by_row),
]

WRONG_ANSWERS = [
    (check_deviations, lambda *case: deviations(*case)[0], "Return 2 things, in this order"),
    (check_deviations, lambda *case: (deviations(*case)[0], 0.0), "second: For a text of 60"),
    (check_read_metrics, lambda before, after: {"alpha": [0.5]}, "Return a dict with alpha"),
    (check_read_metrics, lambda before, after: read_metrics(after, before), "the counters went"),
    (check_read_metrics, lambda *two: read_metrics(*two) | {"length": 9.0}, "length: For 1000"),
    (check_read_metrics, lambda *two: read_metrics(*two) | {"length": ...}, "length is still open"),
    (check_read_metrics, lambda *two: read_metrics(*two) | {"alpha": 0.8}, "alpha: For 1000"),
    (
        check_lost_by_pair,
        lambda *case: lost_by_pair(*case) | {(2, 4): 0.5},
        "the pair (2, 4) chooses K = 3 at 4.29 ms, where 4.29 is the least, K = 4 at 4.05 ms, "
        "where 4.05 is the least: 0, not 0.5.",
    ),
    (check_lost_by_pair, lambda *case: [0.0] * 15, "the keys are the 15 pairs"),
    (check_drawn_with, lambda *two: (1.0, 0, 1.0), "Return a dict with temperature"),
    (check_drawn_with, lambda *two: drawn_with(*two) | {"top_k": 50}, "top_k: For"),
    (check_acceptance_gate, lambda *case: True, 'Return "dead" or "alive"'),
    (check_acceptance_gate, lambda *case: "DEAD", 'Return "dead" or "alive"'),
    (check_acceptance_gate, lambda *case: "alive", "nothing is ever dead"),
    (check_acceptance_gate, lambda *case: "dead", "For Σ min(p, q) = 0.88"),
    (check_acceptance_gate, lambda p, q, counters, baseline: counters.accept, "AttributeError"),
]


@pytest.mark.parametrize(
    ("drafts", "accepted"), [(1000, (800, 560, 390)), (7, (0, 0)), (1, (1, 1, 1, 1, 1, 1, 1, 0))]
)
def test_a_page_is_read_as_it_was_written(drafts, accepted):
    found = Counters.of(page(drafts, accepted, "# HELP other A counter of no concern here."))
    assert found == Counters(drafts, drafts * len(accepted), sum(accepted), accepted)


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
