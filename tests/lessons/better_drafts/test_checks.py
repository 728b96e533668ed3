"""Answers that the exercises of this room do not hold themselves, right ones and wrong ones."""

from copy import deepcopy

import numpy as np
import torch

from course_utils.lessons.better_drafts import distilled
from course_utils.lessons.better_drafts.checks import (
    check_distillation_step,
    check_exit_guesses,
    check_rejection_loss,
    check_to_int8,
    check_training,
)
from course_utils.training.losses import forward_kl, log_rows, total_variation


def by_the_difference(log_p, log_q):
    """1 - alpha as half of what the rows differ by."""
    return (log_p.exp() - log_q.exp()).abs().sum(-1) / 2


def in_float32(log_p, log_q):
    return 1 - torch.minimum(log_p.float(), log_q.float()).exp().sum(-1)


def gradient_of_another_loss(log_p, log_q):
    """The value of 1 - alpha; what is learned is KL."""
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


def training_from_an_empty_list(draft, target, text, held_out, steps, every):
    """Looks before a step, and once at the end."""
    optimiser, alphas = distilled.Optimiser(draft, steps), []
    for i, windows in zip(range(steps), text):  # noqa: B905
        if i % every == 0:
            alphas.append(held_out.alpha(draft))
        log_p = distilled.rows_of(target, windows)
        step_in_another_order(draft, optimiser, windows, log_p, by_the_difference)
    return np.array(alphas if steps % every else [*alphas, held_out.alpha(draft)])


def training_without_end(draft, target, text, held_out, steps, every):
    for windows in text:
        distilled.rows_of(target, windows)


def training_that_only_looks(draft, target, text, held_out, steps, every):
    return [held_out.alpha(draft) for _ in range(1 + steps // every) if next(text) is not None]


def first_window_only(draft, optimiser, windows, log_p, loss):
    return distilled.distillation_step(draft, optimiser, windows[:1], log_p[:1], loss)


def training_of_a_copy(draft, *given):
    return distilled.distil(deepcopy(draft), *given)


def training_in_blocks(draft, target, text, held_out, steps, every):
    """Forgets the steps after the last look."""
    done = steps // every * every
    return distilled.distil(draft, target, text, held_out, done, every)


def in_place(weight):
    scale = np.abs(weight).max(axis=1) / 127
    weight /= scale[:, None]
    return np.round(weight).astype(np.int8), scale


def rounded_to(dtype):
    def to_int8(weight):
        scale = np.abs(weight).max(axis=1) / 127
        return np.round(weight / scale[:, None]).astype(dtype), scale

    return to_int8


def one_row_after_the_other(session, last, layers, gamma):
    view, tokens = session.first(layers), [last]
    while len(tokens) <= gamma:
        tokens.append(np.argmax(view.extend(tokens[-1:])[0]))
    return np.array(tokens[1:])


RIGHT_ANSWERS = [
    (check_rejection_loss, by_the_difference),
    (check_rejection_loss, in_float32),
    (check_rejection_loss, lambda log_p, log_q: (log_p.exp() - log_q.exp()).clamp(min=0).sum(-1)),
    (check_rejection_loss, total_variation),
    (check_distillation_step, step_in_another_order),
    (check_distillation_step, step_that_keeps_no_gradient),
    (check_training, training_from_an_empty_list),
    (check_exit_guesses, one_row_after_the_other),
]

WRONG_ANSWERS = [
    (check_rejection_loss, lambda log_p, log_q: log_p @ log_q, "Error"),
    (check_rejection_loss, torch.no_grad()(in_float32), "its gradient: there is none"),
    (check_rejection_loss, gradient_of_another_loss, "its gradient: For the logarithms of p = [["),
    (check_distillation_step, lambda *_: 0.5, "nothing has moved"),
    (check_training, training_that_only_looks, "the number of batches: "),
    (check_distillation_step, first_window_only, "over all windows and all positions"),
    (check_training, training_of_a_copy, "changes the draft that was handed in"),
    (check_training, training_in_blocks, "a look every 3, the answer is 8, not 6"),
    (check_to_int8, in_place, "You changed `weight` itself"),
    (check_to_int8, rounded_to(np.int64), "dtype int64"),
    (check_to_int8, rounded_to(np.uint8), "dtype uint8"),
    (check_to_int8, rounded_to(float), "dtype float64"),
    (check_to_int8, lambda weight: rounded_to(np.int8)(weight)[::-1], "values of this shape first"),
]
