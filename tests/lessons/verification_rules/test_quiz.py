"""The quiz question about the second candidate, checked by calculation."""

import numpy as np

from course_utils.classroom.quiz import questions
from course_utils.decoding.rules import one_hot_residual, residual

P, Q = np.array([0.45, 0.25, 0.15, 0.1, 0.05]), np.array([0.25, 0.1, 0.4, 0.15, 0.1])
RESIDUAL = residual(P, Q)


def output_of_two(chance):
    """Return the token's distribution if the second candidate is accepted with `chance`.

    A correction is drawn from norm(max(RESIDUAL - q, 0)).
    """
    first = np.minimum(P, Q)
    second = (1 - first.sum()) * Q * np.minimum(1, chance)
    return first + second + (1 - first.sum() - second.sum()) * residual(RESIDUAL, Q)


def test_the_second_candidate_is_judged_by_the_residual_and_by_its_own_row():
    renormalised = one_hot_residual(Q, 2).clip(min=1e-9)  # q' after roof, which is rejected most
    chances = {
        "min(1, p(x)/q(x))": P / Q,
        "min(1, p'(x)/q(x))": RESIDUAL / Q,
        "min(1, p(x)/q'(x))": P / renormalised,
        "1:": np.ones(5),
    }
    exact = [x for x, chance in chances.items() if abs(output_of_two(chance) - P).sum() < 1e-12]
    (right,) = (choice.text for choice in questions()["second_candidate"].choices if choice.right)
    assert len(exact) == 1
    assert right.startswith(exact[0])
