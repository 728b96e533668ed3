"""Checks of this lesson: a round by hand, shared mass and residual, the rule, the proof in steps,
and the loop from an empty cell."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from course_utils.classroom.exercise import Exercise
from course_utils.decoding import rules
from course_utils.decoding.contracts import Rows, Rule, Uniforms, Verdict
from course_utils.decoding.sampling import sample
from course_utils.lessons.acceptance_rule.by_hand import check_round_by_hand
from course_utils.lessons.acceptance_rule.rebuilt import check_rebuilt_loop
from course_utils.proofs.enumeration import Path, Uniform, in_sentences
from course_utils.refused import Refused

__all__ = [
    "check_proof_steps",
    "check_rebuilt_loop",
    "check_round_by_hand",
    "check_shared_and_residual",
    "check_token_wise",
]

P = np.array([0.4, 0.3, 0.1, 0.2])
Q = np.array([0.1, 0.2, 0.4, 0.3])
SAME = np.array([0.25, 0.25, 0.5])
TENTHS = np.array([0.7, 0.2, 0.1])  # the sum of these floats is below 1
CLOSE = np.array([0.501, 0.299, 0.2]), np.array([0.499, 0.301, 0.2])


# ------------------------------------------------------------- shared mass and residual


def shared_and_residual(p: Rows, q: Rows) -> tuple[float, Rows]:
    """Rows p and q (vocabulary,) -> alpha, and the residual (vocabulary,)."""
    excess = (p - q).clip(min=0)
    mass = excess.sum()
    return np.minimum(p, q).sum(), excess / mass if mass > 0 else p


SHARED = "np.minimum(p, q).sum()"
check_shared_and_residual = Exercise(
    "shared_and_residual",
    cases=[(P, Q), CLOSE, (SAME, SAME.copy()), (TENTHS, TENTHS.copy())],
    solution=shared_and_residual,
    mistakes={
        "That is the total variation, the probability of a REJECTION. Take what is left of 1.": (
            (SHARED, "abs(p - q).sum() / 2")
        ),
        "That is Σ p·q, the probability that two independent draws agree. Speculative "
        "sampling accepts more often: look at the smaller bar of each token.": (SHARED, "p @ q"),
        "Your residual does not sum to 1. Divide the row by its own sum; for p = q, where the sum "
        "is 0, return p.": ("excess / mass if mass > 0 else p", "excess"),
        "You took what q has too much of. The residual is what p still lacks: p − q.": (
            ("p - q", "q - p")
        ),
        "You took |p − q|. Where q is larger nothing is missing: set it to 0.": (
            ("(p - q).clip(min=0)", "abs(p - q)")
        ),
        "With p = q there is no mass left and you divide by 0. Return p then.": (
            (" if mass > 0 else p", "")
        ),
    },
    insight="Both come from one picture: α is the area under both bars, and the residual is what "
    "sticks out of p above q.",
    must_not_mutate=True,
    parts=("shared mass", "residual"),
)


# ----------------------------------------------------------------- the three steps of the proof


def emitted(p: Rows, q: Rows, correction: Rows) -> Rows:
    """The distribution of one position's token, for rows (vocabulary,).

    Drafted from q, accepted with probability min(1, p/q), else drawn from `correction`.
    """
    accepted = np.minimum(p, q)
    return accepted + (1 - accepted.sum()) * correction


def proof_steps(p: Rows, q: Rows) -> tuple[Rows, float, Rows]:
    """-> drafted and accepted (vocabulary,), rejected (a number), corrected (vocabulary,)"""
    accepted = np.minimum(p, q)
    rejected = 1 - accepted.sum()
    left = p - accepted
    corrected = rejected * left / left.sum() if left.any() else 0 * p
    return accepted, rejected, corrected


def _pairs() -> Iterator[tuple[Rows, Rows]]:
    yield P, Q
    rng = np.random.default_rng(1)
    for size in rng.integers(2, 50, 20):
        yield tuple(rng.dirichlet(np.full(size, 0.3), 2))
    yield np.array([0.4, 0.3, 0.3, 0]), np.array([0.2, 0, 0.8, 0])  # p/q is 0/0 at the last word
    yield SAME, SAME.copy()


CORRECTED = "rejected * left / left.sum() if left.any() else 0 * p"
check_proof_steps = Exercise(
    "proof_steps",
    cases=[*_pairs()],
    solution=proof_steps,
    mistakes={
        "That is how often y is accepted once it was drafted. It is drafted with probability q(y): "
        "multiply.": ("return accepted,", "return np.minimum(1, p / q),"),
        "Where q(y) is 0 you divide by 0. q·min(1, p/q) is the same as min(p, q), without a "
        "division.": ("return accepted,", "return q * np.minimum(1, p / q),"),
        "One number is asked for. The correction can be y whatever was rejected: add up over all "
        "tokens.": ("1 - accepted.sum()", "q - accepted"),
        "That is the residual alone. A correction is drawn only after a rejection: multiply by "
        "that probability.": (CORRECTED, "left / left.sum() if left.any() else p"),
        "Where p = q nothing is left over and you divide 0 by 0. Nothing is rejected there either: "
        "the probability of a correction is 0.": (" if left.any() else 0 * p", ""),
    },
    insight="left.sum() and the probability of a rejection are the same number, so they cancel: "
    "corrected is p − min(p, q), and accepted + corrected is p.",
    must_not_mutate=True,
    parts=("accepted", "rejected", "corrected"),
)


# ---------------------------------------------------------------------- the token-wise rule


def as_rule(function: Callable) -> Rule:
    """A student's rule as a value, for the loop; rows reach it as NumPy arrays."""

    def verify(p: Rows, q: Rows | None, drafted: Sequence[int], uniforms: Uniforms) -> Verdict:
        q = None if q is None else np.asarray(q)  # None: nothing was drafted
        accepted, token = function(np.asarray(p), q, drafted, uniforms)
        return Verdict(int(accepted), int(token))

    return Rule("yours", verify, lossless=True, source="an exercise of this lesson")


def token_wise(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> tuple[int, int]:
    """(accepted, token): the lesson's model solution."""
    for i, x in enumerate(drafted):
        if not uniforms[i] < p[i, x] / q[i, x]:
            return i, sample(rules.residual(p[i], q[i]), uniforms[-1])
    return len(drafted), sample(p[-1], uniforms[-1])


def _cases() -> Iterator[tuple]:
    """Rounds worked out by hand, random ones, and uniforms that can only be compared."""
    p = np.array([[0.4, 0.3, 0.3, 0.0], [0.1, 0.2, 0.4, 0.3], [0.7, 0.1, 0.1, 0.1]])
    q = np.array([[0.1, 0.2, 0.6, 0.1], [0.3, 0.4, 0.2, 0.1]])
    # drafted, uniforms; p/q of the first row is 4, 1.5, 0.5, 0
    for case in (
        ((0, 2), [0.99, 0.99, 0.75]),  # (2, 1): a bonus from the last row
        ((2, 2), [0.4, 0.4, 0.75]),  # (2, 1): p < q, but the uniforms are low
        ((2, 2), [0.6, 0.1, 0.72]),  # (0, 0): the residual is 0.75, 0.25
        ((2, 2), [0.9, 0.1, 0.8]),  # (0, 1)
        ((0, 0), [0.2, 0.5, 0.6]),  # (1, 3): the residual is 0.5, 0.5 on 2, 3
        ((0, 0), [0.9, 0.2, 0.75]),  # (2, 1): the second p/q is 1/3
        ((3, 2), [0.0, 0.5, 0.1]),  # (0, 0): p = 0 and u = 0
    ):
        yield p, q, *case
    rng = np.random.default_rng(0)
    for gamma, size in ((1, 2), (3, 5), (5, 3)) * 8:
        rows = rng.dirichlet(np.ones(size), gamma + 1), rng.dirichlet(np.ones(size), gamma)
        drafted = tuple(sample(row, u) for row, u in zip(rows[1], rng.random(gamma), strict=True))
        yield *rows, drafted, rng.random(gamma + 1).tolist()
    yield p, q, (0, 0), [Uniform(Path(), u, u) for u in (0.2, 0.5, 0.6)]
    yield p[:1], q[:0], (), [0.75]  # nothing drafted: a bonus


def _in_words(p: Rows, q: Rows, drafted: Sequence[int], uniforms: Uniforms) -> str:
    if any(isinstance(u, Uniform) for u in uniforms):
        return "uniforms that can only be compared"
    ratios = [round(float(p[i, x] / q[i, x]), 3) for i, x in enumerate(drafted)]
    *judging, drawing = np.round(uniforms, 3).tolist()
    return (
        f"p = {p.round(3).tolist()}, q = {q.round(3).tolist()}, drafted = {drafted} (uniforms "
        f"{judging} against p/q = {ratios}) and {drawing} to draw with,"
    )


def _judged(attempt: Callable, *case: object) -> object:
    answer, again = (in_sentences(lambda: attempt(*case)) for _ in range(2))
    if repr(answer) != repr(again):
        raise Refused(
            "The same uniforms led to another answer: draw no random numbers of your own. "
            "`uniforms` has one for each decision."
        )
    return answer


RATIO, BONUS = "p[i, x] / q[i, x]", "sample(p[-1], uniforms[-1])"
check_token_wise = Exercise(
    "token_wise",
    cases=[*_cases()],
    solution=token_wise,
    mistakes={
        "The uniform that rejected the draft is known to be large, so it draws no fair "
        "correction. Draw with the last one, uniforms[-1].": (
            ("q[i]), uniforms[-1])", "q[i]), uniforms[i])")
        ),
        "p(x) = 0.4, q(x) = 0.1 and u = 0.99 must be accepted, since p/q > 1. Are p and q "
        "swapped?": (RATIO, "q[i, x] / p[i, x]"),
        "p/q = 0.5 and u = 0.4: accepted. You accept only if p ≥ q; the rule needs the uniform.": (
            (f"uniforms[i] < {RATIO}", "p[i, x] >= q[i, x]")
        ),
        "You drew the correction from p. Accepted drafts have used up a part of p: draw from the "
        "residual of p and q.": ("rules.residual(p[i], q[i])", "p[i]"),
        "The bonus follows *all* drafted tokens, so its row is one further on: the last row of p, "
        "p[len(drafted)].": (BONUS, "sample(p[len(drafted) - 1], uniforms[-1])"),
        "Your correction is the likeliest token of the residual, always the same. Draw it: "
        "sample(row, uniforms[-1]).": (
            "sample(rules.residual(p[i], q[i]), uniforms[-1])",
            "int(rules.residual(p[i], q[i]).argmax())",
        ),
    },
    insight="A loop with an early return, and one draw after it. The rule needs no model and no "
    "cache, so a program can walk every path of it.",
    call=_judged,
    parts=("accepted", "token"),
    describe_case=_in_words,
)
