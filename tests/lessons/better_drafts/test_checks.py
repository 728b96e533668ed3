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
from course_utils.training.losses import forward_kl


def in_float32(log_p, log_q):
    return 1 - torch.minimum(log_p.float(), log_q.float()).exp().sum(-1)


def gradient_of_another_loss(log_p, log_q):
    """Return the value of 1 - alpha with the gradient of KL."""
    kl = forward_kl(log_p, log_q)
    return kl - kl.detach() + in_float32(log_p, log_q).detach()


RIGHT_ANSWERS = [(check_rejection_loss, in_float32)]
WRONG_ANSWERS = [
    (check_rejection_loss, torch.no_grad()(in_float32), "its gradient: there is none"),
    (check_rejection_loss, gradient_of_another_loss, "its gradient: For the logarithms of p = [["),
    (check_distillation_step, lambda *_: 0.5, "no weight has changed"),
    (check_distillation_step, slip(step, (".mean()", ".sum()")), "the first step: For windows"),
    (check_to_int8, lambda w: (to_int8(w)[0].astype(float), to_int8(w)[1]), "not 'float64'"),
]
