"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

import numpy as np
import pytest

from course_utils.engines import published
from course_utils.lessons.speedup_theory.checks import (
    DRAFTS,
    check_draft_verdict,
    check_foretell,
    check_planner,
    draft_verdict,
    foretell,
)
from course_utils.lessons.speedup_theory.planner import plan


def plan_in_one_pass(rates, c, v, o, t):
    """By a recurrence, with arrays and a whole-number float: nothing as in the course's plan."""
    reached = np.cumprod([1.0, *rates])
    tokens = reached.cumsum()
    gamma = np.arange(len(tokens))
    passes = gamma * c + o + np.array([v(int(g) + 1) for g in gamma])
    speed = tokens / passes
    best = float(np.argmax(speed))
    return {"tokens": tokens, "seconds": t / speed, "speedup": speed / speed[0], "best": best}


def foretell_by_two_sums(plain, lengths, tokens, times, seen):
    """Least squares by hand, and plain lists."""
    k, t = lengths[:seen], [n * ms / plain for n, ms in zip(tokens, times, strict=True)][:seen]
    mean_k, mean_t = sum(k) / seen, sum(t) / seen
    slope = sum((x - mean_k) * (y - mean_t) for x, y in zip(k, t, strict=True))
    slope /= sum((x - mean_k) ** 2 for x in k)
    a = mean_t - slope * mean_k
    found = [plain * (a + slope * x) / n for x, n in zip(lengths, tokens, strict=True)]
    return {"times": found, "best": lengths[found.index(min(found))]}


def plan_that_empties_its_rates(rates, *costs):
    return plan([rates.pop(0) for _ in range(len(rates))], *costs)


RIGHT_ANSWERS = [
    (check_planner, plan_in_one_pass),
    (check_foretell, foretell_by_two_sums),
]
WRONG_ANSWERS = [
    (check_planner, plan_that_empties_its_rates, "you changed `rates` itself"),
    (check_planner, lambda *costs: plan(*costs) | {"best": 3}, "best: For rates = 12 times 0.9"),
    (check_draft_verdict, lambda *_: "loses", "none of the three"),
    (check_draft_verdict, lambda *_: "gains", "1.02 at α = 1, the answer is 'guesses"),
    (check_draft_verdict, lambda alpha, c, v, o: v(17), "not for 17"),
]


def test_the_drafts_on_offer_hold_all_three_verdicts():
    assert [draft_verdict(*draft) for draft in DRAFTS] == [
        "gains", "guesses too badly", "guesses too badly", "gains", "gains", "gains", "gains",
        "can only lose", "can only lose", "guesses too badly", "guesses too badly", "gains",
        "guesses too badly",
    ]  # fmt: skip


def test_the_rows_that_were_held_out_are_missed_as_the_lesson_says():
    missed, chosen = [], []
    for table in published.TABLES:
        found = foretell(
            table.plain, list(table.lengths), list(table.tokens), list(table.times), seen=2
        )
        errors = found["times"] / np.array(table.times) - 1
        assert errors[:2] == pytest.approx(0, abs=1e-12)
        missed.append(float(max(abs(errors))))
        chosen.append(int(found["best"]))
        held = published.fit(table, lengths=(2, 3))
        assert found["times"] == pytest.approx(held.predicted)
    assert missed == pytest.approx([0.034, 0.072], abs=5e-4)
    assert chosen == [3, 3]
    assert [table.best for table in published.TABLES] == [3, 4]
