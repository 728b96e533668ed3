"""Checks of this lesson: a draft as a whole, block verification, candidates, a lossy rule."""

from collections.abc import Callable, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.classroom.trial import distribution, rule_of
from course_utils.decoding import rules
from course_utils.decoding.contracts import NoiseSource, Rows, Uniforms
from course_utils.decoding.sampling import sample
from course_utils.refused import require
from course_utils.theory.speedup import overlap, total_variation

Pair = tuple[float, float]

# the five words of the lesson; and four words that p and q rank in opposite order
P, Q = np.array([0.45, 0.25, 0.15, 0.1, 0.05]), np.array([0.25, 0.1, 0.4, 0.15, 0.1])
P4, Q4 = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.4, 0.35, 0.15, 0.1])


def accepted_whole(p: Rows, q: Rows, drafted: Sequence[int]) -> Pair:
    """Return the probability to accept the whole draft: (token-wise, block verification).

    p (gamma + 1, V), q (gamma, V).
    """
    accepted, r = 1.0, 1.0
    for i, x in enumerate(drafted):
        ratio = p[i, x] / q[i, x]
        accepted *= min(1, ratio)
        r = min(1, r * ratio)
    return accepted, r


def _rows_with(ratios: Sequence[float]) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
    """Make p (gamma + 1, 3), q (gamma, 3) and a draft x with p_i(x_i)/q_i(x_i) = ratios[i]."""
    drafted = tuple(i % 3 for i in range(len(ratios)))
    q = np.full((len(ratios), 3), 0.4)
    p = np.full((len(ratios) + 1, 3), 1 / 3)
    for i, (x, ratio) in enumerate(zip(drafted, ratios, strict=True)):
        q[i, x], p[i] = 0.2, (1 - 0.2 * ratio) / 2
        p[i, x] = 0.2 * ratio
    return p, q, drafted


def _few(numbers: Sequence[float]) -> str:
    return ", ".join(f"{number:.3g}" for number in numbers)


def _in_words(p: Rows, q: Rows, drafted: Sequence[int]) -> str:
    ratios = _few([p[i, x] / q[i, x] for i, x in enumerate(drafted)])
    return (
        f"p = {p.round(3).tolist()}, q = {q.round(3).tolist()} and the draft {drafted}, whose p/q "
        f"are {ratios},"
    )


check_accepted_whole = Exercise(
    "accepted_whole",
    # made up for later; capped; both, in a longer draft; nothing to reject
    cases=[_rows_with(r) for r in ((0.5, 2.0), (2.0, 0.5), (0.65, 0.5, 3.0, 0.7), (2.0, 1.5))],
    solution=accepted_whole,
    parts=("the token-wise probability", "the block probability"),
    mistakes={
        "Each token is accepted with probability min(1, p/q), "
        "never more than 1.": "min(1, ratio) → ratio",
        "You swapped p and q: the ratio is p(x)/q(x).": "p[i, x] / q[i, x] → q[i, x] / p[i, x]",
        "You cap every ratio at 1, which is the token-wise rule again. Multiply first, then cap, "
        "so that a later token can make up for an earlier one.": "r * ratio → r * min(1, ratio)",
        "You cap only once, at the end, so a token can save up for later ones. Cap after every "
        "token.": "min(1, r * ratio) → r * ratio; return accepted, r → return accepted, min(1, r)",
    },
    insight="Token-wise caps each ratio, then multiplies. Block multiplies and caps as it goes, "
    "so a later token can make up for an earlier one.",
    describe_case=_in_words,
)

# The exact distributions of the verdict are compared, so a right rule may use its uniforms
# in another order than the course's.

Answer = tuple[int, int]  # (accepted, token)
ZERO_BY_ZERO = "Where S and 1 − r are both 0, your h is 0/0. No round can stop there, so use any h."


def verdicts(attempt: Callable, p: Rows, q: Rows, drafted: Sequence[int]) -> tuple[list, list]:
    """Return the exact distributions of `accepted` and of (accepted, token), (gamma + 1, V).

    Raises:
        Refused: no pair, an h of 0/0, or a uniform that is calculated with.
    """
    counts = len(drafted) + 1

    def run(noise: NoiseSource) -> Answer:
        uniforms = noise.round(0).uniforms("verify", counts)
        verdict = rule_of(attempt).verify(p.copy(), q.copy(), drafted, uniforms)
        return verdict.accepted, verdict.token

    both = np.zeros((counts, p.shape[1]))
    for pair, weight in distribution(run).items():
        both[pair] += weight
    require(np.isclose(both.sum(), 1), ZERO_BY_ZERO)  # otherwise a path has no probability
    return both.sum(axis=1).round(9).tolist(), both.round(9).tolist()


def _random(gamma: int, size: int, seed: int) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
    """Draw p (gamma + 1, size), q (gamma, size) and a draft from q."""
    rng = np.random.default_rng(seed)
    p, q = rng.dirichlet(np.ones(size), gamma + 1), rng.dirichlet(np.ones(size), gamma)
    return p, q, tuple(sample(row, u) for row, u in zip(q, rng.random(gamma), strict=True))


TINY_P, TINY_Q = np.tile([1 / 3, 2 / 3], (3, 1)), np.tile([2 / 3, 1 / 3], (2, 1))
BLOCK_CASES = (
    (TINY_P, TINY_Q, (0, 1)),  # the second token makes up for the first one
    (TINY_P, TINY_Q, (1, 0)),  # the first token cannot save up for the second one
    # seeds whose drafts end with r below 1 before a correction, so that no mistake passes
    *(_random(gamma, size, seed) for gamma, size, seed in ((2, 3, 9), (3, 4, 4), (1, 2, 2))),
    (TINY_P, TINY_P[:2], (0, 1)),  # p = q: S and 1 - r are both 0
)


def my_block(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> Answer:
    """Verify the draft as a block: the lesson's solution."""
    gamma = len(drafted)
    accepted, r_accepted, r = 0, 1.0, 1.0
    for i, x in enumerate(drafted):
        r = min(1.0, r * p[i, x] / q[i, x])
        h = r
        if i + 1 < gamma:
            s = np.maximum(r * p[i + 1] - q[i + 1], 0).sum()
            h = s / (s + 1 - r) if s + 1 - r > 0 else 1.0
        if uniforms[i] < h:
            accepted, r_accepted = i + 1, r
    if accepted == gamma:
        return accepted, sample(p[gamma], uniforms[-1])
    row = rules.residual(r_accepted * p[accepted], q[accepted])
    return accepted, sample(row, uniforms[-1])


def _compared(answer: Sequence, p: Rows, q: Rows, drafted: Sequence[int]) -> str:
    """Explain the first distribution that differs: of `accepted`, or of the next token."""
    counts, both = verdicts(my_block, p, q, drafted)
    if np.ndim(answer) == 1:
        r = [accepted_whole(p, q, drafted[:n])[1] for n in range(1, len(counts))]
        s = [np.maximum(a * b - c, 0).sum() for a, b, c in zip(r, p[1:], q[1:])]
        h = [a / (a + 1 - b) for a, b in zip(s, r) if a + 1 - b > 0]
        numbers = ", ".join(map(str, range(len(counts))))
        return (
            f"prefix by prefix r is {_few(r)}; S is {_few(s)} and h {_few([*h, r[-1]])} (a longer "
            f"prefix may pass even if a shorter one does not). So {numbers} tokens are accepted "
            f"with probability {_few(counts)}, not {_few(answer)}."
        )
    rows = enumerate(zip(both, answer, strict=True))
    i, (right, wrong) = next(row for row in rows if not np.allclose(*row[1]))
    right, wrong = (np.array(row) / sum(row) for row in (right, wrong))
    return f"with {i} accepted the next token is drawn from {_few(right)}, not {_few(wrong)}."


check_block = Exercise(
    "block",
    cases=BLOCK_CASES,
    solution=my_block,
    mistakes={
        "You stop at the first prefix that does not pass. Accept the longest one that passes, even "
        "if shorter ones do not.": "= i + 1, r → = i + 1, r\n        else:\n            break",
        "You accept every prefix with probability r. That is right for the whole draft only; a "
        "shorter prefix must leave room for longer ones, "
        "h = S/(S + 1 − r).": "s / (s + 1 - r) if s + 1 - r > 0 else 1.0 → r",
        "S is about the word AFTER the prefix. After i + 1 drafted tokens that is row i + 1 of p "
        "and of q, counted from 0.": "p[i + 1] - q[i + 1] → p[i] - q[i]",
        "You use the first uniform for all prefixes. Each has its own: uniforms[i] is for the "
        "prefix of i + 1 tokens.": "uniforms[i] < h → uniforms[0] < h",
        "Your correction ignores r. Draw it from rules.residual(r·p, q), with the r of the "
        "accepted prefix.": "r_accepted * p[accepted] → p[accepted]",
        "Your correction uses the r at the end of the draft. "
        "Remember the r of the accepted prefix.": "r_accepted * p → r * p",
    },
    insight="A round stops exactly where the draft offers too little of what the target wants, "
    "so fewer tokens are corrected. At temperature 0 this is the token-wise rule again.",
    call=verdicts,
    parts=("how many are accepted", "the token after them"),
    describe_case=_in_words,
    explain=_compared,
)


def one_of_two(p: Rows, q: Rows) -> Pair:
    """Return the probability that one of two candidates for a position is accepted.

    Rows (V,) -> (drawn with replacement, without).
    """
    alpha, left = overlap(p, q), rules.residual(p, q)
    rejected = np.maximum(q - p, 0)  # drafted first, and rejected
    with_replacement = alpha + rejected.sum() * overlap(left, q)
    without = alpha
    for x, mass in enumerate(rejected):
        without += mass * overlap(left, rules.one_hot_residual(q, x))
    return with_replacement, without


check_one_of_two = Exercise(
    "one_of_two",
    cases=[(P, Q), (P4, Q4), (Q4, P4), (P, P)],
    solution=one_of_two,
    parts=("with replacement", "without replacement"),
    mistakes={
        "You judge the second candidate by p. But after a rejection its target is the residual, "
        "not p.": "rules.residual(p, q) → p",
        "The second candidate is tried only after a rejection: multiply its chance by 1 − α before "
        "you add it.": "rejected.sum() *  → ",
        "You weight the words by q, but not every first candidate is rejected: x is drafted and "
        "rejected with probability max(q(x) − p(x), 0).": "np.maximum(q - p, 0) → (1 - alpha) * q",
    },
    insight="Without replacement the mass of a rejected word goes to words that may still be "
    "wanted, so the second candidate is worth more.",
)


def within_budget(p: Rows, q: Rows, budget: float) -> Pair:
    """Return (w, acceptance) of the ensemble w p + (1 - w) q within a TV of `budget` from p.

    Rows (V,).  w is the smallest possible one in [0, 1], which accepts most.
    """
    distance = total_variation(p, q)
    w = max(0.0, 1 - budget / distance) if distance > 0 else 0.0
    return w, 1 - w * distance


check_within_budget = Exercise(
    "within_budget",
    # two small budgets; none; more than TV(p, q) = 0.35; p = q
    cases=[(P, Q, 0.07), (P4, Q4, 0.2), (P, Q, 0.0), (P, Q, 0.5), (P, P, 0.1)],
    solution=within_budget,
    parts=("w", "the acceptance"),
    mistakes={
        "You return budget/TV(p, q), the largest share of *q*. w is the share of p, "
        "the target.": "max(0.0, 1 - budget / distance) → min(1.0, budget / distance)",
        "With a budget above TV(p, q) your w is below 0. No rule can accept more than everything: "
        "w is at least 0.": "max(0.0, 1 - budget / distance) → 1 - budget / distance",
        "You return 1 − budget. The mixture is closer to p: its TV is (1 − w)·TV(p, q).": (
            lambda p, q, budget: (1 - budget, 0)
        ),
        "You compare the mixture with p, but the draft comes from q: accepted is Σ min(m, "
        "q).": "1 - w * distance → 1 - min(budget, distance)",
    },
    insight="The TV you spend comes back as acceptance, one for one: α + TV.",
)
