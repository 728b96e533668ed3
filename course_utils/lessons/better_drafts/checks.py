"""Checks of this lesson: greedy or sampled, distillation, an exit, int8, a translated row."""

import math
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import torch
from torch import Tensor, nn

from course_utils.classroom.exercise import Exercise
from course_utils.lessons.better_drafts.distilled import distillation_step
from course_utils.models.tables import LayeredSession, LayeredTables, TableModel
from course_utils.training.losses import (
    LOSSES,
    acceptance,
    forward_kl,
    negative_log_acceptance,
    total_variation,
)

# ------------------------------------------------------------------ one position

Row = np.ndarray


def one_position(p: Row, q: Row, greedy: bool) -> tuple[float, Row]:
    """(probability that the guess is accepted, distribution of the correction after a rejection).

    The guess is the likeliest token of q if `greedy`, else a draw from q; the rule is told
    which.  The correction is all zeros where no guess is ever rejected.
    """
    drawn = np.eye(len(q))[np.argmax(q)] if greedy else q
    both = np.minimum(p, drawn)
    left = p - both
    if left.sum() > 0:
        left = left / left.sum()
    return both.sum(), left


ROWS = (
    ([0.9, 0.1], [0.6, 0.4]),  # the draft is less sure than its target
    ([0.4, 0.35, 0.25], [0.25, 0.25, 0.5]),  # the likeliest guess is wrong
    ([0.2, 0.5, 0.3], [0.5, 0.3, 0.2]),
    ([0.0, 1.0, 0.0], [0.5, 0.25, 0.25]),  # a guess that is never right
    ([0.5, 0.3, 0.2], [0.5, 0.3, 0.2]),  # the same row: nothing is left over
)

check_one_position = Exercise(
    "one_position",
    cases=[(np.array(p), np.array(q), greedy) for p, q in ROWS for greedy in (True, False)],
    right=one_position,
    mistakes={
        "You answer for the sampled draft in both cases. A greedy draft guesses one token for "
        "certain, the likeliest of q.": ("np.eye(len(q))[np.argmax(q)] if greedy else q", "q"),
        "You answer for the greedy draft in both cases. If greedy is False, the guess is drawn "
        "from q.": (" if greedy else q", ""),
        "The two kinds are swapped.": ("if greedy", "if not greedy"),
        "A certain guess was drawn from a one-hot row, so it is accepted with p(x), not with "
        "p(x)/q(x): q is not what it was drawn from.": (
            ("both.sum()", "min(1.0, (p / q)[q.argmax()]) if greedy else both.sum()")
        ),
        "The greedy guess is the likeliest token of q, the draft's row. You take the likeliest of "
        "p, which the draft does not know.": ("np.argmax(q)", "np.argmax(p)"),
        "The greedy guess is accepted with the probability that the TARGET gives it, p(x); you "
        "take q(x).": ("both.sum()", "q.max() if greedy else both.sum()"),
        "You take the guess to be accepted with min(p(x), q(x)). That is the chance that x is "
        "drawn and accepted; a greedy draft always guesses x.": (
            ("both.sum()", "np.minimum(p, q)[q.argmax()] if greedy else both.sum()")
        ),
        "You take the mean of min(1, p/q) over the tokens. A guess is a draw from q: weigh each "
        "token by q, and q · min(1, p/q) is min(p, q).": (
            ("both.sum()", "both.sum() if greedy else np.minimum(1, p / q).mean()")
        ),
        "You take the sum of p·q: the chance that two draws agree. The rule accepts more.": (
            ("np.minimum(p, drawn)", "p * drawn")
        ),
        "After a rejection you draw from p. That is what comes out in the end, not what a "
        "correction is drawn from: the tokens that were accepted have had a part of p already. "
        "Take the residual, (p − row)₊ over its sum.": (".sum(), left", ".sum(), p"),
        "The residual of q, though the greedy guess was drawn from a one-hot row: take the row "
        "that the guess was really drawn from.": ("p - both", "np.maximum(p - q, 0)"),
        "What is left of p does not sum to 1, and a distribution does: divide by the sum.": (
            ("left / left.sum()", "left")
        ),
        "The wrong way round: (row − p)₊ is what the draft offers too often. The correction makes "
        "up for what it offers too seldom, (p − row)₊.": ("p - both", "drawn - both"),
        "That is what was guessed, not what a correction is drawn from.": (
            (".sum(), left", ".sum(), drawn")
        ),
        "That is what comes of acceptances, min(p, row). A correction comes after a rejection, "
        "from what is left of p.": (".sum(), left", ".sum(), both"),
        "Where p equals q nothing is left over, and you divide by 0: an empty residual stays "
        "empty.": ("left.sum() > 0", "True"),
    },
    insight="min(p, row) from acceptances and your correction after rejections make p together, "
    "whatever is guessed; only how often the guess was right differs, and neither kind is always "
    "the better one.",
    parts=("accepted", "correction"),
    shown=lambda p, q, greedy: (
        f"p = {p.tolist()}, q = {q.tolist()} and a {'greedy' if greedy else 'sampled'} draft"
    ),
)

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
    value = loss(log_p.clone(), logits.log_softmax(-1))
    if value is None or value is ...:
        return value
    if not isinstance(value, Tensor):
        return value, None
    if value.requires_grad:
        value.sum().backward()
    return value.detach().numpy(), None if logits.grad is None else logits.grad.numpy()


check_acceptance_loss = Exercise(
    "acceptance_loss",
    cases=[
        (_rows(0, 4, 5), _rows(1, 4, 5)),
        (_rows(2, 3, 7), _rows(2, 3, 7)),  # equal rows: no loss
        (_rows(3, 2, 3, 5), _rows(4, 2, 3, 5)),  # windows
    ],
    right=negative_log_acceptance,
    ask=_loss_and_gradient,
    parts=("the loss", "its gradient"),
    mistakes={
        "That is α itself. What is learned is made SMALL: take −log α.": acceptance,
        "That is log α, which is never positive and grows as the draft gets better. Change its "
        "sign.": ("-torch", "torch"),
        "That is 1 − α, the TV. It hardly has a slope where the rows share little; take −log α.": (
            total_variation
        ),
        "That is KL(p, q). It is another loss: here −log of the sum of min(p, q) is asked.": (
            forward_kl
        ),
        "You add up the smaller LOGARITHMS. Sum min(p, q) itself: exp first, then the sum, then "
        "−log.": (".logsumexp(-1)", ".sum(-1)"),
        "You take the mean over the tokens of the vocabulary. α is a sum.": (
            (".logsumexp(-1)", ".exp().mean(-1).log()")
        ),
        "You sum over all positions. Each position has its own α: sum over the last axis.": (
            (".logsumexp(-1)", ".exp().sum().log()")
        ),
        "You sum over the positions. The vocabulary is the last axis: dim=-1.": (
            ("logsumexp(-1)", "logsumexp(0)")
        ),
        "That is the mean over the positions. Return one number for each; the mean is taken "
        "later.": ("(-1)", "(-1).mean()"),
        "You take the larger of the two: max where min belongs.": ("minimum", "maximum"),
        "there is none: inside torch.no_grad(), or after .detach(), .item() or .numpy(), nothing "
        "can be learned from the loss. Calculate with the tensors as they are.": (
            ("(-1)", "(-1).detach()")
        ),
        "The rows are logarithms already. exp turns them into probabilities; you compare and sum "
        "the logarithms as if they were.": (".logsumexp(-1)", ".sum(-1).log()"),
    },
    same=_near,
    insight="Its gradient is that of the TV divided by α: hopeless positions weigh more.",
    shown=lambda log_p, log_q: f"rows of shape {tuple(log_p.shape)}",
)

# ------------------------------------------------------------------ a step that makes it smaller

VOCABULARY = 6


class TinyDraft(nn.Module):
    """As large as a bigram table can be: what follows depends on the last token alone."""

    def __init__(self, seed: int):
        super().__init__()
        random = torch.Generator().manual_seed(seed)
        self.table = nn.Parameter(torch.randn(VOCABULARY, VOCABULARY, generator=random))

    def forward(self, inputs: Tensor, use_cache: bool = True) -> SimpleNamespace:
        return SimpleNamespace(logits=self.table[inputs])


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


check_distillation_step = Exercise(
    "distillation_step",
    cases=[(0, "forward KL"), (1, "-log α"), (2, "reverse KL")],
    right=distillation_step,
    ask=_two_steps,
    mistakes={
        "the second step went wrong: it still holds the first one's gradient. Call "
        "optimiser.zero_grad() in each.": ("    optimiser.zero_grad()\n", ""),
        "nothing has moved. backward() finds the gradient and optimiser.step() takes the step, in "
        "this order, with nothing between them that clears the gradient.": (
            ("    optimiser.step()\n", "")
        ),
        "the step goes uphill. The optimiser makes smaller whatever you call backward() on: that "
        "is the loss, not its negative.": ("value.backward()", "(-value).backward()"),
        "the step is as many times too long as there are tokens: take the mean of the loss, not "
        "the sum.": (".mean()", ".sum()"),
        "that is the loss after the step. Return the one that was found before it: it is known "
        "already, and a second look costs a second pass.": (
            ("value.item()", "loss(log_p, log_rows(draft, windows)).mean().item()")
        ),
        "return the mean loss, not the sum.": (
            (".mean()", ""),
            ("value.backward()", "value.mean().backward()"),
            ("value.item()", "value.sum().item()"),
        ),
        "p and q are swapped: call loss(log_p, log_q), the target's rows first.": (
            ("log_p, log_rows(draft, windows)", "log_rows(draft, windows), log_p")
        ),
        "return the mean loss as a number; this is one per token.": (
            (".mean()", ""),
            ("value.backward()", "value.mean().backward()"),
            ("value.item()", "value.detach()"),
        ),
        "the weights are right, but nothing comes back: return value.item().": (
            ("return value.item()", "return None")
        ),
    },
    insight="The same five lines train the draft below; only the model is larger.",
    parts=("the weights", "what is returned"),
    same=_near,
    shown=lambda seed, name: f"a table of {VOCABULARY} tokens and the loss {name},",
)

# ------------------------------------------------------------------ the guesses of an exit

LAYERED = LayeredTables(*(TableModel.random(5, order=3, seed=seed) for seed in (3, 4, 5)))
PROCESSED = (1, 4, 2, 0)


def exit_guesses(session: LayeredSession, last: int, layers: int, gamma: int) -> list[int]:
    """gamma greedy guesses of the first layers after `last`; the session stays where it is."""
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


check_exit_guesses = Exercise(
    "exit_guesses",
    cases=[(3, 1, 3), (3, 2, 4), (0, 2, 1), (4, 3, 2)],  # last, layers, gamma
    right=exit_guesses,
    mistakes={
        "These are the guesses of all layers, and the session has moved on: its next pass would "
        "stand in the wrong place. Ask session.first(layers), not the session.": (
            ("session.first(layers)", "session")
        ),
        "Every guess is made after the same token. What was guessed is the next token to feed.": (
            ("[token]", "[last]")
        ),
        "A view remembers what it was fed: give it the newest token alone, not all of them "
        "again.": ("[token]", "[last, *guesses]"),
        "A new view starts where the session is, and so forgets the guesses. Make one view, "
        "before the loop.": ("view.extend", "session.first(layers).extend"),
    },
    ask=_guesses_and_length,
    parts=("guesses", "length of the session"),
    insight="No prefill, no second cache: the view reads what the target has read.",
)

# ------------------------------------------------------------------ rounding to int8


def to_int8(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """weight (out, in) -> whole numbers from -127 to 127, and a scale (out,) for the rows."""
    scale = np.abs(weight).max(axis=1) / 127
    values = np.round(weight / scale[:, None]).astype(np.int8)
    return values, scale


def _restored(attempt: Callable, weight: np.ndarray) -> object:
    """(is it int8, the scale, what the two make of the weights)"""
    answer = attempt(weight)
    if answer is None or answer is ...:
        return answer
    values, scale = answer
    if values is ... or scale is ...:
        return ...
    if np.asarray(values).dtype.kind != "i":
        return "values"
    scale = np.asarray(scale, float)
    return scale.round(9), (np.asarray(values, float) * scale[:, None]).round(9)


_RNG = np.random.default_rng(2)

check_to_int8 = Exercise(
    "to_int8",
    cases=[
        (_RNG.normal(size=(3, 8)) * np.array([[0.01], [1.0], [30.0]]),),
        (np.array([[0.9, -0.3, 0.26], [-2.0, 1.99, 0.11]]),),
    ],
    right=to_int8,
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
    ask=_restored,
    form=lambda answer, *case: (
        "The values are not whole numbers: end with .astype(np.int8)."
        if isinstance(answer, str)
        else None
    ),
    parts=("scale", "restored weights"),
    insight="No weight is further off than half a step of its row.",
)

# ------------------------------------------------------------------ a translated row


def _translated_row(p: Row, row: Row, shared: list[int]) -> tuple[Row, float]:
    q = np.array([row[same] if same >= 0 else 0.0 for same in shared])
    q = q / q.sum()
    alpha = np.minimum(p, q).sum()
    return q, alpha


check_translated_row = Exercise(
    "translated_row",
    # (p over the target's tokens, of which 0 ends a text, the draft's row over its own, shared)
    cases=[
        (np.array([0.1, 0.5, 0.3, 0.1]), np.array([0.2, 0.05, 0.25, 0.3, 0.2]), [1, 2, 0, -1]),
        (np.array([0.25, 0.25, 0.25, 0.25]), np.array([0.1, 0.2, 0.4, 0.3, 0.0]), [2, -1, 0, -1]),
        (np.array([0.0, 0.6, 0.2, 0.2]), np.array([0.3, 0.3, 0.2, 0.1, 0.1]), [4, 0, -1, 2]),
    ],
    right=_translated_row,
    mistakes={
        "You did not renormalise: your row sums to less than 1, and no guess was drawn from it. "
        "Divide by its sum.": ("    q = q / q.sum()\n", ""),
        "You gave what the target cannot say to the end token. That can be lossless, but it "
        "proposes ends that nobody meant. Divide by the sum instead.": (
            ("q = q / q.sum()", "q[0] += 1 - q.sum()")
        ),
        "You used -1 as an index, and NumPy counts that from the end: skip the tokens without a "
        "partner.": (" if same >= 0 else 0.0", ""),
        "You used the target's numbers for the draft's row. Target token x is draft token "
        "shared[x].": (
            ("row[same]", "row[x]"),
            ("for same in shared", "for x, same in enumerate(shared)"),
        ),
        "You spread the lost mass evenly. Tokens outside the intersection must have "
        "probability 0, and the others keep their proportions: divide by the sum.": (
            ("q / q.sum()", "q + (1 - q.sum()) / len(q)")
        ),
        "You divide by the draft's unrestricted q. The guess was drawn from the renormalised row, "
        "so alpha is the sum of min(p, q) with that one.": (
            ("    q = q / q.sum()\n", ""),
            ("return q", "return q / q.sum()"),
        ),
        "You put the token's own probability in: alpha is the sum over all tokens of the smaller "
        "of p and q.": ("np.minimum(p, q)", "(p * q)"),
    },
    insight="The row sums to 1 again, the guess is drawn from it and judged by it: nothing more "
    "is asked of q.",
    parts=("q", "alpha"),
)
