"""Lesson 13's quiz: what its right answers say is what the course's code does."""

import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import acceptance_by_position, emitted_tokens, summarise
from course_utils.decoding.sampling import Sampling
from course_utils.decoding.theory import expected_tokens_by_position, speedup_with_costs
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.qwen3_speculative_decoder import quiz as lesson_13
from course_utils.models.names import held_out_prompts
from course_utils.models.toys.tables import TableModel


def right(question):
    return next(choice.text for choice in question.choices if choice.right)


def test_two_sampled_runs_of_one_seed_differ_before_any_rejection(fast):
    assert right(lesson_13.TWO_SAMPLED_RUNS) == "Another text of the same distribution."
    sampling = Sampling(temperature=0.7)
    ids = fast.encode(held_out_prompts("code")[0])
    parted_early = 0
    for seed in range(2):
        options = dict(sampling=sampling, max_new_tokens=16, seed=seed)
        plain = emitted_tokens(generate(fast.target, ids, **options))
        drafted = list(generate(fast.target, ids, Sampled(fast.draft), **options))
        assert emitted_tokens(drafted) != plain
        accepted = drafted[0].drafted[: drafted[0].accepted]
        parted_early += list(accepted) != plain[: len(accepted)]
    assert parted_early


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
    assert right(lesson_13.PREDICTION_AND_CLOCK).startswith("Its inputs are samples")
    for gamma, rounds in toy_runs.items():
        rates = acceptance_by_position(rounds, gamma)
        m = summarise(rounds)
        assert expected_tokens_by_position(rates) == pytest.approx(m.tokens_per_round)
        one = 0.01  # seconds of a target pass over one token; it cancels
        c = m.draft_seconds / m.drafted / one
        v, o = (s / m.rounds / one for s in (m.verify_seconds, m.host_seconds))
        predicted = speedup_with_costs(m.tokens_per_round, gamma, c, lambda k, v=v: v, o)
        assert predicted == pytest.approx(m.tokens / m.seconds * one)


def test_pooled_rates_are_not_those_of_one_gamma(toy_runs):
    pooled = acceptance_by_position([r for rounds in toy_runs.values() for r in rounds], 5)
    for gamma, rounds in toy_runs.items():
        own = summarise(rounds).tokens_per_round
        assert abs(expected_tokens_by_position(pooled[:gamma]) - own) > 1e-4
