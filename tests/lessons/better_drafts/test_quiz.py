"""The numbers and claims of lesson 08's quiz, computed with the course's code."""

import numpy as np
import pytest
import torch

from course_utils.decoding.theory import overlap
from course_utils.lessons.better_drafts.greedy_or_sampled import greedy_acceptance
from course_utils.lessons.better_drafts.quiz import CERTAIN_GUESS, SILENT_LOSS
from course_utils.lessons.better_drafts.slopes import gradient_lengths


def right(question):
    return next(choice.text for choice in question.choices if choice.right)


def test_silent_loss():
    log_p = torch.tensor([[0.0, -torch.inf]], dtype=torch.float64)
    log_q = torch.tensor([[0.001, 0.999]], dtype=torch.float64).log()
    alpha, lengths = gradient_lengths(log_p, log_q)
    assert alpha == pytest.approx([0.001])
    assert lengths["TV"][0] / 2**0.5 == pytest.approx(0.001, rel=1e-2)
    assert lengths["-log α"][0] / 2**0.5 == pytest.approx(1, rel=1e-2)
    assert right(SILENT_LOSS).startswith("−log α")


def test_certain_guess():
    p, q = np.array([[0.9, 0.1]]), np.array([[0.6, 0.4]])
    assert greedy_acceptance(p, q) == pytest.approx([0.9])
    assert overlap(p, q) == pytest.approx([0.7])
    assert right(CERTAIN_GUESS) == "The one that guesses the likeliest token."
