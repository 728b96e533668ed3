"""An answer that is no edit of a solution; the plan and the fit, compared with other code."""

import pytest

from course_utils.engines import published
from course_utils.lessons.speedup_theory.checks import (
    check_draft_verdict,
    plan,
    predict_rows,
    rows,
)
from course_utils.theory.costs import Costs, predict
from course_utils.theory.speedup import optimal_gamma, speedup

WRONG_ANSWERS = [(check_draft_verdict, lambda alpha, c, v, o: v(17), "not for 17")]


@pytest.mark.parametrize(("alpha", "c"), [(0.8, 0.1), (0.5, 0.15), (0.2, 0.3)])
def test_without_v_and_o_and_with_one_alpha_the_plan_is_theorem_3_8(alpha, c):
    result = plan([alpha] * 16, c, lambda k: 1.0, 0.0, 0.01)
    assert result["speedup"][1:] == pytest.approx([speedup(alpha, g, c) for g in range(1, 17)])
    best, at_best = optimal_gamma(alpha, c)
    assert result["best"] == (best if at_best > 1 else 0)


def test_the_plan_predicts_the_same_speedups_as_measuring_costs():
    rates, c, o, t = [0.9, 0.6, 0.8, 0.3], 0.2, 0.4, 0.02
    seconds = [t * (1 + 0.1 * gamma) for gamma in range(5)]
    own = predict(Costs([0.0] + [c * t] * 4, seconds, o * t, 0.0), rates, 0.7)
    result = plan(rates, c, lambda k: 1 + 0.1 * (k - 1), o, t)
    assert result["speedup"][1:] == pytest.approx([each.speedup for each in own])


def test_the_errors_on_the_held_out_rows_are_those_of_the_lesson():
    predictions = [predict_rows(*rows(table, 2)) for table in published.TABLES]
    errors = [abs(each["times"] / table.times - 1).max()
              for each, table in zip(predictions, published.TABLES, strict=True)]  # fmt: skip
    assert errors == pytest.approx([0.034, 0.072], abs=5e-4)
    assert [each["best"] for each in predictions] == [3, 3]
    assert [table.best for table in published.TABLES] == [3, 4]
