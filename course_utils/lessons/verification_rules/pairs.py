"""What the checks of this lesson share: two rows to try, and an answer of two numbers."""

import numpy as np

Pair = tuple[float, float]

# the five words of the lesson; and four words on whose order p and q disagree
P, Q = np.array([0.45, 0.25, 0.15, 0.1, 0.05]), np.array([0.25, 0.1, 0.4, 0.15, 0.1])
P4, Q4 = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.4, 0.35, 0.15, 0.1])


def two_numbers(answer: object, *_: object) -> str | None:
    """What is wrong with the form of an answer that should be two numbers."""
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        return "Return two numbers, in the order of the task."
    if any(x is None or x is ... for x in answer):
        return "One of the two numbers is still open."
    return None
