"""The checks of lesson 02 pass what is right and name what is likely wrong."""

from itertools import pairwise

import pytest

from course_utils.classroom.feedback import PASSED, WRONG
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


def pairs(sentences):
    return [pair for s in sentences for pair in pairwise(s)]


def counted(sentences, context, word):
    followers = [b for a, b in pairs(sentences) if a == context]
    return followers.count(word) / len(followers) if followers else 0.0


def together(s, c, w):
    return pairs(s).count((c, w))


def unguarded(s, c, w):
    return together(s, c, w) / sum(a == c for a, _ in pairs(s))


def interpolated(count, total, kinds, discount, shorter):
    if not total:
        return shorter
    return (max(count - discount, 0) + discount * kinds * shorter) / total


def shared_lookup(tokens, length):
    match = PromptLookup(length, length).find(tokens)
    return match[0] if match else None


def first_match(t, n):
    return next((i for i in range(len(t) - n) if t[i : i + n] == t[-n:]), None)


def itself(t, n):
    return max(i for i in range(len(t) - n + 1) if t[i : i + n] == t[-n:])


def after(t, n):
    return None if shared_lookup(t, n) is None else shared_lookup(t, n) + n


def drafting(propose):
    """A drafter class around propose(tokens, gamma)."""
    return type(
        "Student", (), {"propose": lambda self, tokens, gamma, noise: propose(tokens, gamma)}
    )


def copy(find, skip=2, wrap=lambda tokens: Draft(tuple(tokens), None), nothing=NO_DRAFT):
    def propose(tokens, gamma):
        start = find(tokens, 2)
        return nothing if start is None else wrap(tokens[start + skip :][:gamma])

    return drafting(propose)


def popping(tokens, gamma):
    tokens.pop()
    return NO_DRAFT


def by(measure, choose=max):
    return lambda logs: choose(logs, key=lambda name: measure(logs[name]))


RIGHT = [
    (check_copycat, copy(shared_lookup)),
    (
        check_copycat,
        drafting(lambda tokens, gamma: PromptLookup(2, 2).propose(tokens, gamma, None)),
    ),
    (check_best_drafter, by(lambda m: m.target_forwards / m.tokens, min)),
    (check_best_drafter, by(lambda m: m.tokens_per_round)),
    (check_counted_probability, counted),
    (check_interpolated, interpolated),
    (check_find_match, shared_lookup),
]
WRONG_ANSWERS = [
    (check_counted_probability, together, "That is a count"),
    (check_counted_probability, lambda s, c, w: together(s, c, w) / len(pairs(s)), "all pairs"),
    (
        check_counted_probability,
        lambda s, c, w: together(s, c, w) / max(sum(x.count(w) for x in s), 1),
        "the WORD",
    ),
    (
        check_counted_probability,
        lambda s, c, w: together(s, c, w) / len(s),
        "number of sentences",
    ),
    (
        check_counted_probability,
        lambda s, c, w: sum(x.count(w) for x in s) / sum(map(len, s)),
        "ignored the context",
    ),
    (check_counted_probability, unguarded, "nothing to divide by"),
    (check_counted_probability, lambda s, c, w: counted(s, c, w) or 1e-3, "0.0, not 0.001"),
    (check_counted_probability, lambda s, c, w: 0.3, "P(吃 | 喜欢)"),
    (check_interpolated, lambda c, n, k, d, s: max(c - d, 0) / n if n else s, "to anybody"),
    (check_interpolated, lambda c, n, k, d, s: c / n if n else s, "plain counts"),
    (check_interpolated, lambda c, n, k, d, s: (c - d + d * k * s) / n if n else s, "off at 0"),
    (
        check_interpolated,
        lambda c, n, k, d, s: (max(c - d, 0) + d * s) / n if n else s,
        "EACH of the kinds",
    ),
    (check_interpolated, lambda c, n, k, d, s: max(c - d, 0) / n if c else s, "only where"),
    (check_interpolated, lambda c, n, k, d, s: (c + d * k * s) / n if n else s, "full count"),
    (
        check_interpolated,
        lambda c, n, k, d, s: (max(c - d, 0) + d * k * s) / n,
        "the shorter context says",
    ),
    (check_interpolated, lambda c, n, k, d, s: 0.5, "count=4"),
    (check_find_match, first_match, "the first match"),
    (check_find_match, itself, "EARLIER"),
    (check_find_match, after, "where the copy begins"),
    (
        check_find_match,
        lambda t, n: None if after(t, n) is None else t[after(t, n) :],
        "tokens that follow",
    ),
    (
        check_find_match,
        lambda t, n: -1 if shared_lookup(t, n) is None else shared_lookup(t, n),
        "return None",
    ),
    (check_find_match, lambda t, n: 0, "not 0"),
    (check_copycat, copy(shared_lookup, skip=0), "copy the match itself"),
    (check_copycat, copy(shared_lookup, wrap=list), "Return a Draft"),
    (check_copycat, copy(shared_lookup, wrap=lambda t: Draft(tuple(t), 1.0)), "q=None"),
    (check_copycat, copy(shared_lookup, nothing=None), "empty draft"),
    (check_copycat, copy(first_match), "the first match"),
    (
        check_copycat,
        drafting(lambda t, gamma: PromptLookup(2, 2).propose(t, 99, None)),
        "at most `gamma`",
    ),
    (
        check_copycat,
        drafting(
            lambda t, gamma: (
                NO_DRAFT if shared_lookup(t, 2) is None else Draft(tuple(t[-gamma:]), None)
            )
        ),
        "repeat the end",
    ),
    (check_copycat, drafting(popping), "changed `tokens`"),
    (check_copycat, drafting(lambda t, gamma: Draft((0,), None)), "not [0]"),
    (check_best_drafter, by(lambda m: m.accepted_per_examined), "seldom drafts"),
    (check_best_drafter, by(lambda m: m.accepted_per_drafted), "seldom drafts"),
    (check_best_drafter, by(lambda m: m.drafted), "drafts most"),
    (check_best_drafter, by(lambda m: m.accepted), "number of accepted"),
    (check_best_drafter, by(lambda m: m.target_forwards, min), "number of target forwards"),
    (check_best_drafter, by(lambda m: m.tokens_per_round, min), "saves least"),
    (check_best_drafter, lambda logs: "somebody", "16 tokens, 4 forwards"),
]
CHECKS = [
    check_counted_probability,
    check_interpolated,
    check_find_match,
    check_best_drafter,
    lambda function: check_copycat(drafting(function) if callable(function) else function),
]


@pytest.mark.parametrize(("check", "answer"), RIGHT)
def test_right_answers_pass(check, answer):
    assert check(answer).status == PASSED


@pytest.mark.parametrize(("check", "answer", "hint"), WRONG_ANSWERS)
def test_each_typical_mistake_is_named(check, answer, hint):
    feedback = check(answer)
    assert feedback.status == WRONG
    assert hint in feedback.message


def test_the_formula_of_the_exercise_is_that_of_the_model():
    model = NGram([[0, 1, 2], [0, 1, 2], [0, 1, 3]], n=2, vocabulary_size=5, discount=0.5)
    followers, shorter = model.counts[(1,)], model.law([])
    for token, probability in enumerate(model.law([0, 1])):
        expected = interpolated(followers[token], 3, len(followers), 0.5, shorter[token])
        assert probability == pytest.approx(expected)
