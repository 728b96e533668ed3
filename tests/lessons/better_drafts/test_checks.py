"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

import numpy as np
import torch

from course_utils.decoding.rules import TOKEN_WISE
from course_utils.lessons.better_drafts.checks import (
    check_acceptance_loss,
    check_distillation_step,
    check_one_position,
    check_to_int8,
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


def inverse_scale(weight):
    scale = 127 / np.abs(weight).max(axis=1)
    return np.round(weight * scale[:, None]).astype(np.int8), scale


def loss_of_the_new_weights(draft, optimiser, windows, log_p, loss):
    optimiser.zero_grad()
    loss(log_p, log_rows(draft, windows)).mean().backward()
    optimiser.step()
    with torch.no_grad():
        return loss(log_p, log_rows(draft, windows)).mean().item()


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


def cleared_too_soon(draft, optimiser, windows, log_p, loss):
    value = loss(log_p, log_rows(draft, windows)).mean()
    value.backward()
    optimiser.zero_grad()
    optimiser.step()
    return value.item()


def by_hand(p, q, greedy):
    """Token by token, from the words of the lesson."""
    if greedy:
        x = max(range(len(q)), key=lambda i: q[i])
        others = [0.0 if i == x else p[i] for i in range(len(p))]
        return p[x], [other / (sum(others) or 1) for other in others]
    accepted = sum(map(min, p, q))
    left = [max(a - b, 0.0) for a, b in zip(p, q, strict=True)]
    return accepted, [x / (sum(left) or 1) for x in left]


def by_the_rule(p, q, greedy):
    """(acceptance, emitted) with the course's rule, uniform by uniform."""
    drawn = np.eye(len(q))[np.argmax(q)] if greedy else q
    accepted, emitted = 0.0, np.zeros(len(p))
    rows = np.stack([p, p])
    fine = (np.arange(2000) + 0.5) / 2000
    for x in np.flatnonzero(drawn):
        share = min(1.0, p[x] / drawn[x])
        accepted += drawn[x] * share
        emitted[x] += drawn[x] * share
        if share < 1:
            told = [TOKEN_WISE.verify(rows, drawn[None], [x], [0.999999, u]).token for u in fine]
            emitted += drawn[x] * (1 - share) * np.bincount(told, minlength=len(p)) / len(fine)
    return accepted, np.round(emitted, 2)


RIGHT_ANSWERS = [
    (check_acceptance_loss, by_the_difference),
    (check_acceptance_loss, in_float32),
    (check_distillation_step, step_in_another_order),
    (check_distillation_step, step_that_keeps_no_gradient),
    (check_one_position, by_hand),
    (check_one_position, lambda *case: list(one_position(*case))),
]

WRONG_ANSWERS = [
    (check_acceptance_loss, lambda log_p, log_q: 0.0, "not 0"),
    (check_acceptance_loss, lambda log_p, log_q: log_p @ log_q, "Error"),
    (check_distillation_step, cleared_too_soon, "nothing has moved"),
    (check_distillation_step, lambda *_: 0.5, "nothing has moved"),
    (check_distillation_step, lambda d, o, w, p, loss: loss(p, log_rows(d, w[:, 1:])), "Error"),
    (check_one_position, lambda p, q, greedy: 0.5, "in this order: accepted, correction"),
    (check_one_position, lambda p, q, greedy: (..., p), "accepted is still open"),
    (check_one_position, lambda p, q, greedy: (0.5, p), "accepted: For p = "),
    (check_one_position, lambda p, q, g: (one_position(p, q, g)[0], p), "draw from p"),
    (check_one_position, lambda p, q, g: (one_position(p, q, g)[0], q), "correction: "),
    (check_acceptance_loss, torch.no_grad()(in_float32), "its gradient: there is none"),
    (check_acceptance_loss, gradient_of_another_loss, "its gradient: For rows of shape (4, 5)"),
    (check_to_int8, inverse_scale, "values * scale gives the weights back"),
    (check_distillation_step, loss_of_the_new_weights, "that is the loss after the step"),
]


def test_the_lessons_two_examples():
    """Neither kind of draft is always the better one."""
    p, q = np.array([0.9, 0.1]), np.array([0.6, 0.4])
    assert one_position(p, q, True)[0] == 0.9
    assert abs(one_position(p, q, False)[0] - 0.7) < 1e-12
    flat = np.full(8, 1 / 8)
    assert one_position(flat, flat, True)[0] == 1 / 8
    assert one_position(flat, flat, False)[0] == 1


def test_the_course_rule_emits_what_the_exercise_says():
    for greedy in (True, False):
        p, q = np.array([0.2, 0.5, 0.3]), np.array([0.5, 0.3, 0.2])
        accepted, came = by_the_rule(p, q, greedy)
        assert abs(accepted - one_position(p, q, greedy)[0]) < 1e-12
        np.testing.assert_allclose(came, p, atol=0.01)


def test_acceptances_and_corrections_make_the_target_in_every_case():
    for p, q, greedy in check_one_position.cases:
        accepted, correction = one_position(p, q, greedy)
        drawn = np.eye(len(q))[np.argmax(q)] if greedy else q
        np.testing.assert_allclose(np.minimum(p, drawn) + (1 - accepted) * correction, p)
