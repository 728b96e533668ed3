"""Checks of the builds on heads: what one is trained on, and what its rows promise."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.theory import overlap

# (token, state) -> (the next state, log q (V,))
Step = Callable[[int, Tensor], tuple[Tensor, Tensor]]

SIZE = 5  # tokens of the vocabulary
_RNG = np.random.default_rng(7)
_WEIGHTS = tuple(_RNG.normal(size=shape) for shape in ((SIZE, 3), (3, 3), (3, SIZE)))
_TOKENS = [2, 0, 4, 1, 3, 3, 0, 2]
_STATES = torch.tensor(_RNG.normal(size=(len(_TOKENS), 3)))  # the target's, after each token
_P = torch.tensor(_RNG.dirichlet(np.ones(SIZE), len(_TOKENS)))  # row i: what follows token i


def small_head() -> tuple[Step, list[Tensor]]:
    """A head of three numbers that can learn: its step, and its weights."""
    read, turn, say = weights = [torch.tensor(w, requires_grad=True) for w in _WEIGHTS]

    def step(token: int, state: Tensor) -> tuple[Tensor, Tensor]:
        new = torch.tanh(read[token] + state @ turn)
        return new, (new @ say).log_softmax(-1)

    return step, weights


def unrolled_loss(
    step: Step, states: Tensor, tokens: Sequence[int], p: Tensor, anchor: int, steps: int,
    decay: float,
) -> Tensor:  # fmt: skip
    """Cross-entropy of the target's rows and the head's on its own states; weights decay^s."""
    state, total = states[anchor], 0.0
    for s in range(steps):
        state, log_q = step(tokens[anchor + 1 + s], state)
        total = total - decay**s * (p[anchor + 1 + s] * log_q).sum()
    return total / sum(decay**s for s in range(steps))


def _loss_and_gradient(attempt: Callable, anchor: int, steps: int, decay: float) -> object:
    """(the loss, its gradient to each of the head's weights; None if it has none)"""
    step, weights = small_head()
    value = attempt(step, _STATES.clone(), [*_TOKENS], _P.clone(), anchor, steps, decay)
    if value is None or value is ...:
        return value
    if isinstance(value, Tensor) and value.requires_grad:
        value.backward()
        gradient = torch.cat([w.grad.flatten() for w in weights if w.grad is not None])
        return value.item(), gradient.numpy()
    return value.item() if isinstance(value, Tensor) else value, None


check_unrolled_loss = Exercise(
    "unrolled_loss",
    cases=[
        (0, 1, 0.8),
        (1, 3, 0.8),
        (2, 4, 0.5),
        (0, 5, 1.0),
    ],
    right=unrolled_loss,
    ask=_loss_and_gradient,
    parts=("the loss", "its gradient"),
    mistakes={
        "That is one step early: you feed the token of the anchor, whose state holds it already. "
        "Beside state `anchor` goes the token AFTER it.": ("tokens[anchor + 1", "tokens[anchor"),
        "The label is shifted: the row to be learned is the one after the token that was just fed, "
        "p[anchor + 1 + s]. Yours trains the head to repeat what it reads.": (
            ("p[anchor + 1", "p[anchor")
        ),
        "The label is shifted by one: your head learns to skip a token.": (
            ("p[anchor + 1", "p[anchor + 2")
        ),
        "You give the head the target's state at each step. Then step 2 learns what step 1 does, "
        "and what it must do when it drafts, read its own state, is never practised.": (
            ("+ s], state)", "+ s], states[anchor + s])")
        ),
        "The first state is that of token anchor + 1: the target has not processed it when the "
        "head is asked. Begin with states[anchor].": ("states[anchor]", "states[anchor + 1]"),
        "Divide by the sum of the weights: else more steps are a larger loss.": (
            (" / sum(decay**s for s in range(steps))", "")
        ),
        "The weights decay^s are missing: late steps are reached less often.": (
            ("- decay**s *", "-"),
            ("decay**s for s in range(steps)", "1 for s in range(steps)"),
        ),
        "You learn the token that stands in the text. The head is judged by the target's whole "
        "row: take the cross-entropy with p.": (
            ("(p[anchor + 1 + s] * log_q).sum()", "log_q[tokens[anchor + 2 + s]]")
        ),
        "You feed the head its own guess. It is the text that goes on in training: a guess that is "
        "not accepted has no next position.": (
            ("tokens[anchor + 1 + s]", "tokens[anchor + 1] if s == 0 else int(log_q.argmax())")
        ),
        "you cut the state off between two steps (detach?). Each step then learns to read a state, "
        "and none learns to write one that the next step can read: hand it on as it is.": (
            ("+ s], state)", "+ s], state.detach())")
        ),
        "there is none: inside torch.no_grad(), or after .detach(), .item() or float(), nothing "
        "can be learned from the loss. Calculate with the tensors as they are.": (
            ("return total", "return total.item()")
        ),
    },
    shown=lambda anchor, steps, decay: f"anchor = {anchor}, steps = {steps}, decay = {decay}",
    insight="True state first, its own ever after: that is training-time test.",
)


def predicted_tau(p: np.ndarray, q: np.ndarray) -> float:
    """1 + the sum over k of the product of the first k alphas; p and q (steps, V)."""
    alphas = np.minimum(p, q).sum(-1)
    return 1 + np.cumprod(alphas).sum()


_ROWS = [tuple(_RNG.dirichlet(np.ones(4), (2, n))) for n in (1, 2, 4, 5)]

check_predicted_tau = Exercise(
    "predicted_tau",
    cases=[*_ROWS, (np.eye(3), np.eye(3)), (np.eye(3), np.eye(3)[[0, 2, 2]])],
    right=predicted_tau,
    mistakes={
        "A guess counts only if all before it were accepted: take the product of the alphas so "
        "far. Yours adds up guesses that nobody reaches.": ("np.cumprod(alphas)", "alphas"),
        "The target's own token is missing: each round brings one more than it accepts.": (
            ("1 + np", "np")
        ),
        "That is the probability that all are accepted, plus one. The sum goes over all lengths.": (
            ("np.cumprod(alphas).sum()", "np.prod(alphas)")
        ),
        "With the mean of the alphas the formula for one rate is not the mean of the rounds: the "
        "first alpha counts in every term, the last in one.": (
            ("cumprod(alphas)", "cumprod(np.full(len(p), alphas.mean()))")
        ),
        "That a head's likeliest token is the target's is no probability of being accepted: "
        "alpha is the sum of min(p, q).": (
            ("np.minimum(p, q).sum(-1)", "p.argmax(-1) == q.argmax(-1)")
        ),
        "Total variation is what is rejected: alpha is 1 less that.": (
            ("cumprod(alphas)", "cumprod(1 - alphas)")
        ),
    },
    insight="This one number, on held-out text, is what a head should be judged by.",
)

Run = dict[str, object]


def broken_runs(runs: dict[str, Run]) -> list[str]:
    """Names of the runs of which a row that was served is not the one that the head defines."""

    def apart(run: Run) -> float:
        return np.abs(run["served"] - run["defined"]).sum(-1).max() / 2

    return [name for name, run in runs.items() if apart(run) > 0.001]


def _run(seed: int, good: float, wrong: Callable, same_text: bool = True, off: float = 0.01) -> Run:
    """Three rows of p; a head that is right by a share `good`; wrong(rows) is what was served.

    Its baseline was recorded as it is served here, but for `off`.
    """
    rng = np.random.default_rng(seed)
    p, other = rng.dirichlet(np.full(4, 0.5), (2, 3))
    defined = good * p + (1 - good) * other
    served = wrong(defined) + 1e-6 * np.array([1, -1, 0, 0])  # rounding
    baseline = overlap(p, served).mean() + off
    return {
        "same text": same_text, "p": p, "served": served, "defined": defined,
        "baseline": round(float(baseline), 2),
    }  # fmt: skip


def _turned(rows: np.ndarray) -> np.ndarray:
    """Each row's probabilities at the next token."""
    return np.roll(rows, 1, axis=-1)


def _one_flatter(rows: np.ndarray) -> np.ndarray:
    """The last row is served a little too flat: its likeliest token stays the likeliest."""
    flat = np.sqrt(rows[-1])
    return np.concatenate([rows[:-1], flat[None] / flat.sum()])


def _sharper(rows: np.ndarray) -> np.ndarray:
    """All rows are served too sure, as if a norm were applied twice."""
    return rows**2 / (rows**2).sum(-1, keepdims=True)


_RUNS = {
    "A": _run(1, 1.0, lambda rows: rows, off=-0.01),  # a head that knows p
    "B": _run(10, 0.2, lambda rows: rows, off=0.3),  # the text is hard
    "C": _run(3, 0.8, _turned),  # its baseline was recorded when it was broken already
    "D": _run(4, 0.8, lambda rows: rows, same_text=False),  # a tie in the target
    "E": _run(5, 0.6, _one_flatter),
    "F": _run(18, 0.0, lambda rows: rows),  # a bad head, served right
    "G": _run(7, 0.5, _sharper),
}

_FAR = "apart(run) > 0.001"  # the piece of the solution that most mistakes have otherwise
_SERVED, _DEFINED = (f'overlap(run["p"], run["{q}"]).mean()' for q in ("served", "defined"))

check_broken_runs = Exercise(
    "broken_runs",
    cases=[(_RUNS,), ({k: _RUNS[k] for k in "ABFG"},), ({k: _RUNS[k] for k in "ECD"},)],
    right=broken_runs,
    mistakes={
        "A baseline is what was measured once. If the head was served wrongly then, the defect is "
        "the baseline: C passes for ever, and B fails for a harder text. Compare with what the "
        "head defines.": (_FAR, f'{_SERVED} < run["baseline"] - 0.02'),
        "The text is right in all the broken runs: the rule corrects whatever is guessed. Another "
        "text is another class of fault.": (_FAR, 'not run["same text"]'),
        "A low acceptance may be a bad head, or a hard text, served as it should be. A fault is "
        "the difference from what the head defines.": (_FAR, f"{_SERVED} < 0.5"),
        "Other rows may overlap with p as much as the right ones, or more: G is served too sure, "
        "and its Σmin is as large as it should be. Compare the rows themselves.": (
            (_FAR, f"{_SERVED} < {_DEFINED} - 0.02")
        ),
        "The likeliest token may be the right one in a row that is wrong. Compare the whole "
        "rows.": (_FAR, '(run["served"].argmax(-1) != run["defined"].argmax(-1)).any()'),
        "You find none. (Do your differences cancel? Two rows both sum to 1: take absolute values "
        "before you sum.)": ("np.abs(", "("),
        "That is how far q is from p: a bad head is far, and no fault. Compare the rows that were "
        "served with those that the head defines.": ('run["defined"]', 'run["p"]'),
        "Rounding makes tiny differences in every run. Allow 0.001.": (_FAR, "apart(run) > 0"),
        "The wrong way round: these are the runs that are served as they should be.": (
            (_FAR, "apart(run) <= 0.001")
        ),
        "Either of the two alarms is not better than the right one: the baseline brings its false "
        "alarms with it.": (_FAR, f'{_FAR} or {_SERVED} < run["baseline"] - 0.02'),
    },
    form=lambda answer, runs: (
        None if isinstance(answer, list | tuple | set) else "Return a list of names."
    ),
    same=lambda given, right: sorted(given) == sorted(right),
    shown=lambda runs: f"the runs {', '.join(runs)}",
    insight="The oracle needs no record: what a head should serve is computed.",
)  # fmt: skip
