"""Lesson 13's quiz: with averages of the rounds that are timed, the formula is exact."""

import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import acceptance_by_position, summarise
from course_utils.drafters.sampled import Sampled
from course_utils.models.toys.tables import TableModel
from course_utils.theory.speedup import expected_tokens_by_position, speedup_with_costs


@pytest.fixture(scope="module")
def toy_runs():
    """Rounds with gamma guesses each, for gamma = 2 and 5."""
    target, draft = (TableModel.random(6, order=1, seed=s) for s in (2, 5))
    runs = {}
    for gamma in (2, 5):
        rounds = generate(target, [1], Sampled(draft), gamma=gamma, max_new_tokens=400)
        runs[gamma] = [r for r in rounds if len(r.drafted) == gamma]
    return runs


def test_the_formula_is_exact_for_the_rounds_it_was_measured_on(toy_runs):
    for gamma, rounds in toy_runs.items():
        rates = acceptance_by_position(rounds, gamma)
        m = summarise(rounds)
        assert expected_tokens_by_position(rates) == pytest.approx(m.tokens_per_round)
        one = 0.01  # seconds of a target pass over one token; it cancels
        c = m.draft_seconds / m.drafted / one
        v, o = (s / m.rounds / one for s in (m.verify_seconds, m.host_seconds))
        predicted = speedup_with_costs(m.tokens_per_round, gamma, c, lambda k, v=v: v, o)
        assert predicted == pytest.approx(m.tokens / m.seconds * one)
