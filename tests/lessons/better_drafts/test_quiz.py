"""The numbers and claims of lesson 08's quiz, computed with the course's code."""

import pytest
import torch

from course_utils.lessons.better_drafts.distilled import gradient_lengths
from course_utils.theory.speedup import optimal_gamma


def test_silent_loss():
    log_p = torch.tensor([[0.0, -torch.inf]], dtype=torch.float64)
    log_q = torch.tensor([[0.001, 0.999]], dtype=torch.float64).log()
    alpha, lengths = gradient_lengths(log_p, log_q)
    assert alpha == pytest.approx([0.001])
    assert lengths["TV"][0] / 2**0.5 == pytest.approx(0.001, rel=1e-2)
    assert lengths["-log α"][0] / 2**0.5 == pytest.approx(1, rel=1e-2)


def test_right_or_cheap():
    """The reasons name both speedups, and gamma 4."""
    best = [optimal_gamma(alpha, c) for alpha, c in ((0.85, 0.5), (0.6, 0.05))]
    assert [gamma for gamma, _ in best] == [2, 4]
    assert [round(gain, 2) for _, gain in best] == [1.29, 1.92]
