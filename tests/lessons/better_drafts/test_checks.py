"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

import numpy as np
import torch

from course_utils.lessons.better_drafts.checks import (
    check_acceptance_loss,
    check_distillation_step,
    check_one_position,
    one_position,
)
from course_utils.training.losses import forward_kl, log_rows


def by_the_difference(log_p, log_q):
    """alpha = 1 - TV, in probabilities."""
    p, q = log_p.exp(), log_q.exp()
    return -(1 - (p - q).abs().sum(-1) / 2).log()


def in_float32(log_p, log_q):
    return -torch.minimum(log_p.float(), log_q.float()).logsumexp(-1)


def gradient_of_another_loss(log_p, log_q):
    """The value of -log alpha; what is learned is KL."""
    kl = forward_kl(log_p, log_q)
    return kl - kl.detach() + in_float32(log_p, log_q).detach()


def step_in_another_order(draft, optimiser, windows, log_p, loss):
    optimiser.zero_grad(set_to_none=False)
    value = loss(log_p, draft(windows[:, :-1]).logits.log_softmax(-1)).mean()
    value.backward()
    optimiser.step()
    return value


def step_that_keeps_no_gradient(draft, optimiser, windows, log_p, loss):
    value = loss(log_p.flatten(0, 1), log_rows(draft, windows).flatten(0, 1)).mean()
    value.backward()
    optimiser.step()
    optimiser.zero_grad()
    return float(value.detach())


def by_hand(p, q, greedy):
    """Token by token, from the words of the lesson."""
    if greedy:
        x = max(range(len(q)), key=lambda i: q[i])
        others = [0.0 if i == x else p[i] for i in range(len(p))]
        return p[x], [other / (sum(others) or 1) for other in others]
    accepted = sum(map(min, p, q))
    left = [max(a - b, 0.0) for a, b in zip(p, q, strict=True)]
    return accepted, [x / (sum(left) or 1) for x in left]


RIGHT_ANSWERS = [
    (check_acceptance_loss, by_the_difference),
    (check_acceptance_loss, in_float32),
    (check_distillation_step, step_in_another_order),
    (check_distillation_step, step_that_keeps_no_gradient),
    (check_one_position, by_hand),
]

WRONG_ANSWERS = [
    (check_acceptance_loss, lambda log_p, log_q: log_p @ log_q, "Error"),
    (check_acceptance_loss, torch.no_grad()(in_float32), "its gradient: there is none"),
    (check_acceptance_loss, gradient_of_another_loss, "its gradient: For rows of shape (4, 5)"),
    (check_distillation_step, lambda *_: 0.5, "nothing has moved"),
    (check_one_position, lambda p, q, greedy: (0.5, p), "accepted: For p = "),
]


def test_acceptances_and_corrections_make_the_target_in_every_case():
    for p, q, greedy in check_one_position.cases:
        accepted, correction = one_position(p, q, greedy)
        drawn = np.eye(len(q))[np.argmax(q)] if greedy else q
        np.testing.assert_allclose(np.minimum(p, drawn) + (1 - accepted) * correction, p)
