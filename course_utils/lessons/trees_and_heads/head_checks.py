"""The checks of the builds on heads: what one is trained on, and what its rows promise."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.theory import overlap

# (token, state) -> (the next state, log q (V,))
Step = Callable[[int, np.ndarray], tuple[np.ndarray, np.ndarray]]

SIZE = 5  # tokens of the vocabulary
_RNG = np.random.default_rng(7)
_READ, _TURN = _RNG.normal(size=(SIZE, 3)), _RNG.normal(size=(3, 3))
_SAY = _RNG.normal(size=(3, SIZE))
_TOKENS = [2, 0, 4, 1, 3, 3, 0, 2]
_STATES = _RNG.normal(size=(len(_TOKENS), 3))  # the target's, after each token
_P = _RNG.dirichlet(np.ones(SIZE), len(_TOKENS))  # row i: what follows token i


def small_step(token: int, state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A head of three numbers: what it makes of a token and the state before it."""
    new = np.tanh(_READ[token] + state @ _TURN)
    logits = new @ _SAY
    return new, logits - np.log(np.exp(logits).sum())


def unrolled_loss(
    step: Step, states: np.ndarray, tokens: Sequence[int], p: np.ndarray, anchor: int, steps: int,
    decay: float,
) -> float:  # fmt: skip
    """Cross-entropy of the target's rows and the head's on its own states; weights decay^s."""
    state, losses = states[anchor], []
    for s in range(steps):
        state, log_q = step(tokens[anchor + 1 + s], state)
        losses.append(-(p[anchor + 1 + s] * log_q).sum())
    weights = [decay**s for s in range(steps)]
    return float(np.dot(weights, losses) / sum(weights))


def _unrolled(
    read: int = 1, judged: int = 1, own: bool = True, first: int = 0, weighed: str = "mean",
    hard: bool = False, said: bool = False,
) -> Callable:  # fmt: skip
    """`unrolled_loss` with another token read, row judged by, state, weight, label or text."""

    def attempt(step, states, tokens, p, anchor, steps, decay):
        state, losses, guess = states[anchor + first], [], None
        for s in range(steps):
            token = tokens[anchor + read + s]
            state, log_q = step(guess if said and guess is not None else token, state)
            guess = int(np.argmax(log_q))
            row = p[anchor + judged + s]
            losses.append(-log_q[tokens[anchor + 2 + s]] if hard else -(row * log_q).sum())
            if not own:
                state = states[anchor + s + 1]
        weights = [decay**s if weighed != "flat" else 1.0 for s in range(steps)]
        return float(np.dot(weights, losses) / (1 if weighed == "sum" else sum(weights)))

    return attempt


check_unrolled_loss = Exercise(
    "unrolled_loss",
    cases=[
        (small_step, _STATES, _TOKENS, _P, 0, 1, 0.8),
        (small_step, _STATES, _TOKENS, _P, 1, 3, 0.8),
        (small_step, _STATES, _TOKENS, _P, 2, 4, 0.5),
        (small_step, _STATES, _TOKENS, _P, 0, 5, 1.0),
    ],
    right=unrolled_loss,
    mistakes={
        "That is one step early: you feed the token of the anchor, whose state holds it already. "
        "Beside state `anchor` goes the token AFTER it.": _unrolled(read=0),
        "The label is shifted: the row to be learned is the one after the token that was just fed, "
        "p[anchor + 1 + s]. Yours trains the head to repeat what it reads.": _unrolled(judged=0),
        "The label is shifted by one: your head learns to skip a token.": _unrolled(judged=2),
        "You give the head the target's state at each step. Then step 2 learns what step 1 does, "
        "and what it must do when it drafts, read its own state, is never practised.": (
            _unrolled(own=False)
        ),
        "The first state is that of token anchor + 1: the target has not processed it when the "
        "head is asked. Begin with states[anchor].": _unrolled(first=1),
        "Divide by the sum of the weights: else more steps are a larger loss.": (
            _unrolled(weighed="sum")
        ),
        "The weights decay^s are missing: late steps are reached less often.": (
            _unrolled(weighed="flat")
        ),
        "You learn the token that stands in the text. The head is judged by the target's whole "
        "row: take the cross-entropy with p.": _unrolled(hard=True),
        "You feed the head its own guess. It is the text that goes on in training: a guess that is "
        "not accepted has no next position.": _unrolled(said=True),
    },
    shown=lambda step, states, tokens, p, anchor, steps, decay: (
        f"anchor = {anchor}, steps = {steps}, decay = {decay}"
    ),
    insight="True state first, its own ever after: that is training-time test.",
)


def predicted_tau(p: np.ndarray, q: np.ndarray) -> float:
    """1 + the sum over k of the product of the first k alphas; p and q (steps, V)."""
    return float(1 + np.cumprod(overlap(p, q)).sum())


def _alphas(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    return np.minimum(p, q).sum(-1)


_ROWS = [tuple(_RNG.dirichlet(np.ones(4), (2, n))) for n in (1, 2, 4, 5)]

check_predicted_tau = Exercise(
    "predicted_tau",
    cases=[*_ROWS, (np.eye(3), np.eye(3)), (np.eye(3), np.eye(3)[[0, 2, 2]])],
    right=predicted_tau,
    mistakes={
        "A guess counts only if all before it were accepted: take the product of the alphas so "
        "far. Yours adds up guesses that nobody reaches.": lambda p, q: 1 + _alphas(p, q).sum(),
        "The target's own token is missing: each round brings one more than it accepts.": (
            lambda p, q: np.cumprod(_alphas(p, q)).sum()
        ),
        "That is the probability that all are accepted, plus one. The sum goes over all lengths.": (
            lambda p, q: 1 + np.prod(_alphas(p, q))
        ),
        "With the mean of the alphas the formula for one rate is not the mean of the rounds: the "
        "first alpha counts in every term, the last in one.": (
            lambda p, q: 1 + np.cumprod(np.full(len(p), _alphas(p, q).mean())).sum()
        ),
        "That a head's likeliest token is the target's is no probability of being accepted: "
        "alpha is the sum of min(p, q).": (
            lambda p, q: 1 + np.cumprod(p.argmax(-1) == q.argmax(-1)).sum()
        ),
        "Total variation is what is rejected: alpha is 1 less that.": (
            lambda p, q: 1 + np.cumprod(1 - _alphas(p, q)).sum()
        ),
    },
    insight="This one number, on held-out text, is what a head should be judged by.",
)

Run = dict[str, object]


def broken_runs(runs: dict[str, Run]) -> list[str]:
    """Names of the runs that served a clearly smaller overlap than the head defines."""
    return [name for name, run in runs.items() if run["served"] < run["defined"] - 0.02]


_ONE = {"same text": True, "served": 0.71, "defined": 0.71, "baseline": 0.70}
_RUNS = {
    "A": _ONE,
    "B": _ONE | {"served": 0.31, "defined": 0.31, "baseline": 0.72},  # the text is hard
    "C": _ONE | {"served": 0.22, "defined": 0.70, "baseline": 0.21},  # recorded when broken
    "D": _ONE | {"same text": False, "served": 0.68, "defined": 0.69},  # a tie in the target
    "E": _ONE | {"served": 0.60, "defined": 0.74, "baseline": 0.58},
    "F": _ONE | {"served": 0.12, "defined": 0.12, "baseline": 0.12},  # a bad head, served right
}

check_broken_runs = Exercise(
    "broken_runs",
    cases=[(_RUNS,), ({k: _RUNS[k] for k in "ABF"},), ({k: _RUNS[k] for k in "ECD"},)],
    right=broken_runs,
    mistakes={
        "A baseline is what was measured once. If the head was served wrongly then, the defect is "
        "the baseline: C passes for ever, and B fails for a harder text. Compare with what the "
        "head defines.": lambda runs: [
            n for n, r in runs.items() if r["served"] < r["baseline"] - 0.02
        ],
        "The text is right in all the broken runs: the rule corrects whatever is guessed. Another "
        "text is another class of fault.": lambda runs: [
            n for n, r in runs.items() if not r["same text"]
        ],
        "A low acceptance may be a bad head, or a hard text, served as it should be. A fault is "
        "the difference from what the head defines.": lambda runs: [
            n for n, r in runs.items() if r["served"] < 0.5
        ],
        "Both are measured on some rounds: rounding and ties make tiny differences. Allow 0.02.": (
            lambda runs: [n for n, r in runs.items() if r["served"] != r["defined"]]
        ),
        "The wrong way round: these are the runs that are served as they should be.": lambda runs: [
            n for n, r in runs.items() if r["served"] >= r["defined"] - 0.02
        ],
        "Either of the two alarms is not better than the right one: the baseline brings its false "
        "alarms with it.": lambda runs: [
            n for n, r in runs.items()
            if r["served"] < r["defined"] - 0.02 or r["served"] < r["baseline"] - 0.02
        ],
    },
    form=lambda answer, runs: (
        None if isinstance(answer, list | tuple | set) else "Return a list of names."
    ),
    same=lambda given, right: sorted(given) == sorted(right),
    shown=lambda runs: f"the runs {', '.join(runs)}",
    insight="The oracle needs no record: what a head should be accepted at is computed.",
)  # fmt: skip
