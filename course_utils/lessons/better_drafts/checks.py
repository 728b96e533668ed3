"""Checks of this lesson: a loss, a step of distillation, an exit, int8."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace

import numpy as np
import torch
from torch import Tensor, nn

from course_utils.classroom.exercise import Exercise, short
from course_utils.models.toys.tables import SequenceSession, TableModel
from course_utils.refused import Refused
from course_utils.training import losses

# ------------------------------------------------------------------ a loss of distillation


def _rows(seed: int, *shape: int) -> Tensor:
    random = torch.Generator().manual_seed(seed)
    return (2 * torch.randn(*shape, generator=random, dtype=torch.float64)).log_softmax(-1)


def _near(given: object, right: object) -> bool:
    """Up to the rounding of float32, and of sums in another order."""
    return np.shape(given) == np.shape(right) and np.allclose(given, right, 1e-3, 1e-5, True)


def _loss_and_gradient(loss: Callable, log_p: Tensor, logits: Tensor) -> object:
    """(what a student's loss gives; its gradient to the draft's logits, None if it has none)."""
    logits.requires_grad_()
    value = loss(log_p, logits.log_softmax(-1))
    if value is None or value is ...:
        return value
    if not isinstance(value, Tensor):
        return value, None
    if value.requires_grad:
        value.sum().backward()
    return value.detach().numpy(), None if logits.grad is None else logits.grad.numpy()


def rejection_loss(log_p: Tensor, log_q: Tensor) -> Tensor:
    """Rows of logarithms (..., V) -> 1 - the sum of min(p, q), (...)."""
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
        "That is α itself. What is learned is made SMALL: take 1 − α.": ("1 - both", "both"),
        "That is −log α. It is small where α is large, too, but here the probability of a "
        "rejection is asked: 1 − α.": ("1 - both.sum(-1)", "-both.sum(-1).log()"),
        "The sum of |p − q| counts every difference twice, once where p is larger and once where "
        "q is. Half of it is 1 − α.": (
            ("torch.minimum(log_p, log_q).exp()", "(log_p.exp() - log_q.exp()).abs()"),
            ("1 - both", "both"),
        ),
        "The rows are logarithms. exp turns them into probabilities; you sum the smaller "
        "LOGARITHMS.": (".exp()", ""),
        "That is the mean over the positions. Return one number for each; the mean is taken "
        "later.": ("both.sum(-1)", "both.sum(-1).mean()"),
        "there is none: inside torch.no_grad(), or after .detach(), .item() or .numpy(), nothing "
        "can be learned from the loss. Calculate with the tensors as they are.": (
            ("both.sum(-1)", "both.sum(-1).detach()")
        ),
    },
    equal=_near,
    insight="What is made small is the probability that a guess is rejected.",
    describe_case=lambda *rows: "the logarithms of p = {} and q = {}".format(
        *(short(row.exp().numpy().round(3).tolist()) for row in rows)
    ),
)

# ------------------------------------------------------------------ a step that makes it smaller

VOCABULARY = 3


class TinyDraft(nn.Module):
    """As large as a bigram table can be: what follows depends on the last token alone."""

    def __init__(self, seed: int):
        super().__init__()
        random = torch.Generator().manual_seed(seed)
        self.table = nn.Parameter(torch.randn(VOCABULARY, VOCABULARY, generator=random))

    def forward(self, inputs: Tensor, use_cache: bool = True) -> SimpleNamespace:
        return SimpleNamespace(logits=self.table[inputs])


def _windows(seed: int) -> Tensor:
    return torch.randint(0, VOCABULARY, (2, 5), generator=torch.Generator().manual_seed(seed))


def _two_steps(step: Callable, seed: int, name: str) -> object:
    """(the draft's rows after step 1, after both, what was returned), or a stub's answer."""
    draft, windows = TinyDraft(seed), _windows(seed)
    optimiser = torch.optim.SGD(draft.parameters(), lr=2.0)
    rows, returned = [], []
    for _ in range(2):
        log_p = _rows(seed, 2, 4, VOCABULARY).float()
        answer = step(draft, optimiser, windows.clone(), log_p, losses.LOSSES[name])
        if answer is ... or answer is None:
            return answer
        rows.append(draft.table.detach().softmax(-1).double().numpy())
        returned.append(answer)
    return np.stack(rows[:1]), np.stack(rows), returned


def _how_it_moved(given: object, seed: int, name: str) -> str | None:
    """How far a wrong step moved the draft, or which of its rows is wrong."""
    if np.ndim(given) != 3:
        return None
    right, n = _two_steps(distillation_step, seed, name)[1], len(given)
    before = right[0] if n == 2 else TinyDraft(seed).table.detach().softmax(-1).double().numpy()
    mine, wanted = (np.log(rows[n - 1] / before) for rows in (given, right))
    mine, wanted = (x - x.mean(-1, keepdims=True) for x in (mine, wanted))
    times = (mine * wanted).sum() / (wanted**2).sum()
    if np.allclose(mine, times * wanted, atol=1e-4):
        return f"step {n} moves the draft {times:.3g} times as far as it should."
    i = int(np.abs(mine - wanted).max(-1).argmax())
    was, should, does = (x[i].round(3).tolist() for x in (before, right[n - 1], given[n - 1]))
    return f"step {n} turns the row after token {i} from {was} into {should}, not into {does}."


def distillation_step(
    draft: nn.Module, optimiser: torch.optim.Optimizer, windows: Tensor, log_p: Tensor,
    loss: losses.RowLoss,
) -> float:  # fmt: skip
    """Make `draft` a little more like the target; the mean loss before."""
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
        "it still holds the first one's gradient. Call optimiser.zero_grad() in each step, before "
        "backward().": ("optimiser.zero_grad()", "pass"),
        "nothing has moved. backward() finds the gradient and optimiser.step() takes the step, in "
        "this order, with nothing between them that clears the gradient.": (
            ("    optimiser.step()\n", "")
        ),
        "p and q are swapped: call loss(log_p, log_q), the target's rows first.": (
            ("log_p, losses.log_rows(draft, windows)", "losses.log_rows(draft, windows), log_p")
        ),
        "that is the loss after the step. Return the one from before it: it is known already, "
        "and a second look costs a second pass.": (
            ("value.item()", "loss(log_p, losses.log_rows(draft, windows)).mean().item()")
        ),
    },
    insight="The same five lines train the draft below; only the model is larger.",
    parts=("the first step", "the second step", "what is returned"),
    equal=_near,
    explain=_how_it_moved,
    describe_case=lambda seed, name: f"windows = {_windows(seed).tolist()} and the loss {name}",
)

# ------------------------------------------------------------------ the guesses of an exit


class LayeredTables:
    """A toy that can be left early: after layer i the i-th table speaks."""

    def __init__(self, *tables: TableModel):
        self.tables = tables
        self.vocabulary_size, self.context = tables[-1].vocabulary_size, tables[-1].context

    @property
    def layers(self) -> int:
        return len(self.tables)

    def start(self, prompt: Sequence[int]) -> "LayeredSession":
        return LayeredSession(self.tables, prompt)


class LayeredSession(SequenceSession):
    """One text; `first` is that of `Qwen3Session`."""

    def __init__(self, tables: Sequence[TableModel], prompt: Sequence[int]):
        super().__init__(tables[-1].distribution, prompt)
        self._tables = tables

    def first(self, layers: int) -> "LayeredSession":
        return LayeredSession(self._tables[:layers], self._tokens)


LAYERED = LayeredTables(*(TableModel.random(5, order=3, seed=seed) for seed in (3, 4, 5)))
PROCESSED = (1, 4, 2, 0)


def exit_guesses(session: LayeredSession, last: int, layers: int, gamma: int) -> list[int]:
    """-> a list of gamma tokens"""
    view, token, guesses = session.first(layers), last, []
    for _ in range(gamma):
        token = int(view.extend([token])[-1].argmax())
        guesses.append(token)
    return guesses


def _guesses_and_length(attempt: Callable, last: int, layers: int, gamma: int) -> object:
    """(guesses, length of the session afterwards); what is no list is the whole answer."""
    session = LAYERED.start(PROCESSED)
    guesses = attempt(session, last, layers, gamma)
    if guesses is None or guesses is ...:
        return guesses
    return [int(guess) for guess in guesses], session.length


def _with_a_row(last: int, layers: int, gamma: int) -> str:
    row = LAYERED.start(PROCESSED).first(layers).extend([last])[0].round(2)
    return f"{last = }, {layers = }, {gamma = } (after `last` the view returns {row.tolist()})"


check_exit_guesses = Exercise(
    "exit_guesses",
    cases=[(3, 1, 3), (3, 2, 4), (0, 2, 1), (4, 3, 2)],
    solution=exit_guesses,
    mistakes={
        "These are the guesses of all layers. Ask session.first(layers), not the session, which "
        "has to stay where it is.": ("session.first(layers)", "session"),
        "Every guess is made after the same token. What was guessed is the next token to feed.": (
            ("[token]", "[last]")
        ),
        "A view remembers what it was fed: give it the newest token alone, not all of them "
        "again.": ("[token]", "[last, *guesses]"),
        "A new view starts where the session is, and so forgets the guesses. Make one view, "
        "before the loop.": ("view.extend", "session.first(layers).extend"),
    },
    call=_guesses_and_length,
    parts=("guesses", "length of the session"),
    describe_case=_with_a_row,
    insight="No prefill, no second cache: the view reads what the target has read.",
)

# ------------------------------------------------------------------ rounding to int8


def to_int8(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """-> values (out, in), scale (out,)"""
    scale = np.abs(weight).max(axis=1) / 127
    values = np.round(weight / scale[:, None]).astype(np.int8)
    return values, scale


def _restored(attempt: Callable, weight: np.ndarray) -> object:
    """(the scale, what the two make of the weights, the dtype of the values)"""
    answer = attempt(weight)
    if answer is None or answer is ...:
        return answer
    values, scale = answer
    if values is ... or scale is ...:
        return ...
    values, scale = np.asarray(values), np.asarray(scale)
    if values.shape != weight.shape or scale.shape != weight.shape[:1]:
        raise Refused(
            f"For weights of shape {weight.shape}: values of this shape first, then a scale of "
            f"shape {weight.shape[:1]}. Yours have the shapes {values.shape} and {scale.shape}."
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
        "One scale for the whole matrix: the row with the small numbers loses nearly all of "
        "them. Take the largest of each row, axis=1.": (
            ("np.abs(weight).max(axis=1)", "np.full(len(weight), np.abs(weight).max())")
        ),
        "That is how many steps there are to 1. The scale is the size of one step, the largest "
        "number over 127: values * scale gives the weights back.": (
            ("np.abs(weight).max(axis=1) / 127", "127 / np.abs(weight).max(axis=1)")
        ),
        "The scale comes from the largest number, not from the largest in size: a row may reach "
        "further down than up. Take np.abs first.": ("np.abs(weight)", "weight"),
        "The numbers are cut off, not rounded: an error of a whole step, and all towards 0. "
        "Take np.round.": ("np.round", "np.trunc"),
        "128 steps do not fit above 0, int8 ends at 127.": ("/ 127", "/ 128"),
    },
    call=_restored,
    describe_case=lambda weight: (
        f"weight = {weight.tolist()}" if len(weight) == 2 else f"weights of shape {weight.shape}"
    ),
    parts=("scale", "restored weights", "dtype of values"),
    insight="No weight is further off than half a step of its row.",
)
