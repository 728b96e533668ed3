"""The numbers of this elective's quiz, computed with the course's code."""

import numpy as np
import pytest

from course_utils.decoding.theory import overlap
from course_utils.lessons.greedy_or_sampled.quiz import CERTAIN_GUESS
from course_utils.lessons.greedy_or_sampled.temperatures import greedy_acceptance


def right(question):
    return next(choice.text for choice in question.choices if choice.right)


def test_certain_guess():
    p, q = np.array([[0.9, 0.1]]), np.array([[0.6, 0.4]])
    assert greedy_acceptance(p, q) == pytest.approx([0.9])
    assert overlap(p, q) == pytest.approx([0.7])
    assert right(CERTAIN_GUESS) == "The one that guesses the likeliest token."
