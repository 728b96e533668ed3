"""The planner, what it is fed, and what the lesson says of both."""

import numpy as np
import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.theory import optimal_gamma, overlap, speedup
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.speedup_theory.calibration import (
    LONGEST,
    Clock,
    _overlaps,
    calibrate,
    clock,
    whole_rounds,
)
from course_utils.lessons.speedup_theory.checks import check_planner
from course_utils.lessons.speedup_theory.planner import plan
from course_utils.measuring.costs import Costs, predict
from course_utils.models.toys.characters import CharacterModel

TARGET, DRAFT = CharacterModel(), CharacterModel(accuracy=0.7)


@pytest.mark.parametrize(("alpha", "c"), [(0.8, 0.1), (0.5, 0.15), (0.2, 0.3)])
def test_without_v_and_o_and_with_one_alpha_the_plan_is_theorem_3_8(alpha, c):
    planned = plan([alpha] * 16, c, lambda k: 1.0, 0.0, 0.01)
    assert planned["speedup"][1:] == pytest.approx([speedup(alpha, g, c) for g in range(1, 17)])
    best, at_best = optimal_gamma(alpha, c)
    assert planned["best"] == (best if at_best > 1 else 0)


def test_it_does_the_same_sum_as_the_programs_own_planner():
    rates, c, o, t = [0.9, 0.6, 0.8, 0.3], 0.2, 0.4, 0.02
    seconds = [t * (1 + 0.1 * gamma) for gamma in range(5)]
    own = predict(Costs([0.0] + [c * t] * 4, seconds, o * t, 0.0), rates, 0.7)
    planned = plan(rates, c, lambda k: 1 + 0.1 * (k - 1), o, t)
    assert planned["speedup"][1:] == pytest.approx([each.speedup for each in own])
    assert planned["tokens"][1:] == pytest.approx([each.tokens_per_round for each in own])


def test_the_machines_of_the_check_differ_in_what_is_best():
    assert [plan(*case)["best"] for case in check_planner.cases] == [3, 7, 16, 0, 1, 4]


def test_what_is_calibrated_without_a_clock_is_what_the_rounds_hold():
    found = calibrate(TARGET, DRAFT, [[0], [0]], new_tokens=200, seed=3)
    with_rows = {"gamma": LONGEST, "max_new_tokens": 200, "seed": 3, "rows": True}
    rounds = generate(TARGET, [0], Sampled(DRAFT), **with_rows)
    whole = [r for r in list(rounds)[1:] if len(r.drafted) == LONGEST]
    first = [overlap(r.p[0], r.q[0]) for r in whole]
    assert found.rates[0] == pytest.approx(sum(first) / len(first))
    assert len(found.rates) == len(found.errors) == LONGEST
    assert found.v(1) == 1
    with pytest.raises(LookupError, match="for 1 to 9 tokens, not for 10"):
        found.v(LONGEST + 2)
    hopeless = calibrate(TARGET, CharacterModel(accuracy=0.0), [[0]], 60)
    assert hopeless.rates[-1] == hopeless.alpha  # of a position that no round reached


def test_a_position_counts_where_the_ones_before_it_were_accepted():
    rounds = whole_rounds(TARGET, DRAFT, [0], 4, 200, 3)
    accepted = [r.accepted for r in rounds]
    assert len(_overlaps(rounds, 0)) == len(rounds)
    assert len(_overlaps(rounds, 2)) == sum(n >= 2 for n in accepted) > sum(n > 2 for n in accepted)


def test_the_clock_compares_each_text_with_its_own_plain_run():
    seconds = [[2.0, 8.0], [1.0, 2.0]]
    assert Clock([0, 4], [1.0, 3.0], np.array(seconds)).speedup[1].tolist() == [1.0, 3.0]
    timed = clock(TARGET, DRAFT, [[0]], [0, 2], 60)
    assert timed.tokens[0] == 1
    assert 1 < timed.tokens[1] <= 3


def test_one_token_off_costs_little_where_the_best_gamma_is_three_or_more():
    for alpha in (a / 50 for a in range(1, 49)):
        for c in (x / 50 for x in range(1, 31)):
            best, at_best = optimal_gamma(alpha, c)
            if best >= 3 and at_best > 1:
                beside = min(speedup(alpha, best - 1, c), speedup(alpha, best + 1, c))
                assert beside > 0.95 * at_best
