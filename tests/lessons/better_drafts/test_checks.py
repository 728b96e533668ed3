"""More right and wrong answers to this room's exercises."""

import torch

from course_utils.edits import slip
from course_utils.lessons.better_drafts.checks import (
    check_distillation_step,
    check_rejection_loss,
    check_to_int8,
    to_int8,
)
from course_utils.lessons.better_drafts.checks import distillation_step as step
from course_utils.training.losses import forward_kl, log_rows


def by_the_difference(log_p, log_q):
    """Return 1 - alpha as half the sum of differences."""
    return (log_p.exp() - log_q.exp()).abs().sum(-1) / 2


def in_float32(log_p, log_q):
    return 1 - torch.minimum(log_p.float(), log_q.float()).exp().sum(-1)


def gradient_of_another_loss(log_p, log_q):
    """Return the value of 1 - alpha with the gradient of KL."""
    kl = forward_kl(log_p, log_q)
    return kl - kl.detach() + in_float32(log_p, log_q).detach()


def step_that_clears_at_the_end(draft, optimiser, windows, log_p, loss):
    value = loss(log_p.flatten(0, 1), log_rows(draft, windows).flatten(0, 1)).mean()
    value.backward()
    optimiser.step()
    optimiser.zero_grad()
    return value


RIGHT_ANSWERS = [
    (check_rejection_loss, by_the_difference),
    (check_rejection_loss, in_float32),
    (check_distillation_step, step_that_clears_at_the_end),
]
WRONG_ANSWERS = [
    (check_rejection_loss, torch.no_grad()(in_float32), "its gradient: there is none"),
    (check_rejection_loss, gradient_of_another_loss, "its gradient: For the logarithms of p = [["),
    (check_distillation_step, lambda *_: 0.5, "no weight has changed"),
    (check_distillation_step, slip(step, (".mean()", ".sum()")), "the first step: For windows"),
    (check_to_int8, lambda w: (to_int8(w)[0].astype(float), to_int8(w)[1]), "not 'float64'"),
    (check_to_int8, lambda weight: to_int8(weight)[::-1], "values of the weights' shape (2, 3)"),
]
