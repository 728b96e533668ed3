"""Checks of this lesson: a loss, a step of distillation, an early exit, int8."""

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import torch
from torch import Tensor, nn

from course_utils.classroom.exercise import Exercise, near, short
from course_utils.models.toys.tables import LayeredSession, LayeredTables, TableModel
from course_utils.refused import require, returned
from course_utils.training import losses


def _rows(seed: int, *shape: int) -> Tensor:
    random = torch.Generator().manual_seed(seed)
    return (2 * torch.randn(*shape, generator=random, dtype=torch.float64)).log_softmax(-1)


# up to the rounding of float32, and of sums in another order
_near = near(1e-3, 1e-5)


def _loss_and_gradient(loss: Callable, log_p: Tensor, logits: Tensor) -> object:
    """Return (the loss, its gradient to the draft's logits or None)."""
    logits.requires_grad_()
    value = returned(loss(log_p, logits.log_softmax(-1)))
    if not isinstance(value, Tensor):
        return value, None
    if value.requires_grad:
        value.sum().backward()
    return value.detach().numpy(), None if logits.grad is None else logits.grad.numpy()


def rejection_loss(log_p: Tensor, log_q: Tensor) -> Tensor:
    """Return 1 - sum(min(p, q)), (...), for log-probabilities (..., V)."""
    both = torch.minimum(log_p, log_q).exp()
    return 1 - both.sum(-1)


_SMALL_P = torch.tensor([[0.4, 0.4, 0.1, 0.1], [0.1, 0.2, 0.3, 0.4]], dtype=torch.float64)
_SMALL_Q = torch.tensor([[0.1, 0.2, 0.3, 0.4], [0.3, 0.4, 0.2, 0.1]], dtype=torch.float64)

check_rejection_loss = Exercise(
    "rejection_loss",
    cases=[
        (_SMALL_P.log(), _SMALL_Q.log()),
        (_rows(0, 4, 5), _rows(1, 4, 5)),
        (_rows(2, 3, 7), _rows(2, 3, 7)),  # equal rows: no loss
        (_rows(3, 3, 2, 5), _rows(4, 3, 2, 5)),  # windows
    ],
    solution=rejection_loss,
    must_not_mutate=True,
    call=_loss_and_gradient,
    parts=("the loss", "its gradient"),
    mistakes={
        "That is α itself. Training makes a loss SMALL: return 1 − α.": "1 - both → both",
        "That is −log α. It also falls as α rises, but you need the probability of a rejection: 1 "
        "− α.": "1 - both.sum(-1) → -both.sum(-1).log()",
        "The sum of |p − q| counts every difference twice, once where p is larger and once where q "
        "is. Half of it is 1 − α.": "torch.minimum(log_p, log_q).exp() → "
        "(log_p.exp() - log_q.exp()).abs(); 1 - both → both",
        "You sum the smaller LOGARITHMS. First turn them into probabilities with exp.": ".exp() → ",
        "That is the mean over the positions. Return one number for each; "
        "the mean comes later.": "both.sum(-1) → both.sum(-1).mean()",
        "there is none: torch.no_grad(), .detach(), .item() and .numpy() drop the gradient. "
        "Compute with the tensors directly.": "both.sum(-1) → both.sum(-1).detach()",
    },
    equal=_near,
    insight="Training now minimises the probability that a guess is rejected.",
    describe_case=lambda *rows: "the logarithms of p = {} and q = {}".format(
        *(short(row.exp().numpy().round(3).tolist()) for row in rows)
    ),
)

VOCABULARY = 3


class TinyDraft(nn.Module):
    """A bigram table: the next token depends on the last one alone."""

    def __init__(self, seed: int):
        super().__init__()
        random = torch.Generator().manual_seed(seed)
        self.table = nn.Parameter(torch.randn(VOCABULARY, VOCABULARY, generator=random))

    def forward(self, inputs: Tensor, use_cache: bool = True) -> SimpleNamespace:
        return SimpleNamespace(logits=self.table[inputs])


def _windows(seed: int) -> Tensor:
    return torch.randint(0, VOCABULARY, (2, 5), generator=torch.Generator().manual_seed(seed))


def _two_steps(step: Callable, seed: int, name: str) -> object:
    """Return (rows after step 1, rows after both steps, both losses)."""
    draft, windows = TinyDraft(seed), _windows(seed)
    optimiser = torch.optim.SGD(draft.parameters(), lr=2.0)
    rows, values = [], []
    for _ in range(2):
        log_p = _rows(seed, 2, 4, VOCABULARY).float()
        loss = losses.LOSSES[name]
        values.append(returned(step(draft, optimiser, windows.clone(), log_p, loss)))
        rows.append(draft.table.detach().softmax(-1).double().numpy().round(4).tolist())
    return rows[:1], rows, values


def distillation_step(
    draft: nn.Module, optimiser: torch.optim.Optimizer, windows: Tensor, log_p: Tensor,
    loss: losses.RowLoss,
) -> float:  # fmt: skip
    """Move `draft` towards the target; return the mean loss before that."""
    value = loss(log_p, losses.log_rows(draft, windows)).mean()
    optimiser.zero_grad()
    value.backward()
    optimiser.step()
    return value.item()


check_distillation_step = Exercise(
    "distillation_step",
    cases=[(0, "forward KL"), (1, "-log α"), (2, "reverse KL")],
    solution=distillation_step,
    call=_two_steps,
    mistakes={
        "it still has the first one's gradient. Call optimiser.zero_grad() in each step, before "
        "backward().": "optimiser.zero_grad() → pass",
        "no weight has changed. Call backward(), then optimiser.step(), and do not clear the "
        "gradient between them.": "    optimiser.step()\n → ",
        "p and q are swapped: call loss(log_p, log_q), the target's rows "
        "first.": "log_p, losses.log_rows(draft, windows) → losses.log_rows(draft, windows), log_p",
        "that is the loss after the step. Return the one from before it, which needs no second "
        "pass.": "value.item() → loss(log_p, losses.log_rows(draft, windows)).mean().item()",
    },
    insight="The same five lines train the draft below; only the model is larger.",
    parts=("the first step", "the second step", "what is returned"),
    equal=_near,
    describe_case=lambda seed, name: f"windows = {_windows(seed).tolist()} and the loss {name}",
)


LAYERED = LayeredTables(*(TableModel.random(5, order=3, seed=seed) for seed in (3, 4, 5)))
PROCESSED = (1, 4, 2, 0)


def exit_guesses(session: LayeredSession, last: int, layers: int, gamma: int) -> list[int]:
    """Return a list of gamma tokens."""
    view, token, guesses = session.first(layers), last, []
    for _ in range(gamma):
        token = int(view.extend([token])[-1].argmax())
        guesses.append(token)
    return guesses


def _guesses_and_length(attempt: Callable, last: int, layers: int, gamma: int) -> object:
    """Return (guesses, length of the session afterwards)."""
    session = LAYERED.start(PROCESSED)
    guesses = returned(attempt(session, last, layers, gamma))
    return [int(guess) for guess in guesses], session.length


check_exit_guesses = Exercise(
    "exit_guesses",
    cases=[(3, 1, 3), (3, 2, 4), (0, 2, 1), (4, 3, 2)],
    solution=exit_guesses,
    mistakes={
        "These are the guesses of all layers. Extend session.first(layers), not the session, whose "
        "length must not change.": "session.first(layers) → session",
        "Every guess follows the same token. "
        "Feed each guess to get the next one.": "[token] → [last]",
        "A view keeps the tokens it was fed: feed the newest one alone, "
        "not all of them again.": "[token] → [last, *guesses]",
        "A new view does not hold the guesses so far. Make one view, "
        "before the loop.": "view.extend → session.first(layers).extend",
    },
    call=_guesses_and_length,
    parts=("guesses", "length of the session"),
    describe_case=lambda *case: "last = {}, layers = {}, gamma = {}".format(*case),
    insight="No second prefill, no second cache: the view reads the target's cache.",
)


def to_int8(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return values (out, in) and scale (out,)."""
    scale = np.abs(weight).max(axis=1) / 127
    values = np.round(weight / scale[:, None]).astype(np.int8)
    return values, scale


def _restored(attempt: Callable, weight: np.ndarray) -> object:
    """Return (the scale, the restored weights, the dtype of the values)."""
    values, scale = (np.asarray(returned(part)) for part in returned(attempt(weight)))
    require(
        (values.shape, scale.shape) == (weight.shape, weight.shape[:1]),
        f"Your values and scale have the shapes {values.shape} and {scale.shape}. Return values "
        f"of the weights' shape {weight.shape}, then a scale of {weight.shape[:1]}.",
    )
    return scale.round(9), (values * scale[:, None]).round(9), str(values.dtype)


check_to_int8 = Exercise(
    "to_int8",
    cases=[
        (np.array([[0.5, -1.27, 0.004], [2.54, 0.375, -0.02]]),),
        (np.random.default_rng(2).normal(size=(3, 8)) * np.array([[0.01], [1.0], [30.0]]),),
        (np.array([[0.9, -0.3, 0.26], [-2.0, 1.99, 0.11]]),),
    ],
    solution=to_int8,
    must_not_mutate=True,
    mistakes={
        "With one scale for the whole matrix, a row of small numbers loses nearly all of them. "
        "Take the largest of each row, "
        "axis=1.": "np.abs(weight).max(axis=1) → np.full(len(weight), np.abs(weight).max())",
        "That is the number of steps in 1. The scale is the size of one step, the largest number "
        "over 127, so that values * scale restores the "
        "weights.": "np.abs(weight).max(axis=1) / 127 → 127 / np.abs(weight).max(axis=1)",
        "You take the largest number, but a negative one may have a larger magnitude. Take np.abs "
        "first.": "np.abs(weight) → weight",
        "You cut the numbers off towards 0, an error of up to a whole step. "
        "Use np.round.": "np.round → np.trunc",
        "int8 ends at 127, so 128 steps do not fit. Divide by 127.": "/ 127 → / 128",
    },
    call=_restored,
    describe_case=lambda weight: (
        f"weight = {weight.tolist()}" if len(weight) == 2 else f"weights of shape {weight.shape}"
    ),
    parts=("scale", "restored weights", "dtype of values"),
    insight="No weight is off by more than half a step of its row.",
)
