"""Every formula against an independent computation."""

from itertools import product
from math import fsum

import numpy as np
import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.theory import batches, estimators
from course_utils.theory import speedup as theory
from course_utils.theory.roofline import pass_time


@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.8, 1.0])
@pytest.mark.parametrize("gamma", [0, 1, 4, 8])
def test_expected_tokens_are_those_of_the_distribution_of_a_round(alpha, gamma):
    p = batches.emitted_distribution(alpha, gamma)
    assert p.sum() == pytest.approx(1)
    tokens = theory.expected_tokens(alpha, gamma)
    assert p @ np.arange(gamma + 2) == pytest.approx(tokens)
    assert theory.expected_tokens_by_position([alpha] * gamma) == pytest.approx(tokens)
    assert theory.expected_tokens_by_position([0.9, 0.5]) == pytest.approx(1 + 0.9 + 0.45)


@pytest.mark.parametrize("c", [0.001, 0.05, 0.3, 0.9])
def test_the_optimal_gamma_is_the_top_of_the_whole_curve_which_has_only_one(c):
    gammas = np.arange(1, 2001)
    for alpha in (0.0, 0.02, 0.3, 0.7, 0.9, 0.99, 0.995):
        curve = (1 - alpha ** (gammas + 1)) / (1 - alpha) / (gammas * c + 1)
        best, value = theory.optimal_gamma(alpha, c)
        assert (best, value) == (1 + curve.argmax(), pytest.approx(curve.max()))
        assert (np.diff(curve[best - 1 :]) <= 1e-15).all()
        assert (np.diff(curve[:best]) >= -1e-15).all()
        for largest in (1, 8, 64):
            assert theory.optimal_gamma(alpha, c, largest)[0] == min(best, largest)
            shares = [alpha**j for j in range(1, largest + 1)]
            assert estimators.fastest_length(shares, estimators.round_cost(c)) == min(best, largest)


def test_where_longer_is_always_better_no_gamma_is_named():
    for alpha, c in ((0.5, 0.0), (1.0, 0.9)):
        with pytest.raises(ValueError, match="a longer draft is always faster"):
            theory.optimal_gamma(alpha, c)
        assert theory.optimal_gamma(alpha, c, largest=16)[0] == 16
    assert theory.optimal_gamma(0.0, 0.0) == theory.optimal_gamma(1.0, 1.0) == (1, 1.0)


def test_a_gain_exists_iff_alpha_exceeds_c_where_verification_and_host_are_free():
    for c in (0.1, 0.3, 0.6):
        assert theory.optimal_gamma(c + 0.01, c)[1] > 1 > theory.optimal_gamma(c - 0.01, c)[1]
    with_costs = theory.speedup_with_costs
    assert with_costs(1.05, 1, 0.06, lambda k: 0.9, 0.0) > 1  # two tokens are cheaper than one
    assert with_costs(1.07, 1, 0.06, lambda k: 1.0, 0.1) < 1  # the host has to be paid
    assert with_costs(1.07, 1, 0.06, lambda k: 1.0, 0.0) == theory.speedup(0.07, 1, 0.06)


def test_the_limit_bounds_the_speedup():
    for gamma, c in product((1, 4, 29), (0.1, 0.9, 1.0, 1.5)):
        limit = theory.speedup_limit(gamma, c)
        assert theory.speedup(0.999, gamma, c) < limit
        assert theory.speedup(1.0, gamma, c) == pytest.approx(limit)
        assert min(1, 1 / c) <= limit <= max(1, 1 / c)


def test_overlap_is_one_minus_total_variation(rng):
    p, q = rng.dirichlet(np.ones(6), 10), rng.dirichlet(np.ones(6), 10)
    np.testing.assert_allclose(theory.overlap(p, q), np.minimum(p, q).sum(-1))
    np.testing.assert_allclose(theory.overlap(p, q), 1 - theory.total_variation(p, q))


def test_impossible_arguments_are_refused():
    for alpha, gamma in ((-0.1, 3), (1.1, 3), (0.5, -1)):
        with pytest.raises(ValueError, match=r"alpha is|gamma is"):
            theory.expected_tokens(alpha, gamma)
    for formula, arguments in (
        (theory.speedup, (0.5, 3)), (theory.speedup_limit, (3,)), (theory.optimal_gamma, (0.5,))
    ):  # fmt: skip
        for c in (-1, float("nan")):
            with pytest.raises(ValueError, match=f"c is {c}; give a cost"):
                formula(*arguments, c)
    with pytest.raises(ValueError, match="gamma is 0; give a draft length"):
        theory.acceptance_metrics(0.8, 0)


# --- censored outcomes ----------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.3, 0.7, 0.9])
@pytest.mark.parametrize("lengths", [(1,), (4,), (2, 8), (1, 3, 16)])
def test_over_many_rounds_the_censored_estimate_is_alpha_and_the_naive_one_is_not(alpha, lengths):
    rounds = [pair for gamma in lengths for pair in estimators.outcomes_of_length(alpha, gamma)]
    accepted = fsum(share * o.accepted for share, o in rounds)
    assert accepted / fsum(share * o.examined for share, o in rounds) == pytest.approx(alpha)
    drafted = accepted / fsum(share * o.drafted for share, o in rounds)
    assert drafted == pytest.approx(alpha) if lengths == (1,) else drafted < alpha - 0.02
    if len(lengths) == 1:
        rate = theory.acceptance_metrics(alpha, lengths[0])["accepted / drafted"]
        assert drafted == pytest.approx(rate)
    bias = [
        abs(estimators.expected_estimate(rule, alpha, [4] * 4) - alpha)
        for rule in (estimators.accepted_per_examined, estimators.accepted_per_drafted)
    ]
    assert bias[0] < bias[1] / 2


def test_rounds_of_the_loop_become_outcomes(tables):
    target, draft = tables
    rounds = list(generate(target, [0], Sampled(draft), gamma=3, max_new_tokens=200, rows=True))
    observed = [estimators.outcome_of(r, 3) for r in rounds]
    assert estimators.accepted_per_examined(observed) == summarise(rounds).accepted_per_examined
    assert observed[0].sure == pytest.approx(rounds[0].q.max(-1))
    copied = generate(target, [0, 1, 0, 1], PromptLookup(), gamma=2, max_new_tokens=9)
    assert {estimators.outcome_of(r, 2).sure for r in copied} == {()}
    for estimate in (estimators.accepted_per_examined, estimators.accepted_per_drafted):
        with pytest.raises(ValueError, match="no guess was judged"):
            estimate([estimators.Outcome(4, 0, 0)])


# --- batches and passes ---------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.0, 0.4, 1.0])
@pytest.mark.parametrize(("gamma", "tokens"), [(1, 4), (2, 5), (4, 3)])
def test_the_rounds_of_a_text_are_enumerated(alpha, gamma, tokens):
    expected = np.zeros(tokens + 1)
    p = batches.emitted_distribution(alpha, gamma)
    for path in product(range(1, gamma + 2), repeat=tokens):
        expected[int(np.argmax(np.cumsum(path) >= tokens)) + 1] += np.prod(p[list(path)])
    rounds = batches.rounds_distribution(alpha, gamma, tokens)
    np.testing.assert_allclose(rounds, expected, atol=1e-12)
    three = product(range(tokens + 1), repeat=3)
    slowest = sum(np.prod(rounds[list(rows)]) * max(rows) for rows in three)
    assert batches.expected_slowest(rounds, 3) == pytest.approx(slowest)


def test_throughput_by_hand():
    assert batches.throughput(1, 0, 4, lambda k: 9.0, lambda k: 2.0) == 2
    costs = (lambda k: 0.1 * k), (lambda k: k / 4), (lambda b: 0.8)
    assert batches.throughput(2.5, 3, 4, *costs) == pytest.approx(10 / (1.2 + 4 + 0.8))


def test_a_pass_lasts_as_long_as_the_longer_of_its_bytes_and_its_arithmetic():
    model = {"size": 8e9, "bandwidth": 4e12, "parameters": 4e9, "operations": 1e15}
    for tokens, seconds in ((1, 2e-3), (250, 2e-3), (500, 4e-3)):
        assert pass_time(**model, tokens=tokens) == pytest.approx(seconds, rel=1e-12)
    for name in (*model, "tokens"):
        for value in (0, -1.0, float("nan")):
            with pytest.raises(ValueError, match=rf"{name} is .*give a number above 0"):
                pass_time(**{**model, "tokens": 1, name: value})
