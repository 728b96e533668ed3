"""The check of this elective: how often each engine's rule accepts."""

import numpy as np

from course_utils.classroom.exercise import Exercise


def rates_by_rule(p: np.ndarray, q: np.ndarray, kept: int) -> dict[str, float]:
    """How often a first guess is accepted, on average over the rows, by three rules.

    Args:
        p, q: (n, vocabulary), the target's and the draft's rows at the same places.
        kept: of q under "top", its likeliest tokens.

    Returns: "drawn", a guess drawn from q; "top", one drawn from the `kept` likeliest tokens of
    q, brought to the sum 1; "likeliest", the draft's likeliest token.
    """
    least = np.sort(q, axis=-1)[:, -kept, None]
    top = np.where(q >= least, q, 0)
    top = top / top.sum(-1, keepdims=True)
    return {
        "drawn": np.minimum(p, q).sum(-1).mean(),
        "top": np.minimum(p, top).sum(-1).mean(),
        "likeliest": p[np.arange(len(q)), q.argmax(-1)].mean(),
    }


def _rows(seed: int, n: int, vocabulary: int, even: float) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.full(vocabulary, even), n)


check_rates_by_rule = Exercise(
    "rates_by_rule",
    cases=[
        (
            np.array([[0.5, 0.2, 0.2, 0.1], [0.1, 0.6, 0.2, 0.1]]),
            np.array([[0.3, 0.4, 0.2, 0.1], [0.2, 0.5, 0.25, 0.05]]),
            2,
        ),
        (_rows(1, 5, 12, 0.5), _rows(2, 5, 12, 0.5), 3),
        (_rows(3, 40, 30, 0.3), _rows(4, 40, 30, 2.0), 10),
        (_rows(5, 3, 6, 1.0), _rows(6, 3, 6, 1.0), 6),
    ],
    right=rates_by_rule,
    mistakes={
        "Σ p q is the chance that two independent draws agree. The rule accepts more: Σ min(p, "
        "q).": ('"drawn": np.minimum', '"drawn": np.multiply'),
        "That is the distance of p and q. What is accepted is the overlap, 1 minus it.": (
            '"drawn": np.minimum(p, q).sum(-1)',
            '"drawn": (0.5 * np.abs(p - q)).sum(-1)',
        ),
        "You take the mean over the vocabulary as well. Add each row up first, then take the mean "
        "of the rows.": ('"drawn": np.minimum(p, q).sum(-1)', '"drawn": np.minimum(p, q)'),
        "The tokens that are kept do not sum to 1, so nothing can be drawn from them. Divide each "
        "row by its own sum.": ("    top = top / top.sum(-1, keepdims=True)\n", ""),
        "You keep the target's likeliest tokens. The draft does not know p: its own are kept.": (
            "np.where(q >= least, q, 0)",
            "np.where(p >= np.sort(p)[:, -kept, None], q, 0)",
        ),
        "You keep the least likely tokens of q.": (
            ("[:, -kept, None]", "[:, kept - 1, None]"),
            ("q >= least", "q <= least"),
        ),
        "You divide all rows by one sum. Each row is a distribution of its own: `keepdims=True`.": (
            "top.sum(-1, keepdims=True)",
            "top.sum()",
        ),
        "That is how often p and q have the same likeliest token. At temperature 1 the target "
        "draws: the guess is accepted with p of that token.": (
            "p[np.arange(len(q)), q.argmax(-1)].mean()",
            "(p.argmax(-1) == q.argmax(-1)).mean()",
        ),
        "That is p at the TARGET's likeliest token. The guess is the draft's.": (
            "q.argmax(-1)]",
            "p.argmax(-1)]",
        ),
        "That is q of the guess: how sure the draft is. How often does the target draw it?": (
            "p[np.arange",
            "q[np.arange",
        ),
    },
    parts=("drawn", "top", "likeliest"),
    shown=lambda p, q, kept: f"{len(p)} rows of {p.shape[-1]} tokens and kept = {kept}",
    insight="All three are exact, so no text tells them apart. The rate does.",
)
