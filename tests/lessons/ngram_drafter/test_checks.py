"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

from itertools import pairwise

import pytest

from course_utils.decoding.contracts import NO_DRAFT, Draft
from course_utils.drafters.lookup import PromptLookup
from course_utils.lessons.ngram_drafter.checks import (
    check_best_drafter,
    check_copycat,
    check_counted_probability,
    check_find_match,
    check_interpolated,
)
from course_utils.models.n_grams import NGram


def listed(sentences, context, word):
    followers = [b for s in sentences for a, b in pairwise(s) if a == context]
    return followers.count(word) / len(followers) if followers else 0.0


def shared_lookup(tokens, length):
    match = PromptLookup(length, length).find(tokens)
    return match[0] if match else None


def drafting(propose):
    """A drafter class around propose(tokens, gamma)."""
    return type(
        "Student", (), {"propose": lambda self, tokens, gamma, noise: propose(tokens, gamma)}
    )


def copying(wrap):
    return drafting(lambda t, gamma: wrap(PromptLookup(2, 2).propose(t, gamma, None).tokens))


def popping(tokens, gamma):
    tokens.pop()
    return NO_DRAFT


def by(measure, choose=max):
    return lambda logs: choose(logs, key=lambda name: measure(logs[name]))


RIGHT_ANSWERS = [
    (check_copycat, copying(lambda tokens: Draft(tokens, None))),
    (check_copycat, copying(lambda tokens: Draft(list(tokens), None))),
    (check_best_drafter, by(lambda m: m.target_forwards / m.tokens, min)),
    (check_counted_probability, listed),
    (check_find_match, shared_lookup),
]
WRONG_ANSWERS = [
    (check_counted_probability, lambda s, c, w: listed(s, c, w) or 1e-3, "is 0, not 0.001"),
    (check_counted_probability, lambda s, c, w: 0.3, "P(吃 | 喜欢)"),
    (check_interpolated, lambda c, n, k, d, s: 0.5, "total = 5"),
    (check_find_match, lambda t, n: 0, "not 0"),
    (check_copycat, copying(list), "Return a Draft"),
    (check_copycat, copying(lambda tokens: Draft(tokens, 1.0)), "q=None"),
    (check_copycat, drafting(popping), "changed `tokens`"),
    (check_copycat, drafting(lambda t, gamma: Draft((0,), None)), "not Draft(tokens=(0,)"),
    (check_best_drafter, by(lambda m: m.accepted_per_drafted), "seldom drafts"),
    (check_best_drafter, lambda logs: "somebody", "16 tokens, 4 forwards"),
]
CHECKS = [lambda function: check_copycat(type("Student", (), {"propose": function}))]


def test_the_formula_of_the_exercise_is_that_of_the_model():
    model = NGram([[0, 1, 2], [0, 1, 2], [0, 1, 3]], n=2, vocabulary_size=5, discount=0.5)
    followers, shorter = model.counts[(1,)], model.distribution([])
    for token, probability in enumerate(model.distribution([0, 1])):
        expected = check_interpolated.right(
            followers[token], 3, len(followers), 0.5, shorter[token]
        )
        assert probability == pytest.approx(expected)
