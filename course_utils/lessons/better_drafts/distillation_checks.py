"""Checks of this lesson's builds: a loss of distillation, and a step that makes it smaller."""

import math
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import torch
from torch import Tensor, nn

from course_utils.classroom.exercise import Exercise
from course_utils.training.losses import LOSSES, acceptance, forward_kl, log_rows, total_variation

__all__ = ["check_acceptance_loss", "check_distillation_step"]

# --- the loss ---------------------------------------------------------------------


def _rows(seed: int, *shape: int) -> Tensor:
    random = torch.Generator().manual_seed(seed)
    return (2 * torch.randn(*shape, generator=random, dtype=torch.float64)).log_softmax(-1)


def _loss_and_gradient(loss: Callable, log_p: Tensor, logits: Tensor) -> object:
    """(what a student's loss gives; its gradient to the draft's logits, None if it has none)."""
    logits.requires_grad_()
    value = loss(log_p.clone(), logits.log_softmax(-1))
    if value is None or value is ...:
        return value
    if not isinstance(value, Tensor):
        return value, None
    if value.requires_grad:
        value.sum().backward()
    return value.detach().numpy(), None if logits.grad is None else logits.grad.numpy()


def _without_gradient(log_p: Tensor, log_q: Tensor) -> Tensor:
    with torch.no_grad():
        return LOSSES["-log α"](log_p, log_q)


check_acceptance_loss = Exercise(
    "acceptance_loss",
    cases=[
        (_rows(0, 4, 5), _rows(1, 4, 5)),
        (_rows(2, 3, 7), _rows(2, 3, 7)),  # equal rows: no loss
        (_rows(3, 2, 3, 5), _rows(4, 2, 3, 5)),  # windows
    ],
    right=LOSSES["-log α"],
    ask=_loss_and_gradient,
    parts=("the loss", "its gradient"),
    mistakes={
        "That is α itself. What is learned is made SMALL: take −log α.": acceptance,
        "That is log α, which is never positive and grows as the draft gets better. Change its "
        "sign.": lambda log_p, log_q: acceptance(log_p, log_q).log(),
        "That is 1 − α, the TV. It hardly has a slope where the rows share little; take −log α.": (
            total_variation
        ),
        "That is KL(p, q). It is another loss: here −log of the sum of min(p, q) is asked.": (
            forward_kl
        ),
        "You add up the smaller LOGARITHMS. Sum min(p, q) itself: exp first, then the sum, then "
        "−log.": lambda log_p, log_q: -torch.minimum(log_p, log_q).sum(-1),
        "You take the mean over the tokens of the vocabulary. α is a sum.": (
            lambda log_p, log_q: -(acceptance(log_p, log_q) / log_p.shape[-1]).log()
        ),
        "You sum over all positions. Each position has its own α: sum over the last axis.": (
            lambda log_p, log_q: -torch.minimum(log_p, log_q).exp().sum().log()
        ),
        "You sum over the positions. The vocabulary is the last axis: dim=-1.": (
            lambda log_p, log_q: -torch.minimum(log_p, log_q).exp().sum(0).log()
        ),
        "That is the mean over the positions. Return one number for each; the mean is taken "
        "later.": lambda log_p, log_q: LOSSES["-log α"](log_p, log_q).mean(),
        "You take the larger of the two: max where min belongs.": (
            lambda log_p, log_q: -torch.maximum(log_p, log_q).exp().sum(-1).log()
        ),
        "there is none: inside torch.no_grad(), or after .detach(), .item() or .numpy(), nothing "
        "can be learned from the loss. Calculate with the tensors as they are.": _without_gradient,
        "The rows are logarithms already. exp turns them into probabilities; you compare and sum "
        "the logarithms as if they were.": lambda log_p, log_q: (
            -torch.minimum(log_p, log_q).sum(-1).log()
        ),
    },
    same=lambda given, right: (
        np.shape(given) == np.shape(right) and np.allclose(given, right, 1e-4, 1e-6, True)
    ),
    insight="Its gradient is that of the TV divided by α: hopeless positions weigh more.",
    shown=lambda log_p, log_q: f"rows of shape {tuple(log_p.shape)}",
)

# --- the step ---------------------------------------------------------------------

PARTS = ("the weights", "what is returned")
VOCABULARY = 6


class TinyDraft(nn.Module):
    """As large as a bigram table can be: what follows depends on the last token alone."""

    def __init__(self, seed: int):
        super().__init__()
        random = torch.Generator().manual_seed(seed)
        self.table = nn.Parameter(torch.randn(VOCABULARY, VOCABULARY, generator=random))

    def forward(self, inputs: Tensor, use_cache: bool = True) -> SimpleNamespace:
        return SimpleNamespace(logits=self.table[inputs])


def distillation_step(draft, optimiser, windows, log_p, loss) -> float:
    """One step towards the target's rows of `windows`; the mean loss before it."""
    value = loss(log_p, log_rows(draft, windows)).mean()
    optimiser.zero_grad()
    value.backward()
    optimiser.step()
    return value.item()


def _two_steps(step: Callable, seed: int, name: str) -> object:
    """(the weights after two steps, as rows; what was returned), or a stub's answer."""
    draft, loss = TinyDraft(seed), LOSSES[name]
    optimiser = torch.optim.SGD(draft.parameters(), lr=2.0)
    random = torch.Generator().manual_seed(seed)
    said = []
    for _ in range(2):
        windows = torch.randint(0, VOCABULARY, (3, 9), generator=random)
        log_p = _rows(seed, 3, 8, VOCABULARY).float()
        answer = step(draft, optimiser, windows, log_p, loss)
        if answer is ... or (answer is None and draft.table.grad is None):
            return answer
        said.append(math.nan if answer is None else answer)
    return draft.table.detach().softmax(-1).numpy(), said


def _near(given: object, right: object) -> bool:
    """Up to the rounding of sums in another order."""
    return np.shape(given) == np.shape(right) and np.allclose(given, right, 1e-3, 1e-4, True)


def _steps(
    value: Callable = lambda rows: rows.mean(),
    before: Callable = lambda optimiser: optimiser.zero_grad(),
    after: Callable = lambda optimiser: optimiser.step(),
    swap: bool = False,
    returned: Callable = lambda value, rows: value.item(),
) -> Callable:
    """A student who does one thing differently."""

    def step(draft, optimiser, windows, log_p, loss):
        log_q = log_rows(draft, windows)
        rows = loss(log_q, log_p) if swap else loss(log_p, log_q)
        found = value(rows)
        before(optimiser)
        found.backward()
        after(optimiser)
        return returned(found, rows)

    return step


def _nothing(optimiser) -> None:
    pass


def _looks_again(draft, optimiser, windows, log_p, loss) -> float:
    """Returns the loss of the weights that the step has made."""
    distillation_step(draft, optimiser, windows, log_p, loss)
    return loss(log_p, log_rows(draft, windows)).mean().item()


check_distillation_step = Exercise(
    "distillation_step",
    cases=[(0, "forward KL"), (1, "-log α"), (2, "reverse KL")],
    right=distillation_step,
    ask=_two_steps,
    mistakes={
        "the second step went wrong: it still holds the first one's gradient. Call "
        "optimiser.zero_grad() in each.": _steps(before=_nothing),
        "nothing has moved. backward() finds the gradient and optimiser.step() takes the step, in "
        "this order, with nothing between them that clears the gradient.": _steps(after=_nothing),
        "the step goes uphill. The optimiser makes smaller whatever you call backward() on: that "
        "is the loss, not its negative.": _steps(
            value=lambda rows: -rows.mean(), returned=lambda value, rows: -value.item()
        ),
        "the step is as many times too long as there are tokens: take the mean of the loss, not "
        "the sum.": _steps(
            value=lambda rows: rows.sum(), returned=lambda value, rows: rows.mean().item()
        ),
        "that is the loss after the step. Return the one that was found before it: it is known "
        "already, and a second look costs a second pass.": _looks_again,
        "return the mean loss, not the sum.": _steps(
            returned=lambda value, rows: rows.sum().item()
        ),
        "p and q are swapped: call loss(log_p, log_q), the target's rows first.": _steps(swap=True),
        "return the mean loss as a number; this is one per token.": _steps(
            returned=lambda value, rows: rows.detach()
        ),
        "the weights are right, but nothing comes back: return value.item().": _steps(
            returned=lambda value, rows: None
        ),
    },
    insight="The same five lines train the draft below; only the model is larger.",
    parts=PARTS,
    same=_near,
    shown=lambda seed, name: f"a table of {VOCABULARY} tokens and the loss {name},",
)
