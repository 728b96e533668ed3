"""The input of the planner, and the numbers in the lesson's text and quiz."""

import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import acceptance_by_position, summarise
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.speedup_theory.checks import plan
from course_utils.lessons.speedup_theory.rounds import LONGEST, calibrate, mixed_text
from course_utils.models.toys.tables import TableModel
from course_utils.theory.costs import Costs, predict
from course_utils.theory.speedup import (
    expected_tokens_by_position,
    mixed_text_tokens,
    optimal_gamma,
    overlap,
    speedup,
)

TARGET, DRAFT = (TableModel.random(5, order=1, seed=seed) for seed in (0, 1))


@pytest.mark.slow
def test_rates_are_those_of_the_rounds():
    costs = calibrate(TARGET, DRAFT, [[0], [0]], new_tokens=200, seed=3)
    with_rows = {"gamma": LONGEST, "max_new_tokens": 200, "seed": 3, "rows": True}
    rounds = list(generate(TARGET, [0], Sampled(DRAFT), **with_rows))[1:]
    rounds = [r for r in rounds if len(r.drafted) == LONGEST]
    third = [overlap(r.p[2], r.q[2]) for r in rounds if r.accepted >= 2]  # of those that reach it
    assert 0 < len(third) < len(rounds)
    assert costs.rates[2] == pytest.approx(sum(third) / len(third))
    assert costs.v(1) == 1


def test_rates_by_position_are_an_identity_only_at_the_gamma_where_they_were_measured():
    kinds, shares = [0.5, 0.9], [0.5, 0.5]
    loop = mixed_text(kinds, 8, tokens=2000, repeats=4)
    rates = acceptance_by_position(loop, 8)
    exact = [mixed_text_tokens(kinds, shares, gamma) for gamma in (1, 8)]
    assert expected_tokens_by_position(rates) == pytest.approx(exact[1], rel=0.03)
    assert summarise(loop).tokens_per_round == pytest.approx(exact[1], rel=0.03)
    assert exact[0] - expected_tokens_by_position(rates[:1]) > 0.05


@pytest.mark.parametrize(("alpha", "c"), [(0.8, 0.1), (0.5, 0.15), (0.2, 0.3)])
def test_without_v_and_o_and_with_one_alpha_the_plan_is_theorem_3_8(alpha, c):
    result = plan([alpha] * 16, c, lambda k: 1.0, 0.0, 0.01)
    assert result["speedup"][1:] == pytest.approx([speedup(alpha, g, c) for g in range(1, 17)])
    best, at_best = optimal_gamma(alpha, c)
    assert result["best"] == (best if at_best > 1 else 0)


def test_the_plan_predicts_the_same_speedups_as_measuring_costs():
    rates, c, o, t = [0.9, 0.6, 0.8, 0.3], 0.2, 0.4, 0.02
    seconds = [t * (1 + 0.1 * gamma) for gamma in range(5)]
    own = predict(Costs([0.0] + [c * t] * 4, seconds, o * t, 0.0), rates)
    result = plan(rates, c, lambda k: 1 + 0.1 * (k - 1), o, t)
    assert result["speedup"][1:] == pytest.approx([each.speedup for each in own])
