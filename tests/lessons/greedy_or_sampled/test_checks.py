"""Answers that the exercises of this room do not hold themselves."""

import numpy as np

from course_utils.decoding.sampling import Sampling
from course_utils.lessons.greedy_or_sampled.checks import (
    check_means_at,
    check_one_position,
    one_position,
)
from course_utils.lessons.greedy_or_sampled.temperatures import over_temperature


def by_hand(p, q, greedy):
    """Token by token, from the words of the lesson."""
    if greedy:
        x = max(range(len(q)), key=lambda i: q[i])
        others = [0.0 if i == x else p[i] for i in range(len(p))]
        return p[x], [other / (sum(others) or 1) for other in others]
    accepted = sum(map(min, p, q))
    left = [max(a - b, 0.0) for a, b in zip(p, q, strict=True)]
    return accepted, [x / (sum(left) or 1) for x in left]


def as_the_course_has_it(target_logits, draft_logits, temperature):
    found = over_temperature(target_logits, draft_logits, [Sampling(temperature).temperature])
    return [found["greedy"][0], found["sampled"][0]]


RIGHT_ANSWERS = [(check_one_position, by_hand), (check_means_at, as_the_course_has_it)]

WRONG_ANSWERS = [
    (check_one_position, lambda p, q, greedy: (0.5, p), "accepted: For p = "),
    (
        check_one_position,
        lambda p, q, greedy: (one_position(p, q, greedy)[0], p if greedy else by_hand(p, q, 0)[1]),
        "and a greedy draft you draw from p after a rejection",
    ),
]


def test_acceptances_and_corrections_make_the_target_in_every_case():
    for p, q, greedy in check_one_position.cases:
        accepted, correction = one_position(p, q, greedy)
        drawn = np.eye(len(q))[np.argmax(q)] if greedy else q
        np.testing.assert_allclose(np.minimum(p, drawn) + (1 - accepted) * correction, p)
