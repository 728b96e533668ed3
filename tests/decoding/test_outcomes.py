"""What a round tells of the acceptance: censored outcomes, and estimates that mind it or not."""

from math import fsum

import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import summarise
from course_utils.decoding.outcomes import (
    Outcome,
    censored,
    expected_estimate,
    fastest_length,
    naive,
    of_length,
    outcome_of,
    round_cost,
)
from course_utils.decoding.theory import acceptance_metrics, optimal_gamma
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled

ALPHAS = (0.3, 0.7, 0.9)


def expected(part, whole, alpha, lengths):
    """E[part] / E[whole]: what a ratio of sums tends to over many such rounds."""
    sums = [
        fsum(share * count(o) for gamma in lengths for share, o in of_length(alpha, gamma))
        for count in (part, whole)
    ]
    return sums[0] / sums[1]


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("lengths", [(1,), (4,), (2, 8), (1, 3, 16)])
def test_over_many_rounds_the_censored_estimate_is_alpha_and_the_naive_one_is_not(alpha, lengths):
    ratio = expected(lambda o: o.accepted, lambda o: o.examined, alpha, lengths)
    assert ratio == pytest.approx(alpha, abs=1e-12)
    drafted = expected(lambda o: o.accepted, lambda o: o.drafted, alpha, lengths)
    if lengths == (1,):
        assert drafted == pytest.approx(alpha, abs=1e-12)  # one guess is always examined
    else:
        assert drafted < alpha - 0.02
    if len(lengths) == 1:
        assert drafted == pytest.approx(
            acceptance_metrics(alpha, lengths[0])["accepted / drafted"], abs=1e-12
        )


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_naive_estimate_is_off_in_few_rounds_too(alpha):
    lengths = [4] * 5
    bias = abs(expected_estimate(censored, alpha, lengths) - alpha)
    assert bias < abs(expected_estimate(naive, alpha, lengths) - alpha) / 2


def test_nothing_judged_is_no_estimate():
    for estimate in (censored, naive):
        with pytest.raises(ValueError, match="nothing to estimate"):
            estimate([Outcome(4, 0, 0)])


@pytest.mark.parametrize("alpha", [0.2, 0.5, 0.8, 0.95])
@pytest.mark.parametrize("c", [0.05, 0.2, 0.6])
def test_the_fastest_length_is_the_theorys(alpha, c):
    found = fastest_length([alpha**j for j in range(1, 31)], round_cost(c))
    assert found == optimal_gamma(alpha, c, 30)[0]


def test_a_step_in_the_cost_moves_the_fastest_length():
    """Up to four rows cost one price: three guesses bring more than two at the same."""
    stairs = round_cost(0.01, lambda k: 1.0 if k <= 4 else 2.0)
    assert fastest_length([0.5**j for j in range(1, 9)], stairs) == 3


def test_rounds_of_the_loop_become_outcomes(tables):
    target, draft = tables
    rounds = list(generate(target, [0], Sampled(draft), gamma=3, max_new_tokens=200, rows=True))
    outcomes = [outcome_of(r, 3) for r in rounds]
    counted = summarise(rounds)
    assert sum(o.accepted for o in outcomes) == counted.accepted
    assert sum(o.examined for o in outcomes) == counted.examined
    assert censored(outcomes) == counted.accepted_per_examined
    assert outcomes[0].sure == pytest.approx(rounds[0].q.max(-1))
    copied = list(generate(target, [0, 1, 0, 1], PromptLookup(), gamma=2, max_new_tokens=9))
    assert {outcome_of(r, 2).sure for r in copied} == {()}
