"""Checks of lesson 12: a test of a server's text, and a gate on its acceptance."""

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding.sampling import sample
from course_utils.engines.counters import Counters
from course_utils.theory.speedup import overlap


def deviations(rows: np.ndarray, tokens: np.ndarray) -> tuple[float, float]:
    """Return by how many standard deviations both sums exceed their expectation under `rows`.

    Args:
        rows: (n, vocabulary), the target's distribution at each position of the text.
        tokens: (n,), the text.

    Returns: the sum of -log p(x) - H(p), and the sum of its square minus the row's variance, each
    over the root of its own variance.
    """
    surprisal = -np.log(np.where(rows > 0, rows, 1))
    excess = surprisal - (rows * surprisal).sum(-1, keepdims=True)
    squares = excess**2 - (rows * excess**2).sum(-1, keepdims=True)
    at = np.arange(len(tokens)), tokens
    first = excess[at].sum() / np.sqrt((rows * excess**2).sum())
    second = squares[at].sum() / np.sqrt((rows * squares**2).sum())
    return first, second


# 60 rows of different entropy; one in four has tokens of probability 0
_RNG = np.random.default_rng(1)
_ROWS = _RNG.dirichlet(np.full(12, 0.6), 60)
_ROWS[::4, :6] = 0
_ROWS /= _ROWS.sum(-1, keepdims=True)
_SURPRISAL = -np.log(np.where(_ROWS > 0, _ROWS, 1))
_ENTROPY = (_ROWS * _SURPRISAL).sum(-1, keepdims=True)
TEXTS = {
    "drawn from the rows": np.array([sample(row, _RNG.random()) for row in _ROWS]),
    "always the likeliest": _ROWS.argmax(-1),
    "always the token nearest the entropy": np.where(
        _ROWS > 0, abs(_SURPRISAL - _ENTROPY), np.inf
    ).argmin(-1),
}

check_deviations = Exercise(
    "deviations",
    cases=[
        # short enough to work out on paper
        (np.array([[0.5, 0.25, 0.25], [0.9, 0.1, 0.0]]), np.array([0, 1])),
        *((_ROWS, text) for text in TEXTS.values()),
    ],
    solution=deviations,
    must_not_mutate=True,
    mistakes={
        "0 log 0 is 0 here, but NumPy returns nan: replace a probability of 0 by 1 before you take "
        "the logarithm.": "np.where(rows > 0, rows, 1) → rows",
        "You do not subtract the entropy. An honest text has a large surprisal where its rows are "
        "flat: subtract each row's "
        "expectation.": "excess = surprisal - (rows * surprisal).sum(-1, keepdims=True) → "
        "excess = surprisal",
        "You divide by the variance. Divide by its square root, "
        "the standard deviation.": "np.sqrt((rows * excess**2).sum()) → "
        "(rows * excess**2).sum(); np.sqrt((rows * squares**2).sum()) → (rows * squares**2).sum()",
        "That is the sum of the differences. "
        "Divide it by its standard deviation.": " / np.sqrt((rows * excess**2).sum()) → "
        ";  / np.sqrt((rows * squares**2).sum()) → ",
        "You divide the second sum by the standard deviation of the first. "
        "Use its own.": "rows * squares**2 → rows * excess**2",
    },
    parts=("first", "second"),
    describe_case=lambda rows, tokens: (
        f"rows = {rows.tolist()} and tokens = {tokens.tolist()}"
        if len(tokens) < 4
        else f"a text of {len(tokens)} tokens"
    ),
    insight="The test needs only text and rows: no rounds, no draft, no claim of the server.",
)


def acceptance_gate(p: np.ndarray, q: np.ndarray, counters: Counters, baseline: float) -> str:
    """Return "dead" if the first guess is accepted less than half as often as p and q allow.

    Only the first position counts: every draft is examined there, whatever its length.

    Args:
        p, q: rows at the first drafted position of some rounds, computed outside the server
            from the same texts: the server's own rows share its faults.
        counters: of the server.
        baseline: an old record of accepted / drafted.  Not needed: it may contain the fault.
    """
    allowed = np.minimum(p, q).sum(-1).mean()
    observed = counters.per_position[0] / counters.drafts
    return "dead" if observed < allowed / 2 else "alive"


def _counters(drafts: int, *accepted: int) -> Counters:
    return Counters(drafts, drafts * len(accepted), sum(accepted), accepted)


_P = np.array([[0.7, 0.2, 0.1, 0.0], [0.1, 0.8, 0.1, 0.0], [0.4, 0.3, 0.2, 0.1]])
# overlaps with p, on average: .883 and .07
_NEAR = np.array([[0.6, 0.2, 0.1, 0.1], [0.2, 0.7, 0.05, 0.05], [0.5, 0.3, 0.2, 0.0]])
_FAR = np.array([[0.0, 0.0, 0.06, 0.94], [0.05, 0.0, 0.0, 0.95], [0.0, 0.0, 0.0, 1.0]])
_MIXED = np.array([_P[0], _FAR[1], _FAR[2]])  # overlaps 1, .05 and .1
# each row is sure of one token, never of the target's; their means are alike
_SURE = 0.01 + 0.96 * np.eye(3, 4)
_SHIFTED = _SURE[[1, 2, 0]]

check_acceptance_gate = Exercise(
    "acceptance_gate",
    cases=[
        (_P, _NEAR, _counters(1000, 862, 741), 0.80),  # alive, as expected
        (_P, _NEAR, _counters(1000, 897, 790), 0.80),  # alive, a little above by chance
        (_P, _NEAR, _counters(1000, 41), 0.80),  # dead, and the baseline shows it
        (_P, _NEAR, _counters(1000, 41), 0.04),  # dead, and so was the baseline
        (_P, _FAR, _counters(1000, 61), 0.06),  # alive and low
        (_P, _FAR, _counters(1000, 66), 0.80),  # alive and low, baseline of other texts
        (_P, _NEAR, _counters(1000, 700, 420, 250, 140, 80, 40, 20, 10), 0.2),  # long drafts
        (_P, _NEAR, _counters(1000, 300, 250, 200), 0.25),  # dead, though the total is high
        (_SURE, _SHIFTED, _counters(1000, 36), 0.04),  # alive: never sure of the same token
        (_SURE, 0.2 + 0.2 * np.eye(3, 4), _counters(1000, 420), 0.04),  # alive: one favourite
        (_P, _MIXED, _counters(1000, 300), 0.30),  # alive: one good row and two bad ones
        (_P, _MIXED, _counters(1000, 100), 0.10),  # dead, on the same rows
    ],
    solution=acceptance_gate,
    mistakes={
        "You compare with the recorded baseline. It may contain the fault, and then a dead draft "
        "passes: compare with Σ min(p, "
        "q).": "observed < allowed / 2 → counters.acceptance_rate < baseline / 2",
        "You use a fixed limit. The limit depends on p and q: 0.07 is all that one draft can "
        "reach, and 0.3 is dead for another.": "< allowed / 2 → < 0.1",
        "You compare with accepted over drafted. It falls as drafts get longer; use the first "
        "position, which every draft "
        "reaches.": "counters.per_position[0] / counters.drafts → counters.acceptance_rate",
        "You allow no sampling noise: "
        "an observed rate is a little below or above its probability.": "< allowed / 2 → < allowed",
        "That is the distance of p and q, half of Σ |p - q|. The acceptance probability is 1 minus "
        "it.": "np.minimum(p, q) → 0.5 * np.abs(np.subtract(p, q))",
        "Σ p q is the probability that two independent draws agree. The rule accepts more: Σ "
        "min(p, q).": "np.minimum → np.multiply",
    },
    describe_case=lambda p, q, counters, baseline: (
        f"Σ min(p, q) = {overlap(p, q).mean():.2f} on average, "
        f"{counters.drafts} drafts, accepted by position "
        f"{', '.join(map(str, counters.per_position))}, and a baseline of {baseline}"
    ),
    insight="A baseline may contain the server's own fault; Σ min(p, q) is computed outside it.",
)
