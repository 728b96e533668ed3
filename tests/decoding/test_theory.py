"""Every formula against an independent computation."""

import numpy as np
import pytest

from course_utils.decoding import theory


def simulated_tokens(alpha, gamma, runs=200_000, seed=0):
    accepted = np.random.default_rng(seed).random((runs, gamma)) < alpha
    return (accepted.cumprod(axis=1).sum(axis=1) + 1).mean()


@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.8, 1.0])
@pytest.mark.parametrize("gamma", [0, 1, 4, 8])
def test_expected_tokens_is_what_a_simulation_gives(alpha, gamma):
    # five standard errors: at most gamma / 2 each, over 200,000 rounds
    assert theory.expected_tokens(alpha, gamma) == pytest.approx(
        simulated_tokens(alpha, gamma) if gamma else 1, abs=5 * 4 / np.sqrt(200_000)
    )


def test_expected_tokens_by_position_reduces_to_the_formula():
    assert theory.expected_tokens_by_position([0.7] * 5) == pytest.approx(
        theory.expected_tokens(0.7, 5)
    )
    assert theory.expected_tokens_by_position([0.9, 0.5]) == pytest.approx(1 + 0.9 + 0.45)


@pytest.mark.parametrize("c", [0.001, 0.01, 0.05, 0.3, 0.9])
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


def test_where_longer_is_always_better_no_gamma_is_named():
    for alpha, c in ((0.5, 0.0), (1.0, 0.9)):
        with pytest.raises(ValueError, match="no draft length is the best"):
            theory.optimal_gamma(alpha, c)
        assert theory.optimal_gamma(alpha, c, largest=16)[0] == 16
    assert theory.optimal_gamma(0.0, 0.0) == (1, 1.0)  # nothing is accepted, nothing is paid
    assert theory.optimal_gamma(1.0, 1.0) == (1, 1.0)
    assert theory.optimal_gamma(1.0, 1.5)[0] == 1
    with pytest.raises(ValueError, match="c is -0"):
        theory.optimal_gamma(0.5, -0.1)
    with pytest.raises(ValueError, match="largest is 0"):
        theory.optimal_gamma(0.5, 0.1, largest=0)


@pytest.mark.parametrize("c", [0.1, 0.3, 0.6])
def test_a_gain_exists_iff_alpha_exceeds_c_where_verification_and_host_are_free(c):
    assert theory.optimal_gamma(c + 0.01, c)[1] > 1
    assert theory.optimal_gamma(c - 0.01, c)[1] < 1


@pytest.mark.parametrize(
    ("alpha", "c", "v", "o", "gains"),
    [
        (0.05, 0.06, 0.9, 0.0, True),  # alpha < c, but two tokens in a pass are cheaper than one
        (0.07, 0.06, 1.1, 0.0, False),  # alpha > c, but two tokens in a pass are dearer
        (0.07, 0.06, 1.0, 0.1, False),  # alpha > c, but the host has to be paid
        (0.01, 0.0, 1.02, 0.0, False),  # even a free draft
    ],
)
def test_real_costs_move_the_line_where_a_gain_begins(alpha, c, v, o, gains):
    ours = theory.speedup_with_costs(theory.expected_tokens(alpha, 1), 1, c, lambda k: v, o)
    assert (ours > 1) == gains
    assert (theory.speedup(alpha, 1, c) > 1) == (alpha > c)


def test_the_limit_bounds_the_speedup():
    for gamma in range(1, 30):
        assert theory.speedup_limit(gamma, 0.9) < 1 / 0.9
        assert theory.speedup_limit(gamma, 1.0) == 1
        assert 1 > theory.speedup_limit(gamma, 1.5) > 1 / 1.5
        limit = theory.speedup_limit(gamma, 0.1)
        assert theory.speedup(0.999, gamma, 0.1) < limit < 10
        assert theory.speedup(1.0, gamma, 0.1) == pytest.approx(limit)


def test_real_costs_reduce_to_the_formula_when_verification_is_free():
    tokens = theory.expected_tokens(0.8, 4)
    assert theory.speedup_with_costs(tokens, 4, 0.1, lambda k: 1.0, 0.0) == pytest.approx(
        theory.speedup(0.8, 4, 0.1)
    )
    assert theory.speedup_with_costs(tokens, 4, 0.1, lambda k: 1.3, 0.2) == pytest.approx(
        tokens / (0.4 + 1.3 + 0.2)
    )


def test_operations_increase():
    # (1 - a)(gamma c + gamma + 1) / (1 - a^(gamma + 1)) at a = .8, gamma = 4, c = .05
    assert theory.operations_increase(0.8, 4, 0.05) == pytest.approx(0.2 * 5.2 / (1 - 0.8**5))


def test_mixed_text_is_worse_than_its_mean():
    assert theory.mixed_text_tokens([0.5, 0.9], [0.5, 0.5], 4) == pytest.approx(2.63, abs=0.005)
    assert theory.expected_tokens(0.7, 4) == pytest.approx(2.77, abs=0.005)


def test_the_acceptance_rates_of_the_checked_table():
    four = theory.acceptance_metrics(0.8, 4)
    eight = theory.acceptance_metrics(0.8, 8)
    expected = {
        "accepted / drafted": (0.590, 0.416),
        "accepted / examined": (0.800, 0.800),
        "mean accepted + 1": (3.36, 4.33),
        "accepted / emitted": (0.702, 0.769),
        "emitted / drafted": (0.840, 0.541),
    }
    for name, (at_four, at_eight) in expected.items():
        assert four[name] == pytest.approx(at_four, abs=0.005)
        assert eight[name] == pytest.approx(at_eight, abs=0.005)


def test_overlap_is_one_minus_total_variation():
    rng = np.random.default_rng(0)
    p, q = rng.dirichlet(np.ones(6), 10), rng.dirichlet(np.ones(6), 10)
    np.testing.assert_allclose(theory.overlap(p, q), np.minimum(p, q).sum(-1))
    np.testing.assert_allclose(theory.overlap(p, q), 1 - theory.total_variation(p, q))


@pytest.mark.parametrize(("alpha", "gamma"), [(-0.1, 3), (1.1, 3), (0.5, -1)])
def test_impossible_arguments_are_refused(alpha, gamma):
    with pytest.raises(ValueError, match="is"):
        theory.expected_tokens(alpha, gamma)


@pytest.mark.parametrize("c", [-1, -1e-9, float("nan")])
def test_a_negative_cost_is_refused_by_every_formula(c):
    for formula, given in (
        (theory.speedup, (0.5, 3)), (theory.speedup_limit, (3,)), (theory.optimal_gamma, (0.5,))
    ):  # fmt: skip
        with pytest.raises(ValueError, match=f"c is {c}; a cost"):
            formula(*given, c)


def test_rates_of_no_draft_are_refused():
    with pytest.raises(ValueError, match="gamma is 0; without a draft"):
        theory.acceptance_metrics(0.8, 0)
