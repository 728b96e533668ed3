"""The input of the planner, and the numbers in the lesson's text and quiz."""

import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import acceptance_by_position, summarise
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.speedup_theory.figures import mixed_rates, transferred
from course_utils.lessons.speedup_theory.rounds import LONGEST, calibrate, mixed_text
from course_utils.models.toys.tables import TableModel
from course_utils.theory.speedup import (
    overlap,
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
    exact, by_rates, _ = transferred([0.5, 0.9], 8, (1, 8)).values()
    assert by_rates[1] == pytest.approx(exact[1], abs=1e-12)
    assert exact[0] - by_rates[0] > 0.07
    loop = mixed_text([0.5, 0.9], 8, tokens=400, repeats=4)
    first = acceptance_by_position(loop, 8)[0]
    assert first == pytest.approx(mixed_rates([0.5, 0.9], 8)[0], abs=0.05)
    assert summarise(loop).tokens_per_round == pytest.approx(exact[1], rel=0.05)
