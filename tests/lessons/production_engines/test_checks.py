"""Answers that the exercises of this room do not hold themselves, and that pages can be read."""

import numpy as np
import pytest
from scipy.stats import linregress

from course_utils.engines.counters import Counters
from course_utils.lessons.production_engines.checks import (
    acceptance_gate,
    check_acceptance_gate,
    check_deviations,
    check_fit_cost_line,
    check_more_and_faster,
    check_read_metrics,
    deviations,
    fit_cost_line,
    more_and_faster,
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
    alpha = reached[1:] / reached[:-1]
    length = reached.sum() / drafts
    more = reached[-1] * (alpha[-1] + alpha[-1] ** 2) / drafts
    return {"alpha": alpha, "length": length, "gain": 1 + more / length}


def fitted_by_a_library(plain, lengths, tokens, times):
    found = linregress(lengths, np.array(times) * tokens / plain)
    speed = np.array(tokens) / (found.intercept + found.slope * np.array(lengths))
    return {"a": found.intercept, "c": found.slope, "best": float(lengths[speed.argmax()])}


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
    (check_fit_cost_line, fitted_by_a_library),
    (check_more_and_faster, lambda one, other: {**more_and_faster(one, other), "x": 1}),
    (check_acceptance_gate, gated_row_by_row),
]

WRONG_ANSWERS = [
    (check_deviations, lambda *case: deviations(*case)[0], "Return 2 things, in this order"),
    (check_deviations, lambda *case: (deviations(*case)[0], 0.0), "second: For a text of 60"),
    (check_read_metrics, lambda before, after: {"alpha": [0.5]}, "Return a dict with alpha"),
    (check_read_metrics, lambda before, after: read_metrics(after, before), "the counters went"),
    (check_read_metrics, lambda *two: read_metrics(*two) | {"gain": 1.0}, "gain: For 1000 drafts"),
    (check_read_metrics, lambda *two: read_metrics(*two) | {"gain": ...}, "gain is still open"),
    (check_read_metrics, lambda *two: read_metrics(*two) | {"alpha": 0.8}, "alpha: For 1000"),
    (check_fit_cost_line, lambda *case: fit_cost_line(*case) | {"best": 3}, "best: For plain"),
    (check_fit_cost_line, lambda *case: (1.0, 0.1, 3), "Return a dict with a, c, best"),
    (check_more_and_faster, lambda one, other: 1.06, "Return a dict with tokens"),
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
