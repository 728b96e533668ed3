"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

from types import SimpleNamespace

import pytest

from course_utils.decoding.loop import generate
from course_utils.decoding.metrics import emitted_tokens
from course_utils.decoding.sampling import GREEDY, Sampling
from course_utils.drafters.lookup import PromptLookup
from course_utils.drafters.sampled import Sampled
from course_utils.lessons.qwen3_speculative_decoder.checks import (
    check_fastest_gamma,
    check_speculate,
    check_statistics,
    check_true_accepted,
)
from course_utils.models.tables import TableModel

TOY = SimpleNamespace(
    target=TableModel.random(6, order=1, seed=2), draft=TableModel.random(6, order=1, seed=5)
)
CHECKS = [lambda answer: check_speculate(answer, TOY)]  # not a value: it needs a pair


def speculate(pair, ids, gamma, temperature, drafter=None, **wrong):
    sampling = Sampling(temperature=temperature)
    settings = dict(gamma=gamma, sampling=sampling) | wrong
    drafter = drafter or Sampled(pair.draft, sampling)
    return list(generate(pair.target, ids, drafter, **settings))


def swapped(pair, *rest):
    return speculate(SimpleNamespace(target=pair.draft, draft=pair.target), *rest)


def counts(rounds, **wrong):
    """The count of examined guesses as an earlier lesson teaches it."""
    return {
        "drafted": sum(len(r.drafted) for r in rounds),
        "accepted": sum(r.accepted for r in rounds),
        "examined": sum(r.accepted + (r.accepted < len(r.drafted)) for r in rounds),
        "new": len(emitted_tokens(rounds)),
    } | wrong


def test_both_ways_to_count_what_was_examined_pass():
    assert check_statistics(counts).status == "passed"


WRONG_ANSWERS = [
    (check_statistics, lambda rounds: {"drafted": 1, "accepted": 1}, "a dict with drafted"),
    (check_statistics, lambda rounds: counts(rounds, new=0), "new: For rounds that drafted"),
    (check_fastest_gamma, lambda *_: 3, "o=0.5 the answer is 4, not 3"),
    (check_true_accepted, lambda *_: 7, "counted = 32, rounds = 10, full = 5"),
]


def test_the_right_decoder_passes_with_any_length_and_seed():
    assert check_speculate(speculate, TOY).status == "passed"
    shorter = lambda *each: speculate(*each, seed=3, max_new_tokens=20)  # noqa: E731
    assert check_speculate(shorter, TOY).status == "passed"


def test_the_right_decoder_passes_on_the_trained_pair(pair):
    short = lambda *each: speculate(*each, max_new_tokens=12)  # noqa: E731
    assert check_speculate(short, pair).status == "passed"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda pair, ids, g, t: generate(pair.target, ids), "one by one"),
        (lambda *each: emitted_tokens(speculate(*each)), "rounds themselves"),
        (
            lambda pair, ids, g, t: list(generate(pair.target, ids, sampling=Sampling(t))),
            "standard decoding",
        ),
        (lambda pair, ids, g, t: speculate(pair, ids, 4, t), "Hand gamma on"),
        (lambda pair, ids, *rest: speculate(pair, ids[:1], *rest), "the prompt has 3"),
        (swapped, "exchanged target and draft"),
        (lambda *each: speculate(*each, sampling=Sampling()), "target speaks at temperature 1"),
        (lambda *each: speculate(*each, sampling=GREEDY), "target decodes greedily"),
        (
            lambda *each: speculate(*each, sampling=Sampling(3.0)),
            "p is not the target's distribution",
        ),
        (
            lambda pair, ids, g, t: speculate(
                pair, ids, g, t, Sampled(pair.target, Sampling(temperature=t))
            ),
            "target's own distribution",
        ),
        (
            lambda pair, *rest: speculate(pair, *rest, Sampled(pair.draft)),
            "draft samples at temperature 1",
        ),
        (
            lambda pair, *rest: speculate(pair, *rest, Sampled(pair.draft, GREEDY)),
            "draft samples at temperature 0",
        ),
        (
            lambda pair, *rest: speculate(pair, *rest, Sampled(pair.draft, Sampling(3.0))),
            "q is not the draft",
        ),
        (lambda pair, *rest: speculate(pair, *rest, PromptLookup()), "did not sample"),
    ],
)
def test_mistakes_in_the_decoder(answer, says):
    feedback = check_speculate(answer, TOY)
    assert feedback.status == "wrong"
    assert says in feedback.message


def test_a_decoder_that_runs_the_lessons_own_pair_is_told_so():
    own = SimpleNamespace(target=TableModel.random(9, 0, 0), draft=TableModel.random(9, 0, 1))
    feedback = check_speculate(lambda pair, *rest: speculate(own, *rest), TOY)
    assert "lesson's own pair" in feedback.message
